/* One array of a file as a tensor: its rank, its kind, the way it lies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"
#include "io.h"

void load_dims(int rank, const size_t *dims, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "[");
    for (int i = 0; i < rank && n < size; i++) {
        n += (size_t)snprintf(out + n, size - n, "%s%zu", i > 0 ? "," : "", dims[i]);
    }
    if (n < size) {
        snprintf(out + n, size - n, "]");
    }
}

char *load_shape(const struct loaded *loaded, char *out, size_t size)
{
    size_t dims[3] = {0};
    for (int i = 0; i < loaded->rank; i++) {
        dims[i] = (size_t)loaded->dims[3 - loaded->rank + i];
    }
    load_dims(loaded->rank, dims, out, size);
    return out;
}

enum attn_status load_take_p(struct load_set *set, const struct io_array *array, const char *path,
                             struct attn_error *err)
{
    char shape[96];
    load_dims(array->rank, array->dims, shape, sizeof shape);
    if (array->count != 1) {
        return attn_fail(err, ATTN_E_SHAPE, path, "p is %s (expected one number, the rate)", shape);
    }
    const float p = array->data[0];
    if (!(p >= 0 && p <= 1)) {
        return attn_fail(err, ATTN_E_VALUE, path, "p is %g (a probability is 0 to 1)", (double)p);
    }
    /* Dropout scales by 1/(1-p) in double: a rate of 0.1 that a file rounded to float32 means 0.1.
     */
    char text[32];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)p);
        if (config_parse_real(text, &set->p) && (float)set->p == p) {
            break;
        }
    }
    set->has_p = true;
    set->p_path = path;
    return ATTN_OK;
}

static const char *axis_letter(enum attn_axis axis)
{
    static const char *const letters[] = {
        [ATTN_AXIS_NONE] = "",  [ATTN_AXIS_B] = "B", [ATTN_AXIS_T] = "T",   [ATTN_AXIS_S] = "S",
        [ATTN_AXIS_I] = "d_in", [ATTN_AXIS_D] = "d", [ATTN_AXIS_V] = "d_v", [ATTN_AXIS_3D] = "3d"};
    return letters[axis];
}

/** "[B,T,d_in]": the axes of a tensor. */
static char *axes_text(enum attn_tensor_id id, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "[");
    for (int i = 0; i < 3; i++) {
        const enum attn_axis axis = attn_tensors[id].axes[i];
        if (axis != ATTN_AXIS_NONE) {
            n += (size_t)snprintf(out + n, size - n, "%s%s", n > 1 ? "," : "", axis_letter(axis));
        }
    }
    snprintf(out + n, size - n, "]");
    return out;
}

static int rank_of(enum attn_tensor_id id)
{
    int rank = 0;
    for (int i = 0; i < 3; i++) {
        rank += attn_tensors[id].axes[i] != ATTN_AXIS_NONE ? 1 : 0;
    }
    return rank;
}

/** Weights have their rank; inputs may leave out the batch, a mask whatever broadcasts. */
static enum attn_status check_rank(enum attn_tensor_id id, const struct io_array *array,
                                   const char *name, const char *path, struct attn_error *err)
{
    const int rank = rank_of(id);
    const bool weight = attn_tensors[id].group == ATTN_GROUP_WEIGHT;
    const int least = id == ATTN_MASK ? 0 : weight ? rank : rank - 1;
    char shape[128];
    char axes[32];
    load_dims(array->rank, array->dims, shape, sizeof shape);
    axes_text(id, axes, sizeof axes);
    if (id == ATTN_MASK && array->rank > rank) {
        return attn_fail(err, ATTN_E_SHAPE, path,
                         "%s is %s, which does not broadcast to [B,T,S] (expected [S], [T,S], "
                         "[B,1,S] or [B,T,S]; there is one head)",
                         name, shape);
    }
    if (array->rank > rank || array->rank < least) {
        return attn_fail(err, ATTN_E_SHAPE, path, "%s is %s (expected %s%s)", name, shape, axes,
                         weight ? "" : ", or one batch element without B");
    }
    for (int i = 0; i < array->rank; i++) {
        if (array->dims[i] < 1 || array->dims[i] > ATTN_DIM_MAX) {
            return attn_fail(err, ATTN_E_LIMIT, path, "%s is %s (each dimension is 1 to %d)", name,
                             shape, ATTN_DIM_MAX);
        }
    }
    return ATTN_OK;
}

/** Text is true or false where a mask is meant, and a slip where numbers are. */
static enum attn_status check_kind(enum attn_tensor_id id, const struct io_array *array,
                                   const char *name, const char *path, struct attn_error *err)
{
    const bool masks = id == ATTN_MASK || id == ATTN_KEEP;
    if (masks || array->type != IO_TYPE_BOOL || strcmp(array->dtype, "JSON") != 0) {
        return ATTN_OK;
    }
    return attn_fail(err, ATTN_E_VALUE, path,
                     "%s is true and false (write numbers: only mask and keep take these)", name);
}

/** A bias comes out of a table as one row, or one column. */
static struct io_array as_vector(enum attn_tensor_id id, const struct io_array *array)
{
    struct io_array vector = *array;
    if (rank_of(id) == 1 && array->rank == 2 && (array->dims[0] == 1 || array->dims[1] == 1)) {
        vector.rank = 1;
        vector.dims[0] = array->count;
    }
    return vector;
}

enum attn_status load_take(struct load_set *set, enum attn_tensor_id id, bool in_out,
                           const char *name, const struct io_array *given, const char *path,
                           struct attn_error *err)
{
    const char *const shown = name[0] != '\0' ? name : attn_tensors[id].name;
    const struct io_array vector = as_vector(id, given);
    const struct io_array *const array = &vector;
    enum attn_status status = check_kind(id, array, shown, path, err);
    if (status == ATTN_OK) {
        status = check_rank(id, array, shown, path, err);
    }
    if (status != ATTN_OK) {
        return status;
    }
    float *const data = malloc(array->count * sizeof *data);
    if (data == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, path, "out of memory");
    }
    memcpy(data, array->data, array->count * sizeof *data);
    struct loaded *const to = &set->tensors[id];
    free(to->data);
    *to = (struct loaded){.data = data, .rank = array->rank, .dims = {1, 1, 1}, .path = path};
    for (int i = 0; i < array->rank; i++) {
        to->dims[3 - array->rank + i] = (int)array->dims[i];
    }
    snprintf(to->name, sizeof to->name, "%s", shown);
    if (in_out && attn_tensors[id].group == ATTN_GROUP_WEIGHT && to->rank == 2 && !load_turn(to)) {
        return attn_fail(err, ATTN_E_NOMEM, path, "out of memory");
    }
    return ATTN_OK;
}
