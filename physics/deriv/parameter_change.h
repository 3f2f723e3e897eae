/* parameter_change.h: what of a model changes with a parameter; private to the parameter_ files. */
#ifndef SAL_PHYSICS_DERIV_PARAMETER_CHANGE_H
#define SAL_PHYSICS_DERIV_PARAMETER_CHANGE_H

#include "physics/contact_law.h"
#include "physics/physics.h"

enum {
    PHY_CHANGE_INERTIA = 1 << 0,
    PHY_CHANGE_WEIGHT = 1 << 1, /* inverse inertias, by which rows are scaled */
    PHY_CHANGE_ARMATURE = 1 << 2,
    PHY_CHANGE_DAMPING = 1 << 3,
    PHY_CHANGE_SPRING = 1 << 4,
    PHY_CHANGE_LOSS = 1 << 5,
    PHY_CHANGE_FRICTION = 1 << 6,
    PHY_CHANGE_LAW = 1 << 7,
    PHY_CHANGE_GRAVITY = 1 << 8,
    PHY_CHANGE_SHAPE = 1 << 9,
    PHY_CHANGE_OTHER = 1 << 10
};

/* of a number of both models, by u */
static inline double phy_changed_by(const sal_model_change *c, double minus, double plus)
{
    return (plus - minus) * c->scale;
}

/* Bodies. out += dM a + dc;   lag += dM x (NULL: not wanted). parameter_body.c */
void phy_inertia_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                       const double *a, double *out, const double *x, double *lag);
/* Gravity. out += dc = - sum J' m dg. parameter_body.c */
void phy_gravity_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                       double *out);

/* How the point and the distance of a contact move. */
typedef struct phy_shift {
    double dist;
    double pos[3];
} phy_shift;

/* Whether a tendon wraps a geom that changes. */
bool phy_shape_pulls(const sal_model *minus, const sal_model *plus);
/* Of all contacts [ncon]; false where what changes touches something that is not a plane. */
bool phy_shape_shifts(const sal_model *m, const sal_data *d, const sal_model_change *c,
                      phy_shift *out);
/* Angular velocity (or acceleration, of x = a) of body 2 against body 1 */
void phy_turning(const sal_model *m, const sal_data *d, const sal_contact *con, const double *x,
                 double w[3]);
/* What J'f of a block changes by itself where its point moves, of the force that is needed: r. */
void phy_shape_pull(const sal_model *m, const sal_data *d, const phy_law_block *block,
                    const phy_shift *by, double *r);
/* Of a block: x += daref - d(J a) of its rows; r, of the force that is needed, what J'f changes by
 * itself. Returns the change of log D. */
double phy_shape_terms(const sal_model *m, const sal_data *d, const phy_law_block *block,
                       const phy_shift *by, double *x, double *r);
/* Of a block of a contact model of next gaps: df += what its force changes by; r as above. by NULL:
 * its shapes stay. parameter_hard.c */
void phy_hard_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                    const phy_law_block *block, const phy_law_rows *rows, const phy_shift *by,
                    double *df, double *r);

#endif
