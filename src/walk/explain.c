/* The terms of one cell, each number with the cell that it came from. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "walk_terms.h"

/* ---- building terms ---- */

enum attn_status walk_terms_reserve(struct walk_explanation *e, size_t n)
{
    e->terms = calloc(n, sizeof *e->terms);
    return e->terms != NULL ? ATTN_OK : ATTN_E_NOMEM;
}

struct walk_term *walk_terms_add(struct walk_explanation *e, enum walk_term_kind kind, float value)
{
    struct walk_term *const term = &e->terms[e->n_terms++];
    term->kind = kind;
    term->value = value;
    return term;
}

void walk_terms_from(const attn_trace *trace, struct walk_term *term, struct attn_cell cell)
{
    term->operand[term->n_from] = walk_value(trace, cell);
    term->from[term->n_from] = cell;
    term->n_from++;
}

struct attn_cell walk_cell_at(enum attn_tensor_id id, int b, int row, int column)
{
    return (struct attn_cell){.tensor = id, .at = {b, row, column}};
}

struct attn_cell walk_same_place(struct attn_cell cell, enum attn_tensor_id id)
{
    return walk_cell_at(id, cell.at[0], cell.at[1], cell.at[2]);
}

static void label_cell(const attn_trace *trace, struct walk_term *term, struct attn_cell cell)
{
    struct walk_text text = walk_text_in(term->label, sizeof term->label);
    walk_add_cell(&text, NULL, trace, cell, NULL, NULL);
}

void walk_terms_add_cell(const attn_trace *trace, struct walk_explanation *e,
                         enum walk_term_kind kind, struct attn_cell cell)
{
    struct walk_term *const term = walk_terms_add(e, kind, walk_value(trace, cell));
    walk_terms_from(trace, term, cell);
    label_cell(trace, term, cell);
}

void walk_terms_add_product(const attn_trace *trace, struct walk_explanation *e, struct attn_cell a,
                            struct attn_cell b)
{
    struct walk_term *const term =
        walk_terms_add(e, WALK_TERM_PRODUCT, walk_value(trace, a) * walk_value(trace, b));
    walk_terms_from(trace, term, a);
    walk_terms_from(trace, term, b);
}

struct walk_text walk_term_label(struct walk_term *term)
{
    return walk_text_in(term->label, sizeof term->label);
}

/* ---- the stages ---- */

enum attn_status walk_explain_linear(const attn_trace *trace, struct walk_explanation *e)
{
    enum attn_tensor_id input = ATTN_NO_TENSOR;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(trace, e->cell.tensor, &input, &layer);
    const int n = attn_trace_tensor(trace, input)->dims[2];
    if (walk_terms_reserve(e, (size_t)n + 1) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    const int *const at = e->cell.at;
    e->order = attn_order_linear(n);
    for (int i = 0; i < n; i++) {
        walk_terms_add_product(trace, e, walk_cell_at(input, at[0], at[1], i),
                               walk_cell_at(attn_layers[layer].weight, 0, at[2], i));
    }
    if (attn_trace_tensor(trace, attn_layers[layer].bias) != NULL) {
        walk_terms_add_cell(trace, e, WALK_TERM_BIAS,
                            walk_cell_at(attn_layers[layer].bias, 0, 0, at[2]));
    }
    return ATTN_OK;
}

enum attn_status walk_explain_split(const attn_trace *trace, struct walk_explanation *e)
{
    if (walk_terms_reserve(e, 1) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    struct attn_cell cell = walk_same_place(e->cell, ATTN_QKV);
    cell.at[2] += walk_split_offset(trace, e->cell.tensor);
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, cell);
    return ATTN_OK;
}

enum attn_status walk_explain_scores(const attn_trace *trace, struct walk_explanation *e)
{
    const attn_sizes *const sizes = &attn_trace_config(trace)->sizes;
    if (walk_terms_reserve(e, (size_t)sizes->d) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    const int *const at = e->cell.at;
    e->order = attn_order_scores(sizes->T, sizes->S, sizes->d);
    for (int i = 0; i < sizes->d; i++) {
        walk_terms_add_product(trace, e, walk_cell_at(ATTN_Q, at[0], at[1], i),
                               walk_cell_at(ATTN_K, at[0], at[2], i));
    }
    return ATTN_OK;
}

enum attn_status walk_explain_scale(const attn_trace *trace, struct walk_explanation *e)
{
    if (walk_terms_reserve(e, 2) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    const attn_config *const config = attn_trace_config(trace);
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_SCORES));
    const float root = sqrtf((float)config->sizes.d);
    struct walk_term *const term =
        walk_terms_add(e, WALK_TERM_CONSTANT, config->scale_given ? config->scale : root);
    struct walk_text label = walk_term_label(term);
    if (config->scale_given) {
        walk_text_add(&label, "factor");
    } else {
        walk_text_add(&label, "√d_k = √%d", config->sizes.d);
    }
    return ATTN_OK;
}

enum attn_status walk_explain_mask(const attn_trace *trace, struct walk_explanation *e)
{
    if (walk_terms_reserve(e, 3) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    const struct attn_cell mask = walk_same_place(e->cell, ATTN_MASK);
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_SCALED));
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, mask);
    if (walk_value(trace, mask) == 0) {
        struct walk_term *const term =
            walk_terms_add(e, WALK_TERM_CONSTANT, attn_trace_config(trace)->mask_fill);
        struct walk_text label = walk_term_label(term);
        char fill[WALK_NUMBER_MAX];
        walk_text_add(&label, "the fill, %s", walk_constant((double)term->value, fill));
        e->note = "masked: the fill takes the score's place";
    }
    return ATTN_OK;
}

