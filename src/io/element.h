/**
 * The element types that files hold, and how each becomes a float32.
 */
#ifndef ELEMENT_H
#define ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "io.h"

enum io_element {
    IO_F16,
    IO_BF16,
    IO_F32,
    IO_F64,
    IO_I8,
    IO_I16,
    IO_I32,
    IO_I64,
    IO_U8,
    IO_U16,
    IO_U32,
    IO_U64,
    IO_BOOL,
    IO_N_ELEMENTS
};

/** What float32 could not keep, worth a note. Ordinary rounding of a fraction is none. */
enum io_loss_kind {
    IO_LOSS_NONE,
    IO_LOSS_WHOLE,    /**< A whole number that had to be rounded. */
    IO_LOSS_INFINITE, /**< A finite number beyond FLT_MAX: became infinity. */
    IO_LOSS_ZERO,     /**< A number that is not 0 became 0. */
    IO_N_LOSSES
};

/** The first loss of each kind in one array, and how many there were. Zeroed at the start. */
struct io_loss {
    size_t count;
    size_t index; /**< Of the first, in elements, row-major. */
    char before[32];
    float after;
};

struct io_element_info {
    const char *safetensors; /**< Its name there; NULL: it has none. */
    char numpy;              /**< Its letter in a numpy descr; 0: numpy has none. */
    size_t size;             /**< Bytes. */
    enum io_type type;
    /** bits is the element as an integer in host order, zero-extended. */
    float (*convert)(uint64_t bits, enum io_loss_kind *loss);
    /** The element as a person would write it. */
    void (*print)(uint64_t bits, char *out, size_t size);
};

extern const struct io_element_info io_elements[IO_N_ELEMENTS];

/** size bytes (1, 2, 4 or 8) as an unsigned integer. */
uint64_t io_load_le(const unsigned char *bytes, size_t size);
uint64_t io_load_be(const unsigned char *bytes, size_t size);
void io_store_le(unsigned char *bytes, size_t size, uint64_t value);

float io_float_of_bits(uint32_t bits);
uint32_t io_bits_of_float(float value);

/** The element's value as a double (a whole number is the float32 that it became). */
double io_element_double(enum io_element element, uint64_t bits);

/** A double to float32, saying what was lost. */
float io_narrow(double value, enum io_loss_kind *loss);

/** The element at index as a float32, its loss counted. */
float io_element_take(enum io_element element, uint64_t bits, size_t index,
                      struct io_loss losses[IO_N_LOSSES]);

/** Count a loss of the element at index. @param before  It, as the file had it. */
void io_loss_add(struct io_loss losses[IO_N_LOSSES], enum io_loss_kind kind, size_t index,
                 float after, const char *before);

#endif
