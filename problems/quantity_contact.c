/* quantity_contact.c: forces of contact, and points over the floor: how near they are, how they
 * move along it. */
#include "base/house.h"
#include "problems/quantity.h"

#include <math.h>

static const double load_scale = 0.1; /* of W: normal force at which a contact counts as loaded */
static const double light = 1e-3; /* of W: load that pulls the centre of pressure to the middle */

/* ---- normal, contact, cop ---- */

void prb_normal_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        prb_want_contact(list, (sal_output){.kind = SAL_OUT_NORMAL}, f->object + k, 1, NULL, 0);
    }
}

/* N of each geom, or of all geoms of a body; or their sum */
void prb_normal_write(prb_writer *w)
{
    prb_write_outputs(w, 1);
}

void prb_contact_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        prb_want_contact(list, (sal_output){.kind = SAL_OUT_CONTACT}, f->object + k, 1, f->with,
                         f->nwith);
    }
}

void prb_contact_write(prb_writer *w)
{
    prb_write_outputs(w, 3);
}

void prb_cop_want(prb_wanted *list, const prb_feature *f)
{
    if (f->nobject > 0) {
        const double load = light * list->tr->weight;
        prb_want_contact(list, (sal_output){.kind = SAL_OUT_PRESSURE, .load = load}, f->object,
                         f->nobject, f->with, f->nwith);
    }
}

void prb_cop_write(prb_writer *w)
{
    prb_write_entries(w, w->own[0], 2);
}

/* ---- slip, impact ---- */

bool prb_slip_at_end(const sal_model *m, const prb_feature *f)
{
    (void)m;
    return !f->by_force;
}

static void want_point(prb_wanted *list, int point)
{
    prb_want(list, (sal_output){.kind = SAL_OUT_POINT, .point = list->tr->point[point]});
}

/* Outputs of each point: the normal force of its geom, if that is asked for, and the point. */
void prb_slip_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        if (f->by_force) {
            prb_want_contact(list, (sal_output){.kind = SAL_OUT_NORMAL},
                             list->tr->p->point_geom + f->object[k], 1, NULL, 0);
        }
        want_point(list, f->object[k]);
    }
}

void prb_impact_want(prb_wanted *list, const prb_feature *f)
{
    prb_slip_want(list, f);
}

/* p(z) = 1 / (1 + exp(z/width)) and its slope -p (1 - p) / width */
static double nearness(double z, double width, double *slope)
{
    const double p = 1 / (1 + exp(z / width));
    *slope = -p * (1 - p) / width;
    return p;
}

static double load(const prb_writer *w, int index, double *slope)
{
    const double scale = load_scale * w->tr->weight, N = w->y[index], rest = exp(-fabs(N) / scale);
    *slope = rest / scale;
    return N < 0 ? rest - 1 : 1 - rest; /* negative: what sticks is pulled, which loads it, too */
}

/* The gate of a point: by height its nearness, by force its geom's load 1 - exp(-|N|/(.1 W)).
 * index: the output it depends on. */
static SAL_INLINE double gate_of(const prb_writer *w, int index, double *slope)
{
    return w->feature->by_force ? load(w, index, slope)
                                : nearness(w->y[index], w->feature->width, slope);
}

/* r = gate v, n components of the velocity of each point */
static void write_velocity(prb_writer *w, int first, int n)
{
    const prb_feature *f = w->feature;
    const int each = f->by_force ? 2 : 1;
    for (int k = 0; k < f->nobject; k++) {
        const int index = w->own[each * k];
        const int velocity = w->own[each * k + each - 1] + 1 + first;
        double slope;
        const double gate = gate_of(w, index, &slope);
        for (int adr = velocity; adr < velocity + n; adr++) {
            prb_row_put(w, adr, gate);
            prb_row_put(w, index, slope * w->y[adr]);
            prb_row_end(w, gate * w->y[adr]);
        }
    }
}

/* along the plane */
void prb_slip_write(prb_writer *w)
{
    write_velocity(w, 0, 2);
}

/* along its normal */
void prb_impact_write(prb_writer *w)
{
    write_velocity(w, 2, 1);
}

/* ---- height, level, flat ---- */

void prb_height_want(prb_wanted *list, const prb_feature *f)
{
    for (int k = 0; k < f->nobject; k++) {
        want_point(list, f->object[k]);
    }
}

void prb_height_write(prb_writer *w)
{
    prb_write_outputs(w, 1);
}

void prb_level_want(prb_wanted *list, const prb_feature *f)
{
    prb_height_want(list, f);
}

/* r = p(lower) (z_1 - z_2) of two points, whose heights are y_i and y_k */
static void write_height_difference(prb_writer *w, int i, int k)
{
    const double z1 = w->y[i], z2 = w->y[k];
    double slope;
    const double p = nearness(fmin(z1, z2), w->feature->width, &slope);
    prb_row_put(w, i, p + (z1 <= z2 ? slope * (z1 - z2) : 0));
    prb_row_put(w, k, -p + (z1 <= z2 ? 0 : slope * (z1 - z2)));
    prb_row_end(w, p * (z1 - z2));
}

/* Objects come in pairs of points: flat the ends of a geom, level two that are named. */
void prb_level_write(prb_writer *w)
{
    for (int k = 0; k + 1 < w->feature->nobject; k += 2) {
        write_height_difference(w, w->own[k], w->own[k + 1]);
    }
}
