#include "problems/language/grammar.h"
#include "problems/problems.h"

#include "optim/optim.h"

#include <string.h>

const char prb_required[] = "required";

/* "|quadratic|l2..": words begin with a bar here, so that a list of ours makes them */
#define WORD(code, name, phi)  "|" name
#define NORM_WORDS             SAL_NORM_LIST(WORD)
#define PLAIN_WORD(code, name) "|" name
#define FACTOR_WORDS           SAL_FACTOR_LIST(PLAIN_WORD)
#define STEP_WORDS             SAL_STEP_LIST(PLAIN_WORD)

/* ---- the table ---- */

/* clang-format off */
static const prb_rule problem_attr[] = {
    {"name", PRB_VAL_NAME, NULL, NULL,
     "Names the problem and the folder of its result. Without it: the file's name without its ending."},
};

static const prb_rule model_attr[] = {
    {"file",   PRB_VAL_FILE,   NULL,         prb_required,
     "The mechanism, in MJCF; relative to the problem file (on the command line: to the current folder)."},
    {"compat", PRB_VAL_CHOICE, "3.12|2.2.2", "3.12", "The version of MuJoCo whose behaviour is meant."},
};

static const prb_rule override_attr[] = {
    {"path",  PRB_VAL_TEXT, NULL, prb_required,
     "What to change in the model: `kind[name]/attribute`, `kind[#k]/attribute` or `kind/attribute`."},
    {"value", PRB_VAL_TEXT, NULL, prb_required, "The attribute's value, in MJCF."},
};

static const prb_rule time_attr[] = {
    {"nstep",    PRB_VAL_WHOLE, "[3, 100000]", prb_required, "Steps of the motion as posed."},
    {"duration", PRB_VAL_REAL,  "(0, 10000]",  prb_required,
     "s: of the motion as posed, half a cycle where that is mirrored. With `range`: the first guess."},
    {"range",    PRB_VAL_RANGE, "(0, 10000]",  NULL,
     "s: the duration is free within these bounds. Without it: fixed."},
    {"refine",   PRB_VAL_REALS, "[2, 1000]",   NULL,
     "Coarse solutions first, each the first guess of the next: with a fourth and then half of the steps, `4 2`. At most four."},
};

static const prb_rule boundary_attr[] = {
    {"type",   PRB_VAL_CHOICE, "open|cycle", prb_required,
     "`open`: from a start to an end. `cycle`: the end is the beginning, moved by the travel."},
    {"mirror", PRB_VAL_NAMES,  NULL,         NULL,
     "Two words that tell left from right in the names of joints, such as `left_ right_`: the cycle's second half mirrors the first."},
};

static const prb_rule travel_attr[] = {
    {"joint",     PRB_VAL_NAME,  NULL,                prb_required, "The slide or free joint that travels."},
    {"direction", PRB_VAL_PAIR,  "[-1e6, 1e6]",       "1 0",
     "Free joint: direction of travel in the floor plane; its length does not matter."},
    {"speed",     PRB_VAL_REAL,  "[-1000, 1000]",     NULL,   "m/s: mean speed, which ties the travel to the duration."},
    {"value",     PRB_VAL_REAL,  "[-1e6, 1e6]",       NULL,   "m: travel of the motion as posed."},
    {"range",     PRB_VAL_RANGE, "[-1e6, 1e6]",       NULL,
     "m: the travel is free within these bounds. Without `speed`, `value` and `range` it is free."},
    {"turn",      PRB_VAL_REAL,  "[-100, 100]",       NULL,
     "rad: free joint: it travels along an arc that begins in the direction of travel and turns to the left by this; `speed`, `value` and `range` are along the arc."},
    {"turnrange", PRB_VAL_RANGE, "[-100, 100]",       NULL,   "rad: the turn is free within these bounds. `turn` is its first guess, else their middle."},
};

static const prb_rule endpoint_attr[] = {
    {"joint",  PRB_VAL_NAMES,  NULL,            NULL,  "The joints that are pinned, in the order of `qpos` and `qvel`. Without it: all."},
    {"key",    PRB_VAL_NAME,   NULL,            NULL,  "A keyframe of the model: pins positions and velocities to it."},
    {"file",   PRB_VAL_FILE,   NULL,            NULL,
     "A table with a column for each number of a state, `qpos0`.. or `qpos:JOINT[:k]`, `qvel0`.. or `qvel:JOINT[:k]`: pins the joints that it holds to a row."},
    {"result", PRB_VAL_FILE,   NULL,            NULL,  "A result (`result.h5`): pins to a state of it, joints by their names."},
    {"row",    PRB_VAL_WHOLE,  "[0, 1e9]",      NULL,  "`file`, `result`: which row, counted from 0. Without `row` and `time`: the first; in `<end>` the last."},
    {"time",   PRB_VAL_REAL,   "[-1e9, 1e9]",   NULL,  "s: `file`, `result`: the state at that time, interpolated."},
    {"fixed",  PRB_VAL_CHOICE, "all|qpos|qvel", "all", "What `key`, `file` or `result` pins."},
    {"qpos",   PRB_VAL_REALS,  "[-1e6, 1e6]",   NULL,  "rad, m: pins all positions."},
    {"qvel",   PRB_VAL_REALS,  "[-1e6, 1e6]",   NULL,  "rad/s, m/s: pins all velocities; a single number stands for all."},
};

