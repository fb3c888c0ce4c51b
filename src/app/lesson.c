/* Going through a lesson: each place makes its walk, and every way leads through app_lesson_go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_actions.h"

enum { SCROLLED_TO_END = 1 << 20 };

static struct app_lesson *of(struct app *app)
{
    return &app->lesson;
}

static const struct lesson_stop *stop_of(const struct app *app)
{
    return &app->lesson.lesson.stops[app->lesson.stop];
}

void app_lesson_finish(struct app_lesson *l)
{
    if (l->open) {
        lesson_finish(&l->lesson);
        free(l->asked);
    }
    *l = (struct app_lesson){.open = false};
}

/* ---- what is asked ---- */

int app_lesson_question(const struct app *app)
{
    return app->lesson.open ? stop_of(app)->question : -1;
}

const struct lesson_question *app_lesson_waiting(const struct app *app)
{
    const int question = app_lesson_question(app);
    return question >= 0 && !app->lesson.asked[question].done
               ? &app->lesson.lesson.questions[question]
               : NULL;
}

/** What the question of this stop wants, and what of the walk must not be seen meanwhile. */
static enum attn_status ask(struct app *app, struct attn_error *err)
{
    struct app_lesson *const l = of(app);
    const int question = app_lesson_question(app);
    if (question < 0) {
        return ATTN_OK;
    }
    const struct lesson_question *const q = &l->lesson.questions[question];
    struct view_asked *const asked = &l->asked[question];
    const enum attn_status status = lesson_right_answer(q, &app->setup, app->trace, &l->right, err);
    if (status == ATTN_OK) {
        l->hidden = (struct view_hidden){.cell = l->right.asked, .shape = q->kind == LESSON_SHAPE};
        lesson_wants_text(q, &l->right, asked->wants, sizeof asked->wants);
    }
    return status;
}

const struct view_hidden *app_lesson_hidden(const struct app *app)
{
    const struct lesson_question *const q = app_lesson_waiting(app);
    return q != NULL && q->ask.name[0] != '\0' ? &app->lesson.hidden : NULL;
}

bool app_lesson_hides(const struct app *app, struct attn_cell cell)
{
    const struct view_hidden *const hidden = app_lesson_hidden(app);
    return hidden != NULL && hidden->cell.tensor == cell.tensor &&
           (hidden->shape || memcmp(hidden->cell.at, cell.at, sizeof cell.at) == 0);
}

/* ---- the walk of a place ---- */

/** Is nothing set between two stops, so that the one's trace is the other's? */
static bool same_trace(const struct lesson *l, int a, int b)
{
    const int first = l->stops[a < b ? a : b].step;
    const int last = l->stops[a < b ? b : a].step;
    bool same = true;
    for (int i = first + 1; i <= last; i++) {
        same = same && l->steps[i].n_settings == 0 && !l->steps[i].fresh;
    }
    return same;
}

static int last_block(const struct lesson *l, int stop)
{
    return l->stops[stop].first + l->stops[stop].n - 1;
}

static enum attn_status build(struct app *app, int stop, struct attn_error *err)
{
    struct config config;
    enum attn_status status =
        lesson_config(&of(app)->lesson, last_block(&of(app)->lesson, stop), &config, err);
    if (status == ATTN_OK) {
        status = app_start(app, &config, err);
        config_finish(&config);
    }
    return status;
}

/** What the lesson holds the walk against there: another variant, or what a bug should have given.
 */
static void compare(struct app *app, int stop)
{
    const struct lesson *const l = &of(app)->lesson;
    const int variant = lesson_compare(l, last_block(l, stop));
    const bool bug = attn_trace_config(app->trace)->n_bugs > 0;
    if (variant >= 0) {
        app_compare_with(app, (enum attn_variant)variant);
    } else if (bug) {
        app_compare_right(app);
    } else {
        app_other_finish(&app->other);
    }
}

/** The instrument that takes the walk's place there. What was turned in it stays from stop to stop;
 * coming to the same place again puts it back. */
static enum attn_status turn_on_lab(struct app *app, int stop, bool again, struct attn_error *err)
{
    const struct lesson *const l = &of(app)->lesson;
    const int kind = lesson_lab(l, last_block(l, stop));
    if (kind < 0) {
        app_lab_close(app);
        return ATTN_OK;
    }
    const bool there = app->lab != NULL && (int)app->lab->kind == kind;
    return there && !again ? ATTN_OK : app_lab_open(app, (enum lab_kind)kind, app_config(app), err);
}

/** The step of the walk at the place. */
static struct walk_step step_at(const struct app *app)
{
    const struct lesson_place *const place = &app->lesson.place;
    return walk_seek(app->trace, place->first.grain,
                     walk_index(app->trace, &place->first) + app->lesson.k);
}

static void show(struct app *app)
{
    const struct app_lesson *const l = of(app);
    app->n_trail = 0;
    app_go(app, step_at(app));
    if (l->k == 0 && walk_has(app->trace, l->place.look)) {
        app->now.cursor = l->place.look;
        app->now.batch = attn_tensors[l->place.look.tensor].axes[0] == ATTN_AXIS_B
                             ? l->place.look.at[0]
                             : app->now.batch;
    }
}

