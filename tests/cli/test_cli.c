/* The command as a user runs it: exit codes, messages, JSON, interruption, and what is left
 * behind. */
#include "tests/cli/command.h"

/* ---- usage ---- */

static void usage(void)
{
    CHECK(run("") == 2);
    SAYS(errors, "usage: saltus VERB");
    CHECK(run("help") == 0);
    SAYS(out, "  solve      PROBLEM");
    CHECK(run("help solve") == 0);
    SAYS(out, "usage: saltus solve PROBLEM");
    CHECK(run("solve --help") == 0);
    SAYS(out, "--threads N");
    CHECK(run("sovle x.xml") == 2);
    CHECK_TEXT(errors, "saltus: error: unknown verb 'sovle'; did you mean 'solve'?\n");
    CHECK(run("zzzzzz x.xml") == 2);
    SAYS(errors, "  solve      PROBLEM");
    CHECK(run("solve") == 2);
    CHECK_TEXT(errors, "saltus: error: 'solve' needs PROBLEM\n");
    CHECK(run("solve a b") == 2);
    CHECK_TEXT(errors, "saltus: error: 'solve' takes PROBLEM; remove the extra argument 'b'\n");
    CHECK(run("solve a --jsn") == 2);
    CHECK_TEXT(errors, "saltus: error: unknown option '--jsn'; did you mean '--json'?\n");
    CHECK(run("replay a --threads 2") == 2);
    SAYS(errors, "unknown option '--threads'");
    CHECK(run("solve a --threads 0") == 2);
    CHECK(run("solve a --threads two") == 2);
    CHECK(run("solve a --set") == 2);
    CHECK(run("solve a --set weight") == 2);
    CHECK(run("solve a --compat 1.5") == 2);
    CHECK(run("export a") == 2);
    CHECK(run("export a --to pdf") == 2);
    CHECK_TEXT(errors, "saltus: error: unknown format 'pdf'; supported formats: csv, gains, mjcf, "
                       "npz, mjlab, beyondmimic, unitree, sto, mot, bvh, gltf, mcap, keyframe\n");
    CHECK(run("solve a --json=yes") == 2);
}

/* The first line is for scripts: two words and the commit. */
static void version(void)
{
    static const char *const libraries[] = {"compiler",    "BLAS        OpenBLAS ",
                                            "SuiteSparse", ", CHOLMOD ",
                                            "HDF5",        "mxml",
                                            "libzip",      "qhull",
                                            "OpenMP",      "MPI",
                                            "pages       "};
    CHECK(run("--version") == 0);
    CHECK(strncmp(out, "saltus 0.1.0 (", 14) == 0);
    CHECK(strcspn(out, ")") + 1 == strcspn(out, "\n"));
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        SAYS(out, libraries[i]);
    }
    if (strstr(out, "\npages       play\n") == NULL) { /* both causes, and what to do */
        SAYS(out, "are still: saltus was built without Node.js, or npm could not fetch");
        SAYS(out, "install npm, make sure that it reaches its registry, and call ./dev build");
    }
    int nline = 0;
    for (const char *c = out; *c != 0; c++) {
        nline += *c == '\n';
    }
    CHECK(nline == 11);
    CHECK(run("solve --version") == 0);
    CHECK(strncmp(out, "saltus 0.1.0 (", 14) == 0);
}

/* ---- bad input: a message, its code, and nothing left behind ---- */

/* Solves the text as p.xml with the model beside it. */
static int solve_text(const char *text)
{
    char line[700];
    files_write("m.xml", files_model, strlen(files_model));
    files_write("p.xml", text, strlen(text));
    snprintf(line, sizeof line, "solve %s -o %s", files_path("p.xml"), files_path("r.saltus"));
    return run(line);
}

static void bad(const char *text, const char *message)
{
    CHECK(solve_text(text) == 3);
    SAYS(errors, message);
    CHECK(out[0] == 0 && !exists("r.saltus"));
}

