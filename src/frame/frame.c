#include "frame.h"

#include <stdlib.h>

struct frame *frame_create(int rows, int cols, bool ascii)
{
    if (rows < 1 || rows > FRAME_ROWS_MAX || cols < 1 || cols > FRAME_COLS_MAX) {
        return NULL;
    }
    struct frame *const f = malloc(sizeof *f);
    if (f == NULL) {
        return NULL;
    }
    *f = (struct frame){.rows = rows, .cols = cols, .ascii = ascii};
    f->cells = malloc((size_t)rows * (size_t)cols * sizeof *f->cells);
    if (f->cells == NULL) {
        free(f);
        return NULL;
    }
    frame_clear(f);
    return f;
}

void frame_destroy(struct frame *f)
{
    if (f != NULL) {
        free(f->cells);
        free(f);
    }
}

void frame_clear(struct frame *f)
{
    const size_t n = (size_t)f->rows * (size_t)f->cols;
    static const struct frame_cell blank = {.glyph = " ", .width = 1};
    for (size_t i = 0; i < n; i++) {
        f->cells[i] = blank; /* zero where nothing is: cells compare as bytes */
    }
    f->cursor_row = -1;
    f->cursor_col = -1;
    f->cursor_shown = false;
}

struct frame_cell *frame_at(const struct frame *f, int row, int col)
{
    if (row < 0 || row >= f->rows || col < 0 || col >= f->cols) {
        return NULL;
    }
    return &f->cells[(size_t)row * (size_t)f->cols + (size_t)col];
}

void frame_remark(struct frame *f, int row, int col, int n, enum frame_mark mark)
{
    for (int i = 0; i < n && col + i < f->cols; i++) {
        struct frame_cell *const cell = frame_at(f, row, col + i);
        if (cell != NULL) {
            cell->mark = (uint8_t)mark;
        }
    }
}
