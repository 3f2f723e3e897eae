/* words.h: the words that attributes may have as their value, and the numbers that they
 * stand for; private to grammar.c */
#ifndef SAL_MJCF_LANGUAGE_WORDS_H
#define SAL_MJCF_LANGUAGE_WORDS_H

#include "mjcf/reader.h"

/* clang-format off */
static const mjcf_word mjcf_bool_words[] = {{"false", 0}, {"true", 1}, {NULL, 0}};
static const mjcf_word mjcf_auto_words[] = {{"false", SPEC_FALSE}, {"true", SPEC_TRUE}, {"auto",
    SPEC_AUTO}, {NULL, 0}};
static const mjcf_word mjcf_flag_words[] = {{"disable", 0}, {"enable", 1}, {NULL, 0}};
static const mjcf_word mjcf_disable_words[] = {{"disable", 0}, {"enable", SPEC_OTHER}, {NULL, 0}};
static const mjcf_word mjcf_angle_words[] = {{"radian", 0}, {"degree", 1}, {NULL, 0}};
static const mjcf_word mjcf_conflict_words[] = {
    {"merge", 0}, {"warning", 0}, {"error", 0}, {NULL, 0}};
static const mjcf_word mjcf_coordinate_words[] = {{"local", 0}, {"global", 1}, {NULL, 0}};
static const mjcf_word mjcf_integrator_words[] = {
    {"Euler", SAL_INT_EULER}, {"RK4", SAL_INT_RK4}, {"implicit", SAL_INT_IMPLICIT},
    {"implicitfast", SAL_INT_IMPLICITFAST}, {"discrete", SAL_INT_DISCRETE}, {NULL, 0}};
static const mjcf_word mjcf_cone_words[] = {
    {"pyramidal", SAL_CONE_PYRAMIDAL}, {"elliptic", SAL_CONE_ELLIPTIC}, {NULL, 0}};
static const mjcf_word mjcf_collision_words[] = {
    {"all", SPEC_COLLISION_ALL}, {"predefined", SPEC_COLLISION_PREDEFINED},
    {"dynamic", SPEC_COLLISION_DYNAMIC}, {NULL, 0}};
static const mjcf_word mjcf_joint_words[] = {
    {"free", SAL_JNT_FREE}, {"ball", SAL_JNT_BALL}, {"slide", SAL_JNT_SLIDE},
    {"hinge", SAL_JNT_HINGE}, {NULL, 0}};
static const mjcf_word mjcf_geom_words[] = {
    {"plane", SAL_GEOM_PLANE}, {"sphere", SAL_GEOM_SPHERE}, {"capsule", SAL_GEOM_CAPSULE},
    {"ellipsoid", SAL_GEOM_ELLIPSOID}, {"cylinder", SAL_GEOM_CYLINDER}, {"box", SAL_GEOM_BOX},
    {"mesh", SAL_GEOM_MESH}, {"hfield", SAL_GEOM_HFIELD}, {"sdf", SPEC_OTHER}, {NULL, 0}};
static const mjcf_word mjcf_mesh_inertia_words[] = {
    {"legacy", SPEC_INERTIA_LEGACY}, {"exact", SPEC_INERTIA_EXACT}, {"convex", SPEC_INERTIA_CONVEX},
    {"shell", SPEC_INERTIA_SHELL}, {NULL, 0}};
static const mjcf_word mjcf_builtin_words[] = {
    {"none", SPEC_BUILTIN_NONE}, {"sphere", SPEC_BUILTIN_SPHERE},
    {"hemisphere", SPEC_BUILTIN_HEMISPHERE}, {"cone", SPEC_BUILTIN_CONE},
    {"supersphere", SPEC_BUILTIN_SUPERSPHERE}, {"supertorus", SPEC_BUILTIN_SUPERTORUS},
    {"wedge", SPEC_BUILTIN_WEDGE}, {"plate", SPEC_BUILTIN_PLATE}, {NULL, 0}};
static const mjcf_word mjcf_site_words[] = {
    {"sphere", SAL_GEOM_SPHERE}, {"capsule", SAL_GEOM_CAPSULE}, {"ellipsoid", SAL_GEOM_ELLIPSOID},
    {"cylinder", SAL_GEOM_CYLINDER}, {"box", SAL_GEOM_BOX}, {"mesh", SAL_GEOM_MESH}, {NULL, 0}};
static const mjcf_word mjcf_camera_words[] = {
    {"fixed", SAL_CAM_FIXED}, {"track", SAL_CAM_TRACK}, {"trackcom", SAL_CAM_TRACKCOM},
    {"targetbody", SAL_CAM_TARGETBODY}, {"targetbodycom", SAL_CAM_TARGETBODYCOM}, {NULL, 0}};
