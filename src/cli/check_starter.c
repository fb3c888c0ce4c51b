/* What a person starts from: the case is read, the result written, and the middle is left blank. */
#include <stdio.h>
#include <string.h>

#include "check_parts.h"

int check_inputs(enum attn_variant variant, enum attn_tensor_id ids[ATTN_N_TENSORS])
{
    int n = 0;
    for (int group = ATTN_GROUP_INPUT; group <= ATTN_GROUP_WEIGHT; group++) {
        for (int i = 0; i < ATTN_N_TENSORS; i++) {
            const enum attn_tensor_id id = (enum attn_tensor_id)i;
            const bool last = id == ATTN_MASK || id == ATTN_KEEP;
            if (!last && (int)attn_tensors[i].group == group &&
                attn_variant_has_tensor(variant, id)) {
                ids[n++] = id;
            }
        }
    }
    for (int i = ATTN_MASK; i <= ATTN_KEEP; i++) {
        if (attn_variant_has_tensor(variant, (enum attn_tensor_id)i)) {
            ids[n++] = (enum attn_tensor_id)i;
        }
    }
    return n;
}

enum attn_tensor_id check_result(enum attn_variant variant)
{
    return attn_variant_has(variant, ATTN_STAGE_OUTPUT) ? ATTN_OUTPUT : ATTN_CONTEXT;
}

static bool drops(enum attn_variant variant)
{
    return attn_variant_has(variant, ATTN_STAGE_DROP);
}

/** "[B,T,d]" */
static void write_shape(enum attn_variant variant, enum attn_tensor_id id)
{
    const char *const names[] = {[ATTN_AXIS_NONE] = "",
                                 [ATTN_AXIS_B] = "B",
                                 [ATTN_AXIS_T] = "T",
                                 [ATTN_AXIS_S] = "S",
                                 [ATTN_AXIS_I] = attn_variants[variant].square ? "d" : "d_in",
                                 [ATTN_AXIS_D] = "d",
                                 [ATTN_AXIS_V] = "d",
                                 [ATTN_AXIS_3D] = "3d"};
    bool first = true;
    cli_write("[");
    for (int i = 0; i < 3; i++) {
        const enum attn_axis axis = attn_tensors[id].axes[i];
        if (axis != ATTN_AXIS_NONE) {
            cli_printf("%s%s", first ? "" : ",", names[axis]);
            first = false;
        }
    }
    cli_write("]");
}

/** What the arguments are, a line each, as comments. */
static void write_meanings(enum attn_variant variant, const char *indent, bool weights)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = check_inputs(variant, ids);
    for (int i = 0; i < n; i++) {
        if (weights || attn_tensors[ids[i]].group != ATTN_GROUP_WEIGHT) {
            cli_printf("%s# %s ", indent, attn_tensors[ids[i]].name);
            write_shape(variant, ids[i]);
            cli_printf(": %s\n", attn_tensors[ids[i]].meaning);
        }
    }
    if (drops(variant)) {
        cli_printf("%s# p: how often a weight is dropped, %s;\n%s#    keep is that draw, made "
                   "already: do not draw another\n",
                   indent,
                   weights ? "and only where training is true" : "and only where self.training is",
                   indent);
    }
}

static void write_names(enum attn_variant variant, bool weights, const char *extra)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = check_inputs(variant, ids);
    bool first = true;
    for (int i = 0; i < n; i++) {
        if (weights || attn_tensors[ids[i]].group != ATTN_GROUP_WEIGHT) {
            cli_printf("%s%s", first ? "" : ", ", attn_tensors[ids[i]].name);
            first = false;
        }
    }
    cli_write(drops(variant) ? extra : "");
}

static void write_heading(enum attn_variant variant)
{
    cli_printf("# %s.\n", attn_variants[variant].title);
    cli_printf("# Fill in the blank, then: attn check %s -- python3 THIS-FILE\n",
               attn_variants[variant].name);
}

static void write_blank(enum attn_variant variant, const char *indent)
{
    cli_printf("%s# Returns %s ", indent, attn_tensors[check_result(variant)].name);
    write_shape(variant, check_result(variant));
    cli_printf(".\n%sraise NotImplementedError  # your code here\n", indent);
}

