/* Tendons without an oracle: J is the gradient of the length, wraps are the shortest way, armature
 * is inertia, springs have a dead band. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"
#include "physics/tendon.h"

static const char arm[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><site name='q' pos='0 0.1 1.2'/>"
    "<geom name='roll' type='cylinder' size='0.06 0.2' euler='90 0 0' pos='0 0 1' contype='0'"
    " conaffinity='0'/><site name='w' pos='-0.3 0.02 0.9'/>"
    "<body pos='0 0 1'><joint name='j1' axis='0 1 0.1'/>"
    "<geom type='capsule' fromto='0 0 0 0.3 0 0.1' size='0.03' contype='0' conaffinity='0'/>"
    "<geom name='ball' size='0.05' pos='0.35 0 0.1' contype='0' conaffinity='0'/>"
    "<site name='u' pos='0.2 0.03 0.1'/><body pos='0.35 0 0.1'><joint name='j2' axis='0 1 0'/>"
    "<joint name='j3' type='slide' axis='1 0 0'/>"
    "<geom type='box' size='0.1 0.05 0.04' pos='0.1 0 0' contype='0' conaffinity='0'/>"
    "<site name='p' pos='0.2 0.01 0'/></body></body></worldbody><tendon>%s</tendon></mujoco>";

static void open_arm(sal_model **m, sal_data **d, const char *tendons)
{
    char text[4000];
    sal_err err = {SAL_OK, ""};
    snprintf(text, sizeof text, arm, tendons);
    CHECK_OK(sal_model_parse(m, "arm.xml", text, strlen(text), NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(d, *m, &err), err);
}

static void random_state(const sal_model *m, sal_data *d, int k)
{
    sal_rng rng = {(uint64_t)k};
    for (int i = 0; i < m->nv; i++) {
        d->qpos[i] = sal_rng_uniform(&rng, -0.8, 0.8);
        d->qvel[i] = sal_rng_uniform(&rng, -2, 2);
        d->qacc[i] = sal_rng_uniform(&rng, -3, 3);
    }
}

static void evaluate(const sal_model *m, sal_data *d)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_inverse(m, d, &err), err);
}

static void jacobian_is_the_gradient_of_the_length(void)
{
    sal_model *m;
    sal_data *d;
    open_arm(&m, &d,
             "<spatial><site site='w'/><geom geom='roll'/><site site='u'/>"
             "<pulley divisor='2'/><site site='u'/><geom geom='ball'/><site site='p'/>"
             "<pulley divisor='3'/><site site='q'/><site site='p'/></spatial>"
             "<fixed><joint joint='j3' coef='2'/><joint joint='j1' coef='-0.5'/></fixed>");
    for (int k = 0; k < 200; k++) {
        double J[2][3] = {{0}};
        random_state(m, d, k);
        evaluate(m, d);
        for (int t = 0; t < 2; t++) {
            for (int i = 0; i < m->tendon_Jnum[t]; i++) {
                J[t][m->ten_dof[m->tendon_Jadr[t] + i]] = d->ten_J[m->tendon_Jadr[t] + i];
            }
        }
        for (int i = 0; i < 3; i++) {
            const double q = d->qpos[i], eps = 1e-6;
            double length[2][2];
            for (int side = 0; side < 2; side++) {
                d->qpos[i] = q + (side == 0 ? -eps : eps);
                evaluate(m, d);
                memcpy(length[side], d->ten_length, sizeof length[side]);
            }
            d->qpos[i] = q;
            for (int t = 0; t < 2; t++) {
                CHECK_NEAR((length[1][t] - length[0][t]) / (2 * eps), J[t][i], 1e-7);
            }
        }
    }
    sal_data_free(d);
    sal_model_free(m);
}

/* In the plane of the centre and both ends: two tangents, and what is left of the angle between the
 * ends. */
static void sphere_is_wrapped_the_shortest_way(void)
{
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0, 0, 0};
    const double r = 0.5;
    const phy_roller ball = {zero, unit, r, false};
    int wraps = 0;
    for (int k = 0; k < 2000; k++) {
        sal_rng rng = {(uint64_t)k};
        double p[2][3], meet[3], leave[3], part[3];
        for (int i = 0; i < 6; i++) {
            p[i / 3][i % 3] = sal_rng_uniform(&rng, -1, 1);
        }
        const double n0 = sal_v3_norm(p[0]), n1 = sal_v3_norm(p[1]);
        if (n0 < r || n1 < r) {
            continue;
        }
        const double arc = phy_tendon_wrap(meet, leave, p[0], p[1], NULL, &ball);
        const double angle = acos(sal_v3_dot(p[0], p[1]) / (n0 * n1));
        const double left = angle - acos(r / n0) - acos(r / n1);
        CHECK((arc >= 0) == (left > 0));
        if (arc >= 0) {
            wraps++;
            CHECK_NEAR(arc, r * left, 1e-12);
            sal_v3_sub(part, meet, p[0]);
            CHECK_NEAR(sal_v3_norm(part), sqrt(n0 * n0 - r * r), 1e-12);
            sal_v3_sub(part, leave, p[1]);
            CHECK_NEAR(sal_v3_norm(part), sqrt(n1 * n1 - r * r), 1e-12);
        }
    }
    CHECK(wraps > 100);
}

