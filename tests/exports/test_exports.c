/* Whole periods of cycles, frames between rows, and the formats as far as the library makes them;
 * agree.py looks at their files (tests/cli/test_export.c). */
#include "exports/formats.h"
#include "tests/memory.h"
#include "tests/problems/motions.h"
#include "tests/problems/problem_files.h"
#include "tests/problems/solve_file.h"

/* |a - b| of the largest entry of b */
static double differ(const double *a, const double *b, int n)
{
    double most = 0, scale = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        scale = fmax(scale, fabs(b[i]));
    }
    return most / fmax(scale, 1e-300);
}

static sal_export_options once(double rate)
{
    return (sal_export_options){.rate = rate, .cycles = 1};
}

/* ---- whole periods ---- */

/* The first period is the result's, to the last bit but for its last step, which looks at the image
 * of the first row; the others are images of it, though their forces and contacts are computed from
 * the configurations. */
static void check_periods(const sal_result *r, const sal_result *whole, int periods)
{
    const sal_model *m = r->model;
    const int N = r->nstep, nv = m->nv, nu = m->nu;
    CHECK(whole->nstep == periods * N);
    const size_t row = (size_t)((N - 1) * nv) * sizeof(double);
    CHECK(memcmp(whole->qacc, r->qacc, row) == 0);
    CHECK(memcmp(whole->qfrc_inverse, r->qfrc_inverse, row) == 0);
    CHECK(memcmp(whole->qfrc_constraint, r->qfrc_constraint, row) == 0);
    CHECK(memcmp(whole->contact_force, r->contact_force,
                 6 * (size_t)r->contact_offset[N - 1] * sizeof(double)) == 0);
    CHECK(memcmp(whole->ctrl, r->ctrl, (size_t)(N * nu) * sizeof(double)) == 0);
    double *image = sal_alloc((size_t)nv, sizeof *image), worst = 0;
    for (int t = N; t < periods * N; t++) {
        const double *const arrays[] = {whole->qfrc_inverse, whole->qacc, whole->qfrc_constraint,
                                        whole->qfrc_actuator};
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
            sal_image_velocity(r->image, m, image, arrays[i] + (t - N) * nv);
            worst = fmax(worst, differ(arrays[i] + t * nv, image, nv));
        }
        CHECK(whole->contact_offset[t + 1] - whole->contact_offset[t] ==
              whole->contact_offset[t + 1 - N] - whole->contact_offset[t - N]);
    }
    printf("images of forces: %.2g\n", worst);
    CHECK(worst < 1e-8);
    CHECK_NEAR(whole->time[periods * N], periods * N * r->timestep, 1e-12);
    CHECK(isnan(whole->ctrl[periods * N * nu]) && isnan(whole->qfrc_actuator[periods * N * nv]));
    sal_free(image);
}

/* 1.2 m/s along x for 2 s, in two cycles of two halves */
static void periods_are_images(void)
{
    sal_result *r = solve_file("examples/walker_walk.xml", NULL), *whole = NULL;
    sal_err err = {0};
    CHECK_OK(sal_result_unroll(&whole, r, 2, &err), err);
    if (whole != NULL) {
        CHECK(r->ncontact > 0);
        check_periods(r, whole, 4);
        CHECK_NEAR(whole->qpos[4 * r->nstep * r->model->nq] - r->qpos[0], 2.4, 1e-9);
    }
    sal_result_free(whole);
    sal_result_free(r);
}

