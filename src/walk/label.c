/* Names of cells and formulas, with numbers or with tokens. */
#include <stdio.h>
#include <string.h>

#include "walk_stage.h"

enum { LABEL_COLUMNS = 16 };

const char *walk_label(const struct setup *setup, enum attn_axis axis, int index, char buf[16])
{
    if (setup != NULL && (axis == ATTN_AXIS_T || axis == ATTN_AXIS_S)) {
        const struct config_tokens *const tokens =
            axis == ATTN_AXIS_T ? &setup->tokens : &setup->memory_tokens;
        if (index < tokens->n && tokens->labels[index][0] != '\0') {
            return tokens->labels[index];
        }
    }
    return walk_fixed(index, 0, buf);
}

static void add_index(struct walk_text *out, const struct setup *setup, enum attn_axis axis,
                      int index, const char *given)
{
    char buf[16];
    walk_text_add_clipped(out, given != NULL ? given : walk_label(setup, axis, index, buf),
                          LABEL_COLUMNS);
}

void walk_add_cell(struct walk_text *out, const struct setup *setup, const attn_trace *trace,
                   struct attn_cell cell, const char *row, const char *column)
{
    const attn_config *const config = attn_trace_config(trace);
    const struct attn_tensor_info *const info = &attn_tensors[cell.tensor];
    char name[64];
    walk_text_put(out, attn_tensor_name(config->variant, cell.tensor, name, sizeof name));
    walk_text_put(out, "[");
    if (info->axes[0] == ATTN_AXIS_B && config->sizes.B > 1) {
        walk_text_add(out, "%d,", cell.at[0]);
    }
    if (info->axes[1] != ATTN_AXIS_NONE) {
        add_index(out, setup, info->axes[1], cell.at[1], row);
    }
    if (column == NULL || column[0] != '\0') {
        walk_text_put(out, info->axes[1] != ATTN_AXIS_NONE ? "," : "");
        add_index(out, setup, info->axes[2], cell.at[2], column);
    }
    walk_text_put(out, "]");
}

char *walk_cell_text(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                     char *out, size_t size)
{
    struct walk_text text = walk_text_in(out, size);
    walk_add_cell(&text, setup, trace, cell, NULL, NULL);
    return out;
}

char *walk_term_text(const struct setup *setup, const attn_trace *trace,
                     const struct walk_term *term, char *out, size_t size)
{
    const char *rest = term->label;
    struct walk_text text = walk_text_in(out, size);
    if (term->kind == WALK_TERM_PRODUCT && rest[0] == '\0') {
        walk_add_cell(&text, setup, trace, term->from[0], NULL, NULL);
        walk_text_put(&text, " × ");
        walk_add_cell(&text, setup, trace, term->from[1], NULL, NULL);
        return out;
    }
    for (int i = 0; i < term->n_from; i++) {
        char bare[128];
        char named[128];
        const char *const at =
            strstr(rest, walk_cell_text(NULL, trace, term->from[i], bare, sizeof bare));
        if (at != NULL) {
            walk_text_add(&text, "%.*s", (int)(at - rest), rest);
            walk_text_put(&text, walk_cell_text(setup, trace, term->from[i], named, sizeof named));
            rest = at + strlen(bare);
        }
    }
    walk_text_put(&text, rest);
    return out;
}

char *walk_formula(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                   char *out, size_t size)
{
    struct walk_text text = walk_text_in(out, size);
    const enum attn_stage stage = attn_trace_writer(trace, cell.tensor);
    if (stage != ATTN_NO_STAGE) {
        walk_add_cell(&text, setup, trace, cell, NULL, NULL);
        walk_text_add(&text, " = ");
        walk_row(trace, stage)->formula(setup, trace, cell, true, &text);
    }
    return out;
}

/* ---- right sides ---- */

/** Another tensor's cell with the batch element of this one. */
static struct attn_cell other(struct attn_cell cell, enum attn_tensor_id id, int row, int column)
{
    return (struct attn_cell){.tensor = id, .at = {cell.at[0], row, column}};
}

