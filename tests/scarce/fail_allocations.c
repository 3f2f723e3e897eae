/* fail_allocations: the verbs of the command from end to end, again and again, in each round with
 * another allocation that fails. Each must end with an exit code of the command's list and a
 * message, or do what it does without the fault, to the byte; nothing may be left behind. (That
 * nothing leaks is the leak sanitizer's to say, in the sanitized build.)
 *
 *     fail_allocations ours|theirs ROUNDS|all [RUN]
 *
 * ours: allocations of the project's own, which all have to be reported. theirs: those of the
 * libraries it uses. ROUNDS: so many of each run, spread over all it makes. RUN: only the run of
 * this name. The line before the last is one JSON object.
 */
#include "tests/cli/command.h"

#include "base/memory.h"
#include "base/reading.h"

/* The command's main; the linker (--wrap) tells it from ours. */
int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

/* ---- the files ---- */

static const char pendulum[] =
    "<mujoco><option timestep='.01'/><default><geom friction='.8'/></default>"
    "<asset><material name='grey' rgba='.5 .5 .5 1'/></asset><worldbody>"
    "<geom name='floor' type='plane' size='1 1 .1' pos='0 0 -1'/><body name='bob'>"
    "<joint name='hinge' axis='0 1 0' damping='.1' range='-4 4' limited='true'/>"
    "<geom name='ball' size='.05' pos='0 0 -.96' mass='1' material='grey'/><site name='tip' "
    "pos='0 0 -1'/></body></worldbody>"
    "<actuator><motor name='motor' joint='hinge' ctrlrange='-20 20' ctrllimited='true'/></actuator>"
    "<sensor><jointpos joint='hinge'/><framepos objtype='site' objname='tip'/></sensor>"
    "<keyframe><key name='low' qpos='.3'/></keyframe></mujoco>\n";

#define PROBLEM(boundary, more)                                                                    \
    "<problem><model file='m.xml'/><time nstep='8' duration='1'/>" boundary                        \
    "<cost><term name='effort' ctrl='all' weight='1'/></cost>" more "</problem>\n"

static const char *const files[][2] = {
    {"m.xml", pendulum},
    {"p.xml", PROBLEM("<boundary type='open'><start key='low'/></boundary>",
                      "<init noise='.1' nstart='2'/>")},
    {"c.xml", PROBLEM("<boundary type='cycle'/>", "")},
    {"i.xml", "<problem><model file='m.xml'/><data file='r.csv' time='time'>"
              "<channel name='angle' joint='hinge' columns='qpos0' sigma='.01'/>"
              "<channel name='torque' ctrl='motor' columns='ctrl0'/></data>"
              "<parameter name='damping' path='joint[hinge]/damping' map='log' value='.2'/>"
              "<estimate sigma='.1' unit='force' norm='quadratic'><stage maxiter='3'/></estimate>"
              "</problem>\n"},
    /* no start of it finds a motion without soft steps */
    {"h.xml", "<problem><model file='hopper.xml'/><time nstep='40' duration='2'/>"
              "<boundary type='open'><start key='stand'/><end key='there'/></boundary>"
              "<cost><term name='effort' ctrl='all' weight='1'/>"
              "<term name='slip' slip='foot- foot+' weight='9'/>"
              "<term name='impact' impact='foot- foot+' weight='1'/></cost>"
              "<init nstart='1' more='0'/>"
              "<solver><smoothing width='.15 .0003'/></solver></problem>\n"},
    {"q.csv", "time,qpos0\n0,0\n.01,.1\n.02,.3\n.03,.2\n"},
    {"s.xml", "<sweep problem='c.xml'><axis name='w' path='term[effort]/weight' values='1 2'/>"
              "</sweep>\n"},
};

/* ---- the runs: the files they write, apart from standard output, are compared ---- */

typedef struct verb_run {
    const char *name, *line;
    /* what it writes; NULL: only standard output, "": nothing that is the same each time */
    const char *output;
} verb_run;

