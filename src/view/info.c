#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "view_matrix.h"
#include "view_panel.h"

enum { OTHER_MAX = 160 };

/* ---- the cell under the cursor ---- */

/** What the number under the cursor is in the other computation. @return false: nothing to say. */
static bool other_text(const struct view_walk *v, char out[OTHER_MAX], bool *differs)
{
    float other;
    char number[WALK_NUMBER_MAX];
    char name[64];
    if (v->against == NULL) {
        return false;
    }
    const attn_trace *const there = v->against->trace;
    const enum attn_tensor_id held = walk_counterpart(v->trace, there, v->cursor.tensor);
    *differs = walk_differs(v->trace, there, v->cursor, 0.0, &other);
    if (held == ATTN_NO_TENSOR || (!*differs && !v->against->beside)) {
        return false;
    }
    attn_tensor_name(attn_trace_config(there)->variant, held, name, sizeof name);
    snprintf(out, OTHER_MAX, "%s%s%s: %s", v->against->name, held == v->cursor.tensor ? "" : " ",
             held == v->cursor.tensor ? "" : name,
             *differs ? walk_number((double)other, number) : "the same");
    return true;
}

int view_other(struct frame *f, const struct view_walk *v, struct view_place place)
{
    char text[OTHER_MAX];
    bool differs;
    if (!other_text(v, text, &differs)) {
        return 0;
    }
    const int width = frame_width(f, text);
    frame_put(f, place.row, place.col + place.cols - width, differs ? FRAME_CHANGED : FRAME_DIM,
              FRAME_MARK_NONE, text);
    return width + 2;
}

/** What an input is. */
static const char *kind_of(enum attn_tensor_id id)
{
    static const char *const switches[] = {
        [ATTN_MASK] = "1 keeps the key for this query, 0 hides it",
        [ATTN_KEEP] = "1 keeps the weight, 0 drops it",
        [ATTN_PADDING] = "1 is a real key, 0 is padding",
        [ATTN_UNPADDED] = "1 keeps the key, 0 hides it, before the padding"};
    const struct attn_tensor_info *const info = &attn_tensors[id];
    return info->kind == ATTN_KIND_MASK       ? switches[id]
           : info->group != ATTN_GROUP_WEIGHT ? "an input"
           : info->axes[1] == ATTN_AXIS_NONE  ? "a bias"
                                              : "a weight";
}

/** Where the number under the cursor comes from, and what can be done with it. */
static void origin_text(const struct view_walk *v, char *out, size_t size)
{
    const enum attn_tensor_id id = v->cursor.tensor;
    const struct attn_tensor_info *const info = &attn_tensors[id];
    const char *const kind = kind_of(id);
    char number[WALK_NUMBER_MAX];
    for (int i = 0; i < v->setup->n_edited; i++) {
        const struct config_edit *const was = &v->setup->edited[i];
        if (was->cell.tensor == id &&
            memcmp(was->cell.at, v->cursor.at, sizeof was->cell.at) == 0) {
            snprintf(out, size, "%s; changed by you (was %s)", kind,
                     info->kind == ATTN_KIND_MASK ? was->value > 0 ? "1" : "0"
                                                  : walk_number((double)was->value, number));
            return;
        }
    }
    if (v->setup->loaded_tensor[id]) {
        snprintf(out, size, "%s, %s %s; e changes it", kind, v->lesson ? "given by" : "read from",
                 v->lesson         ? "the lesson"
                 : v->file != NULL ? v->file
                                   : "a file");
    } else if (id == ATTN_KEEP) {
        snprintf(out, size, "%s: drawn from the seed", kind);
    } else if (info->kind == ATTN_KIND_MASK) {
        snprintf(out, size, "%s; e changes it", kind);
    } else {
        snprintf(out, size, "%s, drawn from the seed as %s draws it; e changes it", kind,
                 info->group == ATTN_GROUP_WEIGHT ? "nn.Linear" : "torch.randn");
    }
}

