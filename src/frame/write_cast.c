/* Frames one after the other as a recording: asciicast, version 2. */
#include <stdlib.h>
#include <string.h>

#include "frame.h"

/** Text within a JSON string; UTF-8 stays as it is. */
static void write_json(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c < 0x20 || *c == 0x7F) {
            fprintf(out, "\\u%04x", (unsigned)*c);
        } else {
            fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        }
    }
}

void frame_write_cast_head(int cols, int rows, const char *title, FILE *out)
{
    fprintf(out, "{\"version\": 2, \"width\": %d, \"height\": %d, \"title\": \"", cols, rows);
    write_json(out, title);
    fputs("\", \"env\": {\"TERM\": \"xterm-256color\"}}\n", out);
}

/** Output is written as a terminal takes it: a line feed needs its return, and the last row none.
 */
static void write_rows(FILE *out, char *ansi)
{
    size_t n = strlen(ansi);
    if (n > 0 && ansi[n - 1] == '\n') {
        ansi[n - 1] = '\0';
    }
    for (char *line = ansi; line != NULL;) {
        char *const end = strchr(line, '\n');
        if (end != NULL) {
            *end = '\0';
        }
        write_json(out, line);
        if (end != NULL) {
            write_json(out, "\r\n");
        }
        line = end != NULL ? end + 1 : NULL;
    }
}

bool frame_write_cast(const struct frame *f, enum frame_palette palette, double time, FILE *out)
{
    char *ansi = NULL;
    size_t n = 0;
    FILE *const text = open_memstream(&ansi, &n);
    if (text == NULL) {
        return false;
    }
    frame_write_ansi(f, palette, text);
    const bool whole = fclose(text) == 0;
    if (whole) {
        fprintf(out, "[%.3f, \"o\", \"", time);
        write_json(out, "\033[?25l\033[H\033[2J");
        write_rows(out, ansi);
        fputs("\"]\n", out);
    }
    free(ansi);
    return whole;
}

void frame_write_cast_end(double time, FILE *out)
{
    fprintf(out, "[%.3f, \"o\", \"", time);
    write_json(out, "\033[?25h");
    fputs("\"]\n", out);
}
