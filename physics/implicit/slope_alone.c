/* slope_alone.c: which bodies float alone: implicitfast takes all of D for them, see slope.h. */
#include "physics/implicit/slope.h"

bool phy_body_floats_alone(const sal_model *m, int body)
{
    const int root = m->body_rootid[body], joint = m->body_jntadr[root];
    const bool heavy_only = m->mujoco != SAL_MUJOCO_314;
    if (joint < 0 || m->jnt_type[joint] != SAL_JNT_FREE ||
        (heavy_only && m->body_subtreemass[root] != m->body_mass[root])) {
        return false;
    }
    const int next = m->body_dofadr[root] + 6; /* the tree's dofs stand together */
    return next >= m->nv || m->body_rootid[m->dof_bodyid[next]] != root;
}
