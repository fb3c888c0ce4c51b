/* Finding a place by what it is called: a stage, a tensor, a cell, a token; in a lesson first by
 * its text. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

enum { TARGETS_MAX = 256, NAMES_MAX = 256, NAME_MAX_BYTES = 64 };

/** A stage, or a cell in a stage that shows it; or a place in the text of the lesson. */
struct target {
    int stage;
    bool has_cell;
    struct attn_cell cell;
    bool in_text;
    int stop; /**< Of the lesson, if in_text. */
};

/** What a word stands for, in the order in which it is visited. */
struct targets {
    const struct app *app;
    struct target items[TARGETS_MAX];
    int n;
    bool tokens_only; /**< Then the search starts where one is, else at the first. */
    char why[256];    /**< If n is 0: why, where there is more to say than that. */
};

static void add(struct targets *all, struct target target)
{
    if (all->n < TARGETS_MAX) {
        all->items[all->n++] = target;
    }
}

/* ---- words ---- */

static bool same_word(const char *a, const char *b)
{
    while (*a != '\0' && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/** Does text hold part, whatever the case? */
static bool holds(const char *text, const char *part)
{
    const size_t n = strlen(part);
    for (; strlen(text) >= n; text++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i])) {
            i++;
        }
        if (i == n) {
            return true;
        }
    }
    return false;
}

/** Does text begin with part, whatever the case? */
static bool starts(const char *text, const char *part)
{
    while (*part != '\0' && tolower((unsigned char)*text) == tolower((unsigned char)*part)) {
        text++;
        part++;
    }
    return *part == '\0';
}

/** Does it hold the part further on? */
static bool goes_on(const char *text, const char *part)
{
    return !starts(text, part) && holds(text, part);
}

/** A comparison of a name with the word that is looked for. */
typedef bool matcher(const char *name, const char *word);

/** The token of an index, or NULL where this axis has none. */
static const char *token(const struct app *app, enum attn_axis axis, int i)
{
    const struct config_tokens *const tokens = axis == ATTN_AXIS_T   ? &app->setup.tokens
                                               : axis == ATTN_AXIS_S ? &app->setup.memory_tokens
                                                                     : NULL;
    return tokens != NULL && i < tokens->n ? tokens->labels[i] : NULL;
}

/* ---- collecting ---- */

static const struct attn_stage_info *stage_info(const struct app *app, int i)
{
    return &attn_stages[attn_trace_stage(app->trace, i)];
}

static void add_stages(struct targets *all, const char *word, matcher *matches)
{
    for (int i = 0; i < attn_trace_n_stages(all->app->trace); i++) {
        const struct attn_stage_info *const info = stage_info(all->app, i);
        if (matches(info->key, word) || matches(info->title, word)) {
            add(all, (struct target){.stage = i});
        }
    }
}

/** Every stage that shows this cell: that which writes it first. */
static void add_cell(struct targets *all, struct attn_cell cell)
{
    for (int i = 0; i < attn_trace_n_stages(all->app->trace); i++) {
        enum attn_tensor_id ids[VIEW_MATRICES_MAX];
        const int n = view_stage_tensors(all->app->trace, i, ids);
        for (int j = 0; j < n; j++) {
            if (ids[j] == cell.tensor) {
                add(all, (struct target){.stage = i, .has_cell = true, .cell = cell});
            }
        }
    }
}

/** The first cell of a tensor, in the batch element that is looked at. */
static struct attn_cell first_cell(const struct app *app, enum attn_tensor_id id)
{
    struct attn_cell cell = {id, {0, 0, 0}};
    cell.at[0] = attn_tensors[id].axes[0] == ATTN_AXIS_B ? app->now.batch : 0;
    return cell;
}

