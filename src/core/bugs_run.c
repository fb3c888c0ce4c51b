/* The changed rows of the stage table, computed. Each goes with any bugs of its row together. */
#include <math.h>
#include <string.h>

#include "trace_parts.h"

static float *data(const attn_trace *trace, enum attn_tensor_id id)
{
    return trace->tensors[id].data;
}

static float at(const attn_trace *trace, enum attn_tensor_id id, int b, int r, int c)
{
    return *attn_tensor_at(&trace->tensors[id], b, r, c);
}

/* ---- layers ---- */

static bool has_in(const attn_trace *trace, enum attn_bug bug, enum attn_layer layer)
{
    const unsigned layers = trace->config.wrong_layers;
    return attn_trace_has_bug(trace, bug) && (layers == 0 || (layers >> layer & 1U) != 0);
}

/* out = in weightᵀ + bias, the weight's buffer read as [in,out] and the bias left out as told. A
 * product with columns cannot be summed in lanes. */
static void layer(attn_trace *trace, enum attn_tensor_id out, enum attn_tensor_id in,
                  enum attn_layer which)
{
    const struct attn_layer_info *const info = &attn_layers[which];
    const int *const dims = trace->tensors[in].dims;
    const size_t rows = (size_t)dims[0] * (size_t)dims[1];
    const int n_in = dims[2];
    const int n_out = trace->tensors[out].dims[2];
    const float *const bias =
        has_in(trace, ATTN_BUG_NO_BIAS, which) ? NULL : data(trace, info->bias);
    if (!has_in(trace, ATTN_BUG_WEIGHT_TRANSPOSED, which)) {
        trace->kernels->product_nt(attn_order_linear(n_in), data(trace, out), data(trace, in),
                                   data(trace, info->weight), bias, rows, n_out, n_in);
        return;
    }
    trace->kernels->product_nn(ATTN_ORDER_FMA, data(trace, out), data(trace, in),
                               data(trace, info->weight), rows, n_out, n_in);
    for (size_t t = 0; t < rows && bias != NULL; t++) {
        for (int i = 0; i < n_out; i++) {
            data(trace, out)[t * (size_t)n_out + (size_t)i] += bias[i];
        }
    }
}

void core_wrong_project(attn_trace *trace)
{
    const enum attn_tensor_id keys_from = attn_trace_source(trace, ATTN_MEMORY);
    layer(trace, ATTN_Q, ATTN_X, ATTN_LAYER_Q);
    layer(trace, ATTN_K, keys_from, ATTN_LAYER_K);
    layer(trace, ATTN_V, keys_from, ATTN_LAYER_V);
}

void core_wrong_project_merged(attn_trace *trace)
{
    layer(trace, ATTN_QKV, ATTN_X, ATTN_LAYER_QKV);
}

void core_wrong_output(attn_trace *trace)
{
    if (attn_trace_has_bug(trace, ATTN_BUG_NO_OUTPUT)) {
        const size_t n = attn_tensor_count(&trace->tensors[ATTN_OUTPUT]);
        memcpy(data(trace, ATTN_OUTPUT), data(trace, ATTN_CONTEXT), n * sizeof(float));
    } else {
        layer(trace, ATTN_OUTPUT, ATTN_CONTEXT, ATTN_LAYER_OUT);
    }
}

/* ---- split and scores ---- */

int attn_trace_split_column(const attn_trace *trace, enum attn_tensor_id part, int column)
{
    const bool exchanged = attn_trace_has_bug(trace, ATTN_BUG_QKV_ORDER);
    const int own = (int)part - (int)ATTN_Q;
    const int third = exchanged && own < 2 ? 1 - own : own;
    return attn_trace_has_bug(trace, ATTN_BUG_QKV_INTERLEAVED)
               ? 3 * column + third
               : third * trace->config.sizes.d + column;
}

void core_wrong_split(attn_trace *trace)
{
    const int d = trace->config.sizes.d;
    const size_t rows = attn_tensor_count(&trace->tensors[ATTN_Q]) / (size_t)d;
    for (int part = ATTN_Q; part <= ATTN_V; part++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)part;
        for (int i = 0; i < d; i++) {
            const int from = attn_trace_split_column(trace, id, i);
            for (size_t t = 0; t < rows; t++) {
                data(trace, id)[t * (size_t)d + (size_t)i] =
                    data(trace, ATTN_QKV)[t * 3 * (size_t)d + (size_t)from];
            }
        }
    }
}

void core_wrong_score(attn_trace *trace)
{
    const attn_sizes *const n = &trace->config.sizes;
    const bool plain = attn_order_scores(n->T, n->S, n->d) == ATTN_ORDER_PLAIN;
    for (int b = 0; b < n->B; b++) {
        trace->kernels->product_nn(plain ? ATTN_ORDER_PLAIN : ATTN_ORDER_FMA,
                                   attn_tensor_at(&trace->tensors[ATTN_SCORES], b, 0, 0),
                                   attn_tensor_at(&trace->tensors[ATTN_Q], b, 0, 0),
                                   attn_tensor_at(&trace->tensors[ATTN_K], b, 0, 0), (size_t)n->T,
                                   n->S, n->d);
    }
}

