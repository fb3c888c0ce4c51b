/**
 * A grid of cells, each with a glyph and a meaning. Everything that is drawn is drawn here;
 * terminals, text, ANSI and SVG are made from it, so every screen can be tested without one.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { FRAME_ROWS_MAX = 512, FRAME_COLS_MAX = 1024, FRAME_GLYPH_MAX = 24 };

/** What a cell is. Never a colour: looks.c has one row for each. */
enum frame_role {
    FRAME_TEXT,        /**< Body text, the terminal's own colours. */
    FRAME_DIM,         /**< Frames, axes, what is not here yet. */
    FRAME_TITLE,       /**< The title line. */
    FRAME_HEADING,     /**< A matrix's name. */
    FRAME_LABEL,       /**< Row and column labels. */
    FRAME_STAGE_DONE,  /**< A box of the pipeline, passed. */
    FRAME_STAGE_HERE,  /**< The current one. */
    FRAME_STAGE_LATER, /**< Still to come. */
    FRAME_MASKED,      /**< A masked cell. */
    FRAME_KEY,         /**< A key in the footer or the help. */
    FRAME_CODE,        /**< A line of code. */
    FRAME_CODE_HERE,   /**< The line that runs now. */
    FRAME_EMPHASIS,    /**< A word of a text that is stressed. */
    FRAME_STRONG,      /**< One that is stressed more: a new word, as a rule. */
    FRAME_LITERAL,     /**< What is to be typed or read as it is, within a text. */
    FRAME_OK,          /**< An invariant that holds. */
    FRAME_WARN,        /**< A flag, an invariant that does not hold. */
    FRAME_CHANGED,     /**< Differs from before, or from the other walk. */
    FRAME_HEAT0,       /**< … FRAME_HEAT0 + 8: real numbers, diverging, 4 is zero. */
    FRAME_HEAT8 = FRAME_HEAT0 + 8,
    FRAME_PROB0, /**< … FRAME_PROB0 + 8: probabilities, sequential. */
    FRAME_PROB8 = FRAME_PROB0 + 8,
    FRAME_PLOT0, /**< … FRAME_PLOT0 + 2: curves: wrong, right, beside. */
    FRAME_PLOT1,
    FRAME_PLOT2,
    FRAME_N_ROLES
};

/** How a cell stands in the current step, on top of what it is. */
enum frame_mark {
    FRAME_MARK_NONE,
    FRAME_MARK_READ,  /**< Read by this step. */
    FRAME_MARK_WRITE, /**< Written by this step. */
    FRAME_MARK_FOCUS, /**< Under the cursor. */
    FRAME_N_MARKS
};

/** "text", "heat0", … */
const char *frame_role_name(enum frame_role role);
/** The role's letter in frame_write_roles: '.' text, '0'…'8' heat, 'a'…'i' probabilities, … */
char frame_role_letter(enum frame_role role);

struct frame_cell {
    char glyph[FRAME_GLYPH_MAX]; /**< One character with its combining marks, UTF-8; "" is the right
                                    half of a wide one. */
    uint8_t width;               /**< 1 or 2; 0 for the right half. */
    uint8_t role;
    uint8_t mark;
    uint8_t lower; /**< Two values in one cell: 1 + the role of its lower half, role being the upper
                      half's; glyph is then how it reads without colour. 0: one value. */
};

struct frame {
    int rows, cols;
    bool ascii;                 /**< Only ASCII goes in: text is transliterated as it is put. */
    int cursor_row, cursor_col; /**< Where the terminal's own cursor belongs; -1: nowhere. */
    bool cursor_shown;          /**< It is seen there (a text field); else only readers find it. */
    struct frame_cell *cells;   /**< rows × cols, owned. */
};

/** An empty frame. @return NULL when out of memory or out of bounds. */
struct frame *frame_create(int rows, int cols, bool ascii);
void frame_destroy(struct frame *f);
void frame_clear(struct frame *f);
/** The cell at row, col; NULL outside the frame. */
struct frame_cell *frame_at(const struct frame *f, int row, int col);

