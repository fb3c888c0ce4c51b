/* Formulas and numbers of a cell in a row that a bug changed. */
#include <stdio.h>

#include "walk_lines.h"
#include "walk_wrong.h"

static struct attn_cell other(struct attn_cell cell, enum attn_tensor_id id, int row, int column)
{
    return (struct attn_cell){.tensor = id, .at = {cell.at[0], row, column}};
}

static struct attn_cell same(struct attn_cell cell, enum attn_tensor_id id)
{
    return other(cell, id, cell.at[1], cell.at[2]);
}

/* ---- formulas ---- */

void walk_wrong_formula_linear(const struct setup *setup, const attn_trace *trace,
                               struct attn_cell cell, bool brief, struct walk_text *out)
{
    enum attn_tensor_id input = ATTN_NO_TENSOR;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(trace, cell.tensor, &input, &layer);
    if (walk_wrong_copies(trace, cell.tensor)) {
        walk_add_cell(out, setup, trace, same(cell, input), NULL, NULL);
        return;
    }
    const enum attn_tensor_id weight = attn_layers[layer].weight;
    const enum attn_tensor_id bias = attn_layers[layer].bias;
    const char *const letter = brief ? "" : "i";
    walk_text_add(out, brief ? "" : "Σ_i ");
    walk_add_cell(out, setup, trace, other(cell, input, cell.at[1], 0), NULL, letter);
    walk_text_add(out, " · ");
    if (attn_trace_has_bug(trace, ATTN_BUG_WEIGHT_TRANSPOSED)) {
        char name[64];
        attn_tensor_name(attn_trace_config(trace)->variant, weight, name, sizeof name);
        walk_text_add(out, "column %d of %s read as [in,out]", cell.at[2], name);
    } else {
        walk_add_cell(out, setup, trace, other(cell, weight, cell.at[2], 0), NULL, letter);
    }
    if (attn_trace_tensor(trace, bias) != NULL && !attn_trace_has_bug(trace, ATTN_BUG_NO_BIAS)) {
        walk_text_add(out, " + ");
        walk_add_cell(out, setup, trace, other(cell, bias, 0, cell.at[2]), NULL, NULL);
    }
}

void walk_wrong_formula_split(const struct setup *setup, const attn_trace *trace,
                              struct attn_cell cell, bool brief, struct walk_text *out)
{
    (void)brief;
    const int column = attn_trace_split_column(trace, cell.tensor, cell.at[2]);
    walk_add_cell(out, setup, trace, other(cell, ATTN_QKV, cell.at[1], column), NULL, NULL);
}

void walk_wrong_formula_scores(const struct setup *setup, const attn_trace *trace,
                               struct attn_cell cell, bool brief, struct walk_text *out)
{
    const attn_sizes *const n = &attn_trace_config(trace)->sizes;
    walk_text_add(out, brief ? "" : "Σ_i ");
    walk_add_cell(out, setup, trace, other(cell, ATTN_Q, cell.at[1], 0), NULL, brief ? "" : "i");
    walk_text_add(out, " · column %d of k read as [%d,%d]", cell.at[2], n->d, n->S);
}

/** " × keep[0,1] / (1 - 0.1)", or without the scaling, or with p = 1. */
static void add_pattern(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                        struct walk_text *out)
{
    if (walk_keep_factor(trace) == 0) {
        walk_text_add(out, " × 0, as p = 1");
        return;
    }
    walk_text_add(out, " × ");
    walk_add_cell(out, setup, trace, same(cell, ATTN_KEEP), NULL, NULL);
    if (!attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_UNSCALED)) {
        walk_text_add(out, " / (1 - %g)", attn_trace_config(trace)->dropout_p);
    }
}

void walk_wrong_formula_scale(const struct setup *setup, const attn_trace *trace,
                              struct attn_cell cell, bool brief, struct walk_text *out)
{
    (void)brief;
    bool divides = true;
    const float factor = attn_trace_factor(trace, &divides);
    walk_add_cell(out, setup, trace, same(cell, ATTN_SCORES), NULL, NULL);
    if (!attn_trace_has_bug(trace, ATTN_BUG_NO_SCALE)) {
        walk_text_add(out, " %s %.5g", divides ? "/" : "×", (double)factor);
    }
    if (walk_wrong_drops_scores(trace)) {
        add_pattern(setup, trace, cell, out);
    }
}

void walk_wrong_formula_drop(const struct setup *setup, const attn_trace *trace,
                             struct attn_cell cell, bool brief, struct walk_text *out)
{
    (void)brief;
    walk_add_cell(out, setup, trace, same(cell, ATTN_WEIGHTS), NULL, NULL);
    if (!attn_trace_has_bug(trace, ATTN_BUG_DROPOUT_SCORES)) {
        add_pattern(setup, trace, cell, out);
    }
}

