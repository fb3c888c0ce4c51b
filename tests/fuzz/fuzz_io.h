/** What holds for a reader of src/io whatever bytes it is given. */
#ifndef FUZZ_IO_H
#define FUZZ_IO_H

#include <stddef.h>
#include <stdint.h>

/**
 * Read bytes as a file of this name. Aborts unless a refusal has words and leaves nothing behind,
 * what is read is whole, and what is read and written again (format: "npz") comes back the same.
 */
int fuzz_io(const char *name, const char *format, const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
