/** What was right once is kept in tests/golden/ and compared exactly. */
#ifndef GOLDEN_H
#define GOLDEN_H

/**
 * Fail the test where text is not what tests/golden/NAME holds, naming the first line that differs.
 * ./dev golden (ATTN_GOLDEN=write) writes the file instead; nothing else does.
 *
 * @param name  "walk-v3.txt" or "frames/v3-softmax.txt".
 */
void golden_check(const char *name, const char *text);

#endif
