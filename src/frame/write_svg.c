#include <inttypes.h>
#include <string.h>

#include "frame.h"

/* In units of 1/10 px: a cell of a common monospace font at 14 px. */
enum { CELL_WIDTH = 84, CELL_HEIGHT = 180, BASELINE = 135, MARGIN = 100 };

struct colors {
    uint32_t fg, bg;
    bool bold, underline;
};

static struct colors colors_of(const struct frame_cell *cell, enum frame_palette palette)
{
    const bool dark = palette != FRAME_256_LIGHT;
    const struct frame_look look = frame_cell_look(palette, cell);
    const uint32_t fg = look.fg >= 0 ? frame_rgb(look.fg) : dark ? 0xFFFFFF : 0x000000;
    const uint32_t bg = look.bg >= 0 ? frame_rgb(look.bg) : dark ? 0x000000 : 0xFFFFFF;
    return (struct colors){.fg = look.reverse ? bg : fg,
                           .bg = look.reverse ? fg : bg,
                           .bold = look.bold,
                           .underline = look.underline};
}

static void write_tenths(FILE *out, const char *name, int tenths)
{
    fprintf(out, " %s=\"%d.%d\"", name, tenths / 10, tenths % 10);
}

static void write_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void write_rect(FILE *out, int x, int y, int width, int height, uint32_t color)
{
    fputs("<rect", out);
    write_tenths(out, "x", x);
    write_tenths(out, "y", y);
    write_tenths(out, "width", width);
    write_tenths(out, "height", height);
    fprintf(out, " fill=\"#%06" PRIx32 "\"/>\n", color);
}

/** The backgrounds of a row that differ from the picture's own. */
static void write_backgrounds(const struct frame *f, int row, enum frame_palette palette,
                              uint32_t ground, FILE *out)
{
    for (int col = 0, next; col < f->cols; col = next) {
        const uint32_t bg = colors_of(frame_at(f, row, col), palette).bg;
        for (next = col + 1; next < f->cols; next++) {
            if (colors_of(frame_at(f, row, next), palette).bg != bg) {
                break;
            }
        }
        if (bg != ground) {
            write_rect(out, MARGIN + col * CELL_WIDTH, MARGIN + row * CELL_HEIGHT,
                       (next - col) * CELL_WIDTH, CELL_HEIGHT, bg);
        }
    }
}

/** The upper halves of a row, as rectangles: a glyph would leave seams. */
static void write_halves(const struct frame *f, int row, enum frame_palette palette, FILE *out)
{
    for (int col = 0; col < f->cols; col++) {
        const struct frame_cell *const cell = frame_at(f, row, col);
        if (cell->lower > 0) {
            write_rect(out, MARGIN + col * CELL_WIDTH, MARGIN + row * CELL_HEIGHT, CELL_WIDTH,
                       CELL_HEIGHT / 2, colors_of(cell, palette).fg);
        }
    }
}

static bool is_ascii(const struct frame_cell *cell)
{
    return (unsigned char)cell->glyph[0] < 0x80 && cell->glyph[1] == '\0' && cell->width == 1;
}

/** Do two neighbours go into one text element? Only ASCII does: other fonts have other widths. */
static bool same_run(const struct frame_cell *a, const struct frame_cell *b,
                     enum frame_palette palette)
{
    const struct colors x = colors_of(a, palette);
    const struct colors y = colors_of(b, palette);
    return is_ascii(a) && is_ascii(b) && a->lower == 0 && b->lower == 0 && x.fg == y.fg &&
           x.bold == y.bold && x.underline == y.underline;
}

static void write_run(const struct frame *f, int row, int col, int next, enum frame_palette palette,
                      FILE *out)
{
    const struct colors colors = colors_of(frame_at(f, row, col), palette);
    int last = next;
    while (!colors.underline && last > col && strcmp(frame_at(f, row, last - 1)->glyph, " ") == 0) {
        last--;
    }
    while (!colors.underline && col < last && strcmp(frame_at(f, row, col)->glyph, " ") == 0) {
        col++;
    }
    if (col == last || frame_at(f, row, col)->width == 0 || frame_at(f, row, col)->lower > 0) {
        return;
    }
    fputs("<text", out);
    write_tenths(out, "x", MARGIN + col * CELL_WIDTH);
    write_tenths(out, "y", MARGIN + row * CELL_HEIGHT + BASELINE);
    const int width = last - col == 1 ? frame_at(f, row, col)->width : last - col;
    write_tenths(out, "textLength", width * CELL_WIDTH);
    fprintf(out, " fill=\"#%06" PRIx32 "\"%s%s>", colors.fg,
            colors.bold ? " font-weight=\"bold\"" : "",
            colors.underline ? " text-decoration=\"underline\"" : "");
    for (; col < last; col++) {
        write_escaped(out, frame_at(f, row, col)->glyph);
    }
    fputs("</text>\n", out);
}

static void write_texts(const struct frame *f, int row, enum frame_palette palette, FILE *out)
{
    for (int col = 0, next; col < f->cols; col = next) {
        for (next = col + 1; next < f->cols; next++) {
            if (!same_run(frame_at(f, row, col), frame_at(f, row, next), palette)) {
                break;
            }
        }
        write_run(f, row, col, next, palette, out);
    }
}

void frame_write_svg(const struct frame *f, enum frame_palette palette, FILE *out)
{
    const uint32_t ground = palette == FRAME_256_DARK ? 0x000000 : 0xFFFFFF;
    const enum frame_palette used = palette == FRAME_256_DARK ? palette : FRAME_256_LIGHT;
    const int width = f->cols * CELL_WIDTH + 2 * MARGIN;
    const int height = f->rows * CELL_HEIGHT + 2 * MARGIN;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d.%d %d.%d\" font-size=\"14\" xml:space=\"preserve\" "
            "font-family=\"'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace\">\n",
            (width + 9) / 10, (height + 9) / 10, width / 10, width % 10, height / 10, height % 10);
    write_rect(out, 0, 0, width, height, ground);
    for (int row = 0; row < f->rows; row++) {
        write_backgrounds(f, row, used, ground, out);
        write_halves(f, row, used, out);
    }
    for (int row = 0; row < f->rows; row++) {
        write_texts(f, row, used, out);
    }
    fputs("</svg>\n", out);
}
