#include "comma_locale.h"

#include <stdio.h>
#include <stdlib.h>

static char directory[] = "/tmp/attn-locale-XXXXXX";
static bool made;

bool comma_locale_make(void)
{
    char command[256];
    if (!made && mkdtemp(directory) == NULL) {
        return false;
    }
    made = true;
    setenv("LOCPATH", directory, 1);
    snprintf(command, sizeof command,
             "localedef -c -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1; test -d %s/de_DE.UTF-8",
             directory, directory, directory);
    return system(command) == 0;
}

void comma_locale_remove(void)
{
    char command[128];
    unsetenv("LOCPATH");
    if (made) {
        snprintf(command, sizeof command, "rm -rf '%s'", directory);
        if (system(command) != 0) {
            fprintf(stderr, "%s is left\n", directory);
        }
    }
}
