/* grammar.c: what MJCF allows, as one table (MuJoCo documentation, "XML reference"). */
#include "mjcf/composite/said.h"
#include "mjcf/language/words.h"

#include <string.h>

/* clang-format off */
/* Rows: name, kind, least and most numbers, place in the record, words, flags. `T` is the
 * record. */
#define AT(field)                    offsetof(T, field)
#define NAME(name, field, flags)     {name, MJCF_NAME, 0, 0, AT(field), NULL, flags}
#define REALS(name, lo, hi, field, flags) {name, MJCF_REALS, lo, hi, AT(field), NULL, flags}
#define REAL(name, field, flags)     REALS(name, 1, 1, field, flags)
#define POLY(name, field)            {name, MJCF_REALS, 1, 3, AT(field), NULL, MJCF_MORE}
#define INT(name, field, flags)      {name, MJCF_INT, 1, 1, AT(field), NULL, flags}
#define INTS(name, n, field)         {name, MJCF_INTS, n, n, AT(field), NULL, 0}
#define WORD(name, field, words)     {name, MJCF_WORD, 0, 0, AT(field), mjcf_##words, 0}
#define CHECKED(name, words)         {name, MJCF_STRING, 0, 0, 0, mjcf_##words, 0}
#define LATER(name, field)           {name, MJCF_ATTR, 0, 0, AT(field), NULL, 0}
#define NUMBERS(name)                {name, MJCF_NUMBERS, 0, 0, 0, NULL, 0}
#define USER                         {"user", MJCF_COUNT, 0, 0, AT(head.nuser), NULL, 0}
#define SKIP(name)                   {name, MJCF_SKIP, 0, 0, 0, NULL, 0}
#define SKIP_HERE(name)              {name, MJCF_SKIP, 0, 0, 0, NULL, MJCF_HERE}
#define ZERO(name)                   {name, MJCF_ZERO, 0, 0, 0, NULL, 0}
#define NEVER(name)                  {name, MJCF_NEVER, 0, 0, 0, NULL, 0}
#define END                          {NULL, MJCF_SKIP, 0, 0, 0, NULL, 0}
#define HEAD                         NAME("name", head.name, MJCF_HERE),                           \
    NAME("class", head.class_name, MJCF_HERE)
#define ORIENTATION                                                                                \
    REALS("quat", 4, 4, pose.quat, 0), REALS("axisangle", 4, 4, pose.axisangle, 0),                \
    REALS("xyaxes", 6, 6, pose.xyaxes, 0), REALS("zaxis", 3, 3, pose.zaxis, 0),                    \
    REALS("euler", 3, 3, pose.euler, 0)
#define POSE                         REALS("pos", 3, 3, pose.pos, 0), ORIENTATION

#define T spec_compiler
static const mjcf_attr compiler_attrs[] = {
    REAL("boundmass", boundmass, MJCF_FLOOR), REAL("boundinertia", boundinertia, MJCF_FLOOR),
    REAL("settotalmass", settotalmass, 0), WORD("balanceinertia", balanceinertia, bool_words),
    WORD("strippath", strippath, bool_words), WORD("coordinate", global, coordinate_words),
    WORD("angle", degree, angle_words),
    WORD("fitaabb", fitaabb, bool_words), NAME("eulerseq", eulerseq, 0),
    NAME("meshdir", meshdir, 0),
    SKIP("texturedir"), NAME("assetdir", assetdir, 0),
    WORD("discardvisual", discardvisual, bool_words), SKIP("convexhull"), SKIP("usethread"),
    WORD("fusestatic", fusestatic, bool_words),
    WORD("inertiafromgeom", inertiafromgeom, auto_words),
    INTS("inertiagrouprange", 2, inertiagrouprange),
    WORD("exactmeshinertia", exactmeshinertia, bool_words),
    WORD("alignfree", alignfree, bool_words), WORD("autolimits", autolimits, bool_words),
    SKIP("saveinertial"), CHECKED("conflict", conflict_words), END};
#undef T
#define T spec_lengthrange
static const mjcf_attr lengthrange_attrs[] = {
    WORD("mode", mode, mode_words), WORD("useexisting", useexisting, bool_words),
    WORD("uselimit", uselimit, bool_words), REAL("accel", accel, MJCF_POSITIVE),
    REAL("maxforce", maxforce, 0),
    REAL("timeconst", timeconst, MJCF_POSITIVE), REAL("timestep", timestep, MJCF_POSITIVE),
    REAL("inttotal", inttotal, MJCF_POSITIVE), REAL("interval", interval, MJCF_POSITIVE),
    REAL("inteval", interval, MJCF_POSITIVE), /* its name until 2.3.3 */
    REAL("tolrange", tolrange, MJCF_POSITIVE), END};
#undef T
#define T spec_option
static const mjcf_attr option_attrs[] = {
    REAL("timestep", opt.timestep, MJCF_POSITIVE), REALS("gravity", 3, 3, opt.gravity, 0),
    REALS("wind", 3, 3, opt.wind, 0), REALS("magnetic", 3, 3, opt.magnetic, 0),
    REAL("density", density, 0), REAL("viscosity", viscosity, 0),
    REAL("impratio", opt.impratio, MJCF_FLOOR), REAL("tolerance", opt.tolerance, MJCF_FLOOR),
    INT("iterations", opt.iterations, MJCF_FLOOR),
    WORD("integrator", opt.integrator, integrator_words),
    WORD("cone", opt.cone, cone_words), WORD("collision", collision, collision_words),
    CHECKED("jacobian", jacobian_words), WORD("solver", opt.solver, solver_words),
    REAL("o_margin", o_margin, 0), REALS("o_solref", 1, 2, o_solref, MJCF_SOLREF),
    REALS("o_solimp", 1, 5, o_solimp, 0), REALS("o_friction", 1, 5, o_friction, 0),
    INT("noslip_iterations", opt.noslip_iterations, MJCF_FLOOR),
    REAL("noslip_tolerance", opt.noslip_tolerance, MJCF_FLOOR),
    NUMBERS("mpr_iterations"), NUMBERS("mpr_tolerance"), NUMBERS("ccd_iterations"),
    NUMBERS("ccd_tolerance"), NUMBERS("apirate"), NUMBERS("ls_iterations"), NUMBERS("ls_tolerance"),
    NUMBERS("sdf_iterations"), NUMBERS("sdf_initpoints"), NUMBERS("sleep_tolerance"),
    {"actuatorgroupdisable", MJCF_ATTR, 0, 0, AT(groups_off), NULL, 0}, END};
