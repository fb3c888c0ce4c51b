/**
 * What to compute: the options that every command shares, the files that they load, and from both,
 * with the seed's draws, a configuration and inputs for a trace.
 *
 *   argv ──config_option──► struct config ──config_build──► struct setup ──► attn_trace
 *
 * A what-if on the screen changes a copy of the config and builds again.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "attn/mask.h"
#include "attn/status.h"
#include "attn/trace.h"

enum config_option_id {
    CONFIG_BATCH,
    CONFIG_LENGTH,
    CONFIG_MEMORY_LENGTH,
    CONFIG_DIM,
    CONFIG_DIM_IN,
    CONFIG_TOKENS,
    CONFIG_MEMORY_TOKENS,
    CONFIG_SEED,
    CONFIG_LOAD,
    CONFIG_PREFIX,
    CONFIG_LAYOUT,
    CONFIG_MASK,
    CONFIG_MASK_FILL,
    CONFIG_MASK_KEEPS,
    CONFIG_CAUSAL_ALIGN,
    CONFIG_EMPTY_ROW,
    CONFIG_SCALE,
    CONFIG_NO_SCALE,
    CONFIG_DROPOUT,
    CONFIG_TRAIN,
    CONFIG_EVAL,
    CONFIG_TORCH_DROPOUT,
    CONFIG_BUG,
    CONFIG_MAX_MEMORY,
    CONFIG_VERBOSE,
    CONFIG_N_OPTIONS
};

struct config;
struct setup;

/** One row an option; commands, help, completion and the manual page are made from it. */
struct config_option {
    const char *name;     /**< "--mask-fill" */
    const char *argument; /**< "N", "none|PART[+PART…]"; NULL: takes none. */
    const char *summary;  /**< One line, lower case, no full stop. */
    const char *fallback; /**< The default, in words. */
    /** Parse value into config. err->what is the option's name; the message says what would be
     * right. */
    enum attn_status (*parse)(struct config *config, const char *value, struct attn_error *err);
};

extern const struct config_option config_options[CONFIG_N_OPTIONS];

enum config_mask_kind { CONFIG_MASK_CAUSAL, CONFIG_MASK_PADDING, CONFIG_MASK_FILE };

struct config_mask_part {
    enum config_mask_kind kind;
    int *lengths; /**< Padding: owned. */
    int n_lengths;
    char *path; /**< File: owned. */
};

/** Labels, one an index; owned. */
struct config_tokens {
    char **labels;
    int n;
};

/** --load [NAME=]FILE, in the order given. */
struct config_load {
    char *name; /**< NULL: by the names in the file. */
    char *path;
};

/** A cell that was edited on the screen (issue of the walk): replaces what was drawn or loaded. */
struct config_edit {
    struct attn_cell cell;
    float value;
};

/** A tensor held in memory: it replaces what a file or the seed gives. Owns its data. */
struct config_given {
    enum attn_tensor_id id;
    int rank;
    int dims[3]; /**< Right-aligned, leading ones. */
    float *data;
    bool from_file; /**< It was loaded; else it was carried over or made by a what-if. */
};

/** Everything that was asked for. 0 in a size: not given. Owns what its pointers point to. */
struct config {
    enum attn_variant variant;
    int batch, length, memory_length, dim, dim_in;
    struct config_tokens tokens, memory_tokens;
    uint64_t seed;
    char seed_text[24]; /**< As given: "42", "-1". */
    struct config_load *loads;
    int n_loads;
    char prefix[128]; /**< Of the names in files, "h.0.attn."; left off where a name begins so. */
    bool in_out;      /**< Weights in files are [in,out], as GPT-2 keeps them, not [out,in]. */
    struct config_mask_part *mask;
    int n_mask; /**< 0: no mask. */
    float mask_fill;
    int mask_keeps;
    enum attn_causal_align causal_align;
    enum attn_empty_row empty_row;
    bool scale_given;
    float scale;
    bool dropout_given;
    double dropout_p;
    bool training;
    bool training_given; /**< By --train or --eval; a loaded keep means training only without it. */
    enum attn_bug bugs[ATTN_BUGS_MAX]; /**< --bug. */
    int n_bugs;
    bool draw_always; /**< Draw dropout's pattern in evaluation too: a bug may want it. */
    bool torch_mkl;   /**< Draw dropout as the x86 wheels (MKL) do; else as PyTorch without MKL. */
    uint64_t max_memory;
    bool verbose;
    struct config_given *given;
    int n_given;
    struct config_edit *edits;
    int n_edits;
};

/** The defaults. */
void config_init(struct config *config, enum attn_variant variant);
void config_finish(struct config *config);
/** A deep copy. @param out  Uninitialised; the caller finishes it. */
enum attn_status config_copy(struct config *out, const struct config *config);

/**
 * Hold a copy of a tensor in memory: from now on it stands for that input, over files and seed.
 * @return ATTN_OK or ATTN_E_NOMEM (nothing changed).
 */
