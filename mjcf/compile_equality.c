/* compile_equality.c: equality constraints: names to ids, and what they hold fast, taken from the
 * initial configuration.
 *
 *     connect   P = x_1 + R_1 anchor                       anchor of body 2:  R_2' (P - x_2)
 *     weld      P = x_2 + R_2 anchor                       anchor of body 1:  R_1' (P - x_1),
 *     orientation  q_1* q_2
 *               with relpose: that position and orientation as they are
 *     sites     the anchors are the sites; a weld of sites s_1, s_2 holds q_1 s_1 = q_2 s_2, so the
 *               orientation is s_1 s_2*
 */
#include "mjcf/compile.h"
#include "physics/compiling.h"

#include <string.h>

static void find_ends(spec_work *w, spec_equality *e, const spec_names *names, const char *one,
                      const char *two)
{
    if (e->name1 != NULL) {
        e->id1 = spec_find(w, names, &e->head, one, e->name1);
    }
    if (e->name2 != NULL) {
        e->id2 = spec_find(w, names, &e->head, two, e->name2);
    }
}

static void check_joint(spec_work *w, const spec_equality *e, int id, const char *attr)
{
    if (id >= 0) {
        const spec_joint *j = w->spec->joint.item[id];
        if (j->type == SAL_JNT_FREE || j->type == SAL_JNT_BALL) {
            spec_error(w, &e->head, attr, NULL,
                       "%s must be a slide or hinge joint; '%.100s' is neither", attr,
                       j->head.name);
        }
    }
}

static void body_ends(spec_work *w, spec_equality *e)
{
    const char *names[2] = {e->site1, e->site2}, *attrs[2] = {"site1", "site2"};
    int body[2] = {-1, 0}; /* the second is the world if nothing else is said */
    for (int k = 0; k < 2 && names[k] != NULL; k++) {
        e->site_id[k] = spec_find(w, &w->sites, &e->head, attrs[k], names[k]);
        body[k] =
            e->site_id[k] < 0 ? -1 : ((const spec_site *)w->spec->site.item[e->site_id[k]])->body;
    }
    e->id1 = body[0];
    e->id2 = body[1];
    find_ends(w, e, &w->bodies, "body1", "body2");
}

static void compile_equality(spec_work *w, spec_equality *e)
{
    e->id1 = e->id2 = e->site_id[0] = e->site_id[1] = -1;
    switch ((sal_eq_type)e->type) {
    case SAL_EQ_CONNECT:
    case SAL_EQ_WELD:
        body_ends(w, e);
        break;
    case SAL_EQ_JOINT:
        find_ends(w, e, &w->joints, "joint1", "joint2");
        check_joint(w, e, e->id1, "joint1");
        check_joint(w, e, e->id2, "joint2");
        break;
    case SAL_EQ_TENDON:
        find_ends(w, e, &w->tendons, "tendon1", "tendon2");
        break;
    }
    if (e->id1 >= 0 && e->id1 == e->id2 && e->site1 == NULL) {
        spec_error(w, &e->head, NULL, NULL,
                   "<%s> names the same object twice; it needs two different ones",
                   e->head.xml->tag);
    }
}

void spec_compile_equalities(spec_work *w)
{
    for (int i = 0; i < w->spec->equality.n; i++) {
        compile_equality(w, w->spec->equality.item[i]);
    }
}

/* ---- the model's arrays ---- */

void spec_fill_equalities(const mjcf_spec *spec, sal_model *m)
{
    for (int i = 0; i < m->neq; i++) {
        const spec_equality *s = spec->equality.item[i];
        double *data = m->eq_data + 11 * i;
        m->eq_type[i] = s->type;
        m->eq_active[i] = s->active;
        m->eq_obj1id[i] = s->id1;
        m->eq_obj2id[i] = s->id2;
        memcpy(m->eq_site + 2 * i, s->site_id, sizeof s->site_id);
        memcpy(m->eq_solref + 2 * i, s->solref, sizeof s->solref);
        memcpy(m->eq_solimp + 5 * i, s->solimp, sizeof s->solimp);
        data[10] = s->torquescale;
        if (s->type == SAL_EQ_JOINT || s->type == SAL_EQ_TENDON) {
            memcpy(data, s->polycoef, sizeof s->polycoef);
        } else if (s->site1 == NULL) {
            sal_v3_copy(data, s->anchor);
        }
    }
}

