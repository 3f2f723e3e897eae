/* compile_key.c: keyframes. What is not given is as posed: qpos0, zeros, the poses of mocap
 * bodies. */
#include "mjcf/attach/key.h"
#include "mjcf/compile.h"

#include <string.h>

enum { LONGEST = 1000000 };

/* How many of n numbers count: all, which must be there for 2.2.2 and beside copies, or those
 * before the first one that is missing, of `group` that belong to a body. -1: it is not given. */
static int given_of(spec_work *w, const sal_xml_attr *attr, int n, int group, const char *rest)
{
    if (attr == NULL || attr->value[strspn(attr->value, " \t\r\n")] == 0) {
        return -1;
    }
    const int given = mjcf_read_numbers(w->diag, attr, NULL, 0, LONGEST, 0);
    if (given < 0 || given >= n || w->spec->copied || w->spec->mujoco == SAL_MUJOCO_222) {
        return given < 0 ? -1 : n;
    }
    sal_diag_warning(w->diag, attr->value_place, NULL,
                     "%s needs %d numbers, and has %d; as in MuJoCo, the rest is %s", attr->name, n,
                     given, rest);
    return given - given % group;
}

/* Overwrites the first `given` of out[n], if they are as they should be. */
static bool overwrite(spec_work *w, const sal_xml_attr *attr, double *out, int n, int given)
{
    double *all = given < 0 ? NULL : spec_take(w->spec, (size_t)n + 1, sizeof *all);
    if (all == NULL || mjcf_read_numbers(w->diag, attr, all, given, n, 0) < given) {
        return false;
    }
    memcpy(out, all, (size_t)given * sizeof *all);
    return true;
}

/* Numbers that stand alone: those that are missing are 0. */
static void numbers(spec_work *w, const sal_xml_attr *attr, double *out, int n)
{
    const int given = given_of(w, attr, n, 1, "0");
    if (overwrite(w, attr, out, n, given)) {
        memset(out + given, 0, (size_t)(n - given) * sizeof *out);
    }
}

/* Poses of mocap bodies, `group` numbers each: bodies without theirs are as posed. */
static void poses(spec_work *w, const sal_xml_attr *attr, double *out, int n, int group)
{
    overwrite(w, attr, out, n, given_of(w, attr, n, group, "as posed"));
}

/* Positions: those of slide and hinge joints that are missing are as posed, the others 0. */
static void positions(spec_work *w, const sal_model *m, const sal_xml_attr *attr, double *q)
{
    const int given = given_of(w, attr, m->nq, 1, "ref, and 0 where joints are free or balls");
    if (!overwrite(w, attr, q, m->nq, given)) {
        return;
    }
    memset(q + given, 0, (size_t)(m->nq - given) * sizeof *q);
    for (int j = 0; j < m->njnt; j++) {
        const int i = m->jnt_qposadr[j];
        const bool single = m->jnt_type[j] == SAL_JNT_SLIDE || m->jnt_type[j] == SAL_JNT_HINGE;
        q[i] = single && i >= given ? m->qpos0[i] : q[i];
    }
}

/* The first joint, actuator or body from number `from` on with that number in its mark; -1: there
 * is none in the model. */
static int marked(const spec_list *list, int id, int from)
{
    for (int i = from; i < list->n; i++) {
        const spec_head *head = list->item[i];
        const sal_xml_attr *mark = head->xml == NULL ? NULL : sal_xml_find_attr(head->xml, MJCF_ID);
        if (mark != NULL && mjcf_mark_number(mark) == id) {
            return i;
        }
    }
    return -1;
}

/* Where its numbers are in a vector, and how many. */
typedef int address_of(const sal_model *m, int i);

static int qpos_of(const sal_model *m, int i)
{
    return m->jnt_qposadr[i];
}

static int dof_of(const sal_model *m, int i)
{
    return m->jnt_dofadr[i];
}

static int ctrl_of(const sal_model *m, int i)
{
    (void)m;
    return i;
}

static int mpos_of(const sal_model *m, int i)
{
    return 3 * m->body_mocapid[i];
}

static int mquat_of(const sal_model *m, int i)
{
    return 4 * m->body_mocapid[i];
}

