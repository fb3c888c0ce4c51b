/* Recordings: each line is JSON, times go on, and a terminal that plays one ends on its last
 * screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <vterm.h>

#include "program.h"
#include "runner.h"
#include "scratch.h"

enum { ROWS = 24, COLS = 80, SCREEN_MAX = ROWS * (COLS * 4 + 1) + 1 };

static char lessons[4096];

/** attn export WORD --cast FILE. @return the recording, owned by the caller. */
static char *recorded(const char *word, const char *option, const char *value)
{
    struct program_result r;
    size_t n = 0;
    const struct program program = {
        .args = {"export", word, "--cast", scratch_path("a.cast"), option, value}};
    program_run(&program, &r);
    ck_assert_msg(r.status == 0, "%s", r.err);
    ck_assert_msg(strstr(r.out, "screens") != NULL, "%s", r.out);
    program_finish(&r);
    return (char *)scratch_get("a.cast", &n);
}

/** What a terminal shows, as text: rows without trailing spaces. */
static void screen_text(VTermScreen *screen, char out[SCREEN_MAX])
{
    size_t n = 0;
    for (int row = 0; row < ROWS; row++) {
        const VTermRect rect = {row, row + 1, 0, COLS};
        size_t length = vterm_screen_get_text(screen, out + n, (size_t)COLS * 4, rect);
        while (length > 0 && out[n + length - 1] == ' ') {
            length--;
        }
        n += length;
        out[n++] = '\n';
    }
    out[n] = '\0';
}

/** Play a recording, checking every line. @return how many screens it has. */
static int play(char *cast, char shown[SCREEN_MAX])
{
    VTerm *const terminal = vterm_new(ROWS, COLS);
    ck_assert_ptr_nonnull(terminal);
    vterm_set_utf8(terminal, 1);
    VTermScreen *const screen = vterm_obtain_screen(terminal);
    vterm_screen_reset(screen, 1);
    double last = -1;
    int n = 0;
    for (char *line = strtok(cast, "\n"); line != NULL; line = strtok(NULL, "\n"), n++) {
        json_t *const json = json_loads(line, 0, NULL);
        ck_assert_msg(json != NULL, "line %d: %.60s", n + 1, line);
        if (n == 0) {
            ck_assert_int_eq(json_integer_value(json_object_get(json, "version")), 2);
            ck_assert_int_eq(json_integer_value(json_object_get(json, "width")), COLS);
            ck_assert_int_eq(json_integer_value(json_object_get(json, "height")), ROWS);
            ck_assert_ptr_nonnull(json_string_value(json_object_get(json, "title")));
        } else {
            const double time = json_number_value(json_array_get(json, 0));
            const json_t *const data = json_array_get(json, 2);
            ck_assert_uint_eq(json_array_size(json), 3);
            ck_assert_str_eq(json_string_value(json_array_get(json, 1)), "o");
            ck_assert_msg(n == 1 ? time == 0 : time >= last + 2, "%f after %f", time, last);
            last = time;
            vterm_input_write(terminal, json_string_value(data), json_string_length(data));
        }
        json_decref(json);
    }
    screen_text(screen, shown);
    vterm_free(terminal);
    return n - 2;
}

static void begin(void)
{
    snprintf(lessons, sizeof lessons, "%s/lessons", getenv("ATTN_SOURCE"));
    scratch_begin();
}

START_TEST(the_recording_of_a_walk_ends_on_its_last_screen)
{
    static char shown[SCREEN_MAX];
    struct program_result r;
    const struct program last = {.args = {"walk", "v3", "--mask", "causal", "--keys", "G"}};
    char *const cast = recorded("v3", "--mask", "causal");
    ck_assert_int_eq(play(cast, shown), 9);
    program_run(&last, &r);
    ck_assert_str_eq(shown, r.out);
    program_finish(&r);
    free(cast);
}
END_TEST

START_TEST(the_recording_of_a_lesson_goes_to_its_last_page)
{
    static char shown[SCREEN_MAX];
    char *const cast = recorded("01-the-picture", "--lessons", lessons);
    ck_assert_int_gt(play(cast, shown), 15);
    int page = 0;
    int of = 0;
    const char *const place = strstr(shown, "page ");
    ck_assert_msg(place != NULL && sscanf(place, "page %d of %d", &page, &of) == 2, "%s", shown);
    ck_assert(page == of && of > 3);
    free(cast);
}
END_TEST

static const struct {
    const char *args[6];
    const char *says;
} refused[] = {
    {{"export", NULL}, "which lesson?"},
    {{"export", "v3", NULL}, "to which file?"},
    {{"export", "v3", "--cast", "a.cast", "--size=80"}, "is no size"},
    {{"export", "nosuch", "--cast", "a.cast", NULL}, "no such"},
};

START_TEST(what_cannot_be_recorded_is_refused_and_nothing_is_written)
{
    struct program program = {.args = {NULL}};
    struct program_result r;
    for (int i = 0; i < 5; i++) {
        const char *const arg = refused[_i].args[i];
        program.args[i] = arg != NULL && strcmp(arg, "a.cast") == 0 ? scratch_path(arg) : arg;
    }
    program_run(&program, &r);
    ck_assert_int_eq(r.status, 2);
    ck_assert_msg(strstr(r.err, refused[_i].says) != NULL, "%s", r.err);
    ck_assert_int_eq(scratch_count(), 0);
    program_finish(&r);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("recordings");
    TCase *const t = tcase_create("cast");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, begin, scratch_end);
    tcase_add_test(t, the_recording_of_a_walk_ends_on_its_last_screen);
    tcase_add_test(t, the_recording_of_a_lesson_goes_to_its_last_page);
    tcase_add_loop_test(t, what_cannot_be_recorded_is_refused_and_nothing_is_written, 0,
                        sizeof refused / sizeof refused[0]);
    suite_add_tcase(s, t);
    return s;
}
