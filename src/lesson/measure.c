/* Numbers about many cells: `says: sum(weights[sat]) = 1`. */
#include <math.h>
#include <string.h>

#include "lesson_parts.h"

/** Some numbers of a tensor, one row after the other. */
struct numbers {
    const attn_tensor *t;
    int lo[3], n[3]; /**< From where, and how many, along each axis. */
    int products;    /**< That each of them is the sum of; 0: it is no product of matrices. */
};

static double value_of(const struct numbers *x, int b, int r, int c)
{
    return (double)*attn_tensor_at(x->t, x->lo[0] + b, x->lo[1] + r, x->lo[2] + c);
}

/* ---- of all numbers: sums of powers around a centre ---- */

/** @param finite  Leave out what is not: a hidden score has no share in a mean. */
static double power_sum(const struct numbers *x, double centre, int power, bool finite)
{
    double sum = 0;
    for (int b = 0; b < x->n[0]; b++) {
        for (int r = 0; r < x->n[1]; r++) {
            for (int c = 0; c < x->n[2]; c++) {
                const double value = value_of(x, b, r, c);
                sum += finite && !isfinite(value) ? 0 : pow(value - centre, power);
            }
        }
    }
    return sum;
}

static double sum_of(const struct numbers *x)
{
    return power_sum(x, 0, 1, false);
}

static double mean_of(const struct numbers *x)
{
    return power_sum(x, 0, 1, true) / power_sum(x, 0, 0, true);
}

static double sd_of(const struct numbers *x)
{
    return sqrt(power_sum(x, mean_of(x), 2, true) / power_sum(x, 0, 0, true));
}

static double extreme_of(const struct numbers *x, double sign)
{
    double best = -INFINITY;
    for (int b = 0; b < x->n[0]; b++) {
        for (int r = 0; r < x->n[1]; r++) {
            for (int c = 0; c < x->n[2]; c++) {
                best = fmax(best, sign * value_of(x, b, r, c));
            }
        }
    }
    return sign * best;
}

static double max_of(const struct numbers *x)
{
    return extreme_of(x, 1);
}

static double min_of(const struct numbers *x)
{
    return extreme_of(x, -1);
}

/* ---- what they cost ---- */

static double count_of(const struct numbers *x)
{
    return (double)x->n[0] * x->n[1] * x->n[2];
}

static double bytes_of(const struct numbers *x)
{
    return count_of(x) * (double)sizeof(float);
}

/** A multiplication and an addition for each product; a bias is not counted. */
static double operations_of(const struct numbers *x)
{
    return count_of(x) * 2 * x->products;
}

/** How many products one number of this tensor is the sum of: the width of what its rows meet. */
static int products_of(const attn_trace *trace, enum attn_tensor_id id)
{
    static const struct {
        enum attn_tensor_id product, factor;
    } of[] = {
        {ATTN_Q, ATTN_W_Q},        {ATTN_K, ATTN_W_K},    {ATTN_V, ATTN_W_V},
        {ATTN_QKV, ATTN_W_QKV},    {ATTN_SCORES, ATTN_Q}, {ATTN_CONTEXT, ATTN_WEIGHTS},
        {ATTN_OUTPUT, ATTN_W_OUT},
    };
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        const attn_tensor *const factor = attn_trace_tensor(trace, of[i].factor);
        if (of[i].product == id && factor != NULL) {
            return factor->dims[2];
        }
    }
    return 0;
}

/* ---- of each row; of several rows the mean ---- */

static double mean_of_rows(const struct numbers *x, double (*measure)(const struct numbers *row))
{
    double sum = 0;
    for (int b = 0; b < x->n[0]; b++) {
        for (int r = 0; r < x->n[1]; r++) {
            const struct numbers row = {
                .t = x->t, .lo = {x->lo[0] + b, x->lo[1] + r, x->lo[2]}, .n = {1, 1, x->n[2]}};
            sum += measure(&row);
        }
    }
    return sum / (x->n[0] * x->n[1]);
}

static double row_entropy(const struct numbers *row)
{
    double entropy = 0;
    for (int c = 0; c < row->n[2]; c++) {
        const double p = value_of(row, 0, 0, c);
        entropy -= p == 0 ? 0 : p * log(p);
    }
    return entropy;
}

/** The size of what the softmax hands back: ‖diag(A) − AAᵀ‖, the root of the sum of its squares. */
static double row_slope(const struct numbers *row)
{
    double squares = 0;
    for (int i = 0; i < row->n[2]; i++) {
        for (int j = 0; j < row->n[2]; j++) {
            const double a = value_of(row, 0, 0, i);
            const double slope = (i == j ? a : 0) - a * value_of(row, 0, 0, j);
            squares += slope * slope;
        }
    }
    return sqrt(squares);
}

