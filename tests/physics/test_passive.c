/* Passive forces, energy and Jacobians without an oracle: forces are gradients of the energy,
 * slopes and Jacobians are those of differences, what a written model says is what it was. (Beside
 * MuJoCo 3.12: smooth_312.mjs.) */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/fluid.h"
#include "physics/implicit/slope.h"
#include "physics/physics.h"
#include "physics/stages.h"

enum { NVMAX = 40, STATES = 10 };

static sal_model *load(const char *name)
{
    char path[1024];
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/tests/physics/states/%s.xml", root == NULL ? ".." : root, name);
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    if (m == NULL || m->nv > NVMAX) {
        printf("%s: %s\n", path, err.message);
        exit(1);
    }
    return m;
}

static sal_data *data_of(const sal_model *m)
{
    sal_data *d = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_data_new(&d, m, &err), err);
    return d;
}

static void random_state(const sal_model *m, sal_data *d, int k)
{
    sal_rng rng = {(uint64_t)k + 77};
    double step[NVMAX];
    for (int i = 0; i < m->nv; i++) {
        step[i] = sal_rng_uniform(&rng, -0.7, 0.7);
        d->qvel[i] = sal_rng_uniform(&rng, -2, 2);
    }
    sal_integrate_pos(m, d->qpos, m->qpos0, step, 1);
}

static void evaluate(const sal_model *m, sal_data *d)
{
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    sal_crb(m, d);
    d->ncon = d->nefc = 0;
    sal_velocity(m, d);
}

/* q := q (+) eps e_i */
static void nudge(const sal_model *m, double *q, const double *from, int i, double eps)
{
    double e[NVMAX] = {0};
    e[i] = eps;
    sal_integrate_pos(m, q, from, e, 1);
}

static double potential_at(const sal_model *m, sal_data *d, const double *q, int i, double eps)
{
    nudge(m, d->qpos, q, i, eps);
    evaluate(m, d);
    sal_energy(m, d);
    return d->energy[0];
}

/* ---- forces ---- */

/* At rest, passive - bias = -dV/dq: springs and gravity, without what carries weight for
 * nothing. */
static void forces_are_gradients(const char *name)
{
    sal_model *m = load(name);
    sal_data *d = data_of(m);
    double q[NVMAX + 20], force[NVMAX], worst = 0;
    m->ngravcomp = 0;
    m->opt.density = m->opt.viscosity = 0;
    for (int k = 0; k < STATES; k++) {
        random_state(m, d, k);
        memset(d->qvel, 0, (size_t)m->nv * sizeof *d->qvel);
        memcpy(q, d->qpos, (size_t)m->nq * sizeof *q);
        evaluate(m, d);
        for (int i = 0; i < m->nv; i++) {
            force[i] = d->qfrc_passive[i] - d->qfrc_bias[i];
        }
        for (int i = 0; i < m->nv; i++) {
            const double eps = 1e-5, up = potential_at(m, d, q, i, eps);
            const double slope = (up - potential_at(m, d, q, i, -eps)) / (2 * eps);
            worst = fmax(worst, fabs(force[i] + slope) / (1 + fabs(slope)));
        }
        memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
    }
    printf("     %s: off by %.0e\n", name, worst);
    CHECK(worst < 1e-7);
    sal_data_free(d);
    sal_model_free(m);
}

static void springs_and_gravity_have_a_potential(void)
{
    forces_are_gradients("springs");
    forces_are_gradients("tendon_armature");
    forces_are_gradients("rows");
}

/* Undamped springs of every kind swing for ever. */
static void energy_is_kept(void)
{
    sal_model *m = load("springs");
    sal_data *d = data_of(m);
    sal_err err = {SAL_OK, ""};
    m->opt.disable |= SAL_DSBL_DAMPER;
    m->opt.enable |= SAL_ENBL_ENERGY;
    m->opt.integrator = SAL_INT_RK4;
    m->opt.timestep = 1e-4;
    m->ngravcomp = 0;
    random_state(m, d, 3);
    evaluate(m, d);
    const double begin = d->energy[0] + d->energy[1], kinetic = d->energy[1];
    double most = 0;
    for (int k = 0; k < 2000; k++) {
        CHECK_OK(sal_step(m, d, &err), err);
        most = fmax(most, fabs(d->energy[1] - kinetic));
    }
    evaluate(m, d);
    printf("     of %g J, %g turned over, %.0e lost\n", begin, most,
           fabs(d->energy[0] + d->energy[1] - begin));
    CHECK(most > 1);
    CHECK_NEAR(d->energy[0] + d->energy[1], begin, 1e-9 * fabs(begin));
    sal_data_free(d);
    sal_model_free(m);
}

