/* The placeholders of walk's words, and sentences about flags. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "walk_words.h"

enum { WHO_COLUMNS = 20 };

/* ---- who ---- */

/** Add the token in quotes, or the noun and the number: query 2. */
static void add_who(struct walk_text *out, const struct setup *setup, enum attn_axis axis,
                    int index, const char *noun)
{
    char buf[16];
    const char *const label = walk_label(setup, axis, index, buf);
    if (label == buf) {
        walk_text_add(out, "%s %d", noun, index);
        return;
    }
    walk_text_add(out, "\"");
    walk_text_add_clipped(out, label, WHO_COLUMNS);
    walk_text_add(out, "\"");
}

/** The axis that a row of the step's output goes by. */
static enum attn_axis row_axis(const struct walk_words *w)
{
    return attn_tensors[w->cell.tensor].axes[1];
}

static void add_query(const struct walk_words *w, struct walk_text *out)
{
    add_who(out, w->setup, ATTN_AXIS_T, w->cell.at[1], "query");
}
static void add_capital_query(const struct walk_words *w, struct walk_text *out)
{
    add_who(out, w->setup, ATTN_AXIS_T, w->cell.at[1], "Query");
}
static void add_key(const struct walk_words *w, struct walk_text *out)
{
    add_who(out, w->setup, ATTN_AXIS_S, w->cell.at[2], "key");
}
static void add_capital_key(const struct walk_words *w, struct walk_text *out)
{
    add_who(out, w->setup, ATTN_AXIS_S, w->cell.at[2], "Key");
}
static void add_row(const struct walk_words *w, struct walk_text *out)
{
    add_who(out, w->setup, row_axis(w), w->cell.at[1], "token");
}
static void add_capital_row(const struct walk_words *w, struct walk_text *out)
{
    add_who(out, w->setup, row_axis(w), w->cell.at[1], "Token");
}

/* ---- numbers ---- */

static void add_value(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add_number(out, (double)w->value);
}

static const attn_config *config_of(const struct walk_words *w)
{
    return attn_trace_config(w->trace);
}

static void add_queries(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%d", config_of(w)->sizes.T);
}
static void add_keys(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%d", config_of(w)->sizes.S);
}
static void add_width(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%d", config_of(w)->sizes.d);
}
static void add_triple_width(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%d", 3 * config_of(w)->sizes.d);
}
static void add_root(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%.4g", sqrt(config_of(w)->sizes.d));
}
static void add_inverse_root(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add_number(out, 1 / sqrt(config_of(w)->sizes.d));
}
static void add_factor(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%.4g", (double)config_of(w)->scale);
}

/** The number at the cell's place in another tensor. */
static double value_in(const struct walk_words *w, enum attn_tensor_id id)
{
    const struct attn_cell cell = {.tensor = id,
                                   .at = {w->cell.at[0], w->cell.at[1], w->cell.at[2]}};
    return (double)walk_value(w->trace, cell);
}

static void add_score(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add_number(out, value_in(w, ATTN_SCORES));
}
static void add_usual(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add_number(out, value_in(w, ATTN_SCORES) / sqrt(config_of(w)->sizes.d));
}

static void add_fill(const struct walk_words *w, struct walk_text *out)
{
    char fill[WALK_NUMBER_MAX];
    walk_text_put(out, walk_constant((double)config_of(w)->mask_fill, fill));
}
static void add_exp_fill(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%.4g", exp((double)config_of(w)->mask_fill));
}
static void add_rate(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%.4g", config_of(w)->dropout_p);
}
static void add_left(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%d", walk_words_left(w));
}
static void add_lost(const struct walk_words *w, struct walk_text *out)
{
    const attn_tensor *const keep = attn_trace_tensor(w->trace, ATTN_KEEP);
    int lost = 0;
    for (int s = 0; s < keep->dims[2]; s++) {
        lost += *attn_tensor_at(keep, w->cell.at[0], w->cell.at[1], s) == 0 ? 1 : 0;
    }
    walk_text_add(out, "%d", lost);
}

