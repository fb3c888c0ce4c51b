/* A stage in as few rows as it can do with: every operand beside the result, each as it lies in
 * memory. What does not fit is cut to the part around the cursor. */
#include "view_arrange.h"

enum { HEADING_ROWS = 2, MATRICES = 4 };

/** One matrix of the row. */
struct column {
    enum attn_tensor_id id;
    int rows, cols, cell_w, label_w;
    enum view_zoom zoom;
};

struct row {
    struct column columns[MATRICES];
    int n, gap;
};

/** What is shown of the stage: the operands of the result that matters here, and that. */
static int shown(const struct view_walk *v, enum attn_tensor_id out[MATRICES])
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    int n = view_arranged(v, ids);
    n = n < MATRICES ? n : MATRICES;
    for (int i = 0; i < n; i++) {
        out[i] = ids[i];
    }
    return n;
}

/** The columns for its row labels: none where they are those of the matrix before it. */
static void label_row(const struct frame *f, const struct view_walk *v, struct row *r)
{
    for (int i = 0; i < r->n; i++) {
        const enum attn_axis axis = attn_tensors[r->columns[i].id].axes[1];
        const bool same = i > 0 && axis == attn_tensors[r->columns[i - 1].id].axes[1];
        r->columns[i].label_w = same ? 0 : view_label_width(f, v, axis);
    }
}

/** What must be read. */
static enum attn_tensor_id main_of(const struct view_walk *v)
{
    enum attn_tensor_id ids[MATRICES];
    const int n = shown(v, ids);
    return view_main(v, ids, n);
}

/** @param main  The zoom of what must be read, others: of all others. */
static struct row make_row(const struct frame *f, const struct view_walk *v, enum view_zoom others,
                           enum view_zoom main)
{
    enum attn_tensor_id ids[MATRICES];
    const int n = shown(v, ids);
    const enum attn_tensor_id at = main_of(v);
    struct row r = {.n = 0, .gap = GAP};
    for (int i = 0; i < n; i++) {
        const enum view_zoom zoom = ids[i] == at ? main : others;
        struct column *const c = &r.columns[r.n++];
        *c = (struct column){.id = ids[i],
                             .rows = view_rows(v, ids[i], false),
                             .cols = view_cols(v, ids[i], false),
                             .zoom = zoom};
        c->cell_w = zoom == VIEW_ZOOM_HEAT ? 2 : view_cell_width(v, ids[i], zoom);
        if (view_shape_hidden(v, ids[i])) { /* its place must not tell what is asked */
            c->rows = 1;
            c->cols = 2;
        }
    }
    label_row(f, v, &r);
    return r;
}

static int width_of(const struct row *r)
{
    int width = (r->n - 1) * r->gap;
    for (int i = 0; i < r->n; i++) {
        width += r->columns[i].label_w + r->columns[i].cols * r->columns[i].cell_w + 1;
    }
    return width;
}

/** The same without one of them. */
static struct row without(const struct frame *f, const struct view_walk *v, const struct row *r,
                          int out)
{
    struct row rest = *r;
    for (int i = out; i + 1 < rest.n; i++) {
        rest.columns[i] = rest.columns[i + 1];
    }
    rest.n--;
    label_row(f, v, &rest);
    return rest;
}

/** Leave out what takes the most columns, labels of its own among them, but not what must be read.
 */
static void drop(const struct frame *f, const struct view_walk *v, struct row *r)
{
    const enum attn_tensor_id main = main_of(v);
    struct row narrowest = *r;
    for (int i = 0; i < r->n; i++) {
        const struct row rest = without(f, v, r, i);
        if (r->columns[i].id != main && width_of(&rest) < width_of(&narrowest)) {
            narrowest = rest;
        }
    }
    narrowest.n = narrowest.n < r->n ? narrowest.n : 1;
    *r = narrowest;
}

/** Where not even one matrix fits, or a zoom is asked for: fewer columns of the widest. */
static void narrow(struct row *r, int cols)
{
    while (width_of(r) > cols) {
        int widest = 0;
        for (int i = 1; i < r->n; i++) {
            const struct column *const c = &r->columns[i];
            widest = c->cols * c->cell_w > r->columns[widest].cols * r->columns[widest].cell_w
                         ? i
                         : widest;
        }
        if (r->columns[widest].cols <= 1) {
            break;
        }
        r->columns[widest].cols--;
    }
}

