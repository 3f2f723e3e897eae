#include "tests/fuzz/fuzz_table.c" /* NOLINT(bugprone-suspicious-include): what it feeds */
#include "tests/fuzz/mutate.h"

static void mutants_of_options(void)
{
    const char *const seeds[] = {
        "speed>=1 mass<50 status!='time limit' "
        "term[effort]>0\nspeed,C=cost,term[effort],motion,reason\n-C,mass\n",
        "cost<=6\nspeed,mass,n,holes,a=min:cost,std:figure:speed,median:slip\n-a,holes\nspeed,"
        "mass\n1\n",
        "\nstatus,kind,cell,from,tries,seconds,exit_code\nstatus,-tries\n\nbest",
        "repeat=0\n\n-mean:cost\nstatus",
    };
    CHECK(mutate_all(seeds, 4, 2) >= 50);
}

int main(void)
{
    RUN(mutants_of_options);
    return check_done();
}
