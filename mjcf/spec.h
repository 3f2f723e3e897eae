/* spec.h: a mechanism as the file says it, before compilation; private to mjcf/
 *
 * The reader fills one record per element; a record starts as a copy of its default class and is
 * overwritten attribute by attribute. A number that was not given is NaN in its first place where
 * "not given" matters. The compiler adds ids and the fields under "compiled". All records live in
 * the spec's pool; strings belong to the XML document, which outlives the spec.
 */
#ifndef SAL_MJCF_SPEC_H
#define SAL_MJCF_SPEC_H

#include "base/house.h"
#include "mjcf/actuator/dcmotor.h"
#include "mjcf/actuator/history.h"
#include "mjcf/actuator/orientation.h"
#include "mjcf/actuator/pid.h"
#include "mjcf/spec_names.h"
#include "physics/physics.h"

enum { SPEC_FALSE, SPEC_TRUE, SPEC_AUTO };
enum { SPEC_COLLISION_ALL, SPEC_COLLISION_PREDEFINED, SPEC_COLLISION_DYNAMIC };
enum { SPEC_MODE_NONE, SPEC_MODE_MUSCLE, SPEC_MODE_ALL }; /* which actuators need a lengthrange */
/* keywords that MJCF knows: not supported, and for what a program of the user's computes */
enum { SPEC_OTHER = -1, SPEC_USER = -2 };
enum { SPEC_FOVY = 45 }; /* of a camera that says nothing, degrees */

/* A growing array of pointers into the pool. */
typedef struct spec_list {
    void **item;
    int n;
    int capacity;
} spec_list;

/* Position and orientation; at most one of the last five is used, the last that was given. */
typedef struct spec_pose {
    double pos[3];
    double quat[4];
    /* [0] NaN: not given */
    double axisangle[4], xyaxes[6], zaxis[3], euler[3];
} spec_pose;

/* A rigid displacement: R(quat) x + pos */
typedef struct spec_frame {
    double pos[3];
    double quat[4];
} spec_frame;

typedef struct spec_head {
    /* where it stands in the file */
    sal_xml *xml;
    const char *name;
    const char *class_name;
    int id;
    int nuser; /* numbers in its attribute user, or its class's */
} spec_head;

typedef struct spec_joint {
    spec_head head;
    int type;
    int limited;
    int group;
    double pos[3];
    double axis[3];
    double range[2];
    double margin;
    double ref;
    double springref;
    double springdamper[2];
    /* and of the next powers of the distance, the speed */
    double stiffness[3], damping[3];
    double armature;
    double frictionloss;
    int actuator_gravcomp;
    /* a free one: with the inertia, SPEC_AUTO: as the compiler says */
    int align;
    double solref_limit[2];
    double solimp_limit[5];
    double solref_friction[2];
    double solimp_friction[5];
    double force_range[2];
    int force_limited;
    /* compiled: of the actuators on it */
    double motor_armature, motor_damping[3];
    /* of the <frame> it stands in; NULL: none */
    const spec_frame *frame;
    /* compiled */
    int body, qposadr, dofadr;
} spec_joint;

/* what a mesh is if it has neither file nor vertices */
typedef enum spec_builtin {
    SPEC_BUILTIN_NONE,
    SPEC_BUILTIN_SPHERE,
    SPEC_BUILTIN_HEMISPHERE,
    SPEC_BUILTIN_CONE,
    SPEC_BUILTIN_SUPERSPHERE,
    SPEC_BUILTIN_SUPERTORUS,
    SPEC_BUILTIN_WEDGE,
    SPEC_BUILTIN_PLATE
} spec_builtin;

enum { SPEC_INERTIA_LEGACY, SPEC_INERTIA_EXACT, SPEC_INERTIA_CONVEX, SPEC_INERTIA_SHELL };

/* The convex hull of points: which of them are its corners, the neighbours of each (corners, each
 * list closed by -1), triangles of corners that wind about their outward normals; its sides, each a
 * list of corners closed by -1. */
typedef struct spec_hull {
    int nvert;
    int nedge;
    int nface;
    int *vert;
    int *edgeadr;
    int *edge;
    int *face;
    int npoly;
    int npolyvert;
    int *polyvert;
} spec_hull;

