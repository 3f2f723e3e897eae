/* Residuals that depend on one variable of each block: added so, they are what their rows written
 * out are, to the last bit; and what cannot be added so. */
#include "tests/check.h"

#include "base/rng.h"
#include "optim/optim.h"

#include <string.h>

enum { BLOCKS = 9, SIZE = 11, N = BLOCKS * SIZE };

typedef struct chain {
    double goal[N];
    bool written; /* rows are written out */
    sal_norm norm;
    int most, at; /* residuals of a call; variable of the first */
} chain;

static const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};

static void retract(void *ctx, int member, double *out, const double *x, const double *d)
{
    (void)ctx, (void)member;
    for (int i = 0; i < N; i++) {
        out[i] = x[i] + d[i];
    }
}

/* Variables at .. at+n-1 of `width` blocks from `first` on, as rows or alone */
static void add(const chain *c, sal_normal *a, const sal_norm *norm, int n, const double *r,
                const sal_slopes_alone *alone)
{
    static double J[SIZE * 3 * SIZE];
    const int ncol = alone->width * SIZE;
    if (!c->written) {
        sal_normal_add_alone(a, norm, 2, n, r, alone);
        return;
    }
    memset(J, 0, sizeof J);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < alone->width; k++) {
            J[i * ncol + k * SIZE + alone->at + i] = alone->slope[i * alone->width + k];
        }
    }
    sal_normal_add(a, norm, 2, n, r, &(sal_slopes){J, alone->first, alone->width, NULL});
}

/* (x - goal) by the norm, one at a time */
static double distances(const chain *c, const double *x, sal_normal *a)
{
    double cost = 0;
    for (int i = 0; i < N; i++) {
        const double own = x[i] - c->goal[i], one = 1;
        cost += 2 * sal_norm_value(&c->norm, &own, 1);
        if (a != NULL) {
            add(c, a, &c->norm, 1, &own, &(sal_slopes_alone){&one, i / SIZE, 1, i % SIZE});
        }
    }
    return cost;
}

/* A quarter of second differences, their slopes uneven, from the block before the first on */
static double differences(const chain *c, const double *x, sal_normal *a)
{
    double cost = 0, slope[3 * SIZE], r[SIZE];
    for (int k = -1; k + 2 < BLOCKS; k++) {
        for (int i = 0; i < SIZE; i++) {
            const double s[3] = {.25, -.5 - .01 * i, .25 + .02 * i};
            memcpy(slope + 3 * i, s, sizeof s);
            r[i] = s[1] * x[(k + 1) * SIZE + i] + s[2] * x[(k + 2) * SIZE + i] +
                   (k < 0 ? 0 : s[0] * x[k * SIZE + i]);
        }
        cost += 2 * sal_norm_value(&quadratic, r, SIZE);
        for (int at = 0; at < SIZE && a != NULL; at += c->most) {
            const int n = SIZE - at < c->most ? SIZE - at : c->most;
            add(c, a, &quadratic, n, r + at, &(sal_slopes_alone){slope + 3 * at, k, 3, at + c->at});
        }
    }
    return cost;
}

/* Rows that are dense, so that blocks fill */
static double rows(const double *x, sal_normal *a)
{
    double cost = 0, J[2 * SIZE];
    for (int k = 0; k + 1 < BLOCKS; k++) {
        double sum = -.3;
        for (int i = 0; i < 2 * SIZE; i++) {
            J[i] = .1 * (i % 5 - 2);
            sum += J[i] * x[k * SIZE + i];
        }
        cost += sal_norm_value(&quadratic, &sum, 1);
        if (a != NULL) {
            sal_normal_add(a, &quadratic, 1, 1, &sum, &(sal_slopes){J, k, 2, NULL});
        }
    }
    return cost;
}

static double walk(const chain *c, const double *x, sal_normal *a)
{
    return distances(c, x, a) + differences(c, x, a) + rows(x, a);
}

static sal_status value(void *ctx, int worker, int member, const double *x, const double *p,
                        double *cost, sal_err *err)
{
    (void)worker, (void)member, (void)p, (void)err;
    *cost = walk(ctx, x, NULL);
    return SAL_OK;
}

