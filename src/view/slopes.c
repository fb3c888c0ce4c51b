/* The inputs that move the number under the cursor the most. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view_panel.h"

enum {
    WIDE_FROM_COLS = 60, /**< From here on there is air between the columns. */
    TALL_FROM_ROWS = 16, /**< From here on everything may have a row of its own. */
    MARGIN = 3,          /**< For the mark of the selected one. */
    NUMBER_COLS = 7,     /**< At least. */
    OTHER_COLS = 20,     /**< For "before: -0.1807", and a gap. */
    BAR_COLS_MIN = 4,
    BAR_COLS_MAX = 32,
    NAME_MAX = 128,
    NAME_LEAST = 5, /**< "W…ght": something of both ends. */
    FRONT_MIN = 3
};

/** Who gets which columns. */
struct columns {
    int name, value, slope, bar; /**< Their first columns. */
    int name_w, value_w, slope_w;
    int bar_w;     /**< 0: no room. */
    int name_most; /**< Columns of a name before its index; longer ones are cut in the middle. */
};

/** A name without its index. */
struct name {
    char text[64];
};

/** Cut in the middle, so that its layer and what it is of it can both be told. */
static void shorten(const struct frame *f, const char *name, int room, struct name *out)
{
    const char *const dot = strrchr(name, '.');
    const int whole = (int)strlen(name);
    int back = dot != NULL ? whole - (int)(dot - name) - 1 : whole / 2;
    back = back > room - 1 - FRONT_MIN ? (room - 1) / 2 : back;
    const int front = room - 1 - back;
    if (whole <= room || front < 1 || back < 1) {
        snprintf(out->text, sizeof out->text, "%.63s", name);
    } else {
        snprintf(out->text, sizeof out->text, "%.*s%s%s", front, name, f->ascii ? "~" : "…",
                 name + whole - back);
    }
}

/** The input's name, no longer than room before its index. */
static const char *input_name(const struct frame *f, const struct view_walk *v,
                              struct attn_cell cell, int room, char out[NAME_MAX])
{
    char whole[NAME_MAX];
    struct name name;
    walk_cell_text(v->setup, v->trace, cell, whole, sizeof whole);
    char *const index = strchr(whole, '[');
    if (index == NULL || index - whole <= room) {
        snprintf(out, NAME_MAX, "%s", whole);
        return out;
    }
    char head[NAME_MAX];
    snprintf(head, sizeof head, "%.*s", (int)(index - whole), whole);
    shorten(f, head, room, &name);
    snprintf(out, NAME_MAX, "%.63s%.60s", name.text, index);
    return out;
}

/** Columns of the longest index, "[11,2]". */
static int index_width(const struct frame *f, const struct view_walk *v)
{
    char whole[NAME_MAX];
    int width = 0;
    for (int i = 0; i < v->slopes->n; i++) {
        walk_cell_text(v->setup, v->trace, v->slopes->top[i].cell, whole, sizeof whole);
        const char *const index = strchr(whole, '[');
        const int w = index != NULL ? frame_width(f, index) : 0;
        width = w > width ? w : width;
    }
    return width;
}

static int wider(int width, const struct frame *f, const char *text)
{
    const int other = frame_width(f, text);
    return other > width ? other : width;
}

/** The columns that all of them need, whichever are in sight. */
static void measure(const struct frame *f, const struct view_walk *v, struct columns *c)
{
    char text[NAME_MAX];
    c->name_w = frame_width(f, "input");
    c->value_w = NUMBER_COLS;
    c->slope_w = NUMBER_COLS;
    for (int i = 0; i < v->slopes->n; i++) {
        const struct walk_slope *const one = &v->slopes->top[i];
        c->name_w = wider(c->name_w, f, input_name(f, v, one->cell, c->name_most, text));
        c->value_w = wider(c->value_w, f, walk_number((double)one->value, text));
        c->slope_w = wider(c->slope_w, f, walk_slope_text(one->slope, text));
    }
}

static struct columns divide(const struct frame *f, const struct view_walk *v,
                             struct view_place place)
{
    const int gap = place.cols >= WIDE_FROM_COLS ? 3 : 1;
    struct columns c = {.name = place.col + MARGIN, .name_most = NAME_MAX};
    measure(f, v, &c);
    const int room = place.cols - MARGIN - c.value_w - c.slope_w - 2 * gap - 1;
    if (c.name_w > room) {
        c.name_most = room - index_width(f, v);
        c.name_most = c.name_most < NAME_LEAST ? NAME_LEAST : c.name_most;
        measure(f, v, &c);
    }
    c.name_w = c.name_w > room ? room : c.name_w;
    c.value = c.name + c.name_w + gap;
    c.slope = c.value + c.value_w + gap;
    c.bar = c.slope + c.slope_w + (gap > 1 ? 2 : 1);
    c.bar_w = place.col + place.cols - 1 - c.bar;
    c.bar_w = c.bar_w > BAR_COLS_MAX ? BAR_COLS_MAX : c.bar_w < BAR_COLS_MIN ? 0 : c.bar_w;
    return c;
}

