#include "problems/language/grammar.h"

#include "optim/optim.h"
#include "problems/language/grammar_sweep.h"
#include "problems/problem.h"

const char prb_required[] = "required";

/* "|quadratic|l2..": words begin with a bar here, so that a list of ours makes them */
#define WORD(code, name, phi)  "|" name
#define NORM_WORDS             SAL_NORM_LIST(WORD)
#define PLAIN_WORD(code, name) "|" name
#define FACTOR_WORDS           SAL_FACTOR_LIST(PLAIN_WORD)
#define STEP_WORDS             SAL_STEP_LIST(PLAIN_WORD)
#define CONTACT_WORDS          SAL_CONTACT_LIST(PLAIN_WORD)

/* ---- the table ---- */

static const prb_rule problem_attr[] = {
    {"name", PRB_VAL_NAME, NULL, NULL,
     "Name of the problem and of the folder of its result. Default: the file's name without "
     "its ending."},
};

static const prb_rule model_attr[] = {
    {"file", PRB_VAL_FILE, NULL, prb_required,
     "The model file, in MJCF. Its path is relative to the problem file (on the command line: "
     "to the current folder)."},
    {"compat", PRB_VAL_CHOICE, "3.14|3.12|2.2.2", "3.14",
     "The version of MuJoCo whose behaviour the model has."},
};

static const prb_rule override_attr[] = {
    {"path", PRB_VAL_TEXT, NULL, prb_required,
     "The attribute of the model to change: `kind[name]/attribute`, `kind[#k]/attribute` or "
     "`kind/attribute`."},
    {"value", PRB_VAL_TEXT, NULL, prb_required, "The attribute's value, in MJCF."},
};

static const prb_rule time_attr[] = {
    {"nstep", PRB_VAL_WHOLE, "[3, 100000]", prb_required,
     "Number of time steps of the motion (of half a cycle if it is mirrored)."},
    {"duration", PRB_VAL_REAL, "(0, 10000]", prb_required,
     "s: duration of the motion (of half a cycle if it is mirrored). With `range`: the first "
     "guess."},
    {"range", PRB_VAL_RANGE, "(0, 10000]", NULL,
     "s: the duration is free within these bounds. Default: the duration is fixed."},
    {"refine", PRB_VAL_REALS, "[2, 1000]", NULL,
     "Solve with fewer steps first; each solution is the first guess of the next. `4 2`: with "
     "a quarter of the steps, then with half of them. At most four numbers."},
};

static const prb_rule boundary_attr[] = {
    {"type", PRB_VAL_CHOICE, "open|cycle", prb_required,
     "`open`: a motion from a start to an end. `cycle`: a periodic motion, whose end is its "
     "beginning moved by the travel."},
    {"mirror", PRB_VAL_NAMES, NULL, NULL,
     "Makes the second half of the cycle the mirror image of the first. Two words that "
     "distinguish left from right in the names of joints, such as `left_ right_`, or several such "
     "pairs: `FL FR; RL RR`."},
    {"mirrortol", PRB_VAL_REAL, "[0, 0.5]", "0.05",
     "With `mirror`: the largest difference between left and right of the model, relative to its "
     "scale. Smaller ones are averaged for the first half; the whole cycle is then corrected for "
     "the model as it is. 0: none is allowed."},
};

static const prb_rule travel_attr[] = {
    {"joint", PRB_VAL_NAME, NULL, NULL,
     "The slide or free joint that travels. Default: the only free joint."},
    {"direction", PRB_VAL_PAIR, "[-1e6, 1e6]", "1 0",
     "Free joint: direction of travel in the floor plane; its length does not matter."},
    {"speed", PRB_VAL_REAL, "[-1000, 1000]", NULL,
     "m/s: mean speed, which ties the travel to the duration."},
    {"value", PRB_VAL_REAL, "[-1e6, 1e6]", NULL,
     "m: travel of the motion (of half a cycle if it is mirrored)."},
    {"range", PRB_VAL_RANGE, "[-1e6, 1e6]", NULL,
     "m: the travel is free within these bounds. Without `speed`, `value` and `range` it is free."},
    {"turn", PRB_VAL_REAL, "[-100, 100]", NULL,
     "rad: for a free joint: the path is an arc that starts in the direction of travel and "
     "turns to the left by this angle; `speed`, `value` and `range` are measured along the "
     "arc."},
    {"turnrange", PRB_VAL_RANGE, "[-100, 100]", NULL,
     "rad: the turn is free within these bounds. First guess: `turn`, or else the middle of "
     "the bounds."},
};

