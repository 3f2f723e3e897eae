/* engine_states.c: Table 3 of Todorov, Erez, Tassa (IROS 2012): evaluations of the dynamics of a
 * mechanism of 18 dofs a second, with 6, 4 and no contacts, by each contact model. */
#include "bench/stopwatch.h"
#include "bench/tables/tables.h"
#include "bench/tables/trajectory.h"

#include "base/rng.h"

#include <stdio.h>
#include <string.h>

enum { STATES = 16, MOST_DOFS = 32 };

/* Poses with random velocities and accelerations */
typedef struct states {
    sal_model *m;
    sal_data *d;
    double q[STATES][MOST_DOFS], v[STATES][MOST_DOFS], a[STATES][MOST_DOFS];
    int next, contacts, steps;
} states;

static void set(states *s)
{
    const size_t n = (size_t)s->m->nv * sizeof(double);
    memcpy(s->d->qpos, s->q[s->next], (size_t)s->m->nq * sizeof(double));
    memcpy(s->d->qvel, s->v[s->next], n);
    memcpy(s->d->qacc, s->a[s->next], n);
    memset(s->d->qacc_warmstart, 0, n);
    s->next = (s->next + 1) % STATES;
}

static void inverse(void *ctx)
{
    states *s = ctx;
    sal_err err;
    set(s);
    table_check(sal_inverse(s->m, s->d, &err), "inverse");
}

static void forward(void *ctx)
{
    states *s = ctx;
    sal_err err;
    set(s);
    table_check(sal_step(s->m, s->d, &err), "forward");
}

static void fill(states *s, trajectory_pose pose)
{
    sal_rng rng = {7};
    s->contacts = 0;
    for (int k = 0; k < STATES; k++) {
        sal_err err;
        sal_data_reset_key(s->m, s->d, 0);
        memcpy(s->q[k], s->d->qpos, (size_t)s->m->nq * sizeof(double));
        trajectory_stand(s->m, s->d, s->q[k], pose);
        for (int i = 0; i < s->m->nv; i++) {
            s->v[k][i] = 0.05 * sal_rng_normal(&rng);
            s->a[k][i] = sal_rng_normal(&rng);
        }
        s->next = k;
        set(s);
        table_check(sal_inverse(s->m, s->d, &err), "inverse");
        s->contacts += s->d->ncon;
    }
    s->next = 0;
}

static void print_rates(const table_effort *effort, states *s, trajectory_pose pose, double paper)
{
    char what[96], note[64];
    const char *name = sal_contact_model_name(s->m->opt.contact.model);
    fill(s, pose);
    const race r =
        stopwatch_race(inverse, s, forward, s, effort->rounds, effort->batch, STOPWATCH_THREAD);
    snprintf(what, sizeof what, "inverse, %s, %.1f contacts", name, (double)s->contacts / STATES);
    print_ratio(what, paper, 1 / r.a);
    snprintf(what, sizeof what, "step forward, %s, %.1f contacts", name,
             (double)s->contacts / STATES);
    snprintf(note, sizeof note, "x %.3g of the inverse", 1 / r.ratio);
    print_row(what, NULL, note, "%.4g", 1 / r.b);
}

void engine_states(const table_effort *effort)
{
    static states s;
    print_title("Todorov, Erez, Tassa 2012, Table 3",
                "evaluations of the dynamics a second, one thread");
    print_remark("The paper: the inverse, an interior-point method for (6), that is what "
                 "logbarrier is here; "
                 "3.33 GHz X5860. It does not time the forward direction.");
    print_remark(
        "Here: bench/problems/table2_person.xml standing on six points, on its toes, and above the "
        "floor, random velocities and accelerations. The whole pipeline, without derivatives.");
    print_remark(
        "Steps forward begin without a warm start. complementarity and diagonal have no inverse "
        "and are no models of whole mechanisms: see Fig. 1.");
    print_remark("Not reproduced: the row of 24 threads.");
    print_head("direction, model", "1/s");
    for (int contact = 0; contact < SAL_NCONTACTMODELS; contact++) {
        sal_err err;
        s.m = table_model("bench/problems/table2_person.xml");
        if (s.m == NULL) {
            return;
        }
        if (contact != SAL_CONTACT_SOFT) {
            table_contact(s.m, contact, 0.02);
        }
        table_check(sal_data_new(&s.d, s.m, &err), "states");
        print_rates(effort, &s, TRAJECTORY_FLAT, 42000);
        print_rates(effort, &s, TRAJECTORY_TOES, 63000);
        print_rates(effort, &s, TRAJECTORY_ABOVE, 200000);
        sal_data_free(s.d);
        sal_model_free(s.m);
    }
}
