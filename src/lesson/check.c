/* A lesson held against its own traces. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lesson_parts.h"

struct checker {
    const struct lesson *lesson;
    struct lesson_errors *errors;
    uint64_t max_memory;
    struct config config;
    struct setup setup;
    attn_trace *trace;
    bool nomem;
};

/* ---- where in the file a failure belongs ---- */

/** Is this one of the words of a text? */
static bool names(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const bool starts = at == text || !isalnum((unsigned char)at[-1]);
        if (starts && !isalnum((unsigned char)at[n]) && at[n] != '_') {
            return true;
        }
    }
    return false;
}

/** Is this setting what config complains of? */
static bool is_meant(const struct lesson_setting *s, const struct attn_error *err)
{
    const bool option = strncmp(err->what, "--", 2) == 0 && strcmp(err->what + 2, s->key) == 0;
    const bool file = s->option == CONFIG_LOAD && err->what[0] != '\0' && err->what[0] != '-' &&
                      strcmp(err->what, "this walk") != 0;
    return option || file || names(err->message, s->key);
}

/** The setting at fault: one of this step, or the last one before it; or NULL. */
static const struct lesson_setting *find_setting(const struct lesson *l, int step,
                                                 const struct attn_error *err)
{
    for (int i = step; i >= -1; i--) {
        const struct lesson_step *const s = i >= 0 ? &l->steps[i] : &l->front;
        for (int k = s->n_settings - 1; k >= 0; k--) {
            if (is_meant(&s->settings[k], err)) {
                return &s->settings[k];
            }
        }
    }
    return NULL;
}

/** Tell what config says where it was asked for. */
static void tell(struct checker *c, int step, const struct attn_error *err)
{
    const struct lesson *const l = c->lesson;
    const struct lesson_step *const s = step >= 0 ? &l->steps[step] : &l->front;
    if (strstr(err->message, "--max-memory") != NULL) {
        lesson_error_add(c->errors, s->line, s->column, "%.*s(choose smaller sizes)",
                         (int)strcspn(err->message, "("), err->message);
        return;
    }
    const struct lesson_setting *const setting = find_setting(l, step, err);
    const int line = setting != NULL ? setting->line : s->line;
    const int column = setting == NULL        ? s->column
                       : setting->tensor >= 0 ? setting->key_column
                                              : setting->column;
    const bool file = err->what[0] != '\0' && strncmp(err->what, "--", 2) != 0 &&
                      strcmp(err->what, "this walk") != 0;
    lesson_error_add(c->errors, line, column, "%s%s%s", file ? err->what : "", file ? ": " : "",
                     err->message);
}

static void tell_at(struct checker *c, int line, int column, const struct attn_error *err)
{
    lesson_error_add(c->errors, line, column, "%s", err->message);
}

/* ---- the trace of a step ---- */

static void forget(struct checker *c)
{
    attn_trace_destroy(c->trace);
    setup_finish(&c->setup);
    c->trace = NULL;
    c->setup = (struct setup){0};
}

static bool build(struct checker *c, const struct config *config, struct setup *setup,
                  attn_trace **trace, int step)
{
    struct attn_error err = {.message = ""};
    const enum attn_status status = config_trace(setup, trace, config, &err);
    c->nomem = c->nomem || status == ATTN_E_NOMEM;
    if (status != ATTN_OK && status != ATTN_E_NOMEM) {
        tell(c, step, &err);
    }
    return status == ATTN_OK;
}

/** A bug that cannot be seen is put down to the step that sets it, or whose data hides it. */
static bool check_bug(struct checker *c, int step)
{
    const struct lesson_step *const s = step >= 0 ? &c->lesson->steps[step] : &c->lesson->front;
    struct attn_error err = {.message = ""};
    const enum attn_status status = lesson_bug_check(&c->config, c->trace, &err);
    c->nomem = c->nomem || status == ATTN_E_NOMEM;
    if (status == ATTN_OK || status == ATTN_E_NOMEM) {
        return status == ATTN_OK;
    }
    int line = s->line;
    int column = s->column;
    for (int i = 0; i < s->n_settings; i++) {
        if (s->settings[i].option == CONFIG_BUG) {
            line = s->settings[i].line;
            column = s->settings[i].column;
        }
    }
    tell_at(c, line, column, &err);
    return false;
}