static const prb_rule endpoint_attr[] = {
    {"joint", PRB_VAL_NAMES, NULL, NULL,
     "The joints to pin, in the order of the numbers in `qpos` and `qvel`. Default: all "
     "joints."},
    {"key", PRB_VAL_NAME, NULL, NULL,
     "A keyframe of the model, to which positions and velocities are pinned."},
    {"file", PRB_VAL_FILE, NULL, NULL,
     "A table (CSV) of states. The joints it contains are pinned to one of its rows. Columns: "
     "`qpos0`.. or `qpos:JOINT[:k]`, `qvel0`.. or `qvel:JOINT[:k]`."},
    {"result", PRB_VAL_FILE, NULL, NULL,
     "A result (`result.h5`), to one of whose states the joints of the same names are pinned."},
    {"row", PRB_VAL_WHOLE, "[0, 1e9]", NULL,
     "For `file` and `result`: the row, counted from 0. Without `row` and `time`: the first "
     "row in `<start>`, the last in `<end>`."},
    {"time", PRB_VAL_REAL, "[-1e9, 1e9]", NULL,
     "s: for `file` and `result`: the time of the state, interpolated between rows."},
    {"fixed", PRB_VAL_CHOICE, "all|qpos|qvel", "all", "What `key`, `file` or `result` pins."},
    {"qpos", PRB_VAL_REALS, "[-1e6, 1e6]", NULL, "rad, m: pins all positions."},
    {"qvel", PRB_VAL_REALS, "[-1e6, 1e6]", NULL,
     "rad/s, m/s: pins all velocities; a single number applies to all."},
};

/* What terms, constraints and inputs are about: one quantity of the LIST, .. */
#define QUANTITY_RULE(code, name, value, doc) {name, PRB_VAL_##value, NULL, NULL, doc},
#define QUANTITY_RULES(LIST)                                                                       \
    LIST(QUANTITY_RULE){                                                                           \
        "of", PRB_VAL_CHOICE, "pos|vel|acc", "pos",                                                \
        "For `joint`, `com`, `tendon`: position, velocity or acceleration (not for tendons)."},    \
        {"with", PRB_VAL_NAMES, NULL, NULL,                                                        \
         "For `contact`, `cop`: count only contacts with these geoms or bodies."},                 \
        {"sum", PRB_VAL_CHOICE, "false|true", "false",                                             \
         "For `normal`, `contact`, `power`: take the sum over the objects instead of each one."},  \
        {"near", PRB_VAL_CHOICE, "height|force", "height",                                         \
         "`slip`, `impact`: nearness 1/(1 + exp(z/width)) by the point's height z over the "       \
         "floor, or 1 − exp(−N/(0.1 W)) by the normal "                                        \
         "force N on its geom, W the weight of the mechanism."},                                   \
        {"width", PRB_VAL_REAL, "[1e-5, 10]", "0.015", "m: width of the nearness by height."},     \
        {"component", PRB_VAL_NAMES, NULL, NULL,                                                   \
         "The components of the quantity that count: numbers from 0, counted over all objects, "   \
         "or x, y, z: numbers 0, 1, 2 of each object. Default: all."},

/* .. its target, and its instants. */
#define FEATURE_RULES                                                                              \
    QUANTITY_RULES(PRB_QUANTITY_LIST){                                                             \
        "target", PRB_VAL_REALS, "[-1e9, 1e9]", "0",                                               \
        "The value that is subtracted from the quantity; a single number applies to all. With "    \
        "`times`: one row of numbers for each time. For `orientation`: four numbers for each "     \
        "body, default 1 0 0 0. Not for `slip`, `impact`, `flat`, `level`, whose target is 0."},   \
        {"times", PRB_VAL_REALS, "[0, 10000]", NULL,                                               \
         "s: `target` has one row of numbers for each of these times; interpolated linearly, "     \
         "constant outside. Times of the duration as given: a free duration stretches them."},     \
        {"file", PRB_VAL_FILE, NULL, NULL,                                                         \
         "A table (CSV) with the columns `time` and those of the target; interpolated linearly, "  \
         "constant outside. Its path is relative to the problem file (on the command line: to "    \
         "the current folder)."},                                                                  \
        {"columns", PRB_VAL_NAMES, NULL, NULL,                                                     \
         "The columns of `file` that give the target, in the order of the quantity's components. " \
         "Default: all columns except `time`."},                                                   \
        {"at", PRB_VAL_NAMES, NULL, NULL,                                                          \
         "Instants at which the quantity counts: `start`, `end`, or times in s (of the duration "  \
         "as given), rounded to the nearest step. Without `at`, `window`, `steps`: every step."},  \
        {"window", PRB_VAL_RANGE, "[0, 10000]", NULL,                                              \
         "s: the quantity counts from the first to the second time."},                             \
        {"steps", PRB_VAL_REALS, "[0, 100000]", NULL, "Steps at which the quantity counts."},      \
        {"mean", PRB_VAL_CHOICE, "false|true", "false",                                            \
         "Use the mean of the quantity over its instants, minus `target`."},