static const verb_run runs[] = {
    {"info", "info m.xml --json", NULL},
    {"info_result", "info p.saltus", NULL},
    {"check", "check p.xml --derivatives --json", NULL},
    {"check_model", "check m.xml", NULL},
    {"solve", "solve p.xml -o o.saltus --threads 2", "o.saltus/result.h5"},
    {"cycle", "solve c.xml -o o.saltus --json", "o.saltus/result.h5"},
    {"finish", "solve c.xml -o o.saltus --set solver/finish=model", "o.saltus/result.h5"},
    {"try", "solve c.xml -o o.saltus --set solver/finish=try", "o.saltus/result.h5"},
    {"replay_soft", "replay h.saltus --json", NULL},
    {"diff_soft", "diff h.saltus h.saltus", NULL},
    {"harden", "harden c.saltus --refine 2 -o o.saltus --json", "o.saltus/result.h5"},
    {"identify", "solve i.xml -o o.saltus", "o.saltus/result.h5"},
    {"simulate", "simulate m.xml --time .05 --key low -o o.h5", "o.h5"},
    {"simulate_json", "simulate m.xml --time .05 --json --fwdinv", NULL},
    {"inverse", "inverse m.xml q.csv --full -o o.csv", "o.csv"},
    {"replay", "replay p.saltus --json", NULL},
    {"rollout", "replay p.saltus --model m.xml --time .1 --feedback --push 1@0 --json", NULL},
    {"gains", "export c.saltus --to gains -o o.h5", "o.h5"},
    {"report", "report p.saltus -o o.html", "o.html"},
    {"export", "export p.saltus --to csv -o o.csv", "o.csv"},
    {"clip", "export c.saltus --to mjlab --gains -o o.npz", "o.npz"},
    {"storages", "export c.saltus --to sto -o o.sto", "o.sto"},
    {"skeleton", "export c.saltus --to bvh --cycles 2 -o o.bvh", "o.bvh"},
    {"import", "import r.csv --json", NULL},
    {"diff", "diff p.saltus c.saltus --json", NULL},
    {"new", "new m.xml", NULL},
    {"explain", "explain slip", NULL},
    {"schema", "schema -o o.xsd", "o.xsd"},
    {"sweep", "sweep s.xml -o o.sweep -j 1 -q", ""},
    {"table", "table s.sweep --where w>1 --sort w --columns w,cost", NULL},
    {"table_md", "table s.sweep --format md --group w --columns w,mean:cost", NULL},
    {"identify_report", "report i.saltus -o o.html", "o.html"},
    {"identified_model", "export i.saltus --to mjcf -o o.xml", "o.xml"},
    {"resume", "solve p.xml -o p.saltus --resume --json", ""},
    {"replay_forces", "replay p.saltus --forces", NULL},
    {"diff_files", "diff p.xml c.xml", NULL},
    {"controls", "simulate m.xml --controls r.csv --interpolate linear -o o.csv", "o.csv"},
    {"sweep_report", "report s.sweep -o o.html", "o.html"},
    {"status", "sweep --status s.sweep", ""},
};

enum { NRUN = sizeof runs / sizeof *runs };

static bool theirs;

/* rounds, those that went wrong, those that a library ended by itself */
static long tried, failed, ended;

/* ---- one round ---- */

/* This process becomes the command. Libraries count their allocations from the start. */
static void be_command(int argc, char **argv, long at)
{
    char path[1024], number[30];
    if (theirs) {
        const char *build = getenv("SALTUS_BUILD");
        snprintf(path, sizeof path, "%s/tests/scarce/scarce.so", build == NULL ? "build" : build);
        snprintf(number, sizeof number, "%ld", at);
        setenv("LD_PRELOAD", path, 1);
        setenv("SCARCE_MEMORY", number, 1);
        setenv("SCARCE_REPORT", files_path("made"), 1);
        execv(program(), argv);
        _exit(127);
    }
    const long before = sal_alloc_count();
    sal_alloc_fail_at(at);
    const int code = __real_main(argc, argv);
    const int n = snprintf(number, sizeof number, "%ld", sal_alloc_count() - before);
    files_write("made", number, (size_t)n);
    exit(code);
}

