/**
 * Lesson files: CommonMark with a front matter, blocks marked `attn` that set the walk, and
 * questions. This folder knows the format and what it means for a trace; it knows no screen.
 *
 *   bytes ──lesson_parse──► struct lesson ──lesson_check──► errors, or it is sound
 *                                │
 *     a stop ──lesson_config──► struct config ──config_trace──► trace ──lesson_place──► steps
 *
 * A lesson is read as one line of stops. A stop is some blocks of one page and a few steps of the
 * walk, at least one; "next" goes through the stop's steps and then to the next stop, "back" the
 * same way back, since both are numbers: a reader's place is {stop, k} with k below place.n_steps.
 */
#ifndef LESSON_H
#define LESSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "attn/status.h"
#include "attn/trace.h"
#include "config.h"
#include "lab.h"
#include "walk.h"

enum {
    LESSON_BYTES_MAX = 256 * 1024,
    LESSON_RUN_MAX = 16 * 1024, /**< Bytes of lines without a blank line between them. */
    LESSON_DEPTH_MAX = 8,       /**< Lists and quotes within each other. */
    LESSON_STEPS_MAX = 512,     /**< Blocks marked attn. */
    LESSON_CHOICES_MAX = 26,    /**< Of a question: a letter each. */
    LESSON_ERRORS_MAX = 20,
    LESSON_MEMORY_MAX = 256 * 1024 * 1024 /**< Bytes of a trace that a lesson may ask for. */
};

/* ---- what is wrong with a file ---- */

struct lesson_error {
    int line, column; /**< 1-based; the column in bytes, after a byte order mark. */
    char message[320];
    char hint[256]; /**< What to do, without parentheses; may be empty. */
};

/** The first of them, in the order of the file's lines once lesson_parse or lesson_check is done.
 */
struct lesson_errors {
    struct lesson_error items[LESSON_ERRORS_MAX];
    int n;
    int more; /**< How many there were beyond those. */
};

/* ---- text ---- */

/** How a span stands out; a sum of these. */
enum lesson_look { LESSON_PLAIN = 0, LESSON_EMPHASIS = 1, LESSON_STRONG = 2, LESSON_CODE = 4 };

struct lesson_span {
    const char *text; /**< UTF-8; "\n" in it is a line break that stays, a soft one is a space. */
    unsigned look;
};

/** A paragraph to be wrapped. */
struct lesson_text {
    const struct lesson_span *spans;
    int n;
};

enum lesson_kind {
    LESSON_PARAGRAPH, /**< text; with a marker the first of a list's item, indented by depth. */
    LESSON_VERBATIM,  /**< code: lines to be shown as they are; info tells the language. */
    LESSON_TABLE,     /**< code: the rows of a table as they stand in the file. */
    LESSON_NOTE,      /**< text: for who presents, not for who reads. */
    LESSON_STEP,      /**< step: sets the walk. Shows nothing of its own but what it asks. */
    LESSON_QUESTION   /**< question: the answers of a question page stand here. */
};

struct lesson_block {
    enum lesson_kind kind;
    int line, column;
    int page;
    int depth;       /**< In how many lists it stands. */
    bool quoted;     /**< It stands in a quotation. */
    char marker[12]; /**< "-" or "3."; empty: none. */
    struct lesson_text text;
    const char *code; /**< Lines ended by '\n', or NULL. */
    const char *info; /**< "python"; may be empty. */
    int step;         /**< Of lesson.steps, or -1. */
    int question;     /**< Of lesson.questions, or -1; a STEP has one where it asks. */
};

/** A heading and what follows, up to the next one. What stands before the first is a page too. */
struct lesson_page {
    struct lesson_text heading; /**< Without "Question:". Empty where there is none. */
    const char *title; /**< The same without looks; the lesson's title where it is empty. */
    int level;         /**< 1…6; 0 for the page without a heading. */
    int line;
    int first, n;      /**< Of lesson.blocks. */
    int question;      /**< Of lesson.questions, or -1. */
    int stop, n_stops; /**< Of lesson.stops. */
};

/* ---- questions ---- */

enum lesson_answer {
    LESSON_CHOICE, /**< One or several of choices. */
    LESSON_NUMBER, /**< A number within tolerance; where ask has a name, the trace's own. */
    LESSON_SHAPE,  /**< The shape of a tensor: where ask has a name, the trace's own. */
    LESSON_WORDS   /**< One of words, whatever the case and spaces. */
};

/** "scores", "weights[2]", "weights[0,2,1]", "weights[sat,cat]" as written. */
struct lesson_ref {
    char name[48]; /**< Empty: there is none. */
    int n_at;      /**< How many indices. */
    char at[3][64];
    int line, column;
};

