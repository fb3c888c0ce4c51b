/* Walk's rows for the stages that a bug changed: what they read, and their numbers once more. */
#include "walk_wrong.h"

#include <assert.h>

const struct walk_stage walk_wrong_stages[ATTN_N_STAGES] = {
    [ATTN_STAGE_PROJECT] = {.reads = walk_wrong_reads_linear,
                            .explain = walk_wrong_explain_linear,
                            .replay = walk_replay_products,
                            .formula = walk_wrong_formula_linear,
                            .arithmetic = walk_arithmetic_products,
                            .slope = walk_wrong_slope_linear},
    [ATTN_STAGE_PROJECT_MERGED] = {.reads = walk_wrong_reads_linear,
                                   .explain = walk_wrong_explain_linear,
                                   .replay = walk_replay_products,
                                   .formula = walk_wrong_formula_linear,
                                   .arithmetic = walk_arithmetic_products,
                                   .slope = walk_wrong_slope_linear},
    [ATTN_STAGE_SPLIT] = {.reads = walk_wrong_reads_split,
                          .explain = walk_wrong_explain_split,
                          .replay = walk_replay_split,
                          .formula = walk_wrong_formula_split,
                          .arithmetic = walk_arithmetic_split,
                          .slope = walk_wrong_slope_split},
    [ATTN_STAGE_SCORE] = {.reads = walk_wrong_reads_scores,
                          .explain = walk_wrong_explain_scores,
                          .replay = walk_replay_products,
                          .formula = walk_wrong_formula_scores,
                          .arithmetic = walk_arithmetic_products,
                          .slope = walk_wrong_slope_scores},
    [ATTN_STAGE_SCALE] = {.reads = walk_wrong_reads_scale,
                          .explain = walk_wrong_explain_scale,
                          .replay = walk_wrong_replay_scale,
                          .formula = walk_wrong_formula_scale,
                          .arithmetic = walk_wrong_arithmetic_scale,
                          .slope = walk_wrong_slope_scale},
    [ATTN_STAGE_MASK] = {.reads = walk_wrong_reads_mask,
                         .explain = walk_wrong_explain_mask,
                         .replay = walk_wrong_replay_mask,
                         .formula = walk_wrong_formula_mask,
                         .arithmetic = walk_wrong_arithmetic_mask,
                         .slope = walk_wrong_slope_mask},
    [ATTN_STAGE_SOFTMAX] = {.reads = walk_wrong_reads_softmax,
                            .explain = walk_wrong_explain_softmax,
                            .replay = walk_wrong_replay_softmax,
                            .formula = walk_wrong_formula_softmax,
                            .arithmetic = walk_wrong_arithmetic_softmax,
                            .slope = walk_wrong_slope_softmax},
    [ATTN_STAGE_DROP] = {.reads = walk_wrong_reads_drop,
                         .explain = walk_wrong_explain_drop,
                         .replay = walk_wrong_replay_drop,
                         .formula = walk_wrong_formula_drop,
                         .arithmetic = walk_arithmetic_drop,
                         .slope = walk_wrong_slope_drop},
    [ATTN_STAGE_OUTPUT] = {.reads = walk_wrong_reads_linear,
                           .explain = walk_wrong_explain_linear,
                           .replay = walk_wrong_replay_output,
                           .formula = walk_wrong_formula_linear,
                           .arithmetic = walk_arithmetic_products,
                           .slope = walk_wrong_slope_linear},
};

const struct walk_stage *walk_row(const attn_trace *trace, enum attn_stage stage)
{
    return attn_trace_changed(trace, stage) ? &walk_wrong_stages[stage] : &walk_stages[stage];
}

/* ---- what the changed rows have in common ---- */

bool walk_wrong_copies(const attn_trace *trace, enum attn_tensor_id output)
{
    return output == ATTN_OUTPUT && attn_trace_has_bug(trace, ATTN_BUG_NO_OUTPUT);
}

bool walk_wrong_masks(const attn_trace *trace)
{
    return !attn_trace_has_bug(trace, ATTN_BUG_NO_MASK) &&
           !attn_trace_has_bug(trace, ATTN_BUG_MASK_AFTER_SOFTMAX);
}

bool walk_wrong_drops_scores(const attn_trace *trace)
{
    return attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_SCORES) &&
           attn_trace_tensor(trace, ATTN_DROPPED) != NULL;
}

float walk_wrong_keep_factor(const attn_trace *trace)
{
    const float factor = walk_keep_factor(trace);
    return factor > 0 && attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_UNSCALED) ? 1 : factor;
}

