/* `saltus new`: problem files to begin with, accepted as they are. */
#include "tests/cli/command.h"

static char problem[100000];

/* Writes what `new` says about the model to new.xml and to `problem`. */
static int draft(const char *model)
{
    char line[1200];
    snprintf(line, sizeof line, "new -q %s", model);
    const int code = run(line);
    snprintf(problem, sizeof problem, "%s", out);
    files_write("new.xml", out, strlen(out));
    return code;
}

static int check(void)
{
    char line[600];
    snprintf(line, sizeof line, "check %s", files_path("new.xml"));
    return run(line);
}

static const char *own(const char *name)
{
    static char path[1100];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/models/%s", root == NULL ? "." : root, name);
    return path;
}

static void legs_walk(void)
{
    CHECK(draft(own("walker.xml")) == 0 && errors[0] == 0);
    SAYS(problem, "<boundary type=\"cycle\" mirror=\"left right\">");
    SAYS(problem, "<travel joint=\"rootx\" speed=\"1.2\"/>");
    SAYS(problem, "<term name=\"upright\" joint=\"rooty\" target=\"0\"");
    SAYS(problem, "slip=\"left_foot- left_foot+ right_foot- right_foot+\"");
    SAYS(problem, "<require penetration=\"0.01\" slip=\"0.1\" only=\"left_foot right_foot\"/>");
    SAYS(problem, "<init key=\"stand\" nstart=\"8\"/>");
    CHECK(check() == 0 && errors[0] == 0);
    CHECK(draft(own("person.xml")) == 0);
    SAYS(problem, "<travel joint=\"root\" direction=\"1 0\"");
    SAYS(problem, "orientation=\"pelvis\" target=\"1 0 0 0\"");
    CHECK(check() == 0 && errors[0] == 0);
    CHECK(draft(own("hopper.xml")) == 0);
    SAYS(problem, "<boundary type=\"cycle\">");
    CHECK(check() == 0 && errors[0] == 0);
}

/* -o: the problem finds its model, which was named from here, from another folder; what somebody
 * may have edited since stays. */
static void a_problem_is_written_where_it_is_wanted(void)
{
    char line[2400], relative[1300] = "", here[1000];
    CHECK(getcwd(here, sizeof here) != NULL);
    for (const char *c = here; *c != 0; c++) { /* up to the root, and down again */
        strcat(relative, *c == '/' && c[1] != 0 ? "../" : "");
    }
    strcat(relative, own("hopper.xml")[0] == '/' ? own("hopper.xml") + 1 : own("hopper.xml"));
    CHECK(mkdir(files_path("elsewhere"), 0777) == 0);
    snprintf(line, sizeof line, "new -q %s -o %s", relative, files_path("elsewhere/p.xml"));
    CHECK(run(line) == 0 && out[0] == 0 && errors[0] == 0);
    snprintf(line, sizeof line, "check %s", files_path("elsewhere/p.xml"));
    CHECK(run(line) == 0);
    snprintf(line, sizeof line, "new -q %s -o %s", relative, files_path("elsewhere/p.xml"));
    CHECK(run(line) == 2);
    SAYS(errors, "is a problem, which may have been edited, and would be overwritten");
}

/* What is asked for stands in the file. */
static void options_are_obeyed(void)
{
    char line[1400];
    snprintf(line, sizeof line,
             "%s --task trot --speed 0.5 --direction 0,1 --turn 0.3 --seconds .4",
             own("quadruped.xml"));
    CHECK(draft(line) == 0);
    SAYS(problem, "<time nstep=\"48\" duration=\"0.4\"/>");
    SAYS(problem, "direction=\"0 1\" speed=\"0.5\" turn=\"0.12\"/>");
    CHECK(check() == 0 && errors[0] == 0);
    snprintf(line, sizeof line, "new %s --task trot", own("quadruped.xml"));
    CHECK(run(line) == 0);
    SAYS(errors, "feet: left_front_shank, right_front_shank, left_hind_shank, right_hind_shank");
    CHECK(strstr(errors, "no task was asked for") == NULL);
    snprintf(line, sizeof line, "new %s", own("quadruped.xml"));
    CHECK(run(line) == 0);
    SAYS(errors, "no task was asked for: the model suggests 'trot'");
}

