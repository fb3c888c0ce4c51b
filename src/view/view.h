/**
 * Pure drawing: a trace, a step and a few choices in, a frame out. No terminal, no state, no
 * arithmetic on tensors: numbers, heat, words and invariants come from walk.
 */
#ifndef VIEW_H
#define VIEW_H

#include <stdbool.h>
#include <stdio.h>

#include "frame.h"
#include "walk.h"
#include "walk_slope.h"

/** How much of a number a cell shows. AUTO takes the first that fits. */
enum view_zoom {
    VIEW_ZOOM_AUTO,
    VIEW_ZOOM_DIGITS,  /**< Four decimals. */
    VIEW_ZOOM_SHORT,   /**< Two decimals. */
    VIEW_ZOOM_HEAT,    /**< Two columns of colour or shade, no digits. */
    VIEW_ZOOM_PICTURE, /**< The whole matrix, pooled into half blocks. */
    VIEW_N_ZOOMS
};

extern const char *const view_zoom_names[VIEW_N_ZOOMS];

/** How the numbers of one tensor are written, the same at every step so that no column ever moves.
 */
struct view_format {
    int width;    /**< Columns of the longest number. */
    int decimals; /**< Behind the point; -1: with an exponent. */
};

/** A part of a tensor's matrix on the screen. Display rows and columns are swapped where
 * transposed. */
struct view_matrix {
    enum attn_tensor_id tensor;
    bool transposed;
    int row0, rows;      /**< First visible display row, and how many. */
    int col0, cols;      /**< First visible display column, and how many. */
    int top, left;       /**< Screen position of the first cell. */
    int cell_w, cell_h;  /**< Screen columns and rows a cell; the first column is its separator. */
    enum view_zoom zoom; /**< Never AUTO. */
    struct view_format format;
    float range; /**< The |x| at either end of the heat scale. */
    bool row_labels, col_labels;
    bool bare;   /**< No heading: a bias, which belongs to the matrix above it. */
    bool sums;   /**< The sum of each row stands behind it. */
    int label_w; /**< Columns for row labels, left of `left`. */
};

enum { VIEW_MATRICES_MAX = 16 };

/** What is where: for clicks, for the cursor's way from matrix to matrix. */
struct view_map {
    struct view_matrix matrices[VIEW_MATRICES_MAX];
    int n;
    int pipeline_row;
    struct {
        int col, width;
    } boxes[ATTN_N_STAGES]; /**< By index of the trace's stages. */
};

/** A key and what it does, for the line at the foot. */
struct view_key {
    const char *key, *does;
};

/** The operand of the opened cell's arithmetic that is selected. */
struct view_opened {
    int term, operand;
};

/** Another computation of the same shapes: before a what-if, another variant, or without the bug.
 */
struct view_against {
    const attn_trace *trace;
    const struct setup *setup; /**< NULL: as the walk's. */
    const char *name;          /**< "before", "v1", "right". */
    bool beside;               /**< Its matrix is shown too, where there is room. */
};

/** What a reader is asked for and must not see: a cell, or a tensor's shape. */
struct view_hidden {
    struct attn_cell cell;
    bool shape; /**< All of cell.tensor: its numbers and its size. */
};

struct lesson_told;

struct view_walk {
    const struct setup *setup;
    const attn_trace *trace;
    const float
        *ranges; /**< walk_heat_range of each tensor, taken once a trace; by attn_tensor_id. */
    const int *decimals; /**< walk_decimals of each tensor; NULL: four everywhere. */
    struct walk_step step;
    struct attn_cell cursor;
    int batch; /**< The batch element that is looked at. */
    enum attn_lang lang;
    enum view_zoom zoom;
    const struct view_opened *opened; /**< NULL: no cell is open. */
    const struct walk_slopes *slopes; /**< The inputs that move the cell; NULL: not asked for. */
    int slope;                        /**< The selected one of them. */
    const struct walk_invariant
        *invariants; /**< Of the cursor's tensor and batch element; NULL: worked out here. */
    int n_invariants;
    const struct view_against
        *against; /**< Compared with it; what differs is marked. NULL: nothing. */
    const struct view_hidden *hidden; /**< NULL: nothing. */
    const char *file; /**< That what is loaded came from; NULL: not known, or several. */
    bool lesson;      /**< It was given by a lesson. */
    const struct lesson_told *told; /**< What a lesson speaks of here and no cell shows; or NULL. */
    bool told_first;                /**< It goes before the arithmetic where there is one row. */
    bool large;          /**< Cells as large as the place allows, for those at the back. */
    const char *message; /**< Takes the place of the keys once; NULL: none. */
    const struct view_key *keys;
    int n_keys;
};

/** Draw the step-through. @param map  Out, may be NULL. */
void view_walk(struct frame *f, const struct view_walk *v, struct view_map *map);

/** The matrices of a stage in the order in which the cursor visits them, results first. @return how
 * many. */
int view_stage_tensors(const attn_trace *trace, int stage,
                       enum attn_tensor_id out[VIEW_MATRICES_MAX]);

/** The cell of the matrix under a screen position. @return false if there is none. */
bool view_hit(const struct view_map *map, const struct view_walk *v, int row, int col,
              struct attn_cell *cell);
/** The box of the pipeline under a screen position, an index of the trace's stages, or -1. */
int view_hit_stage(const struct view_map *map, const attn_trace *trace, int row, int col);

/** A list to choose from, in the middle of the home screen. */
struct view_home {
    const char *const *names;
    const char *const *words;
    int n, selected;
    int lessons;        /**< From this row on they are lessons; -1: there are none. */
    const char *path;   /**< The selected one's stages, as a line; NULL: none. */
    const char *detail; /**< A sentence about it; NULL: none. */
    const char *message;
    const struct view_key *keys;
    int n_keys;
};

void view_home(struct frame *f, const struct view_home *v);

/** One row of the help; keys NULL: a heading. */
struct view_help_row {
    const char *keys, *help;
};

/** How many lines of the help a screen shows at once. */
int view_help_page(int rows, int cols);
/** Draw the help from line `top` on, in two columns where it is wide. @return the largest top that
 * makes sense. */
int view_help(struct frame *f, const char *title, const struct view_help_row *rows, int n, int top,
              const struct view_key *keys, int n_keys);

/** The size is too small to draw anything: say so as well as it goes. */
enum { VIEW_MIN_ROWS = 12, VIEW_MIN_COLS = 40 };
void view_too_small(struct frame *f);

/** One tensor as plain lines of text: a line a row. */
void view_tensor_plain(FILE *out, const struct view_walk *v, enum attn_tensor_id id, bool ascii);
/** One step as plain lines of text: what a screen reader or a pipe gets. ascii: transliterated. */
void view_plain(FILE *out, const struct view_walk *v, bool ascii);

#endif
