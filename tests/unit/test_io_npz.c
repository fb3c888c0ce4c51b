/* .npz: what numpy writes, what libzip can be made to write, and what only malice would. */
#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <zip.h>

#include "io.h"
#include "io_case.h"
#include "npy_bytes.h"
#include "scratch.h"

#define ONE_HEADER "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}"

static long peak_kb(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/** An entry to put into a zip: these bytes, then zeros up to size. */
struct entry {
    const char *name;
    const void *bytes;
    size_t n_bytes;
    size_t size;
    int method;
    const char *password;
    size_t done;
};

static zip_int64_t feed(void *context, void *data, zip_uint64_t length, zip_source_cmd_t command)
{
    struct entry *const entry = context;
    size_t n = 0;
    switch ((int)command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
                                              -1);
    case ZIP_SOURCE_READ:
        for (; n < length && entry->done < entry->size; n++, entry->done++) {
            ((unsigned char *)data)[n] = entry->done < entry->n_bytes
                                             ? ((const unsigned char *)entry->bytes)[entry->done]
                                             : 0;
        }
        return (zip_int64_t)n;
    case ZIP_SOURCE_STAT:
        zip_stat_init(data);
        return (zip_int64_t)sizeof(zip_stat_t);
    default:
        return 0;
    }
}

/** Write entries to scratch/name. */
static void make_zip(const char *name, struct entry *entries, int n)
{
    zip_t *const zip = zip_open(scratch_path(name), ZIP_CREATE | ZIP_TRUNCATE, NULL);
    ck_assert_ptr_nonnull(zip);
    for (int i = 0; i < n; i++) {
        zip_source_t *const source = zip_source_function(zip, feed, &entries[i]);
        ck_assert_ptr_nonnull(source);
        const zip_int64_t index = zip_file_add(zip, entries[i].name, source, 0);
        ck_assert_int_ge(index, 0);
        zip_set_file_compression(zip, (zip_uint64_t)index, entries[i].method, 0);
        if (entries[i].password != NULL) {
            ck_assert_int_eq(zip_file_set_encryption(zip, (zip_uint64_t)index, ZIP_EM_AES_256,
                                                     entries[i].password),
                             0);
        }
    }
    ck_assert_msg(zip_close(zip) == 0, "%s", zip_strerror(zip));
}

static struct entry npy_entry(const char *name, const struct npy_bytes *file, int method)
{
    return (struct entry){name, file->data, file->size, file->size, method, NULL, 0};
}

/** scratch/name is refused, in words. */
static void check_refused(const char *name, const char *what, const char *words)
{
    struct io_archive archive;
    struct attn_error err;
    const long before = peak_kb();
    ck_assert_msg(io_read(&archive, scratch_path(name), &err) != ATTN_OK, "%s was read", name);
    ck_assert_int_lt(peak_kb() - before, 20 * 1024);
    ck_assert_msg(strstr(err.message, words) != NULL, "\"%s\" does not say \"%s\"", err.message,
                  words);
    ck_assert_msg(strstr(err.what, what) != NULL, "\"%s\" does not name \"%s\"", err.what, what);
}

START_TEST(stored_and_packed_entries_are_read_by_name)
{
    const float one = 1.5f;
    const struct npy_bytes file = npy_bytes_make(1, ONE_HEADER, &one, sizeof one);
    struct entry entries[] = {npy_entry("w_q.weight.npy", &file, ZIP_CM_STORE),
                              npy_entry("x.npy", &file, ZIP_CM_DEFLATE),
                              {"README", "hello", 5, 5, ZIP_CM_STORE, NULL, 0}};
    make_zip("a.npz", entries, 3);
    struct io_archive archive;
    ck_assert_int_eq(io_read(&archive, scratch_path("a.npz"), NULL), ATTN_OK);
    ck_assert_str_eq(archive.format, "npz");
    ck_assert_int_eq(archive.n, 2);
    ck_assert_ptr_nonnull(io_archive_find(&archive, "w_q.weight"));
    ck_assert(io_archive_find(&archive, "x")->data[0] == 1.5f);
    ck_assert_ptr_null(io_archive_find(&archive, "README"));
    ck_assert_int_eq(archive.n_notes, 1);
    ck_assert_str_eq(archive.notes[0].text, "README is no .npy and was left out");
    io_archive_finish(&archive);
    free(file.data);
}
END_TEST

