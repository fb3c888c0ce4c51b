/*
 * The stages. The snippets are the lines of one forward pass; locals are called like the tensors.
 *
 * The C lines stand in a loop over b and use four helpers:
 *   linear(out, in, weight, bias, rows, n_in, n_out)   out = in weightᵀ + bias
 *   dot(a, b, n)                                       Σ a[i]·b[i]
 *   softmax(out, in, n)                                one row
 *   add_scaled(out, factor, in, n)                     out[i] += factor·in[i]
 * and the sizes B, T, S, D_IN, D, D_V.
 */
#include "attn/tables.h"

#include "trace_parts.h"

const char *const attn_lang_names[ATTN_N_LANGS] = {
    [ATTN_LANG_MATH] = "math",
    [ATTN_LANG_PYTORCH] = "pytorch",
    [ATTN_LANG_NUMPY] = "numpy",
    [ATTN_LANG_C] = "c",
};

#define END ATTN_NO_TENSOR
#define EACH_T "for (int t = 0; t < T; t++) "
#define EACH_T_S EACH_T "for (int s = 0; s < S; s++)\n    "

const struct attn_stage_info attn_stages[ATTN_N_STAGES] = {
    [ATTN_STAGE_PROJECT] =
        {.run = core_run_project,
         .key = "project",
         .title = "Projections: query, key and value of each token",
         .box = "q k v",
         .box_ascii = "q k v",
         .formula = "q[t,i] = Σ_j x[t,j]·W_q[i,j] + b_q[i]; k and v likewise",
         .formula_bare = "q[t,i] = Σ_j x[t,j]·W_q[i,j]; k and v likewise",
         .inputs = {ATTN_X, ATTN_MEMORY, ATTN_W_Q, ATTN_B_Q, ATTN_W_K, ATTN_B_K, ATTN_W_V, ATTN_B_V,
                    END},
         .outputs = {ATTN_Q, ATTN_K, ATTN_V, END},
         .snippet = {[ATTN_LANG_MATH] = "Q = X W_qᵀ{b_q}\n"
                                        "K = {kv} W_kᵀ{b_k}\n"
                                        "V = {kv} W_vᵀ{b_v}",
                     [ATTN_LANG_PYTORCH] = "q = self.{q}(x)\n"
                                           "k = self.{k}({kv})\n"
                                           "v = self.{v}({kv})",
                     [ATTN_LANG_NUMPY] = "q = x @ w_q.T{b_q}\n"
                                         "k = {kv} @ w_k.T{b_k}\n"
                                         "v = {kv} @ w_v.T{b_v}",
                     [ATTN_LANG_C] = "linear(q[b][0], x[b][0], w_q, {b_q}, T, D_IN, D);\n"
                                     "linear(k[b][0], {kv}[b][0], w_k, {b_k}, S, D_IN, D);\n"
                                     "linear(v[b][0], {kv}[b][0], w_v, {b_v}, S, D_IN, D_V);"}},
    [ATTN_STAGE_PROJECT_MERGED] =
        {.run = core_run_project_merged,
         .key = "project",
         .title = "Merged projection: q, k and v in one product",
         .box = "qkv",
         .box_ascii = "qkv",
         .formula = "qkv[t,i] = Σ_j x[t,j]·W_qkv[i,j] + b_qkv[i]",
         .inputs = {ATTN_X, ATTN_W_QKV, ATTN_B_QKV, END},
         .outputs = {ATTN_QKV, END},
         .snippet = {[ATTN_LANG_MATH] = "[Q K V] = X W_qkvᵀ{b_qkv}",
                     [ATTN_LANG_PYTORCH] = "qkv = self.{qkv}(x)",
                     [ATTN_LANG_NUMPY] = "qkv = x @ w_qkv.T{b_qkv}",
                     [ATTN_LANG_C] =
                         "linear(qkv[b][0], x[b][0], w_qkv, {b_qkv}, T, D_IN, 3 * D);"}},
    [ATTN_STAGE_SPLIT] = {.run = core_run_split,
                          .key = "split",
                          .title = "Split: the merged columns become q, k and v",
                          .box = "q k v",
                          .box_ascii = "q k v",
                          .formula = "q[t,i] = qkv[t,i]; k[t,i] = qkv[t,d+i]; v[t,i] = qkv[t,2d+i]",
                          .inputs = {ATTN_QKV, END},
                          .outputs = {ATTN_Q, ATTN_K, ATTN_V, END},
                          .snippet = {[ATTN_LANG_MATH] =
                                          "Q, K, V = the thirds of [Q K V], column by column",
                                      [ATTN_LANG_PYTORCH] = "q, k, v = qkv.chunk(3, dim=-1)",
                                      [ATTN_LANG_NUMPY] = "q, k, v = np.split(qkv, 3, axis=-1)",
                                      [ATTN_LANG_C] = EACH_T
                                      "memcpy(q[b][t], qkv[b][t], sizeof q[b][t]);\n" EACH_T
                                      "memcpy(k[b][t], qkv[b][t] + D, sizeof k[b][t]);\n" EACH_T
                                      "memcpy(v[b][t], qkv[b][t] + 2 * D, sizeof v[b][t]);"}},
    [ATTN_STAGE_SCORE] = {.run = core_run_score,
                          .key = "score",
                          .title = "Scores: every query with every key",
                          .box = "QKᵀ",
                          .box_ascii = "QK'",
                          .formula = "scores[t,s] = Σ_i q[t,i]·k[s,i]",
                          .inputs = {ATTN_Q, ATTN_K, END},
                          .outputs = {ATTN_SCORES, END},
                          .snippet = {[ATTN_LANG_MATH] = "scores = Q Kᵀ",
                                      [ATTN_LANG_PYTORCH] = "scores = q @ k.transpose(-2, -1)",
                                      [ATTN_LANG_NUMPY] = "scores = q @ k.swapaxes(-2, -1)",
                                      [ATTN_LANG_C] =
                                          EACH_T_S "scores[b][t][s] = dot(q[b][t], k[b][s], D);"}},
    [ATTN_STAGE_SCALE] = {.run = core_run_scale,
                          .key = "scale",
                          .title = "Scale: keep the scores' spread independent of d_k",
                          .box = "÷√d",
                          .box_ascii = "/sqrt d",
                          .formula = "scaled[t,s] = scores[t,s] / √d_k",
                          .inputs = {ATTN_SCORES, END},
                          .outputs = {ATTN_SCALED, END},
                          .snippet = {[ATTN_LANG_MATH] = "scaled = scores {scale_expr}",
                                      [ATTN_LANG_PYTORCH] = "scaled = scores {scale_expr}",
                                      [ATTN_LANG_NUMPY] = "scaled = scores {scale_expr}",
                                      [ATTN_LANG_C] = EACH_T_S
                                      "scaled[b][t][s] = scores[b][t][s] {scale_expr};"}},
    [ATTN_STAGE_MASK] =
        {.run = core_run_mask,
         .key = "mask",
         .title = "Mask: hide keys before the softmax sees them",
         .box = "mask",
         .box_ascii = "mask",
         .formula = "masked[t,s] = scaled[t,s] where mask[t,s] = 1, else the fill",
         .inputs = {ATTN_SCALED, ATTN_MASK, END},
         .outputs = {ATTN_MASKED, END},
         .snippet = {[ATTN_LANG_MATH] = "masked = scaled where mask = 1, else {fill}",
                     [ATTN_LANG_PYTORCH] = "masked = scaled.masked_fill(mask == 0, {fill})",
                     [ATTN_LANG_NUMPY] = "masked = np.where(mask == 0, np.float32({fill}), scaled)",
                     [ATTN_LANG_C] = EACH_T_S
                     "masked[b][t][s] = mask[b][t][s] == 0 ? {fill} : scaled[b][t][s];"}},
    [ATTN_STAGE_SOFTMAX] =
        {.run = core_run_softmax,
         .key = "softmax",
         .title = "Softmax: each row of scores becomes weights that sum to 1",
         .box = "softmax",
         .box_ascii = "softmax",
         .formula = "weights[t,s] = e^(masked[t,s] − max) / Σ_s e^(masked[t,s] − max)",
         .inputs = {ATTN_MASKED, END},
         .outputs = {ATTN_WEIGHTS, END},
         .snippet = {[ATTN_LANG_MATH] = "weights = softmax({logits}), over the keys",
                     [ATTN_LANG_PYTORCH] = "weights = F.softmax({logits}, dim=-1){empty}",
                     [ATTN_LANG_NUMPY] =
                         "e = np.exp({logits} - {logits}.max(axis=-1, keepdims=True))\n"
                         "weights = e / e.sum(axis=-1, keepdims=True){empty}",
                     [ATTN_LANG_C] = EACH_T "softmax(weights[b][t], {logits}[b][t], S);"}},
    [ATTN_STAGE_DROP] = {.run = core_run_drop,
                         .key = "drop",
                         .title = "Dropout: drop weights at random, in training only",
                         .box = "dropout",
                         .box_ascii = "dropout",
                         .formula = "dropped[t,s] = weights[t,s]·keep[t,s] / (1 − p)",
                         .inputs = {ATTN_WEIGHTS, ATTN_KEEP, END},
                         .outputs = {ATTN_DROPPED, END},
                         .snippet = {[ATTN_LANG_MATH] = "dropped = weights {drop_expr}",
                                     [ATTN_LANG_PYTORCH] = "dropped = {drop_expr}",
                                     [ATTN_LANG_NUMPY] = "dropped = weights {drop_expr}",
                                     [ATTN_LANG_C] = EACH_T_S
                                     "dropped[b][t][s] = weights[b][t][s] {drop_expr};"}},
    [ATTN_STAGE_MIX] = {.run = core_run_mix,
                        .key = "mix",
                        .title = "Context: the values, mixed by the weights",
                        .box = "A·V",
                        .box_ascii = "A*V",
                        .formula = "context[t,i] = Σ_s weights[t,s]·v[s,i]",
                        .inputs = {ATTN_DROPPED, ATTN_V, END},
                        .outputs = {ATTN_CONTEXT, END},
                        .snippet = {[ATTN_LANG_MATH] = "context = {probs} V",
                                    [ATTN_LANG_PYTORCH] = "context = {probs} @ v",
                                    [ATTN_LANG_NUMPY] = "context = {probs} @ v",
                                    [ATTN_LANG_C] = EACH_T_S
                                    "add_scaled(context[b][t], {probs}[b][t][s], v[b][s], D_V);"}},
    [ATTN_STAGE_OUTPUT] =
        {.run = core_run_output,
         .key = "output",
         .title = "Output: one more projection of the context",
         .box = "W_o",
         .box_ascii = "W_o",
         .formula = "output[t,i] = Σ_j context[t,j]·W_o[i,j] + b_o[i]",
         .inputs = {ATTN_CONTEXT, ATTN_W_OUT, ATTN_B_OUT, END},
         .outputs = {ATTN_OUTPUT, END},
         .snippet = {[ATTN_LANG_MATH] = "output = context W_oᵀ{b_out}",
                     [ATTN_LANG_PYTORCH] =
                         "output = self.{out}(context)",
                     [ATTN_LANG_NUMPY] = "output = context @ w_out.T{b_out}",
                     [ATTN_LANG_C] =
                         "linear(output[b][0], context[b][0], w_out, {b_out}, T, D_V, D);"}},
};
