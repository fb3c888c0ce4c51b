/* attn walk LESSON without a screen: every lesson read line by line, and what a lesson's command
 * line refuses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "lesson_case.h"
#include "program.h"
#include "runner.h"
#include "scratch.h"

static const char *lesson_path(int i)
{
    static char path[4400];
    snprintf(path, sizeof path, "%s/lessons/%s.md", getenv("ATTN_SOURCE"), lesson_case_stem(i));
    return path;
}

/** Does a lesson show an instrument that measures time? */
static bool measures_time(const struct lesson *l)
{
    bool measures = false;
    for (int i = 0; i < l->n_steps; i++) {
        measures = measures || (l->steps[i].lab_given && l->steps[i].lab == LAB_COST);
    }
    return measures;
}

/** Every page, one after the other. */
static void assert_pages(const char *out, const struct lesson *l, const char *stem)
{
    for (int i = 0; i < l->n_pages; i++) {
        char page[64];
        snprintf(page, sizeof page, "\nPage %d of %d", i + 1, l->n_pages);
        out = strstr(out, page);
        ck_assert_msg(out != NULL, "%s has no page %d", stem, i + 1);
    }
}

static int count_of(const char *text, const char *part)
{
    int n = 0;
    for (text = strstr(text, part); text != NULL; text = strstr(text + 1, part)) {
        n++;
    }
    return n;
}

START_TEST(a_screen_reader_reads_a_lesson_from_end_to_end)
{
    const char *const stem = lesson_case_stem(_i);
    const struct program program = {.args = {"walk", lesson_path(_i), "--plain"}};
    struct program_result r;
    struct app_case *const c = lesson_case_start(_i, 80, 24);
    const struct lesson *const l = &c->app.lesson.lesson;
    char name[200];
    program_run(&program, &r);
    ck_assert_msg(r.status == 0 && r.err[0] == '\0', "%s: exit %d: %s", stem, r.status, r.err);
    ck_assert_ptr_null(strchr(r.out, '\033'));
    assert_pages(r.out, l, stem);
    int asked = 0;
    for (int i = 0; i < l->n_stops; i++) {
        asked += l->stops[i].question >= 0 ? 1 : 0;
    }
    ck_assert_int_ge(count_of(r.out, "The answer: "), asked); /* the end of input shows them */
    if (!measures_time(l)) {
        snprintf(name, sizeof name, "lessons/%s-plain.txt", stem);
        golden_check(name, r.out);
    }
    program_finish(&r);
    app_case_finish(c);
}
END_TEST

/** The longest line, in columns. */
static int widest_line(const char *text)
{
    int widest = 0;
    int columns = 0;
    for (; *text != '\0'; text++) {
        columns = *text == '\n' ? 0 : columns + (((unsigned char)*text & 0xC0) != 0x80 ? 1 : 0);
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

static const int list_columns[] = {44, 60, 80, 100};

START_TEST(the_list_of_lessons_is_no_wider_than_the_screen)
{
    char columns[16];
    struct program_result r;
    snprintf(columns, sizeof columns, "%d", list_columns[_i]);
    ck_assert_int_eq(setenv("COLUMNS", columns, 1), 0);
    const struct program program = {.args = {"lesson", "list"}};
    program_run(&program, &r);
    ck_assert_int_eq(r.status, 0);
    ck_assert_int_eq(count_of(r.out, "\n"), lesson_case_count());
    ck_assert_msg(widest_line(r.out) <= list_columns[_i], "%s", r.out);
    const bool whole = count_of(r.out, " min)") == lesson_case_count();
    ck_assert_msg(whole == (list_columns[_i] >= 80), "%s", r.out);
    program_finish(&r);
}
END_TEST

START_TEST(without_utf8_a_lesson_is_ascii)
{
    const struct program program = {.args = {"walk", lesson_path(_i), "--plain"}, .locale = "C"};
    struct program_result r;
    program_run(&program, &r);
    ck_assert_int_eq(r.status, 0);
    for (const char *at = r.out; *at != '\0'; at++) {
        ck_assert_msg((unsigned char)*at < 0x80, "%s: %.40s", lesson_case_stem(_i), at);
    }
    program_finish(&r);
}
END_TEST

START_TEST(answers_are_lines_of_standard_input)
{
    struct program_result r;
    scratch_begin();
    static const char lesson[] =
        "---\ntitle: T\nvariant: single\n---\n# One\nWords.\n\n"
        "```attn\nat: weights\nask: weights[0,1]\nhint: No.\n```\n\n"
        "# Question: which?\n- [ ] this\n  > Not this.\n- [x] that\n\n> So.\n";
    scratch_put("lesson.md", lesson, strlen(lesson));
    static const char answers[] = "x\n?\n9\n\nz\na\nb\n";
    scratch_put("answers", answers, strlen(answers));
    const struct program program = {.args = {"walk", scratch_path("lesson.md"), "--plain"},
                                    .input = scratch_path("answers")};
    program_run(&program, &r);
    ck_assert_int_eq(r.status, 0);
    static const char *const shown[] = {"cannot be read", "Hint: No.",   "Not 9",
                                        "The answer: ",   "one of them", "Not a: Not this.",
                                        "Right.",         "So."};
    const char *at = r.out;
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const char *const next = strstr(at, shown[i]);
        ck_assert_msg(next != NULL, "%s is not in %s", shown[i], at);
        at = next;
    }
    program_finish(&r);
    scratch_end();
}
END_TEST

START_TEST(the_keys_of_a_lesson_are_lines_too)
{
    struct program_result r;
    scratch_begin();
    static const char lesson[] = "---\ntitle: T\nvariant: single\n---\n# One\nWords.\n\n"
                                 "```attn\nat: q\nnote: Wait a little.\n```\n\n"
                                 "# Two\nMore.\n\n```attn\nat: weights\nask: weights[0,1]\n"
                                 "note: And here.\n```\n\n# Three\nThe end.\n\n"
                                 "```attn\nat: context\n```\n";
    scratch_put("lesson.md", lesson, strlen(lesson));
    static const char keys[] = "N\n?\nT\n9\nT\n2\nT\n\nb\n\nN\n/\nthe END\nq\n";
    scratch_put("keys", keys, strlen(keys));
    const struct program program = {.args = {"walk", scratch_path("lesson.md"), "--plain"},
                                    .input = scratch_path("keys")};
    program_run(&program, &r);
    ck_assert_int_eq(r.status, 0);
    static const char *const shown[] = {"b back, T pages, N notes", /* said once, at the start */
                                        "Page 1 of 3",
                                        "Note: Wait a little.",  /* N */
                                        "T: the lesson's pages", /* ? */
                                        "1. One (here)",
                                        "no such page", /* T 9 */
                                        "Page 2 of 3",
                                        "Note: And here.",
                                        "Your answer",
                                        "2. Two (here)",
                                        "Your answer", /* T and an empty line, at a question */
                                        "Page 1 of 3", /* b */
                                        "Page 2 of 3",
                                        "left out again",
                                        "Your answer"};
    const char *at = r.out;
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const char *const next = strstr(at, shown[i]);
        ck_assert_msg(next != NULL, "%s is not in %s", shown[i], at);
        at = next + 1;
    }
    ck_assert_int_eq(count_of(r.out, "b back, T pages"), 2); /* and in the help */
    ck_assert_msg(strstr(r.out, "plays") == NULL, "keys of the screen alone");
    program_finish(&r);
    scratch_end();
}
END_TEST