typedef struct spec_mesh {
    spec_head head;
    const char *file;
    const char *content_type;
    sal_xml_attr *vertex_attr;
    sal_xml_attr *face_attr;
    /* spec_builtin, and its numbers */
    int builtin;
    sal_xml_attr *params_attr;
    double params[8];
    double scale[3];
    double refpos[3];
    double refquat[4];
    /* [nset] instead of vertex_attr; NULL: nothing */
    const double *set_vert;
    int nset;
    /* SPEC_INERTIA_; -1: not given */
    int inertia;
    int maxhullvert;
    /* of geoms of its class */
    double density;
    /* compiled */
    /* by a geom or what follows; by a tactile sensor; needs its hull; nothing was wrong */
    bool used, tactile, collides, whole;
    /* its file is missing, and its geoms are left out */
    bool absent;
    int nvert;
    int nface;
    /* as in the file, rounded to float */
    double *vert;
    int *face;
    spec_hull hull;
    /* about the centre of mass, along the principal axes [3 nvert] */
    double *point;
    /* of these axes in the file's */
    spec_frame at;
    /* area of a shell */
    double volume;
    /* half sizes of the box of the same inertia */
    double box[3];
    double aabb[6];
} spec_mesh;

/* A height field: see field.h in physics/collision */
typedef struct spec_hfield {
    spec_head head;
    const char *file;
    const char *content_type;
    int nrow;
    int ncol;
    double size[4];
    sal_xml_attr *elevation_attr;
    /* compiled: [nrow ncol], 0 .. 1; NULL: it could not be read */
    float *data;
} spec_hfield;

typedef struct spec_geom {
    spec_head head;
    int type;
    int contype;
    int conaffinity;
    int condim;
    int group;
    int priority;
    int shellinertia;
    double size[3];
    double friction[3];
    double solmix;
    double solref[2];
    double solimp[5];
    double margin;
    double gap;
    double adhesion;
    double surfacevel[6];
    /* NaN: density decides */
    double mass;
    double density;
    double fromto[6];
    double rgba[4];
    spec_pose pose;
    const char *material;
    const char *mesh;
    const char *hfield;
    /* of a primitive fitted to a mesh */
    double fitscale;
    /* 1: an ellipsoid in the medium, with coefficients: blunt, slender, angular drag, Kutta, Magnus
     * lift */
    int fluid;
    double fluidcoef[5];
    const spec_frame *frame;
    /* compiled: size and pose as MuJoCo keeps them, in the body's frame */
    int body;
    spec_frame at;
    double volume;
    double inertia[3];
    /* NULL: a primitive */
    const spec_mesh *shape;
    /* NULL: no height field */
    const spec_hfield *field;
} spec_geom;

typedef struct spec_site {
    spec_head head;
    int type;
    int group;
    const char *mesh;
    double size[3];
    double fromto[6];
    spec_pose pose;
    const spec_frame *frame;
    /* compiled */
    int body;
    spec_frame at;
} spec_site;

typedef struct spec_camera {
    spec_head head;
    int mode, projection; /* sal_camera_mode; 1: orthographic */
    const char *target;
    double fovy;
    int resolution[2];
    sal_xml_attr *sensorsize, *focal, *focalpixel, *principal, *principalpixel; /* two numbers */
    spec_pose pose;
    const spec_frame *frame;
    /* compiled: size of its sensor; focal lengths, principal point, m */
    int body, target_id;
    spec_frame at;
    float size[2], lens[4];
} spec_camera;

typedef struct spec_inertial {
    spec_head head;
    const spec_frame *frame; /* of the <frame>s between the body and it; NULL: none */
    double mass;
    double diaginertia[3];
    double fullinertia[6];
    spec_pose pose;
} spec_inertial;

/* What is said of a body's inertia from outside, after the file; NaN (in the first place):
 * nothing. */
typedef struct spec_body_set {
    /* the inertia keeps its ratio to it */
    double mass;
    /* in the body's frame */
    double com[3];
    /* about the centre of mass, in the body's axes: xx yy zz xy xz yz */
    double inertia[6];
} spec_body_set;

typedef struct spec_body {
    spec_head head;
    struct spec_body *parent;
    spec_pose pose;
    int mocap;
    double gravcomp;
    const char *childclass;
    const spec_frame *frame;
    /* NULL: from geoms */
    const spec_inertial *inertial;
    /* NULL: nothing */
    const spec_body_set *set;
    spec_list joint;
    spec_list geom;
    spec_list site;
    spec_list camera;
    /* compiled */
    /* said: without the <frame>s around it */
    spec_frame said, at, inertial_at;
    double mass;
    double inertia[3];
    int weld;
    int mocapid;
    /* with its parent */
    bool fused;
} spec_body;

/* <replicate> */
typedef struct spec_replicate {
    int count;
    double offset[3];
    double euler[3];
    const char *sep;
} spec_replicate;

