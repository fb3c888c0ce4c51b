/* Running a learner's program: a case in, a result out, and a clear word on whatever else happens.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check_parts.h"

/** A directory for one case, with its files. */
struct place {
    char directory[512];
    char npz[544], json[544], out[544], log[544];
};

/** What the result may be called: numpy adds an ending where it misses one. */
static const char *const endings[] = {"", ".npy", ".npz", ".json"};

/* ---- files ---- */

static enum cli_status fail_errno(const char *what, const char *why)
{
    cli_message(what, "%s: %s", why, strerror(errno));
    return CLI_UNDECIDED;
}

static enum cli_status place_make(struct place *place)
{
    const char *const parent = getenv("TMPDIR");
    snprintf(place->directory, sizeof place->directory, "%s/attn-check-XXXXXX",
             parent != NULL && parent[0] != '\0' && strlen(parent) < 400 ? parent : "/tmp");
    if (mkdtemp(place->directory) == NULL) {
        return fail_errno(place->directory, "no directory for the case");
    }
    snprintf(place->npz, sizeof place->npz, "%s/case.npz", place->directory);
    snprintf(place->json, sizeof place->json, "%s/case.json", place->directory);
    snprintf(place->out, sizeof place->out, "%s/out.npz", place->directory);
    snprintf(place->log, sizeof place->log, "%s/log.txt", place->directory);
    return CLI_DONE;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    (void)remove(path);
    return 0;
}

