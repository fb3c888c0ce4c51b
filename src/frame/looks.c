#include <stddef.h>

#include "frame.h"

/*
 * One accent, violet 98, says "here"; heat is blue to amber for real numbers and teal for
 * probabilities; the rest is the terminal's own text, bold, or grey 243.
 *
 * Colours that stand on the terminal's own background are those few of the 256 that keep 4.5:1
 * against white and against black: 29 green, 98 violet, 131 red, 243 grey. So a
 * program that takes a light terminal for a dark one stays readable. With 8 colours, whose shades
 * nobody knows, colour only lies behind digits, and everything is told by attributes too.
 */
enum { D = FRAME_DEFAULT_COLOR };
enum { BOLD = 1, DIM = 2, UNDERLINE = 4, REVERSE = 8 };

struct row_look {
    int16_t fg, bg;
    uint8_t attributes;
};

static const struct {
    const char *name;
    char letter;
    struct row_look looks[FRAME_N_PALETTES]; /* mono, 8, 256 dark, 256 light */
} roles[FRAME_N_ROLES] = {
    [FRAME_TEXT] = {"text", '.', {{D, D, 0}, {D, D, 0}, {D, D, 0}, {D, D, 0}}},
    [FRAME_DIM] = {"dim", '-', {{D, D, DIM}, {D, D, DIM}, {243, D, 0}, {243, D, 0}}},
    [FRAME_TITLE] = {"title", 'T', {{D, D, BOLD}, {D, D, BOLD}, {D, D, BOLD}, {D, D, BOLD}}},
    [FRAME_HEADING] = {"heading", 'H', {{D, D, BOLD}, {D, D, BOLD}, {D, D, BOLD}, {D, D, BOLD}}},
    [FRAME_LABEL] = {"label", 'L', {{D, D, 0}, {D, D, 0}, {D, D, 0}, {D, D, 0}}},
    [FRAME_STAGE_DONE] = {"stage-done", 'D', {{D, D, 0}, {D, D, 0}, {D, D, 0}, {D, D, 0}}},
    [FRAME_STAGE_HERE] =
        {"stage-here",
         'S',
         {{D, D, BOLD | REVERSE}, {D, D, BOLD | REVERSE}, {231, 98, BOLD}, {231, 98, BOLD}}},
    [FRAME_STAGE_LATER] = {"stage-later",
                           's',
                           {{D, D, DIM}, {D, D, DIM}, {243, D, 0}, {243, D, 0}}},
    [FRAME_MASKED] = {"masked", 'm', {{D, D, DIM}, {D, D, DIM}, {243, D, 0}, {243, D, 0}}},
    [FRAME_KEY] = {"key", 'K', {{D, D, BOLD}, {D, D, BOLD}, {D, D, BOLD}, {D, D, BOLD}}},
    [FRAME_CODE] = {"code", 'C', {{D, D, 0}, {D, D, 0}, {D, D, 0}, {D, D, 0}}},
    [FRAME_CODE_HERE] = {"code-here",
                         'R',
                         {{D, D, REVERSE}, {D, D, REVERSE}, {255, 236, BOLD}, {16, 253, BOLD}}},
    [FRAME_EMPHASIS] =
        {"emphasis",
         'E',
         {{D, D, UNDERLINE}, {D, D, UNDERLINE}, {D, D, UNDERLINE}, {D, D, UNDERLINE}}},
    [FRAME_STRONG] = {"strong", 'B', {{D, D, BOLD}, {D, D, BOLD}, {D, D, BOLD}, {D, D, BOLD}}},
    [FRAME_LITERAL] =
        {"literal",
         'Q',
         {{D, D, BOLD | UNDERLINE}, {D, D, BOLD | UNDERLINE}, {255, 236, 0}, {16, 253, 0}}},
    [FRAME_OK] = {"ok", 'O', {{D, D, 0}, {D, D, 0}, {29, D, BOLD}, {29, D, BOLD}}},
    [FRAME_WARN] =
        {"warn",
         'W',
         {{D, D, BOLD | UNDERLINE}, {D, D, BOLD | UNDERLINE}, {131, D, BOLD}, {131, D, BOLD}}},
    [FRAME_CHANGED] =
        {"changed",
         'X',
         {{D, D, BOLD | UNDERLINE}, {D, D, BOLD | UNDERLINE}, {16, 220, 0}, {16, 220, 0}}},
    [FRAME_HEAT0] = {"heat0", '0', {{D, D, 0}, {7, 4, 0}, {16, 110, 0}, {231, 25, 0}}},
    [FRAME_HEAT0 + 1] = {"heat1", '1', {{D, D, 0}, {7, 4, 0}, {16, 67, 0}, {16, 74, 0}}},
    [FRAME_HEAT0 + 2] = {"heat2", '2', {{D, D, 0}, {7, 4, 0}, {231, 24, 0}, {16, 110, 0}}},
    [FRAME_HEAT0 + 3] = {"heat3", '3', {{D, D, 0}, {D, D, 0}, {255, 17, 0}, {16, 153, 0}}},
    [FRAME_HEAT0 + 4] = {"heat4", '4', {{D, D, 0}, {D, D, 0}, {255, 235, 0}, {16, 255, 0}}},
    [FRAME_HEAT0 + 5] = {"heat5", '5', {{D, D, 0}, {D, D, 0}, {255, 52, 0}, {16, 223, 0}}},
    [FRAME_HEAT0 + 6] = {"heat6", '6', {{D, D, 0}, {7, 1, 0}, {231, 94, 0}, {16, 215, 0}}},
    [FRAME_HEAT0 + 7] = {"heat7", '7', {{D, D, 0}, {7, 1, 0}, {16, 136, 0}, {16, 172, 0}}},
    [FRAME_HEAT8] = {"heat8", '8', {{D, D, 0}, {7, 1, 0}, {16, 179, 0}, {231, 94, 0}}},
    [FRAME_PROB0] = {"prob0", 'a', {{D, D, 0}, {D, D, 0}, {255, 235, 0}, {16, 231, 0}}},
    [FRAME_PROB0 + 1] = {"prob1", 'b', {{D, D, 0}, {D, D, 0}, {255, 23, 0}, {16, 195, 0}}},
    [FRAME_PROB0 + 2] = {"prob2", 'c', {{D, D, 0}, {D, D, 0}, {16, 30, 0}, {16, 159, 0}}},
    [FRAME_PROB0 + 3] = {"prob3", 'd', {{D, D, 0}, {D, D, 0}, {16, 37, 0}, {16, 116, 0}}},
    [FRAME_PROB0 + 4] = {"prob4", 'e', {{D, D, 0}, {7, 4, 0}, {16, 73, 0}, {16, 80, 0}}},
    [FRAME_PROB0 + 5] = {"prob5", 'f', {{D, D, 0}, {7, 4, 0}, {16, 80, 0}, {16, 44, 0}}},
    [FRAME_PROB0 + 6] = {"prob6", 'g', {{D, D, 0}, {7, 4, 0}, {16, 116, 0}, {16, 37, 0}}},
    [FRAME_PROB0 + 7] = {"prob7", 'h', {{D, D, 0}, {7, 4, 0}, {16, 152, 0}, {16, 30, 0}}},
    [FRAME_PROB8] = {"prob8", 'i', {{D, D, 0}, {7, 4, 0}, {16, 195, 0}, {231, 23, 0}}},
    [FRAME_PLOT0] = {"plot0", 'A', {{D, D, BOLD}, {D, D, BOLD}, {131, D, 0}, {131, D, 0}}},
    [FRAME_PLOT1] = {"plot1", 'F', {{D, D, 0}, {D, D, 0}, {29, D, BOLD}, {29, D, BOLD}}},
    [FRAME_PLOT2] = {"plot2", 'G', {{D, D, DIM}, {D, D, DIM}, {243, D, 0}, {243, D, 0}}},
};

