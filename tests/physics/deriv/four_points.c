/* four_points.c: see four_points.h */
#include "tests/physics/deriv/four_points.h"

#include "physics/implicit/slope.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Accelerations come in linearly, but for smoothed laws. */
static const double step_of[3] = {2e-6, 1e-4, 1e-3};
/* D(h) - D(2h) over the largest entry of a column. Of a pole 1/x, four points err by half of its
 * square, six by its cube: 1e-11. */
static const double too_bent = 1e-5, too_bent_for_six = 2e-4;

/* Which piece of the law and of its impedance curve every row is on, and which way everything
 * moves. */
typedef struct pieces {
    int n, *at;
} pieces;

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

static const double *solimp_of(const sal_model *m, const sal_data *d, int row)
{
    const int id = d->efc_id[row];
    switch ((sal_efc_type)d->efc_type[row]) {
    case SAL_EFC_EQUALITY:
        return m->eq_solimp + 5 * id;
    case SAL_EFC_LIMIT_JOINT:
        return m->jnt_solimp + 5 * id;
    case SAL_EFC_LIMIT_TENDON:
        return m->tendon_solimp_lim + 5 * id;
    case SAL_EFC_CONTACT_FRICTIONLESS:
    case SAL_EFC_CONTACT_PYRAMIDAL:
    case SAL_EFC_CONTACT_ELLIPTIC:
        return m->pair_solimp + 5 * d->contact[id].pair;
    case SAL_EFC_FRICTION_DOF:
    case SAL_EFC_FRICTION_TENDON:
        break;
    }
    return NULL;
}

static int piece_of_impedance(const sal_model *m, const sal_data *d, int row)
{
    const double *solimp = solimp_of(m, d, row), x = d->efc_pos[row] - d->efc_margin[row];
    return solimp == NULL
               ? 0
               : sign_of(x) + 3 * (fabs(x) > solimp[2] * solimp[3]) + 6 * (fabs(x) > solimp[2]);
}

/* Of friction loss jar = +-R F, of all others jar = 0; each within sigma, or to one side. */
static int piece_of_law(const sal_model *m, const sal_data *d, int row)
{
    const double jar = d->efc_acc[row] - d->efc_aref[row], sigma = m->opt.sigma;
    const double reach = d->efc_frictionloss[row] * d->efc_R[row];
    return (jar > reach - sigma) + (jar > reach + sigma) + (jar > -reach - sigma) +
           (jar > -reach + sigma);
}

static void look(const sal_model *m, const sal_data *d, pieces *p)
{
    p->n = 0;
    for (int row = 0; row < d->nefc; row++) {
        p->at[p->n++] = d->efc_type[row];
        p->at[p->n++] = d->efc_id[row];
        p->at[p->n++] = sign_of(d->efc_pos[row]);
        p->at[p->n++] = piece_of_law(m, d, row) + 5 * d->efc_state[row];
        p->at[p->n++] = piece_of_impedance(m, d, row);
    }
    for (int i = 0; i < m->nv; i++) {
        p->at[p->n++] = sign_of(d->qvel[i]);
    }
    for (int t = 0; t < m->ntendon; t++) {
        const double *rest = m->tendon_lengthspring + 2 * t, l = d->ten_length[t];
        p->at[p->n++] = sign_of(d->ten_velocity[t]);
        p->at[p->n++] = rest[0] < rest[1] ? (l > rest[0]) + (l > rest[1]) : 0;
    }
}

/* The larger one; NaN is largest. */
static double larger(double a, double b)
{
    return a > b || a != a ? a : b;
}

/* A copy of the state, and where to go from it. */
typedef struct origin {
    double *q, *v, *a, *step, *out;
    pieces base, here;
} origin;

static void keep(const four_points *f, origin *o)
{
    const sal_model *m = f->m;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    const size_t words = 5 * (size_t)m->nefcmax + nv + 2 * (size_t)m->ntendon + 1;
    o->q = sal_alloc(nq + 4 * nv + 1, sizeof *o->q);
    o->v = o->q + nq, o->a = o->v + nv, o->step = o->a + nv, o->out = o->step + nv;
    o->base.at = sal_alloc(words, sizeof(int));
    o->here.at = sal_alloc(words, sizeof(int));
    memcpy(o->q, f->d->qpos, nq * sizeof *o->q);
    memcpy(o->v, f->d->qvel, nv * sizeof *o->v);
    memcpy(o->a, f->d->qacc, nv * sizeof *o->a);
}

static void give_back(const four_points *f, origin *o)
{
    const size_t nq = (size_t)f->m->nq, nv = (size_t)f->m->nv;
    memcpy(f->d->qpos, o->q, nq * sizeof *o->q);
    memcpy(f->d->qvel, o->v, nv * sizeof *o->v);
    memcpy(f->d->qacc, o->a, nv * sizeof *o->a);
    sal_free(o->q);
    sal_free(o->base.at);
    sal_free(o->here.at);
}

