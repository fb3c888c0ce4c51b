/* A program that shows what src/tui gives it: the keys, numbered, and a few looks. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui.h"

static const char *const names[APP_KEY_N_CODES] = {
    [APP_KEY_NONE] = "none",
    [APP_KEY_CHAR] = "char",
    [APP_KEY_ENTER] = "Enter",
    [APP_KEY_TAB] = "Tab",
    [APP_KEY_SHIFT_TAB] = "S-Tab",
    [APP_KEY_ESC] = "Esc",
    [APP_KEY_BACKSPACE] = "Backspace",
    [APP_KEY_DELETE] = "Del",
    [APP_KEY_UP] = "Up",
    [APP_KEY_DOWN] = "Down",
    [APP_KEY_LEFT] = "Left",
    [APP_KEY_RIGHT] = "Right",
    [APP_KEY_HOME] = "Home",
    [APP_KEY_END] = "End",
    [APP_KEY_PGUP] = "PgUp",
    [APP_KEY_PGDN] = "PgDn",
    [APP_KEY_F1] = "F1",
    [APP_KEY_CTRL_L] = "C-l",
    [APP_KEY_CLICK] = "click",
    [APP_KEY_WHEEL_UP] = "wheel-up",
    [APP_KEY_WHEEL_DOWN] = "wheel-down",
    [APP_KEY_PASTE] = "paste",
    [APP_KEY_RESIZE] = "resize",
    [APP_KEY_TIMEOUT] = "timeout",
    [APP_KEY_EOF] = "eof",
};

/** Lines that follow each other, so that halves of wide characters come and go. */
static const char *const wide[] = {"猫a猫b|", "a猫b猫|", "ab猫cd|",
                                   "猫猫猫|", "x猫猫y|", "      |"};

static int n_keys;
static char keys[4096];

static void note(struct app_key key)
{
    const size_t used = strlen(keys);
    const char *const text = key.text != NULL ? key.text : "";
    if (key.code == APP_KEY_CHAR) {
        snprintf(keys + used, sizeof keys - used, " U+%04X", key.ch);
    } else if (key.code >= APP_KEY_CLICK && key.code <= APP_KEY_WHEEL_DOWN) {
        snprintf(keys + used, sizeof keys - used, " %s@%d,%d", names[key.code], key.row, key.col);
    } else if (key.code != APP_KEY_RESIZE) {
        snprintf(keys + used, sizeof keys - used, " %s%.40s", names[key.code], text);
    }
    n_keys += key.code != APP_KEY_RESIZE;
}

static struct frame *draw(struct tui *t)
{
    int rows = 0;
    int cols = 0;
    tui_size(t, &rows, &cols);
    struct frame *const f = frame_create(rows, cols, tui_ascii(t));
    if (f == NULL) {
        return NULL;
    }
    frame_putf(f, 0, 0, FRAME_TITLE, FRAME_MARK_NONE, "demo %dx%d, palette %d", rows, cols,
               (int)tui_palette(t));
    frame_put(f, 1, 0, FRAME_DIM, FRAME_MARK_NONE, "┌──┐ √d ▶ e\u0301");
    frame_put(f, 2, 0, FRAME_LABEL, FRAME_MARK_NONE, "猫 |");
    frame_put(f, 3, 0, FRAME_HEAT0, FRAME_MARK_NONE, "-1.5");
    frame_put(f, 3, 5, FRAME_HEAT8, FRAME_MARK_READ, "+1.5");
    frame_put(f, 3, 10, FRAME_PROB8, FRAME_MARK_FOCUS, "0.99");
    frame_put(f, 3, 15, FRAME_TEXT, FRAME_MARK_NONE, "body");
    frame_put(f, 4, 0, FRAME_TEXT, FRAME_MARK_NONE,
              wide[(size_t)n_keys % (sizeof wide / sizeof wide[0])]);
    frame_put_wrapped(f, 6, 0, cols, rows - 6, FRAME_TEXT, keys);
    frame_putf(f, 5, 0, FRAME_TEXT, FRAME_MARK_NONE, "%d keys.", n_keys);
    f->cursor_row = 3;
    f->cursor_col = 10;
    tui_flush(t, f);
    return f;
}

static void crash(uint32_t how)
{
    if (how == 'S') {
        raise(SIGSEGV);
    } else if (how == 'A') {
        abort();
    }
}

int main(void)
{
    char why[256];
    setlocale(LC_CTYPE, "");
    struct tui *const t = tui_open(why, sizeof why);
    if (t == NULL) {
        fprintf(stderr, "demo: %s\n", why);
        return 2;
    }
    int timeout = -1;
    for (;;) {
        struct frame *const f = draw(t);
        const struct app_key key = tui_read(t, timeout);
        frame_destroy(f);
        note(key);
        timeout = key.code == APP_KEY_CHAR && key.ch == 't' ? 10 : -1;
        if (key.code == APP_KEY_EOF || (key.code == APP_KEY_CHAR && key.ch == 'q')) {
            break;
        }
        if (key.code == APP_KEY_CTRL_L) {
            tui_redraw(t);
        }
        crash(key.code == APP_KEY_CHAR ? key.ch : 0);
    }
    const int ended_by = tui_signal(t);
    tui_close(t);
    if (ended_by != 0) {
        raise(ended_by);
    }
    printf("demo ended after %d keys\n", n_keys);
    return 0;
}
