/* step.c: one step in time.
 *
 *     Euler, implicit, implicitfast     v' = v + h a',     q' = q (+) h v'
 *     a' see implicit.c
 *     RK4                               v' = v + h sum b_i a_i,     q' = q (+) h sum b_i v_i
 *         stage i at  q_i = q (+) h c_i v_{i-1},  v_i = v + h c_i a_{i-1},  time + c_i h;
 *         c = (0 1/2 1/2 1),  b = (1 2 2 1)/6
 *
 * A step that leaves the finite numbers leaves the state as it was.
 */
#include "physics/actuator.h"
#include "physics/history.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <math.h>
#include <string.h>

enum { RK_STAGES = 4 };

/* The first entry that is not a number or beyond all bounds, or -1 */
static int wild(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i]) <= 1e10)) {
            return i;
        }
    }
    return -1;
}

/* The joint that number i of qpos belongs to */
static int joint_of_position(const sal_model *m, int i)
{
    int j = 0;
    while (j + 1 < m->njnt && m->jnt_qposadr[j + 1] <= i) {
        j++;
    }
    return j;
}

typedef enum family { QPOS, QVEL, QACC } family;

static sal_status check(const sal_model *m, const sal_data *d, family what, const double *x,
                        sal_err *err)
{
    static const char *const name[] = {"qpos", "qvel", "qacc"};
    const int i = wild(x, what == QPOS ? m->nq : m->nv);
    if (i < 0) {
        return SAL_OK;
    }
    const int j = what == QPOS ? joint_of_position(m, i) : m->dof_jntid[i];
    char joint[SAL_LABEL_MAX];
    return sal_fail(err, SAL_DIVERGED,
                    "the simulation is unstable: %s[%d] of %s is %g at time %.9g s; a "
                    "smaller timestep may help",
                    name[what], i, sal_model_label(m, SAL_OBJ_JOINT, j, joint), x[i], d->time);
}

/* To (q', v') and the end of the step, if they are finite; activations at the rate act_dot */
static sal_status arrive(const sal_model *m, sal_data *d, const double *q, const double *v,
                         const double *act_dot, sal_err *err)
{
    sal_status status = check(m, d, QVEL, v, err);
    status = status == SAL_OK ? check(m, d, QPOS, q, err) : status;
    if (status == SAL_OK && m->nhistory > 0) {
        phy_remember_controls(m, d);
        phy_remember_sensors(m, d);
    }
    if (status == SAL_OK) {
        memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
        memcpy(d->qvel, v, (size_t)m->nv * sizeof *v);
        sal_advance_act(m, d, act_dot, m->opt.timestep);
        d->time += m->opt.timestep;
    }
    return status;
}

/* r = x + s y */
static void add_scaled(int n, double *r, const double *x, double s, const double *y)
{
    for (int i = 0; i < n; i++) {
        r[i] = x[i] + s * y[i];
    }
}

typedef struct next_state {
    double *a, *v, *q; /* a', v', q' */
} next_state;

static bool take_next(const sal_model *m, sal_arena *arena, next_state *next)
{
    next->a = sal_arena_take(arena, (size_t)m->nv, sizeof *next->a);
    next->v = sal_arena_take(arena, (size_t)m->nv, sizeof *next->v);
    next->q = sal_arena_take(arena, (size_t)m->nq, sizeof *next->q);
    return next->q != NULL;
}

static sal_status semi_implicit(const sal_model *m, sal_data *d, sal_err *err)
{
    const double h = m->opt.timestep;
    next_state next;
    if (take_next(m, &d->arena, &next)) {
        phy_discrete_acceleration(m, d, next.a);
    }
    const sal_status status = phy_scratch_status(d, err);
    if (status != SAL_OK) {
        return status;
    }
    add_scaled(m->nv, next.v, d->qvel, h, next.a); /* v' = v + h a' */
    sal_integrate_pos(m, next.q, d->qpos, next.v, h);
    return arrive(m, d, next.q, next.v, d->act_dot, err);
}

typedef struct rk_state { /* at the beginning of the step, and the sums over stages */
    double time, *q, *v, *act, *dq, *dv, *dact, *sensors;
    double *stage_q, *end_v; /* where a stage is; where the step ends */
} rk_state;

static bool take_rk(const sal_model *m, sal_arena *arena, rk_state *s)
{
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, na = (size_t)m->na;
    s->q = sal_arena_take(arena, nq, sizeof *s->q);
    s->v = sal_arena_take(arena, nv, sizeof *s->v);
    s->act = sal_arena_take(arena, na, sizeof *s->act);
    s->dq = sal_arena_take(arena, nv, sizeof *s->dq);
    s->dv = sal_arena_take(arena, nv, sizeof *s->dv);
    s->dact = sal_arena_take(arena, na, sizeof *s->dact);
    s->sensors = sal_arena_take(arena, (size_t)m->nsensordata, sizeof *s->sensors);
    s->stage_q = sal_arena_take(arena, nq, sizeof *s->stage_q);
    s->end_v = sal_arena_take(arena, nv, sizeof *s->end_v);
    return s->end_v != NULL;
}

