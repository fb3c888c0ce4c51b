#include <string.h>

#include "cli.h"

const struct cli_command *const cli_commands[] = {
    &cli_walk, &cli_run,    &cli_explain,   &cli_code, &cli_check, &cli_lesson,
    &cli_lab,  &cli_export, &cli_worksheet, &cli_help, NULL};

const struct cli_command *cli_find_command(const char *name)
{
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0) {
            return cli_commands[i];
        }
    }
    return NULL;
}

const struct cli_command *cli_command_at(int i)
{
    int n = 0;
    while (cli_commands[n] != NULL) {
        n++;
    }
    return i < n ? cli_commands[i] : i == n ? &cli_home : NULL;
}

enum cli_status cli_unknown_command(const char *name)
{
    const char *names[64];
    int n = 0;
    for (; cli_commands[n] != NULL; n++) {
        names[n] = cli_commands[n]->name;
    }
    names[n++] = "version"; /* which is an option here, and a command elsewhere */
    const char *const near = config_nearest(name, names, n);
    if (near != NULL && strcmp(near, "version") == 0) {
        cli_message(name, "unknown command (did you mean attn --version?)");
    } else if (near != NULL) {
        cli_message(name, "unknown command (did you mean %s? attn help lists them)", near);
    } else if (attn_variant_find(name) >= 0) {
        cli_message(name, "a variant, not a command (attn run %s prints every stage)", name);
    } else {
        cli_message(name, "unknown command (attn help lists them)");
    }
    return CLI_USAGE;
}
