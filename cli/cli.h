/* cli.h: private to cli. The command: a table of options, a table of verbs, and what verbs share.
 *
 * A verb gets its arguments parsed, does its work, and returns an exit code. Results go to standard
 * output, everything else to standard error.
 */
#ifndef SAL_CLI_H
#define SAL_CLI_H

#include "base/house.h"
#include "guide/guide.h"
#include "identify/identify.h"
#include "problems/problems.h"
#include "sweeps/sweeps.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* X(code, number, what it means) */
#define CLI_EXIT_LIST(X)                                                                           \
    X(CLI_EXIT_OK, 0, "done; for `solve`: converged, physical and as asked")                       \
    X(CLI_EXIT_STOPPED, 1,                                                                         \
      "the search stopped before it converged (stalled, at a limit, or failed), or the motion is " \
      "physical but not as asked; for `diff`: the two differ")                                     \
    X(CLI_EXIT_USAGE, 2, "the command line is not valid")                                          \
    X(CLI_EXIT_BADINPUT, 3, "a file has an error, or a file named inside a file cannot be read")   \
    X(CLI_EXIT_INFEASIBLE, 4,                                                                      \
      "infeasible: the search found no motion that satisfies the dynamics, the ranges and the "    \
      "constraints")                                                                               \
    X(CLI_EXIT_BADPATH, 5, "a path of the command line cannot be opened, read or written")         \
    X(CLI_EXIT_CELLS, 6, "some cells of a sweep failed or are unsolved")                           \
    X(CLI_EXIT_INTERRUPTED, 130, "interrupted; the best motion found so far is saved as the result")

typedef enum cli_exit {
#define CLI_EXIT_ENUM(code, number, meaning) code = (number),
    CLI_EXIT_LIST(CLI_EXIT_ENUM)
#undef CLI_EXIT_ENUM
} cli_exit;

/* " soft logbarrier ..": the values of --contact-model */
#define CLI_CONTACT_MODEL(code, name) " " name
#define CLI_CONTACT_MODELS            SAL_CONTACT_LIST(CLI_CONTACT_MODEL)

/* " Newton PGS ..": the values of --solver */
#define CLI_SOLVER(code, name) " " name
#define CLI_SOLVERS            SAL_SOLVER_LIST(CLI_SOLVER)

