#include "tests/physics/agreement.h"

#include "tests/check.h"
#include "tests/physics/corpus.h"
#include "tests/physics/oracle.h"

#include "base/house.h"
#include "physics/compiling.h"
#include "physics/stages.h"

#define TOLERANCE 1e-9

/* X(code, column of the table): errors are relative to the largest entry of the vector compared */
#define QUANTITIES(X)                                                                              \
    X(CONSTANT, "const")                                                                           \
    X(KINEMATICS, "kin")                                                                           \
    X(MASS, "M")                                                                                   \
    X(BIAS, "bias")                                                                                \
    X(PASSIVE, "passive")                                                                          \
    X(TENDON, "tendon")                                                                            \
    X(LENGTH, "length")                                                                            \
    X(MOMENT, "moment")                                                                            \
    X(ACTUATION, "actuation")                                                                      \
    X(CONTACT, "contact")                                                                          \
    X(JACOBIAN, "J")                                                                               \
    X(POS, "pos")                                                                                  \
    X(D, "D")                                                                                      \
    X(R, "R")                                                                                      \
    X(AREF, "aref")                                                                                \
    X(FORCE, "force")                                                                              \
    X(INVERSE, "inverse")                                                                          \
    X(SENSOR, "sensor")
typedef enum quantity {
#define CODE(code, name) code,
    QUANTITIES(CODE)
#undef CODE
        NQUANTITY
} quantity;
static const char *const names[] = {
#define NAME(code, name) name,
    QUANTITIES(NAME)
#undef NAME
};

/* States whose rows and what follows from them were not compared. */
typedef struct left_out {
    int elsewhere; /* contacts that 2.2.2 only approximates: oracle_judged_elsewhere */
    /* something touches to within rounding, or a cylinder stands upright and has no lowest point */
    int rounding;
    int side;     /* a tendon is on the wrong side of a sphere in 2.2.2 */
    int full;     /* 2.2.2 dropped contacts for lack of room */
    int pairless; /* we have no function for two types that meet */
    int twice;    /* 2.2.2 lists contacts with the planes of static bodies twice */
} left_out;

typedef struct tally {
    double worst[NQUANTITY];
    long n[NQUANTITY];
    int states, rows, contacts, limits, frictions, equalities;
    left_out out;
    double *ours, *theirs; /* room for (nv + 6)^2 numbers */
} tally;

static void compare(tally *t, quantity q, const double *ours, const double *theirs, int n)
{
    const double e = oracle_error(ours, theirs, n);
    t->worst[q] = isnan(t->worst[q]) || e <= t->worst[q] ? t->worst[q] : e;
    t->n[q] += n;
}

/* ---- what is smooth ---- */

/* R diag(I) R' */
static void inertia_of(double out[9], const double mat[9], const double inertia[3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            out[3 * i + k] = mat[3 * i] * inertia[0] * mat[3 * k] +
                             mat[3 * i + 1] * inertia[1] * mat[3 * k + 1] +
                             mat[3 * i + 2] * inertia[2] * mat[3 * k + 2];
        }
    }
}

/* Bounds along the world's axes, extended to corner v of a geom. */
static void extend(double bounds[6], const double pos[3], const double mat[9], const double v[3])
{
    double x[3];
    sal_m3_mulv(x, mat, v);
    for (int k = 0; k < 3; k++) {
        bounds[k] = fmin(bounds[k], pos[k] + x[k]);
        bounds[3 + k] = fmax(bounds[3 + k], pos[k] + x[k]);
    }
}

/* The axes of a mesh are not unique where moments of inertia are equal; where it lies is. */
static void compare_mesh(tally *t, const oracle *o, int g)
{
    const int mesh = o->m->geom_dataid[g], of_theirs = o->mjm->geom_dataid[g];
    const double *hull = o->m->hull_vert + 3L * o->m->mesh_hulladr[mesh];
    const float *vert = o->mjm->mesh_vert + 3L * o->mjm->mesh_vertadr[of_theirs];
    double ours[6] = {1e9, 1e9, 1e9, -1e9, -1e9, -1e9}, theirs[6];
    memcpy(theirs, ours, sizeof theirs);
    for (int i = 0; i < o->m->mesh_hullnum[mesh]; i++) {
        extend(ours, o->d->geom_xpos + 3 * g, o->d->geom_xmat + 9 * g, hull + 3L * i);
    }
    for (int i = 0; i < o->mjm->mesh_vertnum[of_theirs]; i++) {
        const double v[3] = {vert[3 * i], vert[3 * i + 1], vert[3 * i + 2]};
        extend(theirs, o->mjd->geom_xpos + 3 * g, o->mjd->geom_xmat + 9 * g, v);
    }
    compare(t, KINEMATICS, ours, theirs, 6);
}