static void bad_input_leaves_nothing(void)
{
    bad("", "p.xml:1:1: error: the file is empty");
    bad("<problem", "p.xml:1:");
    bad("<problem name=x></problem>", "p.xml:1:");
    bad("<mujoco/>", "error: the root element is <mujoco>; it must be <problem>");
    bad(files_replace(files_problem, "ctrl=", "ctlr="), "did you mean 'ctrl'?");
    bad(files_replace(files_problem, "m.xml", "gone.xml"), "p.xml:2:16: error: cannot read '");
    bad(files_replace(files_problem, "\"10\"", "\"nan\""), "'nan' is not a finite number");
    bad(files_replace(files_problem, "0.5", "1e308"), "duration = 1e308 is outside (0, 10000]");
    bad(files_replace(files_problem, "rootx", "rootq"), "the model has no joint 'rootq'");
    bad(files_replace(files_problem, "left_ right_", "hip shank"), "p.xml:4:34: error: ");
    const int before = count_files();
    char line[600];
    snprintf(line, sizeof line, "solve %s", files_folder());
    CHECK(run(line) == 5);
    SAYS(errors, "it is a directory");
    CHECK(run("solve /nowhere/p.xml") == 5);
    SAYS(errors, "No such file or directory");
    CHECK(run("check /nowhere/p.xml --json") == 5 && is_json(out));
    CHECK(run("info /nowhere") == 5 && run("replay /nowhere") == 5 && run("report /nowhere") == 5);
    CHECK(run("inverse /nowhere/m.xml x.csv") == 5);
    CHECK(go("replay @p.xml") == 3);
    CHECK(count_files() == before);
}

static void bad_models(void)
{
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"type='slide'", "type='screw'"},      {"mujoco", "mujocow"},
        {"<worldbody>", "<worldbody><bodi/>"}, {"size='5 5 .1'", "size='nan 5 .1'"},
        {"size='.05'", "size='1e300'"},        {"joint='left_hip'", "joint='left'"},
    };
    char line[700];
    files_write("p.xml", files_problem, strlen(files_problem));
    snprintf(line, sizeof line, "solve %s -o %s", files_path("p.xml"), files_path("r.saltus"));
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const char *text = files_replace(files_model, changes[i].from, changes[i].to);
        files_write("m.xml", text, strlen(text));
        CHECK(run(line) == 3);
        SAYS(errors, "m.xml:");
        CHECK(!exists("r.saltus"));
    }
}

static void errors_as_json(void)
{
    solve_text(files_replace(files_problem, "ctrl=", "ctlr="));
    CHECK(go("--json solve --set init/sed=3 @p.xml") == 3);
    CHECK(is_json(out) && json_number("exit_code") == 3);
    SAYS(out, "\"status\": \"bad input\"");
    SAYS(errors, "saltus: 2 errors");
    CHECK(go("solve --set guess/seed=3 @p.xml") == 3);
    SAYS(errors, "a path begins with an element of the problem file");
}

/* ---- good input ---- */

static const char *example(const char *name)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/examples/%s.xml", root == NULL ? "." : root, name);
    return path;
}

static void check_and_info(void)
{
    static const char *const names[] = {"walker_walk", "walker_run", "hopper_hop",
                                        "pendulum_swingup", "humanoid_walk"};
    char line[2000];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(line, sizeof line, "check --json %s", example(names[i]));
        CHECK(run(line) == 0 && is_json(out) && errors[0] == 0);
        snprintf(line, sizeof line, "info %s", example(names[i]));
        CHECK(run(line) == 0);
        SAYS(out, names[i]);
    }
    files_write("m.xml", files_model, strlen(files_model));
    CHECK(go("info @m.xml --json") == 0 && is_json(out) && json_number("nq") == 6 &&
          json_number("nu") == 2);
}

/* A motion that follows recordings is a motion: it has a boundary, terms and no parameters. */
static void info_of_a_motion_that_follows_data(void)
{
    static const char seen[] = "t,angle\n0,0\n.1,.01\n.2,.04\n.3,.09\n.4,.16\n.5,.25\n";
    char text[2000];
    const int n =
        snprintf(text, sizeof text,
                 "<problem name='follow'><model file='%s/models/pendulum.xml'/>"
                 "<data file='seen.csv' time='t'>"
                 "<channel name='angle' joint='hinge' columns='angle' sigma='.01'/></data>"
                 "<time nstep='4' duration='.4'/><boundary type='open'/>"
                 "<cost><term name='measured' data='all'/></cost><init data='all'/></problem>",
                 files_root());
    files_write("seen.csv", seen, strlen(seen));
    files_write("p.xml", text, (size_t)n);
    CHECK(go("info @p.xml") == 0);
    SAYS(out, "boundary       open\n");
    SAYS(out, "duration       0.4 s\n");
    SAYS(out, "terms          measured:angle\n");
    SAYS(out, "recordings     1\n");
    SAYS(out, "recorded       0.5 s, all recordings together\n");
    CHECK(strstr(out, "parameters") == NULL && strstr(out, "stages") == NULL);
    CHECK(go("info --json @p.xml") == 0 && is_json(out));
    CHECK(json_number("nstep") == 4 && json_number("recordings") == 1);
    SAYS(out, "\"boundary\": \"open\"");
    SAYS(out, "\"terms\": [\"measured:angle\"]");
    CHECK(strstr(out, "parameters") == NULL);
}

