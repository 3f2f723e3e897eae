/* advise.c: what is no fault of a model and will still hurt who optimizes motions of it. One
 * warning a kind, at the first place, with how many there are. */
#include "mjcf/reader.h"

#include <stdio.h>
#include <string.h>

static const double light = 1e-6; /* of the largest inertia: below, a joint moves next to nothing */
static const double depth = 1e-6; /* m; below, geoms only touch */
static const double beyond = 1e-6; /* rad or m outside a limit that is more than rounding */

typedef struct adviser {
    const mjcf_spec *spec;
    const sal_model *m;
    sal_diag *diag;
} adviser;

static sal_place place_of(const spec_head *head, const char *attr)
{
    if (head == NULL || head->xml == NULL) {
        return (sal_place){0};
    }
    const sal_xml_attr *at = attr == NULL ? NULL : sal_xml_find_attr(head->xml, attr);
    return at == NULL ? head->xml->place : at->value_place;
}

/* " (and 3 more)" */
static const char *and_more(int n, char out[32])
{
    out[0] = 0;
    if (n > 1) {
        snprintf(out, 32, " (and %d more)", n - 1);
    }
    return out;
}

/* ---- contacts as the file says them ---- */

/* The geom or <pair> that says how this pair of geoms touches. */
static const spec_head *said_by(const adviser *a, int pair)
{
    const sal_model *m = a->m;
    const int g1 = m->pair_geom1[pair], g2 = m->pair_geom2[pair];
    for (int i = 0; i < a->spec->pair.n && m->pair_explicit[pair]; i++) {
        const spec_pair *p = a->spec->pair.item[i];
        if ((p->id1 == g1 && p->id2 == g2) || (p->id1 == g2 && p->id2 == g1)) {
            return &p->head;
        }
    }
    const spec_geom *s1 = a->spec->geom.item[g1], *s2 = a->spec->geom.item[g2];
    return s1->priority > s2->priority || sal_xml_find_attr(s1->head.xml, "solimp") != NULL
               ? &s1->head
               : &s2->head;
}

static void advise_pairs(const adviser *a)
{
    const sal_model *m = a->m;
    int jump = 0, apart = 0, frictional = 0, first_jump = 0, first_apart = 0;
    for (int p = m->npair - 1; p >= 0; p--) {
        if (m->pair_solimp[5 * p] > 0) {
            jump++;
            first_jump = p;
        }
        if (m->pair_include[p] > 0 || m->pair_detect[p] > m->pair_include[p]) {
            apart++;
            first_apart = p;
        }
        frictional += m->pair_dim[p] > 1;
    }
    if (jump > 0) {
        sal_diag_warning(
            a->diag, place_of(said_by(a, first_jump), "solimp"),
            "write solimp=\"0 0.95 0.01\" in a <default>, or let solve use its own contacts",
            "%d of %d pairs of geoms have the impedance %g (solimp) already at distance 0: the "
            "contact force jumps when they touch, and its derivative is zero before",
            jump, m->npair, m->pair_solimp[5 * first_jump]);
    }
    if (apart > 0) {
        sal_diag_warning(
            a->diag, place_of(said_by(a, first_apart), "margin"),
            "leave margin and gap out, or let solve use its own contacts",
            "%d of %d pairs of geoms have contacts before they touch: margin %g m, gap %g m", apart,
            m->npair, m->pair_include[first_apart],
            m->pair_detect[first_apart] - m->pair_include[first_apart]);
    }
    if (frictional > 0 && m->opt.cone == SAL_CONE_PYRAMIDAL) {
        const spec_head head = {.xml = sal_xml_child(a->spec->root, "option")};
        sal_diag_warning(
            a->diag, place_of(&head, "cone"), "write <option cone=\"elliptic\"/>",
            "the friction cone is pyramidal: friction depends on the direction, and its force is "
            "not smooth at the edges of the pyramid (%d pairs of geoms with friction)",
            frictional);
    }
}

/* ---- joints and tendons ---- */

