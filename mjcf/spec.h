/* spec.h: a mechanism as the file says it, before compilation; private to mjcf/
 *
 * The reader fills one record per element; a record starts as a copy of its default class and is overwritten attribute by attribute.
 * A number that was not given is NaN in its first place where "not given" matters. The compiler adds ids and the fields under
 * "compiled". All records live in the spec's pool; strings belong to the XML document, which outlives the spec.
 */
#ifndef SAL_MJCF_SPEC_H
#define SAL_MJCF_SPEC_H

#include "base/house.h"
#include "physics/physics.h"

enum { SPEC_FALSE, SPEC_TRUE, SPEC_AUTO };
enum { SPEC_COLLISION_ALL, SPEC_COLLISION_PREDEFINED, SPEC_COLLISION_DYNAMIC };
enum { SPEC_MODE_NONE, SPEC_MODE_MUSCLE, SPEC_MODE_ALL }; /* which actuators need a lengthrange */
enum { SPEC_OTHER = -1 }; /* a keyword that MJCF knows and we do not support */

/* A growing array of pointers into the pool. */
typedef struct spec_list {
    void **item;
    int n, capacity;
} spec_list;

/* Position and orientation; at most one of the last five is used, the last that was given. */
typedef struct spec_pose {
    double pos[3], quat[4];
    double axisangle[4], xyaxes[6], zaxis[3], euler[3]; /* [0] NaN: not given */
} spec_pose;

/* A rigid displacement: R(quat) x + pos */
typedef struct spec_frame {
    double pos[3], quat[4];
} spec_frame;

typedef struct spec_head {
    sal_xml *xml; /* where it stands in the file */
    const char *name, *class_name;
    int id;
} spec_head;

typedef struct spec_joint {
    spec_head head;
    int type, limited, group;
    double pos[3], axis[3], range[2], margin, ref, springref, springdamper[2];
    double stiffness[3], damping[3]; /* and of the next powers of the distance, the speed */
    double armature, frictionloss;
    int actuator_gravcomp;
    double solref_limit[2], solimp_limit[5], solref_friction[2], solimp_friction[5];
    double force_range[2];
    int force_limited;
    double motor_armature, motor_damping[3]; /* compiled: of the actuators on it */
    const spec_frame *frame;                 /* of the <frame> it stands in; NULL: none */
    int body, qposadr, dofadr;               /* compiled */
} spec_joint;

enum { SPEC_INERTIA_LEGACY, SPEC_INERTIA_EXACT, SPEC_INERTIA_CONVEX, SPEC_INERTIA_SHELL };

/* The convex hull of points: which of them are its corners, the neighbours of each (corners, each list closed by -1), triangles
 * of corners that wind about their outward normals. */
typedef struct spec_hull {
    int nvert, nedge, nface;
    int *vert, *edgeadr, *edge, *face;
} spec_hull;

typedef struct spec_mesh {
    spec_head head;
    const char *file, *content_type;
    sal_xml_attr *vertex_attr, *face_attr;
    double scale[3], refpos[3], refquat[4];
    const double *set_vert; /* [nset] instead of vertex_attr; NULL: nothing */
    int nset;
    int inertia; /* SPEC_INERTIA_; -1: not given */
    int maxhullvert;
    double density; /* of geoms of its class */
    /* compiled */
    bool used, collides, whole; /* by a geom; needs its hull; nothing was wrong */
    int nvert, nface;
    double *vert; /* as in the file, rounded to float */
    int *face;
    spec_hull hull;
    double *point; /* about the centre of mass, along the principal axes [3 nvert] */
    spec_frame at; /* of these axes in the file's */
    double volume; /* area of a shell */
    double box[3]; /* half sizes of the box of the same inertia */
    double aabb[6];
} spec_mesh;

typedef struct spec_geom {
    spec_head head;
    int type, contype, conaffinity, condim, group, priority, shellinertia;
    double size[3], friction[3], solmix, solref[2], solimp[5], margin, gap;
    double mass; /* NaN: density decides */
    double density, fromto[6], rgba[4];
    spec_pose pose;
    const char *material, *mesh;
    double fitscale; /* of a primitive fitted to a mesh */
    int fluid; /* 1: an ellipsoid in the medium, with coefficients: blunt, slender, angular drag, Kutta, Magnus lift */
    double fluidcoef[5];
    const spec_frame *frame;
    /* compiled: size and pose as MuJoCo keeps them, in the body's frame */
    int body;
    spec_frame at;
    double volume, inertia[3];
    const spec_mesh *shape; /* NULL: a primitive */
} spec_geom;

typedef struct spec_site {
    spec_head head;
    int type, group;
    double size[3], fromto[6];
    spec_pose pose;
    const spec_frame *frame;
    int body; /* compiled */
    spec_frame at;
} spec_site;

