/* kinematics.c: the poses that fit a recording best: inverse kinematics. Of all steps t at once,
 *
 *     min  sum_t [ sum_channels norm((y(q_t) - measured)/sigma) + 1/2 |q_t (-) pose|^2/far^2 ] +
 *          sum_t 1/2 |q_t (-) q_{t-1}|^2/near^2
 *
 * far holds what no channel sees, the root excepted, where the pose of <init> has it; near carries
 * a pose over steps at which channels say nothing: where the angle of a joint is missing for a
 * while, it alone, so that the joint goes straight from where it was last seen to where it is seen
 * again. Both are so wide that they do not count beside a measurement: 300 and 50 times the largest
 * sigma, and at least 3 and .5.
 */
#include "problems/recordings/read_states.h"
#include "problems/recordings/track.h"

#include <math.h>
#include <string.h>

static const double far_from_pose = 3, near_last = 0.5; /* rad, m: beside a sigma of */
static const double usual_sigma = 0.01;                 /* rad, m */
static const double reach = 0.3;                        /* rad, m: of a step of the search */
enum { MOST_STEPS = 100 };

typedef struct kinematics {
    const sal_problem *p;
    const sal_model *m;
    sal_data *d;
    const unsigned char *chosen;
    int nframe, nvalue, nq, nv;
    double *value;        /* [nframe x nvalue] measured */
    unsigned char *known; /* [nframe x nchannel] */
    bool *carried;        /* [nframe x nv] near alone holds the dof: its angle is missing here */
    double *x;            /* [nframe x nq] */
    double *r, *J;        /* residual and rows of a channel; J also of three poses in a row */
    double *jac, *scratch;
    double far, near;
} kinematics;

/* ---- one channel at one pose ---- */

/* Rows i of J that are the derivative of a point, by its matrix [3 x nv] */
static void residual_place(const kinematics *k, const double *at, const double *measured,
                           const double *sigma, const double *jac)
{
    for (int i = 0; i < 3; i++) {
        k->r[i] = (at[i] - measured[i]) / sigma[i];
        for (int j = 0; j < k->nv && jac != NULL; j++) {
            k->J[i * k->nv + j] = jac[i * k->nv + j] / sigma[i];
        }
    }
}

/* w = log(measured* q);  dw = J(w) R(q)' omega dt, omega in the world */
static void residual_turn(const kinematics *k, int body, const double *measured,
                          const double *sigma, const double *jac)
{
    const double *R = k->d->xmat + 9 * body;
    double back[4], turn[4], w[3], slope[9], spin[9];
    sal_quat_conj(back, measured);
    sal_quat_mul(turn, back, k->d->xquat + 4 * body);
    sal_quat_log(w, turn);
    sal_quat_log_deriv(slope, w);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            spin[3 * i + j] = slope[3 * i] * R[3 * j] + slope[3 * i + 1] * R[3 * j + 1] +
                              slope[3 * i + 2] * R[3 * j + 2];
        }
        k->r[3 + i] = w[i] / sigma[3 + i];
        for (int j = 0; j < k->nv && jac != NULL; j++) {
            double sum = 0;
            for (int l = 0; l < 3; l++) {
                sum += spin[3 * i + l] * jac[(3 + l) * k->nv + j];
            }
            k->J[(3 + i) * k->nv + j] = sum / sigma[3 + i];
        }
    }
}

/* r and, if asked for, J of a channel at the pose of k->d, of a joint its slope by its own dof; how
 * many numbers, 0: it is not about poses. */
static int residual(const kinematics *k, const prb_channel *c, const double *measured, bool slopes)
{
    double *jac = slopes ? k->jac : NULL;
    const sal_data *d = k->d;
    if (c->kind == PRB_CHANNEL_SITE) {
        if (slopes) {
            sal_jac_site(k->m, d, jac, NULL, c->id);
        }
        residual_place(k, d->site_xpos + 3 * c->id, measured, c->sigma, jac);
    } else if (c->kind == PRB_CHANNEL_BODY) {
        if (slopes) {
            sal_jac_body(k->m, d, jac, jac + 3 * k->nv, c->id);
        }
        residual_place(k, d->xpos + 3 * c->id, measured, c->sigma, jac);
        if (c->nres == 6) {
            residual_turn(k, c->id, measured + 3, c->sigma, jac);
        }
    } else {
        k->r[0] = (d->qpos[k->m->jnt_qposadr[c->id]] - measured[0]) / c->sigma[0];
        k->J[0] = 1 / c->sigma[0];
    }
    return c->nres;
}

