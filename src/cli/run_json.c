#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "walk.h"

static void number(float value)
{
    char text[CLI_NUMBER_MAX];
    cli_write(cli_shortest(value, text));
}

static void string_or_null(const char *text)
{
    if (text == NULL) {
        cli_write("null");
    } else {
        cli_json_string(text);
    }
}

static void write_sizes(const attn_sizes *sizes)
{
    cli_printf("{\"B\": %d, \"T\": %d, \"S\": %d, \"d\": %d, \"d_in\": %d", sizes->B, sizes->T,
               sizes->S, sizes->d, sizes->d_in);
    if (sizes->d_v != sizes->d) {
        cli_printf(", \"d_v\": %d", sizes->d_v);
    }
    cli_write("}");
}

static void write_labels(const struct config_tokens *tokens)
{
    cli_write("[");
    for (int i = 0; i < tokens->n; i++) {
        cli_write(i > 0 ? ", " : "");
        cli_json_string(tokens->labels[i]);
    }
    cli_write("]");
}

/** "causal+padding:3,2+m.npy", as it was asked for. */
static void write_mask(const struct config *config)
{
    cli_write("[");
    for (int i = 0; i < config->n_mask; i++) {
        const struct config_mask_part *const part = &config->mask[i];
        cli_write(i > 0 ? ", " : "");
        switch (part->kind) {
        case CONFIG_MASK_CAUSAL:
            cli_write("{\"kind\": \"causal\"}");
            break;
        case CONFIG_MASK_PADDING:
            cli_write("{\"kind\": \"padding\", \"lengths\": [");
            for (int k = 0; k < part->n_lengths; k++) {
                cli_printf("%s%d", k > 0 ? ", " : "", part->lengths[k]);
            }
            cli_write("]}");
            break;
        case CONFIG_MASK_FILE:
            cli_write("{\"kind\": \"file\", \"file\": ");
            cli_json_string(part->path);
            cli_write("}");
            break;
        }
    }
    cli_write("]");
}

static void write_loads(const struct config *config)
{
    cli_write("[");
    for (int i = 0; i < config->n_loads; i++) {
        cli_write(i > 0 ? ", {" : "{");
        cli_json_key(true, "name");
        string_or_null(config->loads[i].name);
        cli_json_key(false, "file");
        cli_json_string(config->loads[i].path);
        cli_write("}");
    }
    cli_write("]");
}

static void write_bugs(const attn_config *config)
{
    cli_write("[");
    for (int i = 0; i < config->n_bugs; i++) {
        cli_write(i > 0 ? ", " : "");
        cli_json_string(attn_bugs[config->bugs[i]].name);
    }
    cli_write("]");
}

/** The shortest decimal of a probability given as one. */
static void write_probability(double p)
{
    char text[CLI_NUMBER_MAX];
    for (int digits = 1; digits <= 17; digits++) {
        double back = 0;
        snprintf(text, sizeof text, "%.*g", digits, p);
        if (config_parse_real(text, &back) && back >= p && back <= p) {
            break;
        }
    }
    cli_write(text);
}

static void write_options(const struct config *config, const struct setup *setup)
{
    const attn_config *const c = &setup->config;
    cli_printf("{\"seed\": %s", setup->seed_text);
    cli_json_key(false, "tokens");
    write_labels(&setup->tokens);
    cli_json_key(false, "memory_tokens");
    write_labels(&setup->memory_tokens);
    cli_json_key(false, "mask");
    write_mask(config);
    cli_json_key(false, "mask_text");
    cli_json_string(setup->mask_text);
    cli_json_key(false, "mask_fill");
    number(c->mask_fill);
    cli_printf(", \"mask_keeps\": %d", config->mask_keeps);
    cli_json_key(false, "causal_align");
    cli_json_string(config->causal_align == ATTN_CAUSAL_TOP_LEFT ? "top-left" : "bottom-right");
    cli_json_key(false, "empty_row");
    cli_json_string(c->empty_row == ATTN_EMPTY_ZEROS ? "zeros" : "nan");
    cli_json_key(false, "scale");
    if (c->scale_given) {
        number(c->scale);
    } else {
        cli_json_string("1/sqrt(d)");
    }
    cli_json_key(false, "dropout");
    if (attn_variant_has(c->variant, ATTN_STAGE_DROP)) {
        write_probability(c->dropout_p);
    } else {
        cli_write("null");
    }
    cli_printf(", \"train\": %s", c->training ? "true" : "false");
    cli_json_key(false, "torch_dropout");
    cli_json_string(config->torch_mkl ? "mkl" : "mt");
    cli_json_key(false, "bugs");
    write_bugs(c);
    cli_json_key(false, "load");
    write_loads(config);
    cli_write("}");
}

