/* follow_floor.c: the floor on which a recording was made, and the noise of its joints.
 *
 * In every sample the lowest point of the model that moves slower than STILL is taken to stand. Its
 * places (x, y, z), seen from their mean in x and y and from the height z of their lowest quarter,
 * are those of a plane,
 *
 *     minimise  sum_i rho((z_i - h - sx x_i - sy y_i)/SIGMA) / kin  +  (h/HEIGHT)^2 + |s/SLOPE|^2
 *
 * rho(e) = log(1 + e^2): what lies on something else, or is no sole, hardly counts. The samples of
 * KIN seconds, kin of them, tell as much as one. The slopes stay zero unless they make the sum
 * smaller by a tenth, and by their number, 2 (Akaike's criterion: the sum is a log-likelihood);
 * then they are fitted once more with STEEP in place of SLOPE. What is steeper is looked for from
 * far, with a SIGMA that becomes smaller, and TAIL log(1 + |s|^2/(TAIL SLOPE^2)) as what a slope
 * costs: most floors are level, but one that is not may have any slope. What neither explains is
 * said.
 */
#include "base/dense.h"
#include "base/house.h"
#include "guide/follow.h"
#include "problems/floor.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STILL = 0.3;                /* m/s */
static const double SIGMA = 0.01, HEIGHT = 0.1; /* m */
static const double SLOPE = 0.01, STEEP = 0.1;  /* before, and once it is known that there is one */
static const double KIN = 1.0 / 3;              /* s */
static const double WORTH = 0.9;                /* of the sum, with slopes */
static const double SLOPES = 2;
static const double TAIL = 4;           /* how slopes are spread: beyond SLOPE by far, too */
static const double LEAST_STEEP = 0.04; /* what is less shows from near */
static const double WIDEN = 0.7;        /* of SIGMA, in each round */
static const double LEANS = 0.08;       /* rad */
static const double DOUBT = 0.03;       /* m */
static const double LEGS = 0.15;        /* of the robot's height */
static const double SEEN = 0.002;       /* m: less is not worth a word */
enum { ROUNDS = 30, LEAST = 10 };

typedef struct place {
    double x, y, z;
} place;

static int by_height(const void *a, const void *b)
{
    const double x = ((const place *)a)->z, y = ((const place *)b)->z;
    return (x > y) - (x < y);
}

static int find_places(gde_clip *c, place *at)
{
    const size_t nq = (size_t)c->draft.m->nq;
    int n = 0;
    for (int row = 0; row + 1 < c->s.nrow; row++) {
        const double *q = c->qpos + (size_t)row * nq;
        prb_step step;
        gde_clip_lowest(c, q, q + nq, &step);
        if (sal_v3_norm(step.velocity) < STILL) {
            at[n++] = (place){step.point[0], step.point[1], step.point[2]};
        }
    }
    qsort(at, (size_t)n, sizeof *at, by_height);
    return n;
}

static double error_of(const double floor[3], place p)
{
    return (p.z - floor[0] - floor[1] * p.x - floor[2] * p.y) / SIGMA;
}

/* The samples that tell as much as one. */
static double kin_of(const gde_clip *c)
{
    return fmax(1, KIN * c->rate);
}

/* How far the places are from the floor. */
static double misfit(const double floor[3], const place *at, int n, double kin)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += log1p(pow(error_of(floor, at[i]), 2)) / kin;
    }
    return sum;
}

static double sum_of(const double floor[3], const place *at, int n, double kin)
{
    return pow(floor[0] / HEIGHT, 2) + pow(floor[1] / SLOPE, 2) + pow(floor[2] / SLOPE, 2) +
           misfit(floor, at, n, kin);
}

/* Reweighted least squares over the first `free` numbers of the floor, from where it is; prior:
 * their deviations. */
