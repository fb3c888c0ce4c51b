#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "attn/kernels.h"
#include "lab.h"

enum { LENGTH_FIRST = 16, SQUARE_MAX = 4096, REPEAT_MAX = 64 };

/* Seconds: a length that would take longer is left out; a short one is repeated for so long. */
static const double too_long = 0.4;
static const double long_enough = 0.004;

static double machine_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void lab_cost_init(struct lab_cost *lab, int d, bool output, double (*clock)(void))
{
    *lab =
        (struct lab_cost){.d = d, .output = output, .clock = clock != NULL ? clock : machine_clock};
    const double width = d;
    const double layers = output ? 4 : 3;
    for (int i = 0; i < LAB_LENGTHS; i++) {
        const double T = LENGTH_FIRST << i;
        lab->rows[i] = (struct lab_cost_row){
            .T = LENGTH_FIRST << i,
            .project_ops = 2 * layers * T * width * width,
            .attend_ops = 4 * T * T * width,
            .square_bytes = 4 * T * T,
            .other_bytes = 4 * ((output ? 6 : 5) * T * width + layers * width * width),
            .project_s = -1,
            .attend_s = -1,
        };
    }
}

double lab_cost_crossing(const struct lab_cost *lab)
{
    return (lab->output ? 2.0 : 1.5) * lab->d;
}

double lab_cost_measured_crossing(const struct lab_cost *lab)
{
    for (int i = 0; i + 1 < lab->measured; i++) {
        const struct lab_cost_row *const a = &lab->rows[i];
        const struct lab_cost_row *const b = a + 1;
        const double before = log(a->attend_s / a->project_s);
        const double after = log(b->attend_s / b->project_s);
        if (before < 0 && after >= 0) { /* straight between the two, on logarithms */
            return a->T * pow(2, before / (before - after));
        }
    }
    return 0;
}

/** What is computed with: all of it in one block. */
struct bench {
    float *block;
    float *x, *qkv, *weights, *context, *layers;
    int T, d;
    bool output;
};

static bool bench_init(struct bench *b, int T, int d, bool output)
{
    const size_t wide = (size_t)T * (size_t)d;
    const size_t square = (size_t)T * (size_t)T;
    const size_t layer = (size_t)d * (size_t)d;
    const size_t n = 5 * wide + square + 4 * layer;
    *b = (struct bench){.block = malloc(n * sizeof(float)), .T = T, .d = d, .output = output};
    if (b->block == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) { /* numbers of an ordinary size, never twice the same */
        b->block[i] = (float)((i * 2654435761U) % 1000U) / 1000.0F - 0.5F;
    }
    b->x = b->block;
    b->qkv = b->x + wide;
    b->context = b->qkv + 3 * wide;
    b->weights = b->context + wide;
    b->layers = b->weights + square;
    return true;
}

static void project(const struct bench *b)
{
    const size_t wide = (size_t)b->T * (size_t)b->d;
    const size_t layer = (size_t)b->d * (size_t)b->d;
    for (int i = 0; i < 3; i++) {
        attn_linear(b->qkv + (size_t)i * wide, b->x, b->layers + (size_t)i * layer, NULL,
                    (size_t)b->T, b->d, b->d);
    }
    if (b->output) {
        attn_linear(b->x, b->context, b->layers + 3 * layer, NULL, (size_t)b->T, b->d, b->d);
    }
}

static void attend(const struct bench *b)
{
    const size_t wide = (size_t)b->T * (size_t)b->d;
    const size_t T = (size_t)b->T;
    bool empty = false;
    attn_scores(b->weights, b->qkv, b->qkv + wide, b->T, b->T, b->d);
    attn_scale_divide(b->weights, b->weights, sqrtf((float)b->d), T * T);
    for (size_t t = 0; t < T; t++) {
        attn_softmax_row(b->weights + t * T, b->weights + t * T, b->T, &empty);
    }
    attn_mix(b->context, b->weights, b->qkv + 2 * wide, b->T, b->T, b->d);
}

/** The shortest of several runs. */
static double time_of(const struct lab_cost *lab, const struct bench *b,
                      void (*run)(const struct bench *))
{
    double best = INFINITY;
    double all = 0;
    for (int i = 0; i < REPEAT_MAX && all < long_enough; i++) {
        const double start = lab->clock();
        run(b);
        const double took = lab->clock() - start;
        best = took < best ? took : best;
        all += took;
    }
    return best;
}

bool lab_cost_more(struct lab_cost *lab)
{
    struct bench b;
    const int at = lab->measured;
    const struct lab_cost_row *const last = at > 0 ? &lab->rows[at - 1] : NULL;
    const bool slow = last != NULL && 2 * last->project_s + 4 * last->attend_s > too_long;
    if (lab->complete || at == LAB_LENGTHS || slow || lab->rows[at].T > SQUARE_MAX ||
        !bench_init(&b, lab->rows[at].T, lab->d, lab->output)) {
        lab->complete = true;
        return false;
    }
    lab->rows[at].project_s = time_of(lab, &b, project);
    lab->rows[at].attend_s = time_of(lab, &b, attend);
    lab->measured++;
    free(b.block);
    return true;
}
