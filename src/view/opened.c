#include <stdio.h>
#include <string.h>

#include "view_matrix.h"
#include "view_panel.h"

enum { OPERAND_COLS_MAX = 44, NUMBER_COLS = 9, VALUE_COLS = 12 };

static const char *operator_of(enum walk_term_kind kind)
{
    switch (kind) {
    case WALK_TERM_PRODUCT:
        return "×";
    case WALK_TERM_DIFFERENCE:
        return "−";
    case WALK_TERM_BIAS:
    case WALK_TERM_VALUE:
    case WALK_TERM_CONSTANT:
    case WALK_TERM_MAXIMUM:
    case WALK_TERM_EXP:
    case WALK_TERM_SUM:
    case WALK_TERM_QUOTIENT:
        break;
    }
    return "";
}

/** A name that is too long is cut in front: its index is what tells one term from the next. */
static const char *with_index(const struct frame *f, const char *name, int room)
{
    while (frame_width(f, name) > room && strchr(name, '[') != NULL && strchr(name, '[') != name) {
        name++;
    }
    return name;
}

/** "q[sat,0]   0.7388", the selected one marked. @return columns. */
static int put_operand(struct frame *f, const struct view_walk *v, const struct walk_term *term,
                       int i, bool selected, int row, int col, int width)
{
    char name[128];
    char number[WALK_NUMBER_MAX];
    walk_cell_text(v->setup, v->trace, term->from[i], name, sizeof name);
    walk_number((double)term->operand[i], number);
    const int room = width - NUMBER_COLS;
    frame_put_fit(f, row, col, room, false, FRAME_LABEL,
                  selected ? FRAME_MARK_FOCUS : FRAME_MARK_NONE, with_index(f, name, room));
    frame_put_fit(f, row, col + room, NUMBER_COLS, true, FRAME_TEXT, FRAME_MARK_NONE, number);
    return width;
}

static void put_term(struct frame *f, const struct view_walk *v, const struct walk_term *term,
                     int selected, int row, struct view_place place)
{
    char number[WALK_NUMBER_MAX];
    char label[256];
    int col = place.col + 3;
    if (selected >= 0) {
        frame_put(f, row, place.col + 1, FRAME_TEXT, FRAME_MARK_WRITE, f->ascii ? ">" : "▶");
    }
    const int value_col = place.cols - VALUE_COLS - 1;
    int width = (value_col - col - 5) / 2;
    width = width > OPERAND_COLS_MAX ? OPERAND_COLS_MAX : width;
    if (*operator_of(term->kind) != '\0' && term->n_from == 2) {
        col += put_operand(f, v, term, 0, selected == 0, row, col, width);
        col +=
            frame_putf(f, row, col, FRAME_DIM, FRAME_MARK_NONE, "  %s  ", operator_of(term->kind));
        put_operand(f, v, term, 1, selected == 1, row, col, width);
    } else {
        if (term->kind == WALK_TERM_MAXIMUM) {
            col += frame_put(f, row, col, FRAME_DIM, FRAME_MARK_NONE, "the row's maximum: ");
        }
        frame_put_fit(f, row, col, value_col - col - 1, false, FRAME_LABEL,
                      selected >= 0 && term->n_from > 0 ? FRAME_MARK_FOCUS : FRAME_MARK_NONE,
                      walk_term_text(v->setup, v->trace, term, label, sizeof label));
    }
    frame_put(f, row, place.col + value_col, FRAME_DIM, FRAME_MARK_NONE, "=");
    frame_put_fit(f, row, place.col + value_col + 1, VALUE_COLS - 1, true, FRAME_TEXT,
                  FRAME_MARK_NONE, walk_number((double)term->value, number));
}

void view_opened_cell(struct frame *f, const struct view_walk *v, struct view_place place)
{
    struct walk_explanation e;
    if (walk_explain(v->trace, v->cursor, &e, NULL) != ATTN_OK) {
        return;
    }
    char text[512];
    char number[WALK_NUMBER_MAX];
    walk_formula(v->setup, v->trace, v->cursor, text, sizeof text);
    frame_put_fit(f, place.row, place.col + 1, place.cols - VALUE_COLS - 3, false, FRAME_HEADING,
                  FRAME_MARK_NONE, text);
    frame_put(f, place.row, place.col + place.cols - VALUE_COLS - 1, FRAME_HEADING, FRAME_MARK_NONE,
              "=");
    frame_put_fit(f, place.row, place.col + place.cols - VALUE_COLS, VALUE_COLS - 1, true,
                  FRAME_HEADING, FRAME_MARK_NONE, walk_number((double)e.value, number));
    const int rows = place.rows - 1;
    int first = v->opened->term - (rows - 1) / 2;
    first = first > e.n_terms - rows ? e.n_terms - rows : first;
    first = first < 0 ? 0 : first;
    for (int i = 0; i < rows && first + i < e.n_terms; i++) {
        const bool here = first + i == v->opened->term;
        put_term(f, v, &e.terms[first + i], here ? v->opened->operand : -1, place.row + 1 + i,
                 place);
    }
    if (first + rows < e.n_terms && rows > 1) {
        frame_fill(f, place.row + rows, place.col, place.cols, FRAME_DIM, FRAME_MARK_NONE, " ");
        frame_putf(f, place.row + rows, place.col + 3, FRAME_DIM, FRAME_MARK_NONE,
                   "… %d more below", e.n_terms - first - rows + 1);
    }
    walk_explanation_finish(&e);
}
