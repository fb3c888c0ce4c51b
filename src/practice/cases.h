/**
 * Computations on which every classic bug shows: what a learner's program is tried on. The shapes
 * tell the axes apart (T is not d, and not S in cross), a batch of two is among them, every kind of
 * mask, training where there is dropout, and scores beyond what e^x can take.
 */
#ifndef CASES_H
#define CASES_H

#include "config.h"

enum { CASE_NAME_MAX = 64 };

struct practice_case {
    char name[CASE_NAME_MAX]; /**< "causal mask". */
    struct setup setup;       /**< keep too, where the variant has dropout, in either mode. */
    attn_trace *right;
    float *all_kept; /**< Of the mask that hides nothing, where one was asked for and none given. */
};

/** How many there are for a variant. */
int practice_cases_count(enum attn_variant variant);

/**
 * Make the i-th case. Where there can be a mask there is one: a program is always given it, and may
 * get it wrong where it hides nothing.
 *
 * @param base  The variant and the policies (scale, fill, empty rows, dropout's rate; the mode, if
 * it was given); its sizes, seed, files and mask are left alone.
 * @param c     Out; the caller calls practice_case_finish.
 */
enum attn_status practice_case_make(struct practice_case *c, const struct config *base, int i,
                                    struct attn_error *err);

/**
 * The one case that a configuration describes, its bugs left out.
 *
 * @param masks  It has a mask where there can be one, as the cases above.
 */
enum attn_status practice_case_from(struct practice_case *c, const struct config *config,
                                    bool masks, struct attn_error *err);

void practice_case_finish(struct practice_case *c);

#endif