static void compare_geoms(tally *t, const oracle *o)
{
    compare(t, KINEMATICS, o->d->geom_xpos, o->mjd->geom_xpos, 3 * o->m->ngeom);
    for (int g = 0; g < o->m->ngeom; g++) {
        const int mesh = o->m->geom_dataid[g];
        if (o->m->geom_type[g] == SAL_GEOM_MESH && o->m->mesh_hullnum[mesh] > 0) {
            compare_mesh(t, o, g);
        } else {
            compare(t, KINEMATICS, o->d->geom_xmat + 9 * g, o->mjd->geom_xmat + 9 * g, 9);
        }
    }
}

static void compare_positions(tally *t, const oracle *o)
{
    const sal_model *m = o->m;
    const sal_data *d = o->d;
    const mjData *mjd = o->mjd;
    compare(t, KINEMATICS, d->xpos, mjd->xpos, 3 * m->nbody);
    compare(t, KINEMATICS, d->xquat, mjd->xquat, 4 * m->nbody);
    compare(t, KINEMATICS, d->xmat, mjd->xmat, 9 * m->nbody);
    compare(t, KINEMATICS, d->xipos, mjd->xipos, 3 * m->nbody);
    for (int b = 0; b < m->nbody; b++) { /* principal axes are not unique, the inertia is */
        double ours[9], theirs[9];
        inertia_of(ours, d->ximat + 9 * b, m->body_inertia + 3 * b);
        inertia_of(theirs, mjd->ximat + 9 * b, o->mjm->body_inertia + 3 * b);
        compare(t, KINEMATICS, ours, theirs, 9);
    }
    compare(t, KINEMATICS, d->xanchor, mjd->xanchor, 3 * m->njnt);
    compare(t, KINEMATICS, d->xaxis, mjd->xaxis, 3 * m->njnt);
    compare_geoms(t, o);
    compare(t, KINEMATICS, d->site_xpos, mjd->site_xpos, 3 * m->nsite);
    compare(t, KINEMATICS, d->site_xmat, mjd->site_xmat, 9 * m->nsite);
    compare(t, KINEMATICS, d->subtree_com, mjd->subtree_com, 3 * m->nbody);
    compare(t, KINEMATICS, d->qpos, mjd->qpos, m->nq);
    compare(t, KINEMATICS, d->cdof, mjd->cdof, 6 * m->nv);
    compare(t, KINEMATICS, d->cvel, mjd->cvel, 6 * m->nbody);
    compare(t, KINEMATICS, d->cdof_dot, mjd->cdof_dot, 6 * m->nv);
}

/* The dense M, M x and M^-1 x, and the Jacobians of a point fixed to each body. */
static void compare_maps(tally *t, oracle *o)
{
    const size_t nv = (size_t)o->m->nv;
    const int n = o->m->nv;
    double *ours = t->ours, *theirs = t->theirs;
    sal_full_m(o->m, o->d, ours);
    mj_fullM(o->mjm, theirs, o->mjd->qM);
    compare(t, MASS, ours, theirs, n * n);
    sal_mul_m(o->m, o->d, ours, o->d->qacc);
    mj_mulM(o->mjm, o->mjd, theirs, o->d->qacc);
    compare(t, MASS, ours, theirs, n);
    memcpy(ours, o->d->qacc, nv * sizeof *ours);
    sal_factor(o->m, o->d);
    sal_solve_m(o->m, o->d, ours);
    mj_solveM(o->mjm, o->mjd, theirs, o->d->qacc, 1);
    compare(t, MASS, ours, theirs, n);
    for (int b = 0; b < o->m->nbody; b++) {
        const double *at = o->d->xipos + 3 * b, point[3] = {at[0] + 0.1, at[1], at[2] - 0.2};
        sal_jac(o->m, o->d, ours, ours + 3 * nv, point, b);
        mj_jac(o->mjm, o->mjd, theirs, theirs + 3 * nv, point, b);
        compare(t, KINEMATICS, ours, theirs, 6 * n);
        sal_point_velocity(o->m, o->d, ours, ours + 3, point, b);
        mju_mulMatVec(theirs + 6 * nv, theirs, o->d->qvel, 6, n);
        compare(t, KINEMATICS, ours, theirs + 6 * nv, 6);
    }
}