/* o->out = the function where variable k is off by x */
static void probe(const four_points *f, origin *o, four_by by, int k, double x, pieces *p)
{
    const sal_model *m = f->m;
    sal_data *d = f->d;
    memset(o->step, 0, (size_t)m->nv * sizeof *o->step);
    o->step[k] = x;
    sal_integrate_pos(m, d->qpos, o->q, o->step, by == FOUR_BY_Q ? 1 : 0);
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = o->v[i] + (by == FOUR_BY_V ? o->step[i] : 0);
        o->step[i] = o->a[i] + (by == FOUR_BY_A ? o->step[i] : 0);
    }
    f->function(m, d, o->step, o->out);
    look(m, d, p);
}

/* What rounding of the function makes of a difference over h. */
static double rounding(const four_points *f, double h)
{
    return 4 * DBL_EPSILON * fmax(f->size, f->summand) / h;
}

/* Column k with the step h; returns how much D(h) and D(2h) differ, and the largest entry. */
static double column(four_points *f, origin *o, four_by by, int k, double h, double *out,
                     double *largest, bool *kink)
{
    static const double at[6] = {1, -1, 2, -2, 3, -3}, bend[6] = {.5, -.5, -.25, .25, 0, 0};
    static const double four[6] = {40, -40, -5, 5, 0, 0}, six[6] = {45, -45, -9, 9, 1, -1};
    const int nv = f->m->nv, points = h < step_of[by] ? 6 : 4;
    const double *weight = points == 6 ? six : four; /* of 60 h */
    double *bent = sal_alloc((size_t)nv, sizeof *bent), most = 0;
    memset(out, 0, (size_t)nv * sizeof *out);
    *largest = *kink = 0;
    for (int p = 0; p < points; p++) {
        probe(f, o, by, k, at[p] * h, &o->here);
        *kink = *kink || o->base.n != o->here.n ||
                memcmp(o->base.at, o->here.at, (size_t)o->base.n * sizeof(int)) != 0;
        for (int i = 0; i < nv; i++) {
            out[i] += weight[p] * o->out[i] / (60 * h);
            bent[i] += bend[p] * o->out[i] / h;
            f->size = larger(fabs(o->out[i]), f->size);
        }
    }
    for (int i = 0; i < nv; i++) {
        most = larger(fabs(bent[i]), most);
        *largest = larger(fabs(out[i]), *largest);
    }
    sal_free(bent);
    return most;
}

/* Column k of D [nv x nv]; returns the step that it was taken with. */
static double choose_column(four_points *f, origin *o, four_by by, int k, double *D, bool *kink)
{
    const int nv = f->m->nv;
    double *out = sal_alloc((size_t)nv, sizeof *out), h = step_of[by], largest;
    probe(f, o, by, k, 0, &o->base);
    double bend = column(f, o, by, k, h, out, &largest, kink);
    double enough = too_bent;
    while (bend > enough * largest && 100 * rounding(f, h / 4) < bend) {
        h /= 4;
        enough = too_bent_for_six;
        bend = column(f, o, by, k, h, out, &largest, kink);
    }
    for (int i = 0; i < nv; i++) {
        D[nv * i + k] = out[i];
    }
    sal_free(out);
    return h;
}

/* step [nv] */
static void matrix(four_points *f, four_by by, double *D, bool *kink, double *step)
{
    origin o;
    keep(f, &o);
    f->size = 0;
    for (int k = 0; k < f->m->nv; k++) {
        step[k] = choose_column(f, &o, by, k, D, kink + k);
        f->kinks += kink[k];
        f->columns++;
    }
    give_back(f, &o);
}

void four_points_matrix(four_points *f, four_by by, double *D, bool *kink)
{
    double *step = sal_alloc((size_t)f->m->nv, sizeof *step);
    matrix(f, by, D, kink, step);
    sal_free(step);
}

double four_points_error(four_points *f, four_by by, const double *D)
{
    const size_t nv = (size_t)f->m->nv;
    double *near = sal_alloc(nv * nv, sizeof *near), error = 0, size = 0;
    double *step = sal_alloc(nv, sizeof *step);
    bool *kink = sal_alloc(nv, sizeof *kink);
    matrix(f, by, near, kink, step);
    for (size_t i = 0; i < nv * nv; i++) {
        const double off = fabs(D[i] - near[i]) - rounding(f, step[i % nv]);
        error = kink[i % nv] ? error : larger(off, error);
        size = larger(fabs(near[i]), size);
    }
    error = size > 0 ? error / size : error;
    f->worst[by] = larger(error, f->worst[by]);
    sal_free(near);
    sal_free(step);
    sal_free(kink);
    return error;
}

void four_points_state(const sal_model *m, sal_data *d, sal_rng *rng)
{
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = sal_rng_uniform(rng, -1, 1);
    }
    sal_integrate_pos(m, d->qpos, m->qpos0, d->qvel, 1);
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = sal_rng_uniform(rng, -2, 2);
        d->qacc[i] = sal_rng_uniform(rng, -20, 20);
    }
}
