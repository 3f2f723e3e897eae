/* The Jacobian of a motion's outputs against differences of the whole motion, configuration by
 * configuration: another path, since it perturbs the three configurations themselves and not (q, v,
 * a). */
#include "tests/check.h"

#include "base/house.h"
#include "invdyn/invdyn.h"
#include "mjcf/mjcf.h"

/* what the models are given: the site of a whole foot, and all that is felt and seen there */
static const char foot[] = "<body name=\"left_foot\" pos=\"0 0 -.4362\">";
static const char sole[] =
    "<site name=\"sole\" type=\"box\" size=\".3 .3 .3\" pos=\".05 0 -.02\" quat=\".3 .9 .1 .2\"/>";
static const char sensors[] = "<sensor><accelerometer site=\"sole\"/><force site=\"sole\"/><torque "
                              "site=\"sole\"/><touch site=\"sole\"/>"
                              "<framelinacc objtype=\"body\" objname=\"left_shank\"/><frameangacc "
                              "objtype=\"body\" objname=\"left_shank\"/>"
                              "<gyro site=\"sole\"/><rangefinder site=\"sole\"/></sensor></mujoco>";
enum { NSTEP = 3, NSENSOR = 8, NOUTPUT = 6 + NSENSOR };

typedef struct setup {
    sal_model *m;
    sal_invdyn *w;
    int ny;
    double q[(NSTEP + 2) * 64];
    double y[NSTEP * 256], plus[NSTEP * 256], minus[NSTEP * 256];
    double *Y;
    sal_output output[NOUTPUT];
    unsigned char geoms[64];
} setup;

/* models/NAME.xml with sensors */
static sal_model *load(const char *name)
{
    const char *root = getenv("SALTUS_ROOT");
    char path[1024], *text;
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err;
    size_t length;
    snprintf(path, sizeof path, "%s/models/%s.xml", root == NULL ? "." : root, name);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &length, &err), err);
    const char *at = strstr(text, foot) + strlen(foot), *last = strstr(text, "</mujoco>");
    sal_text_addn(&xml, text, (size_t)(at - text));
    sal_text_add(&xml, sole);
    sal_text_addn(&xml, at, (size_t)(last - at));
    sal_text_add(&xml, sensors);
    CHECK_OK(sal_model_parse(&m, path, xml.data, xml.length, NULL, NULL, &err), err);
    sal_text_clear(&xml);
    sal_free(text);
    return m;
}

/* The pose lowered by `sink` so that feet touch; the whole motion moves a few centimetres a
 * step. */
static void begin(setup *s, const char *model, int seed, double sink, sal_derivatives derivatives,
                  sal_differences how)
{
    sal_err err;
    sal_data *d = NULL;
    memset(s, 0, sizeof *s);
    s->m = load(model);
    sal_model *m = s->m;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    memset(s->geoms, 1, sizeof s->geoms);
    m->opt.timestep = 0.02;
    m->opt.cone = SAL_CONE_ELLIPTIC;
    for (int p = 0; p < m->npair; p++) {
        const double solimp[5] = {0, 0.9, 0.1, 0.5, 2};
        memcpy(m->pair_solimp + 5 * p, solimp, sizeof solimp);
        m->pair_solref[2 * p] = 0.05;
    }
    s->output[0].kind = SAL_OUT_FORCE;
    s->output[1].kind = SAL_OUT_VELOCITY;
    s->output[2].kind = SAL_OUT_NORMAL, s->output[2].geoms = s->geoms;
    s->output[3].kind = SAL_OUT_POINT, s->output[3].point = sal_point_geom(m, m->ngeom - 1, 1);
    s->output[4].kind = SAL_OUT_JOINT, s->output[4].id = 0;
    for (int i = 0; i < NSENSOR; i++) {
        s->output[5 + i].kind = SAL_OUT_SENSOR, s->output[5 + i].id = i;
    }
    s->output[NOUTPUT - 1].kind = SAL_OUT_DISTANCE, s->output[NOUTPUT - 1].id = m->ngeom - 1;
    sal_kinematics(m, d);
    CHECK_OK(sal_point_settle(&s->output[3].point, m, d, &err), err);
    sal_data_free(d);
    CHECK_OK(sal_invdyn_new(&s->w, m, s->output, NOUTPUT, derivatives, how, 2, &err), err);
    s->ny = sal_invdyn_noutput(s->w);
    s->Y = calloc((size_t)(NSTEP * s->ny * (3 * m->nv + 1)), sizeof(double));
    sal_rng rng = {(unsigned)seed};
    double e[64];
    for (int k = 0; k < NSTEP + 2; k++) {
        for (int i = 0; i < m->nv; i++) {
            e[i] = sal_rng_uniform(&rng, -0.05, 0.05);
        }
        sal_integrate_pos(m, s->q + k * m->nq, m->qpos0, e, 1);
        s->q[k * m->nq + (m->jnt_type[0] == SAL_JNT_FREE ? 2 : 0)] -= sink;
    }
}

