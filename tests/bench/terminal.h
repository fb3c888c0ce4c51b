/** A program in a pseudo-terminal, with the time and the bytes of what it sends. For screen.c. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct terminal {
    pid_t pid;
    int master;
    double started; /**< When it was about to be executed; as bench_now has it. */
};

/** What a program sent until it was quiet. */
struct terminal_output {
    double last; /**< When its last byte came; 0: none came. */
    size_t bytes;
    size_t clears; /**< How often the whole screen was cleared. */
};

/** @return false where it cannot be started. */
bool terminal_start(struct terminal *t, int cols, int rows, const char *const argv[]);
/** Send what a key sends. @return when. */
double terminal_send(const struct terminal *t, const char *bytes);
/** Read until nothing has come for a while. */
struct terminal_output terminal_read(const struct terminal *t);
/** A figure of /proc/PID/status, "VmHWM"; -1 where the system has none. */
long terminal_figure(const struct terminal *t, const char *name);
/** Microseconds of CPU that it has used; 0 where the system does not say. */
double terminal_cpu(const struct terminal *t);
/** End it, with its terminal. */
void terminal_stop(struct terminal *t);

#endif
