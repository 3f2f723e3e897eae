/* kinds.h: the words of a mechanism: types of joints, geoms, constraints, actuators, sensors, and
 * what may be switched on and off. Part of physics.h. */
#ifndef SAL_PHYSICS_KINDS_H
#define SAL_PHYSICS_KINDS_H

#include "base/base.h"

SAL_BEGIN_C

/* The versions of MuJoCo that a model can behave like; 0 is the default. */
typedef enum sal_mujoco { SAL_MUJOCO_314, SAL_MUJOCO_312, SAL_MUJOCO_222, SAL_NMUJOCO } sal_mujoco;

typedef enum sal_joint_type {
    SAL_JNT_FREE,
    SAL_JNT_BALL,
    SAL_JNT_SLIDE,
    SAL_JNT_HINGE
} sal_joint_type;

/* Degrees of freedom of a joint of this type. */
static inline int sal_joint_ndof(int type)
{
    return type == SAL_JNT_FREE ? 6 : type == SAL_JNT_BALL ? 3 : 1;
}

/* in the order that decides which geom of a contact comes first */
typedef enum sal_geom_type {
    SAL_GEOM_PLANE,
    SAL_GEOM_HFIELD,
    SAL_GEOM_SPHERE,
    SAL_GEOM_CAPSULE,
    SAL_GEOM_ELLIPSOID,
    SAL_GEOM_CYLINDER,
    SAL_GEOM_BOX,
    SAL_GEOM_MESH,
    SAL_NGEOMTYPES
} sal_geom_type;

typedef enum sal_integrator {
    SAL_INT_EULER,
    SAL_INT_RK4,
    SAL_INT_IMPLICIT,
    SAL_INT_IMPLICITFAST,
    SAL_INT_DISCRETE
} sal_integrator;

typedef enum sal_cone { SAL_CONE_PYRAMIDAL, SAL_CONE_ELLIPTIC } sal_cone;

/* X(code, name): how the forward dynamics finds the forces of constraints, which are the same */
#define SAL_SOLVER_LIST(X)                                                                         \
    X(SAL_SOLVER_NEWTON, "Newton")                                                                 \
    X(SAL_SOLVER_PGS, "PGS")                                                                       \
    X(SAL_SOLVER_CG, "CG")
typedef enum sal_solver {
#define SAL_SOLVER_CODE(code, name) code,
    SAL_SOLVER_LIST(SAL_SOLVER_CODE)
#undef SAL_SOLVER_CODE
        SAL_NSOLVER
} sal_solver;

/* X(code, name): which force a contact exerts, see docs/contact_models.md */
#define SAL_CONTACT_LIST(X)                                                                        \
    X(SAL_CONTACT_SOFT, "soft")                                                                    \
    X(SAL_CONTACT_LOGBARRIER, "logbarrier")                                                        \
    X(SAL_CONTACT_CONVEX, "convex")                                                                \
    X(SAL_CONTACT_HARD, "hard")                                                                    \
    X(SAL_CONTACT_COMPLEMENTARITY, "complementarity")                                              \
    X(SAL_CONTACT_DIAGONAL, "diagonal")

typedef enum sal_contact_model {
#define SAL_CONTACT_ENUM(code, name) code,
    SAL_CONTACT_LIST(SAL_CONTACT_ENUM)
#undef SAL_CONTACT_ENUM
        SAL_NCONTACTMODELS
} sal_contact_model;