/* ---- the row's shares ---- */

static enum attn_tensor_id shares_of(const struct walk_words *w)
{
    return w->cell.tensor == ATTN_WEIGHTS ? ATTN_WEIGHTS : walk_probs(w->trace);
}

/** The key with the largest share of the row. */
static int top_key(const struct walk_words *w)
{
    const attn_tensor *const shares = attn_trace_tensor(w->trace, shares_of(w));
    const float *const row = attn_tensor_at(shares, w->cell.at[0], w->cell.at[1], 0);
    int top = 0;
    for (int s = 1; s < shares->dims[2]; s++) {
        top = row[s] > row[top] ? s : top;
    }
    return top;
}

static void add_top(const struct walk_words *w, struct walk_text *out)
{
    add_who(out, w->setup, ATTN_AXIS_S, top_key(w), "key");
}
static void add_most(const struct walk_words *w, struct walk_text *out)
{
    const attn_tensor *const shares = attn_trace_tensor(w->trace, shares_of(w));
    walk_text_add_number(out,
                         (double)*attn_tensor_at(shares, w->cell.at[0], w->cell.at[1], top_key(w)));
}
static void add_sum(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add_number(
        out, (double)walk_row_sum(w->trace, shares_of(w), w->cell.at[0], w->cell.at[1]));
}

/* ---- layers and columns ---- */

static void add_input(const struct walk_words *w, struct walk_text *out)
{
    enum attn_tensor_id input = ATTN_X;
    enum attn_layer layer = ATTN_N_LAYERS;
    walk_linear(w->trace, w->cell.tensor, &input, &layer);
    walk_text_add(out, "%s", attn_tensors[input].name);
}
static void add_bias(const struct walk_words *w, struct walk_text *out)
{
    const bool bias = attn_variants[config_of(w)->variant].bias;
    walk_text_add(out, bias ? ", and one bias added last" : "");
}
static void add_number(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%d", w->cell.at[2]);
}
static void add_part(const struct walk_words *w, struct walk_text *out)
{
    static const char *const parts[] = {"query", "key", "value"};
    const bool merged = w->cell.tensor == ATTN_QKV;
    const int part = merged ? w->cell.at[2] / config_of(w)->sizes.d
                            : walk_output_index(ATTN_STAGE_SPLIT, w->cell.tensor);
    walk_text_add(out, "%s", parts[part]);
}
static void add_from(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%d", walk_split_offset(w->trace, w->cell.tensor));
}
static void add_to(const struct walk_words *w, struct walk_text *out)
{
    const int offset = walk_split_offset(w->trace, w->cell.tensor);
    walk_text_add(out, "%d", offset + config_of(w)->sizes.d - 1);
}
static void add_column(const struct walk_words *w, struct walk_text *out)
{
    walk_text_add(out, "%d", walk_split_offset(w->trace, w->cell.tensor) + w->cell.at[2]);
}

static const struct {
    const char *name;
    void (*add)(const struct walk_words *w, struct walk_text *out);
} placeholders[] = {
    {"query", add_query},
    {"Query", add_capital_query},
    {"key", add_key},
    {"Key", add_capital_key},
    {"row", add_row},
    {"Row", add_capital_row},
    {"value", add_value},
    {"T", add_queries},
    {"S", add_keys},
    {"d", add_width},
    {"3d", add_triple_width},
    {"root", add_root},
    {"inverse", add_inverse_root},
    {"factor", add_factor},
    {"score", add_score},
    {"usual", add_usual},
    {"fill", add_fill},
    {"exp", add_exp_fill},
    {"p", add_rate},
    {"left", add_left},
    {"lost", add_lost},
    {"top", add_top},
    {"most", add_most},
    {"sum", add_sum},
    {"in", add_input},
    {"bias", add_bias},
    {"n", add_number},
    {"part", add_part},
    {"from", add_from},
    {"to", add_to},
    {"column", add_column},
};

