#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/** The code of the stage, in one line: a lesson's screen has no place for it. */
static void say_code(struct app *app)
{
    char code[APP_MESSAGE_MAX / 2];
    char text[APP_MESSAGE_MAX];
    const enum attn_stage stage = attn_trace_stage(app->trace, app->now.step.stage);
    attn_trace_snippet(app->trace, stage, app->lang, code, sizeof code);
    size_t n = (size_t)snprintf(text, sizeof text, "%s:", attn_lang_names[app->lang]);
    for (const char *line = strtok(code, "\n"); line != NULL && n < sizeof text;
         line = strtok(NULL, "\n")) {
        n += (size_t)snprintf(text + n, sizeof text - n, "  %s", line);
    }
    app_say(app, text);
}

void app_language(struct app *app, struct app_key key)
{
    (void)key;
    app->lang = (enum attn_lang)((app->lang + 1) % ATTN_N_LANGS);
    if (app->lesson.open) {
        say_code(app);
    }
}

/** What the matrix under the cursor would be drawn as. */
static enum view_zoom seen(struct app *app, enum view_zoom zoom)
{
    const enum view_zoom was = app->zoom;
    enum view_zoom found = zoom == VIEW_ZOOM_AUTO ? VIEW_ZOOM_DIGITS : zoom;
    struct frame *const f = app->shown.rows > 0
                                ? frame_create(app->shown.rows, app->shown.cols, app->shown.ascii)
                                : NULL;
    if (f != NULL) {
        app->zoom = zoom;
        app_draw(app, f);
        app->zoom = was;
        for (int i = 0; i < app->map.n; i++) {
            const struct view_matrix *const m = &app->map.matrices[i];
            found = i == 0 || m->tensor == app->now.cursor.tensor ? m->zoom : found;
        }
    }
    frame_destroy(f);
    return found;
}

/** To the next finer or coarser that looks otherwise. What the place would be given anyway is left
 * to it, since then what else there is room for stays. */
static void zoom(struct app *app, int by)
{
    const enum view_zoom now = seen(app, app->zoom);
    const enum view_zoom usual = seen(app, VIEW_ZOOM_AUTO);
    enum view_zoom to = app->zoom;
    enum view_zoom got = now;
    int next = (int)now + by;
    for (; got == now && next >= VIEW_ZOOM_DIGITS && next < VIEW_N_ZOOMS; next += by) {
        to = next == (int)usual ? VIEW_ZOOM_AUTO : (enum view_zoom)next;
        got = seen(app, to);
    }
    char text[96];
    app->zoom = got != now ? to : app->zoom;
    snprintf(text, sizeof text, "Zoom: %s%s.", view_zoom_names[got],
             got != now ? ""
             : by < 0   ? ", the finest there is"
                        : ", the coarsest there is");
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