static const prb_rule term_attr[] = {
    {"name", PRB_VAL_NAME, NULL, prb_required,
     "Names the term in results and in paths (`term[effort]/weight`)."},
    {"data", PRB_VAL_NAMES, NULL, NULL,
     "These channels of `<data>`, or `all`: difference between the model and the recording, "
     "divided by the channel's sigma. Each channel gives one term `NAME:CHANNEL`."},
    FEATURE_RULES{"weight", PRB_VAL_REAL, "[0, 1e12]", "1",
                  "Factor of the norm. The cost of a term is weight × mean over its instants of "
                  "norm(residual)."},
    {"sigma", PRB_VAL_REAL, "[1e-6, 1e6]", NULL,
     "Instead of `weight`: the deviation that has the cost of norm(1); the weight is 1/sigma²."},
    {"softweight", PRB_VAL_REAL, "[0, 1e12]", NULL,
     "Weight while contacts are soft; it then changes geometrically to `weight`. Default: "
     "`weight` throughout."},
    {"norm", PRB_VAL_CHOICE, NORM_WORDS, "quadratic",
     "The function of the residual that is summed; see below."},
    {"p", PRB_VAL_REAL, "(0, 1e6]", "0.1",
     "Parameter of the norm, in units of the residual (`power`: the exponent)."},
    {"q", PRB_VAL_REAL, "[1, 100]", "2", "Second parameter of `smoothabs2`."},
    {"per", PRB_VAL_CHOICE, "time|motion|distance", "time",
     "`time`: the mean over the instants; `motion`: that mean times the duration, which without "
     "`at`, `window`, `steps` is the integral over time; `distance`: the same divided by the "
     "travel."},
    {"tol", PRB_VAL_REAL, "(0, 1e6]", NULL,
     "Largest deviation of the quantity from `target` with which the motion is as asked, in the "
     "quantity's units. The search does not depend on it. Default: for a `target` with `at`, "
     "`steps` or `mean`, 5 % of its largest number, and at most 5 % of the quantity's natural "
     "unit; else any deviation."},
};

static const prb_rule constraint_attr[] = {
    {"name", PRB_VAL_NAME, NULL, prb_required,
     "Names the constraint in results and in paths (`constraint[reach]/tol`)."},
    FEATURE_RULES{
        "range", PRB_VAL_TEXT, NULL, NULL,
        "Lower and upper bound of the quantity; -inf or inf for no bound. `model` (for `joint` "
        "positions, `ctrl`, `force`): the ranges in the model. Without `range` the quantity must "
        "equal `target`."},
    {"tol", PRB_VAL_REAL, "(0, 1e6]", NULL,
     "The largest violation allowed, in the quantity's units. Default: one millionth of the "
     "quantity's natural unit."},
};

static const prb_rule function_attr[] = {
    {"name", PRB_VAL_NAME, NULL, prb_required,
     "Names the function, which the program that solves the problem gives under this name "
     "(`sal_problem_options` in C, `functions=` in Python)."},
};

static const prb_rule input_attr[] = {QUANTITY_RULES(PRB_MODEL_QUANTITY_LIST)};

static const prb_rule require_attr[] = {
    {"penetration", PRB_VAL_REAL, "(0, 1000]", NULL,
     "m: the deepest penetration of a contact is at most this (the figure `penetration`)."},
    {"ownpenetration", PRB_VAL_REAL, "(0, 1000]", NULL,
     "m: the same of a motion with the model's own contacts (`finish`, or `contact=\"model\"`), "
     "which may be softer than those of the smoothing table. Default: as `penetration`."},
    {"slip", PRB_VAL_REAL, "(0, 1000]", NULL,
     "m/s: the speed at which contacts slide under load, its mean weighted by normal force, is at "
     "most this (the figure `slip`)."},
    {"load", PRB_VAL_REAL, "(0, 1e6]", NULL,
     "Weights of the mechanism: the sum of the normal forces from what cannot move is at most "
     "this at every step (the figure `peak_load`)."},
    {"only", PRB_VAL_NAMES, NULL, NULL,
     "Only these geoms or bodies touch what cannot move, such as the floor."},
    {"selfcontact", PRB_VAL_CHOICE, "true|false", "true",
     "`false`: no two bodies of the same kinematic tree touch each other."},
    {"rest", PRB_VAL_REAL, "(0, 1]", NULL,
     "Where an end of an open motion is pinned at rest (all velocities are 0), contacts carry the "
     "weight of what no joint holds to within this, in such weights: at the top of a hop "
     "velocities are 0 too. Trees count that have a free joint, or a vertical slide without motor, "
     "spring and range."},
    {"bound", PRB_VAL_CHOICE, "true|false", "true",
     "`false`: a free duration, travel or turn is not at an end of its range."},
};

static const prb_rule init_attr[] = {
    {"key", PRB_VAL_NAME, NULL, NULL,
     "The keyframe whose pose the first guess keeps, moved along the travel. Default: the "
     "model's home pose."},
    {"qpos", PRB_VAL_REALS, "[-1e6, 1e6]", NULL,
     "rad, m: the pose to keep, instead of a keyframe."},
    {"keys", PRB_VAL_NAMES, NULL, NULL,
     "Keyframes through which the first guess passes in this order; a cycle then returns to "
     "the image of the first. They take precedence over `key` and `qpos`."},
    {"times", PRB_VAL_REALS, "[0, 10000]", NULL,
     "s: times at which it passes `keys`. Default: evenly spaced."},
    {"file", PRB_VAL_FILE, NULL, NULL,
     "A table (CSV) of a motion, with the columns `time` and `qpos0`.. or `qpos:JOINT[:k]`, "
     "used from its first to its last row; joints without columns keep the pose."},
    {"result", PRB_VAL_FILE, NULL, NULL,
     "A result (`result.h5`) with the same joints; its number of steps, duration and travel "
     "may differ. A free duration or travel starts from the value of the result; with "
     "`speed`, a free duration starts from the value that gives the travel of the result. It "
     "takes precedence over `key` and `qpos`."},
    {"data", PRB_VAL_NAMES, NULL, NULL,
     "These channels of `<data>`, or `all`: the poses that fit recorded positions and joint "
     "angles best (inverse kinematics), starting from the pose of `key` or `qpos`."},
    {"noise", PRB_VAL_REAL, "[0, 10]", "0.02",
     "rad, m: half width of a uniform random offset, independent for each joint and step, "
     "except the root. Default with `file`, `result` and `data`: 0."},
    {"nstart", PRB_VAL_WHOLE, "[1, 10000]", "1",
     "Number of starts, each with different noise; the best physical result is kept, of those that "
     "are as asked if there are any."},
    {"more", PRB_VAL_WHOLE, "[0, 10000]", "8",
     "Number of further starts, with noise of at least 0.1 and 0.3 in turn. They are tried two at "
     "a time, as long as every start ends without a physical motion by itself; then starts are "
     "repeated from the ends of their paths, and with another damping. Default with `file`, "
     "`result` and `data`: 0."},
    {"seed", PRB_VAL_WHOLE, "[0, 4294967295]", "1", "Seed of the noise."},
    {"ground", PRB_VAL_CHOICE, "auto|true|false", "auto",
     "Lift or lower the root at every step until the lowest geom touches the floor. `auto`: "
     "in cycles, except with `file`, `result` and `data`."},
};