/* What terms and constraints are about: one quantity, .. */
#define QUANTITY_RULE(code, name, value, doc) {name, PRB_VAL_##value, NULL, NULL, doc},
#define FEATURE_RULES \
    SAL_QUANTITY_LIST(QUANTITY_RULE) \
    {"of",         PRB_VAL_CHOICE, "pos|vel|acc",  "pos", "`joint`, `com`, `tendon`: what of it; tendons have no `acc`."}, \
    {"with",       PRB_VAL_NAMES,  NULL,           NULL, "`contact`, `cop`: only of contacts with these geoms or bodies."}, \
    {"sum",        PRB_VAL_CHOICE, "false|true",   "false", "`normal`, `contact`, `power`: the sum over the objects instead of each."}, \
    {"target",     PRB_VAL_REALS,  "[-1e9, 1e9]",  "0", \
     "Subtracted; a single number stands for all. With `times`: a row for each of them. `orientation`: four numbers for each body, without it 1 0 0 0. " \
     "Not of `slip`, `impact`, `flat`, `level`, which shall vanish."}, \
    {"near",       PRB_VAL_CHOICE, "height|force", "height", \
     "`slip`, `impact`: nearness 1/(1 + exp(z/width)) by the point's height z over the floor, or 1 − exp(−N/(0.1 W)) by the normal " \
     "force N on its geom, W the weight of the mechanism."}, \
    {"width",      PRB_VAL_REAL,   "[1e-5, 10]",   "0.015", "m: width of the nearness by height."}, \
    {"component",  PRB_VAL_NAMES,  NULL,           NULL, "Which numbers of the quantity count: their places from 0, or x, y, z (0, 1, 2). Without it: all."}, \
    {"times",      PRB_VAL_REALS,  "[0, 10000]",   NULL, "s: `target` holds a row of numbers for each of these times; linear in between, constant outside."}, \
    {"file",       PRB_VAL_FILE,   NULL,           NULL, \
     "A table (CSV) whose columns are `time` and the target's; linear in between, constant outside. Relative to the problem file."}, \
    {"columns",    PRB_VAL_NAMES,  NULL,           NULL, "The columns of `file` that are the target, in the order of the quantity's numbers. Without it: all but `time`."}, \
    {"at",         PRB_VAL_NAMES,  NULL,           NULL, \
     "Instants at which it counts: `start`, `end`, or times in s (of the duration as given), each the nearest step's. Without `at`, `window`, `steps`: every step."}, \
    {"window",     PRB_VAL_RANGE,  "[0, 10000]",   NULL, "s: it counts from the first to the second time."}, \
    {"steps",      PRB_VAL_REALS,  "[0, 100000]",  NULL, "Steps at which it counts."}, \
    {"mean",       PRB_VAL_CHOICE, "false|true",   "false", "It is about the mean of the quantity over the instants, minus `target`."},

static const prb_rule term_attr[] = {
    {"name",       PRB_VAL_NAME,   NULL,           prb_required, "Names the term in results and in paths (`term[effort]/weight`)."},
    {"data",       PRB_VAL_NAMES,  NULL,           NULL,
     "These channels of `<data>`, or `all`: what the model does minus what was recorded, over the channel's sigma. One term `NAME:CHANNEL` for each."},
    FEATURE_RULES
    {"weight",     PRB_VAL_REAL,   "[0, 1e12]",    "1",
     "Factor of the norm. The cost of a term is weight × mean over its instants of norm(residual)."},
    {"sigma",      PRB_VAL_REAL,   "[1e-6, 1e6]",  NULL,
     "Instead of `weight`: the deviation that counts as one; the weight is 1/sigma²."},
    {"softweight", PRB_VAL_REAL,   "[0, 1e12]",    NULL,
     "Weight while contacts are soft; it then moves to `weight` geometrically. Without it: `weight` throughout."},
    {"norm",       PRB_VAL_CHOICE, NORM_WORDS,     "quadratic", "How the residual is measured; see below."},
    {"p",          PRB_VAL_REAL,   "(0, 1e6]",     "0.1", "Parameter of the norm, in units of the residual (`power`: the exponent)."},
    {"q",          PRB_VAL_REAL,   "[1, 100]",     "2",   "Second parameter of `smoothabs2`."},
    {"per",        PRB_VAL_CHOICE, "time|motion|distance", "time",
     "`time`: the mean over the instants; `motion`: the integral over time; `distance`: that integral divided by the travel."},
};

