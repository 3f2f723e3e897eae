/* Derivatives of what elements add to the inverse, beside differences of the whole inverse with the element less that without. Loads are
 * brought to the dofs here by the rule that deriv.h states, with columns that are summed up one by one. */
#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/stages.h"

enum { NV = 24, STATES = 12 };

typedef struct bench {
    sal_model *m, *plain; /* with the elements, without */
    sal_data *d, *other;
    phy_deriv w;
    double D[3][NV * NV]; /* Dq, Dv, Da */
    int columns, kinks;
} bench;

static const char *const names[3] = {"Dq", "Dv", "Da"};

static void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (p == NULL) {
        exit(1);
    }
    return p;
}

static bench *bench_open(const char *option, const char *body, const char *rest, bool compat)
{
    bench *b = room(1, sizeof *b);
    const sal_load_options options = {.compat222 = compat};
    sal_err err = {SAL_OK, ""};
    char text[8000];
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

static void bench_close(bench *b)
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

static void random_state(bench *b, int seed)
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

static bool same_group(const sal_model *m, int i, int k)
{
    const int j = m->dof_jntid[i], first = m->jnt_dofadr[j];
    return i == k || (m->dof_jntid[k] == j &&
                      (m->jnt_type[j] == SAL_JNT_BALL ||
                       (m->jnt_type[j] == SAL_JNT_FREE && (i >= first + 3) == (k >= first + 3))));
}

static bool in_chain(const sal_model *m, int dof, int body)
{
    for (int b = body; b > 0; b = m->body_parentid[b]) {
        if (m->dof_bodyid[dof] == b) {
            return true;
        }
    }
    return false;
}

static bool carries(const sal_model *m, int k, int i)
{
    return in_chain(m, k, m->dof_bodyid[i]) && (k <= i || same_group(m, i, k));
}

static void put(double *array, int k, const double x[6])
{
    for (int j = 0; j < 6; j++) {
        array[phy_column_at(k) + (size_t)(4 * j)] = x[j];
    }
}

/* The sums over the dofs of the chain that come before the group of k, or (after) with it. */
static void sum_until(const bench *b, int k, bool after, double V[6], double G[6], double A[6])
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

static void fill_columns(bench *b)
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
static void times(double r[6], const double M[36], const double *array, int k)
{
    for (int i = 0; i < 6; i++) {
        r[i] = 0;
        for (int j = 0; j < 6; j++) {
            r[i] += M[6 * i + j] * array[phy_column_at(k) + (size_t)(4 * j)];
        }
    }
}

/* D += derivatives of -s_i'W */
static void add_load(bench *b, int body)
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

static void derive(bench *b)
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
static void of_inverse(bench *b, double *r)
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

static void of_applied(bench *b, double *r)
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
static void moved(bench *b, part *f, int kind, int k, double step, double *r)
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

static void four_points(bench *b, part *f, int kind, int k, double h, double *r)
{
    double a[4][NV];
    for (int i = 0; i < 4; i++) {
        moved(b, f, kind, k, h * (i < 2 ? i - 2 : i - 1), a[i]);
    }
    for (int i = 0; i < b->m->nv; i++) {
        r[i] = (8 * (a[2][i] - a[1][i]) - (a[3][i] - a[0][i])) / (12 * h);
    }
}

/* The largest error of matrix `kind`, relative to its largest entry; columns where two differences disagree have a kink. */
static double worst(bench *b, part *f, int kind)
{
    const int nv = b->m->nv;
    const double h = kind == 0 ? 1e-5 : 1e-3, *D = b->D[kind];
    static double coarse[NV][NV], fine[NV][NV];
    double scale = 1, error = 0; /* smaller matrices are measured by 1: they may be zero */
    for (int k = 0; k < nv; k++) {
        four_points(b, f, kind, k, h, coarse[k]);
        four_points(b, f, kind, k, h / 2, fine[k]);
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

/* The derivatives of the inverse with the elements less those without are what was summed up here. */
static void whole_agrees(bench *b)
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

static void compare(bench *b, const char *what)
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

/* Geoms do not touch. fluid: on g1, g2 and g4; carried: bodies have gravity compensation; joint: on the ball and h2 */
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

static void gravity_is_compensated(void)
{
    bench *b = bench_open("gravity='1 2 -9'", body_text("", true, ""), "", false);
    CHECK(b->m->ngravcomp == 3);
    compare(b, "gravity compensation");
    bench_close(b);
}

static void compensation_of_actuators_is_not_passive(void)
{
    bench *b =
        bench_open("gravity='1 2 -9'", body_text("", true, "actuatorgravcomp='true'"), "", false);
    compare(b, "gravity compensation, partly the actuators'");
    bench_close(b);
}

static void medium_resists(void)
{
    bench *b = bench_open("density='900' viscosity='.3' wind='1 -2 .5'", body_text("", false, ""),
                          "", false);
    compare(b, "boxes in the medium");
    bench_close(b);
    b = bench_open("density='900' viscosity='.3' wind='1 -2 .5'",
                   body_text("fluidshape='ellipsoid'", false, ""), "", false);
    compare(b, "ellipsoids in the medium");
    bench_close(b);
}

/* 2.2.2 has none between sites. */
static const char *equality_text(const char *list, const char *sites, bool compat)
{
    static char text[2000];
    snprintf(text, sizeof text, "<equality>%s%s</equality>", list, compat ? "" : sites);
    return text;
}

static const char connects[] =
    "<connect body1='end' body2='arm' anchor='.1 .05 .02' solref='.05 .8' solimp='.5 .9 .8 .4 2'/>"
    "<connect body1='lower' anchor='.05 .02 .1' solref='.06 1' solimp='.3 .8 1.5 .5 3'/>"
    "<connect body1='upper' body2='pole' anchor='.2 0 0' solimp='.9 .95 .001 .5 2'/>";
static const char connected_sites[] =
    "<connect site1='s2' site2='w0' solref='-100 -5' solimp='.4 .9 2 .6 2'/>";
static const char welds[] =
    "<weld body1='end' body2='arm' solref='.05 .8' solimp='.5 .9 .8 .4 2'/>"
    "<weld body1='lower' anchor='.05 .02 .1' torquescale='.6' relpose='.3 .1 .2 1 .3 .2 .1'"
    " solimp='.3 .8 3 .5 3'/>"
    "<weld body1='base' body2='lower' torquescale='2' solimp='.3 .9 4 .5 2'/>";
static const char welded_sites[] =
    "<weld site1='s1' site2='s5' torquescale='1.4' solref='.07 1' solimp='.4 .9 3 .6 2'/>";

static void connected_points_pull(void)
{
    const char *const names_of[3] = {"connects", "connects as in 2.2.2", "connects, no gravity"};
    for (int kind = 0; kind < 3; kind++) {
        const bool compat = kind == 1;
        bench *b = bench_open("", body_text("", false, ""),
                              equality_text(connects, connected_sites, compat), compat);
        if (kind == 2) {
            b->m->opt.disable |= SAL_DSBL_GRAVITY;
            b->plain->opt.disable |= SAL_DSBL_GRAVITY;
        }
        compare(b, names_of[kind]);
        bench_close(b);
    }
}

static void welded_bodies_pull_and_turn(void)
{
    for (int compat = 0; compat < 2; compat++) {
        bench *b = bench_open("", body_text("", false, ""),
                              equality_text(welds, welded_sites, compat == 1), compat == 1);
        compare(b, compat == 1 ? "welds as in 2.2.2" : "welds");
        bench_close(b);
    }
}

/* Straight, over a cylinder, over a ball that moves, inside a ring, and with pulleys. */
static const char paths[] =
    "<spatial name='a' %s><site site='w0'/><site site='s2'/><site site='s5'/></spatial>"
    "<spatial name='b' %s><site site='s4'/><geom geom='roll'/><site site='s3'/></spatial>"
    "<spatial name='c' %s><site site='s5'/><geom geom='ball' sidesite='up'/><site site='s1'/>"
    "<pulley divisor='2'/><site site='s1'/><site site='s4'/><pulley divisor='3'/><site site='s0'/>"
    "<site site='s3'/></spatial>"
    "<spatial name='d' %s><site site='w0'/><geom geom='ring' sidesite='inner'/><site site='s2'/>"
    "</spatial><fixed name='f'><joint joint='h1' coef='.7'/><joint joint='h4' coef='-.4'/></fixed>";

static const char *tendon_text(const char *attributes, const char *equalities)
{
    static char text[4000];
    char list[2000];
    snprintf(list, sizeof list, paths, attributes, attributes, attributes, attributes);
    snprintf(text, sizeof text, "<tendon>%s</tendon><equality>%s</equality>", list, equalities);
    return text;
}

static void compare_tendons(const char *what, const char *attributes, const char *equalities)
{
    bench *b = bench_open("", body_text("", false, ""), tendon_text(attributes, equalities), false);
    compare(b, what);
    bench_close(b);
}

static void tendons_pull(void)
{
    compare_tendons("springs of tendons", "stiffness='40 5 2' springlength='.2'", "");
    compare_tendons("dampers of tendons", "damping='4 1 .5'", "");
    compare_tendons("friction of tendons", "frictionloss='8'", "");
    compare_tendons("limits of tendons",
                    "range='.1 .5' limited='true' solimplimit='.5 .9 1 .5 2' solreflimit='.1 1'",
                    "");
}

static void smoothed_law_of_tendons_is_followed(void)
{
    bench *b = bench_open("", body_text("", false, ""),
                          tendon_text("range='.1 .5' limited='true' frictionloss='3'"
                                      " solimplimit='.5 .9 1 .5 2' solreflimit='.1 1'",
                                      ""),
                          false);
    b->m->opt.sigma = 30;
    compare(b, "limits and friction of tendons with sigma");
    bench_close(b);
}

static void armature_turns_with_the_tendon(void)
{
    bench *b = bench_open("", body_text("", false, ""),
                          "<tendon><spatial armature='2'><site site='w0'/><site site='s2'/>"
                          "<pulley divisor='2'/><site site='s3'/><site site='s4'/>"
                          "<site site='s5'/></spatial></tendon>",
                          false);
    compare(b, "armature of tendons");
    bench_close(b);
}

static void lengths_of_tendons_are_tied(void)
{
    static const char law[] = "polycoef='.1 .8 -.4 .3 .2' solimp='.4 .9 2 .5 2' solref='.1 .9'";
    const char *const pairs[4] = {"tendon1='a'", "tendon1='b' tendon2='c'",
                                  "tendon1='d' tendon2='f'", "tendon1='f' tendon2='a'"};
    char text[1000] = "";
    for (int i = 0; i < 4; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "<tendon %s %s/>", pairs[i], law);
    }
    compare_tendons("equalities of tendons", "", text);
}

static void applied_wrench_stays_in_the_world(void)
{
    bench *b = bench_open("", body_text("", false, ""), "", false);
    for (int seed = 0; seed < STATES; seed++) {
        sal_rng rng = {(uint64_t)seed};
        random_state(b, seed);
        for (int i = 6; i < 6 * b->m->nbody; i++) {
            b->d->xfrc_applied[i] = sal_rng_uniform(&rng, -10, 10);
        }
        double r[NV];
        of_applied(b, r);
        sal_applied_force_deriv(b->m, b->d, b->D[0]);
        CHECK_NEAR(worst(b, of_applied, 0), 0, 1e-8);
    }
    CHECK(b->kinks == 0);
    bench_close(b);
}

/* ---- actuators ---- */

static void of_actuation(bench *b, double *r)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(b->m, b->d, &err), err);
    sal_velocity(b->m, b->d);
    sal_actuation(b->m, b->d);
    memcpy(r, b->d->qfrc_actuator, (size_t)b->m->nv * sizeof *r);
}

