/* evaluate_states.c: for tests that run under node: everything the inverse does in the states
 *     given. evaluate-states FILE [VERSION [discrete]]; discrete: under that integrator
 *
 * Reads from standard input, as doubles: of each state qpos, qvel, qacc, ctrl, act. Writes, as
 * doubles, of each state the arrays in the order of put_state, each after its length; a state that
 * fails is one array of length -1. */
#include "mjcf/mjcf.h"
#include "physics/compiling.h"
#include "physics/physics.h"
#include "physics/stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const double *value, int n)
{
    const double length = n;
    fwrite(&length, sizeof length, 1, stdout);
    fwrite(value, sizeof *value, (size_t)n, stdout);
}

static void put_ints(double *room, const int *value, int n)
{
    for (int i = 0; i < n; i++) {
        room[i] = value[i];
    }
    put(room, n);
}

static void put_moments(const sal_model *m, const sal_data *d, double *room)
{
    memset(room, 0, (size_t)(m->nu * m->nv) * sizeof *room);
    for (int i = 0; i < m->nu; i++) {
        phy_actuator_pull(m, d, room + i * m->nv, i, 1);
    }
    put(room, m->nu * m->nv);
}

/* geoms, dim, first row, dist, pos, frame, margin */
static void put_contacts(const sal_model *m, const sal_data *d, double *room)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        double *x = room + 18 * i;
        x[0] = c->geom1, x[1] = c->geom2, x[2] = c->dim, x[3] = c->efc_address, x[4] = c->dist;
        memcpy(x + 5, c->pos, sizeof c->pos);
        memcpy(x + 8, c->frame, sizeof c->frame);
        x[17] = m->pair_include[c->pair];
    }
    put(room, 18 * d->ncon);
}

static void put_jacobian(const sal_model *m, const sal_data *d, double *room)
{
    memset(room, 0, (size_t)(d->nefc * m->nv) * sizeof *room);
    for (int i = 0; i < d->nefc; i++) {
        for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++) {
            room[i * m->nv + d->efc_J_colind[k]] = d->efc_J[k];
        }
    }
    put(room, d->nefc * m->nv);
}

static void put_state(const sal_model *m, sal_data *d, double *room)
{
    sal_full_m(m, d, room);
    put(room, m->nv * m->nv);
    put(d->qfrc_bias, m->nv);
    put(d->qfrc_passive, m->nv);
    put(d->ten_length, m->ntendon);
    put(d->ten_velocity, m->ntendon);
    put(d->actuator_length, m->nu);
    put(d->actuator_velocity, m->nu);
    put_moments(m, d, room);
    put(d->act_dot, m->na);
    put(d->actuator_force, m->nu);
    put(d->qfrc_actuator, m->nv);
    put_contacts(m, d, room);
    put_ints(room, d->efc_type, d->nefc);
    put_jacobian(m, d, room);
    put(d->efc_pos, d->nefc);
    put(d->efc_margin, d->nefc);
    put(d->efc_KBIP, 4 * d->nefc);
    put(d->efc_D, d->nefc);
    put(d->efc_R, d->nefc);
    put(d->efc_vel, d->nefc);
    put(d->efc_aref, d->nefc);
    put(d->efc_force, d->nefc);
    put(d->qfrc_constraint, m->nv);
    put(d->qfrc_inverse, m->nv);
    put(d->sensordata, m->nsensordata);
}

static bool read_state(const sal_model *m, sal_data *d)
{
    const struct {
        double *x;
        int n;
    } part[] = {
        {d->qpos, m->nq}, {d->qvel, m->nv}, {d->qacc, m->nv}, {d->ctrl, m->nu}, {d->act, m->na}};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        if (fread(part[i].x, sizeof(double), (size_t)part[i].n, stdin) != (size_t)part[i].n) {
            return false;
        }
    }
    return true;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

int main(int argc, char **argv)
{
    sal_err err = {0};
    sal_model *m = NULL;
    sal_data *d = NULL;
    const int version = argc >= 3 ? sal_mujoco_named(argv[2]) : SAL_MUJOCO_314;
    const sal_load_options options = {.mujoco = (sal_mujoco)version};
    if (argc < 2 || version < 0 || sal_model_load(&m, argv[1], &options, NULL, &err) != SAL_OK ||
        sal_data_new(&d, m, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    const size_t nv = (size_t)m->nv, rows = most(nv, most((size_t)m->nefcmax, (size_t)m->nu));
    double *room = sal_alloc(rows * nv + 18 * (size_t)m->nconmax + rows + 1, sizeof *room);
    if (room == NULL) {
        return 1;
    }
    if (argc == 4) {
        m->opt.integrator = SAL_INT_DISCRETE;
    }
    while (m->nq > 0 && read_state(m, d)) {
        if (sal_inverse(m, d, &err) != SAL_OK) {
            const double failed = -1;
            fprintf(stderr, "%s\n", err.message);
            fwrite(&failed, sizeof failed, 1, stdout);
            continue;
        }
        sal_actuation(m, d);
        sal_inverse_acceleration(m, d);
        put_state(m, d, room);
    }
    sal_free(room);
    sal_data_free(d);
    sal_model_free(m);
    return 0;
}
