/* draft_props.c: props: trees that nothing drives, such as a ball that is to be grasped.
 *
 * A prop that hangs in the air where the model puts it falls as soon as the motion begins, and no
 * actuator holds it: a motion from rest to rest has to begin where it lies. So it is simulated,
 * with all that is driven held as it stands, until it is at rest. Its velocity decays,
 *
 *     v := v exp(-h/tau)        tau = .1 s
 *
 * so that it falls at 1 m/s at most, does not bounce and does not roll on. At the end of a motion
 * props are free: nothing asks where they are.
 *
 * One that falls on the arm, which would have to carry it, is laid below it where there is room.
 * A robot on feet has its props behind it, one after the other, where its motion does not meet
 * them: in its plane of symmetry, so that a mirrored gait may have them, too.
 *
 * In the same way an arm that stands in itself is let go, without gravity, until contacts and
 * limits balance; and a robot that is to get up is let go until it lies.
 */
#include "base/house.h"
#include "guide/draft.h"
#include "problems/root.h"

#include <math.h>
#include <string.h>

/* s; m/s or rad/s: where the search for rest ends, and what counts as rest after all of it */
static const double DECAY = 0.1, LONGEST = 10, STILL_FOR = 0.1, STILL = 1e-3, SLOW = 0.05;

/* m; lengths of legs */
static const double TOUCH = 1e-3, BEHIND = 5;

bool gde_is_prop(const sal_model *m, int joint)
{
    return !prb_is_driven(m, m->body_rootid[m->jnt_bodyid[joint]]);
}

bool gde_has_props(const sal_model *m)
{
    for (int j = 0; j < m->njnt; j++) {
        if (gde_is_prop(m, j)) {
            return true;
        }
    }
    return false;
}

static int positions_of(const sal_model *m, int joint)
{
    return (joint + 1 < m->njnt ? m->jnt_qposadr[joint + 1] : m->nq) - m->jnt_qposadr[joint];
}

static int velocities_of(const sal_model *m, int joint)
{
    return (joint + 1 < m->njnt ? m->jnt_dofadr[joint + 1] : m->nv) - m->jnt_dofadr[joint];
}

typedef enum mover { PROPS, DRIVEN, ALL } mover;

/* Slows down what moves, and puts back to the pose what is held. Returns the fastest. */
static double slow_down(gde_draft *f, mover who)
{
    const sal_model *m = f->m;
    const double slower = exp(-m->opt.timestep / DECAY);
    double fastest = 0;
    for (int j = 0; j < m->njnt; j++) {
        const int at = m->jnt_qposadr[j], dof = m->jnt_dofadr[j];
        const bool moves = who == ALL || gde_is_prop(m, j) == (who == PROPS);
        for (int k = 0; k < velocities_of(m, j); k++) {
            f->d->qvel[dof + k] *= moves ? slower : 0;
            fastest = fmax(fastest, fabs(f->d->qvel[dof + k]));
        }
        if (!moves) {
            memcpy(f->d->qpos + at, f->pose + at, (size_t)positions_of(m, j) * sizeof(double));
        }
    }
    return fastest;
}

/* Simulates the pose under a model m until it is at rest; leaves it as it is without. */
static void settle(gde_draft *f, const sal_model *m, mover who)
{
    sal_err err = {0};
    double still = 0, fastest = INFINITY;
    sal_data_reset(m, f->d);
    memcpy(f->d->qpos, f->pose, (size_t)m->nq * sizeof(double));
    double t = 0;
    while (t < LONGEST && still < STILL_FOR) {
        const sal_status status = sal_step(m, f->d, &err);
        if (status != SAL_OK) {
            f->out->failed = f->out->failed || status == SAL_NOMEM;
            fastest = INFINITY;
            break;
        }
        fastest = slow_down(f, who);
        still = fastest < STILL ? still + m->opt.timestep : 0;
        t += m->opt.timestep;
    }
    if (fastest < SLOW) {
        memcpy(f->pose, f->d->qpos, (size_t)m->nq * sizeof(double));
    }
    sal_data_reset(m, f->d);
    memcpy(f->d->qpos, f->pose, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, f->d);
}

/* 1: what is driven, -1: a prop, 0: neither moves */
static int kind_of(const sal_model *m, int geom)
{
    const int body = m->geom_bodyid[geom];
    return m->body_weldid[body] == 0 ? 0 : prb_is_driven(m, m->body_rootid[body]) ? 1 : -1;
}

/* Whether a prop touches what is driven in the pose. */
static bool leans_on_arm(gde_draft *f)
{
    const sal_model *m = f->m;
    sal_err err = {0};
    bool leans = sal_collide(m, f->d, &err) != SAL_OK;
    for (int i = 0; i < f->d->ncon && !leans; i++) {
        const sal_contact *c = f->d->contact + i;
        leans = kind_of(m, c->geom1) * kind_of(m, c->geom2) < 0 && c->dist < TOUCH;
    }
    return leans;
}

