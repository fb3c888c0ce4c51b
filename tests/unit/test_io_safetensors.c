/* Every .safetensors case with its verdict; every dtype; round trips. */
#include "runner.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"
#include "io_case.h"
#include "scratch.h"

#define REFUSE(name, words)                                                                        \
    {                                                                                              \
        .file = "safetensors/" name ".safetensors", .refusal = words                               \
    }

static const struct io_case cases[] = {
    {.file = "safetensors/ok_f32.safetensors",
     .rank = 2,
     .dims = {2, 3},
     .values = {1, 2, 3, 4, 5, 6}},
    REFUSE("short_7_bytes", "within its first bytes: 8 bytes needed, 7 found"),
    REFUSE("hlen_2p63", "header would have 9223372036854775808 bytes, more than 100000000"),
    REFUSE("hlen_minus8", "header would have 18446744073709551608 bytes, more than 100000000"),
    REFUSE("hlen_beyond_file", "within its header: 100000 bytes needed, 88 found"),
    REFUSE("hlen_101MB", "header would have 101000000 bytes, more than 100000000"),
    REFUSE("hlen_zero", "its header does not begin with a brace"),
    REFUSE("begin_gt_end", "its data ends at 0, before it begins at 24"),
    REFUSE("end_past_file", "within its data: 32 bytes needed, 24 found"),
    REFUSE("offset_negative", "has no 'data_offsets', or not as it should be"),
    REFUSE("offset_float", "has no 'data_offsets', or not as it should be"),
    REFUSE("size_mismatch", "its shape (2, 2) of F32 needs 16 bytes, and its offsets give 24"),
    REFUSE("overlap", "begins at 8, and the data before it ends at 16: they overlap"),
    REFUSE("hole", "begins at 16, and the data before it ends at 8: there is a hole"),
    REFUSE("trailing_data", "4 bytes after the last tensor belong to none"),
    REFUSE("trunc_data", "within its data: 24 bytes needed, 20 found"),
    REFUSE("shape_overflow", "has more elements than can be counted"),
    REFUSE("shape_negative", "dimension 0 of its shape is no whole number from 0 up"),
    REFUSE("dup_name", "duplicate object key"),
    REFUSE("not_json", "its header does not begin with a brace"),
    REFUSE("header_array", "its header does not begin with a brace"),
    REFUSE("deep_header", "maximum parsing depth reached"),
    REFUSE("unknown_dtype", "its dtype 'F8_E4M3X' is none that is read"),
    REFUSE("missing_shape", "its header has no 'shape'"),
};

enum { N_CASES = sizeof cases / sizeof cases[0] };

START_TEST(a_case_keeps_its_verdict)
{
    io_case_check(&cases[_i]);
}
END_TEST

START_TEST(every_case_file_is_in_the_table)
{
    io_case_check_folder("safetensors", cases, N_CASES);
}
END_TEST

/** A file in memory. @return its size. */
static size_t make_file(unsigned char *out, const char *header, const void *data, size_t size)
{
    const size_t length = strlen(header);
    memset(out, 0, 8);
    out[0] = (unsigned char)(length & 0xff);
    out[1] = (unsigned char)(length >> 8);
    memcpy(out + 8, header, length);
    if (size > 0) {
        memcpy(out + 8 + length, data, size);
    }
    return 8 + length + size;
}

