/* compiling.h: what the compiler of models (mjcf/) has physics/ fill in, and what it asks. The only
 * private header of physics/ that a room above includes. */
#ifndef SAL_PHYSICS_COMPILING_H
#define SAL_PHYSICS_COMPILING_H

#include "physics/physics.h"

/* Fills body_subtreemass, dof_M0, dof_invweight0, body_invweight0, actuator_length0, actuator_acc0
 * and meaninertia, at qpos0; damping ratios of servos become velocity coefficients. constants.c
 * Everything else that describes tree, masses, joints, dofs (with dof_Madr), chains, actuators and
 * capacities must be there. SAL_SINGULAR names the first dof without inertia. Allocates a data for
 * the while. */
sal_status phy_model_constants(sal_model *m, sal_err *err);

/* moment_rowadr, moment_rownnz, moment_colind: which dofs each actuator acts on. Transmissions,
 * chains and tendons must be there, and room in moment_colind for nv entries behind the last
 * row. */
void phy_moment_pattern(sal_model *m);

/* Whether a model of so many geoms and pairs is swept: its nsweep is then ngeom and its nsweeppair
 * npair, else both are 0. collision/sweep.c */
bool phy_sweep_pays(int ngeom, long npair);
/* Fills the sweep_ arrays of a model whose pairs are there. */
void phy_sweep_index(sal_model *m);

/* How many boxes the tree of a mesh of so many faces has. collision/ray_tree.c */
int phy_ray_tree_size(int nface);
/* Fills tree_box and tree_face, where there is room for them; vertices, faces and mesh_treeadr must
 * be there. */
void phy_ray_trees(sal_model *m);

/* Most contacts of a pair of a height field and another geom. collision/field.c */
int phy_field_contacts(const sal_model *m, int pair);

/* Whether the model has pairs for which MuJoCo, from 3.8 on, may make several contacts unless its
 * flag multiccd is disabled. collision/collide.c */
bool phy_meets_at_one_point(const sal_model *m);

/* A data for all stages but the forward solver, whose scratch grows with the square of nv, and the
 * derivatives. */
sal_status phy_data_new_small(sal_data **d, const sal_model *m, sal_err *err);
/* r += moment' force */
void phy_actuator_pull(const sal_model *m, const sal_data *d, double *r, int i, double force);

/* The activations of an actuator of dyntype motor: where each is among them, or -1, and how many
 * there are. motor.c */
typedef struct phy_motor_states {
    int slew, integral, temperature, bristle, current, n;
} phy_motor_states;
phy_motor_states phy_motor_states_of(const double *dynprm, const double *gainprm);
/* The motor of which actuator i is a further control, or -1. motor.c */
int phy_motor_fed_by(const sal_model *m, int i);

/* What of the model does not go with integrator="discrete", if it has that; else NULL.
 * implicit/step_metric.c */
const char *phy_step_metric_lacks(const sal_model *m);

/* Numbers that a history of n samples of dim numbers takes: history.h */
static inline long phy_history_size(long n, long dim)
{
    return n > 0 ? 2 + n + n * dim : 0;
}

#endif
