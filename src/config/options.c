#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

static enum attn_status parse_size(int *out, const char *name, const char *value,
                                   struct attn_error *err)
{
    long long size = 0;
    if (!config_parse_int(value, 1, ATTN_DIM_MAX, &size)) {
        return attn_fail(err, ATTN_E_VALUE, name, "'%s' is not a size (a whole number, 1 to %d)",
                         value, ATTN_DIM_MAX);
    }
    *out = (int)size;
    return ATTN_OK;
}

static enum attn_status parse_batch(struct config *config, const char *value,
                                    struct attn_error *err)
{
    return parse_size(&config->batch, "--batch", value, err);
}

static enum attn_status parse_length(struct config *config, const char *value,
                                     struct attn_error *err)
{
    return parse_size(&config->length, "--length", value, err);
}

static enum attn_status parse_memory_length(struct config *config, const char *value,
                                            struct attn_error *err)
{
    return parse_size(&config->memory_length, "--memory-length", value, err);
}

static enum attn_status parse_dim(struct config *config, const char *value, struct attn_error *err)
{
    return parse_size(&config->dim, "--dim", value, err);
}

static enum attn_status parse_dim_in(struct config *config, const char *value,
                                     struct attn_error *err)
{
    return parse_size(&config->dim_in, "--dim-in", value, err);
}

static enum attn_status parse_tokens(struct config *config, const char *value,
                                     struct attn_error *err)
{
    return config_tokens_parse(&config->tokens, "--tokens", value, err);
}

static enum attn_status parse_memory_tokens(struct config *config, const char *value,
                                            struct attn_error *err)
{
    return config_tokens_parse(&config->memory_tokens, "--memory-tokens", value, err);
}

/** As torch.manual_seed takes it: −2^63 … 2^64 − 1, a negative one as its two's complement. */
static enum attn_status parse_seed(struct config *config, const char *value, struct attn_error *err)
{
    bool negative = false;
    uint64_t magnitude = 0;
    const bool number = config_parse_magnitude(config_skip_sign(value, &negative), &magnitude);
    if (!number || (negative && magnitude > UINT64_C(1) << 63)) {
        return attn_fail(err, ATTN_E_VALUE, "--seed",
                         "'%s' is not a seed (a whole number, -9223372036854775808 to "
                         "18446744073709551615, as torch.manual_seed takes)",
                         value);
    }
    config->seed = negative ? 0 - magnitude : magnitude;
    snprintf(config->seed_text, sizeof config->seed_text, "%s%llu",
             negative && magnitude != 0 ? "-" : "", (unsigned long long)magnitude);
    return ATTN_OK;
}

static bool reads_stdin(const struct config *config)
{
    for (int i = 0; i < config->n_loads; i++) {
        if (strcmp(config->loads[i].path, "-") == 0) {
            return true;
        }
    }
    return false;
}

static enum attn_status check_load(const struct config *config, bool named, const char *path,
                                   struct attn_error *err)
{
    if (*path == '\0') {
        return attn_fail(err, ATTN_E_VALUE, "--load", "no file is named ([NAME=]FILE)");
    }
    if (strcmp(path, "-") == 0 && !named) {
        return attn_fail(err, ATTN_E_VALUE, "--load",
                         "standard input needs a tensor's name (as in x=-)");
    }
    if (strcmp(path, "-") == 0 && reads_stdin(config)) {
        return attn_fail(err, ATTN_E_VALUE, "--load",
                         "standard input can be read once (put the other tensor in a file)");
    }
    return ATTN_OK;
}

/** What stands before the first '=' is a tensor's name, unless it holds a '/'. */
static enum attn_status parse_load(struct config *config, const char *value, struct attn_error *err)
{
    const char *const equals = strchr(value, '=');
    const char *const slash = strchr(value, '/');
    const bool named = equals != NULL && equals > value && (slash == NULL || equals < slash);
    const char *const path = named ? equals + 1 : value;
    const enum attn_status status = check_load(config, named, path, err);
    if (status != ATTN_OK) {
        return status;
    }
    struct config_load *const grown =
        realloc(config->loads, ((size_t)config->n_loads + 1) * sizeof *grown);
    if (grown == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, "--load", "out of memory");
    }
    config->loads = grown;
    struct config_load load = {.name = named ? config_text_copy(value) : NULL,
                               .path = config_text_copy(path)};
    if (load.path == NULL || (named && load.name == NULL)) {
        free(load.name);
        free(load.path);
        return attn_fail(err, ATTN_E_NOMEM, "--load", "out of memory");
    }
    if (named) {
        load.name[equals - value] = '\0';
    }
    config->loads[config->n_loads++] = load;
    return ATTN_OK;
}

