/* problems.h: what users ask for, from the problem file to the result.
 *
 *     problem_read -> problem_solve { guess -> transcribe -> path, projection, last steps } ->
 *         result_write -> report
 *
 * A problem file names a model, a time structure, terms of a cost, and how to start; see
 * docs/problem_file.md. A result is complete whether the solve succeeded or not; its status says
 * which.
 */
#ifndef SAL_PROBLEMS_H
#define SAL_PROBLEMS_H

#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"
#include "optim/optim.h"
#include "physics/physics.h"

SAL_BEGIN_C

/* ---- the problem ---- */

typedef enum sal_boundary { SAL_OPEN, SAL_CYCLE } sal_boundary;

/* How the travel of a cycle is given. */
typedef enum sal_travel {
    SAL_TRAVEL_NONE,
    SAL_TRAVEL_SPEED,
    SAL_TRAVEL_VALUE,
    SAL_TRAVEL_FREE
} sal_travel;

/* X(code, attribute of <term>, NAMES of its objects or one NAME, what its numbers are): the
 * quantity that a term or a constraint is about. What else there is to know of one is a row of the
 * table in quantity_table.c; the formulas stand above the functions that compute them. Residuals:
 *   slip, impact   g (v_1, v_2), g v_n: velocity of each point along two tangents, the normal of
 *                  the
 *                  floor; g is the nearness p = 1/(1 + exp(z/width)), z the height of the point
 *                  (near="height"), or the load 1 - exp(-N/(.1 W)) of the point's geom
 *                      (near="force"),
 *                  W the weight
 *   flat, level    p(lower) (z_1 - z_2) of two ends, of two points
 *   orientation    rotation vector log(target* q) in the body's own axes
 *   others         the numbers themselves, minus the target */
#define SAL_QUANTITY_LIST(X)                                                                       \
    X(SAL_QTY_CTRL, "ctrl", NAMES,                                                                 \
      "Control of these actuators, or `all`, minus `target`; in the actuators' units.")            \
    X(SAL_QTY_FORCE, "force", NAMES,                                                               \
      "Force of these actuators, or `all`, minus `target`; N, N m.")                               \
    X(SAL_QTY_JOINT, "joint", NAMES,                                                               \
      "These joints, or `all`: position, velocity or acceleration (`of`) minus `target`; "         \
      "rad, m, ..")                                                                                \
    X(SAL_QTY_SENSOR, "sensor", NAME,                                                              \
      "Reading of this sensor (`docs/sensors.md`) minus `target`; the sensor's units.")            \
    X(SAL_QTY_SLIP, "slip", NAMES,                                                                 \
      "Tangential velocity of these points over the floor, m/s, times their nearness to it "       \
      "(`near`). A body means all its points that can stand on the floor.")                        \
    X(SAL_QTY_IMPACT, "impact", NAMES,                                                             \
      "Vertical velocity of these points over the floor, m/s, times their nearness to it "         \
      "(`near`). A body means all its points that can stand on the floor.")                        \
    X(SAL_QTY_NORMAL, "normal", NAMES,                                                             \
      "Total normal force on each of these geoms or bodies minus `target`, N.")                    \
    X(SAL_QTY_FLAT, "flat", NAMES,                                                                 \
      "Difference in height between the two ends of each of these geoms, m, times the nearness "   \
      "of the lower end to the floor.")                                                            \
    X(SAL_QTY_LEVEL, "level", NAMES,                                                               \
      "Difference in height between the first and second of these points, the third and fourth, "  \
      ".., m, times the nearness of the lower point to the floor.")                                \
    X(SAL_QTY_DISTANCE, "distance", NAMES,                                                         \
      "Signed distance between the first and second of these geoms, the third and fourth, .., "    \
      "minus `target`, m; negative where they overlap.")                                           \
    X(SAL_QTY_CONTACT, "contact", NAMES,                                                           \
      "Total contact force on each of these geoms or bodies, or on `all` that can touch (with "    \
      "`with`: only contacts with those): x, y, z in the world, N.")                               \
    X(SAL_QTY_COP, "cop", NAMES,                                                                   \
      "Centre of pressure x, y of these geoms and bodies together, or `all`, m: (Σ Nᵢ "         \
      "xᵢ + e x₀) / (Σ Nᵢ + e), Nᵢ the normal force of each contact at xᵢ, x₀ "       \
      "the mean of the geoms' centres, where it is without contact, and e = W/1000.")              \
    X(SAL_QTY_HEIGHT, "height", NAMES,                                                             \
      "Height of each of these points, or origins of bodies, over the floor, m.")                  \
    X(SAL_QTY_POSITION, "position", NAMES,                                                         \
      "Position of each of these points, or origins of bodies, in the world: x, y, z, m.")         \
    X(SAL_QTY_VELOCITY, "velocity", NAMES,                                                         \
      "Velocity of each of these points, or origins of bodies, in the world: x, y, z, m/s.")       \
    X(SAL_QTY_COM, "com", NAMES,                                                                   \
      "Centre of mass of each of these bodies together with its descendants, or of `all` moving "  \
      "bodies; or its velocity or acceleration (`of`): x, y, z, m, ..")                            \
    X(SAL_QTY_MOMENTUM, "momentum", NAMES,                                                         \
      "Linear momentum of each of these bodies together with its descendants, or of `all` moving " \
      "bodies: x, y, z, kg m/s.")                                                                  \
    X(SAL_QTY_ANGMOMENTUM, "angmomentum", NAMES,                                                   \
      "Angular momentum of each of these bodies together with its descendants, or of `all` "       \
      "moving bodies, about their centre of mass: x, y, z, kg m²/s.")                              \
    X(SAL_QTY_ENERGY, "energy", NAMES,                                                             \
      "Energy of the mechanism, J: `kinetic`, `potential` (gravity and springs) or "               \
      "`total`.")                                                                                  \
    X(SAL_QTY_POWER, "power", NAMES,                                                               \
      "Power of each of these actuators, or `all`: force times velocity, W. With `sum`: the net "  \
      "power; with the norm `smoothabs`: the absolute power.")                                     \
    X(SAL_QTY_TENDON, "tendon", NAMES,                                                             \
      "Length or velocity (`of`) of each of these tendons, or `all`; m, rad, ..")                  \
    X(SAL_QTY_ORIENTATION, "orientation", NAMES,                                                   \
      "Rotation of each of these bodies from its target, a quaternion w x y z of the "             \
      "world, as a rotation vector in the body's axes: x, y, z, rad.")

