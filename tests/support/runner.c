#include "runner.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");         /* whatever the caller's is */
    setenv("CK_DEFAULT_TIMEOUT", "120", 0); /* a test that hangs ends; a slow machine is no fault */
    SRunner *const runner = srunner_create(suite());
    srunner_run_all(runner, CK_ENV);
    const int run = srunner_ntests_run(runner);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0) {
        fputs("no test ran\n", stderr);
    }
    return run > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
