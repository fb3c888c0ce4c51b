#include "tui.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <curses.h>

#include "input.h"
#include "screen.h"
#include "signals.h"
#include "terminfo.h"

enum { ESCAPE_DELAY = 80, ESCAPE_DELAY_MAX = 10000, NAME_MAX_BYTES = 128 };

/* Pasted text between marks; with the mouse, also clicks and the wheel, in numbers of any size. */
static const struct modes {
    const char *on, *off;
} without_mouse = {"\033[?2004h", "\033[?2004l"},
  with_mouse = {"\033[?1000h\033[?1006h\033[?2004h", "\033[?2004l\033[?1006l\033[?1000l"};

struct tui {
    SCREEN *screen;
    FILE *in; /* owned if it is not stdin */
    struct tui_terminfo info;
    const struct modes *modes;
    struct tui_looks looks;
    enum frame_palette palette;
    bool ascii;
    bool ended;
    const struct frame *due; /* to be shown before the next wait; NULL: nothing is */
    bool woken;              /* by an event: its descriptor is to be emptied */
    struct tui_input input;
    unsigned char bytes[1024]; /* read and not yet taken */
    size_t n_bytes, next_byte;
};

/* ---- opening ---- */

static void send_modes(const struct tui *t, const char *modes)
{
    if (t->info.has_mouse) {
        const ssize_t ignored = write(STDOUT_FILENO, modes, strlen(modes));
        (void)ignored;
    }
}

/** The terminal to read keys from: standard input is one, or it is something else's data. */
static FILE *open_keys(void)
{
    if (isatty(STDIN_FILENO)) {
        return stdin;
    }
    const int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    FILE *const in = fdopen(fd, "r");
    if (in == NULL) {
        close(fd);
    }
    return in;
}

/** Look at a name, and without what stands behind its '-' where terminfo has not heard of it. */
static enum tui_terminfo_status look_at(char *name, struct tui_terminfo *info)
{
    for (;;) {
        const enum tui_terminfo_status status = tui_terminfo_look(name, STDOUT_FILENO, info);
        char *const dash = strrchr(name, '-');
        if (status != TUI_TERMINFO_UNKNOWN || dash == NULL) {
            return status;
        }
        *dash = '\0';
    }
}

/** A terminal that says it has all colours may have a name that knows of more. */
static void look_for_colors(char name[NAME_MAX_BYTES], struct tui_terminfo *info)
{
    static const char suffix[] = "-256color";
    const char *const color = getenv("COLORTERM");
    const size_t length = strlen(name);
    struct tui_terminfo more;
    if (info->colors >= 256 || color == NULL || length + sizeof suffix > NAME_MAX_BYTES ||
        (strcmp(color, "truecolor") != 0 && strcmp(color, "24bit") != 0)) {
        return;
    }
    memcpy(name + length, suffix, sizeof suffix);
    if (tui_terminfo_look(name, STDOUT_FILENO, &more) == TUI_TERMINFO_OK) {
        *info = more;
    } else {
        name[length] = '\0';
    }
}

/** Look at the terminal named by TERM. @return false, with the reason, if it will not do. */
static bool look(struct tui_terminfo *info, char name[NAME_MAX_BYTES], char *why, size_t size)
{
    const char *const term = getenv("TERM");
    if (term == NULL || term[0] == '\0') {
        snprintf(why, size, "TERM is not set");
        return false;
    }
    const int length = snprintf(name, NAME_MAX_BYTES, "%s", term);
    switch (length < NAME_MAX_BYTES ? look_at(name, info) : TUI_TERMINFO_UNKNOWN) {
    case TUI_TERMINFO_UNKNOWN:
        snprintf(why, size, "TERM=%.64s is not a terminal that terminfo knows", term);
        return false;
    case TUI_TERMINFO_DUMB:
        snprintf(why, size, "a terminal of TERM=%.64s cannot place its cursor", term);
        return false;
    case TUI_TERMINFO_OK:
        break;
    }
    look_for_colors(name, info);
    return true;
}

