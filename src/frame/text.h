/**
 * UTF-8 into what fits into cells: one character with its combining marks at a time.
 *
 * What cannot be trusted to keep its width on every terminal never gets out: control characters
 * and invalid bytes become U+FFFD, joiners, variation selectors and other invisible characters are
 * left out (an emoji sequence is shown as its single emoji, side by side). With ascii, characters
 * beyond ASCII are spelled out: √ as "sqrt", or '?'.
 *
 * Widths are the locale's wcwidth, as terminals use; LC_CTYPE must be a UTF-8 one unless ascii.
 */
#ifndef FRAME_TEXT_H
#define FRAME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"

struct frame_reader {
    const char *next;
    bool ascii;
    const char *pending; /**< The rest of a spelled-out character. */
    char script;         /**< '^' or '_' while in a run of super- or subscripts, else 0. */
};

struct frame_glyph {
    char text[FRAME_GLYPH_MAX];
    int width; /**< 1 or 2. */
};

struct frame_reader frame_reader(const char *text, bool ascii);
/** The next glyph. @return false at the end of the text. */
bool frame_read(struct frame_reader *reader, struct frame_glyph *glyph);

enum { FRAME_INVALID = 0xFFFD };
/** Decode one character and move on; FRAME_INVALID, and one byte on, where it is not valid. */
uint32_t frame_decode(const char **text);
/** Encode into out (5 bytes, NUL included). @return the bytes without the NUL. */
int frame_encode(uint32_t c, char out[5]);
/** ASCII that stands for a character beyond ASCII: "" leaves it out, "?" where there is none. */
const char *frame_transliterate(uint32_t c);

#endif
