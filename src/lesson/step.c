/* Blocks marked attn, and the fields that the front matter shares with them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

enum { IN_FRONT = 1, IN_BLOCK = 2 };

struct key {
    const char *name;
    unsigned where;
    void (*read)(struct lesson_reader *r, struct lesson_step *step, const struct lesson_field *f);
};

static void fail(struct lesson_reader *r, struct lesson_step *step, const struct lesson_field *f,
                 const struct attn_error *err)
{
    step->broken = true;
    lesson_error_add(r->errors, f->line, f->value_column, "%s", err->message);
}

static void read_title(struct lesson_reader *r, struct lesson_step *step,
                       const struct lesson_field *f)
{
    (void)step;
    r->lesson->title = f->value;
    if (f->value[0] == '\0') {
        lesson_error_add(r->errors, f->line, f->column,
                         "a title without words (say what the "
                         "lesson is about)");
    }
}

static void read_summary(struct lesson_reader *r, struct lesson_step *step,
                         const struct lesson_field *f)
{
    (void)step;
    r->lesson->summary = f->value;
}

static void read_topics(struct lesson_reader *r, struct lesson_step *step,
                        const struct lesson_field *f)
{
    struct lesson *const l = r->lesson;
    (void)step;
    for (const char *at = f->value; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        size_t n = length;
        while (n > 0 && at[n - 1] == ' ') {
            n--;
        }
        const char **const grown = lesson_grow(l, l->topics, l->n_topics, sizeof *grown);
        const char *const topic = lesson_copy(l, at, n);
        if (grown == NULL || topic == NULL) {
            lesson_no_memory(r);
            return;
        }
        l->topics = grown;
        if (n > 0) {
            grown[l->n_topics++] = topic;
        }
        at += length + (at[length] == ',' ? 1 : 0);
        at += strspn(at, " ");
    }
}

static void read_minutes(struct lesson_reader *r, struct lesson_step *step,
                         const struct lesson_field *f)
{
    long long minutes = 0;
    (void)step;
    if (!config_parse_int(f->value, 1, 600, &minutes)) {
        lesson_error_add(r->errors, f->line, f->value_column,
                         "'%s' is no number of minutes (1 to 600)", f->value);
        return;
    }
    r->lesson->minutes = (int)minutes;
}

/** Refuse a name that is none of these. @return -1. */
static int fail_name(struct lesson_reader *r, struct lesson_step *step,
                     const struct lesson_field *f, const char *what, const char *const *names,
                     int n)
{
    char all[64] = "";
    for (int i = 0; i < n; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *const near = config_nearest(f->value, names, n);
    step->broken = true;
    lesson_error_add(r->errors, f->line, f->value_column, "unknown %s '%.60s' (%s%s%s%s)", what,
                     f->value, near != NULL ? "did you mean " : "", near != NULL ? near : "",
                     near != NULL ? "? there are " : "there are ", all);
    return -1;
}

/** The variant that a value names, or -1 with an error. */
static int find_variant(struct lesson_reader *r, struct lesson_step *step,
                        const struct lesson_field *f)
{
    const char *names[ATTN_N_VARIANTS];
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        names[i] = attn_variants[i].name;
    }
    const int variant = attn_variant_find(f->value);
    return variant >= 0 ? variant : fail_name(r, step, f, "variant", names, ATTN_N_VARIANTS);
}

static void read_variant(struct lesson_reader *r, struct lesson_step *step,
                         const struct lesson_field *f)
{
    const int variant = find_variant(r, step, f);
    if (variant >= 0) {
        r->config.variant = (enum attn_variant)variant;
        (void)lesson_add_setting(r, step, f);
    }
}

static void read_compare(struct lesson_reader *r, struct lesson_step *step,
                         const struct lesson_field *f)
{
    step->compare = strcmp(f->value, "none") == 0 ? -1 : find_variant(r, step, f);
    step->compare_given = true;
    step->compare_line = f->line;
    step->compare_column = f->value_column;
}

