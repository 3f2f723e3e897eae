/* compile_inertia.c: mass and inertia of bodies. */
#include "mjcf/compile.h"

#include <string.h>

/* Adds m (|d|^2 1 - d d') + R diag(I) R' to a symmetric matrix: the inertia of a part at distance
 * d. */
static void add_part(double total[9], double mass, const double inertia[3], const double quat[4],
                     const double d[3])
{
    double r[9];
    sal_quat_matrix(r, quat);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = -mass * d[i] * d[j] + (i == j ? mass * sal_v3_dot(d, d) : 0);
            for (int k = 0; k < 3; k++) {
                sum += r[3 * i + k] * inertia[k] * r[3 * j + k];
            }
            total[3 * i + j] += sum;
        }
    }
}

/* Q := Q (rotation by twice the angle of this cosine and sine about axis k) */
static void turn(double quat[4], int k, double cosine, double sine)
{
    double r[4] = {cosine, 0, 0, 0}, next[4];
    r[1 + k] = sine;
    sal_quat_mul(next, quat, r);
    sal_quat_copy(quat, next);
    sal_quat_normalise(quat);
}

/* d = R' A R for the rotation R of quat */
static void turned(double d[9], const double a[9], const double quat[4])
{
    double r[9], ar[9];
    sal_quat_matrix(r, quat);
    sal_m3_mul(ar, a, r);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            d[3 * i + j] = r[i] * ar[j] + r[3 + i] * ar[3 + j] + r[6 + i] * ar[6 + j];
        }
    }
}

/* Principal inertias in decreasing order, and their frame, by Jacobi's method (Golub, Van Loan,
 * "Matrix computations", section 8.5): the largest entry off the diagonal is turned away,
 *     tau = (d_jj - d_ii) / (2 d_ij),   t = sign(tau) / (|tau| + sqrt(1 + tau^2)) = tan(angle),
 * until it is below `precision` of the largest inertia. MuJoCo 3.12 and 2.2.2 stop below 1e-12, or
 * if its rotation has a cosine within 1e-12 of 1. Of equal entries MuJoCo turns the last of 01, 02,
 * 12, and inertias that differ by 1e-12 of the largest (3.12: by 1e-12; 2.2.2: not at all) are in
 * no order; the result shows it, so we do the same. */
void spec_principal(sal_mujoco mujoco, double precision, const double matrix[9], double inertia[3],
                    double quat[4])
{
    const bool relative = mujoco == SAL_MUJOCO_314;
    const double most = fmax(matrix[0], fmax(matrix[4], matrix[8]));
    const double enough = relative ? precision * most : 1e-12;
    const double equal = relative ? 1e-12 * most : mujoco == SAL_MUJOCO_222 ? 0 : 1e-12;
    double d[9];
    quat[0] = 1, quat[1] = quat[2] = quat[3] = 0;
    for (int sweep = 0; sweep < 500; sweep++) {
        turned(d, matrix, quat);
        const double off[3] = {fabs(d[5]), fabs(d[2]),
                               fabs(d[1])}; /* entry (i, j) by the axis k that turns it */
        const int k = off[2] > off[0] && off[2] > off[1] ? 2 : off[1] > off[0] ? 1 : 0;
        const int i = k == 0 ? 1 : 0, j = k == 2 ? 1 : 2;
        if (off[k] < enough) {
            break;
        }
        const double tau = (d[4 * j] - d[4 * i]) / (2 * d[3 * i + j]);
        const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
        const double cosine = 1 / sqrt(1 + t * t);
        if (!relative && cosine > 1 - enough) {
            break;
        }
        /* cos and sin of half the angle: sqrt((1 + c)/2) and, with c's rounding errors, sqrt((1 -
         * c)/2), or else t c / (2 sqrt((1 + c)/2)) */
        const double half = sqrt(0.5 + 0.5 * cosine), sign = (t > 0) == (k == 1) ? 1 : -1;
        const double sine = relative ? 0.5 * fabs(t) * cosine / half : sqrt(0.5 - 0.5 * cosine);
        turn(quat, k, half, sign * sine);
    }
    turned(d, matrix, quat);
    sal_v3_set(inertia, d[0], d[4], d[8]);
    for (int pass = 0; pass < 3;
         pass++) { /* bubble sort; exchanging two axes is a quarter turn about the third */
        const int i = pass % 2;
        if (inertia[i] + equal < inertia[i + 1]) {
            const double swap = inertia[i];
            inertia[i] = inertia[i + 1];
            inertia[i + 1] = swap;
            turn(quat, i == 0 ? 2 : 0, sqrt(0.5), sqrt(0.5)); /* a quarter turn */
        }
    }
}