static const prb_rule constraint_attr[] = {
    {"name",       PRB_VAL_NAME,   NULL,           prb_required, "Names the constraint in results and in paths (`constraint[reach]/tol`)."},
    FEATURE_RULES
    {"range",      PRB_VAL_TEXT,   NULL,           NULL,
     "Two numbers, of which -inf or inf bound nothing: the quantity stays between them. `model` (`joint` positions, `ctrl`, `force`): the model's own ranges. "
     "Without `range` the quantity equals `target`."},
    {"tol",        PRB_VAL_REAL,   "(0, 1e6]",     NULL,
     "How much the constraint may be missed, in the quantity's units. Without it: a millionth of the quantity's natural unit."},
};

static const prb_rule init_attr[] = {
    {"key",    PRB_VAL_NAME,   NULL,              NULL,
     "The keyframe that the first guess holds, moved along the travel. Without it: the model's home pose."},
    {"qpos",   PRB_VAL_REALS,  "[-1e6, 1e6]",     NULL,   "rad, m: a pose of its own instead."},
    {"keys",   PRB_VAL_NAMES,  NULL,              NULL,   "Keyframes that the first guess passes one after another, and in a cycle the first one's image again. They go before `key` and `qpos`."},
    {"times",  PRB_VAL_REALS,  "[0, 10000]",      NULL,   "s: when it passes each of `keys`. Without it: evenly."},
    {"file",   PRB_VAL_FILE,   NULL,              NULL,
     "A table of a motion, with the columns `time` and `qpos0`.. or `qpos:JOINT[:k]`, from its first row to its last; joints that it lacks keep the pose."},
    {"result", PRB_VAL_FILE,   NULL,              NULL,
     "A result (`result.h5`) with the same joints, of any number of steps, duration and travel. A free duration or travel begins with its; a free duration tied to the travel by a `speed` so that the travel is its. It goes before `key` and `qpos`."},
    {"data",   PRB_VAL_NAMES,  NULL,              NULL,
     "These channels of `<data>`, or `all`: the poses that fit places and joint angles best (inverse kinematics), which begins with the pose of `key` or `qpos`."},
    {"noise",  PRB_VAL_REAL,   "[0, 10]",         "0.02",
     "rad, m: half width of a uniform offset, independent per joint and step, root excluded. With `file`, `result` and `data`: none unless it is given."},
    {"nstart", PRB_VAL_WHOLE,  "[1, 10000]",      "1",    "Starts, each with noise of its own; the best physical result is kept."},
    {"seed",   PRB_VAL_WHOLE,  "[0, 4294967295]", "1",    "Of the noise."},
    {"ground", PRB_VAL_CHOICE, "auto|true|false", "auto",
     "Lift or lower the root at every step until the lowest geom touches the floor. `auto`: in cycles, but for `file`, `result` and `data`."},
};

static const prb_rule solver_attr[] = {
    {"maxiter",     PRB_VAL_WHOLE,  "[1, 1000000]",     "400",   "Linearisations at most."},
    {"maxtime",     PRB_VAL_REAL,   "[0, 1e9]",         "0",     "s of wall clock at most; 0: no limit."},
    {"tolerance",   PRB_VAL_REAL,   "(0, 1]",           "0.001",
     "Relative decrease of the cost below which one more step is not worth taking."},
    {"contact",     PRB_VAL_CHOICE, "table|model",      "table",
     "The final contact: the smoothing table's, which replaces cone, impratio, solref, solimp, margin and gap of contacts and joint "
     "limits; or the model's own."},
    {"smoothing",   PRB_VAL_CHOICE, "auto",             "auto",  "How contacts harden: along the smoothing table."},
    {"differences", PRB_VAL_CHOICE, "forward|centred",  "forward", "Finite differences: one-sided, or twice as dear and more exact."},
    {"derivatives", PRB_VAL_CHOICE, "auto|analytic|fd", "auto",
     "How forces and readings are differentiated. `auto`: exactly where that is known, the rest by finite differences; `analytic`: what is not "
     "known is an error; `fd`: all by finite differences."},
    {"increments",  PRB_VAL_WHOLE,  "[1, 100000]",      "59",    "Steps of the path from soft to hard contact; at most 10 where nothing can touch."},
    {"softness",    PRB_VAL_REAL,   "[0, 1]",           "1",     "Where the path begins: 1 soft, 0 hard; less, with fewer increments, where the first guess is good."},
    {"cap",         PRB_VAL_REAL,   "[0, 1000]",        "0.15",  "rad, m: largest change of a coordinate in one step; 0: none."},
    {"step",        PRB_VAL_CHOICE, STEP_WORDS,         "lm",
     "How far a step goes: damped (Levenberg-Marquardt), or to the border of a trust region (Powell's dogleg)."},
    {"factor",      PRB_VAL_CHOICE, FACTOR_WORDS,       "auto",
     "How the linear systems of the steps are factorised: by the dense blocks of the time steps, in any pattern, or what suits the pattern."},
};

