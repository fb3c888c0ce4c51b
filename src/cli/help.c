#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "cli.h"

enum { NAME_COLUMN = 2, TEXT_COLUMN = 26 };

void help_row(const char *name, const char *text)
{
    const int columns = cli_columns(name);
    cli_printf("%*s%s", NAME_COLUMN, "", name);
    if (NAME_COLUMN + columns + 2 > TEXT_COLUMN) {
        cli_printf("\n%*s", TEXT_COLUMN, "");
    } else {
        cli_printf("%*s", TEXT_COLUMN - NAME_COLUMN - columns, "");
    }
    cli_wrap(text, TEXT_COLUMN, TEXT_COLUMN);
}

static void option_row(const char *name, const char *argument, const char *summary,
                       const char *fallback)
{
    char left[96];
    char right[512];
    snprintf(left, sizeof left, "%s%s%s", name, argument != NULL ? " " : "",
             argument != NULL ? argument : "");
    snprintf(right, sizeof right, "%s%s%s%s", summary, fallback != NULL ? " [" : "",
             fallback != NULL ? fallback : "", fallback != NULL ? "]" : "");
    help_row(left, right);
}

void help_options(void)
{
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        const struct config_option *const o = &config_options[i];
        option_row(o->name, o->argument, o->summary, o->fallback);
    }
}

void help_overview(void)
{
    cli_write("attn walks through scaled dot-product attention, one number at a time.\n\n"
              "usage: attn COMMAND [ARGUMENTS] [OPTIONS]\n\ncommands:\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", cli_commands[i]->name,
                 cli_commands[i]->arguments[0] != '\0' ? " " : "", cli_commands[i]->arguments);
        help_row(left, cli_commands[i]->summary);
    }
    cli_write("\nattn help TOPIC tells more about:\n");
    for (const struct help_topic *topic = help_topics; topic->name != NULL; topic++) {
        help_row(topic->name, topic->summary);
    }
    cli_write("\nattn COMMAND --help lists its options; attn --version names this version.\n");
    char text[256] = "attn alone opens the home screen, and takes";
    for (const struct cli_option *o = cli_home.options; o->name != NULL; o++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %s%s%s,", o->name,
                 o->argument != NULL ? " " : "", o->argument != NULL ? o->argument : "");
    }
    strncat(text, " and what attn help options lists.", sizeof text - strlen(text) - 1);
    cli_wrap(text, 0, 0);
}

/** Paragraphs separated by '\n'. */
static void write_paragraphs(const char *text)
{
    while (*text != '\0') {
        char paragraph[1024];
        const size_t length = strcspn(text, "\n");
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
        cli_wrap(paragraph, 0, 0);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

void help_command(const struct cli_command *command)
{
    if (command->name[0] == '\0') {
        help_overview();
        return;
    }
    cli_printf("usage: attn %s%s%s [OPTIONS]\n\n", command->name,
               command->arguments[0] != '\0' ? " " : "", command->arguments);
    write_paragraphs(command->details);
    if (command->options != NULL && command->options[0].name != NULL) {
        cli_write("\noptions:\n");
        for (const struct cli_option *o = command->options; o->name != NULL; o++) {
            option_row(o->name, o->argument, o->summary, NULL);
        }
    }
    if (command->computes) {
        cli_write("\nwhat to compute:\n");
        help_options();
    }
}

static enum cli_status unknown_topic(const char *word)
{
    const char *names[256];
    int n = 0;
    for (const struct help_topic *topic = help_topics; topic->name != NULL; topic++) {
        names[n++] = topic->name;
    }
    for (int i = 0; cli_commands[i] != NULL; i++) {
        names[n++] = cli_commands[i]->name;
    }
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        names[n++] = config_options[i].name;
    }
    for (int i = 0; cli_command_at(i) != NULL; i++) {
        const struct cli_option *o = cli_command_at(i)->options;
        for (; o != NULL && o->name != NULL; o++) {
            names[n++] = o->name;
        }
    }
    for (int i = 0; i < ATTN_N_STAGES; i++) {
        names[n++] = attn_stages[i].key;
    }
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        names[n++] = attn_tensors[i].name;
    }
    const char *const near = config_nearest(word, names, n);
    if (near != NULL) {
        cli_message(word, "no such topic (did you mean %s?)", near);
    } else {
        cli_message(word, "no such topic (attn help lists those there are)");
    }
    return CLI_USAGE;
}

/** What a key does, in each scope where it does something. @return false if it is no key. */
static bool print_key(const char *word)
{
    struct app_key key;
    bool found = false;
    if (!app_key_find(word, &key)) {
        if (word[0] == '\0' || word[1] != '\0') {
            return false;
        }
        key = (struct app_key){.code = APP_KEY_CHAR, .ch = (unsigned char)word[0]};
    }
    for (int i = 0; i < app_n_actions; i++) {
        if (app_actions[i].help != NULL && app_action_has(&app_actions[i], key)) {
            help_row(app_actions[i].keys, app_actions[i].help);
            found = true;
        }
    }
    return found;
}

