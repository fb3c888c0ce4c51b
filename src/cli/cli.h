/**
 * The command line: a table of commands, what they share in reading arguments and in writing, and
 * the only place but the screen that prints or exits.
 *
 * Results go to standard output through cli_write and its kin, messages to standard error through
 * cli_message; both turn into ASCII where the locale is not UTF-8, and show what a terminal would
 * obey as \x1b or \u{001b}.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "attn/attn.h"
#include "config.h"

/** The exit statuses. */
enum cli_status {
    CLI_DONE = 0,
    CLI_FAILED = 1,   /**< It could not be done, or a check found a difference. */
    CLI_USAGE = 2,    /**< The command line is wrong, or a terminal is needed and there is none. */
    CLI_UNDECIDED = 3 /**< check could not judge. */
};

enum { CLI_OPTIONS_MAX = 16, CLI_WORDS_MAX = 1024, CLI_MANY_MAX = 64 };

/** An option of one command, beside those of config_options. */
struct cli_option {
    const char *name;     /**< "--save"; NULL ends a table. */
    const char *argument; /**< "FILE"; NULL: takes none. */
    const char *summary;  /**< One line, lower case, no full stop. */
};

struct cli {
    const struct cli_command *command;
    struct config config;
    const char *values[CLI_OPTIONS_MAX]; /**< By row of the command's options; NULL: not given. */
    const char *words[CLI_WORDS_MAX];    /**< Arguments that are no options. */
    int n_words;
    const char *many[CLI_MANY_MAX]; /**< The values of the option that repeats. */
    int n_many;
    char *const *program; /**< What stands behind "--" for a command that runs one, or NULL. */
    int n_program;
};

struct cli_command {
    const char *name;
    const char *arguments; /**< "VARIANT TENSOR B T S"; may be empty. */
    const char *summary;   /**< One line, for the list of commands. */
    const char *details;   /**< Paragraphs for COMMAND --help, separated by '\n'. */
    bool computes;         /**< Takes the options of config_options. */
    int max_words;
    const char *repeats; /**< Its option that may be given again and again, or NULL. */
    bool runs;           /**< Behind "--" stands a program of the user's. */
    bool about_options;  /**< The name of one of config_options is a word like any other. */
    const struct cli_option *options;
    enum cli_status (*run)(struct cli *cli);
};

/** The commands in the order of the help, ended by NULL (commands.c). */
extern const struct cli_command *const cli_commands[];
/** What `attn` alone does; also where the first argument is an option (home.c). */
extern const struct cli_command cli_home;
const struct cli_command *cli_find_command(const char *name);
/** The i-th command, cli_home after the last; NULL beyond. */
const struct cli_command *cli_command_at(int i);
/** Refuse a command that does not exist, with the nearest that does. */
enum cli_status cli_unknown_command(const char *name);

/* ---- arguments (arguments.c) ---- */

/** Read argv[0…argc-1], what stands after the command's name, into a zeroed cli. */
enum cli_status cli_parse(struct cli *cli, const struct cli_command *command, int argc,
                          char *const *argv);
void cli_finish(struct cli *cli);
/** The value of one of the command's own options ("" for one that takes none), or NULL. */
const char *cli_value(const struct cli *cli, const char *name);
/** The command's own option of this name, "--save", or NULL. */
const struct cli_option *cli_find_option(const struct cli_command *command, const char *name);
/** Set config.variant from the first word. */
enum cli_status cli_take_variant(struct cli *cli);
/** The tensor of this name in the variant; says what is near where there is none. */
enum cli_status cli_find_tensor(enum attn_variant variant, const char *name,
                                enum attn_tensor_id *id);
/** config_trace, with its failure told and its notes written to standard error. */
enum cli_status cli_trace(struct cli *cli, struct setup *setup, attn_trace **trace);

/* ---- messages and output (output.c) ---- */

