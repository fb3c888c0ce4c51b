/* Files as such: what is recognised and refused, and how a file is written. */
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"
#include "scratch.h"

#define BYTES(text) text, sizeof text - 1

static const struct {
    const char *name;
    const char *bytes;
    size_t size;
    const char *words;
} refused[] = {
    {"m.pt", BYTES("\x80\x02\x8a\x0a"), "PyTorch checkpoint of the older kind (a pickle runs"},
    {"m.pkl", BYTES("\x80\x04\x95"), "it is a pickle (a pickle runs code"},
    {"x.npy", BYTES("version https://git-lfs.github.com/spec/v1\noid"), "git lfs pull"},
    {"x.npz", BYTES("\x1f\x8b\x08"), "packed with gzip (unpack it with gunzip"},
    {"x.csv", BYTES("BZh91AY"), "packed with bzip2"},
    {"x.csv",
     BYTES("\xfd"
           "7zXZ\0\0"),
     "packed with xz"},
    {"x.csv", BYTES("\x28\xb5\x2f\xfd"), "packed with zstd"},
    {"x", BYTES("7z\xbc\xaf\x27\x1c"), "a 7z archive (unpack it"},
    {"x.h5", BYTES("\x89HDF\r\n\x1a\n"), "an HDF5 file (in Python"},
    {"x.npy", BYTES("<!DOCTYPE html>"), "a web page, not the file itself"},
    {"x.csv",
     BYTES("\xff\xfe"
           "1\0"),
     "text in UTF-16 (save it as UTF-8"},
    {"x.bin", BYTES("\x01\x02\x03"), "neither its content nor its name's ending tells what"},
    {"x.npy", BYTES(""), "the file is empty"},
};

START_TEST(a_known_file_that_is_not_read_is_named_with_what_to_do)
{
    struct io_archive archive;
    struct attn_error err;
    ck_assert_int_ne(
        io_read_memory(&archive, refused[_i].name, refused[_i].bytes, refused[_i].size, &err),
        ATTN_OK);
    ck_assert_msg(strstr(err.message, refused[_i].words) != NULL, "%s: %s", refused[_i].name,
                  err.message);
    ck_assert_ptr_nonnull(strchr(err.message, '('));
    ck_assert_str_eq(err.what, refused[_i].name);
}
END_TEST

START_TEST(a_tar_archive_is_known_by_the_mark_in_its_middle)
{
    char bytes[512] = "x.npy";
    memcpy(bytes + 257, "ustar", 5);
    struct attn_error err;
    struct io_archive archive;
    ck_assert_int_eq(io_read_memory(&archive, "x.tar", bytes, sizeof bytes, &err),
                     ATTN_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "a tar archive (unpack it"));
}
END_TEST

START_TEST(the_content_tells_the_format_whatever_the_name)
{
    const float one = 1;
    const struct io_out out = {"x", 1, {1}, &one};
    ck_assert_int_eq(io_write(scratch_path("a.npz"), &out, 1, NULL), ATTN_OK);
    ck_assert_int_eq(rename(scratch_path("a.npz"), scratch_path("a.npy")), 0);
    struct io_archive archive;
    ck_assert_int_eq(io_read(&archive, scratch_path("a.npy"), NULL), ATTN_OK);
    ck_assert_str_eq(archive.format, "npz");
    io_archive_finish(&archive);
}
END_TEST

START_TEST(standard_input_is_read_by_its_content)
{
    const float data[2] = {1, 2};
    const struct io_out out = {"x", 1, {2}, data};
    ck_assert_int_eq(io_write(scratch_path("a.npy"), &out, 1, NULL), ATTN_OK);
    size_t size = 0;
    unsigned char *const bytes = scratch_get("a.npy", &size);
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq((int)write(ends[1], bytes, size), (int)size);
    close(ends[1]);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    struct io_archive archive;
    ck_assert_int_eq(io_read(&archive, "-", NULL), ATTN_OK);
    ck_assert_str_eq(archive.path, "-");
    ck_assert_uint_eq(archive.arrays[0].count, 2);
    io_archive_finish(&archive);
    struct attn_error err;
    ck_assert_int_eq(io_read(&archive, "-", &err), ATTN_E_FORMAT); /* Nothing is left. */
    ck_assert_str_eq(err.what, "standard input");
    free(bytes);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
    struct io_archive archive;
    struct attn_error err;
    ck_assert_int_eq(io_read(&archive, scratch_path(""), &err), ATTN_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "it is a directory (name a file in it)"));
    ck_assert_int_eq(io_read(&archive, scratch_path("none.npy"), &err), ATTN_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, strerror(ENOENT)));
    ck_assert_str_eq(err.what, scratch_path("none.npy"));
    ck_assert_int_eq(io_read(&archive, "/proc/self/mem", &err), ATTN_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "it cannot be read: "));
}
END_TEST

