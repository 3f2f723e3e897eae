/* write_whole.c: what a model's file says beyond what moves: as it is written again where all of it
 * is wanted. */
#include "mjcf/writer.h"

/* ---- settings ---- */

/* Names that MuJoCo 3 has dropped, and the version's switch keeps */
static bool is_dropped(const mjcf_writer *w, const char *name)
{
    static const char *const names[] = {"collision",     "apirate", "mpr_iterations",
                                        "mpr_tolerance", "passive", "sensornoise"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && w->m->mujoco != SAL_MUJOCO_222; i++) {
        found = found || strcmp(name, names[i]) == 0;
    }
    return found;
}

/* The attributes of `from` but the first nown of `to`, which stay */
static void copy_attrs(mjcf_writer *w, sal_xml *to, int nown, const sal_xml *from)
{
    for (int i = 0; i < from->nattr && !w->nomem; i++) {
        const sal_xml_attr *attr = &from->attr[i], *there = sal_xml_find_attr(to, attr->name);
        if ((there == NULL || there - to->attr >= nown) && !is_dropped(w, attr->name)) {
            mjcf_put(w, to, attr->name, attr->value);
        }
    }
}

static void copy_flags(mjcf_writer *w, sal_xml *option, const sal_xml *root)
{
    sal_xml *flag = sal_xml_child(option, "flag");
    const int nown = flag == NULL ? 0 : flag->nattr;
    for (const sal_xml *xml = root->child; xml != NULL; xml = xml->next) {
        const bool is_option = strcmp(xml->tag, "option") == 0;
        for (const sal_xml *in = is_option ? xml->child : NULL; in != NULL; in = in->next) {
            if (strcmp(in->tag, "flag") == 0 && !w->nomem) {
                flag = flag == NULL ? mjcf_put_element(w, option, "flag") : flag;
                copy_attrs(w, flag, nown, in);
            }
        }
    }
}

/* Each of them again: what two elements may say is not always allowed in one. */
static void copy_elements(mjcf_writer *w, sal_xml *root, const char *tag)
{
    for (const sal_xml *xml = w->spec->root->child; xml != NULL && !w->nomem; xml = xml->next) {
        if (strcmp(xml->tag, tag) == 0) {
            copy_attrs(w, mjcf_put_element(w, root, tag), 0, xml);
        }
    }
}

void mjcf_write_settings(mjcf_writer *w, sal_xml *root, sal_xml *option)
{
    const sal_xml *from = w->spec->root;
    const int nown = option->nattr;
    for (const sal_xml *xml = from->child; xml != NULL; xml = xml->next) {
        if (strcmp(xml->tag, "option") == 0) {
            copy_attrs(w, option, nown, xml);
        }
    }
    copy_flags(w, option, from);
    copy_elements(w, root, "statistic");
    copy_elements(w, root, "size");
}

/* ---- contact ---- */

static void write_pair(mjcf_writer *w, sal_xml *contact, const spec_pair *p)
{
    static const double none[2] = {0, 0};
    char made1[96], made2[96];
    sal_xml *xml = mjcf_put_element(w, contact, "pair");
    if (p->head.name != NULL) {
        mjcf_put(w, xml, "name", p->head.name);
    }
    mjcf_put(w, xml, "geom1", mjcf_geom_name(w, p->id1, made1));
    mjcf_put(w, xml, "geom2", mjcf_geom_name(w, p->id2, made2));
    mjcf_put_int(w, xml, "condim", p->condim);
    mjcf_put_reals(w, xml, "friction", p->friction, 5);
    mjcf_put_reals(w, xml, "solref", p->solref, 2);
    if (w->m->mujoco != SAL_MUJOCO_222) {
        mjcf_put_unless(w, xml, "solreffriction", p->solreffriction, none, 2);
    }
    mjcf_put_reals(w, xml, "solimp", p->solimp, 5);
    mjcf_put_unless_zero(w, xml, "margin", p->margin);
    mjcf_put_unless_zero(w, xml, "gap", p->gap);
    mjcf_put_unless_zero(w, xml, "adhesion", p->adhesion);
}

static void write_exclude(mjcf_writer *w, sal_xml *contact, const spec_exclude *e)
{
    sal_xml *xml = mjcf_put_element(w, contact, "exclude");
    if (e->head.name != NULL) {
        mjcf_put(w, xml, "name", e->head.name);
    }
    mjcf_put(w, xml, "body1", sal_model_name(w->m, SAL_OBJ_BODY, e->id1));
    mjcf_put(w, xml, "body2", sal_model_name(w->m, SAL_OBJ_BODY, e->id2));
}

void mjcf_write_contact(mjcf_writer *w, sal_xml *root)
{
    const mjcf_spec *spec = w->spec;
    const bool any = spec->pair.n + spec->exclude.n > 0;
    sal_xml *contact = any ? mjcf_put_element(w, root, "contact") : NULL;
    for (int i = 0; i < spec->pair.n && !w->nomem; i++) {
        write_pair(w, contact, spec->pair.item[i]);
    }
    for (int i = 0; i < spec->exclude.n && !w->nomem; i++) {
        write_exclude(w, contact, spec->exclude.item[i]);
    }
}

/* ---- names ---- */

static void mark(mjcf_writer *w, int type, int id)
{
    if (type == SAL_OBJ_GEOM && id >= 0) {
        w->named[id] = true;
    }
}

void mjcf_mark_named(mjcf_writer *w)
{
    const sal_model *m = w->m;
    for (int i = 0; w->spec != NULL && i < w->spec->pair.n; i++) {
        const spec_pair *p = w->spec->pair.item[i];
        w->named[p->id1] = w->named[p->id2] = true;
    }
    for (int i = 0; i < m->nsensor; i++) {
        mark(w, m->sensor_objtype[i], m->sensor_objid[i]);
        mark(w, m->sensor_reftype[i], m->sensor_refid[i]);
    }
    for (int i = 0; i < m->nwrap; i++) {
        const bool geom =
            m->wrap_type[i] == SAL_WRAP_SPHERE || m->wrap_type[i] == SAL_WRAP_CYLINDER;
        mark(w, geom ? SAL_OBJ_GEOM : SAL_OBJ_NONE, m->wrap_objid[i]);
    }
    for (int i = 0; i < m->ntupledata; i++) {
        mark(w, m->tuple_objtype[i], m->tuple_objid[i]);
    }
}
