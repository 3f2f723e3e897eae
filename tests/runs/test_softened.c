/* Motions that none was found of with contacts as hard as asked for, but with soft ones for some
 * steps: they are physical with what the result says, step by step, and not as asked. */
#include "tests/problems/problem_files.h"
#include "tests/problems/solve_file.h"

#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* A hopper on a floor 17 times harder than usual, from one start */
static sal_result *solve_hopper(const char *seed)
{
    const sal_setting setting[] = {{"smoothing/width", ".15 .0003"},
                                   {"init/nstart", "1"},
                                   {"init/more", "0"},
                                   {"init/seed", seed}};
    return solve_file("examples/hopper_travel.xml",
                      &(sal_problem_options){.setting = setting, .nsetting = 4});
}

static int count(const sal_result *r)
{
    int n = 0;
    for (int t = 0; t < r->nstep; t++) {
        n += r->soft[t];
    }
    return n;
}

static bool says(const sal_result *r, const char *kind, const char *text)
{
    for (int i = 0; i < r->nfinding; i++) {
        if (strcmp(r->finding[i].kind, kind) == 0 && strstr(r->finding[i].text, text) != NULL) {
            return true;
        }
    }
    return false;
}

/* Largest difference to the next row after each step with this model at all steps */
static double misfit(const sal_result *r, const sal_model *m)
{
    sal_data *d = NULL;
    sal_err err = {0};
    double most = 0;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    for (int t = 0; t + 1 < r->nstep && d != NULL; t++) {
        sal_data_reset(m, d);
        memcpy(d->qpos, r->qpos + t * m->nq, (size_t)m->nq * sizeof(double));
        memcpy(d->qvel, r->qvel + t * m->nv, (size_t)m->nv * sizeof(double));
        memcpy(d->ctrl, r->ctrl + t * m->nu, (size_t)m->nu * sizeof(double));
        CHECK_OK(sal_step(m, d, &err), err);
        for (int i = 0; i < m->nv; i++) {
            most = fmax(most, fabs(d->qvel[i] - r->qvel[(t + 1) * m->nv + i]));
        }
    }
    sal_data_free(d);
    return most;
}

static void is_physical_with_what_it_says(const sal_result *r)
{
    sal_replay replay;
    sal_err err = {0};
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    CHECK(replay.onestep_qpos < 1e-8 && replay.onestep_qvel < 1e-7);
    sal_replay_clear(&replay);
    CHECK(misfit(r, r->model) > 1e-3); /* and with no single one of its models */
    CHECK(misfit(r, r->softer) > 1e-3 || count(r) == r->nstep);
}

static void soft_steps_are_told(void)
{
    static const char *const seed[] = {"1", "2", "3"};
    int soft = 0;
    for (int i = 0; i < 3; i++) {
        sal_result *r = solve_hopper(seed[i]);
        if (r != NULL && r->soft != NULL) {
            soft++;
            CHECK(r->relative_to_weight <= r->physical_tolerance);
            CHECK(!r->as_asked && r->exit_code == 1);
            CHECK(says(r, "soft contacts", "physical only with softer contacts in "));
            CHECK(says(r, "soft contacts", "m instead of 0.0003"));
            CHECK(r->soft[r->nstep] == 0 && count(r) > 0);
            CHECK(r->softer->pair_solimp[2] > 0.0003 && r->model->pair_solimp[2] == 0.0003);
            is_physical_with_what_it_says(r);
        }
        sal_result_free(r);
    }
    CHECK(soft > 0);
}

static void a_file_keeps_them(void)
{
    char path[1024];
    sal_result *r = solve_hopper("1"), *read = NULL;
    sal_err err = {0};
    sal_difference *list = NULL;
    int n = 0;
    if (r == NULL || r->soft == NULL) {
        sal_result_free(r);
        SKIP("this compiler's motion is hard everywhere");
    }
    snprintf(path, sizeof path, "%s", files_path("soft.h5"));
    CHECK_OK(sal_result_write(r, path, &err), err);
    CHECK_OK(sal_result_read(&read, path, &err), err);
    if (read != NULL) {
        CHECK(memcmp(read->soft, r->soft, ((size_t)r->nstep + 1) * sizeof *r->soft) == 0);
        CHECK_TEXT(read->softer_xml, r->softer_xml);
        CHECK_OK(sal_result_compare(&list, &n, r, read, &err), err);
        CHECK(n == 0);
        is_physical_with_what_it_says(read);
    }
    sal_free(list);
    sal_result_free(read);
    sal_result_free(r);
}

int main(void)
{
    RUN(soft_steps_are_told);
    RUN(a_file_keeps_them);
    files_remove();
    return check_done();
}
