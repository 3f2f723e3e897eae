/* The judge of the exact derivatives judged: its differences beside those of libmujoco 2.2.2, and
 * its doubts where there is reason for them. */
#include "tests/check.h"
#include "tests/physics/deriv/judge.h"
#include "tests/physics/deriv/lively.h"
#include "tests/physics/oracle.h"

#include "mjcf/mjcf.h"

/* ---- differences ---- */

/* Column k of Dq, Dv or Da (x = 0, 1, 2) by the same formula from mj_inverse. */
static void mujoco_column(const oracle *o, double *column, int x, int k)
{
    static const double times[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    const int nv = o->m->nv;
    const double h = x == 0 ? 2e-6 : 1e-4;
    double *q = sal_alloc((size_t)(o->m->nq + nv), sizeof *q), *e = q + o->m->nq;
    memcpy(q, o->mjd->qpos, (size_t)o->m->nq * sizeof *q);
    memset(column, 0, (size_t)nv * sizeof *column);
    e[k] = 1;
    for (int i = 0; i < 4; i++) {
        double *moved = x == 1 ? o->mjd->qvel + k : o->mjd->qacc + k;
        const double here = *moved;
        if (x == 0) {
            mj_integratePos(o->mjm, o->mjd->qpos, e, times[i] * h);
        } else {
            *moved += times[i] * h;
        }
        mj_inverse(o->mjm, o->mjd);
        *moved = here;
        memcpy(o->mjd->qpos, q, (size_t)o->m->nq * sizeof *q);
        for (int j = 0; j < nv; j++) {
            column[j] += weight[i] * o->mjd->qfrc_inverse[j] / (12 * h);
        }
    }
    sal_free(q);
}

static double disagreement(const oracle *o, const judge *p, double *column)
{
    const double *const D[] = {p->Dq, p->Dv, p->Da};
    const int nv = o->m->nv;
    double worst = 0;
    for (int x = 0; x < 3; x++) {
        double scale = 1e-3 * p->force, off = 0;
        for (int k = 0; k < nv; k++) {
            mujoco_column(o, column, x, k);
            for (int i = 0; i < nv; i++) {
                scale = fmax(scale, fabs(D[x][i * nv + k]));
                off = fmax(off, fabs(D[x][i * nv + k] - column[i]));
            }
        }
        worst = fmax(worst, off / scale);
    }
    return worst;
}

static void compare_differences(oracle *o, const char *name)
{
    enum { STATES = 12 };
    judge p;
    sal_err err = {SAL_OK, ""};
    double *column = sal_alloc((size_t)o->m->nv, sizeof *column), worst = 0;
    int judged = 0;
    long contacts = 0;
    CHECK(judge_new(&p, o->m));
    for (int k = 0; k < STATES; k++) {
        doubt why;
        o->m->opt.cone = k % 2;
        o->mjm->opt.cone = k % 2;
        lively_state(o->m, o->d, k);
        CHECK(judge_at(&p, o->d, &why, &err));
        memcpy(o->mjd->qpos, o->d->qpos, (size_t)o->m->nq * sizeof(double));
        memcpy(o->mjd->qvel, o->d->qvel, (size_t)o->m->nv * sizeof(double));
        memcpy(o->mjd->qacc, o->d->qacc, (size_t)o->m->nv * sizeof(double));
        mj_inverse(o->mjm, o->mjd);
        if (why == DOUBT_NONE && !oracle_judged_elsewhere(o)) {
            worst = fmax(worst, disagreement(o, &p, column));
            judged++;
            contacts += p.d->ncon;
        }
    }
    printf("  %-22s %2d states, %.1f contacts: differences are those of 2.2.2 to %.0e\n", name,
           judged, judged == 0 ? 0 : (double)contacts / judged, worst);
    CHECK(judged >= STATES - 4);
    CHECK(worst <= 1e-8);
    sal_free(column);
    judge_free(&p);
    oracle_close(o);
}

static void differences_are_those_of_222(void)
{
    static const char *const own[] = {"tree", "linkage"};
    static const char *const corpus[] = {"models/mj222_humanoid.xml", "models/dmc_walker.xml",
                                         "models/gym_ant.xml", "models/dmc_hopper.xml"};
    oracle o;
    char why[512];
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        oracle_open_own(&o, own[i]);
        compare_differences(&o, own[i]);
    }
    for (size_t i = 0; i < sizeof corpus / sizeof *corpus; i++) {
        const char *path = check_corpus(corpus[i]);
        if (path == NULL) {
            SKIP("no corpus");
        }
        CHECK(oracle_open(&o, path, why));
        compare_differences(&o, corpus[i] + 7);
    }
}

/* ---- doubts ---- */

