/* The terms of a cell in a row that a bug changed; walk_wrong.h has their order. */
#include <math.h>

#include "walk_terms.h"
#include "walk_wrong.h"

static const char *bug_note(const attn_trace *trace, enum attn_stage stage)
{
    const attn_config *const config = attn_trace_config(trace);
    for (int i = 0; i < config->n_bugs; i++) {
        const struct attn_bug_info *const bug = &attn_bugs[config->bugs[i]];
        for (int k = 0; bug->stages[k] != ATTN_NO_STAGE; k++) {
            if (bug->stages[k] == stage) {
                return bug->title;
            }
        }
    }
    return NULL;
}

static void note(const attn_trace *trace, struct walk_explanation *e)
{
    e->note = bug_note(trace, attn_trace_writer(trace, e->cell.tensor));
}

enum attn_status walk_wrong_explain_linear(const attn_trace *trace, struct walk_explanation *e)
{
    enum attn_tensor_id input = ATTN_NO_TENSOR;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(trace, e->cell.tensor, &input, &layer);
    const enum attn_tensor_id weight = attn_layers[layer].weight;
    const enum attn_tensor_id bias = attn_layers[layer].bias;
    const int n_in = attn_trace_tensor(trace, input)->dims[2];
    const int n_out = attn_trace_tensor(trace, e->cell.tensor)->dims[2];
    const bool turned = attn_trace_has_bug(trace, ATTN_BUG_WEIGHT_TRANSPOSED);
    const int *const at = e->cell.at;
    if (walk_terms_reserve(e, (size_t)n_in + 1) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    note(trace, e);
    if (walk_wrong_copies(trace, e->cell.tensor)) {
        walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, input));
        return ATTN_OK;
    }
    e->order = turned ? ATTN_ORDER_FMA : attn_order_linear(n_in);
    for (int i = 0; i < n_in; i++) {
        const int flat = turned ? i * n_out + at[2] : at[2] * n_in + i;
        walk_terms_add_product(trace, e, walk_cell_at(input, at[0], at[1], i),
                               walk_cell_at(weight, 0, flat / n_in, flat % n_in));
    }
    if (attn_trace_tensor(trace, bias) != NULL && !attn_trace_has_bug(trace, ATTN_BUG_NO_BIAS)) {
        walk_terms_add_cell(trace, e, WALK_TERM_BIAS, walk_cell_at(bias, 0, 0, at[2]));
    }
    return ATTN_OK;
}

enum attn_status walk_wrong_explain_split(const attn_trace *trace, struct walk_explanation *e)
{
    if (walk_terms_reserve(e, 1) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    struct attn_cell cell = walk_same_place(e->cell, ATTN_QKV);
    cell.at[2] = attn_trace_split_column(trace, e->cell.tensor, e->cell.at[2]);
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, cell);
    note(trace, e);
    return ATTN_OK;
}

enum attn_status walk_wrong_explain_scores(const attn_trace *trace, struct walk_explanation *e)
{
    const attn_sizes *const n = &attn_trace_config(trace)->sizes;
    if (walk_terms_reserve(e, (size_t)n->d) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    const int *const at = e->cell.at;
    const enum attn_order order = attn_order_scores(n->T, n->S, n->d);
    e->order = order == ATTN_ORDER_PLAIN ? order : ATTN_ORDER_FMA;
    for (int i = 0; i < n->d; i++) {
        const int flat = i * n->S + at[2];
        walk_terms_add_product(trace, e, walk_cell_at(ATTN_Q, at[0], at[1], i),
                               walk_cell_at(ATTN_K, at[0], flat / n->d, flat % n->d));
    }
    note(trace, e);
    return ATTN_OK;
}

/** Keep's cell and what is kept is multiplied with; with p = 1 nothing but 0. */
static void add_pattern(const attn_trace *trace, struct walk_explanation *e)
{
    const float factor = walk_wrong_keep_factor(trace);
    if (factor > 0) {
        walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_KEEP));
    }
    struct walk_text label = walk_term_label(walk_terms_add(e, WALK_TERM_CONSTANT, factor));
    if (!(factor > 0)) {
        walk_text_add(&label, "p = 1 drops all");
    } else if (attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_UNSCALED)) {
        walk_text_add(&label, "not scaled");
    } else {
        walk_text_add(&label, "1 / (1 - %g)", attn_trace_config(trace)->dropout_p);
    }
}

