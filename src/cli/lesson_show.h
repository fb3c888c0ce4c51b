/** How a lesson's errors are shown. */
#ifndef LESSON_SHOW_H
#define LESSON_SHOW_H

#include "cli.h"
#include "lesson.h"

/**
 * "FILE:LINE:COLUMN: error: what (what to do)", the line of the file, and a caret under the place;
 * on standard output, error by error.
 */
void lesson_show_errors(const struct lesson *lesson, const char *path,
                        const struct lesson_errors *errors);

/**
 * Read and check the lesson that a word means; what is wrong is told.
 * @param lesson  Out; the caller finishes it after CLI_DONE alone.
 */
enum cli_status lesson_show_open(struct cli *cli, const char *word, struct lesson *lesson);

#endif
