/**
 * A terminal to try programs in: a pseudo-terminal with libvterm behind it, so that a test can see
 * what a person would see. Nothing sleeps: a wait ends when what is waited for is there, or fails
 * the test at a deadline that is far beyond what a slow machine takes.
 */
#ifndef TERM_H
#define TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct term;

struct term_options {
    int rows, cols;         /**< 0: 24 and 80. */
    const char *env[8];     /**< "NAME=VALUE", or "NAME" to unset it; ended by NULL. TERM is
                                 xterm-256color and the locale C.UTF-8 unless told otherwise. */
    const char *input;      /**< Standard input is this file instead of the terminal, or NULL. */
    const char *input_text; /**< Standard input is a pipe with this text, or NULL. */
};

/** Start argv[0] in a terminal. Fails the test where it cannot. */
struct term *term_start(const struct term_options *options, const char *const argv[]);
/** End what still runs, and free. NULL is fine. */
void term_finish(struct term *t);

/* ---- doing ---- */

void term_send(struct term *t, const char *bytes, size_t n);
void term_keys(struct term *t, const char *text);
/** Send the bytes one by one, ms apart. */
void term_send_slowly(struct term *t, const char *text, int ms);
void term_resize(struct term *t, int rows, int cols);
void term_signal(struct term *t, int number);
/** Take the terminal away, as a lost connection does. */
void term_hang_up(struct term *t);

/* ---- waiting ---- */

/** Until the text stands somewhere on the screen, within one row. */
void term_wait_text(struct term *t, const char *text);
void term_wait_no_text(struct term *t, const char *text);
/** Until the bytes that were sent contain this. */
void term_wait_bytes(struct term *t, const char *bytes);
/** Until the program has ended. @return its status as waitpid gives it. */
int term_wait_exit(struct term *t);
/** Until it is stopped by a signal. */
void term_wait_stopped(struct term *t);
/** Until a 20th of a second has passed without output. */
void term_settle(struct term *t);

/* ---- seeing ---- */

struct term_cell {
    char glyph[32];
    int width;
    int fg, bg; /**< Palette index, -1 the terminal's own, -2 a direct colour. */
    bool bold, underline, reverse;
};

struct term_cell term_cell(const struct term *t, int row, int col);
/** A row's text, trailing spaces cut; valid until the next call. */
const char *term_row(const struct term *t, int row);
/** Where the text begins. @return false if it is not on the screen. */
bool term_find(const struct term *t, const char *text, int *row, int *col);
void term_cursor(const struct term *t, int *row, int *col);

/** The states that a program must put back. */
struct term_modes {
    bool alternate_screen, cursor_hidden, mouse, paste;
};
struct term_modes term_modes(const struct term *t);
/** Are the line settings (echo, signals, …) as they were before the program? */
bool term_settings_restored(const struct term *t);
/** Everything back: modes and settings. */
bool term_restored(const struct term *t);

/** All that the program wrote so far. */
const char *term_output(const struct term *t, size_t *n);
size_t term_count(const struct term *t, const char *bytes);
bool term_running(struct term *t);
/** Seconds of CPU that the program has used, or -1 where the system does not say. */
double term_cpu(const struct term *t);
/** How often it has written anything; -1 where the system does not count that. */
long term_writes(const struct term *t);

#endif
