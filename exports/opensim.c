/* opensim.c: a motion as storages of OpenSim: states or coordinates, moments, ground forces.
 *
 * OpenSim's y is up. The axes of the world and of every body are renamed by C, a rotation:
 *
 *     (x, y, z) -> (x, z, -y)          R -> C R C'
 *
 * A free or ball joint has the angles a, b, c of body-fixed rotations about x, y, z, as OpenSim's
 * own free and ball joints:
 *
 *     R = Rx(a) Ry(b) Rz(c)
 *     w = a' (cos b cos c, -cos b sin c, sin b) + b' (sin c, cos c, 0) + c' (0, 0, 1)
 *
 * in the axes of the body; a moment about an angle is the torque along its vector here.
 */
#include "exports/formats.h"

#include "problems/result/diagnose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 12 };

/* A table that is being written: the line of names, or a row of numbers; which of the two the
 * functions below do not know, so that both agree. */
typedef struct sheet {
    sal_text *out;
    bool naming;
    int columns;
} sheet;

static void put(sheet *s, const char *name, const char *suffix, double value)
{
    sal_text_add(s->out, s->columns++ > 0 ? "\t" : "");
    if (s->naming) {
        sal_text_add(s->out, name);
        sal_text_add(s->out, suffix);
    } else {
        sal_text_real(s->out, value + 0.0, DIGITS); /* no -0 */
    }
}

static void turn_axes(double out[3], const double v[3])
{
    sal_v3_set(out, v[0], v[2], -v[1]);
}

/* ---- rotations ---- */

/* 2 pi n nearest to the angle before */
static double unwind(double angle, double before)
{
    const double turn = 8 * atan(1);
    return angle + turn * nearbyint((before - angle) / turn);
}

/* Angles of a rotation, nearest to those of the frame before. C R C' has the vector part of its
 * quaternion turned like any other vector. */
static void find_angles(double angle[3], const double quat[4], const double before[3])
{
    double turned[4] = {quat[0], 0, 0, 0}, R[9];
    turn_axes(turned + 1, quat + 1);
    sal_quat_matrix(R, turned);
    angle[0] = unwind(atan2(-R[5], R[8]), before[0]);
    angle[1] = asin(fmin(fmax(R[2], -1), 1));
    angle[2] = unwind(atan2(-R[1], R[0]), before[2]);
}

/* The vectors of the three angles */
static void angle_axes(double axis[3][3], const double angle[3])
{
    const double cb = cos(angle[1]), sc = sin(angle[2]), cc = cos(angle[2]);
    sal_v3_set(axis[0], cb * cc, -cb * sc, sin(angle[1]));
    sal_v3_set(axis[1], sc, cc, 0);
    sal_v3_set(axis[2], 0, 0, 1);
}

/* The rates of the angles of angular velocity w; at b = +-90 deg they are not determined. */
static void find_rates(double rate[3], const double angle[3], const double w[3])
{
    const double cb = cos(angle[1]), sc = sin(angle[2]), cc = cos(angle[2]);
    rate[0] = (w[0] * cc - w[1] * sc) / copysign(fmax(fabs(cb), 1e-9), cb);
    rate[1] = w[0] * sc + w[1] * cc;
    rate[2] = w[2] - rate[0] * sin(angle[1]);
}

/* ---- states ---- */

typedef struct storage {
    exp_frames f;
    double *angle; /* [njnt x 3] of the last frame written */
    bool speeds;   /* states: names end with /value, /speed; else coordinates alone */
    bool *borne;   /* [nbody] the ground carries it at some time */
    exp_load *load;
} storage;

static void put_coordinate(const storage *g, sheet *s, const char *joint, const char *suffix,
                           const double state[2])
{
    char name[PRB_COLUMN_NAME + 8];
    snprintf(name, sizeof name, "%s%s", joint, suffix);
    put(s, name, g->speeds ? "/value" : "", state[0]);
    if (g->speeds) {
        put(s, name, "/speed", state[1]);
    }
}

static void put_translation(const storage *g, sheet *s, const char *joint, const double *q,
                            const double *v)
{
    static const char *const names[] = {"_tx", "_ty", "_tz"};
    double place[3], speed[3];
    turn_axes(place, q);
    turn_axes(speed, v);
    for (int i = 0; i < 3; i++) {
        put_coordinate(g, s, joint, names[i], (double[2]){place[i], speed[i]});
    }
}

