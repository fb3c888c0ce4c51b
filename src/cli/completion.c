/* The completion of command lines, for three shells: what their scripts have in common. */
#include "completion.h"

#include <stdio.h>
#include <string.h>

/** What a table's words for an argument do not tell. */
static const struct {
    const char *option, *words;
    bool files, tensors, repeats;
} known[] = {
    {.option = "--mask", .words = "none causal padding: causal+padding:", .files = true},
    {.option = "--load", .words = "", .files = true, .repeats = true},
    {.option = "--got", .words = "", .files = true, .repeats = true},
    {.option = "--only", .words = "", .tensors = true},
    {.option = "--lang", .words = "pytorch numpy c"},
};

static void add_word(struct completion_value *value, const char *word, size_t n)
{
    const size_t used = strlen(value->words);
    snprintf(value->words + used, sizeof value->words - used, "%s%.*s", used > 0 ? " " : "", (int)n,
             word);
}

/** Is this written out as it is to be typed: in lower case, or a digit? */
static bool is_literal(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", word[i]) == NULL) {
            return false;
        }
    }
    return n > 0;
}

static void add_bugs(struct completion_value *value)
{
    for (int i = 0; i < ATTN_N_BUGS; i++) {
        add_word(value, attn_bugs[i].name, strlen(attn_bugs[i].name));
    }
}

struct completion_value completion_option(const char *name, const char *argument)
{
    struct completion_value value = {.files = strstr(argument, "FILE") != NULL,
                                     .directories = strstr(argument, "DIR") != NULL};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].option, name) == 0) {
            add_word(&value, known[i].words, strlen(known[i].words));
            value.files = known[i].files;
            value.tensors = known[i].tensors;
            value.repeats = known[i].repeats;
            return value;
        }
    }
    if (strcmp(name, "--bug") == 0) {
        add_bugs(&value);
        return value;
    }
    for (const char *at = argument; *at != '\0';) {
        const size_t n = strcspn(at, "|");
        if (is_literal(at, n)) {
            add_word(&value, at, n);
        }
        at += n + (at[n] == '|' ? 1 : 0);
    }
    return value;
}

static void add_variants(struct completion_value *value)
{
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        add_word(value, attn_variants[i].name, strlen(attn_variants[i].name));
    }
}

/** The stages and what they write; a name that is there is not added again. */
static void add_stages(struct completion_value *value)
{
    const char *before = "";
    for (int i = 0; i < ATTN_N_STAGES; i++) {
        const char *const key = attn_stages[i].key;
        if (strcmp(key, before) != 0) { /* two rows make projections */
            add_word(value, key, strlen(key));
        }
        before = key;
    }
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const char *const name = attn_tensors[i].name;
        if (attn_tensors[i].group == ATTN_GROUP_STAGE &&
            attn_tensors[i].stage != ATTN_STAGE_OUTPUT) {
            add_word(value, name, strlen(name));
        }
    }
}

static void add_topics(struct completion_value *value)
{
    for (const struct help_topic *topic = help_topics; topic->name != NULL; topic++) {
        add_word(value, topic->name, strlen(topic->name));
    }
    for (int i = 0; cli_commands[i] != NULL; i++) {
        add_word(value, cli_commands[i]->name, strlen(cli_commands[i]->name));
    }
}

struct completion_value completion_argument(const struct cli_command *command, int position)
{
    const char *const arguments = command->arguments;
    const bool first = position == 1;
    struct completion_value value = {
        .files = strstr(arguments, first ? "LESSON" : "FILE") != NULL,
        .tensors = position == 2 && strstr(arguments, "TENSOR") != NULL,
    };
    if (first && strstr(arguments, "VARIANT") != NULL) {
        add_variants(&value);
    }
    if (first && strstr(arguments, "TOPIC") != NULL) {
        add_topics(&value);
        add_variants(&value);
        add_stages(&value);
    }
    for (const char *at = arguments; first && *at != '\0';) { /* "list | check FILE", "[a | b]" */
        at += *at == '[' ? 1 : 0;
        const size_t n = strcspn(at, " ]");
        if (is_literal(at, n)) {
            add_word(&value, at, n);
        }
        at += n;
        at += strspn(at, " ]");
    }
    return value;
}

char *completion_tensors(enum attn_variant variant, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < ATTN_N_TENSORS && used < size; i++) {
        if (attn_variant_has_tensor(variant, (enum attn_tensor_id)i)) {
            char name[64];
            attn_tensor_name(variant, (enum attn_tensor_id)i, name, sizeof name);
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? " " : "", name);
        }
    }
    return out;
}

static const struct completion_escape *find_escape(const struct completion_escape *escapes,
                                                   char letter)
{
    while (escapes->letter != '\0' && escapes->letter != letter) {
        escapes++;
    }
    return escapes->letter != '\0' ? escapes : NULL;
}

void completion_write(const char *text, const struct completion_escape *escapes)
{
    while (*text != '\0') {
        size_t n = 0;
        while (text[n] != '\0' && find_escape(escapes, text[n]) == NULL) {
            n++;
        }
        cli_printf("%.*s", (int)n, text);
        text += n;
        if (*text != '\0') {
            cli_write(find_escape(escapes, *text)->written);
            text++;
        }
    }
}

enum cli_status help_completion(const char *shell)
{
    static const struct {
        const char *name;
        void (*write)(void);
    } shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].write();
            return CLI_DONE;
        }
    }
    cli_message("--completion", "'%s' is no shell that is known (bash, zsh or fish)", shell);
    return CLI_USAGE;
}
