#include "tests/fuzz/fuzz_csv.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

static void mutants_of_tables(void)
{
    static const char motion[] = "time,qpos0,qpos1,qpos2,qpos3,qpos4,qpos5\n"
                                 "0,0,0,0,0,.1,.2\n0.01,.1,0,0,0,.1,.2\n"
                                 "0.02,.2,0,0,0,.1,.2\n0.03,.3,0,0,0,.1,.2\n";
    static const char states[] =
        "qpos:rootx,qpos1,qpos2,qpos3,qpos4,qpos5,qvel0,qvel1,qvel2,qvel3,qvel4,qvel5,"
        "qacc0,qacc1,qacc2,qacc3,qacc4,qacc5\n"
        "0,0,-.1,0,0,0,1,2,3,4,5,6,-1,-2,-3,1e3,1e-3,0\n0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n";
    const char *const seeds[] = {motion, states};
    CHECK(mutate_all(seeds, 2, 2) >= 50);
}

int main(void)
{
    RUN(mutants_of_tables);
    files_remove();
    return check_done();
}
