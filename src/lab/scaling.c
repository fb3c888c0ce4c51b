#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attn/kernels.h"
#include "lab.h"
#include "torch.h"

const struct lab_name lab_factors[LAB_N_FACTORS] = {
    [LAB_NO_FACTOR] = {"no factor", "none"},
    [LAB_ROOT] = {"1/√d_k", "/√d_k"},
    [LAB_FULL] = {"1/d_k", "/d_k"},
};

const struct lab_name lab_measures[LAB_N_MEASURES] = {
    [LAB_SPREAD] = {"spread of scores", "spread"},
    [LAB_LARGEST] = {"largest weight", "largest"},
    [LAB_ENTROPY] = {"entropy, nats", "entropy"},
    [LAB_GRADIENT] = {"softmax's gradient", "gradient"},
};

/** Sums over the rows so far. */
struct sums {
    double sum, squares; /**< Of what a row gives: of its mean square for the spread. */
    double scores;       /**< Of all scores. */
};

struct lab_draws {
    struct torch_generator generator;
    struct sums sums[LAB_WIDTHS][LAB_N_FACTORS][LAB_N_MEASURES];
    float q[LAB_QUERIES * LAB_WIDTH_MAX];
    float k[LAB_KEYS_MAX * LAB_WIDTH_MAX];
    float q_part[LAB_QUERIES * LAB_WIDTH_MAX]; /**< The first d columns of it. */
    float k_part[LAB_KEYS_MAX * LAB_WIDTH_MAX];
    float scores[LAB_QUERIES * LAB_KEYS_MAX];
    float scaled[LAB_KEYS_MAX];
    float weights[LAB_KEYS_MAX];
};

int lab_width(int row)
{
    return 1 << row;
}

double lab_measure_bound(enum lab_measure measure, int n_keys)
{
    switch (measure) {
    case LAB_SPREAD:
        return sqrt(LAB_WIDTH_MAX);
    case LAB_LARGEST:
        return 1;
    case LAB_ENTROPY:
        return log(n_keys);
    case LAB_GRADIENT: /* two weights of a half each */
    case LAB_N_MEASURES:
        break;
    }
    return 0.5;
}

struct lab_scaling *lab_scaling_create(uint64_t seed, int n_keys)
{
    struct lab_scaling *const lab = calloc(1, sizeof *lab);
    struct lab_draws *const draws = calloc(1, sizeof *draws);
    if (lab == NULL || draws == NULL) {
        free(lab);
        free(draws);
        return NULL;
    }
    torch_seed(&draws->generator, seed);
    *lab = (struct lab_scaling){.seed = seed, .n_keys = n_keys, .draws = draws};
    return lab;
}

void lab_scaling_destroy(struct lab_scaling *lab)
{
    if (lab != NULL) {
        free(lab->draws);
        free(lab);
    }
}

/** part[rows][d] = the first d columns of whole[rows][LAB_WIDTH_MAX]. */
static void take_columns(float *part, const float *whole, int rows, int d)
{
    for (int r = 0; r < rows; r++) {
        memcpy(part + (size_t)r * (size_t)d, whole + (size_t)r * LAB_WIDTH_MAX,
               (size_t)d * sizeof *part);
    }
}

static void scale(float *scaled, const float *scores, int n, int d, enum lab_factor factor)
{
    const float divisors[LAB_N_FACTORS] = {1.0F, sqrtf((float)d), (float)d};
    attn_scale_divide(scaled, scores, divisors[factor], (size_t)n);
}

/** The squared Frobenius norm of diag(a) − a aᵀ is Σa² − 2Σa³ + (Σa²)². */
static void measure_row(double out[LAB_N_MEASURES], double *total, const float *scaled,
                        const float *a, int n)
{
    double squares = 0;
    double a2 = 0;
    double a3 = 0;
    double entropy = 0;
    double largest = 0;
    *total = 0;
    for (int s = 0; s < n; s++) {
        const double w = (double)a[s];
        *total += (double)scaled[s];
        squares += (double)scaled[s] * (double)scaled[s];
        largest = w > largest ? w : largest;
        entropy -= w > 0 ? w * log(w) : 0;
        a2 += w * w;
        a3 += w * w * w;
    }
    const double norm2 = a2 - 2 * a3 + a2 * a2;
    out[LAB_SPREAD] = squares / n;
    out[LAB_LARGEST] = largest;
    out[LAB_ENTROPY] = entropy;
    out[LAB_GRADIENT] = norm2 > 0 ? sqrt(norm2) : 0;
}

static void measure_width(struct lab_scaling *lab, int width)
{
    struct lab_draws *const draws = lab->draws;
    const int d = lab_width(width);
    const int S = lab->n_keys;
    take_columns(draws->q_part, draws->q, LAB_QUERIES, d);
    take_columns(draws->k_part, draws->k, S, d);
    attn_scores(draws->scores, draws->q_part, draws->k_part, LAB_QUERIES, S, d);
    for (int t = 0; t < LAB_QUERIES; t++) {
        for (int f = 0; f < LAB_N_FACTORS; f++) {
            bool empty = false;
            double row[LAB_N_MEASURES];
            double total = 0;
            scale(draws->scaled, draws->scores + t * S, S, d, (enum lab_factor)f);
            attn_softmax_row(draws->weights, draws->scaled, S, &empty);
            measure_row(row, &total, draws->scaled, draws->weights, S);
            for (int m = 0; m < LAB_N_MEASURES; m++) {
                struct sums *const sums = &draws->sums[width][f][m];
                sums->sum += row[m];
                sums->squares += row[m] * row[m];
                sums->scores += total;
            }
        }
    }
}

static struct lab_reading reading(const struct sums *sums, enum lab_measure measure, int rows,
                                  int n_keys)
{
    const double mean = sums->sum / rows;
    const double variance = sums->squares / rows - mean * mean;
    struct lab_reading out = {.mean = mean, .error = sqrt((variance > 0 ? variance : 0) / rows)};
    if (measure == LAB_SPREAD) { /* from the mean square, and so its error too */
        const double centre = sums->scores / rows / n_keys;
        out.mean = sqrt(mean - centre * centre);
        out.error = out.error / (2 * out.mean);
    }
    return out;
}

bool lab_scaling_more(struct lab_scaling *lab, int sequences)
{
    enum { ROWS = LAB_SEQUENCES * LAB_QUERIES };
    struct lab_draws *const draws = lab->draws;
    for (int i = 0; i < sequences && lab->rows < ROWS; i++) {
        torch_randn(&draws->generator, draws->q, LAB_QUERIES * LAB_WIDTH_MAX);
        torch_randn(&draws->generator, draws->k, (size_t)lab->n_keys * LAB_WIDTH_MAX);
        for (int w = 0; w < LAB_WIDTHS; w++) {
            measure_width(lab, w);
        }
        lab->rows += LAB_QUERIES;
    }
    for (int w = 0; w < LAB_WIDTHS && lab->rows > 0; w++) {
        for (int f = 0; f < LAB_N_FACTORS; f++) {
            for (int m = 0; m < LAB_N_MEASURES; m++) {
                lab->readings[w][f][m] =
                    reading(&draws->sums[w][f][m], (enum lab_measure)m, lab->rows, lab->n_keys);
            }
        }
    }
    return lab->rows < ROWS;
}
