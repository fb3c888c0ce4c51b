/* Every .npy case with its verdict, the header's corners, and round trips. */
#include "runner.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"
#include "io_case.h"
#include "npy_bytes.h"

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
     .note = "9007199254740993 at [0,0] became 9007199254740992: float32 holds every whole",
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

/* ---- headers ---- */

static const struct {
    const char *header;
    const char *refusal; /* NULL: read, as the one number 1. */
} headers[] = {
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", NULL},
    {"{\"shape\":(1,1),\"fortran_order\":True,\"descr\":\"<f4\"}", NULL},
    {"  { 'shape' : ( 1L , 1L , ) , 'descr' : '<f4' , 'fortran_order' : False }  \n", NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1,1,1,1,1,1,1)}",
     NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1,1,1,1,1,1,1,1)}",
     "more than 32 dimensions"},
    {"", "it ends before its braces close"},
    {"[]", "it does not start with a brace"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)", "it ends before its braces close"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "follows the closing brace"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1)}", "needs a comma: (3,)"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': 1}", "no tuple in parentheses"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}", "a comma or a closing paren"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}", "a comma or a closing paren"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", "is no whole number"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4)}",
     "dimension 0 of its shape (0, 4)"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0)}",
     "dimension 1 of its shape (3, 0)"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "neither True nor False"},
    {"{'descr': '<f4', 'fortran_order': 'True', 'shape': (1,)}", "neither True nor False"},
    {"{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", "a comma or a closing brace"},
    {"{'descr' '<f4', 'fortran_order': False, 'shape': (1,)}", "a colon is expected"},
    {"{'descr': '<f4', 'fortran_order': False}", "its header has no 'shape'"},
    {"{'descr': '<f4', 'shape': (1,)}", "its header has no 'fortran_order'"},
    {"{'fortran_order': False, 'shape': (1,)}", "its header has no 'descr'"},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "stands twice"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'extra': 1}", "a key other than"},
    {"{descr: '<f4', 'fortran_order': False, 'shape': (1,)}", "a quoted string is expected"},
    {"{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}", "'<f4, ' is none that is read"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}",
     "Python objects (save plain numbers"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "complex numbers (save a.real"},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "structured"},
    {"{'descr': '|V4', 'fortran_order': False, 'shape': (1,)}", "structured"},
    {"{'descr': '<U1', 'fortran_order': False, 'shape': (1,)}", "text (save numbers"},
    {"{'descr': '|S4', 'fortran_order': False, 'shape': (1,)}", "text (save numbers"},
    {"{'descr': '<M8[D]', 'fortran_order': False, 'shape': (1,)}", "dates"},
    {"{'descr': '<m8[s]', 'fortran_order': False, 'shape': (1,)}", "time spans"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", "'<f16' is none that is read"},
    {"{'descr': '<f3', 'fortran_order': False, 'shape': (1,)}", "'<f3' is none that is read"},
    {"{'descr': '<b8', 'fortran_order': False, 'shape': (1,)}", "'<b8' is none that is read"},
    {"{'descr': '<\x1b[31m', 'fortran_order': False, 'shape': (1,)}", "'<\\u{001b}[31m' is none"},
};

START_TEST(a_header_is_read_or_refused_with_its_fault)
{
    const unsigned char one[4] = {0, 0, 0x80, 0x3f};
    for (int version = 1; version <= 3; version++) {
        const struct npy_bytes file = npy_bytes_make(version, headers[_i].header, one, sizeof one);
        struct io_archive archive;
        struct attn_error err;
        const enum attn_status status =
            io_read_memory(&archive, "test.npy", file.data, file.size, &err);
        if (headers[_i].refusal == NULL) {
            ck_assert_msg(status == ATTN_OK, "%s: %s", headers[_i].header, err.message);
            ck_assert(archive.arrays[0].count == 1 && archive.arrays[0].data[0] == 1.0f);
            io_archive_finish(&archive);
        } else {
            ck_assert_msg(status != ATTN_OK, "%s was read", headers[_i].header);
            ck_assert_msg(strstr(err.message, headers[_i].refusal) != NULL, "%s: %s",
                          headers[_i].header, err.message);
            ck_assert_ptr_nonnull(strchr(err.message, '(')); /* What to do. */
        }
        free(file.data);
    }
}
END_TEST

