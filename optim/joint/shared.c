/* shared.c: the step of the shared variables, from what the members' elimination has left:
 *
 *     (S + mu diag S) dp = -s,    S = sum_i S_i + diag w,    s = sum_i s_i + w (p - m)
 */
#include "base/house.h"
#include "optim/joint/joint.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 10, LEAST = 1e-12, MOST = 1e12; /* damping where S is singular */

double opt_joint_prior(const sal_joint *j, const double *p)
{
    const sal_joint_stage *stage = &j->stage;
    double cost = 0;
    for (int k = 0; k < j->nshared && stage->weight != NULL; k++) {
        const double off = p[k] - stage->mean[k];
        cost += stage->weight[k] > 0 ? 0.5 * stage->weight[k] * off * off : 0;
    }
    return cost;
}

void opt_joint_sum(sal_joint *j, const double *p)
{
    const int n = j->nshared;
    memset(j->S, 0, (size_t)n * (size_t)n * sizeof *j->S);
    memset(j->s, 0, (size_t)n * sizeof *j->s);
    j->promise = 0;
    for (int i = 0; i < j->nmember; i++) {
        const double *share = j->share + (size_t)i * j->nshare;
        for (int k = 0; k < n; k++) {
            for (int l = k; l < n; l++) {
                j->S[k * n + l] += *share++;
            }
        }
        for (int k = 0; k < n; k++) {
            j->s[k] += *share++;
        }
        j->promise += 0.5 * *share;
    }
    for (int k = 0; k < n; k++) {
        const bool prior = j->stage.weight != NULL && j->stage.weight[k] > 0;
        const double weight = prior ? j->stage.weight[k] : 0;
        j->S[k * n + k] += weight;
        j->s[k] += prior ? weight * (p[k] - j->stage.mean[k]) : 0;
        for (int l = 0; l < k; l++) {
            j->S[k * n + l] = j->S[l * n + k];
        }
    }
}

/* dp of the n free variables, those of the others given; scaled to a unit diagonal. False if the
 * matrix is not positive definite. */
static bool solve_free(sal_joint *j, int n)
{
    const int *f = j->free, ns = j->nshared;
    double *A = j->factor, *x = j->free_dp;
    for (int a = 0; a < n; a++) {
        const double *row = j->S + (size_t)f[a] * (size_t)ns;
        double sum = j->s[f[a]];
        for (int k = 0; k < ns; k++) {
            sum += j->varies[k] ? 0 : row[k] * j->dp[k];
        }
        x[a] = -sum * j->unit[f[a]];
        for (int b = 0; b <= a; b++) {
            A[a * n + b] = row[f[b]] * j->unit[f[a]] * j->unit[f[b]];
        }
        A[a * n + a] += j->damped.mu;
    }
    if (sal_dense_cholesky(A, n) != n) {
        return false;
    }
    sal_dense_cholesky_solve(x, A, n);
    for (int a = 0; a < n; a++) {
        j->dp[f[a]] = x[a] * j->unit[f[a]];
    }
    return true;
}

/* Variables that would leave their range go to its end and stay there for this step. Were there
 * any? */
static bool hold_at_bounds(sal_joint *j, const double *p)
{
    const sal_joint_stage *stage = &j->stage;
    bool any = false;
    for (int k = 0; k < j->nshared; k++) {
        const bool low = stage->lower != NULL && p[k] + j->dp[k] < stage->lower[k];
        const bool high = stage->upper != NULL && p[k] + j->dp[k] > stage->upper[k];
        if (j->varies[k] && (low || high)) {
            j->dp[k] = (low ? stage->lower[k] : stage->upper[k]) - p[k];
            j->varies[k] = 0;
            any = true;
        }
    }
    return any;
}

static int find_free(sal_joint *j)
{
    int n = 0;
    for (int k = 0; k < j->nshared; k++) {
        j->free[n] = k;
        n += j->varies[k];
    }
    return n;
}

static void start(sal_joint *j)
{
    for (int k = 0; k < j->nshared; k++) {
        const double curvature = j->S[k * j->nshared + k];
        j->unit[k] = curvature > 0 ? 1 / sqrt(curvature) : 1;
        j->varies[k] = j->stage.held == NULL || j->stage.held[k] == 0;
        j->dp[k] = 0;
    }
}

/* What S and s promise: the cost falls by  promise - s'dp - dp' S dp / 2 */
static double promised(const sal_joint *j)
{
    double fall = j->promise;
    for (int k = 0; k < j->nshared; k++) {
        double sum = j->s[k];
        for (int l = 0; l < j->nshared; l++) {
            sum += 0.5 * j->S[k * j->nshared + l] * j->dp[l];
        }
        fall -= j->dp[k] * sum;
    }
    return fall;
}

double opt_joint_solve_shared(sal_joint *j, const double *p)
{
    const sal_joint_stage *stage = &j->stage;
    start(j);
    j->nfree = find_free(j);
    do {
        const int n = find_free(j);
        while (!solve_free(j, n) && j->damped.mu < MOST) {
            j->damped.mu = fmax(SINGULAR * j->damped.mu, LEAST);
        }
    } while (hold_at_bounds(j, p));
    double length = 0;
    for (int k = 0; k < j->nshared; k++) {
        const double size = stage->size == NULL ? 1 : stage->size[k];
        length = fmax(length, fabs(j->dp[k]) / (stage->cap_p * size));
    }
    for (int k = 0; k < j->nshared; k++) {
        j->dp[k] /= fmax(length, 1);
        const double to = p[k] + j->dp[k];
        j->p_trial[k] = stage->lower != NULL && to < stage->lower[k]   ? stage->lower[k]
                        : stage->upper != NULL && to > stage->upper[k] ? stage->upper[k]
                                                                       : to;
    }
    return promised(j);
}
