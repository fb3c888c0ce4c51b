/* What is changed in the masks instrument, and the ways back. */
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "frame_case.h"
#include "runner.h"

static struct app app;
static struct frame *frame;

static void start(void)
{
    struct config config;
    struct attn_error err;
    config_init(&config, ATTN_V3);
    ck_assert_int_eq(app_init_lab(&app, LAB_MASKS, &config, &err), ATTN_OK);
    config_finish(&config);
    frame = frame_create(24, 80, false);
    ck_assert_ptr_nonnull(frame);
}

static void finish(void)
{
    frame_destroy(frame);
    app_finish(&app);
}

static bool shows(const char *text)
{
    return frame_case_shows(frame, text);
}

static void press(const char *keys)
{
    app_play(&app, frame, keys);
    app_draw(&app, frame);
}

/** What the masks instrument shows: the message at the foot left out. */
static char *masks_picture(void)
{
    app_say(&app, "");
    app_draw(&app, frame);
    return frame_case_text(frame);
}

/* What is changed, and what brings the same screen back. */
static const struct {
    const char *first, *change, *back;
} ways_back[] = {
    {"", "+", "-"},
    {"", "-", "+"},
    {"m", "+ + + +", "- - - -"},
    {"m m m", "- -", "+ +"},
    {"m A", "+ + -", "-"},
    {"+", "+", "-"},
    {"- -", "+ -", ""},
    {"", "Enter", "u"},
    {"Enter l j Enter", "m", "u"},
    {"Enter l j Enter", "m m M i e A +", "u u u u u u u"},
    {"Enter l j Enter", "+", "u"},
    {"+ m", "Enter - M", "u u u"},
    {"m M", "u u", "U U"},
    {"Enter l Enter +", "u u u", "U U U"},
};

enum { N_WAYS = sizeof ways_back / sizeof ways_back[0] };

START_TEST(what_was_changed_in_a_mask_comes_back_as_it_was)
{
    start();
    press(ways_back[_i].first);
    char *const was = masks_picture();
    press(ways_back[_i].change);
    char *const changed = masks_picture();
    press(ways_back[_i].back);
    char *const is = masks_picture();
    ck_assert_msg(*ways_back[_i].back == '\0' || strcmp(was, changed) != 0, "%s",
                  ways_back[_i].change);
    ck_assert_msg(strcmp(was, is) == 0, "%s, then %s:\n%s\n%s", ways_back[_i].change,
                  ways_back[_i].back, was, is);
    free(was);
    free(changed);
    free(is);
    finish();
}
END_TEST

START_TEST(the_first_keys_keep_their_words_and_scores_beside_more_or_fewer)
{
    float scores[4];
    start();
    for (int s = 0; s < 4; s++) {
        scores[s] = *attn_tensor_at(attn_trace_tensor(app.lab->masks->trace, ATTN_SCALED), 0, 2, s);
    }
    press(_i == 0 ? "+ + +" : "- -");
    const struct lab_masks *const lab = app.lab->masks;
    ck_assert_int_eq(lab->S, _i == 0 ? 7 : 2);
    for (int s = 0; s < 4 && s < lab->S; s++) {
        const float score = *attn_tensor_at(attn_trace_tensor(lab->trace, ATTN_SCALED), 0, 2, s);
        ck_assert_msg(memcmp(&score, &scores[s], sizeof score) == 0, "key %d", s);
        ck_assert_str_eq(lab->setup.memory_tokens.labels[s], lab->setup.tokens.labels[s]);
    }
    finish();
}
END_TEST

START_TEST(a_painted_mask_is_not_wiped_without_a_word)
{
    start();
    press(_i == 0 ? "Enter m" : "Enter +");
    ck_assert(shows("u brings it back"));
    finish();
}
END_TEST

START_TEST(of_hidden_scores_is_spoken_where_there_are_some)
{
    start();
    press("");
    ck_assert(!shows("A hidden") && shows("Nothing is"));
    press("m");
    ck_assert(shows("A hidden") && !shows("Nothing is"));
    press("M M");
    ck_assert_msg(shows("1.000 !") && !shows("✗"), "a sum that holds is not crossed out");
    finish();
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("a painted mask");
    TCase *const t = tcase_create("keys");
    tcase_add_loop_test(t, what_was_changed_in_a_mask_comes_back_as_it_was, 0, N_WAYS);
    tcase_add_loop_test(t, the_first_keys_keep_their_words_and_scores_beside_more_or_fewer, 0, 2);
    tcase_add_loop_test(t, a_painted_mask_is_not_wiped_without_a_word, 0, 2);
    tcase_add_test(t, of_hidden_scores_is_spoken_where_there_are_some);
    suite_add_tcase(s, t);
    return s;
}
