#include "lesson_case.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEMS_MAX = 64 };

static char stems[STEMS_MAX][128];
static int n_stems = -1;

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void folder(char *out, size_t size)
{
    const char *const source = getenv("ATTN_SOURCE");
    snprintf(out, size, "%s/lessons", source != NULL ? source : ".");
}

int lesson_case_count(void)
{
    char path[4096];
    if (n_stems >= 0) {
        return n_stems;
    }
    folder(path, sizeof path);
    n_stems = 0;
    DIR *const d = opendir(path);
    for (const struct dirent *file = d != NULL ? readdir(d) : NULL; file != NULL;
         file = readdir(d)) {
        const size_t length = strlen(file->d_name);
        if (length > 3 && length < sizeof stems[0] && n_stems < STEMS_MAX &&
            strcmp(file->d_name + length - 3, ".md") == 0 &&
            strcmp(file->d_name, "README.md") != 0) {
            snprintf(stems[n_stems++], sizeof stems[0], "%.*s", (int)length - 3, file->d_name);
        }
    }
    if (d != NULL) {
        closedir(d);
    }
    qsort(stems, (size_t)n_stems, sizeof stems[0], by_name);
    return n_stems;
}

const char *lesson_case_stem(int i)
{
    ck_assert_int_lt(i, lesson_case_count());
    return stems[i];
}

static struct app_case *make(int cols, int rows)
{
    struct app_case *const c = app_case_home();
    frame_destroy(c->frame);
    c->frame = frame_create(rows, cols, false);
    ck_assert_ptr_nonnull(c->frame);
    return c;
}

struct app_case *lesson_case_start(int i, int cols, int rows)
{
    char path[4096];
    char file[4300];
    struct app_case *const c = make(cols, rows);
    folder(path, sizeof path);
    snprintf(file, sizeof file, "%s/%s.md", path, lesson_case_stem(i));
    ck_assert_msg(app_open_lesson(&c->app, file), "%s: %s", file, c->app.message);
    app_draw(&c->app, c->frame);
    return c;
}

struct app_case *lesson_case_text(const char *text)
{
    struct lesson lesson;
    struct lesson_errors errors;
    struct attn_error err = {.message = ""};
    struct app_case *const c = make(80, 24);
    ck_assert_msg(lesson_parse(&lesson, NULL, text, strlen(text), &errors) == ATTN_OK &&
                      lesson_check(&lesson, LESSON_MEMORY_MAX, &errors) == ATTN_OK,
                  "line %d: %s", errors.items[0].line, errors.items[0].message);
    ck_assert_msg(app_start_lesson(&c->app, &lesson, "text", &err) == ATTN_OK, "%s", err.message);
    app_draw(&c->app, c->frame);
    return c;
}
