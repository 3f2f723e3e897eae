/* complementarity and diagonal in whole mechanisms: both directions, the conditions that forces
 * obey, and what nothing may change. What bodies do by them: test_posthoc_bodies.c. */
#include "tests/check.h"
#include "tests/physics/deriv/lively.h"

#include "base/dense.h"
#include "base/house.h"
#include "base/memory.h"
#include "mjcf/mjcf.h"
#include "physics/abreast/abreast.h"

enum { NMAX = 64, ROWS = 200, STATES = 16, WEIGHTS = 3 };

static const char *const mechanisms[] = {"box", "hopper", "walker", "quadruped", "arm"};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };
static const int models[] = {SAL_CONTACT_COMPLEMENTARITY, SAL_CONTACT_DIAGONAL};

/* With dry friction, and damping that the step takes at its end; contacts of all dims. */
static sal_model *load(const char *name, int contact, double w_equality, double w_contact)
{
    sal_model *m = NULL;
    sal_contact_option o;
    sal_err err;
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.xml", getenv("SALTUS_ROOT"), name);
    if (sal_model_load(&m, path, NULL, NULL, &err) != SAL_OK) {
        printf("%s\n", err.message);
        exit(1);
    }
    m->opt.timestep = 0.01;
    for (int i = 0; i < m->nv; i++) {
        m->dof_frictionloss[i] = i % 3 == 1 ? 0.3 : 0;
        m->dof_damping[i] += 0.2;
    }
    for (int i = 0; i < m->npair; i++) {
        static const int dim[] = {3, 1, 4, 6};
        m->pair_dim[i] = dim[i % 4];
    }
    sal_model_capacity(m);
    sal_contact_defaults(&o, m, contact);
    o.weight[0] = w_equality;
    o.weight[1] = w_contact;
    CHECK_OK(sal_model_contact(m, &o, &err), err);
    return m;
}

static double size_of(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void push(const sal_model *m, sal_data *d, sal_rng *rng, double most)
{
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_applied[i] = sal_rng_uniform(rng, -most, most);
    }
    memset(d->ctrl, 0, (size_t)m->nu * sizeof *d->ctrl);
}

static void each(void (*test)(const sal_model *m, sal_data *d, const char *name),
                 const double weight[2])
{
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < MECHANISMS; i++) {
            sal_err err;
            sal_data *d = NULL;
            sal_model *m = load(mechanisms[i], models[k], weight[0], weight[1]);
            CHECK_OK(sal_data_new(&d, m, &err), err);
            test(m, d, mechanisms[i]);
            sal_data_free(d);
            sal_model_free(m);
        }
    }
}

/* ---- forward and inverse ---- */

/* tau -> a -> tau, and a -> tau -> a, 16 states of each mechanism */
static void undo_each_other(const sal_model *m, sal_data *d, const char *name)
{
    sal_rng rng = {23};
    double tau[NMAX], a[NMAX], force[ROWS], worst = 0, back = 0, forces = 0, residual = 0;
    int rows = 0, unsolved = 0;
    sal_err err;
    for (int k = 0; k < STATES; k++) {
        lively_state(m, d, k);
        push(m, d, &rng, 5);
        CHECK_OK(sal_forward(m, d, &err), err);
        rows += d->nefc;
        unsolved += !d->solver_converged;
        residual = fmax(residual, d->solver_gradient);
        for (int i = 0; i < m->nv; i++) {
            tau[i] = d->qfrc_applied[i] + d->qfrc_actuator[i];
            a[i] = d->qacc[i];
        }
        memcpy(force, d->efc_force, (size_t)d->nefc * sizeof *force);
        CHECK_OK(sal_inverse(m, d, &err), err);
        const double scale = fmax(size_of(d->qfrc_constraint, m->nv), size_of(d->qfrc_bias, m->nv));
        for (int i = 0; i < m->nv; i++) {
            worst = fmax(worst, fabs(d->qfrc_inverse[i] - tau[i]) / scale);
        }
        for (int i = 0; i < d->nefc; i++) {
            forces =
                fmax(forces, fabs(d->efc_force[i] - force[i]) / fmax(1, size_of(force, d->nefc)));
        }
        for (int i = 0; i < m->nv; i++) { /* another motion, and the force it needs */
            d->qacc[i] = a[i] += sal_rng_uniform(&rng, -20, 20);
        }
        CHECK_OK(sal_inverse(m, d, &err), err);
        for (int i = 0; i < m->nv; i++) {
            d->qfrc_applied[i] = d->qfrc_inverse[i] - d->qfrc_actuator[i];
        }
        CHECK_OK(sal_forward(m, d, &err), err);
        for (int i = 0; i < m->nv; i++) {
            back = fmax(back, fabs(d->qacc[i] - a[i]) / size_of(a, m->nv));
        }
    }
    printf("     %-15s w %3g %3g  %-9s %3d rows  force %.1e  motion %.1e  rows %.1e  residual %.1e "
           "(%d unsolved)\n",
           sal_contact_model_name(m->opt.contact.model), m->opt.contact.weight[0],
           m->opt.contact.weight[1], name, rows, worst, back, forces, residual, unsolved);
    CHECK(worst <= 1e-10 && back <= 1e-10 && forces <= 1e-9);
    CHECK(unsolved == 0 && rows > 0);
}

