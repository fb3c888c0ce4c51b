/* Good lessons: what is read from them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson.h"
#include "runner.h"

static const char sample[] = "---\n"
                             "title: \"Why: a title\"\n"
                             "summary: One line\n"
                             "topics: scaling, softmax\n"
                             "minutes: 7\n"
                             "variant: single\n"
                             "seed: 7\n"
                             "tokens: the cat sat\n"
                             "---\n"
                             "Before any *heading*, **words** and `code\\n`.\n"
                             "More of it.\n"
                             "\n"
                             "# First *page*\n"
                             "\n"
                             "1. one\n"
                             "2. two\n"
                             "   - within\n"
                             "\n"
                             "> quoted\n"
                             "\n"
                             "```attn\n"
                             "# a comment\n"
                             "at: scores[0]\n"
                             "to: scores[2]\n"
                             "says: scores = [1,3,3]\n"
                             "note: Point at the row.\n"
                             "```\n"
                             "\n"
                             "Behind the block.\n"
                             "\n"
                             "| a | b |\n"
                             "|---|---|\n"
                             "\n"
                             "~~~python\n"
                             "x = 1\n"
                             "~~~\n"
                             "\n"
                             "# Second\n"
                             "\n"
                             "```attn\n"
                             "x:\n"
                             " 1 0\n"
                             " 0,\xe2\x88\x92"
                             "1\n"
                             " .5\t2e1\n"
                             "dim: 2\n"
                             "no-scale:\n"
                             "at: weights[cat]\n"
                             "ask: weights[cat,sat]\n"
                             "tolerance: 0.01\n"
                             "hint: It is less than 1.\n"
                             "why: Since it is.\n"
                             "```\n"
                             "\n"
                             "## Question: which?\n"
                             "\n"
                             "Choose.\n"
                             "\n"
                             "- [ ] `none`\n"
                             "  > Look again.\n"
                             "- [x] some *words*\n"
                             "- [X] others\n"
                             "\n"
                             "hint: First,\n"
                             "still the first.\n"
                             "hint: second\n"
                             "\n"
                             "> Because.\n"
                             ">\n"
                             "> Indeed.\n"
                             "\n"
                             "## Question: how large?\n"
                             "\n"
                             "```attn\n"
                             "fresh:\n"
                             "ask: scores\n"
                             "answer: [1,3,3]\n"
                             "```\n"
                             "\n"
                             "## Question: say it\n"
                             "\n"
                             "```attn\n"
                             "answer: O(T^2) | quadratic\n"
                             "```";

static struct lesson lesson;
static struct lesson_errors errors;

static void setup_sample(void)
{
    lesson_parse(&lesson, NULL, sample, sizeof sample - 1, &errors);
    lesson_check(&lesson, LESSON_MEMORY_MAX, &errors);
    ck_assert_msg(errors.n == 0, "%d: %s", errors.items[0].line, errors.items[0].message);
}

static void finish_sample(void)
{
    lesson_finish(&lesson);
}

static const char *plain(const struct lesson_text *text)
{
    static char out[512];
    return lesson_plain(text, out, sizeof out);
}

START_TEST(the_front_matter_names_the_lesson)
{
    ck_assert_str_eq(lesson.title, "Why: a title");
    ck_assert_str_eq(lesson.summary, "One line");
    ck_assert(lesson.n_topics == 2 && strcmp(lesson.topics[1], "softmax") == 0);
    ck_assert(lesson.minutes == 7 && lesson.variant == ATTN_SINGLE);
}
END_TEST

START_TEST(headings_are_pages_and_what_stands_before_them_is_one)
{
    static const char *const titles[] = {"Why: a title", "First page", "Second",
                                         "which?",       "how large?", "say it"};
    ck_assert_int_eq(lesson.n_pages, 6);
    for (int i = 0; i < 6; i++) {
        ck_assert_str_eq(lesson.pages[i].title, titles[i]);
        ck_assert_int_eq(lesson.pages[i].question >= 0, i >= 3);
    }
    ck_assert(lesson.pages[0].level == 0 && lesson.pages[1].level == 1);
    ck_assert_uint_eq(lesson.pages[1].heading.spans[1].look, LESSON_EMPHASIS);
}
END_TEST

START_TEST(words_keep_their_looks_and_lose_their_line_ends)
{
    static const struct lesson_span spans[] = {
        {"Before any ", LESSON_PLAIN},  {"heading", LESSON_EMPHASIS}, {", ", LESSON_PLAIN},
        {"words", LESSON_STRONG},       {" and ", LESSON_PLAIN},      {"code\\n", LESSON_CODE},
        {". More of it.", LESSON_PLAIN}};
    const struct lesson_text *const text = &lesson.blocks[0].text;
    ck_assert_int_eq(text->n, 7);
    for (int i = 0; i < 7; i++) {
        ck_assert_str_eq(text->spans[i].text, spans[i].text);
        ck_assert_uint_eq(text->spans[i].look, spans[i].look);
    }
}
END_TEST

START_TEST(lists_quotes_tables_and_code_are_blocks_in_order)
{
    static const struct {
        enum lesson_kind kind;
        int depth;
        bool quoted;
        const char *marker, *text;
    } rows[] = {{LESSON_PARAGRAPH, 1, false, "1.", "one"},
                {LESSON_PARAGRAPH, 1, false, "2.", "two"},
                {LESSON_PARAGRAPH, 2, false, "-", "within"},
                {LESSON_PARAGRAPH, 0, true, "", "quoted"},
                {LESSON_NOTE, 0, false, "", "Point at the row."},
                {LESSON_STEP, 0, false, "", ""},
                {LESSON_PARAGRAPH, 0, false, "", "Behind the block."},
                {LESSON_TABLE, 0, false, "", ""},
                {LESSON_VERBATIM, 0, false, "", ""}};
    const struct lesson_page *const page = &lesson.pages[1];
    ck_assert_int_eq(page->n, 9);
    for (int i = 0; i < 9; i++) {
        const struct lesson_block *const b = &lesson.blocks[page->first + i];
        ck_assert_msg(b->kind == rows[i].kind, "block %d", i);
        ck_assert_msg(b->depth == rows[i].depth && b->quoted == rows[i].quoted, "block %d", i);
        ck_assert_str_eq(b->marker, rows[i].marker);
        ck_assert_str_eq(plain(&b->text), rows[i].text);
    }
    ck_assert_str_eq(lesson.blocks[page->first + 7].code, "| a | b |\n|---|---|\n");
    ck_assert_str_eq(lesson.blocks[page->first + 8].code, "x = 1\n");
    ck_assert_str_eq(lesson.blocks[page->first + 8].info, "python");
}
END_TEST

START_TEST(a_choice_has_its_answers_reasons_hints_and_explanation)
{
    const struct lesson_question *const q = &lesson.questions[lesson.pages[3].question];
    ck_assert(q->kind == LESSON_CHOICE && q->n_choices == 3 && q->n_right == 2);
    ck_assert_str_eq(plain(&q->choices[0].text), "none");
    ck_assert_uint_eq(q->choices[0].text.spans[0].look, LESSON_CODE);
    ck_assert_str_eq(plain(&q->choices[0].why), "Look again.");
    ck_assert_str_eq(plain(&q->choices[1].text), "some words");
    ck_assert(!q->choices[0].right && q->choices[1].right && q->choices[2].right);
    ck_assert_int_eq(q->n_hints, 2);
    ck_assert_str_eq(plain(&q->hints[0]), "First, still the first.");
    ck_assert_str_eq(plain(&q->hints[1]), "second");
    ck_assert_int_eq(q->n_explanation, 2);
    ck_assert_str_eq(plain(&q->explanation[1]), "Indeed.");
    ck_assert_int_eq(lesson.blocks[q->block].kind, LESSON_QUESTION);
}
END_TEST

START_TEST(a_step_asks_for_what_the_walk_computes)
{
    const struct lesson_stop *const stop = &lesson.stops[lesson.pages[2].stop];
    const struct lesson_question *const q = &lesson.questions[stop->question];
    ck_assert(q->kind == LESSON_NUMBER && !q->given && q->tolerance_given);
    ck_assert_str_eq(q->ask.name, "weights");
    ck_assert_str_eq(q->ask.at[1], "sat");
    ck_assert_double_eq_tol(q->tolerance, 0.01, 1e-12);
    ck_assert(q->n_hints == 1 && q->n_explanation == 1);
}
END_TEST

START_TEST(answers_are_shapes_numbers_or_words)
{
    const struct lesson_question *const shape = &lesson.questions[lesson.pages[4].question];
    const struct lesson_question *const words = &lesson.questions[lesson.pages[5].question];
    ck_assert(shape->kind == LESSON_SHAPE && shape->rank == 3 && shape->shape[2] == 3);
    ck_assert(words->kind == LESSON_WORDS && words->n_words == 2);
    ck_assert(lesson_words_match(words, "o( t^2 ).") && lesson_words_match(words, " Quadratic"));
    ck_assert(!lesson_words_match(words, "linear") && !lesson_words_match(words, ""));
}
END_TEST

START_TEST(a_place_has_the_configuration_of_all_steps_up_to_it)
{
    struct config before;
    struct config at;
    struct config after;
    const int second = lesson.pages[2].first;
    const int fresh = lesson.pages[4].first;
    ck_assert_int_eq(lesson_config(&lesson, second - 1, &before, NULL), ATTN_OK);
    ck_assert_int_eq(lesson_config(&lesson, second, &at, NULL), ATTN_OK);
    ck_assert_int_eq(lesson_config(&lesson, fresh, &after, NULL), ATTN_OK);
    ck_assert(before.n_given == 0 && !before.scale_given && before.seed == 7);
    ck_assert(at.n_given == 1 && at.scale_given && at.dim == 2 && at.seed == 7);
    ck_assert(at.given[0].id == ATTN_X && at.given[0].dims[1] == 3 && at.given[0].dims[2] == 2);
    ck_assert(at.given[0].data[3] == -1.0f && at.given[0].data[5] == 20.0f);
    ck_assert(after.n_given == 0 && !after.scale_given && after.tokens.n == 3);
    config_finish(&before);
    config_finish(&at);
    config_finish(&after);
}
END_TEST

START_TEST(an_instrument_stands_in_the_walks_place_until_the_walk_comes_back)
{
    static const char text[] = "---\ntitle: T\n---\n# One\n\n```attn\nat: scores\n```\n"
                               "\n```attn\nlab: masks\n```\n\n```attn\ndim: 8\n```\n"
                               "\n```attn\nlab: none\n```\n\n```attn\nlab: cost\n```\n"
                               "\n```attn\nfresh:\n```\n";
    static const int labs[] = {-1, LAB_MASKS, LAB_MASKS, -1, LAB_COST, -1};
    struct lesson l;
    struct lesson_errors e;
    lesson_parse(&l, NULL, text, sizeof text - 1, &e);
    ck_assert_int_eq(lesson_check(&l, LESSON_MEMORY_MAX, &e), ATTN_OK);
    ck_assert_int_eq(l.n_steps, 6);
    for (int i = 0; i < 6; i++) {
        ck_assert_msg(lesson_lab(&l, l.steps[i].block) == labs[i], "step %d", i);
    }
    lesson_finish(&l);
}
END_TEST

/** The place of a stop, its trace made and forgotten. */
static struct lesson_place place_of(int stop)
{
    const struct lesson_stop *const s = &lesson.stops[stop];
    struct config config;
    struct setup setup;
    attn_trace *trace = NULL;
    struct lesson_place place;
    ck_assert_int_eq(lesson_config(&lesson, s->first + s->n - 1, &config, NULL), ATTN_OK);
    ck_assert_int_eq(config_trace(&setup, &trace, &config, NULL), ATTN_OK);
    ck_assert_int_eq(lesson_place(&lesson, stop, &setup, trace, &place, NULL), ATTN_OK);
    attn_trace_destroy(trace);
    setup_finish(&setup);
    config_finish(&config);
    return place;
}