START_TEST(a_file_beyond_the_limit_is_not_read)
{
    scratch_put("a", "12345678", 8);
    unsigned char *bytes = NULL;
    size_t size = 99;
    struct attn_error err;
    ck_assert_int_eq(io_slurp(scratch_path("a"), 7, &bytes, &size, &err), ATTN_E_LIMIT);
    ck_assert(bytes == NULL && size == 99);
    ck_assert_ptr_nonnull(strstr(err.message, "it has 8 bytes, more than 7"));
    ck_assert_int_eq(io_slurp(scratch_path("a"), 8, &bytes, &size, &err), ATTN_OK);
    ck_assert_uint_eq(size, 8);
    free(bytes);
    ck_assert_int_eq(io_slurp("/dev/zero", 100000, &bytes, &size, &err), ATTN_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "it is a device"));
}
END_TEST

/* ---- writing ---- */

static enum attn_status write_text(FILE *f, const void *context, struct attn_error *err)
{
    (void)err;
    fputs(context, f);
    return ATTN_OK;
}

static enum attn_status write_half(FILE *f, const void *context, struct attn_error *err)
{
    fputs(context, f);
    return attn_fail(err, ATTN_E_VALUE, NULL, "half way (stop)");
}

static void check_content(const char *name, const char *want)
{
    size_t size = 0;
    unsigned char *const bytes = scratch_get(name, &size);
    ck_assert_str_eq((const char *)bytes, want);
    free(bytes);
}

static mode_t mode_of(const char *name)
{
    struct stat st;
    ck_assert_int_eq(lstat(scratch_path(name), &st), 0);
    return st.st_mode;
}

START_TEST(a_new_file_has_the_mode_that_the_umask_leaves)
{
    umask(027);
    ck_assert_int_eq(io_save(scratch_path("a"), write_text, "new", NULL), ATTN_OK);
    check_content("a", "new");
    ck_assert_int_eq((int)(mode_of("a") & 07777), 0640);
    ck_assert_int_eq(scratch_count(), 1);
}
END_TEST

START_TEST(an_old_file_keeps_its_mode)
{
    scratch_put("a", "old", 3);
    ck_assert_int_eq(chmod(scratch_path("a"), 0604), 0);
    ck_assert_int_eq(io_save(scratch_path("a"), write_text, "new", NULL), ATTN_OK);
    check_content("a", "new");
    ck_assert_int_eq((int)(mode_of("a") & 07777), 0604);
}
END_TEST

START_TEST(a_failed_save_leaves_the_old_file_and_nothing_else)
{
    scratch_put("a", "old", 3);
    struct attn_error err;
    ck_assert_int_eq(io_save(scratch_path("a"), write_half, "new", &err), ATTN_E_VALUE);
    ck_assert_str_eq(err.what, scratch_path("a"));
    ck_assert_str_eq(err.message, "half way (stop)");
    check_content("a", "old");
    ck_assert_int_eq(scratch_count(), 1);
}
END_TEST

START_TEST(a_link_keeps_pointing)
{
    scratch_put("a", "old", 3);
    ck_assert_int_eq(symlink("a", scratch_path("link")), 0);
    ck_assert_int_eq(io_save(scratch_path("link"), write_text, "new", NULL), ATTN_OK);
    ck_assert(S_ISLNK(mode_of("link")));
    check_content("a", "new");
    ck_assert_int_eq(scratch_count(), 2);
}
END_TEST

START_TEST(a_link_to_what_is_not_there_yet_makes_it)
{
    ck_assert_int_eq(symlink("b", scratch_path("a")), 0);
    ck_assert_int_eq(symlink(scratch_path("c"), scratch_path("b")), 0);
    ck_assert_int_eq(io_save(scratch_path("a"), write_text, "new", NULL), ATTN_OK);
    ck_assert(S_ISLNK(mode_of("a")) && S_ISLNK(mode_of("b")));
    check_content("c", "new");
    ck_assert_int_eq(symlink("round", scratch_path("round")), 0);
    ck_assert_int_eq(io_save(scratch_path("round"), write_text, "new", NULL), ATTN_E_IO);
    ck_assert(S_ISLNK(mode_of("round")));
}
END_TEST

