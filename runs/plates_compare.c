/* plates_compare.c: a motion that was found without force plates, beside what they measured. */
#include "base/house.h"
#include "problems/recordings/data.h"
#include "runs/plates.h"

#include <math.h>
#include <string.h>

static const double STANCE = .02, FIRM = .1, TOUCHES = .05; /* of the weight */
static const double WAY = .3;                               /* m */
enum { FX, FY, FZ, PX, PY, MZ, NUMBERS };

typedef struct comparison {
    const sal_result *found, *measured;
    const sal_model *m;
    double weight;
    int n;
    /* [n x NUMBERS] of one foot: force, centre of pressure, free moment */
    double *x, *y;
    double *moment; /* [n], N m */
} comparison;

/* ---- forces of a foot ---- */

/* Whether a geom is of the foot, or of its toes. */
static bool is_of(const sal_model *m, int geom, int foot)
{
    const int body = m->geom_bodyid[geom];
    return body == foot || m->body_parentid[body] == foot;
}

/* The sum of a foot's contacts; the free moment about the point (x, y, 0) where the horizontal
 * moment vanishes:  M = sum p x F + T,  x = -M_y/F_z,  y = M_x/F_z,  M_z - (x F_y - y F_x). */
static void gather(const comparison *c, const sal_result *r, int foot, double *out)
{
    for (int t = 0; t < c->n; t++) {
        double *w = out + (size_t)t * NUMBERS, moment[3] = {0};
        memset(w, 0, NUMBERS * sizeof *w);
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            const int *geom = r->contact_geom + 2 * k;
            const double *frame = r->contact_frame + 9 * k, *f = r->contact_force + 6 * k;
            const bool second = is_of(c->m, geom[1], foot);
            double force[3], torque[3], arm[3];
            if (!second && !is_of(c->m, geom[0], foot)) {
                continue;
            }
            sal_m3_multv(force, frame, f);
            sal_m3_multv(torque, frame, f + 3);
            sal_v3_cross(arm, r->contact_pos + 3 * k, force);
            sal_v3_add(torque, torque, arm);
            sal_v3_addscaled(w, w, second ? 1 : -1, force);
            sal_v3_addscaled(moment, moment, second ? 1 : -1, torque);
        }
        if (w[FZ] > 0) {
            w[PX] = -moment[1] / w[FZ];
            w[PY] = moment[0] / w[FZ];
            w[MZ] = moment[2] - (w[PX] * w[FY] - w[PY] * w[FX]);
        }
    }
}

/* Whether the plates are known at step t. */
static bool is_known(const comparison *c, int t)
{
    return isfinite(c->measured->qfrc_inverse[t * c->m->nv]);
}

/* ---- figures ---- */

static double correlation(const comparison *c, const double along[3])
{
    double n = 0, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
    for (int t = 0; t < c->n; t++) {
        if (is_known(c, t)) {
            const double u = sal_v3_dot(c->x + (size_t)t * NUMBERS, along),
                         v = sal_v3_dot(c->y + (size_t)t * NUMBERS, along);
            n++, sx += u, sy += v;
            xx += u * u, yy += v * v, xy += u * v;
        }
    }
    return (xy - sx * sy / n) / sqrt((xx - sx * sx / n) * (yy - sy * sy / n));
}

static double fore_aft(const comparison *c)
{
    const double *a = c->found->qpos, *b = a + c->n * c->m->nq;
    double along[3] = {b[0] - a[0], b[1] - a[1], 0};
    const double way = sal_v3_norm(along);
    sal_v3_scale(along, along, 1 / fmax(way, 1e-12));
    return way < WAY ? (double)NAN : correlation(c, along);
}

static void differences(const comparison *c, sal_plates_foot *out)
{
    double miss = 0, far = 0, turn = 0;
    int stance = 0, both = 0;
    for (int t = 0; t < c->n; t++) {
        const double *u = c->x + (size_t)t * NUMBERS, *v = c->y + (size_t)t * NUMBERS;
        if (!is_known(c, t)) {
            continue;
        }
        if (v[FZ] > STANCE * c->weight) {
            miss += (u[FZ] - v[FZ]) * (u[FZ] - v[FZ]);
            stance++;
        }
        if (u[FZ] > FIRM * c->weight && v[FZ] > FIRM * c->weight) {
            far += (u[PX] - v[PX]) * (u[PX] - v[PX]) + (u[PY] - v[PY]) * (u[PY] - v[PY]);
            turn += (u[MZ] - v[MZ]) * (u[MZ] - v[MZ]);
            both++;
        }
    }
    out->error = stance == 0 ? (double)NAN : sqrt(miss / stance) / c->weight;
    out->pressure = both == 0 ? (double)NAN : sqrt(far / both);
    out->free_moment = both == 0 ? (double)NAN : sqrt(turn / both);
}

/* Steps at which the vertical force crosses the threshold between t - 1 and t; NaN: it does not. */
static double crossing(const comparison *c, const double *w, int t, bool rises)
{
    const double threshold = TOUCHES * c->weight;
    const double a = w[(size_t)(t - 1) * NUMBERS + FZ], b = w[(size_t)t * NUMBERS + FZ];
    const bool does = rises ? a < threshold && b >= threshold : a >= threshold && b < threshold;
    return does ? t - 1 + (threshold - a) / (b - a) : (double)NAN;
}