/* Every line fits, every number has its unit. */
static void info_lists_what_a_model_has(void)
{
    char line[2000], walker[1100];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(walker, sizeof walker, "%s/models/walker.xml", root == NULL ? "." : root);
    snprintf(line, sizeof line, "info %s", walker);
    CHECK(run(line) == 0);
    SAYS(out, "mass           70 kg");
    SAYS(out, "parent             mass (kg)  inertia (kg m^2)");
    SAYS(out, "left_knee            hinge 4    4    -2.618 0        left_shank");
    SAYS(out, "left_knee            left_knee            200      -1 1");
    for (char *l = strtok(out, "\n"); l != NULL; l = strtok(NULL, "\n")) {
        CHECK(strlen(l) <= 100);
    }
    snprintf(line, sizeof line, "info --json %s", walker);
    CHECK(run(line) == 0 && is_json(out));
    SAYS(out, "\"name\": \"left_knee\"");
    SAYS(out, "\"ctrlrange\"");
}

/* What will hurt, with its place; the model is good all the same. */
static void check_warns_of_what_hurts(void)
{
    static const char *const model =
        "<mujoco>\n"
        "<worldbody><geom name='floor' type='plane' size='1 1 1'/>\n"
        "<body name='a' pos='0 0 .05'><joint name='z' type='slide' axis='0 0 1'/>\n"
        "<joint name='x' type='slide' axis='1 0 0' range='1 2' frictionloss='1'/>\n"
        "<geom name='ball' size='.1' margin='.01'/></body>\n"
        "<body pos='9 0 9'><joint name='tiny'/><geom size='.001' mass='1e-6'/></body>\n"
        "<body pos='9 9 9'><joint name='large'/><geom size='.5' contype='0' "
        "conaffinity='0'/></body>\n"
        "</worldbody>\n"
        "<actuator><motor joint='x'/></actuator>\n"
        "<keyframe><key name='up' qpos='.06 1.5 0 0'/></keyframe>\n"
        "</mujoco>\n";
    files_write("m.xml", model, strlen(model));
    CHECK(go("check @m.xml") == 0);
    SAYS(errors, "m.xml:5:2: warning: 3 of 3 pairs of geoms have the impedance 0.9");
    SAYS(errors, "m.xml:5:37: warning: 2 of 3 pairs of geoms have contacts before they touch");
    SAYS(errors, "warning: the friction cone is pyramidal");
    SAYS(
        errors,
        "m.xml:4:2: warning: 1 of 1 joint limits, first that of joint 'x', have the impedance 0.9");
    SAYS(errors, "m.xml:4:69: warning: joint 'x' has frictionloss");
    SAYS(errors, "m.xml:6:20: warning: joint 'tiny' moves a very small inertia");
    SAYS(errors, "m.xml:9:12: warning: an actuator has no name");
    SAYS(errors, "m.xml:4:50: warning: initial pose (qpos0): joint 'x' is 1 m outside its range");
    SAYS(errors, "warning: initial pose (qpos0): geom 'ball' penetrates geom 'floor' by 0.05 m");
    SAYS(out, "warnings");
    CHECK(strstr(errors, "keyframe 'up'") == NULL || strstr(errors, "'up': joint") == NULL);
    CHECK(go("check --json @m.xml") == 0 && is_json(out));
    SAYS(out, "\"warnings\": [");
}

static int solve_walker(const char *options)
{
    char line[2000];
    snprintf(line, sizeof line, "solve %s -o %s --json --set init/nstart=1 --threads 1 %s",
             example("walker_walk"), files_path("w.saltus"), options);
    return run(line);
}