typedef struct spec_camera {
    spec_head head;
    int fixed; /* false: it follows something, and cannot be a sensor's object */
    spec_pose pose;
    const spec_frame *frame;
    int body; /* compiled */
    spec_frame at;
} spec_camera;

typedef struct spec_inertial {
    spec_head head;
    double mass, diaginertia[3], fullinertia[6];
    spec_pose pose;
} spec_inertial;

/* What is said of a body's inertia from outside, after the file; NaN (in the first place): nothing. */
typedef struct spec_body_set {
    double mass;       /* the inertia keeps its ratio to it */
    double com[3];     /* in the body's frame */
    double inertia[6]; /* about the centre of mass, in the body's axes: xx yy zz xy xz yz */
} spec_body_set;

typedef struct spec_body {
    spec_head head;
    struct spec_body *parent;
    spec_pose pose;
    int mocap;
    double gravcomp;
    const char *childclass;
    const spec_frame *frame;
    const spec_inertial *inertial; /* NULL: from geoms */
    const spec_body_set *set;      /* NULL: nothing */
    spec_list joint, geom, site, camera;
    /* compiled */
    spec_frame said, at, inertial_at; /* said: without the <frame>s around it */
    double mass, inertia[3];
    int weld, mocapid;
    bool fused; /* with its parent */
} spec_body;

/* <replicate> */
typedef struct spec_replicate {
    int count;
    double offset[3], euler[3];
    const char *sep;
} spec_replicate;

typedef struct spec_pair {
    spec_head head;
    const char *geom1, *geom2;
    int condim;
    double friction[5], solref[2], solreffriction[2], solimp[5], margin, gap;
    int id1, id2, body1, body2; /* compiled: body1 <= body2 */
} spec_pair;

typedef struct spec_exclude {
    spec_head head;
    const char *body1, *body2;
    int id1, id2; /* compiled: id1 <= id2 */
} spec_exclude;

typedef struct spec_equality {
    spec_head head;
    int type, active;
    double solref[2], solimp[5];
    const char *name1, *name2; /* bodies, joints or tendons */
    const char *site1, *site2; /* instead of bodies */
    double anchor[3];          /* [0] NaN: not given */
    double relpose[7];         /* quaternion 0: as posed */
    double torquescale, polycoef[5];
    int id1, id2, site_id[2]; /* compiled; -1: none */
} spec_equality;

/* One step of a tendon's path. */
typedef struct spec_wrap {
    spec_head head;
    int type;                /* sal_wrap_type; a geom is a sphere until compiled */
    const char *name, *side; /* joint, site or geom; side site */
    double prm;              /* coefficient or divisor */
    int id, side_id;         /* compiled; -1: none */
} spec_wrap;

typedef struct spec_tendon {
    spec_head head;
    int limited, force_limited, group;
    double range[2], margin, springlength[2], stiffness[3], damping[3], armature, frictionloss;
    double solref_limit[2], solimp_limit[5], solref_friction[2], solimp_friction[5];
    double force_range[2];
    spec_list wrap;
    int *dof, ndof; /* compiled: the dofs it depends on, ascending */
} spec_tendon;

/* Attributes of the shortcuts, until they have become gains and biases; NaN: not given. */
typedef struct spec_shortcut {
    double kp, kv, dampratio, timeconst[2]; /* servos, damper; cylinder; muscle */
    double area, diameter;                  /* cylinder */
    double muscle[9], tausmooth;
    double gain; /* adhesion */
} spec_shortcut;

typedef struct spec_actuator {
    spec_head head;
    const char *joint, *jointinparent, *tendon, *site, *refsite, *cranksite, *slidersite, *body;
    int ctrllimited, forcelimited, actlimited, actearly, actdim, group;
    int dyntype, gaintype, biastype;
    double ctrlrange[2], forcerange[2], actrange[2], lengthrange[2], gear[6], cranklength;
    double dynprm[10], gainprm[10], biasprm[10];
    double armature, damping[3];
    double inheritrange;
    spec_shortcut said;
    int trntype, trnid, refid; /* compiled */
} spec_actuator;

typedef struct spec_sensor {
    spec_head head;
    int type;
    const char *object; /* of the type that the element implies */
    const char *objtype, *objname, *reftype, *refname, *site;
    const char *geom1, *geom2, *body1, *body2; /* of distances, contacts */
    const char *subtree1, *subtree2, *data;    /* of contacts */
    int reduce, num;
    double cutoff, noise;
    sal_xml_attr *user_attr;
    double *user; /* compiled */
    int nuser;
    int dim, stage, datatype;
    int object_type, object_id, ref_type, ref_id; /* compiled */
    int intprm[3];
} spec_sensor;

typedef struct spec_key {
    spec_head head;
    double time;
    sal_xml_attr *qpos, *qvel, *act, *ctrl, *mpos, *mquat;
} spec_key;

typedef struct spec_material {
    spec_head head;
    double rgba[4]; /* [0] NaN: not given */
} spec_material;