START_TEST(stops_go_through_text_and_steps_as_one_line)
{
    static const struct {
        int page, n_steps, row;
        enum attn_tensor_id look;
    } rows[] = {{0, 1, 0, ATTN_Q},       {1, 3, 0, ATTN_SCORES},  {1, 1, 2, ATTN_SCORES},
                {2, 1, 1, ATTN_WEIGHTS}, {3, 1, 1, ATTN_WEIGHTS}, {4, 1, 1, ATTN_WEIGHTS},
                {5, 1, 1, ATTN_WEIGHTS}};
    ck_assert_int_eq(lesson.n_stops, 7);
    for (int i = 0; i < 7; i++) {
        const struct lesson_place place = place_of(i);
        ck_assert_msg(lesson.stops[i].page == rows[i].page, "stop %d", i);
        ck_assert_msg((int)place.n_steps == rows[i].n_steps, "stop %d", i);
        ck_assert_msg(place.look.tensor == rows[i].look, "stop %d", i);
        ck_assert_msg(place.first.at[1] == rows[i].row && place.look.at[1] == rows[i].row,
                      "stop %d: %d, %d", i, place.first.at[1], place.look.at[1]);
    }
}
END_TEST

/** Everything that a lesson says, for comparison. */
static char *digest(const char *bytes, size_t size)
{
    struct lesson l;
    struct lesson_errors e;
    char *text = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    lesson_parse(&l, NULL, bytes, size, &e);
    lesson_check(&l, LESSON_MEMORY_MAX, &e);
    ck_assert_msg(e.n == 0, "%d:%d: %s", e.items[0].line, e.items[0].column, e.items[0].message);
    for (int i = 0; i < l.n_blocks; i++) {
        const struct lesson_block *const b = &l.blocks[i];
        fprintf(f, "%d:%d %d %s %s\n", b->line, b->column, (int)b->kind, plain(&b->text),
                b->code != NULL ? b->code : "");
    }
    fprintf(f, "%s %d %d %d\n", l.title, l.n_stops, l.n_steps, l.n_questions);
    lesson_finish(&l);
    ck_assert_int_eq(fclose(f), 0);
    return text;
}

