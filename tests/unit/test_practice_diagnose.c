/* Every classic bug is recognised by what it computes, and nobody else is accused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bug_reference.h"
#include "config.h"
#include "core_rig.h"
#include "diagnose.h"
#include "runner.h"

enum { INSTANCES = 100, RIGHT_RESULTS = 500 };

static struct attn_error err;

/* ---- random instances, as a command line would make them ---- */

struct instance {
    struct setup setup;
    attn_trace *right;
};

static void choose(struct config *config, enum attn_variant variant, int seed)
{
    static const char *const masks[] = {"causal", "padding:2", "causal+padding:3", "none"};
    config_init(config, variant);
    config->seed = (uint64_t)seed;
    config->batch = 1 + seed % 2;
    config->length = 3 + seed % 4;
    config->dim = 2 + seed / 4 % 5;
    config->draw_always = true;
    if (!attn_variants[variant].square) {
        config->dim_in = 1 + seed % 6;
    }
    if (attn_variants[variant].has_memory) {
        config->memory_length = 3 + seed / 3 % 4;
    }
    if (attn_variant_has(variant, ATTN_STAGE_MASK)) {
        ck_assert_int_eq(config_options[CONFIG_MASK].parse(config, masks[seed % 4], &err), ATTN_OK);
    }
    if (attn_variant_has(variant, ATTN_STAGE_DROP)) {
        config->training = seed % 3 == 0;
        config->dropout_p = 0.3;
    }
}

static void make(struct instance *instance, enum attn_variant variant, int seed)
{
    struct config config;
    choose(&config, variant, seed);
    instance->setup = (struct setup){.loaded = false};
    ck_assert_msg(config_build(&instance->setup, &config, &err) == ATTN_OK, "%s", err.message);
    config_finish(&config);
    attn_tensor *const x = &instance->setup.inputs[ATTN_X];
    const float factor = seed % 5 == 0 ? 60.0F : 1.0F + (float)(seed % 3);
    for (size_t i = 0; i < attn_tensor_count(x); i++) {
        x->data[i] *= factor;
    }
    ck_assert_int_eq(
        attn_trace_create(&instance->right, &instance->setup.config, instance->setup.inputs, &err),
        ATTN_OK);
}

static void drop(struct instance *instance)
{
    attn_trace_destroy(instance->right);
    setup_finish(&instance->setup);
}

/* What somebody with these bugs gets, or NULL where they change nothing here. */
static attn_trace *wrong_trace(const struct instance *instance, const enum attn_bug *bugs, int n,
                               enum attn_empty_row policy)
{
    attn_config config = instance->setup.config;
    attn_trace *trace = NULL;
    if (attn_bugs_apply(instance->right, instance->setup.inputs, bugs, n, NULL) != ATTN_OK) {
        return NULL;
    }
    memcpy(config.bugs, bugs, (size_t)n * sizeof *bugs);
    config.n_bugs = n;
    config.empty_row = policy;
    ck_assert_int_eq(attn_trace_create(&trace, &config, instance->setup.inputs, &err), ATTN_OK);
    return trace;
}

static struct diagnose_case case_of(const struct instance *instance)
{
    return (struct diagnose_case){.config = &instance->setup.config,
                                  .inputs = instance->setup.inputs,
                                  .right = instance->right};
}

static bool close(const attn_tensor *a, const attn_tensor *b)
{
    for (size_t i = 0; i < attn_tensor_count(a); i++) {
        if (!diagnose_equal(a->data[i], b->data[i], &diagnose_tolerance)) {
            return false;
        }
    }
    return true;
}

static const attn_tensor *result(const attn_trace *trace)
{
    return attn_trace_tensor(trace, attn_trace_result(trace));
}

static bool names(const struct diagnosis *d, const enum attn_bug *bugs, int n)
{
    for (int i = 0; i < d->n_causes; i++) {
        if (d->causes[i].n == n && memcmp(d->causes[i].bugs, bugs, (size_t)n * sizeof *bugs) == 0) {
            return true;
        }
    }
    return false;
}

