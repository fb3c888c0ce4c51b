#include "lesson.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "lesson_show.h"

static enum cli_status out_of_memory(void)
{
    cli_message("lesson", "out of memory");
    return CLI_FAILED;
}

/* ---- list ---- */

/** The columns of a screen, as the environment tells them; else as most have. */
static int screen_columns(void)
{
    enum { COLUMNS = 80, LEAST = 40 };
    const char *const text = getenv("COLUMNS");
    const long columns = text != NULL ? strtol(text, NULL, 10) : 0;
    return columns <= 0 ? COLUMNS : columns < LEAST ? LEAST : columns < 1000 ? (int)columns : 1000;
}

/** As much of the text as there are columns for, with an ellipsis where it is cut. */
static void shorten(char *text, int columns)
{
    char *at = text;
    if (cli_columns(text) <= columns) {
        return;
    }
    for (int i = 0; i + 1 < columns; i++) {
        for (at++; ((unsigned char)*at & 0xC0) == 0x80; at++) {
        }
    }
    while (at > text && at[-1] == ' ') {
        at--;
    }
    memcpy(at, "…", sizeof "…");
}

/** One line on a screen: the minutes give way first, then the end of the title. */
static void print_entry(const struct lesson_entry *e)
{
    enum { NAME_COLUMNS = 16, TITLE_COLUMNS_MIN = 10 };
    char number[16] = "";
    char about[64];
    char title[sizeof e->title + sizeof "…"];
    if (e->number > 0) {
        snprintf(number, sizeof number, "%d", e->number);
    }
    const char *const variant = attn_variants[e->variant].name;
    const int name = cli_columns(e->name);
    int room = screen_columns() - 3 - 2 - (name > NAME_COLUMNS ? name : NAME_COLUMNS) - 2 - 3;
    snprintf(about, sizeof about, e->minutes > 0 ? "%s, %d min" : "%s", variant, e->minutes);
    if (cli_columns(e->title) + cli_columns(about) > room) {
        snprintf(about, sizeof about, "%s", variant);
    }
    room -= cli_columns(about);
    snprintf(title, sizeof title, "%s", e->title);
    shorten(title, room > TITLE_COLUMNS_MIN ? room : TITLE_COLUMNS_MIN);
    cli_printf("%3s  %-16s  %s (%s)\n", number, e->name, title, about);
    if (e->broken) {
        cli_printf("     it has errors: attn lesson check %s\n", e->path);
    }
}

static enum cli_status list(struct cli *cli)
{
    struct lesson_places places;
    struct lesson_entry *entries = NULL;
    int n = 0;
    if (cli->n_words > 1) {
        cli_message(cli->words[1], "one argument too many (usage: attn lesson list)");
        return CLI_USAGE;
    }
    enum attn_status status = lesson_places_init(&places, cli_value(cli, "--lessons"));
    if (status == ATTN_OK) {
        status = lesson_list(&places, &entries, &n);
        if (status == ATTN_OK && n == 1 && entries[0].path[0] == '\0') {
            cli_message("lesson", "there is only the lesson that is built in; looked in:");
            for (int i = 0; i < places.n; i++) {
                cli_message(NULL, "  %s", places.dirs[i]);
            }
        }
        lesson_places_finish(&places);
    }
    if (status != ATTN_OK) {
        return out_of_memory();
    }
    for (int i = 0; i < n; i++) {
        print_entry(&entries[i]);
    }
    lesson_list_free(entries, n);
    return CLI_DONE;
}

/* ---- check ---- */

static int count_asked(const struct lesson *lesson)
{
    int n = 0;
    for (int i = 0; i < lesson->n_questions; i++) {
        n += lesson->questions[i].block >= 0 ? 1 : 0;
    }
    return n;
}

static void count(char *out, size_t size, int n, const char *what)
{
    snprintf(out, size, "%d %s%s", n, what, n == 1 ? "" : "s");
}

static void print_sound(const struct lesson *lesson, const char *path)
{
    char pages[32];
    char steps[32];
    char questions[32];
    count(pages, sizeof pages, lesson->n_pages, "page");
    count(steps, sizeof steps, lesson->n_steps, "step");
    count(questions, sizeof questions, count_asked(lesson), "question");
    cli_printf("%s: no errors (%s, %s, %s)\n", path, pages, steps, questions);
}

