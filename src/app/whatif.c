#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

/* ---- changing, undoing ---- */

void app_history_finish(struct app_history *history)
{
    for (int i = 0; i < history->n; i++) {
        config_finish(&history->items[i]);
    }
    history->n = 0;
    history->at = 0;
}

const struct config *app_config(const struct app *app)
{
    return &app->history.items[app->history.at];
}

/** Is this the what-if of the last time, further on? Then what was before the first press is what
 * counts: a key that goes round comes back to where nothing is marked. */
static bool goes_on(const struct app *app)
{
    const struct attn_cell *const at = &app->changed_at;
    const struct attn_cell *const now = &app->now.cursor;
    const bool here = at->tensor == now->tensor && memcmp(at->at, now->at, sizeof now->at) == 0;
    return app->before != NULL && app->acting != NULL && app->acting == app->changed &&
           (app->acting->run != app_edit || here);
}

void app_take_trace(struct app *app, struct setup *setup, attn_trace *trace)
{
    if (goes_on(app)) {
        attn_trace_destroy(app->trace);
    } else {
        attn_trace_destroy(app->before);
        app->before = app->trace;
    }
    app->changed = app->acting;
    app->changed_at = app->now.cursor;
    setup_finish(&app->setup);
    app->setup = *setup;
    app->trace = trace;
    app->invariants.n = 0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const bool there = attn_trace_tensor(trace, (enum attn_tensor_id)id) != NULL;
        app->ranges[id] = there ? walk_heat_range(trace, (enum attn_tensor_id)id) : 0.0F;
        app->decimals[id] = there ? walk_decimals(trace, (enum attn_tensor_id)id) : 0;
    }
}

bool app_stage_shows(const struct app *app, int stage, enum attn_tensor_id id)
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    const int n = view_stage_tensors(app->trace, stage, ids);
    bool found = false;
    for (int i = 0; i < n; i++) {
        found = found || ids[i] == id;
    }
    return found;
}

/** Is there the same to see in both, stage by stage, so that a place in one is one in the other? */
static bool alike(const attn_trace *a, const attn_trace *b)
{
    const attn_config *const x = attn_trace_config(a);
    const attn_config *const y = attn_trace_config(b);
    bool same = x->variant == y->variant && memcmp(&x->sizes, &y->sizes, sizeof x->sizes) == 0 &&
                attn_trace_n_stages(a) == attn_trace_n_stages(b);
    for (int i = 0; same && i < attn_trace_n_stages(a); i++) {
        const enum attn_stage stage = attn_trace_stage(a, i);
        same = stage == attn_trace_stage(b, i) &&
               attn_trace_idle(a, stage) == attn_trace_idle(b, stage);
    }
    return same;
}

/** The same stage and cell in the new trace, or the nearest that there is. */
static void keep_place(struct app *app, enum attn_stage stage, struct app_place was, bool same)
{
    int index = 0;
    for (int i = 0; i < attn_trace_n_stages(app->trace); i++) {
        index = attn_trace_stage(app->trace, i) == stage ? i : index;
    }
    app->n_trail = same ? app->n_trail : 0;
    app->now.batch = was.batch < attn_trace_config(app->trace)->sizes.B ? was.batch : 0;
    app_go(app, walk_stage_start(app->trace, index, was.step.grain));
    struct walk_step step;
    if (walk_writer(app->trace, was.cursor, was.step.grain, &step) && step.stage == index) {
        app_go(app, step);
    }
    if (walk_has(app->trace, was.cursor) && app_stage_shows(app, index, was.cursor.tensor)) {
        app->now.cursor = was.cursor;
        app->now.open =
            was.open && attn_trace_writer(app->trace, was.cursor.tensor) != ATTN_NO_STAGE;
        app->now.slope = was.slope;
        if (was.slopes && attn_trace_writer(app->trace, was.cursor.tensor) != ATTN_NO_STAGE) {
            app_slopes_show(app);
        }
    }
}

static bool rebuild(struct app *app, const struct config *config)
{
    struct setup setup;
    struct attn_error err;
    attn_trace *trace = NULL;
    if (app_trace(app, &setup, &trace, config, &err) != ATTN_OK) {
        app_say(app, err.message);
        return false;
    }
    const struct app_place was = app->now;
    const enum attn_stage stage = attn_trace_stage(app->trace, was.step.stage);
    const bool same = alike(app->trace, trace);
    app_take_trace(app, &setup, trace);
    keep_place(app, stage, was, same);
    app_other_follow(app);
    return true;
}

