/* standard_errors.c: how far the parameters of an identification can be trusted.
 *
 * u are the numbers that were varied, S_i and s_i the reduced Hessian and gradient of recording i
 * (its own motion eliminated), W the diagonal of the priors, A = sum_i S_i + W. Recordings of a
 * cluster c may share errors: S_c, s_c are their sums. Two covariances of u:
 *
 *     Hessian    A^-1 (s^2 sum_i S_i + W) A^-1        s^2 = 2 cost / (residuals - variables)
 *     sandwich   A^-1 (sum_c z_c z_c' + W) A^-1       z_c = (1 - S_c A^-1)^-1/2 s_c
 *
 * The first believes that residuals are independent and of the law that the norm supposes; the
 * second (Liang, Zeger, "Longitudinal data analysis using generalized linear models", Biometrika
 * 73, 1986) only that clusters are independent. z_c makes up for the pull of a cluster on the fit
 * that it is judged by (Bell, McCaffrey, "Bias reduction in standard errors for linear regression
 * with multi-stage samples", Survey Methodology 28, 2002): G clusters that are alike have sum z z'
 * = G/(G - 1) sum s s'. A prior is one more measurement, of known error.
 *
 * With d = diag(A)^1/2 and the eigenvalues l, vectors V of A/(d d'), R = l^-1/2 V' /d makes R A R'
 * = 1, and all of that is
 *
 *     A^-1 B A^-1 = R' (R B R') R,      R s = whitened score,
 *     (1 - S A^-1)^k s -> (1 - R S R')^k R s
 *
 * A variance from few clusters is itself hardly known: that of a value, l'A^-1 (sum z z') A^-1 l,
 * is sum g_c^2. It has as many degrees of freedom as make it scatter as it does where residuals are
 * as they are believed to be (Bell, McCaffrey, with Satterthwaite's rule):
 *
 *     freedom = (tr G)^2/tr G^2,  G_cd = <g_c g_d>,  as <s_c s_d'> = S_c (c = d) - S_c A^-1 S_d:
 *     G_cc = y'S_c y,  G_cd = -p_c'p_d,    y = R l,  p_c = S_c (1 - S_c)^-1/2 y
 *
 * with S_c as R has it (R S_c R'). The variance of the priors, v_w, is known: it makes them
 * (1 + v_w/v)^2 times as many.
 *
 * Directions with l below SINGULAR do not count: what they touch has no standard error.
 */
#include "base/lapack.h"
#include "identify/assess.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-9; /* of the scaled A */
static const double TOUCHED = 1e-3;  /* component of such a direction */
static const double PULL = 0.98;     /* at most, of a cluster on its own fit */
enum { FEW = 5 };

/* ---- whitening ---- */

typedef struct whitening {
    int n, m;     /* free parameters, directions that count */
    double *R;    /* [m x n] */
    double *lost; /* [n] largest component of a direction that does not count */
    double *matrix, *vector, *value, *S, *half; /* scratch [n x n] and [n] */
    double *meat, *meat_hessian, *meat_prior;   /* [m x m] R B R' */
    double *z, *pulled, *total;                 /* [n]; total: R sum s */
    /* of each value: y [values x m]; of each cluster: p [clusters x values x m] and y'S y */
    double *y, *p, *own;
    void *block;
} whitening;

static void place(whitening *w, size_t n, sal_layout *layout)
{
    double **const square[] = {&w->R,    &w->matrix, &w->vector,       &w->S,
                               &w->half, &w->meat,   &w->meat_hessian, &w->meat_prior};
    double **const line[] = {&w->lost, &w->value, &w->z, &w->pulled, &w->total};
    for (size_t i = 0; i < sizeof square / sizeof square[0]; i++) {
        *square[i] = sal_layout_take(layout, n * n, sizeof(double));
    }
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
        *line[i] = sal_layout_take(layout, n, sizeof(double));
    }
}

static sal_status new_whitening(whitening *w, int n, sal_err *err)
{
    sal_layout layout = {NULL, 0};
    *w = (whitening){.n = n};
    place(w, (size_t)n, &layout);
    w->block = layout.base = sal_alloc(layout.size + 1, 1);
    if (w->block == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the errors of %d parameters", n);
    }
    layout.size = 0;
    place(w, (size_t)n, &layout);
    return SAL_OK;
}

