/* sensor_frame_deriv.c: how points and frames of a body vary, and the sensors that see them. About
 * O, the centre of mass of the tree, which stays where it is; for every dof k of the body's chain
 * (deriv.h has psi, chi, alp and the groups):
 *
 *     by q_k   turn w_k,  dx = u_k + w_k x x       dV = s_k x V + psi_k
 *     dA = s_k x A + psi_k x V + alp_k
 *     by v_k                                       dV = s_k                   dA = s_k x V + chi_k
 *     by a_k                                                                  dA = s_k
 *
 *     point at x:   v = u + w x x                 dv = du + dw x x + w x dx
 *                   a = A_u + A_w x x + w x v     da = dA_u + dA_w x x + A_w x dx + dw x v + w x dv
 */
#include "base/house.h"
#include "physics/sensors/sensor.h"
#include "physics/stages.h"

#include <string.h>

/* A frame on a body: its place and how it moves; x is about O. */
typedef struct frame {
    phy_pose pose;
    double x[3], v[3], a[3];
    const double *V, *A;
} frame;

/* Of a frame, by one variable. */
typedef struct variation {
    double turn[3], pos[3], linvel[3], angvel[3], linacc[3], angacc[3];
} variation;

static void set_frame(const sal_model *m, const sal_data *d, frame *f)
{
    const int b = f->pose.body;
    f->V = d->cvel + 6 * b;
    f->A = d->cacc + 6 * b;
    sal_v3_sub(f->x, f->pose.pos, d->subtree_com + 3 * m->body_rootid[b]);
    sal_sp_point_velocity(f->v, f->V, f->x);
    sal_sp_point_velocity(f->a, f->A, f->x);
    sal_v3_addcross(f->a, f->V, f->v);
}

/* ---- one body ---- */

/* The values before and after the group of the dof at hand, on the way along a chain. */
typedef struct walk {
    const sal_model *m;
    const sal_data *d;
    bool accelerates;
    int end; /* first dof behind the group */
    double V0[6], V1[6], A0[6], A1[6];
} walk;

static walk walk_from_world(const sal_model *m, const sal_data *d, bool accelerates)
{
    walk w = {.m = m, .d = d, .accelerates = accelerates, .end = -1};
    if (accelerates) {
        memcpy(w.A1, d->cacc, sizeof w.A1);
    }
    return w;
}

static void walk_to(walk *w, int k)
{
    const sal_data *d = w->d;
    if (k < w->end) {
        return;
    }
    w->end = phy_group_end(w->m, k);
    memcpy(w->V0, w->V1, sizeof w->V0);
    memcpy(w->A0, w->A1, sizeof w->A0);
    for (int i = k; i < w->end; i++) {
        sal_sp_addscaled(w->V1, w->V1, d->qvel[i], d->cdof + 6 * i);
        if (w->accelerates) {
            sal_sp_addscaled(w->A1, w->A1, d->qvel[i], d->cdof_dot + 6 * i);
            sal_sp_addscaled(w->A1, w->A1, d->qacc[i], d->cdof + 6 * i);
        }
    }
}

/* dv, da of the point from dV, dA, with its own motion `pos` in the variation. */
static void vary_velocity(const frame *f, variation *y, const double dV[6])
{
    sal_v3_copy(y->angvel, dV);
    sal_sp_point_velocity(y->linvel, dV, f->x);
    sal_v3_addcross(y->linvel, f->V, y->pos);
}

static void vary_acceleration(const frame *f, variation *y, const double dA[6])
{
    sal_v3_copy(y->angacc, dA);
    sal_sp_point_velocity(y->linacc, dA, f->x);
    sal_v3_addcross(y->linacc, f->A, y->pos);
    sal_v3_addcross(y->linacc, y->angvel, f->v);
    sal_v3_addcross(y->linacc, f->V, y->linvel);
}

