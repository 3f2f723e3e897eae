/* Contacts, rows, references and forces of the inverse against libmujoco 2.2.2: every model of the corpus whose constraints we have, random
 * states, both cones. And without an oracle: J v is the rate of pos. */
#include "tests/check.h"
#include "tests/physics/corpus.h"
#include "tests/physics/oracle.h"

#include "physics/constraint.h"

enum { STATES = 100 };
#define TOLERANCE 1e-9

/* What is compared, and the largest relative error seen in it. */
#define QUANTITIES(X)                                                                              \
    X(DIST, "dist")                                                                                \
    X(POS, "pos")                                                                                  \
    X(FRAME, "frame")                                                                              \
    X(MU, "mu")                                                                                    \
    X(JACOBIAN, "J")                                                                               \
    X(EFC_POS, "efc_pos")                                                                          \
    X(MARGIN, "margin")                                                                            \
    X(DIAGONAL, "diagApprox")                                                                      \
    X(KBIP, "KBIP")                                                                                \
    X(D, "D")                                                                                      \
    X(R, "R")                                                                                      \
    X(VEL, "vel")                                                                                  \
    X(AREF, "aref")                                                                                \
    X(FORCE, "force")                                                                              \
    X(QFRC, "qfrc_constraint")
enum {
#define CODE(code, name) Q_##code,
    QUANTITIES(CODE)
#undef CODE
        NQUANTITY
};
static const char *const names[] = {
#define NAME(code, name) name,
    QUANTITIES(NAME)
#undef NAME
};

typedef struct tally {
    double error[NQUANTITY];
    int states, refused, full, with_contacts, with_limits, with_friction, contacts, kinds;
    int differ; /* states whose lists of contacts or rows differ */
} tally;

static void note(tally *t, int quantity, const double *a, const double *b, int n)
{
    const double e = oracle_error(a, b, n);
    t->error[quantity] = e > t->error[quantity] || isnan(e) ? e : t->error[quantity];
}

static bool same_contacts(const oracle *o, tally *t)
{
    bool same = o->d->ncon == o->mjd->ncon;
    for (int i = 0; same && i < o->d->ncon; i++) {
        const sal_contact *a = o->d->contact + i;
        const mjContact *b = o->mjd->contact + i;
        same = a->geom1 == b->geom1 && a->geom2 == b->geom2 && a->dim == b->dim &&
               a->efc_address == b->efc_address;
        t->error[Q_DIST] = fmax(t->error[Q_DIST], fabs(a->dist - b->dist));
        note(t, Q_POS, a->pos, b->pos, 3);
        note(t, Q_FRAME, a->frame, b->frame, 9);
        if (a->dim > 1 && a->efc_address >= 0) {
            note(t, Q_MU, &a->mu, &b->mu, 1);
        }
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

static void compare_rows(const oracle *o, tally *t)
{
    const sal_data *d = o->d;
    const mjData *mjd = o->mjd;
    const int n = d->nefc, nv = o->m->nv;
    double *dense = calloc((size_t)(n * nv + 1), sizeof *dense);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < d->efc_J_rownnz[i]; k++) {
            const int at = d->efc_J_rowadr[i] + k;
            CHECK(k == 0 || d->efc_J_colind[at] > d->efc_J_colind[at - 1]);
            dense[i * nv + d->efc_J_colind[at]] = d->efc_J[at];
        }
        CHECK(d->efc_state[i] == mjd->efc_state[i]);
    }
    note(t, Q_JACOBIAN, dense, mjd->efc_J, n * nv);
    note(t, Q_EFC_POS, d->efc_pos, mjd->efc_pos, n);
    note(t, Q_MARGIN, d->efc_margin, mjd->efc_margin, n);
    note(t, Q_DIAGONAL, d->efc_diagApprox, mjd->efc_diagApprox, n);
    note(t, Q_KBIP, d->efc_KBIP, mjd->efc_KBIP, 4 * n);
    note(t, Q_D, d->efc_D, mjd->efc_D, n);
    note(t, Q_R, d->efc_R, mjd->efc_R, n);
    note(t, Q_VEL, d->efc_vel, mjd->efc_vel, n);
    note(t, Q_AREF, d->efc_aref, mjd->efc_aref, n);
    note(t, Q_FORCE, d->efc_force, mjd->efc_force, n);
    note(t, Q_QFRC, d->qfrc_constraint, mjd->qfrc_constraint, nv);
    free(dense);
}

static void count_rows(const sal_data *d, tally *t)
{
    bool kind[SAL_EFC_CONTACT_ELLIPTIC + 1] = {false};
    for (int i = 0; i < d->nefc; i++) {
        kind[d->efc_type[i]] = true;
    }
    t->contacts += d->ncon;
    t->with_contacts += kind[SAL_EFC_CONTACT_FRICTIONLESS] || kind[SAL_EFC_CONTACT_PYRAMIDAL] ||
                        kind[SAL_EFC_CONTACT_ELLIPTIC];
    t->with_limits += kind[SAL_EFC_LIMIT_JOINT];
    t->with_friction += kind[SAL_EFC_FRICTION_DOF];
}

static void compare_state(oracle *o, tally *t)
{
    sal_err err;
    t->states++;
    if (sal_inverse(o->m, o->d, &err) != SAL_OK) {
        t->refused++; /* two geoms without a collision function met */
        return;
    }
    mj_inverse(o->mjm, o->mjd);
    if (o->mjd->warning[mjWARN_CONTACTFULL].number > 0) {
        mj_resetData(o->mjm, o->mjd);
        t->full++; /* theirs drops contacts */
        return;
    }
    if (oracle_judged_elsewhere(o)) {
        t->refused++;
        return;
    }
    if (!same_contacts(o, t) || !same_rows(o)) {
        t->differ++;
        return;
    }
    compare_rows(o, t);
    count_rows(o->d, t);
}