/* The feet of the quadruped sink deep in its own contacts, under the load of a landing. */
static void a_draft_says_how_it_ends(void)
{
    static const struct {
        const char *option, *solver, *require;
    } cases[] = {
        {"", "<solver finish=\"try\"", "<require penetration=\"0.01\" ownpenetration=\"0.0"},
        {"--finish", "<solver finish=\"model\"", "<require penetration=\"0.0"},
        {"--no-finish", "<solver>", "<require penetration=\"0.01\" slip="},
    };
    char line[1400];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(line, sizeof line, "%s --task trot %s", own("quadruped.xml"), cases[i].option);
        CHECK(draft(line) == 0);
        SAYS(problem, cases[i].solver);
        SAYS(problem, cases[i].require);
        CHECK((strstr(problem, "ownpenetration") != NULL) == (i == 0));
        CHECK(check() == 0 && errors[0] == 0);
        snprintf(line, sizeof line, "%s --task reach %s", own("arm.xml"), cases[i].option);
        CHECK(draft(line) == 0 && (strstr(problem, "<solver") != NULL) == (i < 2));
        CHECK(check() == 0 && errors[0] == 0);
    }
    snprintf(line, sizeof line, "new %s --finish --no-finish", own("arm.xml"));
    CHECK(run(line) == 2 && out[0] == 0);
    SAYS(errors, "--finish and --no-finish exclude each other");
}

/* Exit code 2, and nothing on standard output: the command line does not fit. */
static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *model, *options, *says;
    } cases[] = {
        {"walker.xml", "--task wlak",
         "unknown task 'wlak'; the tasks are walk, run, trot, pace, bound, hop, stand, jump, "
         "get-up, "
         "reach, move"},
        {"walker.xml", "--task stand --speed 1", "--speed needs a task that travels"},
        {"walker.xml", "--task stand --turn 1", "--turn needs a task that travels"},
        {"walker.xml", "--task reach --direction 1,0", "--direction needs a task that travels"},
        {"pendulum.xml", "--speed 1", "--speed needs a task that travels"},
        {"walker.xml", "--task walk --speed fast", "--speed must be a number of m/s"},
        {"walker.xml", "--task walk --speed 1e9", "--speed must be a number of m/s"},
        {"person.xml", "--task walk --direction 1", "--direction must be two numbers"},
        {"person.xml", "--task walk --direction 0,0", "of which one is not zero"},
        {"person.xml", "--task walk --turn x", "--turn must be a number of rad/s"},
        {"walker.xml", "--task walk --seconds 0", "--seconds must be a number of seconds"},
        {"walker.xml", "--task walk --seconds -1", "--seconds must be a number of seconds"},
        {"walker.xml", "--task walk --direction 1,0", "--direction needs a root with a free joint"},
        {"walker.xml", "--task walk --turn 1", "--turn needs a root with a free joint"},
        {"walker.xml", "--task trot",
         "the model stands on 2 feet, and 'trot' needs 4; the tasks for this model are walk, run, "
         "hop, stand, jump, move"},
        {"quadruped.xml", "--task run", "the model stands on 4 feet, and 'run' needs 2"},
        {"hopper.xml", "--task walk", "the model stands on 1 foot, and 'walk' needs at least 2"},
        {"arm.xml", "--task walk", "the model has no root that can travel"},
        {"walker.xml", "--task reach", "the model has no arm"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[1400];
        snprintf(line, sizeof line, "new %s %s", own(cases[i].model), cases[i].options);
        CHECK(run(line) == 2 && out[0] == 0);
        SAYS(errors, cases[i].says);
    }
}

/* Drafts as they are, with one start: the exit code says that the motion is physical, its figures
 * that it is the one asked for, and all of our models can do it in their own contacts. */