static void end(setup *s)
{
    sal_invdyn_free(s->w);
    free(s->Y);
    sal_model_free(s->m);
}

/* Column of configuration k, dof i, by central differences of all of y. */
static void differ(setup *s, int k, int i, double eps)
{
    sal_err err;
    const sal_model *m = s->m;
    double e[64] = {0}, kept[64], *q = s->q + k * m->nq;
    memcpy(kept, q, (size_t)m->nq * sizeof(double));
    e[i] = eps;
    sal_integrate_pos(m, q, kept, e, 1);
    CHECK_OK(sal_invdyn_eval(s->w, m, s->plus, &(sal_motion){.nstep = NSTEP, .q = s->q}, &err),
             err);
    e[i] = -eps;
    sal_integrate_pos(m, q, kept, e, 1);
    CHECK_OK(sal_invdyn_eval(s->w, m, s->minus, &(sal_motion){.nstep = NSTEP, .q = s->q}, &err),
             err);
    memcpy(q, kept, (size_t)m->nq * sizeof(double));
}

static void compare(const char *model, double sink, sal_derivatives derivatives)
{
    setup s;
    sal_err err;
    double contacts = 0;
    begin(&s, model, 7, sink, derivatives, SAL_FD_CENTRED);
    const sal_model *m = s.m;
    const int nv = m->nv, width = 3 * nv + 1;
    CHECK_OK(sal_invdyn_diff(s.w, m, NULL, s.y, s.Y, &(sal_motion){.nstep = NSTEP, .q = s.q}, &err),
             err);
    for (int t = 0; t < NSTEP; t++) {
        contacts += s.y[t * s.ny + s.output[2].adr];
    }
    CHECK(contacts > 0); /* feet carry load in this motion */
    for (int k = 0; k < NSTEP + 2; k++) {
        for (int i = 0; i < nv; i++) {
            const double eps = 1e-7; /* a changes by eps/h^2 = 2.5e-4 */
            differ(&s, k, i, eps);
            for (int t = 0; t < NSTEP; t++) {
                double scale = 0;
                for (int r = 0; r < s.ny; r++) {
                    scale = fmax(scale, fabs(s.plus[t * s.ny + r]));
                }
                for (int r = 0; r < s.ny; r++) {
                    const double slope = (s.plus[t * s.ny + r] - s.minus[t * s.ny + r]) / (2 * eps);
                    const double column =
                        k < t || k > t + 2 ? 0 : s.Y[(t * s.ny + r) * width + (k - t) * nv + i];
                    /* rounding of forces of size `scale` differenced at eps, and curvature */
                    CHECK_NEAR(column, slope,
                               1e-6 * fabs(slope) + 20 * 2.2e-16 * scale / eps * 1e3 + 1e-5);
                }
            }
        }
    }
    end(&s);
}

static void planar_walker(void)
{
    compare("walker", 0, SAL_DERIV_FD);
    compare("walker", 0, SAL_DERIV_AUTO);
}

static void free_person(void)
{
    compare("person", 0.03, SAL_DERIV_FD);
    compare("person", 0.03, SAL_DERIV_AUTO);
}

/* The derivative with respect to log h: all configurations fixed, the time step stretched. */
static void stretch(sal_derivatives derivatives)
{
    setup s;
    sal_err err;
    sal_model *mh = NULL;
    const double eps = 1e-6;
    begin(&s, "walker", 3, 0, derivatives, SAL_FD_FORWARD);
    sal_model *m = s.m;
    const double h = m->opt.timestep;
    const int width = 3 * m->nv + 1;
    CHECK_OK(sal_model_copy(&mh, m, &err), err);
    mh->opt.timestep = h * (1 + SAL_FD_STEP);
    CHECK_OK(sal_invdyn_diff(s.w, m, mh, s.y, s.Y, &(sal_motion){.nstep = NSTEP, .q = s.q}, &err),
             err);
    m->opt.timestep = h * exp(eps);
    CHECK_OK(sal_invdyn_eval(s.w, m, s.plus, &(sal_motion){.nstep = NSTEP, .q = s.q}, &err), err);
    m->opt.timestep = h * exp(-eps);
    CHECK_OK(sal_invdyn_eval(s.w, m, s.minus, &(sal_motion){.nstep = NSTEP, .q = s.q}, &err), err);
    for (int k = 0; k < NSTEP * s.ny; k++) {
        const double slope = (s.plus[k] - s.minus[k]) / (2 * eps);
        CHECK_NEAR(s.Y[(k + 1) * width - 1], slope, 1e-4 * fabs(slope) + 1e-4);
    }
    sal_model_free(mh);
    end(&s);
}

static void time_step(void)
{
    stretch(SAL_DERIV_FD);
    stretch(SAL_DERIV_AUTO);
}

