#include "attn/trace.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace_parts.h"

void attn_config_default(attn_config *config, enum attn_variant variant)
{
    *config = (attn_config){
        .variant = variant,
        .sizes = {.B = 1, .T = 4, .S = 4, .d_in = 4, .d = 4, .d_v = 4},
        .scale_given = false,
        .scale = 1.0F,
        .mask_fill = -INFINITY,
        .empty_row = ATTN_EMPTY_ZEROS,
        .training = false,
        .dropout_p = 0.1,
        .max_bytes = UINT64_C(4) << 30U,
        .cpu = ATTN_CPU_AUTO,
    };
}

/* Lay the tensors out behind the trace, each at a multiple of CORE_ALIGN. */
static void lay_out(attn_trace *trace, const struct core_plan *plan)
{
    const uintptr_t end = (uintptr_t)(trace + 1);
    char *place = (char *)(trace + 1) + (CORE_ALIGN - end % CORE_ALIGN) % CORE_ALIGN;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        trace->writers[i] = ATTN_NO_STAGE;
        if (!plan->exists[i]) {
            continue;
        }
        int dims[ATTN_RANK_MAX];
        const int rank = attn_tensor_dims((enum attn_tensor_id)i, &trace->config.sizes, dims);
        attn_tensor *const tensor = &trace->tensors[i];
        *tensor = attn_tensor_view((float *)(void *)place, rank, dims + ATTN_RANK_MAX - rank);
        const size_t bytes = attn_tensor_count(tensor) * sizeof(float);
        place += (bytes + CORE_ALIGN - 1) / CORE_ALIGN * CORE_ALIGN;
    }
    assert(place <= (char *)trace + plan->bytes);
}

static void copy_tensor(attn_tensor *to, const attn_tensor *from)
{
    if (attn_tensor_contiguous(from)) {
        memcpy(to->data, from->data, attn_tensor_count(to) * sizeof(float));
        return;
    }
    for (int b = 0; b < to->dims[0]; b++) {
        for (int r = 0; r < to->dims[1]; r++) {
            const float *const row = from->data + b * from->strides[0] + r * from->strides[1];
            float *const out = attn_tensor_at(to, b, r, 0);
            for (int c = 0; c < to->dims[2]; c++) {
                out[c] = row[c * from->strides[2]];
            }
        }
    }
}

static void list_stages(attn_trace *trace)
{
    const enum attn_stage *stage = attn_variants[trace->config.variant].stages;
    for (; *stage != ATTN_NO_STAGE; stage++) {
        if (!core_stage_left_out(*stage, trace->given)) {
            trace->stages[trace->n_stages++] = *stage;
        }
    }
}

static void run_stages(attn_trace *trace)
{
    for (int i = 0; i < trace->n_stages; i++) {
        const enum attn_stage stage = trace->stages[i];
        if (attn_trace_idle(trace, stage)) {
            continue;
        }
        const enum attn_tensor_id *id = attn_stages[stage].outputs;
        for (; *id != ATTN_NO_TENSOR; id++) {
            trace->writers[*id] = stage;
        }
        if (attn_trace_changed(trace, stage)) {
            core_wrong_rows[stage].run(trace);
        } else {
            attn_stages[stage].run(trace);
        }
    }
}

enum attn_status attn_trace_create(attn_trace **out, const attn_config *config,
                                   const attn_tensor inputs[ATTN_N_TENSORS], struct attn_error *err)
{
    struct core_plan plan;
    enum attn_status status = core_plan_make(&plan, config, inputs, err);
    if (status == ATTN_OK) {
        status = core_check(config, inputs, &plan, err);
    }
    if (status != ATTN_OK) {
        return status;
    }
    attn_trace *const trace = malloc((size_t)plan.bytes);
    if (trace == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, NULL,
                         "no memory for a trace of %llu bytes (take smaller sizes)",
                         (unsigned long long)plan.bytes);
    }
    *trace = (attn_trace){
        .config = *config, .kernels = core_kernels_for(config->cpu), .given = plan.given};
    lay_out(trace, &plan);
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        if (plan.exists[i] && inputs[i].data != NULL &&
            (attn_tensors[i].group != ATTN_GROUP_STAGE || plan.given)) {
            copy_tensor(&trace->tensors[i], &inputs[i]);
        }
    }
    list_stages(trace);
    run_stages(trace);
    core_flag(trace);
    *out = trace;
    return ATTN_OK;
}

void attn_trace_destroy(attn_trace *trace)
{
    free(trace);
}

const attn_config *attn_trace_config(const attn_trace *trace)
{
    return &trace->config;
}

const attn_tensor *attn_trace_tensor(const attn_trace *trace, enum attn_tensor_id id)
{
    return trace->tensors[id].data != NULL ? &trace->tensors[id] : NULL;
}

enum attn_tensor_id attn_trace_source(const attn_trace *trace, enum attn_tensor_id id)
{
    while (id != ATTN_NO_TENSOR && trace->tensors[id].data == NULL) {
        id = attn_tensors[id].fallback;
    }
    return id;
}

int attn_trace_n_stages(const attn_trace *trace)
{
    return trace->n_stages;
}

enum attn_stage attn_trace_stage(const attn_trace *trace, int i)
{
    assert(i >= 0 && i < trace->n_stages);
    return trace->stages[i];
}

bool attn_trace_idle(const attn_trace *trace, enum attn_stage stage)
{
    return core_stage_idle(&trace->config, stage, trace->tensors[ATTN_MASK].data != NULL);
}

enum attn_stage attn_trace_writer(const attn_trace *trace, enum attn_tensor_id id)
{
    return trace->writers[id];
}

enum attn_tensor_id attn_trace_result(const attn_trace *trace)
{
    return attn_trace_source(trace, ATTN_OUTPUT);
}

const struct attn_flag *attn_trace_flags(const attn_trace *trace, int *n)
{
    *n = trace->n_flags;
    return trace->flags;
}