/* ---- scale and dropout ---- */

float attn_trace_factor(const attn_trace *trace, bool *divides)
{
    const attn_config *const config = &trace->config;
    *divides = true;
    if (attn_trace_has_bug(trace, ATTN_BUG_NO_SCALE)) {
        return 1.0F;
    }
    if (attn_trace_has_bug(trace, ATTN_BUG_SCALE_DK)) {
        return (float)config->sizes.d;
    }
    if (attn_trace_has_bug(trace, ATTN_BUG_SCALE_DIM_IN)) {
        return sqrtf((float)config->sizes.d_in);
    }
    if (attn_trace_has_bug(trace, ATTN_BUG_SCALE_INVERSE)) {
        *divides = false;
        return sqrtf((float)config->sizes.d);
    }
    *divides = !config->scale_given;
    return config->scale_given ? config->scale : sqrtf((float)config->sizes.d);
}

/* out = in ∘ D, or in ∘ keep where what survives is not scaled. */
static void drop(attn_trace *trace, enum attn_tensor_id out, enum attn_tensor_id in)
{
    const size_t n = attn_tensor_count(&trace->tensors[out]);
    if (!attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_UNSCALED) || trace->config.dropout_p >= 1.0) {
        trace->kernels->dropout(data(trace, out), data(trace, in), data(trace, ATTN_KEEP),
                                trace->config.dropout_p, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        data(trace, out)[i] = data(trace, in)[i] * data(trace, ATTN_KEEP)[i];
    }
}

bool core_drops_scores(const attn_config *config)
{
    return core_has_bug(config, ATTN_BUG_DROPOUT_SCORES) &&
           !core_stage_idle(config, ATTN_STAGE_DROP, false) &&
           attn_variant_has(config->variant, ATTN_STAGE_DROP);
}

void core_wrong_scale(attn_trace *trace)
{
    const size_t n = attn_tensor_count(&trace->tensors[ATTN_SCALED]);
    bool divides = true;
    const float factor = attn_trace_factor(trace, &divides);
    float *const scaled = data(trace, ATTN_SCALED);
    if (divides) {
        trace->kernels->divide(scaled, data(trace, ATTN_SCORES), factor, n);
    } else {
        trace->kernels->multiply(scaled, data(trace, ATTN_SCORES), factor, n);
    }
    if (core_drops_scores(&trace->config)) {
        drop(trace, ATTN_SCALED, ATTN_SCALED);
    }
}

void core_wrong_drop(attn_trace *trace)
{
    const size_t n = attn_tensor_count(&trace->tensors[ATTN_DROPPED]);
    if (attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_SCORES)) {
        memcpy(data(trace, ATTN_DROPPED), data(trace, ATTN_WEIGHTS), n * sizeof(float));
    } else {
        drop(trace, ATTN_DROPPED, ATTN_WEIGHTS);
    }
}

/* ---- mask ---- */

int core_diagonal(const attn_trace *trace)
{
    const attn_sizes *const n = &trace->config.sizes;
    return trace->config.causal_align == ATTN_CAUSAL_BOTTOM_RIGHT ? n->S - n->T : 0;
}

/* The mask with what bugs make of its parts, whether or not anything is done with it. */
static bool asks_to_keep(const attn_trace *trace, int b, int t, int s)
{
    bool keeps = at(trace, ATTN_MASK, b, t, s) != 0.0F;
    if (data(trace, ATTN_PADDING) != NULL) {
        keeps =
            at(trace, ATTN_UNPADDED, b, t, s) != 0.0F && at(trace, ATTN_PADDING, 0, b, t) != 0.0F;
    }
    if (attn_trace_has_bug(trace, ATTN_BUG_CAUSAL_NO_DIAGONAL)) {
        keeps = keeps && s != t + core_diagonal(trace);
    }
    return keeps != attn_trace_has_bug(trace, ATTN_BUG_MASK_INVERTED);
}

bool attn_trace_keeps(const attn_trace *trace, int b, int t, int s)
{
    if (data(trace, ATTN_MASK) == NULL || attn_trace_has_bug(trace, ATTN_BUG_NO_MASK)) {
        return true;
    }
    return asks_to_keep(trace, b, t, s);
}

static float masked(const attn_trace *trace, float scaled, bool keeps)
{
    if (attn_trace_has_bug(trace, ATTN_BUG_MASK_AFTER_SOFTMAX)) {
        return scaled;
    }
    if (attn_trace_has_bug(trace, ATTN_BUG_MASK_ADDED)) {
        return scaled + (keeps ? 1.0F : 0.0F);
    }
    return keeps ? scaled : attn_trace_fill(trace);
}

float attn_trace_fill(const attn_trace *trace)
{
    return attn_trace_has_bug(trace, ATTN_BUG_MASK_TINY_FILL) ? 1e-20F : trace->config.mask_fill;
}

