/* Files that a command line names for a result: replaced as a whole, or left as they were. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "program.h"
#include "runner.h"
#include "scratch.h"

/** Every option that writes a file; the file's name follows. */
static const struct {
    const char *name; /**< Of the file. */
    const char *args[10];
} rows[] = {
    {"a.npz", {"run", "v3", "--length=40", "--save"}},
    {"a.safetensors", {"run", "v3", "--length=40", "--save"}},
    {"a.json", {"run", "v3", "--length=40", "--save"}},
    {"a.svg", {"walk", "v3", "--keys=n", "--frame"}},
    {"a.ans", {"walk", "1", "--size=200x60", "--frame"}},
    {"a.txt", {"lab", "cost", "--no-measure", "--size=200x60", "--frame"}},
    {"a.cast", {"export", "v1", "--cast"}},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

static const char old[] = "what was there before";

static void run(int row, struct program_result *r)
{
    struct program program = {.args = {NULL}};
    int n = 0;
    for (; rows[row].args[n] != NULL; n++) {
        program.args[n] = rows[row].args[n];
    }
    program.args[n] = scratch_path(rows[row].name);
    program_run(&program, r);
}

START_TEST(a_file_that_is_there_is_replaced_as_a_whole_and_keeps_its_mode)
{
    struct program_result r;
    struct stat info;
    size_t n = 0;
    scratch_put(rows[_i].name, old, sizeof old);
    ck_assert_int_eq(chmod(scratch_path(rows[_i].name), S_IRUSR | S_IWUSR | S_IRGRP), 0);
    run(_i, &r);
    ck_assert_msg(r.status == 0, "%s: %s", rows[_i].name, r.err);
    unsigned char *const bytes = scratch_get(rows[_i].name, &n);
    ck_assert_msg(n > sizeof old && memcmp(bytes, old, sizeof old) != 0, "%s", rows[_i].name);
    ck_assert_int_eq(stat(scratch_path(rows[_i].name), &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, S_IRUSR | S_IWUSR | S_IRGRP);
    ck_assert_int_eq(scratch_count(), 1);
    free(bytes);
    program_finish(&r);
}
END_TEST

START_TEST(a_failure_leaves_the_old_file_and_no_other)
{
    struct rlimit before;
    struct program_result r;
    size_t n = 0;
    scratch_put(rows[_i].name, old, sizeof old);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit small = {.rlim_cur = 8192, .rlim_max = before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    run(_i, &r);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_msg(r.status == 1, "%s: exit %d", rows[_i].name, r.status);
    ck_assert_msg(strstr(r.err, rows[_i].name) != NULL, "%s: %s", rows[_i].name, r.err);
    unsigned char *const bytes = scratch_get(rows[_i].name, &n);
    ck_assert_msg(n == sizeof old && memcmp(bytes, old, n) == 0, "%s", rows[_i].name);
    ck_assert_int_eq(scratch_count(), 1);
    free(bytes);
    program_finish(&r);
}
END_TEST

START_TEST(the_help_says_that_a_file_is_replaced)
{
    struct program_result r;
    const struct program program = {.args = {rows[_i].args[0], "--help"}};
    program_run(&program, &r);
    size_t n = 0; /* in lines of any length */
    for (const char *at = r.out; *at != '\0'; at++) {
        const bool blank = *at == ' ' || *at == '\n';
        if (!blank || n == 0 || r.out[n - 1] != ' ') {
            r.out[n++] = blank ? ' ' : *at;
        }
    }
    r.out[n] = '\0';
    const char *const said = strstr(r.out, "a file that is there is replaced");
    ck_assert_msg(said != NULL, "%s", rows[_i].args[0]);
    program_finish(&r);
}
END_TEST

START_TEST(a_new_lesson_is_never_written_over_a_file)
{
    struct program_result r;
    size_t n = 0;
    scratch_put("a.md", old, sizeof old);
    const struct program program = {.args = {"lesson", "new", scratch_path("a.md")}};
    program_run(&program, &r);
    ck_assert_int_eq(r.status, 1);
    ck_assert_msg(strstr(r.err, "choose another name") != NULL, "%s", r.err);
    unsigned char *const bytes = scratch_get("a.md", &n);
    ck_assert(n == sizeof old && memcmp(bytes, old, n) == 0);
    free(bytes);
    program_finish(&r);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("files that are written");
    TCase *const t = tcase_create("rows");
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_add_loop_test(t, a_file_that_is_there_is_replaced_as_a_whole_and_keeps_its_mode, 0,
                        N_ROWS);
    tcase_add_loop_test(t, a_failure_leaves_the_old_file_and_no_other, 0, N_ROWS);
    tcase_add_loop_test(t, the_help_says_that_a_file_is_replaced, 0, N_ROWS);
    tcase_add_test(t, a_new_lesson_is_never_written_over_a_file);
    suite_add_tcase(s, t);
    return s;
}
