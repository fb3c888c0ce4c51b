/** How a lesson's errors are shown. */
#ifndef LESSON_SHOW_H
#define LESSON_SHOW_H

#include "lesson.h"

/**
 * "FILE:LINE:COLUMN: error: what (what to do)", the line of the file, and a caret under the place;
 * on standard output, error by error.
 */
void lesson_show_errors(const struct lesson *lesson, const char *path,
                        const struct lesson_errors *errors);

#endif
