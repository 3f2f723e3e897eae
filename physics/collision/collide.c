/* collide.c: the contact list. Every pair that may ever touch was listed when the model was
 * compiled (but see unlisted.c); here the far ones are passed over and the near ones handed to the
 * function of their two types. */
#include "physics/collision/collide.h"

#include "base/house.h"
#include "physics/collision/near.h"
#include "physics/collision/sweep.h"
#include "physics/collision/touch.h"
#include "physics/compiling.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <string.h>

static phy_collider *const colliders[SAL_NGEOMTYPES][SAL_NGEOMTYPES] = {
    [SAL_GEOM_PLANE] = {[SAL_GEOM_SPHERE] = phy_plane_sphere,
                        [SAL_GEOM_CAPSULE] = phy_plane_capsule,
                        [SAL_GEOM_ELLIPSOID] = phy_plane_ellipsoid,
                        [SAL_GEOM_CYLINDER] = phy_plane_cylinder,
                        [SAL_GEOM_BOX] = phy_plane_box,
                        [SAL_GEOM_MESH] = phy_plane_mesh},
    [SAL_GEOM_HFIELD] = {[SAL_GEOM_SPHERE] = phy_field_convex,
                         [SAL_GEOM_CAPSULE] = phy_field_convex,
                         [SAL_GEOM_ELLIPSOID] = phy_field_convex,
                         [SAL_GEOM_CYLINDER] = phy_field_convex,
                         [SAL_GEOM_BOX] = phy_field_convex,
                         [SAL_GEOM_MESH] = phy_field_convex},
    [SAL_GEOM_SPHERE] = {[SAL_GEOM_SPHERE] = phy_sphere_sphere,
                         [SAL_GEOM_CAPSULE] = phy_sphere_capsule,
                         [SAL_GEOM_ELLIPSOID] = phy_convex_convex,
                         [SAL_GEOM_CYLINDER] = phy_sphere_cylinder,
                         [SAL_GEOM_BOX] = phy_sphere_box,
                         [SAL_GEOM_MESH] = phy_convex_convex},
    [SAL_GEOM_CAPSULE] = {[SAL_GEOM_CAPSULE] = phy_capsule_capsule,
                          [SAL_GEOM_ELLIPSOID] = phy_convex_convex,
                          [SAL_GEOM_CYLINDER] = phy_convex_convex,
                          [SAL_GEOM_BOX] = phy_capsule_box,
                          [SAL_GEOM_MESH] = phy_convex_convex},
    [SAL_GEOM_ELLIPSOID] = {[SAL_GEOM_ELLIPSOID] = phy_convex_convex,
                            [SAL_GEOM_CYLINDER] = phy_convex_convex,
                            [SAL_GEOM_BOX] = phy_convex_convex,
                            [SAL_GEOM_MESH] = phy_convex_convex},
    [SAL_GEOM_CYLINDER] = {[SAL_GEOM_CYLINDER] = phy_convex_convex,
                           [SAL_GEOM_BOX] = phy_convex_convex,
                           [SAL_GEOM_MESH] = phy_convex_convex},
    [SAL_GEOM_BOX] = {[SAL_GEOM_BOX] = phy_box_box, [SAL_GEOM_MESH] = phy_convex_convex},
    [SAL_GEOM_MESH] = {[SAL_GEOM_MESH] = phy_convex_convex},
};

static const char *const type_names[SAL_NGEOMTYPES] = {"plane",     "hfield",   "sphere", "capsule",
                                                       "ellipsoid", "cylinder", "box",    "mesh"};

bool phy_meets_at_one_point(const sal_model *m)
{
    for (int p = 0; p < m->npair; p++) {
        const int type1 = m->geom_type[m->pair_geom1[p]], type2 = m->geom_type[m->pair_geom2[p]];
        if (type1 >= SAL_GEOM_CAPSULE && colliders[type1][type2] == phy_convex_convex) {
            return true;
        }
    }
    return false;
}

