/* gaits.c: asks one problem file for three speeds, and what each costs: the command's job from a
 * program.
 *
 *     cc gaits.c $(pkg-config --cflags --libs saltus) -lm && ./a.out ../walker_gait.xml
 */
#include <saltus/problems.h>
#include <stdio.h>

/* Called after every linearisation, from the thread of that start; false would stop the search. */
static bool count(void *user, int start, const sal_progress *progress)
{
    int *calls = user;
    (void)start, (void)progress;
    (*calls)++;
    return true;
}

/* Mean power of the joints' actuators per weight and speed: sum over dofs and steps of |force x
 * velocity|, without dimension */
static double cost_of_transport(const sal_result *r, double speed)
{
    int nrow, nv;
    const double *force = sal_result_array(r, "qfrc_actuator", &nrow, &nv);
    const double *velocity = sal_result_array(r, "qvel", &nrow, &nv);
    const int nstep = sal_result_nstep(r);
    double power = 0;
    for (int i = 0; i < nstep * nv; i++) {
        const double p = force[i] * velocity[i];
        power += (p < 0 ? -p : p) / nstep;
    }
    return power / (sal_result_weight(r) * speed);
}

/* s, from the first row of the motion to the last */
static double duration(const sal_result *r)
{
    int nrow, ncol;
    const double *time = sal_result_array(r, "time", &nrow, &ncol);
    return time[nrow - 1] - time[0];
}

static sal_status solve(const char *path, double speed, sal_err *err)
{
    char text[32];
    const sal_setting setting = {"travel/speed", text};
    const sal_problem_options options = {.setting = &setting, .nsetting = 1};
    int calls = 0;
    const sal_watch watch = {.progress = count, .user = &calls};
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    snprintf(text, sizeof text, "%g", speed);
    sal_status status = sal_problem_read(&p, path, &options, &diag, err);
    if (status == SAL_OK) {
        status = sal_problem_solve(&r, p, 2, &watch, err);
    } else if (diag.text.data != NULL) {
        fputs(diag.text.data, stderr); /* every fault of the file, with its place */
    }
    if (status == SAL_OK) {
        printf("%.1f m/s: %s after %d linearisations of all starts, a step lasts %.3f s, cost of "
               "transport %.3f\n",
               speed, sal_result_status(r), calls, duration(r), cost_of_transport(r, speed));
    }
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return status;
}

int main(int argc, char **argv)
{
    static const double speeds[] = {0.8, 1.6, 3.0};
    sal_err err = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: gaits examples/walker_gait.xml\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        if (solve(argv[1], speeds[i], &err) != SAL_OK) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
    }
    return 0;
}
