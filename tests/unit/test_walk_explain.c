/* The arithmetic of cells: its terms, their replay, and its text. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"
#include "walk_case.h"

enum { N_GROUPS = 20 };

/** The same bits; one NaN is as good as another. */
static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/** Call f for every cell that a stage of the case computes. */
static void each_cell(struct walk_case *c,
                      void (*f)(struct walk_case *c, const struct walk_explanation *e))
{
    struct walk_step step = walk_first(c->trace, WALK_CELL);
    do {
        struct walk_region writes[WALK_REGIONS_MAX];
        if (walk_writes(c->trace, &step, writes) == 0) {
            continue;
        }
        const struct attn_cell cell = {.tensor = writes[0].tensor,
                                       .at = {step.at[0], step.at[1], step.at[2]}};
        struct walk_explanation e;
        struct attn_error err = {.message = ""};
        walk_case_check(c, walk_explain(c->trace, cell, &e, &err) == ATTN_OK, "%s", err.message);
        f(c, &e);
        walk_explanation_finish(&e);
    } while (walk_next(c->trace, &step));
}

static const char *name_of(const struct walk_explanation *e)
{
    return attn_tensors[e->cell.tensor].name;
}

static void check_replay(struct walk_case *c, const struct walk_explanation *e)
{
    const float value = walk_value(c->trace, e->cell);
    walk_case_check(c, same_bits(e->value, value), "%s", e->formula);
    const float replayed = walk_replay(c->trace, e);
    walk_case_check(c, same_bits(replayed, value), "%s is %.9g, replayed %.9g", e->formula,
                    (double)value, (double)replayed);
}

static void case_the_terms_replayed_give_every_cell_to_the_bit(struct walk_case *c)
{
    each_cell(c, check_replay);
}

START_TEST(the_terms_replayed_give_every_cell_to_the_bit)
{
    walk_case_each(_i, case_the_terms_replayed_give_every_cell_to_the_bit);
}
END_TEST

static void check_operands(struct walk_case *c, const struct walk_explanation *e)
{
    walk_case_check(c, e->n_terms > 0, "%s", e->formula);
    for (int i = 0; i < e->n_terms; i++) {
        const struct walk_term *const term = &e->terms[i];
        char label[128];
        walk_case_check(c, walk_term_text(NULL, c->trace, term, label, sizeof label)[0] != '\0',
                        "%s: term %d has no label", e->formula, i);
        for (int j = 0; j < term->n_from; j++) {
            walk_case_check(c,
                            walk_has(c->trace, term->from[j]) &&
                                same_bits(term->operand[j], walk_value(c->trace, term->from[j])),
                            "%s: term %d", e->formula, i);
        }
    }
}

static void case_every_operand_is_the_number_in_its_cell(struct walk_case *c)
{
    each_cell(c, check_operands);
}

START_TEST(every_operand_is_the_number_in_its_cell)
{
    walk_case_each(_i, case_every_operand_is_the_number_in_its_cell);
}
END_TEST

/** Marks on the cells of a few regions. */
struct marks {
    const struct walk_region *regions;
    int n;
    size_t used, cells;       /**< Marked, and all. */
    unsigned char bits[4096]; /**< Of the regions one after another. */
};

static size_t size_of(const struct walk_region *r)
{
    return (size_t)(r->hi[0] - r->lo[0]) * (size_t)(r->hi[1] - r->lo[1]) *
           (size_t)(r->hi[2] - r->lo[2]);
}

/** Mark a cell. @return false if it lies in no region. */
static bool mark(struct marks *marks, struct attn_cell cell)
{
    size_t start = 0;
    for (int i = 0; i < marks->n; i++) {
        const struct walk_region *const r = &marks->regions[i];
        if (walk_region_has(r, cell)) {
            const int rows = r->hi[1] - r->lo[1];
            const int columns = r->hi[2] - r->lo[2];
            const int line = (cell.at[0] - r->lo[0]) * rows + cell.at[1] - r->lo[1];
            unsigned char *const bit =
                &marks->bits[start + (size_t)(line * columns + cell.at[2] - r->lo[2])];
            marks->used += *bit == 0 ? 1 : 0;
            *bit = 1;
            return true;
        }
        start += size_of(r);
    }
    return false;
}

