#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "code_parts.h"

static void (*const writers[ATTN_N_LANGS])(const struct code *code) = {
    [ATTN_LANG_PYTORCH] = code_torch,
    [ATTN_LANG_NUMPY] = code_numpy,
    [ATTN_LANG_C] = code_c,
};

enum { CARRIED_MAX = 20000 };

/** --lang, or PyTorch. */
static enum cli_status take_language(const struct cli *cli, enum attn_lang *lang)
{
    const char *const word = cli_value(cli, "--lang");
    const char *names[ATTN_N_LANGS];
    char list[64] = "";
    int n = 0;
    *lang = ATTN_LANG_PYTORCH;
    for (int i = 0; i < ATTN_N_LANGS; i++) {
        if (writers[i] == NULL) {
            continue;
        }
        if (word != NULL && strcmp(word, attn_lang_names[i]) == 0) {
            *lang = (enum attn_lang)i;
            return CLI_DONE;
        }
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", n > 0 ? ", " : "", attn_lang_names[i]);
        names[n++] = attn_lang_names[i];
    }
    if (word == NULL) {
        return CLI_DONE;
    }
    const char *const near = config_nearest(word, names, n);
    cli_message("--lang", "'%s' is no language to write (%s%s%sthere are %s)", word,
                near != NULL ? "did you mean " : "", near != NULL ? near : "",
                near != NULL ? "? " : "", list);
    return CLI_USAGE;
}

/** How many numbers the program would carry with it. */
static size_t count_carried(const struct code *code)
{
    size_t n = 0;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        const attn_tensor *const t = attn_trace_tensor(code->trace, id);
        const bool input = t != NULL && attn_trace_writer(code->trace, id) == ATTN_NO_STAGE;
        const bool made = id == ATTN_MASK && !code_mask_is_carried(code);
        const bool drawn = code->lang == ATTN_LANG_PYTORCH && !code->setup->loaded_tensor[id];
        if (input && !made && !drawn && !code_is_read(code, id)) {
            n += attn_tensor_count(t);
        }
    }
    return n;
}

static void tell_carried(const struct code *code)
{
    const size_t n = count_carried(code);
    if (n <= CARRIED_MAX) {
        return;
    }
    if (code->lang == ATTN_LANG_NUMPY) {
        cli_message(NULL,
                    "the program carries %zu numbers (to have it read a file, save them: attn run "
                    "%s … --save FILE.npz; then: attn code %s … --load FILE.npz)",
                    n, attn_variants[code->config->variant].name,
                    attn_variants[code->config->variant].name);
    } else {
        cli_message(NULL, "the program carries %zu numbers", n);
    }
}

static enum cli_status run(struct cli *cli)
{
    struct setup setup = {0};
    attn_trace *trace = NULL;
    struct code code = {.config = &cli->config, .setup = &setup};
    enum cli_status status = cli_take_variant(cli);
    if (status == CLI_DONE) {
        status = take_language(cli, &code.lang);
    }
    if (status == CLI_DONE) {
        status = cli_trace(cli, &setup, &trace);
    }
    if (status == CLI_DONE) {
        struct attn_error err = {.status = ATTN_OK};
        code.trace = trace;
        status = code_find_sources(&code, &err) == ATTN_OK ? CLI_DONE : cli_fail(&err);
    }
    if (status == CLI_DONE) {
        tell_carried(&code);
        writers[code.lang](&code);
    }
    free(code.mask_files);
    attn_trace_destroy(trace);
    setup_finish(&setup);
    return status;
}

static const struct cli_option options[] = {
    {"--lang", "NAME", "the language: pytorch (if none is named), numpy or c"}, {0}};

const struct cli_command cli_code = {
    .name = "code",
    .arguments = "VARIANT",
    .summary = "the same computation as a program in PyTorch, NumPy or C",
    .details =
        "Writes a program that prints what attn run prints with the same options: pipe it into "
        "python3, or compile it with cc -std=c11 FILE.c -lm. Its stages are the lines that the "
        "walk shows beside each of them.\n"
        "PyTorch draws the weights, the input and dropout's pattern from the seed itself; NumPy "
        "and C carry the numbers. What was loaded is read from the same file in Python, and "
        "carried in C.",
    .computes = true,
    .max_words = 1,
    .options = options,
    .run = run};
