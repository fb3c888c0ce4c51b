/**
 * Tensors in and out of files. One row in a table for each format; what is read comes as an archive
 * of named arrays, converted to float32 whatever the file's own type.
 */
#ifndef IO_H
#define IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "attn/status.h"

enum { IO_RANK_MAX = 32, IO_NAME_MAX = 256, IO_ENTRIES_MAX = 4096 };

/** What the numbers were in the file, as far as anybody needs to know. */
enum io_type { IO_TYPE_FLOAT, IO_TYPE_INT, IO_TYPE_BOOL };

/** One array of a file. Row-major, contiguous, owned by its archive. */
struct io_array {
    char name[IO_NAME_MAX]; /**< "" for a file that holds a single, nameless array. */
    enum io_type type;
    char dtype[16];           /**< As the file spells it, for messages: "<f8", "BF16". */
    int rank;                 /**< 0 is a scalar. */
    size_t dims[IO_RANK_MAX]; /**< Outermost first; each at least 1. */
    size_t count;
    float *data;
    double first; /**< The first element before it became float32: a scalar's own value. */
};

/** What a file holds. */
struct io_archive {
    char path[4096];    /**< As given. "-" is standard input. */
    const char *format; /**< "npz". */
    struct io_array *arrays;
    int n;
    struct io_note
        *notes; /**< What a person should know and no error: an integer beyond 2^24 was rounded. */
    int n_notes;
};

struct io_note {
    char text[256];
    bool left_out; /**< It tells only what else the file holds: for whoever asks. */
};

/**
 * Read every array of a file. The format is told by the content, then by the name's ending.
 *
 * Sizes are checked against the bytes that are there before anything is allocated for them.
 * Files that are known and not read (a pickle or .pt, a git-lfs pointer, a gzip or tar archive) are
 * refused with what to do in their place.
 *
 * @param archive  Out; the caller calls io_archive_finish.
 * @param path     "-" reads standard input.
 * @return ATTN_OK, ATTN_E_IO, ATTN_E_FORMAT, ATTN_E_UNSUPPORTED, ATTN_E_LIMIT, ATTN_E_NOMEM;
 * err->what is the path, and the entry's name where there is one ("case.npz: x.npy").
 */
enum attn_status io_read(struct io_archive *archive, const char *path, struct attn_error *err);

/** The same from memory; name is what messages call it. For stdin, tests and fuzz targets. */
enum attn_status io_read_memory(struct io_archive *archive, const char *name, const void *bytes,
                                size_t size, struct attn_error *err);

/** Free what an archive holds; the struct is the caller's. Fine on a zeroed one. */
void io_archive_finish(struct io_archive *archive);

/** The array called name, or NULL. */
const struct io_array *io_archive_find(const struct io_archive *archive, const char *name);

/** An array to write: float32, row-major, not owned. */
struct io_out {
    const char *name;
    int rank;
    int dims[3];
    const float *data;
};

/** Is there a writer for this file name's ending? */
bool io_can_write(const char *path);

/**
 * Write arrays to path in the format that its ending names (.npy, .csv take exactly one array).
 * The file is written beside it and renamed, so that a failure leaves an old file as it was.
 * @return ATTN_OK, ATTN_E_IO, ATTN_E_UNSUPPORTED (the endings that can be written are named),
 * ATTN_E_NOMEM.
 */
enum attn_status io_write(const char *path, const struct io_out *arrays, int n,
                          struct attn_error *err);

/**
 * Write a file by a function of yours, safely: a draft beside it, to the disk, renamed. A failure
 * leaves an old file as it was and no draft behind; a link keeps pointing; an old file's mode is
 * kept. What is no plain file (a pipe, a device) is written as it is.
 *
 * @param write  Writes to f, and returns ATTN_OK or has filled err; what the system refused need
 * not be looked at (ferror is).
 * @return ATTN_OK, ATTN_E_IO, ATTN_E_NOMEM, or what write gave.
 */
enum attn_status io_save(const char *path,
                         enum attn_status (*write)(FILE *f, const void *context,
                                                   struct attn_error *err),
                         const void *context, struct attn_error *err);

enum { IO_NUMBER_TEXT_MAX = 32 };

/**
 * The fewest digits that read back to the same float32, with '.' in every locale: "0.1", "-0.0",
 * "1e-45", "nan", "-inf".
 * @return out.
 */
char *io_number_text(float value, char out[IO_NUMBER_TEXT_MAX]);

/** The well-formed UTF-8 character that text begins with. @return its bytes, or 0: there is none.
 */
size_t io_utf8(const char *text, size_t length, uint32_t *code);

enum { IO_SHOWN_MAX = 16 };

/**
 * The first character of a text as a person can see it: itself, a byte that is no UTF-8 as \xNN,
 * and what cannot be seen, or what a terminal would obey, as \u{NNNN}.
 * @return the bytes of text that it stands for.
 */
size_t io_shown(const char *text, size_t length, char out[IO_SHOWN_MAX]);

/** A row of the format table. */
struct io_format {
    const char *name;      /**< "npz" */
    const char *extension; /**< ".npz" */
    const char *summary;   /**< For help. */
    bool vague;            /**< Content alone tells little (csv): the name's ending goes first. */
    bool (*recognise)(const unsigned char *bytes, size_t size);
    enum attn_status (*read)(struct io_archive *archive, const unsigned char *bytes, size_t size,
                             struct attn_error *err);
    enum attn_status (*write)(FILE *f, const struct io_out *arrays, int n, struct attn_error *err);
};

/** The formats, ended by a row without a name. */
extern const struct io_format io_formats[];

/** Read a whole file, at most limit bytes. @param bytes  Out; the caller frees. */
enum attn_status io_slurp(const char *path, size_t limit, unsigned char **bytes, size_t *size,
                          struct attn_error *err);

#endif
