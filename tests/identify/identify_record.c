/* identify_record NAME FOLDER [SEED]: the recordings that examples/identify_NAME.xml reads, written
 * to the folder. */
#include "tests/identify/identify_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    sal_err err = {0};
    const char *root = getenv("SALTUS_ROOT");
    const unsigned long seed = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    for (int i = 0; argc > 2 && i < ntrial; i++) {
        if (strcmp(trials[i].name, argv[1]) == 0) {
            if (trial_record(trials + i, root == NULL ? "." : root, seed, argv[2], &err)) {
                fprintf(stderr, "%s\n", err.message);
                return 1;
            }
            return 0;
        }
    }
    fprintf(stderr, "usage: identify_record pendulum|arm|box|finger|quadruped FOLDER [SEED]\n");
    return 2;
}
