/* What may have happened to a result that no bug explains: rounded, transposed, another's name. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check_parts.h"

/** The first tensor that is off, as it was got and as it is right. */
struct view {
    const struct check *check;
    enum attn_tensor_id id;
    const attn_tensor *got, *right;
    size_t n;
};

static bool are_equal(const struct view *v, const attn_tensor *other)
{
    for (size_t i = 0; i < v->n; i++) {
        if (!diagnose_equal(v->got->data[i], other->data[i], &v->check->tolerance)) {
            return false;
        }
    }
    return true;
}

/** Is every number a multiple of 10 to the -decimals, as far as float32 can be? */
static bool is_rounded(const struct view *v, int decimals)
{
    const double unit = pow(10, decimals);
    for (size_t i = 0; i < v->n; i++) {
        const double x = (double)v->got->data[i] * unit;
        if (isfinite(x) && fabs(x - round(x)) > 1e-6 + fabs(x) * 1.2e-7) {
            return false;
        }
    }
    return true;
}

static bool note_rounded(const struct view *v, char *out, size_t size)
{
    int decimals = 0;
    while (decimals < 6 && !is_rounded(v, decimals)) {
        decimals++;
    }
    const double unit = pow(10, -decimals);
    if (decimals == 0 || decimals == 6 || unit <= v->check->tolerance.absolute) {
        return false;
    }
    snprintf(out, size, "your numbers have %d decimal%s: --tol %g compares them so", decimals,
             decimals == 1 ? "" : "s", unit);
    return true;
}

/** Does every number fit into a float32 whose last bits are zero? */
static bool fits(const struct view *v, uint32_t last)
{
    for (size_t i = 0; i < v->n; i++) {
        uint32_t bits = 0;
        memcpy(&bits, &v->got->data[i], sizeof bits);
        if ((bits & last) != 0) {
            return false;
        }
    }
    return true;
}

static bool note_half(const struct view *v, char *out, size_t size)
{
    const bool brain = fits(v, 0xFFFF);
    const double enough = brain ? 0.05 : 0.005;
    if (is_rounded(v, 0) || !fits(v, 0x1FFF) || enough <= v->check->tolerance.absolute) {
        return false;
    }
    snprintf(out, size, "your numbers have the precision of %s: --tol %g compares them so",
             brain ? "bfloat16" : "float16", enough);
    return true;
}

static bool note_zeros(const struct view *v, char *out, size_t size)
{
    for (size_t i = 0; i < v->n; i++) {
        if (fabsf(v->got->data[i]) > 0 || isnan(v->got->data[i])) {
            return false;
        }
    }
    snprintf(out, size, "every number of yours is 0: is the result filled in?");
    return true;
}

static bool note_nan(const struct view *v, char *out, size_t size)
{
    const struct diagnosis *const d = &v->check->diagnosis;
    if (d->stages[d->first].nan == 0) {
        return false;
    }
    snprintf(out, size,
             "nan comes of 0/0 and of inf/inf: is each row's own maximum taken off "
             "before e^x, and does each row keep a key?");
    return true;
}

static bool note_transposed(const struct view *v, char *out, size_t size)
{
    const int *const dims = v->got->dims;
    for (int b = 0; b < dims[0]; b++) {
        for (int r = 0; r < dims[1]; r++) {
            for (int i = 0; i < dims[2]; i++) {
                if (dims[1] != dims[2] ||
                    !diagnose_equal(*attn_tensor_at(v->got, b, i, r),
                                    *attn_tensor_at(v->right, b, r, i), &v->check->tolerance)) {
                    return false;
                }
            }
        }
    }
    snprintf(out, size, "your %s is the right one, transposed", attn_tensors[v->id].name);
    return true;
}

static bool note_name(const struct view *v, char *out, size_t size)
{
    const attn_trace *const right = check_case_told(v->check)->of.right;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        const attn_tensor *const other = attn_trace_tensor(right, id);
        if (id == v->id || other == NULL || attn_tensors[id].group != ATTN_GROUP_STAGE ||
            memcmp(other->dims, v->got->dims, sizeof other->dims) != 0 || !are_equal(v, other)) {
            continue;
        }
        snprintf(out, size, "your %s is what is called %s here", attn_tensors[v->id].name,
                 attn_tensors[id].name);
        return true;
    }
    return false;
}

/** Has the file an input, and is it another one? */
static bool is_another_input(const struct check_case *c, const struct io_array *array)
{
    const enum attn_tensor_id id = attn_tensor_find(c->of.setup.config.variant, array->name);
    if (id == ATTN_NO_TENSOR || attn_tensors[id].group == ATTN_GROUP_STAGE) {
        return false;
    }
    const attn_tensor *const input = &c->of.setup.inputs[id];
    return input->data == NULL || attn_tensor_count(input) != array->count ||
           memcmp(input->data, array->data, array->count * sizeof *array->data) != 0;
}

static bool note_inputs(const struct view *v, char *out, size_t size)
{
    const struct check *const check = v->check;
    for (int i = 0; check->cli->program == NULL && i < check->n_archives; i++) {
        const struct io_archive *const archive = &check->archives[i];
        for (int k = 0; k < archive->n; k++) {
            if (is_another_input(&check->cases[0], &archive->arrays[k])) {
                snprintf(out, size,
                         "%s holds another %s than the one computed with here: --load it as well",
                         archive->path, archive->arrays[k].name);
                return true;
            }
        }
    }
    return false;
}

/** A program that draws a pattern of its own is right but for that. */
static bool note_dropout(const struct view *v, char *out, size_t size)
{
    const struct check_case *const c = check_case_told(v->check);
    const attn_config *const config = &c->of.setup.config;
    const bool before = v->id < ATTN_DROPPED && attn_tensors[v->id].group == ATTN_GROUP_STAGE;
    if (!config->training || !(config->dropout_p > 0) || before) {
        return false;
    }
    snprintf(out, size,
             "it is training here, and what is dropped is given: keep, not a draw of "
             "your own (--eval leaves dropout out)");
    return true;
}

int check_notes(const struct check *check, char notes[CHECK_NOTES_MAX][CHECK_NOTE_MAX])
{
    static bool (*const tries[])(const struct view *v, char *out, size_t size) = {
        note_inputs, note_zeros,   note_nan,  note_transposed,
        note_name,   note_rounded, note_half, note_dropout};
    const struct check_case *const c = check_case_told(check);
    const struct diagnosis *const d = &check->diagnosis;
    int n = 0;
    if (check_is_right(check) || c->misshapen) {
        return 0;
    }
    const enum attn_tensor_id id = d->stages[d->first].tensor;
    const struct view v = {.check = check,
                           .id = id,
                           .got = &c->got[id],
                           .right =
                               attn_trace_tensor(c->of.right, attn_trace_source(c->of.right, id)),
                           .n = attn_tensor_count(&c->got[id])};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        if ((d->n_causes == 0 || tries[i] == note_zeros) && n < CHECK_NOTES_MAX &&
            tries[i](&v, notes[n], CHECK_NOTE_MAX)) {
            n++;
        }
    }
    return n;
}
