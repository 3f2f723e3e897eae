/* The table of verbs. */
#include "cli/cli.h"

#include <string.h>

#define BIT(option) (1ULL << (option))
#define ALWAYS      (BIT(CLI_OPT_QUIET) | BIT(CLI_OPT_VERBOSE) | BIT(CLI_OPT_HELP))
#define READS       (ALWAYS | BIT(CLI_OPT_SET) | BIT(CLI_OPT_COMPAT))

/* clang-format off */
static const cli_verb verbs[CLI_NVERB] = {
    [CLI_VERB_SOLVE] = {"solve", "PROBLEM", 1, 1, READS | BIT(CLI_OPT_OUTPUT) | BIT(CLI_OPT_THREADS) | BIT(CLI_OPT_RESUME) | BIT(CLI_OPT_JSON) | CLI_VERB_RANKS,
     "find the motion a problem file asks for",
     "The result is a folder, NAME.saltus without -o: result.h5, run.json (arguments, threads, time) and\n"
     "iterations.jsonl (progress). Ctrl-C ends the search; the best motion so far is then the result, and\n"
     "--resume goes on from there, as after a crash."},
    [CLI_VERB_SWEEP] = {"sweep", "SWEEP", 1, 1,
     READS | BIT(CLI_OPT_OUTPUT) | BIT(CLI_OPT_WORKERS) | BIT(CLI_OPT_THREADS) | BIT(CLI_OPT_MEMORY) | BIT(CLI_OPT_SHARD) |
         BIT(CLI_OPT_STATUS) | BIT(CLI_OPT_PATIENCE) | BIT(CLI_OPT_JSON) | CLI_VERB_RANKS,
     "solve one problem under many settings, as a sweep file says",
     "Results go to a folder, NAME.sweep without -o; `saltus table` shows them. Started again, it goes on: what is finished and\n"
     "whole is kept, after a crash, a full disk or a change of the file too. --threads are those of all cells together.\n"
     "Started by mpirun, the first rank leads and each other solves one cell at a time, or -j; --threads are then those of each rank.\n"
     "saltus sweep --status DIR: how far the sweep in that folder is."},
    [CLI_VERB_NEW] = {"new", "MODEL", 1, 1, ALWAYS | BIT(CLI_OPT_COMPAT),
     "a commented problem file for a model, to begin with",
     "It goes to standard output, and names the model as the command line does: saltus new robot.xml > walk.xml\n"
     "What travels on feet gets a cycle (mirrored, where the model is its own mirror image), the rest an open motion."},
    [CLI_VERB_CHECK] = {"check", "FILE", 1, 1, READS | BIT(CLI_OPT_DERIVATIVES) | BIT(CLI_OPT_JSON),
     "all errors of a problem or model at once, and its sizes",
     "--derivatives compares the Jacobian at the first guess with centred differences of the residuals and, where it\n"
     "is exact, entry by entry with centred differences of every step."},
    [CLI_VERB_INFO] = {"info", "FILE", 1, 1, READS | BIT(CLI_OPT_JSON),
     "a model, problem or result in figures", NULL},
    [CLI_VERB_IMPORT] = {"import", "FILE", 1, 1, ALWAYS | BIT(CLI_OPT_FORMAT) | BIT(CLI_OPT_JSON),
     "what a file of recorded signals holds, and how to write it into <data>",
     "Formats: csv, sto (and .mot), trc, bvh, npz, c3d; by the ending of the name, or --format. What is guessed is said to be."},
    [CLI_VERB_INVERSE] = {"inverse", "MODEL STATES.csv", 2, 2, READS | BIT(CLI_OPT_OUTPUT) | BIT(CLI_OPT_FULL),
     "forces of a recorded motion, or of independent states",
     "The columns of STATES.csv: time and qpos0.. (a motion), or qpos0.. qvel0.. qacc0.. (states), or qpos:JOINT[:k].\n"
     "With --full and -o OUT.csv the contacts go to OUT.contacts.csv."},
    [CLI_VERB_SIMULATE] = {"simulate", "MODEL", 1, 1,
     READS | BIT(CLI_OPT_OUTPUT) | BIT(CLI_OPT_TIME) | BIT(CLI_OPT_CONTROLS) | BIT(CLI_OPT_INTERPOLATE) | BIT(CLI_OPT_KEY) |
         BIT(CLI_OPT_FWDINV) | BIT(CLI_OPT_JSON),
     "step a model through time under given controls",
     "-o OUT.csv: a table of time, qpos0.., qvel0.., ctrl0.., sensordata0..; -o OUT.h5: a result, which report plays. Without -o the\n"
     "table goes to standard output. The columns of CSV: time (or a row for every step) and ctrl0.., or names of actuators."},
    [CLI_VERB_REPLAY] = {"replay", "RESULT", 1, 1, ALWAYS | BIT(CLI_OPT_FORCES) | BIT(CLI_OPT_JSON),
     "step a motion through forward dynamics; one-step and rollout errors", NULL},
    [CLI_VERB_EXPORT] = {"export", "RESULT", 1, 1, ALWAYS | BIT(CLI_OPT_TO) | BIT(CLI_OPT_OUTPUT),
     "a result in another format: --to csv, or mjcf: the model file with what was identified", NULL},
    [CLI_VERB_REPORT] = {"report", "RESULT|DIR", 1, 1, ALWAYS | BIT(CLI_OPT_OUTPUT),
     "one self-contained page about a result, or about a whole sweep",
     "DIR is the folder of a sweep, finished or not. Without -o: page.html beside the result, or in DIR."},
    [CLI_VERB_DIFF] = {"diff", "A B", 2, 2, ALWAYS | BIT(CLI_OPT_JSON),
     "where two results, problems or models differ",
     "Exit code 0: they are equal; 1: they differ. Motions of different lengths are compared by their shares of the duration."},
    [CLI_VERB_TABLE] = {"table", "DIR", 1, 1,
     ALWAYS | BIT(CLI_OPT_OUTPUT) | BIT(CLI_OPT_COLUMNS) | BIT(CLI_OPT_WHERE) | BIT(CLI_OPT_BEST) | BIT(CLI_OPT_GROUP) | BIT(CLI_OPT_SORT) |
         BIT(CLI_OPT_FORMAT),
     "the table of a sweep, finished or running",
     "A NAME is an axis, a figure of results (cost, term[effort], speed), or point repeat status kind exit_code reason cell from\n"
     "motion tries seconds version; figure:NAME the figure where an axis shares its name. min: mean: median: max: std: sum: count:\n"
     "NAME are over the physical cells of a group; cells, n, holes: how many it has, how many are physical, what the others are.\n"
     "LISTs are separated by commas. Without --format: md on a terminal, else csv, or what -o ends in.\n"
     "Exit code 6: among the cells shown are some without a solution."},
    [CLI_VERB_EXPLAIN] = {"explain", "[TOPIC]", 0, 1, ALWAYS,
     "what an element, attribute, quantity, norm, verb or exit code means",
     "A TOPIC is a word (slip, norm, stalled, 4, solve) or an attribute of an element (term/weight). Without one: all topics."},
    [CLI_VERB_SCHEMA] = {"schema", "", 0, 0, ALWAYS | BIT(CLI_OPT_OUTPUT),
     "an XML Schema of problem files, for editors and validators", NULL},
    [CLI_VERB_HELP] = {"help", "[VERB]", 0, 1, ALWAYS,
     "how the command, or a verb, is used", NULL},
};
/* clang-format on */

const cli_verb *cli_verb_at(int index)
{
    return index < CLI_NVERB ? &verbs[index] : NULL;
}

cli_verb_id cli_id_of_verb(const cli_verb *verb)
{
    return (cli_verb_id)(verb - verbs);
}

const cli_verb *cli_find_verb(const char *name)
{
    for (int i = 0; i < CLI_NVERB; i++) {
        if (strcmp(verbs[i].name, name) == 0) {
            return &verbs[i];
        }
    }
    return NULL;
}

const char *cli_nearest_verb(const char *name)
{
    const char *names[CLI_NVERB];
    for (int i = 0; i < CLI_NVERB; i++) {
        names[i] = verbs[i].name;
    }
    return sal_text_nearest(name, names, CLI_NVERB);
}