/* MuJoCo's frame of a body without mass: the numbers of its own pose, once more. */
static void no_inertia(spec_body *b)
{
    b->mass = 0;
    sal_v3_set(b->inertia, 0, 0, 0);
    b->inertial_at = b->said;
}

static bool counts(const mjcf_spec *spec, const spec_geom *g)
{
    const int *range = spec_compiler_of(spec, &g->head)->inertiagrouprange;
    return g->group >= range[0] && g->group <= range[1] &&
           (spec->mujoco == SAL_MUJOCO_222 || g->mass > 1e-14);
}

static bool any_counts(const mjcf_spec *spec, const spec_body *b)
{
    for (int i = 0; i < b->geom.n; i++) {
        if (counts(spec, b->geom.item[i])) {
            return true;
        }
    }
    return false;
}

static void from_geoms(const mjcf_spec *spec, spec_body *b)
{
    const spec_geom *only = NULL;
    double com[3] = {0, 0, 0}, total[9] = {0};
    int n = 0;
    no_inertia(b);
    for (int i = 0; i < b->geom.n; i++) {
        const spec_geom *g = b->geom.item[i];
        if (counts(spec, g)) {
            n++;
            only = g;
            b->mass += g->mass;
            sal_v3_addscaled(com, com, g->mass, g->at.pos);
        }
    }
    if (n == 0) {
        return;
    }
    if (n == 1) {
        b->inertial_at = only->at;
        sal_v3_copy(b->inertia, only->inertia);
        return;
    }
    if (b->mass < 1e-14) { /* 2.2.2: geoms without mass */
        return;
    }
    sal_v3_scale(b->inertial_at.pos, com, 1 / b->mass);
    for (int i = 0; i < b->geom.n; i++) {
        const spec_geom *g = b->geom.item[i];
        if (counts(spec, g)) {
            double d[3];
            sal_v3_sub(d, g->at.pos, b->inertial_at.pos);
            add_part(total, g->mass, g->inertia, g->at.quat, d);
        }
    }
    spec_principal(spec->mujoco, SPEC_EXACT_AXES, total, b->inertia, b->inertial_at.quat);
}

void spec_add_inertia(sal_mujoco mujoco, spec_body *to, const spec_body *child)
{
    const spec_body mine = *to;
    spec_frame theirs;
    double com[3], d[3], total[9] = {0};
    if (!(child->mass > 0)) {
        return;
    }
    spec_frame_mul(&theirs, &child->at, &child->inertial_at);
    to->mass = mine.mass + child->mass;
    sal_v3_scale(com, mine.inertial_at.pos, mine.mass / to->mass);
    sal_v3_addscaled(com, com, child->mass / to->mass, theirs.pos);
    sal_v3_sub(d, mine.inertial_at.pos, com);
    add_part(total, mine.mass, mine.inertia, mine.inertial_at.quat, d);
    sal_v3_sub(d, theirs.pos, com);
    add_part(total, child->mass, child->inertia, theirs.quat, d);
    sal_v3_copy(to->inertial_at.pos, com);
    spec_principal(mujoco, SPEC_EXACT_AXES, total, to->inertia, to->inertial_at.quat);
}

