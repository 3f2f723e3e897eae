/* cli.h: private to cli. The command: a table of options, a table of verbs, and what verbs share.
 *
 * A verb gets its arguments parsed, does its work, and returns an exit code. Results go to standard output, everything else to standard
 * error.
 */
#ifndef SAL_CLI_H
#define SAL_CLI_H

#include "problems/problems.h"
#include "sweeps/sweeps.h"

#include <stdbool.h>
#include <stdio.h>

/* X(code, number, what it means) */
#define SAL_EXIT_LIST(X)                                                                           \
    X(SAL_EXIT_OK, 0, "done; for `solve`: converged and physical")                                 \
    X(SAL_EXIT_STOPPED, 1,                                                                         \
      "stopped before converging: stalled, a limit, failed; for `diff`: they differ")              \
    X(SAL_EXIT_USAGE, 2, "the command line makes no sense")                                        \
    X(SAL_EXIT_BADINPUT, 3, "a file is wrong, or a file named inside a file cannot be read")       \
    X(SAL_EXIT_INFEASIBLE, 4, "infeasible: no motion near here obeys physics and ranges")          \
    X(SAL_EXIT_BADPATH, 5, "a path of the command line cannot be opened, read or written")         \
    X(SAL_EXIT_CELLS, 6, "some cells of a sweep failed or are no solutions")                       \
    X(SAL_EXIT_INTERRUPTED, 130, "interrupted; the best motion so far is sealed as a result")

typedef enum sal_exit {
#define SAL_EXIT_ENUM(code, number, meaning) code = (number),
    SAL_EXIT_LIST(SAL_EXIT_ENUM)
#undef SAL_EXIT_ENUM
} sal_exit;

/* X(code, name, value's name or NULL, one line) */
#define SAL_OPTION_LIST(X)                                                                         \
    X(SAL_OPT_OUTPUT, "-o", "PATH", "where the result goes")                                       \
    X(SAL_OPT_SET, "--set", "PATH=VALUE", "change the problem or its model; may be repeated")      \
    X(SAL_OPT_THREADS, "--threads", "N", "at most N threads; all cores without it")                \
    X(SAL_OPT_WORKERS, "-j", "N", "cells at the same time; as many as cores without it")           \
    X(SAL_OPT_SHARD, "--shard", "I/N", "the I-th of N parts of the cells, 1 <= I <= N")            \
    X(SAL_OPT_MEMORY, "--memory", "GB", "of all cells that are solved at the same time")           \
    X(SAL_OPT_PATIENCE, "--patience", "S",                                                         \
      "a rank silent for so many seconds is gone; 60 without it")                                  \
    X(SAL_OPT_STATUS, "--status", NULL, "how far the sweep in a folder is")                        \
    X(SAL_OPT_COMPAT, "--compat", "2.2.2", "the behaviour of MuJoCo 2.2.2 instead of 3.12")        \
    X(SAL_OPT_TIME, "--time", "S", "how long, in seconds")                                         \
    X(SAL_OPT_CONTROLS, "--controls", "CSV", "a table of controls over time")                      \
    X(SAL_OPT_INTERPOLATE, "--interpolate", "HOW", "between its rows: hold (default) or linear")   \
    X(SAL_OPT_KEY, "--key", "NAME", "the keyframe to start from")                                  \
    X(SAL_OPT_FWDINV, "--fwdinv", NULL, "hold forward against inverse dynamics at every step")     \
    X(SAL_OPT_TO, "--to", "csv", "the format to export to")                                        \
    X(SAL_OPT_COLUMNS, "--columns", "LIST", "what to show: NAME, HEADING=NAME, mean:NAME, ..")     \
    X(SAL_OPT_WHERE, "--where", "CONDITION", "of which cells: speed>=1.5; several: all must hold") \
    X(SAL_OPT_BEST, "--best", NULL, "of each point the physical repeat of lowest cost")            \
    X(SAL_OPT_GROUP, "--group", "LIST", "a row for all cells that agree in these names")           \
    X(SAL_OPT_SORT, "--sort", "LIST", "by these names or headings; -NAME: descending")             \
    X(SAL_OPT_FORMAT, "--format", "NAME", "of the table: csv, json, md; of the file: see above")   \
    X(SAL_OPT_DERIVATIVES, "--derivatives", NULL, "compare derivatives with centred differences")  \
    X(SAL_OPT_FORCES, "--forces", NULL, "drive the replay by forces instead of ctrl")              \
    X(SAL_OPT_FULL, "--full", NULL, "also passive, constraint and bias forces, and contacts")      \
    X(SAL_OPT_RESUME, "--resume", NULL, "go on where an interrupted solve stopped")                \
    X(SAL_OPT_JSON, "--json", NULL, "one JSON object on standard output")                          \
    X(SAL_OPT_QUIET, "-q", NULL, "errors only")                                                    \
    X(SAL_OPT_VERBOSE, "-v", NULL, "also what the solver has to say")                              \
    X(SAL_OPT_HELP, "--help", NULL, "how the verb is used")                                        \
    X(SAL_OPT_VERSION, "--version", NULL, "the version")

