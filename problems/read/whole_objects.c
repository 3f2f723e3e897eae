/* whole_objects.c: of what the second half of a mirrored cycle is: the image of each object, and
 * how numbers of the two are related. A vector of the world mirrors as (x,-y,z), a rotation as
 * (-x,y,-z); places along the travel are farther by what the first half has travelled. */
#include "problems/read/objects.h"
#include "problems/read/whole_cycle.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void prb_whole_refuse(const prb_whole *w, const prb_feature *f, const char *help, const char *why)
{
    sal_diag_error(w->r->diag, w->place, help,
                   "'%.100s' cannot be continued in the second half of the cycle: %s",
                   f->name == NULL ? prb_quantity_name((int)f->quantity) : f->name, why);
}

static bool refuse_twin(const prb_whole *w, const prb_feature *f, sal_object type, int id)
{
    char label[SAL_LABEL_MAX], why[SAL_LABEL_MAX + 60];
    snprintf(why, sizeof why, "%s has no mirrored partner",
             sal_model_label(w->r->p->model, type, id, label));
    prb_whole_refuse(w, f,
                     "describe the whole cycle without mirror, or make the model its own mirror "
                     "image",
                     why);
    return false;
}

/* ---- shapes and points ---- */

int prb_whole_shape(const prb_whole *w, int shape)
{
    const int twin = shape >= 0 ? w->twins->geom[shape] : w->twins->body[-1 - shape];
    return twin < 0 ? INT_MIN : shape >= 0 ? twin : -1 - twin;
}

static bool same_point(const sal_point *a, const sal_point *b)
{
    return a->body == b->body && a->pos[0] == b->pos[0] && a->pos[1] == b->pos[1] &&
           a->pos[2] == b->pos[2] && a->radius == b->radius;
}

static void in_world(const prb_whole *w, const sal_point *point, double x[3])
{
    sal_m3_mulv(x, w->home->xmat + 9 * point->body, point->pos);
    sal_v3_add(x, x, w->home->xpos + 3 * point->body);
}

/* Of the points of geom k the one nearest to the image of x */
static sal_point nearest_point(const prb_whole *w, int k, const double x[3])
{
    const sal_model *m = w->r->p->model;
    const int n = m->geom_type[k] == SAL_GEOM_BOX ? 11 : 3;
    sal_point best = sal_point_geom(m, k, 0);
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        const sal_point point =
            i < 3 ? sal_point_geom(m, k, i == 2 ? -1 : i) : sal_point_corner(m, k, i - 3);
        double y[3];
        in_world(w, &point, y);
        const double far = hypot(hypot(y[0] - x[0], y[1] + x[1]), y[2] - x[2]);
        if (far < least) {
            least = far, best = point;
        }
    }
    return best;
}

/* The site at this place of its body; -1: the body's origin */
static int site_of(const sal_model *m, const sal_point *point)
{
    for (int i = 0; i < m->nsite; i++) {
        const sal_point site = sal_point_site(m, i);
        if (same_point(&site, point)) {
            return i;
        }
    }
    return -1;
}

static const double NEAR = 0.01; /* m: from the image of an origin to its partner's */

/* Whether the origins of a body and of its partner are images, however their frames are turned. */
static bool origins_are_images(const prb_whole *w, int body, int twin)
{
    const double *x = w->home->xpos + 3 * body, *y = w->home->xpos + 3 * twin;
    return hypot(hypot(y[0] - x[0], y[1] + x[1]), y[2] - x[2]) <= NEAR;
}

/* The image of a site or of the origin of a body */
static bool mark_image(const prb_whole *w, const prb_feature *f, const sal_point *point,
                       sal_point *image)
{
    const sal_model *m = w->r->p->model;
    const int site = site_of(m, point);
    if (site >= 0) {
        if (w->twins->site[site] < 0) {
            return refuse_twin(w, f, SAL_OBJ_SITE, site);
        }
        *image = sal_point_site(m, w->twins->site[site]);
        return true;
    }
    const int twin = w->twins->body[point->body];
    if (twin < 0 || !origins_are_images(w, point->body, twin)) {
        return refuse_twin(w, f, SAL_OBJ_BODY, point->body);
    }
    *image = (sal_point){.body = twin, .plane = -1};
    return true;
}

