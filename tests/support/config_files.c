#include "config_files.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"

enum { FILES_MAX = 8, FLOATS = 4096 };

static char directory[] = "/tmp/attn-config-XXXXXX";
static float numbers[FLOATS]; /* 0.01, 0.02, …: what every file holds unless it says otherwise */
static float ones[FLOATS];
static float turned[16]; /* the weights of v3.npz as [in,out] */

/* The files of the tests: a name, and the arrays in it. */
static const struct {
    const char *file;
    struct io_out arrays[FILES_MAX];
} files[] = {
    {"x.npy", {{"x", 2, {3, 2}, numbers}}},
    {"x3.npy", {{"x", 3, {2, 3, 2}, numbers}}},
    {"line.npy", {{"x", 1, {3}, numbers}}},
    {"v3.npz",
     {{"x", 3, {1, 3, 2}, numbers},
      {"proj.weight", 2, {6, 2}, numbers + 10},
      {"proj.bias", 1, {6}, numbers + 30},
      {"output_proj.weight", 2, {2, 2}, numbers + 40},
      {"output_proj.bias", 1, {2}, numbers + 50},
      {"weights", 3, {1, 3, 3}, numbers},
      {"meta", 1, {5}, numbers}}},
    {"torch.npz",
     {{"in_proj_weight", 2, {6, 2}, numbers + 10},
      {"in_proj_bias", 1, {6}, numbers + 30},
      {"out_proj.weight", 2, {2, 2}, numbers + 40},
      {"out_proj.bias", 1, {2}, numbers + 50}}},
    {"misfit.npz", {{"x", 3, {1, 3, 4}, numbers}, {"proj.weight", 2, {6, 2}, numbers}}},
    {"merged.npz", {{"proj.weight", 2, {7, 2}, numbers}}},
    {"gpt2.npz",
     {{"h.0.attn.c_attn.weight", 2, {2, 6}, turned},
      {"h.0.attn.c_attn.bias", 1, {6}, numbers + 30},
      {"h.0.attn.c_proj.weight", 2, {2, 2}, turned + 12},
      {"h.0.attn.c_proj.bias", 1, {2}, numbers + 50}}},
    {"timm.npz",
     {{"proj.weight", 2, {2, 2}, numbers + 40},
      {"proj.bias", 1, {2}, numbers + 50},
      {"qkv.weight", 2, {6, 2}, numbers + 10},
      {"qkv.bias", 1, {6}, numbers + 30}}},
    {"turned.npz", {{"proj.weight", 2, {2, 6}, numbers}}},
    {"bias.npz", {{"proj.bias", 1, {7}, numbers}}},
    {"wide.npz", {{"query_proj.weight", 2, {4, 2}, numbers}}},
    {"nothing.npz", {{"meta", 1, {5}, numbers}, {"scores", 2, {3, 3}, numbers}}},
    {"two.npz", {{"proj.weight", 2, {6, 2}, numbers}, {"qkv.weight", 2, {6, 2}, numbers}}},
    {"keep.npz", {{"keep", 3, {1, 2, 2}, ones}, {"p", 1, {1}, numbers + 9}}},
    {"half.npz", {{"keep", 3, {1, 2, 2}, numbers}}},
    {"p.npz", {{"p", 1, {1}, numbers + 150}}},
    {"q.npy", {{"q", 2, {2, 3}, numbers}}},
    {"k.npy", {{"k", 2, {4, 3}, numbers}}},
    {"v.npy", {{"v", 2, {4, 5}, numbers}}},
    {"mask.npz", {{"x", 3, {1, 4, 2}, numbers}, {"mask", 2, {4, 4}, ones}}},
    {"mask44.npy", {{"mask", 2, {4, 4}, ones}}},
    {"mask24.npy", {{"mask", 2, {2, 4}, ones}}},
    {"tenth.npy", {{"mask", 2, {4, 4}, numbers}}},
};

/* What no writer of ours writes. */
static const struct {
    const char *file, *text;
} texts[] = {
    {"words.json", "{\"x\": [[1, 2], [3, 4]], \"title\": \"no array\"}"},
    {"true.json", "{\"x\": [[true, false], [true, true]]}"},
    {"keep.json", "{\"keep\": [[true, false], [true, true]], \"h.p\": 0.25}"},
    {"row.csv", "1,2,3,4,5,6\n"},
    {"column.csv", "1\n2\n3\n4\n5\n6\n"},
};

static void put_text(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
}

void config_files_make(void)
{
    for (int i = 0; i < FLOATS; i++) {
        numbers[i] = (float)(i + 1) / 100;
        ones[i] = 1;
    }
    for (int out = 0; out < 8; out++) { /* proj.weight, then output_proj.weight, turned round */
        const float *const from = out < 6 ? numbers + 10 + 2 * out : numbers + 40 + 2 * (out - 6);
        float *const to = out < 6 ? turned + out : turned + 12 + (out - 6);
        to[0] = from[0];
        to[out < 6 ? 6 : 2] = from[1];
    }
    ck_assert_ptr_nonnull(mkdtemp(directory));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[128];
        struct attn_error err;
        int n = 0;
        while (n < FILES_MAX && files[i].arrays[n].name != NULL) {
            n++;
        }
        snprintf(path, sizeof path, "%s/%s", directory, files[i].file);
        ck_assert_msg(io_write(path, files[i].arrays, n, &err) == ATTN_OK, "%s", err.message);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put_text(texts[i].file, texts[i].text);
    }
}

void config_files_remove(void)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", directory, files[i].file);
        remove(path);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", directory, texts[i].file);
        remove(path);
    }
    remove(directory);
}

const char *config_files_directory(void)
{
    return directory;
}

float config_files_number(int i)
{
    return numbers[i];
}

void config_files_config(struct config *config, enum attn_variant variant,
                         const char *const options[CONFIG_OPTIONS_MAX])
{
    config_init(config, variant);
    for (int k = 0; k < CONFIG_OPTIONS_MAX && options[k] != NULL; k++) {
        char word[256];
        const char *const place = strchr(options[k], '@');
        if (place != NULL) {
            snprintf(word, sizeof word, "%.*s%s/%s", (int)(place - options[k]), options[k],
                     directory, place + 1);
        } else {
            snprintf(word, sizeof word, "%s", options[k]);
        }
        char *argv[] = {word, NULL};
        struct attn_error err = {.message = ""};
        int i = 0;
        bool taken = false;
        ck_assert_msg(config_take_option(config, 1, argv, &i, &taken, &err) == ATTN_OK, "%s: %s",
                      word, err.message);
        ck_assert_msg(taken, "%s", word);
    }
}
