#include "term.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <vterm.h>

#include "launch.h"

enum { DEADLINE_MS = 30000, SETTLED_MS = 50 };

struct term {
    int fd;    /* the terminal's side, -1 once hung up */
    int slave; /* kept open, so that its settings can be looked at */
    struct launched program;
    bool stopped, ended;
    int status;
    struct termios before;
    VTerm *vterm;
    VTermScreen *screen;
    int rows, cols;
    bool alternate_screen, mouse;
    char *output;
    size_t n_output, room;
};

/* ---- starting ---- */

static int set_property(VTermProp property, VTermValue *value, void *user)
{
    struct term *const t = user;
    if (property == VTERM_PROP_ALTSCREEN) {
        t->alternate_screen = value->boolean != 0;
    } else if (property == VTERM_PROP_MOUSE) {
        t->mouse = value->number != VTERM_PROP_MOUSE_NONE;
    }
    return 1;
}

static void set_size(const struct term *t)
{
    const struct winsize size = {.ws_row = (unsigned short)t->rows,
                                 .ws_col = (unsigned short)t->cols};
    ck_assert_int_eq(ioctl(t->slave, TIOCSWINSZ, &size), 0);
}

static void open_terminal(struct term *t)
{
    t->fd = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(t->fd, 0);
    ck_assert(grantpt(t->fd) == 0 && unlockpt(t->fd) == 0);
    t->slave = open(ptsname(t->fd), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(t->slave, 0);
    ck_assert(fcntl(t->fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(t->slave, F_SETFD, FD_CLOEXEC) == 0);
    ck_assert_int_eq(tcgetattr(t->slave, &t->before), 0);
    set_size(t);
}

static void open_screen(struct term *t)
{
    static const VTermScreenCallbacks callbacks = {.settermprop = set_property};
    t->vterm = vterm_new(t->rows, t->cols);
    ck_assert_ptr_nonnull(t->vterm);
    vterm_set_utf8(t->vterm, 1);
    t->screen = vterm_obtain_screen(t->vterm);
    vterm_screen_set_callbacks(t->screen, &callbacks, t);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_reset(t->screen, 1);
}

struct term *term_start(const struct term_options *options, const char *const argv[])
{
    struct term *const t = calloc(1, sizeof *t);
    ck_assert_ptr_nonnull(t);
    t->rows = options->rows > 0 ? options->rows : 24;
    t->cols = options->cols > 0 ? options->cols : 80;
    open_terminal(t);
    open_screen(t);
    t->program = launch(t->fd, t->slave, options, argv);
    return t;
}

void term_finish(struct term *t)
{
    if (t == NULL) {
        return;
    }
    if (term_running(t)) {
        kill(t->program.pid, SIGKILL);
    }
    close(t->program.told);
    waitpid(t->program.shell, NULL, 0);
    if (t->fd >= 0) {
        close(t->fd);
        close(t->slave);
    }
    vterm_free(t->vterm);
    free(t->output);
    free(t);
}

/* ---- output ---- */

static void keep_output(struct term *t, const char *bytes, size_t n)
{
    if (t->n_output + n + 1 > t->room) {
        t->room = 2 * (t->n_output + n + 1);
        t->output = realloc(t->output, t->room);
        ck_assert_ptr_nonnull(t->output);
    }
    memcpy(t->output + t->n_output, bytes, n);
    t->n_output += n;
    t->output[t->n_output] = '\0';
}

/** Take what is there, waiting for at most ms. @return false if nothing came. */
static bool take_output(struct term *t, int ms)
{
    char bytes[8192];
    if (t->fd < 0) {
        poll(NULL, 0, ms);
        return false;
    }
    struct pollfd ready = {.fd = t->fd, .events = POLLIN};
    if (poll(&ready, 1, ms) <= 0) {
        return false;
    }
    const ssize_t n = read(t->fd, bytes, sizeof bytes);
    if (n <= 0) {
        return false;
    }
    keep_output(t, bytes, (size_t)n);
    vterm_input_write(t->vterm, bytes, (size_t)n);
    return true;
}

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* ---- doing ---- */

void term_send(struct term *t, const char *bytes, size_t n)
{
    const long long deadline = now_ms() + DEADLINE_MS;
    for (size_t sent = 0; sent < n;) {
        struct pollfd ready = {.fd = t->fd, .events = POLLOUT};
        take_output(t, 0); /* the program may wait for room, too */
        if (poll(&ready, 1, 100) > 0) {
            const size_t part = n - sent < 256 ? n - sent : 256;
            const ssize_t done = write(t->fd, bytes + sent, part);
            ck_assert_int_gt(done, 0);
            sent += (size_t)done;
        }
        ck_assert_msg(now_ms() < deadline, "the program does not read");
    }
}

void term_keys(struct term *t, const char *text)
{
    term_send(t, text, strlen(text));
}

void term_send_slowly(struct term *t, const char *text, int ms)
{
    for (; *text != '\0'; text++) {
        term_send(t, text, 1);
        const long long next = now_ms() + ms;
        for (long long left = ms; left > 0; left = next - now_ms()) {
            take_output(t, (int)left);
        }
    }
}

void term_resize(struct term *t, int rows, int cols)
{
    t->rows = rows;
    t->cols = cols;
    vterm_set_size(t->vterm, rows, cols);
    set_size(t);
}

void term_signal(struct term *t, int number)
{
    t->stopped = t->stopped && number != SIGCONT;
    ck_assert_int_eq(kill(t->program.pid, number), 0);
}

void term_hang_up(struct term *t)
{
    close(t->fd);
    close(t->slave);
    t->fd = -1;
    t->slave = -1;
}

/* ---- waiting ---- */

static void fail_with_screen(const struct term *t, const char *what, const char *text)
{
    char *screen = NULL;
    size_t size = 0;
    FILE *const f = open_memstream(&screen, &size);
    ck_assert_ptr_nonnull(f);
    for (int row = 0; row < t->rows; row++) {
        fprintf(f, "|%s\n", term_row(t, row));
    }
    fclose(f);
    ck_abort_msg("%s \"%s\"; the screen is\n%s", what, text, screen);
}

static void wait_text(struct term *t, const char *text, bool there)
{
    const long long deadline = now_ms() + DEADLINE_MS;
    while (term_find(t, text, NULL, NULL) != there) {
        take_output(t, 100);
        if (now_ms() > deadline ||
            (!term_running(t) && !take_output(t, 0) && term_find(t, text, NULL, NULL) != there)) {
            fail_with_screen(t, there ? "not shown:" : "still shown:", text);
        }
    }
}

void term_wait_text(struct term *t, const char *text)
{
    wait_text(t, text, true);
}

void term_wait_no_text(struct term *t, const char *text)
{
    wait_text(t, text, false);
}

void term_wait_bytes(struct term *t, const char *bytes)
{
    const long long deadline = now_ms() + DEADLINE_MS;
    while (term_count(t, bytes) == 0) {
        take_output(t, 100);
        if (now_ms() > deadline) {
            fail_with_screen(t, "not sent:", bytes);
        }
    }
}

/** Wait until the program has ended, or at least stopped. */
static void wait_status(struct term *t, bool stopped)
{
    const long long deadline = now_ms() + DEADLINE_MS;
    while (term_running(t) && !(stopped && t->stopped)) {
        take_output(t, 10);
        if (now_ms() > deadline) {
            fail_with_screen(t, "does not", stopped ? "stop" : "end");
        }
    }
    while (take_output(t, 0)) {
    }
}

int term_wait_exit(struct term *t)
{
    wait_status(t, false);
    return t->status;
}

void term_wait_stopped(struct term *t)
{
    wait_status(t, true);
    ck_assert(t->stopped && !t->ended);
}

void term_settle(struct term *t)
{
    while (take_output(t, SETTLED_MS)) {
    }
}

bool term_running(struct term *t)
{
    int status = 0;
    while (!t->ended && read(t->program.told, &status, sizeof status) == sizeof status) {
        t->status = status;
        t->stopped = WIFSTOPPED(status);
        t->ended = !t->stopped;
    }
    return !t->ended;
}

/* ---- seeing ---- */

static int color_index(const VTermColor *color)
{
    return VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color) ? -1
           : VTERM_COLOR_IS_INDEXED(color)                                      ? color->indexed.idx
                                                                                : -2;
}

static void encode(uint32_t c, char **out)
{
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--) {
        (*out)[i] = (char)(0x80 | (c & 0x3F));
        c >>= 6;
    }
    (*out)[0] = (char)(lead[n] | c);
    *out += n;
}

