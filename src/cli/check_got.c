#include <stdio.h>
#include <string.h>

#include "check_parts.h"

static char *shape_of(const struct io_array *array, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "[");
    for (int i = 0; i < array->rank && used < size; i++) {
        used +=
            (size_t)snprintf(out + used, size - used, "%s%zu", i > 0 ? "," : "", array->dims[i]);
    }
    if (used < size) {
        snprintf(out + used, size - used, "]");
    }
    return out;
}

/** Three dimensions of an array, leading ones added; false where it has more. */
static bool dims_of(const struct io_array *array, size_t dims[3])
{
    int rank = array->rank;
    const size_t *from = array->dims;
    for (; rank > 3 && from[0] == 1; rank--) {
        from++;
    }
    for (int i = 0; rank <= 3 && i < 3; i++) {
        dims[i] = i < 3 - rank ? 1 : from[i - (3 - rank)];
    }
    return rank <= 3;
}

/** What may have happened to a shape that has the right numbers in another order. */
static const char *guess(const size_t got[3], const int right[3])
{
    const size_t b = (size_t)right[0];
    const size_t t = (size_t)right[1];
    const size_t d = (size_t)right[2];
    const bool swapped = (got[0] == b && got[1] == d && got[2] == t) ||
                         (got[0] == t && got[1] == b && got[2] == d) ||
                         (got[0] == d && got[1] == t && got[2] == b);
    if (swapped) {
        return "transposed?";
    }
    if (got[0] * got[1] * got[2] == b * t * d) {
        return "the same numbers in another shape?";
    }
    return got[0] == 1 && b > 1 && got[1] == t && got[2] == d ? "only one of the batch?"
                                                              : "other sizes?";
}

static void take(struct check_case *c, enum attn_tensor_id id, const struct io_array *array)
{
    const enum attn_tensor_id source = attn_trace_source(c->of.right, id);
    const attn_tensor *const right = attn_trace_tensor(c->of.right, source);
    size_t dims[3] = {0, 0, 0};
    const bool few = dims_of(array, dims);
    if (few && dims[0] == (size_t)right->dims[0] && dims[1] == (size_t)right->dims[1] &&
        dims[2] == (size_t)right->dims[2]) {
        c->got[id] = attn_tensor_view(array->data, 3, right->dims);
        return;
    }
    char yours[128];
    char expected[48];
    if (!c->misshapen) {
        snprintf(c->words, sizeof c->words, "%s: you gave %s, and it is %s: %s",
                 attn_tensors[id].name, shape_of(array, yours, sizeof yours),
                 attn_tensor_shape(right, expected, sizeof expected),
                 few ? guess(dims, right->dims) : "more than three dimensions?");
    }
    c->misshapen = true;
}

/** What people call their results. */
static const struct {
    const char *name;
    enum attn_tensor_id id; /**< ATTN_NO_TENSOR: the last one. */
} aliases[] = {
    {"output", ATTN_NO_TENSOR},
    {"out", ATTN_NO_TENSOR},
    {"result", ATTN_NO_TENSOR},
    {"attn_output", ATTN_NO_TENSOR},
    {"Q", ATTN_Q},
    {"K", ATTN_K},
    {"V", ATTN_V},
    {"attn", ATTN_WEIGHTS},
    {"attention", ATTN_WEIGHTS},
    {"attn_weights", ATTN_WEIGHTS},
    {"attention_weights", ATTN_WEIGHTS},
};

static enum attn_tensor_id find_tensor(const struct check_case *c, const char *name)
{
    const enum attn_tensor_id id = attn_tensor_find(c->of.setup.config.variant, name);
    for (size_t i = 0; id == ATTN_NO_TENSOR && i < sizeof aliases / sizeof aliases[0]; i++) {
        if (strcmp(aliases[i].name, name) == 0) {
            return aliases[i].id != ATTN_NO_TENSOR ? aliases[i].id : attn_trace_result(c->of.right);
        }
    }
    return id;
}

/** Can this computation have the tensor, itself or what stands for it? */
static bool is_result(const struct check_case *c, enum attn_tensor_id id)
{
    return id != ATTN_NO_TENSOR && attn_tensors[id].group == ATTN_GROUP_STAGE &&
           attn_trace_source(c->of.right, id) != ATTN_NO_TENSOR &&
           attn_trace_writer(c->of.right, attn_trace_source(c->of.right, id)) != ATTN_NO_STAGE;
}

static enum cli_status take_named(struct check_case *c, const struct io_archive *archive,
                                  const char *name)
{
    const enum attn_variant variant = c->of.setup.config.variant;
    enum attn_tensor_id id = find_tensor(c, name);
    if (id == ATTN_NO_TENSOR) {
        return cli_find_tensor(variant, name, &id);
    }
    if (!is_result(c, id)) {
        cli_message(name, "is not computed here, so there is nothing to compare it with");
        return CLI_USAGE;
    }
    const struct io_array *named = io_archive_find(archive, name);
    for (int i = 0; named == NULL && i < archive->n; i++) {
        named = find_tensor(c, archive->arrays[i].name) == id ? &archive->arrays[i] : NULL;
    }
    if (named == NULL && archive->n != 1) {
        cli_message(archive->path, "holds %d arrays and none is called %s", archive->n, name);
        return CLI_UNDECIDED;
    }
    take(c, id, named != NULL ? named : &archive->arrays[0]);
    return CLI_DONE;
}

static enum cli_status take_all(struct check_case *c, const struct io_archive *archive)
{
    const enum attn_variant variant = c->of.setup.config.variant;
    int taken = 0;
    for (int i = 0; i < archive->n; i++) {
        const enum attn_tensor_id id = find_tensor(c, archive->arrays[i].name);
        if (is_result(c, id)) {
            take(c, id, &archive->arrays[i]);
            taken++;
        }
    }
    if (taken == 0 && archive->n == 1) {
        take(c, attn_trace_result(c->of.right), &archive->arrays[0]);
        taken++;
    }
    if (taken == 0) {
        cli_message(archive->path,
                    "holds no result of %s among its %d arrays (call one %s, or a stage's name)",
                    attn_variants[variant].name, archive->n,
                    attn_tensors[attn_trace_result(c->of.right)].name);
        return CLI_UNDECIDED;
    }
    return CLI_DONE;
}

enum cli_status check_take_file(struct check *check, struct check_case *c, const char *name,
                                const char *path)
{
    struct io_archive *const archive = &check->archives[check->n_archives];
    struct attn_error err = {.status = ATTN_OK};
    *archive = (struct io_archive){.n = 0};
    check->n_archives++;
    if (io_read(archive, path, &err) != ATTN_OK) {
        cli_message(err.what, "%s", err.message);
        return CLI_UNDECIDED;
    }
    return name != NULL ? take_named(c, archive, name) : take_all(c, archive);
}
