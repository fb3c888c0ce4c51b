#include <stdlib.h>
#include <string.h>

#include "lesson_parts.h"

enum { CHUNK_BYTES = 16 * 1024 };

struct lesson_chunk {
    struct lesson_chunk *next;
    size_t used, size;
    max_align_t data[];
};

void *lesson_take(struct lesson *lesson, size_t size)
{
    const size_t rounded =
        (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct lesson_chunk *chunk = lesson->chunks;
    if (chunk == NULL || chunk->size - chunk->used < rounded) {
        const size_t room = rounded > CHUNK_BYTES ? rounded : CHUNK_BYTES;
        chunk = calloc(1, sizeof *chunk + room);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->size = room;
        chunk->next = lesson->chunks;
        lesson->chunks = chunk;
    }
    char *const at = (char *)chunk->data + chunk->used;
    chunk->used += rounded;
    return at;
}

char *lesson_copy(struct lesson *lesson, const char *text, size_t size)
{
    char *const copy = lesson_take(lesson, size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void *lesson_grow(struct lesson *lesson, const void *items, int n, size_t size)
{
    if (n > 0 && (n & (n - 1)) != 0) {
        return (void *)(size_t)items; /* not full: the array is the lesson's own */
    }
    const size_t room = n == 0 ? 1 : 2 * (size_t)n;
    void *const grown = lesson_take(lesson, room * size);
    if (grown != NULL && n > 0) {
        memcpy(grown, items, (size_t)n * size);
    }
    return grown;
}

void *lesson_no_memory(struct lesson_reader *r)
{
    r->nomem = true;
    return NULL;
}

void lesson_finish(struct lesson *lesson)
{
    for (struct lesson_chunk *chunk = lesson->chunks; chunk != NULL;) {
        struct lesson_chunk *const next = chunk->next;
        free(chunk);
        chunk = next;
    }
    *lesson = (struct lesson){0};
}
