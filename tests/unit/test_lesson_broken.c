/* Broken lessons: each has one thing wrong, and is told so once, at its line and column. */
#include <stdio.h>
#include <string.h>

#include "lesson.h"
#include "runner.h"

#define FRONT "---\ntitle: T\nvariant: single\ntokens: the cat sat down\n---\n# Page\n\nWords.\n\n"
#define QUESTION FRONT "## Question: why?\n\n"
#define BLOCK(text) "```attn\n" text "```\n"

static const struct {
    const char *what; /**< Is wrong. */
    const char *text;
    int line, column;
    const char *message, *hint;
} rows[] = {
    {"no front matter", "# Page\n\nWords.\n", 1, 1, "there is no front matter",
     "begin the file with three lines: ---, title: What it is about, ---"},
    {"a front matter without an end", "---\ntitle: T\n\n# Page\n", 1, 1,
     "the front matter has no end", "a line of its own: ---"},
    {"no title", "---\nseed: 7\n---\n# Page\n", 1, 1, "the front matter has no title",
     "title: What it is about"},
    {"a line without a colon", "---\ntitle: T\nseed 7\n---\n# Page\n", 3, 1,
     "'seed 7' is no 'key: value'", "as in 'seed: 7'; # begins a comment"},
    {"a misspelled key of the front matter", "---\ntitle: T\nsede: 7\n---\n# Page\n", 3, 1,
     "unknown key 'sede'", "did you mean seed?"},
    {"a key that is set twice", "---\ntitle: T\nseed: 7\nseed: 8\n---\n# Page\n", 4, 1,
     "'seed' was set before", "keep one"},
    {"a key of a block in the front matter", "---\ntitle: T\nat: scores\n---\n# Page\n", 3, 1,
     "'at' has no place here", "put it in a block marked attn"},
    {"a key of the front matter in a block", FRONT BLOCK("title: U\n"), 11, 1,
     "'title' has no place here", "put it in the front matter"},
    {"an unknown variant", "---\ntitle: T\nvariant: singel\n---\n# Page\n", 3, 10,
     "unknown variant 'singel'", "did you mean single? there are single, cross, v1, v2, v3"},
    {"a size that is none", "---\ntitle: T\ndim: four\n---\n# Page\n", 3, 6, "'four' is not a size",
     "a whole number, 1 to 65536"},
    {"minutes that are none", "---\ntitle: T\nminutes: soon\n---\n# Page\n", 3, 10,
     "'soon' is no number of minutes", "1 to 600"},
    {"a lesson without words", "---\ntitle: T\n---\n", 3, 1, "the lesson is empty",
     "a heading, then words"},
    {"not UTF-8",
     "---\ntitle: T\n---\n# Page\n\nA caf\xe9"
     ".\n",
     6, 6, "byte 0xe9 is not UTF-8", "save the file as UTF-8"},
    {"a control character",
     "---\ntitle: T\n---\n# Page\n\nRed: \x1b"
     "[31m\n",
     6, 6, "a control character, 0x1b", "take it out"},
    {"a heading without words", FRONT "## \n", 10, 1, "a heading without words",
     "say what the page is about"},
    {"HTML", FRONT "<table><tr></tr></table>\n", 10, 1, "HTML cannot be shown in a terminal",
     "only <!-- comments --> are left out quietly"},
    {"HTML within words", FRONT "Words in <b>bold</b>.\n", 10, 10,
     "HTML cannot be shown in a terminal", "only <!-- comments --> are left out quietly"},
    {"HTML in a heading", FRONT "## One<br>two\n", 10, 7, "HTML cannot be shown in a terminal",
     "only <!-- comments --> are left out quietly"},
    {"HTML in a hint", QUESTION "- [x] this\n- [ ] that\n\nhint: Look <i>\n", 15, 12,
     "HTML cannot be shown in a terminal", "only <!-- comments --> are left out quietly"},
    {"HTML alone in a hint", QUESTION "- [x] this\n- [ ] that\n\nhint: <i>\n", 15, 7,
     "HTML cannot be shown in a terminal", "only <!-- comments --> are left out quietly"},
    {"HTML in an answer", QUESTION "- [x] this\n- [ ] that <img src=x>\n", 13, 12,
     "HTML cannot be shown in a terminal", "only <!-- comments --> are left out quietly"},
    {"HTML in a table", FRONT "| a | b |\n|---|---|\n| 1 | <sup>2</sup> |\n", 12, 7,
     "HTML cannot be shown in a terminal", "only <!-- comments --> are left out quietly"},
    {"HTML behind a comment", FRONT "<!-- why -->\n<!-- and\nhow --> <b>bold</b>\n", 12, 9,
     "HTML cannot be shown in a terminal", "only <!-- comments --> are left out quietly"},
    {"words behind a comment", FRONT "<!-- why --> More words.\n", 10, 14,
     "words behind a comment are left out", "put them in the next line"},
    {"a comment without an end", FRONT "<!-- why\n\n## More\n\nWords.\n", 10, 1,
     "this comment has no end", "close it with -->"},
    {"a comment without an end within words", FRONT "Words\nand <!-- why\n\nMore --> words.\n", 11,
     5, "this comment has no end", "close it with -->"},
    {"code without an end", FRONT "```python\nx = 1\n\nWords.\n", 10, 1, "this block has no end",
     "a line of its own: ```"},
    {"code whose end is shorter", FRONT "~~~~\nx = 1\n~~~\n", 10, 1, "this block has no end",
     "a line of its own: ~~~"},
    {"code in a list without an end", FRONT "- words\n\n  ```python\n  x = 1\n\nMore.\n", 12, 3,
     "this block has no end", "a line of its own: ```"},
    {"code in a quote without an end", FRONT "> ```\n> x = 1\n\nMore.\n", 10, 3,
     "this block has no end", "a line of its own: ```"},
    {"an indented block", FRONT "    ```attn\n    at: scores\n    ```\n", 10, 5,
     "a block marked attn is indented", "begin it where the line begins"},
    {"a fence of two", FRONT "``attn\nat: scores\n``\n", 10, 1, "this opens no block",
     "three of them: ```attn"},
    {"a block that says nothing", FRONT BLOCK("# at: scores\n\n"), 10, 1, "this block says nothing",
     "at:, says:, ask: or a setting, a line each"},
    {"no blank before a heading", FRONT "##More\n\nWords.\n", 10, 3,
     "no blank between '##' and its heading", "as in '## …'; '\\#' is the sign itself"},
    {"a hint with a capital", QUESTION "- [x] this\n- [ ] that\n\nHint: Look.\n", 15, 1,
     "'Hint:' is no hint", "write it hint:"},
    {"a key twice in a block", FRONT BLOCK("at: scores\ngrain: row\nat: weights\n"), 13, 1,
     "'at' was set before", "keep one"},
    {"a matrix twice in a block", FRONT BLOCK("q: none\nseed: 1\nq: none\n"), 13, 1,
     "'q' was set before", "keep one"},
    {"a key with dashes", FRONT BLOCK("--at: scores\n"), 11, 1, "a key stands without dashes",
     "as in 'seed: 7'; # begins a comment"},
    {"a title without words", "---\nseed: 1\ntitle:\n---\n# Page\n", 3, 1, "a title without words",
     "say what the lesson is about"},
    {"no tokens", "---\ntitle: T\ntokens:\n---\n# Page\n", 3, 1, "there is no token in it",
     "give words, as in \"the cat sat down\""},
    {"a hint to nothing", FRONT BLOCK("hint: Look.\n"), 11, 1, "a hint to nothing",
     "add ask: with a cell, or put it under a heading 'Question: …'"},
    {"a cell too many in a table", FRONT "| a | b |\n|---|---|\n| `1|2` | 3 | 4 |\n", 12, 1,
     "a row of 3 cells in a table of 2 columns", "\\| is the sign itself"},
    {"lists in lists without end", FRONT "- - - - - - - - - deep\n", 10, 17,
     "lists and quotes nested more than 8 deep", "write it flatter"},
    {"a heading in a quote", FRONT "> ## Inside\n", 10, 3, "a heading in a list or quote",
     "headings are pages"},
    {"a misspelled mark", FRONT "```atn\nat: scores\n```\n", 10, 1, "a block marked 'atn'",
     "did you mean attn?"},
    {"a block without an end", FRONT "```attn\nat: scores\n", 10, 1, "this block has no end",
     "a line of its own: ```"},
    {"a block in a list", FRONT "- ```attn\n  at: scores\n  ```\n", 10, 3,
     "a block marked attn stands in a list or quote", "put it on its own"},
    {"a misspelled key", FRONT BLOCK("grian: row\n"), 11, 1, "unknown key 'grian'",
     "did you mean grain?"},
    {"a computed tensor as input", FRONT BLOCK("scores:\n1 2\n"), 11, 1,
     "'scores' is computed, not given", "give x and the weights, or q, k and v"},
    {"an unknown grain", FRONT BLOCK("grain: rows\n"), 11, 8, "unknown grain 'rows'",
     "stage, row or cell"},
    {"a place that is none", FRONT BLOCK("at: scores[1\n"), 11, 5, "'scores[1' names no cell",
     "as in scores, weights[2] or weights[2,1]"},
    {"a misspelled stage", FRONT BLOCK("at: sofmax\n"), 11, 5, "single has no 'sofmax'",
     "did you mean softmax?"},
    {"a misspelled tensor", FRONT BLOCK("at: wieghts[1,2]\n"), 11, 5, "single has no 'wieghts'",
     "did you mean weights?"},
    {"a step that the variant has not", FRONT BLOCK("at: output\n"), 11, 5,
     "single has no 'output'", "its stages are project score scale mask softmax mix"},
    {"a tensor that is not there without a mask", FRONT BLOCK("at: masked[0,1]\n"), 11, 5,
     "there is no masked in this walk of single", "give it a mask"},
    {"an index beyond the end", FRONT BLOCK("at: scores[0,4]\n"), 11, 5, "scores has no index '4'",
     "its shape is [1,4,4], counted from 0"},
    {"a token that is not there", FRONT BLOCK("at: scores[the,dog]\n"), 11, 5,
     "scores has no index 'dog'", "its shape is [1,4,4], counted from 0"},
    {"an end before the beginning", FRONT BLOCK("at: scores[2]\nto: scores[1]\n"), 12, 5,
     "this comes before at", "exchange the two"},
    {"an end without a beginning", FRONT BLOCK("to: scores[1]\n"), 11, 5,
     "to: without at:", "say where it begins"},
    {"a matrix without rows", FRONT BLOCK("x:\nat: scores\n"), 11, 1,
     "no rows of numbers follow 'x:'", "one row a line below it"},
    {"rows of two lengths", FRONT BLOCK("x:\n1 2 3\n4 5\n"), 13, 1,
     "a row of 2 numbers, and the rows above have 3", ""},
    {"a word in a matrix", FRONT BLOCK("x:\n1 2 one\n"), 12, 5, "'one' is no number",
     "in a row of a matrix"},
    {"a matrix that does not fit", FRONT BLOCK("x:\n1 2\n3 4\n5 6\n"), 11, 1,
     "4 tokens, but x [3,2] of this walk has 3 queries", "give 3 tokens"},
    {"a mask for a variant that has none", FRONT BLOCK("variant: v1\nmask: causal\n"), 12, 7,
     "v1 has no mask", "single, cross and v3 take it"},
    {"a mask that is neither 0 nor 1", FRONT BLOCK("mask:\n1 0 0 0\n1 2 0 0\n1 1 1 0\n1 1 1 1\n"),
     11, 1, "the mask has 2 at [1,1]",
     "a mask holds 0 and 1 only; it is never added to the scores"},
    {"a size against the tokens", FRONT BLOCK("length: 5\n"), 11, 9, "4 tokens, but length is 5",
     "leave length out"},
    {"q without k and v", FRONT BLOCK("q:\n1 0\n0 1\n"), 11, 1,
     "q, k and v are loaded together, and k and v are missing", "load all three"},
    {"more memory than a lesson may have", FRONT BLOCK("fresh: yes\ndim: 8192\n"), 10, 1,
     "this takes 768.6 MiB, and 256.0 MiB is allowed", "choose smaller sizes"},
    {"a claim that says nothing", FRONT BLOCK("says: weights[0,0] is large\n"), 11, 7,
     "'weights[0,0] is large' says nothing that can be checked",
     "as in weights[2,1] = 0.31, or scores = [1,4,4]"},
    {"a number that the walk contradicts", FRONT BLOCK("says: weights[0,0] = 0.99\n"), 11, 22,
     "weights[0,0] is 0.2200, not this", ""},
    {"a shape that the walk contradicts", FRONT BLOCK("says: scores = [4,4]\n"), 11, 16,
     "the shape of scores is [1,4,4], not this", ""},
    {"a claim about a row", FRONT BLOCK("says: weights[1] = 0.25\n"), 11, 7,
     "'weights' is more than one number", "name a cell, such as weights[1,0]"},
    {"a sum that the walk contradicts", FRONT BLOCK("says: sum(weights[1]) = 0.9\n"), 11, 25,
     "the sum is 1.0000, not this", ""},
    {"a measure that there is not", FRONT BLOCK("says: average(weights[1]) = 0.25\n"), 11, 7,
     "'average' measures nothing",
     "sum, mean, sd, min, max, largest, entropy, slope, count, bytes or operations"},
    {"the operations of what is no product of matrices",
     FRONT BLOCK("says: operations(weights) = 32\n"), 11, 18,
     "operations are those of products of matrices", "such as scores or context"},
    {"the entropy of a column", FRONT BLOCK("says: entropy(weights[*,1]) = 1\n"), 11, 15,
     "entropy is of whole rows", "name a row, or a tensor"},
    {"a measure of what there is not", FRONT BLOCK("says: sum(weights[4]) = 1\n"), 11, 11,
     "weights has no index '4'", "its shape is [1,4,4], counted from 0"},
    {"all of an axis where one number is meant", FRONT BLOCK("says: weights[1,*] = 1\n"), 11, 7,
     "weights has no index '*'", "its shape is [1,4,4], counted from 0"},
    {"the shape of a sum", FRONT BLOCK("says: sum(weights) = [1,4,4]\n"), 11, 7,
     "'sum(weights) = [1,4,4]' says nothing that can be checked",
     "as in weights[2,1] = 0.31, or scores = [1,4,4]"},
    {"a comparison with itself", FRONT BLOCK("compare: single\n"), 11, 10,
     "single compared with itself", "name another variant"},
    {"an unknown instrument", FRONT BLOCK("lab: scalling\n"), 11, 6,
     "unknown instrument 'scalling'", "did you mean scaling? there are scaling, cost, masks"},
    {"an instrument in the front matter", "---\ntitle: T\nlab: cost\n---\n# Page\n", 3, 1,
     "'lab' has no place here", "put it in a block marked attn"},
    {"an unknown bug", FRONT BLOCK("bug: noscale\n"), 11, 6, "unknown bug 'noscale'",
     "did you mean no-scale? attn help bugs lists them"},
    {"an answer that the walk contradicts", QUESTION BLOCK("ask: weights[0,0]\nanswer: 0.99\n"), 14,
     9, "weights[0,0] is 0.2200, not this", ""},
    {"a shape as an answer that the walk contradicts",
     FRONT BLOCK("ask: scores\nanswer: [1,4,5]\n"), 12, 9,
     "the shape of scores is [1,4,4], not this", ""},
    {"a word for what is computed", FRONT BLOCK("ask: scores\nanswer: big\n"), 12, 9,
     "a word cannot be what the walk computes", "a number, a shape, or no ask:"},
    {"an answer to nothing", FRONT BLOCK("answer: 3\n"), 11, 1, "an answer to nothing",
     "add ask: with a cell, or put it under a heading 'Question: …'"},
    {"a tolerance that is none", FRONT BLOCK("ask: scores[0,0]\ntolerance: -1\n"), 12, 12,
     "'-1' is no tolerance", "a number above 0, such as 0.01"},
    {"a question without an answer", QUESTION "Words.\n", 10, 1, "a question without an answer",
     "a list of '- [ ]' and '- [x]', or answer: in a block"},
    {"a question without a right answer", QUESTION "- [ ] this\n- [ ] that\n", 12, 1,
     "no answer is marked right", "mark it '- [x]'"},
    {"a question that cannot be answered wrong", QUESTION "- [x] this\n- [x] that\n", 12, 1,
     "every answer is marked right", "mark the wrong ones '- [ ]'"},
    {"an answer without a box", QUESTION "- [x] this\n- that\n", 13, 3, "an answer without a box",
     "'[ ]' is wrong, '[x]' is right"},
    {"an answer that stands there twice", QUESTION "- [x] this\n- [ ] this\n", 13, 1,
     "this answer stands there twice", "take one out"},
    {"an answer without words", QUESTION "- [x] this\n- [ ]\n", 13, 1, "an answer without words",
     "say what it is"},
    {"no blank before a box", QUESTION "-[x] this\n-[ ] that\n", 12, 2,
     "no blank between '-' and its box", "as in '- [ ] …'"},
    {"two lists of answers",
     QUESTION "- [x] this\n- [ ] that\n\nWords.\n\n- [x] these\n- [ ] those\n", 17, 1,
     "a second set of answers", "a question has one; begin another heading"},
    {"two answers", QUESTION BLOCK("answer: 3\nanswer: 4\n"), 14, 1, "a second answer",
     "alternatives stand in one line: answer: this | that"},
    {"boxes without a question", FRONT "- [x] this\n- [ ] that\n", 10, 1,
     "boxes to tick without a question", "put them under a heading 'Question: …'"},
    {"a hint to no question", FRONT "hint: Look.\n", 10, 1, "a hint to no question",
     "put it under a heading 'Question: …'"},
    {"more steps than one can press",
     "---\ntitle: T\nvariant: single\n---\n# Page\n\nWords.\n\n```attn\nlength: 40\nat: "
     "scores\nto: scores\ngrain: cell\n```\n",
     12, 5, "more than 1000 steps", "choose a coarser grain"},
    {"an empty answer", QUESTION BLOCK("answer:\n"), 13, 1, "an empty answer",
     "a number, a shape like [1,4,4], or words"},
    {"a load that cannot be read", FRONT BLOCK("load: x=nothing-there.npy\n"), 11, 7,
     "nothing-there.npy: it cannot be opened: No such file or directory",
     "check its name, and the folder"},
    {"standard input", FRONT BLOCK("load: x=-\n"), 11, 7, "a lesson cannot read standard input",
     "name a file beside it"},
    {"a place where the next variant has none",
     "---\ntitle: T\n---\n# Page\n\n```attn\nat: output\n```\n\n```attn\nvariant: v2\n```\n", 10, 1,
     "the walk cannot stay at output, line 6", "say at: in this block"},
    {"settings before fresh", FRONT BLOCK("seed: 3\nfresh:\n"), 12, 1,
     "'fresh' undoes the settings above it", "put it first in the block"},
    {"a token that stands there twice",
     "---\ntitle: T\ntokens: a b a\n---\n# P\n\n```attn\nat: scores[a,b]\n```\n", 8, 5,
     "'a' stands in the tokens twice", "use its number, counted from 0"},
    {"a key of many letters",
     FRONT BLOCK("äääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää"
                 "äääääääääääääääääää: 3\n"),
     11, 1, "unknown key 'ääääääääääääääääääääääääääääää'",
     "at, grain, ask, says, seed and other options"},
    {"a bug that has nothing to act on", FRONT BLOCK("bug: no-bias\n"), 11, 6,
     "no-bias: it changes nothing here",
     "it applies where there is a bias other than the key's that is not 0"},
    {"a bug that cannot be seen",
     FRONT BLOCK("q:\n1 0\n1 0\n1 0\n1 0\nk:\n1 0\n1 0\n1 0\n1.0001 0\nv:\n1 0\n0 1\n1 1\n0 "
                 "0\nbug: no-scale\n"),
     26, 6, "no-scale cannot be seen with this data: it moves the result by 4e-06 at most",
     "choose another seed, larger scores, or weights that differ"},
    {"a bug that the next data hides",
     FRONT "```attn\nbug: no-scale\n```\n```attn\nq: none\nx:\n0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 "
           "0.01\n```\n",
     13, 1, "no-scale cannot be seen with this data: it moves the result by 7e-09 at most",
     "choose another seed, larger scores, or weights that differ"},
    {"more answers than letters",
     QUESTION
     "- [ ] 0\n- [ ] 1\n- [ ] 2\n- [ ] 3\n- [ ] 4\n- [ ] 5\n- [ ] 6\n- [ ] 7\n- [ ] 8\n- [ ] 9\n- "
     "[ ] 10\n- [ ] 11\n- [ ] 12\n- [ ] 13\n- [ ] 14\n- [ ] 15\n- [ ] 16\n- [ ] 17\n- [ ] 18\n- [ "
     "] 19\n- [ ] 20\n- [ ] 21\n- [ ] 22\n- [ ] 23\n- [ ] 24\n- [ ] 25\n- [ ] 26\n",
     38, 1, "more than 26 answers", "they are chosen by a letter"},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

START_TEST(a_broken_lesson_gives_its_one_message_at_its_place)
{
    struct lesson lesson;
    struct lesson_errors errors;
    const char *const what = rows[_i].what;
    lesson_parse(&lesson, NULL, rows[_i].text, strlen(rows[_i].text), &errors);
    ck_assert_msg(lesson_check(&lesson, LESSON_MEMORY_MAX, &errors) == ATTN_E_FORMAT, "%s", what);
    const struct lesson_error *const e = &errors.items[0];
    ck_assert_msg(errors.n == 1 && errors.more == 0, "%s: %d errors, the first '%s'", what,
                  errors.n, e->message);
    ck_assert_msg(strcmp(e->message, rows[_i].message) == 0, "%s: '%s'", what, e->message);
    ck_assert_msg(strcmp(e->hint, rows[_i].hint) == 0, "%s: '%s'", what, e->hint);
    ck_assert_msg(e->line == rows[_i].line && e->column == rows[_i].column, "%s: %d:%d", what,
                  e->line, e->column);
    lesson_finish(&lesson);
}
END_TEST

START_TEST(of_many_errors_the_first_twenty_are_kept_and_the_rest_counted)
{
    char text[4096] = FRONT "```attn\n";
    for (int i = 0; i < 30; i++) {
        strcat(text, "sed: 1\n");
    }
    strcat(text, "```\n");
    struct lesson lesson;
    struct lesson_errors errors;
    ck_assert_int_eq(lesson_parse(&lesson, NULL, text, strlen(text), &errors), ATTN_E_FORMAT);
    ck_assert_int_eq(errors.n, LESSON_ERRORS_MAX);
    ck_assert_int_eq(errors.more, 10);
    ck_assert(errors.items[0].line == 11 && errors.items[LESSON_ERRORS_MAX - 1].line == 30);
    lesson_finish(&lesson);
}
END_TEST

START_TEST(a_comment_and_code_that_have_an_end_are_no_error)
{
    static const char text[] = FRONT
        "Words <!-- not\nthese --> and `<b>` and \\<!-- these.\n\n<!-- a -->\n<!--\n\nb -->\n\n"
        "- ```c\n  if (a<b>c) {}\n  ```\n\n> ~~~~\n> ```\n> ~~~~~ \n\n    ```\n    code\n\n"
        "#1 of 2, # and \\#x\n\n```\n##More\n<!-- \n   ```\n";
    struct lesson lesson;
    struct lesson_errors errors;
    char words[256];
    lesson_parse(&lesson, NULL, text, strlen(text), &errors);
    ck_assert_msg(errors.n == 0, "%d:%d %s", errors.items[0].line, errors.items[0].column,
                  errors.items[0].message);
    ck_assert_str_eq(lesson_plain(&lesson.blocks[1].text, words, sizeof words),
                     "Words  and <b> and <!-- these.");
    lesson_finish(&lesson);
}
END_TEST

START_TEST(what_is_too_large_is_refused_before_it_is_read)
{
    static char text[LESSON_BYTES_MAX + 1];
    struct lesson lesson;
    struct lesson_errors errors;
    memset(text, '[', sizeof text);
    ck_assert_int_eq(lesson_parse(&lesson, NULL, text, sizeof text, &errors), ATTN_E_FORMAT);
    ck_assert_str_eq(errors.items[0].message, "the file is too long");
    lesson_finish(&lesson);
    ck_assert_int_eq(lesson_parse(&lesson, NULL, text, LESSON_RUN_MAX + 1, &errors), ATTN_E_FORMAT);
    ck_assert_str_eq(errors.items[0].hint, "at most 16 KB; begin a new paragraph");
    ck_assert_int_eq(errors.n, 1);
    lesson_finish(&lesson);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("broken lessons");
    TCase *const t = tcase_create("rows");
    tcase_add_loop_test(t, a_broken_lesson_gives_its_one_message_at_its_place, 0, N_ROWS);
    tcase_add_test(t, of_many_errors_the_first_twenty_are_kept_and_the_rest_counted);
    tcase_add_test(t, a_comment_and_code_that_have_an_end_are_no_error);
    tcase_add_test(t, what_is_too_large_is_refused_before_it_is_read);
    suite_add_tcase(s, t);
    return s;
}