static int escape_delay(void)
{
    const char *const text = getenv("ESCDELAY");
    char *end = NULL;
    const long delay = text != NULL ? strtol(text, &end, 10) : -1;
    const bool valid = end != NULL && end != text && *end == '\0' && delay >= 0;
    return !valid ? ESCAPE_DELAY : delay < ESCAPE_DELAY_MAX ? (int)delay : ESCAPE_DELAY_MAX;
}

static bool catch_signals(const struct tui *t)
{
    struct tui_restore restore = {.fd = STDOUT_FILENO};
    if (tcgetattr(restore.fd, &restore.modes) != 0) {
        return false;
    }
    const char *const parts[] = {t->info.has_mouse ? t->modes->off : "", t->info.restore};
    const size_t sizes[] = {strlen(parts[0]), t->info.restore_size};
    for (int i = 0; i < 2 && restore.length + sizes[i] <= sizeof restore.bytes; i++) {
        memcpy(restore.bytes + restore.length, parts[i], sizes[i]);
        restore.length += sizes[i];
    }
    return tui_signals_catch(&restore);
}

static bool start(struct tui *t, char *name)
{
    use_tioctl(TRUE); /* the terminal knows its size better than LINES and COLUMNS */
    tui_signals_arm(true);
    t->screen = newterm(name, stdout, t->in);
    if (t->screen == NULL) {
        tui_signals_arm(false);
        return false;
    }
    cbreak();
    noecho();
    nonl();
    typeahead(-1); /* a key that waits must not stop half a picture */
    t->palette = tui_choose_palette(t->info.colors);
    tui_screen_colors(&t->looks, t->palette);
    send_modes(t, t->modes->on);
    /* until it has been left once, ncurses sends what it has at every move of the cursor */
    endwin();
    return true;
}

struct tui *tui_open(char *why, size_t size)
{
    return tui_open_with((struct tui_options){.no_mouse = false}, why, size);
}

struct tui *tui_open_with(struct tui_options options, char *why, size_t size)
{
    char name[NAME_MAX_BYTES];
    struct tui *const t = calloc(1, sizeof *t);
    if (t == NULL) {
        snprintf(why, size, "out of memory");
        return NULL;
    }
    t->modes = options.no_mouse ? &without_mouse : &with_mouse;
    t->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    tui_input_init(&t->input, escape_delay());
    if (!isatty(STDOUT_FILENO)) {
        snprintf(why, size, "standard output is not a terminal");
        goto out;
    }
    if (!look(&t->info, name, why, size)) {
        goto out;
    }
    t->in = open_keys();
    if (t->in == NULL) {
        snprintf(why, size, "there is no terminal to read keys from");
        goto out;
    }
    if (!catch_signals(t)) {
        snprintf(why, size, "%s", strerror(errno));
        goto out;
    }
    if (start(t, name)) {
        return t;
    }
    tui_signals_release();
    snprintf(why, size, "curses cannot use a terminal of TERM=%.64s", name);
out:
    if (t->in != NULL && t->in != stdin) {
        fclose(t->in);
    }
    free(t);
    return NULL;
}

void tui_close(struct tui *t)
{
    if (t == NULL) {
        return;
    }
    send_modes(t, t->modes->off);
    curs_set(1);
    endwin();
    tui_signals_arm(false);
    delscreen(t->screen);
    tui_screen_forget(&t->looks);
    tui_signals_release();
    tui_input_finish(&t->input);
    if (t->in != stdin) {
        fclose(t->in);
    }
    free(t);
}

/* ---- showing ---- */

void tui_size(const struct tui *t, int *rows, int *cols)
{
    (void)t;
    *rows = LINES < FRAME_ROWS_MAX ? LINES : FRAME_ROWS_MAX;
    *cols = COLS < FRAME_COLS_MAX ? COLS : FRAME_COLS_MAX;
}

bool tui_ascii(const struct tui *t)
{
    return t->ascii;
}

enum frame_palette tui_palette(const struct tui *t)
{
    return t->palette;
}

void tui_flush(struct tui *t, const struct frame *f)
{
    t->due = f;
}

