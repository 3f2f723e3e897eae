/* endpoint.c: what is pinned at the start and at the end of an open motion: from a keyframe, a
 * table, a result, or numbers. */
#include "problems/language/reader.h"
#include "problems/recordings/read_states.h"

#include <math.h>
#include <string.h>

enum { FIXED_ALL, FIXED_QPOS, FIXED_QVEL };

/* ---- numbers of a configuration ---- */

double *prb_read_qpos(prb_reader *r, const char *tag, const sal_xml *element, const char *name)
{
    const sal_model *m = r->p->model;
    const int n = prb_grammar_reals(tag, element, name, NULL, 0);
    if (m == NULL) {
        return NULL;
    }
    if (n != m->nq) {
        sal_diag_error(
            r->diag, prb_reader_place(element, name),
            "a hinge or slide joint has one number, a ball joint four, a free joint seven",
            "%s has %d number%s; this model needs %d", name, n, n == 1 ? "" : "s", m->nq);
        return NULL;
    }
    double *qpos = prb_reader_alloc(r, (size_t)n, sizeof *qpos);
    if (qpos == NULL) {
        return NULL;
    }
    prb_grammar_reals(tag, element, name, qpos, n);
    if (!prb_quaternions_exist(m, qpos)) {
        sal_diag_error(r->diag, prb_reader_place(element, name), "write 1 0 0 0 for no rotation",
                       "%s has a quaternion of length zero", name);
    } else {
        sal_normalise_pos(m, qpos);
    }
    return qpos;
}

static int position_count(const sal_model *m, int joint)
{
    return sal_joint_ndof(m->jnt_type[joint]) + (m->jnt_type[joint] <= SAL_JNT_BALL ? 1 : 0);
}

/* ---- one element ---- */

typedef struct pins {
    const char *tag;
    const sal_xml *element;
    int njoint, *joint; /* those it is about, in its order */
    prb_endpoint e;     /* what it pins of them */
    sal_place place;    /* of what is being read */
} pins;

static bool endpoint_new(prb_reader *r, prb_endpoint *e)
{
    const sal_model *m = r->p->model;
    *e = (prb_endpoint){.pos = prb_reader_alloc(r, (size_t)m->njnt, 1),
                        .vel = prb_reader_alloc(r, (size_t)m->njnt, 1),
                        .qpos = prb_reader_alloc(r, (size_t)m->nq, sizeof(double)),
                        .qvel = prb_reader_alloc(r, (size_t)m->nv, sizeof(double))};
    if (e->pos == NULL || e->vel == NULL || e->qpos == NULL || e->qvel == NULL) {
        return false;
    }
    memcpy(e->qpos, m->qpos0, (size_t)m->nq * sizeof(double));
    sal_normalise_pos(m, e->qpos);
    return true;
}

void prb_endpoint_clear(prb_endpoint *e)
{
    sal_free(e->pos);
    sal_free(e->vel);
    sal_free(e->qpos);
    sal_free(e->qvel);
}

static void choose_joints(prb_reader *r, pins *p)
{
    const sal_model *m = r->p->model;
    prb_word word = {.attr = sal_xml_find_attr(p->element, "joint")};
    if (word.attr == NULL) {
        for (int j = 0; j < m->njnt; j++) {
            p->joint[p->njoint++] = j;
        }
        return;
    }
    while (prb_reader_word(r, &word)) {
        const int joint = prb_reader_find(r, SAL_OBJ_JOINT, SAL_OBJ_NONE, &word, NULL);
        bool again = false;
        for (int k = 0; k < p->njoint; k++) {
            again = again || p->joint[k] == joint;
        }
        if (again) {
            sal_diag_error(r->diag, word.place, NULL, "joint '%s' is named twice", word.text);
        } else if (joint >= 0) {
            p->joint[p->njoint++] = joint;
        }
    }
}

static void pin_pos(pins *p, const sal_model *m, int joint, const double *qpos)
{
    memcpy(p->e.qpos + m->jnt_qposadr[joint], qpos,
           (size_t)position_count(m, joint) * sizeof(double));
    p->e.pos[joint] = 1;
}

