#include "walk_lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_show.h"

static enum cli_status out_of_memory(void)
{
    cli_message("walk", "out of memory");
    return CLI_FAILED;
}

/** The first option given that says what to compute. */
static enum attn_status note_option(void *context, const char *name, const char *value)
{
    const char **const first = context;
    (void)value;
    *first = *first == NULL ? name : *first;
    return ATTN_OK;
}

/** A lesson says itself what is computed. */
static enum cli_status refuse_options(struct cli *cli, const char *word)
{
    const char *name = NULL;
    (void)config_write_options(&cli->config, note_option, &name);
    if (name == NULL) {
        return CLI_DONE;
    }
    cli_message(name,
                "the lesson %s sets this itself (leave it out; the keys s m d e and others "
                "change what it computes)",
                word);
    return CLI_USAGE;
}

/** Neither a variant nor a lesson. */
static enum cli_status unknown(const char *word, const struct attn_error *err)
{
    const char *names[ATTN_N_VARIANTS];
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        names[i] = attn_variants[i].name;
    }
    const char *const near = config_nearest(word, names, ATTN_N_VARIANTS);
    if (near != NULL) {
        cli_message(word, "no such variant and no such lesson (did you mean %s?)", near);
        return CLI_USAGE;
    }
    (void)cli_fail(err);
    return CLI_USAGE;
}

static enum attn_status open_word(struct cli *cli, const char *word, struct lesson *lesson,
                                  struct lesson_errors *errors, struct attn_error *err)
{
    struct lesson_places places;
    enum attn_status status = lesson_places_init(&places, cli_value(cli, "--lessons"));
    if (status == ATTN_OK) {
        status = lesson_open(lesson, &places, word, errors, err);
        lesson_places_finish(&places);
    }
    return status;
}

/** Where and how the options say. */
static enum cli_status begin(const struct cli *cli, struct app *app)
{
    const char *const where = cli_value(cli, "--goto");
    app->lesson.bare = cli_value(cli, "--present") != NULL;
    if (where != NULL && !app_lesson_goto(app, where)) {
        cli_message("--goto",
                    "the lesson has no page %s (1 to %d, 4.2 for a place in a page, or words "
                    "of a title; T lists them)",
                    where, app->lesson.lesson.n_pages);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

enum cli_status walk_lesson_start(struct cli *cli, struct app *app, const char *word)
{
    struct lesson lesson = {.path = NULL};
    struct lesson_errors errors;
    struct attn_error err = {.status = ATTN_OK};
    enum attn_status status = open_word(cli, word, &lesson, &errors, &err);
    if (status == ATTN_E_VALUE) {
        return unknown(word, &err);
    }
    if (status == ATTN_E_IO) {
        return cli_fail(&err);
    }
    if (status != ATTN_E_NOMEM) {
        status = lesson_check(&lesson, LESSON_MEMORY_MAX, &errors);
    }
    enum cli_status result = CLI_DONE;
    if (status == ATTN_E_NOMEM) {
        result = out_of_memory();
    } else if (status != ATTN_OK) {
        lesson_show_errors(&lesson, lesson.path != NULL ? lesson.path : word, &errors);
        result = CLI_FAILED;
    } else {
        result = refuse_options(cli, word);
    }
    if (result == CLI_DONE) {
        char *const path = lesson.path != NULL ? realpath(lesson.path, NULL) : NULL;
        status = app_start_lesson(app, &lesson, path != NULL ? path : lesson_builtin_stem, &err);
        free(path);
        return status == ATTN_OK ? begin(cli, app) : cli_fail(&err);
    }
    lesson_finish(&lesson);
    return result;
}

/* ---- line by line ---- */

/* A screen that no text of a lesson is too long for: nothing of it has to be scrolled. */
enum { PLAIN_ROWS = 500, PLAIN_COLS = 100, LINE_MAX_BYTES = 256 };

struct reading {
    struct app *app;
    struct frame *frame;
    bool wait; /**< There is somebody who presses Enter. */
};

/** The walk as it stands, or what has taken its place. */
static void print_walk(struct reading *r)
{
    if (r->app->lab != NULL) {
        app_lab_settle(r->app);
        app_lab_plain(r->app, stdout, r->frame->ascii);
        return;
    }
    struct view_against against;
    const struct view_walk walk = app_view(r->app, &against);
    if (attn_trace_writer(walk.trace, walk.cursor.tensor) == ATTN_NO_STAGE) {
        view_tensor_plain(stdout, &walk, walk.cursor.tensor, r->frame->ascii); /* an input */
    } else {
        view_plain(stdout, &walk, r->frame->ascii);
    }
    struct lesson_told told;
    app_lesson_tell(r->app, &told);
    for (int i = 0; i < told.n && walk.hidden == NULL; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s of %s: %s", told.items[i].measure, told.items[i].of,
                 told.items[i].value);
        view_line_plain(stdout, r->frame->ascii, text);
    }
}

/** Does the stop show something of its own in the walk? */
static bool has_step(const struct app_lesson *l)
{
    const struct lesson_stop *const stop = &l->lesson.stops[l->stop];
    return stop->step >= 0 && l->lesson.steps[stop->step].block >= stop->first;
}

static void print_place(struct reading *r)
{
    const struct app_lesson *const l = &r->app->lesson;
    const struct view_lesson v = app_lesson_view(r->app, (struct view_part){.what = NULL});
    if (l->k == 0) {
        view_lesson_plain(stdout, &v, r->frame->ascii);
    }
    if (has_step(l)) {
        print_walk(r);
    }
}

/** @return false where nobody is there any more. */
static bool read_line(struct reading *r, char line[LINE_MAX_BYTES])
{
    cli_flush();
    r->wait = r->wait && cli_read_line(line, LINE_MAX_BYTES);
    return r->wait;
}

static void hint(struct reading *r, int question)
{
    const bool given = app_lesson_hint(r->app);
    const struct view_lesson v = app_lesson_view(r->app, (struct view_part){.what = NULL});
    if (given) {
        view_hint_plain(stdout, &v, question, r->frame->ascii);
    } else {
        cli_printf("There is no further hint. An empty line shows the answer.\n");
    }
}

/** The screen's own keys are understood where no answer is spelled like them. */
static bool is_key(const struct reading *r, int question, const char *line, const char *key)
{
    const struct lesson_question *const q = &r->app->lesson.lesson.questions[question];
    return q->kind != LESSON_WORDS && q->n_choices <= 'G' - 'A' + 1 && strcmp(line, key) == 0;
}

/* ---- the keys ---- */

static const char keys_line[] =
    "An empty line goes on. A letter on a line does more: b back, T pages, N notes, ? all keys, "
    "q quits.\n";

/** Keys that have a meaning on a screen alone. */
static bool on_screen_alone(const struct app_action *a)
{
    static const char *const names[] = {"play",       "slower", "faster",  "click",
                                        "wheel-up",   "redraw", "zoom-in", "zoom-out",
                                        "wheel-down", "export", "text-up", "text-down"};
    bool alone = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        alone = alone || strcmp(a->name, names[i]) == 0;
    }
    return alone;
}

