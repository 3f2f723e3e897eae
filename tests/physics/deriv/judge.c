#include "tests/physics/deriv/judge.h"

#include "base/house.h"
#include "physics/collision/collide.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double REACH = 5e-6; /* of a configuration: no break may be so near */
static const double TURN = 1e-5;  /* of a shape: it must touch at the same place, */
static const double JUMP = 2e-3;  /* m, that is */
static const double ROUGH = 1e-6; /* a slope may jump by so much */
static const double COARSE =
    2.5e-7; /* error that the reference may have, of the scale of its matrix */
static const double GOOD = 5e-10; /* the same: no other step is tried */

/* ---- contacts that hang in the balance ---- */

/* Whether the contact of two shapes can be elsewhere without them having moved: an edge along a
 * face, say. Planes and round shapes have the same place always. */
static bool may_jump(const sal_model *m, const sal_contact *c)
{
    const int type1 = m->geom_type[c->geom1], type2 = m->geom_type[c->geom2];
    return c->efc_address >= 0 && type1 != SAL_GEOM_PLANE && type2 > SAL_GEOM_CAPSULE;
}

/* The pair's contacts, of which `list` has n, with geom2 turned a little about axis k of the world:
 * as many, in the same places. */
static bool stay_when_turned(const judge *p, const sal_contact *list, int n, int k, double angle)
{
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double *was = p->d->geom_xmat + 9L * list->geom2;
    phy_meeting meeting = phy_meeting_of(p->m, p->d, list->geom1, list->geom2, list->pair);
    phy_touch touch[PHY_TOUCH_MAX];
    double mat[9];
    memcpy(mat, was, sizeof mat);
    for (int column = 0; column < 3; column++) {
        mat[3 * i + column] = cos(angle) * was[3 * i + column] - sin(angle) * was[3 * j + column];
        mat[3 * j + column] = sin(angle) * was[3 * i + column] + cos(angle) * was[3 * j + column];
    }
    meeting.mat2 = mat;
    bool same = phy_collide_meeting(&meeting, touch) == n;
    for (int c = 0; c < n && same; c++) {
        double off[3];
        sal_v3_sub(off, touch[c].pos, list[c].pos);
        same = sal_v3_norm(off) < JUMP;
    }
    return same;
}

static bool all_stay(const judge *p)
{
    const sal_contact *list = p->d->contact;
    bool stay = true;
    for (int i = 0, n; i < p->d->ncon && stay; i += n) {
        n = 1;
        while (i + n < p->d->ncon && list[i + n].pair == list[i].pair) {
            n++;
        }
        for (int k = 0; k < 6 && stay && may_jump(p->m, list + i); k++) {
            stay = stay_when_turned(p, list + i, n, k / 2, k % 2 == 0 ? TURN : -TURN);
        }
    }
    return stay;
}

/* ---- differences ---- */

typedef enum variable { ACCELERATION, VELOCITY, CONFIGURATION, NVARIABLE } variable;

/* The first one, and those tried after it. */
enum { NSTEP = 8 };
static const double steps[NVARIABLE][NSTEP] = {
    {1e-4, 1e-3, 1e-2, 1e-1, 1, 1e-5, 0, 0},
    {1e-4, 1e-3, 1e-2, 1e-5, 1e-6, 0, 0, 0},
    {2e-6, 2e-5, 1.5e-4, 1.2e-3, 1e-2, 3e-7, 6e-6, 6e-5}};

/* The largest entry; of a matrix that is nothing but rounding, the largest force. */
static double scale_of(const judge *p, const double *b, int n)
{
    double scale = 0;
    for (int i = 0; i < n; i++) {
        scale = fmax(scale, fabs(b[i]));
    }
    return scale < 1e-6 * p->force ? p->force : scale;
}

double judge_error(const judge *p, const double *a, const double *b, int n)
{
    const double scale = scale_of(p, b, n);
    double worst = 0;
    for (int i = 0; i < n; i++) {
        const double e = fabs(a[i] - b[i]);
        if (!isfinite(e)) {
            return (double)INFINITY;
        }
        worst = fmax(worst, e);
    }
    return scale == 0 ? worst : worst / scale;
}

/* The inverse with variable k moved by h; the stages before it are done. */
static sal_status evaluate(judge *p, variable x, int k, double h, sal_err *err)
{
    const sal_model *m = p->m;
    sal_data *d = p->d;
    if (x == CONFIGURATION) {
        p->step[k] = 1;
        sal_integrate_pos(m, d->qpos, p->qpos, p->step, h);
        p->step[k] = 0;
        return sal_inverse(m, d, err);
    }
    double *moved = x == VELOCITY ? d->qvel + k : d->qacc + k;
    const double here = *moved;
    *moved = here + h;
    if (x == VELOCITY) {
        sal_velocity(m, d);
    }
    sal_inverse_acceleration(m, d);
    return SAL_OK;
}

static void restore(judge *p, const double *qvel, const double *qacc)
{
    memcpy(p->d->qvel, qvel, (size_t)p->m->nv * sizeof *qvel);
    memcpy(p->d->qacc, qacc, (size_t)p->m->nv * sizeof *qacc);
}

