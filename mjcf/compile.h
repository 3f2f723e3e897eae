/* compile.h: the steps from a specification to a model; private to mjcf/. */
#ifndef SAL_MJCF_COMPILE_H
#define SAL_MJCF_COMPILE_H

#include "mjcf/spec.h"

typedef struct spec_work {
    mjcf_spec *spec;
    sal_diag *diag;
    /* diag->nerror before this compilation */
    int first_error;
    spec_names numerics;
    spec_names texts;
    spec_names tuples;
    spec_names equalities;
    spec_names sensors;
    spec_names keys;
    spec_names meshes;
    spec_names hfields;
    spec_names bodies;
    spec_names joints;
    spec_names geoms;
    spec_names sites;
    spec_names cameras;
    spec_names tendons;
    spec_names actuators;
} spec_work;

/* Reports a fault at an attribute of the element, or at the element if attr is NULL or not written
 * there. */
void spec_error(spec_work *w, const spec_head *head, const char *attr, const char *help,
                const char *format, ...) SAL_PRINTF(5, 6);

sal_status spec_compile(sal_model **out, mjcf_spec *spec, sal_diag *diag, sal_err *err);

/* Ids of bodies, checks and conversions of joints. */
void spec_compile_tree(spec_work *w);
/* Reads and measures the meshes, makes the hulls of those that collide. Before the poses. */
void spec_compile_meshes(spec_work *w);
/* Whether nothing but looks needs the mesh; *ngeom: of how many geoms (absent_mesh.c). */
bool spec_mesh_may_be_absent(spec_work *w, const spec_mesh *mesh, int *ngeom);
/* Leaves out the geoms of absent meshes. */
void spec_drop_absent(mjcf_spec *spec);
/* Puts a geom that names a mesh in its place: the mesh itself, or a primitive of its size; false
 * (reported) if it cannot. */
bool spec_place_mesh(spec_work *w, spec_geom *g);
/* FILE below meshdir (or FILE alone, if it begins at the root), below the folder of the model
 * file that holds the asset. */
void spec_asset_path(sal_text *path, const mjcf_spec *spec, const spec_head *head,
                     const char *written);
/* Reads the height fields that are not there yet. Before the poses. */
void spec_compile_hfields(spec_work *w);
/* The size of a geom that is a height field; false (reported) if it cannot be one. */
bool spec_place_hfield(spec_work *w, spec_geom *g);
/* Poses, sizes and masses of bodies, geoms, sites, cameras. */
void spec_compile_poses(spec_work *w);
void spec_compile_inertias(spec_work *w);
/* Finds what tuples refer to. */
void spec_compile_tuples(spec_work *w);
/* Ids, welds and mocap ids, in the order of the list. */
void spec_number_bodies(mjcf_spec *spec);
/* Puts free bodies into the frame of their inertia if the file asks for it; after inertias, before
 * the next. */
void spec_align_free(spec_work *w);
/* With coordinate="global" all stands in the frame of the world: this puts what is in a body into
 * the frame of the body, which is that of its inertia (inferred: there is one) if the file does not
 * place it. Then bodies go into the frames of their parents. */
void spec_enter_body(spec_work *w, spec_body *b, bool inferred);
void spec_enter_parents(const mjcf_spec *spec);
/* Makes bodies without joints parts of their parents if the compiler is asked to; after inertias,
 * before lists. */
void spec_fuse_static(spec_work *w);
/* Free joints stand on children of the world. */
void spec_check_free(spec_work *w);
/* Masses and inertias to the total that the compiler asks for. */
void spec_scale_masses(spec_work *w);
/* Adds the mass of a child of body `to`, as posed in it. */
void spec_add_inertia(sal_mujoco mujoco, spec_body *to, const spec_body *child);
/* Flat lists with ids, body by body; names sorted and checked. */
void spec_compile_lists(spec_work *w);
/* Names in pairs, excludes, actuators, sensors to ids; ranges of actuators. */
void spec_compile_objects(spec_work *w);
void spec_compile_sensor(spec_work *w, spec_sensor *s);
/* Whether a sensor needs the shapes of geoms that touch nothing. */
bool spec_sensors_see_shapes(const mjcf_spec *spec);
bool spec_sensors_cast_rays(const mjcf_spec *spec);
/* builtin/tactile.c: what a tactile sensor looks at, and its size; points of all of them. */
enum { SPEC_SENSOR_NUMBERS_MAX = 1000000 };
void spec_tactile_objects(spec_work *w, spec_sensor *s);
void spec_fill_taxels(const mjcf_spec *spec, sal_model *m);
/* The names of the geoms that pairs, tendons and sensors speak of. */
spec_index spec_referenced_geoms(mjcf_spec *spec);

