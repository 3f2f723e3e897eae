/* agreement_222.c: your own models beside libmujoco 2.2.2: every .xml file in a folder and below, as
 *     test_agreement does with the corpus. agreement-222 DIR [states of a model, 8] */
#include "tests/physics/agreement.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int faults = 0;
    if (argc < 2) {
        fprintf(stderr, "agreement-222 DIR [STATES]\n");
        return 2;
    }
    agreement_in_folder(argv[1], argc > 2 ? (int)strtol(argv[2], NULL, 10) : 8, &faults);
    return faults > 0;
}
