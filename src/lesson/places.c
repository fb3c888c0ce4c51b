/* Where lessons are looked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lesson_parts.h"

/** Add a directory: prefix, and suffix behind it. One that is listed already is left out. */
static bool add(struct lesson_places *places, const char *prefix, size_t length, const char *suffix)
{
    const size_t size = length + strlen(suffix) + 1;
    while (length > 1 && prefix[length - 1] == '/') {
        length--;
    }
    if (length == 0 || size > LESSON_PATH_MAX || places->n == LESSON_PLACES_MAX) {
        return true;
    }
    char *const dir = malloc(size);
    if (dir == NULL) {
        return false;
    }
    snprintf(dir, size, "%.*s%s", (int)length, prefix, suffix);
    for (int i = 0; i < places->n; i++) {
        if (strcmp(places->dirs[i], dir) == 0) {
            free(dir);
            return true;
        }
    }
    places->dirs[places->n++] = dir;
    return true;
}

/** Every directory of a list that is separated by ':'. */
static bool add_all(struct lesson_places *places, const char *list, const char *suffix)
{
    for (const char *at = list; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, ":");
        if (!add(places, at, length, suffix)) {
            return false;
        }
        at += length + (at[length] == ':' ? 1 : 0);
    }
    return true;
}

/** The directory above the executable's own, where the system tells it. */
static bool add_executable(struct lesson_places *places)
{
    static const char *const links[] = {"/proc/self/exe", "/proc/curproc/file",
                                        "/proc/curproc/exe"};
    char path[LESSON_PATH_MAX];
    ssize_t length = -1;
    for (size_t i = 0; length <= 0 && i < sizeof links / sizeof links[0]; i++) {
        length = readlink(links[i], path, sizeof path - 1);
    }
    if (length <= 0) {
        return true;
    }
    path[length] = '\0';
    for (int up = 0; up < 2; up++) { /* the file's name, and bin */
        char *const slash = strrchr(path, '/');
        if (slash == NULL) {
            return true;
        }
        *slash = '\0';
    }
    return add(places, path, strlen(path), "/share/attn/lessons");
}

static bool set(const char *text)
{
    return text != NULL && text[0] != '\0';
}

enum attn_status lesson_places_init(struct lesson_places *places, const char *given)
{
    static const char suffix[] = "/attn/lessons";
    *places = (struct lesson_places){.n = 0};
    const char *const own = getenv("ATTN_LESSONS");
    const char *const home = getenv("HOME");
    const char *const data_home = getenv("XDG_DATA_HOME");
    const char *const data_dirs = getenv("XDG_DATA_DIRS");
    bool good = !set(given) || add(places, given, strlen(given), "");
    good = good && (!set(own) || add(places, own, strlen(own), ""));
    if (set(data_home)) {
        good = good && add(places, data_home, strlen(data_home), suffix);
    } else if (set(home)) {
        good = good && add(places, home, strlen(home), "/.local/share/attn/lessons");
    }
    good =
        good && add_all(places, set(data_dirs) ? data_dirs : "/usr/local/share:/usr/share", suffix);
    good = good && add_executable(places);
    good = good && add(places, ATTN_DATADIR, strlen(ATTN_DATADIR), "/lessons");
    if (!good) {
        lesson_places_finish(places);
        return ATTN_E_NOMEM;
    }
    return ATTN_OK;
}

void lesson_places_finish(struct lesson_places *places)
{
    for (int i = 0; i < places->n; i++) {
        free(places->dirs[i]);
    }
    *places = (struct lesson_places){.n = 0};
}
