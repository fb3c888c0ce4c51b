#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

static int count_options(const struct cli_command *command)
{
    int n = 0;
    while (command->options != NULL && command->options[n].name != NULL) {
        n++;
    }
    return n;
}

/** What people call an option that has another name here. */
static const struct {
    const char *word;
    const char *option; /**< That does it; NULL: none does. */
    const char *advice;
} others[] = {
    {"--heads", NULL, "one head is computed; --dim is its width"},
    {"--num-heads", NULL, "one head is computed; --dim is its width"},
    {"--n-heads", NULL, "one head is computed; --dim is its width"},
    {"--causal", "--mask", "did you mean --mask causal?"},
    {"--padding", "--mask", "did you mean --mask padding:N?"},
    {"--seq-len", "--length", "did you mean --length?"},
    {"--seq-length", "--length", "did you mean --length?"},
    {"--batch-size", "--batch", "did you mean --batch?"},
    {"--d-model", "--dim", "did you mean --dim?"},
    {"--d-k", "--dim", "did you mean --dim?"},
    {"--d-in", "--dim-in", "did you mean --dim-in?"},
    {"--weights", "--load", "did you mean --load?"},
    {"--input", "--load", "did you mean --load?"},
    {"--output", "--save", "did you mean --save?"},
    {"--out", "--save", "did you mean --save?"},
    {"-o", "--save", "did you mean --save?"},
    {"--no-dropout", "--eval", "did you mean --eval?"},
};

static bool has_option(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/** The advice for a word of others, or NULL. */
static const char *find_other(const char *word, const char *const *names, int n)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i].word, word) == 0 &&
            has_option(names, n, others[i].option != NULL ? others[i].option : "--dim")) {
            return others[i].advice;
        }
    }
    return NULL;
}

/** The nearest name: the dashes, which all have, make no two alike. */
static const char *nearest_option(const char *word, const char *const *names, int n)
{
    const char *bare[CLI_OPTIONS_MAX + CONFIG_N_OPTIONS + 2];
    for (int i = 0; i < n; i++) {
        bare[i] = names[i] + 2;
    }
    const char *const near = config_nearest(word + strspn(word, "-"), bare, n);
    return near != NULL ? near - 2 : NULL;
}

const struct cli_option *cli_find_option(const struct cli_command *command, const char *name)
{
    for (int i = 0; i < count_options(command); i++) {
        if (strcmp(command->options[i].name, name) == 0) {
            return &command->options[i];
        }
    }
    return NULL;
}

