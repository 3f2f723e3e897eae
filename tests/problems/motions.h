/* motions.h: motions whose forces are known, because they were simulated under them. For tests of
 * results. */
#ifndef SAL_TESTS_PROBLEMS_MOTIONS_H
#define SAL_TESTS_PROBLEMS_MOTIONS_H

#include "tests/check.h"

#include "base/house.h"
#include "problems/problem.h"

typedef struct motion {
    sal_model *m;
    sal_problem p;
    int n;
    /* [(n+2) x nq] q_{-1} .. q_n */
    double *q;
    /* [n x nu], [n x nv] what was applied */
    double *ctrl;
    double *push;
    sal_result *r;
} motion;

/* Joint damping (implicit in Euler's method), a gear, an armature. */
static const char pendulum_xml[] =
    "<mujoco model='pendulum'><option timestep='.02' tolerance='0' iterations='300'/><worldbody>"
    "<body name='arm'><joint name='swing' type='hinge' axis='0 1 0' damping='.3' armature='.01'/>"
    "<geom name='rod' type='capsule' fromto='0 0 0 0 0 -1' size='.02' mass='.5'/>"
    "<geom name='bob' type='sphere' pos='0 0 -1' size='.08' mass='1'/><site "
    "name='s'/></body></worldbody>"
    "<actuator><motor name='motor' joint='swing' gear='2' ctrlrange='-1 1' ctrllimited='true'/>"
    "</actuator><sensor><jointpos name='angle' joint='swing'/><framepos name='tip' objtype='geom' "
    "objname='bob'/><actuatorfrc name='torque' actuator='motor'/><touch name='touch' site='s'/>"
    "<jointactuatorfrc name='pull' joint='swing'/><jointactuatorfrc joint='swing' cutoff='.1'/>"
    "</sensor></mujoco>";

/* A body that falls on its feet, with two actuated legs: a servo and a motor. */
static const char hopper_xml[] =
    "<mujoco model='hopper'><option timestep='.005' cone='elliptic' tolerance='0' "
    "iterations='300'/><default><geom condim='3' friction='.8 .005 .0001'/></default><worldbody>"
    "<geom name='floor' type='plane' size='0 0 1'/>"
    "<body name='trunk' pos='0 0 .62'><freejoint name='root'/>"
    "<geom type='box' size='.1 .15 .1' mass='3' contype='0' conaffinity='0'/>"
    "<body name='left_leg' pos='0 .1 -.1'><joint name='left_hip' axis='0 -1 0' damping='1'/>"
    "<geom name='left_leg' type='capsule' fromto='0 0 0 .1 0 -.42' size='.04' mass='.6'/></body>"
    "<body name='right_leg' pos='0 -.1 -.1'><joint name='right_hip' axis='0 -1 0' damping='1'/>"
    "<geom name='right_leg' type='capsule' fromto='0 0 0 -.1 0 -.42' size='.04' mass='.6'/></body>"
    "</body></worldbody><actuator><position name='left_servo' joint='left_hip' kp='40' "
    "gear='-1.5'/>"
    "<motor name='right_motor' joint='right_hip' gear='10'/></actuator></mujoco>";

static inline sal_model *motion_model(const char *xml)
{
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "test.xml", xml, strlen(xml), NULL, &diag, &err), err);
    if (m == NULL) {
        printf("%s\n", diag.text.data == NULL ? "" : diag.text.data);
        exit(1);
    }
    sal_diag_clear(&diag);
    return m;
}

static inline void motion_allocate(motion *a, const char *xml, int n)
{
    static char name[] = "test", text[] = "<problem name=\"test\"/>\n";
    memset(a, 0, sizeof *a);
    a->m = motion_model(xml);
    a->n = n;
    a->p = (sal_problem){.name = name,
                         .problem_xml = text,
                         .model = a->m,
                         .nstep = n,
                         .boundary = PRB_OPEN,
                         .contact_table = true,
                         .seed = 7};
    sal_sha256_hex(a->p.sha256_problem, "a", 1);
    sal_sha256_hex(a->p.sha256_model, "b", 1);
    a->q = sal_alloc((size_t)((n + 2) * a->m->nq), sizeof(double));
    a->ctrl = sal_alloc((size_t)(n * a->m->nu), sizeof(double));
    a->push = sal_alloc((size_t)(n * a->m->nv), sizeof(double));
}

