/* The screens that are not the walk: home and help. */
#include <string.h>

#include "view.h"
#include "view_panel.h"

enum { HOME_COLS = 72 };

static const char *const home_words = "Every number of attention, one step at a time. Forward and "
                                      "back, down into any cell, and from there to the "
                                      "numbers that made it, back to x.";

/** The rows of the home screen from top to bottom; a gap goes before the lessons. */
struct home {
    int left, width;
    int list, room; /**< First row of the list, and how many. */
    int first;      /**< Of the choices in view. */
    int below;      /**< Row of what is said of the selected one; -1: no room. */
    bool words;
};

enum { HOME_WORDS_ROWS = 3, HOME_BELOW_ROWS = 3, HOME_WORDS_FROM_ROWS = 20 };

/** Rows of the list between two choices, the heading of the lessons among them. */
static int home_rows(const struct view_home *v, int from, int to)
{
    return to - from + (v->lessons >= from && v->lessons < to && v->lessons > 0 ? 2 : 0);
}

static struct home place_home(const struct frame *f, const struct view_home *v)
{
    struct home h = {.below = -1};
    h.width = f->cols - 4 < HOME_COLS ? f->cols - 4 : HOME_COLS;
    h.left = (f->cols - h.width) / 2;
    h.words = f->rows >= HOME_WORDS_FROM_ROWS;
    const int head = 2 + (h.words ? HOME_WORDS_ROWS : 0);
    const int foot = h.words ? HOME_BELOW_ROWS + 1 : 0;
    const int most = f->rows - 2 - 1 - head - foot;
    const int all = home_rows(v, 0, v->n);
    h.room = all < most ? all : most;
    const int height = head + h.room + foot;
    h.list = 1 + head + (f->rows - 2 - 1 > height ? (f->rows - 2 - 1 - height) / 2 : 0);
    while (home_rows(v, h.first, v->selected + 1) > h.room) {
        h.first++;
    }
    h.below = h.words ? h.list + h.room + 1 : -1;
    return h;
}

static void draw_choice(struct frame *f, const struct view_home *v, const struct home *h, int i,
                        int row)
{
    const bool here = i == v->selected;
    const enum frame_mark mark = here ? FRAME_MARK_FOCUS : FRAME_MARK_NONE;
    const bool number = v->lessons >= 0 && i >= v->lessons;
    const int name_w = number ? 3 : 8;
    const int words = number ? 6 : 11;
    frame_fill(f, row, h->left, h->width, FRAME_TEXT, mark, " ");
    frame_put(f, row, h->left, FRAME_TEXT, FRAME_MARK_WRITE, here ? (f->ascii ? ">" : "▶") : " ");
    frame_put_fit(f, row, h->left + 2, name_w, number, FRAME_KEY, mark, v->names[i]);
    frame_put_fit(f, row, h->left + words, h->width - words, false, FRAME_TEXT, mark, v->words[i]);
    if (here) {
        f->cursor_row = row;
        f->cursor_col = h->left;
    }
}

static void draw_list(struct frame *f, const struct view_home *v, const struct home *h)
{
    const int end = h->list + h->room;
    int i = h->first;
    for (int row = h->list; i < v->n && row < end; i++, row++) {
        if (i == v->lessons && i > h->first) {
            row++;
            if (row < end) {
                frame_put(f, row++, h->left + 2, FRAME_DIM, FRAME_MARK_NONE, "lessons");
            }
        }
        if (row >= end) {
            break;
        }
        draw_choice(f, v, h, i, row);
    }
    if (h->first > 0) {
        frame_put(f, h->list, h->left - 1, FRAME_DIM, FRAME_MARK_NONE, f->ascii ? "^" : "↑");
    }
    if (i < v->n) {
        frame_put(f, end - 1, h->left - 1, FRAME_DIM, FRAME_MARK_NONE, f->ascii ? "v" : "↓");
    }
}

void view_home(struct frame *f, const struct view_home *v)
{
    frame_clear(f);
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        view_too_small(f);
        return;
    }
    const struct home h = place_home(f, v);
    const int top = h.list - 2 - (h.words ? HOME_WORDS_ROWS : 0);
    frame_put(f, top, h.left, FRAME_STAGE_HERE, FRAME_MARK_NONE, " attn ");
    frame_put_fit(f, top, h.left + 8, h.width - 8, false, FRAME_HEADING, FRAME_MARK_NONE,
                  f->ascii ? "softmax( Q K^T / sqrt(d_k) ) V" : "softmax( Q Kᵀ / √d_k ) V");
    if (h.words) { /* on a small screen the list alone */
        frame_put_wrapped(f, top + 2, h.left, h.width, 2, FRAME_TEXT, home_words);
    }
    draw_list(f, v, &h);
    int row = h.below;
    if (row >= 0 && v->path != NULL) {
        frame_put_fit(f, row++, h.left + 2, h.width - 2, false, FRAME_DIM, FRAME_MARK_NONE,
                      v->path);
    }
    if (row >= 0 && v->detail != NULL) {
        frame_put_wrapped(f, row, h.left + 2, h.width - 2, f->rows - 2 - row, FRAME_TEXT,
                          v->detail);
    }
    view_rule(f, f->rows - 2);
    view_keys(f, f->rows - 1, v->message, v->keys, v->n_keys);
}
