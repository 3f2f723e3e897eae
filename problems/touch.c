/* touch.c: which objects can ever touch, which geom only shows a body, and which geoms of a
 * mechanism are within each other by design. */
#include "problems/touch.h"

#include <string.h>

/* Whether the geom is the object: that geom, or for -1 - body one of the body's. */
static bool is_of(const sal_model *m, int geom, int object)
{
    return object >= 0 ? geom == object : m->geom_bodyid[geom] == -1 - object;
}

static bool is_of_any(const sal_model *m, int geom, const int *object, int n)
{
    for (int k = 0; k < n; k++) {
        if (is_of(m, geom, object[k])) {
            return true;
        }
    }
    return n == 0;
}

bool prb_touches(const sal_model *m, int object, const int *with, int nwith)
{
    for (int i = 0; i < m->npair; i++) {
        const int one = m->pair_geom1[i], two = m->pair_geom2[i];
        if ((is_of(m, one, object) && is_of_any(m, two, with, nwith)) ||
            (is_of(m, two, object) && is_of_any(m, one, with, nwith))) {
            return true;
        }
    }
    return false;
}

bool prb_only_shown(const sal_model *m, const char *name)
{
    const int geom = sal_model_find(m, SAL_OBJ_GEOM, name),
              body = sal_model_find(m, SAL_OBJ_BODY, name);
    return geom >= 0 && body >= 0 && !prb_touches(m, geom, NULL, 0) &&
           prb_touches(m, -1 - body, NULL, 0);
}

bool prb_are_of_a_tree(const sal_model *m, int geom1, int geom2)
{
    const int b1 = m->geom_bodyid[geom1], b2 = m->geom_bodyid[geom2];
    return m->body_weldid[b1] != 0 && m->body_weldid[b2] != 0 &&
           m->body_rootid[b1] == m->body_rootid[b2];
}

bool prb_is_within(const sal_model *m, const sal_contact *contact)
{
    return contact->dist < -PRB_WITHIN && prb_are_of_a_tree(m, contact->geom1, contact->geom2);
}

/* Adds 1 for each pair that is within each other in the pose. */
static sal_status count_within(int *count, const sal_model *m, sal_data *d, const double *pose,
                               sal_err *err)
{
    memcpy(d->qpos, pose, (size_t)m->nq * sizeof *pose);
    sal_kinematics(m, d);
    const sal_status status = sal_collide(m, d, err);
    for (int i = 0, last = -1; i < d->ncon && status == SAL_OK; i++) {
        const sal_contact *con = d->contact + i;
        if (prb_is_within(m, con)) {
            count[con->pair] += con->pair != last;
            last = con->pair;
        }
    }
    return status;
}

sal_status prb_find_built_within(bool *built, const sal_model *m, sal_err *err)
{
    int *count = sal_alloc((size_t)m->npair, sizeof *count);
    sal_data *d = NULL;
    sal_status status = count == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for pairs of geoms")
                                      : sal_data_new(&d, m, err);
    for (int key = -1; key < m->nkey && status == SAL_OK; key++) {
        const double *pose = key < 0 ? m->qpos0 : m->key_qpos + (ptrdiff_t)key * m->nq;
        status = count_within(count, m, d, pose, err);
    }
    for (int i = 0; i < m->npair && status == SAL_OK; i++) {
        built[i] = count[i] == m->nkey + 1;
    }
    sal_data_free(d);
    sal_free(count);
    return status;
}
