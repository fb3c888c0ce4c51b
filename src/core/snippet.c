/* Filling the placeholders of a stage's code for one trace. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_parts.h"

enum { WORD_MAX = 1024 };

/* How a language writes what no number literal can. */
struct literals {
    const char *minus_infinity, *infinity, *nan;
    const char *suffix; /* Of a float. */
};

static const struct literals literals[ATTN_N_LANGS] = {
    [ATTN_LANG_MATH] = {"-inf", "inf", "nan", ""},
    [ATTN_LANG_PYTORCH] = {"float('-inf')", "float('inf')", "float('nan')", ""},
    [ATTN_LANG_NUMPY] = {"-np.inf", "np.inf", "np.nan", ""},
    [ATTN_LANG_C] = {"-INFINITY", "INFINITY", "NAN", "f"},
};

/* The fewest digits that read back as the same number, with a '.' in every locale. */
static void format_real(char out[WORD_MAX], double value, bool is_float)
{
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(out, WORD_MAX, "%.*g", digits, value);
        const double back = strtod(out, NULL);
        if (back == value || (is_float && (float)back == (float)value)) {
            break;
        }
    }
    char *const comma = strchr(out, ',');
    if (comma != NULL) {
        *comma = '.';
    }
}

void core_format_probability(char *out, size_t size, double p)
{
    char digits[WORD_MAX];
    format_real(digits, p, false);
    (void)snprintf(out, size, "%s", digits);
}

static void format_float(char out[WORD_MAX], float value, enum attn_lang lang)
{
    const struct literals *const words = &literals[lang];
    if (!isfinite(value)) {
        const char *const infinite = value < 0.0F ? words->minus_infinity : words->infinity;
        (void)snprintf(out, WORD_MAX, "%s", isnan(value) ? words->nan : infinite);
        return;
    }
    char digits[WORD_MAX];
    format_real(digits, (double)value, true);
    char *const mark = strchr(digits, 'e');
    if (mark != NULL) { /* "-1e+09" as people write it */
        char *const to = mark + (mark[1] == '-' ? 2 : 1);
        const char *const from = to + strspn(to, "+0");
        memmove(to, from, strlen(from) + 1);
    }
    const bool whole = lang != ATTN_LANG_MATH && strpbrk(digits, ".e") == NULL;
    (void)snprintf(out, WORD_MAX, "%.40s%s%s", digits, whole ? ".0" : "", words->suffix);
}

static const char *layer_name(const attn_trace *trace, enum attn_layer layer)
{
    const char *const name = attn_variants[trace->config.variant].layer_names[layer];
    return name != NULL ? name : attn_layers[layer].role;
}

static void write_scale(char out[WORD_MAX], const attn_trace *trace, enum attn_lang lang)
{
    static const char *const divide[ATTN_N_LANGS] = {
        [ATTN_LANG_MATH] = "/ √d_k",
        [ATTN_LANG_PYTORCH] = "/ math.sqrt(q.size(-1))",
        [ATTN_LANG_NUMPY] = "/ np.sqrt(np.float32(q.shape[-1]))",
        [ATTN_LANG_C] = "/ sqrtf(D)",
    };
    if (!trace->config.scale_given) {
        (void)snprintf(out, WORD_MAX, "%s", divide[lang]);
        return;
    }
    char factor[WORD_MAX];
    format_float(factor, trace->config.scale, lang);
    const bool numpy = lang == ATTN_LANG_NUMPY;
    (void)snprintf(out, WORD_MAX, "%s %s%.60s%s", lang == ATTN_LANG_MATH ? "·" : "*",
                   numpy ? "np.float32(" : "", factor, numpy ? ")" : "");
}

/* What dropout does to the weights; in PyTorch the whole call, which draws the pattern itself
 * unless it was chosen. */
