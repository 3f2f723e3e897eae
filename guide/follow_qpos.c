/* follow_qpos.c: recordings with an array qpos: the positions of a model of MuJoCo, as they are,
 * with the names of joints, or with poses of objects behind them.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <string.h>

/* The first column of qpos, -1: there is none. */
static int qpos_column(const sig_signals *s)
{
    const int dashed = sig_find(s, "qpos_0");
    return dashed >= 0 ? dashed : sig_find(s, "qpos0");
}

/* The pose of a free joint in qpos from column k on: place and quaternion as MuJoCo has them, or
 * the other way round, w first. false: it is neither. */
static bool set_pose_of_qpos(gde_clip *c, int k)
{
    const bool usual = gde_is_rotation(&c->s, k + 3);
    if (!usual && !gde_is_rotation(&c->s, k)) {
        return false;
    }
    gde_set_pose(c, usual ? k : k + 4, usual ? k + 3 : k);
    c->named_order = 1;
    return true;
}

/* It stands before those of its columns that the file says are joints'. */
bool gde_find_pose_in_qpos(gde_clip *c)
{
    const int k = qpos_column(&c->s);
    return k >= 0 && gde_array_at(&c->s, k) >= 7 && !gde_has_joint(c, k, 7) &&
           set_pose_of_qpos(c, k);
}

/* Poses of n numbers more, behind those of the model: each is a place and a quaternion. */
static bool are_poses(const sig_signals *s, int k, int n)
{
    bool poses = n % 7 == 0;
    for (int i = 0; i < n && poses; i += 7) {
        poses = gde_is_rotation(s, k + i + 3) || gde_is_rotation(s, k + i);
    }
    return poses;
}

int gde_find_qpos(const gde_clip *c)
{
    const sig_signals *s = &c->s;
    const int nq = c->draft.m->nq, k = qpos_column(s), n = k < 0 ? 0 : gde_array_at(s, k);
    return n >= nq && are_poses(s, k + nq, n - nq) && s->column[k + nq - 1].joint == NULL ? k : -1;
}

/* Balls have no columns of their own: such poses are used as they are. */
static sal_status copy_qpos(gde_clip *c, int k, sal_err *err)
{
    const sal_model *m = c->draft.m;
    sal_status status = gde_make_room(c, err);
    status = status == SAL_OK ? gde_check_numbers(c, k, m->nq, err) : status;
    for (int row = 0; row < c->s.nrow && status == SAL_OK; row++) {
        double *q = c->made + (size_t)row * (size_t)m->nq;
        memcpy(q, c->s.value + (size_t)row * (size_t)c->s.ncol + k, (size_t)m->nq * sizeof *q);
        for (int i = 0; i < 7 && c->root >= 0; i++) {
            q[m->jnt_qposadr[c->root] + i] =
                gde_clip_cell(c, row, i < 3 ? c->place[i] : c->turn[i - 3]);
        }
        for (int j = 0; j < m->njnt; j++) {
            if (m->jnt_type[j] < SAL_JNT_SLIDE) {
                sal_quat_normalise(q + m->jnt_qposadr[j] + 3 * (m->jnt_type[j] == SAL_JNT_FREE));
            }
            c->known[j] = true;
        }
    }
    c->place[0] = c->turn[0] = -1; /* these are no columns of the table that comes of it */
    return status;
}

sal_status gde_take_qpos(gde_clip *c, int k, sal_err *err)
{
    const sal_model *m = c->draft.m;
    const int root = c->root < 0 ? -1 : k + m->jnt_qposadr[c->root],
              more = gde_array_at(&c->s, k) - m->nq;
    if (more > 0) {
        gde_note(&c->draft,
                 "the last %d numbers of qpos, poses of bodies that the model does not have, are "
                 "not used",
                 more);
    }
    if (root >= 0 && !set_pose_of_qpos(c, root)) {
        return sal_fail(
            err, SAL_BADINPUT,
            "'%.200s': columns %.60s .. of qpos are no place and a quaternion of length "
            "1 for body '%.80s'",
            c->s.source.path, c->s.column[root].name,
            sal_model_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root]));
    }
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_BALL) {
            return copy_qpos(c, k, err);
        }
        c->column[j] = m->jnt_type[j] == SAL_JNT_FREE ? -1 : k + m->jnt_qposadr[j];
    }
    return SAL_OK;
}