/** As long as the slope is large beside the largest. */
static void put_bar(struct frame *f, int row, const struct columns *c, double share)
{
    const int halves = isfinite(share) ? (int)(share * 2 * c->bar_w + 0.5) : 0;
    frame_fill(f, row, c->bar, halves / 2, FRAME_DIM, FRAME_MARK_NONE, "█");
    frame_fill(f, row, c->bar + halves / 2, halves % 2, FRAME_DIM, FRAME_MARK_NONE, "▌");
}

static void put_input(struct frame *f, const struct view_walk *v, const struct columns *c, int i,
                      int row)
{
    const struct walk_slope *const one = &v->slopes->top[i];
    const float largest = (float)fabs(v->slopes->top[0].slope);
    const int heat = walk_heat_of(ATTN_KIND_REAL, (float)one->slope, largest);
    const bool here = i == v->slope;
    char name[NAME_MAX];
    char number[WALK_NUMBER_MAX];
    if (here) {
        frame_put(f, row, c->name - 2, FRAME_TEXT, FRAME_MARK_WRITE, f->ascii ? ">" : "▶");
        f->cursor_row = row;
        f->cursor_col = c->name;
    }
    input_name(f, v, one->cell, c->name_most, name);
    frame_put_fit(f, row, c->name, c->name_w, false, FRAME_LABEL,
                  here ? FRAME_MARK_FOCUS : FRAME_MARK_NONE, name);
    frame_put_fit(f, row, c->value, c->value_w, true, FRAME_TEXT, FRAME_MARK_NONE,
                  walk_number((double)one->value, number));
    frame_put_fit(f, row, c->slope, c->slope_w, true,
                  heat < 0 ? FRAME_WARN : (enum frame_role)(FRAME_HEAT0 + heat), FRAME_MARK_NONE,
                  walk_slope_text(one->slope, number));
    put_bar(f, row, c, fabs(one->slope) / (double)largest);
}

/** What the list is a list of. @return the rows that it took. */
static int put_heading(struct frame *f, const struct view_walk *v, struct view_place place)
{
    static const char *const meaning =
        "+1 on an input changes it by about the slope ∂ (the gradient):";
    char name[NAME_MAX];
    char number[WALK_NUMBER_MAX];
    char count[80];
    const int width = place.cols - 2;
    walk_cell_text(v->setup, v->trace, v->slopes->cell, name, sizeof name);
    const int used = frame_putf(f, place.row, place.col + 1, FRAME_HEADING, FRAME_MARK_NONE,
                                "%s = %s", name, walk_number((double)v->slopes->value, number));
    snprintf(count, sizeof count, "%zu of %zu inputs move it", v->slopes->moving,
             v->slopes->inputs);
    place.col++;
    place.cols = width;
    const bool changed = used + OTHER_COLS <= width && view_other(f, v, place) > 0;
    const int count_w = frame_width(f, count);
    const bool beside = !changed && used + 2 + count_w <= width;
    const bool below = !beside && place.rows >= TALL_FROM_ROWS;
    if (beside || below) {
        frame_put(f, place.row + below, place.col + (beside ? width - count_w : 0), FRAME_DIM,
                  FRAME_MARK_NONE, count);
    }
    return 1 + below +
           frame_put_wrapped(
               f, place.row + 1 + below, place.col, width, place.rows - 1 - below, FRAME_TEXT,
               v->slopes->n == 0 ? walk_slope_none(v->trace, v->slopes->cell) : meaning);
}

static void put_names(struct frame *f, const struct columns *c, int row)
{
    frame_put(f, row, c->name, FRAME_DIM, FRAME_MARK_NONE, "input");
    frame_put_fit(f, row, c->value, c->value_w, true, FRAME_DIM, FRAME_MARK_NONE, "value");
    frame_put_fit(f, row, c->slope, c->slope_w, true, FRAME_DIM, FRAME_MARK_NONE, "slope ∂");
}

void view_slopes(struct frame *f, const struct view_walk *v, struct view_place place)
{
    const struct columns c = divide(f, v, place);
    const int n = v->slopes->n;
    int head = put_heading(f, v, place);
    if (n == 0) {
        return;
    }
    if (place.rows - head > 3) { /* no names over a list of three or fewer */
        put_names(f, &c, place.row + head++);
    }
    const int rows = place.rows - head;
    int first = v->slope - (rows - 1) / 2;
    first = first > n - rows ? n - rows : first;
    first = first < 0 ? 0 : first;
    const size_t after = v->slopes->moving - (size_t)first;
    const bool more = rows > 2 && after > (size_t)rows;
    for (int i = 0; i < rows - (more ? 1 : 0) && first + i < n; i++) {
        put_input(f, v, &c, first + i, place.row + head + i);
    }
    if (more) {
        frame_putf(f, place.row + place.rows - 1, c.name, FRAME_DIM, FRAME_MARK_NONE, "… %zu more",
                   after - (size_t)rows + 1);
    }
}