/* Simulates props as if what is driven were not there. */
static void settle_past_arm(gde_draft *f)
{
    sal_model *m;
    sal_err err = {0};
    if (sal_model_copy(&m, f->m, &err) != SAL_OK) {
        f->out->failed = true;
        return;
    }
    for (int i = 0; i < m->npair; i++) {
        if (kind_of(m, m->pair_geom1[i]) * kind_of(m, m->pair_geom2[i]) < 0) {
            m->pair_detect[i] = -1e6;
        }
    }
    sal_model_margins(m);
    settle(f, m, PROPS);
    sal_model_free(m);
}

void gde_settle_props(gde_draft *f)
{
    const size_t size = (size_t)f->m->nq * sizeof(double);
    double *home = gde_has_props(f->m) ? sal_alloc(2 * (size_t)f->m->nq, sizeof *home) : NULL;
    if (home == NULL) {
        f->out->failed = f->out->failed || gde_has_props(f->m);
        return;
    }
    double *on_arm = home + f->m->nq;
    memcpy(home, f->pose, size);
    settle(f, f->m, PROPS);
    if (leans_on_arm(f)) {
        memcpy(on_arm, f->pose, size);
        memcpy(f->pose, home, size);
        settle_past_arm(f);
        if (leans_on_arm(f)) { /* no room there */
            memcpy(f->pose, on_arm, size);
        } else {
            gde_note(f, "an object would fall on the arm: it starts below, where it rests by "
                        "itself");
        }
    }
    memcpy(f->d->qpos, f->pose, size);
    sal_kinematics(f->m, f->d);
    sal_free(home);
}

void gde_lay_props_behind(gde_draft *f)
{
    const sal_model *m = f->m;
    int n = 0, first = -1;
    char text[GDE_NAME];
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] != SAL_JNT_FREE || !gde_is_prop(m, j)) {
            continue;
        }
        double *at = f->pose + m->jnt_qposadr[j];
        const double behind = (BEHIND + n) * f->leg;
        at[0] = f->d->xpos[3 * f->root] - behind * f->facing[0];
        at[1] = f->d->xpos[3 * f->root + 1] - behind * f->facing[1];
        first = n++ == 0 ? m->jnt_bodyid[j] : first;
    }
    if (n == 0) {
        return;
    }
    gde_name(m, SAL_OBJ_BODY, first, text);
    if (n == 1) {
        gde_note(f, "no actuator moves '%s': it lies at rest %.2g m behind", text, BEHIND * f->leg);
    } else {
        gde_note(f,
                 "no actuator moves '%s' and %d other bodies: they lie at rest, one after the "
                 "other, %.2g m behind",
                 text, n - 1, BEHIND * f->leg);
    }
    f->key = -1;
    settle(f, m, PROPS);
    sal_err err = {0};
    f->out->failed = f->out->failed || sal_collide(f->wide, f->d, &err) != SAL_OK;
}

void gde_relax_arm(gde_draft *f)
{
    sal_model *limp;
    sal_err err = {0};
    if (sal_model_copy(&limp, f->m, &err) == SAL_OK) {
        limp->opt.disable |= SAL_DSBL_GRAVITY | SAL_DSBL_ACTUATION;
        settle(f, limp, DRIVEN);
        sal_model_free(limp);
    } else {
        f->out->failed = true;
    }
}

void gde_lie_down(gde_draft *f)
{
    sal_model *limp;
    sal_err err = {0};
    if (sal_model_copy(&limp, f->m, &err) == SAL_OK) {
        limp->opt.disable |= SAL_DSBL_ACTUATION;
        settle(f, limp, ALL);
        sal_model_free(limp);
    } else {
        f->out->failed = true;
    }
}

/* ---- at the end ---- */

bool gde_is_sprung(const sal_model *m, int joint)
{
    return !prb_is_actuated(m, joint) && prb_has_spring(m, joint);
}

void gde_write_rest(const gde_draft *f)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    gde_words words = {0};
    int held = 0;
    for (int j = 0; j < m->njnt; j++) {
        held += !gde_is_prop(m, j) && !gde_is_sprung(m, j);
    }
    for (int j = 0; j < m->njnt && held < m->njnt; j++) {
        if (words.out == NULL) {
            words = gde_words_begin(f->out, 8, "joint");
        }
        if (!gde_is_prop(m, j) && !gde_is_sprung(m, j)) {
            gde_word(&words, gde_name(m, SAL_OBJ_JOINT, j, text));
        }
    }
    if (words.out != NULL) {
        gde_words_end(&words);
    }
    sal_text_add(f->out, " qvel=\"0\"");
}
