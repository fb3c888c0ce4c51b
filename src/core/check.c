/* What a trace refuses, and in which words. */
#include "trace_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "single, cross and v3": the variants that have this stage. */
static void name_takers(char *out, size_t size, enum attn_stage stage)
{
    int left = 0;
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        left += attn_variant_has((enum attn_variant)i, stage);
    }
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < ATTN_N_VARIANTS && used < size; i++) {
        if (attn_variant_has((enum attn_variant)i, stage)) {
            left--;
            used += (size_t)snprintf(out + used, size - used, "%s%s", attn_variants[i].name,
                                     left > 1    ? ", "
                                     : left == 1 ? " and "
                                                 : "");
        }
    }
}

static enum attn_status check_supported(const attn_config *config,
                                        const attn_tensor inputs[ATTN_N_TENSORS],
                                        struct attn_error *err)
{
    const char *const name = attn_variants[config->variant].name;
    char takers[64];
    if (inputs[ATTN_MASK].data != NULL && !attn_variant_has(config->variant, ATTN_STAGE_MASK)) {
        name_takers(takers, sizeof takers, ATTN_STAGE_MASK);
        return attn_fail(err, ATTN_E_UNSUPPORTED, NULL,
                         "%s takes no mask (leave it out, or use a variant that takes one: %s)",
                         name, takers);
    }
    if ((inputs[ATTN_KEEP].data != NULL || config->training) &&
        !attn_variant_has(config->variant, ATTN_STAGE_DROP)) {
        name_takers(takers, sizeof takers, ATTN_STAGE_DROP);
        return attn_fail(err, ATTN_E_UNSUPPORTED, NULL,
                         "%s has no dropout, so it has no training mode (evaluate it, or use a "
                         "variant that has dropout: %s)",
                         name, takers);
    }
    if (!attn_cpu_supported(config->cpu)) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, NULL,
                         "this machine has no AVX2 and FMA (use the baseline)");
    }
    return core_bugs_check(config->bugs, config->n_bugs, err);
}

/* The inputs that this trace needs, by name: "x, w_q.weight, w_k.weight". */
static void name_needed(char *out, size_t size, enum attn_variant variant,
                        const struct core_plan *plan)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < ATTN_N_TENSORS && used < size; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        const bool optional = id == ATTN_MASK || id == ATTN_KEEP;
        if (plan->exists[i] && !optional && attn_tensors[i].group != ATTN_GROUP_STAGE) {
            char name[64];
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     attn_tensor_name(variant, id, name, sizeof name));
        }
    }
}

/* "q and v": which of q, k, v there are. @return false if none is. */
static bool name_given(char *out, size_t size, const attn_tensor inputs[ATTN_N_TENSORS])
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = ATTN_Q; i <= ATTN_V && used < size; i++) {
        if (inputs[i].data != NULL) {
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? " and " : "",
                                     attn_tensors[i].name);
        }
    }
    return used > 0;
}

static enum attn_status check_present(const attn_config *config,
                                      const attn_tensor inputs[ATTN_N_TENSORS],
                                      const struct core_plan *plan, struct attn_error *err)
{
    char some[32];
    if (!plan->given && name_given(some, sizeof some, inputs)) {
        return attn_fail(err, ATTN_E_VALUE, NULL,
                         "of q, k and v there is only %s (give all three, or none)", some);
    }
    if (plan->exists[ATTN_KEEP] && inputs[ATTN_KEEP].data == NULL) {
        return attn_fail(err, ATTN_E_VALUE, NULL,
                         "%s with p = %g needs the pattern keep (draw one, or %s)",
                         config->training ? "training" : "dropout in evaluation", config->dropout_p,
                         config->training ? "evaluate" : "leave the bug out");
    }
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        if (plan->exists[i] && attn_tensors[i].group != ATTN_GROUP_STAGE &&
            inputs[i].data == NULL) {
            char name[64];
            char needed[512];
            name_needed(needed, sizeof needed, config->variant, plan);
            return attn_fail(err, ATTN_E_VALUE, NULL, "%s is missing (%s needs %s)",
                             attn_tensor_name(config->variant, id, name, sizeof name),
                             attn_variants[config->variant].name, needed);
        }
    }
    return ATTN_OK;
}

/* The sizes among each other: what the variant ties together. */
static enum attn_status check_sizes(const attn_config *config, const struct core_plan *plan,
                                    struct attn_error *err)
{
    const attn_sizes *const n = &config->sizes;
    const struct attn_variant_info *const variant = &attn_variants[config->variant];
    if (!plan->given && !variant->has_memory && n->S != n->T) {
        return attn_fail(err, ATTN_E_SHAPE, NULL,
                         "%d queries but %d keys: in %s both come from x (make S = T, or use "
                         "cross)",
                         n->T, n->S, variant->name);
    }
    if (!plan->given && variant->square && n->d_in != n->d) {
        return attn_fail(err, ATTN_E_SHAPE, NULL,
                         "d_in is %d and d is %d: %s maps a width to itself (make them equal, or "
                         "use single)",
                         n->d_in, n->d, variant->name);
    }
    const bool has_output = attn_variant_has(config->variant, ATTN_STAGE_OUTPUT);
    if ((!plan->given || has_output) && n->d_v != n->d) {
        return attn_fail(err, ATTN_E_SHAPE, NULL, "d_v is %d and d is %d: %s (make them equal%s)",
                         n->d_v, n->d,
                         has_output ? "the output projection takes a context of width d"
                                    : "values of a width of their own come only with q, k and v",
                         has_output ? "" : ", or give q, k and v");
    }
    return ATTN_OK;
}

