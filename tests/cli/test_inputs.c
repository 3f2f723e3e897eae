/* Files that are read: how large they may be, bytes that no text has, and what comes through a
 * pipe. */
#include "tests/cli/command.h"
#include "tests/cli/sweep.h"

static void put(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* A line of the command; every word that begins with @ is a file of the test's folder. */
static int go(const char *line)
{
    char full[4000];
    size_t n = 0;
    for (; *line != 0 && n + 1 < sizeof full; line++) {
        if (*line == '@') {
            n += (size_t)snprintf(full + n, sizeof full - n, "%s/", files_folder());
        } else {
            full[n++] = *line;
        }
    }
    full[n < sizeof full ? n : sizeof full - 1] = 0;
    return run(full);
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

int main(void)
{
    RUN(files_that_are_too_large_are_refused);
    RUN(an_archive_that_unpacks_to_too_much_is_refused);
    RUN(an_endless_file_is_refused);
    RUN(the_limit_can_be_set);
    RUN(a_nul_byte_is_named);
    return check_done();
}
