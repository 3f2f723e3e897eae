/* compile_key.c: keyframes. What is not given is as posed: qpos0, zeros, the poses of mocap
 * bodies. */
#include "mjcf/compile.h"
#include "mjcf/reader.h"

#include <string.h>

/* Overwrites out[n] if the attribute is given; it must have all n numbers. */
static void numbers(spec_work *w, const sal_xml_attr *attr, double *out, int n)
{
    if (attr == NULL || attr->value[strspn(attr->value, " \t\r\n")] == 0) {
        return;
    }
    double *all =
        spec_take(w->spec, (size_t)n, sizeof *all); /* so that a bad one changes nothing */
    if (all != NULL && mjcf_read_numbers(w->diag, attr, all, n, n, 0) == n && n > 0) {
        memcpy(out, all, (size_t)n * sizeof *all);
    }
}

static void fill_key(spec_work *w, sal_model *m, const spec_key *k, int i)
{
    double *q = m->key_qpos + (size_t)i * (size_t)m->nq;
    m->key_time[i] = k->time;
    numbers(w, k->qpos, q, m->nq);
    sal_normalise_pos(m, q);
    numbers(w, k->qvel, m->key_qvel + (size_t)i * (size_t)m->nv, m->nv);
    numbers(w, k->ctrl, m->key_ctrl + (size_t)i * (size_t)m->nu, m->nu);
    numbers(w, k->act, m->key_act + (size_t)i * (size_t)m->na, m->na);
    numbers(w, k->mpos, m->key_mpos + 3 * (size_t)i * (size_t)m->nmocap, 3 * m->nmocap);
    double *mquat = m->key_mquat + 4 * (size_t)i * (size_t)m->nmocap;
    numbers(w, k->mquat, mquat, 4 * m->nmocap);
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
