/** A small computation put together from the JSON of a stored case. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <jansson.h>
#include <stdbool.h>

#include "attn/mask.h"
#include "attn/trace.h"

enum { PROBLEM_POOL = 4096 };

/** A stored case; the caller drops the document, which owns the others. */
struct case_file {
    json_t *document, *inputs, *expected;
};

/** Open data/cases/attn/NAME.json. Fails the test if there is none. */
struct case_file case_open(const char *name);

struct problem {
    const char *name; /**< For messages: the case and what of it. */
    attn_config config;
    attn_tensor inputs[ATTN_N_TENSORS];
    float pool[PROBLEM_POOL]; /**< Holds the inputs. */
    size_t used;
    attn_trace *trace;
};

void problem_begin(struct problem *p, const char *name, enum attn_variant variant);
void problem_end(struct problem *p);

/** Room for an input of this shape, zeroed; rank 3 has a batch of 1. @return its data. */
float *problem_room(struct problem *p, enum attn_tensor_id id, int rank, int rows, int cols);
/** An input from rows of numbers (rank 2 or 3), or from one row of them (rank 1). */
void problem_give(struct problem *p, enum attn_tensor_id id, int rank, json_t *numbers);
/** A weight that the case writes as [in,out]. */
void problem_give_transposed(struct problem *p, enum attn_tensor_id id, json_t *numbers);
/** q, k and v from the members Q, K and V. */
void problem_give_qkv(struct problem *p, json_t *inputs);
/** The scale: "default", or a factor. */
void problem_scale(struct problem *p, json_t *scale);
/** A mask [B,T,S] that keeps everything, to be narrowed. T and S must be known. */
attn_tensor *problem_keep_all(struct problem *p);
/** The mask that an array of 0 and 1 stands for, where keeps (1 or 0) is what keeps. */
void problem_mask(struct problem *p, json_t *numbers, int keeps);

/** Compute. Fails the test, with the message, unless it works. */
void problem_solve(struct problem *p);
/** Compute what must be refused. @return why it was. */
enum attn_status problem_refused(struct problem *p, struct attn_error *err);

/** A number; "Infinity", "-Infinity" and "NaN" too. */
double problem_number(json_t *value);
/** Hold a tensor against rows of numbers: within 2e-6, relative where they are above 1. */
void problem_check(const struct problem *p, enum attn_tensor_id id, json_t *numbers);
/** Hold whatever expected has of Q, K, V, scores, scaled, masked, weights, row_sums, out. */
void problem_check_all(const struct problem *p, json_t *expected);
/** The number of flags of a kind; *first is the first of them where there is one. */
int problem_flags(const struct problem *p, enum attn_flag_kind kind, struct attn_flag *first);

/** The member of an object whose name starts like this. Fails the test if there is none. */
json_t *problem_member(json_t *object, const char *start);

#endif
