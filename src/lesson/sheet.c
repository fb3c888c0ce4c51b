/* A lesson as a worksheet in Markdown: tables with blanks, its questions, and the key to both. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lesson_parts.h"

enum {
    SIDE_MAX = 6,
    TABLES_MAX = 6,
    TABLES_OF_ONE = 2,
    BLANKS_MAX = 6,
    OPERANDS_MAX = 6,
    ARITHMETIC_LINES = 4
};

struct sheet {
    FILE *out;
    const struct lesson *lesson;
    bool key;
    uint64_t state; /**< Of the numbers that choose the blanks. */
    int n;          /**< Exercises so far. */
    struct config config;
    struct setup setup;
    attn_trace *trace;
};

/* ---- chance ---- */

/** The next number of splitmix64 (S. Vigna), below n. */
static int draw(struct sheet *s, int n)
{
    s->state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = s->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

/* ---- the trace of a stop ---- */

static void let_go(struct sheet *s)
{
    attn_trace_destroy(s->trace);
    if (s->trace != NULL) {
        setup_finish(&s->setup);
        config_finish(&s->config);
    }
    s->trace = NULL;
}

static enum attn_status take_stop(struct sheet *s, int stop, struct attn_error *err)
{
    const struct lesson_stop *const at = &s->lesson->stops[stop];
    let_go(s);
    enum attn_status status = lesson_config(s->lesson, at->first + at->n - 1, &s->config, err);
    if (status != ATTN_OK) {
        return status;
    }
    status = config_trace(&s->setup, &s->trace, &s->config, err);
    if (status != ATTN_OK) {
        s->trace = NULL;
        config_finish(&s->config);
    }
    return status;
}

/* ---- words ---- */

/** What stands on a question's page above its answers. */
static void put_page(FILE *out, const struct lesson *l, const struct lesson_page *page)
{
    for (int i = page->first; i < page->first + page->n; i++) {
        const struct lesson_block *const b = &l->blocks[i];
        if (b->kind == LESSON_PARAGRAPH && !b->quoted) {
            fprintf(out, "%s%s", b->marker, b->marker[0] != '\0' ? " " : "");
            lesson_put_text(out, &b->text);
            fputs("\n\n", out);
        } else if (b->kind == LESSON_TABLE) {
            fprintf(out, "%s\n", b->code);
        } else if (b->kind == LESSON_VERBATIM) {
            lesson_put_block(out, b->info, b->code);
        }
    }
}

const char *lesson_question_text(const struct lesson_question *q, char *out, size_t size)
{
    out[0] = '\0';
    if (q->ask.name[0] != '\0') {
        char cell[256];
        int n = snprintf(cell, sizeof cell, "%s", q->ask.name);
        for (int i = 0; i < q->ask.n_at; i++) {
            n += snprintf(cell + n, sizeof cell - (size_t)n, "%c%s", i == 0 ? '[' : ',',
                          q->ask.at[i]);
        }
        snprintf(out, size,
                 q->kind == LESSON_SHAPE ? "What is the shape of %s%s?" : "What is %s%s?", cell,
                 q->ask.n_at > 0 ? "]" : "");
    }
    return out;
}

/* ---- tables ---- */

/** Cells that are left out, of one tensor and its first batch element. */
struct blanks {
    struct attn_cell cells[BLANKS_MAX];
    int n;
};

static bool same(struct attn_cell a, struct attn_cell b)
{
    return a.tensor == b.tensor && memcmp(a.at, b.at, sizeof a.at) == 0;
}

static bool is_blank(const struct blanks *blanks, struct attn_cell cell)
{
    for (int i = 0; blanks != NULL && i < blanks->n; i++) {
        if (same(blanks->cells[i], cell)) {
            return true;
        }
    }
    return false;
}

static void number(const struct sheet *s, struct attn_cell cell, char out[WALK_NUMBER_MAX])
{
    const double value = (double)walk_value(s->trace, cell);
    const int decimals = walk_decimals(s->trace, cell.tensor);
    walk_number(value, out);
    char *const point = strchr(out, '.');
    if (isfinite(value) && point != NULL && strchr(out, 'e') == NULL && decimals < 4) {
        point[decimals > 0 ? decimals + 1 : 0] = '\0';
        if (strcmp(out, "-0") == 0) {
            strcpy(out, "0");
        }
    }
}

static bool small(const attn_tensor *t)
{
    return t != NULL && t->dims[1] <= SIDE_MAX && t->dims[2] <= SIDE_MAX;
}

/** A cell of a table, up to the bar behind it. */
static void put_cell(FILE *out, const char *label)
{
    fputc(' ', out);
    lesson_put_words(out, label, LESSON_IN_CELL);
    fputs(" |", out);
}

/** A tensor as a table: labels, numbers, and lines in place of blanks, or the answers in bold. */
static void put_table(struct sheet *s, enum attn_tensor_id id, const struct blanks *blanks)
{
    const attn_tensor *const t = attn_trace_tensor(s->trace, id);
    char name[64];
    char buf[16];
    attn_tensor_name(attn_trace_config(s->trace)->variant, id, name, sizeof name);
    fprintf(s->out, "| %s |", name);
    for (int c = 0; c < t->dims[2]; c++) {
        put_cell(s->out, walk_label(&s->setup, attn_tensors[id].axes[2], c, buf));
    }
    fprintf(s->out, "\n|---|");
    for (int c = 0; c < t->dims[2]; c++) {
        fputs("---:|", s->out);
    }
    for (int r = 0; r < t->dims[1]; r++) {
        fputs("\n|", s->out);
        put_cell(s->out, walk_label(&s->setup, attn_tensors[id].axes[1], r, buf));
        for (int c = 0; c < t->dims[2]; c++) {
            const struct attn_cell cell = {.tensor = id, .at = {0, r, c}};
            char text[WALK_NUMBER_MAX];
            number(s, cell, text);
            if (is_blank(blanks, cell)) {
                fprintf(s->out, s->key ? " **%s** |" : " ______ |", text);
            } else {
                fprintf(s->out, " %s |", text);
            }
        }
    }
    fputs("\n\n", s->out);
}

/** What a cell is made of, each tensor once. @return how many; 0 where one of them is too large. */
static int operands(const struct sheet *s, struct attn_cell cell,
                    enum attn_tensor_id ids[OPERANDS_MAX])
{
    struct walk_explanation e;
    int n = 0;
    bool fits = true;
    if (walk_explain(s->trace, cell, &e, NULL) != ATTN_OK) {
        return 0;
    }
    for (int i = 0; i < e.n_terms; i++) {
        for (int k = 0; k < e.terms[i].n_from; k++) {
            const enum attn_tensor_id id = e.terms[i].from[k].tensor;
            bool there = id == cell.tensor;
            for (int j = 0; j < n; j++) {
                there = there || ids[j] == id;
            }
            fits = fits && small(attn_trace_tensor(s->trace, id));
            if (!there && n < OPERANDS_MAX) {
                ids[n++] = id;
            }
        }
    }
    walk_explanation_finish(&e);
    return fits ? n : 0;
}

static void put_operands(struct sheet *s, const enum attn_tensor_id *ids, int n)
{
    for (int i = 0; i < n; i++) {
        put_table(s, ids[i], NULL);
    }
}

/** An item of a list: the cell's formula, its numbers, its value. */
static void put_arithmetic(struct sheet *s, struct attn_cell cell)
{
    struct walk_explanation e;
    char formula[256];
    char terms[512];
    char value[WALK_NUMBER_MAX];
    if (walk_explain(s->trace, cell, &e, NULL) != ATTN_OK) {
        return;
    }
    walk_formula(&s->setup, s->trace, cell, formula, sizeof formula);
    walk_arithmetic(s->trace, &e, 200, ARITHMETIC_LINES, terms, sizeof terms);
    for (char *c = terms; *c != '\0'; c++) { /* a sum fits into one line; these are several */
        *c = *c == '\n' ? ';' : *c;
    }
    walk_number((double)walk_value(s->trace, cell), value);
    fputs("- ", s->out);
    lesson_put_code(s->out, formula);
    fputs(": ", s->out);
    lesson_put_code(s->out, terms);
    fprintf(s->out, " → **%s**\n", value);
    walk_explanation_finish(&e);
}

/** In reading order. */
static void sort_blanks(struct blanks *blanks)
{
    for (int i = 1; i < blanks->n; i++) {
        const struct attn_cell cell = blanks->cells[i];
        int to = i;
        while (to > 0 && (blanks->cells[to - 1].at[1] > cell.at[1] ||
                          (blanks->cells[to - 1].at[1] == cell.at[1] &&
                           blanks->cells[to - 1].at[2] > cell.at[2]))) {
            blanks->cells[to] = blanks->cells[to - 1];
            to--;
        }
        blanks->cells[to] = cell;
    }
}

/** Is every row the first one again, so that what is left out stands in the next row? */
static bool rows_alike(const struct sheet *s, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(s->trace, id);
    for (int r = 1; r < t->dims[1]; r++) {
        for (int c = 0; c < t->dims[2]; c++) {
            const struct attn_cell here = {.tensor = id, .at = {0, r, c}};
            const struct attn_cell first = {.tensor = id, .at = {0, 0, c}};
            if (walk_value(s->trace, here) != walk_value(s->trace, first)) {
                return false;
            }
        }
    }
    return t->dims[1] > 1;
}

/** Choose cells to leave out; of logits none that a mask hides. */
static void choose_blanks(struct sheet *s, enum attn_tensor_id id, struct blanks *blanks)
{
    const attn_tensor *const t = attn_trace_tensor(s->trace, id);
    const int cells = t->dims[1] * t->dims[2];
    const int wanted = cells / 4 < 2 ? 2 : cells / 4 > BLANKS_MAX ? BLANKS_MAX : cells / 4;
    blanks->n = 0;
    for (int tries = 0; blanks->n < wanted && tries < 20 * BLANKS_MAX; tries++) {
        const int at = draw(s, cells);
        const struct attn_cell cell = {.tensor = id, .at = {0, at / t->dims[2], at % t->dims[2]}};
        const bool hidden = id != ATTN_MASKED && walk_masked(s->trace, cell);
        if (!is_blank(blanks, cell) && !hidden) {
            blanks->cells[blanks->n++] = cell;
        }
    }
    sort_blanks(blanks);
}

/* ---- exercises ---- */

static void fill_in(struct sheet *s, enum attn_tensor_id id)
{
    enum attn_tensor_id ids[OPERANDS_MAX];
    struct blanks blanks;
    char name[64];
    choose_blanks(s, id, &blanks);
    const int n = blanks.n > 0 ? operands(s, blanks.cells[0], ids) : 0;
    if (n == 0) {
        return;
    }
    const enum attn_stage stage = attn_trace_writer(s->trace, id);
    attn_tensor_name(attn_trace_config(s->trace)->variant, id, name, sizeof name);
    fprintf(s->out, "## %d. Fill in the blanks of %s\n\n", ++s->n, name);
    if (!s->key) {
        const bool bare = attn_stages[stage].formula_bare != NULL &&
                          !attn_variants[attn_trace_config(s->trace)->variant].bias;
        fprintf(s->out, "%s: `%s`\n\n", attn_stages[stage].title,
                bare ? attn_stages[stage].formula_bare : attn_stages[stage].formula);
        put_operands(s, ids, n);
    }
    put_table(s, id, &blanks);
    for (int i = 0; s->key && i < blanks.n; i++) {
        put_arithmetic(s, blanks.cells[i]);
    }
    fputs(s->key ? "\n" : "", s->out);
}

static void put_choices(struct sheet *s, const struct lesson_question *q)
{
    for (int i = 0; i < q->n_choices; i++) {
        const struct lesson_choice *const choice = &q->choices[i];
        if (!s->key) {
            fprintf(s->out, "- [ ] %c. ", 'A' + i);
            lesson_put_text(s->out, &choice->text);
            fputc('\n', s->out);
        } else if (choice->right) {
            fprintf(s->out, "**%c.** ", 'A' + i);
            lesson_put_text(s->out, &choice->text);
            fputs("\n\n", s->out);
        }
    }
    fputs(s->key ? "" : "\n", s->out);
}

static enum attn_status put_answer(struct sheet *s, const struct lesson_question *q,
                                   struct attn_error *err)
{
    struct lesson_right right;
    char text[160];
    enum attn_tensor_id ids[OPERANDS_MAX];
    const enum attn_status status = lesson_right_answer(q, &s->setup, s->trace, &right, err);
    if (status != ATTN_OK) {
        return status;
    }
    if (s->key) {
        lesson_right_text(q, &right, text, sizeof text);
        fputs("**", s->out);
        lesson_put_words(s->out, text, LESSON_WITHIN);
        fputs("**\n\n", s->out);
        return ATTN_OK;
    }
    if (q->kind == LESSON_NUMBER && q->ask.name[0] != '\0') {
        put_operands(s, ids, operands(s, right.asked, ids));
    } else if (q->kind == LESSON_SHAPE) {
        const attn_sizes *const z = &attn_trace_config(s->trace)->sizes;
        fprintf(s->out, "B = %d, T = %d, S = %d, d = %d\n\n", z->B, z->T, z->S, z->d);
    }
    lesson_wants_text(q, &right, text, sizeof text);
    fprintf(s->out, "Answer (%s): ____________________\n\n", text);
    return ATTN_OK;
}

static enum attn_status ask(struct sheet *s, int stop, struct attn_error *err)
{
    const struct lesson *const l = s->lesson;
    const struct lesson_question *const q = &l->questions[l->stops[stop].question];
    const struct lesson_page *const page = &l->pages[l->stops[stop].page];
    const bool of_page = page->question == l->stops[stop].question;
    char text[320];
    enum attn_status status = ATTN_OK;
    lesson_question_text(q, text, sizeof text);
    fprintf(s->out, "## %d. ", ++s->n);
    if (of_page) {
        lesson_put_text(s->out, &page->heading);
    } else {
        lesson_put_words(s->out, text, LESSON_WITHIN);
    }
    fputs("\n\n", s->out);
    if (!s->key && of_page) {
        put_page(s->out, l, page);
        lesson_put_words(s->out, text, LESSON_FIRST);
        fputs(text[0] != '\0' ? "\n\n" : "", s->out);
    }
    if (q->kind == LESSON_CHOICE) {
        put_choices(s, q);
    } else {
        status = put_answer(s, q, err);
    }
    for (int i = 0; s->key && i < q->n_explanation; i++) {
        lesson_put_text(s->out, &q->explanation[i]);
        fputs("\n\n", s->out);
    }
    return status;
}

/** Something was set between the stop before and this one, so that its numbers are others. */
static bool is_new(const struct lesson *l, int stop)
{
    const int first = stop > 0 ? l->stops[stop - 1].step + 1 : 0;
    for (int i = first; i <= l->stops[stop].step; i++) {
        if (l->steps[i].n_settings > 0 || l->steps[i].fresh) {
            return true;
        }
    }
    return stop == 0;
}

/** Can a table be made of what the walk shows there? */
static bool fits_on_paper(const struct sheet *s, int stop, enum attn_tensor_id id)
{
    const struct lesson_stop *const at = &s->lesson->stops[stop];
    return attn_trace_writer(s->trace, id) != ATTN_NO_STAGE &&
           attn_trace_config(s->trace)->n_bugs == 0 && small(attn_trace_tensor(s->trace, id)) &&
           !rows_alike(s, id) && lesson_lab(s->lesson, at->first + at->n - 1) < 0;
}

/** A table of each tensor that the lesson stops at, once for all stops with the same numbers. */
static enum attn_status put_tables(struct sheet *s, struct attn_error *err)
{
    bool seen[ATTN_N_TENSORS] = {false};
    int n_of[ATTN_N_TENSORS] = {0};
    enum attn_status status = ATTN_OK;
    for (int stop = 0; stop < s->lesson->n_stops && s->n < TABLES_MAX; stop++) {
        struct lesson_place place;
        if (is_new(s->lesson, stop)) {
            memset(seen, 0, sizeof seen);
            status = take_stop(s, stop, err);
        }
        if (status == ATTN_OK) {
            status = lesson_place(s->lesson, stop, &s->setup, s->trace, &place, err);
        }
        if (status != ATTN_OK) {
            return status;
        }
        const enum attn_tensor_id id = place.look.tensor;
        if (!seen[id] && n_of[id] < TABLES_OF_ONE && fits_on_paper(s, stop, id)) {
            fill_in(s, id);
            n_of[id]++;
        }
        seen[id] = true;
    }
    return ATTN_OK;
}

static enum attn_status put_questions(struct sheet *s, struct attn_error *err)
{
    enum attn_status status = ATTN_OK;
    for (int stop = 0; stop < s->lesson->n_stops && status == ATTN_OK; stop++) {
        if (s->lesson->stops[stop].question < 0) {
            continue;
        }
        status = take_stop(s, stop, err);
        if (status == ATTN_OK) {
            status = ask(s, stop, err);
        }
    }
    return status;
}

enum attn_status lesson_sheet(FILE *out, const struct lesson *lesson, uint64_t seed, bool key,
                              struct attn_error *err)
{
    struct sheet s = {.out = out, .lesson = lesson, .key = key, .state = seed};
    fputs(key ? "# Answers: " : "# ", out);
    lesson_put_words(out, lesson->title, LESSON_WITHIN);
    fputs("\n\n", out);
    if (!key && lesson->summary != NULL && lesson->summary[0] != '\0') {
        lesson_put_words(out, lesson->summary, LESSON_FIRST);
        fputs(".\n\n", out);
    }
    fprintf(out,
            key ? "Sheet %" PRIu64 "\n\n" : "Sheet %" PRIu64 ". Name: ____________________\n\n",
            seed);
    enum attn_status status = put_tables(&s, err);
    if (status == ATTN_OK) {
        status = put_questions(&s, err);
    }
    let_go(&s);
    return status;
}
