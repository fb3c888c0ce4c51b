/* The instruments by keys. */
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "frame_case.h"
#include "runner.h"

static struct app app;
static struct frame *frame;

static enum attn_status start(enum lab_kind kind, const char *const options[],
                              struct attn_error *err)
{
    struct config config;
    config_init(&config, ATTN_V3);
    for (int i = 0; options != NULL && options[i] != NULL; i += 2) {
        for (int o = 0; o < CONFIG_N_OPTIONS; o++) {
            if (strcmp(config_options[o].name, options[i]) == 0) {
                ck_assert_int_eq(config_options[o].parse(&config, options[i + 1], err), ATTN_OK);
            }
        }
    }
    const enum attn_status status = app_init_lab(&app, kind, &config, err);
    config_finish(&config);
    frame = frame_create(24, 80, false);
    ck_assert_ptr_nonnull(frame);
    return status;
}

static void finish(void)
{
    frame_destroy(frame);
    app_finish(&app);
}

/** Does the screen show this, within one row? */
static bool shows(const char *text)
{
    return frame_case_shows(frame, text);
}

/** Press these keys and draw; nothing is measured meanwhile, as while they are typed. */
static void press(const char *keys)
{
    while (*(keys += strspn(keys, " ")) != '\0') {
        const size_t n = strcspn(keys, " ");
        char name[16];
        struct app_key key;
        snprintf(name, sizeof name, "%.*s", (int)n, keys);
        if (!app_key_find(name, &key)) {
            key = (struct app_key){.code = APP_KEY_CHAR, .ch = (unsigned char)name[0]};
        }
        app_press(&app, key);
        keys += n;
    }
    app_draw(&app, frame);
}

static const struct {
    const char *keys;
    int width, n_keys;
    uint64_t seed;
    const char *text;
} turns[] = {
    {"", 6, 10, 42, "d_k = 64"},
    {"Right", 7, 10, 42, "d_k = 128"},
    {"Left Left h", 3, 10, 42, "d_k = 8"},
    {"Home", 0, 10, 42, "d_k = 1 "},
    {"0 Left", 0, 10, 42, "d_k = 1 "},
    {"End", 10, 10, 42, "d_k = 1024"},
    {"$ l", 10, 10, 42, "d_k = 1024"},
    {"Up k", 6, 12, 42, "12 keys"},
    {"- - - - - - - - - -", 6, 2, 42, "2 keys"},
    {"r", 6, 10, 43, "seed 43"},
    {"", 6, 10, 42, "spread of scores"},
    {"Tab x Esc Esc", 6, 10, 42, "0 rows"},
};

enum { N_TURNS = sizeof turns / sizeof turns[0] };

START_TEST(keys_turn_the_scaling_instrument)
{
    struct attn_error err;
    ck_assert_int_eq(start(LAB_SCALING, NULL, &err), ATTN_OK);
    press(turns[_i].keys);
    ck_assert_msg(app.lab->width == turns[_i].width, "%s", turns[_i].keys);
    ck_assert_msg(app.lab->scaling->n_keys == turns[_i].n_keys, "%s", turns[_i].keys);
    ck_assert_msg(app.lab->scaling->seed == turns[_i].seed, "%s", turns[_i].keys);
    ck_assert_msg(shows(turns[_i].text), "%s: no %s", turns[_i].keys, turns[_i].text);
    ck_assert(!app.quit);
    finish();
}
END_TEST