/* Weights may balance: what is then left of them in the bias is neither engine's but the last
 * digit's. */
static bool is_rounding_of_weight(const sal_model *m, const double *ours, const double *theirs)
{
    const double weight = m->body_subtreemass[0] * sal_v3_norm(m->opt.gravity);
    double most = 0;
    for (int i = 0; i < m->nv; i++) {
        most = fmax(most, fabs(ours[i] - theirs[i]));
    }
    return most <= 1e-16 * weight;
}

static void compare_forces(tally *t, const oracle *o)
{
    const sal_model *m = o->m;
    if (!is_rounding_of_weight(m, o->d->qfrc_bias, o->mjd->qfrc_bias)) {
        compare(t, BIAS, o->d->qfrc_bias, o->mjd->qfrc_bias, m->nv);
    }
    compare(t, PASSIVE, o->d->qfrc_passive, o->mjd->qfrc_passive, m->nv);
    compare(t, TENDON, o->d->ten_length, o->mjd->ten_length, m->ntendon);
    compare(t, TENDON, o->d->ten_velocity, o->mjd->ten_velocity, m->ntendon);
}

static void compare_actuators(tally *t, oracle *o)
{
    const sal_model *m = o->m;
    double *moment = sal_arena_take(&o->d->arena, (size_t)m->nv, sizeof(double));
    compare(t, LENGTH, o->d->actuator_length, o->mjd->actuator_length, m->nu);
    compare(t, LENGTH, o->d->actuator_velocity, o->mjd->actuator_velocity, m->nu);
    for (int i = 0; i < m->nu; i++) {
        memset(moment, 0, (size_t)m->nv * sizeof *moment);
        phy_actuator_pull(m, o->d, moment, i, 1);
        compare(t, MOMENT, moment, o->mjd->actuator_moment + i * m->nv, m->nv);
    }
    compare(t, ACTUATION, o->d->act_dot, o->mjd->act_dot, m->na);
    compare(t, ACTUATION, o->d->actuator_force, o->mjd->actuator_force, m->nu);
    compare(t, ACTUATION, o->d->qfrc_actuator, o->mjd->qfrc_actuator, m->nv);
    o->d->arena.used = 0;
}

static void compare_constants(tally *t, const oracle *o)
{
    const sal_model *m = o->m;
    const mjModel *mjm = o->mjm;
    compare(t, CONSTANT, m->body_invweight0, mjm->body_invweight0, 2 * m->nbody);
    compare(t, CONSTANT, m->body_subtreemass, mjm->body_subtreemass, m->nbody);
    compare(t, CONSTANT, m->dof_invweight0, mjm->dof_invweight0, m->nv);
    compare(t, CONSTANT, m->dof_M0, mjm->dof_M0, m->nv);
    compare(t, CONSTANT, m->tendon_length0, mjm->tendon_length0, m->ntendon);
    compare(t, CONSTANT, m->tendon_invweight0, mjm->tendon_invweight0, m->ntendon);
    compare(t, CONSTANT, m->actuator_acc0, mjm->actuator_acc0, m->nu);
    compare(t, CONSTANT, m->actuator_length0, mjm->actuator_length0, m->nu);
    if (m->nv > 0) {
        compare(t, CONSTANT, &m->meaninertia, &mjm->stat.meaninertia, 1);
    }
}

/* ---- contacts and rows ---- */

static bool same_contacts(const oracle *o)
{
    bool same = o->d->ncon == o->mjd->ncon;
    for (int i = 0; same && i < o->d->ncon; i++) {
        const sal_contact *a = o->d->contact + i;
        const mjContact *b = o->mjd->contact + i;
        same = a->geom1 == b->geom1 && a->geom2 == b->geom2 && a->dim == b->dim &&
               a->efc_address == b->efc_address;
    }
    return same;
}

