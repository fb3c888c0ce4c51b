/** A locale whose decimal point is a comma, made for the test where the system can make one. */
#ifndef COMMA_LOCALE_H
#define COMMA_LOCALE_H

#include <stdbool.h>

/**
 * Make de_DE.UTF-8 in a directory of its own and point LOCPATH there, for this process and its
 * children. @return false where localedef or its sources are missing.
 */
bool comma_locale_make(void);
/** Remove what was made. */
void comma_locale_remove(void);

#endif
