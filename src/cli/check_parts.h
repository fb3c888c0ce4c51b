/**
 * The parts of `attn check`: results from files or from a learner's program, held against the
 * right ones; and the files that a person starts from.
 */
#ifndef CHECK_PARTS_H
#define CHECK_PARTS_H

#include "cases.h"
#include "cli.h"
#include "diagnose.h"
#include "io.h"

enum { CHECK_CASES_MAX = 16, CHECK_FILES_MAX = CLI_MANY_MAX };

/** One computation and the results for it. */
struct check_case {
    struct practice_case of;
    attn_tensor got[ATTN_N_TENSORS]; /**< Data owned by the check's archives. */
    bool misshapen;  /**< A result has another shape: it is wrong, and not compared. */
    char words[640]; /**< Why: "output is [2,4,4], expected [2,4,5]". */
    char *log;       /**< The beginning of what the program printed, or NULL; owned. */
};

struct check {
    const struct cli *cli;
    struct diagnose_tolerance tolerance;
    struct check_case cases[CHECK_CASES_MAX];
    int n_cases;
    struct io_archive archives[CHECK_FILES_MAX]; /**< That the results came from. */
    int n_archives;
    struct diagnosis diagnosis;
};

/* ---- check_got.c ---- */

/**
 * Take from a file what it has of the results: every stage tensor by its name, or the only array,
 * which is then the one called name, or the last tensor. A tensor of another shape makes the case
 * misshapen. Failures are told.
 *
 * @param name  Of the one array that is meant, or NULL.
 */
enum cli_status check_take_file(struct check *check, struct check_case *c, const char *name,
                                const char *path);

/* ---- check_program.c ---- */

/** Run the learner's program on every case. @return CLI_DONE, or CLI_UNDECIDED once it is told why.
 */
enum cli_status check_run_program(struct check *check, int timeout);

/* ---- check_report.c, check_json.c ---- */

/** Say what was found. @return CLI_DONE or CLI_FAILED by the verdict. */
enum cli_status check_report(const struct check *check);
enum cli_status check_report_json(const struct check *check);
/** The case that is told about: misshapen, or the first that is off. */
const struct check_case *check_case_told(const struct check *check);
/** Is every result right? */
bool check_is_right(const struct check *check);
/** The right arithmetic of the first cell that is off: "scores[0,1] = q[0] · k[1] = …". */
void check_arithmetic(const struct check *check, char *out, size_t size);

/* ---- check_notes.c ---- */

enum { CHECK_NOTES_MAX = 4, CHECK_NOTE_MAX = 512 };

/** What may have happened to a wrong result, a sentence each. @return how many. */
int check_notes(const struct check *check, char notes[CHECK_NOTES_MAX][CHECK_NOTE_MAX]);

/* ---- check_starter.c, check_starter_c.c ---- */

/** Print a file with the function left blank and the reading and writing done. */
enum cli_status check_starter(enum attn_variant variant, const char *language);
void check_starter_c(enum attn_variant variant);
/** The inputs of a variant in the order of the function's parameters. @return how many. */
int check_inputs(enum attn_variant variant, enum attn_tensor_id ids[ATTN_N_TENSORS]);
/** The last tensor of a variant. */
enum attn_tensor_id check_result(enum attn_variant variant);

#endif