static const prb_rule smoothing_attr[] = {
    {"width",        PRB_VAL_RAMP,  "(0, 10]",       NULL, "m: penetration over which the impedance of contacts rises."},
    {"dmax",         PRB_VAL_RAMP,  "(0, 1)",        NULL, "Impedance of contacts at that penetration."},
    {"timeconst",    PRB_VAL_TIMES, "(0, 1000]",     NULL,
     "s: time constant of contacts, at least two time steps; `2h`: two time steps, whatever they are."},
    {"impratio",     PRB_VAL_RAMP,  "(0, 1e6]",      NULL, "Ratio of frictional to normal impedance."},
    {"sigma",        PRB_VAL_RAMP,  "(0, 1e9]",      NULL, "m/s²: acceleration over which the force law is averaged; 0 at the very end."},
    {"dynamics",     PRB_VAL_RAMP,  "(0, 1e9]",      NULL, "Weight of the unactuated force over what would accelerate its dof by 9.81 m/s² or rad/s² (at most the weight)."},
    {"acceleration", PRB_VAL_RAMP,  "(0, 1e6]",      NULL, "w in the regulariser (w a / 10)² of all accelerations a."},
};

static const prb_rule data_attr[] = {
    {"name",     PRB_VAL_NAME,   NULL, NULL, "For paths, where there are several."},
    {"file",     PRB_VAL_NAMES,  NULL, NULL,
     "The files of the recordings, one of each, relative to the problem file; patterns (`*`, `?`, `[..]`) name many, in the order of their names."},
    {"also",     PRB_VAL_NAMES,  NULL, NULL,
     "Files of what another instrument recorded along on the same clock, one beside each of `file`, in the same order. Their columns are taken at the instants of the first, by straight lines."},
    {"index",    PRB_VAL_FILE,   NULL, NULL,
     "Instead of `file`: a table with a header and the column `file`, relative to the table, and, where it has them, `also`, and `start` and `stop`, s."},
    {"where",    PRB_VAL_TEXT,   NULL, NULL, "`index`: only rows for which these conditions hold, such as `mass>2 duplicate_of=''`; in XML `<` is `&lt;`."},
    {"cluster",  PRB_VAL_NAME,   NULL, "file",
     "`index`: the column that says which recordings may share errors and are left out of the fit together. `file`: each is on its own."},
    {"skip",     PRB_VAL_NAMES,  NULL, NULL, "Files that are left out: names or patterns, without folder and ending."},
    {"format",   PRB_VAL_CHOICE, "auto|csv|sto|trc|bvh|npz|c3d", "auto", "Of the files. `auto`: as their ending says."},
    {"time",     PRB_VAL_NAME,   NULL, NULL, "The column of the time. Without it: the one that the format knows, or is called `time` or `t`."},
    {"rate",     PRB_VAL_REAL,   "(0, 1e9]", NULL, "Samples a second where there is no such column; else it is held against the times."},
    {"up",       PRB_VAL_CHOICE, "z|y", NULL,
     "Which axis of the recordings points up; y is turned to z, (x, y, z) to (x, -z, y). It must be said where a channel is a place, a pose or a force."},
    {"from",     PRB_VAL_REAL,   "[-1e12, 1e12]", NULL, "s: only samples from this time on."},
    {"to",       PRB_VAL_REAL,   "[-1e12, 1e12]", NULL, "s: only samples up to this time."},
    {"rest",     PRB_VAL_WHOLE,  "[0, 1e6]", NULL, "Samples that are kept after the last movement beyond 5 `sigma`. Without it: all."},
    {"gap",      PRB_VAL_REAL,   "[0, 1e6]", "0", "s: how long numbers may be missing. They then count for nothing; more is an error."},
    {"jump",     PRB_VAL_REAL,   "[0, 1e9]", "1", "How far a place or an angle may jump between two samples, in multiples of what is taken for a fault; 0: as it likes."},
    {"resample", PRB_VAL_REAL,   "(0, 1e6]", NULL, "Hz: samples are interpolated at this rate. It must be said where they are not evenly spaced."},
    {"lowpass",  PRB_VAL_REAL,   "(0, 1e6]", NULL,
     "Hz: what is faster is cut off without delay, of all channels but `ctrl`, by a Butterworth filter that runs forward and backward: at this frequency one half is left."},
    {"order",    PRB_VAL_WHOLE,  "[2, 8]", "4", "Of that filter, each way: an even number."},
};