#undef T
#define T spec_flags
static const mjcf_attr flag_attrs[] = {
    WORD("constraint", constraint, flag_words), WORD("equality", equality, flag_words),
    WORD("frictionloss", frictionloss, flag_words), WORD("limit", limit, flag_words),
    WORD("contact", contact, flag_words), WORD("passive", passive, flag_words),
    WORD("spring", spring, flag_words), WORD("damper", damper, flag_words),
    WORD("gravity", gravity, flag_words), WORD("clampctrl", clampctrl, flag_words),
    WORD("warmstart", warmstart, flag_words), WORD("filterparent", filterparent, flag_words),
    WORD("actuation", actuation, flag_words), WORD("refsafe", refsafe, flag_words),
    WORD("sensor", sensor, flag_words), WORD("eulerdamp", eulerdamp, flag_words),
    WORD("override", override, flag_words), WORD("diagexact", diagexact, flag_words),
    WORD("energy", energy, flag_words), CHECKED("fwdinv", flag_words),
    CHECKED("sensornoise", flag_words),
    WORD("multiccd", multiccd, flag_words), WORD("midphase", midphase, flag_words),
    CHECKED("nativeccd", flag_words),
    CHECKED("autoreset", flag_words), CHECKED("island", flag_words),
    CHECKED("invdiscrete", flag_words),
    CHECKED("sleep", flag_words), CHECKED("ipc", disable_words), END};
#undef T
#define T mjcf_spec
static const mjcf_attr size_attrs[] = {
    INT("nkey", nkey, MJCF_NONNEG), NUMBERS("njmax"), NUMBERS("nconmax"), NUMBERS("nstack"),
    SKIP("memory"),
    NUMBERS("nuserdata"), INT("nuser_body", nuser[0], 0), INT("nuser_jnt", nuser[1], 0),
    INT("nuser_geom", nuser[2], 0), INT("nuser_site", nuser[3], 0), INT("nuser_cam", nuser[4], 0),
    INT("nuser_tendon", nuser[5], 0), INT("nuser_actuator", nuser[6], 0),
    INT("nuser_sensor", nuser[7], 0), END};
static const mjcf_attr statistic_attrs[] = {
    REAL("meaninertia", meaninertia, MJCF_FLOOR), NUMBERS("meanmass"), NUMBERS("meansize"),
    NUMBERS("extent"), NUMBERS("center"), END};
#undef T
#define T spec_class
static const mjcf_attr default_attrs[] = {NAME("class", head.class_name, 0), END};
#undef T
#define T spec_numeric
static const mjcf_attr numeric_attrs[] = {
    NAME("name", head.name, MJCF_MUST), INT("size", size, 0), {"data", MJCF_ATTR, 0, 0, AT(data),
    NULL, 0}, END};
#undef T
#define T spec_text
static const mjcf_attr text_attrs[] = {NAME("name", head.name, MJCF_MUST),
    NAME("data", data, MJCF_MUST), END};
#undef T
#define T spec_tuple
static const mjcf_attr tuple_attrs[] = {NAME("name", head.name, MJCF_MUST), END};
#undef T
#define T spec_element
static const mjcf_attr element_attrs[] = {
    NAME("objtype", objtype, MJCF_MUST), NAME("objname", objname, MJCF_MUST), REAL("prm", prm, 0),
    END};
#undef T
#define T spec_material
static const mjcf_attr material_attrs[] = {
    HEAD, REALS("rgba", 4, 4, rgba, 0), SKIP("texture"), SKIP("texrepeat"), SKIP("texuniform"),
    SKIP("emission"), SKIP("specular"), SKIP("shininess"), SKIP("reflectance"), SKIP("metallic"),
    SKIP("roughness"), END};
#undef T
#define T spec_hfield
static const mjcf_attr hfield_attrs[] = {
    NAME("name", head.name, 0), NAME("file", file, 0), NAME("content_type", content_type, 0),
    INT("nrow", nrow, MJCF_NONNEG), INT("ncol", ncol, MJCF_NONNEG),
    REALS("size", 4, 4, size, MJCF_MUST),
    {"elevation", MJCF_ATTR, 0, 0, AT(elevation_attr), NULL, 0}, END};
#undef T
#define T spec_mesh
static const mjcf_attr mesh_attrs[] = {
    HEAD, NAME("file", file, MJCF_HERE), NAME("content_type", content_type, MJCF_HERE),
    {"vertex", MJCF_ATTR, 0, 0, AT(vertex_attr), NULL, MJCF_HERE}, {"face", MJCF_ATTR, 0, 0,
    AT(face_attr), NULL, MJCF_HERE},
    SKIP_HERE("normal"), SKIP_HERE("texcoord"), REALS("scale", 3, 3, scale, 0),
    REALS("refpos", 3, 3, refpos, MJCF_HERE),
    REALS("refquat", 4, 4, refquat, MJCF_HERE), INT("maxhullvert", maxhullvert, 0),
    WORD("inertia", inertia, mesh_inertia_words),
    {"smoothnormal", MJCF_STRING, 0, 0, 0, mjcf_bool_words, MJCF_HERE},
    SKIP_HERE("material"), {"builtin", MJCF_WORD, 0, 0, AT(builtin), mjcf_builtin_words, MJCF_HERE},
    {"params", MJCF_ATTR, 0, 0, AT(params_attr), NULL, MJCF_HERE}, NEVER("needsdf"), END};
#undef T
#define T spec_body
static const mjcf_attr body_attrs[] = {
    NAME("name", head.name, 0), NAME("childclass", childclass, 0), POSE,
    WORD("mocap", mocap, bool_words),
    USER, REAL("gravcomp", gravcomp, 0), SKIP("sleep"), END};
static const mjcf_attr frame_attrs[] = {
    NAME("name", head.name, 0), NAME("childclass", childclass, 0), POSE, END};
#undef T
#define T spec_replicate
static const mjcf_attr replicate_attrs[] = {
    INT("count", count, MJCF_MUST | MJCF_FLOOR), REALS("offset", 3, 3, offset, 0),
    REALS("euler", 3, 3, euler, 0),
    NAME("sep", sep, 0), SKIP("childclass"), SKIP("name"), NUMBERS("quat"), END};