static void advise_friction(const adviser *a)
{
    const sal_model *m = a->m;
    const spec_head *first = NULL;
    int n = 0, id = 0;
    char name[SAL_LABEL_MAX], more[32];
    for (int t = m->ntendon - 1; t >= 0; t--) {
        if (m->tendon_frictionloss[t] > 0) {
            n++;
            id = t;
            first = &((const spec_tendon *)a->spec->tendon.item[t])->head;
        }
    }
    const int tendons = n;
    for (int j = m->njnt - 1; j >= 0; j--) {
        if (m->dof_frictionloss[m->jnt_dofadr[j]] > 0) {
            n++;
            id = j;
            first = &((const spec_joint *)a->spec->joint.item[j])->head;
        }
    }
    if (n > 0) {
        sal_diag_warning(
            a->diag, place_of(first, "frictionloss"),
            "use damping instead, or leave it out while you search",
            "%s%s has frictionloss (dry friction): the force changes its sign "
            "together with the velocity, almost in a jump",
            sal_model_label(a->m, n > tendons ? SAL_OBJ_JOINT : SAL_OBJ_TENDON, id, name),
            and_more(n, more));
    }
}

static void advise_limits(const adviser *a)
{
    const sal_model *m = a->m;
    const spec_head *first = NULL;
    char name[SAL_LABEL_MAX];
    int n = 0, limited = 0;
    double impedance = 0;
    for (int j = m->njnt - 1; j >= 0; j--) {
        limited += m->jnt_limited[j] != 0;
        if (m->jnt_limited[j] && m->jnt_solimp[5 * j] > 0) {
            n++;
            impedance = m->jnt_solimp[5 * j];
            first = &((const spec_joint *)a->spec->joint.item[j])->head;
        }
    }
    if (n > 0) {
        sal_diag_warning(
            a->diag, place_of(first, "solimplimit"),
            "write solimplimit=\"0 0.95 0.01\" in a <default>, or let solve use its own limits",
            "%d of %d joint limits, first that of %s, have the impedance %g (solimplimit) already "
            "at the limit: the force jumps when the limit is reached",
            n, limited, sal_model_label(a->m, SAL_OBJ_JOINT, first->id, name), impedance);
    }
}

/* Dofs that move next to nothing: M has entries of very different size, and steps along them are
 * large. */
static void advise_inertia(const adviser *a)
{
    const sal_model *m = a->m;
    const spec_head *first = NULL;
    double largest[2] = {0, 0}, least = 0, beside = 0; /* of translations, of rotations */
    const char *unit = "";
    char name[SAL_LABEL_MAX], more[32];
    int n = 0, last = -1;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = m->nv - 1; i >= 0; i--) {
            const int j = m->dof_jntid[i], type = m->jnt_type[j];
            const bool turns = type == SAL_JNT_HINGE || type == SAL_JNT_BALL ||
                               (type == SAL_JNT_FREE && i >= m->jnt_dofadr[j] + 3);
            if (pass == 0) {
                largest[turns] = fmax(largest[turns], m->dof_M0[i]);
            } else if (m->dof_M0[i] < light * largest[turns]) {
                n += j != last;
                last = j;
                least = m->dof_M0[i];
                beside = largest[turns];
                unit = turns ? "kg m^2" : "kg";
                first = &((const spec_joint *)a->spec->joint.item[j])->head;
            }
        }
    }
    if (n > 0) {
        sal_diag_warning(
            a->diag, place_of(first, NULL), "give its body more mass, or the joint armature",
            "%s%s moves a very small inertia, %.3g %s; the largest in the model is %.3g %s",
            sal_model_label(a->m, SAL_OBJ_JOINT, first->id, name), and_more(n, more), least, unit,
            beside, unit);
    }
}

