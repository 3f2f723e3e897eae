#include "tests/fuzz/fuzz_model.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

/* Robots that are URDF, changed a little: each is a model still, or a list of faults. */
static void mutants_of_robots(void)
{
    static const char *const names[] = {"arm",       "bounds", "cart",   "chain",
                                        "gripper",   "hand",   "kept",   "meshes",
                                        "quadruped", "shapes", "turned", "humanoid"};
    enum { NROBOT = sizeof names / sizeof names[0] };
    const char *root = getenv("SALTUS_ROOT");
    const char *seeds[NROBOT];
    char *texts[NROBOT] = {NULL};
    size_t nseed = 0;
    for (int i = 0; i < NROBOT; i++) {
        char path[1024];
        size_t n;
        snprintf(path, sizeof path, "%s/tests/mjcf/urdf/%s.urdf", root == NULL ? "." : root,
                 names[i]);
        if (sal_text_read_file(path, MUTANT_MAX - 1, &texts[i], &n, NULL) == SAL_OK) {
            seeds[nseed++] = texts[i];
        }
    }
    CHECK(nseed == NROBOT);
    CHECK(mutate_all(seeds, nseed, 5) > 100);
    for (int i = 0; i < NROBOT; i++) {
        sal_free(texts[i]);
    }
}

int main(void)
{
    RUN(mutants_of_robots);
    return check_done();
}
