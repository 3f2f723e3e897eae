/* frames.c: a motion at instants of equal distance.
 *
 *     q(t) = q_k (+) s (q_{k+1} (-) q_k)          t = (k + s) h
 *     v(t) = (1 - s) v_k + s v_{k+1}              t = (k - 1/2 + s) h
 *
 * v_k leads from q_{k-1} to q_k, so it is the slope of q in the middle between the two: there v(t)
 * is v_k, and at a row of the result it is the mean of v_k and v_{k+1}, the central difference of
 * the configurations. Activations are interpolated between rows; controls and forces act from one
 * row to the next.
 */
#include "exports/frames.h"

#include "problems/result/diagnose.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- the state between rows ---- */

static void position_at(const exp_frames *f, double row, double *qpos, double *scratch)
{
    const sal_model *m = f->m;
    const int k = (int)fmin(floor(row), f->r->nstep - 1);
    const double *q = f->r->qpos + k * m->nq;
    sal_differentiate_pos(m, scratch, 1, q, q + m->nq);
    sal_integrate_pos(m, qpos, q, scratch, row - k);
}

static void activation_at(const exp_frames *f, double row, double *act)
{
    const int na = f->m->na, k = (int)fmin(floor(row), f->r->nstep - 1);
    const double *a = f->r->act + k * na;
    for (int i = 0; i < na; i++) {
        act[i] = a[i] + (row - k) * (a[na + i] - a[i]);
    }
}

/* v_k; behind the last row of a cycle that of the image, of an open motion the last. */
static const double *velocity_of(const exp_frames *f, int k, double *scratch)
{
    const int nv = f->m->nv, N = f->given->nstep, last = f->r->nstep;
    if (k <= last || f->given->image == NULL) {
        return f->r->qvel + (k < last ? k : last) * nv;
    }
    sal_image_velocity(f->given->image, f->m, scratch, f->r->qvel + (k - N) * nv);
    return scratch;
}

static void velocity_at(const exp_frames *f, double row, double *qvel, double *scratch)
{
    const int nv = f->m->nv, k = (int)floor(row + 0.5);
    const double s = row + 0.5 - k;
    const double *v = f->r->qvel + (k < f->r->nstep ? k : f->r->nstep) * nv;
    const double *next = velocity_of(f, k + 1, scratch);
    for (int i = 0; i < nv; i++) {
        qvel[i] = (1 - s) * v[i] + s * next[i];
    }
}

/* ---- what follows from it ---- */

static void put_bodies(exp_frames *f, const sal_data *d, int k)
{
    const sal_model *m = f->m;
    for (int b = 0; b < m->nbody; b++) {
        const int i = k * m->nbody + b;
        double turn[3];
        sal_v3_copy(f->xpos + 3 * i, d->xpos + 3 * b);
        sal_quat_copy(f->xquat + 4 * i, d->xquat + 4 * b);
        sal_point_velocity(m, d, f->linear + 3 * i, f->angular + 3 * i, d->xpos + 3 * b, b);
        sal_point_velocity(m, d, f->central + 3 * i, turn, d->xipos + 3 * b, b);
    }
}

static sal_status put_frame(exp_frames *f, sal_data *d, int k, sal_err *err)
{
    const sal_model *m = f->m;
    const double row = fmin(k / f->rate / f->r->timestep, f->r->nstep);
    double *qpos = f->qpos + k * m->nq, *qvel = f->qvel + k * m->nv;
    f->time[k] = k / f->rate;
    f->step[k] = (int)fmin(floor(row + 1e-6), f->r->nstep - 1); /* rows are sums of rounded steps */
    position_at(f, row, qpos, d->qvel);
    velocity_at(f, row, qvel, d->qvel);
    activation_at(f, row, f->act + k * m->na);
    memcpy(d->qpos, qpos, (size_t)m->nq * sizeof *qpos);
    memcpy(d->qvel, qvel, (size_t)m->nv * sizeof *qvel);
    const sal_status status = sal_position(m, d, err);
    if (status == SAL_OK) {
        sal_velocity(m, d);
        put_bodies(f, d, k);
    }
    return status;
}

/* ---- memory ---- */