/* By w: qfrc_actuator is linear in it between the limits of forces. */
static double worst_by_input(bench *b, const double *Dw)
{
    const int nv = b->m->nv, nu = b->m->nu;
    double error = 0, scale = 1, r[4][NV];
    for (int i = 0; i < nu; i++) {
        const int adr = b->m->actuator_actadr[i];
        double *w = adr < 0 ? b->d->ctrl + i : b->d->act + adr;
        const double before = *w, h = 1e-4;
        for (int p = 0; p < 4; p++) {
            *w = before + h * (p < 2 ? p - 2 : p - 1);
            of_actuation(b, r[p]);
        }
        *w = before;
        for (int k = 0; k < nv; k++) {
            const double D = (8 * (r[2][k] - r[1][k]) - (r[3][k] - r[0][k])) / (12 * h);
            scale = fmax(scale, fabs(D));
            error = fmax(error, fabs(D - Dw[k * nu + i]));
        }
    }
    return error / scale;
}

static void compare_actuation(bench *b, const char *what, int states)
{
    double error[3] = {0}, r[NV], Dw[NV * 20];
    CHECK(b->m->nu > 0 && b->m->nu <= 20);
    for (int seed = 0; seed < states; seed++) {
        random_state(b, seed);
        of_actuation(b, r);
        sal_actuation_deriv(b->m, b->d, b->D[0], b->D[1], Dw);
        for (int kind = 0; kind < 2; kind++) {
            error[kind] = fmax(error[kind], worst(b, of_actuation, kind));
        }
        error[2] = fmax(error[2], worst_by_input(b, Dw));
    }
    printf("%s: Dq %.1e Dv %.1e Dw %.1e, %d of %d columns with kinks\n", what, error[0], error[1],
           error[2], b->kinks, b->columns);
    for (int kind = 0; kind < 3; kind++) {
        CHECK(error[kind] <= 1e-8);
    }
    CHECK(b->kinks * 20 <= b->columns);
}