static void forward_and_inverse_undo_each_other(void)
{
    static const double weight[WEIGHTS][2] = {{100, 0}, {0, 0}, {10, 100}};
    for (int i = 0; i < WEIGHTS; i++) {
        each(undo_each_other, weight[i]);
    }
}

/* J_i [nv] */
static void dense_row(double *row, const sal_model *m, const sal_data *d, int i)
{
    memset(row, 0, (size_t)m->nv * sizeof *row);
    for (int e = d->efc_J_rowadr[i]; e < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; e++) {
        row[d->efc_J_colind[e]] = d->efc_J[e];
    }
}

/* M [nv x nv]: M + h diag(damping) + sum weight/A_ii J_i'J_i, over contacts and limits that carry a
 * force in d; returns how many rows do. (No mechanism here has equalities.) */
static int inertia_of_active(double *M, const sal_model *m, sal_data *d)
{
    static double L[NMAX * NMAX], row[NMAX], y[NMAX];
    const int n = m->nv;
    int active = 0;
    sal_full_m(m, d, M);
    for (int i = 0; i < n; i++) {
        M[i * n + i] += m->opt.timestep * m->dof_damping[i];
    }
    memcpy(L, M, (size_t)(n * n) * sizeof *M);
    CHECK(sal_dense_cholesky(L, n) == n);
    for (int i = 0; i < d->nefc; i++) {
        const int type = d->efc_type[i], id = d->efc_id[i];
        const int first = type == SAL_EFC_CONTACT_ELLIPTIC ? d->contact[id].efc_address : i;
        double A = 0;
        if (type == SAL_EFC_FRICTION_DOF || d->efc_force[first] == 0) {
            continue;
        }
        active++;
        dense_row(row, m, d, i);
        memcpy(y, row, sizeof y);
        sal_dense_cholesky_solve(y, L, n);
        for (int j = 0; j < n; j++) {
            A += row[j] * y[j];
        }
        for (int j = 0; j < n * n; j++) {
            M[j] += m->opt.contact.weight[1] / A * row[j / n] * row[j % n];
        }
    }
    return active;
}

static int all_active;

/* dtau/da, which a difference has exactly, since tau is linear in a */
static void larger_inertia(const sal_model *m, sal_data *d, const char *name)
{
    static double M[NMAX * NMAX], low[NMAX];
    sal_model *light = load(name, m->opt.contact.model, 0, 0);
    double worst = 0;
    int active = 0;
    sal_err err;
    const int n = m->nv;
    for (int k = 0; k < STATES; k++) {
        lively_state(m, d, k);
        memset(d->qfrc_applied, 0, (size_t)n * sizeof *d->qfrc_applied);
        CHECK_OK(sal_inverse(light, d, &err), err); /* efc_force = f/h */
        active += inertia_of_active(M, m, d);
        for (int j = 0; j < n; j++) {
            d->qacc[j] -= 0.5;
            CHECK_OK(sal_inverse(m, d, &err), err);
            memcpy(low, d->qfrc_inverse, sizeof *low * (size_t)n);
            d->qacc[j] += 1;
            CHECK_OK(sal_inverse(m, d, &err), err);
            d->qacc[j] -= 0.5;
            for (int i = 0; i < n; i++) {
                const double is = d->qfrc_inverse[i] - low[i];
                worst = fmax(worst, fabs(is - M[i * n + j]) / size_of(M, n * n));
            }
        }
    }
    printf("     %-15s %-9s %3d rows  %.1e\n", sal_contact_model_name(m->opt.contact.model), name,
           active, worst);
    CHECK(worst < 1e-9);
    all_active += active;
    sal_model_free(light);
}

