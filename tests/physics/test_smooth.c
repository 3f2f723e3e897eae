/* Everything smooth, and the whole inverse, against libmujoco 2.2.2: every model of the corpus that it reads, 100 random states each.
 * One line per model says what was compared and the largest error relative to the largest entry of its vector. */
#include "tests/check.h"
#include "tests/physics/corpus.h"
#include "tests/physics/oracle.h"

enum { NSTATE = 100 };

typedef enum quantity {
    KINEMATICS,
    COLUMNS,
    MASS,
    JACOBIAN,
    BIAS,
    TENDON,
    PASSIVE,
    ACTUATOR,
    SENSOR,
    INVERSE,
    CONSTANT,
    NQUANTITY
} quantity;

static const char *const quantity_name[NQUANTITY] = {"kinematics", "columns", "mass",    "jacobian",
                                                     "bias",       "tendon",  "passive", "actuator",
                                                     "sensor",     "inverse", "constant"};

/* Worst error and number of numbers compared. */
typedef struct tally {
    double worst[NQUANTITY];
    long n[NQUANTITY];
    int ncontact, nlimit, lacks;
    double *ours, *theirs; /* room for (nv + 6)^2 numbers */
} tally;

static void compare(tally *t, quantity q, const double *ours, const double *theirs, int n)
{
    const double e = oracle_error(ours, theirs, n);
    t->worst[q] = isnan(t->worst[q]) || e <= t->worst[q] ? t->worst[q] : e;
    t->n[q] += n;
}

static void compare_position(tally *t, const oracle *o)
{
    const sal_model *m = o->m;
    const sal_data *d = o->d;
    const mjData *mjd = o->mjd;
    compare(t, KINEMATICS, d->xpos, mjd->xpos, 3 * m->nbody);
    compare(t, KINEMATICS, d->xquat, mjd->xquat, 4 * m->nbody);
    compare(t, KINEMATICS, d->xmat, mjd->xmat, 9 * m->nbody);
    compare(t, KINEMATICS, d->xipos, mjd->xipos, 3 * m->nbody);
    compare(t, KINEMATICS, d->ximat, mjd->ximat, 9 * m->nbody);
    compare(t, KINEMATICS, d->xanchor, mjd->xanchor, 3 * m->njnt);
    compare(t, KINEMATICS, d->xaxis, mjd->xaxis, 3 * m->njnt);
    compare(t, KINEMATICS, d->geom_xpos, mjd->geom_xpos, 3 * m->ngeom);
    compare(t, KINEMATICS, d->geom_xmat, mjd->geom_xmat, 9 * m->ngeom);
    compare(t, KINEMATICS, d->site_xpos, mjd->site_xpos, 3 * m->nsite);
    compare(t, KINEMATICS, d->site_xmat, mjd->site_xmat, 9 * m->nsite);
    compare(t, KINEMATICS, d->subtree_com, mjd->subtree_com, 3 * m->nbody);
    compare(t, KINEMATICS, d->qpos, mjd->qpos, m->nq);
    compare(t, COLUMNS, d->cdof, mjd->cdof, 6 * m->nv);
    compare(t, COLUMNS, d->cvel, mjd->cvel, 6 * m->nbody);
    compare(t, COLUMNS, d->cdof_dot, mjd->cdof_dot, 6 * m->nv);
    compare(t, MASS, d->qM, mjd->qM, m->nM);
}

/* M x, M^-1 x and the dense M, and the Jacobians of a point fixed to each body. */
static void compare_maps(tally *t, oracle *o)
{
    const size_t nv = (size_t)o->m->nv;
    const int n = o->m->nv;
    double *ours = t->ours, *theirs = t->theirs;
    sal_mul_m(o->m, o->d, ours, o->d->qacc);
    mj_mulM(o->mjm, o->mjd, theirs, o->d->qacc);
    compare(t, MASS, ours, theirs, n);
    memcpy(ours, o->d->qacc, nv * sizeof *ours);
    sal_factor(o->m, o->d);
    sal_solve_m(o->m, o->d, ours);
    mj_solveM(o->mjm, o->mjd, theirs, o->d->qacc, 1);
    compare(t, MASS, ours, theirs, n);
    sal_full_m(o->m, o->d, ours);
    mj_fullM(o->mjm, theirs, o->mjd->qM);
    compare(t, MASS, ours, theirs, n * n);
    for (int b = 0; b < o->m->nbody; b++) {
        const double *at = o->d->xipos + 3 * b, point[3] = {at[0] + 0.1, at[1], at[2] - 0.2};
        sal_jac(o->m, o->d, ours, ours + 3 * nv, point, b);
        mj_jac(o->mjm, o->mjd, theirs, theirs + 3 * nv, point, b);
        compare(t, JACOBIAN, ours, theirs, 6 * n);
        sal_point_velocity(o->m, o->d, ours, ours + 3, point, b);
        mju_mulMatVec(theirs + 6 * nv, theirs, o->d->qvel, 6, n);
        compare(t, JACOBIAN, ours, theirs + 6 * nv, 6);
    }
}

