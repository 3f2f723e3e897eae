/* model.c: the memory of a model, its names, and the capacities of its data. */
#include "physics/compiling.h"
#include "physics/next_gap.h"
#include "physics/physics.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Places all arrays; run twice, to measure and to place. */
static void place(sal_model *m, sal_layout *layout)
{
    const int nq = m->nq, nv = m->nv, nu = m->nu, na = m->na,
              nmocap = m->nmocap; /* columns of keyframes */
#define PHY_PLACE(type, name, rows, columns)                                                       \
    m->name = sal_layout_take(layout, (size_t)m->rows * (size_t)(columns), sizeof(type));
    SAL_MODEL_ARRAYS(PHY_PLACE)
#undef PHY_PLACE
}

sal_status sal_model_allocate(sal_model *m, sal_err *err)
{
    sal_layout layout = {NULL, 0};
    place(m, &layout);
    layout.base = layout.size == SIZE_MAX ? NULL : sal_alloc(layout.size, 1);
    if (layout.base == NULL) {
        return sal_fail(err, SAL_NOMEM,
                        "out of memory for a model of %d bodies and %d pairs of geoms", m->nbody,
                        m->npair);
    }
    m->block = layout.base;
    m->nblock = layout.size;
    layout.size = 0;
    place(m, &layout);
    return SAL_OK;
}

/* Of a model of the same sizes */
static void copy_arrays(sal_model *to, const sal_model *m)
{
    const int nq = m->nq, nv = m->nv, nu = m->nu, na = m->na, nmocap = m->nmocap;
#define PHY_COPY(type, name, rows, columns)                                                        \
    memcpy(to->name, m->name, (size_t)m->rows *(size_t)(columns) * sizeof(type));
    SAL_MODEL_ARRAYS(PHY_COPY)
#undef PHY_COPY
}

sal_status sal_model_copy(sal_model **copy, const sal_model *m, sal_err *err)
{
    sal_model *c = sal_alloc(1, sizeof *c);
    *copy = NULL;
    if (c == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a copy of the model");
    }
    *c = *m;
    const sal_status status = sal_model_allocate(c, err);
    if (status != SAL_OK) {
        sal_free(c);
        return status;
    }
    copy_arrays(c, m);
    *copy = c;
    return SAL_OK;
}

sal_status sal_model_assign(sal_model *m, const sal_model *from, sal_err *err)
{
    sal_model next = *from;
    sal_layout layout = {m->block, 0};
    if (m->nblock != from->nblock) {
        const sal_status status = sal_model_allocate(&next, err);
        if (status != SAL_OK) {
            return status;
        }
        sal_free(m->block);
    } else {
        next.block = m->block;
        place(&next, &layout);
    }
    copy_arrays(&next, from);
    *m = next;
    return SAL_OK;
}

void sal_model_free(sal_model *m)
{
    if (m != NULL) {
        sal_free(m->block);
        sal_free(m);
    }
}

/* Most contacts that one pair can make: two for a capsule on a plane, four for a box or cylinder,
 * up to eight between boxes, one for each prism of a height field that is in reach. */
static int pair_contacts(const sal_model *m, int pair)
{
    const int type1 = m->geom_type[m->pair_geom1[pair]], type2 = m->geom_type[m->pair_geom2[pair]];
    if (type1 == SAL_GEOM_HFIELD && type2 > SAL_GEOM_HFIELD) {
        return phy_field_contacts(m, pair);
    }
    if (type2 == SAL_GEOM_BOX || type2 == SAL_GEOM_CYLINDER || type2 == SAL_GEOM_MESH) {
        return type1 == SAL_GEOM_PLANE ? 4 : type1 == SAL_GEOM_SPHERE ? 1 : 8;
    }
    return type2 == SAL_GEOM_CAPSULE && type1 != SAL_GEOM_SPHERE ? 2 : 1;
}

