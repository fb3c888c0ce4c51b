/* The help: the keys that do something where one is, and the signs that are seen there. */
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

enum { ROWS_MAX = 240 };

void app_help(struct app *app, struct app_key key)
{
    (void)key;
    app->help = true;
    app->help_top = 0;
}

void app_help_close(struct app *app, struct app_key key)
{
    (void)key;
    app->help = false;
}

static void scroll(struct app *app, int by)
{
    const int top = app->help_top + by;
    app->help_top = top < 0 ? 0 : top < app->help_last ? top : app->help_last;
}

void app_help_up(struct app *app, struct app_key key)
{
    (void)key;
    scroll(app, -1);
}

void app_help_down(struct app *app, struct app_key key)
{
    (void)key;
    scroll(app, 1);
}

void app_help_page_up(struct app *app, struct app_key key)
{
    (void)key;
    scroll(app, -view_help_page(app->shown.rows, app->shown.cols));
}

void app_help_page_down(struct app *app, struct app_key key)
{
    (void)key;
    scroll(app, view_help_page(app->shown.rows, app->shown.cols));
}

void app_help_first(struct app *app, struct app_key key)
{
    (void)key;
    scroll(app, -app->help_top);
}

void app_help_last(struct app *app, struct app_key key)
{
    (void)key;
    scroll(app, app->help_last);
}

/** The scopes that the help tells of: of where one is below it. On the home screen that is the walk
 * that one may begin. */
static unsigned scope_below(const struct app *app)
{
    const unsigned lesson = APP_IN_LESSON | APP_IN_ASKED | APP_IN_CHOICE;
    return app->now.open      ? APP_IN_CELL
           : app->now.slopes  ? APP_IN_SLOPES
           : app->lesson.open ? lesson | app_lab_scope(app)
           : app->lab != NULL ? APP_IN_LAB | app_lab_scope(app)
                              : APP_IN_WALK;
}

/** The line of the help for this action where one is now; NULL: none. In an instrument's help its
 * name goes without saying. */
static const char *help_of(const struct app *app, const struct app_action *a)
{
    if (a->help == NULL || (a->scope & scope_below(app)) == 0 || app_lab_hides(app, a)) {
        return NULL;
    }
    for (int kind = 0; kind < LAB_N_KINDS && app->lab != NULL; kind++) {
        const size_t n = strlen(lab_infos[kind].name);
        if (strncmp(a->help, lab_infos[kind].name, n) == 0 && a->help[n] == ':') {
            return (int)app->lab->kind == kind ? a->help + n + 2 : NULL;
        }
    }
    return a->help;
}

/** The rows of a group behind its heading; nothing where no key of it does anything. */
static void list_group(const struct app *app, enum app_group group, struct view_help_row *rows,
                       int *n)
{
    const bool own = app->lab != NULL && group == APP_GROUP_LAB;
    bool headed = false;
    for (int i = 0; i < app_n_actions && *n < ROWS_MAX - 3; i++) {
        const char *const help =
            app_actions[i].group == group ? help_of(app, &app_actions[i]) : NULL;
        if (help == NULL) {
            continue;
        }
        if (!headed && *n > 0) {
            rows[(*n)++] = (struct view_help_row){"", ""};
        }
        if (!headed) {
            rows[(*n)++] =
                (struct view_help_row){NULL, own ? "This instrument" : app_group_names[group]};
        }
        headed = true;
        rows[(*n)++] = (struct view_help_row){app_actions[i].keys, help};
    }
}

/** The signs that are seen in the matrices of a walk, and of the masks instrument. */
static void list_signs(const struct app *app, bool ascii, struct view_help_row *rows, int *n)
{
    static const struct {
        bool masks;
        const char *sign, *ascii, *help;
    } signs[] = {
        {true, "", "", ""},
        {true, NULL, NULL, "Signs"},
        {true, "·", ".", "hidden by the mask"},
        {false, "~0", "~0", "not zero, but rounds to it"},
        {false, "*", "*",
         "differs: from before the last what-if, or from what it is compared with"},
        {false, "▐0.5▌", "[0.5]", "the cell under the cursor"},
        {true, "▶", ">", "the row of the cell under the cursor; the code that runs"},
        {false, "▐█", "|#", "below a weight: a bar as long as it is large"},
        {false, "Σ", "sum", "the sum of the row"},
        {false, "! in a box", "! in a box", "the stage is computed wrong on purpose"},
        {false, "░ ▒ ▓ █", ". : * #", "without digits: the larger, the darker; + and - in front"},
        {false, "◆", "@", "in a picture: the cursor"},
        {false, "queries ↓ keys →", "queries, keys", "what the rows and the columns stand for"},
        {false, "✓ ✗", "ok, x", "holds, does not hold"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && *n < ROWS_MAX; i++) {
        if (app->lab == NULL || (app->lab->kind == LAB_MASKS && signs[i].masks)) {
            rows[(*n)++] =
                (struct view_help_row){ascii ? signs[i].ascii : signs[i].sign, signs[i].help};
        }
    }
}

/** An instrument's own keys stand first. */
void app_help_draw(struct app *app, struct frame *f, const struct view_key *keys, int n_keys)
{
    struct view_help_row rows[ROWS_MAX];
    int n = 0;
    if (app->lab != NULL) {
        list_group(app, APP_GROUP_LAB, rows, &n);
    }
    for (int group = 0; group < APP_N_GROUPS; group++) {
        if (app->lab == NULL || group != APP_GROUP_LAB) {
            list_group(app, (enum app_group)group, rows, &n);
        }
    }
    list_signs(app, f->ascii, rows, &n);
    app->help_last = view_help(f, "Keys", rows, n, app->help_top, keys, n_keys);
}
