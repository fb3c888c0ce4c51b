#include <stdio.h>
#include <string.h>

#include "view_matrix.h"
#include "view_panel.h"

static const char *const lang_titles[ATTN_N_LANGS] = {"Math", "PyTorch", "NumPy", "C"};

enum { SNIPPET_MAX = 1024 };

static int n_outputs(enum attn_stage stage)
{
    int n = 0;
    while (attn_stages[stage].outputs[n] != ATTN_NO_TENSOR) {
        n++;
    }
    return n;
}

/** Which of the stage's outputs is looked at. */
static int current_output(const struct view_walk *v, enum attn_stage stage)
{
    for (int i = 0; attn_stages[stage].outputs[i] != ATTN_NO_TENSOR; i++) {
        if (attn_stages[stage].outputs[i] == v->cursor.tensor) {
            return i;
        }
    }
    return v->step.output;
}

/** Lines become one: indentation is dropped, statements are joined. */
static void join_lines(char *text, enum attn_lang lang)
{
    char out[SNIPPET_MAX];
    size_t n = 0;
    for (const char *p = text; *p != '\0' && n + 3 < sizeof out; p++) {
        if (*p == '\n') {
            n += (size_t)snprintf(out + n, sizeof out - n, "%s", lang == ATTN_LANG_C ? " " : "; ");
            p += strspn(p + 1, " ");
        } else {
            out[n++] = *p;
        }
    }
    out[n] = '\0';
    memcpy(text, out, n + 1);
}

void view_code_line(struct frame *f, const struct view_walk *v, int row)
{
    const enum attn_stage stage = attn_trace_stage(v->trace, v->step.stage);
    char text[SNIPPET_MAX];
    const int lines = attn_trace_snippet(v->trace, stage, v->lang, text, sizeof text);
    char *line = text;
    if (lines > 1 && lines == n_outputs(stage)) {
        for (int i = current_output(v, stage); i > 0 && strchr(line, '\n') != NULL; i--) {
            line = strchr(line, '\n') + 1;
        }
        line[strcspn(line, "\n")] = '\0';
    } else {
        join_lines(text, v->lang);
    }
    int col = 1 + frame_put(f, row, 1, FRAME_DIM, FRAME_MARK_NONE, lang_titles[v->lang]) + 2;
    if (attn_trace_idle(v->trace, stage)) {
        frame_put(f, row, col, FRAME_DIM, FRAME_MARK_NONE, "(nothing runs here)");
        return;
    }
    frame_put_fit(f, row, col, f->cols - col - 1, false, FRAME_CODE_HERE, FRAME_MARK_NONE, line);
}

/** Put one line of code; where it is too long it goes on below, indented. @return rows used. */
static int put_code(struct frame *f, struct view_place place, int row, bool here, const char *line)
{
    const enum frame_role role = here ? FRAME_CODE_HERE : FRAME_CODE;
    if (row >= place.rows) {
        return 0;
    }
    if (here) {
        frame_put(f, place.row + row, place.col, FRAME_TEXT, FRAME_MARK_WRITE,
                  f->ascii ? ">" : "▶");
    }
    const int indent = (int)strspn(line, " ") + 2;
    const int rows = frame_put_wrapped(f, place.row + row, place.col + indent, place.cols - indent,
                                       place.rows - row, role, line + strspn(line, " "));
    return rows > 0 ? rows : 1;
}

int view_code_panel(struct frame *f, const struct view_walk *v, struct view_place place)
{
    for (int r = 0; r < place.rows; r++) {
        frame_put(f, place.row + r, place.col - 1, FRAME_DIM, FRAME_MARK_NONE, "│");
    }
    place.col += 1;
    place.cols -= 1;
    frame_putf(f, place.row, place.col, FRAME_HEADING, FRAME_MARK_NONE, "%s", lang_titles[v->lang]);
    frame_putf(f, place.row, place.col + frame_width(f, lang_titles[v->lang]) + 2, FRAME_DIM,
               FRAME_MARK_NONE, "%s",
               attn_variants[attn_trace_config(v->trace)->variant].class_name);
    const int n = attn_trace_n_stages(v->trace);
    int row = 2;
    const bool spaced = place.rows > 4 * n;
    for (int i = 0; i < n; i++) {
        const enum attn_stage stage = attn_trace_stage(v->trace, i);
        char text[SNIPPET_MAX];
        if (attn_trace_idle(v->trace, stage)) {
            continue;
        }
        const int lines = attn_trace_snippet(v->trace, stage, v->lang, text, sizeof text);
        const bool each = lines == n_outputs(stage) && v->step.grain != WALK_STAGE;
        char *line = strtok(text, "\n");
        for (int k = 0; line != NULL; k++) {
            const bool here = i == v->step.stage && (!each || k == current_output(v, stage));
            row += put_code(f, place, row, here, line);
            line = strtok(NULL, "\n");
        }
        row += spaced;
    }
    return row;
}
