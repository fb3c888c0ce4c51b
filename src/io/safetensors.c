/* .safetensors: a length, a JSON header with types, shapes and offsets, then the bytes; no gap, no
 * overlap and nothing after them, so that a file cannot mean two things. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"

enum {
    LENGTH_SIZE = 8,
    HEADER_MAX = 100000000,    /* The format's own rule. */
    HEADER_READ_MAX = 8 << 20, /* Ours: eight times what 4,096 tensors need. */
};

/** One tensor of the header. */
struct part {
    const char *name;
    enum io_element element;
    struct io_shape shape;
    uint64_t begin, end; /**< Within the bytes after the header. */
};

/** A file on its way into an archive. */
struct safetensors {
    struct io_archive *archive;
    struct attn_error *err;
    const unsigned char *data;
    size_t data_size;
};

bool io_safetensors_recognise(const unsigned char *bytes, size_t size)
{
    return size > LENGTH_SIZE && bytes[LENGTH_SIZE] == '{' &&
           io_load_le(bytes, LENGTH_SIZE) <= HEADER_MAX;
}

static enum attn_status missing(const struct safetensors *file, const char *name, const char *field)
{
    return io_fail(file->archive, name, file->err, ATTN_E_FORMAT,
                   "its header has no '%s', or not as it should be (save the file again)", field);
}

static enum attn_status parse_dtype(const struct safetensors *file, const json_t *entry,
                                    struct part *part)
{
    const char *const dtype = json_string_value(json_object_get(entry, "dtype"));
    if (dtype == NULL) {
        return missing(file, part->name, "dtype");
    }
    for (int i = 0; i < IO_N_ELEMENTS; i++) {
        if (strcmp(dtype, io_elements[i].safetensors) == 0) {
            part->element = (enum io_element)i;
            return ATTN_OK;
        }
    }
    char shown[IO_QUOTE_MAX];
    return io_fail(
        file->archive, part->name, file->err, ATTN_E_UNSUPPORTED,
        "its dtype '%s' is none that is read: F16 BF16 F32 F64, I8 to I64, U8 to U64 and "
        "BOOL (save it as F32)",
        io_quote(shown, dtype, strlen(dtype)));
}

static enum attn_status parse_shape(const struct safetensors *file, const json_t *entry,
                                    struct part *part)
{
    const json_t *const shape = json_object_get(entry, "shape");
    if (!json_is_array(shape) || json_array_size(shape) > IO_RANK_MAX) {
        return missing(file, part->name, "shape");
    }
    part->shape = (struct io_shape){.rank = (int)json_array_size(shape)};
    for (int i = 0; i < part->shape.rank; i++) {
        const json_t *const dim = json_array_get(shape, (size_t)i);
        if (!json_is_integer(dim) || json_integer_value(dim) < 0 ||
            (uint64_t)json_integer_value(dim) > SIZE_MAX) {
            return io_fail(file->archive, part->name, file->err, ATTN_E_FORMAT,
                           "dimension %d of its shape is no whole number from 0 up (save the file "
                           "again)",
                           i);
        }
        part->shape.dims[i] = (size_t)json_integer_value(dim);
    }
    return ATTN_OK;
}

static enum attn_status parse_offsets(const struct safetensors *file, const json_t *entry,
                                      struct part *part)
{
    const json_t *const offsets = json_object_get(entry, "data_offsets");
    const json_t *const begin = json_array_get(offsets, 0);
    const json_t *const end = json_array_get(offsets, 1);
    if (json_array_size(offsets) != 2 || !json_is_integer(begin) || !json_is_integer(end) ||
        json_integer_value(begin) < 0 || json_integer_value(end) < 0) {
        return missing(file, part->name, "data_offsets");
    }
    part->begin = (uint64_t)json_integer_value(begin);
    part->end = (uint64_t)json_integer_value(end);
    if (part->begin > part->end) {
        return io_fail(file->archive, part->name, file->err, ATTN_E_FORMAT,
                       "its data ends at %llu, before it begins at %llu (save the file again)",
                       (unsigned long long)part->end, (unsigned long long)part->begin);
    }
    if (part->end > file->data_size) {
        return io_fail(file->archive, part->name, file->err, ATTN_E_FORMAT,
                       "the file ends within its data: %llu bytes needed, %zu found (copy or save "
                       "it again)",
                       (unsigned long long)part->end, file->data_size);
    }
    return ATTN_OK;
}

/** Fill part from its entry; its bytes are then known to be in the file and to fit its shape. */
static enum attn_status parse_part(const struct safetensors *file, const json_t *entry,
                                   struct part *part)
{
    enum attn_status status = parse_dtype(file, entry, part);
    status = status == ATTN_OK ? parse_shape(file, entry, part) : status;
    status = status == ATTN_OK ? parse_offsets(file, entry, part) : status;
    if (status != ATTN_OK) {
        return status;
    }
    size_t count = 0;
    size_t bytes = 0;
    status = io_shape_check(file->archive, part->name, &part->shape,
                            io_elements[part->element].size, &count, &bytes, file->err);
    if (status == ATTN_OK && bytes != part->end - part->begin) {
        char shape[IO_SHAPE_TEXT_MAX];
        status = io_fail(file->archive, part->name, file->err, ATTN_E_FORMAT,
                         "its shape %s of %s needs %zu bytes, and its offsets give %llu (save the "
                         "file again)",
                         io_shape_text(&part->shape, shape, sizeof shape),
                         io_elements[part->element].safetensors, bytes,
                         (unsigned long long)(part->end - part->begin));
    }
    return status;
}

