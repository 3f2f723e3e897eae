/* agreement_222.c: models of your own beside libmujoco 2.2.2: all .xml files of a folder and below,
 * as test_agreement does with the corpus. agreement-222 DIR [states of a model, 8] */
#include "tests/check.h"
#include "tests/physics/agreement.h"

static const char *folder;
static int nstate = 8;

static void models_agree_with_222(void)
{
    int faults;
    const int models = agreement_in_folder(folder, nstate, &faults);
    CHECK(faults == 0);
    if (models == 0) {
        SKIP("no model was compared");
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "agreement-222 DIR [STATES]\n");
        return 2;
    }
    folder = argv[1];
    nstate = argc > 2 ? (int)strtol(argv[2], NULL, 10) : nstate;
    RUN(models_agree_with_222);
    return check_done();
}
