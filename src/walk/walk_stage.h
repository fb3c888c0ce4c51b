/** Private to walk: its table by stage, and what the files share. */
#ifndef WALK_STAGE_H
#define WALK_STAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "walk.h"
#include "walk_text.h"

/** Regions as they are gathered; one that is there already is not added again. */
struct walk_regions {
    struct walk_region *out;
    int n;
};

struct walk_words;
struct walk_gradient;

enum {
    WALK_SHOW_ROW_SUMS = 1,
    WALK_SHOW_ENTROPY = 2,
    WALK_SHOW_PEAK = 4,
    WALK_SHOW_SPREAD = 8,
    WALK_SHOW_MASKED = 16,
    WALK_DROPS = 32 /**< Row sums other than 1 are meant. */
};

/** What walk knows of a stage; the rows go by enum attn_stage. */
struct walk_stage {
    /** What this box of an output reads. */
    void (*reads)(const attn_trace *trace, const struct walk_region *box,
                  struct walk_regions *regions);
    /** Fill in the terms of e->cell. */
    enum attn_status (*explain)(const attn_trace *trace, struct walk_explanation *e);
    /** The value from the terms. */
    float (*replay)(const attn_trace *trace, const struct walk_explanation *e);
    /** The right side of a cell's formula, in full or brief. */
    void (*formula)(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                    bool brief, struct walk_text *out);
    /** The numbers of a cell's formula, in walk_arithmetic's way. */
    int (*arithmetic)(const attn_trace *trace, const struct walk_explanation *e, int width,
                      int max_lines, struct walk_text *out);
    /** Add what an output's gradient means for those of what it read (walk_slope.h). */
    void (*slope)(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g);
    unsigned shows; /**< Invariants, of WALK_SHOW_…. */
    /** A template with {placeholders} for the step. */
    const char *(*words)(const struct walk_words *w);
    const char
        *idle_words[2]; /**< Where the stage has nothing to do: in evaluation, in training. */
};

extern const struct walk_stage walk_stages[ATTN_N_STAGES];
/** The row of a stage as this trace runs it: another one where a bug changed it. Its words, and
 * what it shows, are those of walk_stages in any case. */
const struct walk_stage *walk_row(const attn_trace *trace, enum attn_stage stage);

/** The input and the layer of a linear stage's output. @return false for other tensors. */
bool walk_linear(const attn_trace *trace, enum attn_tensor_id output, enum attn_tensor_id *input,
                 enum attn_layer *layer);
/** What the mix takes: dropped, or what stands for it. */
enum attn_tensor_id walk_probs(const attn_trace *trace);
/** What the softmax takes: masked, or what stands for it. */
enum attn_tensor_id walk_logits(const attn_trace *trace);
/** The column of qkv from which split takes this tensor's column 0. */
int walk_split_offset(const attn_trace *trace, enum attn_tensor_id output);
/** Where the stage stands in the trace's list, or -1. */
int walk_stage_index(const attn_trace *trace, enum attn_stage stage);
/** Which of its stage's outputs this tensor is. */
int walk_output_index(enum attn_stage stage, enum attn_tensor_id id);
/** What 1/(1-p) is in float32; 0 where p is 1. */
float walk_keep_factor(const attn_trace *trace);

/** Why a cell has no arithmetic: it is not there, or it is given. @return the status. */
enum attn_status walk_refuse(const attn_trace *trace, struct attn_cell cell,
                             struct attn_error *err);

/** Σ of a softmax's n exponentials, which stand from terms[1 + n] on, in its order. */
float walk_sum_exponentials(const struct walk_explanation *e, int n);

/** Add "name[…]" with the cell's row and column, or the given letters in their place; a column ""
 * is left out. Tokens where setup has them. */
void walk_add_cell(struct walk_text *out, const struct setup *setup, const attn_trace *trace,
                   struct attn_cell cell, const char *row, const char *column);

/* The columns of the table, by the files that they are in. */

void walk_reads_linear(const attn_trace *trace, const struct walk_region *box,
                       struct walk_regions *regions);
void walk_reads_split(const attn_trace *trace, const struct walk_region *box,
                      struct walk_regions *regions);
void walk_reads_scores(const attn_trace *trace, const struct walk_region *box,
                       struct walk_regions *regions);
void walk_reads_scale(const attn_trace *trace, const struct walk_region *box,
                      struct walk_regions *regions);
