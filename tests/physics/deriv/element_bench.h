/* element_bench.h: two models, with and without an element, and what the element adds to the
 * inverse between them, by differences; for the tests of derivatives of elements. */
#ifndef SAL_TESTS_PHYSICS_DERIV_ELEMENT_BENCH_H
#define SAL_TESTS_PHYSICS_DERIV_ELEMENT_BENCH_H

#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/stages.h"

enum { NV = 24, STATES = 12 };

typedef struct bench {
    /* with the elements, without */
    sal_model *m;
    sal_model *plain;
    sal_data *d;
    sal_data *other;
    phy_deriv w;
    /* Dq, Dv, Da */
    double D[3][NV * NV];
    int columns;
    int kinks;
} bench;

static const char *const names[3] = {"Dq", "Dv", "Da"};

static inline void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (p == NULL) {
        exit(1);
    }
    return p;
}

static inline bench *bench_open(const char *option, const char *body, const char *rest, bool compat)
{
    bench *b = room(1, sizeof *b);
    const sal_load_options options = {.mujoco = compat ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_err err = {SAL_OK, ""};
    char text[16000];
    snprintf(text, sizeof text, "<mujoco><option %s/>%s%s</mujoco>", option, body, rest);
    CHECK_OK(sal_model_parse(&b->m, "elements.xml", text, strlen(text), &options, NULL, &err), err);
    if (b->m == NULL) {
        printf("%s\n", err.message);
        exit(1);
    }
    CHECK_OK(sal_model_copy(&b->plain, b->m, &err), err);
    b->plain->opt.disable |= SAL_DSBL_CONSTRAINT | SAL_DSBL_SPRING | SAL_DSBL_DAMPER;
    for (int t = 0; t < b->m->ntendon; t++) {
        b->plain->tendon_armature[t] = 0;
    }
    CHECK_OK(sal_data_new(&b->d, b->m, &err), err);
    CHECK_OK(sal_data_new(&b->other, b->m, &err), err);
    const size_t nv = (size_t)b->m->nv, nbody = (size_t)b->m->nbody;
    CHECK(nv <= NV);
    b->w = (phy_deriv){.Dq = b->D[0], .Dv = b->D[1], .Da = b->D[2]};
    double **column[] = {&b->w.s, &b->w.psi, &b->w.gam, &b->w.alp, &b->w.chi, &b->w.G};
    for (size_t i = 0; i < 6; i++) {
        *column[i] = room(6 * (nv + 4) + PHY_WIDE * nbody, sizeof(double));
    }
    b->w.load = room(nbody, sizeof *b->w.load);
    b->w.loaded = room(nbody, 1);
    return b;
}

static inline void bench_close(bench *b)
{
    double *column[] = {b->w.s, b->w.psi, b->w.gam, b->w.alp, b->w.chi, b->w.G};
    for (size_t i = 0; i < 6; i++) {
        free(column[i]);
    }
    free(b->w.load);
    free(b->w.loaded);
    sal_data_free(b->d);
    sal_data_free(b->other);
    sal_model_free(b->m);
    sal_model_free(b->plain);
    free(b);
}

static inline void random_state(bench *b, int seed)
{
    sal_rng rng = {(uint64_t)seed + 5};
    double step[NV];
    for (int i = 0; i < b->m->nv; i++) {
        step[i] = sal_rng_uniform(&rng, -0.6, 0.6);
        b->d->qvel[i] = sal_rng_uniform(&rng, -2, 2);
        b->d->qacc[i] = sal_rng_uniform(&rng, -5, 5);
    }
    sal_integrate_pos(b->m, b->d->qpos, b->m->qpos0, step, 1);
    for (int i = 0; i < b->m->nu; i++) {
        b->d->ctrl[i] = sal_rng_uniform(&rng, 0.1, 1);
    }
    for (int i = 0; i < b->m->na; i++) {
        b->d->act[i] = sal_rng_uniform(&rng, 0, 1);
    }
}

/* ---- columns and loads by definition ---- */

static inline bool same_group(const sal_model *m, int i, int k)
{
    const int j = m->dof_jntid[i], first = m->jnt_dofadr[j];
    return i == k || (m->dof_jntid[k] == j &&
                      (m->jnt_type[j] == SAL_JNT_BALL ||
                       (m->jnt_type[j] == SAL_JNT_FREE && (i >= first + 3) == (k >= first + 3))));
}

static inline bool in_chain(const sal_model *m, int dof, int body)
{
    for (int b = body; b > 0; b = m->body_parentid[b]) {
        if (m->dof_bodyid[dof] == b) {
            return true;
        }
    }
    return false;
}

static inline bool carries(const sal_model *m, int k, int i)
{
    return in_chain(m, k, m->dof_bodyid[i]) && (k <= i || same_group(m, i, k));
}

static inline void put(double *array, int k, const double x[6])
{
    for (int j = 0; j < 6; j++) {
        array[phy_column_at(k) + (size_t)(4 * j)] = x[j];
    }
}

/* The sums over the dofs of the chain that come before the group of k, or (after) with it. */
static inline void sum_until(const bench *b, int k, bool after, double V[6], double G[6],
                             double A[6])
{
    const sal_model *m = b->m;
    const sal_data *d = b->d;
    memset(V, 0, 6 * sizeof *V);
    memset(G, 0, 6 * sizeof *G);
    memset(A, 0, 6 * sizeof *A);
    if (!(m->opt.disable & SAL_DSBL_GRAVITY)) {
        sal_v3_scale(A + 3, m->opt.gravity, -1);
    }
    for (int i = 0; i < m->nv; i++) {
        const bool with = same_group(m, i, k);
        if (in_chain(m, i, m->dof_bodyid[k]) && (with ? after : i < k)) {
            sal_sp_addscaled(V, V, d->qvel[i], d->cdof + 6 * i);
            sal_sp_addscaled(G, G, d->qacc[i], d->cdof + 6 * i);
            sal_sp_addscaled(A, A, d->qacc[i], d->cdof + 6 * i);
            sal_sp_addscaled(A, A, d->qvel[i], d->cdof_dot + 6 * i);
        }
    }
}

static inline void fill_columns(bench *b)
{
    for (int k = 0; k < b->m->nv; k++) {
        double V[6], G[6], A[6], V2[6], x[6], y[6], psi[6];
        const double *s = b->d->cdof + 6 * k;
        put(b->w.s, k, s);
        sum_until(b, k, true, V2, x, y);
        sum_until(b, k, false, V, G, A);
        sal_sp_cross_motion(psi, V, s);
        put(b->w.psi, k, psi);
        sal_sp_cross_motion(x, G, s);
        put(b->w.gam, k, x);
        sal_sp_cross_motion(x, A, s);
        sal_sp_cross_motion(y, V, psi);
        sal_sp_addscaled(x, x, 1, y);
        put(b->w.alp, k, x);
        sal_sp_addscaled(V, V, 1, V2);
        sal_sp_cross_motion(x, V, s);
        put(b->w.chi, k, x);
    }
    for (int body = 0; body < b->m->nbody; body++) {
        memset(b->w.G + PHY_WIDE * body, 0, 6 * sizeof(double));
        for (int i = 0; i < b->m->nv; i++) {
            if (in_chain(b->m, i, body)) {
                sal_sp_addscaled(b->w.G + PHY_WIDE * body, b->w.G + PHY_WIDE * body, b->d->qacc[i],
                                 b->d->cdof + 6 * i);
            }
        }
    }
}

/* M x [6] of column k of an array */
static inline void times(double r[6], const double M[36], const double *array, int k)
{
    for (int i = 0; i < 6; i++) {
        r[i] = 0;
        for (int j = 0; j < 6; j++) {
            r[i] += M[6 * i + j] * array[phy_column_at(k) + (size_t)(4 * j)];
        }
    }
}

/* D += derivatives of -s_i'W */
static inline void add_load(bench *b, int body)
{
    const phy_load *load = b->w.load + body;
    const int nv = b->m->nv;
    for (int k = 0; k < nv; k++) {
        double th[6], la[6], lb[6], dv[6], da[6], dW[6], turned[6];
        times(th, load->Th, b->w.s, k);
        times(la, load->La, b->w.gam, k);
        times(lb, load->LB, b->w.psi, k);
        times(dv, load->LB, b->w.s, k);
        times(da, load->La, b->w.s, k);
        for (int j = 0; j < 6; j++) {
            dW[j] = th[j] - la[j] - lb[j];
        }
        for (int i = 0; i < nv; i++) {
            const double *s = b->d->cdof + 6 * i;
            if (in_chain(b->m, i, body) && in_chain(b->m, k, body)) {
                sal_sp_cross_motion(turned, b->d->cdof + 6 * k, s);
                b->D[0][i * nv + k] -=
                    sal_sp_dot(s, dW) + (carries(b->m, k, i) ? sal_sp_dot(turned, load->W) : 0);
                b->D[1][i * nv + k] += sal_sp_dot(s, dv);
                b->D[2][i * nv + k] += sal_sp_dot(s, da);
            }
        }
    }
}

static inline void derive(bench *b)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_inverse(b->m, b->d, &err), err);
    fill_columns(b);
    memset(b->D, 0, sizeof b->D);
    memset(b->w.loaded, 0, (size_t)b->m->nbody);
    phy_elements_load(b->m, b->d, &b->w);
    for (int body = 1; body < b->m->nbody; body++) {
        if (b->w.loaded[body]) {
            add_load(b, body);
        }
    }
    phy_compensation_deriv(b->m, b->d, b->w.Dq);
    phy_joined_deriv(b->m, b->d, &b->w);
    phy_tendons_deriv(b->m, b->d, &b->w);
}

