/* What to say at each step: templates by stage and grain, chosen by what is the case. */
#include <math.h>
#include <string.h>

#include "walk_words.h"

/** One template a grain. */
struct grains {
    const char *at[WALK_N_GRAINS];
};

static const char *grain_of(const struct grains *row, const struct walk_words *w)
{
    return row->at[w->step.grain];
}

/* ---- projections ---- */

const char *walk_words_project(const struct walk_words *w)
{
    static const struct grains parts[] = {
        {{"Each token of x becomes three vectors: a query (what it looks for), a key (what it can "
          "be found by) and a value (what it hands over). Three matrices, so that these can "
          "differ.",
          "{Row} makes its query: what it is looking for. Every token goes through the same "
          "weights, so all rows could be made at once.",
          "One number of {row}'s query: its row of {in} times row {n} of the weight{bias}. A "
          "weight is kept as [out,in], so one row of it makes one output."}},
        {{NULL,
          "{Row} makes its key: what queries can find it by. With a matrix of its own, a token may "
          "look for one thing and be found by another.",
          "One number of {row}'s key: its row of {in} times row {n} of the weight{bias}. Queries "
          "will be held against it at the scores."}},
        {{NULL,
          "{Row} makes its value: what it hands over to those who attend to it. The scores never "
          "look at it; it waits for the weighted sum.",
          "One number of {row}'s value: its row of {in} times row {n} of the weight{bias}. How "
          "much of it each query takes is decided later."}},
    };
    if (w->step.grain == WALK_STAGE &&
        attn_variants[attn_trace_config(w->trace)->variant].has_memory) {
        return "Queries come from x, keys and values from memory: one sequence asks, another one "
               "answers. This is all that makes it cross attention; every later stage is the same.";
    }
    return grain_of(&parts[w->step.grain == WALK_STAGE ? 0 : w->step.output], w);
}

const char *walk_words_merged(const struct walk_words *w)
{
    static const struct grains words = {
        {"One matrix with {3d} rows makes queries, keys and values in a single product. The "
         "numbers are those of three layers stacked; one large product keeps the machine busier "
         "than three small ones.",
         "All {3d} numbers of {row} at once: the first {d} will be its query, the next its key, "
         "the last its value.",
         "Number {n} of {row}: its row of {in} times row {n} of the merged weight{bias}. It will "
         "belong to the {part}."}};
    return grain_of(&words, w);
}

const char *walk_words_split(const struct walk_words *w)
{
    static const struct grains words = {
        {"Nothing is computed: the {3d} columns are cut into q, k and v, in this order. Cut them "
         "in another order and no error is raised; only the result is wrong.",
         "{Row}'s {part} is columns {from} to {to} of its row in qkv, taken as they are.",
         "Taken from column {column} of qkv, unchanged: number {n} of {row}'s {part}."}};
    return grain_of(&words, w);
}

/* ---- scores, scale, mask ---- */

const char *walk_words_score(const struct walk_words *w)
{
    static const struct grains words = {
        {"How well does what each query asks for match what each key offers? Every query meets "
         "every key: {T}×{S} dot products, which is why the cost grows with the square of the "
         "length.",
         "{Query} asks every key. Its row has one score for each of the {S} keys: the higher, the "
         "better the match. Nothing is scaled or hidden yet.",
         "How well does what {query} asks for match what {key} offers? Multiply number by number "
         "and add up: {value}."}};
    const attn_sizes *const sizes = &attn_trace_config(w->trace)->sizes;
    if (w->step.grain == WALK_STAGE && sizes->T != sizes->S) {
        return "How well does what each query asks for match what each key offers? Every query "
               "meets every key: {T}×{S} dot products. The cost grows with the two lengths "
               "multiplied.";
    }
    if (w->step.grain == WALK_CELL && w->value > 0) {
        return "How well does what {query} asks for match what {key} offers? Multiply number by "
               "number and add up: {value}. Above zero: the two vectors lean the same way.";
    }
    if (w->step.grain == WALK_CELL && w->value < 0) {
        return "How well does what {query} asks for match what {key} offers? Multiply number by "
               "number and add up: {value}. Below zero: the two vectors lean apart.";
    }
    return grain_of(&words, w);
}

