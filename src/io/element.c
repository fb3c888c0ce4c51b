#include "element.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

uint64_t io_load_le(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = size; i > 0; i--) {
        value = value << 8 | bytes[i - 1];
    }
    return value;
}

uint64_t io_load_be(const unsigned char *bytes, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

void io_store_le(unsigned char *bytes, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i) & 0xff);
    }
}

float io_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t io_bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float io_narrow(double value, enum io_loss_kind *loss)
{
    const float narrow = (float)value;
    if (isinf(narrow) && !isinf(value)) {
        *loss = IO_LOSS_INFINITE;
    } else if (fpclassify(narrow) == FP_ZERO && fpclassify(value) != FP_ZERO) {
        *loss = IO_LOSS_ZERO;
    } else if (fabs(value) <= 0x1p53 && floor(value) == value && (double)narrow != value) {
        *loss = IO_LOSS_WHOLE; /* Beyond 2^53 the file's own double was no exact count either. */
    }
    return narrow;
}

/** Every binary16 value is a float32: the exponent moves by 112, a subnormal is m × 2⁻²⁴. */
static float convert_f16(uint64_t bits, enum io_loss_kind *loss)
{
    (void)loss;
    const uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    const uint32_t exponent = (uint32_t)(bits >> 10 & 0x1f);
    const uint32_t mantissa = (uint32_t)(bits & 0x3ff);
    if (exponent == 0) {
        const float magnitude = (float)mantissa * 0x1p-24f;
        return io_float_of_bits(sign | io_bits_of_float(magnitude));
    }
    const uint32_t wide = exponent == 0x1f ? 0xff : exponent + 112;
    return io_float_of_bits(sign | wide << 23 | mantissa << 13);
}

static float convert_bf16(uint64_t bits, enum io_loss_kind *loss)
{
    (void)loss;
    return io_float_of_bits((uint32_t)bits << 16);
}

static float convert_f32(uint64_t bits, enum io_loss_kind *loss)
{
    (void)loss;
    return io_float_of_bits((uint32_t)bits);
}

static float convert_f64(uint64_t bits, enum io_loss_kind *loss)
{
    return io_narrow(double_of_bits(bits), loss);
}

static float convert_unsigned(uint64_t value, enum io_loss_kind *loss)
{
    const float narrow = (float)value;
    /* 2^64 itself does not fit in uint64_t: it is always a rounded value. */
    if (narrow >= 0x1p64f || (uint64_t)narrow != value) {
        *loss = IO_LOSS_WHOLE;
    }
    return narrow;
}

/** Sign and magnitude of a two's complement number of so many bits. */
static bool negative(uint64_t *bits, unsigned width)
{
    const uint64_t top = (uint64_t)1 << (width - 1);
    if ((*bits & top) == 0) {
        return false;
    }
    const uint64_t mask = top | (top - 1);
    *bits = (~*bits + 1) & mask;
    return true;
}

static float convert_signed(uint64_t bits, unsigned width, enum io_loss_kind *loss)
{
    const bool minus = negative(&bits, width);
    const float magnitude = convert_unsigned(bits, loss);
    return minus ? -magnitude : magnitude;
}

static float convert_i8(uint64_t bits, enum io_loss_kind *loss)
{
    return convert_signed(bits, 8, loss);
}

static float convert_i16(uint64_t bits, enum io_loss_kind *loss)
{
    return convert_signed(bits, 16, loss);
}

static float convert_i32(uint64_t bits, enum io_loss_kind *loss)
{
    return convert_signed(bits, 32, loss);
}

static float convert_i64(uint64_t bits, enum io_loss_kind *loss)
{
    return convert_signed(bits, 64, loss);
}

static float convert_bool(uint64_t bits, enum io_loss_kind *loss)
{
    (void)loss;
    return bits != 0 ? 1.0f : 0.0f;
}

static void print_f64(uint64_t bits, char *out, size_t size)
{
    snprintf(out, size, "%.17g", double_of_bits(bits));
}

static void print_unsigned(uint64_t bits, char *out, size_t size)
{
    snprintf(out, size, "%" PRIu64, bits);
}

static void print_i32(uint64_t bits, char *out, size_t size)
{
    const bool minus = negative(&bits, 32);
    snprintf(out, size, "%s%" PRIu64, minus ? "-" : "", bits);
}

static void print_i64(uint64_t bits, char *out, size_t size)
{
    const bool minus = negative(&bits, 64);
    snprintf(out, size, "%s%" PRIu64, minus ? "-" : "", bits);
}

/* Types that float32 always holds have no print: they never lose anything. */
const struct io_element_info io_elements[IO_N_ELEMENTS] = {
    [IO_F16] = {"F16", 'f', 2, IO_TYPE_FLOAT, convert_f16, NULL},
    [IO_BF16] = {"BF16", '\0', 2, IO_TYPE_FLOAT, convert_bf16, NULL},
    [IO_F32] = {"F32", 'f', 4, IO_TYPE_FLOAT, convert_f32, NULL},
    [IO_F64] = {"F64", 'f', 8, IO_TYPE_FLOAT, convert_f64, print_f64},
    [IO_I8] = {"I8", 'i', 1, IO_TYPE_INT, convert_i8, NULL},
    [IO_I16] = {"I16", 'i', 2, IO_TYPE_INT, convert_i16, NULL},
    [IO_I32] = {"I32", 'i', 4, IO_TYPE_INT, convert_i32, print_i32},
    [IO_I64] = {"I64", 'i', 8, IO_TYPE_INT, convert_i64, print_i64},
    [IO_U8] = {"U8", 'u', 1, IO_TYPE_INT, convert_unsigned, NULL},
    [IO_U16] = {"U16", 'u', 2, IO_TYPE_INT, convert_unsigned, NULL},
    [IO_U32] = {"U32", 'u', 4, IO_TYPE_INT, convert_unsigned, print_unsigned},
    [IO_U64] = {"U64", 'u', 8, IO_TYPE_INT, convert_unsigned, print_unsigned},
    [IO_BOOL] = {"BOOL", 'b', 1, IO_TYPE_BOOL, convert_bool, NULL},
};

double io_element_double(enum io_element element, uint64_t bits)
{
    enum io_loss_kind ignored = IO_LOSS_NONE;
    return element == IO_F64 ? double_of_bits(bits)
                             : (double)io_elements[element].convert(bits, &ignored);
}

void io_loss_add(struct io_loss losses[IO_N_LOSSES], enum io_loss_kind kind, size_t index,
                 float after, const char *before)
{
    struct io_loss *const loss = &losses[kind];
    if (loss->count == 0 || index < loss->index) {
        loss->index = index;
        loss->after = after;
        snprintf(loss->before, sizeof loss->before, "%s", before);
    }
    loss->count++;
}

float io_element_take(enum io_element element, uint64_t bits, size_t index,
                      struct io_loss losses[IO_N_LOSSES])
{
    const struct io_element_info *const info = &io_elements[element];
    enum io_loss_kind loss = IO_LOSS_NONE;
    const float value = info->convert(bits, &loss);
    if (loss != IO_LOSS_NONE) {
        char before[32];
        info->print(bits, before, sizeof before);
        io_loss_add(losses, loss, index, value, before);
    }
    return value;
}
