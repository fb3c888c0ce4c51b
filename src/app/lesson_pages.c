/* Ways into a lesson: from its file, to a page, to a place that was kept, to a word of its text. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app_actions.h"

/* ---- from its file ---- */

static enum attn_status read_word(struct lesson *lesson, const char *word,
                                  struct lesson_errors *errors, struct attn_error *err)
{
    return strchr(word, '/') != NULL ? lesson_read(lesson, word, errors, err)
                                     : lesson_parse(lesson, NULL, (const char *)lesson_builtin,
                                                    lesson_builtin_size, errors);
}

bool app_open_lesson(struct app *app, const char *word)
{
    struct lesson lesson;
    struct lesson_errors errors;
    struct attn_error err = {.message = ""};
    char text[APP_MESSAGE_MAX];
    enum attn_status status = read_word(&lesson, word, &errors, &err);
    if (status == ATTN_E_IO) {
        snprintf(text, sizeof text, "This lesson cannot be read: %.400s: %.400s", word,
                 err.message);
        app_say(app, text);
        return false;
    }
    if (status == ATTN_OK) {
        status = lesson_check(&lesson, LESSON_MEMORY_MAX, &errors);
    }
    if (status == ATTN_OK) {
        status = app_start_lesson(app, &lesson, word, &err);
        snprintf(text, sizeof text, "This lesson cannot be shown: %.800s", err.message);
    } else {
        lesson_finish(&lesson);
        snprintf(text, sizeof text, "This lesson has errors: attn lesson check %.800s", word);
    }
    if (status != ATTN_OK) {
        app_say(app, text);
    }
    return status == ATTN_OK;
}

/** A title that was kept may have been cut. */
static bool same_title(const char *title, const char *kept)
{
    return strncmp(title, kept, sizeof((struct app_last *)0)->page - 1) == 0;
}

void app_lesson_resume(struct app *app, int stop, size_t k, const char *page)
{
    const struct lesson *const l = &app->lesson.lesson;
    const bool same = stop < l->n_stops && same_title(l->pages[l->stops[stop].page].title, page);
    int there = same ? stop : -1;
    for (int i = 0; i < l->n_pages && there < 0; i++) {
        there = same_title(l->pages[i].title, page) ? l->pages[i].stop : -1;
    }
    app_lesson_go(app, there < 0 ? 0 : there, same ? k : 0);
    if (!same) {
        app_say(app, there >= 0 ? "The lesson has changed since: this is the page where you were."
                                : "The lesson has changed since, and begins anew.");
    }
}

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

/* ---- by number or by words of a title ---- */

static bool goto_number(struct app *app, const char *where)
{
    const struct lesson *const l = &app->lesson.lesson;
    char page[16];
    long long p = 0;
    long long stop = 1;
    const size_t n = strcspn(where, ".");
    snprintf(page, sizeof page, "%.*s", (int)(n < sizeof page ? n : 0), where);
    if (!config_parse_int(page, 1, l->n_pages, &p)) {
        return false;
    }
    const struct lesson_page *const to = &l->pages[p - 1];
    if (where[n] == '.' && !config_parse_int(where + n + 1, 1, to->n_stops, &stop)) {
        return false;
    }
    return app_lesson_go(app, to->stop + (int)stop - 1, 0);
}

bool app_lesson_goto(struct app *app, const char *where)
{
    const struct lesson *const l = &app->lesson.lesson;
    bool found = goto_number(app, where);
    for (int i = 0; i < l->n_pages && !found && *where != '\0'; i++) {
        found = text_holds(&l->pages[i].heading, where) && app_lesson_go(app, l->pages[i].stop, 0);
    }
    return found;
}
