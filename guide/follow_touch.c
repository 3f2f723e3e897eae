/* follow_touch.c: what else than feet is on the floor in a recording: of one who falls, sits or
 * crawls.
 *
 *     body touches       at least LEAST of all samples have it at most NEAR over the floor
 *     recording is low   at least LOW of all samples have some such body there that at home is
 *                        STANDING over it or higher
 */
#include "base/house.h"
#include "guide/follow.h"

#include <string.h>

static const double NEAR = 0.02;     /* m */
static const double STANDING = 0.04; /* m: at home */
static const double LEAST = 0.002, LOW = 0.02;

static bool is_of_feet(const gde_draft *f, int body)
{
    for (int i = 0; i < f->nfoot; i++) {
        if (gde_is_of_foot(f, f->foot + i, body)) {
            return true;
        }
    }
    return false;
}

/* The distances of all geoms from the floor, as contacts; false: they are not known. */
static bool look(gde_draft *f, const double *q)
{
    sal_err err = {0};
    memcpy(f->d->qpos, q, (size_t)f->m->nq * sizeof(double));
    sal_kinematics(f->m, f->d);
    return sal_collide(f->wide, f->d, &err) == SAL_OK;
}

static int body_of(const gde_draft *f, const sal_contact *con)
{
    return f->m->body_weldid[f->m->geom_bodyid[con->geom2]];
}

/* low [nbody]: whether it is that low while the robot stands, as ends of shanks may be. */
static void find_low(gde_draft *f, bool *low)
{
    memset(low, 0, (size_t)f->m->nbody * sizeof *low);
    for (int i = 0, n = look(f, f->pose) ? f->d->ncon : 0; i < n; i++) {
        const sal_contact *con = f->d->contact + i;
        low[body_of(f, con)] = low[body_of(f, con)] || con->dist < STANDING;
    }
}

/* Counts a sample for each body that is near the floor in it. Returns whether one is that is not
 * while the robot stands. */
static bool count_sample(gde_clip *c, const double *q, int row, const bool *low, int *samples,
                         int *seen)
{
    gde_draft *f = &c->draft;
    bool any = false;
    for (int i = 0, n = look(f, q) ? f->d->ncon : 0; i < n; i++) {
        const sal_contact *con = f->d->contact + i;
        const int body = body_of(f, con);
        if (con->dist < NEAR && body > 0 && !is_of_feet(f, body)) {
            samples[body] += seen[body] <= row;
            seen[body] = row + 1;
            any = any || !low[body];
        }
    }
    return any;
}

static void note_touch(gde_clip *c, int low)
{
    gde_draft *f = &c->draft;
    char text[GDE_NAME];
    for (int b = 1; b < f->m->nbody; b++) {
        if (c->touches[b]) {
            gde_note(f, "body '%s' touches the floor, too", gde_name(f->m, SAL_OBJ_BODY, b, text));
        }
    }
    gde_note(f,
             "in %.3g %% of the samples not only feet are on the floor: the recording is followed "
             "less closely",
             100.0 * low / c->s.nrow);
}

/* Bodies that stand on the floor, and of which terms know points that can; says which do not have
 * such points. */
static void find_standing(gde_clip *c)
{
    gde_draft *f = &c->draft;
    const int n = f->m->nbody;
    char text[GDE_NAME];
    sal_text list = {0};
    bool known = c->base.body > 0 && look(f, f->pose);
    for (int b = 1; b < n && known; b++) {
        const bool on = c->touches[b] || is_of_feet(f, b);
        c->stands[b] = on && gde_has_points(f, b);
        c->nstand += c->stands[b];
        if (on && !c->stands[b] && f->m->body_weldid[b] == b) {
            sal_text_format(&list, "%s'%s'", list.length > 0 ? ", " : "",
                            gde_name(f->m, SAL_OBJ_BODY, b, text));
        }
    }
    if (list.length > 0) {
        gde_note(f,
                 "%s: what touches the floor there is no sphere, capsule, cylinder or box, so no "
                 "terms 'slip' and 'impact' hold it still; contacts do, where they press",
                 list.data == NULL ? "" : list.data);
    }
    sal_text_clear(&list);
}

sal_status gde_clip_touch(gde_clip *c, sal_err *err)
{
    const gde_draft *f = &c->draft;
    const size_t nbody = (size_t)f->m->nbody;
    int *samples = sal_alloc(2 * nbody, sizeof *samples), low = 0;
    bool *standing = sal_alloc(nbody, sizeof *standing);
    c->touches = sal_alloc(nbody, sizeof *c->touches);
    c->stands = sal_alloc(nbody, sizeof *c->stands);
    if (samples == NULL || standing == NULL || c->touches == NULL || c->stands == NULL) {
        sal_free(samples);
        sal_free(standing);
        return sal_fail(err, SAL_NOMEM, "out of memory for the bodies that touch the floor");
    }
    find_low(&c->draft, standing);
    for (int row = 0; row < c->s.nrow && c->base.body > 0; row++) {
        low += count_sample(c, c->qpos + (size_t)row * (size_t)f->m->nq, row, standing, samples,
                            samples + nbody);
    }
    c->low = low >= LOW * c->s.nrow;
    for (size_t b = 0; b < nbody && c->low; b++) {
        c->touches[b] = samples[b] >= LEAST * c->s.nrow && samples[b] > 0;
    }
    if (c->low) {
        note_touch(c, low);
    }
    find_standing(c);
    sal_free(samples);
    sal_free(standing);
    return SAL_OK;
}
