#include "diagnose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A trace above this is not made a few hundred times. */
static const uint64_t pairs_max_bytes = UINT64_C(64) << 20;

/* What people fill in who know that a row of -inf gives NaN: an emptied row is then 1/S each. */
static const float finite_fill = -1e9F;

const struct diagnose_tolerance diagnose_tolerance = {.relative = 1e-4, .absolute = 1e-5};

/* ---- comparing ---- */

static double distance(float yours, float right)
{
    if (isnan(yours) && isnan(right)) {
        return 0;
    }
    if (isinf(right) && yours == right) {
        return 0;
    }
    const double apart = fabs((double)yours - (double)right);
    return isnan(apart) ? (double)INFINITY : apart;
}

bool diagnose_equal(float yours, float right, const struct diagnose_tolerance *tolerance)
{
    const double apart = distance(yours, right);
    if (isinf(apart) || !(apart > 0)) {
        return !isinf(apart);
    }
    return apart <= tolerance->absolute + tolerance->relative * fabs((double)right);
}

static void note_cell(struct diagnose_stage *stage, const int at[3], float yours, float right,
                      bool equal)
{
    const double apart = distance(yours, right);
    if (apart > stage->largest) {
        stage->largest = apart;
        memcpy(stage->largest_at, at, sizeof stage->largest_at);
        stage->largest_yours = yours;
        stage->largest_right = right;
    }
    if (!equal && stage->off == 0) {
        memcpy(stage->first_at, at, sizeof stage->first_at);
        stage->first_yours = yours;
        stage->first_right = right;
    }
    stage->off += equal ? 0 : 1;
    stage->nan += isnan(yours) && !isnan(right) ? 1 : 0;
}

/** Compare what was got for a tensor with a trace's. */
static struct diagnose_stage compare(const struct diagnose_case *c, const attn_trace *trace,
                                     enum attn_tensor_id id,
                                     const struct diagnose_tolerance *tolerance)
{
    struct diagnose_stage stage = {.tensor = id};
    const attn_tensor *const right = attn_trace_tensor(trace, attn_trace_source(trace, id));
    const attn_tensor *const got = &c->got[id];
    for (int b = 0; b < right->dims[0]; b++) {
        for (int r = 0; r < right->dims[1]; r++) {
            for (int i = 0; i < right->dims[2]; i++) {
                const float x = *attn_tensor_at(got, b, r, i);
                const float y = *attn_tensor_at(right, b, r, i);
                note_cell(&stage, (int[]){b, r, i}, x, y, diagnose_equal(x, y, tolerance));
            }
        }
    }
    return stage;
}

/** Do two traces agree on a tensor? */
static bool agree(const attn_trace *a, const attn_trace *b, enum attn_tensor_id id,
                  const struct diagnose_tolerance *tolerance)
{
    struct diagnose_case c = {.right = b};
    c.got[id] = *attn_trace_tensor(a, attn_trace_source(a, id));
    return compare(&c, b, id, tolerance).off == 0;
}

static bool is_given(const struct diagnose_case *c, int id)
{
    return c->got[id].data != NULL && attn_tensors[id].group == ATTN_GROUP_STAGE &&
           attn_trace_source(c->right, (enum attn_tensor_id)id) != ATTN_NO_TENSOR;
}

static enum attn_tensor_id last_given(const struct diagnose_case *c)
{
    int last = ATTN_N_TENSORS - 1;
    while (last >= 0 && !is_given(c, last)) {
        last--;
    }
    return (enum attn_tensor_id)last;
}

/* ---- one mistake against all cases ---- */

/** How well something explains what was got: not at all, the last tensor, all that were given. */
enum match { MATCH_NONE, MATCH_LAST, MATCH_ALL };

/** What a mistake amounts to over all cases. */
struct verdict {
    enum match match;
    bool changes_last, changes_any; /**< Against the right result. */
    double apart;
};

struct search {
    const struct diagnose_case *cases;
    int n_cases;
    const struct diagnose_tolerance *tolerance;
    bool (*applies)[ATTN_N_BUGS]; /**< By case; owned. */
    enum match best;              /**< Of the causes so far. */
    bool finite;                  /**< A finite fill is tried as well. */
    enum attn_layer layer;        /**< The only one with the mistake; ATTN_N_LAYERS: every one. */
    bool half;                    /**< Of the softmax, only the sum goes over the queries. */
    struct diagnosis *out;
    struct attn_error *err;
};

