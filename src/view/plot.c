/* Curves in braille: each cell has two by four dots. */
#include "view_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL_COLS = VIEW_PLOT_LABEL_COLS - 1,
    DOTS_X = 2,
    DOTS_Y = 4,
    KEY_COLS = 3,
    MIDDLE_ROWS = 5
};

/** One letter a stroke where there is no braille. */
static const char *const ascii_marks[VIEW_N_STROKES] = {
    [VIEW_SOLID] = "x", [VIEW_THICK] = "o", [VIEW_DOTTED] = "."};

/** Where the curves go: the cells right of the labels and between title and axis. */
struct canvas {
    struct frame *f;
    struct view_place place;
    const struct view_plot *plot;
};

/** The bits of a braille cell, by dot row and column. */
static unsigned bit_of(int x, int y)
{
    static const unsigned bits[DOTS_Y][DOTS_X] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    return bits[y][x];
}

/** The dots of a cell that holds braille, else none. */
static unsigned dots_of(const struct frame_cell *cell)
{
    const unsigned char *const g = (const unsigned char *)cell->glyph;
    const bool braille = g[0] == 0xE2 && g[1] >= 0xA0 && g[1] <= 0xA3;
    return braille ? (unsigned)(g[1] & 3) << 6 | (g[2] & 0x3FU) : 0;
}

static void put_dots(struct frame *f, int row, int col, enum frame_role role, unsigned dots)
{
    const char glyph[4] = {(char)0xE2, (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 0x3F)),
                           '\0'};
    frame_put(f, row, col, role, FRAME_MARK_NONE, glyph);
}

static void put_dot(const struct canvas *c, int x, int y, const struct view_curve *curve)
{
    const int row = c->place.row + y / DOTS_Y;
    const int col = c->place.col + x / DOTS_X;
    const struct frame_cell *const cell = frame_at(c->f, row, col);
    if (cell == NULL || y < 0 || y >= c->place.rows * DOTS_Y || x >= c->place.cols * DOTS_X) {
        return;
    }
    if (c->f->ascii) {
        frame_put(c->f, row, col, curve->role, FRAME_MARK_NONE, ascii_marks[curve->stroke]);
    } else {
        const unsigned dots = dots_of(cell) | bit_of(x % DOTS_X, y % DOTS_Y);
        put_dots(c->f, row, col, curve->role, dots);
    }
}

static int dot_x(const struct canvas *c, int point)
{
    const int span = c->place.cols * DOTS_X - 1;
    return c->plot->n > 1 ? (point * span + (c->plot->n - 1) / 2) / (c->plot->n - 1) : 0;
}

/** Dots below the top, as a real number. */
static double dot_y(const struct canvas *c, double value)
{
    const struct view_plot *const p = c->plot;
    const double share = p->log ? log(value / p->low) / log(p->high / p->low)
                                : (value - p->low) / (p->high - p->low);
    const double inside = share < 0 ? 0 : share > 1 ? 1 : share;
    return (1 - inside) * (c->place.rows * DOTS_Y - 1);
}

static void put_line(const struct canvas *c, const struct view_curve *curve, int point)
{
    const int x0 = dot_x(c, point);
    const int x1 = dot_x(c, point + 1);
    const double y0 = dot_y(c, curve->values[point]);
    const double y1 = dot_y(c, curve->values[point + 1]);
    const int rise = (int)fabs(y1 - y0);
    const int n = rise > x1 - x0 ? rise : x1 - x0;
    for (int i = 0; i <= n; i++) {
        const double share = n > 0 ? (double)i / n : 0;
        const int x = (int)lround(x0 + share * (x1 - x0));
        const int y = (int)lround(y0 + share * (y1 - y0));
        if (curve->stroke == VIEW_DOTTED && x % 3 != 0) {
            continue;
        }
        put_dot(c, x, y, curve);
        if (curve->stroke == VIEW_THICK) {
            put_dot(c, x, y > 0 ? y - 1 : y + 1, curve);
        }
    }
}

static void put_curve(const struct canvas *c, const struct view_curve *curve)
{
    for (int i = 0; i + 1 < c->plot->n; i++) {
        if (!isnan(curve->values[i]) && !isnan(curve->values[i + 1])) {
            put_line(c, curve, i);
        }
    }
}

/** The marked point: a line through the plot, and a dot on each curve. */
static void put_cursor(const struct canvas *c)
{
    const struct view_plot *const p = c->plot;
    const int col = c->place.col + dot_x(c, p->at) / DOTS_X;
    for (int row = c->place.row; row < c->place.row + c->place.rows; row++) {
        if (strcmp(frame_at(c->f, row, col)->glyph, " ") == 0) {
            frame_put(c->f, row, col, FRAME_DIM, FRAME_MARK_WRITE, "┊");
        }
    }
    for (int i = 0; i < p->n_curves; i++) {
        const double value = p->curves[i].values[p->at];
        if (!isnan(value)) {
            const int row = c->place.row + (int)lround(dot_y(c, value)) / DOTS_Y;
            frame_put(c->f, row, col, p->curves[i].role, FRAME_MARK_NONE, "●");
        }
    }
}

