#include <string.h>

#include "lesson_parts.h"

static const char *const names[] = {
    "no-scale",
    "scale-dk",
    "scale-inverse",
    "scale-dim-in",
    "softmax-queries",
    "softmax-unsafe",
    "no-mask",
    "mask-after-softmax",
    "mask-tiny-fill",
    "mask-inverted",
    "mask-added",
    "mask-queries",
    "causal-no-diagonal",
    "no-transpose",
    "qkv-order",
    "qkv-interleaved",
    "weight-transposed",
    "no-bias",
    "dropout-unscaled",
    "dropout-scores",
    "dropout-eval",
    "no-output",
    "none",
};

enum { N_NAMES = sizeof names / sizeof names[0] };

void lesson_bug_read(struct lesson_reader *r, struct lesson_step *step,
                     const struct lesson_field *field)
{
    for (int i = 0; i < N_NAMES; i++) {
        if (strcmp(names[i], field->value) == 0) {
            (void)lesson_add_setting(r, step, field);
            return;
        }
    }
    const char *const near = config_nearest(field->value, names, N_NAMES);
    step->broken = true;
    if (near != NULL) {
        lesson_error_add(r->errors, field->line, field->value_column,
                         "unknown bug '%s' (did you mean %s?)", field->value, near);
    } else {
        lesson_error_add(r->errors, field->line, field->value_column,
                         "unknown bug '%s' (attn help bugs lists them)", field->value);
    }
}
