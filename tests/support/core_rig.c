#include "core_rig.h"

#include <check.h>
#include <string.h>

struct rig rig;

float rig_real(void)
{
    rig.random = rig.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (float)(int32_t)(uint32_t)(rig.random >> 32U) * 0x1p-31F;
}

float *rig_give(enum attn_tensor_id id)
{
    int dims[3];
    const int rank = attn_tensor_dims(id, &rig.config.sizes, dims);
    rig.inputs[id] = attn_tensor_view(rig.room + rig.used, rank, dims + 3 - rank);
    const size_t n = attn_tensor_count(&rig.inputs[id]);
    ck_assert_uint_le(rig.used + n, RIG_ROOM);
    for (size_t i = 0; i < n; i++) {
        const float x = rig_real();
        rig.room[rig.used + i] = attn_tensors[id].kind == ATTN_KIND_MASK ? (float)(x > -0.5F) : x;
    }
    rig.used += n;
    return rig.inputs[id].data;
}

void rig_start(enum attn_variant variant, int B, int T, int S, int d_in, int d)
{
    rig.used = 0;
    rig.random = 11;
    memset(rig.inputs, 0, sizeof rig.inputs);
    attn_config_default(&rig.config, variant);
    rig.config.sizes = (attn_sizes){.B = B, .T = T, .S = S, .d_in = d_in, .d = d, .d_v = d};
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        if (attn_tensors[i].group != ATTN_GROUP_STAGE && id != ATTN_MASK && id != ATTN_KEEP &&
            attn_variant_has_tensor(variant, id)) {
            (void)rig_give(id);
        }
    }
}

attn_trace *rig_trace(void)
{
    attn_trace *trace = NULL;
    const enum attn_status status = attn_trace_create(&trace, &rig.config, rig.inputs, &rig.err);
    ck_assert_msg(status == ATTN_OK, "%s", rig.err.message);
    return trace;
}

float rig_cell(const attn_trace *trace, enum attn_tensor_id id, int b, int r, int c)
{
    const attn_tensor *const tensor = attn_trace_tensor(trace, id);
    ck_assert_ptr_nonnull(tensor);
    return *attn_tensor_at(tensor, b, r, c);
}

void rig_start_given(enum attn_variant variant, int T, int S, int d_v)
{
    rig_start(variant, 1, 2, 2, 3, 3);
    rig.config.sizes.T = T;
    rig.config.sizes.S = S;
    rig.config.sizes.d_v = d_v;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        if (i != ATTN_W_OUT && i != ATTN_B_OUT) {
            rig.inputs[i].data = NULL;
        }
    }
    (void)rig_give(ATTN_Q);
    (void)rig_give(ATTN_K);
    (void)rig_give(ATTN_V);
}

void rig_start_empty_rows(void)
{
    rig_start(ATTN_V3, 2, 3, 3, 4, 4);
    float *const mask = rig_give(ATTN_MASK);
    for (int i = 0; i < 18; i++) {
        mask[i] = (float)(i / 3 != 1 && i / 3 != 4 && i / 3 != 5);
    }
}
