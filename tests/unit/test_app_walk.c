/* The application as a machine: keys in, places and numbers out. */
#include <stdlib.h>
#include <string.h>

#include "app_case.h"
#include "runner.h"

static const char *const causal[] = {"--tokens", "the cat sat down", "--mask", "causal", NULL};
static const char *const tokens[] = {"--tokens", "the cat sat down", NULL};

static const char *const *options_of(enum attn_variant variant)
{
    return attn_variant_has(variant, ATTN_STAGE_MASK) ? causal : tokens;
}

/* ---- steps ---- */

enum { STEPS_MAX = 200 };

START_TEST(back_undoes_next_to_the_last_glyph)
{
    const enum attn_variant variant = (enum attn_variant)(_i / WALK_N_GRAINS);
    struct app_case *const c = app_case_start(variant, options_of(variant));
    static const char *const finer[WALK_N_GRAINS] = {"", "Tab", "Tab Tab"};
    char *pictures[STEPS_MAX];
    int n = 0;
    app_case_play(c, finer[_i % WALK_N_GRAINS]);
    app_case_play(c, "g");
    const size_t count = walk_count(c->app.trace, c->app.now.step.grain);
    ck_assert_uint_le(count, STEPS_MAX);
    for (; n < (int)count; n++) {
        pictures[n] = app_case_picture(c);
        app_case_play(c, "n");
    }
    for (n--; n >= 0; n--) {
        char *const picture = app_case_picture(c);
        ck_assert_msg(strcmp(picture, pictures[n]) == 0, "%s, step %d\n%s\n%s",
                      attn_variants[variant].name, n, pictures[n], picture);
        free(picture);
        free(pictures[n]);
        app_case_play(c, "b");
    }
    app_case_finish(c);
}
END_TEST

/* ---- any keys ---- */

static uint32_t seed_state;

static int below(int n)
{
    seed_state ^= seed_state << 13;
    seed_state ^= seed_state >> 17;
    seed_state ^= seed_state << 5;
    return (int)(seed_state % (uint32_t)n);
}

/** A key of a row of the table, any code at all, or a character. */
static struct app_key random_key(void)
{
    static char pasted[] = "0.25\n\x1b[A";
    struct app_key key = {.row = below(24), .col = below(80), .text = pasted};
    const int kind = below(8);
    if (kind == 0) {
        key.code = (enum app_key_code)(1 + below(APP_KEY_N_CODES - 1));
        key.ch = key.code == APP_KEY_CHAR ? ' ' : 0;
    } else if (kind < 3) {
        static const char likely[] = "nnnbbe]][[123456789/\t;,aoOhjkl0$+-={}uUvV";
        key.code = APP_KEY_CHAR;
        key.ch = (unsigned char)likely[below((int)sizeof likely - 1)];
    } else if (kind < 4) {
        static const uint32_t others[] = {'.', '[', ']', 0xE9, 0x4E2D, 0x1F600, '~', 0xA0};
        key.code = APP_KEY_CHAR;
        key.ch = others[below(8)];
    } else {
        const char *list = app_actions[below(app_n_actions)].keys;
        char name[16];
        for (int skip = below(3); skip > 0 && strchr(list, ' ') != NULL; skip--) {
            list = strchr(list, ' ') + 1;
        }
        snprintf(name, sizeof name, "%.*s", (int)strcspn(list, " "), list);
        if (!app_key_find(name, &key)) {
            key.code = APP_KEY_CHAR;
            key.ch = (unsigned char)name[0];
        }
        key.row = below(24);
        key.col = below(80);
    }
    return key;
}

