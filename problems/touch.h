/* touch.h: which objects can ever touch, which geom only shows a body, and which geoms of a
 * mechanism are within each other by design; open to the rooms above problems/. */
#ifndef SAL_PROBLEMS_TOUCH_H
#define SAL_PROBLEMS_TOUCH_H

#include "physics/physics.h"

/* Whether an object, a geom or -1 - body, may ever touch one of `with` [nwith], or, where that is
 * none, anything. */
bool prb_touches(const sal_model *m, int object, const int *with, int nwith);
/* Whether the geom of this name, if there is one, meets nothing, while the body of this name does:
 * it is drawn by a geom of its own name, and collides by others. */
bool prb_only_shown(const sal_model *m, const char *name);
/* Whether both geoms are of moving bodies of one kinematic tree. */
bool prb_are_of_a_tree(const sal_model *m, int geom1, int geom2);
/* m: two geoms of a tree that are deeper than this within each other are so by a fault; contacts
 * under load are less deep. */
#define PRB_WITHIN 0.005
bool prb_is_within(const sal_model *m, const sal_contact *contact);
/* Sets built [npair]: of a tree, and so deep in qpos0 and in each keyframe: nothing parts them. */
sal_status prb_find_built_within(bool *built, const sal_model *m, sal_err *err);

#endif
