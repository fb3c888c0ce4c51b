#include "lab.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "cli.h"

/** Every setting of the instrument as a table, without a screen. */
static enum cli_status print(struct app *app)
{
    app_lab_plain(app, stdout, !cli_is_utf8());
    return CLI_DONE;
}

/** The face that the options ask for; as walk's. */
static enum cli_status show(struct cli *cli, struct app *app)
{
    const char *const size = cli_value(cli, "--size");
    const char *const keys = cli_value(cli, "--keys");
    const char *const path = cli_value(cli, "--frame");
    const char *const name = lab_infos[app->lab->kind].name;
    int cols = 80;
    int rows = 24;
    if (size != NULL && !cli_parse_size(size, &cols, &rows)) {
        cli_message("--size", "'%s' is no size (columns x rows, as 80x24; at most %dx%d)", size,
                    FRAME_COLS_MAX, FRAME_ROWS_MAX);
        return CLI_USAGE;
    }
    const bool screen = size == NULL && keys == NULL && path == NULL &&
                        cli_value(cli, "--plain") == NULL && isatty(STDIN_FILENO) &&
                        isatty(STDOUT_FILENO);
    const bool measure = cli_value(cli, "--no-measure") == NULL;
    if (!screen || !measure) {
        app_lab_time(app, measure);
    }
    if (cli_value(cli, "--plain") != NULL) {
        return print(app);
    }
    if (size != NULL || keys != NULL || path != NULL) {
        return cli_play(app, keys != NULL ? keys : "", cols, rows, path);
    }
    if (!screen) {
        cli_message(name, "there is no terminal: this is what attn lab %s --plain prints", name);
        return print(app);
    }
    return cli_screen(app, cli_value(cli, "--no-mouse") == NULL);
}

/** Say which instruments there are. */
static enum cli_status list(void)
{
    for (int i = 0; i < LAB_N_KINDS; i++) {
        cli_printf("%-8s  %s\n", lab_infos[i].name, lab_infos[i].summary);
    }
    return CLI_DONE;
}

static enum cli_status unknown(const char *word)
{
    const char *names[LAB_N_KINDS];
    for (int i = 0; i < LAB_N_KINDS; i++) {
        names[i] = lab_infos[i].name;
    }
    const char *const near = config_nearest(word, names, LAB_N_KINDS);
    cli_message(word, "no such instrument (%s%s%sattn lab lists them)",
                near != NULL ? "did you mean " : "", near != NULL ? near : "",
                near != NULL ? "? " : "");
    return CLI_USAGE;
}

static enum cli_status run(struct cli *cli)
{
    if (cli->n_words == 0) {
        return list();
    }
    const int kind = lab_find(cli->words[0]);
    if (kind < 0) {
        return unknown(cli->words[0]);
    }
    const bool memory = cli->config.memory_length > 0 || cli->config.memory_tokens.n > 0;
    cli->config.variant = memory ? ATTN_CROSS : ATTN_SINGLE;
    struct app *const app = malloc(sizeof *app);
    struct attn_error err = {.status = ATTN_OK};
    if (app == NULL) {
        cli_message("lab", "out of memory");
        return CLI_FAILED;
    }
    const enum cli_status status =
        app_init_lab(app, (enum lab_kind)kind, &cli->config, &err) == ATTN_OK ? show(cli, app)
                                                                              : cli_fail(&err);
    app_finish(app);
    free(app);
    return status;
}

static const struct cli_option options[] = {
    {"--plain", NULL, "print it as tables, without a screen"},
    {"--no-measure", NULL, "cost: leave out the times, which differ from run to run"},
    {"--no-mouse", NULL, "leave clicks and the wheel to the terminal"},
    {"--keys", "KEYS", "play these keys, then print the screen"},
    {"--size", "COLSxROWS", "the size of the screen to print (default 80x24)"},
    {"--frame", "FILE", "write that screen to FILE: .txt, .ans or .svg"},
    {0}};

const struct cli_command cli_lab = {
    .name = "lab",
    .arguments = "[scaling | cost | masks]",
    .summary = "an instrument to turn by hand: scaling, cost, masks",
    .details =
        "Opens the instrument on this terminal; ? there lists its keys. Without a name: the list "
        "of them.\n"
        "scaling: for d_k from 1 to 1024, over 1,000 rows of scores of random q and k: their "
        "spread, the largest weight, the entropy, the softmax's gradient, without a factor and "
        "with two. --dim sets where it begins, --length how many keys a row has, --seed the random "
        "numbers.\n"
        "cost: operations, bytes and time measured here, from T = 16 to 65,536, for --dim; what "
        "would take long is not measured.\n"
        "masks: a mask on the scores of a few tokens, painted with the cursor; what is filled in, "
        "which value keeps, how a causal one is aligned; the weights that come of it, and the rows "
        "that break. It begins with --mask and the other options.\n"
        "The other options of attn help options are taken where an instrument has a use for them.",
    .computes = true,
    .max_words = 1,
    .options = options,
    .run = run};
