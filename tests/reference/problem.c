#include "problem.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

struct case_file case_open(const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "cases/attn/%s.json", name);
    struct case_file f = {.document = reference_json(path)};
    f.inputs = json_object_get(f.document, "inputs");
    f.expected = json_object_get(f.document, "expected");
    ck_assert_msg(json_is_object(f.inputs) && json_is_object(f.expected), "%s: no case", path);
    return f;
}

void problem_begin(struct problem *p, const char *name, enum attn_variant variant)
{
    *p = (struct problem){.name = name};
    attn_config_default(&p->config, variant);
}

void problem_end(struct problem *p)
{
    attn_trace_destroy(p->trace);
    p->trace = NULL;
}

/** The sizes follow from the shapes of what is given. */
static void learn_sizes(struct problem *p, enum attn_tensor_id id, int rows, int cols)
{
    attn_sizes *const z = &p->config.sizes;
    const struct attn_tensor_info *const info = &attn_tensors[id];
    const int sizes[] = {rows, cols};
    for (int i = 0; i < 2; i++) {
        switch (info->axes[i + 1]) {
        case ATTN_AXIS_T:
            z->T = sizes[i];
            break;
        case ATTN_AXIS_S:
            z->S = sizes[i];
            break;
        case ATTN_AXIS_I:
            z->d_in = sizes[i];
            break;
        case ATTN_AXIS_D:
            z->d = sizes[i];
            break;
        case ATTN_AXIS_V:
            z->d_v = sizes[i];
            break;
        case ATTN_AXIS_NONE:
        case ATTN_AXIS_B:
        case ATTN_AXIS_3D:
            break;
        }
    }
}

float *problem_room(struct problem *p, enum attn_tensor_id id, int rank, int rows, int cols)
{
    const int dims[] = {1, rows, cols};
    const size_t n = (size_t)rows * (size_t)cols;
    ck_assert_msg(p->used + n <= PROBLEM_POOL, "%s: the pool is too small", p->name);
    float *const data = p->pool + p->used;
    p->used += n;
    p->inputs[id] = attn_tensor_view(data, rank, dims + (3 - rank));
    learn_sizes(p, id, rows, cols);
    return data;
}

double problem_number(json_t *value)
{
    if (json_is_string(value)) {
        return strtod(json_string_value(value), NULL);
    }
    ck_assert_msg(json_is_number(value), "not a number");
    return json_number_value(value);
}

void problem_give(struct problem *p, enum attn_tensor_id id, int rank, json_t *numbers)
{
    ck_assert_msg(json_is_array(numbers), "%s: no numbers for %s", p->name, attn_tensors[id].name);
    const bool flat = rank == 1;
    const size_t rows = flat ? 1 : json_array_size(numbers);
    const size_t cols = json_array_size(flat ? numbers : json_array_get(numbers, 0));
    float *const data = problem_room(p, id, rank, (int)rows, (int)cols);
    for (size_t r = 0; r < rows; r++) {
        json_t *const row = flat ? numbers : json_array_get(numbers, r);
        for (size_t c = 0; c < cols; c++) {
            data[r * cols + c] = (float)problem_number(json_array_get(row, c));
        }
    }
}

void problem_give_transposed(struct problem *p, enum attn_tensor_id id, json_t *numbers)
{
    const size_t n_in = json_array_size(numbers);
    const size_t n_out = json_array_size(json_array_get(numbers, 0));
    float *const data = problem_room(p, id, 2, (int)n_out, (int)n_in);
    for (size_t i = 0; i < n_in; i++) {
        for (size_t o = 0; o < n_out; o++) {
            json_t *const number = json_array_get(json_array_get(numbers, i), o);
            data[o * n_in + i] = (float)problem_number(number);
        }
    }
}

void problem_give_qkv(struct problem *p, json_t *inputs)
{
    problem_give(p, ATTN_Q, 3, json_object_get(inputs, "Q"));
    problem_give(p, ATTN_K, 3, json_object_get(inputs, "K"));
    problem_give(p, ATTN_V, 3, json_object_get(inputs, "V"));
}

void problem_scale(struct problem *p, json_t *scale)
{
    p->config.scale_given = json_is_number(scale);
    if (p->config.scale_given) {
        p->config.scale = (float)json_number_value(scale);
        return;
    }
    ck_assert_msg(json_is_string(scale) && strcmp(json_string_value(scale), "default") == 0,
                  "%s: the scale is neither a number nor \"default\"", p->name);
}

attn_tensor *problem_keep_all(struct problem *p)
{
    const attn_sizes *const z = &p->config.sizes;
    float *const data = problem_room(p, ATTN_MASK, 3, z->T, z->S);
    for (int i = 0; i < z->T * z->S; i++) {
        data[i] = 1.0f;
    }
    return &p->inputs[ATTN_MASK];
}