/* By q_k; dV = s x V + psi,  dA = s x A + psi x V + A- x s + V- x psi */
static void vary_by_position(const walk *w, const frame *f, int k, sal_stage stage, variation *y)
{
    const double *s = w->d->cdof + 6 * k, *psi = w->d->cdof_dot + 6 * k;
    double dV[6], dA[6], t[6];
    memset(y, 0, sizeof *y);
    sal_v3_copy(y->turn, s);
    sal_sp_point_velocity(y->pos, s, f->x);
    if (stage >= SAL_STAGE_VEL) {
        sal_sp_cross_motion(dV, s, f->V);
        sal_sp_addscaled(dV, dV, 1, psi);
        vary_velocity(f, y, dV);
    }
    if (stage == SAL_STAGE_ACC) {
        sal_sp_cross_motion(dA, s, f->A);
        sal_sp_cross_motion(t, psi, f->V);
        sal_sp_addscaled(dA, dA, 1, t);
        sal_sp_cross_motion(t, w->A0, s);
        sal_sp_addscaled(dA, dA, 1, t);
        sal_sp_cross_motion(t, w->V0, psi);
        sal_sp_addscaled(dA, dA, 1, t);
        vary_acceleration(f, y, dA);
    }
}

/* By v_k; dV = s,  dA = s x V + (V- + V+) x s */
static void vary_by_velocity(const walk *w, const frame *f, int k, sal_stage stage, variation *y)
{
    const double *s = w->d->cdof + 6 * k;
    memset(y, 0, sizeof *y);
    vary_velocity(f, y, s);
    if (stage == SAL_STAGE_ACC) {
        double both[6], dA[6], t[6];
        sal_sp_addscaled(both, w->V0, 1, w->V1);
        sal_sp_cross_motion(dA, s, f->V);
        sal_sp_cross_motion(t, both, s);
        sal_sp_addscaled(dA, dA, 1, t);
        vary_acceleration(f, y, dA);
    }
}

/* By a_k; dA = s */
static void vary_by_acceleration(const walk *w, const frame *f, int k, variation *y)
{
    memset(y, 0, sizeof *y);
    vary_acceleration(f, y, w->d->cdof + 6 * k);
}

/* ---- sensors ---- */

/* A sensor of `object` as seen from `ref`. */
typedef struct sight {
    int type;
    const sal_model *m;
    frame object, ref;
    double quat[4], refquat[4];
    /* of a camera, pixels */
    double focal[2];
} sight;

/* d(q_r* q) = q_r* (0, turn - turn_r) q / 2 */
static void respond_quat(const sight *s, const double turn[3], double *out)
{
    const double half[4] = {0, turn[0] / 2, turn[1] / 2, turn[2] / 2};
    double back[4], turned[4];
    sal_quat_conj(back, s->refquat);
    sal_quat_mul(turned, half, s->quat);
    sal_quat_mul(out, back, turned);
}

/* R_r'(dg - turn_r x g) of g as seen from ref */
static SAL_INLINE void seen_from(const sight *s, const variation *ref, const double g[3],
                                 const double dg[3], double *out)
{
    double t[3];
    sal_v3_cross(t, g, ref->turn);
    sal_v3_add(t, t, dg);
    sal_m3_multv(out, s->ref.pose.mat, t);
}

/* Of p seen by the camera:  du = -f_0 (dp_0 - p_0/p_2 dp_2)/p_2
 *                           dv =  f_1 (dp_1 - p_1/p_2 dp_2)/p_2 */
static void respond_projection(const sight *s, const variation *ref, const double away[3],
                               const double daway[3], double *out)
{
    double p[3], dp[3];
    sal_m3_multv(p, s->ref.pose.mat, away);
    seen_from(s, ref, away, daway, dp);
    const double depth = phy_camera_depth(p[2]);
    for (int k = 0; k < 2; k++) {
        const double change = s->focal[k] * (dp[k] - p[k] / depth * dp[2]) / depth;
        out[k] = k == 0 ? -change : change;
    }
}