START_TEST(line_ends_and_a_byte_order_mark_make_no_difference)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    char *const expected = digest(sample, sizeof sample - 1);
    for (int end = 0; end < 3; end++) {
        static char text[2 * sizeof sample];
        size_t n = 0;
        memcpy(text, "\xef\xbb\xbf", 3);
        n += 3;
        for (size_t i = 0; i + 1 < sizeof sample; i++) {
            if (sample[i] == '\n') {
                n += (size_t)snprintf(text + n, sizeof text - n, "%s", ends[end]);
            } else {
                text[n++] = sample[i];
            }
        }
        char *const seen = digest(text, n);
        ck_assert_str_eq(seen, expected);
        free(seen);
    }
    free(expected);
}
END_TEST

START_TEST(wide_characters_are_kept_and_columns_count_bytes)
{
    static const char text[] = "---\ntitle: 注意\ntokens: 猫 犬\n---\n# 猫と犬\n\n猫 🐈.\n\n"
                               "```attn\nat: scores[猫,魚]\n```\n";
    struct lesson l;
    struct lesson_errors e;
    ck_assert_int_eq(lesson_parse(&l, NULL, text, sizeof text - 1, &e), ATTN_OK);
    ck_assert_int_eq(lesson_check(&l, LESSON_MEMORY_MAX, &e), ATTN_E_FORMAT);
    ck_assert_str_eq(plain(&l.blocks[0].text), "猫 🐈.");
    ck_assert_str_eq(e.items[0].message, "scores has no index '魚'");
    ck_assert_int_eq(e.items[0].column, 5);
    lesson_finish(&l);
}
END_TEST

