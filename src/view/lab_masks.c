/* The masks instrument: the grid to paint, the scores that it changes, the weights that come of it,
 * and under them the rows that break, what to read in it, and what can be chosen. What there is no
 * room for is left out whole. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view_lab_masks.h"
#include "view_matrix.h"
#include "view_panel.h"

const char *view_masks_label(const struct config_tokens *tokens, int index, char buf[16])
{
    if (index < tokens->n) {
        return tokens->labels[index];
    }
    snprintf(buf, 16, "%d", index);
    return buf;
}

/** Over a column: the label, or its first character in all columns where one is too long. */
static void put_col_label(struct frame *f, const struct masks_grid *g, int s)
{
    const struct lab_masks *const lab = g->v->masks;
    const struct config_tokens *const tokens = &lab->setup.memory_tokens;
    char buf[16];
    const int width = g->cell_w - 1;
    bool fits = true;
    for (int i = 0; i < lab->S; i++) {
        fits = fits && frame_width(f, view_masks_label(tokens, i, buf)) <= width;
    }
    char text[64];
    snprintf(text, sizeof text, "%s", view_masks_label(tokens, s, buf));
    if (!fits && width < 4) {
        size_t n = 1;
        while (((unsigned char)text[n] & 0xC0) == 0x80) {
            n++;
        }
        text[n] = '\0';
    }
    frame_put_fit(f, g->top, g->left + s * g->cell_w + 1, width, true, FRAME_LABEL,
                  s == g->v->col ? FRAME_MARK_WRITE : FRAME_MARK_NONE, text);
}

/** The heading, if it has a row, and the labels. */
static void put_frame(struct frame *f, const struct masks_grid *g)
{
    const struct lab_masks *const lab = g->v->masks;
    char buf[16];
    if (g->heading != NULL) {
        frame_put(f, g->top - 1, g->left + 1, FRAME_HEADING, FRAME_MARK_NONE, g->heading);
    }
    for (int s = 0; s < lab->S; s++) {
        put_col_label(f, g, s);
    }
    for (int i = 0; g->label_w > 0 && i < g->rows; i++) {
        const bool here = g->first + i == g->v->row;
        const int row = g->top + 1 + i;
        frame_put(f, row, g->left - g->label_w, FRAME_TEXT, FRAME_MARK_WRITE, here ? "▶" : " ");
        frame_put_fit(f, row, g->left - g->label_w + 1, g->label_w - 1 - g->air, true, FRAME_LABEL,
                      here ? FRAME_MARK_WRITE : FRAME_MARK_NONE,
                      view_masks_label(&lab->setup.tokens, g->first + i, buf));
    }
}

static void put_cell(struct frame *f, const struct masks_grid *g, int t, int s,
                     enum frame_role role, enum frame_mark mark, const char *text)
{
    const int row = g->top + 1 + t - g->first;
    const int col = g->left + s * g->cell_w;
    frame_put(f, row, col, role, FRAME_MARK_NONE, " ");
    frame_put_fit(f, row, col + 1, g->cell_w - 1, true, role, mark, text);
}

static enum frame_mark mark_of(const struct masks_grid *g, int t, int s, enum frame_mark mark)
{
    return t == g->v->row && s == g->v->col ? mark : FRAME_MARK_NONE;
}

/** The mask as it is given, 1 and 0; what hides is grey. */
static void put_bits(struct frame *f, const struct masks_grid *g)
{
    const struct lab_masks *const lab = g->v->masks;
    put_frame(f, g);
    for (int t = g->first; t < g->first + g->rows; t++) {
        for (int s = 0; s < lab->S; s++) {
            put_cell(f, g, t, s, lab_masks_keeps(lab, t, s) ? FRAME_PROB8 - 2 : FRAME_MASKED,
                     mark_of(g, t, s, FRAME_MARK_FOCUS), lab->grid[t][s] != 0 ? "1" : "0");
        }
    }
    f->cursor_row = g->top + 1 + g->v->row - g->first;
    f->cursor_col = g->left + g->v->col * g->cell_w + g->cell_w - 1;
}