typedef struct spec_pair {
    spec_head head;
    const char *geom1;
    const char *geom2;
    int condim;
    double friction[5];
    double solref[2];
    double solreffriction[2];
    double solimp[5];
    double margin;
    double gap;
    double adhesion;
    /* compiled: body1 <= body2 */
    int id1, id2, body1, body2;
} spec_pair;

typedef struct spec_exclude {
    spec_head head;
    const char *body1;
    const char *body2;
    /* compiled: id1 <= id2 */
    int id1, id2;
} spec_exclude;

typedef struct spec_equality {
    spec_head head;
    int type;
    int active;
    double solref[2];
    double solimp[5];
    /* bodies, joints or tendons */
    const char *name1, *name2;
    /* instead of bodies */
    const char *site1, *site2;
    /* [0] NaN: not given */
    double anchor[3];
    /* quaternion 0: as posed */
    double relpose[7];
    double torquescale;
    double polycoef[5];
    /* compiled; -1: none */
    int id1, id2, site_id[2];
} spec_equality;

/* One step of a tendon's path. */
typedef struct spec_wrap {
    spec_head head;
    /* sal_wrap_type; a geom is a sphere until compiled */
    int type;
    /* joint, site or geom; side site */
    const char *name, *side;
    /* coefficient or divisor */
    double prm;
    /* compiled; -1: none */
    int id, side_id;
} spec_wrap;

typedef struct spec_tendon {
    spec_head head;
    int limited;
    int force_limited;
    int group;
    double range[2];
    double margin;
    double springlength[2];
    double stiffness[3];
    double damping[3];
    double armature;
    double frictionloss;
    double solref_limit[2];
    double solimp_limit[5];
    double solref_friction[2];
    double solimp_friction[5];
    double force_range[2];
    spec_list wrap;
    /* compiled: the dofs it depends on, ascending */
    int *dof, ndof;
} spec_tendon;

/* Attributes of the shortcuts, until they have become gains and biases; NaN: not given. */
typedef struct spec_shortcut {
    /* servos, damper; cylinder; muscle */
    double kp, kv, dampratio, timeconst[2];
    /* cylinder */
    double area, diameter;
    double muscle[9];
    double tausmooth;
    /* adhesion */
    double gain;
    /* dcmotor */
    double motorconst[2], resistance, nominal[3], saturation[3], inductance[2], thermal[6];
} spec_shortcut;

typedef struct spec_actuator {
    spec_head head;
    const char *joint;
    const char *jointinparent;
    const char *tendon;
    const char *site;
    const char *refsite;
    const char *cranksite;
    const char *slidersite;
    const char *body;
    int ctrllimited;
    int forcelimited;
    int actlimited;
    int actearly;
    int actdim;
    int group;
    int dyntype;
    int gaintype;
    int biastype;
    double ctrlrange[2];
    double forcerange[2];
    double actrange[2];
    double lengthrange[2];
    double gear[6];
    double cranklength;
    double dynprm[10];
    double gainprm[10];
    double biasprm[10];
    double armature;
    double damping[3];
    double inheritrange;
    spec_shortcut said;
    spec_dcmotor motor;
    spec_pid pid;
    spec_oriented orientation;
    spec_history history;
    /* compiled */
    int trntype, trnid, refid;
} spec_actuator;

typedef struct spec_sensor {
    spec_head head;
    int type;
    /* of the type that the element implies */
    const char *object;
    const char *objtype;
    const char *objname;
    const char *reftype;
    const char *refname;
    const char *site;
    /* of distances, contacts */
    const char *geom1, *geom2, *body1, *body2;
    /* of contacts */
    const char *subtree1, *subtree2, *data;
    int reduce;
    int num;
    double cutoff;
    double noise;
    spec_history history;
    sal_xml_attr *user_attr;
    /* compiled */
    double *user;
    int nuser;
    int dim;
    int stage;
    int datatype;
    /* compiled */
    int object_type, object_id, ref_type, ref_id;
    int intprm[3];
} spec_sensor;

typedef struct spec_key {
    spec_head head;
    double time;
    sal_xml_attr *qpos;
    sal_xml_attr *qvel;
    sal_xml_attr *act;
    sal_xml_attr *ctrl;
    sal_xml_attr *mpos;
    sal_xml_attr *mquat;
} spec_key;

