/* The cost instrument by keys. What its width is decides the times, so they are measured anew. */
#include <stdio.h>
#include <stdlib.h>

#include "app_actions.h"

enum { LENGTH_FIRST = 5 /* T = 512 */ };

/** The power of two that is no wider than d. */
static int width_of(int d)
{
    int width = LAB_COST_WIDTH_MIN;
    while (width * 2 <= d && width < LAB_COST_WIDTH_MAX) {
        width *= 2;
    }
    return width;
}

enum attn_status app_cost_open(struct app_lab *lab, const struct config *config,
                               struct attn_error *err)
{
    lab->cost = malloc(sizeof *lab->cost);
    if (lab->cost == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    lab_cost_init(lab->cost, config->dim > 0 ? width_of(config->dim) : LAB_COST_WIDTH,
                  attn_variant_has(config->variant, ATTN_STAGE_OUTPUT), NULL);
    lab->length = LENGTH_FIRST;
    while (config->length > 0 && lab->length > 0 &&
           lab->cost->rows[lab->length].T > config->length) {
        lab->length--;
    }
    while (lab->length + 1 < LAB_LENGTHS && lab->cost->rows[lab->length + 1].T <= config->length) {
        lab->length++;
    }
    return ATTN_OK;
}

static void look_at(struct app *app, int length)
{
    app->lab->length = length < 0 ? 0 : length < LAB_LENGTHS ? length : LAB_LENGTHS - 1;
}

void app_cost_longer(struct app *app, struct app_key key)
{
    (void)key;
    look_at(app, app->lab->length + 1);
}

void app_cost_shorter(struct app *app, struct app_key key)
{
    (void)key;
    look_at(app, app->lab->length - 1);
}

/** Where times were left out they stay so. */
static void begin(struct app *app, int d, bool output)
{
    struct lab_cost *const lab = app->lab->cost;
    const bool silent = lab->complete && lab->measured == 0;
    if (d >= LAB_COST_WIDTH_MIN && d <= LAB_COST_WIDTH_MAX) {
        lab_cost_init(lab, d, output, lab->clock);
        lab->complete = silent;
    }
}

void app_cost_wider(struct app *app, struct app_key key)
{
    (void)key;
    begin(app, app->lab->cost->d * 2, app->lab->cost->output);
}

void app_cost_narrower(struct app *app, struct app_key key)
{
    (void)key;
    begin(app, app->lab->cost->d / 2, app->lab->cost->output);
}

void app_cost_output(struct app *app, struct app_key key)
{
    (void)key;
    begin(app, app->lab->cost->d, !app->lab->cost->output);
}

void app_cost_again(struct app *app, struct app_key key)
{
    (void)key;
    begin(app, app->lab->cost->d, app->lab->cost->output);
}
