/* attn export: a lesson, or a walk, as a recording that plays in a terminal. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "cli.h"
#include "io.h"
#include "walk_lesson.h"

/* Seconds: what a word takes to be read, and the least and the most that a screen stays. */
static const double per_word = 0.3;
static const double least = 2.0;
static const double most = 15.0;
static const double to_think = 4.0; /* before the answer to a question is shown */

enum { EVENTS_MAX = 4000 };

struct recording {
    struct app *app;
    struct frame *frame, *before; /**< Of one size. */
    FILE *out;
    double time;
    int events;
};

/** Words on the screen that were not there before, at the same place: letters, two or more. */
static int new_words(const struct frame *f, const struct frame *before)
{
    int words = 0;
    for (int row = 0; row < f->rows; row++) {
        int letters = 0;
        bool changed = false;
        for (int col = 0; col <= f->cols; col++) {
            const struct frame_cell *const now = frame_at(f, row, col);
            const bool letter = now != NULL && isalpha((unsigned char)now->glyph[0]) != 0;
            if (letter) {
                letters++;
                changed |= strcmp(now->glyph, frame_at(before, row, col)->glyph) != 0;
            } else {
                words += letters > 1 && changed ? 1 : 0;
                letters = 0;
                changed = false;
            }
        }
    }
    return words;
}

/** The screen as it is now, for as long as it takes to read what is new on it. */
static bool record(struct recording *r, double more)
{
    app_lab_settle(r->app);
    r->app->message[0] = '\0';
    app_draw(r->app, r->frame);
    const double reading = per_word * new_words(r->frame, r->before);
    const bool good = frame_write_cast(r->frame, FRAME_256_DARK, r->time, r->out);
    r->time += more + (reading < least ? least : reading > most ? most : reading);
    memcpy(r->before->cells, r->frame->cells,
           (size_t)r->frame->rows * (size_t)r->frame->cols * sizeof *r->frame->cells);
    r->events++;
    return good && r->events < EVENTS_MAX;
}

static bool record_walk(struct recording *r)
{
    bool good = record(r, 0);
    struct walk_step step = r->app->now.step;
    while (good && walk_next(r->app->trace, &step)) {
        app_go(r->app, step);
        good = record(r, 0);
    }
    return good;
}

/** Each place of the lesson; a question is followed by its answer. */
static bool record_lesson(struct recording *r)
{
    const struct app_key next = {.code = APP_KEY_CHAR, .ch = ' '};
    for (;;) {
        const int stop = r->app->lesson.stop;
        const size_t k = r->app->lesson.k;
        const int scroll = r->app->lesson.scroll; /* a long text is read in parts */
        const bool asked = app_lesson_waiting(r->app) != NULL;
        if (!record(r, asked ? to_think : 0)) {
            return false;
        }
        if (asked) {
            app_lesson_give(r->app);
            if (!record(r, 0)) {
                return false;
            }
        }
        if (app_lesson_at_end(r->app)) {
            return true;
        }
        app_press(r->app, next);
        if (stop == r->app->lesson.stop && k == r->app->lesson.k &&
            scroll == r->app->lesson.scroll) {
            return true; /* there is no further place */
        }
    }
}

/** io_save looks at f afterwards, and says why. */
static enum attn_status write_recording(FILE *f, const void *context, struct attn_error *err)
{
    (void)err;
    (void)fputs(context, f);
    return ATTN_OK;
}

static enum cli_status save(struct app *app, int cols, int rows, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    struct attn_error err = {.status = ATTN_OK};
    struct recording r = {.app = app,
                          .frame = frame_create(rows, cols, !cli_is_utf8()),
                          .before = frame_create(rows, cols, false),
                          .out = open_memstream(&text, &size)};
    enum cli_status status = CLI_FAILED;
    bool good = r.frame != NULL && r.before != NULL && r.out != NULL;
    if (good) {
        frame_write_cast_head(cols, rows,
                              app->lesson.open ? app->lesson.lesson.title
                                               : attn_variants[app_config(app)->variant].title,
                              r.out);
        good = app->lesson.open ? record_lesson(&r) : record_walk(&r);
        frame_write_cast_end(r.time, r.out);
    }
    good = (r.out == NULL || fclose(r.out) == 0) && good;
    if (!good) {
        cli_message("export", "out of memory, or more than %d screens", EVENTS_MAX);
    } else if (io_save(path, write_recording, text, &err) != ATTN_OK) {
        status = cli_fail(&err);
    } else {
        cli_printf("%s: %d screens, %d:%02d minutes\n", path, r.events, (int)r.time / 60,
                   (int)r.time % 60);
        status = CLI_DONE;
    }
    free(text);
    frame_destroy(r.frame);
    frame_destroy(r.before);
    return status;
}

/** A variant's name wins over a lesson's. */
static enum cli_status begin(struct cli *cli, struct app *app)
{
    struct attn_error err = {.status = ATTN_OK};
    if (attn_variant_find(cli->words[0]) < 0) {
        return walk_lesson_start(cli, app, cli->words[0]);
    }
    const enum cli_status status = cli_take_variant(cli);
    return status != CLI_DONE                              ? status
           : app_start(app, &cli->config, &err) == ATTN_OK ? CLI_DONE
                                                           : cli_fail(&err);
}

static enum cli_status run(struct cli *cli)
{
    const char *const path = cli_value(cli, "--cast");
    int cols = 0;
    int rows = 0;
    if (cli->n_words == 0 || path == NULL) {
        cli_message("export", "%s (attn export LESSON --cast FILE)",
                    cli->n_words == 0 ? "which lesson?" : "to which file?");
        return CLI_USAGE;
    }
    if (strcmp(path, "-") == 0) {
        cli_message("--cast", "- is no file's name (a recording goes into a file: name one)");
        return CLI_USAGE;
    }
    if (cli_take_size(cli, &cols, &rows) != CLI_DONE) {
        return CLI_USAGE;
    }
    if (cols < VIEW_MIN_COLS || rows < VIEW_MIN_ROWS) {
        cli_message("--size", "nothing can be seen on %dx%d (at least %dx%d)", cols, rows,
                    VIEW_MIN_COLS, VIEW_MIN_ROWS);
        return CLI_USAGE;
    }
    struct app *const app = malloc(sizeof *app);
    struct attn_error err = {.status = ATTN_OK};
    if (app == NULL || app_init_home(app, &err) != ATTN_OK) {
        free(app);
        cli_message("export", "out of memory");
        return CLI_FAILED;
    }
    enum cli_status status = begin(cli, app);
    if (status == CLI_DONE) {
        status = save(app, cols, rows, path);
    }
    app_finish(app);
    free(app);
    return status;
}

static const struct cli_option options[] = {
    {"--cast", "FILE",
     "write it to FILE as an asciicast (version 2), which asciinema plays; a file that is there "
     "is replaced"},
    {"--size", "COLSxROWS", "of its screens (default 80x24)"},
    {"--lessons", "DIR", "look for lessons in DIR before the usual places"},
    {0}};

const struct cli_command cli_export = {
    .name = "export",
    .arguments = "LESSON | VARIANT",
    .summary = "a whole lesson, or a walk, as a recording for asciinema",
    .details =
        "Every screen of the lesson from its first page to its last, each for as long as it takes "
        "to read what is new on it; a question waits, then shows its answer.",
    .computes = true,
    .max_words = 1,
    .options = options,
    .run = run};