/* R' (P - x),  P = x_from + R_from anchor */
static void anchor_in(double out[3], const sal_data *d, int body, int from, const double anchor[3])
{
    double point[3];
    sal_m3_mulv(point, d->xmat + 9 * from, anchor);
    sal_v3_add(point, point, d->xpos + 3 * from);
    sal_v3_sub(point, point, d->xpos + 3 * body);
    sal_m3_multv(out, d->xmat + 9 * body, point);
}

static void weld_from_relpose(double *data, const double relpose[7])
{
    sal_v3_copy(data + 3, relpose);
    sal_quat_copy(data + 6, relpose + 3);
    sal_quat_normalise(data + 6);
}

/* With coordinate="global" anchors are points of the world: R' (anchor - x) */
static void anchor_from_world(double anchor[3], const sal_data *d, int body)
{
    double arm[3];
    sal_v3_sub(arm, anchor, d->xpos + 3 * body);
    sal_m3_multv(anchor, d->xmat + 9 * body, arm);
}

static void equality_initial(const spec_equality *s, sal_model *m, const sal_data *d, int i,
                             bool global)
{
    const int b1 = s->id1, b2 = s->id2;
    const double *r = s->relpose;
    double *data = m->eq_data + 11 * i, back[4];
    if (global && (s->type == SAL_EQ_CONNECT || s->type == SAL_EQ_WELD)) {
        anchor_from_world(data, d, s->type == SAL_EQ_CONNECT ? b1 : b2);
    }
    if (s->type == SAL_EQ_CONNECT && s->site1 == NULL) {
        anchor_in(data + 3, d, b2, b1, data);
    } else if (s->type == SAL_EQ_CONNECT) {
        sal_v3_copy(data, m->site_pos + 3 * s->site_id[0]);
        sal_v3_copy(data + 3, m->site_pos + 3 * s->site_id[1]);
    } else if (s->type == SAL_EQ_WELD && s->site1 != NULL) {
        sal_v3_copy(data, m->site_pos + 3 * s->site_id[1]);
        sal_v3_copy(data + 3, m->site_pos + 3 * s->site_id[0]);
        sal_quat_conj(back, m->site_quat + 4 * s->site_id[1]);
        sal_quat_mul(data + 6, m->site_quat + 4 * s->site_id[0], back);
    } else if (s->type == SAL_EQ_WELD && (r[3] != 0 || r[4] != 0 || r[5] != 0 || r[6] != 0)) {
        weld_from_relpose(data, r);
    } else if (s->type == SAL_EQ_WELD) {
        anchor_in(data + 3, d, b1, b2, data);
        sal_quat_conj(back, d->xquat + 4 * b1);
        sal_quat_mul(data + 6, back, d->xquat + 4 * b2);
        sal_quat_normalise(data + 6);
    }
}

/* A tendon whose spring has no length of its own rests as it does at qpos_spring. */
static void rest_length(sal_model *m, const sal_data *d, int t)
{
    double *rest = m->tendon_lengthspring + 2 * t;
    const bool unset = m->mujoco == SAL_MUJOCO_222 ? rest[0] < 0 : rest[0] == -1 && rest[1] == -1;
    if (unset) {
        rest[0] = rest[1] = d->ten_length[t];
    }
}

sal_status spec_fill_initial(const mjcf_spec *spec, sal_model *m, sal_err *err)
{
    sal_data *d = NULL;
    if (m->neq == 0 && m->ntendon == 0) {
        return SAL_OK;
    }
    const sal_status status = phy_data_new_small(&d, m, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    for (int i = 0; i < m->neq; i++) {
        equality_initial(spec->equality.item[i], m, d, i, spec->compiler.global);
    }
    memcpy(d->qpos, m->qpos_spring, (size_t)m->nq * sizeof *d->qpos);
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    for (int t = 0; t < m->ntendon; t++) {
        rest_length(m, d, t);
    }
    sal_data_free(d);
    return SAL_OK;
}
