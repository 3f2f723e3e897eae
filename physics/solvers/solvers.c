/* solvers.c: the solver that the model asks for, and that its law of forces can be solved by. */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/scratch.h"
#include "physics/solver.h"
#include "physics/solvers/dual.h"
#include "physics/solvers/primal.h"

#include <string.h>

static const char *const names[SAL_NSOLVER] = {
#define NAME_OF(code, name) [(code)] = (name),
    SAL_SOLVER_LIST(NAME_OF)
#undef NAME_OF
};

const char *sal_solver_name(int solver)
{
    return solver >= 0 && solver < SAL_NSOLVER ? names[solver] : NULL;
}

int sal_solver_named(const char *name)
{
    for (int i = 0; i < SAL_NSOLVER; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Only the soft law as it is has a quadratic dual. */
static bool is_by_sweeps(const sal_model *m)
{
    return m->opt.solver == SAL_SOLVER_PGS && m->opt.contact.model == SAL_CONTACT_SOFT &&
           m->opt.sigma == 0;
}

void phy_solver_scratch(const sal_model *m, sal_arena *arena)
{
    const phy_law *law = phy_law_of(m);
    if (law->forward != NULL) {
        law->forward->measure(m, arena);
        return;
    }
    phy_primal_scratch(m, arena);
    if (is_by_sweeps(m)) {
        phy_pgs_scratch(m, arena);
    }
    phy_noslip_scratch(m, arena);
}

/* Those of the law at qacc */
static void forces_of_law(const sal_model *m, sal_data *d)
{
    if (phy_law_of(m)->needs & PHY_LAW_POSTHOC) {
        phy_mul_jac(d, d->efc_acc, d->qacc, d->nefc);
        phy_mul_jac_t(m, d, d->qfrc_constraint, d->efc_force); /* solve found them */
    } else {
        phy_constraint_force(m, d, d->nefc);
    }
}

static sal_status solve(const sal_model *m, sal_data *d, sal_err *err)
{
    const phy_law *law = phy_law_of(m);
    if (law->forward != NULL) {
        return law->forward->solve(m, d, err);
    }
    if (is_by_sweeps(m)) {
        return phy_pgs(m, d, err);
    }
    const bool is_cg = m->opt.solver == SAL_SOLVER_CG;
    return phy_primal_solve(m, d, is_cg ? &phy_conjugate_gradients : &phy_newton, err);
}

sal_status phy_solve_constraint(const sal_model *m, sal_data *d, sal_err *err)
{
    const size_t mark = d->arena.used;
    sal_status status = SAL_OK;
    d->solver_iterations = 0;
    d->solver_gradient = 0;
    d->solver_converged = true;
    if (d->nefc == 0) {
        memcpy(d->qacc, d->qacc_smooth, (size_t)m->nv * sizeof(double));
    } else {
        status = solve(m, d, err);
    }
    d->arena.used = mark;
    if (status == SAL_OK && (d->nefc == 0 || !is_by_sweeps(m))) {
        forces_of_law(m, d);
    }
    return status;
}
