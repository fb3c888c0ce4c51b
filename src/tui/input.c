#include "input.h"

#include <stdlib.h>
#include <string.h>

enum { ESC = 0x1B, BEL = 0x07, BROKEN_WAIT = 500, PASTE_WAIT = 2000 };

enum state {
    PLAIN,
    ESCAPED,    /* after ESC */
    CSI,        /* after ESC [ */
    CSI_BYTES,  /* after ESC [ M: three bytes; after ESC [ [: one */
    SS3,        /* after ESC O */
    OSC,        /* after ESC ] */
    STRING,     /* after ESC ] and a digit, ESC P _ ^ X: up to BEL or ESC \ */
    STRING_ESC, /* an ESC in it */
    UTF8,
    PASTE,
    N_STATES
};

static const char paste_end[] = "\033[201~";

void tui_input_init(struct tui_input *in, int escape_delay)
{
    *in = (struct tui_input){.escape_delay = escape_delay, .state = PLAIN};
}

void tui_input_finish(struct tui_input *in)
{
    free(in->paste);
    in->paste = NULL;
}

static void give(struct tui_input *in, struct app_key key)
{
    if (in->n_keys < (int)(sizeof in->keys / sizeof in->keys[0])) {
        in->keys[in->n_keys++] = key;
    }
}

static void give_code(struct tui_input *in, enum app_key_code code)
{
    if (code != APP_KEY_NONE) {
        give(in, (struct app_key){.code = code});
    }
}

bool tui_input_key(struct tui_input *in, struct app_key *key)
{
    if (in->n_keys == 0) {
        return false;
    }
    *key = in->keys[0];
    in->n_keys--;
    memmove(in->keys, in->keys + 1, (size_t)in->n_keys * sizeof in->keys[0]);
    return true;
}

static void begin(struct tui_input *in, enum state state)
{
    in->state = (int)state;
    in->length = 0;
    in->wanted = 0;
}

static void keep(struct tui_input *in, unsigned char byte)
{
    if (in->length < TUI_SEQUENCE_MAX) {
        in->sequence[in->length] = byte;
        in->sequence[in->length + 1] = '\0';
    }
    in->length++;
}

/* ---- what a sequence means ---- */

static const struct {
    char letter;
    enum app_key_code code;
} finals[] = {
    {'A', APP_KEY_UP},        {'B', APP_KEY_DOWN}, {'C', APP_KEY_RIGHT},
    {'D', APP_KEY_LEFT},      {'H', APP_KEY_HOME}, {'F', APP_KEY_END},
    {'Z', APP_KEY_SHIFT_TAB}, {'P', APP_KEY_F1},   {'M', APP_KEY_ENTER},
};

static const struct {
    int number;
    enum app_key_code code;
} tildes[] = {
    {1, APP_KEY_HOME}, {3, APP_KEY_DELETE}, {4, APP_KEY_END}, {5, APP_KEY_PGUP},
    {6, APP_KEY_PGDN}, {7, APP_KEY_HOME},   {8, APP_KEY_END}, {11, APP_KEY_F1},
};

static enum app_key_code final_key(char letter)
{
    for (size_t i = 0; i < sizeof finals / sizeof finals[0]; i++) {
        if (finals[i].letter == letter) {
            return finals[i].code;
        }
    }
    return APP_KEY_NONE;
}

/** The numbers of a sequence, separated by ';', each at most 9999. @return how many. */
static int numbers(const char *text, int out[3])
{
    int n = 0;
    for (; n < 3 && *text >= '0' && *text <= '9'; n++) {
        out[n] = 0;
        for (; *text >= '0' && *text <= '9'; text++) {
            out[n] = out[n] < 1000 ? out[n] * 10 + (*text - '0') : 9999;
        }
        text += *text == ';' ? 1 : 0;
    }
    return n;
}

static void give_mouse(struct tui_input *in, int button, int col, int row)
{
    enum { MODIFIERS = 4 + 8 + 16, MOTION = 32, WHEEL = 64 };
    const int plain = button & ~MODIFIERS;
    const enum app_key_code code = plain == 0           ? APP_KEY_CLICK
                                   : plain == WHEEL     ? APP_KEY_WHEEL_UP
                                   : plain == WHEEL + 1 ? APP_KEY_WHEEL_DOWN
                                                        : APP_KEY_NONE;
    if (code != APP_KEY_NONE && row >= 1 && col >= 1) {
        give(in, (struct app_key){.code = code, .row = row - 1, .col = col - 1});
    }
}