/* R of A, which w->matrix holds. */
static void find_whitening(whitening *w)
{
    const int n = w->n;
    double *a = w->matrix, *d = w->z;
    for (int i = 0; i < n; i++) { /* what nothing depends on is left out: its row is 0 */
        d[i] = a[i * (n + 1)] > 0 ? sqrt(a[i * (n + 1)]) : (double)INFINITY;
    }
    for (int i = 0; i < n * n; i++) {
        a[i] /= d[i / n] * d[i % n];
    }
    sal_lapack_eigen(w->value, w->vector, a, n);
    w->m = 0;
    for (int k = 0; k < n; k++) {
        const double *v = w->vector + k * n;
        const bool counts = w->value[k] > SINGULAR;
        for (int i = 0; i < n; i++) {
            if (counts) {
                w->R[w->m * n + i] = v[i] / (d[i] * sqrt(w->value[k]));
            } else {
                w->lost[i] = fmax(w->lost[i], fabs(v[i]));
            }
        }
        w->m += counts;
    }
}

/* out [m x m] = R B R', B [n x n] */
static void whiten(const whitening *w, double *out, const double *B)
{
    const int n = w->n, m = w->m;
    for (int k = 0; k < m; k++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += w->R[k * n + i] * B[i * n + j];
            }
            w->half[k * n + j] = sum;
        }
    }
    for (int k = 0; k < m; k++) {
        for (int l = 0; l < m; l++) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += w->half[k * n + j] * w->R[l * n + j];
            }
            out[k * m + l] = sum;
        }
    }
}

/* ---- the meat ---- */

static bool same_cluster(const sal_identification_result *e, int i, int k)
{
    return strcmp(e->recording[i].cluster, e->recording[k].cluster) == 0;
}

/* The recording of the fit that opens i's cluster; -1: i is held out. */
static int cluster_of(const sal_identification_result *e, int i)
{
    if (e->recording[i].held) {
        return -1;
    }
    for (int k = 0; k < i; k++) {
        if (!e->recording[k].held && e->recording[i].cluster[0] != 0 && same_cluster(e, i, k)) {
            return k;
        }
    }
    return i;
}

/* S_c and s_c of the free parameters, of the cluster that recording c opens; to w->S and w->z. */
static void sum_cluster(const idn_assessment *a, whitening *w, const int *cluster, int c)
{
    const sal_identification_result *e = a->e;
    const int n = e->nparameter;
    memset(w->S, 0, (size_t)(w->n * w->n) * sizeof(double));
    memset(w->z, 0, (size_t)w->n * sizeof(double));
    for (int i = c; i < e->nrecording; i++) {
        for (int k = 0; k < w->n && cluster[i] == c; k++) {
            w->z[k] += e->score[i * n + a->free[k]];
            for (int l = 0; l < w->n; l++) {
                w->S[k * w->n + l] += e->S[(i * n + a->free[k]) * n + a->free[l]];
            }
        }
    }
}

/* z_c = (1 - M)^-1/2 R s_c, M = R S_c R'; adds z_c z_c'. */
static void add_cluster(whitening *w)
{
    const int n = w->n, m = w->m;
    for (int k = 0; k < m; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += w->R[k * n + i] * w->z[i];
        }
        w->pulled[k] = sum;
        w->total[k] += sum;
    }
    whiten(w, w->matrix, w->S);
    sal_lapack_eigen(w->value, w->vector, w->matrix, m);
    memset(w->z, 0, (size_t)n * sizeof(double));
    for (int k = 0; k < m; k++) {
        const double *v = w->vector + k * m;
        double along = 0;
        for (int i = 0; i < m; i++) {
            along += v[i] * w->pulled[i];
        }
        along /= sqrt(1 - fmin(fmax(w->value[k], 0), PULL));
        for (int i = 0; i < m; i++) {
            w->z[i] += along * v[i];
        }
    }
    for (int i = 0; i < m * m; i++) {
        w->meat[i] += w->z[i / m] * w->z[i % m];
    }
}

/* What cluster c has to do with the freedoms of each value; its eigenvectors are in w. */
static void note_cluster(const idn_assessment *a, whitening *w, int c)
{
    const int n = a->e->nparameter, m = w->m;
    for (int k = 0; k < n; k++) {
        const double *y = w->y + k * m;
        double *p = w->p + ((size_t)c * (size_t)n + (size_t)k) * (size_t)m,
               *own = w->own + c * n + k;
        for (int j = 0; j < m; j++) {
            const double *v = w->vector + j * m, pull = fmax(w->value[j], 0);
            double along = 0;
            for (int i = 0; i < m; i++) {
                along += v[i] * y[i];
            }
            *own += pull * along * along;
            for (int i = 0; i < m; i++) {
                p[i] += pull / sqrt(1 - fmin(pull, PULL)) * along * v[i];
            }
        }
    }
}

