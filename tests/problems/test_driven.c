/* Motions whose actuators have variables of their own: tendons that only pull, muscles, activations
 * in a mirrored cycle. Jacobians against differences, results by what they are, controls by where
 * they lead through the forward dynamics. */
#include "tests/problems/example.h"
#include "tests/problems/problem_files.h"
#include "tests/problems/read_example.h"

#include "guide/guide.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static double least(const double *x, int n)
{
    double low = x[0];
    for (int i = 1; i < n; i++) {
        low = fmin(low, x[i]);
    }
    return low;
}

/* How far the last row's sensor is from the target, in x and z */
static double miss(const sal_result *r, double x, double z)
{
    const double *at = r->sensordata + r->nstep * r->model->nsensordata;
    return hypot(at[0] - x, at[2] - z);
}

/* Forward dynamics under the controls alone: one step each, and from row 0 all the way to within
 * `end`. */
static void controls_lead_there(const sal_result *r, double end)
{
    sal_replay replay = {0};
    sal_err err = {0};
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    CHECK_NEAR(replay.onestep_qpos, 0, 1e-8);
    CHECK_NEAR(replay.onestep_qvel, 0, 1e-8);
    CHECK_NEAR(replay.onestep_act, 0, 1e-12);
    CHECK_NEAR(replay.rollout_qpos[r->nstep - 1], 0, end);
    sal_replay_clear(&replay);
}

static void a_finger_is_drawn_by_tendons(void)
{
    measure x;
    sal_result *r = example_solve("finger_reach", &x);
    if (r == NULL) {
        return;
    }
    const int nu = r->model->nu, nv = r->model->nv, N = r->nstep;
    const figure figures[] = {{"tip_error", miss(r, 0.05, -0.05), 2e-5},
                              {"end_velocity", largest(r->qvel + N * nv, 3), 1e-9},
                              {"push", -least(r->ctrl, N * nu), 1e-9}};
    example_log("finger_reach", r, figures, 3);
    CHECK(nu == 4 && nv == 3);
    controls_lead_there(r, 1e-6);
    sal_result_free(r);
}

static void an_arm_is_moved_by_muscles(void)
{
    measure x;
    sal_result *r = example_solve("arm_muscles", &x);
    if (r == NULL) {
        return;
    }
    const int na = r->model->na, N = r->nstep;
    const figure figures[] = {{"hand_error", miss(r, 0.40, 0.05), 2e-4},
                              {"end_velocity", largest(r->qvel + N * 2, 2), 1e-9},
                              {"below_zero", -least(r->act, (N + 1) * na), 1e-9},
                              {"above_one", largest(r->act, (N + 1) * na) - 1, 1e-9}};
    example_log("arm_muscles", r, figures, 4);
    CHECK(na == 6 && largest(r->act, na) > 0);
    controls_lead_there(r, 1e-6);
    sal_result_free(r);
}

/* ---- the walker, its motors behind filters ---- */

static char *walker_with_filters(void)
{
    const char *root = getenv("SALTUS_ROOT");
    char path[1024], *text = NULL;
    sal_text out = {0};
    sal_err err = {0};
    size_t n = 0;
    snprintf(path, sizeof path, "%s/models/walker.xml", root == NULL ? "." : root);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &n, &err), err);
    for (const char *at = text, *next = NULL; at != NULL; at = next) {
        next = strstr(at, "<motor");
        sal_text_addn(&out, at, next == NULL ? strlen(at) : (size_t)(next - at));
        if (next != NULL) {
            sal_text_add(&out, "<general dyntype='filterexact' dynprm='.02'");
            next += strlen("<motor");
        }
    }
    sal_free(text);
    return out.data;
}

static sal_problem *read_filtered_walk(void)
{
    char *model = walker_with_filters(), *example = NULL, path[1024];
    const char *root = getenv("SALTUS_ROOT");
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    size_t n = 0;
    files_write("m.xml", model, strlen(model));
    snprintf(path, sizeof path, "%s/examples/walker_walk.xml", root == NULL ? "." : root);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &example, &n, &err), err);
    const char *text = files_replace(example, "../models/walker.xml", "m.xml");
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    sal_free(model);
    sal_free(example);
    return p;
}

