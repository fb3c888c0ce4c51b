/* Steps are numbers in disguise: next is seek(index + 1), so that previous undoes it exactly. */
#include <assert.h>

#include "walk_stage.h"

const char *const walk_grain_names[WALK_N_GRAINS] = {
    [WALK_STAGE] = "stage", [WALK_ROW] = "row", [WALK_CELL] = "cell"};

/** The steps of one batch element of this output: its rows or its cells. */
static size_t output_steps(const attn_trace *trace, enum attn_tensor_id id, enum walk_grain grain)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    assert(t != NULL && grain != WALK_STAGE);
    const size_t rows = (size_t)t->dims[1];
    return grain == WALK_ROW ? rows : rows * (size_t)t->dims[2];
}

static const struct attn_stage_info *info_of(const attn_trace *trace, int stage)
{
    return &attn_stages[attn_trace_stage(trace, stage)];
}

/** True if the stage is one step at this grain. */
static bool is_single(const attn_trace *trace, int stage, enum walk_grain grain)
{
    return grain == WALK_STAGE || attn_trace_idle(trace, attn_trace_stage(trace, stage));
}

/** The steps of one batch element of a stage that is more than one step. */
static size_t element_steps(const attn_trace *trace, int stage, enum walk_grain grain)
{
    const enum attn_tensor_id *const outputs = info_of(trace, stage)->outputs;
    size_t n = 0;
    for (int o = 0; outputs[o] != ATTN_NO_TENSOR; o++) {
        n += output_steps(trace, outputs[o], grain);
    }
    return n;
}

static size_t stage_steps(const attn_trace *trace, int stage, enum walk_grain grain)
{
    if (is_single(trace, stage, grain)) {
        return 1;
    }
    const size_t batch = (size_t)attn_trace_config(trace)->sizes.B;
    return batch * element_steps(trace, stage, grain);
}

struct walk_step walk_stage_start(const attn_trace *trace, int i, enum walk_grain grain)
{
    assert(i >= 0 && i < attn_trace_n_stages(trace));
    (void)trace;
    return (struct walk_step){.stage = i, .grain = grain};
}

struct walk_step walk_first(const attn_trace *trace, enum walk_grain grain)
{
    return walk_stage_start(trace, 0, grain);
}

struct walk_step walk_last(const attn_trace *trace, enum walk_grain grain)
{
    return walk_seek(trace, grain, walk_count(trace, grain) - 1);
}

size_t walk_count(const attn_trace *trace, enum walk_grain grain)
{
    size_t n = 0;
    for (int i = 0; i < attn_trace_n_stages(trace); i++) {
        n += stage_steps(trace, i, grain);
    }
    return n;
}

size_t walk_index(const attn_trace *trace, const struct walk_step *step)
{
    size_t n = 0;
    for (int i = 0; i < step->stage; i++) {
        n += stage_steps(trace, i, step->grain);
    }
    if (is_single(trace, step->stage, step->grain)) {
        return n;
    }
    n += (size_t)step->at[0] * element_steps(trace, step->stage, step->grain);
    const enum attn_tensor_id *const outputs = info_of(trace, step->stage)->outputs;
    for (int o = 0; o < step->output; o++) {
        n += output_steps(trace, outputs[o], step->grain);
    }
    if (step->grain == WALK_ROW) {
        return n + (size_t)step->at[1];
    }
    const size_t columns = (size_t)attn_trace_tensor(trace, outputs[step->output])->dims[2];
    return n + (size_t)step->at[1] * columns + (size_t)step->at[2];
}

/** The step with this number within a stage that is more than one step. */
static struct walk_step seek_within(const attn_trace *trace, int stage, enum walk_grain grain,
                                    size_t n)
{
    struct walk_step step = walk_stage_start(trace, stage, grain);
    const size_t each = element_steps(trace, stage, grain);
    step.at[0] = (int)(n / each);
    n %= each;
    const enum attn_tensor_id *const outputs = info_of(trace, stage)->outputs;
    while (n >= output_steps(trace, outputs[step.output], grain)) {
        n -= output_steps(trace, outputs[step.output], grain);
        step.output++;
    }
    if (grain == WALK_ROW) {
        step.at[1] = (int)n;
    } else {
        const size_t columns = (size_t)attn_trace_tensor(trace, outputs[step.output])->dims[2];
        step.at[1] = (int)(n / columns);
        step.at[2] = (int)(n % columns);
    }
    return step;
}

struct walk_step walk_seek(const attn_trace *trace, enum walk_grain grain, size_t index)
{
    const size_t count = walk_count(trace, grain);
    if (index >= count) {
        index = count - 1;
    }
    int stage = 0;
    while (index >= stage_steps(trace, stage, grain)) {
        index -= stage_steps(trace, stage, grain);
        stage++;
    }
    if (is_single(trace, stage, grain)) {
        return walk_stage_start(trace, stage, grain);
    }
    return seek_within(trace, stage, grain, index);
}

bool walk_next(const attn_trace *trace, struct walk_step *step)
{
    const size_t index = walk_index(trace, step);
    if (index + 1 >= walk_count(trace, step->grain)) {
        return false;
    }
    *step = walk_seek(trace, step->grain, index + 1);
    return true;
}

bool walk_prev(const attn_trace *trace, struct walk_step *step)
{
    const size_t index = walk_index(trace, step);
    if (index == 0) {
        return false;
    }
    *step = walk_seek(trace, step->grain, index - 1);
    return true;
}

/** Leave of a place what this grain tells apart. */
static struct walk_step at_grain(const attn_trace *trace, struct walk_step step,
                                 enum walk_grain grain)
{
    if (is_single(trace, step.stage, grain)) {
        return walk_stage_start(trace, step.stage, grain);
    }
    step.grain = grain;
    if (grain == WALK_ROW) {
        step.at[2] = 0;
    }
    return step;
}

struct walk_step walk_regrain(const attn_trace *trace, const struct walk_step *step,
                              enum walk_grain grain)
{
    return at_grain(trace, *step, grain);
}

bool walk_writer(const attn_trace *trace, struct attn_cell cell, enum walk_grain grain,
                 struct walk_step *step)
{
    const enum attn_stage stage = attn_trace_writer(trace, cell.tensor);
    if (stage == ATTN_NO_STAGE || !walk_has(trace, cell)) {
        return false;
    }
    const struct walk_step place = {.stage = walk_stage_index(trace, stage),
                                    .grain = WALK_CELL,
                                    .output = walk_output_index(stage, cell.tensor),
                                    .at = {cell.at[0], cell.at[1], cell.at[2]}};
    *step = at_grain(trace, place, grain);
    return true;
}