/* X(code, name, value's name or NULL, one line) */
#define CLI_OPTION_LIST(X)                                                                         \
    X(CLI_OPT_OUTPUT, "-o", "PATH", "path of the output")                                          \
    X(CLI_OPT_SET, "--set", "PATH=VALUE",                                                          \
      "change an attribute of the problem or its model; may be repeated")                          \
    X(CLI_OPT_THREADS, "--threads", "N", "use at most N threads; default: all cores")              \
    X(CLI_OPT_WORKERS, "-j", "N", "solve N cells at the same time; default: the number of cores")  \
    X(CLI_OPT_SHARD, "--shard", "I/N", "solve only part I of N parts of the cells, 1 <= I <= N")   \
    X(CLI_OPT_MEMORY, "--memory", "GB", "limit for all cells that are solved at the same time")    \
    X(CLI_OPT_SYNC, "--sync", NULL, "sync what is kept of each cell to the disk")                  \
    X(CLI_OPT_PATIENCE, "--patience", "S",                                                         \
      "a rank that sends nothing for so many seconds is given up; default: 60")                    \
    X(CLI_OPT_STATUS, "--status", NULL, "show the progress of the sweep in a folder")              \
    X(CLI_OPT_COMPAT, "--compat", "VERSION", "behave like MuJoCo 3.12 or 2.2.2 instead of 3.14")   \
    X(CLI_OPT_MAXSIZE, "--max-size", "SIZE",                                                       \
      "most bytes of a file that is read, and of what it unpacks to, such as 4G")                  \
    X(CLI_OPT_TIME, "--time", "S", "time to simulate, in seconds")                                 \
    X(CLI_OPT_CONTROLS, "--controls", "CSV", "a table (CSV) of controls over time")                \
    X(CLI_OPT_INTERPOLATE, "--interpolate", "HOW",                                                 \
      "controls between rows of the table: hold (default) or linear")                              \
    X(CLI_OPT_KEY, "--key", "NAME", "the keyframe to start from")                                  \
    X(CLI_OPT_FWDINV, "--fwdinv", NULL, "compare forward with inverse dynamics at every step")     \
    X(CLI_OPT_TO, "--to", "FORMAT", "the format of the export")                                    \
    X(CLI_OPT_RATE, "--rate", "HZ",                                                                \
      "frames per second of the export, or of a recording without times")                          \
    X(CLI_OPT_CYCLES, "--cycles", "N", "export so many whole periods of a cycle; default: one")    \
    X(CLI_OPT_GAINS, "--gains", NULL, "also export the gains of the feedback about the motion")    \
    X(CLI_OPT_COLUMNS, "--columns", "LIST",                                                        \
      "the columns to show: NAME, HEADING=NAME, mean:NAME, ..; +LIST: beside the usual ones")      \
    X(CLI_OPT_WHERE, "--where", "CONDITION",                                                       \
      "show only cells that satisfy this, such as speed>=1.5; of several, all")                    \
    X(CLI_OPT_BEST, "--best", NULL, "of each point only the physical repeat of lowest cost")       \
    X(CLI_OPT_GROUP, "--group", "LIST", "one row for all cells with equal values of these names")  \
    X(CLI_OPT_SORT, "--sort", "LIST", "sort by these names or headings; -NAME: descending")        \
    X(CLI_OPT_FORMAT, "--format", "NAME",                                                          \
      "format of the table (csv, json, md), or of the input file")                                 \
    X(CLI_OPT_CLIP, "--clip", "NAME", "which of several recordings in the file (.pkl)")            \
    X(CLI_OPT_DERIVATIVES, "--derivatives", NULL,                                                  \
      "compare derivatives with centred finite differences")                                       \
    X(CLI_OPT_MODEL, "--model", "MODEL",                                                           \
      "replay the motion in this model, with its own time step and contact")                       \
    X(CLI_OPT_TOLERANCE, "--tolerance", "X",                                                       \
      "what is farther from the motion than this, m or rad, has departed; default: 0.05")          \
    X(CLI_OPT_FEEDBACK, "--feedback", NULL, "let feedback keep the replay at the motion")          \
    X(CLI_OPT_PUSH, "--push", "N@T",                                                               \
      "push the heaviest body by N along x (or NX,NY) from T s on, for 0.1 s")                     \
    X(CLI_OPT_NOISE, "--noise", "X",                                                               \
      "standard deviation of what the feedback measures, m or rad; of velocities 10 X")            \
    X(CLI_OPT_FORCES, "--forces", NULL, "drive the replay by joint forces instead of controls")    \
    X(CLI_OPT_FULL, "--full", NULL,                                                                \
      "also write passive, constraint and bias forces, and contacts")                              \
    X(CLI_OPT_TASK, "--task", "NAME",                                                              \
      "what the motion is to be; default: what the model suggests")                                \
    X(CLI_OPT_SPEED, "--speed", "V", "speed of travel, m/s")                                       \
    X(CLI_OPT_DIRECTION, "--direction", "X,Y",                                                     \
      "direction of travel in the floor plane; default: where the model faces")                    \
    X(CLI_OPT_TURN, "--turn", "W", "rate of turning to the left, rad/s")                           \
    X(CLI_OPT_SECONDS, "--seconds", "T", "duration of the motion, of a cycle one period, s")       \
    X(CLI_OPT_FINISH, "--finish", NULL,                                                            \
      "in the end with the contacts and the time step of the model's file; it is not as asked "    \
      "where that cannot be (without: the motion found before is kept then)")                      \
    X(CLI_OPT_NO_FINISH, "--no-finish", NULL,                                                      \
      "with the contacts of the smoothing table and long steps only")                              \
    X(CLI_OPT_TIMESTEP, "--timestep", "S|model",                                                   \
      "steps of about S seconds, or as long as those of the model; the duration stays")            \
    X(CLI_OPT_REFINE, "--refine", "K", "K times as many steps")                                    \
    X(CLI_OPT_CONTACT, "--contact", "model",                                                       \
      "the contacts of the model; with --timestep model: the model as it is")                      \
    X(CLI_OPT_WIDTH, "--width", "M",                                                               \
      "final penetration over which the impedance of contacts rises, m")                           \
    X(CLI_OPT_DMAX, "--dmax", "D", "final impedance of contacts at that penetration, 0..1")        \
    X(CLI_OPT_IMPRATIO, "--impratio", "R", "final ratio of frictional to normal impedance")        \
    X(CLI_OPT_TIMECONST, "--timeconst", "S", "final time constant of contacts, s")                 \
    X(CLI_OPT_CONTACTMODEL, "--contact-model", "NAME",                                             \
      "which force contacts exert, one of:" CLI_CONTACT_MODELS "; default: soft")                  \
    X(CLI_OPT_KAPPA, "--kappa", "K", "weight of the barrier of logbarrier, J, or of hard, N m s")  \
    X(CLI_OPT_VBARRIER, "--vbarrier", NULL,                                                        \
      "logbarrier with its barrier on velocities: nothing overlaps at the end of a step")          \
    X(CLI_OPT_SOLVER, "--solver", "NAME",                                                          \
      "how the forces of constraints are found, one of:" CLI_SOLVERS "; default: the model's")     \
    X(CLI_OPT_MASS, "--mass", "KG", "mass of the person, kg")                                      \
    X(CLI_OPT_HEIGHT, "--height", "M", "height of the person, m, where it is known")               \
    X(CLI_OPT_STATIC, "--static", "FILE", "markers while the person stands still")                 \
    X(CLI_OPT_MARKERS, "--markers", "NAMES.csv",                                                   \
      "a table of two columns: a marker, and what it is")                                          \
    X(CLI_OPT_PROBLEM, "--problem", "FILE",                                                        \
      "the problem file of the result; default: where it was when it was solved")                  \
    X(CLI_OPT_ROBOT, "--robot", "MODEL", "the model that is to follow the recording")              \
    X(CLI_OPT_PERSON, "--person", "MODEL", "the model of the person who wore the markers")         \
    X(CLI_OPT_PLATES, "--plates", "FILE",                                                          \
      "forces that plates measured; for report and info: the result of `follow --plates`")         \
    X(CLI_OPT_PLOTS, "--plots", "DIR",                                                             \
      "write all plots of the page into this folder, as SVG and PDF files for print")              \
    X(CLI_OPT_SWEEP, "--sweep", NULL, "CLIP holds several recordings: a sweep over all of them")   \
    X(CLI_OPT_RESUME, "--resume", NULL, "continue an interrupted solve")                           \
    X(CLI_OPT_JSON, "--json", NULL, "write one JSON object to standard output")                    \
    X(CLI_OPT_QUIET, "-q", NULL, "print errors only")                                              \
    X(CLI_OPT_VERBOSE, "-v", NULL, "print messages of the solver too")                             \
    X(CLI_OPT_COLOR, "--color", "WHEN",                                                            \
      "colours in messages: always, never, or auto (default): on a terminal, unless NO_COLOR is "  \
      "set")                                                                                       \
    X(CLI_OPT_HELP, "--help", NULL, "show how the verb is used")                                   \
    X(CLI_OPT_VERSION, "--version", NULL, "show the version")

