/* draft_way.c: where an arm can go from its pose, in which time, hitting nothing.
 *
 * A way moves each hinge of the arm by dq_i, a quarter of its range to where most of it is, at most
 * .6 rad; .6 rad without a range. It is tried with
 *
 *     q(t) = q0 (+) s dq,    s = 10 u^3 - 15 u^4 + 6 u^5,   u = t/T
 *
 * (Flash, Hogan, "The coordination of arm movements", J. Neuroscience 5 (1985)), T = 1 s, then
 * longer; with other signs of dq; with half and a quarter of it; then some of its joints stay. It
 * is found where
 *
 *     nothing that is driven goes deeper into anything than at the pose
 *     tau = ID(q, v, a) is within what the actuators of each joint can give at (q, v)
 */
#include "base/house.h"
#include "guide/draft.h"
#include "problems/root.h"

#include <math.h>
#include <string.h>

enum { POINTS = 10, SIGNS = 24, RINGS = 4, POSES = 64 };

/* m: what counts as free; rad: the most a hinge moves, and half the range of one that has none */
static const double CLEAR = 1e-3, FARTHEST = 0.6, HALF_RANGE = 1.2;

/* ---- contact ---- */

static bool is_driven_geom(const sal_model *m, int geom)
{
    const int body = m->geom_bodyid[geom];
    return m->body_weldid[body] != 0 && prb_is_driven(m, m->body_rootid[body]);
}

/* m: how deep what is driven is in anything, summed over contacts. */
static double depth_at(gde_draft *f, const double *q)
{
    const sal_model *m = f->m;
    sal_err err = {0};
    double depth = 0;
    memcpy(f->d->qpos, q, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, f->d);
    if (sal_collide(m, f->d, &err) != SAL_OK) {
        return INFINITY;
    }
    for (int i = 0; i < f->d->ncon; i++) {
        const sal_contact *c = f->d->contact + i;
        if (is_driven_geom(m, c->geom1) || is_driven_geom(m, c->geom2)) {
            depth += fmax(-c->dist, 0);
        }
    }
    return depth;
}

/* Half of the range of a joint that actuators move; 0: of none, or it has none. */
static double half_range(const sal_model *m, int joint)
{
    const double *range = m->jnt_range + 2 * joint;
    const bool hinge = m->jnt_type[joint] == SAL_JNT_HINGE;
    const bool moves = hinge || m->jnt_type[joint] == SAL_JNT_SLIDE;
    return !moves || !prb_is_actuated(m, joint) ? 0
           : m->jnt_limited[joint]              ? (range[1] - range[0]) / 2
           : hinge                              ? HALF_RANGE
                                                : 0;
}

/* A pose at most so many shares of half their ranges from the pose, in each joint. */
static void draw_pose(const gde_draft *f, double share, sal_rng *rng, double *q)
{
    const sal_model *m = f->m;
    memcpy(q, f->pose, (size_t)m->nq * sizeof(double));
    for (int j = 0; j < m->njnt; j++) {
        const double half = half_range(m, j), *range = m->jnt_range + 2 * j;
        double *at = q + m->jnt_qposadr[j];
        if (half > 0) {
            *at += share * half * sal_rng_uniform(rng, -1, 1);
            *at = m->jnt_limited[j] ? fmin(fmax(*at, range[0]), range[1]) : *at;
        }
    }
}

/* The least depth of poses further and further from the pose, until one is free; best is where. */
static double search_free(gde_draft *f, double *q, double *best)
{
    double least = INFINITY;
    sal_rng rng = {1};
    for (int ring = 1; ring <= RINGS; ring++) {
        for (int i = 0; i < POSES && least > CLEAR; i++) {
            draw_pose(f, (double)ring / RINGS, &rng, q);
            const double depth = depth_at(f, q);
            if (depth < least) {
                least = depth;
                memcpy(best, q, (size_t)f->m->nq * sizeof *best);
            }
        }
    }
    return least;
}

void gde_clear_pose(gde_draft *f)
{
    const size_t nq = (size_t)f->m->nq;
    const double before = depth_at(f, f->pose);
    double *q = sal_alloc(2 * nq, sizeof *q);
    f->out->failed = f->out->failed || q == NULL;
    if (f->key < 0 && before > CLEAR && isfinite(before) && q != NULL) {
        const double least = search_free(f, q, q + nq);
        if (least < before / 2) { /* else its geoms overlap wherever it is */
            memcpy(f->pose, q + nq, nq * sizeof *q);
        }
        if (least > CLEAR) { /* nowhere free: where it is least pressed */
            gde_relax_arm(f);
        }
        gde_note(f,
                 "in the home pose the arm is %.2g m deep in itself or in what is about it: it "
                 "starts from another",
                 before);
    }
    memcpy(f->d->qpos, f->pose, nq * sizeof *q);
    sal_kinematics(f->m, f->d);
    sal_free(q);
}

