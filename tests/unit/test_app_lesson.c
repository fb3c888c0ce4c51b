/* A lesson on the screen: what holds of every lesson and every place in it. */
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

static const struct app_lesson *lesson(void)
{
    return &c->app.lesson;
}

/** Two pictures are the same; else the first row that differs is told. */
static void assert_same(const char *was, const char *is, const char *where, int press)
{
    while (*was != '\0' && strncmp(was, is, strcspn(was, "\n") + 1) == 0) {
        is += strcspn(was, "\n") + 1;
        was += strcspn(was, "\n") + 1;
    }
    ck_assert_msg(*was == *is && *was == '\0', "%s, press %d:\n%.*s\n%.*s", where, press,
                  (int)strcspn(was, "\n"), was, (int)strcspn(is, "\n"), is);
}

/* ---- every lesson ---- */

enum { PRESSES_MAX = 4000 };

static char *pictures[PRESSES_MAX];

START_TEST(every_step_back_is_exactly_the_one_that_went_on)
{
    int n = 0;
    c = lesson_case_start(_i / 2, _i % 2 == 0 ? 80 : 120, _i % 2 == 0 ? 24 : 40);
    while (n < PRESSES_MAX && !app_lesson_at_end(&c->app)) {
        pictures[n++] = app_case_picture(c);
        play("n");
    }
    ck_assert_msg(n < PRESSES_MAX, "%s does not end", lesson_case_stem(_i / 2));
    ck_assert_int_eq(lesson()->stop + 1, lesson()->lesson.n_stops);
    while (n > 0) {
        play("b");
        char *const back = app_case_picture(c);
        n--;
        assert_same(pictures[n], back, lesson_case_stem(_i / 2), n);
        free(back);
        free(pictures[n]);
    }
    ck_assert_int_eq(lesson()->stop, 0);
    ck_assert_uint_eq(lesson()->k, 0);
}
END_TEST

/** Change whatever the place lets itself be changed in; an instrument stays as it was left (see
 * test_app_lab_lesson.c). */
static void explore(int i)
{
    if (c->app.lab != NULL) {
        return;
    }
    static const char *const changes[] = {"s", "r", "m", "t", "B", "v", "]", "Tab", "V", "d"};
    enum { N_CHANGES = sizeof changes / sizeof changes[0] };
    play("Esc");
    play(changes[i % N_CHANGES]);
    play(changes[(i + 3) % N_CHANGES]);
    play("Right Down");
}

START_TEST(what_a_learner_changes_is_put_back_by_one_key_and_by_going_on)
{
    c = lesson_case_start(_i, 80, 24);
    for (int i = 0; !app_lesson_at_end(&c->app); i++) {
        char *const before = app_case_picture(c);
        const int scroll = lesson()->scroll;
        explore(i);
        play("R");
        c->app.lesson.scroll = scroll;
        char *const after = app_case_picture(c);
        assert_same(before, after, lesson_case_stem(_i), i);
        free(after);
        const int stop = lesson()->stop;
        const size_t k = lesson()->k;
        play("n");
        char *const next = app_case_picture(c);
        play("b");
        explore(i + 1);
        c->app.lesson.scroll = scroll;
        play("n");
        char *const again = app_case_picture(c);
        if (lesson()->stop != stop || lesson()->k != k) { /* else the text alone went on */
            assert_same(next, again, lesson_case_stem(_i), i);
        }
        const int at = lesson()->scroll;
        play("R");
        c->app.lesson.scroll = at;
        free(before);
        free(next);
        free(again);
    }
}
END_TEST

START_TEST(every_page_is_reached_from_the_list_of_pages)
{
    c = lesson_case_start(_i, 80, 24);
    for (int page = lesson()->lesson.n_pages - 1; page >= 0; page--) {
        play("T Up Enter"); /* from the first one to the last, and up to the first again */
        ck_assert_int_eq(lesson()->lesson.stops[lesson()->stop].page, page);
        ck_assert_int_eq(lesson()->stop, lesson()->lesson.pages[page].stop);
    }
}
END_TEST

/** What a learner who knows everything would do with the question of this place. */
static void answer_rightly(void)
{
    const struct lesson_question *const q = app_lesson_waiting(&c->app);
    char text[80];
    char keys[16];
    if (q->kind == LESSON_CHOICE) {
        for (int i = 0; i < q->n_choices; i++) {
            if (q->choices[i].right) {
                snprintf(keys, sizeof keys, "%d", i + 1);
                play(keys);
            }
        }
        play("Enter");
        return;
    }
    lesson_right_text(q, &lesson()->right, text, sizeof text);
    play("Enter");
    app_case_type(c, text);
    play("Enter");
}

START_TEST(every_question_takes_its_own_answer)
{
    int n = 0;
    c = lesson_case_start(_i, 80, 24);
    for (; !app_lesson_at_end(&c->app); play("n")) {
        if (app_lesson_waiting(&c->app) != NULL) {
            const int question = app_lesson_question(&c->app);
            answer_rightly();
            ck_assert_msg(lesson()->asked[question].done && lesson()->asked[question].right,
                          "%s, line %d: %s", lesson_case_stem(_i),
                          lesson()->lesson.questions[question].line,
                          lesson()->asked[question].said);
            n++;
        }
    }
    ck_assert_int_ge(n + (app_lesson_waiting(&c->app) != NULL), lesson()->lesson.n_questions);
}
END_TEST

