/* collide_deriv.h: how a contact changes when one of its two shapes moves; private to physics/.
 *
 * Shape 1 is held fixed, shape 2 moves with the twist xi = (w; u): it turns with w, and its point
 * at P, the contact's pos, moves with u.
 *
 *     d dist = dist . xi        d pos = pos xi
 *     theta = turn xi: the frame's rows turn by theta x row
 *
 * When both move as one, all is carried along but for tangents that were drawn from an axis of the
 * world: the frame turns by w + n (spin . w).
 */
#ifndef SAL_PHYSICS_DERIV_COLLIDE_DERIV_H
#define SAL_PHYSICS_DERIV_COLLIDE_DERIV_H

#include "physics/physics.h"

typedef struct phy_contact_map {
    double dist[6];
    /* [3 x 6] by rows */
    double pos[18];
    /* [3 x 6] by rows */
    double turn[18];
    double spin[3];
} phy_contact_map;

/* The maps of contact i, as sal_collide left it (geom_xpos and geom_xmat unchanged since). Where
 * the contact comes and goes, they are those of what touches now. */
void phy_contact_map_at(const sal_model *m, const sal_data *d, int i, phy_contact_map *map);

#endif
