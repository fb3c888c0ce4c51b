#include <stdlib.h>
#include <string.h>

#include "code_parts.h"

/* ---- the formats ---- */

static const size_t BYTES_MAX = (size_t)1 << 30;

/** NumPy has no bfloat16 and no 8-bit floats. */
static bool has_numpy_type(const struct io_archive *archive, const struct io_array *array)
{
    static const char *const types[] = {"F16", "F32", "F64", "I8",  "I16", "I32",
                                        "I64", "U8",  "U16", "U32", "U64", "BOOL"};
    (void)archive;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(array->dtype, types[i]) == 0) {
            return true;
        }
    }
    return false;
}

/** What attn run --json prints: objects with a name, a shape and the numbers. */
static bool is_tensor_list(const struct io_archive *archive, const struct io_array *array)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    struct attn_error err;
    (void)array;
    if (io_slurp(archive->path, BYTES_MAX, &bytes, &size, &err) != ATTN_OK) {
        return false;
    }
    static const char key[] = "\"tensors\"";
    bool found = false;
    for (size_t i = 0; !found && i + sizeof key - 1 <= size; i++) {
        found = memcmp(bytes + i, key, sizeof key - 1) == 0;
    }
    free(bytes);
    return found;
}

/** A table of numbers with this separator, '.' as the decimal point, and nothing else in it. */
static bool is_plain_table(const struct io_archive *archive, const struct io_array *array,
                           char separator)
{
    static const char number[] = "0123456789+-.eE\r\n";
    unsigned char *bytes = NULL;
    size_t size = 0;
    size_t separators = 0;
    struct attn_error err;
    if (io_slurp(archive->path, BYTES_MAX, &bytes, &size, &err) != ATTN_OK) {
        return false;
    }
    bool plain = size > 0;
    for (size_t i = 0; plain && i < size; i++) {
        const bool separates = bytes[i] == (unsigned char)separator;
        separators += separates;
        plain = separates || (bytes[i] != '\0' && strchr(number, bytes[i]) != NULL);
    }
    free(bytes);
    const size_t columns = array->rank > 0 ? array->dims[array->rank - 1] : 0;
    return plain && array->rank == 2 && separators == array->dims[0] * (columns - 1);
}

static bool is_comma_table(const struct io_archive *archive, const struct io_array *array)
{
    return is_plain_table(archive, array, ',');
}

static bool is_tab_table(const struct io_archive *archive, const struct io_array *array)
{
    return is_plain_table(archive, array, '\t');
}

static const char read_safetensors[] =
    "def read_safetensors(path):\n"
    "    types = {\"F16\": \"<f2\", \"F32\": \"<f4\", \"F64\": \"<f8\", \"BOOL\": \"?\",\n"
    "             \"I8\": \"<i1\", \"I16\": \"<i2\", \"I32\": \"<i4\", \"I64\": \"<i8\",\n"
    "             \"U8\": \"<u1\", \"U16\": \"<u2\", \"U32\": \"<u4\", \"U64\": \"<u8\"}\n"
    "    with open(path, \"rb\") as f:\n"
    "        header = json.loads(f.read(int.from_bytes(f.read(8), \"little\")))\n"
    "        data = f.read()\n"
    "    arrays = {}\n"
    "    for name, entry in header.items():\n"
    "        if name != \"__metadata__\" and entry[\"dtype\"] in types:\n"
    "            numbers = data[slice(*entry[\"data_offsets\"])]\n"
    "            arrays[name] = np.frombuffer(numbers, types[entry[\"dtype\"]])\n"
    "            arrays[name] = arrays[name].reshape(entry[\"shape\"])\n"
    "    return arrays\n";

static const char read_list[] =
    "def read_list(path):\n"
    "    with open(path, \"rb\") as f:\n"
    "        return {t[\"name\"]: np.array(t[\"data\"], dtype=np.float32).reshape(t[\"shape\"])\n"
    "                for t in json.load(f)[\"tensors\"]}\n";

/* A file of one array is opened where it is read. */
static const struct code_format formats[] = {
    {.io_name = "npz", .opens = "np.load(", .closes = ")", .names = true},
    {.io_name = "npy", .opens = "np.load(", .closes = ")"},
    {.io_name = "safetensors",
     .opens = "read_safetensors(",
     .closes = ")",
     .names = true,
     .import = "json",
     .helper = read_safetensors,
     .plain = has_numpy_type},
    {.io_name = "json",
     .opens = "read_list(",
     .closes = ")",
     .names = true,
     .import = "json",
     .helper = read_list,
     .plain = is_tensor_list},
    {.io_name = "json",
     .opens = "json.load(open(",
     .closes = ", \"rb\"))",
     .names = true,
     .import = "json"},
    {.io_name = "csv",
     .opens = "np.loadtxt(",
     .closes = ", delimiter=\",\", ndmin=2)",
     .plain = is_comma_table},
    {.io_name = "tsv",
     .opens = "np.loadtxt(",
     .closes = ", delimiter=\"\\t\", ndmin=2)",
     .plain = is_tab_table},
};

static const struct code_format *find_format(const struct io_archive *archive,
                                             const struct io_array *array)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const struct code_format *const format = &formats[i];
        if (strcmp(format->io_name, archive->format) == 0 && format->names == (*array->name != 0) &&
            (format->plain == NULL || format->plain(archive, array))) {
            return format;
        }
    }
    return NULL;
}