/* <custom>: kept for the user */
typedef struct spec_numeric {
    spec_head head;
    int size;
    sal_xml_attr *data;
    double *value;
} spec_numeric;

typedef struct spec_text {
    spec_head head;
    const char *data;
} spec_text;

typedef struct spec_element {
    spec_head head;
    const char *objtype, *objname;
    double prm;
    int type, id; /* compiled; SAL_OBJ_NONE: of a kind that is not kept */
} spec_element;

typedef struct spec_tuple {
    spec_head head;
    spec_list element;
} spec_tuple;

typedef struct spec_class {
    spec_head head;
    spec_joint joint;
    spec_geom geom;
    spec_mesh mesh;
    spec_site site;
    spec_camera camera;
    spec_pair pair;
    spec_equality equality;
    spec_tendon tendon;
    spec_actuator actuator;
} spec_class;

/* <lengthrange>: how ranges of lengths are found */
typedef struct spec_lengthrange {
    int mode, useexisting, uselimit;
    double accel, maxforce, timeconst, timestep, inttotal, interval, tolrange;
} spec_lengthrange;

typedef struct spec_compiler {
    spec_lengthrange lengthrange;
    int degree, autolimits, inertiafromgeom, balanceinertia, discardvisual, fusestatic;
    int inertiagrouprange[2];
    double boundmass, boundinertia, settotalmass;
    int strippath, fitaabb, exactmeshinertia;
    const char *eulerseq, *meshdir, *assetdir;
} spec_compiler;

typedef struct spec_option {
    sal_option opt;
    int collision;
    double density, viscosity, o_margin, o_solref[2], o_solimp[5], o_friction[5];
    int noslip_iterations;
    sal_xml_attr *groups_off; /* actuatorgroupdisable */
} spec_option;

/* <flag>: 1 enable, 0 disable */
typedef struct spec_flags {
    int constraint, equality, frictionloss, limit, contact, passive, spring, damper, gravity,
        clampctrl, warmstart, filterparent, actuation, refsafe, sensor, eulerdamp, override,
        diagexact, energy;
} spec_flags;

/* Items by name. */
typedef struct spec_slot {
    const char *name;
    void *item;
} spec_slot;

typedef struct spec_index {
    spec_slot *slot;
    size_t n, size;
} spec_index;

typedef struct spec_name {
    const char *name;
    int id;
    sal_xml *xml;
} spec_name;

/* The names of one kind of object, sorted. */
typedef struct spec_names {
    const char *kind;
    spec_name *name;
    int n;
} spec_names;

typedef struct mjcf_spec {
    bool compat222;
    const char *model;
    const char *path; /* of the model file */
    sal_xml *root;
    spec_compiler compiler;
    spec_option option;
    spec_flags flags;
    double meaninertia;        /* NaN: computed */
    int nkey;                  /* at least this many keyframes */
    spec_list body;            /* parents before children; [0] is the world */
    spec_list classes;         /* [0] is the main one */
    spec_index class_names;    /* of the others */
    spec_index material_names; /* of those with a colour */
    spec_list pair, exclude, equality, tendon, actuator, sensor, key, material, mesh;
    spec_list numeric, text, tuple;
    spec_list frame;                     /* heads of the named ones */
    spec_list joint, geom, site, camera; /* compiled: of all bodies, body by body */
    bool meshed;                         /* meshes are compiled, and here are their names */
    spec_names mesh_names;
    struct spec_block *pool;
    bool nomem;
} mjcf_spec;

/* Starts an empty spec with the world and the built-in defaults of the main class. */
void spec_init(mjcf_spec *spec, bool compat222);
void spec_free(mjcf_spec *spec);
spec_pose spec_pose_default(void);
/* A joint without anything from default classes. */
spec_joint spec_joint_default(int type);
/* Zeroed memory that lives as long as the spec; NULL (and spec->nomem) without memory. */
void *spec_take(mjcf_spec *spec, size_t count, size_t size);
/* false (and spec->nomem) without memory */
bool spec_push(mjcf_spec *spec, spec_list *list, void *item);

/* The spec with all its records as they are now, to come back to; what is taken later goes then. */
typedef struct spec_memory {
    mjcf_spec spec;
    struct spec_copy *copy; /* [n] of the pool's blocks, from the first of them */
    int n;
} spec_memory;

sal_status spec_remember(spec_memory *memory, const mjcf_spec *spec, sal_err *err);
void spec_return(mjcf_spec *spec, const spec_memory *memory);
void spec_forget(spec_memory *memory);

/* Pushes a copy of a record; NULL (and spec->nomem) without memory. */
void *spec_keep(mjcf_spec *spec, spec_list *list, const void *record, size_t size);
/* Names the item, in the place of the one that had this name. */
void spec_index_put(mjcf_spec *spec, spec_index *index, const char *name, void *item);
/* NULL if there is none of this name */
void *spec_index_find(const spec_index *index, const char *name);

#endif
