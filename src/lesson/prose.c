/* The inlines of a paragraph as spans of text, each with its look. */
#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

struct writer {
    struct lesson_reader *r;
    struct lesson_span *spans;
    int n;
    char *text; /* of the span that is being written */
    size_t used, room;
    unsigned look;
    int line;     /* where it stands in the file */
    bool refused; /* HTML in it; told once */
};

static void flush(struct writer *w)
{
    if (w->used == 0) {
        return;
    }
    struct lesson_span *const grown = lesson_grow(w->r->lesson, w->spans, w->n, sizeof *grown);
    const char *const text = lesson_copy(w->r->lesson, w->text, w->used);
    if (grown == NULL || text == NULL) {
        lesson_no_memory(w->r);
        return;
    }
    w->spans = grown;
    w->spans[w->n++] = (struct lesson_span){.text = text, .look = w->look};
    w->used = 0;
}

static void put(struct writer *w, const char *text, unsigned look)
{
    const size_t n = text != NULL ? strlen(text) : 0;
    if (n == 0) {
        return;
    }
    if (w->look != look) {
        flush(w);
        w->look = look;
    }
    if (w->room - w->used < n) {
        const size_t room = 2 * (w->used + n) + 64;
        char *const grown = realloc(w->text, room);
        if (grown == NULL) {
            lesson_no_memory(w->r);
            return;
        }
        w->text = grown;
        w->room = room;
    }
    memcpy(w->text + w->used, text, n);
    w->used += n;
}

/** How many emphases of each kind are open around the node that is written. */
struct depths {
    int emphasis, strong;
};

static unsigned look_of(const struct depths *d)
{
    return (d->emphasis > 0 ? LESSON_EMPHASIS : 0U) | (d->strong > 0 ? LESSON_STRONG : 0U);
}

/** An address is shown behind the words of its link, unless they are the same. */
static void put_link(struct writer *w, cmark_node *link, unsigned look)
{
    const char *const url = cmark_node_get_url(link);
    cmark_node *const words = cmark_node_first_child(link);
    const char *const shown = words != NULL ? cmark_node_get_literal(words) : NULL;
    if (url != NULL && url[0] != '\0' && (shown == NULL || strcmp(shown, url) != 0)) {
        put(w, words != NULL ? " (" : "(", look);
        put(w, url, look);
        put(w, ")", look);
    }
}

static void visit(struct writer *w, cmark_node *node, bool enter, struct depths *d)
{
    const unsigned look = look_of(d);
    const cmark_node_type type = cmark_node_get_type(node);
    const int step = enter ? 1 : -1;
    if (type == CMARK_NODE_EMPH) {
        d->emphasis += step;
    } else if (type == CMARK_NODE_STRONG) {
        d->strong += step;
    } else if (type == CMARK_NODE_LINK && !enter) {
        put_link(w, node, look);
    } else if (type == CMARK_NODE_SOFTBREAK) {
        put(w, " ", look);
    } else if (type == CMARK_NODE_LINEBREAK) {
        put(w, "\n", look);
    } else if (type == CMARK_NODE_CODE) {
        put(w, cmark_node_get_literal(node), look | LESSON_CODE);
    } else if (type == CMARK_NODE_HTML_INLINE) {
        const bool told = w->refused;
        w->refused = told || !lesson_html_inline(w->r, node, w->line);
        put(w, w->refused ? cmark_node_get_literal(node) : "", look); /* so that it is not empty */
    } else if (type == CMARK_NODE_TEXT) {
        put(w, cmark_node_get_literal(node), look);
    }
}

/** Where a comment begins that is shown, as it has no end. */
static bool shows_comment(const struct writer *w)
{
    for (int i = 0; i < w->n; i++) {
        if ((w->spans[i].look & LESSON_CODE) == 0 && strstr(w->spans[i].text, "<!--") != NULL) {
            return true;
        }
    }
    return false;
}

/** The inlines of a node that stands in that line. */
static struct lesson_text write_inlines(struct lesson_reader *r, cmark_node *node, int line)
{
    struct writer w = {.r = r, .line = line};
    struct depths depths = {0};
    cmark_iter *const iter = cmark_iter_new(node);
    for (cmark_event_type event = cmark_iter_next(iter); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(iter)) {
        visit(&w, cmark_iter_get_node(iter), event == CMARK_EVENT_ENTER, &depths);
    }
    cmark_iter_free(iter);
    flush(&w);
    free(w.text);
    if (shows_comment(&w)) {
        lesson_html_open(r, line);
    }
    return (struct lesson_text){.spans = w.spans, .n = w.n};
}

struct lesson_text lesson_prose(struct lesson_reader *r, cmark_node *node)
{
    return write_inlines(r, node, cmark_node_get_start_line(node));
}

struct lesson_text lesson_prose_of(struct lesson_reader *r, const char *text, int line)
{
    cmark_node *const document = cmark_parse_document(text, strlen(text), CMARK_OPT_DEFAULT);
    cmark_node *const first = cmark_node_first_child(document);
    struct lesson_text out = {0};
    if (first != NULL && cmark_node_get_type(first) == CMARK_NODE_PARAGRAPH &&
        cmark_node_next(first) == NULL) {
        out = write_inlines(r, first, line);
    } else if (first != NULL && cmark_node_get_type(first) == CMARK_NODE_HTML_BLOCK) {
        (void)lesson_html_inline(r, first, line);
    } else { /* a line that begins like a list or a heading is words all the same */
        struct lesson_span *const span = lesson_take(r->lesson, sizeof *span);
        const char *const copy = lesson_copy(r->lesson, text, strlen(text));
        if (span == NULL || copy == NULL) {
            lesson_no_memory(r);
        } else if (text[0] != '\0') {
            *span = (struct lesson_span){.text = copy};
            out = (struct lesson_text){.spans = span, .n = 1};
        }
    }
    cmark_node_free(document);
    return out;
}

struct lesson_text lesson_text_after(struct lesson_reader *r, struct lesson_text text, size_t bytes)
{
    if (text.n == 0) {
        return text;
    }
    struct lesson_span *const spans = lesson_take(r->lesson, (size_t)text.n * sizeof *spans);
    if (spans == NULL) {
        lesson_no_memory(r);
        return text;
    }
    memcpy(spans, text.spans, (size_t)text.n * sizeof *spans);
    const size_t length = strlen(spans[0].text);
    spans[0].text += bytes < length ? bytes : length;
    spans[0].text += strspn(spans[0].text, " ");
    const bool gone = spans[0].text[0] == '\0';
    return (struct lesson_text){.spans = spans + (gone ? 1 : 0), .n = text.n - (gone ? 1 : 0)};
}

/** Is this byte within a character? */
static bool is_inside(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

char *lesson_plain(const struct lesson_text *text, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (int i = 0; i < text->n && n + 1 < size; i++) {
        const size_t length = strlen(text->spans[i].text);
        const size_t left = size - 1 - n;
        size_t taken = length < left ? length : left;
        while (taken < length && taken > 0 && is_inside(text->spans[i].text[taken])) {
            taken--;
        }
        memcpy(out + n, text->spans[i].text, taken);
        n += taken;
        out[n] = '\0';
    }
    return out;
}
