#include "reference.h"

#include <check.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

const char *reference_path(char out[REFERENCE_PATH_MAX], const char *name)
{
    const char *const root = getenv("ATTN_SOURCE");
    ck_assert_msg(root != NULL, "ATTN_SOURCE is not set (run it through meson test)");
    (void)snprintf(out, REFERENCE_PATH_MAX, "%s/tests/reference/data/%s", root, name);
    return out;
}

json_t *reference_json(const char *name)
{
    char path[REFERENCE_PATH_MAX];
    json_error_t error;
    json_t *const document = json_load_file(reference_path(path, name), 0, &error);
    ck_assert_msg(document != NULL, "%s:%d: %s", path, error.line, error.text);
    return document;
}

/** The bytes of one entry; NULL if there is none. */
static unsigned char *read_entry(const char *npz, const char *name, size_t *size)
{
    char path[REFERENCE_PATH_MAX], entry[256];
    (void)snprintf(entry, sizeof entry, "%s.npy", name);
    zip_t *const archive = zip_open(reference_path(path, npz), ZIP_RDONLY, NULL);
    ck_assert_msg(archive != NULL, "%s: cannot be opened", path);
    unsigned char *bytes = NULL;
    zip_stat_t stat;
    if (zip_stat(archive, entry, 0, &stat) == 0) {
        zip_file_t *const file = zip_fopen(archive, entry, 0);
        ck_assert_msg(file != NULL, "%s: %s: cannot be opened", path, entry);
        *size = (size_t)stat.size;
        bytes = malloc(*size);
        ck_assert_ptr_nonnull(bytes);
        const zip_int64_t got = zip_fread(file, bytes, stat.size);
        ck_assert_msg(got == (zip_int64_t)stat.size, "%s: %s: cut short", path, entry);
        (void)zip_fclose(file);
    }
    (void)zip_close(archive);
    return bytes;
}

double *reference_doubles(const char *npz, const char *name, size_t *n)
{
    enum { PREFIX = 10 }; /* magic, version 1.0, two bytes of the header's length */
    size_t size = 0;
    unsigned char *const bytes = read_entry(npz, name, &size);
    if (bytes == NULL) {
        return NULL;
    }
    ck_assert_msg(size > PREFIX && memcmp(bytes, "\x93NUMPY\x01", 7) == 0, "%s: %s", npz, name);
    const size_t start = PREFIX + bytes[8] + 256u * bytes[9];
    ck_assert_msg(size >= start, "%s: %s: cut short", npz, name);
    bytes[start - 1] = '\0'; /* the header's newline */
    ck_assert_msg(strstr((char *)bytes + PREFIX, "'descr': '<f8', 'fortran_order': False") != NULL,
                  "%s: %s is no float64 array in C order", npz, name);
    *n = (size - start) / sizeof(double);
    double *const values = malloc(*n * sizeof(double) + 1);
    ck_assert_ptr_nonnull(values);
    for (size_t i = 0; i < *n; i++) {
        uint64_t bits = 0;
        for (size_t j = sizeof bits; j-- > 0;) {
            bits = bits << 8 | bytes[start + i * sizeof bits + j];
        }
        memcpy(&values[i], &bits, sizeof bits);
    }
    free(bytes);
    return values;
}

static const float *contiguous(const char *what, const attn_tensor *got, size_t n)
{
    ck_assert_msg(got != NULL, "%s: there is no such tensor", what);
    ck_assert_msg(attn_tensor_contiguous(got), "%s: not contiguous", what);
    ck_assert_msg(attn_tensor_count(got) == n, "%s: %zu elements, want %zu", what,
                  attn_tensor_count(got), n);
    return got->data;
}

static bool close_enough(double got, double want, double absolute, double relative)
{
    if (isnan(want) || isinf(want)) {
        return isnan(want) ? isnan(got) != 0 : got == want;
    }
    return fabs(got - want) <= absolute + relative * fabs(want);
}

void reference_check_close(const char *what, const attn_tensor *got, const double *want, size_t n,
                           double absolute, double relative)
{
    const float *const data = contiguous(what, got, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_msg(close_enough((double)data[i], want[i], absolute, relative),
                      "%s: element %zu of %zu: %.9g, want %.17g (off by %.3g)", what, i, n,
                      (double)data[i], want[i], (double)data[i] - want[i]);
    }
}

void reference_check_bits(const char *what, const attn_tensor *got, const float *want, size_t n)
{
    const float *const data = contiguous(what, got, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t a, b;
        memcpy(&a, &data[i], sizeof a);
        memcpy(&b, &want[i], sizeof b);
        ck_assert_msg(
            a == b, "%s: element %zu of %zu: %.9g (%08" PRIx32 "), torch has %.9g (%08" PRIx32 ")",
            what, i, n, (double)data[i], a, (double)want[i], b);
    }
}
