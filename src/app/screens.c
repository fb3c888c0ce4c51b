#include <stdio.h>
#include <stdlib.h>

#include "app_actions.h"

void app_offer_lessons(struct app *app, struct lesson_entry *entries, int n)
{
    lesson_list_free(app->shelf.entries, app->shelf.n);
    const int most = APP_HOME_ROWS_MAX - APP_HOME_ROWS - 1;
    for (int i = most; i < n; i++) { /* more than anybody looks through */
        free(entries[i].path);
    }
    app->shelf = (struct app_shelf){entries, n < most ? n : most};
}

/** The variants, before them the walk to continue, after them the lessons. */
static int home_rows(const struct app *app)
{
    return APP_HOME_ROWS + (app->last.there ? 1 : 0) + app->shelf.n;
}

void app_home_up(struct app *app, struct app_key key)
{
    (void)key;
    app->home_row = (app->home_row + home_rows(app) - 1) % home_rows(app);
}

void app_home_down(struct app *app, struct app_key key)
{
    (void)key;
    app->home_row = (app->home_row + 1) % home_rows(app);
}

void app_home_choose(struct app *app, struct app_key key)
{
    (void)key;
    const int row = app->home_row - (app->last.there ? 1 : 0);
    if (row < 0) {
        app_continue(app);
        return;
    }
    if (row >= APP_HOME_ROWS) {
        const struct lesson_entry *const e = &app->shelf.entries[row - APP_HOME_ROWS];
        app_open_lesson(app, e->path[0] != '\0' ? e->path : e->stem);
        return;
    }
    struct config config;
    struct attn_error err = {.status = ATTN_OK};
    config_init(&config, (enum attn_variant)row);
    enum attn_status status = ATTN_OK;
    if (attn_variant_has(config.variant, ATTN_STAGE_DROP)) { /* a first walk meets every stage */
        status = config_options[CONFIG_MASK].parse(&config, "causal", &err);
    }
    if (status == ATTN_OK) {
        status = app_start(app, &config, &err);
        app_say(app, config.n_mask > 0
                         ? "A causal mask is on, so that every stage has something to "
                           "do: m changes it. Space goes on."
                         : "Space goes on, Enter opens the cell, ? lists the keys.");
    }
    if (status != ATTN_OK) {
        app_say(app, err.message);
    }
    config_finish(&config);
}

void app_language(struct app *app, struct app_key key)
{
    (void)key;
    app->lang = (enum attn_lang)((app->lang + 1) % ATTN_N_LANGS);
}

static void zoom(struct app *app, int by)
{
    const int z = (int)app->zoom + by;
    app->zoom = z < 0 ? VIEW_ZOOM_AUTO : z < VIEW_N_ZOOMS ? (enum view_zoom)z : VIEW_ZOOM_PICTURE;
    char text[64];
    snprintf(text, sizeof text, "Zoom: %s.", view_zoom_names[app->zoom]);
    app_say(app, text);
}

void app_zoom_in(struct app *app, struct app_key key)
{
    (void)key;
    zoom(app, -1);
}

void app_zoom_out(struct app *app, struct app_key key)
{
    (void)key;
    zoom(app, 1);
}

void app_redraw(struct app *app, struct app_key key)
{
    (void)key;
    app->repaint = true;
}

void app_quit(struct app *app, struct app_key key)
{
    (void)key;
    app->quit = true;
}
