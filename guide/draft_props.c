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
 * In the same way an arm that stands in itself is let go, without gravity, until contacts and
 * limits balance.
 */
#include "base/house.h"
#include "guide/draft.h"

#include <math.h>
#include <string.h>

/* s; m/s or rad/s: where the search for rest ends, and what counts as rest after all of it */
static const double DECAY = 0.1, LONGEST = 10, STILL_FOR = 0.1, STILL = 1e-3, SLOW = 0.05;

bool gde_is_prop(const sal_model *m, int joint)
{
    return !gde_is_driven(m, m->body_rootid[m->jnt_bodyid[joint]]);
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

/* Slows down what moves, and puts back to the pose what is held. Returns the fastest. */
static double slow_down(gde_draft *f, bool arm_moves)
{
    const sal_model *m = f->m;
    const double slower = exp(-m->opt.timestep / DECAY);
    double fastest = 0;
    for (int j = 0; j < m->njnt; j++) {
        const int at = m->jnt_qposadr[j], dof = m->jnt_dofadr[j];
        const bool moves = gde_is_prop(m, j) != arm_moves;
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
static void settle(gde_draft *f, const sal_model *m, bool arm_moves)
{
    sal_err err = {0};
    double still = 0, fastest = INFINITY;
    sal_data_reset(m, f->d);
    memcpy(f->d->qpos, f->pose, (size_t)m->nq * sizeof(double));
    for (double t = 0; t < LONGEST && still < STILL_FOR; t += m->opt.timestep) {
        if (sal_step(m, f->d, &err) != SAL_OK) {
            fastest = INFINITY;
            break;
        }
        fastest = slow_down(f, arm_moves);
        still = fastest < STILL ? still + m->opt.timestep : 0;
    }
    if (fastest < SLOW) {
        memcpy(f->pose, f->d->qpos, (size_t)m->nq * sizeof(double));
    }
    sal_data_reset(m, f->d);
    memcpy(f->d->qpos, f->pose, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, f->d);
}

void gde_settle_props(gde_draft *f)
{
    if (gde_has_props(f->m)) {
        settle(f, f->m, false);
    }
}

void gde_relax_arm(gde_draft *f)
{
    sal_model *limp;
    sal_err err = {0};
    if (sal_model_copy(&limp, f->m, &err) == SAL_OK) {
        limp->opt.disable |= SAL_DSBL_GRAVITY | SAL_DSBL_ACTUATION;
        settle(f, limp, true);
        sal_model_free(limp);
    }
}

/* ---- at the end ---- */

/* A joint without actuator that springs hold, such as the tip of a finger: it comes to rest by
 * itself, and nothing can make it do so at an instant. */
static bool is_sprung(const sal_model *m, int joint)
{
    const double *poly = m->jnt_stiffnesspoly + 2 * joint;
    return !gde_is_actuated(m, joint) &&
           (m->jnt_stiffness[joint] > 0 || poly[0] != 0 || poly[1] != 0);
}

void gde_write_rest(const gde_draft *f)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    gde_words words = {0};
    int held = 0;
    for (int j = 0; j < m->njnt; j++) {
        held += !gde_is_prop(m, j) && !is_sprung(m, j);
    }
    for (int j = 0; j < m->njnt && held < m->njnt; j++) {
        if (words.out == NULL) {
            words = gde_words_begin(f->out, 8, "joint");
        }
        if (!gde_is_prop(m, j) && !is_sprung(m, j)) {
            gde_word(&words, gde_name(m, SAL_OBJ_JOINT, j, text));
        }
    }
    if (words.out != NULL) {
        gde_words_end(&words);
    }
    sal_text_add(f->out, " qvel=\"0\"");
}
