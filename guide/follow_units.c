/* follow_units.c: the units of a recording.
 *
 * A column says its unit in brackets (hip [deg]) or by the end of its name (hip_deg, x_mm). What
 * says none is in rad and m, unless the numbers cannot be meant so. Of angles follow_turns.c
 * judges that. Of lengths the height of the root does, beside that of the model's: one that stands
 * on the floor is nowhere else. What can leave the floor by itself may be at any height; then the
 * accelerations tell, which are a few times that of gravity at most:
 *
 *     a = |x(t + T) - 2 x(t) + x(t - T)| / T^2,      T = SPAN
 *
 * nine tenths of the samples have less than MOST in m/s^2.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 120 };
static const double CM = 30, MM = 300; /* times the model's height */
static const double SPAN = 0.1;        /* s */
static const double MOST = 60;         /* m/s^2 */
static const double FAR = 10;          /* beyond that cm are not enough either, but mm are */

/* ---- what columns say ---- */

const char *gde_unit(const sig_column *column, const char *own, char dimension)
{
    const char *dash = strrchr(column->name, '_');
    char of = 0;
    if (column->unit[0] != 0 || dash == NULL || (own != NULL && strcmp(own, column->name) == 0)) {
        return column->unit;
    }
    return sig_unit(dash + 1, &of) > 0 && of == dimension ? dash + 1 : "";
}

double gde_unit_size(const sig_column *column, const char *own, char dimension)
{
    char of = 0;
    const double si = sig_unit(gde_unit(column, own, dimension), &of);
    return of == dimension ? si : 0;
}

double gde_slide_unit(const gde_clip *c, int joint, int column)
{
    const char *own = sal_model_name(c->draft.m, SAL_OBJ_JOINT, joint);
    const double said = gde_unit_size(c->s.column + column, own, 'L');
    return said > 0 ? said : 1;
}

bool gde_strip_unit(const char *name, char dimension, char out[GDE_WORD])
{
    const char *dash = strrchr(name, '_');
    char of = 0;
    const bool has = dash != NULL && sig_unit(dash + 1, &of) > 0 && of == dimension;
    snprintf(out, GDE_WORD, "%.*s", (int)(has ? dash - name : 0), name);
    return has;
}

/* ---- what numbers say ---- */

/* Whether an actuator pushes the body against the world: by its own joint, or at a site. */
static bool is_pushed_by(const sal_model *m, int actuator, int body)
{
    const int type = m->actuator_trntype[actuator];
    bool own = false;
    for (int k = 0; k < m->moment_rownnz[actuator]; k++) {
        const int dof = m->moment_colind[m->moment_rowadr[actuator] + k];
        own = own || m->jnt_bodyid[m->dof_jntid[dof]] == body;
    }
    return own && type != SAL_TRN_BODY && (type != SAL_TRN_SITE || m->actuator_refid[actuator] < 0);
}

bool gde_is_pushed(const sal_model *m, int body)
{
    bool pushed = false;
    for (int i = 0; i < m->nu; i++) {
        pushed = pushed || is_pushed_by(m, i, body);
    }
    return pushed;
}

bool gde_can_fly(const sal_model *m, int body)
{
    bool alone = true;
    for (int j = 0; j < m->njnt; j++) {
        const int other = m->jnt_bodyid[j];
        alone = alone && (other == body || m->body_rootid[other] != body);
    }
    return alone || gde_is_pushed(m, body);
}

/* The median height of the root over that of the model, if that axis is up; NaN: not known. */
static double height_of(const gde_clip *c, char up)
{
    double height[SAMPLES];
    const sal_model *m = c->draft.m;
    const double home = c->root < 0 ? 0 : c->draft.pose[m->jnt_qposadr[c->root] + 2];
    const int rows = c->s.nrow < SAMPLES ? c->s.nrow : SAMPLES;
    int n = 0;
    for (int i = 0; i < rows; i++) {
        const int row = (int)((long long)i * c->s.nrow / rows);
        height[n] = fabs(gde_clip_cell(c, row, c->place[up == 'y' ? 1 : 2]));
        n += !isnan(height[n]);
    }
    sal_sort(height, n);
    return home > 0 && n > 0 ? height[n / 2] / home : (double)NAN;
}

/* What nine tenths of the accelerations are less than, in the unit of the recording. */
static double acceleration_of(const gde_clip *c)
{
    double found[SAMPLES];
    const int step = (int)fmax(1, round(SPAN * c->rate)), span = c->s.nrow - 2 * step,
              rows = span < SAMPLES ? span : SAMPLES;
    const double T = step / c->rate;
    int n = 0;
    for (int i = 0; i < rows; i++) {
        const int row = step + (int)((long long)i * span / rows);
        double bend[3];
        for (int k = 0; k < 3; k++) {
            bend[k] = gde_clip_cell(c, row + step, c->place[k]) -
                      2 * gde_clip_cell(c, row, c->place[k]) +
                      gde_clip_cell(c, row - step, c->place[k]);
        }
        found[n] = sal_v3_norm(bend) / (T * T);
        n += !isnan(found[n]);
    }
    sal_sort(found, n);
    return n > 0 ? found[9 * (n - 1) / 10] : 0;
}

static double by_size(double ratio, double cm, double mm)
{
    return ratio > mm ? 1e-3 : ratio > cm ? 1e-2 : 1;
}

double gde_place_unit(const gde_clip *c, char up)
{
    if (c->root < 0) {
        return 1;
    }
    const double said = gde_unit_size(c->s.column + c->place[0], NULL, 'L');
    if (said > 0) {
        return said;
    }
    return gde_can_fly(c->draft.m, c->draft.m->jnt_bodyid[c->root])
               ? by_size(acceleration_of(c), MOST, FAR * MOST)
               : by_size(height_of(c, up), CM, MM);
}

/* ---- in words ---- */

const char *gde_unit_name(double unit)
{
    return unit < 5e-3 ? "mm" : unit < 2e-2 ? "cm" : unit < 0.5 ? "in" : "m";
}

void gde_note_unit(gde_clip *c)
{
    if (c->root < 0 || c->made != NULL) {
        return;
    }
    const sig_column *x = c->s.column + c->place[0];
    const bool said = gde_unit_size(x, NULL, 'L') > 0,
               flies = gde_can_fly(c->draft.m, c->draft.m->jnt_bodyid[c->root]);
    if (!said && flies && (c->how.unit != 1 || height_of(c, c->how.up) > CM)) {
        gde_note(&c->draft,
                 "lengths are taken to be in %s, by the accelerations alone: the robot can leave "
                 "the floor, so its height tells nothing. If they are not, give the columns of the "
                 "place their unit, such as '%s_cm'",
                 gde_unit_name(c->how.unit), x->name);
    } else if (c->how.unit != 1) {
        gde_note(&c->draft, "lengths are in %s", gde_unit_name(c->how.unit));
    }
}