static void pin_vel(pins *p, const sal_model *m, int joint, const double *qvel)
{
    memcpy(p->e.qvel + m->jnt_dofadr[joint], qvel,
           (size_t)sal_joint_ndof(m->jnt_type[joint]) * sizeof(double));
    p->e.vel[joint] = 1;
}

/* A state, of which `pos` and `vel` tell what is known (NULL: all). */
static void pin_state(prb_reader *r, pins *p, const double *qpos, const double *qvel,
                      const prb_states *known)
{
    const sal_model *m = r->p->model;
    const int fixed = prb_grammar_choice(p->tag, p->element, "fixed");
    for (int k = 0; k < p->njoint; k++) {
        const int j = p->joint[k];
        const bool pos = known == NULL || known->pos[j], vel = known == NULL || known->vel[j];
        const bool named = sal_xml_find_attr(p->element, "joint") != NULL;
        if ((named && !pos && fixed != FIXED_QVEL) || (!vel && fixed == FIXED_QVEL)) {
            char name[SAL_LABEL_MAX];
            sal_diag_error(r->diag, p->place, NULL, "the table has no column for the %s of %s",
                           fixed == FIXED_QVEL ? "velocity" : "position",
                           sal_model_label(m, SAL_OBJ_JOINT, j, name));
            return;
        }
        if (pos && fixed != FIXED_QVEL) {
            pin_pos(p, m, j, qpos + m->jnt_qposadr[j]);
        }
        if (vel && fixed != FIXED_QPOS) {
            pin_vel(p, m, j, qvel + m->jnt_dofadr[j]);
        }
    }
}

/* ---- where a state comes from ---- */

static void read_key(prb_reader *r, pins *p)
{
    const sal_model *m = r->p->model;
    prb_word word;
    const int key = prb_reader_whole(r, &word, p->element, "key")
                        ? prb_reader_find(r, SAL_OBJ_KEY, SAL_OBJ_NONE, &word, NULL)
                        : -1;
    if (key >= 0) {
        pin_state(r, p, m->key_qpos + (size_t)key * (size_t)m->nq,
                  m->key_qvel + (size_t)key * (size_t)m->nv, NULL);
    }
}

/* The time of the row that is meant: by `time`, by `row`, else the first one for a start and the
 * last one for an end. */
static double moment(prb_reader *r, const pins *p, const prb_states *s)
{
    const double time = prb_grammar_real(p->tag, p->element, "time");
    const long row = prb_grammar_whole(p->tag, p->element, "row");
    const double first = s->time[0], last = s->time[s->nrow - 1], slack = 1e-9 * (last - first);
    if (!isnan(time) && (time < first - slack || time > last + slack)) {
        sal_diag_error(r->diag, prb_reader_place(p->element, "time"), NULL,
                       "the time %g s is outside the times of the rows, %g .. %g s", time, first,
                       last);
    }
    if (row >= s->nrow) {
        sal_diag_error(r->diag, prb_reader_place(p->element, "row"), "rows are counted from 0",
                       "row %ld does not exist; there %s %d", row, s->nrow == 1 ? "is" : "are",
                       s->nrow);
        return last;
    }
    return !isnan(time)                   ? time
           : row >= 0                     ? s->time[row]
           : strcmp(p->tag, "start") == 0 ? first
                                          : last;
}

static void pin_moment(prb_reader *r, pins *p, const prb_states *s)
{
    const sal_model *m = r->p->model;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv;
    double *q = prb_reader_alloc(r, nq + 5 * nv, sizeof(double));
    if (q == NULL) {
        return;
    }
    const int before = r->diag->nerror;
    const double time = moment(r, p, s);
    if (r->diag->nerror == before) {
        prb_states_at(s, m, time, q, q + nq, q + nq + nv);
        pin_state(r, p, q, q + nq, s);
    }
    sal_free(q);
}

