/* fit.c: lengths and places of markers, and the poses of all frames, together:
 *
 *     min  w sum_frames { sum_markers norm((x(q, p) - measured)/sigma) + 1/2 |q/far|^2 } + priors
 *
 * p: the logarithm of the person's size, those of how much more each length is than that, and how
 * far each marker is from where it is on the generic person so grown. Frames repeat the same errors
 * of skin and placement, so that many of them are worth no more than SOME: w = SOME/frames.
 */
#include "people/person.h"

#include "base/house.h"
#include "optim/optim.h"

#include <math.h>
#include <string.h>

enum { SOME = 20, SIZE = 0, DEV = 1, FREE = 1 + PPL_NLENGTH };

static const double sigma = .01; /* m */
static const sal_norm norm = {SAL_NORM_HUBER, 2, 0};
static const double far_joint = 1.5, far_toes = .1; /* rad */

/* How far lengths may be from those of a person of this size: logarithm. */
static const double spread[PPL_NLENGTH] = {
    [PPL_OF_PELVIS] = .08,    [PPL_OF_HIPS] = .06,      [PPL_OF_TRUNK] = .06,
    [PPL_OF_SHOULDERS] = .08, [PPL_OF_UPPER_ARM] = .06, [PPL_OF_LOWER_ARM] = .06,
    [PPL_OF_THIGH] = .05,     [PPL_OF_SHANK] = .05,     [PPL_OF_FOOT] = .1,
};

typedef struct fit {
    ppl_person *person;
    const ppl_trials *trials;
    sal_model *m;
    sal_data *d;
    int nshared;
    double weight;
    /* a frame that is fitted for itself, the person being what he or she is; -1: all are */
    int alone;
    /* of every body, but the world: what it is */
    ppl_segment *segment;
    ppl_side *side;
    /* [nmarker] of the model */
    int *site;
    /* [nv] 1/far of the pose; 0: free */
    double *stiff;
    /* [3 x nv], [3 x nshared]; [nv], [nv x nv] */
    double *J, *G, *r, *K;
} fit;

/* ---- the person at p ---- */

static void grow(fit *f, const double *p)
{
    ppl_person *person = f->person;
    for (int k = 0; k < PPL_NLENGTH; k++) {
        person->scale[k] = exp(p[SIZE] + p[DEV + k]);
    }
    for (int b = 2; b < f->m->nbody; b++) {
        ppl_bone_place(person, f->segment[b], f->side[b], f->m->body_pos + 3 * b);
    }
    for (int i = 0; i < person->nmarker; i++) {
        ppl_marker_place(person, person->marker + i, person->marker[i].pos);
        for (int k = 0; k < 3; k++) {
            person->marker[i].pos[k] += p[FREE + 3 * i + k];
        }
        sal_v3_copy(f->m->site_pos + 3 * f->site[i], person->marker[i].pos);
    }
}

static void pose(const fit *f, const double *q)
{
    memcpy(f->d->qpos, q, (size_t)f->m->nq * sizeof *q);
    sal_kinematics(f->m, f->d);
    sal_com(f->m, f->d);
}

/* ---- residuals ---- */

/* x = x_root + sum over bodies c on the way  R_parent pos_c + R_b pos;  pos = scale generic + d.
 * Rows of G by size, lengths and d. */
static void slopes_by_person(const fit *f, int marker)
{
    const sal_model *m = f->m;
    const ppl_marker *mk = f->person->marker + marker;
    const int n = f->nshared;
    double grown[3];
    memset(f->G, 0, (size_t)(3 * n) * sizeof *f->G);
    ppl_marker_place(f->person, mk, grown);
    for (int b = m->site_bodyid[f->site[marker]], own = 1; own || m->body_parentid[b] != 0;) {
        const int frame = own ? b : m->body_parentid[b];
        const double *R = f->d->xmat + 9 * frame, *pos = own ? grown : m->body_pos + 3 * b;
        const ppl_bone *bone = ppl_bone_of(f->segment[b]);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                const double slope = R[3 * i + k] / sigma;
                f->G[i * n + SIZE] += slope * pos[k];
                f->G[i * n + DEV + (int)(own ? bone->grows : bone->reach)[k]] += slope * pos[k];
                f->G[i * n + FREE + 3 * marker + k] += own ? slope : 0;
            }
        }
        b = own ? b : m->body_parentid[b];
        own = 0;
    }
}