static const struct {
    const char *keys, *text;
    int row, col, n_hidden;
} paintings[] = {
    {"", "every row keeps a key", 0, 0, 0},
    {"Enter", "✓", 0, 0, 1},
    {"Enter Space", "every row keeps a key", 0, 0, 0},
    {"Down l Enter", "·", 1, 1, 1},
    {"Up Left Down j j j Right l l l", "▶ down", 3, 3, 0},
    {"m", "causal", 0, 0, 6},
    {"m m", "padding", 0, 0, 4},
    {"m m m m", "none", 0, 0, 0},
    {"m M M", "hidden keys keep weight", 0, 0, 6},
    {"i", "no key is left", 0, 0, 16},
    {"i e", "0/0", 0, 0, 16},
    {"i M", "1/S each", 0, 0, 16},
    {"m i", "mask, 0 keeps", 0, 0, 10},
    {"A", "+ adds a key", 0, 0, 0},
    {"+ m A", "bottom right", 0, 0, 6},
    {"- - - -", "S 2", 0, 0, 0},
};

enum { N_PAINTINGS = sizeof paintings / sizeof paintings[0] };

START_TEST(keys_paint_a_mask)
{
    struct attn_error err;
    int n = 0;
    ck_assert_int_eq(start(LAB_MASKS, NULL, &err), ATTN_OK);
    press(paintings[_i].keys);
    for (int t = 0; t < app.lab->masks->T; t++) {
        for (int s = 0; s < app.lab->masks->S; s++) {
            n += lab_masks_keeps(app.lab->masks, t, s) ? 0 : 1;
        }
    }
    ck_assert_msg(n == paintings[_i].n_hidden, "%s: %d hidden", paintings[_i].keys, n);
    ck_assert(app.lab->row == paintings[_i].row && app.lab->col == paintings[_i].col);
    ck_assert_msg(shows(paintings[_i].text), "%s: no %s", paintings[_i].keys, paintings[_i].text);
    finish();
}
END_TEST

START_TEST(help_that_is_all_in_view_does_not_scroll)
{
    struct attn_error err;
    ck_assert_int_eq(start(LAB_COST, NULL, &err), ATTN_OK);
    frame_destroy(frame);
    frame = frame_create(_i == 0 ? 60 : 12, 80, false);
    ck_assert_ptr_nonnull(frame);
    press("?");
    press("");
    ck_assert(shows("Space more") == (_i == 1) && shows("Esc close"));
    finish();
}
END_TEST

static const struct {
    const char *keys;
    int T, d;
    bool output;
    const char *text;
} costs[] = {
    {"", 512, 64, true, "2 d = 128"},
    {"o", 512, 64, false, "1.5 d = 96"},
    {"Down j Up", 1024, 64, true, "At T = 1024"},
    {"Right l", 512, 256, true, "2 d = 512"},
    {"h h h h h", 512, 8, true, "2 d = 16"},
    {"k k k k k k k k", 16, 64, true, "At T = 16 attention takes 11%"},
    {"j j j j j j j j j", 65536, 64, true, "1.10 T"},
    {"r", 512, 64, true, "four projections"},
};

enum { N_COSTS = sizeof costs / sizeof costs[0] };

START_TEST(keys_turn_the_cost_instrument)
{
    struct attn_error err;
    ck_assert_int_eq(start(LAB_COST, NULL, &err), ATTN_OK);
    ck_assert(app_lab_busy(&app));
    app_lab_time(&app, false);
    press(costs[_i].keys);
    const struct lab_cost *const cost = app.lab->cost;
    ck_assert_msg(cost->rows[app.lab->length].T == costs[_i].T, "%s", costs[_i].keys);
    ck_assert_msg(cost->d == costs[_i].d && cost->output == costs[_i].output, "%s", costs[_i].keys);
    ck_assert_msg(shows(costs[_i].text), "%s: no %s", costs[_i].keys, costs[_i].text);
    ck_assert_msg(!app_lab_busy(&app), "what was left out is measured after %s", costs[_i].keys);
    finish();
}
END_TEST

START_TEST(it_begins_where_the_options_say)
{
    static const char *const options[] = {"--dim", "100", "--length", "4", "--seed", "7", NULL};
    struct attn_error err;
    ck_assert_int_eq(start(LAB_SCALING, options, &err), ATTN_OK);
    ck_assert_int_eq(lab_width(app.lab->width), 64);
    ck_assert_int_eq(app.lab->scaling->n_keys, 4);
    ck_assert_uint_eq(app.lab->scaling->seed, 7);
    finish();
}
END_TEST

