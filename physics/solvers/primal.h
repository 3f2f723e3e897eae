/* primal.h: the acceleration under constraints as the minimum of a convex function, whatever the
 * direction is that each step takes; private to physics/.
 *
 *     P(a) = (a - a_s)' M (a - a_s) / 2  +  sum s(J a),           a_s = M^-1 qfrc_smooth
 *     g    = M a - qfrc_smooth - J' f(J a)                         f = -ds/dacc
 *
 * Any law with a convex potential will do. (Todorov, ICRA 2014; MuJoCo documentation,
 * "Computation: primal algorithms".)
 */
#ifndef SAL_PHYSICS_SOLVERS_PRIMAL_H
#define SAL_PHYSICS_SOLVERS_PRIMAL_H

#include "physics/contact_law.h"
#include "physics/solvers/hessian.h"

typedef struct phy_primal phy_primal;

/* How a method goes from point to point. */
typedef struct phy_primal_method {
    /* before the first step; false: no scratch */
    bool (*begin)(phy_primal *s);
    /* p, M p and J p at a, where g and f are; false: a number is not finite */
    bool (*direction)(phy_primal *s);
    /* where the line search looks first; 0: at the slope's own root */
    double first;
    /* and it ends where the slope is so much of that at the beginning */
    double slope;
    /* steps without progress before it gives up */
    int patience;
    /* M a and J a are carried along, and computed anew every so many steps only; 1: always */
    int refresh;
    /* it may end because P falls by less than the tolerance, too, as MuJoCo documents it */
    bool ends_by_cost;
} phy_primal_method;

extern const phy_primal_method phy_newton, phy_conjugate_gradients;

struct phy_primal {
    const sal_model *m;
    sal_data *d;
    const phy_law *law;
    const phy_primal_method *method;
    double *a, *best;      /* [nv] the point, and the one of least gradient */
    double *ma, *grad;     /* [nv] M a, g */
    double *p, *mp;        /* [nv] direction, M p */
    double *z, *spare;     /* [nv] of CG: M^-1 g; anyone's */
    double *acc, *jp;      /* [nefc] J a, J p */
    double *force, *trial; /* [nefc] f at a; acc or f along the line */
    double *line_force;    /* [nefc] */
    phy_hessian H;         /* of Newton */
    double *weighted;      /* [PHY_LAW_DIM x nv] C J of one block */
    double gz;             /* of CG: g' M^-1 g */
    double potential;      /* P(a) */
    double fall;           /* by how much the last step lowered P */
    bool falls;            /* by more than rounding */
    bool light;            /* it goes on for the sake of light bodies */
    double remainder;      /* largest |g_i| at the best point */
};

/* qacc, efc_state, qfrc_constraint and what solver_ says, by the method. nefc > 0 */
sal_status phy_primal_solve(const sal_model *m, sal_data *d, const phy_primal_method *method,
                            sal_err *err);
void phy_primal_scratch(const sal_model *m, sal_arena *arena);

double phy_dot(const double *a, const double *b, int n);
/* SAL_DIVERGED: the solver has met NaN */
sal_status phy_solver_not_finite(sal_err *err);
/* r = M x, with what stands beside M */
void phy_inertial_product(const phy_primal *s, double *r, const double *x);

#endif
