/* Each classic bug computes what its definition says, and is asked for only where it shows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attn/attn.h"
#include "bug_reference.h"
#include "core_rig.h"
#include "runner.h"

enum { MAX = BUG_REFERENCE_MAX, N_SEEDS = 40 };

static bool filled(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* ---- the table ---- */

START_TEST(every_bug_row_is_complete_and_its_name_its_own)
{
    const struct attn_bug_info *const row = &attn_bugs[_i];
    ck_assert_msg(filled(row->name), "bug %d has no name", _i);
    ck_assert_msg(filled(row->title) && filled(row->computes) && filled(row->notice) &&
                      filled(row->fix) && filled(row->where) && row->seen != NULL,
                  "%s", row->name);
    ck_assert_int_eq(attn_bug_find(row->name), _i);
    ck_assert_msg(strpbrk(row->name, "+, ") == NULL, "%s", row->name);
    ck_assert_int_ne(row->stages[0], ATTN_NO_STAGE);
}
END_TEST

START_TEST(every_bug_has_lines_of_its_own_in_every_language)
{
    const struct attn_bug_info *const row = &attn_bugs[_i];
    for (int lang = 0; lang < ATTN_N_LANGS; lang++) {
        char text[2048];
        char right[2048];
        const int lines = attn_bug_line((enum attn_bug)_i, (enum attn_lang)lang, text, sizeof text);
        ck_assert_msg(lines > 0 && filled(text), "%s %s", row->name, attn_lang_names[lang]);
        ck_assert_msg(strpbrk(text, "{}") == NULL, "%s: %s", row->name, text);
        for (int other = 0; other < _i; other++) {
            (void)attn_bug_line((enum attn_bug)other, (enum attn_lang)lang, right, sizeof right);
            ck_assert_msg(strcmp(text, right) != 0, "%s and %s: %s", row->name,
                          attn_bugs[other].name, text);
        }
    }
}
END_TEST

START_TEST(an_unknown_name_is_no_bug)
{
    ck_assert_int_eq(attn_bug_find("no-such-bug"), -1);
    ck_assert_int_eq(attn_bug_find(""), -1);
    ck_assert_int_eq(attn_bug_stage(ATTN_V1, ATTN_BUG_NO_OUTPUT), ATTN_NO_STAGE);
    ck_assert_int_eq(attn_bug_stage(ATTN_V1, ATTN_BUG_NO_BIAS), ATTN_STAGE_PROJECT);
    ck_assert_int_eq(attn_bug_stage(ATTN_V2, ATTN_BUG_NO_BIAS), ATTN_STAGE_PROJECT_MERGED);
}
END_TEST

/* ---- random computations ---- */

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 2e-5 + 1e-4 * fabs(b);
}

static void check_against_definition(const char *what)
{
    attn_trace *const trace = rig_trace();
    static bug_matrix result;
    for (int b = 0; b < rig.config.sizes.B; b++) {
        bug_reference(result, b);
        for (int t = 0; t < rig.config.sizes.T; t++) {
            for (int i = 0; i < rig.config.sizes.d; i++) {
                const float ours = rig_cell(trace, attn_trace_result(trace), b, t, i);
                ck_assert_msg(same((double)ours, result[t][i]), "%s %s [%d,%d,%d]: %g, not %g",
                              attn_variants[rig.config.variant].name, what, b, t, i, (double)ours,
                              result[t][i]);
            }
        }
    }
    attn_trace_destroy(trace);
}

/* Do these bugs apply to the rig as it is? */
static bool apply(const enum attn_bug *bugs, int n)
{
    rig.config.n_bugs = 0;
    attn_trace *const right = rig_trace();
    const bool yes = attn_bugs_apply(right, rig.inputs, bugs, n, &rig.err) == ATTN_OK;
    attn_trace_destroy(right);
    return yes;
}

START_TEST(the_reference_of_this_test_agrees_where_there_is_no_bug)
{
    for (int seed = 0; seed < N_SEEDS; seed++) {
        bug_reference_problem((enum attn_variant)_i, seed);
        check_against_definition("without a bug");
    }
}
END_TEST

