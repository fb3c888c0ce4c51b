#include <stdio.h>
#include <string.h>

#include "lesson_parts.h"

/** The fence of a line: its character and length. @return 0 if it is none. */
static size_t fence_of(const char *text, size_t length, char *character)
{
    const size_t blanks = strspn(text, " ");
    const char c = text[blanks];
    size_t n = 0;
    if (blanks > 3 || (c != '`' && c != '~')) {
        return 0;
    }
    while (blanks + n < length && text[blanks + n] == c) {
        n++;
    }
    *character = c;
    return n >= 3 ? n : 0;
}

/** Was the block that begins in this line ended by a fence of its own? */
static bool is_closed(const struct lesson *lesson, int start, int end)
{
    size_t length = 0;
    char open = 0;
    char close = 0;
    const char *const first = lesson_line(lesson, start, &length);
    const size_t n_open = fence_of(first, length, &open);
    const char *const last = lesson_line(lesson, end, &length);
    const size_t n_close = fence_of(last, length, &close);
    const size_t blanks = strspn(last, " ");
    return end > start && close == open && n_close >= n_open &&
           strspn(last + blanks + n_close, " \t") >= length - blanks - n_close;
}

static void read_line(struct lesson_reader *r, struct lesson_step *step, int line)
{
    size_t length = 0;
    const char *const text = lesson_line(r->lesson, line, &length);
    const size_t blanks = strspn(text, " \t");
    struct lesson_field field;
    if (blanks >= length || text[blanks] == '#') {
        return;
    }
    const bool row = memchr(text, ':', length) == NULL;
    if (row && r->unknown) { /* rows below a key that is told already */
        return;
    }
    if (row && r->matrix) {
        lesson_matrix_row(r, step, text, length, line, 1);
        return;
    }
    if (r->matrix) {
        lesson_matrix_close(r, step);
    }
    if (lesson_field_read(r, text, length, line, 1, &field)) {
        lesson_step_field(r, step, &field, false);
    } else {
        step->broken = true;
    }
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
                             "an answer to nothing (add ask: with a cell, or put it under a "
                             "heading 'Question: …')");
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
    if (!is_closed(r->lesson, start, end)) {
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
    const int before = r->errors->n + r->errors->more;
    for (int line = start + 1; line < end && r->errors->more == 0; line++) {
        read_line(r, &step, line);
    }
    if (r->matrix) {
        lesson_matrix_close(r, &step);
    }
    step.broken = step.broken || r->errors->n + r->errors->more > before;
    add_step(r, &step);
}