static const prb_rule channel_attr[] = {
    {"name",    PRB_VAL_NAME,   NULL, prb_required, "Names the channel, in paths and results."},
    {"body",    PRB_VAL_NAME,   NULL, NULL, "It measures the place of this body, or its pose: place and quaternion w x y z of its frame in the world."},
    {"joint",   PRB_VAL_NAME,   NULL, NULL, "The position or velocity (`of`) of this joint; of a ball the quaternion w x y z, or the angular velocity in its own axes."},
    {"sensor",  PRB_VAL_NAME,   NULL, NULL, "What this sensor reads."},
    {"site",    PRB_VAL_NAME,   NULL, NULL, "The place of this site: a marker."},
    {"ctrl",    PRB_VAL_NAME,   NULL, NULL, "The control of this actuator, which is known."},
    {"force",   PRB_VAL_NAME,   NULL, NULL,
     "A force on this body, which is known: in axes of the world, at its centre of mass; with three more columns at that point, with three more and a torque."},
    {"columns", PRB_VAL_NAMES,  NULL, prb_required, "The columns of its numbers, or a marker, which has three."},
    {"units",   PRB_VAL_NAMES,  NULL, NULL,
     "Of the columns: m, cm, mm, in, rad, deg, rev, m/s, cm/s, mm/s, rad/s, deg/s, rpm, m/s2, mm/s2, g, N, kN, Nm, Nmm; of a `force` also of its point and torque. "
     "Without it: as the file says, else SI and rad."},
    {"of",      PRB_VAL_CHOICE, "pos|vel", "pos", "`joint`: which of the two."},
    {"unwrap",  PRB_VAL_CHOICE, "false|true", "false", "`joint`: its angle is made continuous where it jumps by whole turns."},
    {"sigma",   PRB_VAL_REALS,  "(0, 1e9]", NULL,
     "Standard deviation of the measurement, SI and rad: one number, or one for each; of a pose also two, of place and rotation. `ctrl` and `force` have none, all else must."},
    {"scale",   PRB_VAL_REAL,   "[-1e9, 1e9]", "1", "What is measured is scale × truth + offset; of a pose only the place."},
    {"offset",  PRB_VAL_REAL,   "[-1e9, 1e9]", "0", "See `scale`."},
    {"delay",   PRB_VAL_REAL,   "[-100, 100]", "0", "s: what is measured is the truth so much earlier."},
    {"lowpass", PRB_VAL_REAL,   "[0, 1e6]", NULL, "Hz: instead of that of `<data>`; 0: none."},
};

static const prb_rule parameter_attr[] = {
    {"name",  PRB_VAL_NAME,   NULL, prb_required, "Names the parameter."},
    {"path",  PRB_VAL_NAMES,  NULL, prb_required,
     "What is estimated: `kind[name]/attribute` of the model as in an override, and of a body also `mass`, `com` and `inertia`; one number of it with "
     "`attribute[k]`; or `channel[name]/offset`, `scale` or `delay`. Several are tied to one another."},
    {"as",    PRB_VAL_CHOICE, "value|scale|offset", "value",
     "`value`: the parameter is the attribute. `scale`: the attribute as the model says it is multiplied by it. `offset`: it is added to that."},
    {"map",   PRB_VAL_CHOICE, "linear|log|bounded", NULL,
     "What is varied: the number, its logarithm (it stays positive), or such that it stays inside `range`. Without it: `log` for a scale, else `linear`."},
    {"value", PRB_VAL_REALS,  "[-1e12, 1e12]", NULL,
     "Where the estimation begins. Fewer numbers than the attribute has are its first ones, but one stands for all sizes of a box. Without it: as in the model."},
    {"range", PRB_VAL_RANGE,  "[-1e12, 1e12]", NULL, "Bounds of each of the numbers."},
    {"prior", PRB_VAL_REALS,  "[-1e12, 1e12]", NULL, "What is expected before any measurement, with `sigma`. Without it: `value`."},
    {"sigma", PRB_VAL_REALS,  "(0, 1e12]", NULL,
     "Standard deviation of that expectation; of the logarithm where that is varied. Without it nothing is expected."},
    {"each",  PRB_VAL_CHOICE, "once|recording", "once", "`recording`: every recording has its own."},
};

static const prb_rule estimate_attr[] = {
    {"method",   PRB_VAL_CHOICE, "full|fixed",   "full",
     "`full`: the motions of all recordings are estimated with the parameters. `fixed`: they are the data, interpolated, and only parameters are estimated."},
    {"sigma",    PRB_VAL_REAL,   "(0, 1e9]",     "0.3",
     "Standard deviation of the force that nothing explains, at each dof and step; in `unit`."},
    {"unit",     PRB_VAL_CHOICE, "acceleration|force", "acceleration",
     "Of `sigma`: m/s² of the mass that a dof moves (rad/s² times its radius of gyration), or N and N m."},
    {"norm",     PRB_VAL_CHOICE, NORM_WORDS,     "cauchy", "How that force over its sigma is measured, joint by joint."},
    {"p",        PRB_VAL_REAL,   "(0, 1e6]",     "3",    "Parameter of the norm: from about so many sigma on it is taken for an outlier."},
    {"substeps", PRB_VAL_WHOLE,  "[1, 1000]",    "1",    "Time steps between samples."},
    {"holdout",  PRB_VAL_REAL,   "[0, 1)",       "0",    "Share of the clusters of recordings that is left out of the fit and predicted afterwards."},
    {"seed",     PRB_VAL_WHOLE,  "[0, 4294967295]", "1", "Of the choice of these."},
    {"rollout",  PRB_VAL_CHOICE, "held|all",     "held", "Which recordings are predicted by forward simulation: those left out, or those of the fit as well."},
    {"predict",  PRB_VAL_WHOLE,  "[2, 100000]",  "10",
     "Samples, before the first contact and at most so many, from which the state is estimated that a prediction begins with."},
};

