/* Files that are read: how large they may be, bytes that no text has, and what comes through a
 * pipe. */
#include "tests/cli/command.h"
#include "tests/cli/sweep.h"

static void put(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static void put_inputs(void)
{
    sweep_files();
    put("states.csv", "time,qpos0\n0,0\n.01,.1\n.02,.3\n.03,.4\n");
}

/* A file of so many bytes that takes no room on the disk */
static void make_hollow(const char *name, off_t size)
{
    const int fd = open(files_path(name), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    CHECK(fd >= 0 && ftruncate(fd, size) == 0 && close(fd) == 0);
}

/* ---- sizes ---- */

static void files_that_are_too_large_are_refused(void)
{
    static const struct {
        const char *line, *name;
        double gigabytes;
        const char *found, *enough;
    } cases[] = {
        {"info @big.xml", "big.xml", 1, "it has 1 GB, but at most 64 MB are allowed", "2G"},
        {"check @big.xml", "big.xml", 1, "it has 1 GB, but at most 64 MB are allowed", "2G"},
        {"solve @big.xml", "big.xml", 1, "it has 1 GB, but at most 64 MB are allowed", "2G"},
        {"sweep @big.xml", "big.xml", 1, "it has 1 GB, but at most 64 MB are allowed", "2G"},
        {"import @big.csv", "big.csv", 3, "it has 3 GB, but at most 1 GB are allowed", "4G"},
        {"import @big.sto", "big.sto", 3, "it has 3 GB, but at most 1 GB are allowed", "4G"},
        {"import @big.trc", "big.trc", 3, "it has 3 GB, but at most 1 GB are allowed", "4G"},
        {"import @big.bvh", "big.bvh", 3, "it has 3 GB, but at most 1 GB are allowed", "4G"},
        {"import @big.npz", "big.npz", 3, "it has 3 GB, but at most 1 GB are allowed", "4G"},
        {"import @big.c3d", "big.c3d", 3, "it has 3 GB, but at most 1 GB are allowed", "4G"},
        {"inverse @pend.xml @big.csv", "big.csv", 3, "it has 3 GB, but at most 1 GB", "4G"},
        {"simulate @pend.xml --controls @big.csv", "big.csv", 3, "it has 3 GB, but at", "4G"},
        {"replay @big.h5", "big.h5", 3, "it has 3 GB, but at most 2 GB are allowed", "4G"},
        {"info @mesh.xml", "big.stl", 1, "it has 1 GB, but at most 256 MB are allowed", "2G"},
        {"info @include.xml", "big.xml", 1, "it has 1 GB, but at most 64 MB", "2G"},
        {"info @data.xml", "big.csv", 3, "it has 3 GB, but at most 1 GB are allowed", "4G"},
        {"info @guess.xml", "big.h5", 3, "it has 3 GB, but at most 2 GB are allowed", "4G"},
    };
    put_inputs();
    put("mesh.xml", "<mujoco><asset><mesh name='m' file='big.stl'/></asset><worldbody>"
                    "<geom type='mesh' mesh='m'/></worldbody></mujoco>");
    put("include.xml", "<mujoco><include file='big.xml'/></mujoco>");
    put("data.xml", "<problem><model file='pend.xml'/><time nstep='3' duration='.03'/>"
                    "<data file='big.csv'><channel joint='hinge' columns='a' sigma='1'/></data>"
                    "<cost><term data='all'/></cost></problem>");
    put("guess.xml", "<problem><model file='pend.xml'/><time nstep='3' duration='.03'/>"
                     "<cost><term ctrl='all'/></cost><init result='big.h5'/></problem>");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char enough[40];
        printf("     %s\n", cases[i].line);
        make_hollow(cases[i].name, (off_t)(cases[i].gigabytes * 0x1p30));
        CHECK(go(cases[i].line) == 3);
        SAYS(errors, cases[i].name);
        SAYS(errors, cases[i].found);
        snprintf(enough, sizeof enough, "--max-size %s", cases[i].enough);
        SAYS(errors, enough);
    }
}

/* What it unpacks to counts, not its own size. */
static void an_archive_that_unpacks_to_too_much_is_refused(void)
{
    static const unsigned char bomb[] = {
#include "tests/cli/bomb.inc"
    };
    files_write("bomb.npz", (const char *)bomb, sizeof bomb);
    CHECK(sizeof bomb < 2000);
    CHECK(go("import @bomb.npz --max-size 2000") == 3);
    SAYS(errors, "bomb.npz': it unpacks to 390.8 kB, but at most 1.953 kB are allowed");
    SAYS(errors, "--max-size 512000");
    CHECK(go("import @bomb.npz --max-size 512000") == 0);
}

static void an_endless_file_is_refused(void)
{
    CHECK(go("info /dev/zero") == 3);
    SAYS(errors, "'/dev/zero': it has more than 64 MB");
    CHECK(go("import /dev/zero --format csv --max-size 10M") == 3);
    SAYS(errors, "'/dev/zero': it has more than 10 MB");
}

static void the_limit_can_be_set(void)
{
    put_inputs();
    CHECK(go("info @pend.xml --max-size 100") == 3);
    SAYS(errors, "but at most 100 bytes are allowed");
    CHECK(go("solve @reach.xml -o @reach -q --max-size 1k") == 0);
    CHECK(go("info @reach --max-size 1k") == 3);
    CHECK(go("info @reach --max-size 0.5G") == 0);
    static const char *const wrong[] = {"0", "-1", "2X", "2GB", "G", "1e30", "nan", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "info @pend.xml --max-size %s", wrong[i]);
        CHECK(go(line) == 2);
        SAYS(errors, "--max-size must be a number of bytes");
    }
}

