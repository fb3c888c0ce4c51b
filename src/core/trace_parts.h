/* The inside of a trace, for the files that make one. */
#ifndef TRACE_PARTS_H
#define TRACE_PARTS_H

#include "attn/trace.h"
#include "kernel_set.h"

/* Rows of weights that a person should be told about. */
struct core_rows {
    size_t count;
    int first[3];
};

/* At most a NaN and an infinity for each tensor, and the two kinds of row. */
enum { CORE_FLAGS_MAX = 2 * ATTN_N_TENSORS + 2 };

struct attn_trace {
    attn_config config;
    const struct core_kernels *kernels;
    bool given;                              /* q, k and v were given. */
    attn_tensor tensors[ATTN_N_TENSORS];     /* data NULL: not in this trace. */
    enum attn_stage writers[ATTN_N_TENSORS]; /* NO_STAGE: given. */
    enum attn_stage stages[ATTN_N_STAGES];
    int n_stages;
    struct core_rows empty, uniform;
    struct attn_flag flags[CORE_FLAGS_MAX];
    int n_flags;
};

/* Which tensors a trace of this has, and how many bytes they take. */
struct core_plan {
    bool given;
    bool exists[ATTN_N_TENSORS];
    uint64_t bytes;
};

/* Each tensor starts at a multiple of this many bytes. */
enum { CORE_ALIGN = 64 };

/* plan.c */
bool core_stage_idle(const attn_config *config, enum attn_stage stage, bool has_mask);
bool core_stage_left_out(enum attn_stage stage, bool given);
enum attn_status core_plan_make(struct core_plan *plan, const attn_config *config,
                                const attn_tensor inputs[ATTN_N_TENSORS], struct attn_error *err);

/* check.c */
enum attn_status core_check(const attn_config *config, const attn_tensor inputs[ATTN_N_TENSORS],
                            const struct core_plan *plan, struct attn_error *err);

/* flag.c */
void core_flag(attn_trace *trace);

/* bugs.c, bugs_apply.c */
bool core_has_bug(const attn_config *config, enum attn_bug bug);
/* Two bugs that exclude each other are refused. */
enum attn_status core_bugs_check(const enum attn_bug *bugs, int n, struct attn_error *err);

/* A row that a bug changes: what it computes and its code, with placeholders of its own. */
struct core_row {
    void (*run)(attn_trace *trace);
    const char *snippet[ATTN_N_LANGS];
};

/* bugs_snippet.c: by stage; a row that no bug changes is empty. */
extern const struct core_row core_wrong_rows[ATTN_N_STAGES];
/* What stands for {word} where a bug is in it. @return false if the usual word stands. */
bool core_bug_word(char *out, size_t size, const attn_trace *trace, enum attn_lang lang,
                   const char *word, size_t length);

/* snippet.c: is there a row (or where a bug goes by columns, a column) without a key, made zeros?
 */
bool core_has_empty(const attn_trace *trace);

/* snippet.c */
void core_format_probability(char *out, size_t size, double p);

/* bugs_run.c */
void core_wrong_project(attn_trace *trace);
void core_wrong_project_merged(attn_trace *trace);
void core_wrong_split(attn_trace *trace);
void core_wrong_score(attn_trace *trace);
void core_wrong_scale(attn_trace *trace);
void core_wrong_mask(attn_trace *trace);
void core_wrong_softmax(attn_trace *trace);
void core_wrong_drop(attn_trace *trace);
void core_wrong_output(attn_trace *trace);
/* Is dropout on the scores, and does it act? */
bool core_drops_scores(const attn_config *config);
/* s - t on the diagonal of a causal mask. */
int core_diagonal(const attn_trace *trace);

/* run.c: one function for each row of the stage table. */
void core_run_project(attn_trace *trace);
void core_run_project_merged(attn_trace *trace);
void core_run_split(attn_trace *trace);
void core_run_score(attn_trace *trace);
void core_run_scale(attn_trace *trace);
void core_run_mask(attn_trace *trace);
void core_run_softmax(attn_trace *trace);
void core_run_drop(attn_trace *trace);
void core_run_mix(attn_trace *trace);
void core_run_output(attn_trace *trace);
void core_note_row(struct core_rows *rows, int b, int t);

#endif