static const prb_rule stage_attr[] = {
    {"sigma",    PRB_VAL_REAL,   "(0, 1e9]",     NULL,   "As in `<estimate>`, in this stage; that of a `kinematic` stage is of accelerations. Without it: as there."},
    {"softness", PRB_VAL_REAL,   "[0, 1]",       "0",    "Of contacts: 1 soft, 0 as the model says."},
    {"norm",     PRB_VAL_CHOICE, NORM_WORDS,     NULL,   "As in `<estimate>`. Without it: as there."},
    {"p",        PRB_VAL_REAL,   "(0, 1e6]",     NULL,   "As in `<estimate>`. Without it: as there."},
    {"substeps", PRB_VAL_WHOLE,  "[1, 1000]",    NULL,   "As in `<estimate>`, at most those. Without it: as there."},
    {"dynamics", PRB_VAL_CHOICE, "full|kinematic", "full", "`kinematic`: forces do not count, accelerations are held small: inverse kinematics."},
    {"free",     PRB_VAL_NAMES,  NULL,           NULL,   "The parameters that are estimated in this stage. Without it: all."},
    {"maxiter",  PRB_VAL_WHOLE,  "[0, 100000]",  "10",   "Iterations at most."},
    {"tolerance", PRB_VAL_REAL,  "(0, 1]",       "1e-5", "Relative decrease of the cost that ends the stage, twice in a row."},
};

static const prb_rule sweep_attr[] = {
    {"name",    PRB_VAL_NAME,  NULL, NULL,
     "Names the sweep and its folder, `NAME.sweep`. Without it: the file's name without its ending."},
    {"problem", PRB_VAL_FILE,  NULL, prb_required, "The problem file that is solved under many settings; relative to this file."},
    {"seed",    PRB_VAL_WHOLE, "[0, 4294967295]", "1", "Of axes sampled at random, and of the shift of low-discrepancy ones."},
};

static const prb_rule set_attr[] = {
    {"path",  PRB_VAL_TEXT, NULL, prb_required, "What is set in all cells: a path as for `--set`."},
    {"value", PRB_VAL_TEXT, NULL, prb_required, "What it is set to. A file of the problem (`model/file`, `init/result`, ..) is relative to this file."},
};

static const prb_rule axis_attr[] = {
    {"name",     PRB_VAL_NAME,   NULL,               prb_required, "What tables and pages call it, and other elements here."},
    {"path",     PRB_VAL_TEXT,   NULL,               NULL,
     "What it sets, in the problem or its model: a path as for `--set`, such as `travel/speed`, `body[torso]/pos`, `model/file`. Without it the axis only numbers the cells."},
    {"values",   PRB_VAL_TEXT,   NULL,               NULL, "The values, between blanks; where a value has blanks itself, between semicolons."},
    {"range",    PRB_VAL_RANGE,  "[-1e12, 1e12]",    NULL, "`count` values from the lower to the upper bound."},
    {"count",    PRB_VAL_WHOLE,  "[1, 1000000]",     NULL, "How many values of `range`."},
    {"log",      PRB_VAL_CHOICE, "false|true",       "false", "`range`: by equal ratios instead of equal differences."},
    {"files",    PRB_VAL_TEXT,   NULL,               NULL, "The files that this pattern (`*`, `?`, `[..]`) names, relative to this file, by their names in order."},
    {"sample",   PRB_VAL_CHOICE, "grid|random|halton", "grid",
     "`range`: values at equal distances; uniform random ones; or a Halton sequence, shifted at random, which fills the box of all axes that go `with` each other evenly."},
    {"with",     PRB_VAL_NAME,   NULL,               NULL,
     "An earlier axis that this one goes along with, value by value, instead of being crossed with it; a sampled one takes its `count` and `sample`."},
    {"template", PRB_VAL_TEXT,   NULL,               NULL, "What is set, with the value in the place of each `{}`: `0 0 -{}`."},
};

static const prb_rule repeat_attr[] = {
    {"count", PRB_VAL_WHOLE,  "[1, 1000000]",    prb_required, "Cells of each point of the grid."},
    {"path",  PRB_VAL_TEXT,   NULL,              "init/seed",  "What tells them apart: set to `first`, `first` + 1, .."},
    {"first", PRB_VAL_WHOLE,  "[0, 4294967295]", "1",          "Its value in the first of them."},
    {"keep",  PRB_VAL_CHOICE, "all|best|none",   "all",
     "Whose motions are kept: of all, of the best of each point (once all are done), of none. Figures are kept of all."},
};