void walk_reads_mask(const attn_trace *trace, const struct walk_region *box,
                     struct walk_regions *regions);
void walk_reads_softmax(const attn_trace *trace, const struct walk_region *box,
                        struct walk_regions *regions);
void walk_reads_drop(const attn_trace *trace, const struct walk_region *box,
                     struct walk_regions *regions);
void walk_reads_mix(const attn_trace *trace, const struct walk_region *box,
                    struct walk_regions *regions);

enum attn_status walk_explain_linear(const attn_trace *trace, struct walk_explanation *e);
enum attn_status walk_explain_split(const attn_trace *trace, struct walk_explanation *e);
enum attn_status walk_explain_scores(const attn_trace *trace, struct walk_explanation *e);
enum attn_status walk_explain_scale(const attn_trace *trace, struct walk_explanation *e);
enum attn_status walk_explain_mask(const attn_trace *trace, struct walk_explanation *e);
enum attn_status walk_explain_softmax(const attn_trace *trace, struct walk_explanation *e);
enum attn_status walk_explain_drop(const attn_trace *trace, struct walk_explanation *e);
enum attn_status walk_explain_mix(const attn_trace *trace, struct walk_explanation *e);

float walk_replay_products(const attn_trace *trace, const struct walk_explanation *e);
float walk_replay_split(const attn_trace *trace, const struct walk_explanation *e);
float walk_replay_scale(const attn_trace *trace, const struct walk_explanation *e);
float walk_replay_mask(const attn_trace *trace, const struct walk_explanation *e);
float walk_replay_softmax(const attn_trace *trace, const struct walk_explanation *e);
float walk_replay_drop(const attn_trace *trace, const struct walk_explanation *e);

void walk_formula_linear(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                         bool brief, struct walk_text *out);
void walk_formula_split(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                        bool brief, struct walk_text *out);
void walk_formula_scores(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                         bool brief, struct walk_text *out);
void walk_formula_scale(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                        bool brief, struct walk_text *out);
void walk_formula_mask(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                       bool brief, struct walk_text *out);
void walk_formula_softmax(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                          bool brief, struct walk_text *out);
void walk_formula_drop(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                       bool brief, struct walk_text *out);
void walk_formula_mix(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                      bool brief, struct walk_text *out);

int walk_arithmetic_products(const attn_trace *trace, const struct walk_explanation *e, int width,
                             int max_lines, struct walk_text *out);
int walk_arithmetic_split(const attn_trace *trace, const struct walk_explanation *e, int width,
                          int max_lines, struct walk_text *out);
int walk_arithmetic_scale(const attn_trace *trace, const struct walk_explanation *e, int width,
                          int max_lines, struct walk_text *out);
int walk_arithmetic_mask(const attn_trace *trace, const struct walk_explanation *e, int width,
                         int max_lines, struct walk_text *out);
int walk_arithmetic_softmax(const attn_trace *trace, const struct walk_explanation *e, int width,
                            int max_lines, struct walk_text *out);
int walk_arithmetic_drop(const attn_trace *trace, const struct walk_explanation *e, int width,
                         int max_lines, struct walk_text *out);

void walk_slope_linear(const attn_trace *trace, enum attn_tensor_id output,
                       struct walk_gradient *g);
void walk_slope_split(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g);
void walk_slope_scores(const attn_trace *trace, enum attn_tensor_id output,
                       struct walk_gradient *g);
void walk_slope_scale(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g);
void walk_slope_mask(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g);
void walk_slope_softmax(const attn_trace *trace, enum attn_tensor_id output,
                        struct walk_gradient *g);
void walk_slope_drop(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g);
void walk_slope_mix(const attn_trace *trace, enum attn_tensor_id output, struct walk_gradient *g);

const char *walk_words_project(const struct walk_words *w);
const char *walk_words_merged(const struct walk_words *w);
const char *walk_words_split(const struct walk_words *w);
const char *walk_words_score(const struct walk_words *w);
const char *walk_words_scale(const struct walk_words *w);
const char *walk_words_mask(const struct walk_words *w);
const char *walk_words_softmax(const struct walk_words *w);
const char *walk_words_drop(const struct walk_words *w);
const char *walk_words_mix(const struct walk_words *w);
const char *walk_words_output(const struct walk_words *w);

#endif
