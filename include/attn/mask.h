/**
 * Keep masks: 1 keeps a key for a query, 0 hides it. Parts are combined by hiding what any part
 * hides.
 */
#ifndef ATTN_MASK_H
#define ATTN_MASK_H

#include "attn/status.h"
#include "attn/tensor.h"

enum attn_causal_align {
    ATTN_CAUSAL_TOP_LEFT,    /**< Query t sees keys s <= t, as torch.tril does. */
    ATTN_CAUSAL_BOTTOM_RIGHT /**< Query t sees keys s <= t + (S - T): a cached decoder. */
};

/** Hide the future in keep[B,T,S] (contiguous; set to 0 where hidden, others left as they are). */
void attn_mask_causal(attn_tensor *keep, enum attn_causal_align align);

/**
 * Hide the padding in keep[B,T,S]: in batch element b the keys from lengths[b] on.
 * @param lengths    n of them: one for all, or exactly B; each 0…S.
 * @return ATTN_OK, ATTN_E_SHAPE (n is neither 1 nor B), ATTN_E_VALUE (a length is negative or above
 * S).
 */
enum attn_status attn_mask_padding(attn_tensor *keep, const int *lengths, int n,
                                   struct attn_error *err);

/**
 * Hide in keep[B,T,S] what mask hides, broadcast from the right as PyTorch does.
 *
 * @param mask   [S], [T,S] or [1,S], [1,T,S], [B,1,S], [B,T,S], …; each value 0 or 1.
 * @param keeps  The value that keeps: 1, or 0 for the opposite convention.
 * @return ATTN_OK, ATTN_E_VALUE (neither 0 nor 1; the value and its place are in the message), or
 *         ATTN_E_SHAPE (does not broadcast; for a [B,S] the message names [B,1,S]).
 */
enum attn_status attn_mask_merge(attn_tensor *keep, const attn_tensor *mask, int keeps,
                                 struct attn_error *err);

#endif
