#include "io_case.h"

#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "io.h"

enum { GROWTH_MAX_KB = 20 * 1024 };

const char *io_case_path(const char *file)
{
    static char path[4096];
    const char *const source = getenv("ATTN_SOURCE");
    snprintf(path, sizeof path, "%s/tests/cases/%s", source != NULL ? source : ".", file);
    return path;
}

static long peak_kb(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void check_refusal(const struct io_case *c, enum attn_status status,
                          const struct attn_error *err)
{
    ck_assert_msg(status != ATTN_OK, "%s was read, and is to be refused", c->file);
    ck_assert_int_eq((int)status, (int)err->status);
    ck_assert_msg(strstr(err->message, c->refusal) != NULL, "%s: \"%s\" does not say \"%s\"",
                  c->file, err->message, c->refusal);
    ck_assert_msg(strstr(err->what, c->file) != NULL, "\"%s\" does not name %s", err->what,
                  c->file);
    ck_assert_msg(err->line == c->line && err->column == c->column, "%s: at %d:%d, want %d:%d: %s",
                  c->file, err->line, err->column, c->line, c->column, err->message);
}

static void check_values(const struct io_case *c, const struct io_array *array)
{
    ck_assert_msg(array->rank == c->rank, "%s has rank %d, want %d", c->file, array->rank, c->rank);
    size_t count = 1;
    for (int i = 0; i < c->rank; i++) {
        ck_assert_msg(array->dims[i] == c->dims[i], "%s: dimension %d is %zu, want %zu", c->file, i,
                      array->dims[i], c->dims[i]);
        count *= c->dims[i];
    }
    ck_assert_uint_eq(array->count, count);
    for (size_t i = 0; i < count; i++) {
        const float got = array->data[i];
        const float want = c->values[i];
        const bool same = isnan(want) ? isnan(got) : memcmp(&got, &want, sizeof got) == 0;
        ck_assert_msg(same, "%s: [%zu] is %.9g, want %.9g", c->file, i, (double)got, (double)want);
    }
}

static void check_notes(const struct io_case *c, const struct io_archive *archive)
{
    ck_assert_msg((archive->n_notes > 0) == (c->note != NULL), "%s: %d notes: %s", c->file,
                  archive->n_notes, archive->n_notes > 0 ? archive->notes[0].text : "");
    if (c->note != NULL) {
        ck_assert_msg(strstr(archive->notes[0].text, c->note) != NULL,
                      "%s: \"%s\" does not say \"%s\"", c->file, archive->notes[0].text, c->note);
    }
}

void io_case_check(const struct io_case *c)
{
    const long before = peak_kb();
    struct io_archive archive = {.n = -1};
    struct attn_error err = {.status = ATTN_OK};
    const enum attn_status status = io_read(&archive, io_case_path(c->file), &err);
    const long grown = peak_kb() - before;
    ck_assert_msg(grown < GROWTH_MAX_KB, "%s took %ld kB", c->file, grown);
    if (c->refusal != NULL) {
        check_refusal(c, status, &err);
        ck_assert_msg(archive.n == -1, "%s: a failure touched the result", c->file);
        return;
    }
    ck_assert_msg(status == ATTN_OK, "%s was refused: %s", c->file, err.message);
    ck_assert_int_ge(archive.n, 1);
    check_values(c, &archive.arrays[0]);
    check_notes(c, &archive);
    io_archive_finish(&archive);
}

void io_case_check_folder(const char *folder, const struct io_case *cases, size_t n)
{
    DIR *const directory = opendir(io_case_path(folder));
    ck_assert_msg(directory != NULL, "no folder %s", folder);
    size_t files = 0;
    for (struct dirent *item = readdir(directory); item != NULL; item = readdir(directory)) {
        if (item->d_name[0] == '.') {
            continue;
        }
        char file[512];
        snprintf(file, sizeof file, "%s/%s", folder, item->d_name);
        size_t i = 0;
        while (i < n && strcmp(cases[i].file, file) != 0) {
            i++;
        }
        ck_assert_msg(i < n, "%s has no verdict in the table", file);
        files++;
    }
    closedir(directory);
    ck_assert_uint_eq(files, n);
}
