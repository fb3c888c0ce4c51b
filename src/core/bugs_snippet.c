/*
 * The code of the changed rows, as people write it wrong. What words stand for may hold
 * placeholders again, those of the right rows among them.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bugs_fill.h"

#define EACH_T "for (int t = 0; t < T; t++) "
#define EACH_T_S EACH_T "for (int s = 0; s < S; s++)\n    "

const struct core_row core_wrong_rows[ATTN_N_STAGES] = {
    [ATTN_STAGE_PROJECT] = {core_wrong_project,
                            {[ATTN_LANG_MATH] = "Q = {apply_q}\nK = {apply_k}\nV = {apply_v}",
                             [ATTN_LANG_PYTORCH] = "q = {apply_q}\nk = {apply_k}\nv = {apply_v}",
                             [ATTN_LANG_NUMPY] = "q = {apply_q}\nk = {apply_k}\nv = {apply_v}",
                             [ATTN_LANG_C] = "{apply_q}\n{apply_k}\n{apply_v}"}},
    [ATTN_STAGE_PROJECT_MERGED] = {core_wrong_project_merged,
                                   {[ATTN_LANG_MATH] = "[Q K V] = {apply_qkv}",
                                    [ATTN_LANG_PYTORCH] = "qkv = {apply_qkv}",
                                    [ATTN_LANG_NUMPY] = "qkv = {apply_qkv}",
                                    [ATTN_LANG_C] = "{apply_qkv}"}},
    [ATTN_STAGE_SPLIT] = {core_wrong_split,
                          {[ATTN_LANG_MATH] = "{parts_math}",
                           [ATTN_LANG_PYTORCH] = "{first}, {second}, v = {parts}",
                           [ATTN_LANG_NUMPY] = "{first}, {second}, v = {parts}",
                           [ATTN_LANG_C] =
                               EACH_T "{take_q}\n" EACH_T "{take_k}\n" EACH_T "{take_v}"}},
    [ATTN_STAGE_SCORE] = {core_wrong_score,
                          {[ATTN_LANG_MATH] = "scores = Q {k_turned}",
                           [ATTN_LANG_PYTORCH] = "scores = q @ {k_turned}",
                           [ATTN_LANG_NUMPY] = "scores = q @ {k_turned}",
                           [ATTN_LANG_C] = EACH_T_S "for (int i = 0; i < D; i++)\n"
                                                    "        scores[b][t][s] += q[b][t][i] * "
                                                    "(&k[b][0][0])[i * S + s];"}},
    [ATTN_STAGE_SCALE] = {core_wrong_scale,
                          {[ATTN_LANG_MATH] = "scaled = scores{factor}{drop_scores}",
                           [ATTN_LANG_PYTORCH] = "scaled = {scaled}",
                           [ATTN_LANG_NUMPY] = "scaled = scores{factor}{drop_scores}",
                           [ATTN_LANG_C] =
                               EACH_T_S "scaled[b][t][s] = scores[b][t][s]{factor}{drop_scores};"}},
    [ATTN_STAGE_MASK] = {core_wrong_mask,
                         {[ATTN_LANG_MATH] = "masked = {masked}",
                          [ATTN_LANG_PYTORCH] = "masked = {masked}",
                          [ATTN_LANG_NUMPY] = "masked = {masked}",
                          [ATTN_LANG_C] = EACH_T_S "masked[b][t][s] = {masked};"}},
    [ATTN_STAGE_SOFTMAX] = {core_wrong_softmax,
                            {[ATTN_LANG_MATH] = "weights = {softmax}{times}",
                             [ATTN_LANG_PYTORCH] =
                                 "{exponentials}weights = {softmax}{times}{empty}",
                             [ATTN_LANG_NUMPY] =
                                 "e = np.exp({logits}{less_maximum})\n"
                                 "weights = e / e.sum(axis={axis}, keepdims=True){times}{empty}",
                             [ATTN_LANG_C] = "{softmax}{times}"}},
    [ATTN_STAGE_DROP] = {core_wrong_drop,
                         {[ATTN_LANG_MATH] = "dropped = weights{drop_weights}",
                          [ATTN_LANG_PYTORCH] = "dropped = {dropped}",
                          [ATTN_LANG_NUMPY] = "dropped = weights{drop_weights}",
                          [ATTN_LANG_C] =
                              EACH_T_S "dropped[b][t][s] = weights[b][t][s]{drop_weights};"}},
    [ATTN_STAGE_OUTPUT] = {core_wrong_output,
                           {[ATTN_LANG_MATH] = "output = {apply_out}",
                            [ATTN_LANG_PYTORCH] = "output = {apply_out}",
                            [ATTN_LANG_NUMPY] = "output = {apply_out}",
                            [ATTN_LANG_C] = "{apply_out}"}},
};

/* ---- layers ---- */

