/* The scaling instrument: four curves over d_k, and the digits of one d_k. */
#include <inttypes.h>
#include <stdio.h>

#include "view_lab.h"
#include "view_panel.h"
#include "view_plot.h"

enum { TABLE_ROWS = 1 + LAB_N_FACTORS, TABLE_COLS = 60, NAME_COLS = 13, GAP = 2, WORDS_ROWS = 3 };

static const char *const ticks[LAB_WIDTHS] = {"1",  "2",   "4",   "8",   "16",  "32",
                                              "64", "128", "256", "512", "1024"};

static const struct {
    enum frame_role role;
    enum view_stroke stroke;
} looks[LAB_N_FACTORS] = {
    [LAB_NO_FACTOR] = {FRAME_PLOT0, VIEW_SOLID},
    [LAB_ROOT] = {FRAME_PLOT1, VIEW_THICK},
    [LAB_FULL] = {FRAME_PLOT2, VIEW_DOTTED},
};

/** The right factor is drawn last, over the others. */
static const enum lab_factor order[LAB_N_FACTORS] = {LAB_FULL, LAB_NO_FACTOR, LAB_ROOT};

static void plot_measure(struct frame *f, struct view_place place, const struct lab_scaling *lab,
                         enum lab_measure measure, int at)
{
    struct view_curve curves[LAB_N_FACTORS];
    for (int i = 0; i < LAB_N_FACTORS; i++) {
        curves[i].role = looks[order[i]].role;
        curves[i].stroke = looks[order[i]].stroke;
        for (int w = 0; w < LAB_WIDTHS; w++) {
            curves[i].values[w] = lab->readings[w][order[i]][measure].mean;
        }
    }
    const double high = lab_measure_bound(measure, lab->n_keys);
    const bool log = measure == LAB_SPREAD;
    view_plot(f, place,
              &(struct view_plot){.title = lab_measures[measure].name,
                                  .low = log ? 1 / high : 0,
                                  .high = high,
                                  .log = log,
                                  .decimals = 2,
                                  .n = LAB_WIDTHS,
                                  .at = at,
                                  .ticks = ticks,
                                  .curves = curves,
                                  .n_curves = LAB_N_FACTORS});
}

/** A cell of the table: its text ends at the right edge of one of n columns. */
static void put_cell(struct frame *f, struct view_place place, int row, int column, int n,
                     enum frame_role role, const char *text)
{
    const int room = place.cols - NAME_COLS - 1;
    const int width = room / n;
    frame_put_fit(f, place.row + row, place.col + NAME_COLS + 1 + column * width + 1, width - 1,
                  true, role, FRAME_MARK_NONE, text);
}

/** The digits at one width, a row a factor; its first column is the curves' legend. */
static void put_table(struct frame *f, struct view_place place, const struct lab_scaling *lab,
                      int at)
{
    for (int i = 0; i < LAB_N_FACTORS; i++) {
        const int row = place.row + 1 + i;
        view_plot_key(f, row, place.col, looks[i].role, looks[i].stroke);
        frame_put(f, row, place.col + 4, FRAME_LABEL, FRAME_MARK_NONE, lab_factors[i].name);
    }
    for (int m = 0; m < LAB_N_MEASURES; m++) {
        put_cell(f, place, 0, m, LAB_N_MEASURES, FRAME_HEADING, lab_measures[m].head);
        for (int i = 0; i < LAB_N_FACTORS; i++) {
            char text[24];
            snprintf(text, sizeof text, "%.4f", lab->readings[at][i][m].mean);
            put_cell(f, place, 1 + i, m, LAB_N_MEASURES, FRAME_TEXT, text);
        }
    }
}

/** The same the other way round, for a narrow screen. */
static void put_narrow_table(struct frame *f, struct view_place place,
                             const struct lab_scaling *lab, int at)
{
    for (int i = 0; i < LAB_N_FACTORS; i++) {
        put_cell(f, place, 0, i, LAB_N_FACTORS, looks[i].role, lab_factors[i].head);
    }
    for (int m = 0; m < LAB_N_MEASURES; m++) {
        frame_put(f, place.row + 1 + m, place.col, FRAME_LABEL, FRAME_MARK_NONE,
                  lab_measures[m].head);
        for (int i = 0; i < LAB_N_FACTORS; i++) {
            char text[24];
            snprintf(text, sizeof text, "%.4f", lab->readings[at][i][m].mean);
            put_cell(f, place, 1 + m, i, LAB_N_FACTORS, FRAME_TEXT, text);
        }
    }
}