static void read_lab(struct lesson_reader *r, struct lesson_step *step,
                     const struct lesson_field *f)
{
    const char *names[LAB_N_KINDS];
    for (int i = 0; i < LAB_N_KINDS; i++) {
        names[i] = lab_infos[i].name;
    }
    step->lab_given = true;
    step->lab = lab_find(f->value);
    if (step->lab < 0 && strcmp(f->value, "none") != 0) {
        fail_name(r, step, f, "instrument", names, LAB_N_KINDS);
    }
}

static void read_at(struct lesson_reader *r, struct lesson_step *step, const struct lesson_field *f)
{
    step->broken |= !lesson_ref_read(r, &step->at, f->value, f->line, f->value_column);
}

static void read_to(struct lesson_reader *r, struct lesson_step *step, const struct lesson_field *f)
{
    step->broken |= !lesson_ref_read(r, &step->to, f->value, f->line, f->value_column);
}

static void read_grain(struct lesson_reader *r, struct lesson_step *step,
                       const struct lesson_field *f)
{
    for (int i = 0; i < WALK_N_GRAINS; i++) {
        if (strcmp(f->value, walk_grain_names[i]) == 0) {
            step->grain = (enum walk_grain)i;
            step->grain_given = true;
            return;
        }
    }
    step->broken = true;
    lesson_error_add(r->errors, f->line, f->value_column, "unknown grain '%s' (stage, row or cell)",
                     f->value);
}

static void read_fresh(struct lesson_reader *r, struct lesson_step *step,
                       const struct lesson_field *f)
{
    if (step->n_settings > 0) {
        step->broken = true;
        lesson_error_add(r->errors, f->line, f->column,
                         "'fresh' undoes the settings above it (put it first in the block)");
        return;
    }
    step->fresh = true;
    if (lesson_apply_step(r->lesson, &r->config, step, NULL) == ATTN_E_NOMEM) {
        lesson_no_memory(r);
    }
}

/** The number or shape behind the '=' of a claim. */
static bool read_claimed(struct lesson_claim *claim, const char *text)
{
    claim->rank = lesson_shape_read(text, claim->shape);
    claim->is_shape = claim->rank > 0;
    return claim->is_shape || lesson_number_read(text, &claim->number, &claim->tolerance);
}

static void read_says(struct lesson_reader *r, struct lesson_step *step,
                      const struct lesson_field *f)
{
    const char *const equals = strrchr(f->value, '=');
    const size_t length = equals != NULL ? (size_t)(equals - f->value) : 0;
    char ref[256];
    size_t n = length < sizeof ref ? length : sizeof ref - 1;
    while (n > 0 && f->value[n - 1] == ' ') {
        n--;
    }
    snprintf(ref, sizeof ref, "%.*s", (int)n, f->value);
    struct lesson_claim claim = {.line = f->line};
    const char *const value = equals != NULL ? equals + 1 + strspn(equals + 1, " ") : "";
    claim.column = f->value_column + (int)(value - f->value);
    if (equals == NULL || !read_claimed(&claim, value) ||
        (claim.is_shape && strchr(ref, '(') != NULL)) {
        step->broken = true;
        lesson_error_add(r->errors, f->line, f->value_column,
                         "'%s' says nothing that can be checked (as in weights[2,1] = 0.31, or "
                         "scores = [1,4,4])",
                         f->value);
        return;
    }
    struct lesson_claim *const grown =
        lesson_grow(r->lesson, step->claims, step->n_claims, sizeof *grown);
    if (grown == NULL) {
        lesson_no_memory(r);
    } else if (lesson_measure_read(r, &claim, ref, f->value_column)) {
        step->claims = grown;
        grown[step->n_claims++] = claim;
    } else {
        step->broken = true;
    }
}

static void read_note(struct lesson_reader *r, struct lesson_step *step,
                      const struct lesson_field *f)
{
    (void)step;
    lesson_add_note(r, f->value, f->line, f->column);
}

/** The question that a block's fields are about: the page's, or one of the block's own. */
static struct lesson_question *question_of(struct lesson_reader *r, struct lesson_step *step,
                                           const struct lesson_field *f)
{
    struct lesson_question *const of_page = lesson_page_question(r);
    if (of_page != NULL) {
        return of_page;
    }
    if (step->question < 0 && lesson_add_question(r, f->line, f->column) != NULL) {
        step->question = r->lesson->n_questions - 1;
    }
    return step->question >= 0 ? &r->lesson->questions[step->question] : NULL;
}