static void check_reads(struct walk_case *c, const struct walk_explanation *e)
{
    struct walk_step step;
    struct walk_region reads[WALK_REGIONS_MAX];
    walk_case_check(c, walk_writer(c->trace, e->cell, WALK_CELL, &step), "no writer");
    struct marks marks = {.regions = reads, .n = walk_reads(c->trace, &step, reads)};
    for (int i = 0; i < marks.n; i++) {
        marks.cells += size_of(&reads[i]);
    }
    walk_case_check(c, marks.cells <= sizeof marks.bits, "too large");
    for (int i = 0; i < e->n_terms; i++) {
        for (int j = 0; j < e->terms[i].n_from; j++) {
            walk_case_check(c, mark(&marks, e->terms[i].from[j]), "%s: term %d is not read",
                            e->formula, i);
        }
    }
    /* an empty row that is set to 0 needs no more of its scores than that they are all −∞ */
    const bool short_cut = e->cell.tensor == ATTN_WEIGHTS && e->n_terms == 2;
    walk_case_check(c, marks.used == marks.cells || short_cut,
                    "%s reads %zu cells, explains with %zu", e->formula, marks.cells, marks.used);
}

static void case_a_cell_is_explained_by_exactly_what_its_step_reads(struct walk_case *c)
{
    each_cell(c, check_reads);
}

START_TEST(a_cell_is_explained_by_exactly_what_its_step_reads)
{
    walk_case_each(_i, case_a_cell_is_explained_by_exactly_what_its_step_reads);
}
END_TEST

/** The columns of the widest line; n counts the lines. */
static int widest(const char *text, int *n)
{
    int column = 0;
    int most = 0;
    *n = 1;
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            (*n)++;
            column = 0;
        } else if (((unsigned char)*text & 0xC0) != 0x80) {
            column++;
        }
        most = column > most ? column : most;
    }
    return most;
}

static void check_arithmetic(struct walk_case *c, const struct walk_explanation *e)
{
    const int width = 16 + walk_case_below(c, 120);
    const int max_lines = 1 + walk_case_below(c, 4);
    char text[4096];
    int counted;
    const int n = walk_arithmetic(c->trace, e, width, max_lines, text, sizeof text);
    const int most = widest(text, &counted);
    walk_case_check(c, n == counted && n <= max_lines && most <= width && most > 0,
                    "%s in %d lines of %d: %d lines of %d:\n%s", e->formula, max_lines, width, n,
                    most, text);
    walk_case_check(c, strstr(text, "-0.0000") == NULL, "%s: %s", e->formula, text);
}

static void case_the_arithmetic_fits_its_lines_and_shows_no_negative_zero(struct walk_case *c)
{
    each_cell(c, check_arithmetic);
}

START_TEST(the_arithmetic_fits_its_lines_and_shows_no_negative_zero)
{
    walk_case_each(_i, case_the_arithmetic_fits_its_lines_and_shows_no_negative_zero);
}
END_TEST

static void check_formula(struct walk_case *c, const struct walk_explanation *e)
{
    char text[256];
    char name[64];
    walk_cell_text(NULL, c->trace, e->cell, text, sizeof text);
    walk_case_check(c,
                    strncmp(e->formula, text, strlen(text)) == 0 &&
                        strncmp(text, name_of(e), strlen(name_of(e))) == 0,
                    "%s", e->formula);
    snprintf(name, sizeof name, "%s[%d,", name_of(e), e->cell.at[0]);
    if (c->config.sizes.B > 1) {
        walk_case_check(c, strncmp(text, name, strlen(name)) == 0, "%s", text);
    }
    walk_formula(&c->setup, c->trace, e->cell, text, sizeof text);
    walk_case_check(c, strstr(text, " = ") != NULL, "%s", text);
}

static void case_a_formula_begins_with_its_cell(struct walk_case *c)
{
    each_cell(c, check_formula);
}

START_TEST(a_formula_begins_with_its_cell)
{
    walk_case_each(_i, case_a_formula_begins_with_its_cell);
}
END_TEST

/* ---- one computation, to the letter ---- */

