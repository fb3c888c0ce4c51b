/* attn check: results in files, and programs that do all that a learner's program may do. */
#include <check.h>
#include <dirent.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program.h"
#include "runner.h"
#include "scratch.h"

/* Two tokens of width 2, so that a shell can write a result. */
#define SMALL "check", "single", "--length=2", "--dim=2"

static struct program_result run_with(const struct program *program)
{
    struct program_result r;
    program_run(program, &r);
    return r;
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/** What a bug gives, saved, and checked with the same options. */
static void check_bug(const char *variant, const char *mask, const char *bug, const char *diagnosis)
{
    char wrong[128];
    char last[160];
    snprintf(wrong, sizeof wrong, "--bug=%s", bug);
    const char *const file = scratch_path("wrong.npz");
    struct program_result r = run_with(
        &(struct program){.args = {"run", variant, "--save", file, mask, wrong, "--only=output"}});
    ck_assert_msg(r.status == 0, "%s", r.err);
    program_finish(&r);
    r = run_with(&(struct program){.args = {"check", variant, mask, "--got", file}});
    ck_assert_int_eq(r.status, 1);
    snprintf(last, sizeof last, "verdict: wrong\ndiagnosis: %s\n", diagnosis);
    ck_assert_msg(strlen(r.out) > strlen(last) &&
                      strcmp(r.out + strlen(r.out) - strlen(last), last) == 0,
                  "%s", r.out);
    program_finish(&r);
}

START_TEST(a_saved_result_is_diagnosed)
{
    check_bug("v3", "--mask=causal", "mask-tiny-fill", "mask-tiny-fill");
    check_bug("v3", "--mask=padding:2", "mask-inverted+no-output", "mask-inverted+no-output");
    check_bug("v3", "--mask=none", "qkv-order", "qkv-order");
}
END_TEST

START_TEST(every_stage_that_is_given_is_compared)
{
    const char *const file = scratch_path("stages.npz");
    struct program_result r = run_with(&(struct program){
        .args = {"run", "v3", "--mask=causal", "--bug=mask-after-softmax", "--save", file}});
    ck_assert_msg(r.status == 0, "%s", r.err);
    program_finish(&r);
    r = run_with(
        &(struct program){.args = {"check", "v3", "--mask=causal", "--got", file, "--json"}});
    ck_assert_int_eq(r.status, 1);
    json_error_t error;
    json_t *const root = json_loads(r.out, 0, &error);
    ck_assert_msg(root != NULL, "%s: %s", error.text, r.out);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "stages")), 10);
    ck_assert_str_eq(json_string_value(json_object_get(root, "verdict")), "wrong");
    const json_t *const names = json_object_get(root, "diagnosis");
    ck_assert_uint_eq(json_array_size(names), 1);
    ck_assert_str_eq(json_string_value(json_array_get(names, 0)), "mask-after-softmax");
    const json_t *const first = json_object_get(root, "first");
    ck_assert_str_eq(json_string_value(json_object_get(first, "tensor")), "masked");
    ck_assert(has(json_string_value(json_object_get(first, "arithmetic")), "masked[0,1] = -inf"));
    json_decref(root);
    program_finish(&r);
}
END_TEST

START_TEST(a_right_result_is_right_with_either_option)
{
    const char *const file = scratch_path("right.npy");
    struct program_result r = run_with(&(struct program){
        .args = {"run", "cross", "--memory-length=3", "--only=context", "--save", file}});
    ck_assert_msg(r.status == 0, "%s", r.err);
    program_finish(&r);
    const char *const options[] = {file, NULL, NULL};
    char named[512];
    snprintf(named, sizeof named, "context=%s", file);
    r = run_with(
        &(struct program){.args = {"check", "cross", "--memory-length=3", "--got", options[0]}});
    ck_assert_msg(r.status == 0 && has(r.out, "verdict: right\n"), "%s%s", r.out, r.err);
    ck_assert_msg(!has(r.out, "diagnosis"), "%s", r.out);
    program_finish(&r);
    r = run_with(&(struct program){.args = {"check", "cross", "--memory-length=3", "--got", named,
                                            "--tol", "0.01", "--json"}});
    ck_assert_msg(r.status == 0 && has(r.out, "\"diagnosis\": null"), "%s%s", r.out, r.err);
    program_finish(&r);
}
END_TEST