static void put_help(const struct reading *r)
{
    const unsigned here = APP_IN_LESSON | app_lab_scope(r->app);
    cli_printf("%sThe keys, alone on a line, or several with spaces between them:\n", keys_line);
    for (int i = 0; i < app_n_actions; i++) {
        const struct app_action *const a = &app_actions[i];
        if (a->help != NULL && (a->scope & here) != 0 && !on_screen_alone(a) &&
            !app_lab_hides(r->app, a)) {
            char text[256];
            snprintf(text, sizeof text, "%s: %s", a->keys, a->help);
            view_line_plain(stdout, r->frame->ascii, text);
        }
    }
}

static void put_notes(const struct reading *r)
{
    const struct view_lesson v = app_lesson_view(r->app, (struct view_part){.what = NULL});
    if (!v.notes) {
        cli_printf("The notes are left out again.\n");
        return;
    }
    cli_printf("Notes for who presents are read from here on.\n");
    if (view_notes_plain(stdout, &v, r->frame->ascii) == 0) {
        cli_printf("On this page there is none so far.\n");
    }
}

/** The pages, and a way to one of them. @return whether it was taken. */
static bool choose_page(struct reading *r)
{
    const struct view_lesson v = app_lesson_view(r->app, (struct view_part){.what = NULL});
    char line[LINE_MAX_BYTES] = "";
    view_contents_plain(stdout, &v, r->frame->ascii);
    cli_printf("The number of a page goes there, an empty line stays here:\n");
    if (!read_line(r, line) || line[0] == '\0') {
        return false;
    }
    const bool there = app_lesson_goto(r->app, line);
    if (!there) {
        cli_printf("There is no such page.\n");
    }
    return there;
}

/** A line for what is asked at the foot of the screen: a file's name, a word to find, yes or no. */
static void answer_prompts(struct reading *r)
{
    char line[LINE_MAX_BYTES];
    while (r->app->prompt.open && read_line(r, line)) {
        const bool confirm = r->app->prompt.confirm;
        for (const char *c = line; *c != '\0' && r->app->prompt.open; c++) {
            const struct app_key key = {.code = APP_KEY_CHAR, .ch = (unsigned char)*c};
            app_press(r->app, key);
        }
        if (!confirm || r->app->prompt.open) {
            app_press(r->app, (struct app_key){.code = APP_KEY_ENTER});
        }
        app_draw(r->app, r->frame);
        if (r->app->message[0] != '\0') {
            view_line_plain(stdout, r->frame->ascii, r->app->message);
        }
    }
}

