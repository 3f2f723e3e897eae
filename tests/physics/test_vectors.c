/* The stored numbers of libmujoco 2.2.2 (corpus, reference/vectors 01-07, 10, 12): what is smooth,
 * rows, references and forces of the inverse, the forward solution and one step. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "mjcf/mjcf.h"
#include "physics/constraint.h"

/* All of them; and those that MuJoCo HEAD (3.12.1) recorded. */
static const char *const files[] = {"01_freebox_pyramidal",
                                    "02_freebox_elliptic",
                                    "03_capsule_plane_condim",
                                    "04_capsule_plane_condim_pyr",
                                    "05_ball_limit_friction",
                                    "06_equality",
                                    "07_tendon_wrap",
                                    "08_actuators",
                                    "09_muscle",
                                    "10_fluid",
                                    "11_mixed_pairs",
                                    "12_chain_condim6_pyr",
                                    "13_adhesion_gap",
                                    "14_defaults_mesh"};
static const char *const head[] = {"02_freebox_elliptic", "06_equality", "11_mixed_pairs",
                                   "13_adhesion_gap", "15_gravcomp_head"};

/* ---- numbers from the text of a JSON file ---- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    if (file != NULL) {
        CHECK(fread(text, 1, (1 << 22) - 1, file) > 0);
        fclose(file);
    }
    return text;
}

/* The list of numbers after the first "key":[ at or after `from`: how many, written to a static
 * buffer. */
static const double *numbers(const char *from, const char *key, int *count)
{
    static double value[8192];
    char quoted[64];
    *count = 0;
    snprintf(quoted, sizeof quoted, "\"%s\":[", key);
    const char *at = strstr(from, quoted);
    if (at == NULL) {
        return value;
    }
    at += strlen(quoted);
    while (*at != ']' && *count < 8192) {
        char *end;
        value[(*count)++] = strtod(at, &end);
        if (end == at) {
            *count = 0;
            return value;
        }
        at = *end == ',' ? end + 1 : end;
    }
    return value;
}

static void read_into(double *x, int n, const char *from, const char *key)
{
    int count;
    const double *value = numbers(from, key, &count);
    CHECK(count == n);
    memcpy(x, value, (size_t)n * sizeof *x);
}

static void same(const double *x, int n, const char *from, const char *key, double tolerance)
{
    int count;
    const double *value = numbers(from, key, &count);
    const double error = oracle_error(x, value, n);
    if (count != n || !(error <= tolerance)) {
        printf("%s: %d numbers, expected %d, off by %g\n", key, n, count, error);
    }
    CHECK(count == n && error <= tolerance);
}

/* ---- the comparison ---- */

static void same_smooth(const oracle *o, const char *state)
{
    const sal_model *m = o->m;
    sal_data *d = o->d;
    double *dense = calloc((size_t)(m->nv * m->nv), sizeof *dense);
    same(d->xpos, 3 * m->nbody, state, "xpos", 1e-13);
    same(d->xquat, 4 * m->nbody, state, "xquat", 1e-13);
    same(d->xipos, 3 * m->nbody, state, "xipos", 1e-13);
    same(d->geom_xpos, 3 * m->ngeom, state, "geom_xpos", 1e-13);
    same(d->geom_xmat, 9 * m->ngeom, state, "geom_xmat", 1e-13);
    same(d->site_xpos, 3 * m->nsite, state, "site_xpos", 1e-13);
    same(d->subtree_com, 3 * m->nbody, state, "subtree_com", 1e-13);
    sal_full_m(m, d, dense);
    same(dense, m->nv * m->nv, state, "M", 1e-13);
    same(d->qfrc_bias, m->nv, state, "qfrc_bias", 1e-13);
    same(d->ten_length, m->ntendon, state, "ten_length", 1e-13);
    same(d->ten_velocity, m->ntendon, state, "ten_velocity", 1e-12);
    same(d->qfrc_passive, m->nv, state, "qfrc_passive", 1e-13);
    free(dense);
}

/* Sensors; of forces only if contacts are compared. What actuators do was not evaluated for the
 * recording. */
static void same_sensors(const oracle *o, const char *state, bool with_forces)
{
    const sal_model *m = o->m;
    int count;
    const double *value = numbers(state, "sensordata", &count);
    CHECK(count == m->nsensordata);
    for (int i = 0; i < m->nsensor && count == m->nsensordata; i++) {
        const int adr = m->sensor_adr[i], type = m->sensor_type[i];
        if (type != SAL_SENS_ACTUATORFRC && (with_forces || m->sensor_stage[i] != SAL_STAGE_ACC)) {
            CHECK(oracle_error(o->d->sensordata + adr, value + adr, m->sensor_dim[i]) <= 1e-10);
        }
    }
}