static void read_ask(struct lesson_reader *r, struct lesson_step *step,
                     const struct lesson_field *f)
{
    struct lesson_question *const q = question_of(r, step, f);
    if (q != NULL && lesson_ref_read(r, &q->ask, f->value, f->line, f->value_column)) {
        q->kind = q->given ? q->kind : q->ask.n_at > 0 ? LESSON_NUMBER : LESSON_SHAPE;
    } else {
        step->broken = true;
    }
}

static void read_answer(struct lesson_reader *r, struct lesson_step *step,
                        const struct lesson_field *f)
{
    struct lesson_question *const q = question_of(r, step, f);
    if (q != NULL) {
        lesson_answer_read(r, q, f);
    }
}

static void read_tolerance(struct lesson_reader *r, struct lesson_step *step,
                           const struct lesson_field *f)
{
    struct lesson_question *const q = question_of(r, step, f);
    double tolerance = 0;
    if (!config_parse_real(f->value, &tolerance) || !(tolerance > 0 && tolerance < 1e9)) {
        step->broken = true;
        lesson_error_add(r->errors, f->line, f->value_column,
                         "'%s' is no tolerance (a number above 0, such as 0.01)", f->value);
    } else if (q != NULL) {
        q->tolerance = tolerance;
        q->tolerance_given = true;
    }
}

static void read_hint(struct lesson_reader *r, struct lesson_step *step,
                      const struct lesson_field *f)
{
    struct lesson_question *const q = question_of(r, step, f);
    if (q != NULL) {
        lesson_add_hint(r, q, f->value, f->line);
    }
}

static void read_why(struct lesson_reader *r, struct lesson_step *step,
                     const struct lesson_field *f)
{
    struct lesson_question *const q = question_of(r, step, f);
    if (q != NULL) {
        lesson_add_explanation(r, q, lesson_prose_of(r, f->value, f->line));
    }
}

static const struct key keys[] = {
    {"title", IN_FRONT, read_title},
    {"summary", IN_FRONT, read_summary},
    {"topics", IN_FRONT, read_topics},
    {"minutes", IN_FRONT, read_minutes},
    {"variant", IN_FRONT | IN_BLOCK, read_variant},
    {"compare", IN_BLOCK, read_compare},
    {"lab", IN_BLOCK, read_lab},
    {"at", IN_BLOCK, read_at},
    {"to", IN_BLOCK, read_to},
    {"grain", IN_BLOCK, read_grain},
    {"fresh", IN_BLOCK, read_fresh},
    {"says", IN_BLOCK, read_says},
    {"note", IN_BLOCK, read_note},
    {"ask", IN_BLOCK, read_ask},
    {"answer", IN_BLOCK, read_answer},
    {"tolerance", IN_BLOCK, read_tolerance},
    {"hint", IN_BLOCK, read_hint},
    {"why", IN_BLOCK, read_why},
};

enum { N_KEYS = sizeof keys / sizeof keys[0] };

static int find_option(const char *key)
{
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        if (strcmp(config_options[i].name + 2, key) == 0) {
            return i;
        }
    }
    return -1;
}