enum attn_status walk_wrong_explain_scale(const attn_trace *trace, struct walk_explanation *e)
{
    if (walk_terms_reserve(e, 4) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    bool divides = true;
    const float factor = attn_trace_factor(trace, &divides);
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_SCORES));
    struct walk_text label = walk_term_label(walk_terms_add(e, WALK_TERM_CONSTANT, factor));
    walk_text_add(&label, divides ? "divisor" : "factor");
    if (walk_wrong_drops_scores(trace)) {
        add_pattern(trace, e);
    }
    note(trace, e);
    return ATTN_OK;
}

enum attn_status walk_wrong_explain_drop(const attn_trace *trace, struct walk_explanation *e)
{
    if (walk_terms_reserve(e, 3) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_WEIGHTS));
    if (!attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_SCORES)) {
        add_pattern(trace, e);
    }
    note(trace, e);
    return ATTN_OK;
}

/** The mask's cell, or those of its two parts that stand for it. */
static void add_mask(const attn_trace *trace, struct walk_explanation *e)
{
    const int *const at = e->cell.at;
    if (attn_trace_tensor(trace, ATTN_PADDING) == NULL) {
        walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_MASK));
        return;
    }
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_UNPADDED));
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_cell_at(ATTN_PADDING, 0, at[0], at[1]));
}

static bool keeps(const attn_trace *trace, const struct walk_explanation *e)
{
    return attn_trace_keeps(trace, e->cell.at[0], e->cell.at[1], e->cell.at[2]);
}

static void add_kept(const attn_trace *trace, struct walk_explanation *e)
{
    const bool kept = keeps(trace, e);
    struct walk_term *const term = walk_terms_add(e, WALK_TERM_CONSTANT, kept ? 1 : 0);
    struct walk_text label = walk_term_label(term);
    walk_text_add(&label, kept ? "kept" : "hidden");
}

