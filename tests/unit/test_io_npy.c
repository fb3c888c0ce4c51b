/* Every .npy case with its verdict, the header's corners, and round trips. */
#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io.h"
#include "io_case.h"

#define SIX                                                                                        \
    {                                                                                              \
        1, 2, 3, 4, 5, 6                                                                           \
    }
#define ACCEPT_2X3(name)                                                                           \
    {                                                                                              \
        .file = "npy/" name, .rank = 2, .dims = {2, 3}, .values = SIX                              \
    }
#define REFUSE(name, words)                                                                        \
    {                                                                                              \
        .file = "npy/" name, .refusal = words                                                      \
    }

static const struct io_case cases[] = {
    ACCEPT_2X3("v1_f4.npy"),
    ACCEPT_2X3("v2_f4.npy"),
    ACCEPT_2X3("v3_f4.npy"),
    ACCEPT_2X3("v1_align16.npy"),
    ACCEPT_2X3("v1_nopad.npy"),
    {.file = "npy/v2_nopad_fortranlib.npy", .rank = 2, .dims = {3, 2}, .values = SIX},
    REFUSE("v4_unknown.npy", "version is 4.0, and 1.0, 2.0 and 3.0 are read"),
    ACCEPT_2X3("f8_c_order.npy"),
    ACCEPT_2X3("f8_fortran.npy"),
    {.file = "npy/f4_fortran_3d.npy",
     .rank = 3,
     .dims = {2, 2, 3},
     .values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {.file = "npy/f4_fortran_1row.npy", .rank = 2, .dims = {1, 3}, .values = {1, 2, 3}},
    ACCEPT_2X3("dtype_le_f8.npy"),
    ACCEPT_2X3("dtype_be_f8.npy"),
    ACCEPT_2X3("dtype_be_f4.npy"),
    ACCEPT_2X3("dtype_native_f4.npy"),
    ACCEPT_2X3("dtype_le_f2.npy"),
    ACCEPT_2X3("dtype_be_f2.npy"),
    ACCEPT_2X3("dtype_le_i4.npy"),
    ACCEPT_2X3("dtype_be_i8.npy"),
    ACCEPT_2X3("dtype_na_u1.npy"),
    ACCEPT_2X3("dtype_na_i1.npy"),
    {.file = "npy/dtype_na_b1.npy", .rank = 2, .dims = {2, 3}, .values = {1, 0, 1, 0, 1, 1}},
    ACCEPT_2X3("dtype_le_u8.npy"),
    {.file = "npy/dtype_f2_extremes.npy",
     .rank = 2,
     .dims = {2, 3},
     .values = {65504, 0x1p-14f, 0x1p-24f, INFINITY, -INFINITY, NAN}},
    {.file = "npy/dtype_f4_special.npy",
     .rank = 2,
     .dims = {2, 3},
     .values = {-0.0f, 0x1p-149f, 0x1.fffffep127f, NAN, INFINITY, -INFINITY}},
    {.file = "npy/dtype_i8_beyond_2p53.npy",
     .note = "9007199254740993 at [0,0] became 9.00719925e+15: float32 holds every whole",
     .rank = 2,
     .dims = {1, 2},
     .values = {0x1p53f, -1}},
    REFUSE("trunc_data.npy", "24 bytes needed for the shape (2, 3) of <f4, 23 found"),
    REFUSE("trunc_header.npy", "within its header: 118 bytes needed, 30 found"),
    REFUSE("only_magic.npy", "within its first bytes: 8 bytes needed, 6 found"),
    REFUSE("empty.npy", "the file is empty"),
    REFUSE("bad_magic.npy", "it is no .npy file: its first bytes are not \\x93NUMPY"),
    REFUSE("v2_hlen_4g_12bytes.npy", "within its header: 4294967280 bytes needed, 0 found"),
    REFUSE("v1_hlen_65528.npy", "within its header: 65528 bytes needed, 0 found"),
    REFUSE("descr_empty.npy", "its type '' is none that is read"),
    REFUSE("descr_ixy.npy", "its type '<ixy' is none that is read"),
    REFUSE("hdr_unclosed.npy", "it ends before its braces close"),
    REFUSE("hdr_nul.npy", "there is a NUL in it"),
    REFUSE("shape_overflow_mul.npy", "(4294967296, 4294967296) has more elements than"),
    REFUSE("shape_overflow_bytes.npy", "has more elements than can be counted"),
    REFUSE("shape_i64max.npy", "has more elements than can be counted"),
    REFUSE("shape_21_digits.npy", "a dimension of the shape is too large for any memory"),
    REFUSE("shape_negative.npy", "a dimension of the shape is negative"),
    REFUSE("shape_huge_claim.npy", "4000000000000 bytes needed for the shape (1000000, 1000000)"),
    REFUSE("shape_zero_times_huge.npy", "is 0, so there are no numbers in it"),
};

enum { N_CASES = sizeof cases / sizeof cases[0] };

START_TEST(a_case_keeps_its_verdict)
{
    io_case_check(&cases[_i]);
}
END_TEST

START_TEST(every_case_file_is_in_the_table)
{
    io_case_check_folder("npy", cases, N_CASES);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("io: npy");
    TCase *const t = tcase_create("cases");
    tcase_add_loop_test(t, a_case_keeps_its_verdict, 0, N_CASES);
    tcase_add_test(t, every_case_file_is_in_the_table);
    suite_add_tcase(s, t);
    return s;
}