/* Of a site that moves by q(s) = q (+) (v s + a s^2 / 2): R'(x'' - g) by differences of its
 * position, and what touches it as the sum of all contacts of the foot. */
static void readings_are_those_of_the_motion(void)
{
    setup s;
    sal_err err;
    sal_data *d = NULL, *moved = NULL;
    begin(&s, "person", 7, 0.03, SAL_DERIV_FD, SAL_FD_FORWARD);
    const sal_model *m = s.m;
    const int site = sal_model_find(m, SAL_OBJ_SITE, "sole"), body = m->site_bodyid[site];
    const double eps = 1e-4;
    double touched = 0;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_data_new(&moved, m, &err), err);
    CHECK_OK(sal_invdyn_eval(s.w, m, s.y, &(sal_motion){.nstep = NSTEP, .q = s.q}, &err), err);
    for (int t = 0; t < NSTEP; t++) {
        const double *y = s.y + t * s.ny;
        double x[3][3], e[64], felt[3], force[6], sum = 0;
        CHECK_OK(sal_motion_step(m, d, s.q + t * m->nq, &err), err);
        for (int k = -1; k <= 1; k++) {
            for (int i = 0; i < m->nv; i++) {
                e[i] = k * eps * d->qvel[i] + 0.5 * eps * eps * d->qacc[i] * (k != 0);
            }
            sal_integrate_pos(m, moved->qpos, d->qpos, e, 1);
            sal_kinematics(m, moved);
            sal_v3_copy(x[k + 1], moved->site_xpos + 3 * site);
        }
        for (int k = 0; k < 3; k++) {
            x[0][k] = (x[0][k] - 2 * x[1][k] + x[2][k]) / (eps * eps) - m->opt.gravity[k];
        }
        sal_m3_multv(felt, d->site_xmat + 9 * site, x[0]);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(y[s.output[5].adr + k], felt[k], 1e-3 + 1e-4 * sal_v3_norm(felt));
        }
        for (int i = 0; i < d->ncon; i++) {
            sal_contact_force(m, d, i, force);
            sum += m->geom_bodyid[d->contact[i].geom2] == body ? force[0] : 0;
        }
        touched += sum;
        CHECK_NEAR(y[s.output[8].adr], sum, 1e-9 * sum);
    }
    CHECK(touched > 0);
    sal_data_free(d);
    sal_data_free(moved);
    end(&s);
}

static void same_bits(sal_derivatives derivatives)
{
    setup s;
    sal_err err;
    sal_invdyn *one = NULL;
    begin(&s, "person", 5, 0, derivatives, SAL_FD_FORWARD);
    const size_t n = (size_t)(NSTEP * s.ny * (3 * s.m->nv + 1));
    double *Y1 = calloc(n, sizeof(double)), y1[NSTEP * 256];
    CHECK_OK(sal_invdyn_new(&one, s.m, s.output, NOUTPUT, derivatives, SAL_FD_FORWARD, 1, &err),
             err);
    CHECK_OK(
        sal_invdyn_diff(s.w, s.m, NULL, s.y, s.Y, &(sal_motion){.nstep = NSTEP, .q = s.q}, &err),
        err);
    CHECK_OK(sal_invdyn_diff(one, s.m, NULL, y1, Y1, &(sal_motion){.nstep = NSTEP, .q = s.q}, &err),
             err);
    CHECK(memcmp(s.Y, Y1, n * sizeof(double)) == 0);
    CHECK(memcmp(s.y, y1, (size_t)(NSTEP * s.ny) * sizeof(double)) == 0);
    sal_invdyn_free(one);
    free(Y1);
    end(&s);
}

static void same_bits_for_any_threads(void)
{
    same_bits(SAL_DERIV_FD);
    same_bits(SAL_DERIV_AUTO);
}

static void allocate_nothing(sal_derivatives derivatives)
{
    setup s;
    sal_err err;
    begin(&s, "walker", 5, 0, derivatives, SAL_FD_FORWARD);
    const long before = sal_alloc_count();
    for (int i = 0; i < 100; i++) {
        CHECK_OK(sal_invdyn_eval(s.w, s.m, s.y, &(sal_motion){.nstep = NSTEP, .q = s.q}, &err),
                 err);
        CHECK_OK(sal_invdyn_diff(s.w, s.m, NULL, s.y, s.Y, &(sal_motion){.nstep = NSTEP, .q = s.q},
                                 &err),
                 err);
    }
    CHECK(sal_alloc_count() == before);
    end(&s);
}

static void nothing_is_allocated(void)
{
    allocate_nothing(SAL_DERIV_FD);
    allocate_nothing(SAL_DERIV_AUTO);
}

int main(void)
{
    RUN(planar_walker);
    RUN(free_person);
    RUN(time_step);
    RUN(readings_are_those_of_the_motion);
    RUN(same_bits_for_any_threads);
    RUN(nothing_is_allocated);
    return check_done();
}
