/* problem.h: a problem as it was read: what counts, how it is summed, where the search begins.
 * Private to problems/ and the rooms above it.
 *
 * A problem file names a model, a time structure, terms of a cost, and how to start; see
 * docs/problem_file.md.
 */
#ifndef SAL_PROBLEMS_PROBLEM_H
#define SAL_PROBLEMS_PROBLEM_H

#include "base/house.h"
#include "problems/problems.h"

typedef enum prb_boundary { PRB_OPEN, PRB_CYCLE } prb_boundary;

/* How the travel of a cycle is given. */
typedef enum prb_travel {
    PRB_TRAVEL_NONE,
    PRB_TRAVEL_SPEED,
    PRB_TRAVEL_VALUE,
    PRB_TRAVEL_FREE
} prb_travel;

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
#define PRB_MODEL_QUANTITY_LIST(X)                                                                 \
    X(PRB_QTY_CTRL, "ctrl", NAMES,                                                                 \
      "Control of these actuators, or `all`, minus `target`; in the actuators' units.")            \
    X(PRB_QTY_FORCE, "force", NAMES,                                                               \
      "Force of these actuators, or `all`, minus `target`; N, N m.")                               \
    X(PRB_QTY_JOINT, "joint", NAMES,                                                               \
      "These joints, or `all`: position, velocity or acceleration (`of`) minus `target`; "         \
      "rad, m, ..")                                                                                \
    X(PRB_QTY_SENSOR, "sensor", NAME,                                                              \
      "Reading of this sensor (`docs/sensors.md`) minus `target`; the sensor's units.")            \
    X(PRB_QTY_SLIP, "slip", NAMES,                                                                 \
      "Tangential velocity of these points over the floor, m/s, times their nearness to it "       \
      "(`near`). A body means all its points that can stand on the floor.")                        \
    X(PRB_QTY_IMPACT, "impact", NAMES,                                                             \
      "Vertical velocity of these points over the floor, m/s, times their nearness to it "         \
      "(`near`). A body means all its points that can stand on the floor.")                        \
    X(PRB_QTY_NORMAL, "normal", NAMES,                                                             \
      "Total normal force on each of these geoms or bodies minus `target`, N.")                    \
    X(PRB_QTY_FLAT, "flat", NAMES,                                                                 \
      "Difference in height between the two ends of each of these geoms, m, times the nearness "   \
      "of the lower end to the floor.")                                                            \
    X(PRB_QTY_LEVEL, "level", NAMES,                                                               \
      "Difference in height between the first and second of these points, the third and fourth, "  \
      ".., m, times the nearness of the lower point to the floor.")                                \
    X(PRB_QTY_DISTANCE, "distance", NAMES,                                                         \
      "Signed distance between the first and second of these geoms, the third and fourth, .., "    \
      "minus `target`, m; negative where they overlap.")                                           \
    X(PRB_QTY_CONTACT, "contact", NAMES,                                                           \
      "Total contact force on each of these geoms or bodies, or on `all` that can touch (with "    \
      "`with`: only contacts with those): x, y, z in the world, N.")                               \
    X(PRB_QTY_COP, "cop", NAMES,                                                                   \
      "Centre of pressure x, y of these geoms and bodies together, or `all`, m: (Σ Nᵢ "         \
      "xᵢ + e x₀) / (Σ Nᵢ + e), Nᵢ the normal force of each contact at xᵢ, x₀ "       \
      "the mean of the geoms' centres, where it is without contact, and e = W/1000.")              \
    X(PRB_QTY_HEIGHT, "height", NAMES,                                                             \
      "Height of each of these points, or origins of bodies, over the floor, m.")                  \
    X(PRB_QTY_POSITION, "position", NAMES,                                                         \
      "Position of each of these points, or origins of bodies, in the world: x, y, z, m.")         \
    X(PRB_QTY_VELOCITY, "velocity", NAMES,                                                         \
      "Velocity of each of these points, or origins of bodies, in the world: x, y, z, m/s.")       \
    X(PRB_QTY_COM, "com", NAMES,                                                                   \
      "Centre of mass of each of these bodies together with its descendants, or of `all` moving "  \
      "bodies; or its velocity or acceleration (`of`): x, y, z, m, ..")                            \
    X(PRB_QTY_MOMENTUM, "momentum", NAMES,                                                         \
      "Linear momentum of each of these bodies together with its descendants, or of `all` moving " \
      "bodies: x, y, z, kg m/s.")                                                                  \
    X(PRB_QTY_ANGMOMENTUM, "angmomentum", NAMES,                                                   \
      "Angular momentum of each of these bodies together with its descendants, or of `all` "       \
      "moving bodies, about their centre of mass: x, y, z, kg m²/s.")                              \
    X(PRB_QTY_ENERGY, "energy", NAMES,                                                             \
      "Energy of the mechanism, J: `kinetic`, `potential` (gravity and springs) or "               \
      "`total`.")                                                                                  \
    X(PRB_QTY_POWER, "power", NAMES,                                                               \
      "Power of each of these actuators, or `all`: force times velocity at the beginning of the "  \
      "step, W. With `sum`: the net power; with the norm `smoothabs`: the absolute power.")        \
    X(PRB_QTY_TENDON, "tendon", NAMES,                                                             \
      "Length or velocity (`of`) of each of these tendons, or `all`; m, rad, ..")                  \
    X(PRB_QTY_ORIENTATION, "orientation", NAMES,                                                   \
      "Rotation of each of these bodies from its target, a quaternion w x y z of the "             \
      "world, as a rotation vector in the body's axes: x, y, z, rad.")                             \
    X(PRB_QTY_FLOOR, "floor", NAMES,                                                               \
      "`height`: how far the floor of the recordings that terms follow is over that of the "       \
      "model, m; `slope`: how it rises along x and y, two numbers. Where there is such a term, "   \
      "the search finds this along with the motion, and what was recorded is lowered by the "      \
      "height, and turned so that its floor is level.")                                            \
    X(PRB_QTY_MARKER, "marker", NAMES,                                                             \
      "Where the marker of each of these sites, or of `all` that channels measure, is beside its " \
      "site, in the axes of the body that carries it: x, y, z, m. Where there is such a term, "    \
      "the search finds this along with the motion, the same at all instants.")

