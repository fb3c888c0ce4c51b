/*
 * Whole variants with a real module's weights, mask and dropout pattern: data/attention, every
 * stage of every case, against float64 ("ref.NAME") and, to the bit, against torch's float32.
 */
#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/mask.h"
#include "attn/trace.h"
#include "io.h"
#include "reference.h"

enum { CASES = 25, EXACT_BELOW = 32 };

/** A row of index.json with its file and the trace that the program makes of it. */
struct stored_case {
    char file[64];
    char npz[128];
    struct io_archive archive;
    attn_config config;
    float *keep_all; /* the mask broadcast to [B,T,S] */
    attn_trace *trace;
};

static int member_int(json_t *row, const char *name)
{
    json_t *const value = json_object_get(row, name);
    ck_assert_msg(json_is_integer(value), "index.json: no %s", name);
    return (int)json_integer_value(value);
}

static void configure(struct stored_case *c, json_t *row)
{
    const int variant = attn_variant_find(json_string_value(json_object_get(row, "variant")));
    ck_assert_msg(variant >= 0, "%s: no such variant", c->file);
    attn_config_default(&c->config, (enum attn_variant)variant);
    const int d = member_int(row, "d");
    c->config.sizes = (attn_sizes){.B = member_int(row, "B"),
                                   .T = member_int(row, "T"),
                                   .S = member_int(row, "S"),
                                   .d_in = member_int(row, "d_in"),
                                   .d = d,
                                   .d_v = d};
    json_t *const p = json_object_get(row, "p");
    c->config.training = json_is_number(p);
    c->config.dropout_p = json_is_number(p) ? json_number_value(p) : 0.0;
}

static attn_tensor view(const struct io_array *array)
{
    int dims[ATTN_RANK_MAX];
    ck_assert_msg(array->rank >= 1 && array->rank <= ATTN_RANK_MAX, "%s: rank", array->name);
    for (int i = 0; i < array->rank; i++) {
        dims[i] = (int)array->dims[i];
    }
    return attn_tensor_view(array->data, array->rank, dims);
}

/** The case's mask, broadcast, in memory that the case owns. */
static attn_tensor broadcast_mask(struct stored_case *c, const struct io_array *array)
{
    const attn_sizes *const z = &c->config.sizes;
    const int dims[] = {z->B, z->T, z->S};
    const size_t n = (size_t)z->B * (size_t)z->T * (size_t)z->S;
    c->keep_all = malloc(n * sizeof(float));
    ck_assert_ptr_nonnull(c->keep_all);
    for (size_t i = 0; i < n; i++) {
        c->keep_all[i] = 1.0f;
    }
    attn_tensor keep = attn_tensor_view(c->keep_all, 3, dims);
    const attn_tensor mask = view(array);
    struct attn_error err;
    ck_assert_msg(attn_mask_merge(&keep, &mask, 1, &err) == ATTN_OK, "%s: mask: %s", c->file,
                  err.message);
    return keep;
}

static void gather_inputs(struct stored_case *c, attn_tensor inputs[ATTN_N_TENSORS])
{
    const enum attn_variant variant = c->config.variant;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        char name[64];
        inputs[id] = (attn_tensor){0};
        if (attn_tensors[id].group == ATTN_GROUP_STAGE ||
            !attn_variant_has_tensor(variant, (enum attn_tensor_id)id)) {
            continue;
        }
        attn_tensor_name(variant, (enum attn_tensor_id)id, name, sizeof name);
        const struct io_array *const array = io_archive_find(&c->archive, name);
        if (array != NULL) {
            inputs[id] = id == ATTN_MASK ? broadcast_mask(c, array) : view(array);
        }
    }
}

static void case_open(struct stored_case *c, int index)
{
    *c = (struct stored_case){0};
    json_t *const rows = reference_json("attention/index.json");
    ck_assert_msg(json_array_size(rows) == CASES, "index.json has %zu cases",
                  json_array_size(rows));
    json_t *const row = json_array_get(rows, (size_t)index);
    (void)snprintf(c->file, sizeof c->file, "%s", json_string_value(json_object_get(row, "file")));
    (void)snprintf(c->npz, sizeof c->npz, "attention/%s", c->file);
    configure(c, row);
    json_decref(rows);

    char path[REFERENCE_PATH_MAX];
    struct attn_error err;
    ck_assert_msg(io_read(&c->archive, reference_path(path, c->npz), &err) == ATTN_OK, "%s: %s",
                  c->file, err.message);
    attn_tensor inputs[ATTN_N_TENSORS];
    gather_inputs(c, inputs);
    ck_assert_msg(attn_trace_create(&c->trace, &c->config, inputs, &err) == ATTN_OK, "%s: %s",
                  c->file, err.message);
}