/* Adds the rows of equalities and tendons, and the entries of J in them. */
static void tendon_capacity(const sal_model *m, long *rows, long *entries)
{
    for (int t = 0; t < m->ntendon; t++) {
        const int n = (m->tendon_frictionloss[t] > 0) + (m->tendon_limited[t] ? 2 : 0);
        *rows += n;
        *entries += (long)n * m->tendon_Jnum[t];
    }
    for (int i = 0; i < m->neq; i++) {
        const int type = m->eq_type[i];
        const int n = type == SAL_EQ_CONNECT ? 3 : type == SAL_EQ_WELD ? 6 : 1;
        const int ids[2] = {m->eq_obj1id[i], m->eq_obj2id[i]};
        *rows += n;
        for (int k = 0; k < 2; k++) {
            if (ids[k] >= 0) {
                *entries += (long)n * (type == SAL_EQ_JOINT    ? 1
                                       : type == SAL_EQ_TENDON ? m->tendon_Jnum[ids[k]]
                                                               : m->body_chainnum[ids[k]]);
            }
        }
    }
}

/* A data of INT_MAX of anything is refused when it is allocated. */
static int at_most_int(long n)
{
    return n > INT_MAX ? INT_MAX : (int)n;
}

enum { ROOM_OF_ROWS = 300000 }; /* entries of J that any model may have for its contacts */

void sal_model_capacity(sal_model *m)
{
    long contacts = 0;
    int most_rows = 1, deepest = 1;
    for (int p = 0; p < m->npair; p++) {
        const int rows =
            m->pair_dim[p] > 1 ? 2 * (m->pair_dim[p] - 1) : 1; /* either cone: it may be switched */
        most_rows = rows > most_rows ? rows : most_rows;
        const int chain = m->body_chainnum[m->geom_bodyid[m->pair_geom1[p]]] +
                          m->body_chainnum[m->geom_bodyid[m->pair_geom2[p]]];
        deepest = chain > deepest ? chain : deepest;
    }
    for (int b = 0; b < m->nbody && m->nkind > 0; b++) { /* any geom may be one of its kind */
        const int chains = 2 * m->body_chainnum[b];
        deepest = chains > deepest ? chains : deepest;
    }
    deepest = deepest > m->nv ? m->nv : deepest;
    /* All pairs at once is the ceiling. Beyond a few hundred geoms no state comes near it, so large
     * models get a share, and more where the rows of a contact are short; should that ever be
     * exceeded, there is a clean error. */
    const long short_rows = ROOM_OF_ROWS / ((long)most_rows * (deepest > 0 ? deepest : 1));
    const long by_geoms = 500 + 8L * m->ngeom,
               share = by_geoms > short_rows ? by_geoms : short_rows;
    if (m->nkind > 0) {
        contacts = share;
    }
    for (int p = 0; p < m->npair && contacts < share; p++) {
        contacts += pair_contacts(m, p);
    }
    long limits = 0, limit_entries = 0;
    for (int j = 0; j < m->njnt; j++) {
        limits += m->jnt_limited[j] ? 2 : 0;
        limit_entries += m->jnt_limited[j] ? 2 * 3 : 0;
    }
    tendon_capacity(m, &limits, &limit_entries);
    m->nconmax = at_most_int(contacts);
    m->nefcmax = at_most_int(m->nv + limits + contacts * most_rows);
    m->nJmax = at_most_int(m->nv + limit_entries + contacts * most_rows * deepest);
    phy_next_capacity(m);
}

