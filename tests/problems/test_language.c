/* What a problem file says of when, how much and how exactly, read off the motions it leads to. */
#include "tests/check.h"
#include "tests/problems/problem_files.h"

#include "problems/result/result.h"

#include <math.h>

/* A pendulum with a strong motor: 1 kg at 1 m, ctrl in N m. */
static const char model[] =
    "<mujoco><compiler angle='radian'/><worldbody><body>"
    "<joint name='hinge' type='hinge' axis='0 -1 0'/>"
    "<inertial pos='0 0 -1' mass='1' diaginertia='1e-6 1e-6 1e-6'/>"
    "<geom name='bob' type='sphere' pos='0 0 -1' size='.06' contype='0' conaffinity='0'/>"
    "<site name='tip' pos='0 0 -1'/></body></worldbody>"
    "<actuator><motor name='motor' joint='hinge' ctrllimited='true' ctrlrange='-40 40'/></actuator>"
    "</mujoco>";

/* <time>, <boundary>, <cost> and <constraints> as given; the motion found, whose status is as
 * expected, or NULL. */
static sal_result *solve_as(const char *parts, const char *expected)
{
    char text[4000];
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(
        text, sizeof text,
        "<problem name=\"test\"><model file=\"m.xml\"/>"
        "<sensor><framepos name=\"tip\" objtype=\"site\" objname=\"tip\"/></sensor>%s</problem>",
        parts);
    files_write("m.xml", model, strlen(model));
    files_write("p.xml", text, strlen(text));
    if (sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err) != SAL_OK) {
        printf("%s", diag.text.data == NULL ? err.message : diag.text.data);
        check_case_faults++;
    } else {
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    }
    if (r != NULL) {
        CHECK_TEXT(r->status, expected);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return r;
}

static sal_result *solve(const char *parts)
{
    return solve_as(parts, "converged");
}

static double value_of(const sal_result *r, const char *term)
{
    for (int k = 0; k < r->nterm; k++) {
        if (strcmp(r->term[k].name, term) == 0) {
            return r->term[k].value;
        }
    }
    return (double)NAN;
}

static void instants(void)
{
    sal_result *r = solve(
        "<time nstep='40' duration='2'/><boundary type='open'><start qpos='0' qvel='0'/></boundary>"
        "<cost><term name='effort' ctrl='all'/></cost><constraints>"
        "<constraint name='via' joint='hinge' target='0.7' at='0.5 1.5' tol='1e-7'/>"
        "<constraint name='tip' sensor='tip' component='x' target='-0.2' steps='20' tol='1e-7'/>"
        "<constraint name='rest' joint='hinge' of='vel' target='0' at='end' tol='1e-6'/>"
        "<constraint name='slow' joint='hinge' of='vel' range='-2.5 2.5' window='0.5 1.5'/>"
        "</constraints>");
    if (r == NULL) {
        return;
    }
    double fastest = 0;
    for (int t = 10; t <= 30; t++) {
        fastest = fmax(fastest, fabs(r->qvel[t]));
    }
    CHECK_NEAR(r->qpos[10], 0.7, 1.1e-7);
    CHECK_NEAR(r->qpos[30], 0.7, 1.1e-7);
    CHECK_NEAR(sin(r->qpos[20]), -0.2, 1.1e-7); /* positive swings towards +x */
    CHECK_NEAR(r->qvel[40], 0, 1.1e-6);
    CHECK(fastest <= 2.5 + 2e-6);
    printf("    fastest %.6f rad/s\n", fastest);
    CHECK(fastest >= 2.5 - 1e-3); /* it binds */
    CHECK(r->nconstraint == 1 + 4);
    CHECK_TEXT(r->constraint[1].name, "via");
    sal_result_free(r);
}

/* The mean over all instants, as a constraint and as a range that binds. */
static void means(void)
{
    double sum = 0, least = 0;
    sal_result *r = solve(
        "<time nstep='25' duration='1'/><boundary type='open'><start qpos='0' qvel='0'/></boundary>"
        "<cost><term name='effort' ctrl='all'/></cost><constraints>"
        "<constraint name='mean' joint='hinge' target='0.3' mean='true' "
        "tol='1e-8'/></constraints>");
    for (int t = 0; r != NULL && t < 25; t++) {
        sum += r->qpos[t] / 25;
    }
    CHECK_NEAR(sum, 0.3, 1.1e-8);
    sal_result_free(r);
    r = solve(
        "<time nstep='25' duration='1'/><boundary type='open'><start qpos='0' qvel='0'/></boundary>"
        "<cost><term name='effort' ctrl='all'/></cost><constraints>"
        "<constraint name='mean' joint='hinge' range='0.2 inf' mean='true' "
        "tol='1e-8'/></constraints>");
    for (int t = 0; r != NULL && t < 25; t++) {
        least += r->qpos[t] / 25;
    }
    CHECK_NEAR(least, 0.2, 1e-6); /* no further than it must */
    sal_result_free(r);
}

