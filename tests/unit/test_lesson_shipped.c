/* The lessons that ship: the heads of lesson 13 do what their pages say, the gallery of lesson 12
 * has every mistake. The numbers are those of the lesson files. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/bugs.h"
#include "lesson.h"
#include "runner.h"

static struct lesson lesson;

static void read_shipped(const char *name)
{
    char path[LESSON_PATH_MAX];
    struct lesson_errors errors;
    const char *const source = getenv("ATTN_SOURCE");
    ck_assert_ptr_nonnull(source);
    snprintf(path, sizeof path, "%s/lessons/%s", source, name);
    ck_assert_int_eq(lesson_read(&lesson, path, &errors, NULL), ATTN_OK);
}

static void read_heads(void)
{
    read_shipped("13-heads.md");
}

static void finish_lesson(void)
{
    lesson_finish(&lesson);
}

/* ---- heads ---- */

static float cell(const attn_trace *trace, enum attn_tensor_id id, int row, int column)
{
    return *attn_tensor_at(attn_trace_tensor(trace, id), 0, row, column);
}

/* The last four numbers of a row of x say which word it is. */
static bool same_word(const attn_trace *trace, int t, int s)
{
    const int width = attn_trace_tensor(trace, ATTN_X)->dims[2];
    bool same = true;
    for (int i = width - 4; i < width; i++) {
        same = same && cell(trace, ATTN_X, t, i) == cell(trace, ATTN_X, s, i);
    }
    return same;
}

static bool is_before(const attn_trace *trace, int t, int s)
{
    (void)trace;
    return s == t - 1;
}

static bool is_two_before(const attn_trace *trace, int t, int s)
{
    (void)trace;
    return s == t - 2;
}

static bool is_first(const attn_trace *trace, int t, int s)
{
    (void)trace;
    (void)t;
    return s == 0;
}

/* Not ahead, and the word before it is the one that asks. */
static bool came_after(const attn_trace *trace, int t, int s)
{
    return s > 0 && s <= t && same_word(trace, t, s - 1);
}

struct head {
    const char *page;
    int first_step, n_steps; /* Of the page's steps, those that show this head. */
    bool (*wanted)(const attn_trace *trace, int t, int s);
    int least_rows; /* So many queries have a key that is wanted. */
};

static const struct head heads[] = {
    {"The word before", 0, 6, is_before, 4}, {"How sharp is a head?", 1, 1, is_two_before, 3},
    {"The same word", 0, 2, same_word, 5},   {"Always the first word", 0, 1, is_first, 5},
    {"A place to rest", 0, 1, is_first, 5},  {"What came after it last time", 0, 4, came_after, 1},
};

enum { N_HEADS = sizeof heads / sizeof heads[0] };

/* The smallest share that a query which has wanted keys gives to them all. */
static double least_share(const attn_trace *trace, const struct head *head, int *n_rows)
{
    const attn_tensor *const weights = attn_trace_tensor(trace, ATTN_WEIGHTS);
    double least = 1;
    *n_rows = 0;
    for (int t = 0; t < weights->dims[1]; t++) {
        double share = 0;
        bool any = false;
        for (int s = 0; s < weights->dims[2]; s++) {
            const bool wanted = head->wanted(trace, t, s);
            share += wanted ? (double)cell(trace, ATTN_WEIGHTS, t, s) : 0;
            any = any || wanted;
        }
        *n_rows += any;
        least = any && share < least ? share : least;
    }
    return least;
}

static int find_page(const char *title)
{
    int page = 0;
    while (page < lesson.n_pages && strcmp(lesson.pages[page].title, title) != 0) {
        page++;
    }
    ck_assert_msg(page < lesson.n_pages, "lesson 13 has no page '%s'", title);
    return page;
}

/* The block of the nth step of a page, from 0; or -1. */
static int find_block(const char *title, int nth)
{
    const struct lesson_page *const page = &lesson.pages[find_page(title)];
    for (int i = page->first; i < page->first + page->n; i++) {
        if (lesson.blocks[i].kind == LESSON_STEP && nth-- == 0) {
            return i;
        }
    }
    return -1;
}

static attn_trace *make_trace(int block, struct setup *setup)
{
    struct config config;
    struct attn_error err = {.message = ""};
    attn_trace *trace = NULL;
    ck_assert_int_eq(lesson_config(&lesson, block, &config, &err), ATTN_OK);
    ck_assert_msg(config_trace(setup, &trace, &config, &err) == ATTN_OK, "%s", err.message);
    config_finish(&config);
    return trace;
}

START_TEST(each_head_gives_more_than_95_hundredths_to_what_it_looks_for)
{
    const struct head *const head = &heads[_i];
    for (int i = 0; i < head->n_steps; i++) {
        const int block = find_block(head->page, head->first_step + i);
        struct setup setup = {0};
        ck_assert_msg(block >= 0, "'%s' has only %d steps", head->page, head->first_step + i);
        attn_trace *const trace = make_trace(block, &setup);
        int n_rows = 0;
        const double least = least_share(trace, head, &n_rows);
        ck_assert_msg(least > 0.95, "'%s': %g", head->page, least);
        ck_assert_int_ge(n_rows, head->least_rows);
        attn_trace_destroy(trace);
        setup_finish(&setup);
    }
}
END_TEST