static sal_status unsupported(const sal_model *m, int g1, int g2, sal_err *err)
{
    char one[SAL_LABEL_MAX], other[SAL_LABEL_MAX];
    return sal_fail(err, SAL_UNSUPPORTED,
                    "%s (%s) and %s (%s) can touch, and contacts between these "
                    "two types are not supported: exclude the pair (contype, conaffinity or "
                    "<exclude>), or use other types",
                    sal_model_label(m, SAL_OBJ_GEOM, g1, one), type_names[m->geom_type[g1]],
                    sal_model_label(m, SAL_OBJ_GEOM, g2, other), type_names[m->geom_type[g2]]);
}

/* All of a contact but where it is */
static void list(const sal_model *m, sal_contact *contact, int g1, int g2, int pair)
{
    contact->mu = 0;
    contact->pair = pair;
    contact->geom1 = g1;
    contact->geom2 = g2;
    contact->dim = m->pair_dim[pair];
    contact->prism = -1;
    contact->efc_address = -1;
}

static sal_status too_many(const sal_model *m, sal_err *err)
{
    return sal_fail(err, SAL_FULL, "more than %d contacts at the same time: raise nconmax",
                    m->nconmax);
}

static phy_hull hull_of(const sal_model *m, int geom)
{
    return m->geom_type[geom] == SAL_GEOM_MESH ? phy_hull_of(m, geom) : (phy_hull){0};
}

static phy_field field_of(const sal_model *m, int geom, int pair)
{
    phy_field field = phy_field_of(m, geom);
    field.upright = m->pair_upright[pair];
    return field;
}

/* Whether its sides make contacts. MuJoCo takes those of pairs without margin and gap; softened
 * pairs keep theirs. */
static bool has_sides(const sal_model *m, int pair)
{
    return m->mujoco == SAL_MUJOCO_314 && m->pair_sides[pair] != 0 &&
           !(m->opt.disable & SAL_DSBL_MULTICCD);
}

phy_meeting phy_meeting_of(const sal_model *m, const sal_data *d, int g1, int g2, int pair)
{
    const bool is_field = m->geom_type[g1] == SAL_GEOM_HFIELD;
    return (phy_meeting){d->geom_xpos + 3 * g1,
                         d->geom_xmat + 9 * g1,
                         m->geom_size + 3 * g1,
                         d->geom_xpos + 3 * g2,
                         d->geom_xmat + 9 * g2,
                         m->geom_size + 3 * g2,
                         m->pair_detect[pair],
                         m->mujoco,
                         has_sides(m, pair),
                         (sal_geom_type)m->geom_type[g1],
                         (sal_geom_type)m->geom_type[g2],
                         hull_of(m, g1),
                         hull_of(m, g2),
                         is_field ? field_of(m, g1, pair) : (phy_field){0}};
}

int phy_collide_meeting(const phy_meeting *p, phy_touch *touch)
{
    return colliders[p->type1][p->type2](p, touch);
}

sal_status phy_meet(const sal_model *m, sal_data *d, int g1, int g2, int pair, sal_err *err)
{
    phy_touch touch[PHY_TOUCH_MAX];
    if (colliders[m->geom_type[g1]][m->geom_type[g2]] == NULL) {
        return unsupported(m, g1, g2, err);
    }
    const phy_meeting meeting = phy_meeting_of(m, d, g1, g2, pair);
    const int count = phy_collide_meeting(&meeting, touch);
    if (d->ncon + count > m->nconmax) {
        return too_many(m, err);
    }
    for (int i = 0; i < count; i++) {
        sal_contact *contact = d->contact + d->ncon++;
        contact->dist = touch[i].dist;
        sal_v3_copy(contact->pos, touch[i].pos);
        sal_v3_copy(contact->frame, touch[i].normal);
        phy_complete_frame(contact->frame, touch[i].tangent);
        list(m, contact, g1, g2, pair);
        contact->prism = meeting.field1.nrow > 0 ? touch[i].prism : -1;
    }
    return SAL_OK;
}

