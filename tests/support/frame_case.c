#include "frame_case.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *frame_case_text(const struct frame *f)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const out = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(out);
    frame_write_text(f, out);
    fclose(out);
    return text;
}

bool frame_case_shows(const struct frame *f, const char *text)
{
    char *const all = frame_case_text(f);
    const bool found = strstr(all, text) != NULL;
    free(all);
    return found;
}
