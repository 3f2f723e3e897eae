/* The stored numbers of libmujoco 2.2.2 (corpus, reference/vectors 01-07, 10, 12): what is smooth, rows, references and forces of the inverse, the forward solution
 * and one step. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "physics/constraint.h"

static const char *const files[] = {"01_freebox_pyramidal",    "02_freebox_elliptic",
                                    "03_capsule_plane_condim", "04_capsule_plane_condim_pyr",
                                    "05_ball_limit_friction",  "06_equality",
                                    "07_tendon_wrap",          "10_fluid",
                                    "12_chain_condim6_pyr"};

/* ---- numbers from the text of a JSON file ----------------------------------------------------------------------------------- */

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

/* The list of numbers after the first "key":[ at or after `from`: how many, written to a static buffer. */
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

/* ---- the comparison ----------------------------------------------------------------------------------------------------------- */

static void same_smooth(const oracle *o, const char *state)
{
    const sal_model *m = o->m;
    const sal_data *d = o->d;
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

/* Sensors of positions and velocities; the recording goes sensor by sensor. */
static void same_sensors(const oracle *o, const char *state)
{
    const sal_model *m = o->m;
    int count;
    const double *value = numbers(state, "sensordata", &count);
    CHECK(count == m->nsensordata);
    for (int i = 0; i < m->nsensor && count == m->nsensordata; i++) {
        const int adr = m->sensor_adr[i];
        if (m->sensor_stage[i] != SAL_STAGE_ACC || m->sensor_type[i] == SAL_SENS_TENDONLIMITFRC) {
            CHECK(oracle_error(o->d->sensordata + adr, value + adr, m->sensor_dim[i]) <= 1e-12);
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
    CHECK_OK(sal_inverse(o->m, o->d, &err), err);
    same_smooth(o, state);
    same_sensors(o, state);
    memcpy(o->mjd->qpos, o->d->qpos, (size_t)o->m->nq * sizeof(double));
    mj_inverse(o->mjm, o->mjd);
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
    same(o->d->qacc_smooth, o->m->nv, forward, "qacc_smooth", 1e-11);
    same(o->d->qacc, o->m->nv, forward, "qacc", 1e-9);
    same(o->d->efc_force, o->d->nefc, forward, "efc_force", 1e-9);
    CHECK_OK(sal_step(o->m, o->d, &err), err);
    same(o->d->qpos, o->m->nq, forward, "step_qpos", 1e-10);
    same(o->d->qvel, o->m->nv, forward, "step_qvel", 1e-9);
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
    CHECK(elsewhere <= 2);
    CHECK(states == 36);
}

int main(void)
{
    RUN(stored_numbers_come_out);
    return check_done();
}
