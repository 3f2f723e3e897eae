/* gait.c: a motion over its whole cycle, and what it amounts to. Where a result holds the half of a
 * mirrored cycle, the other half is its image: component i of it is dof_sign_i times component
 * dof_index_i of the first. */
#include "problems/result/gait.h"

#include "problems/result/diagnose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool prb_result_is_physical(const sal_result *r)
{
    return sal_result_violation(r) <= 1;
}

/* ---- left and right ---- */

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Not in the middle of another word: upright is not right, RearRight is. */
const char *prb_gait_word(const char *name, const char *word)
{
    const size_t n = strlen(word);
    for (const char *s = name; *s != 0; s++) {
        const bool inside = s > name && is_small(s[-1]) && is_small(s[0]);
        if (!inside && strncasecmp(s, word, n) == 0) {
            return s;
        }
    }
    return NULL;
}

static int side_of_letter(char c)
{
    return c == 'l' || c == 'L' ? 1 : c == 'r' || c == 'R' ? -1 : 0;
}

/* left and right anywhere; l_ and r_ in front; _l and _r behind */
static int side_of_name(const char *name)
{
    const size_t n = strlen(name);
    const bool left = prb_gait_word(name, "left") != NULL,
               right = prb_gait_word(name, "right") != NULL;
    if (left != right) {
        return left ? 1 : -1;
    }
    const int front = n > 2 && name[1] == '_' ? side_of_letter(name[0]) : 0;
    return front != 0 || n <= 2 || name[n - 2] != '_' ? front : side_of_letter(name[n - 1]);
}

int prb_gait_side(const sal_model *m, sal_object type, int id)
{
    const int side = side_of_name(sal_model_name(m, type, id));
    if (side != 0 || (type != SAL_OBJ_GEOM && type != SAL_OBJ_BODY)) {
        return side;
    }
    const int body = type == SAL_OBJ_GEOM ? m->geom_bodyid[id] : m->body_parentid[id];
    return body > 0 ? prb_gait_side(m, SAL_OBJ_BODY, body) : 0;
}

/* ---- the cycle ---- */

static void unroll_positions(prb_gait *g)
{
    const sal_result *r = g->r;
    const int nq = r->model->nq, N = r->nstep;
    for (int t = 0; t <= g->n; t++) {
        g->time[t] = t * r->timestep;
        if (t <= N) {
            memcpy(g->qpos + t * nq, r->qpos + t * nq, (size_t)nq * sizeof(double));
        } else {
            sal_image_apply(r->image, r->model, g->qpos + t * nq, r->qpos + (t - N) * nq,
                            g->length);
        }
    }
}

/* ctrl of the image: of the actuator's partner. */
static void unroll_control(prb_gait *g)
{
    const sal_result *r = g->r;
    const sal_model *m = r->model;
    const size_t half = (size_t)r->nstep * (size_t)m->nu;
    memcpy(g->ctrl, r->ctrl, half * sizeof(double));
    for (int t = 0; t < r->nstep && g->n > r->nstep; t++) {
        for (int a = 0; a < m->nu; a++) {
            g->ctrl[half + (size_t)(t * m->nu + a)] =
                r->image->actuator_sign[a] * r->ctrl[t * m->nu + r->image->actuator_index[a]];
        }
    }
}

/* The body whose image this body's motion is. */
static int partner(const prb_gait *g, int body)
{
    const sal_model *m = g->r->model;
    return m->body_dofnum[body] > 0 ? m->dof_bodyid[g->r->image->dof_index[m->body_dofadr[body]]]
                                    : body;
}

/* Normal force on each moving body [nbody x nstep], and from what does not move [nstep]. */
static void sum_contacts(const prb_gait *g, double *on_body)
{
    const sal_result *r = g->r;
    const sal_model *m = r->model;
    for (int t = 0; t < r->nstep; t++) {
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            const int body1 = m->body_weldid[m->geom_bodyid[r->contact_geom[2 * k]]],
                      body2 = m->body_weldid[m->geom_bodyid[r->contact_geom[2 * k + 1]]];
            const double force = r->contact_force[6 * k];
            on_body[body1 * r->nstep + t] += force;
            on_body[body2 * r->nstep + t] += body1 != body2 ? force : 0;
            g->load[t] += body1 == 0 || body2 == 0 ? force : 0;
        }
    }
}

static bool touches(const double *normal, int n, double threshold)
{
    for (int t = 0; t < n; t++) {
        if (normal[t] > threshold) {
            return true;
        }
    }
    return false;
}

/* Makes a group of a body that touches; own and other [nstep] are the forces in the two halves of
 * the cycle. */
static bool add_group(prb_gait *g, int body, const double *own, const double *other)
{
    const int N = g->r->nstep;
    prb_group *group = g->group + g->ngroup;
    group->normal = sal_alloc((size_t)g->n, sizeof(double));
    if (group->normal == NULL) {
        return false;
    }
    group->body = body;
    prb_object_word(group->name, g->r->model, SAL_OBJ_BODY, body);
    for (int t = 0; t < g->n; t++) {
        group->normal[t] = t < N ? own[t] : other[t - N];
    }
    g->ngroup++;
    return true;
}

static bool make_groups(prb_gait *g, double *on_body)
{
    const sal_model *m = g->r->model;
    const int N = g->r->nstep;
    const double threshold = 1e-3 * g->r->weight;
    sum_contacts(g, on_body);
    for (int b = 1; b < m->nbody; b++) {
        const double *own = on_body + b * N, *other = on_body + (g->n > N ? partner(g, b) : b) * N;
        if (m->body_weldid[b] == b &&
            (touches(own, N, threshold) || touches(other, N, threshold)) &&
            !add_group(g, b, own, other)) {
            return false;
        }
    }
    for (int t = N; t < g->n; t++) {
        g->load[t] = g->load[t - N];
    }
    return true;
}