static void check_place(const struct app *app, int press)
{
    const struct app_place *const now = &app->now;
    ck_assert_msg(walk_has(app->trace, now->cursor), "press %d: cursor outside %s", press,
                  attn_tensors[now->cursor.tensor].name);
    ck_assert_msg(now->step.stage >= 0 && now->step.stage < attn_trace_n_stages(app->trace),
                  "press %d: stage %d", press, now->step.stage);
    ck_assert_msg(now->batch >= 0 && now->batch < attn_trace_config(app->trace)->sizes.B,
                  "press %d: batch %d", press, now->batch);
    struct walk_step step = now->step;
    const size_t index = walk_index(app->trace, &step);
    ck_assert_msg(index < walk_count(app->trace, step.grain), "press %d: no such step", press);
    ck_assert_msg(app->prompt.at <= app->prompt.n && app->prompt.n < APP_INPUT_MAX,
                  "press %d: the prompt", press);
}

static const struct {
    enum attn_variant variant;
    const char *options[9];
} walks[] = {
    {ATTN_V3, {"--mask", "causal", "--train", NULL}},
    {ATTN_V3, {"--batch", "2", "--length", "3", "--mask", "padding:2,3", NULL}},
    {ATTN_V2, {"--tokens", "the cat sat", NULL}},
    {ATTN_V1, {"--length", "7", "--dim", "5", NULL}},
    {ATTN_SINGLE, {"--dim-in", "3", "--mask", "causal", "--length", "1", NULL}},
    {ATTN_CROSS, {"--length", "2", "--memory-length", "5", "--mask", "causal", NULL}},
    {ATTN_V3, {"--length", "40", "--dim", "8", NULL}},
    {ATTN_V3, {"--tokens", "中文 café the the", "--mask", "causal", NULL}},
};

enum { N_WALKS = sizeof walks / sizeof walks[0], PRESSES = 2500 };

START_TEST(no_keys_lead_out_of_the_tensors)
{
    struct app_case *const c = app_case_start(walks[_i].variant, walks[_i].options);
    seed_state = 2463534242u + (uint32_t)_i;
    for (int press = 0; press < PRESSES; press++) {
        app_press(&c->app, random_key());
        check_place(&c->app, press);
        c->app.quit = false;
        if (below(4) == 0) {
            app_draw(&c->app, c->frame);
        }
    }
    app_case_finish(c);
}
END_TEST

/* ---- what if ---- */

/** The numbers of everything, to compare. */
static float *all_numbers(const attn_trace *trace, size_t *n)
{
    float *numbers = NULL;
    *n = 0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const attn_tensor *const t = attn_trace_tensor(trace, (enum attn_tensor_id)id);
        if (t == NULL) {
            continue;
        }
        numbers = realloc(numbers, (*n + attn_tensor_count(t)) * sizeof *numbers);
        ck_assert_ptr_nonnull(numbers);
        for (int b = 0; b < t->dims[0]; b++) {
            for (int r = 0; r < t->dims[1]; r++) {
                for (int k = 0; k < t->dims[2]; k++) {
                    numbers[(*n)++] = *attn_tensor_at(t, b, r, k);
                }
            }
        }
    }
    return numbers;
}

static const char *const what_ifs[] = {"s", "m", "M", "d t",
                                       "t", "r", "v", "/ x[1,1] Enter e 7 Enter"};

enum { N_WHAT_IFS = sizeof what_ifs / sizeof what_ifs[0] };

START_TEST(undo_gives_the_numbers_back_and_redo_the_frame)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "6");
    size_t n_before = 0;
    size_t n_after = 0;
    float *const before = all_numbers(c->app.trace, &n_before);
    app_case_play(c, what_ifs[_i]);
    const int made = c->app.history.at;
    ck_assert_msg(made > 0, "%s changes nothing", what_ifs[_i]);
    char *const done = app_case_picture(c);
    for (int i = 0; i < made; i++) {
        app_case_play(c, "u");
    }
    char *const undone = app_case_picture(c);
    float *const after = all_numbers(c->app.trace, &n_after);
    ck_assert_uint_eq(n_before, n_after);
    ck_assert_msg(memcmp(before, after, n_before * sizeof *before) == 0, "%s", what_ifs[_i]);
    for (int i = 0; i < made; i++) {
        app_case_play(c, "U");
    }
    char *const again = app_case_picture(c);
    ck_assert_msg(strcmp(done, again) == 0, "%s\n%s\n%s", what_ifs[_i], done, again);
    for (int i = 0; i < made; i++) {
        app_case_play(c, "u");
    }
    char *const once_more = app_case_picture(c);
    ck_assert_msg(strcmp(undone, once_more) == 0, "%s\n%s\n%s", what_ifs[_i], undone, once_more);
    free(before);
    free(after);
    free(done);
    free(undone);
    free(again);
    free(once_more);
    app_case_finish(c);
}
END_TEST

