#include <math.h>
#include <stdio.h>

#include "check_parts.h"

static void write_float(float value)
{
    char number[CLI_NUMBER_MAX];
    cli_write(cli_shortest(value, number));
}

static void write_at(const int at[3])
{
    cli_printf("[%d, %d, %d]", at[0], at[1], at[2]);
}

static void write_stage(const struct diagnose_stage *stage)
{
    cli_write("{");
    cli_json_key(true, "tensor");
    cli_json_string(attn_tensors[stage->tensor].name);
    cli_printf(", \"off\": %zu, \"nan\": %zu", stage->off, stage->nan);
    cli_json_key(false, "largest");
    if (isinf(stage->largest)) {
        cli_write("\"inf\"");
    } else {
        cli_printf("%.9g", stage->largest);
    }
    cli_json_key(false, "at");
    write_at(stage->largest_at);
    cli_json_key(false, "yours");
    write_float(stage->largest_yours);
    cli_json_key(false, "right");
    write_float(stage->largest_right);
    cli_write("}");
}

static void write_first(const struct check *check)
{
    const struct diagnosis *const d = &check->diagnosis;
    cli_json_key(false, "first");
    if (check_is_right(check) || check_case_told(check)->misshapen) {
        cli_write("null");
        return;
    }
    char text[1024];
    const struct diagnose_stage *const stage = &d->stages[d->first];
    cli_write("{");
    cli_json_key(true, "tensor");
    cli_json_string(attn_tensors[stage->tensor].name);
    cli_json_key(false, "at");
    write_at(stage->first_at);
    cli_json_key(false, "yours");
    write_float(stage->first_yours);
    cli_json_key(false, "right");
    write_float(stage->first_right);
    cli_json_key(false, "arithmetic");
    check_arithmetic(check, text, sizeof text);
    cli_json_string(text);
    cli_write("}");
}

/** The names, as the last line of the text has them; null where it is right. */
static void write_diagnosis(const struct check *check)
{
    const struct diagnosis *const d = &check->diagnosis;
    const bool misshapen = check_case_told(check)->misshapen;
    cli_json_key(false, "diagnosis");
    if (check_is_right(check)) {
        cli_write("null");
        return;
    }
    cli_write("[");
    for (int i = 0; !misshapen && i < d->n_causes; i++) {
        char name[128];
        const struct diagnose_cause *const cause = &d->causes[i];
        snprintf(name, sizeof name, "%s%s%s", attn_bugs[cause->bugs[0]].name,
                 cause->n > 1 ? "+" : "", cause->n > 1 ? attn_bugs[cause->bugs[1]].name : "");
        cli_write(i > 0 ? ", " : "");
        cli_json_string(name);
    }
    if (misshapen || d->n_causes == 0) {
        cli_json_string("unknown");
    }
    cli_write("]");
}

static void write_notes(const struct check *check)
{
    char notes[CHECK_NOTES_MAX][CHECK_NOTE_MAX];
    const int n = check_notes(check, notes);
    cli_json_key(false, "notes");
    cli_write("[");
    for (int i = 0; i < n; i++) {
        cli_write(i > 0 ? ", " : "");
        cli_json_string(notes[i]);
    }
    cli_write("]");
}

enum cli_status check_report_json(const struct check *check)
{
    const struct check_case *const c = check_case_told(check);
    const bool right = check_is_right(check);
    cli_write("{");
    cli_json_key(true, "variant");
    cli_json_string(attn_variants[c->of.setup.config.variant].name);
    cli_printf(", \"tolerance\": {\"absolute\": %g, \"relative\": %g}", check->tolerance.absolute,
               check->tolerance.relative);
    cli_printf(", \"cases\": %d", check->n_cases);
    cli_json_key(false, "case");
    cli_json_string(c->of.name);
    cli_json_key(false, "shape");
    if (c->misshapen) {
        cli_json_string(c->words);
    } else {
        cli_write("null");
    }
    cli_write(",\n\"stages\": [");
    for (int i = 0; !c->misshapen && i < check->diagnosis.n_stages; i++) {
        cli_write(i > 0 ? ",\n" : "\n");
        write_stage(&check->diagnosis.stages[i]);
    }
    cli_write("]");
    write_first(check);
    write_notes(check);
    cli_json_key(false, "verdict");
    cli_json_string(right ? "right" : "wrong");
    write_diagnosis(check);
    cli_write("}\n");
    return right ? CLI_DONE : CLI_FAILED;
}
