/* `saltus follow DIR --person --sweep`: trials of one person as a sweep, solved without editing. */
#include "tests/cli/command.h"

static const char *const trials[] = {"walking1", "walkingTO1", "DJ1"};
enum { TRIALS = sizeof trials / sizeof trials[0] };

/* A folder with links to the recordings; false: they are not there. */
static bool gather(void)
{
    char name[100], from[100];
    CHECK(mkdir(files_path("trials"), 0700) == 0);
    for (int i = 0; i < TRIALS; i++) {
        snprintf(from, sizeof from, "data/people/subject_a/%s.trc", trials[i]);
        snprintf(name, sizeof name, "trials/%s.trc", trials[i]);
        const char *path = check_corpus(from);
        if (path == NULL) {
            return false;
        }
        CHECK(symlink(path, files_path(name)) == 0);
    }
    return true;
}

static void trials_of_a_person_become_a_sweep(void)
{
    char line[3000], person[300];
    if (!gather()) {
        SKIP("the corpus is not there");
    }
    snprintf(person, sizeof person, "%s", files_path("person.xml"));
    snprintf(line, sizeof line, "person %s --mass 63.5 -o %s -q",
             check_corpus("data/people/subject_a/walking1.trc"), person);
    CHECK(run(line) == 0);
    files_write("trials/odd.trc", "no markers\n", 11);
    snprintf(line, sizeof line, "follow %s --person %s --sweep -o %s", files_path("trials"), person,
             files_path("all"));
    CHECK(run(line) == 0);
    SAYS(errors, "left out: 'odd.trc'");
    slurp("all/sweep.xml", out, sizeof out);
    SAYS(out, "values=\"DJ1;walking1;walkingTO1\"");
    SAYS(out, "<axis name=\"from\" path=\"data/from\" with=\"clip\" values="
              "\"1.075 -0.005 -0.005\"/>");
    SAYS(out, "path=\"time/nstep\" with=\"clip\" values=\"160 130 138\"");
    snprintf(line, sizeof line, "sweep %s -o %s -q", files_path("all/sweep.xml"),
             files_path("all/out"));
    CHECK(run(line) == 0);
    snprintf(line, sizeof line, "table %s --columns clip,status --format csv",
             files_path("all/out"));
    CHECK(run(line) == 0);
    for (int i = 0; i < TRIALS; i++) {
        char row[80];
        snprintf(row, sizeof row, "%s,converged", trials[i]);
        SAYS(out, row);
    }
}

int main(void)
{
    RUN(trials_of_a_person_become_a_sweep);
    files_remove();
    return check_done();
}
