/* own_cost.c: a cost that the language of problem files does not have, written in C: the power that
 * a person's muscles would use for a walk, which is not what they do. Muscles are about 25 %
 * efficient where they do work and -120 % where they absorb it (Margaria, Int. Z. angew. Physiol.
 * 25, 1968, 339-351):
 *
 *     metabolic power = sum of P/.25 where P > 0, -P/1.2 where P < 0
 *
 *     cc own_cost.c $(pkg-config --cflags --libs saltus) -lm && ./a.out own_cost.xml
 */
#include <math.h>
#include <saltus/problems.h>
#include <stdio.h>

/* Of one actuator, W, rounded where P is small so that it can be differentiated; and its slope */
static double metabolic_power(double P, double *slope)
{
    const double does = 1 / .25, absorbs = 1 / 1.2, width = 5; /* W */
    const double mean = .5 * (does - absorbs), side = .5 * (does + absorbs);
    const double size = sqrt(P * P + width * width);
    *slope = mean + side * P / size;
    return mean * P + side * (size - width);
}

/* One residual for each actuator, which depends on its own power only */
static bool metabolic(void *user, int step, const double *x, int nx, double *r, double *J)
{
    (void)user, (void)step;
    for (int i = 0; i < nx; i++) {
        double slope;
        r[i] = metabolic_power(x[i], &slope);
        if (J != NULL) {
            J[i * nx + i] = slope;
        }
    }
    return true;
}

/* W: mean over the motion, from what the result says of each step */
static double mean_of(const sal_result *r)
{
    int nrow, nv;
    const double *force = sal_result_array(r, "qfrc_actuator", &nrow, &nv);
    const double *velocity = sal_result_array(r, "qvel", &nrow, &nv);
    const int nstep = sal_result_nstep(r);
    double sum = 0, slope;
    for (int i = 0; i < nstep * nv; i++) {
        sum += metabolic_power(force[i] * velocity[i], &slope);
    }
    return sum / nstep;
}

int main(int argc, char **argv)
{
    const sal_function function = {"metabolic", 6, metabolic, NULL};
    const sal_problem_options options = {.function = &function, .nfunction = 1};
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: own_cost examples/c/own_cost.xml\n");
        return 2;
    }
    sal_status status = sal_problem_read(&p, argv[1], &options, &diag, &err);
    if (status != SAL_OK && diag.text.data != NULL) {
        fputs(diag.text.data, stderr); /* every fault of the file, with its place */
    }
    status = status == SAL_OK ? sal_problem_solve(&r, p, 2, NULL, &err) : status;
    if (status == SAL_OK) {
        printf("%s: a walk at 1.5 m/s for %.0f W of metabolic power\n", sal_result_status(r),
               mean_of(r));
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    const int code = status == SAL_OK ? sal_result_exit_code(r) : 1;
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return code;
}