START_TEST(a_bug_computes_what_its_definition_says)
{
    int tried = 0;
    for (int variant = 0; variant < ATTN_N_VARIANTS; variant++) {
        for (int seed = 0; seed < N_SEEDS; seed++) {
            const enum attn_bug bug = (enum attn_bug)_i;
            bug_reference_problem((enum attn_variant)variant, seed);
            const size_t n_x = attn_tensor_count(&rig.inputs[ATTN_X]);
            for (size_t i = 0; bug == ATTN_BUG_SOFTMAX_UNSAFE && i < n_x; i++) {
                rig.inputs[ATTN_X].data[i] *= 20;
            }
            if (apply(&bug, 1)) {
                rig.config.bugs[0] = bug;
                rig.config.n_bugs = 1;
                check_against_definition(attn_bugs[bug].name);
                tried++;
            }
        }
    }
    ck_assert_msg(tried >= 10, "%s applied %d times", attn_bugs[_i].name, tried);
}
END_TEST

START_TEST(two_bugs_compute_what_both_definitions_say)
{
    int tried = 0;
    for (int other = 0; other < ATTN_N_BUGS; other++) {
        const enum attn_bug bugs[2] = {(enum attn_bug)_i, (enum attn_bug)other};
        const bool unsafe = _i == ATTN_BUG_SOFTMAX_UNSAFE || other == ATTN_BUG_SOFTMAX_UNSAFE;
        if (other == _i || unsafe || !attn_bugs_together(bugs[0], bugs[1])) {
            continue;
        }
        for (int seed = 0; seed < 3 * ATTN_N_VARIANTS; seed++) {
            bug_reference_problem((enum attn_variant)(seed % ATTN_N_VARIANTS), seed);
            if (apply(bugs, 2)) {
                char name[128];
                (void)snprintf(name, sizeof name, "%s+%s", attn_bugs[bugs[0]].name,
                               attn_bugs[bugs[1]].name);
                memcpy(rig.config.bugs, bugs, sizeof bugs);
                rig.config.n_bugs = 2;
                check_against_definition(name);
                tried++;
            }
        }
    }
    ck_assert_msg(tried >= 3 || _i == ATTN_BUG_SOFTMAX_UNSAFE, "%s: %d pairs", attn_bugs[_i].name,
                  tried);
}
END_TEST

START_TEST(bugs_that_get_the_same_thing_wrong_exclude_each_other)
{
    bug_reference_problem(ATTN_V3, 1);
    rig.config.bugs[0] = ATTN_BUG_NO_SCALE;
    rig.config.bugs[1] = ATTN_BUG_SCALE_DK;
    rig.config.n_bugs = 2;
    attn_trace *trace = NULL;
    ck_assert_int_eq(attn_trace_create(&trace, &rig.config, rig.inputs, &rig.err),
                     ATTN_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(rig.err.message, "no-scale and scale-dk"));
    for (int a = 0; a < ATTN_N_BUGS; a++) {
        ck_assert(!attn_bugs_together((enum attn_bug)a, (enum attn_bug)a));
        for (int b = 0; b < a; b++) {
            ck_assert_int_eq(attn_bugs_together((enum attn_bug)a, (enum attn_bug)b),
                             attn_bugs_together((enum attn_bug)b, (enum attn_bug)a));
        }
    }
}
END_TEST

/* ---- the figures that are taught ---- */

/* One query with the scores 1, 2, 3, 4 of which the first two are kept. */
static void start_row(void)
{
    rig_start_given(ATTN_SINGLE, 1, 4, 1);
    rig.config.scale_given = true;
    const float q[3] = {1, 0, 0};
    memcpy(rig.inputs[ATTN_Q].data, q, sizeof q);
    for (int s = 0; s < 4; s++) {
        rig.inputs[ATTN_K].data[3 * s] = (float)(s + 1);
    }
    float *const keep = rig_give(ATTN_MASK);
    keep[0] = keep[1] = 1;
    keep[2] = keep[3] = 0;
}

static void check_row(enum attn_bug bug, const double expected[4])
{
    rig.config.bugs[0] = bug;
    rig.config.n_bugs = bug == ATTN_N_BUGS ? 0 : 1;
    attn_trace *const trace = rig_trace();
    for (int s = 0; s < 4; s++) {
        const double ours = (double)rig_cell(trace, ATTN_WEIGHTS, 0, 0, s);
        ck_assert_msg(fabs(ours - expected[s]) < 5.1e-5, "weights[%d] is %g", s, ours);
    }
    attn_trace_destroy(trace);
}