static void a_walker_with_activations_walks(void)
{
    sal_problem *p = read_filtered_walk();
    sal_result *r = NULL;
    sal_err err = {0};
    CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    if (r != NULL) {
        const int na = r->model->na, N = r->nstep;
        printf("    %s, cost %.4f, %d linearisations\n", r->status, r->cost,
               r->optim.linearisations);
        CHECK(r->exit_code == 0 && na == 6);
        for (int a = 0; a < na; a++) { /* left and right change places */
            const int other = (a + 3) % 6;
            CHECK_NEAR(r->act[N * na + a], r->act[other], 1e-12);
        }
        controls_lead_there(r, 1e-2); /* a gait falls of itself */
    }
    sal_result_free(r);
    sal_problem_free(p);
}

/* ---- Jacobians ---- */

/* `kinks`: at the first guess activations are constant, where the time constants of muscles jump */
static void check_jacobian(sal_problem *p, bool kinks)
{
    double error = 1, paths = 1;
    sal_err err = {0};
    CHECK(p != NULL);
    if (p != NULL) {
        CHECK_OK(sal_problem_check_derivatives(p, &error, &paths, &err), err);
        printf("    %s: %.1e against differences, %.1e by steps\n", p->name, error, paths);
        CHECK(error < (kinks ? 1e-5 : 1e-6));
        CHECK(kinks || paths < 1e-6);
    }
    sal_problem_free(p);
}

static void jacobians_agree_with_differences(void)
{
    check_jacobian(read_example("finger_reach"), false);
    check_jacobian(read_example("arm_muscles"), true);
    check_jacobian(read_filtered_walk(), false);
}

/* ---- more actuators than dofs: a motor, a servo, a force at a site, a servo whose target is
 * integrated ---- */

static const char redundant_model[] =
    "<mujoco><compiler angle='radian'/><option timestep='.01'/><worldbody>\n"
    "<body name='cart' pos='0 0 1'><joint name='x' type='slide' axis='1 0 0' damping='1'/><geom "
    "type='box' size='.1 .1 .05' mass='2' contype='0' conaffinity='0'/>\n"
    "<body name='pole'><joint name='th' axis='0 1 0' damping='.05'/><geom type='capsule' fromto='0 "
    "0 0 0 0 -.6' size='.03' mass='1' contype='0' conaffinity='0'/><site name='tip' pos='0 0 "
    "-.6'/></body></body></worldbody>\n"
    "<actuator><motor name='a' joint='x' gear='5' ctrlrange='-4 4' ctrllimited='true'/><position "
    "name='b' joint='x' kp='30' kv='2'/><motor name='c' site='tip' gear='3 0 0 0 0 0' "
    "ctrlrange='-1 1' ctrllimited='true'/><intvelocity name='d' joint='th' kp='2' actrange='-3 "
    "3'/></actuator>\n"
    "<keyframe><key name='k' qpos='0 0'/></keyframe></mujoco>\n";

static const char redundant_problem[] =
    "<problem name='red'><model file='m.xml'/><time nstep='40' duration='0.8'/>\n"
    "<boundary type='open'><start key='k'/><end qpos='.5 .8' qvel='0'/></boundary>\n"
    "<cost><term name='effort' force='all' weight='0.01'/></cost></problem>\n";

static void redundant_actuators_share_the_work(void)
{
    static const char *const integrator[] = {"Euler", "implicit", "implicitfast"};
    files_write("m.xml", redundant_model, strlen(redundant_model));
    files_write("p.xml", redundant_problem, strlen(redundant_problem));
    for (int i = 0; i < 3; i++) {
        const sal_setting setting = {"option/integrator", integrator[i]};
        const sal_problem_options options = {.setting = &setting, .nsetting = 1};
        sal_problem *p = NULL;
        sal_result *r = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        CHECK_OK(sal_problem_read(&p, files_path("p.xml"), &options, &diag, &err), err);
        CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
        if (r != NULL) {
            printf("    %s: %s, cost %.5f\n", integrator[i], r->status, r->cost);
            CHECK(r->exit_code == 0 && r->model->nu == 4 && r->model->nv == 2);
            controls_lead_there(r, 1e-8);
            for (int t = 0; t <= r->nstep; t++) {
                CHECK(fabs(r->act[t]) <= 3); /* actrange */
            }
        }
        sal_result_free(r);
        if (i == 0) {
            check_jacobian(p, false);
        } else {
            sal_problem_free(p);
        }
        sal_diag_clear(&diag);
    }
}