typedef enum cli_option {
#define CLI_OPTION_ENUM(code, name, value, doc) code,
    CLI_OPTION_LIST(CLI_OPTION_ENUM)
#undef CLI_OPTION_ENUM
        CLI_NOPTION
} cli_option;

enum { CLI_FILES_MAX = 8 };

/* Beside the options of a verb: several ranks, started by mpirun, may share its work. */
enum { CLI_VERB_RANKS = CLI_NOPTION };

typedef struct cli_arguments {
    const struct cli_verb *verb;
    const char *file[CLI_FILES_MAX];
    int nfile;
    bool given[CLI_NOPTION];
    /* the last one given */
    const char *value[CLI_NOPTION];
    /* of --set; path and value are ours */
    sal_setting *setting;
    int nsetting;
    /* of --where, joined */
    sal_text where;
    int nthread;
    /* -j; 0: not given */
    int nworker;
    /* of --shard, from 0; 0, 1 without it */
    int shard, nshard;
    /* bytes; 0: not given */
    double memory;
    /* bytes of --max-size; 0: not given */
    size_t most;
    /* s */
    double patience;
    /* there was no memory for them */
    bool starved;
    /* who shares the work; NULL: nobody */
    const sal_ranks *ranks;
    /* of --tolerance and --noise; m, rad */
    double tolerance, noise;
    /* of --push: N, along x and y; s */
    double push[2], push_time;
    /* of --time, s, and --rate, Hz; of --cycles; 0: not given */
    double time, rate;
    int cycles;
    /* of --refine; of --timestep, s; of --width, m, --dmax, --impratio and --timeconst, s; 0: not
     * given */
    int refine;
    double timestep, width, dmax, impratio, timeconst;
    /* of --mass, kg, and --height, m; 0: not given */
    double mass, height;
    /* of --contact-model, sal_contact_model; of --kappa, 0: not given */
    int contact_model;
    /* of --solver, sal_solver */
    int solver;
    double kappa;
    /* the command line, for run.json */
    int argc;
    char **argv;
} cli_arguments;

