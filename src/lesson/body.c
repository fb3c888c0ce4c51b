/* The body of a file: cmark's tree as pages of blocks. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

struct place {
    int depth; /* lists and quotes around it */
    int lists;
    bool quoted;
    char marker[12]; /* of the item whose first block is to come */
};

static void read_node(struct lesson_reader *r, cmark_node *node, struct place *place);

struct lesson_page *lesson_current_page(struct lesson_reader *r)
{
    struct lesson *const l = r->lesson;
    return l->n_pages > 0 ? &l->pages[l->n_pages - 1] : NULL;
}

static struct lesson_page *add_page(struct lesson_reader *r, int line)
{
    struct lesson *const l = r->lesson;
    struct lesson_page *const grown = lesson_grow(l, l->pages, l->n_pages, sizeof *grown);
    if (grown == NULL) {
        return lesson_no_memory(r);
    }
    l->pages = grown;
    grown[l->n_pages] =
        (struct lesson_page){.title = l->title, .line = line, .first = l->n_blocks, .question = -1};
    return &grown[l->n_pages++];
}

struct lesson_block *lesson_add_block(struct lesson_reader *r, enum lesson_kind kind, int line,
                                      int column)
{
    struct lesson *const l = r->lesson;
    struct lesson_page *page = lesson_current_page(r);
    if (page == NULL) {
        page = add_page(r, line);
    }
    struct lesson_block *const grown = lesson_grow(l, l->blocks, l->n_blocks, sizeof *grown);
    if (grown == NULL || page == NULL) {
        return lesson_no_memory(r);
    }
    l->blocks = grown;
    grown[l->n_blocks] = (struct lesson_block){.kind = kind,
                                               .line = line,
                                               .column = column,
                                               .page = l->n_pages - 1,
                                               .info = "",
                                               .step = -1,
                                               .question = -1};
    page->n++;
    return &grown[l->n_blocks++];
}

void lesson_add_note(struct lesson_reader *r, const char *text, int line, int column)
{
    const struct lesson_text prose = lesson_prose_of(r, text, line);
    struct lesson_block *const block = lesson_add_block(r, LESSON_NOTE, line, column);
    if (block != NULL) {
        block->text = prose;
    }
}

/* ---- paragraphs ---- */

/** Do all lines of the paragraph begin with '|'? */
static bool is_table(const struct lesson *lesson, int start, int end)
{
    for (int line = start; line <= end; line++) {
        size_t length = 0;
        const char *const text = lesson_line(lesson, line, &length);
        if (text[strspn(text, " \t")] != '|') {
            return false;
        }
    }
    return end > start;
}

static void add_table(struct lesson_reader *r, int start, int end, int column)
{
    const struct lesson *const l = r->lesson;
    const size_t from = l->line_start[start - 1];
    const char *const code = lesson_copy(r->lesson, l->source + from, l->line_start[end] - from);
    struct lesson_block *const block = lesson_add_block(r, LESSON_TABLE, start, column);
    if (block != NULL && code != NULL) {
        block->code = code;
    }
}

/** The word before a colon that makes a line a hint or a note. */
static bool begins(const char *text, size_t length, const char *word)
{
    const size_t n = strlen(word);
    return length >= n && strncmp(text, word, n) == 0;
}

/** One `hint:` or `note:` with the lines that go on with it. */
static void end_aside(struct lesson_reader *r, char *text, int line, int column)
{
    const bool hint = begins(text, strlen(text), "hint:");
    const char *words = text + strlen("hint:"); /* "note:" is as long */
    words += strspn(words, " \t");
    struct lesson_question *const q = lesson_page_question(r);
    if (!hint) {
        lesson_add_note(r, words, line, column);
    } else if (q != NULL) {
        lesson_add_hint(r, q, words, line);
    } else {
        lesson_error_add(r->errors, line, column,
                         "a hint to no question (put it under a heading 'Question: …')");
    }
}

/** Is this paragraph lines of `hint:` and `note:`? Then they are taken. */
static bool read_asides(struct lesson_reader *r, int start, int end)
{
    size_t length = 0;
    const char *line = lesson_line(r->lesson, start, &length);
    line += strspn(line, " \t");
    if (!begins(line, length, "hint:") && !begins(line, length, "note:")) {
        return false;
    }
    char *const text = calloc(1, LESSON_RUN_MAX + 2);
    if (text == NULL) {
        lesson_no_memory(r);
        return true;
    }
    size_t n = 0;
    int first = start;
    for (int i = start; i <= end; i++) {
        line = lesson_line(r->lesson, i, &length);
        const size_t blanks = strspn(line, " \t");
        const bool opens = begins(line + blanks, length - blanks, "hint:") ||
                           begins(line + blanks, length - blanks, "note:");
        if (opens && i > start) {
            end_aside(r, text, first, 1);
            n = 0;
        }
        first = opens ? i : first;
        n += (size_t)snprintf(text + n, LESSON_RUN_MAX + 2 - n, "%s%.*s", n > 0 ? " " : "",
                              (int)(length - blanks), line + blanks);
    }
    end_aside(r, text, first, 1);
    free(text);
    return true;
}

