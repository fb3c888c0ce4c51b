/* What stands out without colour, what is told of a wrong computation, and code that stays legible.
 */
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_case.h"
#include "attn/bugs.h"
#include "runner.h"
#include "view_panel.h"

static struct app_case *c;

static void unmake(void)
{
    if (c != NULL) {
        app_case_finish(c);
        c = NULL;
    }
}

static const char *const options[] = {"--tokens", "the cat sat down", "--mask", "causal", NULL};

static void resize(int cols, int rows)
{
    frame_destroy(c->frame);
    c->frame = frame_create(rows, cols, false);
    ck_assert_ptr_nonnull(c->frame);
    app_draw(&c->app, c->frame);
}

/* ---- what has changed ---- */

static bool starred(const struct view_matrix *m, int i, int j)
{
    bool found = false;
    for (int row = 0; row < m->cell_h; row++) {
        for (int col = 0; col < m->cell_w; col++) {
            const struct frame_cell *const cell =
                frame_at(c->frame, m->top + i * m->cell_h + row, m->left + j * m->cell_w + col);
            found = found || (cell != NULL && strcmp(cell->glyph, "*") == 0);
        }
    }
    return found;
}

/** Each number in view has a star, and only then, when it is another than before. @return how many
 * have. */
static int assert_starred(const char *where)
{
    int n = 0;
    for (int k = 0; k < c->app.map.n; k++) {
        const struct view_matrix *const m = &c->app.map.matrices[k];
        for (int i = 0; i < m->rows * m->cols; i++) {
            const int row = i / m->cols;
            const int col = i % m->cols;
            const struct attn_cell cell = {m->tensor,
                                           {0, m->transposed ? m->col0 + col : m->row0 + row,
                                            m->transposed ? m->row0 + row : m->col0 + col}};
            const bool differs = walk_computed(c->app.trace, &c->app.now.step, cell) &&
                                 walk_differs(c->app.trace, c->app.before, cell, 0.0, NULL);
            n += differs ? 1 : 0;
            ck_assert_msg(starred(m, row, col) == differs, "%s: %s[%d,%d]", where,
                          attn_tensors[m->tensor].name, cell.at[1], cell.at[2]);
        }
    }
    return n;
}

static const char *const zooms[] = {"+ + + +", "-", "- -"};

START_TEST(a_changed_number_is_told_without_colour_the_cursor_s_too)
{
    static const char *const ways[] = {"s 4", "s 6", "r 3", "r 9"};
    int n = 0;
    c = app_case_start(ATTN_V3, options);
    app_case_play(c, zooms[_i]);
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        app_case_play(c, ways[k]);
        for (int i = 0; i < 16; i++) {
            app_case_play(c, i % 4 == 3 ? "Down 0" : "Right");
            n += assert_starred(ways[k]);
        }
        app_case_play(c, "u");
    }
    ck_assert_int_gt(n, 200);
}
END_TEST

/* ---- what really runs ---- */

START_TEST(title_formula_and_box_are_those_of_the_bug)
{
    const struct attn_bug_info *const bug = &attn_bugs[_i];
    const char *const with[] = {"--tokens", "the cat sat down", "--mask", "causal",
                                "--train",  "--dropout",        "0.3",    NULL};
    struct config config;
    struct attn_error err;
    char formula[VIEW_FORMULA_MAX];
    c = app_case_start(ATTN_V3, with);
    ck_assert_int_eq(config_copy(&config, app_config(&c->app)), ATTN_OK);
    config.bugs[0] = (enum attn_bug)_i;
    config.n_bugs = 1;
    struct setup setup;
    attn_trace *trace = NULL;
    const bool applies = config_trace(&setup, &trace, &config, &err) == ATTN_OK;
    if (applies) {
        attn_trace_destroy(trace);
        setup_finish(&setup);
        app_finish(&c->app);
        ck_assert_int_eq(app_init_walk(&c->app, &config, &err), ATTN_OK);
        for (const enum attn_stage *s = bug->stages; *s != ATTN_NO_STAGE; s++) {
            char right[VIEW_FORMULA_MAX];
            char box[VIEW_BOX_MAX];
            int i = 0;
            while (i < attn_trace_n_stages(c->app.trace) &&
                   attn_trace_stage(c->app.trace, i) != *s) {
                i++;
            }
            if (i == attn_trace_n_stages(c->app.trace)) {
                continue;
            }
            app_go(&c->app, walk_stage_start(c->app.trace, i, WALK_STAGE));
            resize(160, 50);
            snprintf(right, sizeof right, "%s", attn_stages[*s].formula);
            ck_assert_msg(app_case_shows(c, bug->title), "%s: no title", bug->name);
            view_formula(c->app.trace, *s, formula);
            ck_assert_str_eq(formula, bug->computes);
            formula[strcspn(formula, ",(6·")] = '\0'; /* the rest may be in the next row */
            ck_assert_msg(app_case_shows(c, formula), "%s: no formula", bug->name);
            ck_assert_msg(!app_case_shows(c, right), "%s: %s", bug->name, right);
            view_box(c->frame, c->app.trace, *s, box);
            ck_assert_msg(box[strlen(box) - 1] == '!' && app_case_shows(c, box), "%s: %s",
                          bug->name, box);
        }
    }
    config_finish(&config);
}
END_TEST

