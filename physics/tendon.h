/* tendon.h: how tendons run; private to physics/. */
#ifndef SAL_PHYSICS_TENDON_H
#define SAL_PHYSICS_TENDON_H

#include "physics/physics.h"

/* What a tendon runs over, in the world; a cylinder along its z axis, without ends. */
typedef struct phy_roller {
    const double *pos;
    const double *mat;
    double radius;
    bool cylinder;
} phy_roller;

/* True for a fixed tendon: its length is a sum of joint coordinates, its Jacobian constant. */
static inline bool phy_tendon_is_fixed(const sal_model *m, int t)
{
    return m->wrap_type[m->tendon_adr[t]] == SAL_WRAP_JOINT;
}

/* True if some tendon is not: how it runs depends on where bodies are. */
static inline bool phy_tendons_touch_bodies(const sal_model *m)
{
    int t = 0;
    while (t < m->ntendon && phy_tendon_is_fixed(m, t)) {
        t++;
    }
    return t < m->ntendon;
}

/* A tendon over a sphere or cylinder between p0 and p1 (world): writes the points where it meets
 * and leaves the surface and returns the length between them; negative: it passes by. side [3] or
 * NULL: the point it passes beside. tendon_wrap.c */
double phy_tendon_wrap(double meet[3], double leave[3], const double p0[3], const double p1[3],
                       const double side[3], const phy_roller *g);

/* A piece of a spatial tendon between two sites: straight, or over a geom. */
typedef struct phy_span {
    int s0;
    int s1;
    /* -1: none */
    int geom, side;
    bool cylinder;
    double divisor;
    /* place of the next in the path */
    int next;
} phy_span;

/* The next piece of tendon t; *span is zero at first. False behind the last. */
bool phy_tendon_span(const sal_model *m, int t, phy_span *span);

/* A straight part of a path between two bodies. */
typedef struct phy_straight {
    double point[2][3];
    int body[2];
    double divisor;
} phy_straight;

/* The straight parts of a piece: one, or the two beside the arc over a geom; returns their number.
 * arc: its length, or 0. */
int phy_tendon_straights(const sal_model *m, const sal_data *d, const phy_span *s,
                         phy_straight straight[2], double *arc);

/* ten_velocity = J v. */
void phy_tendon_velocity(const sal_model *m, sal_data *d);

/* The length beyond the band in which the spring rests. */
double phy_tendon_stretch(const sal_model *m, const sal_data *d, int t);

/* The force of spring and damper, positive if it lengthens (phy_tendon_velocity done). */
double phy_tendon_spring(const sal_model *m, const sal_data *d, int t);
/* qfrc_passive += J' times that. */
void phy_tendon_passive(const sal_model *m, sal_data *d);

/* qM += armature J'J, except between dofs on different branches, as in MuJoCo. */
void phy_tendon_inertia(const sal_model *m, sal_data *d);

/* r += that times a [nv] */
void phy_tendon_inertial_force(const sal_model *m, const sal_data *d, double *r, const double *a);

/* qfrc_bias += armature J' (dJ/dt v) (cdof_dot done). */
void phy_tendon_bias(const sal_model *m, sal_data *d);

/* dJ/dt v of a tendon of straight pieces: one with armature wraps no geoms, the compiler sees to
 * it. */
double phy_tendon_drift(const sal_model *m, const sal_data *d, int t);

/* The force that lengthens it, of all that pulls along it (the same known). tendon_force.c */
double phy_tendon_force(const sal_model *m, const sal_data *d, int t);

/* cfrc_ext += what spatial tendons do (qacc, efc_force, actuator_force known). tendon_force.c */
void phy_tendon_external(const sal_model *m, sal_data *d);

/* r += f J' */
void phy_tendon_pull(const sal_model *m, const sal_data *d, double *r, int t, double f);

#endif
