/*
 * The walk that was left last, as a file of lines: $XDG_STATE_HOME/attn/last.
 *
 *   attn-last 1
 *   variant v3
 *   option --mask causal
 *   edit x 0 1 2 0.5
 *   step cell 37
 *   words v3 at score, cell 38 of 92, seed 42
 *   end
 *
 * and of a lesson, in place of option, edit and step:
 *
 *   lesson /usr/share/attn/lessons/03-scores.md
 *   place 12 0
 *   page Length counts too
 *
 * It is replaced as a whole, and read as a whole or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"
#include "cli.h"

enum { PATH_BYTES = 4096, FILE_BYTES_MAX = 16 << 20 };

static const char first_line[] = "attn-last 1";
static const char last_line[] = "end";

/* ---- where ---- */

/** @return false where no place is named, or its name is too long. */
static bool find_path(char path[PATH_BYTES])
{
    const char *const state = getenv("XDG_STATE_HOME");
    const char *const home = getenv("HOME");
    int n = -1;
    if (state != NULL && state[0] == '/') { /* a relative one is to be ignored, as it says */
        n = snprintf(path, PATH_BYTES, "%s/attn/last", state);
    } else if (home != NULL && home[0] == '/') {
        n = snprintf(path, PATH_BYTES, "%s/.local/state/attn/last", home);
    }
    return n > 0 && n < PATH_BYTES;
}

static bool make_directories_of(const char *path)
{
    char directory[PATH_BYTES];
    snprintf(directory, sizeof directory, "%s", path);
    for (char *slash = strchr(directory + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        struct stat there;
        if (stat(directory, &there) != 0 && mkdir(directory, 0700) != 0 && errno != EEXIST) {
            return false;
        }
        *slash = '/';
    }
    return true;
}

/* ---- writing ---- */

static enum attn_status print_option(void *context, const char *name, const char *value)
{
    FILE *const f = context;
    fprintf(f, "option %s%s%s\n", name, value != NULL ? " " : "", value != NULL ? value : "");
    return ATTN_OK;
}

static bool print_last(FILE *f, const struct app_last *last)
{
    const struct config *const config = &last->config;
    fprintf(f, "%s\nvariant %s\n", first_line, attn_variants[config->variant].name);
    if (last->lesson[0] != '\0') {
        fprintf(f, "lesson %s\nplace %d %zu\npage %s\nwords %s\n%s\n", last->lesson, last->stop,
                last->k, last->page, last->words, last_line);
        return ferror(f) == 0;
    }
    if (config_write_options(config, print_option, f) != ATTN_OK) {
        return false;
    }
    for (int i = 0; i < config->n_edits; i++) {
        const struct config_edit *const edit = &config->edits[i];
        fprintf(f, "edit %s %d %d %d %.9g\n", attn_tensors[edit->cell.tensor].name,
                edit->cell.at[0], edit->cell.at[1], edit->cell.at[2], (double)edit->value);
    }
    fprintf(f, "step %s %zu\nwords %s\n%s\n", walk_grain_names[last->grain], last->index,
            last->words, last_line);
    return ferror(f) == 0;
}

/** Write a draft and put it in place. errno tells what failed. */
static bool replace(const char *path, const struct app_last *last)
{
    char draft[PATH_BYTES + 8];
    snprintf(draft, sizeof draft, "%s.XXXXXX", path);
    const int fd = make_directories_of(path) ? mkstemp(draft) : -1;
    if (fd < 0) {
        return false;
    }
    FILE *const f = fdopen(fd, "w");
    bool written = f != NULL && print_last(f, last) && fflush(f) == 0 && fsync(fd) == 0;
    int why = errno;
    if (f == NULL) {
        close(fd);
    } else if (fclose(f) != 0 && written) {
        written = false;
        why = errno;
    }
    if (written && rename(draft, path) != 0) {
        written = false;
        why = errno;
    }
    if (!written) {
        unlink(draft);
        errno = why;
    }
    return written;
}

void cli_last_write(const struct app *app)
{
    char path[PATH_BYTES];
    struct app_last last;
    if (!app_remember(app, &last)) {
        return;
    }
    if (!find_path(path)) {
        cli_message(NULL, "where this walk was left is not kept: neither XDG_STATE_HOME nor HOME "
                          "names a directory");
    } else if (!replace(path, &last)) {
        cli_message(NULL, "where this walk was left is not kept: %s: %s", path, strerror(errno));
    }
    app_last_finish(&last);
}

/* ---- reading ---- */

/** One kind of line: its value into last. @return false if it is not as we write it. */
typedef bool line_reader(struct app_last *last, char *value);

static bool read_variant(struct app_last *last, char *value)
{
    const int variant = attn_variant_find(value);
    if (variant >= 0) {
        last->config.variant = (enum attn_variant)variant;
    }
    return variant >= 0;
}

static bool read_option(struct app_last *last, char *value)
{
    struct attn_error err = {.status = ATTN_OK};
    char *argv[2] = {value, NULL};
    char *const space = strchr(value, ' ');
    int i = 0;
    bool taken = false;
    if (space != NULL) {
        *space = '\0';
        argv[1] = space + 1;
    }
    const int argc = space != NULL ? 2 : 1;
    return config_take_option(&last->config, argc, argv, &i, &taken, &err) == ATTN_OK && taken &&
           i == argc;
}

static int find_any_tensor(const char *name)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (strcmp(attn_tensors[id].name, name) == 0) {
            return id;
        }
    }
    return -1;
}

