#include "view_pen.h"

#include <string.h>

static enum frame_role shown(const struct pen *p, enum frame_role role)
{
    return p->dim ? FRAME_DIM : role;
}

static bool in_view(const struct pen *p, int row)
{
    return p->draws && row >= p->top && row < p->top + p->place.rows;
}

void pen_at(struct pen *p, int col, enum frame_role role, enum frame_mark mark, const char *text)
{
    if (in_view(p, p->row)) {
        frame_put(p->f, p->place.row + p->row - p->top, p->place.col + col, shown(p, role), mark,
                  text);
    }
}

void pen_mark(struct pen *p, int row, int rows, enum frame_mark mark)
{
    for (int i = row; i < row + rows; i++) {
        if (in_view(p, i)) {
            frame_remark(p->f, p->place.row + i - p->top, p->place.col, p->place.cols, mark);
        }
    }
}

static void begin(struct pen *p)
{
    if (!p->started) {
        p->started = true;
        p->col = p->indent;
        if (p->quote > 0) {
            pen_at(p, p->indent - p->quote, FRAME_DIM, FRAME_MARK_NONE, p->f->ascii ? "|" : "│");
        }
    }
}

static void end_line(struct pen *p)
{
    begin(p);
    p->row++;
    p->started = false;
}

/** Write the word that was read; on the next line where it does not fit on this. */
static void flush(struct pen *p)
{
    const int space = p->space && p->started && p->col > p->indent ? 1 : 0;
    if (p->n == 0) {
        return;
    }
    if (p->started && p->col > p->indent && p->col + space + p->width > p->place.cols) {
        end_line(p);
    }
    begin(p);
    if (space > 0 && p->col > p->indent) {
        pen_at(p, p->col, p->blank, FRAME_MARK_NONE, " ");
        p->col++;
    }
    for (int i = 0; i < p->n; i++) {
        pen_at(p, p->col, p->word[i].role, FRAME_MARK_NONE, p->word[i].glyph.text);
        p->col += p->word[i].glyph.width;
    }
    p->n = 0;
    p->width = 0;
    p->space = false;
}

static void add(struct pen *p, const struct frame_glyph *glyph, enum frame_role role)
{
    const int room = p->place.cols - p->indent;
    if (p->n == PEN_WORD_MAX || (p->n > 0 && p->width + glyph->width > room)) {
        flush(p); /* a word longer than a line is broken */
    }
    p->word[p->n].glyph = *glyph;
    p->word[p->n++].role = role;
    p->width += glyph->width;
}

static void blank(struct pen *p, enum frame_role role)
{
    flush(p);
    p->space = true;
    p->blank = role;
}

void pen_put(struct pen *p, enum frame_role role, const char *text)
{
    struct frame_reader reader = frame_reader(text, p->f->ascii);
    struct frame_glyph glyph;
    for (;;) {
        if (*reader.pending == '\0' && *reader.next == '\n') {
            flush(p);
            end_line(p);
            p->space = false;
            reader.next++;
            continue;
        }
        if (!frame_read(&reader, &glyph)) {
            return;
        }
        if (strcmp(glyph.text, " ") == 0) {
            blank(p, role);
        } else {
            add(p, &glyph, role);
        }
    }
}

static enum frame_role role_of(unsigned look, enum frame_role role)
{
    return (look & LESSON_CODE) != 0       ? FRAME_LITERAL
           : (look & LESSON_STRONG) != 0   ? FRAME_STRONG
           : (look & LESSON_EMPHASIS) != 0 ? FRAME_EMPHASIS
                                           : role;
}

/** How the look is written where there is nothing but ASCII. */
static const char *sign_of(unsigned look)
{
    return (look & LESSON_CODE) != 0       ? "`"
           : (look & LESSON_STRONG) != 0   ? "**"
           : (look & LESSON_EMPHASIS) != 0 ? "*"
                                           : "";
}

void pen_text(struct pen *p, const struct lesson_text *text, enum frame_role role)
{
    for (int i = 0; i < text->n; i++) {
        const struct lesson_span *const span = &text->spans[i];
        const enum frame_role own = role_of(span->look, role);
        const char *const sign = p->f->ascii ? sign_of(span->look) : "";
        pen_put(p, own, sign);
        pen_put(p, own, span->text);
        pen_put(p, own, sign);
    }
}

void pen_end(struct pen *p)
{
    flush(p);
    p->space = false;
    if (p->started) {
        end_line(p);
    }
}

void pen_gap(struct pen *p)
{
    pen_end(p);
    if (p->row > 0) {
        p->row++;
    }
}

void pen_verbatim(struct pen *p, enum frame_role role, const char *text, size_t length)
{
    begin(p);
    char line[1024];
    const size_t n = length < sizeof line - 1 ? length : sizeof line - 1;
    memcpy(line, text, n);
    line[n] = '\0';
    struct frame_reader reader = frame_reader(line, p->f->ascii);
    struct frame_glyph glyph;
    while (frame_read(&reader, &glyph)) {
        if (p->col + glyph.width > p->place.cols) {
            end_line(p);
            begin(p);
        }
        pen_at(p, p->col, role, FRAME_MARK_NONE, glyph.text);
        p->col += glyph.width;
    }
    end_line(p);
}