/** The column of the row's maximum, found as the kernel finds it: from the first score on. */
static int row_peak(const attn_trace *trace, struct attn_cell row, int n)
{
    int peak = 0;
    float max = -INFINITY;
    for (int s = 0; s < n; s++) {
        row.at[2] = s;
        const float value = walk_value(trace, row);
        if (s == 0 || value > max) {
            max = value;
            peak = s;
        }
    }
    return peak;
}

/** True if every score of the row is −∞. */
static bool row_empty(const attn_trace *trace, struct attn_cell row, int n)
{
    for (int s = 0; s < n; s++) {
        row.at[2] = s;
        if (walk_value(trace, row) != -INFINITY) {
            return false;
        }
    }
    return true;
}

static void add_differences(const attn_trace *trace, struct walk_explanation *e,
                            struct attn_cell row, struct attn_cell peak, int n)
{
    const float max = walk_value(trace, peak);
    for (int s = 0; s < n; s++) {
        row.at[2] = s;
        struct walk_term *const term =
            walk_terms_add(e, WALK_TERM_DIFFERENCE, walk_value(trace, row) - max);
        walk_terms_from(trace, term, row);
        walk_terms_from(trace, term, peak);
        struct walk_text label = walk_term_label(term);
        walk_add_cell(&label, NULL, trace, row, NULL, NULL);
        walk_text_add(&label, " - max");
    }
}

static void add_exponentials(const attn_trace *trace, struct walk_explanation *e,
                             struct attn_cell row, int n)
{
    for (int s = 0; s < n; s++) {
        row.at[2] = s;
        const float difference = e->terms[1 + s].value;
        struct walk_term *const term = walk_terms_add(e, WALK_TERM_EXP, attn_expf(difference));
        walk_terms_from(trace, term, row);
        term->operand[1] = difference;
        struct walk_text label = walk_term_label(term);
        walk_text_add(&label, "e^(");
        walk_add_cell(&label, NULL, trace, row, NULL, NULL);
        walk_text_add(&label, " - max)");
    }
}

static void add_quotient(struct walk_explanation *e, int n)
{
    const float sum = walk_sum_exponentials(e, n);
    struct walk_text label = walk_term_label(walk_terms_add(e, WALK_TERM_SUM, sum));
    walk_text_add(&label, "sum of %d", n);
    const float mine = e->terms[1 + n + e->cell.at[2]].value;
    struct walk_term *const term = walk_terms_add(e, WALK_TERM_QUOTIENT, mine * (1.0f / sum));
    term->operand[0] = mine;
    term->operand[1] = sum;
    label = walk_term_label(term);
    walk_text_add(&label, "e^(this - max) / sum");
}