static void compare_actuators(const char *what, const char *rest, const char *joint)
{
    bench *b = bench_open("gravity='1 2 -9'", body_text("", joint[0] != '\0', joint), rest, false);
    compare_actuation(b, what, STATES);
    bench_close(b);
}

static void actuators_push(void)
{
    compare_actuators("actuators of joints",
                      "<actuator><general joint='h1' gainprm='3 2 .4' gaintype='affine'"
                      " biastype='affine' biasprm='.1 -4 -.3' gear='2'/>"
                      "<position joint='ball' kp='7' kv='.5' gear='1 .5 -2'/>"
                      "<general jointinparent='ball' gear='.3 1 .4' gainprm='2 3 .1'"
                      " gaintype='affine' biastype='affine' biasprm='0 -3 -.2'/>"
                      "<general jointinparent='root' gear='.3 1 .4 -1 .2 .7' gainprm='5'/>"
                      "<motor joint='root' gear='1 .2 .3 .4 .5 .6'/>"
                      "<general joint='h4' dyntype='filter' dynprm='.1' gainprm='2 -1 .2'"
                      " gaintype='affine' forcerange='-1 1' forcelimited='true'/></actuator>",
                      "");
    compare_actuators("muscles",
                      "<tendon><spatial name='a'><site site='w0'/><site site='s2'/></spatial>"
                      "</tendon><actuator><muscle joint='h1' range='.6 1.5' lengthrange='-.8 .9'/>"
                      "<muscle tendon='a' lengthrange='.1 1.5' force='50'/></actuator>",
                      "");
    compare_actuators("actuators of tendons",
                      "<tendon><spatial name='a'><site site='w0'/><site site='s2'/></spatial>"
                      "<fixed name='f'><joint joint='h1' coef='.7'/><joint joint='h4' coef='-.4'/>"
                      "</fixed></tendon><actuator><position tendon='a' kp='30' kv='3' gear='1.5'/>"
                      "<position tendon='f' kp='20' kv='2' gear='-2'/></actuator>",
                      "");
    compare_actuators("actuators of sites",
                      "<actuator><general site='s2' gear='1 .4 -.3 .2 .5 -.6' gainprm='4'/>"
                      "<general site='s1' refsite='s5' gear='1 .4 -.3 0 0 0' gainprm='4 1 .1'"
                      " gaintype='affine' biastype='affine' biasprm='0 -5 -.4'/>"
                      "<general site='s2' refsite='s1' gear='.2 .1 .6 .5 -.4 1' gainprm='4 1 .1'"
                      " gaintype='affine' biastype='affine' biasprm='0 -5 -.4'/>"
                      "<general cranksite='s4' slidersite='s2' cranklength='1.5' gear='2'"
                      " gainprm='4 1 .1' gaintype='affine' biastype='affine' biasprm='0 -5 -.4'/>"
                      "<general cranksite='s3' slidersite='w0' cranklength='.01' gainprm='3'/>"
                      "</actuator>",
                      "");
}

