/* Every lesson, played from end to end by keys: a frame of each page at the end of its text, on a
 * small and on a wide screen. A lesson that comes is in the loop by itself; ./dev golden writes its
 * files. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "lesson_case.h"
#include "runner.h"

static const struct {
    int cols, rows;
} sizes[] = {{80, 24}, {120, 40}};

enum { N_SIZES = sizeof sizes / sizeof sizes[0], PRESSES_MAX = 4000 };

static int page_of(const struct app_case *c)
{
    return c->app.lesson.lesson.stops[c->app.lesson.stop].page;
}

static void write_frame(FILE *out, struct app_case *c, int press)
{
    char *const text = app_case_text(c);
    fprintf(out, "== page %d, press %d\n%s", page_of(c) + 1, press, text);
    free(text);
}

START_TEST(every_page_of_a_lesson_shows_what_it_showed)
{
    const int size = _i % N_SIZES;
    const int lesson = _i / N_SIZES;
    struct app_case *const c = lesson_case_start(lesson, sizes[size].cols, sizes[size].rows);
    char *text = NULL;
    char *last = app_case_text(c);
    char name[200];
    size_t n = 0;
    int page = page_of(c);
    int press = 0;
    FILE *const out = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(out);
    for (; press < PRESSES_MAX && !app_lesson_at_end(&c->app); press++) {
        free(last);
        last = app_case_text(c);
        app_case_play(c, "n");
        if (page_of(c) != page) { /* the page that was left, whole */
            fprintf(out, "== page %d, press %d\n%s", page + 1, press, last);
            page = page_of(c);
        }
    }
    ck_assert_int_lt(press, PRESSES_MAX);
    write_frame(out, c, press);
    app_case_play(c, "S");
    write_frame(out, c, press);
    fclose(out);
    snprintf(name, sizeof name, "lessons/%s-%dx%d.txt", lesson_case_stem(lesson), sizes[size].cols,
             sizes[size].rows);
    golden_check(name, text);
    free(text);
    free(last);
    app_case_finish(c);
}
END_TEST

Suite *suite(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    Suite *const s = suite_create("lessons");
    TCase *const t = tcase_create("golden");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, every_page_of_a_lesson_shows_what_it_showed, 0,
                        N_SIZES * lesson_case_count());
    suite_add_tcase(s, t);
    return s;
}
