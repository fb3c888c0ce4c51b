#include "cli.h"

static enum cli_status run(struct cli *cli)
{
    (void)cli;
    cli_message(NULL, "what is to be done? (attn help lists the commands)");
    return CLI_USAGE;
}

const struct cli_command cli_home = {.name = "",
                                     .arguments = "",
                                     .summary = "the home screen",
                                     .details = "",
                                     .computes = true,
                                     .run = run};