/* The offsets of the names of one kind of object and how many there are. */
static int names_of(const sal_model *m, sal_object type, const int **adr)
{
    switch (type) {
    case SAL_OBJ_BODY:
    case SAL_OBJ_XBODY:
        *adr = m->name_bodyadr;
        return m->nbody;
    case SAL_OBJ_JOINT:
        *adr = m->name_jntadr;
        return m->njnt;
    case SAL_OBJ_GEOM:
        *adr = m->name_geomadr;
        return m->ngeom;
    case SAL_OBJ_SITE:
        *adr = m->name_siteadr;
        return m->nsite;
    case SAL_OBJ_CAMERA:
        *adr = m->name_camadr;
        return m->ncam;
    case SAL_OBJ_EQUALITY:
        *adr = m->name_eqadr;
        return m->neq;
    case SAL_OBJ_TENDON:
        *adr = m->name_tendonadr;
        return m->ntendon;
    case SAL_OBJ_ACTUATOR:
        *adr = m->name_actuatoradr;
        return m->nu;
    case SAL_OBJ_SENSOR:
        *adr = m->name_sensoradr;
        return m->nsensor;
    case SAL_OBJ_NUMERIC:
        *adr = m->name_numericadr;
        return m->nnumeric;
    case SAL_OBJ_TEXT:
        *adr = m->name_textadr;
        return m->ntext;
    case SAL_OBJ_TUPLE:
        *adr = m->name_tupleadr;
        return m->ntuple;
    case SAL_OBJ_KEY:
        *adr = m->name_keyadr;
        return m->nkey;
    case SAL_OBJ_MESH:
        *adr = m->name_meshadr;
        return m->nmesh;
    case SAL_OBJ_HFIELD:
        *adr = m->name_hfieldadr;
        return m->nhfield;
    case SAL_OBJ_NONE:
        break;
    }
    *adr = NULL;
    return 0;
}

int sal_model_count(const sal_model *m, sal_object type)
{
    const int *adr;
    return names_of(m, type, &adr);
}

/* N of "#N", 0 <= N < n; -1: it is no such thing */
static int number_of(const char *name, int n)
{
    long number = 0;
    const char *s = name + 1;
    if (name[0] != '#' || *s == 0) {
        return -1;
    }
    for (; *s >= '0' && *s <= '9' && number < n; s++) {
        number = 10 * number + (*s - '0');
    }
    return *s == 0 && number < n ? (int)number : -1;
}

int sal_model_find(const sal_model *m, sal_object type, const char *name)
{
    const int *adr;
    const int n = names_of(m, type, &adr);
    for (int i = 0; i < n; i++) {
        if (name[0] != '\0' && strcmp(m->names + adr[i], name) == 0) {
            return i;
        }
    }
    return number_of(name, n);
}

const char *sal_model_name(const sal_model *m, sal_object type, int id)
{
    const int *adr;
    const int n = names_of(m, type, &adr);
    return id >= 0 && id < n ? m->names + adr[id] : "";
}

/* The body it belongs to; -1: none */
static int body_of(const sal_model *m, sal_object type, int id)
{
    return type == SAL_OBJ_JOINT  ? m->jnt_bodyid[id]
           : type == SAL_OBJ_GEOM ? m->geom_bodyid[id]
           : type == SAL_OBJ_SITE ? m->site_bodyid[id]
                                  : -1;
}

static const char *const mujocos[SAL_NMUJOCO] = {
    [SAL_MUJOCO_314] = "3.14",
    [SAL_MUJOCO_312] = "3.12",
    [SAL_MUJOCO_222] = "2.2.2",
};

const char *sal_integrator_name(int integrator)
{
    static const char *const names[] = {"Euler", "RK4", "implicit", "implicitfast", "discrete"};
    return integrator >= SAL_INT_EULER && integrator <= SAL_INT_DISCRETE ? names[integrator] : NULL;
}

const char *sal_mujoco_name(sal_mujoco version)
{
    return mujocos[version];
}