/* X(code, bit, flag of MJCF): the bits of sal_option.disable */
#define SAL_DISABLE_LIST(X)                                                                        \
    X(SAL_DSBL_CONSTRAINT, 0, "constraint")                                                        \
    X(SAL_DSBL_EQUALITY, 1, "equality")                                                            \
    X(SAL_DSBL_FRICTIONLOSS, 2, "frictionloss")                                                    \
    X(SAL_DSBL_LIMIT, 3, "limit")                                                                  \
    X(SAL_DSBL_CONTACT, 4, "contact")                                                              \
    X(SAL_DSBL_GRAVITY, 7, "gravity")                                                              \
    X(SAL_DSBL_CLAMPCTRL, 8, "clampctrl")                                                          \
    X(SAL_DSBL_WARMSTART, 9, "warmstart")                                                          \
    X(SAL_DSBL_FILTERPARENT, 10, "filterparent")                                                   \
    X(SAL_DSBL_ACTUATION, 11, "actuation")                                                         \
    X(SAL_DSBL_REFSAFE, 12, "refsafe")                                                             \
    X(SAL_DSBL_SENSOR, 13, "sensor")                                                               \
    X(SAL_DSBL_SPRING, 5, "spring")                                                                \
    X(SAL_DSBL_DAMPER, 6, "damper")                                                                \
    X(SAL_DSBL_EULERDAMP, 14, "eulerdamp")                                                         \
    X(SAL_DSBL_MULTICCD, 19, "multiccd")

enum {
#define SAL_DISABLE_ENUM(code, bit, flag) code = 1 << (bit),
    SAL_DISABLE_LIST(SAL_DISABLE_ENUM)
#undef SAL_DISABLE_ENUM
};

/* bits of sal_option.enable */
enum {
    SAL_ENBL_ENERGY = 1 << 0,   /* sal_velocity computes the energy */
    SAL_ENBL_DIAGEXACT = 1 << 1 /* constraint rows are scaled by their J M^-1 J' itself */
};

typedef enum sal_eq_type {
    SAL_EQ_CONNECT, /* a point of one body on a point of another */
    SAL_EQ_WELD,    /* two bodies as one */
    SAL_EQ_JOINT,   /* a joint's position a polynomial of another's */
    SAL_EQ_TENDON   /* a tendon's length a polynomial of another's */
} sal_eq_type;

/* what a tendon's path is made of */
typedef enum sal_wrap_type {
    SAL_WRAP_JOINT,
    SAL_WRAP_PULLEY,
    SAL_WRAP_SITE,
    SAL_WRAP_SPHERE,
    SAL_WRAP_CYLINDER
} sal_wrap_type;

/* how a camera follows what moves */
typedef enum sal_camera_mode {
    SAL_CAM_FIXED,      /* with its body */
    SAL_CAM_TRACK,      /* as far from its body's origin as at qpos0, in world axes; never turns */
    SAL_CAM_TRACKCOM,   /* the same of the centre of mass of all that its body carries */
    SAL_CAM_TARGETBODY, /* goes with its body; looks at another one's origin, x level */
    SAL_CAM_TARGETBODYCOM /* or at the centre of mass of all that that one carries */
} sal_camera_mode;

/* what an actuator acts on */
typedef enum sal_transmission {
    SAL_TRN_JOINT,
    SAL_TRN_TENDON,
    SAL_TRN_SITE,        /* a wrench at a site, perhaps against another one */
    SAL_TRN_SLIDERCRANK, /* a rod between a crank's site and a slider's axis */
    SAL_TRN_BODY         /* adhesion: pulls together what touches the body */
} sal_transmission;

/* how an activation follows the control; none: there is no activation. motor: it may have several
 * activations or none, which follow the motion, too (physics/actuation/motor.c) */
typedef enum sal_dyn {
    SAL_DYN_NONE,
    SAL_DYN_INTEGRATOR,
    SAL_DYN_FILTER,
    SAL_DYN_FILTEREXACT,
    SAL_DYN_MUSCLE,
    SAL_DYN_MOTOR
} sal_dyn;
/* orientation: three or four actuators in a row turn something about all axes together (see
 * physics/actuation/orientation.c) */
typedef enum sal_gain {
    SAL_GAIN_FIXED,
    SAL_GAIN_AFFINE,
    SAL_GAIN_MUSCLE,
    SAL_GAIN_ORIENTATION
} sal_gain;
typedef enum sal_bias {
    SAL_BIAS_NONE,
    SAL_BIAS_AFFINE,
    SAL_BIAS_MUSCLE,
    SAL_BIAS_ORIENTATION,
    SAL_BIAS_COGGING /* affine, and a force that alternates with the length */
} sal_bias;

