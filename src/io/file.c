#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** What to do about it, in parentheses; "" where that is plain. */
static const char *advice(int why, bool write)
{
    static const struct {
        int why;
        const char *read, *write;
    } rows[] = {{ENOENT, " (check its name, and the folder)", " (make its folder first)"},
                {ENOTDIR, " (check its name, and the folder)", " (check its folder's name)"},
                {EACCES, " (you may not read it)", " (choose a folder in which you may write)"},
                {EROFS, "", " (choose a folder in which you may write)"},
                {ENOSPC, "", " (make room on the disk)"},
                {ENAMETOOLONG, " (check its name)", " (choose a shorter name)"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].why == why) {
            return write ? rows[i].write : rows[i].read;
        }
    }
    return "";
}

/* ---- reading ---- */

enum { FIRST_BYTES = 65536, LINKS_MAX = 40 };

static enum attn_status no_memory(const char *path, size_t bytes, struct attn_error *err)
{
    return attn_fail(err, ATTN_E_NOMEM, path, "no memory for %zu bytes (load a smaller file)",
                     bytes);
}

/** Twice the room, and never more than a byte beyond limit. */
static bool grow(unsigned char **buffer, size_t *room, size_t limit)
{
    *room = *room > limit / 2 ? limit + 1 : *room * 2;
    unsigned char *const larger = realloc(*buffer, *room);
    *buffer = larger != NULL ? larger : *buffer;
    return larger != NULL;
}

/** Read to the end; a byte more than limit is looked for, so that the end is certain. */
static enum attn_status read_all(int fd, const char *path, size_t limit, size_t expected,
                                 unsigned char **bytes, size_t *size, struct attn_error *err)
{
    size_t room = expected < limit ? expected + 1 : limit + 1;
    size_t used = 0;
    unsigned char *buffer = malloc(room);
    if (buffer == NULL) {
        return no_memory(path, room, err);
    }
    for (;;) {
        const ssize_t got = read(fd, buffer + used, room - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            const int why = errno;
            free(buffer);
            return attn_fail(err, ATTN_E_IO, path, "it cannot be read: %s", strerror(why));
        }
        if (got == 0) {
            break;
        }
        used += (size_t)got;
        if (used > limit) {
            free(buffer);
            return attn_fail(err, ATTN_E_LIMIT, path,
                             "it has more than %zu bytes (save only what is needed)", limit);
        }
        if (used == room && !grow(&buffer, &room, limit)) {
            free(buffer);
            return no_memory(path, room, err);
        }
    }
    *bytes = buffer;
    *size = used;
    return ATTN_OK;
}

/** Open for reading, and say no to what is no file. @param expected  Out: the size, if known. */
static enum attn_status open_to_read(const char *path, size_t limit, int *fd, size_t *expected,
                                     struct attn_error *err)
{
    /* A pipe that nobody writes to is at its end, instead of being waited for. */
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (*fd < 0) {
        return attn_fail(err, ATTN_E_IO, path, "it cannot be opened: %s%s", strerror(errno),
                         advice(errno, false));
    }
    (void)fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) & ~O_NONBLOCK);
    struct stat st;
    *expected = FIRST_BYTES;
    enum attn_status status = ATTN_OK;
    if (fstat(*fd, &st) != 0) {
        status = attn_fail(err, ATTN_E_IO, path, "it cannot be read: %s", strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        status = attn_fail(err, ATTN_E_IO, path, "it is a directory (name a file in it)");
    } else if (S_ISBLK(st.st_mode) || (S_ISCHR(st.st_mode) && isatty(*fd) != 1)) {
        status = attn_fail(err, ATTN_E_IO, path, "it is a device (name a file)");
    } else if (S_ISREG(st.st_mode) && st.st_size > 0) {
        if ((uintmax_t)st.st_size > limit) {
            status = attn_fail(err, ATTN_E_LIMIT, path,
                               "it has %ju bytes, more than %zu (save only what is needed)",
                               (uintmax_t)st.st_size, limit);
        }
        *expected = (size_t)st.st_size;
    }
    if (status != ATTN_OK) {
        close(*fd);
    }
    return status;
}

enum attn_status io_slurp(const char *path, size_t limit, unsigned char **bytes, size_t *size,
                          struct attn_error *err)
{
    if (limit > SIZE_MAX / 2) {
        limit = SIZE_MAX / 2;
    }
    if (strcmp(path, "-") == 0) {
        return read_all(STDIN_FILENO, "standard input", limit, FIRST_BYTES, bytes, size, err);
    }
    int fd = -1;
    size_t expected = 0;
    enum attn_status status = open_to_read(path, limit, &fd, &expected, err);
    if (status != ATTN_OK) {
        return status;
    }
    status = read_all(fd, path, limit, expected, bytes, size, err);
    close(fd);
    return status;
}

/* ---- writing ---- */

/** A file that is written beside the one that it will replace. */
struct draft {
    char *target; /**< With links followed, so that a link keeps pointing. */
    char *path;   /**< The draft itself; NULL: the target is no plain file and is written as is. */
    FILE *f;
};

static char *join(const char *a, size_t a_length, const char *b)
{
    const size_t b_length = strlen(b);
    char *const text = malloc(a_length + b_length + 1);
    if (text != NULL) {
        memcpy(text, a, a_length);
        memcpy(text + a_length, b, b_length + 1);
    }
    return text;
}

