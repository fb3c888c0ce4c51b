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

/** What was measured of one program. */
struct measured {
    struct bench_times times; /**< Until the last byte. */
    struct bench_times cpu;   /**< What it computed for that; less at the mercy of others. */
    size_t bytes, clears;
};

static void add(struct measured *m, const struct terminal_output *out, double since, double cpu)
{
    if (out->bytes > 0) {
        bench_add(&m->times, out->last - since);
        bench_add(&m->cpu, cpu);
        m->bytes += out->bytes;
        m->clears += out->clears;
    }
}

/** From exec to the last byte of the first picture. */
static bool time_start(struct measured *m, bool started, struct terminal *t)
{
    if (!started) {
        return false;
    }
    const struct terminal_output out = terminal_read(t);
    add(m, &out, t->started, terminal_cpu(t));
    terminal_stop(t);
    return out.bytes > 0;
}

/** In turn, so that all three meet the same machine. */
static bool print_start(const struct scene *scene)
{
    struct measured attn = {.bytes = 0};
    struct measured bare = {.bytes = 0};
    struct measured empty = {.bytes = 0};
    bool good = true;
    for (int i = 0; good && i < STARTS; i++) {
        struct terminal t;
        good = time_start(&empty, start_bare(&t, scene, NULL), &t) &&
               time_start(&bare, start_bare(&t, scene, "0"), &t) &&
               time_start(&attn, start_attn(&t, scene), &t);
    }
    struct measured *const all[] = {&attn, &bare, &empty};
    printf("%4s x %-4s %4dx%-4d      ", scene->length, scene->length, scene->cols, scene->rows);
    for (int i = 0; i < 3; i++) {
        printf(" %8.2f", bench_quantile(&all[i]->times, 0.5) / 1e3);
    }
    for (int i = 0; i < 3; i++) {
        printf(" %8.2f", bench_quantile(&all[i]->cpu, 0.5) / 1e3);
    }
    printf("\n");
    return good;
}

static bool print_starts(void)
{
    bool good = true;
    printf("exec to first frame, ms       attn     bare    empty; CPU attn bare    empty\n"
           "                              target: empty + 1.5\n");
    for (int i = 0; good && i < N_SCENES; i++) {
        good = print_start(&scenes[i]);
    }
    return good;
}

/** A key, until its last byte. @return how many bytes there were. */
static size_t press(struct terminal *t, const char *key, struct measured *m)
{
    const double before = terminal_cpu(t);
    const double sent = terminal_send(t, key);
    const struct terminal_output out = terminal_read(t);
    add(m, &out, sent, terminal_cpu(t) - before);
    return out.bytes;
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
    struct measured ignored = {.bytes = 0};
    terminal_read(t);
    press(t, "3", &ignored);
    press(t, "\t", &ignored);
    press(t, "\t", &ignored);
    return press(t, "n", &ignored);
}

static void time_edits(struct terminal *t, struct measured *edits)
{
    struct measured ignored = {.bytes = 0};
    press(t, "1", &ignored);
    press(t, "o", &ignored);
    for (int i = 0; i < EDITS; i++) {
        char value[16];
        snprintf(value, sizeof value, "0.%d", i + 1);
        press(t, "e", &ignored);
        press(t, value, &ignored);
        press(t, "\r", edits);
    }
}

static void print_compared(const char *what, double attn, double bare, const char *target)
{
    printf("    %-26s %8.0f, bare %6.0f: %.2f times%s\n", what, attn, bare, attn / bare, target);
}

static void print_keys(struct measured *attn, struct measured *bare)
{
    print_compared("key to last byte, us", bench_quantile(&attn->times, 0.5),
                   bench_quantile(&bare->times, 0.5), ", target: 1.3");
    print_compared("99th percentile", bench_quantile(&attn->times, 0.99),
                   bench_quantile(&bare->times, 0.99), "");
    print_compared("CPU a key, us", bench_quantile(&attn->cpu, 0.5),
                   bench_quantile(&bare->cpu, 0.5), "");
    print_compared("bytes a key", (double)attn->bytes / KEYS, (double)bare->bytes / KEYS,
                   ", target: below 1000 at 80x24");
    printf("    %-26s %8zu, target: 0\n", "full clears", attn->clears);
}

static bool print_scene(const struct scene *scene)
{
    struct terminal attn, bare;
    struct measured attn_keys = {.bytes = 0};
    struct measured bare_keys = {.bytes = 0};
    struct measured edits = {.bytes = 0};
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
        press(&attn, "n", &attn_keys);
        press(&bare, "n", &bare_keys);
    }
    printf("%s x %s, cell by cell, %dx%d\n", scene->length, scene->length, scene->cols,
           scene->rows);
    print_keys(&attn_keys, &bare_keys);
    printf("    %-26s %8ld, bare %6ld, target: + 2048 at 4 x 4\n", "peak memory, kB",
           terminal_figure(&attn, "VmHWM"), terminal_figure(&bare, "VmHWM"));
    printf("    %-26s %8ld, target: 0\n", "wake-ups in a second", idle_switches(&attn));
    time_edits(&attn, &edits);
    printf("    %-26s %8.2f, CPU %.2f, target: 50 at 128 x 128\n", "an edit, ms",
           bench_quantile(&edits.times, 0.5) / 1e3, bench_quantile(&edits.cpu, 0.5) / 1e3);
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
