/* plates_inverse.c: classical inverse dynamics: a motion by kinematics alone, and the forces of the
 * floor as force plates measured them.
 *
 *     tau = M(q) a + c(q, v) - J'w
 *
 * q are the poses that fit the markers best, one by one, then low-passed; velocities and
 * accelerations are their differences,  v_t = (q_t - q_{t-1})/h,  a_t = (q_{t+1} - 2 q_t +
 * q_{t-1})/h^2,  and w is the mean of what was measured from t - h/2 to t + h/2, low-passed in the
 * same way. Nothing makes root forces zero: what is left on the root is the error of all this.
 *
 * The forces stand in the result as contacts of the feet with the floor, one for each plate, as
 * they were measured.
 */
#include "runs/plates_inverse.h"

#include "base/house.h"
#include "problems/recordings/data.h"
#include "problems/recordings/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FAINT = 1; /* N */
/* s: how far a kink of the pose is carried by two low-passes, that of the data and ours: 2 % of it
 * are left there */
static const double KINK = .12;

void run_steps_add(run_steps *s, int t)
{
    s->first = s->n == 0 || t < s->first ? t : s->first;
    s->last = s->n == 0 || t > s->last ? t : s->last;
    s->n++;
}

/* ---- the poses ---- */

static void pose(run_inverse *c, int t, double *q)
{
    prb_states_at(&c->poses, c->m, (double)t / c->p->nstep, q, NULL, c->scratch);
}

/* q_{t-1}, q_t, q_{t+1}; the motion begins straight on. */
static void window(run_inverse *c, int t)
{
    const int nq = c->m->nq;
    pose(c, t, c->window + nq);
    pose(c, t + 1, c->window + 2 * nq);
    if (t > 0) {
        pose(c, t - 1, c->window);
    } else {
        sal_differentiate_pos(c->m, c->push, 1, c->window + 2 * nq, c->window + nq);
        sal_integrate_pos(c->m, c->window, c->window + nq, c->push, 1);
    }
}

/* ---- the forces of the floor ---- */

/* The wrench as a contact of the floor with the foot: normal, tangents, torsion and rolling. */
static sal_status put_contact(run_inverse *c, int t, const run_foot *foot, const run_wrench *w,
                              sal_err *err)
{
    static const double frame[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    sal_result *r = c->r;
    const int k = r->ncontact;
    if (k >= r->contact_capacity) {
        const sal_status status = prb_result_reserve(r, 2 * k + 16, err);
        if (status != SAL_OK) {
            return status;
        }
    }
    r->contact_geom[2 * k] = c->floor;
    r->contact_geom[2 * k + 1] = foot->heel[0];
    memcpy(r->contact_frame + 9 * k, frame, sizeof frame);
    sal_v3_copy(r->contact_pos + 3 * k, w->point);
    sal_m3_mulv(r->contact_force + 6 * k, frame, w->force);
    sal_m3_mulv(r->contact_force + 6 * k + 3, frame, w->torque);
    r->contact_dist[k] = 0;
    r->contact_slip[k] = 0;
    r->ncontact++;
    r->contact_offset[t + 1] = r->ncontact;
    return SAL_OK;
}

bool run_inverse_plate(const run_inverse *c, int plate, int t, run_wrench *w)
{
    const double *belt = c->p->data->recording[0].belt, height = c->p->data->recording[0].height;
    const bool known = run_plates_at(&c->plates, plate, c->begin + t * c->h, c->h, w);
    w->point[2] -= fabs(w->point[2] - height) < fabs(w->point[2]) ? height : 0;
    w->point[0] += t * c->h * belt[0];
    w->point[1] += t * c->h * belt[1];
    return known;
}

static sal_status add_plate(run_inverse *c, int plate, int t, bool *known, sal_err *err)
{
    run_wrench w;
    double distance;
    if (!run_inverse_plate(c, plate, t, &w)) {
        *known = false;
        return SAL_OK;
    }
    if (!(w.force[2] > RUN_LOADED * c->weight)) {
        return SAL_OK;
    }
    const int foot = run_feet_nearest(c->foot, c->d, w.point, &distance);
    if (distance > RUN_REACH) {
        run_steps_add(&c->seen[plate].neither, t);
        *known = false;
        return SAL_OK;
    }
    c->seen[plate].of[foot]++;
    c->borne[foot] = true;
    return put_contact(c, t, c->foot + foot, &w, err);
}

/* The low-passed wrench about the origin, on the foot nearest to its own centre of pressure:
 * x = -M_y/F_z, y = M_x/F_z. */
static void push_by(run_inverse *c, int plate, int t)
{
    static const double origin[3] = {0};
    const double *w = c->wrench + 6 * ((size_t)plate * ((size_t)c->p->nstep + 1) + (size_t)t);
    double distance;
    if (w[2] > FAINT) {
        const double point[3] = {-w[4] / w[2], w[3] / w[2], 0};
        const int foot = run_feet_nearest(c->foot, c->d, point, &distance);
        sal_apply_force(c->m, c->d, c->push, w, w + 3, origin, c->foot[foot].body);
    }
}

/* ---- a step ---- */

/* Motors of hinges give what is needed; nothing gives what the root needs. */
static void put_actuation(run_inverse *c, int t)
{
    sal_result *r = c->r;
    const sal_model *m = c->m;
    const double *f = r->qfrc_inverse + t * m->nv;
    double *actuated = r->qfrc_actuator + t * m->nv;
    memset(actuated, 0, (size_t)m->nv * sizeof *actuated);
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_trntype[a] == SAL_TRN_JOINT) {
            const int dof = m->jnt_dofadr[m->actuator_trnid[a]];
            actuated[dof] = f[dof];
            r->ctrl[t * m->nu + a] =
                f[dof] / (m->actuator_gear[6 * a] * m->actuator_gainprm[10 * a]);
        }
    }
    for (int i = 0; i < m->nv; i++) {
        r->qfrc_unactuated[t * m->nv + i] = f[i] - actuated[i];
    }
}