/* Delays of actuators and sensors (both compiled); their arrays. */
void spec_compile_histories(spec_work *w);
void spec_fill_histories(const mjcf_spec *spec, sal_model *m);

/* What actuators act on, their ranges and parameters. */
void spec_compile_actuators(spec_work *w);
/* Names in tendons and equalities to ids; paths of tendons checked. */
void spec_compile_tendons(spec_work *w);
void spec_compile_equalities(spec_work *w);

/* The names of a list whose records begin with a head. */
spec_names spec_sort_names(spec_work *w, const spec_list *list, const char *kind);
/* The object of that name; -1 after reporting that there is none. */
int spec_find(spec_work *w, const spec_names *names, const spec_head *head, const char *attr,
              const char *name);
/* Whether a range limits, from false | true | auto; reports an empty range. `attr` is the range's
 * attribute. */
bool spec_limited(spec_work *w, const spec_head *head, int limited, const double range[2],
                  const char *attr);
/* The rotation that a pose says, as a unit quaternion. */
void spec_orientation(spec_work *w, const spec_head *head, const spec_pose *pose, double q[4]);
/* r = a o b; r may be b */
void spec_frame_mul(spec_frame *r, const spec_frame *a, const spec_frame *b);
void spec_frame_inverse(spec_frame *r, const spec_frame *a);
/* What 3.14 leaves off the diagonal, relative to the largest inertia: of bodies, of meshes */
#define SPEC_EXACT_AXES 4e-15
#define SPEC_MESH_AXES  1e-7
/* Principal inertias, largest first (since 3.x those within 1e-12 as they come), and their
 * frame. */
void spec_principal(sal_mujoco mujoco, double precision, const double matrix[9], double inertia[3],
                    double quat[4]);
/* Volume, and inertia of unit density, of a geom of this type and size. */
double spec_geom_inertia(int type, const double size[3], double inertia[3]);

/* The same of its surface: area, and inertia of unit density per area. */
double spec_shell_inertia(int type, const double size[3], double inertia[3]);
/* geom_fluid of a geom. */
void spec_fluid(const spec_geom *g, double fluid[12]);

/* Candidate pairs in contact order: counts them (m NULL) or fills the pair arrays. -1 if there are
 * too many. */
enum { SPEC_PAIRS_MAX = 4000000 };
long spec_pairs(mjcf_spec *spec, sal_model *m);
/* Where these are too many: pairs of kinds of geoms, then the <pair>s. Sets the sizes of m, or
 * fills its arrays, too. -1: still too many. */
long spec_pair_kinds(mjcf_spec *spec, sal_model *m, bool fill);
/* Whether one's contype meets the other's conaffinity. */
bool spec_masks_meet(const spec_geom *a, const spec_geom *b);

/* The model's sizes, then its arrays, except pairs, keyframes and constants. */
void spec_fill_sizes(const mjcf_spec *spec, sal_model *m, long npair);
void spec_fill(const mjcf_spec *spec, sal_model *m);
void spec_fill_keys(spec_work *w, sal_model *m);
void spec_size_custom(const mjcf_spec *spec, sal_model *m);
void spec_fill_custom(const mjcf_spec *spec, sal_model *m);
void spec_fill_mesh_sizes(const mjcf_spec *spec, sal_model *m);
void spec_fill_meshes(const mjcf_spec *spec, sal_model *m);
void spec_fill_hfield_sizes(const mjcf_spec *spec, sal_model *m);
void spec_fill_hfields(const mjcf_spec *spec, sal_model *m);
void spec_fill_tendons(const mjcf_spec *spec, sal_model *m);
/* na and nmoment; the actuators' arrays and what <lengthrange> says (tendons and chains done) */
void spec_size_actuators(const mjcf_spec *spec, sal_model *m);
void spec_fill_actuators(const mjcf_spec *spec, sal_model *m);
void spec_fill_equalities(const mjcf_spec *spec, sal_model *m);
/* What depends on the initial configuration (constants done): anchors and relative poses of
 * equalities, rest lengths of tendons. */
sal_status spec_fill_initial(const mjcf_spec *spec, sal_model *m, sal_err *err);

/* Lengthranges of muscles (all else done): what the file does not say is found by simulation. */
sal_status spec_find_lengthranges(spec_work *w, sal_model *m, sal_err *err);

#endif
