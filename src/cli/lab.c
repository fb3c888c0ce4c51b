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

/** As walk's; measured first where nobody waits for it. */
static enum cli_status show(const struct cli *cli, struct app *app, const struct cli_face *face)
{
    const char *const name = lab_infos[app->lab->kind].name;
    const bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    const bool screen = !face->plain && !face->played && terminal;
    const bool measure = cli_value(cli, "--no-measure") == NULL;
    if (!screen || !measure) {
        app_lab_time(app, measure);
    }
    if (face->played) {
        return cli_play(app, face);
    }
    if (screen) {
        return cli_screen(app, face->mouse);
    }
    if (!face->plain) {
        cli_message(name, "there is no terminal: this is what attn lab %s --plain prints", name);
    }
    return print(app);
}

/* ---- sizes ---- */

/** The sizes that an instrument has: the screen goes through them by doubling. */
static const struct range {
    enum lab_kind kind;
    enum config_option_id option;
    int least, most;
    bool doubles;
} ranges[] = {
    {LAB_SCALING, CONFIG_DIM, 1, LAB_WIDTH_MAX, true},
    {LAB_SCALING, CONFIG_LENGTH, LAB_KEYS_MIN, LAB_KEYS_MAX, false},
    {LAB_COST, CONFIG_DIM, LAB_COST_WIDTH_MIN, LAB_COST_WIDTH_MAX, true},
    {LAB_COST, CONFIG_LENGTH, 16, 65536, true},
    {LAB_MASKS, CONFIG_LENGTH, LAB_TOKENS_MIN, LAB_TOKENS_MAX, false},
    {LAB_MASKS, CONFIG_MEMORY_LENGTH, LAB_TOKENS_MIN, LAB_TOKENS_MAX, false},
    {LAB_MASKS, CONFIG_TOKENS, LAB_TOKENS_MIN, LAB_TOKENS_MAX, false},
    {LAB_MASKS, CONFIG_MEMORY_TOKENS, LAB_TOKENS_MIN, LAB_TOKENS_MAX, false},
};

/** What was given for it; 0: nothing. */
static int given(const struct config *config, enum config_option_id option)
{
    const struct {
        enum config_option_id option;
        int value;
    } values[] = {{CONFIG_DIM, config->dim},
                  {CONFIG_LENGTH, config->length},
                  {CONFIG_MEMORY_LENGTH, config->memory_length},
                  {CONFIG_TOKENS, config->tokens.n},
                  {CONFIG_MEMORY_TOKENS, config->memory_tokens.n}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i].option == option) {
            return values[i].value;
        }
    }
    return 0;
}

static enum cli_status check_range(const struct range *range, int value)
{
    const char *const option = config_options[range->option].name;
    const char *const lab = lab_infos[range->kind].name;
    if (value < range->least || value > range->most) {
        cli_message(option, "%d is outside what attn lab %s takes (%d to %d%s)", value, lab,
                    range->least, range->most, range->doubles ? ", by doubling" : "");
        return CLI_USAGE;
    }
    if (range->doubles && (value & (value - 1)) != 0) {
        int below = range->least;
        while (below * 2 < value) {
            below *= 2;
        }
        cli_message(option, "attn lab %s goes by doubling, and %d is between (choose %d or %d)",
                    lab, value, below, below * 2);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/** Refuse a size that the instrument would have to round. */
static enum cli_status check_sizes(enum lab_kind kind, const struct config *config)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const int value = given(config, ranges[i].option);
        if (ranges[i].kind == kind && value > 0 && check_range(&ranges[i], value) != CLI_DONE) {
            return CLI_USAGE;
        }
    }
    return CLI_DONE;
}

/* ---- the command ---- */

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
    struct cli_face face;
    if (check_sizes((enum lab_kind)kind, &cli->config) != CLI_DONE ||
        cli_take_face(cli, &face) != CLI_DONE) {
        return CLI_USAGE;
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
        app_init_lab(app, (enum lab_kind)kind, &cli->config, &err) == ATTN_OK
            ? show(cli, app, &face)
            : cli_fail(&err);
    app_finish(app);
    free(app);
    return status;
}

static const struct cli_option options[] = {
    {"--plain", NULL, "print it as tables, without a screen"},
    {"--no-measure", NULL, "cost: leave out the times, which differ from run to run"},
    CLI_FACE_OPTIONS,
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
        "with two. --dim (1, 2 … 1,024) sets where it begins, --length (2 to 64) how many keys a "
        "row has, --seed the random "
        "numbers.\n"
        "cost: operations, bytes and time measured here, from T = 16 to 65,536, for --dim; what "
        "would take long is not measured. --dim is 8, 16 … 1,024, --length where it begins.\n"
        "masks: a mask on the scores of a few tokens, painted with the cursor; what is filled in, "
        "which value keeps, how a causal one is aligned; the weights that come of it, and the rows "
        "that break. It begins with --mask and the other options.\n"
        "The other options of attn help options are taken where an instrument has a use for them.",
    .computes = true,
    .max_words = 1,
    .options = options,
    .run = run};