static void put_y_axis(const struct canvas *c)
{
    const struct view_plot *const p = c->plot;
    for (int i = 0; i < c->place.rows; i++) {
        frame_put(c->f, c->place.row + i, c->place.col - 1, FRAME_DIM, FRAME_MARK_NONE, "│");
    }
    const double middle = p->log ? sqrt(p->low * p->high) : (p->low + p->high) / 2;
    const double labels[] = {p->high, p->low, middle};
    for (int i = 0; i < (c->place.rows >= MIDDLE_ROWS ? 3 : 2); i++) {
        const int row = c->place.row + (int)dot_y(c, labels[i]) / DOTS_Y;
        char text[24];
        if (labels[i] >= 99999) {
            const int power = (int)floor(log10(labels[i] / 0.95));
            snprintf(text, sizeof text, "%.0fe%d", labels[i] / pow(10, power), power);
        } else {
            snprintf(text, sizeof text, "%.*f", p->log && labels[i] > 0.99 ? 0 : p->decimals,
                     labels[i]);
        }
        frame_put(c->f, row, c->place.col - 1, FRAME_DIM, FRAME_MARK_NONE, "┤");
        frame_put_fit(c->f, row, c->place.col - 1 - LABEL_COLS, LABEL_COLS, true, FRAME_DIM,
                      FRAME_MARK_NONE, text);
    }
}

/** Does this label keep clear of the marked one's? */
static bool clear_of(const struct canvas *c, int point, int at)
{
    const int distance = abs(dot_x(c, point) - dot_x(c, at)) / DOTS_X;
    const int widths =
        frame_width(c->f, c->plot->ticks[point]) + frame_width(c->f, c->plot->ticks[at]);
    return at < 0 || point == at || distance >= widths / 2 + 1;
}

static void put_tick(const struct canvas *c, int row, int point, enum frame_mark mark)
{
    const char *const text = c->plot->ticks[point];
    const int width = frame_width(c->f, text);
    int col = c->place.col + dot_x(c, point) / DOTS_X - width / 2;
    const int last = c->place.col + c->place.cols - width;
    col = col > last ? last : col < c->place.col ? c->place.col : col;
    frame_put(c->f, row, col, FRAME_DIM, mark, text);
}

/** Labels as dense as they go, the marked one always among them. */
static void put_x_axis(const struct canvas *c)
{
    const struct view_plot *const p = c->plot;
    const int row = c->place.row + c->place.rows;
    int widest = 0;
    int every = 1;
    for (int i = 0; i < p->n; i++) {
        const int width = frame_width(c->f, p->ticks[i]);
        widest = width > widest ? width : widest;
    }
    while (every < p->n && p->n / every * (widest + 2) > c->place.cols) {
        every *= 2;
    }
    for (int i = 0; i < p->n; i += every) {
        if (p->at < 0 || clear_of(c, i, p->at)) {
            put_tick(c, row, i, FRAME_MARK_NONE);
        }
    }
    if (p->at >= 0) {
        put_tick(c, row, p->at, FRAME_MARK_FOCUS);
    }
}

void view_plot(struct frame *f, struct view_place place, const struct view_plot *plot)
{
    if (place.rows < 3 || place.cols < VIEW_PLOT_MIN_COLS) {
        return;
    }
    const struct canvas c = {.f = f,
                             .place = {.row = place.row + 1,
                                       .col = place.col + LABEL_COLS + 1,
                                       .rows = place.rows - 2,
                                       .cols = place.cols - LABEL_COLS - 1},
                             .plot = plot};
    frame_put_fit(f, place.row, c.place.col, c.place.cols, false, FRAME_HEADING, FRAME_MARK_NONE,
                  plot->title);
    put_y_axis(&c);
    for (int i = 0; i < plot->n_curves; i++) {
        put_curve(&c, &plot->curves[i]);
    }
    if (plot->at >= 0) {
        put_cursor(&c);
    }
    put_x_axis(&c);
}

void view_plot_key(struct frame *f, int row, int col, enum frame_role role, enum view_stroke stroke)
{
    static const unsigned dots[VIEW_N_STROKES][KEY_COLS] = {[VIEW_SOLID] = {0x12, 0x12, 0x12},
                                                            [VIEW_THICK] = {0x36, 0x36, 0x36},
                                                            [VIEW_DOTTED] = {0x02, 0x10, 0x02}};
    for (int i = 0; i < KEY_COLS; i++) {
        if (f->ascii) {
            frame_put(f, row, col + i, role, FRAME_MARK_NONE, ascii_marks[stroke]);
        } else {
            put_dots(f, row, col + i, role, dots[stroke][i]);
        }
    }
}
