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
    int n;
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

static struct row make_row(const struct frame *f, const struct view_walk *v, enum view_zoom zoom)
{
    enum attn_tensor_id ids[MATRICES];
    const int n = shown(v, ids);
    struct row r = {.n = 0};
    for (int i = 0; i < n; i++) {
        const struct view_matrix m = {.tensor = ids[i]};
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
        const enum attn_axis axis = view_row_axis(&m);
        const bool same = i > 0 && axis == attn_tensors[ids[i - 1]].axes[1];
        c->label_w = same ? 0 : view_label_width(f, v, axis);
    }
    return r;
}

static int width_of(const struct row *r)
{
    int width = (r->n - 1) * GAP;
    for (int i = 0; i < r->n; i++) {
        width += r->columns[i].label_w + r->columns[i].cols * r->columns[i].cell_w + 1;
    }
    return width;
}

/** In the widest cells that fit; where none do, fewer columns of the widest matrix. */
static struct row fit(const struct frame *f, const struct view_walk *v, int cols)
{
    struct row r = make_row(f, v, v->zoom == VIEW_ZOOM_AUTO ? VIEW_ZOOM_DIGITS : v->zoom);
    if (v->zoom == VIEW_ZOOM_AUTO && width_of(&r) > cols) {
        r = make_row(f, v, VIEW_ZOOM_SHORT);
    }
    while (width_of(&r) > cols) {
        int widest = 0;
        for (int i = 1; i < r.n; i++) {
            const struct column *const c = &r.columns[i];
            widest = c->cols * c->cell_w > r.columns[widest].cols * r.columns[widest].cell_w
                         ? i
                         : widest;
        }
        if (r.columns[widest].cols <= 1) {
            break;
        }
        r.columns[widest].cols--;
    }
    return r;
}

bool view_compact_fits(const struct frame *f, const struct view_walk *v, int cols)
{
    const struct row r = fit(f, v, cols);
    bool whole = width_of(&r) <= cols;
    for (int i = 0; i < r.n; i++) {
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
        x += cols.n * c->cell_w + 1 + GAP;
    }
}
