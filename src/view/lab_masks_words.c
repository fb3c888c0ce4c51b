/* What the masks instrument says: which rows break and why, and what to read in the cell under the
 * cursor. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view_lab_masks.h"
#include "view_number.h"

enum { TEXT_MAX = 256 };

/* ---- the rows that break ---- */

static const char sound[] = "✓ every row keeps a key, sums to 1, and gives hidden keys nothing";
static const char sound_short[] = "✓ every row is sound";
static const char leak_short[] = "! hidden keys keep weight";
static const char empty_short[] = "! a row has no key left";

/** "! rows cat, down: …". @return whether a row has this fault. */
static bool fault_text(const struct lab_masks *lab, int fault, char text[TEXT_MAX])
{
    char names[160] = "";
    double leak = 0;
    int n = 0;
    for (int t = 0; t < lab->T; t++) {
        if ((int)lab->rows[t].fault == fault) {
            char buf[16];
            const size_t at = strlen(names);
            snprintf(names + at, sizeof names - at, "%s%s", n > 0 ? ", " : "",
                     view_masks_label(&lab->setup.tokens, t, buf));
            leak = lab->rows[t].leak > leak ? lab->rows[t].leak : leak;
            n++;
        }
    }
    snprintf(text, TEXT_MAX, "! row%s %s: %s", n > 1 ? "s" : "", names, lab_faults[fault]);
    if (fault == LAB_LEAKS) {
        const size_t at = strlen(text);
        snprintf(text + at, TEXT_MAX - at, ", up to %.4f", leak);
    }
    return n > 0;
}

/** The first of these that fits whole. @return the rows used. */
static int put_either(struct frame *f, struct view_place place, enum frame_role role,
                      const char *text, const char *shorter)
{
    if (frame_wrapped_rows(f, place.cols, text) > place.rows) {
        text = shorter;
    }
    return frame_wrapped_rows(f, place.cols, text) <= place.rows
               ? frame_put_wrapped(f, place.row, place.col, place.cols, place.rows, role, text)
               : 0;
}

int view_masks_faults(struct frame *f, struct view_place place, const struct lab_masks *lab)
{
    char text[LAB_N_FAULTS][TEXT_MAX];
    bool there[LAB_N_FAULTS] = {false};
    int n = 0;
    int used = 0;
    for (int fault = LAB_SOUND + 1; fault < LAB_N_FAULTS; fault++) {
        there[fault] = fault_text(lab, fault, text[fault]);
        n += there[fault] ? 1 : 0;
    }
    if (n == 0) {
        return put_either(f, place, FRAME_OK, sound, sound_short);
    }
    for (int fault = LAB_SOUND + 1; fault < LAB_N_FAULTS; fault++) {
        if (there[fault]) { /* each leaves a row to those after it */
            n--;
            const struct view_place rest = {place.row + used, place.col, place.rows - used - n,
                                            place.cols};
            used += put_either(f, rest, FRAME_WARN, text[fault],
                               fault == LAB_LEAKS ? leak_short : empty_short);
        }
    }
    return used;
}

/* ---- the cell under the cursor ---- */

static void cell_words(const struct view_lab *v, char out[TEXT_MAX])
{
    const struct lab_masks *const lab = v->masks;
    const struct attn_cell scaled = {.tensor = ATTN_SCALED, .at = {0, v->row, v->col}};
    const struct attn_cell weights = {.tensor = ATTN_WEIGHTS, .at = {0, v->row, v->col}};
    const bool tokens = lab->setup.tokens.n > 0;
    const struct view_format format = {10, 4};
    char query[16];
    char key[16];
    char score[24];
    char weight[24];
    char fill[WALK_NUMBER_MAX];
    const char *const who = view_masks_label(&lab->setup.tokens, v->row, query);
    const char *const whom = view_masks_label(&lab->setup.memory_tokens, v->col, key);
    view_number(score, walk_value(lab->trace, scaled), format);
    view_number(weight, walk_value(lab->trace, weights), format);
    walk_constant((double)lab->config.mask_fill, fill);
    if (lab_masks_keeps(lab, v->row, v->col)) {
        snprintf(out, TEXT_MAX, "%s%s may see %s%s: its score %s becomes the weight %s.",
                 tokens ? "" : "Query ", who, tokens ? "" : "key ", whom, score, weight);
    } else {
        snprintf(out, TEXT_MAX,
                 "%s%s may not see %s%s: its score %s is replaced by %s, and the weight is %s.",
                 tokens ? "" : "Query ", who, tokens ? "" : "key ", whom, score, fill, weight);
    }
}

static bool hides(const struct lab_masks *lab)
{
    bool any = false;
    for (int t = 0; t < lab->T; t++) {
        any = any || lab->rows[t].kept < lab->S;
    }
    return any;
}

/** What this fill does, or what came of a row without a key. */
static const char *fill_words(const struct lab_masks *lab, int row)
{
    const float fill = lab->config.mask_fill;
    switch (lab->rows[row].fault) {
    case LAB_EMPTY:
        return "Nothing is left in this row to share out: its weights are set to 0.";
    case LAB_NAN:
        return "In this row every e to -inf is 0, and 0/0 is nan.";
    case LAB_UNIFORM:
        return "All scores of this row are the same fill, so every key gets as much.";
    case LAB_LEAKS:
        return "Only e to -inf is nothing: a fill near the other scores keeps its share.";
    case LAB_SOUND:
    case LAB_N_FAULTS:
        break;
    }
    if (!hides(lab)) {
        return "Nothing is hidden yet: Enter hides this key, m takes a ready mask.";
    }
    return isinf(fill)
               ? "A hidden score is -inf, and e to -inf is 0: its weight goes to the other keys."
           : fill < -1e4F
               ? "Here e to the fill rounds to 0: as good as -inf while a row keeps a key."
               : "Hide a key, and see what this fill leaves to it.";
}

int view_masks_words(struct frame *f, struct view_place place, const struct view_lab *v)
{
    char cell[TEXT_MAX];
    cell_words(v, cell);
    const char *const sentences[] = {cell, fill_words(v->masks, v->row)};
    return view_lab_words(f, place, sentences, 2);
}
