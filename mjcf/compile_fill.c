/* compile_fill.c: the arrays of a model from a compiled spec. */
#include "mjcf/camera/camera.h"
#include "physics/compiling.h"

#include <limits.h>
#include <string.h>

/* ---- sizes ---- */

static int joint_dofs(int type)
{
    return type == SAL_JNT_FREE ? 6 : type == SAL_JNT_BALL ? 3 : 1;
}

static int joint_coordinates(int type)
{
    return type == SAL_JNT_FREE ? 7 : type == SAL_JNT_BALL ? 4 : 1;
}

static size_t name_size(const char *name)
{
    return name == NULL || name[0] == 0 ? 0 : strlen(name) + 1;
}

/* Sums stop at INT_MAX: an array of that many is refused when it is allocated. */
static void add_size(int *sum, long n)
{
    *sum = n > INT_MAX - *sum ? INT_MAX : *sum + (int)n;
}

static int names_size(const mjcf_spec *spec)
{
    const spec_list *lists[] = {&spec->body,     &spec->joint,    &spec->geom,   &spec->site,
                                &spec->camera,   &spec->actuator, &spec->sensor, &spec->key,
                                &spec->equality, &spec->tendon,   &spec->mesh,   &spec->numeric,
                                &spec->text,     &spec->tuple,    &spec->hfield};
    size_t n = 1 + name_size(spec->model);
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
        for (int i = 0; i < lists[k]->n; i++) {
            n += name_size(((const spec_head *)lists[k]->item[i])->name);
        }
    }
    return n > INT_MAX ? INT_MAX : (int)n;
}

/* nq, nv, nM and nchain: bodies in order, each with the dofs above it. */
static void tree_sizes(const mjcf_spec *spec, sal_model *m)
{
    for (int i = 0; i < spec->body.n; i++) {
        const spec_body *b = spec->body.item[i];
        int chain = 0;
        for (const spec_body *up = b->parent; up != NULL; up = up->parent) {
            for (int k = 0; k < up->joint.n; k++) {
                chain += joint_dofs(((const spec_joint *)up->joint.item[k])->type);
            }
        }
        for (int k = 0; k < b->joint.n; k++) {
            const int type = ((const spec_joint *)b->joint.item[k])->type;
            m->nq += joint_coordinates(type);
            for (int d = 0; d < joint_dofs(type); d++) {
                add_size(&m->nM, ++chain);
                m->nv++;
            }
        }
        add_size(&m->nchain, chain);
        m->nmocap += b->mocapid >= 0;
    }
}

void spec_fill_sizes(const mjcf_spec *spec, sal_model *m, long npair)
{
    m->mujoco = spec->mujoco;
    m->nbody = spec->body.n;
    m->njnt = spec->joint.n;
    m->ngeom = spec->geom.n;
    m->nsite = spec->site.n;
    m->ncam = spec->camera.n;
    m->nu = spec->actuator.n;
    m->neq = spec->equality.n;
    m->ntendon = spec->tendon.n;
    for (int i = 0; i < spec->tendon.n; i++) {
        const spec_tendon *t = spec->tendon.item[i];
        m->nwrap += t->wrap.n;
        add_size(&m->ntenJ, t->ndof);
    }
    spec_fill_mesh_sizes(spec, m);
    spec_fill_hfield_sizes(spec, m);
    m->nsensor = spec->sensor.n;
    m->nkey = spec->key.n > spec->nkey ? spec->key.n : spec->nkey;
    m->npair = (int)npair;
    m->nsweep = m->nkind > 0 || phy_sweep_pays(m->ngeom, npair) ? m->ngeom : 0;
    m->nsweeppair = m->nsweep > 0 && m->nkind == 0 ? m->npair : 0;
    m->nnames = names_size(spec);
    tree_sizes(spec, m);
    spec_size_actuators(spec, m);
    spec_size_custom(spec, m);
    for (int i = 0; i < spec->sensor.n; i++) {
        const spec_sensor *sensor = spec->sensor.item[i];
        add_size(&m->nsensordata, sensor->dim);
        add_size(&m->ntaxel, sensor->type == SAL_SENS_TACTILE ? sensor->intprm[1] : 0);
        m->nuser_sensor = sensor->nuser > m->nuser_sensor ? sensor->nuser : m->nuser_sensor;
    }
    add_size(&m->nsensoruser, (long)m->nuser_sensor * m->nsensor);
}

