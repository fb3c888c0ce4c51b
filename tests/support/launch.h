/** Start a program in a pseudo-terminal, as a shell would. For term.c. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <sys/types.h>

#include "term.h"

struct launched {
    pid_t pid;
    pid_t shell; /**< What stands in for one: it started the program and tells how it is. */
    int told;    /**< Where it tells so: statuses as waitpid gives them. Does not block. */
};

/** Fails the test where it cannot. */
struct launched launch(int master, int slave, const struct term_options *options,
                       const char *const argv[]);

#endif