/* ---- key figures ---- */

/* The horizontal axis along which bodies move most. */
static void widest_axis(const sal_result *r, double axis[3])
{
    double span[2] = {0};
    for (int b = 1; b < r->model->nbody; b++) {
        for (int k = 0; k < 2; k++) {
            double lo = (double)INFINITY, hi = -(double)INFINITY;
            for (int t = 0; t <= r->nstep; t++) {
                const double x = r->xpos[(t * r->model->nbody + b) * 3 + k];
                lo = fmin(lo, x);
                hi = fmax(hi, x);
            }
            span[k] = fmax(span[k], hi - lo);
        }
    }
    const bool along_y = span[1] > span[0] * (1 + 1e-9);
    axis[0] = !along_y, axis[1] = along_y, axis[2] = 0;
}

static void measure_travel(prb_gait *g)
{
    const sal_result *r = g->r;
    const double length = hypot(r->travel[0], r->travel[1]);
    widest_axis(r, g->ahead);
    g->speed = (double)NAN;
    if (length > 0) {
        g->ahead[0] = r->travel[0] / length, g->ahead[1] = r->travel[1] / length;
        g->speed = length / (r->nstep * r->timestep);
    }
}

/* Depth, and speed of sliding: its mean weighted by normal force, its largest under a tenth of the
 * weight or more. */
static void measure_contacts(prb_gait *g)
{
    const sal_result *r = g->r;
    double sum = 0, weighted = 0;
    g->penetration = g->slip = g->peak_slip = g->peak_load = g->flight = (double)NAN;
    for (int k = 0; k < r->ncontact; k++) {
        const double force = r->contact_force[6 * k], depth = -r->contact_dist[k];
        g->penetration = depth > g->penetration || isnan(g->penetration) ? depth : g->penetration;
        if (force > 0) {
            sum += force;
            weighted += force * r->contact_slip[k];
        }
        if (force >= 0.1 * r->weight) {
            g->peak_slip = fmax(g->peak_slip, r->contact_slip[k]);
        }
    }
    g->slip = sum > 0 ? weighted / sum : g->slip;
    double load = 0;
    for (int t = 0; t < r->nstep; t++) {
        load = fmax(load, g->load[t]);
    }
    if (load > 0) { /* it stands on something that does not move */
        int airborne = 0;
        for (int t = 0; t < r->nstep; t++) {
            g->peak_load = fmax(g->peak_load, g->load[t] / r->weight);
            airborne += g->load[t] < 0.01 * r->weight;
        }
        g->flight = prb_is_free(r->model) ? (double)airborne / r->nstep : g->flight;
    }
}

/* Mean of sum |force x velocity| of the actuators; per weight and speed it is the mechanical cost
 * of transport. The velocity during a step is taken as the mean of its ends. */
static void measure_power(prb_gait *g)
{
    const sal_result *r = g->r;
    const int nv = r->model->nv;
    double power = 0;
    for (int t = 0; t < r->nstep; t++) {
        for (int i = 0; i < nv; i++) {
            const double v = 0.5 * (r->qvel[t * nv + i] + r->qvel[(t + 1) * nv + i]);
            power += fabs(r->qfrc_actuator[t * nv + i] * v);
        }
    }
    g->power = power / r->nstep;
    g->transport = g->power / (r->weight * g->speed);
}

/* ---- memory ---- */

static bool fill(prb_gait *g)
{
    const sal_model *m = g->r->model;
    const size_t n = (size_t)g->n, nbody = (size_t)m->nbody;
    double *on_body = sal_alloc(nbody * (size_t)g->r->nstep, sizeof(double));
    bool good = on_body != NULL;
    g->time = sal_alloc(n + 1, sizeof(double));
    g->qpos = sal_alloc((n + 1) * (size_t)m->nq, sizeof(double));
    g->ctrl = sal_alloc(n * (size_t)m->nu, sizeof(double));
    g->load = sal_alloc(n, sizeof(double));
    g->group = sal_alloc(nbody, sizeof(prb_group));
    if (good && g->time != NULL && g->qpos != NULL && g->ctrl != NULL && g->load != NULL &&
        g->group != NULL) {
        unroll_positions(g);
        unroll_control(g);
        good = make_groups(g, on_body);
        measure_travel(g);
        measure_contacts(g);
        measure_power(g);
        good = good && prb_gait_stance(g);
    } else {
        good = false;
    }
    sal_free(on_body);
    return good;
}

sal_status prb_gait_new(prb_gait **gait, const sal_result *r, sal_err *err)
{
    const bool mirrored = r->image != NULL && r->image->mirrored;
    prb_gait *g = sal_alloc(1, sizeof *g);
    *gait = NULL;
    if (g != NULL) {
        g->r = r;
        g->n = r->nstep * (mirrored ? 2 : 1);
        g->period = g->n * r->timestep;
        g->length = prb_result_length(r);
    }
    if (g == NULL || !fill(g)) {
        prb_gait_free(g);
        return sal_fail(err, SAL_NOMEM, "out of memory for a page");
    }
    *gait = g;
    return SAL_OK;
}

void prb_gait_free(prb_gait *g)
{
    if (g != NULL) {
        for (int k = 0; k < g->ngroup; k++) {
            sal_free(g->group[k].normal);
        }
        sal_free(g->group);
        sal_free(g->time);
        sal_free(g->qpos);
        sal_free(g->ctrl);
        sal_free(g->load);
        sal_free(g);
    }
}