/* ---- differences ---- */

/* A vector [nv] of the state in d */
typedef void part(bench *b, double *r);

/* What the elements add to the inverse. */
static inline void of_inverse(bench *b, double *r)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_inverse(b->m, b->d, &err), err);
    memcpy(b->other->qpos, b->d->qpos, (size_t)b->m->nq * sizeof(double));
    memcpy(b->other->qvel, b->d->qvel, (size_t)b->m->nv * sizeof(double));
    memcpy(b->other->qacc, b->d->qacc, (size_t)b->m->nv * sizeof(double));
    CHECK_OK(sal_inverse(b->plain, b->other, &err), err);
    for (int i = 0; i < b->m->nv; i++) {
        r[i] = b->d->qfrc_inverse[i] - b->other->qfrc_inverse[i];
    }
}

static inline void of_applied(bench *b, double *r)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(b->m, b->d, &err), err);
    memset(r, 0, (size_t)b->m->nv * sizeof *r);
    for (int body = 1; body < b->m->nbody; body++) {
        const double *x = b->d->xfrc_applied + 6 * body;
        sal_apply_force(b->m, b->d, r, x, x + 3, b->d->xipos + 3 * body, body);
    }
}

/* r at variable k of kind (q, v, a) moved by step */
static inline void moved(bench *b, part *f, int kind, int k, double step, double *r)
{
    double q[2 * NV], e[NV] = {0}, *x = kind == 1 ? b->d->qvel : b->d->qacc;
    const size_t bytes = (size_t)b->m->nq * sizeof(double);
    const double before = x[k];
    memcpy(q, b->d->qpos, bytes);
    if (kind == 0) {
        e[k] = step;
        sal_integrate_pos(b->m, b->d->qpos, q, e, 1);
    } else {
        x[k] += step;
    }
    f(b, r);
    memcpy(b->d->qpos, q, bytes);
    x[k] = before;
}

