/**
 * Private to io: libzip when it is needed. It brings libcrypto along, and loading that takes longer
 * than everything else until a first picture; a walk that reads and writes no .npz goes without.
 */
#ifndef IO_ZIP_READY_H
#define IO_ZIP_READY_H

/**
 * Before the first call of libzip, each time.
 * @return NULL, or what the dynamic linker says of a libzip that cannot be loaded.
 */
const char *io_zip_missing(void);

#define IO_ZIP_MISSING                                                                             \
    "a .npz needs libzip, which cannot be loaded: %s (install it, or use "                         \
    ".safetensors)"

#endif
