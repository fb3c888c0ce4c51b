/* What holds of a tensor, as numbers and as short claims. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "walk_stage.h"

/** Rows of weights sum to 1 within this. */
static const float SUM_TOLERANCE = 1e-4f;

/** Does the mask hide cells of this tensor? */
static bool is_hidden_by_mask(const attn_trace *trace, enum attn_tensor_id id)
{
    /* a mask that comes after the softmax has hidden nothing in the scores, an added one nowhere */
    const bool after =
        (id == ATTN_MASKED && !attn_trace_has_bug(trace, ATTN_BUG_MASK_AFTER_SOFTMAX)) ||
        id == ATTN_WEIGHTS || id == ATTN_DROPPED;
    return after && attn_trace_tensor(trace, ATTN_MASK) != NULL &&
           !attn_trace_has_bug(trace, ATTN_BUG_MASK_ADDED);
}

bool walk_masked(const attn_trace *trace, struct attn_cell cell)
{
    if (!is_hidden_by_mask(trace, cell.tensor)) {
        return false;
    }
    return !attn_trace_keeps(trace, cell.at[0], cell.at[1], cell.at[2]);
}

static bool is_shares(enum attn_tensor_id id)
{
    return attn_tensors[id].kind == ATTN_KIND_PROBABILITY;
}

float walk_row_sum(const attn_trace *trace, enum attn_tensor_id id, int b, int row)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    return attn_sum(attn_order_softmax(t->dims[2]), attn_tensor_at(t, b, row, 0), t->dims[2]);
}

double walk_row_entropy(const attn_trace *trace, enum attn_tensor_id id, int b, int row)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    double entropy = 0;
    for (int s = 0; s < t->dims[2]; s++) {
        const double p = (double)*attn_tensor_at(t, b, row, s);
        entropy -= p > 0 || isnan(p) ? p * log(p) : 0;
    }
    return entropy > 0 || isnan(entropy) ? entropy : 0;
}

/* ---- statistics ---- */

/** One row of a tensor, with what hides its cells. */
struct row {
    const float *values;
    const float *mask;         /**< NULL: nothing is hidden. */
    const attn_trace *changed; /**< A bug makes something else of the mask; else NULL. */
    int b, r;
    bool logit;
    int n;
};

static struct row row_of(const attn_trace *trace, enum attn_tensor_id id, int b, int r)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    const attn_tensor *const mask =
        is_hidden_by_mask(trace, id) ? attn_trace_tensor(trace, ATTN_MASK) : NULL;
    return (struct row){.values = attn_tensor_at(t, b, r, 0),
                        .mask = mask != NULL ? attn_tensor_at(mask, b, r, 0) : NULL,
                        .changed = attn_trace_changed(trace, ATTN_STAGE_MASK) ? trace : NULL,
                        .b = b,
                        .r = r,
                        .logit = attn_tensors[id].kind == ATTN_KIND_LOGIT,
                        .n = t->dims[2]};
}

static bool hidden(const struct row *row, int c)
{
    if (row->mask != NULL && row->changed != NULL) {
        return !attn_trace_keeps(row->changed, row->b, row->r, c);
    }
    return row->mask != NULL && row->mask[c] == 0;
}

/** Does this cell count for means and extremes? */
static bool counts(const struct row *row, int c)
{
    return isfinite(row->values[c]) && !(row->logit && hidden(row, c));
}

/** Count one row; moments[0] gathers values, moments[1] counts them. */
static void count_row(const struct row *row, struct walk_stats *out, double moments[2])
{
    for (int c = 0; c < row->n; c++) {
        const float value = row->values[c];
        const bool masked = hidden(row, c);
        out->count++;
        out->masked += masked ? 1 : 0;
        out->nan += isnan(value) ? 1 : 0;
        out->zero += value == 0 ? 1 : 0;
        out->inf += isinf(value) && !masked ? 1 : 0;
        if (counts(row, c)) {
            const bool first = moments[1] == 0;
            out->min = first || value < out->min ? value : out->min;
            out->max = first || value > out->max ? value : out->max;
            moments[0] += (double)value;
            moments[1] += 1;
        }
    }
}

static double squared_deviations(const struct row *row, double mean)
{
    double sum = 0;
    for (int c = 0; c < row->n; c++) {
        const double d = (double)row->values[c] - mean;
        sum += counts(row, c) ? d * d : 0;
    }
    return sum;
}