struct term_cell term_cell(const struct term *t, int row, int col)
{
    VTermScreenCell seen;
    const VTermPos at = {.row = row, .col = col};
    ck_assert_int_ne(vterm_screen_get_cell(t->screen, at, &seen), 0);
    struct term_cell cell = {.width = seen.width,
                             .fg = color_index(&seen.fg),
                             .bg = color_index(&seen.bg),
                             .bold = seen.attrs.bold != 0,
                             .underline = seen.attrs.underline != 0,
                             .reverse = seen.attrs.reverse != 0};
    char *end = cell.glyph;
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && seen.chars[i] != 0; i++) {
        if (seen.chars[i] != (uint32_t)-1) { /* the right half of a wide one */
            encode(seen.chars[i], &end);
        }
    }
    if (end == cell.glyph && seen.chars[0] == 0) {
        *end++ = ' ';
    }
    *end = '\0';
    return cell;
}

const char *term_row(const struct term *t, int row)
{
    static char text[1024 * 24];
    char *end = text;
    char *last = text;
    for (int col = 0; col < t->cols; col++) {
        const struct term_cell cell = term_cell(t, row, col);
        strcpy(end, cell.glyph);
        end += strlen(cell.glyph);
        last = strcmp(cell.glyph, " ") != 0 ? end : last;
    }
    *last = '\0';
    return text;
}

