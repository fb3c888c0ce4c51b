/* A lesson as lines of text, for a screen reader, a dumb terminal, a pipe. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view_lesson.h"

void view_line_plain(FILE *out, bool ascii, const char *text)
{
    while (*text != '\0') { /* a frame is no wider than this */
        char part[FRAME_COLS_MAX];
        size_t n = strlen(text);
        if (n >= sizeof part) {
            for (n = sizeof part - 1; n > 1 && text[n] != ' '; n--) {
            }
        }
        memcpy(part, text, n);
        part[n] = '\0';
        text += n;
        const struct frame probe = {.rows = 1, .cols = FRAME_COLS_MAX, .ascii = ascii};
        const int width = frame_width(&probe, part);
        struct frame *const f = frame_create(1,
                                             width < 1                ? 1
                                             : width > FRAME_COLS_MAX ? FRAME_COLS_MAX
                                                                      : width,
                                             ascii);
        if (f != NULL) {
            frame_put(f, 0, 0, FRAME_TEXT, FRAME_MARK_NONE, part);
            frame_write_text(f, out);
            frame_destroy(f);
        }
    }
}

/** Lines of a text behind a prefix, each line break a new line. */
static void put_text(FILE *out, bool ascii, const char *prefix, const struct lesson_text *text)
{
    size_t size = strlen(prefix) + 1;
    for (int i = 0; i < text->n; i++) {
        size += strlen(text->spans[i].text);
    }
    char *const line = malloc(size);
    if (line == NULL) {
        return;
    }
    size_t n = (size_t)snprintf(line, size, "%s", prefix);
    for (int i = 0; i < text->n; i++) {
        for (const char *c = text->spans[i].text; *c != '\0'; c++) {
            if (*c == '\n') {
                line[n] = '\0';
                view_line_plain(out, ascii, line);
                n = 0;
            } else {
                line[n++] = *c;
            }
        }
    }
    line[n] = '\0';
    view_line_plain(out, ascii, line);
    free(line);
}

static void put_lines(FILE *out, bool ascii, const char *code)
{
    for (const char *line = code; *line != '\0';) {
        char copy[512];
        const size_t length = strcspn(line, "\n");
        snprintf(copy, sizeof copy, "  %.*s", (int)(length < 500 ? length : 500), line);
        view_line_plain(out, ascii, copy);
        line += length + (line[length] == '\n' ? 1 : 0);
    }
}

void view_question_plain(FILE *out, const struct view_lesson *v, int question, bool ascii)
{
    const struct lesson_question *const q = &v->lesson->questions[question];
    const struct view_asked *const a = &v->asked[question];
    const struct lesson_page *const page = &v->lesson->pages[v->lesson->stops[v->stop].page];
    char text[400];
    if (page->question != question && lesson_question_text(q, text, sizeof text)[0] != '\0') {
        char line[420];
        snprintf(line, sizeof line, "Question: %s", text);
        view_line_plain(out, ascii, line);
    }
    for (int i = 0; i < q->n_choices; i++) {
        snprintf(text, sizeof text, "%c) ", 'a' + i);
        put_text(out, ascii, text, &q->choices[i].text);
    }
    if (!a->done) {
        snprintf(text, sizeof text, "(%s)", a->wants);
        view_line_plain(out, ascii, text);
    }
}

static void put_block(FILE *out, const struct view_lesson *v, int i, bool ascii)
{
    const struct lesson_block *const b = &v->lesson->blocks[i];
    char marker[32];
    switch (b->kind) {
    case LESSON_PARAGRAPH:
        snprintf(marker, sizeof marker, "%*s%s%s", b->depth > 1 ? 2 * (b->depth - 1) : 0, "",
                 b->marker, b->marker[0] != '\0' ? " " : "");
        put_text(out, ascii, marker, &b->text);
        break;
    case LESSON_VERBATIM:
    case LESSON_TABLE:
        put_lines(out, ascii, b->code);
        break;
    case LESSON_NOTE:
        if (v->notes) {
            put_text(out, ascii, "Note: ", &b->text);
        }
        break;
    case LESSON_STEP:
    case LESSON_QUESTION:
        break;
    }
}

void view_lesson_plain(FILE *out, const struct view_lesson *v, bool ascii)
{
    const struct lesson *const l = v->lesson;
    const struct lesson_stop *const stop = &l->stops[v->stop];
    const struct lesson_page *const page = &l->pages[stop->page];
    char text[64];
    if (page->stop == v->stop) {
        fputc('\n', out);
        snprintf(text, sizeof text, "Page %d of %d%s", stop->page + 1, l->n_pages,
                 page->question >= 0 ? ", a question." : ".");
        view_line_plain(out, ascii, text);
        if (page->heading.n > 0) {
            put_text(out, ascii, "", &page->heading);
        }
    }
    for (int i = stop->first; i < stop->first + stop->n; i++) {
        put_block(out, v, i, ascii);
    }
}

void view_contents_plain(FILE *out, const struct view_lesson *v, bool ascii)
{
    const struct lesson *const l = v->lesson;
    const int here = l->stops[v->stop].page;
    for (int i = 0; i < l->n_pages; i++) {
        const int question = l->pages[i].question;
        char line[400];
        snprintf(line, sizeof line, "%d. %s%.300s%s%s", i + 1, question >= 0 ? "Question: " : "",
                 l->pages[i].title, question >= 0 && v->asked[question].right ? " (answered)" : "",
                 i == here ? " (here)" : "");
        view_line_plain(out, ascii, line);
    }
}

int view_notes_plain(FILE *out, const struct view_lesson *v, bool ascii)
{
    const struct lesson_stop *const stop = &v->lesson->stops[v->stop];
    int n = 0;
    for (int i = v->lesson->pages[stop->page].first; i < stop->first + stop->n; i++) {
        if (v->lesson->blocks[i].kind == LESSON_NOTE) {
            put_text(out, ascii, "Note: ", &v->lesson->blocks[i].text);
            n++;
        }
    }
    return n;
}

void view_hint_plain(FILE *out, const struct view_lesson *v, int question, bool ascii)
{
    const struct lesson_question *const q = &v->lesson->questions[question];
    const int last = v->asked[question].hints - 1;
    if (last >= 0 && last < q->n_hints) {
        put_text(out, ascii, "Hint: ", &q->hints[last]);
    }
}

void view_answer_plain(FILE *out, const struct view_lesson *v, int question, bool ascii)
{
    const struct lesson_question *const q = &v->lesson->questions[question];
    const struct view_asked *const a = &v->asked[question];
    char text[120];
    for (int i = 0; i < q->n_choices; i++) {
        if ((a->wrong >> i & 1U) != 0 && !a->done && q->choices[i].why.n > 0) {
            snprintf(text, sizeof text, "Not %c: ", 'a' + i);
            put_text(out, ascii, text, &q->choices[i].why);
        }
    }
    if (a->said[0] != '\0') {
        view_line_plain(out, ascii, a->said);
    }
    for (int i = 0; i < q->n_choices && a->done; i++) {
        if (q->choices[i].right) {
            snprintf(text, sizeof text, "The answer: %c) ", 'a' + i);
            put_text(out, ascii, text, &q->choices[i].text);
        }
    }
    if (a->done && a->answer[0] != '\0') {
        snprintf(text, sizeof text, "The answer: %s", a->answer);
        view_line_plain(out, ascii, text);
    }
    for (int i = 0; i < q->n_explanation && a->done; i++) {
        put_text(out, ascii, "", &q->explanation[i]);
    }
}
