/* The chain rule of each stage: from the gradient of an output to those of what it read. */
#include "slope_parts.h"

void walk_slope_weight(const attn_trace *trace, enum attn_tensor_id output,
                       enum attn_tensor_id input, enum attn_tensor_id weight,
                       struct walk_gradient *g)
{
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int i = 0; from != NULL && i < g->of[output].columns; i++) {
            if (from[i] != 0.0) {
                walk_slope_products(walk_slope_into(g, input, t), walk_slope_into(g, weight, i),
                                    walk_slope_values(trace, g, input, t),
                                    walk_slope_values(trace, g, weight, i), 1, g->of[input].columns,
                                    from[i]);
            }
        }
    }
}

void walk_slope_bias(enum attn_tensor_id output, enum attn_tensor_id bias, struct walk_gradient *g)
{
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int i = 0; from != NULL && i < g->of[output].columns; i++) {
            walk_slope_into(g, bias, 0)[i] += from[i];
        }
    }
}

void walk_slope_linear(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g)
{
    enum attn_tensor_id input = ATTN_NO_TENSOR;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(trace, output, &input, &layer);
    if (!walk_slope_spend(g, output, g->of[input].columns)) {
        return;
    }
    walk_slope_weight(trace, output, input, attn_layers[layer].weight, g);
    if (attn_trace_tensor(trace, attn_layers[layer].bias) != NULL) {
        walk_slope_bias(output, attn_layers[layer].bias, g);
    }
}

void walk_slope_split(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g)
{
    const int first = walk_split_offset(trace, output);
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int i = 0; from != NULL && i < g->of[output].columns; i++) {
            walk_slope_into(g, ATTN_QKV, t)[first + i] += from[i];
        }
    }
}

void walk_slope_scores(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g)
{
    const int d = g->of[ATTN_Q].columns;
    if (!walk_slope_spend(g, output, d)) {
        return;
    }
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int s = 0; from != NULL && s < g->of[output].columns; s++) {
            if (from[s] != 0.0) {
                walk_slope_products(walk_slope_into(g, ATTN_Q, t), walk_slope_into(g, ATTN_K, s),
                                    walk_slope_values(trace, g, ATTN_Q, t),
                                    walk_slope_values(trace, g, ATTN_K, s), 1, d, from[s]);
            }
        }
    }
}

void walk_slope_scale(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g)
{
    bool divides = true;
    const double factor = (double)attn_trace_factor(trace, &divides);
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int s = 0; from != NULL && s < g->of[output].columns; s++) {
            walk_slope_into(g, ATTN_SCORES, t)[s] += divides ? from[s] / factor : from[s] * factor;
        }
    }
}

void walk_slope_mask(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g)
{
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        for (int s = 0; from != NULL && s < g->of[output].columns; s++) {
            if (attn_trace_keeps(trace, g->cell.at[0], t, s)) {
                walk_slope_into(g, ATTN_SCALED, t)[s] += from[s];
            }
        }
    }
}

/** Of one row's weights, whose rounded numbers may not add up to 1: the shares that do. */
static void softmax_row(double *into, const double *from, const float *weights, int n)
{
    double total = 0.0;
    double mean = 0.0;
    for (int s = 0; s < n; s++) {
        total += (double)weights[s];
        mean += from[s] * (double)weights[s];
    }
    if (total <= 0.0) { /* no key is left: they are zeros by policy */
        return;
    }
    for (int s = 0; s < n; s++) {
        into[s] += (double)weights[s] / total * (from[s] - mean / total);
    }
}

void walk_slope_softmax(const attn_trace *trace, enum attn_tensor_id output,
                        struct walk_gradient *g)
{
    const enum attn_tensor_id logits = walk_logits(trace);
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        if (from != NULL) {
            softmax_row(walk_slope_into(g, logits, t), from, walk_slope_values(trace, g, output, t),
                        g->of[output].columns);
        }
    }
}

void walk_slope_drop(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g)
{
    const double factor = (double)walk_keep_factor(trace);
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        if (from == NULL || !(factor > 0)) { /* p = 1: it is 0, whatever the weights are */
            continue;
        }
        const float *const keep = walk_slope_values(trace, g, ATTN_KEEP, t);
        for (int s = 0; s < g->of[output].columns; s++) {
            walk_slope_into(g, ATTN_WEIGHTS, t)[s] += from[s] * (double)keep[s] * factor;
        }
    }
}

void walk_slope_mix(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g)
{
    const enum attn_tensor_id probs = walk_probs(trace);
    const int n = g->of[probs].columns;
    const int width = g->of[output].columns;
    if (!walk_slope_spend(g, output, n)) {
        return;
    }
    for (int t = g->of[output].lo; t < g->of[output].hi; t++) {
        const double *const from = walk_slope_row(g, output, t);
        const float *const p = walk_slope_values(trace, g, probs, t);
        for (int s = 0; from != NULL && s < n; s++) {
            const float *const v = walk_slope_values(trace, g, ATTN_V, s);
            double *const dv = walk_slope_into(g, ATTN_V, s);
            double sum = 0.0;
            for (int i = 0; i < width; i++) {
                if (from[i] != 0.0) { /* what another column holds, a NaN even, is nothing here */
                    sum += from[i] * (double)v[i];
                    dv[i] += from[i] * (double)p[s];
                }
            }
            walk_slope_into(g, probs, t)[s] += sum;
        }
    }
}
