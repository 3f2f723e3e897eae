/* guess.c: where a search begins: the initial pose, or a motion, moved along the travel, shaken,
 * and set on the floor.
 *
 *     q_k = the guess at k/N of the duration, moved by k/N of the travel that it lacks, each joint
 *         that is not the root's (+) uniform noise;
 *     then the root is lifted or lowered until the lowest geom just touches the floor.
 */
#include "base/house.h"
#include "problems/floor.h"
#include "problems/states.h"
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

/* Whether the actuator moves the joint, itself or by a tendon. */
static bool moves(const sal_model *m, int a, int joint)
{
    const int type = m->actuator_trntype[a];
    bool any = type == SAL_TRN_JOINT && m->actuator_trnid[a] == joint;
    for (int k = m->moment_rowadr[a]; k < m->moment_rowadr[a] + m->moment_rownnz[a]; k++) {
        any = any || (type == SAL_TRN_TENDON && m->dof_jntid[m->moment_colind[k]] == joint);
    }
    return any;
}

/* The root: joints of a child of the world that no actuator moves. */
static bool is_root(const sal_model *m, int joint)
{
    bool actuated = false;
    for (int a = 0; a < m->nu; a++) {
        actuated = actuated || moves(m, a, joint);
    }
    return !actuated && m->body_parentid[m->jnt_bodyid[joint]] == 0;
}

static void shake(const sal_model *m, double *q, double *e, double noise, sal_rng *rng)
{
    for (int i = 0; i < m->nv; i++) {
        const double u = sal_rng_uniform(rng, -noise, noise);
        e[i] = is_root(m, m->dof_jntid[i]) ? 0 : u;
    }
    sal_integrate_pos(m, q, q, e, 1);
}

/* What the pinned joints of an end lack at the pose q there; zero for the others. */
static void gap_at(const sal_problem *p, const prb_endpoint *end, const double *q, double *gap)
{
    const sal_model *m = p->model;
    sal_differentiate_pos(m, gap, 1, q, end->qpos);
    for (int i = 0; i < m->nv; i++) {
        gap[i] *= end->pos[m->dof_jntid[i]];
    }
}

static void add_scaled(double *sum, double factor, const double *e, int n)
{
    for (int i = 0; i < n; i++) {
        sum[i] += factor * e[i];
    }
}

/* The motion or the pose that is guessed, at a share of the duration. */
static void guessed(const prb_transcription *tr, const sal_problem *p, double share, double *q,
                    double *scratch)
{
    if (p->init_states != NULL) {
        prb_states_at(p->init_states, p->model, share, q, NULL, scratch);
    } else {
        memcpy(q, tr->pose, (size_t)p->model->nq * sizeof(double));
    }
}

/* q(s) of the guess, s = k/N; in a cycle it is moved along so that it travels as far as the motion
 * does, in an open motion bent so that it
 * meets what is pinned:   q(s) (+) (1 - s) (start (-) q(0)) + s (end (-) q(1)) */
static void base_pose(const prb_transcription *tr, const sal_problem *p, int k, double *q,
                      double *e)
{
    const sal_model *m = p->model;
    const double share = (double)k / tr->p->nstep;
    double *sum = e + 4 * m->nv, *at_end = sum + m->nv;
    if (p->boundary == PRB_OPEN) {
        memset(sum, 0, (size_t)m->nv * sizeof *sum);
        for (int side = 0; side < 2; side++) {
            const prb_endpoint *end = side == 0 ? &p->start : &p->end;
            if (end->pos != NULL) {
                guessed(tr, p, side, at_end, e);
                gap_at(p, end, at_end, e);
                add_scaled(sum, side == 0 ? 1 - share : share, e, m->nv);
            }
        }
        guessed(tr, p, share, at_end, e);
        sal_integrate_pos(m, q, at_end, sum, 1);
        return;
    }
    guessed(tr, p, share, q, e);
    if (p->image->turning >= 0) { /* its own arc off, the motion's on */
        sal_image_apply_arc(p->image, m, at_end, q, -1, share * p->init_travel,
                            share * p->init_turn);
        sal_image_apply_arc(p->image, m, q, at_end, 1, share * tr->length, share * tr->turn);
        return;
    }
    for (int i = 0; i < m->nq; i++) {
        q[i] += p->image->travel[i] * share * (tr->length - p->init_travel);
    }
}

sal_status prb_guess_pose(const sal_problem *p, double *pose, sal_err *err)
{
    sal_model *wide = NULL;
    sal_data *d = NULL;
    memcpy(pose, p->init_qpos, (size_t)p->model->nq * sizeof(double));
    if (!p->init_ground) {
        return SAL_OK;
    }
    sal_status status = sal_model_copy(&wide, p->model, err);
    if (status == SAL_OK) {
        status = sal_data_new(&d, p->model, err);
    }
    if (status == SAL_OK) {
        prb_ground_see(wide);
        status = prb_floor_set(wide, d, pose, err);
    }
    sal_data_free(d);
    sal_model_free(wide);
    return status;
}