static void apply_q(const struct core_fill *f)
{
    core_fill_layer(f, ATTN_LAYER_Q);
}
static void apply_k(const struct core_fill *f)
{
    core_fill_layer(f, ATTN_LAYER_K);
}
static void apply_v(const struct core_fill *f)
{
    core_fill_layer(f, ATTN_LAYER_V);
}
static void apply_qkv(const struct core_fill *f)
{
    core_fill_layer(f, ATTN_LAYER_QKV);
}
static void apply_out(const struct core_fill *f)
{
    core_fill_layer(f, ATTN_LAYER_OUT);
}

/* ---- split and scores ---- */

static void first(const struct core_fill *f)
{
    core_fill_put(f, core_fill_has(f, ATTN_BUG_QKV_ORDER) ? "k" : "q");
}
static void second(const struct core_fill *f)
{
    core_fill_put(f, core_fill_has(f, ATTN_BUG_QKV_ORDER) ? "q" : "k");
}
static void parts(const struct core_fill *f)
{
    static const char every_third[] = "qkv[..., 0::3], qkv[..., 1::3], qkv[..., 2::3]";
    if (core_fill_has(f, ATTN_BUG_QKV_INTERLEAVED)) {
        core_fill_put(f, every_third);
    } else {
        core_fill_put(f, f->lang == ATTN_LANG_PYTORCH ? "qkv.chunk(3, dim=-1)"
                                                      : "np.split(qkv, 3, axis=-1)");
    }
}
static void parts_math(const struct core_fill *f)
{
    (void)snprintf(f->out, f->size, "%s = %s",
                   core_fill_has(f, ATTN_BUG_QKV_ORDER) ? "K, Q, V" : "Q, K, V",
                   core_fill_has(f, ATTN_BUG_QKV_INTERLEAVED)
                       ? "columns 0, 3, 6, …, 1, 4, 7, … and 2, 5, 8, … of [Q K V]"
                       : "the thirds of [Q K V], column by column");
}

static void take(const struct core_fill *f, enum attn_tensor_id part)
{
    const char *const name = attn_tensors[part].name;
    const int from = attn_trace_split_column(f->trace, part, 0);
    if (core_fill_has(f, ATTN_BUG_QKV_INTERLEAVED)) {
        (void)snprintf(f->out, f->size,
                       "for (int i = 0; i < D; i++) %s[b][t][i] = qkv[b][t][3 * i + %d];", name,
                       from);
        return;
    }
    (void)snprintf(f->out, f->size, "memcpy(%s[b][t], qkv[b][t] + %d * D, sizeof %s[b][t]);", name,
                   from / f->trace->config.sizes.d, name);
}
static void take_q(const struct core_fill *f)
{
    take(f, ATTN_Q);
}
static void take_k(const struct core_fill *f)
{
    take(f, ATTN_K);
}
static void take_v(const struct core_fill *f)
{
    take(f, ATTN_V);
}

static void k_turned(const struct core_fill *f)
{
    if (f->trace->config.sizes.d == f->trace->config.sizes.S) {
        core_fill_each(f, "K", "k", "k", "");
    } else {
        core_fill_each(f, "reshape(K, [d,S])", "k.reshape(k.size(0), k.size(-1), -1)",
                       "k.reshape(k.shape[0], k.shape[-1], -1)", "");
    }
}