/** The queries and keys of docs/screens.md: v3, seed 42. */
static float queries[] = {0.0057f,  -0.1857f, -1.0033f, -0.4940f, 0.5667f,  -0.5732f,
                          0.0497f,  0.3119f,  0.7388f,  -0.0020f, -0.3900f, -0.2466f,
                          -0.6822f, -0.3825f, -0.3251f, -0.5978f};
static float keys[] = {-0.1660f, 0.5057f, 0.5831f,  0.0181f,  -0.3979f, 0.0414f, -0.3652f, 0.4667f,
                       0.1896f,  0.6806f, -0.0720f, -0.2503f, -1.3585f, 0.7449f, 0.6808f,  0.9319f};
static float causal[] = {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1};

static attn_trace *example(void)
{
    attn_config config;
    attn_config_default(&config, ATTN_SINGLE);
    attn_tensor inputs[ATTN_N_TENSORS] = {{0}};
    const int dims[] = {1, 4, 4};
    inputs[ATTN_Q] = attn_tensor_view(queries, 3, dims);
    inputs[ATTN_K] = attn_tensor_view(keys, 3, dims);
    inputs[ATTN_V] = attn_tensor_view(keys, 3, dims);
    inputs[ATTN_MASK] = attn_tensor_view(causal, 3, dims);
    attn_trace *trace = NULL;
    ck_assert_int_eq(attn_trace_create(&trace, &config, inputs, NULL), ATTN_OK);
    return trace;
}

static const struct {
    struct attn_cell cell;
    int width, max_lines;
    const char *formula, *brief, *arithmetic;
} letters[] = {
    {{ATTN_SCORES, {0, 2, 1}},
     78,
     1,
     "scores[2,1] = Σ_i q[2,i] · k[1,i]",
     "scores[sat,cat] = q[sat] · k[cat]",
     "0.7388×-0.3979 + -0.0020×0.0414 + -0.3900×-0.3652 + -0.2466×0.4667"},
    {{ATTN_SCORES, {0, 2, 1}},
     50,
     1,
     "scores[2,1] = Σ_i q[2,i] · k[1,i]",
     "scores[sat,cat] = q[sat] · k[cat]",
     "0.7388×-0.3979 + … 2 more … + -0.2466×0.4667"},
    {{ATTN_SCALED, {0, 2, 1}},
     78,
     1,
     "scaled[2,1] = scores[2,1] / √4",
     "scaled[sat,cat] = scores[sat,cat] / √4",
     "-0.2667 / 2"},
    {{ATTN_MASKED, {0, 2, 1}},
     78,
     1,
     "masked[2,1] = scaled[2,1], as mask[2,1] = 1",
     "masked[sat,cat] = scaled[sat,cat], as mask[sat,cat] = 1",
     "-0.1334 stays: mask 1"},
    {{ATTN_MASKED, {0, 2, 3}},
     78,
     1,
     "masked[2,3] = -inf, as mask[2,3] = 0",
     "masked[sat,down] = -inf, as mask[sat,down] = 0",
     "-0.7502 becomes -inf (mask 0)"},
    {{ATTN_WEIGHTS, {0, 2, 1}},
     78,
     2,
     "weights[2,1] = e^(masked[2,1] - max) / Σ_s e^(masked[2,s] - max)",
     "weights[sat,cat] = e^(masked[sat,cat] - max) / the row's sum",
     "max 0.1143, e^(-0.1334 - 0.1143) = 0.7807\n"
     "0.7807 / (0.7468 + 0.7807 + 1.0000 + 0.0000)"},
    {{ATTN_CONTEXT, {0, 2, 1}},
     78,
     2,
     "context[2,1] = Σ_s weights[2,s] · v[s,1]",
     "context[sat,1] = Σ_s weights[sat,s]·v[s,1]",
     "0.2955×0.5057 + 0.3089×0.0414 + 0.3957×0.6806 + 0.0000×0.7449"},
};