START_TEST(a_full_device_is_told)
{
    if (access("/dev/full", W_OK) != 0) {
        return; /* Not everywhere. */
    }
    struct attn_error err;
    ck_assert_int_eq(symlink("/dev/full", scratch_path("full")), 0);
    ck_assert_int_eq(io_save(scratch_path("full"), write_text, "new", &err), ATTN_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, strerror(ENOSPC)));
    ck_assert_str_eq(err.what, scratch_path("full"));
    const float one = 1;
    const struct io_out out = {"x", 1, {1}, &one};
    ck_assert_int_eq(symlink("/dev/full", scratch_path("full.npz")), 0);
    ck_assert_int_eq(io_write(scratch_path("full.npz"), &out, 1, &err), ATTN_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, strerror(ENOSPC)));
}
END_TEST

START_TEST(what_cannot_be_written_is_told)
{
    struct attn_error err;
    ck_assert_int_eq(io_save(scratch_path(""), write_text, "new", &err), ATTN_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "it is a directory (name a file)"));
    ck_assert_int_eq(io_save(scratch_path("none/a"), write_text, "new", &err), ATTN_E_IO);
    ck_assert_ptr_nonnull(strstr(err.message, strerror(ENOENT)));
    ck_assert_int_eq(io_save("", write_text, "new", &err), ATTN_E_IO);
}
END_TEST

START_TEST(an_ending_without_a_writer_is_refused_with_those_that_have_one)
{
    const float one = 1;
    const struct io_out out = {"x", 1, {1}, &one};
    struct attn_error err;
    ck_assert(!io_can_write("a.pt"));
    ck_assert(!io_can_write(".npz"));
    ck_assert(io_can_write("a.NPZ"));
    ck_assert_int_eq(io_write(scratch_path("a.pt"), &out, 1, &err), ATTN_E_UNSUPPORTED);
    for (const struct io_format *row = io_formats; row->name != NULL; row++) {
        if (row->write != NULL) {
            ck_assert_ptr_nonnull(strstr(err.message, row->extension));
        }
    }
    ck_assert_int_eq(scratch_count(), 0);
}
END_TEST

START_TEST(every_row_of_the_format_table_is_whole)
{
    for (const struct io_format *row = io_formats; row->name != NULL; row++) {
        ck_assert_msg(row->extension[0] == '.', "%s", row->name);
        ck_assert_msg(row->summary[0] != '\0', "%s", row->name);
        ck_assert_msg(row->recognise != NULL && row->read != NULL, "%s", row->name);
        ck_assert_msg(!row->recognise((const unsigned char *)"", 0), "%s", row->name);
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("io: files");
    TCase *const t = tcase_create("files");
    tcase_add_checked_fixture(t, scratch_begin, scratch_end);
    tcase_add_loop_test(t, a_known_file_that_is_not_read_is_named_with_what_to_do, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(t, a_tar_archive_is_known_by_the_mark_in_its_middle);
    tcase_add_test(t, the_content_tells_the_format_whatever_the_name);
    tcase_add_test(t, standard_input_is_read_by_its_content);
    tcase_add_test(t, what_is_no_file_is_refused);
    tcase_add_test(t, a_file_beyond_the_limit_is_not_read);
    tcase_add_test(t, a_new_file_has_the_mode_that_the_umask_leaves);
    tcase_add_test(t, an_old_file_keeps_its_mode);
    tcase_add_test(t, a_failed_save_leaves_the_old_file_and_nothing_else);
    tcase_add_test(t, a_link_keeps_pointing);
    tcase_add_test(t, a_link_to_what_is_not_there_yet_makes_it);
    tcase_add_test(t, a_full_device_is_told);
    tcase_add_test(t, what_cannot_be_written_is_told);
    tcase_add_test(t, an_ending_without_a_writer_is_refused_with_those_that_have_one);
    tcase_add_test(t, every_row_of_the_format_table_is_whole);
    suite_add_tcase(s, t);
    return s;
}
