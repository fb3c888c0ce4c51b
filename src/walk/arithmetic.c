/* The numbers of one cell's formula as lines of a given width. */
#include <assert.h>
#include <stdio.h>

#include "walk_lines.h"

enum {
    SHORTEST = 6,   /* columns of a term in a sum with its space: "+ nan " */
    SHOWN_MAX = 512 /* terms of a sum: more than any screen holds */
};

/* ---- words into lines ---- */

struct walk_lines walk_lines_start(struct walk_text *out, int width, int max_lines)
{
    return (struct walk_lines){.out = out, .width = width, .max_lines = max_lines, .n = 1};
}

void walk_lines_break(struct walk_lines *lines)
{
    if (lines->n == lines->max_lines) {
        lines->full = true;
        return;
    }
    lines->n++;
    lines->column = 0;
    if (lines->out != NULL) {
        walk_text_add(lines->out, "\n");
    }
}

/** Go to where a word of so many columns goes: on this line, or on the next one. @return false if
 * it does not fit. */
static bool go_to(struct walk_lines *lines, int columns)
{
    if (lines->column > 0 && lines->column + 1 + columns > lines->width) {
        walk_lines_break(lines);
    }
    return !lines->full;
}

/** The word, and the space before it, stand on the line. */
static void take(struct walk_lines *lines, int columns)
{
    lines->column +=
        (lines->column > 0 ? 1 : 0) + (columns < lines->width ? columns : lines->width);
}

void walk_lines_put(struct walk_lines *lines, const char *word)
{
    const int columns = walk_text_columns(word);
    if (!go_to(lines, columns)) {
        return;
    }
    if (lines->out != NULL) {
        walk_text_put(lines->out, lines->column > 0 ? " " : "");
        walk_text_add_clipped(lines->out, word, lines->width);
    }
    take(lines, columns);
}

/* ---- sums, with their middle left out where they are long ---- */

static void term_text(const struct walk_term *term, struct walk_text *out)
{
    if (term->kind == WALK_TERM_PRODUCT) {
        walk_text_add_number(out, (double)term->operand[0]);
        walk_text_add(out, "×");
        walk_text_add_number(out, (double)term->operand[1]);
    } else {
        walk_text_add_number(out, (double)term->value);
    }
}

/** The word that is term i of the sum. */
static void term_word(const struct walk_sum *sum, int i, char word[WORD_MAX])
{
    struct walk_text text = walk_text_in(word, WORD_MAX);
    walk_text_put(&text, i == 0 ? sum->before : "+ ");
    term_text(&sum->e->terms[sum->first + i], &text);
    walk_text_put(&text, i == sum->n - 1 ? sum->after : "");
}

/** The word in place of those that are left out. */
static void more_word(const struct walk_sum *sum, int shown, char word[WORD_MAX])
{
    snprintf(word, WORD_MAX, "+ … %d more …%s", sum->n - shown, shown < 2 ? sum->after : "");
}

/** Of a sum with only so many of its terms: how many are the last ones, the others being the first.
 */
static int tail_of(const struct walk_sum *sum, int shown)
{
    return shown < sum->n ? shown / 2 : 0;
}

static void put_sum(struct walk_lines *lines, const struct walk_sum *sum, int shown)
{
    char word[WORD_MAX];
    const int tail = tail_of(sum, shown);
    for (int i = 0; i < shown - tail; i++) {
        term_word(sum, i, word);
        walk_lines_put(lines, word);
    }
    if (shown < sum->n) {
        more_word(sum, shown, word);
        walk_lines_put(lines, word);
    }
    for (int i = sum->n - tail; i < sum->n; i++) {
        term_word(sum, i, word);
        walk_lines_put(lines, word);
    }
}

/** The columns of the first words and of the last ones: [i], and [n - 1 - i]. */
struct widths {
    short first[SHOWN_MAX], last[SHOWN_MAX];
};

static void measure(const struct walk_sum *sum, int shown, struct widths *widths)
{
    char word[WORD_MAX];
    for (int i = 0; i < shown; i++) {
        term_word(sum, i, word);
        widths->first[i] = (short)walk_text_columns(word);
        if (2 * i < shown) { /* the tail is the smaller half */
            term_word(sum, sum->n - 1 - i, word);
            widths->last[i] = (short)walk_text_columns(word);
        }
    }
}

/** Would the sum with so many of its terms fit? */
static bool fits(struct walk_lines lines, const struct walk_sum *sum, const struct widths *widths,
                 int shown)
{
    char word[WORD_MAX];
    const int tail = tail_of(sum, shown);
    bool good = true;
    lines.out = NULL;
    for (int i = 0; good && i < shown - tail; i++) {
        good = go_to(&lines, widths->first[i]);
        take(&lines, widths->first[i]);
    }
    if (good && shown < sum->n) {
        more_word(sum, shown, word);
        const int columns = walk_text_columns(word);
        good = go_to(&lines, columns);
        take(&lines, columns);
    }
    for (int i = tail - 1; good && i >= 0; i--) {
        good = go_to(&lines, widths->last[i]);
        take(&lines, widths->last[i]);
    }
    return good;
}