START_TEST(the_row_of_four_scores_gives_the_figures_that_are_taught)
{
    start_row();
    check_row(ATTN_N_BUGS, (double[]){0.2689, 0.7311, 0, 0});
    check_row(ATTN_BUG_MASK_TINY_FILL, (double[]){0.2245, 0.6103, 0.0826, 0.0826});
    check_row(ATTN_BUG_MASK_AFTER_SOFTMAX, (double[]){0.0321, 0.0871, 0, 0});
    attn_trace *const trace = rig_trace();
    const double sum = (double)rig_cell(trace, ATTN_WEIGHTS, 0, 0, 0) +
                       (double)rig_cell(trace, ATTN_WEIGHTS, 0, 0, 1);
    ck_assert_double_eq_tol(sum, 0.1192, 5e-5);
    attn_trace_destroy(trace);
}
END_TEST

/* ---- where they apply ---- */

static bool applies(enum attn_bug bug)
{
    return apply(&bug, 1);
}

START_TEST(a_width_of_one_makes_every_scale_bug_change_nothing)
{
    rig_start(ATTN_SINGLE, 1, 3, 3, 1, 1);
    ck_assert(!applies(ATTN_BUG_NO_SCALE) && !applies(ATTN_BUG_SCALE_DK));
    ck_assert(!applies(ATTN_BUG_SCALE_INVERSE) && !applies(ATTN_BUG_SCALE_DIM_IN));
    rig_start(ATTN_SINGLE, 1, 3, 3, 1, 2);
    ck_assert(applies(ATTN_BUG_NO_SCALE) && applies(ATTN_BUG_SCALE_DK));
    ck_assert(applies(ATTN_BUG_SCALE_INVERSE) && applies(ATTN_BUG_SCALE_DIM_IN));
    rig.config.scale_given = true;
    ck_assert(!applies(ATTN_BUG_NO_SCALE));
    ck_assert(strstr(rig.err.message, "the factor is not 1") != NULL);
    ck_assert_str_eq(rig.err.what, "no-scale");
}
END_TEST

START_TEST(a_mask_bug_applies_only_where_the_mask_lets_it_show)
{
    rig_start(ATTN_V3, 1, 3, 3, 2, 2);
    ck_assert(!applies(ATTN_BUG_MASK_INVERTED) && !applies(ATTN_BUG_NO_MASK));
    float *const keep = rig_give(ATTN_MASK);
    for (int i = 0; i < 9; i++) {
        keep[i] = 1;
    }
    ck_assert(applies(ATTN_BUG_MASK_INVERTED) && !applies(ATTN_BUG_NO_MASK));
    ck_assert(!applies(ATTN_BUG_MASK_TINY_FILL) && !applies(ATTN_BUG_CAUSAL_NO_DIAGONAL));
    keep[0] = keep[1] = keep[2] = 0; /* one row without a key, the others whole */
    ck_assert(applies(ATTN_BUG_MASK_TINY_FILL) && !applies(ATTN_BUG_NO_MASK));
    ck_assert(!applies(ATTN_BUG_MASK_ADDED) && !applies(ATTN_BUG_MASK_AFTER_SOFTMAX));
    keep[0] = 1; /* now the first row is mixed */
    ck_assert(applies(ATTN_BUG_NO_MASK) && applies(ATTN_BUG_MASK_ADDED));
    ck_assert(!applies(ATTN_BUG_MASK_QUERIES) && !applies(ATTN_BUG_CAUSAL_NO_DIAGONAL));
    keep[5] = 0; /* and the mask is a causal one by its numbers alone */
    ck_assert(applies(ATTN_BUG_CAUSAL_NO_DIAGONAL));
    rig.config.mask_fill = 1e-20F;
    ck_assert(!applies(ATTN_BUG_MASK_TINY_FILL));
}
END_TEST

START_TEST(dropout_bugs_apply_in_the_mode_that_they_are_of)
{
    rig_start(ATTN_V3, 1, 3, 3, 2, 2);
    ck_assert(!applies(ATTN_BUG_DROPOUT_EVAL)); /* no pattern to drop by */
    rig_give(ATTN_KEEP);
    ck_assert(applies(ATTN_BUG_DROPOUT_EVAL) && !applies(ATTN_BUG_DROPOUT_UNSCALED));
    const enum attn_bug both[2] = {ATTN_BUG_DROPOUT_EVAL, ATTN_BUG_DROPOUT_UNSCALED};
    ck_assert(apply(both, 2));
    rig.config.training = true;
    ck_assert(!applies(ATTN_BUG_DROPOUT_EVAL) && applies(ATTN_BUG_DROPOUT_UNSCALED));
    ck_assert(applies(ATTN_BUG_DROPOUT_SCORES));
    rig.config.dropout_p = 0;
    ck_assert(!applies(ATTN_BUG_DROPOUT_UNSCALED) && !applies(ATTN_BUG_DROPOUT_SCORES));
}
END_TEST