static void show_due(struct tui *t)
{
    if (t->due != NULL && !t->ended) {
        tui_screen_show(&t->looks, t->due);
    }
    t->due = NULL;
}

void tui_show(struct tui *t)
{
    show_due(t);
}

void tui_redraw(struct tui *t)
{
    (void)t;
    clearok(curscr, TRUE);
}

/* ---- reading ---- */

static void take_size(struct tui *t)
{
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        resizeterm(size.ws_row, size.ws_col); /* cuts what curses has */
    }
    tui_screen_forget(&t->looks);
}

/** Everything about the terminal may have been changed by others. */
static void come_back(struct tui *t)
{
    tui_signals_take(TUI_EVENT_CONTINUE);
    tui_signals_take(TUI_EVENT_RESIZE);
    tui_signals_arm(true);
    reset_prog_mode();
    take_size(t);
    clearok(curscr, TRUE);
    refresh();
    send_modes(t, t->modes->on);
}

static void leave(struct tui *t)
{
    send_modes(t, t->modes->off);
    endwin();
    tui_signals_arm(false);
}

/** @return true if the screen must be drawn again. */
static bool handle_events(struct tui *t)
{
    if (t->woken) {
        tui_signals_drain();
        t->woken = false;
    }
    if (tui_signals_take(TUI_EVENT_STOP)) {
        leave(t);
        tui_signals_stop();
        come_back(t);
        return true;
    }
    if (tui_signals_take(TUI_EVENT_CONTINUE)) { /* it was stopped without a word */
        leave(t);
        come_back(t);
        return true;
    }
    if (tui_signals_take(TUI_EVENT_RESIZE)) {
        take_size(t);
        clearok(curscr, TRUE);
        return true;
    }
    return false;
}

/** Take bytes until they make a key. @return false if they do not. */
static bool take_key(struct tui *t, struct app_key *key)
{
    while (!tui_input_key(&t->input, key)) {
        if (t->next_byte == t->n_bytes) {
            return false;
        }
        tui_input_byte(&t->input, t->bytes[t->next_byte++]);
    }
    return true;
}

static void read_bytes(struct tui *t)
{
    const ssize_t n = read(fileno(t->in), t->bytes, sizeof t->bytes);
    if (n > 0) {
        t->n_bytes = (size_t)n;
        t->next_byte = 0;
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        t->ended = true;
    }
}

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/** Wait for bytes or an event, at most wait ms. @return false if the time ran out. */
static bool wait_for_bytes(struct tui *t, int wait)
{
    struct pollfd fds[] = {{.fd = fileno(t->in), .events = POLLIN},
                           {.fd = tui_signals_fd(), .events = POLLIN}};
    const int ready = poll(fds, 2, wait);
    t->woken = ready < 0 || (ready > 0 && fds[1].revents != 0);
    if (ready > 0 && fds[0].revents != 0) {
        read_bytes(t);
    } else if (ready < 0 && errno != EINTR) {
        t->ended = true;
    }
    return ready != 0;
}

int tui_signal(const struct tui *t)
{
    (void)t;
    return tui_signals_leaving();
}

struct app_key tui_read(struct tui *t, int timeout)
{
    const long long deadline = timeout >= 0 ? now_ms() + timeout : 0;
    struct app_key key;
    for (;;) {
        if (tui_signals_leaving() == 0 && take_key(t, &key)) {
            return key;
        }
        if (t->ended || tui_signals_leaving() != 0) {
            return (struct app_key){.code = APP_KEY_EOF};
        }
        if (handle_events(t)) {
            return (struct app_key){.code = APP_KEY_RESIZE};
        }
        show_due(t);
        const long long left = deadline - now_ms();
        const int rest = timeout < 0 ? -1 : left > 0 ? (int)left : 0;
        const int sequence = tui_input_wait(&t->input);
        const bool own = sequence < 0 || (rest >= 0 && rest < sequence);
        if (!wait_for_bytes(t, own ? rest : sequence)) {
            if (own) {
                return (struct app_key){.code = APP_KEY_TIMEOUT};
            }
            tui_input_idle(&t->input);
        }
    }
}