static void read_states(prb_reader *r, pins *p, const char *name)
{
    prb_states s = {0};
    if (sal_xml_find_attr(p->element, name) == NULL) {
        return;
    }
    p->place = prb_reader_place(p->element, name);
    if (prb_reader_states(r, &s, NULL, p->element, name)) {
        pin_moment(r, p, &s);
    }
    prb_states_clear(&s);
}

/* ---- numbers ---- */

static void read_numbers_pos(prb_reader *r, pins *p)
{
    const sal_model *m = r->p->model;
    double *full = NULL;
    const int n = prb_grammar_reals(p->tag, p->element, "qpos", NULL, 0);
    int wanted = 0, at = 0;
    for (int k = 0; k < p->njoint; k++) {
        wanted += position_count(m, p->joint[k]);
    }
    if (n != wanted) {
        sal_diag_error(
            r->diag, prb_reader_place(p->element, "qpos"),
            "a hinge or slide joint has one number, a ball joint four, a free joint seven",
            "qpos has %d number%s; %s %d", n, n == 1 ? "" : "s",
            p->njoint == m->njnt ? "this model needs" : "these joints need", wanted);
        return;
    }
    full = prb_reader_alloc(r, (size_t)n + (size_t)m->nq, sizeof *full);
    if (full == NULL) {
        return;
    }
    double *scattered = full + n;
    memcpy(scattered, p->e.qpos, (size_t)m->nq * sizeof *full);
    prb_grammar_reals(p->tag, p->element, "qpos", full, n);
    for (int k = 0; k < p->njoint; k++) {
        const int count = position_count(m, p->joint[k]);
        memcpy(scattered + m->jnt_qposadr[p->joint[k]], full + at, (size_t)count * sizeof *full);
        at += count;
    }
    if (!prb_quaternions_exist(m, scattered)) {
        sal_diag_error(r->diag, prb_reader_place(p->element, "qpos"),
                       "write 1 0 0 0 for no rotation", "qpos has a quaternion of length zero");
    } else {
        sal_normalise_pos(m, scattered);
        for (int k = 0; k < p->njoint; k++) {
            pin_pos(p, m, p->joint[k], scattered + m->jnt_qposadr[p->joint[k]]);
        }
    }
    sal_free(full);
}

/* One number stands for all dofs. */
static void read_numbers_vel(prb_reader *r, pins *p)
{
    const sal_model *m = r->p->model;
    const int n = prb_grammar_reals(p->tag, p->element, "qvel", NULL, 0);
    int wanted = 0, at = 0;
    for (int k = 0; k < p->njoint; k++) {
        wanted += sal_joint_ndof(m->jnt_type[p->joint[k]]);
    }
    if (n != 1 && n != wanted) {
        sal_diag_error(r->diag, prb_reader_place(p->element, "qvel"),
                       "a single number applies to all degrees of freedom",
                       "qvel has %d numbers; %s %d", n,
                       p->njoint == m->njnt ? "this model needs" : "these joints need", wanted);
        return;
    }
    double *v = prb_reader_alloc(r, (size_t)wanted, sizeof *v);
    if (v == NULL) {
        return;
    }
    prb_grammar_reals(p->tag, p->element, "qvel", v, n);
    for (int i = n; i < wanted; i++) {
        v[i] = v[0];
    }
    for (int k = 0; k < p->njoint; k++) {
        pin_vel(p, m, p->joint[k], v + at);
        at += sal_joint_ndof(m->jnt_type[p->joint[k]]);
    }
    sal_free(v);
}

/* ---- elements ---- */

/* What says where a state comes from: key, file or result; row and time belong to the latter
 * two. */
