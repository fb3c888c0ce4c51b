/* The pages of a lesson as a list to choose from. */
#include <stdio.h>

#include "view_lesson.h"
#include "view_panel.h"

enum { LIST_COLS = 76, FIRST_ROW = 3 };

/** What stands before a page: where one is, what has been read, what is right. */
static const char *mark_of(const struct frame *f, const struct view_lesson *v, int page)
{
    const int here = v->lesson->stops[v->stop].page;
    const int question = v->lesson->pages[page].question;
    if (question >= 0 && v->asked[question].right) {
        return f->ascii ? "+" : "✓";
    }
    return page == here ? (f->ascii ? "*" : "●") : page < here ? (f->ascii ? "." : "·") : " ";
}

static void draw_row(struct frame *f, const struct view_lesson *v, int page, int row, int left,
                     int width, bool selected)
{
    const struct lesson_page *const p = &v->lesson->pages[page];
    const enum frame_mark mark = selected ? FRAME_MARK_FOCUS : FRAME_MARK_NONE;
    char number[16];
    snprintf(number, sizeof number, "%d", page + 1);
    frame_fill(f, row, left, width, FRAME_TEXT, mark, " ");
    if (selected) {
        frame_put(f, row, left - 1, FRAME_TEXT, FRAME_MARK_WRITE, f->ascii ? ">" : "▶");
        f->cursor_row = row;
        f->cursor_col = left;
    }
    frame_put_fit(f, row, left, 3, true, FRAME_KEY, mark, number);
    frame_put(f, row, left + 4, FRAME_TEXT, mark, mark_of(f, v, page));
    const int indent = p->level > 1 && p->question < 0 ? 2 : 0;
    const int col = left + 6 + indent;
    const int asks = p->question >= 0 ? frame_put(f, row, col, FRAME_DIM, mark, "Question ") : 0;
    frame_put_fit(f, row, col + asks, left + width - col - asks, false, FRAME_TEXT, mark, p->title);
}

void view_contents(struct frame *f, const struct view_lesson *v, int selected)
{
    frame_clear(f);
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        view_too_small(f);
        return;
    }
    const struct lesson *const l = v->lesson;
    const int width = f->cols - 4 < LIST_COLS ? f->cols - 4 : LIST_COLS;
    const int left = 2;
    frame_fill(f, 0, 0, f->cols, FRAME_TITLE, FRAME_MARK_NONE, " ");
    frame_put_fit(f, 0, 1, f->cols - 2, false, FRAME_TITLE, FRAME_MARK_NONE, l->title);
    frame_put_fit(f, 1, 1, f->cols - 2, false, FRAME_DIM, FRAME_MARK_NONE, l->summary);
    const int room = f->rows - FIRST_ROW - 2;
    const int first = selected >= room ? selected - room + 1 : 0;
    for (int i = first; i < l->n_pages && i < first + room; i++) {
        draw_row(f, v, i, FIRST_ROW + i - first, left, width, i == selected);
    }
    view_rule(f, f->rows - 2);
    if (first + room < l->n_pages) {
        frame_putf(f, f->rows - 2, f->cols - 12, FRAME_DIM, FRAME_MARK_NONE, " %d more ",
                   l->n_pages - first - room);
    }
    view_keys(f, f->rows - 1, v->message, v->keys, v->n_keys);
}
