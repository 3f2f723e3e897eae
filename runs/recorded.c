/* recorded.c: a recording beside the motion that follows it, over all steps. */
#include "runs/recorded.h"

#include "base/house.h"
#include "guide/guide.h"
#include "problems/touch.h"
#include "problems/transcribe.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CARRIES = 0.1;    /* of the weight: what stands is asked for so much */
static const double SHARE = 0.99;     /* of the steps */
static const double ROOT_FAULT = 0.2; /* of the weight: less is within what filters leave */
enum { LINES_MOST = 6 };

typedef struct collect {
    sal_recorded_figures *to;
    const sal_result *r;
    /* [nstep] m: how deep */
    double *depth;
    double squares, hover, load, sliding;
    int ncarry;
} collect;

static void peak(sal_recorded_peak *p, double value, const char *joint, double time)
{
    if (!(value <= p->value)) {
        *p = (sal_recorded_peak){value, joint, time};
    }
}

/* ---- one step ---- */

static void add_instant(collect *c, const run_instant *now, int t)
{
    const double time = c->r->time[t];
    const bool floor = now->lowest < DBL_MAX;
    char text[SAL_LABEL_MAX];
    c->squares += now->root * now->root;
    peak(&c->to->root_most, now->root, NULL, time);
    c->depth[t] = floor ? fmax(0, -now->lowest) : 0;
    peak(&c->to->depth_most, c->depth[t], NULL, time);
    if (now->inside > c->to->inside.value) {
        peak(&c->to->inside, now->inside, NULL, time);
        for (int i = 0; i < 2; i++) {
            const int body = c->r->model->geom_bodyid[now->geom[i]];
            const char *name = prb_short_name(c->r->model, SAL_OBJ_BODY, body, text);
            snprintf(c->to->pair[i], SAL_LABEL_MAX, "%s", name);
        }
    }
    if (floor && now->asked > CARRIES) {
        c->ncarry++;
        c->hover += fmax(0, now->lowest);
        peak(&c->to->hover_most, fmax(0, now->lowest), NULL, time);
    }
    c->load += now->load;
    c->sliding += now->sliding;
}

/* The forces of joints, over what their actuators can give. */
static void add_forces(collect *c, const double *force, int t)
{
    const sal_model *m = c->r->model;
    for (int i = 0; i < m->nu; i++) {
        const double limit = sal_actuator_limit(m, i);
        if (m->actuator_trntype[i] == SAL_TRN_JOINT && isfinite(limit)) {
            const int joint = m->actuator_trnid[i];
            const double gear = m->actuator_gear[6 * i];
            const double share = fabs(force[m->jnt_dofadr[joint]] / gear) / limit;
            peak(&c->to->load, share, sal_model_name(m, SAL_OBJ_JOINT, joint), c->r->time[t]);
        }
    }
}

static void finish(collect *c)
{
    const int n = c->r->nstep;
    sal_sort(c->depth, n);
    c->to->depth = c->depth[(int)(SHARE * (n - 1))];
    c->to->root = sqrt(c->squares / n);
    c->to->hover = c->ncarry == 0 ? 0 : c->hover / c->ncarry;
    c->to->hover_most.value = fmax(0, c->to->hover_most.value);
    c->to->slip = c->load > 0 ? c->sliding / c->load : 0;
}

static collect begin(sal_recorded_figures *to, const sal_result *r, double *depth)
{
    *to = (sal_recorded_figures){
        .root_most.value = -1, .depth_most.value = -1, .hover_most.value = -1, .load.value = -1};
    return (collect){.to = to, .r = r, .depth = depth};
}

/* ---- the recording ---- */

/* A line for each stretch of steps at which the root is not explained. */
static void tell_root(sal_recorded *c, const sal_result *r, const double *root)
{
    int lines = 0, more = 0;
    for (int t = 0; t < r->nstep; t++) {
        double most = 0;
        const int first = t;
        for (; t < r->nstep && root[t] > ROOT_FAULT; t++) {
            most = fmax(most, root[t]);
        }
        if (t > first && lines++ < LINES_MOST) {
            sal_text_format(&c->impossible,
                            "root: %.2f to %.2f s: up to %.2g of the weight more than the floor "
                            "can give\n",
                            r->time[first], r->time[t - 1] + r->timestep, most);
        } else if (t > first) {
            more++;
        }
    }
    if (more > 0) {
        sal_text_format(&c->impossible, "root: the same in %d other stretch%s\n", more,
                        more == 1 ? "" : "es");
    }
}