static void compare_actuators(tally *t, oracle *o)
{
    const sal_model *m = o->m;
    mj_fwdActuation(o->mjm, o->mjd);
    sal_actuation(m, o->d);
    for (int i = 0; i < m->nu; i++) {
        const int trn = o->mjm->actuator_trntype[i], j = m->actuator_trnid[i];
        double *moment = calloc((size_t)m->nv, sizeof *moment);
        if (trn > mjTRN_JOINTINPARENT && trn != mjTRN_TENDON) {
            free(moment);
            continue;
        }
        compare(t, ACTUATOR, o->d->actuator_length + i, o->mjd->actuator_length + i, 1);
        compare(t, ACTUATOR, o->d->actuator_velocity + i, o->mjd->actuator_velocity + i, 1);
        for (int k = 0; trn == mjTRN_TENDON && k < m->tendon_Jnum[j]; k++) {
            const int at = m->tendon_Jadr[j] + k;
            moment[m->ten_dof[at]] = m->actuator_gear[6 * i] * o->d->ten_J[at];
        }
        if (trn != mjTRN_TENDON) {
            memcpy(moment + m->jnt_dofadr[j], o->d->actuator_moment + 6 * i,
                   (size_t)sal_joint_ndof(m->jnt_type[j]) * sizeof *moment);
        }
        compare(t, ACTUATOR, moment, o->mjd->actuator_moment + i * m->nv, m->nv);
        free(moment);
        if (o->mjm->actuator_dyntype[i] == mjDYN_NONE &&
            o->mjm->actuator_gaintype[i] <= mjGAIN_AFFINE &&
            o->mjm->actuator_biastype[i] <= mjBIAS_AFFINE) {
            compare(t, ACTUATOR, o->d->actuator_force + i, o->mjd->actuator_force + i, 1);
        }
    }
}

static void compare_sensors(tally *t, const oracle *o)
{
    const sal_model *m = o->m;
    for (int i = 0; i < m->nsensor; i++) {
        const int adr = m->sensor_adr[i], type = m->sensor_type[i], id = m->sensor_objid[i];
        if (m->sensor_stage[i] == SAL_STAGE_ACC) {
            continue; /* not computed, or what the actuators say */
        }
        if ((type == SAL_SENS_ACTUATORPOS || type == SAL_SENS_ACTUATORVEL) &&
            o->mjm->actuator_trntype[id] > mjTRN_JOINTINPARENT &&
            o->mjm->actuator_trntype[id] != mjTRN_TENDON) {
            continue;
        }
        compare(t, SENSOR, o->d->sensordata + adr, o->mjd->sensordata + adr, m->sensor_dim[i]);
    }
}

static void compare_constants(tally *t, const oracle *o)
{
    const sal_model *m = o->m;
    const mjModel *mjm = o->mjm;
    compare(t, CONSTANT, m->body_invweight0, mjm->body_invweight0, 2 * m->nbody);
    compare(t, CONSTANT, m->body_subtreemass, mjm->body_subtreemass, m->nbody);
    compare(t, CONSTANT, m->dof_invweight0, mjm->dof_invweight0, m->nv);
    compare(t, CONSTANT, m->dof_M0, mjm->dof_M0, m->nv);
    if (m->nv > 0) {
        compare(t, CONSTANT, &m->meaninertia, &mjm->stat.meaninertia, 1);
    }
    compare(t, CONSTANT, m->tendon_length0, mjm->tendon_length0, m->ntendon);
    compare(t, CONSTANT, m->tendon_invweight0, mjm->tendon_invweight0, m->ntendon);
    for (int i = 0; i < m->nu; i++) {
        if (mjm->actuator_trntype[i] <= mjTRN_JOINTINPARENT ||
            mjm->actuator_trntype[i] == mjTRN_TENDON) {
            compare(t, CONSTANT, m->actuator_acc0 + i, mjm->actuator_acc0 + i, 1);
            compare(t, CONSTANT, m->actuator_length0 + i, mjm->actuator_length0 + i, 1);
        }
    }
}

