/**
 * What a library call returns, and what it says when it could not be done.
 *
 * A call that fails leaves its results untouched. `struct attn_error` is the caller's; pass NULL
 * where the words do not matter. Nothing in the library prints, exits, aborts or keeps globals.
 */
#ifndef ATTN_STATUS_H
#define ATTN_STATUS_H

enum attn_status {
    ATTN_OK = 0,
    ATTN_E_NOMEM,       /**< An allocation failed. */
    ATTN_E_LIMIT,       /**< A size is beyond its bound (a dimension, or a trace's memory). */
    ATTN_E_SHAPE,       /**< Shapes do not fit each other; both are in the message. */
    ATTN_E_VALUE,       /**< A value is not allowed here (a probability of 1.5, a mask of 0.3). */
    ATTN_E_UNSUPPORTED, /**< The variant or the format does not have this. */
    ATTN_E_FORMAT,      /**< A file is damaged or of another kind. */
    ATTN_E_IO           /**< The system refused to open, read or write a file. */
};

enum { ATTN_MESSAGE_MAX = 1024 };

/** What went wrong, in words that stand after "attn: WHAT: ". */
struct attn_error {
    enum attn_status status;
    int line;                       /**< 1-based line in a text file, 0 where there is none. */
    int column;                     /**< 1-based column in bytes, 0 where there is none. */
    char what[256];                 /**< The file or option that it is about; may be empty. */
    char message[ATTN_MESSAGE_MAX]; /**< Why, with what to do in parentheses. One line, UTF-8. */
};

/**
 * Fill err (if not NULL) with a formatted message and give status back.
 *
 * @param what  The file or option that it is about; NULL leaves it empty. Control characters in
 * what and in the message are shown as '?', so that a hostile name cannot reach a terminal.
 */
enum attn_status attn_fail(struct attn_error *err, enum attn_status status, const char *what,
                           const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

#endif
