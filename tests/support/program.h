/** Run the built program with arguments, and see what a shell would see. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

enum { PROGRAM_ARGS_MAX = 24 };

/** Where its output goes. */
enum program_sink {
    PROGRAM_READ,  /**< It is read to its end. */
    PROGRAM_FULL,  /**< A device that is full. */
    PROGRAM_SHUT,  /**< It is closed. */
    PROGRAM_LEAVES /**< The reader takes one byte and goes away. */
};

struct program {
    const char *args[PROGRAM_ARGS_MAX]; /**< After the program's name; ended by NULL. */
    const char *input;                  /**< File for standard input; NULL: /dev/null. */
    const char *locale;                 /**< LC_ALL; NULL: "C.UTF-8". */
    enum program_sink sink;
    bool reports; /**< What it finds wrong is its result, on standard output. */
};

/** Texts are terminated; program_finish frees them. */
struct program_result {
    int status; /**< The exit status, or 128 + the signal. */
    char *out, *err;
    size_t n_out;
};

/** Run it in tests/cli/data. A failure to start it fails the test. */
void program_run(const struct program *program, struct program_result *result);
void program_finish(struct program_result *result);

/** A whole file of the source tree, terminated; the caller frees it. */
char *program_file(const char *path);

#endif
