/* .json: arrays of numbers by name, a single nameless one, or what `attn run --json` prints. */
#include <math.h>
#include <string.h>

#include "json_text.h"

/* The parser takes up to forty times the memory of its text. */
enum { SIZE_READ_MAX = 128 << 20 };

/** What stands at the ends of a nested array, as bits. */
enum leaf {
    LEAF_NUMBER = 1,
    LEAF_BOOL = 2,
    LEAF_WORD = 4, /**< "nan", "inf", "-inf". */
    LEAF_NULL = 8,
    LEAF_TEXT = 16,
    LEAF_OBJECT = 32,
};

/** One document on its way into an archive. */
struct document {
    struct io_archive *archive;
    struct json_text text;
    struct attn_error *err;
};

/** One array on its way. */
struct nested {
    const struct document *document;
    const char *name;
    struct json_path path; /**< Of the array, then of the element that is looked at. */
    int base;              /**< Levels of path that lead to the array itself. */
    struct io_shape shape;
    int leaves; /**< The kinds that its elements are of. */
    float *data;
    size_t count;
    struct io_loss losses[IO_N_LOSSES];
};

/** The words that are numbers; the first three are how attn writes them. */
static bool word_value(const json_t *json, float *value)
{
    static const struct {
        const char *word;
        float value;
    } words[] = {{"nan", NAN}, {"inf", INFINITY},      {"-inf", -INFINITY},
                 {"NaN", NAN}, {"Infinity", INFINITY}, {"-Infinity", -INFINITY}};
    const char *const text = json_string_value(json);
    for (size_t i = 0; text != NULL && i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i].word) == 0) {
            *value = words[i].value;
            return true;
        }
    }
    return false;
}

static enum leaf leaf_of(const json_t *json)
{
    float ignored = 0;
    if (json_is_number(json)) {
        return LEAF_NUMBER;
    }
    if (json_is_boolean(json)) {
        return LEAF_BOOL;
    }
    if (json_is_null(json)) {
        return LEAF_NULL;
    }
    if (json_is_string(json)) {
        return word_value(json, &ignored) ? LEAF_WORD : LEAF_TEXT;
    }
    return LEAF_OBJECT;
}

static const char *leaf_name(const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a boolean";
    case JSON_NULL:
        return "null";
    }
    return "a value";
}

/** The kinds of all elements; the parser has bounded the depth. */
static int leaves_of(const json_t *json)
{
    if (!json_is_array(json)) {
        return (int)leaf_of(json);
    }
    int leaves = 0;
    for (size_t i = 0; i < json_array_size(json); i++) {
        leaves |= leaves_of(json_array_get(json, i));
    }
    return leaves;
}

/** "[0,1]", where the element that is looked at stands in its array. */
static const char *place_of(const struct nested *nested, char *out, size_t size)
{
    if (nested->path.n == nested->base) {
        return "it";
    }
    size_t used = (size_t)snprintf(out, size, "[");
    for (int i = nested->base; i < nested->path.n && used + 24 < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%zu", i > nested->base ? "," : "",
                                 nested->path.at[i]);
    }
    snprintf(out + used, size - used, "]");
    return out;
}

#define FAIL(nested, status, ...)                                                                  \
    json_text_fail((nested)->document->archive, (nested)->name, &(nested)->document->text,         \
                   &(nested)->path, (nested)->document->err, status, __VA_ARGS__)

/** The shape that the first element of the first element … says. */
static enum attn_status find_shape(struct nested *nested, const json_t *json)
{
    while (json_is_array(json)) {
        if (nested->shape.rank == IO_RANK_MAX) {
            return FAIL(nested, ATTN_E_LIMIT,
                        "arrays are nested more than %d deep (write fewer dimensions)",
                        IO_RANK_MAX);
        }
        nested->shape.dims[nested->shape.rank++] = json_array_size(json);
        if (json_array_size(json) == 0) {
            break;
        }
        json = json_array_get(json, 0);
    }
    return ATTN_OK;
}

static enum attn_status check_leaf(struct nested *nested, const json_t *json)
{
    char place[128];
    const enum leaf leaf = leaf_of(json);
    const int numbers = LEAF_NUMBER | LEAF_WORD;
    if (nested->leaves == 0) {
        nested->leaves = leaf == LEAF_BOOL ? LEAF_BOOL : numbers;
    }
    if (((int)leaf & nested->leaves) != 0) {
        return ATTN_OK;
    }
    return FAIL(nested, ATTN_E_FORMAT, "%s is %s where a %s is due (%s)",
                place_of(nested, place, sizeof place), leaf_name(json),
                nested->leaves == LEAF_BOOL ? "boolean" : "number",
                leaf == LEAF_NULL ? "write \"nan\" if that is meant"
                                  : "write all of its elements alike");
}

