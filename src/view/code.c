#include <stdio.h>
#include <string.h>

#include "view_matrix.h"
#include "view_panel.h"

static const char *const lang_titles[ATTN_N_LANGS] = {"Math", "PyTorch", "NumPy", "C"};

enum { SNIPPET_MAX = 1024, PANEL_HEAD = 2 };

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

/* ---- the panel ---- */

/** What a break costs in columns that are left empty, by what stands before it. */
enum {
    COST_OPERATOR = 6,
    COST_SPACE = 10,
    COST_BRACKET = 12,
    COST_DEEPER = 16, /* of a bracket within another */
    COST_BARE = 30,
    HANGING = 2
};

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/** @param before, after  The characters around the break; -1: no break here. */
static int break_cost(char before, char after)
{
    if (before == ' ' || after == '\0') {
        return -1; /* the blank goes with what is before it */
    }
    if (after == ' ') {
        return is_one_of(before, ",;)]{}:")                               ? 0
               : (before & 0x80) != 0 || is_one_of(before, "+-*/@=<>&|?") ? COST_OPERATOR
                                                                          : COST_SPACE;
    }
    if (is_one_of(before, ",;")) {
        return 0;
    }
    if (before == '(') {
        return after == ')' ? -1 : COST_BRACKET;
    }
    return is_one_of(before, "+-*/@=<>&|") && !is_one_of(after, "+-*/@=<>&|)]") ? COST_BARE : -1;
}

/**
 * Where a line of code is broken: at a blank, behind a comma, a bracket or an operator, never in a
 * name while there is another place.
 * @return the bytes that go into this many columns; all of them where they fit.
 */
static size_t code_break(const struct frame *f, const char *text, int cols)
{
    size_t best = 0;
    size_t n = 0;
    int least = 0;
    int depth = 0;
    while (text[n] != '\0') {
        char part[SNIPPET_MAX];
        size_t next = n + 1;
        while ((text[next] & 0xC0) == 0x80) {
            next++;
        }
        snprintf(part, sizeof part, "%.*s", (int)next, text);
        const int width = frame_width(f, part);
        if (width > cols) {
            break;
        }
        depth += text[n] == '(' ? 1 : text[n] == ')' ? -1 : 0;
        int cost = break_cost(text[next - 1], text[next]);
        cost += text[n] == '(' && cost >= 0 ? (depth - 1) * COST_DEEPER : 0;
        if (cost >= 0 && (best == 0 || cols - width + cost <= least)) {
            best = next;
            least = cols - width + cost;
        }
        n = next;
    }
    return text[n] == '\0' || best == 0 ? (n > 0 ? n : 1) : best;
}

/** The rows of a panel: those from `top` on are seen. */
struct code_rows {
    struct view_place place;
    int top, row;
    int here, here_end; /**< The rows of the current stage. */
    bool draws;
};

static void put_row(struct frame *f, const struct code_rows *p, int col, enum frame_role role,
                    enum frame_mark mark, const char *text)
{
    const int row = p->row - p->top;
    if (p->draws && row >= 0 && row < p->place.rows) {
        frame_put(f, p->place.row + row, p->place.col + col, role, mark, text);
    }
}

/** Put one line of code; where it is too long it goes on below, further to the right. */
static void put_code(struct frame *f, struct code_rows *p, bool here, const char *line)
{
    const enum frame_role role = here ? FRAME_CODE_HERE : FRAME_CODE;
    int indent = (int)strspn(line, " ") + 2;
    const int hanging = indent + HANGING;
    line += strspn(line, " ");
    if (here) {
        put_row(f, p, 0, FRAME_TEXT, FRAME_MARK_WRITE, f->ascii ? ">" : "▶");
        p->here = p->here < 0 ? p->row : p->here;
    }
    do {
        char part[SNIPPET_MAX];
        const size_t n = code_break(f, line, p->place.cols - indent);
        snprintf(part, sizeof part, "%.*s", (int)n, line);
        put_row(f, p, indent, role, FRAME_MARK_NONE, part);
        line += n;
        line += strspn(line, " ");
        indent = hanging;
        p->row++;
    } while (*line != '\0');
    p->here_end = here ? p->row : p->here_end;
}

static void put_stages(struct frame *f, const struct view_walk *v, struct code_rows *p, bool spaced)
{
    const int n = attn_trace_n_stages(v->trace);
    p->row = 0;
    p->here = -1;
    p->here_end = 0;
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
            put_code(f, p, here, line);
            line = strtok(NULL, "\n");
        }
        p->row += spaced;
    }
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
    const int beside = view_beside_rows(v);
    place.row += PANEL_HEAD;
    place.rows -= PANEL_HEAD;
    place.rows -= beside < place.rows / 2 ? beside : 0;
    struct code_rows p = {.place = place};
    put_stages(f, v, &p, true);
    const bool spaced = p.row <= place.rows;
    put_stages(f, v, &p, spaced);
    const int total = p.row;
    if (total > place.rows) { /* what runs here is in view, and what comes next */
        const int last = total - place.rows;
        p.top = p.here_end + 1 > place.rows ? p.here_end + 1 - place.rows : 0;
        p.top = p.here >= 0 && p.top > p.here ? p.here : p.top;
        p.top = p.top > last ? last : p.top;
    }
    p.draws = true;
    put_stages(f, v, &p, spaced);
    return PANEL_HEAD + (total < place.rows ? total : place.rows);
}