void phy_step_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    next_state next;
    rk_state s;
    take_next(m, arena, &next);
    phy_implicit_scratch(m, arena);
    arena->used = mark;
    take_rk(m, arena, &s);
    phy_forward_scratch(m, arena);
    arena->used = mark;
}

static void rk_begin(const sal_model *m, const sal_data *d, rk_state *s)
{
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, na = (size_t)m->na;
    s->time = d->time;
    memcpy(s->q, d->qpos, nq * sizeof *s->q);
    memcpy(s->v, d->qvel, nv * sizeof *s->v);
    memcpy(s->act, d->act, na * sizeof *s->act);
    memcpy(s->sensors, d->sensordata, (size_t)m->nsensordata * sizeof *s->sensors);
    memset(s->dq, 0, nv * sizeof *s->dq);
    memset(s->dv, 0, nv * sizeof *s->dv);
    memset(s->dact, 0, na * sizeof *s->dact);
}

/* Back to the beginning of the step; sensors keep what they showed there. */
static void rk_return(const sal_model *m, sal_data *d, const rk_state *s)
{
    d->time = s->time;
    memcpy(d->qpos, s->q, (size_t)m->nq * sizeof *s->q);
    memcpy(d->qvel, s->v, (size_t)m->nv * sizeof *s->v);
    memcpy(d->act, s->act, (size_t)m->na * sizeof *s->act);
    memcpy(d->sensordata, s->sensors, (size_t)m->nsensordata * sizeof *s->sensors);
}

/* (sal_forward done, which is the first stage) */
static sal_status runge_kutta(const sal_model *m, sal_data *d, sal_err *err)
{
    static const double c[RK_STAGES] = {0, 0.5, 0.5, 1}, b[RK_STAGES] = {1, 2, 2, 1};
    const double h = m->opt.timestep;
    rk_state s;
    if (!take_rk(m, &d->arena, &s)) {
        return phy_scratch_status(d, err);
    }
    rk_begin(m, d, &s);
    double *q = s.stage_q, *v = s.end_v;
    sal_status status = SAL_OK;
    for (int i = 0; i < RK_STAGES && status == SAL_OK; i++) {
        if (i > 0) {
            sal_integrate_pos(m, q, s.q, d->qvel, c[i] * h); /* q_i = q (+) h c_i v_{i-1} */
            memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
            add_scaled(m->nv, d->qvel, s.v, c[i] * h, d->qacc); /* v_i = v + h c_i a_{i-1} */
            add_scaled(m->na, d->act, s.act, c[i] * h, d->act_dot);
            d->time = s.time + c[i] * h;
            status = sal_forward(m, d, err);
            status = status == SAL_OK ? check(m, d, QACC, d->qacc, err) : status;
        }
        add_scaled(m->nv, s.dq, s.dq, b[i] / 6, d->qvel);
        add_scaled(m->nv, s.dv, s.dv, b[i] / 6, d->qacc);
        add_scaled(m->na, s.dact, s.dact, b[i] / 6, d->act_dot);
    }
    rk_return(m, d, &s);
    if (status == SAL_OK) {
        sal_integrate_pos(m, q, d->qpos, s.dq, h);
        add_scaled(m->nv, v, d->qvel, h, s.dv);
        status = arrive(m, d, q, v, s.dact, err);
    }
    return status;
}

sal_status sal_advance(const sal_model *m, sal_data *d, sal_err *err)
{
    const size_t mark = d->arena.used;
    sal_status status = check(m, d, QACC, d->qacc, err);
    if (status == SAL_OK) {
        status =
            m->opt.integrator == SAL_INT_RK4 ? runge_kutta(m, d, err) : semi_implicit(m, d, err);
    }
    if (status == SAL_OK) {
        memcpy(d->qacc_warmstart, d->qacc, (size_t)m->nv * sizeof(double));
    }
    d->arena.used = mark;
    return status;
}

sal_status sal_step(const sal_model *m, sal_data *d, sal_err *err)
{
    sal_status status = check(m, d, QPOS, d->qpos, err);
    status = status == SAL_OK ? check(m, d, QVEL, d->qvel, err) : status;
    status = status == SAL_OK ? sal_forward(m, d, err) : status;
    return status == SAL_OK ? sal_advance(m, d, err) : status;
}
