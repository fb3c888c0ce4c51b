/* The masks instrument by keys: each change computes the weights again. */
#include <math.h>
#include <stdio.h>

#include "app_actions.h"

static const char tokens[] = "the cat sat down";

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
    return status;
}

static void tell(struct app *app, enum attn_status status, const struct attn_error *err)
{
    if (status != ATTN_OK) {
        app_say(app, err->message);
    }
}

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
    tell(app, lab_masks_paint(app->lab->masks, app->lab->row, app->lab->col, &err), &err);
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
    const int next = lab->preset == LAB_PAINTED ? LAB_OPEN : ((int)lab->preset + 1) % LAB_PAINTED;
    tell(app, lab_masks_preset(lab, (enum lab_preset)next, &err), &err);
}

static void compute(struct app *app)
{
    struct attn_error err = {.status = ATTN_OK};
    tell(app, lab_masks_compute(app->lab->masks, &err), &err);
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
    tell(app, lab_masks_preset(lab, lab->preset, &err), &err);
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

/** As many keys more: from here on they come from a sequence of their own, as in cross-attention.
 */
static void change_keys(struct app *app, int by)
{
    struct lab_masks *const lab = app->lab->masks;
    struct lab_masks *fresh = NULL;
    struct config copy;
    struct attn_error err = {.status = ATTN_OK};
    const int keys = lab->S + by;
    if (keys < LAB_TOKENS_MIN || keys > LAB_TOKENS_MAX) {
        return;
    }
    if (lab->config.n_given > 1 || lab->config.n_loads > 0) {
        app_say(app, "The numbers that were given set how many keys there are.");
        return;
    }
    if (config_copy(&copy, &lab->config) != ATTN_OK) {
        app_say(app, "Out of memory.");
        return;
    }
    config_ungive(&copy, ATTN_MASK);
    copy.variant = ATTN_CROSS;
    copy.memory_length = keys;
    const enum attn_status status = lab_masks_create(&fresh, &copy, &err);
    config_finish(&copy);
    if (status == ATTN_OK) {
        const enum lab_preset preset = lab->preset != LAB_PAINTED ? lab->preset : LAB_OPEN;
        lab_masks_destroy(lab);
        app->lab->masks = fresh;
        move(app, 0, 0);
        tell(app, lab_masks_preset(fresh, preset, &err), &err);
    } else {
        app_say(app, err.message);
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