/* ---- scale and dropout ---- */

static void factor(const struct core_fill *f)
{
    if (core_fill_has(f, ATTN_BUG_NO_SCALE)) {
        core_fill_put(f, "");
    } else if (core_fill_has(f, ATTN_BUG_SCALE_DK)) {
        core_fill_each(f, " / d_k", " / q.size(-1)", " / np.float32(q.shape[-1])", " / D");
    } else if (core_fill_has(f, ATTN_BUG_SCALE_INVERSE)) {
        core_fill_each(f, " / d_k^(−1/2)", " / q.size(-1) ** -0.5",
                       " / np.float32(q.shape[-1] ** -0.5)", " / (1 / sqrtf(D))");
    } else if (core_fill_has(f, ATTN_BUG_SCALE_DIM_IN)) {
        core_fill_each(f, " / √d_in", " / math.sqrt(x.size(-1))",
                       " / np.sqrt(np.float32(x.shape[-1]))", " / sqrtf(D_IN)");
    } else {
        core_fill_put(f, " {scale_expr}");
    }
}

/* What dropout's pattern does to the tensor that stands before it. */
static void pattern(const struct core_fill *f)
{
    if (core_fill_has(f, ATTN_BUG_DROPOUT_UNSCALED) && f->trace->config.dropout_p < 1.0) {
        core_fill_each(f, " · keep", " * keep", " * keep", " * keep[b][t][s]");
    } else {
        core_fill_put(f, " {drop_expr}");
    }
}

static void drop_scores(const struct core_fill *f)
{
    if (core_drops_scores(&f->trace->config)) {
        pattern(f);
    }
}
static void drop_weights(const struct core_fill *f)
{
    if (!core_fill_has(f, ATTN_BUG_DROPOUT_SCORES)) {
        pattern(f);
    }
}

/* PyTorch draws the pattern in the call, unless it was chosen. */
static void dropout_call(const struct core_fill *f, const char *what)
{
    const attn_config *const config = &f->trace->config;
    const bool unscaled = core_fill_has(f, ATTN_BUG_DROPOUT_UNSCALED) && config->dropout_p < 1.0;
    char p[40];
    core_format_probability(p, sizeof p, config->dropout_p);
    if (config->keep_given && config->dropout_p < 1.0) {
        (void)snprintf(f->out, f->size, unscaled ? "%s * keep" : "%s * (keep / (1 - %s))", what, p);
        return;
    }
    (void)snprintf(f->out, f->size, "F.dropout(%s, p=%s, training=%s)", what, p,
                   core_fill_has(f, ATTN_BUG_DROPOUT_EVAL) ? "True" : "self.training");
    const size_t used = strlen(f->out);
    if (unscaled) {
        (void)snprintf(f->out + used, f->size - used, " * (1 - %s)", p);
    }
}
static void scaled(const struct core_fill *f)
{
    if (core_drops_scores(&f->trace->config)) {
        dropout_call(f, "scores{factor}");
    } else {
        core_fill_put(f, "scores{factor}");
    }
}
static void dropped(const struct core_fill *f)
{
    if (core_fill_has(f, ATTN_BUG_DROPOUT_SCORES)) {
        core_fill_put(f, "weights");
    } else {
        dropout_call(f, "weights");
    }
}

/* ---- mask and softmax ---- */