/* A row of CLI_OPTION_LIST */
typedef struct cli_option_row {
    const char *name, *value, *doc;
} cli_option_row;

typedef struct cli_verb {
    /* what it reads, as shown in its usage */
    const char *name, *files;
    /* files */
    int least, most;
    /* by cli_option, and by CLI_VERB_RANKS */
    bool takes[CLI_NOPTION + 1];
    const char *doc;
    const char *more;
    /* lines for a shell */
    const char *example;
} cli_verb;

/* The verbs, in the order in which they are shown. */
typedef enum cli_verb_id {
    CLI_VERB_SOLVE,
    CLI_VERB_HARDEN,
    CLI_VERB_PREDICT,
    CLI_VERB_SWEEP,
    CLI_VERB_NEW,
    CLI_VERB_FOLLOW,
    CLI_VERB_PERSON,
    CLI_VERB_CHECK,
    CLI_VERB_INFO,
    CLI_VERB_CONVERT,
    CLI_VERB_IMPORT,
    CLI_VERB_INVERSE,
    CLI_VERB_SIMULATE,
    CLI_VERB_REPLAY,
    CLI_VERB_EXPORT,
    CLI_VERB_REPORT,
    CLI_VERB_DIFF,
    CLI_VERB_TABLE,
    CLI_VERB_EXPLAIN,
    CLI_VERB_SCHEMA,
    CLI_VERB_HELP,
    CLI_VERB_MANUAL,
    CLI_VERB_COMPLETION,
    CLI_NVERB
} cli_verb_id;

/* ---- verbs, one file each ---- */

int cli_solve(const cli_arguments *a);
int cli_harden(const cli_arguments *a);
int cli_predict(const cli_arguments *a);
int cli_check(const cli_arguments *a);
int cli_import(const cli_arguments *a);
int cli_info(const cli_arguments *a);
int cli_inverse(const cli_arguments *a);
int cli_replay(const cli_arguments *a);
int cli_simulate(const cli_arguments *a);
int cli_export(const cli_arguments *a);
int cli_report(const cli_arguments *a);
int cli_sweep(const cli_arguments *a);
int cli_new(const cli_arguments *a);
int cli_follow(const cli_arguments *a);
int cli_person(const cli_arguments *a);
int cli_diff(const cli_arguments *a);
int cli_convert(const cli_arguments *a);
int cli_table(const cli_arguments *a);
/* `sweep --status`; its exit code is 0 or CLI_EXIT_CELLS. */
int cli_sweep_status(const cli_arguments *a);
int cli_explain(const cli_arguments *a);
int cli_schema(const cli_arguments *a);
int cli_help(const cli_arguments *a);
int cli_manual(const cli_arguments *a);
int cli_completion(const cli_arguments *a);