static void flags_take_forces_away(void)
{
    sal_model *m = load("springs");
    sal_data *d = data_of(m);
    double all[NVMAX], worst = 0, size = 0;
    random_state(m, d, 1);
    evaluate(m, d);
    memcpy(all, d->qfrc_passive, (size_t)m->nv * sizeof *all);
    m->opt.disable |= SAL_DSBL_SPRING; /* dampers and gravity compensation */
    evaluate(m, d);
    for (int i = 0; i < m->nv; i++) {
        all[i] -= d->qfrc_passive[i];
    }
    m->opt.disable ^= SAL_DSBL_SPRING | SAL_DSBL_DAMPER; /* springs and gravity compensation */
    evaluate(m, d);
    for (int i = 0; i < m->nv; i++) { /* so this is what carries weight */
        const double own = m->jnt_actgravcomp[m->dof_jntid[i]] ? 0 : d->qfrc_gravcomp[i];
        worst = fmax(worst, fabs(d->qfrc_passive[i] - own - all[i]));
        size = fmax(size, fabs(own));
    }
    CHECK(worst < 1e-10 && size > 1);
    m->opt.disable |= SAL_DSBL_SPRING | SAL_DSBL_DAMPER; /* nothing */
    evaluate(m, d);
    for (int i = 0; i < m->nv; i++) {
        CHECK(d->qfrc_passive[i] == 0 && d->qfrc_gravcomp[i] == 0);
    }
    sal_data_free(d);
    sal_model_free(m);
}

/* A body carried by its own weight falls as if there were no gravity. */
static void full_compensation_floats(void)
{
    static const char text[] =
        "<mujoco><worldbody><body gravcomp='1'><freejoint/><geom size='.1'/><body pos='1 0 0'>"
        "<geom size='.2'/></body><body pos='0 1 0' gravcomp='2'><geom size='.2'/></body></body>"
        "</worldbody></mujoco>";
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(&m, "t.xml", text, strlen(text), NULL, NULL, &err), err);
    sal_data *d = data_of(m);
    CHECK_OK(sal_forward(m, d, &err), err);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(d->qfrc_passive[i] - d->qfrc_bias[i], 0, 1e-10);
    }
    /* the fixed one of the two equal arms is not carried, the other doubly: a couple about the
     * middle */
    const double arm = m->body_mass[2] * 9.81;
    CHECK_NEAR(d->qfrc_passive[3] - d->qfrc_bias[3], arm, 1e-9 * arm);
    CHECK_NEAR(d->qfrc_passive[4] - d->qfrc_bias[4], arm, 1e-9 * arm);
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- the medium ---- */

static void slopes_of_the_medium_are_those_of_differences(void)
{
    sal_model *m = load("fluid");
    sal_data *d = data_of(m);
    double *block = sal_alloc(2 * (size_t)m->nM, sizeof *block), worst = 0, size = 0;
    const phy_slope D = {block, block + m->nM};
    for (int k = 0; k < STATES; k++) {
        double up[NVMAX];
        random_state(m, d, k);
        evaluate(m, d);
        memset(block, 0, 2 * (size_t)m->nM * sizeof *block);
        phy_slope_add_fluid(m, d, D, false);
        for (int j = 0; j < m->nv; j++) {
            const double eps = 1e-6, v = d->qvel[j];
            double e[NVMAX] = {0}, column[NVMAX];
            d->qvel[j] = v + eps;
            evaluate(m, d);
            memcpy(up, d->qfrc_passive, sizeof(double) * (size_t)m->nv);
            d->qvel[j] = v - eps;
            evaluate(m, d);
            d->qvel[j] = v;
            e[j] = 1;
            phy_slope_mul(m, D, column, e);
            for (int i = 0; i < m->nv; i++) {
                const double slope = (up[i] - d->qfrc_passive[i]) / (2 * eps);
                worst = fmax(worst, fabs(slope - column[i]));
                size = fmax(size, fabs(slope));
            }
        }
    }
    printf("     off by %.0e of %.0f\n", worst, size);
    CHECK(worst < 1e-7 * size && size > 1);
    sal_free(block);
    sal_data_free(d);
    sal_model_free(m);
}