/* Whether a foot is on the floor, on no plate, while the plates carry too little: f is what motors
 * and root must give. */
static bool stands_beside(const run_inverse *c, int t, const double *f)
{
    bool stands = false;
    for (int i = 0; i < RUN_NFOOT; i++) {
        stands = stands || (!c->borne[i] && c->stands[t * RUN_NFOOT + i] != 0);
    }
    return stands && f[2] > RUN_UNEXPLAINED * c->weight;
}

/* What plates that bear all that stands measure, beside what the model needs, m (g + a): f and what
 * the plates push. */
static void weigh(run_inverse *c, int t, const double *f)
{
    bool all = c->borne[0] || c->borne[1];
    for (int i = 0; i < RUN_NFOOT; i++) {
        all = all && (c->borne[i] || c->stands[t * RUN_NFOOT + i] < 2);
    }
    if (all) {
        const double measured = c->push[2], needed = measured + f[2];
        c->load.n++;
        c->load.measured += measured;
        c->load.needed += needed;
        c->load.measured2 += measured * measured;
        c->load.both += measured * needed;
        c->load.needed2 += needed * needed;
    }
}

static sal_status step(run_inverse *c, int t, sal_err *err)
{
    const int nv = c->m->nv;
    bool known = c->left_out[t] == 0;
    window(c, t);
    sal_status status = sal_motion_step(c->bare, c->d, c->window, err);
    memset(c->push, 0, (size_t)nv * sizeof *c->push);
    prb_result_put_state(c->r, c->d, t);
    prb_result_put_forces(c->r, c->d, t);
    c->r->contact_offset[t + 1] = c->r->ncontact;
    memset(c->borne, 0, sizeof c->borne);
    for (int i = 0; i < c->plates.n && status == SAL_OK; i++) {
        status = add_plate(c, i, t, &known, err);
        push_by(c, i, t);
    }
    double *f = c->r->qfrc_inverse + t * nv;
    for (int i = 0; i < nv; i++) {
        c->r->qfrc_constraint[t * nv + i] = c->push[i];
        f[i] -= c->push[i];
    }
    if (known) {
        weigh(c, t, f);
    }
    if (known && stands_beside(c, t, f)) {
        c->beside++;
        known = false;
    }
    if (!known) { /* nor are the forces of the other plates worth anything without this one */
        c->r->ncontact = c->r->contact_offset[t + 1] = c->r->contact_offset[t];
        prb_result_clear_forces(c->r, t);
        return status;
    }
    put_actuation(c, t);
    prb_result_clear_sensors(c->r, t, false);
    return status;
}

static sal_status last_row(run_inverse *c, sal_err *err)
{
    const int N = c->r->nstep, nq = c->m->nq;
    pose(c, N - 1, c->window);
    pose(c, N, c->window + nq);
    memcpy(c->d->qpos, c->window + nq, (size_t)nq * sizeof(double));
    sal_motion_velocity(c->bare, c->d->qvel, c->window, c->window + nq);
    const sal_status status = sal_position(c->bare, c->d, err);
    prb_result_put_state(c->r, c->d, N);
    prb_result_clear_forces(c->r, N);
    prb_result_clear_sensors(c->r, N, false);
    c->r->contact_offset[N + 1] = c->r->ncontact;
    return status;
}

