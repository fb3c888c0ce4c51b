/* The masks instrument: the grid to paint, the scores that it changes, the weights that come of it,
 * and under them the rows that break. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view_lab.h"
#include "view_matrix.h"
#include "view_panel.h"
#include "walk.h"

enum {
    LABEL_COLS = 7,
    BIT_COLS = 5,
    NARROW_BIT_COLS = 3,
    NUMBER_COLS = 8, /**< Four decimals and a sign. */
    NARROW_COLS = 5,
    SUM_COLS = 8,
    VERDICT_COLS = SUM_COLS + 2,
    GAP = 2,
    FAULT_ROWS = 3
};

/** One of the three matrices: where it stands, and what its cells say. */
struct grid {
    const struct view_lab *v;
    int top, left, cell_w;
    const char *heading;
    bool labels; /**< Of its rows. */
};

static const char *label(const struct config_tokens *tokens, int index, char buf[16])
{
    if (index < tokens->n) {
        return tokens->labels[index];
    }
    snprintf(buf, 16, "%d", index);
    return buf;
}

static void put_frame(struct frame *f, const struct grid *g)
{
    const struct lab_masks *const lab = g->v->masks;
    char buf[16];
    frame_put(f, g->top, g->left + 1, FRAME_HEADING, FRAME_MARK_NONE, g->heading);
    for (int s = 0; s < lab->S; s++) {
        const bool here = s == g->v->col;
        frame_put_fit(f, g->top + 1, g->left + s * g->cell_w + 1, g->cell_w - 1, true, FRAME_LABEL,
                      here ? FRAME_MARK_WRITE : FRAME_MARK_NONE,
                      label(&lab->setup.memory_tokens, s, buf));
    }
    for (int t = 0; g->labels && t < lab->T; t++) {
        const bool here = t == g->v->row;
        frame_put(f, g->top + 2 + t, g->left - LABEL_COLS, FRAME_TEXT, FRAME_MARK_WRITE,
                  here ? "▶" : " ");
        frame_put_fit(f, g->top + 2 + t, g->left - LABEL_COLS + 1, LABEL_COLS - 1, true,
                      FRAME_LABEL, here ? FRAME_MARK_WRITE : FRAME_MARK_NONE,
                      label(&lab->setup.tokens, t, buf));
    }
}

static void put_cell(struct frame *f, const struct grid *g, int t, int s, enum frame_role role,
                     enum frame_mark mark, const char *text)
{
    const int row = g->top + 2 + t;
    const int col = g->left + s * g->cell_w;
    frame_put(f, row, col, role, FRAME_MARK_NONE, " ");
    frame_put_fit(f, row, col + 1, g->cell_w - 1, true, role, mark, text);
}

static enum frame_mark mark_of(const struct grid *g, int t, int s, enum frame_mark mark)
{
    return t == g->v->row && s == g->v->col ? mark : FRAME_MARK_NONE;
}

/** The mask as it is given, 1 and 0; what hides is grey. */
static void put_grid(struct frame *f, const struct grid *g)
{
    const struct lab_masks *const lab = g->v->masks;
    put_frame(f, g);
    for (int t = 0; t < lab->T; t++) {
        for (int s = 0; s < lab->S; s++) {
            put_cell(f, g, t, s, lab_masks_keeps(lab, t, s) ? FRAME_PROB8 - 2 : FRAME_MASKED,
                     mark_of(g, t, s, FRAME_MARK_FOCUS), lab->grid[t][s] != 0 ? "1" : "0");
        }
    }
    f->cursor_row = g->top + 2 + g->v->row;
    f->cursor_col = g->left + g->v->col * g->cell_w + g->cell_w - 1;
}

static void fill_text(float fill, char out[WALK_NUMBER_MAX])
{
    if (isinf(fill)) {
        snprintf(out, WALK_NUMBER_MAX, fill < 0 ? "−∞" : "∞");
    } else {
        snprintf(out, WALK_NUMBER_MAX, "%.4g", (double)fill);
    }
}