#undef T
#define T spec_inertial
static const mjcf_attr inertial_attrs[] = {
    REALS("pos", 3, 3, pose.pos, MJCF_MUST), ORIENTATION,
    REAL("mass", mass, MJCF_MUST | MJCF_NONNEG),
    REALS("diaginertia", 3, 3, diaginertia, MJCF_NONNEG),
    REALS("fullinertia", 6, 6, fullinertia, 0), END};
#undef T
#define T spec_joint
static const mjcf_attr joint_attrs[] = {
    HEAD, WORD("type", type, joint_words), INT("group", group, 0), REALS("pos", 3, 3, pos, 0),
    REALS("axis", 3, 3, axis, 0),
    REALS("springdamper", 2, 2, springdamper, 0), WORD("limited", limited, auto_words),
    REALS("range", 2, 2, range, MJCF_INF), REAL("margin", margin, 0), REAL("ref", ref, 0),
    REAL("springref", springref, 0), POLY("stiffness", stiffness), POLY("damping", damping),
    REAL("armature", armature, 0), REAL("frictionloss", frictionloss, MJCF_NONNEG),
    REALS("solreflimit", 1, 2, solref_limit, MJCF_SOLREF),
    REALS("solimplimit", 1, 5, solimp_limit, 0),
    REALS("solreffriction", 1, 2, solref_friction, MJCF_SOLREF),
    REALS("solimpfriction", 1, 5, solimp_friction, 0),
    REALS("actuatorfrcrange", 2, 2, force_range, MJCF_INF),
    WORD("actuatorfrclimited", force_limited, auto_words),
    WORD("actuatorgravcomp", actuator_gravcomp, bool_words), USER, END};
static const mjcf_attr freejoint_attrs[] = {
    NAME("name", head.name, 0), SKIP("group"), WORD("align", align, auto_words), END};
#undef T
#define T spec_geom
static const mjcf_attr geom_attrs[] = {
    HEAD, WORD("type", type, geom_words), REALS("size", 1, 3, size, 0), INT("contype", contype, 0),
    INT("conaffinity", conaffinity, 0), INT("condim", condim, 0), INT("group", group, 0),
    INT("priority", priority, 0), REALS("friction", 1, 3, friction, 0),
    REAL("mass", mass, MJCF_NONNEG),
    REAL("density", density, MJCF_NONNEG), WORD("shellinertia", shellinertia, bool_words),
    REAL("solmix", solmix, 0), REALS("solref", 1, 2, solref, MJCF_SOLREF),
    REALS("solimp", 1, 5, solimp, 0),
    REAL("margin", margin, 0), REAL("gap", gap, 0), REALS("fromto", 6, 6, fromto, 0), POSE,
    NAME("material", material, 0), REALS("rgba", 4, 4, rgba, 0), NAME("mesh", mesh, 0),
    NAME("hfield", hfield, 0),
    REAL("fitscale", fitscale, 0), WORD("fluidshape", fluid, fluid_words),
    REALS("fluidcoef", 1, 5, fluidcoef, 0), USER,
    REAL("adhesion", adhesion, MJCF_NONNEG), REALS("surfacevel", 1, 6, surfacevel, 0), END};
#undef T
#define T spec_site
static const mjcf_attr site_attrs[] = {
    HEAD, WORD("type", type, site_words), REALS("size", 1, 3, size, 0), INT("group", group, 0),
    REALS("fromto", 6, 6, fromto, 0), POSE, SKIP("material"), NUMBERS("rgba"), USER,
    NAME("mesh", mesh, 0), END};
#undef T
#define T spec_camera
static const mjcf_attr camera_attrs[] = {
    HEAD, WORD("mode", mode, camera_words), POSE, NAME("target", target, MJCF_HERE),
    REAL("fovy", fovy, 0), INTS("resolution", 2, resolution), LATER("sensorsize", sensorsize),
    LATER("focal", focal), LATER("focalpixel", focalpixel), LATER("principal", principal),
    LATER("principalpixel", principalpixel), WORD("projection", projection, projection_words),
    WORD("orthographic", projection, bool_words), SKIP("ipd"), SKIP("output"), USER,
    END};
#undef T
#define T spec_pair
static const mjcf_attr pair_attrs[] = {
    HEAD, NAME("geom1", geom1, MJCF_HERE | MJCF_MUST), NAME("geom2", geom2, MJCF_HERE | MJCF_MUST),
    INT("condim", condim, 0), REALS("friction", 1, 5, friction, 0),
    REALS("solref", 1, 2, solref, MJCF_SOLREF),
    REALS("solreffriction", 1, 2, solreffriction, MJCF_SOLREF), REALS("solimp", 1, 5, solimp, 0),
    REAL("margin", margin, 0), REAL("gap", gap, 0), REAL("adhesion", adhesion, MJCF_NONNEG), END};
#undef T
#define T spec_exclude
static const mjcf_attr exclude_attrs[] = {
    NAME("name", head.name, 0), NAME("body1", body1, MJCF_MUST), NAME("body2", body2, MJCF_MUST),
    END};
#undef T
#define T spec_equality
#define EQUALITY                                                                                   \
    HEAD, WORD("active", active, bool_words), REALS("solref", 1, 2, solref, MJCF_SOLREF),          \
    REALS("solimp", 1, 5, solimp, 0)
static const mjcf_attr eq_default_attrs[] = {
    WORD("active", active, bool_words), REALS("solref", 1, 2, solref, MJCF_SOLREF),
    REALS("solimp", 1, 5, solimp, 0), END};
static const mjcf_attr connect_attrs[] = {
    EQUALITY, NAME("body1", name1, 0), NAME("body2", name2, 0), REALS("anchor", 3, 3, anchor, 0),
    NAME("site1", site1, 0), NAME("site2", site2, 0), END};
static const mjcf_attr weld_attrs[] = {
    EQUALITY, NAME("body1", name1, 0), NAME("body2", name2, 0), REALS("anchor", 3, 3, anchor, 0),
    NAME("site1", site1, 0), NAME("site2", site2, 0), REALS("relpose", 7, 7, relpose, 0),
    REAL("torquescale", torquescale, 0), END};
static const mjcf_attr eq_joint_attrs[] = {
    EQUALITY, NAME("joint1", name1, MJCF_MUST), NAME("joint2", name2, 0),
    REALS("polycoef", 1, 5, polycoef, MJCF_ALL), END};
