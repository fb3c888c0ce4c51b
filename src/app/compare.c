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

/** Build another variant on the numbers of this walk. @return false if it does not take them. */
static bool build_other(const struct app *app, enum attn_variant variant, struct app_other *other)
{
    struct config config;
    if (config_carry(&config, app_config(app), &app->setup, variant, true) != ATTN_OK) {
        return false;
    }
    *other = (struct app_other){.variant = variant};
    const bool built = config_trace(&other->setup, &other->trace, &config, NULL) == ATTN_OK;
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
    const bool built = build_other(app, app->other.variant, &other);
    app_other_finish(&app->other);
    if (built) {
        app->other = other;
    }
}

/** The tensor that differs most, a hidden score (−∞) aside where anything else differs. */
static const struct walk_difference *largest_finite(const struct walk_diff *diff)
{
    const struct walk_difference *largest = &diff->tensors[diff->first];
    for (int i = diff->first; i < diff->n; i++) {
        const struct walk_difference *const d = &diff->tensors[i];
        const bool finite = d->cells > 0 && isfinite(d->largest);
        if (finite && (!isfinite(largest->largest) || d->largest > largest->largest)) {
            largest = d;
        }
    }
    return largest;
}

/** Where they part: said, and the cursor goes there. */
static void tell(struct app *app)
{
    struct walk_diff diff;
    struct walk_step step;
    char text[160];
    char cell[48];
    char number[WALK_NUMBER_MAX];
    const char *const here = attn_variants[attn_trace_config(app->trace)->variant].name;
    walk_compare(app->trace, app->other.trace, 0.0, &diff);
    if (diff.first < 0) {
        snprintf(text, sizeof text, "%s and %s: the same numbers in every tensor that both have.",
                 here, app->other.name);
        app_say(app, text);
        return;
    }
    const struct walk_difference *largest = largest_finite(&diff);
    if (walk_writer(app->trace, diff.first_at, app->now.step.grain, &step)) {
        app_go(app, step);
        app->now.cursor = diff.first_at;
    }
    walk_cell_text(&app->setup, app->trace, diff.first_at, cell, sizeof cell);
    snprintf(text, sizeof text, "%s and %s part at %s; they differ most in %s, by %s.", here,
             app->other.name, cell, attn_tensors[largest->tensor].name,
             walk_number(largest->largest, number));
    app_say(app, text);
}

void app_compare(struct app *app, struct app_key key)
{
    (void)key;
    const int here = (int)attn_trace_config(app->trace)->variant;
    const int from = app->other.trace != NULL ? (int)app->other.variant : here;
    app_other_finish(&app->other);
    for (int i = 1; i < ATTN_N_VARIANTS; i++) {
        const int variant = (from + ATTN_N_VARIANTS - i) % ATTN_N_VARIANTS;
        struct app_other other;
        if (variant == here) {
            break; /* once round: nothing is compared */
        }
        if (build_other(app, (enum attn_variant)variant, &other)) {
            app->other = other;
            tell(app);
            return;
        }
    }
    app_say(app, "Nothing is compared.");
}

void app_variant(struct app *app, struct app_key key)
{
    (void)key;
    const int here = (int)attn_trace_config(app->trace)->variant;
    char text[64];
    for (int i = 1; i < ATTN_N_VARIANTS; i++) {
        struct config config;
        const enum attn_variant variant = (enum attn_variant)((here + i) % ATTN_N_VARIANTS);
        if (config_carry(&config, app_config(app), &app->setup, variant, false) != ATTN_OK) {
            continue;
        }
        const bool changed = app_change(app, &config);
        config_finish(&config);
        if (changed) {
            snprintf(text, sizeof text, "%s, on the same numbers. u undoes.",
                     attn_variants[variant].title);
            app_say(app, text);
            return;
        }
    }
    app_say(app, "No other variant takes these numbers.");
}
