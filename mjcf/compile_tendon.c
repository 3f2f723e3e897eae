/* compile_tendon.c: tendons: names to ids, paths checked, the dofs that each one depends on. */
#include "mjcf/compile.h"

#include <string.h>

/* ---- names and paths ---- */

static void find_objects(spec_work *w, spec_wrap *p)
{
    if (p->name == NULL) {
        return; /* a pulley; or reported as missing */
    }
    if (p->type == SAL_WRAP_JOINT) {
        p->id = spec_find(w, &w->joints, &p->head, "joint", p->name);
        if (p->id >= 0) {
            const spec_joint *j = w->spec->joint.item[p->id];
            if (j->type == SAL_JNT_BALL) {
                spec_error(w, &p->head, "joint", NULL,
                           "a fixed tendon needs joints with one coordinate; '%.100s' is a ball",
                           p->name);
            }
        }
    } else if (p->type == SAL_WRAP_SITE) {
        p->id = spec_find(w, &w->sites, &p->head, "site", p->name);
    } else {
        p->id = spec_find(w, &w->geoms, &p->head, "geom", p->name);
        const int type =
            p->id < 0 ? SAL_GEOM_SPHERE : ((const spec_geom *)w->spec->geom.item[p->id])->type;
        if (type != SAL_GEOM_SPHERE && type != SAL_GEOM_CYLINDER) {
            spec_error(
                w, &p->head, "geom", NULL,
                "a tendon can wrap around spheres and cylinders only; geom '%.100s' is neither",
                p->name);
        }
        p->type = type == SAL_GEOM_CYLINDER ? SAL_WRAP_CYLINDER : SAL_WRAP_SPHERE;
    }
    if (p->side != NULL) {
        p->side_id = spec_find(w, &w->sites, &p->head, "sidesite", p->side);
    }
}

static int type_at(const spec_tendon *t, int i)
{
    return i < 0 || i >= t->wrap.n ? SAL_WRAP_PULLEY : ((const spec_wrap *)t->wrap.item[i])->type;
}

/* A spatial path: branches that pulleys begin, each of sites with a geom between two of them at
 * most. */
static void check_path(spec_work *w, const spec_tendon *t)
{
    for (int i = 0; i < t->wrap.n; i++) {
        const spec_wrap *p = t->wrap.item[i], *next = i + 1 < t->wrap.n ? t->wrap.item[i + 1] : p;
        const int before = type_at(t, i - 1), after = type_at(t, i + 1);
        const bool alone = before == SAL_WRAP_PULLEY && after == SAL_WRAP_PULLEY;
        const bool between = before == SAL_WRAP_SITE && after == SAL_WRAP_SITE;
        if (p->type == SAL_WRAP_PULLEY && after == SAL_WRAP_PULLEY) {
            spec_error(w, &p->head, NULL, NULL, "a <pulley> must be followed by sites");
        } else if (p->type == SAL_WRAP_SITE && alone) {
            spec_error(
                w, &p->head, NULL, NULL,
                "each branch of a spatial tendon needs at least two sites; this one has one");
        } else if (p->type == SAL_WRAP_SITE && next != p && next->type == SAL_WRAP_SITE &&
                   next->id == p->id && p->id >= 0) {
            spec_error(w, &next->head, "site", NULL,
                       "site '%.100s' stands twice in a row in the path; remove one of the two",
                       next->name);
        } else if ((p->type == SAL_WRAP_SPHERE || p->type == SAL_WRAP_CYLINDER) && !between) {
            spec_error(w, &p->head, NULL, NULL,
                       "a wrapping geom must stand between two sites of the path");
        }
    }
}

/* ---- dofs ---- */

static void mark_chain(const mjcf_spec *spec, char *depends, int body)
{
    for (const spec_body *b = spec->body.item[body]; b != NULL; b = b->parent) {
        for (int k = 0; k < b->joint.n; k++) {
            const spec_joint *j = b->joint.item[k];
            memset(depends + j->dofadr, 1, (size_t)sal_joint_ndof(j->type));
        }
    }
}

static void list_dofs(spec_work *w, spec_tendon *t, char *depends, int nv)
{
    const mjcf_spec *spec = w->spec;
    memset(depends, 0, (size_t)nv);
    for (int i = 0; i < t->wrap.n; i++) {
        const spec_wrap *p = t->wrap.item[i];
        if (p->id < 0) {
            continue;
        }
        if (p->type == SAL_WRAP_JOINT) {
            depends[((const spec_joint *)spec->joint.item[p->id])->dofadr] = 1;
        } else if (p->type == SAL_WRAP_SITE) {
            mark_chain(spec, depends, ((const spec_site *)spec->site.item[p->id])->body);
        } else {
            mark_chain(spec, depends, ((const spec_geom *)spec->geom.item[p->id])->body);
        }
    }
    t->dof = spec_take(w->spec, (size_t)nv, sizeof *t->dof);
    for (int i = 0; i < nv && t->dof != NULL; i++) {
        if (depends[i]) {
            t->dof[t->ndof++] = i;
        }
    }
}

/* Armature couples the dofs of a tendon; M has room for that only where they are one above the
 * other, in MuJoCo as here. */
