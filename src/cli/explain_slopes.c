/* attn explain --slopes: the input numbers that move a cell the most. */
#include <stdio.h>

#include "cli.h"
#include "walk_slope.h"

/** The columns of the longest "name[…]". */
static int name_width(const attn_trace *trace, const struct walk_slopes *s)
{
    int width = 5;
    for (int i = 0; i < s->n; i++) {
        char name[96];
        const int columns =
            cli_columns(explain_cell_name(trace, s->top[i].cell, name, sizeof name));
        width = columns > width ? columns : width;
    }
    return width;
}

static void print_text(const attn_trace *trace, const struct walk_slopes *s)
{
    char name[96];
    char value[WALK_NUMBER_MAX];
    char slope[WALK_NUMBER_MAX];
    const int width = name_width(trace, s);
    cli_printf("%s = %s\n", explain_cell_name(trace, s->cell, name, sizeof name),
               walk_number((double)s->value, slope));
    if (s->n == 0) {
        cli_printf("%s\n", walk_slope_none(trace, s->cell));
        return;
    }
    cli_printf("%zu of its %zu inputs move it; +1 on one changes it by about:\n", s->moving,
               s->inputs);
    cli_printf("      %-*s %10s %10s\n", width, "input", "value", "slope");
    for (int i = 0; i < s->n; i++) {
        const struct walk_slope *const one = &s->top[i];
        cli_printf("%4d  %-*s %10s %10s\n", i + 1, width,
                   explain_cell_name(trace, one->cell, name, sizeof name),
                   walk_number((double)one->value, value), walk_slope_text(one->slope, slope));
    }
}

static void print_json(const attn_trace *trace, const struct walk_slopes *s)
{
    char number[CLI_NUMBER_MAX];
    cli_write("{");
    explain_json_cell(trace, s->cell, s->value);
    cli_json_key(false, "inputs");
    cli_printf("%zu", s->inputs);
    cli_json_key(false, "moving");
    cli_printf("%zu", s->moving);
    cli_json_key(false, "slopes");
    cli_write("[");
    for (int i = 0; i < s->n; i++) {
        cli_write(i > 0 ? ",\n{" : "\n{");
        explain_json_cell(trace, s->top[i].cell, s->top[i].value);
        cli_json_key(false, "slope");
        cli_write(cli_shortest((float)s->top[i].slope, number));
        cli_write("}");
    }
    cli_write("]}\n");
}

enum cli_status explain_slopes(const struct cli *cli, const attn_trace *trace,
                               struct attn_cell cell, const char *count)
{
    long long n = 0;
    char name[96];
    struct walk_slopes s;
    struct attn_error err = {.status = ATTN_OK};
    if (!config_parse_int(count, 1, WALK_SLOPES_MAX, &n)) {
        cli_message("--slopes", "not a number of inputs from 1 to %d: %s", WALK_SLOPES_MAX, count);
        return CLI_USAGE;
    }
    if (cli_stage_key(trace, cell.tensor) == NULL) {
        cli_message(explain_cell_name(trace, cell, name, sizeof name),
                    "an input itself, which no other number moves (take a cell that is computed)");
        return CLI_USAGE;
    }
    if (walk_slopes(trace, cell, (int)n, &s, &err) != ATTN_OK) {
        return cli_fail(&err);
    }
    if (cli_value(cli, "--json") != NULL) {
        print_json(trace, &s);
    } else {
        print_text(trace, &s);
    }
    walk_slopes_finish(&s);
    return CLI_DONE;
}