/** Columns that text would take in this frame (after transliteration in an ASCII one). */
int frame_width(const struct frame *f, const char *text);
/**
 * Put text at row, col; what lies outside the frame is cut, a wide character never in half. Control
 * and unprintable characters and invalid UTF-8 are shown as '?' (U+FFFD where there is Unicode).
 * @return the columns that the text takes, cut or not.
 */
int frame_put(struct frame *f, int row, int col, enum frame_role role, enum frame_mark mark,
              const char *text);
int frame_putf(struct frame *f, int row, int col, enum frame_role role, enum frame_mark mark,
               const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 6, 7)))
#endif
    ;
/** Put text into exactly width columns: padded, or cut on a character boundary with '…' ('~' in
 * ASCII). */
void frame_put_fit(struct frame *f, int row, int col, int width, bool right, enum frame_role role,
                   enum frame_mark mark, const char *text);
/**
 * Put text wrapped at spaces and line feeds into rows × width; a word longer than a line is broken,
 * and what does not fit ends in '…'. @return the rows used.
 */
int frame_put_wrapped(struct frame *f, int row, int col, int width, int rows, enum frame_role role,
                      const char *text);
/** The rows that frame_put_wrapped would use, had it enough. */
int frame_wrapped_rows(const struct frame *f, int width, const char *text);
/** Repeat one character over n columns; a wide one n/2 times. */
void frame_fill(struct frame *f, int row, int col, int n, enum frame_role role,
                enum frame_mark mark, const char *glyph);
/**
 * Two values in one cell, one above the other: half blocks where there is colour, else glyph, of
 * one column.
 */
void frame_put_halves(struct frame *f, int row, int col, enum frame_role upper,
                      enum frame_role lower, const char *glyph);
/** Change role or mark of n cells without their glyphs. */
void frame_remark(struct frame *f, int row, int col, int n, enum frame_mark mark);

/* ---- looks (looks.c) ---- */

enum frame_palette { FRAME_MONO, FRAME_8, FRAME_256_DARK, FRAME_256_LIGHT, FRAME_N_PALETTES };

enum { FRAME_DEFAULT_COLOR = -1 };

/** A look: colours are indices of the xterm 256-colour palette (0…7 for FRAME_8), or the terminal's
 * own. */
struct frame_look {
    int16_t fg, bg;
    bool bold, dim, underline, reverse;
};

struct frame_look frame_look(enum frame_palette palette, enum frame_role role,
                             enum frame_mark mark);
/** The look of a cell, and what stands in it; they differ from its role's where it has two halves.
 */
struct frame_look frame_cell_look(enum frame_palette palette, const struct frame_cell *cell);
const char *frame_cell_glyph(enum frame_palette palette, const struct frame_cell *cell);
/** The colour of an xterm palette index, for SVG and for contrast. */
uint32_t frame_rgb(int index);

/* ---- writers ---- */

/** Rows as text, trailing spaces cut, each ended by '\n'. */
void frame_write_text(const struct frame *f, FILE *out);
/**
 * The roles layer, for golden tests: a line of one letter a cell (frame_role_letter; ' ' for a
 * blank of plain text) behind a space, and where marks are set a line below it, behind a '^', of
 * r, w or f (read, write, focus) under their cells. Trailing spaces are cut.
 */
void frame_write_roles(const struct frame *f, FILE *out);
/** ANSI (SGR) with reset at each line's end. */
void frame_write_ansi(const struct frame *f, enum frame_palette palette, FILE *out);
/** A stand-alone SVG picture, in a monospace grid; black on white but for the dark palette. */
void frame_write_svg(const struct frame *f, enum frame_palette palette, FILE *out);

/** The first line of a recording, an asciicast of version 2. */
void frame_write_cast_head(int cols, int rows, const char *title, FILE *out);
/** A line of it: the whole screen as it is from this time on, in seconds. @return false when out of
 * memory. */
bool frame_write_cast(const struct frame *f, enum frame_palette palette, double time, FILE *out);
/** Its last line: until when the last screen stays. */
void frame_write_cast_end(double time, FILE *out);

#endif