static const mjcf_attr eq_tendon_attrs[] = {
    EQUALITY, NAME("tendon1", name1, MJCF_MUST), NAME("tendon2", name2, 0),
    REALS("polycoef", 1, 5, polycoef, MJCF_ALL), END};
#undef T
#define T spec_tendon
#define TENDON                                                                                     \
    HEAD, INT("group", group, 0), WORD("limited", limited, auto_words),                            \
    REALS("range", 2, 2, range, MJCF_INF), REAL("margin", margin, 0),                              \
    REALS("springlength", 1, 2, springlength, MJCF_MORE),                                          \
    POLY("stiffness", stiffness), POLY("damping", damping),                                        \
    REAL("armature", armature, MJCF_NONNEG | MJCF_HERE),                                           \
    REAL("frictionloss", frictionloss, MJCF_NONNEG),                                               \
    REALS("solreflimit", 1, 2, solref_limit, MJCF_SOLREF),                                         \
    REALS("solimplimit", 1, 5, solimp_limit, 0),                                                   \
    REALS("solreffriction", 1, 2, solref_friction, MJCF_SOLREF),                                   \
    REALS("solimpfriction", 1, 5, solimp_friction, 0),                                             \
    REALS("actuatorfrcrange", 2, 2, force_range, MJCF_INF | MJCF_HERE),                            \
    {"actuatorfrclimited", MJCF_WORD, 0, 0, AT(force_limited), mjcf_auto_words, MJCF_HERE},        \
    USER
/* drawn as lines: fixed tendons are not */
static const mjcf_attr tendon_attrs[] = {
    TENDON, NUMBERS("width"), SKIP("material"), NUMBERS("rgba"), END};
static const mjcf_attr fixed_attrs[] = {TENDON, END};
#undef T
#define T spec_wrap
static const mjcf_attr wrap_joint_attrs[] = {
    NAME("joint", name, MJCF_MUST), REAL("coef", prm, MJCF_MUST), END};
static const mjcf_attr wrap_site_attrs[] = {NAME("site", name, MJCF_MUST), END};
static const mjcf_attr wrap_geom_attrs[] = {
    NAME("geom", name, MJCF_MUST), NAME("sidesite", side, 0), END};
static const mjcf_attr wrap_pulley_attrs[] = {REAL("divisor", prm, MJCF_MUST | MJCF_POSITIVE), END};
#undef T
#define HISTORY                                                                                    \
    REAL("delay", history.delay, 0), INT("nsample", history.nsample, 0),                 \
    WORD("interp", history.interp, interp_words)
#define T spec_actuator
#define ACTUATOR_OF_ANY_FORCE                                                                      \
    HEAD, INT("group", group, 0), REALS("ctrlrange", 2, 2, ctrlrange, MJCF_INF),                   \
    USER, HISTORY
#define ACTUATOR                                                                                   \
    ACTUATOR_OF_ANY_FORCE, WORD("forcelimited", forcelimited, auto_words),                         \
    REALS("forcerange", 2, 2, forcerange, MJCF_INF)
#define TRANSMISSION                                                                               \
    REALS("gear", 1, 6, gear, 0), REALS("lengthrange", 2, 2, lengthrange, MJCF_HERE),    \
    REAL("cranklength", cranklength, 0), NAME("joint", joint, MJCF_HERE),                          \
    NAME("jointinparent", jointinparent, MJCF_HERE), NAME("tendon", tendon, MJCF_HERE),            \
    NAME("slidersite", slidersite, MJCF_HERE), NAME("cranksite", cranksite, MJCF_HERE),            \
    REAL("armature", armature, MJCF_NONNEG), REALS("damping", 1, 3, damping, 0)
#define PULLER ACTUATOR, TRANSMISSION
#define SITES NAME("site", site, MJCF_HERE), NAME("refsite", refsite, MJCF_HERE)
#define MOVER PULLER, SITES
#define LIMITED_MOVER MOVER, WORD("ctrllimited", ctrllimited, auto_words)
#define ACTIVATION WORD("actlimited", actlimited, auto_words),                                     \
    REALS("actrange", 2, 2, actrange, MJCF_INF)
#define GAINS                                                                                      \
    REAL("kp", said.kp, 0), REAL("kv", said.kv, MJCF_NONNEG),                                      \
    REAL("dampratio", said.dampratio, MJCF_NONNEG)
#define SERVO GAINS, REAL("inheritrange", inheritrange, MJCF_FLOOR)
static const mjcf_attr general_attrs[] = {
    LIMITED_MOVER, ACTIVATION, NAME("body", body, MJCF_HERE), WORD("dyntype", dyntype, dyn_words),
    WORD("gaintype", gaintype, gain_words), WORD("biastype", biastype, bias_words),
    REALS("dynprm", 1, 10, dynprm, 0), REALS("gainprm", 1, 10, gainprm, 0),
    REALS("biasprm", 1, 10, biasprm, 0),
    INT("actdim", actdim, 0), WORD("actearly", actearly, bool_words), END};
static const mjcf_attr motor_attrs[] = {LIMITED_MOVER, END};
static const mjcf_attr position_attrs[] = {
    LIMITED_MOVER, SERVO, REAL("timeconst", said.timeconst, MJCF_NONNEG), END};
static const mjcf_attr velocity_attrs[] = {LIMITED_MOVER, REAL("kv", said.kv, 0), END};
static const mjcf_attr intvelocity_attrs[] = {LIMITED_MOVER, ACTIVATION, SERVO, END};
static const mjcf_attr damper_attrs[] = {MOVER, REAL("kv", said.kv, 0), END};
static const mjcf_attr cylinder_attrs[] = {
    LIMITED_MOVER, REAL("timeconst", said.timeconst, 0), REAL("area", said.area, 0),
    REAL("diameter", said.diameter, 0),
    REALS("bias", 3, 3, biasprm, 0), END};
static const mjcf_attr muscle_attrs[] = {
    PULLER, WORD("ctrllimited", ctrllimited, auto_words),
    REALS("timeconst", 2, 2, said.timeconst, 0),
    REAL("tausmooth", said.tausmooth, MJCF_NONNEG | MJCF_HERE),
    REALS("range", 2, 2, said.muscle[0], 0), REAL("force", said.muscle[2], 0),
    REAL("scale", said.muscle[3], 0),
    REAL("lmin", said.muscle[4], 0), REAL("lmax", said.muscle[5], 0),
    REAL("vmax", said.muscle[6], 0),
    REAL("fpmax", said.muscle[7], 0), REAL("fvmax", said.muscle[8], 0), END};
