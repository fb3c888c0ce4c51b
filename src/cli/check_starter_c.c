/* The C program that a person starts from. It reads the case as JSON, which takes no library. */
#include <string.h>

#include "check_parts.h"

static const char reader[] =
    "static char *text; /* the case, as JSON: an array by name */\n\n"
    "/* The numbers called name, and how many there are along each of its (last) three axes. */\n"
    "static float *input(const char *name, int dims[3])\n"
    "{\n"
    "    char key[80];\n"
    "    snprintf(key, sizeof key, \"\\\"%s\\\":\", name);\n"
    "    char *at = strstr(text, key);\n"
    "    if (at == NULL)\n"
    "        exit(fprintf(stderr, \"the case has no %s\\n\", name));\n"
    "    at += strlen(key);\n"
    "    float *data = malloc(strlen(at) * sizeof *data);\n"
    "    int n = 0, depth = 0, rank = 0, opened[5] = {1};\n"
    "    do {\n"
    "        at += strspn(at, \" \\n,\");\n"
    "        if (*at == '[') {\n"
    "            rank = ++depth > rank ? depth : rank;\n"
    "            opened[depth]++;\n"
    "            at++;\n"
    "        } else if (*at == ']') {\n"
    "            depth--;\n"
    "            at++;\n"
    "        } else {\n"
    "            data[n++] = strtof(at, &at);\n"
    "        }\n"
    "    } while (depth > 0);\n"
    "    opened[rank + 1] = n;\n"
    "    for (int i = 0; i < 3; i++)\n"
    "        dims[i] = i < 3 - rank ? 1 : opened[i - 1 + rank] / opened[i - 2 + rank];\n"
    "    return data;\n"
    "}\n\n";

static const char opener[] =
    "int main(void)\n"
    "{\n"
    "    char path[4096];\n"
    "    snprintf(path, sizeof path, \"%s\", getenv(\"ATTN_CASE\"));\n"
    "    memcpy(path + strlen(path) - 3, \"json\", 5); /* it lies beside the .npz */\n"
    "    FILE *f = fopen(path, \"rb\");\n"
    "    text = calloc(1, 1 << 24);\n"
    "    fread(text, 1, (1 << 24) - 1, f);\n"
    "    fclose(f);\n\n";

static bool has(enum attn_variant variant, enum attn_tensor_id id)
{
    return attn_variant_has_tensor(variant, id);
}

static void write_parameters(enum attn_variant variant)
{
    static const char *const axes[] = {
        [ATTN_AXIS_NONE] = "",  [ATTN_AXIS_B] = "B", [ATTN_AXIS_T] = "T",   [ATTN_AXIS_S] = "S",
        [ATTN_AXIS_I] = "D_IN", [ATTN_AXIS_D] = "D", [ATTN_AXIS_V] = "D_V", [ATTN_AXIS_3D] = ""};
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = check_inputs(variant, ids);
    for (int i = 0; i < n; i++) {
        const struct attn_tensor_info *const info = &attn_tensors[ids[i]];
        if (info->group == ATTN_GROUP_WEIGHT) {
            cli_printf(",\n                      const float *%s /* ", info->name);
            if (info->axes[1] != ATTN_AXIS_NONE) {
                cli_printf("[%s][%s] */", info->axes[1] == ATTN_AXIS_3D ? "3 * D" : "D",
                           info->axes[2] == ATTN_AXIS_I ? "D_IN" : "D");
            } else {
                cli_printf("[%s] */", info->axes[2] == ATTN_AXIS_3D ? "3 * D" : "D");
            }
        } else {
            cli_printf(",\n                      const float %s[%s][%s][%s]", info->name,
                       axes[info->axes[0]], axes[info->axes[1]], axes[info->axes[2]]);
        }
    }
    if (attn_variant_has(variant, ATTN_STAGE_DROP)) {
        cli_write(",\n                      float p, int training");
    }
}

static void write_reading(enum attn_variant variant)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = check_inputs(variant, ids);
    for (int i = 0; i < n; i++) {
        char name[64];
        attn_tensor_name(variant, ids[i], name, sizeof name);
        cli_printf("    int %s_dims[3];\n    float *%s = input(\"%s\", %s_dims);\n",
                   attn_tensors[ids[i]].name, attn_tensors[ids[i]].name, name,
                   attn_tensors[ids[i]].name);
    }
    if (attn_variant_has(variant, ATTN_STAGE_DROP)) {
        cli_write("    int one[3];\n    float p = input(\"p\", one)[0];\n"
                  "    int training = input(\"training\", one)[0] != 0;\n");
    }
    cli_write("    int B = x_dims[0], T = x_dims[1], D_IN = x_dims[2];\n");
    cli_printf("    int S = %s;\n", has(variant, ATTN_MEMORY) ? "memory_dims[1]" : "T");
    cli_printf("    int D = %s, D_V = D;\n",
               has(variant, ATTN_W_QKV) ? "w_qkv_dims[1] / 3" : "w_q_dims[1]");
}

static void write_call(enum attn_variant variant, const char *result)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = check_inputs(variant, ids);
    cli_printf("    float *%s = calloc((size_t)B * T * D, sizeof *%s);\n", result, result);
    cli_printf("    attention(B, T, S, D_IN, D, D_V, (void *)%s", result);
    for (int i = 0; i < n; i++) {
        const bool weight = attn_tensors[ids[i]].group == ATTN_GROUP_WEIGHT;
        cli_printf(", %s%s", weight ? "" : "(void *)", attn_tensors[ids[i]].name);
    }
    cli_printf("%s);\n\n", attn_variant_has(variant, ATTN_STAGE_DROP) ? ", p, training" : "");
}

static void write_writing(const char *result)
{
    cli_printf("    f = fopen(getenv(\"ATTN_OUT\"), \"wb\");\n"
               "    fprintf(f, \"{\\\"%s\\\": [\");\n"
               "    for (int b = 0; b < B; b++) {\n"
               "        fprintf(f, \"%%s[\", b > 0 ? \", \" : \"\");\n"
               "        for (int t = 0; t < T; t++)\n"
               "            for (int i = 0; i < D; i++) {\n"
               "                float value = %s[(b * T + t) * D + i];\n"
               "                fprintf(f, \"%%s\", i > 0 ? \", \" : t > 0 ? \"], [\" : \"[\");\n"
               "                fprintf(f, isfinite(value) ? \"%%.9g\" : \"\\\"%%g\\\"\", value);\n"
               "            }\n"
               "        fprintf(f, \"]]\");\n"
               "    }\n"
               "    fprintf(f, \"]}\\n\");\n"
               "    fclose(f);\n"
               "    return 0;\n"
               "}\n",
               result, result);
}

void check_starter_c(enum attn_variant variant)
{
    const char *const result = attn_tensors[check_result(variant)].name;
    cli_printf("/* %s. */\n", attn_variants[variant].title);
    cli_printf("/* Fill in the blank; cc -std=c99 THIS-FILE -lm && attn check %s -- ./a.out */\n",
               attn_variants[variant].name);
    cli_write("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
              "#include <string.h>\n\n");
    cli_printf("static void attention(int B, int T, int S, int D_IN, int D, int D_V,\n"
               "                      float %s[B][T][D]",
               result);
    write_parameters(variant);
    cli_write(")\n{\n    /* your code here */\n}\n\n");
    cli_write(reader);
    cli_write(opener);
    write_reading(variant);
    write_call(variant, result);
    write_writing(result);
}
