#include <stdlib.h>

#include "runner.h"
#include "tui.h"

static const struct {
    const char *no_color, *force, *ground;
    int colors;
    enum frame_palette palette;
} rows[] = {
    {NULL, NULL, NULL, 0, FRAME_MONO},
    {NULL, NULL, NULL, 8, FRAME_8},
    {NULL, NULL, NULL, 16, FRAME_8},
    {NULL, NULL, NULL, 256, FRAME_256_DARK},
    {NULL, NULL, "15;0", 256, FRAME_256_DARK},
    {NULL, NULL, "0;15", 256, FRAME_256_LIGHT},
    {NULL, NULL, "0;7", 256, FRAME_256_LIGHT},
    {NULL, NULL, "7;8", 256, FRAME_256_DARK},
    {NULL, NULL, "0;default;15", 256, FRAME_256_LIGHT},
    {NULL, NULL, "default;default", 256, FRAME_256_DARK},
    {NULL, NULL, "15", 256, FRAME_256_DARK},
    {NULL, NULL, "", 256, FRAME_256_DARK},
    {"1", NULL, NULL, 256, FRAME_MONO},
    {"", NULL, NULL, 256, FRAME_256_DARK},
    {"1", "1", NULL, 256, FRAME_MONO},
    {NULL, "1", NULL, 0, FRAME_8},
    {NULL, "0", NULL, 0, FRAME_MONO},
    {NULL, "1", NULL, 1 << 24, FRAME_256_DARK},
};

static void set(const char *name, const char *value)
{
    if (value != NULL) {
        setenv(name, value, 1);
    } else {
        unsetenv(name);
    }
}

START_TEST(test_the_palette_is_what_terminal_and_user_agree_on)
{
    set("NO_COLOR", rows[_i].no_color);
    set("CLICOLOR_FORCE", rows[_i].force);
    set("COLORFGBG", rows[_i].ground);
    ck_assert_int_eq(tui_choose_palette(rows[_i].colors), rows[_i].palette);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("tui palette");
    TCase *const c = tcase_create("palette");
    tcase_add_loop_test(c, test_the_palette_is_what_terminal_and_user_agree_on, 0,
                        (int)(sizeof rows / sizeof rows[0]));
    suite_add_tcase(s, c);
    return s;
}