/* A sphere in a viscous medium: Stokes' drag 6 pi eta r u with the model's 3 pi beta D, D = 2r. A
 * resting medium that is blown along with the body does nothing. */
static void spheres_meet_the_drag_of_stokes(void)
{
    static const char text[] =
        "<mujoco><option viscosity='0.3' gravity='0 0 0'/><worldbody><body><freejoint/>"
        "<geom size='.1' fluidshape='ellipsoid'/></body></worldbody></mujoco>";
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(&m, "t.xml", text, strlen(text), NULL, NULL, &err), err);
    sal_data *d = data_of(m);
    const double drag = 6 * 3.14159265358979323846 * 0.3 * 0.1;
    sal_v3_set(d->qvel, 1, -2, 0.5);
    evaluate(m, d);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(d->qfrc_passive[i], -drag * d->qvel[i], 1e-14);
    }
    m->opt.density = 1000;
    sal_v3_copy(m->opt.wind, d->qvel);
    evaluate(m, d);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(d->qfrc_passive[i], 0, 1e-13);
    }
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- Jacobians ---- */

/* Where the things are whose Jacobians are asked for: a point of each body, its subtree's centre,
 * geoms, sites. */
static int places(const sal_model *m, const sal_data *d, double *x)
{
    int n = 0;
    for (int b = 0; b < m->nbody; b++) {
        sal_v3_copy(x + 3 * n++, d->xpos + 3 * b);
        sal_v3_copy(x + 3 * n++, d->xipos + 3 * b);
        sal_v3_copy(x + 3 * n++, d->subtree_com + 3 * b);
    }
    memcpy(x + 3 * n, d->geom_xpos, 3 * (size_t)m->ngeom * sizeof *x);
    n += m->ngeom;
    memcpy(x + 3 * n, d->site_xpos, 3 * (size_t)m->nsite * sizeof *x);
    return n + m->nsite;
}

/* The Jacobian of place number p, as `places` counts them */
static void jacobian_of(const sal_model *m, const sal_data *d, int p, double *jac)
{
    const int b = p / 3, g = p - 3 * m->nbody, s = g - m->ngeom;
    if (b < m->nbody && p % 3 == 0) {
        sal_jac_body(m, d, jac, NULL, b);
    } else if (b < m->nbody && p % 3 == 1) {
        sal_jac_body_com(m, d, jac, NULL, b);
    } else if (b < m->nbody) {
        sal_jac_subtree_com(m, d, jac, b);
    } else if (g < m->ngeom) {
        sal_jac_geom(m, d, jac, NULL, g);
    } else {
        sal_jac_site(m, d, jac, NULL, s);
    }
}

static void jacobians_are_those_of_differences(void)
{
    enum { PLACES = 60 };
    sal_model *m = load("springs");
    sal_data *d = data_of(m), *near = data_of(m);
    double up[3 * PLACES], down[3 * PLACES], jac[3 * NVMAX], worst = 0;
    for (int k = 0; k < STATES; k++) {
        random_state(m, d, k);
        evaluate(m, d);
        const int n = places(m, d, up);
        CHECK(n <= PLACES);
        for (int i = 0; i < m->nv; i++) {
            const double eps = 1e-5;
            nudge(m, near->qpos, d->qpos, i, eps);
            evaluate(m, near);
            places(m, near, up);
            nudge(m, near->qpos, d->qpos, i, -eps);
            evaluate(m, near);
            places(m, near, down);
            for (int p = 0; p < n; p++) {
                jacobian_of(m, d, p, jac);
                for (int x = 0; x < 3; x++) {
                    const double slope = (up[3 * p + x] - down[3 * p + x]) / (2 * eps);
                    worst = fmax(worst, fabs(slope - jac[x * m->nv + i]));
                }
            }
        }
    }
    printf("     off by %.0e\n", worst);
    CHECK(worst < 1e-9);
    sal_data_free(near);
    sal_data_free(d);
    sal_model_free(m);
}

