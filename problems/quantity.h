/* quantity.h: what a term or a constraint can be about. A quantity is a name and its words in
 * PRB_QUANTITY_LIST, one row of the table in quantity_table.c, and the functions that this row
 * names. Private to problems/.
 */
#ifndef SAL_PROBLEMS_QUANTITY_H
#define SAL_PROBLEMS_QUANTITY_H

#include "problems/row.h"
#include "problems/wanted.h"

/* ---- objects: what a quantity is of ---- */

/* The kinds of object that words name, as prb_feature.object keeps them (found by
 * problems/read/objects.c, named by label.c). */
typedef enum prb_object_kind {
    PRB_OBJECT_ACTUATOR,
    PRB_OBJECT_JOINT,
    /* one, whose name may contain blanks */
    PRB_OBJECT_SENSOR,
    PRB_OBJECT_TENDON,
    /* a body with all that hangs from it, of which something moves */
    PRB_OBJECT_TREE,
    /* a body that moves */
    PRB_OBJECT_BODY,
    /* a geom, or all geoms of a body (-1 - body), that may touch something */
    PRB_OBJECT_SHAPE,
    /* index into problem->point: with a height over the floor; or all points of a body with which
     * it can stand */
    PRB_OBJECT_FOOTHOLD,
    /* .. with a height over the floor; or the origin of a body */
    PRB_OBJECT_HIGH_POINT,
    /* .. anywhere; the centre of a geom, the origin of a body */
    PRB_OBJECT_PLACE,
    /* two and two points, each with a height over the floor */
    PRB_OBJECT_POINT_PAIR,
    /* a geom as its two ends */
    PRB_OBJECT_GEOM_ENDS,
    /* two and two geoms: index into problem->distance */
    PRB_OBJECT_GEOM_PAIR,
    /* 0 potential, 1 kinetic, 2 both */
    PRB_OBJECT_ENERGY,
    /* PRB_FLOOR_.. */
    PRB_OBJECT_FLOOR,
    /* index into problem->offset */
    PRB_OBJECT_MARKER,
    /* index into problem->function */
    PRB_OBJECT_FUNCTION
} prb_object_kind;

/* Attributes of a term that only some quantities understand. */
enum {
    PRB_USE_OF = 1,
    PRB_USE_NEAR = 2,
    PRB_USE_WIDTH = 4,
    PRB_USE_WITH = 8,
    PRB_USE_SUM = 16,
    PRB_USE_TARGET = 32
};

/* ---- one quantity ---- */

typedef struct prb_quantity {
    prb_object_kind object;
    /* The word `all` stands for all objects of the kind; of trees for that of the world. */
    bool has_all;
    /* The attributes it understands: PRB_USE_.. */
    unsigned uses;
    /* The highest order (`of`) there is. */
    int most_order;
    /* A target is a quaternion for each object, which is no number to be subtracted. */
    bool turns;

    /* Numbers of one object (of two that are compared); where objects differ: count. */
    int n;
    int (*count)(const sal_model *m, int object);
    /* All objects have these numbers together. */
    bool together;
    /* Components are numbered, not called x, y, z. */
    bool numbered;
    /* The unit of its numbers, "" where it is unknown; where it depends: unit_of number i of an
     * object. */
    const char *unit;
    const char *(*unit_of)(const sal_model *m, const prb_feature *f, int object, int i);

    /* Whether it is known at the last instant, where there are positions and velocities only. */
    bool (*counts_at_end)(const sal_model *m, const prb_feature *f);
    /* It may have no effect at one motion and some at another. */
    bool may_rest;
    /* A constraint's deviation that counts as 1; NULL: 1 metre, radian, .. */
    double (*natural_unit)(const sal_model *m, const prb_feature *f);
    /* The model's own range of an object, for range="model"; false: this one has none. */
    bool (*model_range)(const sal_model *m, int object, double range[2]);

    /* Asks for the outputs of invdyn it depends on, beyond force, velocity, acceleration. */
    void (*want)(prb_wanted *list, const prb_feature *f);
    /* Its numbers and their derivatives by y, one after the other. */
    void (*write)(prb_writer *w);
} prb_quantity;

