#include <stdio.h>
#include <string.h>

#include "code_parts.h"

static const struct code_nest nest = {"[", "]", false};

/* ---- file names ---- */

/** One character of UTF-8. @return its length, or 0 where it is none. */
static int decode(const unsigned char *p, unsigned long *point)
{
    const int length = *p < 0x80                  ? 1
                       : *p >= 0xc2 && *p <= 0xdf ? 2
                       : (*p & 0xf0) == 0xe0      ? 3
                       : *p >= 0xf0 && *p <= 0xf4 ? 4
                                                  : 0;
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    *point = *p & masks[length];
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        *point = *point << 6 | (p[i] & 0x3f);
    }
    const bool bad = (length == 3 && (*point < 0x800 || (*point >= 0xd800 && *point <= 0xdfff))) ||
                     (length == 4 && (*point < 0x10000 || *point > 0x10ffff));
    return bad ? 0 : length;
}

/** A string in ASCII. A byte that is no UTF-8 is written as Python decodes it in file names. */
static void write_string(const char *text)
{
    cli_write("\"");
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        unsigned long point = 0;
        const int length = decode(p, &point);
        if (length == 0) {
            cli_printf("\\udc%02x", *p);
        } else if (point == '"' || point == '\\') {
            cli_printf("\\%c", (char)point);
        } else if (point >= 0x20 && point < 0x7f) {
            cli_printf("%c", (char)point);
        } else {
            cli_printf(point < 0x10000 ? "\\u%04lx" : "\\U%08lx", point);
        }
        p += length > 0 ? length : 1;
    }
    cli_write("\"");
}

/* ---- files ---- */

/** The sources of the program, one after the other. @return NULL behind the last. */
static const struct code_source *source_at(const struct code *code, int i)
{
    const int n_mask = code->mask_files != NULL ? code->config->n_mask : 0;
    return i < ATTN_N_TENSORS            ? &code->sources[i]
           : i < ATTN_N_TENSORS + n_mask ? &code->mask_files[i - ATTN_N_TENSORS]
                                         : NULL;
}

/** The mask's files are not read where the mask is carried. */
static bool is_used(const struct code *code, int i)
{
    const bool mask = i == ATTN_MASK || i >= ATTN_N_TENSORS;
    return source_at(code, i)->format != NULL && !(mask && code_mask_is_carried(code));
}

/** The first source that reads this one's file. */
static int first_of_file(const struct code *code, int i)
{
    int k = 0;
    while (!is_used(code, k) || strcmp(source_at(code, k)->path, source_at(code, i)->path) != 0) {
        k++;
    }
    return k;
}

/** Counted over the files that are opened once. @return how many stand before source i. */
static int count_files(const struct code *code, int i)
{
    int n = 0;
    for (int k = 0; k < i && source_at(code, k) != NULL; k++) {
        n += is_used(code, k) && source_at(code, k)->format->names && first_of_file(code, k) == k;
    }
    return n;
}

static void write_file_name(const struct code *code, int i)
{
    const int n = count_files(code, ATTN_N_TENSORS + code->config->n_mask);
    if (n == 1) {
        cli_write("file");
    } else {
        cli_printf("file%d", count_files(code, first_of_file(code, i)) + 1);
    }
}

static bool any_source(const struct code *code)
{
    for (int i = 0; source_at(code, i) != NULL; i++) {
        if (is_used(code, i)) {
            return true;
        }
    }
    return false;
}

static const struct code_format *find_import(const struct code *code)
{
    for (int i = 0; source_at(code, i) != NULL; i++) {
        if (is_used(code, i) && source_at(code, i)->format->import != NULL) {
            return source_at(code, i)->format;
        }
    }
    return NULL;
}

void code_python_imports(const struct code *code, bool math)
{
    const struct code_format *const format = find_import(code);
    const bool numpy = code->lang == ATTN_LANG_NUMPY || any_source(code);
    if (format != NULL) {
        cli_printf("import %s\n", format->import);
    }
    if (math) {
        cli_write("import math\n");
    }
    if (format != NULL || math) {
        cli_write("\n");
    }
    if (numpy) {
        cli_write("import numpy as np\n");
    }
}

/** Does a source before this one bring the same helper? */
static bool has_helper_before(const struct code *code, int i)
{
    for (int k = 0; k < i; k++) {
        if (is_used(code, k) &&
            source_at(code, k)->format->helper == source_at(code, i)->format->helper) {
            return true;
        }
    }
    return false;
}

void code_python_helpers(const struct code *code)
{
    for (int i = 0; source_at(code, i) != NULL; i++) {
        if (is_used(code, i) && source_at(code, i)->format->helper != NULL &&
            !has_helper_before(code, i)) {
            cli_printf("\n\n%s", source_at(code, i)->format->helper);
        }
    }
    if (any_source(code) && code->lang == ATTN_LANG_PYTORCH) {
        cli_write("\n\ndef tensor(array):\n"
                  "    return torch.from_numpy(np.array(array, dtype=np.float32, order=\"C\"))\n");
    }
}