/* (tr G)^2 / tr G^2 of value k; sum_cd (p_c'p_d)^2 is the square of the norm of sum_c p_c p_c'. */
static double freedom_of(const idn_assessment *a, whitening *w, int k)
{
    const sal_identification_result *e = a->e;
    const int m = w->m;
    double trace = 0, square = 0, *P = w->half;
    memset(P, 0, (size_t)(m * m) * sizeof(double));
    for (int c = 0; c < e->ncluster; c++) {
        const double *p = w->p + ((size_t)c * (size_t)e->nparameter + (size_t)k) * (size_t)m;
        const double own = w->own[c * e->nparameter + k];
        double length = 0;
        for (int i = 0; i < m; i++) {
            length += p[i] * p[i];
            for (int j = 0; j < m; j++) {
                P[i * m + j] += p[i] * p[j];
            }
        }
        trace += own;
        square += own * own - length * length;
    }
    for (int i = 0; i < m * m; i++) {
        square += P[i] * P[i];
    }
    return square > 0 ? trace * trace / square : (double)INFINITY;
}

/* Room for that, for as many clusters as there are recordings. */
static sal_status make_notes(const idn_assessment *a, whitening *w, sal_err *err)
{
    const sal_identification_result *e = a->e;
    const size_t n = (size_t)e->nparameter, m = (size_t)w->m, R = (size_t)e->nrecording;
    w->y = sal_alloc(n * m + 1, sizeof(double));
    w->p = sal_alloc(R * n * m + 1, sizeof(double));
    w->own = sal_alloc(R * n + 1, sizeof(double));
    if (w->y == NULL || w->p == NULL || w->own == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the errors of %d parameters", (int)n);
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < m; i++) {
            for (int j = 0; j < w->n; j++) {
                w->y[k * m + i] +=
                    w->R[i * (size_t)w->n + (size_t)j] * e->slope[k * n + (size_t)a->free[j]];
            }
        }
    }
    return SAL_OK;
}

static sal_status add_clusters(idn_assessment *a, whitening *w, sal_err *err)
{
    sal_identification_result *e = a->e;
    int *cluster = sal_alloc((size_t)e->nrecording + 1, sizeof(int));
    if (cluster == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the clusters of recordings");
    }
    for (int i = 0; i < e->nrecording; i++) {
        cluster[i] = cluster_of(e, i);
    }
    e->ncluster = 0;
    for (int i = 0; i < e->nrecording; i++) {
        if (cluster[i] == i) {
            sum_cluster(a, w, cluster, i);
            add_cluster(w);
            note_cluster(a, w, e->ncluster++);
        }
    }
    sal_free(cluster);
    return SAL_OK;
}

/* Adds R W R' to both meats, and s^2 R (sum S) R' to the Hessian's. */
static void add_known(const idn_assessment *a, whitening *w)
{
    const sal_identification_result *e = a->e;
    const int n = w->n, m = w->m;
    const double s2 = e->freedom > 0 ? e->chi2 / e->freedom : 1;
    for (int k = 0; k < n * n; k++) {
        w->S[k] = a->information[a->free[k / n] * e->nparameter + a->free[k % n]];
    }
    whiten(w, w->matrix, w->S);
    for (int i = 0; i < m * m; i++) {
        double prior = 0;
        for (int k = 0; k < n; k++) {
            prior += w->R[i / m * n + k] * e->parameter[a->free[k]].weight * w->R[i % m * n + k];
        }
        w->meat_prior[i] = prior;
        w->meat[i] += prior;
        w->meat_hessian[i] = s2 * w->matrix[i] + prior;
    }
}

/* ---- back to u, and to values ---- */

/* out [n x n] = R' meat R */
static void unwhiten(const whitening *w, double *out, const double *meat)
{
    const int n = w->n, m = w->m;
    for (int k = 0; k < m; k++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < m; l++) {
                sum += meat[k * m + l] * w->R[l * n + j];
            }
            w->half[k * n + j] = sum;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++) {
                sum += w->R[k * n + i] * w->half[k * n + j];
            }
            out[i * n + j] = sum;
        }
    }
}

