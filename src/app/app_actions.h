/** The actions' functions, for the table. */
#ifndef APP_ACTIONS_H
#define APP_ACTIONS_H

#include "app.h"

/* lesson.c: through a lesson */
void app_lesson_next(struct app *app);
void app_lesson_back(struct app *app);
void app_lesson_first(struct app *app);
void app_lesson_last(struct app *app);
void app_lesson_reset(struct app *app, struct app_key key);
void app_lesson_text_up(struct app *app, struct app_key key);
void app_lesson_text_down(struct app *app, struct app_key key);
void app_lesson_notes(struct app *app, struct app_key key);

/* lesson_question.c: its questions */
void app_lesson_choice_up(struct app *app, struct app_key key);
void app_lesson_choice_down(struct app *app, struct app_key key);
void app_lesson_tick(struct app *app, struct app_key key);
void app_lesson_type(struct app *app, struct app_key key);
void app_lesson_submit(struct app *app, struct app_key key);
void app_lesson_hint_key(struct app *app, struct app_key key);
void app_lesson_give_key(struct app *app, struct app_key key);
void app_lesson_look(struct app *app, struct app_key key);

/* lesson_pages.c: its contents, and what is found in its text */
void app_contents(struct app *app, struct app_key key);
void app_contents_up(struct app *app, struct app_key key);
void app_contents_down(struct app *app, struct app_key key);
void app_contents_go(struct app *app, struct app_key key);
void app_contents_close(struct app *app, struct app_key key);
/** Does what a stop adds to its page hold this, whatever the case? A page's first has its heading.
 */
bool app_lesson_holds(const struct app *app, int stop, const char *word);

/* lesson_draw.c */
/** Draw the lesson, or the list of its pages. @param walk  With the keys of the foot. */
void app_lesson_draw(struct app *app, struct frame *f, const struct view_walk *walk);

/* move.c: steps, stages, grain, cursor */
void app_next(struct app *app, struct app_key key);
void app_back(struct app *app, struct app_key key);
void app_next_stage(struct app *app, struct app_key key);
void app_prev_stage(struct app *app, struct app_key key);
void app_jump(struct app *app, struct app_key key);
void app_finer(struct app *app, struct app_key key);
void app_coarser(struct app *app, struct app_key key);
void app_first(struct app *app, struct app_key key);
void app_last(struct app *app, struct app_key key);
void app_up(struct app *app, struct app_key key);
void app_down(struct app *app, struct app_key key);
void app_left(struct app *app, struct app_key key);
void app_right(struct app *app, struct app_key key);
void app_row_start(struct app *app, struct app_key key);
void app_row_end(struct app *app, struct app_key key);
void app_next_matrix(struct app *app, struct app_key key);
void app_prev_matrix(struct app *app, struct app_key key);
void app_next_batch(struct app *app, struct app_key key);
void app_prev_batch(struct app *app, struct app_key key);
void app_click(struct app *app, struct app_key key);
void app_wheel_up(struct app *app, struct app_key key);
void app_wheel_down(struct app *app, struct app_key key);

/* cell.c: into a cell and on to where its numbers came from */
void app_open(struct app *app, struct app_key key);
void app_follow(struct app *app, struct app_key key);
void app_close(struct app *app, struct app_key key);
void app_term_first(struct app *app, struct app_key key);
void app_term_last(struct app *app, struct app_key key);
void app_term_up(struct app *app, struct app_key key);
void app_term_down(struct app *app, struct app_key key);
void app_operand_left(struct app *app, struct app_key key);
void app_operand_right(struct app *app, struct app_key key);

/** Remember this place: Esc comes back to it. */
void app_leave_trail(struct app *app);

/* slopes.c: the inputs that move a cell */
/** List them for the cell under the cursor. @return false if that failed, and was said. */
bool app_slopes_show(struct app *app);
void app_slopes(struct app *app, struct app_key key);
/** Select this input, if it is in the list. */
void app_slope_mark(struct app *app, struct attn_cell input);
void app_slope_go(struct app *app, struct app_key key);
void app_slope_up(struct app *app, struct app_key key);
void app_slope_down(struct app *app, struct app_key key);
void app_slope_first(struct app *app, struct app_key key);
void app_slope_last(struct app *app, struct app_key key);
void app_slope_page_up(struct app *app, struct app_key key);
void app_slope_page_down(struct app *app, struct app_key key);

