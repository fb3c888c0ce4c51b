/* .npz as numpy.savez writes it: entries that are not packed, dated 1980 so that the same arrays
 * always give the same bytes. */
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "parts.h"
#include "zip_ready.h"

enum { DOS_1980_01_01 = 0x21, NAME_SIZE = IO_NAME_MAX + 8 };

/** An array on its way into the archive: head, then data, read by libzip when it closes. */
struct feed {
    const struct io_out *array;
    unsigned char head[IO_NPY_HEAD_MAX];
    size_t head_size;
    size_t size;
    size_t done;
    zip_error_t error;
};

/** The bytes of one array from feed->done on. */
static size_t feed_read(struct feed *feed, unsigned char *out, size_t n)
{
    size_t written = 0;
    while (written < n && feed->done < feed->head_size) {
        out[written++] = feed->head[feed->done++];
    }
    while (written < n && feed->done < feed->size) {
        const size_t at = feed->done - feed->head_size;
        unsigned char element[4];
        io_store_le(element, sizeof element, io_bits_of_float(feed->array->data[at / 4]));
        const size_t from = at % 4;
        const size_t now = n - written < 4 - from ? n - written : 4 - from;
        memcpy(out + written, element + from, now);
        written += now;
        feed->done += now;
    }
    return written;
}

static zip_int64_t feed_command(void *context, void *data, zip_uint64_t length,
                                zip_source_cmd_t command)
{
    struct feed *const feed = context;
    switch ((int)command) {
    case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_READABLE;
    case ZIP_SOURCE_OPEN:
        feed->done = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return (zip_int64_t)feed_read(feed, data, (size_t)length);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_STAT: {
        zip_stat_t *const stat = data;
        zip_stat_init(stat);
        stat->size = feed->size;
        stat->valid = ZIP_STAT_SIZE;
        return (zip_int64_t)sizeof *stat;
    }
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&feed->error, data, length);
    default: /* libzip's commands, not an enum of ours. */
        zip_error_set(&feed->error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

static bool add_entry(zip_t *zip, struct feed *feed, const struct io_out *array)
{
    feed->array = array;
    feed->head_size = io_npy_head(array, feed->head);
    feed->size = feed->head_size + io_out_count(array) * sizeof(float);
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s.npy", array->name);
    zip_source_t *const source = zip_source_function(zip, feed_command, feed);
    if (source == NULL) {
        return false;
    }
    const zip_int64_t index = zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return false;
    }
    return zip_set_file_compression(zip, (zip_uint64_t)index, ZIP_CM_STORE, 0) == 0 &&
           zip_file_set_dostime(zip, (zip_uint64_t)index, 0, DOS_1980_01_01, 0) == 0;
}

/** Copy what libzip has put together to the file. */
static enum attn_status copy_out(FILE *f, zip_source_t *archive, struct attn_error *err)
{
    unsigned char *const chunk = malloc(IO_CHUNK);
    if (chunk == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "no memory to write the archive");
    }
    enum attn_status status = ATTN_OK;
    if (zip_source_open(archive) != 0) {
        status = attn_fail(err, ATTN_E_IO, NULL, "the archive cannot be put together: %s",
                           zip_error_strerror(zip_source_error(archive)));
        free(chunk);
        return status;
    }
    zip_int64_t got = 0;
    while ((got = zip_source_read(archive, chunk, IO_CHUNK)) > 0) {
        if (fwrite(chunk, 1, (size_t)got, f) != (size_t)got) {
            break; /* The caller looks at ferror and errno. */
        }
    }
    if (got < 0) {
        status = attn_fail(err, ATTN_E_IO, NULL, "the archive cannot be put together: %s",
                           zip_error_strerror(zip_source_error(archive)));
    }
    zip_source_close(archive);
    free(chunk);
    return status;
}

/** Put the entries together; libzip reads the feeds when it closes. Ends its share of archive. */
static enum attn_status put_together(zip_source_t *archive, struct feed *feeds,
                                     const struct io_out *arrays, int n, struct attn_error *err)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_t *const zip = zip_open_from_source(archive, ZIP_CREATE | ZIP_TRUNCATE, &error);
    if (zip == NULL) {
        zip_source_free(archive);
        const enum attn_status status = attn_fail(
            err, ATTN_E_NOMEM, NULL, "the archive cannot be begun: %s", zip_error_strerror(&error));
        zip_error_fini(&error);
        return status;
    }
    bool good = true;
    for (int i = 0; i < n && good; i++) {
        good = add_entry(zip, &feeds[i], &arrays[i]);
    }
    if (good && zip_close(zip) == 0) {
        return ATTN_OK;
    }
    attn_fail(err, ATTN_E_NOMEM, NULL, "the archive cannot be put together: %s", zip_strerror(zip));
    zip_discard(zip);
    return ATTN_E_NOMEM;
}

enum attn_status io_npz_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err)
{
    enum attn_status status = ATTN_OK;
    const char *const missing = io_zip_missing();
    if (missing != NULL) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, NULL, IO_ZIP_MISSING, missing);
    }
    zip_error_t error;
    zip_error_init(&error);
    struct feed *const feeds = calloc((size_t)n + 1, sizeof *feeds);
    zip_source_t *const archive = zip_source_buffer_create(NULL, 0, 0, &error);
    if (feeds == NULL || archive == NULL) {
        status = attn_fail(err, ATTN_E_NOMEM, NULL, "no memory to write the archive");
    } else {
        zip_source_keep(archive); /* Ours to read when zip_close has given up its own share. */
        status = put_together(archive, feeds, arrays, n, err);
    }
    if (status == ATTN_OK) {
        status = copy_out(f, archive, err);
    }
    zip_source_free(archive);
    zip_error_fini(&error);
    free(feeds);
    return status;
}