/** Let a step act, and compute anew where it changes anything. */
static bool advance(struct checker *c, int step)
{
    const struct lesson *const l = c->lesson;
    const struct lesson_step *const s = step >= 0 ? &l->steps[step] : &l->front;
    struct attn_error err = {.message = ""};
    if (step >= 0 && s->n_settings == 0 && !s->fresh) {
        return true;
    }
    const enum attn_status status = lesson_apply_step(l, &c->config, s, &err);
    if (status != ATTN_OK) {
        c->nomem = status == ATTN_E_NOMEM;
        if (!c->nomem) {
            tell_at(c, err.line, err.column, &err);
        }
        return false;
    }
    if (c->config.max_memory > c->max_memory) {
        c->config.max_memory = c->max_memory;
    }
    forget(c);
    if (!build(c, &c->config, &c->setup, &c->trace, step)) {
        return false;
    }
    return check_bug(c, step);
}

/* ---- what a step claims ---- */

static bool near_enough(double value, double number, double tolerance)
{
    if (isnan(value) || isnan(number)) {
        return isnan(value) && isnan(number);
    }
    if (isinf(value) || isinf(number)) {
        return isinf(value) && isinf(number) && (value > 0) == (number > 0);
    }
    return fabs(value - number) <= tolerance + 1e-9;
}

/** The cell that a reference names, or an error. */
static bool find_cell(struct checker *c, const struct lesson_ref *ref, struct attn_cell *cell)
{
    struct attn_error err = {.message = ""};
    if (lesson_cell(ref, &c->setup, c->trace, cell, &err) != ATTN_OK) {
        tell_at(c, ref->line, ref->column, &err);
        return false;
    }
    if (lesson_ref_free(ref, attn_trace_tensor(c->trace, cell->tensor)) > 0) {
        char text[128];
        lesson_error_add(c->errors, ref->line, ref->column,
                         "'%s' is more than one number (name a cell, such as %s)", ref->name,
                         walk_cell_text(NULL, c->trace, *cell, text, sizeof text));
        return false;
    }
    return true;
}

/** Hold a number against the cell that it is about. */
static void check_number(struct checker *c, const struct lesson_ref *ref, double number,
                         double tolerance, int line, int column)
{
    struct attn_cell cell;
    if (!find_cell(c, ref, &cell)) {
        return;
    }
    const double value = (double)walk_value(c->trace, cell);
    if (!near_enough(value, number, tolerance)) {
        char text[128];
        char is[WALK_NUMBER_MAX];
        lesson_error_add(c->errors, line, column, "%s is %s, not this",
                         walk_cell_text(NULL, c->trace, cell, text, sizeof text),
                         walk_number(value, is));
    }
}

/** Hold a number against what it says of several cells. */
static void check_measure(struct checker *c, const struct lesson_claim *claim)
{
    double value = 0;
    struct attn_error err = {.message = ""};
    if (lesson_measure(claim, &c->setup, c->trace, &value, &err) != ATTN_OK) {
        tell_at(c, err.line, err.column, &err);
    } else if (!near_enough(value, claim->number, claim->tolerance)) {
        char is[WALK_NUMBER_MAX];
        lesson_error_add(c->errors, claim->line, claim->column, "the %s is %s, not this",
                         lesson_measure_name(claim->measure), walk_number(value, is));
    }
}

static void check_shape(struct checker *c, const struct lesson_ref *ref, int rank,
                        const int shape[3], int line, int column)
{
    enum attn_tensor_id id = ATTN_NO_TENSOR;
    struct attn_error err = {.message = ""};
    if (lesson_ref_tensor(ref, c->trace, &id, &err) != ATTN_OK) {
        tell_at(c, ref->line, ref->column, &err);
        return;
    }
    const attn_tensor *const t = attn_trace_tensor(c->trace, id);
    bool same = rank == t->rank;
    for (int i = 0; same && i < rank; i++) {
        same = shape[i] == t->dims[3 - rank + i];
    }
    if (!same) {
        char is[48];
        lesson_error_add(c->errors, line, column, "the shape of %s is %s, not this", ref->name,
                         attn_tensor_shape(t, is, sizeof is));
    }
}

static void check_claims(struct checker *c, const struct lesson_step *s)
{
    for (int i = 0; i < s->n_claims; i++) {
        const struct lesson_claim *const one = &s->claims[i];
        if (one->measure != LESSON_CELL && !one->is_shape) {
            check_measure(c, one);
        } else if (one->is_shape) {
            check_shape(c, &one->ref, one->rank, one->shape, one->line, one->column);
        } else {
            check_number(c, &one->ref, one->number, one->tolerance, one->line, one->column);
        }
    }
}

