/* A model made in memory with other numbers is, bit for bit, the one that is read from a file with
 * these numbers. */
#include "tests/check.h"
#include "tests/same_block.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

static const char rig[] =
    "<mujoco><compiler angle='degree'/>"
    "<option gravity='0 0 -9.81' wind='0 0 0' density='0' viscosity='0' impratio='1'/>"
    "<default><geom friction='.7 .01 .001' solref='.02 1'/>"
    "<default class='heavy'><geom density='2000'/><joint damping='.3' "
    "armature='.01'/></default></default>"
    "<asset><mesh name='wedge' vertex='0 0 0  .2 0 0  0 .3 0  0 0 .4  .2 .3 0'/></asset>"
    "<worldbody><geom name='floor' type='plane' size='1 1 .1'/>"
    "<site name='anchor' pos='.1 .2 1.5'/>"
    "<body name='box' pos='0 0 1'><freejoint/><inertial pos='.01 .02 .03' mass='2' "
    "diaginertia='.02 .03 .04'/>"
    "  <geom name='cube' type='box' size='.05 .06 .07' pos='.001 0 0'/></body>"
    "<body name='full' pos='1 0 1'><joint name='ball' type='ball' damping='.1'/>"
    "  <inertial pos='0 0 -.1' mass='1.5' fullinertia='.03 .04 .05 .001 .002 -.001'/>"
    "  <geom name='egg' type='ellipsoid' size='.03 .04 .05' fluidshape='ellipsoid'/></body>"
    "<body name='upper' pos='0 .5 1' euler='10 20 30'>"
    "  <joint name='hip' class='heavy' axis='0 1 .2' stiffness='3' springref='5' ref='2' "
    "frictionloss='.4' range='-40 60'/>"
    "  <geom name='thigh' class='heavy' type='capsule' fromto='0 0 0 0 .1 -.4' size='.04'/>"
    "  <geom name='pad' type='sphere' size='.05' mass='.3' pos='.1 0 0'/>"
    "  <site name='insert' pos='0 .02 -.2'/>"
    "  <body name='lower' pos='0 .1 -.4'><joint name='knee' axis='0 1 0' damping='.2'/>"
    "    <geom name='shank' type='cylinder' size='.03 .2' pos='0 0 -.2' condim='4' margin='.01'/>"
    "    <site name='end' pos='0 .03 -.3'/><camera name='eye' pos='0 0 .1'/></body></body>"
    "<frame name='shelf' pos='0 1 0' euler='0 0 30'><geom name='board' type='box' size='.1 .1 "
    ".01'/></frame>"
    "<body name='rock' pos='2 0 1'><freejoint/><geom name='stone' type='mesh' mesh='wedge'/></body>"
    "</worldbody>"
    "<contact><pair name='rub' geom1='pad' geom2='cube' friction='.4 .4 .01 .001 .001'/></contact>"
    "<tendon><spatial name='cord' stiffness='20' damping='1'><site site='anchor'/><site "
    "site='insert'/></spatial>"
    "<fixed name='sum'><joint joint='hip' coef='1'/><joint joint='knee' coef='2'/></fixed></tendon>"
    "<equality><connect name='pin' body1='lower' anchor='0 0 -.4'/>"
    "<joint name='gear' joint1='knee' joint2='hip' polycoef='0 1.5'/></equality>"
    "<actuator><motor name='m' joint='hip' gear='30'/><position name='p' joint='knee' kp='40' "
    "kv='2'/>"
    "<velocity name='v' joint='hip' kv='3'/><muscle name='flexor' tendon='cord' force='300' "
    "lengthrange='.5 2'/>"
    "<general name='g' joint='knee' gainprm='2' biastype='affine' biasprm='1 -2 -3'/>"
    "<damper name='d' joint='knee' kv='1' ctrlrange='0 1'/>"
    "<pid name='hand' joint='hip' kp='4' kv='1' ki='2' imax='3'/>"
    "<dcmotor name='coil' joint='hip' motorconst='1' resistance='2' inductance='.1' thermal='1 2' "
    "lugre='9 1 .1 .2 .3'/>"
    "<orientation name='gimbal' joint='ball' kp='4' kv='1'/>"
    "<orientation name='swivel' joint='ball' input='quat' kp='3' kv='1'/>"
    "<dcmotor name='cogs' joint='hip' motorconst='1' resistance='2' cogging='.2 3 .1'/></actuator>"
    "<sensor><gyro name='gyro' site='end'/></sensor></mujoco>";

