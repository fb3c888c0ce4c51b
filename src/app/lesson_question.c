/* Questions: ticking, typing, hints, what is said of an answer. Nothing here moves on, and nothing
 * keeps a learner from moving on. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

/* A trace of this many scores and more is not made once more for every classic bug. */
enum { NAMED_BELOW = 4096 };

/** The question that waits, and what was done with it. @return false if none does. */
static bool waiting(struct app *app, const struct lesson_question **q, struct view_asked **asked)
{
    *q = app_lesson_waiting(app);
    *asked = *q != NULL ? &app->lesson.asked[app_lesson_question(app)] : NULL;
    return *q != NULL;
}

static void say_of(struct view_asked *asked, const char *text)
{
    asked->fresh = true;
    snprintf(asked->said, sizeof asked->said, "%s", text);
}

/** The question is over; from now on nothing is hidden. */
static void end(struct app *app, const struct lesson_question *q, struct view_asked *asked,
                bool right)
{
    asked->done = true;
    asked->right = right;
    lesson_right_text(q, &app->lesson.right, asked->answer, sizeof asked->answer);
    app->lesson.scroll = 0;
    app->lesson.looking = false;
}

/* ---- choices ---- */

static int count(unsigned bits)
{
    int n = 0;
    for (; bits != 0; bits &= bits - 1) {
        n++;
    }
    return n;
}

static unsigned right_bits(const struct lesson_question *q)
{
    unsigned bits = 0;
    for (int i = 0; i < q->n_choices; i++) {
        bits |= q->choices[i].right ? 1U << i : 0U;
    }
    return bits;
}

static void tick(const struct lesson_question *q, struct view_asked *asked, int choice)
{
    const unsigned bit = 1U << choice;
    asked->at = choice;
    asked->fresh = false;
    asked->ticked = q->n_right > 1 ? asked->ticked ^ bit : bit;
}

static void judge_choices(struct app *app, const struct lesson_question *q,
                          struct view_asked *asked)
{
    const unsigned right = right_bits(q);
    const unsigned wrong = asked->ticked & ~right;
    char text[160];
    asked->tries++;
    app->lesson.scroll = 0;
    if (asked->ticked == right) {
        say_of(asked, "Right.");
        end(app, q, asked, true);
        return;
    }
    asked->wrong |= wrong;
    asked->ticked &= right;
    const int missing = count(right & ~asked->ticked);
    if (q->n_right == 1) {
        say_of(asked, "Not that one. Try again, or S shows the answer.");
    } else if (wrong == 0) {
        snprintf(text, sizeof text, "Right so far, and %d more %s. S shows the answer.", missing,
                 missing == 1 ? "is" : "are");
        say_of(asked, text);
    } else {
        snprintf(text, sizeof text, "%d of those %s not. Try again, or S shows the answer.",
                 count(wrong), count(wrong) == 1 ? "is" : "are");
        say_of(asked, text);
    }
    if ((asked->wrong >> asked->at & 1U) != 0 && q->choices[asked->at].why.n > 0) {
        asked->fresh = false; /* what is said of the choice itself stands below it */
    }
}

void app_lesson_choice_up(struct app *app, struct app_key key)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    (void)key;
    if (waiting(app, &q, &asked) && q->n_choices > 0) {
        asked->at = (asked->at + q->n_choices - 1) % q->n_choices;
        asked->fresh = false;
    }
}

void app_lesson_choice_down(struct app *app, struct app_key key)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    (void)key;
    if (waiting(app, &q, &asked) && q->n_choices > 0) {
        asked->at = (asked->at + 1) % q->n_choices;
        asked->fresh = false;
    }
}

void app_lesson_tick(struct app *app, struct app_key key)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    if (!waiting(app, &q, &asked)) {
        return;
    }
    const bool digit = key.code == APP_KEY_CHAR && key.ch >= '1' && key.ch <= '9';
    const int choice = digit ? (int)key.ch - '1' : asked->at;
    if (choice < q->n_choices) {
        tick(q, asked, choice);
    }
}

/* ---- what is typed ---- */

/** The classic bug that would have given this number here, or NULL. */
static const struct attn_bug_info *bug_behind(const struct app *app, double value)
{
    const struct lesson_right *const right = &app->lesson.right;
    const attn_sizes *const z = &attn_trace_config(app->trace)->sizes;
    struct config config;
    const struct attn_bug_info *found = NULL;
    if (z->B * z->T * z->S > NAMED_BELOW ||
        config_copy(&config, &app->history.items[0]) != ATTN_OK) {
        return NULL;
    }
    for (int bug = 0; bug < ATTN_N_BUGS && found == NULL && config.n_bugs == 0; bug++) {
        struct setup setup;
        attn_trace *trace = NULL;
        config.bugs[0] = (enum attn_bug)bug;
        config.n_bugs = 1;
        if (config_trace(&setup, &trace, &config, NULL) == ATTN_OK) {
            const bool there = walk_has(trace, right->asked);
            const double wrong = there ? (double)walk_value(trace, right->asked) : (double)NAN;
            found = !lesson_near(right, wrong) && fabs(wrong - value) <= right->tolerance
                        ? &attn_bugs[bug]
                        : NULL;
            attn_trace_destroy(trace);
            setup_finish(&setup);
        }
        config.n_bugs = 0;
    }
    config_finish(&config);
    return found;
}

