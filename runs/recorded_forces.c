/* recorded_forces.c: which forces a recording asks for, one step of it.
 *
 * Velocities and accelerations are differences over some steps, as long as a thirtieth of a second,
 *
 *     v = (q_{t+k} (-) q_{t-k}) / 2kh,     a = ((q_{t+k} (-) q_t) - (q_t (-) q_{t-k})) / (kh)^2
 *
 * and inverse dynamics without contacts and limits gives the force f on each dof. The floor may
 * push at every point at most NEAR above it, within the friction cone's pyramid, by the forces that
 * leave least to the root,
 *
 *     minimise over x >= 0
 *         |f_root - E' x|^2 + EPSILON sum_e (1 + (v_e/SLOW)^2 + (z_e/THIN)^2) x_e^2
 *
 * (torques over 1 m; E: the edges of all pyramids; v, z: speed of sliding and height over the floor
 * of an edge's point, so that what stands on the floor carries), by coordinate descent. What is
 * left on the root nothing can give; what is left on joints, f - E' x, actuators must.
 */
#include "base/house.h"
#include "problems/floor.h"
#include "problems/touch.h"
#include "runs/recorded.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double NEAR = 0.03;                               /* m */
static const double SPAN = 1. / 30;                            /* s */
static const double EPSILON = 1e-5, SLOW = 0.05, THIN = 0.005; /* m/s, m */
enum { EDGES = 4, SWEEPS = 200 };

/* ---- memory ---- */

static sal_status make_models(run_recording *w, sal_err *err)
{
    sal_status status = sal_model_copy(&w->bare, w->m, err);
    status = status == SAL_OK ? sal_model_copy(&w->wide, w->m, err) : status;
    status = status == SAL_OK ? sal_data_new(&w->d, w->m, err) : status;
    if (status == SAL_OK) {
        w->bare->opt.disable |= SAL_DSBL_CONTACT | SAL_DSBL_LIMIT;
        prb_floor_see(w->wide);
    }
    return status;
}

sal_status run_recording_begin(run_recording *w, const sal_result *r, sal_err *err)
{
    const sal_model *m = r->model;
    const size_t nv = (size_t)m->nv;
    *w = (run_recording){.r = r, .m = m, .weight = r->weight};
    w->most = EDGES * (m->ngeom + 8) * 4;
    w->span = (int)fmax(1, round(SPAN / r->timestep));
    prb_root_find(&w->root, m);
    w->qvel = sal_alloc(nv, sizeof *w->qvel);
    w->qacc = sal_alloc(2 * nv, sizeof *w->qacc);
    w->force = sal_alloc(nv, sizeof *w->force);
    w->edge = sal_alloc((size_t)w->most * nv, sizeof *w->edge);
    w->strength = sal_alloc((size_t)w->most, sizeof *w->strength);
    w->sliding = sal_alloc((size_t)w->most, sizeof *w->sliding);
    w->price = sal_alloc((size_t)w->most, sizeof *w->price);
    w->jac = sal_alloc(3 * nv, sizeof *w->jac);
    if (w->qvel == NULL || w->qacc == NULL || w->force == NULL || w->edge == NULL ||
        w->strength == NULL || w->sliding == NULL || w->price == NULL || w->jac == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the forces of a recording");
    }
    return make_models(w, err);
}

void run_recording_end(run_recording *w)
{
    sal_model_free(w->bare);
    sal_model_free(w->wide);
    sal_data_free(w->d);
    void *const blocks[] = {w->qvel,     w->qacc,    w->force, w->edge,
                            w->strength, w->sliding, w->price, w->jac};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        sal_free(blocks[i]);
    }
}

/* ---- what the motion asks for ---- */

/* f without contacts: into force. */
static sal_status ask(run_recording *w, const double *q, int t, sal_err *err)
{
    const sal_model *m = w->bare;
    const int last = w->r->nstep, k = w->span, at = t < k ? k : t > last - k ? last - k : t;
    const double *before = q + (at - k) * m->nq, *now = q + at * m->nq,
                 *after = q + (at + k) * m->nq;
    const double dt = k * w->r->timestep;
    double *there = w->qacc, *back = w->qacc + m->nv;
    sal_differentiate_pos(m, there, dt, now, after);
    sal_differentiate_pos(m, back, dt, before, now);
    for (int i = 0; i < m->nv; i++) {
        w->qvel[i] = (there[i] + back[i]) / 2;
        there[i] = (there[i] - back[i]) / dt;
    }
    memcpy(w->d->qpos, q + t * m->nq, (size_t)m->nq * sizeof(double));
    memcpy(w->d->qvel, w->qvel, (size_t)m->nv * sizeof(double));
    memcpy(w->d->qacc, w->qacc, (size_t)m->nv * sizeof(double));
    const sal_status status = sal_inverse(m, w->d, err);
    memcpy(w->force, w->d->qfrc_inverse, (size_t)m->nv * sizeof(double));
    return status;
}

/* ---- what the floor can give ---- */