/** A whole CSI is there: its parameters in sequence, and the final byte. */
static void give_csi(struct tui_input *in, char final)
{
    const char *const text = (const char *)in->sequence;
    const bool mouse = text[0] == '<';
    int n[3] = {0, 0, 0};
    const int count = numbers(text + (mouse ? 1 : 0), n);
    const bool kept = in->length <= TUI_SEQUENCE_MAX;
    begin(in, PLAIN);
    if (!kept || (text[0] != '\0' && count == 0)) {
        return; /* private, or too long to be one of ours */
    }
    if (mouse) {
        if (final == 'M' && count == 3) {
            give_mouse(in, n[0], n[1], n[2]);
        }
    } else if (final == '~' && n[0] == 200) {
        in->pasted = 0;
        in->paste_ended = 0;
        begin(in, PASTE);
    } else if (final == '~') {
        for (size_t i = 0; i < sizeof tildes / sizeof tildes[0]; i++) {
            if (tildes[i].number == n[0]) {
                give_code(in, tildes[i].code);
            }
        }
    } else if (final != 'M') {
        give_code(in, final_key(final));
    }
}

/** The old form of the mouse, and the function keys of the Linux console. */
static void give_csi_bytes(struct tui_input *in)
{
    const unsigned char *const s = in->sequence;
    if (s[0] == 'M' && s[1] >= 32 && s[2] > 32 && s[3] > 32) {
        give_mouse(in, s[1] - 32, s[2] - 32, s[3] - 32);
    } else if (s[0] == '[' && s[1] == 'A') {
        give_code(in, APP_KEY_F1);
    }
    begin(in, PLAIN);
}

/** A paste is over: its text is whole characters only. */
static void give_paste(struct tui_input *in)
{
    begin(in, PLAIN);
    in->paste_ended = 0;
    if (in->paste != NULL) {
        in->paste[in->pasted] = '\0';
    }
    give(in, (struct app_key){.code = APP_KEY_PASTE, .text = in->paste != NULL ? in->paste : ""});
}

/* ---- one byte, by state ---- */

static void give_char(struct tui_input *in)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t c = in->sequence[0] & (0x7FU >> in->wanted);
    for (size_t i = 1; i < in->wanted; i++) {
        c = c << 6 | (in->sequence[i] & 0x3FU);
    }
    if (c >= lowest[in->wanted] && c >= 0xA0 && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF)) {
        give(in, (struct app_key){.code = APP_KEY_CHAR, .ch = c});
    }
    begin(in, PLAIN);
}

static void take_plain(struct tui_input *in, unsigned char byte)
{
    static const enum app_key_code controls[0x20] = {['\b'] = APP_KEY_BACKSPACE,
                                                     ['\t'] = APP_KEY_TAB,
                                                     ['\n'] = APP_KEY_ENTER,
                                                     ['\r'] = APP_KEY_ENTER,
                                                     [0x0C] = APP_KEY_CTRL_L};
    if (byte == ESC) {
        begin(in, ESCAPED);
    } else if (byte < 0x20) {
        give_code(in, controls[byte]);
    } else if (byte < 0x7F) {
        give(in, (struct app_key){.code = APP_KEY_CHAR, .ch = byte});
    } else if (byte == 0x7F) {
        give_code(in, APP_KEY_BACKSPACE);
    } else if (byte >= 0xC2 && byte <= 0xF4) {
        begin(in, UTF8);
        in->wanted = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
        keep(in, byte);
    }
}

static void take_escaped(struct tui_input *in, unsigned char byte)
{
    if (byte == '[') {
        begin(in, CSI);
        in->sequence[0] = '\0';
    } else if (byte == 'O') {
        begin(in, SS3);
    } else if (byte == 'P' || byte == '_' || byte == '^' || byte == 'X') {
        begin(in, STRING);
    } else if (byte == ']') {
        begin(in, OSC);
    } else { /* it was the key, and this is the next one */
        begin(in, PLAIN);
        give_code(in, APP_KEY_ESC);
        take_plain(in, byte);
    }
}

static void take_csi(struct tui_input *in, unsigned char byte)
{
    if (byte == ESC) {
        begin(in, ESCAPED);
    } else if ((byte == 'M' || byte == '[') && in->length == 0) {
        begin(in, CSI_BYTES);
        in->wanted = byte == 'M' ? 4 : 2;
        keep(in, byte);
    } else if (byte >= 0x40 && byte <= 0x7E) {
        give_csi(in, (char)byte);
    } else {
        keep(in, byte);
    }
}