/* The contacts of a pair whose first is placed->met[first] */
static sal_status take_met(const sal_model *m, sal_data *d, const phy_placed *placed, int first,
                           int pair, sal_err *err)
{
    for (int k = first; k < placed->nmet && placed->met[k].pair == pair; k++) {
        const double *x = placed->met_number + placed->met[k].at;
        if (!phy_has_met(placed, k)) {
            continue;
        }
        if (d->ncon >= m->nconmax) {
            return too_many(m, err);
        }
        sal_contact *contact = d->contact + d->ncon++;
        contact->dist = x[0];
        memcpy(contact->pos, x + 1, sizeof contact->pos);
        memcpy(contact->frame, x + 4, sizeof contact->frame);
        list(m, contact, m->pair_geom1[pair], m->pair_geom2[pair], pair);
    }
    return SAL_OK;
}

/* Not inlined: most pairs are far, and would save registers that only this needs. */
__attribute__((noinline)) static sal_status meet(const sal_model *m, sal_data *d, int pair,
                                                 sal_err *err)
{
    return phy_meet(m, d, m->pair_geom1[pair], m->pair_geom2[pair], pair, err);
}

static inline sal_status collide_pair(const sal_model *m, sal_data *d, int pair, sal_err *err)
{
    phy_truth near;
    phy_pair_may_touch(&near, m, d, pair);
    return near ? meet(m, d, pair, err) : SAL_OK;
}

static sal_status collide_all(const sal_model *m, sal_data *d, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int pair = 0; pair < m->npair && status == SAL_OK; pair++) {
        status = collide_pair(m, d, pair, err);
    }
    return status;
}

/* The pairs that the sweep finds, in the order of all. */
static sal_status collide_near(const sal_model *m, sal_data *d, sal_err *err)
{
    phy_swept s;
    sal_status status = SAL_OK;
    if (!phy_sweep_take(m, &d->arena, &s)) {
        return phy_scratch_status(d, err);
    }
    if (!phy_sweep(m, d, &s)) {
        return collide_all(m, d, err);
    }
    uint64_t *near = s.near;
    for (size_t w = 0; w < s.words && status == SAL_OK; w++) {
        for (int bit = 0; near[w] != 0 && status == SAL_OK; bit++, near[w] >>= 1) {
            if (near[w] & 1) {
                status = collide_pair(m, d, (int)(64 * w) + bit, err);
            }
        }
    }
    return status;
}

void phy_collide_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    phy_swept s;
    if (m->nkind > 0) {
        phy_unlisted_scratch(m, arena);
    } else if (m->nsweep > 0) {
        phy_sweep_take(m, arena, &s);
    }
    arena->used = mark;
}

static sal_status collide_listed(const sal_model *m, sal_data *d, const phy_placed *placed,
                                 sal_err *err)
{
    const phy_listed *pairs = &placed->pairs;
    sal_status status = SAL_OK;
    for (int i = 0; i < pairs->n && status == SAL_OK; i++) {
        if (phy_is_listed(placed, pairs, i)) {
            const int pair = pairs->thing[i], first = placed->near_met[i];
            status = first < 0 ? meet(m, d, pair, err) : take_met(m, d, placed, first, pair, err);
        }
    }
    return status;
}

sal_status phy_collide(const sal_model *m, sal_data *d, const phy_placed *placed, sal_err *err)
{
    d->ncon = 0;
    if (m->opt.disable & (SAL_DSBL_CONSTRAINT | SAL_DSBL_CONTACT)) {
        return SAL_OK;
    }
    if (placed != NULL && phy_lists_pairs(m)) {
        return collide_listed(m, d, placed, err);
    }
    if (m->nsweep == 0) {
        return collide_all(m, d, err);
    }
    const size_t mark = d->arena.used;
    const sal_status status =
        m->nkind > 0 ? phy_collide_unlisted(m, d, err) : collide_near(m, d, err);
    d->arena.used = mark;
    return status;
}

sal_status sal_collide(const sal_model *m, sal_data *d, sal_err *err)
{
    return phy_collide(m, d, NULL, err);
}