/* between the samples of a history: the one before, a line, a cubic through both and their
 * neighbours' slopes */
typedef enum sal_interp { SAL_INTERP_ZOH, SAL_INTERP_LINEAR, SAL_INTERP_CUBIC } sal_interp;

typedef enum sal_stage { SAL_STAGE_POS, SAL_STAGE_VEL, SAL_STAGE_ACC } sal_stage;

/* what a sensor's numbers are, and how its cutoff c cuts them: to [-c, c], to at most c, not at all
 * (nor is a fromto cut) */
typedef enum sal_datatype {
    SAL_DATA_REAL,
    SAL_DATA_POSITIVE,
    SAL_DATA_AXIS,
    SAL_DATA_QUATERNION
} sal_datatype;

/* X(code, MJCF element, numbers, stage, datatype): every sensor; a user's is zero, of its own size,
 * stage and datatype */
#define SAL_SENSOR_LIST(X)                                                                         \
    X(SAL_SENS_TOUCH, "touch", 1, SAL_STAGE_ACC, SAL_DATA_POSITIVE)                                \
    X(SAL_SENS_ACCELEROMETER, "accelerometer", 3, SAL_STAGE_ACC, SAL_DATA_REAL)                    \
    X(SAL_SENS_VELOCIMETER, "velocimeter", 3, SAL_STAGE_VEL, SAL_DATA_REAL)                        \
    X(SAL_SENS_GYRO, "gyro", 3, SAL_STAGE_VEL, SAL_DATA_REAL)                                      \
    X(SAL_SENS_FORCE, "force", 3, SAL_STAGE_ACC, SAL_DATA_REAL)                                    \
    X(SAL_SENS_TORQUE, "torque", 3, SAL_STAGE_ACC, SAL_DATA_REAL)                                  \
    X(SAL_SENS_MAGNETOMETER, "magnetometer", 3, SAL_STAGE_POS, SAL_DATA_REAL)                      \
    X(SAL_SENS_RANGEFINDER, "rangefinder", 1, SAL_STAGE_POS, SAL_DATA_REAL)                        \
    X(SAL_SENS_CAMPROJECTION, "camprojection", 2, SAL_STAGE_POS, SAL_DATA_REAL)                    \
    X(SAL_SENS_JOINTPOS, "jointpos", 1, SAL_STAGE_POS, SAL_DATA_REAL)                              \
    X(SAL_SENS_JOINTVEL, "jointvel", 1, SAL_STAGE_VEL, SAL_DATA_REAL)                              \
    X(SAL_SENS_TENDONPOS, "tendonpos", 1, SAL_STAGE_POS, SAL_DATA_REAL)                            \
    X(SAL_SENS_TENDONVEL, "tendonvel", 1, SAL_STAGE_VEL, SAL_DATA_REAL)                            \
    X(SAL_SENS_ACTUATORPOS, "actuatorpos", 1, SAL_STAGE_POS, SAL_DATA_REAL)                        \
    X(SAL_SENS_ACTUATORVEL, "actuatorvel", 1, SAL_STAGE_VEL, SAL_DATA_REAL)                        \
    X(SAL_SENS_ACTUATORFRC, "actuatorfrc", 1, SAL_STAGE_ACC, SAL_DATA_REAL)                        \
    X(SAL_SENS_JOINTACTFRC, "jointactuatorfrc", 1, SAL_STAGE_ACC, SAL_DATA_REAL)                   \
    X(SAL_SENS_TENDONACTFRC, "tendonactuatorfrc", 1, SAL_STAGE_ACC, SAL_DATA_REAL)                 \
    X(SAL_SENS_BALLQUAT, "ballquat", 4, SAL_STAGE_POS, SAL_DATA_QUATERNION)                        \
    X(SAL_SENS_BALLANGVEL, "ballangvel", 3, SAL_STAGE_VEL, SAL_DATA_REAL)                          \
    X(SAL_SENS_JOINTLIMITPOS, "jointlimitpos", 1, SAL_STAGE_POS, SAL_DATA_REAL)                    \
    X(SAL_SENS_JOINTLIMITVEL, "jointlimitvel", 1, SAL_STAGE_VEL, SAL_DATA_REAL)                    \
    X(SAL_SENS_JOINTLIMITFRC, "jointlimitfrc", 1, SAL_STAGE_ACC, SAL_DATA_REAL)                    \
    X(SAL_SENS_TENDONLIMITPOS, "tendonlimitpos", 1, SAL_STAGE_POS, SAL_DATA_REAL)                  \
    X(SAL_SENS_TENDONLIMITVEL, "tendonlimitvel", 1, SAL_STAGE_VEL, SAL_DATA_REAL)                  \
    X(SAL_SENS_TENDONLIMITFRC, "tendonlimitfrc", 1, SAL_STAGE_ACC, SAL_DATA_REAL)                  \
    X(SAL_SENS_FRAMEPOS, "framepos", 3, SAL_STAGE_POS, SAL_DATA_REAL)                              \
    X(SAL_SENS_FRAMEQUAT, "framequat", 4, SAL_STAGE_POS, SAL_DATA_QUATERNION)                      \
    X(SAL_SENS_FRAMEXAXIS, "framexaxis", 3, SAL_STAGE_POS, SAL_DATA_AXIS)                          \
    X(SAL_SENS_FRAMEYAXIS, "frameyaxis", 3, SAL_STAGE_POS, SAL_DATA_AXIS)                          \
    X(SAL_SENS_FRAMEZAXIS, "framezaxis", 3, SAL_STAGE_POS, SAL_DATA_AXIS)                          \
    X(SAL_SENS_FRAMELINVEL, "framelinvel", 3, SAL_STAGE_VEL, SAL_DATA_REAL)                        \
    X(SAL_SENS_FRAMEANGVEL, "frameangvel", 3, SAL_STAGE_VEL, SAL_DATA_REAL)                        \
    X(SAL_SENS_FRAMELINACC, "framelinacc", 3, SAL_STAGE_ACC, SAL_DATA_REAL)                        \
    X(SAL_SENS_FRAMEANGACC, "frameangacc", 3, SAL_STAGE_ACC, SAL_DATA_REAL)                        \
    X(SAL_SENS_INSIDESITE, "insidesite", 1, SAL_STAGE_POS, SAL_DATA_REAL)                          \
    X(SAL_SENS_SUBTREECOM, "subtreecom", 3, SAL_STAGE_POS, SAL_DATA_REAL)                          \
    X(SAL_SENS_SUBTREELINVEL, "subtreelinvel", 3, SAL_STAGE_VEL, SAL_DATA_REAL)                    \
    X(SAL_SENS_SUBTREEANGMOM, "subtreeangmom", 3, SAL_STAGE_VEL, SAL_DATA_REAL)                    \
    X(SAL_SENS_CLOCK, "clock", 1, SAL_STAGE_POS, SAL_DATA_REAL)                                    \
    X(SAL_SENS_GEOMDIST, "distance", 1, SAL_STAGE_POS, SAL_DATA_REAL)                              \
    X(SAL_SENS_GEOMNORMAL, "normal", 3, SAL_STAGE_POS, SAL_DATA_AXIS)                              \
    X(SAL_SENS_GEOMFROMTO, "fromto", 6, SAL_STAGE_POS, SAL_DATA_REAL)                              \
    X(SAL_SENS_E_POTENTIAL, "e_potential", 1, SAL_STAGE_POS, SAL_DATA_REAL)                        \
    X(SAL_SENS_E_KINETIC, "e_kinetic", 1, SAL_STAGE_VEL, SAL_DATA_REAL)                            \
    X(SAL_SENS_CONTACT, "contact", 0, SAL_STAGE_ACC, SAL_DATA_REAL)                                \
    X(SAL_SENS_USER, "user", 0, SAL_STAGE_ACC, SAL_DATA_REAL)                                      \
    X(SAL_SENS_TACTILE, "tactile", 0, SAL_STAGE_ACC, SAL_DATA_REAL)

