/* A lesson on the screen: what its keys do. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_case.h"
#include "runner.h"

static struct app_case *c;

static void unmake(void)
{
    if (c != NULL) {
        app_case_finish(c);
        c = NULL;
    }
}

static void play(const char *keys)
{
    app_case_play(c, keys);
}

#define assert_shows(text) ck_assert_msg(app_case_shows(c, text), "not shown: %s", text)
#define assert_hides(text) ck_assert_msg(!app_case_shows(c, text), "shown: %s", text)

static const struct app_lesson *lesson(void)
{
    return &c->app.lesson;
}

static const char small[] = "---\n"
                            "title: Small\n"
                            "variant: single\n"
                            "tokens: the cat\n"
                            "dim: 2\n"
                            "---\n"
                            "# First page\n"
                            "Words with *stress* and `code`.\n"
                            "\n"
                            "```attn\n"
                            "q:\n"
                            "  1 0\n"
                            "  0 2\n"
                            "k:\n"
                            "  1 1\n"
                            "  3 1\n"
                            "v:\n"
                            "  1 0\n"
                            "  0 1\n"
                            "at: scores[the,the]\n"
                            "to: scores[cat,cat]\n"
                            "```\n"
                            "\n"
                            "More words.\n"
                            "\n"
                            "```attn\n"
                            "at: scores[cat]\n"
                            "ask: scores[cat,cat]\n"
                            "tolerance: 0.5\n"
                            "hint: Two times one.\n"
                            "hint: Nothing times three.\n"
                            "why: It is two.\n"
                            "note: Only for teachers.\n"
                            "```\n"
                            "\n"
                            "## Question: which one?\n"
                            "- [ ] This\n"
                            "  > Not this.\n"
                            "- [x] That\n"
                            "\n"
                            "> That is why.\n"
                            "\n"
                            "## Question: which two?\n"
                            "- [x] One\n"
                            "- [x] Two\n"
                            "- [ ] Three\n"
                            "\n"
                            "> Because.\n";

static void start_small(void)
{
    c = lesson_case_text(small);
}

static void start_at(const char *keys)
{
    start_small();
    play(keys);
}

START_TEST(steps_and_text_are_one_line_of_thought)
{
    start_small();
    assert_shows("First page");
    assert_hides("More words");
    play("n n n");
    ck_assert_uint_eq(lesson()->k, 3);
    assert_hides("More words");
    play("n");
    assert_shows("More words");
    assert_shows("Words with stress");
    play("n n n n");
    assert_shows("The end of the lesson");
    play("b b b b b b b b");
    assert_shows("The beginning of the lesson");
}
END_TEST

START_TEST(a_number_that_is_asked_for_is_a_question_mark_until_it_is_answered)
{
    start_at("n n n n");
    assert_shows("What is scores[cat,cat]?");
    assert_shows("within 0.5");
    assert_shows("2▌   ?");
    play("Enter 2.4 Enter");
    assert_shows("✓ Right.");
    assert_shows("It is two.");
    assert_shows("2▌   2");
}
END_TEST

START_TEST(a_wrong_number_can_be_tried_again)
{
    start_at("n n n n Enter 5 Enter");
    assert_shows("✗ Not 5.");
    assert_hides("It is two.");
    play("H");
    assert_shows("Two times one.");
    assert_hides("Nothing times three.");
    play("H H");
    assert_shows("Nothing times three.");
    assert_shows("no more hints");
    play("2 Enter");
    assert_shows("✓ Right.");
}
END_TEST

START_TEST(what_cannot_be_read_is_asked_about_again_and_counts_as_no_try)
{
    start_at("n n n n Enter two Enter");
    assert_shows("cannot be read");
    ck_assert_int_eq(lesson()->asked[0].tries, 0);
    play("Enter Enter");
    ck_assert(!lesson()->asked[0].done);
}
END_TEST

START_TEST(an_answer_can_be_shown_and_a_question_passed_by)
{
    start_at("n n n n S");
    assert_shows("It is two.");
    ck_assert(lesson()->asked[0].done && !lesson()->asked[0].right);
    play("n");
    assert_shows("which one?");
    play("n");
    assert_shows("which two?");
    play("b");
    assert_shows("which one?");
    assert_hides("That is why.");
}
END_TEST

START_TEST(one_right_choice_is_taken_by_its_number_or_by_the_arrows)
{
    start_at("n n n n n 1 Enter");
    assert_shows("Not this.");
    assert_hides("That is why.");
    play("Down Enter");
    assert_shows("✓ Right.");
    assert_shows("That is why.");
    play("Space");
    assert_shows("which two?");
}
END_TEST

START_TEST(several_right_choices_are_ticked_one_by_one)
{
    start_at("n n n n n n Enter");
    assert_shows("Tick what is right first");
    play("Space Enter");
    assert_shows("1 more is");
    play("3 Enter");
    assert_shows("1 of those is not");
    play("2 Enter");
    assert_shows("✓ Right.");
}
END_TEST

START_TEST(escape_gives_the_keys_to_the_walk_and_back)
{
    start_at("n n n n n");
    ck_assert_uint_eq(app_scope(&c->app), APP_IN_CHOICE);
    play("Esc");
    ck_assert_uint_eq(app_scope(&c->app), APP_IN_LESSON);
    const struct attn_cell before = c->app.now.cursor;
    play("Right");
    ck_assert(memcmp(&before, &c->app.now.cursor, sizeof before) != 0);
    play("Esc");
    ck_assert_uint_eq(app_scope(&c->app), APP_IN_CHOICE);
}
END_TEST

START_TEST(a_change_is_said_to_be_put_back)
{
    start_at("s");
    ck_assert(app_lesson_away(&c->app));
    play("n");
    assert_shows("What you changed in the walk has been put back.");
    ck_assert(!app_lesson_away(&c->app));
    play("n s R");
    assert_shows("The walk is as the lesson has it again.");
    play("R");
    assert_shows("Nothing was changed.");
}
END_TEST

static const char telling[] = "---\n"
                              "title: Telling\n"
                              "variant: single\n"
                              "tokens: the cat\n"
                              "dim: 2\n"
                              "---\n"
                              "# First page\n"
                              "The scores have a spread of 1.\n"
                              "\n"
                              "```attn\n"
                              "q:\n"
                              "  1 1\n"
                              "  1 -1\n"
                              "k:\n"
                              "  1 1\n"
                              "  1 -1\n"
                              "v:\n"
                              "  1 0\n"
                              "  0 1\n"
                              "at: scores\n"
                              "says: sd(scores) = 1\n"
                              "says: sd(scaled) = 0.71\n"
                              "says: operations(scores) = 16\n"
                              "says: scores[the,the] = 2\n"
                              "```\n"
                              "\n"
                              "They will be divided.\n"
                              "\n"
                              "# Second page\n"
                              "Nothing is measured.\n"
                              "\n"
                              "```attn\n"
                              "at: weights\n"
                              "ask: weights[the,the]\n"
                              "says: sum(weights[the]) = 1\n"
                              "```\n";

START_TEST(what_no_cell_shows_is_told_below_the_walk_and_follows_it)
{
    c = lesson_case_text(telling);
    play("");
    assert_shows("sd: scores 1.0000, scaled 0.7071   operations: scores 16\n");
    play("n");
    assert_shows("They will be divided.");
    assert_shows("sd: scores 1.0000, scaled 0.7071");
    play("s"); /* the scaling off */
    assert_shows("sd: scores 1.0000, scaled 1.0000");
    play("n");
    assert_shows("Nothing is measured.");
    assert_hides("sd: ");
    assert_hides("sum: "); /* it would help with what is asked */
    play("S");
    assert_shows("sum: weights[the] 1.0000");
    play("Enter");
    assert_hides("sum: "); /* a cell's arithmetic takes the place */
}
END_TEST

