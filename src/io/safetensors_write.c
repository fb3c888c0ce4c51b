/* .safetensors with every tensor as F32, in the order given. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

/** ,"name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]} */
static void write_entry(FILE *f, const struct io_out *array, size_t begin, bool first)
{
    fputs(first ? "{" : ",", f);
    io_json_string(f, array->name);
    fputs(":{\"dtype\":\"F32\",\"shape\":[", f);
    for (int i = 0; i < array->rank; i++) {
        fprintf(f, "%s%d", i > 0 ? "," : "", array->dims[i]);
    }
    fprintf(f, "],\"data_offsets\":[%zu,%zu]}", begin, begin + io_out_count(array) * sizeof(float));
}

/** The header in memory, since its length comes before it; padded so that the data is aligned. */
static char *make_header(const struct io_out *arrays, int n, size_t *size)
{
    char *header = NULL;
    FILE *const f = open_memstream(&header, size);
    if (f == NULL) {
        return NULL;
    }
    size_t begin = 0;
    for (int i = 0; i < n; i++) {
        write_entry(f, &arrays[i], begin, i == 0);
        begin += io_out_count(&arrays[i]) * sizeof(float);
    }
    fputs(n == 0 ? "{}" : "}", f);
    fflush(f);
    while (*size % 8 != 0) {
        putc(' ', f);
        fflush(f);
    }
    const bool good = ferror(f) == 0;
    if (fclose(f) != 0 || !good) {
        free(header);
        return NULL;
    }
    return header;
}

enum attn_status io_safetensors_write(FILE *f, const struct io_out *arrays, int n,
                                      struct attn_error *err)
{
    size_t size = 0;
    char *const header = make_header(arrays, n, &size);
    if (header == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "no memory for the header");
    }
    unsigned char length[8];
    io_store_le(length, sizeof length, size);
    bool good =
        fwrite(length, 1, sizeof length, f) == sizeof length && fwrite(header, 1, size, f) == size;
    for (int i = 0; i < n && good; i++) {
        good = io_write_floats(f, arrays[i].data, io_out_count(&arrays[i]));
    }
    free(header);
    return ATTN_OK; /* What the file refused is seen by the caller, in ferror. */
}
