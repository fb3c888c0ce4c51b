/* Where the parts of the masks instrument stand: arrangements from the one that shows most to the
 * one that shows least; the first that fits is taken. */
#include <math.h>
#include <string.h>

#include "view_lab_masks.h"
#include "view_number.h"

enum { LABEL_COLS_MAX = 6, CORNER_COLS = 7 /**< "1 keeps". */, FOOT_ROWS = 3 };

enum digits { NONE, SHORT, LONG };

struct choice {
    enum digits scores, weights;
    int bit_w;
    bool sums, below, list;
};

static const struct choice choices[] = {
    {LONG, LONG, 5, true, false, false},   {LONG, LONG, 3, true, false, false},
    {LONG, LONG, 5, true, true, false},    {LONG, LONG, 3, true, true, false},
    {SHORT, SHORT, 3, true, false, false}, {NONE, LONG, 5, true, false, false},
    {NONE, LONG, 3, true, false, false},   {NONE, SHORT, 3, true, false, false},
    {NONE, SHORT, 2, true, false, false},  {NONE, SHORT, 2, false, false, false},
    {NONE, NONE, 3, true, false, true},    {NONE, NONE, 2, true, false, true},
    {NONE, NONE, 2, false, false, true},   {NONE, NONE, 2, true, false, false},
    {NONE, NONE, 2, false, false, false}, /* always */
};

enum { N_CHOICES = sizeof choices / sizeof choices[0] };

static int widest_label(const struct frame *f, const struct lab_masks *lab)
{
    int widest = 1;
    for (int t = 0; t < lab->T; t++) {
        char buf[16];
        const int width = frame_width(f, view_masks_label(&lab->setup.tokens, t, buf));
        widest = width > widest ? width : widest;
    }
    return widest < LABEL_COLS_MAX ? widest : LABEL_COLS_MAX;
}

/** The largest |score| that is not hidden. */
static float largest_score(const struct lab_masks *lab)
{
    float largest = 0;
    for (int t = 0; t < lab->T; t++) {
        for (int s = 0; s < lab->S; s++) {
            const struct attn_cell cell = {.tensor = ATTN_MASKED, .at = {0, t, s}};
            const float size = fabsf(walk_value(lab->trace, cell));
            largest = lab_masks_keeps(lab, t, s) && size > largest ? size : largest;
        }
    }
    return largest;
}

static struct masks_layout made(const struct frame *f, const struct lab_masks *lab,
                                const struct choice *c)
{
    struct masks_layout a = {
        .bit_w = c->bit_w, .below = c->below, .sums = c->sums, .list = c->list};
    const enum view_zoom zoom = c->scores == LONG ? VIEW_ZOOM_DIGITS : VIEW_ZOOM_SHORT;
    a.label_w = 1 + widest_label(f, lab);
    a.verdict_w = 1 + frame_width(f, "✓"); /* "ok" in ASCII */
    if (c->scores != NONE) {
        char fill[WALK_NUMBER_MAX];
        walk_constant((double)lab->config.mask_fill, fill);
        const int fill_w = frame_width(f, fill);
        a.scores = view_format_for(largest_score(lab), ATTN_KIND_LOGIT, zoom);
        a.scores_w = 1 + (fill_w > a.scores.width ? fill_w : a.scores.width);
    }
    if (c->weights != NONE) {
        a.weights = c->weights == LONG ? (struct view_format){6, 4} : (struct view_format){4, 2};
        a.weights_w = 1 + a.weights.width + (c->weights == LONG ? 1 : 0);
    }
    if (c->list) {
        a.weights = (struct view_format){6, 4};
    }
    return a;
}

static int columns(const struct masks_layout *a, int S)
{
    const int bits = a->label_w + S * a->bit_w;
    const int tail = (a->sums ? MASKS_SUM_COLS : 0) + a->verdict_w;
    const int scores = a->scores_w > 0 ? MASKS_GAP + S * a->scores_w : 0;
    const int weights = a->weights_w > 0 ? MASKS_GAP + S * a->weights_w : 0;
    if (a->below) {
        const int wide = scores > weights + tail ? scores : weights + tail;
        return bits + wide;
    }
    return bits + scores + weights + tail + (a->list ? MASKS_GAP + MASKS_LIST_COLS : 0);
}

/** Give out the rows. @return whether all queries are in view. */
static bool share_rows(struct masks_layout *a, int rows, const struct lab_masks *lab)
{
    const int tall = a->list && lab->S > lab->T ? lab->S : lab->T;
    const int wanted = a->below ? 2 * (lab->T + 2) + 1 + FOOT_ROWS : tall + 3;
    a->heading = a->below || rows >= wanted;
    const int room = rows - 1 - (a->heading ? 1 : 0);
    a->rows = lab->T < room || a->below ? lab->T : room;
    a->list_rows = !a->list ? 0 : lab->S < room ? lab->S : room;
    a->label_w = !a->heading && a->label_w < CORNER_COLS ? CORNER_COLS : a->label_w;
    return a->below ? rows >= wanted : true;
}

struct masks_layout view_masks_layout(const struct frame *f, struct view_place place,
                                      const struct lab_masks *lab)
{
    struct masks_layout a = {.rows = 0};
    for (int i = 0; i < N_CHOICES; i++) {
        a = made(f, lab, &choices[i]);
        if (share_rows(&a, place.rows, lab) && columns(&a, lab->S) <= place.cols - 2) {
            break;
        }
    }
    const int widest = widest_label(f, lab); /* air before the labels, then behind them */
    const int spare = place.cols - 2 - columns(&a, lab->S);
    const int wanted = 3 + widest - a.label_w;
    a.label_w += wanted < 0 ? 0 : wanted < spare ? wanted : spare;
    a.air = a.label_w > 2 + widest ? 1 : 0;
    return a;
}
