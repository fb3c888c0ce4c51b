/* .npz: a zip archive with one .npy an array. libzip unpacks; what it is given is bounded first. */
#include <stdint.h>
#include <string.h>
#include <zip.h>

#include "parts.h"
#include "zip_ready.h"

enum {
    END_SIZE = 22,       /* The end record without its comment. */
    ENTRY_SIZE = 46,     /* The least that an entry takes in the directory. */
    LOCATOR_SIZE = 20,   /* Of a zip64 end record, just before the end record. */
    END64_SIZE = 56,     /* A zip64 end record without its extensions. */
    COMMENT_MAX = 65535, /* Of the end record. */
    EXPAND_RATIO = 250,  /* Unpacked to packed; deflate ends at 1032. */
};

/* What may be unpacked whatever the ratio: a mask of zeros packs as well as a bomb does. */
static const zip_uint64_t expand_free = (zip_uint64_t)64 << 20;

bool io_npz_recognise(const unsigned char *bytes, size_t size)
{
    return size >= 4 && bytes[0] == 'P' && bytes[1] == 'K' &&
           ((bytes[2] == 3 && bytes[3] == 4) || (bytes[2] == 5 && bytes[3] == 6));
}

static bool has_mark(const unsigned char *bytes, unsigned char third, unsigned char fourth)
{
    return bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == third && bytes[3] == fourth;
}

/** The entries that a zip64 end record claims which belongs to the end record at this place, or 0.
 */
static uint64_t claimed_wide(const unsigned char *bytes, size_t size, size_t at)
{
    if (at < LOCATOR_SIZE || !has_mark(bytes + at - LOCATOR_SIZE, 6, 7)) {
        return 0;
    }
    const uint64_t place = io_load_le(bytes + at - LOCATOR_SIZE + 8, 8);
    if (size < END64_SIZE || place > size - END64_SIZE || !has_mark(bytes + place, 6, 6)) {
        return 0;
    }
    return io_load_le(bytes + place + 32, 8);
}

/** Could the directory of the end record at this place be where it says, and as large? */
static bool is_plausible(const unsigned char *bytes, size_t at)
{
    const uint64_t entries = io_load_le(bytes + at + 10, 2);
    const uint64_t directory_size = io_load_le(bytes + at + 12, 4);
    const uint64_t offset = io_load_le(bytes + at + 16, 4);
    return offset + directory_size <= at && entries * ENTRY_SIZE <= directory_size;
}

/**
 * The most entries that an end record claims. A hostile file may have several, and which of them
 * libzip takes is its own affair: the last one that ends with the file is held to the limit, and
 * every other that is no chance find among an array's numbers.
 */
static bool count_entries(const unsigned char *bytes, size_t size, uint64_t *most)
{
    bool found = false;
    bool found_last = false;
    *most = 0;
    for (size_t back = END_SIZE; back <= size && back <= END_SIZE + COMMENT_MAX; back++) {
        const size_t at = size - back;
        if (!has_mark(bytes + at, 5, 6)) {
            continue;
        }
        found = true;
        const bool last = !found_last && io_load_le(bytes + at + 20, 2) == back - END_SIZE;
        found_last = found_last || last;
        const uint64_t narrow =
            last || is_plausible(bytes, at) ? io_load_le(bytes + at + 10, 2) : 0;
        const uint64_t wide = claimed_wide(bytes, size, at);
        const uint64_t claimed = wide > 0 && (wide > narrow || narrow == 0xffff) ? wide : narrow;
        *most = claimed > *most ? claimed : *most;
    }
    return found;
}

/** An entry that is being unpacked. */
struct entry {
    zip_file_t *file;
    char why[128];
};

