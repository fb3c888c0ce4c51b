/* The walk as a part of another screen: no title, no keys, and as small as it must be. */
#include <stdio.h>
#include <string.h>

#include "view_arrange.h"
#include "view_lesson.h"
#include "view_panel.h"

enum {
    SMALL_BELOW_ROWS = 18, /**< Below this there is the stage and the arithmetic alone. */
    ARITHMETIC_ROWS = 2,
    TOLD_ROWS = 2,
    OPENED_ROWS = 7,
    SLOPES_ROWS = 9,
    STAGE_ROWS_BESIDE_HISTORY = 20 /**< What the stage keeps where the tensors so far are shown. */
};

static bool tells(const struct view_walk *v)
{
    return v->told != NULL && v->told->n > 0 && v->hidden == NULL;
}

/** Where there is room, what is told has rows of its own. */
static int below_rows(const struct view_walk *v, int rows)
{
    const int wanted = v->opened != NULL         ? OPENED_ROWS
                       : v->slopes != NULL       ? SLOPES_ROWS
                       : rows < SMALL_BELOW_ROWS ? ARITHMETIC_ROWS
                       : tells(v)                ? ARITHMETIC_ROWS + 1 + TOLD_ROWS
                                                 : ARITHMETIC_ROWS + 1;
    return wanted < rows / 2 ? wanted : rows / 2;
}

/** For the stage to be whole in a small part. */
static int stage_rows(const struct frame *f, const struct view_walk *v, int cols)
{
    return view_compact_fits(f, v, cols) ? view_compact_rows(f, v, cols) : view_stage_rows(v);
}

static int rows_needed(const struct frame *f, const void *what, int cols)
{
    const struct view_walk *const v = what;
    return stage_rows(f, v, cols) + 1 +
           (v->opened != NULL   ? OPENED_ROWS
            : v->slopes != NULL ? SLOPES_ROWS
                                : ARITHMETIC_ROWS);
}

/** What the lesson speaks of: "sd: q 0.9822, scores 7.9600". What does not fit is left out.
 * @param draw  false: only measure. @return the rows. */
static int put_told(struct frame *f, const struct lesson_told *told, struct view_place place,
                    bool draw)
{
    int row = 0;
    int col = 0;
    for (int i = 0; i < told->n; i++) {
        const bool same = i > 0 && strcmp(told->items[i].measure, told->items[i - 1].measure) == 0;
        char name[128];
        const size_t before = strlen(told->items[i].measure);
        snprintf(name, sizeof name, "%s%s%s ", told->items[i].measure, before > 0 ? ": " : "",
                 told->items[i].of);
        const char *text = same && before > 0 ? name + before + 2 : name;
        const int value = frame_width(f, told->items[i].value);
        int gap = col == 0 ? 0 : same ? 2 : 3;
        if (col + gap + frame_width(f, text) + value > place.cols) {
            if (row + 1 >= place.rows) {
                break;
            }
            row++;
            col = 0;
            gap = 0;
            text = name;
        }
        const int width = gap + frame_width(f, text) + value;
        if (draw) {
            const int at = place.col + col;
            frame_put(f, place.row + row, at, FRAME_TEXT, FRAME_MARK_NONE, gap == 2 ? ", " : "");
            frame_put(f, place.row + row, at + gap, FRAME_LABEL, FRAME_MARK_NONE, text);
            frame_put(f, place.row + row, at + width - value, FRAME_STRONG, FRAME_MARK_NONE,
                      told->items[i].value);
        }
        col += width;
    }
    return row + 1;
}

static void draw_below(struct frame *f, const struct view_walk *v, struct view_place place)
{
    if (v->opened != NULL) {
        place.col = 0;
        place.cols = f->cols;
        view_opened_cell(f, v, place);
    } else if (v->slopes != NULL) {
        place.col = 0;
        place.cols = f->cols;
        view_slopes(f, v, place);
    } else if (tells(v) && place.rows > 1) {
        struct view_place told = {place.row, place.col, place.rows - 1, place.cols};
        told.rows = put_told(f, v->told, told, false);
        told.row += place.rows - told.rows;
        place.rows -= told.rows;
        view_arithmetic(f, v, place);
        put_told(f, v->told, told, true);
    } else {
        view_arithmetic(f, v, place);
    }
}

/** Who gets which rows of the part. */
struct parts {
    struct view_place stage;
    int below;
    bool small;
};