/* ---- strength ---- */

/* Adds what actuator i can do to each dof at the position and velocity of d. */
static void add_reach(const gde_draft *f, int i, const double force[2], double *least, double *most)
{
    const sal_model *m = f->m;
    for (int k = m->moment_rowadr[i]; k < m->moment_rowadr[i] + m->moment_rownnz[i]; k++) {
        const double a = f->d->actuator_moment[k] * force[0];
        const double b = f->d->actuator_moment[k] * force[1];
        least[m->moment_colind[k]] += fmin(a, b);
        most[m->moment_colind[k]] += fmax(a, b);
    }
}

/* Forces at the ends of the range of an actuator's control, ascending. */
static void forces_of(const gde_draft *f, int i, double force[2])
{
    const sal_model *m = f->m;
    for (int end = 0; end < 2; end++) {
        const double unlimited = end == 0 ? -1e9 : 1e9;
        f->d->ctrl[i] = m->actuator_ctrllimited[i] ? m->actuator_ctrlrange[2 * i + end] : unlimited;
        sal_actuation(m, f->d);
        force[end] = f->d->actuator_force[i];
    }
    f->d->ctrl[i] = 0;
}

/* Whether what the inverse dynamics found in d for the joints that move is within what the
 * actuators can give. */
static bool is_within(const gde_draft *f, const double *by, double *least, double *most)
{
    const sal_model *m = f->m;
    memset(least, 0, (size_t)m->nv * sizeof *least);
    memset(most, 0, (size_t)m->nv * sizeof *most);
    for (int i = 0; i < m->nu; i++) {
        double force[2];
        forces_of(f, i, force);
        add_reach(f, i, force, least, most);
    }
    for (int dof = 0; dof < m->nv; dof++) {
        const int j = m->dof_jntid[dof];
        const double *range = m->jnt_actfrcrange + 2 * j;
        const double held = m->jnt_actgravcomp[j] ? f->d->qfrc_gravcomp[dof] : 0;
        const double tau = f->d->qfrc_inverse[dof] - held;
        if (m->jnt_actfrclimited[j]) {
            least[dof] = fmax(least[dof], range[0]);
            most[dof] = fmin(most[dof], range[1]);
        }
        if (by[dof] != 0 && (tau < least[dof] || tau > most[dof])) {
            return false;
        }
    }
    return true;
}

/* A joint that carries the body without actuator or spring, such as an acrobot's shoulder; -1:
 * none. */
static int loose_joint(const sal_model *m, int body)
{
    for (int b = body; b > 0; b = m->body_parentid[b]) {
        for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; j++) {
            if (!prb_is_actuated(m, j) && !gde_is_sprung(m, j)) {
                return j;
            }
        }
    }
    return -1;
}

/* Whether the actuators can follow the way in this time. */
static bool is_able(gde_draft *f, const double *by, double seconds, double *scratch)
{
    const sal_model *m = f->m;
    sal_err err = {0};
    for (int k = 0; k <= POINTS; k++) {
        const double u = (double)k / POINTS;
        const double s = u * u * u * (10 - 15 * u + 6 * u * u);
        const double v = 30 * u * u * (1 - u) * (1 - u) / seconds;
        const double a = 60 * u * (1 - u) * (1 - 2 * u) / (seconds * seconds);
        sal_integrate_pos(m, f->d->qpos, f->pose, by, s);
        for (int dof = 0; dof < m->nv; dof++) {
            f->d->qvel[dof] = v * by[dof];
            f->d->qacc[dof] = a * by[dof];
        }
        if (sal_inverse(m, f->d, &err) != SAL_OK || !is_within(f, by, scratch, scratch + m->nv)) {
            return false;
        }
    }
    return true;
}

/* ---- the way ---- */

/* Whether a hinge has an actuator of its own: tendons may couple it to others. */
static bool has_own(const sal_model *m, int joint)
{
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_trntype[i] == SAL_TRN_JOINT && m->actuator_trnid[i] == joint) {
            return true;
        }
    }
    return false;
}

static bool chain_has_own(const sal_model *m, int body)
{
    bool own = false;
    for (int b = body; b > 0; b = m->body_parentid[b]) {
        for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; j++) {
            own = own || (m->jnt_type[j] == SAL_JNT_HINGE && has_own(m, j));
        }
    }
    return own;
}

