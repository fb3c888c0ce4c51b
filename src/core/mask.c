#include "attn/mask.h"

#include <stdio.h>

/* Hide the keys from first on in one row. */
static void hide_from(attn_tensor *keep, int b, int t, int first)
{
    for (int s = first < 0 ? 0 : first; s < keep->dims[2]; s++) {
        *attn_tensor_at(keep, b, t, s) = 0.0F;
    }
}

void attn_mask_causal(attn_tensor *keep, enum attn_causal_align align)
{
    const int T = keep->dims[1];
    const int S = keep->dims[2];
    const int shift = align == ATTN_CAUSAL_BOTTOM_RIGHT ? S - T : 0;
    for (int b = 0; b < keep->dims[0]; b++) {
        for (int t = 0; t < T; t++) {
            hide_from(keep, b, t, t + shift + 1);
        }
    }
}

enum attn_status attn_mask_padding(attn_tensor *keep, const int *lengths, int n,
                                   struct attn_error *err)
{
    const int B = keep->dims[0];
    const int S = keep->dims[2];
    if (n != 1 && n != B) {
        return attn_fail(err, ATTN_E_SHAPE, NULL,
                         "%d padding lengths for a batch of %d (give one for all, or one for each "
                         "sequence)",
                         n, B);
    }
    for (int i = 0; i < n; i++) {
        if (lengths[i] < 0 || lengths[i] > S) {
            return attn_fail(err, ATTN_E_VALUE, NULL,
                             "the padding length %d is not within the keys (give 0 to %d)",
                             lengths[i], S);
        }
    }
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < keep->dims[1]; t++) {
            hide_from(keep, b, t, lengths[n == 1 ? 0 : b]);
        }
    }
    return ATTN_OK;
}

static enum attn_status refuse_shape(const attn_tensor *keep, const attn_tensor *mask,
                                     struct attn_error *err)
{
    const int *const to = keep->dims;
    char from_text[48];
    char to_text[48];
    (void)attn_tensor_shape(mask, from_text, sizeof from_text);
    (void)attn_tensor_shape(keep, to_text, sizeof to_text);
    if (mask->rank == 2 && mask->dims[1] == to[0] && mask->dims[2] == to[2]) {
        return attn_fail(err, ATTN_E_SHAPE, NULL,
                         "a mask of shape %s does not broadcast to the scores' %s: with two "
                         "dimensions it is [T,S] or [1,S] (for a row of keys for each sequence "
                         "give it as [B,1,S], here [%d,1,%d])",
                         from_text, to_text, to[0], to[2]);
    }
    return attn_fail(err, ATTN_E_SHAPE, NULL,
                     "a mask of shape %s does not broadcast to the scores' %s (give [S], [T,S], "
                     "[1,T,S], [B,1,S] or [B,T,S], here B %d, T %d, S %d)",
                     from_text, to_text, to[0], to[1], to[2]);
}

static enum attn_status check_values(const attn_tensor *mask, struct attn_error *err)
{
    for (int b = 0; b < mask->dims[0]; b++) {
        for (int t = 0; t < mask->dims[1]; t++) {
            for (int s = 0; s < mask->dims[2]; s++) {
                const float value = *attn_tensor_at(mask, b, t, s);
                if (value == 0.0F || value == 1.0F) {
                    continue;
                }
                const attn_tensor place = {.rank = mask->rank, .dims = {b, t, s}};
                char at[48];
                return attn_fail(err, ATTN_E_VALUE, NULL,
                                 "the mask has %g at %s (a mask holds 0 and 1 only; it is never "
                                 "added to the scores)",
                                 (double)value, attn_tensor_shape(&place, at, sizeof at));
            }
        }
    }
    return ATTN_OK;
}

enum attn_status attn_mask_merge(attn_tensor *keep, const attn_tensor *mask, int keeps,
                                 struct attn_error *err)
{
    const int *const from = mask->dims;
    ptrdiff_t strides[ATTN_RANK_MAX];
    for (int i = 0; i < ATTN_RANK_MAX; i++) {
        if (from[i] != 1 && from[i] != keep->dims[i]) {
            return refuse_shape(keep, mask, err);
        }
        strides[i] = from[i] == 1 ? 0 : mask->strides[i];
    }
    const enum attn_status status = check_values(mask, err);
    if (status != ATTN_OK) {
        return status;
    }
    for (int b = 0; b < keep->dims[0]; b++) {
        for (int t = 0; t < keep->dims[1]; t++) {
            const float *const row = mask->data + b * strides[0] + t * strides[1];
            for (int s = 0; s < keep->dims[2]; s++) {
                if ((row[s * strides[2]] != 0.0F) != (keeps != 0)) {
                    *attn_tensor_at(keep, b, t, s) = 0.0F;
                }
            }
        }
    }
    return ATTN_OK;
}
