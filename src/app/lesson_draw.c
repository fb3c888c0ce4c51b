/* A lesson's state as its view wants it. */
#include <string.h>

#include "app_actions.h"

struct view_lesson app_lesson_view(const struct app *app, struct view_part part)
{
    const struct app_lesson *const l = &app->lesson;
    const struct lesson_question *const q = app_lesson_waiting(app);
    const bool choosing = q != NULL && q->kind == LESSON_CHOICE && !l->looking && !app->now.open;
    return (struct view_lesson){
        .lesson = &l->lesson,
        .stop = l->stop,
        .asked = l->asked,
        .choosing = choosing ? app_lesson_question(app) : -1,
        .scroll = l->scroll,
        .notes = l->notes,
        .bare = l->bare,
        .part = part,
        .message = app->message[0] != '\0' ? app->message : NULL,
    };
}

void app_lesson_tell(const struct app *app, struct lesson_told *told)
{
    lesson_tell(&app->lesson.lesson, app->lesson.stop, &app->setup, app->trace, told);
}

/** Is it on the screen, or is it too early for it? */
static bool sees(const void *whose, struct attn_cell cell)
{
    const struct app *const app = whose;
    return view_shows(&app->map, cell) || !walk_computed(app->trace, &app->now.step, cell) ||
           app_lesson_hides(app, cell);
}

/** Draw it, and once more where the lesson names numbers that have no place in the matrices. */
static void draw_told(struct app *app, struct frame *f, const struct view_lesson *v,
                      struct lesson_told *told)
{
    const struct app_lesson *const l = &app->lesson;
    const struct lesson_eyes eyes = {sees, app};
    const int n = told->n;
    view_lesson(f, v, &app->map, &app->lesson.shown);
    if (app->lab == NULL && app->map.n > 0) {
        lesson_tell_cells(&l->lesson, l->stop, &app->setup, app->trace, &eyes, told);
    }
    if (told->n > n) {
        view_lesson(f, v, &app->map, &app->lesson.shown);
    }
}

void app_lesson_draw(struct app *app, struct frame *f, const struct view_walk *walk)
{
    struct view_lab lab = {.kind = LAB_SCALING};
    struct lesson_told told;
    struct view_walk own = *walk;
    app_lesson_tell(app, &told);
    own.told = &told;
    own.told_first = memcmp(&own.cursor, &app->lesson.place.look, sizeof own.cursor) == 0;
    if (app->lab != NULL) {
        lab = app_lab_view(app);
    }
    struct view_lesson v =
        app_lesson_view(app, app->lab != NULL ? view_lab_part(&lab) : view_walk_part(&own));
    v.keys = walk->keys;
    v.n_keys = walk->n_keys;
    if (app->lesson.contents) {
        view_contents(f, &v, app->lesson.row);
        return;
    }
    draw_told(app, f, &v, &told);
    if (!app->now.open && !app_lesson_away(app)) { /* elsewhere the text may have other rows */
        app->lesson.scroll = app->lesson.shown.scroll;
        app->lesson.most = app->lesson.shown.most;
    }
}