static bool is_about_poses(const prb_channel *c)
{
    return c->kind == PRB_CHANNEL_SITE || c->kind == PRB_CHANNEL_BODY ||
           (c->kind == PRB_CHANNEL_JOINT && c->n == 1 && c->order == 0);
}

/* ---- all of them ---- */

static const double *frame(const kinematics *k, const double *x, int t)
{
    return x + (size_t)t * (size_t)k->nq;
}

static void pose(const kinematics *k, const double *q)
{
    memcpy(k->d->qpos, q, (size_t)k->nq * sizeof *q);
    sal_kinematics(k->m, k->d);
    sal_com(k->m, k->d);
}

static const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};

/* 1/far; 0: the pose of <init> says nothing of this dof. */
static double weight_of_pose(const kinematics *k, int t, int dof)
{
    const bool root = k->m->jnt_type[k->m->dof_jntid[dof]] == SAL_JNT_FREE;
    return root || k->carried[t * k->nv + dof] ? 0 : 1 / k->far;
}

/* The two that only settle what nothing else does: r [nv] of step t, false where there is none. */
static bool settle(const kinematics *k, const double *x, int t, bool last, double *r)
{
    if (last && t == 0) {
        return false;
    }
    const double *from = last ? frame(k, x, t - 1) : k->p->init_qpos;
    sal_differentiate_pos(k->m, r, 1, from, frame(k, x, t));
    for (int i = 0; i < k->nv; i++) {
        r[i] *= last ? 1 / k->near : weight_of_pose(k, t, i);
    }
    return true;
}

/* Slopes [nv x width] of it: d r = d q_t/far, or (d q_t - d q_{t-1})/near, but for turns within a
 * step. */
static void settle_slopes(const kinematics *k, int t, bool last)
{
    double *slope = k->J;
    for (int i = 0; i < k->nv; i++) {
        if (last) {
            *slope++ = -1 / k->near;
        }
        *slope++ = last ? 1 / k->near : weight_of_pose(k, t, i);
    }
}

static void add_settled(const kinematics *k, int last, int t, sal_normal *a)
{
    const int width = 1 + last;
    settle_slopes(k, t, last == 1);
    for (int at = 0; at < k->nv; at += SAL_NORMAL_MOST) {
        const int n = k->nv - at < SAL_NORMAL_MOST ? k->nv - at : SAL_NORMAL_MOST;
        sal_normal_add_alone(a, &quadratic, 1, n, k->scratch + at,
                             &(sal_slopes_alone){k->J + at * width, t - last, width, at});
    }
}

/* A channel that is known at step t, at the pose of k->d: its cost, and with `a` its
 * linearisation */
static double add_channel(const kinematics *k, const prb_channel *channel, const double *measured,
                          int t, sal_normal *a)
{
    const int n = residual(k, channel, measured, a != NULL);
    if (a != NULL && channel->kind == PRB_CHANNEL_JOINT) {
        const int dof = k->m->jnt_dofadr[channel->id];
        sal_normal_add_alone(a, &channel->norm, 1, n, k->r, &(sal_slopes_alone){k->J, t, 1, dof});
    } else if (a != NULL) {
        sal_normal_add(a, &channel->norm, 1, n, k->r, &(sal_slopes){k->J, t, 1, NULL});
    }
    return sal_norm_value(&channel->norm, k->r, n);
}

/* The cost of all, or with `a` its linearisation. */
static double walk(const kinematics *k, const double *x, sal_normal *a)
{
    const prb_dataset *data = k->p->data;
    double cost = 0;
    for (int t = 0; t < k->nframe; t++) {
        pose(k, frame(k, x, t));
        for (int c = 0; c < data->nchannel; c++) {
            const prb_channel *channel = &data->channel[c];
            if (!k->known[t * data->nchannel + c]) {
                continue;
            }
            const double *measured = k->value + (size_t)t * (size_t)k->nvalue + channel->adr;
            cost += add_channel(k, channel, measured, t, a);
        }
        for (int last = 0; last < 2; last++) {
            if (!settle(k, x, t, last == 1, k->scratch)) {
                continue;
            }
            cost += sal_norm_value(&quadratic, k->scratch, k->nv);
            if (a != NULL) {
                add_settled(k, last, t, a);
            }
        }
    }
    return cost;
}