int sal_mujoco_named(const char *name)
{
    for (int i = 0; i < SAL_NMUJOCO; i++) {
        if (strcmp(mujocos[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *sal_object_word(sal_object type)
{
    static const char *const word[] = {
        [SAL_OBJ_BODY] = "body",         [SAL_OBJ_XBODY] = "body",
        [SAL_OBJ_JOINT] = "joint",       [SAL_OBJ_GEOM] = "geom",
        [SAL_OBJ_SITE] = "site",         [SAL_OBJ_CAMERA] = "camera",
        [SAL_OBJ_ACTUATOR] = "actuator", [SAL_OBJ_SENSOR] = "sensor",
        [SAL_OBJ_TENDON] = "tendon",     [SAL_OBJ_EQUALITY] = "equality constraint",
        [SAL_OBJ_NUMERIC] = "numeric",   [SAL_OBJ_TEXT] = "text",
        [SAL_OBJ_TUPLE] = "tuple",       [SAL_OBJ_KEY] = "keyframe",
        [SAL_OBJ_MESH] = "mesh",         [SAL_OBJ_HFIELD] = "height field",
        [SAL_OBJ_NONE] = "object"};
    return word[type];
}

const char *sal_model_label(const sal_model *m, sal_object type, int id, char text[SAL_LABEL_MAX])
{
    const char *kind = sal_object_word(type);
    const char *name = sal_model_name(m, type, id);
    const int body = name[0] != '\0' ? -1 : body_of(m, type, id);
    const char *of = body > 0 ? sal_model_name(m, SAL_OBJ_BODY, body) : "";
    if (name[0] != '\0') {
        snprintf(text, SAL_LABEL_MAX, "%s '%.100s'", kind, name);
    } else if (body < 0) {
        snprintf(text, SAL_LABEL_MAX, "%s %d (unnamed)", kind, id);
    } else if (body == 0) {
        snprintf(text, SAL_LABEL_MAX, "%s %d (unnamed, of the world)", kind, id);
    } else if (of[0] != '\0') {
        snprintf(text, SAL_LABEL_MAX, "%s %d (unnamed, of body '%.100s')", kind, id, of);
    } else {
        snprintf(text, SAL_LABEL_MAX, "%s %d (unnamed, of body %d)", kind, id, body);
    }
    return text;
}

/* The first actuator, or else sensor, that is late; SAL_OBJ_NONE: there is none */
static sal_object late(const sal_model *m, int *id)
{
    for (*id = 0; *id < m->nu; ++*id) {
        if (m->actuator_history[2 * *id] > 0 && m->actuator_delay[*id] != 0) {
            return SAL_OBJ_ACTUATOR;
        }
    }
    for (*id = 0; *id < m->nsensor; ++*id) {
        const bool delayed = m->sensor_delay[*id] > 0 || m->sensor_interval[2 * *id] > 0;
        if (m->sensor_history[2 * *id] > 0 && delayed) {
            return SAL_OBJ_SENSOR;
        }
    }
    return SAL_OBJ_NONE;
}

sal_status sal_model_prompt(const sal_model *m, const char *what, sal_err *err)
{
    int id;
    char label[SAL_LABEL_MAX];
    const sal_object type = late(m, &id);
    const bool waits = type == SAL_OBJ_SENSOR && !(m->sensor_delay[id] > 0);
    return type == SAL_OBJ_NONE
               ? SAL_OK
               : sal_fail(err, SAL_UNSUPPORTED,
                          "%s has %s, so that it %s; this is not supported in %s",
                          sal_model_label(m, type, id, label), waits ? "an interval" : "a delay",
                          type == SAL_OBJ_SENSOR ? "shows an earlier instant"
                                                 : "follows an earlier control",
                          what);
}

/* ---- arrays by name ---- */

enum { LETTER_double = 'd', LETTER_int = 'i', LETTER_float = 'f', LETTER_char = 'c' };

const void *sal_model_array(const sal_model *m, const char *name, char *type, int *nrow, int *ncol)
{
    static const char none;
    const int nq = m->nq, nv = m->nv, nu = m->nu, na = m->na, nmocap = m->nmocap;
#define MODEL_ARRAY(kind, array, rows, columns) {#array, LETTER_##kind, m->array, m->rows, columns},
    const struct {
        const char *name;
        char type;
        const void *data;
        int nrow, ncol;
    } arrays[] = {SAL_MODEL_ARRAYS(MODEL_ARRAY)};
#undef MODEL_ARRAY
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (strcmp(name, arrays[i].name) == 0) {
            *type = arrays[i].type;
            *nrow = arrays[i].nrow;
            *ncol = arrays[i].ncol;
            return *nrow > 0 ? arrays[i].data : &none;
        }
    }
    *type = 0;
    *nrow = *ncol = 0;
    return NULL;
}
