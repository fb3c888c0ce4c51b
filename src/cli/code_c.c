#include "code_parts.h"

/* The functions that the stages' lines call: see the head of the stage table. */

static const char dot[] = "static float dot(const float *a, const float *b, int n)\n"
                          "{\n"
                          "    float sum = 0;\n"
                          "    for (int i = 0; i < n; i++)\n"
                          "        sum += a[i] * b[i];\n"
                          "    return sum;\n"
                          "}\n\n";

static const char linear[] =
    "static void linear(float *out, const float *in, const float *weight, const float *bias,\n"
    "                   int rows, int n_in, int n_out)\n"
    "{\n"
    "    for (int r = 0; r < rows; r++)\n"
    "        for (int o = 0; o < n_out; o++)\n"
    "            out[r * n_out + o] =\n"
    "                dot(in + r * n_in, weight + o * n_in, n_in) + (bias != NULL ? bias[o] : 0);\n"
    "}\n\n";

static const char softmax_begins[] = "static void softmax(float *out, const float *in, int n)\n"
                                     "{\n"
                                     "    float max = in[0], sum = 0;\n"
                                     "    for (int i = 1; i < n; i++)\n"
                                     "        max = fmaxf(max, in[i]);\n";

static const char softmax_empty[] =
    "    int keys = 0; /* that are left; without one there are no weights */\n"
    "    for (int i = 0; i < n; i++)\n"
    "        keys += in[i] != -INFINITY;\n"
    "    for (int i = 0; keys == 0 && i < n; i++)\n"
    "        out[i] = 0;\n"
    "    if (keys == 0)\n"
    "        return;\n";

static const char softmax_ends[] = "    for (int i = 0; i < n; i++)\n"
                                   "        sum += out[i] = expf(in[i] - max);\n"
                                   "    for (int i = 0; i < n; i++)\n"
                                   "        out[i] /= sum;\n"
                                   "}\n\n";

static const char add_scaled[] =
    "static void add_scaled(float *out, float factor, const float *in, int n)\n"
    "{\n"
    "    for (int i = 0; i < n; i++)\n"
    "        out[i] += factor * in[i];\n"
    "}\n\n";

static const char print[] =
    "static void print(const char *name, const float *data, int rows, int columns)\n"
    "{\n"
    "    for (int b = 0; b < B; b++) {\n"
    "        printf(\"%s [%d] %dx%d\\n\", name, b, rows, columns);\n"
    "        for (int i = 0; i < rows * columns; i++) {\n"
    "            const float value = *data++;\n"
    "            const char end = (i + 1) % columns == 0 ? '\\n' : ' ';\n"
    "            if (isnan(value))\n"
    "                printf(\"      nan%c\", end);\n"
    "            else\n"
    "                printf(\"%9.4f%c\", fabs(value) < 0.00005 ? 0 : value, end);\n"
    "        }\n"
    "    }\n"
    "}\n\n";

static const struct code_nest nested = {"{", "}", false};
static const struct code_nest flat = {"{", "}", true};

static bool exists(const struct code *code, enum attn_tensor_id id)
{
    return attn_trace_tensor(code->trace, id) != NULL;
}

static const char *axis_name(enum attn_axis axis)
{
    static const char *const names[] = {
        [ATTN_AXIS_NONE] = "1", [ATTN_AXIS_B] = "B",     [ATTN_AXIS_T] = "T",
        [ATTN_AXIS_S] = "S",    [ATTN_AXIS_I] = "D_IN",  [ATTN_AXIS_D] = "D",
        [ATTN_AXIS_V] = "D_V",  [ATTN_AXIS_3D] = "3 * D"};
    return names[axis];
}

/** Has an empty row become zeros? */
static bool has_empty_row(const struct code *code)
{
    int n = 0;
    const struct attn_flag *const flags = attn_trace_flags(code->trace, &n);
    for (int i = 0; i < n; i++) {
        if (flags[i].kind == ATTN_FLAG_EMPTY_ROW) {
            return attn_trace_config(code->trace)->empty_row == ATTN_EMPTY_ZEROS;
        }
    }
    return false;
}

/* ---- the numbers ---- */

/** "q[B][T][D]", a weight "w_q[D * D_IN]". */
static void write_declaration(enum attn_tensor_id id)
{
    const struct attn_tensor_info *const info = &attn_tensors[id];
    cli_write(info->name);
    if (info->group == ATTN_GROUP_WEIGHT) {
        const bool bias = info->axes[1] == ATTN_AXIS_NONE;
        cli_printf("[%s%s%s]", bias ? "" : axis_name(info->axes[1]), bias ? "" : " * ",
                   axis_name(info->axes[2]));
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (info->axes[i] != ATTN_AXIS_NONE) {
            cli_printf("[%s]", axis_name(info->axes[i]));
        }
    }
}

static bool is_computed_mask(const struct code *code)
{
    bool computed = !code->setup->loaded_tensor[ATTN_MASK];
    for (int i = 0; i < code->config->n_mask; i++) {
        computed = computed && code->config->mask[i].kind != CONFIG_MASK_FILE;
    }
    return computed;
}

