/* Fish: a line for each command and each option. */
#include <stdio.h>

#include "completion.h"

static const struct completion_escape quoted[] = {{'\'', "\\'"}, {'\\', "\\\\"}, {0, NULL}};

static const char head[] = "# fish completion for attn, written by: attn help --completion fish\n"
                           "\n"
                           "# Is the command one of these?\n"
                           "function __attn_is\n"
                           "    set -l words (commandline -opc)\n"
                           "    test (count $words) -ge 2; and contains -- $words[2] $argv\n"
                           "end\n"
                           "\n"
                           "# Is one of these among the words before?\n"
                           "function __attn_has\n"
                           "    for word in (commandline -opc)[3..-1]\n"
                           "        contains -- $word $argv; and return 0\n"
                           "    end\n"
                           "    return 1\n"
                           "end\n"
                           "\n"
                           "# Does the cursor stand on the first word?\n"
                           "function __attn_first\n"
                           "    test (count (commandline -opc)) -eq 1\n"
                           "end\n"
                           "\n"
                           "# Is there no command, since the first word is an option?\n"
                           "function __attn_home\n"
                           "    set -l words (commandline -opc)\n"
                           "    test (count $words) -eq 1; or string match -q -- '-*' $words[2]\n"
                           "end\n"
                           "\n"
                           "# The tensors of the variant that is named before.\n"
                           "function __attn_tensors\n"
                           "    for word in (commandline -opc)\n"
                           "        switch $word\n";

static void write_tensors(void)
{
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        char names[1024];
        completion_tensors((enum attn_variant)i, names, sizeof names);
        cli_printf("            case %s\n                string split ' ' '%s'\n", //
                   attn_variants[i].name, names);
    }
    cli_write("        end\n    end\nend\n\ncomplete -c attn -f\n");
}

static void write_described(const char *text)
{
    cli_write(" -d '");
    completion_write(text, quoted);
    cli_write("'\n");
}

/** What may follow: " -a 'words'", files. */
static void write_words(const struct completion_value *value)
{
    cli_write(value->files ? " -F" : "");
    if (value->directories) {
        cli_write(" -a '(__fish_complete_directories)'");
    } else if (value->tensors) {
        cli_write(" -a '(__attn_tensors)'");
    } else if (value->words[0] != '\0') {
        cli_printf(" -a '%s'", value->words);
    }
}

static void write_option(const char *condition, const char *name, const char *argument,
                         const char *summary)
{
    cli_printf("complete -c attn -n '%s' -l %s", condition, name + 2);
    if (argument != NULL) {
        const struct completion_value value = completion_option(name, argument);
        cli_write(value.files ? " -r" : " -x");
        write_words(&value);
    }
    write_described(summary);
}

static void write_own(const char *condition, const struct cli_command *command)
{
    for (const struct cli_option *o = command->options; o != NULL && o->name != NULL; o++) {
        write_option(condition, o->name, o->argument, o->summary);
    }
}

static void write_command(const struct cli_command *command)
{
    char condition[1280];
    const struct completion_value first = completion_argument(command, 1);
    const struct completion_value second = completion_argument(command, 2);
    cli_printf("complete -c attn -n __attn_first -a %s", command->name);
    write_described(command->summary);
    snprintf(condition, sizeof condition, "__attn_is %s", command->name);
    write_own(condition, command);
    if (first.words[0] != '\0' || first.files) {
        snprintf(condition, sizeof condition, "__attn_is %s; and not __attn_has %s", command->name,
                 first.words);
        cli_printf("complete -c attn -n '%s'", condition);
        write_words(&first);
        cli_write("\n");
    }
    if (command->runs) {
        cli_printf("complete -c attn -n '__attn_is %s; and __attn_has --' -F\n", command->name);
    }
    if (second.tensors || second.files) {
        snprintf(condition, sizeof condition, "__attn_is %s; and __attn_has %s", command->name,
                 first.words);
        cli_printf("complete -c attn -n '%s'", condition);
        write_words(&second);
        cli_write("\n");
    }
}

void completion_fish(void)
{
    char computing[256] = "__attn_home; or __attn_is";
    size_t used = sizeof "__attn_home; or __attn_is" - 1;
    cli_write(head);
    write_tensors();
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_command(cli_commands[i]);
        if (cli_commands[i]->computes && used < sizeof computing) {
            used += (size_t)snprintf(computing + used, sizeof computing - used, " %s",
                                     cli_commands[i]->name);
        }
    }
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        write_option(computing, config_options[i].name, config_options[i].argument,
                     config_options[i].summary);
    }
    write_own("__attn_home", &cli_home);
    cli_write("complete -c attn -l help -d 'help on this'\n"
              "complete -c attn -n __attn_first -l version -d 'the version'\n");
}
