/* The table of verbs. */
#include "cli/cli.h"

#include <string.h>

/* What a verb takes */
#define OPTIONS(...)                                                                               \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define TAKES(option) [option] = true
#define ALWAYS                                                                                     \
    TAKES(CLI_OPT_QUIET), TAKES(CLI_OPT_VERBOSE), TAKES(CLI_OPT_COLOR), TAKES(CLI_OPT_HELP)
#define FILES ALWAYS, TAKES(CLI_OPT_MAXSIZE)
#define READS FILES, TAKES(CLI_OPT_SET), TAKES(CLI_OPT_COMPAT)

static const cli_verb verbs[CLI_NVERB] = {
    [CLI_VERB_SOLVE] =
        {"solve", "PROBLEM", 1, 1,
         OPTIONS(READS, TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_THREADS), TAKES(CLI_OPT_RESUME),
                 TAKES(CLI_OPT_JSON), TAKES(CLI_VERB_RANKS)),
         "find the motion that a problem file describes",
         "The result is a folder, by default NAME.saltus: result.h5, run.json (arguments, threads, "
         "time) and\niterations.jsonl (progress). Ctrl-C stops the search and saves the best "
         "motion so far as the result;\n--resume continues from there, or after a crash.",
         "saltus solve examples/walker_walk.xml\n"
         "saltus solve walk.xml --set term[effort]/weight=2 --threads 4 -o walk2.saltus"},
    [CLI_VERB_HARDEN] =
        {"harden", "RESULT", 1, 1,
         OPTIONS(FILES, TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_TIMESTEP), TAKES(CLI_OPT_REFINE),
                 TAKES(CLI_OPT_CONTACT), TAKES(CLI_OPT_WIDTH), TAKES(CLI_OPT_DMAX),
                 TAKES(CLI_OPT_IMPRATIO), TAKES(CLI_OPT_TIMECONST), TAKES(CLI_OPT_PROBLEM),
                 TAKES(CLI_OPT_THREADS), TAKES(CLI_OPT_JSON)),
         "bring a solved motion to more steps, to harder contacts, or into the model as it is",
         "The search begins with the motion of RESULT, a folder of `saltus solve` or its "
         "result.h5, and stays near its optimum. What is\nnot asked for stays as it was. "
         "--contact model --timestep model: the model as its file has it.\nThe result is a folder, "
         "by default NAME.hard.saltus. Ctrl-C stops the search and saves the hardest motion so "
         "far.",
         "saltus harden walk.saltus --contact model --timestep model"},
    [CLI_VERB_PREDICT] =
        {"predict", "FILE", 1, 1,
         OPTIONS(READS, TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_PROBLEM), TAKES(CLI_OPT_THREADS),
                 TAKES(CLI_OPT_JSON)),
         "predict the recordings of an identification, with parameters that are given",
         "FILE is a problem with <estimate>: its parameters have the values of `value`, or of "
         "--set. Or it is a result of one, whose\nvalues are taken. Nothing is estimated but the "
         "state with which each prediction begins, from the first samples of the\nrecording. The "
         "result is a folder, by default NAME.predict.saltus.",
         "saltus predict identify_arm.saltus --problem other_day.xml"},
    [CLI_VERB_SWEEP] =
        {"sweep", "SWEEP", 1, 1,
         OPTIONS(READS, TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_WORKERS), TAKES(CLI_OPT_THREADS),
                 TAKES(CLI_OPT_MEMORY), TAKES(CLI_OPT_SHARD), TAKES(CLI_OPT_STATUS),
                 TAKES(CLI_OPT_PATIENCE), TAKES(CLI_OPT_SYNC), TAKES(CLI_OPT_JSON),
                 TAKES(CLI_VERB_RANKS)),
         "solve one problem under many settings, given by a sweep file",
         "Results go to a folder, by default NAME.sweep; `saltus table` shows them. Started again, "
         "the sweep continues: finished\ncells are kept, also after a crash, a full disk or a "
         "change of the file. --threads counts the threads of all cells together.\nUnder mpirun, "
         "the first rank distributes the cells; each other rank solves one cell at a time (or -j), "
         "with --threads threads.\nsaltus sweep --status DIR shows the progress of the sweep in "
         "that folder.",
         "saltus sweep speeds.xml -j 4\n"
         "mpirun -n 9 saltus sweep speeds.xml\n"
         "saltus sweep --status speeds.sweep"},
    [CLI_VERB_NEW] =
        {"new", "MODEL", 1, 1,
         OPTIONS(FILES, TAKES(CLI_OPT_COMPAT), TAKES(CLI_OPT_TASK), TAKES(CLI_OPT_SPEED),
                 TAKES(CLI_OPT_DIRECTION), TAKES(CLI_OPT_TURN), TAKES(CLI_OPT_SECONDS),
                 TAKES(CLI_OPT_FINISH), TAKES(CLI_OPT_NO_FINISH), TAKES(CLI_OPT_OUTPUT)),
         "write a commented problem file for a model, ready to solve",
         "Without -o the file goes to standard output; its path of the model is the one given "
         "here.\n"
         "Tasks: walk, run, trot, pace, bound, hop (these travel), stand, jump, get-up, "
         "reach (an arm), "
         "move (from keyframe to keyframe).\nWhat was found (feet) and what was not (a mirror "
         "image) is said on standard error and in the file.",
         "saltus new robot.xml --task walk --speed 1 -o walk.xml && saltus solve walk.xml"},
    [CLI_VERB_FOLLOW] =
        {"follow", "CLIP", 1, 1,
         OPTIONS(FILES, TAKES(CLI_OPT_COMPAT), TAKES(CLI_OPT_ROBOT), TAKES(CLI_OPT_PERSON),
                 TAKES(CLI_OPT_RATE), TAKES(CLI_OPT_TIMESTEP), TAKES(CLI_OPT_FORMAT),
                 TAKES(CLI_OPT_CLIP), TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_SWEEP),
                 TAKES(CLI_OPT_PLATES)),
         "write a problem file in which a robot or a person follows a recorded motion",
         "CLIP holds the pose of the robot's root (place, and quaternion or three angles) and the "
         "angles of its joints: csv\n(with names of columns or without), json, npz, pkl, h5, mat, "
         "mot, sto; or the rotations of a skeleton whose joints\nare the robot's: bvh.\n"
         "Which column is what, units, the order of the quaternion, the axis that is up, and the "
         "floor are found, and said\non standard error and in the file. Without -o the file goes "
         "to standard output. Where poses are no columns of\nCLIP (three angles, bvh), they are "
         "written as a table, OUT_recording.csv, beside -o OUT.xml.\n--sweep: CLIP is a folder, or "
         "a .pkl, .h5 or .mat of several recordings; -o DIR gets a problem for them and a\nsweep "
         "over them, with a table of recordings and motions.\n--person: CLIP holds "
         "markers (.trc, .c3d), and MODEL is what `saltus person` made of them.\n"
         "--plates: no problem file, but -o OUT.h5, the result of inverse dynamics with these "
         "measured forces (.mot, .sto, .csv, .c3d).",
         "saltus follow walk.csv --robot robot.xml -o walk.xml && saltus solve walk.xml"},
    [CLI_VERB_PERSON] =
        {"person", "MARKERS...", 1, CLI_FILES_MAX,
         OPTIONS(FILES, TAKES(CLI_OPT_MASS), TAKES(CLI_OPT_HEIGHT), TAKES(CLI_OPT_STATIC),
                 TAKES(CLI_OPT_MARKERS), TAKES(CLI_OPT_OUTPUT)),
         "make a model of a person from the markers that he or she wore",
         "Lengths, places of markers and soles are those that fit the recordings best. Markers are "
         "known by the names of the usual sets;\nothers are said and left out, or named by "
         "--markers. Without -o the model goes to standard output.",
         "saltus person walk.trc jump.trc --static standing.trc --mass 71.5 -o person.xml"},
    [CLI_VERB_CHECK] = {"check", "FILE", 1, 1,
                        OPTIONS(READS, TAKES(CLI_OPT_DERIVATIVES), TAKES(CLI_OPT_JSON)),
                        "report all errors of a problem or model at once, and its sizes",
                        "--derivatives compares the Jacobian at the first guess with centred "
                        "finite differences of the residuals, and the\nanalytic derivatives, entry "
                        "by entry, with centred finite differences of every step.",
                        "saltus check walk.xml"},
    [CLI_VERB_INFO] = {"info", "FILE", 1, 1,
                       OPTIONS(READS, TAKES(CLI_OPT_JSON), TAKES(CLI_OPT_PLATES)),
                       "show the figures of a model, problem or result", NULL,
                       "saltus info robot.xml\n"
                       "saltus info walk.saltus --json"},
    [CLI_VERB_CONVERT] =
        {"convert", "MODEL", 1, 1, OPTIONS(READS, TAKES(CLI_OPT_OUTPUT)),
         "write a model, MJCF or URDF, as one flat MJCF file",
         "The file stands alone: classes and includes are resolved, fixed links fused, meshes "
         "written into it with their vertices.\nHere and in MuJoCo it loads as the same model. "
         "Left out is what is only drawn (materials, lights). Without -o it goes\nto standard "
         "output. --set and --compat change the model first.",
         "saltus convert robot.urdf -o robot.xml && saltus info robot.xml"},
    [CLI_VERB_IMPORT] =
        {"import", "FILE", 1, 1,
         OPTIONS(FILES, TAKES(CLI_OPT_FORMAT), TAKES(CLI_OPT_CLIP), TAKES(CLI_OPT_JSON)),
         "show what a file of recorded signals holds, and suggest a <data> element for it",
         "Formats: csv, sto (and .mot), trc, bvh, npz, c3d; chosen by the ending of the name, or "
         "by --format. Guesses are marked as guesses.",
         "saltus import walk.c3d"},
    [CLI_VERB_INVERSE] = {"inverse", "MODEL STATES.csv", 2, 2,
                          OPTIONS(READS, TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_FULL),
                                  TAKES(CLI_OPT_CONTACTMODEL), TAKES(CLI_OPT_KAPPA),
                                  TAKES(CLI_OPT_VBARRIER)),
                          "compute the forces of a recorded motion, or of independent states",
                          "Columns of STATES.csv: time and qpos0.. (a motion), or qpos0.. qvel0.. "
                          "qacc0.. (independent states), or qpos:JOINT[:k].\nWith --full and -o "
                          "OUT.csv the contacts are written to OUT.contacts.csv.",
                          "saltus inverse robot.xml states.csv -o forces.csv"},
    [CLI_VERB_SIMULATE] =
        {"simulate", "MODEL", 1, 1,
         OPTIONS(READS, TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_TIME), TAKES(CLI_OPT_CONTROLS),
                 TAKES(CLI_OPT_INTERPOLATE), TAKES(CLI_OPT_KEY), TAKES(CLI_OPT_FWDINV),
                 TAKES(CLI_OPT_CONTACTMODEL), TAKES(CLI_OPT_KAPPA), TAKES(CLI_OPT_VBARRIER),
                 TAKES(CLI_OPT_SOLVER), TAKES(CLI_OPT_JSON)),
         "simulate a model under given controls",
         "-o OUT.csv: a table of time, qpos0.., qvel0.., ctrl0.., sensordata0..; "
         "-o OUT.h5: a result, which `saltus report` can show. Without -o\nthe "
         "table goes to standard output. Columns of the control table: time (or "
         "one row for each step) and ctrl0.., or names of actuators.",
         "saltus simulate robot.xml --time 2 -o fall.h5 && saltus report fall.h5"},
    [CLI_VERB_REPLAY] =
        {"replay", "RESULT", 1, 1,
         OPTIONS(READS, TAKES(CLI_OPT_MODEL), TAKES(CLI_OPT_TIME), TAKES(CLI_OPT_TOLERANCE),
                 TAKES(CLI_OPT_FEEDBACK), TAKES(CLI_OPT_PUSH), TAKES(CLI_OPT_NOISE),
                 TAKES(CLI_OPT_CONTACTMODEL), TAKES(CLI_OPT_KAPPA), TAKES(CLI_OPT_VBARRIER),
                 TAKES(CLI_OPT_FORCES), TAKES(CLI_OPT_JSON)),
         "simulate a result's motion forward and report how far from it the simulation gets",
         "Without --model: one step from every state, and a rollout, in the model of the result.\n"
         "--model MODEL: a rollout in this model. It needs the same joints and actuators, by name; "
         "--set and --compat change this model.\n--time S: a rollout of so many seconds; a cycle "
         "is repeated.\n--feedback: with the gains of `export --to gains`, so that it holds.\n"
         "--contact-model NAME: with this one in place of the result's.",
         "saltus replay walk.saltus --model robot.xml --time 10 --feedback"},
    [CLI_VERB_EXPORT] =
        {"export", "RESULT", 1, 1,
         OPTIONS(FILES, TAKES(CLI_OPT_TO), TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_RATE),
                 TAKES(CLI_OPT_CYCLES), TAKES(CLI_OPT_GAINS)),
         "write a result in a format of another program",
         "Formats:\n"
         "csv          a table of the motion, its forces and controls\n"
         "npz          all arrays of the result, for NumPy\n"
         "mjlab        a clip for the trackers of mjlab; beyondmimic: for those in Isaac Lab\n"
         "unitree      a table of root and joints, 30 Hz, no header\n"
         "sto, mot     OpenSim: states or coordinates, and in OUT_moments.sto and OUT_forces.mot "
         "moments and ground forces\n"
         "bvh          a skeleton that moves\n"
         "gltf         a scene that moves, with all geoms: OUT.glb for Blender, three.js\n"
         "mcap         messages of ROS 2 (/tf, /joint_states, /shapes, /contact/BODY): Foxglove, "
         "rerun\n"
         "gains        feedback that holds the motion, as a table (OUT.csv, or standard output) or "
         "within a copy of the result (OUT.h5)\n"
         "keyframe     a model for MuJoCo, with the rows of the motion as keyframes\n"
         "mjcf         the model of the motion; of an identification the user's with its "
         "parameters\n"
         "A mirrored cycle is written with both its halves, but for csv, npz and "
         "keyframe without --cycles.",
         "saltus export walk.saltus --to gltf -o walk.glb"},
    [CLI_VERB_REPORT] =
        {"report", "RESULT [RESULT]|DIR", 1, 2,
         OPTIONS(FILES, TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_PLATES), TAKES(CLI_OPT_PLOTS)),
         "write one self-contained HTML page about a result or a sweep",
         "DIR is the folder of a sweep, finished or not. Default of -o: page.html beside the "
         "result, or in DIR. -o NAME.svg writes a picture of the motion\ninstead, -o NAME.mp4 or "
         "NAME.gif a film of it (chromium and ffmpeg make it), --plots DIR all its plots, as files "
         "NAME.svg and\nNAME.pdf for papers (PDF where rsvg-convert is installed).\nTwo RESULTs: "
         "what differs, and both motions at the same time; default of -o: comparison.html beside "
         "the first.",
         "saltus report walk.saltus -o walk.html\n"
         "saltus report walk.saltus --plots figures\n"
         "saltus report walk.saltus -o walk.mp4"},
    [CLI_VERB_DIFF] = {"diff", "A B", 2, 2, OPTIONS(FILES, TAKES(CLI_OPT_JSON)),
                       "show where two results, problems or models differ",
                       "Exit code 0: equal; 1: different. Motions of different durations are "
                       "compared at equal fractions of the duration.",
                       "saltus diff walk.saltus walk2.saltus"},
    [CLI_VERB_TABLE] =
        {"table", "DIR", 1, 1,
         OPTIONS(FILES, TAKES(CLI_OPT_OUTPUT), TAKES(CLI_OPT_COLUMNS), TAKES(CLI_OPT_WHERE),
                 TAKES(CLI_OPT_BEST), TAKES(CLI_OPT_GROUP), TAKES(CLI_OPT_SORT),
                 TAKES(CLI_OPT_FORMAT)),
         "show the table of a sweep, finished or running",
         "A NAME is an axis, a figure of the results (cost, term[effort], speed), or one of point "
         "repeat status kind exit_code reason\ncell from motion tries seconds version; write "
         "figure:NAME for a figure that has the name of an axis. min: mean: median: max:\nstd: "
         "sum: count:NAME summarise the physical cells of a group; cells counts all its cells, n "
         "the physical ones, holes the others.\nLISTs are separated by commas. Default format: md "
         "on a terminal, else csv, or the ending of the file given with -o.\nExit code 6: some of "
         "the cells shown failed or are unsolved.",
         "saltus table speeds.sweep --where speed>=1 --sort cost --columns speed,cost"},
    [CLI_VERB_EXPLAIN] = {"explain", "[TOPIC]", 0, 1, OPTIONS(ALWAYS),
                          "explain an element, attribute, quantity, norm, verb or exit code",
                          "A TOPIC is a word (slip, norm, stalled, 4, solve) or an attribute of an "
                          "element (term/weight). Without a topic: list all.",
                          "saltus explain term/weight"},
    [CLI_VERB_SCHEMA] = {"schema", "", 0, 0, OPTIONS(ALWAYS, TAKES(CLI_OPT_OUTPUT)),
                         "write an XML Schema of problem files, for editors and validators", NULL,
                         "saltus schema -o saltus.xsd"},
    [CLI_VERB_HELP] = {"help", "[VERB]", 0, 1, OPTIONS(ALWAYS),
                       "show how the command or a verb is used", NULL, "saltus help solve"},
    [CLI_VERB_MANUAL] = {"manual", "[VERB]", 0, 1, OPTIONS(ALWAYS, TAKES(CLI_OPT_OUTPUT)),
                         "write the manual page of the command or of a verb, for man",
                         "They are installed with saltus: man saltus-solve.",
                         "saltus manual solve | man -l -"},
    [CLI_VERB_COMPLETION] =
        {"completion", "SHELL", 1, 1, OPTIONS(ALWAYS, TAKES(CLI_OPT_OUTPUT)),
         "write what a shell needs to complete verbs, options and files with the Tab key",
         "SHELL is bash, zsh or fish. What is written is installed with saltus; elsewhere put it "
         "where the shell looks for it.",
         "saltus completion bash -o ~/.local/share/bash-completion/completions/saltus\n"
         "saltus completion zsh -o ~/.zfunc/_saltus\n"
         "saltus completion fish -o ~/.config/fish/completions/saltus.fish"},
};

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

int cli_refuse_verb(const char *name)
{
    const char *nearest = cli_nearest_verb(name);
    cli_say("error: unknown verb '%.100s'%s%s%s", name, nearest == NULL ? "" : "; did you mean '",
            nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
    return CLI_EXIT_USAGE;
}