static enum attn_tensor_id find_tensor(struct targets *all, const char *word)
{
    const enum attn_variant variant = attn_trace_config(all->app->trace)->variant;
    char small[NAME_MAX_BYTES];
    enum attn_tensor_id id = attn_tensor_find(variant, word);
    if (id == ATTN_NO_TENSOR && strlen(word) < sizeof small) {
        size_t n = 0;
        for (; word[n] != '\0'; n++) {
            small[n] = (char)tolower((unsigned char)word[n]);
        }
        small[n] = '\0';
        id = attn_tensor_find(variant, small);
    }
    if (id != ATTN_NO_TENSOR && attn_trace_tensor(all->app->trace, id) == NULL) {
        snprintf(all->why, sizeof all->why,
                 "This walk has no %s now: the stage that makes it has nothing to do.",
                 attn_tensors[id].name);
        return ATTN_NO_TENSOR;
    }
    return id;
}

/** Tensors whose name is like the word. */
static void add_like_tensors(struct targets *all, const char *word, matcher *matches)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        char name[NAME_MAX_BYTES];
        attn_tensor_name(attn_trace_config(all->app->trace)->variant, (enum attn_tensor_id)id, name,
                         sizeof name);
        if (attn_trace_tensor(all->app->trace, (enum attn_tensor_id)id) != NULL &&
            matches(name, word)) {
            add_cell(all, first_cell(all->app, (enum attn_tensor_id)id));
        }
    }
}

/** The rows, or where there are none the columns, of a tensor whose token matches. */
static void add_token_cells(struct targets *all, int stage, enum attn_tensor_id id,
                            const char *word, matcher *matches)
{
    const attn_tensor *const t = attn_trace_tensor(all->app->trace, id);
    const int before = all->n;
    for (int dim = 1; dim <= 2 && all->n == before; dim++) {
        for (int i = 0; i < t->dims[dim]; i++) {
            const char *const label = token(all->app, attn_tensors[id].axes[dim], i);
            if (label != NULL && matches(label, word)) {
                struct attn_cell cell = first_cell(all->app, id);
                cell.at[dim] = i;
                add(all, (struct target){.stage = stage, .has_cell = true, .cell = cell});
            }
        }
    }
}

static void add_tokens(struct targets *all, const char *word, matcher *matches)
{
    const bool alone = all->n == 0 || all->tokens_only;
    for (int i = 0; i < attn_trace_n_stages(all->app->trace); i++) {
        const enum attn_tensor_id *const outputs = stage_info(all->app, i)->outputs;
        for (int j = 0; outputs[j] != ATTN_NO_TENSOR; j++) {
            if (attn_trace_writer(all->app->trace, outputs[j]) ==
                attn_trace_stage(all->app->trace, i)) {
                add_token_cells(all, i, outputs[j], word, matches);
            }
        }
    }
    all->tokens_only = alone && all->n > 0;
}

/* ---- "scores[sat,1]" ---- */

/** An index of an axis by its token or its number. @return -1 if it has none such. */
static int parse_index(const struct app *app, enum attn_axis axis, int n, const char *word)
{
    long long number = -1;
    for (int i = 0; i < n; i++) {
        const char *const label = token(app, axis, i);
        if (label != NULL && strcmp(label, word) == 0) {
            return i;
        }
    }
    return config_parse_int(word, 0, n - 1, &number) ? (int)number : -1;
}