enum attn_status walk_wrong_explain_mask(const attn_trace *trace, struct walk_explanation *e)
{
    if (walk_terms_reserve(e, 4) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    walk_terms_add_cell(trace, e, WALK_TERM_VALUE, walk_same_place(e->cell, ATTN_SCALED));
    note(trace, e);
    if (!walk_wrong_masks(trace)) {
        return ATTN_OK;
    }
    add_mask(trace, e);
    if (attn_trace_has_bug(trace, ATTN_BUG_MASK_ADDED)) {
        add_kept(trace, e);
    } else if (!keeps(trace, e)) {
        struct walk_term *const term =
            walk_terms_add(e, WALK_TERM_CONSTANT, attn_trace_fill(trace));
        struct walk_text label = walk_term_label(term);
        char fill[WALK_NUMBER_MAX];
        walk_text_add(&label, "the fill, %s", walk_constant((double)term->value, fill));
    }
    return ATTN_OK;
}

/** The last term comes from the mask's cell, or from those of its two parts. */
static void add_masks_as_operands(const attn_trace *trace, struct walk_explanation *e)
{
    struct walk_term *const term = &e->terms[e->n_terms - 1];
    if (attn_trace_tensor(trace, ATTN_PADDING) == NULL) {
        walk_terms_from(trace, term, walk_same_place(e->cell, ATTN_MASK));
        return;
    }
    walk_terms_from(trace, term, walk_same_place(e->cell, ATTN_UNPADDED));
    walk_terms_from(trace, term, walk_cell_at(ATTN_PADDING, 0, e->cell.at[0], e->cell.at[1]));
}

/* ---- softmax ---- */

/** The i-th of the numbers that the softmax goes over. */
static struct attn_cell logit(const attn_trace *trace, const struct walk_wrong_softmax *softmax,
                              const struct walk_explanation *e, int i)
{
    struct attn_cell cell = walk_same_place(e->cell, walk_logits(trace));
    cell.at[softmax->columns ? 1 : 2] = i;
    return cell;
}

static int peak_of(const attn_trace *trace, const struct walk_wrong_softmax *softmax,
                   const struct walk_explanation *e)
{
    int peak = 0;
    for (int i = 1; i < softmax->n; i++) {
        const float value = walk_value(trace, logit(trace, softmax, e, i));
        peak = value > walk_value(trace, logit(trace, softmax, e, peak)) ? i : peak;
    }
    return peak;
}

static bool is_empty(const attn_trace *trace, const struct walk_wrong_softmax *softmax,
                     const struct walk_explanation *e)
{
    for (int i = 0; i < softmax->n; i++) {
        if (walk_value(trace, logit(trace, softmax, e, i)) != -INFINITY) {
            return false;
        }
    }
    return true;
}

static void add_differences(const attn_trace *trace, const struct walk_wrong_softmax *softmax,
                            struct walk_explanation *e, struct attn_cell peak)
{
    for (int i = 0; i < softmax->n; i++) {
        const struct attn_cell cell = logit(trace, softmax, e, i);
        struct walk_term *const term = walk_terms_add(
            e, WALK_TERM_DIFFERENCE, walk_value(trace, cell) - walk_value(trace, peak));
        walk_terms_from(trace, term, cell);
        walk_terms_from(trace, term, peak);
        struct walk_text label = walk_term_label(term);
        walk_add_cell(&label, NULL, trace, cell, NULL, NULL);
        walk_text_add(&label, " - max");
    }
}

static void add_exponentials(const attn_trace *trace, const struct walk_wrong_softmax *softmax,
                             struct walk_explanation *e)
{
    for (int i = 0; i < softmax->n; i++) {
        const struct attn_cell cell = logit(trace, softmax, e, i);
        const float power = softmax->unsafe ? walk_value(trace, cell) : e->terms[1 + i].value;
        struct walk_term *const term = walk_terms_add(e, WALK_TERM_EXP, attn_expf(power));
        walk_terms_from(trace, term, cell);
        term->operand[1] = power;
        struct walk_text label = walk_term_label(term);
        walk_text_add(&label, "e^(");
        walk_add_cell(&label, NULL, trace, cell, NULL, NULL);
        walk_text_add(&label, softmax->unsafe ? ")" : " - max)");
    }
}

static void add_quotient(const struct walk_wrong_softmax *softmax, struct walk_explanation *e)
{
    float sum = 0;
    for (int i = 0; i < softmax->n; i++) {
        sum += e->terms[softmax->first + i].value;
    }
    struct walk_text label = walk_term_label(walk_terms_add(e, WALK_TERM_SUM, sum));
    walk_text_add(&label, "sum of %d", softmax->n);
    const float mine = e->terms[softmax->first + walk_wrong_place(softmax, e->cell)].value;
    struct walk_term *const term =
        walk_terms_add(e, WALK_TERM_QUOTIENT, softmax->unsafe ? mine / sum : mine * (1.0f / sum));
    term->operand[0] = mine;
    term->operand[1] = sum;
    label = walk_term_label(term);
    walk_text_add(&label, softmax->unsafe ? "e^this / sum" : "e^(this - max) / sum");
}

enum attn_status walk_wrong_explain_softmax(const attn_trace *trace, struct walk_explanation *e)
{
    const struct walk_wrong_softmax softmax = walk_wrong_softmax(trace);
    const bool zeros = attn_trace_config(trace)->empty_row == ATTN_EMPTY_ZEROS;
    if (walk_terms_reserve(e, 2 * (size_t)softmax.n + 6) != ATTN_OK) {
        return ATTN_E_NOMEM;
    }
    note(trace, e);
    const struct attn_cell peak = logit(trace, &softmax, e, peak_of(trace, &softmax, e));
    if (is_empty(trace, &softmax, e) && zeros) {
        walk_terms_add_cell(trace, e, WALK_TERM_MAXIMUM, peak);
        struct walk_text label = walk_term_label(walk_terms_add(e, WALK_TERM_CONSTANT, 0));
        walk_text_add(&label, "nothing left: 0 by policy");
    } else {
        if (!softmax.unsafe) {
            walk_terms_add_cell(trace, e, WALK_TERM_MAXIMUM, peak);
            add_differences(trace, &softmax, e, peak);
        }
        add_exponentials(trace, &softmax, e);
        add_quotient(&softmax, e);
    }
    if (softmax.masks) {
        add_kept(trace, e);
        add_masks_as_operands(trace, e);
    }
    return ATTN_OK;
}
