/* Where a NaN or an infinity first appears, and the rows that have no key left. */
#include "trace_parts.h"

#include <math.h>
#include <string.h>

struct odd {
    size_t nan, inf;
    int nan_at[3], inf_at[3];
};

/* True if any of n floats is a NaN or an infinity: one pass that the compiler can vectorise. */
static bool any_odd(const float *values, size_t n)
{
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        found |= (bits & 0x7F800000U) == 0x7F800000U;
    }
    return found != 0;
}

static void note(size_t *count, int at[3], int b, int r, int c)
{
    if (*count == 0) {
        at[0] = b;
        at[1] = r;
        at[2] = c;
    }
    (*count)++;
}

/* Count them in one tensor of the trace. An infinity that the mask filled in is none. */
static struct odd count_odd(const attn_trace *trace, enum attn_tensor_id id)
{
    const attn_tensor *const tensor = &trace->tensors[id];
    struct odd odd = {0};
    if (!any_odd(tensor->data, attn_tensor_count(tensor))) {
        return odd;
    }
    for (int b = 0; b < tensor->dims[0]; b++) {
        for (int r = 0; r < tensor->dims[1]; r++) {
            for (int c = 0; c < tensor->dims[2]; c++) {
                const float value = *attn_tensor_at(tensor, b, r, c);
                if (isnan(value)) {
                    note(&odd.nan, odd.nan_at, b, r, c);
                } else if (isinf(value) &&
                           (id != ATTN_MASKED || attn_trace_keeps(trace, b, r, c))) {
                    note(&odd.inf, odd.inf_at, b, r, c);
                }
            }
        }
    }
    return odd;
}

static void add(attn_trace *trace, enum attn_flag_kind kind, enum attn_tensor_id id,
                const int at[3], size_t count)
{
    if (count > 0) {
        trace->flags[trace->n_flags++] = (struct attn_flag){
            .kind = kind, .tensor = id, .at = {at[0], at[1], at[2]}, .count = count};
    }
}

/* Flag what this tensor has and nothing that it was made from had. */
static void flag_tensor(attn_trace *trace, struct odd all[ATTN_N_TENSORS], enum attn_tensor_id id,
                        const enum attn_tensor_id *made_from)
{
    all[id] = count_odd(trace, id);
    bool nan = false;
    bool inf = false;
    for (; *made_from != ATTN_NO_TENSOR; made_from++) {
        const enum attn_tensor_id from = attn_trace_source(trace, *made_from);
        if (from != ATTN_NO_TENSOR) {
            nan |= all[from].nan > 0;
            inf |= all[from].inf > 0;
        }
    }
    add(trace, ATTN_FLAG_NAN, id, all[id].nan_at, nan ? 0 : all[id].nan);
    add(trace, ATTN_FLAG_INF, id, all[id].inf_at, inf ? 0 : all[id].inf);
}

void core_flag(attn_trace *trace)
{
    static const enum attn_tensor_id nothing[] = {ATTN_NO_TENSOR};
    struct odd all[ATTN_N_TENSORS] = {0};
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        if (trace->tensors[i].data != NULL && trace->writers[i] == ATTN_NO_STAGE) {
            flag_tensor(trace, all, (enum attn_tensor_id)i, nothing);
        }
    }
    for (int i = 0; i < trace->n_stages; i++) {
        const struct attn_stage_info *const stage = &attn_stages[trace->stages[i]];
        if (attn_trace_idle(trace, trace->stages[i])) {
            continue;
        }
        if (trace->stages[i] == ATTN_STAGE_SOFTMAX) {
            add(trace, ATTN_FLAG_EMPTY_ROW, ATTN_WEIGHTS, trace->empty.first, trace->empty.count);
            add(trace, ATTN_FLAG_UNIFORM_ROW, ATTN_WEIGHTS, trace->uniform.first,
                trace->uniform.count);
        }
        for (const enum attn_tensor_id *id = stage->outputs; *id != ATTN_NO_TENSOR; id++) {
            flag_tensor(trace, all, *id, stage->inputs);
        }
    }
}