/* Height and slopes as they were where the motion is from, the height at the centre of now. */
static void guess_floor(const sal_problem *p, const int *global, double *x)
{
    const prb_recorded_floor *floor = &p->init_floor;
    double height = isfinite(floor->height) ? floor->height : 0;
    for (int i = 0; i < 2; i++) {
        const bool known = global[PRB_GLOBAL_SLOPE] >= 0 && isfinite(floor->slope[i]);
        x[PRB_GLOBAL_SLOPE + i] = known ? floor->slope[i] : 0;
        height += known ? floor->slope[i] * (p->floor_centre[i] - floor->centre[i]) : 0;
    }
    x[PRB_GLOBAL_FLOOR] = global[PRB_GLOBAL_FLOOR] < 0 ? 0 : height;
}

sal_status prb_guess_like(prb_transcription *tr, const sal_problem *p, double *x,
                          unsigned long seed, sal_err *err)
{
    const sal_model *m = p->model;
    const prb_layout_of_motion *layout = &tr->layout;
    const int globals = layout->globals;
    sal_rng rng = {seed};
    sal_model *wide = NULL;
    sal_data *d = NULL;
    double *e = sal_alloc(5 * (size_t)m->nv + (size_t)m->nq, sizeof(double));
    sal_status status = e == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for the first guess")
                                  : sal_model_copy(&wide, m, err);
    status = status == SAL_OK ? sal_data_new(&d, m, err) : status;
    if (status != SAL_OK) {
        goto done;
    }
    prb_ground_see(wide);
    const double range[2] = {log(p->duration_range[0]), log(p->duration_range[1])};
    const int *global = layout->global;
    x[globals + PRB_GLOBAL_DURATION] =
        global[PRB_GLOBAL_DURATION] < 0 ? 0 : prb_bounded_inverse(range, log(p->duration));
    x[globals + PRB_GLOBAL_TRAVEL] =
        global[PRB_GLOBAL_TRAVEL] < 0 ? 0 : prb_bounded_inverse(p->travel_range, p->travel_value);
    x[globals + PRB_GLOBAL_TURN] =
        global[PRB_GLOBAL_TURN] < 0 ? 0 : prb_bounded_inverse(p->turn_range, p->image->turn);
    guess_floor(p, global, x + globals);
    for (int i = 0; i < 3 * p->noffset; i++) {
        x[layout->offsets + i] = p->init_offset[i];
    }
    tr->turn = p->image == NULL ? 0 : p->image->turn;
    tr->length = p->travel == PRB_TRAVEL_SPEED ? p->travel_value * p->duration : p->travel_value;
    for (int k = 0; k < layout->nslot && status == SAL_OK; k++) {
        if (layout->slot[k].block >= 0 && layout->slot[k].image == 0) {
            double *q = x + layout->slot[k].block * m->nq;
            base_pose(tr, p, k - 1, q, e);
            shake(m, q, e, p->init_noise, &rng);
            if (k == 1 && p->image != NULL && p->image->turning >= 0) { /* where the arc begins */
                memcpy(q + m->jnt_qposadr[p->image->turning], p->image->place,
                       sizeof p->image->place);
            }
            status = p->init_ground ? prb_floor_set(wide, d, q, err) : SAL_OK;
        }
    }
    if (status == SAL_OK) {
        prb_transcription_place(tr, x);
        status = prb_inputs_guess(tr, p->optim.softness, x, err);
    }
done:
    sal_free(e);
    sal_data_free(d);
    sal_model_free(wide);
    return status;
}

sal_status prb_guess_near(const prb_transcription *tr, double *x, const double *from, double noise,
                          unsigned long seed, sal_err *err)
{
    const prb_layout_of_motion *layout = &tr->layout;
    sal_rng rng = {seed};
    double *d = sal_alloc((size_t)layout->nvar, sizeof *d);
    if (d == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a guess");
    }
    for (int i = 0; i < layout->nblock * tr->model->nv; i++) {
        if (layout->variable[i] >= 0) {
            d[layout->variable[i]] = sal_rng_uniform(&rng, -noise, noise);
        }
    }
    tr->nls.retract(tr->nls.ctx, x, from, d);
    sal_free(d);
    return SAL_OK;
}

sal_status prb_guess(prb_transcription *tr, double *x, unsigned long seed, sal_err *err)
{
    return prb_guess_like(tr, tr->p, x, seed, err);
}

void prb_problem_begin(sal_problem *p, prb_states *states, double travel, double turn,
                       const prb_recorded_floor *floor)
{
    p->init_states = states;
    p->init_noise = 0;
    p->init_ground = false;
    p->init_travel = travel;
    p->init_turn = turn;
    p->init_floor = *floor;
    p->nstart = 1;
    p->nmore = 0;
    p->once = true;
    if (p->image != NULL) {
        p->image->turn = turn;
    }
    if (p->travel == PRB_TRAVEL_FREE) {
        p->travel_value = travel;
    }
}
