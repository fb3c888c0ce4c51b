/**
 * The signals of a program that has taken over the terminal.
 *
 * What ends the program puts the terminal back within the handler, by nothing but write and
 * tcsetattr, and is raised again; SIGTERM and SIGHUP first leave whoever polls a second to end by
 * itself; what does not end it (a new size, stop and continue) is noted and wakes
 * up whoever polls.
 */
#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

enum { TUI_RESTORE_MAX = 256 };

/** How the terminal was, and what brings it back. */
struct tui_restore {
    int fd;
    struct termios modes;
    char bytes[TUI_RESTORE_MAX];
    size_t length;
};

enum tui_event { TUI_EVENT_RESIZE, TUI_EVENT_STOP, TUI_EVENT_CONTINUE, TUI_N_EVENTS };

/** Catch the signals. @return false, with nothing caught, where there is no pipe to be had. */
bool tui_signals_catch(const struct tui_restore *restore);
/** From now on the terminal must be put back when the program ends. */
void tui_signals_arm(bool armed);
/** Leave the signals to those that had them before. */
void tui_signals_release(void);
/** The signal that whoever polls is to end for, or 0. */
int tui_signals_leaving(void);
/** A descriptor that becomes readable when an event is noted. */
int tui_signals_fd(void);
/** Empty that descriptor, before asking for the events: one that comes later fills it again. */
void tui_signals_drain(void);
/** Was there such an event? It is forgotten with the answer. */
bool tui_signals_take(enum tui_event event);
/** Stop the process as the terminal's stop key would, until it is continued. */
void tui_signals_stop(void);

#endif