/** The scores with the fill where they are hidden, or the weights. */
static void put_numbers(struct frame *f, const struct grid *g, enum attn_tensor_id id)
{
    const struct lab_masks *const lab = g->v->masks;
    const enum attn_kind kind = attn_tensors[id].kind;
    const float range = walk_heat_range(lab->trace, id);
    put_frame(f, g);
    for (int t = 0; t < lab->T; t++) {
        for (int s = 0; s < lab->S; s++) {
            const struct attn_cell cell = {.tensor = id, .at = {0, t, s}};
            const float value = walk_value(lab->trace, cell);
            const bool hidden = !lab_masks_keeps(lab, t, s);
            const bool quiet = hidden && (id != ATTN_WEIGHTS || value == 0);
            const int heat = walk_heat_of(kind, value, range);
            const int first = kind == ATTN_KIND_PROBABILITY ? FRAME_PROB0 : FRAME_HEAT0;
            char text[WALK_NUMBER_MAX];
            if (g->cell_w < NUMBER_COLS && isfinite(value)) {
                snprintf(text, sizeof text, "%.2f", (double)value);
            } else {
                walk_number((double)value, text);
            }
            if (hidden && id != ATTN_WEIGHTS) {
                fill_text(value, text);
            } else if (quiet) {
                snprintf(text, sizeof text, "·");
            }
            put_cell(f, g, t, s,
                     quiet                ? FRAME_MASKED
                     : hidden || heat < 0 ? FRAME_WARN
                                          : (enum frame_role)(first + heat),
                     mark_of(g, t, s, FRAME_MARK_WRITE), text);
        }
    }
}

/** Behind the weights: each row's sum, and whether it holds. */
static void put_sums(struct frame *f, const struct grid *g)
{
    const struct lab_masks *const lab = g->v->masks;
    const int col = g->left + lab->S * g->cell_w + 1;
    frame_put_fit(f, g->top + 1, col, SUM_COLS - 1, true, FRAME_LABEL, FRAME_MARK_NONE, "Σ");
    for (int t = 0; t < lab->T; t++) {
        const struct lab_row *const row = &lab->rows[t];
        const bool sound = row->fault == LAB_SOUND;
        char text[WALK_NUMBER_MAX];
        if (isnan(row->sum)) {
            snprintf(text, sizeof text, "nan");
        } else {
            snprintf(text, sizeof text, "%.3f", row->sum);
        }
        frame_put_fit(f, g->top + 2 + t, col, SUM_COLS - 1, true, FRAME_TEXT, FRAME_MARK_NONE,
                      text);
        frame_put(f, g->top + 2 + t, col + SUM_COLS, sound ? FRAME_OK : FRAME_WARN, FRAME_MARK_NONE,
                  sound ? "✓" : "✗");
    }
}

/** One line for the rows of each fault: "✗ rows cat, down: …". @return the rows used. */
static int put_faults(struct frame *f, struct view_place place, const struct lab_masks *lab)
{
    int used = 0;
    for (int fault = LAB_SOUND + 1; fault < LAB_N_FAULTS && used < place.rows; fault++) {
        char names[160] = "";
        double leak = 0;
        int n = 0;
        for (int t = 0; t < lab->T; t++) {
            if ((int)lab->rows[t].fault == fault) {
                char buf[16];
                const size_t at = strlen(names);
                snprintf(names + at, sizeof names - at, "%s%s", n > 0 ? ", " : "",
                         label(&lab->setup.tokens, t, buf));
                leak = lab->rows[t].leak > leak ? lab->rows[t].leak : leak;
                n++;
            }
        }
        if (n > 0) {
            char text[256];
            snprintf(text, sizeof text, "✗ row%s %s: %s", n > 1 ? "s" : "", names,
                     lab_faults[fault]);
            if (fault == LAB_LEAKS) {
                const size_t at = strlen(text);
                snprintf(text + at, sizeof text - at, ", up to %.4f", leak);
            }
            frame_put_fit(f, place.row + used, place.col, place.cols, false, FRAME_WARN,
                          FRAME_MARK_NONE, text);
            used++;
        }
    }
    if (used == 0 && place.rows > 0) {
        frame_put_fit(f, place.row, place.col, place.cols, false, FRAME_OK, FRAME_MARK_NONE,
                      "✓ every row keeps a key, sums to 1, and gives hidden keys nothing");
        used++;
    }
    return used;
}

