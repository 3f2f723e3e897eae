/* sensor.h: what the sensors of the stages share; private to physics/. */
#ifndef SAL_PHYSICS_SENSORS_SENSOR_H
#define SAL_PHYSICS_SENSORS_SENSOR_H

#include "physics/actuator.h"
#include "physics/object_pose.h"

/* Sensor i: writes its sensor_dim numbers to out. */
void phy_sensor_position(const sal_model *m, const sal_data *d, int i, double *out);
void phy_sensor_velocity(const sal_model *m, const sal_data *d, int i, double *out);
void phy_sensor_acceleration(const sal_model *m, const sal_data *d, int i, double *out);
/* Of geoms or bodies: distance, normal, segment. sensor_distance.c */
void phy_sensor_distance(const sal_model *m, const sal_data *d, int i, double *out);
/* The distance, segment and geoms (-1: all are farther than the cutoff) of sensor i. */
double phy_sensor_nearest(const sal_model *m, const sal_data *d, int i, double fromto[6],
                          int pair[2]);

/* Of a site in a camera's image. Its focal lengths in pixels; a depth that can be divided by.
 * sensor_camera.c */
void phy_sensor_projection(const sal_model *m, const sal_data *d, int i, double *out);
void phy_camera_focal(const sal_model *m, int camera, double f[2]);
double phy_camera_depth(double z);

/* Of rays. sensor_ray.c */
void phy_sensor_rays(const sal_model *m, const sal_data *d, int i, double *out);

/* Of contacts. sensor_contact.c */
void phy_sensor_contact(const sal_model *m, const sal_data *d, int i, double *out);

/* The parts of sal_sensor_deriv: of what sees frames, of what sees subtrees and their energy. They
 * add to D, which is zero. */
bool phy_sensor_sees_frame(int type);
void phy_sensor_frame_deriv(const sal_model *m, const sal_data *d, int i, double *Dq, double *Dv,
                            double *Da);
/* Whether a camera moves otherwise than with its body; how it then moves by q_k over what its body
 * does to it. camera_deriv.c */
bool phy_camera_follows(const sal_model *m, const sal_data *d, int camera);
void phy_camera_deriv(const sal_model *m, const sal_data *d, int camera, const phy_pose *pose,
                      int k, double pos[3], double turn[3]);
bool phy_sensor_sees_subtree(int type);
void phy_sensor_subtree_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv);
/* Whether the carrier is or carries the body. Whether a spatial tendon joins what a body carries to
 * something else, and pulls there (before 3.14 force sensors do not feel it). sensor.c */
bool phy_is_carried(const sal_model *m, int body, int carrier);
bool phy_tendon_joins(const sal_model *m, int t, int body);
/* Of the force or torque on a site's body, and whether it is known of this model.
 * sensor_force_deriv.c */
bool phy_sensor_force_has_deriv(const sal_model *m, int i);
void phy_sensor_force_deriv(const sal_model *m, sal_data *d, int i, double *const D[3]);
/* distance_deriv.c; false as sal_geom_distance_deriv */
bool phy_sensor_distance_deriv(const sal_model *m, const sal_data *d, int i, double *Dq);

/* Of the taxels on a geom. sensor_tactile.c */
void phy_sensor_tactile(const sal_model *m, const sal_data *d, int i, double *out);

/* What contact i presses on a site, as a touch sensor feels it. */
double phy_touch_force(const sal_model *m, const sal_data *d, int site, int i);

/* Whether it reads what sal_body_force writes. */
bool phy_sensor_needs_body_force(int type);

/* The first of the actuators, as many as it has numbers, that a sensor of actuator id shows */
static inline int phy_sensor_actuator(const sal_model *m, int id)
{
    return phy_is_orientation(m, id) ? phy_orientation_first(m, id) : id;
}

/* The first row of the limit that sensor i watches; -1: none. sensor_limit.c */
int phy_limit_row(const sal_model *m, const sal_data *d, int i);

#endif