typedef enum sal_quantity {
#define SAL_QUANTITY_ENUM(code, name, value, doc) code,
    SAL_QUANTITY_LIST(SAL_QUANTITY_ENUM)
#undef SAL_QUANTITY_ENUM
} sal_quantity;

enum {
#define SAL_QUANTITY_NUMBER(code, name, value, doc) code##_NUMBER,
    SAL_QUANTITY_LIST(SAL_QUANTITY_NUMBER)
#undef SAL_QUANTITY_NUMBER
        SAL_NQUANTITY
};

/* The attribute that names quantity i, 0 <= i < SAL_NQUANTITY. */
SAL_API const char *sal_quantity_name(int i);

/* What a residual is about: a quantity of some objects minus its target, at some instants t = 0..N
 * of the motion; shared by terms and constraints. At t = N, where no force acts any more, only what
 * follows from position and velocity can count. */
typedef struct sal_feature {
    char *name;
    sal_quantity quantity;
    /* joint, com, tendon: 0 position, 1 velocity, 2 acceleration */
    int order;
    /* slip, impact: near="force" */
    bool by_force;
    /* of the nearness by height, m (.015) */
    double width;
    int nobject;
    /* [nobject] actuators, joints, the sensor, points (index into problem->point; flat, level: two
     * by two), pairs of geoms (index into problem->distance); normal, contact, cop: geoms, and
     * bodies as -1-body; com, momenta, orientation: bodies; energy: 0 potential, 1 kinetic, 2
     * both */
    int *object;
    int nwith,
        /* contact, cop: of contacts with these geoms, and bodies as -1-body; 0: with all */
        *with;
    /* normal, contact, power: the sum over the objects */
    bool sum;
    /* orientation: quaternions [nobject x 4], by steps if tabulated */
    double *reference;
    /* numbers that count: of the quantity, or those of `component` */
    int dim;
    /* [dim] which of the quantity's numbers, ascending; NULL: all */
    int *component;
    /* [dim], or [(nstep + 1) x dim] by steps if tabulated; NULL: zero */
    double *target;
    /* target, or reference */
    bool tabulated;
    /* instants at which it counts; 0: every step 0..N-1 */
    int nstep;
    /* [nstep] ascending */
    int *step;
    /* the residual is the mean of the quantity over these instants, minus target */
    bool mean;
} sal_feature;