/** @param stale  The trace is not that of the stop where one is. */
static enum attn_status enter(struct app *app, int stop, size_t k, bool stale,
                              struct attn_error *err)
{
    struct app_lesson *const l = of(app);
    enum attn_status status = ATTN_OK;
    const bool other = stale || !same_trace(&l->lesson, l->stop, stop);
    if (other) {
        status = build(app, stop, err);
    }
    if (status == ATTN_OK) {
        status = turn_on_lab(app, stop, other || (stop == l->stop && k == l->k), err);
    }
    if (status == ATTN_OK) {
        status = lesson_place(&l->lesson, stop, &app->setup, app->trace, &l->place, err);
    }
    if (status != ATTN_OK) {
        return status;
    }
    l->stop = stop;
    l->k = k < l->place.n_steps ? k : l->place.n_steps - 1;
    l->scroll = l->k > 0 ? SCROLLED_TO_END : 0; /* what is past is not gone through again */
    l->looking = false;
    compare(app, stop);
    show(app);
    return ask(app, err);
}

bool app_lesson_away(const struct app *app)
{
    if (app->history.at != 0) {
        return true;
    }
    const struct walk_step step = step_at(app);
    return step.stage != app->now.step.stage || step.grain != app->now.step.grain ||
           walk_index(app->trace, &step) != walk_index(app->trace, &app->now.step);
}

bool app_lesson_go(struct app *app, int stop, size_t k)
{
    struct attn_error err = {.status = ATTN_OK};
    char text[APP_MESSAGE_MAX];
    const bool changed = app->history.at != 0;
    if (enter(app, stop, k, changed, &err) != ATTN_OK) {
        snprintf(text, sizeof text, "The lesson cannot go on here: %.900s", err.message);
        app_say(app, text);
        return false;
    }
    if (changed) {
        app_say(app, "What you changed in the walk has been put back.");
    }
    return true;
}

enum attn_status app_start_lesson(struct app *app, struct lesson *lesson, const char *word,
                                  struct attn_error *err)
{
    const size_t n = (size_t)(lesson->n_questions > 0 ? lesson->n_questions : 1);
    struct app_lesson fresh = {.lesson = *lesson, .open = true};
    const struct app_lesson was = app->lesson;
    *lesson = (struct lesson){.title = NULL};
    fresh.asked = calloc(n, sizeof *fresh.asked);
    snprintf(fresh.word, sizeof fresh.word, "%s", word);
    fresh.bare = was.bare;
    if (fresh.asked == NULL) {
        app_lesson_finish(&fresh);
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    app->lesson = fresh;
    const enum attn_status status = enter(app, 0, 0, true, err);
    struct app_lesson gone = status == ATTN_OK ? was : app->lesson;
    app->lesson = status == ATTN_OK ? app->lesson : was;
    app_lesson_finish(&gone);
    return status;
}

/* ---- on and back ---- */

bool app_lesson_at_end(const struct app *app)
{
    const struct app_lesson *const l = &app->lesson;
    return l->stop + 1 == l->lesson.n_stops && l->k + 1 == l->place.n_steps && l->scroll >= l->most;
}

/** Rows that one press goes on in a text that is longer than its place. */
static int page_rows(const struct app_lesson *l)
{
    return l->shown.rows > 2 ? l->shown.rows - 1 : 1;
}

void app_lesson_next(struct app *app)
{
    struct app_lesson *const l = of(app);
    if (l->scroll < l->most) {
        const int rows = l->scroll + page_rows(l);
        if (!app_lesson_away(app) || app_lesson_go(app, l->stop, l->k)) {
            l->scroll = rows < l->most ? rows : l->most;
        }
    } else if (l->k + 1 < l->place.n_steps) {
        app_lesson_go(app, l->stop, l->k + 1);
    } else if (l->stop + 1 < l->lesson.n_stops) {
        app_lesson_go(app, l->stop + 1, 0);
    } else if (app_lesson_away(app)) {
        app_lesson_go(app, l->stop, l->k);
    } else {
        app_say(app, "The end of the lesson. T lists its pages, b goes back, q quits.");
    }
}

void app_lesson_back(struct app *app)
{
    struct app_lesson *const l = of(app);
    if (l->k > 0) {
        if (app_lesson_go(app, l->stop, l->k - 1)) {
            l->scroll = SCROLLED_TO_END;
        }
    } else if (l->scroll > 0) {
        l->scroll = (l->scroll - 1) / page_rows(l) * page_rows(l);
    } else if (l->stop > 0) {
        if (app_lesson_go(app, l->stop - 1, (size_t)-1)) {
            l->scroll = SCROLLED_TO_END;
        }
    } else if (app_lesson_away(app)) {
        app_lesson_go(app, l->stop, l->k);
    } else {
        app_say(app, "The beginning of the lesson. Space goes on.");
    }
}

void app_lesson_first(struct app *app)
{
    app_lesson_go(app, 0, 0);
}

void app_lesson_last(struct app *app)
{
    app_lesson_go(app, of(app)->lesson.n_stops - 1, (size_t)-1);
}

void app_lesson_reset(struct app *app, struct app_key key)
{
    (void)key;
    struct app_lesson *const l = of(app);
    const bool away = app_lesson_away(app);
    const int scroll = l->scroll;
    if (app_lesson_go(app, l->stop, l->k)) {
        l->scroll = scroll;
        app_say(app, app->lab != NULL ? "The instrument is as the lesson has it again."
                     : away           ? "The walk is as the lesson has it again."
                                      : "Nothing was changed.");
    }
}

void app_lesson_text_up(struct app *app, struct app_key key)
{
    (void)key;
    struct app_lesson *const l = of(app);
    l->scroll -= l->scroll > l->shown.least ? 1 : 0;
}

void app_lesson_text_down(struct app *app, struct app_key key)
{
    (void)key;
    struct app_lesson *const l = of(app);
    l->scroll += l->scroll < l->shown.most ? 1 : 0;
}

void app_lesson_notes(struct app *app, struct app_key key)
{
    (void)key;
    of(app)->notes = !of(app)->notes;
}
