/* saltus export as a user runs it: the files of a walker and of a humanoid, held against each other
 * and against what rigid bodies do (tests/exports/agree.py), and what is refused. */
#include "tests/cli/command.h"

#include "base/base.h"

/* A result of an example, as NAME.saltus */
static void solve(const char *name)
{
    char line[1200];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(line, sizeof line, "solve %s/examples/%s.xml -q -o @%s.saltus",
             root == NULL ? "." : root, name, name);
    CHECK(go(line) == 0);
}

static int export(const char *name, const char *how, const char *file)
{
    char line[600];
    snprintf(line, sizeof line, "export @%s.saltus %s -o @%s%s", name, how, name, file);
    return go(line);
}

/* What agree.py says of the files, in `out` */
static int agree(const char *name, const char *more)
{
    char line[2600];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(line, sizeof line, "python3 %s/tests/exports/agree.py %s %s %s 2>&1",
             root == NULL ? "." : root, files_folder(), name, more);
    FILE *in = popen(line, "r");
    const size_t n = in == NULL ? 0 : fread(out, 1, sizeof out - 1, in);
    out[n] = 0;
    const int code = in == NULL ? -1 : pclose(in);
    printf("%s:\n%s", name, out);
    return code;
}

/* All formats, with the rate of the rows, h = 1/40 s */
static void write_all(const char *name)
{
    CHECK(export(name, "--to npz --cycles 1 --gains", ".npz") == 0);
    CHECK(export(name, "--to gains", "_gains.csv") == 0);
    CHECK(export(name, "--to mjlab --rate 40 --gains", "_mjlab.npz") == 0);
    CHECK(export(name, "--to beyondmimic --rate 40", "_isaac.npz") == 0);
    CHECK(export(name, "--to sto --rate 40 -q", "_states.sto") == 0);
    CHECK(errors[0] == 0);
    CHECK(export(name, "--to mot --rate 40", "_mot.mot") == 0);
    SAYS(errors, "_mot_moments.sto and ");
    SAYS(errors, "_mot_forces.mot");
    CHECK(export(name, "--to bvh --rate 40", ".bvh") == 0);
}

/* The number behind the words in `out` */
static double number_behind(const char *words)
{
    const char *at = strstr(out, words);
    return at == NULL ? (double)NAN : strtod(at + strlen(words), NULL);
}

/* Over a whole cycle the ground carries the weight: 70 kg. The motion is one of steps of 25 ms, by
 * a method of first order: to a thousandth. */
static void files_of_a_walker(void)
{
    solve("walker_walk");
    write_all("walker_walk");
    CHECK(agree("walker_walk", "") == 0);
    CHECK(strstr(out, "frames 41\n") != NULL);
    CHECK_NEAR(number_behind("mean vertical force "), 70 * 9.81, 0.7);
    CHECK(strstr(out, "level by level: torso left_thigh right_thigh left_shank right_shank "
                      "left_foot right_foot\n") != NULL);
    CHECK(export("walker_walk", "--to unitree", "_unitree.csv") == 0);
}

static void files_of_a_humanoid(void)
{
    solve("humanoid_walk");
    write_all("humanoid_walk");
    CHECK(export("humanoid_walk", "--to unitree --rate 40", "_unitree.csv") == 0);
    CHECK(agree("humanoid_walk", "--root root") == 0);
    CHECK_NEAR(number_behind("mean vertical force "), 70 * 9.81, 0.7);
    CHECK(strstr(out, "level by level: pelvis torso left_thigh right_thigh left_upper_arm "
                      "right_upper_arm left_shank right_shank left_lower_arm right_lower_arm "
                      "left_foot right_foot\n") != NULL);
}

/* Our own readers read them. */
static void imports_of_exports(void)
{
    CHECK(go("import @humanoid_walk_states.sto") == 0);
    SAYS(out, "rows      41\n");
    CHECK(go("import @humanoid_walk.bvh") == 0);
    SAYS(out, "rows      41\n");
    CHECK(go("import @humanoid_walk_mjlab.npz") == 0);
    SAYS(out, "rows      41\n");
    SAYS(out, "rate      40 Hz");
}

/* Defaults, and several cycles */
static void rates_and_cycles(void)
{
    CHECK(export("walker_walk", "--to bvh", ".bvh") == 0); /* 1 s at 30 Hz */
    CHECK(go("import @walker_walk.bvh") == 0);
    SAYS(out, "rows      31\n");
    CHECK(export("walker_walk", "--to sto --cycles 3", ".sto") == 0); /* 100 Hz */
    CHECK(go("import @walker_walk.sto") == 0);
    SAYS(out, "rows      301\n");
    CHECK(go("export @walker_walk.saltus --to csv") == 0);
    CHECK(strstr(out, "\n0.5,") != NULL && strstr(out, "\n0.75") == NULL); /* half a cycle */
    CHECK(go("export @walker_walk.saltus --to csv --cycles 2") == 0);
    CHECK(strstr(out, "\n2,") != NULL);
}

