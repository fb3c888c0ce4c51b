/* A bug's code in an example of its own. */
#include <string.h>

#include "trace_parts.h"

/* The smallest computation that shows it: v3, or a head with two widths. */
static void choose(attn_config *config, enum attn_bug bug)
{
    const bool two_widths = bug == ATTN_BUG_SCALE_DIM_IN;
    attn_config_default(config, two_widths ? ATTN_SINGLE : ATTN_V3);
    config->sizes =
        (attn_sizes){.B = 1, .T = 3, .S = 3, .d_in = two_widths ? 4 : 2, .d = 2, .d_v = 2};
    config->training = !two_widths && bug != ATTN_BUG_DROPOUT_EVAL;
    config->keep_given = bug == ATTN_BUG_DROPOUT_UNSCALED;
    config->bugs[0] = bug;
    config->n_bugs = 1;
}

/* Every input is ones: only what there is matters for the code. */
static void give_ones(attn_tensor inputs[ATTN_N_TENSORS], const attn_config *config, float *ones)
{
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        const bool part = id == ATTN_PADDING || id == ATTN_UNPADDED;
        if (attn_tensors[i].group != ATTN_GROUP_STAGE &&
            (part || attn_variant_has_tensor(config->variant, id))) {
            int dims[ATTN_RANK_MAX];
            const int rank = attn_tensor_dims(id, &config->sizes, dims);
            inputs[i] = attn_tensor_view(ones, rank, dims + ATTN_RANK_MAX - rank);
        }
    }
}

int attn_bug_line(enum attn_bug bug, enum attn_lang lang, char *out, size_t size)
{
    float ones[64];
    attn_tensor inputs[ATTN_N_TENSORS] = {{0}};
    attn_config config;
    attn_trace *trace = NULL;
    int lines = 0;
    size_t used = 0;
    for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++) {
        ones[i] = 1.0F;
    }
    out[0] = '\0';
    choose(&config, bug);
    give_ones(inputs, &config, ones);
    if (attn_trace_create(&trace, &config, inputs, NULL) != ATTN_OK) {
        return 0;
    }
    for (int i = 0; i < attn_trace_n_stages(trace); i++) {
        const enum attn_stage stage = attn_trace_stage(trace, i);
        if (!attn_trace_changed(trace, stage) || used + 2 >= size) {
            continue;
        }
        if (lines > 0) {
            out[used++] = '\n';
        }
        lines += attn_trace_snippet(trace, stage, lang, out + used, size - used);
        used += strlen(out + used);
    }
    attn_trace_destroy(trace);
    return lines;
}
