#include "bug_reference.h"

#include <math.h>
#include <string.h>

#include "attn/bugs.h"
#include "core_rig.h"

static bool on(enum attn_bug bug)
{
    for (int i = 0; i < rig.config.n_bugs; i++) {
        if (rig.config.bugs[i] == bug) {
            return true;
        }
    }
    return false;
}

static double input(enum attn_tensor_id id, int b, int r, int c)
{
    return (double)*attn_tensor_at(&rig.inputs[id], b, r, c);
}

static double bias_of(enum attn_tensor_id bias, int i)
{
    return rig.inputs[bias].data == NULL || on(ATTN_BUG_NO_BIAS) ? 0 : input(bias, 0, 0, i);
}

static void linear(bug_matrix out, bug_matrix in, int rows, enum attn_tensor_id weight,
                   enum attn_tensor_id bias)
{
    const int n_out = rig.inputs[weight].dims[1];
    const int n_in = rig.inputs[weight].dims[2];
    for (int t = 0; t < rows; t++) {
        for (int i = 0; i < n_out; i++) {
            out[t][i] = bias_of(bias, i);
            for (int j = 0; j < n_in; j++) {
                const int flat = on(ATTN_BUG_WEIGHT_TRANSPOSED) ? j * n_out + i : i * n_in + j;
                out[t][i] += in[t][j] * (double)rig.inputs[weight].data[flat];
            }
        }
    }
}

static void project(bug_matrix q, bug_matrix k, bug_matrix v, int b)
{
    const attn_sizes *const n = &rig.config.sizes;
    static bug_matrix x, memory, qkv;
    for (int j = 0; j < n->d_in; j++) {
        for (int t = 0; t < n->T; t++) {
            x[t][j] = input(ATTN_X, b, t, j);
        }
        for (int s = 0; s < n->S; s++) {
            memory[s][j] = input(rig.config.variant == ATTN_CROSS ? ATTN_MEMORY : ATTN_X, b, s, j);
        }
    }
    if (!attn_variant_has(rig.config.variant, ATTN_STAGE_SPLIT)) {
        linear(q, x, n->T, ATTN_W_Q, ATTN_B_Q);
        linear(k, memory, n->S, ATTN_W_K, ATTN_B_K);
        linear(v, memory, n->S, ATTN_W_V, ATTN_B_V);
        return;
    }
    linear(qkv, x, n->T, ATTN_W_QKV, ATTN_B_QKV);
    for (int t = 0; t < n->T; t++) {
        for (int i = 0; i < n->d; i++) {
            const bool third = on(ATTN_BUG_QKV_INTERLEAVED);
            const double a = qkv[t][third ? 3 * i : i];
            const double c = qkv[t][third ? 3 * i + 1 : n->d + i];
            q[t][i] = on(ATTN_BUG_QKV_ORDER) ? c : a;
            k[t][i] = on(ATTN_BUG_QKV_ORDER) ? a : c;
            v[t][i] = qkv[t][third ? 3 * i + 2 : 2 * n->d + i];
        }
    }
}

static double dropped(double weight, int b, int t, int s)
{
    const double keep = input(ATTN_KEEP, b, t, s);
    return weight * (on(ATTN_BUG_DROPOUT_UNSCALED) ? keep : keep / (1 - rig.config.dropout_p));
}

static void score(bug_matrix z, bug_matrix q, bug_matrix k, int b)
{
    const attn_sizes *const n = &rig.config.sizes;
    const double root = sqrt(n->d);
    const double factor = on(ATTN_BUG_NO_SCALE)        ? 1
                          : on(ATTN_BUG_SCALE_DK)      ? 1.0 / n->d
                          : on(ATTN_BUG_SCALE_INVERSE) ? root
                          : on(ATTN_BUG_SCALE_DIM_IN)  ? 1 / sqrt(n->d_in)
                                                       : 1 / root;
    for (int t = 0; t < n->T; t++) {
        for (int s = 0; s < n->S; s++) {
            z[t][s] = 0;
            for (int i = 0; i < n->d; i++) {
                const int flat = i * n->S + s;
                z[t][s] +=
                    q[t][i] * (on(ATTN_BUG_NO_TRANSPOSE) ? k[flat / n->d][flat % n->d] : k[s][i]);
            }
            z[t][s] *= factor;
            if (on(ATTN_BUG_DROPOUT_SCORES)) {
                z[t][s] = dropped(z[t][s], b, t, s);
            }
        }
    }
}

static bool kept(int b, int t, int s)
{
    if (rig.inputs[ATTN_MASK].data == NULL) {
        return true;
    }
    bool keep = input(ATTN_MASK, b, t, s) != 0;
    if (on(ATTN_BUG_MASK_QUERIES)) {
        keep = input(ATTN_UNPADDED, b, t, s) != 0 && input(ATTN_PADDING, 0, b, t) != 0;
    }
    if (on(ATTN_BUG_CAUSAL_NO_DIAGONAL)) {
        keep = keep && s < t;
    }
    return on(ATTN_BUG_MASK_INVERTED) ? !keep : keep;
}

static void mask(bug_matrix m, bug_matrix z, int b)
{
    for (int t = 0; t < rig.config.sizes.T; t++) {
        for (int s = 0; s < rig.config.sizes.S; s++) {
            const bool keep = kept(b, t, s);
            m[t][s] = on(ATTN_BUG_NO_MASK) || on(ATTN_BUG_MASK_AFTER_SOFTMAX) ? z[t][s]
                      : on(ATTN_BUG_MASK_ADDED)                               ? z[t][s] + keep
                      : keep                                                  ? z[t][s]
                      : on(ATTN_BUG_MASK_TINY_FILL)                           ? 1e-20
                                                                              : -INFINITY;
        }
    }
}