START_TEST(no_head_passes_for_one_that_looks_for_something_else)
{
    struct setup setup = {0};
    attn_trace *const trace = make_trace(find_block(heads[_i].page, heads[_i].first_step), &setup);
    for (int other = 0; other < N_HEADS; other++) {
        int n_rows = 0;
        const double least = least_share(trace, &heads[other], &n_rows);
        ck_assert_msg(heads[other].wanted == heads[_i].wanted || least < 0.95,
                      "the head of '%s' passes for that of '%s'", heads[_i].page,
                      heads[other].page);
    }
    attn_trace_destroy(trace);
    setup_finish(&setup);
}
END_TEST

START_TEST(the_head_at_rest_takes_next_to_nothing_along)
{
    struct setup setup = {0};
    attn_trace *const trace = make_trace(find_block("A place to rest", 0), &setup);
    const attn_tensor *const context = attn_trace_tensor(trace, ATTN_CONTEXT);
    for (int t = 0; t < context->dims[1]; t++) {
        for (int i = 0; i < context->dims[2]; i++) {
            ck_assert(fabsf(cell(trace, ATTN_CONTEXT, t, i)) < 0.01F);
        }
    }
    attn_trace_destroy(trace);
    setup_finish(&setup);
}
END_TEST

/* The second of two heads sees what the first one wrote: the word before, as x has it there. */
START_TEST(the_second_head_is_fed_with_what_the_first_one_found)
{
    struct setup first_setup = {0};
    struct setup second_setup = {0};
    attn_trace *const first =
        make_trace(find_block("The word before", heads[0].n_steps - 1), &first_setup);
    attn_trace *const second =
        make_trace(find_block("What came after it last time", 0), &second_setup);
    for (int t = 1; t < 5; t++) {
        for (int i = 0; i < 4; i++) {
            const float found = cell(first, ATTN_CONTEXT, t, i);
            ck_assert(fabsf(found - cell(second, ATTN_X, t, i)) < 0.05F);
        }
    }
    attn_trace_destroy(first);
    attn_trace_destroy(second);
    setup_finish(&first_setup);
    setup_finish(&second_setup);
}
END_TEST

/* ---- words ---- */

/* A learner may go on without a word: nothing may say what they answered. */
static const char *const presumed[] = {
    "you said",    "you answered", "your answer",   "you guessed",    "you chose",
    "you found",   "you worked",   "you got",       "you typed",      "you ticked",
    "you thought", "as you know",  "you predicted", "you were right", "you computed"};

enum { N_PRESUMED = sizeof presumed / sizeof presumed[0] };

/* As one line in lower case, so that no phrase is broken. */
static void flatten(char *text)
{
    for (; *text != '\0'; text++) {
        *text = *text == '\n' ? ' ' : (char)tolower((unsigned char)*text);
    }
}

START_TEST(no_lesson_tells_learners_what_they_said)
{
    char folder[LESSON_PATH_MAX];
    struct lesson_places places;
    struct lesson_entry *entries = NULL;
    int n = 0;
    snprintf(folder, sizeof folder, "%s/lessons", getenv("ATTN_SOURCE"));
    ck_assert_int_eq(lesson_places_init(&places, folder), ATTN_OK);
    ck_assert_int_eq(lesson_list(&places, &entries, &n), ATTN_OK);
    ck_assert_int_ge(n, 13);
    for (int i = 0; i < n; i++) {
        struct lesson_errors errors;
        ck_assert_int_eq(lesson_read(&lesson, entries[i].path, &errors, NULL), ATTN_OK);
        flatten(lesson.source);
        for (int k = 0; k < N_PRESUMED; k++) {
            ck_assert_msg(strstr(lesson.source, presumed[k]) == NULL, "%s: '%s'", entries[i].stem,
                          presumed[k]);
        }
        lesson_finish(&lesson);
    }
    lesson_list_free(entries, n);
    lesson_places_finish(&places);
}
END_TEST

/* ---- the gallery ---- */

static bool is_shown(enum attn_bug bug)
{
    for (int i = 0; i < lesson.n_steps; i++) {
        for (int k = 0; k < lesson.steps[i].n_settings; k++) {
            const struct lesson_setting *const s = &lesson.steps[i].settings[k];
            if (s->option == CONFIG_BUG && strcmp(s->value, attn_bugs[bug].name) == 0) {
                return true;
            }
        }
    }
    return false;
}

START_TEST(the_gallery_shows_every_classic_mistake)
{
    read_shipped("12-bug-gallery.md");
    for (int bug = 0; bug < ATTN_N_BUGS; bug++) {
        ck_assert_msg(is_shown((enum attn_bug)bug), "%s", attn_bugs[bug].name);
    }
    finish_lesson();
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("lessons that ship");
    TCase *const t = tcase_create("heads");
    tcase_add_checked_fixture(t, read_heads, finish_lesson);
    tcase_add_loop_test(t, each_head_gives_more_than_95_hundredths_to_what_it_looks_for, 0,
                        N_HEADS);
    tcase_add_loop_test(t, no_head_passes_for_one_that_looks_for_something_else, 0, N_HEADS);
    tcase_add_test(t, the_head_at_rest_takes_next_to_nothing_along);
    tcase_add_test(t, the_second_head_is_fed_with_what_the_first_one_found);
    suite_add_tcase(s, t);
    TCase *const gallery = tcase_create("gallery");
    tcase_add_test(gallery, the_gallery_shows_every_classic_mistake);
    tcase_add_test(gallery, no_lesson_tells_learners_what_they_said);
    suite_add_tcase(s, gallery);
    return s;
}
