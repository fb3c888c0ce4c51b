#include "view_matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const view_zoom_names[VIEW_N_ZOOMS] = {"auto", "digits", "short digits", "heat",
                                                   "picture"};

enum { LABEL_MAX = 10, TOKEN_WIDTH = 4 };

bool view_has(const struct view_walk *v, enum attn_tensor_id id)
{
    return id != ATTN_NO_TENSOR && attn_trace_tensor(v->trace, id) != NULL;
}

enum attn_axis view_row_axis(const struct view_matrix *m)
{
    return attn_tensors[m->tensor].axes[m->transposed ? 2 : 1];
}

enum attn_axis view_col_axis(const struct view_matrix *m)
{
    return attn_tensors[m->tensor].axes[m->transposed ? 1 : 2];
}

int view_rows(const struct view_walk *v, enum attn_tensor_id id, bool transposed)
{
    return attn_trace_tensor(v->trace, id)->dims[transposed ? 2 : 1];
}

int view_cols(const struct view_walk *v, enum attn_tensor_id id, bool transposed)
{
    return attn_trace_tensor(v->trace, id)->dims[transposed ? 1 : 2];
}

int view_batch(const struct view_walk *v)
{
    return v->batch;
}

struct attn_cell view_cell(const struct view_matrix *m, int b, int row, int col)
{
    const bool batched = attn_tensors[m->tensor].axes[0] != ATTN_AXIS_NONE;
    return (struct attn_cell){
        m->tensor, {batched ? b : 0, m->transposed ? col : row, m->transposed ? row : col}};
}

struct view_format view_tensor_format(const struct view_walk *v, enum attn_tensor_id id,
                                      enum view_zoom zoom)
{
    const struct view_format format = view_format_for(v->ranges[id], attn_tensors[id].kind, zoom);
    const bool whole =
        v->decimals == NULL || attn_tensors[id].kind == ATTN_KIND_MASK || zoom == VIEW_ZOOM_HEAT;
    return whole ? format
                 : view_format_fewer(format, v->decimals[id],
                                     attn_tensors[id].axes[2] != ATTN_AXIS_S ? 1
                                     : v->setup->memory_tokens.n > 0         ? TOKEN_WIDTH
                                                                             : 2);
}

int view_cell_width(const struct view_walk *v, enum attn_tensor_id id, enum view_zoom zoom)
{
    return view_has(v, id) ? view_tensor_format(v, id, zoom).width + 1 : 0;
}

const char *view_label(const struct view_walk *v, enum attn_axis axis, int index, char buf[16])
{
    return walk_label(v->setup, axis, index, buf);
}

/** Do tokens, whose widths differ, stand for the indices of this axis? */
static bool has_tokens(const struct view_walk *v, enum attn_axis axis)
{
    return (axis == ATTN_AXIS_T && v->setup->tokens.n > 0) ||
           (axis == ATTN_AXIS_S && v->setup->memory_tokens.n > 0);
}

static int widest_label(const struct frame *f, const struct view_walk *v, enum attn_axis axis)
{
    const int n = attn_axis_size(&attn_trace_config(v->trace)->sizes, axis);
    int widest = 1;
    for (int i = has_tokens(v, axis) ? 0 : n - 1; i < n;
         i++) { /* no number is wider than the last */
        char buf[16];
        const int w = frame_width(f, view_label(v, axis, i, buf));
        widest = w > widest ? w : widest;
    }
    return widest < LABEL_MAX ? widest : LABEL_MAX;
}

int view_label_width(const struct frame *f, const struct view_walk *v, enum attn_axis axis)
{
    return widest_label(f, v, axis) + VIEW_LABEL_AROUND;
}

int view_labelled_width(const struct frame *f, const struct view_walk *v, enum attn_axis axis)
{
    return has_tokens(v, axis) ? widest_label(f, v, axis) + 1 : 0;
}

/* ---- marks ---- */

/** The regions that stand out in this step, worked out once for a matrix. */
struct marks {
    struct walk_region reads[WALK_REGIONS_MAX], writes[WALK_REGIONS_MAX];
    int n_reads, n_writes;
};

