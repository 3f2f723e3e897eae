#include "tests/fuzz/fuzz_problem.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"
#include "tests/problems/problem_files.h"

static void mutants_of_problems(void)
{
    static const char open[] =
        "<problem><model file='m.xml'/><time nstep='9' duration='1' range='.5 2'/><sensor>"
        "<jointpos name='j' joint='pitch'/></sensor><boundary type='open'><start key='go'/>"
        "<end qpos='0 0 0 0 1 1' qvel='0'/></boundary><cost><term name='a' sensor='j' "
        "norm='power' p='1.5'/><term name='b' slip='left_foot- nose' near='force'/><term name='c' "
        "flat='left_foot'/></cost><init qpos='0 0 0 0 1 1' noise='.1'/><solver><smoothing "
        "width='.1 .2' timeconst='2h'/></solver></problem>";
    const char *const seeds[] = {files_problem, open};
    CHECK(mutate_all(seeds, 2, 2) >= 50);
}

int main(void)
{
    RUN(mutants_of_problems);
    files_remove();
    return check_done();
}
