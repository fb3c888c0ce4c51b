/* An instrument in a lesson: it takes the walk's place, and the lesson's keys go on working. */
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "frame_case.h"
#include "runner.h"

static const char text[] =
    "---\ntitle: Instruments\ntokens: the cat sat down\n---\n"
    "# Masks\n\nFirst the walk.\n\n```attn\nat: weights\n```\n\n"
    "Now paint.\n\n```attn\nlab: masks\n```\n\nAnd more.\n\n"
    "```attn\nnote: the same instrument\n```\n\n"
    "# Scaling\n\nTurn it.\n\n```attn\nlab: scaling\nlength: 4\ndim: 16\n```\n\n"
    "The walk again.\n\n```attn\nlab: none\nat: scores\n```\n";

static struct app app;
static struct frame *frame;

static void start(void)
{
    struct lesson lesson;
    struct lesson_errors errors;
    struct attn_error err = {.message = ""};
    frame = frame_create(24, 80, false);
    ck_assert_ptr_nonnull(frame);
    ck_assert_int_eq(app_init_home(&app, &err), ATTN_OK);
    ck_assert_int_eq(lesson_parse(&lesson, NULL, text, sizeof text - 1, &errors), ATTN_OK);
    ck_assert_msg(app_start_lesson(&app, &lesson, "instruments", &err) == ATTN_OK, "%s",
                  err.message);
}

static void finish(void)
{
    frame_destroy(frame);
    app_finish(&app);
}

static void press(uint32_t ch)
{
    app_press(&app, (struct app_key){.code = APP_KEY_CHAR, .ch = ch});
    app_draw(&app, frame);
}

static bool shows(const char *wanted)
{
    return frame_case_shows(frame, wanted);
}

START_TEST(it_stands_in_the_walks_place_from_its_block_on_until_none)
{
    start();
    ck_assert_ptr_null(app.lab);
    press('n');
    ck_assert(app.lab != NULL && app.lab->kind == LAB_MASKS);
    ck_assert(shows("1 keeps") && shows("Now paint.") && shows("page 1 of 2"));
    press('n');
    press('n');
    ck_assert(app.lab != NULL && app.lab->kind == LAB_SCALING);
    ck_assert(lab_width(app.lab->width) == 16);
    ck_assert(shows("d_k = 16") && shows("Turn it."));
    press('n');
    ck_assert_ptr_null(app.lab);
    ck_assert(shows("The walk again.") && !shows("d_k = 16"));
    press('b');
    ck_assert(app.lab != NULL && app.lab->kind == LAB_SCALING);
    finish();
}
END_TEST

START_TEST(on_the_smallest_screen_it_is_one_line_that_its_keys_turn)
{
    start();
    frame_destroy(frame);
    frame = frame_create(12, 40, false);
    ck_assert_ptr_nonnull(frame);
    press('n');
    ck_assert_int_eq(app.lab->kind, LAB_MASKS);
    ck_assert(shows(" row the: 4 of 4 keys, sum 1.000 ✓\n"));
    press('m'); /* causal */
    ck_assert(shows(" row the: 1 of 4 keys, sum 1.000 ✓\n"));
    press('i'); /* and what hides now keeps */
    press('j');
    press('j');
    press('j');
    ck_assert(shows(" row down: 0 of 4 keys, sum 0.000 !\n"));
    press('n');
    press('n');
    app_lab_settle(&app);
    press('l');
    ck_assert(shows(" d_k = 32: largest "));
    finish();
}
END_TEST

START_TEST(the_help_has_its_keys_and_those_of_the_lesson)
{
    start();
    press('n');
    ck_assert_int_eq(app.lab->kind, LAB_MASKS);
    press('?');
    ck_assert(shows("\n This instrument\n") && shows("hide the key under the cursor"));
    ck_assert(shows("next step") && !shows("finer steps") && !shows("what if"));
    bool pages = false;
    for (int i = 0; i < 8; i++) {
        pages = pages || shows("the lesson's pages");
        press(' ');
    }
    ck_assert_msg(pages, "the keys of the lesson are nowhere in the help");
    finish();
}
END_TEST

START_TEST(its_keys_come_before_those_of_the_lesson_and_what_it_has_not_is_the_lessons)
{
    const struct app_key enter = {.code = APP_KEY_ENTER};
    const struct app_key down = {.code = APP_KEY_DOWN};
    start();
    press('n');
    app_press(&app, down);
    app_press(&app, enter);
    ck_assert(app.lab->row == 1 && app.lab->masks->grid[1][0] == 0);
    press('m');
    ck_assert(app.lab->masks->preset == LAB_OPEN && app.history.at == 0);
    press(' ');
    ck_assert(app.lab != NULL && app.lesson.stop == 2);
    finish();
}
END_TEST

START_TEST(the_walk_that_is_out_of_sight_stays_as_it_is)
{
    static const char keys[] = "sdtrvB]G$oe";
    start();
    for (int i = 0; i < 4; i++) {
        press('n');
    }
    press('b');
    ck_assert(app.lab != NULL && app.lab->kind == LAB_SCALING);
    const struct app_place before = app.now;
    for (const char *c = keys; *c != '\0'; c++) {
        press((uint32_t)*c);
        ck_assert_msg(app.history.at == 0 && !app.prompt.open, "%c", *c);
        ck_assert_msg(memcmp(&before, &app.now, sizeof before) == 0, "%c", *c);
    }
    finish();
}
END_TEST

START_TEST(what_was_turned_stays_to_the_next_stop_and_is_put_back_by_one_key)
{
    start();
    press('n');
    press('m');
    press(' ');
    ck_assert_int_eq(app.lab->masks->preset, LAB_CAUSAL);
    press('R');
    ck_assert_int_eq(app.lab->masks->preset, LAB_OPEN);
    finish();
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("instruments in lessons");
    TCase *const t = tcase_create("lesson");
    tcase_add_test(t, on_the_smallest_screen_it_is_one_line_that_its_keys_turn);
    tcase_add_test(t, the_help_has_its_keys_and_those_of_the_lesson);
    tcase_add_test(t, it_stands_in_the_walks_place_from_its_block_on_until_none);
    tcase_add_test(t, its_keys_come_before_those_of_the_lesson_and_what_it_has_not_is_the_lessons);
    tcase_add_test(t, the_walk_that_is_out_of_sight_stays_as_it_is);
    tcase_add_test(t, what_was_turned_stays_to_the_next_stop_and_is_put_back_by_one_key);
    suite_add_tcase(s, t);
    return s;
}
