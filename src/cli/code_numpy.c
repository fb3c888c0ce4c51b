#include "code_parts.h"

static void write_array(const struct code *code, enum attn_tensor_id id)
{
    const char *const name = attn_tensors[id].name;
    int column = 3;
    for (const char *p = name; *p != '\0'; p++) {
        column++;
    }
    cli_printf("%s = ", name);
    code_python_array(code, id, column);
    cli_write("\n");
}

static void write_inputs(const struct code *code)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = code_arguments(code, ids);
    bool mask = false;
    for (int i = 0; i < n; i++) {
        if (ids[i] == ATTN_MASK) {
            mask = true;
        } else {
            write_array(code, ids[i]);
        }
    }
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (attn_tensors[id].group == ATTN_GROUP_WEIGHT &&
            attn_trace_tensor(code->trace, (enum attn_tensor_id)id) != NULL &&
            code_uses(code, attn_tensors[id].name)) {
            write_array(code, (enum attn_tensor_id)id);
        }
    }
    if (mask) {
        code_python_mask(code);
    }
}

void code_numpy(const struct code *code)
{
    int n_flags = 0;
    (void)attn_trace_flags(code->trace, &n_flags);
    code_heading(code);
    code_python_imports(code, false);
    code_python_helpers(code);
    cli_write("\n");
    code_python_files(code);
    if (n_flags > 0 || attn_trace_config(code->trace)->n_bugs > 0) {
        cli_write(
            "np.seterr(all=\"ignore\")  # there is a row without a key, a NaN or an infinity\n");
    }
    write_inputs(code);
    cli_write("\n");
    code_stages(code, "");
    cli_write("\nstages = dict(");
    code_tensor_list(code, "%=%", 14);
    cli_write(")\n");
    code_python_print();
}
