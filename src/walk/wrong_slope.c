/* The chain rule of the rows that a bug changed: the slope of what they really compute. */
#include <math.h>

#include "slope_parts.h"
#include "walk_wrong.h"

/** The output is the input as it is. */
static void copy(enum attn_tensor_id output, enum attn_tensor_id input, struct walk_gradient *g)
{
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int i = 0; from != NULL && i < g->of[output].columns; i++) {
            walk_slope_into(g, input, t)[i] += from[i];
        }
    }
}

/** A product with the weight's buffer read as [in,out], its sides exchanged. */
static void turned(const attn_trace *trace, enum attn_tensor_id output, enum attn_tensor_id input,
                   enum attn_tensor_id weight, struct walk_gradient *g)
{
    const int n_in = g->of[input].columns;
    const int n_out = g->of[output].columns;
    double *const whole = walk_slope_into(g, weight, 0);
    const float *const values = walk_slope_values(trace, g, weight, 0);
    walk_slope_into(g, weight, g->of[weight].rows - 1);
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int i = 0; from != NULL && i < n_out; i++) {
            if (from[i] != 0.0) {
                walk_slope_products(walk_slope_into(g, input, t), whole + i,
                                    walk_slope_values(trace, g, input, t), values + i, n_out, n_in,
                                    from[i]);
            }
        }
    }
}

void walk_wrong_slope_linear(const attn_trace *trace, enum attn_tensor_id output,
                             struct walk_gradient *g)
{
    enum attn_tensor_id input = ATTN_NO_TENSOR;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(trace, output, &input, &layer);
    const enum attn_tensor_id weight = attn_layers[layer].weight;
    const enum attn_tensor_id bias = attn_layers[layer].bias;
    if (walk_wrong_copies(trace, output)) {
        copy(output, input, g);
        return;
    }
    if (!walk_slope_spend(g, output, g->of[input].columns)) {
        return;
    }
    if (attn_trace_has_bug(trace, ATTN_BUG_WEIGHT_TRANSPOSED)) {
        turned(trace, output, input, weight, g);
    } else {
        walk_slope_weight(trace, output, input, weight, g);
    }
    if (attn_trace_tensor(trace, bias) != NULL && !attn_trace_has_bug(trace, ATTN_BUG_NO_BIAS)) {
        walk_slope_bias(output, bias, g);
    }
}

void walk_wrong_slope_split(const attn_trace *trace, enum attn_tensor_id output,
                            struct walk_gradient *g)
{
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int i = 0; from != NULL && i < g->of[output].columns; i++) {
            const int column = attn_trace_split_column(trace, output, i);
            walk_slope_into(g, ATTN_QKV, t)[column] += from[i];
        }
    }
}

/** The keys' buffer is read as [d,S]: reshaped where it should be transposed. */
void walk_wrong_slope_scores(const attn_trace *trace, enum attn_tensor_id output,
                             struct walk_gradient *g)
{
    const int d = g->of[ATTN_Q].columns;
    const int n = g->of[output].columns;
    if (!walk_slope_spend(g, output, d)) {
        return;
    }
    double *const whole = walk_slope_into(g, ATTN_K, 0);
    const float *const keys = walk_slope_values(trace, g, ATTN_K, 0);
    walk_slope_into(g, ATTN_K, n - 1);
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int s = 0; from != NULL && s < n; s++) {
            if (from[s] != 0.0) {
                walk_slope_products(walk_slope_into(g, ATTN_Q, t), whole + s,
                                    walk_slope_values(trace, g, ATTN_Q, t), keys + s, n, d,
                                    from[s]);
            }
        }
    }
}

/** What the pattern makes of a number that it is multiplied with. */
static double pattern(const attn_trace *trace, const struct walk_gradient *g, int t, int s)
{
    const double factor = (double)walk_wrong_keep_factor(trace);
    return factor > 0 ? factor * (double)walk_slope_values(trace, g, ATTN_KEEP, t)[s] : 0.0;
}

void walk_wrong_slope_scale(const attn_trace *trace, enum attn_tensor_id output,
                            struct walk_gradient *g)
{
    bool divides = true;
    const double factor = (double)attn_trace_factor(trace, &divides);
    const bool drops = walk_wrong_drops_scores(trace);
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int s = 0; from != NULL && s < g->of[output].columns; s++) {
            const double slope = drops ? from[s] * pattern(trace, g, t, s) : from[s];
            walk_slope_into(g, ATTN_SCORES, t)[s] += divides ? slope / factor : slope * factor;
        }
    }
}