static void a_solve_and_what_is_made_of_it(void)
{
    CHECK(solve_walker("") == 0);
    CHECK(is_json(out) && json_number("exit_code") == 0);
    CHECK(json_number("relative_to_weight") <= 1e-10 && json_number("iterations") > 5);
    CHECK(exists("w.saltus/result.h5") && exists("w.saltus/run.json"));
    slurp("w.saltus/run.json", out, sizeof out);
    CHECK(is_json(out));
    slurp("w.saltus/iterations.jsonl", out, sizeof out);
    for (char *l = strtok(out, "\n"); l != NULL; l = strtok(NULL, "\n")) {
        CHECK(is_json(l));
    }
    CHECK(go("replay --json @w.saltus") == 0 && is_json(out));
    CHECK(json_number("qpos") <= 1e-8 && json_number("qvel") <= 1e-8);
    CHECK(go("info --json @w.saltus/result.h5") == 0 && is_json(out));
    CHECK_NEAR(json_number("speed"), 1.2, 1e-9);
    CHECK(go("export @w.saltus --to csv -o @w.csv") == 0 && exists("w.csv"));
    CHECK(go("report @w.saltus") == 0 && exists("w.saltus/page.html"));
    CHECK(go("report @w.saltus @w.saltus") == 0 && exists("w.saltus/comparison.html"));
    CHECK(go("report @w.saltus @w.saltus -o @two.svg") == 2 && !exists("two.svg"));
    CHECK(go("report @w.saltus @w.saltus --plates @w.saltus") == 2);
    CHECK(go("report @w.saltus @w.saltus @w.saltus") == 2);
}

/* (of the result of the solve before) */
static void rollouts_of_a_result(void)
{
    CHECK(go("replay --json --time .75 @w.saltus") == 0 && is_json(out) &&
          json_number("steps") == 30);
    CHECK(json_number("joint_deviation") <= 1e-6);
    CHECK(go("replay @w.saltus --time .75 --tolerance 1e-9") == 0);
    SAYS(out, "departs    at ");
    SAYS(out, "the same bodies touch each other all the time");
    CHECK(go("replay @w.saltus --set option/timestep=.001") == 2);
    SAYS(errors, "--set and --compat change the model of --model; add --model or remove them");
    CHECK(go("replay @w.saltus --time 3 --push 10@1") == 0);
    SAYS(out, "touches the ground, which it does nowhere in the motion");
    CHECK(go("replay @w.saltus --time 3 --push 10@1 --feedback --json") == 0 && is_json(out) &&
          json_number("steps") == 120);
    SAYS(out, "\"fall_time\": null");
    CHECK(go("replay @w.saltus --noise .001") == 2);
    SAYS(errors, "--noise is that of the feedback; add --feedback or remove --noise");
    CHECK(go("replay @w.saltus --feedback --forces") == 2);
    SAYS(errors, "--feedback acts by the controls; remove --forces or --feedback");
    CHECK(go("replay @w.saltus --push 10") == 2);
    SAYS(errors, "--push must be N@T or NX,NY@T");
    CHECK(go("replay @w.saltus --tolerance 0") == 2);
    CHECK(go("replay @w.saltus --model @nowhere.xml") == 5);
}

static void gains_of_a_result(void)
{
    CHECK(go("export @w.saltus --to gains -o @g.h5") == 0 && exists("g.h5"));
    CHECK(go("diff @w.saltus @g.h5") == 0);
    CHECK(go("export @g.h5 --to gains") == 0);
    SAYS(out, ",gain5_17");
    CHECK(strncmp(out, "time,qpos0,", 11) == 0);
}

/* Exit code 1, and the result is kept; what is satisfied changes nothing. */
static void a_motion_that_is_not_as_asked(void)
{
    CHECK(solve_walker("--set require/penetration=1e-6") == 1);
    CHECK(is_json(out) && json_number("exit_code") == 1);
    SAYS(out, "\"status\": \"converged\"");
    SAYS(out, "\"physical\": true");
    SAYS(out, "\"as_asked\": false");
    SAYS(out, "\"name\": \"require/penetration\"");
    SAYS(out, "\"met\": false");
    SAYS(errors, "  verdict: physical, but not as asked: 1 of 1 requirements is not satisfied\n");
    SAYS(errors, "  too deep: body '");
    SAYS(errors, " s (required: at most 1e-06 m): use a smaller final `width`");
    CHECK(exists("w.saltus/result.h5"));
    slurp("w.saltus/run.json", out, sizeof out);
    CHECK(is_json(out) && json_number("exit_code") == 1);
    SAYS(out, "\"as_asked\": false");
    CHECK(go("info @w.saltus") == 0);
    SAYS(out, "verdict        physical, but not as asked: 1 of 1 requirements");
    CHECK(go("report @w.saltus") == 0);
    SAYS(errors, "WARNING: this motion is physical, but not as asked");
    CHECK(solve_walker("--resume") == 3); /* of other requirements */
    CHECK(solve_walker("--set require/penetration=1e-6 --resume") == 1);
    SAYS(errors, "is finished");
    CHECK(solve_walker("--set require/penetration=.5 --set require/slip=1") == 0);
    CHECK(is_json(out) && json_number("exit_code") == 0);
    SAYS(out, "\"verdict\": \"physical, and as asked\"");
}

