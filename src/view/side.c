/* Side by side: element-wise and row-wise stages, the operands and the result beside each other. */
#include "view_arrange.h"

enum { SUMS_FROM_COLS = 4 /* where columns are left out, the sums are among the first to go */ };

struct side {
    enum attn_tensor_id ids[SIDE_MAX];
    enum view_zoom zoom[SIDE_MAX];
    int width[SIDE_MAX]; /**< A cell's columns. */
    int cols[SIDE_MAX];
    int n, gap, label_w;
    bool sums;
};

static int side_width(const struct side *s)
{
    int width = s->label_w + (s->sums ? VIEW_SUM_WIDTH : 0) + (s->n - 1) * s->gap;
    for (int i = 0; i < s->n; i++) {
        width += s->cols[i] * s->width[i] + 1;
    }
    return width;
}

/** @param main  The zoom of the matrix `at`, others: of all others. */
static void side_cells(const struct view_walk *v, struct side *s, int at, enum view_zoom others,
                       enum view_zoom main)
{
    for (int i = 0; i < s->n; i++) {
        const bool mask = attn_tensors[s->ids[i]].kind == ATTN_KIND_MASK;
        s->zoom[i] = i == at || (mask && v->zoom == VIEW_ZOOM_AUTO) ? main : others;
        s->width[i] = view_cell_width(v, s->ids[i], s->zoom[i]);
        s->width[i] = s->zoom[i] == VIEW_ZOOM_HEAT ? 2 : s->width[i];
    }
}

/** The index of the matrix that must be read. */
static int side_main(const struct view_walk *v, const struct side *s)
{
    const enum attn_tensor_id id = view_main(v, s->ids, s->n);
    int at = s->n - 1;
    for (int i = 0; i < s->n; i++) {
        at = s->ids[i] == id ? i : at;
    }
    return at;
}

/** Leave out the matrix that is farthest from the one that must be read. */
static void side_drop(const struct view_walk *v, struct side *s)
{
    const int at = side_main(v, s);
    const int out = at > s->n - 1 - at ? 0 : s->n - 1;
    for (int i = out; i + 1 < s->n; i++) {
        s->ids[i] = s->ids[i + 1];
        s->cols[i] = s->cols[i + 1];
    }
    s->n--;
    s->sums = s->sums && out < s->n;
}

/** What is given up as the place gets narrower: digits, air, the digits of all but one, the rest.
 */
static void side_fit(const struct view_walk *v, struct side *s, int cols)
{
    static const struct {
        enum view_zoom others, main;
        bool sums;
        int gap;
    } tries[] = {
        {VIEW_ZOOM_DIGITS, VIEW_ZOOM_DIGITS, true, GAP},
        {VIEW_ZOOM_SHORT, VIEW_ZOOM_DIGITS, true, GAP},
        {VIEW_ZOOM_SHORT, VIEW_ZOOM_SHORT, true, GAP},
        {VIEW_ZOOM_SHORT, VIEW_ZOOM_SHORT, false, GAP},
        {VIEW_ZOOM_SHORT, VIEW_ZOOM_SHORT, false, 1},
        {VIEW_ZOOM_HEAT, VIEW_ZOOM_SHORT, true, GAP},
        {VIEW_ZOOM_HEAT, VIEW_ZOOM_SHORT, false, GAP},
        {VIEW_ZOOM_HEAT, VIEW_ZOOM_SHORT, false, 0},
    };
    const struct side all = *s;
    if (v->zoom != VIEW_ZOOM_AUTO) {
        side_cells(v, s, s->n - 1, v->zoom, v->zoom);
        return;
    }
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        const bool heat = tries[i].others == VIEW_ZOOM_HEAT;
        side_cells(v, s, heat ? side_main(v, s) : s->n - 1, tries[i].others, tries[i].main);
        s->sums = all.sums && tries[i].sums;
        s->gap = tries[i].gap;
        if (side_width(s) <= cols) {
            return;
        }
    }
    while (s->n > 1 && side_width(s) > cols) {
        side_drop(v, s);
        side_cells(v, s, side_main(v, s), VIEW_ZOOM_HEAT, VIEW_ZOOM_SHORT);
    }
    if (side_width(s) > cols) { /* columns are left out, of all of them the same */
        *s = all;
        side_cells(v, s, s->n - 1, VIEW_ZOOM_SHORT, VIEW_ZOOM_SHORT);
    }
}

/** The cursor's row and column where it is in one of these. */
static void side_cursor(const struct view_walk *v, const struct side *s, int *row, int *col)
{
    *row = -1;
    *col = -1;
    for (int i = 0; i < s->n; i++) {
        if (s->ids[i] == v->cursor.tensor) {
            *row = v->cursor.at[1];
            *col = v->cursor.at[2];
        }
    }
}