/* qfrc_inverse with armature c is that without, + c J' d(ldot)/dt along the motion. */
static void armature_is_inertia_of_the_length(void)
{
    sal_model *m;
    sal_data *d;
    open_arm(&m, &d,
             "<spatial armature='0.4'><site site='q'/><site site='p'/><site site='u'/>"
             "<pulley divisor='2'/><site site='w'/><site site='u'/></spatial>"
             "<fixed armature='0.3'><joint joint='j3' coef='2'/><joint joint='j1' coef='-0.5'/>"
             "</fixed>");
    for (int k = 0; k < 50; k++) {
        double with[3], q[3], v[3], want[3] = {0}, rate[2] = {0};
        const double eps = 1e-5;
        random_state(m, d, k);
        memcpy(q, d->qpos, sizeof q);
        memcpy(v, d->qvel, sizeof v);
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < 3; i++) {
                const double t = side * eps;
                d->qpos[i] = q[i] + t * v[i] + 0.5 * t * t * d->qacc[i];
                d->qvel[i] = v[i] + t * d->qacc[i];
            }
            evaluate(m, d);
            for (int t = 0; t < 2; t++) {
                rate[t] += side * d->ten_velocity[t] / (2 * eps);
            }
        }
        memcpy(d->qpos, q, sizeof q);
        memcpy(d->qvel, v, sizeof v);
        evaluate(m, d);
        memcpy(with, d->qfrc_inverse, sizeof with);
        for (int t = 0; t < 2; t++) {
            phy_tendon_pull(m, d, want, t, m->tendon_armature[t] * rate[t]);
        }
        const double kept[2] = {m->tendon_armature[0], m->tendon_armature[1]};
        m->tendon_armature[0] = m->tendon_armature[1] = 0;
        evaluate(m, d);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(with[i] - d->qfrc_inverse[i], want[i], 1e-7 * (1 + fabs(want[i])));
        }
        m->tendon_armature[0] = kept[0], m->tendon_armature[1] = kept[1];
    }
    sal_data_free(d);
    sal_model_free(m);
}

static void springs_rest_in_their_band(void)
{
    sal_model *m;
    sal_data *d;
    open_arm(&m, &d,
             "<fixed stiffness='3' damping='2' springlength='-0.1 0.2'>"
             "<joint joint='j3' coef='2'/></fixed>"
             "<fixed stiffness='5' springlength='0.1'><joint joint='j1' coef='1'/></fixed>");
    const double q[3] = {-0.2, 0, 0.3}, force[3] = {-3 * (-0.4 + 0.1), 0, -3 * (0.6 - 0.2)};
    for (int k = 0; k < 3; k++) {
        d->qpos[2] = q[k];
        d->qvel[2] = 0.25;
        evaluate(m, d);
        CHECK_NEAR(d->qfrc_passive[2], 2 * (force[k] - 2 * 2 * 0.25), 1e-14);
        CHECK_NEAR(d->qfrc_passive[0], 0.5, 1e-14);
    }
    sal_data_free(d);
    sal_model_free(m);
}

/* As in MuJoCo: each branch gets its own share, and a warning says that they are not coupled. */
/* One site lies on the axis of the joint between its body and the other's: the length does not
 * change. */
static void tendon_that_nothing_moves_has_no_force(void)
{
    static const char xml[] =
        "<mujoco><worldbody><body pos='.1 .2 1.3'><joint axis='.3 1 .2' pos='.05 .01 0'/>"
        "<joint axis='1 .1 .7' pos='-.06 0 .1'/><joint type='slide' axis='.2 .3 1'/>"
        "<geom size='.1' pos='.11 .02 0'/><site name='a' pos='.13 -.07 .17'/>"
        "<body pos='.21 .13 -.1' euler='10 20 30'><joint axis='.2 -.7 .5'/>"
        "<geom size='.1' pos='0 .1 .1'/><site name='b'/><site name='c' pos='0 .1 .02'/></body>"
        "</body></worldbody>"
        "<tendon><spatial range='0 .1'><site site='a'/><site site='b'/></spatial>"
        "<spatial range='0 .1'><site site='a'/><site site='c'/></spatial></tendon></mujoco>";
    sal_model *m;
    sal_data *d;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(&m, "still.xml", xml, strlen(xml), NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    for (int k = 0; k < 100; k++) {
        random_state(m, d, k);
        evaluate(m, d);
        CHECK(d->nefc == 1 && d->efc_id[0] == 1); /* that of the second tendon */
        for (int i = 0; i < m->tendon_Jnum[0]; i++) {
            CHECK(d->ten_J[m->tendon_Jadr[0] + i] == 0);
        }
        CHECK(d->ten_J[m->tendon_Jadr[1] + m->tendon_Jnum[1] - 1] != 0);
    }
    sal_data_free(d);
    sal_model_free(m);
}

static void armature_across_branches_is_warned_about(void)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='a'/><geom size='1'/></body><body><joint name='b'/>"
        "<geom size='1'/></body></worldbody><tendon><fixed armature='3'><joint joint='a' coef='1'/>"
        "<joint joint='b' coef='2'/></fixed></tendon></mujoco>";
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(&m, "t.xml", text, strlen(text), NULL, &diag, &err), err);
    CHECK(diag.nwarning == 1 && strstr(diag.text.data, "two branches") != NULL);
    CHECK_NEAR(m->meaninertia - m->dof_M0[0], 3 * (1 + 2 * 2) / 2.0, 1e-9);
    sal_diag_clear(&diag);
    sal_model_free(m);
}

int main(void)
{
    RUN(jacobian_is_the_gradient_of_the_length);
    RUN(sphere_is_wrapped_the_shortest_way);
    RUN(armature_is_inertia_of_the_length);
    RUN(springs_rest_in_their_band);
    RUN(tendon_that_nothing_moves_has_no_force);
    RUN(armature_across_branches_is_warned_about);
    return check_done();
}
