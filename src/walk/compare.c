/* Two traces side by side: where they differ, by how much, and from which step on. */
#include <math.h>

#include "walk_stage.h"

static bool same_shape(const attn_tensor *a, const attn_tensor *b)
{
    for (int i = 0; i < ATTN_RANK_MAX; i++) {
        if (a->dims[i] != b->dims[i]) {
            return false;
        }
    }
    return true;
}

/** |a − b|; two NaN are equal, and so are two equal infinities. */
static double distance(float a, float b)
{
    if (a == b || (isnan(a) && isnan(b))) {
        return 0;
    }
    const double d = fabs((double)a - (double)b);
    return isfinite(d) ? d : (double)INFINITY;
}

/** The tensors that stand for id in both traces. @return false if they cannot be compared. */
static bool sources(const attn_trace *a, const attn_trace *b, enum attn_tensor_id id,
                    enum attn_tensor_id source[2])
{
    source[0] = attn_trace_source(a, id);
    source[1] = attn_trace_source(b, id);
    return source[0] != ATTN_NO_TENSOR && source[1] != ATTN_NO_TENSOR &&
           same_shape(attn_trace_tensor(a, source[0]), attn_trace_tensor(b, source[1]));
}

static void compare_tensor(const attn_trace *a, const attn_trace *b, double tolerance,
                           struct walk_difference *out)
{
    const attn_tensor *const ta = attn_trace_tensor(a, out->source[0]);
    const attn_tensor *const tb = attn_trace_tensor(b, out->source[1]);
    for (int i = 0; i < ta->dims[0]; i++) {
        for (int r = 0; r < ta->dims[1]; r++) {
            for (int c = 0; c < ta->dims[2]; c++) {
                const double d =
                    distance(*attn_tensor_at(ta, i, r, c), *attn_tensor_at(tb, i, r, c));
                if (!(d > tolerance)) {
                    continue;
                }
                const struct attn_cell cell = {.tensor = out->tensor, .at = {i, r, c}};
                if (out->cells++ == 0) {
                    out->first_at = cell;
                }
                if (d > out->largest) {
                    out->largest = d;
                    out->largest_at = cell;
                }
            }
        }
    }
}

/** Add a row for this tensor, if either trace has it. */
static void add_tensor(const attn_trace *a, const attn_trace *b, enum attn_tensor_id id,
                       double tolerance, struct walk_diff *out)
{
    if (attn_trace_tensor(a, id) == NULL && attn_trace_tensor(b, id) == NULL) {
        return;
    }
    struct walk_difference *const row = &out->tensors[out->n++];
    *row = (struct walk_difference){.tensor = id};
    row->comparable = sources(a, b, id, row->source);
    if (row->comparable) {
        compare_tensor(a, b, tolerance, row);
    }
}

/** Does the cell of row i come before that of row j? Both are of stage tensors; rows stand in the
 * order of the stages, and the tensors of one stage take turns with every batch element. */
static bool comes_before(const struct walk_diff *diff, int i, int j)
{
    const struct walk_difference *const a = &diff->tensors[i];
    const struct walk_difference *const b = &diff->tensors[j];
    if (attn_tensors[a->tensor].stage != attn_tensors[b->tensor].stage) {
        return i < j;
    }
    return a->first_at.at[0] != b->first_at.at[0] ? a->first_at.at[0] < b->first_at.at[0] : i < j;
}

void walk_compare(const attn_trace *a, const attn_trace *b, double tolerance, struct walk_diff *out)
{
    *out = (struct walk_diff){.first = -1};
    /* the tensors' ids are in the order of the stages, inputs first */
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        add_tensor(a, b, (enum attn_tensor_id)id, tolerance, out);
    }
    for (int i = 0; i < out->n; i++) {
        const struct walk_difference *const row = &out->tensors[i];
        const bool computed = attn_trace_writer(a, row->tensor) != ATTN_NO_STAGE ||
                              attn_trace_writer(b, row->tensor) != ATTN_NO_STAGE;
        if (computed && row->cells > 0 && (out->first < 0 || comes_before(out, i, out->first))) {
            out->first = i;
            out->first_at = row->first_at;
        }
    }
}

enum attn_tensor_id walk_counterpart(const attn_trace *a, const attn_trace *b,
                                     enum attn_tensor_id id)
{
    enum attn_tensor_id source[2];
    return sources(a, b, id, source) ? source[1] : ATTN_NO_TENSOR;
}

bool walk_differs(const attn_trace *a, const attn_trace *b, struct attn_cell cell, double tolerance,
                  float *other)
{
    enum attn_tensor_id source[2];
    const bool comparable = sources(a, b, cell.tensor, source);
    float values[2] = {NAN, NAN};
    for (int i = 0; i < 2 && comparable; i++) {
        struct attn_cell there = cell;
        there.tensor = source[i];
        values[i] = walk_value(i == 0 ? a : b, there);
    }
    if (other != NULL) {
        *other = values[1];
    }
    return comparable && distance(values[0], values[1]) > tolerance;
}