bool term_find(const struct term *t, const char *text, int *row, int *col)
{
    for (int r = 0; r < t->rows; r++) {
        const char *const line = term_row(t, r);
        const char *const at = strstr(line, text);
        if (at == NULL) {
            continue;
        }
        const char *end = line;
        int c = 0;
        while (end < at) {
            end += strlen(term_cell(t, r, c).glyph);
            c++;
        }
        if (row != NULL) {
            *row = r;
            *col = c;
        }
        return true;
    }
    return false;
}

void term_cursor(const struct term *t, int *row, int *col)
{
    VTermPos at;
    vterm_state_get_cursorpos(vterm_obtain_state(t->vterm), &at);
    *row = at.row;
    *col = at.col;
}

size_t term_count(const struct term *t, const char *bytes)
{
    size_t n = 0;
    const char *at = t->output;
    while (at != NULL && (at = strstr(at, bytes)) != NULL) {
        n++;
        at += strlen(bytes);
    }
    return n;
}

/** Was the last of the two sequences to be sent this one? */
static bool was_last(const struct term *t, const char *this, const char *that)
{
    bool is_this = false;
    for (const char *at = t->output; at != NULL && (at = strchr(at, '\033')) != NULL; at++) {
        const bool found = strncmp(at, this, strlen(this)) == 0;
        if (found || strncmp(at, that, strlen(that)) == 0) {
            is_this = found;
        }
    }
    return is_this;
}

struct term_modes term_modes(const struct term *t)
{
    /* libvterm tells nothing of pasting, and of the cursor what was so when it was last saved. */
    return (struct term_modes){.alternate_screen = t->alternate_screen,
                               .cursor_hidden = was_last(t, "\033[?25l", "\033[?25h"),
                               .mouse = t->mouse,
                               .paste = was_last(t, "\033[?2004h", "\033[?2004l")};
}

bool term_settings_restored(const struct term *t)
{
    struct termios now;
    return tcgetattr(t->slave, &now) == 0 && now.c_iflag == t->before.c_iflag &&
           now.c_oflag == t->before.c_oflag && now.c_cflag == t->before.c_cflag &&
           now.c_lflag == t->before.c_lflag &&
           memcmp(now.c_cc, t->before.c_cc, sizeof now.c_cc) == 0;
}

bool term_restored(const struct term *t)
{
    const struct term_modes modes = term_modes(t);
    return term_settings_restored(t) && !modes.alternate_screen && !modes.cursor_hidden &&
           !modes.mouse && !modes.paste;
}

const char *term_output(const struct term *t, size_t *n)
{
    *n = t->n_output;
    return t->output;
}

double term_cpu(const struct term *t)
{
    char path[64];
    char line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)t->program.pid);
    FILE *const f = fopen(path, "r");
    if (f == NULL) {
        return -1;
    }
    const size_t n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = '\0';
    const char *at = strrchr(line, ')');
    unsigned long user = 0;
    unsigned long system = 0;
    if (at == NULL ||
        sscanf(at, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2) {
        return -1;
    }
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

long term_writes(const struct term *t)
{
    char path[64];
    char line[128];
    long n = -1;
    snprintf(path, sizeof path, "/proc/%ld/io", (long)t->program.pid);
    FILE *const f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, "syscw: ", 7) == 0) {
            n = strtol(line + 7, NULL, 10);
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return n;
}
