#include "attn/tensor.h"

#include <assert.h>
#include <stdio.h>

attn_tensor attn_tensor_view(float *data, int rank, const int *dims)
{
    assert(rank >= 1 && rank <= ATTN_RANK_MAX);
    attn_tensor t = {.data = data, .rank = rank, .dims = {1, 1, 1}, .strides = {0, 0, 0}};
    ptrdiff_t stride = 1;
    for (int i = ATTN_RANK_MAX - 1; i >= 0; i--) {
        const int own = i - (ATTN_RANK_MAX - rank);
        t.dims[i] = own >= 0 ? dims[own] : 1;
        t.strides[i] = stride;
        stride *= t.dims[i];
    }
    return t;
}

size_t attn_tensor_count(const attn_tensor *t)
{
    return (size_t)t->dims[0] * (size_t)t->dims[1] * (size_t)t->dims[2];
}

float *attn_tensor_at(const attn_tensor *t, int b, int r, int c)
{
    assert(b >= 0 && b < t->dims[0] && r >= 0 && r < t->dims[1] && c >= 0 && c < t->dims[2]);
    return t->data + b * t->strides[0] + r * t->strides[1] + c * t->strides[2];
}

bool attn_tensor_contiguous(const attn_tensor *t)
{
    ptrdiff_t stride = 1;
    for (int i = ATTN_RANK_MAX - 1; i >= 0; i--) {
        /* A dimension of one is never stepped along: its stride does not matter. */
        if (t->dims[i] != 1 && t->strides[i] != stride) {
            return false;
        }
        stride *= t->dims[i];
    }
    return true;
}

char *attn_tensor_shape(const attn_tensor *t, char *out, size_t size)
{
    assert(size > 0);
    const int *const d = t->dims;
    if (t->rank == 3) {
        (void)snprintf(out, size, "[%d,%d,%d]", d[0], d[1], d[2]);
    } else if (t->rank == 2) {
        (void)snprintf(out, size, "[%d,%d]", d[1], d[2]);
    } else {
        (void)snprintf(out, size, "[%d]", d[2]);
    }
    return out;
}