static const struct {
    const char *what, *text, *tolerance;
    const char *note; /* NULL: it is right */
} by_hand[] = {
    {"rounded", "1.05,0.87\n0.86,0.75\n", NULL,
     "your numbers have 2 decimals: --tol 0.01 compares"},
    {"rounded, and told so", "1.05,0.87\n0.86,0.75\n", "--tol=0.01", NULL},
    {"in half precision", "[[1.046875, 0.86865234375], [0.857421875, 0.7529296875]]", NULL,
     "your numbers have the precision of float16: --tol 0.005 compares"},
    {"in half precision, and told so",
     "[[[[1.046875, 0.86865234375], [0.857421875, 0.7529296875]]]]", "--tol=0.005", NULL},
    {"transposed", "1.0471;0.8575\n0.8687;0.7527\n", "--tol=0.0001",
     "your context is the right one, transposed"},
    {"another stage", "{\"context\": [[0.8193, -0.7802], [0.4065, 0.0972]]}", "--tol=0.0001",
     "your context is what is called q here"},
    {"overflown", "nan,0.87\n0.86,0.75\n", NULL, "nan comes of 0/0 and of inf/inf"},
    {"by the names that people use",
     "{\"out\": [[1.0471, 0.8687], [0.8575, 0.7527]], \"attn\": [[0.5763, 0.4237], [0.4546, "
     "0.5454]], "
     "\"Q\": [[0.8193, -0.7802], [0.4065, 0.0972]]}",
     "--tol=0.0001", NULL},
    {"left blank", "0,0\n0,0\n", NULL, "every number of yours is 0: is the result filled in?"},
    {"with other inputs", "{\"x\": [[1, 2], [3, 4]], \"context\": [[1, 2], [3, 5.1234567]]}", NULL,
     "got.json holds another x than the one computed with here: --load it as well"},
};

START_TEST(what_may_have_happened_to_a_result_by_hand_is_noted)
{
    const bool json = strpbrk(by_hand[_i].text, "[{") != NULL;
    const char *const file = scratch_path(json ? "got.json" : "got.csv");
    scratch_put(json ? "got.json" : "got.csv", by_hand[_i].text, strlen(by_hand[_i].text));
    struct program_result r =
        run_with(&(struct program){.args = {SMALL, "--got", file, by_hand[_i].tolerance}});
    const char *const note = by_hand[_i].note;
    ck_assert_msg(r.status == (note != NULL), "%s: exit %d: %s%s", by_hand[_i].what, r.status,
                  r.out, r.err);
    const char *const noted = strstr(r.out, "note: ");
    ck_assert_msg(note == NULL ? noted == NULL : noted != NULL && has(noted, note), "%s: %s",
                  by_hand[_i].what, r.out);
    program_finish(&r);
}
END_TEST

START_TEST(nothing_but_nan_is_no_sign_of_any_mistake)
{
    static const char nans[] = "{\"output\": [[\"nan\", \"nan\"], [\"nan\", \"nan\"]]}";
    scratch_put("nan.json", nans, sizeof nans - 1);
    struct program_result r =
        run_with(&(struct program){.args = {"check", "v3", "--length=2", "--dim=2", "--mask=causal",
                                            "--got", scratch_path("nan.json")}});
    ck_assert_int_eq(r.status, 1);
    ck_assert_msg(has(r.out, "diagnosis: unknown\n"), "%s", r.out);
    program_finish(&r);
}
END_TEST

