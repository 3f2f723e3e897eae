#include "bench/tables/limp.h"

#include "bench/tables/tables.h"

#include "base/rng.h"

#include <string.h>

enum { MOST_DOFS = 40, FALLS = 200, STEPS = 150, EVERY = 7 };

/* Row i of the contacts' rows, dense; from where its contact begins */
static void dense_row(double *J, const sal_model *m, const sal_data *d, int i)
{
    const int row = d->contact[i / 3].efc_address + i % 3, at = d->efc_J_rowadr[row];
    memset(J, 0, (size_t)m->nv * sizeof *J);
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        J[d->efc_J_colind[at + k]] = d->efc_J[at + k];
    }
}

/* c = J (v + h a), a the acceleration without contacts;  A = J M^-1 J' */
static void read_rows(limp_rows *r, const sal_model *m, const sal_data *d, int contacts)
{
    const int rows = 3 * contacts;
    r->contacts = contacts;
    for (int i = 0; i < contacts; i++) {
        r->gap[i] = d->contact[i].dist;
        r->mu[i] = m->pair_friction[5 * d->contact[i].pair];
    }
    for (int i = 0; i < rows; i++) {
        double x[MOST_DOFS], J[MOST_DOFS];
        dense_row(x, m, d, i);
        r->c[i] = 0;
        for (int k = 0; k < m->nv; k++) {
            r->c[i] += x[k] * (d->qvel[k] + LIMP_STEP * d->qacc_smooth[k]);
        }
        sal_solve_m(m, d, x);
        for (int j = 0; j < rows; j++) {
            dense_row(J, m, d, j);
            r->A[i * rows + j] = 0;
            for (int k = 0; k < m->nv; k++) {
                r->A[i * rows + j] += J[k] * x[k];
            }
        }
    }
}

/* Somewhere above the floor, turned and turning anyhow */
static void throw(const sal_model *m, sal_data *d, sal_rng *rng)
{
    sal_data_reset(m, d);
    for (int i = 3; i < 7; i++) {
        d->qpos[i] = sal_rng_normal(rng);
    }
    sal_normalise_pos(m, d->qpos);
    for (int i = 0; i < m->nv; i++) {
        d->qvel[i] = sal_rng_normal(rng);
    }
}

void limp_collect(limp_rows *rows, int count, int contacts)
{
    sal_model *m = table_model("models/person.xml");
    sal_data *d = NULL;
    sal_rng rng = {5};
    sal_err err;
    int found = 0;
    table_check(m == NULL ? SAL_BADINPUT : SAL_OK, "models/person.xml");
    m->opt.timestep = LIMP_STEP;
    table_contact(m, SAL_CONTACT_CONVEX, LIMP_REACH);
    table_check(sal_data_new(&d, m, &err), "limp");
    for (int fall = 0; fall < FALLS && found < count; fall++) {
        throw(m, d, &rng);
        for (int i = 0; i < STEPS && found < count; i++) {
            table_check(sal_forward(m, d, &err), "limp");
            if (i % EVERY == 0 && d->ncon >= contacts) {
                read_rows(&rows[found++], m, d, contacts);
            }
            table_check(sal_advance(m, d, &err), "limp");
        }
    }
    table_check(found == count ? SAL_OK : SAL_BADINPUT, "too few states with so many contacts");
    sal_data_free(d);
    sal_model_free(m);
}