/* Runs a line of words in the test's folder; at: the allocation that fails, or 0. */
static int run_once(const char *line, long at)
{
    char words[300], *argv[20];
    int argc = 0, status = 0;
    snprintf(words, sizeof words, "saltus %s", line);
    for (char *w = strtok(words, " "); w != NULL && argc < 19; w = strtok(NULL, " ")) {
        argv[argc++] = w;
    }
    argv[argc] = NULL;
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        const int o = open(files_path("out"), O_WRONLY | O_CREAT | O_TRUNC, 0666),
                  e = open(files_path("err"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        alarm(60);
        if (chdir(files_folder()) == 0 && dup2(o, 1) == 1 && dup2(e, 2) == 2) {
            be_command(argc, argv, at);
        }
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) {
        return -1;
    }
    slurp("out", out, sizeof out);
    slurp("err", errors, sizeof errors);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* How many allocations the last one made (until one failed), and the library that asked. */
static long read_made(char library[100])
{
    char text[200], *end;
    slurp("made", text, sizeof text);
    const long made = strtol(text, &end, 10);
    snprintf(library, 100, "%s", *end == ' ' ? end + 1 : "");
    library[strcspn(library, "\n")] = 0;
    return made;
}

/* ---- what is right ---- */

typedef struct good {
    int code;
    long made;
    char *text;
    size_t length;
} good;

/* The whole of a run's output, to be freed. */
static char *output_of(const verb_run *r, size_t *n)
{
    FILE *in = fopen(files_path(r->output == NULL ? "out" : r->output), "rb");
    char *text = malloc(1 << 24);
    *n = in == NULL || text == NULL ? 0 : fread(text, 1, 1 << 24, in);
    if (in != NULL) {
        fclose(in);
    }
    return text;
}

static void clean(const verb_run *r)
{
    if (r->output != NULL) {
        char command[400];
        snprintf(command, sizeof command, "rm -rf %s/o.*", files_folder());
        if (system(command) != 0) {
            printf("cannot clean up\n");
        }
    }
}

/* Files that were being written. */
static bool leaves_rest(void)
{
    DIR *folder = opendir(files_folder());
    bool found = false;
    for (struct dirent *e = NULL; folder != NULL && (e = readdir(folder)) != NULL;) {
        found |= strstr(e->d_name, ".tmp") != NULL;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return found;
}

/* Libraries that do not look whether they got memory, or end the program themselves: see
 * docs/reliability.md. What HDF5 says of that (to standard error) cannot be silenced before it has
 * started. */
static bool ends_by_itself(int code, const char *library)
{
    const bool mxml = strncmp(library, "libmxml", 7) == 0,
               hdf5 = strncmp(library, "libhdf5", 7) == 0,
               gomp = strncmp(library, "libgomp", 7) == 0,
               omp = strncmp(library, "libomp", 6) == 0; /* clang's */
    return theirs && (((mxml || hdf5) && code == 128 + SIGSEGV) || (hdf5 && code == 255) ||
                      (gomp && code == 1 && strstr(errors, "libgomp: ") != NULL) ||
                      (omp && code == 128 + SIGABRT));
}

static bool starts_hdf5(void)
{
    return theirs && strstr(errors, "library initialization failed") != NULL;
}

/* The page of a sweep says itself that a motion cannot be read. */
static bool says_broken(const verb_run *r)
{
    size_t n;
    char *page = output_of(r, &n);
    const bool says = n > 0 && memmem(page, n, "cannot be read", 14) != NULL;
    free(page);
    return says;
}

/* NULL, or what is wrong with a run whose allocation failed. */
static const char *verdict(const verb_run *r, const good *g, int code, const char *library)
{
    if (strstr(errors, "Sanitizer") != NULL || strstr(errors, "runtime error") != NULL) {
        return "the sanitizer complains";
    }
    if (ends_by_itself(code, library)) {
        ended++;
        return NULL;
    }
    if (strstr(errors, "HDF5-DIAG") != NULL && !starts_hdf5()) {
        return "HDF5 prints";
    }
    if (code > 6 || code < 0 || code == 2) {
        return code == 128 + SIGALRM ? "it hangs" : "it crashes";
    }
    if (leaves_rest()) {
        return "it leaves a temporary file";
    }
    if (code == g->code) {
        size_t n;
        char *text = output_of(r, &n);
        const bool same = n == g->length && memcmp(text, g->text, n) == 0;
        free(text);
        if (same || (r->output != NULL && r->output[0] == 0) || (theirs && says_broken(r))) {
            return NULL;
        }
        if (code == 0) {
            return "it says nothing, and its output is another";
        }
    }
    return strstr(errors, "memory") != NULL || (theirs && strstr(errors, "error") != NULL)
               ? NULL
               : "it does not say why it ends";
}

/* ---- all rounds ---- */

static const char *only;
static long rounds; /* 0: all */

static void try_run(const verb_run *r)
{
    good g = {0};
    char library[100];
    clean(r);
    g.code = run_once(r->line, 0);
    g.made = read_made(library);
    g.text = output_of(r, &g.length);
    if (g.code != 0 && strcmp(r->name, "diff") != 0 && g.code != 1) {
        printf("%s: exit code %d without a fault: %s\n", r->name, g.code, errors);
        check_case_faults++;
    }
    const long n = rounds == 0 || rounds > g.made ? g.made : rounds;
    for (long i = 0; i < n; i++) {
        const long at = n == g.made
                            ? i + 1
                            : 1 + (long)((double)(g.made - 1) * (double)i / (double)(n - 1) + .5);
        clean(r);
        const int code = run_once(r->line, at);
        read_made(library);
        const char *wrong = verdict(r, &g, code, library);
        tried++;
        if (wrong != NULL) {
            failed++;
            check_case_faults++;
            printf("%s, allocation %ld of %ld%s%s: exit code %d, %s: %.600s\n", r->name, at, g.made,
                   theirs ? " by " : "", theirs ? library : "", code, wrong, errors);
        }
    }
    printf("%s: %ld of %ld allocations\n", r->name, n, g.made);
    free(g.text);
    clean(r);
}

/* Everything the runs read; true if it could be made. */
static bool make_files(void)
{
    static const char *const lines[] = {"simulate m.xml --time .3 --key low -o r.csv",
                                        "solve p.xml -q",
                                        "solve c.xml -q",
                                        "solve i.xml -q",
                                        "solve h.xml -q",
                                        "sweep s.xml -q -j 1"};
    char hopper[1200], *xml = NULL;
    size_t size = 0;
    const char *root = getenv("SALTUS_ROOT");
    snprintf(hopper, sizeof hopper, "%s/models/hopper.xml", root == NULL ? "." : root);
    CHECK(sal_text_read_file(hopper, 1 << 20, &xml, &size, NULL) == SAL_OK);
    files_write("hopper.xml", xml, size);
    sal_free(xml);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        files_write(files[i][0], files[i][1], strlen(files[i][1]));
    }
    const bool kept = theirs;
    theirs = false;
    bool made = true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const int code = run_once(lines[i], 0);
        if (code != 0 && code != 1 && code != 6) {
            printf("%s: %d, %s\n", lines[i], code, errors);
            made = false;
        }
    }
    theirs = kept;
    return made;
}

static void allocations_fail(void)
{
    CHECK(make_files());
    for (int i = 0; i < NRUN; i++) {
        if (only == NULL || strcmp(only, runs[i].name) == 0) {
            try_run(&runs[i]);
        }
    }
}

int __wrap_main(int argc, char **argv)
{
    if (argc < 3) {
        printf("usage: fail_allocations ours|theirs ROUNDS|all [RUN]\n");
        return 2;
    }
    theirs = strcmp(argv[1], "theirs") == 0;
    rounds = strtol(argv[2], NULL, 10);
    only = argc > 3 ? argv[3] : NULL;
    tell_sanitizer("exitcode=99");
    RUN(allocations_fail);
    files_remove();
    printf("{\"what\": \"%s\", \"runs\": %d, \"tried\": %ld, \"failed\": %ld, "
           "\"ended_by_libraries\": %ld}\n",
           theirs ? "allocations of libraries" : "allocations", only == NULL ? (int)NRUN : 1, tried,
           failed, ended);
    return check_done();
}
