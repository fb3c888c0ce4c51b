/* The stops: a page up to a step, and so on to the page's end; a question's page is one stop. */
#include <string.h>

#include "lesson_parts.h"

static void add_stop(struct lesson_reader *r, int page, int first, int end, int step)
{
    struct lesson *const l = r->lesson;
    struct lesson_stop *const grown = lesson_grow(l, l->stops, l->n_stops, sizeof *grown);
    if (grown == NULL) {
        lesson_no_memory(r);
        return;
    }
    l->stops = grown;
    struct lesson_stop stop = {
        .page = page, .first = first, .n = end - first, .step = step, .question = -1};
    for (int i = first; i < end; i++) {
        stop.question = l->blocks[i].question >= 0 ? l->blocks[i].question : stop.question;
    }
    if (l->pages[page].question >= 0) {
        stop.question = l->pages[page].question;
    }
    grown[l->n_stops++] = stop;
    l->pages[page].n_stops++;
}

/** Is what is left of a page nothing that a reader sees? */
static bool only_notes(const struct lesson *l, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (l->blocks[i].kind != LESSON_NOTE) {
            return false;
        }
    }
    return true;
}

void lesson_stops(struct lesson_reader *r)
{
    struct lesson *const l = r->lesson;
    int step = -1;
    for (int p = 0; p < l->n_pages && !r->nomem; p++) {
        struct lesson_page *const page = &l->pages[p];
        const int end = page->first + page->n;
        int first = page->first;
        page->stop = l->n_stops;
        for (int i = first; i < end; i++) {
            if (l->blocks[i].kind != LESSON_STEP) {
                continue;
            }
            step = l->blocks[i].step;
            /* Notes behind the last step of a page are about that step. */
            const int stop_end = only_notes(l, i + 1, end) ? end : i + 1;
            if (page->question < 0) {
                add_stop(r, p, first, stop_end, step);
                first = stop_end;
            }
        }
        if (first < end || page->n_stops == 0) {
            add_stop(r, p, first, end, step);
        }
    }
}
