/** A file of tests/cases with its verdict: what it reads as, or what its refusal says. */
#ifndef IO_CASE_H
#define IO_CASE_H

#include <stddef.h>

enum { IO_CASE_RANK_MAX = 4, IO_CASE_VALUES_MAX = 12 };

struct io_case {
    const char *file;    /**< Below tests/cases: "npy/v1_f4.npy". */
    const char *refusal; /**< A part of the message; NULL: it is read. */
    const char *note;    /**< A part of a note; NULL: there is none. */
    int line, column;    /**< Of the refusal; 0: none. */
    int rank;            /**< Of the first array. */
    size_t dims[IO_CASE_RANK_MAX];
    float values[IO_CASE_VALUES_MAX];
};

/** Read the file and hold it to its verdict, and the memory that it took to 20 MB. */
void io_case_check(const struct io_case *c);

/** Is every file of tests/cases/FOLDER in the table (n rows)? Fails with the first that is not. */
void io_case_check_folder(const char *folder, const struct io_case *cases, size_t n);

/** The path of a file of the source tree, in a buffer that the next call overwrites. */
const char *io_case_path(const char *file);

#endif