static const mjcf_attr adhesion_attrs[] = {
    ACTUATOR, NAME("body", body, MJCF_HERE), REAL("gain", said.gain, MJCF_NONNEG), END};
static const mjcf_attr dcmotor_attrs[] = {
    ACTUATOR_OF_ANY_FORCE, TRANSMISSION, SITES, WORD("ctrllimited", ctrllimited, auto_words),
    REALS("motorconst", 1, 2, said.motorconst, 0), REAL("resistance", said.resistance, 0),
    REALS("nominal", 1, 3, said.nominal, 0), REALS("saturation", 1, 3, said.saturation, 0),
    NAME("input", motor.input, 0), REALS("controller", 1, 6, motor.controller, MJCF_NONNEG),
    REALS("cogging", 1, 3, motor.cogging, 0),
    REALS("inductance", 1, 2, said.inductance, MJCF_NONNEG),
    REALS("thermal", 1, 6, said.thermal, 0), REALS("lugre", 1, 5, motor.lugre, 0), END};
static const mjcf_attr pid_attrs[] = {
    LIMITED_MOVER, SERVO, NAME("input", pid.input, 0),
    REALS("posrange", 2, 2, ctrlrange, MJCF_INF), REALS("velrange", 2, 2, pid.velrange, MJCF_INF),
    REALS("ffrange", 2, 2, pid.ffrange, MJCF_INF), REAL("ki", pid.ki, MJCF_NONNEG),
    REAL("imax", pid.imax, 0), REAL("slewmax", pid.slew, MJCF_NONNEG), END};
static const mjcf_attr orientation_attrs[] = {
    ACTUATOR, GAINS, NAME("joint", joint, MJCF_HERE), SITES,
    WORD("input", orientation.input, chart_words), END};
#undef T
#define T spec_sensor
#define SILENT                                                                                     \
    NAME("name", head.name, 0), REAL("cutoff", cutoff, MJCF_NONNEG),                               \
    {"user", MJCF_ATTR, 0, 0, AT(user_attr), NULL, 0}
#define A_SENSOR                     SILENT, REAL("noise", noise, MJCF_NONNEG)
#define TIMES                        HISTORY, REALS("interval", 1, 2, history.interval, 0)
#define SENSOR                       A_SENSOR, TIMES
static const mjcf_attr site_sensor_attrs[] = {SENSOR, NAME("site", object, MJCF_MUST), END};
static const mjcf_attr joint_sensor_attrs[] = {SENSOR, NAME("joint", object, MJCF_MUST), END};
static const mjcf_attr actuator_sensor_attrs[] = {SENSOR, NAME("actuator", object, MJCF_MUST), END};
static const mjcf_attr tendon_sensor_attrs[] = {SENSOR, NAME("tendon", object, MJCF_MUST), END};
static const mjcf_attr body_sensor_attrs[] = {SENSOR, NAME("body", object, MJCF_MUST), END};
static const mjcf_attr clock_attrs[] = {SENSOR, END};
#define FRAME                                                                                      \
    {"objtype", MJCF_STRING, 0, 0, AT(objtype), mjcf_frame_words, MJCF_MUST},                      \
    NAME("objname", objname, MJCF_MUST)
static const mjcf_attr acc_sensor_attrs[] = {SENSOR, FRAME, END};
static const mjcf_attr ray_attrs[] = {
    SENSOR, NAME("site", object, 0), NAME("camera", refname, 0), NAME("data", data, 0), END};
static const mjcf_attr projection_attrs[] = {
    SENSOR, NAME("site", object, MJCF_MUST), NAME("camera", refname, MJCF_MUST), END};
static const mjcf_attr inside_sensor_attrs[] = {SENSOR, FRAME, NAME("site", site, MJCF_MUST), END};
static const mjcf_attr frame_sensor_attrs[] = {
    SENSOR, FRAME, {"reftype", MJCF_STRING, 0, 0, AT(reftype), mjcf_frame_words, 0},
    NAME("refname", refname, 0), END};
static const mjcf_attr distance_attrs[] = {
    SENSOR, NAME("geom1", geom1, 0), NAME("geom2", geom2, 0), NAME("body1", body1, 0),
    NAME("body2", body2, 0), END};
static const mjcf_attr contact_sensor_attrs[] = {
    SENSOR, NAME("site", site, 0), NAME("geom1", geom1, 0), NAME("geom2", geom2, 0),
    NAME("body1", body1, 0), NAME("body2", body2, 0), NAME("subtree1", subtree1, 0),
    NAME("subtree2", subtree2, 0), NAME("data", data, 0), WORD("reduce", reduce, reduce_words),
    INT("num", num, 0), END};
static const mjcf_attr tactile_attrs[] = {
    SILENT, TIMES, NAME("geom", geom1, MJCF_MUST), NAME("mesh", refname, MJCF_MUST), END};
static const mjcf_attr user_sensor_attrs[] = {
    A_SENSOR, NAME("objtype", objtype, 0), NAME("objname", objname, 0),
    INT("dim", dim, MJCF_MUST | MJCF_NONNEG),
    WORD("needstage", stage, stage_words), WORD("datatype", datatype, data_words), END};
#undef T
#define T spec_key
static const mjcf_attr key_attrs[] = {
    NAME("name", head.name, 0), REAL("time", time, 0), LATER("qpos", qpos), LATER("qvel", qvel),
    LATER("act", act), LATER("ctrl", ctrl), LATER("mpos", mpos), LATER("mquat", mquat), END};
#undef T
#define T spec_comp_said
static const mjcf_attr composite_attrs[] = {
    NAME("prefix", prefix, 0), {"type", MJCF_WORD, 0, 0, AT(type), mjcf_composite_words, MJCF_MUST},
    REALS("count", 1, 3, count, 0), REAL("spacing", spacing, MJCF_NONNEG),
    REALS("offset", 3, 3, offset, 0), REAL("flatinertia", flatinertia, MJCF_NONNEG),
    REALS("solrefsmooth", 1, 2, solref_smooth, MJCF_SOLREF),
    REALS("solimpsmooth", 1, 5, solimp_smooth, 0),
    {"vertex", MJCF_ATTR, 0, 0, AT(vertex), NULL, 0},
    {"initial", MJCF_STRING, 0, 0, AT(initial), mjcf_initial_words, 0}, NAME("curve", curve, 0),
    REALS("size", 1, 3, size, 0), REALS("quat", 4, 4, quat, 0), END};
