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

static const struct config_option *find_option(const char *word)
{
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        if (strcmp(config_options[i].name, word) == 0 ||
            strcmp(config_options[i].name + 2, word) == 0) {
            return &config_options[i];
        }
    }
    return NULL;
}

static enum cli_status unknown_topic(const char *word)
{
    const char *names[128];
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

/** A topic, then a command, an option, a variant, a key. */
static enum cli_status explain_word(const char *word)
{
    for (const struct help_topic *topic = help_topics; topic->name != NULL; topic++) {
        if (strcmp(topic->name, word) == 0) {
            topic->print();
            return CLI_DONE;
        }
    }
    const struct cli_command *const command = cli_find_command(word);
    if (command != NULL) {
        help_command(command);
        return CLI_DONE;
    }
    const struct config_option *const option = find_option(word);
    if (option != NULL) {
        option_row(option->name, option->argument, option->summary, option->fallback);
        return CLI_DONE;
    }
    const int variant = attn_variant_find(word);
    if (variant >= 0) {
        help_variant((enum attn_variant)variant);
        return CLI_DONE;
    }
    return print_key(word) ? CLI_DONE : unknown_topic(word);
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
        return explain_word(cli->words[0]);
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
    .summary = "help on a topic, a command, an option, a variant or a key",
    .details = "Without a topic: the commands and the topics. `attn help mask` is about --mask, "
               "`attn help m` about the key.",
    .max_words = 1,
    .options = options,
    .run = run};
