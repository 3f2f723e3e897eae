/* hard_drop.c: Table II of Howell et al. ("Dojo"): a robot is dropped on its feet; the lowest point
 * over the run, for time steps of 0.1, 0.01 and 0.001 s. Beside it a cube and a human. */
#include "bench/tables/tables.h"
#include "tests/physics/laws/hard_fall.h"

#include <math.h>
#include <stdio.h>

enum { TIMESTEPS = 3, HARDER = SAL_NCONTACTMODELS /* hard, kappa by the scenario */ };
static const double TIMESTEP[TIMESTEPS] = {0.1, 0.01, 0.001};

typedef struct scenario {
    const char *name, *only; /* geoms whose points are looked at */
    sal_model *(*load)(void);
    void (*start)(sal_data *d);
    double above, seconds, kappa;
    const char *paper[2][TIMESTEPS]; /* of soft, of hard */
} scenario;

static sal_model *load_cube(void)
{
    return table_cube(0.5, "elliptic");
}

static sal_model *load_human(void)
{
    return table_model("models/person.xml");
}

/* Atlas without a controller, its joints damped, as a limp fall of steps of 0.1 s needs */
static sal_model *load_atlas(void)
{
    sal_model *m = table_model_corpus("models/loco_atlas.xml");
    for (int i = 6; m != NULL && i < m->nv; i++) {
        m->dof_damping[i] = 25;
    }
    return m;
}

static void start_tumbling(sal_data *d)
{
    static const double turned[4] = {0.9149, 0.1943, 0.3401, -0.0972},
                        v[6] = {0.5, 0.2, 0, 3, -2, 1};
    memcpy(d->qpos + 3, turned, sizeof turned);
    memcpy(d->qvel, v, sizeof v);
}

static void start_still(sal_data *d)
{
    (void)d;
}

/* What was seen: the lowest point (m), steps that were not solved, and whether it went on to the
 * end */
typedef struct seen {
    double low;
    int steps, unsolved;
    bool is_whole;
} seen;

/* false: there is no next state. */
static bool step(seen *of, fall *x, int contact)
{
    sal_err err;
    of->steps++;
    const bool is_whole = sal_step(x->m, x->d, &err) == SAL_OK;
    of->unsolved += contact != SAL_CONTACT_SOFT && !x->d->solver_converged;
    return is_whole;
}

static seen drop(const scenario *s, int contact, double timestep)
{
    static fall x;
    sal_model *m = s->load();
    double limit;
    seen of = {.low = (double)INFINITY, .is_whole = true};
    m->opt.timestep = timestep;
    m->opt.integrator = SAL_INT_EULER;
    if (contact != SAL_CONTACT_SOFT) {
        table_contact(m, contact == HARDER ? SAL_CONTACT_HARD : contact,
                      0.02 + 4 * timestep); /* m/s: nothing here falls faster */
    }
    if (contact == HARDER) {
        m->opt.contact.kappa = s->kappa;
    }
    fall_new(&x, m, &(fall_option){.timestep = timestep, .with_limits = true, .only = s->only});
    s->start(x.d);
    sal_normalise_pos(m, x.d->qpos);
    x.d->qpos[2] += s->above - fall_lowest(&x, &limit);
    for (int i = 0; of.is_whole && i < (int)(s->seconds / timestep + 0.5); i++) {
        of.is_whole = step(&of, &x, contact);
        of.low = fmin(of.low, fall_lowest(&x, &limit));
    }
    fall_free(&x);
    return of;
}

/* The paper has figures of MuJoCo, whose model is soft, and of its own hard contacts. */
static void print_drop(const scenario *s, int contact, int i)
{
    const char *name = contact == HARDER ? "hard, small kappa" : sal_contact_model_name(contact);
    const char *paper = contact == HARDER             ? s->paper[1][i]
                        : contact == SAL_CONTACT_SOFT ? s->paper[0][i]
                                                      : NULL;
    const seen of = drop(s, contact, TIMESTEP[i]);
    char what[64], note[64] = "";
    snprintf(what, sizeof what, "%s, %s, h = %g s", s->name, name, TIMESTEP[i]);
    if (of.unsolved > 0) {
        snprintf(note, sizeof note, "%d of %d steps not solved", of.unsolved, of.steps);
    }
    if (of.is_whole) {
        print_row(what, paper, note, "%+.2g", 1e3 * of.low);
    } else {
        print_row(what, paper, note, "fails in step %d", of.steps);
    }
}

static void print_drops(const scenario *s)
{
    sal_model *m = s->load();
    if (m == NULL) {
        print_remark("and is left out");
        return;
    }
    sal_model_free(m);
    for (int contact = 0; contact <= HARDER; contact++) {
        for (int i = 0; i < TIMESTEPS; i++) {
            print_drop(s, contact, i);
        }
    }
}

void hard_drop(const table_effort *effort)
{
    static const scenario scenarios[] = {
        {"cube", NULL, load_cube, start_tumbling, 0.3, 2, 1e-10, {{0}}},
        {"human", NULL, load_human, start_still, 0.22, 1.5, 1e-8, {{0}}},
        {"Atlas",
         "foot",
         load_atlas,
         start_still,
         0.2,
         0.6,
         1e-8,
         {{"failure", "-28", "-46"}, {"+1e-12", "+1e-7", "+8e-6"}}}};
    (void)effort;
    print_title("Dojo, Table II", "lowest point after a drop");
    print_remark("The paper drops Atlas (8 points of contact); MuJoCo's row stands here beside "
                 "soft, which is "
                 "MuJoCo's model. Its heights, pose and control are not given.");
    print_remark(
        "Here: a tumbling cube of 1 kg; a limp human of 27 dofs (models/person.xml) from 0.22 m, "
        "limits too; the Atlas of the corpus from 0.2 m, 0.6 s, limp, all joints with a damping of "
        "25 "
        "N m s/rad, 16 corners of its feet.");
    print_remark("Steps of the command (simulate --contact-model). hard: its default kappa, and "
                 "1e-10 (cube) or 1e-8, which holds what rests about kappa/(weight h) above the "
                 "floor. All but soft act from 2 cm + 4 m/s h on.");
    print_remark("The default kappa of logbarrier grows with h^2: at h = 0.1 s it holds Atlas up. "
                 "A step that is not solved to its tolerance is taken as it is.");
    print_head("mechanism, model, time step", "lowest point, mm");
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        print_drops(&scenarios[i]);
    }
}
