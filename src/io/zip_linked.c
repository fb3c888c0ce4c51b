/* libzip as the linker gives it: nothing has to be done. */
#include "zip_ready.h"

enum attn_status io_zip_ready(struct attn_error *err)
{
    (void)err;
    return ATTN_OK;
}
