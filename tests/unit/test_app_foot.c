/* The line at the foot: typing, finding, writing files, messages; and what home offers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_case.h"
#include "runner.h"

static const char *const tokens[] = {"--tokens", "the cat sat down", NULL};

/* ---- typing ---- */

static const struct {
    const char *keys, *text;
    int at;
} edits[] = {
    {"abc", "abc", 3},
    {"abc Left Left x", "axbc", 2},
    {"abc Home x End y", "xabcy", 5},
    {"abc Backspace", "ab", 2},
    {"abc Home Del Del", "c", 0},
    {"abc Home Backspace Left", "abc", 0},
    {"abc Del Right", "abc", 3},
    {"a Space b", "a b", 3},
    {"abc Tab Up Down PgUp F1 S-Tab Click WheelUp", "abc", 3},
    {"qq??", "qq??", 4},
};

enum { N_EDITS = sizeof edits / sizeof edits[0] };

START_TEST(a_line_is_edited_as_lines_are)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    const struct app_place before = c->app.now;
    app_case_play(c, "/");
    app_case_play(c, edits[_i].keys);
    const struct app_prompt *const p = &c->app.prompt;
    ck_assert_msg(p->open, "%s", edits[_i].keys);
    ck_assert_str_eq(p->text, edits[_i].text);
    ck_assert_int_eq(p->at, edits[_i].at);
    ck_assert_int_eq(c->frame->cursor_row, 23);
    ck_assert_int_eq(c->frame->cursor_col, 7 + edits[_i].at);
    ck_assert(c->frame->cursor_shown);
    ck_assert(memcmp(&before, &c->app.now, sizeof before) == 0);
    app_case_play(c, "Esc");
    ck_assert(!p->open && !c->frame->cursor_shown && !c->app.help && !c->app.quit);
    app_case_finish(c);
}
END_TEST

static void press_char(struct app_case *c, uint32_t ch)
{
    app_press(&c->app, (struct app_key){.code = APP_KEY_CHAR, .ch = ch});
}

START_TEST(characters_of_several_bytes_come_and_go_whole)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    app_case_play(c, "/");
    press_char(c, 0xE9);
    press_char(c, 0x4E2D);
    press_char(c, 0x1F600);
    ck_assert_str_eq(c->app.prompt.text, "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
    app_case_play(c, "Left Left Del");
    ck_assert_str_eq(c->app.prompt.text, "\xC3\xA9\xF0\x9F\x98\x80");
    app_case_play(c, "Backspace Backspace");
    ck_assert_str_eq(c->app.prompt.text, "\xF0\x9F\x98\x80");
    app_case_finish(c);
}
END_TEST

START_TEST(pasted_text_is_text_without_its_control_characters)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    static const struct app_key paste = {.code = APP_KEY_PASTE,
                                         .text = "sc\nor\x1b"
                                                 "es q"};
    app_press(&c->app, paste);
    ck_assert(!c->app.prompt.open && !c->app.quit);
    app_case_play(c, "/");
    app_press(&c->app, paste);
    ck_assert_str_eq(c->app.prompt.text, "scores q");
    app_case_finish(c);
}
END_TEST

START_TEST(a_long_line_scrolls_with_its_cursor_in_sight)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    app_case_play(c, "/");
    for (int i = 0; i < 2 * APP_INPUT_MAX; i++) {
        press_char(c, (uint32_t)('a' + i % 26));
        app_draw(&c->app, c->frame);
        ck_assert_int_lt(c->frame->cursor_col, c->frame->cols);
    }
    ck_assert_int_lt(c->app.prompt.n, APP_INPUT_MAX);
    ck_assert(app_case_shows(c, "Find: …"));
    app_case_play(c, "Home");
    ck_assert_int_eq(c->frame->cursor_col, 7);
    ck_assert(app_case_shows(c, "Find: abc"));
    app_case_finish(c);
}
END_TEST

START_TEST(a_long_message_takes_more_rows_than_one)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    static const char *const words = "first word of a message that is much longer than a row of "
                                     "eighty columns can ever hold, to its very last";
    app_say(&c->app, words);
    app_draw(&c->app, c->frame);
    ck_assert(app_case_shows(c, "first word"));
    ck_assert(app_case_shows(c, "its very last"));
    app_case_play(c, "?");
    app_say(&c->app, "said over the help");
    app_draw(&c->app, c->frame);
    ck_assert(app_case_shows(c, "said over the help"));
    app_case_finish(c);
}
END_TEST

/* ---- finding ---- */

