/* Limits of the system: little memory, a small stack, small files, no threads or processes, no
 * folder for temporary files, closed standard streams, full disks, broken pipes. Always a message
 * and an exit code of the command's list. And models in which nothing can move. */
#include "tests/cli/command.h"

static const char pendulum[] =
    "<mujoco><option timestep='.01'/><worldbody><body>"
    "<joint name='hinge' axis='0 1 0'/><geom size='.05' pos='0 0 -1' mass='1'/>"
    "</body></worldbody><actuator><motor name='motor' joint='hinge'/></actuator></mujoco>\n";

static const char swing[] =
    "<problem name='swing'><model file='m.xml'/><time nstep='20' duration='1'/>"
    "<boundary type='open'/><init noise='.1' nstart='2'/>"
    "<cost><term name='effort' ctrl='all' weight='1'/></cost></problem>\n";

static void write_file(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static void write_files(void)
{
    char path[1024];
    write_file("m.xml", pendulum);
    write_file("p.xml", swing);
    setenv("S", program(), 1);
    setenv("D", files_folder(), 1);
    snprintf(path, sizeof path, "%s/tests/scarce/scarce.so",
             getenv("SALTUS_BUILD") == NULL ? "build" : getenv("SALTUS_BUILD"));
    setenv("SCARCE", path, 1);
}

/* The exit code of a line for the shell, in which $S is the command and $D the test's folder; 128 +
 * signal if it died. */
static int shell(const char *line)
{
    char text[2000];
    snprintf(text, sizeof text, "cd $D; { %s ; } >out 2>err", line);
    const int status = system(text);
    slurp("out", out, sizeof out);
    slurp("err", errors, sizeof errors);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code;
}

/* ---- memory, stack, files ---- */

static void little_memory_is_enough(void)
{
#ifdef SANITIZED
    SKIP("the sanitizer needs more");
#endif
    unsetenv("OPENBLAS_NUM_THREADS");
    CHECK(shell("ulimit -v 200000; $S info m.xml") == 0);
    SAYS(out, "nv             1\n");
    CHECK(shell("ulimit -v 200000; $S solve p.xml --threads 2") == 0);
    CHECK(shell("ulimit -v 200000; OPENBLAS_NUM_THREADS=64 $S info swing.saltus") == 0);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

static void a_small_stack_is_enough(void)
{
#ifdef SANITIZED
    SKIP("the sanitizer needs more");
#endif
    CHECK(shell("ulimit -s 64; $S info m.xml") == 0);
    CHECK(shell("ulimit -s 64; $S solve p.xml --threads 2") == 0);
    CHECK(shell("ulimit -s 64; $S report swing.saltus; $S replay swing.saltus") == 0);
    CHECK(shell("ulimit -s 64; $S solve nothing.xml") == 5);
    SAYS(errors, "nothing.xml");
}

static void files_may_not_grow(void)
{
    CHECK(shell("$S solve p.xml -q && cp swing.saltus/result.h5 before.h5") == 0);
#ifdef __clang__
    SKIP("clang's OpenMP keeps a file in /dev/shm, and ends the program where it may not grow");
#endif
    CHECK(shell("ulimit -f 4; $S solve p.xml -q") == 5);
    SAYS(errors, "saltus: error: cannot write ");
    SAYS(errors, "result.h5': File too large\n");
    CHECK(shell("cmp before.h5 swing.saltus/result.h5") == 0);
    CHECK(shell("ulimit -f 1; $S simulate m.xml --time 1 -o x.csv") == 5);
    SAYS(errors, "x.csv': File too large\n");
    CHECK(shell("ulimit -f 0; $S simulate m.xml --time 1 -o x.h5") == 5);
    CHECK(shell("ulimit -f 0; $S report swing.saltus -o x.html") == 5);
    CHECK(shell("ulimit -f 1; $S simulate m.xml --time 1 >x.csv") == 5);
    SAYS(errors, "cannot write to standard output");
}

/* ---- threads and processes ---- */

static void threads_cannot_be_had(void)
{
#ifdef SANITIZED
    SKIP("what is loaded before the program comes before the sanitizer");
#endif
    for (int n = 0; n < 3; n++) {
        char line[300];
        snprintf(line, sizeof line,
                 "LD_PRELOAD=$SCARCE SCARCE_THREADS=%d $S solve p.xml -q --threads 4 && "
                 "cmp before.h5 swing.saltus/result.h5",
                 n);
        CHECK(shell(line) == 0);
        CHECK_TEXT(errors, "");
    }
}

static void processes_cannot_be_had(void)
{
#ifdef SANITIZED
    SKIP("what is loaded before the program comes before the sanitizer");
#endif
    write_file("s.xml", "<sweep problem='p.xml'>"
                        "<axis name='seed' path='init/seed' values='1 2 3'/></sweep>\n");
    CHECK(shell("$S sweep s.xml -j 2 -q") == 0);
    CHECK(shell("rm -rf s.sweep; SCARCE_FORKS=0 LD_PRELOAD=$SCARCE $S sweep s.xml -j 2 -q") == 1);
    SAYS(errors, "saltus: error: cannot start a process: Resource temporarily unavailable\n");
}

/* ---- folders and streams ---- */

static void no_folder_is_needed_but_the_own(void)
{
    CHECK(shell("TMPDIR=/nowhere HOME=/proc/1 $S solve p.xml -q") == 0);
    CHECK(shell("env -i $S solve p.xml -q") == 0);
}

static void streams_may_be_closed(void)
{
    static const char *const closed[] = {"<&-", "2>&-", "<&- 2>&-"};
    char line[300];
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        snprintf(line, sizeof line, "$S solve p.xml %s && cmp before.h5 swing.saltus/result.h5",
                 closed[i]);
        CHECK(shell(line) == 0);
        snprintf(line, sizeof line, "$S simulate m.xml --time .1 %s", closed[i]);
        CHECK(shell(line) == 0 && strncmp(out, "time,qpos0", 10) == 0);
    }
    /* what is said does not get into a file that would have the number of a stream */
    CHECK(shell("$S simulate m.xml --time .1 -o a.csv && "
                "$S simulate m.xml --time .1 -o b.csv >&- 2>&- && cmp a.csv b.csv") == 0);
    CHECK(shell("$S solve p.xml >&- 2>&-; cmp before.h5 swing.saltus/result.h5 && "
                "! grep -v '^{' swing.saltus/iterations.jsonl") == 0);
    CHECK(shell("$S info m.xml >&-") == 5);
    SAYS(errors, "saltus: error: cannot write to standard output");
    CHECK(shell("$S info m.xml >&- 2>&- <&-") == 5);
}

static void streams_may_be_full(void)
{
    CHECK(shell("$S info m.xml >/dev/full") == 5);
    SAYS(errors, "saltus: error: cannot write to standard output");
    CHECK(shell("$S schema >/dev/full 2>/dev/full") == 5);
    CHECK(shell("$S solve p.xml 2>/dev/full && cmp before.h5 swing.saltus/result.h5") == 0);
    CHECK(shell("$S solve p.xml --json >/dev/full") == 5);
    SAYS(errors, "saltus: error: cannot write to standard output");
}

/* The pipe's reader is gone before anything is written to it. */
static void pipes_may_break(void)
{
    CHECK(shell("{ sleep .2; $S info m.xml; echo $? >code; } | true; grep -x 5 code") == 0);
    SAYS(errors, "saltus: error: cannot write to standard output");
    CHECK(shell("{ sleep .2; $S solve p.xml 2>&1; echo $? >code; } | true; grep -x 0 code && "
                "cmp before.h5 swing.saltus/result.h5") == 0);
}

/* ---- models in which nothing can move ---- */

static const char still_table[] = "time\n0\n.1\n.2\n.3\n";

static void nothing_can_move(void)
{
    write_file("m.xml", "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>\n");
    write_file("s.csv", still_table);
    static const struct {
        const char *line;
        int code;
    } verbs[] = {
        {"info m.xml", 0},          {"check m.xml", 0},
        {"simulate m.xml", 0},      {"simulate m.xml -o s.h5", 0},
        {"inverse m.xml s.csv", 3}, {"new m.xml", 3},
        {"check p.xml", 3},         {"solve p.xml", 3},
        {"info p.xml", 3},          {"replay s.h5", 3},
        {"replay s.h5 --json", 3},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        char line[300];
        snprintf(line, sizeof line, "$S %s", verbs[i].line);
        const int code = shell(line);
        if (code != verbs[i].code || strstr(errors, "the model has no joints") == NULL) {
            printf("'%s': %d, %s\n", verbs[i].line, code, errors);
            CHECK(code == verbs[i].code && strstr(errors, "the model has no joints") != NULL);
        }
    }
    CHECK(shell("$S report s.h5 && $S export s.h5 --to csv && $S diff s.h5 s.h5") == 0);
    CHECK(shell("$S simulate m.xml -q") == 0 && errors[0] == 0);
}

int main(void)
{
    write_files();
    RUN(little_memory_is_enough);
    RUN(a_small_stack_is_enough);
    RUN(files_may_not_grow);
    RUN(threads_cannot_be_had);
    RUN(processes_cannot_be_had);
    RUN(no_folder_is_needed_but_the_own);
    RUN(streams_may_be_closed);
    RUN(streams_may_be_full);
    RUN(pipes_may_break);
    RUN(nothing_can_move);
    return check_done();
}
