#include "parts.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static enum attn_status fail_as(const struct io_archive *archive, const char *entry,
                                struct attn_error *err, enum attn_status status, const char *format,
                                va_list arguments)
{
    char message[ATTN_MESSAGE_MAX];
    vsnprintf(message, sizeof message, format, arguments);
    char path[180];
    char about[70] = "";
    io_clean(path, sizeof path, archive->path);
    const bool has_entry = entry != NULL && entry[0] != '\0';
    if (has_entry) {
        io_clean(about, sizeof about, entry);
    }
    char what[sizeof err->what];
    snprintf(what, sizeof what, "%s%s%s", path, has_entry ? ": " : "", about);
    return attn_fail(err, status, what, "%s", message);
}

enum attn_status io_fail(const struct io_archive *archive, const char *entry,
                         struct attn_error *err, enum attn_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_as(archive, entry, err, status, format, arguments);
    va_end(arguments);
    return status;
}

enum attn_status io_fail_at(const struct io_archive *archive, int line, int column,
                            struct attn_error *err, enum attn_status status, const char *format,
                            ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_as(archive, NULL, err, status, format, arguments);
    va_end(arguments);
    if (err != NULL) {
        err->line = line;
        err->column = column;
    }
    return status;
}

bool io_locale_begin(struct io_locale *guard)
{
    guard->own = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (guard->own == (locale_t)0) {
        return false;
    }
    guard->before = uselocale(guard->own);
    return true;
}

void io_locale_end(struct io_locale *guard)
{
    uselocale(guard->before);
    freelocale(guard->own);
}

char *io_shape_text(const struct io_shape *shape, char *out, size_t size)
{
    size_t used = 0;
    out[used++] = '(';
    for (int i = 0; i < shape->rank; i++) {
        char one[32];
        const int n = snprintf(one, sizeof one, "%zu%s", shape->dims[i],
                               i + 1 < shape->rank ? ", " : (i == 0 ? "," : ""));
        if (used + (size_t)n + sizeof "…)" > size) {
            memcpy(out + used, "…", sizeof "…" - 1);
            used += sizeof "…" - 1;
            break;
        }
        memcpy(out + used, one, (size_t)n);
        used += (size_t)n;
    }
    memcpy(out + used, ")", sizeof ")");
    return out;
}

enum attn_status io_shape_check(const struct io_archive *archive, const char *entry,
                                const struct io_shape *shape, size_t element_size, size_t *count,
                                size_t *bytes, struct attn_error *err)
{
    char text[IO_SHAPE_TEXT_MAX];
    io_shape_text(shape, text, sizeof text);
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] == 0) {
            return io_fail(archive, entry, err, ATTN_E_LIMIT,
                           "dimension %d of its shape %s is 0, so there are no numbers in it "
                           "(give every dimension at least 1)",
                           i, text);
        }
    }
    size_t n = 1;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] > SIZE_MAX / element_size / n) {
            return io_fail(archive, entry, err, ATTN_E_LIMIT,
                           "its shape %s has more elements than can be counted "
                           "(the file is damaged: save it again)",
                           text);
        }
        n *= shape->dims[i];
    }
    *count = n;
    *bytes = n * element_size;
    return ATTN_OK;
}

/** Room for one more item in a list that grows by doubling; n is how many there are. */
static void *room_for_one(void *list, int n, size_t item)
{
    if (n != 0 && (n & (n - 1)) != 0) {
        return list;
    }
    const size_t capacity = n == 0 ? 1 : (size_t)n * 2;
    return capacity > SIZE_MAX / item ? NULL : realloc(list, capacity * item);
}

static enum attn_status no_memory(const struct io_archive *archive, const char *name, size_t bytes,
                                  struct attn_error *err)
{
    return io_fail(archive, name, err, ATTN_E_NOMEM,
                   "no memory for %zu bytes (free some, or load "
                   "a smaller file)",
                   bytes);
}

/** Could an array of this name and size stand in the archive? */
static enum attn_status check_array(const struct io_archive *archive, const char *name,
                                    size_t count, struct attn_error *err)
{
    if (strlen(name) >= IO_NAME_MAX) {
        return io_fail(archive, NULL, err, ATTN_E_LIMIT,
                       "an array's name has %zu bytes, more than %d (give it a shorter one)",
                       strlen(name), IO_NAME_MAX - 1);
    }
    if (archive->n >= IO_ENTRIES_MAX) {
        return io_fail(archive, NULL, err, ATTN_E_LIMIT,
                       "it holds more than %d arrays (save those that are needed by themselves)",
                       IO_ENTRIES_MAX);
    }
    if (io_archive_find(archive, name) != NULL) {
        return io_fail(archive, name, err, ATTN_E_FORMAT,
                       "the name stands twice in the file (rename one of the two)");
    }
    if (count > IO_COUNT_MAX) {
        return io_fail(archive, name, err, ATTN_E_LIMIT,
                       "it has %zu numbers, more than %zu (save a part of it)", count,
                       IO_COUNT_MAX);
    }
    return ATTN_OK;
}

