/* Every stage of every variant on four sizes of screen, in two layers: what is written, and what it
 * means. */
#define _XOPEN_SOURCE 700
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "golden.h"
#include "runner.h"

static const struct {
    int cols, rows;
} sizes[] = {{40, 12}, {80, 24}, {120, 40}, {200, 60}};

enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

/** What a loop test does with each screen: write one layer of it. */
typedef void layer_writer(const struct frame *f, FILE *out);

static struct app *start(enum attn_variant variant)
{
    struct config config;
    struct attn_error err = {.status = ATTN_OK};
    struct app *const app = malloc(sizeof *app);
    ck_assert_ptr_nonnull(app);
    config_init(&config, variant);
    ck_assert_int_eq(config_options[CONFIG_TOKENS].parse(&config, "the cat sat down", &err),
                     ATTN_OK);
    if (attn_variant_has(variant, ATTN_STAGE_MASK)) {
        ck_assert_int_eq(config_options[CONFIG_MASK].parse(&config, "causal", &err), ATTN_OK);
    }
    ck_assert_msg(app_init_walk(app, &config, &err) == ATTN_OK, "%s", err.message);
    config_finish(&config);
    return app;
}

static void stop(struct app *app)
{
    app_finish(app);
    free(app);
}

/** Play keys on a fresh walk of each stage, write the layer of each, and hold it against the golden
 * file. */
static void check(const char *name, enum attn_variant variant, int size, const char *keys,
                  bool ascii, layer_writer *write)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const out = open_memstream(&text, &n);
    struct app *const app = start(variant);
    struct frame *const f = frame_create(sizes[size].rows, sizes[size].cols, ascii);
    ck_assert(out != NULL && f != NULL);
    for (int stage = 0; stage < attn_trace_n_stages(app->trace); stage++) {
        app_go(app, walk_stage_start(app->trace, stage, WALK_STAGE));
        app_play(app, f, keys);
        app_draw(app, f);
        fprintf(out, "== %s\n", attn_stages[attn_trace_stage(app->trace, stage)].key);
        write(f, out);
    }
    fclose(out);
    golden_check(name, text);
    free(text);
    frame_destroy(f);
    stop(app);
}

START_TEST(test_every_stage_shows_the_glyphs_that_it_showed)
{
    const enum attn_variant variant = (enum attn_variant)(_i / N_SIZES);
    const int size = _i % N_SIZES;
    char name[64];
    snprintf(name, sizeof name, "screens/%s-%dx%d.txt", attn_variants[variant].name,
             sizes[size].cols, sizes[size].rows);
    check(name, variant, size, "", false, frame_write_text);
}
END_TEST

START_TEST(test_every_stage_means_what_it_meant)
{
    const enum attn_variant variant = (enum attn_variant)(_i / N_SIZES);
    const int size = _i % N_SIZES;
    char name[64];
    snprintf(name, sizeof name, "screens/%s-%dx%d.roles", attn_variants[variant].name,
             sizes[size].cols, sizes[size].rows);
    check(name, variant, size, "", false, frame_write_roles);
}
END_TEST

/* What is beside the plain stage: a name, and the keys that lead there from the start of each
 * stage. */
static const struct {
    const char *name, *keys;
    bool ascii;
    layer_writer *write;
    int size; /* of sizes */
} scenes[] = {
    {"cell", "Tab Tab n n n n n", false, frame_write_text, 1},
    {"cell.roles", "Tab Tab n n n n n", false, frame_write_roles, 1},
    {"open", "Tab Tab n n Enter Down", false, frame_write_text, 1},
    {"row", "Tab n", false, frame_write_text, 1},
    {"ascii", "Tab Tab n n n", true, frame_write_text, 1},
    {"short", "+ + + + -", false, frame_write_text, 1},
    {"heat", "+ + + + - -", false, frame_write_text, 1},
    {"no-scale", "s", false, frame_write_text, 1},
    {"no-scale.roles", "s", false, frame_write_roles, 1},
    {"training", "t", false, frame_write_text, 1},
    {"numpy", "c", false, frame_write_text, 1},
    {"slopes", "i Down", false, frame_write_text, 1},
    {"slopes.roles", "i Down", false, frame_write_roles, 1},
    {"slopes-ascii", "i", true, frame_write_text, 1},
    {"slopes-small", "i Down Down", false, frame_write_text, 0},
    {"slopes-large", "i Down", false, frame_write_text, 2},
    {"slopes-go", "i Down Enter", false, frame_write_text, 1},
};

enum { N_SCENES = sizeof scenes / sizeof scenes[0] };

START_TEST(test_every_scene_shows_what_it_showed)
{
    char name[64];
    snprintf(name, sizeof name, "screens/scene-%s.txt", scenes[_i].name);
    check(name, ATTN_V3, scenes[_i].size, scenes[_i].keys, scenes[_i].ascii, scenes[_i].write);
}
END_TEST

START_TEST(test_an_ascii_frame_holds_ascii_only)
{
    for (int variant = 0; variant < ATTN_N_VARIANTS; variant++) {
        struct app *const app = start((enum attn_variant)variant);
        struct frame *const f = frame_create(sizes[_i].rows, sizes[_i].cols, true);
        for (int stage = 0; stage < attn_trace_n_stages(app->trace); stage++) {
            app_go(app, walk_stage_start(app->trace, stage, WALK_STAGE));
            app_play(app, f, "Tab Tab n");
            for (int i = 0; i < f->rows * f->cols; i++) {
                const unsigned char c = (unsigned char)f->cells[i].glyph[0];
                ck_assert_msg(c >= 0x20 && c < 0x7F, "stage %d, cell %d: %02x", stage, i, c);
            }
        }
        frame_destroy(f);
        stop(app);
    }
}
END_TEST

Suite *suite(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    Suite *const s = suite_create("screens");
    TCase *const t = tcase_create("golden");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_every_stage_shows_the_glyphs_that_it_showed, 0,
                        ATTN_N_VARIANTS * N_SIZES);
    tcase_add_loop_test(t, test_every_stage_means_what_it_meant, 0, ATTN_N_VARIANTS * N_SIZES);
    tcase_add_loop_test(t, test_every_scene_shows_what_it_showed, 0, N_SCENES);
    tcase_add_loop_test(t, test_an_ascii_frame_holds_ascii_only, 0, N_SIZES);
    suite_add_tcase(s, t);
    return s;
}