START_TEST(what_follows_the_array_is_told)
{
    const float two[2] = {1, 2};
    const struct npy_bytes file = npy_bytes_make(
        1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", two, sizeof two);
    struct io_archive archive;
    ck_assert_int_eq(io_read_memory(&archive, "x.npy", file.data, file.size, NULL), ATTN_OK);
    ck_assert_int_eq(archive.n_notes, 1);
    ck_assert_str_eq(archive.notes[0].text, "4 bytes follow the array and were left out");
    io_archive_finish(&archive);
    free(file.data);
}
END_TEST

/* ---- every type, order and byte order against arithmetic written another way ---- */

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/** The value of an IEEE number, from its fields. */
static double from_fields(uint64_t bits, int exponent_bits, int mantissa_bits)
{
    const uint64_t exponent = bits >> mantissa_bits & ((UINT64_C(1) << exponent_bits) - 1);
    const uint64_t mantissa = bits & ((UINT64_C(1) << mantissa_bits) - 1);
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const double sign = bits >> (exponent_bits + mantissa_bits) & 1 ? -1.0 : 1.0;
    if (exponent == (UINT64_C(1) << exponent_bits) - 1) {
        return mantissa != 0 ? NAN : sign * INFINITY;
    }
    if (exponent == 0) {
        return sign * ldexp((double)mantissa, 1 - bias - mantissa_bits);
    }
    const uint64_t whole = mantissa | UINT64_C(1) << mantissa_bits;
    return sign * ldexp((double)whole, (int)exponent - bias - mantissa_bits);
}

static float want_f2(uint64_t bits)
{
    return (float)from_fields(bits, 5, 10);
}

static float want_f4(uint64_t bits)
{
    return (float)from_fields(bits, 8, 23);
}

static float want_f8(uint64_t bits)
{
    return (float)from_fields(bits, 11, 52);
}

static float want_i1(uint64_t bits)
{
    return (float)(int8_t)bits;
}

static float want_i2(uint64_t bits)
{
    return (float)(int16_t)bits;
}

static float want_i4(uint64_t bits)
{
    return (float)(int32_t)bits;
}

static float want_i8(uint64_t bits)
{
    return (float)(int64_t)bits;
}

static float want_unsigned(uint64_t bits)
{
    return (float)bits;
}

static float want_bool(uint64_t bits)
{
    return bits != 0;
}

static const struct {
    const char *name;
    int size;
    float (*want)(uint64_t bits);
    enum io_type type;
} types[] = {
    {"f2", 2, want_f2, IO_TYPE_FLOAT},     {"f4", 4, want_f4, IO_TYPE_FLOAT},
    {"f8", 8, want_f8, IO_TYPE_FLOAT},     {"i1", 1, want_i1, IO_TYPE_INT},
    {"i2", 2, want_i2, IO_TYPE_INT},       {"i4", 4, want_i4, IO_TYPE_INT},
    {"i8", 8, want_i8, IO_TYPE_INT},       {"u1", 1, want_unsigned, IO_TYPE_INT},
    {"u2", 2, want_unsigned, IO_TYPE_INT}, {"u4", 4, want_unsigned, IO_TYPE_INT},
    {"u8", 8, want_unsigned, IO_TYPE_INT}, {"b1", 1, want_bool, IO_TYPE_BOOL},
};

enum { N_TYPES = sizeof types / sizeof types[0], ELEMENTS_MAX = 5 * 5 * 5, ROUNDS = 60 };

/** A random array of this type in the file, and held against what its elements mean. */
static void check_random_array(int type, bool big, bool fortran)
{
    const size_t dims[3] = {1 + draw() % 5, 1 + draw() % 5, 1 + draw() % 5};
    const size_t size = (size_t)types[type].size;
    unsigned char body[ELEMENTS_MAX * 8];
    float want[ELEMENTS_MAX];
    for (size_t a = 0, at = 0; a < dims[0]; a++) {
        for (size_t b = 0; b < dims[1]; b++) {
            for (size_t c = 0; c < dims[2]; c++, at++) {
                const size_t in_file = fortran ? (c * dims[1] + b) * dims[0] + a : at;
                const uint64_t bits = size == 8 ? draw() : draw() & ((UINT64_C(1) << 8 * size) - 1);
                for (size_t i = 0; i < size; i++) {
                    const size_t shift = 8 * (big ? size - 1 - i : i);
                    body[in_file * size + i] = (unsigned char)(bits >> shift & 0xff);
                }
                want[at] = types[type].want(bits);
            }
        }
    }
    char header[128];
    snprintf(header, sizeof header,
             "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%zu, %zu, %zu), }",
             big ? '>' : (size == 1 ? '|' : '<'), types[type].name, fortran ? "True" : "False",
             dims[0], dims[1], dims[2]);
    const size_t count = dims[0] * dims[1] * dims[2];
    const struct npy_bytes file = npy_bytes_make(1, header, body, count * size);
    struct io_archive archive;
    struct attn_error err;
    ck_assert_msg(io_read_memory(&archive, "x.npy", file.data, file.size, &err) == ATTN_OK,
                  "%s: %s", header, err.message);
    ck_assert_uint_eq(archive.arrays[0].count, count);
    ck_assert_int_eq(archive.arrays[0].type, types[type].type);
    for (size_t i = 0; i < count; i++) {
        const float got = archive.arrays[0].data[i];
        const bool same = isnan(want[i]) ? isnan(got) : memcmp(&got, &want[i], sizeof got) == 0;
        ck_assert_msg(same, "%s: [%zu] is %a, want %a", header, i, (double)got, (double)want[i]);
    }
    io_archive_finish(&archive);
    free(file.data);
}

START_TEST(every_type_reads_as_its_elements_mean_in_each_order)
{
    for (int round = 0; round < ROUNDS; round++) {
        check_random_array(_i, round % 2 == 1, round % 4 >= 2);
    }
}
END_TEST

/* ---- what float32 cannot hold ---- */

static const struct {
    const char *descr;
    uint64_t bits;
    const char *note; /* NULL: there is none. */
} losses[] = {
    {"<i4", 16777216, NULL},
    {"<i4", 16777217, "16777217 at [0] became 16777216: float32 holds every whole number only"},
    {"<i4", (uint32_t)-16777217, "-16777217 at [0] became -16777216"},
    {"<i4", 0x80000000u, NULL},
    {"<i8", UINT64_C(1) << 63, NULL},
    {"<i8", INT64_MAX, "9223372036854775807 at [0] became 9223372036854775808"},
    {"<u4", UINT32_MAX, "4294967295 at [0] became 4294967296"},
    {"<u8", UINT64_MAX, "18446744073709551615 at [0] became 18446744073709551616"},
    {"<u8", UINT64_C(1) << 63, NULL},
    {"<f8", 0x3fb999999999999au, NULL}, /* 0.1: rounding a fraction is nothing to tell. */
    {"<f8", 0x4170000010000000u, "16777217 at [0] became 16777216"},
    {"<f8", 0x7e37e43c8800759cu, "at [0] became inf: float32 ends at 3.4e38"},
    {"<f8", 0x0000000000000001u, "4.9406564584124654e-324 at [0] became 0: the smallest"},
    {"<f8", 0x7ff0000000000000u, NULL}, /* Infinity was infinity before. */
    {"<f8", 0x8000000000000000u, NULL},
};

START_TEST(a_note_tells_what_float32_cannot_hold)
{
    unsigned char body[8];
    for (size_t i = 0; i < sizeof body; i++) {
        body[i] = (unsigned char)(losses[_i].bits >> 8 * i & 0xff);
    }
    char header[128];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,)}",
             losses[_i].descr);
    const struct npy_bytes file =
        npy_bytes_make(1, header, body, (size_t)(losses[_i].descr[2] - '0'));
    struct io_archive archive;
    ck_assert_int_eq(io_read_memory(&archive, "x.npy", file.data, file.size, NULL), ATTN_OK);
    ck_assert_msg(archive.n_notes == (losses[_i].note != NULL), "%s: %d notes, %s",
                  losses[_i].descr, archive.n_notes,
                  archive.n_notes > 0 ? archive.notes[0].text : "");
    if (losses[_i].note != NULL) {
        ck_assert_msg(strstr(archive.notes[0].text, losses[_i].note) != NULL, "%s",
                      archive.notes[0].text);
    }
    io_archive_finish(&archive);
    free(file.data);
}
END_TEST