/** Leave out columns until they fit. @return how many are left. */
static int side_narrow(struct side *s, int cols)
{
    int visible = s->cols[0];
    while (visible > 1 && side_width(s) > cols) {
        visible--;
        s->sums = s->sums && visible >= SUMS_FROM_COLS;
        for (int i = 0; i < s->n; i++) {
            s->cols[i] = visible;
        }
    }
    return visible;
}

/** Cells as wide as the tokens above them, where there is room: the result's first. */
static void side_widen(const struct frame *f, const struct view_walk *v, struct side *s, int cols)
{
    const int wanted = view_labelled_width(f, v, attn_tensors[s->ids[0]].axes[2]);
    for (int i = s->n - 1; i >= 0; i--) {
        const int width = s->width[i];
        if (width < wanted && s->zoom[i] != VIEW_ZOOM_HEAT) {
            s->width[i] = wanted;
            s->width[i] = side_width(s) <= cols ? wanted : width;
        }
    }
}

/** Where there is room, cells grow: first in height, then in width. @return rows a cell. */
static int side_spread(const struct view_walk *v, struct side *s, int rows, int room, int cols)
{
    bool heat = false;
    for (int i = 0; i < s->n; i++) {
        heat = heat || s->zoom[i] == VIEW_ZOOM_HEAT;
    }
    int cell_h = 1;
    while (!heat && cell_h < VIEW_CELL_H_MAX && rows * (cell_h + 1) <= room) {
        cell_h++;
    }
    const int growth = heat                        ? 0
                       : v->large                  ? VIEW_CELL_GROWTH_LARGE
                       : cell_h == VIEW_CELL_H_MAX ? VIEW_CELL_GROWTH
                                                   : 0;
    for (int extra = 0; extra < growth; extra++) {
        int grown = side_width(s);
        for (int i = 0; i < s->n; i++) {
            grown += s->cols[i];
        }
        if (grown > cols) {
            break;
        }
        for (int i = 0; i < s->n; i++) {
            s->width[i]++;
        }
    }
    return cell_h;
}

void view_lay_side(const struct frame *f, const struct view_walk *v,
                   const struct arrangement_row *row, struct view_place place, struct view_map *map,
                   struct view_stage_layout *layout)
{
    struct side s = {.gap = GAP, .label_w = view_label_width(f, v, ATTN_AXIS_T), .sums = row->sums};
    for (int i = 0; i < row->n_side; i++) {
        const enum attn_tensor_id id =
            i + 1 < row->n_side ? view_source(v, row->side[i]) : row->side[i];
        if (id != ATTN_NO_TENSOR && view_has(v, id) && !view_left_out(v->trace, id)) {
            s.cols[s.n] = view_cols(v, id, false);
            s.ids[s.n++] = id;
        }
    }
    if (s.n == 0) {
        return;
    }
    const enum attn_tensor_id result = s.ids[s.n - 1];
    s.sums = s.sums && view_has(v, row->side[row->n_side - 1]);
    side_fit(v, &s, place.cols);
    int at_row, at_col;
    side_cursor(v, &s, &at_row, &at_col);
    const int visible = side_narrow(&s, place.cols);
    side_widen(f, v, &s, place.cols);
    const int rows_in_all = view_rows(v, s.ids[0], false);
    const bool titled = place.rows >= TITLE_ROWS + 2 + rows_in_all;
    const int top = place.row + 2 + (titled ? TITLE_ROWS : 0);
    const int room = place.row + place.rows - top;
    const int cell_h = side_spread(v, &s, rows_in_all, room, place.cols);
    const struct window t = view_window(at_row, room / cell_h, rows_in_all);
    const struct window cols = view_window(at_col, visible, view_cols(v, s.ids[0], false));
    int x = place.col + s.label_w;
    for (int i = 0; i < s.n; i++) {
        const struct view_matrix m = {.row0 = t.first,
                                      .rows = t.n,
                                      .col0 = cols.first,
                                      .cols = cols.n,
                                      .top = top,
                                      .left = x,
                                      .cell_w = s.width[i],
                                      .cell_h = cell_h,
                                      .zoom = s.zoom[i],
                                      .row_labels = i == 0,
                                      .col_labels = true,
                                      .sums = s.sums && s.ids[i] == result,
                                      .label_w = s.label_w};
        view_add_matrix(v, map, s.ids[i], m);
        x += cols.n * s.width[i] + 1 + s.gap;
    }
    layout->words = (struct view_place){place.row, place.col, titled ? TITLE_ROWS : 0, place.cols};
}
