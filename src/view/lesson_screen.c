/* The screen of a lesson: who gets which rows and columns. */
#include <stdio.h>
#include <string.h>

#include "view_panel.h"
#include "view_text.h"

enum {
    BESIDE_FROM_COLS = 110, /**< From here on the text stands beside the walk. */
    BESIDE_FROM_ROWS = 16,
    TEXT_COLS_MIN = 44,
    TEXT_COLS_MAX = 72,
    TEXT_COLS_READABLE = 100, /**< Of the text above the walk. */
    ALONE_BELOW_ROWS = 18,    /**< Below this the text stands alone, over one line of the walk. */
    TEXT_ROWS_MIN = 7,        /**< Over the walk; who presents speaks, and needs fewer. */
    MARGIN = 1
};

struct places {
    struct view_place text, part;
    int rule; /**< The row between them; -1: none. */
    int line; /**< The row for the part in one line; -1: none. */
    int bar;  /**< The column between them; -1: none. */
};

/** The text at the left, the part at the right. */
static struct places divide_beside(const struct frame *f, const struct view_lesson *v, int head,
                                   int rows)
{
    struct places s = {.rule = -1, .line = -1, .bar = -1};
    const int wanted = f->cols * 2 / 5;
    const int text = wanted < TEXT_COLS_MIN   ? TEXT_COLS_MIN
                     : wanted > TEXT_COLS_MAX ? TEXT_COLS_MAX
                                              : wanted;
    const int above = v->bare ? 0 : 1; /* air below the title */
    s.text = (struct view_place){head + above, MARGIN + 1, rows - 2 * above, text - MARGIN - 2};
    s.bar = text + 1;
    s.part = (struct view_place){head + above, text + 3, rows - 2 * above, f->cols - text - 4};
    return s;
}

/** 1 where the part shows all its numbers with a row more, and not without. */
static int row_to_whole(const struct frame *f, const struct view_lesson *v, int rows)
{
    const struct view_part *const p = &v->part;
    if (p->shown == NULL) {
        return 0;
    }
    const int here = p->shown(f, p->what, rows, f->cols);
    const int more = p->shown(f, p->what, rows + 1, f->cols);
    return more > here && more == p->shown(f, p->what, 2 * rows, f->cols) ? 1 : 0;
}

/** The text above, the part below it. */
static struct places divide_stacked(const struct frame *f, const struct view_lesson *v, int head,
                                    int rows)
{
    struct places s = {.rule = -1, .line = -1, .bar = -1};
    const int needed = v->part.rows(f, v->part.what, f->cols);
    const int third = rows / 3 < TEXT_ROWS_MIN ? TEXT_ROWS_MIN : rows / 3;
    const int least = v->bare ? TEXT_ROWS_MIN - 1 : third - row_to_whole(f, v, rows - 1 - third);
    const int most = rows - 1 - least;
    const int part = needed < most && !v->bare ? needed : most;
    const int cols = f->cols - 2 * MARGIN;
    s.text = (struct view_place){head, MARGIN, rows - 1 - part,
                                 cols < TEXT_COLS_READABLE ? cols : TEXT_COLS_READABLE};
    s.rule = head + s.text.rows;
    s.part = (struct view_place){s.rule + 1, 0, part, f->cols};
    return s;
}

static struct places divide(const struct frame *f, const struct view_lesson *v)
{
    struct places s = {.rule = -1, .line = -1, .bar = -1};
    const int head = v->bare ? 0 : 2;
    const int foot = v->bare ? 0 : 1;
    const int rows = f->rows - head - foot;
    const bool wide = f->cols >= BESIDE_FROM_COLS && f->rows >= BESIDE_FROM_ROWS;
    if (f->rows < ALONE_BELOW_ROWS) {
        s.text = (struct view_place){head, MARGIN, rows - 1, f->cols - 2 * MARGIN};
        s.line = f->rows - foot - 1;
        return wide ? divide_beside(f, v, head, rows) : s;
    }
    s = divide_stacked(f, v, head, rows);
    if (wide) { /* beside each other, unless numbers would be lost that way */
        const struct places beside = divide_beside(f, v, head, rows);
        const struct view_part *const p = &v->part;
        const bool loses =
            p->shown != NULL && p->shown(f, p->what, beside.part.rows, beside.part.cols) <
                                    p->shown(f, p->what, s.part.rows, s.part.cols);
        s = loses ? s : beside;
    }
    return s;
}

/* ---- what stands around ---- */

/** How far one is, in columns of a bar: by stops. */
static int progress(const struct view_lesson *v, int cols)
{
    return (v->stop + 1) * cols / v->lesson->n_stops;
}

static void draw_head(struct frame *f, const struct view_lesson *v)
{
    const struct lesson *const l = v->lesson;
    const int page = l->stops[v->stop].page;
    char where[48];
    snprintf(where, sizeof where, "page %d of %d", page + 1, l->n_pages);
    const int where_w = frame_width(f, where);
    frame_fill(f, 0, 0, f->cols, FRAME_TITLE, FRAME_MARK_NONE, " ");
    int col = 1;
    col += frame_put(f, 0, col, FRAME_TITLE, FRAME_MARK_NONE, f->ascii ? "attn - " : "attn · ");
    frame_put_fit(f, 0, col, f->cols - col - where_w - 3, false, FRAME_TITLE, FRAME_MARK_NONE,
                  l->title);
    frame_put(f, 0, f->cols - where_w - 1, FRAME_TITLE, FRAME_MARK_NONE, where);
    const int done = progress(v, f->cols);
    frame_fill(f, 1, 0, done, FRAME_TEXT, FRAME_MARK_WRITE, f->ascii ? "=" : "━");
    frame_fill(f, 1, done, f->cols - done, FRAME_DIM, FRAME_MARK_NONE, "─");
}