/* An evaluation of residuals and Jacobian takes no memory. */
static void an_evaluation_allocates_nothing(void)
{
    prb_transcription *tr = NULL;
    sal_problem *p = read_example("arm_muscles");
    sal_err err = {0};
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    double *x = calloc((size_t)tr->layout.nx, sizeof *x);
    double *r = calloc(tr->r_adr[tr->nblock], sizeof *r);
    double *J = calloc(tr->J_adr[tr->nblock], sizeof *J);
    CHECK_OK(prb_guess(tr, x, 1, &err), err);
    CHECK_OK(tr->nls.linearise(tr, r, J, x, &err), err);
    const long before = sal_alloc_count();
    for (int i = 0; i < 20; i++) {
        CHECK_OK(tr->nls.linearise(tr, r, J, x, &err), err);
    }
    CHECK(sal_alloc_count() == before);
    free(x), free(r), free(J);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* The result of the pendulum's swing-up with such settings; NULL, and a fault of the case, if there
 * is none */
static sal_result *swing_up(const sal_setting *setting, int nsetting, bool driven)
{
    const sal_problem_options options = {.setting = setting, .nsetting = nsetting};
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_problem_read(&p, example_path("pendulum_swingup.xml"), &options, &diag, &err),
             err);
    if (p != NULL) {
        CHECK(p->driven == driven);
        CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
        CHECK(r != NULL && r->exit_code == 0);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return r;
}

/* A torque that could be eliminated, but is applied by a joint that also compensates (next to no)
 * gravity, swings the pendulum up by the same work. */
static void variables_find_what_elimination_finds(void)
{
    const sal_setting compensated[] = {{"joint/actuatorgravcomp", "true"},
                                       {"body/gravcomp", "1e-12"}};
    double effort[2] = {0};
    for (int driven = 0; driven < 2; driven++) {
        sal_result *r = swing_up(compensated, 2 * driven, driven != 0);
        effort[driven] = r == NULL ? 0 : r->term[0].value;
        sal_result_free(r);
    }
    printf("    effort %.4f eliminated, %.4f by variables\n", effort[0], effort[1]);
    CHECK_NEAR(effort[1], effort[0], 0.05 * effort[0]);
}

/* What a joint limits, its only actuator keeps: the motion is that of an actuator with a forcerange
 * of the same torque, to the last bit, and reaches the limit. */
static void the_range_of_a_joint_is_that_of_its_motor(void)
{
    const sal_setting joint = {"joint/actuatorfrcrange", "-3 3"},
                      motor = {"motor/forcerange", "-3 3"};
    sal_result *a = swing_up(&joint, 1, false), *b = swing_up(&motor, 1, false);
    if (a != NULL && b != NULL) {
        const int n = a->nstep * a->model->nv;
        CHECK(memcmp(a->qpos, b->qpos, (size_t)(n * (int)sizeof(double))) == 0);
        CHECK_NEAR(largest(a->qfrc_actuator, n), 3, 1e-6);
        controls_lead_there(a, 1e-4);
    }
    sal_result_free(a);
    sal_result_free(b);
}

/* ---- a walker whose motors could be eliminated, made driven by next to no compensation ---- */

enum { LEG = 6 }; /* its joints, which are those of its motors */

static sal_problem *read_walk(const char *noise, bool driven)
{
    static const char *const joint[LEG] = {"left_hip",  "left_knee",  "left_ankle",
                                           "right_hip", "right_knee", "right_ankle"};
    char path[LEG][64];
    sal_setting setting[LEG + 3] = {{"init/noise", noise}, {"init/nstart", "1"}};
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    setting[2] = (sal_setting){"body[torso]/gravcomp", "1e-12"};
    for (int j = 0; j < LEG; j++) {
        snprintf(path[j], sizeof path[j], "joint[%s]/actuatorgravcomp", joint[j]);
        setting[3 + j] = (sal_setting){path[j], "true"};
    }
    const sal_problem_options options = {.setting = setting, .nsetting = driven ? LEG + 3 : 2};
    CHECK_OK(sal_problem_read(&p, example_path("walker_walk.xml"), &options, &diag, &err), err);
    CHECK(p != NULL && p->driven == driven);
    sal_diag_clear(&diag);
    return p;
}

/* What actuators lack at a joint of the guess, over its unit; 0 where a control is at its bound */
static double lacking(const prb_transcription *tr, int t, int a)
{
    const sal_model *m = tr->model;
    const double *y = tr->y + (size_t)t * (size_t)tr->ny, *range = m->actuator_ctrlrange + 2 * a;
    const double u = y[tr->out_control + a];
    const int dof = m->jnt_dofadr[m->actuator_trnid[a]];
    const double left = y[tr->out_force + dof] - y[tr->out_actuation + dof];
    CHECK(u >= range[0] - 1e-12 && u <= range[1] + 1e-12);
    if (u <= range[0] + 1e-9 || u >= range[1] - 1e-9) { /* as far as it goes, on the right side */
        CHECK(left * u * m->actuator_gear[6 * a] >= -1e-9);
        return 0;
    }
    return fabs(left) / tr->map->unit[dof];
}

/* The controls of a guess give what its inverse dynamics ask for, also where it is shaken, as far
 * as their ranges go. */
static void a_guess_begins_with_its_inverse_dynamics(void)
{
    static const char *const noise[] = {"0", "0.02"};
    for (int i = 0; i < 2; i++) {
        sal_problem *p = read_walk(noise[i], true);
        prb_transcription *tr = NULL;
        sal_err err = {0};
        CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
        double *x = calloc((size_t)tr->layout.nx, sizeof *x);
        double *r = calloc(tr->r_adr[tr->nblock], sizeof *r), most = 0;
        int within = 0;
        CHECK_OK(prb_guess(tr, x, 1, &err), err);
        CHECK_OK(tr->nls.residual(tr, r, x, &err), err);
        for (int t = 0; t < p->nstep; t++) {
            for (int a = 0; a < p->model->nu; a++) {
                const double u = tr->y[(size_t)t * (size_t)tr->ny + (size_t)(tr->out_control + a)];
                within += fabs(u) > 1e-3 && fabs(u) < 0.999;
                most = fmax(most, lacking(tr, t, a));
            }
        }
        printf("    noise %s: %d of %d controls within their ranges, lacking %.1e\n", noise[i],
               within, p->nstep * p->model->nu, most);
        CHECK(within > p->nstep && most < 1e-5);
        free(x), free(r);
        prb_transcription_free(tr);
        sal_problem_free(p);
    }
}

/* A driven motion takes at most half as many linearisations again. */
static void a_driven_walk_is_found_as_soon(void)
{
    int taken[2] = {0};
    for (int driven = 0; driven < 2; driven++) {
        sal_problem *p = read_walk("0.02", driven != 0);
        sal_result *r = NULL;
        sal_err err = {0};
        CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
        CHECK(r != NULL && r->exit_code == 0);
        taken[driven] = r == NULL ? 0 : r->optim.linearisations;
        if (r != NULL && driven) {
            controls_lead_there(r, 1e-2);
        }
        sal_result_free(r);
        sal_problem_free(p);
    }
    printf("    %d linearisations eliminated, %d driven\n", taken[0], taken[1]);
    CHECK(taken[0] > 0 && 2 * taken[1] <= 3 * taken[0]);
}

int main(void)
{
    RUN(a_finger_is_drawn_by_tendons);
    RUN(an_arm_is_moved_by_muscles);
    RUN(a_walker_with_activations_walks);
    RUN(jacobians_agree_with_differences);
    RUN(redundant_actuators_share_the_work);
    RUN(an_evaluation_allocates_nothing);
    RUN(variables_find_what_elimination_finds);
    RUN(the_range_of_a_joint_is_that_of_its_motor);
    RUN(a_guess_begins_with_its_inverse_dynamics);
    RUN(a_driven_walk_is_found_as_soon);
    files_remove();
    return check_done();
}
