#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum kind { ENDS, LEAVES, NOTED };

enum { LEAVE_SECONDS = 1 /* for whoever polls to put away what it has */ };

static const struct {
    int number;
    enum kind kind;
    enum tui_event event;
} caught[] = {
    {SIGINT, ENDS, TUI_N_EVENTS},     {SIGTERM, LEAVES, TUI_N_EVENTS},
    {SIGHUP, LEAVES, TUI_N_EVENTS},   {SIGQUIT, ENDS, TUI_N_EVENTS},
    {SIGSEGV, ENDS, TUI_N_EVENTS},    {SIGABRT, ENDS, TUI_N_EVENTS},
    {SIGBUS, ENDS, TUI_N_EVENTS},     {SIGFPE, ENDS, TUI_N_EVENTS},
    {SIGUSR1, ENDS, TUI_N_EVENTS},    {SIGUSR2, ENDS, TUI_N_EVENTS},
    {SIGALRM, ENDS, TUI_N_EVENTS},    {SIGPIPE, ENDS, TUI_N_EVENTS},
    {SIGILL, ENDS, TUI_N_EVENTS},     {SIGWINCH, NOTED, TUI_EVENT_RESIZE},
    {SIGTSTP, NOTED, TUI_EVENT_STOP}, {SIGCONT, NOTED, TUI_EVENT_CONTINUE},
};

enum { N_CAUGHT = sizeof caught / sizeof caught[0] };

/* A process has one set of handlers, so this is the one state of its kind. */
static struct sigaction before[N_CAUGHT];
static struct tui_restore restore;
static volatile sig_atomic_t armed;
static volatile sig_atomic_t leaving;
static volatile sig_atomic_t noted[TUI_N_EVENTS];
static int wake[2] = {-1, -1};
static char crash_stack[65536]; /* for a crash because the stack is full */

static void handle_end(int number)
{
    if (armed) {
        armed = 0;
        for (size_t sent = 0; sent < restore.length;) {
            const ssize_t n = write(restore.fd, restore.bytes + sent, restore.length - sent);
            if (n <= 0) {
                break;
            }
            sent += (size_t)n;
        }
        tcsetattr(restore.fd, TCSANOW, &restore.modes);
    }
    const int cause = number == SIGALRM && leaving != 0 ? leaving : number;
    signal(cause, SIG_DFL);
    raise(cause); /* taken when the handler returns */
}

/** Whoever polls is to end; if it does not in time, or is asked twice, that is the end here. */
static void handle_leave(int number)
{
    if (!armed || leaving != 0) {
        handle_end(number);
        return;
    }
    const int saved = errno;
    leaving = number;
    alarm(LEAVE_SECONDS);
    const ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
    errno = saved;
}

static void handle_noted(int number)
{
    const int saved = errno;
    for (int i = 0; i < N_CAUGHT; i++) {
        if (caught[i].number == number) {
            noted[caught[i].event] = 1;
        }
    }
    const ssize_t ignored = write(wake[1], "", 1); /* a full pipe wakes up just as well */
    (void)ignored;
    errno = saved;
}

static void catch_one(int i, bool even_ignored)
{
    struct sigaction action = {.sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (caught[i].kind != NOTED) {
        action.sa_handler = caught[i].kind == ENDS ? handle_end : handle_leave;
        action.sa_flags = SA_ONSTACK;
        for (int other = 0; other < N_CAUGHT; other++) { /* one end at a time */
            if (caught[other].kind != NOTED) {
                sigaddset(&action.sa_mask, caught[other].number);
            }
        }
    } else {
        action.sa_handler = handle_noted;
    }
    sigaction(caught[i].number, NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN || even_ignored) { /* nohup stays nohup */
        sigaction(caught[i].number, &action, NULL);
    }
}

static void close_pipe(void)
{
    for (int i = 0; i < 2; i++) {
        if (wake[i] >= 0) {
            close(wake[i]);
        }
        wake[i] = -1;
    }
}

bool tui_signals_catch(const struct tui_restore *how)
{
    if (pipe(wake) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        if (fcntl(wake[i], F_SETFL, O_NONBLOCK) < 0 || fcntl(wake[i], F_SETFD, FD_CLOEXEC) < 0) {
            close_pipe();
            return false;
        }
    }
    restore = *how;
    armed = 0;
    leaving = 0;
    memset((void *)noted, 0, sizeof noted);
    const stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, NULL);
    for (int i = 0; i < N_CAUGHT; i++) {
        catch_one(i, caught[i].number == SIGWINCH);
    }
    return true;
}

void tui_signals_arm(bool on)
{
    armed = on ? 1 : 0;
}

void tui_signals_release(void)
{
    if (leaving != 0) {
        alarm(0);
    }
    for (int i = 0; i < N_CAUGHT; i++) {
        sigaction(caught[i].number, &before[i], NULL);
    }
    const stack_t none = {.ss_flags = SS_DISABLE, .ss_size = sizeof crash_stack};
    sigaltstack(&none, NULL);
    close_pipe();
}

int tui_signals_leaving(void)
{
    return leaving;
}

int tui_signals_fd(void)
{
    return wake[0];
}

void tui_signals_drain(void)
{
    char drained[64];
    while (read(wake[0], drained, sizeof drained) > 0) {
    }
}

bool tui_signals_take(enum tui_event event)
{
    const bool was = noted[event] != 0;
    noted[event] = 0;
    return was;
}

void tui_signals_stop(void)
{
    struct sigaction ours;
    struct sigaction stops = {.sa_handler = SIG_DFL};
    sigset_t only;
    sigset_t old;
    sigemptyset(&stops.sa_mask);
    sigemptyset(&only);
    sigaddset(&only, SIGTSTP);
    sigaction(SIGTSTP, &stops, &ours);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &only, &old);
    sigprocmask(SIG_SETMASK, &old, NULL);
    sigaction(SIGTSTP, &ours, NULL);
}
