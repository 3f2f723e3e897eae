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
    if (sal_xml_is_blank(attr)) {
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

static const sal_xml *xml_of(const spec_list *list, int i)
{
    return ((const spec_head *)list->item[i])->xml;
}

/* The records of an actuator element stand side by side. -1: the element is in the model twice. */
static int past_actuator(const spec_list *list, int id, int first)
{
    int i = first;
    while (i < list->n && xml_of(list, i) == xml_of(list, first)) {
        i++;
    }
    return marked(list, id, i) < 0 ? i : -1;
}

/* How many numbers the actuator element has; they are x and go to where they belong in out, if that
 * is not NULL. */
static int give_actuator(const sal_model *m, int first, int past, bool act, const double *x,
                         double *out)
{
    int n = 0;
    for (int i = first; i < past; i++) {
        const int size = act ? m->actuator_actnum[i] : 1;
        if (out != NULL && size > 0) {
            memcpy(out + (act ? m->actuator_actadr[i] : i), x + n, (size_t)size * sizeof *x);
        }
        n += size;
    }
    return n;
}

/* "N ID.. NUMBERS..". Actuators that are not in the model have one control; their activations are
 * those that the others leave: none, one of each, or all of the only one. */
static void scatter_actuators(spec_work *w, const sal_model *m, const sal_xml_attr *attr, bool act,
                              double *out)
{
    const spec_list *list = &w->spec->actuator;
    const int n = attr == NULL ? 0 : mjcf_read_numbers(w->diag, attr, NULL, 0, LONGEST, 0);
    double *all = n <= 0 ? NULL : spec_take(w->spec, (size_t)n, sizeof *all);
    if (all == NULL || mjcf_read_numbers(w->diag, attr, all, n, n, 0) != n) {
        return;
    }
    const int nid = (int)all[0], given = n - 1 - nid;
    int absent = 0, known = 0;
    for (int i = 1; i <= nid; i++) {
        const int first = marked(list, (int)all[i], 0);
        const int past = first < 0 ? 0 : past_actuator(list, (int)all[i], first);
        if (past < 0) {
            sal_diag_error(w->diag, attr->value_place, "write the keyframe in the model itself",
                           "a keyframe of a sub-model that stands in <replicate> is not supported");
            return;
        }
        absent += first < 0;
        known += first < 0 ? 0 : give_actuator(m, first, past, act, NULL, NULL);
    }
    const int rest = given - known, each = absent == 0 ? 0 : rest / absent;
    const bool clear = rest == absent || (act && (rest == 0 || absent == 1));
    if (rest < 0 || !clear) {
        sal_diag_error(
            w->diag, attr->value_place,
            absent == 0 ? NULL : "leave it out, or attach all that has actuators",
            "%s of this keyframe has %d number%s, which are not those of its actuators%s",
            act ? "act" : "ctrl", given, given == 1 ? "" : "s",
            absent == 0 ? "" : ", of which some are not attached");
        return;
    }
    const double *x = all + 1 + nid;
    for (int i = 1; i <= nid; i++) {
        const int first = marked(list, (int)all[i], 0);
        x += first < 0
                 ? each
                 : give_actuator(m, first, past_actuator(list, (int)all[i], first), act, x, out);
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
    scatter_actuators(w, m, sal_xml_find_attr(xml, MJCF_CTRL), false,
                      m->key_ctrl + at * (size_t)m->nu);
    scatter_actuators(w, m, sal_xml_find_attr(xml, MJCF_ACT), true,
                      m->key_act + at * (size_t)m->na);
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