/* How a term is summed over time: its mean over the instants, its integral over time, that divided
 * by the travel. */
typedef enum sal_per { SAL_PER_TIME, SAL_PER_MOTION, SAL_PER_DISTANCE } sal_per;

typedef struct sal_term {
    sal_feature feature;
    sal_norm norm;
    /* final */
    double weight;
    /* at the soft end of the path; geometric in between */
    double softweight;
    sal_per per;
} sal_term;

/* value = target within tol, or lower <= value <= upper within tol, for each component */
typedef struct sal_constraint {
    sal_feature feature;
    bool range;
    /* [dim] of a range; infinite: not bounded */
    double *lower, *upper;
    /* units of the quantity */
    double tol;
    /* the quantity's natural unit: what an excess of 1 is, for the optimizer */
    double scale;
} sal_constraint;

/* One row of the smoothing table: its value at the soft end and at the final contact. */
typedef struct sal_ramp {
    double soft;
    double final;
} sal_ramp;

/* X(name, attribute): the rows of the smoothing table; see softening_schedule.c for defaults and
 * how each is interpolated */
#define SAL_SMOOTHING_LIST(X)                                                                      \
    X(width)     /* m: penetration over which contact impedance rises */                           \
    X(dmax)      /* final impedance of contacts, 0..1; ramped as d/(1-d) */                        \
    X(timeconst) /* s: of contacts; at least 2 h */                                                \
    X(impratio)  /* friction to normal impedance */                                                \
    X(sigma)     /* m/s^2: smoothing of the force law */                                           \
    /* weight of the unactuated force / body weight (the prototype's w, not squared) */            \
    X(dynamics)                                                                                    \
    X(acceleration) /* regulariser: w in (w a/10)^2 */

typedef struct sal_smoothing {
#define SAL_SMOOTHING_FIELD(name) sal_ramp name;
    SAL_SMOOTHING_LIST(SAL_SMOOTHING_FIELD)
#undef SAL_SMOOTHING_FIELD
    /* timeconst="2h": twice the time step, whatever it is */
    bool timeconst_tied;
} sal_smoothing;

/* of an open motion: pinned joint by joint */
typedef struct sal_endpoint {
    /* [njnt] 1: pinned; NULL: no joint is */
    unsigned char *pos, *vel;
    /* those of all joints are */
    bool fixed_pos, fixed_vel;
    /* [nq] home where nothing is pinned */
    double *qpos;
    /* [nv] */
    double *qvel;
} sal_endpoint;

typedef struct sal_problem {
    char *name;
    char *path;
    /* with the overrides */
    sal_model *model;
    /* what its actuators do is part of the motion: variables of their own */
    bool driven;
    char *model_path;
    /* as solved: with all --set */
    char *problem_xml;
    char sha256_problem[65];
    char sha256_model[65];
    bool compat222;
    /* time */
    int nstep;
    /* s, one period as posed */
    double duration;
    /* equal: fixed */
    double duration_range[2];
    /* coarse solutions that come first, of nstep/refine steps each */
    int nrefine, refine[4];
    /* boundary */
    sal_boundary boundary;
    /* cycle */
    sal_image *image;
    sal_travel travel;
    /* m/s for SPEED, m for VALUE, first guess in m for FREE */
    double travel_value;
    /* FREE: -inf, inf if not given */
    double travel_range[2];
    /* rad: of the arc of a travel that turns, image->turn; equal: fixed */
    double turn_range[2];
    /* open */
    sal_endpoint start, end;
    /* cost */
    int nterm;
    sal_term *term;
    int nconstraint;
    sal_constraint *constraint;
    int npoint;
    sal_point *point;
    /* the geom a point belongs to (site: -1 - its body) */
    int *point_geom;
    char **point_name;
    int ndistance;
    /* geoms */
    int (*distance)[2];
    /* start */
    /* [nq]: from key, or qpos0; where there is a motion: its first state */
    double *init_qpos;
    /* a motion, at shares 0..1 of the duration; NULL: the pose is held */
    struct prb_states *init_states;
    /* how far that travels and turns itself */
    double init_travel, init_turn;
    /* half width, rad or m */
    double init_noise;
    /* lift or lower the root until the lowest geom end touches the floor */
    bool init_ground;
    int nstart;
    /* starts that are tried beyond those while none is physical */
    int nmore;
    unsigned long seed;
    /* solver */
    sal_optim_options optim;
    /* contact="table" */
    bool contact_table;
    sal_smoothing smoothing;
    sal_derivatives derivatives;
    sal_differences differences;
    /* recordings that terms or the first guess follow; NULL: none */
    struct sal_dataset *data;
} sal_problem;