START_TEST(a_program_that_prints_without_end_is_cut_short)
{
    struct program_result r =
        run_with(&(struct program){.args = {"check", "v3", "--timeout=5", "--", "yes"}});
    ck_assert_int_eq(r.status, 3);
    ck_assert_msg(has(r.err, "bytes before this are left out"), "%.200s", r.err);
    ck_assert_uint_lt(strlen(r.err), 100000);
    program_finish(&r);
}
END_TEST

START_TEST(a_draw_of_ones_own_is_what_training_is_told_of)
{
    const char *const file = scratch_path("other.npy");
    struct program_result r = run_with(&(struct program){
        .args = {"run", "v3", "--train", "--seed=3", "--only=output", "--save", file}});
    ck_assert_msg(r.status == 0, "%s", r.err);
    program_finish(&r);
    r = run_with(&(struct program){.args = {"check", "v3", "--train", "--got", file}});
    ck_assert_int_eq(r.status, 1);
    ck_assert_msg(has(r.out, "note: it is training here, and what is dropped is given"), "%s",
                  r.out);
    program_finish(&r);
    r = run_with(&(struct program){.args = {"check", "v3", "--got", file}});
    ck_assert_msg(r.status == 1 && !has(r.out, "training"), "%s", r.out);
    program_finish(&r);
}
END_TEST

/* ---- programs ---- */

static const struct {
    const char *what;    /* it does */
    const char *program; /* for sh -c */
    int status;
    const char *out, *err; /* a part of either, or NULL */
} programs[] = {
    {"crashes", "echo before; kill -SEGV $$", 3, NULL,
     "before\nattn: case 1, yours: it crashed: "
     "signal 11"},
    {"fails", "printf 'in words' >&2; exit 5", 3, NULL,
     "in words\nattn: case 1, yours: it ended with "
     "exit status 5\n"},
    {"writes nothing", "true", 3, NULL, "it wrote no result (ATTN_OUT names the file"},
    {"writes what is no result", "cp \"$ATTN_CASE\" \"$ATTN_OUT\"", 3, NULL,
     "holds no result of single among its"},
    {"writes nonsense", "echo nonsense > \"$ATTN_OUT\"", 3, NULL, "out.npz"},
    {"hangs", "sleep 1000 & sleep 1000", 3, NULL, "it ran for more than 1 s and was ended"},
    {"gives another shape", "echo '{\"context\": [[[1, 2, 3], [4, 5, 6]]]}' > \"$ATTN_OUT\"", 1,
     "context: you gave [1,2,3], and it is [1,2,2]: other sizes?\nverdict: wrong\ndiagnosis: "
     "unknown\n",
     NULL},
    {"gives too many dimensions", "echo '[[[[[1,2],[3,4]]],[[[1,2],[3,4]]]]]' > \"$ATTN_OUT\"", 1,
     "more than three dimensions?", NULL},
    {"gives NaN", "echo '{\"context\": [[[\"nan\", 2], [4, 5]]]}' > \"$ATTN_OUT\"", 1,
     "of which 1 nan; most by inf at [0,0]: yours nan", NULL},
    {"prints and is wrong", "echo noise; echo '[[1, 2], [4, 5]]' > \"$ATTN_OUT\"", 1,
     "none of the classic bugs explains it", "noise\n"},
    {"prints a NUL", "printf '\\000noise'; echo '[[1, 2], [4, 5]]' > \"$ATTN_OUT\"", 1,
     "verdict: wrong\n", NULL},
    {"adds an ending", "echo '[[1, 2], [4, 5]]' > \"$ATTN_OUT.npy\"", 1, "verdict: wrong\n", NULL},
    {"reads a pipe that closes", "yes | head -n 1 > /dev/null; exit 4", 3, NULL, "exit status 4\n"},
    {"looks for input", "read line && exit 9; exit 8", 3, NULL, "exit status 8\n"},
    {"looks at the case", "test -s \"$ATTN_CASE\" && test -s \"${ATTN_CASE%.npz}.json\" && exit 7",
     3, NULL, "exit status 7\n"},
};

