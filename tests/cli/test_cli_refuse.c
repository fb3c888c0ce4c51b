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

Suite *suite(void)
{
    Suite *const s = suite_create("command lines that are wrong");
    TCase *const t = tcase_create("rows");
    tcase_add_loop_test(t, it_is_told_what_is_wrong_and_what_to_do, 0, N_ROWS);
    suite_add_tcase(s, t);
    return s;
}