START_TEST(the_example_reads_to_the_letter)
{
    char tokens[4][8] = {"the", "cat", "sat", "down"};
    char *labels[] = {tokens[0], tokens[1], tokens[2], tokens[3]};
    const struct setup setup = {.tokens = {.labels = labels, .n = 4},
                                .memory_tokens = {.labels = labels, .n = 4}};
    attn_trace *const trace = example();
    struct walk_explanation e;
    char text[512];
    ck_assert_int_eq(walk_explain(trace, letters[_i].cell, &e, NULL), ATTN_OK);
    ck_assert_str_eq(e.formula, letters[_i].formula);
    walk_arithmetic(trace, &e, letters[_i].width, letters[_i].max_lines, text, sizeof text);
    ck_assert_str_eq(text, letters[_i].arithmetic);
    walk_explanation_finish(&e);
    walk_formula(&setup, trace, letters[_i].cell, text, sizeof text);
    ck_assert_str_eq(text, letters[_i].brief);
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(what_cannot_be_explained_is_refused_with_the_reason)
{
    static const struct {
        struct attn_cell cell;
        const char *message;
    } rows[] = {
        {{ATTN_Q, {0, 0, 0}}, "given"},
        {{ATTN_MASK, {0, 0, 0}}, "given"},
        {{ATTN_DROPPED, {0, 0, 0}}, "no such tensor"},
        {{ATTN_SCORES, {0, 4, 0}}, "[1,4,4]"},
        {{ATTN_SCORES, {0, 0, -1}}, "outside"},
        {{ATTN_NO_TENSOR, {0, 0, 0}}, "no such tensor"},
    };
    attn_trace *const trace = example();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct walk_explanation e = {.n_terms = -7};
        struct attn_error err = {.message = ""};
        ck_assert_int_eq(walk_explain(trace, rows[i].cell, &e, &err), ATTN_E_VALUE);
        ck_assert_int_eq(e.n_terms, -7);
        ck_assert_msg(strstr(err.message, rows[i].message) != NULL, "%s", err.message);
    }
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(numbers_read_as_people_read_them)
{
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0.5, "0.5000"},           {-0.00001, "0.0000"},
        {-0.00005001, "-0.0001"},  {-0.0, "0.0000"},
        {1e-20, "0.0000"},         {-1e9, "-1e9"},
        {(double)NAN, "nan"},      {999999, "999999.0000"},
        {(double)INFINITY, "inf"}, {(double)-INFINITY, "-inf"},
    };
    char text[WALK_NUMBER_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_str_eq(walk_number(rows[i].value, text), rows[i].text);
    }
}
END_TEST

START_TEST(a_number_has_the_digits_that_printf_gives_it)
{
    char text[WALK_NUMBER_MAX];
    char printed[64];
    uint32_t state = 42;
    for (int i = 0; i < 50000; i++) {
        state = state * 1664525U + 1013904223U;
        const double size = ldexp(1.0, (int)(state % 50U) - 30); /* up to a million */
        const double any = size * ((double)(state >> 8) / 8388608.0 - 1.0);
        const double half =
            ((double)(state >> 16) + 0.5) / ldexp(1.0, (int)(state % 6U)); /* ties */
        const double values[] = {any, (double)(float)any, half};
        for (int k = 0; k < 3; k++) {
            const int decimals = i % 5;
            snprintf(printed, sizeof printed, "%.*f", decimals, values[k]);
            ck_assert_str_eq(walk_fixed(values[k], decimals, text), printed);
        }
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("walk: explain");
    TCase *const tc = tcase_create("explain");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_number_has_the_digits_that_printf_gives_it);
    tcase_add_loop_test(tc, the_terms_replayed_give_every_cell_to_the_bit, 0, N_GROUPS);
    tcase_add_loop_test(tc, every_operand_is_the_number_in_its_cell, 0, N_GROUPS / 2);
    tcase_add_loop_test(tc, a_cell_is_explained_by_exactly_what_its_step_reads, 0, N_GROUPS / 2);
    tcase_add_loop_test(tc, the_arithmetic_fits_its_lines_and_shows_no_negative_zero, 0,
                        N_GROUPS / 2);
    tcase_add_loop_test(tc, a_formula_begins_with_its_cell, 0, N_GROUPS / 2);
    tcase_add_loop_test(tc, the_example_reads_to_the_letter, 0,
                        (int)(sizeof letters / sizeof letters[0]));
    tcase_add_test(tc, what_cannot_be_explained_is_refused_with_the_reason);
    tcase_add_test(tc, numbers_read_as_people_read_them);
    suite_add_tcase(s, tc);
    return s;
}