/** "attn: WHAT: WHY" on standard error; what may be NULL, and an empty word is shown as one. */
void cli_message(const char *what, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/** Tell a failure. @return CLI_USAGE where an option is at fault, else CLI_FAILED. */
enum cli_status cli_fail(const struct attn_error *err);

/** Write to standard output. Once that fails, nothing more is written. */
void cli_write(const char *text);
void cli_printf(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;
/** Pass on, on standard error, what another program printed: lines, the last of them ended. */
void cli_pass(const char *text);
/** True once writing has failed: a long output can stop. */
bool cli_write_failed(void);
/** What was written so far is to be seen now; a failure is kept for the end. */
void cli_flush(void);
/** Flush standard output. @return status, or CLI_FAILED with a message; a closed pipe is quiet. */
enum cli_status cli_end_output(enum cli_status status);
/** Does the locale take UTF-8? */
bool cli_is_utf8(void);
/** Columns of UTF-8 text in which each character is one wide. */
int cli_columns(const char *text);
/** A paragraph in lines of at most 79 columns; the first starts at column first. */
void cli_wrap(const char *text, int first, int indent);

/* ---- numbers and JSON (number.c, json.c) ---- */

enum { CLI_NUMBER_MAX = 64 };
/** "%9.4f" with "nan", "inf", and no negative zero. @return out. */
char *cli_fixed(float value, char out[CLI_NUMBER_MAX]);
/** The shortest decimal that reads back to the same float32; NaN and infinities in quotes. */
char *cli_shortest(float value, char out[CLI_NUMBER_MAX]);
/** A string in quotes; not UTF-8 becomes U+FFFD, beyond ASCII \u escapes where the locale wants. */
void cli_json_string(const char *text);
/** "name": with the comma that goes before it where not first. */
void cli_json_key(bool first, const char *name);

/* ---- the tables' views (tensors.c) ---- */

/** The stage tensors that a trace has, in order. @return how many. */
int cli_stage_tensors(const attn_trace *trace, enum attn_tensor_id ids[ATTN_N_TENSORS]);
/** The key of the stage that wrote it here, or NULL: an input. */
const char *cli_stage_key(const attn_trace *trace, enum attn_tensor_id id);

/** Refuse a tensor that the variant can have and this trace has not, and tell why. */
enum cli_status cli_require_tensor(const attn_trace *trace, enum attn_tensor_id id,
                                   const char *name);

/* ---- parts of run ---- */

void run_json(const struct cli *cli, const struct setup *setup, const attn_trace *trace,
              const enum attn_tensor_id *ids, int n);
enum cli_status run_save(const char *path, const struct setup *setup, const attn_trace *trace,
                         const enum attn_tensor_id *ids, int n);

/** The same, with its failure in err. */
enum attn_status run_save_to(const char *path, const struct setup *setup, const attn_trace *trace,
                             const enum attn_tensor_id *ids, int n, struct attn_error *err);

/* ---- parts of explain ---- */

/** "scores[0,2,1]". @return out. */
char *explain_cell_name(const attn_trace *trace, struct attn_cell cell, char *out, size_t size);
/** The members "tensor", "at" and "value", the first of an object. */
void explain_json_cell(const attn_trace *trace, struct attn_cell cell, float value);
/** The inputs that move a cell the most (explain_slopes.c). @param count  How many, as typed. */
enum cli_status explain_slopes(const struct cli *cli, const attn_trace *trace,
                               struct attn_cell cell, const char *count);

/* ---- help (help.c, topics.c) ---- */

/** Everything about one command. */
void help_command(const struct cli_command *command);
/** The list of commands. */
void help_overview(void);
/** The options that every computing command takes. */
void help_options(void);
/** A variant's stages, inputs, weights and tensors by name. */
void help_variant(enum attn_variant variant);
/** A stage as a row: its title and its formula. */
void help_stage(enum attn_stage stage);

struct help_topic {
    const char *name;
    const char *summary;
    void (*print)(void);
};
/** Ended by a row without a name. */
extern const struct help_topic help_topics[];
/** A name and what it stands for; a table of them is ended by a row without a name (facts.c). */
struct help_fact {
    const char *name, *text;
};
extern const struct help_fact help_exits[];
extern const struct help_fact help_environment[];
extern const struct help_fact help_places[];   /**< Files and directories. */
extern const struct help_fact help_examples[]; /**< Command lines, and what they show. */

/** Write the manual page, in mdoc and in ASCII (manual.c). */
void help_manual(void);
/** Write the completion for a shell (completion.c). */
enum cli_status help_completion(const char *shell);

/** One row of a table: a name, and wrapped text at its right. */
void help_row(const char *name, const char *text);

/* ---- the walk's faces (screen.c) ---- */

struct app;

/** Run the application on this terminal. Where there is none: says why and what else there is. */
enum cli_status cli_screen(struct app *app, bool mouse);
/** Say on a terminal that the computation takes a while: what app.busy is before there is a screen.
 */
void cli_tell_busy(struct app *app, void *whose);
/** Step by step as lines of text; waits for a line of standard input after each step if asked to.
 */
enum cli_status cli_plain(struct app *app, bool wait);

/** The rows that a table of options needs for a screen: --no-mouse, and what cli_take_face reads.
 */
#define CLI_FACE_OPTIONS                                                                           \
    {"--no-mouse", NULL, "leave clicks and the wheel to the terminal"},                            \
        {"--keys", "KEYS", "play these keys, then print the screen"},                              \
        {"--size", "COLSxROWS", "the size of the screen to print (default 80x24)"},                \
    {                                                                                              \
        "--frame", "FILE",                                                                         \
            "write that screen to FILE: .txt, .ans or .svg; a file that is there is replaced"      \
    }

/** How a screen is to be shown. */
struct cli_face {
    bool plain;  /**< As lines of text. */
    bool played; /**< From keys, and printed. */
    bool mouse;
    const char *keys; /**< May be empty. */
    int cols, rows;
    const char *path; /**< A picture's; or NULL: standard output. */
};

/** Read --plain, --no-mouse, --keys, --size and --frame. */
enum cli_status cli_take_face(const struct cli *cli, struct cli_face *face);
/** Read --size, "80x24"; without it 80x24. */
enum cli_status cli_take_size(const struct cli *cli, int *cols, int *rows);
/** Read a line of standard input without its end; the rest of one that is too long is dropped.
 * @return false at the end of input. */
bool cli_read_line(char *text, int size);
/** Play a face's keys, then print the screen, or write it to its file. */
enum cli_status cli_play(struct app *app, const struct cli_face *face);

/* ---- the walk that was left last (last.c) ---- */

/** Keep where the walk is; where that cannot be, one note on standard error. */
void cli_last_write(const struct app *app);
/** Offer it on the home screen; a file that is none of ours is put aside, with a word at the foot.
 */
void cli_last_read(struct app *app);

/* ---- files that a screen writes (outside.c) ---- */

struct app_outside;
struct frame;

extern const struct app_outside cli_outside;
/** Is this a name with an ending of a picture: .svg, .ans, .txt? */
bool cli_picture_known(const char *path);
/** Write a frame as a picture, by the name's ending; a failure leaves an old file as it was. */
enum attn_status cli_save_picture(const struct frame *f, const char *path, struct attn_error *err);

extern const struct cli_command cli_walk;
extern const struct cli_command cli_run;
extern const struct cli_command cli_explain;
extern const struct cli_command cli_code;
extern const struct cli_command cli_check;
extern const struct cli_command cli_lesson;
extern const struct cli_command cli_lab;
extern const struct cli_command cli_export;
extern const struct cli_command cli_worksheet;
extern const struct cli_command cli_help;

#endif
