/* Another variant on the same numbers: beside this one in lockstep, or in its place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

void app_other_finish(struct app_other *other)
{
    attn_trace_destroy(other->trace);
    setup_finish(&other->setup);
    *other = (struct app_other){.trace = NULL};
}

/** The same computation as it should be: without the bugs. */
static bool build_right(struct app *app, struct app_other *other)
{
    struct config config;
    if (config_copy(&config, app_config(app)) != ATTN_OK) {
        return false;
    }
    config.n_bugs = 0;
    *other = (struct app_other){.variant = config.variant, .right = true, .name = "right"};
    const bool built = app_trace(app, &other->setup, &other->trace, &config, NULL) == ATTN_OK;
    config_finish(&config);
    return built;
}

/** Build another variant on the numbers of this walk. @return false if it does not take them. */
static bool build_other(struct app *app, enum attn_variant variant, struct app_other *other)
{
    struct config config;
    if (config_carry(&config, app_config(app), &app->setup, variant, true) != ATTN_OK) {
        return false;
    }
    *other = (struct app_other){.variant = variant};
    const bool built = app_trace(app, &other->setup, &other->trace, &config, NULL) == ATTN_OK;
    snprintf(other->name, sizeof other->name, "%s", attn_variants[variant].name);
    config_finish(&config);
    return built;
}

void app_other_follow(struct app *app)
{
    struct app_other other;
    if (app->other.trace == NULL) {
        return;
    }
    const bool built =
        app->other.right ? build_right(app, &other) : build_other(app, app->other.variant, &other);
    app_other_finish(&app->other);
    if (built) {
        app->other = other;
    }
}

static void take_other(struct app *app, bool built, struct app_other *other)
{
    app_other_finish(&app->other);
    if (built) {
        app->other = *other;
    }
}

void app_compare_with(struct app *app, enum attn_variant variant)
{
    struct app_other other;
    const bool there = app->other.trace != NULL && !app->other.right;
    if (!there || app->other.variant != variant) {
        take_other(app, build_other(app, variant, &other), &other);
    }
}

void app_compare_right(struct app *app)
{
    struct app_other other;
    if (app->other.trace == NULL || !app->other.right) {
        take_other(app, build_right(app, &other), &other);
    }
}

/** Does this tensor of the walk differ, and is what it is held against its counterpart? (An output
 * is none of a context.) */
static bool parts(const struct walk_difference *d)
{
    const bool own = d->source[0] == d->source[1] || d->tensor != ATTN_OUTPUT;
    return d->comparable && d->cells > 0 && own && d->source[0] == d->tensor &&
           attn_tensors[d->tensor].group == ATTN_GROUP_STAGE;
}

/** The tensor that differs most, a hidden score (−∞) aside where anything else differs. */
static const struct walk_difference *largest_finite(const struct walk_diff *diff)
{
    const struct walk_difference *largest = NULL;
    for (int i = 0; i < diff->n; i++) {
        const struct walk_difference *const d = &diff->tensors[i];
        if (!parts(d)) {
            continue;
        }
        const bool finite = isfinite(d->largest);
        if (largest == NULL || (finite && !isfinite(largest->largest)) ||
            (finite && d->largest > largest->largest)) {
            largest = d;
        }
    }
    return largest;
}

/** The first tensor, in the order of the steps, that differs; NULL: none. */
static const struct walk_difference *first_apart(const struct walk_diff *diff)
{
    for (int i = 0; i < diff->n; i++) {
        if (parts(&diff->tensors[i])) {
            return &diff->tensors[i];
        }
    }
    return NULL;
}

/** What a tensor was held against, where that has another name: " (v2: scaled)". @return out. */
static const char *held_text(const struct app *app, const struct walk_difference *d, char out[128])
{
    char name[64];
    attn_tensor_name(attn_trace_config(app->other.trace)->variant, d->source[1], name, sizeof name);
    snprintf(out, 128, " (%s: %s)", app->other.name, name);
    return d->source[0] == d->source[1] ? "" : out;
}

