/** Every test program defines suite(); support/runner.c has main and fails when no test ran. */
#ifndef RUNNER_H
#define RUNNER_H

#include <check.h>

Suite *suite(void);

#endif
