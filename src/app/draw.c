#include <stdio.h>
#include <string.h>

#include "app.h"

enum { KEYS_MAX = 96, HELP_MAX = KEYS_MAX + 2 * APP_N_GROUPS };

struct view_walk app_view(const struct app *app, struct view_against *against)
{
    if (app->other.trace != NULL) {
        *against =
            (struct view_against){app->other.trace, &app->other.setup, app->other.name, true};
    } else {
        *against = (struct view_against){app->before, NULL, "before", false};
    }
    return (struct view_walk){
        .setup = &app->setup,
        .trace = app->trace,
        .ranges = app->ranges,
        .step = app->now.step,
        .cursor = app->now.cursor,
        .batch = app->now.batch,
        .lang = app->lang,
        .zoom = app->zoom,
        .against = against->trace != NULL ? against : NULL,
        .opened = app->now.open ? &app->now.opened : NULL,
        .message = app->message[0] != '\0' ? app->message : NULL,
    };
}

/** The keys of the foot, from the table. Names point into `names`. */
static int footer_keys(const struct app *app, struct view_key keys[KEYS_MAX],
                       char names[KEYS_MAX][16])
{
    const unsigned scope = app_scope(app);
    int n = 0;
    for (int i = 0; i < app_n_actions && n < KEYS_MAX; i++) {
        const struct app_action *a = &app_actions[i];
        if ((a->scope & scope) != 0 && a->footer != NULL) {
            const char *name = a->footer_key != NULL ? a->footer_key : a->keys;
            snprintf(names[n], sizeof names[n], "%.*s", (int)strcspn(name, " "), name);
            keys[n] = (struct view_key){names[n], a->footer};
            n++;
        }
    }
    return n;
}

static void draw_home(struct app *app, struct frame *f, const struct view_key *keys, int n_keys)
{
    const char *names[APP_HOME_ROWS];
    const char *words[APP_HOME_ROWS];
    for (int i = 0; i < APP_HOME_ROWS; i++) {
        names[i] = attn_variants[i].name;
        words[i] = attn_variants[i].summary;
    }
    view_home(f, &(struct view_home){.names = names,
                                     .words = words,
                                     .n = APP_HOME_ROWS,
                                     .selected = app->home_row,
                                     .message = app->message[0] != '\0' ? app->message : NULL,
                                     .keys = keys,
                                     .n_keys = n_keys});
}

static void draw_help(struct app *app, struct frame *f, const struct view_key *keys, int n_keys)
{
    struct view_help_row rows[HELP_MAX];
    int n = 0;
    for (int group = 0; group < APP_N_GROUPS; group++) {
        if (n > 0) {
            rows[n++] = (struct view_help_row){"", ""};
        }
        rows[n++] = (struct view_help_row){NULL, app_group_names[group]};
        for (int i = 0; i < app_n_actions && n < HELP_MAX - 2; i++) {
            if (app_actions[i].help != NULL && (int)app_actions[i].group == group) {
                rows[n++] = (struct view_help_row){app_actions[i].keys, app_actions[i].help};
            }
        }
    }
    app->help_last = view_help(f, "Keys", rows, n, app->help_top, keys, n_keys);
}

void app_draw(struct app *app, struct frame *f)
{
    struct view_key keys[KEYS_MAX];
    char names[KEYS_MAX][16];
    const int n = footer_keys(app, keys, names);
    f->cursor_row = -1;
    f->cursor_col = -1;
    char line[APP_INPUT_MAX + 64];
    if (app->prompt.open) {
        snprintf(line, sizeof line, "%s: %s_", app->prompt.label, app->prompt.text);
        app_say(app, line);
    }
    if (app->help) {
        draw_help(app, f, keys, n);
    } else if (app->home) {
        draw_home(app, f, keys, n);
    } else {
        struct view_against against;
        struct view_walk v = app_view(app, &against);
        v.keys = keys;
        v.n_keys = n;
        view_walk(f, &v, &app->map);
    }
}
