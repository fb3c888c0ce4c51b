/** A directory of its own for a test that writes files. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stddef.h>

/** Make one; removed with all that is in it when the (forked) test ends. */
void scratch_begin(void);

/** DIRECTORY/name, in one of a few buffers that go round. */
const char *scratch_path(const char *name);

/** Write, and read, a whole file of it. @return the bytes (owned by the caller), 0-terminated. */
void scratch_put(const char *name, const void *bytes, size_t size);
unsigned char *scratch_get(const char *name, size_t *size);

/** How many files are in it. */
int scratch_count(void);

/** For a fixture. */
void scratch_end(void);

#endif
