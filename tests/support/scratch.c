#include "scratch.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[256];

void scratch_begin(void)
{
    const char *const base = getenv("TMPDIR");
    int made = -1;
    for (int i = 0; i < 100 && made != 0; i++) {
        snprintf(directory, sizeof directory, "%s/attn-test-%ld-%d", base != NULL ? base : "/tmp",
                 (long)getpid(), i);
        made = mkdir(directory, S_IRWXU);
    }
    ck_assert_int_eq(made, 0);
}

const char *scratch_path(const char *name)
{
    static char paths[4][512];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", directory, name);
    return paths[turn];
}

void scratch_put(const char *name, const void *bytes, size_t size)
{
    FILE *const f = fopen(scratch_path(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(bytes, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

unsigned char *scratch_get(const char *name, size_t *size)
{
    FILE *const f = fopen(scratch_path(name), "rb");
    ck_assert_msg(f != NULL, "there is no file %s", name);
    ck_assert_int_eq(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    unsigned char *const bytes = malloc(*size + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *size, f), *size);
    bytes[*size] = '\0';
    fclose(f);
    return bytes;
}

/** Call visit, if given, on each file's path. @return how many there are. */
static int each_file(int (*visit)(const char *path))
{
    DIR *const d = opendir(directory);
    ck_assert_ptr_nonnull(d);
    int n = 0;
    for (struct dirent *item = readdir(d); item != NULL; item = readdir(d)) {
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0) {
            n++;
            if (visit != NULL) {
                visit(scratch_path(item->d_name));
            }
        }
    }
    closedir(d);
    return n;
}

int scratch_count(void)
{
    return each_file(NULL);
}

void scratch_end(void)
{
    each_file(remove);
    rmdir(directory);
}