static void drafts_are_solved(void)
{
    static const struct {
        const char *model, *options;
        double speed;
    } cases[] = {{"walker.xml", "--task walk --speed 1", 1},
                 {"quadruped.xml", "--task trot --speed 0.6", 0.6},
                 {"quadruped.xml", "--task stand", 0},
                 {"arm.xml", "--task reach", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[2400], number[40];
        snprintf(line, sizeof line, "%s %s", own(cases[i].model), cases[i].options);
        CHECK(draft(line) == 0);
        snprintf(line, sizeof line, "solve -q %s -o %s --set init/nstart=1", files_path("new.xml"),
                 files_path("r.saltus"));
        CHECK(run(line) == 0);
        snprintf(line, sizeof line, "info %s", files_path("r.saltus"));
        CHECK(run(line) == 0);
        SAYS(out, "physical, and as asked; finished in the model as it is");
        if (cases[i].speed > 0) {
            snprintf(number, sizeof number, "speed          %g m/s", cases[i].speed);
            SAYS(out, number);
            const char *slip = strstr(out, "\nslip "), *deep = strstr(out, "\npenetration ");
            CHECK(slip != NULL && strtod(slip + 6, NULL) < 0.1);
            const char *limit = strstr(problem, "ownpenetration=\"");
            CHECK(deep != NULL &&
                  strtod(deep + 13, NULL) <
                      (limit == NULL ? 0.01 : strtod(strchr(limit, '"') + 1, NULL)));
        }
    }
}

static void the_rest_moves_from_here_to_there(void)
{
    CHECK(draft(own("pendulum.xml")) == 0);
    SAYS(problem, "<start key=\"hang\"/>\n    <end key=\"up\"/>");
    CHECK(check() == 0 && errors[0] == 0);
    files_write("m.xml", files_model, strlen(files_model));
    CHECK(draft(files_path("m.xml")) == 0); /* its root is held by nothing and stands on two feet */
    SAYS(problem, "mirror=\"left right\"");
    CHECK(check() == 0);
}

/* Every file of models/, as a user would: written, accepted, and solved for a while. */
static void all_of_our_models(void)
{
    char line[900];
    int n = 0;
    DIR *folder = opendir(own(""));
    for (struct dirent *e = NULL; folder != NULL && (e = readdir(folder)) != NULL;) {
        const char *ending = strrchr(e->d_name, '.');
        if (ending == NULL || strcmp(ending, ".xml") != 0) {
            continue;
        }
        n++;
        if (draft(own(e->d_name)) != 0 || check() != 0) {
            printf("%s: %s\n", e->d_name, errors);
            check_case_faults++;
            continue;
        }
        snprintf(line, sizeof line, "solve -q %s -o %s --set solver/maxiter=3 --set time/nstep=5",
                 files_path("new.xml"), files_path("r.saltus"));
        CHECK(run(line) <= 1);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    CHECK(n >= 4);
}

static void words_are_needed(void)
{
    static const char *const model = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>";
    files_write("m.xml", model, strlen(model));
    CHECK(draft(files_path("m.xml")) == 3 && out[0] == 0);
    CHECK_TEXT(errors, "saltus: error: the model has no joints, so nothing can move\n");
    CHECK(draft("/nowhere/m.xml") == 5);
    CHECK(draft(files_path("new.xml")) == 3);
    static const char *const odd =
        "<mujoco model='a &amp; b'><worldbody><body name='a &quot;b&quot;'><joint "
        "name='&lt;x&gt;'/><geom size='1'/></body></worldbody>"
        "<keyframe><key name='a &lt; b' qpos='1'/></keyframe>"
        "<option integrator='RK4'/></mujoco>";
    files_write("m.xml", odd, strlen(odd));
    CHECK(draft(files_path("m.xml")) == 0);
    SAYS(problem, "key=\"a &lt; b\"");
    SAYS(problem, "<override path=\"option/integrator\" value=\"Euler\"/>");
    CHECK(check() == 0 && errors[0] == 0);
}

/* What is refused is refused because of the model, whose line it is. */
static void models_of_others(void)
{
    char folder[1024], path[2100], place[400];
    int accepted = 0, refused = 0, cycles = 0;
    const char *corpus = getenv("SALTUS_CORPUS");
    snprintf(folder, sizeof folder, "%s/models", corpus == NULL ? "../shared" : corpus);
    DIR *models = opendir(folder);
    if (models == NULL) {
        SKIP("no corpus");
    }
    for (struct dirent *e = NULL; (e = readdir(models)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        const char *ending = strrchr(e->d_name, '.');
        if (ending == NULL || strcmp(ending, ".xml") != 0 || draft(path) != 0) {
            continue;
        }
        if (check() == 0) {
            accepted++;
            cycles +=
                strstr(problem, "type=\"cycle\"") != NULL && strstr(problem, "<travel") != NULL;
            continue;
        }
        const char *model = strstr(problem, "<model");
        int line = 1;
        for (const char *c = problem; c < model; c++) {
            line += *c == '\n';
        }
        snprintf(place, sizeof place, "%s:%d:16: error:", files_path("new.xml"), line);
        SAYS(errors, place);
        refused++;
    }
    closedir(models);
    printf("     %d drafts accepted (%d cycles), %d models refused in problems\n", accepted, cycles,
           refused);
    CHECK(accepted >= 80 && cycles >= 10 && refused < accepted / 4);
}

int main(void)
{
    RUN(legs_walk);
    RUN(a_problem_is_written_where_it_is_wanted);
    RUN(options_are_obeyed);
    RUN(a_draft_says_how_it_ends);
    RUN(what_does_not_fit_is_refused);
    RUN(drafts_are_solved);
    RUN(the_rest_moves_from_here_to_there);
    RUN(all_of_our_models);
    RUN(words_are_needed);
    RUN(models_of_others);
    files_remove();
    return check_done();
}
