#include "launch.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct terminal {
    int master, slave;
};

static void set_environment(const struct term_options *options)
{
    static const char *const unset[] = {"LINES",    "COLUMNS",   "NO_COLOR",  "CLICOLOR_FORCE",
                                        "ESCDELAY", "COLORFGBG", "COLORTERM", "LC_ALL",
                                        "LANG",     "TERMINFO",  "TMUX"};
    for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++) {
        unsetenv(unset[i]);
    }
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    for (int i = 0; i < 8 && options->env[i] != NULL; i++) {
        char name[64];
        const char *const equals = strchr(options->env[i], '=');
        if (equals == NULL) {
            unsetenv(options->env[i]);
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - options->env[i]), options->env[i]);
        setenv(name, equals + 1, 1);
    }
}

/** The child's standard input. @return -1 if there is no such file. */
static int open_input(const struct terminal *t, const struct term_options *options)
{
    if (options->input != NULL) {
        return open(options->input, O_RDONLY);
    }
    int ends[2];
    if (options->input_text != NULL && pipe(ends) == 0) {
        const size_t n = strlen(options->input_text); /* less than a pipe holds */
        const bool all = write(ends[1], options->input_text, n) == (ssize_t)n;
        close(ends[1]);
        return all ? ends[0] : -1;
    }
    return options->input_text == NULL ? t->slave : -1;
}

static _Noreturn void run_program(const struct terminal *t, const struct term_options *options,
                                  const char *const argv[])
{
    static const int defaults[] = {SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGTTOU};
    const int input = open_input(t, options);
    setpgid(0, 0);
    if (input < 0 || tcsetpgrp(t->slave, getpid()) != 0 || dup2(input, STDIN_FILENO) < 0 ||
        dup2(t->slave, STDOUT_FILENO) < 0 || dup2(t->slave, STDERR_FILENO) < 0) {
        _exit(126);
    }
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
        signal(defaults[i], SIG_DFL);
    }
    set_environment(options);
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

/**
 * A program is stopped by its terminal only where a shell could continue it, so there is one: it
 * tells the program's number, and then each status that waitpid gives.
 */
static _Noreturn void run_shell(const struct terminal *t, const struct term_options *options,
                                const char *const argv[], int tell)
{
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGTTOU, SIGPIPE};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        signal(ignored[i], SIG_IGN);
    }
    close(t->master);
    setsid();
    if (ioctl(t->slave, TIOCSCTTY, 0) != 0) {
        _exit(126);
    }
    const pid_t pid = fork();
    if (pid == 0) {
        run_program(t, options, argv);
    }
    int status = (int)pid;
    while (write(tell, &status, sizeof status) == sizeof status &&
           waitpid(pid, &status, WUNTRACED) == pid) {
    }
    _exit(0);
}

struct launched launch(int master, int slave, const struct term_options *options,
                       const char *const argv[])
{
    const struct terminal t = {.master = master, .slave = slave};
    struct launched started = {.pid = -1};
    int ends[2];
    int pid = -1;
    ck_assert_int_eq(pipe(ends), 0);
    started.shell = fork();
    ck_assert_int_ge(started.shell, 0);
    if (started.shell == 0) {
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        close(ends[0]);
        run_shell(&t, options, argv, ends[1]);
    }
    close(ends[1]);
    started.told = ends[0];
    ck_assert_int_eq((int)read(started.told, &pid, sizeof pid), (int)sizeof pid);
    ck_assert_int_gt(pid, 0);
    started.pid = pid;
    ck_assert_int_eq(fcntl(started.told, F_SETFL, O_NONBLOCK), 0);
    return started;
}