/* ---- options ---- */

static void fill_option(const mjcf_spec *spec, sal_model *m)
{
    const spec_flags *f = &spec->flags;
    const struct {
        int enabled, bit;
    } bits[] = {
        {f->constraint, SAL_DSBL_CONSTRAINT},
        {f->equality, SAL_DSBL_EQUALITY},
        {f->frictionloss, SAL_DSBL_FRICTIONLOSS},
        {f->limit, SAL_DSBL_LIMIT},
        {f->contact, SAL_DSBL_CONTACT},
        {f->passive && f->spring, SAL_DSBL_SPRING},
        {f->passive && f->damper, SAL_DSBL_DAMPER},
        {f->gravity, SAL_DSBL_GRAVITY},
        {f->clampctrl, SAL_DSBL_CLAMPCTRL},
        {f->warmstart, SAL_DSBL_WARMSTART},
        {f->filterparent, SAL_DSBL_FILTERPARENT},
        {f->actuation, SAL_DSBL_ACTUATION},
        {f->refsafe, SAL_DSBL_REFSAFE},
        {f->sensor, SAL_DSBL_SENSOR},
        {f->eulerdamp, SAL_DSBL_EULERDAMP},
        {f->multiccd, SAL_DSBL_MULTICCD},
    };
    m->opt = spec->option.opt;
    m->opt.impratio = fmax(SAL_MINVAL, m->opt.impratio);
    m->opt.density = spec->option.density;
    m->opt.viscosity = spec->option.viscosity;
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        m->opt.disable |= bits[i].enabled ? 0 : bits[i].bit;
    }
    m->opt.enable = (f->energy ? SAL_ENBL_ENERGY : 0) | (f->diagexact ? SAL_ENBL_DIAGEXACT : 0);
}

/* ---- the tree ---- */

static void fill_chain(sal_model *m, int b)
{
    const int parent = m->body_parentid[b];
    int *chain = m->chain_dof + m->body_chainadr[b];
    int n = 0;
    if (b > 0) {
        n = m->body_chainnum[parent];
        memcpy(chain, m->chain_dof + m->body_chainadr[parent], (size_t)n * sizeof *chain);
    }
    for (int i = 0; i < m->body_dofnum[b]; i++) {
        chain[n++] = m->body_dofadr[b] + i;
    }
    m->body_chainnum[b] = n;
    if (b + 1 < m->nbody) {
        m->body_chainadr[b + 1] = m->body_chainadr[b] + n;
    }
}

static void fill_body(sal_model *m, const spec_body *s)
{
    const int b = s->head.id;
    m->body_parentid[b] = s->parent == NULL ? 0 : s->parent->head.id;
    m->body_rootid[b] =
        s->parent == NULL || s->parent->parent == NULL ? b : m->body_rootid[m->body_parentid[b]];
    m->body_weldid[b] = s->weld;
    m->body_mocapid[b] = s->mocapid;
    m->body_jntnum[b] = s->joint.n;
    m->body_geomnum[b] = s->geom.n;
    m->body_jntadr[b] = m->body_dofadr[b] = m->body_geomadr[b] = -1;
    if (s->geom.n > 0) {
        m->body_geomadr[b] = ((const spec_geom *)s->geom.item[0])->head.id;
    }
    if (s->joint.n > 0) {
        const spec_joint *first = s->joint.item[0];
        m->body_jntadr[b] = first->head.id;
        m->body_dofadr[b] = first->dofadr;
    }
    for (int i = 0; i < s->joint.n; i++) {
        m->body_dofnum[b] += joint_dofs(((const spec_joint *)s->joint.item[i])->type);
    }
    sal_v3_copy(m->body_pos + 3 * b, s->at.pos);
    sal_quat_copy(m->body_quat + 4 * b, s->at.quat);
    sal_v3_copy(m->body_ipos + 3 * b, s->inertial_at.pos);
    sal_quat_copy(m->body_iquat + 4 * b, s->inertial_at.quat);
    sal_v3_copy(m->body_inertia + 3 * b, s->inertia);
    m->body_mass[b] = s->mass;
    m->body_gravcomp[b] = s->gravcomp;
    m->ngravcomp += s->gravcomp > 0;
    fill_chain(m, b);
}

