/* What a step fills, and what it needs for that. */
#include <assert.h>

#include "walk_stage.h"

bool walk_has(const attn_trace *trace, struct attn_cell cell)
{
    if (cell.tensor < 0 || cell.tensor >= ATTN_N_TENSORS) {
        return false;
    }
    const attn_tensor *const t = attn_trace_tensor(trace, cell.tensor);
    if (t == NULL) {
        return false;
    }
    for (int i = 0; i < ATTN_RANK_MAX; i++) {
        if (cell.at[i] < 0 || cell.at[i] >= t->dims[i]) {
            return false;
        }
    }
    return true;
}

float walk_value(const attn_trace *trace, struct attn_cell cell)
{
    assert(walk_has(trace, cell));
    return *attn_tensor_at(attn_trace_tensor(trace, cell.tensor), cell.at[0], cell.at[1],
                           cell.at[2]);
}

struct walk_region walk_region_whole(const attn_trace *trace, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    assert(t != NULL);
    return (struct walk_region){.tensor = id, .hi = {t->dims[0], t->dims[1], t->dims[2]}};
}

bool walk_region_has(const struct walk_region *region, struct attn_cell cell)
{
    if (region->tensor != cell.tensor) {
        return false;
    }
    for (int i = 0; i < ATTN_RANK_MAX; i++) {
        if (cell.at[i] < region->lo[i] || cell.at[i] >= region->hi[i]) {
            return false;
        }
    }
    return true;
}

/* ---- shared look-ups of the table's columns ---- */

int walk_stage_index(const attn_trace *trace, enum attn_stage stage)
{
    for (int i = 0; i < attn_trace_n_stages(trace); i++) {
        if (attn_trace_stage(trace, i) == stage) {
            return i;
        }
    }
    return -1;
}

int walk_output_index(enum attn_stage stage, enum attn_tensor_id id)
{
    int o = 0;
    while (attn_stages[stage].outputs[o] != id) {
        assert(attn_stages[stage].outputs[o] != ATTN_NO_TENSOR);
        o++;
    }
    return o;
}

bool walk_linear(const attn_trace *trace, enum attn_tensor_id output, enum attn_tensor_id *input,
                 enum attn_layer *layer)
{
    static const struct {
        enum attn_tensor_id output, input;
        enum attn_layer layer;
    } rows[] = {{ATTN_Q, ATTN_X, ATTN_LAYER_Q},
                {ATTN_K, ATTN_MEMORY, ATTN_LAYER_K},
                {ATTN_V, ATTN_MEMORY, ATTN_LAYER_V},
                {ATTN_QKV, ATTN_X, ATTN_LAYER_QKV},
                {ATTN_OUTPUT, ATTN_CONTEXT, ATTN_LAYER_OUT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].output == output) {
            *input = attn_trace_source(trace, rows[i].input);
            *layer = rows[i].layer;
            return true;
        }
    }
    return false;
}

enum attn_tensor_id walk_probs(const attn_trace *trace)
{
    return attn_trace_source(trace, ATTN_DROPPED);
}

enum attn_tensor_id walk_logits(const attn_trace *trace)
{
    return attn_trace_source(trace, ATTN_MASKED);
}

int walk_split_offset(const attn_trace *trace, enum attn_tensor_id output)
{
    return walk_output_index(ATTN_STAGE_SPLIT, output) * attn_trace_config(trace)->sizes.d;
}

float walk_keep_factor(const attn_trace *trace)
{
    const double p = attn_trace_config(trace)->dropout_p;
    return p >= 1 ? 0.0f : 1.0f / (float)(1 - p);
}

/* ---- writes ---- */

/** The part of an output that the step fills. */
static struct walk_region written(const attn_trace *trace, const struct walk_step *step,
                                  enum attn_tensor_id id)
{
    struct walk_region box = walk_region_whole(trace, id);
    const int narrow = step->grain == WALK_STAGE ? 0 : step->grain == WALK_ROW ? 2 : 3;
    for (int i = 0; i < narrow; i++) {
        box.lo[i] = step->at[i];
        box.hi[i] = step->at[i] + 1;
    }
    return box;
}

int walk_writes(const attn_trace *trace, const struct walk_step *step,
                struct walk_region out[WALK_REGIONS_MAX])
{
    const enum attn_stage stage = attn_trace_stage(trace, step->stage);
    if (attn_trace_idle(trace, stage)) {
        return 0;
    }
    const enum attn_tensor_id *const outputs = attn_stages[stage].outputs;
    if (step->grain != WALK_STAGE) {
        out[0] = written(trace, step, outputs[step->output]);
        return 1;
    }
    int n = 0;
    for (; outputs[n] != ATTN_NO_TENSOR; n++) {
        out[n] = written(trace, step, outputs[n]);
    }
    return n;
}

bool walk_computed(const attn_trace *trace, const struct walk_step *step, struct attn_cell cell)
{
    if (!walk_has(trace, cell)) {
        return false;
    }
    const enum attn_stage stage = attn_trace_writer(trace, cell.tensor);
    if (stage == ATTN_NO_STAGE) {
        return true;
    }
    const int writer = walk_stage_index(trace, stage);
    if (writer != step->stage || step->grain == WALK_STAGE) {
        return writer <= step->stage;
    }
    /* within the stage, in the order of its steps: batch element, output, row, column */
    const int place[] = {cell.at[0], walk_output_index(stage, cell.tensor), cell.at[1],
                         step->grain == WALK_CELL ? cell.at[2] : 0};
    const int here[] = {step->at[0], step->output, step->at[1], step->at[2]};
    for (int i = 0; i < 4; i++) {
        if (place[i] != here[i]) {
            return place[i] < here[i];
        }
    }
    return true;
}

