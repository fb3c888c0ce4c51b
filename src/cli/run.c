#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "io.h"
#include "walk.h"

/** One batch element: a header, then a line for each row. */
static void print_matrix(const char *name, const attn_tensor *t, int b)
{
    cli_printf("%s [%d] %dx%d\n", name, b, t->dims[1], t->dims[2]);
    for (int r = 0; r < t->dims[1] && !cli_write_failed(); r++) {
        for (int c = 0; c < t->dims[2]; c++) {
            char number[CLI_NUMBER_MAX];
            if (c > 0) {
                cli_write(" ");
            }
            cli_write(cli_fixed(*attn_tensor_at(t, b, r, c), number));
        }
        cli_write("\n");
    }
}

static void print_text(const attn_trace *trace, const enum attn_tensor_id *ids, int n)
{
    const enum attn_variant variant = attn_trace_config(trace)->variant;
    for (int i = 0; i < n; i++) {
        const attn_tensor *const t = attn_trace_tensor(trace, ids[i]);
        char name[64];
        attn_tensor_name(variant, ids[i], name, sizeof name);
        for (int b = 0; b < t->dims[0]; b++) {
            print_matrix(name, t, b);
        }
    }
}

/** What a reader of the numbers should know beside them. */
static void tell_flags(const struct setup *setup, const attn_trace *trace)
{
    int n = 0;
    const struct attn_flag *const flags = attn_trace_flags(trace, &n);
    for (int i = 0; i < n; i++) {
        char text[512];
        walk_flag_text(setup, trace, &flags[i], text, sizeof text);
        cli_message(attn_tensors[flags[i].tensor].name, "%s", text);
    }
}

static enum cli_status write_results(const struct cli *cli, const struct setup *setup,
                                     const attn_trace *trace, const enum attn_tensor_id *ids, int n)
{
    const char *const save = cli_value(cli, "--save");
    const bool only = cli_value(cli, "--only") != NULL;
    enum cli_status status = CLI_DONE;
    if (cli_value(cli, "--json") != NULL) {
        run_json(cli, setup, trace, ids, n);
    } else {
        tell_flags(setup, trace);
        if (save == NULL) {
            print_text(trace, ids, n);
        }
    }
    if (save != NULL) {
        status = run_save(save, setup, trace, only ? ids : NULL, n);
    }
    return status;
}

static enum cli_status run(struct cli *cli)
{
    const char *const only = cli_value(cli, "--only");
    const char *const save = cli_value(cli, "--save");
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    int n = 1;
    enum cli_status status = cli_take_variant(cli);
    if (status == CLI_DONE && only != NULL) {
        status = cli_find_tensor(cli->config.variant, only, &ids[0]);
    }
    if (status == CLI_DONE && save != NULL && !io_can_write(save)) {
        struct attn_error err = {.status = ATTN_OK};
        (void)io_write(save, NULL, 0, &err);
        cli_message("--save", "%s: %s", save, err.message);
        status = CLI_USAGE;
    }
    if (status != CLI_DONE) {
        return status;
    }
    struct setup setup = {0};
    attn_trace *trace = NULL;
    status = cli_trace(cli, &setup, &trace);
    if (status == CLI_DONE && only != NULL) {
        status = cli_require_tensor(trace, ids[0], only);
    } else if (status == CLI_DONE) {
        n = cli_stage_tensors(trace, ids);
    }
    if (status == CLI_DONE) {
        status = write_results(cli, &setup, trace, ids, n);
    }
    attn_trace_destroy(trace);
    setup_finish(&setup);
    return status;
}

static const struct cli_option options[] = {
    {"--json", NULL, "one JSON document in the place of text"},
    {"--save", "FILE",
     "write inputs, weights and stages to FILE in the format of its ending; a file that is there "
     "is replaced"},
    {"--only", "NAME", "one tensor: a stage's, an input or a weight"},
    {0}};

const struct cli_command cli_run = {
    .name = "run",
    .arguments = "VARIANT",
    .summary = "compute, and print or save every stage",
    .details =
        "Prints each stage tensor in order, a matrix for each batch element: a line with its name, "
        "the batch index and rows x columns, then its rows, four decimals a number.\n"
        "With --save the numbers go to a file, and only --json prints them too; with --only both "
        "hold one tensor.",
    .computes = true,
    .max_words = 1,
    .options = options,
    .run = run};