/*
 * What a mark does to a role's look: its attributes are added, and its colours are taken where
 * there is no colour behind the cell. The cell under the cursor loses its heat; no other does.
 */
static const struct row_look marks[FRAME_N_MARKS][FRAME_N_PALETTES] = {
    [FRAME_MARK_NONE] = {{D, D, 0}, {D, D, 0}, {D, D, 0}, {D, D, 0}},
    [FRAME_MARK_READ] = {{D, D, BOLD | UNDERLINE},
                         {D, D, BOLD | UNDERLINE},
                         {D, D, BOLD | UNDERLINE},
                         {D, D, BOLD | UNDERLINE}},
    [FRAME_MARK_WRITE] = {{D, D, REVERSE}, {D, D, REVERSE}, {98, D, BOLD}, {98, D, BOLD}},
    [FRAME_MARK_FOCUS] = {{D, D, BOLD | UNDERLINE | REVERSE},
                          {D, D, BOLD | UNDERLINE | REVERSE},
                          {231, 98, BOLD},
                          {231, 98, BOLD}},
};

const char *frame_role_name(enum frame_role role)
{
    return roles[role].name;
}

char frame_role_letter(enum frame_role role)
{
    return roles[role].letter;
}

struct frame_look frame_look(enum frame_palette palette, enum frame_role role, enum frame_mark mark)
{
    const struct row_look own = roles[role].looks[palette];
    const struct row_look marked = marks[mark][palette];
    const bool replaced = mark == FRAME_MARK_FOCUS || (own.bg == D && marked.fg != D);
    const unsigned attributes =
        (unsigned)marked.attributes | (mark == FRAME_MARK_FOCUS ? 0U : (unsigned)own.attributes);
    return (struct frame_look){
        .fg = replaced ? marked.fg : own.fg,
        .bg = replaced ? marked.bg : own.bg,
        .bold = (attributes & BOLD) != 0,
        .dim = (attributes & DIM) != 0 && (attributes & BOLD) == 0,
        .underline = (attributes & UNDERLINE) != 0,
        .reverse = (attributes & REVERSE) != 0,
    };
}