/* Fills a file up with spaces behind its text. */
static void put_long(const char *name, const char *text, size_t length)
{
    char bytes[4000];
    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, text, strlen(text));
    CHECK(strlen(text) <= length && length <= sizeof bytes);
    files_write(name, bytes, length);
}

/* A model has it together with all that it includes, each of its meshes alone. */
static void the_limit_holds_for_every_file(void)
{
    put("parts.xml", "<mujoco><include file='part.xml'/><include file='other.xml'/></mujoco>");
    put("shape.xml", "<mujoco><asset><mesh name='m' file='shape.obj'/></asset><worldbody>"
                     "<body><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
    /* 70, 1500 and 1900 bytes */
    put_long("part.xml",
             "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
             1500);
    put_long("other.xml", "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>", 1900);
    put_long("shape.obj",
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", 1700);
    static const struct {
        const char *model, *most, *says; /* NULL: is read */
    } cases[] = {
        {"parts.xml", "1k",
         "part.xml': with what was read before it, it has 1.533 kB, but at most 1 kB are allowed"},
        {"parts.xml", "2000",
         "other.xml': with what was read before it, it has 3.389 kB, but at most 1.953 kB are "
         "allowed"},
        {"parts.xml", "3470", NULL},
        {"shape.xml", "1k", "shape.obj': it has 1.66 kB, but at most 1 kB are allowed"},
        {"shape.xml", "1700", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "info @%s --max-size %s", cases[i].model, cases[i].most);
        printf("     %s\n", line);
        CHECK(go(line) == (cases[i].says == NULL ? 0 : 3));
        if (cases[i].says != NULL) {
            SAYS(errors, cases[i].says);
            SAYS(errors, "allow it with --max-size");
        }
    }
}

/* ---- bytes that no text has ---- */

static void a_nul_byte_is_named(void)
{
    static const char table[] = "time,qpos0\n0,0\n.01,\0.1\n";
    static const char xml[] = "<mujoco>\n <a\0/></mujoco>";
    static const char *const formats[] = {"csv", "sto", "trc", "bvh"};
    char line[200];
    put_inputs();
    files_write("nul.csv", table, sizeof table - 1);
    files_write("nul.xml", xml, sizeof xml - 1);
    for (int i = 0; i < 4; i++) {
        snprintf(line, sizeof line, "import @nul.csv --format %s", formats[i]);
        CHECK(go(line) == 3);
        SAYS(errors, "nul.csv:3:5: error: the file contains a NUL byte");
        SAYS(errors, "is it a binary file?");
    }
    CHECK(go("inverse @pend.xml @nul.csv") == 3);
    SAYS(errors, "nul.csv:3:5: error: the file contains a NUL byte");
    CHECK(go("simulate @pend.xml --controls @nul.csv") == 3);
    SAYS(errors, "nul.csv:3:5: error: the file contains a NUL byte");
    CHECK(go("info @nul.xml") == 3);
    SAYS(errors, "nul.xml:2:4: error: the file contains a NUL byte");
    files_write("nul.obj", "v 0 0 0\nv 1\0", 12);
    put("mesh.xml", "<mujoco><asset><mesh name='m' file='nul.obj'/></asset><worldbody>"
                    "<geom type='mesh' mesh='m'/></worldbody></mujoco>");
    CHECK(go("info @mesh.xml") == 3);
    SAYS(errors, "'nul.obj': an OBJ file must be text, and line 2 of this file contains a NUL");
}

/* ---- pipes ---- */

/* The command in a shell, in the test's folder. */
static int shell(const char *words)
{
    char line[4000];
    char *argv[] = {(char *)(size_t)(const void *)"sh", (char *)(size_t)(const void *)"-c", line,
                    NULL};
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    snprintf(line, sizeof line, "cd %s && saltus() { %s \"$@\"; } && %s", files_folder(), program(),
             words);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, files_path("out"), O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    posix_spawn_file_actions_addopen(&actions, 2, files_path("err"), O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    if (posix_spawnp(&pid, "sh", &actions, NULL, argv, environ) != 0) {
        pid = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return finish(pid);
}

/* Each line is the same with a path and through a pipe. */
static void every_verb_reads_pipes(void)
{
    static const struct {
        const char *file, *piped;
    } same[] = {
        {"saltus check pend.xml", "saltus check - <pend.xml"},
        {"saltus check reach.xml", "cat reach.xml | saltus check -"},
        {"saltus info reach.xml", "cat reach.xml | saltus info -"},
        {"saltus info reach.xml", "mkfifo p; cat reach.xml >p & sleep .2; saltus info p; rm p"},
        {"saltus info r.h5", "cat r.h5 | saltus info -"},
        {"saltus replay r.h5", "cat r.h5 | saltus replay -"},
        {"saltus export r.h5 --to csv", "saltus export - --to csv <r.h5"},
        {"saltus diff pend.xml pend.xml", "cat pend.xml | saltus diff - pend.xml"},
        {"saltus inverse pend.xml states.csv", "cat pend.xml | saltus inverse - states.csv"},
        {"saltus inverse pend.xml states.csv", "cat states.csv | saltus inverse pend.xml -"},
        {"saltus simulate pend.xml --time .1", "cat pend.xml | saltus simulate - --time .1"},
        {"saltus simulate pend.xml --time .1 --controls c.csv",
         "cat c.csv | saltus simulate pend.xml --time .1 --controls -"},
        {"saltus report r.h5 -o a.html; cat a.html", "saltus report - -o - <r.h5"},
        {"saltus schema", "saltus schema -o -"},
        {"saltus inverse pend.xml states.csv", "saltus inverse pend.xml states.csv -o -"},
        {"saltus simulate pend.xml --time .1", "saltus simulate pend.xml --time .1 -o -"},
        {"saltus table swept --columns damping,cost",
         "saltus table swept --columns damping,cost -o -"},
    };
    put_inputs();
    put("c.csv", "time,ctrl0\n0,0\n.1,1\n");
    put("small.xml", sweep_small);
    CHECK(shell("saltus solve reach.xml -q -o reach && cp reach/result.h5 r.h5") == 0);
    CHECK(shell("saltus sweep small.xml -q -o swept") == 0);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        static char expected[sizeof out];
        printf("     %s\n", same[i].piped);
        CHECK(shell(same[i].file) == 0);
        memcpy(expected, out, sizeof out);
        CHECK(shell(same[i].piped) == 0);
        /* the path of a model is shown */
        CHECK(strcmp(out, expected) == 0 || strstr(same[i].piped, "info") != NULL);
        CHECK(out[0] != 0);
    }
    CHECK(shell("ls ./-* 2>/dev/null") != 0);
}

static void pipes_are_solved(void)
{
    put_inputs();
    put("small.xml", sweep_small);
    CHECK(shell("cat reach.xml | saltus solve - -q -o piped") == 0);
    CHECK(shell("saltus solve reach.xml -q -o plain && cmp piped/result.h5 plain/result.h5") == 0);
    CHECK(shell("cat small.xml | saltus sweep - -q -j 2 -o one") == 0);
    CHECK(shell("saltus sweep small.xml -q -j 2 -o two && diff -r one/cells two/cells") == 0 ||
          strstr(out, "seconds") != NULL);
    CHECK(shell("saltus import - --format csv <states.csv") == 0);
}

static void what_a_pipe_cannot_do_is_said(void)
{
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"saltus solve - <reach.xml", "name the folder of the results with -o DIR"},
        {"saltus sweep - <small.xml", "name the folder of the results with -o DIR"},
        {"saltus solve reach.xml -o -", "-o must name a folder here; it is '-'"},
        {"saltus sweep small.xml -o -", "-o must name a folder here; it is '-'"},
        {"saltus new - <pend.xml", "the new problem must name the model's file"},
        {"saltus simulate pend.xml --json -o -", "both write to standard output"},
    };
    put_inputs();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(shell(cases[i].line) == 2);
        SAYS(errors, cases[i].says);
    }
    CHECK(shell("saltus info - </dev/null") == 3);
    CHECK(shell("saltus import - <states.csv") == 3);
    SAYS(errors, "the ending of '-' is not");
}

