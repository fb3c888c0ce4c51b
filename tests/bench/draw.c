/**
 * What the picture itself costs, without a terminal: a step and its drawing, an edit and its.
 * Prints; a slow machine is no failure.
 */
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "bench.h"

enum { STEPS = 101, EDITS = 11 };

static const struct scene {
    int length, cols, rows;
} scenes[] = {{4, 80, 24},  {16, 80, 24},   {128, 80, 24},
              {4, 200, 60}, {128, 200, 60}, {512, 200, 60}};

static void press(struct app *app, const char *keys)
{
    for (; *keys != '\0'; keys++) {
        const enum app_key_code code = *keys == '\t'   ? APP_KEY_TAB
                                       : *keys == '\r' ? APP_KEY_ENTER
                                                       : APP_KEY_CHAR;
        app_press(app, (struct app_key){.code = code, .ch = (unsigned char)*keys});
    }
}

/** In the scores, cell by cell. */
static void time_steps(struct app *app, struct frame *f, struct bench_times *times)
{
    press(app, "3\t\t");
    for (int i = 0; i < STEPS; i++) {
        const double start = bench_cpu();
        press(app, "n");
        app_draw(app, f);
        bench_add(times, bench_cpu() - start);
    }
}

/** Every stage once, as a whole. */
static void time_stages(struct app *app, struct frame *f, struct bench_times *times)
{
    press(app, "\t1");
    for (int i = 0; i < attn_trace_n_stages(app->trace); i++) {
        const double start = bench_cpu();
        app_draw(app, f);
        bench_add(times, bench_cpu() - start);
        press(app, "]");
    }
}

static void time_edits(struct app *app, struct frame *f, struct bench_times *times)
{
    press(app, "1o");
    for (int i = 0; i < EDITS; i++) {
        char keys[16];
        snprintf(keys, sizeof keys, "e0.%d", i + 1);
        press(app, keys);
        app_draw(app, f);
        const double start = bench_cpu();
        press(app, "\r");
        app_draw(app, f);
        bench_add(times, bench_cpu() - start);
    }
}

static bool print_scene(const struct scene *scene)
{
    struct bench_times steps = {.n = 0};
    struct bench_times stages = {.n = 0};
    struct bench_times edits = {.n = 0};
    struct attn_error err;
    struct config config;
    struct app *const app = malloc(sizeof *app);
    struct frame *const f = frame_create(scene->rows, scene->cols, false);
    config_init(&config, ATTN_V3);
    config.length = scene->length;
    config.dim = scene->length;
    const bool good = app != NULL && f != NULL &&
                      config_options[CONFIG_MASK].parse(&config, "causal", &err) == ATTN_OK &&
                      app_init_walk(app, &config, &err) == ATTN_OK;
    if (good) {
        time_steps(app, f, &steps);
        time_stages(app, f, &stages);
        time_edits(app, f, &edits);
        printf("%4d x %-4d %4dx%-3d %12.3f %12.3f %12.3f %12.3f\n", scene->length, scene->length,
               scene->cols, scene->rows, bench_quantile(&steps, 0.5) / 1e3,
               bench_quantile(&steps, 0.99) / 1e3, bench_quantile(&stages, 1) / 1e3,
               bench_quantile(&edits, 0.5) / 1e3);
        app_finish(app);
    }
    config_finish(&config);
    frame_destroy(f);
    free(app);
    return good;
}

int main(void)
{
    printf("ms of CPU              a step: median          99 %%  worst stage       an edit\n"
           "                   target: 2 at 128 x 128                             50 at 128\n");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        if (!print_scene(&scenes[i])) {
            fprintf(stderr, "out of memory\n");
            return 1;
        }
    }
    return 0;
}