static void read_paragraph(struct lesson_reader *r, cmark_node *node, struct place *place)
{
    const int start = cmark_node_get_start_line(node);
    const int end = cmark_node_get_end_line(node);
    const int column = cmark_node_get_start_column(node);
    if (place->depth == 0) {
        if (is_table(r->lesson, start, end)) {
            add_table(r, start, end, column);
            lesson_table_rows(r, start, end);
            (void)lesson_prose(r, node); /* for what it refuses */
            return;
        }
        if (read_asides(r, start, end) || lesson_is_slip(r, start, end)) {
            return;
        }
    }
    const struct lesson_text text = lesson_prose(r, node);
    struct lesson_block *const block = lesson_add_block(r, LESSON_PARAGRAPH, start, column);
    if (block != NULL) {
        block->text = text;
        block->depth = place->lists;
        block->quoted = place->quoted;
        memcpy(block->marker, place->marker, sizeof block->marker);
        place->marker[0] = '\0';
    }
}

/* ---- containers ---- */

static bool too_deep(struct lesson_reader *r, cmark_node *node, const struct place *place)
{
    if (place->depth < LESSON_DEPTH_MAX) {
        return false;
    }
    lesson_error_add(r->errors, cmark_node_get_start_line(node), cmark_node_get_start_column(node),
                     "lists and quotes nested more than %d deep (write it flatter)",
                     LESSON_DEPTH_MAX);
    return true;
}

static void read_children(struct lesson_reader *r, cmark_node *node, struct place *place)
{
    for (cmark_node *child = cmark_node_first_child(node); child != NULL;
         child = cmark_node_next(child)) {
        read_node(r, child, place);
    }
}

static void read_list(struct lesson_reader *r, cmark_node *list, struct place *place)
{
    const struct lesson_page *const page = lesson_current_page(r);
    const bool asks = page != NULL && page->question >= 0;
    if (lesson_is_task_list(r->lesson, list)) {
        if (asks && place->depth == 0) {
            lesson_choices(r, list);
        } else {
            lesson_error_add(r->errors, cmark_node_get_start_line(list),
                             cmark_node_get_start_column(list),
                             "boxes to tick without a question (put them under a heading "
                             "'Question: …')");
        }
        return;
    }
    const bool ordered = cmark_node_get_list_type(list) == CMARK_ORDERED_LIST;
    int number = cmark_node_get_list_start(list);
    for (cmark_node *item = cmark_node_first_child(list); item != NULL;
         item = cmark_node_next(item)) {
        struct place inside = {.depth = place->depth + 1,
                               .lists = place->lists + 1,
                               .quoted = place->quoted,
                               .marker = "-"};
        if (ordered) {
            snprintf(inside.marker, sizeof inside.marker, "%d.", number++);
        }
        read_children(r, item, &inside);
    }
}

static void read_quote(struct lesson_reader *r, cmark_node *quote, struct place *place)
{
    struct lesson_question *const q = lesson_page_question(r);
    if (q == NULL || place->depth > 0) {
        struct place inside = {.depth = place->depth + 1, .lists = place->lists, .quoted = true};
        read_children(r, quote, &inside);
        return;
    }
    for (cmark_node *child = cmark_node_first_child(quote); child != NULL;
         child = cmark_node_next(child)) {
        if (cmark_node_get_type(child) == CMARK_NODE_PARAGRAPH) {
            lesson_add_explanation(r, q, lesson_prose(r, child));
        } else {
            lesson_error_add(r->errors, cmark_node_get_start_line(child),
                             cmark_node_get_start_column(child),
                             "an explanation is paragraphs (no list or code in it)");
        }
    }
}

/* ---- code, headings and the rest ---- */