/* Models are models to us, too; a scene begins as one. */
static void models_and_scenes(void)
{
    CHECK(export("walker_walk", "--to mjcf", "_model.xml") == 0);
    CHECK(go("check @walker_walk_model.xml") == 0);
    CHECK(export("walker_walk", "--to keyframe", "_keys.xml") == 0);
    CHECK(go("simulate @walker_walk_keys.xml --key motion_20 --time 0.1") == 0);
    CHECK(go("simulate @walker_walk_keys.xml --key motion_21 --time 0.1") != 0);
    CHECK(export("walker_walk", "--to keyframe --cycles 1", "_keys.xml") == 0);
    CHECK(go("simulate @walker_walk_keys.xml --key motion_40 --time 0.1") == 0);
    CHECK(export("walker_walk", "--to gltf", ".glb") == 0);
    slurp("walker_walk.glb", out, sizeof out);
    CHECK(memcmp(out, "glTF\x02\0\0", 8) == 0);
}

static void what_is_refused(void)
{
    static const struct {
        const char *how, *says;
    } cases[] = {
        {"", "--to is missing; supported formats: csv, gains, mjcf, npz, mjlab, beyondmimic, "},
        {"--to bhv", "unknown format 'bhv'; did you mean 'bvh'?; supported formats: csv, gains, "},
        {"--to xyzzy", "unknown format 'xyzzy'; supported formats: "},
        {"--to sto", "--to sto writes several files; name the first one with -o OUT.sto"},
        {"--to mjlab", "--to mjlab writes a binary file; name it with -o OUT.npz, or write -o -"},
        {"--to gltf", "--to gltf writes a binary file; name it with -o OUT.glb, or write -o -"},
        {"--to keyframe --rate 3", "--to keyframe has the rows of the result"},
        {"--to csv --rate 3", "--to csv takes no --rate; leave it out"},
        {"--to csv --gains", "--to csv takes no --gains; leave it out"},
        {"--to mjcf --cycles 2", "--to mjcf takes no --cycles; leave it out"},
        {"--to npz --rate 3 -o x", "so that it has no rate; leave out --rate, or export to mjlab"},
        {"--to bvh --gains -o x", "--to bvh cannot hold gains; npz, mjlab, beyondmimic and gains "},
        {"--to bvh --rate 0 -o x", "--rate must be a number of frames per second greater than 0"},
        {"--to bvh --cycles 0 -o x", "--cycles must be a whole number from 1 to 4096"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[300];
        snprintf(line, sizeof line, "export @walker_walk.saltus %s", cases[i].how);
        CHECK(go(line) == 2);
        SAYS(errors, cases[i].says);
    }
    CHECK(export("walker_walk", "--to bvh --rate 1e9", "_much.bvh") == 3 && !exists("_much.bvh"));
    SAYS(errors, "a rate of 1e+09 Hz makes 1e+09 frames of 1 s, which is too many");
}

/* No file of another kind, and none of a set before all of it may be written. */
static void what_is_there_already(void)
{
    files_write("set_forces.mot", "<mujoco/>", 9);
    CHECK(go("export @walker_walk.saltus --to sto -o @set.sto") == 2 && !exists("set.sto"));
    SAYS(errors, "would be overwritten: it is a model, and 'export' writes a text");
    CHECK(go("export @walker_walk.saltus --to mjlab -o @walker_walk.bvh") == 2);
    SAYS(errors, "would be overwritten: it is a text, and 'export' writes a binary file");
    CHECK(go("export @walker_walk.saltus --to mjlab -o @walker_walk_mjlab.npz") == 0);
}

/* It is exported, with a warning. */
static void a_motion_that_is_none(void)
{
    char line[1200];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(line, sizeof line,
             "solve %s/examples/walker_walk.xml --set solver/maxiter=2 -q -o @no",
             root == NULL ? "." : root);
    CHECK(go(line) == 1);
    CHECK(go("export @no --to mjlab -o @no.npz") == 0 && exists("no.npz"));
    SAYS(errors, "WARNING: this motion is not a solution");
}

int main(void)
{
    RUN(files_of_a_walker);
    RUN(files_of_a_humanoid);
    RUN(imports_of_exports);
    RUN(rates_and_cycles);
    RUN(models_and_scenes);
    RUN(what_is_refused);
    RUN(what_is_there_already);
    RUN(a_motion_that_is_none);
    return check_done();
}