/* Said of motions that were to be finished, of no others. */
static void a_motion_that_is_finished(void)
{
    CHECK(solve_walker("") == 0 && strstr(out, "\"finished\"") == NULL);
    CHECK(solve_walker("--set solver/finish=try") == 0 && is_json(out));
    SAYS(out, "\"finished\": true");
    SAYS(errors, "  verdict: physical, and as asked; finished in the model as it is\n");
    slurp("w.saltus/run.json", out, sizeof out);
    SAYS(out, "\"finished\": true");
    CHECK(go("info @w.saltus --json") == 0 && is_json(out));
    SAYS(out, "\"finished\": true");
    CHECK(solve_walker("--set solver/finish=try --set require/ownpenetration=1e-6") == 0);
    SAYS(out, "\"finished\": false");
    SAYS(out, "\"kind\": \"not finished\"");
    SAYS(errors, "  not finished: a motion was found in the model as it is, but it is not as asked "
                 "there (require/penetration 0.0");
}

static void limits_stop_a_solve(void)
{
    CHECK(solve_walker("--set solver/maxiter=3 -q") == 1);
    CHECK(is_json(out) && json_number("exit_code") == 1 && errors[0] == 0);
    SAYS(out, "\"status\": \"iteration limit\"");
    CHECK(exists("w.saltus/result.h5"));
}

/* Errors only: what failed is one, and why. */
static void in_silence_it_still_says_why(void)
{
    static const char arm[] =
        "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' pos='1 0 0' "
        "mass='1'/></body></worldbody><actuator><motor name='m' joint='j' ctrlrange='-1 1' "
        "ctrllimited='true'/></actuator></mujoco>";
    static const char far[] =
        "<problem><model file='arm.xml'/><time nstep='10' duration='.01'/><boundary type='open'>"
        "<start qpos='0' qvel='0'/><end qpos='3' qvel='0'/></boundary><cost><term name='effort' "
        "ctrl='all'/></cost><init more='0'/></problem>";
    files_write("arm.xml", arm, strlen(arm));
    files_write("far.xml", far, strlen(far));
    CHECK(go("solve @far.xml -q -o @far") == 4 && out[0] == 0);
    SAYS(errors, "saltus: infeasible: exit code 4\n  verdict: not physical");
    SAYS(errors, "  violated: ctrlrange of m is violated by ");
}

static void bad_input_keeps_an_older_result(void)
{
    struct stat before, after;
    CHECK(stat(files_path("w.saltus/result.h5"), &before) == 0);
    CHECK(solve_walker("--set time/nstep=1") == 3);
    CHECK(stat(files_path("w.saltus/result.h5"), &after) == 0);
    CHECK(before.st_ino == after.st_ino && before.st_size == after.st_size);
}

/* Equal runs give equal bytes. */
static void a_result_is_the_same_for_one_and_two_threads(void)
{
    static char first[2000000], second[2000000];
    CHECK(solve_walker("--set init/nstart=2 --set init/seed=5") == 0);
    slurp("w.saltus/result.h5", first, sizeof first);
    CHECK(solve_walker("--set init/nstart=2 --set init/seed=5 --threads 2") == 0);
    slurp("w.saltus/result.h5", second, sizeof second);
    CHECK(memcmp(first, second, sizeof first) == 0);
}