START_TEST(nothing_that_is_asked_for_is_shown_before_it_is_answered)
{
    c = lesson_case_start(_i, 120, 40);
    for (; !app_lesson_at_end(&c->app); play("n")) {
        const struct lesson_question *const q = app_lesson_waiting(&c->app);
        if (q == NULL || q->ask.name[0] == '\0' || q->kind != LESSON_NUMBER) {
            continue;
        }
        play("Esc");
        const struct attn_cell asked = lesson()->right.asked;
        c->app.now.cursor = asked;
        play("Enter");
        ck_assert(!c->app.now.open);
        play("Esc");
        char *const before = app_case_text(c);
        ck_assert_msg(strchr(before, '?') != NULL, "%s", before);
        play("S");
        ck_assert(lesson()->asked[app_lesson_question(&c->app)].done);
        play("Enter");
        ck_assert(c->app.now.open ==
                  (attn_trace_writer(c->app.trace, asked.tensor) != ATTN_NO_STAGE &&
                   walk_computed(c->app.trace, &c->app.now.step, asked)));
        play("Esc");
        free(before);
    }
}
END_TEST

START_TEST(every_size_shows_every_place)
{
    static const int sizes[][2] = {{12, 40}, {18, 60}, {24, 80}, {30, 109}, {16, 110}, {60, 200}};
    c = lesson_case_start(_i, 80, 24);
    for (int press = 0; !app_lesson_at_end(&c->app); play("n"), press++) {
        const int *const size = sizes[press % 6];
        struct frame *const f = frame_create(size[0], size[1], press % 2 == 0);
        const struct view_lesson_map was = c->app.lesson.shown;
        const int scroll = c->app.lesson.scroll;
        app_draw(&c->app, f);
        for (int i = 0; f->ascii && i < f->rows * f->cols; i++) {
            const unsigned char ch = (unsigned char)f->cells[i].glyph[0];
            ck_assert_msg(ch >= 0x20 && ch < 0x7F, "%s, press %d", lesson_case_stem(_i), press);
        }
        ck_assert_int_ge(lesson()->shown.rows, 4);
        frame_destroy(f);
        c->app.lesson.shown = was;
        c->app.lesson.scroll = scroll;
        app_draw(&c->app, c->frame);
    }
}
END_TEST

START_TEST(what_is_said_of_a_question_comes_into_view_on_the_smallest_screen)
{
    c = lesson_case_start(_i, 40, 12);
    for (int stop = 0; stop < lesson()->lesson.n_stops; stop++) {
        const int question = lesson()->lesson.stops[stop].question;
        if (question < 0) {
            continue;
        }
        const struct lesson_question *const q = &lesson()->lesson.questions[question];
        char where[64];
        snprintf(where, sizeof where, "%.20s, question %d", lesson_case_stem(_i), question);
        ck_assert_msg(app_lesson_go(&c->app, stop, (size_t)-1), "%s", where);
        app_draw(&c->app, c->frame);
        ck_assert_msg(!app_case_shows(c, "Hint"), "%s", where);
        for (int i = 0; i < q->n_hints; i++) {
            char hint[24];
            play("H");
            snprintf(hint, sizeof hint, q->n_hints > 1 ? "Hint %d of" : "Hint", i + 1);
            ck_assert_msg(app_case_shows(c, hint), "%s: no %s", where, hint);
        }
        for (int i = 0; i < q->n_choices; i++) {
            if (!q->choices[i].right && q->n_right == 1) {
                char keys[24];
                snprintf(keys, sizeof keys, "%d Enter", i + 1);
                play(keys);
                ck_assert_msg(app_case_shows(c, "✗"), "%s: choice %d", where, i + 1);
                ck_assert_msg(q->choices[i].why.n == 0 || app_case_shows(c, "│ "), "%s: choice %d",
                              where, i + 1);
            }
        }
        play("S");
        ck_assert_msg(app_case_shows(c, "Right is ") || app_case_shows(c, "Right are "), "%s",
                      where);
        ck_assert_msg(q->n_explanation == 0 || app_case_shows(c, "│ "), "%s", where);
    }
}
END_TEST

Suite *suite(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    const int n = lesson_case_count();
    Suite *const s = suite_create("every lesson");
    TCase *const all = tcase_create("every lesson");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, NULL, unmake);
    tcase_add_loop_test(all, every_step_back_is_exactly_the_one_that_went_on, 0, 2 * n);
    tcase_add_loop_test(all, what_a_learner_changes_is_put_back_by_one_key_and_by_going_on, 0, n);
    tcase_add_loop_test(all, every_page_is_reached_from_the_list_of_pages, 0, n);
    tcase_add_loop_test(all, every_question_takes_its_own_answer, 0, n);
    tcase_add_loop_test(all, nothing_that_is_asked_for_is_shown_before_it_is_answered, 0, n);
    tcase_add_loop_test(all, every_size_shows_every_place, 0, n);
    tcase_add_loop_test(all, what_is_said_of_a_question_comes_into_view_on_the_smallest_screen, 0,
                        n);
    suite_add_tcase(s, all);
    return s;
}