/* Diagonal in its own frame, or a full matrix in the axes of the <frame>s around it. */
static void place_inertial(spec_work *w, spec_body *b)
{
    const spec_inertial *s = b->inertial;
    const double *f = s->fullinertia;
    b->mass = s->mass;
    sal_v3_set(b->inertia, 0, 0, 0);
    sal_v3_copy(b->inertial_at.pos, s->pose.pos);
    spec_orientation(w, &s->head, &s->pose, b->inertial_at.quat);
    if (!isnan(s->diaginertia[0])) {
        sal_v3_copy(b->inertia, s->diaginertia);
    }
    if (isnan(f[0])) {
        return;
    }
    const spec_pose *p = &s->pose;
    const bool oriented = !isnan(p->axisangle[0]) || !isnan(p->xyaxes[0]) || !isnan(p->zaxis[0]) ||
                          !isnan(p->euler[0]) || sal_xml_find_attr(s->head.xml, "quat") != NULL;
    if (oriented) {
        spec_error(w, &s->head, "fullinertia", NULL,
                   "<inertial> gives both fullinertia and an orientation; keep one of them");
    }
    if (w->spec->mujoco != SAL_MUJOCO_222 &&
        (b->inertia[0] != 0 || b->inertia[1] != 0 || b->inertia[2] != 0)) {
        spec_error(w, &s->head, "diaginertia", NULL,
                   "<inertial> gives both diaginertia and fullinertia; keep one of them");
    }
    const double matrix[9] = {f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]};
    spec_principal(w->spec->mujoco, SPEC_EXACT_AXES, matrix, b->inertia, b->inertial_at.quat);
    if (b->inertia[2] < 0) {
        spec_error(
            w, &s->head, "fullinertia", NULL,
            "fullinertia is not positive definite: its smallest principal moment of inertia is %g",
            b->inertia[2]);
    }
}

/* <inertial>. (Before 3.14 a <frame> did not move it.) */
static void from_inertial(spec_work *w, spec_body *b)
{
    place_inertial(w, b);
    if (b->inertial->frame != NULL && w->spec->mujoco == SAL_MUJOCO_314) {
        spec_frame_mul(&b->inertial_at, b->inertial->frame, &b->inertial_at);
    }
}

/* The principal axes are found for a trace of 1, so that those of a small body are as exact. */
static void set_inertia(spec_work *w, spec_body *b, const double f[6])
{
    const double trace = f[0] + f[1] + f[2];
    const double matrix[9] = {f[0] / trace, f[3] / trace, f[4] / trace, f[3] / trace, f[1] / trace,
                              f[5] / trace, f[4] / trace, f[5] / trace, f[2] / trace};
    if (!(trace > 0)) {
        spec_error(w, &b->head, NULL, NULL,
                   "the moments of inertia of this body have the sum %g; it must be positive",
                   trace);
        return;
    }
    spec_principal(w->spec->mujoco, SPEC_EXACT_AXES, matrix, b->inertia, b->inertial_at.quat);
    sal_v3_scale(b->inertia, b->inertia, trace);
}

/* I <- scale I. The three products are rounded one by one: where A + B >= C held, it is kept. */
static void scale_inertia(double I[3], double scale)
{
    const int c = I[0] > I[1] ? (I[0] > I[2] ? 0 : 2) : (I[1] > I[2] ? 1 : 2);
    double *A = &I[(c + 1) % 3], *B = &I[(c + 2) % 3], *C = &I[c];
    const bool held = *A + *B >= *C;
    sal_v3_scale(I, I, scale);
    if (held) {
        *C = fmin(*C, *A + *B);
    }
}

static void apply_set(spec_work *w, spec_body *b)
{
    const spec_body_set *s = b->set;
    if (!isnan(s->mass)) {
        scale_inertia(b->inertia, b->mass > 0 ? s->mass / b->mass : 0);
        b->mass = s->mass;
    }
    if (!isnan(s->com[0])) {
        sal_v3_copy(b->inertial_at.pos, s->com);
    }
    if (!isnan(s->inertia[0])) {
        set_inertia(w, b, s->inertia);
    }
}