/* The table of verbs (verbs.c); cli_verb_at: NULL after the last. */
const cli_verb *cli_verb_at(int index);
cli_verb_id cli_id_of_verb(const cli_verb *verb);
const cli_verb *cli_find_verb(const char *name);
/* A message: there is no such verb, and which one was probably meant; its exit code. */
int cli_refuse_verb(const char *name);
/* The verb that was probably meant, or NULL. */
const char *cli_nearest_verb(const char *name);

/* ---- words that options take, for completion ---- */

/* The i-th format of `export`, NULL after the last (export.c). */
const char *cli_export_format_name(int i);

/* ---- a folder of recordings, for `follow` (follow_sweep.c) ---- */

/* Writes problem and sweep, with what was asked for all recordings; its exit code. */
int cli_follow_sweep(const cli_arguments *a, const sal_model *m, const sal_follow_request *asked);

/* ---- a rollout, for `replay` (rollout.c) ---- */

/* Whether the command line asks for a rollout, and not for a comparison step by step; the exit code
 * of one. */
bool cli_asks_rollout(const cli_arguments *a);
int cli_rollout(const cli_arguments *a, const sal_result *result);

/* ---- arguments (arguments.c) ---- */

/* False after a message; then the exit code is CLI_EXIT_USAGE, or CLI_EXIT_STOPPED where `starved`.
 * Free whatever is returned. */
bool cli_arguments_parse(cli_arguments *a, int argc, char **argv);
void cli_arguments_free(cli_arguments *a);
/* The n numbers of an option, with commas between them, from range[0] to range[1]; else false,
 * after the message that `option` must be `what`. */
bool cli_read_numbers(double *x, int n, const double range[2], const char *option, const char *what,
                      const char *value);
const cli_option_row *cli_option_at(int option);
/* Usage of a verb, or of all where verb is NULL. */
void cli_usage(FILE *out, const cli_verb *verb);

/* Why pages do not play. What plays them is put together by Node.js when saltus is built, from
 * packages that npm fetches. */
#define CLI_STILL                                                                                  \
    "saltus was built without Node.js, or npm could not fetch the packages of the player; "        \
    "install npm, make sure that it reaches its registry, and call ./dev build"

/* ---- colours (colour.c) ---- */

/* "always", "never" or "auto", for all messages from now on; false: it is none of these. */
bool cli_colour(const char *when);
/* Whether messages go to a terminal, and one that can do more than lines. */
bool cli_says_on_terminal(void);
/* Whether messages have colours. */
bool cli_is_coloured(void);
/* Lines to standard error as they are, but for the colours of words that tell good from bad. */
void cli_put(const char *lines);

/* ---- messages (say.c) ---- */

/* One line "saltus: .." on standard error. */
void cli_say(const char *format, ...) SAL_PRINTF(1, 2);
/* One for each line of the text, unless -q is given. */
void cli_say_lines(const cli_arguments *a, const sal_text *lines);
/* The exit code of a failed call, after its message; with --json also as an object on standard
 * output. */
int cli_fail(const cli_arguments *a, sal_status status, const sal_err *err);
/* Shows what a reader found, errors and warnings; `status` as it returned. CLI_EXIT_OK if that was
 * SAL_OK. */
int cli_show(const cli_arguments *a, sal_status status, sal_diag *diag, const sal_err *err);
/* A model without joints: that is no fault where a model is only shown or simulated, but a warning
 * (-q: none) says so; other verbs fail: "there is no motion to replay", say, is what they lack. */