void core_wrong_mask(attn_trace *trace)
{
    const attn_sizes *const n = &trace->config.sizes;
    for (int b = 0; b < n->B; b++) {
        for (int t = 0; t < n->T; t++) {
            for (int s = 0; s < n->S; s++) {
                *attn_tensor_at(&trace->tensors[ATTN_MASKED], b, t, s) = masked(
                    trace, at(trace, ATTN_SCALED, b, t, s), attn_trace_keeps(trace, b, t, s));
            }
        }
    }
}

/* ---- softmax ---- */

/* e^m / Σ e^m of n numbers that lie step apart, nothing taken off; weights lie likewise. */
static void unsafe(const attn_trace *trace, float *weights, const float *logits, ptrdiff_t step,
                   int n)
{
    float total = 0.0F;
    for (int i = 0; i < n; i++) {
        weights[i * step] = trace->kernels->exp(logits[i * step]);
        total += weights[i * step];
    }
    for (int i = 0; i < n; i++) {
        weights[i * step] /= total;
    }
}

/* The same with the maximum taken off. */
static void safe(const attn_trace *trace, float *weights, const float *logits, ptrdiff_t step,
                 int n)
{
    float maximum = logits[0];
    float total = 0.0F;
    for (int i = 1; i < n; i++) {
        maximum = logits[i * step] > maximum ? logits[i * step] : maximum;
    }
    for (int i = 0; i < n; i++) {
        weights[i * step] = trace->kernels->exp(logits[i * step] - maximum);
        total += weights[i * step];
    }
    for (int i = 0; i < n; i++) {
        weights[i * step] *= 1.0F / total;
    }
}

static float empty_weight(const attn_trace *trace)
{
    return trace->config.empty_row == ATTN_EMPTY_NAN ? NAN : 0.0F;
}

/* e^(m − max of the row) / the column's sum: only one of the two axes was mistaken. */
static void normalise_half(attn_trace *trace, int b, int s)
{
    const attn_sizes *const n = &trace->config.sizes;
    const enum attn_tensor_id from = attn_trace_source(trace, ATTN_MASKED);
    float total = 0.0F;
    for (int t = 0; t < n->T; t++) {
        const float *const row = attn_tensor_at(&trace->tensors[from], b, t, 0);
        float *const weight = attn_tensor_at(&trace->tensors[ATTN_WEIGHTS], b, t, s);
        float maximum = row[0];
        for (int i = 1; i < n->S; i++) {
            maximum = row[i] > maximum ? row[i] : maximum;
        }
        *weight =
            maximum == -INFINITY ? empty_weight(trace) : trace->kernels->exp(row[s] - maximum);
        total += *weight;
    }
    for (int t = 0; t < n->T; t++) {
        float *const weight = attn_tensor_at(&trace->tensors[ATTN_WEIGHTS], b, t, s);
        *weight = total > 0 || isnan(total) ? *weight / total : empty_weight(trace);
    }
}

/* One row, or one column, and the policy where every one of its scores is −∞. */
static void normalise(attn_trace *trace, int b, int index, bool column)
{
    const attn_sizes *const n = &trace->config.sizes;
    const enum attn_tensor_id from = attn_trace_source(trace, ATTN_MASKED);
    const ptrdiff_t step = column ? n->S : 1;
    const int count = column ? n->T : n->S;
    const int row = column ? 0 : index;
    float *const weights =
        attn_tensor_at(&trace->tensors[ATTN_WEIGHTS], b, row, column ? index : 0);
    const float *const logits = attn_tensor_at(&trace->tensors[from], b, row, column ? index : 0);
    int hidden = 0;
    while (hidden < count && logits[hidden * step] == -INFINITY) {
        hidden++;
    }
    if (hidden == count) {
        for (int i = 0; i < count; i++) {
            weights[i * step] = empty_weight(trace);
        }
        if (!column) {
            core_note_row(&trace->empty, b, index);
        }
        return;
    }
    if (attn_trace_has_bug(trace, ATTN_BUG_SOFTMAX_UNSAFE)) {
        unsafe(trace, weights, logits, step, count);
    } else {
        safe(trace, weights, logits, step, count);
    }
}

void core_wrong_softmax(attn_trace *trace)
{
    const attn_sizes *const n = &trace->config.sizes;
    const bool columns = attn_trace_has_bug(trace, ATTN_BUG_SOFTMAX_QUERIES);
    for (int b = 0; b < n->B; b++) {
        for (int i = 0; i < (columns ? n->S : n->T); i++) {
            if (columns && trace->config.row_maximum) {
                normalise_half(trace, b, i);
            } else {
                normalise(trace, b, i, columns);
            }
        }
    }
    if (!attn_trace_has_bug(trace, ATTN_BUG_MASK_AFTER_SOFTMAX)) {
        return;
    }
    for (int b = 0; b < n->B; b++) {
        for (int t = 0; t < n->T; t++) {
            for (int s = 0; s < n->S; s++) {
                *attn_tensor_at(&trace->tensors[ATTN_WEIGHTS], b, t, s) *=
                    attn_trace_keeps(trace, b, t, s) ? 1.0F : 0.0F;
            }
        }
    }
}
