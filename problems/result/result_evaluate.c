/* result_evaluate.c: everything a result says about a motion, computed from its configurations and
 * the model that replays it.
 *
 *     sal_result_evaluate { new -> describe -> for each step { inverse -> row, actuation, contacts
 *         } -> last row -> extremes }
 */
#include "problems/result/result.h"
#include "problems/softening_schedule.h"
#include "problems/states.h"
#include "problems/transcribe.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one row ---- */

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof(double));
}

static void clear(double *to, int n) /* not a number: what the last row does not have */
{
    for (int i = 0; i < n; i++) {
        to[i] = (double)NAN;
    }
}

/* What follows from positions and velocities. */
void prb_result_put_state(sal_result *r, const sal_data *d, int t)
{
    const sal_model *m = r->model;
    r->time[t] = t * r->timestep;
    copy(r->qpos + t * m->nq, d->qpos, m->nq);
    copy(r->qvel + t * m->nv, d->qvel, m->nv);
    copy(r->act + t * m->na, d->act, m->na);
    copy(r->sensordata + t * m->nsensordata, d->sensordata, m->nsensordata);
    copy(r->xpos + t * 3 * m->nbody, d->xpos, 3 * m->nbody);
    copy(r->xquat + t * 4 * m->nbody, d->xquat, 4 * m->nbody);
}

void prb_result_put_forces(sal_result *r, const sal_data *d, int t)
{
    const int nv = r->model->nv;
    copy(r->qacc + t * nv, d->qacc, nv);
    copy(r->qfrc_inverse + t * nv, d->qfrc_inverse, nv);
    copy(r->qfrc_passive + t * nv, d->qfrc_passive, nv);
    copy(r->qfrc_constraint + t * nv, d->qfrc_constraint, nv);
}

void prb_result_clear_forces(sal_result *r, int t)
{
    const int nv = r->model->nv;
    double *const rows[] = {r->qacc,         r->qfrc_inverse,    r->qfrc_actuator,
                            r->qfrc_passive, r->qfrc_constraint, r->qfrc_unactuated};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clear(rows[i] + t * nv, nv);
    }
    clear(r->ctrl + t * r->model->nu, r->model->nu);
}

/* A user's sensors have no value, those of forces none at the end. */
void prb_result_clear_sensors(sal_result *r, int t, bool forces)
{
    const sal_model *m = r->model;
    for (int s = 0; s < m->nsensor; s++) {
        if (m->sensor_type[s] == SAL_SENS_USER ||
            (!forces && m->sensor_stage[s] == SAL_STAGE_ACC)) {
            clear(r->sensordata + t * m->nsensordata + m->sensor_adr[s], m->sensor_dim[s]);
        }
    }
}

/* ---- actuation ---- */

/* c0 + c1 length + c2 velocity */
static double affine(const double *c, const sal_data *d, int a)
{
    return c[0] + c[1] * d->actuator_length[a] + c[2] * d->actuator_velocity[a];
}

/* force = gain ctrl + bias. An actuator without gain gives its bias whatever is asked. */
static double control(const sal_model *m, const sal_data *d, int a, double *force)
{
    const double *gainprm = m->actuator_gainprm + 10 * a, *biasprm = m->actuator_biasprm + 10 * a;
    const double bias = m->actuator_biastype[a] == SAL_BIAS_AFFINE ? affine(biasprm, d, a) : 0;
    const double gain =
        m->actuator_gaintype[a] == SAL_GAIN_AFFINE ? affine(gainprm, d, a) : gainprm[0];
    if (fabs(gain) < 1e-15) {
        *force = bias;
        return 0;
    }
    return (*force - bias) / gain;
}

/* The reading of sensor s if it is one of actuators' forces, else NULL */
static double *force_reading(sal_result *r, int t, int s)
{
    const sal_model *m = r->model;
    const int type = m->sensor_type[s];
    const bool force = type == SAL_SENS_ACTUATORFRC || type == SAL_SENS_TENDONACTFRC ||
                       type == SAL_SENS_JOINTACTFRC;
    return force ? r->sensordata + t * m->nsensordata + m->sensor_adr[s] : NULL;
}