void walk_wrong_formula_mask(const struct setup *setup, const attn_trace *trace,
                             struct attn_cell cell, bool brief, struct walk_text *out)
{
    (void)brief;
    const bool kept = attn_trace_keeps(trace, cell.at[0], cell.at[1], cell.at[2]);
    const bool added = attn_trace_has_bug(trace, ATTN_BUG_MASK_ADDED);
    if (kept || added || !walk_wrong_masks(trace)) {
        walk_add_cell(out, setup, trace, same(cell, ATTN_SCALED), NULL, NULL);
    } else {
        char fill[WALK_NUMBER_MAX];
        walk_text_put(out, walk_constant((double)attn_trace_fill(trace), fill));
    }
    if (added) {
        walk_text_add(out, " + %d", kept ? 1 : 0);
    } else if (walk_wrong_masks(trace)) {
        walk_text_add(out, ", taken for %s", kept ? "kept" : "hidden");
    }
}

void walk_wrong_formula_softmax(const struct setup *setup, const attn_trace *trace,
                                struct attn_cell cell, bool brief, struct walk_text *out)
{
    const struct walk_wrong_softmax softmax = walk_wrong_softmax(trace);
    const struct attn_cell logit = same(cell, walk_logits(trace));
    const char *const after = softmax.unsafe ? "" : " - max";
    walk_text_add(out, "e^(");
    walk_add_cell(out, setup, trace, logit, NULL, NULL);
    walk_text_add(out, "%s) / ", after);
    if (brief) {
        walk_text_add(out, "the %s's sum", softmax.columns ? "column" : "row");
    } else {
        walk_text_add(out, "Σ_%s e^(", softmax.columns ? "t" : "s");
        walk_add_cell(out, setup, trace, logit, softmax.columns ? "t" : NULL,
                      softmax.columns ? NULL : "s");
        walk_text_add(out, "%s)", after);
    }
    if (softmax.masks) {
        const bool kept = attn_trace_keeps(trace, cell.at[0], cell.at[1], cell.at[2]);
        walk_text_add(out, " × %d", kept ? 1 : 0);
    }
}

/* ---- numbers ---- */

int walk_wrong_arithmetic_scale(const attn_trace *trace, const struct walk_explanation *e,
                                int width, int max_lines, struct walk_text *out)
{
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    bool divides = true;
    (void)attn_trace_factor(trace, &divides);
    walk_lines_put_number(&lines, "", e->terms[0].value, "");
    for (int i = 1; i < e->n_terms; i++) {
        walk_lines_put(&lines, i == 1 && divides ? "/" : "×");
        walk_lines_put_constant(&lines, e->terms[i].value);
    }
    return lines.n;
}

int walk_wrong_arithmetic_mask(const attn_trace *trace, const struct walk_explanation *e, int width,
                               int max_lines, struct walk_text *out)
{
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    const struct walk_term *const last = &e->terms[e->n_terms - 1];
    walk_lines_put_number(&lines, "", e->terms[0].value, "");
    if (attn_trace_has_bug(trace, ATTN_BUG_MASK_ADDED)) {
        walk_lines_put(&lines, "+");
        walk_lines_put_constant(&lines, last->value);
    } else if (last->kind == WALK_TERM_CONSTANT) {
        walk_lines_put(&lines, "becomes");
        walk_lines_put_constant(&lines, last->value);
    } else {
        walk_lines_put(&lines, "stays");
    }
    return lines.n;
}

int walk_wrong_arithmetic_softmax(const attn_trace *trace, const struct walk_explanation *e,
                                  int width, int max_lines, struct walk_text *out)
{
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    const struct walk_wrong_softmax softmax = walk_wrong_softmax(trace);
    const struct walk_term *const last = &e->terms[e->n_terms - 1];
    const struct walk_term *const share = softmax.masks ? last - 1 : last;
    if (share->kind == WALK_TERM_CONSTANT) {
        walk_lines_put(&lines, "every score is -inf:");
        walk_lines_put_number(&lines, "set to ", share->value, "");
    } else {
        char before[WALK_NUMBER_MAX + 8];
        char number[WALK_NUMBER_MAX];
        snprintf(before, sizeof before, "%s / (", walk_number((double)share->operand[0], number));
        walk_lines_fit_sum(
            &lines,
            &(struct walk_sum){
                .e = e, .first = softmax.first, .n = softmax.n, .before = before, .after = ")"});
    }
    if (softmax.masks) {
        walk_lines_put(&lines, "×");
        walk_lines_put_constant(&lines, last->value);
    }
    return lines.n;
}