static void fail_key(struct lesson_reader *r, struct lesson_step *step,
                     const struct lesson_field *f, unsigned here)
{
    const enum attn_variant variant = r->config.variant;
    const char *names[N_KEYS + CONFIG_N_OPTIONS + ATTN_N_TENSORS];
    char inputs[ATTN_N_TENSORS][48];
    int n = 0;
    for (int i = 0; i < N_KEYS; i++) {
        if ((keys[i].where & here) != 0) {
            names[n++] = keys[i].name;
        }
    }
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        names[n++] = config_options[i].name + 2;
    }
    for (int id = 0; here == IN_BLOCK && id < ATTN_N_TENSORS; id++) {
        attn_tensor_name(variant, (enum attn_tensor_id)id, inputs[id], sizeof inputs[id]);
        if (lesson_matrix_key(variant, inputs[id]) != ATTN_NO_TENSOR) {
            names[n++] = inputs[id];
        }
    }
    const char *const near = config_nearest(f->key, names, n);
    step->broken = true;
    r->unknown = true;
    if (attn_tensor_find(variant, f->key) != ATTN_NO_TENSOR) {
        lesson_error_add(r->errors, f->line, f->column,
                         "'%s' is computed, not given (give x and the weights, or q, k and v)",
                         f->key);
    } else if (near != NULL) {
        lesson_error_add(r->errors, f->line, f->column, "unknown key '%.60s' (did you mean %s?)",
                         f->key, near);
    } else {
        lesson_error_add(r->errors, f->line, f->column,
                         "unknown key '%.60s' (at, grain, ask, says, seed and other options)",
                         f->key);
    }
}

static void read_option(struct lesson_reader *r, struct lesson_step *step,
                        const struct lesson_field *f, int option)
{
    struct lesson_setting *const s = lesson_add_setting(r, step, f);
    if (s == NULL) {
        return;
    }
    s->option = option;
    struct attn_error err = {.message = ""};
    const enum attn_status status = lesson_apply(r->lesson, &r->config, s, &err);
    if (status == ATTN_E_NOMEM) {
        lesson_no_memory(r);
    } else if (status != ATTN_OK) {
        fail(r, step, f, &err);
    }
}

/** @return false if the field opens no matrix. */
static bool read_matrix(struct lesson_reader *r, struct lesson_step *step,
                        const struct lesson_field *f)
{
    const enum attn_tensor_id id = lesson_matrix_key(r->config.variant, f->key);
    if (id == ATTN_NO_TENSOR) {
        return false;
    }
    struct lesson_setting *const s = lesson_add_setting(r, step, f);
    if (s == NULL) {
        return true;
    }
    s->tensor = id;
    r->matrix = true;
    if (f->value[0] != '\0' && strcmp(f->value, "none") != 0) {
        lesson_matrix_row(r, step, f->value, strlen(f->value), f->line, f->value_column);
    }
    return true;
}

/** Was the key there before in this block? Some may come again and again. */
static bool is_again(struct lesson_reader *r, const struct lesson_field *field)
{
    static const char *const repeats[] = {"load", "bug", "says", "note", "hint", "why", "answer"};
    for (size_t i = 0; i < sizeof repeats / sizeof repeats[0]; i++) {
        if (strcmp(field->key, repeats[i]) == 0) {
            return false;
        }
    }
    for (int i = 0; i < r->n_seen; i++) {
        if (strcmp(field->key, r->seen[i]) == 0) {
            return true;
        }
    }
    if (r->n_seen < (int)(sizeof r->seen / sizeof r->seen[0])) {
        r->seen[r->n_seen++] = field->key;
    }
    return false;
}

void lesson_step_field(struct lesson_reader *r, struct lesson_step *step,
                       const struct lesson_field *field, bool front)
{
    const unsigned here = front ? IN_FRONT : IN_BLOCK;
    const int option = find_option(field->key);
    const bool matrix = !front && (option < 0 || field->value[0] == '\0');
    r->matrix = false;
    r->unknown = false;
    if (is_again(r, field)) {
        step->broken = true;
        r->unknown = true; /* what follows it may be rows of its own */
        lesson_error_add(r->errors, field->line, field->column, "'%s' was set before (keep one)",
                         field->key);
        return;
    }
    for (int i = 0; i < N_KEYS; i++) {
        if (strcmp(keys[i].name, field->key) != 0) {
            continue;
        }
        if ((keys[i].where & here) != 0) {
            keys[i].read(r, step, field);
            return;
        }
        step->broken = true;
        lesson_error_add(r->errors, field->line, field->column,
                         "'%s' has no place here (put it %s)", field->key,
                         front ? "in a block marked attn" : "in the front matter");
        return;
    }
    if (matrix && read_matrix(r, step, field)) {
        return;
    }
    if (option >= 0) {
        read_option(r, step, field, option);
    } else {
        fail_key(r, step, field, here);
    }
}