START_TEST(a_layer_bug_looks_at_the_weights)
{
    rig_start(ATTN_V1, 1, 2, 2, 2, 2);
    ck_assert(applies(ATTN_BUG_WEIGHT_TRANSPOSED) && applies(ATTN_BUG_NO_BIAS));
    static const enum attn_tensor_id weights[] = {ATTN_W_Q, ATTN_W_K, ATTN_W_V};
    for (size_t i = 0; i < 3; i++) {
        rig.inputs[weights[i]].data[1] = rig.inputs[weights[i]].data[2];
    }
    ck_assert(!applies(ATTN_BUG_WEIGHT_TRANSPOSED));
    memset(rig.inputs[ATTN_B_Q].data, 0, 2 * sizeof(float));
    memset(rig.inputs[ATTN_B_V].data, 0, 2 * sizeof(float));
    ck_assert(!applies(ATTN_BUG_NO_BIAS)); /* the key's is left, and cancels */
    rig_start(ATTN_SINGLE, 1, 2, 2, 2, 2);
    ck_assert(!applies(ATTN_BUG_NO_BIAS) && !applies(ATTN_BUG_QKV_ORDER));
    ck_assert(!applies(ATTN_BUG_NO_OUTPUT));
}
END_TEST

START_TEST(a_trace_tells_which_rows_were_changed_and_shows_their_code)
{
    char text[512];
    bug_reference_problem(ATTN_V3, 3);
    rig.config.n_bugs = 2;
    rig.config.bugs[0] = ATTN_BUG_MASK_INVERTED;
    rig.config.bugs[1] = ATTN_BUG_MASK_TINY_FILL;
    if (rig.inputs[ATTN_MASK].data == NULL) {
        rig_give(ATTN_MASK);
    }
    attn_trace *const trace = rig_trace();
    ck_assert(attn_trace_changed(trace, ATTN_STAGE_MASK));
    ck_assert(!attn_trace_changed(trace, ATTN_STAGE_SCALE));
    ck_assert(attn_trace_has_bug(trace, ATTN_BUG_MASK_TINY_FILL));
    ck_assert(!attn_trace_has_bug(trace, ATTN_BUG_NO_MASK));
    (void)attn_trace_snippet(trace, ATTN_STAGE_MASK, ATTN_LANG_PYTORCH, text, sizeof text);
    ck_assert_str_eq(text, "masked = scaled.masked_fill(mask == 1, 1e-20)");
    attn_trace_destroy(trace);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("the classic bugs");
    TCase *const t = tcase_create("rows");
    tcase_add_loop_test(t, every_bug_row_is_complete_and_its_name_its_own, 0, ATTN_N_BUGS);
    tcase_add_loop_test(t, every_bug_has_lines_of_its_own_in_every_language, 0, ATTN_N_BUGS);
    tcase_add_test(t, an_unknown_name_is_no_bug);
    tcase_add_loop_test(t, the_reference_of_this_test_agrees_where_there_is_no_bug, 0,
                        ATTN_N_VARIANTS);
    tcase_add_loop_test(t, a_bug_computes_what_its_definition_says, 0, ATTN_N_BUGS);
    tcase_add_loop_test(t, two_bugs_compute_what_both_definitions_say, 0, ATTN_N_BUGS);
    tcase_add_test(t, bugs_that_get_the_same_thing_wrong_exclude_each_other);
    tcase_add_test(t, the_row_of_four_scores_gives_the_figures_that_are_taught);
    tcase_add_test(t, a_width_of_one_makes_every_scale_bug_change_nothing);
    tcase_add_test(t, a_mask_bug_applies_only_where_the_mask_lets_it_show);
    tcase_add_test(t, dropout_bugs_apply_in_the_mode_that_they_are_of);
    tcase_add_test(t, a_layer_bug_looks_at_the_weights);
    tcase_add_test(t, a_trace_tells_which_rows_were_changed_and_shows_their_code);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return s;
}