START_TEST(the_compiled_in_lesson_and_the_skeleton_are_sound)
{
    const unsigned char *const bytes = _i == 0 ? lesson_builtin : lesson_skeleton;
    const size_t size = _i == 0 ? lesson_builtin_size : lesson_skeleton_size;
    struct lesson l;
    struct lesson_errors e;
    lesson_parse(&l, NULL, (const char *)bytes, size, &e);
    ck_assert_msg(lesson_check(&l, LESSON_MEMORY_MAX, &e) == ATTN_OK, "%d: %s", e.items[0].line,
                  e.items[0].message);
    ck_assert_int_ge(l.n_questions, 1);
    lesson_finish(&l);
}
END_TEST

/* The scores are 0, so that each weight is a half; hidden, one of them is 1. */
static const char measured[] = "---\ntitle: T\nlength: 2\ndim: 2\n---\n# Page\n\n"
                               "```attn\n"
                               "q:\n 0 0\n 0 0\n"
                               "k:\n 1 2\n 3 6\n"
                               "v:\n 0 0\n 0 0\n"
                               "says: sum(k) = 12\n"
                               "says: sum(k[1]) = 9\n"
                               "says: sum(k[*,0]) = 4\n"
                               "says: sum(k[0,*,0]) = 4\n"
                               "says: sum(k[1,0]) = 3\n"
                               "says: mean(k) = 3\n"
                               "says: sd(k[1]) = 1.5\n"
                               "says: min(k) = 1\n"
                               "says: max(k[*,1]) = 6\n"
                               "says: largest(k) = 4\n"
                               "says: entropy(weights) = 0.6931\n"
                               "says: slope(weights[1]) = 0.5\n"
                               "says: count(scores[*,0]) = 2\n"
                               "says: bytes(k) = 16\n"
                               "says: operations(scores) = 16\n"
                               "says: operations(context[0]) = 8\n"
                               "```\n"
                               "```attn\nmask: causal\n"
                               "says: mean(masked) = 0\n"
                               "says: min(masked) = -inf\n"
                               "says: entropy(weights) = 0.3466\n"
                               "says: slope(weights[0]) = 0\n"
                               "```\n";