static bool same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

START_TEST(without_scaling_the_softmax_gets_the_scores)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    const float scaled = app_case_value(c, ATTN_SCALED, 0, 2, 1);
    const float score = app_case_value(c, ATTN_SCORES, 0, 2, 1);
    ck_assert(!same(scaled, score));
    app_case_play(c, "s");
    ck_assert(same(app_case_value(c, ATTN_SCALED, 0, 2, 1), score));
    app_case_play(c, "s");
    ck_assert(same(app_case_value(c, ATTN_SCALED, 0, 2, 1), scaled));
    app_case_finish(c);
}
END_TEST

START_TEST(m_hides_the_future_and_big_m_lets_some_of_it_through)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    ck_assert(app_case_value(c, ATTN_WEIGHTS, 0, 0, 1) > 0);
    app_case_play(c, "m");
    ck_assert(same(app_case_value(c, ATTN_WEIGHTS, 0, 0, 1), 0.0F));
    ck_assert(same(app_case_value(c, ATTN_WEIGHTS, 0, 0, 0), 1.0F));
    app_case_play(c, "M");
    ck_assert(same(app_case_value(c, ATTN_MASKED, 0, 0, 1), -1e9F));
    app_case_play(c, "M");
    ck_assert(same(app_case_value(c, ATTN_MASKED, 0, 0, 1), 1e-20F));
    ck_assert(app_case_value(c, ATTN_WEIGHTS, 0, 0, 1) > 0.1F);
    app_case_finish(c);
}
END_TEST

START_TEST(training_drops_weights_and_enlarges_the_others)
{
    struct app_case *const c =
        app_case_start(ATTN_V3, (const char *const[]){"--dropout", "0.5", NULL});
    ck_assert_ptr_null(attn_trace_tensor(c->app.trace, ATTN_DROPPED));
    app_case_play(c, "t");
    int kept = 0;
    for (int t = 0; t < 4; t++) {
        for (int s = 0; s < 4; s++) {
            const float dropped = app_case_value(c, ATTN_DROPPED, 0, t, s);
            const float weight = app_case_value(c, ATTN_WEIGHTS, 0, t, s);
            ck_assert(same(dropped, 0.0F) || same(dropped, weight * 2.0F));
            kept += same(dropped, 0.0F) ? 0 : 1;
        }
    }
    ck_assert(kept > 0 && kept < 16);
    app_case_play(c, "d");
    ck_assert_double_eq(attn_trace_config(c->app.trace)->dropout_p, 0.9);
    app_case_play(c, "t");
    ck_assert_ptr_null(attn_trace_tensor(c->app.trace, ATTN_DROPPED));
    app_case_finish(c);
}
END_TEST

START_TEST(r_is_a_start_with_the_next_seed)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    struct app_case *const next =
        app_case_start(ATTN_V3, (const char *const[]){"--seed", "43", NULL});
    size_t n[2];
    app_case_play(c, "r");
    float *const a = all_numbers(c->app.trace, &n[0]);
    float *const b = all_numbers(next->app.trace, &n[1]);
    ck_assert_uint_eq(n[0], n[1]);
    ck_assert(memcmp(a, b, n[0] * sizeof *a) == 0);
    free(a);
    free(b);
    app_case_finish(c);
    app_case_finish(next);
}
END_TEST