typedef enum sal_cli_option {
#define SAL_OPTION_ENUM(code, name, value, doc) code,
    SAL_OPTION_LIST(SAL_OPTION_ENUM)
#undef SAL_OPTION_ENUM
        SAL_NOPTION
} sal_cli_option;

enum { SAL_FILES_MAX = 2 };

/* Beside the options of a verb: several ranks, started by mpirun, may share its work. */
#define SAL_VERB_RANKS (1ULL << 63)

typedef struct sal_arguments {
    const struct sal_verb *verb;
    const char *file[SAL_FILES_MAX];
    int nfile;
    bool given[SAL_NOPTION];
    const char *value[SAL_NOPTION]; /* the last one given */
    sal_setting *setting;           /* of --set; path and value are ours */
    int nsetting;
    sal_text where; /* of --where, joined */
    int nthread;
    int nworker;            /* -j; 0: not given */
    int shard, nshard;      /* of --shard, from 0; 0, 1 without it */
    double memory;          /* bytes; 0: not given */
    double patience;        /* s */
    const sal_ranks *ranks; /* who shares the work; NULL: nobody */
    int argc;               /* the command line, for run.json */
    char **argv;
} sal_arguments;

typedef struct sal_verb {
    const char *name, *files;   /* what it reads, as shown in its usage */
    int least, most;            /* files */
    unsigned long long options; /* 1 << sal_cli_option, SAL_VERB_RANKS */
    const char *doc, *more;
    int (*run)(const sal_arguments *a);
} sal_verb;

/* ---- verbs, one file each ---- */

int sal_cli_solve(const sal_arguments *a);
int sal_cli_check(const sal_arguments *a);
int sal_cli_import(const sal_arguments *a);
int sal_cli_info(const sal_arguments *a);
int sal_cli_inverse(const sal_arguments *a);
int sal_cli_replay(const sal_arguments *a);
int sal_cli_simulate(const sal_arguments *a);
int sal_cli_export(const sal_arguments *a);
int sal_cli_report(const sal_arguments *a);
int sal_cli_sweep(const sal_arguments *a);
int sal_cli_new(const sal_arguments *a);
int sal_cli_diff(const sal_arguments *a);
int sal_cli_table(const sal_arguments *a);
/* `sweep --status`; its exit code is 0 or SAL_EXIT_CELLS. */
int sal_cli_sweep_status(const sal_arguments *a);
int sal_cli_explain(const sal_arguments *a);
int sal_cli_schema(const sal_arguments *a);
int sal_cli_help(const sal_arguments *a);

/* NULL after the last. */
const sal_verb *sal_cli_verb(int index);
const sal_verb *sal_cli_find_verb(const char *name);
/* The verb that was probably meant, or NULL. */
const char *sal_cli_nearest_verb(const char *name);

/* ---- arguments (arguments.c) ---- */