static enum attn_status cannot_write(const char *path, int why, struct attn_error *err)
{
    return attn_fail(err, ATTN_E_IO, path, "it cannot be written: %s%s", strerror(why),
                     advice(why, true));
}

/** A new file in the target's directory, under a name that nobody has. @return -1 and errno. */
static int open_draft(struct draft *draft, mode_t mode)
{
    const char *const slash = strrchr(draft->target, '/');
    const size_t directory = slash == NULL ? 0 : (size_t)(slash - draft->target) + 1;
    for (int i = 0; i < 100; i++) {
        char name[64];
        snprintf(name, sizeof name, ".attn-%ld-%d.tmp", (long)getpid(), i);
        draft->path = join(draft->target, directory, name);
        if (draft->path == NULL) {
            errno = ENOMEM;
            return -1;
        }
        const int fd = open(draft->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0) {
            return fd;
        }
        const int why = errno;
        free(draft->path);
        draft->path = NULL;
        errno = why;
        if (why != EEXIST) {
            return -1;
        }
    }
    return -1;
}

/** What a link says, as a path from where the link is; NULL if this is no link, or no memory. */
static char *read_link(const char *path)
{
    char to[PATH_MAX];
    const ssize_t n = readlink(path, to, sizeof to - 1);
    if (n < 0) {
        return NULL;
    }
    to[n] = '\0';
    const char *const slash = to[0] == '/' ? NULL : strrchr(path, '/');
    return join(path, slash == NULL ? 0 : (size_t)(slash - path) + 1, to);
}

/** Follow the links of a path, also where the last one points to nothing that is there yet. */
static char *follow(const char *path)
{
    char *at = join(path, strlen(path), "");
    for (int links = 0; at != NULL && links < LINKS_MAX; links++) {
        char *const real = realpath(at, NULL);
        if (real != NULL || errno != ENOENT) {
            free(at);
            return real;
        }
        char *const next = read_link(at);
        if (next == NULL) {
            return at;
        }
        free(at);
        at = next;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

static enum attn_status draft_begin(struct draft *draft, const char *path, struct attn_error *err)
{
    *draft = (struct draft){.target = follow(path)};
    if (draft->target == NULL) {
        return cannot_write(path, errno, err);
    }
    struct stat st;
    const bool exists = stat(draft->target, &st) == 0;
    if (exists && S_ISDIR(st.st_mode)) {
        return attn_fail(err, ATTN_E_IO, path, "it is a directory (name a file)");
    }
    const bool plain = !exists || S_ISREG(st.st_mode);
    if (exists && plain && access(draft->target, W_OK) != 0) {
        return cannot_write(path, errno, err); /* A rename would not ask. */
    }
    const mode_t fresh = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
    const int fd =
        plain ? open_draft(draft, fresh) : open(draft->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return cannot_write(path, errno, err);
    }
    if (exists && plain) {
        (void)fchmod(fd, st.st_mode & 07777); /* As it was, where the system allows. */
    }
    draft->f = fdopen(fd, "wb");
    if (draft->f == NULL) {
        const int why = errno;
        close(fd);
        return cannot_write(path, why, err);
    }
    return ATTN_OK;
}

/** Best effort: some file systems cannot, and the file itself is safe by now. */
static void sync_directory(const char *path)
{
    const char *const slash = strrchr(path, '/');
    char *const directory =
        slash == NULL ? join(".", 1, "") : join(path, (size_t)(slash - path) + 1, "");
    const int fd = directory == NULL ? -1 : open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(directory);
}

/** Everything to the disk and into place. */
static enum attn_status draft_end(struct draft *draft, const char *path, struct attn_error *err)
{
    errno = 0;
    bool good = fflush(draft->f) == 0 && ferror(draft->f) == 0;
    if (good && draft->path != NULL) {
        good = fsync(fileno(draft->f)) == 0;
    }
    const int why_written = errno != 0 ? errno : EIO;
    FILE *const f = draft->f;
    draft->f = NULL;
    if (fclose(f) != 0 && good) {
        return cannot_write(path, errno, err);
    }
    if (!good) {
        return cannot_write(path, why_written, err);
    }
    if (draft->path != NULL) {
        if (rename(draft->path, draft->target) != 0) {
            return cannot_write(path, errno, err);
        }
        free(draft->path);
        draft->path = NULL; /* It is the target now. */
        sync_directory(draft->target);
    }
    return ATTN_OK;
}

static void draft_finish(struct draft *draft)
{
    if (draft->f != NULL) {
        fclose(draft->f);
    }
    if (draft->path != NULL) {
        unlink(draft->path);
    }
    free(draft->path);
    free(draft->target);
}

enum attn_status io_save(const char *path,
                         enum attn_status (*write)(FILE *f, const void *context,
                                                   struct attn_error *err),
                         const void *context, struct attn_error *err)
{
    struct draft draft;
    enum attn_status status = draft_begin(&draft, path, err);
    if (status == ATTN_OK) {
        errno = 0;
        status = write(draft.f, context, err);
        const int why = errno != 0 ? errno : EIO;
        if (status == ATTN_OK && ferror(draft.f)) {
            status = cannot_write(path, why, err);
        }
        if (status != ATTN_OK && err != NULL && err->what[0] == '\0') {
            attn_fail(err, status, path, "%s", err->message);
        }
    }
    if (status == ATTN_OK) {
        status = draft_end(&draft, path, err);
    }
    draft_finish(&draft);
    return status;
}