static void fill_dofs(sal_model *m, const spec_joint *s)
{
    const int b = s->body, n = joint_dofs(s->type);
    for (int i = s->dofadr; i < s->dofadr + n; i++) {
        const int *chain = m->chain_dof + m->body_chainadr[b];
        int above = 0; /* dofs before i in its chain */
        while (chain[above] != i) {
            above++;
        }
        m->dof_bodyid[i] = b;
        m->dof_jntid[i] = s->head.id;
        m->dof_parentid[i] = above > 0 ? chain[above - 1] : -1;
        if (i + 1 < m->nv) {
            m->dof_Madr[i + 1] = m->dof_Madr[i] + above + 1;
        }
        m->dof_armature[i] = s->armature + s->motor_armature;
        m->dof_damping[i] = s->damping[0] + s->motor_damping[0];
        m->dof_dampingpoly[2 * i] = s->damping[1] + s->motor_damping[1];
        m->dof_dampingpoly[2 * i + 1] = s->damping[2] + s->motor_damping[2];
        m->dof_frictionloss[i] = s->frictionloss;
        memcpy(m->dof_solref + 2 * i, s->solref_friction, sizeof s->solref_friction);
        memcpy(m->dof_solimp + 5 * i, s->solimp_friction, sizeof s->solimp_friction);
    }
}

static void fill_reference(const mjcf_spec *spec, sal_model *m, const spec_joint *s)
{
    const spec_body *b = spec->body.item[s->body];
    double *q = m->qpos0 + s->qposadr, *spring = m->qpos_spring + s->qposadr;
    switch ((sal_joint_type)s->type) {
    case SAL_JNT_FREE:
        sal_v3_copy(q, b->at.pos);
        sal_quat_copy(q + 3, b->at.quat);
        memcpy(spring, q, 7 * sizeof *q);
        break;
    case SAL_JNT_BALL:
        q[0] = spring[0] = 1;
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        q[0] = s->ref;
        spring[0] = s->springref;
        break;
    }
}

static void fill_joint(const mjcf_spec *spec, sal_model *m, const spec_joint *s)
{
    const int j = s->head.id;
    m->jnt_type[j] = s->type;
    m->jnt_qposadr[j] = s->qposadr;
    m->jnt_dofadr[j] = s->dofadr;
    m->jnt_bodyid[j] = s->body;
    m->jnt_limited[j] = s->limited;
    m->jnt_actfrclimited[j] = s->force_limited;
    memcpy(m->jnt_actfrcrange + 2 * j, s->force_range, sizeof s->force_range);
    m->jnt_margin[j] = s->margin;
    m->jnt_stiffness[j] = s->stiffness[0];
    m->jnt_actgravcomp[j] = s->actuator_gravcomp;
    memcpy(m->jnt_stiffnesspoly + 2 * j, s->stiffness + 1, 2 * sizeof(double));
    memcpy(m->jnt_range + 2 * j, s->range, sizeof s->range);
    memcpy(m->jnt_solref + 2 * j, s->solref_limit, sizeof s->solref_limit);
    memcpy(m->jnt_solimp + 5 * j, s->solimp_limit, sizeof s->solimp_limit);
    sal_v3_copy(m->jnt_pos + 3 * j, s->pos);
    sal_v3_copy(m->jnt_axis + 3 * j, s->axis);
    fill_dofs(m, s);
    fill_reference(spec, m, s);
}