const char *walk_words_scale(const struct walk_words *w)
{
    static const struct grains divided = {
        {"A score is a sum of d = {d} products. Were all numbers of q and k of variance 1, its own "
         "would be {d}; divided by √{d} it is 1 at any width, and the softmax is not pushed onto "
         "one key, where its gradient dies.",
         "{Query}'s scores, each divided by √{d} = {root}. Which key is best does not change; the "
         "gaps shrink, and so the weights come out softer.",
         "{score} / {root} = {value}. The d under the root is the width of q and k, the number of "
         "products in the sum; it is not the width of x nor the length."}};
    static const struct grains factor = {
        {"Here the scores are multiplied by {factor}, in place of 1/√{d} = {inverse}. A larger "
         "factor makes the softmax sharper, a smaller one flatter. Press s to change it.",
         "{Query}'s scores, each multiplied by {factor}. The usual factor at this width is 1/√{d} "
         "= {inverse}.",
         "{score} × {factor} = {value}. With 1/√{d} it would be {usual}."}};
    static const struct grains none = {
        {"No scaling: the scores stay as they are. Their variance grows with d, here {d}; at a "
         "large d nearly all weight falls on one key and the gradient dies. Press s to scale.",
         "{Query}'s scores stay as they are. Divided by √{d} = {root} they would lie closer "
         "together, and the weights would be softer.",
         "The score stays {value}. Divided by √{d} it would be {usual}."}};
    const attn_config *const config = attn_trace_config(w->trace);
    return grain_of(!config->scale_given ? &divided : config->scale == 1 ? &none : &factor, w);
}

/** Is the fill so low that e to it is 0 beside any usual score? */
static bool fill_hides(const struct walk_words *w)
{
    return attn_trace_config(w->trace)->mask_fill < -1000;
}

/** Does a causal mask hide this key because it comes later? */
static bool is_future(const struct walk_words *w)
{
    return w->setup != NULL && strstr(w->setup->mask_text, "causal") != NULL &&
           w->cell.at[2] > w->cell.at[1];
}

const char *walk_words_mask(const struct walk_words *w)
{
    static const struct grains infinite = {
        {"Where the mask is 0 the score becomes -inf. e to -inf is exactly 0, so after the softmax "
         "a "
         "hidden key has no weight and the others share all of it. That is why the mask comes "
         "before the softmax.",
         "{Query} may see {left} of {S} keys. A hidden score becomes -inf: as far down as a score "
         "can be, so the softmax gives it exactly 0.",
         NULL}};
    static const struct grains finite = {
        {"Where the mask is 0 the score becomes {fill}. e to that is 0 in float32 beside any usual "
         "score, so it hides as -inf does, except where a whole row is hidden: then all weights "
         "are "
         "equal.",
         "{Query} may see {left} of {S} keys. A hidden score becomes {fill}, low enough beside any "
         "usual score.",
         NULL}};
    static const struct grains leaking = {
        {"Where the mask is 0 the score becomes {fill}. But e to that is {exp}, not 0: a hidden "
         "key keeps weight, and nothing raises an error. -inf hides; press M to change the fill.",
         "{Query} should see {left} of {S} keys, but a hidden score becomes only {fill}: beside "
         "the other scores that is not low, and the key keeps weight.",
         NULL}};
    const int left = w->step.grain == WALK_ROW ? walk_words_left(w) : -1;
    if (left == 0) {
        return "No key is left for {query}: all {S} are hidden. What the softmax makes of such a "
               "row is a matter of policy, and worth a look at the next stage.";
    }
    if (left == attn_trace_config(w->trace)->sizes.S) {
        return "{Query} may see all {S} keys: its mask is 1 throughout, and its scores stay as "
               "they are.";
    }
    if (w->step.grain == WALK_CELL) {
        return !walk_words_masked(w)
                   ? "The mask is 1 here: {query} may see {key}, and its score stays {value}."
               : is_future(w) ? "The mask is 0 here: {key} comes after {query}, and a causal mask "
                                "hides what comes later. The score becomes {fill}."
                              : "The mask is 0 here: {query} may not see {key}. Whatever the score "
                                "was, it becomes {fill}.";
    }
    const float fill = attn_trace_config(w->trace)->mask_fill;
    return grain_of(fill == -INFINITY ? &infinite : fill_hides(w) ? &finite : &leaking, w);
}