typedef struct spec_material {
    spec_head head;
    /* [0] NaN: not given */
    double rgba[4];
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
    const char *objtype;
    const char *objname;
    double prm;
    /* compiled; SAL_OBJ_NONE: of a kind that is not kept */
    int type, id;
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
    int mode;
    int useexisting;
    int uselimit;
    double accel;
    double maxforce;
    double timeconst;
    double timestep;
    double inttotal;
    double interval;
    double tolrange;
} spec_lengthrange;

typedef struct spec_compiler {
    spec_lengthrange lengthrange;
    int degree;
    int global; /* coordinate="global", of 2.2.2 */
    int autolimits;
    int inertiafromgeom;
    int balanceinertia;
    int discardvisual;
    int fusestatic;
    int alignfree;
    int inertiagrouprange[2];
    double boundmass;
    double boundinertia;
    double settotalmass;
    int strippath;
    int fitaabb;
    int exactmeshinertia;
    const char *eulerseq;
    const char *meshdir;
    const char *assetdir;
} spec_compiler;

typedef struct spec_option {
    sal_option opt;
    int collision;
    double density;
    double viscosity;
    double o_margin;
    double o_solref[2];
    double o_solimp[5];
    double o_friction[5];
    /* actuatorgroupdisable */
    sal_xml_attr *groups_off;
} spec_option;

/* <flag>: 1 enable, 0 disable */
typedef struct spec_flags {
    int constraint;
    int equality;
    int frictionloss;
    int limit;
    int contact;
    int passive;
    int spring;
    int damper;
    int gravity;
    int clampctrl;
    int warmstart;
    int filterparent;
    int actuation;
    int refsafe;
    int sensor;
    int eulerdamp;
    int multiccd;
    int midphase;
    int override;
    int diagexact;
    int energy;
} spec_flags;

/* A sub-model that is attached (attach/attach.c). */
typedef struct spec_part {
    int number;
    spec_compiler compiler;
    /* of its file, with its slash */
    const char *folder;
    struct spec_class *main_class;
} spec_part;

typedef struct mjcf_spec {
    sal_mujoco mujoco;
    const char *model;
    /* of the model file */
    const char *path;
    sal_xml *root;
    spec_compiler compiler;
    spec_option option;
    spec_flags flags;
    /* NaN: computed */
    double meaninertia;
    /* at least this many keyframes */
    int nkey;
    /* <replicate> has been expanded: MuJoCo makes more keyframes of each */
    bool copied;
    int nuser[8]; /* of <size>, in the order of read_custom.c */
    /* parents before children; [0] is the world */
    spec_list body;
    /* [0] is the main one */
    spec_list classes;
    /* of the others */
    spec_index class_names;
    /* of those with a colour */
    spec_index material_names;
    spec_list pair;
    spec_list exclude;
    spec_list equality;
    spec_list tendon;
    spec_list actuator;
    spec_list sensor;
    spec_list key;
    spec_list material;
    spec_list mesh;
    spec_list hfield;
    spec_list numeric;
    spec_list text;
    spec_list tuple;
    /* heads of the named ones */
    spec_list frame;
    spec_list part;
    /* compiled: of all bodies, body by body */
    spec_list joint, geom, site, camera;
    /* meshes are compiled, and here are their names */
    bool meshed;
    spec_names mesh_names;
    struct spec_block *pool;
    bool nomem;
} mjcf_spec;

/* Starts an empty spec with the world and the built-in defaults of the main class. */
void spec_init(mjcf_spec *spec, sal_mujoco mujoco);
void spec_free(mjcf_spec *spec);
spec_pose spec_pose_default(void);
void spec_class_default(spec_class *c, sal_mujoco mujoco);
void spec_compiler_default(spec_compiler *c, sal_mujoco mujoco);
/* The sub-model that an element belongs to (from 1; 0, NULL: the model itself), and the settings of
 * its compiler. */
int spec_part_of(const mjcf_spec *spec, const sal_xml *xml);
const spec_part *spec_part_with(const mjcf_spec *spec, const sal_xml *xml);
const spec_compiler *spec_compiler_of(const mjcf_spec *spec, const spec_head *head);
/* A joint without anything from default classes. */
spec_joint spec_joint_default(int type);
/* Zeroed memory that lives as long as the spec; NULL (and spec->nomem) without memory. */
void *spec_take(mjcf_spec *spec, size_t count, size_t size);
/* false (and spec->nomem) without memory */
bool spec_push(mjcf_spec *spec, spec_list *list, void *item);

/* The spec with all its records as they are now, to come back to; what is taken later goes then. */
typedef struct spec_memory {
    mjcf_spec spec;
    /* [n] of the pool's blocks, from the first of them */
    struct spec_copy *copy;
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