void cli_warn_still(const cli_arguments *a, const sal_model *m);
int cli_fail_still(const cli_arguments *a, const sal_model *m, const char *lack);
/* A warning if the result is no solution. */
void cli_warn_unsolved(const sal_result *result);

/* ---- inputs (input.c) ---- */

/* A problem, a sweep, a model, or a result (a file, or the folder of a solve) named by the first
 * argument. */
int cli_read_request(const cli_arguments *a, sal_request *request);
int cli_read_sweep(const cli_arguments *a, sal_sweep **s);
int cli_read_model(const cli_arguments *a, const char *path, sal_model **m);
/* Gives m the contact model of --contact-model and --kappa, if there are any. */
sal_status cli_give_contact_model(const cli_arguments *a, sal_model *m, sal_err *err);
/* How the command line wants models to be read. */
sal_load_options cli_load_options(const cli_arguments *a);
int cli_read_result(const cli_arguments *a, const char *path, sal_result **result);

typedef enum cli_kind { CLI_KIND_PROBLEM, CLI_KIND_MODEL, CLI_KIND_RESULT } cli_kind;

/* What kind of file it is, by its content. */
int cli_sniff(const cli_arguments *a, const char *path, cli_kind *kind);

/* ---- outputs (output.c) ---- */

typedef enum cli_content {
    /* a table, JSON: whatever is none of the following */
    CLI_CONTENT_TEXT,
    CLI_CONTENT_MODEL,
    CLI_CONTENT_PAGE,
    CLI_CONTENT_PICTURE,
    CLI_CONTENT_PDF,
    CLI_CONTENT_FILM,
    CLI_CONTENT_SCHEMA,
    CLI_CONTENT_HDF5,
    CLI_CONTENT_PROBLEM,
    CLI_CONTENT_SWEEP,
    CLI_CONTENT_XML,
    CLI_CONTENT_BINARY
} cli_content;

/* A path of the command line that is standard input, or a pipe: it has no name and no folder of its
 * own. */
bool cli_is_piped(const char *path);
/* Whether -o says standard output. */
bool cli_writes_out(const cli_arguments *a);
/* CLI_EXIT_OK, or CLI_EXIT_USAGE after a message: the verb, or several ranks, cannot do with pipes
 * as they are given. */
int cli_check_pipes(const cli_arguments *a);
/* What the verb writes to the file named by -o. */
cli_content cli_content_written(const cli_arguments *a);
/* CLI_EXIT_OK, or CLI_EXIT_USAGE after a message: the file has been read, or it is there and of
 * another kind than `content`, which would be written to it. What is no regular file may be
 * written. */
int cli_may_write(const cli_arguments *a, const char *path, cli_content content);
/* The same for what -o names, before any work; and it may be none of the files of the command
 * line. */
int cli_check_output(const cli_arguments *a);
/* Text to a file that cli_may_write allows, or to standard output where path is NULL or "-". A text
 * that has failed is an error. */
int cli_write(const cli_arguments *a, const sal_text *text, const char *path);

/* ---- plots, for `report` (plots.c) ---- */

/* Writes the plots of a result into the folder of --plots; its exit code. */
int cli_plots(const cli_arguments *a, const sal_result *result);

/* ---- other programs (program.c) ---- */

enum { CLI_PROGRAM_ABSENT = 127 }; /* as in a shell */

/* Starts a program of the PATH; its standard streams are nothing, but for standard error where it
 * is to be heard. -1: it could not be started. */
pid_t cli_program_start(const char *const *argv, bool heard);
/* The same, not heard, with *ours (to be closed; NULL: there is none) as the other end of its
 * stream: STDIN_FILENO or STDOUT_FILENO. */
pid_t cli_program_pipe(const char *const *argv, int stream, FILE **ours);
/* Waits for its end. Its exit code, CLI_PROGRAM_ABSENT if there is no such program; -1: it did not
 * end by itself. */
