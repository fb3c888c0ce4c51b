/* Computing each stage of a trace with the kernels. Idle stages are not run. */
#include "trace_parts.h"

#include <math.h>
#include <string.h>

static float *data(const attn_trace *trace, enum attn_tensor_id id)
{
    return trace->tensors[id].data;
}

static size_t count(const attn_trace *trace, enum attn_tensor_id id)
{
    return attn_tensor_count(&trace->tensors[id]);
}

/* The tensor that a stage reads in its place: the logits of the softmax, say. */
static enum attn_tensor_id source(const attn_trace *trace, enum attn_tensor_id id)
{
    return attn_trace_source(trace, id);
}

/* out = in weightᵀ + bias, over all of the batch. */
static void layer(attn_trace *trace, enum attn_tensor_id out, enum attn_tensor_id in,
                  enum attn_layer which)
{
    const struct attn_layer_info *const info = &attn_layers[which];
    const int *const dims = trace->tensors[in].dims;
    const int n_in = dims[2];
    trace->kernels->product_nt(attn_order_linear(n_in), data(trace, out), data(trace, in),
                               data(trace, info->weight), data(trace, info->bias),
                               (size_t)dims[0] * (size_t)dims[1], trace->tensors[out].dims[2],
                               n_in);
}

void core_run_project(attn_trace *trace)
{
    const enum attn_tensor_id keys_from = source(trace, ATTN_MEMORY);
    layer(trace, ATTN_Q, ATTN_X, ATTN_LAYER_Q);
    layer(trace, ATTN_K, keys_from, ATTN_LAYER_K);
    layer(trace, ATTN_V, keys_from, ATTN_LAYER_V);
}

void core_run_project_merged(attn_trace *trace)
{
    layer(trace, ATTN_QKV, ATTN_X, ATTN_LAYER_QKV);
}

void core_run_split(attn_trace *trace)
{
    static const enum attn_tensor_id parts[3] = {ATTN_Q, ATTN_K, ATTN_V};
    const size_t d = (size_t)trace->config.sizes.d;
    const size_t rows = count(trace, ATTN_Q) / d;
    for (size_t part = 0; part < 3; part++) {
        for (size_t t = 0; t < rows; t++) {
            memcpy(data(trace, parts[part]) + t * d, data(trace, ATTN_QKV) + t * 3 * d + part * d,
                   d * sizeof(float));
        }
    }
}

void core_run_score(attn_trace *trace)
{
    const attn_sizes *const n = &trace->config.sizes;
    const enum attn_order order = attn_order_scores(n->T, n->S, n->d);
    for (int b = 0; b < n->B; b++) {
        trace->kernels->product_nt(order, attn_tensor_at(&trace->tensors[ATTN_SCORES], b, 0, 0),
                                   attn_tensor_at(&trace->tensors[ATTN_Q], b, 0, 0),
                                   attn_tensor_at(&trace->tensors[ATTN_K], b, 0, 0), NULL,
                                   (size_t)n->T, n->S, n->d);
    }
}

void core_run_scale(attn_trace *trace)
{
    const attn_config *const config = &trace->config;
    float *const scaled = data(trace, ATTN_SCALED);
    const float *const scores = data(trace, ATTN_SCORES);
    if (config->scale_given) {
        trace->kernels->multiply(scaled, scores, config->scale, count(trace, ATTN_SCALED));
    } else {
        trace->kernels->divide(scaled, scores, sqrtf((float)config->sizes.d),
                               count(trace, ATTN_SCALED));
    }
}

void core_run_mask(attn_trace *trace)
{
    trace->kernels->mask(data(trace, ATTN_MASKED), data(trace, ATTN_SCALED), data(trace, ATTN_MASK),
                         trace->config.mask_fill, count(trace, ATTN_MASKED));
}

void core_note_row(struct core_rows *rows, int b, int t)
{
    if (rows->count == 0) {
        rows->first[0] = b;
        rows->first[1] = t;
        rows->first[2] = 0;
    }
    rows->count++;
}

/* Did the mask hide every key of this query? */
static bool row_hidden(const attn_trace *trace, int b, int t)
{
    for (int s = 0; s < trace->config.sizes.S; s++) {
        if (attn_trace_keeps(trace, b, t, s)) {
            return false;
        }
    }
    return true;
}

static void softmax_row(attn_trace *trace, int b, int t)
{
    const int S = trace->config.sizes.S;
    const enum attn_tensor_id logits = source(trace, ATTN_MASKED);
    float *const weights = attn_tensor_at(&trace->tensors[ATTN_WEIGHTS], b, t, 0);
    bool empty = false;
    trace->kernels->softmax_row(weights, attn_tensor_at(&trace->tensors[logits], b, t, 0), S,
                                &empty);
    if (empty) {
        core_note_row(&trace->empty, b, t);
        for (int s = 0; s < S && trace->config.empty_row == ATTN_EMPTY_NAN; s++) {
            weights[s] = NAN;
        }
    } else if (logits == ATTN_MASKED && isfinite(attn_trace_fill(trace)) &&
               row_hidden(trace, b, t)) {
        core_note_row(&trace->uniform, b, t);
    }
}

void core_run_softmax(attn_trace *trace)
{
    for (int b = 0; b < trace->config.sizes.B; b++) {
        for (int t = 0; t < trace->config.sizes.T; t++) {
            softmax_row(trace, b, t);
        }
    }
}

void core_run_drop(attn_trace *trace)
{
    trace->kernels->dropout(data(trace, ATTN_DROPPED), data(trace, ATTN_WEIGHTS),
                            data(trace, ATTN_KEEP), trace->config.dropout_p,
                            count(trace, ATTN_DROPPED));
}

void core_run_mix(attn_trace *trace)
{
    const attn_sizes *const n = &trace->config.sizes;
    const attn_tensor *const weights = &trace->tensors[source(trace, ATTN_DROPPED)];
    const enum attn_order order = attn_order_mix(n->T, n->S, n->d_v);
    for (int b = 0; b < n->B; b++) {
        trace->kernels->product_nn(order, attn_tensor_at(&trace->tensors[ATTN_CONTEXT], b, 0, 0),
                                   attn_tensor_at(weights, b, 0, 0),
                                   attn_tensor_at(&trace->tensors[ATTN_V], b, 0, 0), (size_t)n->T,
                                   n->d_v, n->S);
    }
}

void core_run_output(attn_trace *trace)
{
    layer(trace, ATTN_OUTPUT, ATTN_CONTEXT, ATTN_LAYER_OUT);
}
