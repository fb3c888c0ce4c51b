/* Worksheets: the key answers every blank and every question, and the same seed gives the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"
#include "runner.h"

static const char text[] =
    "---\ntitle: A sheet\nsummary: Of one page\nvariant: single\ntokens: the cat sat\ndim: 2\n---\n"
    "# Scores\n\nWords.\n\n```attn\nq:\n1 0\n0 2\n3 1\nk:\n1 0\n2 1\n0 -1\nv:\n1 0\n0 1\n1 1\n"
    "at: scores[0]\n```\n\nMore.\n\n```attn\nat: weights[1]\nask: weights[1,2]\nwhy: Since it is.\n"
    "```\n\n## Question: Which is *right*?\n\nThink.\n\n- [ ] this\n- [x] `that`\n\n> Because.\n\n"
    "## Question: how large?\n\n```attn\nask: scores\n```\n";

static struct lesson lesson;

static void setup_sample(void)
{
    struct lesson_errors errors;
    lesson_parse(&lesson, NULL, text, sizeof text - 1, &errors);
    lesson_check(&lesson, LESSON_MEMORY_MAX, &errors);
    ck_assert_msg(errors.n == 0, "%d: %s", errors.items[0].line, errors.items[0].message);
}

static void finish_sample(void)
{
    lesson_finish(&lesson);
}

static char *sheet(const struct lesson *l, uint64_t seed, bool key)
{
    char *out = NULL;
    size_t n = 0;
    struct attn_error err = {.message = ""};
    FILE *const f = open_memstream(&out, &n);
    ck_assert_ptr_nonnull(f);
    ck_assert_msg(lesson_sheet(f, l, seed, key, &err) == ATTN_OK, "%s", err.message);
    ck_assert_int_eq(fclose(f), 0);
    return out;
}

static int count(const char *in, const char *what)
{
    int n = 0;
    for (const char *at = in; (at = strstr(at, what)) != NULL; at += strlen(what)) {
        n++;
    }
    return n;
}

START_TEST(the_key_has_a_number_for_every_blank_and_its_arithmetic)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        char *const paper = sheet(&lesson, seed, false);
        char *const key = sheet(&lesson, seed, true);
        const int blanks = count(paper, " ______ |");
        ck_assert_int_ge(blanks, 4);
        ck_assert_int_eq(count(key, "** |"), blanks);
        ck_assert_int_eq(count(key, "\n- `"), blanks);
        ck_assert_int_eq(count(key, "______"), 0);
        ck_assert_int_eq(count(paper, "\n## "), count(key, "\n## "));
        free(paper);
        free(key);
    }
}
END_TEST

START_TEST(a_question_is_asked_on_the_sheet_and_answered_in_the_key)
{
    char *const paper = sheet(&lesson, 1, false);
    char *const key = sheet(&lesson, 1, true);
    static const char *const asked[] = {
        "What is weights[1,2]?",        "- [ ] B. `that`", "Which is *right*?", "Think.",
        "What is the shape of scores?", "T = 3, S = 3"};
    static const char *const answered[] = {"Since it is.", "**B.** `that`", "Because.",
                                           "**[1,3,3]**"};
    for (int i = 0; i < 6; i++) {
        ck_assert_msg(strstr(paper, asked[i]) != NULL, "%s", asked[i]);
    }
    for (int i = 0; i < 4; i++) {
        ck_assert_msg(strstr(key, answered[i]) != NULL, "%s", answered[i]);
        ck_assert_msg(strstr(paper, answered[i]) == NULL || i == 1, "%s", answered[i]);
    }
    free(paper);
    free(key);
}
END_TEST

START_TEST(the_same_seed_leaves_out_the_same_cells_and_another_others)
{
    char *const a = sheet(&lesson, 1, false);
    char *const b = sheet(&lesson, 1, false);
    char *const c = sheet(&lesson, 2, false);
    ck_assert_str_eq(a, b);
    ck_assert_str_ne(a, c);
    free(a);
    free(b);
    free(c);
}
END_TEST

/** Each table has as many cells in every row as in its head. */
static void check_tables(const char *in, const char *name)
{
    int wanted = 0;
    for (const char *line = in; line != NULL && *line != '\0';) {
        const char *const end = strchr(line, '\n');
        int bars = 0;
        for (const char *c = line; c < end && *line == '|'; c++) {
            bars += *c == '|' ? 1 : 0;
        }
        ck_assert_msg(bars == 0 || wanted == 0 || bars == wanted, "%s: %.60s", name, line);
        wanted = bars;
        line = end != NULL ? end + 1 : NULL;
    }
}

START_TEST(every_lesson_that_ships_has_a_worksheet_and_a_key)
{
    struct lesson_places places;
    struct lesson_entry *entries = NULL;
    int n = 0;
    char dir[4096];
    snprintf(dir, sizeof dir, "%s/lessons", getenv("ATTN_SOURCE"));
    ck_assert_int_eq(lesson_places_init(&places, dir), ATTN_OK);
    ck_assert_int_eq(lesson_list(&places, &entries, &n), ATTN_OK);
    ck_assert_int_ge(n, 3);
    for (int i = 0; i < n; i++) {
        struct lesson one;
        struct lesson_errors errors;
        ck_assert_int_eq(lesson_read(&one, entries[i].path, &errors, NULL), ATTN_OK);
        char *const paper = sheet(&one, 1, false);
        char *const key = sheet(&one, 1, true);
        ck_assert_msg(count(paper, "\n## ") > 0, "%s has no exercise", entries[i].path);
        ck_assert_int_eq(count(paper, "\n## "), count(key, "\n## "));
        check_tables(paper, entries[i].path);
        check_tables(key, entries[i].path);
        free(paper);
        free(key);
        lesson_finish(&one);
    }
    lesson_list_free(entries, n);
    lesson_places_finish(&places);
}
END_TEST