static void advise_massless(const adviser *a)
{
    const sal_model *m = a->m;
    const spec_head *first = NULL;
    char name[SAL_LABEL_MAX], more[32];
    int n = 0;
    for (int b = m->nbody - 1; b > 0; b--) {
        if (m->body_dofnum[b] > 0 && !(m->body_mass[b] > 0)) {
            n++;
            first = &((const spec_body *)a->spec->body.item[b])->head;
        }
    }
    if (n > 0) {
        sal_diag_warning(a->diag, place_of(first, NULL), "give it a geom with mass, or <inertial>",
                         "%s%s has a joint but no mass of its own",
                         sal_model_label(a->m, SAL_OBJ_BODY, first->id, name), and_more(n, more));
    }
}

/* ---- what problem files need ---- */

static void advise_joints(const adviser *a)
{
    if (a->m->nv == 0) {
        const spec_body *world = a->spec->body.item[0];
        sal_diag_warning(a->diag, place_of(&world->head, NULL), NULL,
                         "the model has no joints, so nothing can move");
    }
}

static void advise_actuators(const adviser *a)
{
    const sal_model *m = a->m;
    const spec_head *first = NULL;
    int n = 0;
    char more[32];
    for (int i = m->nu - 1; i >= 0; i--) {
        const spec_actuator *s = a->spec->actuator.item[i];
        if (s->head.name == NULL || s->head.name[0] == 0) {
            n++;
            first = &s->head;
        }
    }
    if (n > 0) {
        sal_diag_warning(a->diag, place_of(first, NULL), "write name=\"...\"",
                         "an actuator has no name%s, so a problem file cannot refer to it",
                         and_more(n, more));
    }
    if (m->nu == 0 && m->nv > 0) {
        sal_diag_warning(
            a->diag, (sal_place){0}, NULL,
            "the model has no actuator, so only motions that need no actuator force are physical");
    }
    if (m->opt.noslip_iterations > 0) {
        const spec_head head = {.xml = sal_xml_child(a->spec->root, "option")};
        sal_diag_warning(a->diag, place_of(&head, "noslip_iterations"),
                         "use --set option/noslip_iterations=0, or an <override> in the problem "
                         "file",
                         "solve and inverse leave noslip_iterations out, which only simulate has");
    }
    if (m->opt.integrator == SAL_INT_RK4) {
        const spec_head head = {.xml = sal_xml_child(a->spec->root, "option")};
        sal_diag_warning(a->diag, place_of(&head, "integrator"),
                         "use --set option/integrator=Euler, or an <override> in the problem file",
                         "solve cannot use RK4: inverse dynamics exist for Euler, implicit, "
                         "implicitfast and discrete only");
    }
}

/* The first actuator or sensor with a delay or an interval */
static void advise_delays(const adviser *a)
{
    sal_err why;
    const spec_head *first = NULL;
    if (sal_model_prompt(a->m, "solve", &why) == SAL_OK) {
        return;
    }
    for (int i = a->m->nsensor - 1; i >= 0; i--) {
        const spec_sensor *s = a->spec->sensor.item[i];
        first = s->history.delay > 0 || s->history.interval[0] > 0 ? &s->head : first;
    }
    for (int i = a->m->nu - 1; i >= 0; i--) {
        const spec_actuator *s = a->spec->actuator.item[i];
        first = s->history.delay > 0 ? &s->head : first;
    }
    sal_diag_warning(a->diag, place_of(first, "delay"),
                     "use --set KIND[NAME]/delay=0, or an <override> in the problem file", "%s",
                     why.message);
}

/* ---- poses ---- */

static void advise_contacts(const adviser *a, const sal_data *d, const char *pose)
{
    char name1[SAL_LABEL_MAX], name2[SAL_LABEL_MAX], more[32];
    int n = 0, worst = -1;
    for (int i = 0; i < d->ncon; i++) {
        if (d->contact[i].dist < -depth) {
            n++;
            worst = worst < 0 || d->contact[i].dist < d->contact[worst].dist ? i : worst;
        }
    }
    if (n > 0) {
        const sal_contact *c = &d->contact[worst];
        const spec_geom *g = a->spec->geom.item[c->geom2];
        sal_diag_warning(
            a->diag, place_of(&g->head, NULL),
            "change the pose, or exclude this contact by contype, conaffinity or <exclude>",
            "%s: %s penetrates %s by %.3g m%s", pose,
            sal_model_label(a->m, SAL_OBJ_GEOM, c->geom2, name2),
            sal_model_label(a->m, SAL_OBJ_GEOM, c->geom1, name1), -c->dist, and_more(n, more));
    }
}