typedef struct sal_problem_options {
    /* --set, in order */
    const sal_setting *setting;
    int nsetting;
    /* --compat 2.2.2 (or <model compat=>) */
    bool compat222;
    /* a result that the search begins with, whatever <init> says: as init/result it is part of the
     * problem, without the folder; NULL: none */
    const char *start;
    const char *start_folder;
} sal_problem_options;

/* Reads a problem file and its model. All faults to diag. options may be NULL. The caller frees.
 * A file with <estimate> is refused: it asks for an identification (identify/identify.h). */
SAL_API sal_status sal_problem_read(sal_problem **p, const char *path,
                                    const sal_problem_options *options, sal_diag *diag,
                                    sal_err *err);
SAL_API void sal_problem_free(sal_problem *p);

/* How much was recorded, in all recordings of a problem. */
typedef struct sal_recordings_size {
    int nrecording;
    int nsample;
    int nchannel;
    /* sum of the recordings' durations */
    double seconds;
} sal_recordings_size;
/* False, and zeros, where the problem has no <data>. */
SAL_API bool sal_problem_recordings(sal_recordings_size *size, const sal_problem *p);

/* ---- the result ---- */

/* a largest absolute value and where it occurs */
typedef struct sal_extreme {
    double max;
    int dof;
    double time;
} sal_extreme;

typedef struct sal_term_report {
    char name[64];
    /* value: weighted; share of the cost, 0..1 */
    double value, share;
} sal_term_report;

typedef struct sal_constraint_report {
    char name[64], what[64],
        /* what: which of its numbers, "" if it has one; unit: "" where that is the actuator's or
         * sensor's */
        unit[16];
    /* in units of the quantity */
    double violation, tolerance;
    double time;
} sal_constraint_report;

/* X(code, name, level, advice): what a diagnosis can find. Level 2: why it is no solution; 1:
 * something to look at; 0: good to know */
#define SAL_FINDING_LIST(X)                                                                        \
    X(SAL_FIND_UNACTUATED, "unactuated force", 2,                                                  \
      "allow more time (`time/duration`, or a `range` of it), widen the ranges of the actuators, " \
      "or try other starts (`init/nstart`, `init/key`)")                                           \
    X(SAL_FIND_VIOLATED, "violated", 2,                                                            \
      "widen the range or the tolerance, allow more time, or try other starts (`init/nstart`, "    \
      "`init/key`)")                                                                               \
    X(SAL_FIND_HOVERS, "hovers", 2,                                                                \
      "no contact carries the weight: check that the feet reach the floor at the beginning "       \
      "(`init/key`, `init/ground`) and that they may touch it (contype, conaffinity)")             \
    X(SAL_FIND_FALLS, "free fall", 1,                                                              \
      "if the motion should not be a flight, pin its ends, constrain the height, or let it start " \
      "on the floor")                                                                              \
    X(SAL_FIND_DRAGS, "foot drags", 1,                                                             \
      "raise the weight of a `slip` term, raise its `width`, or raise the friction of the model")  \
    X(SAL_FIND_SLIDES, "sliding", 1,                                                               \
      "it travels without steps: start from another pose or with more noise (`init/noise`), and "  \
      "raise the weight of a `slip` term")                                                         \
    X(SAL_FIND_DEEP, "penetrates deeply", 1,                                                       \
      "the final contact is too soft for this weight: use a smaller final `width` or a larger "    \
      "final `dmax` in <smoothing>")                                                               \
    X(SAL_FIND_TURNS, "turns far in a step", 1,                                                    \
      "the time steps are too long for this speed: raise `nstep`, or add a term on velocities")    \
    X(SAL_FIND_NO_EFFECT, "no effect", 1,                                                          \
      "its quantity is constant in this motion; check the names in the term, or remove it")        \
    X(SAL_FIND_DOMINATES, "dominates", 0,                                                          \
      "the other terms hardly influence the motion; lower this weight or raise theirs")            \
    X(SAL_FIND_UNDETERMINED, "undetermined", 0,                                                    \
      "add a term with a small weight that depends on it")                                         \
    X(SAL_FIND_ACTIVE, "active", 0, "a wider range would allow a lower cost")

