#include <stdio.h>
#include <string.h>

#include "code_parts.h"

static bool exists(const struct code *code, enum attn_tensor_id id)
{
    return attn_trace_tensor(code->trace, id) != NULL;
}

/* ---- what is drawn ---- */

/** The draws of the canonical program, in order. */
enum draw { DRAW_LAYERS, DRAW_X, DRAW_MEMORY, DRAW_DROPOUT, N_DRAWS };

/** Is what the seed gives here used, or was all of it loaded or left out? */
static bool is_drawn(const struct code *code, enum draw draw)
{
    const struct setup *const setup = code->setup;
    const attn_config *const config = attn_trace_config(code->trace);
    switch (draw) {
    case DRAW_LAYERS:
        for (int id = 0; id < ATTN_N_TENSORS; id++) {
            if (attn_tensors[id].group == ATTN_GROUP_WEIGHT &&
                exists(code, (enum attn_tensor_id)id) && !setup->loaded_tensor[id]) {
                return true;
            }
        }
        return false;
    case DRAW_X:
        return exists(code, ATTN_X) && !setup->loaded_tensor[ATTN_X];
    case DRAW_MEMORY:
        return exists(code, ATTN_MEMORY) && !setup->loaded_tensor[ATTN_MEMORY];
    case DRAW_DROPOUT:
        return exists(code, ATTN_DROPPED) && !config->keep_given && config->dropout_p < 1;
    case N_DRAWS:
        break;
    }
    return false;
}

/** The last draw that is used; those before it are made for its sake. @return -1: none. */
static int last_draw(const struct code *code)
{
    int last = N_DRAWS - 1;
    while (last >= 0 && !is_drawn(code, (enum draw)last)) {
        last--;
    }
    return last;
}

/* ---- the module ---- */

/** A layer that the forward pass or the order of the draws needs. */
static bool has_layer(const struct code *code, enum attn_layer layer)
{
    return exists(code, attn_layers[layer].weight) || last_draw(code) >= 0;
}

static bool has_layers(const struct code *code)
{
    const enum attn_layer *layer = attn_variants[code->config->variant].layers;
    while (*layer != ATTN_N_LAYERS && !has_layer(code, *layer)) {
        layer++;
    }
    return *layer != ATTN_N_LAYERS;
}

/** The module's argument that an axis is as wide as. */
static const char *width_name(const struct code *code, enum attn_axis axis)
{
    return axis == ATTN_AXIS_3D                                                  ? "3 * d"
           : axis == ATTN_AXIS_I && !attn_variants[code->config->variant].square ? "d_in"
                                                                                 : "d";
}

static void write_init(const struct code *code)
{
    const struct attn_variant_info *const variant = &attn_variants[code->config->variant];
    if (!has_layers(code)) {
        return;
    }
    cli_printf("    def __init__(self, %sd):\n        super().__init__()\n",
               variant->square ? "" : "d_in, ");
    for (const enum attn_layer *layer = variant->layers; *layer != ATTN_N_LAYERS; layer++) {
        const enum attn_axis *const axes = attn_tensors[attn_layers[*layer].weight].axes;
        if (has_layer(code, *layer)) {
            cli_printf("        self.%s = nn.Linear(%s, %s%s)\n", variant->layer_names[*layer],
                       width_name(code, axes[2]), width_name(code, axes[1]),
                       variant->bias ? "" : ", bias=False");
        }
    }
    cli_write("\n");
}

static void write_arguments(const struct code *code, bool first)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = code_arguments(code, ids);
    for (int i = 0; i < n; i++) {
        cli_printf("%s%s", first && i == 0 ? "" : ", ", attn_tensors[ids[i]].name);
    }
}

static void write_module(const struct code *code)
{
    cli_printf("\n\nclass %s(nn.Module):\n", attn_variants[code->config->variant].class_name);
    write_init(code);
    cli_write("    def forward(self");
    write_arguments(code, false);
    cli_write("):\n");
    code_stages(code, "        ");
    cli_write("        return dict(");
    code_tensor_list(code, "%=%", 20);
    cli_write(")\n\n\n");
}

/* ---- the program ---- */

