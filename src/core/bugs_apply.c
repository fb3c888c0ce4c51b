/* When a bug makes a difference. */
#include <math.h>

#include "trace_parts.h"

/* What the conditions look at: a trace without bugs, its inputs, and the bugs that are meant. */
struct ask {
    const attn_trace *right;
    const attn_tensor *inputs;
    const enum attn_bug *bugs;
    int n;
};

static const attn_config *config_of(const struct ask *ask)
{
    return &ask->right->config;
}

static bool has_stage(const struct ask *ask, enum attn_stage stage)
{
    for (int i = 0; i < ask->right->n_stages; i++) {
        if (ask->right->stages[i] == stage) {
            return true;
        }
    }
    return false;
}

/* ---- scale, scores, split ---- */

static bool factor_is_not_one(const struct ask *ask)
{
    const attn_config *const config = config_of(ask);
    return config->scale_given ? config->scale != 1.0F : config->sizes.d > 1;
}

static bool is_wide(const struct ask *ask)
{
    return config_of(ask)->sizes.d > 1;
}

static bool has_another_width(const struct ask *ask)
{
    const attn_sizes *const n = &config_of(ask)->sizes;
    return !attn_variants[config_of(ask)->variant].square && !ask->right->given && n->d_in != n->d;
}

static bool can_be_reshaped(const struct ask *ask)
{
    return config_of(ask)->sizes.d > 1 && config_of(ask)->sizes.S > 1;
}

static bool splits_tokens(const struct ask *ask)
{
    return has_stage(ask, ATTN_STAGE_SPLIT) && config_of(ask)->sizes.T > 1;
}

static bool splits_columns(const struct ask *ask)
{
    return has_stage(ask, ATTN_STAGE_SPLIT) && is_wide(ask);
}

/* ---- layers ---- */

/* Is the buffer another matrix when its sides change places? */
static bool differs_transposed(const attn_tensor *weight)
{
    const int rows = weight->dims[1];
    const int columns = weight->dims[2];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            const size_t other = (size_t)j * (size_t)rows + (size_t)i;
            if (*attn_tensor_at(weight, 0, i, j) != weight->data[other]) {
                return true;
            }
        }
    }
    return false;
}

static bool has_a_turnable_weight(const struct ask *ask)
{
    for (int i = 0; i < ATTN_N_LAYERS; i++) {
        const attn_tensor *const weight = attn_trace_tensor(ask->right, attn_layers[i].weight);
        if (weight != NULL && differs_transposed(weight)) {
            return true;
        }
    }
    return false;
}

static bool any_not_zero(const float *values, int n)
{
    for (int i = 0; i < n; i++) {
        if (values[i] != 0.0F) {
            return true;
        }
    }
    return false;
}

/* The key's bias moves all scores of a row alike, and the softmax does not see it. */
static bool has_a_bias_that_shows(const struct ask *ask)
{
    for (int i = 0; i < ATTN_N_LAYERS; i++) {
        const attn_tensor *const bias = attn_trace_tensor(ask->right, attn_layers[i].bias);
        if (bias == NULL || i == ATTN_LAYER_K) {
            continue;
        }
        const int n = bias->dims[2];
        const int third = i == ATTN_LAYER_QKV ? n / 3 : n;
        if (any_not_zero(bias->data, third) || any_not_zero(bias->data + n - third, third)) {
            return true;
        }
    }
    return false;
}

static bool has_output(const struct ask *ask)
{
    return has_stage(ask, ATTN_STAGE_OUTPUT);
}

/* ---- mask ---- */

/* What the mask's rows are like. */
struct rows {
    bool any_hidden, any_mixed;
};

static struct rows rows_of(const struct ask *ask)
{
    struct rows rows = {false, false};
    const attn_sizes *const n = &config_of(ask)->sizes;
    for (int b = 0; b < n->B; b++) {
        for (int t = 0; t < n->T; t++) {
            int kept = 0;
            for (int s = 0; s < n->S; s++) {
                kept += attn_trace_keeps(ask->right, b, t, s);
            }
            rows.any_hidden |= kept < n->S;
            rows.any_mixed |= kept > 0 && kept < n->S;
        }
    }
    return rows;
}

static bool has_mask(const struct ask *ask)
{
    return attn_trace_tensor(ask->right, ATTN_MASK) != NULL;
}

static bool hides_something(const struct ask *ask)
{
    return rows_of(ask).any_hidden;
}

static bool hides_and_keeps(const struct ask *ask)
{
    return rows_of(ask).any_mixed;
}

static bool hides_with_another_fill(const struct ask *ask)
{
    return hides_something(ask) && config_of(ask)->mask_fill != 1e-20F;
}

/* A mask is causal by its option, or where it hides all that is ahead and not the diagonal. */
static bool is_causal(const struct ask *ask)
{
    const attn_sizes *const n = &config_of(ask)->sizes;
    bool sees_itself = false;
    if (!has_mask(ask) || config_of(ask)->causal) {
        return has_mask(ask);
    }
    if (n->T != n->S || n->T == 1) {
        return false;
    }
    for (int b = 0; b < n->B; b++) {
        for (int t = 0; t < n->T; t++) {
            for (int s = t + 1; s < n->S; s++) {
                if (attn_trace_keeps(ask->right, b, t, s)) {
                    return false;
                }
            }
            sees_itself |= attn_trace_keeps(ask->right, b, t, t);
        }
    }
    return sees_itself;
}

