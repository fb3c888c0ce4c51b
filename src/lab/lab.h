/**
 * The instruments: measurements that a person can turn by hand. Pure computing: numbers in, numbers
 * out; how they are drawn is view's, the keys are app's.
 */
#ifndef LAB_H
#define LAB_H

enum lab_kind { LAB_SCALING, LAB_COST, LAB_MASKS, LAB_N_KINDS };

struct lab_info {
    const char *name;    /**< "scaling", as a command line and a lesson write it. */
    const char *title;   /**< What it shows, for its title line. */
    const char *summary; /**< One line for the help, lower case, no full stop. */
};

extern const struct lab_info lab_infos[LAB_N_KINDS];

/** The instrument of this name, or -1. */
int lab_find(const char *name);

#endif
