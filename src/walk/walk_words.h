/** Private to walk: what a template of words may ask about its step. */
#ifndef WALK_WORDS_H
#define WALK_WORDS_H

#include "walk_stage.h"

struct walk_words {
    const struct setup *setup; /**< May be NULL: no tokens. */
    const attn_trace *trace;
    struct walk_step step;
    struct attn_cell cell; /**< That the step writes, or the first one. */
    float value;           /**< Of that cell. */
};

/** Fill a template in: each {name} is replaced, an unknown one is left out. */
void walk_words_expand(const struct walk_words *w, const char *words, struct walk_text *out);
/** Is the cell's key hidden from its query? */
bool walk_words_masked(const struct walk_words *w);
/** How many keys the row's query may see. */
int walk_words_left(const struct walk_words *w);

#endif
