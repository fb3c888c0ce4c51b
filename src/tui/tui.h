/**
 * The terminal: a frame goes out, keys come in. The only place that knows curses.
 *
 * One terminal at a time: signals belong to the process. Until it is closed, SIGINT, SIGQUIT and
 * crashes put the terminal back as it was and are then raised again, so that a shell sees 128+N;
 * so do SIGTERM and SIGHUP, unless tui_read hands them on within a second; Ctrl-Z and SIGCONT leave
 * and come back.
 *
 * The caller has called setlocale(LC_CTYPE, "").
 */
#ifndef TUI_H
#define TUI_H

#include <stdbool.h>
#include <stddef.h>

#include "frame.h"
#include "key.h"

struct tui;

/**
 * Take over the terminal on standard output; keys come from standard input, or from the controlling
 * terminal where that is something else.
 *
 * @param why  Out, on failure: why there is no screen, without a final stop (it names TERM where
 *             that is the reason). At most size bytes.
 * @return NULL if there is no terminal, or it cannot place its cursor.
 */
struct tui *tui_open(char *why, size_t size);

struct tui_options {
    bool no_mouse; /**< Leave clicks and the wheel to the terminal (selecting text is its own). */
};

/** tui_open with something else than the defaults, which are all false. */
struct tui *tui_open_with(struct tui_options options, char *why, size_t size);
/** Put the terminal back as it was. NULL is fine. */
void tui_close(struct tui *t);

void tui_size(const struct tui *t, int *rows, int *cols);
/** Does the locale have no more than ASCII? A frame for this terminal must then be an ascii one. */
bool tui_ascii(const struct tui *t);
/** The palette that the terminal has and the user wants. */
enum frame_palette tui_palette(const struct tui *t);

/**
 * Show the frame: only what differs from what is shown is sent. That happens once tui_read has to
 * wait, so that a slow line does not lag behind keys that came together.
 * @param f  Must live until the next tui_read returns.
 */
void tui_flush(struct tui *t, const struct frame *f);
/** Send what was flushed now, and not with the next tui_read: something takes a while before that.
 */
void tui_show(struct tui *t);
/** Send everything again with the next flush. */
void tui_redraw(struct tui *t);

/**
 * Wait for a key, without waking up before there is one.
 * @param timeout  In milliseconds, after which APP_KEY_TIMEOUT is given; -1: none.
 * @return APP_KEY_RESIZE after a change of size or when the screen was left and came back;
 *         APP_KEY_EOF again and again when the terminal is gone, and after SIGTERM and SIGHUP.
 *         Never APP_KEY_NONE.
 */
struct app_key tui_read(struct tui *t, int timeout);

/** The signal that tui_read gave APP_KEY_EOF for, or 0. After tui_close and what is to be put away
 * the caller raises it again. */
int tui_signal(const struct tui *t);

/**
 * The palette for something with this many colours, as the environment would have it: NO_COLOR,
 * COLORFGBG, and CLICOLOR_FORCE, which stands for 8 where nothing is known (a pipe has 0 colours).
 */
enum frame_palette tui_choose_palette(int colors);

#endif
