/** A look at what terminfo says of a terminal, before anything is done to it. */
#ifndef TUI_TERMINFO_H
#define TUI_TERMINFO_H

#include <stdbool.h>
#include <stddef.h>

enum tui_terminfo_status {
    TUI_TERMINFO_OK,
    TUI_TERMINFO_UNKNOWN, /**< It has no entry of this name. */
    TUI_TERMINFO_DUMB     /**< It cannot place its cursor. */
};

struct tui_terminfo {
    int colors;          /**< 0 where there are none. */
    bool has_mouse;      /**< It reports clicks when told to, as xterm does. */
    char restore[128];   /**< Plain text, the cursor shown, the first screen. */
    size_t restore_size; /**< Its bytes. */
};

/** @param info  Out, where the status is TUI_TERMINFO_OK. */
enum tui_terminfo_status tui_terminfo_look(const char *name, int fd, struct tui_terminfo *info);

#endif
