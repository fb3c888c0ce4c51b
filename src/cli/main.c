#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

/** Is there a --help before the options end? */
static bool asks_help(int argc, char *const *argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static enum cli_status dispatch(const struct cli_command *command, int argc, char *const *argv)
{
    if (asks_help(argc, argv)) {
        help_command(command);
        return CLI_DONE;
    }
    struct cli cli = {.command = command};
    enum cli_status status = cli_parse(&cli, command, argc, argv);
    if (status == CLI_DONE) {
        status = command->run(&cli);
    }
    cli_finish(&cli);
    return status;
}

static enum cli_status choose(int argc, char *const *argv)
{
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        cli_write("attn " ATTN_VERSION "\n");
        return CLI_DONE;
    }
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        help_overview();
        return CLI_DONE;
    }
    if (argc < 2 || argv[1][0] == '-') {
        return dispatch(&cli_home, argc < 2 ? 0 : argc - 1, argv + 1);
    }
    const struct cli_command *const command = cli_find_command(argv[1]);
    return command != NULL ? dispatch(command, argc - 2, argv + 2) : cli_unknown_command(argv[1]);
}

int main(int argc, char *argv[])
{
    /* Never LC_ALL: a decimal comma would break every number in and out. */
    setlocale(LC_CTYPE, "");
    /* A reader that goes away (`attn run v3 | head`) shows as EPIPE and ends the output quietly. */
    signal(SIGPIPE, SIG_IGN);
    /* A file beyond the limit shows as EFBIG, so that the part that was written is removed. */
    signal(SIGXFSZ, SIG_IGN);
    return (int)cli_end_output(choose(argc, argv));
}
