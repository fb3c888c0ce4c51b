#include <string.h>

#include "app_actions.h"

/** The selected term of the opened cell. @return false if there is none. */
static bool selected(const struct app *app, struct walk_explanation *e)
{
    return walk_explain(app->trace, app->now.cursor, e, NULL) == ATTN_OK;
}

void app_open(struct app *app, struct app_key key)
{
    (void)key;
    if (app_lesson_hides(app, app->now.cursor)) {
        app_say(app, "What it is, is the question: answer it first, or S shows it.");
    } else if (!walk_computed(app->trace, &app->now.step, app->now.cursor)) {
        app_say(app, "This cell is not computed yet: Space goes on.");
    } else if (attn_trace_writer(app->trace, app->now.cursor.tensor) == ATTN_NO_STAGE) {
        app_say(app, app->n_trail > 0
                         ? "An input: the number starts here. Esc goes back the way you came."
                         : "An input: the number starts here.");
    } else {
        app->now.open = true;
        app->now.opened = (struct view_opened){0, 0};
    }
}

void app_leave_trail(struct app *app)
{
    /* The oldest is forgotten when the trail is full. */
    if (app->n_trail == APP_TRAIL_MAX) {
        memmove(app->trail, app->trail + 1, sizeof app->trail[0] * (APP_TRAIL_MAX - 1));
        app->n_trail--;
    }
    app->trail[app->n_trail++] = app->now;
}

/** What a term is that came from no cell, or the part of it that did not. */
static const char constant[] = "A constant, from no cell. Up and Down go to another term.";
static const char *const no_cell[] = {
    [WALK_TERM_PRODUCT] = "Computed here, from numbers that no cell keeps.",
    [WALK_TERM_BIAS] = constant,
    [WALK_TERM_VALUE] = constant,
    [WALK_TERM_CONSTANT] = constant,
    [WALK_TERM_MAXIMUM] = "The largest of the row, found here: no cell keeps it.",
    [WALK_TERM_DIFFERENCE] = "Computed here, from numbers that no cell keeps.",
    [WALK_TERM_EXP] = "Computed here from the difference further up: no cell keeps it.",
    [WALK_TERM_SUM] = "The exponentials in the lines above, added up here: no cell keeps the sum.",
    [WALK_TERM_QUOTIENT] = "Computed here from the lines above: this exponential, over their sum.",
};

void app_follow(struct app *app, struct app_key key)
{
    struct walk_explanation e;
    if (!selected(app, &e)) {
        return;
    }
    const struct walk_term *term = &e.terms[app->now.opened.term];
    if (app->now.opened.operand < term->n_from) {
        const struct attn_cell from = term->from[app->now.opened.operand];
        struct walk_step step;
        app_leave_trail(app);
        if (walk_writer(app->trace, from, app->now.step.grain, &step)) { /* as it was chosen */
            app_go(app, step);
        }
        app->now.open = false;
        app->now.cursor = from;
        app_open(app, key);
    } else {
        app_say(app, no_cell[term->kind]);
    }
    walk_explanation_finish(&e);
}

/** The place that was left last, as far as there is one still after a what-if. */
static bool come_back(struct app *app)
{
    struct walk_explanation e;
    const struct attn_cell from = app->now.cursor;
    while (app->n_trail > 0) {
        const struct app_place place = app->trail[--app->n_trail];
        const bool given = !walk_has(app->trace, place.cursor) ||
                           attn_trace_writer(app->trace, place.cursor.tensor) == ATTN_NO_STAGE;
        if (walk_has(app->trace, place.cursor) && !(given && (place.open || place.slopes))) {
            app->now = place;
            if (place.open && selected(app, &e)) { /* it may have fewer terms than it had */
                app->now.opened.term = place.opened.term < e.n_terms ? place.opened.term : 0;
                walk_explanation_finish(&e);
            }
            if (place.slopes && app_slopes_show(app)) {
                app_slope_mark(app, from);
            }
            return true;
        }
    }
    return false;
}

void app_close(struct app *app, struct app_key key)
{
    (void)key;
    if (app->now.slopes) {
        app->now.slopes = false;
    } else if (come_back(app)) {
        return;
    } else if (app->now.open) {
        app->now.open = false;
    } else { /* back from the walk to the question that waits */
        app->lesson.looking = false;
    }
}

static void select_term(struct app *app, int terms, int operands)
{
    struct walk_explanation e;
    if (!selected(app, &e)) {
        return;
    }
    struct view_opened *at = &app->now.opened;
    const int term = at->term + terms;
    if (term >= 0 && term < e.n_terms) {
        at->term = term;
    }
    const int n = e.terms[at->term].n_from;
    const int operand = at->operand + operands;
    at->operand = n == 0 || operand < 0 ? 0 : operand < n ? operand : n - 1;
    walk_explanation_finish(&e);
}

/** To the first term, or the last. */
static void select_end(struct app *app, bool last)
{
    struct walk_explanation e;
    if (selected(app, &e)) {
        app->now.opened = (struct view_opened){last ? e.n_terms - 1 : 0, 0};
        walk_explanation_finish(&e);
    }
}

void app_term_first(struct app *app, struct app_key key)
{
    (void)key;
    select_end(app, false);
}

void app_term_last(struct app *app, struct app_key key)
{
    (void)key;
    select_end(app, true);
}

void app_term_up(struct app *app, struct app_key key)
{
    (void)key;
    select_term(app, -1, 0);
}

void app_term_down(struct app *app, struct app_key key)
{
    (void)key;
    select_term(app, 1, 0);
}

void app_operand_left(struct app *app, struct app_key key)
{
    (void)key;
    select_term(app, 0, -1);
}

void app_operand_right(struct app *app, struct app_key key)
{
    (void)key;
    select_term(app, 0, 1);
}
