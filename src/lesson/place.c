/* From a stop to the steps of its walk. */
#include <string.h>

#include "lesson_parts.h"

enum { STEPS_MAX = 1000 };

static enum attn_status fail_at(struct attn_error *err, const struct lesson_ref *ref,
                                const char *text)
{
    const enum attn_status status = attn_fail(err, ATTN_E_VALUE, NULL, "%s", text);
    if (err != NULL) {
        err->line = ref->line;
        err->column = ref->column;
    }
    return status;
}

/** The trace's stage with this key, or -1. */
static int find_stage(const attn_trace *trace, const char *key)
{
    for (int i = 0; i < attn_trace_n_stages(trace); i++) {
        if (strcmp(attn_stages[attn_trace_stage(trace, i)].key, key) == 0) {
            return i;
        }
    }
    return -1;
}

/** The cell that a step fills first; an idle one points at what it passes on. */
static struct attn_cell first_cell(const attn_trace *trace, const struct walk_step *step)
{
    struct walk_region regions[WALK_REGIONS_MAX];
    int n = walk_writes(trace, step, regions);
    if (n == 0) {
        n = walk_reads(trace, step, regions);
    }
    struct attn_cell cell = {.tensor = attn_trace_result(trace)};
    if (n > 0) {
        cell.tensor = regions[0].tensor;
        memcpy(cell.at, regions[0].lo, sizeof cell.at);
    }
    return cell;
}

static struct attn_cell last_cell(const attn_trace *trace, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    return (struct attn_cell){.tensor = id, .at = {t->dims[0] - 1, t->dims[1] - 1, t->dims[2] - 1}};
}

/** The grain that a reference speaks of: a tensor, a row or a cell. */
static enum walk_grain grain_of(const struct lesson_ref *ref, const attn_trace *trace,
                                enum attn_tensor_id id)
{
    const int unused = lesson_ref_free(ref, attn_trace_tensor(trace, id));
    return ref->n_at == 0 || unused > 1 ? WALK_STAGE : unused == 1 ? WALK_ROW : WALK_CELL;
}

/** `at:` as the step that it begins with. */
static enum attn_status begin(const struct lesson_step *from, const struct setup *setup,
                              const attn_trace *trace, struct lesson_place *out,
                              struct attn_error *err)
{
    const struct lesson_ref *const ref = &from->at;
    const int stage = ref->n_at == 0 ? find_stage(trace, ref->name) : -1;
    if (stage >= 0) {
        out->first = walk_stage_start(trace, stage, from->grain_given ? from->grain : WALK_STAGE);
        out->look = first_cell(trace, &out->first);
        return ATTN_OK;
    }
    const enum attn_status status = lesson_cell(ref, setup, trace, &out->look, err);
    if (status != ATTN_OK) {
        return status;
    }
    const enum walk_grain grain =
        from->grain_given ? from->grain : grain_of(ref, trace, out->look.tensor);
    if (!walk_writer(trace, out->look, grain, &out->first)) {
        out->first = walk_first(trace, grain); /* an input is there before the first step */
    }
    return ATTN_OK;
}

/** `to:` as the step that it ends with; a whole tensor or stage ends with its last. */
static enum attn_status end(const struct lesson_step *from, const struct setup *setup,
                            const attn_trace *trace, enum walk_grain grain, struct walk_step *out,
                            struct attn_error *err)
{
    const struct lesson_ref *const ref = &from->to;
    const int stage = ref->n_at == 0 ? find_stage(trace, ref->name) : -1;
    if (stage >= 0 && stage + 1 == attn_trace_n_stages(trace)) {
        *out = walk_last(trace, grain);
        return ATTN_OK;
    }
    if (stage >= 0) {
        *out = walk_stage_start(trace, stage + 1, grain);
        (void)walk_prev(trace, out);
        return ATTN_OK;
    }
    struct attn_cell cell;
    const enum attn_status status = lesson_cell(ref, setup, trace, &cell, err);
    if (status != ATTN_OK) {
        return status;
    }
    if (ref->n_at == 0) {
        cell = last_cell(trace, cell.tensor);
    }
    return walk_writer(trace, cell, grain, out)
               ? ATTN_OK
               : fail_at(err, ref, "no step makes this: it is given (end at a stage)");
}

enum attn_status lesson_step_place(const struct lesson_step *from, const struct setup *setup,
                                   const attn_trace *trace, struct lesson_place *out,
                                   struct attn_error *err)
{
    struct lesson_place place = {.n_steps = 1};
    if (from == NULL) {
        place.first = walk_first(trace, WALK_STAGE);
        place.look = first_cell(trace, &place.first);
        *out = place;
        return ATTN_OK;
    }
    enum attn_status status = begin(from, setup, trace, &place, err);
    if (status == ATTN_OK && from->to.name[0] != '\0') {
        struct walk_step last = place.first;
        status = end(from, setup, trace, place.first.grain, &last, err);
        const size_t first = walk_index(trace, &place.first);
        const size_t index = walk_index(trace, &last);
        if (status == ATTN_OK && index < first) {
            status = fail_at(err, &from->to, "this comes before at (exchange the two)");
        } else if (status == ATTN_OK && index - first >= STEPS_MAX) {
            status = fail_at(err, &from->to, "more than 1000 steps (choose a coarser grain)");
        }
        place.n_steps = index - first + 1;
    }
    if (status == ATTN_OK) {
        *out = place;
    }
    return status;
}

const struct lesson_step *lesson_at_step(const struct lesson *lesson, int step)
{
    for (int i = step; i >= 0; i--) {
        if (lesson->steps[i].at.name[0] != '\0') {
            return &lesson->steps[i];
        }
    }
    return NULL;
}

enum attn_status lesson_place(const struct lesson *lesson, int stop, const struct setup *setup,
                              const attn_trace *trace, struct lesson_place *out,
                              struct attn_error *err)
{
    const struct lesson_stop *const s = &lesson->stops[stop];
    const struct lesson_step *const from = lesson_at_step(lesson, s->step);
    struct lesson_place place;
    const enum attn_status status = lesson_step_place(from, setup, trace, &place, err);
    if (status != ATTN_OK) {
        return status;
    }
    /* A step was gone through at its own stop; later ones stay where it ended. */
    const bool own = from != NULL && from->block >= s->first && from->block < s->first + s->n;
    for (; !own && place.n_steps > 1; place.n_steps--) {
        (void)walk_next(trace, &place.first);
    }
    if (!own && from != NULL && from->to.name[0] != '\0') {
        place.look = first_cell(trace, &place.first);
    }
    *out = place;
    return ATTN_OK;
}
