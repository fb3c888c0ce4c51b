/**
 * A learner's results held against the right ones: which stage is off first, and which of the
 * classic bugs explains it.
 *
 * What explains a result computes the same numbers, within the tolerance, from the same inputs: on
 * every tensor that was given where there is such a bug, else on the last one. A right result is
 * never accused, and a bug that changes nothing is never named.
 */
#ifndef DIAGNOSE_H
#define DIAGNOSE_H

#include <stdbool.h>

#include "attn/attn.h"

/** Equal is |yours − right| <= absolute + relative·|right|; two NaN, or two equal infinities. */
struct diagnose_tolerance {
    double relative, absolute;
};

/** 1e-4 and 1e-5. */
extern const struct diagnose_tolerance diagnose_tolerance;

bool diagnose_equal(float yours, float right, const struct diagnose_tolerance *tolerance);

/** One computation, and what somebody got for it. Nothing is owned. */
struct diagnose_case {
    const attn_config *config; /**< Without bugs. */
    const attn_tensor *inputs; /**< As for attn_trace_create; keep and the mask's parts too, where
                                    the bugs about them are to be recognised. */
    const attn_trace *right;
    attn_tensor got[ATTN_N_TENSORS]; /**< Stage tensors of the right shape; data NULL: not given. */
};

/** How one tensor compares. */
struct diagnose_stage {
    enum attn_tensor_id tensor;
    size_t off;     /**< Cells beyond the tolerance. */
    double largest; /**< Largest |yours − right|; infinite for NaN or ∞ against anything else. */
    int largest_at[3], first_at[3];
    float largest_yours, largest_right;
    float first_yours, first_right;
    size_t nan; /**< Of yours where the right one is a number. */
};

/** One explanation: a bug, or two. */
struct diagnose_cause {
    enum attn_bug bugs[ATTN_BUGS_MAX];
    int n;
    enum attn_layer layer; /**< The one that it is in; ATTN_N_LAYERS: not in a single one. */
    double apart;          /**< How far it is from what was got, at most. */
};

enum { DIAGNOSE_CAUSES_MAX = 32 };

struct diagnosis {
    bool right;
    bool other_empty_row; /**< Right but for rows without a key, which follow another policy. */
    int at_case;          /**< The first case that is off, or 0. */
    struct diagnose_stage stages[ATTN_N_TENSORS]; /**< Of that case, in the order of the stages. */
    int n_stages;
    int first; /**< Of stages: the first that is off, or -1. */
    struct diagnose_cause
        causes[DIAGNOSE_CAUSES_MAX]; /**< Equal explanations, the nearest first. */
    int n_causes;
    bool pairs_left_out; /**< Too large to try two bugs at once. */
};

/**
 * Compare, and look for what explains the difference: single bugs, then pairs.
 *
 * @param cases  One or more; the same mistake has to explain them all.
 * @return ATTN_OK, ATTN_E_NOMEM, or ATTN_E_VALUE where a case has nothing to compare.
 */
enum attn_status diagnose(struct diagnosis *out, const struct diagnose_case *cases, int n_cases,
                          const struct diagnose_tolerance *tolerance, struct attn_error *err);

/** "no-scale, scale-dk+no-bias", "unknown" where nothing explains it. @return out. */
char *diagnose_names(const struct diagnosis *diagnosis, char *out, size_t size);

#endif
