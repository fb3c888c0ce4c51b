/** What the files of this folder share and nobody else needs. */
#ifndef LESSON_PARTS_H
#define LESSON_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <cmark.h>

#include "lesson.h"

/* ---- memory: everything of a lesson is freed at once (pool.c) ---- */

/** Zeroed memory that the lesson owns, or NULL. */
void *lesson_take(struct lesson *lesson, size_t size);
/** A copy of size bytes, and a '\0' after them; or NULL. */
char *lesson_copy(struct lesson *lesson, const char *text, size_t size);
/**
 * Make room for one more in an array of n items. The array grows by doubling: it is full whenever n
 * is a power of two. @return the array, perhaps moved, or NULL.
 */
void *lesson_grow(struct lesson *lesson, const void *items, int n, size_t size);

/* ---- errors (error.c) ---- */

/**
 * Add one. What stands in parentheses at the message's end becomes the hint. "--name" of an option
 * becomes "name", as a lesson spells it.
 */
void lesson_error_add(struct lesson_errors *errors, int line, int column, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
/** In the order of the file. */
void lesson_errors_sort(struct lesson_errors *errors);

/* ---- reading ---- */

/** A key with its value, and where both stand. */
struct lesson_field {
    const char *key;
    const char *value;
    int line, column, value_column;
};

struct lesson_reader {
    struct lesson *lesson;
    struct lesson_errors *errors;
    bool nomem;
    struct config config; /**< Tries each option as it is read. */
    bool matrix;          /**< Rows of the last setting may follow. */
    bool unknown;         /**< The last key was unknown. */
    const char *seen[64]; /**< The keys of this block so far. */
    int n_seen;
};

/** Take over the bytes: bounds, UTF-8, line ends. @return false with errors where it is no text. */
bool lesson_source(struct lesson_reader *r, const char *bytes, size_t size);
/** The bytes of a well-formed UTF-8 sequence at s, or 0. */
size_t lesson_utf8(const unsigned char *s, size_t left);
/** Remember that there was no memory. @return NULL. */
void *lesson_no_memory(struct lesson_reader *r);

/** "key: value" of a line, from column on. @return false, with an error, for anything else. */
bool lesson_field_read(struct lesson_reader *r, const char *text, size_t length, int line,
                       int column, struct lesson_field *out);
/** Read the front matter (front.c). @return the number of lines that it takes. */
int lesson_front(struct lesson_reader *r);

/** The inlines of a paragraph, a heading or an item (prose.c). */
struct lesson_text lesson_prose(struct lesson_reader *r, cmark_node *node);
/** The inlines of a string that stands in that line. */
struct lesson_text lesson_prose_of(struct lesson_reader *r, const char *text, int line);
/** Leave out the first characters of a text. */
struct lesson_text lesson_text_after(struct lesson_reader *r, struct lesson_text text,
                                     size_t bytes);

/** The body: pages, blocks, questions (body.c). */
void lesson_body(struct lesson_reader *r, int front_lines);
struct lesson_block *lesson_add_block(struct lesson_reader *r, enum lesson_kind kind, int line,
                                      int column);
struct lesson_page *lesson_current_page(struct lesson_reader *r);
void lesson_add_note(struct lesson_reader *r, const char *text, int line, int column);

/* What was meant as something else than CommonMark makes of it (slip.c). */

/** A block of HTML: comments are left out, the rest is refused. */
void lesson_html_block(struct lesson_reader *r, cmark_node *node);
/** HTML within a text that begins in that line. @return false, with an error, unless a comment. */
bool lesson_html_inline(struct lesson_reader *r, cmark_node *node, int line);
/** A comment without an end, of which the text shows. */
void lesson_html_open(struct lesson_reader *r, int line);
/** A paragraph that was to be a heading, a block, an item or a hint. @return true if it is refused.
 */
bool lesson_is_slip(struct lesson_reader *r, int start, int end);
/** Rows of a table that have more or fewer cells than its head. */
void lesson_table_rows(struct lesson_reader *r, int start, int end);
/** Code that was to be a block. */
bool lesson_is_code_slip(struct lesson_reader *r, cmark_node *code, bool nested);

/* Markdown out (markdown.c). */

/** Where words stand: at the beginning of a paragraph, within one, or in the cell of a table. */
enum lesson_markdown { LESSON_FIRST, LESSON_WITHIN, LESSON_IN_CELL };
/** Plain text, so that it reads in Markdown as it stands. */
void lesson_put_words(FILE *out, const char *text, enum lesson_markdown where);
/** The same as code within a line, and as a block of it (lines ended by '\n'). */
void lesson_put_code(FILE *out, const char *text);
void lesson_put_block(FILE *out, const char *info, const char *code);
/** A text with its looks. */
void lesson_put_text(FILE *out, const struct lesson_text *text);

/* Questions (question.c). */
struct lesson_question *lesson_add_question(struct lesson_reader *r, int line, int column);
/** The page's question, or NULL. */
struct lesson_question *lesson_page_question(struct lesson_reader *r);
void lesson_add_hint(struct lesson_reader *r, struct lesson_question *q, const char *text,
                     int line);
/** A paragraph of it. */
void lesson_add_explanation(struct lesson_reader *r, struct lesson_question *q,
                            struct lesson_text text);
/** Does an item of this list begin with a box? */
bool lesson_is_task_list(const struct lesson *lesson, cmark_node *list);
void lesson_choices(struct lesson_reader *r, cmark_node *list);
/** `answer:` */
void lesson_answer_read(struct lesson_reader *r, struct lesson_question *q,
                        const struct lesson_field *field);
/** What a finished page's question still lacks. */
void lesson_question_close(struct lesson_reader *r);

/* Steps (fence.c, step.c, matrix.c). */
/** Is this code between fences, and not indented? */
bool lesson_is_fenced(const struct lesson *lesson, cmark_node *code);
/** Has the fence an end of its own? @param nested  It stands in a list or a quote. */
bool lesson_is_closed(const struct lesson *lesson, cmark_node *code, bool nested);
void lesson_step_read(struct lesson_reader *r, cmark_node *fence);
/** Take a field into a step. @param front  It stands in the front matter. */
void lesson_step_field(struct lesson_reader *r, struct lesson_step *step,
                       const struct lesson_field *field, bool front);
/** The input that a key of this variant names: "x", "w_q", "q"; or NO_TENSOR. */
enum attn_tensor_id lesson_matrix_key(enum attn_variant variant, const char *key);
/** Add a row of numbers to the last setting. */
void lesson_matrix_row(struct lesson_reader *r, struct lesson_step *step, const char *text,
                       size_t length, int line, int column);
/** What a matrix that ends here lacks. */
void lesson_matrix_close(struct lesson_reader *r, struct lesson_step *step);
struct lesson_setting *lesson_add_setting(struct lesson_reader *r, struct lesson_step *step,
                                          const struct lesson_field *field);

/**
 * Does the bug of this configuration, if it has one, change the result enough to be seen?
 * @return ATTN_E_VALUE if it does not; also what config_trace gives.
 */
enum attn_status lesson_bug_check(const struct config *config, const attn_trace *trace,
                                  struct attn_error *err);

/* References and numbers (ref.c). */

/** Read "weights[0,2]" (all of text). @return false with an error. */
bool lesson_ref_read(struct lesson_reader *r, struct lesson_ref *out, const char *text, int line,
                     int column);
/** Read "weights[0,2]" or "sum(weights[0])" (all of text) into a claim. @return false with an
 * error.
 */
bool lesson_measure_read(struct lesson_reader *r, struct lesson_claim *claim, const char *text,
                         int column);
/** What the claim's number is in this trace. */
enum attn_status lesson_measure(const struct lesson_claim *claim, const struct setup *setup,
                                const attn_trace *trace, double *out, struct attn_error *err);
/** "sum" as a lesson writes it. */
const char *lesson_measure_name(enum lesson_measure measure);
/** "[1,4,4]". @return the rank, or 0 if it is no shape. */
int lesson_shape_read(const char *text, int shape[3]);
/** A number, and half a unit of its last digit. @return false if it is none. */
bool lesson_number_read(const char *text, double *number, double *tolerance);
/** The tensor or stage that a reference names, refused in the variant's own words. */
enum attn_status lesson_ref_tensor(const struct lesson_ref *ref, const attn_trace *trace,
                                   enum attn_tensor_id *out, struct attn_error *err);
/** How many of the three right-aligned indices are free: 0 for a cell, 1 a row, 2 a matrix, … */
int lesson_ref_free(const struct lesson_ref *ref, const attn_tensor *t);

/* The configuration (apply.c). */

/** Let one setting act. @param lesson  For the folder of its files. */
enum attn_status lesson_apply(const struct lesson *lesson, struct config *config,
                              const struct lesson_setting *setting, struct attn_error *err);
/** Let all settings of a step act. */
enum attn_status lesson_apply_step(const struct lesson *lesson, struct config *config,
                                   const struct lesson_step *step, struct attn_error *err);
/** A configuration as it is before the front matter. */
void lesson_config_init(const struct lesson *lesson, struct config *config);

/** The stops of a finished lesson (stop.c). */
void lesson_stops(struct lesson_reader *r);

/** Where a step's `at:` and `to:` lead (place.c). @param from  The step whose `at:` counts. */
enum attn_status lesson_step_place(const struct lesson_step *from, const struct setup *setup,
                                   const attn_trace *trace, struct lesson_place *out,
                                   struct attn_error *err);
/** The last step up to this one (an index; -1 none) that has an `at:`, or NULL. */
const struct lesson_step *lesson_at_step(const struct lesson *lesson, int step);

#endif