typedef enum sal_finding_kind {
#define SAL_FINDING_ENUM(code, name, level, advice) code,
    SAL_FINDING_LIST(SAL_FINDING_ENUM)
#undef SAL_FINDING_ENUM
        SAL_NFINDING
} sal_finding_kind;

/* about a motion that was found, whatever its status */
typedef struct sal_finding {
    int level;
    /* its name in the list */
    char kind[24];
    /* the joint, geom, term or constraint */
    char what[64];
    /* how much, in its units; when, s; NaN: not at one time */
    double value, time;
    /* as a sentence, with the advice */
    char text[512];
} sal_finding;

typedef struct sal_iteration {
    int start;
    int linearisation;
    char phase[12];
    double softness;
    double cost;
    double violation;
    double step;
    double damping;
} sal_iteration;

typedef struct sal_result {
    /* "converged", .. */
    char status[64];
    /* 0 converged and physical, 1 stopped before, 4 infeasible, 130 interrupted */
    int exit_code;
    /* provenance */
    char version[32];
    char git[48];
    /* of the start that won */
    unsigned long seed;
    int start;
    bool compat222;
    bool contact_table;
    char *problem_name;
    char *problem_xml;
    char *model_xml;
    char sha256_problem[65];
    char sha256_model[65];
    /* the model that replays this motion, and the motion */
    sal_model *model;
    sal_boundary boundary;
    double travel[3];
    /* cycle, else NULL */
    sal_image *image;
    /* T = nstep + 1 rows below; forces, qacc and ctrl of the last are NaN */
    int nstep;
    double timestep;
    double *time;
    double *qpos;
    double *qvel;
    double *qacc;
    double *qfrc_inverse;
    double *qfrc_actuator;
    double *qfrc_passive;
    double *qfrc_constraint;
    double *qfrc_unactuated;
    double *ctrl;
    double *act;
    double *sensordata;
    double *xpos;
    double *xquat;
    /* [nq] q_{-1} */
    double *qpos_before;
    /* contacts of step t: offset[t] .. offset[t+1] - 1; also of the last row, with forces NaN */
    int ncontact;
    /* [T+1], [K x 2] */
    int *contact_offset, *contact_geom;
    double *contact_pos, *contact_frame, *contact_dist, *contact_force,
        /* K x 3, 9, 1, 6, 1 */
        *contact_slip;
    /* what was found */
    double cost;
    int nterm;
    int nconstraint;
    int niteration;
    int nfinding;
    /* the diagnosis, in the order of the list */
    sal_finding *finding;
    sal_term_report *term;
    sal_constraint_report *constraint;
    sal_iteration *iteration;
    /* unactuated: N on translational dofs, N m on rotational ones */
    sal_extreme force, torque;
    /* larger of force/W and torque/(W 1 m); W in N */
    double relative_to_weight, weight;
    double physical_tolerance;
    /* What a room above added to the motion (identify/identify.h: sal_identification_of): its
     * functions, and the part itself; both NULL: nothing. */
    const struct prb_part_kind *part_kind;
    void *part;
    sal_optim_result optim;
    /* this and the next go to run.json only */
    double seconds;
    /* seconds of the winning start, where a clock was given; else 0 */
    double work[SAL_NWORK];
    /* memory: term, constraint, iteration and finding are from sal_alloc */
    void *block;
    void *contact_block;
    int contact_capacity;
} sal_result;