static void acceleration_costs_the_larger_inertia(void)
{
    static const double weight[2] = {0, 40};
    all_active = 0;
    each(larger_inertia, weight);
    CHECK(all_active > 100);
}

/* ---- the conditions of complementarity ---- */

/* A limp mechanism after a step; w = J v^ above its reference, which for what touches is the speed
 * that closes the gap, or at most 0.2 m/s outward. */
static double violation_of_normal(double f, double w, double gap, double h)
{
    const double above = w - (gap > 0 ? -gap / h : fmin(-0.1 * gap / h, 0.2));
    return fmax(fmax(-f, -above), fmin(f, fabs(above)));
}

/* Of the tangents: outside the cone; with a sliding contact, not along -w or not on its border */
static double violation_of_friction(const double *f, const double *w, const double *mu, int dim)
{
    double reach = 0, slip = 0, power = 0;
    for (int j = 1; j < dim; j++) {
        reach += (f[j] / mu[j - 1]) * (f[j] / mu[j - 1]);
        slip += (mu[j - 1] * w[j]) * (mu[j - 1] * w[j]);
        power += f[j] * w[j];
    }
    /* f_t.w_t >= -f_0 |mu w_t|, with equality where it slips as it has to */
    return fmax(sqrt(reach) - f[0], sqrt(slip) > 1e-7 ? fabs(power + f[0] * sqrt(slip)) : 0);
}

/* Of the block that begins at row i, relative to the size of forces; w [nefc] */
static double violation_of_block(const sal_model *m, const sal_data *d, const double *w, int i)
{
    const double *f = d->efc_force + i, most = d->efc_frictionloss[i];
    if (d->efc_type[i] == SAL_EFC_FRICTION_DOF) {
        const double unlike = fabs(w[i]) > 1e-9 ? fabs(f[0] + copysign(most, w[i])) : 0;
        return fmax(fabs(f[0]) - most, unlike);
    }
    double e = violation_of_normal(f[0], w[i], d->efc_pos[i], m->opt.timestep);
    if (d->efc_type[i] == SAL_EFC_CONTACT_ELLIPTIC) {
        const sal_contact *c = d->contact + d->efc_id[i];
        const double *mu = m->pair_friction + (size_t)5 * (size_t)c->pair;
        e = fmax(e, violation_of_friction(f, w + i, mu, c->dim));
    }
    return e;
}

/* Forces and next velocities of the mechanism without any input */
static void step_limp(const sal_model *m, sal_data *d, double *w)
{
    double v[NMAX] = {0}, row[NMAX] = {0};
    sal_err err;
    memset(d->qfrc_applied, 0, (size_t)m->nv * sizeof *d->qfrc_applied);
    memset(d->ctrl, 0, (size_t)m->nu * sizeof *d->ctrl);
    CHECK_OK(sal_forward(m, d, &err), err);
    for (int i = 0; i < m->nv; i++) { /* servos */
        d->qfrc_applied[i] = -d->qfrc_actuator[i];
    }
    CHECK_OK(sal_forward(m, d, &err), err);
    for (int i = 0; i < m->nv; i++) {
        v[i] = d->qvel[i] + m->opt.timestep * d->qacc[i];
    }
    for (int i = 0; i < d->nefc; i++) {
        dense_row(row, m, d, i);
        w[i] = 0;
        for (int j = 0; j < m->nv; j++) {
            w[i] += row[j] * v[j];
        }
    }
}

static bool begins(const sal_data *d, int row)
{
    return d->efc_type[row] != SAL_EFC_CONTACT_ELLIPTIC ||
           d->contact[d->efc_id[row]].efc_address == row;
}

static void obeys(const sal_model *m, sal_data *d, const char *name)
{
    double w[ROWS] = {0}, worst = 0;
    int rows = 0, sliding = 0;
    if (m->opt.contact.model != SAL_CONTACT_COMPLEMENTARITY) {
        return;
    }
    for (int k = 0; k < STATES; k++) {
        lively_state(m, d, k);
        step_limp(m, d, w);
        const double scale = fmax(1, size_of(d->efc_force, d->nefc));
        for (int i = 0; i < d->nefc && d->solver_converged; i++) {
            if (begins(d, i)) {
                worst = fmax(worst, violation_of_block(m, d, w, i) / scale);
                sliding += d->efc_state[i] == SAL_EFC_CONE;
            }
        }
        rows += d->nefc;
    }
    printf("     %-9s %3d rows, %2d sliding contacts: %.1e\n", name, rows, sliding, worst);
    CHECK(worst < 1e-7);
}