static enum match match_of(const struct search *s, const struct diagnose_case *c,
                           const attn_trace *trace, double *apart)
{
    const enum attn_tensor_id last = last_given(c);
    enum match match = MATCH_ALL;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (!is_given(c, id)) {
            continue;
        }
        const struct diagnose_stage stage =
            compare(c, trace, (enum attn_tensor_id)id, s->tolerance);
        if (stage.off > 0) {
            match = (enum attn_tensor_id)id == last ? MATCH_NONE : MATCH_LAST;
        }
        *apart = (enum attn_tensor_id)id == last ? stage.largest : *apart;
    }
    return match;
}

static void note_changes(const struct search *s, const struct diagnose_case *c,
                         const attn_trace *trace, struct verdict *verdict)
{
    const enum attn_tensor_id last = last_given(c);
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (is_given(c, id) && !agree(trace, c->right, (enum attn_tensor_id)id, s->tolerance)) {
            verdict->changes_any = true;
            verdict->changes_last |= (enum attn_tensor_id)id == last;
        }
    }
}

/** Can the policy about emptied rows make a difference here? */
static bool empties(const attn_trace *trace)
{
    int n = 0;
    const struct attn_flag *const flags = attn_trace_flags(trace, &n);
    for (int i = 0; i < n; i++) {
        if (flags[i].kind == ATTN_FLAG_EMPTY_ROW) {
            return true;
        }
    }
    return attn_trace_has_bug(trace, ATTN_BUG_SOFTMAX_QUERIES) &&
           attn_trace_tensor(trace, ATTN_MASK) != NULL;
}

/** The case with these bugs, under one policy, against what was got. */
static enum attn_status try_policy(struct search *s, const struct diagnose_case *c,
                                   const attn_config *config, struct verdict *verdict,
                                   bool *has_other)
{
    attn_trace *trace = NULL;
    double apart = 0;
    const enum attn_status status = attn_trace_create(&trace, config, c->inputs, s->err);
    if (status != ATTN_OK) {
        return status;
    }
    const enum match match = match_of(s, c, trace, &apart);
    *has_other = empties(trace);
    if (match > verdict->match) {
        *verdict = (struct verdict){.match = match, .apart = apart};
        note_changes(s, c, trace, verdict);
    }
    attn_trace_destroy(trace);
    return ATTN_OK;
}

/** Of the bugs those that make a difference in this case. */
static void restrict_to(const struct search *s, int i, const enum attn_bug *bugs, int n,
                        attn_config *config)
{
    config->n_bugs = 0;
    if (n > 1 && attn_bugs_apply(s->cases[i].right, s->cases[i].inputs, bugs, n, NULL) == ATTN_OK) {
        memcpy(config->bugs, bugs, (size_t)n * sizeof *bugs);
        config->n_bugs = n;
        return;
    }
    for (int k = 0; k < n; k++) {
        if (s->applies[i][bugs[k]]) {
            config->bugs[config->n_bugs++] = bugs[k];
        }
    }
}

static enum attn_status try_case(struct search *s, int i, const enum attn_bug *bugs, int n,
                                 struct verdict *verdict)
{
    attn_config config = *s->cases[i].config;
    bool has_other = false;
    *verdict = (struct verdict){.match = MATCH_NONE};
    config.row_maximum = s->half;
    config.wrong_layers = s->layer < ATTN_N_LAYERS ? 1U << s->layer : 0;
    restrict_to(s, i, bugs, n, &config);
    enum attn_status status = try_policy(s, &s->cases[i], &config, verdict, &has_other);
    if (!has_other) {
        return status;
    }
    if (status == ATTN_OK && verdict->match < MATCH_ALL) {
        config.empty_row = config.empty_row == ATTN_EMPTY_ZEROS ? ATTN_EMPTY_NAN : ATTN_EMPTY_ZEROS;
        status = try_policy(s, &s->cases[i], &config, verdict, &has_other);
    }
    if (status == ATTN_OK && verdict->match < MATCH_ALL && s->finite && isinf(config.mask_fill)) {
        config.mask_fill = finite_fill;
        status = try_policy(s, &s->cases[i], &config, verdict, &has_other);
    }
    return status;
}

static enum attn_status try_bugs(struct search *s, const enum attn_bug *bugs, int n,
                                 struct verdict *verdict)
{
    *verdict = (struct verdict){.match = MATCH_ALL};
    for (int i = 0; i < s->n_cases && verdict->match > MATCH_NONE; i++) {
        struct verdict one;
        const enum attn_status status = try_case(s, i, bugs, n, &one);
        if (status != ATTN_OK) {
            return status;
        }
        verdict->match = one.match < verdict->match ? one.match : verdict->match;
        verdict->changes_any |= one.changes_any;
        verdict->changes_last |= one.changes_last;
        verdict->apart = one.apart > verdict->apart ? one.apart : verdict->apart;
    }
    return ATTN_OK;
}

