/**
 * The parts of `attn code`: a program in one language from a trace, its setup and the files that it
 * was loaded from. The lines of the stages are attn_trace_snippet's; what stands around them is
 * here.
 */
#ifndef CODE_PARTS_H
#define CODE_PARTS_H

#include <stdbool.h>

#include "cli.h"
#include "io.h"

/** How a Python program reads a file: a row for each format that it can read (code_source.c). */
struct code_format {
    const char *io_name; /**< Of the row of io_formats. */
    const char *opens;   /**< Before the file's name: "np.load(". */
    const char *closes;  /**< After it. */
    bool names;          /**< The file holds arrays by name, and is read once. */
    const char *import;  /**< A module beside numpy, or NULL. */
    const char *helper;  /**< A function that it calls, or NULL. */
    /** Will the program's reader understand this file as ours did? NULL: any. */
    bool (*plain)(const struct io_archive *archive, const struct io_array *array);
};

/** Where a program can read a tensor's numbers. format NULL: nowhere, it carries them. */
struct code_source {
    const struct code_format *format;
    const char *path; /**< The config's. */
    char entry[IO_NAME_MAX];
    int rank;
    bool turned; /**< The file has it transposed. */
};

struct code {
    const struct config *config;
    const struct setup *setup;
    const attn_trace *trace;
    enum attn_lang lang;
    struct code_source sources[ATTN_N_TENSORS];
    bool mask_found;                /**< The load that --load's mask came from. */
    struct code_source *mask_files; /**< By part of config->mask; owned. */
};

/* ---- code_source.c ---- */

/** Find in the loaded files the arrays that the trace's inputs came from. */
enum attn_status code_find_sources(struct code *code, struct attn_error *err);
/** Has this tensor a file that the program reads? */
bool code_is_read(const struct code *code, enum attn_tensor_id id);
/** Must the program carry the whole mask? (A part of it is in no file that it could read.) */
bool code_mask_is_carried(const struct code *code);

/* ---- code_text.c ---- */

/** What a language writes around the numbers of an array. */
struct code_nest {
    const char *open, *close; /**< Of a row and of what holds rows. */
    bool flat;                /**< One pair around all of it, however many dimensions. */
};

/** "[[[1.0, 2.0], …]]" in lines; the first stands behind column characters. */
void code_numbers(const struct code *code, const attn_tensor *t, const struct code_nest *nest,
                  int column);
/** Is there this whole word in the stages' lines? */
bool code_uses(const struct code *code, const char *word);
/** Each stage's name as a comment, then its lines, behind an indent. */
void code_stages(const struct code *code, const char *indent);
/** The stages' tensors through a format with two %s for the name, wrapped behind indent. */
void code_tensor_list(const struct code *code, const char *format, int indent);
/** The first lines: what the program is. */
void code_heading(const struct code *code);
/** The tensors that a forward pass takes as arguments. @return how many. */
int code_arguments(const struct code *code, enum attn_tensor_id ids[ATTN_N_TENSORS]);
/** "[1,4,4]" → "1, 4, 4". */
void code_dims(const attn_tensor *t);

/* ---- code_python.c ---- */

/** The modules beside torch, in their groups. */
void code_python_imports(const struct code *code, bool math);
/** The functions that reading takes, each behind two blank lines. */
void code_python_helpers(const struct code *code);
/** Open the files with several arrays, each once. */
void code_python_files(const struct code *code);
/** The mask, as its options say. */
void code_python_mask(const struct code *code);
/** An array expression: read and converted, or carried. */
void code_python_array(const struct code *code, enum attn_tensor_id id, int column);
/** The loop that prints `stages` as attn run does. */
void code_python_print(void);

/* ---- one program each ---- */

void code_torch(const struct code *code);
void code_numpy(const struct code *code);
void code_c(const struct code *code);

#endif
