/* mjlab.c: a motion as the trackers of mjlab and of BeyondMimic read it: an .npz of float32, frame
 * by frame, and beside it what they do not ask for: torques, contacts, controls, gains.
 *
 * Both index bodies and joints by number. mjlab numbers them as the model does. BeyondMimic asks
 * Isaac Lab, which numbers them level by level from the root (breadth first), and whose linear
 * velocity of a body is that of its centre of mass, not of its origin.
 */
#include "exports/formats.h"

#include <math.h>
#include <string.h>

/* Of the weight: contacts that press on a body with less do not count as one (problems/result,
 * stance.c) */
static const double LEAST_LOAD = 0.01;

/* The numbers of the joints that are not free, and of the bodies but the world, in the file's
 * order */
typedef struct order {
    int *joint, *body;
    int njoint, nbody;
} order;

typedef struct writer {
    exp_frames f;
    order o;
    exp_gain gain;
    bool isaac;
    sig_npz *npz;
    exp_load *load; /* [nbody] */
    double *buffer;
} writer;

/* ---- the order ---- */

static int level_of(const sal_model *m, int body)
{
    int level = 0;
    for (; body > 0; body = m->body_parentid[body]) {
        level++;
    }
    return level;
}

/* Level by level; on one level the model's order, which is depth first, is that of the parents. */
static sal_status find_order(order *o, const sal_model *m, bool levels, sal_err *err)
{
    o->joint = sal_alloc((size_t)m->njnt, sizeof *o->joint);
    o->body = sal_alloc((size_t)m->nbody, sizeof *o->body);
    if (o->joint == NULL || o->body == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the order of %d bodies", m->nbody);
    }
    for (int level = levels ? 1 : 0; level < (levels ? m->nbody : 1); level++) {
        for (int b = 1; b < m->nbody; b++) {
            if (!levels || level_of(m, b) == level) {
                o->body[o->nbody++] = b;
            }
        }
        for (int j = 0; j < m->njnt; j++) {
            if (m->jnt_type[j] != SAL_JNT_FREE &&
                (!levels || level_of(m, m->jnt_bodyid[j]) == level)) {
                o->joint[o->njoint++] = j;
            }
        }
    }
    return SAL_OK;
}

static void name_joint(const void *ctx, size_t i, char text[SIG_NPZ_WORD])
{
    const writer *w = ctx;
    prb_object_name(text, w->f.m, SAL_OBJ_JOINT, w->o.joint[i]);
}

static void name_body(const void *ctx, size_t i, char text[SIG_NPZ_WORD])
{
    const writer *w = ctx;
    prb_object_name(text, w->f.m, SAL_OBJ_BODY, w->o.body[i]);
}

static void name_actuator(const void *ctx, size_t i, char text[SIG_NPZ_WORD])
{
    const writer *w = ctx;
    prb_object_name(text, w->f.m, SAL_OBJ_ACTUATOR, (int)i);
}

/* ---- arrays ---- */

static size_t rows(const writer *w)
{
    return (size_t)w->f.n;
}

static void add(writer *w, const char *name, const char *type, size_t columns)
{
    sig_npz_add(w->npz, &(sig_npz_array){name, type, 2, {rows(w), columns}, w->buffer});
}

static void add_rate(writer *w)
{
    const double rate = w->f.rate;
    const char *type = rate <= floor(rate) ? "<i8" : "<f8";
    sig_npz_add(w->npz, &(sig_npz_array){"fps", type, 1, {1}, &rate});
}

/* Number adr[joint] of each row of `data`, of joints */
static void add_joints(writer *w, const char *name, const double *data, int n, const int *adr)
{
    for (int k = 0; k < w->f.n; k++) {
        for (int i = 0; i < w->o.njoint; i++) {
            w->buffer[k * w->o.njoint + i] = data[k * n + adr[w->o.joint[i]]];
        }
    }
    add(w, name, "<f4", (size_t)w->o.njoint);
}

/* n numbers of each body */
static void add_bodies(writer *w, const char *name, const double *data, int n)
{
    const int nbody = w->o.nbody;
    for (int k = 0; k < w->f.n; k++) {
        for (int i = 0; i < nbody; i++) {
            memcpy(w->buffer + (k * nbody + i) * n, data + (k * w->f.m->nbody + w->o.body[i]) * n,
                   (size_t)n * sizeof(double));
        }
    }
    sig_npz_add(w->npz,
                &(sig_npz_array){name, "<f4", 3, {rows(w), (size_t)nbody, (size_t)n}, w->buffer});
}

/* Torques and controls of the step that lasts */
static void add_drive(writer *w)
{
    const sal_model *m = w->f.m;
    const int nj = w->o.njoint, nu = m->nu;
    for (int k = 0; k < w->f.n; k++) {
        for (int i = 0; i < nj; i++) {
            const int dof = m->jnt_dofadr[w->o.joint[i]];
            w->buffer[k * nj + i] = w->f.r->qfrc_actuator[w->f.step[k] * m->nv + dof];
        }
    }
    add(w, "joint_torque", "<f4", (size_t)nj);
    for (int k = 0; k < w->f.n; k++) {
        memcpy(w->buffer + k * nu, w->f.r->ctrl + w->f.step[k] * nu, (size_t)nu * sizeof(double));
    }
    add(w, "ctrl", "<f4", (size_t)nu);
}