/* Velocities of the object over the ref:  v - v_r - w_r x (p - p_r),   w - w_r */
static void respond_velocity(const sight *s, const variation *object, const variation *ref,
                             double *out)
{
    double arm[3], darm[3], g[3], dg[3], t[3];
    if (s->type == SAL_SENS_FRAMEANGVEL) {
        sal_v3_sub(g, s->object.V, s->ref.V);
        sal_v3_sub(dg, object->angvel, ref->angvel);
    } else {
        sal_v3_sub(arm, s->object.pose.pos, s->ref.pose.pos);
        sal_v3_sub(darm, object->pos, ref->pos);
        sal_v3_sub(g, s->object.v, s->ref.v);
        sal_v3_addcross(g, arm, s->ref.V);
        sal_v3_sub(dg, object->linvel, ref->linvel);
        sal_v3_addcross(dg, arm, ref->angvel);
        sal_v3_cross(t, darm, s->ref.V);
        sal_v3_add(dg, dg, t);
    }
    seen_from(s, ref, g, dg, out);
}

/* How a reading varies with the two frames. */
static SAL_INLINE void respond(const sight *s, const variation *object, const variation *ref,
                               double *out)
{
    const double *mat = s->object.pose.mat;
    double g[3], dg[3], turn[3];
    sal_v3_sub(turn, object->turn, ref->turn);
    switch (s->type) {
    case SAL_SENS_FRAMEPOS:
        sal_v3_sub(g, s->object.pose.pos, s->ref.pose.pos);
        sal_v3_sub(dg, object->pos, ref->pos);
        seen_from(s, ref, g, dg, out);
        break;
    case SAL_SENS_CAMPROJECTION:
        sal_v3_sub(g, s->object.pose.pos, s->ref.pose.pos);
        sal_v3_sub(dg, object->pos, ref->pos);
        respond_projection(s, ref, g, dg, out);
        break;
    case SAL_SENS_FRAMEQUAT:
        respond_quat(s, turn, out);
        break;
    case SAL_SENS_FRAMEXAXIS:
    case SAL_SENS_FRAMEYAXIS:
    case SAL_SENS_FRAMEZAXIS: /* R_r'((turn - turn_r) x axis) */
        sal_m3_column(g, mat, s->type - SAL_SENS_FRAMEXAXIS);
        sal_v3_cross(dg, turn, g);
        sal_m3_multv(out, s->ref.pose.mat, dg);
        break;
    case SAL_SENS_FRAMELINVEL:
    case SAL_SENS_FRAMEANGVEL:
        respond_velocity(s, object, ref, out);
        break;
    case SAL_SENS_FRAMELINACC:
        sal_v3_copy(out, object->linacc);
        break;
    case SAL_SENS_FRAMEANGACC:
        sal_v3_copy(out, object->angacc);
        break;
    case SAL_SENS_MAGNETOMETER: /* R'(g - turn x g) */
        sal_v3_cross(dg, s->m->opt.magnetic, object->turn);
        sal_m3_multv(out, mat, dg);
        break;
    case SAL_SENS_VELOCIMETER:
        sal_v3_copy(dg, object->linvel);
        sal_v3_addcross(dg, s->object.v, object->turn);
        sal_m3_multv(out, mat, dg);
        break;
    case SAL_SENS_GYRO:
        sal_v3_copy(dg, object->angvel);
        sal_v3_addcross(dg, s->object.V, object->turn);
        sal_m3_multv(out, mat, dg);
        break;
    case SAL_SENS_ACCELEROMETER:
        sal_v3_copy(dg, object->linacc);
        sal_v3_addcross(dg, s->object.a, object->turn);
        sal_m3_multv(out, mat, dg);
        break;
    default:
        break;
    }
}

bool phy_sensor_sees_frame(int type)
{
    switch (type) {
    case SAL_SENS_FRAMEPOS:
    case SAL_SENS_FRAMEQUAT:
    case SAL_SENS_FRAMEXAXIS:
    case SAL_SENS_FRAMEYAXIS:
    case SAL_SENS_FRAMEZAXIS:
    case SAL_SENS_FRAMELINVEL:
    case SAL_SENS_FRAMEANGVEL:
    case SAL_SENS_FRAMELINACC:
    case SAL_SENS_FRAMEANGACC:
    case SAL_SENS_CAMPROJECTION:
    case SAL_SENS_MAGNETOMETER:
    case SAL_SENS_VELOCIMETER:
    case SAL_SENS_GYRO:
    case SAL_SENS_ACCELEROMETER:
        return true;
    default:
        return false;
    }
}

