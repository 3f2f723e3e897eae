#include "tests/folder.h"
#include "tests/identify/example_result.h"

#include "problems/result/result.h"

#include <unistd.h>

static void same_reals(const double *a, const double *b, int n)
{
    int faults = 0;
    for (int i = 0; i < n; i++) {
        faults += !(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
    }
    CHECK(faults == 0);
}

static void same_parameter(const sal_identification_parameter *a,
                           const sal_identification_parameter *b)
{
    CHECK_TEXT(a->name, b->name);
    CHECK_TEXT(a->unit, b->unit);
    CHECK_TEXT(a->map, b->map);
    CHECK(a->free == b->free && a->at_bound == b->at_bound);
    const double one[] = {a->nominal, a->initial,     a->value,       a->lower,
                          a->upper,   a->prior_sigma, a->weight,      a->se,
                          a->freedom, a->se_hessian,  a->se_resampled},
                 two[] = {b->nominal, b->initial,     b->value,       b->lower,
                          b->upper,   b->prior_sigma, b->weight,      b->se,
                          b->freedom, b->se_hessian,  b->se_resampled};
    same_reals(one, two, 11);
}

static void same_recording(const sal_identification_result *e,
                           const sal_identification_recording *a,
                           const sal_identification_recording *b)
{
    const int K = a->nsample * e->nvalue, T = a->nstep + 1;
    CHECK_TEXT(a->name, b->name);
    CHECK_TEXT(a->cluster, b->cluster);
    CHECK(a->held == b->held && a->outlier == b->outlier && a->nresidual == b->nresidual &&
          a->nvariable == b->nvariable);
    CHECK(a->nsample == b->nsample && a->nstep == b->nstep);
    const double one[] = {a->start, a->dt, a->timestep, a->cost, a->rms},
                 two[] = {b->start, b->dt, b->timestep, b->cost, b->rms};
    same_reals(one, two, 5);
    same_reals(&a->rollout.diverged, &b->rollout.diverged, 5);
    same_reals(&a->rollout_nominal.diverged, &b->rollout_nominal.diverged, 5);
    same_reals(a->time, b->time, T);
    same_reals(a->qpos, b->qpos, T * e->nq);
    same_reals(a->qvel, b->qvel, T * e->nv);
    same_reals(a->unexplained, b->unexplained, T * e->nv);
    same_reals(a->measured, b->measured, K);
    same_reals(a->fitted, b->fitted, K);
    same_reals(a->predicted, b->predicted, K);
    same_reals(a->predicted_nominal, b->predicted_nominal, K);
    same_reals(a->channel_rms, b->channel_rms, e->nchannel);
    same_reals(a->channel_predicted, b->channel_predicted, e->nchannel);
    same_reals(a->channel_nominal, b->channel_nominal, e->nchannel);
    same_reals(a->local, b->local, e->nlocal);
}

static void a_file_holds_all_of_it(void)
{
    motion a;
    const char *path = in_folder("one.h5"), *again = in_folder("two.h5");
    sal_result *read = NULL;
    sal_err err = {0};
    motion_identified(&a);
    CHECK_OK(sal_result_write(a.r, path, &err), err);
    CHECK_OK(sal_request_read_result(&read, path, &err), err);
    if (read != NULL && sal_identification_of(read) != NULL) {
        const sal_identification_result *e = sal_identification_of(a.r),
                                        *f = sal_identification_of(read);
        CHECK(e->nparameter == f->nparameter && e->nlocal == f->nlocal &&
              e->nchannel == f->nchannel);
        CHECK(e->nvalue == f->nvalue && e->nresidual == f->nresidual &&
              e->nrecording == f->nrecording);
        CHECK(e->nsentence > 2 && e->nsentence == f->nsentence && e->ncluster == f->ncluster &&
              e->sandwich == f->sandwich);
        same_reals(&e->chi2, &f->chi2, 2);
        same_reals(e->correlation, f->correlation, e->nparameter * e->nparameter);
        same_reals(e->eigenvalue, f->eigenvalue, e->nparameter);
        same_reals(e->sigma, f->sigma, e->nresidual);
        for (int i = 0; i < e->nsentence; i++) {
            CHECK_TEXT(e->sentence[i], f->sentence[i]);
        }
        for (int k = 0; k < e->nparameter; k++) {
            same_parameter(e->parameter + k, f->parameter + k);
        }
        same_parameter(e->local, f->local);
        for (int c = 0; c < e->nchannel; c++) {
            CHECK_TEXT(e->channel[c].name, f->channel[c].name);
            CHECK_TEXT(e->channel[c].text, f->channel[c].text);
            CHECK(e->channel[c].n == f->channel[c].n && e->channel[c].adr == f->channel[c].adr);
            CHECK(e->channel[c].nres == f->channel[c].nres &&
                  e->channel[c].count == f->channel[c].count);
            same_reals(&e->channel[c].rms, &f->channel[c].rms, 4);
        }
        for (int i = 0; i < e->nrecording; i++) {
            same_recording(e, e->recording + i, f->recording + i);
        }
        CHECK_OK(sal_result_write(read, again, &err), err);
        char *one = NULL, *two = NULL; /* what was read is written with the same bytes */
        size_t n = 0, m = 0;
        CHECK_OK(sal_text_read_file(path, 1 << 28, &one, &n, &err), err);
        CHECK_OK(sal_text_read_file(again, 1 << 28, &two, &m, &err), err);
        CHECK(n == m && n > 0 && memcmp(one, two, n) == 0);
        sal_free(one);
        sal_free(two);
    } else {
        CHECK(false);
    }
    sal_result_free(read);
    motion_clear(&a);
    unlink(path);
    unlink(again);
}

/* Twelve fits of fourteen; and without any nothing is written of them. */
static void fits_of_other_recordings_are_kept(void)
{
    motion a;
    const char *path = in_folder("one.h5");
    sal_result *read = NULL;
    sal_rng rng = {3};
    sal_err err = {0};
    motion_identified(&a);
    sal_identification_result *e = a.r->part;
    CHECK(e->resampling == SAL_RESAMPLING_NONE && isnan(e->parameter[0].se_resampled));
    e->resampling = SAL_RESAMPLING_BOOTSTRAP;
    CHECK_OK(sal_identification_result_resamples(e, 14, &err), err);
    e->nresample = 12;
    for (int i = 0; i < e->nresample * e->nparameter; i++) {
        e->resample[i] = sal_rng_normal(&rng);
    }
    CHECK_OK(sal_identification_result_assess(e, &err), err);
    CHECK_OK(sal_result_write(a.r, path, &err), err);
    CHECK_OK(sal_request_read_result(&read, path, &err), err);
    if (read != NULL && sal_identification_of(read) != NULL) {
        const sal_identification_result *f = sal_identification_of(read);
        CHECK(f->resampling == e->resampling && f->resamples == 14 && f->nresample == 12);
        CHECK(isfinite(f->parameter[0].se_resampled));
        for (int k = 0; k < e->nparameter; k++) {
            same_parameter(e->parameter + k, f->parameter + k);
        }
        same_reals(e->resample, f->resample, e->nresample * e->nparameter);
    } else {
        CHECK(false);
    }
    sal_result_free(read);
    motion_clear(&a);
    unlink(path);
}

/* No parameter, no local one, one recording that nothing was made of: tracking. */
static void what_is_absent_is_no_fault(void)
{
    motion a;
    const char *path = in_folder("one.h5");
    sal_result *read = NULL;
    sal_err err = {0};
    motion_pendulum(&a);
    sal_identification_result *found = NULL;
    const sal_identification_sizes sizes = {.nrecording = 2, .nq = 1, .nv = 1};
    CHECK_OK(sal_identification_result_new(&found, &sizes, &err), err);
    CHECK_OK(sal_identification_result_room(found, 1, 5, 4, &err), err);
    CHECK_OK(sal_identification_result_assess(found, &err), err);
    idn_result_attach(a.r, found);
    CHECK_OK(sal_result_write(a.r, path, &err), err);
    CHECK_OK(sal_request_read_result(&read, path, &err), err);
    CHECK(read != NULL && sal_identification_of(read) != NULL &&
          sal_identification_of(read)->nrecording == 2);
    sal_result_free(read);
    motion_clear(&a);
    unlink(path);
}

/* What tables of sweeps show of it. */
static void figures_of_an_identification(void)
{
    motion a;
    sal_figure *figure = NULL;
    int n = 0, found = 0;
    sal_err err = {0};
    motion_identified(&a);
    CHECK_OK(sal_result_figures(a.r, &figure, &n, &err), err);
    for (int i = 0; i < n; i++) {
        const double value = figure[i].value;
        if (strcmp(figure[i].name, "parameter[half width]") == 0) {
            found++;
            CHECK(value == 0.05152 && strcmp(figure[i].unit, "m") == 0);
        } else if (strcmp(figure[i].name, "se[friction]") == 0) {
            found++;
            CHECK(value == sal_identification_of(a.r)->parameter[1].se);
        } else if (strcmp(figure[i].name, "heldout_position") == 0) {
            sal_quartiles q;
            found++;
            CHECK_OK(sal_identification_quartiles(&q, sal_identification_of(a.r), true,
                                                  SAL_MEASURE_POSITION, &err),
                     err);
            CHECK(value == q.median);
        }
        CHECK(strcmp(figure[i].name, "speed") != 0);
    }
    CHECK(found == 3);
    sal_free(figure);
    motion_clear(&a);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(a_file_holds_all_of_it);
    RUN(fits_of_other_recordings_are_kept);
    RUN(what_is_absent_is_no_fault);
    RUN(figures_of_an_identification);
    rmdir(folder);
    return check_done();
}