static const struct {
    const char *text;
    const char *stage; /* NULL: nothing moves */
    enum attn_tensor_id tensor;
    int row, col;
    const char *said;
} finds[] = {
    {"scores[2,1]", "score", ATTN_SCORES, 2, 1, "1 of"},
    {"scores[sat,cat]", "score", ATTN_SCORES, 2, 1, NULL},
    {"scores[0,2,1]", "score", ATTN_SCORES, 2, 1, NULL},
    {"weights[ cat , 0 ]", "softmax", ATTN_WEIGHTS, 1, 0, NULL},
    {"softmax", "softmax", ATTN_WEIGHTS, 0, 0, "Found"},
    {"MIX", "mix", ATTN_CONTEXT, 0, 0, "Found"},
    {"out", "output", ATTN_OUTPUT, 0, 0, "1 of"}, /* and not dropout */
    {"k", "split", ATTN_K, 0, 0, NULL},
    {"x[3,2]", "project", ATTN_X, 3, 2, NULL},
    {"proj.weight[11,3]", "project", ATTN_W_QKV, 11, 3, NULL},
    {"in_proj_weight", "project", ATTN_W_QKV, 0, 0, NULL},
    {"sat", "project", ATTN_QKV, 2, 0, "1 of"},
    {"dropped", NULL, ATTN_QKV, 0, 0, "has no dropped now"},
    {"scroes", NULL, ATTN_QKV, 0, 0, "did you mean scores"},
    {"scroes[1,1]", NULL, ATTN_QKV, 0, 0, "did you mean scores"},
    {"scores[9,1]", NULL, ATTN_QKV, 0, 0, "No '9'"},
    {"scores[1,dog]", NULL, ATTN_QKV, 0, 0, "No 'dog'"},
    {"scores[1]", NULL, ATTN_QKV, 0, 0, "3 indices"},
    {"scores[0,1,1,1,1]", NULL, ATTN_QKV, 0, 0, "3 indices"},
    {"scores[", NULL, ATTN_QKV, 0, 0, "3 indices"},
    {"[1,1]", NULL, ATTN_QKV, 0, 0, "Nothing here"},
    {"xyzzy", NULL, ATTN_QKV, 0, 0, "Nothing here is called xyzzy"},
};

enum { N_FINDS = sizeof finds / sizeof finds[0] };

START_TEST(a_word_leads_to_its_place_or_is_answered)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    app_case_play(c, "/");
    app_case_type(c, finds[_i].text);
    app_case_play(c, "Enter");
    const struct app_place *const now = &c->app.now;
    const char *const stage = attn_stages[attn_trace_stage(c->app.trace, now->step.stage)].key;
    ck_assert_msg(strcmp(stage, finds[_i].stage != NULL ? finds[_i].stage : "project") == 0,
                  "%s: at %s", finds[_i].text, stage);
    ck_assert_msg(now->cursor.tensor == finds[_i].tensor && now->cursor.at[1] == finds[_i].row &&
                      now->cursor.at[2] == finds[_i].col,
                  "%s: %s[%d,%d]", finds[_i].text, attn_tensors[now->cursor.tensor].name,
                  now->cursor.at[1], now->cursor.at[2]);
    ck_assert_msg(finds[_i].said == NULL || strstr(c->app.message, finds[_i].said) != NULL,
                  "%s: %s", finds[_i].text, c->app.message);
    app_case_finish(c);
}
END_TEST

START_TEST(matches_go_round_in_both_directions)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    app_case_play(c, ";");
    ck_assert(app_case_shows(c, "Nothing has been searched"));
    app_case_play(c, "/ scores Enter");
    const struct walk_step first = c->app.now.step;
    app_case_play(c, ";");
    ck_assert_int_gt(c->app.now.step.stage, first.stage);
    app_case_play(c, ";");
    ck_assert_int_eq(c->app.now.step.stage, first.stage);
    app_case_play(c, ", /");
    app_case_play(c, "Enter");
    ck_assert_int_eq(c->app.now.step.stage, first.stage);
    app_case_finish(c);
}
END_TEST

START_TEST(a_token_is_looked_for_from_here_on)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    app_case_play(c, "6 / sat Enter");
    ck_assert_int_eq(c->app.now.step.stage, 5);
    ck_assert_int_eq(c->app.now.cursor.at[1], 2);
    app_case_finish(c);
}
END_TEST

/* ---- files ---- */

static struct {
    bool there;
    int pictures, tensors, rows;
    char path[APP_INPUT_MAX];
    bool fails;
} disk;

static bool fake_exists(const char *path)
{
    (void)path;
    return disk.there;
}

static enum attn_status fake_frame(const struct frame *f, const char *path, struct attn_error *err)
{
    if (disk.fails) {
        return attn_fail(err, ATTN_E_IO, path, "the disk is full");
    }
    disk.pictures++;
    disk.rows = f->rows;
    ck_assert(!f->cursor_shown);
    snprintf(disk.path, sizeof disk.path, "%s", path);
    return ATTN_OK;
}

