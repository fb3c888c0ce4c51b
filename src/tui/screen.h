/** A frame onto the curses screen. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "frame.h"

enum { TUI_PAIRS_MAX = 255 }; /* what COLOR_PAIR can name, in every curses */

/** The looks of a palette as curses has them. */
struct tui_looks {
    enum frame_palette palette;
    int n_pairs; /**< Made so far; pair i has the colours pair[i]. */
    struct {
        short fg, bg;
    } pair[TUI_PAIRS_MAX + 1];
    unsigned attributes[FRAME_N_ROLES][FRAME_N_MARKS];
    short pairs[FRAME_N_ROLES][FRAME_N_MARKS];
    struct frame *shown; /**< What curses was given last, owned; NULL: nothing that counts. */
};

/** Start the colours, if the palette has any. After newterm. */
void tui_screen_colors(struct tui_looks *looks, enum frame_palette palette);
/** Put the frame onto the screen and send what differs. */
void tui_screen_show(struct tui_looks *looks, const struct frame *f);
/** Curses was given something else, or another size: the next frame is put as a whole. */
void tui_screen_forget(struct tui_looks *looks);

#endif
