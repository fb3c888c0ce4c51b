/** Files of tensors in a directory of their own, and configurations that name them. */
#ifndef CONFIG_FILES_H
#define CONFIG_FILES_H

#include "config.h"

enum { CONFIG_OPTIONS_MAX = 8 };

/** Write the files; a fixture. */
void config_files_make(void);

/** Remove them, and their directory. */
void config_files_remove(void);

/** Where they are. */
const char *config_files_directory(void);

/** The i-th number of every file that does not say otherwise: 0.01, 0.02, … */
float config_files_number(int i);

/** A config of options such as "--load=x=@x.npy", where '@' is the directory of the files. */
void config_files_config(struct config *config, enum attn_variant variant,
                         const char *const options[CONFIG_OPTIONS_MAX]);

#endif