static enum cli_status unknown_option(const struct cli_command *command, const char *word)
{
    const char *names[CLI_OPTIONS_MAX + CONFIG_N_OPTIONS + 2];
    char name[64];
    int n = count_options(command);
    for (int i = 0; i < n; i++) {
        names[i] = command->options[i].name;
    }
    for (int i = 0; command->computes && i < CONFIG_N_OPTIONS; i++) {
        names[n++] = config_options[i].name;
    }
    names[n++] = "--help";
    if (command->name[0] == '\0') {
        names[n++] = "--version";
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *const near = nearest_option(name, names, n);
    const char *const other = find_other(name, names, n);
    const char *const separator = command->name[0] != '\0' ? " " : "";
    if (other != NULL) {
        cli_message(name, "unknown option (%s)", other);
    } else if (near != NULL) {
        cli_message(name, "unknown option (did you mean %s?)", near);
    } else {
        cli_message(name, "unknown option (attn%s%s --help lists those there are)", separator,
                    command->name);
    }
    return CLI_USAGE;
}

/** What a name of a file or a directory cannot be. */
static enum cli_status check_name(const struct cli_option *option, const char *value)
{
    const bool directory = strcmp(option->argument, "DIR") == 0;
    struct stat info;
    if ((directory || strcmp(option->argument, "FILE") == 0) && value[0] == '\0') {
        cli_message(option->name, "no %s is named (%s)", directory ? "directory" : "file",
                    option->summary);
        return CLI_USAGE;
    }
    if (directory && (stat(value, &info) != 0 || !S_ISDIR(info.st_mode))) {
        cli_message(option->name, "%s is no directory (%s)", value, option->summary);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/** One of the command's own options. @return CLI_DONE; *taken tells whether it was one. */
static enum cli_status take_own(struct cli *cli, int argc, char *const *argv, int *i, bool *taken)
{
    const char *const word = argv[*i];
    const char *const equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const int n = count_options(cli->command);
    *taken = false;
    for (int k = 0; k < n; k++) {
        const struct cli_option *const option = &cli->command->options[k];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0) {
            continue;
        }
        if (option->argument == NULL && equals != NULL) {
            cli_message(option->name, "takes no value (leave out '%s')", equals);
            return CLI_USAGE;
        }
        const bool next = option->argument != NULL && equals == NULL;
        if (next && *i + 1 >= argc) {
            cli_message(option->name, "needs a value: %s (%s)", option->argument, option->summary);
            return CLI_USAGE;
        }
        cli->values[k] = equals != NULL ? equals + 1 : next ? argv[*i + 1] : "";
        const char *const repeats = cli->command->repeats;
        const bool again = repeats != NULL && strcmp(repeats, option->name) == 0;
        if (again && cli->n_many == CLI_MANY_MAX) {
            cli_message(option->name, "given more than %d times", CLI_MANY_MAX);
            return CLI_USAGE;
        }
        if (again) {
            cli->many[cli->n_many++] = cli->values[k];
        }
        *i += next ? 2 : 1;
        *taken = true;
        return option->argument != NULL ? check_name(option, cli->values[k]) : CLI_DONE;
    }
    return CLI_DONE;
}

static enum cli_status take_option(struct cli *cli, int argc, char *const *argv, int *i)
{
    bool taken = false;
    const enum cli_status status = take_own(cli, argc, argv, i, &taken);
    if (status != CLI_DONE || taken) {
        return status;
    }
    if (cli->command->computes) {
        struct attn_error err = {.status = ATTN_OK};
        if (config_take_option(&cli->config, argc, argv, i, &taken, &err) != ATTN_OK) {
            return cli_fail(&err);
        }
    }
    return taken ? CLI_DONE : unknown_option(cli->command, argv[*i]);
}

/** Is it what an option is called, of whatever command? */
static bool names_option(const char *word)
{
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        if (strcmp(config_options[i].name, word) == 0) {
            return true;
        }
    }
    for (int i = 0; cli_command_at(i) != NULL; i++) {
        if (cli_find_option(cli_command_at(i), word) != NULL) {
            return true;
        }
    }
    return false;
}

/** help's own options act; all others are what it is asked about. */
static bool is_subject(const struct cli_command *command, const char *word)
{
    return command->about_options && names_option(word) && cli_find_option(command, word) == NULL;
}

static enum cli_status too_many(const struct cli_command *command, const char *word)
{
    if (command->runs) {
        cli_message(word, "one argument too many (a program stands behind --: attn %s %s)",
                    command->name, command->arguments);
    } else {
        cli_message(word, "one argument too many (usage: attn %s%s%s)", command->name,
                    command->arguments[0] != '\0' ? " " : "", command->arguments);
    }
    return CLI_USAGE;
}

enum cli_status cli_parse(struct cli *cli, const struct cli_command *command, int argc,
                          char *const *argv)
{
    bool options = true;
    cli->command = command;
    config_init(&cli->config, ATTN_V3);
    for (int i = 0; i < argc;) {
        const char *const word = argv[i];
        if (options && strcmp(word, "--") == 0 && command->runs) {
            cli->program = argv + i + 1;
            cli->n_program = argc - i - 1;
            return CLI_DONE;
        } else if (options && strcmp(word, "--") == 0) {
            options = false;
            i++;
        } else if (options && word[0] == '-' && word[1] != '\0' && !is_subject(command, word)) {
            const enum cli_status status = take_option(cli, argc, argv, &i);
            if (status != CLI_DONE) {
                return status;
            }
        } else if (cli->n_words == command->max_words) {
            return too_many(command, word);
        } else {
            cli->words[cli->n_words++] = word;
            i++;
        }
    }
    return CLI_DONE;
}

void cli_finish(struct cli *cli)
{
    config_finish(&cli->config);
}

const char *cli_value(const struct cli *cli, const char *name)
{
    const int n = count_options(cli->command);
    for (int i = 0; i < n; i++) {
        if (strcmp(cli->command->options[i].name, name) == 0) {
            return cli->values[i];
        }
    }
    return NULL;
}

enum cli_status cli_take_variant(struct cli *cli)
{
    const char *names[ATTN_N_VARIANTS];
    char list[128] = "";
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        const size_t used = strlen(list);
        names[i] = attn_variants[i].name;
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    if (cli->n_words == 0) {
        cli_message(cli->command->name, "which variant? (one of %s)", list);
        return CLI_USAGE;
    }
    const int variant = attn_variant_find(cli->words[0]);
    if (variant >= 0) {
        cli->config.variant = (enum attn_variant)variant;
        return CLI_DONE;
    }
    const char *const near = config_nearest(cli->words[0], names, ATTN_N_VARIANTS);
    if (near != NULL) {
        cli_message(cli->words[0], "unknown variant (did you mean %s? there are %s)", near, list);
    } else {
        cli_message(cli->words[0], "unknown variant (there are %s)", list);
    }
    return CLI_USAGE;
}

/** A stage's name where a tensor's is meant: the tensor that it writes, or NULL. */
static const char *written_by(enum attn_variant variant, const char *key, char out[48])
{
    for (int i = 0; i < ATTN_N_STAGES; i++) {
        if (strcmp(attn_stages[i].key, key) == 0 && attn_variant_has(variant, (enum attn_stage)i)) {
            attn_tensor_name(variant, attn_stages[i].outputs[0], out, 48);
            return out;
        }
    }
    return NULL;
}

enum cli_status cli_find_tensor(enum attn_variant variant, const char *name,
                                enum attn_tensor_id *id)
{
    const enum attn_tensor_id found = attn_tensor_find(variant, name);
    if (found != ATTN_NO_TENSOR) {
        *id = found;
        return CLI_DONE;
    }
    char names[ATTN_N_TENSORS][48];
    const char *pointers[ATTN_N_TENSORS];
    char list[512] = "";
    int n = 0;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        if (attn_variant_has_tensor(variant, (enum attn_tensor_id)i)) {
            const size_t used = strlen(list);
            attn_tensor_name(variant, (enum attn_tensor_id)i, names[n], sizeof names[n]);
            snprintf(list + used, sizeof list - used, "%s%s", n > 0 ? " " : "", names[n]);
            pointers[n] = names[n];
            n++;
        }
    }
    char written[48];
    const char *const by_stage = written_by(variant, name, written);
    const char *const near = by_stage != NULL ? by_stage : config_nearest(name, pointers, n);
    cli_message(name, "%s has no such tensor (%s%s%sit has %s)", attn_variants[variant].name,
                near != NULL ? "did you mean " : "", near != NULL ? near : "",
                near != NULL ? "? " : "", list);
    return CLI_USAGE;
}

enum cli_status cli_trace(struct cli *cli, struct setup *setup, attn_trace **trace)
{
    struct attn_error err = {.status = ATTN_OK};
    if (config_trace(setup, trace, &cli->config, &err) != ATTN_OK) {
        return cli_fail(&err);
    }
    for (int i = 0; i < setup->n_notes; i++) {
        cli_message(NULL, "%s", setup->notes[i]);
    }
    return CLI_DONE;
}
