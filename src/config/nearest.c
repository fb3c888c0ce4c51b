#include <ctype.h>
#include <string.h>

#include "config.h"

enum { WORD_MAX = 48 };

static int smallest(int a, int b, int c)
{
    const int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/** How many letters to insert, delete, replace or swap with a neighbour to make one the other. */
static int distance(const char *a, const char *b)
{
    int rows[3][WORD_MAX + 1];
    const int n_a = (int)strlen(a);
    const int n_b = (int)strlen(b);
    for (int j = 0; j <= n_b; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= n_a; i++) {
        int *const now = rows[i % 3];
        const int *const above = rows[(i + 2) % 3];
        now[0] = i;
        for (int j = 1; j <= n_b; j++) {
            const int replace = above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            now[j] = smallest(above[j] + 1, now[j - 1] + 1, replace);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
                const int swapped = rows[(i + 1) % 3][j - 2] + 1;
                now[j] = swapped < now[j] ? swapped : now[j];
            }
        }
    }
    return rows[n_a % 3][n_b];
}

const char *config_nearest(const char *word, const char *const *names, int n)
{
    const char *best = NULL;
    const size_t length = strlen(word);
    if (length == 0 || length > WORD_MAX) {
        return NULL;
    }
    int least = length < 4 ? 1 : length < 9 ? 2 : 3; /* of more letters more may be wrong */
    for (int i = 0; i < n; i++) {
        if (strlen(names[i]) > WORD_MAX) {
            continue;
        }
        const int d = distance(word, names[i]);
        if (d < least || (d == least && best == NULL)) {
            least = d;
            best = names[i];
        }
    }
    return best;
}
