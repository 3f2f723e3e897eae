/* support.h: convex shapes as their support functions, and the nearest points of two of them; private to physics/.
 *
 *     s(n) = the point of the shape farthest in direction n,   h(n) = n.s(n)
 *     sep(n) = min over a in A, b in B of n.(b - a) = n.sB(-n) - n.sA(n),   |n| = 1
 *
 * The signed distance of A and B is the largest sep(n) over all directions; the n that attains it is the contact normal, and parts of
 * the shapes with that normal hold the nearest points (apart) or those that must be pushed past each other (overlapping). GJK finds
 * n from outside, EPA from inside, the polish takes either to rounding error.
 */
#ifndef SAL_SUPPORT_H
#define SAL_SUPPORT_H

#include "physics/collide.h"

/* A core that is swept by a ball: a sphere is a point, a capsule a segment, all others have radius 0. */
typedef struct sal_shape {
    sal_geom_type type;
    double pos[3];
    const double *mat, *size;
    sal_hull hull; /* of a mesh */
    double radius; /* of the ball */
    double extent; /* of the core: its greatest half width */
} sal_shape;

/* A point of B - A, and the points it comes from:  w = b - a. */
typedef struct sal_vertex {
    double a[3], b[3], w[3];
} sal_vertex;

/* Up to four of them, and the convex combination that lies nearest to the origin. */
typedef struct sal_simplex {
    int n;
    sal_vertex vertex[4];
    double weight[4];
} sal_simplex;

typedef struct sal_nearest {
    double dist;       /* of the shapes, radii taken off */
    double n[3];       /* from A to B */
    double a[3], b[3]; /* surface points: b - a = dist n */
    bool polished;     /* exact up to rounding; else to 1e-8 or so */
} sal_nearest;

/* The core of a geom (not a plane or height field), about `origin`. */
void sal_shape_set(sal_shape *s, sal_geom_type type, const double pos[3], const double *mat,
                   const double *size, const double origin[3]);

/* The point of the core farthest along n (any length but 0). */
void sal_shape_support(const sal_shape *s, const double n[3], double point[3]);

/* The vertex of B - A least along n: sA(n), sB(-n). */
void sal_vertex_least(sal_vertex *v, const sal_shape *A, const sal_shape *B, const double n[3]);

/* sep(n) of the cores */
double sal_separation(const sal_shape *A, const sal_shape *B, const double n[3]);

typedef enum sal_gjk_end { SAL_GJK_APART, SAL_GJK_FAR, SAL_GJK_TOUCHING } sal_gjk_end;

/* gjk.c: the nearest points of two cores, unless they are farther apart than `limit`, or overlap, or nearly so.  v = the nearest
 * point of B - A. */
sal_gjk_end sal_gjk(const sal_shape *A, const sal_shape *B, double limit, sal_simplex *s,
                    double v[3]);

/* epa.c: of cores that overlap or touch, the direction n in which B leaves A soonest, and the face of B - A that says so; returns sep(n) <= 0
 * (or a little more, where they do not touch after all). */
double sal_epa(const sal_shape *A, const sal_shape *B, sal_simplex *face, double n[3]);

/* convex_polish.c: n and the simplex to which it belongs, to rounding error; false (and nothing changed) where it finds no certain answer. */
bool sal_convex_polish(const sal_shape *A, const sal_shape *B, const sal_simplex *s, double n[3],
                       double a[3], double b[3]);

/* collide_convex.c: false: farther apart than `limit`. */
bool sal_nearest_points(const sal_shape *A, const sal_shape *B, double limit, sal_nearest *r);

#endif
