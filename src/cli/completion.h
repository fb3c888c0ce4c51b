/** The parts of the completion: what may follow, and a writer for each shell. */
#ifndef COMPLETION_H
#define COMPLETION_H

#include "cli.h"

/** What may stand in one place of a command line. */
struct completion_value {
    char words[1024]; /**< Separated by spaces. */
    bool files, directories;
    bool tensors; /**< Of the variant that is named before it. */
    bool repeats; /**< The option may be given again. */
};

/** The value of an option. */
struct completion_value completion_option(const char *name, const char *argument);
/** A command's argument, the first being 1. */
struct completion_value completion_argument(const struct cli_command *command, int position);
/** The names of a variant's tensors, separated by spaces. @return out. */
char *completion_tensors(enum attn_variant variant, char *out, size_t size);

/** How a character is written that means something. */
struct completion_escape {
    char letter;
    const char *written;
};
/** Write text with some of its characters in another way. @param escapes  Ended by letter '\0'. */
void completion_write(const char *text, const struct completion_escape *escapes);

void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

#endif