#undef T
#define T spec_comp_joint
static const mjcf_attr comp_joint_attrs[] = {
    {"kind", MJCF_WORD, 0, 0, AT(kind), mjcf_comp_joint_words, MJCF_MUST},
    INT("group", joint.group, 0),
    REAL("stiffness", joint.stiffness, 0), REAL("damping", joint.damping, 0),
    REAL("armature", joint.armature, 0), REAL("frictionloss", joint.frictionloss, MJCF_NONNEG),
    WORD("limited", joint.limited, auto_words), REALS("range", 2, 2, joint.range, MJCF_INF),
    REAL("margin", joint.margin, 0),
    REALS("solreflimit", 1, 2, joint.solref_limit, MJCF_SOLREF),
    REALS("solimplimit", 1, 5, joint.solimp_limit, 0),
    REALS("solreffriction", 1, 2, joint.solref_friction, MJCF_SOLREF),
    REALS("solimpfriction", 1, 5, joint.solimp_friction, 0),
    REALS("solreffix", 1, 2, solref_fix, MJCF_SOLREF), REALS("solimpfix", 1, 5, solimp_fix, 0),
    END};
#undef T
#define T spec_comp_tendon
static const mjcf_attr comp_tendon_attrs[] = {
    {"kind", MJCF_WORD, 0, 0, AT(kind), mjcf_comp_tendon_words, MJCF_MUST},
    INT("group", tendon.group, 0), WORD("limited", tendon.limited, auto_words),
    REALS("range", 2, 2, tendon.range, MJCF_INF), REAL("margin", tendon.margin, 0),
    REAL("stiffness", tendon.stiffness, 0), REAL("damping", tendon.damping, 0),
    REAL("frictionloss", tendon.frictionloss, MJCF_NONNEG),
    REALS("solreflimit", 1, 2, tendon.solref_limit, MJCF_SOLREF),
    REALS("solimplimit", 1, 5, tendon.solimp_limit, 0),
    REALS("solreffriction", 1, 2, tendon.solref_friction, MJCF_SOLREF),
    REALS("solimpfriction", 1, 5, tendon.solimp_friction, 0),
    REALS("solreffix", 1, 2, solref_fix, MJCF_SOLREF), REALS("solimpfix", 1, 5, solimp_fix, 0),
    SKIP("width"), SKIP("material"), SKIP("rgba"), END};
#undef T
#define T spec_geom
static const mjcf_attr comp_geom_attrs[] = {
    WORD("type", type, geom_words), REALS("size", 1, 3, size, 0), INT("contype", contype, 0),
    INT("conaffinity", conaffinity, 0), INT("condim", condim, 0), INT("group", group, 0),
    INT("priority", priority, 0), REALS("friction", 1, 3, friction, 0),
    REAL("mass", mass, MJCF_NONNEG), REAL("density", density, MJCF_NONNEG),
    REAL("solmix", solmix, 0), REALS("solref", 1, 2, solref, MJCF_SOLREF),
    REALS("solimp", 1, 5, solimp, 0), REAL("margin", margin, 0), REAL("gap", gap, 0),
    NAME("material", material, 0), REALS("rgba", 4, 4, rgba, 0), END};
#undef T
#define T spec_site
static const mjcf_attr comp_site_attrs[] = {
    REALS("size", 1, 3, size, 0), INT("group", group, 0), SKIP("material"), SKIP("rgba"), END};
#undef T
static const mjcf_attr comp_pin_attrs[] = {
    {"coord", MJCF_REALS, 1, 2, 0, NULL, MJCF_MUST}, END};
static const mjcf_attr comp_skin_attrs[] = {
    SKIP("texcoord"), SKIP("material"), SKIP("group"), SKIP("rgba"), SKIP("inflate"),
    SKIP("subgrid"), END};
static const mjcf_attr model_attrs[] = {
    SKIP("name"), {"file", MJCF_SKIP, 0, 0, 0, NULL, MJCF_MUST}, SKIP("content_type"), END};
static const mjcf_attr attach_attrs[] = {
    {"model", MJCF_SKIP, 0, 0, 0, NULL, MJCF_MUST}, SKIP("body"), SKIP("frame"),
    {"prefix", MJCF_SKIP, 0, 0, 0, NULL, MJCF_MUST}, END};
static const mjcf_attr no_attrs[] = {END};
static const mjcf_attr root_attrs[] = {SKIP("model"), END};

#define BODIES (MJCF_IN_WORLD | MJCF_IN_BODY)
#define REFUSED(tag, parents) {tag, MJCF_EL_REFUSE, parents, MJCF_IN_NOTHING, NULL}
#define DRAWN(tag, parents)   {tag, MJCF_EL_SKIP, parents, MJCF_IN_NOTHING, NULL}
#define ACTUATES(tag, element, attrs)                                                              \
    {tag, element, MJCF_IN_ACTUATOR | MJCF_IN_DEFAULT, MJCF_IN_NOTHING, attrs}

