/* Adding and subtracting configurations. */
#include "tests/check.h"

#include "base/house.h"
#include "physics/physics.h"

enum { NQ = 7 + 4 + 1 + 1, NV = 6 + 3 + 1 + 1 };

/* A free joint, a ball, a slide and a hinge; only their addresses matter here. */
static sal_model *four_joints(void)
{
    static const int type[] = {SAL_JNT_FREE, SAL_JNT_BALL, SAL_JNT_SLIDE, SAL_JNT_HINGE};
    static const int qadr[] = {0, 7, 11, 12}, vadr[] = {0, 6, 9, 10};
    sal_model *m = sal_alloc(1, sizeof *m);
    sal_err err = {SAL_OK, ""};
    m->nq = NQ, m->nv = NV, m->njnt = 4, m->nbody = 1, m->nnames = 1;
    CHECK_OK(sal_model_allocate(m, &err), err);
    memcpy(m->jnt_type, type, sizeof type);
    memcpy(m->jnt_qposadr, qadr, sizeof qadr);
    memcpy(m->jnt_dofadr, vadr, sizeof vadr);
    return m;
}

static void random_pos(const sal_model *m, sal_rng *rng, double q[NQ])
{
    for (int i = 0; i < NQ; i++) {
        q[i] = sal_rng_uniform(rng, -1, 1);
    }
    sal_normalise_pos(m, q);
}

/* (q (+) h v) (-) q = h v, as long as no quaternion turns by more than half a turn */
static void difference_undoes_sum(void)
{
    sal_model *m = four_joints();
    sal_rng rng = {1};
    double q[NQ], q2[NQ], v[NV], back[NV];
    for (int k = 0; k < 1000; k++) {
        const double h = k % 2 == 0 ? 1 : 0.01;
        random_pos(m, &rng, q);
        for (int i = 0; i < NV; i++) {
            v[i] = sal_rng_uniform(&rng, -1.7, 1.7); /* |w| < 1.7 sqrt 3 < pi */
        }
        sal_integrate_pos(m, q2, q, v, h);
        sal_differentiate_pos(m, back, h, q, q2);
        for (int i = 0; i < NV; i++) {
            CHECK_NEAR(back[i], v[i], 1e-14 / h * 4);
        }
    }
    sal_model_free(m);
}

/* q1 (+) (q2 (-) q1) = q2, up to the sign of quaternions */
static void sum_undoes_difference(void)
{
    sal_model *m = four_joints();
    sal_rng rng = {2};
    double q1[NQ], q2[NQ], v[NV], back[NQ];
    for (int k = 0; k < 1000; k++) {
        random_pos(m, &rng, q1);
        random_pos(m, &rng, q2);
        sal_differentiate_pos(m, v, 0.1, q1, q2);
        sal_integrate_pos(m, back, q1, v, 0.1);
        for (int i = 0; i < NQ; i++) {
            const int first = i >= 3 && i < 7 ? 3 : i >= 7 && i < 11 ? 7 : -1;
            double dot = 1; /* of the quaternion that i belongs to */
            for (int a = first; first >= 0 && a < first + 4; a++) {
                dot = a == first ? q2[a] * back[a] : dot + q2[a] * back[a];
            }
            CHECK_NEAR(back[i], dot < 0 ? -q2[i] : q2[i], 1e-14);
        }
        CHECK(sal_v3_norm(v + 3) * 0.1 <= M_PI + 1e-14); /* the shortest way */
    }
    sal_model_free(m);
}

/* Worked by hand: a quarter turn about the body's y axis, which lies along the world's -x after the
 * first quarter turn about z. */
static void angular_velocity_is_in_body_axes(void)
{
    sal_model *m = four_joints();
    double q[NQ] = {0}, v[NV] = {0}, z[3] = {0, 0, 1}, x[3];
    const double h = sqrt(0.5);
    q[3] = h, q[6] = h; /* free joint: a quarter turn about z */
    q[7] = 1;
    v[0] = 2, v[4] = M_PI / 2, v[9] = 3, v[10] = -4;
    sal_integrate_pos(m, q, q, v, 1); /* in place */
    CHECK_NEAR(q[0], 2, 0);           /* linear velocity in world axes */
    sal_quat_rotate(x, q + 3, z);     /* body z: turned by a quarter about world -x, to world +y */
    CHECK_NEAR(x[0], 0, 1e-15);
    CHECK_NEAR(x[1], 1, 1e-15);
    CHECK_NEAR(x[2], 0, 1e-15);
    CHECK_NEAR(q[11], 3, 0);
    CHECK_NEAR(q[12], -4, 0);
    sal_model_free(m);
}

static void null_quaternion_becomes_the_identity(void)
{
    sal_model *m = four_joints();
    double q[NQ] = {0};
    q[3] = 2, q[4] = 0;
    sal_normalise_pos(m, q);
    CHECK_NEAR(q[3], 1, 0);
    CHECK_NEAR(q[7], 1, 0);
    sal_model_free(m);
}

int main(void)
{
    RUN(difference_undoes_sum);
    RUN(sum_undoes_difference);
    RUN(angular_velocity_is_in_body_axes);
    RUN(null_quaternion_becomes_the_identity);
    return check_done();
}