static void put_rotation(const storage *g, sheet *s, int j, const char *joint, const double *quat,
                         const double *v)
{
    static const char *const names[] = {"_rx", "_ry", "_rz"};
    double w[3], rate[3], *angle = g->angle + 3 * j;
    const double before[3] = {angle[0], angle[1], angle[2]};
    turn_axes(w, v);
    find_angles(angle, quat, before);
    find_rates(rate, angle, w);
    for (int i = 0; i < 3; i++) {
        put_coordinate(g, s, joint, names[i], (double[2]){angle[i], rate[i]});
    }
}

static void put_states(const storage *g, sheet *s, int k)
{
    const sal_model *m = g->f.m;
    char name[PRB_COLUMN_NAME];
    for (int j = 0; j < m->njnt; j++) {
        const double *q = g->f.qpos + k * m->nq + m->jnt_qposadr[j];
        const double *v = g->f.qvel + k * m->nv + m->jnt_dofadr[j];
        const bool free = m->jnt_type[j] == SAL_JNT_FREE;
        prb_object_name(name, m, SAL_OBJ_JOINT, j);
        if (free) {
            put_translation(g, s, name, q, v);
        }
        if (free || m->jnt_type[j] == SAL_JNT_BALL) {
            put_rotation(g, s, j, name, q + (free ? 3 : 0), v + (free ? 3 : 0));
        } else {
            put_coordinate(g, s, name, "", (double[2]){*q, *v});
        }
    }
    for (int a = 0; a < m->nu && g->speeds; a++) {
        if (m->actuator_actadr[a] >= 0) {
            prb_object_name(name, m, SAL_OBJ_ACTUATOR, a);
            put(s, name, "/activation", g->f.act[k * m->na + m->actuator_actadr[a]]);
        }
    }
}

/* ---- moments: what actuators and passive forces do to each coordinate ---- */

static void put_moments(const storage *g, sheet *s, int k)
{
    static const char *const forces[] = {"_tx_force", "_ty_force", "_tz_force"},
                             *const moments[] = {"_rx_moment", "_ry_moment", "_rz_moment"};
    const sal_model *m = g->f.m;
    double force[6], turned[3], axis[3][3];
    char name[PRB_COLUMN_NAME];
    for (int j = 0; j < m->njnt; j++) {
        const int at = g->f.step[k] * m->nv + m->jnt_dofadr[j], type = m->jnt_type[j];
        const int n = type == SAL_JNT_FREE ? 6 : type == SAL_JNT_BALL ? 3 : 1;
        for (int i = 0; i < n; i++) {
            force[i] = g->f.r->qfrc_inverse[at + i] + g->f.r->qfrc_passive[at + i];
        }
        prb_object_name(name, m, SAL_OBJ_JOINT, j);
        turn_axes(turned, force);
        for (int i = 0; i < 3 && type == SAL_JNT_FREE; i++) {
            put(s, name, forces[i], turned[i]);
        }
        if (n > 1) {
            double *angle = g->angle + 3 * j;
            const double before[3] = {angle[0], angle[1], angle[2]};
            find_angles(angle, g->f.qpos + k * m->nq + m->jnt_qposadr[j] + n - 3, before);
            angle_axes(axis, angle);
            turn_axes(turned, force + n - 3);
        }
        for (int i = 0; i < 3 && n > 1; i++) {
            put(s, name, moments[i], sal_v3_dot(axis[i], turned));
        }
        if (n == 1) {
            put(s, name, type == SAL_JNT_HINGE ? "_moment" : "_force", force[0]);
        }
    }
}

/* ---- ground forces ---- */

/* The centre of pressure p: where the moment of the ground's force has no horizontal part,
 *
 *     M - p x F = (0, 0, free moment)        p_z = sum N_i z_i / sum N_i
 *
 * Without a vertical force to speak of there is none: then p is the mean place of the contacts,
 * and the moment about it is written in full. */
static void find_pressure(double p[3], double moment[3], const exp_load *load, double weight)
{
    const double *F = load->force, *M = load->moment;
    double lever[3];
    sal_v3_set(p, 0, 0, 0);
    if (load->normal > 0) {
        sal_v3_scale(p, load->place, 1 / load->normal);
    }
    if (F[2] > PRB_LOADED * weight) {
        p[0] = (p[2] * F[0] - M[1]) / F[2];
        p[1] = (p[2] * F[1] + M[0]) / F[2];
    }
    sal_v3_cross(lever, p, F);
    sal_v3_sub(moment, M, lever);
}

static void put_vector(sheet *s, const char *name, const char *what, const double v[3])
{
    static const char *const axes[] = {"x", "y", "z"};
    double turned[3];
    char full[PRB_COLUMN_NAME + 32];
    snprintf(full, sizeof full, "%s_ground_%s", name, what);
    turn_axes(turned, v);
    for (int i = 0; i < 3; i++) {
        put(s, full, axes[i], turned[i]);
    }
}