/** Has an earlier command this very option? */
static bool is_earlier(int command, const struct cli_option *option)
{
    for (int i = 0; i < command; i++) {
        const struct cli_option *const o = cli_find_option(cli_command_at(i), option->name);
        if (o != NULL && strcmp(o->summary, option->summary) == 0) {
            return true;
        }
    }
    return false;
}

/** "attn walk, attn lab": the commands from this one on that have the option. */
static void list_commands(int command, const struct cli_option *option, char *out, size_t size)
{
    out[0] = '\0';
    for (int i = command; cli_command_at(i) != NULL; i++) {
        const struct cli_command *const c = cli_command_at(i);
        const struct cli_option *const o = cli_find_option(c, option->name);
        if (o != NULL && strcmp(o->summary, option->summary) == 0) {
            const size_t used = strlen(out);
            snprintf(out + used, size - used, "%sattn%s%s", used > 0 ? ", " : "",
                     c->name[0] != '\0' ? " " : "", c->name);
        }
    }
}

/** An option that is not one of all that computes, and the commands that have it. */
static bool print_own_option(const char *word)
{
    bool found = false;
    char name[64];
    snprintf(name, sizeof name, "%s%s", strncmp(word, "--", 2) == 0 ? "" : "--", word);
    for (int i = 0; cli_command_at(i) != NULL; i++) {
        const struct cli_option *const o = cli_find_option(cli_command_at(i), name);
        if (o != NULL && !is_earlier(i, o)) {
            char commands[128];
            list_commands(i, o, commands, sizeof commands);
            option_row(o->name, o->argument, o->summary, commands);
            found = true;
        }
    }
    return found;
}

static bool print_option(const char *word)
{
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        const struct config_option *const o = &config_options[i];
        if (strcmp(o->name, word) == 0 || strcmp(o->name + 2, word) == 0) {
            option_row(o->name, o->argument, o->summary, o->fallback);
            (void)print_own_option(word); /* worksheet's --seed */
            return true;
        }
    }
    return print_own_option(word);
}

/** The stages of this key: two make projections. */
static bool print_stage(const char *word)
{
    bool found = false;
    for (int i = 0; i < ATTN_N_STAGES; i++) {
        if (strcmp(attn_stages[i].key, word) == 0) {
            help_stage((enum attn_stage)i);
            found = true;
        }
    }
    return found;
}

/** A tensor by its name or by one that some variant's module gives it. */
static bool print_tensor(const char *word)
{
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        const enum attn_tensor_id id = attn_tensor_find((enum attn_variant)i, word);
        if (id != ATTN_NO_TENSOR) {
            help_row(word, attn_tensors[id].meaning);
            return true;
        }
    }
    return false;
}

/** A topic, a command or a variant; an option, a stage and a tensor, which may share a name; a key.
 */
static bool explain_word(const char *word)
{
    for (const struct help_topic *topic = help_topics; topic->name != NULL; topic++) {
        if (strcmp(topic->name, word) == 0) {
            topic->print();
            return true;
        }
    }
    const struct cli_command *const command = cli_find_command(word);
    if (command != NULL) {
        help_command(command);
        return true;
    }
    const int variant = attn_variant_find(word);
    if (variant >= 0) {
        help_variant((enum attn_variant)variant);
        return true;
    }
    const bool option = print_option(word);
    const bool stage = print_stage(word);
    const bool key = !option && !stage && print_key(word); /* k is a key before it is a tensor */
    return option || stage || key || print_tensor(word);
}

/** As it is written, or in small letters; but v and V are different keys. */
static enum cli_status explain(const char *word)
{
    char small[64] = "";
    for (size_t i = 0; word[1] != '\0' && word[i] != '\0' && i + 1 < sizeof small; i++) {
        small[i] = (char)tolower((unsigned char)word[i]);
    }
    if (explain_word(word) || (small[0] != '\0' && explain_word(small))) {
        return CLI_DONE;
    }
    return unknown_topic(word);
}

static enum cli_status run(struct cli *cli)
{
    const char *const shell = cli_value(cli, "--completion");
    if (shell != NULL) {
        return help_completion(shell);
    }
    if (cli_value(cli, "--man") != NULL) {
        help_manual();
    } else if (cli->n_words > 0) {
        return explain(cli->words[0]);
    } else {
        help_overview();
    }
    return CLI_DONE;
}

static const struct cli_option options[] = {
    {"--man", NULL, "write the manual page, for man -l"},
    {"--completion", "bash|zsh|fish", "write the completion of command lines for this shell"},
    {0}};

const struct cli_command cli_help = {
    .name = "help",
    .arguments = "[TOPIC | KEY]",
    .summary = "help on a topic, a command, an option, a variant, a stage, a tensor or a key",
    .details = "Without a topic: the commands and the topics. `attn help mask` is about --mask, "
               "`attn help m` about the key.",
    .max_words = 1,
    .about_options = true,
    .options = options,
    .run = run};