/** What the cell under the cursor reads; where the cursor is elsewhere, what the step reads. */
static struct marks find_marks(const struct view_walk *v)
{
    struct marks m = {.n_reads = 0};
    struct walk_step of = v->step;
    struct walk_step writer;
    if (walk_writer(v->trace, v->cursor, WALK_CELL, &writer) && writer.stage == v->step.stage &&
        walk_computed(v->trace, &v->step, v->cursor)) {
        of = writer;
    }
    if (of.grain != WALK_STAGE) {
        m.n_reads = walk_reads(v->trace, &of, m.reads);
    }
    if (v->step.grain != WALK_STAGE) {
        m.n_writes = walk_writes(v->trace, &v->step, m.writes);
    }
    return m;
}

static bool same_cell(struct attn_cell a, struct attn_cell b)
{
    return a.tensor == b.tensor && memcmp(a.at, b.at, sizeof a.at) == 0;
}

static enum frame_mark mark_of(const struct view_walk *v, const struct marks *m,
                               struct attn_cell cell)
{
    if (same_cell(cell, v->cursor)) {
        return FRAME_MARK_FOCUS;
    }
    for (int i = 0; i < m->n_writes; i++) {
        if (walk_region_has(&m->writes[i], cell)) {
            return FRAME_MARK_WRITE;
        }
    }
    for (int i = 0; i < m->n_reads; i++) {
        if (walk_region_has(&m->reads[i], cell)) {
            return FRAME_MARK_READ;
        }
    }
    return FRAME_MARK_NONE;
}

/* ---- cells ---- */

bool view_shape_hidden(const struct view_walk *v, enum attn_tensor_id id)
{
    return v->hidden != NULL && v->hidden->shape && v->hidden->cell.tensor == id;
}

bool view_is_hidden(const struct view_walk *v, struct attn_cell cell)
{
    return v->hidden != NULL && v->hidden->cell.tensor == cell.tensor &&
           (v->hidden->shape || same_cell(v->hidden->cell, cell));
}

/** A masked cell is a dot unless a finite fill leaves it a value that a person must see. */
static bool is_dot(const struct view_walk *v, struct attn_cell cell, float value)
{
    const bool logit = attn_tensors[cell.tensor].kind == ATTN_KIND_LOGIT;
    return walk_masked(v->trace, cell) && (logit ? isinf(value) && value < 0 : value == 0.0F);
}

static enum frame_role role_of(const struct view_walk *v, const struct view_matrix *m,
                               struct attn_cell cell, float value)
{
    if (walk_masked(v->trace, cell)) {
        return FRAME_MASKED;
    }
    const enum attn_kind kind = attn_tensors[cell.tensor].kind;
    const int heat = walk_heat_in(v->trace, cell, m->range);
    if (kind == ATTN_KIND_MASK) {
        return value != 0.0F ? FRAME_TEXT : FRAME_MASKED;
    }
    if (heat < 0) {
        return FRAME_WARN;
    }
    return (enum frame_role)((kind == ATTN_KIND_PROBABILITY ? FRAME_PROB0 : FRAME_HEAT0) + heat);
}

/** Sign and shade, readable without colour. */
static void shaded(const struct frame *f, char out[24], float value, int heat, enum attn_kind kind)
{
    const char *const shade = view_shade(f, heat, kind);
    const char *const sign = kind == ATTN_KIND_PROBABILITY ? shade
                             : value < 0                   ? "-"
                             : value > 0                   ? "+"
                                                           : " ";
    snprintf(out, 24, "%s%s", sign, shade);
}

/** A share in two columns: tenths, ".5"; more than nothing and less than one "~0". */
static void tenths(char out[24], float value)
{
    if (value >= 0.95F) {
        snprintf(out, 24, "%d.", (int)(value + 0.5F));
    } else if (value > 0.0F && value < 0.05F) {
        snprintf(out, 24, "~0");
    } else {
        snprintf(out, 24, ".%d", (int)(10.0F * value + 0.5F));
    }
}

static void cell_text(const struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                      struct attn_cell cell, float value, char out[24])
{
    const enum attn_kind kind = attn_tensors[m->tensor].kind;
    if (is_dot(v, cell, value)) {
        snprintf(out, 24, "%s", f->ascii ? "." : "·");
    } else if (kind == ATTN_KIND_MASK) {
        snprintf(out, 24, "%s", value != 0.0F ? "1" : "0");
    } else if (m->zoom == VIEW_ZOOM_HEAT && v->zoom == VIEW_ZOOM_AUTO && m->cell_w == 2 &&
               kind == ATTN_KIND_PROBABILITY && value >= 0.0F && value < 9.0F) {
        tenths(out, value); /* for want of room alone, not since heat is what one wants to see */
    } else if (m->zoom == VIEW_ZOOM_HEAT) {
        shaded(f, out, value, walk_heat_in(v->trace, cell, m->range), kind);
    } else {
        view_number(out, value, m->format);
    }
}