/* The numbers of a sub-model's keyframe, "ID COUNT NUMBERS..", to where their elements have
 * them. */
static void scatter(spec_work *w, const sal_model *m, const spec_list *list,
                    const sal_xml_attr *attr, double *out, address_of *address)
{
    const int n = attr == NULL ? 0 : mjcf_read_numbers(w->diag, attr, NULL, 0, LONGEST, 0);
    double *all = n <= 0 ? NULL : spec_take(w->spec, (size_t)n, sizeof *all);
    if (all == NULL || mjcf_read_numbers(w->diag, attr, all, n, n, 0) != n) {
        return;
    }
    for (int i = 0; i + 1 < n; i += 2 + (int)all[i + 1]) {
        const int k = marked(list, (int)all[i], 0);
        if (k >= 0 && marked(list, (int)all[i], k + 1) >= 0) {
            sal_diag_error(w->diag, attr->value_place, "write the keyframe in the model itself",
                           "a keyframe of a sub-model that stands in <replicate> is not supported");
            return;
        }
        if (k >= 0 && i + 2 + (int)all[i + 1] <= n) {
            memcpy(out + address(m, k), all + i + 2, (size_t)all[i + 1] * sizeof *all);
        }
    }
}

static void fill_marked(spec_work *w, sal_model *m, const spec_key *k, int i)
{
    const sal_xml *xml = k->head.xml;
    const size_t at = (size_t)i;
    const mjcf_spec *s = w->spec;
    scatter(w, m, &s->joint, sal_xml_find_attr(xml, MJCF_QPOS), m->key_qpos + at * (size_t)m->nq,
            qpos_of);
    scatter(w, m, &s->joint, sal_xml_find_attr(xml, MJCF_QVEL), m->key_qvel + at * (size_t)m->nv,
            dof_of);
    scatter(w, m, &s->actuator, sal_xml_find_attr(xml, MJCF_CTRL), m->key_ctrl + at * (size_t)m->nu,
            ctrl_of);
    scatter(w, m, &s->body, sal_xml_find_attr(xml, MJCF_MPOS),
            m->key_mpos + 3 * at * (size_t)m->nmocap, mpos_of);
    scatter(w, m, &s->body, sal_xml_find_attr(xml, MJCF_MQUAT),
            m->key_mquat + 4 * at * (size_t)m->nmocap, mquat_of);
}

static void fill_key(spec_work *w, sal_model *m, const spec_key *k, int i)
{
    double *q = m->key_qpos + (size_t)i * (size_t)m->nq;
    m->key_time[i] = k->time;
    fill_marked(w, m, k, i);
    positions(w, m, k->qpos, q);
    sal_normalise_pos(m, q);
    numbers(w, k->qvel, m->key_qvel + (size_t)i * (size_t)m->nv, m->nv);
    numbers(w, k->ctrl, m->key_ctrl + (size_t)i * (size_t)m->nu, m->nu);
    numbers(w, k->act, m->key_act + (size_t)i * (size_t)m->na, m->na);
    poses(w, k->mpos, m->key_mpos + 3 * (size_t)i * (size_t)m->nmocap, 3 * m->nmocap, 3);
    double *mquat = m->key_mquat + 4 * (size_t)i * (size_t)m->nmocap;
    poses(w, k->mquat, mquat, 4 * m->nmocap, 4);
    for (int b = 0; b < m->nmocap; b++) {
        sal_quat_normalise(mquat + 4 * b);
    }
}

void spec_fill_keys(spec_work *w, sal_model *m)
{
    for (int i = 0; i < m->nkey; i++) {
        memcpy(m->key_qpos + (size_t)i * (size_t)m->nq, m->qpos0, (size_t)m->nq * sizeof(double));
        for (int b = 0; b < m->nbody; b++) {
            const int k = i * m->nmocap + m->body_mocapid[b];
            if (m->body_mocapid[b] >= 0) {
                sal_v3_copy(m->key_mpos + 3 * k, m->body_pos + 3 * b);
                sal_quat_copy(m->key_mquat + 4 * k, m->body_quat + 4 * b);
            }
        }
        if (i < w->spec->key.n) {
            fill_key(w, m, w->spec->key.item[i], i);
        }
    }
}