/* An actuator's force to the sensors that add it up; actuator -1: none yet. */
static void add_to_force_sensors(sal_result *r, int t, int actuator, double force)
{
    const sal_model *m = r->model;
    for (int s = 0; s < m->nsensor; s++) {
        double *reading = force_reading(r, t, s);
        const int type = m->sensor_type[s], id = m->sensor_objid[s];
        if (reading != NULL && actuator < 0) {
            *reading = 0;
        } else if ((type == SAL_SENS_ACTUATORFRC && id == actuator) ||
                   (type == SAL_SENS_TENDONACTFRC && id == m->actuator_trnid[actuator] &&
                    m->actuator_trntype[actuator] == SAL_TRN_TENDON)) {
            *reading += force;
        }
    }
}

static void finish_force_sensors(sal_result *r, int t)
{
    const sal_model *m = r->model;
    for (int s = 0; s < m->nsensor; s++) {
        double *reading = force_reading(r, t, s);
        if (reading != NULL) {
            const double limit = m->sensor_cutoff[s] > 0 ? m->sensor_cutoff[s] : (double)INFINITY;
            const double force =
                m->sensor_type[s] != SAL_SENS_JOINTACTFRC
                    ? *reading
                    : r->qfrc_actuator[t * m->nv + m->jnt_dofadr[m->sensor_objid[s]]];
            *reading = fmin(fmax(force, -limit), limit);
        }
    }
}

/* The sensors of force and torque that feel the actuators' forces, now that these are known */
static void put_felt(sal_result *r, sal_data *d, int t)
{
    const sal_model *m = r->model;
    bool any = false;
    for (int s = 0; s < m->nsensor; s++) {
        any = any || sal_sensor_feels_actuators(m, s);
    }
    if (!any) {
        return;
    }
    sal_force_sensors(prb_result_model_at(r, t), d);
    for (int s = 0; s < m->nsensor; s++) {
        if (sal_sensor_feels_actuators(m, s)) {
            const int adr = m->sensor_adr[s];
            copy(r->sensordata + t * m->nsensordata + adr, d->sensordata + adr, m->sensor_dim[s]);
        }
    }
}

/* What is left when the actuators have pulled */
static void put_unactuated(sal_result *r, const sal_data *d, int t)
{
    const int nv = r->model->nv;
    for (int i = 0; i < nv; i++) {
        r->qfrc_unactuated[t * nv + i] = d->qfrc_inverse[i] - r->qfrc_actuator[t * nv + i];
    }
}

/* The control of actuator a that leads from its present activation to the next of the motion,
 * within what it takes */
static double control_within(const sal_model *m, const sal_data *d, int a, const double *z)
{
    const int adr = m->actuator_actadr[a];
    const double *range = m->actuator_ctrlrange + 2 * a;
    double u = adr < 0 ? z[a] : sal_activation_control(m, a, d->act[adr], z[m->nu + a], NULL);
    u = m->actuator_ctrllimited[a] ? fmin(fmax(u, range[0]), range[1]) : u;
    return m->actuator_dyntype[a] == SAL_DYN_MUSCLE ? fmin(fmax(u, 0), 1) : u;
}

/* ctrl and act of a driven motion, z_t the activation, or the control of an actuator that has none:
 * as the controls make them, to the last bit, where z is some tolerance beyond a range. From act in
 * d, which is left at the end. */
static void put_drive(sal_result *r, sal_data *d, const double *z)
{
    const sal_model *m = r->model;
    for (int t = 0; t < r->nstep; t++, z += m->nu) {
        copy(r->act + t * m->na, d->act, m->na);
        for (int a = 0; a < m->nu; a++) {
            d->ctrl[a] = control_within(m, d, a, z);
        }
        copy(r->ctrl + t * m->nu, d->ctrl, m->nu);
        sal_actuation(m, d);
        sal_advance_act(m, d, d->act_dot, m->opt.timestep);
    }
    copy(r->act + r->nstep * m->na, d->act, m->na);
}

