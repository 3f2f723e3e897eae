/* columns.c: what the numbers of a row are called, and their units. */
#include "problems/result/result.h"

#include <stdio.h>

/* The own name of an object, if it has one. */
static bool take_name(char name[PRB_COLUMN_NAME], const sal_model *m, sal_object type, int id)
{
    return snprintf(name, PRB_COLUMN_NAME, "%.120s", sal_model_name(m, type, id)) > 0;
}

void prb_object_name(char name[PRB_COLUMN_NAME], const sal_model *m, sal_object type, int id)
{
    if (!take_name(name, m, type, id)) {
        snprintf(name, PRB_COLUMN_NAME, "%s_%d", sal_object_word(type), id);
    }
}

void prb_object_word(char name[PRB_COLUMN_NAME], const sal_model *m, sal_object type, int id)
{
    if (!take_name(name, m, type, id)) {
        snprintf(name, PRB_COLUMN_NAME, "#%d", id);
    }
}

/* The object a column belongs to, which of its columns it is, and how many it has. */
typedef struct place {
    sal_object type;
    int id, k, n;
} place;

static int joint_positions(const sal_model *m, int joint)
{
    const int type = m->jnt_type[joint];
    return type == SAL_JNT_FREE ? 7 : type == SAL_JNT_BALL ? 4 : 1;
}

static int joint_dofs(const sal_model *m, int joint)
{
    const int type = m->jnt_type[joint];
    return type == SAL_JNT_FREE ? 6 : type == SAL_JNT_BALL ? 3 : 1;
}

static place position_place(const sal_model *m, int i)
{
    int j = m->njnt - 1;
    while (j > 0 && m->jnt_qposadr[j] > i) {
        j--;
    }
    return (place){SAL_OBJ_JOINT, j, i - m->jnt_qposadr[j], joint_positions(m, j)};
}

static place dof_place(const sal_model *m, int i)
{
    const int j = m->dof_jntid[i];
    return (place){SAL_OBJ_JOINT, j, i - m->jnt_dofadr[j], joint_dofs(m, j)};
}

static place sensor_place(const sal_model *m, int i)
{
    int s = m->nsensor - 1;
    while (s > 0 && m->sensor_adr[s] > i) {
        s--;
    }
    return (place){SAL_OBJ_SENSOR, s, i - m->sensor_adr[s], m->sensor_dim[s]};
}

/* The actuator whose activation it is */
static place activation_place(const sal_model *m, int i)
{
    int a = 0;
    while (a + 1 < m->nu &&
           (m->actuator_actadr[a] < 0 || i >= m->actuator_actadr[a] + m->actuator_actnum[a])) {
        a++;
    }
    return (place){SAL_OBJ_ACTUATOR, a, i - m->actuator_actadr[a], m->actuator_actnum[a]};
}

static place column_place(const sal_model *m, prb_column kind, int i)
{
    switch ((int)kind) {
    case PRB_COL_QPOS:
        return position_place(m, i);
    case PRB_COL_QVEL:
    case PRB_COL_QACC:
    case PRB_COL_QFRC:
    case PRB_COL_DOF:
        return dof_place(m, i);
    case PRB_COL_CTRL:
        return (place){SAL_OBJ_ACTUATOR, i, 0, 1};
    case PRB_COL_ACT:
        return activation_place(m, i);
    case PRB_COL_SENSOR:
        return sensor_place(m, i);
    case PRB_COL_BODY_POS:
        return (place){SAL_OBJ_BODY, i / 3, i % 3, 3};
    case PRB_COL_BODY_QUAT:
        return (place){SAL_OBJ_BODY, i / 4, i % 4, 4};
    default:
        return (place){SAL_OBJ_NONE, 0, i, 0};
    }
}

static const char *const fixed_name[][9] = {
    [PRB_COL_XYZ] = {"x", "y", "z"},
    [PRB_COL_QUAT] = {"w", "x", "y", "z"},
    [PRB_COL_FRAME] = {"n:x", "n:y", "n:z", "t1:x", "t1:y", "t1:z", "t2:x", "t2:y", "t2:z"},
    [PRB_COL_WRENCH] = {"normal", "t1", "t2", "torsion", "roll1", "roll2"},
    [PRB_COL_GEOMS] = {"geom1", "geom2"},
    [PRB_COL_SIZE] = {"size0", "size1", "size2"},
    [PRB_COL_RGBA] = {"r", "g", "b", "a"},
    [PRB_COL_RANGE] = {"lower", "upper"},
};

void prb_column_name(char name[PRB_COLUMN_NAME], const sal_model *m, prb_column kind, int i,
                     const char *array)
{
    const place p = column_place(m, kind, i);
    if (p.n > 0) {
        prb_object_name(name, m, p.type, p.id);
        if (p.n > 1) {
            char own[PRB_COLUMN_NAME];
            snprintf(own, sizeof own, "%s", name);
            snprintf(name, PRB_COLUMN_NAME, "%.110s:%d", own, p.k);
        }
    } else if (kind == PRB_COL_ONE) {
        snprintf(name, PRB_COLUMN_NAME, "%s", array);
    } else {
        snprintf(name, PRB_COLUMN_NAME, "%s", fixed_name[kind][i]);
    }
}