/** A number that float32 can hold; infinities where they are allowed, NaN never. */
static enum attn_status parse_float(float *out, const char *name, const char *value, bool infinite,
                                    struct attn_error *err)
{
    double number = 0;
    if (!config_parse_real(value, &number) || isnan(number) || (isinf(number) && !infinite)) {
        return attn_fail(err, ATTN_E_VALUE, name, "'%s' is not %s", value,
                         infinite ? "a number (such as -1e9, or -inf)"
                                  : "a finite number (such as 0.5)");
    }
    if (!isinf(number) && fabs(number) > 3.4028235677973366e38) {
        return attn_fail(err, ATTN_E_VALUE, name, "'%s' is beyond float32 (%s)", value,
                         infinite ? "use -inf or inf" : "at most 3.4e38");
    }
    *out = (float)number;
    return ATTN_OK;
}

static enum attn_status parse_mask_fill(struct config *config, const char *value,
                                        struct attn_error *err)
{
    return parse_float(&config->mask_fill, "--mask-fill", value, true, err);
}

static enum attn_status parse_mask_keeps(struct config *config, const char *value,
                                         struct attn_error *err)
{
    long long keeps = 0;
    if (!config_parse_int(value, 0, 1, &keeps)) {
        return attn_fail(err, ATTN_E_VALUE, "--mask-keeps",
                         "'%s' is neither 1 nor 0 (which value of a mask keeps a key?)", value);
    }
    config->mask_keeps = (int)keeps;
    return ATTN_OK;
}

static enum attn_status parse_prefix(struct config *config, const char *value,
                                     struct attn_error *err)
{
    if (strlen(value) >= sizeof config->prefix) {
        return attn_fail(err, ATTN_E_VALUE, "--prefix", "longer than %zu bytes",
                         sizeof config->prefix - 1);
    }
    snprintf(config->prefix, sizeof config->prefix, "%s", value);
    return ATTN_OK;
}

/** The index of value among n words, or a failure that names them. */
static enum attn_status parse_word(int *out, const char *name, const char *const *words, int n,
                                   const char *value, struct attn_error *err)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(value, words[i]) == 0) {
            *out = i;
            return ATTN_OK;
        }
    }
    return attn_fail(err, ATTN_E_VALUE, name, "'%s' is unknown (%s or %s)", value, words[0],
                     words[n - 1]);
}

static enum attn_status parse_layout(struct config *config, const char *value,
                                     struct attn_error *err)
{
    static const char *const words[] = {"out-in", "in-out"};
    int layout = 0;
    const enum attn_status status = parse_word(&layout, "--layout", words, 2, value, err);
    config->in_out = status == ATTN_OK ? layout == 1 : config->in_out;
    return status;
}

static enum attn_status parse_causal_align(struct config *config, const char *value,
                                           struct attn_error *err)
{
    static const char *const words[] = {
        [ATTN_CAUSAL_TOP_LEFT] = "top-left", [ATTN_CAUSAL_BOTTOM_RIGHT] = "bottom-right"};
    int index = 0;
    const enum attn_status status = parse_word(&index, "--causal-align", words, 2, value, err);
    if (status == ATTN_OK) {
        config->causal_align = (enum attn_causal_align)index;
    }
    return status;
}

static enum attn_status parse_empty_row(struct config *config, const char *value,
                                        struct attn_error *err)
{
    static const char *const words[] = {[ATTN_EMPTY_ZEROS] = "zeros", [ATTN_EMPTY_NAN] = "nan"};
    int index = 0;
    const enum attn_status status = parse_word(&index, "--empty-row", words, 2, value, err);
    if (status == ATTN_OK) {
        config->empty_row = (enum attn_empty_row)index;
    }
    return status;
}

static enum attn_status parse_scale(struct config *config, const char *value,
                                    struct attn_error *err)
{
    const enum attn_status status = parse_float(&config->scale, "--scale", value, false, err);
    if (status == ATTN_OK) {
        config->scale_given = true;
    }
    return status;
}

static enum attn_status parse_no_scale(struct config *config, const char *value,
                                       struct attn_error *err)
{
    (void)value;
    (void)err;
    config->scale_given = true;
    config->scale = 1;
    return ATTN_OK;
}

static enum attn_status parse_dropout(struct config *config, const char *value,
                                      struct attn_error *err)
{
    double p = 0;
    if (!config_parse_real(value, &p) || !(p >= 0 && p <= 1)) {
        return attn_fail(err, ATTN_E_VALUE, "--dropout",
                         "'%s' is not a probability (a number, 0 to 1: how often a weight is "
                         "dropped)",
                         value);
    }
    config->dropout_given = true;
    config->dropout_p = p;
    return ATTN_OK;
}