static int by_begin(const void *a, const void *b)
{
    const struct part *const x = a;
    const struct part *const y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/** Do the parts, in order, cover every byte once? */
static enum attn_status check_cover(const struct safetensors *file, const struct part *parts,
                                    size_t n)
{
    uint64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (parts[i].begin != at) {
            return io_fail(file->archive, parts[i].name, file->err, ATTN_E_FORMAT,
                           "its data begins at %llu, and the data before it ends at %llu: %s "
                           "(save the file again)",
                           (unsigned long long)parts[i].begin, (unsigned long long)at,
                           parts[i].begin < at ? "they overlap" : "there is a hole");
        }
        at = parts[i].end;
    }
    if (at != file->data_size) {
        return io_fail(file->archive, NULL, file->err, ATTN_E_FORMAT,
                       "%zu bytes after the last tensor belong to none (save the file again)",
                       file->data_size - (size_t)at);
    }
    return ATTN_OK;
}

static enum attn_status add_part(const struct safetensors *file, const struct part *part)
{
    struct io_array *array = NULL;
    const enum attn_status status =
        io_archive_add(file->archive, part->name, &part->shape, &array, file->err);
    if (status != ATTN_OK) {
        return status;
    }
    const struct io_element_info *const element = &io_elements[part->element];
    const unsigned char *const bytes = file->data + part->begin;
    struct io_loss losses[IO_N_LOSSES] = {{.count = 0}};
    for (size_t i = 0; i < array->count; i++) {
        const uint64_t bits = io_load_le(bytes + i * element->size, element->size);
        array->data[i] = io_element_take(part->element, bits, i, losses);
    }
    array->type = element->type;
    array->first = io_element_double(part->element, io_load_le(bytes, element->size));
    memcpy(array->dtype, element->safetensors, strlen(element->safetensors) + 1);
    return io_archive_note_losses(file->archive, array, losses, file->err);
}

/** Everything that the header lists, in the order of the bytes. */
static enum attn_status read_parts(const struct safetensors *file, json_t *header)
{
    const size_t size = json_object_size(header);
    if (size > IO_ENTRIES_MAX) {
        return io_fail(file->archive, NULL, file->err, ATTN_E_LIMIT,
                       "it holds %zu tensors, more than %d (save those that are needed)", size,
                       IO_ENTRIES_MAX);
    }
    struct part *const parts = calloc(size + 1, sizeof *parts);
    if (parts == NULL) {
        return io_fail(file->archive, NULL, file->err, ATTN_E_NOMEM, "no memory for its header");
    }
    enum attn_status status = ATTN_OK;
    size_t n = 0;
    for (void *at = json_object_iter(header); at != NULL && status == ATTN_OK;
         at = json_object_iter_next(header, at)) {
        if (strcmp(json_object_iter_key(at), "__metadata__") != 0) {
            parts[n].name = json_object_iter_key(at);
            status = parse_part(file, json_object_iter_value(at), &parts[n++]);
        }
    }
    qsort(parts, n, sizeof *parts, by_begin);
    if (status == ATTN_OK && n == 0) {
        status = io_fail(file->archive, NULL, file->err, ATTN_E_FORMAT,
                         "there is no tensor in it (save the file again)");
    }
    status = status == ATTN_OK ? check_cover(file, parts, n) : status;
    for (size_t i = 0; i < n && status == ATTN_OK; i++) {
        status = add_part(file, &parts[i]);
    }
    free(parts);
    return status;
}

/** The header's length, if it may be one. */
static enum attn_status check_length(const struct io_archive *archive, const unsigned char *bytes,
                                     size_t size, struct attn_error *err)
{
    if (size < LENGTH_SIZE) {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "the file ends within its first bytes: %d bytes needed, %zu found (copy or "
                       "save it again)",
                       LENGTH_SIZE, size);
    }
    const uint64_t length = io_load_le(bytes, LENGTH_SIZE);
    if (length > HEADER_MAX) {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "its header would have %llu bytes, more than %d (it is damaged or no "
                       ".safetensors: save it again)",
                       (unsigned long long)length, HEADER_MAX);
    }
    if (length > size - LENGTH_SIZE) {
        return io_fail(
            archive, NULL, err, ATTN_E_FORMAT,
            "the file ends within its header: %llu bytes needed, %zu found (copy or save "
            "it again)",
            (unsigned long long)length, size - LENGTH_SIZE);
    }
    if (length > HEADER_READ_MAX) {
        return io_fail(archive, NULL, err, ATTN_E_LIMIT,
                       "its header has %llu bytes, more than %d (save fewer tensors)",
                       (unsigned long long)length, HEADER_READ_MAX);
    }
    if (length == 0 || bytes[LENGTH_SIZE] != '{') {
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "its header does not begin with a brace (it is damaged or no .safetensors: "
                       "save it again)");
    }
    return ATTN_OK;
}

enum attn_status io_safetensors_read(struct io_archive *archive, const unsigned char *bytes,
                                     size_t size, struct attn_error *err)
{
    enum attn_status status = check_length(archive, bytes, size, err);
    if (status != ATTN_OK) {
        return status;
    }
    const size_t length = (size_t)io_load_le(bytes, LENGTH_SIZE);
    json_error_t error;
    json_t *const header =
        json_loadb((const char *)bytes + LENGTH_SIZE, length, JSON_REJECT_DUPLICATES, &error);
    if (header == NULL) {
        char shown[IO_QUOTE_MAX];
        io_quote(shown, error.text, strlen(error.text));
        return io_fail(archive, NULL, err, ATTN_E_FORMAT,
                       "its header is no JSON: byte %d: %s (save the file again)", error.position,
                       shown);
    }
    const struct safetensors file = {archive, err, bytes + LENGTH_SIZE + length,
                                     size - LENGTH_SIZE - length};
    status = read_parts(&file, header);
    json_decref(header);
    return status;
}
