/* sensor.h: what the sensors of the stages share; private to physics/. */
#ifndef SAL_SENSOR_H
#define SAL_SENSOR_H

#include "physics/physics.h"

/* Sensor i: writes its sensor_dim numbers to out. */
void sal_sensor_position(const sal_model *m, const sal_data *d, int i, double *out);
void sal_sensor_velocity(const sal_model *m, const sal_data *d, int i, double *out);
void sal_sensor_acceleration(const sal_model *m, const sal_data *d, int i, double *out);
/* Of geoms or bodies: distance, normal, segment. sensor_distance.c */
void sal_sensor_distance(const sal_model *m, const sal_data *d, int i, double *out);
/* The distance, segment and geoms (-1: all are farther than the cutoff) of sensor i. */
double sal_sensor_nearest(const sal_model *m, const sal_data *d, int i, double fromto[6],
                          int pair[2]);

/* Of contacts. sensor_contact.c */
void sal_sensor_contact(const sal_model *m, const sal_data *d, int i, double *out);

/* The parts of sal_sensor_deriv: of what sees frames, of what sees subtrees and their energy. They add to D, which is zero. */
bool sal_sensor_sees_frame(int type);
void sal_sensor_frame_deriv(const sal_model *m, const sal_data *d, int i, double *Dq, double *Dv,
                            double *Da);
bool sal_sensor_sees_subtree(int type);
void sal_sensor_subtree_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv);
/* distance_deriv.c; false as sal_geom_distance_deriv */
bool sal_sensor_distance_deriv(const sal_model *m, const sal_data *d, int i, double *Dq);

/* What contact i presses on a site, as a touch sensor feels it. */
double sal_touch_force(const sal_model *m, const sal_data *d, int site, int i);

/* Whether it reads what sal_body_force writes. */
bool sal_sensor_needs_body_force(int type);

/* The pose of a body, geom, site or camera in the world, and the body that carries it; id -1: the world itself. */
typedef struct sal_pose {
    double pos[3], mat[9];
    int body;
} sal_pose;
void sal_object_pose(const sal_model *m, const sal_data *d, int type, int id, sal_pose *pose);

/* Its quaternion as a product of the body's and its own in the body, the sign as it comes. */
void sal_object_quat(const sal_model *m, const sal_data *d, int type, int id, double quat[4]);

/* The first row of the limit that sensor i watches; -1: none. */
int sal_limit_row(const sal_model *m, const sal_data *d, int i);

#endif