static sal_model *parse(const char *xml, const sal_setting *setting, int n)
{
    sal_model *m = NULL;
    sal_err err = {0};
    sal_diag diag = {0};
    const sal_load_options options = {.setting = setting, .nsetting = n};
    CHECK_OK(sal_model_parse(&m, "rig.xml", xml, strlen(xml), &options, &diag, &err), err);
    sal_diag_clear(&diag);
    return m;
}

static sal_remodel *remodel(const char *xml)
{
    sal_remodel *r = NULL;
    sal_err err = {0};
    CHECK_OK(sal_remodel_new(&r, "rig.xml", xml, strlen(xml), NULL, &err), err);
    return r;
}

static int same(const sal_model *a, const sal_model *b)
{
    return same_block(a, b) && memcmp(a->opt.gravity, b->opt.gravity, sizeof a->opt.gravity) == 0 &&
           memcmp(a->opt.wind, b->opt.wind, sizeof a->opt.wind) == 0 &&
           a->opt.density == b->opt.density && a->opt.viscosity == b->opt.viscosity &&
           a->opt.impratio == b->opt.impratio && a->meaninertia == b->meaninertia &&
           a->nconmax == b->nconmax && a->nefcmax == b->nefcmax && a->nJmax == b->nJmax;
}

/* All numbers of an attribute, or the first n, to k-th: nominal * 1.1 + .0002 (k + 1). */
static const char *const paths[] = {"option/gravity",
                                    "option/wind",
                                    "option/density",
                                    "option/viscosity",
                                    "option/impratio",
                                    "geom[cube]/size",
                                    "geom[cube]/pos",
                                    "geom[cube]/friction",
                                    "geom[cube]/solref",
                                    "geom[cube]/solimp",
                                    "geom[cube]/margin",
                                    "geom[cube]/gap",
                                    "geom[cube]/quat",
                                    "geom[egg]/size",
                                    "geom[egg]/fluidcoef",
                                    "geom[thigh]/size",
                                    "geom[thigh]/fromto",
                                    "geom[thigh]/density",
                                    "geom[pad]/mass",
                                    "geom[pad]/pos",
                                    "geom[shank]/size",
                                    "geom[floor]/friction",
                                    "geom[shank]/solmix",
                                    "body[upper]/pos",
                                    "body[upper]/euler",
                                    "body[lower]/quat",
                                    "body[box]/gravcomp",
                                    "inertial[#0]/pos",
                                    "inertial[#0]/mass",
                                    "inertial[#0]/diaginertia",
                                    "inertial[#1]/fullinertia",
                                    "joint[hip]/damping",
                                    "joint[hip]/armature",
                                    "joint[hip]/stiffness",
                                    "joint[hip]/springref",
                                    "joint[hip]/ref",
                                    "joint[hip]/frictionloss",
                                    "joint[hip]/range",
                                    "joint[hip]/axis",
                                    "joint[hip]/pos",
                                    "joint[hip]/solreflimit",
                                    "joint[hip]/solimpfriction",
                                    "joint[knee]/damping",
                                    "joint[ball]/damping",
                                    "site[insert]/pos",
                                    "site[end]/pos",
                                    "camera[eye]/pos",
                                    "pair[rub]/friction",
                                    "pair[rub]/solref",
                                    "spatial[cord]/stiffness",
                                    "spatial[cord]/damping",
                                    "spatial[cord]/springlength",
                                    "connect[pin]/anchor",
                                    "joint[gear]/polycoef",
                                    "motor[m]/gear",
                                    "position[p]/kp",
                                    "position[p]/kv",
                                    "velocity[v]/kv",
                                    "muscle[flexor]/force",
                                    "muscle[flexor]/lengthrange",
                                    "general[g]/gainprm",
                                    "general[g]/biasprm",
                                    "damper[d]/kv",
                                    "pid[hand]/kp",
                                    "pid[hand]/kv",
                                    "pid[hand]/ki",
                                    "pid[hand]/imax",
                                    "dcmotor[coil]/inductance",
                                    "dcmotor[coil]/thermal",
                                    "dcmotor[coil]/lugre",
                                    "dcmotor[coil]/resistance",
                                    "orientation[gimbal]/kp",
                                    "orientation[gimbal]/kv",
                                    "orientation[swivel]/kp",
                                    "orientation[swivel]/kv",
                                    "dcmotor[cogs]/cogging",
                                    "mesh[wedge]/scale",
                                    "frame[shelf]/pos",
                                    "frame[shelf]/euler"};