struct lesson_choice {
    struct lesson_text text;
    struct lesson_text why; /**< What is said when it was chosen; may be empty. */
    bool right;
    int line, column;
};

struct lesson_question {
    enum lesson_answer kind;
    int page, block; /**< The block where the answers, or the step that asks, stand; -1: nowhere. */
    int line, column;
    const struct lesson_choice *choices;
    int n_choices, n_right;
    struct lesson_ref ask; /**< A cell (NUMBER) or a tensor (SHAPE) of the trace; or no name. */
    bool given;            /**< The file has an answer; else the trace alone knows it. */
    double number, tolerance;
    bool tolerance_given; /**< Else it is half a unit of the answer's last digit. */
    int rank, shape[3];   /**< Outermost first. */
    const char *const *words;
    int n_words;
    int answer_line, answer_column;
    const struct lesson_text *hints; /**< One at a time. */
    int n_hints;
    const struct lesson_text *explanation; /**< Paragraphs. */
    int n_explanation;
};

/* ---- steps ---- */

/** One `key: value` that changes the configuration. */
struct lesson_setting {
    const char *key;   /**< "dim", "variant"; a matrix has its tensor's name. */
    const char *value; /**< "64"; "" where there is none. */
    int option;        /**< Of config_options, or -1. */
    int tensor;        /**< attn_tensor_id of a matrix, or -1. */
    const float *data; /**< rows × columns, row-major; NULL: let go of the matrix (`x: none`). */
    int rows, columns;
    int line, column; /**< Of the value. */
    int key_column;
};

/** What a claim says of its cells. The last three are of a row; of several rows they are the mean.
 */
enum lesson_measure {
    LESSON_CELL, /**< The one cell's number. */
    LESSON_SUM,
    LESSON_MEAN, /**< Of what is finite, as the standard deviation is. */
    LESSON_SD,
    LESSON_MIN,
    LESSON_MAX,
    LESSON_LARGEST,
    LESSON_ENTROPY, /**< In nats. */
    LESSON_SLOPE, /**< ‖diag(A) − AAᵀ‖: how much the softmax answers to a change of its scores. */
    LESSON_COUNT,      /**< How many numbers. */
    LESSON_BYTES,      /**< As float32. */
    LESSON_OPERATIONS, /**< Multiplications and additions of a product of matrices. */
    LESSON_N_MEASURES
};

/** `says: weights[2,1] = 0.3089`, `says: sum(weights[*,1]) = 1.2`: what the prose around it claims.
 * Held against the trace. */
struct lesson_claim {
    enum lesson_measure measure;
    struct lesson_ref ref; /**< Of a measure, "*" may stand for an index: all of that axis. */
    bool is_shape;
    double number, tolerance;
    int rank, shape[3];
    int line, column; /**< Of the value after '='. */
    int end;          /**< Column of the whole. */
};

/** A block marked attn; or the front matter, whose block is -1. */
struct lesson_step {
    int block;
    int line, column;
    bool broken; /**< Something in it could not be read. */
    bool fresh;  /**< Back to the front matter before its settings. */
    const struct lesson_setting *settings;
    int n_settings;
    struct lesson_ref at, to;
    bool grain_given;
    enum walk_grain grain;
    bool compare_given;
    int compare; /**< attn_variant, or -1: compare no more. */
    int compare_line, compare_column;
    bool lab_given;
    int lab; /**< The instrument in the walk's place, a lab_kind; -1: the walk again. */
    const struct lesson_claim *claims;
    int n_claims;
    int question; /**< That it asks, or -1. */
};

/** Some blocks of one page, up to a step or the page's end. */
struct lesson_stop {
    int page;
    int first,
        n;    /**< Of lesson.blocks: what is new here; what stands before them on the page stays. */
    int step; /**< Of lesson.steps: the last one up to here, or -1. */
    int question; /**< That is asked at its end, or -1. */
};

/** A lesson; owns all that it points to. */
struct lesson {
    char *path; /**< As given; NULL for one that comes from no file. */
    const char *title;
    const char *summary; /**< May be empty. */
    const char *const *topics;
    int n_topics;
    int minutes;               /**< 0: not said. */
    enum attn_variant variant; /**< Of the front matter. */
    struct lesson_step front;
    struct lesson_page *pages;
    int n_pages;
    struct lesson_block *blocks;
    int n_blocks;
    struct lesson_step *steps;
    int n_steps;
    struct lesson_question *questions;
    int n_questions;
    struct lesson_stop *stops;
    int n_stops;
    char *source;       /**< The file without byte order mark, its lines ended by '\n'. */
    size_t *line_start; /**< n_lines + 1 offsets into source. */
    int n_lines;
    struct lesson_chunk *chunks; /**< What all the rest is owned by. */
};