/** What a cell of the scores or the weights says, and how it looks. */
static enum frame_role number_text(const struct masks_grid *g, int t, int s, char text[24])
{
    const struct lab_masks *const lab = g->v->masks;
    const struct attn_cell cell = {.tensor = g->id, .at = {0, t, s}};
    const float value = walk_value(lab->trace, cell);
    const bool hidden = !lab_masks_keeps(lab, t, s);
    const enum attn_kind kind = attn_tensors[g->id].kind;
    const int heat = walk_heat_of(kind, value, g->range);
    const int first = kind == ATTN_KIND_PROBABILITY ? FRAME_PROB0 : FRAME_HEAT0;
    if (hidden && g->id != ATTN_WEIGHTS) {
        walk_constant((double)value, text);
        return FRAME_MASKED;
    }
    if (hidden && value == 0) {
        snprintf(text, 24, "·");
        return FRAME_MASKED;
    }
    view_number(text, value, g->format);
    return hidden || heat < 0 ? FRAME_WARN : (enum frame_role)(first + heat);
}

/** The scores with the fill where they are hidden, or the weights. */
static void put_numbers(struct frame *f, const struct masks_grid *g)
{
    const struct lab_masks *const lab = g->v->masks;
    put_frame(f, g);
    for (int t = g->first; t < g->first + g->rows; t++) {
        for (int s = 0; s < lab->S; s++) {
            char text[24];
            const enum frame_role role = number_text(g, t, s, text);
            put_cell(f, g, t, s, role, mark_of(g, t, s, FRAME_MARK_WRITE), text);
        }
    }
}

/** Behind the weights, or the grid: each row's sum if there is room, and whether it holds. */
static void put_sums(struct frame *f, const struct masks_grid *g, bool digits)
{
    const struct lab_masks *const lab = g->v->masks;
    const int col = g->left + lab->S * g->cell_w;
    const int width = digits ? MASKS_SUM_COLS : 0;
    if (digits) {
        frame_put_fit(f, g->top, col, width, true, FRAME_LABEL, FRAME_MARK_NONE, "Σ");
    }
    for (int i = 0; i < g->rows; i++) {
        const struct lab_row *const row = &lab->rows[g->first + i];
        const bool sound = row->fault == LAB_SOUND;
        char text[24];
        view_number(text, (float)row->sum, (struct view_format){5, 3});
        frame_put_fit(f, g->top + 1 + i, col, width, true, FRAME_TEXT, FRAME_MARK_NONE, text);
        frame_put(f, g->top + 1 + i, col + width + 1, sound ? FRAME_OK : FRAME_WARN,
                  FRAME_MARK_NONE, sound ? "✓" : "!");
    }
}

/** The weights of the cursor's row one below the other, where a matrix of them is too wide. */
static void put_list(struct frame *f, const struct masks_grid *g)
{
    const struct lab_masks *const lab = g->v->masks;
    const int label_w = MASKS_LIST_COLS - g->cell_w;
    char buf[16];
    char text[24];
    if (g->heading != NULL) {
        snprintf(text, sizeof text, "row %.15s",
                 view_masks_label(&lab->setup.tokens, g->v->row, buf));
        frame_put_fit(f, g->top - 1, g->left, MASKS_LIST_COLS, true, FRAME_HEADING, FRAME_MARK_NONE,
                      text);
    }
    frame_put_fit(f, g->top, g->left, MASKS_LIST_COLS, true, FRAME_LABEL, FRAME_MARK_NONE,
                  g->heading != NULL ? "weights" : "weights ▶");
    for (int i = 0; i < g->rows; i++) {
        const bool here = g->first + i == g->v->col;
        frame_put_fit(f, g->top + 1 + i, g->left, label_w, true, FRAME_LABEL,
                      here ? FRAME_MARK_WRITE : FRAME_MARK_NONE,
                      view_masks_label(&lab->setup.memory_tokens, g->first + i, buf));
        const enum frame_role role = number_text(g, g->v->row, g->first + i, text);
        frame_put(f, g->top + 1 + i, g->left + label_w, role, FRAME_MARK_NONE, " ");
        frame_put_fit(f, g->top + 1 + i, g->left + label_w + 1, g->cell_w - 1, true, role,
                      here ? FRAME_MARK_WRITE : FRAME_MARK_NONE, text);
    }
}

/** The first of n rows that are in view with this one, where only so many are. */
static int first_of(int at, int n, int shown)
{
    const int middle = at - shown / 2;
    return middle < 0 ? 0 : middle > n - shown ? n - shown : middle;
}

