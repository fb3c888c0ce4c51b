/* Title and foot of an instrument that has the screen for itself. */
#include <stdio.h>

#include "view_lab.h"
#include "view_panel.h"

struct view_place view_lab_around(struct frame *f, const struct view_lab_frame *around)
{
    const struct lab_info *const info = &lab_infos[around->kind];
    frame_clear(f);
    frame_fill(f, 0, 0, f->cols, FRAME_TITLE, FRAME_MARK_NONE, " ");
    const int width = frame_putf(f, 0, 1, FRAME_TITLE, FRAME_MARK_NONE, "attn %s %s: %s",
                                 f->ascii ? "-" : "·", info->name, info->title);
    const int settings = frame_width(f, around->settings);
    if (width + 3 + settings < f->cols) {
        frame_put(f, 0, f->cols - 1 - settings, FRAME_TITLE, FRAME_MARK_NONE, around->settings);
    }
    view_rule(f, f->rows - 2);
    view_keys(f, f->rows - 1, around->message, around->keys, around->n_keys);
    return (struct view_place){1, 0, f->rows - 3, f->cols};
}