static const prb_rule solver_attr[] = {
    {"maxiter", PRB_VAL_WHOLE, "[1, 1000000]", "400", "Largest number of linearisations."},
    {"maxtime", PRB_VAL_REAL, "[0, 1e9]", "0", "s: largest time on the clock; 0: no limit."},
    {"tolerance", PRB_VAL_REAL, "(0, 1]", "0.001",
     "The search ends when the next step would lower the cost by a fraction of less than this."},
    {"contact", PRB_VAL_CHOICE, "table|model", "table",
     "The final contact model. `table`: that of the smoothing table, which replaces cone, "
     "impratio, solref, solimp, margin and gap of contacts and joint limits. `model`: the "
     "model's own."},
    {"contactmodel", PRB_VAL_CHOICE, CONTACT_WORDS, "soft",
     "Which force contacts, limits, friction and equalities exert. `soft`: MuJoCo's. "
     "`logbarrier`: smooth, with a force before geoms touch. `convex`: as the limit of that "
     "without a barrier. `hard`: nothing penetrates at the end of a step, and nothing is lifted by "
     "sliding. `complementarity` and `diagonal` are for `saltus simulate` and `saltus inverse`: no "
     "search can follow them. With all but `soft`, the result replays in saltus only, the step is "
     "Euler's, and cone, impratio, solref and solimp do not matter."},
    {"kappa", PRB_VAL_REAL, "(0, 1e6]", NULL,
     "Weight of the final barrier. Of `logbarrier`, in J: geoms at rest are about kappa by their "
     "weight apart; half of the energy that all that moves has after one time step of free fall "
     "by default. Of `hard`, in N m s: they are kappa by the impulse of their weight in a time "
     "step apart; 0.5 mm for all on one point by default."},
    {"reach", PRB_VAL_REAL, "(0, 10]", NULL,
     "m, rad: how far apart geoms are, and from its limit a joint, where they begin to act with a "
     "contact model other than `soft`. It has to be more than they move in a time step: by "
     "default 5 m/s (a fall of 1.25 m) times the time step, and at least 0.02."},
    {"finish", PRB_VAL_CHOICE, "none|model|try", "none",
     "`model`: the motion that was found is brought into the model as it is: its own contacts, "
     "time step and integrator. The result is then that motion, with as many steps; where there is "
     "none, it is not as asked. `try`: the same where little work does it and the motion is as "
     "asked there, or nearer to that than the one that was found; else that one is kept, as "
     "without it."},
    {"smoothing", PRB_VAL_CHOICE, "auto", "auto",
     "How contacts become harder: along the smoothing table."},
    {"differences", PRB_VAL_CHOICE, "forward|centred", "forward",
     "Kind of finite differences: one-sided, or centred (more exact, twice the time)."},
    {"derivatives", PRB_VAL_CHOICE, "auto|analytic|fd", "auto",
     "How forces and sensors are differentiated. `auto`: analytically where possible, else by "
     "finite differences; `analytic`: only analytically, else an error; `fd`: only by finite "
     "differences."},
    {"increments", PRB_VAL_WHOLE, "[1, 100000]", "59",
     "Number of increments of the path from soft to hard contact; at most 10 are used if no "
     "geoms can touch."},
    {"softness", PRB_VAL_REAL, "[0, 1]", "1",
     "Softness at the beginning of the path: 1 soft, 0 hard. Use less, with fewer increments, "
     "if the first guess is good."},
    {"cap", PRB_VAL_REAL, "[0, 1000]", "0.15",
     "rad, m: largest change of a coordinate in one step; 0: no limit."},
    {"step", PRB_VAL_CHOICE, STEP_WORDS, "lm",
     "How steps are limited: by damping (`lm`, Levenberg-Marquardt) or by a trust region "
     "(Powell's dogleg)."},
    {"factor", PRB_VAL_CHOICE, FACTOR_WORDS, "auto",
     "How the linear systems are factorised: by dense blocks of time steps (`banded`), for "
     "any pattern (`cholmod`), or the one that suits the pattern (`auto`)."},
};