static void fit_from(double floor[3], int free, const double prior[3], const place *at, int n,
                     double kin, double wide)
{
    for (int round = 0; round < ROUNDS; round++) {
        wide = fmax(1, WIDEN * wide);
        double H[9] = {0}, g[3] = {0};
        for (int k = 0; k < free; k++) {
            H[free * k + k] = 1 / (prior[k] * prior[k]);
        }
        for (int i = 0; i < n; i++) {
            const double e = error_of(floor, at[i]) / wide;
            const double w = 1 / ((1 + e * e) * SIGMA * SIGMA * kin);
            const double row[3] = {1, at[i].x, at[i].y};
            for (int k = 0; k < free; k++) {
                g[k] += w * row[k] * at[i].z;
                for (int l = 0; l < free; l++) {
                    H[free * k + l] += w * row[k] * row[l];
                }
            }
        }
        if (sal_dense_cholesky(H, free) < free) {
            return;
        }
        sal_dense_cholesky_solve(g, H, free);
        memcpy(floor, g, (size_t)free * sizeof *g);
    }
}

static void fit(double floor[3], int free, double slope, const place *at, int n, double kin)
{
    fit_from(floor, free, (double[3]){HEIGHT, slope, slope}, at, n, kin, 1);
}

static double cost_of(double slope)
{
    return TAIL * log1p(slope * slope / (TAIL * SLOPE * SLOPE)) + SLOPES;
}

/* A floor that is steep: looked for from far, since with places decimetres beside it none of them
 * would count. false: it explains the places no better than the level one does, or is hardly
 * steeper. */
static bool find_steep(double steep[3], const double level[3], const place *at, int n, double kin)
{
    const double loose[3] = {1, 1, 1};
    steep[0] = steep[1] = steep[2] = 0;
    fit_from(steep, 3, loose, at, n, kin, 50);
    const double slope2 = steep[1] * steep[1] + steep[2] * steep[2],
                 before = misfit(level, at, n, kin),
                 left = misfit(steep, at, n, kin) + cost_of(sqrt(slope2));
    return slope2 > LEAST_STEEP * LEAST_STEEP && left < fmin(before, WORTH * before + SLOPES);
}

/* Moves the places by what is returned, so that they are seen from there. */
static place centre(place *at, int n)
{
    place mean = {.z = at[n / 4].z};
    for (int i = 0; i < n; i++) {
        mean.x += at[i].x / n;
        mean.y += at[i].y / n;
    }
    for (int i = 0; i < n; i++) {
        at[i] = (place){at[i].x - mean.x, at[i].y - mean.y, at[i].z - mean.z};
    }
    return mean;
}

/* The slopes of a floor on which the root would not lean on the mean, and by how much it does,
 * rad. */
static double lean_of(const gde_clip *c, double slope[2])
{
    static const double z[3] = {0, 0, 1};
    const int adr = c->draft.m->jnt_qposadr[c->root] + 3;
    double back[4], home[3], up[3], sum[3] = {0};
    sal_quat_conj(back, c->draft.pose + adr);
    sal_quat_rotate(home, back, z);
    for (int row = 0; row < c->s.nrow; row++) {
        const double *q = c->qpos + (size_t)row * (size_t)c->draft.m->nq + adr;
        if (!isnan(q[0])) {
            sal_quat_rotate(up, q, home);
            sal_v3_add(sum, sum, up);
        }
    }
    slope[0] = -sum[0] / fmax(sum[2], FLT_EPSILON);
    slope[1] = -sum[1] / fmax(sum[2], FLT_EPSILON);
    return atan2(hypot(sum[0], sum[1]), sum[2]);
}

/* Whether a floor with these slopes explains the places nearly as well as the level one. off [n] is
 * scratch. */
static bool may_slope(const double level[3], const double slope[2], const place *at, int n,
                      double kin, double *off)
{
    double floor[3] = {0, slope[0], slope[1]};
    for (int i = 0; i < n; i++) {
        off[i] = at[i].z - slope[0] * at[i].x - slope[1] * at[i].y;
    }
    floor[0] = sal_median(off, n);
    return misfit(floor, at, n, kin) < misfit(level, at, n, kin) + SLOPES;
}

/* What stands still is far from the level floor, and no slope explains it; or the robot leans, and
 * a floor that does so fits as well. */
