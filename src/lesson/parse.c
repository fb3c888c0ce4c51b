#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lesson_parts.h"

static void read_all(struct lesson_reader *r, const char *bytes, size_t size)
{
    struct lesson *const l = r->lesson;
    l->title = "";
    l->summary = "";
    l->front = (struct lesson_step){.block = -1, .line = 1, .column = 1, .question = -1};
    if (!lesson_source(r, bytes, size)) {
        return;
    }
    const int lines = lesson_front(r);
    if (lines > 0 || l->n_lines == 0 || r->errors->n == 0) {
        lesson_body(r, lines);
    }
    if (!r->nomem) {
        lesson_stops(r);
    }
}

enum attn_status lesson_parse(struct lesson *lesson, const char *path, const char *bytes,
                              size_t size, struct lesson_errors *errors)
{
    *lesson = (struct lesson){.variant = ATTN_V3};
    *errors = (struct lesson_errors){.n = 0};
    struct lesson_reader r = {.lesson = lesson, .errors = errors};
    if (path != NULL) {
        lesson->path = lesson_copy(lesson, path, strlen(path));
        r.nomem = lesson->path == NULL;
    }
    lesson_config_init(lesson, &r.config);
    if (!r.nomem) {
        read_all(&r, bytes, size);
    }
    config_finish(&r.config);
    lesson_errors_sort(errors);
    return r.nomem ? ATTN_E_NOMEM : errors->n > 0 ? ATTN_E_FORMAT : ATTN_OK;
}

/** A pipe that nobody writes to is at its end, instead of being waited for. */
static FILE *open_file(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    FILE *const f = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (fd >= 0 && f == NULL) {
        close(fd);
    }
    if (f != NULL) {
        (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    }
    return f;
}

/** Read at most one byte more than a lesson may have. */
static enum attn_status slurp(const char *path, char **bytes, size_t *size, struct attn_error *err)
{
    enum attn_status status = ATTN_OK;
    char *const room = malloc(LESSON_BYTES_MAX + 1);
    errno = 0;
    FILE *const f = open_file(path);
    if (room == NULL) {
        status = attn_fail(err, ATTN_E_NOMEM, path, "out of memory");
    } else if (f == NULL) {
        status = attn_fail(err, ATTN_E_IO, path, "it cannot be opened: %s%s", strerror(errno),
                           errno == ENOENT ? " (attn lesson list shows those there are)" : "");
    } else {
        *size = fread(room, 1, LESSON_BYTES_MAX + 1, f);
        if (ferror(f)) {
            status =
                errno == EISDIR
                    ? attn_fail(err, ATTN_E_IO, path, "it is a directory (name a file in it)")
                    : attn_fail(err, ATTN_E_IO, path, "it cannot be read: %s", strerror(errno));
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    if (status != ATTN_OK) {
        free(room);
        return status;
    }
    *bytes = room;
    return ATTN_OK;
}

enum attn_status lesson_read(struct lesson *lesson, const char *path, struct lesson_errors *errors,
                             struct attn_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    const enum attn_status read = slurp(path, &bytes, &size, err);
    if (read != ATTN_OK) {
        return read;
    }
    const enum attn_status status = lesson_parse(lesson, path, bytes, size, errors);
    free(bytes);
    return status;
}
