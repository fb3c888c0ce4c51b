/* Filling in the words of a changed row's code. */
#ifndef BUGS_FILL_H
#define BUGS_FILL_H

#include "trace_parts.h"

/* A word to be filled in: where to, for which trace and language. */
struct core_fill {
    char *out;
    size_t size;
    const attn_trace *trace;
    enum attn_lang lang;
};

bool core_fill_has(const struct core_fill *f, enum attn_bug bug);
void core_fill_put(const struct core_fill *f, const char *text);
/* One text a language. */
void core_fill_each(const struct core_fill *f, const char *math, const char *pytorch,
                    const char *numpy, const char *c);
/* A layer applied to its input. */
void core_fill_layer(const struct core_fill *f, enum attn_layer which);

#endif