static void expand_one(const struct walk_words *w, const char *name, size_t length,
                       struct walk_text *out)
{
    for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0]; i++) {
        if (strlen(placeholders[i].name) == length &&
            memcmp(placeholders[i].name, name, length) == 0) {
            placeholders[i].add(w, out);
            return;
        }
    }
}

void walk_words_expand(const struct walk_words *w, const char *words, struct walk_text *out)
{
    const char *open = strchr(words, '{');
    while (open != NULL) {
        const char *const close = strchr(open, '}');
        walk_text_add(out, "%.*s", (int)(open - words), words);
        expand_one(w, open + 1, (size_t)(close - open - 1), out);
        words = close + 1;
        open = strchr(words, '{');
    }
    walk_text_add(out, "%s", words);
}

bool walk_words_masked(const struct walk_words *w)
{
    return walk_masked(w->trace, w->cell);
}

int walk_words_left(const struct walk_words *w)
{
    const attn_tensor *const mask = attn_trace_tensor(w->trace, ATTN_MASK);
    const int n = config_of(w)->sizes.S;
    int left = 0;
    for (int s = 0; s < n; s++) {
        left += mask == NULL || *attn_tensor_at(mask, w->cell.at[0], w->cell.at[1], s) != 0 ? 1 : 0;
    }
    return left;
}

/* ---- flags ---- */

static void add_flag_row(const struct setup *setup, const attn_trace *trace,
                         const struct attn_flag *flag, struct walk_text *out)
{
    char buf[16];
    const char *const label = walk_label(setup, ATTN_AXIS_T, flag->at[1], buf);
    walk_text_add(out, "query %d", flag->at[1]);
    if (label != buf) {
        walk_text_add(out, " (\"");
        walk_text_add_clipped(out, label, WHO_COLUMNS);
        walk_text_add(out, "\")");
    }
    if (attn_trace_config(trace)->sizes.B > 1) {
        walk_text_add(out, " of batch element %d", flag->at[0]);
    }
    if (flag->count > 1) {
        walk_text_add(out, " and %zu more", flag->count - 1);
    }
}

static void add_flag_cell(const attn_trace *trace, const struct attn_flag *flag, const char *what,
                          struct walk_text *out)
{
    const struct attn_cell cell = {.tensor = flag->tensor,
                                   .at = {flag->at[0], flag->at[1], flag->at[2]}};
    walk_add_cell(out, NULL, trace, cell, NULL, NULL);
    walk_text_add(out, " is the first %s", what);
    if (flag->count > 1) {
        walk_text_add(out, " of %zu in this tensor", flag->count);
    }
    walk_text_add(out, attn_trace_writer(trace, flag->tensor) == ATTN_NO_STAGE
                           ? ": it was given, and everything made from it is affected"
                           : ": no number that it was made from is one; open the cell to see why");
}

void walk_flag_text(const struct setup *setup, const attn_trace *trace,
                    const struct attn_flag *flag, char *out, size_t size)
{
    const attn_config *const config = attn_trace_config(trace);
    struct walk_text text = walk_text_in(out, size);
    const char *const verb = flag->count > 1 ? "have" : "has";
    switch (flag->kind) {
    case ATTN_FLAG_EMPTY_ROW:
        add_flag_row(setup, trace, flag, &text);
        walk_text_add(&text, " %s no key left: every score is -inf; %s", verb,
                      config->empty_row == ATTN_EMPTY_ZEROS
                          ? "the weights are set to 0, where a plain softmax gives nan"
                          : "the softmax gives 0/0, which is nan");
        break;
    case ATTN_FLAG_UNIFORM_ROW:
        add_flag_row(setup, trace, flag, &text);
        walk_text_add(&text,
                      " %s every key masked with the finite fill %.4g: the weights are 1/%d each, "
                      "as if hidden keys could be seen",
                      verb, (double)config->mask_fill, config->sizes.S);
        break;
    case ATTN_FLAG_NAN:
        add_flag_cell(trace, flag, "nan", &text);
        break;
    case ATTN_FLAG_INF:
        add_flag_cell(trace, flag, "infinity", &text);
        break;
    }
}