/* The four edges n +- mu t of a contact's pyramid, as forces on the dofs. */
static void add_edges(run_recording *w, const sal_contact *con)
{
    const sal_model *m = w->m;
    const int nv = m->nv, body = m->geom_bodyid[con->geom2];
    const double *friction = m->pair_friction + 5 * con->pair;
    double slide = 0;
    sal_jac(m, w->d, w->jac, NULL, con->pos, body);
    for (int axis = 1; axis < 3; axis++) {
        double speed = 0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < nv; j++) {
                speed += con->frame[3 * axis + i] * w->jac[i * nv + j] * w->qvel[j];
            }
        }
        slide = hypot(slide, speed);
    }
    for (int e = 0; e < EDGES; e++) {
        const double *tangent = con->frame + 3 * (1 + e / 2);
        const double mu = (e % 2 ? -1 : 1) * friction[e / 2];
        double *row = w->edge + (size_t)w->nedge * (size_t)nv;
        for (int j = 0; j < nv; j++) {
            row[j] = 0;
            for (int i = 0; i < 3; i++) {
                row[j] += (con->frame[i] + mu * tangent[i]) * w->jac[i * nv + j];
            }
        }
        w->sliding[w->nedge] = slide;
        w->price[w->nedge] =
            EPSILON * (1 + pow(slide / SLOW, 2) + pow(fmax(con->dist, 0) / THIN, 2));
        w->strength[w->nedge++] = 0;
    }
}

/* Where it is, and how fast it moves: v = J qvel */
static void note_lowest(run_recording *w, const sal_contact *con, run_instant *now)
{
    const int nv = w->m->nv;
    now->lowest = con->dist;
    sal_jac(w->m, w->d, w->jac, NULL, con->pos, w->m->geom_bodyid[con->geom2]);
    sal_v3_copy(now->step.point, con->pos);
    now->step.point[2] = con->dist;
    for (int i = 0; i < 3; i++) {
        now->step.velocity[i] = 0;
        for (int j = 0; j < nv; j++) {
            now->step.velocity[i] += w->jac[i * nv + j] * w->qvel[j];
        }
    }
}

static sal_status find_edges(run_recording *w, run_instant *now, sal_err *err)
{
    now->lowest = DBL_MAX;
    w->nedge = 0;
    const sal_status status = sal_collide(w->wide, w->d, err);
    for (int i = 0; i < w->d->ncon && status == SAL_OK; i++) {
        const sal_contact *con = w->d->contact + i;
        if (con->dist < now->lowest) {
            note_lowest(w, con, now);
        }
        if (con->dist < NEAR && w->nedge + EDGES <= w->most && w->root.body > 0) {
            add_edges(w, con);
        }
    }
    return status;
}

/* x := argmin, one strength after the other; force becomes what is left. */
static void push(run_recording *w)
{
    const int nv = w->m->nv, first = w->root.dof, end = first + w->root.ndof;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double moved = 0;
        for (int e = 0; e < w->nedge; e++) {
            const double *row = w->edge + (size_t)e * (size_t)nv;
            double slope = -w->price[e] * w->strength[e], curvature = w->price[e];
            for (int i = first; i < end; i++) {
                slope += row[i] * w->force[i];
                curvature += row[i] * row[i];
            }
            const double x = fmax(0, w->strength[e] + slope / curvature);
            const double by = x - w->strength[e];
            for (int j = 0; j < nv && by != 0; j++) {
                w->force[j] -= by * row[j];
            }
            w->strength[e] = x;
            moved = fmax(moved, fabs(by));
        }
        if (moved < 1e-5 * w->weight) {
            return;
        }
    }
}

/* The deepest contact of the mechanism with itself. */
static sal_status look_inside(run_recording *w, run_instant *now, sal_err *err)
{
    const sal_status status = sal_collide(w->m, w->d, err);
    for (int i = 0; i < w->d->ncon && status == SAL_OK; i++) {
        const sal_contact *con = w->d->contact + i;
        if (-con->dist > now->inside && prb_are_of_a_tree(w->m, con->geom1, con->geom2)) {
            now->inside = -con->dist;
            now->geom[0] = con->geom1, now->geom[1] = con->geom2;
        }
    }
    return status;
}

sal_status run_recording_at(run_recording *w, const double *q, int t, run_instant *now,
                            sal_err *err)
{
    *now = (run_instant){0};
    sal_status status = ask(w, q, t, err);
    const prb_root *root = &w->root;
    now->asked = root->body == 0 ? 0 : root->along[2] * w->force[root->lift] / w->weight;
    status = status == SAL_OK ? find_edges(w, now, err) : status;
    status = status == SAL_OK ? look_inside(w, now, err) : status;
    if (status != SAL_OK || root->body == 0) {
        return status;
    }
    push(w);
    for (int i = root->dof; i < root->dof + root->ndof; i++) {
        now->root = fmax(now->root, fabs(w->force[i]) / w->weight);
    }
    for (int e = 0; e < w->nedge; e++) {
        now->load += w->strength[e];
        now->sliding += w->strength[e] * w->sliding[e];
    }
    return SAL_OK;
}
