/* The screens that are not the walk: home and help. */
#include <string.h>

#include "view.h"
#include "view_panel.h"

enum { HOME_COLS = 72 };

static const char *const home_words = "Every number of attention, one step at a time. Forward and "
                                      "back, down into any cell, and from there to the "
                                      "numbers that made it, back to x.";

void view_home(struct frame *f, const struct view_home *v)
{
    frame_clear(f);
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        view_too_small(f);
        return;
    }
    const int width = f->cols - 4 < HOME_COLS ? f->cols - 4 : HOME_COLS;
    const int left = (f->cols - width) / 2;
    const int height = 10 + v->n;
    int row = f->rows > height + 4 ? (f->rows - height - 2) / 2 : 1;
    frame_put(f, row, left, FRAME_STAGE_HERE, FRAME_MARK_NONE, " attn ");
    frame_put_fit(f, row, left + 8, width - 8, false, FRAME_HEADING, FRAME_MARK_NONE,
                  f->ascii ? "softmax( Q K^T / sqrt(d_k) ) V" : "softmax( Q Kᵀ / √d_k ) V");
    row += 2;
    if (f->rows > height) { /* on a small screen the list alone */
        row += frame_put_wrapped(f, row, left, width, 3, FRAME_TEXT, home_words) + 1;
    }
    const int room = f->rows - 2 - row;
    const int first = v->selected >= room ? v->selected - room + 1 : 0;
    for (int i = first; i < v->n && row < f->rows - 2; i++, row++) {
        const bool here = i == v->selected;
        const enum frame_mark mark = here ? FRAME_MARK_FOCUS : FRAME_MARK_NONE;
        frame_fill(f, row, left, width, FRAME_TEXT, mark, " ");
        frame_put(f, row, left, FRAME_TEXT, FRAME_MARK_WRITE, here ? (f->ascii ? ">" : "▶") : " ");
        frame_put_fit(f, row, left + 2, 8, false, FRAME_KEY, mark, v->names[i]);
        frame_put_fit(f, row, left + 11, width - 11, false, FRAME_TEXT, mark, v->words[i]);
        if (here) {
            f->cursor_row = row;
            f->cursor_col = left;
        }
    }
    row++;
    if (v->path != NULL && row < f->rows - 2) {
        frame_put_fit(f, row++, left + 2, width - 2, false, FRAME_DIM, FRAME_MARK_NONE, v->path);
    }
    if (v->detail != NULL && row < f->rows - 2) {
        frame_put_wrapped(f, row, left + 2, width - 2, f->rows - 2 - row, FRAME_TEXT, v->detail);
    }
    view_rule(f, f->rows - 2);
    view_keys(f, f->rows - 1, v->message, v->keys, v->n_keys);
}

int view_help(struct frame *f, const char *title, const struct view_help_row *rows, int n, int top,
              const struct view_key *keys, int n_keys)
{
    frame_clear(f);
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        view_too_small(f);
        return 0;
    }
    const int visible = f->rows - 4;
    const int last = n > visible ? n - visible : 0;
    int key_w = 0;
    for (int i = 0; i < n; i++) {
        const int w = rows[i].keys != NULL ? frame_width(f, rows[i].keys) : 0;
        key_w = w > key_w ? w : key_w;
    }
    key_w = key_w > f->cols / 3 ? f->cols / 3 : key_w;
    frame_fill(f, 0, 0, f->cols, FRAME_TITLE, FRAME_MARK_NONE, " ");
    frame_put(f, 0, 1, FRAME_TITLE, FRAME_MARK_NONE, title);
    for (int i = 0; i < visible && top + i < n; i++) {
        if (rows[top + i].keys == NULL) {
            frame_put(f, 2 + i, 1, FRAME_HEADING, FRAME_MARK_NONE, rows[top + i].help);
            continue;
        }
        frame_put_fit(f, 2 + i, 2, key_w, false, FRAME_KEY, FRAME_MARK_NONE, rows[top + i].keys);
        frame_put_fit(f, 2 + i, key_w + 4, f->cols - key_w - 5, false, FRAME_TEXT, FRAME_MARK_NONE,
                      rows[top + i].help);
    }
    if (last > 0) {
        frame_putf(f, 0, f->cols - 12, FRAME_TITLE, FRAME_MARK_NONE, "%d of %d",
                   top + visible < n ? top + visible : n, n);
    }
    view_rule(f, f->rows - 2);
    view_keys(f, f->rows - 1, NULL, keys, n_keys);
    return last;
}
