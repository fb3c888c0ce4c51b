#include "walk_case.h"

#include <check.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** splitmix64 (S. Vigna). */
static uint64_t next_random(struct walk_case *c)
{
    uint64_t z = (c->random += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int walk_case_below(struct walk_case *c, int n)
{
    return (int)(next_random(c) % (uint64_t)n);
}

static bool one_in(struct walk_case *c, int n)
{
    return walk_case_below(c, n) == 0;
}

static float real(struct walk_case *c)
{
    return (float)((double)(next_random(c) >> 11) * 0x1p-53 * 4 - 2);
}

static void fill(struct walk_case *c, enum attn_tensor_id id)
{
    int dims[3];
    const int rank = attn_tensor_dims(id, &c->config.sizes, dims);
    const size_t n = (size_t)dims[0] * (size_t)dims[1] * (size_t)dims[2];
    float *const data = calloc(n, sizeof *data);
    ck_assert_ptr_nonnull(data);
    const bool mask = attn_tensors[id].kind == ATTN_KIND_MASK;
    const int density = 1 + walk_case_below(c, 4);
    for (size_t i = 0; i < n; i++) {
        data[i] = !mask ? real(c) : one_in(c, density) ? 0.0f : 1.0f;
    }
    if (!mask && one_in(c, 12)) {
        const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, 1e-42f, -0.0f};
        data[walk_case_below(c, (int)n)] = odd[walk_case_below(c, 6)];
    }
    c->inputs[id] = attn_tensor_view(data, rank, dims + 3 - rank);
}

/** Hide the future, and sometimes every key of a query. */
static void shape_mask(struct walk_case *c)
{
    attn_tensor *const mask = &c->inputs[ATTN_MASK];
    if (one_in(c, 3)) {
        for (size_t i = 0; i < attn_tensor_count(mask); i++) {
            mask->data[i] = 1;
        }
        attn_mask_causal(mask, ATTN_CAUSAL_TOP_LEFT);
        snprintf(c->setup.mask_text, sizeof c->setup.mask_text, "causal");
    }
    if (one_in(c, 3)) {
        const int row = walk_case_below(c, mask->dims[1]);
        for (int s = 0; s < mask->dims[2]; s++) {
            *attn_tensor_at(mask, 0, row, s) = 0;
        }
    }
}

static void choose_sizes(struct walk_case *c, bool given)
{
    const struct attn_variant_info *const variant = &attn_variants[c->config.variant];
    attn_sizes *const sizes = &c->config.sizes;
    sizes->B = 1 + walk_case_below(c, 3);
    sizes->T = 1 + walk_case_below(c, one_in(c, 4) ? 11 : 5);
    sizes->S = variant->has_memory || given ? 1 + walk_case_below(c, 10) : sizes->T;
    sizes->d = one_in(c, 8) ? 32 + walk_case_below(c, 4) : 1 + walk_case_below(c, 9);
    sizes->d_in = variant->square ? sizes->d : 1 + walk_case_below(c, one_in(c, 8) ? 40 : 7);
    sizes->d_v = sizes->d;
    if (given && !attn_variant_has_layer(c->config.variant, ATTN_LAYER_OUT)) {
        sizes->d_v = 1 + walk_case_below(c, 6);
    }
}

static void choose_policies(struct walk_case *c)
{
    const float fills[] = {-INFINITY, -INFINITY, -1e9f, 1e-20f, 0.0f};
    const double rates[] = {0.1, 0.5, 0.0, 1.0};
    attn_config *const config = &c->config;
    config->mask_fill = fills[walk_case_below(c, 5)];
    config->empty_row = one_in(c, 3) ? ATTN_EMPTY_NAN : ATTN_EMPTY_ZEROS;
    if (one_in(c, 3)) {
        config->scale_given = true;
        config->scale = one_in(c, 2) ? 1.0f : real(c);
    }
    if (attn_variant_has(config->variant, ATTN_STAGE_DROP)) {
        config->training = !one_in(c, 3);
        config->dropout_p = rates[walk_case_below(c, 4)];
    }
}

/** Is this an input of a computation that starts at x (or at q, k and v)? */
static bool is_needed(const struct walk_case *c, enum attn_tensor_id id, bool given)
{
    const struct attn_tensor_info *const info = &attn_tensors[id];
    if (id == ATTN_MASK || id == ATTN_KEEP || !attn_variant_has_tensor(c->config.variant, id)) {
        return false;
    }
    if (given) {
        return id == ATTN_Q || id == ATTN_K || id == ATTN_V || info->layer == ATTN_LAYER_OUT;
    }
    return info->group != ATTN_GROUP_STAGE;
}

static void choose_inputs(struct walk_case *c, bool given)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (is_needed(c, (enum attn_tensor_id)id, given)) {
            fill(c, (enum attn_tensor_id)id);
        }
    }
    snprintf(c->setup.mask_text, sizeof c->setup.mask_text, "none");
    if (attn_variant_has(c->config.variant, ATTN_STAGE_MASK) && !one_in(c, 4)) {
        snprintf(c->setup.mask_text, sizeof c->setup.mask_text, "FILE");
        fill(c, ATTN_MASK);
        shape_mask(c);
    }
    const double p = c->config.dropout_p;
    if (c->config.training && p > 0 && (p < 1 || one_in(c, 2))) {
        fill(c, ATTN_KEEP);
    }
}