static bool point_image(const prb_whole *w, const prb_feature *f, int object, int *twin)
{
    const sal_problem *p = w->r->p;
    const sal_point *point = p->point + object;
    const int geom = p->point_geom[object];
    sal_point image;
    double x[3];
    in_world(w, point, x);
    if (geom >= 0 && w->twins->geom[geom] < 0) {
        return refuse_twin(w, f, SAL_OBJ_GEOM, geom);
    }
    if (geom >= 0) {
        image = nearest_point(w, w->twins->geom[geom], x);
    } else if (!mark_image(w, f, point, &image)) {
        return false;
    }
    for (int i = 0; i < p->npoint; i++) {
        if (same_point(p->point + i, &image)) {
            *twin = i;
            return true;
        }
    }
    char name[PRB_WORD_MAX + 40];
    snprintf(name, sizeof name, "%.250s mirrored", p->point_name[object]);
    *twin =
        prb_reader_add_point(w->r, name, image, geom >= 0 ? w->twins->geom[geom] : -1 - image.body);
    return *twin >= 0;
}

static bool pair_image(const prb_whole *w, const prb_feature *f, int object, int *twin)
{
    sal_problem *p = w->r->p;
    int image[2];
    for (int i = 0; i < 2; i++) {
        image[i] = w->twins->geom[p->distance[object][i]];
        if (image[i] < 0) {
            return refuse_twin(w, f, SAL_OBJ_GEOM, p->distance[object][i]);
        }
    }
    for (int i = 0; i < p->ndistance; i++) {
        const int *known = p->distance[i];
        if ((known[0] == image[0] && known[1] == image[1]) ||
            (known[0] == image[1] && known[1] == image[0])) {
            *twin = i;
            return true;
        }
    }
    memcpy(p->distance[p->ndistance], image, sizeof image);
    *twin = p->ndistance++;
    return true;
}

/* ---- sensors ---- */

typedef enum sensor_kind { SIGNED, VECTOR, ROTATION, PLACE, INVARIANT, UNKNOWN } sensor_kind;

/* How the numbers of a sensor mirror; UNKNOWN: in axes of its own, or of no object */
static sensor_kind sensor_kind_of(const sal_model *m, int sensor)
{
    const bool world = m->sensor_refid[sensor] < 0;
    const int type = m->sensor_type[sensor];
    return type == SAL_SENS_JOINTPOS || type == SAL_SENS_JOINTVEL || type == SAL_SENS_ACTUATORPOS ||
                   type == SAL_SENS_ACTUATORVEL || type == SAL_SENS_ACTUATORFRC ||
                   type == SAL_SENS_JOINTACTFRC
               ? SIGNED
           : (type == SAL_SENS_FRAMEPOS && world) || type == SAL_SENS_SUBTREECOM ? PLACE
           : ((type == SAL_SENS_FRAMELINVEL || type == SAL_SENS_FRAMELINACC) && world) ||
                   type == SAL_SENS_SUBTREELINVEL
               ? VECTOR
           : ((type == SAL_SENS_FRAMEANGVEL || type == SAL_SENS_FRAMEANGACC) && world) ||
                   type == SAL_SENS_SUBTREEANGMOM
               ? ROTATION
           : type == SAL_SENS_TOUCH || type == SAL_SENS_JOINTLIMITPOS ||
                   type == SAL_SENS_JOINTLIMITVEL || type == SAL_SENS_JOINTLIMITFRC ||
                   type == SAL_SENS_E_POTENTIAL || type == SAL_SENS_E_KINETIC
               ? INVARIANT
               : UNKNOWN;
}