static void limits_hold_what_actuators_do_together(void)
{
    bench *b =
        bench_open("gravity='1 2 -9'", body_text("", true, "actuatorgravcomp='true'"),
                   "<tendon><spatial name='a' actuatorfrclimited='true' actuatorfrcrange='-2 "
                   "2'><site site='w0'/><site site='s2'/>"
                   "</spatial></tendon><actuator><position tendon='a' kp='3' kv='1' gear='1.5'/>"
                   "<general tendon='a' gainprm='4 2 .3' gaintype='affine' gear='-.4'/>"
                   "<motor tendon='a' gear='2'/><position joint='h2' kp='20' kv='1'/>"
                   "<motor joint='h2' gear='3'/></actuator>",
                   false);
    const int h2 = sal_model_find(b->m, SAL_OBJ_JOINT, "h2"), dof = b->m->jnt_dofadr[h2];
    int held[2] = {0, 0};
    b->m->jnt_actfrclimited[h2] = 1;
    b->m->jnt_actfrcrange[2 * h2] = -5;
    b->m->jnt_actfrcrange[2 * h2 + 1] = 6;
    for (int seed = 0; seed < 3 * STATES; seed++) {
        double r[NV];
        random_state(b, seed);
        of_actuation(b, r);
        const double *F = b->d->actuator_force, sum = F[0] + F[1] + F[2];
        held[0] += fabs(fabs(sum) - 2) < 1e-12;
        held[1] += r[dof] == -5 || r[dof] == 6;
    }
    printf("held: tendon %d, joint %d of %d\n", held[0], held[1], 3 * STATES);
    for (int i = 0; i < 2; i++) { /* sometimes */
        CHECK(held[i] > STATES / 4 && held[i] < 3 * STATES - STATES / 4);
    }
    compare_actuation(b, "limits of joints and tendons", 3 * STATES);
    bench_close(b);
}