/* ---- softmax, dropout ---- */

/** What is said of a row that has no key left, or NULL. */
static const char *empty_words(const struct walk_words *w)
{
    const attn_config *const config = attn_trace_config(w->trace);
    if (walk_words_left(w) > 0) {
        return NULL;
    }
    if (config->mask_fill != -INFINITY) {
        return "Every key is hidden from {query} with the same fill, {fill}: all its scores are "
               "equal, so each key gets 1/{S} of its attention, as if none were hidden.";
    }
    return config->empty_row == ATTN_EMPTY_ZEROS
               ? "No key is left for {query}, so its sum is 0. Here its weights are set to 0; a "
                 "plain softmax computes 0/0, and nan then spreads to everything after."
               : "No key is left for {query}: the softmax computes 0/0, which is nan, and nan "
                 "spreads to everything after. Setting such a row to 0 is the usual cure.";
}

const char *walk_words_softmax(const struct walk_words *w)
{
    static const struct grains words = {
        {"Each row of scores becomes weights: e to each score, divided by the sum over the row's "
         "keys. All are 0 or more and add up to 1: how each query shares out its attention.",
         "{Query} shares out its attention; the largest share, {most}, goes to {top}. The row's "
         "maximum is taken off first; the weights stay the same, and e cannot overflow.",
         "{Query} gives {value} of its attention to {key}: e to this score, over the sum for all "
         "keys of the row. Along the keys, never along the queries."}};
    if (w->step.grain == WALK_STAGE) {
        return grain_of(&words, w);
    }
    const char *const empty = empty_words(w);
    if (empty != NULL) {
        return empty;
    }
    if (isnan(w->value)) {
        return "A nan among {query}'s scores makes every weight of its row nan: the sum that "
               "divides them all is nan.";
    }
    if (w->step.grain == WALK_CELL && walk_words_masked(w)) {
        return w->value > 0 ? "{Key} is hidden from {query}, and yet it gets {value} of its "
                              "attention: the fill, {fill}, is not low enough."
                            : "{Key} is hidden from {query}: e to {fill} is 0, so it gets nothing, "
                              "and the other keys share the whole.";
    }
    return grain_of(&words, w);
}

/** What is said of a weight that is dropped, or has nothing to lose, or NULL. */
static const char *drop_cell_words(const struct walk_words *w)
{
    struct attn_cell cell = w->cell;
    cell.tensor = ATTN_WEIGHTS;
    if (walk_words_masked(w) && walk_value(w->trace, cell) == 0) {
        return "{Key} is hidden from {query}: its weight is 0 already, kept or dropped.";
    }
    cell.tensor = ATTN_KEEP;
    return walk_value(w->trace, cell) != 0
               ? NULL
               : "Dropped in this draw: {query} cannot lean on {key} this time. Over many draws "
                 "the model learns not to depend on a single position.";
}