/** Does the program use a mask, and make it? */
static bool computes_mask(const struct code *code)
{
    return exists(code, ATTN_MASK) && is_computed_mask(code) &&
           code_uses(code, attn_tensors[ATTN_MASK].name);
}

static void write_array(const struct code *code, enum attn_tensor_id id)
{
    const bool weight = attn_tensors[id].group == ATTN_GROUP_WEIGHT;
    cli_write("static const float ");
    write_declaration(id);
    cli_write(" =\n    ");
    code_numbers(code, attn_trace_tensor(code->trace, id), weight ? &flat : &nested, 4);
    cli_write(";\n");
}

static void write_data(const struct code *code)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = code_arguments(code, ids);
    for (int i = 0; i < n; i++) {
        if (ids[i] != ATTN_MASK || !is_computed_mask(code)) {
            write_array(code, ids[i]);
        }
    }
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (attn_tensors[id].group == ATTN_GROUP_WEIGHT && exists(code, (enum attn_tensor_id)id) &&
            code_uses(code, attn_tensors[id].name)) {
            write_array(code, (enum attn_tensor_id)id);
        }
    }
    if (computes_mask(code)) {
        cli_write("static float mask[B][T][S];\n");
    }
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (attn_trace_writer(code->trace, (enum attn_tensor_id)id) != ATTN_NO_STAGE) {
            cli_write("static float ");
            write_declaration((enum attn_tensor_id)id);
            cli_write(";\n");
        }
    }
    cli_write("\n");
}

/* ---- the mask ---- */

static void write_lengths(const struct code *code)
{
    for (int i = 0; i < code->config->n_mask; i++) {
        const struct config_mask_part *const part = &code->config->mask[i];
        if (part->kind != CONFIG_MASK_PADDING || part->n_lengths == 1) {
            continue;
        }
        cli_printf("    static const int real%d[B] = {", i);
        for (int b = 0; b < part->n_lengths; b++) {
            cli_printf("%s%d", b > 0 ? ", " : "", part->lengths[b]);
        }
        cli_write("};\n");
    }
}

static void write_mask_part(const struct code *code, int i)
{
    const struct config *const config = code->config;
    const struct config_mask_part *const part = &config->mask[i];
    if (part->kind == CONFIG_MASK_CAUSAL) {
        const bool right = config->causal_align == ATTN_CAUSAL_BOTTOM_RIGHT;
        cli_printf("s <= t%s", right ? " + (S - T)" : "");
    } else if (part->n_lengths == 1) {
        cli_printf("s < %d", part->lengths[0]);
    } else {
        cli_printf("s < real%d[b]", i);
    }
}

static void write_mask(const struct code *code)
{
    if (!computes_mask(code)) {
        return;
    }
    write_lengths(code);
    cli_write("    for (int b = 0; b < B; b++)\n"
              "        for (int t = 0; t < T; t++)\n"
              "            for (int s = 0; s < S; s++)\n"
              "                mask[b][t][s] = ");
    for (int i = 0; i < code->config->n_mask; i++) {
        cli_write(i > 0 ? " && " : "");
        write_mask_part(code, i);
    }
    cli_write(";\n");
}

/* ---- the program ---- */

static void write_helpers(const struct code *code)
{
    const bool layers = code_uses(code, "linear");
    if (layers || code_uses(code, "dot")) {
        cli_write(dot);
    }
    if (layers) {
        cli_write(linear);
    }
    if (code_uses(code, "softmax")) {
        cli_write(softmax_begins);
        cli_write(has_empty_row(code) ? softmax_empty : "");
        cli_write(softmax_ends);
    }
    if (code_uses(code, "add_scaled")) {
        cli_write(add_scaled);
    }
    cli_write(print);
}

static void write_main(const struct code *code)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = cli_stage_tensors(code->trace, ids);
    cli_write("int main(void)\n{\n");
    write_mask(code);
    cli_write("    for (int b = 0; b < B; b++) {\n");
    code_stages(code, "        ");
    cli_write("    }\n");
    for (int i = 0; i < n; i++) {
        const struct attn_tensor_info *const info = &attn_tensors[ids[i]];
        cli_printf("    print(\"%s\", %s[0][0], %s, %s);\n", info->name, info->name,
                   axis_name(info->axes[1]), axis_name(info->axes[2]));
    }
    cli_write("    return 0;\n}\n");
}

void code_c(const struct code *code)
{
    const attn_sizes *const z = &attn_trace_config(code->trace)->sizes;
    code_heading(code);
    cli_printf("/* cc -std=c11 FILE.c -lm */\n"
               "#include <math.h>\n#include <stdio.h>\n%s\n",
               code_uses(code, "memcpy") || code_uses(code, "memset") ? "#include <string.h>\n"
                                                                      : "");
    cli_printf("enum { B = %d, T = %d, S = %d, D_IN = %d, D = %d, D_V = %d };\n\n", z->B, z->T,
               z->S, z->d_in, z->d, z->d_v);
    write_data(code);
    write_helpers(code);
    write_main(code);
}
