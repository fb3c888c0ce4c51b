/* The gradient of a cell: backwards over the stages, and the inputs that come first in it. */
#include "walk_slope.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slope_parts.h"

/* ---- what the stages' functions work with ---- */

const double *walk_slope_row(const struct walk_gradient *g, enum attn_tensor_id id, int row)
{
    const struct walk_gradient_part *const part = &g->of[id];
    if (row < part->lo || row >= part->hi) {
        return NULL;
    }
    const double *const data = part->data + (size_t)row * (size_t)part->columns;
    for (int i = 0; i < part->columns; i++) {
        if (data[i] != 0.0) {
            return data;
        }
    }
    return NULL;
}

double *walk_slope_into(struct walk_gradient *g, enum attn_tensor_id id, int row)
{
    struct walk_gradient_part *const part = &g->of[id];
    const bool first = part->lo == part->hi;
    assert(part->data != NULL && row >= 0 && row < part->rows);
    part->lo = first || row < part->lo ? row : part->lo;
    part->hi = first || row >= part->hi ? row + 1 : part->hi;
    return part->data + (size_t)row * (size_t)part->columns;
}

bool walk_slope_spend(struct walk_gradient *g, enum attn_tensor_id output, int n)
{
    const struct walk_gradient_part *const part = &g->of[output];
    g->products += 2.0 * (part->hi - part->lo) * part->columns * n;
    return g->products <= g->products_max;
}

const float *walk_slope_values(const attn_trace *trace, const struct walk_gradient *g,
                               enum attn_tensor_id id, int row)
{
    const bool batched = attn_tensors[id].axes[0] == ATTN_AXIS_B;
    return attn_tensor_at(attn_trace_tensor(trace, id), batched ? g->cell.at[0] : 0, row, 0);
}

void walk_slope_products(double *da, double *db, const float *a, const float *b, ptrdiff_t step,
                         int n, double slope)
{
    for (int i = 0; i < n; i++) {
        da[i] += slope * (double)b[i * step];
    }
    for (int i = 0; i < n; i++) {
        db[i * step] += slope * (double)a[i];
    }
}

/* ---- backwards ---- */

static enum attn_status make_part(const attn_trace *trace, struct walk_gradient *g,
                                  enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    struct walk_gradient_part *const part = &g->of[id];
    if (part->data != NULL) {
        return ATTN_OK;
    }
    part->rows = t->dims[1];
    part->columns = t->dims[2];
    part->data = calloc((size_t)part->rows * (size_t)part->columns, sizeof *part->data);
    return part->data != NULL ? ATTN_OK : ATTN_E_NOMEM;
}

/** A place for whatever the stage may read; masks and patterns are constants. */
static enum attn_status make_inputs(const attn_trace *trace, struct walk_gradient *g,
                                    enum attn_stage stage)
{
    enum attn_status status = ATTN_OK;
    const enum attn_tensor_id *input = attn_stages[stage].inputs;
    for (; *input != ATTN_NO_TENSOR && status == ATTN_OK; input++) {
        const enum attn_tensor_id id = attn_trace_source(trace, *input);
        if (id != ATTN_NO_TENSOR && attn_tensors[id].kind != ATTN_KIND_MASK) {
            status = make_part(trace, g, id);
        }
    }
    return status;
}

/** From the gradients of a stage's outputs to those of what it read. */
static enum attn_status step_back(const attn_trace *trace, struct walk_gradient *g,
                                  enum attn_stage stage)
{
    bool made = false;
    const enum attn_tensor_id *output = attn_stages[stage].outputs;
    for (; *output != ATTN_NO_TENSOR; output++) {
        if (g->of[*output].data == NULL || g->products > g->products_max) {
            continue;
        }
        if (!made && make_inputs(trace, g, stage) != ATTN_OK) {
            return ATTN_E_NOMEM;
        }
        made = true;
        walk_row(trace, stage)->slope(trace, *output, g);
    }
    return ATTN_OK;
}

static enum attn_status too_many(const struct walk_gradient *g, struct attn_error *err)
{
    return attn_fail(err, ATTN_E_LIMIT, NULL,
                     "its slopes take %.0f million multiplications or more, and %.0f million are "
                     "the most (take a smaller --length or --dim)",
                     ceil(g->products / 1e6), g->products_max / 1e6);
}

