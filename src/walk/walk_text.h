/** Private to walk: text that grows within a fixed place and never breaks a character. */
#ifndef WALK_TEXT_H
#define WALK_TEXT_H

#include <stddef.h>

struct walk_text {
    char *out;
    size_t size; /**< Of out, 1 or more. */
    size_t used; /**< Without the terminating zero. */
};

/** Empty text in out. */
struct walk_text walk_text_in(char *out, size_t size);
/** Add formatted text; what does not fit is cut off at a character's start. */
void walk_text_add(struct walk_text *t, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/** Add s as it is. */
void walk_text_put(struct walk_text *t, const char *s);
/** Add s, at most max columns of it taken as one a character, "…" in place of the rest; control
 * characters become '?'. */
void walk_text_add_clipped(struct walk_text *t, const char *s, int max);
/** Add a number as walk_number writes it. */
void walk_text_add_number(struct walk_text *t, double value);
/** The characters of s, taken as one column each. */
int walk_text_columns(const char *s);

#endif
