/* The format table, and what goes over it. A new format is a new row. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "parts.h"

/** The most bytes that a file may have: 4 GiB, the bound of a trace's memory, where size_t has it.
 */
#define FILE_SIZE_MAX (SIZE_MAX > UINT32_MAX ? (size_t)(UINT64_C(4) << 30) : SIZE_MAX / 2)

/* Those that are told by their content come first; text is told by the name's ending. */
const struct io_format io_formats[] = {
    {"npz", ".npz", "many arrays, as numpy.savez writes them", false, io_npz_recognise, io_npz_read,
     io_npz_write},
    {"safetensors", ".safetensors", "many arrays, as Hugging Face keeps weights", false,
     io_safetensors_recognise, io_safetensors_read, io_safetensors_write},
    {"json", ".json", "nested arrays by name", false, io_json_recognise, io_json_read,
     io_json_write},
    {"npy", ".npy", "one array, as numpy.save writes it", false, io_npy_recognise,
     io_npy_read_bytes, io_npy_write},
    {"csv", ".csv", "one matrix, a row a line", true, io_csv_recognise, io_csv_read, io_csv_write},
    {"tsv", ".tsv", "the same with tabs", true, io_csv_recognise, io_tsv_read, io_tsv_write},
    {NULL, NULL, NULL, false, NULL, NULL, NULL},
};

static const struct io_format *by_content(const unsigned char *bytes, size_t size, bool vague)
{
    for (const struct io_format *row = io_formats; row->name != NULL; row++) {
        if (row->vague == vague && row->recognise(bytes, size)) {
            return row;
        }
    }
    return NULL;
}

static const struct io_format *by_ending(const char *path)
{
    const size_t length = strlen(path);
    for (const struct io_format *row = io_formats; row->name != NULL; row++) {
        const size_t n = strlen(row->extension);
        if (length > n && strcasecmp(path + length - n, row->extension) == 0) {
            return row;
        }
    }
    return NULL;
}

/** ".npz, .npy", of those that can be written or of all. */
static void list_endings(char *out, size_t size, bool writable)
{
    size_t used = 0;
    out[0] = '\0';
    for (const struct io_format *row = io_formats; row->name != NULL; row++) {
        if ((!writable || row->write != NULL) && used < size) {
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     row->extension);
        }
    }
}

static enum attn_status read_as_recognised(struct io_archive *archive, const unsigned char *bytes,
                                           size_t size, struct attn_error *err)
{
    if (size == 0) {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT, "the file is empty (save it again)");
    }
    const struct io_format *format = by_content(bytes, size, false);
    if (format == NULL) {
        const enum attn_status status = io_refuse_known(archive, bytes, size, err);
        if (status != ATTN_OK) {
            return status;
        }
        format = by_ending(archive->path);
    }
    if (format == NULL) {
        format = by_content(bytes, size, true);
    }
    if (format == NULL) {
        char endings[128];
        list_endings(endings, sizeof endings, false);
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "neither its content nor its name's ending tells what it is (these are "
                       "read: %s)",
                       endings);
    }
    archive->format = format->name;
    return format->read(archive, bytes, size, err);
}

enum attn_status io_read_memory(struct io_archive *archive, const char *name, const void *bytes,
                                size_t size, struct attn_error *err)
{
    struct io_archive fresh = {.n = 0};
    snprintf(fresh.path, sizeof fresh.path, "%s", name);
    struct io_locale locale;
    if (!io_locale_begin(&locale)) {
        return io_fail(&fresh, NULL, err, ATTN_E_NOMEM, "no memory to read it");
    }
    const enum attn_status status = read_as_recognised(&fresh, bytes, size, err);
    io_locale_end(&locale);
    if (status != ATTN_OK) {
        io_archive_finish(&fresh);
        return status;
    }
    *archive = fresh;
    return ATTN_OK;
}

enum attn_status io_read(struct io_archive *archive, const char *path, struct attn_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    enum attn_status status = io_slurp(path, FILE_SIZE_MAX, &bytes, &size, err);
    if (status != ATTN_OK) {
        return status;
    }
    const bool standard = strcmp(path, "-") == 0;
    status = io_read_memory(archive, standard ? "standard input" : path, bytes, size, err);
    free(bytes);
    if (status == ATTN_OK && standard) {
        memcpy(archive->path, "-", sizeof "-");
    }
    return status;
}

bool io_can_write(const char *path)
{
    const struct io_format *const format = by_ending(path);
    return format != NULL && format->write != NULL;
}

/** What io_save hands on to the format's writer. */
struct job {
    const struct io_format *format;
    const struct io_out *arrays;
    int n;
};

static enum attn_status run_job(FILE *f, const void *context, struct attn_error *err)
{
    const struct job *const job = context;
    return job->format->write(f, job->arrays, job->n, err);
}

enum attn_status io_write(const char *path, const struct io_out *arrays, int n,
                          struct attn_error *err)
{
    if (!io_can_write(path)) {
        char endings[128];
        list_endings(endings, sizeof endings, true);
        return attn_fail(err, ATTN_E_UNSUPPORTED, path,
                         "its ending names no format that can be written (use one of %s)", endings);
    }
    struct io_locale locale;
    if (!io_locale_begin(&locale)) {
        return attn_fail(err, ATTN_E_NOMEM, path, "no memory to write it");
    }
    const struct job job = {by_ending(path), arrays, n};
    const enum attn_status status = io_save(path, run_job, &job, err);
    io_locale_end(&locale);
    return status;
}
