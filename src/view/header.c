#include <stdio.h>
#include <string.h>

#include "view_matrix.h"
#include "view_panel.h"

/* ---- the title ---- */

static void put_part(struct frame *f, int *col, int room, enum frame_role role, const char *text)
{
    const int width = frame_width(f, text);
    if (*col + width <= room) {
        frame_put(f, 0, *col, role, FRAME_MARK_NONE, text);
        *col += width + 3;
    }
}

static void sizes_text(const struct view_walk *v, char *out, size_t size)
{
    const attn_sizes *s = &attn_trace_config(v->trace)->sizes;
    int n = snprintf(out, size, "T %d", s->T);
    if (s->S != s->T) {
        n += snprintf(out + n, size - (size_t)n, "  S %d", s->S);
    }
    if (s->d_in != s->d) {
        n += snprintf(out + n, size - (size_t)n, "  d_in %d", s->d_in);
    }
    n += snprintf(out + n, size - (size_t)n, "  d %d", s->d);
    if (s->d_v != s->d) {
        n += snprintf(out + n, size - (size_t)n, "  d_v %d", s->d_v);
    }
    if (s->B > 1) {
        snprintf(out + n, size - (size_t)n, "  batch %d of %d", view_batch(v) + 1, s->B);
    }
}

void view_title(struct frame *f, const struct view_walk *v, int row)
{
    const attn_config *config = attn_trace_config(v->trace);
    char text[128];
    frame_fill(f, row, 0, f->cols, FRAME_TITLE, FRAME_MARK_NONE, " ");
    char place[48];
    snprintf(place, sizeof place, "%s %zu of %zu", walk_grain_names[v->step.grain],
             walk_index(v->trace, &v->step) + 1, walk_count(v->trace, v->step.grain));
    const int place_w = frame_width(f, place);
    const int room = f->cols - place_w - 3;
    int col = 1;
    snprintf(text, sizeof text, "attn %s %s", f->ascii ? "-" : "·",
             attn_variants[config->variant].name);
    put_part(f, &col, f->cols, FRAME_TITLE, text);
    sizes_text(v, text, sizeof text);
    put_part(f, &col, room, FRAME_TITLE, text);
    if (v->against != NULL && v->against->beside) {
        snprintf(text, sizeof text, "beside %s", v->against->name);
        put_part(f, &col, room, FRAME_TITLE, text);
    }
    for (int i = 0; i < config->n_bugs; i++) {
        snprintf(text, sizeof text, "bug %s", attn_bugs[config->bugs[i]].name);
        put_part(f, &col, room, FRAME_TITLE, text);
    }
    if (config->scale_given) {
        snprintf(text, sizeof text, config->scale == 1.0F ? "no scaling" : "scale %g",
                 (double)config->scale);
        put_part(f, &col, room, FRAME_TITLE, text);
    }
    if (attn_variant_has(config->variant, ATTN_STAGE_MASK)) {
        snprintf(text, sizeof text, "mask %s", v->setup->mask_text);
        put_part(f, &col, room, FRAME_TITLE, text);
    }
    if (attn_variant_has(config->variant, ATTN_STAGE_DROP)) {
        snprintf(text, sizeof text, "dropout %g %s", config->dropout_p,
                 config->training ? "train" : "eval");
        put_part(f, &col, room, FRAME_TITLE, text);
    }
    snprintf(text, sizeof text, "seed %s%s", v->setup->seed_text,
             v->setup->loaded ? " + files" : "");
    put_part(f, &col, room, FRAME_TITLE, text);
    if (room > 0) {
        frame_put(f, row, f->cols - place_w - 1, FRAME_TITLE, FRAME_MARK_NONE, place);
    }
}

/* ---- the pipeline ---- */

/** What a narrow screen gives up first. */
struct pipeline_style {
    bool numbers, ends;
    const char *arrow;
};

static const struct pipeline_style styles[] = {
    {true, true, " ─ "}, {false, true, " ─ "}, {false, false, " ─ "}, {false, false, "  "}};

static int box_width(const struct frame *f, const struct view_walk *v, int i)
{
    char text[VIEW_BOX_MAX];
    return frame_width(f, view_box(f, v->trace, attn_trace_stage(v->trace, i), text));
}

static int pipeline_width(const struct frame *f, const struct view_walk *v,
                          const struct pipeline_style *style)
{
    const int n = attn_trace_n_stages(v->trace);
    const int arrow = frame_width(f, style->arrow);
    int width = 2 + (style->ends ? 7 + 2 * arrow : 0) + (n - 1) * arrow;
    for (int i = 0; i < n; i++) {
        width += box_width(f, v, i) + (style->numbers ? 2 : 0);
    }
    return width;
}

static enum frame_role box_role(const struct view_walk *v, int i)
{
    return i == v->step.stage  ? FRAME_STAGE_HERE
           : i < v->step.stage ? FRAME_STAGE_DONE
                               : FRAME_STAGE_LATER;
}