/** Where text goes on above or below what is in view, an arrow says so in its margin. */
static void draw_more(struct frame *f, const struct view_lesson_map *m, int total, int top)
{
    if (top > 0) {
        frame_put(f, m->row, m->col - 1, FRAME_DIM, FRAME_MARK_NONE, f->ascii ? "^" : "↑");
    }
    if (top + m->rows < total) {
        frame_put(f, m->row + m->rows - 1, m->col - 1, FRAME_TEXT, FRAME_MARK_WRITE,
                  f->ascii ? "v" : "↓");
    }
}

/* ---- the text ---- */

static int between(int least, int x, int most)
{
    return x < least ? least : x > most ? most : x;
}

/** The first row in view: what is new, whole if it can be, and of what stood before the most. */
static int text_top(const struct text_rows *rows, int visible, int scroll,
                    struct view_lesson_map *map)
{
    const int last = rows->n > visible ? rows->n - visible : 0;
    const int own = rows->newest < last ? rows->newest : last;
    int top = between(0, own + scroll, last);
    const bool both = rows->n - rows->at <= visible;
    if (rows->at_rows > 0 && (!rows->fresh || both)) { /* the choice that the keys are at is seen */
        const int end = (rows->fresh ? rows->n : rows->at + rows->at_rows) - visible;
        top = top < end ? end : top;
        top = top > rows->at ? rows->at : top;
    }
    map->least = -own;
    map->most = last - own;
    map->scroll = top - own;
    return top;
}

static void draw_text(struct frame *f, const struct view_lesson *v, struct view_place place,
                      struct view_lesson_map *map)
{
    struct text_rows rows;
    struct pen count = {.f = f, .place = place};
    view_text_write(&count, v, &rows);
    *map = (struct view_lesson_map){
        .row = place.row, .col = place.col, .rows = place.rows, .cols = place.cols};
    const int top = text_top(&rows, place.rows, v->scroll, map);
    struct pen pen = {.f = f, .place = place, .draws = true, .top = top};
    view_text_write(&pen, v, &rows);
    draw_more(f, map, rows.n, top);
}

/* ---- the part ---- */

static void paste(struct frame *to, const struct frame *from, int row, int col)
{
    for (int r = 0; r < from->rows; r++) {
        for (int c = 0; c < from->cols; c++) {
            struct frame_cell *const cell = frame_at(to, row + r, col + c);
            if (cell != NULL) {
                *cell = *frame_at(from, r, c);
            }
        }
    }
    if (from->cursor_row >= 0) {
        to->cursor_row = row + from->cursor_row;
        to->cursor_col = col + from->cursor_col;
        to->cursor_shown = from->cursor_shown;
    }
}

static void shift(struct view_map *map, int row, int col)
{
    for (int i = 0; i < map->n; i++) {
        map->matrices[i].top += row;
        map->matrices[i].left += col;
    }
    for (int i = 0; i < ATTN_N_STAGES; i++) {
        map->boxes[i].col += col;
    }
    map->pipeline_row += map->pipeline_row >= 0 ? row : 0;
}

static void draw_part(struct frame *f, const struct view_lesson *v, struct view_place place,
                      struct view_map *map)
{
    struct frame *const own =
        place.rows > 0 && place.cols > 0 ? frame_create(place.rows, place.cols, f->ascii) : NULL;
    if (own == NULL) {
        return;
    }
    own->cursor_row = -1;
    v->part.draw(own, v->part.what, map);
    paste(f, own, place.row, place.col);
    shift(map, place.row, place.col);
    frame_destroy(own);
}

void view_lesson(struct frame *f, const struct view_lesson *v, struct view_map *map,
                 struct view_lesson_map *text)
{
    struct view_map own_map;
    struct view_lesson_map own_text;
    map = map != NULL ? map : &own_map;
    text = text != NULL ? text : &own_text;
    memset(map, 0, sizeof *map);
    memset(text, 0, sizeof *text);
    frame_clear(f);
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        view_too_small(f);
        return;
    }
    map->pipeline_row = -1;
    const struct places s = divide(f, v);
    if (!v->bare) {
        draw_head(f, v);
    }
    if (s.part.rows > 0) {
        draw_part(f, v, s.part, map);
    }
    for (int r = s.part.row; s.bar >= 0 && r < s.part.row + s.part.rows; r++) {
        frame_put(f, r, s.bar, FRAME_DIM, FRAME_MARK_NONE, f->ascii ? "|" : "│");
    }
    if (s.rule >= 0) {
        view_rule(f, s.rule);
        if (v->part.over != NULL && s.part.rows > 0 && map->pipeline_row < 0) {
            v->part.over(f, v->part.what, s.rule, map);
        }
    }
    if (s.line >= 0) {
        v->part.line(f, v->part.what, s.line);
    }
    draw_text(f, v, s.text, text);
    if (!v->bare || v->message != NULL) {
        view_keys(f, f->rows - 1, v->message, v->keys, v->n_keys);
    }
}
