#include "npy_bytes.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

struct npy_bytes npy_bytes_make(int version, const char *header, const void *body, size_t size)
{
    const size_t length = strlen(header);
    const size_t width = version == 1 ? 2 : 4;
    struct npy_bytes made = {.size = 8 + width + length + size};
    made.data = malloc(made.size + 1);
    ck_assert_ptr_nonnull(made.data);
    memcpy(made.data, "\x93NUMPY", 6);
    made.data[6] = (unsigned char)version;
    made.data[7] = 0;
    for (size_t i = 0; i < width; i++) {
        made.data[8 + i] = (unsigned char)(length >> (8 * i) & 0xff);
    }
    memcpy(made.data + 8 + width, header, length);
    if (size > 0) {
        memcpy(made.data + 8 + width + length, body, size);
    }
    return made;
}