START_TEST(arrays_come_back_bit_by_bit_whatever_they_hold)
{
    float data[6 * 7];
    uint32_t bits = 1;
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        bits = bits * 1664525u + 1013904223u;
        memcpy(&data[i], &bits, sizeof bits);
    }
    data[0] = -0.0f;
    data[1] = NAN;
    data[2] = -INFINITY;
    data[3] = 0x1p-149f;
    const struct io_out out[] = {{"weights", 3, {2, 3, 7}, data},
                                 {"proj.weight", 2, {6, 7}, data},
                                 {"proj.bias", 1, {42}, data},
                                 {"p", 0, {0}, data}};
    struct attn_error err = {.message = ""};
    ck_assert_msg(io_write(scratch_path("a.npz"), out, 4, &err) == ATTN_OK, "%s", err.message);
    struct io_archive archive;
    ck_assert_int_eq(io_read(&archive, scratch_path("a.npz"), NULL), ATTN_OK);
    ck_assert_int_eq(archive.n, 4);
    for (int i = 0; i < 4; i++) {
        const struct io_array *const array = io_archive_find(&archive, out[i].name);
        ck_assert_ptr_nonnull(array);
        ck_assert_int_eq(array->rank, out[i].rank);
        size_t count = 1;
        for (int k = 0; k < array->rank; k++) {
            ck_assert_uint_eq(array->dims[k], (size_t)out[i].dims[k]);
            count *= array->dims[k];
        }
        ck_assert_int_eq(memcmp(array->data, data, count * sizeof(float)), 0);
    }
    io_archive_finish(&archive);
}
END_TEST

START_TEST(the_same_arrays_give_the_same_bytes)
{
    const float data[3] = {1, 2, 3};
    const struct io_out out = {"x", 1, {3}, data};
    ck_assert_int_eq(io_write(scratch_path("a.npz"), &out, 1, NULL), ATTN_OK);
    ck_assert_int_eq(io_write(scratch_path("b.npz"), &out, 1, NULL), ATTN_OK);
    size_t a_size = 0;
    size_t b_size = 0;
    unsigned char *const a = scratch_get("a.npz", &a_size);
    unsigned char *const b = scratch_get("b.npz", &b_size);
    ck_assert_uint_eq(a_size, b_size);
    ck_assert_int_eq(memcmp(a, b, a_size), 0);
    free(a);
    free(b);
}
END_TEST

START_TEST(a_written_npy_is_byte_for_byte_the_one_that_numpy_writes)
{
    const float data[6] = {1, 2, 3, 4, 5, 6};
    const struct io_out out = {"x", 2, {2, 3}, data};
    ck_assert_int_eq(io_write(scratch_path("a.npy"), &out, 1, NULL), ATTN_OK);
    const char *const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    unsigned char want[152] = "\x93NUMPY\x01\x00\x76";
    memset(want + 10, ' ', 118);
    memcpy(want + 10, header, strlen(header));
    want[127] = '\n';
    for (size_t i = 0; i < 6; i++) {
        const unsigned char third_and_fourth[6][2] = {{0x80, 0x3f}, {0x00, 0x40}, {0x40, 0x40},
                                                      {0x80, 0x40}, {0xa0, 0x40}, {0xc0, 0x40}};
        memcpy(want + 128 + 4 * i + 2, third_and_fourth[i], 2);
    }
    size_t size = 0;
    unsigned char *const got = scratch_get("a.npy", &size);
    ck_assert_uint_eq(size, sizeof want);
    ck_assert_mem_eq(got, want, sizeof want);
    free(got);
}
END_TEST

START_TEST(a_npy_takes_one_array_and_says_so)
{
    const float data[1] = {1};
    const struct io_out out[2] = {{"x", 1, {1}, data}, {"y", 1, {1}, data}};
    struct attn_error err;
    ck_assert_int_eq(io_write(scratch_path("a.npy"), out, 2, &err), ATTN_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "one array, and there are 2 (save as .npz"));
    ck_assert_str_eq(err.what, scratch_path("a.npy"));
    ck_assert_int_eq(scratch_count(), 0);
}
END_TEST

START_TEST(a_bomb_is_refused_by_what_it_claims)
{
    const char *const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (20000000,)}";
    const struct npy_bytes file = npy_bytes_make(1, header, NULL, 0);
    struct entry entry = npy_entry("x.npy", &file, ZIP_CM_DEFLATE);
    entry.size += (size_t)80000000;
    make_zip("a.npz", &entry, 1);
    check_refused("a.npz", "a.npz: x.npy", "as a zip bomb does");
    free(file.data);
}
END_TEST

