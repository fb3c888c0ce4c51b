/* The instruments: opened, turned by keys, measured a part at a time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app_actions.h"

enum { SEQUENCES_AT_ONCE = 10, WIDTH_FIRST = 6 /* d_k = 64 */ };

static enum attn_status no_memory(struct attn_error *err)
{
    return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
}

/** The largest width that is no wider than d. */
static int width_of(int d)
{
    int w = 0;
    while (w + 1 < LAB_WIDTHS && lab_width(w + 1) <= d) {
        w++;
    }
    return w;
}

static enum attn_status open_scaling(struct app_lab *lab, const struct config *config,
                                     struct attn_error *err)
{
    const int keys = config->length > 0 ? config->length : LAB_KEYS;
    if (keys < LAB_KEYS_MIN || keys > LAB_KEYS_MAX) {
        return attn_fail(err, ATTN_E_VALUE, "--length", "the instrument takes %d to %d keys",
                         LAB_KEYS_MIN, LAB_KEYS_MAX);
    }
    lab->width = config->dim > 0 ? width_of(config->dim) : WIDTH_FIRST;
    lab->scaling = lab_scaling_create(config->seed, keys);
    return lab->scaling != NULL ? ATTN_OK : no_memory(err);
}

static void lab_free(struct app_lab *lab)
{
    if (lab != NULL) {
        lab_scaling_destroy(lab->scaling);
        lab_masks_destroy(lab->masks);
        free(lab->cost);
        free(lab);
    }
}

enum attn_status app_lab_open(struct app *app, enum lab_kind kind, const struct config *config,
                              struct attn_error *err)
{
    static enum attn_status (*const open[LAB_N_KINDS])(struct app_lab *, const struct config *,
                                                       struct attn_error *) = {
        [LAB_SCALING] = open_scaling,
        [LAB_COST] = app_cost_open,
        [LAB_MASKS] = app_masks_open,
    };
    struct app_lab *const lab = calloc(1, sizeof *lab);
    if (lab == NULL) {
        return no_memory(err);
    }
    lab->kind = kind;
    const enum attn_status status = open[kind](lab, config, err);
    if (status != ATTN_OK) {
        lab_free(lab);
        return status;
    }
    app_lab_close(app);
    app->lab = lab;
    return ATTN_OK;
}

void app_lab_close(struct app *app)
{
    lab_free(app->lab);
    app->lab = NULL;
}

/* ---- measuring ---- */

bool app_lab_busy(const struct app *app)
{
    const struct app_lab *const lab = app->lab;
    bool busy = false;
    if (lab != NULL && lab->kind == LAB_SCALING) {
        busy = lab->scaling->rows < LAB_SEQUENCES * LAB_QUERIES;
    } else if (lab != NULL && lab->kind == LAB_COST) {
        busy = !lab->cost->complete;
    }
    return busy;
}

void app_lab_work(struct app *app)
{
    if (app->lab->kind == LAB_SCALING) {
        lab_scaling_more(app->lab->scaling, SEQUENCES_AT_ONCE);
    } else {
        lab_cost_more(app->lab->cost);
    }
}

void app_lab_settle(struct app *app)
{
    while (app->lab != NULL && app->lab->kind == LAB_SCALING && app_lab_busy(app)) {
        app_lab_work(app);
    }
}

void app_lab_time(struct app *app, bool measure)
{
    if (app->lab->kind == LAB_COST && !measure) {
        app->lab->cost->complete = true;
    }
    while (app_lab_busy(app)) {
        app_lab_work(app);
    }
}

/* ---- keys ---- */

unsigned app_lab_scope(const struct app *app)
{
    static const unsigned scopes[LAB_N_KINDS] = {
        [LAB_SCALING] = APP_IN_SCALING, [LAB_COST] = APP_IN_COST, [LAB_MASKS] = APP_IN_MASKS};
    return app->lab != NULL ? scopes[app->lab->kind] : 0;
}

