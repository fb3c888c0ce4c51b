#include <stdlib.h>
#include <string.h>

#include "tui.h"

static bool is_set(const char *name)
{
    const char *const value = getenv(name);
    return value != NULL && value[0] != '\0';
}

/** Is the background light? COLORFGBG is "text;ground" or "text;default;ground", 0 to 15. */
static bool ground_is_light(void)
{
    const char *const value = getenv("COLORFGBG");
    const char *const last = value != NULL ? strrchr(value, ';') : NULL;
    if (last == NULL || last[1] < '0' || last[1] > '9') {
        return false;
    }
    const long ground = strtol(last + 1, NULL, 10);
    return ground == 7 || (ground >= 9 && ground <= 15);
}

enum frame_palette tui_choose_palette(int colors)
{
    if (is_set("NO_COLOR")) {
        return FRAME_MONO;
    }
    const char *const force = getenv("CLICOLOR_FORCE");
    if (colors < 8 && is_set("CLICOLOR_FORCE") && strcmp(force, "0") != 0) {
        colors = 8;
    }
    if (colors < 8) {
        return FRAME_MONO;
    }
    if (colors < 256) {
        return FRAME_8;
    }
    return ground_is_light() ? FRAME_256_LIGHT : FRAME_256_DARK;
}
