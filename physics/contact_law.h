/* contact_law.h: the law that says which force a constraint exerts, behind one interface; private
 * to physics/.
 *
 * A law is a constant table of functions: it has no state, asks the caller for no memory and may
 * run in many threads. It sees one block at a time: a contact with all its rows, or a single row (a
 * limit, the friction of a dof). Laws differ in what they read of the rows (soft: the acceleration
 * relative to aref; a velocity-level law: vel + h acc), so the inverse dynamics calls them all
 * alike.
 *
 *     f = -ds/dacc,      H = -df/dacc = d2s/dacc2 >= 0            s: the block's convex potential
 *
 * Any law with such a potential serves the forward solver too, which minimises (a - a_s)'M(a -
 *     a_s)/2 + sum s(J a).
 */
#ifndef SAL_PHYSICS_CONTACT_LAW_H
#define SAL_PHYSICS_CONTACT_LAW_H

#include "physics/physics.h"

enum { PHY_LAW_DIM = 10 }; /* most rows of a block: a pyramid of dim 6 */

/* What a law needs beyond the block and its rows; the caller provides it or refuses. */
enum {
    PHY_LAW_NEEDS_NOTHING = 0,
    PHY_LAW_NEEDS_PRODUCT = 1 << 0,  /* J M^-1 J' times a vector */
    PHY_LAW_NEEDS_MATRIX = 1 << 1,   /* J M^-1 J' */
    PHY_LAW_NEEDS_NEXT_GAP = 1 << 2, /* the gap at the next configuration */
    PHY_LAW_POSTHOC = 1 << 3         /* forces of the limp mechanism: laws/posthoc_law.c */
};

typedef enum phy_law_level {
    PHY_LAW_ACCELERATION,
    PHY_LAW_VELOCITY,
    PHY_LAW_POSITION
} phy_law_level;

typedef struct phy_law_block {
    sal_efc_type type;
    /* first row, number of rows */
    int row, dim;
    /* [5], of a contact */
    const double *friction;
    /* friction of the regularised cone (sal_contact.mu) */
    double cone;
    /* m or rad; frictionloss */
    double gap, margin, loss;
} phy_law_block;

static inline bool phy_law_is_of_contact(const phy_law_block *block)
{
    return block->type >= SAL_EFC_CONTACT_FRICTIONLESS;
}

/* Arrays of all rows [nefc]; a block's begin at block->row. */
typedef struct phy_law_rows {
    /* J v, J a */
    const double *vel, *acc;
    const double *aref;
    const double *D;
    const double *R;
    /* about J M^-1 J' */
    const double *diagonal;
    /* of the first row of a contact: its gap at the next instant (next_gap.h); only of laws that
     * need it */
    const double *next;
    double timestep;
    double sigma;
    const sal_contact_option *contact;
} phy_law_rows;

/* The rows of a data with the acceleration acc. */
static inline phy_law_rows phy_law_rows_at(const sal_model *m, const sal_data *d, const double *acc)
{
    return (phy_law_rows){
        d->efc_vel,        acc,         d->efc_aref,     d->efc_D,     d->efc_R,
        d->efc_diagApprox, d->efc_next, m->opt.timestep, m->opt.sigma, &m->opt.contact};
}

/* As the inverse direction sees them. */
static inline phy_law_rows phy_law_rows_of(const sal_model *m, const sal_data *d)
{
    return phy_law_rows_at(m, d, d->efc_acc);
}

/* A forward direction of a law's own: qacc, efc_force, efc_state, solver_iterations,
 * solver_gradient and solver_converged from qfrc_smooth, qacc_smooth and the rows (nefc > 0).
 * Scratch from d->arena, as much as `measure` says (scratch.h). */
typedef struct phy_law_solver {
    sal_status (*solve)(const sal_model *m, sal_data *d, sal_err *err);
    void (*measure)(const sal_model *m, sal_arena *arena);
    /* NULL: block by block. Else efc_force and efc_state of all rows at once, from the state and
     * qacc; where there are none (NaN) forces are not finite. */
    void (*inverse)(const sal_model *m, sal_data *d);
} phy_law_solver;

typedef struct phy_law {
    const char *name;
    unsigned needs;
    phy_law_level level;
    /* force [dim] and state [dim] (sal_efc_state); returns s, 0 of laws that have none */
    double (*inverse)(double *force, int *state, const phy_law_block *block,
                      const phy_law_rows *rows);
    /* H [dim x dim] */
    void (*curvature)(double *h, const phy_law_block *block, const phy_law_rows *rows);
    /* df/dgap [dim], J v and J a as they are, by way of H and the force. NULL: by way of aref and
     * R, which the level of accelerations has from the gap. */
    void (*by_gap)(double *slope, const double *h, const double *force, const phy_law_block *block,
                   const phy_law_rows *rows);
    /* df/dnext [dim], of laws that need the next gap of contacts; else NULL. H and by_gap are those
     * at a fixed next gap. */
    void (*by_next)(double *slope, const phy_law_block *block, const phy_law_rows *rows);
    /* NULL: Newton's method on the potentials (solvers/) */
    const phy_law_solver *forward;
} phy_law;

/* MuJoCo's soft constraints, laws/soft.c; Todorov's of 2011 without a barrier on velocities, and of
 * 2012, laws/velocity_level.c; Howell's of 2022, laws/hard_law.c */
extern const phy_law phy_law_soft, phy_law_logbarrier, phy_law_convex, phy_law_hard;
/* Those without an inverse of their own, laws/posthoc_law.c: all they have is `forward` */
extern const phy_law phy_law_complementarity, phy_law_diagonal;

/* logbarrier with a barrier on velocities, laws/push_law.c; `forward` alone, too */
extern const phy_law phy_law_push;

/* Of the contact models. laws/laws.c */
extern const phy_law *const phy_laws[SAL_NCONTACTMODELS];

/* The law of a model. */
static inline const phy_law *phy_law_of(const sal_model *m)
{
    return m->opt.contact.model == SAL_CONTACT_LOGBARRIER && m->opt.contact.firmest > 0
               ? &phy_law_push
               : phy_laws[m->opt.contact.model];
}

/* The block that begins at `row`; the next one begins at row + dim. */
void phy_law_block_at(phy_law_block *block, const sal_model *m, const sal_data *d, int row);

#endif
