/**
 * A key, a click or an event, as the application understands it: no terminal's codes.
 */
#ifndef APP_KEY_H
#define APP_KEY_H

#include <stdbool.h>
#include <stdint.h>

enum app_key_code {
    APP_KEY_NONE,
    APP_KEY_CHAR, /**< A character, in ch; the space bar is ' '. */
    APP_KEY_ENTER,
    APP_KEY_TAB,
    APP_KEY_SHIFT_TAB,
    APP_KEY_ESC,
    APP_KEY_BACKSPACE,
    APP_KEY_DELETE,
    APP_KEY_UP,
    APP_KEY_DOWN,
    APP_KEY_LEFT,
    APP_KEY_RIGHT,
    APP_KEY_HOME,
    APP_KEY_END,
    APP_KEY_PGUP,
    APP_KEY_PGDN,
    APP_KEY_F1,
    APP_KEY_CTRL_L,
    APP_KEY_CLICK,      /**< At row, col of the screen. */
    APP_KEY_WHEEL_UP,   /**< At row, col. */
    APP_KEY_WHEEL_DOWN, /**< At row, col. */
    APP_KEY_PASTE,      /**< Text in text, valid until the next key is read. */
    APP_KEY_RESIZE,     /**< The screen has another size now. */
    APP_KEY_TIMEOUT,    /**< The wait that was asked for is over (autoplay). */
    APP_KEY_EOF,        /**< The terminal is gone, or its input ended. */
    APP_KEY_N_CODES
};

struct app_key {
    enum app_key_code code;
    uint32_t ch;      /**< Of APP_KEY_CHAR: a Unicode character, never a control character. */
    int row, col;     /**< Of a click or the wheel, from 0. */
    const char *text; /**< Of APP_KEY_PASTE: UTF-8, not owned. */
};

/**
 * The key with this name: "Space", "Enter", "Tab", "S-Tab", "Esc", "Backspace", "Del", "Up",
 * "Down", "Left", "Right", "Home", "End", "PgUp", "PgDn", "F1", "C-l", "Click", "WheelUp",
 * "WheelDown". A single character is no name.
 * @return false if no key is called that.
 */
bool app_key_find(const char *name, struct app_key *key);

/** The key's name for the footer and the help. @return a constant, or buf with the character. */
const char *app_key_name(struct app_key key, char buf[8]);

#endif
