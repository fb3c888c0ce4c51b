#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code_parts.h"

enum { LINE_COLUMNS = 96, SNIPPET_MAX = 1024 };

/** How a language writes what has no digits, and what it adds to those that have. */
static const struct {
    const char *nan, *infinity, *minus_infinity, *suffix;
} spellings[ATTN_N_LANGS] = {
    [ATTN_LANG_PYTORCH] = {"float(\"nan\")", "float(\"inf\")", "float(\"-inf\")", ""},
    [ATTN_LANG_NUMPY] = {"np.nan", "np.inf", "-np.inf", ""},
    [ATTN_LANG_C] = {"NAN", "INFINITY", "-INFINITY", "f"},
};

/** A literal that reads back to the same float32, by way of a double too. */
static void write_number(float value, enum attn_lang lang, char out[CLI_NUMBER_MAX])
{
    if (isnan(value) || isinf(value)) {
        snprintf(out, CLI_NUMBER_MAX, "%s",
                 isnan(value) ? spellings[lang].nan
                 : value > 0  ? spellings[lang].infinity
                              : spellings[lang].minus_infinity);
        return;
    }
    cli_shortest(value, out);
    if ((float)strtod(out, NULL) != value) {
        snprintf(out, CLI_NUMBER_MAX, "%.17g", (double)value);
    }
    const size_t used = strlen(out);
    snprintf(out + used, CLI_NUMBER_MAX - used, "%s%s", strpbrk(out, ".e") == NULL ? ".0" : "",
             spellings[lang].suffix);
}

/** Begin a line at column. */
static void begin_line(int column)
{
    cli_printf("\n%*s", column, "");
}

static bool is_mask(const struct code *code, const attn_tensor *t)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (t == attn_trace_tensor(code->trace, (enum attn_tensor_id)id)) {
            return attn_tensors[id].kind == ATTN_KIND_MASK;
        }
    }
    return false;
}

static void write_row(const struct code *code, const attn_tensor *t, int b, int r, int *column,
                      int left)
{
    const bool mask = is_mask(code, t);
    for (int c = 0; c < t->dims[2]; c++) {
        char text[CLI_NUMBER_MAX];
        const float value = *attn_tensor_at(t, b, r, c);
        if (mask) {
            snprintf(text, sizeof text, "%d", value != 0);
        } else {
            write_number(value, code->lang, text);
        }
        const int width = (int)strlen(text) + 2;
        if (c > 0 && *column + width > LINE_COLUMNS) {
            cli_write(",");
            begin_line(left);
            *column = left;
        } else if (c > 0) {
            cli_write(", ");
        }
        cli_write(text);
        *column += width;
    }
}

static void repeat(const char *text, int n)
{
    for (int i = 0; i < n; i++) {
        cli_write(text);
    }
}

void code_numbers(const struct code *code, const attn_tensor *t, const struct code_nest *nest,
                  int column)
{
    const int rank = nest->flat || t->rank < 1 ? 1 : t->rank;
    const int last_b = t->dims[0] - 1;
    const int last_r = t->dims[1] - 1;
    for (int b = 0; b <= last_b && !cli_write_failed(); b++) {
        for (int r = 0; r <= last_r; r++) {
            const bool first = b == 0 && r == 0;
            const bool last = b == last_b && r == last_r;
            /* How many nests start before this row, and end behind it. */
            const int opens = first ? rank : nest->flat ? 0 : r == 0 ? 2 : 1;
            const int closes = last ? rank : nest->flat ? 0 : r == last_r ? 2 : 1;
            const int left = column + rank;
            if (!first) {
                begin_line(left - opens);
            }
            int at = left;
            repeat(nest->open, opens);
            write_row(code, t, b, r, &at, left);
            repeat(nest->close, closes);
            cli_write(last ? "" : ",");
        }
    }
}

static bool is_word_part(char c)
{
    return c != '\0' && (isalnum((unsigned char)c) || c == '_');
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    const char *at = strstr(text, word);
    while (at != NULL && ((at > text && is_word_part(at[-1])) || is_word_part(at[length]))) {
        at = strstr(at + 1, word);
    }
    return at != NULL;
}