/** What lies over the screen after a key is read as lines, and closed. @return whether there was
 * any. @param moved  Set where it led to another place. */
static bool put_over(struct reading *r, bool notes, bool *moved)
{
    struct app *const app = r->app;
    const bool any = app->help || app->lesson.contents || app->lesson.notes != notes;
    if (app->help) {
        app->help = false;
        put_help(r);
    } else if (app->lesson.contents) {
        app->lesson.contents = false;
        *moved = choose_page(r);
    } else if (app->lesson.notes != notes) {
        put_notes(r);
    }
    return any;
}

/** A line that is not empty is keys. @return true if they led to another place. */
static bool take_keys(struct reading *r, const char *line)
{
    const struct app_lesson was = r->app->lesson;
    bool moved = false;
    app_play(r->app, r->frame, line);
    r->app->playing = false;
    if (r->app->message[0] != '\0') {
        view_line_plain(stdout, r->frame->ascii, r->app->message);
    }
    answer_prompts(r);
    const bool over = put_over(r, was.notes, &moved);
    moved = moved || r->app->lesson.stop != was.stop || r->app->lesson.k != was.k;
    if (!moved && !over && !r->app->quit) {
        print_walk(r);
    }
    return moved;
}

/** Is this line a key where an answer is wanted? */
static bool is_key_of_the_lesson(const struct reading *r, int question, const char *line)
{
    const bool choice = r->app->lesson.lesson.questions[question].kind == LESSON_CHOICE;
    return is_key(r, question, line, "T") || is_key(r, question, line, "N") ||
           is_key(r, question, line, "q") || (!choice && is_key(r, question, line, "b"));
}

/** A question, until it is answered; an empty line or the end of input shows the answer. @return
 * true if a key led to another place instead. */
static bool ask(struct reading *r)
{
    const int question = app_lesson_question(r->app);
    struct view_lesson v = app_lesson_view(r->app, (struct view_part){.what = NULL});
    char line[LINE_MAX_BYTES] = "";
    view_question_plain(stdout, &v, question, r->frame->ascii);
    while (app_lesson_waiting(r->app) != NULL && !r->app->quit && !cli_write_failed()) {
        if (r->wait) {
            cli_printf("Your answer (? gives a hint, an empty line shows the answer):\n");
        }
        const bool there = read_line(r, line);
        if (there && (strcmp(line, "?") == 0 || is_key(r, question, line, "H"))) {
            hint(r, question);
            continue;
        }
        if (there && is_key_of_the_lesson(r, question, line)) {
            if (take_keys(r, line)) {
                return true;
            }
            continue;
        }
        if (!there || line[0] == '\0' || is_key(r, question, line, "S")) {
            app_lesson_give(r->app);
        } else {
            app_lesson_answer_text(r->app, line);
        }
        v = app_lesson_view(r->app, (struct view_part){.what = NULL});
        view_answer_plain(stdout, &v, question, r->frame->ascii);
    }
    return false;
}

/** @return false at the end of the lesson. */
static bool go_on(struct app *app)
{
    const struct app_lesson *const l = &app->lesson;
    if (l->k + 1 < l->place.n_steps) {
        return app_lesson_go(app, l->stop, l->k + 1);
    }
    return l->stop + 1 < l->lesson.n_stops && app_lesson_go(app, l->stop + 1, 0);
}

static void read_lesson(struct reading *r)
{
    char line[LINE_MAX_BYTES];
    bool more = true;
    while (more && !r->app->quit && !cli_write_failed() && !ferror(stdout)) {
        const struct app_lesson *const l = &r->app->lesson;
        bool moved = false;
        print_place(r);
        if (app_lesson_waiting(r->app) != NULL && l->k + 1 == l->place.n_steps) {
            moved = ask(r);
        } else {
            while (!moved && !r->app->quit && read_line(r, line) && line[0] != '\0') {
                moved = take_keys(r, line);
            }
        }
        more = moved || (!r->app->quit && go_on(r->app));
    }
}

enum cli_status walk_lesson_plain(struct app *app, bool wait)
{
    struct reading r = {.app = app, .wait = wait};
    r.frame = frame_create(PLAIN_ROWS, PLAIN_COLS, !cli_is_utf8());
    if (r.frame == NULL) {
        return out_of_memory();
    }
    app->outside = &cli_outside;
    app_draw(app, r.frame);
    view_line_plain(stdout, r.frame->ascii, app->lesson.lesson.title);
    cli_printf("%s", keys_line);
    read_lesson(&r);
    frame_destroy(r.frame);
    return CLI_DONE;
}
