#include "fuzz_io.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fuzz_io("fuzz.safetensors", "safetensors", bytes, size);
}
