/**
 * How fast the walk is to the eye: from a pseudo-terminal, beside a program that draws as much with
 * ncurses and does nothing else, turn by turn. Prints; a slow machine is no failure.
 *
 * usage: screen ATTN BARE
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "terminal.h"

enum { STARTS = 21, KEYS = 101, EDITS = 11, IDLE_MS = 1000 };

static const char *attn_path, *bare_path;

/** A walk: how large, on how large a screen. */
static const struct scene {
    const char *length;
    int cols, rows;
} scenes[] = {{"4", 80, 24}, {"16", 80, 24}, {"128", 80, 24}, {"128", 200, 50}};

enum { N_SCENES = sizeof scenes / sizeof scenes[0] };

static bool start_attn(struct terminal *t, const struct scene *scene)
{
    const char *const argv[] = {attn_path, "walk",        "v3",     "--length", scene->length,
                                "--dim",   scene->length, "--mask", "causal",   NULL};
    return terminal_start(t, scene->cols, scene->rows, argv);
}

static bool start_bare(struct terminal *t, const struct scene *scene, const char *changed)
{
    const char *const argv[] = {bare_path, changed, NULL};
    return terminal_start(t, scene->cols, scene->rows, argv);
}

/** From exec to the last byte of the first picture, in turn. changed NULL: ends at once. */
static bool time_start(struct bench_times *times, const struct scene *scene, bool attn,
                       const char *changed)
{
    struct terminal t;
    if (attn ? !start_attn(&t, scene) : !start_bare(&t, scene, changed)) {
        return false;
    }
    const struct terminal_output out = terminal_read(&t);
    bench_add(times, out.last - t.started);
    terminal_stop(&t);
    return out.bytes > 0;
}

static bool print_starts(void)
{
    struct bench_times empty = {.n = 0};
    struct bench_times bare = {.n = 0};
    printf("exec to first frame, ms           attn     bare    empty   target: empty + 1.5\n");
    for (int i = 0; i < N_SCENES; i++) {
        struct bench_times attn = {.n = 0};
        empty.n = 0;
        bare.n = 0;
        for (int k = 0; k < STARTS; k++) {
            if (!time_start(&empty, &scenes[i], false, NULL) ||
                !time_start(&bare, &scenes[i], false, "0") ||
                !time_start(&attn, &scenes[i], true, NULL)) {
                return false;
            }
        }
        printf("  %4s x %-4s %4dx%-4d         %8.2f %8.2f %8.2f\n", scenes[i].length,
               scenes[i].length, scenes[i].cols, scenes[i].rows, bench_quantile(&attn, 0.5) / 1e3,
               bench_quantile(&bare, 0.5) / 1e3, bench_quantile(&empty, 0.5) / 1e3);
    }
    return true;
}

/** A key, until its last byte. */
static struct terminal_output press(struct terminal *t, const char *key, struct bench_times *times)
{
    const double sent = terminal_send(t, key);
    const struct terminal_output out = terminal_read(t);
    if (out.bytes > 0) {
        bench_add(times, out.last - sent);
    }
    return out;
}

static long idle_switches(const struct terminal *t)
{
    const long before = terminal_figure(t, "voluntary_ctxt_switches");
    poll(NULL, 0, IDLE_MS);
    return terminal_figure(t, "voluntary_ctxt_switches") - before;
}

/** To the scores, cell by cell. @return how many bytes one of its steps takes. */
static size_t go_to_cells(struct terminal *t)
{
    struct bench_times ignored = {.n = 0};
    terminal_read(t);
    press(t, "3", &ignored);
    press(t, "\t", &ignored);
    press(t, "\t", &ignored);
    return press(t, "n", &ignored).bytes;
}

static void print_edit(struct terminal *t, const struct scene *scene)
{
    struct bench_times ignored = {.n = 0};
    struct bench_times edits = {.n = 0};
    press(t, "1", &ignored);
    press(t, "o", &ignored);
    for (int i = 0; i < EDITS; i++) {
        char value[16];
        snprintf(value, sizeof value, "0.%d", i + 1);
        press(t, "e", &ignored);
        press(t, value, &ignored);
        press(t, "\r", &edits);
    }
    printf("    an edit, recomputed     %8.2f ms, target: 50 at 128 x 128 (%s x %s)\n",
           bench_quantile(&edits, 0.5) / 1e3, scene->length, scene->length);
}

static bool print_scene(const struct scene *scene)
{
    struct terminal attn, bare;
    struct terminal_output sum = {0};
    struct bench_times attn_keys = {.n = 0};
    struct bench_times bare_keys = {.n = 0};
    char changed[16];
    if (!start_attn(&attn, scene)) {
        return false;
    }
    snprintf(changed, sizeof changed, "%zu", go_to_cells(&attn));
    if (!start_bare(&bare, scene, changed)) {
        terminal_stop(&attn);
        return false;
    }
    terminal_read(&bare);
    for (int i = 0; i < KEYS; i++) {
        const struct terminal_output out = press(&attn, "n", &attn_keys);
        sum.bytes += out.bytes;
        sum.clears += out.clears;
        press(&bare, "n", &bare_keys);
    }
    const double ratio = bench_quantile(&attn_keys, 0.5) / bench_quantile(&bare_keys, 0.5);
    printf("%s x %s, cell by cell, %dx%d\n", scene->length, scene->length, scene->cols,
           scene->rows);
    printf("    key to last byte, us    %8.0f, bare %.0f: %.2f times, target: 1.3\n",
           bench_quantile(&attn_keys, 0.5), bench_quantile(&bare_keys, 0.5), ratio);
    printf("    99th percentile, us     %8.0f, bare %.0f\n", bench_quantile(&attn_keys, 0.99),
           bench_quantile(&bare_keys, 0.99));
    printf("    bytes a key             %8.0f, target: below 1000 at 80x24\n",
           (double)sum.bytes / KEYS);
    printf("    full clears             %8zu, target: 0\n", sum.clears);
    printf("    peak memory, kB         %8ld, bare %ld, target: + 2048 at 4 x 4\n",
           terminal_figure(&attn, "VmHWM"), terminal_figure(&bare, "VmHWM"));
    printf("    wake-ups in a second    %8ld, target: 0\n", idle_switches(&attn));
    print_edit(&attn, scene);
    terminal_stop(&attn);
    terminal_stop(&bare);
    return true;
}

int main(int argc, char *argv[])
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s ATTN BARE\n", argv[0]);
        return 2;
    }
    attn_path = argv[1];
    bare_path = argv[2];
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("COLORTERM");
    unsetenv("NO_COLOR");
    bool good = print_starts();
    for (int i = 0; good && i < N_SCENES; i++) {
        good = print_scene(&scenes[i]);
    }
    if (!good) {
        fprintf(stderr, "a program could not be tried in a terminal\n");
    }
    return good ? 0 : 1;
}