START_TEST(a_packed_mask_of_zeros_is_no_bomb)
{
    const char *const header = "{'descr': '|b1', 'fortran_order': False, 'shape': (1000, 1000)}";
    const struct npy_bytes file = npy_bytes_make(1, header, NULL, 0);
    struct entry entry = npy_entry("mask.npy", &file, ZIP_CM_DEFLATE);
    entry.size += (size_t)1000000;
    make_zip("a.npz", &entry, 1);
    struct io_archive archive;
    ck_assert_int_eq(io_read(&archive, scratch_path("a.npz"), NULL), ATTN_OK);
    ck_assert_int_eq(archive.arrays[0].type, IO_TYPE_BOOL);
    ck_assert_uint_eq(archive.arrays[0].count, 1000000);
    io_archive_finish(&archive);
    free(file.data);
}
END_TEST

START_TEST(a_header_that_claims_more_than_its_entry_is_refused)
{
    const char *const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000,)}";
    const struct npy_bytes file = npy_bytes_make(1, header, "abcd", 4);
    struct entry entry = npy_entry("x.npy", &file, ZIP_CM_DEFLATE);
    make_zip("a.npz", &entry, 1);
    check_refused("a.npz", "a.npz: x.npy", "4000000000 bytes needed for the shape (1000000000,)");
    free(file.data);
}
END_TEST

/** Overwrite a little-endian number in scratch/name, from the place of the mark on. */
static void patch(const char *name, const char *mark, size_t offset, size_t width, uint64_t value)
{
    size_t size = 0;
    unsigned char *const bytes = scratch_get(name, &size);
    size_t at = size;
    for (size_t i = 0; i + 4 <= size; i++) {
        at = memcmp(bytes + i, mark, 4) == 0 ? i : at; /* The last one. */
    }
    ck_assert_uint_lt(at, size);
    for (size_t i = 0; i < width; i++) {
        bytes[at + offset + i] = (unsigned char)(value >> 8 * i & 0xff);
    }
    scratch_put(name, bytes, size);
    free(bytes);
}

static void make_one(const char *name, int method)
{
    const float one = 1.0f;
    const struct npy_bytes file = npy_bytes_make(1, ONE_HEADER, &one, sizeof one);
    struct entry entry = npy_entry("x.npy", &file, method);
    make_zip(name, &entry, 1);
    free(file.data);
}

static const struct {
    size_t offset; /* In the entry's record of the directory. */
    uint64_t value;
    const char *words;
} lies[] = {
    {24, 10, "within its header: 55 bytes needed, 0 found"}, /* The unpacked size. */
    {24, 5000, "4931 bytes fewer than the directory claims"},
    {20, 3, "cannot be unpacked"},          /* The packed size. */
    {42, 0x7fffffff, "cannot be unpacked"}, /* Where it begins. */
};

START_TEST(a_directory_that_lies_about_an_entry_is_found_out)
{
    make_one("a.npz", ZIP_CM_DEFLATE);
    patch("a.npz", "PK\1\2", lies[_i].offset, 4, lies[_i].value);
    check_refused("a.npz", "a.npz", lies[_i].words);
}
END_TEST

START_TEST(a_wrong_checksum_is_found_out)
{
    make_one("a.npz", ZIP_CM_DEFLATE);
    patch("a.npz", "PK\1\2", 16, 4, 0x12345678);
    check_refused("a.npz", "a.npz: x.npy", "CRC");
}
END_TEST

START_TEST(entries_are_counted_before_the_file_is_opened)
{
    make_one("a.npz", ZIP_CM_STORE);
    patch("a.npz", "PK\5\6", 10, 2, 4097);
    check_refused("a.npz", "a.npz", "counts 4097 entries, more than 4096");
    make_one("a.npz", ZIP_CM_STORE);
    patch("a.npz", "PK\5\6", 10, 2, 0xffff);
    check_refused("a.npz", "a.npz", "counts 65535 entries, more than 4096");
}
END_TEST

START_TEST(a_zip64_end_record_is_counted_too)
{
    unsigned char bytes[4 + 56 + 20 + 22] = "PK\3\4";
    memcpy(bytes + 4, "PK\6\6", 4);
    bytes[4 + 32 + 3] = 1; /* 2^24 entries. */
    memcpy(bytes + 60, "PK\6\7", 4);
    bytes[60 + 8] = 4;
    memcpy(bytes + 80, "PK\5\6", 4);
    bytes[80 + 10] = bytes[80 + 11] = 0xff;
    scratch_put("a.npz", bytes, sizeof bytes);
    check_refused("a.npz", "a.npz", "counts 16777216 entries");
}
END_TEST