/* What walk refuses: the arguments, the exit status, and what it says. */
static const struct {
    const char *args[5];
    int status;
    const char *says;
} refused[] = {
    {{"walk", "sinlge"}, 2, "did you mean single?"},
    {{"walk", "the-pictrue"}, 2, "did you mean the-picture?"},
    {{"walk", "99"}, 2, "no such lesson"},
    {{"walk", "absent.md"}, 1, "absent.md"},
    {{"walk", "sound.md", "--seed=3"}, 2, "sets this itself"},
    {{"walk", "sound.md", "--goto=7"}, 2, "no page 7"},
    {{"walk", "v3", "--goto=2"}, 2, "this is for a lesson"},
    {{"walk", "v3", "--present"}, 2, "this is for a lesson"},
};

enum { N_REFUSED = sizeof refused / sizeof refused[0] };

START_TEST(what_is_refused_is_told_with_what_would_be_right)
{
    struct program program = {.args = {NULL}};
    struct program_result r;
    for (int i = 0; i < 5; i++) {
        program.args[i] = refused[_i].args[i];
    }
    program_run(&program, &r);
    ck_assert_msg(r.status == refused[_i].status, "%s: exit %d: %s", refused[_i].says, r.status,
                  r.err);
    ck_assert_msg(strstr(r.err, refused[_i].says) != NULL, "%s: %s", refused[_i].says, r.err);
    ck_assert_uint_eq(r.n_out, 0);
    program_finish(&r);
}
END_TEST

START_TEST(a_broken_lesson_shows_its_errors_as_the_check_does)
{
    const struct program walk = {.args = {"walk", "broken.md"}};
    const struct program check = {.args = {"lesson", "check", "broken.md"}};
    struct program_result r;
    struct program_result same;
    program_run(&walk, &r);
    program_run(&check, &same);
    ck_assert_int_eq(r.status, 1);
    ck_assert_str_eq(r.out, same.out);
    program_finish(&r);
    program_finish(&same);
}
END_TEST

START_TEST(a_lesson_begins_where_it_is_told_to)
{
    const struct program program = {
        .args = {"walk", "1", "--goto", "shares", "--size", "80x24", "--keys", "b n"}};
    struct program_result r;
    program_run(&program, &r);
    ck_assert_int_eq(r.status, 0);
    ck_assert_ptr_nonnull(strstr(r.out, "From scores to shares"));
    program_finish(&r);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("lessons line by line");
    TCase *const t = tcase_create("all");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, a_screen_reader_reads_a_lesson_from_end_to_end, 0, lesson_case_count());
    tcase_add_loop_test(t, the_list_of_lessons_is_no_wider_than_the_screen, 0,
                        sizeof list_columns / sizeof list_columns[0]);
    tcase_add_loop_test(t, without_utf8_a_lesson_is_ascii, 0, lesson_case_count());
    tcase_add_test(t, answers_are_lines_of_standard_input);
    tcase_add_test(t, the_keys_of_a_lesson_are_lines_too);
    tcase_add_loop_test(t, what_is_refused_is_told_with_what_would_be_right, 0, N_REFUSED);
    tcase_add_test(t, a_broken_lesson_shows_its_errors_as_the_check_does);
    tcase_add_test(t, a_lesson_begins_where_it_is_told_to);
    suite_add_tcase(s, t);
    return s;
}
