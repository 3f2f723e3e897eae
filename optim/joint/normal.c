/* normal.c: what the user says of a member's residuals becomes its normal equations.
 *
 *     A = root(weight) R [J, G, ·],   s = root(weight) s_norm:      H += A'A,   g += A's
 *     (norm.c has R and s_norm of a norm)
 */
#include "optim/joint/joint.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double TRACE = 1e-12; /* of the largest diagonal entry, where there is no curvature */

static int round_up(int n)
{
    return (n + OPT_JOINT_LANES - 1) / OPT_JOINT_LANES * OPT_JOINT_LANES;
}

void opt_normal_place(sal_normal *a, sal_layout *layout, size_t panel, int size, int nborder)
{
    const size_t slack = OPT_JOINT_LANES, most = SAL_NORMAL_MOST;
    const size_t ldc = (size_t)round_up(nborder + 1);
    a->ldr = round_up(OPT_JOINT_WINDOW * size + nborder + 1);
    a->panel = sal_layout_take(layout, panel + slack, sizeof(double));
    a->corner = sal_layout_take(layout, (size_t)(nborder + 1) * ldc + slack, sizeof(double));
    a->row = sal_layout_take(layout, most * (size_t)a->ldr + slack, sizeof(double));
    a->scaled = sal_layout_take(layout, most, sizeof(double));
    a->root = sal_layout_take(layout, most * most, sizeof(double));
}

size_t opt_normal_panel(const sal_member *member, int nshared)
{
    const int ld = round_up(OPT_JOINT_WINDOW * member->size + member->nlocal + nshared + 1);
    return (size_t)member->nblock * (size_t)member->size * (size_t)ld;
}

void opt_normal_begin(sal_normal *a, const sal_member *member, int nshared)
{
    a->nblock = member->nblock;
    a->size = member->size;
    a->nlocal = member->nlocal;
    a->nborder = member->nlocal + nshared;
    a->width = 1;
    a->ld = round_up(OPT_JOINT_WINDOW * a->size + a->nborder + 1);
    a->ldc = round_up(a->nborder + 1);
    a->cost = 0;
    a->status = SAL_OK;
    memset(a->panel, 0, opt_normal_panel(member, nshared) * sizeof(double));
    memset(a->corner, 0, (size_t)(a->nborder + 1) * (size_t)a->ldc * sizeof(double));
}

/* to = root(weight) R from, n rows of ncol numbers; from NULL: zero */
static void scale_rows(const sal_normal *a, double *to, int n, double factor, bool diagonal,
                       const double *from, int ncol)
{
    for (int i = 0; i < n; i++, to += a->ldr) {
        if (from == NULL) {
            memset(to, 0, (size_t)ncol * sizeof *to);
            continue;
        }
        const double own = factor * a->root[diagonal ? i : i * n + i];
        for (int j = 0; j < ncol; j++) {
            to[j] = own * from[i * ncol + j];
        }
        for (int k = 0; k < n && !diagonal; k++) {
            const double other = k == i ? 0 : factor * a->root[i * n + k];
            for (int j = 0; j < ncol; j++) {
                to[j] += other * from[k * ncol + j];
            }
        }
    }
}

/* What cannot be added is a fault of the caller, which its linearisation then reports. width: of J,
 * 1 where there is none */
static bool can_add(sal_normal *a, double weight, int n, int width)
{
    if (a->status == SAL_OK && n > SAL_NORMAL_MOST) {
        a->status = sal_fail(
            &a->err, SAL_FULL,
            "%d residuals are added in one call; at most %d are allowed: use several calls", n,
            SAL_NORMAL_MOST);
    }
    if (a->status == SAL_OK && (n < 0 || !(weight >= 0 && isfinite(weight)))) {
        a->status = sal_fail(&a->err, SAL_BADINPUT,
                             "%d residuals are added with weight %g; the number must be at least "
                             "0, the weight finite and at least 0",
                             n, weight);
    }
    if (a->status == SAL_OK && (width < 1 || width > OPT_JOINT_WINDOW)) {
        a->status = sal_fail(&a->err, SAL_BADINPUT,
                             "a residual can depend on 1 to %d blocks, and this one depends on %d",
                             OPT_JOINT_WINDOW, width);
    }
    return a->status == SAL_OK && n > 0;
}