/**
 * Read a lesson from memory.
 *
 * @param lesson  Out; the caller finishes it whatever the status. With errors it holds what could
 * be read, its title and variant among it.
 * @param path    What its own files (`load: data.npz`) are looked for beside; NULL: the working
 * directory.
 * @param errors  Out.
 * @return ATTN_OK, ATTN_E_FORMAT (errors has at least one), ATTN_E_NOMEM.
 */
enum attn_status lesson_parse(struct lesson *lesson, const char *path, const char *bytes,
                              size_t size, struct lesson_errors *errors);
/** The same from a file. @return also ATTN_E_IO, with err filled and nothing to finish. */
enum attn_status lesson_read(struct lesson *lesson, const char *path, struct lesson_errors *errors,
                             struct attn_error *err);
void lesson_finish(struct lesson *lesson);

/**
 * Hold a lesson against its traces: configurations that cannot be built, steps that the variant has
 * not, answers and claims that the trace contradicts, data that cannot show the bug that it names.
 * Only a lesson that was parsed without errors is looked at in full.
 *
 * @param max_memory  Bytes that one trace may take; LESSON_MEMORY_MAX for a person's lesson.
 * @param errors  Those of lesson_parse; more are added.
 * @return ATTN_OK, ATTN_E_FORMAT, ATTN_E_NOMEM.
 */
enum attn_status lesson_check(const struct lesson *lesson, uint64_t max_memory,
                              struct lesson_errors *errors);

/** A line of the file, from 1, without its end. @return "" beyond the last. */
const char *lesson_line(const struct lesson *lesson, int line, size_t *length);
/** The text without its looks. @return out, always terminated. */
char *lesson_plain(const struct lesson_text *text, char *out, size_t size);

/* ---- a place in the lesson ---- */

/**
 * What is computed there: the front matter and all steps up to and including that block.
 *
 * @param block  Of lesson.blocks; -1 for the front matter alone.
 * @param out    Out; the caller finishes it.
 * @return ATTN_OK, or what an option's parser gives.
 */
enum attn_status lesson_config(const struct lesson *lesson, int block, struct config *out,
                               struct attn_error *err);
/** The variant that is compared with there, or -1. */
int lesson_compare(const struct lesson *lesson, int block);
/** The instrument that stands in the walk's place there, a lab_kind, or -1. */
int lesson_lab(const struct lesson *lesson, int block);

/** The part of the walk that a stop goes through. */
struct lesson_place {
    struct walk_step first;
    size_t n_steps;        /**< At least 1: first, and those after it. */
    struct attn_cell look; /**< What to point at in the first of them. */
};

/**
 * Where the walk stands at a stop: its own `at:`, or the last one before it.
 *
 * @param setup, trace  Made from lesson_config of that stop's last block.
 * @return ATTN_OK, or ATTN_E_VALUE with the place in the file (err->line, err->column).
 */
enum attn_status lesson_place(const struct lesson *lesson, int stop, const struct setup *setup,
                              const attn_trace *trace, struct lesson_place *out,
                              struct attn_error *err);

/** The cell, or with no index the tensor's first, that a reference means in this trace. */
enum attn_status lesson_cell(const struct lesson_ref *ref, const struct setup *setup,
                             const attn_trace *trace, struct attn_cell *out,
                             struct attn_error *err);

enum { LESSON_TOLD_MAX = 8 };

/** Numbers that no cell shows, and that the lesson speaks of: "sd", "scores" and "7.9844". */
struct lesson_told {
    struct {
        const char *measure; /**< "": a cell, which tells its own number. */
        char of[64];
        char value[WALK_NUMBER_MAX];
    } items[LESSON_TOLD_MAX];
    int n;
};

/** What the claims of a stop measure, in this trace, or those that the page made before it; what
 * cannot be said is left out. */
void lesson_tell(const struct lesson *lesson, int stop, const struct setup *setup,
                 const attn_trace *trace, struct lesson_told *told);

/** Who looks at the screen: is this cell's number on it, or not to be told yet? */
struct lesson_eyes {
    bool (*sees)(const void *whose, struct attn_cell cell);
    const void *whose;
};

/** Add the cells that the claims of a stop name and that are not seen, with their numbers; their
 * measure is "". */
void lesson_tell_cells(const struct lesson *lesson, int stop, const struct setup *setup,
                       const attn_trace *trace, const struct lesson_eyes *eyes,
                       struct lesson_told *told);

/** Do these words mean the same as one of the question's? Case, spaces and a last '.' do not count.
 */
