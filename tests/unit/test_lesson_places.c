/* Where lessons are looked for, and which one a word means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson.h"
#include "runner.h"
#include "scratch.h"

static struct lesson_places places;

static void put(const char *name, const char *title)
{
    char text[256];
    snprintf(text, sizeof text, "---\ntitle: %s\nvariant: v1\nminutes: 3\n---\n# Page\n\nWords.\n",
             title);
    scratch_put(name, text, strlen(text));
}

static void begin(void)
{
    scratch_begin();
    ck_assert_int_eq(setenv("ATTN_LESSONS", "/nowhere/own", 1), 0);
    ck_assert_int_eq(setenv("XDG_DATA_HOME", "/nowhere/data", 1), 0);
    ck_assert_int_eq(setenv("XDG_DATA_DIRS", "/nowhere/a:/nowhere/b/:", 1), 0);
    put("02-second.md", "Two");
    put("10-tenth.md", "Ten");
    put("loose.md", "Loose");
    put("README.md", "No lesson");
    scratch_put("03-bad.md", "---\ntitle: Bad\n---\n", 19);
    scratch_put("notes.txt", "x", 1);
    char dir[512];
    snprintf(dir, sizeof dir, "%s", scratch_path("x"));
    *strrchr(dir, '/') = '\0';
    ck_assert_int_eq(lesson_places_init(&places, dir), ATTN_OK);
}

static void end(void)
{
    lesson_places_finish(&places);
    scratch_end();
}

START_TEST(the_places_are_looked_at_in_their_order)
{
    static const char *const dirs[] = {"/nowhere/own", "/nowhere/data/attn/lessons",
                                       "/nowhere/a/attn/lessons", "/nowhere/b/attn/lessons"};
    ck_assert_int_ge(places.n, 5);
    for (int i = 0; i < 4; i++) {
        ck_assert_str_eq(places.dirs[i + 1], dirs[i]);
    }
    ck_assert_ptr_nonnull(strstr(places.dirs[places.n - 1], "/attn/lessons"));
}
END_TEST

START_TEST(without_a_data_home_it_is_in_the_home)
{
    struct lesson_places others;
    unsetenv("XDG_DATA_HOME");
    setenv("HOME", "/nowhere/me", 1);
    ck_assert_int_eq(lesson_places_init(&others, NULL), ATTN_OK);
    ck_assert_str_eq(others.dirs[1], "/nowhere/me/.local/share/attn/lessons");
    lesson_places_finish(&others);
}
END_TEST

START_TEST(lessons_are_listed_by_number_then_name_and_broken_ones_marked)
{
    struct lesson_entry *entries = NULL;
    int n = 0;
    ck_assert_int_eq(lesson_list(&places, &entries, &n), ATTN_OK);
    int previous = 0;
    bool broken = false;
    for (int i = 0; i < n; i++) {
        ck_assert_str_ne(entries[i].name, "README");
        ck_assert(entries[i].number == 0 || entries[i].number >= previous);
        previous = entries[i].number != 0 ? entries[i].number : 9999;
        broken = broken || (strcmp(entries[i].name, "bad") == 0 && entries[i].broken);
    }
    ck_assert(broken);
    ck_assert_str_eq(entries[n - 1].title, "Loose");
    ck_assert(entries[n - 1].minutes == 3 && entries[n - 1].variant == ATTN_V1);
    lesson_list_free(entries, n);
}
END_TEST

START_TEST(a_lesson_is_a_number_a_name_or_a_path)
{
    const char *const words[] = {"10", "tenth", "10-tenth", "TENTH", scratch_path("10-tenth.md")};
    for (int i = 0; i < 5; i++) {
        struct lesson lesson;
        struct lesson_errors errors;
        struct attn_error err = {.message = ""};
        ck_assert_msg(lesson_open(&lesson, &places, words[i], &errors, &err) == ATTN_OK, "%s: %s",
                      words[i], err.message);
        ck_assert_str_eq(lesson.title, "Ten");
        lesson_finish(&lesson);
    }
}
END_TEST

START_TEST(where_there_is_none_the_nearest_and_every_place_are_named)
{
    struct lesson lesson;
    struct lesson_errors errors;
    struct attn_error err = {.message = ""};
    ck_assert_int_eq(lesson_open(&lesson, &places, "secnod", &errors, &err), ATTN_E_VALUE);
    ck_assert_ptr_nonnull(strstr(err.message, "did you mean second?"));
    ck_assert_int_eq(lesson_open(&lesson, &places, "4711", &errors, &err), ATTN_E_VALUE);
    for (int i = 0; i < places.n; i++) {
        ck_assert_msg(strstr(err.message, places.dirs[i]) != NULL, "%s", places.dirs[i]);
    }
    ck_assert_int_eq(lesson_open(&lesson, &places, "./none.md", &errors, &err), ATTN_E_IO);
    ck_assert_str_eq(err.what, "./none.md");
}
END_TEST

START_TEST(one_lesson_is_always_there)
{
    static char nowhere[] = "/nowhere/at/all";
    struct lesson_places none = {.dirs = {nowhere}, .n = 1};
    struct lesson_entry *entries = NULL;
    int n = 0;
    struct lesson lesson;
    struct lesson_errors errors;
    ck_assert_int_eq(lesson_list(&none, &entries, &n), ATTN_OK);
    ck_assert(n == 1 && entries[0].path[0] == '\0' && entries[0].number == 1);
    ck_assert_int_eq(lesson_open(&lesson, &none, entries[0].name, &errors, NULL), ATTN_OK);
    lesson_finish(&lesson);
    lesson_list_free(entries, n);
}
END_TEST

START_TEST(files_that_a_lesson_loads_are_beside_it)
{
    static const char text[] = "---\ntitle: T\nvariant: single\n---\n# P\n\n"
                               "```attn\ntokens: @words.txt\nload: x=x.csv\nmask: m.csv\n```\n";
    scratch_put("words.txt", "a\nb\n", 4);
    scratch_put("x.csv", "1,2\n3,4\n", 8);
    scratch_put("m.csv", "1,0\n1,1\n", 8);
    scratch_put("files.md", text, sizeof text - 1);
    struct lesson lesson;
    struct lesson_errors errors;
    struct config config;
    ck_assert_int_eq(lesson_read(&lesson, scratch_path("files.md"), &errors, NULL), ATTN_OK);
    lesson_check(&lesson, LESSON_MEMORY_MAX, &errors);
    ck_assert_msg(errors.n == 0, "%s", errors.items[0].message);
    ck_assert_int_eq(lesson_config(&lesson, 0, &config, NULL), ATTN_OK);
    ck_assert_str_eq(config.tokens.labels[1], "b");
    config_finish(&config);
    lesson_finish(&lesson);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("places of lessons");
    TCase *const t = tcase_create("all");
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, the_places_are_looked_at_in_their_order);
    tcase_add_test(t, without_a_data_home_it_is_in_the_home);
    tcase_add_test(t, lessons_are_listed_by_number_then_name_and_broken_ones_marked);
    tcase_add_test(t, a_lesson_is_a_number_a_name_or_a_path);
    tcase_add_test(t, where_there_is_none_the_nearest_and_every_place_are_named);
    tcase_add_test(t, one_lesson_is_always_there);
    tcase_add_test(t, files_that_a_lesson_loads_are_beside_it);
    suite_add_tcase(s, t);
    return s;
}
