#include "app_actions.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static void init(struct app *app)
{
    memset(app, 0, offsetof(struct app, history)); /* its items are many, and count from n on */
    app->history.n = 0;
    app->history.at = 0;
    app->lang = ATTN_LANG_PYTORCH;
    app_play_init(app);
}

enum attn_status app_init_home(struct app *app, struct attn_error *err)
{
    (void)err;
    init(app);
    app->home = true;
    app->home_row = ATTN_V3;
    return ATTN_OK;
}

enum attn_status app_init_walk(struct app *app, const struct config *config, struct attn_error *err)
{
    init(app);
    return app_start(app, config, err);
}

enum attn_status app_init_lab(struct app *app, enum lab_kind kind, const struct config *config,
                              struct attn_error *err)
{
    init(app);
    return app_lab_open(app, kind, config, err);
}

void app_finish(struct app *app)
{
    app_lab_close(app);
    attn_trace_destroy(app->trace);
    attn_trace_destroy(app->before);
    walk_slopes_finish(&app->slopes);
    app_other_finish(&app->other);
    app_lesson_finish(&app->lesson);
    setup_finish(&app->setup);
    app_history_finish(&app->history);
    config_finish(&app->origin);
    app_last_finish(&app->last);
    lesson_list_free(app->shelf.entries, app->shelf.n);
    init(app);
}

/** Arithmetic operations from which on somebody who waits wants to know why: some 0.15 s. */
static const double patience = 6e8;

/** Operations on each score beside its two products: scaling, mask, softmax, and the look at all
 * that is made. */
enum { OPERATIONS_A_SCORE = 256 };

/** Roughly how much there is to do. */
static double work_of(const attn_config *config)
{
    const attn_sizes *const n = &config->sizes;
    const double queries = (double)n->B * n->T;
    const double rows = (double)n->B * (n->T + n->S);
    return queries * n->S * (OPERATIONS_A_SCORE + 2.0 * (n->d + n->d_v)) +
           rows * 4.0 * n->d * (n->d_in + n->d);
}

static void begins(void *whose, const attn_config *config)
{
    struct app *const app = whose;
    if (app->busy.say != NULL && work_of(config) > patience) {
        app->busy.say(app, app->busy.whose);
    }
}

enum attn_status app_trace(struct app *app, struct setup *setup, attn_trace **trace,
                           const struct config *config, struct attn_error *err)
{
    return config_trace_watched(setup, trace, config, (struct config_watch){begins, app}, err);
}

/** A trace of what is in copy, which then holds everything from files in memory: no file is read
 * again on a key press. */
static enum attn_status build(struct app *app, struct config *copy, struct setup *setup,
                              attn_trace **trace, struct attn_error *err)
{
    enum attn_status status = app_trace(app, setup, trace, copy, err);
    if (status != ATTN_OK) {
        return status;
    }
    status = config_hold(copy, setup);
    if (status != ATTN_OK) {
        attn_trace_destroy(*trace);
        setup_finish(setup);
        return attn_fail(err, status, NULL, "out of memory");
    }
    return ATTN_OK;
}

