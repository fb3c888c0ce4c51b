#include "lab.h"

#include <string.h>

const struct lab_info lab_infos[LAB_N_KINDS] = {
    [LAB_SCALING] = {"scaling", "why divide by √d",
                     "what the width of q and k does to a softmax, with and without the factor"},
    [LAB_COST] = {"cost", "what attention costs",
                  "operations, bytes and measured time as the length doubles"},
    [LAB_MASKS] = {"masks", "paint a mask",
                   "a mask to paint, what is filled in, and the rows that break"},
};

int lab_find(const char *name)
{
    for (int i = 0; i < LAB_N_KINDS; i++) {
        if (strcmp(lab_infos[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