/** Is every weight that is more than nothing kept in rows lo to hi? */
static bool nothing_lost(const struct walk_words *w, int lo, int hi)
{
    const attn_tensor *const keep = attn_trace_tensor(w->trace, ATTN_KEEP);
    const attn_tensor *const weights = attn_trace_tensor(w->trace, ATTN_WEIGHTS);
    const int b = w->cell.at[0];
    for (int t = lo; t < hi; t++) {
        for (int s = 0; s < keep->dims[2]; s++) {
            if (*attn_tensor_at(keep, b, t, s) == 0 && *attn_tensor_at(weights, b, t, s) != 0) {
                return false;
            }
        }
    }
    return true;
}

/** What is said where the draw happens to drop nothing, or NULL. */
static const char *drop_nothing_words(const struct walk_words *w)
{
    const int row = w->cell.at[1];
    switch (w->step.grain) {
    case WALK_STAGE:
        return nothing_lost(w, 0, attn_trace_config(w->trace)->sizes.T)
                   ? "Nothing was dropped in this draw: each weight is only divided by 1 − {p}, so "
                     "that every row sums to more than 1. On average over many draws, in which "
                     "weights are lost, it is 1. r takes another seed."
                   : NULL;
    case WALK_ROW:
        return nothing_lost(w, row, row + 1)
                   ? "{Query} lost nothing in this draw: its weights are divided by 1 − {p}, and "
                     "its row sums to {sum}; only the average over many draws is 1."
                   : NULL;
    case WALK_CELL:
    case WALK_N_GRAINS:
        break;
    }
    return NULL;
}

const char *walk_words_drop(const struct walk_words *w)
{
    static const struct grains words = {
        {"In training each weight is dropped with probability {p}; those that stay are divided by "
         "1 − {p}, so that the average stays right. A row no longer sums to 1, and is not made to: "
         "that is meant.",
         "{Query} lost {lost} of its {S} weights in this draw; the others were divided by 1 − {p}. "
         "Its row now sums to {sum}; only the average over many draws is 1.",
         "Kept in this draw, and divided by 1 − {p}: {value}. The extra makes up, on average, for "
         "the draws in which it is dropped. In evaluation nothing is done."}};
    static const struct grains all = {{"With p = 1 every weight is dropped: nothing reaches the "
                                       "output but the biases after it. Press d for another p.",
                                       "With p = 1 all of {query}'s weights are dropped.",
                                       "With p = 1 every weight is dropped."}};
    if (walk_keep_factor(w->trace) == 0) {
        return grain_of(&all, w);
    }
    const char *const cell =
        w->step.grain == WALK_CELL ? drop_cell_words(w) : drop_nothing_words(w);
    return cell != NULL ? cell : grain_of(&words, w);
}

/* ---- context, output ---- */

const char *walk_words_mix(const struct walk_words *w)
{
    static const struct grains words = {
        {"Each query now takes a weighted mean of the values: of what it attends to most it "
         "carries most. Every row leaves with something of the other tokens in it: this is the "
         "context.",
         "{Query}'s new row is a mixture of values, the largest share, {most}, from {top}. Keys "
         "decided how much; values are what is handed over.",
         "Column {n} of every value, each weighted by {query}'s share for it, added up: {value}."}};
    const enum attn_tensor_id probs = walk_probs(w->trace);
    if (w->step.grain == WALK_STAGE && probs == ATTN_DROPPED) {
        return "Each query now takes a weighted sum of the values. It is no mean while training: "
               "dropout left rows that do not sum to 1. Every row leaves with something of the "
               "other tokens in it: this is the context.";
    }
    const float sum = walk_row_sum(w->trace, probs, w->cell.at[0], w->cell.at[1]);
    if (w->step.grain != WALK_ROW) {
        return grain_of(&words, w);
    }
    if (isnan(sum)) {
        return "A nan among {query}'s weights makes every number of its new row nan, whatever the "
               "values are.";
    }
    if (sum == 0) {
        return "{Query} has no weight to give, since every key is hidden or dropped: nothing is "
               "mixed into its row.";
    }
    return probs != ATTN_DROPPED
               ? grain_of(&words, w)
               : "{Query}'s new row is a mixture of the values that dropout left it, the largest "
                 "share, {most}, from {top}. Its shares sum to {sum} here.";
}

