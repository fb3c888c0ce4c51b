/* The scaling instrument: four curves over d_k, and the digits of one d_k. */
#include <inttypes.h>
#include <stdio.h>

#include "view_lab.h"
#include "view_panel.h"
#include "view_plot.h"

enum {
    TABLE_ROWS = 1 + LAB_N_FACTORS,
    TABLE_COLS = 60,
    NAME_COLS = 13,
    NARROW_NAME_COLS = 8,
    KEY_COLS = 4,
    READABLE_ROWS = 9, /**< Of a plot whose curves are told apart. */
    GAP = 2
};

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
    const char *const name = lab_measures[measure].name;
    const bool fits = VIEW_PLOT_LABEL_COLS + frame_width(f, name) <= place.cols;
    view_plot(f, place,
              &(struct view_plot){.title = fits ? name : lab_measures[measure].head,
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

/** A cell of the table: its text ends at the right edge of one of n columns. @return the columns
 * left of it that are free. */
static int put_cell(struct frame *f, struct view_place place, int row, int column, int n,
                    enum frame_role role, const char *text)
{
    const int names = place.cols < TABLE_COLS ? NARROW_NAME_COLS : NAME_COLS + 1;
    const int width = (place.cols - names) / n;
    frame_put_fit(f, place.row + row, place.col + names + column * width + 1, width - 1, true, role,
                  FRAME_MARK_NONE, text);
    return width - frame_width(f, text);
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
        const int free =
            put_cell(f, place, 0, i, LAB_N_FACTORS, looks[i].role, lab_factors[i].head);
        const int end = place.col + NARROW_NAME_COLS +
                        i * ((place.cols - NARROW_NAME_COLS) / LAB_N_FACTORS) + free;
        if (free > KEY_COLS) {
            view_plot_key(f, place.row, end - KEY_COLS, looks[i].role, looks[i].stroke);
        }
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

/** What becomes of the weights, by the largest of them. */
static const char *softness(double largest)
{
    return largest >= 0.8   ? "a choice, not a mix"
           : largest >= 0.5 ? "one key takes most"
                            : "still a mix of keys";
}

/** What the digits say, in sentences; those that matter less come later. */
static void put_words(struct frame *f, struct view_place place, const struct lab_scaling *lab,
                      int at)
{
    const struct lab_reading(*r)[LAB_N_MEASURES] = lab->readings[at];
    char largest[160];
    char gradient[160];
    char full[160];
    if (at == 0) { /* dividing by 1 changes nothing */
        static const char *const same[] = {
            "At d_k = 1 all three are the same: there is nothing to divide by yet."};
        view_lab_words(f, place, same, 1);
        return;
    }
    snprintf(largest, sizeof largest,
             "Without the factor the largest weight is %.2f at d_k = %d: %s.",
             r[LAB_NO_FACTOR][LAB_LARGEST].mean, lab_width(at),
             softness(r[LAB_NO_FACTOR][LAB_LARGEST].mean));
    snprintf(gradient, sizeof gradient,
             "Its gradient (the Jacobian's norm) is %.2f; with 1/√d_k it is %.2f.",
             r[LAB_NO_FACTOR][LAB_GRADIENT].mean, r[LAB_ROOT][LAB_GRADIENT].mean);
    snprintf(full, sizeof full,
             "1/d_k goes too far: a spread of %.2f leaves %d keys nearly alike, the largest at "
             "%.2f.",
             r[LAB_FULL][LAB_SPREAD].mean, lab->n_keys, r[LAB_FULL][LAB_LARGEST].mean);
    const char *const sentences[] = {largest, gradient, full};
    view_lab_words(f, place, sentences, at > 3 ? 3 : 2); /* 1/d_k is mild while d_k is small */
}

/** Rows for each part; what does not fit is left out: first the blank rows, then plots, then words.
 */
struct rows {
    int down, plot; /**< Rows of plots, and of each. */
    int table, words;
    int above_table, above_words; /**< Blank. */
};

static struct rows share_rows(struct view_place inner)
{
    const bool narrow = inner.cols < TABLE_COLS;
    struct rows r = {.table = narrow ? 1 + LAB_N_MEASURES : TABLE_ROWS};
    const int left = inner.rows - r.table;
    r.words = narrow ? 3 : 2;
    if (left < 2 * VIEW_PLOT_MIN_ROWS && left - r.words < READABLE_ROWS) {
        r.words = 0; /* curves that run together say less than no words */
    }
    r.down = left >= 2 * VIEW_PLOT_MIN_ROWS + r.words ? 2 : left >= VIEW_PLOT_MIN_ROWS ? 1 : 0;
    r.words = left - r.down * VIEW_PLOT_MIN_ROWS >= r.words ? r.words : 0;
    const int spare = left - r.down * VIEW_PLOT_MIN_ROWS - r.words;
    r.words += r.words > 0 && spare > 2 * r.down + 2 ? 1 : 0;
    r.above_words = r.words > 0 && spare > 0 ? 1 : 0;
    r.above_table = r.down > 0 && spare > 2 * r.down + 1 ? 1 : 0;
    r.plot = r.down > 0 ? (left - r.words - r.above_words - r.above_table) / r.down : 0;
    return r;
}

void view_lab_scaling(struct frame *f, struct view_place place, const struct view_lab *v)
{
    const struct lab_scaling *const lab = v->scaling;
    const int at = v->width;
    const struct view_place inner = {place.row, place.col + 1, place.rows, place.cols - 2};
    const struct rows r = share_rows(inner);
    const int across = inner.cols >= 2 * VIEW_PLOT_MIN_COLS + GAP ? 2 : 1;
    const int cols = (inner.cols - GAP * (across - 1)) / across;
    /* Where there is no room for all, what the scale is for, and what it saves. */
    static const enum lab_measure first[] = {LAB_LARGEST, LAB_GRADIENT};
    const bool few = r.down * across <= 2;
    for (int i = 0; i < r.down * across; i++) {
        const struct view_place one = {inner.row + i / across * r.plot,
                                       inner.col + i % across * (cols + GAP), r.plot, cols};
        plot_measure(f, one, lab, few ? first[i] : (enum lab_measure)i, at);
    }
    struct view_place next = {inner.row + r.down * r.plot + r.above_table, inner.col, r.table,
                              inner.cols};
    put_digits(f, next, lab, at);
    next.row += r.table + r.above_words;
    next.rows = r.words;
    if (lab->rows > 0) {
        put_words(f, next, lab, at);
    }
}

void view_lab_scaling_line(struct frame *f, struct view_place row, const struct view_lab *v)
{
    const struct lab_reading(*r)[LAB_N_MEASURES] = v->scaling->readings[v->width];
    char text[96];
    snprintf(text, sizeof text, "d_k = %d: largest %.2f, scaled %.2f", lab_width(v->width),
             r[LAB_NO_FACTOR][LAB_LARGEST].mean, r[LAB_ROOT][LAB_LARGEST].mean);
    frame_put_fit(f, row.row, row.col, row.cols, false, FRAME_HEADING, FRAME_MARK_NONE, text);
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
