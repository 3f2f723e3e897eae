/* plates_stance.c: feet that stand on no plate of their own, by how they move.
 *
 * A foot stands where a sphere of its sole is low and slow. In walking, spheres that no plate feels
 * are faster than SLOW: a heel that comes down is loaded at 0.4 to 0.6 m/s, a toe that leaves at
 * 1.6 m/s. So a foot which stands while no plate has its centre of pressure near it, and the plates
 * carry the weight, is on the plate of the other foot. Which share of that plate's force is whose
 * is not known then, nor shortly before and after: as long as the foot is low, and slower than
 * ROLLS, it may carry something. What the low-pass makes of the force of two feet reaches SMEARS
 * farther.
 *
 * Where the foot has a plate of its own in the same stance, it only stands lightly on that.
 */
#include "base/house.h"
#include "runs/plates_inverse.h"

#include <math.h>
#include <string.h>

static const double LOW = .01;              /* m over the floor */
static const double SLOW = .3, ROLLS = 1.5; /* m/s */
static const double SMEARS = .02;           /* s */
enum { SPHERES = 4, NONE = -1 };

typedef struct footing {
    /* m/s: of the slowest sphere that is low; infinite: none is */
    double speed;
    /* the plate that bears it */
    int plate;
} footing;

typedef struct stance {
    run_inverse *c;
    int n;
    /* [n x RUN_NFOOT x SPHERES x 3] */
    double *x;
    /* [n x RUN_NFOOT] */
    footing *at;
    /* [n] over the weight, of all plates; one that is loaded */
    double *load;
    int *loaded;
    /* which ever bear a foot */
    bool bears[RUN_PLATES_MOST];
} stance;

static footing *at(const stance *s, int t, int foot)
{
    return s->at + (size_t)t * RUN_NFOOT + foot;
}

static double *sphere(const stance *s, int t, int foot, int k)
{
    return s->x + 3 * (((size_t)t * RUN_NFOOT + (size_t)foot) * SPHERES + (size_t)k);
}

/* ---- what is known of a step ---- */

/* Centres of the spheres over the floor, less their radii */
static void place_spheres(stance *s, int t)
{
    const sal_model *m = s->c->m;
    for (int i = 0; i < RUN_NFOOT; i++) {
        const run_foot *foot = s->c->foot + i;
        const int geom[SPHERES] = {foot->heel[0], foot->heel[1], foot->toe[0], foot->toe[1]};
        for (int k = 0; k < SPHERES; k++) {
            double *x = sphere(s, t, i, k);
            sal_v3_copy(x, s->c->d->geom_xpos + 3 * geom[k]);
            x[2] -= m->geom_size[3 * geom[k]];
        }
    }
}

/* Which plate bears which foot, at the pose of d. */
static void find_plates(stance *s, int t)
{
    const run_inverse *c = s->c;
    run_wrench w;
    double distance;
    at(s, t, 0)->plate = at(s, t, 1)->plate = s->loaded[t] = NONE;
    for (int i = 0; i < c->plates.n; i++) {
        if (!run_inverse_plate(c, i, t, &w) || !(w.force[2] > RUN_LOADED * c->weight)) {
            continue;
        }
        const int foot = run_feet_nearest(c->foot, c->d, w.point, &distance);
        s->load[t] += w.force[2] / c->weight;
        s->loaded[t] = i;
        if (distance <= RUN_REACH) {
            at(s, t, foot)->plate = i;
            s->bears[i] = true;
        }
    }
}

static void find_speeds(stance *s)
{
    for (int t = 0; t < s->n; t++) {
        const int a = t > 0 ? t - 1 : 0, b = t < s->n - 1 ? t + 1 : t;
        for (int i = 0; i < RUN_NFOOT; i++) {
            at(s, t, i)->speed = (double)INFINITY;
            for (int k = 0; k < SPHERES && b > a; k++) {
                double way[3];
                sal_v3_sub(way, sphere(s, b, i, k), sphere(s, a, i, k));
                const double speed = sal_v3_norm(way) / ((b - a) * s->c->h);
                if (sphere(s, t, i, k)[2] < LOW) {
                    at(s, t, i)->speed = fmin(at(s, t, i)->speed, speed);
                }
            }
            s->c->stands[t * RUN_NFOOT + i] =
                (unsigned char)(isfinite(at(s, t, i)->speed) + (at(s, t, i)->speed < ROLLS));
        }
    }
}

