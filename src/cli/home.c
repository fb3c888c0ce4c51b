#include <stdlib.h>
#include <unistd.h>

#include "app.h"
#include "cli.h"

/** Nobody to press keys: the whole walk of v3 as text, with a mask so that every stage is met. */
static enum cli_status print_walk(struct cli *cli, struct app *app)
{
    struct attn_error err = {.status = ATTN_OK};
    cli_message(NULL, "standard output is no terminal: this is the plain walk of v3 with a "
                      "causal mask, from end to end (attn run v3 prints the numbers alone, attn "
                      "help the commands)");
    if (cli->config.n_mask == 0 &&
        config_options[CONFIG_MASK].parse(&cli->config, "causal", &err) != ATTN_OK) {
        return cli_fail(&err);
    }
    if (app_init_walk(app, &cli->config, &err) != ATTN_OK) {
        return cli_fail(&err);
    }
    return cli_plain(app, false);
}

/** The home screen does without where they cannot be listed. */
static void offer_lessons(struct cli *cli, struct app *app)
{
    struct lesson_places places;
    struct lesson_entry *entries = NULL;
    int n = 0;
    if (lesson_places_init(&places, cli_value(cli, "--lessons")) == ATTN_OK) {
        if (lesson_list(&places, &entries, &n) == ATTN_OK) {
            app_offer_lessons(app, entries, n);
        }
        lesson_places_finish(&places);
    }
}

static enum cli_status run(struct cli *cli)
{
    struct app *const app = calloc(1, sizeof *app);
    struct attn_error err = {.status = ATTN_OK};
    enum cli_status status;
    if (app == NULL) {
        cli_message(NULL, "out of memory");
        return CLI_FAILED;
    }
    if (!isatty(STDOUT_FILENO)) {
        status = print_walk(cli, app);
    } else if (app_init_home(app, &err) == ATTN_OK) {
        offer_lessons(cli, app);
        cli_last_read(app);
        status = cli_screen(app, cli_value(cli, "--no-mouse") == NULL);
    } else {
        status = cli_fail(&err);
    }
    app_finish(app);
    free(app);
    return status;
}

static const struct cli_option options[] = {
    {"--lessons", "DIR", "look for lessons in DIR before the usual places"},
    {"--no-mouse", NULL, "leave clicks and the wheel to the terminal"},
    {0}};

const struct cli_command cli_home = {.name = "",
                                     .arguments = "",
                                     .summary = "the home screen",
                                     .details = "",
                                     .computes = true,
                                     .options = options,
                                     .run = run};
