/**
 * The instruments: measurements that a person can turn by hand. Pure computing with the core's own
 * kernels: settings in, numbers out. How they are drawn is view's, the keys are app's.
 */
#ifndef LAB_H
#define LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

enum lab_kind { LAB_SCALING, LAB_COST, LAB_MASKS, LAB_N_KINDS };

struct lab_info {
    const char *name;    /**< "scaling", as a command line and a lesson write it. */
    const char *title;   /**< What it shows, for its title line. */
    const char *summary; /**< One line for the help, lower case, no full stop. */
};

extern const struct lab_info lab_infos[LAB_N_KINDS];

/** The instrument of this name, or -1. */
int lab_find(const char *name);

/* ---- scaling: what the width of q and k does to a softmax (scaling.c) ---- */

enum {
    LAB_WIDTHS = 11, /**< d_k = 1, 2, 4 … 1024. */
    LAB_WIDTH_MAX = 1024,
    LAB_KEYS = 10, /**< By default. */
    LAB_KEYS_MIN = 2,
    LAB_KEYS_MAX = 64,
    LAB_SEQUENCES = 100, /**< Of LAB_QUERIES queries each: 1,000 rows of scores. */
    LAB_QUERIES = 10
};

/** What the scores are multiplied by before the softmax. */
enum lab_factor { LAB_NO_FACTOR, LAB_ROOT, LAB_FULL, LAB_N_FACTORS };

/** What is measured of a row of scores and its weights a, and averaged over the rows. */
enum lab_measure {
    LAB_SPREAD,   /**< The standard deviation of the scores (over all rows at once). */
    LAB_LARGEST,  /**< The largest weight. */
    LAB_ENTROPY,  /**< −Σ a ln a, in nats. */
    LAB_GRADIENT, /**< The Frobenius norm of the softmax's Jacobian diag(a) − a aᵀ. */
    LAB_N_MEASURES
};

struct lab_name {
    const char *name; /**< "softmax's gradient"; "1/√d_k". */
    const char *head; /**< A short one, for the head of a column. */
};

extern const struct lab_name lab_factors[LAB_N_FACTORS];
extern const struct lab_name lab_measures[LAB_N_MEASURES];

struct lab_reading {
    double mean;
    double error; /**< The standard error of that mean. */
};

/**
 * As in PyTorch: torch.manual_seed(seed), then for each sequence q = randn(10, 1024) and
 * k = randn(n_keys, 1024); a width of d uses the first d columns of both, so that the widths are
 * measured on the same numbers.
 */
struct lab_scaling {
    uint64_t seed;
    int n_keys;
    int rows; /**< Of scores so far; complete at LAB_SEQUENCES · LAB_QUERIES. */
    struct lab_reading readings[LAB_WIDTHS][LAB_N_FACTORS][LAB_N_MEASURES];
    struct lab_draws *draws; /**< Its own. */
};

/** An instrument that has measured nothing yet, or NULL. @param n_keys  LAB_KEYS_MIN…MAX. */
struct lab_scaling *lab_scaling_create(uint64_t seed, int n_keys);
void lab_scaling_destroy(struct lab_scaling *lab);
/** Measure so many sequences more. @return false when there are none left. */
bool lab_scaling_more(struct lab_scaling *lab, int sequences);
/** What a perfectly even row of n_keys weights gives, and what bounds the measure: 0…largest. */
double lab_measure_bound(enum lab_measure measure, int n_keys);
/** The d_k of a row of readings. */
int lab_width(int row);

/* ---- masks: a mask to paint, and the rows that it breaks (masks.c) ---- */

enum { LAB_TOKENS_MIN = 2, LAB_TOKENS_MAX = 8 };

enum lab_preset { LAB_OPEN, LAB_CAUSAL, LAB_PADDING, LAB_BOTH, LAB_PAINTED, LAB_N_PRESETS };

extern const char *const lab_presets[LAB_N_PRESETS];

/** What is wrong with a row of weights. */
enum lab_fault {
    LAB_SOUND,
    LAB_LEAKS,   /**< Hidden keys keep weight. */
    LAB_EMPTY,   /**< No key is left, filled with −∞: zeros. */
    LAB_NAN,     /**< The same as a plain softmax gives it. */
    LAB_UNIFORM, /**< No key is left, and the finite fill gives every one the same. */
    LAB_N_FAULTS
};

