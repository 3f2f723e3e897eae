/* sensor_deriv.c: exact derivatives of sensors, sensor by sensor; those of frames and subtrees have
 * files of their own.
 *
 *     joint, tendon, actuator    length: its Jacobian by q; rate J v: J by v, and by q v'N, N =
 *                                dJ/dq
 *     limit                      as above, with the sign of its row; of a ball pos = high - |r| and
 *                                vel = -u.v, u = r/|r|:
 *                                du = (1 - uu') Jri(r) dphi / |r|
 *     limit's force              law of its row
 *     ballquat                   dq = q (0, dphi) / 2
 */
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/deriv/step_deriv.h"
#include "physics/sensors/sensor.h"
#include "physics/tendon.h"

#include <string.h>

bool sal_sensor_has_deriv(const sal_model *m, int i)
{
    const int type = m->sensor_type[i];
    const bool exact_rows = m->opt.enable & SAL_ENBL_DIAGEXACT; /* their scale varies with q */
    switch (type) {
    case SAL_SENS_JOINTPOS:
    case SAL_SENS_JOINTVEL:
    case SAL_SENS_BALLQUAT:
    case SAL_SENS_BALLANGVEL:
    case SAL_SENS_JOINTLIMITPOS:
    case SAL_SENS_JOINTLIMITVEL:
    case SAL_SENS_TENDONPOS:
    case SAL_SENS_TENDONVEL:
    case SAL_SENS_TENDONLIMITPOS:
    case SAL_SENS_TENDONLIMITVEL:
    case SAL_SENS_ACTUATORPOS:
    case SAL_SENS_ACTUATORVEL:
    case SAL_SENS_CLOCK:
    case SAL_SENS_INSIDESITE:
    case SAL_SENS_GEOMDIST:
        return true;
    case SAL_SENS_TOUCH:
    case SAL_SENS_JOINTLIMITFRC:
    case SAL_SENS_TENDONLIMITFRC:
        return !exact_rows;
    case SAL_SENS_FORCE:
    case SAL_SENS_TORQUE:
        return !exact_rows && phy_sensor_force_has_deriv(m, i);
    case SAL_SENS_E_KINETIC:
        return sal_kinetic_energy_has_deriv(m);
    default:
        return phy_sensor_sees_frame(type) || phy_sensor_sees_subtree(type);
    }
}

/* D = scale J of the limit's row, by which its distance varies */
static void limit_row_deriv(const sal_model *m, const sal_data *d, int i, double scale, double *D)
{
    const int row = phy_limit_row(m, d, i);
    for (int k = 0; row >= 0 && k < d->efc_J_rownnz[row]; k++) {
        const int at = d->efc_J_rowadr[row] + k;
        D[d->efc_J_colind[at]] = scale * d->efc_J[at];
    }
}

/* How the rate -u.w of a ball's limit varies as its direction u turns. J = -u, |r| = high - pos */
void phy_ball_row_deriv(const sal_model *m, const sal_data *d, int row, double k, const double *x,
                        double *g)
{
    const int j = d->efc_id[row], dof = m->jnt_dofadr[j];
    const double *w = x + dof;
    const double *range = m->jnt_range + 2 * j;
    const double angle = (range[0] > range[1] ? range[0] : range[1]) - d->efc_pos[row];
    double u[3], r[3], J[9], across[3], out[3];
    sal_v3_scale(u, d->efc_J + d->efc_J_rowadr[row], -1);
    sal_v3_scale(r, u, angle);
    sal_quat_log_deriv(J, r);
    sal_v3_addscaled(across, w, -sal_v3_dot(u, w), u); /* (1 - uu') w */
    sal_m3_multv(out, J, across);
    sal_v3_addscaled(g + dof, g + dof, -k / angle, out);
}

static bool watches_ball(const sal_model *m, int i)
{
    return m->sensor_objtype[i] != SAL_OBJ_TENDON &&
           m->jnt_type[m->sensor_objid[i]] == SAL_JNT_BALL;
}

/* The row of a tendon's limit is J or -J: k with that sign. */
static double signed_as(const sal_model *m, const sal_data *d, int row, int t, double k)
{
    const double *J = d->efc_J + d->efc_J_rowadr[row], *Jt = d->ten_J + m->tendon_Jadr[t];
    double product = 0;
    for (int i = 0; i < d->efc_J_rownnz[row]; i++) {
        product += J[i] * Jt[i];
    }
    return product < 0 ? -k : k;
}

