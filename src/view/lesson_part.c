/* The walk as a part of another screen: no title, no keys, and as small as it must be. */
#include <stdio.h>
#include <string.h>

#include "view_arrange.h"
#include "view_lesson.h"
#include "view_panel.h"

enum {
    SMALL_BELOW_ROWS = 18, /**< Below this there is the stage and the arithmetic alone. */
    ARITHMETIC_ROWS = 2,
    OPENED_ROWS = 7
};

/** Who gets which rows of the part. */
struct rows {
    int stage, below;
    bool pipeline;
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
    return stage + (v->opened != NULL ? OPENED_ROWS : ARITHMETIC_ROWS);
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

static void draw(struct frame *f, const void *what, struct view_map *map)
{
    const struct view_walk *const v = what;
    const bool small = f->rows < SMALL_BELOW_ROWS;
    const int head = small ? 0 : 2;
    const int below = below_rows(v, f->rows);
    const struct view_place stage = {head, 0, f->rows - head - below - (small ? 0 : 1), f->cols};
    struct view_stage_layout layout = {.words = {0}};
    map->pipeline_row = -1;
    if (!small) {
        view_pipeline(f, v, 0, map);
    }
    if (small && (view_compact_fits(f, v, f->cols) || stage.rows < view_stage_rows(v))) {
        view_layout_compact(f, v, stage, map);
    } else {
        view_layout_stage(f, v, stage, map, &layout);
        view_stage_title(f, v, layout.words);
    }
    for (int i = 0; i < map->n; i++) {
        view_matrix_draw(f, v, &map->matrices[i]);
    }
    draw_below(f, v, (struct view_place){f->rows - below, 1, below, f->cols - 2});
}

/** The formula and the value of the cell under the cursor. */
static void draw_line(struct frame *f, const void *what, int row)
{
    const struct view_walk *const v = what;
    view_arithmetic(f, v, (struct view_place){row, 1, 1, f->cols - 2});
    f->cursor_row = row;
    f->cursor_col = 1;
}

struct view_part view_walk_part(const struct view_walk *v)
{
    return (struct view_part){v, rows_needed, draw, draw_line};
}