START_TEST(an_edit_reaches_everything_after_it)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    const float before = app_case_value(c, ATTN_OUTPUT, 0, 1, 0);
    app_case_play(c, "/ x[1,2] Enter e 2.5 Enter");
    ck_assert(same(app_case_value(c, ATTN_X, 0, 1, 2), 2.5F));
    ck_assert(!same(app_case_value(c, ATTN_OUTPUT, 0, 1, 0), before));
    app_case_play(c, "e x Enter");
    ck_assert(app_case_shows(c, "no number"));
    ck_assert(same(app_case_value(c, ATTN_X, 0, 1, 2), 2.5F));
    app_case_play(c, "u");
    ck_assert(same(app_case_value(c, ATTN_OUTPUT, 0, 1, 0), before));
    app_case_finish(c);
}
END_TEST

START_TEST(a_mask_is_edited_with_0_and_1_only)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "/ mask[0,1] Enter e 0.5 Enter");
    ck_assert(app_case_shows(c, "1 keeps and 0 hides"));
    ck_assert(same(app_case_value(c, ATTN_WEIGHTS, 0, 0, 1), 0.0F));
    app_case_finish(c);
}
END_TEST

START_TEST(a_variant_without_a_mask_says_so)
{
    struct app_case *const c = app_case_start(ATTN_V1, tokens);
    app_case_play(c, "m");
    ck_assert(app_case_shows(c, "v1 has no mask"));
    app_case_play(c, "d");
    ck_assert(app_case_shows(c, "v1 has no dropout"));
    ck_assert_int_eq(c->app.history.at, 0);
    app_case_finish(c);
}
END_TEST

/* ---- back to x ---- */

START_TEST(every_number_leads_back_to_x_and_escape_back_from_there)
{
    const enum attn_variant variant = (enum attn_variant)_i;
    struct app_case *const c = app_case_start(variant, options_of(variant));
    app_case_play(c, "Tab Tab G Enter");
    const struct app_place start = c->app.now;
    ck_assert(start.open);
    int depth = 0;
    while (c->app.now.cursor.tensor != ATTN_X && depth < 20) {
        app_case_play(c, "Enter");
        depth++;
        ck_assert_int_eq(c->app.n_trail, depth);
    }
    ck_assert_msg(c->app.now.cursor.tensor == ATTN_X, "%s stops at %s", attn_variants[variant].name,
                  attn_tensors[c->app.now.cursor.tensor].name);
    for (; depth > 0; depth--) {
        app_case_play(c, "Esc");
    }
    ck_assert_int_eq(c->app.n_trail, 0);
    ck_assert(memcmp(&c->app.now.cursor, &start.cursor, sizeof start.cursor) == 0);
    ck_assert(c->app.now.open);
    app_case_play(c, "Esc Esc Esc");
    ck_assert(!c->app.now.open && !c->app.quit);
    app_case_finish(c);
}
END_TEST

/* ---- play ---- */

static void let_time_pass(struct app_case *c)
{
    app_press(&c->app, (struct app_key){.code = APP_KEY_TIMEOUT});
    app_draw(&c->app, c->frame);
}

START_TEST(playing_goes_on_by_itself_until_the_end)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    ck_assert_int_eq(app_wait(&c->app), -1);
    let_time_pass(c);
    ck_assert_int_eq(c->app.now.step.stage, 0);
    app_case_play(c, "a");
    ck_assert(app_case_shows(c, "Playing"));
    int steps = 0;
    for (; app_wait(&c->app) > 0 && steps < 100; steps++) {
        let_time_pass(c);
    }
    ck_assert_int_eq(steps, attn_trace_n_stages(c->app.trace) - 1);
    ck_assert_int_eq(c->app.now.step.stage, steps);
    ck_assert(app_case_shows(c, "The end"));
    app_case_play(c, "a");
    ck_assert_int_eq(app_wait(&c->app), -1);
    ck_assert(app_case_shows(c, "last step"));
    app_case_finish(c);
}
END_TEST

