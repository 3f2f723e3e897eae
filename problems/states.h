/* states.h: positions and velocities over time, and the state at any time between them; private to
 * problems/. */
#ifndef SAL_PROBLEMS_STATES_H
#define SAL_PROBLEMS_STATES_H

#include "problems/problems.h"

typedef struct prb_states {
    int nrow;
    bool timed;
    /* between rows, which are evenly spaced: cubic instead of straight */
    bool smooth;
    /* [nrow] grows; the row's number where the table has no time */
    double *time;
    /* [nrow x nq], [nrow x nv] */
    double *qpos, *qvel;
    /* [njnt] 1: given; of the others stands the pose, and zero */
    unsigned char *pos, *vel;
} prb_states;

/* Rows of the pose at time 0, at rest, nothing given. */
sal_status prb_states_new(prb_states *s, const sal_model *m, int nrow, const double *pose,
                          sal_err *err);
void prb_states_clear(prb_states *s);
/* Whether no quaternion of the configuration has length zero. */
bool prb_quaternions_exist(const sal_model *m, const double *qpos);

/* The state at a time: between two rows positions along the geodesic, q_a (+) f (q_b (-) q_a),
 * velocities linear; outside as at the ends. Smooth: by the cubic through the rows on both sides
 * whose slopes are those between neighbours (Catmull and Rom, "A class of local interpolating
 * splines", 1974), in the tangent space at q_a; the accelerations of straight pieces would be all
 * at the rows. qvel may be NULL; scratch [4 nv]. */
void prb_states_at(const prb_states *s, const sal_model *m, double time, double *qpos, double *qvel,
                   double *scratch);

/* All velocities of an end of a motion of nv dofs are pinned, and 0. */
struct prb_endpoint;
bool prb_endpoint_rests(const struct prb_endpoint *e, int nv);

#endif