/* The image of what a sensor is on; -1: none */
static int sensor_object(const prb_whole *w, int type, int id)
{
    const sal_image *image = w->half->image;
    const sal_model *m = w->r->p->model;
    return type == SAL_OBJ_JOINT      ? m->dof_jntid[image->dof_index[m->jnt_dofadr[id]]]
           : type == SAL_OBJ_ACTUATOR ? image->actuator_index[id]
           : type == SAL_OBJ_SITE     ? w->twins->site[id]
           : type == SAL_OBJ_GEOM     ? w->twins->geom[id]
           : type == SAL_OBJ_BODY || type == SAL_OBJ_XBODY ? w->twins->body[id]
           : type == SAL_OBJ_CAMERA                        ? -1 /* which one is not known */
                                                           : id;
}

static bool sensor_image(const prb_whole *w, const prb_feature *f, int sensor, int *twin)
{
    const sal_model *m = w->r->p->model;
    const int type = m->sensor_objtype[sensor];
    const int object = sensor_object(w, type, m->sensor_objid[sensor]);
    if (sensor_kind_of(m, sensor) == UNKNOWN) {
        prb_whole_refuse(w, f,
                         "use a quantity of the world instead (position, velocity, orientation, "
                         "com, ..), or describe the whole cycle without mirror",
                         "the sensor reads in axes of its own, or what its image reads is not "
                         "known");
        return false;
    }
    for (int i = 0; i < m->nsensor; i++) {
        if (m->sensor_type[i] == m->sensor_type[sensor] && m->sensor_objtype[i] == type &&
            m->sensor_objid[i] == object && m->sensor_refid[i] == m->sensor_refid[sensor]) {
            *twin = i;
            return true;
        }
    }
    return refuse_twin(w, f, SAL_OBJ_SENSOR, sensor);
}

/* ---- objects ---- */

bool prb_whole_object(const prb_whole *w, const prb_feature *f, int object, int *twin)
{
    const sal_model *m = w->r->p->model;
    const sal_image *image = w->half->image;
    switch (prb_quantity_of(f)->object) {
    case PRB_OBJECT_ACTUATOR:
        *twin = image->actuator_index[object];
        return true;
    case PRB_OBJECT_JOINT:
        *twin = m->dof_jntid[image->dof_index[m->jnt_dofadr[object]]];
        return true;
    case PRB_OBJECT_SENSOR:
        return sensor_image(w, f, object, twin);
    case PRB_OBJECT_TENDON:
        *twin = w->twins->tendon[object];
        return *twin >= 0 || refuse_twin(w, f, SAL_OBJ_TENDON, object);
    case PRB_OBJECT_TREE:
    case PRB_OBJECT_BODY:
        *twin = w->twins->body[object];
        return (*twin >= 0 && (f->quantity != PRB_QTY_ORIENTATION || w->twins->aligned[object])) ||
               refuse_twin(w, f, SAL_OBJ_BODY, object);
    case PRB_OBJECT_SHAPE:
        *twin = prb_whole_shape(w, object);
        return *twin != INT_MIN || refuse_twin(w, f, object >= 0 ? SAL_OBJ_GEOM : SAL_OBJ_BODY,
                                               object >= 0 ? object : -1 - object);
    case PRB_OBJECT_FOOTHOLD:
    case PRB_OBJECT_HIGH_POINT:
    case PRB_OBJECT_PLACE:
    case PRB_OBJECT_POINT_PAIR:
    case PRB_OBJECT_GEOM_ENDS:
        return point_image(w, f, object, twin);
    case PRB_OBJECT_GEOM_PAIR:
        return pair_image(w, f, object, twin);
    case PRB_OBJECT_FUNCTION:
        *twin = object;
        prb_whole_refuse(w, f, "describe the whole cycle without mirror",
                         "what a function of the program is in the other half is not known");
        return false;
    case PRB_OBJECT_ENERGY:
    case PRB_OBJECT_FLOOR:
    case PRB_OBJECT_MARKER:
        *twin = object;
    }
    return true;
}

/* ---- numbers ---- */

