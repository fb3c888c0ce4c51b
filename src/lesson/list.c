/* The lessons that the places hold, and the one that a word means. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lesson_parts.h"

const char lesson_builtin_stem[] = "01-the-picture";

enum { ENTRIES_MAX = 1000 };

/** "03-scores" is number 3, "scores"; "scores" has no number. */
static void name_entry(struct lesson_entry *e, const char *stem)
{
    snprintf(e->stem, sizeof e->stem, "%s", stem);
    const size_t digits = strspn(stem, "0123456789");
    const bool numbered = digits > 0 && digits <= 4 && stem[digits] == '-';
    e->number = numbered ? (int)strtol(stem, NULL, 10) : 0;
    snprintf(e->name, sizeof e->name, "%s", numbered ? stem + digits + 1 : stem);
}

/** What the front matter tells. */
static void describe(struct lesson_entry *e, const struct lesson *lesson, enum attn_status status)
{
    snprintf(e->title, sizeof e->title, "%s", lesson->title);
    snprintf(e->summary, sizeof e->summary, "%s", lesson->summary != NULL ? lesson->summary : "");
    e->minutes = lesson->minutes;
    e->variant = lesson->variant;
    e->broken = status != ATTN_OK;
}

static bool is_listed(const struct lesson_entry *entries, int n, const char *stem)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(entries[i].stem, stem) == 0) {
            return true;
        }
    }
    return false;
}