/* The cost of a frame, or with `a` also its linearisation. */
static double frame(const fit *f, int t, const double *q, sal_normal *a)
{
    static const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};
    const sal_model *m = f->m;
    const double *seen = f->trials->place + (size_t)t * 3 * (size_t)f->person->nmarker;
    double cost = 0;
    pose(f, q);
    for (int i = 0; i < f->person->nmarker; i++, seen += 3) {
        double r[3];
        if (!isfinite(seen[0])) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            r[k] = (f->d->site_xpos[3 * f->site[i] + k] - seen[k]) / sigma;
        }
        cost += f->weight * sal_norm_value(&norm, r, 3);
        if (a != NULL) {
            const bool shares = f->alone < 0;
            sal_jac_site(m, f->d, f->J, NULL, f->site[i]);
            for (int k = 0; k < 3 * m->nv; k++) {
                f->J[k] /= sigma;
            }
            if (shares) {
                slopes_by_person(f, i);
            }
            sal_normal_add(a, &norm, f->weight, 3, r,
                           &(sal_slopes){f->J, 0, 1, shares ? f->G : NULL});
        }
    }
    sal_differentiate_pos(m, f->r, 1, m->qpos0, q);
    for (int i = 0; i < m->nv; i++) {
        f->r[i] *= f->stiff[i];
    }
    cost += sal_norm_value(&quadratic, f->r, m->nv);
    if (a != NULL) {
        sal_normal_add(a, &quadratic, 1, m->nv, f->r, &(sal_slopes){f->K, 0, 1, NULL});
    }
    return cost;
}

static void retract(void *ctx, int member, double *out, const double *x, const double *d)
{
    (void)member;
    sal_integrate_pos(((const fit *)ctx)->m, out, x, d, 1);
}

static sal_status value(void *ctx, int worker, int member, const double *x, const double *p,
                        double *cost, sal_err *err)
{
    (void)worker, (void)err;
    fit *f = ctx;
    if (f->alone < 0) {
        grow(f, p);
    }
    *cost = frame(f, f->alone < 0 ? member : f->alone, x, NULL);
    return SAL_OK;
}

static sal_status linearise(void *ctx, int worker, int member, const double *x, const double *p,
                            sal_normal *a, sal_err *err)
{
    (void)worker, (void)err;
    fit *f = ctx;
    if (f->alone < 0) {
        grow(f, p);
    }
    frame(f, f->alone < 0 ? member : f->alone, x, a);
    return SAL_OK;
}

/* ---- where it begins ---- */

/* The straight pose, turned about the vertical and moved to the markers: the angle
 * atan2(sum a x b, sum a . b) of places a on the person and b seen, about their means. */
static void place_root(const fit *f, int t, double *q)
{
    const double *seen = f->trials->place + (size_t)t * 3 * (size_t)f->person->nmarker;
    double mean[6] = {0}, dot = 0, cross = 0;
    int n = 0;
    memcpy(q, f->m->qpos0, (size_t)f->m->nq * sizeof *q);
    pose(f, q);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < f->person->nmarker; i++) {
            const double *is = f->d->site_xpos + 3 * f->site[i], *was = seen + 3 * i;
            for (int k = 0; k < 3 && pass == 0 && isfinite(was[0]); k++) {
                mean[k] += is[k], mean[3 + k] += was[k];
            }
            if (isfinite(was[0]) && pass == 1) {
                const double a[2] = {is[0] - mean[0], is[1] - mean[1]},
                             b[2] = {was[0] - mean[3], was[1] - mean[4]};
                dot += a[0] * b[0] + a[1] * b[1];
                cross += a[0] * b[1] - a[1] * b[0];
            }
            n += pass == 0 && isfinite(was[0]);
        }
        for (int k = 0; k < 6 && pass == 0 && n > 0; k++) {
            mean[k] /= n;
        }
    }
    const double angle = atan2(cross, dot), up[3] = {0, 0, 1};
    double arm[3];
    sal_quat_axisangle(q + 3, up, angle);
    sal_v3_sub(arm, f->m->qpos0, mean);
    sal_quat_rotate(q, q + 3, arm);
    sal_v3_add(q, q, mean + 3);
}

/* ---- memory ---- */

static int find_site(const fit *f, const ppl_marker *marker)
{
    return sal_model_find(f->m, SAL_OBJ_SITE, marker->name);
}