/* Bounds; then A + B >= C, which every solid obeys. */
static void bound_and_check(spec_work *w, spec_body *b)
{
    const spec_compiler *c = spec_compiler_of(w->spec, &b->head);
    double *I = b->inertia;
    b->mass = fmax(b->mass, c->boundmass);
    for (int i = 0; i < 3; i++) {
        I[i] = fmax(I[i], c->boundinertia);
    }
    if (I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0]) {
        if (c->balanceinertia) {
            I[0] = I[1] = I[2] = (I[0] + I[1] + I[2]) / 3;
            return;
        }
        const spec_head *head = b->inertial != NULL ? &b->inertial->head : &b->head;
        spec_error(
            w, head, NULL,
            "correct them, or let <compiler balanceinertia=\"true\"/> replace each by their mean",
            "the principal moments of inertia are %g %g %g; each must be at most the sum of the "
            "other two (triangle inequality)",
            I[0], I[1], I[2]);
    }
}

static bool is_heavy(const spec_body *b)
{
    return b->mass >= SAL_MINVAL && b->inertia[0] >= SAL_MINVAL && b->inertia[1] >= SAL_MINVAL &&
           b->inertia[2] >= SAL_MINVAL;
}

/* Every body that moves by itself needs mass, or a fixed part of it that has some. */
static void check_masses(spec_work *w, const char *help, const char *fault)
{
    const spec_list *bodies = &w->spec->body;
    bool *heavy = spec_take(w->spec, (size_t)bodies->n, sizeof *heavy);
    for (int i = bodies->n - 1; i > 0 && heavy != NULL; i--) {
        const spec_body *b = bodies->item[i];
        heavy[i] = heavy[i] || is_heavy(b);
        if (b->joint.n == 0 && heavy[i]) {
            heavy[b->parent->head.id] = true;
        }
        if (b->joint.n > 0 && !heavy[i]) {
            spec_error(w, &b->head, NULL, help, "%s", fault);
        }
    }
}

void spec_scale_masses(spec_work *w)
{
    const mjcf_spec *spec = w->spec;
    double total = 0;
    for (int i = 1; i < spec->body.n; i++) {
        total += ((const spec_body *)spec->body.item[i])->mass;
    }
    if (!(spec->compiler.settotalmass > 0)) {
        return;
    }
    const double least = SAL_MINVAL; /* as in MuJoCo; without masses only boundinertia is left */
    const double scale = fmax(least, spec->compiler.settotalmass / fmax(least, total));
    for (int i = 1; i < spec->body.n; i++) {
        spec_body *b = spec->body.item[i];
        b->mass *= scale;
        scale_inertia(b->inertia, scale);
    }
    if (w->diag->nerror == w->first_error) {
        check_masses(w, "look for a body that is much too heavy",
                     "settotalmass leaves this body, which has a joint, no mass or no inertia");
    }
}

void spec_compile_inertias(spec_work *w)
{
    const mjcf_spec *spec = w->spec;
    spec_body *world = spec->body.item[0];
    world->inertial_at = (spec_frame){{0, 0, 0}, {1, 0, 0, 0}};
    for (int i = 1; i < spec->body.n; i++) {
        spec_body *b = spec->body.item[i];
        const int infer = spec_compiler_of(spec, &b->head)->inertiafromgeom;
        const bool geoms = infer == SPEC_TRUE || (infer == SPEC_AUTO && b->inertial == NULL);
        if (b->inertial != NULL) { /* what is wrong in it is said where it is not used, too */
            from_inertial(w, b);
        } else {
            no_inertia(b);
        }
        if (geoms && (b->inertial == NULL || any_counts(spec, b))) {
            from_geoms(spec, b);
        }
        if (spec->compiler.global) {
            spec_enter_body(w, b, b->inertial != NULL || (geoms && any_counts(spec, b)));
        }
        if (b->set != NULL) {
            apply_set(w, b);
        }
        bound_and_check(w, b);
    }
    if (spec->compiler.global) {
        spec_enter_parents(spec);
    }
    check_masses(w, "give it a geom with mass, or <inertial>",
                 "this body has a joint but no mass or no inertia; a moving body needs both");
}