static void choose_tokens(struct walk_case *c)
{
    static char words[][8] = {"the", "cat", "sat", "größe",  "",  "a",
                              "on",  "mat", "and", "sleeps", ".", "日本"};
    static char *labels[sizeof words / sizeof words[0]];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        labels[i] = words[i];
    }
    if (one_in(c, 2)) {
        c->setup.tokens = (struct config_tokens){.labels = labels, .n = c->config.sizes.T};
        c->setup.memory_tokens = (struct config_tokens){.labels = labels, .n = c->config.sizes.S};
    }
}

void walk_case_init(struct walk_case *c, int number)
{
    *c = (struct walk_case){.random = (uint64_t)number};
    attn_config_default(&c->config, (enum attn_variant)(number % ATTN_N_VARIANTS));
    const bool given = one_in(c, 5);
    choose_sizes(c, given);
    choose_policies(c);
    choose_inputs(c, given);
    choose_tokens(c);
    const attn_sizes *const s = &c->config.sizes;
    snprintf(c->text, sizeof c->text,
             "case %d: %s%s B %d T %d S %d d %d d_in %d d_v %d fill %g p %g%s scale %g", number,
             attn_variants[c->config.variant].name, given ? " from q,k,v" : "", s->B, s->T, s->S,
             s->d, s->d_in, s->d_v, (double)c->config.mask_fill, c->config.dropout_p,
             c->config.training ? " training" : "", (double)c->config.scale);
    struct attn_error err = {.message = ""};
    const enum attn_status status = attn_trace_create(&c->trace, &c->config, c->inputs, &err);
    ck_assert_msg(status == ATTN_OK, "%s: %s: %s", c->text, err.what, err.message);
}

void walk_case_finish(struct walk_case *c)
{
    attn_trace_destroy(c->trace);
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        free(c->inputs[id].data);
    }
}

/** Every key of the last fifth of each sequence is padding; the rest of the mask is as it was. */
static void add_padding(struct walk_case *c)
{
    const attn_sizes *const n = &c->config.sizes;
    const attn_tensor *const mask = &c->inputs[ATTN_MASK];
    float *const data = malloc((size_t)n->B * (size_t)n->S * sizeof *data);
    ck_assert_ptr_nonnull(data);
    c->inputs[ATTN_PADDING] = attn_tensor_view(data, 2, (int[]){n->B, n->S});
    c->inputs[ATTN_UNPADDED] = *mask;
    const size_t count = attn_tensor_count(mask);
    float *const both = malloc(count * sizeof *both);
    ck_assert_ptr_nonnull(both);
    memcpy(both, mask->data, count * sizeof *both);
    c->inputs[ATTN_MASK].data = both;
    for (int b = 0; b < n->B; b++) {
        for (int s = 0; s < n->S; s++) {
            const bool real = s == 0 || s < n->S * 4 / 5;
            *attn_tensor_at(&c->inputs[ATTN_PADDING], 0, b, s) = real ? 1 : 0;
            for (int t = 0; t < n->T && !real; t++) {
                *attn_tensor_at(&c->inputs[ATTN_MASK], b, t, s) = 0;
            }
        }
    }
}

/** A pattern for dropout where the case has none. */
static void add_keep(struct walk_case *c)
{
    int dims[3];
    const int rank = attn_tensor_dims(ATTN_KEEP, &c->config.sizes, dims);
    attn_tensor *const keep = &c->inputs[ATTN_KEEP];
    *keep = attn_tensor_view(NULL, rank, dims);
    const size_t n = attn_tensor_count(keep);
    keep->data = malloc(n * sizeof *keep->data);
    ck_assert_ptr_nonnull(keep->data);
    for (size_t i = 0; i < n; i++) {
        keep->data[i] = walk_case_below(c, 3) > 0 ? 1 : 0;
    }
}

void walk_case_init_for_bug(struct walk_case *c, int number, enum attn_bug bug)
{
    walk_case_init(c, number);
    if (c->inputs[ATTN_MASK].data != NULL) {
        add_padding(c);
        c->config.causal = true;
    }
    if (bug >= ATTN_BUG_DROPOUT_UNSCALED && bug <= ATTN_BUG_DROPOUT_EVAL) {
        c->config.training =
            bug != ATTN_BUG_DROPOUT_EVAL && attn_variant_has(c->config.variant, ATTN_STAGE_DROP);
        c->config.dropout_p = 0.3;
    }
    if (attn_variant_has(c->config.variant, ATTN_STAGE_DROP) && c->inputs[ATTN_KEEP].data == NULL) {
        add_keep(c);
    }
    attn_tensor *const x = &c->inputs[c->inputs[ATTN_X].data != NULL ? ATTN_X : ATTN_Q];
    for (size_t i = 0; bug == ATTN_BUG_SOFTMAX_UNSAFE && i < attn_tensor_count(x); i++) {
        x->data[i] *= 30;
    }
}

bool walk_case_bugs_apply(struct walk_case *c, const enum attn_bug *bugs, int n)
{
    struct attn_error err;
    attn_trace *right = NULL;
    c->config.n_bugs = 0;
    ck_assert_int_eq(attn_trace_create(&right, &c->config, c->inputs, &err), ATTN_OK);
    const bool yes = attn_bugs_apply(right, c->inputs, bugs, n, &err) == ATTN_OK;
    attn_trace_destroy(right);
    return yes;
}

void walk_case_each(int group, void (*f)(struct walk_case *c))
{
    for (int i = 0; i < WALK_CASES_A_GROUP; i++) {
        struct walk_case c;
        walk_case_init(&c, group * WALK_CASES_A_GROUP + i);
        f(&c);
        walk_case_finish(&c);
    }
}

void walk_case_check(const struct walk_case *c, bool holds, const char *format, ...)
{
    if (holds) {
        return;
    }
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    ck_abort_msg("%s: %s", c->text, message);
}