START_TEST(any_other_key_pauses_and_the_speed_keys_do_not)
{
    struct app_case *const c = app_case_start(ATTN_V3, causal);
    app_case_play(c, "a");
    const int wait = app_wait(&c->app);
    app_case_play(c, ">");
    ck_assert_int_lt(app_wait(&c->app), wait);
    app_case_play(c, "< <");
    ck_assert_int_gt(app_wait(&c->app), wait);
    for (int i = 0; i < app_n_actions; i++) {
        const struct app_action *const a = &app_actions[i];
        if ((a->scope & APP_IN_WALK) == 0 || strchr("a<>", a->keys[0]) != NULL) {
            continue;
        }
        c->app.playing = true;
        char key[16];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(a->keys, " "), a->keys);
        app_case_play(c, key);
        ck_assert_msg(app_wait(&c->app) == -1, "%s does not pause", a->name);
        app_case_play(c, c->app.help ? "Esc" : "Esc g");
        c->app.quit = false;
    }
    app_case_finish(c);
}
END_TEST

START_TEST(big_b_goes_round_the_bugs_beside_the_right_numbers)
{
    const enum attn_variant variant = (enum attn_variant)_i;
    struct app_case *const c = app_case_start(variant, options_of(variant));
    int n = 0;
    app_case_play(c, "B");
    for (; attn_trace_config(c->app.trace)->n_bugs > 0; n++) {
        const struct attn_bug_info *const bug =
            &attn_bugs[attn_trace_config(c->app.trace)->bugs[0]];
        ck_assert_msg(c->app.other.trace != NULL, "%s", bug->name);
        ck_assert_msg(app_case_shows(c, bug->name) && /* dropped, where the right one has weights */
                          (app_case_shows(c, "right: ") || app_case_shows(c, "right weights: ")),
                      "%s", bug->name);
        ck_assert_msg(strstr(c->app.message, bug->fix) != NULL, "%s", c->app.message);
        ck_assert_msg((strstr(c->app.message, " happened in ") != NULL) == (bug->seen[0] != '\0'),
                      "%s", c->app.message);
        app_case_play(c, "B");
    }
    ck_assert_int_ge(n, 4);
    ck_assert_ptr_null(c->app.other.trace);
    app_case_finish(c);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("application");
    TCase *const t = tcase_create("walk");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, back_undoes_next_to_the_last_glyph, 0, ATTN_N_VARIANTS * WALK_N_GRAINS);
    tcase_add_loop_test(t, no_keys_lead_out_of_the_tensors, 0, N_WALKS);
    tcase_add_loop_test(t, undo_gives_the_numbers_back_and_redo_the_frame, 0, N_WHAT_IFS);
    tcase_add_test(t, without_scaling_the_softmax_gets_the_scores);
    tcase_add_test(t, m_hides_the_future_and_big_m_lets_some_of_it_through);
    tcase_add_test(t, training_drops_weights_and_enlarges_the_others);
    tcase_add_test(t, r_is_a_start_with_the_next_seed);
    tcase_add_test(t, an_edit_reaches_everything_after_it);
    tcase_add_test(t, a_mask_is_edited_with_0_and_1_only);
    tcase_add_test(t, a_variant_without_a_mask_says_so);
    tcase_add_loop_test(t, every_number_leads_back_to_x_and_escape_back_from_there, 0,
                        ATTN_N_VARIANTS);
    tcase_add_loop_test(t, big_b_goes_round_the_bugs_beside_the_right_numbers, 0, ATTN_N_VARIANTS);
    tcase_add_test(t, playing_goes_on_by_itself_until_the_end);
    tcase_add_test(t, any_other_key_pauses_and_the_speed_keys_do_not);
    suite_add_tcase(s, t);
    return s;
}