/** The cursor to a cell, at the stage that makes it; Esc comes back. @return false: it is there. */
static bool jump(struct app *app, struct attn_cell cell)
{
    struct walk_step step = app->now.step;
    const struct attn_cell was = app->now.cursor;
    const bool written = walk_writer(app->trace, cell, app->now.step.grain, &step);
    if (step.stage == app->now.step.stage && was.tensor == cell.tensor &&
        memcmp(was.at, cell.at, sizeof was.at) == 0) {
        return false;
    }
    app_leave_trail(app);
    if (written) {
        app_go(app, step);
    }
    app->now.cursor = cell;
    return true;
}

/** Where they part: said, and the cursor goes there. */
static void tell(struct app *app)
{
    struct walk_diff diff;
    char text[APP_MESSAGE_MAX];
    char cell[64];
    char held[2][128];
    char number[WALK_NUMBER_MAX];
    const char *const here = attn_variants[attn_trace_config(app->trace)->variant].name;
    walk_compare(app->trace, app->other.trace, 0.0, &diff);
    const struct walk_difference *const first = first_apart(&diff);
    if (first == NULL) {
        snprintf(text, sizeof text, "%s and %s: the same numbers in every tensor that both have.",
                 here, app->other.name);
        app_say(app, text);
        return;
    }
    const struct walk_difference *largest = largest_finite(&diff);
    const bool jumped = jump(app, first->first_at);
    walk_cell_text(&app->setup, app->trace, first->first_at, cell, sizeof cell);
    snprintf(text, sizeof text, "%s and %s part at %s%s%s; they differ most in %s%s, by %s.%s",
             here, app->other.name, cell, held_text(app, first, held[0]),
             jumped ? ", where the cursor is now" : "", attn_tensors[largest->tensor].name,
             held_text(app, largest, held[1]), walk_number(largest->largest, number),
             jumped ? " Esc goes back to where you were." : "");
    app_say(app, text);
}

/** V takes the right numbers away that a bug is held against: that is said too. */
static void tell_instead(struct app *app, bool right)
{
    char found[APP_MESSAGE_MAX];
    tell(app);
    if (right) {
        snprintf(found, sizeof found, "%s", app->message);
        snprintf(app->message, sizeof app->message,
                 "Held against %s, no longer against the right "
                 "numbers%s. %.800s",
                 app->other.name, app->lesson.open ? " (R: as it was)" : "", found);
    }
}

/* What a variant is compared with, the nearest relative first. */
static const enum attn_variant relatives[ATTN_N_VARIANTS][ATTN_N_VARIANTS - 1] = {
    [ATTN_SINGLE] = {ATTN_CROSS, ATTN_V1, ATTN_V2, ATTN_V3},
    [ATTN_CROSS] = {ATTN_SINGLE, ATTN_V1, ATTN_V2, ATTN_V3},
    [ATTN_V1] = {ATTN_V2, ATTN_V3, ATTN_SINGLE, ATTN_CROSS},
    [ATTN_V2] = {ATTN_V1, ATTN_V3, ATTN_SINGLE, ATTN_CROSS},
    [ATTN_V3] = {ATTN_V2, ATTN_V1, ATTN_SINGLE, ATTN_CROSS},
};

void app_compare(struct app *app, struct app_key key)
{
    (void)key;
    const int here = (int)attn_trace_config(app->trace)->variant;
    const bool on = app->other.trace != NULL;
    const bool right = on && app->other.right;
    const enum attn_variant from = app->other.variant;
    app_other_finish(&app->other);
    bool past = !on || right; /* the next after the one that was there */
    for (int i = 0; i < ATTN_N_VARIANTS - 1; i++) {
        const enum attn_variant variant = relatives[here][i];
        struct app_other other;
        if (past && build_other(app, variant, &other)) {
            app->other = other;
            tell_instead(app, right);
            return;
        }
        past = past || variant == from;
    }
    app_say(app, right ? "No other variant takes these numbers: nothing is compared any more."
                       : "Nothing is compared.");
}