START_TEST(notes_are_shown_to_who_asks_for_them)
{
    start_at("n n n n");
    assert_hides("Only for teachers.");
    play("N");
    assert_shows("Only for teachers.");
    play("N");
    assert_hides("Only for teachers.");
}
END_TEST

START_TEST(the_text_of_a_lesson_is_searched)
{
    start_small();
    play("/");
    app_case_type(c, "which ONE");
    play("Enter");
    assert_shows("which one?");
    play("/");
    app_case_type(c, "stress and");
    play("Enter");
    ck_assert_int_eq(lesson()->stop, 0);
    play("/");
    app_case_type(c, "scores[1,0]");
    play("Enter");
    ck_assert_int_eq(c->app.now.cursor.at[1], 1);
}
END_TEST

START_TEST(autoplay_goes_through_the_lesson_and_waits_at_a_question)
{
    const struct app_key over = {.code = APP_KEY_TIMEOUT};
    start_at("a");
    for (int i = 0; i < 4; i++) {
        ck_assert_int_gt(app_wait(&c->app), 0);
        app_press(&c->app, over);
        app_draw(&c->app, c->frame);
    }
    ck_assert_int_eq(app_wait(&c->app), -1);
    assert_shows("A question");
}
END_TEST

/** Twenty-five words with the heading, then two. */
static const char long_text[] = "---\ntitle: Long\nvariant: single\ndim: 2\n---\n\n"
                                "# One two three\n\n"
                                "one two three *four* five six seven eight nine ten eleven twelve "
                                "one two three four five six seven `eight` nine ten\n\n"
                                "```attn\nat: scores[0,0]\n```\n\n"
                                "# Short page\n\n```attn\nat: scores[0,1]\n```\n\n"
                                "# Last page\n\nThe end.\n";