static void note_doubt(gde_clip *c, const double floor[3], const place *at, int n)
{
    double *off = c->root < 0 ? NULL : sal_alloc((size_t)n, sizeof *off), slope[2];
    if (off == NULL) {
        return;
    }
    const double lean = lean_of(c, slope);
    const bool may = lean > LEANS && may_slope(floor, slope, at, n, kin_of(c), off);
    for (int i = 0; i < n; i++) {
        off[i] = SIGMA * fabs(error_of(floor, at[i]));
    }
    const double middle = sal_median(off, n);
    if (middle > DOUBT) {
        gde_note(&c->draft,
                 "floor: it could not be judged whether it slopes, for what stands still is %.2g m "
                 "off a level floor in the median; taken to be level. If the recording is tilted, "
                 "or goes up a slope, write that into floor= of <data>",
                 middle);
    } else if (may) {
        gde_note(&c->draft,
                 "floor: taken to be level, but the root leans by %.2g degrees on the mean, and a "
                 "floor that slopes so would fit as well: it could not be judged. If the recording "
                 "is tilted, write that into floor= of <data>",
                 lean / SAL_DEGREE);
    }
    sal_free(off);
}

static void find_floor(gde_clip *c, place *at, int n)
{
    const place mean = centre(at, n);
    const double kin = kin_of(c);
    double *floor = c->floor, sloped[3] = {0};
    fit(floor, 1, SLOPE, at, n, kin);
    fit(sloped, 3, SLOPE, at, n, kin);
    const double flat = sum_of(floor, at, n, kin), left = sum_of(sloped, at, n, kin);
    if (c->root >= 0 && left < WORTH * flat && left < flat - SLOPES) { /* slides do not turn */
        memcpy(floor, sloped, sizeof sloped);
        fit(floor, 3, STEEP, at, n, kin);
    } else if (c->root >= 0 && find_steep(sloped, floor, at, n, kin)) {
        memcpy(floor, sloped, sizeof sloped);
    } else {
        note_doubt(c, floor, at, n);
    }
    floor[1] = round(1e5 * floor[1]) / 1e5;
    floor[2] = round(1e5 * floor[2]) / 1e5;
    floor[0] += mean.z - floor[1] * mean.x - floor[2] * mean.y;
    floor[0] = round(1e4 * floor[0]) / 1e4;
}

static void note_floor(gde_clip *c, int n)
{
    gde_draft *f = &c->draft;
    const double slope = hypot(c->floor[1], c->floor[2]);
    if (n < LEAST) {
        gde_note(f, "floor: not found, for hardly anything stands still; taken to be at height 0");
    } else if (fabs(c->floor[0]) > SEEN || slope > 0) {
        gde_note(f, "floor of the recording: %.3g m over that of the model, slope %.2g degrees",
                 c->floor[0], slope / SAL_DEGREE);
    }
}

/* p' = p - (0, 0, h),  then  p'' = R p',  q'' = R q,  R n = e_z: as <data floor> has it */
static void lower(gde_clip *c)
{
    for (int row = 0; row < c->s.nrow; row++) {
        double *q = c->qpos + (size_t)row * (size_t)c->draft.m->nq;
        q[c->base.place[2]] -= c->base.along[2] * c->floor[0];
    }
}

static void turn_to_floor(gde_clip *c)
{
    const double normal[3] = {-c->floor[1], -c->floor[2], 1};
    const sal_model *m = c->draft.m;
    double to[4], back[4], p[3], q[4];
    sal_quat_z_to(to, normal);
    sal_quat_conj(back, to);
    for (int row = 0; row < c->s.nrow; row++) {
        double *pose = c->qpos + (size_t)row * (size_t)m->nq + m->jnt_qposadr[c->root];
        sal_v3_copy(p, pose);
        sal_quat_rotate(pose, back, p);
        sal_quat_mul(q, back, pose + 3);
        sal_quat_copy(pose + 3, q);
    }
}

/* ---- what could stand on it ---- */

