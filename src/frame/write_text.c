#include <string.h>

#include "frame.h"

static const struct frame_cell *row_of(const struct frame *f, int row)
{
    return &f->cells[(size_t)row * (size_t)f->cols];
}

void frame_write_text(const struct frame *f, FILE *out)
{
    for (int row = 0; row < f->rows; row++) {
        const struct frame_cell *const cells = row_of(f, row);
        int last = f->cols;
        while (last > 0 && strcmp(cells[last - 1].glyph, " ") == 0) {
            last--;
        }
        for (int col = 0; col < last; col++) {
            fputs(cells[col].glyph, out);
        }
        fputc('\n', out);
    }
}

static char role_letter(const struct frame_cell *cell)
{
    const bool blank = cell->role == FRAME_TEXT && strcmp(cell->glyph, " ") == 0;
    return blank ? ' ' : frame_role_letter((enum frame_role)cell->role);
}

static char mark_letter(const struct frame_cell *cell)
{
    static const char letters[FRAME_N_MARKS] = {[FRAME_MARK_NONE] = ' ',
                                                [FRAME_MARK_READ] = 'r',
                                                [FRAME_MARK_WRITE] = 'w',
                                                [FRAME_MARK_FOCUS] = 'f'};
    return letters[cell->mark];
}

/** One line of letters; nothing if they are all blank and it may be left out. */
static void write_letters(const struct frame *f, int row, FILE *out, char first,
                          char (*letter)(const struct frame_cell *cell), bool always)
{
    const struct frame_cell *const cells = row_of(f, row);
    int last = f->cols;
    while (last > 0 && letter(&cells[last - 1]) == ' ') {
        last--;
    }
    if (last == 0 && !always) {
        return;
    }
    if (last > 0) {
        fputc(first, out);
    }
    for (int col = 0; col < last; col++) {
        fputc(letter(&cells[col]), out);
    }
    fputc('\n', out);
}

void frame_write_roles(const struct frame *f, FILE *out)
{
    for (int row = 0; row < f->rows; row++) {
        write_letters(f, row, out, ' ', role_letter, true);
        write_letters(f, row, out, '^', mark_letter, false);
    }
}
