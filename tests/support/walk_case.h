/** A random computation of any variant with every policy, and a trace of it. */
#ifndef WALK_CASE_H
#define WALK_CASE_H

#include <stdint.h>

#include "walk.h"

enum { WALK_CASES_A_GROUP = 15 };

struct walk_case {
    attn_config config;
    attn_tensor inputs[ATTN_N_TENSORS]; /**< Data owned by the case. */
    attn_trace *trace;
    struct setup setup; /**< Tokens and mask_text only; the labels are constants. */
    char text[160];     /**< What it is, for a failing test's message. */
    uint64_t random;    /**< The state of the generator. */
};

/** The case of this number; the variant goes round. Fails the running test if it cannot be made. */
void walk_case_init(struct walk_case *c, int number);
void walk_case_finish(struct walk_case *c);
/** The case of this number with what the bug needs to show: a padding mask, a dropout pattern,
 * larger scores. The bug is not on yet. */
void walk_case_init_for_bug(struct walk_case *c, int number, enum attn_bug bug);
/** Would these bugs make a difference to it? The case is left without any. */
bool walk_case_bugs_apply(struct walk_case *c, const enum attn_bug *bugs, int n);
/** Run f on the cases of a group: WALK_CASES_A_GROUP of them, in one process of the test's. */
void walk_case_each(int group, void (*f)(struct walk_case *c));
/** Fail the running test, with the case's text before the message, unless it holds. Cheaper than
 * ck_assert_msg, which writes to a pipe each time. */
void walk_case_check(const struct walk_case *c, bool holds, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
/** The next random number below n. */
int walk_case_below(struct walk_case *c, int n);

#endif