static void compare_state(tally *t, oracle *o, int k)
{
    sal_err err = {SAL_OK, ""};
    oracle_state(o, k, k % 2 == 0 ? 2 : 0.3);
    if (sal_inverse(o->m, o->d, &err) == SAL_UNSUPPORTED) {
        t->lacks |= ORACLE_COLLISION;
        o->m->opt.disable |= SAL_DSBL_CONTACT;
        o->mjm->opt.disableflags |= mjDSBL_CONTACT;
        err.code = sal_inverse(o->m, o->d, &err);
    }
    CHECK(err.code == SAL_OK || err.code == SAL_UNSUPPORTED);
    mj_inverse(o->mjm, o->mjd);
    compare_position(t, o);
    compare(t, BIAS, o->d->qfrc_bias, o->mjd->qfrc_bias, o->m->nv);
    compare(t, TENDON, o->d->ten_length, o->mjd->ten_length, o->m->ntendon);
    compare(t, TENDON, o->d->ten_velocity, o->mjd->ten_velocity, o->m->ntendon);
    if (!(t->lacks & ORACLE_FLUID)) {
        compare(t, PASSIVE, o->d->qfrc_passive, o->mjd->qfrc_passive, o->m->nv);
    }
    if (!(t->lacks & ORACLE_FLUID) && !oracle_judged_elsewhere(o)) {
        compare(t, INVERSE, o->d->qfrc_constraint, o->mjd->qfrc_constraint, o->m->nv);
        compare(t, INVERSE, o->d->qfrc_inverse, o->mjd->qfrc_inverse, o->m->nv);
    }
    compare_sensors(t, o);
    compare_maps(t, o);
    compare_actuators(t, o);
    t->ncontact += o->d->ncon;
    for (int i = 0; i < o->d->nefc; i++) {
        t->nlimit += o->d->efc_type[i] == SAL_EFC_LIMIT_JOINT;
    }
}

static void report(const tally *t, const char *name, int nv)
{
    printf("%-36s %3d dofs, %5.2f contacts, %5.2f limits:", name, nv, (double)t->ncontact / NSTATE,
           (double)t->nlimit / NSTATE);
    for (int q = 0; q < NQUANTITY; q++) {
        if (t->n[q] > 0) {
            printf(" %s %.0e", quantity_name[q], t->worst[q]);
        }
    }
    printf("%s%s\n", t->lacks & ORACLE_FLUID ? "; has fluid" : "",
           t->lacks & ORACLE_COLLISION ? "; contacts off (an unsupported pair met)" : "");
}

static int nmodel, ninverse, ncontacting, nlimiting;

static void compare_open(oracle *o, const char *name)
{
    tally t = {0};
    const size_t room = (size_t)o->m->nv + 6;
    t.ours = sal_alloc(room * room, sizeof *t.ours);
    t.theirs = sal_alloc(room * room, sizeof *t.theirs);
    t.lacks = oracle_lacks(o->mjm);
    compare_constants(&t, o);
    for (int k = 0; k < NSTATE; k++) {
        compare_state(&t, o, k);
    }
    report(&t, name, o->m->nv);
    for (int q = 0; q < NQUANTITY; q++) {
        CHECK(t.worst[q] <= 1e-9);
    }
    nmodel++;
    ninverse += t.n[INVERSE] > 0;
    ncontacting += t.n[INVERSE] > 0 && t.ncontact > 0;
    nlimiting += t.n[INVERSE] > 0 && t.nlimit > 0;
    sal_free(t.ours);
    sal_free(t.theirs);
    oracle_close(o);
}

static void compare_model(const char *path, const char *name)
{
    oracle o;
    char why[512];
    if (strstr(name, "__") != NULL || strncmp(name, "dmc_common", 10) == 0) {
        return; /* parts of models */
    }
    if (oracle_open(&o, path, why)) {
        compare_open(&o, name);
    } else {
        printf("%-36s not compared: %.*s\n", name, (int)strcspn(why, "\n"), why);
    }
}

/* Our own: every kind of joint, actuator and computed sensor. */
static void own_models_agree(void)
{
    oracle o;
    oracle_open_own(&o, "tree");
    compare_open(&o, "(tree)");
    oracle_open_own(&o, "linkage");
    compare_open(&o, "(linkage)");
    nmodel = ninverse = ncontacting = nlimiting = 0;
}

static void corpus_agrees(void)
{
    corpus_each("models", ".xml", compare_model);
    if (nmodel == 0) {
        SKIP("no corpus");
    }
    printf("%d models compared, %d of them through the whole inverse (%d with contacts, %d with "
           "limits)\n",
           nmodel, ninverse, ncontacting, nlimiting);
    CHECK(ninverse >= 30);
}

int main(void)
{
    RUN(own_models_agree);
    RUN(corpus_agrees);
    return check_done();
}
