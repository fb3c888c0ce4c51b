/* The files that the application writes: pictures of a screen, tensors. */
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "cli.h"
#include "io.h"

static void write_text(const struct frame *f, FILE *out)
{
    frame_write_text(f, out);
}

static void write_ansi(const struct frame *f, FILE *out)
{
    frame_write_ansi(f, FRAME_256_DARK, out);
}

static void write_svg(const struct frame *f, FILE *out)
{
    frame_write_svg(f, FRAME_256_DARK, out);
}

static const struct picture {
    const char *extension;
    void (*write)(const struct frame *f, FILE *out);
} pictures[] = {{".txt", write_text}, {".ans", write_ansi}, {".svg", write_svg}};

enum { N_PICTURES = sizeof pictures / sizeof pictures[0] };

static const struct picture *find_picture(const char *path)
{
    const char *const dot = strrchr(path, '.');
    for (int i = 0; dot != NULL && i < N_PICTURES; i++) {
        if (strcmp(dot, pictures[i].extension) == 0) {
            return &pictures[i];
        }
    }
    return NULL;
}

bool cli_picture_known(const char *path)
{
    return find_picture(path) != NULL;
}

/** A frame and the way to write it. */
struct drawing {
    const struct frame *frame;
    const struct picture *picture;
};

static enum attn_status write_drawing(FILE *f, const void *context, struct attn_error *err)
{
    const struct drawing *const drawing = context;
    (void)err;
    drawing->picture->write(drawing->frame, f);
    return ATTN_OK;
}

enum attn_status cli_save_picture(const struct frame *f, const char *path, struct attn_error *err)
{
    const struct drawing drawing = {f, find_picture(path)};
    if (drawing.picture == NULL) {
        return attn_fail(err, ATTN_E_UNSUPPORTED, path, "has no known ending (.txt, .ans or .svg)");
    }
    return io_save(path, write_drawing, &drawing, err);
}

static enum attn_status save_tensors(const struct setup *setup, const attn_trace *trace,
                                     const char *path, struct attn_error *err)
{
    return run_save_to(path, setup, trace, NULL, 0, err);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

const struct app_outside cli_outside = {
    .exists = exists, .save_frame = cli_save_picture, .save_tensors = save_tensors};