static void write_data(const attn_tensor *t)
{
    bool first = true;
    for (int b = 0; b < t->dims[0]; b++) {
        for (int r = 0; r < t->dims[1] && !cli_write_failed(); r++) {
            for (int c = 0; c < t->dims[2]; c++) {
                cli_write(first ? "" : ", ");
                number(*attn_tensor_at(t, b, r, c));
                first = false;
            }
        }
    }
}

static void write_tensor(const attn_trace *trace, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    char name[64];
    attn_tensor_name(attn_trace_config(trace)->variant, id, name, sizeof name);
    cli_write("{");
    cli_json_key(true, "name");
    cli_json_string(name);
    cli_json_key(false, "stage");
    string_or_null(cli_stage_key(trace, id));
    cli_json_key(false, "shape");
    cli_write("[");
    for (int i = 3 - t->rank; i < 3; i++) {
        cli_printf("%s%d", i > 3 - t->rank ? ", " : "", t->dims[i]);
    }
    cli_write("]");
    cli_json_key(false, "data");
    cli_write("[");
    write_data(t);
    cli_write("]}");
}

static void write_flag(const struct setup *setup, const attn_trace *trace,
                       const struct attn_flag *flag)
{
    static const char *const kinds[] = {[ATTN_FLAG_EMPTY_ROW] = "empty_row",
                                        [ATTN_FLAG_UNIFORM_ROW] = "uniform_row",
                                        [ATTN_FLAG_NAN] = "nan",
                                        [ATTN_FLAG_INF] = "inf"};
    char name[64];
    char text[512];
    attn_tensor_name(attn_trace_config(trace)->variant, flag->tensor, name, sizeof name);
    walk_flag_text(setup, trace, flag, text, sizeof text);
    const int rank = attn_trace_tensor(trace, flag->tensor)->rank;
    cli_write("{");
    cli_json_key(true, "kind");
    cli_json_string(kinds[flag->kind]);
    cli_json_key(false, "tensor");
    cli_json_string(name);
    cli_json_key(false, "at");
    cli_write("[");
    for (int i = 3 - rank; i < 3; i++) {
        cli_printf("%s%d", i > 3 - rank ? ", " : "", flag->at[i]);
    }
    cli_printf("], \"count\": %zu", flag->count);
    cli_json_key(false, "text");
    cli_json_string(text);
    cli_write("}");
}

void run_json(const struct cli *cli, const struct setup *setup, const attn_trace *trace,
              const enum attn_tensor_id *ids, int n)
{
    int n_flags = 0;
    const struct attn_flag *const flags = attn_trace_flags(trace, &n_flags);
    cli_write("{");
    cli_json_key(true, "variant");
    cli_json_string(attn_variants[setup->config.variant].name);
    cli_json_key(false, "sizes");
    write_sizes(&setup->config.sizes);
    cli_json_key(false, "options");
    write_options(&cli->config, setup);
    cli_write(",\n\"tensors\": [");
    for (int i = 0; i < n; i++) {
        cli_write(i > 0 ? ",\n" : "\n");
        write_tensor(trace, ids[i]);
    }
    cli_write("\n],\n\"flags\": [");
    for (int i = 0; i < n_flags; i++) {
        cli_write(i > 0 ? ",\n" : "\n");
        write_flag(setup, trace, &flags[i]);
    }
    cli_write(n_flags > 0 ? "\n]}\n" : "]}\n");
}