/* ---- the search ---- */

static void retract(void *ctx, int member, double *out, const double *x, const double *d)
{
    const kinematics *k = ctx;
    (void)member;
    for (int t = 0; t < k->nframe; t++) {
        sal_integrate_pos(k->m, out + (size_t)t * (size_t)k->nq, frame(k, x, t), d + t * k->nv, 1);
    }
}

static sal_status cost_of_poses(void *ctx, int worker, int member, const double *x, const double *p,
                                double *cost, sal_err *err)
{
    (void)worker, (void)member, (void)p, (void)err;
    *cost = walk(ctx, x, NULL);
    return SAL_OK;
}

static sal_status linearise(void *ctx, int worker, int member, const double *x, const double *p,
                            sal_normal *a, sal_err *err)
{
    (void)worker, (void)member, (void)p, (void)err;
    walk(ctx, x, a);
    return SAL_OK;
}

static sal_status search(kinematics *k, sal_err *err)
{
    const sal_member member = {k->nframe * k->nq, k->nframe, k->nv, 0};
    const sal_joint_nls nls = {.ctx = k,
                               .nmember = 1,
                               .member = &member,
                               .retract = retract,
                               .value = cost_of_poses,
                               .linearise = linearise};
    sal_joint *joint = NULL;
    sal_joint_stage stage;
    sal_joint_result result;
    double none = 0;
    sal_joint_stage_defaults(&stage);
    stage.maxiter = MOST_STEPS;
    stage.cap_x = reach;
    sal_status status = sal_joint_new(&joint, &nls, 1, err);
    if (status == SAL_OK) {
        status = sal_joint_minimise(joint, k->x, &none, &stage, &result, err);
    }
    sal_joint_free(joint);
    return status;
}

/* ---- steps that ended in a minimum of their own ---- */

/* Step t alone; x is its pose. */
static kinematics alone(const kinematics *k, int t, double *x)
{
    kinematics one = *k;
    one.nframe = 1;
    one.value = k->value + (size_t)t * (size_t)k->nvalue;
    one.known = k->known + t * k->p->data->nchannel;
    one.carried = k->carried + t * k->nv;
    one.x = x;
    return one;
}

/* What the channels say of a pose alone, and a little for each of them, beside which differences
 * count. */
static double cost_of_step(void *ctx, int t, const double *x)
{
    const kinematics one = alone(ctx, t, NULL);
    const double little = 1e-3;
    double cost = 0;
    bool known = false;
    pose(&one, x);
    for (int c = 0; c < one.p->data->nchannel; c++) {
        const prb_channel *channel = &one.p->data->channel[c];
        if (one.known[c]) {
            const int n = residual(&one, channel, one.value + channel->adr, false);
            cost += sal_norm_value(&channel->norm, one.r, n) + little;
            known = true;
        }
    }
    return known ? cost : (double)INFINITY;
}

static sal_status search_step(void *ctx, int t, double *x, sal_err *err)
{
    kinematics one = alone(ctx, t, x);
    return search(&one, err);
}

/* An arm that is raised may be found turned the wrong way round, or once more than the arm of the
 * step before: each step begins anew at its neighbour's pose, and if that leads elsewhere, all go
 * on from there. */
static sal_status mend(kinematics *k, sal_err *err)
{
    const sal_row row = {k, k->nframe, (size_t)k->nq, k->x, cost_of_step, search_step};
    bool better;
    sal_status status = sal_row_mend(&row, &better, err);
    return status == SAL_OK && better ? search(k, err) : status;
}

/* ---- where it starts ---- */

/* Sums over the channels of step t that are places, of what the pose says (u) and of what was
 * measured (v); with centres given (not NULL) about these. */