/* A cycle goes round until its end leads to its beginning. */
static void put_drives(sal_result *r, const sal_motion *motion, const sal_image *image, sal_data *d)
{
    const sal_model *m = r->model;
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_actadr[a] >= 0) {
            d->act[m->actuator_actadr[a]] = motion->z[a];
        }
    }
    put_drive(r, d, motion->z);
    for (int round = 0; round < 2 && image != NULL; round++) {
        const double *end = r->act + r->nstep * m->na;
        for (int a = 0; a < m->nu; a++) {
            const int adr = m->actuator_actadr[a], from = image->actuator_index[a];
            if (adr >= 0) { /* the image is its own inverse */
                d->act[adr] = image->actuator_sign[a] * end[m->actuator_actadr[from]];
            }
        }
        put_drive(r, d, motion->z);
    }
}

/* What the model's own actuators make of that */
static void put_driven(sal_result *r, sal_data *d, int t)
{
    const sal_model *m = r->model;
    copy(d->ctrl, r->ctrl + t * m->nu, m->nu);
    sal_actuation(m, d);
    copy(r->qfrc_actuator + t * m->nv, d->qfrc_actuator, m->nv);
    add_to_force_sensors(r, t, -1, 0);
    for (int a = 0; a < m->nu; a++) {
        add_to_force_sensors(r, t, a, d->actuator_force[a]);
    }
    finish_force_sensors(r, t);
    put_unactuated(r, d, t);
}

/* force = (B B')^-1 B f, ctrl from force, and what is left: unactuated = f - B' force, with B the
 * moment arms */
static void put_actuation(sal_result *r, const prb_actuation_map *map, sal_data *d, int t)
{
    const sal_model *m = r->model;
    const bool disabled = (m->opt.disable & SAL_DSBL_ACTUATION) != 0;
    double *actuated = r->qfrc_actuator + t * m->nv;
    add_to_force_sensors(r, t, -1, 0);
    for (int a = 0; a < m->nu; a++) {
        const int adr = m->moment_rowadr[a];
        double force = 0;
        for (int i = 0; i < m->nv && !disabled; i++) {
            force += map->force[a * m->nv + i] * d->qfrc_inverse[i];
        }
        r->ctrl[t * m->nu + a] = disabled ? 0 : control(m, d, a, &force);
        d->actuator_force[a] = force;
        add_to_force_sensors(r, t, a, force);
        for (int k = adr; k < adr + m->moment_rownnz[a]; k++) {
            actuated[m->moment_colind[k]] += d->actuator_moment[k] * force;
        }
    }
    finish_force_sensors(r, t);
    put_unactuated(r, d, t);
}

/* ---- contacts ---- */

/* |v - n n'v|, v the velocity of geom2's surface at the contact relative to geom1's */
static double slip_speed(const sal_model *m, const sal_data *d, const sal_contact *c)
{
    double v1[3], v2[3], moved[6], n = 0, slip = 0;
    sal_point_velocity(m, d, v1, NULL, c->pos, m->geom_bodyid[c->geom1]);
    sal_point_velocity(m, d, v2, NULL, c->pos, m->geom_bodyid[c->geom2]);
    sal_surface_motion(m, d, c->geom1, c->pos, moved);
    sal_v3_add(v1, v1, moved + 3);
    sal_surface_motion(m, d, c->geom2, c->pos, moved);
    sal_v3_add(v2, v2, moved + 3);
    for (int i = 0; i < 3; i++) {
        v2[i] -= v1[i];
        n += c->frame[i] * v2[i];
    }
    for (int i = 0; i < 3; i++) {
        const double tangential = v2[i] - n * c->frame[i];
        slip += tangential * tangential;
    }
    return sqrt(slip);
}

