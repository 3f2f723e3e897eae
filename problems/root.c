/* root.c: the joints by which a mechanism goes freely over a floor. */
#include "problems/root.h"

#include "base/house.h"

#include <math.h>

static const double STRAIGHT = 0.99; /* cosine: an axis is that of the world */

bool prb_has_spring(const sal_model *m, int joint)
{
    const double *poly = m->jnt_stiffnesspoly + 2 * joint;
    return m->jnt_stiffness[joint] != 0 || poly[0] != 0 || poly[1] != 0;
}

bool prb_is_actuated(const sal_model *m, int joint)
{
    for (int i = 0; i < m->nu; i++) {
        const int type = m->actuator_trntype[i];
        const bool own = type == SAL_TRN_JOINT || type == SAL_TRN_TENDON; /* of a site: all above */
        for (int k = m->moment_rowadr[i]; k < m->moment_rowadr[i] + m->moment_rownnz[i]; k++) {
            if (own && m->dof_jntid[m->moment_colind[k]] == joint) {
                return true;
            }
        }
    }
    return false;
}

bool prb_is_driven(const sal_model *m, int body)
{
    for (int k = 0; k < m->nu; k++) {
        for (int i = m->moment_rowadr[k]; i < m->moment_rowadr[k] + m->moment_rownnz[k]; i++) {
            const int joint = m->dof_jntid[m->moment_colind[i]];
            if (m->body_rootid[m->jnt_bodyid[joint]] == body) {
                return true;
            }
        }
    }
    return false;
}

static bool is_held(const sal_model *m, int joint)
{
    return prb_is_actuated(m, joint) || prb_has_spring(m, joint);
}

static void add_free(prb_root *root, const sal_model *m, int joint)
{
    root->lift = m->jnt_dofadr[joint] + 2;
    for (int i = 0; i < 3; i++) {
        root->place[i] = m->jnt_qposadr[joint] + i;
        root->along[i] = 1;
    }
}

/* Slides before the first joint that turns. */
static void add_slides(prb_root *root, const sal_model *m)
{
    const int first = m->body_jntadr[root->body], end = first + m->body_jntnum[root->body];
    for (int j = first; j < end && m->jnt_type[j] == SAL_JNT_SLIDE; j++) {
        double axis[3];
        sal_quat_rotate(axis, m->body_quat + 4 * root->body, m->jnt_axis + 3 * j);
        for (int i = 0; i < 3; i++) {
            if (fabs(axis[i]) > STRAIGHT && !is_held(m, j)) {
                root->place[i] = m->jnt_qposadr[j];
                root->along[i] = axis[i];
                root->lift = i == 2 ? m->jnt_dofadr[j] : root->lift;
            }
        }
    }
}

bool prb_root_of(prb_root *root, const sal_model *m, int body)
{
    *root = (prb_root){.lift = -1, .place = {-1, -1, -1}};
    if (body <= 0 || m->body_parentid[body] != 0 || m->body_jntnum[body] == 0) {
        return false;
    }
    const int first = m->body_jntadr[body];
    root->body = body;
    root->dof = m->jnt_dofadr[first];
    root->ndof = m->body_dofnum[body];
    if (m->jnt_type[first] == SAL_JNT_FREE) {
        add_free(root, m, first);
    } else {
        add_slides(root, m);
    }
    root->body = root->lift < 0 ? 0 : body;
    return root->body > 0;
}

bool prb_root_find(prb_root *root, const sal_model *m)
{
    prb_root one;
    prb_root_of(root, m, 0);
    for (int body = 1; body < m->nbody; body++) {
        if (!prb_root_of(&one, m, body)) {
            continue;
        }
        if (prb_is_driven(m, body)) {
            *root = one;
            return true;
        }
        *root = root->body > 0 ? *root : one;
    }
    return root->body > 0;
}
