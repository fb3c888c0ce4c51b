/**
 * The application without a terminal: a state, keys in, a frame out.
 *
 *   key ──action table──► action ──► state ──app_draw──► frame
 *
 * One table (actions.c) has every action with its keys and its words; the dispatch, the line at the
 * foot, the help, --keys and the manual page are made from it.
 */
#ifndef APP_H
#define APP_H

#include <stdbool.h>

#include "app_lab.h"
#include "app_lesson.h"
#include "config.h"
#include "frame.h"
#include "key.h"
#include "view.h"
#include "walk.h"

/** Where a key means something; an action names one or several. */
enum app_scope {
    APP_IN_HOME = 1,
    APP_IN_WALK = 2,
    APP_IN_CELL = 4, /**< A cell's arithmetic is open. */
    APP_IN_HELP = 8,
    APP_IN_PROMPT = 16,
    APP_IN_LESSON = 32,    /**< In the walk of a lesson. */
    APP_IN_ASKED = 64,     /**< There, where an answer is to be typed. */
    APP_IN_CHOICE = 128,   /**< There, where one is to be chosen. */
    APP_IN_CONTENTS = 256, /**< The list of a lesson's pages. */
    APP_IN_LAB = 512,      /**< An instrument has the screen for itself. */
    APP_EVERYWHERE = 1023 | 8192,
    APP_IN_SCALING = 1024, /**< This instrument is there, in a lesson too. */
    APP_IN_COST = 2048,
    APP_IN_MASKS = 4096,
    APP_IN_SLOPES = 8192 /**< The inputs that move a cell are listed. */
};

/** The headings of the help. */
enum app_group {
    APP_GROUP_STEPS,
    APP_GROUP_LESSON,
    APP_GROUP_CURSOR,
    APP_GROUP_CELL,
    APP_GROUP_WHAT_IF,
    APP_GROUP_SCREEN,
    APP_GROUP_LAB,
    APP_N_GROUPS
};

extern const char *const app_group_names[APP_N_GROUPS]; /**< "Steps", … */

struct app;

struct app_action {
    const char *name; /**< "next". */
    const char *keys; /**< Names separated by spaces, the one for the foot first: "Space n PgDn". */
    unsigned scope;   /**< Of enum app_scope. */
    enum app_group group;
    const char *footer_key; /**< What the foot calls the key, or NULL: the first of keys. */
    const char *footer;     /**< A word for the line at the foot, or NULL: not shown there. */
    const char *help;       /**< One line for the help; NULL: another row, or the foot, says it. */
    void (*run)(struct app *app, struct app_key key);
};

extern const struct app_action app_actions[];
extern const int app_n_actions;

/** A place to come back to. */
struct app_place {
    struct walk_step step;
    struct attn_cell cursor;
    int batch;
    bool open;
    struct view_opened opened;
    bool slopes; /**< The inputs that move the cell are listed, */
    int slope;   /**< and this one is selected. */
};

enum {
    APP_TRAIL_MAX = 64,
    APP_UNDO_MAX = 64,
    APP_INPUT_MAX = 256,
    APP_MESSAGE_MAX = 1024,
    APP_HOME_ROWS = ATTN_N_VARIANTS, /**< The variants'. */
    APP_HOME_ROWS_MAX = 256
};

/** The what-ifs so far, each a whole configuration: items[at] is the current one. */
struct app_history {
    struct config items[APP_UNDO_MAX];
    int n, at;
};

/** Another computation that goes along: another variant on the same numbers, or without the bug. */
struct app_other {
    attn_trace *trace; /**< NULL: none. */
    struct setup setup;
    enum attn_variant variant;
    bool right; /**< This computation without its bugs. */
    char name[32];
};

/** What holds of one batch element of one tensor, which takes a look at every cell of it. */
struct app_invariants {
    int n; /**< 0: not known. */
    enum attn_tensor_id tensor;
    int batch;
    struct walk_invariant all[WALK_INVARIANTS_MAX];
};

/** A line that is being typed at the foot: an edit of a number, a search, a file's name. */
struct app_prompt {
    bool open;
    bool confirm; /**< A question that one key answers: y is yes. */
    char label[APP_INPUT_MAX + 64];
    char text[APP_INPUT_MAX];
    int n, at; /**< Bytes of text, and before the cursor. */
    void (*done)(struct app *app, const char *text);
};

/** What was last searched for, and which of its matches is looked at. */
struct app_find {
    char text[APP_INPUT_MAX];
    int at;
};

/** The world outside: what the application cannot do itself. Its owner gives it. */
struct app_outside {
    bool (*exists)(const char *path);
    /** The path's ending says how: .svg, .ans, .txt. */
    enum attn_status (*save_frame)(const struct frame *f, const char *path, struct attn_error *err);
    /** Inputs, weights and stages, as the path's ending says. */
    enum attn_status (*save_tensors)(const struct setup *setup, const attn_trace *trace,
                                     const char *path, struct attn_error *err);
};

/** Who shows that a computation has begun that is not done at once; say NULL: nobody. */
struct app_busy {
    void (*say)(struct app *app, void *whose);
    void *whose;
};

/** A file that is being written: by which function, and the name that was given. */
struct app_saving {
    enum attn_status (*save)(struct app *app, const char *path, struct attn_error *err);
    char path[APP_INPUT_MAX];
};

/** A walk that can be made again: what to compute, and where in it; or a lesson, and where in it.
 */
struct app_last {
    bool there;
    struct config config;
    enum walk_grain grain;
    size_t index;                     /**< Of the step, at this grain. */
    char lesson[APP_LESSON_WORD_MAX]; /**< A lesson's path or name; empty: a walk. */
    int stop;
    size_t k;
    char page[128];  /**< The title of its page: it may stand elsewhere by then. */
    char words[256]; /**< For the home screen: "v3 at score, cell 38 of 92, seed 42". */
};