enum attn_status walk_gradient(const attn_trace *trace, struct attn_cell cell, double products_max,
                               struct walk_gradient *out, struct attn_error *err)
{
    if (!walk_has(trace, cell) || attn_trace_writer(trace, cell.tensor) == ATTN_NO_STAGE) {
        return walk_refuse(trace, cell, err);
    }
    struct walk_gradient g = {.cell = cell, .products_max = products_max};
    enum attn_status status = make_part(trace, &g, cell.tensor);
    if (status == ATTN_OK) {
        walk_slope_into(&g, cell.tensor, cell.at[1])[cell.at[2]] = 1.0;
    }
    int i = walk_stage_index(trace, attn_trace_writer(trace, cell.tensor));
    for (; i >= 0 && status == ATTN_OK; i--) {
        status = step_back(trace, &g, attn_trace_stage(trace, i));
    }
    if (status == ATTN_OK && g.products > products_max) {
        status = too_many(&g, err);
    } else if (status != ATTN_OK) {
        attn_fail(err, status, NULL, "out of memory for the slopes of a cell");
    }
    if (status != ATTN_OK) {
        walk_gradient_finish(&g);
        return status;
    }
    *out = g;
    return ATTN_OK;
}

void walk_gradient_finish(struct walk_gradient *gradient)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        free(gradient->of[id].data);
        gradient->of[id] = (struct walk_gradient_part){.data = NULL};
    }
}

double walk_gradient_at(const struct walk_gradient *gradient, struct attn_cell at)
{
    const struct walk_gradient_part *const part = &gradient->of[at.tensor];
    const bool batched = attn_tensors[at.tensor].axes[0] == ATTN_AXIS_B;
    if (part->data == NULL || (batched && at.at[0] != gradient->cell.at[0])) {
        return 0.0;
    }
    return part->data[(size_t)at.at[1] * (size_t)part->columns + (size_t)at.at[2]];
}

/* ---- the largest first ---- */

/** What is left of a slope of 0 beside the largest: a key's bias, say, cancels in the softmax. */
static const double ROUNDING = 1e-12;

static bool is_input(const attn_trace *trace, enum attn_tensor_id id)
{
    return attn_trace_tensor(trace, id) != NULL && attn_tensors[id].kind == ATTN_KIND_REAL &&
           attn_trace_writer(trace, id) == ATTN_NO_STAGE;
}

static double size_of(const struct walk_slope *slope)
{
    return isnan(slope->slope) ? INFINITY : fabs(slope->slope);
}

/** Put it behind all that are as large; what falls off the end is forgotten. */
static void rank(struct walk_slopes *s, int max, const struct walk_slope *one)
{
    int lo = 0;
    int hi = s->n;
    if (s->n == max && size_of(one) <= size_of(&s->top[max - 1])) {
        return;
    }
    while (lo < hi) {
        const int middle = (lo + hi) / 2;
        if (size_of(&s->top[middle]) >= size_of(one)) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    const int last = s->n < max ? s->n++ : max - 1;
    memmove(&s->top[lo + 1], &s->top[lo], sizeof *s->top * (size_t)(last - lo));
    s->top[lo] = *one;
}

static double largest_of(const attn_trace *trace, const struct walk_gradient *g)
{
    double largest = 0.0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const struct walk_gradient_part *const part = &g->of[id];
        const size_t n = (size_t)part->rows * (size_t)part->columns;
        for (size_t i = 0; is_input(trace, (enum attn_tensor_id)id) && i < n; i++) {
            largest = fmax(largest, fabs(part->data[i]));
        }
    }
    return largest;
}

/** @param floor  A slope that is no larger counts as 0. */
static void rank_tensor(const attn_trace *trace, const struct walk_gradient *g,
                        enum attn_tensor_id id, double floor, int max, struct walk_slopes *s)
{
    const bool batched = attn_tensors[id].axes[0] == ATTN_AXIS_B;
    for (int r = g->of[id].lo; r < g->of[id].hi; r++) {
        const double *const row = walk_slope_row(g, id, r);
        for (int i = 0; row != NULL && i < g->of[id].columns; i++) {
            const struct walk_slope one = {
                .cell = {.tensor = id, .at = {batched ? g->cell.at[0] : 0, r, i}},
                .value = walk_slope_values(trace, g, id, r)[i],
                .slope = row[i]};
            if (size_of(&one) > floor) {
                s->moving++;
                rank(s, max, &one);
            }
        }
    }
}

