/** Curves in braille, with axes: values in, glyphs out. */
#ifndef VIEW_PLOT_H
#define VIEW_PLOT_H

#include "frame.h"
#include "view_layout.h"

enum { VIEW_POINTS_MAX = 32, VIEW_CURVES_MAX = 3 };

/** How a curve is drawn; told apart without colour too. */
enum view_stroke { VIEW_SOLID, VIEW_THICK, VIEW_DOTTED, VIEW_N_STROKES };

struct view_curve {
    enum frame_role role;
    enum view_stroke stroke;
    double values[VIEW_POINTS_MAX]; /**< NaN: no value there. */
};

struct view_plot {
    const char *title;
    double low, high;                /**< Of the y axis. */
    bool log;                        /**< It is logarithmic. */
    int decimals;                    /**< Of its labels. */
    int n;                           /**< Points of every curve, evenly spaced. */
    int at;                          /**< The one that is marked, or -1. */
    const char *const *ticks;        /**< Of the points, below the x axis. */
    const struct view_curve *curves; /**< The later lie over the earlier. */
    int n_curves;
};

enum {
    VIEW_PLOT_MIN_ROWS = 6,
    VIEW_PLOT_MIN_COLS = 20,
    VIEW_PLOT_LABEL_COLS = 6 /**< Left of the title and the curves. */
};

/** Draw it: a title, the curves, an axis with ticks. */
void view_plot(struct frame *f, struct view_place place, const struct view_plot *plot);
/** Three columns that show how a curve looks, for a legend. */
void view_plot_key(struct frame *f, int row, int col, enum frame_role role,
                   enum view_stroke stroke);

#endif