/** Are the halves of a cell told by their colours here? */
static bool in_halves(enum frame_palette palette, const struct frame_cell *cell)
{
    return cell->lower > 0 && (palette == FRAME_256_DARK || palette == FRAME_256_LIGHT);
}

struct frame_look frame_cell_look(enum frame_palette palette, const struct frame_cell *cell)
{
    struct frame_look look =
        frame_look(palette, (enum frame_role)cell->role, (enum frame_mark)cell->mark);
    if (in_halves(palette, cell)) {
        const enum frame_role lower = (enum frame_role)(cell->lower - 1);
        const int16_t ground = palette == FRAME_256_DARK ? 16 : 231;
        const int16_t under = frame_look(palette, lower, FRAME_MARK_NONE).bg;
        look = (struct frame_look){.fg = look.bg >= 0 ? look.bg : ground,
                                   .bg = under >= 0 ? under : ground};
    }
    return look;
}

const char *frame_cell_glyph(enum frame_palette palette, const struct frame_cell *cell)
{
    return in_halves(palette, cell) ? "▀" : cell->glyph;
}

uint32_t frame_rgb(int index)
{
    /* xterm's own values of the first sixteen */
    static const uint32_t basic[16] = {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD,
                                       0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00,
                                       0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};
    static const uint32_t levels[6] = {0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF};
    if (index < 0 || index > 255) {
        return 0;
    }
    if (index < 16) {
        return basic[index];
    }
    if (index >= 232) {
        return 0x010101U * (uint32_t)(8 + 10 * (index - 232));
    }
    const int cube = index - 16;
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6];
}