struct walk_wrong_softmax walk_wrong_softmax(const attn_trace *trace)
{
    const attn_sizes *const sizes = &attn_trace_config(trace)->sizes;
    const bool columns = attn_trace_has_bug(trace, ATTN_BUG_SOFTMAX_QUERIES);
    const int n = columns ? sizes->T : sizes->S;
    const bool unsafe = attn_trace_has_bug(trace, ATTN_BUG_SOFTMAX_UNSAFE);
    return (struct walk_wrong_softmax){.columns = columns,
                                       .unsafe = unsafe,
                                       .masks =
                                           attn_trace_has_bug(trace, ATTN_BUG_MASK_AFTER_SOFTMAX) &&
                                           attn_trace_tensor(trace, ATTN_MASK) != NULL,
                                       .n = n,
                                       .first = unsafe ? 0 : 1 + n};
}

/* ---- reads ---- */

static void narrow(struct walk_region *region, int axis, int lo, int hi)
{
    region->lo[axis] = lo;
    region->hi[axis] = hi;
}

/** Add a region; one of the same tensor grows to hold both. */
static void add(struct walk_regions *regions, struct walk_region region)
{
    for (int i = 0; i < regions->n; i++) {
        struct walk_region *const other = &regions->out[i];
        for (int k = 0; other->tensor == region.tensor && k < ATTN_RANK_MAX; k++) {
            other->lo[k] = region.lo[k] < other->lo[k] ? region.lo[k] : other->lo[k];
            other->hi[k] = region.hi[k] > other->hi[k] ? region.hi[k] : other->hi[k];
        }
        if (other->tensor == region.tensor) {
            return;
        }
    }
    assert(regions->n < WALK_REGIONS_MAX);
    regions->out[regions->n++] = region;
}

static void add_same(struct walk_regions *regions, const struct walk_region *box,
                     enum attn_tensor_id id)
{
    struct walk_region region = *box;
    region.tensor = id;
    add(regions, region);
}

static void add_batch(const attn_trace *trace, struct walk_regions *regions,
                      const struct walk_region *box, enum attn_tensor_id id, bool rows)
{
    struct walk_region region = walk_region_whole(trace, id);
    narrow(&region, 0, box->lo[0], box->hi[0]);
    if (rows) {
        narrow(&region, 1, box->lo[1], box->hi[1]);
    }
    add(regions, region);
}

void walk_wrong_reads_linear(const attn_trace *trace, const struct walk_region *box,
                             struct walk_regions *regions)
{
    enum attn_tensor_id input = ATTN_NO_TENSOR;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(trace, box->tensor, &input, &layer);
    if (walk_wrong_copies(trace, box->tensor)) {
        add_same(regions, box, input);
        return;
    }
    add_batch(trace, regions, box, input, true);
    struct walk_region weight = walk_region_whole(trace, attn_layers[layer].weight);
    if (!attn_trace_has_bug(trace, ATTN_BUG_WEIGHT_TRANSPOSED)) {
        narrow(&weight, 1, box->lo[2], box->hi[2]);
    }
    add(regions, weight);
    if (attn_trace_tensor(trace, attn_layers[layer].bias) != NULL &&
        !attn_trace_has_bug(trace, ATTN_BUG_NO_BIAS)) {
        struct walk_region bias = walk_region_whole(trace, attn_layers[layer].bias);
        narrow(&bias, 2, box->lo[2], box->hi[2]);
        add(regions, bias);
    }
}

void walk_wrong_reads_split(const attn_trace *trace, const struct walk_region *box,
                            struct walk_regions *regions)
{
    struct walk_region region = *box;
    region.tensor = ATTN_QKV;
    narrow(&region, 2, attn_trace_split_column(trace, box->tensor, box->lo[2]),
           attn_trace_split_column(trace, box->tensor, box->hi[2] - 1) + 1);
    add(regions, region);
}

void walk_wrong_reads_scores(const attn_trace *trace, const struct walk_region *box,
                             struct walk_regions *regions)
{
    add_batch(trace, regions, box, ATTN_Q, true);
    add_batch(trace, regions, box, ATTN_K, false);
}

static void add_keep(const attn_trace *trace, struct walk_regions *regions,
                     const struct walk_region *box)
{
    if (walk_keep_factor(trace) > 0) {
        add_same(regions, box, ATTN_KEEP);
    }
}