static void check_sources(prb_reader *r, const pins *p)
{
    static const char *const source[] = {"key", "file", "result"};
    const sal_xml_attr *first = NULL;
    const sal_xml *element = p->element;
    bool table = false;
    for (int i = 0; i < 3; i++) {
        const sal_xml_attr *attr = sal_xml_find_attr(element, source[i]);
        if (attr != NULL && first != NULL) {
            sal_diag_error(r->diag, attr->name_place, "give only one of key, file and result",
                           "<%s> cannot have both '%s' and '%s'", p->tag, first->name, source[i]);
        }
        first = attr != NULL ? attr : first;
        table = table || (attr != NULL && i > 0);
    }
    if (first == NULL && sal_xml_find_attr(element, "fixed") != NULL) {
        sal_diag_error(r->diag, prb_reader_place(element, "fixed"),
                       "remove 'fixed'; the attributes qpos and qvel pin what they give",
                       "'fixed' needs 'key', 'file' or 'result'");
    }
    const bool row = sal_xml_find_attr(element, "row") != NULL,
               time = sal_xml_find_attr(element, "time") != NULL;
    if ((row || time) && !table) {
        sal_diag_error(r->diag, prb_reader_place(element, row ? "row" : "time"), NULL,
                       "'%s' needs 'file' or 'result'", row ? "row" : "time");
    } else if (row && time) {
        sal_diag_error(r->diag, prb_reader_place(element, "time"), "remove one of the two",
                       "<%s> cannot have both 'row' and 'time'", p->tag);
    }
}

/* What an element pins joins what others of its kind do. */
static void join(prb_reader *r, prb_endpoint *e, const pins *p)
{
    const sal_model *m = r->p->model;
    for (int k = 0; k < p->njoint; k++) {
        const int j = p->joint[k];
        if ((p->e.pos[j] && e->pos[j]) || (p->e.vel[j] && e->vel[j])) {
            char name[SAL_LABEL_MAX];
            sal_diag_error(
                r->diag, p->element->place, "name the joints of each element with 'joint'",
                "another <%s> already pins %s", p->tag, sal_model_label(m, SAL_OBJ_JOINT, j, name));
            return;
        }
        if (p->e.pos[j]) {
            const int adr = m->jnt_qposadr[j];
            memcpy(e->qpos + adr, p->e.qpos + adr, (size_t)position_count(m, j) * sizeof(double));
        }
        if (p->e.vel[j]) {
            const int adr = m->jnt_dofadr[j];
            const size_t n = (size_t)sal_joint_ndof(m->jnt_type[j]);
            memcpy(e->qvel + adr, p->e.qvel + adr, n * sizeof(double));
        }
        e->pos[j] |= p->e.pos[j];
        e->vel[j] |= p->e.vel[j];
    }
}

static void read_element(prb_reader *r, const char *tag, const sal_xml *element, prb_endpoint *e)
{
    pins p = {.tag = tag, .element = element, .place = element->place};
    p.joint = prb_reader_alloc(r, (size_t)r->p->model->njnt, sizeof *p.joint);
    if (p.joint != NULL && endpoint_new(r, &p.e)) {
        choose_joints(r, &p);
        check_sources(r, &p);
        read_key(r, &p);
        read_states(r, &p, "file");
        read_states(r, &p, "result");
        if (prb_grammar_text(tag, element, "qpos") != NULL) {
            read_numbers_pos(r, &p);
        }
        if (prb_grammar_text(tag, element, "qvel") != NULL) {
            read_numbers_vel(r, &p);
        }
        join(r, e, &p);
    }
    prb_endpoint_clear(&p.e);
    sal_free(p.joint);
}

void prb_read_endpoint(prb_reader *r, const char *tag, prb_endpoint *e)
{
    const sal_model *m = r->p->model;
    const sal_xml *boundary = prb_reader_element(r, "boundary");
    for (const sal_xml *c = boundary->child; c != NULL && m != NULL; c = c->next) {
        if (strcmp(c->tag, tag) == 0 && (e->pos != NULL || endpoint_new(r, e))) {
            read_element(r, tag, c, e);
        }
    }
    if (m == NULL || e->pos == NULL || r->nomem) {
        return;
    }
    e->fixed_pos = e->fixed_vel = true;
    for (int j = 0; j < m->njnt; j++) {
        e->fixed_pos = e->fixed_pos && e->pos[j];
        e->fixed_vel = e->fixed_vel && e->vel[j];
    }
}