static double drawn_sign(sal_rng *rng, bool both, bool stays)
{
    const double x = sal_rng_uniform(rng, stays ? -1 : 0, 2);
    return x < 0 ? 0 : x < 1 && both ? -1 : 1;
}

/* dq of the hinges that carry the body: those with actuators of their own, where there are such;
 * signs: NULL, or random; stays: some may stay. */
static void set_by(const gde_draft *f, int body, sal_rng *signs, bool stays, double *by)
{
    const sal_model *m = f->m;
    const bool own = chain_has_own(m, body);
    memset(by, 0, (size_t)m->nv * sizeof *by);
    for (int b = body; b > 0; b = m->body_parentid[b]) {
        for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; j++) {
            const double *range = m->jnt_range + 2 * j, half = half_range(m, j);
            const double q = f->pose[m->jnt_qposadr[j]], far = fmin(half / 2, FARTHEST);
            const double middle = (range[0] + range[1]) / 2;
            double sign = !m->jnt_limited[j] || q <= middle ? 1 : -1;
            const bool free = !m->jnt_limited[j] || fabs(q - sign * far - middle) <= half;
            sign *= signs == NULL ? 1 : drawn_sign(signs, free, stays);
            if (m->jnt_type[j] == SAL_JNT_HINGE && (own ? has_own(m, j) : half > 0)) {
                by[m->jnt_dofadr[j]] = sign * far;
            }
        }
    }
}

static bool is_clear(gde_draft *f, const double *by, double *q)
{
    const double allowed = depth_at(f, f->pose) + CLEAR;
    for (int k = 1; k <= POINTS; k++) {
        sal_integrate_pos(f->m, q, f->pose, by, (double)k / POINTS);
        if (depth_at(f, q) > allowed) {
            return false;
        }
    }
    return true;
}

/* The least time in which the actuators can follow it; NAN: none, or not that asked for. */
static double time_of(gde_draft *f, int body, const double *by, double *scratch)
{
    static const double usual[] = {1, 1.5, 2, 3, 4.5};
    const double asked = f->request->seconds;
    /* activations have a past; a loose joint does not follow */
    const bool unknown = f->m->na > 0 || loose_joint(f->m, body) >= 0;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        const double seconds = isnan(asked) ? usual[i] : asked;
        if (unknown || is_able(f, by, seconds, scratch)) {
            return seconds;
        }
    }
    return NAN;
}

/* With the usual signs, then others. */
static bool try_ways(gde_draft *f, int body, double share, bool stays, gde_way *way,
                     double *scratch)
{
    const sal_model *m = f->m;
    sal_rng rng = {1};
    for (int i = 0; i <= SIGNS; i++) {
        double farthest = 0;
        set_by(f, body, i == 0 ? NULL : &rng, stays, way->by);
        for (int dof = 0; dof < m->nv; dof++) {
            way->by[dof] *= share;
            farthest = fmax(farthest, fabs(way->by[dof]));
        }
        if (farthest > 0 && is_clear(f, way->by, scratch)) {
            way->seconds = time_of(f, body, way->by, scratch);
            if (!isnan(way->seconds)) {
                return true;
            }
        }
    }
    return false;
}

void gde_find_way(gde_draft *f, int body, gde_way *way)
{
    const size_t room = (size_t)(f->m->nq > 2 * f->m->nv ? f->m->nq : 2 * f->m->nv);
    double *scratch = sal_alloc(room, sizeof *scratch);
    f->out->failed = f->out->failed || scratch == NULL;
    for (int stays = 0; stays < 2 && scratch != NULL; stays++) {
        for (int halved = 0; halved < 3 && !way->found; halved++) {
            way->found = try_ways(f, body, ldexp(1, -halved), stays == 1, way, scratch);
        }
    }
    if (!way->found) {
        set_by(f, body, NULL, false, way->by);
        way->seconds = gde_seconds(f, 1);
        gde_note(f, "no way of the arm was found that hits nothing and that its actuators can "
                    "follow: the target may be out of reach");
    }
    const int loose = loose_joint(f->m, body);
    if (loose >= 0) {
        char joint[SAL_LABEL_MAX];
        gde_note(f,
                 "%s has neither actuator nor spring: the arm may not come to rest at the target",
                 sal_model_label(f->m, SAL_OBJ_JOINT, loose, joint));
    }
    sal_free(scratch);
    sal_integrate_pos(f->m, f->d->qpos, f->pose, way->by, 1);
    sal_kinematics(f->m, f->d);
}