static enum attn_status fake_tensors(const struct setup *setup, const attn_trace *trace,
                                     const char *path, struct attn_error *err)
{
    (void)err;
    ck_assert(setup != NULL && trace != NULL);
    disk.tensors++;
    snprintf(disk.path, sizeof disk.path, "%s", path);
    return ATTN_OK;
}

static const struct app_outside outside = {fake_exists, fake_frame, fake_tensors};

START_TEST(the_screen_and_the_tensors_go_into_files)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    app_case_play(c, "x");
    ck_assert(!c->app.prompt.open && app_case_shows(c, "No files"));
    c->app.outside = &outside;
    app_case_play(c, "6 x Enter");
    ck_assert_str_eq(disk.path, "attn-v3-softmax.svg");
    ck_assert(disk.rows == 24 && app_case_shows(c, "Wrote attn-v3-softmax.svg."));
    app_case_play(c, "w Enter");
    ck_assert_str_eq(disk.path, "attn-v3.npz");
    app_case_play(c, "? x Enter");
    ck_assert_str_eq(disk.path, "attn-help.svg");
    ck_assert(disk.pictures == 2 && disk.tensors == 1);
    app_case_finish(c);
}
END_TEST

START_TEST(a_file_that_is_there_is_written_over_after_a_yes_only)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    c->app.outside = &outside;
    disk.there = true;
    app_case_play(c, "x Enter");
    ck_assert(app_case_shows(c, "is there already"));
    ck_assert_int_eq(disk.pictures, 0);
    app_case_play(c, "n");
    ck_assert(disk.pictures == 0 && app_case_shows(c, "Left as it was"));
    app_case_play(c, "x Enter Esc x Enter Enter x Enter Space");
    ck_assert(disk.pictures == 0 && !c->app.prompt.open);
    app_case_play(c, "x Enter y");
    ck_assert_int_eq(disk.pictures, 1);
    app_case_finish(c);
}
END_TEST

START_TEST(what_cannot_be_written_is_said)
{
    struct app_case *const c = app_case_start(ATTN_V3, tokens);
    c->app.outside = &outside;
    disk.fails = true;
    app_case_play(c, "x Enter");
    ck_assert(app_case_shows(c, "attn-v3-project.svg: the disk is full"));
    app_case_finish(c);
}
END_TEST

/* ---- home ---- */

START_TEST(home_continues_the_walk_that_was_left)
{
    struct app_case *const left = app_case_start(ATTN_V3, tokens);
    struct app_last last;
    app_case_play(left,
                  "m s r Tab Tab / masked[2,1] Enter / x[1,1] Enter e 3 Enter / masked[2,1] Enter");
    char *const before = app_case_picture(left);
    ck_assert(app_remember(&left->app, &last));
    struct app_case *const c = app_case_home();
    app_case_play(c, "Down");
    app_offer_last(&c->app, &last);
    app_draw(&c->app, c->frame);
    ck_assert(app_case_shows(c, "continue"));
    ck_assert(app_case_shows(c, "seed 43"));
    app_case_play(c, "Enter");
    ck_assert(!c->app.home);
    attn_trace_destroy(left->app.before); /* what the last change marked is not kept */
    left->app.before = NULL;
    free(before);
    char *const shown = app_case_picture(left);
    char *const again = app_case_picture(c);
    ck_assert_str_eq(shown, again);
    free(shown);
    free(again);
    app_case_finish(left);
    app_case_finish(c);
}
END_TEST

/** Leave the walk of c and go on with it from another home screen. */
static struct app_case *go_on(struct app_case *c, char words[128])
{
    struct app_last last;
    ck_assert(app_remember(&c->app, &last));
    snprintf(words, 128, "%.127s", last.words);
    struct app_case *const home = app_case_home();
    app_offer_last(&home->app, &last);
    app_case_play(home, "Enter");
    ck_assert(!home->app.home);
    return home;
}

START_TEST(going_on_keeps_the_numbers_that_v_carried_over)
{
    static const char *const options[] = {"--tokens", "the cat sat down", "--seed", "7", NULL};
    char words[128];
    struct app_case *const c = app_case_start(ATTN_V1, options);
    app_case_play(c, "v ] Tab Tab o e 0 . 5 Enter"); /* v2, and a number of its own */
    ck_assert_int_eq(attn_trace_config(c->app.trace)->variant, ATTN_V2);
    struct app_case *const home = go_on(c, words);
    ck_assert(strstr(words, "not kept") == NULL);
    struct walk_diff diff;
    walk_compare(c->app.trace, home->app.trace, 0.0, &diff);
    ck_assert_int_eq(attn_trace_config(home->app.trace)->variant, ATTN_V2);
    for (int i = 0; i < diff.n; i++) {
        ck_assert_msg(diff.tensors[i].comparable && diff.tensors[i].cells == 0, "%s",
                      attn_tensors[diff.tensors[i].tensor].name);
    }
    app_case_finish(home);
    app_case_finish(c);
}
END_TEST