static void contacts(const comparison *c, sal_plates_foot *out)
{
    for (int t = 1; t < c->n; t++) {
        for (int rises = 0; rises < 2 && is_known(c, t - 1) && is_known(c, t); rises++) {
            const double at = crossing(c, c->y, t, rises == 1);
            double nearest = (double)INFINITY;
            for (int k = 1; k < c->n && isfinite(at); k++) {
                const double other = crossing(c, c->x, k, rises == 1);
                nearest = isfinite(other) ? fmin(nearest, fabs(other - at)) : nearest;
            }
            if (isfinite(at)) {
                out->contact = fmax(out->contact, nearest * c->found->timestep);
                out->ncontact++;
            }
        }
    }
}

/* The moments that were found are low-passed as those with the plates are (plates_inverse.c).
 * false: out of memory. */
static bool moments(const comparison *c, const int joint[SAL_PLATES_JOINTS], sal_plates_foot *out)
{
    for (int j = 0; j < SAL_PLATES_JOINTS; j++) {
        const int dof = c->m->jnt_dofadr[joint[j]];
        double most[2] = {0}, least[2] = {0}, sum = 0;
        int n = 0;
        for (int t = 0; t < c->n; t++) {
            c->moment[t] = c->found->qfrc_inverse[t * c->m->nv + dof];
        }
        if (!prb_lowpass(c->moment, c->n, 1, RUN_LOWPASS * c->found->timestep, RUN_LOWPASS_ORDER)) {
            return false;
        }
        for (int t = 0; t < c->n; t++) {
            const double x[2] = {c->moment[t], c->measured->qfrc_inverse[t * c->m->nv + dof]};
            for (int i = 0; i < 2 && is_known(c, t); i++) {
                most[i] = fmax(most[i], x[i]);
                least[i] = fmin(least[i], x[i]);
            }
            sum += is_known(c, t) ? (x[0] - x[1]) * (x[0] - x[1]) : 0;
            n += is_known(c, t);
        }
        const bool up = most[1] > -least[1];
        out->found[j] = up ? most[0] : least[0];
        out->measured[j] = up ? most[1] : least[1];
        out->off[j] = sqrt(sum / n);
        if (n == 0) {
            out->found[j] = out->measured[j] = out->off[j] = (double)NAN;
        }
    }
    return true;
}

/* ---- the whole ---- */

static sal_status find_joints(int joint[SAL_PLATES_FEET][SAL_PLATES_JOINTS], const sal_model *m,
                              sal_err *err)
{
    static const char *const name[SAL_PLATES_FEET][SAL_PLATES_JOINTS] = {
        {"right_hip_y", "right_knee", "right_ankle_y"},
        {"left_hip_y", "left_knee", "left_ankle_y"}};
    for (int i = 0; i < SAL_PLATES_FEET; i++) {
        for (int j = 0; j < SAL_PLATES_JOINTS; j++) {
            joint[i][j] = sal_model_find(m, SAL_OBJ_JOINT, name[i][j]);
            if (joint[i][j] < 0) {
                return sal_fail(err, SAL_BADINPUT, "the model has no joint '%s'", name[i][j]);
            }
        }
    }
    return SAL_OK;
}

static sal_status check(const sal_result *a, const sal_result *b, sal_err *err)
{
    if (a->model->nq != b->model->nq || a->model->nv != b->model->nv ||
        a->model->ngeom != b->model->ngeom) {
        return sal_fail(err, SAL_BADINPUT,
                        "the motion and the measured forces are of different models");
    }
    if (a->nstep != b->nstep || fabs(a->timestep / b->timestep - 1) > 1e-6) {
        return sal_fail(err, SAL_BADINPUT,
                        "the motion has %d steps of %.4g s, the measured forces %d of %.4g s; both "
                        "must be of the same problem of `saltus follow`",
                        a->nstep, a->timestep, b->nstep, b->timestep);
    }
    return SAL_OK;
}

sal_status sal_plates_compare(sal_plates_foot foot[SAL_PLATES_FEET], const sal_result *found,
                              const sal_result *measured, sal_err *err)
{
    static const double up[3] = {0, 0, 1};
    comparison c = {.found = found,
                    .measured = measured,
                    .m = found->model,
                    .weight = found->weight,
                    .n = found->nstep};
    run_foot feet[RUN_NFOOT];
    int joint[SAL_PLATES_FEET][SAL_PLATES_JOINTS] = {{0}};
    sal_status status = check(found, measured, err);
    status = status == SAL_OK ? run_feet_find(feet, c.m, err) : status;
    status = status == SAL_OK ? find_joints(joint, c.m, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    c.x = sal_alloc((size_t)c.n * (2 * NUMBERS + 1), sizeof(double));
    if (c.x == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the forces of %d steps", c.n);
    }
    c.y = c.x + (size_t)c.n * NUMBERS;
    c.moment = c.y + (size_t)c.n * NUMBERS;
    for (int i = 0; i < SAL_PLATES_FEET && status == SAL_OK; i++) {
        foot[i] = (sal_plates_foot){0};
        gather(&c, found, feet[i].body, c.x);
        gather(&c, measured, feet[i].body, c.y);
        foot[i].vertical = correlation(&c, up);
        foot[i].fore_aft = fore_aft(&c);
        differences(&c, foot + i);
        contacts(&c, foot + i);
        if (!moments(&c, joint[i], foot + i)) {
            status = sal_fail(err, SAL_NOMEM, "out of memory for the moments of %d steps", c.n);
        }
    }
    sal_free(c.x);
    return status;
}