/* The mask as it is used, before it is turned round. */
static void kept(const struct core_fill *f)
{
    if (core_fill_has(f, ATTN_BUG_CAUSAL_NO_DIAGONAL)) {
        const attn_config *const config = &f->trace->config;
        const bool shifted = config->causal_align == ATTN_CAUSAL_BOTTOM_RIGHT;
        const int below = shifted ? core_diagonal(f->trace) - 1 : -1;
        const char *const before = f->lang == ATTN_LANG_MATH      ? "tril("
                                   : f->lang == ATTN_LANG_PYTORCH ? "torch.tril("
                                                                  : "np.tril(";
        if (f->lang == ATTN_LANG_C) {
            (void)snprintf(f->out, f->size, "({mask_part} && s != t + %d)", below + 1);
        } else {
            (void)snprintf(f->out, f->size, "%s{mask_part}, %d)", before, below);
        }
    } else {
        core_fill_put(f, "{mask_part}");
    }
}
static bool has_other_parts(const struct core_fill *f)
{
    const attn_tensor *const unpadded = &f->trace->tensors[ATTN_UNPADDED];
    const size_t n = attn_tensor_count(unpadded);
    for (size_t i = 0; i < n; i++) {
        if (unpadded->data[i] == 0.0F) {
            return true;
        }
    }
    return false;
}
static void mask_part(const struct core_fill *f)
{
    if (f->trace->tensors[ATTN_PADDING].data == NULL) {
        core_fill_each(f, "mask", "mask", "mask", "mask[b][t][s]");
    } else if (has_other_parts(f)) {
        core_fill_each(f, "(unpadded · padding[b,t])", "(unpadded * padding[:, :, None])",
                       "(unpadded * padding[:, :, None])", "(unpadded[b][t][s] * padding[b][t])");
    } else {
        core_fill_each(f, "padding[b,t]", "padding[:, :, None]", "padding[:, :, None]",
                       "padding[b][t]");
    }
}
static void hides(const struct core_fill *f)
{
    core_fill_put(f, core_fill_has(f, ATTN_BUG_MASK_INVERTED) ? "{kept} == 1" : "{kept} == 0");
}
static void keeps(const struct core_fill *f)
{
    core_fill_put(f, core_fill_has(f, ATTN_BUG_MASK_INVERTED) ? "(1 - {kept})" : "{kept}");
}

static void masked(const struct core_fill *f)
{
    if (core_fill_has(f, ATTN_BUG_NO_MASK) || core_fill_has(f, ATTN_BUG_MASK_AFTER_SOFTMAX)) {
        core_fill_each(f, "scaled", "scaled", "scaled", "scaled[b][t][s]");
    } else if (core_fill_has(f, ATTN_BUG_MASK_ADDED)) {
        core_fill_each(f, "scaled + {keeps}", "scaled + {keeps}", "scaled + {keeps}",
                       "scaled[b][t][s] + {keeps}");
    } else {
        core_fill_each(
            f,
            core_fill_has(f, ATTN_BUG_MASK_INVERTED) ? "scaled where {kept} = 0, else {fill}"
                                                     : "scaled where {kept} = 1, else {fill}",
            "scaled.masked_fill({hides}, {fill})", "np.where({hides}, np.float32({fill}), scaled)",
            "{hides} ? {fill} : scaled[b][t][s]");
    }
}

static void times(const struct core_fill *f)
{
    if (core_fill_has(f, ATTN_BUG_MASK_AFTER_SOFTMAX) &&
        f->trace->tensors[ATTN_MASK].data != NULL) {
        core_fill_each(f, " · {keeps}", " * {keeps}", " * {keeps}",
                       "\n" EACH_T_S "weights[b][t][s] *= {keeps};");
    }
}
static void axis(const struct core_fill *f)
{
    core_fill_put(f, core_fill_has(f, ATTN_BUG_SOFTMAX_QUERIES) ? "-2" : "-1");
}
static void less_maximum(const struct core_fill *f)
{
    core_fill_put(f, core_fill_has(f, ATTN_BUG_SOFTMAX_UNSAFE)
                         ? ""
                         : " - {logits}.max(axis={axis}, keepdims=True)");
}
static void exponentials(const struct core_fill *f)
{
    core_fill_put(f, core_fill_has(f, ATTN_BUG_SOFTMAX_UNSAFE) ? "e = {logits}.exp()\n" : "");
}