static const prb_rule continuation_attr[] = {
    {"axis",     PRB_VAL_NAME,  NULL,         prb_required, "The axis along which a cell begins with the motion of the cell before it."},
    {"from",     PRB_VAL_TEXT,  NULL,         NULL,
     "The value at which it begins, and goes on to both sides. Without it: the first."},
    {"noise",    PRB_VAL_REAL,  "[0, 10]",    "0",  "rad, m: `init/noise` of cells that begin with a motion."},
    {"softness", PRB_VAL_REAL,  "[0, 1]",     NULL, "`solver/softness` of cells that begin with a motion: where their path begins. Without it: as in the problem."},
    {"nstart",   PRB_VAL_WHOLE, "[1, 10000]", "1",  "`init/nstart` of cells that begin with a motion."},
};

static const prb_rule skip_attr[] = {
    {"where", PRB_VAL_TEXT, NULL, prb_required, "Leaves out points for which all of these conditions hold, such as `speed>2 mass!=50`; in XML `<` is `&lt;`."},
};

static const prb_rule limit_attr[] = {
    {"time",   PRB_VAL_REAL,  "(0, 1e9]",  NULL, "s of wall clock for a cell; one that takes longer is ended, and has failed."},
    {"memory", PRB_VAL_REAL,  "(0, 1e6]",  NULL, "GB for a cell, by which it fails instead of the machine."},
    {"tries",  PRB_VAL_WHOLE, "[1, 1000]", "2",  "How often a cell is tried that crashes, hangs or runs out of memory."},
};

static const prb_rule column_attr[] = {
    {"figure", PRB_VAL_NAME, NULL, prb_required, "What a table and the page show of each cell: `cost`, `term[NAME]`, `speed`, ..; all are listed on the page on sweeps."},
    {"name",   PRB_VAL_NAME, NULL, NULL,         "What it is called there. Without it: as the figure."},
};

#define ATTR(list) list, (int)(sizeof(list) / sizeof(list)[0])

static const prb_rules elements[] = {
    {"problem",   "",         1, 1, false, ATTR(problem_attr),   "A motion to be found: the root of the file."},
    {"model",     "problem",  1, 1, false, ATTR(model_attr),     "The mechanism that moves."},
    {"override",  "problem",  0, 0, false, ATTR(override_attr),  "A change to the model, which itself is never edited."},
    {"sensor",    "problem",  0, 1, true,  NULL, 0,       "Sensors added to the model, written as in MJCF, for terms that are about a `sensor`."},
    {"time",      "problem",  1, 1, false, ATTR(time_attr),      "How long the motion is, and in how many steps."},
    {"boundary",  "problem",  1, 1, false, ATTR(boundary_attr),  "How the motion begins and ends."},
    {"travel",    "boundary", 0, 1, false, ATTR(travel_attr),    "Cycle: how far it carries the mechanism."},
    {"start",     "boundary", 0, 0, false, ATTR(endpoint_attr),  "Open motion: what is pinned at its first instant. What is not given is free. Several pin several joints."},
    {"end",       "boundary", 0, 0, false, ATTR(endpoint_attr),  "Open motion: what is pinned at its last instant. What is not given is free. Several pin several joints."},
    {"cost",      "problem",  1, 1, false, NULL, 0,              "What a good motion is: the sum of its terms is minimised."},
    {"term",      "cost",     1, 0, false, ATTR(term_attr),      "One term of the cost, about exactly one quantity, of `ctrl` to `orientation` below."},
    {"constraints", "problem", 0, 1, false, NULL, 0,             "What a motion must do, whatever it costs."},
    {"constraint", "constraints", 1, 0, false, ATTR(constraint_attr), "A quantity that equals its target, or stays in a range, to a tolerance."},
    {"init",      "problem",  0, 1, false, ATTR(init_attr),      "Where the search starts."},
    {"solver",    "problem",  0, 1, false, ATTR(solver_attr),    "How the search goes on. The defaults serve most problems."},
    {"smoothing", "solver",   0, 1, false, ATTR(smoothing_attr), "The smoothing table: each entry's value while contacts are soft and in the end. "
                                                          "Without an entry: a default that suits the problem."},
    {"data",      "problem",  0, 0, false, ATTR(data_attr),      "What was recorded. Several have other files with other channels."},
    {"channel",   "data",     1, 0, false, ATTR(channel_attr),   "What some columns of the files measure: one of `body`, `joint`, `sensor`, `site`, `ctrl`, `force`."},
    {"parameter", "problem",  0, 0, false, ATTR(parameter_attr), "A number of the model, or of how a channel measures, that is estimated."},
    {"estimate",  "problem",  0, 1, false, ATTR(estimate_attr),
     "Parameters and motions are estimated from recordings; then there are no `<time>`, `<boundary>`, `<cost>`, `<constraints>` and `<init>`."},
    {"stage",     "estimate", 0, 0, false, ATTR(stage_attr),
     "One stage of the estimation, which begins where the one before ended. Without any: stages that suit the model."},
    {"sweep",     "",         1, 1, false, ATTR(sweep_attr),     "One problem under many settings, each a cell: the root of a sweep file."},
    {"set",       "sweep",    0, 0, false, ATTR(set_attr),       "A setting of all cells."},
    {"axis",      "sweep",    0, 0, false, ATTR(axis_attr),      "What varies. Axes are crossed, the last one running fastest."},
    {"repeat",    "sweep",    0, 1, false, ATTR(repeat_attr),    "Several cells for each combination of values, with other seeds say."},
    {"continuation", "sweep", 0, 0, false, ATTR(continuation_attr),
     "Cells begin with the best physical motion of the neighbour before them. Several go first along the last one, from there along the one before it."},
    {"skip",      "sweep",    0, 0, false, ATTR(skip_attr),      "Points that are left out."},
    {"limit",     "sweep",    0, 1, false, ATTR(limit_attr),     "What a cell may take."},
    {"column",    "sweep",    0, 0, false, ATTR(column_attr),    "A column of the tables. Without any: the cost, and the value of each term."},
};
/* clang-format on */