/** What can be chosen, each with what it is now. */
static void put_settings(struct frame *f, struct view_place place, const struct lab_masks *lab)
{
    char fill[WALK_NUMBER_MAX];
    fill_text(lab->config.mask_fill, fill);
    const struct {
        const char *key, *name, *value;
    } settings[] = {
        {"m", "mask", lab_presets[lab->preset]},
        {"M", "fill", fill},
        {"i", "keeps", lab->config.mask_keeps != 0 ? "1" : "0"},
        {"A", "align",
         lab->config.causal_align == ATTN_CAUSAL_TOP_LEFT ? "top left" : "bottom right"},
        {"e", "empty", lab->config.empty_row == ATTN_EMPTY_ZEROS ? "zeros" : "nan"},
    };
    enum { N = sizeof settings / sizeof settings[0] };
    int col = place.col;
    for (int i = 0; place.rows > 0 && place.rows < N && i < N; i++) { /* in one line */
        char text[64];
        snprintf(text, sizeof text, "%s %s", settings[i].name, settings[i].value);
        col += frame_put(f, place.row, col, FRAME_KEY, FRAME_MARK_NONE, settings[i].key) + 1;
        col += frame_put(f, place.row, col, FRAME_LABEL, FRAME_MARK_NONE, text) + 2;
    }
    for (int i = 0; place.rows >= N && i < N; i++) {
        frame_put(f, place.row + i, place.col, FRAME_KEY, FRAME_MARK_NONE, settings[i].key);
        frame_put(f, place.row + i, place.col + 2, FRAME_LABEL, FRAME_MARK_NONE, settings[i].name);
        frame_put_fit(f, place.row + i, place.col + 8, place.cols - 8, false, FRAME_TEXT,
                      FRAME_MARK_WRITE, settings[i].value);
    }
}

/** Who stands where: all three side by side, the weights below the scores, or no scores. */
struct arrangement {
    bool beside, below;
    int bit_w, number_w;
};

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

static struct arrangement arrange(struct view_place place, const struct lab_masks *lab)
{
    const int fixed = LABEL_COLS + 1 + GAP + VERDICT_COLS;
    struct arrangement a = {.bit_w = BIT_COLS, .number_w = NUMBER_COLS};
    a.beside = fixed + GAP + lab->S * (BIT_COLS + 2 * NUMBER_COLS) <= place.cols;
    a.below = !a.beside && 2 * (lab->T + 2) + 1 + FAULT_ROWS <= place.rows;
    if (fixed + lab->S * (a.bit_w + a.number_w) > place.cols) {
        a.bit_w = NARROW_BIT_COLS;
        a.number_w = clamp((place.cols - fixed) / lab->S - a.bit_w, NARROW_COLS, NUMBER_COLS);
    }
    return a;
}

void view_lab_masks(struct frame *f, struct view_place place, const struct view_lab *v)
{
    const struct lab_masks *const lab = v->masks;
    const struct arrangement a = arrange(place, lab);
    const int tall = lab->T + 2;
    const int left = place.col + LABEL_COLS + 1;
    int at = left + lab->S * a.bit_w + GAP;
    put_grid(f,
             &(struct grid){v, place.row, left, a.bit_w,
                            lab->config.mask_keeps != 0 ? "mask, 1 keeps" : "mask, 0 keeps", true});
    if (a.beside || a.below) {
        put_numbers(f, &(struct grid){v, place.row, at, a.number_w, "masked scores", false},
                    ATTN_MASKED);
        at += a.beside ? lab->S * a.number_w + GAP : 0;
    }
    const struct grid weights = {
        v, place.row + (a.below ? tall + 1 : 0), at, a.number_w, "weights", false};
    put_numbers(f, &weights, ATTN_WEIGHTS);
    put_sums(f, &weights);
    int row = weights.top + tall;
    row += row + 1 + FAULT_ROWS <= place.row + place.rows ? 1 : 0;
    row += put_faults(f,
                      (struct view_place){row, place.col + 1, place.row + place.rows - row,
                                          place.cols - 2},
                      lab) +
           1;
    const struct view_place below = {row, place.col + 1, place.row + place.rows - row,
                                     place.cols - 2};
    const struct view_place beside = {weights.top + 1, place.col + 1, tall,
                                      weights.left - place.col - 2};
    put_settings(f, a.below ? beside : below, lab);
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
                 label(&lab->setup.tokens, t, buf), row->kept, lab->S, row->sum,
                 row->fault != LAB_SOUND ? ", " : "", lab_faults[row->fault]);
        view_put_line(out, ascii, line);
    }
}