static const mjcf_word mjcf_projection_words[] = {
    {"perspective", 0}, {"orthographic", 1}, {NULL, 0}};
static const mjcf_word mjcf_dyn_words[] = {
    {"none", SAL_DYN_NONE}, {"integrator", SAL_DYN_INTEGRATOR}, {"filter", SAL_DYN_FILTER},
    {"filterexact", SAL_DYN_FILTEREXACT}, {"muscle", SAL_DYN_MUSCLE}, {"dcmotor", SPEC_OTHER},
    {"user", SPEC_OTHER}, {NULL, 0}};
static const mjcf_word mjcf_gain_words[] = {
    {"fixed", SAL_GAIN_FIXED}, {"affine", SAL_GAIN_AFFINE}, {"muscle", SAL_GAIN_MUSCLE},
    {"dcmotor", SPEC_OTHER}, {"user", SPEC_USER}, {NULL, 0}};
static const mjcf_word mjcf_bias_words[] = {
    {"none", SAL_BIAS_NONE}, {"affine", SAL_BIAS_AFFINE}, {"muscle", SAL_BIAS_MUSCLE},
    {"dcmotor", SPEC_OTHER}, {"user", SPEC_USER}, {NULL, 0}};
static const mjcf_word mjcf_frame_words[] = {
    {"body", SAL_OBJ_BODY}, {"xbody", SAL_OBJ_XBODY}, {"geom", SAL_OBJ_GEOM},
    {"site", SAL_OBJ_SITE}, {"camera", SAL_OBJ_CAMERA}, {NULL, 0}};
static const mjcf_word mjcf_stage_words[] = {
    {"pos", SAL_STAGE_POS}, {"vel", SAL_STAGE_VEL}, {"acc", SAL_STAGE_ACC}, {NULL, 0}};
static const mjcf_word mjcf_data_words[] = {
    {"real", SAL_DATA_REAL}, {"positive", SAL_DATA_POSITIVE}, {"axis", SAL_DATA_AXIS},
    {"quaternion", SAL_DATA_QUATERNION}, {NULL, 0}};
static const mjcf_word mjcf_mode_words[] = {
    {"none", SPEC_MODE_NONE}, {"muscle", SPEC_MODE_MUSCLE}, {"muscleuser", SPEC_MODE_MUSCLE},
    {"all", SPEC_MODE_ALL}, {NULL, 0}};
static const mjcf_word mjcf_reduce_words[] = {
    {"none", SAL_REDUCE_NONE}, {"mindist", SAL_REDUCE_MINDIST}, {"maxforce", SAL_REDUCE_MAXFORCE},
    {"netforce", SAL_REDUCE_NETFORCE}, {NULL, 0}};
static const mjcf_word mjcf_jacobian_words[] = {
    {"dense", 0}, {"sparse", 0}, {"auto", 0}, {NULL, 0}};
static const mjcf_word mjcf_solver_words[] = {
    {"Newton", SAL_SOLVER_NEWTON}, {"PGS", SAL_SOLVER_PGS}, {"CG", SAL_SOLVER_CG}, {NULL, 0}};
static const mjcf_word mjcf_composite_words[] = {
    {"particle", SPEC_COMP_PARTICLE}, {"grid", SPEC_COMP_GRID}, {"rope", SPEC_COMP_ROPE},
    {"loop", SPEC_COMP_LOOP}, {"cloth", SPEC_COMP_CLOTH}, {"box", SPEC_COMP_BOX},
    {"cylinder", SPEC_COMP_CYLINDER}, {"ellipsoid", SPEC_COMP_ELLIPSOID},
    {"cable", SPEC_COMP_CABLE}, {NULL, 0}};
static const mjcf_word mjcf_comp_joint_words[] = {
    {"main", SPEC_COMP_MAIN}, {"twist", SPEC_COMP_TWIST}, {"stretch", SPEC_COMP_STRETCH},
    {NULL, 0}};
static const mjcf_word mjcf_comp_tendon_words[] = {
    {"main", SPEC_COMP_MAIN}, {"shear", SPEC_COMP_SHEAR}, {NULL, 0}};
static const mjcf_word mjcf_chart_words[] = {{"expmap", 0}, {"quat", 1}, {NULL, 0}};
static const mjcf_word mjcf_interp_words[] = {
    {"zoh", SAL_INTERP_ZOH}, {"linear", SAL_INTERP_LINEAR}, {"cubic", SAL_INTERP_CUBIC}, {NULL, 0}};
static const mjcf_word mjcf_initial_words[] = {{"free", 0}, {"ball", 0}, {"none", 0}, {NULL, 0}};
static const mjcf_word mjcf_fluid_words[] = {{"none", 0}, {"ellipsoid", 1}, {NULL, 0}};
/* clang-format on */

#endif