/* Each cause gives what was got, whatever the policy, and not what is right. */
static void check_causes(const struct instance *instance, const struct diagnosis *d,
                         const attn_tensor *got, const char *what)
{
    for (int i = 0; i < d->n_causes; i++) {
        bool explains = false;
        for (int policy = ATTN_EMPTY_ZEROS; policy <= ATTN_EMPTY_NAN; policy++) {
            attn_trace *const trace = wrong_trace(instance, d->causes[i].bugs, d->causes[i].n,
                                                  (enum attn_empty_row)policy);
            ck_assert_msg(trace != NULL, "%s: names what does not apply", what);
            explains |= close(got, result(trace)) && !close(result(trace), result(instance->right));
            attn_trace_destroy(trace);
        }
        ck_assert_msg(explains, "%s: names %s", what, attn_bugs[d->causes[i].bugs[0]].name);
    }
}

/* Diagnose what these bugs give. @return does it differ from what is right? */
static bool check_named(const struct instance *instance, const enum attn_bug *bugs, int n,
                        enum attn_empty_row policy, int seed)
{
    struct diagnose_case c = case_of(instance);
    struct diagnosis d;
    char text[512];
    attn_trace *const trace = wrong_trace(instance, bugs, n, policy);
    if (trace == NULL) {
        return false;
    }
    const bool differs = !close(result(trace), result(instance->right));
    c.got[attn_trace_result(trace)] = *result(trace);
    ck_assert_int_eq(diagnose(&d, &c, 1, &diagnose_tolerance, &err), ATTN_OK);
    if (!differs) {
        ck_assert_msg(d.right && d.n_causes == 0, "seed %d: accused by %s", seed,
                      attn_bugs[bugs[0]].name);
    } else if (!d.right) { /* an emptied row of the right result may follow either policy */
        diagnose_names(&d, text, sizeof text);
        ck_assert_msg(d.first == 0 && d.n_causes > 0, "%s, seed %d: %s", attn_bugs[bugs[0]].name,
                      seed, text);
        ck_assert_msg(names(&d, bugs, n) || d.causes[0].n < n, "%s, seed %d: %s",
                      attn_bugs[bugs[0]].name, seed, text);
        check_causes(instance, &d, result(trace), attn_bugs[bugs[0]].name);
    }
    attn_trace_destroy(trace);
    return differs && !d.right;
}

START_TEST(every_applicable_bug_is_named_from_the_last_tensor_alone)
{
    int named[ATTN_N_BUGS] = {0};
    for (int seed = 0; seed < INSTANCES; seed++) {
        struct instance instance;
        make(&instance, (enum attn_variant)_i, seed);
        for (int bug = 0; bug < ATTN_N_BUGS; bug++) {
            const enum attn_bug one = (enum attn_bug)bug;
            const enum attn_empty_row policy = seed % 2 == 0 ? ATTN_EMPTY_ZEROS : ATTN_EMPTY_NAN;
            named[bug] += check_named(&instance, &one, 1, policy, seed) ? 1 : 0;
        }
        drop(&instance);
    }
    for (int bug = 0; bug < ATTN_N_BUGS; bug++) {
        const bool can = attn_bug_stage((enum attn_variant)_i, (enum attn_bug)bug) != ATTN_NO_STAGE;
        const bool bias = bug != ATTN_BUG_NO_BIAS || attn_variants[_i].bias;
        const bool widths = bug != ATTN_BUG_SCALE_DIM_IN || !attn_variants[_i].square;
        const bool weights = bug != ATTN_BUG_DROPOUT_SCORES ||
                             attn_variant_has((enum attn_variant)_i, ATTN_STAGE_DROP);
        const bool masks = bug != ATTN_BUG_MASK_AFTER_SOFTMAX ||
                           attn_variant_has((enum attn_variant)_i, ATTN_STAGE_MASK);
        if (can && bias && widths && weights && masks) {
            ck_assert_msg(named[bug] > 0, "%s: %s was never tried", attn_variants[_i].name,
                          attn_bugs[bug].name);
        }
    }
}
END_TEST

