/* The walk that was left last: what of it can be made again, and the home screen's row for it. */
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

enum { CARRIED_MAX = 4096 /* numbers that are kept one by one */ };

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

/** Page titles are cut where they are kept; so they are compared. */
static void keep_page(const struct app_lesson *l, char *out, size_t size)
{
    snprintf(out, size, "%s", l->lesson.pages[l->lesson.stops[l->stop].page].title);
}

static bool continue_lesson(struct app *app)
{
    const struct app_last last =
        app->last; /* its texts only: the walk's configuration is not used */
    if (!app_open_lesson(app, last.lesson)) {
        return false;
    }
    app_lesson_resume(app, last.stop, last.k, last.page);
    return true;
}

bool app_continue(struct app *app)
{
    struct attn_error err = {.status = ATTN_OK};
    const struct app_last *const last = &app->last;
    char text[APP_MESSAGE_MAX];
    if (last->lesson[0] != '\0') {
        return continue_lesson(app);
    }
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

/** Were tensors carried over from another variant? They come from no file and from no seed. */
static bool carries(const struct config *config)
{
    bool carried = false;
    for (int i = 0; i < config->n_given; i++) {
        carried = carried || (config->given[i].id != ATTN_MASK && !config->given[i].from_file);
    }
    return carried;
}

static bool is_edited(const struct config *config, struct attn_cell cell)
{
    for (int i = 0; i < config->n_edits; i++) {
        const struct attn_cell *const other = &config->edits[i].cell;
        if (other->tensor == cell.tensor && memcmp(other->at, cell.at, sizeof cell.at) == 0) {
            return true;
        }
    }
    return false;
}

/** Keep a tensor's numbers one by one. @return false when out of memory. */
static bool keep_numbers(struct config *config, const attn_trace *trace, enum attn_tensor_id id)
{
    const attn_tensor *const t = attn_trace_tensor(trace, id);
    bool good = true;
    for (int b = 0; b < t->dims[0]; b++) {
        for (int r = 0; r < t->dims[1]; r++) {
            for (int c = 0; c < t->dims[2] && good; c++) {
                const struct attn_cell cell = {id, {b, r, c}};
                good = is_edited(config, cell) ||
                       config_edit(config, cell, *attn_tensor_at(t, b, r, c)) == ATTN_OK;
            }
        }
    }
    return good;
}

/** The sizes that the tensors which are not kept as files gave. */
static void keep_sizes(struct config *config, const attn_sizes *sizes)
{
    const bool memory = attn_variants[config->variant].has_memory;
    config->batch = sizes->B;
    config->length = config->tokens.n > 0 ? config->length : sizes->T;
    config->memory_length = memory && config->memory_tokens.n == 0 ? sizes->S : 0;
    config->dim = sizes->d;
    config->dim_in = sizes->d_in != sizes->d ? sizes->d_in : 0;
}

/**
 * Put what was carried over into single numbers, where there are not too many.
 * @return false, and nothing changed, where that cannot be.
 */
static bool keep_carried(struct config *config, const attn_trace *trace)
{
    size_t n = 0;
    struct config copy;
    for (int i = 0; i < config->n_given; i++) {
        const enum attn_tensor_id id = config->given[i].id;
        const bool stage = attn_tensors[id].group == ATTN_GROUP_STAGE;
        if (stage || id == ATTN_KEEP || attn_trace_tensor(trace, id) == NULL) {
            return false; /* q, k and v in x's place, a pattern: only a file can hold these */
        }
        n += id != ATTN_MASK ? attn_tensor_count(attn_trace_tensor(trace, id)) : 0;
    }
    if (n > CARRIED_MAX || config_copy(&copy, config) != ATTN_OK) {
        return false;
    }
    bool good = true;
    for (int i = 0; i < config->n_given && good; i++) {
        const enum attn_tensor_id id = config->given[i].id;
        good = id == ATTN_MASK || keep_numbers(&copy, trace, id);
    }
    if (!good) {
        config_finish(&copy);
        return false;
    }
    keep_sizes(&copy, &attn_trace_config(trace)->sizes);
    config_finish(config);
    *config = copy;
    return true;
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
static void swap_files(struct config *a, struct config *b, bool loads, bool mask)
{
    const struct config was = *a;
    if (loads) {
        a->loads = b->loads;
        a->n_loads = b->n_loads;
        b->loads = was.loads;
        b->n_loads = was.n_loads;
    }
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

static void remember_lesson(const struct app *app, struct app_last *out)
{
    const struct app_lesson *const l = &app->lesson;
    *out = (struct app_last){.stop = l->stop, .k = l->k};
    config_init(&out->config, l->lesson.variant);
    snprintf(out->lesson, sizeof out->lesson, "%s", l->word);
    keep_page(l, out->page, sizeof out->page);
    snprintf(out->words, sizeof out->words, "%.180s, page %d of %d", l->lesson.title,
             l->lesson.stops[l->stop].page + 1, l->lesson.n_pages);
}

bool app_remember(const struct app *app, struct app_last *out)
{
    if (app->lesson.open) {
        remember_lesson(app, out);
        return true;
    }
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
    const bool carried = carries(&config);
    const bool kept = carried && keep_carried(&config, app->trace);
    if (kept) {
        swap_files(&config, &origin, false, mask);
    } else if (carried) { /* then the whole of it goes */
        const struct config swap = config;
        config = origin;
        origin = swap;
    } else if (mask || others) {
        swap_files(&config, &origin, true, mask);
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
    if (carried && !kept) {
        out->index = 0;
        snprintf(out->words, sizeof out->words, "%s as it was started: %s's numbers are not kept",
                 attn_variants[config.variant].name,
                 attn_variants[attn_trace_config(app->trace)->variant].name);
    }
    return true;
}