static enum attn_status parse_train(struct config *config, const char *value,
                                    struct attn_error *err)
{
    (void)value;
    (void)err;
    config->training = true;
    config->training_given = true;
    return ATTN_OK;
}

static enum attn_status parse_eval(struct config *config, const char *value, struct attn_error *err)
{
    (void)value;
    (void)err;
    config->training = false;
    config->training_given = true;
    return ATTN_OK;
}

static enum attn_status parse_torch_dropout(struct config *config, const char *value,
                                            struct attn_error *err)
{
    static const char *const words[] = {"mt", "mkl"};
    int index = 0;
    const enum attn_status status = parse_word(&index, "--torch-dropout", words, 2, value, err);
    if (status == ATTN_OK) {
        config->torch_mkl = index == 1;
    }
    return status;
}

/** NAME or NAME+NAME; given again, it is another one. */
static enum attn_status parse_bug(struct config *config, const char *value, struct attn_error *err)
{
    const char *names[ATTN_N_BUGS];
    enum attn_bug bugs[ATTN_BUGS_MAX];
    int n = config->n_bugs;
    memcpy(bugs, config->bugs, sizeof bugs);
    for (int i = 0; i < ATTN_N_BUGS; i++) {
        names[i] = attn_bugs[i].name;
    }
    for (const char *word = value; word != NULL;) {
        const char *const plus = strchr(word, '+');
        char name[64];
        snprintf(name, sizeof name, "%.*s", plus != NULL ? (int)(plus - word) : 63, word);
        const int bug = attn_bug_find(name);
        if (bug < 0) {
            const char *const near = config_nearest(name, names, ATTN_N_BUGS);
            return attn_fail(err, ATTN_E_VALUE, "--bug",
                             "unknown bug '%s' (%s%s%sattn help bugs lists them)", name,
                             near != NULL ? "did you mean " : "", near != NULL ? near : "",
                             near != NULL ? "? " : "");
        }
        if (n == ATTN_BUGS_MAX) {
            return attn_fail(err, ATTN_E_LIMIT, "--bug", "%d at once are enough (leave out '%s')",
                             ATTN_BUGS_MAX, word);
        }
        for (int i = 0; i < n; i++) {
            if (!attn_bugs_together(bugs[i], (enum attn_bug)bug)) {
                return attn_fail(err, ATTN_E_VALUE, "--bug",
                                 "%s and %s get the same thing wrong (take one of them)",
                                 attn_bugs[bugs[i]].name, name);
            }
        }
        bugs[n++] = (enum attn_bug)bug;
        word = plus != NULL ? plus + 1 : NULL;
    }
    memcpy(config->bugs, bugs, sizeof bugs);
    config->n_bugs = n;
    return ATTN_OK;
}

/** Bytes, or with K, M, G or T in steps of 1024. */
static enum attn_status parse_max_memory(struct config *config, const char *value,
                                         struct attn_error *err)
{
    static const char units[] = "KMGT";
    char digits[24] = "";
    const size_t length = strlen(value);
    const char *const unit = length > 0 ? strchr(units, value[length - 1]) : NULL;
    const size_t n = length - (unit != NULL ? 1 : 0);
    const int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    uint64_t bytes = 0;
    if (n < sizeof digits) {
        memcpy(digits, value, n);
    }
    if (!config_parse_magnitude(digits, &bytes) || bytes == 0 || bytes > UINT64_MAX >> shift) {
        return attn_fail(err, ATTN_E_VALUE, "--max-memory",
                         "'%s' is not an amount of memory (bytes, or as in 512M or 8G)", value);
    }
    config->max_memory = bytes << shift;
    return ATTN_OK;
}

static enum attn_status parse_verbose(struct config *config, const char *value,
                                      struct attn_error *err)
{
    (void)value;
    (void)err;
    config->verbose = true;
    return ATTN_OK;
}

