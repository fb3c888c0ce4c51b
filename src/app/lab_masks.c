/* The masks instrument by keys: each change computes the weights again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

static const char tokens[] = "the cat sat down";

static struct app_masks_state state_of(const struct lab_masks *lab)
{
    struct app_masks_state state = {.S = lab->S,
                                    .preset = lab->preset,
                                    .fill = lab->config.mask_fill,
                                    .keeps = lab->config.mask_keeps,
                                    .align = lab->config.causal_align,
                                    .empty = lab->config.empty_row};
    memcpy(state.grid, lab->grid, sizeof state.grid);
    return state;
}

enum attn_status app_masks_open(struct app_lab *lab, const struct config *config,
                                struct attn_error *err)
{
    struct config copy;
    if (config_copy(&copy, config) != ATTN_OK) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    const bool sized =
        config->length > 0 || config->tokens.n > 0 || config->n_given > 0 || config->n_loads > 0;
    enum attn_status status = ATTN_OK;
    if (!sized) {
        status = config_options[CONFIG_TOKENS].parse(&copy, tokens, err);
    }
    if (status == ATTN_OK) {
        status = lab_masks_create(&lab->masks, &copy, err);
    }
    config_finish(&copy);
    if (status == ATTN_OK) {
        lab->states[0] = state_of(lab->masks);
        lab->n_states = 1;
    }
    return status;
}

/* ---- what was before ---- */

/** After a change: it is the last of the states, and those that were undone are gone. */
static void remember(struct app_lab *lab)
{
    if (lab->state + 1 == APP_MASKS_UNDO_MAX) { /* the first stays: undo always leads back to it */
        memmove(&lab->states[1], &lab->states[2], sizeof lab->states[0] * (APP_MASKS_UNDO_MAX - 2));
        lab->state--;
    }
    lab->states[++lab->state] = state_of(lab->masks);
    lab->n_states = lab->state + 1;
}

static void move(struct app *app, int down, int right);

static enum attn_status restore(struct lab_masks *lab, const struct app_masks_state *state,
                                struct attn_error *err)
{
    const enum attn_status status =
        lab->S == state->S ? ATTN_OK : lab_masks_keys(lab, state->S, err);
    if (status != ATTN_OK) {
        return status;
    }
    lab->config.mask_fill = state->fill;
    lab->config.mask_keeps = state->keeps;
    lab->config.causal_align = state->align;
    lab->config.empty_row = state->empty;
    lab->preset = state->preset;
    memcpy(lab->grid, state->grid, sizeof lab->grid);
    return lab_masks_compute(lab, err);
}

static void travel(struct app *app, int by, const char *done, const char *none)
{
    struct app_lab *const lab = app->lab;
    struct attn_error err = {.status = ATTN_OK};
    const int to = lab->state + by;
    if (to < 0 || to >= lab->n_states) {
        app_say(app, none);
    } else if (restore(lab->masks, &lab->states[to], &err) == ATTN_OK) {
        lab->state = to;
        move(app, 0, 0);
        app_say(app, done);
    } else {
        app_say(app, err.message);
    }
}

void app_masks_undo(struct app *app, struct app_key key)
{
    (void)key;
    travel(app, -1, "Undone. U does it again.", "There is nothing to undo.");
}

void app_masks_redo(struct app *app, struct app_key key)
{
    (void)key;
    travel(app, 1, "Done again.", "There is nothing to do again.");
}

/** What came of a change: remembered, or said why not. */
static void settle(struct app *app, enum attn_status status, const struct attn_error *err)
{
    if (status == ATTN_OK) {
        remember(app->lab);
    } else {
        app_say(app, err->message);
    }
}

/* ---- keys ---- */

static void move(struct app *app, int down, int right)
{
    struct app_lab *const lab = app->lab;
    const int row = lab->row + down;
    const int col = lab->col + right;
    lab->row = row < 0 ? 0 : row < lab->masks->T ? row : lab->masks->T - 1;
    lab->col = col < 0 ? 0 : col < lab->masks->S ? col : lab->masks->S - 1;
}

void app_masks_up(struct app *app, struct app_key key)
{
    (void)key;
    move(app, -1, 0);
}

void app_masks_down(struct app *app, struct app_key key)
{
    (void)key;
    move(app, 1, 0);
}