START_TEST(a_scale_that_is_off_is_not_said_to_divide)
{
    c = app_case_start(ATTN_V3, options);
    app_case_play(c, "s 4");
    ck_assert(!app_case_shows(c, "√d"));
    ck_assert(app_case_shows(c, "×1"));
    ck_assert(app_case_shows(c, "scaled[t,s] = scores[t,s]"));
}
END_TEST

START_TEST(no_word_of_a_formula_is_cut)
{
    static const int sizes[][2] = {{40, 12}, {44, 14}, {50, 18}, {60, 20}, {72, 24}, {80, 24}};
    c = app_case_start((enum attn_variant)_i, NULL);
    for (int stage = 0; stage < attn_trace_n_stages(c->app.trace); stage++) {
        app_go(&c->app, walk_stage_start(c->app.trace, stage, WALK_CELL));
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            resize(sizes[k][0], sizes[k][1]);
            char *const text = app_case_text(c);
            char *const value = strstr(text, " = ");
            const char *const dots = value != NULL ? strstr(value, "…") : NULL;
            ck_assert_ptr_nonnull(value);
            ck_assert_msg(dots == NULL || dots[-1] == ' ' || dots[-1] == '\n', "stage %d, %d: %s",
                          stage, sizes[k][0], value);
            free(text);
        }
    }
}
END_TEST

/* ---- code ---- */

static bool in_name(char ch)
{
    return isalnum((unsigned char)ch) || ch == '_' || ch == '.' || (ch & 0x80) != 0;
}

/** Is this name in the text, and nothing that goes on from it? */
static bool has_name(const char *text, const char *name, size_t length)
{
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + 1, name)) {
        if ((at == text || !in_name(at[-1])) && !in_name(at[length])) {
            return true;
        }
    }
    return false;
}

START_TEST(no_name_is_broken_where_code_goes_on_in_the_next_row)
{
    static const int widths[] = {116, 120, 124, 130, 137, 150};
    c = app_case_start(ATTN_V3, options);
    c->app.lang = (enum attn_lang)_i;
    for (size_t k = 0; k < sizeof widths / sizeof widths[0]; k++) {
        resize(widths[k], 70);
        char *const text = app_case_text(c);
        for (int i = 0; i < attn_trace_n_stages(c->app.trace); i++) {
            char code[1024];
            const enum attn_stage stage = attn_trace_stage(c->app.trace, i);
            if (attn_trace_idle(c->app.trace, stage)) {
                continue;
            }
            attn_trace_snippet(c->app.trace, stage, c->app.lang, code, sizeof code);
            for (char *at = code; *at != '\0';) {
                const size_t n = strcspn(at, " \n()[]{},;+-*/@=<>&|?:'");
                char name[128];
                snprintf(name, sizeof name, "%.*s", (int)n, at);
                ck_assert_msg(n == 0 || has_name(text, name, n), "%d columns: %s", widths[k], name);
                at += n + (at[n] != '\0');
            }
        }
        free(text);
    }
}
END_TEST

START_TEST(the_line_that_runs_is_in_view_on_a_low_screen)
{
    c = app_case_start(ATTN_V3, options);
    c->app.lang = ATTN_LANG_C;
    for (int i = 0; i < attn_trace_n_stages(c->app.trace); i++) {
        if (!attn_trace_idle(c->app.trace, attn_trace_stage(c->app.trace, i))) {
            app_go(&c->app, walk_stage_start(c->app.trace, i, WALK_STAGE));
            resize(120, 24);
            ck_assert_msg(app_case_shows(c, "│ ▶ "), "stage %d", i);
        }
    }
}
END_TEST

/* ---- labels ---- */

