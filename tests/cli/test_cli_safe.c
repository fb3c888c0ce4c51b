/* Whatever a command line or a file holds: what is printed is text, and no terminal obeys it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "io.h"
#include "program.h"
#include "runner.h"
#include "scratch.h"

/* An escape, a line end, a bell, bytes that are no UTF-8, DEL, and a C1 control in UTF-8. */
#define BYTES "a\x1b[31mb\n\a\xff\xc3\x28\x7f\xc2\x9b"

/* Where a name is to be written to, there is no such directory. */
#define HOSTILE "nowhere/" BYTES

/** Words with which a command goes as far as it can; each in turn is made hostile. */
static const struct {
    const char *command;
    const char *words[6];
} rows[] = {
    {"", {NULL}},
    {"walk", {"v3"}},
    {"run", {"v3"}},
    {"explain", {"v3", "weights", "0", "1", "2"}},
    {"code", {"v3"}},
    {"check", {"v3"}},
    {"lesson", {"list"}},
    {"lesson", {"check", "nowhere.md"}},
    {"lesson", {"new", "nowhere/new.md"}},
    {"lab", {"masks"}},
    {"export", {"1"}},
    {"worksheet", {"1"}},
    {"help", {"bugs"}},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

/** A command line for a message. */
static const char *line_of(const char *const *args)
{
    static char line[512];
    line[0] = '\0';
    for (int i = 0; args[i] != NULL; i++) {
        const size_t n = strlen(line);
        snprintf(line + n, sizeof line - n, " %s", args[i]);
    }
    return line;
}

static void check_text(const char *text, const char *const *args, const char *stream)
{
    const size_t n = strlen(text);
    for (size_t i = 0; i < n;) {
        uint32_t code = 0;
        const size_t bytes = io_utf8(text + i, n - i, &code);
        const bool obeyed = code != '\n' && code != '\t' && (code < 0x20 || code == 0x7f);
        const bool second = code >= 0x80 && code < 0xa0;
        ck_assert_msg(bytes > 0 && !obeyed && !second, "attn%s: byte %zu of %s is %02x",
                      line_of(args), i, stream, (unsigned)(unsigned char)text[i]);
        i += bytes;
    }
}

/** Run it, and look at what it prints. */
static void run(const char *const *args)
{
    struct program program = {.args = {NULL}};
    struct program_result r;
    for (int i = 0; args[i] != NULL; i++) {
        program.args[i] = args[i];
    }
    program_run(&program, &r);
    ck_assert_msg(r.status < 128, "attn%s: exit %d", line_of(args), r.status);
    check_text(r.out, args, "standard output");
    check_text(r.err, args, "standard error");
    program_finish(&r);
}

/** A row's words, in a command line that ends where it is written on. @return how many. */
static int begin(int row, const char **args)
{
    int n = 0;
    if (rows[row].command[0] != '\0') {
        args[n++] = rows[row].command;
    }
    for (int i = 0; rows[row].words[i] != NULL; i++) {
        args[n++] = rows[row].words[i];
    }
    args[n] = NULL;
    return n;
}

static const struct cli_command *command_of(int row)
{
    return rows[row].command[0] != '\0' ? cli_find_command(rows[row].command) : &cli_home;
}

/** Is there a way without a screen, on which more is printed? */
static bool has_plain(int row)
{
    const struct cli_option *const options = command_of(row)->options;
    for (int i = 0; options != NULL && options[i].name != NULL; i++) {
        if (strcmp(options[i].name, "--plain") == 0) {
            return true;
        }
    }
    return false;
}

START_TEST(every_command_is_in_the_table)
{
    for (int i = 0; cli_commands[i] != NULL; i++) {
        bool found = false;
        for (int row = 0; row < N_ROWS; row++) {
            found = found || strcmp(rows[row].command, cli_commands[i]->name) == 0;
        }
        ck_assert_msg(found, "%s", cli_commands[i]->name);
    }
}
END_TEST

START_TEST(no_word_of_a_command_line_reaches_a_terminal_as_it_is)
{
    const int first = rows[_i].command[0] != '\0' ? 1 : 0;
    const char *args[PROGRAM_ARGS_MAX];
    const int n = begin(_i, args);
    for (int at = 0; at <= n; at++) { /* the command too, and one word too many */
        const int end = begin(_i, args);
        args[end] = args[end + 1] = NULL;
        args[at] = HOSTILE;
        run(args);
        if (at >= first && has_plain(_i)) {
            args[at < end ? end : end + 1] = "--plain";
            args[at < end ? end + 1 : end + 2] = NULL;
            run(args);
        }
    }
    begin(_i, args);
    args[n] = "--" HOSTILE;
    args[n + 1] = NULL;
    run(args);
    args[n] = "--";
    args[n + 1] = HOSTILE;
    args[n + 2] = NULL;
    run(args);
}
END_TEST

static void try_option(int row, const char *name)
{
    const char *args[PROGRAM_ARGS_MAX];
    const int n = begin(row, args);
    args[n] = name;
    args[n + 1] = HOSTILE;
    args[n + 2] = has_plain(row) ? "--plain" : NULL;
    args[n + 3] = NULL;
    run(args);
}

START_TEST(no_value_of_an_option_reaches_a_terminal_as_it_is)
{
    const struct cli_command *const command = command_of(_i);
    ck_assert_ptr_nonnull(command);
    for (int i = 0; command->options != NULL && command->options[i].name != NULL; i++) {
        if (command->options[i].argument != NULL) {
            try_option(_i, command->options[i].name);
        }
    }
    for (int i = 0; command->computes && i < CONFIG_N_OPTIONS; i++) {
        if (config_options[i].argument != NULL) {
            try_option(_i, config_options[i].name);
        }
    }
}
END_TEST

/** Files with such names, and with such text in them. */
START_TEST(no_name_of_a_file_reaches_a_terminal_as_it_is)
{
    static const char sound[] = "---\ntitle: T\n---\n# Page\n\nWords.\n";
    static const char broken[] = "---\ntitle: \xff\x1b[31m\n---\n";
    static const char data[] = "{\"\\u001b[31m\": [1]}";
    char of_sound[] = BYTES "sound.md";
    char of_broken[] = BYTES "broken.md";
    char of_data[] = BYTES ".json";
    char of_result[] = BYTES "saved.json";
    char of_lesson[] = BYTES "new.md";
    scratch_put(of_sound, sound, strlen(sound));
    scratch_put(of_broken, broken, strlen(broken));
    scratch_put(of_data, data, strlen(data));
    const char *const lines[][8] = {
        {"lesson", "list", "--lessons", scratch_path("")},
        {"lesson", "check", scratch_path(of_sound), scratch_path(of_broken)},
        {"lesson", "new", scratch_path(of_lesson)},
        {"worksheet", scratch_path(of_broken)},
        {"run", "v3", "--load", scratch_path(of_data)},
        {"run", "v3", "--verbose", "--load", scratch_path(of_data)},
        {"run", "v3", "--save", scratch_path(of_result)},
        {"run", "v3", "--tokens", "@" BYTES},
        {"check", "v3", "--", "printf", BYTES},
        {"check", "v3", "--", "sh", "-c", "printf '\\033[31m\\377\\000x'; exit 1"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        run(lines[i]);
    }
    scratch_end();
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("text that is safe to print");
    TCase *const t = tcase_create("every command");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, every_command_is_in_the_table);
    tcase_add_loop_test(t, no_word_of_a_command_line_reaches_a_terminal_as_it_is, 0, N_ROWS);
    tcase_add_loop_test(t, no_value_of_an_option_reaches_a_terminal_as_it_is, 0, N_ROWS);
    TCase *const files = tcase_create("files");
    tcase_add_checked_fixture(files, scratch_begin, NULL);
    tcase_add_test(files, no_name_of_a_file_reaches_a_terminal_as_it_is);
    suite_add_tcase(s, t);
    suite_add_tcase(s, files);
    return s;
}
