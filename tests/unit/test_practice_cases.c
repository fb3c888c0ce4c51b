/* The cases that a learner's program is tried on: no bug survives them, and each is told apart. */
#include <math.h>
#include <string.h>

#include "cases.h"
#include "diagnose.h"
#include "runner.h"

enum { CASES_MAX = 16 };

static struct attn_error err;

struct cases {
    struct practice_case all[CASES_MAX];
    int n;
};

static void make(struct cases *cases, enum attn_variant variant)
{
    struct config base;
    config_init(&base, variant);
    cases->n = practice_cases_count(variant);
    ck_assert_int_le(cases->n, CASES_MAX);
    for (int i = 0; i < cases->n; i++) {
        ck_assert_msg(practice_case_make(&cases->all[i], &base, i, &err) == ATTN_OK, "%s",
                      err.message);
    }
    config_finish(&base);
}

static void drop(struct cases *cases)
{
    for (int i = 0; i < cases->n; i++) {
        practice_case_finish(&cases->all[i]);
    }
}

/** What a program with this bug gives for a case; one without, where the bug does not apply. */
static attn_trace *wrong_trace(const struct practice_case *c, enum attn_bug bug, bool *applies)
{
    attn_trace *trace = NULL;
    attn_config config = c->setup.config;
    *applies = attn_bugs_apply(c->right, c->setup.inputs, &bug, 1, NULL) == ATTN_OK;
    config.bugs[0] = bug;
    config.n_bugs = *applies ? 1 : 0;
    ck_assert_int_eq(attn_trace_create(&trace, &config, c->setup.inputs, &err), ATTN_OK);
    return trace;
}

static const attn_tensor *result(const attn_trace *trace)
{
    return attn_trace_tensor(trace, attn_trace_result(trace));
}

/** The largest difference in what ten tolerances are 1. */
static double apart(const attn_tensor *a, const attn_tensor *b)
{
    double largest = 0;
    for (size_t i = 0; i < attn_tensor_count(a); i++) {
        const double x = (double)a->data[i];
        const double y = (double)b->data[i];
        const double allowed =
            10 * (diagnose_tolerance.absolute + diagnose_tolerance.relative * fabs(y));
        const double ratio = isnan(x) != isnan(y) ? (double)INFINITY : fabs(x - y) / allowed;
        largest = ratio > largest ? ratio : largest;
    }
    return largest;
}

START_TEST(no_bug_survives_the_cases)
{
    struct cases cases;
    const enum attn_variant variant = (enum attn_variant)_i;
    int killed = 0;
    make(&cases, variant);
    for (int bug = 0; bug < ATTN_N_BUGS; bug++) {
        bool applies_somewhere = false;
        bool dies = false;
        for (int i = 0; i < cases.n; i++) {
            bool applies = false;
            attn_trace *const trace = wrong_trace(&cases.all[i], (enum attn_bug)bug, &applies);
            applies_somewhere |= applies;
            dies |= applies && apart(result(trace), result(cases.all[i].right)) > 1;
            attn_trace_destroy(trace);
        }
        ck_assert_msg(dies || !applies_somewhere, "%s: %s survives", attn_variants[_i].name,
                      attn_bugs[bug].name);
        killed += dies ? 1 : 0;
    }
    static const int expected[ATTN_N_VARIANTS] = {15, 15, 8, 10, 21};
    ck_assert_msg(killed == expected[_i], "%s: %d", attn_variants[_i].name, killed);
    drop(&cases);
}
END_TEST

START_TEST(over_all_cases_each_bug_has_its_name_and_no_other)
{
    struct cases cases;
    make(&cases, (enum attn_variant)_i);
    for (int bug = 0; bug < ATTN_N_BUGS; bug++) {
        struct diagnose_case c[CASES_MAX];
        attn_trace *wrong[CASES_MAX];
        struct diagnosis d;
        char names[256];
        bool any = false;
        for (int i = 0; i < cases.n; i++) {
            bool applies = false;
            wrong[i] = wrong_trace(&cases.all[i], (enum attn_bug)bug, &applies);
            any |= applies;
            c[i] = (struct diagnose_case){.config = &cases.all[i].setup.config,
                                          .inputs = cases.all[i].setup.inputs,
                                          .right = cases.all[i].right};
            c[i].got[attn_trace_result(wrong[i])] = *result(wrong[i]);
        }
        ck_assert_int_eq(diagnose(&d, c, cases.n, &diagnose_tolerance, &err), ATTN_OK);
        ck_assert_int_eq(d.right, !any);
        if (any) {
            ck_assert_str_eq(diagnose_names(&d, names, sizeof names), attn_bugs[bug].name);
        }
        for (int i = 0; i < cases.n; i++) {
            attn_trace_destroy(wrong[i]);
        }
    }
    drop(&cases);
}
END_TEST

START_TEST(the_shapes_of_the_cases_tell_the_axes_apart)
{
    struct cases cases;
    bool batch = false;
    make(&cases, (enum attn_variant)_i);
    for (int i = 0; i < cases.n; i++) {
        const attn_sizes *const n = &cases.all[i].setup.config.sizes;
        ck_assert_msg(n->T >= 3 && n->d >= 2 && n->T != n->d && n->S != n->d, "%s",
                      cases.all[i].name);
        batch |= n->B > 1;
        ck_assert_int_eq(cases.all[i].setup.n_notes, 0);
    }
    ck_assert(batch);
    drop(&cases);
}
END_TEST

START_TEST(a_row_without_a_key_is_in_none_of_the_cases)
{
    struct cases cases;
    make(&cases, (enum attn_variant)_i);
    for (int i = 0; i < cases.n; i++) {
        int n = 0;
        (void)attn_trace_flags(cases.all[i].right, &n);
        ck_assert_msg(n == 0, "%s has a flag", cases.all[i].name);
    }
    drop(&cases);
}
END_TEST

START_TEST(a_case_follows_the_policies_that_were_asked_for)
{
    struct config base;
    struct practice_case c;
    config_init(&base, ATTN_V3);
    base.scale_given = true;
    base.scale = 0.25F;
    base.mask_fill = -1e9F;
    base.training = base.training_given = true;
    base.dropout_p = 0.4;
    ck_assert_int_eq(practice_case_make(&c, &base, 2, &err), ATTN_OK);
    ck_assert(c.setup.config.training && c.setup.config.scale == 0.25F);
    ck_assert(c.setup.config.mask_fill == -1e9F && c.setup.config.dropout_p == 0.4);
    practice_case_finish(&c);
    base.length = 9;
    base.n_bugs = 1;
    ck_assert_int_eq(practice_case_from(&c, &base, false, &err), ATTN_OK);
    ck_assert_int_eq(c.setup.config.sizes.T, 9);
    ck_assert_int_eq(c.setup.config.n_bugs, 0);
    practice_case_finish(&c);
    config_finish(&base);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("cases");
    TCase *const t = tcase_create("variants");
    tcase_add_loop_test(t, no_bug_survives_the_cases, 0, ATTN_N_VARIANTS);
    tcase_add_loop_test(t, over_all_cases_each_bug_has_its_name_and_no_other, 0, ATTN_N_VARIANTS);
    tcase_add_loop_test(t, the_shapes_of_the_cases_tell_the_axes_apart, 0, ATTN_N_VARIANTS);
    tcase_add_loop_test(t, a_row_without_a_key_is_in_none_of_the_cases, 0, ATTN_N_VARIANTS);
    tcase_add_test(t, a_case_follows_the_policies_that_were_asked_for);
    suite_add_tcase(s, t);
    return s;
}
