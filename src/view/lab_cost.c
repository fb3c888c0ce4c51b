/* The cost instrument: a row for each length, and where attention overtakes the projections. */
#include <stdio.h>
#include <string.h>

#include "view_lab.h"
#include "view_panel.h"
#include "view_plot.h"

enum { BAR_COLS = 10, FOOT_ROWS = 4, PLOT_ROWS_MIN = 9, TEXT_MAX = 24 };

/** A number with three digits and a unit's prefix: "12.3 M". */
static void short_number(double value, double step, const char *const *units, char out[TEXT_MAX])
{
    int i = 0;
    while (value >= 999.5 && units[i + 1] != NULL) {
        value /= step;
        i++;
    }
    snprintf(out, TEXT_MAX, "%.*f%s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[i]);
}

static void operations(double value, char out[TEXT_MAX])
{
    static const char *const units[] = {" ", " k", " M", " G", " T", NULL};
    short_number(value, 1000, units, out);
}

static void bytes(double value, char out[TEXT_MAX])
{
    static const char *const units[] = {" B", " KiB", " MiB", " GiB", NULL};
    short_number(value, 1024, units, out);
}

/** Seconds; not measured is a dash. */
static void seconds(double value, char out[TEXT_MAX])
{
    static const char *const units[] = {" µs", " ms", " s", NULL};
    if (value < 0) {
        snprintf(out, TEXT_MAX, "–");
    } else {
        short_number(value * 1e6, 1000, units, out);
    }
}

enum column { LENGTH, PROJECT, ATTEND, SHARE, SQUARE, OTHER, PROJECT_TIME, ATTEND_TIME, N_COLUMNS };

/* In the order in which they stand; those with a higher rank go first where there is no room. */
static const struct {
    const char *head, *over;
    int width, rank;
} columns[N_COLUMNS] = {
    [LENGTH] = {"T", "", 5, 0},
    [PROJECT] = {"projections", "operations", 12, 1},
    [ATTEND] = {"attention", "operations", 10, 0},
    [SHARE] = {"its share", "", BAR_COLS + 2, 3},
    [SQUARE] = {"T×T", "bytes", 10, 4},
    [OTHER] = {"rest", "bytes", 10, 5},
    [PROJECT_TIME] = {"proj.", "measured", 10, 2},
    [ATTEND_TIME] = {"attn.", "measured", 9, 0},
};

static void cell_text(const struct lab_cost_row *row, int column, char out[TEXT_MAX])
{
    switch ((enum column)column) {
    case LENGTH:
        snprintf(out, TEXT_MAX, "%d", row->T);
        break;
    case PROJECT:
        operations(row->project_ops, out);
        break;
    case ATTEND:
        operations(row->attend_ops, out);
        break;
    case SQUARE:
        bytes(row->square_bytes, out);
        break;
    case OTHER:
        bytes(row->other_bytes, out);
        break;
    case PROJECT_TIME:
        seconds(row->project_s, out);
        break;
    case ATTEND_TIME:
        seconds(row->attend_s, out);
        break;
    case SHARE:
    case N_COLUMNS:
        out[0] = '\0';
        break;
    }
}

/** Which columns there is room for. @return the largest rank. */
static int ranks_that_fit(int cols)
{
    int rank = 5;
    for (; rank > 0; rank--) {
        int width = 2;
        for (int c = 0; c < N_COLUMNS; c++) {
            width += columns[c].rank <= rank ? columns[c].width : 0;
        }
        if (width <= cols) {
            break;
        }
    }
    return rank;
}

/** Attention's part of the operations in front, the projections' behind it. */
static void put_share(struct frame *f, int row, int col, const struct lab_cost_row *r)
{
    const double share = r->attend_ops / (r->attend_ops + r->project_ops);
    const int full = (int)(share * BAR_COLS + 0.5);
    frame_fill(f, row, col, full, FRAME_PLOT0, FRAME_MARK_NONE, "█");
    frame_fill(f, row, col + full, BAR_COLS - full, FRAME_PLOT1, FRAME_MARK_NONE, "░");
}

static void put_row(struct frame *f, struct view_place place, const struct lab_cost_row *r,
                    int ranks, bool here, bool over)
{
    int col = place.col + 2;
    frame_put(f, place.row, place.col, FRAME_TEXT, FRAME_MARK_WRITE, here ? "▶" : " ");
    for (int c = 0; c < N_COLUMNS; c++) {
        char text[TEXT_MAX];
        if (columns[c].rank > ranks) {
            continue;
        }
        cell_text(r, c, text);
        if (c == SHARE) {
            put_share(f, place.row, col + 2, r);
        } else {
            const enum frame_role role = here                  ? FRAME_HEADING
                                         : c == LENGTH         ? FRAME_LABEL
                                         : c == ATTEND && over ? FRAME_PLOT0
                                         : text[0] == '\xe2'   ? FRAME_DIM
                                                               : FRAME_TEXT;
            frame_put_fit(f, place.row, col, columns[c].width, true, role, FRAME_MARK_NONE, text);
        }
        col += columns[c].width;
    }
}

/** What several columns share stands over the first of them. */
static void put_heads(struct frame *f, struct view_place place, int ranks)
{
    int col = place.col + 2;
    const char *over = "";
    for (int c = 0; c < N_COLUMNS; c++) {
        if (columns[c].rank > ranks) {
            continue;
        }
        const bool again = strcmp(columns[c].over, over) == 0;
        over = columns[c].over;
        frame_put_fit(f, place.row, col, columns[c].width, true, FRAME_DIM, FRAME_MARK_NONE,
                      again ? "" : over);
        frame_put_fit(f, place.row + 1, col, columns[c].width, true, FRAME_HEADING, FRAME_MARK_NONE,
                      columns[c].head);
        col += columns[c].width;
    }
}

/** @return the rows used. */
static int put_words(struct frame *f, struct view_place place, const struct view_lab *v)
{
    const struct lab_cost *const lab = v->cost;
    const struct lab_cost_row *const r = &lab->rows[v->length];
    const double measured = lab_cost_measured_crossing(lab);
    char share[96];
    char crossing[96];
    char here[64] = "";
    if (measured > 0) {
        snprintf(here, sizeof here, "Measured here: at T ≈ %.0f.", measured);
    } else if (lab->complete && lab->measured > 0) {
        snprintf(here, sizeof here, "In the times measured here it does not yet.");
    }
    snprintf(share, sizeof share, "At T = %d attention takes %.0f%% of the operations.", r->T,
             100 * r->attend_ops / (r->attend_ops + r->project_ops));
    snprintf(crossing, sizeof crossing, "It overtakes the projections at T = %s d = %.0f.",
             lab->output ? "2" : "1.5", lab_cost_crossing(lab));
    static const char growth[] =
        "Twice the length takes it four times as many, and them only twice.";
    const bool said = here[0] != '\0';
    const char *const sentences[] = {share, crossing, said ? here : growth, growth};
    return view_lab_words(f, place, sentences, said ? 4 : 3);
}

static void put_plot(struct frame *f, struct view_place place, const struct view_lab *v)
{
    static const char *const ticks[LAB_LENGTHS] = {"16", "32", "64", "128", "256", "512", "1k",
                                                   "2k", "4k", "8k", "16k", "32k", "64k"};
    struct view_curve curves[2] = {{FRAME_PLOT1, VIEW_THICK, {0}}, {FRAME_PLOT0, VIEW_SOLID, {0}}};
    const struct lab_cost_row *const rows = v->cost->rows;
    for (int i = 0; i < LAB_LENGTHS; i++) {
        curves[0].values[i] = rows[i].project_ops / 1e6;
        curves[1].values[i] = rows[i].attend_ops / 1e6;
    }
    const double low =
        curves[1].values[0] < curves[0].values[0] ? curves[1].values[0] : curves[0].values[0];
    const double high = curves[1].values[LAB_LENGTHS - 1];
    view_plot(f, place,
              &(struct view_plot){.title = "millions of operations",
                                  .low = low,
                                  .high = high > low ? high : low * 2,
                                  .log = true,
                                  .decimals = 2,
                                  .n = LAB_LENGTHS,
                                  .at = v->length,
                                  .ticks = ticks,
                                  .curves = curves,
                                  .n_curves = 2});
}

void view_lab_cost(struct frame *f, struct view_place place, const struct view_lab *v)
{
    const struct lab_cost *const lab = v->cost;
    const struct view_place inner = {place.row, place.col + 1, place.rows, place.cols - 2};
    const int ranks = ranks_that_fit(inner.cols);
    const int room = inner.rows - 2 - FOOT_ROWS;
    const int shown = room < 1 ? 1 : room < LAB_LENGTHS ? room : LAB_LENGTHS;
    const int last = LAB_LENGTHS - shown;
    const int middle = v->length - shown / 2;
    const int first = middle < 0 ? 0 : middle < last ? middle : last;
    put_heads(f, inner, ranks);
    for (int i = 0; i < shown; i++) {
        const struct lab_cost_row *const r = &lab->rows[first + i];
        put_row(f, (struct view_place){inner.row + 2 + i, inner.col, 1, inner.cols}, r, ranks,
                first + i == v->length, r->attend_ops >= r->project_ops);
    }
    int row = inner.row + 2 + shown + 1;
    row += 1 +
           put_words(
               f, (struct view_place){row, inner.col, inner.row + inner.rows - row, inner.cols}, v);
    if (inner.row + inner.rows - row >= PLOT_ROWS_MIN) {
        put_plot(f, (struct view_place){row, inner.col, inner.row + inner.rows - row, inner.cols},
                 v);
    }
}

void view_lab_cost_line(struct frame *f, struct view_place row, const struct view_lab *v)
{
    const struct lab_cost_row *const r = &v->cost->rows[v->length];
    char text[96];
    snprintf(text, sizeof text, "T %d: attention is %.0f%% of the work", r->T,
             100 * r->attend_ops / (r->attend_ops + r->project_ops));
    frame_put_fit(f, row.row, row.col, row.cols, false, FRAME_HEADING, FRAME_MARK_NONE, text);
}

/** Add text at the right of so many columns, each of its characters one wide. */
static void add_padded(char *line, size_t size, int width, const char *text)
{
    const size_t n = strlen(line);
    int cols = 0;
    for (const char *c = text; *c != '\0'; c++) {
        cols += ((unsigned char)*c & 0xC0) != 0x80 ? 1 : 0;
    }
    snprintf(line + n, size - n, "%*s%s", width > cols ? width - cols : 0, "", text);
}

void view_lab_cost_plain(FILE *out, const struct view_lab *v, bool ascii)
{
    const struct lab_cost *const lab = v->cost;
    char line[256];
    snprintf(line, sizeof line, "d %d, %s projections, one thread", lab->d,
             lab->output ? "four" : "three");
    view_put_line(out, ascii, line);
    line[0] = '\0';
    for (int c = 0; c < N_COLUMNS; c++) {
        add_padded(line, sizeof line, c == SHARE ? 0 : columns[c].width,
                   c == SHARE ? "" : columns[c].head);
    }
    view_put_line(out, ascii, line);
    for (int i = 0; i < LAB_LENGTHS; i++) {
        line[0] = '\0';
        for (int c = 0; c < N_COLUMNS; c++) {
            char text[TEXT_MAX];
            cell_text(&lab->rows[i], c, text);
            add_padded(line, sizeof line, c == SHARE ? 0 : columns[c].width, text);
        }
        view_put_line(out, ascii, line);
    }
    snprintf(line, sizeof line, "attention overtakes the projections at T = %.0f",
             lab_cost_crossing(lab));
    view_put_line(out, ascii, line);
    if (lab_cost_measured_crossing(lab) > 0) {
        snprintf(line, sizeof line, "measured here: at T = %.0f", lab_cost_measured_crossing(lab));
        view_put_line(out, ascii, line);
    }
}
