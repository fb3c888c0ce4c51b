#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* The process keeps the C locale's numbers: only LC_CTYPE is ever set. */

static const char *special(float value)
{
    if (isnan(value)) {
        return "nan";
    }
    if (isinf(value)) {
        return value > 0 ? "inf" : "-inf";
    }
    return NULL;
}

char *cli_fixed(float value, char out[CLI_NUMBER_MAX])
{
    const char *const word = special(value);
    if (word != NULL) {
        snprintf(out, CLI_NUMBER_MAX, "%9s", word);
        return out;
    }
    snprintf(out, CLI_NUMBER_MAX, "%9.4f", (double)value);
    if (strcmp(out, "  -0.0000") == 0) {
        snprintf(out, CLI_NUMBER_MAX, "%9.4f", 0.0);
    }
    return out;
}

static bool reads_back(float value, int digits, char out[CLI_NUMBER_MAX])
{
    snprintf(out, CLI_NUMBER_MAX, "%.*g", digits, (double)value);
    return strtof(out, NULL) == value;
}

char *cli_shortest(float value, char out[CLI_NUMBER_MAX])
{
    const char *const word = special(value);
    if (word != NULL) {
        snprintf(out, CLI_NUMBER_MAX, "\"%s\"", word);
        return out;
    }
    /* More digits never read back worse: from the common 8 down, or up to the 9 that always do. */
    int digits = 8;
    while (digits < 9 && !reads_back(value, digits, out)) {
        digits++;
    }
    while (digits > 1 && reads_back(value, digits - 1, out)) {
        digits--;
    }
    (void)reads_back(value, digits, out);
    if (strcmp(out, "-0") == 0) {
        snprintf(out, CLI_NUMBER_MAX, "-0.0"); /* "-0" is an integer, and loses its sign, to some */
    }
    return out;
}