static sight sight_of(const sal_model *m, const sal_data *d, int i)
{
    sight s = {.type = m->sensor_type[i], .m = m, .refquat[0] = 1};
    const int type = m->sensor_objtype[i], id = m->sensor_objid[i], refid = m->sensor_refid[i];
    phy_object_pose(m, d, type, id, &s.object.pose);
    phy_object_pose(m, d, m->sensor_reftype[i], refid, &s.ref.pose);
    if (s.type == SAL_SENS_CAMPROJECTION) {
        phy_camera_focal(m, refid, s.focal);
    }
    if (s.type == SAL_SENS_FRAMEQUAT) {
        phy_object_quat(m, d, type, id, s.quat);
    }
    if (s.type == SAL_SENS_FRAMEQUAT && refid >= 0) {
        phy_object_quat(m, d, m->sensor_reftype[i], refid, s.refquat);
    }
    set_frame(m, d, &s.object);
    set_frame(m, d, &s.ref);
    return s;
}

/* Column k of D += how the reading answers to y, which moves one of the two frames. */
static void add_column(const sight *s, const variation *y, bool moves_ref, double *D, int k, int n)
{
    static const variation still = {0};
    double out[4] = {0, 0, 0, 0};
    respond(s, moves_ref ? &still : y, moves_ref ? y : &still, out);
    for (int r = 0; r < n; r++) {
        D[r * s->m->nv + k] += out[r];
    }
}

/* What a camera that follows something adds: its pose slips over its body, the velocity and the
 * acceleration stay those of the body at that point. Its quaternion stays the body's, too. */
static void camera_columns(const sight *s, const sal_data *d, int camera, bool is_ref, int n,
                           double *Dq)
{
    static const double none[6] = {0};
    const frame *f = is_ref ? &s->ref : &s->object;
    for (int k = 0; k < s->m->nv; k++) {
        variation y = {0};
        phy_camera_deriv(s->m, d, camera, &f->pose, k, y.pos, y.turn);
        vary_velocity(f, &y, none);
        vary_acceleration(f, &y, none);
        add_column(s, &y, is_ref, Dq, k, n);
    }
}

static bool is_slipping(const sal_model *m, const sal_data *d, int type, int id)
{
    return type == SAL_OBJ_CAMERA && id >= 0 && phy_camera_follows(m, d, id);
}

void phy_sensor_frame_deriv(const sal_model *m, const sal_data *d, int i, double *Dq, double *Dv,
                            double *Da)
{
    const sal_stage stage = (sal_stage)m->sensor_stage[i];
    const sight s = sight_of(m, d, i);
    const int n = m->sensor_dim[i];
    for (int side = 0; side < 2; side++) {
        const frame *f = side == 0 ? &s.object : &s.ref;
        const int *chain = m->chain_dof + m->body_chainadr[f->pose.body];
        walk w = walk_from_world(m, d, stage == SAL_STAGE_ACC);
        variation y;
        for (int c = 0; c < m->body_chainnum[f->pose.body]; c++) {
            const int k = chain[c];
            walk_to(&w, k);
            vary_by_position(&w, f, k, stage, &y);
            add_column(&s, &y, side == 1, Dq, k, n);
            if (stage >= SAL_STAGE_VEL) {
                vary_by_velocity(&w, f, k, stage, &y);
                add_column(&s, &y, side == 1, Dv, k, n);
            }
            if (stage == SAL_STAGE_ACC) {
                vary_by_acceleration(&w, f, k, &y);
                add_column(&s, &y, side == 1, Da, k, n);
            }
        }
        const int id = side == 0 ? m->sensor_objid[i] : m->sensor_refid[i];
        const int type = side == 0 ? m->sensor_objtype[i] : m->sensor_reftype[i];
        if (s.type != SAL_SENS_FRAMEQUAT && is_slipping(m, d, type, id)) {
            camera_columns(&s, d, id, side == 1, n, Dq);
        }
    }
}
