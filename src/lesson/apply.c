/* Settings at work on a configuration. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

void lesson_config_init(const struct lesson *lesson, struct config *config)
{
    config_init(config, lesson->variant);
    config->max_memory = LESSON_MEMORY_MAX;
}

/** A file's path as seen from the lesson's own folder. @return out. */
static const char *beside(const struct lesson *lesson, const char *path, char out[LESSON_PATH_MAX])
{
    const char *const slash = lesson->path != NULL ? strrchr(lesson->path, '/') : NULL;
    if (slash == NULL || path[0] == '/') {
        return path;
    }
    snprintf(out, LESSON_PATH_MAX, "%.*s/%s", (int)(slash - lesson->path), lesson->path, path);
    return out;
}

static bool replace_path(const struct lesson *lesson, char **path)
{
    char joined[LESSON_PATH_MAX];
    const char *const better = beside(lesson, *path, joined);
    if (better == *path) {
        return true;
    }
    char *const copy = malloc(strlen(better) + 1);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, better, strlen(better) + 1);
    free(*path);
    *path = copy;
    return true;
}

/** Files that the option named are meant beside the lesson. */
static bool settle_paths(const struct lesson *lesson, struct config *config, int option)
{
    bool good = true;
    if (option == CONFIG_LOAD) {
        good = replace_path(lesson, &config->loads[config->n_loads - 1].path);
    }
    for (int i = 0; option == CONFIG_MASK && i < config->n_mask && good; i++) {
        good =
            config->mask[i].kind != CONFIG_MASK_FILE || replace_path(lesson, &config->mask[i].path);
    }
    return good;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (strcmp(word, *words) == 0) {
            return true;
        }
    }
    return false;
}

/** An option that takes no value: `train:` or `train: yes`. */
static enum attn_status apply_switch(struct config *config, const struct lesson_setting *s,
                                     struct attn_error *err)
{
    static const char *const yes[] = {"", "yes", "true", "on", NULL};
    static const char *const no[] = {"no", "false", "off", NULL};
    const struct config_option *const option = &config_options[s->option];
    if (s->option == CONFIG_NO_SCALE && is_one_of(s->value, no)) {
        config->scale_given = false;
        return ATTN_OK;
    }
    if (!is_one_of(s->value, yes)) {
        return attn_fail(err, ATTN_E_VALUE, option->name, "%s takes no value (leave out '%s'%s)",
                         s->key, s->value, s->option == CONFIG_TRAIN ? ", or say 'eval:'" : "");
    }
    return option->parse(config, "", err);
}

/** On the command line bugs add up; in a lesson a block's take the place of those before. */
static enum attn_status apply_bug(struct config *config, const struct lesson_setting *s,
                                  struct attn_error *err)
{
    const int before = config->n_bugs;
    config->n_bugs = 0;
    if (strcmp(s->value, "none") == 0) {
        return ATTN_OK;
    }
    const enum attn_status status = config_options[CONFIG_BUG].parse(config, s->value, err);
    config->n_bugs = status != ATTN_OK ? before : config->n_bugs;
    return status;
}

static enum attn_status apply_option(const struct lesson *lesson, struct config *config,
                                     const struct lesson_setting *s, struct attn_error *err)
{
    const struct config_option *const option = &config_options[s->option];
    if (option->argument == NULL) {
        return apply_switch(config, s, err);
    }
    if (s->option == CONFIG_BUG) {
        return apply_bug(config, s, err);
    }
    if (s->option == CONFIG_LOAD &&
        (strcmp(s->value, "-") == 0 || strstr(s->value, "=-") != NULL)) {
        return attn_fail(err, ATTN_E_VALUE, option->name,
                         "a lesson cannot read standard input (name a file beside it)");
    }
    char joined[LESSON_PATH_MAX + 1] = "@";
    const char *value = s->value;
    if ((s->option == CONFIG_TOKENS || s->option == CONFIG_MEMORY_TOKENS) && value[0] == '@') {
        char path[LESSON_PATH_MAX];
        snprintf(joined + 1, sizeof joined - 1, "%s", beside(lesson, value + 1, path));
        value = joined;
    }
    const enum attn_status status = option->parse(config, value, err);
    if (status == ATTN_OK && !settle_paths(lesson, config, s->option)) {
        return attn_fail(err, ATTN_E_NOMEM, option->name, "out of memory");
    }
    return status;
}