void code_python_files(const struct code *code)
{
    for (int i = 0; source_at(code, i) != NULL; i++) {
        const struct code_source *const source = source_at(code, i);
        if (is_used(code, i) && source->format->names && first_of_file(code, i) == i) {
            write_file_name(code, i);
            cli_printf(" = %s", source->format->opens);
            write_string(source->path);
            cli_printf("%s\n", source->format->closes);
        }
    }
}

/** The expression for an array as it stands in its file. */
static void write_read(const struct code *code, int i)
{
    const struct code_source *const source = source_at(code, i);
    if (source->format->names) {
        write_file_name(code, i);
        cli_write("[");
        write_string(source->entry);
        cli_write("]");
    } else {
        cli_write(source->format->opens);
        write_string(source->path);
        cli_write(source->format->closes);
    }
}

/** An array of float32 from a file. */
static void write_from_file(const struct code *code, int i)
{
    const bool torch = code->lang == ATTN_LANG_PYTORCH;
    cli_write(torch ? "tensor(" : "np.asarray(");
    write_read(code, i);
    cli_write(torch ? ")" : ", dtype=np.float32)");
    cli_write(source_at(code, i)->turned ? ".T" : "");
}

void code_python_array(const struct code *code, enum attn_tensor_id id, int column)
{
    const attn_tensor *const t = attn_trace_tensor(code->trace, id);
    const bool torch = code->lang == ATTN_LANG_PYTORCH;
    if (!code_is_read(code, id)) {
        cli_write(torch ? "torch.tensor(" : "np.array(");
        code_numbers(code, t, &nest, column + (torch ? 13 : 9));
        cli_write(torch ? ", dtype=torch.float32)" : ", dtype=np.float32)");
        return;
    }
    write_from_file(code, (int)id);
    if (code->sources[id].rank != t->rank) {
        cli_write(".reshape(");
        code_dims(t);
        cli_write(")");
    }
}

/* ---- the mask ---- */

static void write_causal(const struct code *code)
{
    const attn_sizes *const z = &code->setup->config.sizes;
    const bool torch = code->lang == ATTN_LANG_PYTORCH;
    const int offset = code->config->causal_align == ATTN_CAUSAL_BOTTOM_RIGHT ? z->S - z->T : 0;
    if (torch) {
        cli_printf("torch.ones(%d, %d, dtype=torch.bool).tril(", z->T, z->S);
    } else {
        cli_printf("np.tril(np.ones((%d, %d), dtype=bool)%s", z->T, z->S, offset != 0 ? ", " : "");
    }
    if (offset != 0) {
        cli_printf("%d", offset);
    }
    cli_write(")");
}

static void write_padding(const struct code *code, const struct config_mask_part *part)
{
    const bool torch = code->lang == ATTN_LANG_PYTORCH;
    cli_printf("%s.arange(%d) < ", torch ? "torch" : "np", code->setup->config.sizes.S);
    if (part->n_lengths == 1) {
        cli_printf("%d", part->lengths[0]);
        return;
    }
    cli_write(torch ? "torch.tensor([" : "np.array([");
    for (int i = 0; i < part->n_lengths; i++) {
        cli_printf("%s%d", i > 0 ? ", " : "", part->lengths[i]);
    }
    cli_write("])[:, None, None]");
}

/** What any part hides is hidden. */
static void begin_part(int n)
{
    cli_write(n == 0 ? "mask = " : "mask = mask & (");
}

static void end_part(int n)
{
    cli_write(n == 0 ? "\n" : ")\n");
}

void code_python_mask(const struct code *code)
{
    const struct config *const config = code->config;
    if (code_mask_is_carried(code)) {
        cli_write("mask = ");
        code_python_array(code, ATTN_MASK, 7);
        cli_write("\n");
        return;
    }
    for (int i = 0; i < config->n_mask; i++) {
        begin_part(i);
        switch (config->mask[i].kind) {
        case CONFIG_MASK_CAUSAL:
            write_causal(code);
            break;
        case CONFIG_MASK_PADDING:
            write_padding(code, &config->mask[i]);
            break;
        case CONFIG_MASK_FILE:
            write_from_file(code, ATTN_N_TENSORS + i);
            cli_printf(" == %d", config->mask_keeps);
            break;
        }
        end_part(i);
    }
    if (code->setup->loaded_tensor[ATTN_MASK]) {
        begin_part(config->n_mask);
        write_from_file(code, ATTN_MASK);
        cli_printf(" == %d", config->mask_keeps);
        end_part(config->n_mask);
    }
}

void code_python_print(void)
{
    cli_write("for name, stage in stages.items():\n"
              "    for b, matrix in enumerate(stage.tolist()):\n"
              "        print(f\"{name} [{b}] {len(matrix)}x{len(matrix[0])}\")\n"
              "        for row in matrix:\n"
              "            print(\" \".join(f\"{number:9.4f}\".replace(\"-0.0000\", \" 0.0000\")\n"
              "                           for number in row))\n");
}