/** A bar under a weight, as long as the weight is large; NaN has none. */
static void draw_bar(struct frame *f, int row, int col, int width, float value)
{
    const float share = value > 1 ? 1 : value > 0 ? value : 0;
    const int halves = (int)(share * (float)(2 * width) + 0.5F);
    frame_fill(f, row, col + width - halves / 2 - halves % 2, halves % 2, FRAME_DIM,
               FRAME_MARK_NONE, "▐");
    frame_fill(f, row, col + width - halves / 2, halves / 2, FRAME_DIM, FRAME_MARK_NONE, "█");
}

/** Does the number differ from the other computation's? */
static bool changed(const struct view_walk *v, struct attn_cell cell)
{
    return v->against != NULL && walk_differs(v->trace, v->against->trace, cell, 0.0, NULL);
}

/** A number that is asked for: its place, and nothing that tells it. */
static void draw_hidden(struct frame *f, const struct view_matrix *m, int top, int left,
                        enum frame_mark mark)
{
    const enum frame_mark ground = mark == FRAME_MARK_FOCUS ? mark : FRAME_MARK_NONE;
    for (int r = 0; r < m->cell_h; r++) {
        frame_fill(f, top + r, left, m->cell_w, FRAME_STRONG, ground, " ");
    }
    frame_put_fit(f, top + (m->cell_h == 3), left + 1, m->cell_w - 1, true, FRAME_STRONG, ground,
                  "?");
}

static void draw_cell(struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                      const struct marks *marks, int i, int j)
{
    const struct attn_cell cell = view_cell(m, view_batch(v), m->row0 + i, m->col0 + j);
    const int top = m->top + i * m->cell_h;
    const int left = m->left + j * m->cell_w;
    const bool heat_only = m->zoom == VIEW_ZOOM_HEAT;
    const enum frame_mark mark = mark_of(v, marks, cell);
    if (!walk_computed(v->trace, &v->step, cell)) {
        if (mark == FRAME_MARK_FOCUS) {
            frame_fill(f, top, left + 1, m->cell_w - 1, FRAME_DIM, mark, " ");
        }
        return;
    }
    if (view_is_hidden(v, cell)) {
        draw_hidden(f, m, top, left, mark);
        return;
    }
    const float value = walk_value(v->trace, cell);
    const enum frame_role role = role_of(v, m, cell, value);
    const bool bars = m->cell_h >= 2 && attn_tensors[m->tensor].kind == ATTN_KIND_PROBABILITY;
    char text[24];
    cell_text(f, v, m, cell, value, text);
    const int number_row = m->cell_h == 3 ? top + 1 : top;
    const bool read = mark == FRAME_MARK_READ; /* marks the digits, not the blank around them */
    const enum frame_mark ground = read ? FRAME_MARK_NONE : mark;
    for (int r = 0; r < m->cell_h - bars; r++) {
        frame_fill(f, top + r, left, m->cell_w, role, ground, " ");
    }
    if (heat_only) { /* the mark takes the place of the sign */
        frame_put_fit(f, number_row, left, m->cell_w, true, role, mark, text);
        if (changed(v, cell)) {
            frame_put(f, number_row, left + m->cell_w - 2, FRAME_CHANGED, FRAME_MARK_NONE, "*");
        }
        return;
    }
    const int margin = (m->cell_w - 1 - m->format.width) / 2;
    const int end = left + m->cell_w - margin;
    const int start = end - frame_width(f, text);
    frame_put(f, number_row, start, role, mark, text);
    if (changed(v, cell)) { /* the mark touches its own number */
        frame_put(f, number_row, start - 1, FRAME_CHANGED, FRAME_MARK_NONE, "*");
    }
    if (bars && !is_dot(v, cell, value)) {
        draw_bar(f, top + m->cell_h - 1, left + 1, m->cell_w - 1 - margin, value);
    }
}