static void put_input(struct frame *f, const struct view_walk *v, struct view_place place,
                      const char *name)
{
    char number[WALK_NUMBER_MAX];
    char origin[512];
    origin_text(v, origin, sizeof origin);
    view_other(f, v, place);
    frame_putf(f, place.row, place.col, FRAME_HEADING, FRAME_MARK_NONE, "%s = %s", name,
               walk_number((double)walk_value(v->trace, v->cursor), number));
    frame_put_fit(f, place.row + 1, place.col + 1, place.cols - 1, false, FRAME_TEXT,
                  FRAME_MARK_NONE, origin);
}

/** Does a name begin here, and end `length` further on? */
static bool is_whole(const char *text, const char *at, size_t length)
{
    const char before = at > text ? at[-1] : ' ';
    const char after = at[length];
    return !isalnum((unsigned char)before) && before != '_' && before != '.' &&
           !isalnum((unsigned char)after) && after != '_' && after != '.';
}

/** Put the symbol of a tensor in place of its name: "W_q" for "query_proj.weight". */
static void put_symbol(const struct view_walk *v, enum attn_tensor_id id, char *text)
{
    char name[64];
    const char *const symbol = attn_tensors[id].symbol;
    attn_tensor_name(attn_trace_config(v->trace)->variant, id, name, sizeof name);
    const size_t length = strlen(name);
    const size_t shorter = strlen(symbol);
    char *at = shorter < length ? strstr(text, name) : NULL;
    while (at != NULL) {
        if (is_whole(text, at, length)) {
            memcpy(at, symbol, shorter);
            memmove(at + shorter, at + length, strlen(at + length) + 1);
        }
        at = strstr(at + 1, name);
    }
}

/** A formula in this many columns: where it is too long weights go by their symbols, then the
 * cell's own name is left out, and what is still too long ends between two words. @param named
 * Nothing but this line tells which cell it is. */
static void fit_formula(const struct frame *f, const struct view_walk *v, char *text, size_t size,
                        int cols, bool named)
{
    for (int i = 0; i < ATTN_N_LAYERS && frame_width(f, text) > cols; i++) {
        put_symbol(v, attn_layers[i].weight, text);
        put_symbol(v, attn_layers[i].bias, text);
    }
    const char *const right = strstr(text, " = ");
    if (right != NULL && !named && frame_width(f, text) > cols) {
        memmove(text, right + 3, strlen(right + 3) + 1);
    }
    char *end = text + strlen(text);
    const bool whole = frame_width(f, text) <= cols;
    while (!whole && end > text && (*end != ' ' || frame_width(f, text) + 2 > cols)) {
        *end-- = '\0';
    }
    if (!whole && end > text) {
        snprintf(end, size - (size_t)(end - text), " …");
    }
}

/** Columns of the first of several lines. */
static int first_width(const struct frame *f, const char *lines)
{
    char first[1024];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(lines, "\n"), lines);
    return frame_width(f, first);
}

/** The other number has the end of the first row; of the second where the formula needs the first
 * and the numbers leave room; and gives way where it is the same. @return its row, or -1. */
static int other_row(const struct frame *f, const struct view_walk *v, struct view_place place,
                     int taken, const char *numbers)
{
    char text[OTHER_MAX];
    bool differs;
    if (!other_text(v, text, &differs)) {
        return -1;
    }
    const int width = frame_width(f, text) + 2;
    const bool below = place.rows > 1 && first_width(f, numbers) + 1 + width <= place.cols;
    return taken + width <= place.cols ? 0 : below ? 1 : differs ? 0 : -1;
}

/** The formula, on two rows where the numbers below leave one. @return its rows. */
static int put_formula(struct frame *f, const struct view_walk *v, struct view_place place,
                       int room, int spare)
{
    char text[512];
    walk_formula(v->setup, v->trace, v->cursor, text, sizeof text);
    if (spare > 0 && frame_width(f, text) > room && frame_wrapped_rows(f, room, text) == 2) {
        return frame_put_wrapped(f, place.row, place.col, room, 2, FRAME_HEADING, text);
    }
    fit_formula(f, v, text, sizeof text, room, place.rows == 1);
    frame_put_fit(f, place.row, place.col, room, false, FRAME_HEADING, FRAME_MARK_NONE, text);
    return 1;
}