static bool same_rows(const oracle *o)
{
    static const int type[] = {mjCNSTR_EQUALITY,          mjCNSTR_FRICTION_DOF,
                               mjCNSTR_FRICTION_TENDON,   mjCNSTR_LIMIT_JOINT,
                               mjCNSTR_LIMIT_TENDON,      mjCNSTR_CONTACT_FRICTIONLESS,
                               mjCNSTR_CONTACT_PYRAMIDAL, mjCNSTR_CONTACT_ELLIPTIC};
    bool same = o->d->nefc == o->mjd->nefc;
    for (int i = 0; same && i < o->d->nefc; i++) {
        same =
            type[o->d->efc_type[i]] == o->mjd->efc_type[i] && o->d->efc_id[i] == o->mjd->efc_id[i];
    }
    return same;
}

static void compare_contacts(tally *t, const oracle *o)
{
    for (int i = 0; i < o->d->ncon; i++) {
        const sal_contact *a = o->d->contact + i;
        const mjContact *b = o->mjd->contact + i;
        compare(t, CONTACT, &a->dist, &b->dist, 1);
        compare(t, CONTACT, a->pos, b->pos, 3);
        compare(t, CONTACT, a->frame, b->frame, 9);
        if (a->dim > 1 && a->efc_address >= 0) {
            compare(t, CONTACT, &a->mu, &b->mu, 1);
        }
    }
}

static void compare_rows(tally *t, const oracle *o)
{
    const sal_data *d = o->d;
    const mjData *mjd = o->mjd;
    const int n = d->nefc, nv = o->m->nv;
    double *dense = calloc((size_t)(n * nv + 1), sizeof *dense);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < d->efc_J_rownnz[i]; k++) {
            const int at = d->efc_J_rowadr[i] + k;
            dense[i * nv + d->efc_J_colind[at]] = d->efc_J[at];
        }
        CHECK(d->efc_state[i] == mjd->efc_state[i]);
        t->limits +=
            d->efc_type[i] == SAL_EFC_LIMIT_JOINT || d->efc_type[i] == SAL_EFC_LIMIT_TENDON;
        t->frictions +=
            d->efc_type[i] == SAL_EFC_FRICTION_DOF || d->efc_type[i] == SAL_EFC_FRICTION_TENDON;
        t->equalities += d->efc_type[i] == SAL_EFC_EQUALITY;
    }
    compare(t, JACOBIAN, dense, mjd->efc_J, n * nv);
    compare(t, POS, d->efc_pos, mjd->efc_pos, n);
    compare(t, POS, d->efc_margin, mjd->efc_margin, n);
    compare(t, D, d->efc_KBIP, mjd->efc_KBIP, 4 * n);
    compare(t, D, d->efc_D, mjd->efc_D, n);
    compare(t, R, d->efc_diagApprox, mjd->efc_diagApprox, n);
    compare(t, R, d->efc_R, mjd->efc_R, n);
    compare(t, AREF, d->efc_vel, mjd->efc_vel, n);
    compare(t, AREF, d->efc_aref, mjd->efc_aref, n);
    compare(t, FORCE, d->efc_force, mjd->efc_force, n);
    compare(t, FORCE, d->qfrc_constraint, mjd->qfrc_constraint, nv);
    compare(t, INVERSE, d->qfrc_inverse, mjd->qfrc_inverse, nv);
    t->contacts += d->ncon;
    t->rows++;
    free(dense);
}

/* Where contacts are judged elsewhere, so is what contacts do to sensors. */
static void compare_sensors(tally *t, const oracle *o, bool with_forces)
{
    const sal_model *m = o->m;
    for (int i = 0; i < m->nsensor; i++) {
        const int adr = m->sensor_adr[i];
        if (m->sensor_type[i] != SAL_SENS_USER &&
            (with_forces || m->sensor_stage[i] != SAL_STAGE_ACC)) {
            compare(t, SENSOR, o->d->sensordata + adr, o->mjd->sensordata + adr, m->sensor_dim[i]);
        }
    }
}

/* ---- states ---- */

/* The axis of a cylinder or capsule lies along the plane's normal, nearly: the direction in which
 * it leans is rounding. */