static inline void motion_evaluate(motion *a, double travel)
{
    sal_err err = {0};
    CHECK_OK(sal_result_evaluate(&a->r, &a->p, a->m, &(sal_motion){.nstep = a->p.nstep, .q = a->q},
                                 travel, &err),
             err);
    if (a->r == NULL) {
        exit(1);
    }
}

/* Simulates from qpos0 and velocity v0 under a->ctrl and a->push. q_{-1} is where v0 came from. */
static inline void motion_simulate(motion *a, const double *v0)
{
    const sal_model *m = a->m;
    const size_t row = (size_t)m->nq * sizeof(double);
    sal_data *d = NULL;
    sal_err err = {0};
    CHECK_OK(sal_data_new(&d, m, &err), err);
    memcpy(d->qvel, v0, (size_t)m->nv * sizeof(double));
    sal_integrate_pos(m, a->q, d->qpos, v0, -m->opt.timestep);
    memcpy(a->q + m->nq, d->qpos, row);
    for (int t = 0; t < a->n; t++) {
        memcpy(d->ctrl, a->ctrl + t * m->nu, (size_t)m->nu * sizeof(double));
        memcpy(d->qfrc_applied, a->push + t * m->nv, (size_t)m->nv * sizeof(double));
        CHECK_OK(sal_step(m, d, &err), err);
        memcpy(a->q + (t + 2) * m->nq, d->qpos, row);
    }
    sal_data_free(d);
    motion_evaluate(a, 0);
}

/* The pendulum, swinging under a control that stays in its range. */
static inline void motion_pendulum(motion *a)
{
    const double v0[1] = {0.7};
    motion_allocate(a, pendulum_xml, 50);
    for (int t = 0; t < a->n; t++) {
        a->ctrl[t] = 0.9 * sin(0.3 * t);
    }
    motion_simulate(a, v0);
}

/* The hopper, falling and landing; a push that no actuator could give. */
static inline void motion_hopper(motion *a, bool pushed)
{
    const double v0[8] = {0.3, 0, -1, 0.1, 0.2, -0.1, 0.4, -0.5};
    motion_allocate(a, hopper_xml, 60);
    for (int t = 0; t < a->n; t++) {
        a->ctrl[2 * t] = 0.3 * cos(0.1 * t);
        a->ctrl[2 * t + 1] = 0.2 * sin(0.2 * t);
        a->push[8 * t + 1] = pushed ? 2 + 0.1 * t : 0;
        a->push[8 * t + 4] = pushed ? -0.5 : 0;
    }
    motion_simulate(a, v0);
}

/* A cycle, mirrored, that travels along x: its forces are whatever they must be. */
static inline void motion_cycle(motion *a)
{
    sal_err err = {0};
    const double travel = 0.4;
    motion_allocate(a, hopper_xml, 16);
    a->m->opt.timestep = 0.02;
    a->p.boundary = PRB_CYCLE;
    CHECK_OK(sal_image_new(&a->p.image, a->m, &err), err);
    for (int k = 0; k < 2;
         k++) { /* the legs change places; the actuators do not, so the mirror is stated by hand */
        a->p.image->qpos_index[7 + k] = 8 - k;
        a->p.image->dof_index[6 + k] = 7 - k;
    }
    const int odd_q[] = {1, 4, 6}, odd_v[] = {1, 3, 5};
    for (int k = 0; k < 3; k++) {
        a->p.image->qpos_sign[odd_q[k]] = a->p.image->dof_sign[odd_v[k]] = -1;
    }
    a->p.image->mirrored = true;
    CHECK_OK(sal_image_travel(a->p.image, a->m, 0, NULL, &err), err);
    for (int k = -1; k <= a->n; k++) {
        const double phase = acos(-1.0) * k / a->n;
        double *q = a->q + (k + 1) * a->m->nq, rotation[3] = {0.1 * sin(phase), 0.2, 0};
        sal_quat_exp(q + 3, rotation);
        q[0] = travel * k / a->n, q[1] = 0.03 * cos(phase), q[2] = 0.55 + 0.01 * cos(2 * phase);
        q[7] = 0.4 * sin(phase), q[8] = -0.4 * sin(phase);
    }
    motion_evaluate(a, travel);
}

static inline void motion_clear(motion *a)
{
    sal_result_free(a->r);
    sal_image_free(a->p.image);
    sal_model_free(a->m);
    sal_free(a->q);
    sal_free(a->ctrl);
    sal_free(a->push);
    memset(a, 0, sizeof *a);
}

#endif
