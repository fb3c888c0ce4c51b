/* The table of actions: what holds of every row. */
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "frame_case.h"
#include "runner.h"

/** The next of a list of key names. @return false at its end. */
static bool next_name(const char **list, char name[16])
{
    *list += strspn(*list, " ");
    const size_t n = strcspn(*list, " ");
    ck_assert_msg(n < 16, "a key's name is too long: %s", *list);
    memcpy(name, *list, n);
    name[n] = '\0';
    *list += n;
    return n > 0;
}

/** The key of a name or of a single character. @return false if it is neither. */
static bool to_key(const char *name, struct app_key *key)
{
    if (name[0] != '\0' && name[1] == '\0') {
        *key = (struct app_key){.code = APP_KEY_CHAR, .ch = (unsigned char)name[0]};
        return true;
    }
    return app_key_find(name, key);
}

START_TEST(every_row_has_a_name_of_its_own_keys_and_a_function)
{
    const struct app_action *const a = &app_actions[_i];
    ck_assert(a->name != NULL && a->keys != NULL && a->run != NULL && a->scope != 0);
    ck_assert_msg((int)a->group >= 0 && a->group < APP_N_GROUPS, "%s", a->name);
    for (int i = 0; i < _i; i++) {
        if (strcmp(app_actions[i].name, a->name) == 0) { /* an assertion each would take long */
            ck_abort_msg("%s comes twice", a->name);
        }
    }
}
END_TEST

START_TEST(every_name_of_a_key_is_one)
{
    const struct app_action *const a = &app_actions[_i];
    const char *list = a->keys;
    char name[16];
    int n = 0;
    while (next_name(&list, name)) {
        struct app_key key;
        ck_assert_msg(to_key(name, &key), "%s: %s is no key", a->name, name);
        ck_assert_msg(app_action_has(a, key), "%s does not have its key %s", a->name, name);
        n++;
    }
    ck_assert_msg(n > 0, "%s has no key", a->name);
}
END_TEST

START_TEST(no_key_means_two_things_in_one_scope)
{
    const struct app_action *const a = &app_actions[_i];
    const char *list = a->keys;
    char name[16];
    while (next_name(&list, name)) {
        struct app_key key;
        ck_assert(to_key(name, &key));
        for (int i = 0; i < app_n_actions; i++) {
            if (i != _i && (app_actions[i].scope & a->scope) != 0 &&
                app_action_has(&app_actions[i], key)) {
                ck_abort_msg("%s is both %s and %s", name, a->name, app_actions[i].name);
            }
        }
    }
}
END_TEST

/** Said elsewhere: at the foot, by another row with the same function, or it belongs to a screen
 * that is a list and shows what its arrows do. */
static bool needs_no_help(const struct app_action *a)
{
    bool shared = false;
    for (int i = 0; i < app_n_actions; i++) {
        shared = shared || (app_actions[i].run == a->run && app_actions[i].help != NULL);
    }
    return shared || a->footer != NULL || (a->scope & (APP_IN_WALK | APP_IN_CELL)) == 0;
}

START_TEST(every_action_has_a_line_of_help_or_a_reason_for_none)
{
    const struct app_action *const a = &app_actions[_i];
    if (a->help == NULL) {
        ck_assert_msg(needs_no_help(a), "%s has no help", a->name);
    } else {
        ck_assert_msg(a->help[0] != '\0' && a->help[strlen(a->help) - 1] != '.', "%s: %s", a->name,
                      a->help);
    }
}
END_TEST

/* The keys that are promised for the walk. */
static const char promised[] =
    "Space n PgDn b p Backspace PgUp ] [ 1 2 3 4 5 6 7 8 9 Click Tab S-Tab ` Up Down Left Right h "
    "j "
    "k l Home End 0 $ o O Enter Esc i e s m M d t r u U B V v + = - { } a < > c x w g G / ; , C-l "
    "? "
    "F1 "
    "q";

START_TEST(every_promised_key_does_something_in_the_walk)
{
    const char *list = promised;
    char name[16];
    while (next_name(&list, name)) {
        struct app_key key;
        bool found = false;
        ck_assert_msg(to_key(name, &key), "%s", name);
        for (int i = 0; i < app_n_actions; i++) {
            found = found || ((app_actions[i].scope & APP_IN_WALK) != 0 &&
                              app_action_has(&app_actions[i], key));
        }
        ck_assert_msg(found, "%s does nothing", name);
    }
}
END_TEST

START_TEST(the_help_shows_every_row_whole_on_80_columns)
{
    static struct app app;
    struct config config;
    struct attn_error err;
    struct frame *const f = frame_create(200, 80, false);
    config_init(&config, ATTN_V3);
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(app_init_walk(&app, &config, &err), ATTN_OK);
    static const struct {
        const char *keys;
        unsigned scope;
    } places[] = {{"G Enter ?", APP_IN_CELL}, {"i ?", APP_IN_SLOPES}, {"Esc Esc ?", APP_IN_WALK}};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        app_play(&app, f, places[k].keys);
        for (int i = 0; i < app_n_actions; i++) {
            const struct app_action *const a = &app_actions[i];
            const bool here = (a->scope & places[k].scope) != 0;
            ck_assert_msg(a->help == NULL || frame_case_shows(f, a->help) == here, "%s: %s",
                          a->name, a->help);
            ck_assert_msg(a->help == NULL || !here || frame_case_shows(f, a->keys), "%s", a->keys);
        }
        app_play(&app, f, "Esc");
    }
    app_play(&app, f, "Esc Esc ?");
    for (int group = 0; group < APP_N_GROUPS; group++) { /* what belongs elsewhere is not told */
        const bool here = group != APP_GROUP_LESSON && group != APP_GROUP_LAB;
        ck_assert_msg(frame_case_shows(f, app_group_names[group]) == here, "%s",
                      app_group_names[group]);
    }
    frame_destroy(f);
    config_finish(&config);
    app_finish(&app);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("actions");
    TCase *const t = tcase_create("table");
    tcase_add_loop_test(t, every_row_has_a_name_of_its_own_keys_and_a_function, 0, app_n_actions);
    tcase_add_loop_test(t, every_name_of_a_key_is_one, 0, app_n_actions);
    tcase_add_loop_test(t, no_key_means_two_things_in_one_scope, 0, app_n_actions);
    tcase_add_loop_test(t, every_action_has_a_line_of_help_or_a_reason_for_none, 0, app_n_actions);
    tcase_add_test(t, every_promised_key_does_something_in_the_walk);
    tcase_add_test(t, the_help_shows_every_row_whole_on_80_columns);
    suite_add_tcase(s, t);
    return s;
}
