/**
 * What the readers and writers of this folder share. Nobody outside src/io and its tests needs it.
 */
#ifndef IO_PARTS_H
#define IO_PARTS_H

#include <locale.h>

#include "element.h"
#include "io.h"

enum {
    IO_CHUNK = 65536,        /**< Bytes converted or inflated at a time. */
    IO_SHAPE_TEXT_MAX = 256, /**< For io_shape_text. */
    IO_QUOTE_MAX = 128,      /**< For io_quote. */
};

/** The most elements that one array may have: 4 GiB of float32. */
#define IO_COUNT_MAX ((size_t)1 << 30)

/** A shape as a file claims it; nothing about it has been checked. */
struct io_shape {
    int rank;
    size_t dims[IO_RANK_MAX];
};

/** "(2, 3)", shortened with "…" where there is no room. @return out. */
char *io_shape_text(const struct io_shape *shape, char *out, size_t size);

/**
 * Text of a file, for a message: bytes that are no UTF-8 as \xNN, characters that a reader would
 * not see or a terminal would obey as \u{NNNN}; shortened with "…" where it is long.
 * @return out.
 */
char *io_quote(char out[IO_QUOTE_MAX], const char *text, size_t length);

/** Copy a whole message that fits, or the beginning of it, whole characters only. */
void io_clean(char *out, size_t size, const char *text);

/** Where bytes come from; how many there will be is known before the first is read. */
struct io_source {
    void *context;
    /** Up to n bytes; fewer only at the end or after a failure, which is said in why. */
    size_t (*read)(void *context, unsigned char *out, size_t n, const char **why);
    size_t size;
};

/** The C locale's numbers, whatever the program has set, in this thread until io_locale_end. */
struct io_locale {
    locale_t own;
    locale_t before;
};

bool io_locale_begin(struct io_locale *guard);
void io_locale_end(struct io_locale *guard);

/** attn_fail about an entry of the archive's file; entry may be NULL or "". */
enum attn_status io_fail(const struct io_archive *archive, const char *entry,
                         struct attn_error *err, enum attn_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

/** io_fail at a place in a text; line and column count from 1, 0 where there is none. */
enum attn_status io_fail_at(const struct io_archive *archive, int line, int column,
                            struct attn_error *err, enum attn_status status, const char *format,
                            ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 6, 7)))
#endif
    ;

/**
 * Check a shape: each dimension 1 or more, the count within IO_COUNT_MAX, and the bytes countable.
 *
 * @param bytes  Out: count × element_size.
 */
enum attn_status io_shape_check(const struct io_archive *archive, const char *entry,
                                const struct io_shape *shape, size_t element_size, size_t *count,
                                size_t *bytes, struct attn_error *err);

/**
 * Add an array to the archive, its data allocated and not yet filled. The shape has been checked.
 *
 * Refuses a second array of that name and a name that is too long.
 * @param array  Out: points into the archive until the next array is added.
 */
enum attn_status io_archive_add(struct io_archive *archive, const char *name,
                                const struct io_shape *shape, struct io_array **array,
                                struct attn_error *err);

/** Add a note. @return ATTN_OK or ATTN_E_NOMEM. */
enum attn_status io_archive_note(struct io_archive *archive, struct attn_error *err,
                                 const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/** A note about something in the file that is not read, for whoever asks. */
enum attn_status io_archive_note_left_out(struct io_archive *archive, const char *name,
                                          const char *why, struct attn_error *err);

/** Turn an array's losses into notes. */
enum attn_status io_archive_note_losses(struct io_archive *archive, const struct io_array *array,
                                        const struct io_loss losses[IO_N_LOSSES],
                                        struct attn_error *err);

/** Read one .npy from source into a new array called name. entry is what messages call it. */
enum attn_status io_npy_read(struct io_archive *archive, const char *name, const char *entry,
                             struct io_source *source, struct attn_error *err);

/** A source over bytes in memory; context is storage for it. */
struct io_memory {
    const unsigned char *bytes;
    size_t left;
};
struct io_source io_memory_source(struct io_memory *memory, const unsigned char *bytes,
                                  size_t size);

/**
 * The head of a .npy that holds this array in C order, as numpy writes it: version 1.0, data at a
 * multiple of 64.
 * @return its length, at most IO_NPY_HEAD_MAX.
 */
enum { IO_NPY_HEAD_MAX = 192 };
size_t io_npy_head(const struct io_out *array, unsigned char head[IO_NPY_HEAD_MAX]);

/** The elements of an array to write. */
size_t io_out_count(const struct io_out *array);

/** Write floats, little-endian. @return false if the file refused. */
bool io_write_floats(FILE *f, const float *data, size_t count);

/** A JSON string, quotes and all; a byte that is no UTF-8 becomes U+FFFD. */
void io_json_string(FILE *f, const char *text);

/** Known files that cannot be read: fails with what to do in their place, or returns ATTN_OK. */
enum attn_status io_refuse_known(const struct io_archive *archive, const unsigned char *bytes,
                                 size_t size, struct attn_error *err);

/** Shown in place of a pickle, however it is wrapped. */
extern const char io_pickle_advice[];

/* The formats' functions, for the table. */
bool io_npy_recognise(const unsigned char *bytes, size_t size);
enum attn_status io_npy_read_bytes(struct io_archive *archive, const unsigned char *bytes,
                                   size_t size, struct attn_error *err);
enum attn_status io_npy_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err);
bool io_npz_recognise(const unsigned char *bytes, size_t size);
enum attn_status io_npz_read(struct io_archive *archive, const unsigned char *bytes, size_t size,
                             struct attn_error *err);
enum attn_status io_npz_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err);

bool io_csv_recognise(const unsigned char *bytes, size_t size);
enum attn_status io_csv_read(struct io_archive *archive, const unsigned char *bytes, size_t size,
                             struct attn_error *err);
enum attn_status io_tsv_read(struct io_archive *archive, const unsigned char *bytes, size_t size,
                             struct attn_error *err);
enum attn_status io_csv_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err);
enum attn_status io_tsv_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err);

bool io_json_recognise(const unsigned char *bytes, size_t size);
enum attn_status io_json_read(struct io_archive *archive, const unsigned char *bytes, size_t size,
                              struct attn_error *err);
enum attn_status io_json_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err);
bool io_safetensors_recognise(const unsigned char *bytes, size_t size);
enum attn_status io_safetensors_read(struct io_archive *archive, const unsigned char *bytes,
                                     size_t size, struct attn_error *err);
enum attn_status io_safetensors_write(FILE *f, const struct io_out *arrays, int n,
                                      struct attn_error *err);

#endif
