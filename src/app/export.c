/* What goes into files: the screen as a picture, the tensors. How files are written is not known
 * here: see struct app_outside. */
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

/** Draw the screen once more, as it is without the question that was just answered. */
static enum attn_status save_screen(struct app *app, const char *path, struct attn_error *err)
{
    struct frame *const f = frame_create(app->shown.rows, app->shown.cols, app->shown.ascii);
    if (f == NULL) {
        return attn_fail(err, ATTN_E_NOMEM, path, "out of memory for a picture");
    }
    app->message[0] = '\0';
    app_draw(app, f);
    const enum attn_status status = app->outside->save_frame(f, path, err);
    frame_destroy(f);
    return status;
}

static enum attn_status save_tensors(struct app *app, const char *path, struct attn_error *err)
{
    return app->outside->save_tensors(&app->setup, app->trace, path, err);
}

static void save(struct app *app, const char *path)
{
    struct attn_error err = {.status = ATTN_OK};
    char text[APP_MESSAGE_MAX];
    if (app->saving.save(app, path, &err) == ATTN_OK) {
        snprintf(text, sizeof text, "Wrote %s.", path);
    } else {
        snprintf(text, sizeof text, "%s: %.700s", err.what, err.message);
    }
    app_say(app, text);
}

static void save_over(struct app *app, const char *text)
{
    char path[APP_INPUT_MAX];
    (void)text;
    memcpy(path, app->saving.path, sizeof path);
    save(app, path);
}

static void named(struct app *app, const char *text)
{
    char question[APP_INPUT_MAX + 64];
    if (*text == '\0') {
        app_say(app, "Nothing was written.");
    } else if (app->outside->exists(text)) {
        snprintf(app->saving.path, sizeof app->saving.path, "%s", text);
        snprintf(question, sizeof question, "%s is there already. Write over it? (y/n) ", text);
        app_confirm(app, question, save_over);
    } else {
        save(app, text);
    }
}

static void ask_name(struct app *app, const char *label, const char *name,
                     enum attn_status (*function)(struct app *app, const char *path,
                                                  struct attn_error *err))
{
    if (app->outside == NULL) {
        app_say(app, "No files can be written from here.");
        return;
    }
    app->saving.save = function;
    app_ask(app, label, name, named);
}

static const char *variant_name(const struct app *app)
{
    return attn_variants[attn_trace_config(app->trace)->variant].name;
}

void app_export(struct app *app, struct app_key key)
{
    char name[64];
    (void)key;
    if (app->help || app->home) {
        snprintf(name, sizeof name, "attn-%s.svg", app->help ? "help" : "home");
    } else if (app->lab != NULL) {
        snprintf(name, sizeof name, "attn-%s.svg", lab_infos[app->lab->kind].name);
    } else {
        snprintf(name, sizeof name, "attn-%s-%s.svg", variant_name(app),
                 attn_stages[attn_trace_stage(app->trace, app->now.step.stage)].key);
    }
    ask_name(app, "Picture (.svg .ans .txt)", name, save_screen);
}

void app_write(struct app *app, struct app_key key)
{
    char name[64];
    (void)key;
    snprintf(name, sizeof name, "attn-%s.npz", variant_name(app));
    ask_name(app, "Tensors (.npz .safetensors .json)", name, save_tensors);
}