static int gather(const kinematics *k, int t, const double *centre, double u[3], double v[3],
                  double turn[2])
{
    const prb_dataset *data = k->p->data;
    int n = 0;
    turn[0] = turn[1] = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = v[i] = 0;
    }
    for (int c = 0; c < data->nchannel; c++) {
        const prb_channel *channel = &data->channel[c];
        const bool site = channel->kind == PRB_CHANNEL_SITE;
        if (!k->known[t * data->nchannel + c] || (!site && channel->kind != PRB_CHANNEL_BODY)) {
            continue;
        }
        const double *is = site ? k->d->site_xpos + 3 * channel->id : k->d->xpos + 3 * channel->id,
                     *was = k->value + (size_t)t * (size_t)k->nvalue + channel->adr;
        for (int i = 0; i < 3; i++) {
            u[i] += is[i];
            v[i] += was[i];
        }
        if (centre != NULL) {
            const double a[2] = {is[0] - centre[0], is[1] - centre[1]},
                         b[2] = {was[0] - centre[3], was[1] - centre[4]};
            turn[0] += a[0] * b[0] + a[1] * b[1];
            turn[1] += a[0] * b[1] - a[1] * b[0];
        }
        n++;
    }
    return n;
}

/* The pose of the root's body, if that was measured at step t. */
static const double *measured_root(const kinematics *k, int t)
{
    const prb_dataset *data = k->p->data;
    for (int c = 0; c < data->nchannel; c++) {
        const prb_channel *channel = &data->channel[c];
        if (k->known[t * data->nchannel + c] && channel->kind == PRB_CHANNEL_BODY &&
            channel->n == 7 && channel->id == k->m->jnt_bodyid[0]) {
            return k->value + (size_t)t * (size_t)k->nvalue + channel->adr;
        }
    }
    return NULL;
}

/* The pose of <init> with its root where it was measured; else with its root turned about the
 * vertical and moved so that its places are, as a whole, where they were measured: angle
 * atan2(sum a x b, sum a . b) about the means. One or two places do not tell the angle; without any
 * it is where it was at the step before. The steps of the search are short: what starts far away
 * does not arrive. */
static void place_root(const kinematics *k, int t, double *q)
{
    const sal_model *m = k->m;
    double centre[6], turn[2], none[2], by[4] = {1, 0, 0, 0}, moved[3], turned[4];
    const double up[3] = {0, 0, 1};
    pose(k, k->p->init_qpos);
    const int n = gather(k, t, NULL, centre, centre + 3, none);
    if (m->njnt == 0 || m->jnt_type[0] != SAL_JNT_FREE || (n == 0 && t == 0)) {
        return;
    }
    const double *root = n == 0 ? q - k->nq : measured_root(k, t);
    if (root != NULL) {
        memcpy(q, root, 7 * sizeof *q);
        return;
    }
    double u[3], v[3];
    for (int i = 0; i < 6; i++) {
        centre[i] /= n;
    }
    if (n >= 3) {
        gather(k, t, centre, u, v, turn);
        sal_quat_axisangle(by, up, atan2(turn[1], turn[0]));
    }
    const double arm[3] = {q[0] - centre[0], q[1] - centre[1], q[2] - centre[2]};
    sal_quat_rotate(moved, by, arm);
    sal_quat_mul(turned, by, q + 3);
    for (int i = 0; i < 3; i++) {
        q[i] = centre[3 + i] + moved[i];
    }
    sal_quat_copy(q + 3, turned);
}

/* Hinges and slides that were measured at step t: wheels go as far as they like. */
static void set_joints(const kinematics *k, int t, double *q)
{
    const prb_dataset *data = k->p->data;
    for (int c = 0; c < data->nchannel; c++) {
        const prb_channel *channel = &data->channel[c];
        if (k->known[t * data->nchannel + c] && channel->kind == PRB_CHANNEL_JOINT) {
            q[k->m->jnt_qposadr[channel->id]] =
                k->value[(size_t)t * (size_t)k->nvalue + (size_t)channel->adr];
        }
    }
}

/* What was measured at each step, and the poses to begin with. */
static int prepare(kinematics *k)
{
    const prb_dataset *data = k->p->data;
    int count = 0;
    for (int t = 0; t < k->nframe; t++) {
        double *q = k->x + (size_t)t * (size_t)k->nq;
        for (int c = 0; c < data->nchannel; c++) {
            const prb_channel *channel = &data->channel[c];
            double *measured = k->value + (size_t)t * (size_t)k->nvalue + channel->adr;
            const bool known =
                k->chosen[c] && is_about_poses(channel) &&
                prb_track_at(data, channel, t * k->p->duration / k->p->nstep, measured);
            k->known[t * data->nchannel + c] = known;
            count += known;
        }
        memcpy(q, k->p->init_qpos, (size_t)k->nq * sizeof *q);
        place_root(k, t, q);
        set_joints(k, t, q);
    }
    return count;
}

