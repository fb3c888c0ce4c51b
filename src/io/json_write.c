/* .json: nested arrays by name, a row a line; strict, and every number reads back. */
#include <math.h>
#include <string.h>

#include "parts.h"

void io_json_string(FILE *f, const char *text)
{
    putc('"', f);
    for (size_t left = strlen(text); left > 0;) {
        uint32_t c = 0;
        const size_t n = io_utf8(text, left, &c);
        if (n == 0) {
            fputs("\\ufffd", f);
        } else if (c == '"' || c == '\\') {
            fprintf(f, "\\%c", (int)c);
        } else if (c < 0x20 || c == 0x7f) {
            fprintf(f, "\\u%04x", (unsigned)c);
        } else {
            fwrite(text, 1, n, f);
        }
        text += n > 0 ? n : 1;
        left -= n > 0 ? n : 1;
    }
    putc('"', f);
}

static void write_number(FILE *f, float value)
{
    char number[IO_NUMBER_TEXT_MAX];
    const char *const quote = isfinite(value) ? "" : "\"";
    fprintf(f, "%s%s%s", quote, io_number_text(value, number), quote);
}

/** `rank` levels of brackets, of the sizes `dims`; `stride` elements below this level. */
static void write_level(FILE *f, const int *dims, int rank, int indent, const float *data,
                        size_t stride)
{
    if (rank == 0) {
        write_number(f, *data);
        return;
    }
    const size_t n = (size_t)*dims;
    putc('[', f);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            fprintf(f, rank == 1 ? ", " : ",\n%*s", indent, "");
        }
        write_level(f, dims + 1, rank - 1, indent + 1, data + i * (stride / n), stride / n);
    }
    putc(']', f);
}

enum attn_status io_json_write(FILE *f, const struct io_out *arrays, int n, struct attn_error *err)
{
    (void)err;
    fputs("{", f);
    for (int i = 0; i < n; i++) {
        fputs(i > 0 ? ",\n" : "\n", f);
        io_json_string(f, arrays[i].name);
        fputs(":\n  ", f);
        write_level(f, arrays[i].dims, arrays[i].rank, 3, arrays[i].data, io_out_count(&arrays[i]));
    }
    fputs("\n}\n", f);
    return ATTN_OK;
}