bool app_change(struct app *app, const struct config *config)
{
    struct config copy;
    if (config_copy(&copy, config) != ATTN_OK) {
        app_say(app, "Out of memory.");
        return false;
    }
    if (!rebuild(app, &copy)) {
        config_finish(&copy);
        return false;
    }
    struct app_history *h = &app->history;
    while (h->n > h->at + 1) {
        config_finish(&h->items[--h->n]);
    }
    if (h->n == APP_UNDO_MAX) { /* the first stays: undo always leads back to it */
        config_finish(&h->items[1]);
        memmove(&h->items[1], &h->items[2], sizeof h->items[0] * (APP_UNDO_MAX - 2));
        h->n--;
    }
    h->items[h->n++] = copy;
    h->at = h->n - 1;
    return true;
}

static void travel(struct app *app, int by, const char *none)
{
    const int to = app->history.at + by;
    if (to < 0 || to >= app->history.n) {
        app_say(app, none);
    } else if (rebuild(app, &app->history.items[to])) {
        app->history.at = to;
        if (by < 0) { /* what was undone is no measure of what is here now */
            attn_trace_destroy(app->before);
            app->before = NULL;
        }
        app_say(app, by < 0 ? "Undone. U does it again." : "Done again.");
    }
}

void app_undo(struct app *app, struct app_key key)
{
    (void)key;
    travel(app, -1, "There is nothing to undo.");
}

void app_redo(struct app *app, struct app_key key)
{
    (void)key;
    travel(app, 1, "There is nothing to do again.");
}

/* ---- the what-ifs ---- */

/** Try a change that edit makes to a copy of the configuration; say what it is now. */
static void what_if(struct app *app,
                    bool (*edit)(const struct app *app, struct config *config, char *said))
{
    struct config config;
    char said[128] = "";
    if (config_copy(&config, app_config(app)) != ATTN_OK) {
        app_say(app, "Out of memory.");
        return;
    }
    const bool wanted = edit(app, &config, said);
    if ((wanted && app_change(app, &config)) || !wanted) {
        app_say(app, said);
    }
    config_finish(&config);
}

static bool takes(const struct app *app, enum attn_stage stage, const char *what, char *said)
{
    const struct attn_variant_info *info = &attn_variants[attn_trace_config(app->trace)->variant];
    const bool has = attn_variant_has(attn_trace_config(app->trace)->variant, stage);
    if (!has) {
        snprintf(said, 128, "%s has no %s.", info->name, what);
    }
    return has;
}

static bool toggle_scale(const struct app *app, struct config *config, char *said)
{
    (void)app;
    config->scale_given = !config->scale_given;
    config->scale = 1.0F;
    snprintf(said, 128, "%s",
             config->scale_given
                 ? "Scaling off: the scores go to the softmax as they are. u undoes."
                 : "Scaling on: the scores are divided by the root of d_k.");
    return true;
}

void app_scale(struct app *app, struct app_key key)
{
    (void)key;
    what_if(app, toggle_scale);
}

/** none, causal, padding by one, both; what a file gave comes first and is left with the first
 * press. */
static bool next_mask(const struct app *app, struct config *config, char *said)
{
    static const char *const kinds[] = {"none", "causal", "padding", "causal+padding"};
    const attn_sizes *z = &attn_trace_config(app->trace)->sizes;
    if (!takes(app, ATTN_STAGE_MASK, "mask", said)) {
        return false;
    }
    int next = 0;
    for (int i = 0; i < 4; i++) {
        next = strcmp(app->setup.mask_text, kinds[i]) == 0 ? (i + 1) % 4 : next;
    }
    static const char *const names[] = {"No mask", "Mask: causal", "Mask: padding",
                                        "Mask: causal and padding"};
    const int real = z->S > 1 ? z->S - 1 : 1;
    char value[48];
    if (next >= 2) {
        snprintf(value, sizeof value, "%s:%d", kinds[next], real);
        snprintf(said, 128, "%s, %d real key%s. u undoes.", names[next], real, real > 1 ? "s" : "");
    } else {
        snprintf(value, sizeof value, "%s", kinds[next]);
        snprintf(said, 128, "%s. u undoes.", names[next]);
    }
    config_ungive(config, ATTN_MASK);
    return config_options[CONFIG_MASK].parse(config, value, NULL) == ATTN_OK;
}

void app_mask(struct app *app, struct app_key key)
{
    (void)key;
    what_if(app, next_mask);
}

/** The value after the current one in a list; the first after one that is not in it. */
static double next_of(double current, const double *list, int n)
{
    for (int i = 0; i < n; i++) {
        if (!(current < list[i]) && !(current > list[i])) {
            return list[(i + 1) % n];
        }
    }
    return list[0];
}

static bool next_fill(const struct app *app, struct config *config, char *said)
{
    static const double fills[] = {-INFINITY, -1e9, 1e-20, 0};
    if (!takes(app, ATTN_STAGE_MASK, "mask", said)) {
        return false;
    }
    double current = (double)config->mask_fill;
    for (int i = 0; i < 4; i++) { /* the float nearest to a listed value is that value */
        const float listed = (float)fills[i];
        current =
            !(config->mask_fill < listed) && !(config->mask_fill > listed) ? fills[i] : current;
    }
    const double next = next_of(current, fills, 4);
    config->mask_fill = (float)next;
    char fill[WALK_NUMBER_MAX];
    snprintf(said, 128, "Masked scores become %s%s. u undoes.", walk_constant(next, fill),
             app->setup.inputs[ATTN_MASK].data == NULL ? ", but there is no mask: m gives one"
                                                       : "");
    return true;
}