static const struct {
    const char *dtype;
    size_t size;
    uint64_t bits;
    float value;
    enum io_type type;
} dtypes[] = {
    {"F16", 2, 0x3555, 0x1.554p-2f, IO_TYPE_FLOAT},
    {"F16", 2, 0x8001, -0x1p-24f, IO_TYPE_FLOAT},
    {"F16", 2, 0x7e00, NAN, IO_TYPE_FLOAT},
    {"BF16", 2, 0x3eab, 0x1.56p-2f, IO_TYPE_FLOAT},
    {"BF16", 2, 0xff80, -INFINITY, IO_TYPE_FLOAT},
    {"BF16", 2, 0x0001, 0x1p-133f, IO_TYPE_FLOAT},
    {"F32", 4, 0x80000000, -0.0f, IO_TYPE_FLOAT},
    {"F32", 4, 0x00000001, 0x1p-149f, IO_TYPE_FLOAT},
    {"F64", 8, 0x3fb999999999999a, 0.1f, IO_TYPE_FLOAT},
    {"I8", 1, 0x80, -128, IO_TYPE_INT},
    {"I16", 2, 0x8000, -32768, IO_TYPE_INT},
    {"I32", 4, 0xffffffff, -1, IO_TYPE_INT},
    {"I64", 8, 0xfffffffffffffffe, -2, IO_TYPE_INT},
    {"U8", 1, 0xff, 255, IO_TYPE_INT},
    {"U16", 2, 0xffff, 65535, IO_TYPE_INT},
    {"U32", 4, 0x80000000, 0x1p31f, IO_TYPE_INT},
    {"U64", 8, 0x8000000000000000, 0x1p63f, IO_TYPE_INT},
    {"BOOL", 1, 1, 1, IO_TYPE_BOOL},
    {"BOOL", 1, 0, 0, IO_TYPE_BOOL},
};

START_TEST(every_dtype_is_read_exactly)
{
    char header[128];
    unsigned char data[8];
    unsigned char file[256];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (unsigned char)(dtypes[_i].bits >> 8 * i & 0xff);
    }
    snprintf(header, sizeof header,
             "{\"x\":{\"dtype\":\"%s\",\"shape\":[1],\"data_offsets\":[0,%zu]}}", dtypes[_i].dtype,
             dtypes[_i].size);
    const size_t size = make_file(file, header, data, dtypes[_i].size);
    struct io_archive archive;
    struct attn_error err = {.message = ""};
    ck_assert_msg(io_read_memory(&archive, "a.safetensors", file, size, &err) == ATTN_OK, "%s: %s",
                  dtypes[_i].dtype, err.message);
    const float got = archive.arrays[0].data[0];
    const float want = dtypes[_i].value;
    ck_assert_msg(isnan(want) ? isnan(got) : memcmp(&got, &want, sizeof got) == 0,
                  "%s: %a, want %a", dtypes[_i].dtype, (double)got, (double)want);
    ck_assert_int_eq(archive.arrays[0].type, dtypes[_i].type);
    ck_assert_str_eq(archive.arrays[0].dtype, dtypes[_i].dtype);
    ck_assert_int_eq(archive.n_notes, 0);
    io_archive_finish(&archive);
}
END_TEST