static sal_status linearise(void *ctx, int worker, int member, const double *x, const double *p,
                            sal_normal *a, sal_err *err)
{
    (void)worker, (void)member, (void)p, (void)err;
    walk(ctx, x, a);
    return SAL_OK;
}

static sal_status minimise(chain *c, double *x, sal_joint_result *result, sal_err *err)
{
    const sal_member member = {N, BLOCKS, SIZE, 0};
    const sal_joint_nls nls = {.ctx = c,
                               .nmember = 1,
                               .member = &member,
                               .retract = retract,
                               .value = value,
                               .linearise = linearise};
    sal_joint_stage stage;
    sal_joint *joint = NULL;
    double none = 0;
    sal_joint_stage_defaults(&stage);
    memset(x, 0, N * sizeof *x);
    CHECK_OK(sal_joint_new(&joint, &nls, 1, err), *err);
    const sal_status status = sal_joint_minimise(joint, x, &none, &stage, result, err);
    sal_joint_free(joint);
    return status;
}

static chain make(sal_norm norm)
{
    chain c = {.norm = norm, .most = SIZE};
    sal_rng rng = {7};
    for (int i = 0; i < N; i++) {
        c.goal[i] = sal_rng_uniform(&rng, -1, 1);
    }
    return c;
}

static void they_are_their_rows_written_out(void)
{
    const sal_norm norms[] = {quadratic, {SAL_NORM_CAUCHY, .3, 0}, {SAL_NORM_L2, .2, 0}};
    for (int k = 0; k < 3; k++) {
        double alone[N], written[N];
        sal_joint_result found = {0}, other = {0};
        sal_err err = {0};
        chain c = make(norms[k]);
        CHECK_OK(minimise(&c, alone, &found, &err), err);
        c.written = true;
        CHECK_OK(minimise(&c, written, &other, &err), err);
        CHECK(found.linearisations > 1 && found.linearisations == other.linearisations);
        CHECK(memcmp(alone, written, sizeof alone) == 0);
    }
}

static void refuse(chain c, const char *message)
{
    double x[N];
    sal_joint_result found = {0};
    sal_err err = {0};
    CHECK(minimise(&c, x, &found, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message, message);
}

/* A norm of all of them, for the differences */
static sal_status linearise_mixed(void *ctx, int worker, int member, const double *x,
                                  const double *p, sal_normal *a, sal_err *err)
{
    static const sal_norm l2 = {SAL_NORM_L2, .2, 0};
    const double r[2] = {1, 2}, slope[2] = {1, 1};
    (void)worker, (void)member, (void)p, (void)err;
    walk(ctx, x, a);
    sal_normal_add_alone(a, &l2, 1, 2, r, &(sal_slopes_alone){slope, 0, 1, 0});
    return SAL_OK;
}

static void what_cannot_be_added_so_is_refused(void)
{
    chain c = make(quadratic);
    c.at = 1;
    refuse(c, "residuals of the variables 1 to 11 are added; a block has 11");
    c.at = -1;
    refuse(c, "residuals of the variables -1 to 9 are added; a block has 11");

    chain mixed = make(quadratic);
    const sal_member member = {N, BLOCKS, SIZE, 0};
    const sal_joint_nls nls = {.ctx = &mixed,
                               .nmember = 1,
                               .member = &member,
                               .retract = retract,
                               .value = value,
                               .linearise = linearise_mixed};
    sal_joint_stage stage;
    sal_joint_result found = {0};
    sal_joint *joint = NULL;
    sal_err err = {0};
    double x[N] = {0}, none = 0;
    sal_joint_stage_defaults(&stage);
    CHECK_OK(sal_joint_new(&joint, &nls, 1, &err), err);
    CHECK(sal_joint_minimise(joint, x, &none, &stage, &found, &err) == SAL_BADINPUT);
    CHECK_TEXT(err.message,
               "2 residuals of one variable each are added with a norm of all of them: "
               "add them with sal_normal_add");
    sal_joint_free(joint);
}

int main(void)
{
    RUN(they_are_their_rows_written_out);
    RUN(what_cannot_be_added_so_is_refused);
    return check_done();
}