static void check_armature(spec_work *w, const spec_tendon *t)
{
    const mjcf_spec *spec = w->spec;
    const spec_body *deepest = NULL;
    for (int i = 0; i < t->wrap.n; i++) {
        const int type = type_at(t, i);
        if (type == SAL_WRAP_SPHERE || type == SAL_WRAP_CYLINDER) {
            spec_error(
                w, &t->head, "armature", NULL,
                "armature is not supported for a tendon that wraps around geoms: leave it out");
            return;
        }
    }
    for (int k = 0; k < spec->joint.n; k++) { /* bodies in order: the last one is the deepest */
        const spec_joint *j = spec->joint.item[k];
        for (int i = 0; i < t->ndof; i++) {
            if (t->dof[i] == j->dofadr) {
                const spec_body *b = spec->body.item[j->body], *up = b;
                while (up != NULL && up != deepest) {
                    up = up->parent;
                }
                if (deepest != NULL && up == NULL) {
                    const sal_xml_attr *at = sal_xml_find_attr(t->head.xml, "armature");
                    sal_diag_warning(
                        w->diag, at == NULL ? t->head.xml->place : at->value_place, NULL,
                        "the tendon connects two branches of the kinematic tree: as in MuJoCo, its "
                        "armature does not couple the inertias of the two");
                    return;
                }
                deepest = b;
            }
        }
    }
}

static void compile_tendon(spec_work *w, spec_tendon *t, char *depends, int nv)
{
    for (int i = 0; i < t->wrap.n; i++) {
        find_objects(w, t->wrap.item[i]);
    }
    if (t->wrap.n == 0) {
        spec_error(w, &t->head, NULL, NULL,
                   "this tendon has no path: put sites (<spatial>) or joints (<fixed>) in it");
    } else if (type_at(t, 0) != SAL_WRAP_JOINT) {
        check_path(w, t);
    }
    t->limited = spec_limited(w, &t->head, t->limited, t->range, "range");
    t->force_limited =
        spec_limited(w, &t->head, t->force_limited, t->force_range, "actuatorfrcrange");
    if (t->springlength[0] > t->springlength[1]) {
        spec_error(w, &t->head, "springlength", NULL,
                   "springlength is %g %g; the first number must not be greater than the second",
                   t->springlength[0], t->springlength[1]);
    }
    list_dofs(w, t, depends, nv);
    if (t->armature > 0) {
        check_armature(w, t);
    }
}

void spec_compile_tendons(spec_work *w)
{
    int nv = 0;
    for (int i = 0; i < w->spec->joint.n; i++) {
        nv += sal_joint_ndof(((const spec_joint *)w->spec->joint.item[i])->type);
    }
    char *depends = spec_take(w->spec, (size_t)nv + 1, 1);
    for (int i = 0; i < w->spec->tendon.n && depends != NULL && !w->spec->nomem; i++) {
        compile_tendon(w, w->spec->tendon.item[i], depends, nv);
    }
}

/* ---- the model's arrays ---- */

static void fill_tendon(sal_model *m, const spec_tendon *s, int t)
{
    m->tendon_num[t] = s->wrap.n;
    m->tendon_actfrclimited[t] = s->force_limited;
    memcpy(m->tendon_actfrcrange + 2 * t, s->force_range, sizeof s->force_range);
    m->tendon_Jnum[t] = s->ndof;
    if (t + 1 < m->ntendon) {
        m->tendon_adr[t + 1] = m->tendon_adr[t] + s->wrap.n;
        m->tendon_Jadr[t + 1] = m->tendon_Jadr[t] + s->ndof;
    }
    memcpy(m->ten_dof + m->tendon_Jadr[t], s->dof, (size_t)s->ndof * sizeof *s->dof);
    for (int i = 0; i < s->wrap.n; i++) {
        const spec_wrap *p = s->wrap.item[i];
        const int at = m->tendon_adr[t] + i;
        m->wrap_type[at] = p->type;
        m->wrap_objid[at] = p->id;
        m->wrap_side[at] = p->side_id;
        m->wrap_prm[at] = p->prm;
    }
    m->tendon_limited[t] = s->limited;
    m->tendon_margin[t] = s->margin;
    m->tendon_stiffness[t] = s->stiffness[0];
    m->tendon_damping[t] = s->damping[0];
    memcpy(m->tendon_stiffnesspoly + 2 * t, s->stiffness + 1, 2 * sizeof(double));
    memcpy(m->tendon_dampingpoly + 2 * t, s->damping + 1, 2 * sizeof(double));
    m->tendon_armature[t] = s->armature;
    m->tendon_frictionloss[t] = s->frictionloss;
    memcpy(m->tendon_range + 2 * t, s->range, sizeof s->range);
    memcpy(m->tendon_lengthspring + 2 * t, s->springlength, sizeof s->springlength);
    memcpy(m->tendon_solref_lim + 2 * t, s->solref_limit, sizeof s->solref_limit);
    memcpy(m->tendon_solimp_lim + 5 * t, s->solimp_limit, sizeof s->solimp_limit);
    memcpy(m->tendon_solref_fri + 2 * t, s->solref_friction, sizeof s->solref_friction);
    memcpy(m->tendon_solimp_fri + 5 * t, s->solimp_friction, sizeof s->solimp_friction);
}

void spec_fill_tendons(const mjcf_spec *spec, sal_model *m)
{
    for (int t = 0; t < m->ntendon; t++) {
        fill_tendon(m, spec->tendon.item[t], t);
    }
}