static const struct {
    const char *header;
    size_t data;
    const char *words; /* NULL: read. */
} headers[] = {
    {"{\"__metadata__\":{\"format\":\"pt\"},\"x\":{\"dtype\":\"F32\",\"shape\":[],"
     "\"data_offsets\":[0,4]}}   ",
     4, NULL},
    {"{\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[1,4]},"
     "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}",
     4, NULL},
    {"{}", 0, "there is no tensor in it"},
    {"{\"__metadata__\":{}}", 0, "there is no tensor in it"},
    {"{\"x\":{\"dtype\":\"F32\",\"shape\":[0,2],\"data_offsets\":[0,0]}}", 0,
     "dimension 0 of its shape (0, 2) is 0"},
    {"{\"x\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "has no 'dtype'"},
    {"{\"x\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "has no 'data_offsets'"},
    {"{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4,8]}}", 8,
     "has no 'data_offsets'"},
    {"{\"x\":{\"dtype\":\"F32\",\"shape\":{},\"data_offsets\":[0,4]}}", 4, "has no 'shape'"},
    {"{\"x\":{\"dtype\":\"F32\",\"shape\":[1.5],\"data_offsets\":[0,4]}}", 4, "is no whole number"},
    {"{\"x\":4}", 4, "has no 'dtype'"},
    {"{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}", 4, "its header is no JSON"},
    {"{\"x\":{\"dtype\":\"\\u001b[31m\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
     "dtype '\\u{001b}[31m' is none"},
};

START_TEST(a_header_is_read_or_refused_with_its_fault)
{
    const unsigned char data[8] = {0};
    unsigned char file[512];
    const size_t size = make_file(file, headers[_i].header, data, headers[_i].data);
    struct io_archive archive;
    struct attn_error err = {.message = ""};
    const enum attn_status status = io_read_memory(&archive, "a.safetensors", file, size, &err);
    if (headers[_i].words == NULL) {
        ck_assert_msg(status == ATTN_OK, "%s: %s", headers[_i].header, err.message);
        io_archive_finish(&archive);
        return;
    }
    ck_assert_msg(status != ATTN_OK, "%s was read", headers[_i].header);
    ck_assert_msg(strstr(err.message, headers[_i].words) != NULL, "%s: %s", headers[_i].header,
                  err.message);
    ck_assert_ptr_nonnull(strchr(err.message, '('));
}
END_TEST

START_TEST(a_header_of_more_than_8_mb_is_refused_before_it_is_parsed)
{
    const size_t size = (size_t)10 << 20;
    unsigned char *const file = calloc(size, 1);
    ck_assert_ptr_nonnull(file);
    file[2] = 0x90; /* 9 MB. */
    file[8] = '{';
    struct io_archive archive;
    struct attn_error err;
    ck_assert_int_eq(io_read_memory(&archive, "a.safetensors", file, size, &err), ATTN_E_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "its header has 9437184 bytes, more than 8388608"));
    free(file);
}
END_TEST

START_TEST(arrays_come_back_bit_by_bit_and_aligned)
{
    float data[42];
    uint32_t bits = 9;
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        bits = bits * 1664525u + 1013904223u;
        memcpy(&data[i], &bits, sizeof bits);
    }
    const struct io_out out[] = {
        {"proj.weight", 2, {6, 7}, data}, {"a\"b", 3, {1, 1, 5}, data}, {"p", 0, {0}, data}};
    ck_assert_int_eq(io_write(scratch_path("a.safetensors"), out, 3, NULL), ATTN_OK);
    size_t size = 0;
    unsigned char *const bytes = scratch_get("a.safetensors", &size);
    ck_assert_uint_eq(bytes[0] % 8, 0);
    ck_assert_uint_eq(size, 8 + bytes[0] + 256u * bytes[1] + 4 * (42 + 5 + 1));
    free(bytes);
    struct io_archive archive;
    ck_assert_int_eq(io_read(&archive, scratch_path("a.safetensors"), NULL), ATTN_OK);
    ck_assert_int_eq(archive.n, 3);
    for (int k = 0; k < 3; k++) {
        const struct io_array *const array = io_archive_find(&archive, out[k].name);
        ck_assert_ptr_nonnull(array);
        ck_assert_int_eq(array->rank, out[k].rank);
        ck_assert_int_eq(memcmp(array->data, data, array->count * sizeof(float)), 0);
    }
    io_archive_finish(&archive);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("io: safetensors");
    TCase *const t = tcase_create("safetensors");
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_add_loop_test(t, a_case_keeps_its_verdict, 0, N_CASES);
    tcase_add_test(t, every_case_file_is_in_the_table);
    tcase_add_loop_test(t, every_dtype_is_read_exactly, 0, (int)(sizeof dtypes / sizeof dtypes[0]));
    tcase_add_loop_test(t, a_header_is_read_or_refused_with_its_fault, 0,
                        (int)(sizeof headers / sizeof headers[0]));
    tcase_add_test(t, a_header_of_more_than_8_mb_is_refused_before_it_is_parsed);
    tcase_add_test(t, arrays_come_back_bit_by_bit_and_aligned);
    suite_add_tcase(s, t);
    return s;
}