static void softmax(const struct core_fill *f)
{
    const bool queries = core_fill_has(f, ATTN_BUG_SOFTMAX_QUERIES);
    const bool unsafe = core_fill_has(f, ATTN_BUG_SOFTMAX_UNSAFE);
    if (f->lang == ATTN_LANG_MATH) {
        (void)snprintf(f->out, f->size, "%s, over the %s%s",
                       unsafe ? "e^{logits} / Σ e^{logits}" : "softmax({logits})",
                       queries ? "queries" : "keys",
                       core_fill_has(f, ATTN_BUG_MASK_AFTER_SOFTMAX) ? "," : "");
    } else if (f->lang == ATTN_LANG_PYTORCH) {
        core_fill_put(f, unsafe ? "e / e.sum(dim={axis}, keepdim=True)"
                                : "F.softmax({logits}, dim={axis})");
    } else if (!queries && !unsafe) {
        core_fill_put(f, EACH_T "softmax(weights[b][t], {logits}[b][t], S);");
    } else if (!unsafe) { /* over the queries, and with each column's maximum taken off */
        const bool empty = core_has_empty(f->trace);
        (void)snprintf(
            f->out, f->size,
            "float most[S], total[S];\nmemset(total, 0, sizeof total);\n" EACH_T_S
            "most[s] = t == 0 ? {logits}[b][t][s] : fmaxf(most[s], {logits}[b][t][s]);\n" EACH_T_S
            "total[s] += weights[b][t][s] = %sexpf({logits}[b][t][s] - most[s]);\n" EACH_T_S
            "%sweights[b][t][s] /= total[s];",
            empty ? "{logits}[b][t][s] == -INFINITY ? 0 : " : "",
            empty ? "if (total[s] > 0) " : "");
    } else {
        (void)snprintf(f->out, f->size,
                       "float total[%s];\nmemset(total, 0, sizeof total);\n" EACH_T_S
                       "total[%s] += weights[b][t][s] = expf({logits}[b][t][s]);\n" EACH_T_S
                       "%sweights[b][t][s] /= total[%s];",
                       queries ? "S" : "T", queries ? "s" : "t",
                       !core_has_empty(f->trace) ? ""
                       : queries                 ? "if (total[s] > 0) "
                                                 : "if (total[t] > 0) ",
                       queries ? "s" : "t");
    }
}

static void tiny_fill(const struct core_fill *f)
{
    core_fill_put(f, f->lang == ATTN_LANG_C ? "1e-20f" : "1e-20");
}

static const struct {
    const char *word;
    void (*fill)(const struct core_fill *f);
} words[] = {
    {"apply_q", apply_q},
    {"apply_k", apply_k},
    {"apply_v", apply_v},
    {"apply_qkv", apply_qkv},
    {"apply_out", apply_out},
    {"first", first},
    {"second", second},
    {"parts", parts},
    {"parts_math", parts_math},
    {"take_q", take_q},
    {"take_k", take_k},
    {"take_v", take_v},
    {"k_turned", k_turned},
    {"factor", factor},
    {"drop_scores", drop_scores},
    {"drop_weights", drop_weights},
    {"scaled", scaled},
    {"dropped", dropped},
    {"kept", kept},
    {"mask_part", mask_part},
    {"hides", hides},
    {"keeps", keeps},
    {"masked", masked},
    {"times", times},
    {"axis", axis},
    {"less_maximum", less_maximum},
    {"exponentials", exponentials},
    {"softmax", softmax},
};

static bool is(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

bool core_bug_word(char *out, size_t size, const attn_trace *trace, enum attn_lang lang,
                   const char *word, size_t length)
{
    const struct core_fill f = {.out = out, .size = size, .trace = trace, .lang = lang};
    out[0] = '\0';
    if (is(word, length, "fill") && core_fill_has(&f, ATTN_BUG_MASK_TINY_FILL)) {
        tiny_fill(&f);
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (is(word, length, words[i].word)) {
            words[i].fill(&f);
            assert(strlen(out) + 1 < size); /* else it may have been cut */
            return true;
        }
    }
    return false;
}
