/* What there is, is told of: every option of every command, in the help, the manual and the shells'
 * completion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "program.h"
#include "runner.h"

/** What the program writes. @return the text, owned by the caller. */
static char *written(const char *first, const char *second, const char *third)
{
    const struct program program = {.args = {first, second, third}};
    struct program_result r;
    program_run(&program, &r);
    ck_assert_msg(r.status == 0, "attn %s %s: %s", first, second, r.err);
    free(r.err);
    return r.out;
}

/** The part of a text from a mark up to the next of another; the text's end is one too. */
static char *part(const char *text, const char *from, const char *to)
{
    const char *const start = strstr(text, from);
    ck_assert_msg(start != NULL, "there is no %s", from);
    const char *const end = strstr(start + strlen(from), to);
    const size_t n = end != NULL ? (size_t)(end - start) : strlen(start);
    char *const out = malloc(n + 1);
    ck_assert_ptr_nonnull(out);
    memcpy(out, start, n);
    out[n] = '\0';
    return out;
}

/** Is it there, and not only as the beginning of another name? */
static bool has(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        if (strchr("abcdefghijklmnopqrstuvwxyz-", at[n]) == NULL || at[n] == '\0') {
            return true;
        }
    }
    return false;
}

/** Look for each of the command's options, in the form that a text has them in. */
static void check_options(const struct cli_command *command, const char *text, const char *form,
                          const char *where, bool shared)
{
    char name[96];
    for (const struct cli_option *o = command->options; o->name != NULL; o++) {
        snprintf(name, sizeof name, form, o->name + 2);
        ck_assert_msg(has(text, name), "%s: %s in %s", command->name, name, where);
    }
    for (int i = 0; shared && command->computes && i < CONFIG_N_OPTIONS; i++) {
        snprintf(name, sizeof name, form, config_options[i].name + 2);
        ck_assert_msg(has(text, name), "%s: %s in %s", command->name, name, where);
    }
}

static int count_commands(void)
{
    int n = 0;
    while (cli_commands[n] != NULL) {
        n++;
    }
    return n;
}

START_TEST(the_help_of_a_command_has_all_its_options)
{
    for (int i = 0; i < count_commands(); i++) {
        char *const text = written(cli_commands[i]->name, "--help", NULL);
        check_options(cli_commands[i], text, "  --%s", "its help", true);
        free(text);
    }
}
END_TEST

START_TEST(the_help_tells_of_an_option_by_its_name)
{
    for (int i = 0; cli_command_at(i) != NULL; i++) {
        for (const struct cli_option *o = cli_command_at(i)->options; o->name != NULL; o++) {
            const bool own = cli_command_at(i) == &cli_help; /* which would act */
            char *const text = written("help", own ? o->name + 2 : o->name, NULL);
            ck_assert_msg(has(text, o->name), "%s", text);
            ck_assert_msg(strstr(text, cli_command_at(i)->name) != NULL, "%s", text);
            free(text);
        }
    }
}
END_TEST

START_TEST(the_manual_has_every_command_and_option)
{
    char *const text = written("help", "--man", NULL);
    size_t n = 0; /* without what keeps mdoc from reading words */
    for (const char *at = text; *at != '\0'; at++) {
        if (strchr("\\&\"", *at) == NULL) {
            text[n++] = *at;
        }
    }
    text[n] = '\0';
    for (int i = 0; i < count_commands(); i++) {
        char name[32];
        snprintf(name, sizeof name, "\n.It Cm %s", cli_commands[i]->name);
        char *const section = part(text, name, "\n.It Cm ");
        check_options(cli_commands[i], section, "Fl -%s", "the manual", false);
        free(section);
    }
    check_options(&cli_home, text, "Fl -%s", "the manual", true);
    free(text);
}
END_TEST

START_TEST(the_completion_has_every_option)
{
    static const struct {
        const char *shell;
        const char *begin, *end; /**< Around what is a command's; %s is its name. */
        const char *form, *shared_form;
    } shells[] = {
        {"bash", "\n    %s)\n        options+=", ";;", " --%s", "--%s"},
        {"zsh", "\n    %s)\n        lines+=", ";;", "--%s", "--%s"},
        {"fish", "\ncomplete -c attn -n '__attn_is %s' -l", "\ncomplete -c attn -n __attn_first",
         " -l %s", " -l %s"},
    };
    for (size_t k = 0; k < sizeof shells / sizeof shells[0]; k++) {
        char *const text = written("help", "--completion", shells[k].shell);
        for (int i = 0; i < count_commands(); i++) {
            char begin[96];
            snprintf(begin, sizeof begin, shells[k].begin, cli_commands[i]->name);
            char *const section = part(text, begin, shells[k].end);
            check_options(cli_commands[i], section, shells[k].form, shells[k].shell, false);
            free(section);
        }
        check_options(&cli_home, text, shells[k].shared_form, shells[k].shell, true);
        free(text);
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("help");
    TCase *const t = tcase_create("options");
    tcase_add_test(t, the_help_of_a_command_has_all_its_options);
    tcase_add_test(t, the_help_tells_of_an_option_by_its_name);
    tcase_add_test(t, the_manual_has_every_command_and_option);
    tcase_add_test(t, the_completion_has_every_option);
    suite_add_tcase(s, t);
    return s;
}
