#include "program.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *root(const char *variable)
{
    const char *const path = getenv(variable);
    ck_assert_msg(path != NULL, "%s is not set", variable);
    return path;
}

static char *read_stream(FILE *f, size_t *length)
{
    char *text = NULL;
    char block[4096];
    size_t n = 0;
    *length = 0;
    do {
        n = fread(block, 1, sizeof block, f);
        char *const longer = realloc(text, *length + n + 1);
        ck_assert_ptr_nonnull(longer);
        text = longer;
        memcpy(text + *length, block, n);
        *length += n;
    } while (n > 0);
    text[*length] = '\0';
    return text;
}

char *program_file(const char *path)
{
    char whole[4096];
    size_t length = 0;
    snprintf(whole, sizeof whole, "%s/%s", root("ATTN_SOURCE"), path);
    FILE *const f = fopen(whole, "rb");
    ck_assert_msg(f != NULL, "%s: %s", whole, strerror(errno));
    char *const text = read_stream(f, &length);
    fclose(f);
    return text;
}

static void connect_output(const struct program *program, int pipe_end)
{
    switch (program->sink) {
    case PROGRAM_READ:
    case PROGRAM_LEAVES:
        dup2(pipe_end, STDOUT_FILENO);
        return;
    case PROGRAM_FULL:
        dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
        return;
    case PROGRAM_SHUT:
        close(STDOUT_FILENO);
        return;
    }
}

/** The child: never returns. */
static void start(const struct program *program, int out, int err)
{
    char path[4096];
    char *argv[PROGRAM_ARGS_MAX + 1] = {path};
    for (int i = 0; i < PROGRAM_ARGS_MAX && program->args[i] != NULL; i++) {
        argv[i + 1] = (char *)(size_t)program->args[i];
    }
    setenv("LC_ALL", program->locale != NULL ? program->locale : "C.UTF-8", 1);
    snprintf(path, sizeof path, "%s/tests/cli/data", root("ATTN_SOURCE"));
    if (chdir(path) != 0) {
        _exit(126);
    }
    const int in = open(program->input != NULL ? program->input : "/dev/null", O_RDONLY);
    dup2(in, STDIN_FILENO);
    connect_output(program, out);
    dup2(err, STDERR_FILENO);
    snprintf(path, sizeof path, "%s/src/cli/attn", root("ATTN_BUILD"));
    execv(path, argv);
    _exit(127);
}

void program_run(const struct program *program, struct program_result *result)
{
    int out[2];
    size_t n_err = 0;
    int status = 0;
    FILE *const err = tmpfile();
    ck_assert_ptr_nonnull(err);
    (void)root("ATTN_SOURCE"); /* a child that has no root ends as a program that failed */
    (void)root("ATTN_BUILD");
    ck_assert_int_eq(pipe(out), 0);
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        close(out[0]);
        start(program, out[1], fileno(err));
    }
    close(out[1]);
    FILE *const reader = fdopen(out[0], "rb");
    ck_assert_ptr_nonnull(reader);
    *result = (struct program_result){.status = 0};
    if (program->sink == PROGRAM_LEAVES) {
        ck_assert_int_ne(fgetc(reader), EOF);
    } else {
        result->out = read_stream(reader, &result->n_out);
    }
    fclose(reader);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ck_assert_msg(result->status != 127 && result->status != 126, "the program did not start");
    rewind(err);
    result->err = read_stream(err, &n_err);
    fclose(err);
}

void program_finish(struct program_result *result)
{
    free(result->out);
    free(result->err);
}
