#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "cli.h"
#include "walk_lesson.h"

static enum cli_status show(struct app *app, const struct cli_face *face)
{
    if (face->plain && isatty(STDIN_FILENO)) {
        cli_message(NULL, "Enter goes on, q leaves; other keys as on the screen (attn help keys)");
    }
    if (face->plain) {
        return app->lesson.open ? walk_lesson_plain(app, true) : cli_plain(app, true);
    }
    return face->played ? cli_play(app, face) : cli_screen(app, face->mouse);
}

/** What is for lessons alone. */
static enum cli_status refuse_for_variant(const struct cli *cli)
{
    static const char *const names[] = {"--goto", "--present"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (cli_value(cli, names[i]) != NULL) {
            cli_message(names[i], "this is for a lesson, and %s is a variant (attn lesson list)",
                        cli->words[0]);
            return CLI_USAGE;
        }
    }
    return CLI_DONE;
}

/** A variant's name wins over a lesson's. */
static enum cli_status start(struct cli *cli, struct app *app)
{
    struct attn_error err = {.status = ATTN_OK};
    if (attn_variant_find(cli->words[0]) < 0) {
        return walk_lesson_start(cli, app, cli->words[0]);
    }
    enum cli_status status = cli_take_variant(cli);
    if (status == CLI_DONE) {
        status = refuse_for_variant(cli);
    }
    if (status != CLI_DONE) {
        return status;
    }
    if (app_start(app, &cli->config, &err) != ATTN_OK) {
        return cli_fail(&err);
    }
    for (int i = 0; i < app->setup.n_notes; i++) {
        cli_message(NULL, "%s", app->setup.notes[i]);
    }
    return CLI_DONE;
}

static enum cli_status walk(struct cli *cli)
{
    if (cli->n_words == 0) {
        cli->words[cli->n_words++] = attn_variants[ATTN_V3].name;
    }
    struct cli_face face;
    if (cli_take_face(cli, &face) != CLI_DONE) {
        return CLI_USAGE;
    }
    struct app *const app = malloc(sizeof *app);
    struct attn_error err = {.status = ATTN_OK};
    if (app == NULL) {
        cli_message("walk", "out of memory");
        return CLI_FAILED;
    }
    (void)app_init_home(app, &err);
    app->busy = (struct app_busy){.say = cli_tell_busy};
    enum cli_status status = start(cli, app);
    if (status == CLI_DONE) {
        status = show(app, &face);
    }
    app_finish(app);
    free(app);
    return status;
}

static const struct cli_option options[] = {
    {"--lessons", "DIR", "look for lessons in DIR before the usual places"},
    {"--goto", "PAGE", "begin a lesson at a page: its number, 4.2 for a place in it, or its title"},
    {"--present", NULL,
     "a lesson for a class: large cells, nothing around them; N shows the notes"},
    {"--plain", NULL, "line by line, without a screen; an empty line goes on"},
    CLI_FACE_OPTIONS,
    {0}};

const struct cli_command cli_walk = {
    .name = "walk",
    .arguments = "[VARIANT | LESSON]",
    .summary = "step through the computation, or a lesson, one number at a time",
    .details =
        "Opens the screen on this terminal; ? there lists the keys. A lesson is a path, a number "
        "or a "
        "name (attn lesson list); a variant's name wins.\n"
        "With --plain every step is lines of text: an empty line, or the end of input, goes on; "
        "any "
        "other line is keys, as with --keys: in a lesson T lists its pages, N reads its notes, ? "
        "its keys. At a question a line is the answer, ? asks for a hint, and an empty line shows "
        "the answer.\n"
        "KEYS are separated by spaces: a key's name (Space Enter Tab S-Tab Esc Backspace Up Down "
        "Left Right Home End PgUp PgDn F1 C-l) is that key, any other word is typed letter by "
        "letter.",
    .computes = true,
    .max_words = 1,
    .options = options,
    .run = walk};
