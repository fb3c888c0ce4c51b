/** Private to walk: words and numbers in lines of a given width. */
#ifndef WALK_LINES_H
#define WALK_LINES_H

#include "walk_stage.h"

enum { WORD_MAX = 160 };

struct walk_lines {
    struct walk_text *out; /**< NULL: lines are counted only. */
    int width, max_lines;
    int column, n;
    bool full; /**< A word did not fit; nothing follows it. */
};

/** A sum of terms, with its middle left out where it is long. */
struct walk_sum {
    const struct walk_explanation *e;
    int first, n;       /**< The terms that are added. */
    const char *before; /**< Stands before the first, without a space. */
    const char *after;  /**< After the last. */
};

struct walk_lines walk_lines_start(struct walk_text *out, int width, int max_lines);
/** Put a word on the line, or on the next one; a word is never broken, only cut at the width. */
void walk_lines_put(struct walk_lines *lines, const char *word);
void walk_lines_break(struct walk_lines *lines);
/** Put a word and a number without a space between them. */
void walk_lines_put_number(struct walk_lines *lines, const char *before, float value,
                           const char *after);
/** A constant keeps its digits: 1e-20 is no 0.0000. */
void walk_lines_put_constant(struct walk_lines *lines, float value);
/** Put as many terms as the lines hold. */
void walk_lines_fit_sum(struct walk_lines *lines, const struct walk_sum *sum);

#endif
