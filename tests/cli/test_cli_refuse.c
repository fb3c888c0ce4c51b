/* What a newcomer gets wrong: each is told what is wrong, where, and what to do. */
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "runner.h"

static const struct {
    int status;
    const char *args[10];
    const char *message; /**< The whole of standard error, or, ended by "…", its beginning. */
} rows[] = {
    {2,
     {"lab", "cost", "--dim=60000"},
     "attn: --dim: 60000 is outside what attn lab cost takes (8 to 1024, by doubling)\n"},
    {2,
     {"lab", "cost", "--dim=4"},
     "attn: --dim: 4 is outside what attn lab cost takes (8 to 1024, by doubling)\n"},
    {2,
     {"lab", "cost", "--dim=100"},
     "attn: --dim: attn lab cost goes by doubling, and 100 is between (choose 64 or 128)\n"},
    {2,
     {"lab", "cost", "--length=15"},
     "attn: --length: 15 is outside what attn lab cost takes (16 to 65536, by doubling)\n"},
    {2,
     {"lab", "scaling", "--dim=2048"},
     "attn: --dim: 2048 is outside what attn lab scaling takes (1 to 1024, by doubling)\n"},
    {2,
     {"lab", "scaling", "--length=65"},
     "attn: --length: 65 is outside what attn lab scaling takes (2 to 64)\n"},
    {2,
     {"lab", "masks", "--length=9"},
     "attn: --length: 9 is outside what attn lab masks takes (2 to 8)\n"},
    {2,
     {"lab", "masks", "--tokens=a"},
     "attn: --tokens: 1 is outside what attn lab masks takes (2 to 8)\n"},
    {2,
     {"lab", "masks", "--memory-length=1"},
     "attn: --memory-length: 1 is outside what attn lab masks takes (2 to 8)\n"},
    {2,
     {"lab", "cost", "--plain", "--frame=a.txt"},
     "attn: --plain: lines of text take no --keys, --size or --frame (leave out either)\n"},
    {2, {""}, "attn: '': unknown command (attn help lists them)\n"},
    {2, {"run", ""}, "attn: '': unknown variant (there are single, cross, v1, v2, v3)\n"},
    {2,
     {"run", "v3", "--heads=2"},
     "attn: --heads: unknown option (one head is computed; --dim is its width)\n"},
    {2,
     {"run", "v3", "--causal"},
     "attn: --causal: unknown option (did you mean --mask causal?)\n"},
    {2, {"run", "v3", "--out", "a.npz"}, "attn: --out: unknown option (did you mean --save?)\n"},
    {2,
     {"lab", "cost", "--out", "a.npz"},
     "attn: --out: unknown option (attn lab --help lists those there are)\n"},
    {2,
     {"run", "v3", "--save="},
     "attn: --save: no file is named (write inputs, weights and stages to FILE in the format of "
     "its ending; a file that is there is replaced)\n"},
    {2,
     {"lesson", "list", "--lessons=nowhere"},
     "attn: --lessons: nowhere is no directory (look for lessons in DIR before the usual "
     "places)\n"},
    {1,
     {"run", "v3", "--save=nowhere/a.npz"},
     "attn: nowhere/a.npz: it cannot be written: No such file or directory (make its folder "
     "first)\n"},
    {1,
     {"run", "v3", "--load=nowhere"},
     "attn: nowhere: it cannot be opened: No such file or directory (check its name, and the "
     "folder)\n"},
    {2,
     {"check", "v3", "python3", "mine.py"},
     "attn: python3: one argument too many (a program stands behind --: attn check VARIANT [-- "
     "PROGRAM…])\n"},
    {2,
     {"explain", "v3", "weights[0,1"},
     "attn: weights[0,1: the index does not end (as in weights[0,2,1])\n"},
    {2, {"explain", "v3", "weights[]"}, "attn: '': not an index (a whole number, from 0)\n"},
    {2,
     {"explain", "v3", "softmax", "0", "1"},
     "attn: softmax: v3 has no such tensor (did you mean weights? it has …"},
    {2,
     {"worksheet", "v3"},
     "attn: v3: a variant, not a lesson (attn lesson list shows those there are)\n"},
    {1,
     {"lesson", "check", "nowhere.md"},
     "attn: nowhere.md: it cannot be opened: No such file or directory (attn lesson list shows "
     "those there are)\n"},
    {1, {"lesson", "check", "."}, "attn: .: it is a directory (name a file in it)\n"},
    {1,
     {"lesson", "new", "nowhere/a.md"},
     "attn: nowhere/a.md: it cannot be written: No such file or directory (make its folder "
     "first)\n"},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

START_TEST(it_is_told_what_is_wrong_and_what_to_do)
{
    static const char more[] = "…";
    struct program program = {.args = {NULL}};
    struct program_result r;
    memcpy(program.args, rows[_i].args, sizeof rows[_i].args);
    program_run(&program, &r);
    const char *const message = rows[_i].message;
    const size_t n = strlen(message);
    const bool part = n > 3 && strcmp(message + n - 3, more) == 0;
    ck_assert_msg(part ? strncmp(r.err, message, n - 3) == 0 : strcmp(r.err, message) == 0,
                  "attn %s %s: '%s'", program.args[0], program.args[1], r.err);
    ck_assert_msg(r.status == rows[_i].status, "%s: exit %d", message, r.status);
    ck_assert_str_eq(r.out, "");
    program_finish(&r);
}
END_TEST

START_TEST(a_word_that_looks_like_a_key_is_told_of_and_typed)
{
    static const struct program program = {
        .args = {"walk", "v3", "--size=80x24", "--keys=Entr tab n the Enter"}};
    struct program_result r;
    program_run(&program, &r);
    ck_assert_int_eq(r.status, 0);
    ck_assert_str_eq(r.err, "attn: --keys: 'Entr' is no key's name, and is typed letter by letter "
                            "(did you mean Enter?)\n"
                            "attn: --keys: 'tab' is no key's name, and is typed letter by letter "
                            "(did you mean Tab?)\n");
    program_finish(&r);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("command lines that are wrong");
    TCase *const t = tcase_create("rows");
    tcase_add_loop_test(t, it_is_told_what_is_wrong_and_what_to_do, 0, N_ROWS);
    tcase_add_test(t, a_word_that_looks_like_a_key_is_told_of_and_typed);
    suite_add_tcase(s, t);
    return s;
}
