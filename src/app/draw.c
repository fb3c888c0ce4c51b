#include <stdio.h>
#include <string.h>

#include "app_actions.h"

enum { KEYS_MAX = 160, MESSAGE_ROWS = 4 };

struct view_walk app_view(const struct app *app, struct view_against *against)
{
    if (app->other.trace != NULL) {
        *against =
            (struct view_against){app->other.trace, &app->other.setup, app->other.name, true};
    } else {
        *against = (struct view_against){app->before, NULL, "before", false};
    }
    return (struct view_walk){
        .setup = &app->setup,
        .trace = app->trace,
        .ranges = app->ranges,
        .decimals = app->decimals,
        .step = app->now.step,
        .cursor = app->now.cursor,
        .batch = app->now.batch,
        .lang = app->lang,
        .zoom = app->zoom,
        .against = against->trace != NULL ? against : NULL,
        .opened = app->now.open ? &app->now.opened : NULL,
        .slopes = app->now.slopes ? &app->slopes : NULL,
        .slope = app->now.slope,
        .hidden = app_lesson_hidden(app),
        .file = app->origin.n_loads == 1 ? app->origin.loads[0].path : NULL,
        .lesson = app->lesson.open,
        .large = app->lesson.bare,
        .message = app->message[0] != '\0' ? app->message : NULL,
    };
}

static void add_key(const struct app_action *a, struct view_key keys[KEYS_MAX],
                    char names[KEYS_MAX][16], int *n)
{
    const char *const name = a->footer_key != NULL ? a->footer_key : a->keys;
    snprintf(names[*n], sizeof names[*n], "%.*s", (int)strcspn(name, " "), name);
    keys[*n] = (struct view_key){names[*n], a->footer};
    (*n)++;
}

/** The keys of the foot, from the table. Names point into `names`. On the result of a walk there
 * is another thing to ask for, which is worth more there than a word about the arrows. */
static int footer_keys(const struct app *app, struct view_key keys[KEYS_MAX],
                       char names[KEYS_MAX][16])
{
    const unsigned scope = app_scope(app);
    const bool result =
        scope == APP_IN_WALK && app->now.cursor.tensor == attn_trace_result(app->trace);
    const struct app_action *late = NULL;
    int n = 0;
    for (int i = 0; i < app_n_actions && n < KEYS_MAX; i++) {
        const struct app_action *a = &app_actions[i];
        if ((a->scope & scope) == 0 || a->footer == NULL || app_lab_hides(app, a) ||
            (a->run == app_slopes && !result) ||
            (a->run == app_help_page_down && app->help_top >= app->help_last)) {
            continue;
        }
        if (a->run == app_up && result) {
            late = a;
            continue;
        }
        add_key(a, keys, names, &n);
        if (a->run == app_slopes && late != NULL) {
            add_key(late, keys, names, &n);
        }
    }
    return n;
}

/** The variant's stages as a line: "x ─ qkv ─ q k v ─ …". */
static void path_of(enum attn_variant variant, bool ascii, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "x");
    const enum attn_stage *stage = attn_variants[variant].stages;
    for (; *stage != ATTN_NO_STAGE && n < size; stage++) {
        n += (size_t)snprintf(out + n, size - n, " ─ %s",
                              ascii ? attn_stages[*stage].box_ascii : attn_stages[*stage].box);
    }
}

/** The rows of the home screen: names, and what they are. */
struct home_rows {
    const char *names[APP_HOME_ROWS_MAX];
    const char *words[APP_HOME_ROWS_MAX];
    char numbers[APP_HOME_ROWS_MAX][16];
    int n, lessons;
};

static void list_home(const struct app *app, struct home_rows *r)
{
    *r = (struct home_rows){.lessons = -1};
    if (app->last.there) {
        r->names[r->n] = "continue";
        r->words[r->n++] = app->last.words;
    }
    for (int i = 0; i < APP_HOME_ROWS; i++) {
        r->names[r->n] = attn_variants[i].name;
        const char *const colon = strstr(attn_variants[i].title, ": ");
        r->words[r->n++] =
            colon != NULL ? colon + 2 : attn_variants[i].title; /* the name stands before it */
    }
    r->lessons = app->shelf.n > 0 ? r->n : -1;
    for (int i = 0; i < app->shelf.n && r->n < APP_HOME_ROWS_MAX; i++) {
        const struct lesson_entry *const e = &app->shelf.entries[i];
        snprintf(r->numbers[r->n], sizeof r->numbers[0], "%.*d", e->number > 0 ? 1 : 0, e->number);
        r->names[r->n] = e->number > 0 ? r->numbers[r->n] : "";
        r->words[r->n] = e->title[0] != '\0' ? e->title : e->name;
        r->n++;
    }
}