/* ---- the whole ---- */

static sal_status find_floor(run_inverse *c, sal_err *err)
{
    c->floor = -1;
    for (int g = 0; g < c->m->ngeom && c->floor < 0; g++) {
        c->floor = c->m->geom_type[g] == SAL_GEOM_PLANE && c->m->geom_bodyid[g] == 0 ? g : -1;
    }
    return c->floor >= 0 ? SAL_OK : sal_fail(err, SAL_BADINPUT, "the model has no floor (a plane)");
}

static sal_status begin_result(run_inverse *c, sal_err *err)
{
    sal_model *copy = NULL;
    sal_status status = sal_model_copy(&copy, c->m, err);
    status = status == SAL_OK ? prb_result_new(&c->r, copy, c->p->nstep, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    sal_result *r = c->r;
    const char *name = c->p->name == NULL ? "" : c->p->name;
    r->mujoco = c->m->mujoco;
    r->boundary = PRB_OPEN;
    r->recording_start = c->begin;
    r->timestep = c->h;
    snprintf(r->status, sizeof r->status, "measured forces");
    r->exit_code = prb_result_exit_code(SAL_STOP_CONVERGED);
    status = prb_result_text(&r->problem_name, name, strlen(name), err);
    status = status == SAL_OK ? prb_result_text(&r->problem_xml, "", 0, err) : status;
    prb_result_find_extremes(r); /* the weight */
    c->weight = r->weight;
    return status == SAL_OK ? prb_result_describe_model(r, err) : status;
}

/* Every coordinate low-passed; of quaternions each number, and then their length. */
static sal_status smooth(run_inverse *c, sal_err *err)
{
    const sal_model *m = c->m;
    for (int k = 0; k < m->nq; k++) {
        if (!prb_lowpass(c->poses.qpos + k, c->poses.nrow, m->nq, RUN_LOWPASS * c->h,
                         RUN_LOWPASS_ORDER)) {
            return sal_fail(err, SAL_NOMEM, "out of memory for %d poses", c->poses.nrow);
        }
    }
    for (int t = 0; t < c->poses.nrow; t++) {
        sal_normalise_pos(m, c->poses.qpos + t * m->nq);
    }
    return SAL_OK;
}

/* Step t, at which a plate is unknown, is an end of what was measured, too. */
static void leave_out_plate(run_inverse *c, int plate, int t)
{
    if (run_plates_cover(&c->plates, c->begin + t * c->h, c->h)) {
        run_steps_add(&c->seen[plate].unknown, t);
    }
    for (int k = 0; k < c->p->nstep; k++) {
        if (abs(k - t) * c->h < RUN_EDGE + c->h / 2) {
            c->left_out[k] = 1;
        }
    }
}

/* Force and moment about the origin of each plate, low-passed like the poses: otherwise what both
 * have of an impact would not be alike, and moments of the hip would be what is left. */
static sal_status smooth_plates(run_inverse *c, sal_err *err)
{
    const int rows = c->p->nstep + 1;
    c->wrench = sal_alloc(6 * (size_t)rows * (size_t)c->plates.n, sizeof(double));
    bool memory = c->wrench != NULL;
    for (int i = 0; i < c->plates.n && memory; i++) {
        double *plate = c->wrench + 6 * (size_t)i * (size_t)rows;
        for (int t = 0; t < rows; t++) {
            run_wrench w;
            double *to = plate + 6 * t, arm[3];
            if (run_inverse_plate(c, i, t, &w)) {
                sal_v3_cross(arm, w.point, w.force);
                sal_v3_copy(to, w.force);
                sal_v3_add(to + 3, w.torque, arm);
            } else {
                leave_out_plate(c, i, t);
                for (int k = 0; k < 6; k++) {
                    to[k] = (double)NAN;
                }
            }
        }
        for (int k = 0; k < 6 && memory; k++) {
            memory = prb_lowpass(plate + k, rows, 6, RUN_LOWPASS * c->h, RUN_LOWPASS_ORDER);
        }
    }
    return memory ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory for the forces of plates");
}

/* Ends, and times at which markers do not tell the pose. */
static sal_status leave_out(run_inverse *c, sal_err *err)
{
    const int n = c->p->nstep;
    c->left_out = sal_alloc((size_t)n, 1);
    for (int t = 0; t < n && c->left_out != NULL; t++) {
        c->left_out[t] = !(t * c->h > RUN_EDGE && (n - t) * c->h > RUN_EDGE);
    }
    return c->left_out != NULL ? run_inverse_unseen(c, RUN_LOWPASS, KINK, err)
                               : sal_fail(err, SAL_NOMEM, "out of memory for %d steps", n);
}

/* The poses that fit all markers best. */
static sal_status fit(run_inverse *c, sal_err *err)
{
    const size_t n = (size_t)c->p->data->nchannel;
    unsigned char *all = sal_alloc(n, 1);
    if (all == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %zu channels", n);
    }
    memset(all, 1, n);
    const sal_status status = prb_track_poses(&c->poses, c->p, all, err);
    sal_free(all);
    return status;
}

static sal_status prepare(run_inverse *c, const char *plates, sal_diag *diag, sal_err *err)
{
    const size_t nv = (size_t)c->m->nv;
    sal_status status = run_plates_read(&c->plates, plates, c->notes, diag, err);
    status = status == SAL_OK ? run_feet_find(c->foot, c->m, err) : status;
    status = status == SAL_OK ? find_floor(c, err) : status;
    status = status == SAL_OK ? sal_model_copy(&c->bare, c->m, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    c->bare->opt.disable |= SAL_DSBL_CONTACT | SAL_DSBL_LIMIT;
    c->bare->opt.timestep = c->h;
    c->window = sal_alloc(3 * (size_t)c->m->nq, sizeof(double));
    c->push = sal_alloc(5 * nv, sizeof(double));
    c->scratch = c->push == NULL ? NULL : c->push + nv;
    if (c->window == NULL || c->push == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for poses");
    }
    status = sal_data_new(&c->d, c->bare, err);
    return status == SAL_OK ? begin_result(c, err) : status;
}

static sal_status compute(run_inverse *c, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int t = 0; t < c->r->nstep && status == SAL_OK; t++) {
        status = step(c, t, err);
        if (t == 0) {
            memcpy(c->r->qpos_before, c->window, (size_t)c->m->nq * sizeof(double));
        }
    }
    status = status == SAL_OK ? last_row(c, err) : status;
    prb_result_find_extremes(c->r);
    return status;
}

/* The problem, but for its first guess */
static sal_status read_problem(sal_problem **p, const char *text, sal_err *err)
{
    sal_problem as_written = {0};
    *p = NULL;
    sal_status status = prb_result_text(&as_written.problem_xml, text, strlen(text), err);
    status = status == SAL_OK ? prb_result_text(&as_written.path, "problem", 7, err) : status;
    status = status == SAL_OK ? prb_problem_again(p, &as_written, NULL, 0, false, err) : status;
    sal_free(as_written.problem_xml);
    sal_free(as_written.path);
    return status;
}

sal_status sal_plates_inverse(sal_result **result, sal_text *notes, const char *problem,
                              const char *plates, sal_diag *diag, sal_err *err)
{
    run_inverse c = {.notes = notes};
    sal_problem *p = NULL;
    *result = NULL;
    sal_status status = read_problem(&p, problem, err);
    if (status == SAL_OK) {
        c.p = p;
        c.m = p->model;
        c.h = p->duration / p->nstep;
        c.begin = p->data->recording[0].start;
        status = prepare(&c, plates, diag, err);
    }
    status = status == SAL_OK ? fit(&c, err) : status;
    status = status == SAL_OK ? leave_out(&c, err) : status;
    status = status == SAL_OK ? smooth(&c, err) : status;
    status = status == SAL_OK ? smooth_plates(&c, err) : status;
    status = status == SAL_OK ? run_inverse_stance(&c, err) : status;
    status = status == SAL_OK ? compute(&c, err) : status;
    if (status == SAL_OK) {
        status = run_inverse_tell(&c, err);
    }
    if (status == SAL_OK) {
        status = notes->failed ? sal_fail(err, SAL_NOMEM, "out of memory for notes") : status;
    }
    if (status == SAL_OK) {
        *result = c.r;
    } else {
        sal_result_free(c.r);
    }
    run_plates_clear(&c.plates);
    prb_states_clear(&c.poses);
    sal_free(c.window);
    sal_free(c.push);
    sal_free(c.wrench);
    sal_free(c.left_out);
    sal_free(c.stands);
    sal_data_free(c.d);
    sal_model_free(c.bare);
    sal_problem_free(p);
    return status;
}