/* A ball that motors drive along an arc in free space */
static const char ball[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint name='root'/>"
    "<geom size='.1' mass='2'/></body></worldbody><actuator>"
    "<motor joint='root' gear='1 0 0 0 0 0'/><motor joint='root' gear='0 1 0 0 0 0'/>"
    "<motor joint='root' gear='0 0 1 0 0 0'/><motor joint='root' gear='0 0 0 1 0 0'/>"
    "<motor joint='root' gear='0 0 0 0 1 0'/><motor joint='root' gear='0 0 0 0 0 1'/>"
    "</actuator></mujoco>";

static const char arc[] =
    "<problem name='arc'><model file='ball.xml'/><time nstep='12' duration='1'/><boundary "
    "type='cycle'><travel joint='root' direction='3 4' speed='1.2' turn='.6'/></boundary><cost>"
    "<term name='effort' ctrl='all'/></cost><init noise='.01'/></problem>";

static sal_result *solve_arc(void)
{
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("ball.xml", ball, strlen(ball));
    files_write("arc.xml", arc, strlen(arc));
    CHECK_OK(sal_problem_read(&p, files_path("arc.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return r;
}

/* A cycle that turns goes on in another direction: forces in the axes of the world turn, by .6 rad
 * in each period. Frames at its end have the velocities of those in the middle of two periods. */
static void periods_that_turn(void)
{
    const sal_export_options one_cycle = once(0), two_cycles = {.cycles = 2};
    sal_result *r = solve_arc(), *whole = NULL;
    exp_frames one = {0}, two = {0};
    sal_err err = {0};
    if (r == NULL) {
        return;
    }
    CHECK_OK(sal_result_unroll(&whole, r, 3, &err), err);
    if (whole != NULL) {
        const int nv = 6, N = r->nstep;
        const double *f = whole->qfrc_inverse, *g = f + 2 * N * nv;
        check_periods(r, whole, 3);
        CHECK_NEAR(fabs(remainder(atan2(g[1], g[0]) - atan2(f[1], f[0]), 8 * atan(1))), 1.2, 1e-6);
        CHECK_OK(exp_frames_new(&one, r, &one_cycle, 12, &err), err);
        CHECK_OK(exp_frames_new(&two, r, &two_cycles, 12, &err), err);
        CHECK(one.n == N + 1 && two.n == 2 * N + 1);
        CHECK(differ(one.qvel + N * nv, two.qvel + N * nv, nv) < 1e-9);
    }
    exp_frames_clear(&one);
    exp_frames_clear(&two);
    sal_result_free(whole);
    sal_result_free(r);
}

static void an_open_motion_is_not_repeated(void)
{
    motion a;
    sal_result *whole = NULL;
    sal_err err = {0};
    motion_pendulum(&a);
    CHECK_OK(sal_result_unroll(&whole, a.r, 1, &err), err);
    CHECK(whole == NULL);
    CHECK(sal_result_unroll(&whole, a.r, 3, &err) == SAL_BADINPUT && whole == NULL);
    CHECK_TEXT(err.message,
               "the motion is open, so it cannot be repeated 3 times; only a cycle can");
    motion_clear(&a);
}

/* ---- frames ---- */

/* Velocities of bodies are J v, and v is the central difference of configurations. */
static void frames_of_a_cycle(void)
{
    motion a;
    exp_frames f;
    sal_data *d = NULL;
    sal_err err = {0};
    motion_cycle(&a);
    const sal_export_options options = once(0);
    const int nv = a.m->nv, nb = a.m->nbody, nq = a.m->nq;
    double *J = sal_alloc(6 * (size_t)nv, sizeof *J), *v = sal_alloc((size_t)nv, sizeof *v);
    CHECK_OK(sal_data_new(&d, a.m, &err), err);
    CHECK_OK(exp_frames_new(&f, a.r, &options, 70, &err), err);
    CHECK(f.n == 45 && f.step[44] == 31); /* of 0.64 s; the last in the step from 0.62 s on */
    for (int k = 0; k < f.n; k++) {
        memcpy(d->qpos, f.qpos + k * nq, (size_t)nq * sizeof *J);
        sal_kinematics(a.m, d);
        sal_com(a.m, d);
        for (int b = 1; b < nb; b++) {
            double linear[3] = {0}, angular[3] = {0}, central[3] = {0};
            for (int side = 0; side < 2; side++) {
                (side == 0 ? sal_jac_body : sal_jac_body_com)(a.m, d, J, J + 3 * nv, b);
                for (int i = 0; i < 3 * nv; i++) {
                    (side == 0 ? linear : central)[i / nv] += J[i] * f.qvel[k * nv + i % nv];
                    angular[i / nv] += side * J[3 * nv + i] * f.qvel[k * nv + i % nv];
                }
            }
            for (int i = 0; i < 3; i++) {
                CHECK_NEAR(f.linear[3 * (k * nb + b) + i], linear[i], 1e-12);
                CHECK_NEAR(f.central[3 * (k * nb + b) + i], central[i], 1e-12);
                CHECK_NEAR(f.angular[3 * (k * nb + b) + i], angular[i], 1e-12);
            }
        }
    }
    exp_frames_clear(&f);
    CHECK_OK(exp_frames_new(&f, a.r, &options, 50, &err), err); /* the rows themselves */
    CHECK(f.n == 2 * a.n + 1);
    for (int k = 0; k <= a.n; k++) {
        CHECK(differ(f.qpos + k * nq, a.r->qpos + k * nq, nq) < 1e-14);
    }
    for (int k = 1; k < f.n; k++) {
        sal_differentiate_pos(a.m, v, 0.04, f.qpos + (k - 1) * nq,
                              f.qpos + (k + 1 < f.n ? k + 1 : k) * nq);
        /* the translations of the free joint and the hinges: numbers of which differences are
         * taken as they are */
        for (int i = 0; i < nv && k + 1 < f.n; i += i == 2 ? 4 : 1) {
            CHECK_NEAR(f.qvel[k * nv + i], v[i], 1e-12);
        }
    }
    /* its ends are images of each other, velocities too */
    CHECK(differ(f.qvel + (f.n - 1) * nv, f.qvel, nv) < 1e-12);
    exp_frames_clear(&f);
    sal_data_free(d);
    sal_free(J);
    sal_free(v);
    motion_clear(&a);
}

/* The contacts of the floor on all bodies are what pushes a free root: their sum is its
 * qfrc_constraint, their moment about its origin that of its rotations, in its axes. */
static void loads_push_the_root(void)
{
    motion a;
    double worst = 0;
    int loaded = 0;
    motion_hopper(&a, false);
    exp_load *load = sal_alloc((size_t)a.m->nbody, sizeof *load);
    for (int t = 0; t < a.n; t++) {
        double force[3] = {0}, moment[3] = {0}, lever[3], own[3], back[4];
        const double *x = a.r->xpos + 3 * (t * a.m->nbody + 1);
        exp_loads(a.r, t, t % 2 == 0, load);
        for (int b = 1; b < a.m->nbody; b++) {
            sal_v3_add(force, force, load[b].force);
            sal_v3_add(moment, moment, load[b].moment);
            loaded += load[b].normal > 0;
        }
        sal_v3_cross(lever, x, force);
        sal_v3_sub(moment, moment, lever);
        sal_quat_conj(back, a.r->xquat + 4 * (t * a.m->nbody + 1));
        sal_quat_rotate(own, back, moment);
        for (int i = 0; i < 3; i++) {
            const double *root = a.r->qfrc_constraint + t * a.m->nv;
            worst = fmax(worst, fabs(force[i] - root[i]) / (1 + fabs(root[2])));
            worst = fmax(worst, fabs(own[i] - root[3 + i]) / (1 + fabs(root[2])));
        }
    }
    printf("loads: %.2g, %d of feet\n", worst, loaded);
    CHECK(worst < 1e-9 && loaded > 10);
    sal_free(load);
    motion_clear(&a);
}

/* A root of slides and hinges has a place and a quaternion, too; the joints behind them are those
 * that do not carry it. */
static void a_root_of_slides_and_hinges(void)
{
    static const char glider[] =
        "<mujoco><option timestep='.01'/><worldbody><body name='trunk' pos='.1 .2 1'>"
        "<joint name='ahead' type='slide' axis='1 0 0'/><joint name='up' type='slide' axis='0 0 "
        "1'/>"
        "<joint name='pitch' axis='0 1 0'/><geom size='.1'/><body name='leg'>"
        "<joint name='hip' axis='0 1 0'/><geom size='.1' pos='0 0 -.4'/></body></body></worldbody>"
        "<actuator><motor joint='hip'/></actuator></mujoco>";
    const double v0[4] = {1, 2, 3, -1};
    const sal_export_options options = {.cycles = 1, .rate = 100};
    sal_export out = {0};
    sal_err err = {0};
    motion a;
    motion_allocate(&a, glider, 20);
    motion_simulate(&a, v0);
    CHECK_OK(sal_result_export(&out, a.r, sal_export_find("unitree"), &options, &err), err);
    const char *line = out.file[0].text.data;
    for (int k = 0; k < 20 && line != NULL; k++) {
        const double *q = a.r->qpos + 4 * k,
                     want[8] = {.1 + q[0], .2, 1 + q[1], 0, sin(q[2] / 2), 0, cos(q[2] / 2), q[3]};
        for (int i = 0; i < 8; i++) {
            char *end;
            CHECK_NEAR(strtod(line, &end), want[i], 1e-8);
            line = end + 1;
        }
    }
    CHECK(line != NULL && line[-1] == '\n');
    sal_export_clear(&out);
    motion_clear(&a);
}

/* ---- what cannot be exported ---- */

static void refuse(const motion *a, const char *format, sal_export_options options,
                   const char *message)
{
    sal_export out;
    sal_err err = {0};
    CHECK(sal_result_export(&out, a->r, sal_export_find(format), &options, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, message);
    sal_export_clear(&out);
}

static void a_ball_is_no_number(void)
{
    static const char socket[] =
        "<mujoco><option timestep='.01'/><worldbody><body name='arm'><joint name='socket' "
        "type='ball'/><geom size='.1' pos='0 0 -1'/></body></worldbody></mujoco>";
    const double v0[3] = {1, 2, 3};
    sal_export out;
    sal_err err = {0};
    motion a;
    motion_allocate(&a, socket, 10);
    motion_simulate(&a, v0);
    refuse(&a, "mjlab", once(0),
           "joint 'socket' is a ball joint, and mjlab holds hinges and slides only; replace it by "
           "three hinges, or export to npz");
    refuse(&a, "unitree", once(0),
           "joint 'socket' is a ball joint, and unitree holds hinges and slides only; replace it "
           "by three hinges, or export to npz");
    static const char *const able[] = {"npz", "sto", "mot", "bvh"};
    for (size_t i = 0; i < sizeof able / sizeof able[0]; i++) {
        const sal_export_options options = once(0);
        CHECK_OK(sal_result_export(&out, a.r, sal_export_find(able[i]), &options, &err), err);
        CHECK(out.file[0].text.length > 100);
        sal_export_clear(&out);
    }
    motion_clear(&a);
}

static void options_that_do_not_fit(void)
{
    motion a;
    motion_pendulum(&a);
    refuse(&a, "npz", once(100),
           "--to npz has the rows of the result, so that it has no rate; leave out --rate, or "
           "export to mjlab");
    refuse(&a, "bvh", (sal_export_options){.gains = true},
           "--to bvh cannot hold gains; npz, mjlab, beyondmimic and gains can");
    refuse(&a, "mjlab", (sal_export_options){.cycles = 2},
           "the motion is open, so it cannot be repeated 2 times; only a cycle can");
    refuse(&a, "mjlab", once(1e9),
           "a rate of 1e+09 Hz makes 1e+09 frames of 1 s, which is too many");
    refuse(&a, "unitree", once(0),
           "unitree begins with the place of the root, so the model must have one free joint, or "
           "slides and hinges that carry it; export to csv or mjlab");
    CHECK(sal_export_find("nothing") == NULL && sal_export_format_at(100) == NULL);
    motion_clear(&a);
}

/* ---- memory ---- */

/* Each allocation fails once: an error, or the same files. */
static void starve(const motion *a, const char *format, bool gains)
{
    const sal_export_options options = {.cycles = 1, .gains = gains};
    const sal_export_format *f = sal_export_find(format);
    sal_export whole, out;
    sal_err err = {0};
    long failures = 0, n = 1;
    CHECK_OK(sal_result_export(&whole, a->r, f, &options, &err), err);
    for (bool over = false; !over; n += n < 200 ? 1 : n / 50) {
        memory_fails_at(n);
        const sal_status status = sal_result_export(&out, a->r, f, &options, &err);
        over = memory_was_enough(n);
        CHECK(status == SAL_NOMEM || status == SAL_OK);
        for (int i = 0; i < out.n && status == SAL_OK; i++) {
            CHECK(out.file[i].text.length == whole.file[i].text.length);
        }
        failures += status == SAL_NOMEM;
        sal_export_clear(&out);
    }
    printf("%s: %ld failures\n", format, failures);
    CHECK(failures > 5);
    sal_export_clear(&whole);
}

static void memory_runs_out(void)
{
    motion cycle, open;
    motion_cycle(&cycle);
    motion_pendulum(&open);
    for (int i = 0; sal_export_format_at(i) != NULL; i++) {
        starve(&cycle, sal_export_format_at(i)->name, false);
    }
    starve(&open, "npz", true);
    starve(&open, "mjlab", true);
    motion_clear(&cycle);
    motion_clear(&open);
}

int main(void)
{
    RUN(periods_are_images);
    RUN(periods_that_turn);
    RUN(an_open_motion_is_not_repeated);
    RUN(frames_of_a_cycle);
    RUN(loads_push_the_root);
    RUN(a_root_of_slides_and_hinges);
    RUN(a_ball_is_no_number);
    RUN(options_that_do_not_fit);
    RUN(memory_runs_out);
    return check_done();
}