/** What stands below the list about the selected row. */
static void draw_home(struct app *app, struct frame *f, const struct view_key *keys, int n_keys)
{
    struct home_rows r;
    list_home(app, &r);
    const int row = app->home_row - (app->last.there ? 1 : 0);
    const bool variant = row >= 0 && row < APP_HOME_ROWS;
    const char *detail = variant ? attn_variants[row].summary : NULL;
    char path[160] = "";
    if (variant) {
        path_of((enum attn_variant)row, f->ascii, path, sizeof path);
    } else if (row >= APP_HOME_ROWS) {
        const struct lesson_entry *const e = &app->shelf.entries[row - APP_HOME_ROWS];
        snprintf(path, sizeof path, e->minutes > 0 ? "lesson, %d minutes, on %s" : "lesson",
                 e->minutes, attn_variants[e->variant].name);
        detail = e->broken ? "It has errors: attn lesson check names them." : e->summary;
    }
    view_home(f, &(struct view_home){.names = r.names,
                                     .words = r.words,
                                     .n = r.n,
                                     .selected = app->home_row,
                                     .lessons = r.lessons,
                                     .path = path[0] != '\0' ? path : NULL,
                                     .detail = detail,
                                     .message = app->message[0] != '\0' ? app->message : NULL,
                                     .keys = keys,
                                     .n_keys = n_keys});
}

/** What the view's one row at the foot is too small for: a line that is typed, a long message. */
static void draw_foot(const struct app *app, struct frame *f)
{
    if (f->rows < VIEW_MIN_ROWS || f->cols < VIEW_MIN_COLS) {
        return;
    }
    if (app->prompt.open) {
        app_prompt_draw(app, f);
    } else if (app->message[0] != '\0' &&
               (app->help || frame_width(f, app->message) > f->cols - 2)) {
        const int needed = frame_wrapped_rows(f, f->cols - 2, app->message);
        const int rows = needed < MESSAGE_ROWS ? needed : MESSAGE_ROWS;
        for (int i = 0; i < rows; i++) {
            frame_fill(f, f->rows - 1 - i, 0, f->cols, FRAME_WARN, FRAME_MARK_NONE, " ");
        }
        frame_put_wrapped(f, f->rows - rows, 1, f->cols - 2, rows, FRAME_WARN, app->message);
    }
}

/** What holds of the tensor under the cursor, worked out once and not with every frame. */
static void know_invariants(struct app *app)
{
    struct app_invariants *const known = &app->invariants;
    const struct attn_cell *const cursor = &app->now.cursor;
    if (walk_has(app->trace, *cursor) &&
        (known->n == 0 || known->tensor != cursor->tensor || known->batch != cursor->at[0])) {
        known->tensor = cursor->tensor;
        known->batch = cursor->at[0];
        known->n = walk_invariants(app->trace, known->tensor, known->batch, known->all);
    }
}

void app_draw(struct app *app, struct frame *f)
{
    struct view_key keys[KEYS_MAX];
    char names[KEYS_MAX][16];
    int n = footer_keys(app, keys, names);
    app->shown.rows = f->rows;
    app->shown.cols = f->cols;
    app->shown.ascii = f->ascii;
    f->cursor_row = -1;
    f->cursor_col = -1;
    f->cursor_shown = false;
    if (app->prompt.open) { /* also for those who see no frame */
        char line[sizeof app->prompt.label + sizeof app->prompt.text + 4];
        snprintf(line, sizeof line, "%s: %s", app->prompt.label, app->prompt.text);
        app_say(app, line);
    }
    app_play_say(app);
    if (app->help) {
        app_help_draw(app, f, keys, n);
        n = footer_keys(app, keys, names); /* whether there is more is known now */
        app_help_draw(app, f, keys, n);
    } else if (app->lab != NULL && !app->lesson.open) {
        app_lab_draw(app, f, keys, n);
    } else if (app->home) {
        draw_home(app, f, keys, n);
    } else {
        struct view_against against;
        know_invariants(app);
        struct view_walk v = app_view(app, &against);
        v.invariants = app->invariants.all;
        v.n_invariants = app->invariants.n;
        v.keys = keys;
        v.n_keys = n;
        if (app->lesson.open) {
            app_lesson_draw(app, f, &v);
        } else {
            view_walk(f, &v, &app->map);
        }
    }
    draw_foot(app, f);
}
