/** .npy files made by hand, with headers that numpy would not write. */
#ifndef NPY_BYTES_H
#define NPY_BYTES_H

#include <stddef.h>

struct npy_bytes {
    unsigned char *data; /**< Owned; free it. */
    size_t size;
};

/** @param version  1, 2 or 3. @param body  Follows the header. */
struct npy_bytes npy_bytes_make(int version, const char *header, const void *body, size_t size);

#endif