static int count_left(const char *directory)
{
    int n = 0;
    DIR *const folder = opendir(directory);
    ck_assert_ptr_nonnull(folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        n += strncmp(entry->d_name, "attn-check", 10) == 0 ? 1 : 0;
    }
    closedir(folder);
    return n;
}

START_TEST(a_program_gets_a_clear_word_and_leaves_nothing_behind)
{
    char directory[512];
    snprintf(directory, sizeof directory, "%s", scratch_path("."));
    setenv("TMPDIR", directory, 1);
    struct program_result r = run_with(
        &(struct program){.args = {SMALL, "--timeout=1", "--", "sh", "-c", programs[_i].program}});
    ck_assert_msg(r.status == programs[_i].status, "%s: exit %d: %s%s", programs[_i].what, r.status,
                  r.out, r.err);
    ck_assert_msg(programs[_i].out == NULL || has(r.out, programs[_i].out), "%s: %s",
                  programs[_i].what, r.out);
    ck_assert_msg(programs[_i].err == NULL || has(r.err, programs[_i].err), "%s: %s",
                  programs[_i].what, r.err);
    ck_assert_msg(!has(r.err, "Broken pipe"), "%s", r.err);
    ck_assert_msg(r.status != 3 || r.n_out == 0, "%s: %s", programs[_i].what, r.out);
    ck_assert_int_eq(count_left(directory), 0);
    program_finish(&r);
}
END_TEST

/** Has the process ended? (One that nobody waited for has no command line any more.) */
static bool is_gone(long pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/cmdline", pid);
    FILE *const f = fopen(path, "rb");
    const bool gone = f == NULL || fgetc(f) == EOF;
    if (f != NULL) {
        fclose(f);
    }
    return gone;
}

START_TEST(what_a_program_started_ends_with_it)
{
    char command[512];
    size_t n = 0;
    snprintf(command, sizeof command, "sleep 1000 & echo $! > %s; wait", scratch_path("pid"));
    struct program_result r =
        run_with(&(struct program){.args = {SMALL, "--timeout=1", "--", "sh", "-c", command}});
    ck_assert_int_eq(r.status, 3);
    program_finish(&r);
    char *const text = (char *)scratch_get("pid", &n);
    const long pid = strtol(text, NULL, 10);
    free(text);
    ck_assert_int_gt(pid, 0);
    const time_t deadline = time(NULL) + 60;
    while (!is_gone(pid) && time(NULL) < deadline) {
        const struct timespec moment = {.tv_nsec = 10000000};
        nanosleep(&moment, NULL);
    }
    ck_assert_msg(is_gone(pid), "%ld still runs", pid);
}
END_TEST

START_TEST(the_built_in_cases_stop_at_the_first_that_cannot_be_judged)
{
    struct program_result r =
        run_with(&(struct program){.args = {"check", "v2", "--", "sh", "-c", "echo once; exit 1"}});
    ck_assert_int_eq(r.status, 3);
    ck_assert_str_eq(r.err, "once\nattn: case 1, one sequence: it ended with exit status 1\n");
    program_finish(&r);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("attn check");
    TCase *const t = tcase_create("check");
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_add_test(t, a_saved_result_is_diagnosed);
    tcase_add_test(t, every_stage_that_is_given_is_compared);
    tcase_add_test(t, a_right_result_is_right_with_either_option);
    tcase_add_loop_test(t, what_may_have_happened_to_a_result_by_hand_is_noted, 0,
                        sizeof by_hand / sizeof by_hand[0]);
    tcase_add_test(t, a_draw_of_ones_own_is_what_training_is_told_of);
    tcase_add_test(t, nothing_but_nan_is_no_sign_of_any_mistake);
    tcase_add_test(t, a_program_that_prints_without_end_is_cut_short);
    tcase_add_loop_test(t, a_program_gets_a_clear_word_and_leaves_nothing_behind, 0,
                        sizeof programs / sizeof programs[0]);
    tcase_add_test(t, what_a_program_started_ends_with_it);
    tcase_add_test(t, the_built_in_cases_stop_at_the_first_that_cannot_be_judged);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    return s;
}