static const prb_rule smoothing_attr[] = {
    {"width", PRB_VAL_RAMP, "(0, 10]", NULL,
     "m: penetration over which the impedance of contacts rises."},
    {"dmax", PRB_VAL_RAMP, "(0, 1)", NULL, "Impedance of contacts at that penetration."},
    {"timeconst", PRB_VAL_TIMES, "(0, 1000]", NULL,
     "s: time constant of contacts, at least two time steps. Default: 0.05; with a free "
     "duration, 2.2 time steps of the `duration` that the file gives. `2h`: two time steps, of "
     "the duration that is found."},
    {"impratio", PRB_VAL_RAMP, "(0, 1e6]", NULL, "Ratio of frictional to normal impedance."},
    {"sigma", PRB_VAL_RAMP, "(0, 1e9]", NULL,
     "m/s²: width in acceleration over which the force law is averaged; 0 at the end of the "
     "path."},
    {"dynamics", PRB_VAL_RAMP, "(0, 1e9]", NULL,
     "Weight of the unactuated force, divided by the force that accelerates its dof by 9.81 "
     "m/s² or rad/s² (at most the weight of the mechanism)."},
    {"acceleration", PRB_VAL_RAMP, "(0, 1e6]", NULL,
     "w in the regulariser (w a / 10)² of all accelerations a."},
};

static const prb_rule data_attr[] = {
    {"name", PRB_VAL_NAME, NULL, NULL, "Name for use in paths, if there are several."},
    {"file", PRB_VAL_NAMES, NULL, NULL,
     "The files of the recordings, one file for each, relative to the problem file (on the "
     "command line: to the current folder); patterns (`*`, `?`, `[..]`) match several, in the "
     "order of their names."},
    {"also", PRB_VAL_NAMES, NULL, NULL,
     "Files that another instrument recorded at the same time and with the same clock, one "
     "for each of `file`, in the same order. Their columns are interpolated linearly at the "
     "times of the first file."},
    {"index", PRB_VAL_FILE, NULL, NULL,
     "Instead of `file`: a table (CSV) whose column `file` names the files, relative to the "
     "table; optional columns are `also`, and `start` and `stop` in s."},
    {"where", PRB_VAL_TEXT, NULL, NULL,
     "For `index`: use only rows that satisfy all of these conditions, such as `mass>2 "
     "duplicate_of=''`; in XML write `&lt;` for `<`."},
    {"cluster", PRB_VAL_NAME, NULL, "file",
     "For `index`: the column that groups recordings whose errors may be correlated; a group "
     "is held out of the fit as a whole. `file`: each recording is a group."},
    {"skip", PRB_VAL_NAMES, NULL, NULL,
     "Files to leave out: names or patterns, without folder and ending."},
    {"format", PRB_VAL_CHOICE, "auto|csv|sto|trc|bvh|json|npz|pickle|hdf5|mat|c3d", "auto",
     "Format of the files. `auto`: by the ending of their names; `.txt` with an object is `json`."},
    {"clip", PRB_VAL_TEXT, NULL, NULL,
     "Which of several recordings in a file of Python, HDF5 or MATLAB is read, by its name."},
    {"time", PRB_VAL_NAME, NULL, NULL,
     "The column of the time. Default: the one the format defines, or a column `time` or `t`."},
    {"rate", PRB_VAL_REAL, "(0, 1e9]", NULL,
     "Samples per second, if there is no column of the time; if there is one, the rate is "
     "checked against it."},
    {"up", PRB_VAL_CHOICE, "z|y", NULL,
     "The axis of the recordings that points up; with y, (x, y, z) is converted to (x, -z, "
     "y). Required if a channel is a position, a pose or a force."},
    {"floor", PRB_VAL_REALS, "[-1e6, 1e6]", "0 0 0",
     "h sx sy (m, and two slopes): the floor of the recording is the plane z = h + sx x + sy y, "
     "after `up`. The recording is moved and turned so that it becomes z = 0."},
    {"belt", PRB_VAL_REALS, "[-100, 100]", "0 0",
     "vx vy (m/s), or vx: the recording was made on a belt (a treadmill), over which this is the "
     "velocity of walking, after `up` and `floor`; its surface moves by the opposite. What was "
     "recorded is moved along by this velocity, so that the belt rests."},
    {"from", PRB_VAL_REAL, "[-1e12, 1e12]", NULL, "s: use only samples from this time on."},
    {"to", PRB_VAL_REAL, "[-1e12, 1e12]", NULL, "s: use only samples up to this time."},
    {"rest", PRB_VAL_WHOLE, "[0, 1e6]", NULL,
     "Number of samples to keep after the last movement of more than 5 `sigma`. Default: all."},
    {"gap", PRB_VAL_REAL, "[0, 1e6]", "0",
     "s: longest gap of missing numbers. Missing samples are ignored; a longer gap is an error."},
    {"jump", PRB_VAL_REAL, "[0, 1e9]", "1",
     "Largest jump of a position or an angle between two samples, as a multiple of the jump "
     "that is taken for an error; 0: no limit."},
    {"onjump", PRB_VAL_CHOICE, "error|skip|drop", "error",
     "What is done about recordings with jumps. `error`: the problem is refused; all of them are "
     "named. `skip`: they are left out; a warning names them. `drop`: the numbers that are out of "
     "their place, for at most 0.5 s, are left out like missing ones (gaps may be so long then); a "
     "warning says so."},
    {"resample", PRB_VAL_REAL, "[0, 1e6]", "0",
     "Hz: samples are interpolated at this rate. Required if they are not evenly spaced. 0: they "
     "stay as they are."},
    {"lowpass", PRB_VAL_REAL, "[0, 1e6]", "0",
     "Hz: cut-off frequency of a Butterworth low-pass filter that runs forward and backward, "
     "without delay, over all channels except `ctrl`; at this frequency one half of the "
     "amplitude is left. 0: no filter."},
    {"order", PRB_VAL_WHOLE, "[2, 8]", "4",
     "Order of this filter in each direction: an even number."},
};

