/**
 * libattn: scaled dot-product attention with every intermediate tensor kept. Everything public in
 * one include.
 *
 * The axes: B batch elements, T queries, S keys, D the width of the model, K that of a query and a
 * key. Inputs are x [B,T,d_in] and weights [out,in], as PyTorch stores them; weights of attention
 * are [B,T,S]. All is float32, row-major where the library made it.
 *
 * @code
 * #include <stdio.h>
 *
 * #include "attn/attn.h"
 *
 * int main(void)
 * {
 *     // Two tokens of width 2. The queries and keys are the tokens themselves, the values their
 *     // mirror image.
 *     float x[] = {1, 0, 0, 1};
 *     float same[] = {1, 0, 0, 1};
 *     float mirror[] = {0, 1, 1, 0};
 *     attn_tensor inputs[ATTN_N_TENSORS] = {0};
 *     inputs[ATTN_X] = attn_tensor_view(x, 3, (int[]){1, 2, 2});
 *     inputs[ATTN_W_Q] = attn_tensor_view(same, 2, (int[]){2, 2});
 *     inputs[ATTN_W_K] = attn_tensor_view(same, 2, (int[]){2, 2});
 *     inputs[ATTN_W_V] = attn_tensor_view(mirror, 2, (int[]){2, 2});
 *
 *     attn_config config;
 *     attn_config_default(&config, ATTN_SINGLE);
 *     config.sizes = (attn_sizes){.B = 1, .T = 2, .S = 2, .d_in = 2, .d = 2, .d_v = 2};
 *
 *     attn_trace *trace = NULL;
 *     struct attn_error error;
 *     if (attn_trace_create(&trace, &config, inputs, &error) != ATTN_OK) {
 *         fprintf(stderr, "%s\n", error.message);
 *         return 1;
 *     }
 *     const attn_tensor *weights = attn_trace_tensor(trace, ATTN_WEIGHTS);
 *     printf("token 0 attends to itself with %.4f, to token 1 with %.4f\n",
 *            *attn_tensor_at(weights, 0, 0, 0), *attn_tensor_at(weights, 0, 0, 1));
 *     attn_trace_destroy(trace);
 *     return 0;
 * }
 * @endcode
 */
#ifndef ATTN_ATTN_H
#define ATTN_ATTN_H

#include "attn/bugs.h"
#include "attn/kernels.h"
#include "attn/mask.h"
#include "attn/status.h"
#include "attn/tables.h"
#include "attn/tensor.h"
#include "attn/trace.h"

#endif