/** One of q, k and v at a time of what has the columns of all three. */
static void slice(struct row *r)
{
    for (int i = 0; i < r->n; i++) {
        const bool merged = attn_tensors[r->columns[i].id].axes[2] == ATTN_AXIS_3D;
        r->columns[i].cols /= merged && r->columns[i].cols % 3 == 0 ? 3 : 1;
    }
}

/** What is given up as it gets narrower: digits, the digits of all but one, air, the others. */
static struct row fit(const struct frame *f, const struct view_walk *v, int cols)
{
    static const struct {
        enum view_zoom others, main;
        int gap;
        bool sliced;
    } tries[] = {{VIEW_ZOOM_DIGITS, VIEW_ZOOM_DIGITS, GAP, false},
                 {VIEW_ZOOM_SHORT, VIEW_ZOOM_SHORT, GAP, false},
                 {VIEW_ZOOM_SHORT, VIEW_ZOOM_SHORT, GAP, true},
                 {VIEW_ZOOM_HEAT, VIEW_ZOOM_SHORT, GAP, true},
                 {VIEW_ZOOM_HEAT, VIEW_ZOOM_SHORT, 0, true}};
    struct row r = make_row(f, v, v->zoom, v->zoom);
    if (v->zoom != VIEW_ZOOM_AUTO) {
        narrow(&r, cols);
        return r;
    }
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        r = make_row(f, v, tries[i].others, tries[i].main);
        r.gap = tries[i].gap;
        if (tries[i].sliced) {
            slice(&r);
        }
        if (width_of(&r) <= cols) {
            return r;
        }
    }
    while (r.n > 1 && width_of(&r) > cols) {
        drop(f, v, &r);
    }
    if (width_of(&r) > cols) {
        r = make_row(f, v, VIEW_ZOOM_SHORT, VIEW_ZOOM_SHORT);
        slice(&r);
        narrow(&r, cols);
    }
    return r;
}

bool view_compact_fits(const struct frame *f, const struct view_walk *v, int cols)
{
    const struct row r = fit(f, v, cols);
    bool whole = width_of(&r) <= cols;
    for (int i = 0; i < r.n; i++) {
        whole = whole && r.columns[i].zoom == r.columns[0].zoom; /* all of them with their digits */
        whole = whole && (r.columns[i].cols == view_cols(v, r.columns[i].id, false) ||
                          view_shape_hidden(v, r.columns[i].id));
    }
    return whole;
}

int view_compact_rows(const struct frame *f, const struct view_walk *v, int cols)
{
    const struct row r = fit(f, v, cols);
    int rows = 1;
    for (int i = 0; i < r.n; i++) {
        rows = max_int(rows, r.columns[i].rows);
    }
    return rows + HEADING_ROWS;
}

/** The index along one of its axes that must be in view: the cursor's, where it has that axis. */
static int wanted(const struct view_walk *v, const struct column *c, int dim)
{
    if (v->cursor.tensor == c->id) {
        return v->cursor.at[dim];
    }
    const enum attn_axis axis = attn_tensors[c->id].axes[dim];
    const enum attn_axis *const axes = attn_tensors[v->cursor.tensor].axes;
    return axis == axes[1] ? v->cursor.at[1] : axis == axes[2] ? v->cursor.at[2] : -1;
}

void view_layout_compact(const struct frame *f, const struct view_walk *v, struct view_place place,
                         struct view_map *map)
{
    map->n = 0;
    if (v->zoom == VIEW_ZOOM_PICTURE) {
        struct view_stage_layout layout;
        view_lay_pictures(v, place, map, &layout);
        return;
    }
    const struct row r = fit(f, v, place.cols);
    const int room = max_int(1, place.rows - HEADING_ROWS);
    int x = place.col;
    for (int i = 0; i < r.n; i++) {
        const struct column *const c = &r.columns[i];
        const struct window rows = view_window(wanted(v, c, 1), room, c->rows);
        const struct window cols =
            view_window(wanted(v, c, 2), c->cols, view_cols(v, c->id, false));
        x += c->label_w;
        const struct view_matrix m = {.row0 = rows.first,
                                      .rows = rows.n,
                                      .col0 = cols.first,
                                      .cols = cols.n,
                                      .top = place.row + HEADING_ROWS,
                                      .left = x,
                                      .cell_w = c->cell_w,
                                      .cell_h = 1,
                                      .zoom = c->zoom,
                                      .row_labels = c->label_w > 0,
                                      .col_labels = true,
                                      .label_w = c->label_w};
        view_add_matrix(v, map, c->id, m);
        x += cols.n * c->cell_w + 1 + r.gap;
    }
}
