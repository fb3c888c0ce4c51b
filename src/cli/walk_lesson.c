#include "walk_lesson.h"

#include <stdlib.h>
#include <string.h>

#include "lesson_show.h"

static enum cli_status out_of_memory(void)
{
    cli_message("walk", "out of memory");
    return CLI_FAILED;
}

/** The first option given that says what to compute. */
static enum attn_status note_option(void *context, const char *name, const char *value)
{
    const char **const first = context;
    (void)value;
    *first = *first == NULL ? name : *first;
    return ATTN_OK;
}

/** A lesson says itself what is computed. */
static enum cli_status refuse_options(struct cli *cli, const char *word)
{
    const char *name = NULL;
    (void)config_write_options(&cli->config, note_option, &name);
    if (name == NULL) {
        return CLI_DONE;
    }
    cli_message(name,
                "the lesson %s sets this itself (leave it out; the keys s m d e and others "
                "change what it computes)",
                word);
    return CLI_USAGE;
}

/** Neither a variant nor a lesson. */
static enum cli_status unknown(const char *word, const struct attn_error *err)
{
    const char *names[ATTN_N_VARIANTS];
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        names[i] = attn_variants[i].name;
    }
    const char *const near = config_nearest(word, names, ATTN_N_VARIANTS);
    if (near != NULL) {
        cli_message(word, "no such variant and no such lesson (did you mean %s?)", near);
        return CLI_USAGE;
    }
    (void)cli_fail(err);
    return CLI_USAGE;
}

static enum attn_status open_word(struct cli *cli, const char *word, struct lesson *lesson,
                                  struct lesson_errors *errors, struct attn_error *err)
{
    struct lesson_places places;
    enum attn_status status = lesson_places_init(&places, cli_value(cli, "--lessons"));
    if (status == ATTN_OK) {
        status = lesson_open(lesson, &places, word, errors, err);
        lesson_places_finish(&places);
    }
    return status;
}

enum cli_status walk_lesson_start(struct cli *cli, struct app *app, const char *word)
{
    struct lesson lesson;
    struct lesson_errors errors;
    struct attn_error err = {.status = ATTN_OK};
    enum attn_status status = open_word(cli, word, &lesson, &errors, &err);
    if (status == ATTN_E_VALUE) {
        return unknown(word, &err);
    }
    if (status == ATTN_E_IO) {
        return cli_fail(&err);
    }
    if (status != ATTN_E_NOMEM) {
        status = lesson_check(&lesson, LESSON_MEMORY_MAX, &errors);
    }
    enum cli_status result = CLI_DONE;
    if (status == ATTN_E_NOMEM) {
        result = out_of_memory();
    } else if (status != ATTN_OK) {
        lesson_show_errors(&lesson, lesson.path != NULL ? lesson.path : word, &errors);
        result = CLI_FAILED;
    } else {
        result = refuse_options(cli, word);
    }
    if (result == CLI_DONE) {
        const char *const path = lesson.path != NULL ? lesson.path : word;
        return app_start_lesson(app, &lesson, path, &err) == ATTN_OK ? CLI_DONE : cli_fail(&err);
    }
    lesson_finish(&lesson);
    return result;
}