static void add_contacts(writer *w)
{
    const int nbody = w->o.nbody;
    double *flag = w->buffer + 3 * w->f.n * nbody;
    for (int k = 0; k < w->f.n; k++) {
        exp_loads(w->f.r, w->f.step[k], false, w->load);
        for (int i = 0; i < nbody; i++) {
            const exp_load *load = w->load + w->o.body[i];
            sal_v3_copy(w->buffer + 3 * (k * nbody + i), load->force);
            flag[k * nbody + i] = load->normal >= LEAST_LOAD * w->f.r->weight;
        }
    }
    sig_npz_add(w->npz, &(sig_npz_array){
                            "contact_force_w", "<f4", 3, {rows(w), (size_t)nbody, 3}, w->buffer});
    sig_npz_add(w->npz, &(sig_npz_array){"contact", "|u1", 2, {rows(w), (size_t)nbody}, flag});
}

/* u = ctrl + gain (x (-) (qpos, qvel, act)) */
static void add_gains(writer *w)
{
    const sal_model *m = w->f.m;
    const int n = exp_gain_count(&w->gain), size = m->nu * n;
    for (int k = 0; k < w->f.n; k++) {
        memcpy(w->buffer + (size_t)k * (size_t)size, exp_gain_at(&w->gain, w->f.step[k]),
               (size_t)size * sizeof(double));
    }
    sig_npz_add(w->npz,
                &(sig_npz_array){"gain", "<f4", 3, {rows(w), (size_t)m->nu, (size_t)n}, w->buffer});
    sig_npz_add(w->npz, &(sig_npz_array){"qpos", "<f4", 2, {rows(w), (size_t)m->nq}, w->f.qpos});
    sig_npz_add(w->npz, &(sig_npz_array){"qvel", "<f4", 2, {rows(w), (size_t)m->nv}, w->f.qvel});
    sig_npz_add(w->npz, &(sig_npz_array){"act", "<f4", 2, {rows(w), (size_t)m->na}, w->f.act});
}

static void add_all(writer *w, bool gains)
{
    const exp_frames *f = &w->f;
    const sal_model *m = f->m;
    add_rate(w);
    add_joints(w, "joint_pos", f->qpos, m->nq, m->jnt_qposadr);
    add_joints(w, "joint_vel", f->qvel, m->nv, m->jnt_dofadr);
    add_bodies(w, "body_pos_w", f->xpos, 3);
    add_bodies(w, "body_quat_w", f->xquat, 4);
    add_bodies(w, "body_lin_vel_w", w->isaac ? f->central : f->linear, 3);
    add_bodies(w, "body_ang_vel_w", f->angular, 3);
    sig_npz_add_words(w->npz, "joint_names", (size_t)w->o.njoint, name_joint, w);
    sig_npz_add_words(w->npz, "body_names", (size_t)w->o.nbody, name_body, w);
    sig_npz_add_words(w->npz, "actuator_names", (size_t)m->nu, name_actuator, w);
    add_drive(w);
    add_contacts(w);
    if (gains) {
        add_gains(w);
    }
}

/* ---- the file ---- */

static sal_status prepare(writer *w, const sal_result *r, const sal_export_options *options,
                          sal_err *err)
{
    const sal_model *m = r->model;
    sal_status status = exp_refuse_balls(m, w->isaac ? "beyondmimic" : "mjlab", err);
    status = status == SAL_OK ? exp_frames_new(&w->f, r, options, 50, err) : status;
    status = status == SAL_OK ? find_order(&w->o, m, w->isaac, err) : status;
    status = status == SAL_OK && options->gains ? exp_gain_new(&w->gain, r, err) : status;
    status = status == SAL_OK ? sig_npz_create(&w->npz, err) : status;
    if (status == SAL_OK) {
        const size_t n = options->gains ? (size_t)exp_gain_count(&w->gain) : 0;
        const size_t nu = (size_t)m->nu, body = 4 * (size_t)m->nbody, gain = nu * n;
        const size_t drive = nu + (size_t)m->njnt, width = gain > body ? gain : body;
        w->load = sal_alloc((size_t)m->nbody, sizeof *w->load);
        w->buffer = sal_alloc((size_t)w->f.n * (width > drive ? width : drive), sizeof(double));
        status = w->load == NULL || w->buffer == NULL
                     ? sal_fail(err, SAL_NOMEM, "out of memory for %d frames", w->f.n)
                     : SAL_OK;
    }
    return status;
}

static sal_status write(sal_export *out, const sal_result *r, const sal_export_options *options,
                        bool isaac, sal_err *err)
{
    writer w = {.isaac = isaac};
    sal_status status = prepare(&w, r, options, err);
    if (status == SAL_OK) {
        add_all(&w, options->gains);
    }
    const sal_status closed =
        sig_npz_close(w.npz, status == SAL_OK ? &out->file[0].text : NULL, err);
    sal_free(w.load);
    sal_free(w.buffer);
    sal_free(w.o.joint);
    sal_free(w.o.body);
    exp_gain_clear(&w.gain);
    exp_frames_clear(&w.f);
    return status == SAL_OK ? closed : status;
}

sal_status exp_write_mjlab(sal_export *out, const sal_result *r, const sal_export_options *options,
                           sal_err *err)
{
    return write(out, r, options, false, err);
}

sal_status exp_write_beyondmimic(sal_export *out, const sal_result *r,
                                 const sal_export_options *options, sal_err *err)
{
    return write(out, r, options, true, err);
}
