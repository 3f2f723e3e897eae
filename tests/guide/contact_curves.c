/* contact_curves.c: see contact_curves.h. */
#include "tests/guide/contact_curves.h"

#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

static const double weight = 9.81; /* N, of 1 kg */

typedef struct mechanism {
    sal_model *m;
    sal_data *d;
} mechanism;

/* Gives the model that was read a contact model, at this time step. */
static void finish(mechanism *x, int model, double h)
{
    sal_contact_option o;
    sal_err err;
    x->m->opt.timestep = h;
    sal_contact_defaults(&o, x->m, model);
    CHECK_OK(sal_model_contact(x->m, &o, &err), err);
    CHECK_OK(sal_data_new(&x->d, x->m, &err), err);
}

static void release(mechanism *x)
{
    sal_data_free(x->d);
    sal_model_free(x->m);
}

static void add(contact_curve *c, double x, double y)
{
    c->x[c->n] = x, c->y[c->n++] = y;
}

/* ---- a point ---- */

/* Moves along x, and along z, where it is as high as its gap */
static mechanism load_point(int model)
{
    static const char xml[] =
        "<mujoco><option cone='elliptic'/><default><geom friction='.5'/></default><worldbody>"
        "<geom type='plane' size='9 9 1'/><body pos='0 0 .1'><joint type='slide' axis='1 0 0'/>"
        "<joint type='slide' axis='0 0 1'/><geom size='.1' mass='1'/></body></worldbody></mujoco>";
    mechanism x;
    sal_err err;
    CHECK_OK(sal_model_parse(&x.m, "point", xml, strlen(xml), NULL, NULL, &err), err);
    finish(&x, model, 0.01);
    return x;
}

/* N: normal force and friction on what keeps its height and its speed */
static double steady(mechanism *x, double gap, double slip, double *friction)
{
    sal_err err;
    x->d->qpos[0] = 0, x->d->qpos[1] = gap;
    x->d->qvel[0] = slip, x->d->qvel[1] = 0;
    x->d->qacc[0] = x->d->qacc[1] = 0;
    CHECK_OK(sal_inverse(x->m, x->d, &err), err);
    *friction = -x->d->qfrc_constraint[0];
    return x->d->qfrc_constraint[1];
}

void contact_force_by_gap(contact_curve *c, int model)
{
    static const double from = -2, to = 3, most = 40; /* mm, N */
    mechanism x = load_point(model);
    double friction;
    c->n = 0;
    for (int i = 0; i < CURVE_POINTS; i++) {
        const double gap = from + (to - from) * i / (CURVE_POINTS - 1);
        const double force = steady(&x, 1e-3 * gap, 0, &friction);
        add(c, gap, force <= most ? force : (double)NAN);
    }
    release(&x);
}

/* m: where it presses with its weight; the force falls with the gap. NaN, and of friction, too:
 * nowhere, it is pushed away as long as it touches. */
static double gap_of_weight(mechanism *x, double slip, double *friction)
{
    double low = -0.05, high = 0.05; /* m */
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (steady(x, middle, slip, friction) > weight) {
            low = middle;
        } else {
            high = middle;
        }
    }
    const bool is_held = fabs(steady(x, low, slip, friction) - weight) < 1e-3 * weight;
    *friction = is_held ? *friction : (double)NAN;
    return is_held ? low : (double)NAN;
}

void contact_friction_by_slip(contact_curve *c, int model)
{
    static const double from = -6, to = 0; /* log10 m/s */
    enum { POINTS = 240 };
    mechanism x = load_point(model);
    double friction;
    c->n = 0;
    for (int i = 0; i < POINTS; i++) {
        const double slip = from + (to - from) * i / (POINTS - 1);
        gap_of_weight(&x, pow(10, slip), &friction);
        add(c, slip, friction);
    }
    release(&x);
}

void contact_height_by_slip(contact_curve *c, int model)
{
    static const double to = 3; /* m/s */
    enum { POINTS = 100 };
    mechanism x = load_point(model);
    double friction;
    c->n = 0;
    for (int i = 0; i < POINTS; i++) {
        const double slip = to * i / (POINTS - 1);
        add(c, slip, 1e3 * gap_of_weight(&x, slip, &friction));
    }
    release(&x);
}

/* ---- a cube ---- */

static const double half_cube = 0.25; /* m */

static mechanism load_cube(int model, double h)
{
    const char *root = getenv("SALTUS_ROOT");
    char path[1024];
    mechanism x;
    sal_err err;
    snprintf(path, sizeof path, "%s/models/box.xml", root == NULL ? "." : root);
    CHECK_OK(sal_model_load(&x.m, path, NULL, NULL, &err), err);
    finish(&x, model, h);
    return x;
}

static void step(mechanism *x)
{
    sal_err err;
    CHECK_OK(sal_step(x->m, x->d, &err), err);
}

static void fall(contact_curve *c, int model, double h)
{
    mechanism x = load_cube(model, h);
    x.d->qpos[2] = half_cube + 0.2;
    c->n = 0;
    for (int i = 0; i * h < 1 + 0.5 * h; i++) {
        add(c, i * h, x.d->qpos[2] - half_cube);
        step(&x);
    }
    release(&x);
}

void contact_coarse_fall(contact_curve *c, int model)
{
    fall(c, model, 0.1);
}

void contact_landing(contact_curve *c, int model)
{
    fall(c, model, 0.01);
    for (int i = 0; i < c->n; i++) {
        c->y[i] *= 1e3;
    }
}

/* log10; nothing of what does not move */
static double power(double length)
{
    return length != 0 ? log10(fabs(length)) : (double)NAN;
}

/* Along the line of its first velocity and across it */
static void slide(contact_curve *height, contact_curve *speed, contact_curve *drift, int model)
{
    static const double v[2] = {4, 0.8}; /* m/s */
    const double size = hypot(v[0], v[1]);
    mechanism x = load_cube(model, 0.01);
    const double *q = x.d->qpos, *w = x.d->qvel;
    memcpy(x.d->qvel, v, sizeof v);
    height->n = speed->n = drift->n = 0;
    for (int i = 0; i <= 100; i++) {
        const double t = 0.01 * i;
        add(height, t, 1e3 * (q[2] - half_cube));
        add(speed, t, (w[0] * v[0] + w[1] * v[1]) / size);
        add(drift, t, power((q[0] * v[1] - q[1] * v[0]) / size));
        step(&x);
    }
    release(&x);
}

static contact_curve unused[2];

void contact_height_of_slide(contact_curve *c, int model)
{
    slide(c, &unused[0], &unused[1], model);
}

void contact_speed_of_slide(contact_curve *c, int model)
{
    slide(&unused[0], c, &unused[1], model);
}

void contact_drift_of_slide(contact_curve *c, int model)
{
    slide(&unused[0], &unused[1], c, model);
}

static void rest(contact_curve *height, contact_curve *creep, int model)
{
    mechanism x = load_cube(model, 0.01);
    height->n = creep->n = 0;
    for (int i = 0; i <= 200; i++) {
        add(height, 0.01 * i, 1e3 * (x.d->qpos[2] - half_cube));
        add(creep, 0.01 * i, power(x.d->qpos[0]));
        x.d->qfrc_applied[0] = 1.5; /* N */
        step(&x);
    }
    release(&x);
}

void contact_height_at_rest(contact_curve *c, int model)
{
    rest(c, &unused[0], model);
}

void contact_creep_at_rest(contact_curve *c, int model)
{
    rest(&unused[0], c, model);
}