/* X(code, word, numbers): what a <contact> sensor says of a contact; bit 1 << code of its
 * sensor_intprm[0] */
#define SAL_CONTACT_DATA_LIST(X)                                                                   \
    X(SAL_CONDATA_FOUND, "found", 1) /* how many contacts match */                                 \
    X(SAL_CONDATA_FORCE, "force", 3) /* in the contact's frame, on the second */                   \
    X(SAL_CONDATA_TORQUE, "torque", 3)                                                             \
    X(SAL_CONDATA_DIST, "dist", 1)                                                                 \
    X(SAL_CONDATA_POS, "pos", 3)                                                                   \
    X(SAL_CONDATA_NORMAL, "normal", 3)   /* from the first to the second */                        \
    X(SAL_CONDATA_TANGENT, "tangent", 3) /* the frame's second row */

typedef enum sal_contact_data {
#define SAL_CONTACT_DATA_ENUM(code, word, numbers) code,
    SAL_CONTACT_DATA_LIST(SAL_CONTACT_DATA_ENUM)
#undef SAL_CONTACT_DATA_ENUM
        SAL_NCONDATA
} sal_contact_data;

/* X(code, word, numbers): what a <rangefinder> says of a ray; bit 1 << code of its
 * sensor_intprm[0] */
#define SAL_RAY_DATA_LIST(X)                                                                       \
    X(SAL_RAYDATA_DIST, "dist", 1) /* -1: it meets nothing */                                      \
    X(SAL_RAYDATA_DIR, "dir", 3)                                                                   \
    X(SAL_RAYDATA_ORIGIN, "origin", 3)                                                             \
    X(SAL_RAYDATA_POINT, "point", 3)   /* where it meets something */                              \
    X(SAL_RAYDATA_NORMAL, "normal", 3) /* of what it meets, outwards */                            \
    X(SAL_RAYDATA_DEPTH, "depth", 1)   /* along the camera's view; -1: nothing */