/* d/dt J, by the Jacobians a moment later and before; velocities and angular momenta are J v. */
static void rates_of_jacobians_are_those_of_differences(void)
{
    sal_model *m = load("springs");
    sal_data *d = data_of(m), *near = data_of(m);
    double dot[6 * NVMAX], up[6 * NVMAX], down[6 * NVMAX], matrix[3 * NVMAX], worst = 0;
    const int n = m->nv;
    for (int k = 0; k < STATES; k++) {
        const double eps = 1e-5;
        random_state(m, d, k);
        evaluate(m, d);
        phy_subtree_velocity(m, d);
        for (int b = 1; b < m->nbody; b++) {
            double linear[3], angular[3], momentum;
            sal_jac_dot(m, d, dot, dot + 3 * n, d->xipos + 3 * b, b);
            sal_integrate_pos(m, near->qpos, d->qpos, d->qvel, eps);
            evaluate(m, near);
            sal_jac_body_com(m, near, up, up + 3 * n, b);
            sal_integrate_pos(m, near->qpos, d->qpos, d->qvel, -eps);
            evaluate(m, near);
            sal_jac_body_com(m, near, down, down + 3 * n, b);
            for (int i = 0; i < 6 * n; i++) {
                worst = fmax(worst, fabs(dot[i] - (up[i] - down[i]) / (2 * eps)));
            }
            sal_jac_body_com(m, d, up, up + 3 * n, b);
            sal_angular_momentum_matrix(m, d, matrix, b);
            sal_object_velocity(m, d, linear, angular, SAL_OBJ_BODY, b, false);
            for (int x = 0; x < 3; x++) {
                momentum = 0;
                for (int i = 0; i < n; i++) {
                    linear[x] -= up[x * n + i] * d->qvel[i];
                    angular[x] -= up[(3 + x) * n + i] * d->qvel[i];
                    momentum += matrix[x * n + i] * d->qvel[i];
                }
                CHECK(fabs(linear[x]) < 1e-12 && fabs(angular[x]) < 1e-12);
                CHECK_NEAR(momentum, d->subtree_angmom[3 * b + x], 1e-11);
            }
        }
    }
    printf("     off by %.0e\n", worst);
    CHECK(worst < 1e-7);
    sal_data_free(near);
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- written models ---- */

static void writes_itself(const char *name)
{
    sal_model *m = load(name), *again = NULL;
    sal_text text = {0};
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_write(m, &text, &err), err);
    CHECK_OK(sal_model_parse(&again, name, text.data, strlen(text.data), NULL, NULL, &err), err);
    sal_data *d = data_of(m), *e = data_of(again);
    CHECK(m->opt.enable == again->opt.enable && m->opt.disable == again->opt.disable);
    double worst = 0;
    for (int k = 0; k < STATES; k++) {
        random_state(m, d, k);
        random_state(again, e, k);
        CHECK_OK(sal_inverse(m, d, &err), err);
        CHECK_OK(sal_inverse(again, e, &err), err);
        double scale = 1;
        for (int i = 0; i < m->nv; i++) {
            scale = fmax(scale, fabs(d->qfrc_inverse[i]));
        }
        for (int i = 0; i < m->nv; i++) {
            worst = fmax(worst, fabs(d->qfrc_passive[i] - e->qfrc_passive[i]) / scale);
            worst = fmax(worst, fabs(d->qfrc_gravcomp[i] - e->qfrc_gravcomp[i]) / scale);
            worst = fmax(worst, fabs(d->qfrc_inverse[i] - e->qfrc_inverse[i]) / scale);
        }
    }
    printf("     %s: off by %.0e\n", name, worst);
    CHECK(worst < 1e-12);
    sal_text_clear(&text);
    sal_data_free(e);
    sal_data_free(d);
    sal_model_free(again);
    sal_model_free(m);
}

static void written_models_move_the_same(void)
{
    static const char *const names[] = {"springs", "fluid",      "tendon_armature",
                                        "rows",    "rows_exact", "rows_override"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        writes_itself(names[i]);
    }
}

int main(void)
{
    RUN(springs_and_gravity_have_a_potential);
    RUN(energy_is_kept);
    RUN(flags_take_forces_away);
    RUN(full_compensation_floats);
    RUN(slopes_of_the_medium_are_those_of_differences);
    RUN(spheres_meet_the_drag_of_stokes);
    RUN(jacobians_are_those_of_differences);
    RUN(rates_of_jacobians_are_those_of_differences);
    RUN(written_models_move_the_same);
    return check_done();
}