bool app_lab_hides(const struct app *app, const struct app_action *action)
{
    bool hides = false;
    switch (action->group) {
    case APP_GROUP_STEPS:
        hides = action->run == app_finer || action->run == app_coarser ||
                action->run == app_next_stage || action->run == app_prev_stage ||
                action->run == app_jump || action->run == app_first || action->run == app_last;
        break;
    case APP_GROUP_CURSOR:
    case APP_GROUP_CELL:
    case APP_GROUP_WHAT_IF:
        hides = true;
        break;
    case APP_GROUP_LESSON:
    case APP_GROUP_SCREEN:
    case APP_GROUP_LAB:
    case APP_N_GROUPS:
        break;
    }
    return app->lab != NULL && hides;
}

static void look_at(struct app *app, int width)
{
    app->lab->width = width < 0 ? 0 : width < LAB_WIDTHS ? width : LAB_WIDTHS - 1;
}

void app_lab_left(struct app *app, struct app_key key)
{
    (void)key;
    look_at(app, app->lab->width - 1);
}

void app_lab_right(struct app *app, struct app_key key)
{
    (void)key;
    look_at(app, app->lab->width + 1);
}

void app_lab_first(struct app *app, struct app_key key)
{
    (void)key;
    look_at(app, 0);
}

void app_lab_last(struct app *app, struct app_key key)
{
    (void)key;
    look_at(app, LAB_WIDTHS - 1);
}

/** Measure anew, with other settings. */
static void measure_anew(struct app *app, uint64_t seed, int keys)
{
    struct lab_scaling *const scaling = lab_scaling_create(seed, keys);
    if (scaling == NULL) {
        app_say(app, "Out of memory.");
        return;
    }
    lab_scaling_destroy(app->lab->scaling);
    app->lab->scaling = scaling;
}

static void change_keys(struct app *app, int by)
{
    const int keys = app->lab->scaling->n_keys + by;
    if (keys >= LAB_KEYS_MIN && keys <= LAB_KEYS_MAX) {
        measure_anew(app, app->lab->scaling->seed, keys);
    }
}

void app_lab_more_keys(struct app *app, struct app_key key)
{
    (void)key;
    change_keys(app, 1);
}

void app_lab_fewer_keys(struct app *app, struct app_key key)
{
    (void)key;
    change_keys(app, -1);
}

void app_lab_reseed(struct app *app, struct app_key key)
{
    (void)key;
    measure_anew(app, app->lab->scaling->seed + 1, app->lab->scaling->n_keys);
}

/* ---- drawing ---- */

/** For the title: what was measured, or computed. */
static void settings_text(const struct app_lab *lab, char *out, size_t size)
{
    switch (lab->kind) {
    case LAB_SCALING:
        snprintf(out, size, "%d keys   %d rows   seed %" PRIu64, lab->scaling->n_keys,
                 lab->scaling->rows, lab->scaling->seed);
        break;
    case LAB_MASKS:
        snprintf(out, size, "T %d  S %d   seed %s", lab->masks->T, lab->masks->S,
                 lab->masks->setup.seed_text);
        break;
    case LAB_COST:
        snprintf(out, size, "d %d   %s projections%s", lab->cost->d,
                 lab->cost->output ? "four" : "three", lab->cost->complete ? "" : "   measuring…");
        break;
    case LAB_N_KINDS:
        out[0] = '\0';
        break;
    }
}

struct view_lab app_lab_view(const struct app *app)
{
    const struct app_lab *const lab = app->lab;
    return (struct view_lab){.kind = lab->kind,
                             .scaling = lab->scaling,
                             .width = lab->width,
                             .masks = lab->masks,
                             .row = lab->row,
                             .col = lab->col,
                             .cost = lab->cost,
                             .length = lab->length};
}

void app_lab_plain(const struct app *app, FILE *out, bool ascii)
{
    const struct view_lab v = app_lab_view(app);
    view_lab_plain(out, &v, ascii);
}

void app_lab_draw(const struct app *app, struct frame *f, const struct view_key *keys, int n_keys)
{
    char settings[128];
    settings_text(app->lab, settings, sizeof settings);
    const struct view_lab_frame around = {.kind = app->lab->kind,
                                          .settings = settings,
                                          .message = app->message[0] != '\0' ? app->message : NULL,
                                          .keys = keys,
                                          .n_keys = n_keys};
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        frame_clear(f);
        view_too_small(f);
        return;
    }
    const struct view_lab v = app_lab_view(app);
    view_lab(f, view_lab_around(f, &around), &v);
}