static struct parts divide(const struct frame *f, const struct view_walk *v, int rows, int cols)
{
    struct parts p = {.below = below_rows(v, rows), .small = rows < SMALL_BELOW_ROWS};
    const int head = p.small ? 0 : 2;
    const bool spare = p.small && rows - p.below > stage_rows(f, v, cols);
    p.below += spare && tells(v) && v->opened == NULL && v->slopes == NULL ? 1 : 0;
    p.stage = (struct view_place){head, 0, rows - head - p.below - (p.small ? 0 : 1), cols};
    return p;
}

static void lay(const struct frame *f, const struct view_walk *v, const struct parts *p,
                struct view_map *map, struct view_stage_layout *layout)
{
    if (p->small && view_compact_fits(f, v, p->stage.cols) &&
        (!v->large || p->stage.rows < view_stage_rows(v))) {
        *layout = (struct view_stage_layout){.words = {0}};
        view_layout_compact(f, v, p->stage, map);
    } else {
        view_layout_stage(f, v, p->stage, map, layout);
    }
}

static int shown(const struct frame *f, const void *what, int rows, int cols)
{
    const struct view_walk *const v = what;
    const struct parts p = divide(f, v, rows, cols);
    struct view_map map = {.n = 0};
    struct view_stage_layout layout;
    lay(f, v, &p, &map, &layout);
    return view_digits(&map, view_stage_main(v));
}

/** Rows for the tensors so far, with an empty one above; 0: no room. */
static int history_rows(struct frame *f, const struct view_walk *v, struct view_place stage)
{
    const int rows = v->hidden == NULL ? view_history(f, v, stage, false) + 1 : 1;
    const int whole = view_stage_rows(v);
    const int keeps = whole > STAGE_ROWS_BESIDE_HISTORY ? whole : STAGE_ROWS_BESIDE_HISTORY;
    return rows > 1 && stage.rows - rows >= keeps ? rows : 0;
}

static void draw(struct frame *f, const void *what, struct view_map *map)
{
    const struct view_walk *const v = what;
    struct parts p = divide(f, v, f->rows, f->cols);
    const int history = history_rows(f, v, p.stage);
    p.stage.rows -= history;
    struct view_stage_layout layout;
    map->pipeline_row = -1;
    if (!p.small) {
        view_pipeline(f, v, 0, map);
    }
    lay(f, v, &p, map, &layout);
    view_stage_title(f, v, layout.words);
    for (int i = 0; i < map->n; i++) {
        view_matrix_draw(f, v, &map->matrices[i]);
    }
    const int end = f->rows - history;
    draw_below(f, v, (struct view_place){end - p.below, 1, p.below, f->cols - 2});
    if (history > 0) {
        view_history(f, v, (struct view_place){end + 1, 0, history - 1, f->cols}, true);
    }
}

/** The formula and the value of the cell under the cursor, or what the lesson speaks of. */
static void draw_line(struct frame *f, const void *what, int row)
{
    const struct view_walk *const v = what;
    const struct view_place place = {row, 1, 1, f->cols - 2};
    if (tells(v) && v->told_first) {
        put_told(f, v->told, place, true);
    } else {
        view_arithmetic(f, v, place);
    }
    f->cursor_row = row;
    f->cursor_col = 1;
}

/** In the rule above the part, apart from it by a blank at either end. */
static void draw_over(struct frame *f, const void *what, int row, struct view_map *map)
{
    int end = f->cols - 1;
    frame_fill(f, row, 0, f->cols, FRAME_DIM, FRAME_MARK_NONE, " ");
    view_pipeline(f, what, row, map);
    while (end >= 0 && strcmp(frame_at(f, row, end)->glyph, " ") == 0) {
        end--;
    }
    if (end + 2 < f->cols) {
        frame_fill(f, row, end + 2, f->cols - end - 2, FRAME_DIM, FRAME_MARK_NONE, "─");
    }
}

bool view_shows(const struct view_map *map, struct attn_cell cell)
{
    bool found = false;
    for (int i = 0; i < map->n; i++) {
        const struct view_matrix *const m = &map->matrices[i];
        const bool digits = m->zoom == VIEW_ZOOM_DIGITS || m->zoom == VIEW_ZOOM_SHORT;
        const int row = cell.at[m->transposed ? 2 : 1] - m->row0;
        const int col = cell.at[m->transposed ? 1 : 2] - m->col0;
        found = found || (digits && m->tensor == cell.tensor && row >= 0 && row < m->rows &&
                          col >= 0 && col < m->cols);
    }
    return found;
}

struct view_part view_walk_part(const struct view_walk *v)
{
    return (struct view_part){v, rows_needed, draw, draw_line, draw_over, shown};
}
