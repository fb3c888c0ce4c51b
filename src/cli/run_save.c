#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "io.h"

struct saved {
    char names[ATTN_N_TENSORS][64];
    struct io_out arrays[ATTN_N_TENSORS + 1];
    int n;
};

static void add(struct saved *saved, const attn_trace *trace, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    if (t == NULL) {
        return;
    }
    char *const name = saved->names[saved->n];
    attn_tensor_name(attn_trace_config(trace)->variant, id, name, sizeof saved->names[0]);
    struct io_out *const out = &saved->arrays[saved->n++];
    *out = (struct io_out){.name = name, .rank = t->rank, .data = t->data};
    for (int i = 0; i < t->rank; i++) {
        out->dims[i] = t->dims[3 - t->rank + i];
    }
}

/** @param ids  The tensors to save, or NULL for all that the trace has. */
enum attn_status run_save_to(const char *path, const struct setup *setup, const attn_trace *trace,
                             const enum attn_tensor_id *ids, int n, struct attn_error *err)
{
    struct saved saved = {.n = 0};
    const float p = (float)setup->config.dropout_p;
    for (int i = 0; i < (ids != NULL ? n : ATTN_N_TENSORS); i++) {
        add(&saved, trace, ids != NULL ? ids[i] : (enum attn_tensor_id)i);
    }
    /* A pattern is loaded again together with its rate. */
    if (ids == NULL && attn_trace_tensor(trace, ATTN_KEEP) != NULL) {
        saved.arrays[saved.n++] = (struct io_out){.name = "p", .rank = 1, .dims = {1}, .data = &p};
    }
    return io_write(path, saved.arrays, saved.n, err);
}

enum cli_status run_save(const char *path, const struct setup *setup, const attn_trace *trace,
                         const enum attn_tensor_id *ids, int n)
{
    struct attn_error err = {.status = ATTN_OK};
    return run_save_to(path, setup, trace, ids, n, &err) == ATTN_OK ? CLI_DONE : cli_fail(&err);
}