bool lesson_words_match(const struct lesson_question *question, const char *answer);

/* ---- answers (answer.c) ---- */

/** A number as people write it: "0.5", ".5", "0,5", "1/2", "50%", "5e-1", "1/sqrt(2)", "-inf",
 * "−∞". */
bool lesson_answer_number(const char *text, double *out);
/** A shape as people write it: "1,4,4", "[1, 4, 4]", "1x4x4", "4 by 4". */
bool lesson_answer_shape(const char *text, int *rank, int shape[3]);

/** What is right, told by the file or, where the question asks for a part of it, by the trace. */
struct lesson_right {
    struct attn_cell asked; /**< Of a question with ask; of a shape, any cell of the tensor. */
    double number, tolerance;
    int rank, shape[3];
};

/** @param trace  That of the question's own stop. @return what lesson_cell gives. */
enum attn_status lesson_right_answer(const struct lesson_question *q, const struct setup *setup,
                                     const attn_trace *trace, struct lesson_right *out,
                                     struct attn_error *err);

/** UNREADABLE: nothing that answers such a question; to be asked about again, not marked wrong. */
enum lesson_verdict { LESSON_RIGHT, LESSON_WRONG, LESSON_UNREADABLE };

/** Judge a typed answer to a question that has no choices. */
enum lesson_verdict lesson_judge(const struct lesson_question *q, const struct lesson_right *right,
                                 const char *answer);
/** Is this number within the tolerance? */
bool lesson_near(const struct lesson_right *right, double value);
/** The right answer in words; empty where it is among choices. */
void lesson_right_text(const struct lesson_question *q, const struct lesson_right *right, char *out,
                       size_t size);
/** What an answer looks like, the tolerance with it: "a number, within 0.01". */
void lesson_wants_text(const struct lesson_question *q, const struct lesson_right *right, char *out,
                       size_t size);

/* ---- on paper (sheet.c) ---- */

/** A question's wording where it is none of its page's heading: "What is weights[0,1]?". @return
 * out. */
const char *lesson_question_text(const struct lesson_question *q, char *out, size_t size);
/**
 * Write a checked lesson as a worksheet in Markdown: tables of its numbers with cells left out, and
 * its questions; or the key to it.
 * @param seed  Which cells are left out; the same for both.
 */
enum attn_status lesson_sheet(FILE *out, const struct lesson *lesson, uint64_t seed, bool key,
                              struct attn_error *err);

/* ---- where lessons are ---- */

enum { LESSON_PLACES_MAX = 32, LESSON_PATH_MAX = 4096 };

/** The directories that are looked in, in order; those that do not exist too. */
struct lesson_places {
    char *dirs[LESSON_PLACES_MAX];
    int n;
};

/**
 * @param given  --lessons DIR, or NULL. The rest comes from the environment (ATTN_LESSONS,
 * XDG_DATA_HOME, XDG_DATA_DIRS, HOME), the executable's own place, and the build.
 */
enum attn_status lesson_places_init(struct lesson_places *places, const char *given);
void lesson_places_finish(struct lesson_places *places);

/** A lesson that was found: its file's name without ".md", and what its front matter tells. */
struct lesson_entry {
    char *path;      /**< "" for the one that is compiled in. */
    char stem[128];  /**< "03-scores" */
    int number;      /**< 3; 0: none. */
    char name[128];  /**< "scores" */
    char title[256]; /**< "" where the file has none. */
    char summary[256];
    int minutes;
    enum attn_variant variant;
    bool broken; /**< It has errors. */
};

/** Every lesson there is, by number and name; of two with the same stem the first place's counts.
 */
enum attn_status lesson_list(const struct lesson_places *places, struct lesson_entry **entries,
                             int *n);
void lesson_list_free(struct lesson_entry *entries, int n);

/**
 * Read the lesson that a person means: a path (it has a '/' or ends in ".md"), a number, or a name.
 *
 * @param lesson, errors  As for lesson_read.
 * @return also ATTN_E_VALUE where there is none: the message has the nearest name, or every place
 * that was tried. Nothing is to be finished then.
 */
enum attn_status lesson_open(struct lesson *lesson, const struct lesson_places *places,
                             const char *word, struct lesson_errors *errors,
                             struct attn_error *err);

/** The lesson that is compiled in, and the skeleton for a new one; size bytes and a '\0'. */
extern const unsigned char lesson_builtin[];
extern const size_t lesson_builtin_size;
extern const unsigned char lesson_skeleton[];
extern const size_t lesson_skeleton_size;
/** The name of the compiled-in one as a file would have it: "01-the-picture". */
extern const char lesson_builtin_stem[];

#endif