/* ---- which array it was ---- */

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/** The same shape, but for leading ones, and the same numbers. */
static bool is_array_of(const struct io_array *array, const attn_tensor *t)
{
    const size_t n = attn_tensor_count(t);
    if (array->count != n || array->rank > ATTN_RANK_MAX) {
        return false;
    }
    for (int i = 0; i < array->rank; i++) {
        if (array->dims[array->rank - 1 - i] != (size_t)t->dims[ATTN_RANK_MAX - 1 - i]) {
            return false;
        }
    }
    return memcmp(array->data, t->data, n * sizeof *t->data) == 0;
}

static bool is_turned_of(const struct io_array *array, const attn_tensor *t)
{
    const size_t rows = (size_t)t->dims[1];
    const size_t columns = (size_t)t->dims[2];
    if (t->rank != 2 || array->rank != 2 || array->dims[0] != columns || array->dims[1] != rows) {
        return false;
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            if (!same_bits(array->data[c * rows + r], t->data[r * columns + c])) {
                return false;
            }
        }
    }
    return true;
}

static void take(struct code_source *source, const struct io_archive *archive,
                 const struct io_array *array, const char *path, bool turned)
{
    const struct code_format *const format = find_format(archive, array);
    if (format != NULL) {
        *source = (struct code_source){
            .format = format, .path = path, .rank = array->rank, .turned = turned};
        memcpy(source->entry, array->name, sizeof source->entry);
    }
}

/** The array with these numbers: among equal ones, that which is called so. */
static void look_for(struct code *code, enum attn_tensor_id id, const struct io_archive *archive,
                     const struct config_load *load)
{
    const attn_tensor *const t = attn_trace_tensor(code->trace, id);
    const struct io_array *found = NULL;
    bool turned = false;
    for (int i = 0; i < archive->n; i++) {
        const struct io_array *const array = &archive->arrays[i];
        const bool named = attn_tensor_find(code->config->variant, array->name) == id;
        const bool straight = is_array_of(array, t);
        if ((found == NULL || named) && (straight || is_turned_of(array, t))) {
            found = array;
            turned = !straight;
        }
    }
    if (found != NULL) {
        take(&code->sources[id], archive, found, load->path, turned);
    }
}

/** A mask's numbers were combined with others: it is known by its name alone. */
static const struct io_array *find_mask(const struct io_archive *archive, bool only)
{
    const struct io_array *const named = io_archive_find(archive, attn_tensors[ATTN_MASK].name);
    return named == NULL && only && archive->n == 1 ? &archive->arrays[0] : named;
}

static void look_for_mask(struct code *code, const struct io_archive *archive,
                          const struct config_load *load)
{
    const struct io_array *const mask = find_mask(archive, load->name != NULL);
    if (mask != NULL && !code->mask_found) {
        code->mask_found = true;
        take(&code->sources[ATTN_MASK], archive, mask, load->path, false);
    }
}

static void look_through(struct code *code, const struct io_archive *archive,
                         const struct config_load *load)
{
    const enum attn_tensor_id only =
        load->name != NULL ? attn_tensor_find(code->config->variant, load->name) : ATTN_NO_TENSOR;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        if (!code->setup->loaded_tensor[id] || attn_trace_tensor(code->trace, id) == NULL ||
            code->sources[id].format != NULL || (load->name != NULL && only != id)) {
            continue;
        }
        if (id == ATTN_MASK) {
            look_for_mask(code, archive, load);
        } else {
            look_for(code, id, archive, load);
        }
    }
}

static enum attn_status find_mask_files(struct code *code, struct attn_error *err)
{
    const struct config *const config = code->config;
    if (config->n_mask == 0) {
        return ATTN_OK;
    }
    code->mask_files = calloc((size_t)config->n_mask, sizeof *code->mask_files);
    if (code->mask_files == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    for (int i = 0; i < config->n_mask; i++) {
        if (config->mask[i].kind != CONFIG_MASK_FILE) {
            continue;
        }
        struct io_archive archive = {0};
        const enum attn_status status = io_read(&archive, config->mask[i].path, err);
        const struct io_array *const mask = status == ATTN_OK ? find_mask(&archive, true) : NULL;
        if (mask != NULL) {
            take(&code->mask_files[i], &archive, mask, config->mask[i].path, false);
        }
        io_archive_finish(&archive);
        if (status != ATTN_OK) {
            return status;
        }
    }
    return ATTN_OK;
}

/*
 * The files are read once more, the last first, and an input's array is known by its numbers: what
 * the program then reads is what was computed with, whatever names and layouts were understood.
 */
enum attn_status code_find_sources(struct code *code, struct attn_error *err)
{
    const struct config *const config = code->config;
    for (int i = config->n_loads - 1; i >= 0 && code->lang != ATTN_LANG_C; i--) {
        const struct config_load *const load = &config->loads[i];
        if (strcmp(load->path, "-") == 0) { /* it has been read; the program carries it */
            code->mask_found |= strcmp(load->name, attn_tensors[ATTN_MASK].name) == 0;
            continue;
        }
        struct io_archive archive = {0};
        const enum attn_status status = io_read(&archive, load->path, err);
        if (status == ATTN_OK) {
            look_through(code, &archive, load);
        }
        io_archive_finish(&archive);
        if (status != ATTN_OK) {
            return status;
        }
    }
    return code->lang != ATTN_LANG_C ? find_mask_files(code, err) : ATTN_OK;
}

bool code_is_read(const struct code *code, enum attn_tensor_id id)
{
    return code->sources[id].format != NULL;
}

bool code_mask_is_carried(const struct code *code)
{
    bool carried = code->setup->loaded_tensor[ATTN_MASK] && code->sources[ATTN_MASK].format == NULL;
    for (int i = 0; i < code->config->n_mask; i++) {
        carried = carried || (code->config->mask[i].kind == CONFIG_MASK_FILE &&
                              (code->mask_files == NULL || code->mask_files[i].format == NULL));
    }
    return carried;
}
