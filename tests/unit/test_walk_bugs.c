/* What walk says of a computation with a bug in it is what that computation does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"
#include "walk_case.h"

enum { N_CASES = 30 };

/* Of these the pairs are tried: cases of v3, single and v2. */
static const int pair_cases[] = {4, 9, 14, 5, 3};

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool is_read(const struct walk_region *reads, int n, struct attn_cell cell)
{
    for (int i = 0; i < n; i++) {
        if (walk_region_has(&reads[i], cell)) {
            return true;
        }
    }
    return false;
}

static void check_terms(struct walk_case *c, const struct walk_explanation *e,
                        const struct walk_step *step)
{
    struct walk_region reads[WALK_REGIONS_MAX];
    const int n = walk_reads(c->trace, step, reads);
    for (int i = 0; i < e->n_terms; i++) {
        const struct walk_term *const term = &e->terms[i];
        char label[128];
        walk_case_check(c, walk_term_text(NULL, c->trace, term, label, sizeof label)[0] != '\0',
                        "%s: term %d has no label", e->formula, i);
        for (int j = 0; j < term->n_from; j++) {
            const struct attn_cell from = term->from[j];
            walk_case_check(c, walk_has(c->trace, from) && is_read(reads, n, from),
                            "%s: term %d is not read", e->formula, i);
            walk_case_check(c, same_bits(term->operand[j], walk_value(c->trace, from)),
                            "%s: term %d", e->formula, i);
        }
    }
}

static void check_cell(struct walk_case *c, const struct walk_step *step, struct attn_cell cell)
{
    struct walk_explanation e;
    struct attn_error err = {.message = ""};
    char text[512];
    walk_case_check(c, walk_explain(c->trace, cell, &e, &err) == ATTN_OK, "%s", err.message);
    const float value = walk_value(c->trace, cell);
    const float replayed = walk_replay(c->trace, &e);
    walk_case_check(c, e.n_terms > 0 && same_bits(replayed, value), "%s is %.9g, replayed %.9g",
                    e.formula, (double)value, (double)replayed);
    check_terms(c, &e, step);
    walk_case_check(c,
                    walk_arithmetic(c->trace, &e, 60, 3, text, sizeof text) > 0 && text[0] != '\0',
                    "%s", e.formula);
    walk_formula(&c->setup, c->trace, cell, text, sizeof text);
    walk_case_check(c, strstr(text, " = ") != NULL, "%s", text);
    walk_explanation_finish(&e);
}

static void check_trace(struct walk_case *c, const char *name)
{
    struct walk_step step = walk_first(c->trace, WALK_CELL);
    bool told = false;
    do {
        struct walk_region writes[WALK_REGIONS_MAX];
        if (walk_writes(c->trace, &step, writes) == 0) {
            continue;
        }
        const struct attn_cell cell = {.tensor = writes[0].tensor,
                                       .at = {step.at[0], step.at[1], step.at[2]}};
        check_cell(c, &step, cell);
        if (!told && attn_trace_changed(c->trace, attn_trace_stage(c->trace, step.stage))) {
            char words[1024];
            walk_words(&c->setup, c->trace, &step, words, sizeof words);
            walk_case_check(c, strncmp(words, "Wrong on purpose", 16) == 0, "%s", words);
            told = strstr(words, name) != NULL;
        }
    } while (walk_next(c->trace, &step));
    walk_case_check(c, told, "%s is nowhere to be seen", name);
}

/** Walk the case's computation with these bugs, where they make a difference. */
static bool check_with(struct walk_case *c, const enum attn_bug *bugs, int n)
{
    struct attn_error err;
    if (!walk_case_bugs_apply(c, bugs, n)) {
        return false;
    }
    attn_trace *const right = c->trace;
    memcpy(c->config.bugs, bugs, (size_t)n * sizeof *bugs);
    c->config.n_bugs = n;
    ck_assert_msg(attn_trace_create(&c->trace, &c->config, c->inputs, &err) == ATTN_OK, "%s",
                  err.message);
    check_trace(c, attn_bugs[bugs[n - 1]].name);
    attn_trace_destroy(c->trace);
    c->trace = right;
    return true;
}

START_TEST(the_terms_of_a_bugged_row_replayed_give_its_cells_to_the_bit)
{
    int tried = 0;
    for (int number = 0; number < N_CASES; number++) {
        struct walk_case c;
        const enum attn_bug bug = (enum attn_bug)_i;
        walk_case_init_for_bug(&c, number, bug);
        tried += check_with(&c, &bug, 1) ? 1 : 0;
        walk_case_finish(&c);
    }
    ck_assert_msg(tried > 2, "%s applied %d times", attn_bugs[_i].name, tried);
}
END_TEST

START_TEST(two_bugs_are_explained_together)
{
    int tried = 0;
    for (size_t i = 0; i < sizeof pair_cases / sizeof pair_cases[0]; i++) {
        struct walk_case c;
        walk_case_init_for_bug(&c, pair_cases[i], (enum attn_bug)_i);
        for (int other = 0; other < ATTN_N_BUGS; other++) {
            const enum attn_bug bugs[2] = {(enum attn_bug)other, (enum attn_bug)_i};
            if (attn_bugs_together(bugs[0], bugs[1])) {
                tried += check_with(&c, bugs, 2) ? 1 : 0;
            }
        }
        walk_case_finish(&c);
    }
    ck_assert_msg(tried > 0, "%s with no other", attn_bugs[_i].name);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("walking with a bug");
    TCase *const t = tcase_create("bugs");
    tcase_add_loop_test(t, the_terms_of_a_bugged_row_replayed_give_its_cells_to_the_bit, 0,
                        ATTN_N_BUGS);
    tcase_add_loop_test(t, two_bugs_are_explained_together, 0, ATTN_N_BUGS);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return s;
}