static void place(exp_frames *f, sal_layout *layout)
{
    const size_t n = (size_t)f->n, bodies = n * (size_t)f->m->nbody;
    f->step = sal_layout_take(layout, n, sizeof *f->step);
    f->time = sal_layout_take(layout, n, sizeof(double));
    f->qpos = sal_layout_take(layout, n * (size_t)f->m->nq, sizeof(double));
    f->qvel = sal_layout_take(layout, n * (size_t)f->m->nv, sizeof(double));
    f->act = sal_layout_take(layout, n * (size_t)f->m->na, sizeof(double));
    f->xquat = sal_layout_take(layout, 4 * bodies, sizeof(double));
    double **const vectors[] = {&f->xpos, &f->linear, &f->central, &f->angular};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        *vectors[i] = sal_layout_take(layout, 3 * bodies, sizeof(double));
    }
}

static sal_status allocate(exp_frames *f, sal_err *err)
{
    sal_layout layout = {NULL, 0};
    if (f->r->nstep < 1) {
        return sal_fail(err, SAL_BADINPUT, "the motion has no step, so there is nothing to export");
    }
    const double n = floor(f->r->nstep * f->r->timestep * f->rate + 1e-6) + 1;
    if (!(n * (4.0 * f->m->nbody + f->m->nq) < INT_MAX / 4)) {
        return sal_fail(err, SAL_BADINPUT,
                        "a rate of %.9g Hz makes %.3g frames of %.9g s, which is too many", f->rate,
                        n, f->r->nstep * f->r->timestep);
    }
    f->n = (int)n;
    place(f, &layout);
    f->block = layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    if (f->block == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d frames", f->n);
    }
    layout.size = 0;
    place(f, &layout);
    return SAL_OK;
}

sal_status exp_frames_new(exp_frames *f, const sal_result *r, const sal_export_options *options,
                          double rate, sal_err *err)
{
    sal_data *d = NULL;
    *f = (exp_frames){.given = r, .r = r, .m = r->model};
    f->rate = options->rate > 0 ? options->rate : rate;
    sal_status status =
        sal_result_unroll(&f->own, r, options->cycles > 0 ? options->cycles : 1, err);
    f->r = f->own != NULL ? f->own : r;
    status = status == SAL_OK ? allocate(f, err) : status;
    status = status == SAL_OK ? sal_data_new(&d, f->m, err) : status;
    for (int k = 0; k < f->n && status == SAL_OK; k++) {
        status = put_frame(f, d, k, err);
    }
    sal_data_free(d);
    return status;
}

void exp_frames_clear(exp_frames *f)
{
    sal_free(f->block);
    sal_result_free(f->own);
    *f = (exp_frames){0};
}

/* ---- contacts ---- */

/* Force and torque of contact k, on geom2 (sign 1) or geom1 (-1) */
static void add_contact(const sal_result *r, int k, double sign, exp_load *load)
{
    const double *x = r->contact_pos + 3 * k, *f = r->contact_force + 6 * k;
    double force[3], torque[3], moment[3];
    sal_m3_multv(force, r->contact_frame + 9 * k, f); /* the rows of the frame are its axes */
    sal_m3_multv(torque, r->contact_frame + 9 * k, f + 3);
    sal_v3_cross(moment, x, force);
    sal_v3_add(moment, moment, torque);
    sal_v3_addscaled(load->force, load->force, sign, force);
    sal_v3_addscaled(load->moment, load->moment, sign, moment);
    sal_v3_addscaled(load->place, load->place, f[0], x);
    load->normal += f[0];
}

void exp_loads(const sal_result *r, int t, bool ground, exp_load *load)
{
    const sal_model *m = r->model;
    memset(load, 0, (size_t)m->nbody * sizeof *load);
    for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
        const int *geom = r->contact_geom + 2 * k;
        const int moving[2] = {prb_contact_body(m, geom[0]), prb_contact_body(m, geom[1])};
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? -1 : 1;
            if (!ground) {
                add_contact(r, k, sign, load + m->geom_bodyid[geom[side]]);
            } else if (moving[side] != 0 && moving[1 - side] == 0) {
                add_contact(r, k, sign, load + moving[side]);
            }
        }
    }
}

sal_status exp_refuse_balls(const sal_model *m, const char *who, sal_err *err)
{
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_BALL) {
            char name[PRB_COLUMN_NAME];
            prb_object_name(name, m, SAL_OBJ_JOINT, j);
            return sal_fail(err, SAL_BADINPUT,
                            "joint '%.80s' is a ball joint, and %s holds hinges and slides only; "
                            "replace it by three hinges, or export to npz",
                            name, who);
        }
    }
    return SAL_OK;
}
