#include "key.h"

#include <string.h>

static const struct {
    const char *name;
    enum app_key_code code;
    uint32_t ch;
} names[] = {
    {"Space", APP_KEY_CHAR, ' '},     {"Enter", APP_KEY_ENTER, 0},
    {"Tab", APP_KEY_TAB, 0},          {"S-Tab", APP_KEY_SHIFT_TAB, 0},
    {"Esc", APP_KEY_ESC, 0},          {"Backspace", APP_KEY_BACKSPACE, 0},
    {"Del", APP_KEY_DELETE, 0},       {"Up", APP_KEY_UP, 0},
    {"Down", APP_KEY_DOWN, 0},        {"Left", APP_KEY_LEFT, 0},
    {"Right", APP_KEY_RIGHT, 0},      {"Home", APP_KEY_HOME, 0},
    {"End", APP_KEY_END, 0},          {"PgUp", APP_KEY_PGUP, 0},
    {"PgDn", APP_KEY_PGDN, 0},        {"F1", APP_KEY_F1, 0},
    {"C-l", APP_KEY_CTRL_L, 0},       {"Click", APP_KEY_CLICK, 0},
    {"WheelUp", APP_KEY_WHEEL_UP, 0}, {"WheelDown", APP_KEY_WHEEL_DOWN, 0},
};

enum { N_NAMES = sizeof names / sizeof names[0] };

bool app_key_find(const char *name, struct app_key *key)
{
    for (int i = 0; i < N_NAMES; i++) {
        if (strcmp(names[i].name, name) == 0) {
            *key = (struct app_key){.code = names[i].code, .ch = names[i].ch};
            return true;
        }
    }
    return false;
}

const char *app_key_name(struct app_key key, char buf[8])
{
    for (int i = 0; i < N_NAMES; i++) {
        if (names[i].code == key.code && names[i].ch == key.ch) {
            return names[i].name;
        }
    }
    int n = 0;
    if (key.code == APP_KEY_CHAR && key.ch < 0x80) {
        buf[n++] = (char)key.ch;
    }
    buf[n] = '\0';
    return buf;
}