/* What --set says is relative to where the command runs; what the file says, to the file. */
static void paths_of_settings_are_those_of_the_user(void)
{
    char here[2000], line[4000];
    const char *root = getenv("SALTUS_ROOT");
    CHECK(getcwd(here, sizeof here) != NULL);
    if (root == NULL || chdir(root) != 0 || chdir("examples/identify") != 0) {
        SKIP("no examples");
    }
    static const char check[] = "check %s/examples/identify_pendulum.xml --json %s";
    snprintf(line, sizeof line, check, root, "");
    CHECK(run(line) == 0 && json_number("recordings") > 10);
    snprintf(line, sizeof line, check, root, "--set data[#0]/file=pendulum_0*.csv");
    CHECK(run(line) == 0 && json_number("recordings") == 10);
    snprintf(line, sizeof line, check, root, "--set data[#0]/file=identify/pendulum_0*.csv");
    CHECK(run(line) == 3);
    SAYS(errors, "no file matches 'identify/pendulum_0*.csv'");
    SAYS(errors, "= help: what --set says is relative to the current folder, not to that of the "
                 "problem file");
    CHECK(chdir(here) == 0);
}

int main(void)
{
    RUN(paths_of_settings_are_those_of_the_user);
    RUN(files_that_are_too_large_are_refused);
    RUN(an_archive_that_unpacks_to_too_much_is_refused);
    RUN(an_endless_file_is_refused);
    RUN(the_limit_can_be_set);
    RUN(the_limit_holds_for_every_file);
    RUN(a_nul_byte_is_named);
    RUN(every_verb_reads_pipes);
    RUN(pipes_are_solved);
    RUN(what_a_pipe_cannot_do_is_said);
    return check_done();
}