/** One side of the focused cell, unless the mark of a changed number stands there. */
static void put_bracket(struct frame *f, int row, int col, const char *glyph)
{
    const struct frame_cell *const there = frame_at(f, row, col);
    if (there != NULL && strcmp(there->glyph, "*") != 0) {
        frame_put(f, row, col, FRAME_TEXT, FRAME_MARK_WRITE, glyph);
    }
}

/** The focused cell stands between two half blocks. */
static void draw_focus(struct frame *f, const struct view_walk *v, const struct view_matrix *m)
{
    if (v->cursor.tensor != m->tensor || m->zoom == VIEW_ZOOM_HEAT) {
        return;
    }
    const int i = v->cursor.at[m->transposed ? 2 : 1] - m->row0;
    const int j = v->cursor.at[m->transposed ? 1 : 2] - m->col0;
    if (i < 0 || i >= m->rows || j < 0 || j >= m->cols) {
        return;
    }
    const int left = m->left + j * m->cell_w;
    f->cursor_row = m->top + i * m->cell_h + (m->cell_h == 3);
    f->cursor_col = left + m->cell_w - 1;
    for (int r = 0; r < m->cell_h; r++) {
        const int row = m->top + i * m->cell_h + r;
        put_bracket(f, row, left, f->ascii ? "[" : "▐");
        put_bracket(f, row, left + m->cell_w, f->ascii ? "]" : "▌");
    }
}

/* ---- all of it ---- */

/** Does the cell under the cursor have to do with this matrix? */
static bool is_related(const struct view_walk *v, const struct view_matrix *m,
                       const struct marks *marks)
{
    bool related = v->cursor.tensor == m->tensor;
    for (int i = 0; i < marks->n_reads; i++) {
        related = related || marks->reads[i].tensor == m->tensor;
    }
    return related || marks->n_reads == 0;
}

/** The sum of a row would tell the one number that is hidden in it. */
static bool row_hidden(const struct view_walk *v, struct attn_cell cell)
{
    return v->hidden != NULL && v->hidden->cell.tensor == cell.tensor &&
           v->hidden->cell.at[0] == cell.at[0] && v->hidden->cell.at[1] == cell.at[1];
}

static void draw_sums(struct frame *f, const struct view_walk *v, const struct view_matrix *m)
{
    const int col = m->left + m->cols * m->cell_w + 1;
    frame_put_fit(f, m->top - 1, col, VIEW_SUM_WIDTH - 1, true, FRAME_LABEL, FRAME_MARK_NONE,
                  f->ascii ? "sum" : "Σ");
    for (int i = 0; i < m->rows; i++) {
        const struct attn_cell last =
            view_cell(m, view_batch(v), m->row0 + i, view_cols(v, m->tensor, false) - 1);
        if (walk_computed(v->trace, &v->step, last) && !row_hidden(v, last)) {
            char text[24];
            const float sum = walk_row_sum(v->trace, m->tensor, last.at[0], last.at[1]);
            view_number(text, sum,
                        (struct view_format){.width = VIEW_SUM_WIDTH - 1, .decimals = 3});
            const bool one = fabsf(sum - 1.0F) < 1e-5F;
            frame_put_fit(f, m->top + i * m->cell_h + (m->cell_h == 3), col, VIEW_SUM_WIDTH - 1,
                          true, one ? FRAME_DIM : FRAME_WARN, FRAME_MARK_NONE, text);
        }
    }
}

void view_matrix_draw(struct frame *f, const struct view_walk *v, const struct view_matrix *m)
{
    if (view_shape_hidden(v, m->tensor)) {
        view_heading(f, v, m);
        return;
    }
    if (m->zoom == VIEW_ZOOM_PICTURE) {
        view_heading(f, v, m);
        view_picture_draw(f, v, m);
        return;
    }
    const struct marks marks = find_marks(v);
    if (!m->bare) {
        view_heading(f, v, m);
    }
    view_labels(f, v, m, is_related(v, m, &marks));
    for (int i = 0; i < m->rows; i++) {
        for (int j = 0; j < m->cols; j++) {
            draw_cell(f, v, m, &marks, i, j);
        }
    }
    draw_focus(f, v, m);
    if (m->sums) {
        draw_sums(f, v, m);
    }
}