/** Does no tensor that both have differ from before? */
static bool same_as_before(const struct app *app)
{
    struct walk_diff diff;
    if (app->before == NULL) {
        return false;
    }
    walk_compare(app->before, app->trace, 0.0, &diff);
    return first_apart(&diff) == NULL;
}

void app_variant(struct app *app, struct app_key key)
{
    (void)key;
    const int here = (int)attn_trace_config(app->trace)->variant;
    char text[128];
    const bool masked = attn_trace_tensor(app->trace, ATTN_MASK) != NULL;
    for (int i = 1; i < ATTN_N_VARIANTS; i++) {
        struct config config;
        const enum attn_variant variant = (enum attn_variant)((here + i) % ATTN_N_VARIANTS);
        if (config_carry(&config, app_config(app), &app->setup, variant, false) != ATTN_OK) {
            continue;
        }
        const bool changed = app_change(app, &config);
        config_finish(&config);
        if (changed) {
            const bool biases = attn_variants[here].bias && !attn_variants[variant].bias;
            const bool mask = masked && !attn_variant_has(variant, ATTN_STAGE_MASK);
            snprintf(text, sizeof text, "Now %s, on the same numbers%s%s%s. u undoes.",
                     attn_variants[variant].name, biases ? ", without the biases" : "",
                     mask ? ", without the mask" : "",
                     same_as_before(app) ? ": it computes the same" : "");
            app_say(app, text);
            return;
        }
    }
    app_say(app, "No other variant takes these numbers.");
}

/** Go to the first stage that the bug changes, with the right numbers beside. */
static void show_bug(struct app *app, enum attn_bug bug)
{
    struct app_other right;
    char text[sizeof app->message];
    app_other_finish(&app->other);
    if (build_right(app, &right)) {
        app->other = right;
        tell(app);
    }
    const struct attn_bug_info *const info = &attn_bugs[bug]; /* the words have what one notices */
    const int place = (int)strcspn(info->seen, ",");
    snprintf(text, sizeof text, "Bug %s. %s%s%.*s%s B goes to the next one, u undoes.", info->name,
             info->fix, place > 0 ? " It happened in " : "", place, info->seen,
             place > 0 ? "." : "");
    app_say(app, text);
}

/** What the mistake leaves out is not drawn: the cursor goes to what the step writes. */
static void leave_left_out(struct app *app)
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    const int n = view_stage_tensors(app->trace, app->now.step.stage, ids);
    bool drawn = false;
    for (int i = 0; i < n; i++) {
        drawn = drawn || ids[i] == app->now.cursor.tensor;
    }
    if (!drawn) {
        app_go(app, app->now.step);
    }
}

void app_bug(struct app *app, struct app_key key)
{
    (void)key;
    struct config config;
    if (config_copy(&config, app_config(app)) != ATTN_OK) {
        app_say(app, "Out of memory.");
        return;
    }
    const int from = config.n_bugs > 0 ? (int)config.bugs[0] + 1 : 0;
    bool shown = false;
    for (int bug = from; bug < ATTN_N_BUGS && !shown; bug++) {
        config.bugs[0] = (enum attn_bug)bug;
        config.n_bugs = 1;
        shown = app_change(app, &config); /* one that changes nothing here is refused */
    }
    if (shown) {
        leave_left_out(app);
        show_bug(app, config.bugs[0]);
    } else {
        config.n_bugs = 0;
        app_other_finish(&app->other);
        const bool changed = app_change(app, &config);
        app_say(app, changed ? "No bug: the computation is right again. B goes round."
                             : "No bug applies here.");
    }
    config_finish(&config);
}