sal_status prb_result_put_contacts(sal_result *r, const sal_data *d, int t, bool forces,
                                   sal_err *err)
{
    const int K = r->ncontact, needed = K + d->ncon;
    if (needed > r->contact_capacity &&
        prb_result_reserve(r, needed > 2 * K ? needed + 8 * d->ncon : 2 * K, err) != SAL_OK) {
        return SAL_NOMEM;
    }
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        const int k = K + i;
        r->contact_geom[2 * k] = c->geom1;
        r->contact_geom[2 * k + 1] = c->geom2;
        copy(r->contact_pos + 3 * k, c->pos, 3);
        copy(r->contact_frame + 9 * k, c->frame, 9);
        r->contact_dist[k] = c->dist;
        r->contact_slip[k] = slip_speed(r->model, d, c);
        if (forces) {
            sal_contact_force(r->model, d, i, r->contact_force + 6 * k);
        } else {
            clear(r->contact_force + 6 * k, 6);
        }
    }
    r->ncontact = needed;
    r->contact_offset[t + 1] = needed;
    return SAL_OK;
}

/* ---- the motion ---- */

static sal_status put_steps(sal_result *r, sal_data *d, const sal_motion *motion, sal_err *err)
{
    const sal_model *m = r->model;
    prb_actuation_map *map = NULL;
    sal_status status = prb_actuation_map_new(&map, m, err);
    if (status == SAL_OK && map->driven && motion->z != NULL) {
        put_drives(r, motion, r->image, d);
    }
    for (int t = 0; t < r->nstep && status == SAL_OK; t++) {
        copy(d->act, r->act + t * m->na, m->na);
        status = sal_motion_step(prb_result_model_at(r, t), d, motion->q + t * m->nq, err);
        if (status == SAL_OK) {
            prb_result_put_state(r, d, t);
            prb_result_put_forces(r, d, t);
            if (map->driven) {
                put_driven(r, d, t);
            } else {
                put_actuation(r, map, d, t);
            }
            put_felt(r, d, t);
            prb_result_clear_sensors(r, t, true);
            status = prb_result_put_contacts(r, d, t, true, err);
        }
    }
    prb_actuation_map_free(map);
    return status;
}