/* Dq += k times how the row varies, times w [nv] */
static void limit_turn_deriv(const sal_model *m, sal_data *d, int i, int row, double k,
                             const double *w, double *Dq)
{
    const int id = m->sensor_objid[i];
    if (watches_ball(m, i)) {
        phy_ball_row_deriv(m, d, row, k, w, Dq);
    } else if (m->sensor_objtype[i] == SAL_OBJ_TENDON) {
        phy_tendon_turn_add(m, d, id, signed_as(m, d, row, id, k), w, Dq);
    }
}

/* vel = J v by v, and of a ball or a spatial tendon by q */
static void limit_velocity_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv)
{
    const int row = phy_limit_row(m, d, i);
    limit_row_deriv(m, d, i, 1, Dv);
    if (row >= 0) {
        limit_turn_deriv(m, d, i, row, 1, d->qvel, Dq);
    }
}

/* a + B v [nv] */
static double *take(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, (size_t)m->nv, sizeof(double));
}

void phy_sensor_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    take(m, arena);
    phy_length_deriv_scratch(m, arena);
    phy_step_deriv_scratch(m, arena);
    phy_subtree_deriv_scratch(m, arena);
    phy_sensor_force_deriv_scratch(m, arena);
    arena->used = mark;
}

/* D -= f dlog rho, see step_deriv.c */
static void less_softening(const sal_model *m, sal_data *d, int row, double f, double *const D[3])
{
    const size_t mark = d->arena.used;
    const double *by[2];
    if (phy_softening_of(m, d, row, by, by + 1)) {
        for (int k = 0; k < m->nv; k++) {
            D[0][k] -= f * by[0][k];
            D[1][k] -= f * by[1][k];
        }
    }
    d->arena.used = mark;
}

/* f = law(J (a + B v) + ..):   df/da = -H J,   df/dv = -H B J,
 * df/dq = -c J, and where J varies -H dJ/dq (a + B v) */
static void limit_force_deriv(const sal_model *m, sal_data *d, int i, double *const D[3])
{
    const size_t mark = d->arena.used;
    const int row = phy_limit_row(m, d, i);
    if (row < 0) {
        return;
    }
    const phy_law_rows rows = phy_law_rows_of(m, d);
    const phy_row_slope k = phy_row_slope_of(m, d, &rows, row);
    double *w = take(m, &d->arena);
    if (w == NULL) {
        return;
    }
    limit_row_deriv(m, d, i, -k.c, D[0]);
    limit_row_deriv(m, d, i, -k.H * k.B, D[1]);
    limit_row_deriv(m, d, i, -k.H, D[2]);
    for (int c = 0; c < m->nv; c++) {
        w[c] = d->qacc[c] + k.B * d->qvel[c];
    }
    limit_turn_deriv(m, d, i, row, -k.H, w, D[0]);
    less_softening(m, d, row, k.f, D);
    d->arena.used = mark;
}

/* q (0, e_k) / 2 */
static void ball_quat_deriv(const sal_model *m, const sal_data *d, int j, double *D)
{
    double q[4];
    sal_quat_copy(q, d->qpos + m->jnt_qposadr[j]);
    sal_quat_normalise(q);
    for (int k = 0; k < 3; k++) {
        double half[4] = {0}, dq[4];
        half[1 + k] = 0.5;
        sal_quat_mul(dq, q, half);
        for (int r = 0; r < 4; r++) {
            D[r * m->nv + m->jnt_dofadr[j] + k] = dq[r];
        }
    }
}

