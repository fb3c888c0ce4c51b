/* The heat of a number: which of nine shades it has beside the others of its tensor. */
#include <float.h>
#include <math.h>

#include "walk_stage.h"

enum { ZERO = WALK_HEATS / 2 };

int walk_heat_of(enum attn_kind kind, float value, float range)
{
    if (!isfinite(value)) {
        return -1;
    }
    if (kind == ATTN_KIND_PROBABILITY || kind == ATTN_KIND_MASK) {
        /* only 0 looks like 0, and only 1 like 1 */
        return value <= 0 ? 0 : value >= 1 ? WALK_HEATS - 1 : 1 + (int)(value * (WALK_HEATS - 2));
    }
    if (!(range > 0)) {
        return ZERO;
    }
    const double part = fmax(-1, fmin(1, (double)value / (double)range));
    return ZERO + (int)lround(part * ZERO);
}

/** The largest finite |x| of a row, if it is above range. */
static float row_range(const float *row, int n, ptrdiff_t stride, float range)
{
    for (int c = 0; c < n; c++) {
        const float size = fabsf(row[c * stride]);
        range = size > range && size <= FLT_MAX ? size : range;
    }
    return range;
}

/** The same without what a mask hides. */
static float shown_range(const attn_trace *trace, struct attn_cell cell, const float *row, int n,
                         ptrdiff_t stride, float range)
{
    for (cell.at[2] = 0; cell.at[2] < n; cell.at[2]++) {
        const float size = fabsf(row[cell.at[2] * stride]);
        if (size > range && size <= FLT_MAX && !walk_masked(trace, cell)) {
            range = size; /* few are, so that the mask is asked for few */
        }
    }
    return range;
}

float walk_heat_range(const attn_trace *trace, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    const bool logit = attn_tensors[id].kind == ATTN_KIND_LOGIT;
    float range = 0;
    for (int b = 0; b < t->dims[0]; b++) {
        for (int r = 0; r < t->dims[1]; r++) {
            const struct attn_cell cell = {.tensor = id, .at = {b, r, 0}};
            const float *const row = attn_tensor_at(t, b, r, 0);
            range = logit ? shown_range(trace, cell, row, t->dims[2], t->strides[2], range)
                          : row_range(row, t->dims[2], t->strides[2], range);
        }
    }
    return range;
}

/** The decimals from `least` on that show a number as four do. */
static int decimals_of(double value, int least)
{
    static const double units[] = {1, 10, 100, 1000, 10000};
    while (least < 4 &&
           fabs(value - round(value * units[least]) / units[least]) >= 0.5 / units[4]) {
        least++;
    }
    const bool vanishes = value != 0 && fabs(value) * units[least] < 0.5;
    return vanishes ? 4 : least;
}

int walk_decimals(const attn_trace *trace, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    int decimals = 0;
    for (int b = 0; b < t->dims[0]; b++) {
        for (int r = 0; r < t->dims[1]; r++) {
            for (int c = 0; c < t->dims[2] && decimals < 4; c++) {
                const double value =
                    (double)walk_value(trace, (struct attn_cell){.tensor = id, .at = {b, r, c}});
                decimals = isfinite(value) ? decimals_of(value, decimals) : decimals;
            }
        }
    }
    return decimals;
}

int walk_heat_in(const attn_trace *trace, struct attn_cell cell, float range)
{
    if (walk_masked(trace, cell)) {
        return -1;
    }
    return walk_heat_of(attn_tensors[cell.tensor].kind, walk_value(trace, cell), range);
}

int walk_heat(const attn_trace *trace, struct attn_cell cell)
{
    const bool real = attn_tensors[cell.tensor].kind == ATTN_KIND_REAL ||
                      attn_tensors[cell.tensor].kind == ATTN_KIND_LOGIT;
    return walk_heat_in(trace, cell, real ? walk_heat_range(trace, cell.tensor) : 1);
}