/** What stands above a display column of a matrix, as far as the cell below it reaches. */
static void above(const struct view_matrix *m, int j, char out[64])
{
    const int last = m->left + (j + 1) * m->cell_w;
    int from = m->left + j * m->cell_w;
    int to = from;
    out[0] = '\0';
    for (int col = from; col <= last; col++) { /* a number may end in the next separator */
        const struct frame_cell *const cell = frame_at(c->frame, m->top - 1, col);
        if (cell == NULL || cell->glyph[0] == '\0' || strcmp(cell->glyph, " ") == 0) {
            if (to > from || col >= last) {
                break;
            }
            from = to = col + 1;
        } else {
            strcat(out, cell->glyph);
            to = col + 1;
        }
    }
}

/** The label above the cursor's column is the index in the cell's name, or its token's beginning.
 * @return true where there is a label to hold against it. */
static bool assert_labelled(const char *where)
{
    const struct attn_cell cell = c->app.now.cursor;
    for (int k = 0; k < c->app.map.n; k++) {
        const struct view_matrix *const m = &c->app.map.matrices[k];
        const int index = cell.at[m->transposed ? 1 : 2];
        if (m->tensor != cell.tensor || !m->col_labels || m->zoom == VIEW_ZOOM_PICTURE) {
            continue;
        }
        char name[128];
        char shown[64];
        walk_cell_text(&c->app.setup, c->app.trace, cell, name, sizeof name);
        name[strlen(name) - 1] = '\0'; /* ']' */
        const char *at = strrchr(name, m->transposed ? '[' : ',');
        char wanted[64];
        snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(at + 1, ","), at + 1);
        above(m, index - m->col0, shown);
        const bool number = wanted[0] >= '0' && wanted[0] <= '9';
        ck_assert_msg(shown[0] != '\0' && (number ? strcmp(shown, wanted) == 0
                                                  : strncmp(shown, wanted, strlen(shown)) == 0),
                      "%s: %s] stands below \"%s\"", where, name, shown);
        return true;
    }
    return false;
}

static int assert_tensor_labelled(enum attn_tensor_id id, const char *where)
{
    const attn_tensor *const tensor = attn_trace_tensor(c->app.trace, id);
    int n = 0;
    for (int j = 0; j < tensor->dims[2]; j++) {
        const int row = j * 5 % tensor->dims[1];
        c->app.now.cursor = (struct attn_cell){id, {0, row, j}};
        app_draw(&c->app, c->frame);
        n += assert_labelled(where) ? 1 : 0;
    }
    return n;
}

START_TEST(a_column_s_label_is_the_index_in_the_cell_s_name)
{
    static const struct {
        int cols, rows;
    } sizes[] = {{80, 24}, {120, 40}, {60, 20}, {48, 16}};
    static const char *const labelled[] = {"--tokens", "the cat sat down", NULL};
    static const char *const plain[] = {"--length", "7", "--dim", "6", NULL};
    for (int way = 0; way < 2; way++) {
        c = app_case_start((enum attn_variant)_i, way == 0 ? plain : labelled);
        int n = 0;
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            resize(sizes[k].cols, sizes[k].rows);
            for (int i = 0; i < attn_trace_n_stages(c->app.trace); i++) {
                enum attn_tensor_id ids[VIEW_MATRICES_MAX];
                char where[64];
                const int n_ids = view_stage_tensors(c->app.trace, i, ids);
                app_go(&c->app, walk_stage_start(c->app.trace, i, WALK_STAGE));
                snprintf(where, sizeof where, "%d×%d, stage %d", sizes[k].cols, sizes[k].rows,
                         i + 1);
                for (int t = 0; t < n_ids; t++) {
                    n += assert_tensor_labelled(ids[t], where);
                }
            }
        }
        ck_assert_int_gt(n, 100);
        unmake();
    }
}
END_TEST

Suite *suite(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    Suite *const s = suite_create("marks");
    TCase *const t = tcase_create("walk");
    tcase_add_checked_fixture(t, NULL, unmake);
    tcase_add_loop_test(t, a_changed_number_is_told_without_colour_the_cursor_s_too, 0,
                        sizeof zooms / sizeof zooms[0]);
    tcase_add_loop_test(t, title_formula_and_box_are_those_of_the_bug, 0, ATTN_N_BUGS);
    tcase_add_loop_test(t, no_word_of_a_formula_is_cut, 0, ATTN_N_VARIANTS);
    tcase_add_test(t, a_scale_that_is_off_is_not_said_to_divide);
    tcase_add_loop_test(t, no_name_is_broken_where_code_goes_on_in_the_next_row, 0, ATTN_N_LANGS);
    tcase_add_test(t, the_line_that_runs_is_in_view_on_a_low_screen);
    tcase_add_loop_test(t, a_column_s_label_is_the_index_in_the_cell_s_name, 0, ATTN_N_VARIANTS);
    suite_add_tcase(s, t);
    return s;
}