static bool stands_upright(const oracle *o, const sal_contact *c)
{
    const int type = o->m->geom_type[c->geom2];
    double z[3], lean[3];
    sal_m3_column(z, o->d->geom_xmat + 9 * c->geom2, 2);
    sal_v3_cross(lean, z, c->frame);
    return o->m->geom_type[c->geom1] == SAL_GEOM_PLANE &&
           (type == SAL_GEOM_CYLINDER || type == SAL_GEOM_CAPSULE) && sal_v3_norm(lean) < 1e-3;
}

/* Whether something touches, or ends to touch, to within rounding. */
static bool touches_by_rounding(const oracle *o)
{
    for (int i = 0; i < o->d->ncon; i++) {
        const sal_contact *c = o->d->contact + i;
        if (stands_upright(o, c)) {
            return true;
        }
        const double detect = o->m->pair_detect[c->pair], include = o->m->pair_include[c->pair];
        if (fabs(c->dist - detect) < 1e-12 || fabs(c->dist - include) < 1e-12) {
            return true;
        }
    }
    for (int i = 0; i < o->mjd->ncon; i++) {
        if (fabs(o->mjd->contact[i].dist - o->mjd->contact[i].includemargin) < 1e-12) {
            return true;
        }
    }
    return false;
}

static bool lists_contacts_twice(const oracle *o)
{
    for (int i = 1; i < o->mjd->ncon; i++) {
        const mjContact *a = o->mjd->contact + i - 1, *b = o->mjd->contact + i;
        const int body = o->mjm->geom_bodyid[b->geom1];
        if (b->geom1 == a->geom1 && b->geom2 == a->geom2 && b->dist == a->dist && body > 0 &&
            o->mjm->body_weldid[body] == 0) {
            return true;
        }
    }
    return false;
}

/* 2.2.2 may let a tendon jump to the other side of a sphere with a side site (mended in 3.2.3). */
static bool jumps(const oracle *o)
{
    bool sided = false;
    for (int i = 0; i < o->m->nwrap; i++) {
        sided = sided || (o->m->wrap_type[i] == SAL_WRAP_SPHERE && o->m->wrap_side[i] >= 0);
    }
    return sided && oracle_error(o->d->ten_length, o->mjd->ten_length, o->m->ntendon) > 1e-6;
}

/* Nothing flies away. */
static bool is_sane(const mjModel *mjm, const mjData *mjd)
{
    bool sane = true;
    for (int i = 0; i < mjm->nv; i++) {
        sane = sane && fabs(mjd->qvel[i]) < 1000;
    }
    return sane;
}

/* The k-th state: near qpos0, far from it, or where libmujoco got to in some steps from there, so
 * that what should touch does. */
static void lively_state(oracle *o, int k)
{
    static const double spread[] = {0.3, 2, 0.1, 0.5};
    const sal_model *m = o->m;
    oracle_state(o, k, spread[k % 4]);
    if (k % 4 >= 2) {
        const int steps = m->nv > 100 ? 3 : 5 * (1 + k % 37);
        mj_resetData(o->mjm, o->mjd);
        memcpy(o->mjd->qpos, o->d->qpos, (size_t)m->nq * sizeof(double));
        memcpy(o->mjd->ctrl, o->d->ctrl, (size_t)m->nu * sizeof(double));
        memcpy(o->mjd->act, o->d->act, (size_t)m->na * sizeof(double));
        for (int i = 0; i < steps; i++) {
            mj_step(o->mjm, o->mjd);
        }
        if (!is_sane(o->mjm, o->mjd)) {
            oracle_state(o, k, spread[0]);
            memset(o->mjd->warning, 0, sizeof o->mjd->warning);
            return;
        }
        memcpy(o->d->qpos, o->mjd->qpos, (size_t)m->nq * sizeof(double));
        memcpy(o->d->qvel, o->mjd->qvel, (size_t)m->nv * sizeof(double));
        memcpy(o->d->act, o->mjd->act, (size_t)m->na * sizeof(double));
        memcpy(o->mjd->qacc, o->d->qacc, (size_t)m->nv * sizeof(double));
        memcpy(o->mjd->ctrl, o->d->ctrl, (size_t)m->nu * sizeof(double)); /* lost at a reset */
    }
    o->d->time = o->mjd->time;
    memset(o->mjd->warning, 0, sizeof o->mjd->warning);
}

