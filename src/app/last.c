/* The walk that was left last: what of it can be made again, and the home screen's row for it. */
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

void app_offer_last(struct app *app, struct app_last *last)
{
    app_last_finish(&app->last);
    app->last = *last;
    app->last.there = true;
    app->home_row = 0;
    *last = (struct app_last){.there = false};
}

void app_last_finish(struct app_last *last)
{
    config_finish(&last->config);
    *last = (struct app_last){.there = false};
}

bool app_continue(struct app *app)
{
    struct attn_error err = {.status = ATTN_OK};
    const struct app_last *const last = &app->last;
    char text[APP_MESSAGE_MAX];
    if (app_start(app, &last->config, &err) != ATTN_OK) {
        snprintf(text, sizeof text, "This walk cannot be made again: %s%s%.700s", err.what,
                 err.what[0] != '\0' ? ": " : "", err.message);
        app_say(app, text);
        return false;
    }
    app_go(app, walk_seek(app->trace, last->grain, last->index));
    return true;
}

/** What came from files is held in memory by now: which of it is there? */
static void held(const struct config *config, bool *mask, bool *others)
{
    *mask = false;
    *others = false;
    for (int i = 0; i < config->n_given; i++) {
        const bool is_mask = config->given[i].id == ATTN_MASK;
        *mask = *mask || is_mask;
        *others = *others || (!is_mask && config->given[i].from_file);
    }
}

static bool reads_standard_input(const struct config *config)
{
    bool reads = false;
    for (int i = 0; i < config->n_loads; i++) {
        reads = reads || strcmp(config->loads[i].path, "-") == 0;
    }
    return reads;
}

/** Exchange what names files. */
static void swap_files(struct config *a, struct config *b, bool mask)
{
    const struct config was = *a;
    a->loads = b->loads;
    a->n_loads = b->n_loads;
    b->loads = was.loads;
    b->n_loads = was.n_loads;
    if (mask) {
        a->mask = b->mask;
        a->n_mask = b->n_mask;
        a->mask_keeps = b->mask_keeps;
        b->mask = was.mask;
        b->n_mask = was.n_mask;
    }
}

static void describe(const struct app *app, char *out, size_t size)
{
    const struct walk_step *const step = &app->now.step;
    snprintf(out, size, "%s at %s, %s %zu of %zu, seed %s",
             attn_variants[attn_trace_config(app->trace)->variant].name,
             attn_stages[attn_trace_stage(app->trace, step->stage)].key,
             walk_grain_names[step->grain], walk_index(app->trace, step) + 1,
             walk_count(app->trace, step->grain), app->setup.seed_text);
}

bool app_remember(const struct app *app, struct app_last *out)
{
    struct config config;
    struct config origin;
    bool mask = false;
    bool others = false;
    if (app->trace == NULL || config_copy(&config, app_config(app)) != ATTN_OK) {
        return false;
    }
    if (config_copy(&origin, &app->origin) != ATTN_OK) {
        config_finish(&config);
        return false;
    }
    held(&config, &mask, &others);
    if (mask || others) {
        if (config.variant != origin.variant) { /* its files may not fit the other variant */
            const struct config swap = config;
            config = origin;
            origin = swap;
        } else {
            swap_files(&config, &origin, mask);
        }
    }
    config_finish(&origin);
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        config_ungive(&config, (enum attn_tensor_id)id);
    }
    if (reads_standard_input(&config)) {
        config_finish(&config);
        return false;
    }
    *out = (struct app_last){.config = config,
                             .grain = app->now.step.grain,
                             .index = walk_index(app->trace, &app->now.step)};
    describe(app, out->words, sizeof out->words);
    return true;
}
