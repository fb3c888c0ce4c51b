/* The .npy format, versions 1.0 to 3.0, as numpy's own documentation describes it. */
#include "npy.h"

#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum { NPY_MAGIC_SIZE = 6, NPY_HEADER_MAX = 1 << 20 };

static const unsigned char magic[NPY_MAGIC_SIZE] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

bool io_npy_recognise(const unsigned char *bytes, size_t size)
{
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/** Read exactly n bytes, or say what they were for. */
static enum attn_status need(const struct io_archive *archive, const char *entry,
                             struct io_source *source, void *out, size_t n, const char *part,
                             struct attn_error *err)
{
    const char *why = NULL;
    const size_t got = source->read(source->context, out, n, &why);
    if (got == n) {
        return ATTN_OK;
    }
    if (why != NULL) {
        return io_fail(archive, entry, err, ATTN_E_FORMAT,
                       "its %s cannot be unpacked: %s (save the file again)", part, why);
    }
    return io_fail(archive, entry, err, ATTN_E_FORMAT,
                   "the file ends within its %s: %zu bytes needed, %zu found (copy or save it "
                   "again)",
                   part, n, got);
}

/** The version and the header's length. @param used  Out: bytes read so far. */
static enum attn_status read_prefix(const struct io_archive *archive, const char *entry,
                                    struct io_source *source, size_t *length, size_t *used,
                                    struct attn_error *err)
{
    unsigned char prefix[NPY_MAGIC_SIZE + 6];
    enum attn_status status =
        need(archive, entry, source, prefix, NPY_MAGIC_SIZE + 2, "first bytes", err);
    if (status != ATTN_OK) {
        return status;
    }
    if (!io_npy_recognise(prefix, NPY_MAGIC_SIZE)) {
        return io_fail(archive, entry, err, ATTN_E_FORMAT,
                       "it is no .npy file: its first bytes are not \\x93NUMPY (save it with "
                       "numpy.save)");
    }
    const unsigned major = prefix[NPY_MAGIC_SIZE];
    const unsigned minor = prefix[NPY_MAGIC_SIZE + 1];
    if (major < 1 || major > 3 || minor != 0) {
        return io_fail(archive, entry, err, ATTN_E_UNSUPPORTED,
                       "its .npy version is %u.%u, and 1.0, 2.0 and 3.0 are read (save it again "
                       "with numpy.save)",
                       major, minor);
    }
    const size_t width = major == 1 ? 2 : 4;
    status = need(archive, entry, source, prefix, width, "header's length", err);
    if (status != ATTN_OK) {
        return status;
    }
    *length = (size_t)io_load_le(prefix, width);
    *used = NPY_MAGIC_SIZE + 2 + width;
    return ATTN_OK;
}

static enum attn_status read_header(const struct io_archive *archive, const char *entry,
                                    struct io_source *source, struct npy_header *header,
                                    size_t *used, struct attn_error *err)
{
    size_t length = 0;
    enum attn_status status = read_prefix(archive, entry, source, &length, used, err);
    if (status != ATTN_OK) {
        return status;
    }
    const size_t left = source->size > *used ? source->size - *used : 0;
    if (length > left) {
        return io_fail(archive, entry, err, ATTN_E_FORMAT,
                       "the file ends within its header: %zu bytes needed, %zu found (copy or "
                       "save it again)",
                       length, left);
    }
    if (length > NPY_HEADER_MAX) {
        return io_fail(archive, entry, err, ATTN_E_LIMIT,
                       "its header has %zu bytes, more than %d (save the plain numbers with "
                       "numpy.save)",
                       length, NPY_HEADER_MAX);
    }
    char *const text = malloc(length + 1);
    if (text == NULL) {
        return io_fail(archive, entry, err, ATTN_E_NOMEM, "no memory for its header of %zu bytes",
                       length);
    }
    status = need(archive, entry, source, text, length, "header", err);
    if (status == ATTN_OK) {
        *used += length;
        text[length] = '\0';
        status = npy_header_parse(archive, entry, text, length, header, err);
    }
    free(text);
    return status;
}

/** Goes over an array in the file's order and knows where each element belongs, row-major. */
struct place {
    const struct npy_header *header;
    size_t at[IO_RANK_MAX];
    size_t strides[IO_RANK_MAX]; /**< Row-major, in elements. */
    size_t offset;
};

static void place_begin(struct place *place, const struct npy_header *header)
{
    *place = (struct place){.header = header};
    size_t stride = 1;
    for (int i = header->shape.rank - 1; i >= 0; i--) {
        place->strides[i] = stride;
        stride *= header->shape.dims[i];
    }
}

static void place_next(struct place *place)
{
    const struct npy_header *const header = place->header;
    if (!header->fortran) {
        place->offset++;
        return;
    }
    for (int i = 0; i < header->shape.rank; i++) { /* The first dimension runs fastest. */
        place->offset += place->strides[i];
        if (++place->at[i] < header->shape.dims[i]) {
            return;
        }
        place->offset -= place->strides[i] * header->shape.dims[i];
        place->at[i] = 0;
    }
}

static void convert_chunk(struct io_array *array, struct place *place,
                          struct io_loss losses[IO_N_LOSSES], const unsigned char *bytes,
                          size_t elements)
{
    const struct io_element_info *const element = &io_elements[place->header->element];
    for (size_t i = 0; i < elements; i++) {
        const unsigned char *const from = bytes + i * element->size;
        const uint64_t bits = place->header->big_endian ? io_load_be(from, element->size)
                                                        : io_load_le(from, element->size);
        if (place->offset == 0) {
            array->first = io_element_double(place->header->element, bits);
        }
        array->data[place->offset] =
            io_element_take(place->header->element, bits, place->offset, losses);
        place_next(place);
    }
}

static enum attn_status read_data(struct io_archive *archive, const char *entry,
                                  struct io_source *source, const struct npy_header *header,
                                  struct io_array *array, struct attn_error *err)
{
    unsigned char chunk[IO_CHUNK];
    struct io_loss losses[IO_N_LOSSES] = {{.count = 0}};
    struct place place;
    place_begin(&place, header);
    const size_t element_size = io_elements[header->element].size;
    for (size_t done = 0; done < array->count;) {
        const size_t left = array->count - done;
        const size_t now = left < sizeof chunk / element_size ? left : sizeof chunk / element_size;
        const enum attn_status status =
            need(archive, entry, source, chunk, now * element_size, "data", err);
        if (status != ATTN_OK) {
            return status;
        }
        convert_chunk(array, &place, losses, chunk, now);
        done += now;
    }
    return io_archive_note_losses(archive, array, losses, err);
}

/** What follows the array: nothing, or something to tell. Reading on also checks a zip's CRC. */
static enum attn_status read_end(struct io_archive *archive, const char *entry,
                                 struct io_source *source, size_t extra, struct attn_error *err)
{
    const char *why = NULL;
    unsigned char one;
    const size_t got = source->read(source->context, &one, 1, &why);
    if (why != NULL) {
        return io_fail(archive, entry, err, ATTN_E_FORMAT,
                       "its data cannot be unpacked: %s (save the file again)", why);
    }
    if (got == 0 && extra > 0) {
        return io_fail(archive, entry, err, ATTN_E_FORMAT,
                       "it has %zu bytes fewer than the directory claims (save the file again)",
                       extra);
    }
    if (got == 0) {
        return ATTN_OK;
    }
    char about[IO_QUOTE_MAX];
    return io_archive_note(archive, err, "%s%s%zu bytes follow the array and were left out",
                           io_quote(about, entry, strlen(entry)), entry[0] != '\0' ? ": " : "",
                           extra);
}

enum attn_status io_npy_read(struct io_archive *archive, const char *name, const char *entry,
                             struct io_source *source, struct attn_error *err)
{
    struct npy_header header;
    size_t used = 0;
    enum attn_status status = read_header(archive, entry, source, &header, &used, err);
    if (status != ATTN_OK) {
        return status;
    }
    const struct io_element_info *const element = &io_elements[header.element];
    size_t count = 0;
    size_t bytes = 0;
    status = io_shape_check(archive, entry, &header.shape, element->size, &count, &bytes, err);
    if (status != ATTN_OK) {
        return status;
    }
    const size_t left = source->size > used ? source->size - used : 0;
    if (bytes > left) {
        char shape[IO_SHAPE_TEXT_MAX];
        return io_fail(archive, entry, err, ATTN_E_FORMAT,
                       "the file ends within its data: %zu bytes needed for the shape %s of %s, "
                       "%zu found (copy or save it again)",
                       bytes, io_shape_text(&header.shape, shape, sizeof shape), header.descr,
                       left);
    }
    struct io_array *array = NULL;
    status = io_archive_add(archive, name, &header.shape, &array, err);
    if (status != ATTN_OK) {
        return status;
    }
    array->type = element->type;
    memcpy(array->dtype, header.descr, sizeof array->dtype);
    status = read_data(archive, entry, source, &header, array, err);
    return status != ATTN_OK ? status : read_end(archive, entry, source, left - bytes, err);
}

static size_t memory_read(void *context, unsigned char *out, size_t n, const char **why)
{
    (void)why;
    struct io_memory *const memory = context;
    const size_t now = n < memory->left ? n : memory->left;
    memcpy(out, memory->bytes, now);
    memory->bytes += now;
    memory->left -= now;
    return now;
}

struct io_source io_memory_source(struct io_memory *memory, const unsigned char *bytes, size_t size)
{
    *memory = (struct io_memory){.bytes = bytes, .left = size};
    return (struct io_source){.context = memory, .read = memory_read, .size = size};
}

enum attn_status io_npy_read_bytes(struct io_archive *archive, const unsigned char *bytes,
                                   size_t size, struct attn_error *err)
{
    struct io_memory memory;
    struct io_source source = io_memory_source(&memory, bytes, size);
    return io_npy_read(archive, "", "", &source, err);
}