/** The matrices. @return the row below them. */
static int put_matrices(struct frame *f, struct view_place place, const struct view_lab *v,
                        const struct masks_layout *a)
{
    const struct lab_masks *const lab = v->masks;
    const bool keeps1 = lab->config.mask_keeps != 0;
    const int head = a->heading ? 1 : 0;
    struct masks_grid g = {.v = v,
                           .top = place.row + head,
                           .left = place.col + 1 + a->label_w,
                           .cell_w = a->bit_w,
                           .label_w = a->label_w,
                           .air = a->air,
                           .rows = a->rows,
                           .first = first_of(v->row, lab->T, a->rows)};
    const bool whole = lab->S * a->bit_w >= (int)strlen("mask, 1 keeps");
    const char *const heading = keeps1 ? "mask, 1 keeps" : "mask, 0 keeps";
    g.heading = !a->heading ? NULL : whole ? heading : heading + strlen("mask, ");
    if (!a->heading) {
        frame_put(f, g.top, place.col + 1, FRAME_DIM, FRAME_MARK_NONE, heading + strlen("mask, "));
    }
    put_bits(f, &g);
    if (a->scores_w == 0 && a->weights_w == 0) {
        put_sums(f, &g, a->sums);
    }
    g.left += lab->S * a->bit_w + (a->list && a->sums ? MASKS_SUM_COLS : 0) +
              (a->list ? a->verdict_w : 0) + MASKS_GAP;
    g.label_w = 0;
    if (a->scores_w > 0) {
        g.id = ATTN_MASKED;
        g.range = walk_heat_range(lab->trace, g.id);
        g.format = a->scores;
        g.cell_w = a->scores_w;
        g.heading = a->heading ? "masked scores" : NULL;
        put_numbers(f, &g);
        g.left += a->below ? 0 : lab->S * a->scores_w + MASKS_GAP;
        g.top += a->below ? a->rows + 2 + head : 0;
        if (a->below) { /* beside the settings, as far as they leave room */
            const int room = g.left - place.col - 1 - MASKS_SETTINGS_COLS;
            g.label_w = room < 3 ? 0 : room < a->label_w ? room : a->label_w;
            g.air = g.label_w < a->label_w ? 0 : a->air;
        }
    }
    g.id = ATTN_WEIGHTS;
    g.range = walk_heat_range(lab->trace, g.id);
    g.format = a->weights;
    g.heading = a->heading ? "weights" : NULL;
    if (a->list) {
        g.rows = a->list_rows;
        g.first = first_of(v->col, lab->S, g.rows);
        g.cell_w = MASKS_LONG_COLS;
        put_list(f, &g);
    } else if (a->weights_w > 0) {
        g.cell_w = a->weights_w;
        put_numbers(f, &g);
        put_sums(f, &g, a->sums);
    }
    const int rows = a->rows > a->list_rows ? a->rows : a->list_rows;
    return a->below ? g.top + 1 + a->rows : place.row + head + 1 + rows;
}

/* ---- what can be chosen ---- */

/** Each setting with its key; they flow from line to line, or stand in a column. What does not fit
 * is left out. @return the rows used. */
static int put_settings(struct frame *f, struct view_place place, const struct lab_masks *lab,
                        bool column)
{
    char fill[WALK_NUMBER_MAX];
    walk_constant((double)lab->config.mask_fill, fill);
    const struct {
        const char *key, *name, *value;
    } settings[MASKS_SETTINGS] = {
        {"m", "mask", lab_presets[lab->preset]},
        {"M", "fill", fill},
        {"i", "keeps", lab->config.mask_keeps != 0 ? "1" : "0"},
        {"A", "align",
         lab->config.causal_align == ATTN_CAUSAL_TOP_LEFT ? "top left" : "bottom right"},
        {"e", "empty", lab->config.empty_row == ATTN_EMPTY_ZEROS ? "zeros" : "nan"},
    };
    int row = place.row;
    int col = 0;
    for (int i = 0; i < MASKS_SETTINGS; i++) {
        const int name_w = column ? 6 : frame_width(f, settings[i].name) + 1;
        const int width = 2 + name_w + frame_width(f, settings[i].value);
        if (col > 0 && (column || col + width > place.cols)) {
            row++;
            col = 0;
        }
        if (row >= place.row + place.rows) {
            return place.rows;
        }
        const int at = place.col + col;
        frame_put(f, row, at, FRAME_KEY, FRAME_MARK_NONE, settings[i].key);
        frame_put(f, row, at + 2, FRAME_DIM, FRAME_MARK_NONE, settings[i].name);
        frame_put(f, row, at + 2 + name_w, FRAME_TEXT, FRAME_MARK_NONE, settings[i].value);
        col += width + 2;
    }
    return row + 1 - place.row;
}

