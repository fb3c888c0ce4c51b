/**
 * Private to io: libzip when it is needed. It brings libcrypto along, and loading that takes longer
 * than everything else until a first picture; a walk that reads and writes no .npz goes without.
 */
#ifndef IO_ZIP_READY_H
#define IO_ZIP_READY_H

#include "attn/status.h"

/**
 * Before the first call of libzip, each time.
 * @return ATTN_OK, or ATTN_E_UNSUPPORTED with what the dynamic linker says.
 */
enum attn_status io_zip_ready(struct attn_error *err);

#endif