void app_fill(struct app *app, struct app_key key)
{
    (void)key;
    what_if(app, next_fill);
}

static bool next_dropout(const struct app *app, struct config *config, char *said)
{
    static const double rates[] = {0, 0.1, 0.2, 0.5, 0.9};
    if (!takes(app, ATTN_STAGE_DROP, "dropout", said)) {
        return false;
    }
    config->dropout_given = true;
    config->dropout_p = next_of(config->dropout_p, rates, 5);
    config_ungive(config, ATTN_KEEP);
    snprintf(said, 128, "Dropout rate %g%s. u undoes.", config->dropout_p,
             attn_trace_config(app->trace)->training ? "" : ", in training only: t trains");
    return true;
}

void app_dropout(struct app *app, struct app_key key)
{
    (void)key;
    what_if(app, next_dropout);
}

static bool toggle_train(const struct app *app, struct config *config, char *said)
{
    if (!takes(app, ATTN_STAGE_DROP, "dropout", said)) {
        return false;
    }
    config->training_given = true;
    config->training = !attn_trace_config(app->trace)->training;
    snprintf(said, 128, "%s u undoes.",
             config->training ? "Training: dropout acts." : "Evaluation: dropout does nothing.");
    return true;
}

void app_train(struct app *app, struct app_key key)
{
    (void)key;
    what_if(app, toggle_train);
}

/** Is there a number that a seed gives, or do all come from files and lessons? */
static bool draws(const struct app *app)
{
    bool any = false;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        any = any || (id != ATTN_MASK && app->setup.inputs[id].data != NULL &&
                      !app->setup.loaded_tensor[id]);
    }
    return any;
}

static bool next_seed(const struct app *app, struct config *config, char *said)
{
    if (!draws(app)) {
        snprintf(said, 128, "No number here comes from a seed: %s. e changes one.",
                 app->lesson.open ? "they are the lesson's own" : "all are given");
        return false;
    }
    for (int i = config->n_given - 1; i >= 0; i--) { /* what was carried over gives way to draws */
        if (!config->given[i].from_file) {
            config_ungive(config, config->given[i].id);
        }
    }
    config->seed++;
    snprintf(config->seed_text, sizeof config->seed_text, "%llu", (unsigned long long)config->seed);
    snprintf(said, 128, "Seed %s. u undoes.", config->seed_text);
    return true;
}

void app_reseed(struct app *app, struct app_key key)
{
    (void)key;
    what_if(app, next_seed);
}

/* ---- editing a number ---- */

static void edited(struct app *app, const char *text)
{
    double value;
    struct config config;
    const enum attn_tensor_id id = app->now.cursor.tensor;
    if (*text == '\0') {
        app_say(app, "Nothing was changed.");
        return;
    }
    if (!config_parse_real(text, &value)) {
        app_say(app, "That is no number: write -0.5, 1e-3, inf or nan. Nothing was changed.");
        return;
    }
    if (isfinite(value) && !isfinite((float)value)) {
        app_say(app, "That is beyond float32 (at most 3.4e38). Nothing was changed.");
        return;
    }
    const bool is_switch = attn_tensors[id].kind == ATTN_KIND_MASK;
    if (is_switch && (value < 0 || value > 1 || (value > 0 && value < 1))) {
        app_say(app, "Here 1 keeps and 0 hides; there is nothing between. Nothing was changed.");
        return;
    }
    if (config_copy(&config, app_config(app)) != ATTN_OK) {
        app_say(app, "Out of memory.");
        return;
    }
    if (config_edit(&config, app->now.cursor, (float)value) == ATTN_OK &&
        app_change(app, &config)) {
        app_say(app, "Changed: everything after it is computed anew. u undoes.");
    }
    config_finish(&config);
}

void app_edit(struct app *app, struct app_key key)
{
    const struct attn_cell cell = app->now.cursor;
    if (attn_trace_writer(app->trace, cell.tensor) != ATTN_NO_STAGE) {
        app_open(app, key); /* where the number comes from */
        if (app->now.open) {
            app_say(app,
                    "Only inputs are changed: Enter leads back to those behind it, i lists them.");
        }
        return;
    }
    char number[WALK_NUMBER_MAX];
    char name[96];
    char label[160];
    walk_cell_text(&app->setup, app->trace, cell, name, sizeof name);
    snprintf(label, sizeof label, "%s is %s; new value", name,
             walk_number((double)walk_value(app->trace, cell), number));
    app_ask(app, label, "", edited);
}