const char *walk_words_output(const struct walk_words *w)
{
    static const struct grains words = {
        {"A last linear layer. Attention only averages values; this lets the model recombine what "
         "it gathered into the form that the next layer wants. With several heads it is also where "
         "they meet.",
         "{Row}'s gathered context goes through the output layer. It mixes the columns of one row; "
         "rows no longer meet here.",
         "One number of {row}'s result: its row of context times row {n} of the weight{bias}. From "
         "here it can be followed back to x."}};
    return grain_of(&words, w);
}

/* ---- the whole ---- */

/** The cell that the step writes, or for an idle stage none. */
static bool first_cell(const attn_trace *trace, const struct walk_step *step,
                       struct attn_cell *cell)
{
    struct walk_region regions[WALK_REGIONS_MAX];
    if (walk_writes(trace, step, regions) == 0) {
        return false;
    }
    *cell = (struct attn_cell){.tensor = regions[0].tensor,
                               .at = {regions[0].lo[0], regions[0].lo[1], regions[0].lo[2]}};
    return true;
}

/** What is wrong with the step's row, and at the coarsest grain what one would notice of it. */
static void add_mistakes(const attn_trace *trace, const struct walk_step *step,
                         struct walk_text *text)
{
    const attn_config *const config = attn_trace_config(trace);
    bool first = true;
    for (int i = 0; i < config->n_bugs; i++) {
        const struct attn_bug_info *const bug = &attn_bugs[config->bugs[i]];
        for (const enum attn_stage *s = bug->stages; *s != ATTN_NO_STAGE; s++) {
            if (*s == attn_trace_stage(trace, step->stage)) {
                walk_text_add(text, "%sWrong on purpose, %s: %s. %s", first ? "" : " ", bug->name,
                              bug->title, step->grain == WALK_STAGE ? bug->notice : bug->fix);
                first = false;
            }
        }
    }
}

void walk_words(const struct setup *setup, const attn_trace *trace, const struct walk_step *step,
                char *out, size_t size)
{
    const struct walk_stage *const stage = &walk_stages[attn_trace_stage(trace, step->stage)];
    struct walk_text text = walk_text_in(out, size);
    struct walk_words w = {.setup = setup, .trace = trace, .step = *step};
    if (!first_cell(trace, step, &w.cell)) {
        walk_text_add(&text, "%s", stage->idle_words[attn_trace_config(trace)->training ? 1 : 0]);
        return;
    }
    if (attn_trace_changed(trace, attn_trace_stage(trace, step->stage))) {
        add_mistakes(trace, step, &text);
        return;
    }
    w.value = walk_value(trace, w.cell);
    walk_words_expand(&w, stage->words(&w), &text);
}

void walk_cell_words(const struct setup *setup, const attn_trace *trace, struct attn_cell cell,
                     char *out, size_t size)
{
    struct walk_text text = walk_text_in(out, size);
    const enum attn_stage stage = attn_trace_writer(trace, cell.tensor);
    char name[64];
    walk_add_cell(&text, setup, trace, cell, NULL, NULL);
    attn_tensor_name(attn_trace_config(trace)->variant, cell.tensor, name, sizeof name);
    walk_text_add(&text, " belongs to %s, %s. ", name, attn_tensors[cell.tensor].meaning);
    if (stage != ATTN_NO_STAGE) {
        walk_text_add(&text, "It was made at stage %d, %s; press %d to see how.",
                      walk_stage_index(trace, stage) + 1, attn_stages[stage].key,
                      walk_stage_index(trace, stage) + 1);
    } else {
        walk_text_put(&text, "Nothing here computes it: other numbers come from it.");
    }
}
