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

/* ---- what is new to read ---- */

enum { WORD = 250 /* milliseconds, at the first speed */ };

/** @param within  In: is the text before it in the middle of a word? Out: the same behind it. */
static int count_words(const char *text, bool *within)
{
    int n = 0;
    for (; text != NULL && *text != '\0'; text++) {
        const bool blank = *text == ' ' || *text == '\n';
        n += !blank && !*within;
        *within = !blank;
    }
    return n;
}

static int words_of(const struct lesson_text *text)
{
    bool within = false;
    int n = 0;
    for (int i = 0; i < text->n; i++) {
        n += count_words(text->spans[i].text, &within);
    }
    return n;
}

/** The words that a lesson shows here for the first time. */
static int words_new(const struct app *app)
{
    const struct app_lesson *const l = &app->lesson;
    if (!l->open || l->k > 0) {
        return 0;
    }
    const struct lesson_stop *const stop = &l->lesson.stops[l->stop];
    const struct lesson_page *const page = &l->lesson.pages[stop->page];
    int n = page->stop == l->stop ? words_of(&page->heading) : 0;
    for (int i = stop->first; i < stop->first + stop->n; i++) {
        const struct lesson_block *const block = &l->lesson.blocks[i];
        bool within = false;
        n += block->kind == LESSON_NOTE && !l->notes ? 0 : words_of(&block->text);
        n += block->kind == LESSON_STEP ? 0 : count_words(block->code, &within);
    }
    return n;
}

int app_wait(const struct app *app)
{
    const int wait = speeds[app->speed].wait;
    const int most = 600000 / speeds[0].wait; /* ten minutes are enough for anything */
    const int words = app->playing ? words_new(app) : 0;
    const int times = words * WORD / speeds[SPEED_FIRST].wait;
    return app_lab_busy(app) ? 0
           : !app->playing   ? -1
                             : wait * (times < 1      ? 1
                                       : times < most ? times
                                                      : most);
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
        snprintf(text, sizeof text, "Playing, %s%s.  a pause  < slower  > faster",
                 speeds[app->speed].words, app->lesson.open ? " or as one reads" : "");
        app_say(app, text);
    }
}