static bool same_dims(const int a[ATTN_RANK_MAX], const int b[ATTN_RANK_MAX])
{
    return memcmp(a, b, ATTN_RANK_MAX * sizeof *a) == 0;
}

static enum attn_status refuse_shape(const attn_config *config,
                                     const attn_tensor inputs[ATTN_N_TENSORS],
                                     enum attn_tensor_id id, const attn_tensor *expected,
                                     bool given, struct attn_error *err)
{
    const attn_sizes *const n = &config->sizes;
    const enum attn_tensor_id other = given ? ATTN_Q : ATTN_X;
    char name[64];
    char got[48];
    char want[48];
    char beside[64] = "";
    (void)attn_tensor_name(config->variant, id, name, sizeof name);
    if (id != other) {
        char shape[48];
        (void)snprintf(beside, sizeof beside, "%s is %s; ", attn_tensors[other].name,
                       attn_tensor_shape(&inputs[other], shape, sizeof shape));
    }
    char widths[64];
    if (given) {
        (void)snprintf(widths, sizeof widths, "d %d, d_v %d", n->d, n->d_v);
    } else {
        (void)snprintf(widths, sizeof widths, "d_in %d, d %d", n->d_in, n->d);
    }
    return attn_fail(
        err, ATTN_E_SHAPE, NULL, "%s is %s, expected %s (%sthe sizes are B %d, T %d, S %d, %s)",
        name, attn_tensor_shape(&inputs[id], got, sizeof got),
        attn_tensor_shape(expected, want, sizeof want), beside, n->B, n->T, n->S, widths);
}

static enum attn_status check_shapes(const attn_config *config,
                                     const attn_tensor inputs[ATTN_N_TENSORS],
                                     const struct core_plan *plan, struct attn_error *err)
{
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        attn_tensor expected = {0};
        if (!plan->exists[i] || inputs[i].data == NULL ||
            (attn_tensors[i].group == ATTN_GROUP_STAGE && !plan->given)) {
            continue;
        }
        expected.rank = attn_tensor_dims(id, &config->sizes, expected.dims);
        if (!same_dims(inputs[i].dims, expected.dims)) {
            return refuse_shape(config, inputs, id, &expected, plan->given, err);
        }
    }
    return ATTN_OK;
}

/* Every value of a mask is 0 or 1. */
static enum attn_status check_binary(const attn_tensor *mask, const char *name,
                                     struct attn_error *err)
{
    for (int b = 0; b < mask->dims[0]; b++) {
        for (int t = 0; t < mask->dims[1]; t++) {
            for (int s = 0; s < mask->dims[2]; s++) {
                const float value = *attn_tensor_at(mask, b, t, s);
                if (value != 0.0F && value != 1.0F) {
                    return attn_fail(err, ATTN_E_VALUE, NULL,
                                     "%s[%d,%d,%d] is %g (it must be 1, which keeps, or 0)", name,
                                     b, t, s, (double)value);
                }
            }
        }
    }
    return ATTN_OK;
}

static enum attn_status check_values(const attn_config *config,
                                     const attn_tensor inputs[ATTN_N_TENSORS],
                                     const struct core_plan *plan, struct attn_error *err)
{
    static const enum attn_tensor_id masks[] = {ATTN_MASK, ATTN_KEEP, ATTN_PADDING, ATTN_UNPADDED};
    if (!(config->dropout_p >= 0.0 && config->dropout_p <= 1.0)) {
        return attn_fail(err, ATTN_E_VALUE, NULL,
                         "the dropout probability is %g (it must be 0 to 1)", config->dropout_p);
    }
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        const enum attn_tensor_id id = masks[i];
        if (plan->exists[id] && inputs[id].data != NULL) {
            const enum attn_status status = check_binary(&inputs[id], attn_tensors[id].name, err);
            if (status != ATTN_OK) {
                return status;
            }
        }
    }
    return ATTN_OK;
}

static enum attn_status check_memory(const attn_config *config, const struct core_plan *plan,
                                     struct attn_error *err)
{
    const double gib = 1024.0 * 1024.0 * 1024.0;
    if (plan->bytes <= config->max_bytes && plan->bytes <= SIZE_MAX) {
        return ATTN_OK;
    }
    const uint64_t limit = config->max_bytes < SIZE_MAX ? config->max_bytes : SIZE_MAX;
    return attn_fail(err, ATTN_E_LIMIT, NULL,
                     "keeping every stage takes %.2f GiB (%llu bytes), the limit is %.2f GiB "
                     "(take smaller sizes, or raise the limit)",
                     (double)plan->bytes / gib, (unsigned long long)plan->bytes,
                     (double)limit / gib);
}

enum attn_status core_check(const attn_config *config, const attn_tensor inputs[ATTN_N_TENSORS],
                            const struct core_plan *plan, struct attn_error *err)
{
    enum attn_status status = check_supported(config, inputs, err);
    if (status == ATTN_OK) {
        status = check_sizes(config, plan, err);
    }
    if (status == ATTN_OK) {
        status = check_memory(config, plan, err);
    }
    if (status == ATTN_OK) {
        status = check_present(config, inputs, plan, err);
    }
    if (status == ATTN_OK) {
        status = check_shapes(config, inputs, plan, err);
    }
    return status == ATTN_OK ? check_values(config, inputs, plan, err) : status;
}