enum attn_status config_give(struct config *config, enum attn_tensor_id id, const attn_tensor *from,
                             bool from_file);
/** Set one cell of an input; a later edit of the same cell takes its place. @return ATTN_OK or
 * ATTN_E_NOMEM. */
enum attn_status config_edit(struct config *config, struct attn_cell cell, float value);
/** Let go of what is held for this tensor; the seed gives it again. */
void config_ungive(struct config *config, enum attn_tensor_id id);
/**
 * Hold everything that setup, built from this config, has from files, and forget the files: what is
 * built from now on reads none.
 */
enum attn_status config_hold(struct config *config, const struct setup *setup);

/**
 * The same numbers in another variant: x, memory, the weights (separate ones stacked or a merged
 * one cut, a bias that is not there as zeros), and the options that it takes.
 *
 * @param to      Out, uninitialised; the caller finishes it. config_build may still refuse it (a
 * d_in that is not d).
 * @param config  What setup was built from.
 * @param identity_output  An output projection that `from` has not is the identity; else the
 * seed's.
 * @return ATTN_OK or ATTN_E_NOMEM.
 */
enum attn_status config_carry(struct config *to, const struct config *config,
                              const struct setup *from, enum attn_variant variant,
                              bool identity_output);

/**
 * Take one option off a command line.
 *
 * @param argv      argv[*i] is looked at; "--name value" and "--name=value" are both read.
 * @param i         Moved past what was taken.
 * @param taken     Out: false if argv[*i] is no option of this table (nothing else changed).
 * @return ATTN_OK, or what parse gives; a missing value is ATTN_E_VALUE.
 */
enum attn_status config_take_option(struct config *config, int argc, char *const *argv, int *i,
                                    bool *taken, struct attn_error *err);

/**
 * The other way round: the options that make this configuration again, one call each, in the order
 * of the table; defaults are left out, files are named by their absolute path. What is held in
 * memory (config_give) and single edits have no option.
 *
 * @param put  Gets "--name", and the value or NULL; whatever it returns but ATTN_OK ends it.
 * @return ATTN_OK, ATTN_E_NOMEM, or what put gave.
 */
enum attn_status config_write_options(const struct config *config,
                                      enum attn_status (*put)(void *context, const char *name,
                                                              const char *value),
                                      void *context);

/**
 * A configuration and inputs for a trace, and what a screen tells about them. Owns everything.
 */
struct setup {
    attn_config config;
    attn_tensor inputs[ATTN_N_TENSORS]; /**< Data owned by blocks. */
    struct config_tokens tokens;        /**< Labels of the queries; n = 0: none. */
    struct config_tokens memory_tokens; /**< Of the keys; equal to tokens but in cross. */
    char mask_text[64];                 /**< "causal", "causal+padding", "none", for the title. */
    char seed_text[24];
    bool loaded;                        /**< Something came from a file. */
    bool loaded_tensor[ATTN_N_TENSORS]; /**< Which. */
    struct config_edit *edited; /**< Cells that were edited, with what was there before; or NULL. */
    int n_edited;
    char **notes; /**< For stderr or the help: a mask read as [T,S] where B = T, … */
    int n_notes;
    void **blocks;
    int n_blocks;
};

/**
 * Load, draw, replace, combine: the canonical program of one seed.
 *
 * Draw order: the module's layers as defined, x, memory, then dropout's pattern over [B,T,S]. All
 * draws are made even where a loaded tensor takes their place.
 *
 * @param setup  Out; the caller finishes it.
 * @return ATTN_OK or a failure with err->what naming the file or option at fault.
 */
enum attn_status config_build(struct setup *setup, const struct config *config,
                              struct attn_error *err);
void setup_finish(struct setup *setup);

/**
 * config_build and attn_trace_create in one. Bugs that change nothing here are refused, with why.
 */
enum attn_status config_trace(struct setup *setup, attn_trace **trace, const struct config *config,
                              struct attn_error *err);
/** Who wants to know that a computation begins, and of what size. */
struct config_watch {
    void (*begins)(void *whose, const attn_config *config);
    void *whose;
};
/** The same. @param watch  Told once the sizes are known, before anything is computed. */
enum attn_status config_trace_watched(struct setup *setup, attn_trace **trace,
                                      const struct config *config, struct config_watch watch,
                                      struct attn_error *err);

/** Parse a whole number, the ASCII minus or U+2212, and nothing after it; locale-independent. */
bool config_parse_int(const char *text, long long min, long long max, long long *out);
/** Parse a real: "-1e9", "inf", "-inf", "nan", U+2212 too; the whole text, whatever the locale. */
bool config_parse_real(const char *text, double *out);

/** The name that word was most likely meant to be, a few letters away at most; NULL if none is. */
const char *config_nearest(const char *word, const char *const *names, int n);

#endif