extern const char *const lab_faults[LAB_N_FAULTS]; /**< The reason, in words. */

struct lab_row {
    int kept;    /**< Keys that it may see. */
    double sum;  /**< Of its weights. */
    double leak; /**< Of those on hidden keys. */
    enum lab_fault fault;
};

struct lab_masks {
    struct config config; /**< Its own; fill, polarity, alignment and empty row are read from it. */
    struct setup setup;
    attn_trace *trace;
    struct config base; /**< As it was opened: what the scores are made from. */
    int T, S;
    int own_S; /**< Keys of base. */
    enum lab_preset preset;
    int grid[LAB_TOKENS_MAX][LAB_TOKENS_MAX]; /**< What is given: 0 or 1. */
    struct lab_row rows[LAB_TOKENS_MAX];      /**< What comes of it. */
};

/**
 * An instrument on the first batch element of this configuration, whose own mask it starts with.
 * @return ATTN_OK, ATTN_E_VALUE (a length outside LAB_TOKENS_MIN…MAX, a variant without a mask), or
 * what config_trace gives.
 */
enum attn_status lab_masks_create(struct lab_masks **out, const struct config *config,
                                  struct attn_error *err);
void lab_masks_destroy(struct lab_masks *lab);
/** Turn one cell over. */
enum attn_status lab_masks_paint(struct lab_masks *lab, int t, int s, struct attn_error *err);
/** Fill the grid; padding leaves one key out, a causal one follows config.causal_align. */
enum attn_status lab_masks_preset(struct lab_masks *lab, enum lab_preset preset,
                                  struct attn_error *err);
/** Compute again, after config was changed. */
enum attn_status lab_masks_compute(struct lab_masks *lab, struct attn_error *err);
/**
 * Another number of keys, all that were there keep their scores: those beyond the first ones' are
 * drawn as a longer sequence has them. The mask is open; the settings stay.
 * @return ATTN_OK, ATTN_E_UNSUPPORTED (files or edits set how many there are), or what config_trace
 * gives; nothing has changed but on ATTN_OK.
 */
enum attn_status lab_masks_keys(struct lab_masks *lab, int keys, struct attn_error *err);
/** Does the grid keep this key for this query, by its polarity? */
bool lab_masks_keeps(const struct lab_masks *lab, int t, int s);

/* ---- cost: operations, bytes and time against the length (cost.c) ---- */

enum {
    LAB_LENGTHS = 13, /**< T = 16, 32 … 65,536. */
    LAB_COST_WIDTH = 64,
    LAB_COST_WIDTH_MIN = 8,
    LAB_COST_WIDTH_MAX = 1024
};

struct lab_cost_row {
    int T;
    double
        project_ops; /**< 6Td², or 8Td² with the output projection: a multiply and an add each. */
    double attend_ops;          /**< 4T²d. */
    double square_bytes;        /**< Of the weights, T×T. */
    double other_bytes;         /**< Of x, q, k, v, context (and output) and the layers' weights. */
    double project_s, attend_s; /**< Measured, in seconds; negative: not measured. */
};

struct lab_cost {
    int d;
    bool output;   /**< With the output projection. */
    bool complete; /**< What goes fast enough has been measured, or nothing is to be. */
    int measured;  /**< Rows, from the first on. */
    struct lab_cost_row rows[LAB_LENGTHS];
    double (*clock)(void);
};

/** @param clock  Seconds that only go forward; NULL: this machine's. */
void lab_cost_init(struct lab_cost *lab, int d, bool output, double (*clock)(void));
/**
 * Measure the next length with the core's kernels, on one thread. It is over with a length that
 * would take too long. @return false when there is nothing more to measure.
 */
bool lab_cost_more(struct lab_cost *lab);
/** Where attention takes as many operations as the projections: 1.5 d, or 2 d. */
double lab_cost_crossing(const struct lab_cost *lab);
/** Where it took as long as they did here; 0: not within what was measured. */
double lab_cost_measured_crossing(const struct lab_cost *lab);

#endif
