/* camera_deriv.c: how a camera that follows something moves by q_k, over what it would do if it
 * were fixed to its body. With v(p) the motion of a point p by q_k and w_b the turn of its body:
 *
 *     track     pos v(x_b) - v(x), of all that b carries v(c_b) - v(x);   turn -w_b
 *     target t  a = x - t,  da = v(x) - v(t),  dz = da/|a| without its part along z;  the turn w
 *               has w x z = dz and leaves x level, (w x x).e_z = 0.  In the camera's axes
 *               w_x = -dz.y,  w_y = dz.x,  w_z = w_y z.e_z/y.e_z;   turn w - w_b
 *     centre c of bodies of which dof k moves the part p:   v(c) = m_p v(c_p)/m
 */
#include "base/house.h"
#include "physics/deriv/element_deriv.h"
#include "physics/sensors/sensor.h"
#include "physics/subtree.h"

/* Of a point of a body */
static void point(const sal_model *m, const sal_data *d, double v[3], int k, int body,
                  const double at[3])
{
    if (phy_dof_moves(m, k, body)) {
        phy_point_column(m, d, v, k, at);
    } else {
        sal_v3_set(v, 0, 0, 0);
    }
}

/* Of the centre of mass of all that the body carries; without mass, of its own. */
static void centre(const sal_model *m, const sal_data *d, double v[3], int k, int body)
{
    const double mass = m->body_subtreemass[body];
    const bool none = mass < SAL_MINVAL;
    const int part = phy_subtree_moved(m, body, none ? body + 1 : phy_subtree_end(m, body), k);
    sal_v3_set(v, 0, 0, 0);
    if (part >= 0) {
        phy_point_column(m, d, v, k, d->subtree_com + 3 * part);
        sal_v3_scale(v, v, none ? 1 : m->body_subtreemass[part] / mass);
    }
}

/* From the motion v of the camera over its target. */
static void turn_to_target(const phy_pose *pose, const double target[3], const double v[3],
                           double turn[3])
{
    const double *R = pose->mat;
    double away[3], along[3], w[3];
    sal_v3_sub(away, pose->pos, target);
    const double distance = sal_v3_norm(away);
    if (distance < SAL_MINVAL) {
        return; /* at the target: turned any way */
    }
    sal_m3_multv(along, R, v);
    w[0] = -along[1] / distance;
    w[1] = along[0] / distance;
    w[2] = fabs(R[7]) < SAL_MINVAL ? 0 : w[1] * R[8] / R[7]; /* 0: it looks straight up or down */
    sal_m3_mulv(turn, R, w);
}

bool phy_camera_follows(const sal_model *m, const sal_data *d, int camera)
{
    const int mode = m->cam_mode[camera];
    return mode == SAL_CAM_TRACK || mode == SAL_CAM_TRACKCOM ||
           phy_camera_target(m, d, camera) != NULL;
}

void phy_camera_deriv(const sal_model *m, const sal_data *d, int camera, const phy_pose *pose,
                      int k, double pos[3], double turn[3])
{
    const int mode = m->cam_mode[camera], b = m->cam_bodyid[camera];
    const int t = m->cam_targetbodyid[camera];
    const double *target = phy_camera_target(m, d, camera);
    double own[3], other[3];
    point(m, d, own, k, b, pose->pos);
    sal_v3_set(pos, 0, 0, 0);
    sal_v3_set(turn, 0, 0, 0);
    if (target == NULL) {
        if (mode == SAL_CAM_TRACK) {
            point(m, d, other, k, b, d->xpos + 3 * b);
        } else {
            centre(m, d, other, k, b);
        }
        sal_v3_sub(pos, other, own);
    } else {
        if (mode == SAL_CAM_TARGETBODY) {
            point(m, d, other, k, t, target);
        } else {
            centre(m, d, other, k, t);
        }
        sal_v3_sub(other, own, other);
        turn_to_target(pose, target, other, turn);
    }
    if (phy_dof_moves(m, k, b)) {
        sal_v3_sub(turn, turn, d->cdof + 6 * k);
    }
}
