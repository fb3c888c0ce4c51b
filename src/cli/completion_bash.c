/* Bash: one function, which counts the words before the cursor. */
#include <stdio.h>

#include "completion.h"

static const char head[] = "# bash completion for attn, written by: attn help --completion bash\n"
                           "\n"
                           "# Candidates for the word at the cursor.\n"
                           "_attn_reply()\n"
                           "{\n"
                           "    COMPREPLY=($(compgen -W \"$1\" -- \"$cur\"))\n"
                           "    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then\n"
                           "        compopt -o nospace\n"
                           "    fi\n"
                           "}\n"
                           "\n";

/* The words before the cursor: the command, how many are no options, the first of its arguments. */
static const char count[] =
    "_attn()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    COMPREPLY=()\n"
    "    local i=1 n=0 word command='' variant='' options='--help' words=''\n"
    "    # --option=value comes as three words\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=''\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    while ((i < COMP_CWORD)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ $word == -- && $_attn_runs == *\" $command \"* ]]; then\n"
    "            compopt -o default # a program and its files\n"
    "            return\n"
    "        elif [[ $word == -?* ]]; then\n"
    "            if [[ ${COMP_WORDS[i + 1]} == = ]]; then\n"
    "                ((i += 2))\n"
    "            elif [[ $_attn_valued == *\" $word \"* ]]; then\n"
    "                ((i += 1))\n"
    "            fi\n"
    "        else\n"
    "            ((n += 1))\n"
    "            case $n in\n"
    "            1) command=$word ;;\n"
    "            2) variant=$word ;;\n"
    "            esac\n"
    "        fi\n"
    "        ((i += 1))\n"
    "    done\n";

static const char tail[] = "    if [[ $cur == -* ]]; then\n"
                           "        _attn_reply \"$options\"\n"
                           "    elif [[ -n $words ]]; then\n"
                           "        _attn_reply \"$words\"\n"
                           "    fi\n"
                           "}\n"
                           "complete -F _attn attn\n";

static void write_tensors(void)
{
    cli_write("_attn_tensors()\n{\n    case $1 in\n");
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        char names[1024];
        completion_tensors((enum attn_variant)i, names, sizeof names);
        cli_printf("    %s) echo '%s' ;;\n", attn_variants[i].name, names);
    }
    cli_write("    esac\n}\n\n");
}

/** Every option that takes a value, between spaces. */
static void write_valued(void)
{
    cli_write("_attn_valued=' ");
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        if (config_options[i].argument != NULL) {
            cli_printf("%s ", config_options[i].name);
        }
    }
    for (int i = 0; cli_commands[i] != NULL; i++) {
        const struct cli_option *o = cli_commands[i]->options;
        for (; o != NULL && o->name != NULL; o++) {
            if (o->argument != NULL) {
                cli_printf("%s ", o->name);
            }
        }
    }
    cli_write("'\n_attn_runs=' ");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (cli_commands[i]->runs) {
            cli_printf("%s ", cli_commands[i]->name);
        }
    }
    cli_write("'\n\n");
}

/** Words or a command that prints them, in double quotes. */
static void write_words(const struct completion_value *value)
{
    cli_printf("\"%s%s\"", value->words, value->tensors ? "$(_attn_tensors \"$variant\")" : "");
}

/** What stands behind one option, where that can be told. */
static void write_value(const char *name, const char *argument)
{
    const struct completion_value value = completion_option(name, argument != NULL ? argument : "");
    if (value.words[0] == '\0' && !value.files && !value.directories && !value.tensors) {
        return;
    }
    cli_printf("    %s)\n", name);
    if (value.files || value.directories) {
        cli_printf("        compopt -o %s\n", value.files ? "default" : "dirnames");
    }
    if (value.words[0] != '\0' || value.tensors) {
        cli_write("        _attn_reply ");
        write_words(&value);
        cli_write("\n");
    }
    cli_write("        return\n        ;;\n");
}

static void write_shared(void)
{
    cli_write("# The options of all that computes, and the values of one at the cursor.\n"
              "_attn_value()\n{\n    case $prev in\n");
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        write_value(config_options[i].name, config_options[i].argument);
    }
    cli_write("    *) return 1 ;;\n    esac\n}\n_attn_options='");
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        cli_printf("%s%s", i > 0 ? " " : "", config_options[i].name);
    }
    cli_write("'\n\n");
}

/** The arguments of a command, by how many words come before. */
static void write_arguments(const struct cli_command *command)
{
    for (int position = 1; position <= 2; position++) {
        const struct completion_value value = completion_argument(command, position);
        if (value.words[0] != '\0' || value.tensors) {
            cli_printf("    %s-%d) words=", command->name, position);
            write_words(&value);
            cli_write(value.files ? " && compopt -o default ;;\n" : " ;;\n");
        } else if (value.files) {
            cli_printf("    %s-%d) compopt -o default ;;\n", command->name, position);
        }
    }
}

/** The values of a command's own options. */
static void write_values(const struct cli_command *command)
{
    for (const struct cli_option *o = command->options; o != NULL && o->name != NULL; o++) {
        write_value(o->name, o->argument);
    }
}

/** The command's options; the shared ones' values too. */
static void write_options(const char *pattern, const struct cli_command *command)
{
    cli_printf("    %s)\n        options+='", pattern);
    for (const struct cli_option *o = command->options; o != NULL && o->name != NULL; o++) {
        cli_printf(" %s", o->name);
    }
    cli_write("'\n");
    if (command->computes) {
        cli_write("        _attn_value && return\n        options+=\" $_attn_options\"\n");
    }
    cli_write("        ;;\n");
}

void completion_bash(void)
{
    cli_write(head);
    write_tensors();
    write_valued();
    write_shared();
    cli_write(count);
    cli_write("    case $prev in # an option means the same wherever it is\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_values(cli_commands[i]);
    }
    cli_write("    esac\n    case $command in\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_options(cli_commands[i]->name, cli_commands[i]);
    }
    write_options("''", &cli_home);
    cli_write("    esac\n    [[ $_attn_valued == *\" $prev \"* ]] && return\n"
              "    case $command-$n in\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        write_arguments(cli_commands[i]);
    }
    cli_write("    esac\n    if ((COMP_CWORD == 1)); then\n        words='");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        cli_printf("%s%s", i > 0 ? " " : "", cli_commands[i]->name);
    }
    cli_write("'\n        options+=' --version'\n    fi\n");
    cli_write(tail);
}