/* Column k of D, and of p->fine with half the step; *why stays at its first reason. */
static bool difference(judge *p, double *D, variable x, int k, double h, const sal_data *at,
                       doubt *why, sal_err *err)
{
    static const double times[6] = {1, -1, 2, -2, 0.5, -0.5};
    const int nv = p->m->nv;
    for (int i = 0; i < 6; i++) {
        sal_status status = evaluate(p, x, k, times[i] * h, err);
        if (status == SAL_OK && !look_at(p->look + i + 1, p->look, p->m, p->d)) {
            status = sal_fail(err, SAL_NOMEM, "out of memory");
        }
        restore(p, at->qvel, at->qacc);
        if (status != SAL_OK) {
            return false;
        }
        const double reach = fmax(1, REACH / fabs(times[i] * h));
        const doubt change = look_change(p->look, p->look + i + 1, reach);
        *why = *why == DOUBT_NONE ? change : *why;
        memcpy(p->f + i * nv, p->d->qfrc_inverse, (size_t)nv * sizeof *p->f);
    }
    if (*why == DOUBT_NONE && x == CONFIGURATION && h == steps[x][0]) {
        p->rough = fmax(p->rough, look_roughness(p->look, h));
    }
    for (int i = 0; i < nv; i++) {
        const double *f = p->f + i;
        const double one = f[0] - f[nv], two = f[2 * nv] - f[3 * nv], half = f[4 * nv] - f[5 * nv];
        D[i * nv + k] = (8 * one - two) / (12 * h);
        p->fine[i * nv + k] = (8 * half - one) / (6 * h);
    }
    return true;
}

/* One matrix; *coarse: how good it is. */
static bool differentiate(judge *p, double *D, variable x, double h, const sal_data *at,
                          double *coarse, doubt *why, sal_err *err)
{
    const int nv = p->m->nv;
    *coarse = (double)INFINITY;
    for (int k = 0; k < nv; k++) {
        if (!difference(p, D, x, k, h, at, why, err)) {
            return false;
        }
    }
    const double scale = scale_of(p, D, nv * nv); /* a small difference may be chance */
    const double rounding = scale == 0 ? 0 : DBL_EPSILON * p->force / (h * scale);
    *coarse = rounding + judge_error(p, p->fine, D, nv * nv);
    return true;
}

/* One matrix with the best of the steps. */
static bool differentiate_well(judge *p, double *D, variable x, const sal_data *at, doubt *why,
                               sal_err *err)
{
    const size_t n = (size_t)(p->m->nv * p->m->nv);
    double best;
    bool done = differentiate(p, D, x, steps[x][0], at, &best, why, err);
    for (int s = 1; s < NSTEP && done && best > GOOD && *why == DOUBT_NONE && steps[x][s] > 0;
         s++) {
        doubt change = DOUBT_NONE;
        double coarse;
        done = differentiate(p, p->trial, x, steps[x][s], at, &coarse, &change, err);
        if (change == DOUBT_NONE && coarse < best) {
            best = coarse;
            memcpy(D, p->trial, n * sizeof *D);
        }
    }
    p->coarse = fmax(p->coarse, best);
    return done;
}

static bool start(judge *p, const sal_data *at, sal_err *err)
{
    const sal_model *m = p->m;
    memcpy(p->d->qpos, at->qpos, (size_t)m->nq * sizeof(double));
    memcpy(p->qpos, at->qpos, (size_t)m->nq * sizeof(double));
    restore(p, at->qvel, at->qacc);
    p->coarse = p->rough = p->force = 0;
    if (sal_inverse(m, p->d, err) != SAL_OK) {
        return false;
    }
    for (int i = 0; i < m->nv; i++) {
        p->force = fmax(p->force, fabs(p->d->qfrc_inverse[i]));
    }
    if (!look_at(p->look, NULL, m, p->d)) {
        sal_fail(err, SAL_NOMEM, "out of memory");
        return false;
    }
    p->steady = all_stay(p);
    return true;
}

bool judge_at(judge *p, const sal_data *at, doubt *why, sal_err *err)
{
    *why = DOUBT_NONE;
    bool done = start(p, at, err) && differentiate_well(p, p->Da, ACCELERATION, at, why, err) &&
                differentiate_well(p, p->Dv, VELOCITY, at, why, err) &&
                differentiate_well(p, p->Dq, CONFIGURATION, at, why, err);
    if (*why == DOUBT_NONE && (p->rough > ROUGH || !p->steady)) {
        *why = DOUBT_SWITCH;
    }
    *why = *why == DOUBT_NONE && !(p->coarse <= COARSE) ? DOUBT_COARSE : *why;
    return done;
}

bool judge_new(judge *p, const sal_model *m)
{
    const size_t nv = (size_t)m->nv, n = nv * nv;
    sal_err err;
    memset(p, 0, sizeof *p);
    p->m = m;
    p->Dq = sal_alloc(5 * n, sizeof *p->Dq);
    p->qpos = sal_alloc((size_t)m->nq + 7 * nv, sizeof *p->qpos);
    if (p->Dq == NULL || p->qpos == NULL || sal_data_new(&p->d, m, &err) != SAL_OK) {
        judge_free(p);
        return false;
    }
    p->Dv = p->Dq + n, p->Da = p->Dv + n, p->trial = p->Da + n, p->fine = p->trial + n;
    p->step = p->qpos + m->nq, p->f = p->step + nv;
    return true;
}

void judge_free(judge *p)
{
    for (int i = 0; i < 7; i++) {
        look_free(p->look + i);
    }
    sal_free(p->Dq);
    sal_free(p->qpos);
    sal_data_free(p->d);
    memset(p, 0, sizeof *p);
}