/* False after a message; then the exit code is SAL_EXIT_USAGE (or what memory deserves). Free whatever is returned. */
bool sal_arguments_parse(sal_arguments *a, int argc, char **argv);
void sal_arguments_free(sal_arguments *a);
/* Usage of a verb, or of all where verb is NULL. */
void sal_cli_usage(FILE *out, const sal_verb *verb);

/* ---- what verbs share (common.c) ---- */

/* One line "saltus: .." on standard error. */
void sal_cli_say(const char *format, ...) SAL_PRINTF(1, 2);
/* The exit code of a failed call, after its message; with --json also as an object on standard output. */
int sal_cli_fail(const sal_arguments *a, sal_status status, const sal_err *err);
/* Shows what a reader found, errors and warnings; `status` as it returned. SAL_EXIT_OK if that was SAL_OK. */
int sal_cli_show(const sal_arguments *a, sal_status status, sal_diag *diag, const sal_err *err);
/* Text to a file, or to standard output where path is NULL. */
int sal_cli_write(const sal_arguments *a, const sal_text *text, const char *path);
/* A problem, a sweep, a model, or a result (a file, or the folder of a solve) named by the first argument. */
int sal_cli_read_problem(const sal_arguments *a, sal_problem **p);
int sal_cli_read_sweep(const sal_arguments *a, sal_sweep **s);
int sal_cli_read_model(const sal_arguments *a, const char *path, sal_model **m);
/* How the command line wants models to be read. */
sal_load_options sal_cli_load_options(const sal_arguments *a);
int sal_cli_read_result(const sal_arguments *a, const char *path, sal_result **result);

typedef enum sal_kind { SAL_KIND_PROBLEM, SAL_KIND_MODEL, SAL_KIND_RESULT } sal_kind;

/* What kind of file it is, by its content. */
int sal_cli_sniff(const sal_arguments *a, const char *path, sal_kind *kind);

/* ---- results (result_json.c) ---- */

void sal_cli_result_json(sal_json *json, const sal_result *result, const char *path);
/* A few lines on standard error; verbose: also what of the diagnosis is only good to know. */
void sal_cli_result_lines(const sal_result *result, bool verbose);
/* And what the time of the start that won went into. */
void sal_cli_work_lines(const sal_result *result);

/* ---- identifications (identification.c) ---- */

/* Parameters, channels, recordings, and what is to be said of them; lines of at most 100 columns. */
void sal_cli_identification_lines(sal_text *out, const sal_identification_result *e);
void sal_cli_identification_json(sal_json *json, const char *key,
                                 const sal_identification_result *e);

/* ---- progress (progress.c) ---- */

typedef struct sal_progress_view {
    bool terminal, colour, quiet, verbose;
    double begin; /* s of the monotonic clock */
    FILE *record; /* iterations.jsonl, or NULL */
    int nline;
} sal_progress_view;

/* What an earlier run left in the folder of a solve (resume.c). */
typedef enum sal_left { SAL_LEFT_NOTHING, SAL_LEFT_CHECKPOINT, SAL_LEFT_RESULT } sal_left;

/* `checkpoint` and `result` (a path) are where they would be; *r is the result where that is what is left. Faults say what is wrong with either. */
sal_status sal_cli_look(const sal_problem *p, const char *checkpoint, const char *result,
                        sal_left *left, sal_result **r, sal_err *err);
/* Cuts a record of iterations back to those that the checkpoints know. *seconds: when the last of them was. */
sal_status sal_cli_cut_record(const sal_problem *p, const char *checkpoint, const char *record,
                              double *seconds, sal_err *err);

void sal_progress_begin(sal_progress_view *view, const sal_arguments *a);
/* For sal_watch: writes a line for every accepted linearisation; false once SIGINT or SIGTERM has come. */
bool sal_progress_step(void *user, int start, const sal_progress *p);
void sal_progress_end(sal_progress_view *view);
/* From here on SIGINT and SIGTERM are noted instead of ending the program; a second one ends it. */
void sal_cli_catch_stop(void);
bool sal_cli_stop_asked(void);
/* Seconds of the monotonic clock. */
double sal_cli_now(void);

#endif