/* Shapes of which some touch, on the ground and each other. */
static void adhesion_follows_the_contacts(void)
{
    bench *b = bench_open(
        "",
        "<worldbody><geom name='floor' type='plane' size='5 5 1'/>"
        "<body name='a' pos='0 0 .1'><freejoint/><geom type='sphere' size='.3'/></body>"
        "<body name='b' pos='.3 .2 .3'><joint type='ball'/><joint type='slide' axis='1 .3 .2'/>"
        "<geom type='capsule' size='.2 .3'/><body pos='.2 0 .3'><joint axis='0 1 0'/>"
        "<geom type='sphere' size='.2' pos='.3 .1 0'/></body></body></worldbody>",
        "<actuator><adhesion body='a' gain='6' ctrlrange='0 2'/><adhesion body='b' gain='3'"
        " ctrlrange='0 2'/></actuator>",
        false);
    int touching = 0;
    for (int seed = 0; seed < STATES; seed++) {
        double r[NV];
        random_state(b, seed);
        of_actuation(b, r);
        touching += b->d->ncon;
    }
    CHECK(touching > STATES);
    compare_actuation(b, "adhesion", STATES);
    bench_close(b);
}

int main(void)
{
    RUN(gravity_is_compensated);
    RUN(compensation_of_actuators_is_not_passive);
    RUN(medium_resists);
    RUN(connected_points_pull);
    RUN(welded_bodies_pull_and_turn);
    RUN(tendons_pull);
    RUN(smoothed_law_of_tendons_is_followed);
    RUN(armature_turns_with_the_tendon);
    RUN(lengths_of_tendons_are_tied);
    RUN(applied_wrench_stays_in_the_world);
    RUN(actuators_push);
    RUN(limits_hold_what_actuators_do_together);
    RUN(adhesion_follows_the_contacts);
    return check_done();
}