static const prb_rule channel_attr[] = {
    {"name", PRB_VAL_NAME, NULL, prb_required, "Names the channel, in paths and results."},
    {"body", PRB_VAL_NAME, NULL, NULL,
     "The channel measures the position of this body, or its pose: position and quaternion w "
     "x y z of its frame in the world."},
    {"joint", PRB_VAL_NAME, NULL, NULL,
     "The position or velocity (`of`) of this joint; for a ball joint the quaternion w x y z, "
     "or the angular velocity in its own axes."},
    {"sensor", PRB_VAL_NAME, NULL, NULL, "The reading of this sensor."},
    {"site", PRB_VAL_NAME, NULL, NULL, "The position of this site, as measured by a marker."},
    {"ctrl", PRB_VAL_NAME, NULL, NULL, "The control of this actuator, taken as known."},
    {"force", PRB_VAL_NAME, NULL, NULL,
     "A force on this body, taken as known, in world axes: three columns for the force at its "
     "centre of mass; three more for the point where it acts; three more for a torque."},
    {"columns", PRB_VAL_NAMES, NULL, prb_required,
     "The columns of the channel's numbers, or a marker, which has three."},
    {"units", PRB_VAL_NAMES, NULL, NULL,
     "Units of the columns: m, cm, mm, in, rad, deg, rev, m/s, cm/s, mm/s, rad/s, deg/s, rpm, "
     "m/s2, mm/s2, g, N, kN, Nm, Ncm, Nmm; for a `force` also those of its point and torque. "
     "Default: those given in the file, else SI and rad."},
    {"of", PRB_VAL_CHOICE, "pos|vel", "pos", "For `joint`: position or velocity."},
    {"unwrap", PRB_VAL_CHOICE, "false|true", "false",
     "For `joint`: make the angle continuous where it jumps by whole turns."},
    {"sigma", PRB_VAL_REALS, "(0, 1e9]", NULL,
     "Standard deviation of the measurement, in SI units and rad: one number, or one for each "
     "column; for a pose also two, for position and rotation. Required, except for `ctrl` and "
     "`force`, which have none."},
    {"norm", PRB_VAL_CHOICE, NORM_WORDS, "quadratic",
     "The norm of the difference between model and measurement, divided by `sigma`: of an angle, "
     "of a position with its rotation, .. A robust norm tolerates samples that are wrong."},
    {"p", PRB_VAL_REAL, "(0, 1e6]", "3",
     "Parameter of the norm, in units of `sigma` (`power`: the exponent)."},
    {"scale", PRB_VAL_REAL, "[-1e9, 1e9]", "1",
     "The measured value is scale × true value + offset; for a pose only the position."},
    {"offset", PRB_VAL_REAL, "[-1e9, 1e9]", "0", "See `scale`."},
    {"delay", PRB_VAL_REAL, "[-100, 100]", "0",
     "s: the measured value is the true value this much earlier."},
    {"lowpass", PRB_VAL_REAL, "[0, 1e6]", NULL,
     "Hz: used instead of `lowpass` of `<data>`; 0: no filter."},
};

static const prb_rule parameter_attr[] = {
    {"name", PRB_VAL_NAME, NULL, prb_required, "Names the parameter."},
    {"path", PRB_VAL_NAMES, NULL, prb_required,
     "What is estimated: `kind[name]/attribute` of the model, as in an override; for a body "
     "also `mass`, `com` and `inertia`; one of its numbers as `attribute[k]`; or "
     "`channel[name]/offset`, `scale` or `delay`. Several paths share the same parameter."},
    {"as", PRB_VAL_CHOICE, "value|scale|offset", "value",
     "`value`: the parameter replaces the attribute. `scale`: it multiplies the attribute's "
     "value in the model. `offset`: it is added to that value."},
    {"map", PRB_VAL_CHOICE, "linear|log|bounded", NULL,
     "What the search varies: the number itself, its logarithm (the number stays positive), "
     "or a map that keeps it inside `range`. Default: `log` for a scale, else `linear`."},
    {"value", PRB_VAL_REALS, "[-1e12, 1e12]", NULL,
     "The initial value. If there are fewer numbers than the attribute has, they are its "
     "first ones; a single number applies to all sizes of a box. Default: the value in the "
     "model."},
    {"range", PRB_VAL_RANGE, "[-1e12, 1e12]", NULL, "Bounds of each of the numbers."},
    {"prior", PRB_VAL_REALS, "[-1e12, 1e12]", NULL,
     "The value expected before any measurement (the mean of a prior), with `sigma`. Default: "
     "`value`."},
    {"sigma", PRB_VAL_REALS, "(0, 1e12]", NULL,
     "Standard deviation of the prior; of the logarithm with `log`. Default: there is no prior."},
    {"each", PRB_VAL_CHOICE, "once|recording", "once",
     "`once`: one value for all recordings. `recording`: each recording has its own value."},
};