/* ---- geoms, sites, cameras ---- */

/* Radius of the sphere about the centre that holds the geom; 0 for what has no end. */
static double bounding_radius(int type, const double *s)
{
    switch ((sal_geom_type)type) {
    case SAL_GEOM_SPHERE:
        return s[0];
    case SAL_GEOM_CAPSULE:
        return s[0] + s[1];
    case SAL_GEOM_CYLINDER:
        return sqrt(s[0] * s[0] + s[1] * s[1]);
    case SAL_GEOM_ELLIPSOID:
        return fmax(s[0], fmax(s[1], s[2]));
    case SAL_GEOM_BOX:
    case SAL_GEOM_MESH:
        return sal_v3_norm(s);
    case SAL_GEOM_HFIELD: /* of its <hfield>, not of the geom */
        return sqrt(s[0] * s[0] + s[1] * s[1] + fmax(s[2] * s[2], s[3] * s[3]));
    case SAL_GEOM_PLANE:
    case SAL_NGEOMTYPES:
        break;
    }
    return 0;
}

/* The geom's own colour, else its material's, else grey. */
static void fill_colour(const spec_index *materials, float rgba[4], const spec_geom *s)
{
    static const double grey[4] = {0.5, 0.5, 0.5, 1};
    const spec_material *material =
        s->material == NULL ? NULL : spec_index_find(materials, s->material);
    const double *colour = !isnan(s->rgba[0]) ? s->rgba : material != NULL ? material->rgba : grey;
    for (int k = 0; k < 4; k++) {
        rgba[k] = (float)colour[k];
    }
}

static void fill_geom(const spec_index *materials, sal_model *m, const spec_geom *s)
{
    const int g = s->head.id;
    m->geom_type[g] = s->type;
    m->geom_bodyid[g] = s->body;
    m->geom_contype[g] = s->contype;
    m->geom_conaffinity[g] = s->conaffinity;
    m->geom_condim[g] = s->condim;
    m->geom_priority[g] = s->priority;
    m->geom_group[g] = s->group;
    m->geom_solmix[g] = s->solmix;
    m->geom_margin[g] = s->margin;
    m->geom_gap[g] = s->gap;
    m->geom_adhesion[g] = s->adhesion;
    memcpy(m->geom_surfacevel + 6 * g, s->surfacevel, sizeof s->surfacevel);
    m->nsurfacevel += sal_v3_norm(s->surfacevel) > 0 || sal_v3_norm(s->surfacevel + 3) > 0;
    m->geom_rbound[g] = s->field == NULL                ? bounding_radius(s->type, s->size)
                        : (m->mujoco == SAL_MUJOCO_222) ? 0
                                                        : bounding_radius(s->type, s->field->size);
    memcpy(m->geom_solref + 2 * g, s->solref, sizeof s->solref);
    memcpy(m->geom_solimp + 5 * g, s->solimp, sizeof s->solimp);
    sal_v3_copy(m->geom_size + 3 * g, s->size);
    sal_v3_copy(m->geom_pos + 3 * g, s->at.pos);
    sal_quat_copy(m->geom_quat + 4 * g, s->at.quat);
    sal_v3_copy(m->geom_friction + 3 * g, s->friction);
    m->geom_dataid[g] = s->shape != NULL   ? s->shape->head.id
                        : s->field != NULL ? s->field->head.id
                                           : -1;
    spec_fluid(s, m->geom_fluid + 12 * g);
    fill_colour(materials, m->geom_rgba + 4 * g, s);
}

static void fill_sites(const mjcf_spec *spec, sal_model *m)
{
    for (int i = 0; i < spec->site.n; i++) {
        const spec_site *s = spec->site.item[i];
        m->site_bodyid[i] = s->body;
        m->site_type[i] = s->type;
        sal_v3_copy(m->site_size + 3 * i, s->size);
        sal_v3_copy(m->site_pos + 3 * i, s->at.pos);
        sal_quat_copy(m->site_quat + 4 * i, s->at.quat);
    }
    spec_fill_cameras(spec, m);
}