static void write_model(const struct code *code)
{
    const attn_config *const config = attn_trace_config(code->trace);
    const struct attn_variant_info *const variant = &attn_variants[config->variant];
    cli_printf("model = %s(", variant->class_name);
    if (has_layers(code)) {
        if (!variant->square) {
            cli_printf("%d, ", config->sizes.d_in);
        }
        cli_printf("%d", config->sizes.d);
    }
    cli_write(")");
    if (attn_variant_has(config->variant, ATTN_STAGE_DROP)) {
        cli_write(config->training ? ".train()" : ".eval()");
    }
    cli_write("\n");
}

static bool is_loaded_weight(const struct code *code, enum attn_tensor_id id)
{
    return attn_tensors[id].group == ATTN_GROUP_WEIGHT && exists(code, id) &&
           code->setup->loaded_tensor[id];
}

/** Is every parameter of the module loaded? */
static bool is_whole(const struct code *code)
{
    const struct attn_variant_info *const variant = &attn_variants[code->config->variant];
    bool whole = true;
    for (const enum attn_layer *layer = variant->layers; *layer != ATTN_N_LAYERS; layer++) {
        const struct attn_layer_info *const info = &attn_layers[*layer];
        whole = whole && (!has_layer(code, *layer) ||
                          (is_loaded_weight(code, info->weight) &&
                           (!variant->bias || is_loaded_weight(code, info->bias))));
    }
    return whole;
}

static void write_state(const struct code *code)
{
    bool any = false;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        char name[64];
        if (is_loaded_weight(code, (enum attn_tensor_id)id)) {
            attn_tensor_name(code->config->variant, (enum attn_tensor_id)id, name, sizeof name);
            cli_printf("%s    \"%s\": ", any ? "" : "model.load_state_dict({\n", name);
            code_python_array(code, (enum attn_tensor_id)id, 8 + (int)strlen(name));
            cli_write(",\n");
            any = true;
        }
    }
    if (any) {
        cli_printf("}%s)\n", is_whole(code) ? "" : ", strict=False");
    }
}

/** randn, where its numbers are used or come before others that are. */
static void write_randn(const struct code *code, enum attn_tensor_id id, enum draw draw)
{
    const attn_sizes *const z = &code->setup->config.sizes;
    const bool used = is_drawn(code, draw);
    if ((int)draw > last_draw(code) || !attn_variant_has_tensor(code->config->variant, id)) {
        return;
    }
    cli_printf("%s%storch.randn(%d, %d, %d)%s\n", used ? attn_tensors[id].name : "",
               used ? " = " : "", z->B, id == ATTN_X ? z->T : z->S, z->d_in,
               used ? "" : "  # not used: what is drawn after it depends on it");
}

static void write_inputs(const struct code *code)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = code_arguments(code, ids);
    write_randn(code, ATTN_X, DRAW_X);
    write_randn(code, ATTN_MEMORY, DRAW_MEMORY);
    for (int i = 0; i < n; i++) {
        const char *const name = attn_tensors[ids[i]].name;
        if (ids[i] == ATTN_MASK) {
            code_python_mask(code);
        } else if (code->setup->loaded_tensor[ids[i]] ||
                   (ids[i] != ATTN_X && ids[i] != ATTN_MEMORY)) {
            cli_printf("%s = ", name);
            code_python_array(code, ids[i], (int)strlen(name) + 3);
            cli_write("\n");
        }
    }
}

void code_torch(const struct code *code)
{
    const attn_config *const config = attn_trace_config(code->trace);
    code_heading(code);
    if (is_drawn(code, DRAW_DROPOUT)) {
        cli_printf("# Dropout's pattern is that of PyTorch %s MKL (--torch-dropout).\n",
                   code->config->torch_mkl ? "with" : "without");
    }
    code_python_imports(code, !config->scale_given);
    cli_write("import torch\nimport torch.nn.functional as F\nfrom torch import nn\n");
    code_python_helpers(code);
    write_module(code);
    code_python_files(code);
    if (last_draw(code) >= 0) {
        cli_printf("torch.manual_seed(%s)\n", code->setup->seed_text);
    }
    write_model(code);
    write_state(code);
    write_inputs(code);
    cli_write("with torch.no_grad():\n    stages = model(");
    write_arguments(code, true);
    cli_write(")\n\n");
    code_python_print();
}