static const char ball_and_rod[] =
    "<mujoco><compiler angle='radian'/><option cone='elliptic'/>"
    "<default><geom solimp='.8 .95 .01 .5 2' solref='.02 1'/></default>"
    "<worldbody>"
    "<geom name='floor' type='plane' size='1 1 1'/>"
    "<geom name='rod' type='capsule' size='.1' fromto='1 0 .5 2 0 .5'/>"
    "<body><freejoint/><geom type='sphere' size='.1' mass='1'/></body>"
    "<body pos='0 2 0'><joint type='hinge' limited='true' range='-1 1' solimplimit='.8 .95 .01'/>"
    "<joint type='slide' axis='1 0 0' pos='0 0 0' frictionloss='2'/>"
    "<geom type='sphere' size='.1' pos='0 0 2' mass='1'/></body>"
    "</worldbody></mujoco>";

static sal_model *m;
static judge point;

/* The doubt at a state: the ball's position, the hinge's, the vertical acceleration of the ball. */
static doubt doubt_at(double x, double z, double hinge, double az)
{
    sal_err err = {SAL_OK, ""};
    sal_data *d;
    doubt why = NDOUBT;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[0] = x, d->qpos[1] = 0.013, d->qpos[2] = z, d->qpos[7] = hinge, d->qpos[8] = 0.1;
    d->qvel[0] = 0.3, d->qvel[2] = -0.1, d->qvel[3] = 0.2, d->qvel[6] = 0.05, d->qvel[7] = 0.1;
    d->qacc[2] = az, d->qacc[0] = 1;
    CHECK(judge_at(&point, d, &why, &err));
    sal_data_free(d);
    return why;
}

/* jar of the first contact's normal */
static double normal_jar(double z, double az)
{
    sal_err err = {SAL_OK, ""};
    sal_data *d;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    d->qpos[2] = z, d->qpos[1] = 0.013;
    d->qvel[0] = 0.3, d->qvel[2] = -0.1, d->qvel[3] = 0.2;
    d->qacc[2] = az;
    CHECK_OK(sal_inverse(m, d, &err), err);
    CHECK(d->nefc > 0 && d->ncon == 1);
    const int row = d->contact[0].efc_address;
    const double jar = az - d->efc_aref[row];
    sal_data_free(d);
    return jar;
}

static void doubts_have_their_reason(void)
{
    const sal_load_options options = {0};
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_model_parse(&m, "ball", ball_and_rod, strlen(ball_and_rod), &options, NULL, &err),
             err);
    CHECK(judge_new(&point, m));
    CHECK(doubt_at(0, 0.5, 0.2, 1) == DOUBT_NONE);         /* in the air */
    CHECK(doubt_at(0, 0.1 - 0.003, 0.2, 1) == DOUBT_NONE); /* in the floor */
    CHECK(doubt_at(0, 0.1 - 0.005003, 0.2, 1) ==
          DOUBT_BREAK); /* by half the width of its impedance */
    CHECK(doubt_at(0, 0.1 - 0.009997, 0.2, 1) == DOUBT_BREAK); /* by the width */
    CHECK(doubt_at(0, 0.1 - 0.000003, 0.2, 1) == DOUBT_BREAK); /* just so */
    CHECK(doubt_at(0, 0.1 + 0.000002, 0.2, 1) == DOUBT_ROWS);  /* just not */
    CHECK(doubt_at(0, 0.5, 1.003, 1) == DOUBT_NONE);           /* beyond the limit */
    CHECK(doubt_at(0, 0.5, 1.000003, 1) == DOUBT_BREAK);
    CHECK(doubt_at(0, 0.5, 0.999998, 1) == DOUBT_ROWS);
    /* above the rod, and around where its end begins */
    CHECK(doubt_at(1.5, 0.697, 0.2, 1) == DOUBT_NONE);
    CHECK(doubt_at(0.95, 0.689, 0.2, 1) == DOUBT_NONE);
    CHECK(doubt_at(1.000001, 0.697, 0.2, 1) == DOUBT_SWITCH);
    /* where its normal force begins: without friction's slope, jar = 0 */
    const double jar = normal_jar(0.097, 0);
    CHECK(doubt_at(0, 0.097, 0.2, -jar + 20) == DOUBT_NONE);
    m->opt.cone = SAL_CONE_PYRAMIDAL;
    sal_data *d;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_data_free(d);
    m->pair_dim[0] = 1;
    CHECK(doubt_at(0, 0.097, 0.2, -jar + 1e-5) == DOUBT_ZONE);
    CHECK(doubt_at(0, 0.097, 0.2, -jar + 3) == DOUBT_NONE);
    judge_free(&point);
    sal_model_free(m);
}

int main(void)
{
    RUN(differences_are_those_of_222);
    RUN(doubts_have_their_reason);
    return check_done();
}
