/* element_deriv.c: wrenches at bodies, and how their generalised forces change with the
 * configuration. */
#include "physics/deriv/element_deriv.h"

#include "physics/deriv/deriv_pieces.h"
#include "physics/sensors/sensor.h"
#include "physics/stages.h"

/* A dof stands in every chain it is in at the place it has in its own. */
bool phy_dof_moves(const sal_model *m, int k, int body)
{
    const int place = phy_row_of(m, k).n - 1;
    return place < m->body_chainnum[body] && m->chain_dof[m->body_chainadr[body] + place] == k;
}

/* The first dof of a chain that has k which is carried along when k is perturbed: k, or the first
 * of its ball. */
static int first_carried(const sal_model *m, int k)
{
    const int j = m->dof_jntid[k], first = m->jnt_dofadr[j];
    if (m->jnt_type[j] == SAL_JNT_BALL) {
        return first;
    }
    return m->jnt_type[j] == SAL_JNT_FREE && k >= first + 3 ? first + 3 : k;
}

void phy_point_column(const sal_model *m, const sal_data *d, double r[3], int k,
                      const double point[3])
{
    const double *s = d->cdof + 6 * k;
    double arm[3], swing[3];
    sal_v3_sub(arm, point, phy_centre(m, d, m->dof_bodyid[k]));
    sal_v3_cross(swing, s, arm);
    sal_v3_add(r, s + 3, swing);
}

/* dW = (d at x f + arm x df + dt ; df),   arm = at - O */
static void wrench_change(double dW[6], const double arm[3], const phy_pull *pull,
                          const phy_pull *change)
{
    sal_v3_copy(dW, change->t);
    sal_v3_addcross(dW, arm, change->f);
    sal_v3_addcross(dW, change->at, pull->f);
    sal_v3_copy(dW + 3, change->f);
}

/* W = (arm x f + t ; f) */
phy_felt phy_pull_felt(const sal_model *m, const sal_data *d, const phy_pull *pull,
                       const phy_pull *change, int k)
{
    phy_felt felt;
    double arm[3], W[6], *dW = felt.before;
    sal_v3_sub(arm, pull->at, phy_centre(m, d, pull->body));
    wrench_change(dW, arm, pull, change);
    felt.first = m->nv;
    if (phy_dof_moves(m, k, pull->body)) {
        sal_v3_copy(W, pull->t);
        sal_v3_addcross(W, arm, pull->f);
        sal_v3_copy(W + 3, pull->f);
        felt.first = first_carried(m, k);
        sal_sp_cross_force(felt.behind, d->cdof + 6 * k, W);
        for (int i = 0; i < 6; i++) {
            felt.behind[i] = dW[i] - felt.behind[i];
        }
    }
    return felt;
}

void phy_observe(const sal_model *m, const sal_data *d, const phy_observer *o, double scale,
                 const phy_pull *pull, const phy_pull *change, double *D, int k)
{
    double arm[3], dW[6];
    if (!phy_is_carried(m, pull->body, o->body)) {
        return;
    }
    sal_v3_sub(arm, pull->at, phy_centre(m, d, pull->body));
    wrench_change(dW, arm, pull, change);
    for (int r = 0; r < o->n; r++) {
        D[r * m->nv + k] += scale * sal_sp_dot(o->s[r], dW);
    }
}

void phy_turn_pull(const phy_turn *turn, const phy_pull *pull, const phy_pull *change, int apart,
                   int k)
{
    const sal_model *m = turn->m;
    const int *chain = m->chain_dof + m->body_chainadr[pull->body];
    const phy_felt felt = phy_pull_felt(m, turn->d, pull, change, turn->dof[k]);
    const int common = apart < 0 ? 0 : phy_common_dofs(m, pull->body, apart);
    double *column = turn->N + k;
    if (turn->observer != NULL) {
        phy_observe(m, turn->d, turn->observer, turn->scale, pull, change, turn->seen,
                    turn->dof[k]);
    }
    for (int a = common, i = 0; a < m->body_chainnum[pull->body]; a++) {
        while (turn->dof[i] < chain[a]) { /* both ascend, and the chain is among the dofs */
            i++;
        }
        column[i * turn->n] += phy_felt_by(&felt, turn->d, chain[a]);
    }
}

void phy_displacement(const phy_turn *turn, double r[3], int dof, int body, const double point[3])
{
    sal_v3_set(r, 0, 0, 0);
    if (phy_dof_moves(turn->m, dof, body)) {
        phy_point_column(turn->m, turn->d, r, dof, point);
    }
}

void phy_constant_pull_add(const sal_model *m, const sal_data *d, double *D, double scale,
                           const phy_pull *pull, bool (*wanted)(const sal_model *m, int i))
{
    const int n = m->body_chainnum[pull->body];
    const int *chain = m->chain_dof + m->body_chainadr[pull->body];
    for (int b = 0; b < n; b++) {
        const int k = chain[b];
        phy_pull change = {0};
        phy_point_column(m, d, change.at, k, pull->at);
        const phy_felt felt = phy_pull_felt(m, d, pull, &change, k);
        for (int a = 0; a < n; a++) {
            const int i = chain[a];
            if (wanted == NULL || wanted(m, i)) {
                D[(size_t)i * (size_t)m->nv + (size_t)k] += scale * phy_felt_by(&felt, d, i);
            }
        }
    }
}