START_TEST(two_bugs_at_once_are_named_where_one_does_not_explain_it)
{
    int tried = 0;
    for (int seed = _i; seed < 30; seed += 10) {
        struct instance instance;
        make(&instance, seed % 2 == 0 ? ATTN_V3 : ATTN_SINGLE, seed);
        for (int a = 0; a < ATTN_N_BUGS; a++) {
            for (int b = a + 1; b < ATTN_N_BUGS; b += 3) {
                const enum attn_bug bugs[2] = {(enum attn_bug)a, (enum attn_bug)b};
                if (attn_bugs_together(bugs[0], bugs[1])) {
                    tried += check_named(&instance, bugs, 2, ATTN_EMPTY_ZEROS, seed) ? 1 : 0;
                }
            }
        }
        drop(&instance);
    }
    ck_assert_int_ge(tried, 10);
}
END_TEST

/* ---- right results ---- */

/* The right result, in double and by other code, rounded to float32. */
static void check_right(int number)
{
    static float room[2 * BUG_REFERENCE_MAX * BUG_REFERENCE_MAX];
    static bug_matrix matrix;
    struct diagnosis d;
    char text[512];
    bug_reference_problem((enum attn_variant)(number % ATTN_N_VARIANTS), number);
    attn_trace *const right = rig_trace();
    const attn_sizes *const n = &rig.config.sizes;
    struct diagnose_case c = {.config = &rig.config, .inputs = rig.inputs, .right = right};
    attn_tensor *const got = &c.got[attn_trace_result(right)];
    *got = attn_tensor_view(room, 3, (int[]){n->B, n->T, n->d});
    for (int b = 0; b < n->B; b++) {
        bug_reference(matrix, b);
        for (int t = 0; t < n->T; t++) {
            for (int i = 0; i < n->d; i++) {
                *attn_tensor_at(got, b, t, i) = (float)matrix[t][i];
            }
        }
    }
    ck_assert_int_eq(diagnose(&d, &c, 1, &diagnose_tolerance, &err), ATTN_OK);
    ck_assert_msg(d.right && d.n_causes == 0, "number %d: %s", number,
                  diagnose_names(&d, text, sizeof text));
    attn_trace_destroy(right);
}

START_TEST(a_right_result_is_never_accused)
{
    for (int number = _i; number < RIGHT_RESULTS; number += 10) {
        check_right(number);
    }
}
END_TEST

START_TEST(an_emptied_row_may_be_nan_or_come_from_a_finite_fill)
{
    rig_start_empty_rows();
    rig.inputs[ATTN_MASK].data[0] = 0; /* in a row that keeps others: 1e-20 would show there */
    attn_trace *const right = rig_trace();
    attn_config configs[] = {rig.config, rig.config};
    configs[0].empty_row = ATTN_EMPTY_NAN;
    configs[1].mask_fill = -1e9F;
    for (int i = 0; i < 2; i++) {
        struct diagnosis d;
        struct diagnose_case c = {.config = &rig.config, .inputs = rig.inputs, .right = right};
        attn_trace *other = NULL;
        ck_assert_int_eq(attn_trace_create(&other, &configs[i], rig.inputs, &err), ATTN_OK);
        c.got[ATTN_OUTPUT] = *attn_trace_tensor(other, ATTN_OUTPUT);
        ck_assert_int_eq(diagnose(&d, &c, 1, &diagnose_tolerance, &err), ATTN_OK);
        ck_assert_msg(d.right && d.other_empty_row && d.first >= 0, "%d", i);
        attn_trace_destroy(other);
    }
    attn_trace_destroy(right);
}
END_TEST

/* ---- what is told ---- */