enum attn_status io_archive_add(struct io_archive *archive, const char *name,
                                const struct io_shape *shape, struct io_array **array,
                                struct attn_error *err)
{
    size_t count = 1;
    for (int i = 0; i < shape->rank; i++) {
        count *= shape->dims[i];
    }
    const enum attn_status status = check_array(archive, name, count, err);
    if (status != ATTN_OK) {
        return status;
    }
    struct io_array *const arrays = room_for_one(archive->arrays, archive->n, sizeof *arrays);
    if (arrays == NULL) {
        return no_memory(archive, name, sizeof *arrays, err);
    }
    archive->arrays = arrays;
    float *const data = malloc(count * sizeof *data);
    if (data == NULL) {
        return no_memory(archive, name, count * sizeof *data, err);
    }
    struct io_array *const fresh = &arrays[archive->n++];
    *fresh = (struct io_array){.rank = shape->rank, .count = count, .data = data};
    memcpy(fresh->name, name, strlen(name) + 1);
    memcpy(fresh->dims, shape->dims, sizeof fresh->dims);
    *array = fresh;
    return ATTN_OK;
}

enum attn_status io_archive_note(struct io_archive *archive, struct attn_error *err,
                                 const char *format, ...)
{
    struct io_note *const notes = room_for_one(archive->notes, archive->n_notes, sizeof *notes);
    if (notes == NULL) {
        return no_memory(archive, NULL, sizeof *notes, err);
    }
    archive->notes = notes;
    char text[ATTN_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct io_note *const note = &notes[archive->n_notes++];
    note->left_out = false;
    io_clean(note->text, sizeof note->text, text);
    return ATTN_OK;
}

enum attn_status io_archive_note_left_out(struct io_archive *archive, const char *name,
                                          const char *why, struct attn_error *err)
{
    char shown[IO_QUOTE_MAX];
    const enum attn_status status = io_archive_note(archive, err, "%s %s and was left out",
                                                    io_quote(shown, name, strlen(name)), why);
    if (status == ATTN_OK) {
        archive->notes[archive->n_notes - 1].left_out = true;
    }
    return status;
}

/** "[0,1]", the place of a row-major index. */
static void place_text(const struct io_array *array, size_t index, char *out, size_t size)
{
    size_t at[IO_RANK_MAX] = {0};
    for (int i = array->rank - 1; i >= 0; i--) {
        at[i] = index % array->dims[i];
        index /= array->dims[i];
    }
    size_t used = (size_t)snprintf(out, size, "[");
    for (int i = 0; i < array->rank && used + 24 < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%zu", i > 0 ? "," : "", at[i]);
    }
    snprintf(out + used, size - used, "]");
}

/** "9007199254740993 at [0,1] became 9007199254740992, and 2 more like it: …" */
static enum attn_status note_loss(struct io_archive *archive, const struct io_array *array,
                                  enum io_loss_kind kind, const struct io_loss *loss,
                                  struct attn_error *err)
{
    static const char *const reasons[IO_N_LOSSES] = {
        [IO_LOSS_WHOLE] = "float32 holds every whole number only up to 16777216",
        [IO_LOSS_INFINITE] = "float32 ends at 3.4e38",
        [IO_LOSS_ZERO] = "the smallest float32 is 1.4e-45",
    };
    char name[IO_QUOTE_MAX];
    io_quote(name, array->name, strlen(array->name));
    char place[128];
    place_text(array, loss->index, place, sizeof place);
    char after[64];
    snprintf(after, sizeof after, "%.0f", (double)loss->after);
    char more[48] = "";
    if (loss->count > 1) {
        snprintf(more, sizeof more, ", and %zu more like it", loss->count - 1);
    }
    return io_archive_note(archive, err, "%s%s%s at %s became %s%s: %s", name,
                           name[0] != '\0' ? ": " : "", loss->before, place, after, more,
                           reasons[kind]);
}

enum attn_status io_archive_note_losses(struct io_archive *archive, const struct io_array *array,
                                        const struct io_loss losses[IO_N_LOSSES],
                                        struct attn_error *err)
{
    for (enum io_loss_kind kind = IO_LOSS_NONE + 1; kind < IO_N_LOSSES; kind++) {
        if (losses[kind].count > 0) {
            const enum attn_status status = note_loss(archive, array, kind, &losses[kind], err);
            if (status != ATTN_OK) {
                return status;
            }
        }
    }
    return ATTN_OK;
}

const struct io_array *io_archive_find(const struct io_archive *archive, const char *name)
{
    for (int i = 0; i < archive->n; i++) {
        if (strcmp(archive->arrays[i].name, name) == 0) {
            return &archive->arrays[i];
        }
    }
    return NULL;
}

void io_archive_finish(struct io_archive *archive)
{
    for (int i = 0; i < archive->n; i++) {
        free(archive->arrays[i].data);
    }
    free(archive->arrays);
    free(archive->notes);
    *archive = (struct io_archive){.n = 0};
}