static double largest_of(const struct numbers *x)
{
    return mean_of_rows(x, max_of);
}

static double entropy_of(const struct numbers *x)
{
    return mean_of_rows(x, row_entropy);
}

static double slope_of(const struct numbers *x)
{
    return mean_of_rows(x, row_slope);
}

static const struct {
    const char *name;
    bool rows; /**< It needs whole rows. */
    double (*measure)(const struct numbers *x);
} measures[LESSON_N_MEASURES] = {
    [LESSON_CELL] = {"", false, sum_of},
    [LESSON_SUM] = {"sum", false, sum_of},
    [LESSON_MEAN] = {"mean", false, mean_of},
    [LESSON_SD] = {"sd", false, sd_of},
    [LESSON_MIN] = {"min", false, min_of},
    [LESSON_MAX] = {"max", false, max_of},
    [LESSON_LARGEST] = {"largest", true, largest_of},
    [LESSON_ENTROPY] = {"entropy", true, entropy_of},
    [LESSON_SLOPE] = {"slope", true, slope_of},
    [LESSON_COUNT] = {"count", false, count_of},
    [LESSON_BYTES] = {"bytes", false, bytes_of},
    [LESSON_OPERATIONS] = {"operations", false, operations_of},
};

bool lesson_measure_read(struct lesson_reader *r, struct lesson_claim *claim, const char *text,
                         int column)
{
    const char *const open = strchr(text, '(');
    const size_t length = strlen(text);
    char inner[256];
    if (open == NULL || text[length - 1] != ')' || length >= sizeof inner) {
        return lesson_ref_read(r, &claim->ref, text, claim->line, column);
    }
    const size_t n = (size_t)(open - text);
    for (int i = LESSON_CELL + 1; i < LESSON_N_MEASURES; i++) {
        if (strlen(measures[i].name) == n && memcmp(measures[i].name, text, n) == 0) {
            claim->measure = (enum lesson_measure)i;
        }
    }
    if (claim->measure == LESSON_CELL) {
        lesson_error_add(r->errors, claim->line, column,
                         "'%.*s' measures nothing (sum, mean, sd, min, max, largest, entropy, "
                         "slope, count, bytes or operations)",
                         (int)(n < 60 ? n : 60), text);
        return false;
    }
    memcpy(inner, open + 1, length - n - 2);
    inner[length - n - 2] = '\0';
    return lesson_ref_read(r, &claim->ref, inner, claim->line, column + (int)n + 1);
}

static enum attn_status fail_part(const struct lesson_claim *claim, const char *needs,
                                  struct attn_error *err)
{
    const enum attn_status status =
        attn_fail(err, ATTN_E_VALUE, NULL, "%s %s", measures[claim->measure].name, needs);
    if (err != NULL) {
        err->line = claim->ref.line;
        err->column = claim->ref.column;
    }
    return status;
}

enum attn_status lesson_measure(const struct lesson_claim *claim, const struct setup *setup,
                                const attn_trace *trace, double *out, struct attn_error *err)
{
    struct lesson_ref ref = claim->ref;
    bool all[3] = {false, false, false};
    for (int i = 0; i < ref.n_at; i++) {
        all[i] = strcmp(ref.at[i], "*") == 0;
        if (all[i]) {
            memcpy(ref.at[i], "0", 2);
        }
    }
    struct attn_cell cell;
    const enum attn_status status = lesson_cell(&ref, setup, trace, &cell, err);
    if (status != ATTN_OK) {
        return status;
    }
    struct numbers x = {.t = attn_trace_tensor(trace, cell.tensor),
                        .products = products_of(trace, cell.tensor)};
    const int unused = lesson_ref_free(&ref, x.t);
    for (int axis = 0; axis < 3; axis++) {
        const int i = axis - (3 - unused - ref.n_at);
        const bool whole = i >= ref.n_at || (i >= 0 && all[i]) || ref.n_at == 0;
        x.lo[axis] = cell.at[axis];
        x.n[axis] = whole ? x.t->dims[axis] : 1;
    }
    if (measures[claim->measure].rows && x.n[2] < x.t->dims[2]) {
        return fail_part(claim, "is of whole rows (name a row, or a tensor)", err);
    }
    if (claim->measure == LESSON_OPERATIONS && x.products == 0) {
        return fail_part(claim, "are those of products of matrices (such as scores or context)",
                         err);
    }
    *out = measures[claim->measure].measure(&x);
    return ATTN_OK;
}

const char *lesson_measure_name(enum lesson_measure measure)
{
    return measures[measure].name;
}