/* .. and what a program makes of these. */
#define PRB_QUANTITY_LIST(X)                                                                       \
    PRB_MODEL_QUANTITY_LIST(X)                                                                     \
    X(PRB_QTY_FUNCTION, "function", NAME,                                                          \
      "The residuals of this `<function>`, of the program that solves the problem.")

typedef enum prb_quantity_code {
#define PRB_QUANTITY_ENUM(code, name, value, doc) code,
    PRB_QUANTITY_LIST(PRB_QUANTITY_ENUM)
#undef PRB_QUANTITY_ENUM
} prb_quantity_code;

enum {
#define PRB_QUANTITY_NUMBER(code, name, value, doc) code##_NUMBER,
    PRB_QUANTITY_LIST(PRB_QUANTITY_NUMBER)
#undef PRB_QUANTITY_NUMBER
        PRB_NQUANTITY
};

/* The attribute that names quantity i, 0 <= i < PRB_NQUANTITY. */
const char *prb_quantity_name(int i);

/* How the floor of recordings lies in the axes of the model: the plane
 * z = height + slope . ((x, y) - centre). NaN: it was not searched. */
typedef struct prb_recorded_floor {
    /* m, at the centre */
    double height;
    /* along x and y */
    double slope[2];
    /* m: the mean of all places that were recorded during the motion */
    double centre[2];
} prb_recorded_floor;

prb_recorded_floor prb_floor_unknown(void);

/* What a term about it names. */
enum { PRB_FLOOR_HEIGHT, PRB_FLOOR_SLOPE };

/* What a residual is about: a quantity of some objects minus its target, at some instants t = 0..N
 * of the motion; shared by terms and constraints. At t = N, where no force acts any more, only what
 * follows from position and velocity can count. */
typedef struct prb_feature {
    char *name;
    prb_quantity_code quantity;
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
     * both; floor: PRB_FLOOR_..; marker: index into problem->offset; function: the index into
     * problem->function */
    int *object;
    /* function: that which the program gave; it is known at the last instant */
    const sal_function *given;
    bool ends;
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
    /* [dim] of a recording: how much the target falls where its floor is 1 m higher; NULL: not */
    double *fall;
    /* of a recording whose floor may slope, [(nstep + 1) x numbers of the quantity]: what turns
     * with that floor, places from prb_recorded_floor.centre on, vectors as they are; NULL: nothing
     */
    double *arm;
    /* .. the reference does */
    bool turned;
    /* position of a site: 1 + index into problem->offset, if its marker may be beside it; 0: it is
     * at the site */
    int offset;
    /* instants at which it counts; 0: every step 0..N-1 */
    int nstep;
    /* [nstep] ascending */
    int *step;
    /* the residual is the mean of the quantity over these instants, minus target */
    bool mean;
} prb_feature;

