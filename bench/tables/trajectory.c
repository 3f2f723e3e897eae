#include "bench/tables/trajectory.h"

#include "bench/linearise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double DEPTH = 3e-3, HEIGHT = 0.1; /* m */
static const double LEAN = 0.15;                /* rad: the heels are 3 cm up */

static sal_status open_problem(trajectory *w, sal_err *err)
{
    const char *root = getenv("SALTUS_ROOT");
    const sal_problem_options options = {0};
    sal_diag diag = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/bench/problems/table2.xml", root == NULL ? "." : root);
    const sal_status status = sal_problem_read(&w->problem, path, &options, &diag, err);
    sal_diag_clear(&diag);
    return status;
}

/* The lowest point of the soles, which are spheres */
static double lowest(const sal_model *m, sal_data *d, const double *q)
{
    double low = (double)INFINITY;
    for (int i = 0; i < m->nq; i++) {
        d->qpos[i] = q[i];
    }
    sal_kinematics(m, d);
    for (int g = 0; g < m->ngeom; g++) {
        if (m->geom_type[g] == SAL_GEOM_SPHERE) {
            low = fmin(low, d->geom_xpos[3 * g + 2] - m->geom_size[3 * g]);
        }
    }
    return low;
}

void trajectory_stand(const sal_model *m, sal_data *d, double *q, trajectory_pose pose)
{
    if (pose == TRAJECTORY_TOES) {
        q[3] = cos(LEAN / 2);
        q[4] = q[6] = 0;
        q[5] = sin(LEAN / 2);
    }
    q[2] += (pose == TRAJECTORY_ABOVE ? HEIGHT : -DEPTH) - lowest(m, d, q);
}

/* A cycle's x begins with q_0 .. q_{N-1}. */
static void stand(const trajectory *w, trajectory_pose pose)
{
    const sal_model *m = w->tr->model;
    for (int t = 0; t < w->tr->nls.nblock; t++) {
        trajectory_stand(m, w->d, w->x + t * m->nq, pose);
    }
}

static sal_status open_solver(trajectory *w, trajectory_pose pose, sal_err *err)
{
    sal_status status = prb_transcription_new(&w->tr, w->problem, 1, err);
    if (status != SAL_OK) {
        return status;
    }
    const sal_nls *nls = &w->tr->nls;
    w->x = sal_alloc((size_t)nls->nx, sizeof *w->x);
    w->r = sal_alloc(w->tr->r_adr[w->tr->nblock], sizeof *w->r);
    if (w->x == NULL || w->r == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    status = sal_data_new(&w->d, w->tr->model, err);
    status = status == SAL_OK ? prb_guess(w->tr, w->x, 1, err) : status;
    if (status == SAL_OK) {
        stand(w, pose);
        status = nls->stage(w->tr, 0, 0, w->x, err);
    }
    return status == SAL_OK ? linearise_open(&w->optim, nls, w->x, 1, err) : status;
}

sal_status trajectory_open(trajectory *w, trajectory_pose pose, sal_err *err)
{
    *w = (trajectory){0};
    const sal_status status = open_problem(w, err);
    return status == SAL_OK ? open_solver(w, pose, err) : status;
}

void trajectory_close(trajectory *w)
{
    sal_optim_free(w->optim);
    sal_data_free(w->d);
    prb_transcription_free(w->tr);
    sal_problem_free(w->problem);
    sal_free(w->x);
    sal_free(w->r);
}

void trajectory_linearise(void *ctx)
{
    const trajectory *w = ctx;
    sal_err err;
    linearise_run(w->optim, &err);
}

void trajectory_evaluate(void *ctx)
{
    const trajectory *w = ctx;
    sal_err err;
    w->tr->nls.residual(w->tr, w->r, w->x, &err);
}

double trajectory_contacts(const trajectory *w)
{
    const sal_model *m = w->tr->model;
    const int nstep = w->tr->nls.nblock;
    double count = 0;
    for (int t = 0; t < nstep; t++) {
        sal_err err;
        if (sal_motion_step(m, w->d, w->tr->q + t * m->nq, &err) != SAL_OK) {
            return 0;
        }
        for (int i = 0; i < w->d->ncon; i++) {
            double force[6];
            sal_contact_force(m, w->d, i, force);
            count += force[0] > 0;
        }
    }
    return count / nstep;
}
