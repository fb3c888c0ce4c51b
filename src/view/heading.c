/* What stands around the cells of a matrix: its heading and its labels. */
#include <stdio.h>
#include <string.h>

#include "view_matrix.h"

enum {
    PICTURE_NAME = 9,
    LETTER_BELOW = 5, /**< Columns a cell: in less a token would be cut to nothing. */
    LETTERS_MAX = 8, /**< Columns of a matrix without digits, above which only some are labelled. */
    STRIP_COLS = 6   /**< From one of these labels to the next. */
};

/** The cursor's index on this axis, in whichever matrix it is; -1 if its tensor has no such axis.
 */
static int cursor_on(const struct view_walk *v, enum attn_axis axis)
{
    const enum attn_axis *axes = attn_tensors[v->cursor.tensor].axes;
    return axes[1] == axis ? v->cursor.at[1] : axes[2] == axis ? v->cursor.at[2] : -1;
}

/** A label in width columns; the cursor's is marked, the blanks around it are not. */
static void put_label(struct frame *f, int row, int col, int width, bool right, bool here,
                      const char *text)
{
    frame_put_fit(f, row, col, width, right, FRAME_LABEL, FRAME_MARK_NONE, text);
    if (here) {
        const int w = frame_width(f, text) < width ? frame_width(f, text) : width;
        frame_remark(f, row, right ? col + width - w : col, w, FRAME_MARK_READ);
    }
}

static void draw_row_labels(struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                            int cursor_row)
{
    const enum attn_axis axis = view_row_axis(m);
    for (int i = 0; i < m->rows; i++) {
        char buf[16];
        const int index = m->row0 + i;
        const int row = m->top + i * m->cell_h + (m->cell_h == 3);
        const bool here = index == cursor_row;
        const int col = m->left - m->label_w;
        if (here && (axis == ATTN_AXIS_T || v->cursor.tensor == m->tensor)) {
            frame_put(f, row, col, FRAME_TEXT, FRAME_MARK_WRITE, f->ascii ? ">" : "▶");
        }
        put_label(f, row, col + 1, m->label_w - 2, false, here,
                  m->bare ? "+b" : view_label(v, axis, index, buf));
    }
}

/** A token where there is one column for it: its first letter, if that is as narrow. */
static const char *letter(const struct frame *f, const char *label, int index, char buf[16])
{
    size_t n = 0;
    while (n < 4 && label[n] != '\0' && (n == 0 || ((unsigned char)label[n] & 0xC0) == 0x80)) {
        n++;
    }
    char first[5] = "";
    memcpy(first, label, n);
    const bool digit = label[0] >= '0' && label[0] <= '9';
    if (digit || frame_width(f, first) != 1) {
        snprintf(buf, 16, "%d", index);
    } else {
        snprintf(buf, 16, "%s", first);
    }
    return buf;
}

/** Columns of a strip: where a label stands, and how wide. A number ends where its cell does. */
struct span {
    int from, to;
};

static struct span put_sparse(struct frame *f, const struct view_walk *v,
                              const struct view_matrix *m, int index, int width, struct span taken)
{
    char buf[16];
    const char *const label = view_label(v, view_col_axis(m), index, buf);
    const int whole = frame_width(f, label);
    const int w = whole < width ? whole : width;
    const int left = m->left + (index - m->col0) * m->cell_w;
    const int from = left + (whole <= m->cell_w ? m->cell_w - whole : 1);
    const struct span here = {from, from + w};
    if (taken.to > taken.from && from <= taken.to && here.to >= taken.from) {
        return taken; /* the cursor's goes first, with a blank at either side */
    }
    put_label(f, m->top - 1, from, w, false, taken.to == taken.from, label);
    return here;
}

/** Cells narrower than their labels: the cursor's stands above its column, of the others each n-th
 * that leaves it room. */
static void draw_sparse(struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                        int cursor_col, int each)
{
    const int width = m->cell_w * each - 1;
    const bool here = cursor_col >= m->col0 && cursor_col < m->col0 + m->cols;
    const struct span none = {-1, -1};
    const struct span cursor =
        here ? put_sparse(f, v, m, cursor_col, width, none) : (struct span){-3, -2};
    for (int j = 0; j < m->cols; j += each) {
        if (m->col0 + j != cursor_col) {
            (void)put_sparse(f, v, m, m->col0 + j, width, cursor);
        }
    }
}

static void draw_col_labels(struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                            int cursor_col)
{
    const enum attn_axis axis = view_col_axis(m);
    const bool strip = m->zoom == VIEW_ZOOM_HEAT && m->cols > LETTERS_MAX;
    const int widest = view_label_width(f, v, axis) - VIEW_LABEL_AROUND;
    const bool cut = m->cell_w < LETTER_BELOW && widest > m->cell_w - 1;
    const bool letters = cut && view_labelled_width(f, v, axis) > 0;
    if (strip || (cut && !letters)) {
        draw_sparse(f, v, m, cursor_col,
                    ((strip ? STRIP_COLS : widest + 1) + m->cell_w - 1) / m->cell_w);
        return;
    }
    const int blank = m->zoom == VIEW_ZOOM_HEAT ? 0 : 1;
    for (int j = 0; j < m->cols; j++) {
        char text[16];
        char first[16];
        const int index = m->col0 + j;
        const char *label = view_label(v, axis, index, text);
        label = letters ? letter(f, label, index, first) : label;
        const int width = m->cell_w - blank;
        const int spare = width - frame_width(f, label); /* above its number, while it fits */
        const int margin = blank == 0 ? 0 : (m->cell_w - 1 - m->format.width) / 2;
        put_label(f, m->top - 1, m->left + blank + j * m->cell_w,
                  width - (margin < spare ? margin
                           : spare > 0    ? spare
                                          : 0),
                  true, index == cursor_col, label);
    }
}