void walk_formula_linear(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                         bool brief, struct walk_text *out)
{
    enum attn_tensor_id input = ATTN_NO_TENSOR;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(trace, cell.tensor, &input, &layer);
    const char *const letter = brief ? "" : "i";
    walk_text_add(out, brief ? "" : "Σ_i ");
    walk_add_cell(out, setup, trace, other(cell, input, cell.at[1], 0), NULL, letter);
    walk_text_add(out, " · ");
    walk_add_cell(out, setup, trace, other(cell, attn_layers[layer].weight, cell.at[2], 0), NULL,
                  letter);
    const enum attn_tensor_id bias = attn_layers[layer].bias;
    if (attn_trace_tensor(trace, bias) != NULL) {
        walk_text_add(out, " + ");
        walk_add_cell(out, setup, trace, other(cell, bias, 0, cell.at[2]), NULL, NULL);
    }
}

void walk_formula_split(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                        bool brief, struct walk_text *out)
{
    (void)brief;
    const int column = cell.at[2] + walk_split_offset(trace, cell.tensor);
    walk_add_cell(out, setup, trace, other(cell, ATTN_QKV, cell.at[1], column), NULL, NULL);
}

void walk_formula_scores(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                         bool brief, struct walk_text *out)
{
    const char *const letter = brief ? "" : "i";
    walk_text_add(out, brief ? "" : "Σ_i ");
    walk_add_cell(out, setup, trace, other(cell, ATTN_Q, cell.at[1], 0), NULL, letter);
    walk_text_add(out, " · ");
    walk_add_cell(out, setup, trace, other(cell, ATTN_K, cell.at[2], 0), NULL, letter);
}

void walk_formula_scale(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                        bool brief, struct walk_text *out)
{
    (void)brief;
    const attn_config *const config = attn_trace_config(trace);
    walk_add_cell(out, setup, trace, other(cell, ATTN_SCORES, cell.at[1], cell.at[2]), NULL, NULL);
    if (config->scale_given) {
        walk_text_add(out, " × %g", (double)config->scale);
    } else {
        walk_text_add(out, " / √%d", config->sizes.d);
    }
}

void walk_formula_mask(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                       bool brief, struct walk_text *out)
{
    (void)brief;
    const struct attn_cell mask = other(cell, ATTN_MASK, cell.at[1], cell.at[2]);
    const bool kept = walk_value(trace, mask) != 0;
    if (kept) {
        walk_add_cell(out, setup, trace, other(cell, ATTN_SCALED, cell.at[1], cell.at[2]), NULL,
                      NULL);
    } else {
        char fill[WALK_NUMBER_MAX];
        walk_text_put(out, walk_constant((double)attn_trace_config(trace)->mask_fill, fill));
    }
    walk_text_add(out, ", as ");
    walk_add_cell(out, setup, trace, mask, NULL, NULL);
    walk_text_add(out, " = %d", kept ? 1 : 0);
}

void walk_formula_softmax(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                          bool brief, struct walk_text *out)
{
    const struct attn_cell logit = other(cell, walk_logits(trace), cell.at[1], cell.at[2]);
    walk_text_add(out, "e^(");
    walk_add_cell(out, setup, trace, logit, NULL, NULL);
    walk_text_add(out, " - max) / ");
    if (brief) {
        walk_text_add(out, "the row's sum");
        return;
    }
    walk_text_add(out, "Σ_s e^(");
    walk_add_cell(out, setup, trace, logit, NULL, "s");
    walk_text_add(out, " - max)");
}

void walk_formula_drop(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                       bool brief, struct walk_text *out)
{
    (void)brief;
    walk_add_cell(out, setup, trace, other(cell, ATTN_WEIGHTS, cell.at[1], cell.at[2]), NULL, NULL);
    if (walk_keep_factor(trace) == 0) {
        walk_text_add(out, " × 0, as p = 1");
        return;
    }
    walk_text_add(out, " × ");
    walk_add_cell(out, setup, trace, other(cell, ATTN_KEEP, cell.at[1], cell.at[2]), NULL, NULL);
    walk_text_add(out, " / (1 - %g)", attn_trace_config(trace)->dropout_p);
}

void walk_formula_mix(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                      bool brief, struct walk_text *out)
{
    const struct attn_cell weight = other(cell, walk_probs(trace), cell.at[1], 0);
    walk_text_add(out, "Σ_s ");
    walk_add_cell(out, setup, trace, weight, NULL, "s");
    walk_text_add(out, brief ? "·" : " · ");
    walk_add_cell(out, setup, trace, other(cell, ATTN_V, 0, cell.at[2]), "s", NULL);
}
