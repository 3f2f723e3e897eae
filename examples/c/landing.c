/* landing.c: lets a walker fall on its feet, shows which of its parts touch the floor and how hard,
 * and asks the inverse dynamics of the last step for the forces that were applied: none.
 *
 *     cc landing.c $(pkg-config --cflags --libs saltus) -lm && ./a.out ../../models/walker.xml
 */
#include <math.h>
#include <saltus/mjcf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show_contacts(const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        double force[6]; /* normal, two tangents, torsion, two rolling; on geom2 */
        sal_contact_force(m, d, i, force);
        printf("  %-12s on %-8s depth %6.2f mm, normal force %7.1f N, friction %6.1f N\n",
               sal_model_name(m, SAL_OBJ_GEOM, c->geom2), sal_model_name(m, SAL_OBJ_GEOM, c->geom1),
               -1e3 * c->dist, force[0], hypot(force[1], force[2]));
    }
}

/* The step from q0 to the state in d, undone: v = (q1 (-) q0)/h, a' = (v - v0)/h, then the force
 * that asks for. Returns its largest entry. */
static double force_of_step(const sal_model *m, sal_data *d, const double *q0, const double *v0,
                            double *a, sal_err *err)
{
    const double h = m->opt.timestep;
    double most = 0;
    sal_differentiate_pos(m, a, h, q0, d->qpos);
    for (int i = 0; i < m->nv; i++) {
        a[i] = (a[i] - v0[i]) / h;
    }
    memcpy(d->qpos, q0, (size_t)m->nq * sizeof *q0);
    memcpy(d->qvel, v0, (size_t)m->nv * sizeof *v0);
    if (sal_position(m, d, err) != SAL_OK) {
        return HUGE_VAL;
    }
    sal_velocity(m, d);
    if (sal_inverse_discrete(m, d, a, err) != SAL_OK) {
        return HUGE_VAL;
    }
    for (int i = 0; i < m->nv; i++) {
        most = fmax(most, fabs(d->qfrc_inverse[i]));
    }
    return most;
}

int main(int argc, char **argv)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    double *q0 = NULL, *v0 = NULL, *a = NULL, most = HUGE_VAL;
    if (argc != 2) {
        fprintf(stderr, "usage: landing models/walker.xml\n");
        return 2;
    }
    if (sal_model_load(&m, argv[1], NULL, NULL, &err) != SAL_OK ||
        sal_data_new(&d, m, &err) != SAL_OK) {
        goto done;
    }
    q0 = malloc((size_t)m->nq * sizeof *q0);
    v0 = malloc((size_t)m->nv * sizeof *v0);
    a = malloc((size_t)m->nv * sizeof *a);
    if (q0 == NULL || v0 == NULL || a == NULL) {
        goto done;
    }
    do {
        memcpy(q0, d->qpos, (size_t)m->nq * sizeof *q0);
        memcpy(v0, d->qvel, (size_t)m->nv * sizeof *v0);
        if (sal_step(m, d, &err) != SAL_OK) {
            goto done;
        }
    } while (d->time < 0.3);
    printf("after %.3f s, %d contacts:\n", d->time, d->ncon);
    show_contacts(m, d);
    most = force_of_step(m, d, q0, v0, a, &err);
    printf("applied force of the last step: %.1g N or N m\n", most);
done:
    if (err.code != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
    }
    free(q0);
    free(v0);
    free(a);
    sal_data_free(d);
    sal_model_free(m);
    return most < 1e-6 ? 0 : 1;
}
