#include "fuzz_io.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"

/** A rule that must hold; the fuzzer keeps the input for which it does not. */
static void hold(bool rule, const char *words)
{
    if (!rule) {
        fprintf(stderr, "does not hold: %s\n", words);
        abort();
    }
}

static void check_array(const struct io_array *array)
{
    hold(memchr(array->name, '\0', sizeof array->name) != NULL, "a name ends");
    hold(array->rank >= 0 && array->rank <= IO_RANK_MAX, "a rank is within its bound");
    size_t count = 1;
    for (int i = 0; i < array->rank; i++) {
        hold(array->dims[i] >= 1, "a dimension is at least 1");
        count *= array->dims[i];
    }
    hold(count == array->count, "the count is the product of the dimensions");
    bool zero_or_one = true;
    for (size_t i = 0; i < count; i++) {
        zero_or_one = zero_or_one && (array->data[i] == 0.0f || array->data[i] == 1.0f);
    }
    hold(zero_or_one || array->type != IO_TYPE_BOOL, "a boolean is 0 or 1");
}

/** The arrays that a writer can take. @return how many. */
static int to_write(const struct io_archive *archive, struct io_out *out, size_t count_max)
{
    int n = 0;
    for (int i = 0; i < archive->n; i++) {
        const struct io_array *const array = &archive->arrays[i];
        bool fits = array->rank <= 3 && array->count <= count_max;
        out[n] = (struct io_out){.name = array->name, .rank = array->rank, .data = array->data};
        for (int k = 0; k < array->rank && fits; k++) {
            fits = array->dims[k] <= INT_MAX;
            out[n].dims[k] = (int)array->dims[k];
        }
        n += fits;
    }
    return n;
}

static void check_same(const struct io_out *out, const struct io_array *array)
{
    hold(array != NULL, "what was written is found by its name");
    for (size_t i = 0; i < array->count; i++) {
        const bool same = isnan(out->data[i])
                              ? isnan(array->data[i])
                              : memcmp(&out->data[i], &array->data[i], sizeof(float)) == 0;
        hold(same, "what was written comes back the same");
    }
}

static void check_round_trip(const struct io_archive *archive, const struct io_format *format)
{
    struct io_out *const out = calloc((size_t)archive->n + 1, sizeof *out);
    hold(out != NULL, "memory is there");
    const int n = to_write(archive, out, 100000);
    char *bytes = NULL;
    size_t size = 0;
    FILE *const f = open_memstream(&bytes, &size);
    hold(f != NULL, "memory is there");
    struct attn_error err;
    const enum attn_status status = n > 0 ? format->write(f, out, n, &err) : ATTN_E_VALUE;
    fclose(f);
    if (status == ATTN_OK) {
        char name[32];
        snprintf(name, sizeof name, "again%s", format->extension);
        struct io_archive again;
        hold(io_read_memory(&again, name, bytes, size, &err) == ATTN_OK, "a written file is read");
        hold(again.n == n, "a written file has all its arrays");
        for (int i = 0; i < n; i++) {
            check_same(&out[i], n == 1 ? &again.arrays[0] : io_archive_find(&again, out[i].name));
        }
        io_archive_finish(&again);
    }
    free(bytes);
    free(out);
}

int fuzz_io(const char *name, const char *format, const uint8_t *bytes, size_t size)
{
    struct io_archive archive = {.n = -1};
    struct attn_error err = {.message = ""};
    const enum attn_status status = io_read_memory(&archive, name, bytes, size, &err);
    if (status != ATTN_OK) {
        hold(archive.n == -1, "a failure leaves the result untouched");
        hold(err.status == status && err.message[0] != '\0', "a refusal has words");
        hold(strncmp(err.what, name, strlen(name)) == 0, "a refusal names the file");
        return 0;
    }
    hold(archive.n >= 1 && archive.n <= IO_ENTRIES_MAX, "an archive has 1 to 4096 arrays");
    for (int i = 0; i < archive.n; i++) {
        check_array(&archive.arrays[i]);
    }
    for (const struct io_format *row = io_formats; row->name != NULL; row++) {
        if (strcmp(row->name, format) == 0 && row->write != NULL) {
            check_round_trip(&archive, row);
        }
    }
    io_archive_finish(&archive);
    return 0;
}