START_TEST(autoplay_leaves_time_to_read_what_is_new)
{
    c = lesson_case_text(long_text);
    play("a");
    ck_assert_int_eq(app_wait(&c->app), 6000); /* four words a second */
    assert_shows("or as one reads");
    play(">");
    ck_assert_int_eq(app_wait(&c->app), 3000);
    play("< <");
    ck_assert_int_eq(app_wait(&c->app), 12000);
    play("> n a"); /* two words: a step a second as ever */
    ck_assert_int_eq(app_wait(&c->app), 1000);
}
END_TEST

START_TEST(where_one_was_is_found_again_by_the_pages_title)
{
    start_at("n n n n n");
    struct app_last last;
    ck_assert(app_remember(&c->app, &last));
    ck_assert_str_eq(last.page, "which one?");
    app_lesson_resume(&c->app, last.stop, last.k, last.page);
    assert_hides("changed since");
    app_lesson_resume(&c->app, 0, 0, last.page);
    app_draw(&c->app, c->frame);
    assert_shows("which one?");
    assert_shows("The lesson has changed since: this is the page");
    app_lesson_resume(&c->app, 2, 0, "Gone");
    app_draw(&c->app, c->frame);
    assert_shows("First page");
    assert_shows("begins anew");
    app_last_finish(&last);
}
END_TEST

/* All numbers are given; a bug is held against what is right. */
static const char given[] = "---\ntitle: Given\nvariant: single\n---\n# One\nWords.\n\n"
                            "```attn\nq:\n  1 2\n  3 0\nk:\n  1 1\n  0 2\nv:\n  1 0\n  0 5\n"
                            "bug: no-scale\nat: weights\n```\n";

START_TEST(a_key_that_changes_nothing_says_so)
{
    static const struct {
        const char *keys, *said;
    } pressed[] = {{"r", "lesson's own"},
                   {"c", "numpy:  e = np.exp("},
                   {"c c c c", "pytorch:  "},
                   {"v", "it computes the same"},
                   {"V", "no longer against the right"}};
    c = lesson_case_text(given);
    play(pressed[_i].keys);
    ck_assert_msg(strstr(c->app.message, pressed[_i].said) != NULL, "%s: %s", pressed[_i].keys,
                  c->app.message);
}
END_TEST

START_TEST(a_seed_is_said_where_it_gives_numbers)
{
    c = lesson_case_text("---\ntitle: Drawn\nvariant: single\n---\n# One\nWords.\n\n"
                         "```attn\nat: weights\n```\n");
    play("r");
    ck_assert_msg(strstr(c->app.message, "Seed 43") != NULL, "%s", c->app.message);
}
END_TEST

Suite *suite(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    Suite *const s = suite_create("lesson keys");
    TCase *const keys = tcase_create("keys");
    tcase_add_checked_fixture(keys, NULL, unmake);
    tcase_add_test(keys, steps_and_text_are_one_line_of_thought);
    tcase_add_test(keys, a_number_that_is_asked_for_is_a_question_mark_until_it_is_answered);
    tcase_add_test(keys, a_wrong_number_can_be_tried_again);
    tcase_add_test(keys, what_cannot_be_read_is_asked_about_again_and_counts_as_no_try);
    tcase_add_test(keys, an_answer_can_be_shown_and_a_question_passed_by);
    tcase_add_test(keys, one_right_choice_is_taken_by_its_number_or_by_the_arrows);
    tcase_add_test(keys, several_right_choices_are_ticked_one_by_one);
    tcase_add_test(keys, escape_gives_the_keys_to_the_walk_and_back);
    tcase_add_test(keys, a_change_is_said_to_be_put_back);
    tcase_add_test(keys, what_no_cell_shows_is_told_below_the_walk_and_follows_it);
    tcase_add_test(keys, notes_are_shown_to_who_asks_for_them);
    tcase_add_test(keys, the_text_of_a_lesson_is_searched);
    tcase_add_test(keys, autoplay_goes_through_the_lesson_and_waits_at_a_question);
    tcase_add_test(keys, autoplay_leaves_time_to_read_what_is_new);
    tcase_add_test(keys, where_one_was_is_found_again_by_the_pages_title);
    tcase_add_loop_test(keys, a_key_that_changes_nothing_says_so, 0, 5);
    tcase_add_test(keys, a_seed_is_said_where_it_gives_numbers);
    suite_add_tcase(s, keys);
    return s;
}