START_TEST(going_on_says_that_too_many_carried_numbers_are_not_kept)
{
    static const char *const options[] = {"--length", "40", "--dim", "40", NULL};
    char words[128];
    struct app_case *const c = app_case_start(ATTN_V1, options);
    app_case_play(c, "v n n");
    struct app_case *const home = go_on(c, words);
    ck_assert_str_eq(words, "v1 as it was started: v2's numbers are not kept");
    ck_assert_int_eq(attn_trace_config(home->app.trace)->variant, ATTN_V1);
    app_case_finish(home);
    app_case_finish(c);
}
END_TEST

START_TEST(home_without_a_walk_to_continue_starts_the_variants)
{
    struct app_case *const c = app_case_home();
    struct app_last last;
    ck_assert(!app_case_shows(c, "continue"));
    ck_assert(!app_remember(&c->app, &last));
    app_case_play(c, "Down Enter");
    ck_assert_int_eq(attn_trace_config(c->app.trace)->variant, ATTN_SINGLE);
    app_case_finish(c);
}
END_TEST

START_TEST(a_walk_that_cannot_be_made_again_is_said_and_home_stays)
{
    struct app_case *const c = app_case_home();
    struct app_last last = {.index = 3};
    struct attn_error err;
    config_init(&last.config, ATTN_V3);
    ck_assert_int_eq(config_options[CONFIG_LOAD].parse(&last.config, "/nowhere/at/all.npz", &err),
                     ATTN_OK);
    app_offer_last(&c->app, &last);
    app_case_play(c, "Enter");
    ck_assert(c->app.home && app_case_shows(c, "/nowhere/at/all.npz"));
    app_case_finish(c);
}
END_TEST

/* ---- what takes a while ---- */

static int told;

static void tell(struct app *app, void *whose)
{
    (void)whose;
    ck_assert_ptr_nonnull(app);
    told++;
}

START_TEST(a_computation_that_takes_a_while_is_told_before_it_begins)
{
    struct app_case *const c = app_case_start(ATTN_SINGLE, tokens);
    struct config config;
    struct attn_error err;
    c->app.busy = (struct app_busy){tell, NULL};
    app_case_play(c, "s r v V B");
    ck_assert_int_eq(told, 0);
    config_init(&config, ATTN_SINGLE);
    ck_assert_int_eq(config_options[CONFIG_LENGTH].parse(&config, "1600", &err), ATTN_OK);
    ck_assert_int_eq(app_start(&c->app, &config, &err), ATTN_OK);
    ck_assert_int_eq(told, 1);
    app_case_play(c, "s");
    ck_assert_int_eq(told, 2);
    app_case_play(c, "Right n");
    ck_assert_int_eq(told, 2);
    config_finish(&config);
    app_case_finish(c);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("application");
    TCase *const t = tcase_create("foot");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, a_line_is_edited_as_lines_are, 0, N_EDITS);
    tcase_add_test(t, characters_of_several_bytes_come_and_go_whole);
    tcase_add_test(t, pasted_text_is_text_without_its_control_characters);
    tcase_add_test(t, a_long_line_scrolls_with_its_cursor_in_sight);
    tcase_add_test(t, a_long_message_takes_more_rows_than_one);
    tcase_add_loop_test(t, a_word_leads_to_its_place_or_is_answered, 0, N_FINDS);
    tcase_add_test(t, matches_go_round_in_both_directions);
    tcase_add_test(t, a_token_is_looked_for_from_here_on);
    tcase_add_test(t, the_screen_and_the_tensors_go_into_files);
    tcase_add_test(t, a_file_that_is_there_is_written_over_after_a_yes_only);
    tcase_add_test(t, what_cannot_be_written_is_said);
    tcase_add_test(t, home_continues_the_walk_that_was_left);
    tcase_add_test(t, going_on_keeps_the_numbers_that_v_carried_over);
    tcase_add_test(t, going_on_says_that_too_many_carried_numbers_are_not_kept);
    tcase_add_test(t, home_without_a_walk_to_continue_starts_the_variants);
    tcase_add_test(t, a_walk_that_cannot_be_made_again_is_said_and_home_stays);
    tcase_add_test(t, a_computation_that_takes_a_while_is_told_before_it_begins);
    suite_add_tcase(s, t);
    return s;
}
