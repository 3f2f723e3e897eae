/* object_pose.h: where a named object is, whatever its kind; private to physics/. */
#ifndef SAL_PHYSICS_OBJECT_POSE_H
#define SAL_PHYSICS_OBJECT_POSE_H

#include "physics/physics.h"

/* The pose of a body, geom, site or camera in the world, and the body that carries it; id -1: the
 * world itself. */
typedef struct phy_pose {
    double pos[3];
    double mat[9];
    int body;
} phy_pose;
void phy_object_pose(const sal_model *m, const sal_data *d, int type, int id, phy_pose *pose);

/* Its quaternion as a product of the body's and its own in the body, the sign as it comes; of a
 * camera also where it does not turn with its body, as in MuJoCo. */
void phy_object_quat(const sal_model *m, const sal_data *d, int type, int id, double quat[4]);

/* Where cameras that follow something are at qpos0 (sal_com done). */
void phy_camera_constants(sal_model *m, const sal_data *d);
/* The point that the camera's mode keeps it turned to; NULL: none. */
const double *phy_camera_target(const sal_model *m, const sal_data *d, int camera);

#endif
