#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app.h"
#include "cli.h"
#include "tui.h"

/* ---- a terminal ---- */

/** A terminal, and what is on it. */
struct shown {
    struct tui *t;
    struct frame *f;
};

/** The screen as it is, with a word at its foot: the next picture takes a while. */
static void show_busy(struct app *app, void *whose)
{
    const struct shown *const shown = whose;
    char message[sizeof app->message];
    memcpy(message, app->message, sizeof message);
    app_say(app, "Computing… Ctrl-C ends.");
    app_draw(app, shown->f);
    tui_flush(shown->t, shown->f);
    tui_show(shown->t);
    memcpy(app->message, message, sizeof message);
}

void cli_tell_busy(struct app *app, void *whose)
{
    (void)app;
    (void)whose;
    if (isatty(STDERR_FILENO)) {
        cli_message(NULL, "computing… (Ctrl-C ends)");
    }
}

/** Draw, wait, act, until there is nothing more to do. */
static enum cli_status serve(struct app *app, struct tui *t)
{
    struct frame *f = NULL;
    struct shown shown = {.t = t};
    app->busy = (struct app_busy){show_busy, &shown};
    while (!app->quit) {
        int rows, cols;
        tui_size(t, &rows, &cols);
        if (f == NULL || f->rows != rows || f->cols != cols) {
            frame_destroy(f);
            f = frame_create(rows, cols, tui_ascii(t));
            if (f == NULL) {
                app->busy = (struct app_busy){.say = NULL};
                return CLI_FAILED;
            }
        }
        app_draw(app, f);
        if (app->repaint) {
            tui_redraw(t);
            app->repaint = false;
        }
        tui_flush(t, f);
        shown.f = f;
        const struct app_key key = tui_read(t, app_wait(app));
        if (key.code == APP_KEY_EOF) {
            break;
        }
        if (key.code != APP_KEY_RESIZE) {
            app_press(app, key);
        }
    }
    app->busy = (struct app_busy){.say = NULL};
    frame_destroy(f);
    return CLI_DONE;
}

/** What a message is about. */
static const char *doing(const struct app *app)
{
    return app->lab != NULL ? "lab" : "walk";
}

enum cli_status cli_screen(struct app *app, bool mouse)
{
    char why[256];
    struct tui *const t = tui_open_with((struct tui_options){.no_mouse = !mouse}, why, sizeof why);
    if (t == NULL) {
        cli_message(doing(app),
                    app->lab != NULL
                        ? "%s (attn lab NAME --plain prints it)"
                        : "%s (attn walk --plain goes line by line, attn run prints every stage)",
                    why);
        return CLI_USAGE;
    }
    app->outside = &cli_outside;
    const enum cli_status status = serve(app, t);
    const int ended_by = tui_signal(t);
    tui_close(t);
    cli_last_write(app);
    if (ended_by != 0) {
        raise(ended_by);
    }
    if (status != CLI_DONE) {
        cli_message(doing(app), "out of memory for a screen of this size");
    }
    return status;
}

/* ---- lines of text ---- */

bool cli_read_line(char *text, int size)
{
    if (fgets(text, size, stdin) == NULL) {
        return false;
    }
    if (strchr(text, '\n') == NULL) {
        int c;
        while ((c = getchar()) != '\n' && c != EOF) {
            /* the rest of a line that is too long */
        }
    }
    text[strcspn(text, "\r\n")] = '\0';
    return true;
}

enum cli_status cli_plain(struct app *app, bool wait)
{
    struct frame *const f = frame_create(24, 80, !cli_is_utf8());
    char line[256];
    if (f == NULL) {
        cli_message("walk", "out of memory");
        return CLI_FAILED;
    }
    app->outside = &cli_outside;
    app_draw(app, f);
    while (!app->quit && !cli_write_failed()) {
        struct view_against against;
        const struct view_walk v = app_view(app, &against);
        view_plain(stdout, &v, f->ascii);
        cli_flush();
        wait = wait && cli_read_line(line, sizeof line);
        if (wait && line[0] != '\0') {
            app_play(app, f, line);
            if (app->message[0] != '\0') {
                cli_printf("%s\n", app->message);
            }
            continue;
        }
        struct walk_step step = app->now.step;
        if (!walk_next(app->trace, &step) || ferror(stdout)) {
            break;
        }
        app_go(app, step);
    }
    frame_destroy(f);
    return CLI_DONE;
}

