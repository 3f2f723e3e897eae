/* laws.c: the contact models by name, and how a mechanism is given one. */
#include "base/house.h"
#include "physics/contact_law.h"
#include "physics/next_gap.h"

#include <math.h>
#include <string.h>

enum { ROWS_OF_MATRIX = 600 }; /* most where J M^-1 J' is held: 12 MB */

const phy_law *const phy_laws[SAL_NCONTACTMODELS] = {
    [SAL_CONTACT_SOFT] = &phy_law_soft,
    [SAL_CONTACT_LOGBARRIER] = &phy_law_logbarrier,
    [SAL_CONTACT_CONVEX] = &phy_law_convex,
    [SAL_CONTACT_HARD] = &phy_law_hard,
    [SAL_CONTACT_COMPLEMENTARITY] = &phy_law_complementarity,
    [SAL_CONTACT_DIAGONAL] = &phy_law_diagonal,
};

const char *sal_contact_model_name(int model)
{
    return model >= 0 && model < SAL_NCONTACTMODELS ? phy_laws[model]->name : NULL;
}

int sal_contact_model_named(const char *name)
{
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        if (strcmp(phy_laws[i]->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Of hard: how far above the floor one point carries all of m, m; what velocity of all of m one
 * contact can stop, m/s, and how many times its weight it can carry, */
static const double hovering = 5e-4, stopped = 5, carried = 10;

bool sal_contact_model_is_invertible(int model)
{
    return model >= 0 && model < SAL_NCONTACTMODELS && !(phy_laws[model]->needs & PHY_LAW_POSTHOC);
}

/* m (g h)^2/2 of all that moves: its energy after a step of free fall, J */
static double energy_of_step(const sal_model *m)
{
    const double gh = sal_v3_norm(m->opt.gravity) * m->opt.timestep;
    return 0.5 * sal_bulk_mass(m, 0) * gh * gh;
}

/* m g h of it: the impulse that carries it */
static double impulse_of_step(const sal_model *m)
{
    return sal_bulk_mass(m, 0) * sal_v3_norm(m->opt.gravity) * m->opt.timestep;
}

/* A contact that is not listed before it overlaps is found a step late. In a step things move by
 * v h: what has fallen 1.25 m comes at v = sqrt(2 g 1.25 m) = 5 m/s. */
static double reach_of_step(const sal_model *m)
{
    static const double fastest = 5, shortest = 0.02; /* m/s, m */
    return fmax(shortest, fastest * m->opt.timestep);
}

void sal_contact_defaults(sal_contact_option *o, const sal_model *m, int model)
{
    *o = (sal_contact_option){.model = model,
                              .kappa = model == SAL_CONTACT_HARD ? hovering * impulse_of_step(m)
                                                                 : 0.5 * energy_of_step(m),
                              .regulariser = {0.01, model == SAL_CONTACT_LOGBARRIER ? 100 : 0.01},
                              .reach = reach_of_step(m),
                              .firmest = model == SAL_CONTACT_LOGBARRIER
                                             ? 0
                                             : stopped * sal_bulk_mass(m, 0) +
                                                   carried * impulse_of_step(m)};
    if (!sal_contact_model_is_invertible(model)) {
        o->regulariser[0] = o->regulariser[1] = 0;
        o->weight[0] = 100;
    }
}

static sal_status check(const sal_model *m, const sal_contact_option *o, sal_err *err)
{
    const double *R = o->regulariser;
    if (o->model < 0 || o->model >= SAL_NCONTACTMODELS) {
        return sal_fail(err, SAL_BADINPUT, "contact model %d is unknown; 0 to %d are known",
                        o->model, SAL_NCONTACTMODELS - 1);
    }
    if (o->model == SAL_CONTACT_SOFT) {
        return SAL_OK;
    }
    if (m->nsurfacevel > 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the contact model %s knows no surfaces that move (surfacevel of geoms)",
                        phy_laws[o->model]->name);
    }
    if (m->nadhesion > 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the contact model %s knows no contacts that stick (adhesion of geoms)",
                        phy_laws[o->model]->name);
    }
    if (m->opt.integrator != SAL_INT_EULER) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the contact model %s needs the integrator Euler; the model has another",
                        phy_laws[o->model]->name);
    }
    const bool posthoc = !sal_contact_model_is_invertible(o->model);
    if (posthoc && (!(R[0] >= 0) || !(o->weight[0] >= 0) || !(o->weight[1] >= 0) ||
                    !isfinite(R[0] + o->weight[0] + o->weight[1]) || !(o->reach > 0))) {
        return sal_fail(err, SAL_BADINPUT,
                        "the contact model %s has regulariser %g, weight %g %g, reach %g; the "
                        "reach has to be larger than 0, the others 0 or more",
                        phy_laws[o->model]->name, R[0], o->weight[0], o->weight[1], o->reach);
    }
    if (posthoc) {
        return SAL_OK;
    }
    if (!(o->kappa > 0) || !(R[0] > 0) || !(R[1] >= R[0]) || !(o->reach > 0) ||
        !(o->firmest > 0 || o->model != SAL_CONTACT_HARD) ||
        !(o->firmest >= 0 || o->model != SAL_CONTACT_LOGBARRIER)) {
        return sal_fail(
            err, SAL_BADINPUT,
            "the contact model %s has kappa %g, regulariser %g %g, reach %g, firmest "
            "%g; all have to be larger than 0 (firmest of logbarrier: or 0), and the regulariser "
            "must not fall",
            phy_laws[o->model]->name, o->kappa, R[0], R[1], o->reach, o->firmest);
    }
    return SAL_OK;
}

sal_status sal_model_contact(sal_model *m, const sal_contact_option *o, sal_err *err)
{
    const sal_status status = check(m, o, err);
    if (status != SAL_OK) {
        return status;
    }
    m->opt.contact = *o;
    phy_next_capacity(m);
    if (o->model != SAL_CONTACT_SOFT) {
        m->opt.cone = SAL_CONE_ELLIPTIC;
        for (int i = 0; i < m->npair; i++) {
            m->pair_include[i] = fmax(m->pair_include[i], o->reach);
            m->pair_detect[i] = fmax(m->pair_detect[i], o->reach);
        }
        for (int j = 0; j < m->njnt; j++) {
            m->jnt_margin[j] = fmax(m->jnt_margin[j], o->reach);
        }
        for (int t = 0; t < m->ntendon; t++) {
            m->tendon_margin[t] = fmax(m->tendon_margin[t], o->reach);
        }
        sal_model_margins(m);
    }
    if (phy_law_of(m)->needs & PHY_LAW_NEEDS_MATRIX) {
        m->nefcmax = m->nefcmax < ROWS_OF_MATRIX ? m->nefcmax : ROWS_OF_MATRIX;
    }
    return SAL_OK;
}
