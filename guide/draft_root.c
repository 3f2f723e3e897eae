/* draft_root.c: what travels: a slide or free joint of a driven tree, free along the floor. */
#include "base/house.h"
#include "guide/draft.h"
#include "problems/root.h"

#include <math.h>

/* A joint that carries a driven tree along the floor, nothing holding it back. */
static bool may_travel(const gde_draft *f, int j)
{
    const sal_model *m = f->m;
    const double *axis = f->d->xaxis + 3 * j;
    const int type = m->jnt_type[j], body = m->jnt_bodyid[j];
    return m->body_parentid[body] == 0 && prb_is_driven(m, body) && !prb_is_actuated(m, j) &&
           (type == SAL_JNT_FREE || (type == SAL_JNT_SLIDE && fabs(axis[2]) < 1e-6)) &&
           !m->jnt_limited[j] && !prb_has_spring(m, j);
}

/* Whether the model goes on as it is after travelling along the joint: nothing stays behind. */
static bool travels(const sal_model *m, int joint)
{
    sal_image *image;
    if (sal_image_new(&image, m, NULL) != SAL_OK) {
        return false;
    }
    const bool good = sal_image_travel(image, m, joint, NULL, NULL) == SAL_OK;
    sal_image_free(image);
    return good;
}

void gde_find_root(gde_draft *f)
{
    const sal_model *m = f->m;
    f->travel = -1;
    f->root = 0;
    sal_kinematics(m, f->d);
    for (int j = 0; j < m->njnt; j++) {
        /* of several slides the one along x, the direction of travel by convention */
        const bool ahead = m->jnt_type[j] == SAL_JNT_FREE || fabs(f->d->xaxis[3 * j]) > 0.5;
        if (may_travel(f, j) && travels(m, j) && (f->travel < 0 || ahead)) {
            f->travel = j;
            if (ahead) {
                break;
            }
        }
    }
    f->root = f->travel < 0 ? 0 : m->jnt_bodyid[f->travel];
}