/* A line for each actuator that cannot give what is asked of its joint. */
static void tell_joints(sal_recorded *c, const sal_result *r, const double *most, const int *when)
{
    const sal_model *m = r->model;
    for (int i = 0; i < m->nu; i++) {
        const double limit = sal_actuator_limit(m, i);
        if (most[i] > limit) {
            const int joint = m->actuator_trnid[i];
            const double gear = fabs(m->actuator_gear[6 * i]);
            sal_text_format(&c->impossible, "%s: %.3g %s at %.2f s, its actuator gives %.3g\n",
                            sal_model_name(m, SAL_OBJ_JOINT, joint), gear * most[i],
                            m->jnt_type[joint] == SAL_JNT_SLIDE ? "N" : "N m", r->time[when[i]],
                            gear * limit);
        }
    }
}

/* m/s: of the root along x or y, in the mean */
static double travel_of(const run_recording *w, int axis)
{
    const sal_result *r = w->r;
    const int k = w->root.place[axis];
    if (k < 0) {
        return 0;
    }
    const double *first = r->qpos_recorded + k, *last = first + r->nstep * w->m->nq;
    return w->root.along[axis] * (*last - *first) / (r->nstep * r->timestep);
}

/* A line if what stands moves backwards. */
static sal_status tell_belt(sal_recorded *c, const run_recording *w, const prb_step *step,
                            sal_err *err)
{
    const sal_result *r = w->r;
    const size_t n = (size_t)r->nstep;
    prb_foothold *foothold = sal_alloc(n, sizeof *foothold);
    double walk[2], *height = sal_alloc(n, sizeof *height);
    sal_status status = SAL_OK;
    if (foothold == NULL || height == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the feet of a recording");
    } else if (w->root.body > 0) {
        double travel[2];
        for (int i = 0; i < 2; i++) {
            travel[i] = travel_of(w, i);
        }
        if (prb_belt_of_steps(walk, step, r->nstep, travel, foothold, height)) {
            sal_text_format(
                &c->impossible,
                "feet that stand move at (%.2f, %.2f) m/s, while the body does not go "
                "along: if it was recorded on a belt, set belt=\"%.2f %.2f\" in <data>\n",
                0. - walk[0], 0. - walk[1], walk[0], walk[1]);
        }
    }
    sal_free(foothold);
    sal_free(height);
    return status;
}

static void note_force(const run_recording *w, int t, double *most, int *when)
{
    const sal_model *m = w->m;
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_trntype[i] == SAL_TRN_JOINT) {
            const int dof = m->jnt_dofadr[m->actuator_trnid[i]];
            const double force = fabs(w->force[dof] / m->actuator_gear[6 * i]);
            when[i] = force > most[i] ? t : when[i];
            most[i] = fmax(most[i], force);
        }
    }
}

static sal_status measure_recording(sal_recorded *c, run_recording *w, double *asked, sal_err *err)
{
    const sal_result *r = w->r;
    const size_t n = (size_t)r->nstep, nu = (size_t)w->m->nu + 1;
    double *depth = sal_alloc(2 * n, sizeof *depth), *most = sal_alloc(nu, sizeof *most);
    int *when = sal_alloc(nu, sizeof *when);
    prb_step *step = sal_alloc(n, sizeof *step);
    sal_status status = SAL_OK;
    if (depth == NULL || most == NULL || when == NULL || step == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the figures of a recording");
        goto done;
    }
    collect sum = begin(&c->recording, r, depth);
    double *root = depth + n;
    memset(most, 0, nu * sizeof *most);
    memset(when, 0, nu * sizeof *when);
    for (int t = 0; t < r->nstep && status == SAL_OK; t++) {
        run_instant now;
        status = run_recording_at(w, r->qpos_recorded, t, &now, err);
        if (status == SAL_OK) {
            add_instant(&sum, &now, t);
            add_forces(&sum, w->force, t);
            note_force(w, t, most, when);
            root[t] = now.root;
            asked[t] = now.asked;
            step[t] = now.step;
            step[t].at = r->time[t];
        }
    }
    status = status == SAL_OK ? tell_belt(c, w, step, err) : status;
    if (status == SAL_OK) {
        tell_root(c, r, root);
        tell_joints(c, r, most, when);
        finish(&sum);
    }
done:
    sal_free(depth);
    sal_free(most);
    sal_free(when);
    sal_free(step);
    return status;
}

/* ---- the motion found ---- */

/* Largest part of force and torque that nothing gives, and what the floor carries, of one row. */
static run_instant instant_of(const run_recording *w, int t)
{
    const sal_result *r = w->r;
    const sal_model *m = w->m;
    run_instant now = {.lowest = DBL_MAX};
    for (int i = 0; i < m->nv; i++) {
        now.root = fmax(now.root, fabs(r->qfrc_unactuated[t * m->nv + i]) / w->weight);
    }
    for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
        const int a = r->contact_geom[2 * k], b = r->contact_geom[2 * k + 1];
        const bool floor =
            m->body_weldid[m->geom_bodyid[a]] == 0 || m->body_weldid[m->geom_bodyid[b]] == 0;
        const double N = r->contact_force[6 * k];
        if (prb_are_of_a_tree(m, a, b) && -r->contact_dist[k] > now.inside) {
            now.inside = -r->contact_dist[k];
            now.geom[0] = a, now.geom[1] = b;
        }
        if (floor && N > 0) {
            now.load += N;
            now.sliding += N * r->contact_slip[k];
            now.lowest = fmin(now.lowest, r->contact_dist[k]);
        }
    }
    return now;
}

