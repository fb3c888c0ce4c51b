#include <stdio.h>
#include <string.h>

#include "app_actions.h"

void app_ask(struct app *app, const char *label, const char *text,
             void (*done)(struct app *app, const char *text))
{
    struct app_prompt *p = &app->prompt;
    p->open = true;
    p->label = label;
    p->done = done;
    snprintf(p->text, sizeof p->text, "%s", text);
    p->n = (int)strlen(p->text);
}

/** Add a character as UTF-8, if there is room. */
static void add(struct app_prompt *p, uint32_t ch)
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
    }
    if (p->n + n < APP_INPUT_MAX) {
        memcpy(p->text + p->n, bytes, (size_t)n);
        p->n += n;
        p->text[p->n] = '\0';
    }
}

static void add_text(struct app_prompt *p, const char *text)
{
    for (; *text != '\0' && p->n + 1 < APP_INPUT_MAX; text++) {
        if ((unsigned char)*text >= 0x20 && *text != 0x7F) {
            p->text[p->n++] = *text;
        }
    }
    p->text[p->n] = '\0';
}

/** The last character goes, all its bytes. */
static void drop_last(struct app_prompt *p)
{
    while (p->n > 0 && ((unsigned char)p->text[p->n - 1] & 0xC0) == 0x80) {
        p->n--;
    }
    p->n -= p->n > 0 ? 1 : 0;
    p->text[p->n] = '\0';
}

bool app_prompt_press(struct app *app, struct app_key key)
{
    struct app_prompt *p = &app->prompt;
    if (key.code == APP_KEY_CHAR) {
        add(p, key.ch);
    } else if (key.code == APP_KEY_PASTE) {
        add_text(p, key.text);
    } else if (key.code == APP_KEY_BACKSPACE) {
        drop_last(p);
    } else if (key.code == APP_KEY_ESC) {
        p->open = false;
    } else if (key.code == APP_KEY_ENTER) {
        char text[APP_INPUT_MAX];
        memcpy(text, p->text, sizeof text);
        p->open = false;
        p->done(app, text);
    } else {
        return false;
    }
    return true;
}
