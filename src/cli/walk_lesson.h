/** Lessons in the walk: opened by path, number or name, and read line by line. */
#ifndef WALK_LESSON_H
#define WALK_LESSON_H

#include "app.h"
#include "cli.h"

/**
 * Open the lesson that a word means and begin it. What is wrong with it is shown as attn lesson
 * check does.
 */
enum cli_status walk_lesson_start(struct cli *cli, struct app *app, const char *word);
/** The lesson as lines of text; after each place a line of standard input is waited for. */
enum cli_status walk_lesson_plain(struct app *app, bool wait);

#endif