/** Keep the best explanations, the nearest first. */
static void keep_cause(struct search *s, const enum attn_bug *bugs, int n,
                       const struct verdict *verdict)
{
    struct diagnosis *const out = s->out;
    if (verdict->match > s->best) {
        out->n_causes = 0;
        s->best = verdict->match;
    }
    if (verdict->match < s->best || out->n_causes == DIAGNOSE_CAUSES_MAX) {
        return;
    }
    struct diagnose_cause cause = {.n = n, .layer = s->layer, .apart = verdict->apart};
    memcpy(cause.bugs, bugs, (size_t)n * sizeof *bugs);
    int place = out->n_causes++;
    for (; place > 0 && out->causes[place - 1].apart > cause.apart; place--) {
        out->causes[place] = out->causes[place - 1];
    }
    out->causes[place] = cause;
}

static enum attn_status consider(struct search *s, const enum attn_bug *bugs, int n)
{
    struct verdict verdict;
    const enum attn_status status = try_bugs(s, bugs, n, &verdict);
    const bool shows = verdict.match == MATCH_ALL ? verdict.changes_any : verdict.changes_last;
    if (status == ATTN_OK && verdict.match > MATCH_NONE && shows) {
        keep_cause(s, bugs, n, &verdict);
    }
    return status;
}

static bool applies_somewhere(const struct search *s, enum attn_bug bug)
{
    for (int i = 0; i < s->n_cases; i++) {
        if (s->applies[i][bug]) {
            return true;
        }
    }
    return false;
}

/** Is what was given nothing but NaN? Some pair agrees with that always. */
static bool all_nan(const struct search *s)
{
    const struct diagnose_stage *const last = &s->out->stages[s->out->n_stages - 1];
    return last->nan == attn_tensor_count(&s->cases[s->out->at_case].got[last->tensor]);
}

static enum attn_status search_singles(struct search *s)
{
    enum attn_status status = ATTN_OK;
    for (int i = 0; status == ATTN_OK && i < ATTN_N_BUGS; i++) {
        const enum attn_bug bug = (enum attn_bug)i;
        if (applies_somewhere(s, bug)) {
            status = consider(s, &bug, 1);
        }
    }
    return status;
}

/** Two that only apply together are tried too. */
static bool pair_applies(const struct search *s, const enum attn_bug bugs[2])
{
    if (!attn_bugs_together(bugs[0], bugs[1])) {
        return false;
    }
    const bool each = applies_somewhere(s, bugs[0]) && applies_somewhere(s, bugs[1]);
    for (int i = 0; !each && i < s->n_cases; i++) {
        if (attn_bugs_apply(s->cases[i].right, s->cases[i].inputs, bugs, 2, NULL) == ATTN_OK) {
            return true;
        }
    }
    return each;
}

static enum attn_status search_pairs(struct search *s)
{
    enum attn_status status = ATTN_OK;
    for (int i = 0; status == ATTN_OK && i < ATTN_N_BUGS; i++) {
        for (int j = i + 1; status == ATTN_OK && j < ATTN_N_BUGS; j++) {
            const enum attn_bug bugs[2] = {(enum attn_bug)i, (enum attn_bug)j};
            if (pair_applies(s, bugs)) {
                status = consider(s, bugs, 2);
            }
        }
    }
    return status;
}

/** Are traces small enough to make one for every pair? */
static bool is_small(const struct search *s)
{
    uint64_t total = 0;
    for (int i = 0; i < s->n_cases; i++) {
        uint64_t bytes = 0;
        if (attn_trace_bytes(&bytes, s->cases[i].config, s->cases[i].inputs, NULL) != ATTN_OK ||
            bytes > pairs_max_bytes) {
            return false;
        }
        total += bytes;
    }
    return total <= pairs_max_bytes;
}

/** Is every case right when no bug is in it, whatever emptied rows come to? */
static enum attn_status right_by_policy(struct search *s, bool *right)
{
    struct verdict verdict;
    const enum attn_status status = try_bugs(s, NULL, 0, &verdict);
    *right = status == ATTN_OK && verdict.match == MATCH_ALL;
    return status;
}

/** The softmax with one of its two axes mistaken: e / e.sum(axis=-2), and the maximum is right. */
static enum attn_status search_half(struct search *s)
{
    const enum attn_bug bug = ATTN_BUG_SOFTMAX_QUERIES;
    s->half = true;
    const enum attn_status status = applies_somewhere(s, bug) ? consider(s, &bug, 1) : ATTN_OK;
    s->half = false;
    return status;
}