/* e^m over its sum; with no maximum taken off, in float32. */
static void softmax(bug_matrix a, bug_matrix m, int b)
{
    const int T = rig.config.sizes.T;
    const int S = rig.config.sizes.S;
    const bool columns = on(ATTN_BUG_SOFTMAX_QUERIES);
    for (int i = 0; i < (columns ? S : T); i++) {
        double sum = 0;
        double most = -INFINITY;
        float plain = 0;
        for (int j = 0; j < (columns ? T : S); j++) {
            most = fmax(most, columns ? m[j][i] : m[i][j]);
        }
        for (int j = 0; j < (columns ? T : S); j++) {
            const double z = columns ? m[j][i] : m[i][j];
            sum += exp(z - most);
            plain += expf((float)z);
        }
        for (int j = 0; j < (columns ? T : S); j++) {
            const double z = columns ? m[j][i] : m[i][j];
            double *const cell = columns ? &a[j][i] : &a[i][j];
            *cell = exp(z - most) / sum;
            if (on(ATTN_BUG_SOFTMAX_UNSAFE)) {
                *cell = (double)(expf((float)z) / plain);
            }
            if (most == -INFINITY) {
                *cell = rig.config.empty_row == ATTN_EMPTY_NAN ? NAN : 0;
            }
        }
    }
    for (int t = 0; t < T; t++) {
        for (int s = 0; s < S; s++) {
            a[t][s] *= on(ATTN_BUG_MASK_AFTER_SOFTMAX) ? kept(b, t, s) : 1;
        }
    }
}

void bug_reference(bug_matrix result, int b)
{
    static bug_matrix q, k, v, z, m, a, context;
    const attn_sizes *const n = &rig.config.sizes;
    const bool drops =
        attn_variant_has(rig.config.variant, ATTN_STAGE_DROP) &&
        (on(ATTN_BUG_DROPOUT_EVAL) || (rig.config.training && !on(ATTN_BUG_DROPOUT_SCORES)));
    project(q, k, v, b);
    score(z, q, k, b);
    mask(m, z, b);
    softmax(a, m, b);
    for (int t = 0; t < n->T; t++) {
        for (int i = 0; i < n->d; i++) {
            context[t][i] = 0;
            for (int s = 0; s < n->S; s++) {
                context[t][i] += (drops ? dropped(a[t][s], b, t, s) : a[t][s]) * v[s][i];
            }
        }
    }
    if (rig.config.variant == ATTN_V3 && !on(ATTN_BUG_NO_OUTPUT)) {
        linear(result, context, n->T, ATTN_W_OUT, ATTN_B_OUT);
    } else {
        memcpy(result, context, sizeof(bug_matrix));
    }
}

/* ---- random computations ---- */

static int one_to(int most)
{
    return 1 + (int)((rig_real() + 1) / 2 * (float)most * 0.999F);
}

/* Causal, padding or both, as core takes them: whole, and its two parts. */
static void give_mask(void)
{
    const attn_sizes *const n = &rig.config.sizes;
    const int kind = one_to(4);
    if (kind == 4) {
        return;
    }
    rig_give(ATTN_UNPADDED);
    rig_give(ATTN_PADDING);
    rig_give(ATTN_MASK);
    rig.config.causal = kind != 2;
    for (int b = 0; b < n->B; b++) {
        const int length = kind == 1 ? n->S : one_to(n->S);
        for (int t = 0; t < n->T; t++) {
            for (int s = 0; s < n->S; s++) {
                const bool ahead = rig.config.causal && s > t;
                *attn_tensor_at(&rig.inputs[ATTN_UNPADDED], b, t, s) = ahead ? 0 : 1;
                *attn_tensor_at(&rig.inputs[ATTN_PADDING], 0, b, s) = s < length ? 1 : 0;
                *attn_tensor_at(&rig.inputs[ATTN_MASK], b, t, s) = ahead || s >= length ? 0 : 1;
            }
        }
    }
}

void bug_reference_problem(enum attn_variant variant, int seed)
{
    rig_start(variant, 1, 1, 1, 1, 1);
    rig.random += (uint64_t)seed * 7919;
    const int B = one_to(2);
    const int T = one_to(BUG_REFERENCE_MAX);
    const int S = variant == ATTN_CROSS ? one_to(BUG_REFERENCE_MAX) : T;
    const int d = one_to(BUG_REFERENCE_MAX);
    const uint64_t random = rig.random;
    rig_start(variant, B, T, S, attn_variants[variant].square ? d : one_to(BUG_REFERENCE_MAX), d);
    rig.random = random;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        if (rig.inputs[i].data != NULL) {
            rig_give((enum attn_tensor_id)i);
        }
    }
    if (attn_variant_has(variant, ATTN_STAGE_MASK)) {
        give_mask();
    }
    if (attn_variant_has(variant, ATTN_STAGE_DROP)) {
        rig_give(ATTN_KEEP);
        rig.config.training = one_to(2) == 1;
        rig.config.dropout_p = 0.25;
    }
    rig.config.empty_row = one_to(2) == 1 ? ATTN_EMPTY_ZEROS : ATTN_EMPTY_NAN;
}