static void models_are_those_of_files(void)
{
    sal_remodel *r = remodel(rig);
    sal_model *nominal = parse(rig, NULL, 0), *made = NULL;
    sal_err err = {0};
    CHECK(r != NULL && same(nominal, sal_remodel_nominal(r)));
    CHECK_OK(sal_model_copy(&made, nominal, &err), err);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0] && r != NULL; i++) {
        int id = -1;
        const sal_status status = sal_remodel_loosen(r, paths[i], &id, &err);
        CHECK_OK(status, err);
        if (status != SAL_OK) {
            continue;
        }
        const sal_loose l = sal_remodel_loose(r, id);
        sal_text value = {0};
        for (int k = 0; k < l.said; k++) {
            const double x = l.nominal[k] * 1.1 + .0002 * (k + 1);
            sal_remodel_set(r, id, k, x);
            sal_text_format(&value, " %.17g", x);
        }
        const sal_setting setting = {paths[i], value.data};
        sal_model *read = parse(rig, &setting, 1);
        CHECK_OK(sal_remodel_make(r, made, &err), err);
        if (read == NULL || !same(read, made) || same(nominal, made)) {
            printf("%s: %s\n", paths[i],
                   read != NULL && same(nominal, made) ? "no effect" : "differs");
            CHECK(0);
        }
        for (int k = 0; k < l.said; k++) {
            sal_remodel_set(r, id, k, l.nominal[k]);
        }
        sal_model_free(read);
        sal_text_clear(&value);
    }
    CHECK_OK(sal_remodel_make(r, made, &err), err);
    CHECK(same(nominal, made));
    sal_model_free(made);
    sal_model_free(nominal);
    sal_remodel_free(r);
}

/* Vertices are loose, too, and then not rounded; meshes that are not are made once. */
static void vertices_vary(void)
{
    sal_remodel *r = remodel(rig);
    sal_model *m = NULL;
    sal_err err = {0};
    int id;
    CHECK_OK(sal_model_copy(&m, sal_remodel_nominal(r), &err), err);
    CHECK_OK(sal_remodel_loosen(r, "geom[stone]/pos", &id, &err), err);
    sal_remodel_set(r, id, 0, .1);
    CHECK_OK(sal_remodel_make(r, m, &err), err);
    CHECK_NEAR(m->geom_pos[3 * sal_model_find(m, SAL_OBJ_GEOM, "stone")],
               sal_remodel_nominal(r)->geom_pos[3 * sal_model_find(m, SAL_OBJ_GEOM, "stone")] + .1,
               1e-15);
    CHECK_OK(sal_remodel_loosen(r, "mesh[wedge]/vertex", &id, &err), err);
    CHECK(sal_remodel_loose(r, id).n == 15);
    for (int k = 0; k < 15; k++) { /* everything twice as large */
        sal_remodel_set(r, id, k, 2 * sal_remodel_loose(r, id).nominal[k]);
    }
    CHECK_OK(sal_remodel_make(r, m, &err), err);
    const int b = sal_model_find(m, SAL_OBJ_BODY, "rock");
    CHECK_NEAR(m->body_mass[b], 8 * sal_remodel_nominal(r)->body_mass[b], 1e-4);
    CHECK_NEAR(m->body_inertia[3 * b], 32 * sal_remodel_nominal(r)->body_inertia[3 * b], 1e-4);
    sal_model_free(m);
    sal_remodel_free(r);
}

int main(void)
{
    RUN(models_are_those_of_files);
    RUN(vertices_vary);
    return check_done();
}