static void count_rows(const attn_trace *trace, enum attn_tensor_id id, int b, int n,
                       struct walk_stats *out)
{
    bool first = true;
    int counted = 0;
    for (int row = 0; row < n; row++) {
        const float sum = walk_row_sum(trace, id, b, row);
        const double entropy = walk_row_entropy(trace, id, b, row);
        if (isnan(sum) || isnan(entropy)) {
            continue;
        }
        out->row_sum_min = first || sum < out->row_sum_min ? sum : out->row_sum_min;
        out->row_sum_max = first || sum > out->row_sum_max ? sum : out->row_sum_max;
        out->entropy_min = first || entropy < out->entropy_min ? entropy : out->entropy_min;
        out->entropy_max = first || entropy > out->entropy_max ? entropy : out->entropy_max;
        out->entropy_mean += (entropy - out->entropy_mean) / ++counted;
        first = false;
    }
}

void walk_statistics(const attn_trace *trace, enum attn_tensor_id id, int b, struct walk_stats *out)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    *out = (struct walk_stats){0};
    double moments[2] = {0, 0};
    double squares = 0;
    for (int r = 0; r < t->dims[1]; r++) {
        const struct row row = row_of(trace, id, b, r);
        count_row(&row, out, moments);
    }
    out->mean = moments[1] > 0 ? moments[0] / moments[1] : 0;
    for (int r = 0; r < t->dims[1]; r++) {
        const struct row row = row_of(trace, id, b, r);
        squares += squared_deviations(&row, out->mean);
    }
    out->sd = moments[1] > 0 ? sqrt(squares / moments[1]) : 0;
    out->max_abs = fmaxf(fabsf(out->min), fabsf(out->max));
    if (is_shares(id)) {
        count_rows(trace, id, b, t->dims[1], out);
    }
}

/* ---- claims ---- */

struct claims {
    struct walk_invariant *out;
    int n;
};

static struct walk_text claim(struct claims *claims, enum walk_verdict verdict)
{
    struct walk_invariant *const c = &claims->out[claims->n++];
    c->verdict = verdict;
    return walk_text_in(c->text, sizeof c->text);
}

static void claim_shape(const attn_trace *trace, enum attn_tensor_id id, struct claims *claims)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    int dims[ATTN_RANK_MAX];
    const int rank = attn_tensor_dims(id, &attn_trace_config(trace)->sizes, dims);
    bool right = rank == t->rank;
    for (int i = 0; i < ATTN_RANK_MAX; i++) {
        right = right && dims[i] == t->dims[i];
    }
    char shape[64];
    struct walk_text text = claim(claims, right ? WALK_HOLDS : WALK_BROKEN);
    walk_text_add(&text, "%s", attn_tensor_shape(t, shape, sizeof shape));
}

/** True if no key is left for this query: a row that rightly sums to 0 (or to NaN, by policy). */
static bool row_is_empty(const attn_trace *trace, int b, int row)
{
    const attn_tensor *const logits = attn_trace_tensor(trace, walk_logits(trace));
    for (int s = 0; s < logits->dims[2]; s++) {
        if (*attn_tensor_at(logits, b, row, s) != -INFINITY) {
            return false;
        }
    }
    return true;
}

static void claim_row_sums(const attn_trace *trace, enum attn_tensor_id id, int b, bool drops,
                           struct claims *claims)
{
    const int n = attn_trace_tensor(trace, id)->dims[1];
    float low = INFINITY;
    float high = -INFINITY;
    int empty = 0;
    for (int row = 0; row < n; row++) {
        if (row_is_empty(trace, b, row)) {
            empty++;
            continue;
        }
        const float sum = walk_row_sum(trace, id, b, row);
        low = isnan(sum) || sum < low ? sum : low;
        high = isnan(sum) || sum > high ? sum : high;
    }
    const bool one = low >= 1 - SUM_TOLERANCE && high <= 1 + SUM_TOLERANCE;
    const enum walk_verdict verdict = drops || empty == n ? WALK_PLAIN
                                      : one               ? WALK_HOLDS
                                                          : WALK_BROKEN;
    struct walk_text text = claim(claims, verdict);
    if (empty == n) {
        walk_text_add(&text, "no row has a key");
    } else if (one) {
        walk_text_add(&text, "rows sum to 1");
    } else {
        walk_text_add(&text, "rows sum to %.2f", (double)low);
        if (!(high - low < 0.005f)) {
            walk_text_add(&text, "…%.2f", (double)high);
        }
        walk_text_add(&text, drops ? ": dropout" : "");
    }
    if (empty > 0 && empty < n) {
        walk_text_add(&text, ", %d empty", empty);
    }
}