bool code_uses(const struct code *code, const char *word)
{
    for (int i = 0; i < attn_trace_n_stages(code->trace); i++) {
        const enum attn_stage stage = attn_trace_stage(code->trace, i);
        char text[SNIPPET_MAX];
        if (!attn_trace_idle(code->trace, stage)) {
            attn_trace_snippet(code->trace, stage, code->lang, text, sizeof text);
            if (has_word(text, word)) {
                return true;
            }
        }
    }
    return false;
}

void code_stages(const struct code *code, const char *indent)
{
    const bool c = code->lang == ATTN_LANG_C;
    for (int i = 0; i < attn_trace_n_stages(code->trace); i++) {
        const enum attn_stage stage = attn_trace_stage(code->trace, i);
        const struct attn_stage_info *const info = &attn_stages[stage];
        if (attn_trace_idle(code->trace, stage)) {
            continue;
        }
        const char *const colon = strchr(info->title, ':');
        cli_printf("%s%s %s%s%s\n", indent, c ? "/*" : "#", info->key, colon != NULL ? colon : "",
                   c ? " */" : "");
        char text[SNIPPET_MAX];
        attn_trace_snippet(code->trace, stage, code->lang, text, sizeof text);
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            cli_printf("%s%s\n", indent, line);
        }
    }
}

void code_tensor_list(const struct code *code, const char *format, int indent)
{
    enum attn_tensor_id ids[ATTN_N_TENSORS];
    const int n = cli_stage_tensors(code->trace, ids);
    int column = indent;
    for (int i = 0; i < n; i++) {
        char text[64];
        const char *const name = attn_tensors[ids[i]].name;
        int used = 0;
        for (const char *p = format; *p != '\0' && used + 16 < (int)sizeof text; p++) {
            if (*p == '%') {
                used += snprintf(text + used, sizeof text - (size_t)used, "%.14s", name);
            } else {
                text[used++] = *p;
            }
        }
        text[used] = '\0';
        if (i > 0 && column + used + 2 > LINE_COLUMNS) {
            cli_write(",");
            begin_line(indent);
            column = indent;
        } else if (i > 0) {
            cli_write(", ");
        }
        cli_write(text);
        column += used + 2;
    }
}

void code_heading(const struct code *code)
{
    const bool c = code->lang == ATTN_LANG_C;
    const struct attn_variant_info *const variant = &attn_variants[code->config->variant];
    const char *const open = c ? "/*" : "#";
    const char *const close = c ? " */" : "";
    cli_printf("%s %s.%s\n", open, variant->title, close);
    cli_printf("%s Prints every stage as `attn run %s` does with the same options.%s\n", open,
               variant->name, close);
    const attn_config *const config = attn_trace_config(code->trace);
    for (int i = 0; i < config->n_bugs; i++) {
        cli_printf("%s Wrong on purpose: %s.%s\n", open, attn_bugs[config->bugs[i]].title, close);
    }
}

int code_arguments(const struct code *code, enum attn_tensor_id ids[ATTN_N_TENSORS])
{
    static const enum attn_tensor_id all[] = {ATTN_X,        ATTN_MEMORY,  ATTN_Q,
                                              ATTN_K,        ATTN_V,       ATTN_MASK,
                                              ATTN_UNPADDED, ATTN_PADDING, ATTN_KEEP};
    int n = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (attn_trace_tensor(code->trace, all[i]) != NULL &&
            attn_trace_writer(code->trace, all[i]) == ATTN_NO_STAGE &&
            code_uses(code, attn_tensors[all[i]].name)) {
            ids[n++] = all[i];
        }
    }
    return n;
}

void code_dims(const attn_tensor *t)
{
    for (int i = ATTN_RANK_MAX - t->rank; i < ATTN_RANK_MAX; i++) {
        cli_printf("%s%d", i > ATTN_RANK_MAX - t->rank ? ", " : "", t->dims[i]);
    }
}
