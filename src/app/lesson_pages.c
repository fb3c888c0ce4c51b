/* The list of a lesson's pages, and what is found in its text. */
#include <ctype.h>
#include <string.h>

#include "app_actions.h"

/* ---- contents ---- */

void app_contents(struct app *app, struct app_key key)
{
    (void)key;
    app->lesson.contents = true;
    app->lesson.row = app->lesson.lesson.stops[app->lesson.stop].page;
}

static void choose(struct app *app, int by)
{
    const int n = app->lesson.lesson.n_pages;
    app->lesson.row = (app->lesson.row + by + n) % n;
}

void app_contents_up(struct app *app, struct app_key key)
{
    (void)key;
    choose(app, -1);
}

void app_contents_down(struct app *app, struct app_key key)
{
    (void)key;
    choose(app, 1);
}

void app_contents_go(struct app *app, struct app_key key)
{
    (void)key;
    app->lesson.contents = false;
    app_lesson_go(app, app->lesson.lesson.pages[app->lesson.row].stop, 0);
    app->lesson.scroll = 0;
}

void app_contents_close(struct app *app, struct app_key key)
{
    (void)key;
    app->lesson.contents = false;
}

/* ---- words in the text ---- */

/** Text read character by character; runs of blanks count as one. */
struct reader {
    const struct lesson_text *text;
    const char *code;
    int span;
    size_t at;
};

static char read_one(struct reader *r)
{
    if (r->code != NULL) {
        return r->code[r->at] != '\0' ? r->code[r->at++] : '\0';
    }
    while (r->span < r->text->n && r->text->spans[r->span].text[r->at] == '\0') {
        r->span++;
        r->at = 0;
    }
    return r->span < r->text->n ? r->text->spans[r->span].text[r->at++] : '\0';
}

static bool begins(struct reader from, const char *word)
{
    for (; *word != '\0'; word++) {
        char c = read_one(&from);
        c = c == '\n' ? ' ' : c;
        if (tolower((unsigned char)c) != tolower((unsigned char)*word)) {
            return false;
        }
    }
    return true;
}

static bool holds(struct reader r, const char *word)
{
    do {
        if (begins(r, word)) {
            return true;
        }
    } while (read_one(&r) != '\0');
    return false;
}

static bool text_holds(const struct lesson_text *text, const char *word)
{
    return holds((struct reader){.text = text}, word);
}

static bool block_holds(const struct lesson *l, const struct lesson_block *b, const char *word)
{
    bool found = b->kind != LESSON_NOTE && text_holds(&b->text, word);
    if (b->code != NULL) {
        found = found || holds((struct reader){.code = b->code}, word);
    }
    if (b->kind == LESSON_QUESTION && b->question >= 0) {
        const struct lesson_question *const q = &l->questions[b->question];
        for (int i = 0; i < q->n_choices; i++) {
            found = found || text_holds(&q->choices[i].text, word);
        }
    }
    return found;
}

bool app_lesson_holds(const struct app *app, int stop, const char *word)
{
    const struct lesson *const l = &app->lesson.lesson;
    const struct lesson_stop *const s = &l->stops[stop];
    bool found = stop == l->pages[s->page].stop && text_holds(&l->pages[s->page].heading, word);
    for (int i = s->first; i < s->first + s->n && !found; i++) {
        found = block_holds(l, &l->blocks[i], word);
    }
    return found;
}