static inline void between_four(bench *b, part *f, int kind, int k, double h, double *r)
{
    double a[4][NV];
    for (int i = 0; i < 4; i++) {
        moved(b, f, kind, k, h * (i < 2 ? i - 2 : i - 1), a[i]);
    }
    for (int i = 0; i < b->m->nv; i++) {
        r[i] = (8 * (a[2][i] - a[1][i]) - (a[3][i] - a[0][i])) / (12 * h);
    }
}

/* The largest error of matrix `kind`, relative to its largest entry; columns where two differences
 * disagree have a kink. */
static inline double worst(bench *b, part *f, int kind)
{
    const int nv = b->m->nv;
    const double h = kind == 0 ? 1e-5 : 1e-3, *D = b->D[kind];
    static double coarse[NV][NV], fine[NV][NV];
    double scale = 1, error = 0; /* smaller matrices are measured by 1: they may be zero */
    for (int k = 0; k < nv; k++) {
        between_four(b, f, kind, k, h, coarse[k]);
        between_four(b, f, kind, k, h / 2, fine[k]);
        for (int i = 0; i < nv; i++) {
            scale = fmax(scale, fmax(fabs(D[i * nv + k]), fabs(fine[k][i])));
        }
    }
    for (int k = 0; k < nv; k++) {
        double noise = 0, off = 0;
        for (int i = 0; i < nv; i++) {
            noise = fmax(noise, fabs(coarse[k][i] - fine[k][i]));
            off = fmax(off, fabs(D[i * nv + k] - coarse[k][i]));
        }
        b->columns++;
        if (noise > 1e-7 * scale) {
            b->kinks++;
        } else {
            error = fmax(error, off / scale);
        }
    }
    return error;
}

/* The derivatives of the inverse with the elements less those without are what was summed up
 * here. */