START_TEST(more_keys_than_it_takes_are_refused_with_what_it_takes)
{
    static const char *const options[] = {"--length", "65", NULL};
    struct attn_error err = {.message = ""};
    ck_assert_int_eq(start(LAB_SCALING, options, &err), ATTN_E_VALUE);
    ck_assert_str_eq(err.what, "--length");
    ck_assert_msg(strstr(err.message, "2 to 64") != NULL, "%s", err.message);
    finish();
}
END_TEST

START_TEST(it_measures_a_part_at_a_time_and_keys_are_answered_meanwhile)
{
    const struct app_key timeout = {.code = APP_KEY_TIMEOUT};
    const struct app_key right = {.code = APP_KEY_RIGHT};
    struct attn_error err;
    int parts = 0;
    ck_assert_int_eq(start(LAB_SCALING, NULL, &err), ATTN_OK);
    app_draw(&app, frame);
    ck_assert(shows("0 rows"));
    app_press(&app, right);
    ck_assert_int_eq(app.lab->width, 7);
    for (; app_wait(&app) == 0; parts++) {
        ck_assert_int_lt(parts, LAB_SEQUENCES);
        app_press(&app, timeout);
    }
    ck_assert_int_gt(parts, 3);
    ck_assert_int_eq(app_wait(&app), -1);
    app_draw(&app, frame);
    ck_assert(shows("1000 rows") && shows("0.9050"));
    finish();
}
END_TEST

START_TEST(its_words_follow_the_numbers)
{
    struct attn_error err;
    char text[64];
    ck_assert_int_eq(start(LAB_SCALING, NULL, &err), ATTN_OK);
    press("");
    ck_assert_msg(!shows("largest weight is"), "nothing has been measured yet");
    app_lab_settle(&app);
    for (int w = 1; w < LAB_WIDTHS; w++) {
        press("Home");
        ck_assert(shows("all three are the same"));
        for (int i = 0; i < w; i++) {
            press("Right");
        }
        struct lab_reading(*const r)[LAB_N_MEASURES] = app.lab->scaling->readings[w];
        snprintf(text, sizeof text,
                 "weight is %.2f at d_k = %d:", r[LAB_NO_FACTOR][LAB_LARGEST].mean, lab_width(w));
        ck_assert_msg(shows(text), "no %s", text);
        snprintf(text, sizeof text, "is %.2f; with 1/√d_k it is %.2f.",
                 r[LAB_NO_FACTOR][LAB_GRADIENT].mean, r[LAB_ROOT][LAB_GRADIENT].mean);
        ck_assert_msg(shows(text), "no %s", text);
        ck_assert_msg(shows("a choice") == (r[LAB_NO_FACTOR][LAB_LARGEST].mean >= 0.8), "%d", w);
    }
    finish();
}
END_TEST

static const struct {
    enum lab_kind kind;
    const char *key, *other;
} helps[] = {
    {LAB_SCALING, "d_k = 1024", "twice the length"},
    {LAB_COST, "twice the length", "hide the key"},
    {LAB_MASKS, "hide the key", "d_k = 1024"},
};

START_TEST(its_help_begins_with_its_own_keys_and_has_no_heading_without_keys)
{
    static const char *const gone[] = {" Steps", " Lesson", " Cursor", " Cell", " What if"};
    struct attn_error err;
    ck_assert_int_eq(start(helps[_i].kind, NULL, &err), ATTN_OK);
    press("?");
    ck_assert(shows("\n This instrument\n") && shows("draw the screen again"));
    ck_assert_str_eq(frame_at(frame, 2, 1)->glyph, "T"); /* nothing stands before it */
    ck_assert(shows(helps[_i].key) && !shows(helps[_i].other));
    ck_assert(!shows("next step") && !shows("what if"));
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++) {
        ck_assert_msg(!shows(gone[i]), "the heading%s has no keys", gone[i]);
    }
    finish();
}
END_TEST