static const double vector_sign[3] = {1, -1, 1}, rotation_sign[3] = {-1, 1, -1};

/* Farther by so much of the travel */
static bool farther(const prb_whole *w, const prb_feature *f, double share, double *shift)
{
    if (share != 0 && !w->fixed) {
        prb_whole_refuse(
            w, f, "fix the duration and the travel, or describe the whole cycle without mirror",
            "it counts the place along the travel, and how far the first half travels is free");
        return false;
    }
    *shift = share == 0 ? 0 : w->length * share;
    return true;
}

/* A place in the world, component i */
static bool place_number(const prb_whole *w, const prb_feature *f, int i, prb_reflection *how)
{
    how->sign = vector_sign[i];
    return farther(w, f, i < 2 ? w->direction[i] : 0, &how->shift);
}

static bool sensor_number(const prb_whole *w, const prb_feature *f, int sensor, int i,
                          prb_reflection *how)
{
    const sal_image *image = w->half->image;
    const sal_model *m = w->r->p->model;
    const int id = m->sensor_objid[sensor];
    switch (sensor_kind_of(m, sensor)) {
    case PLACE:
        return place_number(w, f, i, how);
    case VECTOR:
        how->sign = vector_sign[i];
        break;
    case ROTATION:
        how->sign = rotation_sign[i];
        break;
    case SIGNED:
        how->sign = m->sensor_objtype[sensor] == SAL_OBJ_ACTUATOR
                        ? image->actuator_sign[id]
                        : image->dof_sign[m->jnt_dofadr[id]];
        break;
    case INVARIANT:
    case UNKNOWN:
        break;
    }
    return true;
}

static bool joint_number(const prb_whole *w, const prb_feature *f, int joint, int i,
                         prb_reflection *how)
{
    const sal_image *image = w->half->image;
    const int dof = w->r->p->model->jnt_dofadr[joint] + i;
    how->sign = image->dof_sign[dof];
    return f->order > 0 || farther(w, f, image->travel_dof[dof], &how->shift);
}

bool prb_whole_number(const prb_whole *w, const prb_feature *f, int object, int i,
                      prb_reflection *how)
{
    *how = (prb_reflection){1, 0};
    switch (f->quantity) {
    case PRB_QTY_CTRL:
    case PRB_QTY_FORCE:
        how->sign = w->half->image->actuator_sign[object];
        return true;
    case PRB_QTY_JOINT:
        return joint_number(w, f, object, i, how);
    case PRB_QTY_SENSOR:
        return sensor_number(w, f, object, i, how);
    case PRB_QTY_COM:
        if (f->order == 0) {
            return place_number(w, f, i, how);
        }
        how->sign = vector_sign[i];
        return true;
    case PRB_QTY_POSITION:
    case PRB_QTY_COP:
        return place_number(w, f, i, how);
    case PRB_QTY_CONTACT:
    case PRB_QTY_VELOCITY:
    case PRB_QTY_MOMENTUM:
        how->sign = vector_sign[i];
        return true;
    case PRB_QTY_ANGMOMENTUM:
    case PRB_QTY_ORIENTATION:
        how->sign = rotation_sign[i];
        return true;
    case PRB_QTY_TENDON: /* of joints: its image may be longer where it is shorter */
        how->sign =
            w->r->p->model->wrap_type[w->r->p->model->tendon_adr[object]] == SAL_WRAP_JOINT ? 0 : 1;
        return true;
    case PRB_QTY_SLIP:
    case PRB_QTY_IMPACT:
    case PRB_QTY_NORMAL:
    case PRB_QTY_FLAT:
    case PRB_QTY_LEVEL:
    case PRB_QTY_DISTANCE:
    case PRB_QTY_HEIGHT:
    case PRB_QTY_ENERGY:
    case PRB_QTY_POWER:
    case PRB_QTY_FLOOR:
    case PRB_QTY_MARKER:
    case PRB_QTY_FUNCTION:
        break;
    }
    return true;
}
