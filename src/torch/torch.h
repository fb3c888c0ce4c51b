/**
 * PyTorch's random numbers on the CPU, bit for bit: the generator, rand, randn, nn.Linear's
 * initialisation and dropout's pattern. Profile: PyTorch on a CPU with AVX2 (its other builds
 * differ in the last bits of randn and of uniform_).
 *
 * Tensors fill in logical row-major order; n counts the whole tensor.
 */
#ifndef TORCH_H
#define TORCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The state that torch.manual_seed sets. A plain value: copy it to keep a place in the stream. */
struct torch_generator {
    uint32_t state[624];
    int next;        /**< Index of the next word; 624: generate first. */
    bool has_normal; /**< Box–Muller's second value is waiting (only randn of fewer than 16 uses
                        it). */
    double normal;
};

/** How this PyTorch was built, which decides dropout's stream. */
enum torch_dropout { TORCH_DROPOUT_MT, TORCH_DROPOUT_MKL };

/** torch.manual_seed(seed); a negative seed is its two's complement. Clears the waiting normal. */
void torch_seed(struct torch_generator *g, uint64_t seed);
/** The next tempered 32-bit word. */
uint32_t torch_u32(struct torch_generator *g);
/** Two words, the first one high. */
uint64_t torch_u64(struct torch_generator *g);
/** out[n] = torch.rand(n). */
void torch_rand(struct torch_generator *g, float *out, size_t n);
/** out[n] = torch.empty(n).uniform_(low, high). */
void torch_uniform(struct torch_generator *g, float *out, size_t n, double low, double high);
/** out[n] = torch.randn(n). */
void torch_randn(struct torch_generator *g, float *out, size_t n);
/** nn.Linear(n_in, n_out): weight[n_out][n_in], then bias[n_out] unless it is NULL (bias=False
 * draws nothing). */
void torch_linear(struct torch_generator *g, float *weight, float *bias, int n_in, int n_out);
/**
 * The pattern that nn.Dropout(p) draws in training: keep[n] = 1 where kept, 0 where dropped.
 * p = 0 keeps all and p = 1 drops all, with nothing drawn. p must be within 0…1.
 */
void torch_dropout_keep(struct torch_generator *g, float *keep, size_t n, double p,
                        enum torch_dropout build);
/** torch.randint(0, n, …) and torch.randperm(n) as 64-bit integers. */
void torch_randint(struct torch_generator *g, int64_t *out, size_t count, uint32_t n);
void torch_randperm(struct torch_generator *g, int64_t *out, size_t n);

#endif
