/* The walk as a part of another screen: no title, no keys, and as small as it must be. */
#include <stdio.h>
#include <string.h>

#include "view_arrange.h"
#include "view_lesson.h"
#include "view_panel.h"

enum {
    SMALL_BELOW_ROWS = 18, /**< Below this there is the stage and the arithmetic alone. */
    ARITHMETIC_ROWS = 2,
    OPENED_ROWS = 7,
    STAGE_ROWS_BESIDE_HISTORY = 20 /**< What the stage keeps where the tensors so far are shown. */
};

static int below_rows(const struct view_walk *v, int rows)
{
    const int wanted = v->opened != NULL         ? OPENED_ROWS
                       : rows < SMALL_BELOW_ROWS ? ARITHMETIC_ROWS
                                                 : ARITHMETIC_ROWS + 1;
    return wanted < rows / 2 ? wanted : rows / 2;
}

static int rows_needed(const struct frame *f, const void *what, int cols)
{
    const struct view_walk *const v = what;
    const int stage =
        view_compact_fits(f, v, cols) ? view_compact_rows(f, v, cols) : view_stage_rows(v);
    return stage + 1 + (v->opened != NULL ? OPENED_ROWS : ARITHMETIC_ROWS);
}

static void draw_below(struct frame *f, const struct view_walk *v, struct view_place place)
{
    if (v->opened != NULL) {
        place.col = 0;
        place.cols = f->cols;
        view_opened_cell(f, v, place);
    } else {
        view_arithmetic(f, v, place);
    }
}

/** Rows for the tensors so far, with an empty one above; 0: no room. */
static int history_rows(struct frame *f, const struct view_walk *v, struct view_place stage)
{
    const int rows = v->hidden == NULL ? view_history(f, v, stage, false) + 1 : 1;
    return rows > 1 && stage.rows - rows >= STAGE_ROWS_BESIDE_HISTORY ? rows : 0;
}

static void draw(struct frame *f, const void *what, struct view_map *map)
{
    const struct view_walk *const v = what;
    const bool small = f->rows < SMALL_BELOW_ROWS;
    const int head = small ? 0 : 2;
    const int below = below_rows(v, f->rows);
    struct view_place stage = {head, 0, f->rows - head - below - (small ? 0 : 1), f->cols};
    const int history = history_rows(f, v, stage);
    stage.rows -= history;
    struct view_stage_layout layout = {.words = {0}};
    map->pipeline_row = -1;
    if (!small) {
        view_pipeline(f, v, 0, map);
    }
    if (small && (!v->large || stage.rows < view_stage_rows(v)) &&
        (view_compact_fits(f, v, f->cols) || stage.rows < view_stage_rows(v))) {
        view_layout_compact(f, v, stage, map);
    } else {
        view_layout_stage(f, v, stage, map, &layout);
        view_stage_title(f, v, layout.words);
    }
    for (int i = 0; i < map->n; i++) {
        view_matrix_draw(f, v, &map->matrices[i]);
    }
    const int end = f->rows - history;
    draw_below(f, v, (struct view_place){end - below, 1, below, f->cols - 2});
    if (history > 0) {
        view_history(f, v, (struct view_place){end + 1, 0, history - 1, f->cols}, true);
    }
}

/** The formula and the value of the cell under the cursor. */
static void draw_line(struct frame *f, const void *what, int row)
{
    const struct view_walk *const v = what;
    view_arithmetic(f, v, (struct view_place){row, 1, 1, f->cols - 2});
    f->cursor_row = row;
    f->cursor_col = 1;
}

static void draw_over(struct frame *f, const void *what, int row, struct view_map *map)
{
    view_pipeline(f, what, row, map);
}

struct view_part view_walk_part(const struct view_walk *v)
{
    return (struct view_part){v, rows_needed, draw, draw_line, draw_over};
}
