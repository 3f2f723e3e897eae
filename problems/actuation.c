/* actuation.c: what actuators can produce, and what they cannot.
 *
 *     f = B' force + unactuated,    force = (B B')^-1 B f,    unactuated = (1 - B'(BB')^-1 B) f
 *
 * An unactuated force is measured by what it would do: the unit of a dof is the force that accelerates it by gravity, g M_ii, at most the
 * weight of its tree. Of a mechanism that stands on the floor this is the weight for a translation of its root. A small thing beside a heavy one has
 * small units: in those of the whole, forces from nowhere would move it for nearly nothing.
 *
 * B [nu x nv] holds the moment arms. On joints they are the gears: constant, in the dofs of the joint.
 */
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

static const double unit_least = 1e-3; /* of the weight */

static void fill_moments(const sal_model *m, double *B)
{
    for (int a = 0; a < m->nu; a++) {
        const int joint = m->actuator_trnid[a], dof = m->jnt_dofadr[joint];
        for (int k = 0; k < sal_joint_ndof(m->jnt_type[joint]); k++) {
            B[a * m->nv + dof + k] = m->actuator_gear[6 * a + k];
        }
    }
}

/* map->force := (B B')^-1 B; false if B B' is singular. */
static bool invert(const sal_model *m, double *force, const double *B, double *gram, double *column)
{
    const int nu = m->nu, nv = m->nv;
    double largest = 0;
    for (int i = 0; i < nu; i++) {
        for (int k = 0; k < nu; k++) {
            double sum = 0;
            for (int c = 0; c < nv; c++) {
                sum += B[i * nv + c] * B[k * nv + c];
            }
            gram[i * nu + k] = sum;
            largest = fmax(largest, fabs(sum));
        }
    }
    if (nu > 0 && sal_dense_cholesky(gram, nu) < nu) {
        return false;
    }
    for (int i = 0; i < nu; i++) {
        if (gram[i * nu + i] * gram[i * nu + i] < 1e-12 * largest) {
            return false;
        }
    }
    for (int c = 0; c < nv; c++) {
        for (int i = 0; i < nu; i++) {
            column[i] = B[i * nv + c];
        }
        sal_dense_cholesky_solve(column, gram, nu);
        for (int i = 0; i < nu; i++) {
            force[i * nv + c] = column[i];
        }
    }
    return true;
}

/* Rows of 1 - B' force that are not zero. */
static void fill_unactuated(sal_actuation_map *map, const double *B)
{
    const int nv = map->nv;
    map->nfree = 0;
    for (int i = 0; i < nv; i++) {
        double *row = map->unactuated + (size_t)map->nfree * (size_t)nv, largest = 0;
        for (int c = 0; c < nv; c++) {
            double sum = i == c;
            for (int a = 0; a < map->nu; a++) {
                sum -= B[a * nv + i] * map->force[a * nv + c];
            }
            row[c] = fabs(sum) < 1e-12 ? 0 : sum;
            largest = fmax(largest, fabs(row[c]));
        }
        if (largest > 0) {
            map->free_dof[map->nfree++] = i;
        }
    }
}

static void mark_rotational(sal_actuation_map *map, const sal_model *m)
{
    for (int i = 0; i < m->nv; i++) {
        const int joint = m->dof_jntid[i], type = m->jnt_type[joint];
        map->rotational[i] = type == SAL_JNT_HINGE || type == SAL_JNT_BALL ||
                             (type == SAL_JNT_FREE && i >= m->jnt_dofadr[joint] + 3);
    }
}

/* u_i = g min(mass of the tree, M_ii), at least a thousandth of the weight of all, which rounding can resolve */
static void fill_units(sal_actuation_map *map, const sal_model *m)
{
    const double weight = sal_weight(m);
    for (int i = 0; i < map->nfree; i++) {
        const int dof = map->free_dof[i], root = m->body_rootid[m->dof_bodyid[dof]];
        const double inertia = sal_gravity_earth * m->dof_M0[dof];
        map->unit[i] = fmax(fmin(sal_weight_of_tree(m, root), inertia), unit_least * weight);
    }
}

sal_status sal_actuation_map_new(sal_actuation_map **out, const sal_model *m, sal_err *err)
{
    const size_t nu = (size_t)m->nu, nv = (size_t)m->nv;
    sal_status status = SAL_NOMEM;
    double *B = sal_alloc(nu * nv, sizeof(double)), *gram = sal_alloc(nu * nu + nu, sizeof(double));
    sal_actuation_map *map = sal_alloc(1, sizeof *map);
    *out = map;
    if (map != NULL) {
        map->nu = m->nu, map->nv = m->nv;
        map->force = sal_alloc(nu * nv, sizeof(double));
        map->unactuated = sal_alloc((nv + 1) * nv, sizeof(double));
        map->free_dof = sal_alloc(nv + 1, sizeof(int));
        map->unit = sal_alloc(nv + 1, sizeof(double));
        map->rotational = sal_alloc(nv, 1);
    }
    if (B == NULL || gram == NULL || map == NULL || map->force == NULL || map->unactuated == NULL ||
        map->free_dof == NULL || map->unit == NULL || map->rotational == NULL) {
        sal_fail(err, SAL_NOMEM, "out of memory for the actuators' moment arms");
        goto done;
    }
    fill_moments(m, B);
    mark_rotational(map, m);
    status = SAL_OK;
    if (!invert(m, map->force, B, gram, gram + nu * nu)) {
        status = sal_fail(err, SAL_UNSUPPORTED,
                          "the actuators are redundant: two of them act on the same dof, or one "
                          "has no moment arm (gear 0)");
        goto done;
    }
    fill_unactuated(map, B);
    fill_units(map, m);
done:
    sal_free(B);
    sal_free(gram);
    if (status != SAL_OK) {
        sal_actuation_map_free(map);
        *out = NULL;
    }
    return status;
}

void sal_actuation_map_free(sal_actuation_map *map)
{
    if (map != NULL) {
        sal_free(map->force);
        sal_free(map->unactuated);
        sal_free(map->free_dof);
        sal_free(map->unit);
        sal_free(map->rotational);
        sal_free(map);
    }
}