/* ---- reads ---- */

int walk_reads(const attn_trace *trace, const struct walk_step *step,
               struct walk_region out[WALK_REGIONS_MAX])
{
    const enum attn_stage stage = attn_trace_stage(trace, step->stage);
    if (attn_trace_idle(trace, stage)) {
        out[0] = walk_region_whole(trace, attn_trace_source(trace, attn_stages[stage].outputs[0]));
        return 1;
    }
    struct walk_region boxes[WALK_REGIONS_MAX];
    const int n = walk_writes(trace, step, boxes);
    struct walk_regions regions = {.out = out};
    for (int i = 0; i < n; i++) {
        walk_row(trace, stage)->reads(trace, &boxes[i], &regions);
    }
    return regions.n;
}

/** Add a region, unless there is one of its tensor already: then it is the same one. */
static void add(struct walk_regions *regions, struct walk_region region)
{
    for (int i = 0; i < regions->n; i++) {
        if (regions->out[i].tensor == region.tensor) {
            return;
        }
    }
    assert(regions->n < WALK_REGIONS_MAX);
    regions->out[regions->n++] = region;
}

/** One axis of the region is the same stretch as that axis of the box. */
static void narrow(struct walk_region *region, int axis, const struct walk_region *box,
                   int box_axis)
{
    region->lo[axis] = box->lo[box_axis];
    region->hi[axis] = box->hi[box_axis];
}

/** The same cells of another tensor of the same shape. */
static void add_same(const struct walk_region *box, struct walk_regions *regions,
                     enum attn_tensor_id id)
{
    struct walk_region region = *box;
    region.tensor = id;
    add(regions, region);
}

/** The same rows of another tensor, every column. */
static void add_rows(const attn_trace *trace, const struct walk_region *box,
                     struct walk_regions *regions, enum attn_tensor_id id)
{
    struct walk_region region = walk_region_whole(trace, id);
    narrow(&region, 0, box, 0);
    narrow(&region, 1, box, 1);
    add(regions, region);
}

void walk_reads_linear(const attn_trace *trace, const struct walk_region *box,
                       struct walk_regions *regions)
{
    enum attn_tensor_id input = ATTN_NO_TENSOR;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(trace, box->tensor, &input, &layer);
    add_rows(trace, box, regions, input);
    struct walk_region weight = walk_region_whole(trace, attn_layers[layer].weight);
    narrow(&weight, 1, box, 2);
    add(regions, weight);
    if (attn_trace_tensor(trace, attn_layers[layer].bias) != NULL) {
        struct walk_region bias = walk_region_whole(trace, attn_layers[layer].bias);
        narrow(&bias, 2, box, 2);
        add(regions, bias);
    }
}

void walk_reads_split(const attn_trace *trace, const struct walk_region *box,
                      struct walk_regions *regions)
{
    const int offset = walk_split_offset(trace, box->tensor);
    struct walk_region region = *box;
    region.tensor = ATTN_QKV;
    region.lo[2] += offset;
    region.hi[2] += offset;
    /* the three slices of a whole stage are one stretch of columns */
    if (regions->n > 0) {
        regions->out[0].hi[2] = region.hi[2];
    } else {
        add(regions, region);
    }
}

void walk_reads_scores(const attn_trace *trace, const struct walk_region *box,
                       struct walk_regions *regions)
{
    add_rows(trace, box, regions, ATTN_Q);
    struct walk_region keys = walk_region_whole(trace, ATTN_K);
    narrow(&keys, 0, box, 0);
    narrow(&keys, 1, box, 2);
    add(regions, keys);
}

void walk_reads_scale(const attn_trace *trace, const struct walk_region *box,
                      struct walk_regions *regions)
{
    (void)trace;
    add_same(box, regions, ATTN_SCORES);
}

void walk_reads_mask(const attn_trace *trace, const struct walk_region *box,
                     struct walk_regions *regions)
{
    (void)trace;
    add_same(box, regions, ATTN_SCALED);
    add_same(box, regions, ATTN_MASK);
}

void walk_reads_softmax(const attn_trace *trace, const struct walk_region *box,
                        struct walk_regions *regions)
{
    add_rows(trace, box, regions, walk_logits(trace));
}

void walk_reads_drop(const attn_trace *trace, const struct walk_region *box,
                     struct walk_regions *regions)
{
    add_same(box, regions, ATTN_WEIGHTS);
    if (walk_keep_factor(trace) > 0) {
        add_same(box, regions, ATTN_KEEP);
    }
}

void walk_reads_mix(const attn_trace *trace, const struct walk_region *box,
                    struct walk_regions *regions)
{
    add_rows(trace, box, regions, walk_probs(trace));
    struct walk_region values = walk_region_whole(trace, ATTN_V);
    narrow(&values, 0, box, 0);
    narrow(&values, 2, box, 2);
    add(regions, values);
}