static void take_csi_bytes(struct tui_input *in, unsigned char byte)
{
    keep(in, byte);
    if (in->length == in->wanted) {
        give_csi_bytes(in);
    }
}

static void take_ss3(struct tui_input *in, unsigned char byte)
{
    if (byte == ESC) {
        begin(in, ESCAPED);
    } else if (byte < '0' || byte > '9') { /* some terminals put a modifier before the letter */
        begin(in, PLAIN);
        give_code(in, byte == 'Z' ? APP_KEY_NONE : final_key((char)byte));
    }
}

static void take_osc(struct tui_input *in, unsigned char byte)
{
    if (byte >= '0' && byte <= '9') {
        begin(in, STRING);
    } else { /* no answer of a terminal: three keys */
        begin(in, PLAIN);
        give_code(in, APP_KEY_ESC);
        take_plain(in, ']');
        take_plain(in, byte);
    }
}

static void take_string(struct tui_input *in, unsigned char byte)
{
    begin(in, byte == BEL ? PLAIN : byte == ESC ? STRING_ESC : STRING);
}

static void take_string_esc(struct tui_input *in, unsigned char byte)
{
    begin(in, ESCAPED);
    if (byte == '\\') {
        begin(in, PLAIN);
    } else {
        take_escaped(in, byte);
    }
}

static void take_utf8(struct tui_input *in, unsigned char byte)
{
    if ((byte & 0xC0) != 0x80) {
        begin(in, PLAIN);
        take_plain(in, byte);
        return;
    }
    keep(in, byte);
    if (in->length == in->wanted) {
        give_char(in);
    }
}

static void take_paste(struct tui_input *in, unsigned char byte)
{
    if (in->pasted + 1 >= in->paste_room && in->paste_room < TUI_PASTE_MAX) {
        const size_t room = in->paste_room == 0 ? 256 : 2 * in->paste_room;
        char *const larger = realloc(in->paste, room);
        in->paste = larger != NULL ? larger : in->paste;
        in->paste_room = larger != NULL ? room : in->paste_room;
    }
    /* The end mark is looked for in what comes in, so that it is found when the text is cut. */
    const size_t mark = sizeof paste_end - 1;
    in->paste_ended = byte == (unsigned char)paste_end[in->paste_ended] ? in->paste_ended + 1
                      : byte == ESC                                     ? 1
                                                                        : 0;
    if (in->pasted + 1 < in->paste_room) {
        in->paste[in->pasted++] = (char)byte;
    }
    if (in->paste_ended == mark) {
        const size_t begun = in->pasted >= mark ? in->pasted - mark : 0;
        if (in->paste != NULL && memcmp(in->paste + begun, paste_end, mark) == 0) {
            in->pasted = begun;
        }
        give_paste(in);
    }
}

void tui_input_byte(struct tui_input *in, unsigned char byte)
{
    static void (*const take[N_STATES])(struct tui_input * in, unsigned char byte) = {
        [PLAIN] = take_plain,   [ESCAPED] = take_escaped,
        [CSI] = take_csi,       [CSI_BYTES] = take_csi_bytes,
        [SS3] = take_ss3,       [OSC] = take_osc,
        [STRING] = take_string, [STRING_ESC] = take_string_esc,
        [UTF8] = take_utf8,     [PASTE] = take_paste,
    };
    take[in->state](in, byte);
}

/* ---- waiting ---- */

int tui_input_wait(const struct tui_input *in)
{
    switch ((enum state)in->state) {
    case PLAIN:
        return -1;
    case ESCAPED:
        return in->escape_delay;
    case CSI:
    case CSI_BYTES:
    case SS3:
    case OSC:
    case STRING:
    case STRING_ESC:
    case UTF8:
        return in->escape_delay > BROKEN_WAIT ? in->escape_delay : BROKEN_WAIT;
    case PASTE:
        return PASTE_WAIT;
    case N_STATES:
        break;
    }
    return -1;
}

void tui_input_idle(struct tui_input *in)
{
    if (in->state == ESCAPED) {
        begin(in, PLAIN);
        give_code(in, APP_KEY_ESC);
    } else if (in->state == PASTE) {
        give_paste(in);
    } else { /* the rest of a sequence will never come: it is dropped */
        begin(in, PLAIN);
    }
}