static void wait_for_progress(void)
{
    for (int i = 0; i < 400; i++) {
        struct stat info;
        if (stat(files_path("slow.saltus/iterations.jsonl"), &info) == 0 && info.st_size > 0) {
            return;
        }
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
}

static void an_interrupted_solve_seals_its_best_motion(void)
{
    char line[2000];
    snprintf(line, sizeof line,
             "solve %s -o %s --json --threads 1 --set solver/increments=100000 "
             "--set solver/maxiter=1000000",
             example("humanoid_walk"), files_path("slow.saltus"));
    const pid_t pid = start(line);
    wait_for_progress();
    CHECK(kill(pid, SIGINT) == 0);
    CHECK(finish(pid) == 130);
    CHECK(is_json(out) && json_number("exit_code") == 130);
    SAYS(out, "\"status\": \"interrupted\"");
    CHECK(exists("slow.saltus/result.h5"));
    CHECK(go("export @slow.saltus --to csv") == 0 && strncmp(out, "time,", 5) == 0);
    SAYS(errors, "WARNING: this motion is not a solution; its status is 'interrupted'");
}

/* Ctrl-C ends the whole search, though its first start has converged: 10000 starts would take half
 * an hour. */
static void an_interrupt_ends_all_starts(void)
{
    static char seen[2000000];
    char line[2000];
    snprintf(line, sizeof line, "solve %s -o %s --json --threads 1 --set init/nstart=10000",
             example("pendulum_swingup"), files_path("many.saltus"));
    const pid_t pid = start(line);
    for (int i = 0; i < 1500; i++) {
        nanosleep(&(struct timespec){0, 20000000}, NULL);
        if (exists("many.saltus/iterations.jsonl")) {
            slurp("many.saltus/iterations.jsonl", seen, sizeof seen);
            if (strstr(seen, "\"start\":1,") != NULL) {
                break;
            }
        }
    }
    CHECK(kill(pid, SIGINT) == 0);
    CHECK(finish(pid) == 130);
    CHECK(is_json(out) && json_number("exit_code") == 130);
    SAYS(out, "\"status\": \"interrupted\"");
    CHECK(json_number("relative_to_weight") < 1e-10); /* what the first start found is kept */
    slurp("many.saltus/iterations.jsonl", seen, sizeof seen);
    CHECK(strstr(seen, "\"start\":9,") == NULL); /* and hardly another one began */
}

/* ---- progress ---- */

/* What a solve with these options writes to a terminal, in `errors`; false if there is no terminal
 * to be had. */
static bool watch_on_terminal(const char *options)
{
    char line[2000];
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        return false;
    }
    const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    snprintf(line, sizeof line, "solve %s -o %s %s", example("pendulum_swingup"),
             files_path("t.saltus"), options);
    const pid_t pid = start_on(line, slave);
    close(slave);
    size_t n = 0;
    for (ssize_t got;
         n + 1 < sizeof errors && (got = read(master, errors + n, sizeof errors - 1 - n)) > 0;) {
        n += (size_t)got;
    }
    errors[n] = 0;
    close(master);
    int status = 0;
    waitpid(pid, &status, 0);
    return slave >= 0;
}

/* The longest line in columns; sequences that start with escape take none. */
static int widest(const char *text)
{
    int most = 0, column = 0;
    for (const char *c = text; *c != 0; c++) {
        if (*c == '\033') {
            c += strcspn(c, "mK");
        } else {
            column = *c == '\n' || *c == '\r' ? 0 : column + 1;
        }
        most = column > most ? column : most;
    }
    return most;
}

static void progress_on_a_terminal(void)
{
    setenv("TERM", "xterm", 1);
    if (!watch_on_terminal("")) {
        SKIP("no pseudo-terminal");
    }
    SAYS(errors, "  verdict: \033[1;32mphysical\033[0m, and as asked");
    SAYS(errors, "Ctrl-C stops and keeps the best motion so far");
    SAYS(errors, "\033[K");
    SAYS(errors, "\033[1m");
    SAYS(errors, "iteration 1 ");
    SAYS(errors, "\033[1A"); /* the line of the start is redrawn */
    CHECK(widest(errors) > 60 && widest(errors) <= 100);
    setenv("NO_COLOR", "1", 1);
    CHECK(watch_on_terminal(""));
    CHECK(strstr(errors, "\033[1m") == NULL && strstr(errors, "\033[1;") == NULL);
    CHECK(watch_on_terminal("--color=always"));
    CHECK(strstr(errors, "\033[1;32mphysical") != NULL);
    unsetenv("NO_COLOR");
    CHECK(watch_on_terminal("--color=never"));
    CHECK(strstr(errors, "\033[1m") == NULL && strstr(errors, "\033[1;") == NULL);
    SAYS(errors, "  verdict: physical, and as asked");
    setenv("TERM", "dumb", 1);
    CHECK(watch_on_terminal(""));
    CHECK(strchr(errors, '\033') == NULL);
}

