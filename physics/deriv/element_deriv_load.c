/* element_deriv_load.c: forces that a body alone decides about: gravity compensation, the medium,
 * and what is applied from outside.
 *
 *     f at point X, constant in the world         W = (X x f ; f)
 *     dW/dq_k = ((u_k + w_k x X) x f ; 0)
 *     the medium, W a function of the velocity in body axes, C = dW/dV, wind Vw = (0; wind)
 *                                                 dW/dq_k = s_k x* W + C (psi_k + s_k x Vw)
 *                                                 dW/dv_k = C s_k
 */
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/fluid.h"
#include "physics/stages.h"

#include <string.h>

/* M[from..][from..] -= s [a]x, a block of a 6 x 6 matrix */
static void subtract_cross(double *block, double s, const double a[3])
{
    block[1] += s * a[2], block[2] -= s * a[1];
    block[6] -= s * a[2], block[8] += s * a[0];
    block[12] += s * a[1], block[13] -= s * a[0];
}

/* ---- gravity compensation ---- */

static bool is_compensated(const sal_model *m, int b)
{
    return m->body_gravcomp[b] != 0 && m->body_chainnum[b] > 0;
}

static bool compensation_is_on(const sal_model *m)
{
    return m->ngravcomp > 0 && !phy_passive_is_off(m) && !(m->opt.disable & SAL_DSBL_GRAVITY);
}

static phy_pull compensation(const sal_model *m, const sal_data *d, int b)
{
    phy_pull pull = {.body = b};
    sal_v3_copy(pull.at, d->xipos + 3 * b);
    sal_v3_scale(pull.f, m->opt.gravity, -m->body_mass[b] * m->body_gravcomp[b]);
    return pull;
}

/* Th = ([f][X], -[f]; 0, 0) */
static void load_constant(const sal_model *m, const sal_data *d, phy_load *load,
                          const phy_pull *pull)
{
    double arm[3];
    sal_v3_sub(arm, pull->at, phy_centre(m, d, pull->body));
    sal_v3_addcross(load->W, arm, pull->f);
    sal_v3_add(load->W + 3, load->W + 3, pull->f);
    const double along = sal_v3_dot(arm, pull->f);
    for (int i = 0; i < 3; i++) { /* [f][X] = X f' - (f.X) 1 */
        for (int k = 0; k < 3; k++) {
            load->Th[6 * i + k] += arm[i] * pull->f[k] - (i == k ? along : 0);
        }
    }
    subtract_cross(load->Th + 3, 1, pull->f);
}

/* Dofs for which it counts as the passive forces'. */
static bool takes_compensation(const sal_model *m, int i)
{
    return !m->jnt_actgravcomp[m->dof_jntid[i]];
}

/* All or none of the dofs that move the body: it can be a load. */
static bool chain_takes_compensation(const sal_model *m, int b)
{
    const int *chain = m->chain_dof + m->body_chainadr[b];
    bool all = true;
    for (int k = 0; k < m->body_chainnum[b]; k++) {
        all = all && takes_compensation(m, chain[k]);
    }
    return all;
}

static void load_compensation(const sal_model *m, const sal_data *d, phy_deriv *w)
{
    for (int b = 1; b < m->nbody && compensation_is_on(m); b++) {
        if (is_compensated(m, b) && chain_takes_compensation(m, b)) {
            const phy_pull pull = compensation(m, d, b);
            load_constant(m, d, phy_deriv_load(w, b), &pull);
        }
    }
}

void phy_compensation_deriv(const sal_model *m, const sal_data *d, double *Dq)
{
    for (int b = 1; b < m->nbody && compensation_is_on(m); b++) {
        if (is_compensated(m, b) && !chain_takes_compensation(m, b)) {
            const phy_pull pull = compensation(m, d, b);
            phy_constant_pull_add(m, d, Dq, -1, &pull, takes_compensation);
        }
    }
}

static bool is_the_actuators(const sal_model *m, int i)
{
    return !takes_compensation(m, i);
}