/* Sensors of coordinates, whose D is zero so far. */
static void coordinate_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv)
{
    const int id = m->sensor_objid[i];
    switch (m->sensor_type[i]) {
    case SAL_SENS_JOINTPOS:
        Dq[m->jnt_dofadr[id]] = 1;
        break;
    case SAL_SENS_JOINTVEL:
        Dv[m->jnt_dofadr[id]] = 1;
        break;
    case SAL_SENS_BALLQUAT:
        ball_quat_deriv(m, d, id, Dq);
        break;
    case SAL_SENS_BALLANGVEL:
        for (int r = 0; r < 3; r++) {
            Dv[r * m->nv + m->jnt_dofadr[id] + r] = 1;
        }
        break;
    case SAL_SENS_JOINTLIMITPOS:
    case SAL_SENS_TENDONLIMITPOS:
        limit_row_deriv(m, d, i, 1, Dq);
        break;
    case SAL_SENS_JOINTLIMITVEL:
    case SAL_SENS_TENDONLIMITVEL:
        limit_velocity_deriv(m, d, i, Dq, Dv);
        break;
    case SAL_SENS_TENDONPOS:
        sal_tendon_length_deriv(m, d, id, Dq);
        break;
    case SAL_SENS_TENDONVEL:
        sal_tendon_velocity_deriv(m, d, id, Dq, Dv);
        break;
    case SAL_SENS_ACTUATORPOS:
        for (int r = 0; r < m->sensor_dim[i]; r++) {
            sal_actuator_length_deriv(m, d, phy_sensor_actuator(m, id) + r, Dq + r * m->nv);
        }
        break;
    case SAL_SENS_ACTUATORVEL:
        for (int r = 0; r < m->sensor_dim[i]; r++) {
            sal_actuator_velocity_deriv(m, d, phy_sensor_actuator(m, id) + r, Dq + r * m->nv,
                                        Dv + r * m->nv);
        }
        break;
    default: /* clock, insidesite: steps, flat between them */
        break;
    }
}

/* Sum of the normal forces on the site. Which contacts press there is taken as it is. */
static void touch_deriv(const sal_model *m, sal_data *d, int site, double *const D[3])
{
    for (int i = 0; i < d->ncon; i++) {
        if (phy_touch_force(m, d, site, i) > 0) {
            sal_contact_force_deriv(m, d, i, 1, D[0], D[1], D[2]);
        }
    }
}

/* Numbers that the cutoff holds do not vary. */
static void cut(const sal_model *m, const sal_data *d, int i, double *D)
{
    const double cutoff = m->sensor_cutoff[i];
    const int datatype = m->sensor_datatype[i];
    if (cutoff <= 0 || datatype == SAL_DATA_AXIS || datatype == SAL_DATA_QUATERNION) {
        return;
    }
    for (int r = 0; r < m->sensor_dim[i]; r++) {
        if (fabs(d->sensordata[m->sensor_adr[i] + r]) >= cutoff) {
            memset(D + r * m->nv, 0, (size_t)m->nv * sizeof *D);
        }
    }
}

bool sal_sensor_deriv(const sal_model *m, sal_data *d, int i, double *Dq, double *Dv, double *Da)
{
    const int type = m->sensor_type[i];
    const size_t bytes = (size_t)m->sensor_dim[i] * (size_t)m->nv * sizeof *Dq;
    double *const by[] = {Dq, Dv, Da};
    bool known = sal_sensor_has_deriv(m, i);
    for (int s = 0; s < 3 && s <= m->sensor_stage[i]; s++) {
        memset(by[s], 0, bytes);
    }
    if (!known || m->opt.disable & SAL_DSBL_SENSOR) {
        return known;
    }
    if (type == SAL_SENS_GEOMDIST) {
        known = phy_sensor_distance_deriv(m, d, i, Dq);
    } else if (type == SAL_SENS_TOUCH) {
        touch_deriv(m, d, m->sensor_objid[i], by);
    } else if (type == SAL_SENS_JOINTLIMITFRC || type == SAL_SENS_TENDONLIMITFRC) {
        limit_force_deriv(m, d, i, by);
    } else if (type == SAL_SENS_FORCE || type == SAL_SENS_TORQUE) {
        phy_sensor_force_deriv(m, d, i, by);
    } else if (phy_sensor_sees_frame(type)) {
        phy_sensor_frame_deriv(m, d, i, Dq, Dv, Da);
    } else if (phy_sensor_sees_subtree(type)) {
        phy_sensor_subtree_deriv(m, d, i, Dq, Dv);
    } else {
        coordinate_deriv(m, d, i, Dq, Dv);
    }
    for (int s = 0; s < 3 && s <= m->sensor_stage[i]; s++) {
        cut(m, d, i, by[s]);
    }
    return known && phy_scratch_status(d, NULL) == SAL_OK;
}
