/** An application in a walk, with a frame to draw on, and what tests ask of it. */
#ifndef APP_CASE_H
#define APP_CASE_H

#include "app.h"

struct app_case {
    struct app app;
    struct frame *frame;
};

/** A walk of this variant with these options ("--mask", "causal"; ended by NULL), on 80×24. Fails
 * the running test where it cannot be made. */
struct app_case *app_case_start(enum attn_variant variant, const char *const options[]);
struct app_case *app_case_home(void);
void app_case_finish(struct app_case *c);

/** Press these keys, drawing after each; what --keys takes. */
void app_case_play(struct app_case *c, const char *keys);
/** Type text as it is, spaces too. */
void app_case_type(struct app_case *c, const char *text);
/** The frame as text; the caller frees it. */
char *app_case_text(struct app_case *c);
/** The frame as text and as roles, the message at the foot left out; the caller frees it. */
char *app_case_picture(struct app_case *c);
/** Does the frame show this, within one row? */
bool app_case_shows(struct app_case *c, const char *text);
/** A cell's number in the current trace. */
float app_case_value(const struct app_case *c, enum attn_tensor_id id, int b, int row, int col);

#endif