START_TEST(what_nothing_explains_is_unknown_and_has_its_first_cell)
{
    struct instance instance;
    struct diagnosis d;
    char text[64];
    make(&instance, ATTN_V3, 4);
    struct diagnose_case c = case_of(&instance);
    float scores[2 * 36];
    const attn_tensor *const right = attn_trace_tensor(instance.right, ATTN_SCORES);
    memcpy(scores, right->data, attn_tensor_count(right) * sizeof *scores);
    c.got[ATTN_SCORES] = *right;
    c.got[ATTN_SCORES].data = scores;
    c.got[ATTN_Q] = *attn_trace_tensor(instance.right, ATTN_Q);
    *attn_tensor_at(&c.got[ATTN_SCORES], 0, 1, 2) += 0.5F;
    *attn_tensor_at(&c.got[ATTN_SCORES], 0, 2, 0) = NAN;
    ck_assert_int_eq(diagnose(&d, &c, 1, &diagnose_tolerance, &err), ATTN_OK);
    ck_assert(!d.right && d.n_causes == 0 && d.n_stages == 2 && d.first == 1);
    ck_assert_str_eq(diagnose_names(&d, text, sizeof text), "unknown");
    const struct diagnose_stage *const stage = &d.stages[1];
    ck_assert_int_eq(stage->tensor, ATTN_SCORES);
    ck_assert_uint_eq(stage->off, 2);
    ck_assert_uint_eq(stage->nan, 1);
    ck_assert(isinf(stage->largest) && stage->largest_at[1] == 2);
    ck_assert(stage->first_at[1] == 1 && stage->first_at[2] == 2);
    drop(&instance);
}
END_TEST

START_TEST(rounded_by_hand_it_is_right_with_a_tolerance_to_match)
{
    struct instance instance;
    struct diagnosis d;
    float rounded[72];
    make(&instance, ATTN_V1, 1);
    struct diagnose_case c = case_of(&instance);
    const attn_tensor *const right = result(instance.right);
    for (size_t i = 0; i < attn_tensor_count(right); i++) {
        rounded[i] = roundf(right->data[i] * 100) / 100;
    }
    c.got[ATTN_CONTEXT] = *right;
    c.got[ATTN_CONTEXT].data = rounded;
    ck_assert_int_eq(diagnose(&d, &c, 1, &diagnose_tolerance, &err), ATTN_OK);
    ck_assert(!d.right && d.n_causes == 0);
    const struct diagnose_tolerance by_hand = {.relative = 0, .absolute = 0.01};
    ck_assert_int_eq(diagnose(&d, &c, 1, &by_hand, &err), ATTN_OK);
    ck_assert(d.right);
    drop(&instance);
}
END_TEST

START_TEST(a_mistake_has_to_explain_every_case)
{
    struct instance instances[2];
    struct diagnose_case c[2];
    struct diagnosis d;
    char text[256];
    attn_trace *wrong[2];
    const enum attn_bug bug = ATTN_BUG_SCALE_DIM_IN;
    for (int i = 0; i < 2; i++) {
        struct config config;
        config_init(&config, ATTN_SINGLE);
        config.dim = 2;
        config.dim_in = i == 0 ? 4 : 3; /* 4 is d squared: there it is scale-dk as well */
        config.length = 4;
        instances[i].setup = (struct setup){.loaded = false};
        ck_assert_int_eq(config_trace(&instances[i].setup, &instances[i].right, &config, &err),
                         ATTN_OK);
        config_finish(&config);
        wrong[i] = wrong_trace(&instances[i], &bug, 1, ATTN_EMPTY_ZEROS);
        c[i] = case_of(&instances[i]);
        c[i].got[ATTN_CONTEXT] = *result(wrong[i]);
    }
    ck_assert_int_eq(diagnose(&d, c, 1, &diagnose_tolerance, &err), ATTN_OK);
    ck_assert_str_eq(diagnose_names(&d, text, sizeof text), "scale-dk, scale-dim-in");
    ck_assert_int_eq(diagnose(&d, c, 2, &diagnose_tolerance, &err), ATTN_OK);
    ck_assert_str_eq(diagnose_names(&d, text, sizeof text), "scale-dim-in");
    for (int i = 0; i < 2; i++) {
        attn_trace_destroy(wrong[i]);
        drop(&instances[i]);
    }
}
END_TEST

