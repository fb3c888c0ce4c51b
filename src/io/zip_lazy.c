/*
 * libzip loaded when it is first used. Each function of it that this folder calls is defined here
 * once more, under its own name and held to zip.h by the compiler, and passes the call on.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <zip.h>

#include "zip_ready.h"

/* clang-format off */
/* X(return or nothing, what it returns, name, parameters, arguments) */
#define CALLS(X) \
    X(return, int, zip_close, (zip_t *a), (a)) \
    X(, void, zip_discard, (zip_t *a), (a)) \
    X(return, int, zip_error_code_zip, (const zip_error_t *a), (a)) \
    X(, void, zip_error_fini, (zip_error_t *a), (a)) \
    X(, void, zip_error_init, (zip_error_t *a), (a)) \
    X(, void, zip_error_set, (zip_error_t *a, int b, int c), (a, b, c)) \
    X(return, const char *, zip_error_strerror, (zip_error_t *a), (a)) \
    X(return, zip_int64_t, zip_error_to_data, (const zip_error_t *a, void *b, zip_uint64_t c), (a, b, c)) \
    X(return, int, zip_fclose, (zip_file_t *a), (a)) \
    X(return, zip_int64_t, zip_file_add, (zip_t *a, const char *b, zip_source_t *c, zip_flags_t d), (a, b, c, d)) \
    X(return, zip_error_t *, zip_file_get_error, (zip_file_t *a), (a)) \
    X(return, int, zip_file_set_dostime, (zip_t *a, zip_uint64_t b, zip_uint16_t c, zip_uint16_t d, zip_flags_t e), (a, b, c, d, e)) \
    X(return, zip_file_t *, zip_fopen_index, (zip_t *a, zip_uint64_t b, zip_flags_t c), (a, b, c)) \
    X(return, zip_int64_t, zip_fread, (zip_file_t *a, void *b, zip_uint64_t c), (a, b, c)) \
    X(return, zip_int64_t, zip_get_num_entries, (zip_t *a, zip_flags_t b), (a, b)) \
    X(return, zip_t *, zip_open_from_source, (zip_source_t *a, int b, zip_error_t *c), (a, b, c)) \
    X(return, int, zip_set_file_compression, (zip_t *a, zip_uint64_t b, zip_int32_t c, zip_uint32_t d), (a, b, c, d)) \
    X(return, zip_source_t *, zip_source_buffer_create, (const void *a, zip_uint64_t b, int c, zip_error_t *d), (a, b, c, d)) \
    X(return, int, zip_source_close, (zip_source_t *a), (a)) \
    X(return, zip_error_t *, zip_source_error, (zip_source_t *a), (a)) \
    X(, void, zip_source_free, (zip_source_t *a), (a)) \
    X(return, zip_source_t *, zip_source_function, (zip_t *a, zip_source_callback b, void *c), (a, b, c)) \
    X(, void, zip_source_keep, (zip_source_t *a), (a)) \
    X(return, int, zip_source_open, (zip_source_t *a), (a)) \
    X(return, zip_int64_t, zip_source_read, (zip_source_t *a, void *b, zip_uint64_t c), (a, b, c)) \
    X(return, int, zip_stat_index, (zip_t *a, zip_uint64_t b, zip_flags_t c, zip_stat_t *d), (a, b, c, d)) \
    X(, void, zip_stat_init, (zip_stat_t *a), (a)) \
    X(return, const char *, zip_strerror, (zip_t *a), (a))

#define NUMBER(returns, type, name, parameters, arguments) CALL_##name,
#define NAME(returns, type, name, parameters, arguments) #name,
/* clang-format on */

enum { CALLS(NUMBER) N_CALLS };

static const char *const names[N_CALLS] = {CALLS(NAME)};
static void *addresses[N_CALLS];

/** @return false, with dlerror to be asked, unless all of them were found. */
static bool load(void)
{
    void *const library = dlopen(ATTN_LIBZIP, RTLD_LAZY | RTLD_LOCAL);
    bool found = library != NULL;
    for (int i = 0; found && i < N_CALLS; i++) {
        addresses[i] = dlsym(library, names[i]);
        found = addresses[i] != NULL;
    }
    return found;
}

const char *io_zip_missing(void)
{
    if (addresses[N_CALLS - 1] != NULL || load()) {
        return NULL;
    }
    const char *const why = dlerror();
    return why != NULL ? why : ATTN_LIBZIP;
}

/** Of a function; loaded where nobody has asked for that first, as a test of its own may not.
 */
static void *address(int call)
{
    return addresses[call] != NULL || load() ? addresses[call] : NULL;
}

/** A pointer to a function is no pointer to data: its bytes are copied. */
#define PASS_ON(returns, type, name, parameters, arguments)                                        \
    type name parameters                                                                           \
    {                                                                                              \
        void *const found = address(CALL_##name);                                                  \
        type(*call) parameters;                                                                    \
        _Static_assert(sizeof call == sizeof found, "the bytes");                                  \
        memcpy(&call, &found, sizeof call);                                                        \
        returns call arguments;                                                                    \
    }

CALLS(PASS_ON)