/* Of joint channel c: where its angle is missing, it is carried on from where it was last seen. */
static void carry(kinematics *k, int c)
{
    const int nchannel = k->p->data->nchannel, joint = k->p->data->channel[c].id,
              dof = k->m->jnt_dofadr[joint], adr = k->m->jnt_qposadr[joint];
    bool seen = false;
    for (int t = 0; t < k->nframe; t++) {
        seen = seen || k->known[t * nchannel + c];
    }
    for (int t = 0; t < k->nframe && seen; t++) {
        const bool missing = !k->known[t * nchannel + c];
        k->carried[t * k->nv + dof] = missing;
        if (missing && t > 0) {
            k->x[t * k->nq + adr] = k->x[(t - 1) * k->nq + adr];
        }
    }
}

static void carry_joints(kinematics *k)
{
    for (int c = 0; c < k->p->data->nchannel; c++) {
        if (k->p->data->channel[c].kind == PRB_CHANNEL_JOINT) {
            carry(k, c);
        }
    }
}

static void clear(kinematics *k)
{
    sal_data_free(k->d);
    sal_free(k->value);
    sal_free(k->known);
    sal_free(k->carried);
    sal_free(k->r);
    sal_free(k->J);
    sal_free(k->jac);
    sal_free(k->scratch);
}

static sal_status allocate(kinematics *k, sal_err *err)
{
    enum { WIDEST = 6 }; /* numbers of a residual */
    const size_t nframe = (size_t)k->nframe, nv = (size_t)k->nv,
                 nchannel = (size_t)k->p->data->nchannel;
    k->value = sal_alloc(nframe * (size_t)k->nvalue, sizeof *k->value);
    k->known = sal_alloc(nframe * nchannel, sizeof *k->known);
    k->carried = sal_alloc(nframe * nv, sizeof *k->carried);
    k->r = sal_alloc(WIDEST, sizeof *k->r);
    k->J = sal_alloc(WIDEST * nv, sizeof *k->J);
    k->jac = sal_alloc(WIDEST * nv, sizeof *k->jac);
    k->scratch = sal_alloc(nv, sizeof *k->scratch);
    if (k->value == NULL || k->known == NULL || k->carried == NULL || k->r == NULL ||
        k->J == NULL || k->jac == NULL || k->scratch == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the poses of %d steps", k->nframe);
    }
    return sal_data_new(&k->d, k->m, err);
}

/* How wide far and near are, beside the largest sigma of what is followed. */
static void widen(kinematics *k)
{
    const prb_dataset *data = k->p->data;
    double most = usual_sigma;
    for (int i = 0; i < data->nchannel; i++) {
        const prb_channel *c = &data->channel[i];
        for (int r = 0; r < c->nres && k->chosen[i] && is_about_poses(c); r++) {
            most = fmax(most, c->sigma[r]);
        }
    }
    k->far = far_from_pose * most / usual_sigma;
    k->near = near_last * most / usual_sigma;
}

sal_status prb_track_poses(prb_states *s, const sal_problem *p, const unsigned char *chosen,
                           sal_err *err)
{
    kinematics k = {.p = p,
                    .m = p->model,
                    .chosen = chosen,
                    .nframe = p->nstep + 1,
                    .nvalue = p->data->nvalue,
                    .nq = p->model->nq,
                    .nv = p->model->nv};
    sal_status status = prb_states_new(s, p->model, k.nframe, p->init_qpos, err);
    if (status != SAL_OK) {
        return status;
    }
    k.x = s->qpos;
    widen(&k);
    for (int t = 0; t < k.nframe; t++) {
        s->time[t] = (double)t / p->nstep;
    }
    status = allocate(&k, err);
    if (status == SAL_OK && prepare(&k) == 0) {
        status = sal_fail(
            err, SAL_BADINPUT,
            "inverse kinematics needs a channel that measures positions, poses or joint angles");
    }
    if (status == SAL_OK) {
        carry_joints(&k);
        status = search(&k, err);
        status = status == SAL_OK ? mend(&k, err) : status;
    }
    clear(&k);
    return status;
}
