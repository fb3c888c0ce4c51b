/* What a stage is called and what it computes: as it runs, with its mistakes and without a scale.
 */
#include <stdio.h>
#include <string.h>

#include "attn/bugs.h"
#include "view_panel.h"

/** What a bug makes of a stage's box; NULL: only the mark that it is wrong. */
static const struct {
    const char *box, *ascii;
} boxes[ATTN_N_BUGS] = {
    [ATTN_BUG_NO_SCALE] = {"×1", "*1"},
    [ATTN_BUG_SCALE_DK] = {"÷d", "/d"},
    [ATTN_BUG_SCALE_INVERSE] = {"×√d", "*sqrt d"},
    [ATTN_BUG_SCALE_DIM_IN] = {"÷√d_in", "/sqrt d_in"},
    [ATTN_BUG_NO_TRANSPOSE] = {"QK", "QK"},
    [ATTN_BUG_NO_MASK] = {"no mask", "no mask"},
    [ATTN_BUG_NO_OUTPUT] = {"no W_o", "no W_o"},
};

/** The bug that changed this stage, or -1. */
static int bug_of(const attn_trace *trace, enum attn_stage stage)
{
    const attn_config *const config = attn_trace_config(trace);
    int found = -1;
    for (int i = config->n_bugs - 1; i >= 0 && attn_trace_changed(trace, stage); i--) {
        for (const enum attn_stage *s = attn_bugs[config->bugs[i]].stages; *s != ATTN_NO_STAGE;
             s++) {
            found = *s == stage ? (int)config->bugs[i] : found;
        }
    }
    return found;
}

/** Is the scale another factor than the one that the stage is about? */
static bool rescaled(const attn_trace *trace, enum attn_stage stage)
{
    return stage == ATTN_STAGE_SCALE && attn_trace_config(trace)->scale_given;
}

const char *view_box(const struct frame *f, const attn_trace *trace, enum attn_stage stage,
                     char out[VIEW_BOX_MAX])
{
    const int bug = bug_of(trace, stage);
    const struct attn_stage_info *const info = &attn_stages[stage];
    const char *box = f->ascii ? info->box_ascii : info->box;
    if (bug >= 0) {
        const char *const wrong = f->ascii ? boxes[bug].ascii : boxes[bug].box;
        snprintf(out, VIEW_BOX_MAX, "%s!", wrong != NULL ? wrong : box);
    } else if (rescaled(trace, stage)) {
        snprintf(out, VIEW_BOX_MAX, "%s%g", f->ascii ? "*" : "×",
                 (double)attn_trace_config(trace)->scale);
    } else {
        snprintf(out, VIEW_BOX_MAX, "%s", box);
    }
    return out;
}

/** "Scale: keep the scores' spread …"; of what is wrong or off, that after the colon. */
static const char *title_of(const attn_trace *trace, enum attn_stage stage, char *out, size_t size)
{
    const char *const title = attn_stages[stage].title;
    const int bug = bug_of(trace, stage);
    const char *what = NULL;
    if (bug >= 0) {
        what = attn_bugs[bug].title;
    } else if (attn_trace_idle(trace, stage)) {
        what = "nothing to do here";
    } else if (rescaled(trace, stage)) {
        what = attn_trace_config(trace)->scale == 1.0F ? "off" : "by a factor of your own";
    }
    if (what == NULL) {
        return title;
    }
    snprintf(out, size, "%.*s: %s", (int)strcspn(title, ":"), title, what);
    return out;
}

/** Another name of the same length in the place of one. */
static void rename_all(char *text, const char *from, const char *to)
{
    for (char *at = strstr(text, from); at != NULL; at = strstr(at + 1, from)) {
        memcpy(at, to, strlen(from));
    }
}

/** The softmax and the mix read what stands in for a stage that is not there. */
static void name_sources(const attn_trace *trace, enum attn_stage stage, char *text)
{
    if (stage == ATTN_STAGE_SOFTMAX && attn_trace_tensor(trace, ATTN_MASKED) == NULL) {
        rename_all(text, "masked", "scaled");
    } else if (stage == ATTN_STAGE_MIX && attn_trace_tensor(trace, ATTN_DROPPED) != NULL) {
        rename_all(text, "weights", "dropped");
    }
}

const char *view_formula(const attn_trace *trace, enum attn_stage stage, char out[VIEW_FORMULA_MAX])
{
    const struct attn_stage_info *const info = &attn_stages[stage];
    const int bug = bug_of(trace, stage);
    const bool bare =
        info->formula_bare != NULL && !attn_variants[attn_trace_config(trace)->variant].bias;
    out[0] = '\0';
    if (bug >= 0) {
        snprintf(out, VIEW_FORMULA_MAX, "%s", attn_bugs[bug].computes);
    } else if (rescaled(trace, stage)) {
        const float scale = attn_trace_config(trace)->scale;
        snprintf(out, VIEW_FORMULA_MAX,
                 scale == 1.0F ? "scaled[t,s] = scores[t,s]" : "scaled[t,s] = scores[t,s] · %g",
                 (double)scale);
    } else if (!attn_trace_idle(trace, stage)) {
        snprintf(out, VIEW_FORMULA_MAX, "%s", bare ? info->formula_bare : info->formula);
    }
    name_sources(trace, stage, out);
    return out;
}

int view_title_rows(const struct frame *f, const struct view_walk *v, int cols)
{
    char title[VIEW_FORMULA_MAX];
    char formula[VIEW_FORMULA_MAX];
    const enum attn_stage stage = attn_trace_stage(v->trace, v->step.stage);
    return frame_wrapped_rows(f, cols - 2, title_of(v->trace, stage, title, sizeof title)) +
           frame_wrapped_rows(f, cols - 2, view_formula(v->trace, stage, formula));
}

void view_stage_title(struct frame *f, const struct view_walk *v, struct view_place place)
{
    char title[VIEW_FORMULA_MAX];
    char text[VIEW_FORMULA_MAX];
    if (place.rows < 1) {
        return;
    }
    const enum attn_stage stage = attn_trace_stage(v->trace, v->step.stage);
    const int rows = frame_put_wrapped(f, place.row, place.col + 1, place.cols - 2, place.rows,
                                       bug_of(v->trace, stage) >= 0 ? FRAME_WARN : FRAME_HEADING,
                                       title_of(v->trace, stage, title, sizeof title));
    const char *const formula = view_formula(v->trace, stage, text);
    if (frame_wrapped_rows(f, place.cols - 2, formula) <= place.rows - rows) { /* whole or not */
        frame_put_wrapped(f, place.row + rows, place.col + 1, place.cols - 2, place.rows - rows,
                          FRAME_DIM, formula);
    }
}