/** Under the matrices: what breaks, what to read, what can be chosen. */
static void put_below(struct frame *f, struct view_place place, const struct view_lab *v,
                      bool settings)
{
    const struct lab_masks *const lab = v->masks;
    const int end = place.row + place.rows;
    const int least = settings && place.rows > 1 ? (place.cols < MASKS_ONE_LINE_COLS ? 2 : 1) : 0;
    int row = place.row + (place.rows > least + 2 ? 1 : 0);
    const int kept = least < end - row - 1 ? least : end - row - 1;
    row += view_masks_faults(f, (struct view_place){row, place.col, end - row - kept, place.cols},
                             lab);
    const bool column = settings && end - row > MASKS_SETTINGS && place.cols >= MASKS_BESIDE_COLS;
    const int gap = end - row > least + (column ? 0 : 3) ? 1 : 0;
    struct view_place next = {row + gap, place.col, end - row - gap, place.cols};
    if (column) { /* the words stand beside them */
        put_settings(f, next, lab, true);
        next.col += MASKS_SETTINGS_COLS;
        next.cols -= MASKS_SETTINGS_COLS;
        view_masks_words(f, next, v);
        return;
    }
    next.rows -= least;
    const int words = gap > 0 ? view_masks_words(f, next, v) : 0;
    next.row += words;
    next.row += words > 0 && end - next.row > least ? 1 : 0;
    next.rows = end - next.row;
    if (settings) {
        put_settings(f, next, lab, false);
    }
}

void view_lab_masks(struct frame *f, struct view_place place, const struct view_lab *v)
{
    const struct lab_masks *const lab = v->masks;
    const struct masks_layout a = view_masks_layout(f, place, lab);
    const int row = put_matrices(f, place, v, &a);
    if (a.below) { /* beside the weights, below the grid */
        const struct view_place left = {place.row + a.rows + 3, place.col + 1, a.rows + 2,
                                        a.label_w + lab->S * a.bit_w};
        put_settings(f, left, lab, true);
    }
    if (row < place.row + place.rows) {
        put_below(
            f,
            (struct view_place){row, place.col + 1, place.row + place.rows - row, place.cols - 2},
            v, !a.below);
    }
}

void view_lab_masks_line(struct frame *f, struct view_place row, const struct view_lab *v)
{
    const struct lab_masks *const lab = v->masks;
    const struct lab_row *const r = &lab->rows[v->row];
    const bool sound = r->fault == LAB_SOUND;
    char buf[16];
    char sum[24];
    char text[96];
    view_number(sum, (float)r->sum, (struct view_format){5, 3});
    snprintf(text, sizeof text, "row %.10s: %d of %d keys, sum %s %s",
             view_masks_label(&lab->setup.tokens, v->row, buf), r->kept, lab->S, sum,
             sound ? "✓" : "!");
    frame_put_fit(f, row.row, row.col, row.cols, false, sound ? FRAME_HEADING : FRAME_WARN,
                  FRAME_MARK_NONE, text);
}

/* ---- as text ---- */

static void put_plain(FILE *out, const struct lab_masks *lab, enum attn_tensor_id id)
{
    for (int t = 0; t < lab->T; t++) {
        for (int s = 0; s < lab->S; s++) {
            const struct attn_cell cell = {.tensor = id, .at = {0, t, s}};
            char text[WALK_NUMBER_MAX];
            fprintf(out, " %9s", walk_number((double)walk_value(lab->trace, cell), text));
        }
        fputc('\n', out);
    }
}

void view_lab_masks_plain(FILE *out, const struct view_lab *v, bool ascii)
{
    const struct lab_masks *const lab = v->masks;
    char line[256];
    fprintf(out, "mask, %d keeps (%s)\n", lab->config.mask_keeps, lab_presets[lab->preset]);
    for (int t = 0; t < lab->T; t++) {
        for (int s = 0; s < lab->S; s++) {
            fprintf(out, " %d", lab->grid[t][s]);
        }
        fputc('\n', out);
    }
    fprintf(out, "\nmasked scores\n");
    put_plain(out, lab, ATTN_MASKED);
    fprintf(out, "\nweights\n");
    put_plain(out, lab, ATTN_WEIGHTS);
    fputc('\n', out);
    for (int t = 0; t < lab->T; t++) {
        const struct lab_row *const row = &lab->rows[t];
        char buf[16];
        snprintf(line, sizeof line, "row %s: %d of %d keys, sum %.4f%s%s",
                 view_masks_label(&lab->setup.tokens, t, buf), row->kept, lab->S, row->sum,
                 row->fault != LAB_SOUND ? ", " : "", lab_faults[row->fault]);
        view_put_line(out, ascii, line);
    }
}