static const prb_rule estimate_attr[] = {
    {"method", PRB_VAL_CHOICE, "full|fixed", "full",
     "`full`: the motions of all recordings are estimated together with the parameters. "
     "`fixed`: the motions are the interpolated data, and only parameters are estimated."},
    {"sigma", PRB_VAL_REAL, "(0, 1e9]", "0.3",
     "Standard deviation of the unactuated force at each dof and step, in the unit given by "
     "`unit`."},
    {"unit", PRB_VAL_CHOICE, "acceleration|force", "acceleration",
     "Unit of `sigma`: m/s² for the mass that a dof moves (rad/s² times its radius of "
     "gyration), or N and N m."},
    {"norm", PRB_VAL_CHOICE, NORM_WORDS, "cauchy",
     "The norm of the unactuated force divided by its sigma, taken for each joint."},
    {"p", PRB_VAL_REAL, "(0, 1e6]", "3",
     "Parameter of the norm: values beyond about this many sigma are treated as outliers."},
    {"maxiter", PRB_VAL_WHOLE, "[1, 1000000]", "1000",
     "Largest number of iterations of all stages together. The last stage has what the others "
     "leave "
     "of it; it ends by its `tolerance` as a rule."},
    {"substeps", PRB_VAL_WHOLE, "[1, 1000]", "1", "Time steps between samples."},
    {"holdout", PRB_VAL_REAL, "[0, 1)", "0",
     "Fraction of the clusters of recordings that is held out of the fit and predicted "
     "afterwards."},
    {"seed", PRB_VAL_WHOLE, "[0, 4294967295]", "1",
     "Seed of the choice of the clusters that are held out, and of those that a bootstrap draws."},
    {"errors", PRB_VAL_CHOICE, "sandwich|jackknife|bootstrap", "sandwich",
     "`jackknife`: also finds standard errors by fitting anew without each cluster of recordings; "
     "`bootstrap`: with clusters drawn at random, as many as there are."},
    {"resamples", PRB_VAL_WHOLE, "[20, 100000]", NULL,
     "How often a `bootstrap` draws and fits anew. Default: 100."},
    {"rollout", PRB_VAL_CHOICE, "held|all", "held",
     "Recordings that are predicted by forward simulation: those held out, or all of them."},
    {"samples", PRB_VAL_WHOLE, "[2, 100000]", "10",
     "A prediction starts from a state estimated from this many samples, or fewer if the "
     "first contact comes earlier."},
    {"predict", PRB_VAL_WHOLE, "[2, 100000]", NULL, "The older name of `samples`."},
};

static const prb_rule sigma_attr[] = {
    {"joint", PRB_VAL_NAMES, NULL, prb_required,
     "The joints that have this standard deviation, or `all`. Later elements take precedence."},
    {"value", PRB_VAL_REAL, "(0, 1e9]", prb_required,
     "Instead of `sigma` of `<estimate>`, and in its unit; with `of=\"range\"` a fraction. In a "
     "stage with another `sigma` it is multiplied in proportion."},
    {"of", PRB_VAL_CHOICE, "unit|range", "unit",
     "`range`: the standard deviation is this fraction of the largest force or torque that the "
     "model's actuators can produce at the joint. With `all`: at those joints that have one."},
};

static const prb_rule stage_attr[] = {
    {"sigma", PRB_VAL_REAL, "(0, 1e9]", NULL,
     "As in `<estimate>`, for this stage; in a `kinematic` stage the standard deviation of "
     "accelerations. Default: as in `<estimate>`."},
    {"softness", PRB_VAL_REAL, "[0, 1]", "0", "Softness of contacts: 1 soft, 0 as in the model."},
    {"norm", PRB_VAL_CHOICE, NORM_WORDS, NULL, "As in `<estimate>`. Default: as in `<estimate>`."},
    {"p", PRB_VAL_REAL, "(0, 1e6]", NULL, "As in `<estimate>`. Default: as in `<estimate>`."},
    {"substeps", PRB_VAL_WHOLE, "[1, 1000]", NULL,
     "As in `<estimate>`, and not more than there. Default: as in `<estimate>`."},
    {"dynamics", PRB_VAL_CHOICE, "full|kinematic", "full",
     "`kinematic`: inverse kinematics; forces are ignored and accelerations are kept small."},
    {"free", PRB_VAL_NAMES, NULL, NULL,
     "The parameters that are estimated in this stage. Default: all."},
    {"maxiter", PRB_VAL_WHOLE, "[0, 100000]", NULL,
     "Largest number of iterations. Default: 10; in the last stage what the others leave of "
     "`maxiter` of `<estimate>`."},
    {"tolerance", PRB_VAL_REAL, "(0, 1]", NULL,
     "The stage ends when the relative decrease of the cost is less than this twice in a row. "
     "Default: 1e-5; in the last stage 1e-7."},
};

#define ATTR(list) list, (int)(sizeof(list) / sizeof(list)[0])