static void put_computed(struct frame *f, const struct view_walk *v, struct view_place place)
{
    struct walk_explanation e;
    if (walk_explain(v->trace, v->cursor, &e, NULL) != ATTN_OK) {
        return;
    }
    char text[1024] = "";
    char number[WALK_NUMBER_MAX];
    char value[WALK_NUMBER_MAX + 4];
    snprintf(value, sizeof value, "= %s", walk_number((double)e.value, number));
    const int noted = e.note != NULL && place.rows > 2 ? 1 : 0;
    const int below = place.rows - 1 - noted;
    int lines = 0;
    walk_formula(v->setup, v->trace, v->cursor, text, sizeof text);
    const int taken = frame_width(f, text) + 1 + frame_width(f, value);
    text[0] = '\0';
    if (below > 0) {
        lines = walk_arithmetic(v->trace, &e, place.cols - 1, below, text, sizeof text);
    }
    const int other = other_row(f, v, place, taken, text);
    struct view_place head = place;
    if (other == 0) {
        head.cols -= view_other(f, v, place);
    }
    const int room = head.cols - frame_width(f, value) - 1;
    int row = put_formula(f, v, head, room, below - lines);
    frame_put(f, head.row + row - 1, head.col + room + 1, FRAME_HEADING, FRAME_MARK_NONE, value);
    if (other == 1) { /* behind the numbers, whose first row has room for it */
        view_other(f, v, (struct view_place){place.row + row, place.col, 1, place.cols});
    }
    for (char *line = strtok(text, "\n"); line != NULL && row < place.rows; row++) {
        frame_put(f, place.row + row, place.col + 1, FRAME_TEXT, FRAME_MARK_NONE, line);
        line = strtok(NULL, "\n");
    }
    if (noted) {
        frame_put_fit(f, place.row + place.rows - 1, place.col + 1, place.cols - 1, false,
                      FRAME_WARN, FRAME_MARK_NONE, e.note);
    }
    walk_explanation_finish(&e);
}

void view_arithmetic(struct frame *f, const struct view_walk *v, struct view_place place)
{
    char name[128];
    char text[512];
    if (!walk_has(v->trace, v->cursor)) {
        return;
    }
    walk_cell_text(v->setup, v->trace, v->cursor, name, sizeof name);
    if (!walk_computed(v->trace, &v->step, v->cursor)) {
        frame_putf(f, place.row, place.col, FRAME_DIM, FRAME_MARK_NONE, "%s is not computed yet",
                   name);
    } else if (view_is_hidden(v, v->cursor)) {
        walk_formula(v->setup, v->trace, v->cursor, text, sizeof text);
        fit_formula(f, v, text, sizeof text, place.cols, place.rows == 1);
        frame_put_fit(f, place.row, place.col, place.cols, false, FRAME_HEADING, FRAME_MARK_NONE,
                      v->hidden->shape || text[0] == '\0' ? name : text);
        frame_put_fit(f, place.row + 1, place.col + 1, place.rows > 1 ? place.cols - 1 : 0, false,
                      FRAME_DIM, FRAME_MARK_NONE, "What it is, is the question.");
    } else if (attn_trace_writer(v->trace, v->cursor.tensor) == ATTN_NO_STAGE) {
        put_input(f, v, place, name);
    } else {
        put_computed(f, v, place);
    }
}

/* ---- words, flags, invariants ---- */

/** Is the flag about a tensor that this stage writes, or an input that it reads? */
static bool flag_is_here(const struct view_walk *v, const struct attn_flag *flag)
{
    enum attn_tensor_id ids[VIEW_MATRICES_MAX];
    const enum attn_stage writer = attn_trace_writer(v->trace, flag->tensor);
    if (writer != ATTN_NO_STAGE) {
        return writer == attn_trace_stage(v->trace, v->step.stage);
    }
    const int n = view_stage_tensors(v->trace, v->step.stage, ids);
    for (int i = 0; i < n; i++) {
        if (ids[i] == flag->tensor) {
            return true;
        }
    }
    return false;
}

