/* A large matrix in a small place: one number for a block of cells. */
#include <assert.h>
#include <math.h>

#include "walk_stage.h"

void walk_pool_bounds(int n, int n_blocks, int i, int *lo, int *hi)
{
    assert(n_blocks >= 1 && i >= 0 && i < n_blocks);
    *lo = (int)((long long)n * i / n_blocks);
    *hi = (int)((long long)n * (i + 1) / n_blocks);
}

/** What is gathered while going over the cells of a block. */
struct block {
    double sum;
    float peak;
    int counted, masked, cells;
    bool nan;
};

static void gather(const attn_trace *trace, struct attn_cell cell, struct block *block)
{
    const float value = walk_value(trace, cell);
    const bool masked = walk_masked(trace, cell);
    block->cells++;
    block->masked += masked ? 1 : 0;
    block->nan = block->nan || isnan(value);
    if (masked || !isfinite(value)) {
        return;
    }
    block->counted++;
    block->sum += (double)value;
    block->peak = fabsf(value) > fabsf(block->peak) ? value : block->peak;
}

static struct walk_pooled pooled(const struct block *block, enum walk_pool_kind kind,
                                 enum attn_kind tensor_kind, float range)
{
    struct walk_pooled out = {
        .heat = -1, .masked = block->masked == block->cells, .nan = block->nan};
    if (block->counted > 0) {
        out.value = kind == WALK_POOL_PEAK ? block->peak : (float)(block->sum / block->counted);
        out.heat = walk_heat_of(tensor_kind, out.value, range);
    }
    return out;
}

void walk_pool(const attn_trace *trace, enum attn_tensor_id id, int b, enum walk_pool_kind kind,
               float range, int rows, int columns, struct walk_pooled *out)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    assert(rows >= 1 && rows <= t->dims[1] && columns >= 1 && columns <= t->dims[2]);
    for (int i = 0; i < rows * columns; i++) {
        int top, bottom, left, right;
        walk_pool_bounds(t->dims[1], rows, i / columns, &top, &bottom);
        walk_pool_bounds(t->dims[2], columns, i % columns, &left, &right);
        struct block block = {0};
        for (int r = top; r < bottom; r++) {
            for (int c = left; c < right; c++) {
                gather(trace, (struct attn_cell){.tensor = id, .at = {b, r, c}}, &block);
            }
        }
        out[i] = pooled(&block, kind, attn_tensors[id].kind, range);
    }
}
