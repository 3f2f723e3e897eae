/* A user's program: the versions of headers and library agree, a pendulum at rest hangs still, and
 * a problem file is read and solved, its result written, read again and looked at.
 *
 *     program PROBLEM RESULT
 */
#include <math.h>
#include <saltus/base.h>
#include <saltus/mjcf.h>
#include <saltus/physics.h>
#include <saltus/problems.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/>"
    "<geom type='sphere' size='.1' pos='0 0 -1' mass='2'/></body></worldbody></mujoco>";

static int failed;

static void check(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "program.c: %s\n", what);
        failed = 1;
    }
}

static void check_version(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SAL_VERSION_MAJOR, SAL_VERSION_MINOR,
             SAL_VERSION_PATCH);
    check(strcmp(version, sal_version()) == 0, "headers and library have different versions");
}

static void check_model(sal_err *err)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_diag diag = {0};
    if (sal_model_parse(&m, "pendulum", model, strlen(model), NULL, &diag, err) != SAL_OK ||
        sal_data_new(&d, m, err) != SAL_OK || sal_forward(m, d, err) != SAL_OK) {
        check(false, err->message);
    } else {
        check(fabs(d->qacc[0]) < 1e-15, "the pendulum does not hang still");
    }
    sal_diag_clear(&diag);
    sal_data_free(d);
    sal_model_free(m);
}

/* The velocities of a result are its positions' differences: v_t = (q_t - q_{t-1})/h, without
 * quaternions. */
static void check_motion(const sal_result *r)
{
    const sal_model *m = sal_result_model(r);
    const int nstep = sal_result_nstep(r);
    int nrow, nq, nv, nu, none;
    const double *time = sal_result_array(r, "time", &nrow, &none);
    const double *qpos = sal_result_array(r, "qpos", &nrow, &nq);
    const double *qvel = sal_result_array(r, "qvel", &nrow, &nv);
    const double *force = sal_result_array(r, "qfrc_inverse", &nrow, &nv);
    const double *ctrl = sal_result_array(r, "ctrl", &nrow, &nu);
    check(nrow == nstep + 1 && nq == m->nq && nv == m->nv && nu == m->nu && nq == nv,
          "arrays have other sizes than the model");
    for (int t = 1; t <= nstep; t++) {
        const double h = time[t] - time[t - 1];
        for (int i = 0; i < nv; i++) {
            const double v = (qpos[t * nq + i] - qpos[(t - 1) * nq + i]) / h;
            check(fabs(v - qvel[t * nv + i]) < 1e-9, "a velocity is not that of the positions");
        }
    }
    check(isfinite(force[0]) && isnan(force[nstep * nv]), "the last row alone has no forces");
    check(nu > 0 && isfinite(ctrl[0]), "there are no controls");
    check(sal_result_array(r, "no_such_array", &nrow, &none) == NULL && nrow == 0 && none == 0,
          "an array that is not there");
}

static void check_result(const sal_result *r)
{
    int n = 0, nfinding = 0;
    sal_figure *figure = NULL;
    const sal_finding *finding = sal_result_findings(r, &nfinding);
    check(strcmp(sal_result_status(r), "converged") == 0 && sal_result_exit_code(r) == 0,
          sal_result_status(r));
    check(sal_result_violation(r) <= 1, "it converged, and is not physical");
    check(sal_result_cost(r) > 0 && sal_result_weight(r) > 0, "no cost, or no weight");
    for (int i = 0; i < nfinding; i++) {
        check(finding[i].level < 2 && finding[i].text[0] != 0, "it converged, and is no solution");
    }
    if (sal_result_figures(r, &figure, &n, NULL) == SAL_OK && n > 0) {
        check(strcmp(figure[0].name, "cost") == 0 && figure[0].value == sal_result_cost(r),
              "the figure is not the cost");
    } else {
        check(false, "there are no figures");
    }
    sal_free(figure);
    check_motion(r);
}

static void check_problem(const char *path, const char *written, sal_err *err)
{
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_result *again = NULL;
    sal_difference *difference = NULL;
    sal_diag diag = {0};
    int n = -1;
    if (sal_problem_read(&p, path, NULL, &diag, err) != SAL_OK ||
        sal_problem_solve(&r, p, 1, NULL, err) != SAL_OK ||
        sal_result_write(r, written, err) != SAL_OK ||
        sal_result_read(&again, written, err) != SAL_OK ||
        sal_result_compare(&difference, &n, r, again, err) != SAL_OK) {
        check(false, err->message);
    } else {
        check(strstr(path, sal_problem_name(p)) != NULL, sal_problem_name(p));
        check(sal_problem_nstep(p) == sal_result_nstep(r), "another number of steps");
        check(sal_problem_model(p)->nq == sal_result_model(r)->nq, "another model");
        check(n == 0, "the result that was read is another one");
        check_result(again);
    }
    sal_free(difference);
    sal_result_free(again);
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

int main(int argc, char **argv)
{
    sal_err err = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: program PROBLEM RESULT\n");
        return 2;
    }
    check_version();
    check_model(&err);
    check_problem(argv[1], argv[2], &err);
    return failed;
}
