/* sensor_contact.c: contacts between this and that: the first `num` of the list, the deepest, the
 * strongest, or all of them as one force. Slots without a contact are zero.
 *
 * A contact whose geoms come the other way round is turned: its normal and first tangent point
 * back, so that forces, which act on the second, keep their normal and first tangential parts and
 * their second tangential part changes sign.
 *
 *     net    f = sum f_i,   about  p = sum |f_i| p_i / sum |f_i|,
 *     torque = sum (t_i + (p_i - p) x f_i),   in world axes
 */
#include "base/house.h"
#include "physics/collision/ray.h"
#include "physics/sensors/sensor.h"

#include <string.h>

static bool geom_matches(const sal_model *m, int geom, int type, int id)
{
    switch (type) {
    case SAL_OBJ_GEOM:
        return geom == id;
    case SAL_OBJ_BODY:
        return m->geom_bodyid[geom] == id;
    case SAL_OBJ_XBODY:
        return phy_is_carried(m, m->geom_bodyid[geom], id);
    default:
        return true;
    }
}

/* 1: contact c is between this and that, -1: between that and this, 0: it is not. */
static int match(const sal_model *m, const sal_data *d, int i, int c)
{
    const sal_contact *contact = d->contact + c;
    const int type = m->sensor_objtype[i], id = m->sensor_objid[i];
    const int reftype = m->sensor_reftype[i], refid = m->sensor_refid[i];
    if (type == SAL_OBJ_SITE) {
        double away[3], p[3];
        sal_v3_sub(away, contact->pos, d->site_xpos + 3 * id);
        sal_m3_multv(p, d->site_xmat + 9 * id, away);
        if (!phy_shape_holds((sal_geom_type)m->site_type[id], m->site_size + 3 * id, p)) {
            return 0;
        }
    }
    if (geom_matches(m, contact->geom1, type, id) &&
        geom_matches(m, contact->geom2, reftype, refid)) {
        return 1;
    }
    return geom_matches(m, contact->geom2, type, id) &&
                   geom_matches(m, contact->geom1, reftype, refid)
               ? -1
               : 0;
}

/* What a slot shows. */
typedef struct slot {
    double found, force[3], torque[3], dist, pos[3], normal[3], tangent[3];
} slot;

static double *put(double *out, const double *value, int n)
{
    memcpy(out, value, (size_t)n * sizeof *out);
    return out + n;
}

static double *put_slot(const sal_model *m, int i, double *out, const slot *s)
{
    const double *const data[] = {
        [SAL_CONDATA_FOUND] = &s->found,   [SAL_CONDATA_FORCE] = s->force,
        [SAL_CONDATA_TORQUE] = s->torque,  [SAL_CONDATA_DIST] = &s->dist,
        [SAL_CONDATA_POS] = s->pos,        [SAL_CONDATA_NORMAL] = s->normal,
        [SAL_CONDATA_TANGENT] = s->tangent};
    static const int numbers[] = {
#define NUMBERS(code, word, n) n,
        SAL_CONTACT_DATA_LIST(NUMBERS)
#undef NUMBERS
    };
    for (int k = 0; k < SAL_NCONDATA; k++) {
        if (m->sensor_intprm[3 * i] & (1 << k)) {
            out = put(out, data[k], numbers[k]);
        }
    }
    return out;
}

static void one_contact(const sal_model *m, const sal_data *d, int c, int way, slot *s)
{
    const sal_contact *contact = d->contact + c;
    double force[6];
    sal_contact_force(m, d, c, force);
    sal_v3_copy(s->force, force);
    sal_v3_copy(s->torque, force + 3);
    s->force[2] *= way;
    s->torque[2] *= way;
    s->dist = contact->dist;
    sal_v3_copy(s->pos, contact->pos);
    sal_v3_scale(s->normal, contact->frame, way);
    sal_v3_scale(s->tangent, contact->frame + 3, way);
}

static void net_force(const sal_model *m, const sal_data *d, int i, slot *s)
{
    double total = 0;
    for (int pass = 0; pass < 2; pass++) { /* where, then how much */
        for (int c = 0; c < d->ncon; c++) {
            const sal_contact *contact = d->contact + c;
            const int way = match(m, d, i, c);
            double local[6], force[3], torque[3], arm[3], moment[3];
            if (way == 0) {
                continue;
            }
            sal_contact_force(m, d, c, local);
            sal_m3_multv(force, contact->frame, local);
            sal_m3_multv(torque, contact->frame, local + 3);
            if (pass == 0) {
                const double size = sal_v3_norm(force);
                total += size;
                sal_v3_addscaled(s->pos, s->pos, size, contact->pos);
                continue;
            }
            sal_v3_sub(arm, contact->pos, s->pos);
            sal_v3_cross(moment, arm, force);
            sal_v3_addscaled(s->force, s->force, way, force);
            sal_v3_addscaled(s->torque, s->torque, way, torque);
            sal_v3_addscaled(s->torque, s->torque, way, moment);
        }
        sal_v3_scale(s->pos, s->pos, pass == 1 ? 1 : 1 / fmax(total, SAL_MINVAL));
    }
    s->normal[0] = s->tangent[1] = 1;
}

/* How late a contact comes: the list's order, the distance, minus the force squared. */
static double rank(const sal_model *m, const sal_data *d, int c, int reduce)
{
    double force[6];
    if (reduce == SAL_REDUCE_MAXFORCE) {
        sal_contact_force(m, d, c, force);
        return -sal_v3_dot(force, force);
    }
    return reduce == SAL_REDUCE_MINDIST ? d->contact[c].dist : 0;
}

/* The matching contact that comes next after `last` (-1: the first one) in rank, ties by the list's
 * order; -1: none. */
static int next_contact(const sal_model *m, const sal_data *d, int i, int last)
{
    const int reduce = m->sensor_intprm[3 * i + 1];
    const double after = last < 0 ? 0 : rank(m, d, last, reduce);
    double best = 0;
    int found = -1;
    for (int c = 0; c < d->ncon; c++) {
        if (match(m, d, i, c) == 0) {
            continue;
        }
        const double r = rank(m, d, c, reduce);
        const bool later = last < 0 || r > after || (r == after && c > last);
        if (later && (found < 0 || r < best)) {
            found = c;
            best = r;
        }
    }
    return found;
}

void phy_sensor_contact(const sal_model *m, const sal_data *d, int i, double *out)
{
    const int reduce = m->sensor_intprm[3 * i + 1], num = m->sensor_intprm[3 * i + 2];
    int count = 0;
    memset(out, 0, (size_t)m->sensor_dim[i] * sizeof *out);
    for (int c = 0; c < d->ncon; c++) {
        count += match(m, d, i, c) != 0;
    }
    if (reduce == SAL_REDUCE_NETFORCE) {
        slot s = {.found = count};
        net_force(m, d, i, &s);
        put_slot(m, i, out, &s);
        return;
    }
    for (int k = 0, c = -1; k < num && k < count; k++) {
        slot s = {.found = count};
        c = next_contact(m, d, i, c);
        one_contact(m, d, c, match(m, d, i, c), &s);
        out = put_slot(m, i, out, &s);
    }
}