/* A term on a mean weighs the mean's deviation once. */
static void term_on_a_mean(void)
{
    double mean = 0;
    sal_result *r = solve(
        "<time nstep='25' duration='1'/><boundary type='open'><start qpos='0' qvel='0'/></boundary>"
        "<cost><term name='effort' ctrl='all' weight='0.01'/>"
        "<term name='mean' joint='hinge' target='0.3' mean='true' weight='50'/></cost>");
    if (r == NULL) {
        return;
    }
    for (int t = 0; t < 25; t++) {
        mean += r->qpos[t] / 25;
    }
    CHECK(fabs(mean - 0.3) < 0.1);
    CHECK_NEAR(value_of(r, "mean"), 50 * 0.5 * (mean - 0.3) * (mean - 0.3), 1e-12);
    sal_result_free(r);
}

/* An integral over a duration that is free: the cost is what the motion says, and the duration
 * found is better than its neighbours. */
static double cost_of_duration(double duration)
{
    char parts[800];
    snprintf(parts, sizeof parts,
             "<time nstep='30' duration='%.12g'/><boundary type='open'><start qpos='0' "
             "qvel='0'/><end qpos='1' qvel='0'/></boundary>"
             "<cost><term name='effort' ctrl='all' per='motion' weight='0.2'/><term name='time' "
             "sensor='tip' "
             "component='y' target='1' per='motion' weight='4'/></cost>"
             "<solver tolerance='1e-7'/>",
             duration);
    sal_result *r = solve(parts);
    const double cost = r == NULL ? (double)NAN : r->cost;
    sal_result_free(r);
    return cost;
}

static void integral_over_a_free_duration(void)
{
    sal_result *r = solve(
        "<time nstep='30' duration='1' range='0.3 3'/><boundary type='open'><start qpos='0' "
        "qvel='0'/><end qpos='1' qvel='0'/></boundary>"
        "<cost><term name='effort' ctrl='all' per='motion' weight='0.2'/><term name='time' "
        "sensor='tip' "
        "component='y' target='1' per='motion' weight='4'/></cost><solver tolerance='1e-7'/>");
    if (r == NULL) {
        return;
    }
    const double duration = r->nstep * r->timestep;
    double effort = 0;
    for (int t = 0; t < r->nstep; t++) {
        effort += r->timestep * 0.2 * 0.5 * r->ctrl[t] * r->ctrl[t];
    }
    CHECK_NEAR(value_of(r, "effort"), effort, 1e-9 * effort);
    CHECK_NEAR(value_of(r, "time"), 4 * 0.5 * duration, 1e-9); /* 1/2 1^2 all the time */
    printf("    duration %.4f s, cost %.6f; 5 %% shorter %.6f, longer %.6f\n", duration, r->cost,
           cost_of_duration(0.95 * duration), cost_of_duration(1.05 * duration));
    CHECK(duration > 0.35 && duration < 2.9);
    CHECK(cost_of_duration(0.95 * duration) > r->cost);
    CHECK(cost_of_duration(1.05 * duration) > r->cost);
    sal_result_free(r);
}

/* A target that follows a table beside the file. */
static void tables(void)
{
    static const char csv[] = "time,other,angle\n0,9,0\n0.5,9,0.4\n1,9,-0.2\n";
    files_write("track.csv", csv, strlen(csv));
    sal_result *r =
        solve("<time nstep='20' duration='1'/><boundary type='open'/>"
              "<cost><term name='effort' ctrl='all' weight='1e-9'/>"
              "<term name='track' joint='hinge' file='track.csv' columns='angle' weight='100'/>"
              "</cost><solver><smoothing acceleration='1e-6 1e-6'/></solver>");
    if (r == NULL) {
        return;
    }
    for (int t = 0; t < 20; t++) {
        const double time = t / 20.0, wanted = time <= 0.5 ? 0.8 * time : 0.4 - 1.2 * (time - 0.5);
        CHECK_NEAR(r->qpos[t], wanted, 2e-3);
    }
    sal_result_free(r);
}

/* What cannot be is said so, in a result that is complete: too far within the time for a motor of
 * 40 N m, and a tip beyond the rod's reach. */
static void infeasible(void)
{
    sal_result *r = solve_as("<time nstep='10' duration='0.1'/><boundary type='open'><start "
                             "qpos='0' qvel='0'/><end qpos='3' qvel='0'/></boundary>"
                             "<cost><term name='effort' ctrl='all'/></cost>",
                             "infeasible");
    if (r != NULL) {
        CHECK(r->exit_code == 4);
        CHECK(r->nconstraint == 1 && r->constraint[0].violation > 1);
    }
    sal_result_free(r);
    r = solve_as(
        "<time nstep='20' duration='1'/><boundary type='open'><start qpos='0' qvel='0'/></boundary>"
        "<cost><term name='effort' ctrl='all'/></cost><constraints>"
        "<constraint name='reach' sensor='tip' component='x' target='1.2' at='end'/></constraints>",
        "infeasible");
    if (r != NULL) {
        CHECK(r->exit_code == 4);
        CHECK_NEAR(r->constraint[1].violation, 0.2, 0.01); /* it goes as far as it can */
        CHECK_NEAR(r->constraint[1].time, 1, 1e-9);
    }
    sal_result_free(r);
}

int main(void)
{
    RUN(instants);
    RUN(means);
    RUN(term_on_a_mean);
    RUN(integral_over_a_free_duration);
    RUN(tables);
    RUN(infeasible);
    return check_done();
}
