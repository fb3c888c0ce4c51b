/* Autoplay: the walk goes on by itself until its end, or until a key. */
#include <stdio.h>

#include "app_actions.h"

/** Milliseconds between two steps, from slow to fast. */
static const struct {
    int wait;
    const char *words;
} speeds[] = {
    {4000, "a step every 4 s"}, {2000, "a step every 2 s"}, {1000, "a step every second"},
    {500, "2 steps a second"},  {250, "4 steps a second"},  {125, "8 steps a second"},
};

enum { N_SPEEDS = sizeof speeds / sizeof speeds[0], SPEED_FIRST = 2 };

void app_play_init(struct app *app)
{
    app->speed = SPEED_FIRST;
}

int app_wait(const struct app *app)
{
    return app_lab_busy(app) ? 0 : app->playing ? speeds[app->speed].wait : -1;
}

static bool at_end(const struct app *app)
{
    struct walk_step step = app->now.step;
    if (app->lesson.open) {
        return app_lesson_at_end(app);
    }
    return !walk_next(app->trace, &step);
}

void app_play_pause(struct app *app, struct app_key key)
{
    (void)key;
    if (app->playing) {
        app->playing = false;
        app_say(app, "Paused. a plays on.");
    } else if (at_end(app)) {
        app_say(app, "This is the last step: g goes to the first, then a plays.");
    } else {
        app->playing = true;
    }
}

static void change_speed(struct app *app, int by)
{
    const int speed = app->speed + by;
    char text[96];
    app->speed = speed < 0 ? 0 : speed < N_SPEEDS ? speed : N_SPEEDS - 1;
    if (!app->playing) {
        snprintf(text, sizeof text, "Speed: %s. a plays.", speeds[app->speed].words);
        app_say(app, text);
    }
}

void app_slower(struct app *app, struct app_key key)
{
    (void)key;
    change_speed(app, -1);
}

void app_faster(struct app *app, struct app_key key)
{
    (void)key;
    change_speed(app, 1);
}

bool app_play_press(struct app *app, struct app_key key)
{
    if (key.code == APP_KEY_TIMEOUT && app_lab_busy(app)) {
        app_lab_work(app);
        return true;
    }
    if (key.code == APP_KEY_TIMEOUT) {
        if (app->playing) {
            app_next(app, key);
            if (app_lesson_waiting(app) != NULL) { /* nobody is passed by */
                app->playing = false;
                app_say(app, "A question: a goes on playing after it.");
            } else if (at_end(app)) {
                app->playing = false;
                app_say(app, "The end: b goes back, g to the first step, Enter opens a cell.");
            }
        }
        return true;
    }
    const bool own = key.code == APP_KEY_CHAR && (key.ch == 'a' || key.ch == '<' || key.ch == '>');
    app->playing = app->playing && own;
    return false;
}

void app_play_say(struct app *app)
{
    char text[96];
    if (app->playing && app->message[0] == '\0' && !app->lesson.bare) {
        snprintf(text, sizeof text, "Playing, %s.  a pause  < slower  > faster",
                 speeds[app->speed].words);
        app_say(app, text);
    }
}
