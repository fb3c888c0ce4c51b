#include "app_actions.h"

#define W APP_IN_WALK
#define C APP_IN_CELL

/* In the order of the help; those with a footer in the order of the foot, help and quit last. */
const struct app_action app_actions[] = {
    {"next", "Space n PgDn", W | C, NULL, "next", "next step", app_next},
    {"back", "b p Backspace PgUp", W | C, NULL, "back", "previous step, exactly back", app_back},
    {"finer", "Tab", W, NULL, "finer", "finer steps: stage, row, cell, and round", app_finer},
    {"coarser", "S-Tab `", W, NULL, NULL, "coarser steps", app_coarser},
    {"next-stage", "]", W | C, NULL, NULL, "next stage", app_next_stage},
    {"previous-stage", "[", W | C, NULL, NULL, "previous stage", app_prev_stage},
    {"jump", "1 2 3 4 5 6 7 8 9", W | C, NULL, NULL, "the stage with this number", app_jump},
    {"first", "g", W, NULL, NULL, "first step", app_first},
    {"last", "G", W, NULL, NULL, "last step", app_last},
    {"up", "Up k", W, "arrows", "move", "the cursor up", app_up},
    {"down", "Down j", W, NULL, NULL, "the cursor down", app_down},
    {"left", "Left h", W, NULL, NULL, "the cursor left", app_left},
    {"right", "Right l", W, NULL, NULL, "the cursor right", app_right},
    {"row-start", "Home 0", W, NULL, NULL, "the row's first cell", app_row_start},
    {"row-end", "End $", W, NULL, NULL, "the row's last cell", app_row_end},
    {"next-matrix", "o", W, NULL, "matrix", "the cursor to the next matrix", app_next_matrix},
    {"previous-matrix", "O", W, NULL, NULL, "the cursor to the previous matrix", app_prev_matrix},
    {"open", "Enter", W, NULL, "open", "open the arithmetic of the cell under the cursor",
     app_open},
    {"follow", "Enter", C, NULL, "to its source", "in an open cell: to where the number came from",
     app_follow},
    {"close", "Esc", W | C, NULL, NULL, "back the way you came; closes, never quits", app_close},
    {"close-cell", "Esc", C, NULL, "back", NULL, app_close},
    {"term-up", "Up k", C, "arrows", "choose", "in an open cell: the term above", app_term_up},
    {"term-down", "Down j", C, NULL, NULL, "in an open cell: the term below", app_term_down},
    {"operand-left", "Left h", C, NULL, NULL, "in an open cell: the left number", app_operand_left},
    {"operand-right", "Right l", C, NULL, NULL, "in an open cell: the right number",
     app_operand_right},
    {"edit", "e", W, NULL, "edit", "change the number under the cursor, if it is an input",
     app_edit},
    {"scale", "s", W | C, NULL, "scale", "what if: the scaling off, and on again", app_scale},
    {"mask", "m", W | C, NULL, "mask", "what if: another mask (none, causal, padding, both)",
     app_mask},
    {"fill", "M", W | C, NULL, NULL, "what if: another mask fill (-inf, -1e9, 1e-20, 0)", app_fill},
    {"dropout", "d", W | C, NULL, NULL, "what if: another dropout rate", app_dropout},
    {"train", "t", W | C, NULL, NULL, "what if: training, and evaluation again", app_train},
    {"reseed", "r", W | C, NULL, NULL, "what if: the next seed", app_reseed},
    {"undo", "u", W | C, NULL, NULL, "undo the last what-if", app_undo},
    {"redo", "U", W | C, NULL, NULL, "do it again", app_redo},
    {"previous-batch", "{", W, NULL, NULL, "previous batch element", app_prev_batch},
    {"next-batch", "}", W, NULL, NULL, "next batch element", app_next_batch},
    {"language", "c", W | C, NULL, NULL, "code in math, PyTorch, NumPy, C", app_language},
    {"zoom-in", "+ =", W, NULL, NULL, "more digits", app_zoom_in},
    {"zoom-out", "-", W, NULL, NULL, "fewer digits: digits, short digits, heat", app_zoom_out},
    {"redraw", "C-l", APP_EVERYWHERE, NULL, NULL, "draw the screen again", app_redraw},
    {"home-up", "Up k", APP_IN_HOME, "arrows", "choose", NULL, app_home_up},
    {"home-down", "Down j", APP_IN_HOME, NULL, NULL, NULL, app_home_down},
    {"home-choose", "Enter Space", APP_IN_HOME, NULL, "walk", NULL, app_home_choose},
    {"help-up", "Up k PgUp b", APP_IN_HELP, NULL, NULL, NULL, app_help_up},
    {"help-down", "Down j PgDn Space", APP_IN_HELP, NULL, "more", NULL, app_help_down},
    {"help-close", "Esc ? F1 Enter q", APP_IN_HELP, NULL, "close", NULL, app_help_close},
    {"help", "? F1", APP_IN_HOME | W | C, NULL, "help", "this help", app_help},
    {"quit", "q", APP_IN_HOME | W | C, NULL, "quit", "quit", app_quit},
};

#undef W
#undef C

const int app_n_actions = sizeof app_actions / sizeof app_actions[0];