void sal_normal_add(sal_normal *a, const sal_norm *norm, double weight, int n, const double *r,
                    const sal_slopes *slopes)
{
    if (!can_add(a, weight, n, slopes->J == NULL ? 1 : slopes->width)) {
        return;
    }
    bool diagonal;
    a->cost += weight * sal_norm_scale(norm, r, n, a->scaled, a->root, &diagonal);
    const double factor = sqrt(weight);
    const int width = slopes->J == NULL ? 0 : slopes->width, ncol = width * a->size;
    a->width = width > a->width ? width : a->width;
    scale_rows(a, a->row, n, factor, diagonal, slopes->J, ncol);
    scale_rows(a, a->row + ncol, n, factor, diagonal, slopes->G, a->nborder);
    for (int i = 0; i < n; i++) {
        a->row[i * a->ldr + ncol + a->nborder] = factor * a->scaled[i];
    }
    opt_joint_assemble(a, n, slopes->first, width, slopes->G != NULL);
}

/* Variables at .. at+n-1 are of a block */
static bool are_of_a_block(sal_normal *a, int n, int at)
{
    const bool are = at >= 0 && at + n <= a->size;
    if (!are) {
        a->status = sal_fail(&a->err, SAL_BADINPUT,
                             "residuals of the variables %d to %d are added; a block has %d", at,
                             at + n - 1, a->size);
    }
    return are;
}

/* Residuals whose norm makes one of several */
static bool are_mixed(sal_normal *a, int n, bool diagonal)
{
    if (!diagonal && n > 1) {
        a->status = sal_fail(&a->err, SAL_BADINPUT,
                             "%d residuals of one variable each are added with a norm of all of "
                             "them: add them with sal_normal_add",
                             n);
    }
    return !diagonal && n > 1;
}

void sal_normal_add_alone(sal_normal *a, const sal_norm *norm, double weight, int n,
                          const double *r, const sal_slopes_alone *slopes)
{
    const int width = slopes->width;
    if (!can_add(a, weight, n, width) || !are_of_a_block(a, n, slopes->at)) {
        return;
    }
    bool diagonal;
    a->cost += weight * sal_norm_scale(norm, r, n, a->scaled, a->root, &diagonal);
    if (are_mixed(a, n, diagonal)) {
        return;
    }
    const double factor = sqrt(weight);
    for (int i = 0; i < n; i++) {
        const double own = factor * a->root[i];
        for (int k = 0; k < width; k++) {
            a->row[i * width + k] = own * slopes->slope[i * width + k];
        }
        a->scaled[i] *= factor;
    }
    a->width = width > a->width ? width : a->width;
    opt_joint_assemble_alone(a, n, slopes->first, width, slopes->at, a->row, a->scaled);
}

/* ---- damping ---- */

static double largest_diagonal(const sal_normal *a)
{
    double most = 0;
    const double *row = a->panel;
    for (int k = 0; k < a->nblock; k++) {
        for (int i = 0; i < a->size; i++, row += a->ld) {
            most = fmax(most, row[i]);
        }
    }
    for (int i = 0; i < a->nlocal; i++) {
        most = fmax(most, a->corner[i * a->ldc + i]);
    }
    return most;
}

void opt_normal_damp(sal_normal *a, double damping)
{
    const double most = largest_diagonal(a), least = most > 0 ? TRACE * most : 1;
    double *row = a->panel;
    for (int k = 0; k < a->nblock; k++) {
        for (int i = 0; i < a->size; i++, row += a->ld) {
            row[i] += damping * fmax(row[i], least);
        }
    }
    for (int i = 0; i < a->nlocal; i++) {
        double *entry = a->corner + i * a->ldc + i;
        *entry += damping * fmax(*entry, least);
    }
}

void opt_normal_hold_locals(sal_normal *a)
{
    const size_t nrow = (size_t)a->nblock * (size_t)a->size, nlocal = (size_t)a->nlocal;
    double *row = a->panel + OPT_JOINT_WINDOW * a->size;
    for (size_t i = 0; i < nrow && nlocal > 0; i++, row += a->ld) {
        memset(row, 0, nlocal * sizeof *row);
    }
    for (int i = 0; i <= a->nborder && nlocal > 0; i++) {
        memset(a->corner + i * a->ldc, 0, nlocal * sizeof *row);
    }
    for (int i = 0; i < a->nlocal; i++) {
        memset(a->corner + i * a->ldc, 0, (size_t)a->ldc * sizeof *row);
        a->corner[i * a->ldc + i] = 1;
    }
}
