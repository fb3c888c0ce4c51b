/* One matrix as a table, each number so that it reads back to the same float32. */
#include "parts.h"

static enum attn_status write_table(FILE *f, const struct io_out *arrays, int n, char separator,
                                    struct attn_error *err)
{
    if (n != 1) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, NULL,
                         "a table holds one matrix, and there are %d (save as .npz or .json, or "
                         "take one with --only)",
                         n);
    }
    const struct io_out *const array = &arrays[0];
    const size_t columns = array->rank > 0 ? (size_t)array->dims[array->rank - 1] : 1;
    const size_t rows = io_out_count(array) / columns;
    const size_t high = array->rank > 1 ? (size_t)array->dims[array->rank - 2] : 1;
    if (rows != high) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, NULL,
                         "a table holds one matrix, and %s is a stack of %zu (save as .npy or "
                         ".json)",
                         array->name, rows / high);
    }
    for (size_t i = 0; i < rows * columns; i++) {
        char number[IO_NUMBER_TEXT_MAX];
        fputs(io_number_text(array->data[i], number), f);
        putc((i + 1) % columns == 0 ? '\n' : separator, f);
    }
    return ATTN_OK;
}

enum attn_status io_csv_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err)
{
    return write_table(f, arrays, n, ',', err);
}

enum attn_status io_tsv_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err)
{
    return write_table(f, arrays, n, '\t', err);
}
