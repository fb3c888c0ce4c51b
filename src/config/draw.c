#include "config.h"
#include "internal.h"
#include "torch.h"

static size_t element_count(int rank, const int dims[3])
{
    size_t n = 1;
    for (int i = 0; i < rank; i++) {
        n *= (size_t)dims[i];
    }
    return n;
}

/** Room for one tensor in these sizes. @return its data, or NULL. */
static float *make(struct setup *setup, enum attn_tensor_id id, const attn_sizes *sizes)
{
    int dims[3] = {1, 1, 1};
    const int rank = attn_tensor_dims(id, sizes, dims);
    const int *const own = dims + 3 - rank;
    float *const data = setup_floats(setup, element_count(rank, own));
    if (data != NULL) {
        setup->inputs[id] = attn_tensor_view(data, rank, own);
    }
    return data;
}

/** The layers in the order in which the module defines them. */
static bool draw_layers(struct setup *setup, struct torch_generator *g, const attn_sizes *sizes)
{
    const struct attn_variant_info *const info = &attn_variants[setup->config.variant];
    for (const enum attn_layer *layer = info->layers; *layer != ATTN_N_LAYERS; layer++) {
        const struct attn_layer_info *const row = &attn_layers[*layer];
        float *const weight = make(setup, row->weight, sizes);
        float *const bias = info->bias ? make(setup, row->bias, sizes) : NULL;
        if (weight == NULL || (info->bias && bias == NULL)) {
            return false;
        }
        const attn_tensor *const w = &setup->inputs[row->weight];
        torch_linear(g, weight, bias, w->dims[2], w->dims[1]);
    }
    return true;
}

static bool draw_normal(struct setup *setup, struct torch_generator *g, enum attn_tensor_id id,
                        const attn_sizes *sizes)
{
    float *const data = make(setup, id, sizes);
    if (data != NULL) {
        torch_randn(g, data, attn_tensor_count(&setup->inputs[id]));
    }
    return data != NULL;
}

bool draws_always(const struct config *config)
{
    bool always = config->draw_always;
    for (int i = 0; i < config->n_bugs; i++) {
        always |= config->bugs[i] == ATTN_BUG_DROPOUT_EVAL;
    }
    return always;
}

/** Does dropout draw a pattern here? (With p = 0 or 1 PyTorch draws nothing.) */
static bool drops(const struct setup *setup, const struct config *config,
                  const struct load_set *set)
{
    const attn_config *const c = &setup->config;
    return attn_variant_has(c->variant, ATTN_STAGE_DROP) && (c->training || draws_always(config)) &&
           c->dropout_p > 0 && set->tensors[ATTN_KEEP].data == NULL;
}

static bool draw_keep(struct setup *setup, struct torch_generator *g, bool mkl)
{
    float *const keep = make(setup, ATTN_KEEP, &setup->config.sizes);
    if (keep != NULL) {
        torch_dropout_keep(g, keep, attn_tensor_count(&setup->inputs[ATTN_KEEP]),
                           setup->config.dropout_p, mkl ? TORCH_DROPOUT_MKL : TORCH_DROPOUT_MT);
    }
    return keep != NULL;
}

enum attn_status draw_all(struct setup *setup, const struct config *config,
                          const struct load_set *set, struct attn_error *err)
{
    /* Where q, k and v are given, v may have a width of its own; the module that is drawn has not.
     */
    attn_sizes sizes = setup->config.sizes;
    sizes.d_v = sizes.d;
    struct torch_generator g;
    torch_seed(&g, config->seed);
    if (!draw_layers(setup, &g, &sizes) || !draw_normal(setup, &g, ATTN_X, &sizes) ||
        (attn_variants[config->variant].has_memory &&
         !draw_normal(setup, &g, ATTN_MEMORY, &sizes)) ||
        (drops(setup, config, set) && !draw_keep(setup, &g, config->torch_mkl))) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    return ATTN_OK;
}