/* Where it is not known what plates bear (runs/runs.h: sal_plates_inverse), no moment is. */
static bool is_known(const storage *g, int k)
{
    return g->f.m->nv == 0 || !isnan(g->f.r->qfrc_inverse[g->f.step[k] * g->f.m->nv]);
}

static void put_forces(const storage *g, sheet *s, int k)
{
    static const double unknown[3] = {NAN, NAN, NAN};
    const sal_model *m = g->f.m;
    const bool known = is_known(g, k);
    double p[3], moment[3];
    char name[PRB_COLUMN_NAME];
    exp_loads(g->f.r, g->f.step[k], true, g->load);
    for (int b = 1; b < m->nbody; b++) {
        if (g->borne[b]) {
            prb_object_name(name, m, SAL_OBJ_BODY, b);
            find_pressure(p, moment, g->load + b, g->f.r->weight);
            put_vector(s, name, "force_v", known ? g->load[b].force : unknown);
            put_vector(s, name, "force_p", known ? p : unknown);
            put_vector(s, name, "torque_", known ? moment : unknown);
        }
    }
}

/* ---- a file ---- */

static void put_row(const storage *g, sheet *s, int k,
                    void (*row)(const storage *g, sheet *s, int k))
{
    s->columns = 0;
    put(s, "time", "", g->f.time[k]);
    row(g, s, k);
    sal_text_add(s->out, "\n");
}

static void put_table(const storage *g, sal_text *out, const char *title,
                      void (*row)(const storage *g, sheet *s, int k))
{
    sal_text names = {0};
    sheet head = {.out = &names, .naming = true}, body = {.out = out};
    memset(g->angle, 0, 3 * (size_t)g->f.m->njnt * sizeof *g->angle);
    put_row(g, &head, 0, row);
    sal_text_format(out,
                    "%s\nversion=3\nDataType=double\nnRows=%d\nnColumns=%d\ninDegrees=no\n"
                    "x ahead as in the model, y up; m, rad, N, N m, s\n",
                    title, g->f.n, head.columns);
    if (fabs(g->f.r->recording_start) > 0) {
        sal_text_format(out, "time 0 is %.9g s of the recording\n", g->f.r->recording_start);
    }
    sal_text_add(out, "endheader\n");
    sal_text_addn(out, names.data == NULL ? "" : names.data, names.length);
    out->failed = out->failed || names.failed;
    sal_text_clear(&names);
    memset(g->angle, 0, 3 * (size_t)g->f.m->njnt * sizeof *g->angle);
    for (int k = 0; k < g->f.n; k++) {
        put_row(g, &body, k, row);
    }
}

static sal_status prepare(storage *g, const sal_result *r, const sal_export_options *options,
                          sal_err *err)
{
    const size_t nbody = (size_t)r->model->nbody;
    const sal_status status = exp_frames_new(&g->f, r, options, 100, err);
    if (status != SAL_OK) {
        return status;
    }
    g->angle = sal_alloc(3 * (size_t)r->model->njnt, sizeof *g->angle);
    g->borne = sal_alloc(nbody, sizeof *g->borne);
    g->load = sal_alloc(nbody, sizeof *g->load);
    if (g->angle == NULL || g->borne == NULL || g->load == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the forces of %zu bodies", nbody);
    }
    for (int t = 0; t < g->f.r->nstep; t++) {
        exp_loads(g->f.r, t, true, g->load);
        for (size_t b = 0; b < nbody; b++) {
            g->borne[b] = g->borne[b] || g->load[b].normal > PRB_LOADED * g->f.r->weight;
        }
    }
    return SAL_OK;
}

static sal_status write(sal_export *out, const sal_result *r, const sal_export_options *options,
                        bool speeds, sal_err *err)
{
    storage g = {.speeds = speeds};
    const sal_status status = prepare(&g, r, options, err);
    if (status == SAL_OK) {
        put_table(&g, &out->file[0].text, speeds ? "states" : "coordinates", put_states);
        put_table(&g, &out->file[1].text, "moments", put_moments);
        put_table(&g, &out->file[2].text, "ground forces", put_forces);
    }
    sal_free(g.angle);
    sal_free(g.borne);
    sal_free(g.load);
    exp_frames_clear(&g.f);
    return status;
}

sal_status exp_write_states(sal_export *out, const sal_result *r, const sal_export_options *options,
                            sal_err *err)
{
    return write(out, r, options, true, err);
}

sal_status exp_write_motion(sal_export *out, const sal_result *r, const sal_export_options *options,
                            sal_err *err)
{
    return write(out, r, options, false, err);
}