/* q_N: it has a velocity and activations, but no neighbour after it that would ask for a force. */
static sal_status put_last(sal_result *r, sal_data *d, const sal_motion *motion, sal_err *err)
{
    const sal_model *m = r->model;
    const int N = r->nstep;
    const double *q = motion->q;
    copy(d->act, r->act + N * m->na, m->na);
    copy(d->qpos, q + (N + 1) * m->nq, m->nq);
    sal_motion_velocity(m, d->qvel, q + N * m->nq, q + (N + 1) * m->nq);
    const sal_status status = sal_position(m, d, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_velocity(m, d);
    prb_result_put_state(r, d, N);
    prb_result_clear_forces(r, N);
    prb_result_clear_sensors(r, N, false);
    return prb_result_put_contacts(r, d, N, false, err);
}

/* ---- what the whole amounts to ---- */

bool prb_result_dof_turns(const sal_model *m, int dof)
{
    const int j = m->dof_jntid[dof], type = m->jnt_type[j];
    return type == SAL_JNT_HINGE || type == SAL_JNT_BALL ||
           (type == SAL_JNT_FREE && dof >= m->jnt_dofadr[j] + 3);
}

void prb_result_find_extremes(sal_result *r)
{
    const sal_model *m = r->model;
    r->force = r->torque = (prb_extreme){0, -1, 0};
    for (int t = 0; t < r->nstep; t++) {
        for (int i = 0; i < m->nv; i++) {
            prb_extreme *extreme = prb_result_dof_turns(m, i) ? &r->torque : &r->force;
            const double f = fabs(r->qfrc_unactuated[t * m->nv + i]);
            if (f > extreme->max || (extreme->dof < 0 && isfinite(f))) {
                *extreme = (prb_extreme){f, i, r->time[t]};
            }
        }
    }
    r->weight = prb_weight(m);
    r->relative_to_weight = fmax(r->force.max, r->torque.max) / fmax(r->weight, DBL_MIN);
}

/* max(1e-10, 100 eps max|q| / (9.81 h^2)): what double precision can resolve of an acceleration, in
 * weights */
static double resolution(const sal_result *r)
{
    double largest = 0;
    for (int i = 0; i < (r->nstep + 1) * r->model->nq; i++) {
        largest = fmax(largest, fabs(r->qpos[i]));
    }
    return fmax(1e-10, 100 * DBL_EPSILON * largest / (9.81 * r->timestep * r->timestep));
}

/* ---- what the result is about ---- */

/* The displacement of the travelling joint in world axes: a free joint's own, a slide's along its
 * axis; of an arc its chord. */
static void travel_vector(sal_result *r, const sal_data *d, double length)
{
    const sal_model *m = r->model;
    r->image->arc = length;
    for (int j = 0; j < m->njnt; j++) {
        const double *along = r->image->travel + m->jnt_qposadr[j];
        if (j == r->image->turning) {
            const double *from = r->qpos + m->jnt_qposadr[j], *to = from + r->nstep * m->nq;
            sal_v3_set(r->travel, to[0] - from[0], to[1] - from[1], 0);
        } else if (m->jnt_type[j] == SAL_JNT_FREE) {
            sal_v3_addscaled(r->travel, r->travel, length, along);
        } else if (m->jnt_type[j] == SAL_JNT_SLIDE) {
            sal_v3_addscaled(r->travel, r->travel, length * along[0], d->xaxis + 3 * j);
        }
    }
}

static sal_status copy_image(sal_result *r, const sal_image *image, sal_err *err)
{
    const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv, nu = (size_t)r->model->nu;
    const sal_status status = sal_image_new(&r->image, r->model, err);
    if (status == SAL_OK) {
        memcpy(r->image->qpos_index, image->qpos_index, nq * sizeof(int));
        memcpy(r->image->dof_index, image->dof_index, nv * sizeof(int));
        copy(r->image->qpos_sign, image->qpos_sign, r->model->nq);
        copy(r->image->dof_sign, image->dof_sign, r->model->nv);
        copy(r->image->travel, image->travel, r->model->nq);
        copy(r->image->travel_dof, image->travel_dof, r->model->nv);
        memcpy(r->image->actuator_index, image->actuator_index, nu * sizeof(int));
        copy(r->image->actuator_sign, image->actuator_sign, r->model->nu);
        r->image->mirrored = image->mirrored;
        r->image->turning = image->turning;
        r->image->turn = image->turn;
        memcpy(r->image->place, image->place, sizeof r->image->place);
    }
    return status;
}

/* Whoever opens the file elsewhere has to know what it does not say. */
static void warn_of_contact_model(sal_text *text, const sal_model *m)
{
    if (m->opt.contact.model != SAL_CONTACT_SOFT) {
        sal_text_format(text,
                        "<!-- This motion has the contact model %s of saltus, which MJCF cannot "
                        "say: in MuJoCo, whose contacts are soft, it is another motion. -->\n",
                        sal_contact_model_name(m->opt.contact.model));
    }
}

static sal_status write_text(char **xml, const sal_model *m, sal_err *err)
{
    sal_text text = {0};
    warn_of_contact_model(&text, m);
    sal_status status = sal_model_write(m, &text, err);
    if (status == SAL_OK && (text.failed || text.data == NULL)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the text of the model");
    }
    if (status != SAL_OK) {
        sal_text_clear(&text);
        return status;
    }
    *xml = text.data;
    return SAL_OK;
}

sal_status prb_result_describe_model(sal_result *r, sal_err *err)
{
    snprintf(r->version, sizeof r->version, "%.30s", sal_version());
    snprintf(r->git, sizeof r->git, "%.46s", sal_version_commit());
    r->contact = r->model->opt.contact;
    return write_text(&r->model_xml, r->model, err);
}

/* Which steps of the motion are soft, if there are any, and with which model. */
static sal_status copy_softer(sal_result *r, const sal_motion *motion, sal_err *err)
{
    if (motion->soft == NULL) {
        return SAL_OK;
    }
    r->soft = sal_alloc((size_t)r->nstep + 1, sizeof *r->soft);
    if (r->soft == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d steps", r->nstep);
    }
    for (int t = 0; t < r->nstep; t++) {
        r->soft[t] = motion->soft[t];
    }
    const sal_status status = sal_model_copy(&r->softer, motion->softer, err);
    return status == SAL_OK ? write_text(&r->softer_xml, r->softer, err) : status;
}

/* The poses of the recording at the steps, if the search began with one. */
static sal_status copy_recorded(sal_result *r, const sal_problem *p, sal_err *err)
{
    const sal_model *m = r->model;
    if (p->recorded == NULL) {
        return SAL_OK;
    }
    const size_t rows = (size_t)r->nstep + 1;
    double *scratch = sal_alloc(4 * (size_t)m->nv, sizeof *scratch);
    r->qpos_recorded = sal_alloc(rows * (size_t)m->nq, sizeof *r->qpos_recorded);
    for (int t = 0; t <= r->nstep && scratch != NULL && r->qpos_recorded != NULL; t++) {
        prb_states_at(p->recorded, m, (double)t / r->nstep, r->qpos_recorded + t * m->nq, NULL,
                      scratch);
    }
    const bool memory = scratch != NULL && r->qpos_recorded != NULL;
    sal_free(scratch);
    return memory ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory for the poses of a recording");
}

static sal_status copy_path(char **copy, const char *path, sal_err *err)
{
    const bool known = *copy != NULL || path == NULL;
    return known ? SAL_OK : prb_result_text(copy, path, strlen(path), err);
}

sal_status prb_result_places(sal_result *r, const sal_problem *p, sal_err *err)
{
    const sal_status status = copy_path(&r->problem_path, p->path, err);
    return status == SAL_OK ? copy_path(&r->model_path, p->model_path, err) : status;
}

static sal_status describe(sal_result *r, const sal_problem *p, sal_err *err)
{
    const char *name = p->name == NULL ? "" : p->name;
    const char *xml = p->problem_xml == NULL ? "" : p->problem_xml;
    snprintf(r->status, sizeof r->status, "evaluated");
    r->seed = p->seed;
    r->mujoco = p->mujoco;
    r->contact_table = p->contact_table;
    r->boundary = p->boundary;
    r->recording_start = p->recording_start;
    memcpy(r->sha256_problem, p->sha256_problem, sizeof r->sha256_problem);
    memcpy(r->sha256_model, p->sha256_model, sizeof r->sha256_model);
    sal_status status = prb_result_text(&r->problem_name, name, strlen(name), err);
    status = status == SAL_OK ? prb_result_text(&r->problem_xml, xml, strlen(xml), err) : status;
    status = status == SAL_OK ? prb_result_places(r, p, err) : status;
    status = status == SAL_OK ? prb_result_describe_model(r, err) : status;
    const bool images = p->boundary == PRB_CYCLE && p->image != NULL;
    return status == SAL_OK && images ? copy_image(r, p->image, err) : status;
}

sal_status sal_result_evaluate(sal_result **result, const sal_problem *p, const sal_model *model,
                               const sal_motion *motion, double travel, sal_err *err)
{
    sal_result *r = NULL;
    sal_model *own = NULL;
    sal_data *d = NULL;
    *result = NULL;
    sal_status status = sal_model_copy(&own, model, err);
    status = status == SAL_OK ? prb_result_new(&r, own, p->nstep, err) : status;
    status = status == SAL_OK ? sal_data_new(&d, model, err) : status;
    status = status == SAL_OK ? describe(r, p, err) : status;
    if (status == SAL_OK) {
        r->timestep = model->opt.timestep;
        copy(r->qpos_before, motion->q, model->nq);
        status = copy_softer(r, motion, err);
        status = status == SAL_OK ? copy_recorded(r, p, err) : status;
    }
    if (status == SAL_OK) {
        status = put_steps(r, d, motion, err);
    }
    status = status == SAL_OK ? put_last(r, d, motion, err) : status;
    if (status == SAL_OK) {
        if (r->image != NULL) {
            travel_vector(r, d, travel);
        }
        prb_result_find_extremes(r);
        r->physical_tolerance = resolution(r);
        *result = r;
        r = NULL;
    }
    sal_data_free(d);
    sal_result_free(r);
    return status;
}
