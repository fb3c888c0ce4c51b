/* The help: rows of keys and what they do, in one column or two. */
#include "view_panel.h"

enum {
    TWO_FROM_COLS = 110, /**< From here on there are two columns. */
    HEAD_ROWS = 2,
    FOOT_ROWS = 2,
    GAP = 2 /**< Between the keys and their words. */
};

static int columns_of(int cols)
{
    return cols >= TWO_FROM_COLS ? 2 : 1;
}

int view_help_page(int rows, int cols)
{
    const int visible = rows - HEAD_ROWS - FOOT_ROWS;
    return visible > 1 ? visible * columns_of(cols) : 1;
}

/** The columns of the keys: of the longest, and at most a third. */
static int key_width(const struct frame *f, const struct view_help_row *rows, int n, int cols)
{
    int width = 0;
    for (int i = 0; i < n; i++) {
        const int w = rows[i].keys != NULL ? frame_width(f, rows[i].keys) : 0;
        width = w > width ? w : width;
    }
    return width < cols / 3 ? width : cols / 3;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/** The lines that a row takes. */
static int height(const struct frame *f, const struct view_help_row *row, int key_w, int cols)
{
    const int words = frame_wrapped_rows(f, cols - key_w - GAP, row->help);
    return row->keys == NULL ? 1
                             : larger(1, larger(words, frame_wrapped_rows(f, key_w, row->keys)));
}

/** All of it, one below the other: what is seen is cut out of that. @return NULL: no memory. */
static struct frame *draw_long(const struct frame *f, const struct view_help_row *rows, int n,
                               int cols)
{
    const int key_w = key_width(f, rows, n, cols);
    int lines = 0;
    for (int i = 0; i < n; i++) {
        lines += height(f, &rows[i], key_w, cols - 1);
    }
    struct frame *const all = frame_create(larger(lines, 1), cols, f->ascii);
    int row = 0;
    for (int i = 0; i < n && all != NULL; i++) {
        const int rest = lines - row;
        if (rows[i].keys == NULL) {
            frame_put_fit(all, row, 0, cols, false, FRAME_HEADING, FRAME_MARK_NONE, rows[i].help);
        } else {
            frame_put_wrapped(all, row, 1, key_w, rest, FRAME_KEY, rows[i].keys);
            frame_put_wrapped(all, row, 1 + key_w + GAP, cols - 1 - key_w - GAP, rest, FRAME_TEXT,
                              rows[i].help);
        }
        row += height(f, &rows[i], key_w, cols - 1);
    }
    return all;
}

/** A column of what is seen. */
static void copy(struct frame *f, const struct frame *all, int first, int rows, int col)
{
    for (int r = 0; r < rows && first + r < all->rows; r++) {
        for (int c = 0; c < all->cols; c++) {
            f->cells[(HEAD_ROWS + r) * f->cols + col + c] = all->cells[(first + r) * all->cols + c];
        }
    }
}

int view_help(struct frame *f, const char *title, const struct view_help_row *rows, int n, int top,
              const struct view_key *keys, int n_keys)
{
    frame_clear(f);
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        view_too_small(f);
        return 0;
    }
    const int columns = columns_of(f->cols);
    const int visible = f->rows - HEAD_ROWS - FOOT_ROWS;
    const int width = (f->cols - 1 - columns) / columns;
    struct frame *const all = draw_long(f, rows, n, width);
    const int lines = all != NULL ? all->rows : 0;
    const int page = visible * columns;
    const int last = lines > page ? lines - page : 0;
    top = top < last ? top : last;
    frame_fill(f, 0, 0, f->cols, FRAME_TITLE, FRAME_MARK_NONE, " ");
    frame_put(f, 0, 1, FRAME_TITLE, FRAME_MARK_NONE, title);
    for (int i = 0; i < columns && all != NULL; i++) {
        copy(f, all, top + i * visible, visible, 1 + i * (width + 1));
    }
    if (last > 0) {
        frame_putf(f, 0, f->cols - 12, FRAME_TITLE, FRAME_MARK_NONE, "%d of %d", top + page, lines);
    }
    frame_destroy(all);
    view_rule(f, f->rows - 2);
    view_keys(f, f->rows - 1, NULL, keys, n_keys);
    return last;
}