static void same_rows(const oracle *o, const char *state)
{
    const sal_data *d = o->d;
    same(d->efc_pos, d->nefc, state, "efc_pos", 1e-12);
    same(d->efc_margin, d->nefc, state, "efc_margin", 0);
    same(d->efc_frictionloss, d->nefc, state, "efc_frictionloss", 0);
    same(d->efc_diagApprox, d->nefc, state, "efc_diagApprox", 1e-12);
    same(d->efc_KBIP, 4 * d->nefc, state, "efc_KBIP", 1e-12);
    same(d->efc_R, d->nefc, state, "efc_R", 1e-12);
    same(d->efc_D, d->nefc, state, "efc_D", 1e-12);
    same(d->efc_vel, d->nefc, state, "efc_vel", 1e-12);
    same(d->efc_aref, d->nefc, state, "efc_aref", 1e-12);
    same(d->efc_force, d->nefc, state, "efc_force", 1e-12);
}

/* Contacts in their order, with their forces of the inverse. */
static void same_contacts(const oracle *o, const char *state)
{
    const char *at = strstr(state, "\"contact\":[");
    for (int i = 0; i < o->d->ncon; i++) {
        const sal_contact *contact = o->d->contact + i;
        double force[6], size = 0;
        int count;
        at = strstr(at + 1, "\"g1_g2_dim_exclude_adr\":[");
        CHECK(at != NULL);
        sal_contact_force(o->m, o->d, i, force);
        same(&contact->dist, 1, at, "dist", 1e-10);
        same(contact->pos, 3, at, "pos", 1e-13);
        same(contact->frame, 9, at, "frame", 1e-13);
        const double *theirs = numbers(at, "force", &count);
        for (int k = 0; k < 6; k++) {
            size = fmax(size, fabs(theirs[k]));
        }
        for (int k = 0; k < 6; k++) {
            CHECK_NEAR(force[k], theirs[k], 1e-12 * size);
        }
    }
}

/* False if only what does not depend on contacts could be compared. */
static bool compare_inverse(oracle *o, const char *state)
{
    sal_err err;
    read_into(o->d->qpos, o->m->nq, state, "qpos");
    read_into(o->d->qvel, o->m->nv, state, "qvel");
    read_into(o->d->qacc, o->m->nv, state, "qacc");
    read_into(o->d->ctrl, o->m->nu, state, "ctrl");
    read_into(o->d->act, o->m->na, state, "act");
    CHECK_OK(sal_inverse(o->m, o->d, &err), err);
    same_smooth(o, state);
    same(o->d->actuator_length, o->m->nu, state, "actuator_length", 1e-12);
    if (o->m->nu == 0 ||
        o->m->actuator_trntype[0] != SAL_TRN_BODY) { /* adhesion: of contacts before */
        same(o->d->actuator_velocity, o->m->nu, state, "actuator_velocity", 1e-12);
    }
    memcpy(o->mjd->qpos, o->d->qpos, (size_t)o->m->nq * sizeof(double));
    mj_inverse(o->mjm, o->mjd);
    same_sensors(o, state, !oracle_judged_elsewhere(o));
    if (oracle_judged_elsewhere(o)) { /* the stored contacts are those of 2.2.2 */
        return false;
    }
    same_rows(o, state);
    same_contacts(o, state);
    same(o->d->qfrc_constraint, o->m->nv, state, "qfrc_constraint", 1e-12);
    same(o->d->qfrc_inverse, o->m->nv, state, "qfrc_inverse", 1e-12);
    return true;
}

static void compare_forward(oracle *o, const char *state)
{
    sal_err err;
    const char *forward = strstr(state, "\"forward\":");
    o->m->opt.tolerance = 0;
    read_into(o->d->qfrc_applied, o->m->nv, state, "qfrc_applied");
    CHECK_OK(sal_forward(o->m, o->d, &err), err);
    same(o->d->act_dot, o->m->na, forward, "act_dot", 1e-12);
    same(o->d->actuator_force, o->m->nu, forward, "actuator_force", 1e-12);
    same(o->d->qfrc_actuator, o->m->nv, forward, "qfrc_actuator", 1e-12);
    same(o->d->qacc_smooth, o->m->nv, forward, "qacc_smooth", 1e-11);
    same(o->d->qacc, o->m->nv, forward, "qacc", 1e-9);
    same(o->d->efc_force, o->d->nefc, forward, "efc_force", 1e-9);
    CHECK_OK(sal_step(o->m, o->d, &err), err);
    same(o->d->qpos, o->m->nq, forward, "step_qpos", 1e-10);
    same(o->d->qvel, o->m->nv, forward, "step_qvel", 1e-9);
    same(o->d->act, o->m->na, forward, "step_act", 1e-12);
}

