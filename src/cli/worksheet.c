/* attn worksheet: a lesson on paper. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "lesson.h"
#include "lesson_show.h"

static enum cli_status print(const struct lesson *lesson, uint64_t seed, bool key)
{
    struct attn_error err = {.status = ATTN_OK};
    char *text = NULL;
    size_t size = 0;
    FILE *const out = open_memstream(&text, &size);
    enum attn_status status = out == NULL ? ATTN_E_NOMEM : ATTN_OK;
    if (out != NULL) {
        status = lesson_sheet(out, lesson, seed, key, &err);
        status = fclose(out) != 0 ? ATTN_E_NOMEM : status;
    }
    if (status == ATTN_E_NOMEM) {
        cli_message("worksheet", "out of memory");
    } else if (status != ATTN_OK) {
        (void)cli_fail(&err);
    } else {
        cli_write(text);
    }
    free(text);
    return status == ATTN_OK ? CLI_DONE : CLI_FAILED;
}

static enum cli_status run(struct cli *cli)
{
    struct lesson lesson;
    const char *const seed = cli_value(cli, "--seed");
    long long number = 1;
    if (cli->n_words == 0) {
        cli_message("worksheet", "of which lesson? (a number, a name or a file; attn lesson list "
                                 "shows those there are)");
        return CLI_USAGE;
    }
    if (seed != NULL && !config_parse_int(seed, 0, INT64_MAX, &number)) {
        cli_message("--seed", "'%s' is no seed (a whole number from 0 on)", seed);
        return CLI_USAGE;
    }
    enum cli_status status = lesson_show_open(cli, cli->words[0], &lesson);
    if (status == CLI_DONE) {
        status = print(&lesson, (uint64_t)number, cli_value(cli, "--key") != NULL);
        lesson_finish(&lesson);
    }
    return status;
}

static const struct cli_option options[] = {
    {"--key", NULL, "print the answer key to it instead"},
    {"--seed", "N", "which cells are left out (default 1); the key takes the same"},
    {"--lessons", "DIR", "look for lessons in DIR before the usual places"},
    {0}};

const struct cli_command cli_worksheet = {
    .name = "worksheet",
    .arguments = "LESSON",
    .summary = "a lesson's exercises as Markdown, with blanks; the key apart",
    .details =
        "Prints tables of the lesson's own numbers with cells left out, then its questions. The "
        "same seed leaves the same cells out, so that --key fits: attn worksheet 3 --seed 7 >"
        " sheet.md, then attn worksheet 3 --seed 7 --key > key.md.",
    .max_words = 1,
    .options = options,
    .run = run};