static void write_numpy(enum attn_variant variant)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = check_inputs(variant, ids);
    const char *const result = attn_tensors[check_result(variant)].name;
    write_heading(variant);
    cli_write("import os\n\nimport numpy as np\n\n\ndef attention(");
    write_names(variant, true, ", p, training");
    cli_write("):\n");
    write_meanings(variant, "    ", true);
    write_blank(variant, "    ");
    cli_write("\n\ncase = np.load(os.environ[\"ATTN_CASE\"])\n");
    cli_printf("%s = attention(\n", result);
    for (int i = 0; i < n; i++) {
        char name[64];
        attn_tensor_name(variant, ids[i], name, sizeof name);
        cli_printf("    %s=case[\"%s\"],\n", attn_tensors[ids[i]].name, name);
    }
    if (drops(variant)) {
        cli_write("    p=case[\"p\"].item(),\n    training=bool(case[\"training\"].item()),\n");
    }
    cli_printf(")\nnp.savez(os.environ[\"ATTN_OUT\"], %s=%s)\n", result, result);
}

static void write_layers(enum attn_variant variant)
{
    const struct attn_variant_info *const info = &attn_variants[variant];
    for (const enum attn_layer *layer = info->layers; *layer != ATTN_N_LAYERS; layer++) {
        const bool merged = *layer == ATTN_LAYER_QKV;
        cli_printf("        self.%s = nn.Linear(%s, %s%s)\n", info->layer_names[*layer],
                   info->square ? "d" : "d_in", merged ? "3 * d" : "d",
                   info->bias ? "" : ", bias=False");
    }
}

static void write_pytorch(enum attn_variant variant)
{
    const struct attn_variant_info *const info = &attn_variants[variant];
    const char *const result = attn_tensors[check_result(variant)].name;
    const char *const layer = info->layer_names[info->layers[0]];
    write_heading(variant);
    cli_write("import math\nimport os\n\nimport numpy as np\nimport torch\n"
              "import torch.nn.functional as F\nfrom torch import nn\n\n\n");
    cli_printf("class %s(nn.Module):\n    def __init__(self, %sd):\n        super().__init__()\n",
               info->class_name, info->square ? "" : "d_in, ");
    write_layers(variant);
    cli_write("\n    def forward(self, ");
    write_names(variant, false, ", p");
    cli_write("):\n");
    write_meanings(variant, "        ", false);
    write_blank(variant, "        ");
    cli_write("\n\ncase = {name: torch.from_numpy(array)\n"
              "        for name, array in np.load(os.environ[\"ATTN_CASE\"]).items()}\n");
    cli_printf("model = %s(%scase[\"%s.weight\"].size(0)%s)\n", info->class_name,
               info->square ? "" : "case[\"x\"].size(-1), ", layer,
               info->layers[0] == ATTN_LAYER_QKV ? " // 3" : "");
    cli_write("model.load_state_dict({name: case[name] for name in model.state_dict()})\n");
    if (drops(variant)) {
        cli_write("model.train(bool(case[\"training\"].item()))\n");
    }
    cli_printf("with torch.no_grad():\n    %s = model(", result);
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = check_inputs(variant, ids);
    bool first = true;
    for (int i = 0; i < n; i++) {
        if (attn_tensors[ids[i]].group != ATTN_GROUP_WEIGHT) {
            cli_printf("%scase[\"%s\"]", first ? "" : ", ", attn_tensors[ids[i]].name);
            first = false;
        }
    }
    cli_printf("%s)\nnp.savez(os.environ[\"ATTN_OUT\"], %s=%s.numpy())\n",
               drops(variant) ? ", case[\"p\"].item()" : "", result, result);
}

enum cli_status check_starter(enum attn_variant variant, const char *language)
{
    static const struct {
        const char *name;
        void (*write)(enum attn_variant variant);
    } rows[] = {{"pytorch", write_pytorch}, {"numpy", write_numpy}, {"c", check_starter_c}};
    const char *names[sizeof rows / sizeof rows[0]];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        names[i] = rows[i].name;
        if (strcmp(rows[i].name, language) == 0) {
            rows[i].write(variant);
            return CLI_DONE;
        }
    }
    const char *const near = config_nearest(language, names, sizeof rows / sizeof rows[0]);
    cli_message("--starter", "'%s' is no language to start in (%s%s%sthere are pytorch, numpy, c)",
                language, near != NULL ? "did you mean " : "", near != NULL ? near : "",
                near != NULL ? "? " : "");
    return CLI_USAGE;
}