static void forces_of_the_limp_mechanism_obey_the_conditions(void)
{
    static const double weight[2] = {0, 0};
    each(obeys, weight);
}

/* ---- what nothing may change ---- */

static void steps(const sal_model *m, sal_data *d, const char *name)
{
    double q[2][NMAX], v[2][NMAX];
    sal_err err;
    int rows = 0;
    sal_data_reset(m, d);
    const long before = sal_alloc_count();
    for (int run = 0; run < 2; run++) {
        sal_rng rng = {5};
        sal_data_reset(m, d);
        for (int k = 0; k < 60; k++) {
            push(m, d, &rng, 3);
            CHECK_OK(sal_step(m, d, &err), err);
            CHECK_OK(sal_inverse(m, d, &err), err);
            rows += d->nefc;
        }
        memcpy(q[run], d->qpos, (size_t)m->nq * sizeof(double));
        memcpy(v[run], d->qvel, (size_t)m->nv * sizeof(double));
    }
    CHECK(sal_alloc_count() == before);
    CHECK(memcmp(q[0], q[1], (size_t)m->nq * sizeof(double)) == 0);
    CHECK(memcmp(v[0], v[1], (size_t)m->nv * sizeof(double)) == 0);
    CHECK(d->arena.need <= d->arena.size);
    printf("     %-15s %-9s %d rows in 120 steps, scratch %zu of %zu bytes\n",
           sal_contact_model_name(m->opt.contact.model), name, rows, d->arena.need, d->arena.size);
}

static void steps_are_the_same_bits_and_allocate_nothing(void)
{
    static const double weight[2] = {100, 10};
    each(steps, weight);
}

/* Several instants side by side have the bits of one */
static void abreast(const sal_model *m, sal_data *d, const char *name)
{
    phy_abreast *w = NULL;
    sal_err err;
    CHECK_OK(phy_abreast_new(&w, m, &err), err);
    const int n = phy_abreast_width(w);
    (void)name;
    for (int i = 0; i < n; i++) {
        sal_data *at = phy_abreast_data(w, i);
        lively_state(m, d, i);
        memcpy(at->qpos, d->qpos, (size_t)m->nq * sizeof(double));
        memcpy(at->qvel, d->qvel, (size_t)m->nv * sizeof(double));
        memcpy(at->qacc, d->qacc, (size_t)m->nv * sizeof(double));
    }
    phy_abreast_place(w, m, n, true);
    for (int i = 0; i < n; i++) {
        lively_state(m, d, i);
        CHECK_OK(phy_abreast_inverse(w, m, i, &err), err);
        CHECK_OK(sal_inverse(m, d, &err), err);
        CHECK(memcmp(d->qfrc_inverse, phy_abreast_data(w, i)->qfrc_inverse,
                     (size_t)m->nv * sizeof(double)) == 0);
    }
    phy_abreast_free(w);
}

static void instants_side_by_side_are_the_same(void)
{
    static const double weight[2] = {100, 10};
    each(abreast, weight);
}

/* ---- what cannot be ---- */

static void derivative_is_refused(const sal_model *m, sal_data *d, const char *name)
{
    static double D[3][NMAX * NMAX];
    sal_err err = {0};
    lively_state(m, d, 1);
    CHECK_OK(sal_inverse(m, d, &err), err);
    CHECK(sal_inverse_deriv(m, d, D[0], D[1], D[2], &err) == SAL_UNSUPPORTED);
    CHECK(strstr(err.message, "use soft, logbarrier, convex or hard") != NULL);
    CHECK(sal_inverse_discrete_deriv(m, d, D[0], D[1], D[2], d->qacc, &err) == SAL_UNSUPPORTED);
    CHECK(!sal_contact_model_is_invertible(m->opt.contact.model));
    (void)name;
}

static void derivatives_are_refused(void)
{
    static const double weight[2] = {100, 0};
    each(derivative_is_refused, weight);
    CHECK(sal_contact_model_is_invertible(SAL_CONTACT_SOFT));
    CHECK(sal_contact_model_is_invertible(SAL_CONTACT_CONVEX));
    CHECK(!sal_contact_model_is_invertible(-1));
    CHECK(!sal_contact_model_is_invertible(SAL_NCONTACTMODELS));
}

