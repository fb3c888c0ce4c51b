/* An instrument on the screen: with a title and a foot around it, or as a part of a lesson. */
#include <stdio.h>
#include <string.h>

#include "view_lab.h"
#include "view_panel.h"

enum { PART_ROWS = 13, WORDS_MAX = 800, WORDS_COLS = 84, AIR_FROM_ROWS = 30 };

static const struct {
    void (*draw)(struct frame *f, struct view_place place, const struct view_lab *v);
    void (*line)(struct frame *f, struct view_place row, const struct view_lab *v);
    void (*plain)(FILE *out, const struct view_lab *v, bool ascii);
} rows[LAB_N_KINDS] = {
    [LAB_SCALING] = {view_lab_scaling, view_lab_scaling_line, view_lab_scaling_plain},
    [LAB_COST] = {view_lab_cost, view_lab_cost_line, view_lab_cost_plain},
    [LAB_MASKS] = {view_lab_masks, view_lab_masks_line, view_lab_masks_plain},
};

struct view_place view_lab_around(struct frame *f, const struct view_lab_frame *around)
{
    const struct lab_info *const info = &lab_infos[around->kind];
    frame_clear(f);
    frame_fill(f, 0, 0, f->cols, FRAME_TITLE, FRAME_MARK_NONE, " ");
    const int width = frame_putf(f, 0, 1, FRAME_TITLE, FRAME_MARK_NONE, "attn %s %s: %s",
                                 f->ascii ? "-" : "·", info->name, info->title);
    const int settings = frame_width(f, around->settings);
    if (width + 3 + settings < f->cols) {
        frame_put(f, 0, f->cols - 1 - settings, FRAME_TITLE, FRAME_MARK_NONE, around->settings);
    }
    view_rule(f, f->rows - 2);
    view_keys(f, f->rows - 1, around->message, around->keys, around->n_keys);
    const int air = f->rows >= AIR_FROM_ROWS ? 1 : 0; /* below the title */
    return (struct view_place){1 + air, 0, f->rows - 3 - air, f->cols};
}

void view_lab(struct frame *f, struct view_place place, const struct view_lab *v)
{
    rows[v->kind].draw(f, place, v);
}

int view_lab_words(struct frame *f, struct view_place place, const char *const sentences[], int n)
{
    char text[WORDS_MAX] = "";
    size_t end = 0;
    place.cols = place.cols < WORDS_COLS ? place.cols : WORDS_COLS; /* longer lines read badly */
    for (int i = 0; i < n && end < sizeof text; i++) {
        snprintf(text + end, sizeof text - end, "%s%s", i > 0 ? " " : "", sentences[i]);
        if (frame_wrapped_rows(f, place.cols, text) > place.rows) {
            text[end] = '\0';
            break;
        }
        end = strlen(text);
    }
    return end > 0 ? frame_put_wrapped(f, place.row, place.col, place.cols, place.rows, FRAME_TEXT,
                                       text)
                   : 0;
}

void view_lab_plain(FILE *out, const struct view_lab *v, bool ascii)
{
    rows[v->kind].plain(out, v, ascii);
}

/* ---- in a lesson ---- */

static int part_rows(const struct frame *f, const void *what, int cols)
{
    (void)f;
    (void)what;
    (void)cols;
    return PART_ROWS;
}

static void part_draw(struct frame *f, const void *what, struct view_map *map)
{
    map->pipeline_row = -1;
    view_lab(f, (struct view_place){0, 0, f->rows, f->cols}, what);
}

static void part_line(struct frame *f, const void *what, int row)
{
    const struct view_lab *const v = what;
    rows[v->kind].line(f, (struct view_place){row, 1, 1, f->cols - 2}, v);
}

struct view_part view_lab_part(const struct view_lab *v)
{
    return (struct view_part){v, part_rows, part_draw, part_line, NULL, NULL};
}
