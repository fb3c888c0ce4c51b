/** Private to walk: the terms of an explanation, one after the other. */
#ifndef WALK_TERMS_H
#define WALK_TERMS_H

#include "walk_stage.h"

/** Room for n terms; e->n_terms counts those that are filled in. */
enum attn_status walk_terms_reserve(struct walk_explanation *e, size_t n);
struct walk_term *walk_terms_add(struct walk_explanation *e, enum walk_term_kind kind, float value);
/** The cell is the next operand of the term. */
void walk_terms_from(const attn_trace *trace, struct walk_term *term, struct attn_cell cell);
/** A cell taken as it is. */
void walk_terms_add_cell(const attn_trace *trace, struct walk_explanation *e,
                         enum walk_term_kind kind, struct attn_cell cell);
void walk_terms_add_product(const attn_trace *trace, struct walk_explanation *e, struct attn_cell a,
                            struct attn_cell b);
/** The term's label, to be written. */
struct walk_text walk_term_label(struct walk_term *term);

struct attn_cell walk_cell_at(enum attn_tensor_id id, int b, int row, int column);
/** The same place in another tensor of the same shape. */
struct attn_cell walk_same_place(struct attn_cell cell, enum attn_tensor_id id);

#endif