static bool read_edit(struct app_last *last, char *value)
{
    char *words[5] = {value};
    int n = 1;
    for (char *c = value; n < 5 && (c = strchr(c, ' ')) != NULL; c++) {
        *c = '\0';
        words[n++] = c + 1;
    }
    const int id = find_any_tensor(words[0]);
    struct attn_cell cell = {.tensor = (enum attn_tensor_id)id};
    double number = 0;
    if (n != 5 || id < 0 || !config_parse_real(words[4], &number)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        long long at = 0;
        if (!config_parse_int(words[i + 1], 0, 3LL * ATTN_DIM_MAX, &at)) {
            return false;
        }
        cell.at[i] = (int)at;
    }
    return config_edit(&last->config, cell, (float)number) == ATTN_OK;
}

static bool read_step(struct app_last *last, char *value)
{
    char *const space = strchr(value, ' ');
    long long index = 0;
    if (space == NULL || !config_parse_int(space + 1, 0, INT64_MAX, &index)) {
        return false;
    }
    *space = '\0';
    last->index = (size_t)index;
    for (int grain = 0; grain < WALK_N_GRAINS; grain++) {
        if (strcmp(walk_grain_names[grain], value) == 0) {
            last->grain = (enum walk_grain)grain;
            return true;
        }
    }
    return false;
}

static bool read_words(struct app_last *last, char *value)
{
    snprintf(last->words, sizeof last->words, "%s", value);
    return true;
}

static bool read_lesson(struct app_last *last, char *value)
{
    snprintf(last->lesson, sizeof last->lesson, "%s", value);
    return value[0] != '\0';
}

static bool read_place(struct app_last *last, char *value)
{
    char *const space = strchr(value, ' ');
    long long stop = 0;
    long long k = 0;
    if (space == NULL) {
        return false;
    }
    *space = '\0';
    if (!config_parse_int(value, 0, INT_MAX, &stop) ||
        !config_parse_int(space + 1, 0, INT_MAX, &k)) {
        return false;
    }
    last->stop = (int)stop;
    last->k = (size_t)k;
    return true;
}

static bool read_page(struct app_last *last, char *value)
{
    snprintf(last->page, sizeof last->page, "%s", value);
    return true;
}

static const struct {
    const char *name;
    line_reader *read;
} lines[] = {{"variant", read_variant}, {"option", read_option}, {"edit", read_edit},
             {"step", read_step},       {"lesson", read_lesson}, {"place", read_place},
             {"page", read_page},       {"words", read_words}};

static bool read_line_of(struct app_last *last, char *line)
{
    char *const space = strchr(line, ' ');
    if (space == NULL) {
        return false;
    }
    *space = '\0';
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strcmp(lines[i].name, line) == 0) {
            return lines[i].read(last, space + 1);
        }
    }
    return false;
}

/** @param text  Is cut up. */
static bool parse(struct app_last *last, char *text)
{
    bool started = false;
    for (char *line = text; *line != '\0';) {
        char *const end = strchr(line, '\n');
        if (end == NULL) {
            return false;
        }
        *end = '\0';
        if (!started) {
            started = strcmp(line, first_line) == 0;
            if (!started) {
                return false;
            }
        } else if (strcmp(line, last_line) == 0) {
            return end[1] == '\0' && last->words[0] != '\0';
        } else if (!read_line_of(last, line)) {
            return false;
        }
        line = end + 1;
    }
    return false;
}

/** The whole of a plain file, terminated. @return NULL with errno; 0 means that it is none of ours.
 */
static char *slurp(const char *path)
{
    struct stat about;
    char *text = NULL;
    errno = 0;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    if (fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) {
        errno = EISDIR;
    } else if (S_ISREG(about.st_mode) && about.st_size <= FILE_BYTES_MAX) {
        const size_t size = (size_t)about.st_size;
        text = malloc(size + 1);
        const ssize_t n = text != NULL ? read(fd, text, size) : -1;
        if (text != NULL && n == (ssize_t)size && memchr(text, '\0', size) == NULL) {
            text[size] = '\0';
        } else {
            free(text);
            text = NULL;
        }
    }
    const int why = errno;
    close(fd);
    errno = why;
    return text;
}

/** It is not lost: the next walk would be written over it. */
static void put_aside(struct app *app, const char *path)
{
    char aside[PATH_BYTES + 8];
    char text[PATH_BYTES + 160];
    snprintf(aside, sizeof aside, "%s.bad", path);
    if (rename(path, aside) == 0) {
        snprintf(text, sizeof text,
                 "The last walk cannot be read, and is left out: it is now %.800s", aside);
    } else {
        snprintf(text, sizeof text, "The last walk cannot be read, and is left out: %.800s", path);
    }
    app_say(app, text);
}

void cli_last_read(struct app *app)
{
    char path[PATH_BYTES];
    char text[PATH_BYTES + 160];
    if (!find_path(path)) {
        return;
    }
    char *const bytes = slurp(path);
    if (bytes == NULL && errno == 0) {
        put_aside(app, path);
    } else if (bytes == NULL && errno != ENOENT && errno != ENOTDIR) {
        snprintf(text, sizeof text, "The last walk cannot be read: %.800s: %s", path,
                 strerror(errno));
        app_say(app, text);
    } else if (bytes != NULL) {
        struct app_last last = {.there = false};
        config_init(&last.config, ATTN_V3);
        if (parse(&last, bytes)) {
            app_offer_last(app, &last);
        } else {
            put_aside(app, path);
        }
        app_last_finish(&last);
    }
    free(bytes);
}
