/** Runs a fuzz target over the files of folders: its corpus, as a test. libFuzzer has its own
 * main. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** True if the target came back from this file; false if it could not be read. */
static int replay(const char *path)
{
    FILE *const file = fopen(path, "rb");
    struct stat about;
    if (file == NULL || fstat(fileno(file), &about) != 0) {
        perror(path);
        if (file != NULL) {
            fclose(file);
        }
        return 0;
    }
    const size_t size = (size_t)about.st_size;
    // Exactly as large as the file, so that a read past its end is one past the block's.
    uint8_t *const data = malloc(size > 0 ? size : 1);
    const int whole = data != NULL && fread(data, 1, size, file) == size;
    if (whole) {
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    fclose(file);
    return whole;
}

static int is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/** Replay each file of a folder. @return how many; those that could not be read go to unread. */
static int replay_folder(const char *name, int *unread)
{
    DIR *const folder = opendir(name);
    if (folder == NULL) {
        perror(name);
        *unread += 1;
        return 0;
    }
    int replayed = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[4096];
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
            if (is_folder(path)) {
                continue;
            }
            // Printed first: where the target crashes, this is the file that did it.
            puts(entry->d_name);
            fflush(stdout);
            const int whole = replay(path);
            replayed += whole;
            *unread += !whole;
        }
    }
    closedir(folder);
    return replayed;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: REPLAY CORPUS-FOLDER…\n", stderr);
        return EXIT_FAILURE;
    }
    int replayed = 0;
    int unread = 0;
    for (int i = 1; i < argc; i++) {
        replayed += replay_folder(argv[i], &unread);
    }
    // In Check's words, so that ./dev counts each file as a test.
    printf("Checks: %d, Failures: %d, Errors: 0\n", replayed + unread, unread);
    return replayed > 0 && unread == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
