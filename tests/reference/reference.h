/** What the reference tests share: the stored data, and how a tensor is held against it. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <jansson.h>
#include <stddef.h>

#include "attn/tensor.h"

enum { REFERENCE_PATH_MAX = 4096 };

/** The path of a file below tests/reference/data. */
const char *reference_path(char out[REFERENCE_PATH_MAX], const char *name);

/** A JSON file below tests/reference/data; the caller drops it. Fails the test if there is none. */
json_t *reference_json(const char *name);

/**
 * A float64 array of an .npz below tests/reference/data, with all its bits: the program's own
 * reader rounds to float32, which is as coarse as what is measured here.
 *
 * @param n  Out: how many elements.
 * @return   The caller frees it; NULL if the archive has no such array.
 */
double *reference_doubles(const char *npz, const char *name, size_t *n);

/** Fail unless got has n elements, each |got - want| <= absolute + relative·|want|; NaN matches
 * NaN and an infinity itself. what says which case and stage it is. */
void reference_check_close(const char *what, const attn_tensor *got, const double *want, size_t n,
                           double absolute, double relative);

/** Fail unless got has n elements of the same bits as want. */
void reference_check_bits(const char *what, const attn_tensor *got, const float *want, size_t n);

#endif
