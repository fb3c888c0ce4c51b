#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check_parts.h"
#include "walk.h"

const struct check_case *check_case_told(const struct check *check)
{
    for (int i = 0; i < check->n_cases; i++) {
        if (check->cases[i].misshapen) {
            return &check->cases[i];
        }
    }
    return &check->cases[check->diagnosis.at_case];
}

bool check_is_right(const struct check *check)
{
    return check->diagnosis.right && !check_case_told(check)->misshapen;
}

static struct attn_cell first_cell(const struct check *check)
{
    const struct diagnose_stage *const stage = &check->diagnosis.stages[check->diagnosis.first];
    const attn_trace *const right = check_case_told(check)->of.right;
    struct attn_cell cell = {.tensor = attn_trace_source(right, stage->tensor)};
    memcpy(cell.at, stage->first_at, sizeof cell.at);
    return cell;
}

void check_arithmetic(const struct check *check, char *out, size_t size)
{
    const struct check_case *const c = check_case_told(check);
    const struct attn_cell cell = first_cell(check);
    struct walk_explanation e;
    char numbers[512];
    char value[WALK_NUMBER_MAX];
    out[0] = '\0';
    if (walk_explain(c->of.right, cell, &e, NULL) != ATTN_OK) {
        return;
    }
    (void)walk_arithmetic(c->of.right, &e, 400, 1, numbers, sizeof numbers);
    const bool masks = attn_trace_writer(c->of.right, cell.tensor) == ATTN_STAGE_MASK;
    snprintf(out, size, "%s: %s%s%s", e.formula, numbers, masks ? "" : " = ",
             masks ? "" : walk_number((double)e.value, value));
    walk_explanation_finish(&e);
}

/** "[0,1,2]" as messages have it: without the batch where there is one element. */
static void print_at(const struct check *check, const int at[3])
{
    if (check_case_told(check)->of.setup.config.sizes.B > 1) {
        cli_printf("[%d,%d,%d]", at[0], at[1], at[2]);
    } else {
        cli_printf("[%d,%d]", at[1], at[2]);
    }
}

static void print_number(float value)
{
    char number[WALK_NUMBER_MAX];
    cli_write(walk_number((double)value, number));
}

static void print_stage(const struct check *check, const struct diagnose_stage *stage)
{
    cli_printf("%-8s  ", attn_tensors[stage->tensor].name);
    if (stage->off == 0) {
        cli_printf("right, to within %.2g\n", stage->largest);
        return;
    }
    cli_printf("off in %zu cell%s", stage->off, stage->off == 1 ? "" : "s");
    if (stage->nan > 0) {
        cli_printf(", of which %zu nan", stage->nan);
    }
    cli_printf("; most by %.4g at ", stage->largest);
    print_at(check, stage->largest_at);
    cli_write(": yours ");
    print_number(stage->largest_yours);
    cli_write(", right ");
    print_number(stage->largest_right);
    cli_write("\n");
}

static void print_stages(const struct check *check)
{
    const struct diagnosis *const d = &check->diagnosis;
    if (check->n_cases > 1 || check->cli->program != NULL) {
        const struct check_case *const c = &check->cases[d->at_case];
        const attn_sizes *const n = &c->of.setup.config.sizes;
        if (check_is_right(check)) {
            cli_printf("%d case%s, all right\n", check->n_cases, check->n_cases == 1 ? "" : "s");
            return;
        }
        cli_printf("case %d of %d, %s (B %d, T %d, S %d, d %d)\n", d->at_case + 1, check->n_cases,
                   c->of.name, n->B, n->T, n->S, n->d);
    }
    for (int i = 0; i < d->n_stages; i++) {
        print_stage(check, &d->stages[i]);
    }
}

/** The cell where it begins, and how it is right. */
static void print_first(const struct check *check)
{
    const struct diagnose_stage *const stage = &check->diagnosis.stages[check->diagnosis.first];
    char text[1024];
    cli_printf("first off: %s", attn_tensors[stage->tensor].name);
    print_at(check, stage->first_at);
    cli_write(": yours ");
    print_number(stage->first_yours);
    cli_write(", right ");
    print_number(stage->first_right);
    cli_write("\n");
    check_arithmetic(check, text, sizeof text);
    if (text[0] != '\0') {
        cli_write("  ");
        cli_wrap(text, 2, 4);
    }
}

static void print_cause(const struct check *check, const struct diagnose_cause *cause)
{
    const enum attn_variant variant = check->cli->config.variant;
    for (int i = 0; i < cause->n; i++) {
        const struct attn_bug_info *const bug = &attn_bugs[cause->bugs[i]];
        char text[1024];
        cli_printf("%s: %s", bug->name, bug->title);
        if (cause->layer < ATTN_N_LAYERS) {
            cli_printf(" (in %s alone)", attn_variants[variant].layer_names[cause->layer]);
        }
        cli_write("\n");
        snprintf(text, sizeof text, "%s You would notice: %s", bug->fix, bug->notice);
        cli_write("  ");
        cli_wrap(text, 2, 2);
    }
}

static void print_findings(const struct check *check)
{
    const struct diagnosis *const d = &check->diagnosis;
    if (d->other_empty_row) {
        cli_write("rows without a key are as another policy has them (attn help policies)\n");
    }
    if (check_is_right(check)) {
        return;
    }
    print_first(check);
    for (int i = 0; i < d->n_causes; i++) {
        print_cause(check, &d->causes[i]);
    }
    if (d->n_causes == 0) {
        cli_printf("none of the classic bugs explains it%s\n",
                   d->pairs_left_out ? " (too large to try two at once)" : ", nor do two of them");
    }
}

static void print_notes(const struct check *check)
{
    char notes[CHECK_NOTES_MAX][CHECK_NOTE_MAX];
    const int n = check_notes(check, notes);
    for (int i = 0; i < n; i++) {
        cli_printf("note: %s\n", notes[i]);
    }
}

static void print_tolerance(const struct check *check)
{
    const struct diagnose_tolerance *const t = &check->tolerance;
    if (t->relative > 0) {
        cli_printf("tolerance: %g + %g of the right value\n", t->absolute, t->relative);
    } else {
        cli_printf("tolerance: %g\n", t->absolute);
    }
}

enum cli_status check_report(const struct check *check)
{
    const struct check_case *const c = check_case_told(check);
    const bool right = check_is_right(check);
    char names[512] = "unknown";
    print_tolerance(check);
    if (c->misshapen) {
        cli_printf("%s%s%s\n", c->of.name, c->of.name[0] != '\0' ? ": " : "", c->words);
    } else {
        print_stages(check);
        print_findings(check);
        print_notes(check);
        diagnose_names(&check->diagnosis, names, sizeof names);
    }
    cli_printf("verdict: %s\n", right ? "right" : "wrong");
    if (!right) {
        cli_printf("diagnosis: %s\n", names);
    }
    return right ? CLI_DONE : CLI_FAILED;
}