static void say_wrong(struct app *app, const struct lesson_question *q, struct view_asked *asked,
                      const char *answer)
{
    char text[sizeof asked->said];
    double value = 0;
    const struct attn_bug_info *bug = NULL;
    if (q->kind == LESSON_NUMBER && q->ask.name[0] != '\0' &&
        lesson_answer_number(answer, &value)) {
        bug = bug_behind(app, value);
    }
    if (bug != NULL) {
        snprintf(text, sizeof text, "Not %.20s: that is what the mistake %s gives (%s).", answer,
                 bug->name, bug->computes);
    } else {
        snprintf(text, sizeof text, "Not %.40s. Try again%s, or S shows the answer.", answer,
                 asked->hints < q->n_hints ? ", H gives a hint" : "");
    }
    say_of(asked, text);
}

static void judge_text(struct app *app, const char *text)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    char said[sizeof asked->said];
    text += strspn(text, " ");
    if (!waiting(app, &q, &asked) || *text == '\0') {
        return;
    }
    app->lesson.scroll = 0;
    switch (lesson_judge(q, &app->lesson.right, text)) {
    case LESSON_RIGHT:
        asked->tries++;
        say_of(asked, "Right.");
        end(app, q, asked, true);
        break;
    case LESSON_WRONG:
        asked->tries++;
        say_wrong(app, q, asked, text);
        break;
    case LESSON_UNREADABLE:
        snprintf(said, sizeof said, "%.40s cannot be read: wanted is %s%s.", text, asked->wants,
                 q->kind == LESSON_NUMBER ? ", as 0.5, 1/2, 50% or -inf" : "");
        say_of(asked, said);
        break;
    }
}

static void open_prompt(struct app *app, const char *text)
{
    app_ask(app, "Your answer", text, judge_text);
}

void app_lesson_type(struct app *app, struct app_key key)
{
    char text[8] = "";
    if (key.code == APP_KEY_CHAR && key.ch < 0x80) { /* the first of what is typed */
        text[0] = (char)key.ch;
    }
    open_prompt(app, text);
}

void app_lesson_submit(struct app *app, struct app_key key)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    if (!waiting(app, &q, &asked)) {
        return;
    }
    if (q->kind != LESSON_CHOICE) {
        app_lesson_type(app, key);
        return;
    }
    if (asked->ticked == 0 && q->n_right == 1) {
        tick(q, asked, asked->at);
    }
    if (asked->ticked == 0) {
        app_say(app, "Tick what is right first: Space, or the number before it.");
    } else {
        judge_choices(app, q, asked);
    }
}

/** Letters or numbers, whatever stands between them. @return false if one is none of the choices.
 */
static bool read_choices(const struct lesson_question *q, const char *text, unsigned *bits)
{
    *bits = 0;
    for (; *text != '\0'; text++) {
        const char c = (char)tolower((unsigned char)*text);
        const int choice = c >= 'a' && c <= 'z' ? c - 'a' : c >= '1' && c <= '9' ? c - '1' : -1;
        if (strchr(" ,.;)(", c) != NULL) {
            continue;
        }
        if (choice < 0 || choice >= q->n_choices) {
            return false;
        }
        *bits |= 1U << choice;
    }
    return *bits != 0;
}

void app_lesson_answer_text(struct app *app, const char *text)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    unsigned bits = 0;
    if (!waiting(app, &q, &asked)) {
        return;
    }
    if (q->kind != LESSON_CHOICE) {
        judge_text(app, text);
    } else if (!read_choices(q, text, &bits) || (q->n_right == 1 && count(bits) > 1)) {
        say_of(asked, q->n_right == 1 ? "Answer with the letter of one of them."
                                      : "Answer with letters, such as a c.");
    } else {
        asked->ticked = bits;
        judge_choices(app, q, asked);
    }
}

/* ---- help with it ---- */

bool app_lesson_hint(struct app *app)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    if (!waiting(app, &q, &asked) || asked->hints >= q->n_hints) {
        return false;
    }
    asked->hints++;
    asked->said[0] = '\0';
    asked->fresh = true;
    app->lesson.scroll = 0;
    return true;
}

void app_lesson_hint_key(struct app *app, struct app_key key)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    (void)key;
    if (!waiting(app, &q, &asked)) {
        app_say(app, "Nothing is asked here.");
    } else if (!app_lesson_hint(app)) {
        app_say(app, q->n_hints == 0 ? "There is no hint. S shows the answer."
                                     : "There are no more hints. S shows the answer.");
    }
}

void app_lesson_give(struct app *app)
{
    const struct lesson_question *q;
    struct view_asked *asked;
    if (waiting(app, &q, &asked)) {
        say_of(asked, "");
        asked->ticked = 0;
        end(app, q, asked, false);
    }
}

void app_lesson_give_key(struct app *app, struct app_key key)
{
    (void)key;
    if (app_lesson_waiting(app) == NULL) {
        app_say(app, "Nothing is asked here.");
    }
    app_lesson_give(app);
}

void app_lesson_look(struct app *app, struct app_key key)
{
    (void)key;
    app->lesson.looking = true;
    app_say(app, "The keys move in the walk now. Esc comes back to the question.");
}
