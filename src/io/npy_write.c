#include "parts.h"

#include <string.h>

enum { PREFIX_SIZE = 10, ALIGNMENT = 64 };

size_t io_out_count(const struct io_out *array)
{
    size_t count = 1;
    for (int i = 0; i < array->rank; i++) {
        count *= (size_t)array->dims[i];
    }
    return count;
}

size_t io_npy_head(const struct io_out *array, unsigned char head[IO_NPY_HEAD_MAX])
{
    struct io_shape shape = {.rank = array->rank};
    for (int i = 0; i < array->rank; i++) {
        shape.dims[i] = (size_t)array->dims[i];
    }
    char shape_words[IO_SHAPE_TEXT_MAX];
    char words[IO_NPY_HEAD_MAX - PREFIX_SIZE];
    snprintf(words, sizeof words, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }",
             io_shape_text(&shape, shape_words, 96));
    const size_t length = strlen(words);
    const size_t total = (PREFIX_SIZE + length + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    io_store_le(head + 8, 2, total - PREFIX_SIZE);
    memset(head + PREFIX_SIZE, ' ', total - PREFIX_SIZE);
    memcpy(head + PREFIX_SIZE, words, length);
    head[total - 1] = '\n';
    return total;
}

bool io_write_floats(FILE *f, const float *data, size_t count)
{
    unsigned char chunk[4096];
    for (size_t done = 0; done < count;) {
        const size_t left = count - done;
        const size_t now = left < sizeof chunk / 4 ? left : sizeof chunk / 4;
        for (size_t i = 0; i < now; i++) {
            io_store_le(chunk + 4 * i, 4, io_bits_of_float(data[done + i]));
        }
        if (fwrite(chunk, 4, now, f) != now) {
            return false;
        }
        done += now;
    }
    return true;
}

enum attn_status io_npy_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err)
{
    if (n != 1) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, NULL,
                         "a .npy holds one array, and there are %d (save as .npz, or take one "
                         "with --only)",
                         n);
    }
    unsigned char head[IO_NPY_HEAD_MAX];
    const size_t size = io_npy_head(&arrays[0], head);
    if (fwrite(head, 1, size, f) == size) {
        io_write_floats(f, arrays[0].data, io_out_count(&arrays[0]));
    }
    return ATTN_OK; /* What the file refused is seen by the caller, in ferror. */
}
