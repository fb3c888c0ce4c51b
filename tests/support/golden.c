#include "golden.h"

#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_LENGTH = 4096 };

static void make_folders_of(const char *path)
{
    char folder[PATH_LENGTH];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        ck_assert_msg(mkdir(folder, 0777) == 0 || errno == EEXIST, "%s: %s", folder,
                      strerror(errno));
        *slash = '/';
    }
}

static void write_golden(const char *path, const char *text)
{
    make_folders_of(path);
    FILE *const file = fopen(path, "wb");
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    const size_t length = strlen(text);
    const size_t written = fwrite(text, 1, length, file);
    ck_assert_msg(fclose(file) == 0 && written == length, "%s: not written", path);
}

/** The whole file, terminated; the caller frees it. */
static char *read_golden(const char *path)
{
    FILE *const file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s: %s (./dev golden writes it)", path, strerror(errno));
    char *text = NULL;
    size_t length = 0;
    char block[4096];
    size_t n = 0;
    do {
        n = fread(block, 1, sizeof block, file);
        char *const longer = realloc(text, length + n + 1);
        ck_assert_ptr_nonnull(longer);
        text = longer;
        memcpy(text + length, block, n);
        length += n;
    } while (n > 0);
    text[length] = '\0';
    fclose(file);
    return text;
}

/** Where the line that holds the first difference begins, and its number. */
static size_t first_difference(const char *a, const char *b, int *line)
{
    size_t start = 0;
    *line = 1;
    for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++) {
        if (a[i] == '\n') {
            start = i + 1;
            *line += 1;
        }
    }
    return start;
}

void golden_check(const char *name, const char *text)
{
    const char *const source = getenv("ATTN_SOURCE");
    ck_assert_msg(source != NULL, "ATTN_SOURCE is not set; start the tests with ./dev test");
    char path[PATH_LENGTH];
    const int length = snprintf(path, sizeof path, "%s/tests/golden/%s", source, name);
    ck_assert(length > 0 && (size_t)length < sizeof path);
    const char *const mode = getenv("ATTN_GOLDEN");
    if (mode != NULL && strcmp(mode, "write") == 0) {
        write_golden(path, text);
        return;
    }
    char *const golden = read_golden(path);
    int line = 0;
    const size_t at = first_difference(golden, text, &line);
    ck_assert_msg(
        strcmp(golden, text) == 0,
        "tests/golden/%s, line %d (./dev golden, if the new one is right)\n was: %.*s\n is:  %.*s",
        name, line, (int)strcspn(golden + at, "\n"), golden + at, (int)strcspn(text + at, "\n"),
        text + at);
    free(golden);
}
