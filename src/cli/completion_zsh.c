/* Zsh: its _arguments does the work, from a line for each option. */
#include <stdio.h>

#include "completion.h"

/* Within single quotes, and of those within brackets or between colons. */
static const struct completion_escape in_brackets[] = {
    {'\'', "'\\''"}, {'[', "\\["}, {']', "\\]"}, {'\\', "\\\\"}, {0, NULL}};
static const struct completion_escape in_colons[] = {
    {'\'', "'\\''"}, {':', "\\:"}, {'\\', "\\\\"}, {0, NULL}};

static void write_tensors(void)
{
    cli_write("# The tensors of the variant that is named before them.\n"
              "_attn_tensors() {\n    local word\n    local -A names\n    names=(\n");
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        char names[1024];
        completion_tensors((enum attn_variant)i, names, sizeof names);
        cli_printf("        %s '%s'\n", attn_variants[i].name, names);
    }
    cli_write("    )\n"
              "    for word in $words; do\n"
              "        if [[ -n $names[$word] ]]; then\n"
              "            compadd ${=names[$word]}\n"
              "            return\n"
              "        fi\n"
              "    done\n"
              "}\n\n");
}

/** "_files", "(a b c)", or what does both: the third part of a line. */
static void write_action(const struct completion_value *value)
{
    const char *const files = value->directories ? "_files -/" : value->files ? "_files" : "";
    char action[sizeof value->words + 64] = " ";
    if (value->tensors) {
        snprintf(action, sizeof action, "_attn_tensors");
    } else if (value->words[0] != '\0' && files[0] != '\0') {
        snprintf(action, sizeof action, " _alternative \"words::(%s)\" \"files::%s\"", value->words,
                 files);
    } else if (value->words[0] != '\0') {
        snprintf(action, sizeof action, "(%s)", value->words);
    } else if (files[0] != '\0') {
        snprintf(action, sizeof action, "%s", files);
    }
    completion_write(action, in_colons);
}

static void write_option(const char *name, const char *argument, const char *summary)
{
    const struct completion_value value = completion_option(name, argument != NULL ? argument : "");
    cli_printf("        '%s%s%s[", value.repeats ? "*" : "", name, argument != NULL ? "=" : "");
    completion_write(summary, in_brackets);
    cli_write("]");
    if (argument != NULL) {
        cli_write(":");
        completion_write(argument, in_colons);
        cli_write(":");
        write_action(&value);
    }
    cli_write("'\n");
}

static void write_own(const struct cli_command *command)
{
    for (const struct cli_option *o = command->options; o != NULL && o->name != NULL; o++) {
        write_option(o->name, o->argument, o->summary);
    }
    cli_printf("        '--help[help on this]'\n%s", command->computes ? "        $shared\n" : "");
}

static void write_arguments(const struct cli_command *command)
{
    for (int position = 1; position <= 2 && position <= command->max_words; position++) {
        const struct completion_value value = completion_argument(command, position);
        if (value.words[0] != '\0' || value.files || value.tensors) {
            cli_printf("        '%d:argument:", position);
            write_action(&value);
            cli_write("'\n");
        }
    }
    if (completion_argument(command, 2).files || command->runs) {
        cli_write("        '*:file:_files'\n");
    }
}

static void write_command(const struct cli_command *command)
{
    cli_printf("    %s)\n        lines+=(\n", command->name);
    write_own(command);
    write_arguments(command);
    cli_write("        )\n        ;;\n");
}

void completion_zsh(void)
{
    cli_write(
        "#compdef attn\n# zsh completion for attn, written by: attn help --completion zsh\n\n");
    write_tensors();
    cli_write("_attn() {\n    local -a commands shared lines\n    commands=(\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        cli_printf("        '%s:", cli_commands[i]->name);
        completion_write(cli_commands[i]->summary, in_colons);
        cli_write("'\n");
    }
    cli_write("    )\n    shared=(\n");
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        write_option(config_options[i].name, config_options[i].argument, config_options[i].summary);
    }
    cli_write("    )\n"
              "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
              "        _describe command commands\n"
              "        return\n"
              "    fi\n"
              "    if [[ $words[2] == -* ]]; then\n"
              "        lines=(\n");
    write_own(&cli_home);
    cli_write("        '--version[the version]'\n"
              "        )\n"
              "        _arguments -S : $lines\n"
              "        return\n"
              "    fi\n"
              "    shift words\n"
              "    ((CURRENT -= 1))\n"
              "    case $words[1] in\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_command(cli_commands[i]);
    }
    cli_write("    esac\n    _arguments -S : $lines\n}\n\n"
              "# From a file that is named after it, or by eval.\n"
              "if [[ $funcstack[1] == _attn ]]; then\n"
              "    _attn \"$@\"\n"
              "else\n"
              "    compdef _attn attn\n"
              "fi\n");
}