const struct config_option config_options[CONFIG_N_OPTIONS] = {
    [CONFIG_BATCH] = {"--batch", "N", "number of sequences, B", "1", parse_batch},
    [CONFIG_LENGTH] = {"--length", "N", "number of queries, T", "4", parse_length},
    [CONFIG_MEMORY_LENGTH] = {"--memory-length", "N", "number of keys, S (cross only)", "4",
                              parse_memory_length},
    [CONFIG_DIM] = {"--dim", "N", "width of queries and keys, d", "4", parse_dim},
    [CONFIG_DIM_IN] = {"--dim-in", "N", "width of the input, d_in (single and cross only)",
                       "that of --dim", parse_dim_in},
    [CONFIG_TOKENS] = {"--tokens", "TEXT|@FILE",
                       "labels of the queries and keys, split at spaces, or one a line of FILE; "
                       "they set T",
                       "none", parse_tokens},
    [CONFIG_MEMORY_TOKENS] = {"--memory-tokens", "TEXT|@FILE",
                              "labels of the keys where they are others (cross); they set S",
                              "none", parse_memory_tokens},
    [CONFIG_SEED] = {"--seed", "N",
                     "torch.manual_seed(N) before the module, the input and dropout are drawn",
                     "42", parse_seed},
    [CONFIG_LOAD] = {"--load", "[NAME=]FILE",
                     "tensors from FILE, or the one called NAME; again and again, the later wins; "
                     "NAME=- reads standard input",
                     "none", parse_load},
    [CONFIG_PREFIX] = {"--prefix", "TEXT",
                       "left off the names in a file: h.0.attn. makes h.0.attn.c_attn.weight known",
                       "none", parse_prefix},
    [CONFIG_LAYOUT] = {"--layout", "out-in|in-out",
                       "how weights lie in files: [out,in] as nn.Linear keeps them, or [in,out] as "
                       "GPT-2's Conv1D and x @ W do",
                       "out-in", parse_layout},
    [CONFIG_MASK] = {"--mask", "none|PART[+PART…]",
                     "what is hidden: causal, padding:N,N… (real keys of each sequence), or a FILE",
                     "none", config_mask_parse},
    [CONFIG_MASK_FILL] = {"--mask-fill", "N", "what a masked score becomes", "-inf",
                          parse_mask_fill},
    [CONFIG_MASK_KEEPS] = {"--mask-keeps", "0|1", "which value of a mask file keeps a key", "1",
                           parse_mask_keeps},
    [CONFIG_CAUSAL_ALIGN] = {"--causal-align", "top-left|bottom-right",
                             "where the causal diagonal starts or ends when T is not S", "top-left",
                             parse_causal_align},
    [CONFIG_EMPTY_ROW] = {"--empty-row", "zeros|nan", "the weights of a query that has no key left",
                          "zeros", parse_empty_row},
    [CONFIG_SCALE] = {"--scale", "N", "multiply the scores by N in place of dividing by √d", "1/√d",
                      parse_scale},
    [CONFIG_NO_SCALE] = {"--no-scale", NULL, "leave the scores as they are", "off", parse_no_scale},
    [CONFIG_DROPOUT] = {"--dropout", "P", "how often a weight is dropped in training, 0 to 1",
                        "0.1", parse_dropout},
    [CONFIG_TRAIN] = {"--train", NULL, "train: dropout acts", "off", parse_train},
    [CONFIG_EVAL] = {"--eval", NULL, "evaluate: dropout does nothing", "on", parse_eval},
    [CONFIG_TORCH_DROPOUT] = {"--torch-dropout", "mt|mkl",
                              "whose dropout pattern: PyTorch built without MKL, or the x86 wheels",
                              "mt", parse_torch_dropout},
    [CONFIG_BUG] = {"--bug", "NAME[+NAME]",
                    "compute with one of the classic mistakes (attn help bugs lists them)", "none",
                    parse_bug},
    [CONFIG_MAX_MEMORY] = {"--max-memory", "SIZE", "refuse what would take more than this", "4G",
                           parse_max_memory},
    [CONFIG_VERBOSE] = {"--verbose", NULL, "tell more: what a file holds that was left out", "off",
                        parse_verbose},
};

enum attn_status config_take_option(struct config *config, int argc, char *const *argv, int *i,
                                    bool *taken, struct attn_error *err)
{
    const char *const word = argv[*i];
    const char *const equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    *taken = false;
    for (int id = 0; id < CONFIG_N_OPTIONS; id++) {
        const struct config_option *const option = &config_options[id];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0) {
            continue;
        }
        if (option->argument == NULL && equals != NULL) {
            return attn_fail(err, ATTN_E_VALUE, option->name, "takes no value (leave out '%s')",
                             equals);
        }
        const bool next = option->argument != NULL && equals == NULL;
        if (next && *i + 1 >= argc) {
            return attn_fail(err, ATTN_E_VALUE, option->name, "needs a value: %s (%s)",
                             option->argument, option->summary);
        }
        const char *const value = equals != NULL ? equals + 1 : next ? argv[*i + 1] : "";
        const enum attn_status status = option->parse(config, value, err);
        if (status == ATTN_OK) {
            *taken = true;
            *i += next ? 2 : 1;
        }
        return status;
    }
    return ATTN_OK;
}