/** Is every row as long as the first, and every element of one kind? */
static enum attn_status check_level(struct nested *nested, const json_t *json, int level)
{
    char place[128];
    const size_t due = level < nested->shape.rank ? nested->shape.dims[level] : 0;
    if (level == nested->shape.rank && !json_is_array(json)) {
        return check_leaf(nested, json);
    }
    if (level == nested->shape.rank || !json_is_array(json)) {
        return FAIL(nested, ATTN_E_FORMAT, "%s is %s where %s is due (make all rows of one depth)",
                    place_of(nested, place, sizeof place), leaf_name(json),
                    level == nested->shape.rank ? "a number" : "an array");
    }
    if (json_array_size(json) != due) {
        return FAIL(nested, ATTN_E_FORMAT,
                    "%s has %zu element%s, and the first of its kind has %zu (make the rows "
                    "equally long)",
                    place_of(nested, place, sizeof place), json_array_size(json),
                    json_array_size(json) == 1 ? "" : "s", due);
    }
    for (size_t i = 0; i < due; i++) {
        nested->path.at[nested->path.n++] = i;
        const enum attn_status status = check_level(nested, json_array_get(json, i), level + 1);
        if (status != ATTN_OK) {
            return status; /* The path stays at the fault. */
        }
        nested->path.n--;
    }
    return ATTN_OK;
}

static void take_leaf(struct nested *nested, const json_t *json)
{
    enum io_loss_kind loss = IO_LOSS_NONE;
    char before[32] = "";
    float value = json_is_true(json) ? 1.0f : 0.0f;
    if (json_is_integer(json)) {
        const struct io_element_info *const whole = &io_elements[IO_I64];
        const uint64_t bits = (uint64_t)json_integer_value(json);
        value = whole->convert(bits, &loss);
        whole->print(bits, before, sizeof before);
    } else if (json_is_real(json)) {
        value = io_narrow(json_real_value(json), &loss);
        snprintf(before, sizeof before, "%.17g", json_real_value(json));
    } else {
        (void)word_value(json, &value);
    }
    if (loss != IO_LOSS_NONE) {
        io_loss_add(nested->losses, loss, nested->count, value, before);
    }
    nested->data[nested->count++] = value;
}

static void take_level(struct nested *nested, const json_t *json)
{
    if (!json_is_array(json)) {
        take_leaf(nested, json);
        return;
    }
    for (size_t i = 0; i < json_array_size(json); i++) {
        take_level(nested, json_array_get(json, i));
    }
}

static bool all_whole(const json_t *json)
{
    if (!json_is_array(json)) {
        return json_is_integer(json);
    }
    bool whole = true;
    for (size_t i = 0; i < json_array_size(json) && whole; i++) {
        whole = all_whole(json_array_get(json, i));
    }
    return whole;
}

/** Check a nested array and add it. @param shape  Another than its own, of as many elements, or
 * NULL. */
static enum attn_status add_array(struct nested *nested, const json_t *json,
                                  const struct io_shape *shape)
{
    const struct document *const document = nested->document;
    nested->base = nested->path.n;
    enum attn_status status = find_shape(nested, json);
    size_t count = 0;
    size_t bytes = 0;
    if (status == ATTN_OK) {
        status = io_shape_check(document->archive, nested->name, &nested->shape, sizeof(float),
                                &count, &bytes, document->err);
    }
    if (status == ATTN_OK) {
        status = check_level(nested, json, 0);
    }
    if (status == ATTN_OK && shape != NULL && nested->shape.rank != 1) {
        status = FAIL(nested, ATTN_E_FORMAT, "its data is nested (write it flat, row by row)");
    }
    struct io_array *array = NULL;
    if (status == ATTN_OK) {
        status = io_archive_add(document->archive, nested->name,
                                shape != NULL ? shape : &nested->shape, &array, document->err);
    }
    if (status != ATTN_OK) {
        return status;
    }
    nested->data = array->data;
    take_level(nested, json);
    array->type = nested->leaves == LEAF_BOOL ? IO_TYPE_BOOL
                  : all_whole(json)           ? IO_TYPE_INT
                                              : IO_TYPE_FLOAT;
    array->first = json_is_real(json) ? json_real_value(json) : (double)array->data[0];
    memcpy(array->dtype, "JSON", sizeof "JSON");
    return io_archive_note_losses(document->archive, array, nested->losses, document->err);
}

/* ---- what `attn run --json` prints ---- */

/** [2,4,4] as a shape for so many elements. */
static enum attn_status parse_shape(struct nested *nested, const json_t *json, size_t count,
                                    struct io_shape *shape)
{
    size_t product = 1;
    *shape = (struct io_shape){.rank = (int)json_array_size(json)};
    for (size_t i = 0; i < json_array_size(json) && i < IO_RANK_MAX; i++) {
        const json_int_t dim = json_integer_value(json_array_get(json, i));
        if (dim < 1 || (size_t)dim > count / product) {
            product = 0;
            break;
        }
        shape->dims[i] = (size_t)dim;
        product *= (size_t)dim;
    }
    if (!json_is_array(json) || json_array_size(json) > IO_RANK_MAX || product != count) {
        return FAIL(nested, ATTN_E_FORMAT,
                    "its shape does not fit its data of %zu numbers (give dimensions whose product "
                    "is that)",
                    count);
    }
    return ATTN_OK;
}

