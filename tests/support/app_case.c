#include "app_case.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame_case.h"

static struct app_case *make(void)
{
    struct app_case *const c = calloc(1, sizeof *c);
    ck_assert_ptr_nonnull(c);
    c->frame = frame_create(24, 80, false);
    ck_assert_ptr_nonnull(c->frame);
    return c;
}

struct app_case *app_case_start(enum attn_variant variant, const char *const options[])
{
    struct app_case *const c = make();
    struct config config;
    struct attn_error err = {.status = ATTN_OK};
    int n = 0;
    config_init(&config, variant);
    while (options != NULL && options[n] != NULL) {
        n++;
    }
    for (int i = 0; i < n;) {
        bool taken = false;
        char *const argv[] = {(char *)(size_t)options[i],
                              (char *)(size_t)(i + 1 < n ? options[i + 1] : "")};
        int used = 0;
        ck_assert_msg(config_take_option(&config, 2, argv, &used, &taken, &err) == ATTN_OK && taken,
                      "%s: %s", options[i], err.message);
        i += used;
    }
    ck_assert_msg(app_init_walk(&c->app, &config, &err) == ATTN_OK, "%s", err.message);
    config_finish(&config);
    app_draw(&c->app, c->frame);
    return c;
}

struct app_case *app_case_home(void)
{
    struct app_case *const c = make();
    struct attn_error err;
    ck_assert_int_eq(app_init_home(&c->app, &err), ATTN_OK);
    app_draw(&c->app, c->frame);
    return c;
}

void app_case_finish(struct app_case *c)
{
    app_finish(&c->app);
    frame_destroy(c->frame);
    free(c);
}

void app_case_play(struct app_case *c, const char *keys)
{
    app_play(&c->app, c->frame, keys);
}

void app_case_type(struct app_case *c, const char *text)
{
    for (; *text != '\0'; text++) {
        app_press(&c->app,
                  (struct app_key){.code = APP_KEY_CHAR, .ch = (uint32_t)(unsigned char)*text});
    }
    app_draw(&c->app, c->frame);
}

char *app_case_text(struct app_case *c)
{
    return frame_case_text(c->frame);
}

char *app_case_picture(struct app_case *c)
{
    char *text = NULL;
    size_t n = 0;
    FILE *const out = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(out);
    app_say(&c->app, "");
    app_draw(&c->app, c->frame);
    frame_write_text(c->frame, out);
    frame_write_roles(c->frame, out);
    fprintf(out, "cursor %d %d\n", c->frame->cursor_row, c->frame->cursor_col);
    fclose(out);
    return text;
}

bool app_case_shows(struct app_case *c, const char *text)
{
    return frame_case_shows(c->frame, text);
}

float app_case_value(const struct app_case *c, enum attn_tensor_id id, int b, int row, int col)
{
    const struct attn_cell cell = {id, {b, row, col}};
    ck_assert_msg(walk_has(c->app.trace, cell), "%s[%d,%d,%d]", attn_tensors[id].name, b, row, col);
    return walk_value(c->app.trace, cell);
}
