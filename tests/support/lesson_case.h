/** The lessons of the source tree, and one of them in an application with a frame to draw on. */
#ifndef LESSON_CASE_H
#define LESSON_CASE_H

#include "app_case.h"

/** How many there are; the same in every run, so that a loop test can go over them. */
int lesson_case_count(void);
/** The file's name without its ending. */
const char *lesson_case_stem(int i);
/** Begin lesson i on a screen of this size. */
struct app_case *lesson_case_start(int i, int cols, int rows);
/** Begin a lesson that is given as text. */
struct app_case *lesson_case_text(const char *text);

#endif