START_TEST(what_is_no_npz_is_refused_with_what_to_do)
{
    const struct npy_bytes objects =
        npy_bytes_make(1, "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "abcd", 4);
    struct entry pickled[] = {{"archive/data.pkl", "\x80\x02", 2, 2, ZIP_CM_STORE, NULL, 0}};
    make_zip("m.pt", pickled, 1);
    check_refused("m.pt", "m.pt", "it is a PyTorch checkpoint (a pickle runs code");
    struct entry none[] = {{"a.txt", "hello", 5, 5, ZIP_CM_STORE, NULL, 0}};
    make_zip("b.npz", none, 1);
    check_refused("b.npz", "b.npz", "without any .npy in it (save");
    scratch_put("n.npz", "noise", 5);
    check_refused("n.npz", "n.npz", "it is no .npz: it does not begin");
    struct entry object[] = {npy_entry("o.npy", &objects, ZIP_CM_STORE)};
    make_zip("c.npz", object, 1);
    check_refused("c.npz", "c.npz: o.npy", "Python objects (save");
    struct entry secret[] = {{"s.npy", "hello", 5, 5, ZIP_CM_STORE, "key", 0}};
    make_zip("d.npz", secret, 1);
    check_refused("d.npz", "d.npz: s.npy", "it is encrypted (");
    free(objects.data);
}
END_TEST

START_TEST(a_name_that_stands_twice_is_refused)
{
    const float one = 1.0f;
    const struct npy_bytes file = npy_bytes_make(1, ONE_HEADER, &one, sizeof one);
    struct entry entries[] = {npy_entry("x.npy", &file, ZIP_CM_STORE),
                              npy_entry("y.npy", &file, ZIP_CM_STORE)};
    make_zip("a.npz", entries, 2);
    size_t size = 0;
    unsigned char *const bytes = scratch_get("a.npz", &size);
    for (size_t i = 0; i + 5 <= size; i++) {
        bytes[i] = memcmp(bytes + i, "y.npy", 5) == 0 ? 'x' : bytes[i];
    }
    scratch_put("a.npz", bytes, size);
    check_refused("a.npz", "a.npz: x", "stands twice");
    free(bytes);
    free(file.data);
}
END_TEST

START_TEST(a_name_that_a_terminal_would_obey_is_shown_harmless)
{
    const struct npy_bytes file = npy_bytes_make(1, "", NULL, 0);
    struct entry entry = npy_entry("a\xc2\x9b\x33\x31m.npy", &file, ZIP_CM_STORE);
    make_zip("a.npz", &entry, 1);
    check_refused("a.npz", "a.npz: a??31m.npy", "(");
    free(file.data);
}
END_TEST

START_TEST(every_cut_of_an_archive_is_refused)
{
    make_one("a.npz", ZIP_CM_DEFLATE);
    size_t size = 0;
    unsigned char *const bytes = scratch_get("a.npz", &size);
    for (size_t n = 0; n < size; n++) {
        struct io_archive archive;
        struct attn_error err;
        ck_assert_msg(io_read_memory(&archive, "a.npz", bytes, n, &err) != ATTN_OK,
                      "%zu of %zu bytes were read", n, size);
        ck_assert_ptr_nonnull(strchr(err.message, '('));
    }
    free(bytes);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("io: npz");
    TCase *const t = tcase_create("npz");
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, stored_and_packed_entries_are_read_by_name);
    tcase_add_test(t, arrays_come_back_bit_by_bit_whatever_they_hold);
    tcase_add_test(t, the_same_arrays_give_the_same_bytes);
    tcase_add_test(t, a_written_npy_is_byte_for_byte_the_one_that_numpy_writes);
    tcase_add_test(t, a_npy_takes_one_array_and_says_so);
    tcase_add_test(t, a_bomb_is_refused_by_what_it_claims);
    tcase_add_test(t, a_packed_mask_of_zeros_is_no_bomb);
    tcase_add_test(t, a_header_that_claims_more_than_its_entry_is_refused);
    tcase_add_loop_test(t, a_directory_that_lies_about_an_entry_is_found_out, 0,
                        (int)(sizeof lies / sizeof lies[0]));
    tcase_add_test(t, a_wrong_checksum_is_found_out);
    tcase_add_test(t, entries_are_counted_before_the_file_is_opened);
    tcase_add_test(t, a_zip64_end_record_is_counted_too);
    tcase_add_test(t, what_is_no_npz_is_refused_with_what_to_do);
    tcase_add_test(t, a_name_that_stands_twice_is_refused);
    tcase_add_test(t, a_name_that_a_terminal_would_obey_is_shown_harmless);
    tcase_add_test(t, every_cut_of_an_archive_is_refused);
    suite_add_tcase(s, t);
    return s;
}