void problem_mask(struct problem *p, json_t *numbers, int keeps)
{
    struct attn_error err;
    problem_give(p, ATTN_KEEP, 2, numbers); /* borrowed for a moment */
    const attn_tensor mask = p->inputs[ATTN_KEEP];
    p->inputs[ATTN_KEEP] = (attn_tensor){0};
    const enum attn_status status = attn_mask_merge(problem_keep_all(p), &mask, keeps, &err);
    ck_assert_msg(status == ATTN_OK, "%s: the mask: %s", p->name, err.message);
}

void problem_solve(struct problem *p)
{
    struct attn_error err;
    const enum attn_status status = attn_trace_create(&p->trace, &p->config, p->inputs, &err);
    ck_assert_msg(status == ATTN_OK, "%s: %s", p->name, err.message);
}

enum attn_status problem_refused(struct problem *p, struct attn_error *err)
{
    const enum attn_status status = attn_trace_create(&p->trace, &p->config, p->inputs, err);
    ck_assert_msg(status != ATTN_OK, "%s: was not refused", p->name);
    ck_assert_msg(p->trace == NULL, "%s: refused, and a result all the same", p->name);
    return status;
}

void problem_check(const struct problem *p, enum attn_tensor_id id, json_t *numbers)
{
    enum { MAX = 1024 };
    double want[MAX];
    size_t n = 0, r, c;
    json_t *row, *number;
    json_array_foreach(numbers, r, row)
    {
        json_array_foreach(row, c, number)
        {
            ck_assert_msg(n < MAX, "%s: too many numbers", p->name);
            want[n++] = problem_number(number);
        }
    }
    ck_assert_msg(n > 0, "%s: nothing to compare %s with", p->name, attn_tensors[id].name);
    char what[256];
    (void)snprintf(what, sizeof what, "%s: %s", p->name, attn_tensors[id].name);
    const enum attn_tensor_id source = attn_trace_source(p->trace, id);
    ck_assert_msg(source != ATTN_NO_TENSOR, "%s: there is none", what);
    reference_check_close(what, attn_trace_tensor(p->trace, source), want, n, 2e-6, 2e-6);
}

static void check_row_sums(const struct problem *p, json_t *sums)
{
    const attn_tensor *const weights = attn_trace_tensor(p->trace, ATTN_WEIGHTS);
    size_t t;
    json_t *sum;
    ck_assert_int_eq((int)json_array_size(sums), weights->dims[1]);
    json_array_foreach(sums, t, sum)
    {
        double got = 0.0;
        for (int s = 0; s < weights->dims[2]; s++) {
            got += (double)*attn_tensor_at(weights, 0, (int)t, s);
        }
        ck_assert_msg(fabs(got - json_number_value(sum)) <= 2e-6,
                      "%s: weights: row %zu sums to %.9g, want %.9g", p->name, t, got,
                      json_number_value(sum));
    }
}

void problem_check_all(const struct problem *p, json_t *expected)
{
    static const struct {
        const char *name;
        enum attn_tensor_id id;
    } stages[] = {{"Q", ATTN_Q},
                  {"K", ATTN_K},
                  {"V", ATTN_V},
                  {"scores", ATTN_SCORES},
                  {"scaled", ATTN_SCALED},
                  {"masked", ATTN_MASKED},
                  {"weights", ATTN_WEIGHTS}};
    int compared = 0;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        json_t *const numbers = json_object_get(expected, stages[i].name);
        if (numbers != NULL) {
            problem_check(p, stages[i].id, numbers);
            compared++;
        }
    }
    json_t *const out = json_object_get(expected, "out");
    if (out != NULL) {
        problem_check(p, attn_trace_result(p->trace), out);
        compared++;
    }
    json_t *const sums = json_object_get(expected, "row_sums");
    if (sums != NULL) {
        check_row_sums(p, sums);
    }
    ck_assert_msg(compared > 0, "%s: nothing was compared", p->name);
}

int problem_flags(const struct problem *p, enum attn_flag_kind kind, struct attn_flag *first)
{
    int n = 0, found = 0;
    const struct attn_flag *const flags = attn_trace_flags(p->trace, &n);
    for (int i = 0; i < n; i++) {
        if (flags[i].kind == kind) {
            *first = found == 0 ? flags[i] : *first;
            found++;
        }
    }
    return found;
}

json_t *problem_member(json_t *object, const char *start)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (strncmp(key, start, strlen(start)) == 0) {
            return value;
        }
    }
    ck_abort_msg("no member \"%s…\"", start);
    return NULL;
}