enum attn_status walk_explain_softmax(const attn_trace *trace, struct walk_explanation *e)
{
    const int n = attn_trace_config(trace)->sizes.S;
    if (walk_terms_reserve(e, 2 * (size_t)n + 3) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    e->order = attn_order_softmax(n);
    const struct attn_cell row = walk_same_place(e->cell, walk_logits(trace));
    struct attn_cell peak = row;
    peak.at[2] = row_peak(trace, row, n);
    walk_terms_add_cell(trace, e, WALK_TERM_MAXIMUM, peak);
    const bool empty = row_empty(trace, row, n);
    if (empty && attn_trace_config(trace)->empty_row == ATTN_EMPTY_ZEROS) {
        struct walk_text label = walk_term_label(walk_terms_add(e, WALK_TERM_CONSTANT, 0));
        walk_text_add(&label, "no key left: 0 by policy");
        e->note = "no key is left in this row: its weights are set to 0";
        return ATTN_OK;
    }
    add_differences(trace, e, row, peak, n);
    add_exponentials(trace, e, row, n);
    add_quotient(e, n);
    if (empty) {
        e->note = "no key is left in this row: 0/0 is nan";
    } else if (walk_masked(trace, e->cell)) {
        e->note = e->value > 0 ? "masked, yet it has weight: the fill is not low enough"
                               : "masked: e to the fill is 0";
    }
    return ATTN_OK;
}

enum attn_status walk_explain_drop(const attn_trace *trace, struct walk_explanation *e)
{
    if (walk_terms_reserve(e, 3) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    const double p = attn_trace_config(trace)->dropout_p;
    const float factor = walk_keep_factor(trace);
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_WEIGHTS));
    const struct attn_cell keep = walk_same_place(e->cell, ATTN_KEEP);
    if (factor > 0) {
        walk_terms_add_cell(trace, e, WALK_TERM_VALUE, keep);
    }
    struct walk_text label = walk_term_label(walk_terms_add(e, WALK_TERM_CONSTANT, factor));
    if (factor > 0) {
        walk_text_add(&label, "1 / (1 - %g)", p);
        e->note = walk_value(trace, keep) == 0 ? "dropped in this draw" : NULL;
    } else {
        walk_text_add(&label, "p = 1 drops all");
        e->note = "p = 1: every weight is dropped";
    }
    return ATTN_OK;
}

enum attn_status walk_explain_mix(const attn_trace *trace, struct walk_explanation *e)
{
    const attn_sizes *const sizes = &attn_trace_config(trace)->sizes;
    if (walk_terms_reserve(e, (size_t)sizes->S) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    const int *const at = e->cell.at;
    const enum attn_tensor_id probs = walk_probs(trace);
    e->order = attn_order_mix(sizes->T, sizes->S, sizes->d_v);
    for (int s = 0; s < sizes->S; s++) {
        walk_terms_add_product(trace, e, walk_cell_at(probs, at[0], at[1], s),
                               walk_cell_at(ATTN_V, at[0], s, at[2]));
    }
    return ATTN_OK;
}

/* ---- the whole ---- */

enum attn_status walk_refuse(const attn_trace *trace, struct attn_cell cell, struct attn_error *err)
{
    if (cell.tensor < 0 || cell.tensor >= ATTN_N_TENSORS) {
        return attn_fail(err, ATTN_E_VALUE, NULL, "there is no such tensor");
    }
    char name[64];
    attn_tensor_name(attn_trace_config(trace)->variant, cell.tensor, name, sizeof name);
    if (attn_trace_tensor(trace, cell.tensor) == NULL) {
        return attn_fail(err, ATTN_E_VALUE, name, "this computation has no such tensor");
    }
    if (!walk_has(trace, cell)) {
        char shape[64];
        attn_tensor_shape(attn_trace_tensor(trace, cell.tensor), shape, sizeof shape);
        return attn_fail(err, ATTN_E_VALUE, name,
                         "[%d,%d,%d] is outside its shape %s (indices start at 0)", cell.at[0],
                         cell.at[1], cell.at[2], shape);
    }
    return attn_fail(err, ATTN_E_VALUE, name, "it is given, nothing computes it");
}

enum attn_status walk_explain(const attn_trace *trace, struct attn_cell cell,
                              struct walk_explanation *out, struct attn_error *err)
{
    if (!walk_has(trace, cell) || attn_trace_writer(trace, cell.tensor) == ATTN_NO_STAGE) {
        return walk_refuse(trace, cell, err);
    }
    const struct walk_stage *const stage = walk_row(trace, attn_trace_writer(trace, cell.tensor));
    struct walk_explanation e = {
        .cell = cell, .value = walk_value(trace, cell), .order = ATTN_ORDER_PLAIN};
    if (stage->explain(trace, &e) != ATTN_OK) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory for the terms of a cell");
    }
    struct walk_text text = walk_text_in(e.formula, sizeof e.formula);
    walk_add_cell(&text, NULL, trace, cell, NULL, NULL);
    walk_text_add(&text, " = ");
    stage->formula(NULL, trace, cell, false, &text);
    *out = e;
    return ATTN_OK;
}

void walk_explanation_finish(struct walk_explanation *e)
{
    free(e->terms);
    e->terms = NULL;
    e->n_terms = 0;
}