int cli_program_end(pid_t pid);

/* ---- films, for `report` (film.c) ---- */

/* Whether the path of an output names a film. */
bool cli_is_film(const char *path);
/* Makes the film of a page that plays a motion; the exit code. */
int cli_film(const cli_arguments *a, const sal_text *page, const char *path);

/* ---- results (result_json.c) ---- */

void cli_result_json(sal_json *json, const sal_result *result, const char *path);
/* The array `requirements`. */
/* A motion that follows a recording beside it, where the result has one: the next member of an
 * object; lines for people. */
void cli_recorded_json(sal_json *json, const sal_result *result);
void cli_recorded_text(sal_text *out, const sal_result *result);
void cli_requirements_json(sal_json *json, const sal_result *result);
/* A few lines on standard error; verbose: also what of the diagnosis is only good to know. */
void cli_result_lines(const sal_result *result, bool verbose);
/* And what the time of the start that won went into. */
void cli_work_lines(const sal_result *result);
/* What a search came to: lines (-q: none), and the object of --json; its exit code. next: how an
 * interrupted one goes on. */
int cli_result_show(const cli_arguments *a, const sal_result *result, const char *path,
                    const char *next);

/* ---- identifications (identification.c) ---- */

/* Parameters, channels, recordings, and what is to be said of them; lines of at most 100
 * columns. */
void cli_identification_lines(sal_text *out, const sal_identification_result *e);
void cli_identification_json(sal_json *json, const char *key, const sal_identification_result *e);

/* ---- progress (progress.c) ---- */

/* where a start is: cost, violation and softness of its last iteration */
typedef struct cli_start_line {
    int start;
    sal_progress at;
    char phase[16];
    bool known;
} cli_start_line;

enum { CLI_START_LINES = 16 };

typedef struct cli_progress_view {
    bool terminal;
    bool colour;
    bool quiet;
    bool verbose;
    /* s of the monotonic clock */
    double begin;
    /* iterations.jsonl, or NULL */
    FILE *record;
    /* of the table that -v prints */
    int nline;
    /* start k stands in line k modulo CLI_START_LINES. On a terminal ndrawn lines stand above the
     * cursor, and are redrawn. */
    cli_start_line line[CLI_START_LINES];
    int nstart, ndrawn;
    /* s, of the last time that anything was written */
    double written;
} cli_progress_view;

/* What an earlier run left in the folder of a solve (resume.c). */
typedef enum cli_left { CLI_LEFT_NOTHING, CLI_LEFT_CHECKPOINT, CLI_LEFT_RESULT } cli_left;

/* `checkpoint` and `result` (a path) are where they would be; *r is the result where that is what
 * is left. Faults say what is wrong with either. */
sal_status cli_look(const sal_request *request, const char *checkpoint, const char *result,
                    cli_left *left, sal_result **r, sal_err *err);
/* Cuts a record of iterations back to those that the checkpoints know. *seconds: when the last of
 * them was. */
sal_status cli_cut_record(const sal_request *request, const char *checkpoint, const char *record,
                          double *seconds, sal_err *err);
/* Brings a record of a solve that has ended into the order of its starts: so it is the same, but
 * for its seconds, for any number of threads. */
sal_status cli_sort_record(const char *record, sal_err *err);

void cli_progress_begin(cli_progress_view *view, const cli_arguments *a);
/* For sal_watch: shows where each start is (-v: a line for every accepted linearisation); false
 * once SIGINT or SIGTERM has come. */
bool cli_progress_step(void *user, int start, const sal_progress *p);
void cli_progress_end(cli_progress_view *view);
/* For sal_log, user a view: warnings, and with -v all messages of the solver. */
void cli_progress_say(void *user, sal_level level, const char *message);
/* From here on SIGINT and SIGTERM are noted instead of ending the program; a second one ends it. */
void cli_catch_stop(void);
bool cli_stop_asked(void);
/* Seconds of the monotonic clock. */
double cli_now(void);

#endif