/* The inverse in both, with the actuators' forces, which it does not need but their sensors
 * show. */
static sal_status run_both(oracle *o)
{
    sal_err err = {SAL_OK, ""};
    if (sal_inverse(o->m, o->d, &err) != SAL_OK) {
        CHECK(err.code == SAL_UNSUPPORTED);
        return err.code;
    }
    sal_actuation(o->m, o->d);
    sal_inverse_acceleration(o->m, o->d);
    mj_inverse(o->mjm, o->mjd); /* 2.2.2 finds moments of adhesion from the contacts it has */
    mj_fwdPosition(o->mjm, o->mjd);
    mj_fwdVelocity(o->mjm, o->mjd);
    mj_fwdActuation(o->mjm, o->mjd);
    mj_inverse(o->mjm, o->mjd);
    return SAL_OK;
}

/* Whether moments of actuators come from contacts. */
static bool adheres(const sal_model *m)
{
    bool found = false;
    for (int i = 0; i < m->nu; i++) {
        found = found || m->actuator_trntype[i] == SAL_TRN_BODY;
    }
    return found;
}

static void compare_state(tally *t, oracle *o, const char *name, int k)
{
    lively_state(o, k);
    t->states++;
    if (run_both(o) != SAL_OK) {
        t->out.pairless++;
        return;
    }
    compare_positions(t, o);
    compare_maps(t, o);
    if (jumps(o)) {
        t->out.side++;
        return;
    }
    const bool elsewhere = oracle_judged_elsewhere(o), twice = lists_contacts_twice(o);
    compare_forces(t, o);
    if (!elsewhere || !adheres(o->m)) {
        compare_actuators(t, o);
    }
    const bool full = o->mjd->warning[mjWARN_CONTACTFULL].number > 0 ||
                      o->mjd->warning[mjWARN_CNSTRFULL].number > 0;
    const bool rounding = touches_by_rounding(o);
    const bool same = !elsewhere && !full && !rounding && same_contacts(o) && same_rows(o);
    compare_sensors(t, o, same);
    if (same) {
        compare_contacts(t, o);
        compare_rows(t, o);
    } else if (elsewhere || full || twice || rounding) {
        *(elsewhere ? &t->out.elsewhere
          : full    ? &t->out.full
          : twice   ? &t->out.twice
                    : &t->out.rounding) += 1;
    } else {
        printf("%s: state %d: %d contacts, %d rows; 2.2.2 has %d, %d\n", name, k, o->d->ncon,
               o->d->nefc, o->mjd->ncon, o->mjd->nefc);
        CHECK(false); /* the lists of contacts and rows differ */
    }
}

/* ---- models ---- */

static struct {
    int nstate, models, pending;
    long states, rows, contacts;
    double worst[NQUANTITY];
    left_out out;
} sum;

static void print_heading(void)
{
    printf("%-40s %4s %5s %5s %5s %5s", "model", "rows", "cont.", "lim.", "fric.", "equ.");
    for (int q = 0; q < NQUANTITY; q++) {
        printf(" %-5.5s", names[q]);
    }
    printf("\n");
}

static void report(const tally *t, const char *name)
{
    printf("%-40.40s %4d %5d %5d %5d %5d", name, t->rows, t->contacts, t->limits, t->frictions,
           t->equalities);
    for (int q = 0; q < NQUANTITY; q++) {
        if (t->n[q] > 0) {
            printf(" %5.0e", t->worst[q]);
        } else {
            printf(" %5s", "-");
        }
    }
    const struct {
        int n;
        const char *why;
    } out[] = {{t->out.elsewhere, "approximate in 2.2.2"},
               {t->out.side, "on the wrong side in 2.2.2"},
               {t->out.rounding, "touch by rounding"},
               {t->out.full, "contacts dropped by 2.2.2"},
               {t->out.twice, "listed twice by 2.2.2"},
               {t->out.pairless, "without a collision function"}};
    for (int i = 0; i < 6; i++) {
        if (out[i].n > 0) {
            printf("  %d %s", out[i].n, out[i].why);
        }
    }
    printf("\n");
    fflush(stdout);
}

