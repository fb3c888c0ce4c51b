/* The names that real modules' files have, and the way their weights lie. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "internal.h"

const char *load_local_name(const struct config *config, const char *name)
{
    const size_t n = strlen(config->prefix);
    return strncmp(name, config->prefix, n) == 0 ? name + n : name;
}

bool load_turn(struct loaded *loaded)
{
    const size_t rows = (size_t)loaded->dims[1];
    const size_t cols = (size_t)loaded->dims[2];
    float *const turned = malloc(rows * cols * sizeof *turned);
    if (turned == NULL) {
        return false;
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < cols; c++) {
            turned[c * rows + r] = loaded->data[r * cols + c];
        }
    }
    free(loaded->data);
    loaded->data = turned;
    loaded->dims[1] = (int)cols;
    loaded->dims[2] = (int)rows;
    return true;
}

const char *load_suggest_prefix(enum attn_variant variant, const char *name, char *out, size_t size)
{
    for (const char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        const enum attn_tensor_id id = attn_tensor_find(variant, dot + 1);
        if (id != ATTN_NO_TENSOR && attn_tensors[id].group == ATTN_GROUP_WEIGHT) {
            snprintf(out, size, "%.*s", (int)(dot + 1 - name), name);
            return out;
        }
    }
    return NULL;
}
