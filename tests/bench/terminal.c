#include "terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { FIRST_BYTE_MS = 10000, QUIET_MS = 25 };

static _Noreturn void become(const char *slave_name, const char *const argv[])
{
    setsid();
    const int slave = open(slave_name, O_RDWR); /* the terminal of this session from now on */
    if (slave < 0 || dup2(slave, STDIN_FILENO) < 0 || dup2(slave, STDOUT_FILENO) < 0) {
        _exit(126);
    }
    ioctl(slave, TIOCSCTTY, 0);
    execv(argv[0], (char *const *)(size_t)argv);
    _exit(127);
}

bool terminal_start(struct terminal *t, int cols, int rows, const char *const argv[])
{
    const struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    t->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (t->master < 0 || grantpt(t->master) != 0 || unlockpt(t->master) != 0 ||
        ioctl(t->master, TIOCSWINSZ, &size) != 0) {
        return false;
    }
    const char *const name = ptsname(t->master);
    fflush(stdout);
    t->started = bench_now();
    t->pid = fork();
    if (t->pid == 0) {
        become(name, argv);
    }
    return t->pid > 0;
}

double terminal_send(const struct terminal *t, const char *bytes)
{
    const double now = bench_now();
    const ssize_t ignored = write(t->master, bytes, strlen(bytes));
    (void)ignored;
    return now;
}

/** How often text stands in the bytes. */
static size_t count(const char *bytes, size_t n, const char *text)
{
    const size_t length = strlen(text);
    size_t found = 0;
    for (size_t i = 0; i + length <= n; i++) {
        found += memcmp(bytes + i, text, length) == 0 ? 1 : 0;
    }
    return found;
}

struct terminal_output terminal_read(const struct terminal *t)
{
    struct terminal_output out = {0};
    char bytes[65536];
    struct pollfd fd = {.fd = t->master, .events = POLLIN};
    while (poll(&fd, 1, out.bytes == 0 ? FIRST_BYTE_MS : QUIET_MS) > 0) {
        const ssize_t n = read(t->master, bytes, sizeof bytes);
        if (n <= 0) {
            break;
        }
        out.last = bench_now();
        out.bytes += (size_t)n;
        out.clears += count(bytes, (size_t)n, "\033[2J") + count(bytes, (size_t)n, "\033[H\033[J");
    }
    return out;
}

long terminal_figure(const struct terminal *t, const char *name)
{
    char path[64];
    char line[256];
    long figure = -1;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)t->pid);
    FILE *const f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        const size_t n = strlen(name);
        if (strncmp(line, name, n) == 0 && line[n] == ':') {
            figure = strtol(line + n + 1, NULL, 10);
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return figure;
}

double terminal_cpu(const struct terminal *t)
{
    char path[64];
    unsigned long long nanoseconds = 0;
    snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)t->pid);
    FILE *const f = fopen(path, "r");
    if (f != NULL) {
        char line[128] = "";
        if (fgets(line, sizeof line, f) != NULL) {
            nanoseconds = strtoull(line, NULL, 10);
        }
        fclose(f);
    }
    return (double)nanoseconds / 1e3;
}

void terminal_stop(struct terminal *t)
{
    if (t->pid > 0) {
        kill(t->pid, SIGTERM);
        close(t->master);
        waitpid(t->pid, NULL, 0);
    }
    t->pid = 0;
}