/** The words that a reader of Markdown sees, without any looks. */
static void read_markdown(const char *markdown, size_t size, char *out)
{
    cmark_node *const document = cmark_parse_document(markdown, size, CMARK_OPT_DEFAULT);
    cmark_iter *const iter = cmark_iter_new(document);
    size_t n = 0;
    out[0] = '\0';
    while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
        cmark_node *const node = cmark_iter_get_node(iter);
        const cmark_node_type type = cmark_node_get_type(node);
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE) {
            const size_t length = strlen(cmark_node_get_literal(node));
            memcpy(out + n, cmark_node_get_literal(node), length + 1);
            n += length;
        }
    }
    cmark_iter_free(iter);
    cmark_node_free(document);
}

static void check_words(FILE *f, char *const *markdown, const char *words, const char *before,
                        enum lesson_markdown where)
{
    char seen[64];
    rewind(f);
    fputs(before, f);
    const long start = ftell(f);
    lesson_put_words(f, words, where);
    fputc('\n', f);
    const long end = ftell(f);
    fflush(f);
    read_markdown(*markdown, (size_t)end, seen);
    const char *const got = before[0] == '#' ? seen + 1 : seen; /* "# x" */
    ck_assert_msg(strcmp(got, words) == 0, "'%s' as '%s%.*s' reads '%s'", words, before,
                  (int)(end - start), *markdown + start, got);
}

/* All texts of three characters of those that mean anything to Markdown. */
START_TEST(words_read_in_markdown_as_they_stand)
{
    static const char letters[] = "*_`[](<>#-+=1.)|&\\!~:/;a ";
    enum { N = sizeof letters - 1 };
    char *markdown = NULL;
    size_t n = 0;
    FILE *const f = open_memstream(&markdown, &n);
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < N * N * N; i++) {
        const char words[] = {letters[i / N / N], letters[i / N % N], letters[i % N], '\0'};
        if (words[0] == ' ' || words[2] == ' ') {
            continue; /* what is at an edge is nothing */
        }
        check_words(f, &markdown, words, "", LESSON_FIRST);
        check_words(f, &markdown, words, "# x", LESSON_WITHIN);
    }
    fclose(f);
    free(markdown);
}
END_TEST

START_TEST(code_reads_in_markdown_as_it_stands)
{
    static const char *const codes[] = {"a", "`", "``", "a`b", "`a", " a ", "a``b`", "a|b", "*a*"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        char *markdown = NULL;
        size_t n = 0;
        char seen[64];
        FILE *const f = open_memstream(&markdown, &n);
        ck_assert_ptr_nonnull(f);
        lesson_put_code(f, codes[i]);
        fclose(f);
        read_markdown(markdown, n, seen);
        ck_assert_str_eq(seen, codes[i]);
        free(markdown);
    }
}
END_TEST

START_TEST(tokens_break_no_table)
{
    static const char odd[] =
        "---\ntitle: A *sheet*\nvariant: single\ntokens: * | <b>\n---\n# P\n\n"
        "```attn\nat: scores\n```\n\n## Question: a \\| b?\n\n```attn\n"
        "answer: *\n```\n\n````c\n```\n````\n";
    struct lesson_errors errors;
    struct lesson l;
    lesson_parse(&l, NULL, odd, sizeof odd - 1, &errors);
    ck_assert_msg(errors.n == 0, "%d: %s", errors.items[0].line, errors.items[0].message);
    char *const paper = sheet(&l, 1, false);
    char *const key = sheet(&l, 1, true);
    ck_assert_ptr_nonnull(strstr(paper, "# A \\*sheet\\*\n"));
    ck_assert_ptr_nonnull(strstr(paper, "| scores | \\* | \\| | \\<b> |\n|---|---:|---:|---:|\n"));
    ck_assert_ptr_nonnull(strstr(paper, "````c\n```\n````\n"));
    ck_assert_ptr_nonnull(strstr(key, "**\\***\n"));
    free(paper);
    free(key);
    lesson_finish(&l);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("worksheets");
    TCase *const t = tcase_create("sheet");
    tcase_add_checked_fixture(t, setup_sample, finish_sample);
    tcase_add_test(t, the_key_has_a_number_for_every_blank_and_its_arithmetic);
    tcase_add_test(t, a_question_is_asked_on_the_sheet_and_answered_in_the_key);
    tcase_add_test(t, the_same_seed_leaves_out_the_same_cells_and_another_others);
    tcase_add_test(t, every_lesson_that_ships_has_a_worksheet_and_a_key);
    tcase_add_test(t, words_read_in_markdown_as_they_stand);
    tcase_add_test(t, code_reads_in_markdown_as_it_stands);
    tcase_add_test(t, tokens_break_no_table);
    suite_add_tcase(s, t);
    return s;
}
