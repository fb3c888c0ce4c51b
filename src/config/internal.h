/** What the files of this folder share and nobody else needs. */
#ifndef CONFIG_INTERNAL_H
#define CONFIG_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"

/* ---- number.c, config.c, tokens.c ---- */

/** Past a '-', '+' or U+2212. */
const char *config_skip_sign(const char *text, bool *negative);
/** Decimal digits and nothing else, up to 2^64 − 1. */
bool config_parse_magnitude(const char *text, uint64_t *out);

/** A copy on the heap, or NULL. */
char *config_text_copy(const char *text);
void config_mask_finish(struct config_mask_part *parts, int n);

void config_given_finish(struct config_given *given, int n);
/** Add copies of what config holds to out. */
bool config_given_copy(struct config *out, const struct config *config);

void config_tokens_finish(struct config_tokens *tokens);
bool config_tokens_copy(struct config_tokens *out, const struct config_tokens *tokens);
/** "the cat sat down" or "@FILE"; replaces *out when all went well. */
enum attn_status config_tokens_parse(struct config_tokens *out, const char *option,
                                     const char *value, struct attn_error *err);

/** "none" or PART[+PART…]; replaces the mask of config when all went well (maskspec.c). */
enum attn_status config_mask_parse(struct config *config, const char *value,
                                   struct attn_error *err);

/* ---- load.c ---- */

/** One array that a file gave for a tensor. */
struct loaded {
    float *data;      /**< Owned until setup takes it; NULL: nothing was loaded. */
    int rank;         /**< As in the file; 0 is a scalar. */
    int dims[3];      /**< Right-aligned, leading ones. */
    char name[128];   /**< As the file or the command line calls it. */
    const char *path; /**< The config's. */
    bool carried;     /**< Held in memory, and from no file. */
};

struct load_set {
    struct loaded tensors[ATTN_N_TENSORS];
    bool given_qkv; /**< q, k and v were given: the walk starts at the scores. */
    bool has_p;
    double p;
    const char *p_path;
};

/** Read every --load in order. @param set  Zeroed; the caller calls load_finish in any case. */
enum attn_status load_all(struct load_set *set, struct setup *setup, const struct config *config,
                          struct attn_error *err);
void load_finish(struct load_set *set);
/** "single, cross and v3 take it": the variants that have this stage. @return out. */
char *config_variants_with(enum attn_stage stage, char *out, size_t size);
/** "[2,4,4]" of what was loaded (load_array.c). @return out. */
char *load_shape(const struct loaded *loaded, char *out, size_t size);

/* ---- load_array.c ---- */

struct io_array;

/** "[2,4,4]". */
void load_dims(int rank, const size_t *dims, char *out, size_t size);
/** Copy an array of a file into the set; in_out: a weight lies as [in,out]. */
enum attn_status load_take(struct load_set *set, enum attn_tensor_id id, bool in_out,
                           const char *name, const struct io_array *given, const char *path,
                           struct attn_error *err);
/** The same for dropout's rate. */
enum attn_status load_take_p(struct load_set *set, const struct io_array *array, const char *path,
                             struct attn_error *err);

/* ---- naming.c ---- */

/** The name without the config's prefix, where it begins so. */
const char *load_local_name(const struct config *config, const char *name);
/** Turn a weight that lies as [in,out] round to [out,in]. @return false if there is no memory. */
bool load_turn(struct loaded *loaded);
/** A prefix with which something in the file would be known, or NULL; points into out. */
const char *load_suggest_prefix(enum attn_variant variant, const char *name, char *out,
                                size_t size);

/* ---- sizes.c ---- */

/** The sizes that files, options and tokens agree on, or who contradicts whom. */
enum attn_status sizes_resolve(attn_sizes *out, const struct config *config,
                               const struct load_set *set, struct attn_error *err);

/* ---- draw.c, maskbuild.c ---- */

/** Memory that the setup frees. NULL if there is none. */
float *setup_floats(struct setup *setup, size_t n);
/** Something to tell on stderr or in the help; lost without a word if there is no memory. */
void setup_note(struct setup *setup, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/**
 * Draw the canonical program of the seed into setup->inputs: layers, x, memory and, where it acts
 * and was not loaded, dropout's pattern. Needs setup->config.
 */
enum attn_status draw_all(struct setup *setup, const struct config *config,
                          const struct load_set *set, struct attn_error *err);

/** Is dropout's pattern wanted in evaluation too? */
bool draws_always(const struct config *config);

/** All parts of --mask and a loaded mask as setup->inputs[ATTN_MASK] [B,T,S], 1 keeps. */
enum attn_status mask_build(struct setup *setup, const struct config *config,
                            const struct load_set *set, struct attn_error *err);

#endif
