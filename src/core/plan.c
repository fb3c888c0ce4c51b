/* What a trace will hold, before any of it is allocated. */
#include "trace_parts.h"

#include <string.h>

bool core_stage_idle(const attn_config *config, enum attn_stage stage, bool has_mask)
{
    const bool acts = config->training || core_has_bug(config, ATTN_BUG_DROPOUT_EVAL);
    return (stage == ATTN_STAGE_MASK && !has_mask) ||
           (stage == ATTN_STAGE_DROP && !(acts && config->dropout_p > 0.0));
}

bool core_stage_left_out(enum attn_stage stage, bool given)
{
    return given && (stage == ATTN_STAGE_PROJECT || stage == ATTN_STAGE_PROJECT_MERGED ||
                     stage == ATTN_STAGE_SPLIT);
}

/* The inputs that the stages from here on read, and the outputs that they write. */
static void plan_tensors(struct core_plan *plan, const attn_config *config,
                         const attn_tensor inputs[ATTN_N_TENSORS])
{
    const enum attn_variant variant = config->variant;
    const enum attn_stage *stage = attn_variants[variant].stages;
    for (; *stage != ATTN_NO_STAGE; stage++) {
        const struct attn_stage_info *const info = &attn_stages[*stage];
        if (core_stage_left_out(*stage, plan->given) ||
            core_stage_idle(config, *stage, inputs[ATTN_MASK].data != NULL)) {
            continue;
        }
        for (const enum attn_tensor_id *id = info->inputs; *id != ATTN_NO_TENSOR; id++) {
            /* With p = 1 everything is dropped and no pattern is needed. */
            plan->exists[*id] |=
                attn_tensors[*id].group != ATTN_GROUP_STAGE &&
                attn_variant_has_tensor(variant, *id) &&
                (*id != ATTN_KEEP || inputs[*id].data != NULL || config->dropout_p < 1.0);
        }
        for (const enum attn_tensor_id *id = info->outputs; *id != ATTN_NO_TENSOR; id++) {
            plan->exists[*id] = true;
        }
    }
    if (core_has_bug(config, ATTN_BUG_MASK_QUERIES) && plan->exists[ATTN_MASK]) {
        plan->exists[ATTN_PADDING] = inputs[ATTN_PADDING].data != NULL;
        plan->exists[ATTN_UNPADDED] = plan->exists[ATTN_PADDING];
    }
    if (plan->given) {
        plan->exists[ATTN_Q] = plan->exists[ATTN_K] = plan->exists[ATTN_V] = true;
    }
}

static bool add_bytes(uint64_t *total, uint64_t more)
{
    if (more > UINT64_MAX - *total) {
        return false;
    }
    *total += more;
    return true;
}

/* Bytes of a tensor, up to the next one's start. Dimensions are checked: 2^50 elements at most. */
static uint64_t tensor_bytes(enum attn_tensor_id id, const attn_sizes *sizes)
{
    int dims[ATTN_RANK_MAX];
    (void)attn_tensor_dims(id, sizes, dims);
    const uint64_t bytes =
        (uint64_t)dims[0] * (uint64_t)dims[1] * (uint64_t)dims[2] * sizeof(float);
    return (bytes + CORE_ALIGN - 1) / CORE_ALIGN * CORE_ALIGN;
}

static enum attn_status check_dimensions(const attn_sizes *sizes, bool given,
                                         struct attn_error *err)
{
    const struct {
        const char *name;
        int size;
    } all[] = {
        {"the batch size B", sizes->B},     {"the number of queries T", sizes->T},
        {"the number of keys S", sizes->S}, {"the input's width d_in", given ? 1 : sizes->d_in},
        {"the width d", sizes->d},          {"the values' width d_v", sizes->d_v}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].size < 1 || all[i].size > ATTN_DIM_MAX) {
            return attn_fail(err, ATTN_E_LIMIT, NULL, "%s is %d (it must be 1 to %d)", all[i].name,
                             all[i].size, (int)ATTN_DIM_MAX);
        }
    }
    return ATTN_OK;
}

enum attn_status core_plan_make(struct core_plan *plan, const attn_config *config,
                                const attn_tensor inputs[ATTN_N_TENSORS], struct attn_error *err)
{
    struct core_plan made = {0};
    made.given =
        inputs[ATTN_Q].data != NULL && inputs[ATTN_K].data != NULL && inputs[ATTN_V].data != NULL;
    const enum attn_status status = check_dimensions(&config->sizes, made.given, err);
    if (status != ATTN_OK) {
        return status;
    }
    plan_tensors(&made, config, inputs);
    made.bytes = sizeof(attn_trace) + CORE_ALIGN;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        if (made.exists[i] && !add_bytes(&made.bytes, tensor_bytes(id, &config->sizes))) {
            return attn_fail(err, ATTN_E_LIMIT, NULL,
                             "the trace's size overflows 64 bits (take smaller sizes)");
        }
    }
    *plan = made;
    return ATTN_OK;
}

enum attn_status attn_trace_bytes(uint64_t *bytes, const attn_config *config,
                                  const attn_tensor inputs[ATTN_N_TENSORS], struct attn_error *err)
{
    struct core_plan plan;
    const enum attn_status status = core_plan_make(&plan, config, inputs, err);
    if (status == ATTN_OK) {
        *bytes = plan.bytes;
    }
    return status;
}
