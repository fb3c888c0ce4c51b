/**
 * The screen of a lesson: its text, and beside or below it what the text talks about. What fills
 * that place is a struct view_part: the walk, or anything else that can draw itself into a frame.
 */
#ifndef VIEW_LESSON_H
#define VIEW_LESSON_H

#include "lesson.h"
#include "view.h"

/** What a learner has done so far with one question. */
struct view_asked {
    bool done;       /**< Answered rightly, or shown. */
    bool right;      /**< done by an answer of the learner's own. */
    unsigned ticked; /**< Choices that are ticked now, a bit each. */
    unsigned wrong;  /**< Choices that were answered and are wrong. */
    int at;          /**< The choice that the arrows are at. */
    int hints;       /**< How many are shown. */
    int tries;
    bool fresh;      /**< What was said last, or the last hint, is to be seen before the choices. */
    char said[200];  /**< What came of the last answer; may be empty. */
    char wants[64];  /**< What an answer looks like: "a number, within 0.01". */
    char answer[64]; /**< The right answer in words, once done; empty for choices. */
};

/** Something that fills a place of the screen. */
struct view_part {
    const void *what;
    /** As few rows as it can do with in a frame of this width. */
    int (*rows)(const struct frame *f, const void *what, int cols);
    /** Fill a frame of its own. @param map  Out, in the coordinates of that frame. */
    void (*draw)(struct frame *f, const void *what, struct view_map *map);
    /** The most important of it, in one row. */
    void (*line)(struct frame *f, const void *what, int row);
    /** Where one is in it, in the row above it; NULL: nothing. @param map  In the screen's
     * coordinates. */
    void (*over)(struct frame *f, const void *what, int row, struct view_map *map);
    /** How many numbers of what matters most it shows in a frame of this size; NULL: always the
     * same. */
    int (*shown)(const struct frame *f, const void *what, int rows, int cols);
};

/** The walk without what stands around it: its pipeline where there is room, the stage, the
 * arithmetic. @param v  Must live as long as the part. */
struct view_part view_walk_part(const struct view_walk *v);

struct view_lesson {
    const struct lesson *lesson;
    int stop;                       /**< Of lesson.stops. */
    const struct view_asked *asked; /**< By lesson.questions. */
    int choosing;                   /**< The question whose choices the keys are at, or -1. */
    int scroll; /**< Rows further down than the text stands by itself; negative: further up. */
    bool notes; /**< Show the notes for who presents. */
    bool bare;  /**< No title, no keys: what is presented fills the screen. */
    struct view_part part;
    const char *message;
    const struct view_key *keys;
    int n_keys;
};

/** Where the text is, for scrolling it. */
struct view_lesson_map {
    int row, col, rows, cols; /**< Of the text on the screen. */
    int least, most;          /**< What scroll can be. */
    int scroll;               /**< What it is: between those, and with the choice in view. */
};

/** Draw it. @param map  Out: of the part, in the screen's coordinates. Both may be NULL. */
void view_lesson(struct frame *f, const struct view_lesson *v, struct view_map *map,
                 struct view_lesson_map *text);

/** The list of the lesson's pages, over the whole screen. @param row  The selected page. */
void view_contents(struct frame *f, const struct view_lesson *v, int row);

/**
 * The blocks that a stop adds, as lines of text for a screen reader or a pipe; before the first of
 * a page its heading. What it asks is left out.
 */
void view_lesson_plain(FILE *out, const struct view_lesson *v, bool ascii);
/** The list of the lesson's pages. */
void view_contents_plain(FILE *out, const struct view_lesson *v, bool ascii);
/** The notes of the page up to the stop. @return how many there are. */
int view_notes_plain(FILE *out, const struct view_lesson *v, bool ascii);
/** What it asks: the wording where it is not the heading, the choices by letters, the tolerance. */
void view_question_plain(FILE *out, const struct view_lesson *v, int question, bool ascii);
/** The last hint that was taken. */
void view_hint_plain(FILE *out, const struct view_lesson *v, int question, bool ascii);
/** What is said of a question that has been answered or shown, from the verdict on. */
void view_answer_plain(FILE *out, const struct view_lesson *v, int question, bool ascii);
/** One line, made safe. */
void view_line_plain(FILE *out, bool ascii, const char *text);

/** Is the number of this cell written in one of the matrices? */
bool view_shows(const struct view_map *map, struct attn_cell cell);

#endif