/** Is the cursor on what the step writes, or is there nothing else to speak of? */
static bool is_of_step(const struct view_walk *v)
{
    const enum attn_stage stage = attn_trace_stage(v->trace, v->step.stage);
    return v->step.grain == WALK_STAGE || attn_trace_idle(v->trace, stage) ||
           !walk_has(v->trace, v->cursor) || attn_trace_writer(v->trace, v->cursor.tensor) == stage;
}

void view_words(struct frame *f, const struct view_walk *v, struct view_place place)
{
    char text[1024];
    int n;
    const struct attn_flag *flags = attn_trace_flags(v->trace, &n);
    const struct attn_flag *flag = NULL;
    for (int i = n - 1; i >= 0; i--) {
        flag = flag_is_here(v, &flags[i]) ? &flags[i] : flag;
    }
    int used = 0;
    if (flag != NULL) {
        walk_flag_text(v->setup, v->trace, flag, text, sizeof text);
        used = frame_put_wrapped(f, place.row, place.col, place.cols, place.rows, FRAME_WARN, text);
    }
    if (is_of_step(v)) {
        walk_words(v->setup, v->trace, &v->step, text, sizeof text);
    } else {
        walk_cell_words(v->setup, v->trace, v->cursor, text, sizeof text);
    }
    frame_put_wrapped(f, place.row + used, place.col, place.cols, place.rows - used, FRAME_TEXT,
                      text);
}

enum { CLAIM_GAP = 3 };

static const char *const claim_marks[] = {
    [WALK_PLAIN] = "", [WALK_HOLDS] = " ✓", [WALK_BROKEN] = " ✗"};

static int claim_width(const struct frame *f, const struct walk_invariant *claim)
{
    return frame_width(f, claim->text) + frame_width(f, claim_marks[claim->verdict]);
}

/** Where there is no room for all, the last go first; but what does not hold stays. */
static void choose_claims(const struct frame *f, int cols, const struct walk_invariant *claims,
                          int n, bool chosen[WALK_INVARIANTS_MAX])
{
    int width = -CLAIM_GAP;
    for (int i = 0; i < n; i++) {
        chosen[i] = true;
        width += claim_width(f, &claims[i]) + CLAIM_GAP;
    }
    for (int i = n - 1; i >= 0 && width > cols; i--) {
        if (claims[i].verdict != WALK_BROKEN) {
            chosen[i] = false;
            width -= claim_width(f, &claims[i]) + CLAIM_GAP;
        }
    }
}

void view_invariants(struct frame *f, const struct view_walk *v, struct view_place place)
{
    static const enum frame_role roles[] = {FRAME_DIM, FRAME_OK, FRAME_WARN};
    struct walk_invariant all[WALK_INVARIANTS_MAX];
    bool chosen[WALK_INVARIANTS_MAX];
    if (!walk_has(v->trace, v->cursor) || !walk_computed(v->trace, &v->step, v->cursor)) {
        return;
    }
    const int n = v->invariants != NULL
                      ? v->n_invariants
                      : walk_invariants(v->trace, v->cursor.tensor, v->cursor.at[0], all);
    const struct walk_invariant *const claims = v->invariants != NULL ? v->invariants : all;
    choose_claims(f, place.cols, claims, n, chosen);
    int col = place.col;
    for (int i = 0; i < n; i++) {
        const enum walk_verdict verdict = claims[i].verdict;
        const int width = claim_width(f, &claims[i]);
        if (chosen[i] && col + width <= place.col + place.cols) {
            const int used =
                frame_put(f, place.row, col, FRAME_DIM, FRAME_MARK_NONE, claims[i].text);
            frame_put(f, place.row, col + used, roles[verdict], FRAME_MARK_NONE,
                      claim_marks[verdict]);
            col += width + CLAIM_GAP;
        }
    }
}