/**
 * The largest weight that a masked key has, whatever a bug makes of the mask; in a uniform row that
 * is a matter of its flag.
 */
static float leak(const attn_trace *trace, enum attn_tensor_id id, int b)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    const attn_tensor *const mask = attn_trace_tensor(trace, ATTN_MASK);
    float most = 0;
    for (int r = 0; r < t->dims[1]; r++) {
        for (int s = 0; s < t->dims[2]; s++) {
            const float value = *attn_tensor_at(t, b, r, s);
            const bool leaks = *attn_tensor_at(mask, b, r, s) == 0 && value > most;
            most = leaks ? value : most;
        }
    }
    return most;
}

static void claim_masked(const attn_trace *trace, enum attn_tensor_id id, int b,
                         const struct walk_stats *stats, struct claims *claims)
{
    const float most = is_shares(id) ? leak(trace, id, b) : 0;
    struct walk_text text = claim(claims, most > 0                             ? WALK_BROKEN
                                          : is_shares(id) && stats->masked > 0 ? WALK_HOLDS
                                                                               : WALK_PLAIN);
    walk_text_add(&text, "masked %zu", stats->masked);
    if (most > 0) {
        walk_text_add(&text, ", weight up to ");
        walk_text_add_number(&text, (double)most);
    } else if (is_shares(id) && stats->masked > 0) {
        walk_text_add(&text, ", weight 0");
    }
}

static void claim_numbers(const struct walk_stats *stats, unsigned shows, struct claims *claims)
{
    if ((shows & WALK_SHOW_ENTROPY) && stats->nan == 0) { /* a nan has none */
        struct walk_text text = claim(claims, WALK_PLAIN);
        walk_text_add(&text, "entropy mean %.3f", stats->entropy_mean);
    }
    if (shows & WALK_SHOW_PEAK) {
        struct walk_text text = claim(claims, WALK_PLAIN);
        walk_text_add(&text, "max |x| ");
        walk_text_add_number(&text, (double)stats->max_abs);
    }
    if (shows & WALK_SHOW_SPREAD) {
        struct walk_text text = claim(claims, WALK_PLAIN);
        walk_text_add(&text, stats->sd < 1e6 ? "sd %.2f" : "sd %.2g", stats->sd);
    }
}

/** What is claimed of a tensor: its stage's row says so; of an input, what any real number has. */
static unsigned shown(enum attn_tensor_id id)
{
    const enum attn_stage stage = attn_tensors[id].stage;
    const bool real = attn_tensors[id].kind == ATTN_KIND_REAL;
    return stage != ATTN_NO_STAGE ? walk_stages[stage].shows
           : real                 ? WALK_SHOW_PEAK | WALK_SHOW_SPREAD
                                  : 0;
}

int walk_invariants(const attn_trace *trace, enum attn_tensor_id id, int b,
                    struct walk_invariant out[WALK_INVARIANTS_MAX])
{
    struct claims claims = {.out = out};
    struct walk_stats stats;
    const unsigned shows = shown(id);
    walk_statistics(trace, id, b, &stats);
    claim_shape(trace, id, &claims);
    if (shows & WALK_SHOW_ROW_SUMS) {
        claim_row_sums(trace, id, b, (shows & WALK_DROPS) != 0, &claims);
    }
    claim_numbers(&stats, shows, &claims);
    if ((shows & WALK_SHOW_MASKED) && attn_trace_tensor(trace, ATTN_MASK) != NULL) {
        claim_masked(trace, id, b, &stats, &claims);
    }
    struct walk_text text = claim(&claims, stats.nan == 0 ? WALK_HOLDS : WALK_BROKEN);
    walk_text_add(&text, "NaN %zu", stats.nan);
    if (stats.inf > 0) {
        text = claim(&claims, WALK_BROKEN);
        walk_text_add(&text, "inf %zu", stats.inf);
    }
    return claims.n;
}