/** @param list  Between the brackets; is cut up. */
static bool parse_indices(struct targets *all, char *list, struct attn_cell *cell)
{
    const attn_tensor *const t = attn_trace_tensor(all->app->trace, cell->tensor);
    const enum attn_axis *const axes = attn_tensors[cell->tensor].axes;
    char *words[4] = {list};
    int n = 1;
    for (char *c = list; (c = strchr(c, ',')) != NULL && n < 4; c++) {
        *c = '\0';
        words[n++] = c + 1;
    }
    const bool without_batch = n == t->rank - 1 && axes[0] == ATTN_AXIS_B;
    if (n != t->rank && !without_batch) {
        snprintf(all->why, sizeof all->why, "%s has %d indices%s.", attn_tensors[cell->tensor].name,
                 t->rank, axes[0] == ATTN_AXIS_B ? " (the batch element's may be left out)" : "");
        return false;
    }
    for (int i = 0; i < n; i++) {
        const int dim = 3 - n + i;
        char *word = words[i] + strspn(words[i], " ");
        word[strcspn(word, " ")] = '\0';
        cell->at[dim] = parse_index(all->app, axes[dim], t->dims[dim], word);
        if (cell->at[dim] < 0) {
            snprintf(all->why, sizeof all->why, "No '%.40s' along %s's %s: 0 to %d%s.", word,
                     attn_tensors[cell->tensor].name, attn_axis_name(axes[dim]), t->dims[dim] - 1,
                     token(all->app, axes[dim], 0) != NULL ? ", or a token" : "");
            return false;
        }
    }
    return true;
}

/** @return false if the word is not of this form. */
static bool find_cell(struct targets *all, const char *word)
{
    char name[APP_INPUT_MAX];
    snprintf(name, sizeof name, "%s", word);
    char *const bracket = strchr(name, '[');
    if (bracket == NULL || bracket == name) {
        return false;
    }
    *bracket = '\0';
    char *const list = bracket + 1;
    list[strcspn(list, "]")] = '\0';
    const enum attn_tensor_id id = find_tensor(all, name);
    if (id == ATTN_NO_TENSOR) {
        return all->why[0] != '\0';
    }
    struct attn_cell cell = first_cell(all->app, id);
    if (parse_indices(all, list, &cell)) {
        add_cell(all, cell);
    }
    return true;
}

/** Every stop of the lesson whose text has the word. */
static void add_text(struct targets *all, const char *word)
{
    const struct app *const app = all->app;
    for (int i = 0; app->lesson.open && i < app->lesson.lesson.n_stops; i++) {
        if (app_lesson_holds(app, i, word)) {
            add(all, (struct target){.in_text = true, .stop = i});
        }
    }
}

static void find(struct targets *all, const struct app *app, const char *word)
{
    *all = (struct targets){.app = app};
    if (find_cell(all, word)) {
        return;
    }
    add_text(all, word);
    add_stages(all, word, same_word);
    const enum attn_tensor_id id = find_tensor(all, word);
    if (id != ATTN_NO_TENSOR) {
        add_cell(all, first_cell(app, id));
    }
    add_tokens(all, word, same_word);
    if (all->n == 0 && all->why[0] == '\0') {      /* then a part of a name will do */
        matcher *const like[] = {starts, goes_on}; /* its beginning before any other */
        for (int i = 0; i < 2; i++) {
            add_stages(all, word, like[i]);
            add_like_tensors(all, word, like[i]);
            add_tokens(all, word, like[i]);
        }
    }
}

/* ---- going there ---- */

void app_go_cell(struct app *app, int stage, struct attn_cell cell)
{
    const enum walk_grain grain = app->now.step.grain;
    const int batch = app->now.batch;
    struct walk_step writer;
    const bool written = walk_writer(app->trace, cell, grain, &writer) && writer.stage == stage;
    app_go(app, written ? writer : walk_stage_start(app->trace, stage, grain));
    app->now.cursor = cell;
    app->now.batch = attn_tensors[cell.tensor].axes[0] == ATTN_AXIS_B ? cell.at[0] : batch;
}

static void go(struct app *app, const struct target *target)
{
    if (target->in_text) {
        app_lesson_go(app, target->stop, 0);
        app->lesson.scroll = 0;
    } else if (target->has_cell) {
        app_go_cell(app, target->stage, target->cell);
    } else {
        app_go(app, walk_stage_start(app->trace, target->stage, app->now.step.grain));
    }
}

