#include "screen.h"

#include <stddef.h>
#include <string.h>
#include <wchar.h>

#include <curses.h>

#include "text.h"

/** A colour as this terminal numbers it: one of direct colours is named by its value. */
static int color_of(int index)
{
    return index >= 8 && COLORS > 256 ? (int)frame_rgb(index) : index;
}

static bool init_one(int pair, int fg, int bg)
{
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS
    return init_extended_pair(pair, color_of(fg), color_of(bg)) == OK;
#else
    return COLORS <= 256 && init_pair((short)pair, (short)color_of(fg), (short)color_of(bg)) == OK;
#endif
}

/** The number of the pair of these colours; 0, the terminal's own, where there is no room. */
static short pair_of(struct tui_looks *pairs, int16_t fg, int16_t bg)
{
    if (fg == FRAME_DEFAULT_COLOR && bg == FRAME_DEFAULT_COLOR) {
        return 0;
    }
    for (int i = 1; i <= pairs->n_pairs; i++) {
        if (pairs->pair[i].fg == fg && pairs->pair[i].bg == bg) {
            return (short)i;
        }
    }
    if (pairs->n_pairs == TUI_PAIRS_MAX || pairs->n_pairs + 1 >= COLOR_PAIRS ||
        !init_one(pairs->n_pairs + 1, fg, bg)) {
        return 0;
    }
    pairs->n_pairs++;
    pairs->pair[pairs->n_pairs].fg = fg;
    pairs->pair[pairs->n_pairs].bg = bg;
    return (short)pairs->n_pairs;
}

void tui_screen_colors(struct tui_looks *looks, enum frame_palette palette)
{
    *looks = (struct tui_looks){.palette = palette};
    if (palette != FRAME_MONO && has_colors()) {
        start_color();
        use_default_colors();
    }
    for (int role = 0; role < FRAME_N_ROLES; role++) {
        for (int mark = 0; mark < FRAME_N_MARKS; mark++) {
            const struct frame_look look =
                frame_look(palette, (enum frame_role)role, (enum frame_mark)mark);
            looks->attributes[role][mark] =
                (unsigned)((look.bold ? A_BOLD : 0) | (look.dim ? A_DIM : 0) |
                           (look.underline ? A_UNDERLINE : 0) | (look.reverse ? A_REVERSE : 0));
            looks->pairs[role][mark] = pair_of(looks, look.fg, look.bg);
        }
    }
}

static void show_cell(struct tui_looks *looks, int row, int col, const struct frame_cell *cell)
{
    wchar_t glyph[CCHARW_MAX + 1] = {0};
    const char *next = frame_cell_glyph(looks->palette, cell);
    for (int i = 0; i < CCHARW_MAX && *next != '\0'; i++) {
        glyph[i] = (wchar_t)frame_decode(&next);
    }
    cchar_t shown;
    const attr_t attributes = (attr_t)looks->attributes[cell->role][cell->mark];
    short pair = looks->pairs[cell->role][cell->mark];
    if (cell->lower > 0) {
        const struct frame_look look = frame_cell_look(looks->palette, cell);
        pair = pair_of(looks, look.fg, look.bg);
    }
    if (setcchar(&shown, glyph, attributes, pair, NULL) == OK) {
        mvadd_wch(row, col, &shown);
    }
}

/** Put the cells of a row that are not those of the row before: frames are compared as bytes, which
 * are zero where nothing is. */
static void show_row(struct tui_looks *looks, int row, int cols, const struct frame_cell *cells,
                     const struct frame_cell *before)
{
    if (memcmp(cells, before, (size_t)cols * sizeof *cells) == 0) {
        return;
    }
    for (int col = 0; col < cols; col++) {
        const struct frame_cell *const cell = &cells[col];
        const bool fits = col + cell->width <= COLS;
        if (cell->width > 0 && fits && memcmp(cell, &before[col], sizeof *cell) != 0) {
            show_cell(looks, row, col, cell);
        }
    }
}

/** Remember what was put. */
static void keep(struct tui_looks *looks, const struct frame *f)
{
    const size_t bytes = (size_t)f->cols * sizeof *f->cells;
    for (int row = 0; row < f->rows; row++) {
        struct frame_cell *const kept = frame_at(looks->shown, row, 0);
        const struct frame_cell *const now = frame_at(f, row, 0);
        if (memcmp(kept, now, bytes) != 0) {
            memcpy(kept, now, bytes);
        }
    }
}

/** What is on the screen: what was shown there last, or an empty one. @return false without memory.
 */
static bool recall(struct tui_looks *looks, const struct frame *f)
{
    if (looks->shown != NULL && (looks->shown->rows != f->rows || looks->shown->cols != f->cols)) {
        tui_screen_forget(looks);
    }
    if (looks->shown == NULL) {
        looks->shown = frame_create(f->rows, f->cols, f->ascii);
        erase();
    }
    return looks->shown != NULL;
}

void tui_screen_show(struct tui_looks *looks, const struct frame *f)
{
    const int rows = f->rows < LINES ? f->rows : LINES;
    const int cols = f->cols < COLS ? f->cols : COLS;
    if (!recall(looks, f)) {
        return;
    }
    for (int row = 0; row < rows; row++) {
        show_row(looks, row, cols, frame_at(f, row, 0), frame_at(looks->shown, row, 0));
    }
    const bool placed =
        f->cursor_row >= 0 && f->cursor_row < rows && f->cursor_col >= 0 && f->cursor_col < cols;
    move(placed ? f->cursor_row : 0, placed ? f->cursor_col : 0);
    curs_set(placed && f->cursor_shown ? 1 : 0);
    refresh();
    if (rows == f->rows && cols == f->cols) {
        keep(looks, f); /* after the last byte has gone out */
    } else {
        tui_screen_forget(looks);
    }
}

void tui_screen_forget(struct tui_looks *looks)
{
    frame_destroy(looks->shown);
    looks->shown = NULL;
}
