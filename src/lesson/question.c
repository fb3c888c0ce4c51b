#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "lesson_parts.h"

struct lesson_question *lesson_add_question(struct lesson_reader *r, int line, int column)
{
    struct lesson *const l = r->lesson;
    struct lesson_question *const grown =
        lesson_grow(l, l->questions, l->n_questions, sizeof *grown);
    if (grown == NULL) {
        return lesson_no_memory(r);
    }
    l->questions = grown;
    grown[l->n_questions] = (struct lesson_question){.kind = LESSON_CHOICE,
                                                     .page = l->n_pages > 0 ? l->n_pages - 1 : 0,
                                                     .block = -1,
                                                     .line = line,
                                                     .column = column};
    return &grown[l->n_questions++];
}

struct lesson_question *lesson_page_question(struct lesson_reader *r)
{
    const struct lesson_page *const page = lesson_current_page(r);
    return page != NULL && page->question >= 0 ? &r->lesson->questions[page->question] : NULL;
}

/** Add a text to a list of them. */
static void add_text(struct lesson_reader *r, const struct lesson_text **list, int *n,
                     struct lesson_text text)
{
    struct lesson_text *const grown = lesson_grow(r->lesson, *list, *n, sizeof *grown);
    if (grown == NULL) {
        lesson_no_memory(r);
        return;
    }
    *list = grown;
    grown[(*n)++] = text;
}

void lesson_add_hint(struct lesson_reader *r, struct lesson_question *q, const char *text, int line)
{
    add_text(r, &q->hints, &q->n_hints, lesson_prose_of(r, text, line));
}

void lesson_add_explanation(struct lesson_reader *r, struct lesson_question *q,
                            struct lesson_text text)
{
    add_text(r, &q->explanation, &q->n_explanation, text);
}

/* ---- choices ---- */

/** The paragraph that an item begins with, or NULL. */
static cmark_node *words_of(cmark_node *item)
{
    cmark_node *const first = cmark_node_first_child(item);
    return first != NULL && cmark_node_get_type(first) == CMARK_NODE_PARAGRAPH ? first : NULL;
}

/** The source from where the item's words begin. */
static const char *item_text(const struct lesson *lesson, cmark_node *words, size_t *length)
{
    const char *const line = lesson_line(lesson, cmark_node_get_start_line(words), length);
    const size_t before = (size_t)(cmark_node_get_start_column(words) - 1);
    if (before > *length) {
        *length = 0;
        return "";
    }
    *length -= before;
    return line + before;
}

/** "[ ]", "[x]" or "[X]" and a blank. @return ' ' or 'x', or 0. */
static char box_of(const char *text, size_t length)
{
    if (length < 3 || text[0] != '[' || text[2] != ']' || (length > 3 && text[3] != ' ')) {
        return 0;
    }
    return text[1] == ' ' ? ' ' : text[1] == 'x' || text[1] == 'X' ? 'x' : 0;
}

bool lesson_is_task_list(const struct lesson *lesson, cmark_node *list)
{
    for (cmark_node *item = cmark_node_first_child(list); item != NULL;
         item = cmark_node_next(item)) {
        cmark_node *const words = words_of(item);
        size_t length = 0;
        const char *const text = words != NULL ? item_text(lesson, words, &length) : "";
        if (box_of(text, length) != 0) {
            return true;
        }
    }
    return false;
}

/** What an item holds beside its words: a quote, said when it was chosen. */
static void read_why(struct lesson_reader *r, cmark_node *words, struct lesson_choice *choice)
{
    for (cmark_node *node = cmark_node_next(words); node != NULL; node = cmark_node_next(node)) {
        cmark_node *const inside = cmark_node_first_child(node);
        if (cmark_node_get_type(node) == CMARK_NODE_BLOCK_QUOTE && inside != NULL &&
            cmark_node_get_type(inside) == CMARK_NODE_PARAGRAPH && choice->why.n == 0) {
            choice->why = lesson_prose(r, inside);
        } else {
            lesson_error_add(r->errors, cmark_node_get_start_line(node),
                             cmark_node_get_start_column(node),
                             "an answer is one paragraph (and a quote, '> …', that says why)");
            return;
        }
    }
}

static bool same_choice(const struct lesson_question *q, const char *text)
{
    for (int i = 0; i < q->n_choices; i++) {
        char other[512];
        if (strcmp(lesson_plain(&q->choices[i].text, other, sizeof other), text) == 0) {
            return true;
        }
    }
    return false;
}

static void read_choice(struct lesson_reader *r, cmark_node *item)
{
    struct lesson_question *const q = lesson_page_question(r);
    cmark_node *const words = words_of(item);
    struct lesson_choice choice = {.line = cmark_node_get_start_line(item),
                                   .column = cmark_node_get_start_column(item)};
    size_t length = 0;
    const char *const text = words != NULL ? item_text(r->lesson, words, &length) : "";
    const char box = box_of(text, length);
    if (box == 0) {
        lesson_error_add(r->errors, choice.line,
                         words != NULL ? cmark_node_get_start_column(words) : choice.column,
                         "an answer without a box ('[ ]' is wrong, '[x]' is right)");
        return;
    }
    choice.right = box == 'x';
    choice.text = lesson_text_after(r, lesson_prose(r, words), 3);
    char plain[512];
    lesson_plain(&choice.text, plain, sizeof plain);
    if (plain[0] == '\0' || same_choice(q, plain)) {
        lesson_error_add(r->errors, choice.line, choice.column,
                         plain[0] == '\0' ? "an answer without words (say what it is)"
                                          : "this answer stands there twice (take one out)");
        return;
    }
    read_why(r, words, &choice);
    struct lesson_choice *const grown =
        lesson_grow(r->lesson, q->choices, q->n_choices, sizeof *grown);
    if (grown == NULL) {
        lesson_no_memory(r);
        return;
    }
    q->choices = grown;
    grown[q->n_choices++] = choice;
    q->n_right += choice.right ? 1 : 0;
}