/** The lessons that the home screen lists; owned. */
struct app_shelf {
    struct lesson_entry *entries;
    int n;
};

struct app {
    struct setup setup;
    attn_trace *trace;                /**< NULL on a home screen that has not started anything. */
    float ranges[ATTN_N_TENSORS];     /**< Of the trace: how large each tensor's numbers are. */
    int decimals[ATTN_N_TENSORS];     /**< Of the trace: how many each tensor's numbers need. */
    struct app_invariants invariants; /**< Of the trace, under the cursor. */
    struct walk_slopes slopes;        /**< Of the cell under the cursor, where now.slopes. */
    attn_trace *before; /**< Before the last what-if, or NULL: what differs from it is marked. */
    const struct app_action *acting,
        *changed;                /**< The last action, and that of the last what-if. */
    struct attn_cell changed_at; /**< Where that was. */
    struct app_place now;
    struct app_place
        trail[APP_TRAIL_MAX]; /**< Where Enter on an operand came from; Esc goes back. */
    int n_trail;
    bool home, help; /**< On the home screen; the help lies over everything. */
    int home_row, help_top, help_last;
    struct app_other other;
    struct app_lesson lesson;
    struct app_lab *lab;  /**< The instrument in the walk's place, or NULL. */
    struct config origin; /**< As it was started, its files still named; zeroed before that. */
    struct app_last last; /**< What the home screen offers to continue. */
    struct app_shelf shelf;
    struct app_prompt prompt;
    struct app_find find;
    struct app_saving saving;
    const struct app_outside *outside; /**< Not owned; NULL: no files can be written. */
    struct app_busy busy;              /**< Told before a computation that takes a while. */
    struct {
        int rows, cols;
        bool ascii;
    } shown; /**< The last frame drawn. */
    enum attn_lang lang;
    enum view_zoom zoom;
    struct view_map map;           /**< Of the last frame drawn. */
    char message[APP_MESSAGE_MAX]; /**< Shown once in place of the keys; "" none. */
    bool playing;                  /**< Steps by itself: see app_wait. */
    int speed;                     /**< A row of play.c's table. */
    bool quit;
    bool repaint; /**< The whole screen is to be sent again (Ctrl-L). */
    struct app_history history;
};

/** Start on the home screen. */
enum attn_status app_init_home(struct app *app, struct attn_error *err);
/** Start in a walk of this configuration (copied). @param app  The caller finishes it, also after a
 * failure. */
enum attn_status app_init_walk(struct app *app, const struct config *config,
                               struct attn_error *err);
/** Start with an instrument that has the screen for itself. */
enum attn_status app_init_lab(struct app *app, enum lab_kind kind, const struct config *config,
                              struct attn_error *err);
void app_finish(struct app *app);
/**
 * Put an instrument into the walk's place, set from what the configuration gives (a length is a
 * number of keys); on a failure nothing changes.
 */
enum attn_status app_lab_open(struct app *app, enum lab_kind kind, const struct config *config,
                              struct attn_error *err);

/** Do what the key means here. An unknown key does nothing. */
void app_press(struct app *app, struct app_key key);
/**
 * Press keys given as text: names separated by spaces, any other word letter by letter. Draws after
 * each, as a screen would.
 */
void app_play(struct app *app, struct frame *f, const char *keys);
/** Draw the current screen. */
void app_draw(struct app *app, struct frame *f);

/**
 * What the view needs to draw this state's walk. The keys of the foot are left out.
 * @param against  Out: filled and pointed to where something is compared; must live as long.
 */
struct view_walk app_view(const struct app *app, struct view_against *against);
/** Leave the home screen for a walk of this configuration; on a failure nothing changes. */
enum attn_status app_start(struct app *app, const struct config *config, struct attn_error *err);
/** The configuration of the walk. */
const struct config *app_config(const struct app *app);
/**
 * What if: build a trace of this configuration (copied) in place of the current one, which stays as
 * `before`. The step and the cursor stay where they are. What cannot be built is said, and changes
 * nothing.
 */
bool app_change(struct app *app, const struct config *config);
/** Open a prompt at the foot. done gets the text when Enter is pressed; Esc closes it. */
void app_ask(struct app *app, const char *label, const char *text,
             void (*done)(struct app *app, const char *text));
/** On the home screen: offer to continue this walk. @param last  Taken over, and emptied. */
void app_offer_last(struct app *app, struct app_last *last);
/** On the home screen: list these lessons too. @param entries  Taken over. */
void app_offer_lessons(struct app *app, struct lesson_entry *entries, int n);
/** The walk as it is now, for another day. @return false if there is none, or it cannot be made
 * again (it was read from standard input). The caller finishes it. */
bool app_remember(const struct app *app, struct app_last *out);
void app_last_finish(struct app_last *last);
/** Ask a question that one key answers. yes is called (with "") on y; any other key is no. */
void app_confirm(struct app *app, const char *label,
                 void (*yes)(struct app *app, const char *text));
/** Milliseconds after which the application wants an APP_KEY_TIMEOUT, or -1: none (it waits). */
int app_wait(const struct app *app);
/** Go to a step; the cursor goes to the first cell that it writes. */
void app_go(struct app *app, struct walk_step step);
/** Is this one of the action's keys? */
bool app_action_has(const struct app_action *action, struct app_key key);
/** The scope that keys have now. */
unsigned app_scope(const struct app *app);
/** Say something once, in place of the keys. */
void app_say(struct app *app, const char *text);

#endif