/* how a caller follows a solve; any member may be NULL */
typedef struct sal_watch {
    /* false: stop */
    bool (*progress)(void *user, int start, const sal_progress *p);
    void *user;
    /* several threads may write to it */
    const sal_log *log;
    /* seconds: the result will say where they went */
    double (*clock)(void);
    /* a folder: where each start is kept after each linearisation */
    const char *checkpoint;
    /* starts found there go on. Those that have ended are not repeated */
    bool resume;
    /* who shares the solve: each of them calls sal_problem_solve with the same problem, and has the
     * same result. Rank 0 alone needs the members above; what it is told to do, and finds where it
     * is to resume, goes for all. Starts then come one after the other. */
    const sal_ranks *ranks;
} sal_watch;

/* Solves with at most nthread threads. A solve that does not converge is not an error: the result
 * says so. The caller frees. */
SAL_API sal_status sal_problem_solve(sal_result **result, const sal_problem *p, int nthread,
                                     const sal_watch *watch, sal_err *err);

/* What a solve of p left in that folder: linearisations [max(nstart, 1) + nmore] of each start, 0
 * where it has not begun; whether there is anything. SAL_BADINPUT where that is damaged or belongs
 * to another problem, model or version of saltus. */
SAL_API sal_status sal_checkpoint_look(const sal_problem *p, const char *folder,
                                       int *linearisations, bool *found, sal_err *err);
SAL_API void sal_checkpoint_remove(const char *folder);

/* A result with a motion of p evaluated by model (the final one: contact as it is to be replayed).
 * Fills everything but status, iterations and provenance's start. What the actuators do follows
 * from the forces, or where it does not (see docs/problem_file.md, "Actuators") from the motion's
 * z, NULL: nothing. */
SAL_API sal_status sal_result_evaluate(sal_result **result, const sal_problem *p,
                                       const sal_model *model, const sal_motion *motion,
                                       double travel, sal_err *err);
/* The exit_code of a result that ended so; of a simulation: converged, interrupted or failed. */
SAL_API int sal_result_exit_code(sal_stop stop);
SAL_API void sal_result_free(sal_result *result);

/* result.h5, written to a temporary file beside it, synced, renamed. Equal results give equal
 * bytes. */
SAL_API sal_status sal_result_write(const sal_result *result, const char *path, sal_err *err);
/* SAL_BADPATH if it cannot be opened, SAL_BADINPUT if it is not a result or of a newer format. Of
 * an identification it is the motion alone; sal_request_read_result (identify/identify.h) reads
 * all. */
SAL_API sal_status sal_result_read(sal_result **result, const char *path, sal_err *err);

/* ---- what is done with a result ---- */

/* a number that says something of a result */
typedef struct sal_figure {
    char name[80];
    char unit[16];
    /* NaN: makes no sense here */
    double value;
} sal_figure;

/* All figures of a result; sal_free *figure. */
SAL_API sal_status sal_result_figures(const sal_result *r, sal_figure **figure, int *n,
                                      sal_err *err);

/* Where two results, or two files, differ. */
typedef struct sal_difference {
    /* "status", "problem", "model", "cost", "constraint", "motion", .. */
    const char *group;
    /* path of an attribute, term, joint */
    char name[160];
    /* as text; "" where it is absent */
    char first[96], second[96];
    double size,
        /* of numbers: second - first, or the largest |difference| over the motion and when; else
         * NaN */
        time;
} sal_difference;

/* All differences; equal ones have none. Motions are compared at the rows of the first, the second
 * interpolated there by its share of the duration. The caller frees *list with sal_free. */
SAL_API sal_status sal_result_compare(sal_difference **list, int *n, const sal_result *first,
                                      const sal_result *second, sal_err *err);

/* run.json: arguments, threads, seconds and host, which differ from run to run and therefore stay
 * out of result.h5. */
SAL_API sal_status sal_result_run_json(const sal_result *result, int argc, const char *const *argv,
                                       int nthread, sal_text *out, sal_err *err);
SAL_END_C

#endif