/* screens.c: home, help, choices */
void app_home_up(struct app *app, struct app_key key);
void app_home_down(struct app *app, struct app_key key);
void app_home_choose(struct app *app, struct app_key key);
void app_language(struct app *app, struct app_key key);
void app_zoom_in(struct app *app, struct app_key key);
void app_zoom_out(struct app *app, struct app_key key);
void app_redraw(struct app *app, struct app_key key);
void app_quit(struct app *app, struct app_key key);

/* help.c */
void app_help(struct app *app, struct app_key key);
void app_help_close(struct app *app, struct app_key key);
void app_help_up(struct app *app, struct app_key key);
void app_help_down(struct app *app, struct app_key key);
void app_help_page_up(struct app *app, struct app_key key);
void app_help_page_down(struct app *app, struct app_key key);
void app_help_first(struct app *app, struct app_key key);
void app_help_last(struct app *app, struct app_key key);
/** Draw it; help_last is then the largest top that makes sense. */
void app_help_draw(struct app *app, struct frame *f, const struct view_key *keys, int n_keys);

/* whatif.c */
/** Is this tensor one that the stage shows? */
bool app_stage_shows(const struct app *app, int stage, enum attn_tensor_id id);
void app_history_finish(struct app_history *history);
/** Take over a trace and its setup; the old trace becomes `before`, but where one key is pressed
 * again and again: then what was before the first press stays it. */
void app_take_trace(struct app *app, struct setup *setup, attn_trace *trace);
void app_undo(struct app *app, struct app_key key);
void app_redo(struct app *app, struct app_key key);
void app_scale(struct app *app, struct app_key key);
void app_mask(struct app *app, struct app_key key);
void app_fill(struct app *app, struct app_key key);
void app_dropout(struct app *app, struct app_key key);
void app_train(struct app *app, struct app_key key);
void app_reseed(struct app *app, struct app_key key);
void app_edit(struct app *app, struct app_key key);

/* compare.c */
void app_other_finish(struct app_other *other);
/** After a change: the other computation follows, on the new numbers. */
void app_other_follow(struct app *app);
/** Hold the walk against another variant, or against itself without its bugs; quietly. */
void app_compare_with(struct app *app, enum attn_variant variant);
void app_compare_right(struct app *app);
void app_compare(struct app *app, struct app_key key);
void app_bug(struct app *app, struct app_key key);
void app_variant(struct app *app, struct app_key key);

/* find.c */
/** To a cell, where this stage shows it. */
void app_go_cell(struct app *app, int stage, struct attn_cell cell);
void app_search(struct app *app, struct app_key key);
void app_next_match(struct app *app, struct app_key key);
void app_prev_match(struct app *app, struct app_key key);

/* export.c */
void app_export(struct app *app, struct app_key key);
void app_write(struct app *app, struct app_key key);

/* last.c */
/** Start the walk that the home screen offers. @return false if that failed, and was said. */
bool app_continue(struct app *app);

/* play.c */
void app_play_init(struct app *app);
void app_play_pause(struct app *app, struct app_key key);
void app_slower(struct app *app, struct app_key key);
void app_faster(struct app *app, struct app_key key);
/** Before anything else acts on a key: the time that is over, the pause. @return true if that was
 * all. */
bool app_play_press(struct app *app, struct app_key key);
/** While it plays: say so, and how fast. */
void app_play_say(struct app *app);

/* prompt.c */
/** A key while the prompt is open. @return false if it is none of its keys. */
bool app_prompt_press(struct app *app, struct app_key key);
/** Draw it over the last row, with the terminal's cursor in it. */
void app_prompt_draw(const struct app *app, struct frame *f);

/** config_trace; what takes a while is told before. */
enum attn_status app_trace(struct app *app, struct setup *setup, attn_trace **trace,
                           const struct config *config, struct attn_error *err);

#endif