static void name_bodies(fit *f)
{
    for (int s = 0; s < PPL_NSEGMENT; s++) {
        for (int side = 0; side < 3; side++) {
            char name[32];
            ppl_segment_name(name, (ppl_segment)s, (ppl_side)side);
            const int body = sal_model_find(f->m, SAL_OBJ_BODY, name);
            if (body > 0) {
                f->segment[body] = (ppl_segment)s;
                f->side[body] = (ppl_side)side;
            }
        }
    }
    for (int i = 0; i < f->person->nmarker; i++) {
        f->site[i] = find_site(f, f->person->marker + i);
    }
}

/* Nothing shows how toes bend that have no marker. */
static void hold_poses(fit *f)
{
    const int nv = f->m->nv;
    for (int i = 6; i < nv; i++) {
        const int body = f->m->dof_bodyid[i];
        bool seen = f->segment[body] != PPL_TOES;
        for (int k = 0; k < f->person->nmarker && !seen; k++) {
            seen = f->m->site_bodyid[f->site[k]] == body;
        }
        f->stiff[i] = seen ? sqrt(f->weight) / far_joint : 1 / far_toes;
        f->K[i * nv + i] = f->stiff[i];
    }
}

static sal_status prepare(fit *f, sal_err *err)
{
    for (int i = 0; i < f->person->nmarker; i++) {
        ppl_marker_place(f->person, f->person->marker + i, f->person->marker[i].pos);
    }
    sal_status status = ppl_compile(&f->m, f->person, err);
    status = status == SAL_OK ? sal_data_new(&f->d, f->m, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    const size_t nv = (size_t)f->m->nv, nbody = (size_t)f->m->nbody;
    f->nshared = FREE + 3 * f->person->nmarker;
    f->weight = f->trials->nframe > SOME ? (double)SOME / f->trials->nframe : 1;
    f->segment = sal_alloc(nbody, sizeof *f->segment);
    f->side = sal_alloc(nbody, sizeof *f->side);
    f->site = sal_alloc((size_t)f->person->nmarker, sizeof *f->site);
    f->J = sal_alloc(3 * nv, sizeof *f->J);
    f->G = sal_alloc(3 * (size_t)f->nshared, sizeof *f->G);
    f->r = sal_alloc(nv, sizeof *f->r);
    f->K = sal_alloc(nv * nv, sizeof *f->K);
    f->stiff = sal_alloc(nv, sizeof *f->stiff);
    if (f->segment == NULL || f->side == NULL || f->site == NULL || f->J == NULL || f->G == NULL ||
        f->r == NULL || f->K == NULL || f->stiff == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d markers", f->person->nmarker);
    }
    name_bodies(f);
    hold_poses(f);
    return SAL_OK;
}

static void clear(fit *f)
{
    sal_data_free(f->d);
    sal_model_free(f->m);
    sal_free(f->segment);
    sal_free(f->side);
    sal_free(f->site);
    sal_free(f->J);
    sal_free(f->G);
    sal_free(f->r);
    sal_free(f->K);
    sal_free(f->stiff);
}

/* ---- the search ---- */

static double cost_of_frame(void *ctx, int t, const double *x)
{
    return frame(ctx, t, x, NULL);
}

static sal_status search_frame(void *ctx, int t, double *x, sal_err *err)
{
    fit *f = ctx;
    const sal_member member = {f->m->nq, 1, f->m->nv, 0};
    const sal_joint_nls nls = {.ctx = f,
                               .nmember = 1,
                               .member = &member,
                               .retract = retract,
                               .value = value,
                               .linearise = linearise};
    sal_joint *joint = NULL;
    sal_joint_stage stage;
    sal_joint_result result;
    double none = 0;
    sal_joint_stage_defaults(&stage);
    stage.maxiter = 60;
    stage.tolerance = 1e-6;
    stage.cap_x = .3;
    f->alone = t;
    sal_status status = sal_joint_new(&joint, &nls, 1, err);
    status = status == SAL_OK ? sal_joint_minimise(joint, x, &none, &stage, &result, err) : status;
    sal_joint_free(joint);
    f->alone = -1;
    return status;
}

/* Poses first, then lengths, then all; frames that are caught in a minimum of their own (an arm the
 * wrong way round) begin anew at a neighbour's pose in between. */
static sal_status stages(fit *f, sal_joint *joint, double *x, double *p, double height,
                         sal_err *err)
{
    const size_t n = (size_t)f->nshared;
    double *mean = sal_alloc(2 * n, sizeof *mean), *weight = mean == NULL ? NULL : mean + n;
    unsigned char *held = sal_alloc(n, 1);
    sal_status status = mean == NULL || held == NULL
                            ? sal_fail(err, SAL_NOMEM, "out of memory for %d numbers", (int)n)
                            : SAL_OK;
    for (int i = 0; i < f->nshared && status == SAL_OK; i++) {
        const double own = i == SIZE  ? (height > 0 ? .01 : .1)
                           : i < FREE ? spread[i - DEV]
                                      : f->person->marker[(i - FREE) / 3].at.sigma;
        weight[i] = 1 / (own * own);
    }
    if (status == SAL_OK) {
        p[SIZE] = mean[SIZE] = height > 0 ? log(height / PPL_STATURE) : 0;
    }
    for (int k = 0; k < 3 && status == SAL_OK; k++) {
        sal_joint_result result;
        sal_joint_stage stage;
        sal_joint_stage_defaults(&stage);
        stage.maxiter = k == 0 ? 60 : 40;
        stage.tolerance = 1e-6;
        stage.held = held;
        stage.mean = mean;
        stage.weight = weight;
        stage.cap_x = .3;
        for (int i = 0; i < f->nshared; i++) {
            held[i] = k == 0 || (k == 1 && i >= FREE);
        }
        bool better;
        const sal_row row = {f, f->trials->nframe, (size_t)f->m->nq,
                             x, cost_of_frame,     search_frame};
        status = sal_joint_minimise(joint, x, p, &stage, &result, err);
        grow(f, p);
        status = status == SAL_OK && k < 2 ? sal_row_mend(&row, &better, err) : status;
    }
    sal_free(mean);
    sal_free(held);
    return status;
}

static sal_status search(fit *f, double *x, double *p, double height, sal_err *err)
{
    const size_t n = (size_t)f->trials->nframe;
    sal_member *member = sal_alloc(n, sizeof *member);
    if (member == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d frames", (int)n);
    }
    for (size_t i = 0; i < n; i++) {
        member[i] = (sal_member){f->m->nq, 1, f->m->nv, 0};
    }
    const sal_joint_nls nls = {.ctx = f,
                               .nmember = (int)n,
                               .member = member,
                               .nshared = f->nshared,
                               .retract = retract,
                               .value = value,
                               .linearise = linearise};
    sal_joint *joint = NULL;
    sal_status status = sal_joint_new(&joint, &nls, 1, err);
    status = status == SAL_OK ? stages(f, joint, x, p, height, err) : status;
    sal_joint_free(joint);
    sal_free(member);
    return status;
}

/* Errors of each marker, and of all. */
static void judge(const fit *f, const double *x)
{
    ppl_person *p = f->person;
    double all = 0;
    int n = 0;
    for (int t = 0; t < f->trials->nframe; t++) {
        const double *seen = f->trials->place + (size_t)t * 3 * (size_t)p->nmarker;
        pose(f, x + (size_t)t * (size_t)f->m->nq);
        for (int i = 0; i < p->nmarker; i++) {
            double off[3];
            sal_v3_sub(off, f->d->site_xpos + 3 * f->site[i], seen + 3 * i);
            const double square = sal_v3_dot(off, off);
            p->marker[i].rms += isfinite(square) ? square : 0;
        }
    }
    for (int i = 0; i < p->nmarker; i++) {
        all += p->marker[i].rms;
        n += p->marker[i].seen;
        p->marker[i].rms = p->marker[i].seen > 0 ? sqrt(p->marker[i].rms / p->marker[i].seen) : 0;
    }
    p->rms = n > 0 ? sqrt(all / n) : 0;
    p->nframe = f->trials->nframe;
}

sal_status ppl_fit(ppl_person *person, const ppl_trials *trials, double height, double **x,
                   sal_err *err)
{
    fit f = {.person = person, .trials = trials, .alone = -1};
    double *p = NULL;
    sal_status status = prepare(&f, err);
    if (status == SAL_OK) {
        p = sal_alloc((size_t)f.nshared, sizeof *p);
        *x = sal_alloc((size_t)trials->nframe * (size_t)f.m->nq, sizeof **x);
        status = p == NULL || *x == NULL
                     ? sal_fail(err, SAL_NOMEM, "out of memory for %d frames", trials->nframe)
                     : SAL_OK;
    }
    for (int t = 0; t < trials->nframe && status == SAL_OK; t++) {
        place_root(&f, t, *x + (size_t)t * (size_t)f.m->nq);
    }
    status = status == SAL_OK ? search(&f, *x, p, height, err) : status;
    if (status == SAL_OK) {
        grow(&f, p);
        judge(&f, *x);
    }
    clear(&f);
    sal_free(p);
    return status;
}
