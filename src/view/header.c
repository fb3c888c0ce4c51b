#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view_matrix.h"
#include "view_panel.h"

/* ---- the title ---- */

/** How long a part of the title stays on a screen that grows narrow. */
enum stays { AS_USUAL, SIZES, SEED, SETTING, NAME };

enum { PARTS_MAX = ATTN_BUGS_MAX + 10, PART_MAX = 112 };

struct part {
    enum stays stays;
    bool brief, out; /**< What has become of it. */
    char text[PART_MAX], short_text[PART_MAX];
};

/** The title's parts in the order in which they stand. */
struct parts {
    struct part items[PARTS_MAX];
    int n;
};

/** Add a part. @param brief  The same in fewer columns; NULL: there is none. */
static void add_part(struct parts *p, enum stays stays, const char *text, const char *brief)
{
    struct part *const part = &p->items[p->n < PARTS_MAX ? p->n++ : PARTS_MAX - 1];
    *part = (struct part){.stays = stays};
    snprintf(part->text, sizeof part->text, "%s", text);
    snprintf(part->short_text, sizeof part->short_text, "%s", brief != NULL ? brief : text);
}

static int parts_width(const struct frame *f, const struct parts *p, int gap)
{
    int width = -gap;
    for (int i = 0; i < p->n; i++) {
        const struct part *const part = &p->items[i];
        width += part->out ? 0 : gap + frame_width(f, part->brief ? part->short_text : part->text);
    }
    return width;
}

/** Give columns up until it fits: words first, then parts, each time what stays the least; and take
 * back words for which there is room then. @return the columns between two parts. */
static int fit_parts(const struct frame *f, struct parts *p, int cols)
{
    const int gap = parts_width(f, p, 3) <= cols ? 3 : 2;
    for (int round = 0; round < 2; round++) {
        for (int stays = AS_USUAL; stays < NAME; stays++) {
            for (int i = p->n - 1; i >= 0 && parts_width(f, p, gap) > cols; i--) {
                struct part *const part = &p->items[i];
                part->brief = part->brief || (int)part->stays == stays;
                part->out = part->out || (round == 1 && (int)part->stays == stays);
            }
        }
    }
    for (int i = 0; i < p->n; i++) {
        const bool brief = p->items[i].brief;
        p->items[i].brief = false;
        p->items[i].brief = brief && parts_width(f, p, gap) > cols;
    }
    return gap;
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

/** What is computed otherwise than usual, and beside what. */
static void add_settings(struct parts *p, const struct view_walk *v)
{
    const attn_config *const config = attn_trace_config(v->trace);
    char text[PART_MAX];
    char brief[PART_MAX];
    if (v->against != NULL && v->against->beside) {
        snprintf(text, sizeof text, "beside %s", v->against->name);
        add_part(p, SETTING, text, NULL);
    }
    for (int i = 0; i < config->n_bugs; i++) {
        snprintf(text, sizeof text, "bug %s", attn_bugs[config->bugs[i]].name);
        add_part(p, SETTING, text, NULL);
    }
    if (config->scale_given) {
        snprintf(text, sizeof text, config->scale == 1.0F ? "no scaling" : "scale %g",
                 (double)config->scale);
        add_part(p, SETTING, text, config->scale == 1.0F ? "no scale" : NULL);
    }
    if (attn_variant_has(config->variant, ATTN_STAGE_MASK)) {
        const bool none = strcmp(v->setup->mask_text, "none") == 0;
        snprintf(text, sizeof text, "mask %s", v->setup->mask_text);
        add_part(p, none ? AS_USUAL : SETTING, text, none ? "no mask" : v->setup->mask_text);
        char fill[WALK_NUMBER_MAX];
        snprintf(text, sizeof text, "fill %s", walk_constant((double)config->mask_fill, fill));
        if (!isinf(config->mask_fill) || config->mask_fill > 0) {
            add_part(p, SETTING, text, NULL);
        }
        if (config->empty_row == ATTN_EMPTY_NAN) {
            add_part(p, SETTING, "empty rows nan", "empty nan");
        }
    }
    if (attn_variant_has(config->variant, ATTN_STAGE_DROP)) {
        const char *const mode = config->training ? "train" : "eval";
        const bool usual = config->dropout_p > 0.0999 && config->dropout_p < 0.1001;
        snprintf(text, sizeof text, "dropout %g %s", config->dropout_p, mode);
        snprintf(brief, sizeof brief, "p %g %s", config->dropout_p, mode);
        add_part(p, usual && !config->training ? AS_USUAL : SETTING, text, usual ? mode : brief);
    }
}

void view_title(struct frame *f, const struct view_walk *v, int row)
{
    struct parts p = {.n = 0};
    char text[PART_MAX];
    char place[48];
    snprintf(text, sizeof text, "attn %s %s", f->ascii ? "-" : "·",
             attn_variants[attn_trace_config(v->trace)->variant].name);
    add_part(&p, NAME, text, NULL);
    sizes_text(v, text, sizeof text);
    add_part(&p, SIZES, text, NULL);
    add_settings(&p, v);
    snprintf(text, sizeof text, "seed %s%s", v->setup->seed_text,
             v->setup->loaded ? " + files" : "");
    add_part(&p, SEED, text, NULL);
    const size_t count = walk_count(v->trace, v->step.grain);
    const char *const grain = walk_grain_names[v->step.grain];
    snprintf(place, sizeof place, "%s %zu of %zu", grain, count, count);
    const int gap = fit_parts(f, &p, f->cols - frame_width(f, place) - 4); /* same at every step */
    snprintf(place, sizeof place, "%s %zu of %zu", grain, walk_index(v->trace, &v->step) + 1,
             count);
    frame_fill(f, row, 0, f->cols, FRAME_TITLE, FRAME_MARK_NONE, " ");
    int col = 1;
    for (int i = 0; i < p.n; i++) {
        const struct part *const part = &p.items[i];
        col += part->out ? 0
                         : gap + frame_put(f, row, col, FRAME_TITLE, FRAME_MARK_NONE,
                                           part->brief ? part->short_text : part->text);
    }
    frame_put(f, row, f->cols - frame_width(f, place) - 1, FRAME_TITLE, FRAME_MARK_NONE, place);
}

/* ---- the pipeline ---- */

/** What a narrow screen gives up first. */
struct pipeline_style {
    bool numbers, ends;
    const char *arrow;
};

static const struct pipeline_style styles[] = {{true, true, " ─ "},
                                               {true, false, " ─"},
                                               {false, true, " ─ "},
                                               {false, false, " ─ "},
                                               {false, false, "  "}};

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
