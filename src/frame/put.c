#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "text.h"

enum { TEXT_COLS_MAX = 1 << 20 }; /* columns stay far from overflow, whatever the text */

struct style {
    enum frame_role role;
    enum frame_mark mark;
};

static void set_cell(struct frame *f, int row, int col, struct style style, const char *glyph,
                     int width)
{
    struct frame_cell *const cell = frame_at(f, row, col);
    if (cell == NULL) {
        return;
    }
    *cell = (struct frame_cell){.glyph = {glyph[0]},
                                .width = (uint8_t)width,
                                .role = (uint8_t)style.role,
                                .mark = (uint8_t)style.mark};
    if (glyph[0] != '\0' && glyph[1] != '\0') { /* nearly all are of one byte */
        strcpy(cell->glyph, glyph);
    }
}

/** Before a cell is overwritten: what remains of a wide character that it was half of goes blank.
 */
static void split_wide(struct frame *f, int row, int col)
{
    const struct frame_cell *const cell = frame_at(f, row, col);
    if (cell == NULL || cell->width == 1) {
        return;
    }
    const int other = cell->width == 0 ? col - 1 : col + 1;
    const struct style style = {(enum frame_role)cell->role, (enum frame_mark)cell->mark};
    set_cell(f, row, other, style, " ", 1);
}

static void put_glyph(struct frame *f, int row, int col, struct style style,
                      const struct frame_glyph *glyph)
{
    split_wide(f, row, col);
    if (glyph->width == 1) {
        const bool masked = style.role == FRAME_MASKED && f->ascii && glyph->text[0] == '*';
        set_cell(f, row, col, style, masked ? "." : glyph->text, 1);
        return;
    }
    split_wide(f, row, col + 1);
    if (frame_at(f, row, col) != NULL && frame_at(f, row, col + 1) != NULL) {
        set_cell(f, row, col, style, glyph->text, 2);
        set_cell(f, row, col + 1, style, "", 0);
    } else { /* cut by the frame's edge */
        set_cell(f, row, col, style, " ", 1);
        set_cell(f, row, col + 1, style, " ", 1);
    }
}

/** Put what fits into width columns. @return the columns used; *end is set to whether all did. */
static int put_text(struct frame *f, int row, int col, int width, struct style style,
                    const char *text, bool *end)
{
    struct frame_reader reader = frame_reader(text, f->ascii);
    struct frame_glyph glyph;
    int used = 0;
    while (frame_read(&reader, &glyph)) {
        if (glyph.width > width - used) {
            *end = false;
            return used;
        }
        put_glyph(f, row, col + used, style, &glyph);
        used += glyph.width;
    }
    *end = true;
    return used;
}

static void put_blanks(struct frame *f, int row, int col, int n, struct style style)
{
    static const struct frame_glyph blank = {" ", 1};
    for (int i = 0; i < n && col + i < f->cols; i++) {
        put_glyph(f, row, col + i, style, &blank);
    }
}

int frame_width(const struct frame *f, const char *text)
{
    struct frame_reader reader = frame_reader(text, f->ascii);
    struct frame_glyph glyph;
    int used = 0;
    while (used < TEXT_COLS_MAX && frame_read(&reader, &glyph)) {
        used += glyph.width;
    }
    return used;
}

int frame_put(struct frame *f, int row, int col, enum frame_role role, enum frame_mark mark,
              const char *text)
{
    bool end = true;
    return put_text(f, row, col, TEXT_COLS_MAX, (struct style){role, mark}, text, &end);
}

int frame_putf(struct frame *f, int row, int col, enum frame_role role, enum frame_mark mark,
               const char *format, ...)
{
    char text[4 * FRAME_COLS_MAX];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return length < 0 ? 0 : frame_put(f, row, col, role, mark, text);
}