static void stored_numbers_come_out(void)
{
    int states = 0, elsewhere = 0;
    if (check_corpus("reference/vectors/01_freebox_pyramidal.json") == NULL) {
        SKIP("no corpus");
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        oracle o;
        char why[512], name[128];
        snprintf(name, sizeof name, "reference/vectors/%s.xml", files[i]);
        CHECK(oracle_open(&o, check_corpus(name), why));
        snprintf(name, sizeof name, "reference/vectors/%s.json", files[i]);
        char *text = read_text(check_corpus(name));
        for (const char *s = strstr(text, "\"states\"");
             s != NULL && (s = strstr(s + 1, "\"qpos\":[")); states++) {
            if (compare_inverse(&o, s)) {
                compare_forward(&o, s);
            } else {
                elsewhere++;
            }
        }
        free(text);
        oracle_close(&o);
    }
    printf("     %d states, %d with contacts judged elsewhere\n", states, elsewhere);
    CHECK(elsewhere <= 6); /* of 06 and 11 */
    CHECK(states == 56);
}

/* ---- HEAD ---- */

/* Whether the recorded contacts are those of agreement_312.mjs' tolerance: of convex pairs, or of
 * boxes, listed from another corner. */
static bool is_compared_elsewhere(const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const int type1 = m->geom_type[d->contact[i].geom1],
                  type2 = m->geom_type[d->contact[i].geom2];
        if (type1 >= SAL_GEOM_ELLIPSOID ||
            (type1 > SAL_GEOM_PLANE && type2 == SAL_GEOM_ELLIPSOID) ||
            (type1 == SAL_GEOM_CAPSULE && type2 == SAL_GEOM_CYLINDER)) {
            return true;
        }
    }
    return false;
}

static void compare_head(const sal_model *m, sal_data *d, const char *state, bool *rows)
{
    const char *forward = strstr(state, "\"forward\":");
    double *dense = calloc((size_t)(m->nv * m->nv), sizeof *dense);
    sal_err err;
    read_into(d->qpos, m->nq, state, "qpos");
    read_into(d->qvel, m->nv, state, "qvel");
    read_into(d->qacc, m->nv, state, "qacc");
    read_into(d->ctrl, m->nu, state, "ctrl");
    CHECK_OK(sal_inverse(m, d, &err), err);
    sal_full_m(m, d, dense);
    same(dense, m->nv * m->nv, state, "M", 1e-12);
    same(d->qfrc_bias, m->nv, state, "qfrc_bias", 1e-12);
    same(d->qfrc_passive, m->nv, state, "qfrc_passive", 1e-12);
    sal_actuation(m, d);
    same(d->actuator_force, m->nu, forward, "actuator_force", 1e-9);
    same(d->qfrc_actuator, m->nv, forward, "qfrc_actuator", 1e-9);
    *rows = !is_compared_elsewhere(m, d);
    if (*rows) {
        same(d->efc_pos, d->nefc, state, "efc_pos", 1e-9);
        same(d->efc_margin, d->nefc, state, "efc_margin", 0);
        same(d->efc_R, d->nefc, state, "efc_R", 1e-9);
        same(d->efc_vel, d->nefc, state, "efc_vel", 1e-9);
        same(d->efc_aref, d->nefc, state, "efc_aref", 1e-9);
        same(d->efc_force, d->nefc, state, "efc_force", 1e-9);
        same(d->qfrc_constraint, m->nv, state, "qfrc_constraint", 1e-9);
        same(d->qfrc_inverse, m->nv, state, "qfrc_inverse", 1e-9);
        CHECK_OK(sal_forward(m, d, &err), err);
        same(d->qacc, m->nv, forward, "qacc", 1e-9);
    }
    free(dense);
}

static void numbers_of_head_come_out(void)
{
    int states = 0, with_rows = 0;
    if (check_corpus("reference/vectors/head/06_equality.json") == NULL) {
        SKIP("no corpus");
    }
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        char name[128];
        sal_model *m = NULL;
        sal_data *d = NULL;
        sal_err err = {0};
        snprintf(name, sizeof name, "reference/vectors/%s.xml", head[i]);
        CHECK_OK(sal_model_load(&m, check_corpus(name), NULL, NULL, &err), err);
        CHECK_OK(sal_data_new(&d, m, &err), err);
        m->opt.tolerance = 0;
        snprintf(name, sizeof name, "reference/vectors/head/%s.json", head[i]);
        char *text = read_text(check_corpus(name));
        const int before = with_rows;
        for (const char *s = strstr(text, "\"states\"");
             s != NULL && (s = strstr(s + 1, "\"qpos\":[")); states++) {
            bool rows;
            compare_head(m, d, s, &rows);
            with_rows += rows;
        }
        printf("     head/%-24s %d states with rows\n", head[i], with_rows - before);
        free(text);
        sal_data_free(d);
        sal_model_free(m);
    }
    CHECK(states == 20 && with_rows >= 12);
}

int main(void)
{
    RUN(numbers_of_head_come_out);
    RUN(stored_numbers_come_out);
    return check_done();
}
