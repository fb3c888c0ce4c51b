/*
 * What a seed stands for: the options of data/canonical/index.json, as a command line gives them,
 * must draw and compute what torch drew and computed (make_canonical.py), tensor for tensor.
 */
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/trace.h"
#include "config.h"
#include "io.h"
#include "reference.h"

enum { CASES = 37, ARGS_MAX = 32 };

struct seeded {
    json_t *document;
    json_t *row;
    const char *file;
    bool exact; /* narrow enough that the stages' bits are promised, too */
    struct io_archive archive;
    struct setup setup;
    attn_trace *trace;
};

static void take_options(struct config *config, const struct seeded *c)
{
    char *argv[ARGS_MAX + 1] = {0};
    json_t *const args = json_object_get(c->row, "args");
    const int argc = (int)json_array_size(args);
    ck_assert_msg(argc > 0 && argc <= ARGS_MAX, "%s: %d options", c->file, argc);
    for (int i = 0; i < argc; i++) {
        argv[i] = strdup(json_string_value(json_array_get(args, (size_t)i)));
        ck_assert_ptr_nonnull(argv[i]);
    }
    for (int i = 0; i < argc;) {
        bool taken = false;
        struct attn_error err;
        const char *const option = argv[i];
        const enum attn_status status = config_take_option(config, argc, argv, &i, &taken, &err);
        ck_assert_msg(status == ATTN_OK, "%s: %s: %s", c->file, option, err.message);
        ck_assert_msg(taken, "%s: %s is no option", c->file, option);
    }
    for (int i = 0; i < argc; i++) {
        free(argv[i]);
    }
}

static void seeded_open(struct seeded *c, int index)
{
    *c = (struct seeded){.document = reference_json("canonical/index.json")};
    json_t *const rows = json_object_get(c->document, "cases");
    ck_assert_msg(json_array_size(rows) == CASES, "index.json has %zu cases",
                  json_array_size(rows));
    c->row = json_array_get(rows, (size_t)index);
    c->file = json_string_value(json_object_get(c->row, "file"));
    c->exact = json_is_true(json_object_get(c->row, "exact"));

    char path[REFERENCE_PATH_MAX], name[128];
    struct attn_error err;
    (void)snprintf(name, sizeof name, "canonical/%s", c->file);
    ck_assert_msg(io_read(&c->archive, reference_path(path, name), &err) == ATTN_OK, "%s: %s",
                  c->file, err.message);
    const int variant = attn_variant_find(json_string_value(json_object_get(c->row, "variant")));
    ck_assert_msg(variant >= 0, "%s: no such variant", c->file);
    struct config config;
    config_init(&config, (enum attn_variant)variant);
    take_options(&config, c);
    ck_assert_msg(config_trace(&c->setup, &c->trace, &config, &err) == ATTN_OK, "%s: %s: %s",
                  c->file, err.what, err.message);
    config_finish(&config);
}

static void seeded_close(struct seeded *c)
{
    attn_trace_destroy(c->trace);
    setup_finish(&c->setup);
    io_archive_finish(&c->archive);
    json_decref(c->document);
}

static void check_tensor(const struct seeded *c, const struct io_array *stored,
                         enum attn_tensor_id id)
{
    char what[512];
    (void)snprintf(what, sizeof what, "%s: %s", c->file, stored->name);
    const attn_tensor *const ours = attn_trace_tensor(c->trace, id);
    if (c->exact || attn_tensors[id].group != ATTN_GROUP_STAGE) {
        reference_check_bits(what, ours, stored->data, stored->count);
        return;
    }
    double *const want = malloc(stored->count * sizeof *want);
    ck_assert_ptr_nonnull(want);
    for (size_t i = 0; i < stored->count; i++) {
        want[i] = (double)stored->data[i];
    }
    reference_check_close(what, ours, want, stored->count, 2e-6, 1e-5);
    free(want);
}

/** Compare the tensors of one group, and fail if one side has a tensor that the other lacks. */
static void check_group(const struct seeded *c, enum attn_group group)
{
    const enum attn_variant variant = attn_trace_config(c->trace)->variant;
    int compared = 0;
    for (int i = 0; i < c->archive.n; i++) {
        const struct io_array *const stored = &c->archive.arrays[i];
        const enum attn_tensor_id id = attn_tensor_find(variant, stored->name);
        ck_assert_msg(id != ATTN_NO_TENSOR, "%s: %s: no such tensor", c->file, stored->name);
        if (attn_tensors[id].group == group) {
            check_tensor(c, stored, id);
            compared++;
        }
    }
    int ours = 0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        /* The mask is an option; a keep that p = 1 makes needless is nobody's. */
        if (attn_tensors[id].group == group && id != ATTN_MASK &&
            attn_trace_tensor(c->trace, (enum attn_tensor_id)id) != NULL) {
            ours++;
        }
    }
    ck_assert_msg(compared > 0 && (ours == compared || group == ATTN_GROUP_INPUT),
                  "%s: %d tensors compared, the trace has %d", c->file, compared, ours);
}

START_TEST(a_seed_draws_the_inputs_that_torch_draws)
{
    struct seeded c;
    seeded_open(&c, _i);
    check_group(&c, ATTN_GROUP_INPUT);
    seeded_close(&c);
}
END_TEST

START_TEST(a_seed_draws_the_weights_that_torch_draws)
{
    struct seeded c;
    seeded_open(&c, _i);
    check_group(&c, ATTN_GROUP_WEIGHT);
    seeded_close(&c);
}
END_TEST

START_TEST(a_seed_gives_every_stage_that_torch_computes)
{
    struct seeded c;
    seeded_open(&c, _i);
    check_group(&c, ATTN_GROUP_STAGE);
    seeded_close(&c);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("canonical");
    TCase *const t = tcase_create("data/canonical");
    tcase_add_loop_test(t, a_seed_draws_the_inputs_that_torch_draws, 0, CASES);
    tcase_add_loop_test(t, a_seed_draws_the_weights_that_torch_draws, 0, CASES);
    tcase_add_loop_test(t, a_seed_gives_every_stage_that_torch_computes, 0, CASES);
    suite_add_tcase(s, t);
    return s;
}