static void check_question(struct checker *c, const struct lesson_question *q)
{
    const struct lesson_ref *const ask = &q->ask;
    if (ask->name[0] == '\0') {
        return;
    }
    if (q->given && q->kind == LESSON_SHAPE) {
        check_shape(c, ask, q->rank, q->shape, q->answer_line, q->answer_column);
    } else if (q->given && q->kind == LESSON_NUMBER) {
        check_number(c, ask, q->number, q->tolerance, q->answer_line, q->answer_column);
    } else if (q->given) {
        lesson_error_add(c->errors, q->answer_line, q->answer_column,
                         "a word cannot be what the walk computes (a number, a shape, or no ask:)");
    } else if (ask->n_at == 0) {
        enum attn_tensor_id id = ATTN_NO_TENSOR;
        struct attn_error err = {.message = ""};
        if (lesson_ref_tensor(ask, c->trace, &id, &err) != ATTN_OK) {
            tell_at(c, ask->line, ask->column, &err);
        }
    } else {
        struct attn_cell cell;
        (void)find_cell(c, ask, &cell);
    }
}

static void check_place(struct checker *c, int step)
{
    const struct lesson_step *const s = &c->lesson->steps[step];
    const struct lesson_step *const from = lesson_at_step(c->lesson, step);
    struct lesson_place place;
    struct attn_error err = {.message = ""};
    if (s->to.name[0] != '\0' && from != s) {
        lesson_error_add(c->errors, s->to.line, s->to.column,
                         "to: without at: (say where it begins)");
    } else if (lesson_step_place(from, &c->setup, c->trace, &place, &err) != ATTN_OK) {
        if (from == s) {
            tell_at(c, err.line, err.column, &err);
        } else {
            lesson_error_add(c->errors, s->line, s->column,
                             "the walk cannot stay at %s, line %d (say at: in this block)",
                             from->at.name, from->line);
        }
    }
}

static void check_compare(struct checker *c, int step)
{
    const struct lesson_step *const s = &c->lesson->steps[step];
    if (!s->compare_given || s->compare < 0) {
        return;
    }
    if (s->compare == (int)c->config.variant) {
        lesson_error_add(c->errors, s->compare_line, s->compare_column,
                         "%s compared with itself (name another variant)",
                         attn_variants[s->compare].name);
        return;
    }
    struct config other;
    struct setup setup = {0};
    attn_trace *trace = NULL;
    struct attn_error err = {.message = ""};
    if (config_copy(&other, &c->config) != ATTN_OK) {
        c->nomem = true;
        return;
    }
    other.variant = (enum attn_variant)s->compare;
    const enum attn_status status = config_trace(&setup, &trace, &other, &err);
    if (status == ATTN_OK) {
        attn_trace_destroy(trace);
        setup_finish(&setup);
    } else {
        c->nomem = c->nomem || status == ATTN_E_NOMEM;
        lesson_error_add(c->errors, s->compare_line, s->compare_column, "%s", err.message);
    }
    config_finish(&other);
}

static void check_step(struct checker *c, int step)
{
    const struct lesson *const l = c->lesson;
    const struct lesson_step *const s = &l->steps[step];
    check_place(c, step);
    check_claims(c, s);
    check_compare(c, step);
    const int question = l->blocks[s->block].question;
    if (question >= 0) {
        check_question(c, &l->questions[question]);
    }
}

enum attn_status lesson_check(const struct lesson *lesson, uint64_t max_memory,
                              struct lesson_errors *errors)
{
    struct checker c = {.lesson = lesson, .errors = errors, .max_memory = max_memory};
    lesson_config_init(lesson, &c.config);
    bool sound = lesson->source != NULL && !lesson->front.broken && advance(&c, -1);
    for (int i = 0; sound && i < lesson->n_steps && !c.nomem; i++) {
        /* What comes after a step that cannot act would only be told wrong. */
        sound = !lesson->steps[i].broken && advance(&c, i);
        if (sound) {
            check_step(&c, i);
        }
    }
    forget(&c);
    config_finish(&c.config);
    lesson_errors_sort(errors);
    return c.nomem ? ATTN_E_NOMEM : errors->n > 0 ? ATTN_E_FORMAT : ATTN_OK;
}