/** Make room for one more. @return it, zeroed, or NULL. */
static struct lesson_entry *add_entry(struct lesson_entry **entries, int *n)
{
    struct lesson_entry *const grown = realloc(*entries, ((size_t)*n + 1) * sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    *entries = grown;
    grown[*n] = (struct lesson_entry){.path = NULL};
    return &grown[*n];
}

static enum attn_status add_file(struct lesson_entry **entries, int *n, const char *dir,
                                 const char *stem)
{
    struct lesson lesson;
    struct lesson_errors errors;
    char path[LESSON_PATH_MAX + 256];
    snprintf(path, sizeof path, "%s/%s.md", dir, stem);
    const enum attn_status status = lesson_read(&lesson, path, &errors, NULL);
    if (status == ATTN_E_IO) {
        return ATTN_OK; /* a directory, or not ours to read */
    }
    struct lesson_entry *const e = status == ATTN_E_NOMEM ? NULL : add_entry(entries, n);
    char *const copy = malloc(strlen(path) + 1);
    if (e == NULL || copy == NULL) {
        free(copy);
        lesson_finish(&lesson);
        return ATTN_E_NOMEM;
    }
    memcpy(copy, path, strlen(path) + 1);
    e->path = copy;
    name_entry(e, stem);
    describe(e, &lesson, status);
    (*n)++;
    lesson_finish(&lesson);
    return ATTN_OK;
}

/** Every NAME.md of a directory but README.md; one that cannot be read has none. */
static enum attn_status add_directory(struct lesson_entry **entries, int *n, const char *dir)
{
    DIR *const d = opendir(dir);
    enum attn_status status = ATTN_OK;
    if (d == NULL) {
        return ATTN_OK;
    }
    for (const struct dirent *file = readdir(d); file != NULL && status == ATTN_OK;
         file = readdir(d)) {
        char stem[128];
        const size_t length = strlen(file->d_name);
        if (length < 4 || length - 3 >= sizeof stem || file->d_name[0] == '.' ||
            strcmp(file->d_name + length - 3, ".md") != 0 || *n >= ENTRIES_MAX) {
            continue;
        }
        snprintf(stem, sizeof stem, "%.*s", (int)(length - 3), file->d_name);
        if (strcasecmp(stem, "README") != 0 && !is_listed(*entries, *n, stem)) {
            status = add_file(entries, n, dir, stem);
        }
    }
    closedir(d);
    return status;
}

static enum attn_status add_builtin(struct lesson_entry **entries, int *n)
{
    struct lesson lesson;
    struct lesson_errors errors;
    struct lesson_entry *const e = add_entry(entries, n);
    char *const path = calloc(1, 1);
    const enum attn_status status =
        lesson_parse(&lesson, NULL, (const char *)lesson_builtin, lesson_builtin_size, &errors);
    if (e == NULL || path == NULL || status == ATTN_E_NOMEM) {
        free(path);
        lesson_finish(&lesson);
        return ATTN_E_NOMEM;
    }
    e->path = path;
    name_entry(e, lesson_builtin_stem);
    describe(e, &lesson, status);
    (*n)++;
    lesson_finish(&lesson);
    return ATTN_OK;
}

/** Numbered ones first, by number, then by name. */
static int by_number(const void *a, const void *b)
{
    const struct lesson_entry *const x = a;
    const struct lesson_entry *const y = b;
    if (x->number != y->number) {
        return x->number == 0 ? 1 : y->number == 0 ? -1 : x->number < y->number ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

enum attn_status lesson_list(const struct lesson_places *places, struct lesson_entry **entries,
                             int *n)
{
    struct lesson_entry *found = NULL;
    int count = 0;
    enum attn_status status = ATTN_OK;
    for (int i = 0; i < places->n && status == ATTN_OK; i++) {
        status = add_directory(&found, &count, places->dirs[i]);
    }
    if (status == ATTN_OK && !is_listed(found, count, lesson_builtin_stem)) {
        status = add_builtin(&found, &count);
    }
    if (status != ATTN_OK) {
        lesson_list_free(found, count);
        return status;
    }
    qsort(found, (size_t)count, sizeof *found, by_number);
    *entries = found;
    *n = count;
    return ATTN_OK;
}

void lesson_list_free(struct lesson_entry *entries, int n)
{
    for (int i = 0; i < n; i++) {
        free(entries[i].path);
    }
    free(entries);
}

static bool is_path(const char *word)
{
    const size_t length = strlen(word);
    return strchr(word, '/') != NULL || (length > 3 && strcmp(word + length - 3, ".md") == 0);
}

static bool means(const struct lesson_entry *e, const char *word)
{
    long long number = 0;
    if (config_parse_int(word, 1, 9999, &number)) {
        return e->number == (int)number;
    }
    return strcasecmp(e->name, word) == 0 || strcasecmp(e->stem, word) == 0;
}

/** There is none: the nearest name, or what there is and where it was looked for. */
static enum attn_status fail_word(const struct lesson_places *places,
                                  const struct lesson_entry *entries, int n, const char *word,
                                  struct attn_error *err)
{
    const char *names[ENTRIES_MAX + 1];
    char tried[ATTN_MESSAGE_MAX / 2] = "";
    for (int i = 0; i < n; i++) {
        names[i] = entries[i].name;
    }
    for (int i = 0; i < places->n; i++) {
        const size_t used = strlen(tried);
        snprintf(tried + used, sizeof tried - used, "%s%s", i > 0 ? ", " : "", places->dirs[i]);
    }
    if (attn_variant_find(word) >= 0) {
        return attn_fail(err, ATTN_E_VALUE, word,
                         "a variant, not a lesson (attn lesson list shows those there are)");
    }
    const char *const near = config_nearest(word, names, n);
    return attn_fail(err, ATTN_E_VALUE, word,
                     "no such lesson (%s%s%sattn lesson list shows them; looked in %s)",
                     near != NULL ? "did you mean " : "", near != NULL ? near : "",
                     near != NULL ? "? " : "", tried);
}

static enum attn_status open_entry(struct lesson *lesson, const struct lesson_entry *e,
                                   struct lesson_errors *errors, struct attn_error *err)
{
    return e->path[0] != '\0' ? lesson_read(lesson, e->path, errors, err)
                              : lesson_parse(lesson, NULL, (const char *)lesson_builtin,
                                             lesson_builtin_size, errors);
}

enum attn_status lesson_open(struct lesson *lesson, const struct lesson_places *places,
                             const char *word, struct lesson_errors *errors, struct attn_error *err)
{
    if (is_path(word)) {
        return lesson_read(lesson, word, errors, err);
    }
    struct lesson_entry *entries = NULL;
    int n = 0;
    enum attn_status status = lesson_list(places, &entries, &n);
    if (status != ATTN_OK) {
        return attn_fail(err, ATTN_E_IO, word, "out of memory");
    }
    int found = -1;
    for (int i = 0; i < n && found < 0; i++) {
        found = means(&entries[i], word) ? i : -1;
    }
    status = found >= 0 ? open_entry(lesson, &entries[found], errors, err)
                        : fail_word(places, entries, n, word, err);
    lesson_list_free(entries, n);
    return status;
}