typedef enum sal_ray_data {
#define SAL_RAY_DATA_ENUM(code, word, numbers) code,
    SAL_RAY_DATA_LIST(SAL_RAY_DATA_ENUM)
#undef SAL_RAY_DATA_ENUM
        SAL_NRAYDATA
} sal_ray_data;

/* which contacts it says it of: the first ones, the deepest, the strongest, all as one force */
typedef enum sal_contact_reduce {
    SAL_REDUCE_NONE,
    SAL_REDUCE_MINDIST,
    SAL_REDUCE_MAXFORCE,
    SAL_REDUCE_NETFORCE
} sal_contact_reduce;

typedef enum sal_sensor_type {
#define SAL_SENSOR_ENUM(code, element, dim, stage, datatype) code,
    SAL_SENSOR_LIST(SAL_SENSOR_ENUM)
#undef SAL_SENSOR_ENUM
} sal_sensor_type;

/* what a name names */
typedef enum sal_object {
    SAL_OBJ_BODY,  /* as a sensor's object: its inertial frame */
    SAL_OBJ_XBODY, /* its own frame */
    SAL_OBJ_JOINT,
    SAL_OBJ_GEOM,
    SAL_OBJ_SITE,
    SAL_OBJ_CAMERA,
    SAL_OBJ_EQUALITY,
    SAL_OBJ_TENDON,
    SAL_OBJ_ACTUATOR,
    SAL_OBJ_SENSOR,
    SAL_OBJ_KEY,
    SAL_OBJ_NUMERIC,
    SAL_OBJ_TEXT,
    SAL_OBJ_TUPLE,
    SAL_OBJ_MESH,
    SAL_OBJ_HFIELD,
    SAL_OBJ_NONE
} sal_object;

/* What numbers of a model file are that are held loose: see sal_remodel. */
typedef enum sal_loose_kind {
    SAL_LOOSE_NUMBERS,  /* as they stand in an attribute */
    SAL_LOOSE_VERTICES, /* of a mesh: the same, not rounded */
    SAL_LOOSE_MASS,     /* body[NAME]/mass, com, inertia */
    SAL_LOOSE_COM,
    SAL_LOOSE_INERTIA
} sal_loose_kind;

SAL_END_C

#endif