/* Row `value` of the slopes times the covariance C of u times row `other` */
static double covariance(const idn_assessment *a, const double *C, int value, int other)
{
    const int n = a->e->nparameter, nf = a->nfree;
    const double *slope = a->e->slope;
    double sum = 0;
    for (int i = 0; i < nf; i++) {
        for (int j = 0; j < nf; j++) {
            sum += slope[value * n + a->free[i]] * C[i * nf + j] * slope[other * n + a->free[j]];
        }
    }
    return sum;
}

/* Standard error of a value: NaN where none of what it follows from was estimated, infinite where
 * that is not determined. */
static double error_of(const idn_assessment *a, const whitening *w, const double *C, int value)
{
    bool any = false;
    for (int k = 0; k < a->nfree; k++) {
        const double slope = a->e->slope[value * a->e->nparameter + a->free[k]];
        any = any || slope != 0;
        if (slope != 0 && w->lost[k] > TOUCHED) {
            return INFINITY;
        }
    }
    return any ? sqrt(fmax(covariance(a, C, value, value), 0)) : (double)NAN;
}

/* Of a standard error by recording and one from the Hessian: too few clusters can only make it
 * larger. */
static double reported(const sal_identification_result *e, double robust, double plain)
{
    return e->sandwich ? robust : e->ncluster > 1 ? fmax(robust, plain) : plain;
}

static void put_correlations(const idn_assessment *a, const double *C)
{
    const sal_identification_result *e = a->e;
    const int n = e->nparameter;
    for (int i = 0; i < n * n; i++) {
        const double product = covariance(a, C, i / n, i / n) * covariance(a, C, i % n, i % n);
        const bool known = isfinite(e->parameter[i / n].se) && isfinite(e->parameter[i % n].se);
        e->correlation[i] =
            known && product > 0 ? covariance(a, C, i / n, i % n) / sqrt(product) : (double)NAN;
    }
}

static void put_errors(idn_assessment *a, whitening *w)
{
    sal_identification_result *e = a->e;
    const int n = e->nparameter, nf = w->n;
    double *robust = w->S, *plain = w->vector;
    unwhiten(w, robust, w->meat);
    unwhiten(w, plain, w->meat_hessian);
    for (int k = 0; k < n; k++) {
        sal_identification_parameter *p = e->parameter + k;
        p->se_hessian = error_of(a, w, plain, k);
        p->se = reported(e, error_of(a, w, robust, k), p->se_hessian);
    }
    put_correlations(a, e->sandwich ? robust : plain);
    for (int k = 0; k < nf; k++) {
        const int at = k * (nf + 1);
        for (int i = 0; i < w->m; i++) {
            a->step[a->free[k]] += w->R[i * nf + k] * w->total[i];
        }
        a->se_u[a->free[k]] = w->lost[k] > TOUCHED
                                  ? (double)INFINITY
                                  : sqrt(fmax(reported(e, robust[at], plain[at]), 0));
    }
    unwhiten(w, w->matrix, w->meat_prior);
    for (int k = 0; k < n; k++) {
        sal_identification_parameter *p = e->parameter + k;
        const double known = a->known[k] = fmax(covariance(a, w->matrix, k, k), 0);
        const double between = p->se * p->se - known;
        const bool by_clusters = isfinite(p->se) && p->se > 0 && p->se != p->se_hessian;
        p->freedom = by_clusters && between > 0
                         ? freedom_of(a, w, k) * pow(p->se * p->se / between, 2)
                         : (double)INFINITY;
    }
}

sal_status idn_standard_errors(idn_assessment *a, sal_err *err)
{
    sal_identification_result *e = a->e;
    whitening w;
    sal_status status = new_whitening(&w, a->nfree, err);
    if (status != SAL_OK) {
        return status;
    }
    const int n = a->nfree;
    for (int i = 0; i < n * n; i++) {
        const int k = a->free[i / n], l = a->free[i % n];
        const double *row = a->information + k * e->nparameter;
        const double own = row[k] + e->parameter[k].weight;
        const bool mute = k == l && idn_is_unmeasured(e->parameter + k, own);
        w.matrix[i] = mute ? 0 : k == l ? own : row[l];
    }
    find_whitening(&w);
    status = make_notes(a, &w, err);
    status = status == SAL_OK ? add_clusters(a, &w, err) : status;
    if (status == SAL_OK) {
        add_known(a, &w);
        e->sandwich = e->ncluster >= FEW && e->ncluster > n;
        put_errors(a, &w);
    }
    void *const memory[] = {w.block, w.y, w.p, w.own};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) {
        sal_free(memory[i]);
    }
    return status;
}