/* ---- a picture ---- */

static bool parse_size(const char *text, int *cols, int *rows)
{
    char copy[32];
    long long c, r;
    if (strlen(text) >= sizeof copy) {
        return false;
    }
    strcpy(copy, text);
    char *const x = strchr(copy, 'x');
    if (x == NULL) {
        return false;
    }
    *x = '\0';
    if (!config_parse_int(copy, 1, FRAME_COLS_MAX, &c) ||
        !config_parse_int(x + 1, 1, FRAME_ROWS_MAX, &r)) {
        return false;
    }
    *cols = (int)c;
    *rows = (int)r;
    return true;
}

enum cli_status cli_take_size(const struct cli *cli, int *cols, int *rows)
{
    const char *const size = cli_value(cli, "--size");
    *cols = 80;
    *rows = 24;
    if (size != NULL && !parse_size(size, cols, rows)) {
        cli_message("--size", "'%s' is no size (columns x rows, as 80x24; at most %dx%d)", size,
                    FRAME_COLS_MAX, FRAME_ROWS_MAX);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

enum cli_status cli_take_face(const struct cli *cli, struct cli_face *face)
{
    const char *const keys = cli_value(cli, "--keys");
    *face = (struct cli_face){.plain = cli_value(cli, "--plain") != NULL,
                              .mouse = cli_value(cli, "--no-mouse") == NULL,
                              .keys = keys != NULL ? keys : "",
                              .path = cli_value(cli, "--frame")};
    face->played = keys != NULL || face->path != NULL || cli_value(cli, "--size") != NULL;
    if (face->plain && face->played) {
        cli_message("--plain",
                    "lines of text take no --keys, --size or --frame (leave out either)");
        return CLI_USAGE;
    }
    if (face->path != NULL && !cli_picture_known(face->path)) {
        cli_message("--frame", "%s has no known ending (.txt, .ans or .svg)", face->path);
        return CLI_USAGE;
    }
    return cli_take_size(cli, &face->cols, &face->rows);
}

static enum cli_status write_picture(const struct frame *f, const char *path)
{
    struct attn_error err = {.status = ATTN_OK};
    return cli_save_picture(f, path, &err) == ATTN_OK ? CLI_DONE : cli_fail(&err);
}

/** A key's name that was meant, or NULL: words are typed letter by letter, and often rightly. */
static const char *meant_key(const char *word)
{
    const char *names[APP_KEY_WHEEL_DOWN + 1];
    int n = 0;
    struct app_key found;
    if (strlen(word) < 3 || app_key_find(word, &found)) {
        return NULL;
    }
    for (int code = 0; code <= APP_KEY_WHEEL_DOWN; code++) {
        char unused[8];
        const struct app_key key = {.code = (enum app_key_code)code,
                                    .ch = code == APP_KEY_CHAR ? ' ' : 0};
        const char *const name = app_key_name(key, unused);
        if (name != unused) {
            names[n++] = name;
        }
    }
    const char *const near = config_nearest(word, names, n);
    const bool capital = isupper((unsigned char)word[0]) != 0;
    return near != NULL && (capital || strcasecmp(near, word) == 0) ? near : NULL;
}

/** Tell of words that look like a key's name. */
static void note_keys(const char *keys)
{
    while (*keys != '\0') {
        char word[32];
        const size_t n = strcspn(keys, " ");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : 0), keys);
        const char *const meant = meant_key(word);
        if (meant != NULL) {
            cli_message("--keys",
                        "'%s' is no key's name, and is typed letter by letter (did you "
                        "mean %s?)",
                        word, meant);
        }
        keys += n;
        keys += strspn(keys, " ");
    }
}

enum cli_status cli_play(struct app *app, const struct cli_face *face)
{
    struct frame *const f = frame_create(face->rows, face->cols, !cli_is_utf8());
    enum cli_status status = CLI_DONE;
    if (f == NULL) {
        cli_message("--size", "out of memory");
        return CLI_FAILED;
    }
    app->outside = &cli_outside;
    note_keys(face->keys);
    app_play(app, f, face->keys);
    app_draw(app, f);
    if (face->path != NULL) {
        status = write_picture(f, face->path);
    } else {
        frame_write_text(f, stdout);
    }
    frame_destroy(f);
    return status;
}
