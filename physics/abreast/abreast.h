/* abreast.h: several instants of one mechanism side by side; open to the rooms above.
 *
 * A motion is many instants of the same mechanism. Where bodies are, their inertias, velocities and
 * what gravity and velocities call for are computed for several instants at once, one a lane of the
 * processor's registers (width.h). Everything else, where instants differ (contacts), follows for
 * each instant by itself. Derivatives likewise: the smooth part and most contacts with planes at
 * once, other loads and what couples single dofs by themselves. The numbers of an instant have the
 * same bits as those of sal_position, sal_velocity, sal_inverse_discrete and
 * sal_inverse_discrete_deriv, whatever the others are and however many there are.
 */
#ifndef SAL_PHYSICS_ABREAST_ABREAST_H
#define SAL_PHYSICS_ABREAST_ABREAST_H

#include "physics/physics.h"

typedef struct phy_abreast phy_abreast;

/* Most instants side by side, on any processor */
enum { PHY_ABREAST_MAX = 8 };

/* The caller frees. */
sal_status phy_abreast_new(phy_abreast **out, const sal_model *m, sal_err *err);
void phy_abreast_free(phy_abreast *w);

/* How many instants there is room for: 4 or 8, as this processor has registers. */
int phy_abreast_width(const phy_abreast *w);
/* The data of instant i, of which the caller sets qpos, qvel and qacc. */
sal_data *phy_abreast_data(const phy_abreast *w, int i);

/* For the first n instants: what sal_kinematics and sal_com find, and the first of what
 * sal_velocity and the inverse do. m: the model of phy_abreast_new, or one that differs from it in
 * numbers only. discrete: qacc is a', see sal_inverse_discrete. The data get only what
 * phy_abreast_inverse reads of it. */
void phy_abreast_place(phy_abreast *w, const sal_model *m, int n, bool discrete);
/* After that, before or after phy_abreast_inverse: the data get the rest of it, for those who look
 * at where bodies are and how they move, or want derivatives. */
void phy_abreast_bring(phy_abreast *w, const sal_model *m);
/* After that, with the same m, for instant i: what is left of sal_position, sal_velocity and
 * sal_inverse, or sal_inverse_discrete. */
sal_status phy_abreast_inverse(const phy_abreast *w, const sal_model *m, int i, sal_err *err);

/* Of an instant: Dq, Dv, Da [nv x nv] by rows, which the caller owns; and its a' [nv]. */
typedef struct phy_abreast_jacobian {
    double *D[3];
    const double *qacc_discrete;
} phy_abreast_jacobian;
/* J [n]: of the first n instants, all after phy_abreast_inverse with the same m, the derivatives of
 * sal_inverse_deriv; discrete: of sal_inverse_discrete_deriv at their a'. SAL_UNSUPPORTED, with the
 * reason, if one of the instants has none: then nothing in any D counts. */
sal_status phy_abreast_deriv(phy_abreast *w, const sal_model *m, const phy_abreast_jacobian *J,
                             int n, bool discrete, sal_err *err);

/* For tests: the next phy_abreast_new takes this width instead of its own choice; 0: its own again.
 */
void phy_abreast_choose(int width);

#endif