static void compare_model(oracle *o, const char *name)
{
    tally t = {0};
    const size_t room = (size_t)o->m->nv + 6;
    t.ours = sal_alloc(room * room, sizeof *t.ours);
    t.theirs = sal_alloc(room * room, sizeof *t.theirs);
    o->mjm->opt.jacobian = mjJAC_DENSE;
    o->mjm->opt.enableflags = 0; /* no noise */
    compare_constants(&t, o);
    const int nstate = o->m->nv > 100 ? (sum.nstate + 9) / 10 : sum.nstate;
    for (int k = 0; k < nstate; k++) {
        o->m->opt.cone = k / 4 % 2;
        o->mjm->opt.cone = k / 4 % 2;
        compare_state(&t, o, name, k);
    }
    report(&t, name);
    const double tolerance =
        o->mjm->nmesh > 0 ? 1e-7 : TOLERANCE; /* 2.2.2 has vertices as floats */
    for (int q = 0; q < NQUANTITY; q++) {
        if (!(t.worst[q] <= tolerance)) {
            printf("%s: %s off by %g\n", name, names[q], t.worst[q]);
        }
        CHECK(t.worst[q] <= tolerance);
        sum.worst[q] = t.worst[q] > sum.worst[q] ? t.worst[q] : sum.worst[q];
    }
    sum.models++;
    sum.states += t.states, sum.rows += t.rows, sum.contacts += t.contacts;
    sum.out.elsewhere += t.out.elsewhere, sum.out.rounding += t.out.rounding;
    sum.out.full += t.out.full, sum.out.twice += t.out.twice;
    sum.out.pairless += t.out.pairless, sum.out.side += t.out.side;
    sal_free(t.ours);
    sal_free(t.theirs);
    oracle_close(o);
}

/* A model that we refuse names something that is not supported for good. */
static bool is_refused_for_good(const char *why)
{
    static const char *const never[] = {"<composite>", "hfield", "<plugin>", "too large"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        if (strstr(why, never[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void compare_file(const char *path, const char *name)
{
    oracle o;
    char why[512];
    if (strstr(name, "__") != NULL || strncmp(name, "dmc_common", 10) == 0) {
        return; /* parts of models */
    }
    if (oracle_open(&o, path, why)) {
        compare_model(&o, name);
    } else if (o.refused_by_222) {
        printf("%-40s not a model of 2.2.2: %.*s\n", name, (int)strcspn(why, "\n"), why);
    } else {
        const char *fault = strstr(why, "error: ");
        printf("%-40s refused: %s\n", name, fault == NULL ? why : fault + 7);
        sum.pending += !is_refused_for_good(why);
    }
}

static void begin(int nstate)
{
    check_case_faults = 0; /* this file's own count */
    memset(&sum, 0, sizeof sum);
    sum.nstate = nstate;
    print_heading();
}

static void print_sum(void)
{
    printf("%d models compared in %ld states, in %ld of them with rows (%ld contacts); left out: "
           "%d approximate in 2.2.2, %d touch by rounding, %d full in 2.2.2, %d listed twice by "
           "2.2.2, %d on the wrong side of a sphere in 2.2.2, %d without a collision function; %d "
           "models pending\nworst:",
           sum.models, sum.states, sum.rows, sum.contacts, sum.out.elsewhere, sum.out.rounding,
           sum.out.full, sum.out.twice, sum.out.side, sum.out.pairless, sum.pending);
    for (int q = 0; q < NQUANTITY; q++) {
        printf(" %s %.0e", names[q], sum.worst[q]);
    }
    printf("\n");
}

int agreement_with_222(int nstate, int *nfault)
{
    static const char *const own[] = {"tree", "linkage"};
    begin(nstate);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        oracle o;
        oracle_open_own(&o, own[i]);
        compare_model(&o, own[i]);
    }
    const int without_corpus = sum.models;
    corpus_each("models", ".xml", compare_file);
    corpus_each("reference/vectors", ".xml", compare_file);
    print_sum();
    CHECK(sum.pending == 0);
    *nfault = check_case_faults;
    return sum.models - without_corpus;
}

int agreement_in_folder(const char *folder, int nstate, int *nfault)
{
    begin(nstate);
    corpus_below(folder, ".xml", compare_file);
    print_sum();
    *nfault = check_case_faults;
    return sum.models;
}