enum attn_status app_start(struct app *app, const struct config *config, struct attn_error *err)
{
    struct config copy = {.n_loads = 0};
    struct config origin = {.n_loads = 0};
    struct setup setup;
    attn_trace *trace = NULL;
    if (config_copy(&copy, config) != ATTN_OK || config_copy(&origin, config) != ATTN_OK) {
        config_finish(&copy);
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    const enum attn_status status = build(app, &copy, &setup, &trace, err);
    if (status != ATTN_OK) {
        config_finish(&copy);
        config_finish(&origin);
        return status;
    }
    config_finish(&app->origin);
    app->origin = origin;
    app_history_finish(&app->history);
    app->history.items[0] = copy;
    app->history.n = 1;
    app_take_trace(app, &setup, trace);
    attn_trace_destroy(app->before);
    app->before = NULL;
    app_other_finish(&app->other);
    app->home = false;
    app->n_trail = 0;
    app->now = (struct app_place){.open = false};
    app_go(app, walk_first(trace, WALK_STAGE));
    return ATTN_OK;
}

void app_say(struct app *app, const char *text)
{
    snprintf(app->message, sizeof app->message, "%s", text);
}

unsigned app_scope(const struct app *app)
{
    const struct lesson_question *const q = app->lesson.looking ? NULL : app_lesson_waiting(app);
    return app->help              ? APP_IN_HELP
           : app->lesson.contents ? APP_IN_CONTENTS
           : app->home            ? APP_IN_HOME
           : app->now.open        ? APP_IN_CELL
           : app->now.slopes      ? APP_IN_SLOPES
           : !app->lesson.open    ? app->lab != NULL ? APP_IN_LAB | app_lab_scope(app) : APP_IN_WALK
           : q == NULL            ? APP_IN_LESSON | app_lab_scope(app)
           : q->kind == LESSON_CHOICE ? APP_IN_CHOICE
                                      : APP_IN_ASKED;
}

/* ---- keys ---- */

static bool same_key(struct app_key a, struct app_key b)
{
    return a.code == b.code && (a.code != APP_KEY_CHAR || a.ch == b.ch);
}

/** The next name of a list separated by spaces, as a key. @return false at the end. */
static bool next_key(const char **list, struct app_key *key)
{
    *list += strspn(*list, " ");
    const size_t n = strcspn(*list, " ");
    char name[16];
    if (n == 0 || n >= sizeof name) {
        return false;
    }
    memcpy(name, *list, n);
    name[n] = '\0';
    *list += n;
    if (!app_key_find(name, key)) {
        *key = (struct app_key){.code = APP_KEY_CHAR, .ch = (unsigned char)name[0]};
    }
    return true;
}

bool app_action_has(const struct app_action *action, struct app_key key)
{
    const char *list = action->keys;
    struct app_key one;
    while (next_key(&list, &one)) {
        if (same_key(one, key)) {
            return true;
        }
    }
    return false;
}

void app_press(struct app *app, struct app_key key)
{
    const unsigned scope = app_scope(app);
    app->message[0] = '\0';
    if (app_play_press(app, key)) {
        return;
    }
    if (app->prompt.open && app_prompt_press(app, key)) {
        return;
    }
    const bool tiny =
        app->shown.rows > 0 && (app->shown.rows < VIEW_MIN_ROWS || app->shown.cols < VIEW_MIN_COLS);
    if (tiny && key.code == APP_KEY_CHAR && key.ch == 'q') { /* as the tiny screen says */
        app->quit = true;
        return;
    }
    for (int i = 0; i < app_n_actions; i++) {
        if ((app_actions[i].scope & scope) != 0 && app_action_has(&app_actions[i], key) &&
            !app_lab_hides(app, &app_actions[i])) {
            app->acting = &app_actions[i];
            app_actions[i].run(app, key);
            return;
        }
    }
}

static void press_and_draw(struct app *app, struct frame *f, struct app_key key)
{
    app_press(app, key);
    app_draw(app, f);
}

void app_play(struct app *app, struct frame *f, const char *keys)
{
    app_draw(app, f);
    while (*(keys += strspn(keys, " ")) != '\0' && !app->quit) {
        const size_t n = strcspn(keys, " ");
        char word[16];
        struct app_key key;
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : 0), keys);
        if (app_key_find(word, &key)) {
            press_and_draw(app, f, key);
        } else {
            for (const char *next = keys; next < keys + n && !app->quit;) {
                const struct app_key letter = {.code = APP_KEY_CHAR, .ch = frame_decode(&next)};
                press_and_draw(app, f, letter);
            }
        }
        keys += n;
    }
    app_lab_settle(app);
    app_draw(app, f);
}
