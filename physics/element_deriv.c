/* element_deriv.c: wrenches at bodies, and how their generalised forces change with the configuration. */
#include "physics/element_deriv.h"

#include "physics/deriv_pieces.h"
#include "physics/stages.h"

/* A dof stands in every chain it is in at the place it has in its own. */
bool sal_dof_moves(const sal_model *m, int k, int body)
{
    const int place = sal_row_of(m, k).n - 1;
    return place < m->body_chainnum[body] && m->chain_dof[m->body_chainadr[body] + place] == k;
}

bool sal_dof_carries(const sal_model *m, int k, int i)
{
    const int j = m->dof_jntid[i], first = m->jnt_dofadr[j];
    if (k <= i) {
        return sal_dof_moves(m, k, m->dof_bodyid[i]);
    }
    return m->dof_jntid[k] == j &&
           (m->jnt_type[j] == SAL_JNT_BALL || (m->jnt_type[j] == SAL_JNT_FREE && i >= first + 3));
}

void sal_point_column(const sal_model *m, const sal_data *d, double r[3], int k,
                      const double point[3])
{
    const double *s = d->cdof + 6 * k;
    double arm[3], swing[3];
    sal_v3_sub(arm, point, sal_centre(m, d, m->dof_bodyid[k]));
    sal_v3_cross(swing, s, arm);
    sal_v3_add(r, s + 3, swing);
}

void sal_pull_wrench(const sal_model *m, const sal_data *d, double W[6], const sal_pull *pull)
{
    double arm[3];
    sal_v3_sub(arm, pull->at, sal_centre(m, d, pull->body));
    sal_v3_cross(W, arm, pull->f);
    sal_v3_add(W, W, pull->t);
    sal_v3_copy(W + 3, pull->f);
}

/* d(P x f + t) = dP x f + P x df + dt */
void sal_pull_change(const sal_model *m, const sal_data *d, double dW[6], const sal_pull *pull,
                     const sal_pull *change)
{
    double arm[3], swing[3];
    sal_v3_sub(arm, pull->at, sal_centre(m, d, pull->body));
    sal_v3_cross(dW, arm, change->f);
    sal_v3_cross(swing, change->at, pull->f);
    sal_v3_add(dW, dW, swing);
    sal_v3_add(dW, dW, change->t);
    sal_v3_copy(dW + 3, change->f);
}

void sal_pull_add(const sal_model *m, const sal_data *d, double *entry, double scale, int i, int k,
                  const double W[6], const double dW[6])
{
    const double *s = d->cdof + 6 * i;
    double turned[6], sum = sal_sp_dot(s, dW);
    if (sal_dof_carries(m, k, i)) {
        sal_sp_cross_motion(turned, d->cdof + 6 * k, s);
        sum += sal_sp_dot(turned, W);
    }
    *entry += scale * sum;
}

void sal_turn_pull(const sal_turn *turn, const sal_pull *pull, const sal_pull *change, int apart,
                   int k)
{
    const sal_model *m = turn->m;
    double W[6], dW[6];
    sal_pull_wrench(m, turn->d, W, pull);
    sal_pull_change(m, turn->d, dW, pull, change);
    for (int i = 0; i < turn->n; i++) {
        const int dof = turn->dof[i];
        if (sal_dof_moves(m, dof, pull->body) && !(apart >= 0 && sal_dof_moves(m, dof, apart))) {
            double *entry = turn->N + (size_t)i * (size_t)turn->n + k;
            sal_pull_add(m, turn->d, entry, 1, dof, turn->dof[k], W, dW);
        }
    }
}

void sal_displacement(const sal_turn *turn, double r[3], int dof, int body, const double point[3])
{
    sal_v3_set(r, 0, 0, 0);
    if (sal_dof_moves(turn->m, dof, body)) {
        sal_point_column(turn->m, turn->d, r, dof, point);
    }
}

void sal_constant_pull_add(const sal_model *m, const sal_data *d, double *D, double scale,
                           const sal_pull *pull, bool (*wanted)(const sal_model *m, int i))
{
    const int n = m->body_chainnum[pull->body];
    const int *chain = m->chain_dof + m->body_chainadr[pull->body];
    double W[6], dW[6];
    sal_pull_wrench(m, d, W, pull);
    for (int b = 0; b < n; b++) {
        const int k = chain[b];
        sal_pull change = {0};
        sal_point_column(m, d, change.at, k, pull->at);
        sal_pull_change(m, d, dW, pull, &change);
        for (int a = 0; a < n; a++) {
            const int i = chain[a];
            if (wanted == NULL || wanted(m, i)) {
                sal_pull_add(m, d, D + (size_t)i * (size_t)m->nv + k, scale, i, k, W, dW);
            }
        }
    }
}

void sal_elements_deriv(const sal_model *m, sal_data *d, sal_deriv *w)
{
    sal_compensation_deriv(m, d, w->Dq);
    sal_joined_deriv(m, d, w);
    sal_tendons_deriv(m, d, w);
}
