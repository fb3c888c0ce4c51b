/**
 * An instrument at work: what it measured, and where in it one looks.
 */
#ifndef APP_LAB_H
#define APP_LAB_H

#include "lab.h"
#include "view_lab.h"

struct app;
struct app_action;
struct app_key;

enum { APP_MASKS_UNDO_MAX = 64 };

/** What the keys of the masks instrument change. */
struct app_masks_state {
    int S;
    enum lab_preset preset;
    int grid[LAB_TOKENS_MAX][LAB_TOKENS_MAX];
    float fill;
    int keeps;
    enum attn_causal_align align;
    enum attn_empty_row empty;
};

/** Only what its kind says is there. */
struct app_lab {
    enum lab_kind kind;
    struct lab_scaling *scaling;
    int width; /**< Of its readings, that is looked at. */
    struct lab_masks *masks;
    int row, col; /**< The cell of its grid that the cursor is on. */
    struct app_masks_state states[APP_MASKS_UNDO_MAX]; /**< Undone to, and done again. */
    int n_states, state;                               /**< state: where in them it is now. */
    struct lab_cost *cost;
    int length; /**< Of its rows, that is looked at. */
};

/** Is there something left to measure? The next APP_KEY_TIMEOUT, which app_wait asks for at once,
 * goes on with it. */
bool app_lab_busy(const struct app *app);
/** Measure a part of it: short enough for a key to be answered in time. */
void app_lab_work(struct app *app);
/** Measure all of it but time: what is the same on every machine. */
void app_lab_settle(struct app *app);
/** Measure time too, or (false) leave it out from now on. */
void app_lab_time(struct app *app, bool measure);
/** Let go of the instrument; the walk is there again. */
void app_lab_close(struct app *app);
/** The scope of its own keys, or 0 where there is none; they go with a lesson's too. */
unsigned app_lab_scope(const struct app *app);
/** Is this action about a walk whose place an instrument has taken? Then it does nothing. */
bool app_lab_hides(const struct app *app, const struct app_action *action);
/** What the view needs to draw it. */
struct view_lab app_lab_view(const struct app *app);
/** Draw it over the whole frame. */
void app_lab_draw(const struct app *app, struct frame *f, const struct view_key *keys, int n_keys);
/** The instrument as lines of text. */
void app_lab_plain(const struct app *app, FILE *out, bool ascii);

/* Keys of the scaling instrument. */
void app_lab_left(struct app *app, struct app_key key);
void app_lab_right(struct app *app, struct app_key key);
void app_lab_first(struct app *app, struct app_key key);
void app_lab_last(struct app *app, struct app_key key);
void app_lab_more_keys(struct app *app, struct app_key key);
void app_lab_fewer_keys(struct app *app, struct app_key key);
void app_lab_reseed(struct app *app, struct app_key key);

/* Keys of the cost instrument (lab_cost.c). */
void app_cost_longer(struct app *app, struct app_key key);
void app_cost_shorter(struct app *app, struct app_key key);
void app_cost_wider(struct app *app, struct app_key key);
void app_cost_narrower(struct app *app, struct app_key key);
void app_cost_output(struct app *app, struct app_key key);
void app_cost_again(struct app *app, struct app_key key);

/* Keys of the masks instrument (lab_masks.c). */
void app_masks_up(struct app *app, struct app_key key);
void app_masks_down(struct app *app, struct app_key key);
void app_masks_left(struct app *app, struct app_key key);
void app_masks_right(struct app *app, struct app_key key);
void app_masks_paint(struct app *app, struct app_key key);
/** Space, which goes on where there is a lesson. */
void app_masks_space(struct app *app, struct app_key key);
void app_masks_preset(struct app *app, struct app_key key);
void app_masks_fill(struct app *app, struct app_key key);
void app_masks_polarity(struct app *app, struct app_key key);
void app_masks_align(struct app *app, struct app_key key);
void app_masks_empty(struct app *app, struct app_key key);
void app_masks_more_keys(struct app *app, struct app_key key);
void app_masks_fewer_keys(struct app *app, struct app_key key);
void app_masks_undo(struct app *app, struct app_key key);
void app_masks_redo(struct app *app, struct app_key key);

enum attn_status app_cost_open(struct app_lab *lab, const struct config *config,
                               struct attn_error *err);
/** Open it for this configuration. */
enum attn_status app_masks_open(struct app_lab *lab, const struct config *config,
                                struct attn_error *err);

#endif