static int put_box(struct frame *f, const struct view_walk *v, const struct pipeline_style *style,
                   int i, int row, int col)
{
    char box[VIEW_BOX_MAX];
    char text[VIEW_BOX_MAX + 16];
    const enum frame_role role = box_role(v, i);
    view_box(f, v->trace, attn_trace_stage(v->trace, i), box);
    if (style->numbers) {
        snprintf(text, sizeof text, "%d %s", i + 1, box);
    } else {
        snprintf(text, sizeof text, "%s", box);
    }
    const int width = frame_put(f, row, col, role, FRAME_MARK_NONE, text);
    return width;
}

void view_pipeline(struct frame *f, const struct view_walk *v, int row, struct view_map *map)
{
    size_t s = 0;
    while (s + 1 < sizeof styles / sizeof styles[0] && pipeline_width(f, v, &styles[s]) > f->cols) {
        s++;
    }
    const struct pipeline_style *style = &styles[s];
    const int n = attn_trace_n_stages(v->trace);
    int first = 0; /* where even the barest style is too wide, the current stage stays in view */
    int before = 0;
    for (int i = 0; i <= v->step.stage; i++) {
        before += box_width(f, v, i) + 2;
        while (before + 3 > f->cols && pipeline_width(f, v, style) > f->cols && first < i) {
            before -= box_width(f, v, first++) + 2;
        }
    }
    const bool given = attn_trace_stage(v->trace, 0) == ATTN_STAGE_SCORE;
    int col = 1;
    if (style->ends && !given) {
        col += frame_put(f, row, col, FRAME_STAGE_DONE, FRAME_MARK_NONE, "x");
        col += frame_put(f, row, col, FRAME_DIM, FRAME_MARK_NONE, style->arrow);
    }
    map->pipeline_row = row;
    if (first > 0) {
        frame_put(f, row, 0, FRAME_DIM, FRAME_MARK_NONE, "…");
    }
    for (int i = first; i < n; i++) {
        const int end = col + frame_width(f, style->arrow) + box_width(f, v, i);
        if (i > v->step.stage && end > f->cols - (i < n - 1 ? 2 : 0)) { /* no box in half */
            frame_put(f, row, col + 1, FRAME_DIM, FRAME_MARK_NONE, "…");
            break;
        }
        if (i > first) {
            col += frame_put(f, row, col, FRAME_DIM, FRAME_MARK_NONE, style->arrow);
        }
        map->boxes[i].col = col;
        map->boxes[i].width = put_box(f, v, style, i, row, col);
        col += map->boxes[i].width;
    }
    const int here = v->step.stage;
    if (map->boxes[here].width > 0) {
        frame_put(f, row, map->boxes[here].col - 1, FRAME_TEXT, FRAME_MARK_WRITE,
                  f->ascii ? "[" : "▐");
        frame_put(f, row, map->boxes[here].col + map->boxes[here].width, FRAME_TEXT,
                  FRAME_MARK_WRITE, f->ascii ? "]" : "▌");
    }
    if (style->ends) {
        const bool last = v->step.stage == n - 1;
        if (last) {
            col += 1;
        }
        col += frame_put(f, row, col, FRAME_DIM, FRAME_MARK_NONE, style->arrow + (last ? 1 : 0));
        char name[48];
        attn_tensor_name(attn_trace_config(v->trace)->variant, attn_trace_result(v->trace), name,
                         sizeof name);
        frame_put(f, row, col, last ? FRAME_STAGE_DONE : FRAME_STAGE_LATER, FRAME_MARK_NONE, name);
    }
}

void view_rule(struct frame *f, int row)
{
    frame_fill(f, row, 0, f->cols, FRAME_DIM, FRAME_MARK_NONE, "─");
}

static int key_width(const struct frame *f, const struct view_key *key)
{
    return frame_width(f, key->key) + 1 + frame_width(f, key->does);
}

static void put_key(struct frame *f, int row, int col, const struct view_key *key)
{
    const int width = frame_put(f, row, col, FRAME_KEY, FRAME_MARK_NONE, key->key);
    frame_put(f, row, col + width + 1, FRAME_TEXT, FRAME_MARK_NONE, key->does);
}

void view_keys(struct frame *f, int row, const char *message, const struct view_key *keys, int n)
{
    if (message != NULL) {
        frame_put_fit(f, row, 1, f->cols - 2, false, FRAME_HEADING, FRAME_MARK_NONE, message);
        return;
    }
    int col = 1;
    int room = f->cols - 1;
    for (int i = n - 1; i >= 0 && i >= n - 2; i--) { /* the last two, help and quit, at the right */
        room -= key_width(f, &keys[i]);
        put_key(f, row, room, &keys[i]);
        room -= 2;
    }
    for (int i = 0; i < n - 2 && col + key_width(f, &keys[i]) <= room; i++) {
        put_key(f, row, col, &keys[i]);
        col += key_width(f, &keys[i]) + 2;
    }
}
