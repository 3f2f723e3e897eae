#include "mjcf/spec.h"

#include <string.h>

enum { BLOCK = 1 << 16 };

struct spec_block {
    struct spec_block *next;
    size_t used, size;
    /* the memory follows, 64-byte aligned */
};

static const size_t block_head = 64;

void *spec_take(mjcf_spec *spec, size_t count, size_t size)
{
    const size_t bytes = (count * size + 15) / 16 * 16;
    struct spec_block *block = spec->pool;
    if (block == NULL || block->size - block->used < bytes) {
        const size_t room = bytes > BLOCK ? bytes : BLOCK;
        block = sal_alloc(1, block_head + room);
        if (block == NULL) {
            spec->nomem = true;
            return NULL;
        }
        block->size = room;
        block->next = spec->pool;
        spec->pool = block;
    }
    void *place = (char *)block + block_head + block->used;
    block->used += bytes;
    return place;
}

bool spec_push(mjcf_spec *spec, spec_list *list, void *item)
{
    if (list->n == list->capacity) {
        const int capacity = list->n == 0 ? 8 : 2 * list->n;
        void **bigger = spec_take(spec, (size_t)capacity, sizeof *bigger);
        if (bigger == NULL) {
            return false;
        }
        if (list->n > 0) {
            memcpy(bigger, list->item, (size_t)list->n * sizeof *bigger);
        }
        list->item = bigger;
        list->capacity = capacity;
    }
    list->item[list->n++] = item;
    return true;
}

void *spec_keep(mjcf_spec *spec, spec_list *list, const void *record, size_t size)
{
    void *place = spec_take(spec, 1, size);
    if (place == NULL || !spec_push(spec, list, place)) {
        return NULL;
    }
    memcpy(place, record, size);
    return place;
}

void spec_free(mjcf_spec *spec)
{
    while (spec->pool != NULL) {
        struct spec_block *block = spec->pool;
        spec->pool = block->next;
        sal_free(block);
    }
    *spec = (mjcf_spec){0};
}

/* ---- coming back ---- */

struct spec_copy {
    struct spec_block *block;
    size_t used;
    char *data;
};

static char *block_data(struct spec_block *block)
{
    return (char *)block + block_head;
}

sal_status spec_remember(spec_memory *memory, const mjcf_spec *spec, sal_err *err)
{
    int n = 0;
    for (struct spec_block *b = spec->pool; b != NULL; b = b->next) {
        n++;
    }
    *memory = (spec_memory){.spec = *spec};
    memory->copy = sal_alloc((size_t)n, sizeof *memory->copy);
    for (struct spec_block *b = spec->pool; b != NULL && memory->copy != NULL; b = b->next) {
        struct spec_copy *c = &memory->copy[memory->n++];
        *c = (struct spec_copy){b, b->used, sal_alloc(b->used, 1)};
        if (c->data == NULL) {
            spec_forget(memory);
            break;
        }
        memcpy(c->data, block_data(b), b->used);
    }
    return memory->copy == NULL ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
}

/* One block that is newer is kept, empty, so that as much may be taken again. */
void spec_return(mjcf_spec *spec, const spec_memory *memory)
{
    struct spec_block *spare = NULL;
    while (spec->pool != memory->spec.pool) {
        struct spec_block *block = spec->pool;
        spec->pool = block->next;
        sal_free(spare);
        spare = block;
    }
    *spec = memory->spec;
    for (int i = 0; i < memory->n; i++) {
        const struct spec_copy *c = &memory->copy[i];
        memcpy(block_data(c->block), c->data, c->used);
        memset(block_data(c->block) + c->used, 0, c->block->used - c->used);
        c->block->used = c->used;
    }
    if (spare != NULL) {
        memset(block_data(spare), 0, spare->used);
        spare->used = 0;
        spare->next = spec->pool;
        spec->pool = spare;
    }
}

void spec_forget(spec_memory *memory)
{
    for (int i = 0; i < memory->n; i++) {
        sal_free(memory->copy[i].data);
    }
    sal_free(memory->copy);
    *memory = (spec_memory){0};
}

/* ---- built-in defaults (MuJoCo documentation, "XML reference") ---- */

static const double default_solref[2] = {0.02, 1};
static const double default_solimp[5] = {0.9, 0.95, 0.001, 0.5, 2};
static const double not_given = (double)NAN;

spec_pose spec_pose_default(void)
{
    spec_pose p = {.quat = {1}};
    p.axisangle[0] = p.xyaxes[0] = p.zaxis[0] = p.euler[0] = not_given;
    return p;
}

static void set_law(double solref[2], double solimp[5])
{
    memcpy(solref, default_solref, sizeof default_solref);
    memcpy(solimp, default_solimp, sizeof default_solimp);
}

spec_joint spec_joint_default(int type)
{
    spec_joint j = {.type = type, .limited = SPEC_AUTO, .force_limited = SPEC_AUTO};
    j.align = SPEC_AUTO;
    j.axis[2] = 1;
    set_law(j.solref_limit, j.solimp_limit);
    set_law(j.solref_friction, j.solimp_friction);
    return j;
}