void phy_actuator_compensation_deriv(const sal_model *m, const sal_data *d, double *Dq)
{
    for (int b = 1; b < m->nbody && compensation_is_on(m); b++) {
        if (is_compensated(m, b)) {
            const phy_pull pull = compensation(m, d, b);
            phy_constant_pull_add(m, d, Dq, 1, &pull, is_the_actuators);
        }
    }
}

/* ---- the medium ---- */

/* X (6 x 6), by which a motion about O is that of the element in its axes: (R'w ; R'(u + w x (P -
 * O))). */
static void into_element(const sal_model *m, const sal_data *d, double X[36], const phy_fluid *f)
{
    const double *R = f->mat;
    double arm[3], row[3];
    memset(X, 0, 36 * sizeof *X);
    sal_v3_sub(arm, f->pos, phy_centre(m, d, f->body));
    for (int i = 0; i < 3; i++) {
        double axis[3];
        sal_m3_column(axis, R, i);
        sal_v3_cross(row, arm, axis); /* axis.(w x arm) = w.(arm x axis) */
        for (int k = 0; k < 3; k++) {
            X[6 * i + k] = axis[k];
            X[6 * (i + 3) + k] = row[k];
            X[6 * (i + 3) + 3 + k] = axis[k];
        }
    }
}

/* C = X' slope X, and W += X' force */
static void about_centre(double C[36], double W[6], const double X[36], const phy_fluid *f)
{
    double half[36] = {0};
    memset(C, 0, 36 * sizeof *C);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            W[j] += X[6 * i + j] * f->force[i];
            for (int k = 0; k < 6; k++) {
                half[6 * i + k] += f->slope[6 * i + j] * X[6 * j + k];
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            for (int k = 0; k < 6; k++) {
                C[6 * j + k] += X[6 * i + j] * half[6 * i + k];
            }
        }
    }
}

/* Th += [x -> x x* W] + C [x -> x x Vw],  LB -= C */
static void add_element(phy_load *load, const double C[36], const double W[6], const double wind[3])
{
    sal_sp_addscaled(load->W, load->W, 1, W);
    subtract_cross(load->Th, 1, W);          /* w x n */
    subtract_cross(load->Th + 3, 1, W + 3);  /* u x f */
    subtract_cross(load->Th + 18, 1, W + 3); /* w x f */
    for (int i = 0; i < 6; i++) {
        double turned[3]; /* c.(w x wind) = w.(wind x c) */
        sal_v3_cross(turned, wind, C + 6 * i + 3);
        sal_v3_add(load->Th + 6 * i, load->Th + 6 * i, turned);
        for (int k = 0; k < 6; k++) {
            load->LB[6 * i + k] -= C[6 * i + k];
        }
    }
}

static void load_medium(const sal_model *m, const sal_data *d, phy_deriv *w)
{
    phy_fluid f = {0};
    for (int b = 1; b < m->nbody && phy_fluid_acts(m) && !phy_passive_is_off(m); b++) {
        for (int next = 0; phy_fluid_next(m, d, b, &next, true, &f);) {
            double X[36], C[36], W[6] = {0};
            into_element(m, d, X, &f);
            about_centre(C, W, X, &f);
            add_element(phy_deriv_load(w, b), C, W, m->opt.wind);
        }
    }
}

bool phy_elements_may_load(const sal_model *m)
{
    return compensation_is_on(m) || (phy_fluid_acts(m) && !phy_passive_is_off(m));
}

void phy_elements_load(const sal_model *m, sal_data *d, phy_deriv *w)
{
    load_compensation(m, d, w);
    load_medium(m, d, w);
}

/* ---- applied ---- */

void sal_applied_force_deriv(const sal_model *m, const sal_data *d, double *Dq)
{
    memset(Dq, 0, (size_t)m->nv * (size_t)m->nv * sizeof *Dq);
    for (int b = 1; b < m->nbody; b++) {
        const double *force = d->xfrc_applied + 6 * b;
        phy_pull pull = {.body = b};
        sal_v3_copy(pull.at, d->xipos + 3 * b);
        sal_v3_copy(pull.f, force);
        sal_v3_copy(pull.t, force + 3);
        if (sal_v3_norm(pull.f) > 0 || sal_v3_norm(pull.t) > 0) {
            phy_constant_pull_add(m, d, Dq, 1, &pull, NULL);
        }
    }
}