/* Friction none and huge; numbers that are not finite; nothing that touches */
static void degenerate(const sal_model *m, sal_data *d, const char *name)
{
    sal_model *other = NULL;
    sal_err err;
    const double extreme[] = {0, 1e3};
    CHECK_OK(sal_model_copy(&other, m, &err), err);
    for (int e = 0; e < 2; e++) {
        int unsolved = 0;
        for (int i = 0; i < 5 * m->npair; i++) {
            other->pair_friction[i] = extreme[e];
        }
        for (int k = 0; k < STATES; k++) {
            lively_state(m, d, k);
            CHECK_OK(sal_step(other, d, &err), err);
            unsolved += !d->solver_converged;
            CHECK(d->solver_gradient <= (d->solver_converged ? 1e-10 : 1));
        }
        printf("     %-15s %-9s friction %g: %d of %d unsolved\n",
               sal_contact_model_name(m->opt.contact.model), name, extreme[e], unsolved, STATES);
    }
    lively_state(m, d, 1);
    d->qvel[0] = (double)NAN;
    CHECK(sal_step(m, d, &err) == SAL_DIVERGED);
    CHECK(sal_forward(m, d, &err) != SAL_OK || d->nefc == 0);
    lively_state(m, d, 1);
    d->qfrc_applied[0] = (double)INFINITY;
    CHECK(sal_step(m, d, &err) == SAL_DIVERGED);
    d->qfrc_applied[0] = 0;
    lively_state(m, d, 1);
    d->qvel[0] = (double)NAN;
    CHECK_OK(sal_inverse(m, d, &err), err);
    CHECK(isnan(d->qfrc_inverse[0]));
    other->opt.disable |= SAL_DSBL_CONSTRAINT;
    lively_state(m, d, 1);
    CHECK_OK(sal_step(other, d, &err), err);
    CHECK(d->nefc == 0 && d->solver_converged);
    sal_model_free(other);
}

static void degenerate_input_ends_in_a_status(void)
{
    static const double weight[2] = {100, 10};
    each(degenerate, weight);
}

/* Numbers out of range are refused, and leave the model as it is. */
static void options_are_checked(void)
{
    sal_err err;
    const double bad[] = {-1, (double)NAN, (double)INFINITY};
    sal_model *m = load("box", SAL_CONTACT_SOFT, 0, 0);
    for (int k = 0; k < 2; k++) {
        sal_contact_option o, fine;
        sal_contact_defaults(&fine, m, models[k]);
        for (int i = 0; i < 3; i++) {
            o = fine;
            o.weight[0] = bad[i];
            CHECK(sal_model_contact(m, &o, &err) == SAL_BADINPUT);
            o = fine;
            o.weight[1] = bad[i];
            CHECK(sal_model_contact(m, &o, &err) == SAL_BADINPUT);
            o = fine;
            o.regulariser[0] = bad[i];
            CHECK(sal_model_contact(m, &o, &err) == SAL_BADINPUT);
        }
        o = fine;
        o.reach = 0;
        CHECK(sal_model_contact(m, &o, &err) == SAL_BADINPUT);
        CHECK(m->opt.contact.model == SAL_CONTACT_SOFT);
    }
    sal_model_free(m);
}

/* More rows than there is room for: an error that names the model, in both directions */
static void too_many_rows_are_refused(void)
{
    for (int k = 0; k < 2; k++) {
        sal_model *m = load("box", models[k], 100, 0);
        sal_data *d = NULL;
        sal_err err = {0};
        CHECK(m->nefcmax <= 600);
        m->nefcmax = 4;
        CHECK_OK(sal_data_new(&d, m, &err), err);
        lively_state(m, d, 0);
        CHECK(sal_step(m, d, &err) == SAL_FULL);
        CHECK(strstr(err.message, sal_contact_model_name(models[k])) != NULL);
        CHECK(sal_inverse(m, d, &err) == SAL_FULL);
        sal_data_free(d);
        sal_model_free(m);
    }
}

int main(void)
{
    RUN(forward_and_inverse_undo_each_other);
    RUN(acceleration_costs_the_larger_inertia);
    RUN(forces_of_the_limp_mechanism_obey_the_conditions);
    RUN(steps_are_the_same_bits_and_allocate_nothing);
    RUN(instants_side_by_side_are_the_same);
    RUN(derivatives_are_refused);
    RUN(degenerate_input_ends_in_a_status);
    RUN(options_are_checked);
    RUN(too_many_rows_are_refused);
    return check_done();
}
