/* What holds for a lesson whatever bytes it is made of. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson.h"

enum { TRACE_BYTES_MAX = 64 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/** A rule that must hold; the fuzzer keeps the input for which it does not. */
static void hold(bool rule, const char *words)
{
    if (!rule) {
        fprintf(stderr, "does not hold: %s\n", words);
        abort();
    }
}

static void check_errors(const struct lesson *lesson, const struct lesson_errors *errors)
{
    hold(errors->n >= 0 && errors->n <= LESSON_ERRORS_MAX, "errors are bounded");
    for (int i = 0; i < errors->n; i++) {
        const struct lesson_error *const e = &errors->items[i];
        size_t length = 0;
        (void)lesson_line(lesson, e->line, &length);
        hold(e->message[0] != '\0', "an error has words");
        hold(e->line >= 1 && (e->line == 1 || e->line <= lesson->n_lines), "it has a line");
        hold(e->column >= 1 && (size_t)e->column <= length + 1, "its column is in that line");
        const struct lesson_error *const before = i > 0 ? e - 1 : e;
        hold(before->line <= e->line, "errors stand in order");
    }
}

static void check_text(const struct lesson_text *text)
{
    for (int i = 0; i < text->n; i++) {
        hold(text->spans[i].text[0] != '\0', "a span has a text");
    }
}

/** Pages share the blocks out among them, and stops too. */
static void check_parts(const struct lesson *l)
{
    int block = 0;
    int stop = 0;
    for (int p = 0; p < l->n_pages; p++) {
        const struct lesson_page *const page = &l->pages[p];
        hold(page->first == block && page->stop == stop && page->n_stops >= 1, "a page follows");
        for (int s = page->stop; s < page->stop + page->n_stops; s++) {
            hold(l->stops[s].page == p && l->stops[s].first == block, "a stop follows");
            hold(l->stops[s].step < l->n_steps, "a stop has its step");
            block += l->stops[s].n;
        }
        hold(block == page->first + page->n, "the stops of a page are all of it");
        stop += page->n_stops;
    }
    hold(block == l->n_blocks && stop == l->n_stops, "the pages are all of the lesson");
}

static void check_blocks(const struct lesson *l)
{
    for (int i = 0; i < l->n_blocks; i++) {
        const struct lesson_block *const b = &l->blocks[i];
        hold(b->depth <= LESSON_DEPTH_MAX, "depth is bounded");
        hold(b->kind != LESSON_STEP || l->steps[b->step].block == i, "a step knows its block");
        hold(b->question < l->n_questions, "a block's question exists");
        hold((b->kind != LESSON_VERBATIM && b->kind != LESSON_TABLE) || b->code != NULL,
             "code is there");
        check_text(&b->text);
    }
    for (int i = 0; i < l->n_questions; i++) {
        const struct lesson_question *const q = &l->questions[i];
        hold(q->block >= 0, "a question stands somewhere");
        hold(q->kind != LESSON_CHOICE || (q->n_right > 0 && q->n_right < q->n_choices),
             "a choice can be right and wrong");
        hold(q->kind != LESSON_WORDS || lesson_words_match(q, q->words[0]), "words match");
    }
}

/** A lesson that passed the check can be walked from end to end. */
static void walk(const struct lesson *l)
{
    for (int i = 0; i < l->n_stops; i++) {
        const struct lesson_stop *const stop = &l->stops[i];
        struct config config;
        struct setup setup;
        attn_trace *trace = NULL;
        struct lesson_place place;
        hold(lesson_config(l, stop->first + stop->n - 1, &config, NULL) == ATTN_OK,
             "a stop has a configuration");
        hold(config_trace(&setup, &trace, &config, NULL) == ATTN_OK, "a stop has a trace");
        hold(lesson_place(l, i, &setup, trace, &place, NULL) == ATTN_OK, "a stop has a place");
        hold(place.n_steps >= 1 && walk_has(trace, place.look), "a place has a step and a cell");
        attn_trace_destroy(trace);
        setup_finish(&setup);
        config_finish(&config);
    }
}

static bool holds(const uint8_t *bytes, size_t size, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i + n <= size; i++) {
        if (memcmp(bytes + i, word, n) == 0) {
            return true;
        }
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (holds(bytes, size, "load") || holds(bytes, size, "@")) {
        return 0; /* no file of this machine is opened */
    }
    struct lesson lesson;
    struct lesson_errors errors;
    const enum attn_status status =
        lesson_parse(&lesson, "fuzz.md", (const char *)bytes, size, &errors);
    hold((status == ATTN_OK) == (errors.n == 0), "a refusal has errors");
    check_errors(&lesson, &errors);
    if (status == ATTN_OK) {
        check_parts(&lesson);
        check_blocks(&lesson);
    }
    const bool sound = lesson_check(&lesson, TRACE_BYTES_MAX, &errors) == ATTN_OK;
    hold(sound == (errors.n == 0), "a check that fails has errors");
    check_errors(&lesson, &errors);
    if (sound) {
        walk(&lesson);
    }
    lesson_finish(&lesson);
    return 0;
}