static const mjcf_rule rules[] = {
    {"mujoco", MJCF_EL_SKIP, MJCF_IN_NOTHING, MJCF_IN_ROOT, root_attrs},
    {"compiler", MJCF_EL_COMPILER, MJCF_IN_ROOT, MJCF_IN_COMPILER, compiler_attrs},
    {"lengthrange", MJCF_EL_LENGTHRANGE, MJCF_IN_COMPILER, MJCF_IN_NOTHING, lengthrange_attrs},
    {"option", MJCF_EL_OPTION, MJCF_IN_ROOT, MJCF_IN_OPTION, option_attrs},
    {"flag", MJCF_EL_FLAG, MJCF_IN_OPTION, MJCF_IN_NOTHING, flag_attrs},
    {"size", MJCF_EL_SIZE, MJCF_IN_ROOT, MJCF_IN_NOTHING, size_attrs},
    {"statistic", MJCF_EL_STATISTIC, MJCF_IN_ROOT, MJCF_IN_NOTHING, statistic_attrs},
    DRAWN("visual", MJCF_IN_ROOT),
    {"default", MJCF_EL_DEFAULT, MJCF_IN_ROOT | MJCF_IN_DEFAULT, MJCF_IN_DEFAULT, default_attrs},
    {"custom", MJCF_EL_CUSTOM, MJCF_IN_ROOT, MJCF_IN_CUSTOM, no_attrs},
    {"numeric", MJCF_EL_NUMERIC, MJCF_IN_CUSTOM, MJCF_IN_NOTHING, numeric_attrs},
    {"text", MJCF_EL_TEXT, MJCF_IN_CUSTOM, MJCF_IN_NOTHING, text_attrs},
    {"tuple", MJCF_EL_TUPLE, MJCF_IN_CUSTOM, MJCF_IN_TUPLE, tuple_attrs},
    {"element", MJCF_EL_ELEMENT, MJCF_IN_TUPLE, MJCF_IN_NOTHING, element_attrs},
    {"asset", MJCF_EL_ASSET, MJCF_IN_ROOT, MJCF_IN_ASSET, no_attrs},
    {"material", MJCF_EL_MATERIAL, MJCF_IN_ASSET, MJCF_IN_NOTHING, material_attrs},
    DRAWN("texture", MJCF_IN_ASSET), DRAWN("skin", MJCF_IN_ASSET | MJCF_IN_DEFORMABLE),
    {"mesh", MJCF_EL_MESH, MJCF_IN_ASSET | MJCF_IN_DEFAULT, MJCF_IN_NOTHING, mesh_attrs},
    {"hfield", MJCF_EL_HFIELD, MJCF_IN_ASSET, MJCF_IN_NOTHING, hfield_attrs},
    {"model", MJCF_EL_MODEL, MJCF_IN_ASSET, MJCF_IN_NOTHING, model_attrs},
    {"worldbody", MJCF_EL_WORLDBODY, MJCF_IN_ROOT, MJCF_IN_WORLD, no_attrs},
    {"body", MJCF_EL_BODY, BODIES, MJCF_IN_BODY, body_attrs},
    {"frame", MJCF_EL_FRAME, BODIES, MJCF_IN_NOTHING, frame_attrs},
    {"inertial", MJCF_EL_INERTIAL, MJCF_IN_BODY, MJCF_IN_NOTHING, inertial_attrs},
    {"joint", MJCF_EL_JOINT, MJCF_IN_BODY | MJCF_IN_DEFAULT, MJCF_IN_NOTHING, joint_attrs},
    {"freejoint", MJCF_EL_FREEJOINT, MJCF_IN_BODY, MJCF_IN_NOTHING, freejoint_attrs},
    {"geom", MJCF_EL_GEOM, BODIES | MJCF_IN_DEFAULT, MJCF_IN_NOTHING, geom_attrs},
    {"site", MJCF_EL_SITE, BODIES | MJCF_IN_DEFAULT, MJCF_IN_NOTHING, site_attrs},
    {"camera", MJCF_EL_CAMERA, BODIES | MJCF_IN_DEFAULT, MJCF_IN_NOTHING, camera_attrs},
    DRAWN("light", BODIES | MJCF_IN_DEFAULT), DRAWN("material", MJCF_IN_DEFAULT),
    {"composite", MJCF_EL_COMPOSITE, BODIES, MJCF_IN_COMPOSITE, composite_attrs},
    {"joint", MJCF_EL_COMP_JOINT, MJCF_IN_COMPOSITE, MJCF_IN_NOTHING, comp_joint_attrs},
    {"tendon", MJCF_EL_COMP_TENDON, MJCF_IN_COMPOSITE, MJCF_IN_NOTHING, comp_tendon_attrs},
    {"geom", MJCF_EL_COMP_GEOM, MJCF_IN_COMPOSITE, MJCF_IN_NOTHING, comp_geom_attrs},
    {"site", MJCF_EL_COMP_SITE, MJCF_IN_COMPOSITE, MJCF_IN_NOTHING, comp_site_attrs},
    {"pin", MJCF_EL_COMP_PIN, MJCF_IN_COMPOSITE, MJCF_IN_NOTHING, comp_pin_attrs},
    {"skin", MJCF_EL_COMP_SKIN, MJCF_IN_COMPOSITE, MJCF_IN_NOTHING, comp_skin_attrs},
    REFUSED("plugin", MJCF_IN_COMPOSITE), REFUSED("flexcomp", BODIES), REFUSED("plugin", BODIES),
    {"replicate", MJCF_EL_REPLICATE, BODIES, MJCF_IN_NOTHING, replicate_attrs},
    {"attach", MJCF_EL_ATTACH, BODIES, MJCF_IN_NOTHING, attach_attrs},
    {"contact", MJCF_EL_CONTACT, MJCF_IN_ROOT, MJCF_IN_CONTACT, no_attrs},
    {"pair", MJCF_EL_PAIR, MJCF_IN_CONTACT | MJCF_IN_DEFAULT, MJCF_IN_NOTHING, pair_attrs},
    {"exclude", MJCF_EL_EXCLUDE, MJCF_IN_CONTACT, MJCF_IN_NOTHING, exclude_attrs},
    {"equality", MJCF_EL_EQUALITY, MJCF_IN_ROOT, MJCF_IN_EQUALITY, no_attrs},
    {"equality", MJCF_EL_EQ_DEFAULT, MJCF_IN_DEFAULT, MJCF_IN_NOTHING, eq_default_attrs},
    {"connect", MJCF_EL_CONNECT, MJCF_IN_EQUALITY, MJCF_IN_NOTHING, connect_attrs},
    {"weld", MJCF_EL_WELD, MJCF_IN_EQUALITY, MJCF_IN_NOTHING, weld_attrs},
    {"joint", MJCF_EL_EQ_JOINT, MJCF_IN_EQUALITY, MJCF_IN_NOTHING, eq_joint_attrs},
    {"tendon", MJCF_EL_EQ_TENDON, MJCF_IN_EQUALITY, MJCF_IN_NOTHING, eq_tendon_attrs},
    REFUSED("distance", MJCF_IN_EQUALITY), REFUSED("flex", MJCF_IN_EQUALITY),
    REFUSED("flexvert", MJCF_IN_EQUALITY), REFUSED("flexstrain", MJCF_IN_EQUALITY),
    {"tendon", MJCF_EL_TENDON, MJCF_IN_ROOT, MJCF_IN_TENDON, no_attrs},
    {"tendon", MJCF_EL_TENDON_DEFAULT, MJCF_IN_DEFAULT, MJCF_IN_NOTHING, tendon_attrs},
    {"fixed", MJCF_EL_FIXED, MJCF_IN_TENDON, MJCF_IN_FIXED, fixed_attrs},
    {"spatial", MJCF_EL_SPATIAL, MJCF_IN_TENDON, MJCF_IN_SPATIAL, tendon_attrs},
    {"joint", MJCF_EL_WRAP_JOINT, MJCF_IN_FIXED, MJCF_IN_NOTHING, wrap_joint_attrs},
    {"site", MJCF_EL_WRAP_SITE, MJCF_IN_SPATIAL, MJCF_IN_NOTHING, wrap_site_attrs},
    {"geom", MJCF_EL_WRAP_GEOM, MJCF_IN_SPATIAL, MJCF_IN_NOTHING, wrap_geom_attrs},
    {"pulley", MJCF_EL_WRAP_PULLEY, MJCF_IN_SPATIAL, MJCF_IN_NOTHING, wrap_pulley_attrs},
    {"deformable", MJCF_EL_DEFORMABLE, MJCF_IN_ROOT, MJCF_IN_DEFORMABLE, no_attrs},
    REFUSED("flex", MJCF_IN_DEFORMABLE),
    /* only says which plugins there are; what uses one is refused */
    {"extension", MJCF_EL_SKIP, MJCF_IN_ROOT, MJCF_IN_NOTHING, NULL},
    {"actuator", MJCF_EL_ACTUATOR, MJCF_IN_ROOT, MJCF_IN_ACTUATOR, no_attrs},
    ACTUATES("general", MJCF_EL_GENERAL, general_attrs),
    ACTUATES("motor", MJCF_EL_MOTOR, motor_attrs),
    ACTUATES("position", MJCF_EL_POSITION, position_attrs),
    ACTUATES("velocity", MJCF_EL_VELOCITY, velocity_attrs),
    ACTUATES("intvelocity", MJCF_EL_INTVELOCITY, intvelocity_attrs),
    ACTUATES("damper", MJCF_EL_DAMPER, damper_attrs),
    ACTUATES("cylinder", MJCF_EL_CYLINDER, cylinder_attrs),
    ACTUATES("muscle", MJCF_EL_MUSCLE, muscle_attrs),
    ACTUATES("adhesion", MJCF_EL_ADHESION, adhesion_attrs),
    ACTUATES("dcmotor", MJCF_EL_DCMOTOR, dcmotor_attrs),
    ACTUATES("pid", MJCF_EL_PID, pid_attrs),
    ACTUATES("orientation", MJCF_EL_ORIENTATION, orientation_attrs),
    REFUSED("plugin", MJCF_IN_ACTUATOR),
    {"sensor", MJCF_EL_SENSOR, MJCF_IN_ROOT, MJCF_IN_SENSOR, no_attrs},
    {"touch", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, site_sensor_attrs},
    {"accelerometer", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, site_sensor_attrs},
    {"velocimeter", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, site_sensor_attrs},
    {"gyro", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, site_sensor_attrs},
    {"force", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, site_sensor_attrs},
    {"torque", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, site_sensor_attrs},
    {"magnetometer", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, site_sensor_attrs},
    {"rangefinder", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, ray_attrs},
    {"jointpos", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, joint_sensor_attrs},
    {"jointvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, joint_sensor_attrs},
    {"ballquat", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, joint_sensor_attrs},
    {"ballangvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, joint_sensor_attrs},
    {"jointlimitpos", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, joint_sensor_attrs},
    {"jointlimitvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, joint_sensor_attrs},
    {"jointlimitfrc", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, joint_sensor_attrs},
    {"actuatorpos", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, actuator_sensor_attrs},
    {"actuatorvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, actuator_sensor_attrs},
    {"actuatorfrc", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, actuator_sensor_attrs},
    {"framepos", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, frame_sensor_attrs},
    {"framequat", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, frame_sensor_attrs},
    {"framexaxis", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, frame_sensor_attrs},
    {"frameyaxis", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, frame_sensor_attrs},
    {"framezaxis", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, frame_sensor_attrs},
    {"framelinvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, frame_sensor_attrs},
    {"frameangvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, frame_sensor_attrs},
    {"framelinacc", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, acc_sensor_attrs},
    {"frameangacc", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, acc_sensor_attrs},
    {"insidesite", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, inside_sensor_attrs},
    {"contact", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, contact_sensor_attrs},
    {"e_potential", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, clock_attrs},
    {"e_kinetic", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, clock_attrs},
    {"distance", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, distance_attrs},
    {"normal", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, distance_attrs},
    {"fromto", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, distance_attrs},
    {"jointactuatorfrc", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, joint_sensor_attrs},
    {"tendonactuatorfrc", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, tendon_sensor_attrs},
    {"subtreecom", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, body_sensor_attrs},
    {"subtreelinvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, body_sensor_attrs},
    {"subtreeangmom", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, body_sensor_attrs},
    {"clock", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, clock_attrs},
    {"user", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, user_sensor_attrs},
    {"tendonpos", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, tendon_sensor_attrs},
    {"tendonvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, tendon_sensor_attrs},
    {"tendonlimitpos", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, tendon_sensor_attrs},
    {"tendonlimitvel", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, tendon_sensor_attrs},
    {"tendonlimitfrc", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, tendon_sensor_attrs},
    {"camprojection", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, projection_attrs},
    {"tactile", MJCF_EL_A_SENSOR, MJCF_IN_SENSOR, MJCF_IN_NOTHING, tactile_attrs},
    REFUSED("plugin", MJCF_IN_SENSOR),
    {"keyframe", MJCF_EL_KEYFRAME, MJCF_IN_ROOT, MJCF_IN_KEYFRAME, no_attrs},
    {"key", MJCF_EL_KEY, MJCF_IN_KEYFRAME, MJCF_IN_NOTHING, key_attrs},
};
/* clang-format on */

enum { NRULE = sizeof rules / sizeof rules[0] };

const mjcf_rule *mjcf_rules(size_t *n)
{
    *n = NRULE;
    return rules;
}

const mjcf_rule *mjcf_find_rule(int parent, const char *tag)
{
    for (size_t i = 0; i < NRULE; i++) {
        const char *name = rules[i].tag;
        if ((rules[i].parents & parent) != 0 && name[0] == tag[0] && strcmp(name, tag) == 0) {
            return &rules[i];
        }
    }
    return NULL;
}

size_t mjcf_tags(int parent, const char **tags, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < NRULE && count < n; i++) {
        if ((rules[i].parents & parent) != 0) {
            tags[count++] = rules[i].tag;
        }
    }
    return count;
}
