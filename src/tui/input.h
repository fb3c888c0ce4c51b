/**
 * Bytes from a terminal into keys. No terminal and no clock in it: the caller says when a wait
 * is over.
 *
 * Sequences are taken whole whether they are known or not (CSI, SS3, and the strings that answer
 * questions), so that no part of one is taken for a key. A lone Esc is told from the start of a
 * sequence by the wait.
 */
#ifndef TUI_INPUT_H
#define TUI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "key.h"

enum { TUI_PASTE_MAX = 65536, TUI_SEQUENCE_MAX = 64 };

struct tui_input {
    int escape_delay; /**< How long an Esc waits for company, in ms. */
    int state;
    unsigned char sequence[TUI_SEQUENCE_MAX + 1]; /**< What was read after ESC, or of UTF-8. */
    size_t length;                                /**< May count more than is kept. */
    size_t wanted;                                /**< Bytes of the UTF-8 character. */
    char *paste;                                  /**< Owned. */
    size_t pasted, paste_room;
    size_t paste_ended; /**< Bytes of the end mark that were seen. */
    struct app_key keys[4];
    int n_keys;
};

void tui_input_init(struct tui_input *in, int escape_delay);
void tui_input_finish(struct tui_input *in);
void tui_input_byte(struct tui_input *in, unsigned char byte);
/** How long to wait for the next byte before tui_input_idle is due, in ms; -1: for ever. */
int tui_input_wait(const struct tui_input *in);
/** Nothing came within that time: what has begun is ended. */
void tui_input_idle(struct tui_input *in);
/** Take the next key. To be called until false after each byte. @return false if there is none. */
bool tui_input_key(struct tui_input *in, struct app_key *key);

#endif