/* X_k of a joint: is it a length or an angle? */
static bool dof_is_linear(const sal_model *m, int dof)
{
    const int j = m->dof_jntid[dof], type = m->jnt_type[j];
    return type == SAL_JNT_SLIDE || (type == SAL_JNT_FREE && dof - m->jnt_dofadr[j] < 3);
}

static const char *position_unit(const sal_model *m, int i)
{
    const place p = position_place(m, i);
    switch ((sal_joint_type)m->jnt_type[p.id]) {
    case SAL_JNT_SLIDE:
        return "m";
    case SAL_JNT_HINGE:
        return "rad";
    case SAL_JNT_FREE:
        return p.k < 3 ? "m" : "1";
    case SAL_JNT_BALL:
        break;
    }
    return "1";
}

static const char *joint_sensor_unit(const sal_model *m, int s)
{
    const bool slide = m->jnt_type[m->sensor_objid[s]] == SAL_JNT_SLIDE;
    if (m->sensor_type[s] == SAL_SENS_JOINTPOS || m->sensor_type[s] == SAL_SENS_JOINTLIMITPOS) {
        return slide ? "m" : "rad";
    }
    if (m->sensor_type[s] == SAL_SENS_JOINTLIMITFRC || m->sensor_type[s] == SAL_SENS_JOINTACTFRC) {
        return slide ? "N" : "N m";
    }
    return slide ? "m/s" : "rad/s";
}

static const char *sensor_unit(const sal_model *m, int s)
{
    switch ((int)m->sensor_type[s]) {
    case SAL_SENS_TOUCH:
    case SAL_SENS_FORCE:
    case SAL_SENS_TENDONLIMITFRC:
    case SAL_SENS_TENDONACTFRC:
        return "N";
    case SAL_SENS_TORQUE:
        return "N m";
    case SAL_SENS_ACCELEROMETER:
    case SAL_SENS_FRAMELINACC:
        return "m/s^2";
    case SAL_SENS_FRAMEANGACC:
        return "rad/s^2";
    case SAL_SENS_VELOCIMETER:
    case SAL_SENS_FRAMELINVEL:
    case SAL_SENS_SUBTREELINVEL:
    case SAL_SENS_TENDONVEL:
    case SAL_SENS_TENDONLIMITVEL:
        return "m/s";
    case SAL_SENS_GYRO:
    case SAL_SENS_FRAMEANGVEL:
    case SAL_SENS_BALLANGVEL:
        return "rad/s";
    case SAL_SENS_MAGNETOMETER:
        return "T";
    case SAL_SENS_RANGEFINDER: /* directions have none */
        return m->sensor_intprm[3 * s] & (1 << SAL_RAYDATA_DIR | 1 << SAL_RAYDATA_NORMAL) ? "1"
                                                                                          : "m";
    case SAL_SENS_FRAMEPOS:
    case SAL_SENS_SUBTREECOM:
    case SAL_SENS_TENDONPOS:
    case SAL_SENS_TENDONLIMITPOS:
    case SAL_SENS_GEOMDIST:
    case SAL_SENS_GEOMFROMTO:
        return "m";
    case SAL_SENS_SUBTREEANGMOM:
        return "kg m^2/s";
    case SAL_SENS_E_POTENTIAL:
    case SAL_SENS_E_KINETIC:
        return "J";
    case SAL_SENS_CAMPROJECTION:
        return "px";
    case SAL_SENS_CLOCK:
        return "s";
    case SAL_SENS_JOINTPOS:
    case SAL_SENS_JOINTVEL:
    case SAL_SENS_JOINTLIMITPOS:
    case SAL_SENS_JOINTLIMITVEL:
    case SAL_SENS_JOINTLIMITFRC:
    case SAL_SENS_JOINTACTFRC:
        return joint_sensor_unit(m, s);
    default:
        return "1";
    }
}

const char *prb_column_unit(const sal_model *m, prb_column kind, int i)
{
    switch ((int)kind) {
    case PRB_COL_QPOS:
        return position_unit(m, i);
    case PRB_COL_QVEL:
        return dof_is_linear(m, i) ? "m/s" : "rad/s";
    case PRB_COL_QACC:
        return dof_is_linear(m, i) ? "m/s^2" : "rad/s^2";
    case PRB_COL_QFRC:
        return dof_is_linear(m, i) ? "N" : "N m";
    case PRB_COL_SENSOR:
        return sensor_unit(m, sensor_place(m, i).id);
    case PRB_COL_WRENCH:
        return i < 3 ? "N" : "N m";
    default:
        return "1";
    }
}