/* How far q is outside the joint's range; 0 inside. */
static double outside(const sal_model *m, int j, const double *qpos)
{
    const double *q = qpos + m->jnt_qposadr[j], *range = m->jnt_range + 2 * j;
    if (!m->jnt_limited[j]) {
        return 0;
    }
    if (m->jnt_type[j] == SAL_JNT_BALL) {
        double turn[3];
        sal_quat_log(turn, q);
        return fmax(0, sal_v3_norm(turn) - fmax(range[0], range[1]));
    }
    return fmax(0, fmax(range[0] - q[0], q[0] - range[1]));
}

static void advise_ranges(const adviser *a, const double *qpos, const char *pose)
{
    const sal_model *m = a->m;
    int n = 0, worst = 0;
    double most = 0;
    char name[SAL_LABEL_MAX], more[32];
    for (int j = 0; j < m->njnt; j++) {
        const double out = outside(m, j, qpos);
        n += out > beyond;
        worst = out > most ? j : worst;
        most = fmax(most, out);
    }
    if (n > 0) {
        const spec_joint *j = a->spec->joint.item[worst];
        sal_diag_warning(a->diag, place_of(&j->head, "range"), "start from another pose",
                         "%s: %s is %.3g %s outside its range%s", pose,
                         sal_model_label(a->m, SAL_OBJ_JOINT, worst, name), most,
                         j->type == SAL_JNT_SLIDE ? "m" : "rad", and_more(n, more));
    }
}

static void advise_pose(const adviser *a, sal_data *d, int key)
{
    const sal_model *m = a->m;
    char pose[160] = "initial pose (qpos0)";
    sal_err err = {0};
    sal_data_reset(m, d);
    if (key >= 0) {
        const char *name = sal_model_name(m, SAL_OBJ_KEY, key);
        if (name[0] != 0) {
            snprintf(pose, sizeof pose, "keyframe '%.100s'", name);
        } else {
            snprintf(pose, sizeof pose, "keyframe %d", key);
        }
        memcpy(d->qpos, m->key_qpos + (size_t)key * (size_t)m->nq, (size_t)m->nq * sizeof(double));
        memcpy(d->mocap_pos, m->key_mpos + 3 * (size_t)key * (size_t)m->nmocap,
               3 * (size_t)m->nmocap * sizeof(double));
        memcpy(d->mocap_quat, m->key_mquat + 4 * (size_t)key * (size_t)m->nmocap,
               4 * (size_t)m->nmocap * sizeof(double));
    }
    advise_ranges(a, d->qpos, pose);
    if (sal_position(m, d, &err) == SAL_OK) {
        advise_contacts(a, d, pose);
    } else {
        sal_diag_warning(a->diag, (sal_place){0}, NULL, "%s: %s", pose, err.message);
    }
}

sal_status mjcf_advise(const mjcf_spec *spec, const sal_model *m, sal_diag *diag, sal_err *err)
{
    enum { KEYS_MAX = 100 };
    const adviser a = {spec, m, diag};
    sal_data *d = NULL;
    const sal_status status = sal_data_new(&d, m, err);
    if (status != SAL_OK) {
        return status;
    }
    advise_pairs(&a);
    advise_limits(&a);
    advise_friction(&a);
    advise_massless(&a);
    advise_inertia(&a);
    advise_joints(&a);
    advise_actuators(&a);
    advise_delays(&a);
    for (int key = -1; key < m->nkey && key < KEYS_MAX && key < spec->key.n; key++) {
        advise_pose(&a, d, key);
    }
    sal_data_free(d);
    return SAL_OK;
}