/* ---- colours ---- */

static void colours_are_for_people(void)
{
    static const char *const none[] = {"", "--color=never", "--color auto"};
    static const char wrong[] =
        "<problem name='error: x'>\n<tiem/><model file='no.xml'/></problem>";
    files_write("wrong.xml", wrong, strlen(wrong));
    char line[2000];
    CHECK(go("check @wrong.xml --json --color=always") == 3);
    SAYS(errors, "wrong.xml:2:2: \033[1;31merror:\033[0m unknown element <tiem>");
    SAYS(errors, "      \033[1;36m= help:\033[0m did you mean");
    CHECK(strstr(errors, "'\033") == NULL && is_json(out) && strchr(out, '\033') == NULL);
    CHECK(go("solve @nowhere --color=always") == 5);
    SAYS(errors, "saltus: \033[1;31merror:\033[0m cannot read");
    snprintf(line, sizeof line, "solve %s -o %s -q --set solver/maxiter=2 --color=always",
             example("pendulum_swingup"), files_path("t.saltus"));
    CHECK(run(line) != 0);
    SAYS(errors, "  verdict: \033[1;31mnot physical\033[0m: ");
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "check @wrong.xml %s", none[i]);
        CHECK(go(line) == 3);
        SAYS(errors, ": error: unknown element <tiem>");
        CHECK(strchr(errors, '\033') == NULL);
    }
    CHECK(go("help --color=sometimes") == 2);
    SAYS(errors, "--color must be auto, always or never; it is 'sometimes'");
}

static void progress_elsewhere(void)
{
    char line[2000];
    snprintf(line, sizeof line, "solve %s -o %s", example("pendulum_swingup"),
             files_path("t.saltus"));
    CHECK(run(line) == 0);
    CHECK(out[0] == 0 && strchr(errors, '\033') == NULL && strchr(errors, '\r') == NULL);
    CHECK(widest(errors) <= 100);
    /* a line for each phase */
    const char *first = strstr(errors, "start 0   path ");
    CHECK(first != NULL && strstr(first + 1, "start 0   path ") == NULL);
    SAYS(errors, "start 0   project ");
    snprintf(line, sizeof line, "-v solve %s -o %s", example("pendulum_swingup"),
             files_path("t.saltus"));
    CHECK(run(line) == 0);
    SAYS(errors, "start  iter phase ");
    CHECK(widest(errors) <= 100);
    snprintf(line, sizeof line, "-q solve %s -o %s", example("pendulum_swingup"),
             files_path("t.saltus"));
    CHECK(run(line) == 0);
    CHECK(out[0] == 0 && errors[0] == 0);
}

static void paths_that_cannot_be_written(void)
{
    char line[2000];
    snprintf(line, sizeof line, "solve %s -o /nowhere/x", example("pendulum_swingup"));
    CHECK(run(line) == 5);
    SAYS(errors, "cannot make the folder '/nowhere/x'");
    files_write("plain", "x", 1);
    snprintf(line, sizeof line, "solve %s -o %s", example("pendulum_swingup"), files_path("plain"));
    CHECK(run(line) == 5);
}

int main(void)
{
    RUN(usage);
    RUN(version);
    RUN(bad_input_leaves_nothing);
    RUN(bad_models);
    RUN(errors_as_json);
    RUN(check_and_info);
    RUN(info_of_a_motion_that_follows_data);
    RUN(info_lists_what_a_model_has);
    RUN(check_warns_of_what_hurts);
    RUN(a_solve_and_what_is_made_of_it);
    RUN(rollouts_of_a_result);
    RUN(gains_of_a_result);
    RUN(a_motion_that_is_not_as_asked);
    RUN(a_motion_that_is_finished);
    RUN(limits_stop_a_solve);
    RUN(in_silence_it_still_says_why);
    RUN(bad_input_keeps_an_older_result);
    RUN(a_result_is_the_same_for_one_and_two_threads);
    RUN(an_interrupted_solve_seals_its_best_motion);
    RUN(an_interrupt_ends_all_starts);
    RUN(progress_on_a_terminal);
    RUN(colours_are_for_people);
    RUN(progress_elsewhere);
    RUN(paths_that_cannot_be_written);
    files_remove();
    return check_done();
}