static void read_code(struct lesson_reader *r, cmark_node *node, const struct place *place)
{
    static const char *const marks[] = {"attn"};
    const int line = cmark_node_get_start_line(node);
    const int column = cmark_node_get_start_column(node);
    const char *const info = cmark_node_get_fence_info(node);
    char word[32] = "";
    snprintf(word, sizeof word, "%.*s", (int)strcspn(info, " \t"), info);
    const bool step = strcmp(word, marks[0]) == 0;
    if (step && place->depth > 0) {
        lesson_error_add(r->errors, line, column,
                         "a block marked attn stands in a list or quote (put it on its own)");
        return;
    }
    if (step) {
        lesson_step_read(r, node);
        return;
    }
    if (word[0] != '\0' && config_nearest(word, marks, 1) != NULL) {
        lesson_error_add(r->errors, line, column, "a block marked '%s' (did you mean attn?)", word);
        return;
    }
    if (lesson_is_code_slip(r, node, place->depth > 0)) {
        return;
    }
    const char *const literal = cmark_node_get_literal(node);
    const char *const code = lesson_copy(r->lesson, literal, strlen(literal));
    const char *const copied = lesson_copy(r->lesson, word, strlen(word));
    struct lesson_block *const block = lesson_add_block(r, LESSON_VERBATIM, line, column);
    if (block != NULL && code != NULL && copied != NULL) {
        block->code = code;
        block->info = copied;
        block->depth = place->lists;
        block->quoted = place->quoted;
    } else {
        lesson_no_memory(r);
    }
}

static void read_heading(struct lesson_reader *r, cmark_node *node, const struct place *place)
{
    static const char mark[] = "Question:";
    const int line = cmark_node_get_start_line(node);
    const int column = cmark_node_get_start_column(node);
    if (place->depth > 0) {
        lesson_error_add(r->errors, line, column,
                         "a heading in a list or quote (headings are pages)");
        return;
    }
    lesson_question_close(r);
    struct lesson_text text = lesson_prose(r, node);
    const bool asks = text.n > 0 && strncmp(text.spans[0].text, mark, sizeof mark - 1) == 0;
    if (asks) {
        text = lesson_text_after(r, text, sizeof mark - 1);
    }
    char plain[512];
    lesson_plain(&text, plain, sizeof plain);
    const char *const title = lesson_copy(r->lesson, plain, strlen(plain));
    struct lesson_page *const page = add_page(r, line);
    if (page == NULL || title == NULL) {
        lesson_no_memory(r);
        return;
    }
    page->heading = text;
    page->level = cmark_node_get_heading_level(node);
    page->title = title[0] != '\0' ? title : page->title;
    if (title[0] == '\0') {
        lesson_error_add(r->errors, line, column, "a heading without words (%s)",
                         asks ? "say what is asked" : "say what the page is about");
    }
    if (asks && lesson_add_question(r, line, column) != NULL) {
        page->question = r->lesson->n_questions - 1;
    }
}

static void read_node(struct lesson_reader *r, cmark_node *node, struct place *place)
{
    const cmark_node_type type = cmark_node_get_type(node);
    if (r->nomem) {
        return;
    }
    if (type == CMARK_NODE_PARAGRAPH) {
        read_paragraph(r, node, place);
    } else if (type == CMARK_NODE_HEADING) {
        read_heading(r, node, place);
    } else if (type == CMARK_NODE_CODE_BLOCK) {
        read_code(r, node, place);
    } else if (type == CMARK_NODE_HTML_BLOCK) {
        lesson_html_block(r, node);
    } else if ((type == CMARK_NODE_LIST || type == CMARK_NODE_BLOCK_QUOTE) &&
               !too_deep(r, node, place)) {
        if (type == CMARK_NODE_LIST) {
            read_list(r, node, place);
        } else {
            read_quote(r, node, place);
        }
    }
}

void lesson_body(struct lesson_reader *r, int front_lines)
{
    const struct lesson *const l = r->lesson;
    cmark_parser *const parser = cmark_parser_new(CMARK_OPT_DEFAULT);
    for (int i = 0; i < front_lines; i++) { /* so that cmark's lines are the file's */
        cmark_parser_feed(parser, "\n", 1);
    }
    const size_t start = l->n_lines > 0 ? l->line_start[front_lines] : 0;
    const size_t end = l->n_lines > 0 ? l->line_start[l->n_lines] : 0;
    cmark_parser_feed(parser, l->source + start, end - start);
    cmark_node *const document = cmark_parser_finish(parser);
    cmark_parser_free(parser);
    struct place place = {0};
    read_children(r, document, &place);
    lesson_question_close(r);
    cmark_node_free(document);
    if (!r->nomem && r->lesson->n_blocks == 0 && r->errors->n == 0) {
        lesson_error_add(r->errors, l->n_lines > 0 ? l->n_lines : 1, 1,
                         "the lesson is empty (a heading, then words)");
    }
}