/* ---- looking things up ---- */

const prb_rules *prb_grammar(int *n)
{
    *n = (int)(sizeof elements / sizeof elements[0]);
    return elements;
}

const prb_rules *prb_grammar_element(const char *tag)
{
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        if (strcmp(elements[i].tag, tag) == 0) {
            return &elements[i];
        }
    }
    return NULL;
}

const prb_rules *prb_grammar_root(const prb_rules *element)
{
    const prb_rules *parent = prb_grammar_element(element->parent);
    return parent == NULL ? element : prb_grammar_root(parent); /* as deep as the table */
}

const prb_rule *prb_grammar_attribute(const prb_rules *element, const char *name)
{
    for (int i = 0; i < element->nattr; i++) {
        if (strcmp(element->attr[i].name, name) == 0) {
            return &element->attr[i];
        }
    }
    return NULL;
}

/* ---- in words ---- */

void prb_grammar_value(sal_text *out, const prb_rule *rule, const char *quote)
{
    static const char *const type[] = {
#define TYPE_TEXT(code, text) text,
        PRB_VALUE_LIST(TYPE_TEXT)
#undef TYPE_TEXT
    };
    const char *domain = rule->domain;
    sal_text_add(out, type[rule->type]);
    if (domain == NULL) {
        return;
    }
    if (strchr("[(", domain[0]) != NULL) {
        sal_text_format(out, " in %s", domain);
        return;
    }
    for (const char *word = domain; *word != 0;) {
        word += *word == '|';
        const size_t n = strcspn(word, "|");
        sal_text_format(out, "%s%s%.*s%s", word <= domain + 1 ? ": " : ", ", quote, (int)n, word,
                        quote);
        word += n;
    }
}

const char *prb_grammar_occurrence(const prb_rules *element)
{
    return element->most == 0   ? element->least == 0 ? "any number" : "at least one"
           : element->least > 0 ? "once"
                                : "at most once";
}

/* ---- as a page ---- */

static void markdown_attribute(sal_text *out, const prb_rule *rule)
{
    sal_text_format(out, "| `%s` | ", rule->name);
    prb_grammar_value(out, rule, "`");
    if (rule->preset == NULL) {
        sal_text_add(out, " | ");
    } else if (rule->preset == prb_required) {
        sal_text_add(out, " | required");
    } else {
        sal_text_format(out, " | `%s`", rule->preset);
    }
    sal_text_format(out, " | %s |\n", rule->doc);
}

static void markdown_of(sal_text *out, const char *root)
{
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        const prb_rules *e = &elements[i];
        if (strcmp(prb_grammar_root(e)->tag, root) != 0) {
            continue;
        }
        sal_text_format(out, "### `<%s>`\n\n", e->tag);
        if (e->parent[0] != 0) {
            sal_text_format(out, "In `<%s>`, %s.\n", e->parent, prb_grammar_occurrence(e));
        }
        sal_text_format(out, "%s\n\n", e->doc);
        if (e->nattr > 0) {
            sal_text_add(out, "| attribute | value | default | meaning |\n|---|---|---|---|\n");
        }
        for (int k = 0; k < e->nattr; k++) {
            markdown_attribute(out, &e->attr[k]);
        }
        sal_text_add(out, e->nattr > 0 ? "\n" : "");
    }
}

void prb_grammar_markdown(sal_text *out)
{
    markdown_of(out, "problem");
}

void prb_grammar_sweep_markdown(sal_text *out)
{
    markdown_of(out, "sweep");
}

void prb_grammar_norms_markdown(sal_text *out)
{
    static const char *const norm[][2] = {
#define NORM_ROW(code, name, phi) {name, phi},
        SAL_NORM_LIST(NORM_ROW)
#undef NORM_ROW
    };
    sal_text_add(out, "| norm | of the residual r |\n|---|---|\n");
    for (size_t i = 0; i < sizeof norm / sizeof norm[0]; i++) {
        sal_text_format(out, "| `%s` | ", norm[i][0]);
        for (const char *c = norm[i][1]; *c != 0; c++) { /* bars end a cell */
            sal_text_format(out, "%s%c", *c == '|' ? "\\" : "", *c);
        }
        sal_text_add(out, " |\n");
    }
}
