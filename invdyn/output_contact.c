/* output_contact.c: forces of contact in the world, and where they act.
 *
 *     normal      the sum of the normal forces of all contacts of the marked geoms
 *     force       F = sum of +-f_i over the contacts between the marked geoms and the others;
 *                 f_i acts on geom2
 *     pressure    y = (sum N_i x_i + load x_0) / S,   S = sum N_i + load,
 *                 x_0 = mean of the centres of the marked geoms:
 *                 dy = (sum ((x_i - y) dN_i + N_i dx_i) + load dx_0) / S
 *
 * A contact of two marked geoms is none of either: what it does to one it undoes to the other.
 */
#include "base/house.h"
#include "invdyn/output.h"

#include <string.h>

/* ---- normal force ---- */

void inv_normal_write(const inv_instant *at, const sal_output *output, double *y)
{
    double sum = 0;
    for (int i = 0; i < at->d->ncon; i++) {
        const sal_contact *contact = at->d->contact + i;
        if (output->geoms[contact->geom1] || output->geoms[contact->geom2]) {
            double force[6];
            sal_contact_force(at->m, at->d, i, force);
            sum += force[0];
        }
    }
    y[0] = sum;
}

static void clear(const sal_model *m, int n, inv_output_jacobian D)
{
    const size_t bytes = (size_t)n * (size_t)m->nv * sizeof(double);
    memset(D.q, 0, bytes);
    memset(D.v, 0, bytes);
    memset(D.a, 0, bytes);
}

bool inv_normal_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    const unsigned char *geoms = output->geoms;
    clear(at->m, 1, D);
    for (int i = 0; i < at->d->ncon; i++) {
        const sal_contact *contact = at->d->contact + i;
        const bool counts = geoms[contact->geom1] || geoms[contact->geom2];
        if (counts && !sal_contact_force_deriv(at->m, at->d, i, 1, D.q, D.v, D.a)) {
            return false;
        }
    }
    return true;
}

/* ---- force ---- */

/* +1: the force of contact i is one on the marked geoms; -1: minus it is; 0: it does not count */
static int sign_of(const sal_output *output, const sal_contact *contact)
{
    const int g1 = contact->geom1, g2 = contact->geom2;
    if (output->geoms[g1] == output->geoms[g2]) {
        return 0;
    }
    const int sign = output->geoms[g2] ? 1 : -1, other = sign > 0 ? g1 : g2;
    return output->others == NULL || output->others[other] ? sign : 0;
}

void inv_contact_write(const inv_instant *at, const sal_output *output, double *y)
{
    const sal_model *m = at->m;
    const sal_data *d = at->d;
    sal_v3_set(y, 0, 0, 0);
    for (int i = 0; i < d->ncon; i++) {
        const int sign = sign_of(output, d->contact + i);
        double local[6], world[3];
        if (sign != 0) {
            sal_contact_force(m, d, i, local);
            sal_m3_multv(world, d->contact[i].frame, local);
            sal_v3_addscaled(y, y, sign, world);
        }
    }
}

bool inv_contact_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    const sal_model *m = at->m;
    sal_data *d = at->d;
    clear(m, 3, D);
    for (int i = 0; i < d->ncon; i++) {
        const int sign = sign_of(output, d->contact + i);
        sal_contact_weight weight[3] = {{.normal = 0}};
        for (int r = 0; r < 3; r++) {
            weight[r].force[r] = sign;
        }
        if (sign != 0 && !sal_contact_sum_deriv(m, d, i, 3, weight, D.q, D.v, D.a)) {
            return false;
        }
    }
    return true;
}

/* ---- centre of pressure ---- */

static int count_marked(const sal_model *m, const sal_output *output)
{
    int n = 0;
    for (int g = 0; g < m->ngeom; g++) {
        n += output->geoms[g] != 0;
    }
    return n;
}

/* y and S */
static double pressure(const sal_model *m, const sal_data *d, const sal_output *output, double y[2])
{
    const double share = output->load / count_marked(m, output);
    double sum = output->load;
    y[0] = y[1] = 0;
    for (int g = 0; g < m->ngeom; g++) {
        for (int r = 0; r < 2 && output->geoms[g]; r++) {
            y[r] += share * d->geom_xpos[3 * g + r];
        }
    }
    for (int i = 0; i < d->ncon; i++) {
        double force[6];
        if (sign_of(output, d->contact + i) != 0) {
            sal_contact_force(m, d, i, force);
            sum += force[0];
            y[0] += force[0] * d->contact[i].pos[0];
            y[1] += force[0] * d->contact[i].pos[1];
        }
    }
    y[0] /= sum;
    y[1] /= sum;
    return sum;
}

void inv_pressure_write(const inv_instant *at, const sal_output *output, double *y)
{
    pressure(at->m, at->d, output, y);
}

bool inv_pressure_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    const sal_model *m = at->m;
    sal_data *d = at->d;
    double y[2];
    const double sum = pressure(m, d, output, y);
    const double share = output->load / count_marked(m, output) / sum;
    clear(m, 2, D);
    for (int g = 0; g < m->ngeom; g++) {
        const int body = m->geom_bodyid[g];
        double arm[3];
        if (output->geoms[g]) {
            sal_v3_sub(arm, d->geom_xpos + 3 * g, d->subtree_com + 3 * m->body_rootid[body]);
            inv_body_place_deriv(m, d, D.q, 2, share, arm, body);
        }
    }
    for (int i = 0; i < d->ncon; i++) {
        sal_contact_weight weight[2] = {{.normal = 0}};
        double force[6];
        if (sign_of(output, d->contact + i) == 0) {
            continue;
        }
        sal_contact_force(m, d, i, force);
        for (int r = 0; r < 2; r++) {
            weight[r].normal = (d->contact[i].pos[r] - y[r]) / sum;
            weight[r].pos[r] = force[0] / sum;
        }
        if (!sal_contact_sum_deriv(m, d, i, 2, weight, D.q, D.v, D.a)) {
            return false;
        }
    }
    return true;
}