/** Inputs are given without the batch; a bias is a line. */
static int rank_of(enum attn_tensor_id id)
{
    return attn_tensors[id].axes[1] == ATTN_AXIS_NONE ? 1 : 2;
}

static enum attn_status apply_matrix(struct config *config, const struct lesson_setting *s,
                                     struct attn_error *err)
{
    const enum attn_tensor_id id = (enum attn_tensor_id)s->tensor;
    if (s->data == NULL) {
        config_ungive(config, id);
        return ATTN_OK;
    }
    const int dims[2] = {s->rows, s->columns};
    const int rank = rank_of(id);
    /* The view is only read: config_give takes a copy. */
    const attn_tensor view = attn_tensor_view((float *)(size_t)s->data, rank, dims + 2 - rank);
    return config_give(config, id, &view, true) == ATTN_OK
               ? ATTN_OK
               : attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
}

enum attn_status lesson_apply(const struct lesson *lesson, struct config *config,
                              const struct lesson_setting *setting, struct attn_error *err)
{
    if (setting->tensor >= 0) {
        return apply_matrix(config, setting, err);
    }
    if (setting->option >= 0) {
        return apply_option(lesson, config, setting, err);
    }
    if (strcmp(setting->key, "variant") == 0) {
        config->variant = (enum attn_variant)attn_variant_find(setting->value);
    }
    return ATTN_OK;
}

enum attn_status lesson_apply_step(const struct lesson *lesson, struct config *config,
                                   const struct lesson_step *step, struct attn_error *err)
{
    enum attn_status status = ATTN_OK;
    if (step->fresh) {
        config_finish(config);
        lesson_config_init(lesson, config);
        status = lesson_apply_step(lesson, config, &lesson->front, err);
    }
    for (int i = 0; status == ATTN_OK && i < step->n_settings; i++) {
        status = lesson_apply(lesson, config, &step->settings[i], err);
        if (status != ATTN_OK && err != NULL) {
            err->line = step->settings[i].line;
            err->column = step->settings[i].column;
        }
    }
    return status;
}

enum attn_status lesson_config(const struct lesson *lesson, int block, struct config *out,
                               struct attn_error *err)
{
    struct config config;
    lesson_config_init(lesson, &config);
    enum attn_status status = lesson_apply_step(lesson, &config, &lesson->front, err);
    for (int i = 0; status == ATTN_OK && i < lesson->n_steps; i++) {
        if (lesson->steps[i].block <= block) {
            status = lesson_apply_step(lesson, &config, &lesson->steps[i], err);
        }
    }
    if (status != ATTN_OK) {
        config_finish(&config);
        return status;
    }
    *out = config;
    return ATTN_OK;
}

int lesson_compare(const struct lesson *lesson, int block)
{
    int variant = -1;
    for (int i = 0; i < lesson->n_steps && lesson->steps[i].block <= block; i++) {
        const struct lesson_step *const step = &lesson->steps[i];
        variant = step->compare_given ? step->compare : step->fresh ? -1 : variant;
    }
    return variant;
}

int lesson_lab(const struct lesson *lesson, int block)
{
    int lab = -1;
    for (int i = 0; i < lesson->n_steps && lesson->steps[i].block <= block; i++) {
        const struct lesson_step *const step = &lesson->steps[i];
        lab = step->lab_given ? step->lab : step->fresh ? -1 : lab;
    }
    return lab;
}