void frame_put_fit(struct frame *f, int row, int col, int width, bool right, enum frame_role role,
                   enum frame_mark mark, const char *text)
{
    if (width <= 0) {
        return;
    }
    const struct style style = {role, mark};
    const int needed = frame_width(f, text);
    bool end = true;
    if (needed <= width) {
        const int pad = width - needed;
        put_blanks(f, row, right ? col : col + needed, pad, style);
        put_text(f, row, right ? col + pad : col, width, style, text, &end);
        return;
    }
    const int used = put_text(f, row, col, width - 1, style, text, &end);
    frame_put(f, row, col + used, role, mark, "…");
    put_blanks(f, row, col + used + 1, width - used - 1, style);
}

/** The bytes of text that make one line of width columns; *next is where the following begins. */
static size_t break_line(const struct frame *f, const char *text, int width, const char **next)
{
    struct frame_reader reader = frame_reader(text, f->ascii);
    struct frame_glyph glyph = {"", 0};
    const char *space = text; /* the last one, after the line's own indent */
    const char *start = text; /* of the character that is being read */
    int used = 0;
    do {
        used += glyph.width;
        if (*reader.pending == '\0') {
            start = reader.next;
            if (*start == '\n' || *start == '\0') {
                *next = *start == '\n' ? start + 1 : NULL;
                return (size_t)(start - text);
            }
            space = *start == ' ' ? start : space;
        }
        if (!frame_read(&reader, &glyph)) { /* the rest shows nothing */
            *next = NULL;
            return strlen(text);
        }
    } while (used + glyph.width <= width);
    const char *const end = space > text ? space : start > text ? start : reader.next;
    const char *const rest = end + strspn(end, " ");
    *next = *rest == '\0' ? NULL : *rest == '\n' ? rest + 1 : rest;
    return (size_t)(end - text);
}

int frame_put_wrapped(struct frame *f, int row, int col, int width, int rows, enum frame_role role,
                      const char *text)
{
    int used = 0;
    while (text != NULL && used < rows && width > 0) {
        const char *next = NULL;
        const size_t length = break_line(f, text, width, &next);
        char line[FRAME_GLYPH_MAX * FRAME_COLS_MAX + 8];
        const size_t kept = length < sizeof line - 8 ? length : sizeof line - 8;
        memcpy(line, text, kept);
        /* What does not fit any more is not lost silently. */
        strcpy(line + kept, next == NULL || used + 1 < rows ? "" : kept == 0 ? "…" : " …");
        bool end = true;
        const int cols =
            put_text(f, row + used, col, width, (struct style){role, FRAME_MARK_NONE}, line, &end);
        if (!end) {
            frame_put(f, row + used, col + (cols < width ? cols : width - 1), role, FRAME_MARK_NONE,
                      "…");
        }
        text = next;
        used++;
    }
    return used;
}

int frame_wrapped_rows(const struct frame *f, int width, const char *text)
{
    int used = 0;
    while (text != NULL && used < FRAME_ROWS_MAX && width > 0) {
        break_line(f, text, width, &text);
        used++;
    }
    return used;
}

void frame_fill(struct frame *f, int row, int col, int n, enum frame_role role,
                enum frame_mark mark, const char *glyph)
{
    struct frame_reader reader = frame_reader(glyph, f->ascii);
    struct frame_glyph one;
    if (!frame_read(&reader, &one)) {
        return;
    }
    const int last = n < f->cols - col ? n : f->cols - col;
    for (int i = col < 0 ? -col - (-col) % one.width : 0; i + one.width <= last; i += one.width) {
        put_glyph(f, row, col + i, (struct style){role, mark}, &one);
    }
}

void frame_put_halves(struct frame *f, int row, int col, enum frame_role upper,
                      enum frame_role lower, const char *glyph)
{
    frame_put(f, row, col, upper, FRAME_MARK_NONE, glyph);
    struct frame_cell *const cell = frame_at(f, row, col);
    if (cell != NULL && !f->ascii) {
        cell->lower = (uint8_t)(lower + 1);
    }
}
