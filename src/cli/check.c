#include "check_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT = 10, TIMEOUT_MAX = 86400 };

/* ---- what is asked for ---- */

static enum cli_status read_tolerance(const struct cli *cli, struct diagnose_tolerance *tolerance)
{
    const char *const text = cli_value(cli, "--tol");
    double value = 0;
    *tolerance = diagnose_tolerance;
    if (text == NULL) {
        return CLI_DONE;
    }
    if (!config_parse_real(text, &value) || !(value > 0) || value > 1e30) {
        cli_message("--tol", "'%s' is no tolerance (a number above 0, as in 0.01)", text);
        return CLI_USAGE;
    }
    *tolerance = (struct diagnose_tolerance){.relative = 0, .absolute = value};
    return CLI_DONE;
}

static enum cli_status read_timeout(const struct cli *cli, int *seconds)
{
    const char *const text = cli_value(cli, "--timeout");
    long long value = TIMEOUT;
    if (text != NULL && !config_parse_int(text, 1, TIMEOUT_MAX, &value)) {
        cli_message("--timeout", "'%s' is no number of seconds (1 to %d)", text, TIMEOUT_MAX);
        return CLI_USAGE;
    }
    *seconds = (int)value;
    return CLI_DONE;
}

/** Of the three ways exactly one. */
static enum cli_status check_ways(const struct cli *cli)
{
    const bool got = cli->n_many > 0;
    const bool program = cli->program != NULL;
    const bool starter = cli_value(cli, "--starter") != NULL;
    if (cli->config.n_bugs > 0) {
        cli_message("--bug", "check compares with what is right (leave it out)");
        return CLI_USAGE;
    }
    if (program && cli->n_program == 0) {
        cli_message("--", "no program follows (as in -- python3 mine.py)");
        return CLI_USAGE;
    }
    if (got + program + starter != 1) {
        cli_message("check",
                    got + program + starter == 0
                        ? "what is to be checked? (--got FILE with your results, or -- and "
                          "a program; --starter numpy prints one to start from)"
                        : "one of --got, --starter and -- at a time");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/** Does the command line say what to compute, and not only how? */
static bool describes(const struct config *config)
{
    struct config defaults;
    config_init(&defaults, config->variant);
    return config->batch > 0 || config->length > 0 || config->memory_length > 0 ||
           config->dim > 0 || config->dim_in > 0 || config->tokens.n > 0 ||
           config->memory_tokens.n > 0 || config->n_loads > 0 || config->n_mask > 0 ||
           strcmp(config->seed_text, defaults.seed_text) != 0;
}

/* ---- the three ways ---- */

static enum cli_status take_results(struct check *check)
{
    const struct cli *const cli = check->cli;
    enum cli_status status = CLI_DONE;
    for (int i = 0; status == CLI_DONE && i < cli->n_many; i++) {
        const char *const equals = strchr(cli->many[i], '=');
        const char *const slash = strchr(cli->many[i], '/');
        char name[64] = "";
        const bool named = equals != NULL && equals > cli->many[i] &&
                           (slash == NULL || equals < slash) &&
                           (size_t)(equals - cli->many[i]) < sizeof name;
        if (named) {
            memcpy(name, cli->many[i], (size_t)(equals - cli->many[i]));
        }
        status = check_take_file(check, &check->cases[0], named ? name : NULL,
                                 named ? equals + 1 : cli->many[i]);
    }
    if (status == CLI_DONE && check->cases[0].misshapen) {
        cli_message("--got", "%s (say with which sizes, or --load what it was computed from)",
                    check->cases[0].words);
        return CLI_UNDECIDED;
    }
    return status;
}

static enum cli_status make_cases(struct check *check)
{
    const struct config *const config = &check->cli->config;
    const bool got = check->cli->program == NULL;
    const bool one = got || describes(config);
    const int n = one ? 1 : practice_cases_count(config->variant);
    struct attn_error err = {.status = ATTN_OK};
    for (; check->n_cases < n; check->n_cases++) {
        struct practice_case *const of = &check->cases[check->n_cases].of;
        const enum attn_status status = one ? practice_case_from(of, config, !got, &err)
                                            : practice_case_make(of, config, check->n_cases, &err);
        if (status != ATTN_OK) {
            return cli_fail(&err);
        }
    }
    for (int i = 0; one && i < check->cases[0].of.setup.n_notes; i++) {
        cli_message(NULL, "%s", check->cases[0].of.setup.notes[i]);
    }
    return CLI_DONE;
}

static enum cli_status judge(struct check *check)
{
    struct diagnose_case cases[CHECK_CASES_MAX];
    struct attn_error err = {.status = ATTN_OK};
    for (int i = 0; i < check->n_cases; i++) {
        const struct check_case *const c = &check->cases[i];
        if (c->misshapen) {
            return CLI_DONE;
        }
        cases[i] = (struct diagnose_case){
            .config = &c->of.setup.config, .inputs = c->of.setup.inputs, .right = c->of.right};
        memcpy(cases[i].got, c->got, sizeof c->got);
    }
    if (diagnose(&check->diagnosis, cases, check->n_cases, &check->tolerance, &err) != ATTN_OK) {
        cli_message(err.what[0] != '\0' ? err.what : "check", "%s", err.message);
        return CLI_UNDECIDED;
    }
    return CLI_DONE;
}

/** What a program printed on the case that is wrong: a person will have printed it to see it. */
static void pass_log(const struct check *check)
{
    const char *const log = check_is_right(check) ? NULL : check_case_told(check)->log;
    if (log != NULL) {
        cli_pass(log);
    }
}

static enum cli_status check_all(struct check *check, int timeout)
{
    enum cli_status status = make_cases(check);
    if (status == CLI_DONE) {
        status =
            check->cli->program != NULL ? check_run_program(check, timeout) : take_results(check);
    }
    if (status == CLI_DONE) {
        status = judge(check);
    }
    if (status == CLI_DONE) {
        pass_log(check);
        status = cli_value(check->cli, "--json") != NULL ? check_report_json(check)
                                                         : check_report(check);
    }
    return status;
}

static void check_free(struct check *check)
{
    for (int i = 0; i < CHECK_CASES_MAX; i++) {
        practice_case_finish(&check->cases[i].of);
        free(check->cases[i].log);
    }
    for (int i = 0; i < check->n_archives; i++) {
        io_archive_finish(&check->archives[i]);
    }
    free(check);
}

static enum cli_status run(struct cli *cli)
{
    struct diagnose_tolerance tolerance;
    int timeout = TIMEOUT;
    enum cli_status status = cli_take_variant(cli);
    status = status == CLI_DONE ? check_ways(cli) : status;
    status = status == CLI_DONE ? read_tolerance(cli, &tolerance) : status;
    status = status == CLI_DONE ? read_timeout(cli, &timeout) : status;
    if (status != CLI_DONE) {
        return status;
    }
    if (cli_value(cli, "--starter") != NULL) {
        return check_starter(cli->config.variant, cli_value(cli, "--starter"));
    }
    struct check *const check = calloc(1, sizeof *check);
    if (check == NULL) {
        cli_message("check", "out of memory");
        return CLI_UNDECIDED;
    }
    check->cli = cli;
    check->tolerance = tolerance;
    status = check_all(check, timeout);
    check_free(check);
    return status;
}

static const struct cli_option options[] = {
    {"--got", "[NAME=]FILE", "your results: stages by name, or one array; again and again"},
    {"--tol", "X", "largest difference that is right, in place of 1e-5 + 1e-4 of the value"},
    {"--timeout", "SECONDS", "how long your program may take for a case; 10 if not given"},
    {"--starter", "pytorch|numpy|c", "print a program to fill in, the reading and writing done"},
    {"--json", NULL, "one JSON document in the place of text"},
    {0}};

const struct cli_command cli_check = {
    .name = "check",
    .arguments = "VARIANT [-- PROGRAM…]",
    .summary = "your results, or your program, against the right ones",
    .details =
        "With --got, results of the computation that the other options describe. Each stage that "
        "is given is compared, the first that is off is named with its arithmetic, and so are the "
        "classic bugs (attn help bugs) that compute the very same numbers, one or two at once.\n"
        "Behind -- stands a program of yours, which is run on several cases, or on the one that "
        "sizes, a seed, a mask or files describe. ATTN_CASE names an .npz with the inputs and the "
        "weights (the same as .json lies beside it), and it writes its result, .npz, .npy or "
        ".json, to the file that ATTN_OUT names. keep is dropout's pattern and acts where training "
        "is 1; a mask keeps with 1.\n"
        "The last lines are verdict: right or verdict: wrong, and then diagnosis: with the names, "
        "or unknown. The exit status is 0, 1, or 3 where there was nothing to judge.",
    .computes = true,
    .max_words = 1,
    .repeats = "--got",
    .runs = true,
    .options = options,
    .run = run};