void walk_lines_fit_sum(struct walk_lines *lines, const struct walk_sum *sum)
{
    const int bound = lines->max_lines * (lines->width + 1) / SHORTEST + 1;
    int shown = sum->n < bound ? sum->n : bound;
    shown = shown < SHOWN_MAX ? shown : SHOWN_MAX;
    struct widths widths;
    measure(sum, shown, &widths);
    while (shown > 1 && !fits(*lines, sum, &widths, shown)) {
        shown--;
    }
    put_sum(lines, sum, shown);
}

/* ---- the stages ---- */

int walk_arithmetic_products(const attn_trace *trace, const struct walk_explanation *e, int width,
                             int max_lines, struct walk_text *out)
{
    (void)trace;
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    walk_lines_fit_sum(&lines,
                       &(struct walk_sum){.e = e, .n = e->n_terms, .before = "", .after = ""});
    return lines.n;
}

void walk_lines_put_number(struct walk_lines *lines, const char *before, float value,
                           const char *after)
{
    char word[WORD_MAX];
    char number[WALK_NUMBER_MAX];
    snprintf(word, sizeof word, "%s%s%s", before, walk_number((double)value, number), after);
    walk_lines_put(lines, word);
}

void walk_lines_put_constant(struct walk_lines *lines, float value)
{
    char word[WORD_MAX];
    walk_lines_put(lines, walk_constant((double)value, word));
}

int walk_arithmetic_split(const attn_trace *trace, const struct walk_explanation *e, int width,
                          int max_lines, struct walk_text *out)
{
    (void)trace;
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    walk_lines_put_number(&lines, "", e->terms[0].value, "");
    return lines.n;
}

int walk_arithmetic_scale(const attn_trace *trace, const struct walk_explanation *e, int width,
                          int max_lines, struct walk_text *out)
{
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    walk_lines_put_number(&lines, "", e->terms[0].value, "");
    walk_lines_put(&lines, attn_trace_config(trace)->scale_given ? "×" : "/");
    walk_lines_put_constant(&lines, e->terms[1].value);
    return lines.n;
}

int walk_arithmetic_mask(const attn_trace *trace, const struct walk_explanation *e, int width,
                         int max_lines, struct walk_text *out)
{
    (void)trace;
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    walk_lines_put_number(&lines, "", e->terms[0].value, "");
    if (e->n_terms == 2) {
        walk_lines_put(&lines, "stays:");
        walk_lines_put(&lines, "mask 1");
    } else {
        walk_lines_put(&lines, "becomes");
        walk_lines_put_constant(&lines, e->terms[2].value);
        walk_lines_put(&lines, "(mask 0)");
    }
    return lines.n;
}

/** On a line of its own, where there is one: how this cell's exponential comes about. */
static void put_exponential(struct walk_lines *lines, const struct walk_explanation *e, int n)
{
    const struct walk_term *const exponential = &e->terms[1 + n + e->cell.at[2]];
    char max[WALK_NUMBER_MAX], score[WALK_NUMBER_MAX], value[WALK_NUMBER_MAX];
    char word[WORD_MAX];
    walk_number((double)e->terms[0].value, max);
    walk_number((double)exponential->operand[0], score);
    walk_number((double)exponential->value, value);
    snprintf(word, sizeof word, "max %s, e^(%s - %s) = %s", max, score, max, value);
    if (lines->max_lines > 1 && walk_text_columns(word) <= lines->width) {
        walk_lines_put(lines, word);
        walk_lines_break(lines);
    }
}

int walk_arithmetic_softmax(const attn_trace *trace, const struct walk_explanation *e, int width,
                            int max_lines, struct walk_text *out)
{
    (void)trace;
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    const struct walk_term *const last = &e->terms[e->n_terms - 1];
    if (last->kind == WALK_TERM_CONSTANT) {
        walk_lines_put(&lines, "every score is -inf:");
        walk_lines_put_number(&lines, "set to ", last->value, "");
        return lines.n;
    }
    const int n = (e->n_terms - 3) / 2;
    put_exponential(&lines, e, n);
    char before[WALK_NUMBER_MAX + 8];
    char number[WALK_NUMBER_MAX];
    snprintf(before, sizeof before, "%s / (", walk_number((double)last->operand[0], number));
    walk_lines_fit_sum(
        &lines, &(struct walk_sum){.e = e, .first = 1 + n, .n = n, .before = before, .after = ")"});
    return lines.n;
}

int walk_arithmetic_drop(const attn_trace *trace, const struct walk_explanation *e, int width,
                         int max_lines, struct walk_text *out)
{
    (void)trace;
    struct walk_lines lines = walk_lines_start(out, width, max_lines);
    walk_lines_put_number(&lines, "", e->terms[0].value, "");
    for (int i = 1; i < e->n_terms; i++) {
        walk_lines_put(&lines, "×");
        walk_lines_put_constant(&lines, e->terms[i].value);
    }
    return lines.n;
}

int walk_arithmetic(const attn_trace *trace, const struct walk_explanation *e, int width,
                    int max_lines, char *out, size_t size)
{
    assert(width >= 16 && max_lines >= 1);
    struct walk_text text = walk_text_in(out, size);
    const enum attn_stage stage = attn_trace_writer(trace, e->cell.tensor);
    return walk_row(trace, stage)->arithmetic(trace, e, width, max_lines, &text);
}