void lesson_choices(struct lesson_reader *r, cmark_node *list)
{
    struct lesson_question *const q = lesson_page_question(r);
    const int line = cmark_node_get_start_line(list);
    const int column = cmark_node_get_start_column(list);
    if (q->n_choices > 0 || q->given || q->ask.name[0] != '\0') {
        lesson_error_add(r->errors, line, column,
                         "a second set of answers (a question has one; begin another heading)");
        return;
    }
    q->answer_line = line;
    q->answer_column = column;
    for (cmark_node *item = cmark_node_first_child(list); item != NULL && !r->nomem;
         item = cmark_node_next(item)) {
        if (q->n_choices == LESSON_CHOICES_MAX) {
            lesson_error_add(
                r->errors, cmark_node_get_start_line(item), cmark_node_get_start_column(item),
                "more than %d answers (they are chosen by a letter)", LESSON_CHOICES_MAX);
            break;
        }
        read_choice(r, item);
    }
    struct lesson_block *const block = lesson_add_block(r, LESSON_QUESTION, line, column);
    if (block != NULL) {
        const struct lesson_page *const page = lesson_current_page(r);
        block->question = page->question;
        r->lesson->questions[page->question].block = r->lesson->n_blocks - 1;
    }
}

/* ---- answers in a block ---- */

/** Alternatives, separated by '|'. */
static void read_words(struct lesson_reader *r, struct lesson_question *q, const char *text)
{
    for (const char *at = text;;) {
        const size_t length = strcspn(at, "|");
        size_t start = strspn(at, " ");
        size_t end = length;
        start = start < end ? start : end;
        while (end > start && at[end - 1] == ' ') {
            end--;
        }
        const char **const grown = lesson_grow(r->lesson, q->words, q->n_words, sizeof *grown);
        const char *const word = lesson_copy(r->lesson, at + start, end - start);
        if (grown == NULL || word == NULL) {
            lesson_no_memory(r);
            return;
        }
        q->words = grown;
        if (end > start) {
            grown[q->n_words++] = word;
        }
        if (at[length] == '\0') {
            return;
        }
        at += length + 1;
    }
}

void lesson_answer_read(struct lesson_reader *r, struct lesson_question *q,
                        const struct lesson_field *f)
{
    if (q->given || q->n_choices > 0) {
        lesson_error_add(r->errors, f->line, f->column,
                         "a second answer (alternatives stand in one line: answer: this | that)");
        return;
    }
    double tolerance = 0;
    q->given = true;
    q->answer_line = f->line;
    q->answer_column = f->value_column;
    q->rank = lesson_shape_read(f->value, q->shape);
    if (q->rank > 0) {
        q->kind = LESSON_SHAPE;
    } else if (lesson_number_read(f->value, &q->number, &tolerance)) {
        q->kind = LESSON_NUMBER;
        q->tolerance = q->tolerance_given ? q->tolerance : tolerance;
    } else {
        q->kind = LESSON_WORDS;
        read_words(r, q, f->value);
    }
    if (q->kind == LESSON_WORDS && q->n_words == 0) {
        lesson_error_add(r->errors, f->line, f->column,
                         "an empty answer (a number, a shape like [1,4,4], or words)");
    }
}

void lesson_question_close(struct lesson_reader *r)
{
    const struct lesson_question *const q = lesson_page_question(r);
    if (q == NULL || r->nomem) {
        return;
    }
    /* What went wrong on this page is told already. */
    for (int i = 0; i < r->errors->n; i++) {
        if (r->errors->items[i].line >= q->line) {
            return;
        }
    }
    const bool asks = q->given || q->ask.name[0] != '\0';
    if (q->n_choices == 0 && !asks) {
        lesson_error_add(r->errors, q->line, q->column,
                         "a question without an answer (a list of '- [ ]' and '- [x]', or answer: "
                         "in a block)");
    } else if (q->n_choices > 0 && q->n_right == 0) {
        lesson_error_add(r->errors, q->answer_line, q->answer_column,
                         "no answer is marked right (mark it '- [x]')");
    } else if (q->n_choices > 0 && q->n_right == q->n_choices) {
        lesson_error_add(r->errors, q->answer_line, q->answer_column,
                         q->n_choices == 1 ? "one answer is no choice (give wrong ones, '- [ ]')"
                                           : "every answer is marked right (mark the wrong ones "
                                             "'- [ ]')");
    }
}

/* ---- matching words ---- */

/** The next letter that counts: no blanks, lower case. */
static int letter(const char **text)
{
    while (**text == ' ' || **text == '\t') {
        (*text)++;
    }
    if (**text == '.' && (*text)[1] == '\0') {
        return 0;
    }
    return **text == '\0' ? 0 : tolower((unsigned char)*(*text)++);
}

static bool same_words(const char *a, const char *b)
{
    for (;;) {
        const int x = letter(&a);
        const int y = letter(&b);
        if (x != y || x == 0) {
            return x == y;
        }
    }
}

bool lesson_words_match(const struct lesson_question *question, const char *answer)
{
    for (int i = 0; i < question->n_words; i++) {
        if (same_words(question->words[i], answer)) {
            return true;
        }
    }
    return false;
}