static size_t entry_read(void *context, unsigned char *out, size_t n, const char **why)
{
    struct entry *const entry = context;
    size_t done = 0;
    while (done < n) {
        const zip_int64_t got = zip_fread(entry->file, out + done, n - done);
        if (got < 0) {
            snprintf(entry->why, sizeof entry->why, "%s",
                     zip_error_strerror(zip_file_get_error(entry->file)));
            *why = entry->why;
            break;
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    return done;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text);
    const size_t n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

/** Refuse what no reading could mend. @param total  In, out: bytes that entries claim so far. */
static enum attn_status check_entry(const struct io_archive *archive, const zip_stat_t *stat,
                                    size_t file_size, zip_uint64_t *total, struct attn_error *err)
{
    const zip_uint64_t needed =
        ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_ENCRYPTION_METHOD;
    if ((stat->valid & needed) != needed) {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "an entry has no name or no size (save the file again)");
    }
    if (ends_with(stat->name, "data.pkl")) {
        return io_fail(archive, NULL, err, ATTN_E_UNSUPPORTED, "it is a PyTorch checkpoint %s",
                       io_pickle_advice);
    }
    if (stat->encryption_method != ZIP_EM_NONE) {
        return io_fail(archive, stat->name, err, ATTN_E_UNSUPPORTED,
                       "it is encrypted (unpack it, and save it with numpy.savez)");
    }
    if (!ends_with(stat->name, ".npy")) {
        return ATTN_OK;
    }
    if (stat->size > SIZE_MAX - *total) {
        return io_fail(archive, stat->name, err, ATTN_E_LIMIT,
                       "it claims %llu bytes (the file is damaged: save it again)",
                       (unsigned long long)stat->size);
    }
    *total += stat->size;
    if (*total > expand_free && *total / EXPAND_RATIO > file_size) {
        return io_fail(archive, stat->name, err, ATTN_E_LIMIT,
                       "%zu bytes would unpack to %llu, as a zip bomb does (save it with "
                       "numpy.savez, which does not pack)",
                       file_size, (unsigned long long)*total);
    }
    return ATTN_OK;
}

static enum attn_status read_entry(struct io_archive *archive, zip_t *zip, const zip_stat_t *stat,
                                   struct attn_error *err)
{
    char name[IO_NAME_MAX];
    const size_t length = strlen(stat->name) - strlen(".npy");
    if (length >= sizeof name) {
        return io_fail(archive, NULL, err, ATTN_E_LIMIT,
                       "an entry's name has %zu bytes, more than %d (give it a shorter one)",
                       length, IO_NAME_MAX - 1);
    }
    memcpy(name, stat->name, length);
    name[length] = '\0';
    struct entry entry = {.file = zip_fopen_index(zip, stat->index, 0)};
    if (entry.file == NULL) {
        return io_fail(archive, stat->name, err, ATTN_E_FORMAT,
                       "it cannot be unpacked: %s (save the file again with numpy.savez)",
                       zip_strerror(zip));
    }
    struct io_source source = {&entry, entry_read, (size_t)stat->size};
    const enum attn_status status = io_npy_read(archive, name, stat->name, &source, err);
    zip_fclose(entry.file);
    return status;
}

/** What is done with one entry, in the pass over all of them. */
enum pass { PASS_CHECK, PASS_READ, N_PASSES };

static enum attn_status visit_entry(struct io_archive *archive, zip_t *zip, zip_uint64_t index,
                                    enum pass pass, size_t file_size, zip_uint64_t *total,
                                    struct attn_error *err)
{
    zip_stat_t stat;
    if (zip_stat_index(zip, index, 0, &stat) != 0) {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "entry %llu cannot be read: %s (save the file again)",
                       (unsigned long long)index, zip_strerror(zip));
    }
    if (pass == PASS_CHECK) {
        return check_entry(archive, &stat, file_size, total, err);
    }
    if (ends_with(stat.name, ".npy")) {
        return read_entry(archive, zip, &stat, err);
    }
    if (ends_with(stat.name, "/")) {
        return ATTN_OK;
    }
    return io_archive_note_left_out(archive, stat.name, "is no .npy", err);
}

/** All entries are looked at before any is unpacked. */
static enum attn_status read_entries(struct io_archive *archive, zip_t *zip, size_t file_size,
                                     struct attn_error *err)
{
    zip_uint64_t total = 0;
    const zip_int64_t n = zip_get_num_entries(zip, 0);
    for (enum pass pass = PASS_CHECK; pass < N_PASSES; pass++) {
        for (zip_int64_t i = 0; i < n; i++) {
            const enum attn_status status =
                visit_entry(archive, zip, (zip_uint64_t)i, pass, file_size, &total, err);
            if (status != ATTN_OK) {
                return status;
            }
        }
    }
    if (archive->n == 0) {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "it is a zip archive without any .npy in it (save the arrays with "
                       "numpy.savez)");
    }
    return ATTN_OK;
}

static enum attn_status cannot_open(const struct io_archive *archive, zip_error_t *error,
                                    struct attn_error *err)
{
    const bool memory = zip_error_code_zip(error) == ZIP_ER_MEMORY;
    const enum attn_status status =
        io_fail(archive, NULL, err, memory ? ATTN_E_NOMEM : ATTN_E_FORMAT,
                "its zip directory cannot be read: %s (copy or save the file again)",
                zip_error_strerror(error));
    zip_error_fini(error);
    return status;
}

enum attn_status io_npz_read(struct io_archive *archive, const unsigned char *bytes, size_t size,
                             struct attn_error *err)
{
    uint64_t entries = 0;
    if (!io_npz_recognise(bytes, size)) {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "it is no .npz: it does not begin as a zip archive does (save it with "
                       "numpy.savez)");
    }
    if (!count_entries(bytes, size, &entries)) {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "it is a zip archive that is cut off: its end record is missing (copy or "
                       "save it again)");
    }
    if (entries > IO_ENTRIES_MAX) {
        return io_fail(archive, NULL, err, ATTN_E_LIMIT,
                       "its end record counts %llu entries, more than %d (save fewer arrays)",
                       (unsigned long long)entries, IO_ENTRIES_MAX);
    }
    const char *const missing = io_zip_missing();
    if (missing != NULL) {
        return io_fail(archive, NULL, err, ATTN_E_UNSUPPORTED, IO_ZIP_MISSING, missing);
    }
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *const source = zip_source_buffer_create(bytes, size, 0, &error);
    if (source == NULL) {
        return cannot_open(archive, &error, err);
    }
    zip_t *const zip = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (zip == NULL) {
        zip_source_free(source);
        return cannot_open(archive, &error, err);
    }
    const enum attn_status status = read_entries(archive, zip, size, err);
    zip_discard(zip);
    zip_error_fini(&error);
    return status;
}
