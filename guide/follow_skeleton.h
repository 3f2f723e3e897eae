/* follow_skeleton.h: poses of the model from rotations that a file gives joint by joint: a skeleton
 * (follow_skeleton.c) or rotation vectors (follow_vectors.c); private to these. */
#ifndef SAL_GUIDE_FOLLOW_SKELETON_H
#define SAL_GUIDE_FOLLOW_SKELETON_H

#include "guide/follow.h"

/* Axes: y up and z ahead; z up and x ahead; y up and x ahead. */
enum { GDE_AXES = 3, GDE_Z_UP = 1 };

typedef struct gde_skeleton {
    gde_clip *c;
    const sal_model *m;
    /* joints of the file */
    int nnode;
    /* [nbody] joint of the file, -1: none; the next body above that has one, 0: none */
    int *node, *above;
    /* [nnode x 3], [nnode x 4] in a row, axes and lengths of the file */
    double *place, *turn;
    /* Sets place and turn of all joints. */
    void (*pose)(struct gde_skeleton *k, int row);
    /* of rotation vectors: [nnode] the joint before it, and its first column; that of the place */
    int *parent, *vector, at;
    /* [nbody x 3, 4] where the joints that the file has are 0 and all others at home */
    double *xpos, *xquat;
    /* [nbody] most of its rotation that its joints cannot make, rad */
    double *left;
    /* axes of the joints, and of the world */
    int axes, world;
    bool rest;
    double unit;
} gde_skeleton;

/* Room for nnode joints, and for made and known of the clip. */
sal_status gde_skeleton_new(gde_skeleton *k, gde_clip *c, int nnode, sal_err *err);
void gde_skeleton_release(gde_skeleton *k);
/* node is set: sets above, and xpos and xquat. q [nq] is scratch. */
void gde_skeleton_home(gde_skeleton *k, double *q);
/* Sets axes and rest, of both or of one choice of the latter. Returns how badly they fit, rad. */
double gde_skeleton_axes(gde_skeleton *k, bool both, double *q);
/* Sets world: the one given, or where the root is far from upright with it, another. */
void gde_skeleton_world(gde_skeleton *k, int world);
/* Fills made; q as above. */
void gde_skeleton_poses(gde_skeleton *k, double *q);
/* SAL_BADINPUT for a misfit, rad, that is too large. */
sal_status gde_skeleton_check(const gde_skeleton *k, double found, sal_err *err);
void gde_skeleton_note(const gde_skeleton *k);
bool gde_skeleton_turns(const gde_skeleton *k, int body);

#endif
