#include "tests/fuzz/fuzz_arguments.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

static void mutants_of_lines(void)
{
    static const char *const seeds[] = {
        "solve\np.xml\n-o\nout\n--resume\n--set\nterm[a]/weight=2\n--threads\n4\n--json\n-q",
        "sweep\ns.xml\n-j\n2\n--memory=3\n--shard=2/8\n--patience\n9\n--compat\n2.2.2",
        "simulate\nm.xml\n--time\n2\n--controls\nu.csv\n--interpolate\nlinear\n--key\nk\n--fwdinv",
        "table\nD\n--columns\na,b\n--where\na>1\n--where\nb<2\n--best\n--sort\n-a\n--format\nmd",
        "export\n--to\ncsv\nr.h5\n--\n-o",
        "help\nsolve",
        "--version",
        "diff\na\nb\n-v\n-h"};
    CHECK(mutate_all(seeds, sizeof seeds / sizeof seeds[0], 2) >= 50);
}

int main(void)
{
    RUN(mutants_of_lines);
    return check_done();
}