static const prb_rules elements[] = {
    {"problem", "", 1, 1, false, ATTR(problem_attr),
     "The problem of finding a motion: the root element of the file."},
    {"model", "problem", 1, 1, false, ATTR(model_attr), "The model of the mechanism."},
    {"override", "problem", 0, 0, false, ATTR(override_attr),
     "A change to the model; the model file itself is not edited."},
    {"sensor", "problem", 0, 1, true, NULL, 0,
     "Sensors added to the model, written as in MJCF, for terms with the quantity `sensor`."},
    {"time", "problem", 1, 1, false, ATTR(time_attr),
     "The duration of the motion and its number of steps."},
    {"boundary", "problem", 1, 1, false, ATTR(boundary_attr),
     "The kind of motion (open or cycle) and its ends."},
    {"travel", "boundary", 0, 1, false, ATTR(travel_attr),
     "For a cycle: how far the mechanism travels."},
    {"start", "boundary", 0, 0, false, ATTR(endpoint_attr),
     "For an open motion: what is pinned at its first instant; the rest is free. Several "
     "elements pin different joints."},
    {"end", "boundary", 0, 0, false, ATTR(endpoint_attr),
     "For an open motion: what is pinned at its last instant; the rest is free. Several "
     "elements pin different joints."},
    {"cost", "problem", 1, 1, false, NULL, 0,
     "The cost of a motion: the sum of its terms, which is minimised."},
    {"term", "cost", 1, 0, false, ATTR(term_attr),
     "One term of the cost. It names exactly one quantity, from `ctrl` to `function` below."},
    {"constraints", "problem", 0, 1, false, NULL, 0, "Conditions that the motion must satisfy."},
    {"constraint", "constraints", 1, 0, false, ATTR(constraint_attr),
     "A quantity that must equal its target, or stay in a range, within a tolerance."},
    {"function", "problem", 0, 0, false, ATTR(function_attr),
     "A function of the program that solves the problem, for terms and constraints that name it "
     "with `function`: residuals of the numbers of its inputs. See docs/functions.md."},
    {"input", "function", 1, 0, false, ATTR(input_attr),
     "Numbers that the function is given at each instant: one quantity, from `ctrl` to `marker` "
     "below, as in a term."},
    {"require", "problem", 0, 1, false, ATTR(require_attr),
     "What the motion that was found is judged by. It does not change the search; a motion that "
     "does not satisfy it is not as asked (exit code 1)."},
    {"init", "problem", 0, 1, false, ATTR(init_attr),
     "The first guess, from which the search starts."},
    {"solver", "problem", 0, 1, false, ATTR(solver_attr),
     "Settings of the search. The defaults suit most problems. Beside `<estimate>`, only "
     "`contactmodel` (`soft` or `hard`), `kappa` and `reach` can be given."},
    {"smoothing", "solver", 0, 1, false, ATTR(smoothing_attr),
     "The smoothing table: the value of each entry while contacts are soft, and at the end. "
     "Default of an entry: a value that suits the problem."},
    {"data", "problem", 0, 0, false, ATTR(data_attr),
     "Recorded data. Several elements read different files with different channels."},
    {"channel", "data", 1, 0, false, ATTR(channel_attr),
     "What some columns of the files measure. It names one of `body`, `joint`, `sensor`, "
     "`site`, `ctrl`, `force`."},
    {"parameter", "problem", 0, 0, false, ATTR(parameter_attr),
     "A number of the model, or of a channel's calibration, that is estimated."},
    {"estimate", "problem", 0, 1, false, ATTR(estimate_attr),
     "Estimates parameters and motions from recordings. It replaces `<time>`, `<boundary>`, "
     "`<cost>`, `<constraints>`, `<require>` and `<init>`."},
    {"sigma", "estimate", 0, 0, false, ATTR(sigma_attr),
     "The standard deviation of the unactuated force at some of the joints."},
    {"stage", "estimate", 0, 0, false, ATTR(stage_attr),
     "One stage of the estimation, which starts from the result of the stage before. Default: "
     "stages that suit the model."},
    {"sweep", "", 1, 1, false, ATTR(prb_sweep_attr),
     "One problem under many settings, each of which is a cell: the root element of a sweep "
     "file."},
    {"set", "sweep", 0, 0, false, ATTR(prb_set_attr), "A setting of all cells."},
    {"axis", "sweep", 0, 0, false, ATTR(prb_axis_attr),
     "A setting that varies. All combinations of the axes are solved; the last axis varies "
     "fastest."},
    {"repeat", "sweep", 0, 1, false, ATTR(prb_repeat_attr),
     "Several cells for each combination of values, for example with different seeds."},
    {"continuation", "sweep", 0, 0, false, ATTR(prb_continuation_attr),
     "Cells start from the best physical motion of the neighbour before them. With several "
     "continuations, cells follow the last axis first, then the one before it."},
    {"skip", "sweep", 0, 0, false, ATTR(prb_skip_attr), "Points to leave out."},
    {"limit", "sweep", 0, 1, false, ATTR(prb_limit_attr),
     "Limits on the time and memory of a cell."},
    {"column", "sweep", 0, 0, false, ATTR(prb_column_attr),
     "A column of the tables. Default: the cost and the value of each term."},
};

const prb_rules *prb_grammar(int *n)
{
    *n = (int)(sizeof elements / sizeof elements[0]);
    return elements;
}
