/* staged_mujoco.h: the derivatives of libmujoco's inverse dynamics by forward differences in
 * stages, as ours are taken. */
#ifndef SAL_BENCH_STAGED_MUJOCO_H
#define SAL_BENCH_STAGED_MUJOCO_H

#include <mujoco/mujoco.h>

/* At qpos, qvel, qacc of d: row i of Dq, Dv, Da [nv x nv each] = d qfrc_inverse / d (q_i, v_i,
 * a_i), q in its tangent space. The last stage first: a perturbed acceleration needs neither
 * positions nor velocities again, a perturbed velocity no positions. scratch: [nq + 2 nv]. Leaves
 * the state as it was. */
void staged_mujoco(const mjModel *m, mjData *d, double *Dq, double *Dv, double *Da, double eps,
                   double *scratch);

#endif