static spec_geom geom_default(void)
{
    static const double friction[3] = {1, 0.005, 0.0001}, fluidcoef[5] = {0.5, 0.25, 1.5, 1, 1};
    spec_geom g = {.type = SAL_GEOM_SPHERE, .contype = 1, .conaffinity = 1, .condim = 3};
    sal_v3_copy(g.friction, friction);
    g.solmix = 1;
    g.mass = g.fromto[0] = g.rgba[0] = not_given;
    g.density = 1000;
    g.fitscale = 1;
    memcpy(g.fluidcoef, fluidcoef, sizeof fluidcoef);
    g.pose = spec_pose_default();
    set_law(g.solref, g.solimp);
    return g;
}

static spec_mesh mesh_default(void)
{
    return (spec_mesh){
        .scale = {1, 1, 1}, .refquat = {1, 0, 0, 0}, .inertia = -1, .maxhullvert = -1};
}

static spec_site site_default(void)
{
    spec_site s = {.type = SAL_GEOM_SPHERE};
    sal_v3_set(s.size, 0.005, 0.005, 0.005);
    s.fromto[0] = not_given;
    s.pose = spec_pose_default();
    return s;
}

static spec_pair pair_default(void)
{
    static const double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
    spec_pair p = {.condim = 3};
    memcpy(p.friction, friction, sizeof friction);
    set_law(p.solref, p.solimp);
    return p;
}

static spec_equality equality_default(void)
{
    spec_equality e = {.active = 1, .torquescale = 1};
    e.anchor[0] = not_given;
    e.polycoef[1] = 1;
    set_law(e.solref, e.solimp);
    return e;
}

/* (Before 3.14 forces of actuators on a tendon are limited only where that is said.) */
static spec_tendon tendon_default(sal_mujoco mujoco)
{
    spec_tendon t = {.limited = SPEC_AUTO, .force_limited = SPEC_AUTO, .springlength = {-1, -1}};
    if (mujoco != SAL_MUJOCO_314) {
        t.force_limited = SPEC_FALSE;
    }
    set_law(t.solref_limit, t.solimp_limit);
    set_law(t.solref_friction, t.solimp_friction);
    return t;
}

static spec_actuator actuator_default(void)
{
    spec_actuator a = {.ctrllimited = SPEC_AUTO, .forcelimited = SPEC_AUTO};
    a.actlimited = SPEC_AUTO;
    a.actdim = -1;
    a.gear[0] = a.dynprm[0] = a.gainprm[0] = 1;
    a.inheritrange = not_given;
    return a;
}

void spec_class_default(spec_class *c, sal_mujoco mujoco)
{
    c->head.name = "main";
    c->joint = spec_joint_default(SAL_JNT_HINGE);
    c->geom = geom_default();
    c->mesh = mesh_default();
    c->site = site_default();
    c->camera.fovy = SPEC_FOVY;
    c->camera.resolution[0] = c->camera.resolution[1] = 1;
    c->camera.pose = spec_pose_default();
    c->pair = pair_default();
    c->equality = equality_default();
    c->tendon = tendon_default(mujoco);
    c->actuator = actuator_default();
}

static void option_default(spec_option *o)
{
    static const double friction[5] = {1, 1, 0.005, 0.0001, 0.0001};
    *o = (spec_option){0};
    o->opt.timestep = 0.002;
    sal_v3_set(o->opt.gravity, 0, 0, -9.81);
    sal_v3_set(o->opt.magnetic, 0, -0.5, 0);
    o->opt.impratio = 1;
    o->opt.tolerance = 1e-8;
    o->opt.iterations = 100;
    o->opt.noslip_tolerance = 1e-6;
    memcpy(o->o_friction, friction, sizeof friction);
    set_law(o->o_solref, o->o_solimp);
}

void spec_compiler_default(spec_compiler *c, sal_mujoco mujoco)
{
    *c = (spec_compiler){.degree = 1, .inertiafromgeom = SPEC_AUTO, .settotalmass = -1};
    c->lengthrange = (spec_lengthrange){SPEC_MODE_MUSCLE, 1, 0, 20, 0, 1, 0.01, 10, 2, 0.05};
    c->autolimits = mujoco == SAL_MUJOCO_222 ? 0 : 1;
    c->inertiagrouprange[1] = 5;
    c->eulerseq = "xyz";
}

void spec_init(mjcf_spec *spec, sal_mujoco mujoco)
{
    *spec = (mjcf_spec){.mujoco = mujoco, .model = "", .meaninertia = not_given};
    /* everything enabled but the last three: override, diagexact, energy */
    spec->flags = (spec_flags){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0};
    for (size_t k = 0; k < sizeof spec->nuser / sizeof spec->nuser[0]; k++) {
        spec->nuser[k] = -1; /* as many as there are */
    }
    spec_compiler_default(&spec->compiler, mujoco);
    option_default(&spec->option);
    spec_class *main_class = spec_take(spec, 1, sizeof *main_class);
    spec_body *world = spec_take(spec, 1, sizeof *world);
    if (main_class != NULL && world != NULL) {
        spec_class_default(main_class, mujoco);
        world->head.name = "world";
        world->pose = spec_pose_default();
        spec_push(spec, &spec->classes, main_class);
        spec_push(spec, &spec->body, world);
    }
}
