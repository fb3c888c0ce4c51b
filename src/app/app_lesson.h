/**
 * A lesson in the application: where in it one is, what has been answered, and the walk that goes
 * with it.
 *
 * A place is {stop, k}: a stop of the lesson, and one of the steps that its walk goes through
 * there. Everything that is seen follows from it and from what was answered, so going on and going
 * back are the same way. What the learner changes in the walk lies on top of that; app_lesson_reset
 * puts it back, and so does every way to another place.
 */
#ifndef APP_LESSON_H
#define APP_LESSON_H

#include "lesson.h"
#include "view_lesson.h"

struct app;
struct app_key;

enum { APP_LESSON_WORD_MAX = LESSON_PATH_MAX };

struct app_lesson {
    struct lesson lesson; /**< Meaningful while open. */
    bool open;
    char word[APP_LESSON_WORD_MAX]; /**< How it is found again: a path, or a name. */
    int stop;
    size_t k;
    struct lesson_place place; /**< Of the stop. */
    struct lesson_right right; /**< Of the question that is asked at the stop. */
    struct view_hidden hidden;
    struct view_asked *asked; /**< By lesson.questions; owned. */
    int scroll;               /**< As of view_lesson. */
    int most;                 /**< What it can be while the walk stands where the lesson has it. */
    bool looking; /**< The keys move in the walk although a question waits for its choice. */
    bool notes, bare;
    bool contents;                /**< The list of pages lies over the screen. */
    int row;                      /**< Of that list. */
    struct view_lesson_map shown; /**< Of the last frame drawn. */
};

/**
 * Begin a lesson that was read and checked.
 * @param lesson  Taken over; emptied. On a failure it is finished, and nothing else changes.
 * @param word    How it is found again.
 */
enum attn_status app_start_lesson(struct app *app, struct lesson *lesson, const char *word,
                                  struct attn_error *err);
/** Read a lesson by its path, or the built-in one by its name, and begin it. @return false if that
 * failed, and was said. */
bool app_open_lesson(struct app *app, const char *word);
/** Go to the stop and step that were kept; to the page of this title where the lesson has changed,
 * which is said. */
void app_lesson_resume(struct app *app, int stop, size_t k, const char *page);
void app_lesson_finish(struct app_lesson *l);
/** Go to a place; k beyond the stop's steps means the last. @return false if that failed, and was
 * said. */
bool app_lesson_go(struct app *app, int stop, size_t k);
/** Begin elsewhere: "4" the fourth page, "4.2" its second place, else the first page whose title
 * has these words. @return false if there is none such (nothing changed). */
bool app_lesson_goto(struct app *app, const char *where);
/** The question that is asked at the stop and not done yet, or NULL. */
const struct lesson_question *app_lesson_waiting(const struct app *app);
/** Its index in lesson.questions, or -1. */
int app_lesson_question(const struct app *app);
/** Has the walk been changed, or moved away from the lesson's place? */
bool app_lesson_away(const struct app *app);
/** What must not be seen now, or NULL. */
const struct view_hidden *app_lesson_hidden(const struct app *app);
/** Is this number one that the learner is asked for now? */
bool app_lesson_hides(const struct app *app, struct attn_cell cell);
/** Is this the end of the lesson? */
bool app_lesson_at_end(const struct app *app);
/** What the view needs to draw the lesson; the walk is drawn by `part`. */
struct view_lesson app_lesson_view(const struct app *app, struct view_part part);
/** What the lesson speaks of here and no cell shows, as it is now. */
void app_lesson_tell(const struct app *app, struct lesson_told *told);
/** Answer the question of the stop in words: for a choice its letters or numbers. */
void app_lesson_answer_text(struct app *app, const char *text);
/** Show the answer of the question of the stop. */
void app_lesson_give(struct app *app);
/** Show its next hint. @return false if there is none, or no more. */
bool app_lesson_hint(struct app *app);

#endif
