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
 * @return the columns that it takes with a gap; 0: it does not differ. */
int view_other(struct frame *f, const struct view_walk *v, struct view_place place);
/** What happens here and why; flags of this stage in full. */
void view_words(struct frame *f, const struct view_walk *v, struct view_place place);
/** The stage's code in one line. */
void view_code_line(struct frame *f, const struct view_walk *v, int row);
/** The variant's whole code, the current lines lit. @return the rows that it took. */
int view_code_panel(struct frame *f, const struct view_walk *v, struct view_place place);
/** The other computation's matrix, the one under the cursor, small. */
void view_beside(struct frame *f, const struct view_walk *v, struct view_place place);
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
/** The stage's title and formula, in the corner that the matrices leave free. */
void view_stage_title(struct frame *f, const struct view_walk *v, struct view_place place);

/** A line of text to a stream; ascii: transliterated. */
void view_put_line(FILE *out, bool ascii, const char *text);

#endif