/* How a term is summed over time: its mean over the instants, its integral over time, that divided
 * by the travel. */
typedef enum prb_per { PRB_PER_TIME, PRB_PER_MOTION, PRB_PER_DISTANCE } prb_per;

typedef struct prb_term {
    prb_feature feature;
    sal_norm norm;
    /* final */
    double weight;
    /* at the soft end of the path; geometric in between */
    double softweight;
    prb_per per;
    /* largest deviation from the target that is as asked, in units of the quantity; 0: any */
    double tol;
} prb_term;

/* value = target within tol, or lower <= value <= upper within tol, for each component */
typedef struct prb_constraint {
    prb_feature feature;
    bool range;
    /* [dim] of a range; infinite: not bounded */
    double *lower, *upper;
    /* units of the quantity */
    double tol;
    /* the quantity's natural unit: what an excess of 1 is, for the optimizer */
    double scale;
} prb_constraint;

/* What is required of a motion that was found, by <require>; the search does not know of it. NaN:
 * not required. */
typedef struct prb_require {
    /* m; m, with the model's own contacts; m/s; in weights of the mechanism; the same, at ends that
     * are pinned at rest */
    double penetration, ownpenetration, slip, load, rest;
    int nonly;
    /* [nonly] geoms, and bodies as -1-body, that may touch what cannot move; 0: all may */
    int *only;
    /* bodies of one tree may touch one another */
    bool selfcontact;
    /* what is free may be at an end of its range */
    bool bound;
} prb_require;

/* How many things <require> can require. */
enum { PRB_NREQUIRE = 7 };

/* Whether the motion is brought into the model as it is: not; it has to be, else it is not as
 * asked; where it can be. In the order of the grammar's choices. */
typedef enum prb_finish { PRB_FINISH_NONE, PRB_FINISH_MODEL, PRB_FINISH_TRY } prb_finish;

/* One row of the smoothing table: its value at the soft end and at the final contact. */
typedef struct prb_ramp {
    double soft;
    double final;
} prb_ramp;

/* X(name, attribute): the rows of the smoothing table; see softening_schedule.c for defaults and
 * how each is interpolated */
#define PRB_SMOOTHING_LIST(X)                                                                      \
    X(width)     /* m: penetration over which contact impedance rises */                           \
    X(dmax)      /* final impedance of contacts, 0..1; ramped as d/(1-d) */                        \
    X(timeconst) /* s: of contacts; at least 2 h */                                                \
    X(impratio)  /* friction to normal impedance */                                                \
    X(sigma)     /* m/s^2: smoothing of the force law */                                           \
    /* weight of the unactuated force / body weight (the prototype's w, not squared) */            \
    X(dynamics)                                                                                    \
    X(acceleration) /* regulariser: w in (w a/10)^2 */

typedef struct prb_smoothing {
#define PRB_SMOOTHING_FIELD(name) prb_ramp name;
    PRB_SMOOTHING_LIST(PRB_SMOOTHING_FIELD)
#undef PRB_SMOOTHING_FIELD
    /* timeconst="2h": twice the time step, whatever it is */
    bool timeconst_tied;
} prb_smoothing;

/* of an open motion: pinned joint by joint */
typedef struct prb_endpoint {
    /* [njnt] 1: pinned; NULL: no joint is */
    unsigned char *pos, *vel;
    /* those of all joints are */
    bool fixed_pos, fixed_vel;
    /* [nq] home where nothing is pinned */
    double *qpos;
    /* [nv] */
    double *qvel;
} prb_endpoint;

/* A function of the program that solves the problem, and the numbers it is of: function.c */
typedef struct prb_function {
    char *name;
    const sal_function *given;
    /* into problem->input */
    int first, n;
    /* their numbers together */
    int nx;
    /* all of them are known at the last instant */
    bool ends;
} prb_function;