START_TEST(its_help_closes_and_the_instrument_is_there_again)
{
    struct attn_error err;
    ck_assert_int_eq(start(LAB_SCALING, NULL, &err), ATTN_OK);
    press("?");
    press("Esc");
    ck_assert(shows("d_k = 64"));
    press("q");
    ck_assert(app.quit);
    finish();
}
END_TEST

/* ---- whole at every size ---- */

static const struct {
    int cols, rows;
} calm[] = {{40, 12}, {80, 18}, {80, 24}, {120, 40}, {200, 60}};

enum { N_CALM = sizeof calm / sizeof calm[0] };

/** Nothing reaches the margins, nothing stands in the rule above the foot, no text was cut. */
static void check_whole(const char *what)
{
    for (int row = 1; row < frame->rows - 2; row++) {
        ck_assert_msg(strcmp(frame_at(frame, row, 0)->glyph, " ") == 0 &&
                          strcmp(frame_at(frame, row, frame->cols - 1)->glyph, " ") == 0,
                      "%s: row %d reaches the edge", what, row);
    }
    for (int col = 0; col < frame->cols; col++) {
        const char *const rule = frame_at(frame, frame->rows - 2, col)->glyph;
        ck_assert_msg(strcmp(rule, frame->ascii ? "-" : "─") == 0, "%s: %s in the rule", what,
                      rule);
    }
    ck_assert_msg(!shows("…"), "%s: something was cut", what);
    for (int i = 0; frame->ascii && i + 1 < frame->rows * frame->cols; i++) {
        ck_assert_msg(strcmp(frame->cells[i].glyph, "~") != 0 ||
                          strcmp(frame->cells[i + 1].glyph, "0") == 0,
                      "%s: something was cut", what);
    }
}

static void resize(int size, bool ascii)
{
    frame_destroy(frame);
    frame = frame_create(calm[size].rows, calm[size].cols, ascii);
    ck_assert_ptr_nonnull(frame);
}

START_TEST(no_number_is_cut_at_any_size_of_a_mask)
{
    static const char *const keys[] = {
        "",    "m",      "m M", "m M M Down Down Down Down Down Down", "i e Right Right Right",
        "i M", "m i M M"};
    for (int T = LAB_TOKENS_MIN; T <= LAB_TOKENS_MAX; T++) {
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            struct attn_error err;
            char length[16];
            char what[64];
            snprintf(length, sizeof length, "%d", T);
            const char *const options[] = {"--length", length, NULL};
            ck_assert_int_eq(start(LAB_MASKS, options, &err), ATTN_OK);
            resize(_i / 2, _i % 2 != 0);
            press(keys[k]);
            snprintf(what, sizeof what, "T %d, keys %s, %dx%d", T, keys[k], frame->cols,
                     frame->rows);
            check_whole(what);
            ck_assert_msg(shows("1 keeps") || shows("0 keeps"), "%s", what);
            finish();
        }
    }
}
END_TEST

START_TEST(the_other_instruments_are_whole_at_every_size)
{
    static const enum lab_kind kinds[] = {LAB_SCALING, LAB_COST, LAB_MASKS};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct attn_error err;
        ck_assert_int_eq(start(kinds[k], NULL, &err), ATTN_OK);
        resize(_i / 2, _i % 2 != 0);
        if (kinds[k] == LAB_COST) {
            app_lab_time(&app, false);
        } else if (app_lab_busy(&app)) {
            app_lab_work(&app);
        }
        static const char *const keys[] = {"", "End", "Down Down Down", "Right Right Right Right"};
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            press(keys[i]);
            check_whole(lab_infos[kinds[k]].name);
        }
        finish();
    }
}
END_TEST

