/**
 * The header of a .npy file: a Python dictionary with three keys.
 */
#ifndef NPY_H
#define NPY_H

#include "parts.h"

struct npy_header {
    char descr[16]; /**< As the file spells it: "<f8". */
    enum io_element element;
    bool big_endian;
    bool fortran;
    struct io_shape shape;
};

/**
 * Parse a header's text; text[length] is 0, and another 0 before it is refused.
 * @param entry  What messages call it; may be "".
 */
enum attn_status npy_header_parse(const struct io_archive *archive, const char *entry,
                                  const char *text, size_t length, struct npy_header *header,
                                  struct attn_error *err);

#endif
