/* References to cells and tensors, shapes and numbers as a lesson writes them. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool refuse(struct lesson_reader *r, const char *text, int line, int column)
{
    lesson_error_add(r->errors, line, column,
                     "'%.60s' names no cell (as in scores, weights[2] or weights[2,1])", text);
    return false;
}

/** The indices between the brackets, each a number or a token. */
static bool read_indices(struct lesson_ref *out, const char *text, size_t length)
{
    size_t start = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && text[i] != ',') {
            continue;
        }
        size_t end = i;
        while (start < end && text[start] == ' ') {
            start++;
        }
        while (end > start && text[end - 1] == ' ') {
            end--;
        }
        if (out->n_at == 3 || end == start || end - start >= sizeof out->at[0]) {
            return false;
        }
        snprintf(out->at[out->n_at++], sizeof out->at[0], "%.*s", (int)(end - start), text + start);
        start = i + 1;
    }
    return true;
}

bool lesson_ref_read(struct lesson_reader *r, struct lesson_ref *out, const char *text, int line,
                     int column)
{
    struct lesson_ref ref = {.line = line, .column = column};
    size_t n = 0;
    while (is_name(text[n])) {
        n++;
    }
    const size_t length = strlen(text);
    const bool indexed = text[n] == '[' && text[length - 1] == ']';
    if (n == 0 || n >= sizeof ref.name || (text[n] != '\0' && !indexed) ||
        (indexed && !read_indices(&ref, text + n + 1, length - n - 2))) {
        return refuse(r, text, line, column);
    }
    snprintf(ref.name, sizeof ref.name, "%.*s", (int)n, text);
    *out = ref;
    return true;
}

int lesson_shape_read(const char *text, int shape[3])
{
    int rank = 0;
    const char *at = text;
    if (*at++ != '[') {
        return 0;
    }
    for (;;) {
        at += strspn(at, " ");
        char digits[8] = "";
        const size_t n = strspn(at, "0123456789");
        long long size = 0;
        if (rank == 3 || n == 0 || n >= sizeof digits) {
            return 0;
        }
        memcpy(digits, at, n);
        if (!config_parse_int(digits, 1, 3 * ATTN_DIM_MAX, &size)) {
            return 0;
        }
        shape[rank++] = (int)size;
        at += n;
        at += strspn(at, " ");
        if (*at == ']') {
            return at[1] == '\0' ? rank : 0;
        }
        if (*at++ != ',') {
            return 0;
        }
    }
}

bool lesson_number_read(const char *text, double *number, double *tolerance)
{
    double value = 0;
    if (!config_parse_real(text, &value)) {
        return false;
    }
    const char *const dot = strchr(text, '.');
    const char *const exponent = strpbrk(text, "eE");
    const size_t decimals = dot != NULL ? strspn(dot + 1, "0123456789") : 0;
    double power = 0;
    if (isfinite(value) && exponent != NULL) {
        (void)config_parse_real(exponent + 1, &power);
    }
    *number = value;
    *tolerance = 0.5 * pow(10, power - (double)decimals) * (1 + 1e-6);
    return true;
}

/** The words for an index that is none of this axis. */
static enum attn_status fail_index(const struct lesson_ref *ref, const char *index,
                                   const attn_tensor *t, bool twice, struct attn_error *err)
{
    char shape[48];
    const enum attn_status status =
        twice ? attn_fail(err, ATTN_E_VALUE, NULL,
                          "'%s' stands in the tokens twice (use its number, counted from 0)", index)
              : attn_fail(err, ATTN_E_VALUE, NULL,
                          "%s has no index '%s' (its shape is %s, counted from 0)", ref->name,
                          index, attn_tensor_shape(t, shape, sizeof shape));
    if (err != NULL) {
        err->line = ref->line;
        err->column = ref->column;
    }
    return status;
}

/** A token's place in its axis; -1: none, -2: it stands there twice. */
static int find_token(const struct setup *setup, enum attn_axis axis, const char *word)
{
    const struct config_tokens *const tokens = axis == ATTN_AXIS_T   ? &setup->tokens
                                               : axis == ATTN_AXIS_S ? &setup->memory_tokens
                                                                     : NULL;
    int found = -1;
    for (int i = 0; tokens != NULL && i < tokens->n; i++) {
        if (strcmp(tokens->labels[i], word) == 0) {
            found = found == -1 ? i : -2;
        }
    }
    return found;
}

