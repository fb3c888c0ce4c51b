/* Which inputs move the number under the cursor the most, and on to one of them. */
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

enum { LISTED_MAX = 256, PAGE = 10 };

bool app_slopes_show(struct app *app)
{
    struct walk_slopes slopes;
    struct attn_error err = {.status = ATTN_OK};
    if (walk_slopes(app->trace, app->now.cursor, LISTED_MAX, &slopes, &err) != ATTN_OK) {
        app->now.slopes = false;
        app_say(app, err.message);
        return false;
    }
    walk_slopes_finish(&app->slopes);
    app->slopes = slopes;
    app->now.slopes = true;
    app->now.slope = app->now.slope < slopes.n ? app->now.slope : 0;
    return true;
}

void app_slopes(struct app *app, struct app_key key)
{
    (void)key;
    const struct attn_cell cell = app->now.cursor;
    if (app_lesson_hidden(app) != NULL) {
        app_say(app, "It would tell what is asked: answer first, or S shows it.");
    } else if (!walk_computed(app->trace, &app->now.step, cell)) {
        app_say(app, "This cell is not computed yet: Space goes on.");
    } else if (attn_trace_writer(app->trace, cell.tensor) == ATTN_NO_STAGE) {
        app_say(app, "An input itself: on a number that is computed, i tells what moves it.");
    } else {
        app->now.open = false;
        app->now.slope = 0;
        app_slopes_show(app);
    }
}

/** The first stage that shows a tensor. */
static int stage_of(const struct app *app, enum attn_tensor_id id)
{
    int stage = 0;
    while (stage < attn_trace_n_stages(app->trace) && !app_stage_shows(app, stage, id)) {
        stage++;
    }
    return stage;
}

void app_slope_go(struct app *app, struct app_key key)
{
    (void)key;
    if (app->slopes.n == 0) {
        app_say(app, "There is none to go to. Esc goes back.");
        return;
    }
    const struct attn_cell cell = app->slopes.top[app->now.slope].cell;
    char name[96];
    char text[160];
    app_leave_trail(app);
    app_go_cell(app, stage_of(app, cell.tensor), cell);
    walk_cell_text(&app->setup, app->trace, cell, name, sizeof name);
    snprintf(text, sizeof text, "%s: e changes it, Esc goes back to what it moves.", name);
    app_say(app, text);
}

void app_slope_mark(struct app *app, struct attn_cell input)
{
    for (int i = 0; i < app->slopes.n; i++) {
        const struct attn_cell cell = app->slopes.top[i].cell;
        if (cell.tensor == input.tensor && memcmp(cell.at, input.at, sizeof cell.at) == 0) {
            app->now.slope = i;
        }
    }
}

/** As far as the list goes. */
static void choose(struct app *app, int by)
{
    const int slope = app->now.slope + by;
    const int last = app->slopes.n > 0 ? app->slopes.n - 1 : 0;
    app->now.slope = slope < 0 ? 0 : slope < last ? slope : last;
}

void app_slope_up(struct app *app, struct app_key key)
{
    (void)key;
    choose(app, -1);
}

void app_slope_down(struct app *app, struct app_key key)
{
    (void)key;
    choose(app, 1);
}

void app_slope_first(struct app *app, struct app_key key)
{
    (void)key;
    choose(app, -LISTED_MAX);
}

void app_slope_last(struct app *app, struct app_key key)
{
    (void)key;
    choose(app, LISTED_MAX);
}

void app_slope_page_up(struct app *app, struct app_key key)
{
    (void)key;
    choose(app, -PAGE);
}

void app_slope_page_down(struct app *app, struct app_key key)
{
    (void)key;
    choose(app, PAGE);
}
