/** The parts of the masks instrument on the screen: where they stand, and what they say. */
#ifndef VIEW_LAB_MASKS_H
#define VIEW_LAB_MASKS_H

#include "view_lab.h"
#include "walk.h"

enum {
    MASKS_GAP = 2,
    MASKS_SUM_COLS = 7,  /**< "  1.000". */
    MASKS_LONG_COLS = 7, /**< A weight with four decimals, and a blank before it. */
    MASKS_LIST_COLS = 11,
    MASKS_SETTINGS = 5,
    MASKS_SETTINGS_COLS = 24, /**< Of the settings as a column, with the gap to what is beside. */
    MASKS_BESIDE_COLS = 70,   /**< From here on the words stand beside that column. */
    MASKS_ONE_LINE_COLS = 72  /**< From here on the settings flow in one line. */
};

/** Who stands where. A width of 0 is a part that there is no room for. */
struct masks_layout {
    int label_w, bit_w, scores_w, weights_w; /**< Columns of the row labels, and of cells. */
    int air;                                 /**< Of label_w, behind the labels. */
    int verdict_w;                           /**< Of the signs behind the rows. */
    struct view_format scores, weights;
    bool heading; /**< There is a row for the names of the matrices. */
    bool below;   /**< The weights stand below the scores. */
    bool sums;    /**< Each row's sum is told; else only whether it holds. */
    bool list;    /**< The weights of the cursor's row in a column. */
    int rows;     /**< Queries in view, and keys of that list. */
    int list_rows;
};

/** One of the matrices: where its column labels begin, and what its cells say. */
struct masks_grid {
    const struct view_lab *v;
    enum attn_tensor_id id;
    struct view_format format;
    float range;
    int top, left, cell_w;
    int label_w, air;    /**< Of its rows; 0: none. */
    const char *heading; /**< In the row above top; NULL: none. */
    int first, rows;     /**< Queries in view. */
};

/** The first arrangement, from the one that shows most, that fits. */
struct masks_layout view_masks_layout(const struct frame *f, struct view_place place,
                                      const struct lab_masks *lab);
/** A token, or the index where there is none. */
const char *view_masks_label(const struct config_tokens *tokens, int index, char buf[16]);
/** The rows that break and why, or that none does. @return the rows used. */
int view_masks_faults(struct frame *f, struct view_place place, const struct lab_masks *lab);
/** What to read in it, of the cell under the cursor and of the fill. @return the rows used. */
int view_masks_words(struct frame *f, struct view_place place, const struct view_lab *v);

#endif