/** The measurements at one width. */
static void put_digits(struct frame *f, struct view_place place, const struct lab_scaling *lab,
                       int at)
{
    frame_putf(f, place.row, place.col, FRAME_TEXT, FRAME_MARK_WRITE, "d_k = %d", lab_width(at));
    if (place.cols < TABLE_COLS) {
        put_narrow_table(f, place, lab, at);
    } else {
        put_table(f, place, lab, at);
    }
}

static void put_words(struct frame *f, struct view_place place, const struct lab_scaling *lab,
                      int at)
{
    const struct lab_reading(*r)[LAB_N_MEASURES] = lab->readings[at];
    char text[320];
    snprintf(text, sizeof text,
             "At d_k = %d a score without the factor is off zero by %.2f as a rule, and one of %d "
             "keys takes %.0f%% of the weight. With 1/√d_k the spread stays near 1, and the "
             "gradient that training needs stays at %.2f instead of %.2f.",
             lab_width(at), r[LAB_NO_FACTOR][LAB_SPREAD].mean, lab->n_keys,
             100 * r[LAB_NO_FACTOR][LAB_LARGEST].mean, r[LAB_ROOT][LAB_GRADIENT].mean,
             r[LAB_NO_FACTOR][LAB_GRADIENT].mean);
    frame_put_wrapped(f, place.row, place.col, place.cols, place.rows, FRAME_TEXT, text);
}

void view_lab_scaling(struct frame *f, struct view_place place, const struct view_lab *v)
{
    const struct lab_scaling *const lab = v->scaling;
    const int at = v->width;
    const struct view_place inner = {place.row, place.col + 1, place.rows, place.cols - 2};
    const int left = inner.rows - (inner.cols < TABLE_COLS ? 1 + LAB_N_MEASURES : TABLE_ROWS);
    const int words = left - 1 >= 2 * VIEW_PLOT_MIN_ROWS + WORDS_ROWS + 4 ? WORDS_ROWS + 2 : 0;
    const int room = left - words - 1; /* a blank row before the table */
    const int down = room >= 2 * VIEW_PLOT_MIN_ROWS ? 2 : room >= VIEW_PLOT_MIN_ROWS ? 1 : 0;
    const int across = inner.cols >= 2 * VIEW_PLOT_MIN_COLS + GAP ? 2 : 1;
    const int rows = down > 0 ? room / down : 0;
    const int cols = (inner.cols - GAP * (across - 1)) / across;
    for (int i = 0; i < down * across; i++) {
        const struct view_place one = {inner.row + i / across * rows,
                                       inner.col + i % across * (cols + GAP), rows, cols};
        /* Where there is room for one, it is the largest weight. */
        plot_measure(f, one, lab, down * across > 1 ? (enum lab_measure)i : LAB_LARGEST, at);
    }
    const struct view_place table = {inner.row + (down > 0 ? down * rows + 1 : 0), inner.col,
                                     TABLE_ROWS, inner.cols};
    put_digits(f, table, lab, at);
    if (words > 0) {
        put_words(f,
                  (struct view_place){table.row + TABLE_ROWS + 1, inner.col,
                                      place.row + place.rows - table.row - TABLE_ROWS - 1,
                                      inner.cols},
                  lab, at);
    }
}

void view_lab_scaling_plain(FILE *out, const struct view_lab *v, bool ascii)
{
    const struct lab_scaling *const lab = v->scaling;
    fprintf(out, "%d rows of %d scores, q and k standard normal, seed %" PRIu64 "\n", lab->rows,
            lab->n_keys, lab->seed);
    for (int i = 0; i < LAB_N_FACTORS; i++) {
        fputc('\n', out);
        view_put_line(out, ascii, lab_factors[i].name);
        fprintf(out, "%6s", "d_k");
        for (int m = 0; m < LAB_N_MEASURES; m++) {
            fprintf(out, " %9s", lab_measures[m].head);
        }
        fputc('\n', out);
        for (int w = 0; w < LAB_WIDTHS; w++) {
            fprintf(out, "%6d", lab_width(w));
            for (int m = 0; m < LAB_N_MEASURES; m++) {
                fprintf(out, " %9.4f", lab->readings[w][i][m].mean);
            }
            fputc('\n', out);
        }
    }
}