void app_masks_left(struct app *app, struct app_key key)
{
    (void)key;
    move(app, 0, -1);
}

void app_masks_right(struct app *app, struct app_key key)
{
    (void)key;
    move(app, 0, 1);
}

void app_masks_paint(struct app *app, struct app_key key)
{
    struct attn_error err = {.status = ATTN_OK};
    (void)key;
    settle(app, lab_masks_paint(app->lab->masks, app->lab->row, app->lab->col, &err), &err);
}

void app_masks_space(struct app *app, struct app_key key)
{
    if (app->lab->kind == LAB_MASKS) {
        app_masks_paint(app, key);
    }
}

/** none, causal, padding, both, and round. */
void app_masks_preset(struct app *app, struct app_key key)
{
    struct lab_masks *const lab = app->lab->masks;
    struct attn_error err = {.status = ATTN_OK};
    (void)key;
    const bool painted = lab->preset == LAB_PAINTED;
    const int next = painted ? LAB_OPEN : ((int)lab->preset + 1) % LAB_PAINTED;
    if (painted) {
        app_say(app, "The painted mask made way for none: u brings it back.");
    }
    settle(app, lab_masks_preset(lab, (enum lab_preset)next, &err), &err);
}

static void compute(struct app *app)
{
    struct attn_error err = {.status = ATTN_OK};
    settle(app, lab_masks_compute(app->lab->masks, &err), &err);
}

void app_masks_fill(struct app *app, struct app_key key)
{
    static const float fills[] = {-INFINITY, -1e9F, 1e-20F, 0.0F};
    enum { N = sizeof fills / sizeof fills[0] };
    struct config *const config = &app->lab->masks->config;
    int at = 0;
    (void)key;
    while (at < N && fills[at] != config->mask_fill) {
        at++;
    }
    config->mask_fill = fills[at < N ? (at + 1) % N : 0];
    compute(app);
}

void app_masks_polarity(struct app *app, struct app_key key)
{
    struct config *const config = &app->lab->masks->config;
    (void)key;
    config->mask_keeps = 1 - config->mask_keeps;
    compute(app);
}

void app_masks_align(struct app *app, struct app_key key)
{
    struct lab_masks *const lab = app->lab->masks;
    struct attn_error err = {.status = ATTN_OK};
    (void)key;
    lab->config.causal_align = lab->config.causal_align == ATTN_CAUSAL_TOP_LEFT
                                   ? ATTN_CAUSAL_BOTTOM_RIGHT
                                   : ATTN_CAUSAL_TOP_LEFT;
    settle(app, lab_masks_preset(lab, lab->preset, &err), &err);
    if (lab->T == lab->S) {
        app_say(app, "With as many keys as queries both alignments are the same: + adds a key.");
    }
}

void app_masks_empty(struct app *app, struct app_key key)
{
    struct config *const config = &app->lab->masks->config;
    (void)key;
    config->empty_row = config->empty_row == ATTN_EMPTY_ZEROS ? ATTN_EMPTY_NAN : ATTN_EMPTY_ZEROS;
    compute(app);
}

/** So many keys more; the kind of mask stays, but for one that was painted. */
static void change_keys(struct app *app, int by)
{
    struct lab_masks *const lab = app->lab->masks;
    struct attn_error err = {.status = ATTN_OK};
    char text[96];
    const int keys = lab->S + by;
    const bool painted = lab->preset == LAB_PAINTED;
    const enum lab_preset preset = painted ? LAB_OPEN : lab->preset;
    if (keys < LAB_TOKENS_MIN || keys > LAB_TOKENS_MAX) {
        snprintf(text, sizeof text, "There are %d to %d keys.", LAB_TOKENS_MIN, LAB_TOKENS_MAX);
        app_say(app, text);
        return;
    }
    enum attn_status status = lab_masks_keys(lab, keys, &err);
    if (status == ATTN_OK) {
        move(app, 0, 0);
        status = lab_masks_preset(lab, preset, &err);
    }
    settle(app, status, &err);
    if (status == ATTN_OK && painted) {
        app_say(app, "The painted mask made way for none: u brings it back.");
    }
}

void app_masks_more_keys(struct app *app, struct app_key key)
{
    (void)key;
    change_keys(app, 1);
}

void app_masks_fewer_keys(struct app *app, struct app_key key)
{
    (void)key;
    change_keys(app, -1);
}