/** The nearest of the names that this trace has, in parentheses. */
static enum attn_status fail_name(const struct lesson_ref *ref, const attn_trace *trace,
                                  struct attn_error *err)
{
    const enum attn_variant variant = attn_trace_config(trace)->variant;
    char names[ATTN_N_TENSORS][48];
    const char *pointers[ATTN_N_TENSORS + ATTN_N_STAGES];
    char keys[160] = "";
    int n = 0;
    for (int i = 0; i < attn_trace_n_stages(trace); i++) {
        const size_t used = strlen(keys);
        pointers[n++] = attn_stages[attn_trace_stage(trace, i)].key;
        snprintf(keys + used, sizeof keys - used, "%s%s", i > 0 ? " " : "", pointers[n - 1]);
    }
    for (int id = 0, k = 0; id < ATTN_N_TENSORS; id++) {
        if (attn_trace_tensor(trace, (enum attn_tensor_id)id) != NULL) {
            pointers[n++] =
                attn_tensor_name(variant, (enum attn_tensor_id)id, names[k++], sizeof names[0]);
        }
    }
    const char *const near = config_nearest(ref->name, pointers, n);
    const enum attn_tensor_id id = attn_tensor_find(variant, ref->name);
    const char *const who = attn_variants[variant].name;
    if (id != ATTN_NO_TENSOR) {
        return attn_fail(err, ATTN_E_VALUE, NULL, "there is no %s in this walk of %s (%s)",
                         ref->name, who,
                         id == ATTN_MASKED || id == ATTN_MASK    ? "give it a mask"
                         : id == ATTN_DROPPED || id == ATTN_KEEP ? "let it train, with a dropout"
                                                                 : "q, k and v were given");
    }
    return near != NULL ? attn_fail(err, ATTN_E_VALUE, NULL, "%s has no '%s' (did you mean %s?)",
                                    who, ref->name, near)
                        : attn_fail(err, ATTN_E_VALUE, NULL, "%s has no '%s' (its stages are %s)",
                                    who, ref->name, keys);
}

enum attn_status lesson_ref_tensor(const struct lesson_ref *ref, const attn_trace *trace,
                                   enum attn_tensor_id *out, struct attn_error *err)
{
    const enum attn_variant variant = attn_trace_config(trace)->variant;
    const enum attn_tensor_id id = attn_tensor_find(variant, ref->name);
    if (id != ATTN_NO_TENSOR && attn_trace_tensor(trace, id) != NULL) {
        *out = id;
        return ATTN_OK;
    }
    const enum attn_status status = fail_name(ref, trace, err);
    if (err != NULL) {
        err->line = ref->line;
        err->column = ref->column;
    }
    return status;
}

int lesson_ref_free(const struct lesson_ref *ref, const attn_tensor *t)
{
    const int stack = t->rank == 3 && t->dims[0] == 1 && ref->n_at < 3 ? 1 : 0;
    return t->rank - ref->n_at - (ref->n_at > 0 ? stack : 0);
}

enum attn_status lesson_cell(const struct lesson_ref *ref, const struct setup *setup,
                             const attn_trace *trace, struct attn_cell *out, struct attn_error *err)
{
    struct attn_cell cell = {.at = {0}};
    const enum attn_status status = lesson_ref_tensor(ref, trace, &cell.tensor, err);
    if (status != ATTN_OK) {
        return status;
    }
    const attn_tensor *const t = attn_trace_tensor(trace, cell.tensor);
    const int unused = lesson_ref_free(ref, t);
    if (unused < 0) {
        return fail_index(ref, ref->at[ref->n_at - 1], t, false, err);
    }
    for (int i = 0; i < ref->n_at; i++) {
        const int axis = 3 - unused - ref->n_at + i;
        long long index = 0;
        if (!config_parse_int(ref->at[i], 0, t->dims[axis] - 1, &index)) {
            index = find_token(setup, attn_tensors[cell.tensor].axes[axis], ref->at[i]);
        }
        if (index < 0) {
            return fail_index(ref, ref->at[i], t, index == -2, err);
        }
        cell.at[axis] = (int)index;
    }
    *out = cell;
    return ATTN_OK;
}
