#include <string.h>

#include "frame.h"

static bool same_look(struct frame_look a, struct frame_look b)
{
    return a.fg == b.fg && a.bg == b.bg && a.bold == b.bold && a.dim == b.dim &&
           a.underline == b.underline && a.reverse == b.reverse;
}

static void write_color(FILE *out, int base, int index)
{
    if (index >= 8) {
        fprintf(out, ";%d;5;%d", base + 8, index);
    } else if (index >= 0) {
        fprintf(out, ";%d", base + index);
    }
}

static void write_look(FILE *out, struct frame_look look)
{
    fputs("\033[0", out);
    fputs(look.bold ? ";1" : "", out);
    fputs(look.dim ? ";2" : "", out);
    fputs(look.underline ? ";4" : "", out);
    fputs(look.reverse ? ";7" : "", out);
    write_color(out, 30, look.fg);
    write_color(out, 40, look.bg);
    fputc('m', out);
}

void frame_write_ansi(const struct frame *f, enum frame_palette palette, FILE *out)
{
    static const struct frame_look plain = {.fg = FRAME_DEFAULT_COLOR, .bg = FRAME_DEFAULT_COLOR};
    for (int row = 0; row < f->rows; row++) {
        const struct frame_cell *const cells = &f->cells[(size_t)row * (size_t)f->cols];
        struct frame_look current = plain;
        int blanks = 0; /* plain ones, written only when something follows */
        for (int col = 0; col < f->cols; col++) {
            const struct frame_cell *const cell = &cells[col];
            const struct frame_look look = frame_cell_look(palette, cell);
            if (!same_look(look, current)) {
                for (; same_look(current, plain) && blanks > 0; blanks--) {
                    fputc(' ', out);
                }
                write_look(out, look);
                current = look;
            }
            if (same_look(look, plain) && strcmp(frame_cell_glyph(palette, cell), " ") == 0) {
                blanks++;
                continue;
            }
            for (; blanks > 0; blanks--) {
                fputc(' ', out);
            }
            fputs(frame_cell_glyph(palette, cell), out);
        }
        fputs(same_look(current, plain) ? "\n" : "\033[0m\n", out);
    }
}