/** A mistake of layers that was made in one of them. */
static enum attn_status search_layers(struct search *s)
{
    static const enum attn_bug bugs[] = {ATTN_BUG_NO_BIAS, ATTN_BUG_WEIGHT_TRANSPOSED};
    const enum attn_layer *const layers = attn_variants[s->cases[0].config->variant].layers;
    enum attn_status status = ATTN_OK;
    for (int i = 0; i < 2 && status == ATTN_OK && s->out->n_causes == 0; i++) {
        for (int k = 0; status == ATTN_OK && layers[k] != ATTN_N_LAYERS; k++) {
            s->layer = layers[k];
            status = applies_somewhere(s, bugs[i]) ? consider(s, &bugs[i], 1) : ATTN_OK;
        }
    }
    s->layer = ATTN_N_LAYERS;
    return status;
}

/** Two at once, and what else people fill in: only where nothing simpler explains it. */
static enum attn_status search_further(struct search *s)
{
    s->finite = true;
    enum attn_status status = right_by_policy(s, &s->out->right);
    s->finite = false;
    if (status == ATTN_OK && !s->out->right) {
        status = search_half(s);
    }
    if (status == ATTN_OK && !s->out->right && s->out->n_causes == 0) {
        status = search_layers(s);
    }
    if (status == ATTN_OK && !s->out->right && s->out->n_causes == 0) {
        s->out->pairs_left_out = !is_small(s);
        status = s->out->pairs_left_out || all_nan(s) ? ATTN_OK : search_pairs(s);
    }
    if (status == ATTN_OK && !s->out->right && s->out->n_causes == 0) {
        s->finite = true;
        status = search_singles(s);
    }
    return status;
}

static enum attn_status search(struct search *s)
{
    enum attn_status status = right_by_policy(s, &s->out->right);
    for (int i = 0; i < s->n_cases; i++) {
        for (int bug = 0; bug < ATTN_N_BUGS; bug++) {
            const enum attn_bug one = (enum attn_bug)bug;
            s->applies[i][bug] =
                attn_bugs_apply(s->cases[i].right, s->cases[i].inputs, &one, 1, NULL) == ATTN_OK;
        }
    }
    if (status == ATTN_OK && !s->out->right) {
        status = search_singles(s);
    }
    if (status == ATTN_OK && !s->out->right && s->out->n_causes == 0) {
        status = search_further(s);
    }
    s->out->other_empty_row = s->out->right;
    return status;
}

/* ---- the whole ---- */

/** Fill in the stages of a case. @return is none of them off? */
static bool compare_case(struct diagnosis *out, const struct diagnose_case *c,
                         const struct diagnose_tolerance *tolerance)
{
    out->n_stages = 0;
    out->first = -1;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (is_given(c, id)) {
            struct diagnose_stage *const stage = &out->stages[out->n_stages];
            *stage = compare(c, c->right, (enum attn_tensor_id)id, tolerance);
            out->first = stage->off > 0 && out->first < 0 ? out->n_stages : out->first;
            out->n_stages++;
        }
    }
    return out->first < 0;
}

enum attn_status diagnose(struct diagnosis *out, const struct diagnose_case *cases, int n_cases,
                          const struct diagnose_tolerance *tolerance, struct attn_error *err)
{
    *out = (struct diagnosis){.first = -1};
    for (int i = 0; i < n_cases; i++) {
        if (last_given(&cases[i]) == ATTN_NO_TENSOR) {
            return attn_fail(err, ATTN_E_VALUE, NULL, "there is no result to compare");
        }
    }
    int bad = 0;
    while (bad < n_cases && compare_case(out, &cases[bad], tolerance)) {
        bad++;
    }
    out->right = bad == n_cases;
    out->at_case = out->right ? 0 : bad;
    if (out->right) {
        compare_case(out, &cases[0], tolerance);
        return ATTN_OK;
    }
    struct search s = {.cases = cases,
                       .n_cases = n_cases,
                       .tolerance = tolerance,
                       .applies = calloc((size_t)n_cases, sizeof *s.applies),
                       .layer = ATTN_N_LAYERS,
                       .out = out,
                       .err = err};
    if (s.applies == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    const enum attn_status status = search(&s);
    free(s.applies);
    return status;
}

char *diagnose_names(const struct diagnosis *diagnosis, char *out, size_t size)
{
    size_t used = 0;
    (void)snprintf(out, size, "unknown");
    for (int i = 0; i < diagnosis->n_causes && used < size; i++) {
        const struct diagnose_cause *const cause = &diagnosis->causes[i];
        used += (size_t)snprintf(out + used, size - used, "%s%s%s%s", i > 0 ? ", " : "",
                                 attn_bugs[cause->bugs[0]].name, cause->n > 1 ? "+" : "",
                                 cause->n > 1 ? attn_bugs[cause->bugs[1]].name : "");
    }
    return out;
}
