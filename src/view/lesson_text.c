/* A page of a lesson up to one of its stops, as rows: what was said before is dim, what is new is
 * not. */
#include <stdio.h>
#include <string.h>

#include "view_text.h"

enum { LIST_INDENT = 2, CELLS_MAX = 16, CELL_BYTES = 160 };

static const struct lesson_page *page_of(const struct view_lesson *v)
{
    return &v->lesson->pages[v->lesson->stops[v->stop].page];
}

/* ---- tables ---- */

/** One row of a table, cut at its bars; the blanks around its cells are left out. */
struct table_row {
    char cells[CELLS_MAX][CELL_BYTES];
    int n;
    bool rule; /**< "|---|": nothing but a line. */
};

static void read_row(const char *text, size_t length, struct table_row *out)
{
    *out = (struct table_row){.rule = true};
    size_t i = 0;
    while (i < length && (text[i] == ' ' || text[i] == '|')) {
        i++;
    }
    while (i < length && out->n < CELLS_MAX) {
        size_t n = 0;
        char *const cell = out->cells[out->n];
        for (; i < length && text[i] != '|'; i++) {
            if (text[i] == '\\' && i + 1 < length && text[i + 1] == '|') {
                i++;
            }
            if (n + 1 < CELL_BYTES && (n > 0 || text[i] != ' ')) {
                cell[n++] = text[i];
            }
            out->rule = out->rule && strchr("-: ", text[i]) != NULL;
        }
        while (n > 0 && cell[n - 1] == ' ') {
            n--;
        }
        cell[n] = '\0';
        out->n++;
        i++;
        while (i < length && text[i] == ' ') {
            i++;
        }
    }
}

