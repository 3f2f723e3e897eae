/* support.h: convex shapes as their support functions, and the nearest points of two of them;
 * private to physics/.
 *
 *     s(n) = the point of the shape farthest in direction n,   h(n) = n.s(n)
 *     sep(n) = min over a in A, b in B of n.(b - a) = n.sB(-n) - n.sA(n),   |n| = 1
 *
 * The signed distance of A and B is the largest sep(n) over all directions; the n that attains it
 * is the contact normal, and parts of the shapes with that normal hold the nearest points (apart)
 * or those that must be pushed past each other (overlapping). GJK finds n from outside, EPA from
 * inside, the polish takes either to rounding error.
 */
#ifndef SAL_PHYSICS_COLLISION_SUPPORT_H
#define SAL_PHYSICS_COLLISION_SUPPORT_H

#include "physics/collision/collide.h"

/* A core that is swept by a ball: a sphere is a point, a capsule a segment, all others have radius
 * 0. */
typedef struct phy_shape {
    sal_geom_type type;
    double pos[3];
    const double *mat;
    const double *size;
    /* of a mesh */
    phy_hull hull;
    /* of the ball */
    double radius;
    /* of the core: its greatest half width */
    double extent;
} phy_shape;

/* A point of B - A, and the points it comes from:  w = b - a. */
typedef struct phy_vertex {
    double a[3];
    double b[3];
    double w[3];
} phy_vertex;

/* Up to four of them, and the convex combination that lies nearest to the origin. */
typedef struct phy_simplex {
    int n;
    phy_vertex vertex[4];
    double weight[4];
} phy_simplex;

typedef struct phy_nearest {
    /* of the shapes, radii taken off */
    double dist;
    /* from A to B */
    double n[3];
    /* surface points: b - a = dist n */
    double a[3], b[3];
    /* exact up to rounding; else to 1e-8 or so */
    bool polished;
} phy_nearest;

/* The core of a geom (not a plane or height field), about `origin`. */
void phy_shape_set(phy_shape *s, sal_geom_type type, const double pos[3], const double *mat,
                   const double *size, const double origin[3]);

/* The point of the core farthest along n (any length but 0). */
void phy_shape_support(const phy_shape *s, const double n[3], double point[3]);

/* The vertex of B - A least along n: sA(n), sB(-n). */
void phy_vertex_least(phy_vertex *v, const phy_shape *A, const phy_shape *B, const double n[3]);

/* sep(n) of the cores */
double phy_separation(const phy_shape *A, const phy_shape *B, const double n[3]);

typedef enum phy_gjk_end { PHY_GJK_APART, PHY_GJK_FAR, PHY_GJK_TOUCHING } phy_gjk_end;

/* gjk.c: the nearest points of two cores, unless they are farther apart than `limit`, or overlap,
 *     or nearly so. v = the nearest
 * point of B - A. */
phy_gjk_end phy_gjk(const phy_shape *A, const phy_shape *B, double limit, phy_simplex *s,
                    double v[3]);

/* epa.c: of cores that overlap or touch, the direction n in which B leaves A soonest, and the face
 * of B - A that says so; returns sep(n) <= 0 (or a little more, where they do not touch after
 * all). */
double phy_epa(const phy_shape *A, const phy_shape *B, phy_simplex *face, double n[3]);

/* convex_polish.c: n and the simplex to which it belongs, to rounding error; false (and nothing
 * changed) where it finds no certain answer. */
bool phy_convex_polish(const phy_shape *A, const phy_shape *B, const phy_simplex *s, double n[3],
                       double a[3], double b[3]);

/* collide_convex.c: false: farther apart than `limit`. */
bool phy_nearest_points(const phy_shape *A, const phy_shape *B, double limit, phy_nearest *r);

#endif