static void case_close(struct stored_case *c)
{
    attn_trace_destroy(c->trace);
    free(c->keep_all);
    io_archive_finish(&c->archive);
}

/**
 * The stored array of a stage tensor of this case; NULL where the trace has none. What one side
 * has and the other has not is a failure; the merged projection is not stored.
 */
static const struct io_array *stored_stage(const struct stored_case *c, int id)
{
    const char *const name = attn_tensors[id].name;
    if (attn_tensors[id].group != ATTN_GROUP_STAGE || id == ATTN_QKV) {
        return NULL;
    }
    const attn_tensor *const ours = attn_trace_tensor(c->trace, (enum attn_tensor_id)id);
    const struct io_array *const stored = io_archive_find(&c->archive, name);
    ck_assert_msg((ours != NULL) == (stored != NULL), "%s: %s: %s", c->file, name,
                  ours == NULL ? "stored, but not computed" : "computed, but not stored");
    return stored;
}

static double *stage_in_double(const struct stored_case *c, int id, size_t n)
{
    char name[64];
    size_t count = 0;
    (void)snprintf(name, sizeof name, "ref.%s", attn_tensors[id].name);
    double *const values = reference_doubles(c->npz, name, &count);
    ck_assert_msg(values != NULL && count == n, "%s: %s: %zu elements, want %zu", c->file, name,
                  count, n);
    return values;
}

START_TEST(every_stage_is_within_2e_6_of_float64)
{
    struct stored_case c;
    case_open(&c, _i);
    int stages = 0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const struct io_array *const stored = stored_stage(&c, id);
        if (stored == NULL) {
            continue;
        }
        char what[160];
        (void)snprintf(what, sizeof what, "%s: %s", c.file, attn_tensors[id].name);
        double *const want = stage_in_double(&c, id, stored->count);
        reference_check_close(what, attn_trace_tensor(c.trace, (enum attn_tensor_id)id), want,
                              stored->count, 2e-6, 1e-5);
        free(want);
        stages++;
    }
    ck_assert_msg(stages >= 7, "%s: only %d stages were compared", c.file, stages);
    case_close(&c);
}
END_TEST

START_TEST(every_stage_has_the_bits_of_torch)
{
    struct stored_case c;
    case_open(&c, _i);
    const bool exact = c.config.sizes.d < EXACT_BELOW && c.config.sizes.d_in < EXACT_BELOW;
    ck_assert_msg(exact, "%s: too wide to promise bits", c.file);
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const struct io_array *const stored = stored_stage(&c, id);
        if (stored != NULL) {
            char what[160];
            (void)snprintf(what, sizeof what, "%s: %s", c.file, attn_tensors[id].name);
            reference_check_bits(what, attn_trace_tensor(c.trace, (enum attn_tensor_id)id),
                                 stored->data, stored->count);
        }
    }
    case_close(&c);
}
END_TEST

/** Sums of |error| against float64, over finite elements. */
struct pooled {
    double ours, torch;
    size_t n;
};

static void pool_case(struct pooled *pool, const struct stored_case *c)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const struct io_array *const stored = stored_stage(c, id);
        if (stored == NULL) {
            continue;
        }
        const attn_tensor *const ours = attn_trace_tensor(c->trace, (enum attn_tensor_id)id);
        double *const want = stage_in_double(c, id, stored->count);
        for (size_t i = 0; i < stored->count; i++) {
            if (isfinite(want[i])) {
                pool->ours += fabs((double)ours->data[i] - want[i]);
                pool->torch += fabs((double)stored->data[i] - want[i]);
                pool->n++;
            }
        }
        free(want);
    }
}

START_TEST(the_mean_error_over_all_stages_is_no_more_than_torchs_and_a_tenth)
{
    struct pooled pool = {0};
    for (int i = 0; i < CASES; i++) {
        struct stored_case c;
        case_open(&c, i);
        pool_case(&pool, &c);
        case_close(&c);
    }
    ck_assert_uint_gt(pool.n, 5000);
    const double ours = pool.ours / (double)pool.n;
    const double torch = pool.torch / (double)pool.n;
    printf("mean error against float64 over %zu numbers: attn %.4g, torch float32 %.4g "
           "(%.3f times)\n",
           pool.n, ours, torch, ours / torch);
    (void)fflush(stdout);
    ck_assert_msg(torch > 0.0 && ours <= 1.1 * torch, "attn %.4g, torch %.4g", ours, torch);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("attention");
    TCase *const t = tcase_create("data/attention");
    tcase_add_loop_test(t, every_stage_is_within_2e_6_of_float64, 0, CASES);
    tcase_add_loop_test(t, every_stage_has_the_bits_of_torch, 0, CASES);
    tcase_add_test(t, the_mean_error_over_all_stages_is_no_more_than_torchs_and_a_tenth);
    suite_add_tcase(s, t);
    return s;
}