/** The columns that each cell of the table needs. @return their sum with what parts them. */
static int measure_table(const struct pen *p, const char *code, int widths[CELLS_MAX])
{
    int total = 0;
    memset(widths, 0, sizeof(int) * CELLS_MAX);
    for (const char *line = code; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        struct table_row row;
        read_row(line, length, &row);
        for (int i = 0; i < row.n && !row.rule; i++) {
            const int width = frame_width(p->f, row.cells[i]);
            widths[i] = width > widths[i] ? width : widths[i];
        }
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    for (int i = 0; i < CELLS_MAX; i++) {
        total += widths[i] > 0 ? widths[i] + 3 : 0;
    }
    return total - 3;
}

static void write_row(struct pen *p, const struct table_row *row, const int widths[CELLS_MAX],
                      enum frame_role role)
{
    int col = p->indent;
    for (int i = 0; i < row->n; i++) {
        pen_at(p, col, role, FRAME_MARK_NONE, row->cells[i]);
        col += widths[i] + 3;
    }
    p->row++;
}

static void write_table(struct pen *p, const char *code)
{
    int widths[CELLS_MAX];
    const int total = measure_table(p, code, widths);
    const bool fits = p->indent + total <= p->place.cols;
    bool head = true;
    for (const char *line = code; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        struct table_row row;
        read_row(line, length, &row);
        if (!fits) {
            pen_verbatim(p, FRAME_TEXT, line, length);
        } else if (row.rule) {
            for (int i = 0; i < total; i++) {
                pen_at(p, p->indent + i, FRAME_DIM, FRAME_MARK_NONE, p->f->ascii ? "-" : "─");
            }
            p->row++;
        } else {
            write_row(p, &row, widths, head ? FRAME_STRONG : FRAME_TEXT);
        }
        head = false;
        line += length + (line[length] == '\n' ? 1 : 0);
    }
}

/* ---- blocks ---- */

static void write_verbatim(struct pen *p, const char *code)
{
    p->indent += LIST_INDENT;
    for (const char *line = code; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        pen_verbatim(p, FRAME_CODE, line, length);
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    p->indent -= LIST_INDENT;
}

/** "- " hangs before the lines of its item. */
static void write_paragraph(struct pen *p, const struct lesson_block *b, enum frame_role role)
{
    const int indent = p->indent;
    const int marker = b->marker[0] != '\0' ? frame_width(p->f, b->marker) + 1 : 0;
    if (b->quoted) {
        p->indent += 2;
        p->quote = 2;
    }
    p->indent += b->depth > 0 ? (b->depth - 1) * LIST_INDENT : 0;
    if (marker > 0) {
        const bool bullet = strcmp(b->marker, "-") == 0;
        pen_at(p, p->indent, role, FRAME_MARK_NONE, bullet && !p->f->ascii ? "•" : b->marker);
    }
    p->indent += marker > 0 ? marker : b->depth > 0 ? LIST_INDENT : 0;
    pen_text(p, &b->text, role);
    pen_end(p);
    p->indent = indent;
    p->quote = 0;
}

static void write_note(struct pen *p, const struct lesson_block *b)
{
    p->indent += 2;
    p->quote = 2;
    pen_put(p, FRAME_STRONG, "Note ");
    pen_text(p, &b->text, FRAME_TEXT);
    pen_end(p);
    p->indent -= 2;
    p->quote = 0;
}

/* ---- questions ---- */

/** The box before a choice: ticked or not, right or wrong. */
static void put_box(struct pen *p, const struct view_lesson *v, int question, int i)
{
    const struct lesson_question *const q = &v->lesson->questions[question];
    const struct view_asked *const a = &v->asked[question];
    const bool ascii = p->f->ascii;
    const bool several = q->n_right > 1;
    const bool ticked = (a->ticked >> i & 1U) != 0;
    const char *text = several ? (ticked ? "[x]" : "[ ]") : ticked ? "(o)" : "( )";
    enum frame_role role = ticked ? FRAME_STRONG : FRAME_TEXT;
    if (!a->done && ticked) {
        text = several || ascii ? text : "(●)";
    } else if (a->done && q->choices[i].right) {
        text = ascii ? " + " : " ✓ ";
        role = FRAME_OK;
    } else if ((a->wrong >> i & 1U) != 0) {
        text = ascii ? " x " : " ✗ ";
        role = FRAME_WARN;
    }
    pen_at(p, p->indent + 4, role, FRAME_MARK_NONE, text);
}

static void write_choice(struct pen *p, const struct view_lesson *v, int question, int i,
                         struct text_rows *rows)
{
    const struct lesson_question *const q = &v->lesson->questions[question];
    const struct view_asked *const a = &v->asked[question];
    const bool here = v->choosing == question && a->at == i;
    const bool chosen = (a->wrong >> i & 1U) != 0;
    const int first = p->row;
    const enum frame_role role = a->done && !q->choices[i].right ? FRAME_DIM : FRAME_TEXT;
    char number[16];
    snprintf(number, sizeof number, "%d", i + 1);
    if (here) {
        pen_at(p, p->indent, FRAME_TEXT, FRAME_MARK_WRITE, p->f->ascii ? ">" : "▶");
    }
    pen_at(p, p->indent + 2, FRAME_KEY, FRAME_MARK_NONE, number);
    put_box(p, v, question, i);
    p->indent += 8;
    pen_text(p, &q->choices[i].text, role);
    pen_end(p);
    if (chosen && q->choices[i].why.n > 0) {
        p->indent += 2;
        p->quote = 2;
        pen_text(p, &q->choices[i].why, FRAME_TEXT);
        pen_end(p);
        p->indent -= 2;
        p->quote = 0;
    }
    p->indent -= 8;
    if (here) {
        rows->at = first;
        rows->at_rows = p->row - first;
    }
}

/** "Right is 3.", where the answer was shown, not given, and may be out of view. */
static void shown_text(const struct lesson_question *q, const struct view_asked *a, char *out,
                       size_t size)
{
    if (q->kind != LESSON_CHOICE) {
        snprintf(out, size, "Right is %s.", a->answer);
        return;
    }
    size_t n = (size_t)snprintf(out, size, q->n_right > 1 ? "Right are" : "Right is");
    int left = q->n_right;
    for (int i = 0; i < q->n_choices && n < size; i++) {
        if (q->choices[i].right) {
            left--;
            n += (size_t)snprintf(out + n, size - n, " %d%s", i + 1,
                                  left > 1    ? ","
                                  : left == 1 ? " and"
                                              : ".");
        }
    }
}

/** What came of it: hints, the verdict, the explanation. */
static void write_outcome(struct pen *p, const struct view_lesson *v, int question,
                          struct text_rows *rows)
{
    const struct lesson_question *const q = &v->lesson->questions[question];
    const struct view_asked *const a = &v->asked[question];
    char text[280];
    rows->fresh = a->fresh && !p->dim;
    for (int i = 0; i < a->hints && i < q->n_hints; i++) {
        pen_gap(p);
        rows->newest = !p->dim && !a->done ? p->row : rows->newest;
        snprintf(text, sizeof text, q->n_hints > 1 ? "Hint %d of %d " : "Hint ", i + 1, q->n_hints);
        pen_put(p, FRAME_STRONG, text);
        pen_text(p, &q->hints[i], FRAME_TEXT);
        pen_end(p);
    }
    if (a->said[0] == '\0' && !a->done) {
        return;
    }
    pen_gap(p);
    rows->newest = !p->dim ? p->row : rows->newest;
    if (a->said[0] != '\0') {
        const char *const mark = p->f->ascii ? "" : a->right ? "✓ " : a->done ? "" : "✗ ";
        snprintf(text, sizeof text, "%s%s", mark, a->said);
        pen_put(p, a->right ? FRAME_OK : a->done ? FRAME_STRONG : FRAME_WARN, text);
        pen_end(p);
    }
    if (a->done && !a->right) {
        shown_text(q, a, text, sizeof text);
        pen_put(p, FRAME_STRONG, text);
        pen_end(p);
    }
    for (int i = 0; i < q->n_explanation && a->done; i++) {
        if (i > 0) {
            pen_gap(p);
        }
        p->indent += 2;
        p->quote = 2;
        pen_text(p, &q->explanation[i], FRAME_TEXT);
        pen_end(p);
        p->indent -= 2;
        p->quote = 0;
    }
}

static void write_question(struct pen *p, const struct view_lesson *v, int question,
                           struct text_rows *rows)
{
    const struct lesson_question *const q = &v->lesson->questions[question];
    const struct view_asked *const a = &v->asked[question];
    char text[320];
    if (page_of(v)->question != question && lesson_question_text(q, text, sizeof text)[0] != '\0') {
        pen_put(p, FRAME_TEXT, p->f->ascii ? "? " : "▸ ");
        pen_put(p, FRAME_STRONG, text);
        pen_put(p, FRAME_TEXT, " ");
    }
    if (q->kind == LESSON_CHOICE) {
        for (int i = 0; i < q->n_choices; i++) {
            write_choice(p, v, question, i, rows);
        }
        if (!a->done) {
            p->row++;
            pen_put(p, FRAME_DIM, q->n_right > 1 ? "Several are right." : "One is right.");
        }
    } else if (!a->done) {
        snprintf(text, sizeof text, "Enter answers: %s.", a->wants);
        pen_put(p, FRAME_DIM, text);
    } else if (a->right && a->answer[0] != '\0') {
        snprintf(text, sizeof text, "= %s", a->answer);
        pen_put(p, FRAME_STRONG, text);
    }
    pen_end(p);
    write_outcome(p, v, question, rows);
}

/* ---- the page ---- */

static bool is_item(const struct lesson_block *b)
{
    return b->kind == LESSON_PARAGRAPH && b->depth > 0;
}

/** Does this block show nothing? */
static bool silent(const struct view_lesson *v, int i)
{
    const struct lesson_block *const b = &v->lesson->blocks[i];
    const bool asks = b->question >= 0 && v->lesson->questions[b->question].block == i;
    return (b->kind == LESSON_NOTE && !v->notes) || (b->kind == LESSON_STEP && !asks) ||
           (b->kind == LESSON_QUESTION && !asks);
}

static void write_block(struct pen *p, const struct view_lesson *v, int i, struct text_rows *rows)
{
    const struct lesson_block *const b = &v->lesson->blocks[i];
    switch (b->kind) {
    case LESSON_PARAGRAPH:
        write_paragraph(p, b, FRAME_TEXT);
        break;
    case LESSON_VERBATIM:
        write_verbatim(p, b->code);
        break;
    case LESSON_TABLE:
        write_table(p, b->code);
        break;
    case LESSON_NOTE:
        write_note(p, b);
        break;
    case LESSON_STEP:
    case LESSON_QUESTION:
        write_question(p, v, b->question, rows);
        break;
    }
}

static void write_heading(struct pen *p, const struct view_lesson *v)
{
    const struct lesson_page *const page = page_of(v);
    if (page->question >= 0) {
        pen_put(p, FRAME_LABEL, "Question ");
    }
    if (page->heading.n > 0) {
        pen_text(p, &page->heading, FRAME_HEADING);
    } else {
        pen_put(p, FRAME_HEADING, page->title);
    }
    pen_end(p);
}

void view_text_write(struct pen *p, const struct view_lesson *v, struct text_rows *rows)
{
    const struct lesson_stop *const stop = &v->lesson->stops[v->stop];
    const struct lesson_page *const page = page_of(v);
    *rows = (struct text_rows){.at_rows = 0};
    write_heading(p, v);
    int before = -1;
    for (int i = page->first; i < stop->first + stop->n; i++) {
        if (silent(v, i)) {
            continue;
        }
        const bool tight =
            before >= 0 && is_item(&v->lesson->blocks[before]) && is_item(&v->lesson->blocks[i]);
        if (!tight) {
            pen_gap(p);
        }
        p->dim = i < stop->first;
        rows->newest = i >= stop->first && (before < stop->first) ? p->row : rows->newest;
        write_block(p, v, i, rows);
        before = i;
    }
    p->dim = false;
    pen_end(p);
    if (stop->first == page->first) {
        rows->newest = rows->newest <= 3 ? 0 : rows->newest; /* with its heading */
    }
    rows->n = p->row;
}