struct sal_problem {
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
    sal_mujoco mujoco;
    /* time */
    int nstep;
    /* s, one period as posed */
    double duration;
    /* equal: fixed */
    double duration_range[2];
    /* coarse solutions that come first, of nstep/refine steps each */
    int nrefine, refine[4];
    /* boundary */
    prb_boundary boundary;
    /* cycle */
    sal_image *image;
    prb_travel travel;
    /* m/s for SPEED, m for VALUE, first guess in m for FREE */
    double travel_value;
    /* FREE: -inf, inf if not given */
    double travel_range[2];
    /* rad: of the arc of a travel that turns, image->turn; equal: fixed */
    double turn_range[2];
    /* open */
    prb_endpoint start, end;
    /* cost */
    int nterm;
    prb_term *term;
    int nconstraint;
    prb_constraint *constraint;
    prb_require require;
    int nfunction;
    prb_function *function;
    int ninput;
    prb_feature *input;
    /* what the program gave: the caller's */
    const sal_function *given;
    int ngiven;
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
    /* the poses of a recording at the same shares, from which the guess is made (parting.c); NULL:
     * there is none */
    struct prb_states *recorded;
    /* how far that travels and turns itself */
    double init_travel, init_turn;
    /* how the floor of its recording lay */
    prb_recorded_floor init_floor;
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
    /* sal_contact_model; J, m (NaN: by the mass and the time step) */
    int contact_model;
    double kappa, reach;
    /* see runs/finish.c */
    prb_finish finish;
    /* with contact="model", not said in files: contacts and limits begin with the impedance 0
     * instead of their own */
    bool gentle;
    /* not said in files: the first guess is nearly physical, so the search begins at the end of the
     * path */
    bool settled;
    /* not said in files: as settled, but contacts and limits are held as they are in the first
     * guess (hold.c), and the search ends where the constraints are met */
    bool held;
    /* not said in files: starts are not repeated */
    bool once;
    prb_smoothing smoothing;
    sal_derivatives derivatives;
    sal_differences differences;
    /* recordings that terms or the first guess follow; NULL: none */
    struct prb_dataset *data;
    /* s: the time at which a single one of them begins, time 0 of the motion; else 0 */
    double recording_start;
    /* where a term finds how their floor slopes: see prb_recorded_floor */
    double floor_centre[2];
    /* sites whose markers may be beside them [noffset], and where they are in the motion that the
     * search begins with, in the axes of the site's body [noffset x 3] m */
    int noffset;
    int *offset;
    double *init_offset;
    /* of a whole cycle that the file describes as a mirrored one, though the model is not quite its
     * own mirror image: the problem of half the cycle with an averaged model, which is solved
     * first; NULL: there is none */
    struct sal_problem *half;
    /* what differs most between the sides of this model; how much of it is allowed */
    sal_asymmetry asymmetry;
    double mirrortol;
};

/* The problem p read once more, with its model and further settings, but for the motion that
 * <init> names. The caller frees. SAL_BADINPUT if it is no problem with these settings. */
sal_status prb_problem_again(sal_problem **again, const sal_problem *p, const sal_setting *setting,
                             int nsetting, bool gentle, sal_err *err);

/* The problem that a result is of, as it was solved and with further settings, but for the motion
 * that <init> names; `path` is its file and `model_path` that of its model, NULL: as the problem
 * says. The caller frees. SAL_BADINPUT if it is no problem with these. */
sal_status prb_problem_of_result(sal_problem **p, const sal_result *r, const char *path,
                                 const char *model_path, const sal_setting *setting, int nsetting,
                                 sal_err *err);

/* The search for p begins with this motion, at shares of the duration from 0 to 1, which travels
 * and turns so far, and with the floor of the recordings as it lies there: as it is, once. p owns
 * the states then. */
void prb_problem_begin(sal_problem *p, struct prb_states *states, double travel, double turn,
                       const prb_recorded_floor *floor);

/* .. and with the markers of its recordings where they are in this result (result/markers.c). */
void prb_begin_markers(sal_problem *p, const sal_result *from);

/* How many starts there may be (solve/checkpoint.c): nstart and nmore, which begin at guesses of
 * their own; of those that are repeated, the ones that begin at the ends of their paths; and
 * the ones that go on where their projections failed, with a stretch that is soft; and together
 * with the ones that have another damping, of which there are so many. */
enum { PRB_DAMPINGS = 2 };
int prb_starts_own(const sal_problem *p);
int prb_starts_hardened(const sal_problem *p);
int prb_starts_softened(const sal_problem *p);
int prb_starts_most(const sal_problem *p);
/* How often each of them is repeated at most, unshaken the first time; without further starts only
 * so. */
int prb_repeats(const sal_problem *p);

#endif
