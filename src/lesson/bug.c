/* Can a reader see the mistake that a lesson shows? */
#include <math.h>
#include <stdio.h>

#include "lesson_parts.h"

/* Ten times the tolerance that results are compared with. */
static const double least_seen = 1e-3;

/** The largest difference of the last tensor; infinite for NaN against a number. */
static double difference(const attn_trace *a, const attn_trace *b)
{
    const attn_tensor *const x = attn_trace_tensor(a, attn_trace_result(a));
    const attn_tensor *const y = attn_trace_tensor(b, attn_trace_result(b));
    double largest = 0;
    for (int i = 0; i < x->dims[0]; i++) {
        for (int t = 0; t < x->dims[1]; t++) {
            for (int d = 0; d < x->dims[2]; d++) {
                const double p = (double)*attn_tensor_at(x, i, t, d);
                const double q = (double)*attn_tensor_at(y, i, t, d);
                const double apart = isnan(p) != isnan(q) ? (double)INFINITY : fabs(p - q);
                largest = apart > largest ? apart : largest;
            }
        }
    }
    return largest;
}

enum attn_status lesson_bug_check(const struct config *config, const attn_trace *trace,
                                  struct attn_error *err)
{
    struct config right;
    struct setup setup = {0};
    attn_trace *sound = NULL;
    if (config->n_bugs == 0) {
        return ATTN_OK;
    }
    if (config_copy(&right, config) != ATTN_OK) {
        return attn_fail(err, ATTN_E_NOMEM, NULL, "out of memory");
    }
    right.n_bugs = 0;
    enum attn_status status = config_trace(&setup, &sound, &right, err);
    config_finish(&right);
    if (status != ATTN_OK) {
        return status;
    }
    const double apart = difference(trace, sound);
    if (apart <= least_seen) {
        char number[WALK_NUMBER_MAX];
        snprintf(number, sizeof number, "%.1g", apart);
        status = attn_fail(err, ATTN_E_VALUE, config_options[CONFIG_BUG].name,
                           "%s cannot be seen with this data: it moves the result by %s at most "
                           "(choose another seed, larger scores, or weights that differ)",
                           attn_bugs[config->bugs[0]].name, number);
    }
    attn_trace_destroy(sound);
    setup_finish(&setup);
    return status;
}