static void compare_model(oracle *o, tally *t)
{
    o->mjm->opt.jacobian = mjJAC_DENSE;
    for (int cone = 0; cone < 2; cone++) {
        o->m->opt.cone = cone;
        o->mjm->opt.cone = cone;
        for (int k = 0; k < STATES; k++) {
            oracle_state(o, k, k % 4 == 3 ? 2 : 0.1 * (1 + k % 4));
            compare_state(o, t);
        }
    }
}

/* A ball against a cylinder is an approximation in 2.2.2 (1e-3 in the normal), so such models are compared elsewhere. */
static bool is_judged_by_geometry(const oracle *o)
{
    for (int p = 0; p < o->m->npair; p++) {
        if (o->m->geom_type[o->m->pair_geom1[p]] == SAL_GEOM_SPHERE &&
            o->m->geom_type[o->m->pair_geom2[p]] == SAL_GEOM_CYLINDER) {
            return true;
        }
    }
    return false;
}

static void check_tally(const char *name, const tally *t)
{
    int worst = 0;
    for (int q = 0; q < NQUANTITY; q++) {
        worst = t->error[q] > t->error[worst] || isnan(t->error[q]) ? q : worst;
        if (!(t->error[q] <= TOLERANCE)) {
            printf("%s: %s off by %g\n", name, names[q], t->error[q]);
        }
        CHECK(t->error[q] <= TOLERANCE);
    }
    CHECK(t->differ == 0);
    printf(
        "     %-42s %3d contacts, %3d limits, %3d friction, %3d refused of %d; worst %s %.0e%s\n",
        name, t->with_contacts, t->with_limits, t->with_friction, t->refused + t->full, t->states,
        names[worst], t->error[worst], t->differ ? " LISTS DIFFER" : "");
}

static int compared;

static void silence(const char *message)
{
    (void)message;
}

static void one_file(const char *path, const char *name)
{
    oracle o;
    char why[512];
    tally t = {0};
    if (!oracle_open(&o, path, why)) {
        return; /* parts that are included, models of later versions */
    }
    if (o.m->nv > 0 && !is_judged_by_geometry(&o)) {
        compare_model(&o, &t);
        check_tally(name, &t);
        compared += t.refused < t.states;
    }
    oracle_close(&o);
}

static void rows_are_those_of_libmujoco(void)
{
    if (check_corpus("models/dmc_walker.xml") == NULL) {
        SKIP("no corpus");
    }
    corpus_each("models", ".xml", one_file);
    corpus_each("reference/vectors", ".xml", one_file);
    printf("     %d models compared\n", compared);
    CHECK(compared >= 30);
}

/* efc_vel of limits and contact normals is the rate of efc_pos, by centred differences along the velocity. */
static void compare_rates(oracle *o, int *compared_rows)
{
    const double e = 1e-6;
    double pos[2][256], q[256];
    sal_err err;
    CHECK_OK(sal_inverse(o->m, o->d, &err), err);
    const int n = o->d->nefc;
    double vel[256] = {0};
    bool wanted[256] = {false};
    for (int i = 0; i < n && i < 256; i++) {
        const int type = o->d->efc_type[i];
        vel[i] = o->d->efc_vel[i];
        wanted[i] =
            type == SAL_EFC_LIMIT_JOINT || (type >= SAL_EFC_CONTACT_FRICTIONLESS &&
                                            o->d->contact[o->d->efc_id[i]].efc_address == i);
    }
    memcpy(q, o->d->qpos, (size_t)o->m->nq * sizeof *q);
    for (int side = 0; side < 2; side++) {
        sal_integrate_pos(o->m, o->d->qpos, q, o->d->qvel, side ? e : -e);
        CHECK_OK(sal_position(o->m, o->d, &err), err);
        if (o->d->nefc != n || n > 256) {
            return; /* one came or went */
        }
        memcpy(pos[side], o->d->efc_pos, (size_t)n * sizeof *q);
    }
    for (int i = 0; i < n; i++) {
        if (wanted[i]) {
            CHECK_NEAR((pos[1][i] - pos[0][i]) / (2 * e), vel[i], 1e-8 * (1 + fabs(vel[i])));
            ++*compared_rows;
        }
    }
}

static void row_velocities_are_rates_of_distances(void)
{
    static const char *const files[] = {"models/dmc_walker.xml",
                                        "models/mj222_humanoid.xml",
                                        "models/gym_pusher.xml",
                                        "models/gym_ant.xml",
                                        "reference/vectors/03_capsule_plane_condim.xml",
                                        "reference/vectors/05_ball_limit_friction.xml"};
    int rows = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = check_corpus(files[i]);
        oracle o;
        char why[512];
        if (path == NULL) {
            SKIP("no corpus");
        }
        CHECK(oracle_open(&o, path, why));
        o.m->opt.cone = SAL_CONE_ELLIPTIC;
        for (int k = 0; k < STATES; k++) {
            oracle_state(&o, k, 0.1 * (1 + k % 4));
            compare_rates(&o, &rows);
        }
        oracle_close(&o);
    }
    printf("     %d rows\n", rows);
    CHECK(rows > 1000);
}

int main(void)
{
    mju_user_warning = silence;
    RUN(rows_are_those_of_libmujoco);
    RUN(row_velocities_are_rates_of_distances);
    return check_done();
}