/* The highest and the lowest origin of the robot's bodies at home, and the lowest point of it that
 * can touch a floor, m; DBL_MAX: none can. */
static sal_status look_at_legs(gde_clip *c, double *highest, double *lowest, double *touching,
                               sal_err *err)
{
    gde_draft *f = &c->draft;
    const sal_model *m = f->m;
    *highest = -DBL_MAX;
    *lowest = *touching = DBL_MAX;
    memcpy(f->d->qpos, f->pose, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, f->d);
    const sal_status status = sal_collide(f->wide, f->d, err);
    for (int b = 1; b < m->nbody; b++) {
        if (m->body_rootid[b] == c->base.body) {
            *highest = fmax(*highest, f->d->xpos[3 * b + 2]);
            *lowest = fmin(*lowest, f->d->xpos[3 * b + 2]);
        }
    }
    for (int i = 0; i < f->d->ncon && status == SAL_OK; i++) {
        const sal_contact *con = f->d->contact + i;
        if (m->body_rootid[m->geom_bodyid[con->geom2]] == c->base.body) {
            *touching = fmin(*touching, con->pos[2] + 0.5 * con->dist * con->frame[2]);
        }
    }
    return status;
}

/* Legs that end far under all that can touch the floor: geoms of the feet are missing. */
static sal_status check_legs(gde_clip *c, sal_err *err)
{
    double highest, lowest, touching;
    char ends[300];
    const sal_status status = look_at_legs(c, &highest, &lowest, &touching, err);
    if (status == SAL_OK && touching >= DBL_MAX) {
        c->base.body = 0;
        gde_note(&c->draft, "the robot has no geom that can touch a floor: nothing can carry it");
        return SAL_OK;
    }
    if (status != SAL_OK || !prb_floor_has(c->draft.m, SAL_GEOM_PLANE) ||
        !(touching - lowest > LEGS * (highest - lowest))) {
        return status;
    }
    gde_list_leg_ends(&c->draft, ends, sizeof ends);
    return sal_fail(err, SAL_BADINPUT,
                    "the ends of the robot's legs (%s) have no geoms that can touch the floor, "
                    "which would carry it at its knees or higher. Give the feet geoms with contype "
                    "or conaffinity as the floor has them",
                    ends);
}

sal_status gde_clip_floor(gde_clip *c, sal_err *err)
{
    if (c->base.body == 0) {
        return SAL_OK;
    }
    const sal_status status = check_legs(c, err);
    if (status != SAL_OK || c->base.body == 0) {
        return status;
    }
    if (c->root >= 0 && gde_is_pushed(c->draft.m, c->base.body)) {
        gde_note(&c->draft, "floor: not looked for, since the robot can fly, and what stands still "
                            "may hover; taken to be at height 0");
        return SAL_OK;
    }
    place *at = sal_alloc((size_t)c->s.nrow, sizeof *at);
    if (at == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the floor of a recording");
    }
    const int n = find_places(c, at);
    if (n >= LEAST) {
        find_floor(c, at, n);
        lower(c);
        if (c->root >= 0) {
            turn_to_floor(c);
        }
    }
    note_floor(c, n);
    sal_free(at);
    return SAL_OK;
}

/* ---- noise ---- */

/* White noise of deviation s makes third differences of deviation s sqrt(20). */
void gde_clip_noise(gde_clip *c)
{
    const sal_model *m = c->draft.m;
    const int n = c->s.nrow - 3;
    double *d = n < 1 ? NULL : sal_alloc((size_t)n, sizeof *d);
    for (int j = 0; j < m->njnt && d != NULL; j++) {
        const double *q = c->qpos + m->jnt_qposadr[j];
        for (int i = 0; i < n; i++, q += m->nq) {
            d[i] = fabs(q[3 * m->nq] - 3 * q[2 * m->nq] + 3 * q[m->nq] - q[0]);
        }
        sal_sort(d, n);
        c->noise[j] = 1.4826 * d[n / 2] / sqrt(20);
    }
    sal_free(d);
}