void view_labels(struct frame *f, const struct view_walk *v, const struct view_matrix *m,
                 bool related)
{
    if (m->col_labels) {
        draw_col_labels(f, v, m, related ? cursor_on(v, view_col_axis(m)) : -1);
    }
    if (m->row_labels) {
        draw_row_labels(f, v, m, related ? cursor_on(v, view_row_axis(m)) : -1);
    }
}

/** What part is in view, or the way the keys run. @param whose  Of the merged columns, too, whether
 * they are q's, k's or v's. */
static void heading_note(const struct view_walk *v, const struct view_matrix *m, bool whose,
                         char *out, size_t size)
{
    const int rows = view_rows(v, m->tensor, m->transposed);
    const int cols = view_cols(v, m->tensor, m->transposed);
    const bool merged = view_col_axis(m) == ATTN_AXIS_3D && whose;
    const int d = merged ? cols / 3 : cols;
    const int last = m->col0 + m->cols - 1;
    int n = snprintf(out, size, "  %d×%d", rows, cols);
    if (m->zoom == VIEW_ZOOM_PICTURE) {
        return;
    }
    if (m->cols < cols) {
        n += snprintf(out + n, size - (size_t)n, "  columns %d–%d", m->col0, last);
        if (merged && last / d == m->col0 / d) {
            snprintf(out + n, size - (size_t)n, ": %c", "qkv"[m->col0 / d % 3]);
        }
    } else if (m->rows < rows) {
        snprintf(out + n, size - (size_t)n, "  rows %d–%d", m->row0, m->row0 + m->rows - 1);
    } else if (merged) {
        snprintf(out + n, size - (size_t)n, "  q from 0, k from %d, v from %d", d, 2 * d);
    } else if (m->col_labels && view_col_axis(m) == ATTN_AXIS_S) {
        snprintf(out + n, size - (size_t)n, "  keys →");
    } else if (m->row_labels && view_row_axis(m) == ATTN_AXIS_T) {
        snprintf(out + n, size - (size_t)n, "  queries ↓");
    }
}

/** What is in view where there is no room for words: the shape, or which columns of how many. */
static void short_note(const struct view_walk *v, const struct view_matrix *m, char *out,
                       size_t size)
{
    const int rows = view_rows(v, m->tensor, m->transposed);
    const int cols = view_cols(v, m->tensor, m->transposed);
    if (m->cols < cols) {
        snprintf(out, size, " %d–%d/%d", m->col0, m->col0 + m->cols - 1, cols);
    } else if (m->rows < rows) {
        snprintf(out, size, " %d–%d/%d", m->row0, m->row0 + m->rows - 1, rows);
    } else {
        snprintf(out, size, "  %d×%d", rows, cols);
    }
}

void view_heading(struct frame *f, const struct view_walk *v, const struct view_matrix *m)
{
    char name[64];
    char note[64];
    const int row = m->top - (m->col_labels ? 2 : 1);
    const int room = m->cols * m->cell_w + 1;
    attn_tensor_name(attn_trace_config(v->trace)->variant, m->tensor, name, sizeof name);
    int col = m->left + (m->zoom == VIEW_ZOOM_PICTURE ? 0 : 1);
    /* Where a layer's name would run into its neighbour's it gives way to its symbol. */
    const bool picture = m->zoom == VIEW_ZOOM_PICTURE;
    const int name_w = frame_width(f, name);
    const bool fits = name_w <= room + (picture ? 0 : 3) || (picture && name_w <= PICTURE_NAME);
    col += frame_put(f, row, col, FRAME_HEADING, FRAME_MARK_NONE,
                     fits ? name : attn_tensors[m->tensor].symbol);
    col += m->transposed ? frame_put(f, row, col, FRAME_HEADING, FRAME_MARK_NONE, "ᵀ") : 0;
    if (view_shape_hidden(v, m->tensor)) {
        frame_put(f, row, col, FRAME_STRONG, FRAME_MARK_NONE, "  ?");
        return;
    }
    const int left = room - (col - m->left);
    heading_note(v, m, true, note, sizeof note);
    if (frame_width(f, note) > left) {
        heading_note(v, m, false, note, sizeof note);
    }
    if (frame_width(f, note) > left && m->zoom != VIEW_ZOOM_PICTURE) {
        short_note(v, m, note, sizeof note);
    }
    if (frame_width(f, note) <= left) {
        frame_put(f, row, col, FRAME_DIM, FRAME_MARK_NONE, note);
    }
}
