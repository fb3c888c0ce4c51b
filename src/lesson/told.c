/* What a stop's claims measure, as it is now: the numbers that no cell shows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lesson_parts.h"

/** "weights[*,sat]" as the lesson writes it. */
static void cells_name(const struct lesson_ref *ref, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "%s", ref->name);
    for (int i = 0; i < ref->n_at && n < size; i++) {
        n += (size_t)snprintf(out + n, size - n, "%s%s%s", i == 0 ? "[" : ",", ref->at[i],
                              i + 1 == ref->n_at ? "]" : "");
    }
}

/** One cell tells its number itself. */
static bool one_cell(const struct lesson_ref *ref)
{
    bool all = false;
    for (int i = 0; i < ref->n_at; i++) {
        all = all || strcmp(ref->at[i], "*") == 0;
    }
    return ref->n_at > 1 && !all;
}

static void add_claim(const struct lesson_claim *claim, const struct setup *setup,
                      const attn_trace *trace, struct lesson_told *told)
{
    double value = 0;
    if (claim->measure == LESSON_CELL || claim->is_shape || one_cell(&claim->ref) ||
        told->n == LESSON_TOLD_MAX ||
        lesson_measure(claim, setup, trace, &value, NULL) != ATTN_OK) {
        return;
    }
    const bool whole = claim->measure == LESSON_COUNT || claim->measure == LESSON_BYTES ||
                       claim->measure == LESSON_OPERATIONS;
    char *const text = told->items[told->n].value;
    told->items[told->n].measure = lesson_measure_name(claim->measure);
    cells_name(&claim->ref, told->items[told->n].of, sizeof told->items[0].of);
    if (whole) {
        snprintf(text, sizeof told->items[0].value, "%.0f", value);
    } else {
        walk_number(value, text);
    }
    told->n++;
}

/** A cell's number, written as its tensor's are. */
static void add_cell(const struct lesson_claim *claim, struct attn_cell cell,
                     const attn_trace *trace, struct lesson_told *told)
{
    const double value = (double)walk_value(trace, cell);
    char *const text = told->items[told->n].value;
    told->items[told->n].measure = "";
    cells_name(&claim->ref, told->items[told->n].of, sizeof told->items[0].of);
    if (isfinite(value)) {
        walk_fixed(value, walk_decimals(trace, cell.tensor), text);
    } else {
        walk_number(value, text);
    }
    told->n++;
}

void lesson_tell_cells(const struct lesson *lesson, int stop, const struct setup *setup,
                       const attn_trace *trace, const struct lesson_eyes *eyes,
                       struct lesson_told *told)
{
    const struct lesson_stop *const s = &lesson->stops[stop];
    for (int i = 0; i < lesson->n_steps; i++) {
        const struct lesson_step *const step = &lesson->steps[i];
        const bool here = step->block >= s->first && step->block < s->first + s->n;
        for (int c = 0; here && c < step->n_claims && told->n < LESSON_TOLD_MAX; c++) {
            const struct lesson_claim *const claim = &step->claims[c];
            struct attn_cell cell;
            if (claim->measure == LESSON_CELL && !claim->is_shape && claim->ref.n_at > 0 &&
                lesson_cell(&claim->ref, setup, trace, &cell, NULL) == ATTN_OK &&
                !eyes->sees(eyes->whose, cell)) {
                add_cell(claim, cell, trace, told);
            }
        }
    }
}

void lesson_tell(const struct lesson *lesson, int stop, const struct setup *setup,
                 const attn_trace *trace, struct lesson_told *told)
{
    const struct lesson_stop *const s = &lesson->stops[stop];
    told->n = 0;
    for (int i = 0; i < lesson->n_steps; i++) {
        const struct lesson_step *const step = &lesson->steps[i];
        const bool here = (step->block >= s->first && step->block < s->first + s->n) ||
                          (i == s->step && lesson->blocks[step->block].page == s->page);
        for (int c = 0; here && c < step->n_claims; c++) {
            add_claim(&step->claims[c], setup, trace, told);
        }
    }
}
