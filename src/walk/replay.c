/* A cell's value once more, from its terms alone. */
#include <assert.h>
#include <stddef.h>

#include "walk_stage.h"

_Static_assert(sizeof(struct walk_term) % sizeof(float) == 0, "terms are a stride of floats");

/** The operands of all terms, as a column of the array of terms. */
static const float *operand_column(const struct walk_explanation *e, int which)
{
    const char *const base = (const char *)e->terms;
    const size_t offset = offsetof(struct walk_term, operand) + (size_t)which * sizeof(float);
    return (const float *)(const void *)(base + offset);
}

float walk_replay_products(const attn_trace *trace, const struct walk_explanation *e)
{
    (void)trace;
    const bool bias = e->terms[e->n_terms - 1].kind == WALK_TERM_BIAS;
    const ptrdiff_t step = (ptrdiff_t)(sizeof(struct walk_term) / sizeof(float));
    const float sum = attn_dot(e->order, operand_column(e, 0), step, operand_column(e, 1), step,
                               e->n_terms - (bias ? 1 : 0));
    return bias ? sum + e->terms[e->n_terms - 1].value : sum;
}

float walk_replay_split(const attn_trace *trace, const struct walk_explanation *e)
{
    (void)trace;
    return e->terms[0].value;
}

float walk_replay_scale(const attn_trace *trace, const struct walk_explanation *e)
{
    const float score = e->terms[0].value;
    const float constant = e->terms[1].value;
    return attn_trace_config(trace)->scale_given ? score * constant : score / constant;
}

float walk_replay_mask(const attn_trace *trace, const struct walk_explanation *e)
{
    (void)trace;
    return e->terms[1].value != 0 ? e->terms[0].value : e->terms[2].value;
}

float walk_sum_exponentials(const struct walk_explanation *e, int n)
{
    const int lanes = e->order == ATTN_ORDER_LANES8 ? 8 : 1;
    float lane[8] = {0};
    for (int s = 0; s < n; s++) {
        lane[s % lanes] += e->terms[1 + n + s].value;
    }
    const float even = (lane[0] + lane[4]) + (lane[2] + lane[6]);
    const float odd = (lane[1] + lane[5]) + (lane[3] + lane[7]);
    return lanes == 1 ? lane[0] : even + odd;
}

float walk_replay_softmax(const attn_trace *trace, const struct walk_explanation *e)
{
    (void)trace;
    const struct walk_term *const last = &e->terms[e->n_terms - 1];
    if (last->kind == WALK_TERM_CONSTANT) {
        return last->value;
    }
    const int n = (e->n_terms - 3) / 2;
    const float mine = e->terms[1 + n + e->cell.at[2]].value;
    return mine * (1.0f / walk_sum_exponentials(e, n));
}

float walk_replay_drop(const attn_trace *trace, const struct walk_explanation *e)
{
    (void)trace;
    const bool all = e->n_terms == 2; /* p = 1: no pattern */
    const float factor = all ? e->terms[1].value : e->terms[1].value * e->terms[2].value;
    return e->terms[0].value * factor;
}

float walk_replay(const attn_trace *trace, const struct walk_explanation *e)
{
    return walk_row(trace, attn_trace_writer(trace, e->cell.tensor))->replay(trace, e);
}