static void write_drop(char out[WORD_MAX], const attn_trace *trace, enum attn_lang lang)
{
    char p[WORD_MAX];
    format_real(p, trace->config.dropout_p, false);
    if (lang == ATTN_LANG_PYTORCH &&
        (!trace->config.keep_given || trace->config.dropout_p == 1.0)) {
        (void)snprintf(out, WORD_MAX, "F.dropout(weights, p=%.40s, training=self.training)", p);
        return;
    }
    static const char *const keep[ATTN_N_LANGS] = {
        [ATTN_LANG_MATH] = "· keep / (1 − %.40s)",
        [ATTN_LANG_PYTORCH] = "weights * (keep / (1 - %.40s))",
        [ATTN_LANG_NUMPY] = "* (keep / np.float32(1 - %.40s))",
        [ATTN_LANG_C] = "* (keep[b][t][s] / (float)(1 - %.40s))",
    };
    if (trace->config.dropout_p == 1.0) {
        (void)snprintf(out, WORD_MAX, "%s 0", lang == ATTN_LANG_MATH ? "·" : "*");
        return;
    }
    const char *const mark = strstr(keep[lang], "%.40s");
    (void)snprintf(out, WORD_MAX, "%.*s%.40s%s", (int)(mark - keep[lang]), keep[lang], p,
                   mark + strlen("%.40s"));
}

/* Is every score of this column hidden? */
static bool is_empty_column(const attn_tensor *logits, int b, int s)
{
    int t = 0;
    while (t < logits->dims[1] && *attn_tensor_at(logits, b, t, s) == -INFINITY) {
        t++;
    }
    return t == logits->dims[1];
}

bool core_has_empty(const attn_trace *trace)
{
    const attn_tensor *const logits = &trace->tensors[attn_trace_source(trace, ATTN_MASKED)];
    bool empty = trace->empty.count > 0;
    if (attn_trace_has_bug(trace, ATTN_BUG_SOFTMAX_QUERIES)) {
        for (int i = 0; !empty && i < logits->dims[0] * logits->dims[2]; i++) {
            empty = is_empty_column(logits, i / logits->dims[2], i % logits->dims[2]);
        }
    }
    return empty && trace->config.empty_row == ATTN_EMPTY_ZEROS;
}

/* The line that makes an empty row zeros, where the policy and the data call for it. */
static void write_empty(char out[WORD_MAX], const attn_trace *trace, enum attn_lang lang)
{
    const char *const logits = attn_tensors[attn_trace_source(trace, ATTN_MASKED)].name;
    out[0] = '\0';
    const bool columns = attn_trace_has_bug(trace, ATTN_BUG_SOFTMAX_QUERIES);
    if (!core_has_empty(trace)) {
        return;
    }
    if (lang == ATTN_LANG_PYTORCH) {
        (void)snprintf(out, WORD_MAX,
                       "\nweights = weights.masked_fill(%s.isneginf().all(%d, True), 0)", logits,
                       columns ? -2 : -1);
    } else if (lang == ATTN_LANG_NUMPY && columns) {
        (void)snprintf(out, WORD_MAX,
                       "\nempty = np.isneginf(%s).all(axis=-2, keepdims=True)"
                       "\nweights = np.where(empty, np.float32(0), weights)",
                       logits);
    } else if (lang == ATTN_LANG_NUMPY) {
        (void)snprintf(out, WORD_MAX, "\nweights[np.isneginf(%s).all(axis=-1)] = 0", logits);
    }
}

/* A tensor as this language calls it: its symbol in math where it has a short one. */
static void write_source(char out[WORD_MAX], const attn_trace *trace, enum attn_tensor_id id)
{
    (void)snprintf(out, WORD_MAX, "%s", attn_tensors[attn_trace_source(trace, id)].name);
}

