#include <stdio.h>
#include <string.h>

#include "lesson_parts.h"

/** How many of one fence character stand there. */
static size_t fence_of(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && (text[n] == '`' || text[n] == '~') && text[n] == text[0]) {
        n++;
    }
    return n;
}

/** The rest of a line from a column on. */
static const char *from_column(const struct lesson *lesson, int line, int column, size_t *length)
{
    const char *const text = lesson_line(lesson, line, length);
    const size_t before = column > 0 ? (size_t)column - 1 : 0;
    if (before >= *length) {
        *length = 0;
        return "";
    }
    *length -= before;
    return text + before;
}

bool lesson_is_fenced(const struct lesson *lesson, cmark_node *code)
{
    size_t length = 0;
    const char *const text = from_column(lesson, cmark_node_get_start_line(code),
                                         cmark_node_get_start_column(code), &length);
    const char *const literal = cmark_node_get_literal(code);
    const bool indented = strncmp(literal, text, length) == 0 && literal[length] == '\n';
    return fence_of(text, length) >= 3 && !indented;
}

bool lesson_is_closed(const struct lesson *lesson, cmark_node *code, bool nested)
{
    const int start = cmark_node_get_start_line(code);
    const int end = cmark_node_get_end_line(code);
    size_t n_first = 0;
    size_t n_last = 0;
    const char *const first =
        from_column(lesson, start, cmark_node_get_start_column(code), &n_first);
    const char *last = lesson_line(lesson, end, &n_last);
    const size_t before = strspn(last, nested ? " \t>" : " ");
    if (end <= start || before >= n_last || (!nested && before > 3)) {
        return false;
    }
    last += before;
    n_last -= before;
    const size_t n = fence_of(last, n_last);
    return last[0] == first[0] && n >= fence_of(first, n_first) &&
           strspn(last + n, " \t") >= n_last - n;
}

/** @return true unless the line says nothing. */
static bool read_line(struct lesson_reader *r, struct lesson_step *step, int line)
{
    size_t length = 0;
    const char *const text = lesson_line(r->lesson, line, &length);
    const size_t blanks = strspn(text, " \t");
    struct lesson_field field;
    if (blanks >= length || text[blanks] == '#') {
        return false;
    }
    const bool row = memchr(text, ':', length) == NULL;
    if (row && r->unknown) { /* rows below a key that is told already */
        return true;
    }
    if (row && r->matrix) {
        lesson_matrix_row(r, step, text, length, line, 1);
        return true;
    }
    if (r->matrix) {
        lesson_matrix_close(r, step);
    }
    if (lesson_field_read(r, text, length, line, 1, &field)) {
        lesson_step_field(r, step, &field, false);
    } else {
        step->broken = true;
    }
    return true;
}

/** The block of a finished step, with what it asks. */
static void add_step(struct lesson_reader *r, struct lesson_step *step)
{
    struct lesson *const l = r->lesson;
    struct lesson_step *const grown = lesson_grow(l, l->steps, l->n_steps, sizeof *grown);
    struct lesson_block *const block = lesson_add_block(r, LESSON_STEP, step->line, step->column);
    if (grown == NULL || block == NULL) {
        lesson_no_memory(r);
        return;
    }
    l->steps = grown;
    step->block = l->n_blocks - 1;
    block->step = l->n_steps;
    block->question = step->question;
    if (step->question >= 0) {
        struct lesson_question *const q = &l->questions[step->question];
        q->block = step->block;
        if (q->ask.name[0] == '\0' && !step->broken) {
            step->broken = true;
            lesson_error_add(r->errors, q->line, q->column,
                             "%s to nothing (add ask: with a cell, or put it under a heading "
                             "'Question: …')",
                             q->given ? "an answer" : "a hint");
        }
    }
    const struct lesson_page *const page = lesson_current_page(r);
    struct lesson_question *const asked = lesson_page_question(r);
    if (asked != NULL && asked->block < 0 && (asked->given || asked->ask.name[0] != '\0')) {
        asked->block = step->block;
        block->question = page->question;
    }
    grown[l->n_steps++] = *step;
}

void lesson_step_read(struct lesson_reader *r, cmark_node *fence)
{
    const int start = cmark_node_get_start_line(fence);
    const int end = cmark_node_get_end_line(fence);
    struct lesson_step step = {.line = start,
                               .column = cmark_node_get_start_column(fence),
                               .compare = -1,
                               .lab = -1,
                               .question = -1};
    if (!lesson_is_closed(r->lesson, fence, false)) {
        lesson_error_add(r->errors, start, step.column,
                         "this block has no end (a line of its own: ```)");
        step.broken = true;
        add_step(r, &step);
        return;
    }
    if (r->lesson->n_steps == LESSON_STEPS_MAX) {
        lesson_error_add(r->errors, start, step.column, "more than %d blocks (make two lessons)",
                         LESSON_STEPS_MAX);
        return;
    }
    r->matrix = false;
    r->unknown = false;
    r->n_seen = 0;
    const int before = r->errors->n + r->errors->more;
    bool idle = true;
    for (int line = start + 1; line < end; line++) {
        idle = !read_line(r, &step, line) && idle;
    }
    if (idle) {
        lesson_error_add(r->errors, start, step.column,
                         "this block says nothing (at:, says:, ask: or a setting, a line each)");
    }
    if (r->matrix) {
        lesson_matrix_close(r, &step);
    }
    step.broken = step.broken || r->errors->n + r->errors->more > before;
    add_step(r, &step);
}