START_TEST(a_scalar_keeps_its_own_value_beside_the_float32)
{
    const unsigned char tenth[8] = {0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f};
    const struct npy_bytes file = npy_bytes_make(
        1, "{'descr': '<f8', 'fortran_order': False, 'shape': ()}", tenth, sizeof tenth);
    struct io_archive archive;
    ck_assert_int_eq(io_read_memory(&archive, "p.npy", file.data, file.size, NULL), ATTN_OK);
    ck_assert_int_eq(archive.arrays[0].rank, 0);
    ck_assert(archive.arrays[0].first == 0.1);
    ck_assert(archive.arrays[0].data[0] == 0.1f);
    io_archive_finish(&archive);
    free(file.data);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("io: npy");
    TCase *const t = tcase_create("npy");
    tcase_add_loop_test(t, a_case_keeps_its_verdict, 0, N_CASES);
    tcase_add_test(t, every_case_file_is_in_the_table);
    tcase_add_loop_test(t, a_header_is_read_or_refused_with_its_fault, 0,
                        (int)(sizeof headers / sizeof headers[0]));
    tcase_add_test(t, what_follows_the_array_is_told);
    tcase_add_loop_test(t, every_type_reads_as_its_elements_mean_in_each_order, 0, N_TYPES);
    tcase_add_loop_test(t, a_note_tells_what_float32_cannot_hold, 0,
                        (int)(sizeof losses / sizeof losses[0]));
    tcase_add_test(t, a_scalar_keeps_its_own_value_beside_the_float32);
    suite_add_tcase(s, t);
    return s;
}