/* Row i of the table, 0 <= i < PRB_NQUANTITY; that of a feature. */
const prb_quantity *prb_quantity_row(int i);
const prb_quantity *prb_quantity_of(const prb_feature *f);

/* Number i of those of a feature that count: the object it belongs to, which of its n numbers it
 * is (label.c). */
typedef struct prb_part {
    int object;
    int i;
    int n;
} prb_part;

prb_part prb_feature_part(const sal_model *m, const prb_feature *f, int i);
/* Numbers of object k of a feature, or of the two from k on. */
int prb_object_dim(const sal_model *m, const prb_feature *f, int k);
/* Objects that make one: two that are compared, or 1. */
int prb_object_group(prb_object_kind kind);
/* Its points are measured from the floor. */
bool prb_object_is_over_floor(prb_object_kind kind);

/* ---- what rows name ---- */

#define PRB_QUANTITY(name)                                                                         \
    void prb_##name##_want(prb_wanted *list, const prb_feature *f);                                \
    void prb_##name##_write(prb_writer *w)

/* of actuators (quantity_actuator.c) */
PRB_QUANTITY(ctrl);
PRB_QUANTITY(force);
PRB_QUANTITY(power);
const char *prb_force_unit(const sal_model *m, const prb_feature *f, int actuator, int i);
double prb_ctrl_natural_unit(const sal_model *m, const prb_feature *f);
double prb_force_natural_unit(const sal_model *m, const prb_feature *f);
bool prb_ctrl_model_range(const sal_model *m, int actuator, double range[2]);
bool prb_force_model_range(const sal_model *m, int actuator, double range[2]);

/* of joints, sensors, tendons, distances (quantity_model.c) */
PRB_QUANTITY(joint);
PRB_QUANTITY(sensor);
PRB_QUANTITY(tendon);
PRB_QUANTITY(distance);
int prb_joint_count(const sal_model *m, int joint);
const char *prb_joint_unit(const sal_model *m, const prb_feature *f, int joint, int i);
bool prb_joint_model_range(const sal_model *m, int joint, double range[2]);
int prb_sensor_count(const sal_model *m, int sensor);
bool prb_sensor_at_end(const sal_model *m, const prb_feature *f);

/* of contacts, and points over the floor (quantity_contact.c) */
PRB_QUANTITY(slip);
PRB_QUANTITY(impact);
PRB_QUANTITY(level);
PRB_QUANTITY(height);
PRB_QUANTITY(normal);
PRB_QUANTITY(contact);
PRB_QUANTITY(cop);
bool prb_slip_at_end(const sal_model *m, const prb_feature *f);

/* of bodies (quantity_body.c) */
PRB_QUANTITY(position);
PRB_QUANTITY(velocity);
PRB_QUANTITY(com);
PRB_QUANTITY(momentum);
PRB_QUANTITY(angmomentum);
PRB_QUANTITY(energy);
PRB_QUANTITY(orientation);
const char *prb_com_unit(const sal_model *m, const prb_feature *f, int body, int i);
double prb_mass_unit(const sal_model *m, const prb_feature *f);

/* of the floor of recordings (quantity_floor.c) */
PRB_QUANTITY(floor);
int prb_floor_count(const sal_model *m, int what);
const char *prb_floor_unit(const sal_model *m, const prb_feature *f, int what, int i);

/* of markers that are beside their sites (quantity_marker.c) */
PRB_QUANTITY(marker);

/* of functions that a program gives (quantity_function.c) */
PRB_QUANTITY(function);
bool prb_function_at_end(const sal_model *m, const prb_feature *f);

/* of several */
double prb_weight_unit(const sal_model *m, const prb_feature *f);
bool prb_always(const sal_model *m, const prb_feature *f);
bool prb_never(const sal_model *m, const prb_feature *f);
bool prb_unless_acceleration(const sal_model *m, const prb_feature *f);
/* The n numbers from y[adr] on as they are; the first n of each output of the feature, or their
 * sums over the objects. */
void prb_write_entries(prb_writer *w, int adr, int n);
void prb_write_outputs(prb_writer *w, int n);

#endif