static sal_status measure_found(sal_recorded *c, run_recording *w, const double *asked,
                                sal_err *err)
{
    const sal_result *r = w->r;
    double *depth = sal_alloc((size_t)r->nstep, sizeof *depth);
    if (depth == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the figures of a motion");
    }
    collect sum = begin(&c->found, r, depth);
    for (int t = 0; t < r->nstep; t++) {
        run_instant now = instant_of(w, t);
        now.asked = now.lowest < DBL_MAX ? asked[t] : 0;
        add_instant(&sum, &now, t);
        add_forces(&sum, r->qfrc_actuator + t * w->m->nv, t);
    }
    finish(&sum);
    sal_free(depth);
    return SAL_OK;
}

/* ---- how far one is from the other ---- */

/* The poses found, seen from those recorded: of each dof [nv] the sum of squares, the largest, and
 * when that is. */
typedef struct differences {
    double *square, *most, *when;
} differences;

/* In memory of the steps' forces, which are done with. */
static differences differ(const run_recording *w)
{
    const sal_result *r = w->r;
    const int nv = w->m->nv, nq = w->m->nq;
    const differences d = {w->force, w->qacc, w->qacc + nv};
    for (int i = 0; i < nv; i++) {
        d.square[i] = d.when[i] = 0;
        d.most[i] = -1;
    }
    for (int t = 0; t <= r->nstep; t++) {
        sal_differentiate_pos(w->m, w->qvel, 1, r->qpos_recorded + t * nq, r->qpos + t * nq);
        for (int i = 0; i < nv; i++) {
            const double by = fabs(w->qvel[i]);
            d.square[i] += by * by;
            d.when[i] = by > d.most[i] ? r->time[t] : d.when[i];
            d.most[i] = fmax(d.most[i], by);
        }
    }
    return d;
}

/* Root mean squares of the root, m and rad */
static void add_root(sal_recorded *c, const run_recording *w, const differences *d, double rows)
{
    const sal_model *m = w->m;
    double place = 0, turn = 0;
    for (int i = w->root.dof; i < w->root.dof + w->root.ndof; i++) {
        const int joint = m->dof_jntid[i], type = m->jnt_type[joint];
        const bool length =
            type == SAL_JNT_FREE ? i - m->jnt_dofadr[joint] < 3 : type == SAL_JNT_SLIDE;
        *(length ? &place : &turn) += d->square[i];
    }
    const bool carried = w->root.body > 0;
    c->place = carried ? sqrt(place / rows) : (double)NAN;
    c->turn = carried ? sqrt(turn / rows) : (double)NAN;
}

static void deviation(sal_recorded *c, const run_recording *w)
{
    const sal_model *m = w->m;
    const differences d = differ(w);
    const double rows = w->r->nstep + 1;
    double joints = 0;
    int n = 0;
    c->joint_most = (sal_recorded_peak){.value = -1};
    for (int j = 0; j < m->njnt; j++) {
        const int i = m->jnt_dofadr[j];
        const bool of_root = w->root.body > 0 && m->jnt_bodyid[j] == w->root.body;
        if (m->jnt_type[j] == SAL_JNT_HINGE && !of_root) {
            joints += d.square[i] / rows;
            n++;
            peak(&c->joint_most, sqrt(d.square[i] / rows), sal_model_name(m, SAL_OBJ_JOINT, j),
                 d.when[i]);
        }
    }
    c->joints = n == 0 ? 0 : sqrt(joints / n);
    add_root(c, w, &d, rows);
}

sal_status sal_recorded_compare(sal_recorded *c, bool *known, const sal_result *r, sal_err *err)
{
    run_recording w;
    *c = (sal_recorded){0};
    *known = r->qpos_recorded != NULL && r->weight > 0 && r->nstep > 2;
    if (!*known) {
        return SAL_OK;
    }
    double *asked = sal_alloc((size_t)r->nstep, sizeof *asked);
    sal_status status = run_recording_begin(&w, r, err);
    if (status == SAL_OK && asked == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the figures of a recording");
    }
    status = status == SAL_OK ? measure_recording(c, &w, asked, err) : status;
    status = status == SAL_OK ? measure_found(c, &w, asked, err) : status;
    if (status == SAL_OK) {
        deviation(c, &w);
        c->markers = r->marker_fit.rms;
        c->marker_most = r->marker_fit.worst;
        memcpy(c->marker, r->marker_fit.site, sizeof c->marker);
    }
    run_recording_end(&w);
    sal_free(asked);
    return status;
}

void sal_recorded_clear(sal_recorded *c)
{
    sal_text_clear(&c->impossible);
}
