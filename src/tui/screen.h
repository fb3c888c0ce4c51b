/** A frame onto the curses screen. */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "frame.h"

/** The looks of a palette as curses has them. */
struct tui_looks {
    unsigned attributes[FRAME_N_ROLES][FRAME_N_MARKS];
    short pairs[FRAME_N_ROLES][FRAME_N_MARKS];
};

/** Start the colours, if the palette has any. After newterm. */
void tui_screen_colors(struct tui_looks *looks, enum frame_palette palette);
/** Put the frame onto the screen and send what differs. */
void tui_screen_show(const struct tui_looks *looks, const struct frame *f);

#endif