START_TEST(sums_and_the_like_are_of_the_cells_that_they_name)
{
    struct lesson l;
    struct lesson_errors e;
    lesson_parse(&l, NULL, measured, sizeof measured - 1, &e);
    lesson_check(&l, LESSON_MEMORY_MAX, &e);
    ck_assert_msg(e.n == 0, "%d: %s", e.items[0].line, e.items[0].message);
    lesson_finish(&l);
}
END_TEST

START_TEST(every_lesson_that_ships_passes_the_check)
{
    char dir[LESSON_PATH_MAX];
    const char *const source = getenv("ATTN_SOURCE");
    struct lesson_places places = {.dirs = {dir}, .n = 1};
    struct lesson_entry *entries = NULL;
    int n = 0;
    ck_assert_ptr_nonnull(source);
    snprintf(dir, sizeof dir, "%s/lessons", source);
    ck_assert_int_eq(lesson_list(&places, &entries, &n), ATTN_OK);
    ck_assert(n >= 1 && entries[0].path[0] != '\0');
    for (int i = 0; i < n; i++) {
        struct lesson l;
        struct lesson_errors e;
        lesson_read(&l, entries[i].path, &e, NULL);
        lesson_check(&l, LESSON_MEMORY_MAX, &e);
        ck_assert_msg(e.n == 0, "%s:%d:%d: %s", entries[i].path, e.items[0].line, e.items[0].column,
                      e.items[0].message);
        ck_assert_msg(l.minutes >= 5 && l.minutes <= 12, "%s", entries[i].path);
        ck_assert_msg(l.summary[0] != '\0' && l.n_topics > 0, "%s", entries[i].path);
        ck_assert_msg(l.pages[l.n_pages - 1].question >= 0, "%s does not end by asking",
                      entries[i].path);
        lesson_finish(&l);
    }
    lesson_list_free(entries, n);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("lessons");
    TCase *const t = tcase_create("sample");
    tcase_add_checked_fixture(t, setup_sample, finish_sample);
    tcase_add_test(t, the_front_matter_names_the_lesson);
    tcase_add_test(t, headings_are_pages_and_what_stands_before_them_is_one);
    tcase_add_test(t, words_keep_their_looks_and_lose_their_line_ends);
    tcase_add_test(t, lists_quotes_tables_and_code_are_blocks_in_order);
    tcase_add_test(t, a_choice_has_its_answers_reasons_hints_and_explanation);
    tcase_add_test(t, a_step_asks_for_what_the_walk_computes);
    tcase_add_test(t, answers_are_shapes_numbers_or_words);
    tcase_add_test(t, a_place_has_the_configuration_of_all_steps_up_to_it);
    tcase_add_test(t, stops_go_through_text_and_steps_as_one_line);
    suite_add_tcase(s, t);
    TCase *const others = tcase_create("others");
    tcase_add_test(others, line_ends_and_a_byte_order_mark_make_no_difference);
    tcase_add_test(others, wide_characters_are_kept_and_columns_count_bytes);
    tcase_add_test(others, an_instrument_stands_in_the_walks_place_until_the_walk_comes_back);
    tcase_add_loop_test(others, the_compiled_in_lesson_and_the_skeleton_are_sound, 0, 2);
    tcase_add_test(others, sums_and_the_like_are_of_the_cells_that_they_name);
    tcase_add_test(others, every_lesson_that_ships_passes_the_check);
    suite_add_tcase(s, others);
    return s;
}
