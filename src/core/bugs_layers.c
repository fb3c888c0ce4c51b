/* The code of a layer as people write it wrong, and what filling in words takes. */
#include <stdio.h>

#include "bugs_fill.h"

bool core_fill_has(const struct core_fill *f, enum attn_bug bug)
{
    return attn_trace_has_bug(f->trace, bug);
}

void core_fill_put(const struct core_fill *f, const char *text)
{
    (void)snprintf(f->out, f->size, "%s", text);
}

/* One text a language. */
void core_fill_each(const struct core_fill *f, const char *math, const char *pytorch,
                    const char *numpy, const char *c)
{
    const char *const texts[ATTN_N_LANGS] = {[ATTN_LANG_MATH] = math,
                                             [ATTN_LANG_PYTORCH] = pytorch,
                                             [ATTN_LANG_NUMPY] = numpy,
                                             [ATTN_LANG_C] = c};
    core_fill_put(f, texts[f->lang]);
}

static const char *width(enum attn_axis axis)
{
    return axis == ATTN_AXIS_I    ? "D_IN"
           : axis == ATTN_AXIS_3D ? "3 * D"
           : axis == ATTN_AXIS_V  ? "D_V"
                                  : "D";
}

static void apply_c(const struct core_fill *f, enum attn_layer which, const char *out,
                    const char *in, const char *rows)
{
    const struct attn_layer_info *const layer = &attn_layers[which];
    const enum attn_axis *const axes = attn_tensors[layer->weight].axes;
    const char *const weight = attn_tensors[layer->weight].name;
    const char *const bias = attn_tensors[layer->bias].name;
    const char *const columns = width(axes[1]);
    if (!core_fill_has(f, ATTN_BUG_WEIGHT_TRANSPOSED)) {
        (void)snprintf(f->out, f->size, "linear(%s[b][0], %s[b][0], %s, {%s}, %s, %s, %s);", out,
                       in, weight, bias, rows, width(axes[2]), columns);
        return;
    }
    const bool biased =
        attn_variants[f->trace->config.variant].bias && !core_fill_has(f, ATTN_BUG_NO_BIAS);
    const int n = snprintf(f->out, f->size,
                           "for (int t = 0; t < %s; t++) for (int j = 0; j < %s; j++)\n"
                           "    add_scaled(%s[b][t], %s[b][t][j], %s + j * %s, %s);",
                           rows, width(axes[2]), out, in, weight, columns, columns);
    if (biased && n > 0 && (size_t)n < f->size) {
        (void)snprintf(f->out + n, f->size - (size_t)n,
                       "\nfor (int t = 0; t < %s; t++) add_scaled(%s[b][t], 1, %s, %s);", rows, out,
                       bias, columns);
    }
}

static void apply_pytorch(const struct core_fill *f, enum attn_layer which, const char *in,
                          bool square)
{
    const char *const name = attn_variants[f->trace->config.variant].layer_names[which];
    const bool biased =
        attn_variants[f->trace->config.variant].bias && !core_fill_has(f, ATTN_BUG_NO_BIAS);
    if (!core_fill_has(f, ATTN_BUG_WEIGHT_TRANSPOSED)) {
        (void)snprintf(f->out, f->size, "F.linear(%s, self.%s.weight)", in, name);
        return;
    }
    char reshape[64] = "";
    if (!square) {
        (void)snprintf(reshape, sizeof reshape, ".reshape(%s.size(-1), -1)", in);
    }
    (void)snprintf(f->out, f->size, "%s @ self.%s.weight%s%s%s%s", in, name, reshape,
                   biased ? " + self." : "", biased ? name : "", biased ? ".bias" : "");
}

void core_fill_layer(const struct core_fill *f, enum attn_layer which)
{
    static const enum attn_tensor_id outs[ATTN_N_LAYERS] = {[ATTN_LAYER_Q] = ATTN_Q,
                                                            [ATTN_LAYER_K] = ATTN_K,
                                                            [ATTN_LAYER_V] = ATTN_V,
                                                            [ATTN_LAYER_QKV] = ATTN_QKV,
                                                            [ATTN_LAYER_OUT] = ATTN_OUTPUT};
    const struct attn_layer_info *const layer = &attn_layers[which];
    const bool of_keys = which == ATTN_LAYER_K || which == ATTN_LAYER_V;
    const enum attn_tensor_id from = which == ATTN_LAYER_OUT ? ATTN_CONTEXT
                                     : of_keys ? attn_trace_source(f->trace, ATTN_MEMORY)
                                               : ATTN_X;
    const char *const in = attn_tensors[from].name;
    const int *const dims = f->trace->tensors[layer->weight].dims;
    const bool square = dims[1] == dims[2];
    const bool turned = core_fill_has(f, ATTN_BUG_WEIGHT_TRANSPOSED);
    if (which == ATTN_LAYER_OUT && core_fill_has(f, ATTN_BUG_NO_OUTPUT)) {
        core_fill_each(f, "context", "context", "context",
                       "memcpy(output[b], context[b], sizeof output[b]);");
        return;
    }
    switch (f->lang) {
    case ATTN_LANG_MATH:
        (void)snprintf(f->out, f->size, "%s %s%s{%s}", attn_tensors[from].symbol,
                       attn_tensors[layer->weight].symbol,
                       !turned  ? "ᵀ"
                       : square ? ""
                                : " (read as [in,out])",
                       attn_tensors[layer->bias].name);
        break;
    case ATTN_LANG_PYTORCH:
        apply_pytorch(f, which, in, square);
        break;
    case ATTN_LANG_NUMPY:
        (void)snprintf(f->out, f->size, "%s @ %s%s%s%s{%s}", in, attn_tensors[layer->weight].name,
                       !turned  ? ".T"
                       : square ? ""
                                : ".reshape(",
                       turned && !square ? in : "", turned && !square ? ".shape[-1], -1)" : "",
                       attn_tensors[layer->bias].name);
        break;
    case ATTN_LANG_C:
        apply_c(f, which, attn_tensors[outs[which]].name, in, of_keys ? "S" : "T");
        break;
    case ATTN_N_LANGS:
        break;
    }
}