/** The guide beside the lessons is none of them: `check *.md` names it too. */
static bool is_readme(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return strcasecmp(slash != NULL ? slash + 1 : path, "README.md") == 0;
}

static enum cli_status check_file(const char *path)
{
    if (is_readme(path)) {
        cli_printf("%s: not a lesson, left out\n", path);
        return CLI_DONE;
    }
    struct lesson lesson;
    struct lesson_errors errors;
    struct attn_error err = {.message = ""};
    enum attn_status status = lesson_read(&lesson, path, &errors, &err);
    if (status == ATTN_E_IO) {
        return cli_fail(&err);
    }
    if (status != ATTN_E_NOMEM) {
        status = lesson_check(&lesson, LESSON_MEMORY_MAX, &errors);
    }
    if (status == ATTN_OK) {
        print_sound(&lesson, path);
    } else if (status == ATTN_E_FORMAT) {
        lesson_show_errors(&lesson, path, &errors);
    }
    lesson_finish(&lesson);
    return status == ATTN_E_NOMEM ? out_of_memory() : status == ATTN_OK ? CLI_DONE : CLI_FAILED;
}

static enum cli_status check(struct cli *cli)
{
    enum cli_status status = CLI_DONE;
    if (cli->n_words < 2) {
        cli_message("check", "which lesson? (attn lesson check FILE…)");
        return CLI_USAGE;
    }
    for (int i = 1; i < cli->n_words; i++) {
        const enum cli_status one = check_file(cli->words[i]);
        status = one != CLI_DONE ? one : status;
    }
    return status;
}

/* ---- new ---- */

static enum cli_status new_file(struct cli *cli)
{
    if (cli->n_words != 2) {
        cli_message("new", "%s (attn lesson new FILE.md)",
                    cli->n_words < 2 ? "which file?" : "one file at a time");
        return CLI_USAGE;
    }
    const char *const path = cli->words[1];
    errno = 0;
    FILE *const f = fopen(path, "wx"); /* never over a file that is there */
    if (f == NULL) {
        cli_message(path, "it cannot be written: %s%s", strerror(errno),
                    errno == EEXIST   ? " (choose another name)"
                    : errno == ENOENT ? " (make its folder first)"
                                      : "");
        return CLI_FAILED;
    }
    const bool whole = fwrite(lesson_skeleton, 1, lesson_skeleton_size, f) == lesson_skeleton_size;
    if (fclose(f) != 0 || !whole) {
        cli_message(path, "%s", strerror(errno));
        remove(path);
        return CLI_FAILED;
    }
    cli_printf("%s: a lesson to start from (change it, then: attn lesson check %s)\n", path, path);
    return CLI_DONE;
}

/* ---- the command ---- */

static const struct {
    const char *name;
    enum cli_status (*run)(struct cli *cli);
} actions[] = {{"list", list}, {"check", check}, {"new", new_file}};

enum { N_ACTIONS = sizeof actions / sizeof actions[0] };

static enum cli_status run(struct cli *cli)
{
    const char *names[N_ACTIONS];
    for (int i = 0; i < N_ACTIONS; i++) {
        names[i] = actions[i].name;
        if (cli->n_words > 0 && strcmp(cli->words[0], names[i]) == 0) {
            return actions[i].run(cli);
        }
    }
    if (cli->n_words == 0) {
        cli_message("lesson", "what about them? (attn lesson list | check FILE… | new FILE)");
        return CLI_USAGE;
    }
    const char *const near = config_nearest(cli->words[0], names, N_ACTIONS);
    cli_message(cli->words[0], "no such action (%s%s%sattn lesson list | check FILE… | new FILE)",
                near != NULL ? "did you mean " : "", near != NULL ? near : "",
                near != NULL ? "? " : "");
    return CLI_USAGE;
}

static const struct cli_option options[] = {
    {"--lessons", "DIR", "look for lessons in DIR before the usual places"}, {0}};

const struct cli_command cli_lesson = {
    .name = "lesson",
    .arguments = "list | check FILE… | new FILE",
    .summary = "list the lessons, check one that you write, begin a new one",
    .details =
        "list: every lesson that is found, by number; attn walk takes its number or its name.\n"
        "check: reads lesson files and holds them against what is computed; each error with its "
        "line, its column and what to do.\n"
        "new: writes a commented lesson that passes the check, to start from.",
    .max_words = CLI_WORDS_MAX,
    .options = options,
    .run = run};