/* The result of a mistake that was made in part; the diagnosis' first cause. */
static struct diagnose_cause half_made(enum attn_variant variant, enum attn_bug bug,
                                       unsigned layers)
{
    struct instance instance;
    struct diagnosis d;
    char text[256];
    attn_trace *trace = NULL;
    make(&instance, variant, 4);
    attn_config config = instance.setup.config;
    config.bugs[0] = bug;
    config.n_bugs = 1;
    config.wrong_layers = layers;
    config.row_maximum = layers == 0;
    ck_assert_int_eq(attn_trace_create(&trace, &config, instance.setup.inputs, &err), ATTN_OK);
    struct diagnose_case c = case_of(&instance);
    c.got[attn_trace_result(trace)] = *result(trace);
    ck_assert_int_eq(diagnose(&d, &c, 1, &diagnose_tolerance, &err), ATTN_OK);
    ck_assert_msg(!d.right && d.n_causes == 1, "%s: %s", attn_bugs[bug].name,
                  diagnose_names(&d, text, sizeof text));
    attn_trace_destroy(trace);
    drop(&instance);
    return d.causes[0];
}

START_TEST(a_mistake_in_one_layer_or_on_one_axis_has_its_name_too)
{
    static const struct {
        enum attn_variant variant;
        enum attn_bug bug;
        enum attn_layer layer;
    } rows[] = {{ATTN_V3, ATTN_BUG_WEIGHT_TRANSPOSED, ATTN_LAYER_QKV},
                {ATTN_V3, ATTN_BUG_WEIGHT_TRANSPOSED, ATTN_LAYER_OUT},
                {ATTN_V3, ATTN_BUG_NO_BIAS, ATTN_LAYER_OUT},
                {ATTN_V1, ATTN_BUG_WEIGHT_TRANSPOSED, ATTN_LAYER_K},
                {ATTN_V1, ATTN_BUG_NO_BIAS, ATTN_LAYER_V},
                {ATTN_V2, ATTN_BUG_SOFTMAX_QUERIES, ATTN_N_LAYERS}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const enum attn_layer layer = rows[i].layer;
        const struct diagnose_cause cause = half_made(
            rows[i].variant, rows[i].bug, layer < ATTN_N_LAYERS ? 1U << (unsigned)layer : 0);
        ck_assert_msg(cause.n == 1 && cause.bugs[0] == rows[i].bug, "%zu: %s", i,
                      attn_bugs[cause.bugs[0]].name);
        ck_assert_int_eq(cause.layer, layer);
    }
}
END_TEST

START_TEST(nothing_to_compare_is_no_verdict)
{
    struct instance instance;
    struct diagnosis d;
    make(&instance, ATTN_V1, 1);
    const struct diagnose_case c = case_of(&instance);
    ck_assert_int_eq(diagnose(&d, &c, 1, &diagnose_tolerance, &err), ATTN_E_VALUE);
    drop(&instance);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("diagnosis");
    TCase *const t = tcase_create("bugs");
    tcase_add_loop_test(t, every_applicable_bug_is_named_from_the_last_tensor_alone, 0,
                        ATTN_N_VARIANTS);
    tcase_add_loop_test(t, two_bugs_at_once_are_named_where_one_does_not_explain_it, 0, 10);
    tcase_add_loop_test(t, a_right_result_is_never_accused, 0, 10);
    tcase_add_test(t, an_emptied_row_may_be_nan_or_come_from_a_finite_fill);
    tcase_add_test(t, what_nothing_explains_is_unknown_and_has_its_first_cell);
    tcase_add_test(t, rounded_by_hand_it_is_right_with_a_tolerance_to_match);
    tcase_add_test(t, a_mistake_has_to_explain_every_case);
    tcase_add_test(t, a_mistake_in_one_layer_or_on_one_axis_has_its_name_too);
    tcase_add_test(t, nothing_to_compare_is_no_verdict);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return s;
}