static const struct {
    int cols, rows, length;
    const char *there, *gone;
} parts[] = {
    {40, 12, 4, "sat down\n", "Σ"},          /* two decimals, no sums */
    {40, 12, 8, "weights ▶", "mask none"},   /* the cursor's row alone */
    {80, 18, 4, "masked scores  ", "…"},     /* all three, two decimals */
    {80, 24, 4, "masked scores\n", "…"},     /* the weights below the scores */
    {80, 24, 8, "1.000 ✓", "masked scores"}, /* no scores */
    {120, 40, 4, "masked scores", "0.60 "},  {120, 40, 8, "masked scores", "0.60 "},
};

enum { N_PARTS = sizeof parts / sizeof parts[0] };

START_TEST(a_mask_leaves_out_what_there_is_no_room_for)
{
    struct attn_error err;
    char length[16];
    snprintf(length, sizeof length, "%d", parts[_i].length);
    const char *const options[] = {"--length", length, NULL};
    ck_assert_int_eq(start(LAB_MASKS, parts[_i].length != 4 ? options : NULL, &err), ATTN_OK);
    frame_destroy(frame);
    frame = frame_create(parts[_i].rows, parts[_i].cols, false);
    ck_assert_ptr_nonnull(frame);
    press("");
    ck_assert_msg(shows(parts[_i].there), "no %s", parts[_i].there);
    ck_assert_msg(!shows(parts[_i].gone), "%s", parts[_i].gone);
    finish();
}
END_TEST

static const struct {
    int cols, rows;
} sizes[] = {{1, 1}, {39, 11}, {40, 12}, {41, 13}, {50, 20}, {80, 18}, {200, 12}, {512, 128}};

enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

START_TEST(every_size_of_screen_can_be_drawn)
{
    struct attn_error err;
    for (int kind = 0; kind < LAB_N_KINDS; kind++) {
        ck_assert_int_eq(start((enum lab_kind)kind, NULL, &err), ATTN_OK);
        frame_destroy(frame);
        frame = frame_create(sizes[_i].rows, sizes[_i].cols, _i % 2 != 0);
        ck_assert_ptr_nonnull(frame);
        app_draw(&app, frame); /* nothing measured yet */
        if (kind == LAB_COST) {
            app_lab_time(&app, false);
        }
        press("Home");
        press("Down Left j j j j j j j j j");
        finish();
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("instruments");
    TCase *const t = tcase_create("keys");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, keys_turn_the_scaling_instrument, 0, N_TURNS);
    tcase_add_loop_test(t, keys_paint_a_mask, 0, N_PAINTINGS);
    tcase_add_loop_test(t, help_that_is_all_in_view_does_not_scroll, 0, 2);
    tcase_add_loop_test(t, keys_turn_the_cost_instrument, 0, N_COSTS);
    tcase_add_test(t, it_begins_where_the_options_say);
    tcase_add_test(t, more_keys_than_it_takes_are_refused_with_what_it_takes);
    tcase_add_test(t, it_measures_a_part_at_a_time_and_keys_are_answered_meanwhile);
    tcase_add_test(t, its_words_follow_the_numbers);
    tcase_add_loop_test(t, its_help_begins_with_its_own_keys_and_has_no_heading_without_keys, 0,
                        LAB_N_KINDS);
    tcase_add_test(t, its_help_closes_and_the_instrument_is_there_again);
    tcase_add_loop_test(t, no_number_is_cut_at_any_size_of_a_mask, 0, 2 * N_CALM);
    tcase_add_loop_test(t, the_other_instruments_are_whole_at_every_size, 0, 2 * N_CALM);
    tcase_add_loop_test(t, a_mask_leaves_out_what_there_is_no_room_for, 0, N_PARTS);
    tcase_add_loop_test(t, every_size_of_screen_can_be_drawn, 0, N_SIZES);
    suite_add_tcase(s, t);
    return s;
}
