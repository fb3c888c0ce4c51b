/* A line that is typed at the foot: its text, its keys, and how it is drawn. */
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

static void open_prompt(struct app *app, const char *label, const char *text,
                        void (*done)(struct app *app, const char *text))
{
    struct app_prompt *p = &app->prompt;
    *p = (struct app_prompt){.open = true, .done = done};
    snprintf(p->label, sizeof p->label, "%s", label);
    snprintf(p->text, sizeof p->text, "%s", text);
    p->n = (int)strlen(p->text);
    p->at = p->n;
}

void app_ask(struct app *app, const char *label, const char *text,
             void (*done)(struct app *app, const char *text))
{
    open_prompt(app, label, text, done);
}

void app_confirm(struct app *app, const char *label, void (*yes)(struct app *app, const char *text))
{
    open_prompt(app, label, "", yes);
    app->prompt.confirm = true;
}

/* ---- editing ---- */

static bool continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/** Where the character before, or after, this place begins. */
static int step_left(const struct app_prompt *p, int at)
{
    do {
        at -= at > 0 ? 1 : 0;
    } while (at > 0 && continues(p->text[at]));
    return at;
}

static int step_right(const struct app_prompt *p, int at)
{
    do {
        at += at < p->n ? 1 : 0;
    } while (at < p->n && continues(p->text[at]));
    return at;
}

/** Insert bytes at the cursor, if there is room for all of them. */
static void insert(struct app_prompt *p, const char *bytes, int n)
{
    if (p->n + n >= APP_INPUT_MAX) {
        return;
    }
    memmove(p->text + p->at + n, p->text + p->at, (size_t)(p->n - p->at) + 1);
    memcpy(p->text + p->at, bytes, (size_t)n);
    p->n += n;
    p->at += n;
}

static void insert_char(struct app_prompt *p, uint32_t ch)
{
    char bytes[4];
    int n = 0;
    if (ch < 0x80) {
        bytes[n++] = (char)ch;
    } else if (ch < 0x800) {
        bytes[n++] = (char)(0xC0 | ch >> 6);
        bytes[n++] = (char)(0x80 | (ch & 0x3F));
    } else if (ch < 0x10000) {
        bytes[n++] = (char)(0xE0 | ch >> 12);
        bytes[n++] = (char)(0x80 | (ch >> 6 & 0x3F));
        bytes[n++] = (char)(0x80 | (ch & 0x3F));
    } else {
        bytes[n++] = (char)(0xF0 | (ch >> 18 & 0x07));
        bytes[n++] = (char)(0x80 | (ch >> 12 & 0x3F));
        bytes[n++] = (char)(0x80 | (ch >> 6 & 0x3F));
        bytes[n++] = (char)(0x80 | (ch & 0x3F));
    }
    insert(p, bytes, n);
}

/** What was pasted, character by character, without the control characters. */
static void insert_text(struct app_prompt *p, const char *text)
{
    while (text != NULL && *text != '\0') {
        int n = 1;
        while (continues(text[n])) {
            n++;
        }
        if ((unsigned char)*text >= 0x20 && *text != 0x7F) {
            insert(p, text, n);
        }
        text += n;
    }
}

static void erase(struct app_prompt *p, int from, int to)
{
    memmove(p->text + from, p->text + to, (size_t)(p->n - to) + 1);
    p->n -= to - from;
    p->at = from;
}

static void answer(struct app *app)
{
    char text[APP_INPUT_MAX];
    memcpy(text, app->prompt.text, sizeof text);
    app->prompt.open = false;
    app->prompt.done(app, text);
}

/** A question that y answers; everything else is no. */
static void confirm_press(struct app *app, struct app_key key)
{
    app->prompt.open = false;
    if (key.code == APP_KEY_CHAR && (key.ch == 'y' || key.ch == 'Y')) {
        answer(app);
    } else {
        app_say(app, "Left as it was.");
    }
}

static void edit_press(struct app *app, struct app_key key)
{
    struct app_prompt *p = &app->prompt;
    if (key.code == APP_KEY_CHAR) {
        insert_char(p, key.ch);
    } else if (key.code == APP_KEY_PASTE) {
        insert_text(p, key.text);
    } else if (key.code == APP_KEY_BACKSPACE) {
        erase(p, step_left(p, p->at), p->at);
    } else if (key.code == APP_KEY_DELETE) {
        erase(p, p->at, step_right(p, p->at));
    } else if (key.code == APP_KEY_LEFT) {
        p->at = step_left(p, p->at);
    } else if (key.code == APP_KEY_RIGHT) {
        p->at = step_right(p, p->at);
    } else if (key.code == APP_KEY_HOME) {
        p->at = 0;
    } else if (key.code == APP_KEY_END) {
        p->at = p->n;
    } else if (key.code == APP_KEY_ESC) {
        p->open = false;
    } else if (key.code == APP_KEY_ENTER) {
        answer(app);
    }
}

bool app_prompt_press(struct app *app, struct app_key key)
{
    if (key.code == APP_KEY_CTRL_L) {
        return false;
    }
    if (app->prompt.confirm) {
        confirm_press(app, key);
    } else {
        edit_press(app, key);
    }
    return true; /* no other key acts behind a line that is being typed */
}

/* ---- drawing ---- */

/** Columns of the text between two places. */
static int columns(const struct frame *f, const struct app_prompt *p, int from, int to)
{
    char part[APP_INPUT_MAX];
    memcpy(part, p->text + from, (size_t)(to - from));
    part[to - from] = '\0';
    return frame_width(f, part);
}

void app_prompt_draw(const struct app *app, struct frame *f)
{
    const struct app_prompt *p = &app->prompt;
    const int row = f->rows - 1;
    const char *const end = p->confirm ? "" : ": ";
    char label[sizeof p->label + 4];
    snprintf(label, sizeof label, "%s%s", p->label, end);
    int left = frame_width(f, label) + 1;
    const int most = p->confirm ? f->cols - 2 : f->cols / 2;
    left = left < most ? left : most;
    frame_fill(f, row, 0, f->cols, FRAME_TEXT, FRAME_MARK_NONE, " ");
    frame_put_fit(f, row, 1, left - 1, false, FRAME_KEY, FRAME_MARK_NONE, label);
    const int room = f->cols - left - 2; /* the cursor may stand behind the last character */
    int from = 0;
    while (from < p->at && columns(f, p, from, p->at) + (from > 0 ? 1 : 0) > room) {
        from = step_right(p, from);
    }
    int col = left;
    if (from > 0) {
        col += frame_put(f, row, col, FRAME_DIM, FRAME_MARK_NONE, f->ascii ? "<" : "…");
    }
    frame_put_fit(f, row, col, f->cols - 1 - col, false, FRAME_TEXT, FRAME_MARK_NONE,
                  p->text + from);
    f->cursor_row = row;
    f->cursor_col = col + columns(f, p, from, p->at);
    f->cursor_shown = true;
}