static inline void whole_agrees(bench *b)
{
    static double D[2][3][NV * NV];
    const size_t nv = (size_t)b->m->nv;
    sal_err err = {SAL_OK, ""};
    double none[NV];
    of_inverse(b, none);
    CHECK_OK(sal_inverse_deriv(b->m, b->d, D[0][0], D[0][1], D[0][2], &err), err);
    CHECK_OK(sal_inverse_deriv(b->plain, b->other, D[1][0], D[1][1], D[1][2], &err), err);
    for (int kind = 0; kind < 3; kind++) {
        double scale = 1, off = 0;
        for (size_t i = 0; i < nv * nv; i++) {
            const double x = D[0][kind][i], e = x - D[1][kind][i] - b->D[kind][i];
            scale = fmax(scale, fabs(x));
            off = fmax(off, fabs(e));
        }
        CHECK_NEAR(off / scale, 0, 1e-12);
    }
}

static inline void compare(bench *b, const char *what)
{
    double error[3] = {0};
    for (int seed = 0; seed < STATES; seed++) {
        random_state(b, seed);
        derive(b);
        whole_agrees(b);
        for (int kind = 0; kind < 3; kind++) {
            error[kind] = fmax(error[kind], worst(b, of_inverse, kind));
        }
    }
    printf("%s: Dq %.1e Dv %.1e Da %.1e, %d of %d columns with kinks\n", what, error[0], error[1],
           error[2], b->kinks, b->columns);
    for (int kind = 0; kind < 3; kind++) {
        if (error[kind] > 1e-8) {
            printf("%s: %s is off by %.2g\n", what, names[kind], error[kind]);
        }
        CHECK(error[kind] <= 1e-8);
    }
    CHECK(b->kinks * 20 <= b->columns);
}

/* ---- models ---- */

/* Every joint type, two trees, a body with three joints, one without. */
static const char mechanism[] =
    "<worldbody><site name='w0' pos='0.1 -0.2 1'/>"
    "<body name='base' pos='0 0 1'><freejoint name='root'/>"
    "<geom name='g0' type='box' size='.1 .15 .08' %s/><site name='s0' pos='.1 .02 .05'/>"
    "<body name='upper' pos='.2 0 .1' %s><joint name='ball' type='ball' %s/>"
    "<geom name='g1' type='capsule' size='.04' fromto='0 0 0 .25 .05 0' %s/>"
    "<site name='s1' pos='.2 .03 .06' euler='20 30 40'/>"
    "<body name='lower' pos='.3 0 0' %s><joint name='h1' axis='0 1 .2'/>"
    "<joint name='sl' type='slide' axis='1 .3 0'/><joint name='h2' axis='.1 0 1' pos='.05 0 0' %s/>"
    "<geom name='g2' type='ellipsoid' size='.12 .05 .07' pos='.1 0 .02' %s/>"
    "<site name='s2' pos='.15 -.04 .03' euler='-30 10 5'/>"
    "<body name='end' pos='.2 .1 0'><geom name='g3' size='.05' %s/><site name='s3' pos='0 .05 0'/>"
    "</body></body></body>"
    "<body name='arm' pos='-.2 0 .1' %s><joint name='h3' axis='0 1 0'/>"
    "<geom name='g4' type='cylinder' size='.03 .1' pos='-.1 0 0' %s/>"
    "<site name='s4' pos='-.15 .02 .05'/></body></body>"
    "<body name='pole' pos='0.7 0.5 .8'><joint name='h4' axis='1 0 .1'/>"
    "<joint name='h5' axis='0 1 0'/><geom name='g5' type='capsule' size='.05' fromto='0 0 0 0 0 "
    ".4' %s/>"
    "<site name='s5' pos='.05 0 .3' euler='5 15 25'/>"
    "<geom name='ball' size='.12' pos='-.2 -.1 .2' %s/><site name='up' pos='-.2 -.1 .5'/></body>"
    "<geom name='roll' type='cylinder' size='.15 .3' pos='0 .1 1.1' euler='70 10 0' %s/>"
    "<geom name='ring' size='.1' pos='.2 -.1 1.1' %s/><site name='inner' pos='.21 -.1 "
    "1.1'/></worldbody>";

/* Geoms do not touch. fluid: on g1, g2 and g4; carried: bodies have gravity compensation; joint: on
 * the ball and h2 */
static const char *body_text(const char *fluid, bool carried, const char *joint)
{
    static const char off[] = "contype='0' conaffinity='0'";
    static char text[4000];
    const char *carry[3] = {carried ? "gravcomp='1.3'" : "", carried ? "gravcomp='.7'" : "",
                            carried ? "gravcomp='.4'" : ""};
    char geom[200];
    snprintf(geom, sizeof geom, "%s %s", off, fluid);
    snprintf(text, sizeof text, mechanism, off, carry[0], joint, geom, carry[1], joint, geom, off,
             carry[2], geom, off, off, off, off);
    return text;
}

#endif