/** The nearest to a word of everything that could be found, in name. @return false if none is. */
static bool nearest(const struct app *app, const char *word, char name[NAME_MAX_BYTES])
{
    char tensors[ATTN_N_TENSORS][NAME_MAX_BYTES];
    const char *names[NAMES_MAX];
    int n = 0;
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        if (attn_trace_tensor(app->trace, (enum attn_tensor_id)id) != NULL) {
            names[n++] = attn_tensor_name(attn_trace_config(app->trace)->variant,
                                          (enum attn_tensor_id)id, tensors[id], NAME_MAX_BYTES);
        }
    }
    for (int i = 0; i < attn_trace_n_stages(app->trace); i++) {
        names[n++] = stage_info(app, i)->key;
    }
    const struct config_tokens *const tokens[] = {&app->setup.tokens, &app->setup.memory_tokens};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < tokens[i]->n && n < NAMES_MAX; j++) {
            names[n++] = tokens[i]->labels[j];
        }
    }
    const char *const near = config_nearest(word, names, n);
    snprintf(name, NAME_MAX_BYTES, "%s", near != NULL ? near : "");
    return near != NULL;
}

static void say_nothing_found(struct app *app, const struct targets *all, const char *word)
{
    char text[APP_MESSAGE_MAX];
    char name[APP_INPUT_MAX];
    char near[NAME_MAX_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "["), word);
    if (all->why[0] != '\0') {
        snprintf(text, sizeof text, "%s", all->why);
    } else if (nearest(app, name, near)) {
        snprintf(text, sizeof text, "Nothing here is called %s (did you mean %s?)", word, near);
    } else {
        snprintf(text, sizeof text,
                 "Nothing here is called %s: / finds a stage, a tensor, a token, or scores[2,1].",
                 word);
    }
    app_say(app, text);
}

/** Go to match number app->find.at, counted round. */
static void visit(struct app *app, const struct targets *all)
{
    struct app_find *const found = &app->find;
    char text[APP_MESSAGE_MAX];
    if (all->n == 0) {
        say_nothing_found(app, all, found->text);
        return;
    }
    found->at = (found->at % all->n + all->n) % all->n;
    go(app, &all->items[found->at]);
    if (all->n == 1) {
        snprintf(text, sizeof text, "Found %s.", found->text);
    } else {
        snprintf(text, sizeof text, "%s: %d of %d.  ; next  , previous", found->text, found->at + 1,
                 all->n);
    }
    app_say(app, text);
}

static void again(struct app *app, int by)
{
    struct targets all;
    if (app->find.text[0] == '\0') {
        app_say(app, "Nothing has been searched for yet: / asks what.");
        return;
    }
    find(&all, app, app->find.text);
    app->find.at += by;
    visit(app, &all);
}

static void asked(struct app *app, const char *text)
{
    struct targets all;
    text += strspn(text, " ");
    if (*text == '\0') { /* as it was */
        again(app, 1);
        return;
    }
    snprintf(app->find.text, sizeof app->find.text, "%s", text);
    for (size_t n = strlen(app->find.text); n > 0 && app->find.text[n - 1] == ' '; n--) {
        app->find.text[n - 1] = '\0';
    }
    find(&all, app, app->find.text);
    app->find.at = 0;
    while (app->find.at < all.n && all.items[app->find.at].in_text &&
           all.items[app->find.at].stop <= app->lesson.stop) {
        app->find.at++;
    }
    if (app->find.at < all.n && app->find.at > 0 && !all.items[app->find.at].in_text) {
        app->find.at = 0; /* the text has it no more further on: from its beginning */
    }
    while (all.tokens_only && app->find.at < all.n &&
           all.items[app->find.at].stage < app->now.step.stage) {
        app->find.at++;
    }
    visit(app, &all);
}

void app_search(struct app *app, struct app_key key)
{
    (void)key;
    app_ask(app, "Find", "", asked);
}

void app_next_match(struct app *app, struct app_key key)
{
    (void)key;
    again(app, 1);
}

void app_prev_match(struct app *app, struct app_key key)
{
    (void)key;
    again(app, -1);
}
