/* What `attn help` and the manual page tell of the world around the program. */
#include "cli.h"

const struct help_fact help_exits[] = {
    {"0", "done"},
    {"1", "it could not be done, or a check found a difference"},
    {"2", "the command line is wrong, or a terminal is needed and there is none"},
    {"3", "check could not judge"},
    {"128+N", "ended by signal N, the terminal restored"},
    {NULL, NULL},
};

const struct help_fact help_environment[] = {
    {"TERM", "the terminal, as terminfo knows it"},
    {"COLORTERM", "truecolor or 24bit: all colours, whatever TERM says"},
    {"COLORFGBG", "colours for a light ground where it names one"},
    {"NO_COLOR", "if set: no colour, only bold, dim, underlined and reversed"},
    {"CLICOLOR_FORCE", "if set and not 0: colour, also where TERM has none"},
    {"ESCDELAY", "how many milliseconds after Esc the rest of a key may take; 80 if not set"},
    {"LC_ALL, LC_CTYPE, LANG", "where they name no UTF-8 locale, all is written in ASCII"},
    {"ATTN_LESSONS", "a directory of lessons, before the usual places"},
    {"XDG_STATE_HOME",
     "where it is remembered which walk or lesson was the last; ~/.local/state if not set"},
    {"XDG_DATA_HOME, XDG_DATA_DIRS", "where lessons are looked for, in attn/lessons"},
    {"TMPDIR", "where check puts the cases for a program; /tmp if not set"},
    {"ATTN_CASE, ATTN_OUT", "set by check for a program: the case, and where its result goes"},
    {NULL, NULL},
};

const struct help_fact help_places[] = {
    {"$XDG_STATE_HOME/attn/last", "the walk or the lesson to continue with"},
    {"../share/attn/lessons", "lessons, beside the directory of the program"},
    {"$XDG_DATA_HOME/attn/lessons", "your own lessons"},
    {NULL, NULL},
};

const struct help_fact help_examples[] = {
    {"attn walk v3 --tokens \"the cat sat down\" --mask causal",
     "Step through V3 on four tokens, none of which sees what comes after it."},
    {"attn walk 3 --goto 2", "The second page of the third lesson."},
    {"attn run v1 --seed 7 --only weights", "The attention weights alone."},
    {"attn explain v1 scores 0 2 1", "How scores[0,2,1] came about, term by term."},
    {"attn run v3 --mask causal --save stages.npz", "Inputs, weights and every stage in one file."},
    {"attn walk v3 --keys \"n n Tab n\" --size 120x40 --frame walk.svg",
     "A picture of the screen after four keys."},
    {"attn run v3 --load stages.npz", "What was saved, computed again."},
    {NULL, NULL},
};