/* ---- stances ---- */

/* The plate that bears the other foot, or, where it bears both, is loaded at all; NONE also for one
 * that never bears a foot. */
static int plate_of_other(const stance *s, int t, int foot)
{
    const int other = at(s, t, 1 - foot)->plate, any = s->loaded[t];
    return other != NONE ? other : any != NONE && s->bears[any] ? any : NONE;
}

/* Whether the foot stands at step t, on no plate, while a plate bears the other. */
static bool is_bare(const stance *s, int t, int foot)
{
    return at(s, t, foot)->speed < SLOW && at(s, t, foot)->plate == NONE &&
           plate_of_other(s, t, foot) != NONE;
}

/* Whether in this stance, of which first .. end - 1 are a part, the foot is on a plate of its own
 * as well. */
static bool has_own(const stance *s, int foot, int first, int end, int plate)
{
    bool own = false;
    for (; first > 0 && at(s, first - 1, foot)->speed < ROLLS; first--) {
    }
    for (; end < s->n && at(s, end, foot)->speed < ROLLS; end++) {
    }
    for (int t = first; t < end; t++) {
        own = own || (at(s, t, foot)->plate != NONE && at(s, t, foot)->plate != plate);
    }
    return own;
}

/* Steps first .. end - 1, at which the foot is bare, and those beside them at which it still, or
 * already, is low. */
static void leave_out(stance *s, int foot, int first, int end)
{
    run_inverse *c = s->c;
    const int plate = plate_of_other(s, first, foot);
    double load = 0;
    if (has_own(s, foot, first, end, plate)) {
        return;
    }
    for (int t = first; t < end; t++) {
        load += s->load[t] / (end - first);
    }
    if (load < 1 - RUN_UNEXPLAINED) {
        return; /* it stands beside the plates, as what is left on the root shows */
    }
    while (first > 0 && at(s, first - 1, foot)->plate == NONE &&
           at(s, first - 1, foot)->speed < ROLLS) {
        first--;
    }
    while (end < s->n && at(s, end, foot)->plate == NONE && at(s, end, foot)->speed < ROLLS) {
        end++;
    }
    const int more = (int)ceil(SMEARS / c->h - 1e-6);
    for (int t = first - more > 0 ? first - more : 0; t < end + more && t < s->n; t++) {
        if (c->left_out[t] == 0) {
            run_steps_add(&c->seen[plate].both, t);
        }
        c->left_out[t] = 1;
    }
}

/* ---- the whole ---- */

static void find_stances(stance *s)
{
    for (int foot = 0; foot < RUN_NFOOT; foot++) {
        for (int t = 0, end; t < s->n; t = end) {
            for (end = t + 1; end < s->n && is_bare(s, end, foot) && is_bare(s, t, foot); end++) {
            }
            if (is_bare(s, t, foot)) {
                leave_out(s, foot, t, end);
            }
        }
    }
}

sal_status run_inverse_stance(run_inverse *c, sal_err *err)
{
    stance s = {.c = c, .n = c->p->nstep};
    const size_t n = (size_t)s.n, nq = (size_t)c->m->nq;
    s.x = sal_alloc(n * (3 * SPHERES * RUN_NFOOT + 1), sizeof *s.x);
    s.loaded = sal_alloc(n, sizeof *s.loaded);
    s.at = sal_alloc(n * RUN_NFOOT, sizeof *s.at);
    c->stands = sal_alloc(n * RUN_NFOOT, 1);
    const bool memory = c->stands != NULL && s.x != NULL && s.at != NULL && s.loaded != NULL;
    if (memory) {
        s.load = s.x + n * 3 * SPHERES * RUN_NFOOT;
        for (int t = 0; t < s.n; t++) {
            memcpy(c->d->qpos, c->poses.qpos + (size_t)t * nq, nq * sizeof(double));
            sal_kinematics(c->m, c->d);
            place_spheres(&s, t);
            find_plates(&s, t);
        }
        find_speeds(&s);
        find_stances(&s);
    }
    sal_free(s.x);
    sal_free(s.at);
    sal_free(s.loaded);
    return memory ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory for %d steps", s.n);
}