enum attn_status walk_slopes(const attn_trace *trace, struct attn_cell cell, int max,
                             struct walk_slopes *out, struct attn_error *err)
{
    assert(max > 0 && max <= WALK_SLOPES_MAX);
    struct walk_gradient g;
    const enum attn_status status = walk_gradient(trace, cell, WALK_SLOPE_PRODUCTS_MAX, &g, err);
    if (status != ATTN_OK) {
        return status;
    }
    struct walk_slopes s = {
        .cell = cell, .value = walk_value(trace, cell), .top = malloc(sizeof *s.top * (size_t)max)};
    const double largest = largest_of(trace, &g);
    const double floor = isfinite(largest) ? largest * ROUNDING : 0.0;
    for (int i = 0; i < ATTN_N_TENSORS && s.top != NULL; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        if (is_input(trace, id)) {
            s.inputs += attn_tensor_count(attn_trace_tensor(trace, id));
            rank_tensor(trace, &g, id, floor, max, &s);
        }
    }
    walk_gradient_finish(&g);
    if (s.top == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory for the slopes of a cell");
    }
    *out = s;
    return ATTN_OK;
}

void walk_slopes_finish(struct walk_slopes *slopes)
{
    free(slopes->top);
    slopes->top = NULL;
    slopes->n = 0;
}

/* ---- where there are none ---- */

static bool is_dropped(const attn_trace *trace, struct attn_cell cell)
{
    const struct attn_cell keep = {ATTN_KEEP, {cell.at[0], cell.at[1], cell.at[2]}};
    return cell.tensor == ATTN_DROPPED && walk_has(trace, keep) && !(walk_value(trace, keep) > 0);
}

static bool is_all_dropped(const attn_trace *trace, struct attn_cell cell)
{
    const attn_config *const config = attn_trace_config(trace);
    return config->training && config->dropout_p >= 1 && cell.tensor >= ATTN_DROPPED;
}

/** The keys that the mask leaves the cell's query, in a tensor of such queries. */
static int keys_left(const attn_trace *trace, struct attn_cell cell)
{
    int n = 0;
    for (int s = 0; s < attn_trace_config(trace)->sizes.S; s++) {
        n += attn_trace_keeps(trace, cell.at[0], cell.at[1], s) ? 1 : 0;
    }
    return n;
}

static bool has_no_key(const attn_trace *trace, struct attn_cell cell)
{
    return cell.tensor >= ATTN_MASKED && keys_left(trace, cell) == 0;
}

static bool has_one_key(const attn_trace *trace, struct attn_cell cell)
{
    return attn_tensors[cell.tensor].kind == ATTN_KIND_PROBABILITY && keys_left(trace, cell) == 1;
}

static bool is_scaled_away(const attn_trace *trace, struct attn_cell cell)
{
    const attn_config *const config = attn_trace_config(trace);
    return cell.tensor >= ATTN_SCALED && cell.tensor <= ATTN_DROPPED && config->scale_given &&
           !(fabsf(config->scale) > 0);
}

static bool is_saturated(const attn_trace *trace, struct attn_cell cell)
{
    const float value = walk_value(trace, cell);
    return attn_tensors[cell.tensor].kind == ATTN_KIND_PROBABILITY && (value <= 0 || value >= 1);
}

const char *walk_slope_none(const attn_trace *trace, struct attn_cell cell)
{
    static const struct {
        bool (*holds)(const attn_trace *trace, struct attn_cell cell);
        const char *why;
    } reasons[] = {
        {walk_masked, "No input moves it: the mask hides this key, and a constant stands here."},
        {is_all_dropped, "No input moves it: with p = 1 every weight is dropped."},
        {is_dropped, "No input moves it: dropout took this weight away, and 0 stands here."},
        {has_no_key, "No input moves it: the mask leaves this query no key."},
        {has_one_key, "No input moves it: the query has one key left, so its weight is fixed."},
        {is_scaled_away, "No input moves it: the scale is 0, and makes every score 0."},
        {is_saturated, "No input moves it: the softmax is saturated, and its slope rounds to 0."},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].holds(trace, cell)) {
            return reasons[i].why;
        }
    }
    return "No input moves it: every slope is 0 here.";
}

char *walk_slope_text(double slope, char out[WALK_NUMBER_MAX])
{
    if (fabs(slope) > 0 && fabs(slope) < 0.00005) { /* four decimals would be zeros */
        snprintf(out, WALK_NUMBER_MAX, "%+.1e", slope);
        return out;
    }
    char number[WALK_NUMBER_MAX];
    walk_number(slope, number);
    snprintf(out, WALK_NUMBER_MAX, "%s%.*s", slope > 0 ? "+" : "", WALK_NUMBER_MAX - 2, number);
    return out;
}
