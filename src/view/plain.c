/* The walk as lines of text: for a screen reader, a dumb terminal, a pipe. */
#include <stdio.h>
#include <string.h>

#include "view_arrange.h"
#include "view_matrix.h"
#include "view_panel.h"

/* A line at a time through a one-row frame, so that text is made safe, and ASCII where it must be.
 */
void view_put_line(FILE *out, bool ascii, const char *text)
{
    const struct frame probe = {.rows = 1, .cols = FRAME_COLS_MAX, .ascii = ascii};
    int width = frame_width(&probe, text);
    width = width < 1 ? 1 : width > FRAME_COLS_MAX ? FRAME_COLS_MAX : width;
    struct frame *f = frame_create(1, width, ascii);
    if (f != NULL) {
        frame_put(f, 0, 0, FRAME_TEXT, FRAME_MARK_NONE, text);
        frame_write_text(f, out);
        frame_destroy(f);
    }
}

/* Beyond so many rows or columns a listener hears the part around the cursor, and which it is. */
enum { PLAIN_PART = 16 };

static struct window part_of(const struct view_walk *v, enum attn_tensor_id id, int axis, int total)
{
    const int at = v->cursor.tensor == id ? v->cursor.at[axis] : 0;
    return total <= PLAIN_PART ? (struct window){0, total} : view_window(at, PLAIN_PART, total);
}

static void put_heading(FILE *out, const struct view_walk *v, enum attn_tensor_id id,
                        const struct window *rows, const struct window *cols, bool ascii)
{
    const attn_tensor *const t = attn_trace_tensor(v->trace, id);
    char name[64];
    char line[256];
    attn_tensor_name(attn_trace_config(v->trace)->variant, id, name, sizeof name);
    int n = snprintf(line, sizeof line, "%s [%d] %dx%d", name, t->dims[0] > 1 ? view_batch(v) : 0,
                     t->dims[1], t->dims[2]);
    if (rows->n < t->dims[1]) {
        n += snprintf(line + n, sizeof line - (size_t)n, ", rows %d to %d", rows->first,
                      rows->first + rows->n - 1);
    }
    if (cols->n < t->dims[2]) {
        snprintf(line + n, sizeof line - (size_t)n, ", columns %d to %d", cols->first,
                 cols->first + cols->n - 1);
    }
    view_put_line(out, ascii, line);
}

void view_tensor_plain(FILE *out, const struct view_walk *v, enum attn_tensor_id id, bool ascii)
{
    const attn_tensor *t = attn_trace_tensor(v->trace, id);
    const int b = t->dims[0] > 1 ? view_batch(v) : 0;
    char name[64];
    char line[FRAME_COLS_MAX];
    attn_tensor_name(attn_trace_config(v->trace)->variant, id, name, sizeof name);
    if (view_shape_hidden(v, id)) {
        snprintf(line, sizeof line, "%s: its shape is the question", name);
        view_put_line(out, ascii, line);
        return;
    }
    const struct window rows = part_of(v, id, 1, t->dims[1]);
    const struct window cols = part_of(v, id, 2, t->dims[2]);
    put_heading(out, v, id, &rows, &cols, ascii);
    const struct view_format format = view_tensor_format(v, id, VIEW_ZOOM_DIGITS);
    for (int r = rows.first; r < rows.first + rows.n; r++) {
        char label[16];
        size_t n = (size_t)snprintf(line, sizeof line,
                                    "  %s:", view_label(v, attn_tensors[id].axes[1], r, label));
        for (int c = cols.first; c < cols.first + cols.n; c++) {
            const struct attn_cell cell = {id, {b, r, c}};
            char number[24] = "";
            if (!walk_computed(v->trace, &v->step, cell)) {
                snprintf(number, sizeof number, "-");
            } else if (view_is_hidden(v, cell)) {
                snprintf(number, sizeof number, "?");
            } else {
                view_number(number, walk_value(v->trace, cell), format);
            }
            n += (size_t)snprintf(line + n, sizeof line - n, " %s", number);
        }
        view_put_line(out, ascii, line);
    }
}

static void put_arithmetic(FILE *out, const struct view_walk *v, bool ascii)
{
    struct walk_explanation e;
    if (!walk_has(v->trace, v->cursor) || view_is_hidden(v, v->cursor) ||
        walk_explain(v->trace, v->cursor, &e, NULL) != ATTN_OK) {
        return;
    }
    char formula[512];
    char numbers[1024];
    char value[WALK_NUMBER_MAX];
    char line[FRAME_COLS_MAX];
    walk_formula(v->setup, v->trace, v->cursor, formula, sizeof formula);
    walk_arithmetic(v->trace, &e, 200, 1, numbers, sizeof numbers);
    snprintf(line, sizeof line, "%.400s", formula);
    view_put_line(out, ascii, line);
    walk_number((double)e.value, value);
    const bool alone = strcmp(numbers, value) == 0; /* nothing to work out */
    snprintf(line, sizeof line, "  = %.900s%s%s", numbers, alone ? "" : " = ", alone ? "" : value);
    view_put_line(out, ascii, line);
    walk_explanation_finish(&e);
}

void view_plain(FILE *out, const struct view_walk *v, bool ascii)
{
    const enum attn_stage stage = attn_trace_stage(v->trace, v->step.stage);
    char line[2048];
    snprintf(line, sizeof line, "%s %zu of %zu. %s", walk_grain_names[v->step.grain],
             walk_index(v->trace, &v->step) + 1, walk_count(v->trace, v->step.grain),
             attn_stages[stage].title);
    view_put_line(out, ascii, line);
    if (v->hidden == NULL) { /* they name numbers, and one of them is asked for */
        walk_words(v->setup, v->trace, &v->step, line, sizeof line);
        view_put_line(out, ascii, line);
    }
    struct walk_region writes[WALK_REGIONS_MAX];
    const int n = walk_writes(v->trace, &v->step, writes);
    for (int i = 0; i < n; i++) {
        view_tensor_plain(out, v, writes[i].tensor, ascii);
    }
    if (n > 0) {
        put_arithmetic(out, v, ascii);
    }
    int n_flags;
    const struct attn_flag *flags = attn_trace_flags(v->trace, &n_flags);
    for (int i = 0; i < n_flags; i++) {
        if (attn_trace_writer(v->trace, flags[i].tensor) == stage) {
            walk_flag_text(v->setup, v->trace, &flags[i], line, sizeof line);
            view_put_line(out, ascii, line);
        }
    }
}