/* ---- sensors ---- */

static void fill_sensors(const mjcf_spec *spec, sal_model *m)
{
    int adr = 0;
    for (int i = 0; i < spec->sensor.n; i++) {
        const spec_sensor *s = spec->sensor.item[i];
        m->sensor_type[i] = s->type;
        m->sensor_objtype[i] = s->object_type;
        m->sensor_objid[i] = s->object_id;
        m->sensor_reftype[i] = s->ref_type;
        m->sensor_refid[i] = s->ref_id;
        m->sensor_dim[i] = s->dim;
        m->sensor_adr[i] = adr;
        m->sensor_stage[i] = s->stage;
        m->sensor_datatype[i] = s->datatype;
        memcpy(m->sensor_intprm + 3 * i, s->intprm, sizeof s->intprm);
        m->sensor_cutoff[i] = s->cutoff;
        m->sensor_noise[i] = s->noise;
        for (int k = 0; k < s->nuser; k++) {
            m->sensor_user[(size_t)i * (size_t)m->nuser_sensor + (size_t)k] = s->user[k];
        }
        adr += s->dim;
    }
}

/* ---- names ---- */

static void fill_names(sal_model *m, const spec_list *list, int *adr, size_t *end)
{
    for (int i = 0; i < list->n; i++) {
        const char *name = ((const spec_head *)list->item[i])->name;
        const size_t n = name_size(name);
        adr[i] = n == 0 ? 0 : (int)*end;
        if (n > 0) {
            memcpy(m->names + *end, name, n);
            *end += n;
        }
    }
}

static void fill_all_names(const mjcf_spec *spec, sal_model *m)
{
    const size_t n = name_size(spec->model);
    size_t end = 1;
    if (n > 0) {
        m->name_modeladr = (int)end;
        memcpy(m->names + end, spec->model, n);
        end += n;
    }
    fill_names(m, &spec->body, m->name_bodyadr, &end);
    fill_names(m, &spec->joint, m->name_jntadr, &end);
    fill_names(m, &spec->geom, m->name_geomadr, &end);
    fill_names(m, &spec->site, m->name_siteadr, &end);
    fill_names(m, &spec->camera, m->name_camadr, &end);
    fill_names(m, &spec->equality, m->name_eqadr, &end);
    fill_names(m, &spec->tendon, m->name_tendonadr, &end);
    fill_names(m, &spec->actuator, m->name_actuatoradr, &end);
    fill_names(m, &spec->sensor, m->name_sensoradr, &end);
    fill_names(m, &spec->key, m->name_keyadr, &end);
    fill_names(m, &spec->mesh, m->name_meshadr, &end);
    fill_names(m, &spec->hfield, m->name_hfieldadr, &end);
    fill_names(m, &spec->numeric, m->name_numericadr, &end);
    fill_names(m, &spec->text, m->name_textadr, &end);
    fill_names(m, &spec->tuple, m->name_tupleadr, &end);
}

void spec_fill(const mjcf_spec *spec, sal_model *m)
{
    fill_option(spec, m);
    for (int i = 0; i < spec->body.n; i++) {
        fill_body(m, spec->body.item[i]);
    }
    for (int i = 0; i < spec->joint.n; i++) {
        fill_joint(spec, m, spec->joint.item[i]);
    }
    for (int i = 0; i < spec->geom.n; i++) {
        fill_geom(&spec->material_names, m, spec->geom.item[i]);
    }
    fill_sites(spec, m);
    spec_fill_meshes(spec, m);
    spec_fill_hfields(spec, m);
    spec_fill_tendons(spec, m);
    spec_fill_equalities(spec, m);
    spec_fill_actuators(spec, m);
    fill_sensors(spec, m);
    spec_fill_taxels(spec, m);
    spec_fill_histories(spec, m);
    spec_fill_custom(spec, m);
    fill_all_names(spec, m);
}