/** What is filled in is a constant; what is added to a score leaves its slope as it is. */
void walk_wrong_slope_mask(const attn_trace *trace, enum attn_tensor_id output,
                           struct walk_gradient *g)
{
    if (!walk_wrong_masks(trace) || attn_trace_has_bug(trace, ATTN_BUG_MASK_ADDED)) {
        copy(output, ATTN_SCALED, g);
    } else {
        walk_slope_mask(trace, output, g);
    }
}

void walk_wrong_slope_drop(const attn_trace *trace, enum attn_tensor_id output,
                           struct walk_gradient *g)
{
    if (attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_SCORES)) {
        copy(output, ATTN_WEIGHTS, g);
        return;
    }
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int s = 0; from != NULL && s < g->of[output].columns; s++) {
            walk_slope_into(g, ATTN_WEIGHTS, t)[s] += from[s] * pattern(trace, g, t, s);
        }
    }
}

/* ---- softmax ---- */

/** One row, or one column, that a changed softmax goes over. */
struct line {
    const attn_trace *trace;
    const struct walk_gradient *g;
    struct walk_wrong_softmax softmax;
    enum attn_tensor_id weights, logits;
    int index;     /**< Of the row, or of the column. */
    float largest; /**< What is taken off; −∞ where nothing is left. */
    double total;  /**< Of the exponentials. */
};

static int row_of(const struct line *l, int i)
{
    return l->softmax.columns ? i : l->index;
}

static int column_of(const struct line *l, int i)
{
    return l->softmax.columns ? l->index : i;
}

static float logit(const struct line *l, int i)
{
    return walk_slope_values(l->trace, l->g, l->logits, row_of(l, i))[column_of(l, i)];
}

/** A weight before the mask that comes after it, as it was computed: it overflows as that did. */
static double share(const struct line *l, int i)
{
    if (l->largest == -INFINITY) {
        return attn_trace_config(l->trace)->empty_row == ATTN_EMPTY_NAN ? NAN : 0.0;
    }
    return (double)attn_expf(logit(l, i) - l->largest) / l->total;
}

static void measure(struct line *l)
{
    l->largest = logit(l, 0);
    for (int i = 1; i < l->softmax.n; i++) {
        l->largest = fmaxf(l->largest, logit(l, i));
    }
    l->largest = l->softmax.unsafe && l->largest != -INFINITY ? 0.0F : l->largest;
    l->total = 0.0;
    for (int i = 0; i < l->softmax.n && l->largest != -INFINITY; i++) {
        l->total += (double)attn_expf(logit(l, i) - l->largest);
    }
}

/** What the weight's gradient is before a mask that comes after it. */
static double before_mask(const struct line *l, int i)
{
    const int t = row_of(l, i);
    const int s = column_of(l, i);
    const double *const row = walk_slope_row(l->g, l->weights, t);
    const bool kept = !l->softmax.masks || attn_trace_keeps(l->trace, l->g->cell.at[0], t, s);
    return row != NULL && kept ? row[s] : 0.0;
}

void walk_wrong_slope_softmax(const attn_trace *trace, enum attn_tensor_id output,
                              struct walk_gradient *g)
{
    struct line l = {.trace = trace,
                     .g = g,
                     .softmax = walk_wrong_softmax(trace),
                     .weights = output,
                     .logits = walk_logits(trace)};
    const int lo = l.softmax.columns ? 0 : g->of[output].lo;
    const int hi = l.softmax.columns ? g->of[output].columns : g->of[output].hi;
    for (l.index = lo; l.index < hi; l.index++) {
        double mean = 0.0;
        measure(&l);
        for (int i = 0; i < l.softmax.n; i++) {
            mean += before_mask(&l, i) * share(&l, i);
        }
        for (int i = 0; i < l.softmax.n; i++) {
            walk_slope_into(g, l.logits, row_of(&l, i))[column_of(&l, i)] +=
                share(&l, i) * (before_mask(&l, i) - mean);
        }
    }
}