static bool write_bias(char out[WORD_MAX], const attn_trace *trace, enum attn_lang lang,
                       const char *word, size_t length)
{
    for (int i = 0; i < ATTN_N_LAYERS; i++) {
        const struct attn_tensor_info *const bias = &attn_tensors[attn_layers[i].bias];
        if (strlen(bias->name) != length || memcmp(bias->name, word, length) != 0) {
            continue;
        }
        const bool has = attn_variants[trace->config.variant].bias &&
                         !attn_trace_has_bug(trace, ATTN_BUG_NO_BIAS);
        if (lang == ATTN_LANG_C) {
            (void)snprintf(out, WORD_MAX, "%s", has ? bias->name : "NULL");
        } else {
            (void)snprintf(out, WORD_MAX, "%s%s", has ? " + " : "",
                           !has                     ? ""
                           : lang == ATTN_LANG_MATH ? bias->symbol
                                                    : bias->name);
        }
        return true;
    }
    return false;
}

static bool write_layer(char out[WORD_MAX], const attn_trace *trace, const char *word,
                        size_t length)
{
    for (int i = 0; i < ATTN_N_LAYERS; i++) {
        const char *const role = attn_layers[i].role;
        if (strlen(role) == length && memcmp(role, word, length) == 0) {
            (void)snprintf(out, WORD_MAX, "%s", layer_name(trace, (enum attn_layer)i));
            return true;
        }
    }
    return false;
}

static bool is(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

/* What stands for {word}. Every placeholder of the table is known here; a test goes over them. */
static void write_word(char out[WORD_MAX], const attn_trace *trace, enum attn_lang lang,
                       const char *word, size_t length)
{
    out[0] = '\0';
    if (write_layer(out, trace, word, length) || write_bias(out, trace, lang, word, length)) {
        return;
    }
    if (is(word, length, "kv")) {
        const enum attn_tensor_id from =
            attn_variants[trace->config.variant].has_memory ? ATTN_MEMORY : ATTN_X;
        (void)snprintf(out, WORD_MAX, "%s",
                       lang == ATTN_LANG_MATH ? attn_tensors[from].symbol
                                              : attn_tensors[from].name);
    } else if (is(word, length, "logits")) {
        write_source(out, trace, ATTN_MASKED);
    } else if (is(word, length, "probs")) {
        write_source(out, trace, ATTN_DROPPED);
    } else if (is(word, length, "fill")) {
        format_float(out, trace->config.mask_fill, lang);
    } else if (is(word, length, "scale_expr")) {
        write_scale(out, trace, lang);
    } else if (is(word, length, "drop_expr")) {
        write_drop(out, trace, lang);
    } else if (is(word, length, "empty")) {
        write_empty(out, trace, lang);
    }
}

static void append(char *out, size_t size, size_t *used, const char *text, size_t length)
{
    const size_t room = size - 1 - *used;
    const size_t n = length < room ? length : room;
    memcpy(out + *used, text, n);
    *used += n;
    out[*used] = '\0';
}

static void expand(char *out, size_t size, size_t *used, const attn_trace *trace,
                   enum attn_lang lang, const char *text)
{
    while (*text != '\0') {
        const size_t plain = strcspn(text, "{");
        append(out, size, used, text, plain);
        text += plain;
        if (*text == '{') {
            const size_t length = strcspn(text + 1, "}");
            char word[WORD_MAX];
            if (core_bug_word(word, sizeof word, trace, lang, text + 1, length)) {
                expand(out, size, used, trace, lang, word);
            } else {
                write_word(word, trace, lang, text + 1, length);
                append(out, size, used, word, strlen(word));
            }
            text += length + 2;
        }
    }
}

int attn_trace_snippet(const attn_trace *trace, enum attn_stage stage, enum attn_lang lang,
                       char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    expand(out, size, &used, trace, lang,
           attn_trace_changed(trace, stage) ? core_wrong_rows[stage].snippet[lang]
                                            : attn_stages[stage].snippet[lang]);
    int lines = 1;
    for (const char *p = out; *p != '\0'; p++) {
        lines += *p == '\n';
    }
    return lines;
}