/** With whatever the program left in it. */
static void place_remove(const struct place *place)
{
    (void)nftw(place->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/** Inputs and weights by their names. @return how many. */
static int list_inputs(const struct check_case *c, char names[ATTN_N_TENSORS][64],
                       struct io_out *arrays)
{
    const enum attn_variant variant = c->of.setup.config.variant;
    int n = 0;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        const attn_tensor *const t = &c->of.setup.inputs[id];
        if (t->data == NULL || id == ATTN_UNPADDED) {
            continue;
        }
        attn_tensor_name(variant, id, names[n], 64);
        arrays[n] = (struct io_out){.name = names[n], .rank = t->rank, .data = t->data};
        memcpy(arrays[n].dims, t->dims + 3 - t->rank, (size_t)t->rank * sizeof *t->dims);
        n++;
    }
    return n;
}

static enum cli_status write_case(const struct place *place, const struct check_case *c)
{
    const struct setup *const setup = &c->of.setup;
    const enum attn_variant variant = setup->config.variant;
    char names[ATTN_N_TENSORS][64];
    struct io_out arrays[ATTN_N_TENSORS + 2];
    int n = list_inputs(c, names, arrays);
    const float p = (float)setup->config.dropout_p;
    const float training = setup->config.training ? 1 : 0;
    if (attn_variant_has(variant, ATTN_STAGE_DROP)) {
        arrays[n++] = (struct io_out){.name = "p", .rank = 1, .dims = {1}, .data = &p};
        arrays[n++] =
            (struct io_out){.name = "training", .rank = 1, .dims = {1}, .data = &training};
    }
    struct attn_error err = {.status = ATTN_OK};
    enum attn_status status = io_write(place->npz, arrays, n, &err);
    if (status == ATTN_OK) {
        status = io_write(place->json, arrays, n, &err);
    }
    if (status != ATTN_OK) {
        cli_message(err.what, "%s", err.message);
        return CLI_UNDECIDED;
    }
    return CLI_DONE;
}

enum { LOG_KEPT = 65536, FILE_BYTES_MAX = 1 << 28 };

/** What the program printed, at most LOG_KEPT bytes from an offset on; a NUL in it becomes '?'. */
static char *read_log(FILE *f, long from)
{
    char *const text = malloc(LOG_KEPT + 1);
    const size_t n =
        text != NULL && fseek(f, from, SEEK_SET) == 0 ? fread(text, 1, LOG_KEPT, f) : 0;
    if (n == 0) {
        free(text);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        text[i] = text[i] != '\0' ? text[i] : '?';
    }
    text[n] = '\0';
    return text;
}

/** The end of it, on standard error. */
static void pass_log(const struct place *place)
{
    FILE *const f = fopen(place->log, "rb");
    if (f == NULL) {
        return;
    }
    const long end = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
    const long from = end > LOG_KEPT ? end - LOG_KEPT : 0;
    char *const text = read_log(f, from);
    if (from > 0) {
        char note[64];
        snprintf(note, sizeof note, "(%ld bytes before this are left out)", from);
        cli_pass(note);
    }
    if (text != NULL) {
        cli_pass(text);
    }
    free(text);
    fclose(f);
}

/** The beginning of it, for when the result turns out to be wrong. NULL: nothing, or no memory. */
static char *keep_log(const struct place *place)
{
    FILE *const f = fopen(place->log, "rb");
    char *const text = f != NULL ? read_log(f, 0) : NULL;
    if (f != NULL) {
        fclose(f);
    }
    return text;
}

/* ---- the process ---- */

/** The child: never returns. It leads a group of its own, so that all it starts can be ended. */
static void start(char *const *program, const struct place *place)
{
    const struct rlimit files = {.rlim_cur = FILE_BYTES_MAX, .rlim_max = FILE_BYTES_MAX};
    const int in = open("/dev/null", O_RDONLY);
    const int log = open(place->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    setpgid(0, 0);
    (void)setrlimit(RLIMIT_FSIZE, &files); /* what prints without end does not fill the disk */
    signal(SIGPIPE, SIG_DFL); /* this program ignores them, and that would be inherited */
    signal(SIGXFSZ, SIG_DFL);
    if (in < 0 || log < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
        dup2(log, STDERR_FILENO) < 0 || setenv("ATTN_CASE", place->npz, 1) != 0 ||
        setenv("ATTN_OUT", place->out, 1) != 0) {
        _exit(126);
    }
    execvp(program[0], program);
    _exit(errno == ENOENT ? 127 : 126);
}

static struct timespec remaining(const struct timespec *deadline)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct timespec left = {.tv_sec = deadline->tv_sec - now.tv_sec,
                            .tv_nsec = deadline->tv_nsec - now.tv_nsec};
    if (left.tv_nsec < 0) {
        left.tv_sec--;
        left.tv_nsec += 1000000000L;
    }
    return left.tv_sec < 0 ? (struct timespec){.tv_sec = 0} : left;
}

/** How it ended. */
struct ending {
    int status;   /**< As waitpid gives it. */
    bool timeout; /**< It was ended. */
    int signal;   /**< That this program got meanwhile, or 0. */
};

/** What ends this program ends the other one first; and the end of that is waited for. */
static const int watched[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { N_WATCHED = sizeof watched / sizeof watched[0] };

static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
    caught = number != SIGCHLD ? number : caught;
}

/** What the signals did, and which were blocked, before they were watched. */
struct before {
    struct sigaction actions[N_WATCHED];
    sigset_t mask;
};

static void watch(struct before *before)
{
    const struct sigaction action = {.sa_handler = catch_signal};
    sigset_t signals;
    sigemptyset(&signals);
    for (int i = 0; i < N_WATCHED; i++) {
        sigaddset(&signals, watched[i]);
    }
    sigprocmask(SIG_BLOCK, &signals, &before->mask);
    caught = 0;
    for (int i = 0; i < N_WATCHED; i++) {
        sigaction(watched[i], NULL, &before->actions[i]);
        if (before->actions[i].sa_handler != SIG_IGN || watched[i] == SIGCHLD) {
            sigaction(watched[i], &action, NULL);
        }
    }
}

static void unwatch(const struct before *before)
{
    for (int i = 0; i < N_WATCHED; i++) {
        sigaction(watched[i], &before->actions[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static struct ending wait_for(pid_t pid, int seconds, const struct before *before)
{
    struct ending ending = {.status = 0};
    struct timespec deadline;
    sigset_t open = before->mask; /* only while it waits, so that no signal comes too early */
    sigdelset(&open, SIGCHLD);
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += seconds;
    while (waitpid(pid, &ending.status, WNOHANG) == 0) {
        const struct timespec left = remaining(&deadline);
        ending.timeout = left.tv_sec == 0 && left.tv_nsec == 0;
        ending.signal = caught;
        if (ending.timeout || ending.signal != 0) {
            kill(-pid, SIGKILL);
            waitpid(pid, &ending.status, 0);
            return ending;
        }
        pselect(0, NULL, NULL, NULL, &left, &open);
    }
    kill(-pid, SIGKILL); /* what it may have left behind */
    return ending;
}

static enum cli_status run(char *const *program, const struct place *place, int seconds,
                           struct ending *ending)
{
    struct before before;
    fflush(NULL);
    watch(&before);
    const pid_t pid = fork();
    const int why = errno;
    if (pid == 0) {
        unwatch(&before);
        start(program, place);
    }
    if (pid > 0) {
        setpgid(pid, pid);
        *ending = wait_for(pid, seconds, &before);
    }
    unwatch(&before);
    errno = why;
    return pid > 0 ? CLI_DONE : fail_errno(program[0], "it could not be started");
}

/* ---- what came of it ---- */

static enum cli_status undecided(const struct place *place, const struct check_case *c, int number,
                                 const char *format, int value, const char *more)
{
    pass_log(place);
    char what[128];
    char why[256];
    snprintf(why, sizeof why, format, value, more);
    snprintf(what, sizeof what, "case %d, %s", number, c->of.name);
    cli_message(what, "%s", why);
    return CLI_UNDECIDED;
}

static enum cli_status judge_ending(const struct place *place, const struct check_case *c,
                                    int number, const struct ending *ending, int seconds,
                                    const char *program)
{
    const int status = ending->status;
    if (ending->timeout) {
        return undecided(place, c, number,
                         "it ran for more than %d s and was ended (--timeout gives it more%s)",
                         seconds, "");
    }
    if (WIFSIGNALED(status)) {
        return undecided(place, c, number, "it crashed: signal %d, %s", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    }
    if (WEXITSTATUS(status) == 127 || WEXITSTATUS(status) == 126) {
        pass_log(place);
        cli_message(program, "it cannot be run (is that its name, and is it executable?)");
        return CLI_UNDECIDED;
    }
    if (WEXITSTATUS(status) != 0) {
        return undecided(place, c, number, "it ended with exit status %d%s", WEXITSTATUS(status),
                         "");
    }
    return CLI_DONE;
}

/** The file that it wrote, under the name that it was told or one that a library made of that. */
static bool find_result(const struct place *place, char *path, size_t size)
{
    for (size_t i = 0; i < 2 * (sizeof endings / sizeof endings[0]); i++) {
        const char *const ending = endings[i / 2];
        struct stat info;
        if (i % 2 == 0) {
            snprintf(path, size, "%s%s", place->out, ending);
        } else {
            snprintf(path, size, "%s/out%s", place->directory, ending);
        }
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
            return true;
        }
    }
    return false;
}

/** On a terminal: which case it is at, as importing a library takes a while. */
static void show_progress(const struct check *check, int i)
{
    if (isatty(STDERR_FILENO) == 1) {
        char text[96] = "";
        if (i < check->n_cases) {
            snprintf(text, sizeof text, "case %d of %d, %s", i + 1, check->n_cases,
                     check->cases[i].of.name);
        }
        fprintf(stderr, "\r%-60s\r", text);
    }
}

static enum cli_status run_case(struct check *check, const struct place *place, int number,
                                int seconds, int *raised)
{
    struct check_case *const c = &check->cases[number - 1];
    char *const *const program = check->cli->program;
    struct ending ending = {.status = 0};
    char path[640];
    enum cli_status status = write_case(place, c);
    if (status == CLI_DONE) {
        show_progress(check, number - 1);
        status = run(program, place, seconds, &ending);
        show_progress(check, check->n_cases);
    }
    *raised = ending.signal;
    if (status == CLI_DONE && ending.signal == 0) {
        status = judge_ending(place, c, number, &ending, seconds, program[0]);
    }
    if (status != CLI_DONE || ending.signal != 0) {
        return CLI_UNDECIDED;
    }
    if (!find_result(place, path, sizeof path)) {
        return undecided(place, c, number,
                         "it wrote no result (ATTN_OUT names the file that it is to write%.0d%s)",
                         0, "");
    }
    status = check_take_file(check, c, NULL, path);
    if (status != CLI_DONE) {
        pass_log(place);
        return CLI_UNDECIDED;
    }
    c->log = keep_log(place);
    return CLI_DONE;
}

enum cli_status check_run_program(struct check *check, int timeout)
{
    enum cli_status status = CLI_DONE;
    for (int i = 0; status == CLI_DONE && i < check->n_cases; i++) {
        struct place place;
        int raised = 0;
        status = place_make(&place);
        if (status != CLI_DONE) {
            return status;
        }
        status = run_case(check, &place, i + 1, timeout, &raised);
        place_remove(&place);
        if (raised != 0) {
            signal(raised, SIG_DFL);
            raise(raised);
        }
        if (check->cases[i].misshapen) {
            return status;
        }
    }
    return status;
}