void walk_wrong_reads_scale(const attn_trace *trace, const struct walk_region *box,
                            struct walk_regions *regions)
{
    add_same(regions, box, ATTN_SCORES);
    if (walk_wrong_drops_scores(trace)) {
        add_keep(trace, regions, box);
    }
}

static void add_mask(const attn_trace *trace, struct walk_regions *regions,
                     const struct walk_region *box)
{
    if (attn_trace_tensor(trace, ATTN_PADDING) == NULL) {
        add_same(regions, box, ATTN_MASK);
        return;
    }
    struct walk_region padding = {.tensor = ATTN_PADDING, .hi = {1, 0, 0}};
    narrow(&padding, 1, box->lo[0], box->hi[0]);
    narrow(&padding, 2, box->lo[1], box->hi[1]);
    add_same(regions, box, ATTN_UNPADDED);
    add(regions, padding);
}

void walk_wrong_reads_mask(const attn_trace *trace, const struct walk_region *box,
                           struct walk_regions *regions)
{
    add_same(regions, box, ATTN_SCALED);
    if (walk_wrong_masks(trace)) {
        add_mask(trace, regions, box);
    }
}

void walk_wrong_reads_softmax(const attn_trace *trace, const struct walk_region *box,
                              struct walk_regions *regions)
{
    const struct walk_wrong_softmax softmax = walk_wrong_softmax(trace);
    struct walk_region logits = walk_region_whole(trace, walk_logits(trace));
    narrow(&logits, 0, box->lo[0], box->hi[0]);
    if (softmax.columns) {
        narrow(&logits, 2, box->lo[2], box->hi[2]);
    } else {
        narrow(&logits, 1, box->lo[1], box->hi[1]);
    }
    add(regions, logits);
    if (softmax.masks) {
        add_mask(trace, regions, box);
    }
}

void walk_wrong_reads_drop(const attn_trace *trace, const struct walk_region *box,
                           struct walk_regions *regions)
{
    add_same(regions, box, ATTN_WEIGHTS);
    if (!attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_SCORES)) {
        add_keep(trace, regions, box);
    }
}

/* ---- replay ---- */

float walk_wrong_replay_output(const attn_trace *trace, const struct walk_explanation *e)
{
    return walk_wrong_copies(trace, ATTN_OUTPUT) ? e->terms[0].value
                                                 : walk_replay_products(trace, e);
}

/** The pattern's part of a product: keep × 1/(1−p), or 0 where p is 1; from term i on. */
static float pattern(const struct walk_explanation *e, int i)
{
    const bool all = e->n_terms == i + 1;
    return all ? e->terms[i].value : e->terms[i].value * e->terms[i + 1].value;
}

float walk_wrong_replay_scale(const attn_trace *trace, const struct walk_explanation *e)
{
    bool divides = true;
    (void)attn_trace_factor(trace, &divides);
    const float score = e->terms[0].value;
    const float constant = e->terms[1].value;
    const float scaled = divides ? score / constant : score * constant;
    return e->n_terms > 2 ? scaled * pattern(e, 2) : scaled;
}

float walk_wrong_replay_drop(const attn_trace *trace, const struct walk_explanation *e)
{
    (void)trace;
    return e->n_terms == 1 ? e->terms[0].value : e->terms[0].value * pattern(e, 1);
}

float walk_wrong_replay_mask(const attn_trace *trace, const struct walk_explanation *e)
{
    const float score = e->terms[0].value;
    const struct walk_term *const last = &e->terms[e->n_terms - 1];
    if (e->n_terms == 1) {
        return score;
    }
    if (attn_trace_has_bug(trace, ATTN_BUG_MASK_ADDED)) {
        return score + last->value;
    }
    return last->kind == WALK_TERM_CONSTANT ? last->value : score;
}

float walk_wrong_replay_softmax(const attn_trace *trace, const struct walk_explanation *e)
{
    const struct walk_wrong_softmax softmax = walk_wrong_softmax(trace);
    const struct walk_term *const last = &e->terms[e->n_terms - 1];
    const float keeps = softmax.masks ? last->value : 1;
    const struct walk_term *const share = softmax.masks ? last - 1 : last;
    if (share->kind == WALK_TERM_CONSTANT) {
        return share->value * keeps;
    }
    const float mine = e->terms[softmax.first + walk_wrong_place(&softmax, e->cell)].value;
    float sum = 0;
    for (int i = 0; i < softmax.n; i++) {
        sum += e->terms[softmax.first + i].value;
    }
    return (softmax.unsafe ? mine / sum : mine * (1.0f / sum)) * keeps;
}
