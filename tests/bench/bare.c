/**
 * What a screen costs at least: a program that links the libraries that attn links, draws a whole
 * screen with ncurses, and on each key draws it again with some of its cells changed.
 *
 * usage: bare        end at once, after one byte
 *        bare N      N cells change with each key; q ends it
 */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>

#include <cmark.h>
#include <jansson.h>
#include <zip.h>

/** A reference to each, or the linker would leave them out. */
static size_t touch_libraries(void)
{
    json_t *const number = json_integer(1);
    json_decref(number);
    volatile double one = 1; /* known when it runs, not before */
    return (size_t)cmark_version() + (zip_libzip_version() != NULL ? 1 : 0) + (size_t)cbrt(one);
}

static void draw(int changed, int turn)
{
    erase();
    for (int row = 0; row < LINES; row++) {
        for (int col = 0; col < COLS; col++) {
            const int i = row * COLS + col;
            const bool new = i >= COLS &&i < COLS + changed;
            const wchar_t glyph[2] = {(wchar_t)(L'a' + (new ? turn % 26 : i % 26)), L'\0'};
            cchar_t cell;
            setcchar(&cell, glyph, A_NORMAL, (short)(row % 8), NULL);
            mvadd_wch(row, col, &cell);
        }
    }
    move(LINES / 2, COLS / 2);
    refresh();
}

int main(int argc, char *argv[])
{
    setlocale(LC_CTYPE, "");
    if (argc < 2) {
        return write(STDOUT_FILENO, touch_libraries() > 0 ? "." : "", 1) == 1 ? 0 : 1;
    }
    const int changed = atoi(argv[1]);
    SCREEN *const screen = newterm(NULL, stdout, stdin);
    if (screen == NULL) {
        return 1;
    }
    cbreak();
    noecho();
    start_color();
    for (short pair = 1; pair < 8; pair++) {
        init_pair(pair, pair, COLOR_BLACK);
    }
    char key = '\0';
    for (int turn = 0; key != 'q'; turn++) {
        draw(changed, turn);
        if (read(STDIN_FILENO, &key, 1) != 1) {
            break;
        }
    }
    endwin();
    delscreen(screen);
    return touch_libraries() > 0 ? 0 : 1;
}