/** The how-maniest member of an object is called name? They keep their order. */
static size_t member_index(const json_t *object, const char *name)
{
    size_t index = 0;
    for (void *at = json_object_iter((json_t *)object);
         at != NULL && strcmp(json_object_iter_key(at), name) != 0;
         at = json_object_iter_next((json_t *)object, at)) {
        index++;
    }
    return index;
}

static bool is_tensor(const json_t *json)
{
    return json_is_string(json_object_get(json, "name")) &&
           json_is_array(json_object_get(json, "data")) && json_object_get(json, "shape") != NULL;
}

/** A list of objects with a name, a shape and flat data? */
static bool is_tensor_list(const json_t *json)
{
    bool good = json_is_array(json) && json_array_size(json) > 0;
    for (size_t i = 0; good && i < json_array_size(json); i++) {
        good = is_tensor(json_array_get(json, i));
    }
    return good;
}

static enum attn_status read_tensor_list(const struct document *document, const json_t *list,
                                         size_t list_index)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *const item = json_array_get(list, i);
        const json_t *const data = json_object_get(item, "data");
        struct nested nested = {
            .document = document,
            .name = json_string_value(json_object_get(item, "name")),
            .path = {.n = 3, .at = {list_index, i, member_index(item, "data")}},
        };
        struct io_shape shape;
        enum attn_status status =
            parse_shape(&nested, json_object_get(item, "shape"), json_array_size(data), &shape);
        if (status == ATTN_OK) {
            status = add_array(&nested, data, &shape);
        }
        if (status != ATTN_OK) {
            return status;
        }
    }
    return ATTN_OK;
}

/* ---- the document ---- */

/** Is it left alone: neither a number nor an array that could hold any? */
static bool is_no_array(const json_t *json)
{
    const int leaves = leaves_of(json);
    if (!json_is_array(json)) {
        return (leaves & (LEAF_NUMBER | LEAF_WORD)) == 0;
    }
    return leaves != 0 && (leaves & ~(LEAF_TEXT | LEAF_OBJECT)) == 0;
}

static enum attn_status read_member(const struct document *document, const char *name,
                                    const json_t *json, size_t index)
{
    if (is_no_array(json)) {
        return io_archive_note_left_out(document->archive, name, "is no array of numbers",
                                        document->err);
    }
    struct nested nested = {.document = document, .name = name, .path = {.n = 1, .at = {index}}};
    return add_array(&nested, json, NULL);
}

static enum attn_status read_object(const struct document *document, json_t *root)
{
    const json_t *const list = json_object_get(root, "tensors");
    if (is_tensor_list(list)) {
        return read_tensor_list(document, list, member_index(root, "tensors"));
    }
    size_t index = 0;
    for (void *at = json_object_iter(root); at != NULL; at = json_object_iter_next(root, at)) {
        const enum attn_status status =
            read_member(document, json_object_iter_key(at), json_object_iter_value(at), index++);
        if (status != ATTN_OK) {
            return status;
        }
    }
    if (document->archive->n == 0) {
        return io_fail(document->archive, NULL, document->err, ATTN_E_FORMAT,
                       "no member of it is an array of numbers (write {\"x\": [[1, 2], [3, 4]]})");
    }
    return ATTN_OK;
}

enum attn_status io_json_read(struct io_archive *archive, const unsigned char *bytes, size_t size,
                              struct attn_error *err)
{
    if (size > SIZE_READ_MAX) {
        return io_fail(archive, NULL, err, ATTN_E_LIMIT,
                       "it has %zu bytes, and as JSON at most %d are read (save it as .npz)", size,
                       SIZE_READ_MAX);
    }
    struct document document = {archive, {(const char *)bytes, size}, err};
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        document.text = (struct json_text){(const char *)bytes + 3, size - 3};
    }
    json_t *root = NULL;
    enum attn_status status = json_text_parse(archive, &document.text, &root, err);
    if (status != ATTN_OK) {
        return status;
    }
    struct nested nested = {.document = &document, .name = ""};
    if (json_is_object(root)) {
        status = read_object(&document, root);
    } else {
        status = add_array(&nested, root, NULL);
    }
    json_decref(root);
    return status;
}

bool io_json_recognise(const unsigned char *bytes, size_t size)
{
    size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < size && bytes[at] != '\0' && strchr(" \t\r\n", bytes[at]) != NULL) {
        at++;
    }
    return at < size && (bytes[at] == '{' || bytes[at] == '[');
}
