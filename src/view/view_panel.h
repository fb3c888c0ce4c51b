/** The parts of the walk screen around the stage: each draws into a place and knows nothing of the
 * rest. */
#ifndef VIEW_PANEL_H
#define VIEW_PANEL_H

#include "view_layout.h"

/** The title line: variant, sizes, mask, dropout, seed, and at the right where one is. */
void view_title(struct frame *f, const struct view_walk *v, int row);
/** The stages as boxes; fills map's boxes. */
void view_pipeline(struct frame *f, const struct view_walk *v, int row, struct view_map *map);
/** A thin line over the whole width. */
void view_rule(struct frame *f, int row);
/** The keys that matter here, or the message. */
void view_keys(struct frame *f, int row, const char *message, const struct view_key *keys, int n);
/** The cell under the cursor: its formula, its value, and its numbers in at most place.rows lines.
 */
void view_arithmetic(struct frame *f, const struct view_walk *v, struct view_place place);
/** What the number under the cursor is in the other computation, at the right end of the place.
 * Beside a variant also that it is the same, and of which tensor it is where it goes by another
 * name.
 * @return the columns that it takes with a gap; 0: nothing is said. */
int view_other(struct frame *f, const struct view_walk *v, struct view_place place);
/** What happens here and why; flags of this stage in full. */
void view_words(struct frame *f, const struct view_walk *v, struct view_place place);
/** The stage's code in one line. */
void view_code_line(struct frame *f, const struct view_walk *v, int row);
/** The variant's whole code, the current lines lit and in view. @return the rows that it took; what
 * view_beside needs is left. */
int view_code_panel(struct frame *f, const struct view_walk *v, struct view_place place);
/** The other computation's matrix, the one under the cursor, small, and what it computes there
 * where this one is wrong. */
void view_beside(struct frame *f, const struct view_walk *v, struct view_place place);
/** The rows that it takes, with an empty one above; 0: there is nothing beside. */
int view_beside_rows(const struct view_walk *v);
/** What holds of the tensor under the cursor. */
void view_invariants(struct frame *f, const struct view_walk *v, struct view_place place);
/** The opened cell: every operand of its arithmetic, one selected. */
void view_opened_cell(struct frame *f, const struct view_walk *v, struct view_place place);
/** The inputs that move the cell under the cursor the most, one selected. */
void view_slopes(struct frame *f, const struct view_walk *v, struct view_place place);
/**
 * The tensors so far, small, in the order in which they were made.
 * @param draw  false: only measure.
 * @return the rows that it takes, the same at every step; 0 if it does not fit in width.
 */
int view_history(struct frame *f, const struct view_walk *v, struct view_place place, bool draw);
/** The stage's title, and its formula where that is not cut, in the corner that the matrices leave
 * free (title.c). */
void view_stage_title(struct frame *f, const struct view_walk *v, struct view_place place);
/** The rows that it takes whole. */
int view_title_rows(const struct frame *f, const struct view_walk *v, int cols);

enum { VIEW_BOX_MAX = 32, VIEW_FORMULA_MAX = 160 };

/** The stage's box in the pipeline, as it runs: "÷√d", without a scale "×1", with a bug "÷d!".
 * @return out. */
const char *view_box(const struct frame *f, const attn_trace *trace, enum attn_stage stage,
                     char out[VIEW_BOX_MAX]);
/** What the stage computes as it runs; empty where it has nothing to do. @return out. */
const char *view_formula(const attn_trace *trace, enum attn_stage stage,
                         char out[VIEW_FORMULA_MAX]);

/** A line of text to a stream; ascii: transliterated. */
void view_put_line(FILE *out, bool ascii, const char *text);

#endif