static bool has_padding(const struct ask *ask)
{
    const attn_sizes *const n = &config_of(ask)->sizes;
    const attn_tensor *const padding = &ask->inputs[ATTN_PADDING];
    if (!has_mask(ask) || padding->data == NULL || ask->inputs[ATTN_UNPADDED].data == NULL ||
        n->T != n->S) {
        return false;
    }
    for (int b = 0; b < n->B; b++) {
        for (int s = 0; s < n->S; s++) {
            if (*attn_tensor_at(padding, 0, b, s) == 0.0F) {
                return true;
            }
        }
    }
    return false;
}

/* ---- softmax ---- */

static bool has_several_scores(const struct ask *ask)
{
    return config_of(ask)->sizes.T > 1 || config_of(ask)->sizes.S > 1;
}

/* e^x overflows above the one, and is 0 below the other. */
static const float too_large = 88.72F;
static const float too_small = -103.9F;

static bool has_extreme_scores(const struct ask *ask)
{
    const attn_sizes *const n = &config_of(ask)->sizes;
    const attn_tensor *const logits =
        &ask->right->tensors[attn_trace_source(ask->right, ATTN_MASKED)];
    for (int b = 0; b < n->B; b++) {
        for (int t = 0; t < n->T; t++) {
            float largest = -INFINITY;
            for (int s = 0; s < n->S; s++) {
                const float score = *attn_tensor_at(logits, b, t, s);
                largest = score > largest ? score : largest;
            }
            if (largest > too_large || (largest < too_small && largest > -INFINITY)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- dropout ---- */

static bool drops_some(const struct ask *ask)
{
    const attn_config *const config = config_of(ask);
    bool acts = config->training;
    for (int i = 0; i < ask->n; i++) {
        acts |= ask->bugs[i] == ATTN_BUG_DROPOUT_EVAL;
    }
    return acts && attn_variant_has(config->variant, ATTN_STAGE_DROP) && config->dropout_p > 0.0 &&
           config->dropout_p < 1.0;
}

static bool drops_in_training(const struct ask *ask)
{
    return config_of(ask)->training && drops_some(ask);
}

static bool rests_in_evaluation(const struct ask *ask)
{
    const attn_config *const config = config_of(ask);
    return attn_variant_has(config->variant, ATTN_STAGE_DROP) && !config->training &&
           config->dropout_p > 0.0 &&
           (config->dropout_p >= 1.0 || ask->inputs[ATTN_KEEP].data != NULL);
}

static bool (*const conditions[ATTN_N_BUGS])(const struct ask *ask) = {
    [ATTN_BUG_NO_SCALE] = factor_is_not_one,
    [ATTN_BUG_SCALE_DK] = is_wide,
    [ATTN_BUG_SCALE_INVERSE] = is_wide,
    [ATTN_BUG_SCALE_DIM_IN] = has_another_width,
    [ATTN_BUG_SOFTMAX_QUERIES] = has_several_scores,
    [ATTN_BUG_SOFTMAX_UNSAFE] = has_extreme_scores,
    [ATTN_BUG_NO_MASK] = hides_and_keeps,
    [ATTN_BUG_MASK_AFTER_SOFTMAX] = hides_and_keeps,
    [ATTN_BUG_MASK_TINY_FILL] = hides_with_another_fill,
    [ATTN_BUG_MASK_INVERTED] = has_mask,
    [ATTN_BUG_MASK_ADDED] = hides_and_keeps,
    [ATTN_BUG_MASK_QUERIES] = has_padding,
    [ATTN_BUG_CAUSAL_NO_DIAGONAL] = is_causal,
    [ATTN_BUG_NO_TRANSPOSE] = can_be_reshaped,
    [ATTN_BUG_QKV_ORDER] = splits_tokens,
    [ATTN_BUG_QKV_INTERLEAVED] = splits_columns,
    [ATTN_BUG_WEIGHT_TRANSPOSED] = has_a_turnable_weight,
    [ATTN_BUG_NO_BIAS] = has_a_bias_that_shows,
    [ATTN_BUG_DROPOUT_UNSCALED] = drops_some,
    [ATTN_BUG_DROPOUT_SCORES] = drops_in_training,
    [ATTN_BUG_DROPOUT_EVAL] = rests_in_evaluation,
    [ATTN_BUG_NO_OUTPUT] = has_output,
};

enum attn_status core_bugs_check(const enum attn_bug *bugs, int n, struct attn_error *err)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (!attn_bugs_together(bugs[i], bugs[j])) {
                return attn_fail(err, ATTN_E_UNSUPPORTED, NULL,
                                 "%s and %s get the same thing wrong (take one of them)",
                                 attn_bugs[bugs[j]].name, attn_bugs[bugs[i]].name);
            }
        }
    }
    return ATTN_OK;
}

enum attn_status attn_bugs_apply(const attn_trace *right, const attn_tensor inputs[ATTN_N_TENSORS],
                                 const enum attn_bug *bugs, int n, struct attn_error *err)
{
    const struct ask ask = {.right = right, .inputs = inputs, .bugs = bugs, .n = n};
    for (int i = 0; i < n; i++) {
        if (!conditions[bugs[i]](&ask)) {
            return attn_fail(err, ATTN_E_UNSUPPORTED, attn_bugs[bugs[i]].name,
                             "it changes nothing here (it applies where %s)",
                             attn_bugs[bugs[i]].where);
        }
    }
    return core_bugs_check(bugs, n, err);
}
