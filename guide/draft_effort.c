/* draft_effort.c: how much force of each actuator counts as 1, so that motors in N m and servos of
 * positions weigh the same.
 *
 *     limit     what the actuator can give: forcerange, actuatorfrcrange of its joint / gear, or
 *               for a motor gain x ctrlrange; infinite if nothing limits it
 *     gravity   what it may have to hold or to swing: of a leg W l + g A/l, else g m r + g A/r
 *               (m hangs from its joint, r the distance of the centre of mass; A the armature),
 *               / gear
 *     strength  the lesser of the two
 */
#include "base/house.h"
#include "guide/draft.h"

#include <math.h>
#include <string.h>

enum { GROUPS_MAX = 5 };

static double larger(const double range[2])
{
    return fmax(fabs(range[0]), fabs(range[1]));
}

double sal_actuator_limit(const sal_model *m, int i)
{
    const int joint = m->actuator_trntype[i] == SAL_TRN_JOINT ? m->actuator_trnid[i] : -1;
    const double gear = fmax(fabs(m->actuator_gear[6 * i]), 1e-9);
    double limit = INFINITY;
    if (m->actuator_forcelimited[i]) {
        limit = larger(m->actuator_forcerange + 2 * i);
    }
    if (joint >= 0 && m->jnt_actfrclimited[joint]) {
        limit = fmin(limit, larger(m->jnt_actfrcrange + 2 * joint) / gear);
    }
    if (m->actuator_gaintype[i] == SAL_GAIN_FIXED && m->actuator_biastype[i] == SAL_BIAS_NONE &&
        m->actuator_dyntype[i] == SAL_DYN_NONE && m->actuator_ctrllimited[i]) {
        limit =
            fmin(limit, fabs(m->actuator_gainprm[10 * i]) * larger(m->actuator_ctrlrange + 2 * i));
    }
    return limit > 0 ? limit : (double)INFINITY;
}

static bool carries_foot(const gde_draft *f, int joint)
{
    for (int i = 0; i < f->nfoot; i++) {
        for (int b = f->foot[i].body; b > 0 && b != f->root; b = f->m->body_parentid[b]) {
            if (b == f->m->jnt_bodyid[joint]) {
                return true;
            }
        }
    }
    return false;
}

static double gravity_of(const gde_draft *f, int i)
{
    const sal_model *m = f->m;
    if (m->actuator_trntype[i] != SAL_TRN_JOINT) {
        return INFINITY;
    }
    const int joint = m->actuator_trnid[i], body = m->jnt_bodyid[joint];
    const double gear = fmax(fabs(m->actuator_gear[6 * i]), 1e-9);
    const double armature = m->dof_armature[m->jnt_dofadr[joint]];
    if (carries_foot(f, joint)) {
        const bool slide = m->jnt_type[joint] == SAL_JNT_SLIDE;
        return (slide ? f->weight + 9.81 * armature
                      : f->weight * f->leg + 9.81 * armature / f->leg) /
               gear;
    }
    double com[3], r[3];
    sal_com(m, f->d);
    sal_bulk_value(m, f->d, SAL_BULK_COM, body, com);
    sal_v3_sub(r, com, f->d->xanchor + 3 * joint);
    const double reach = m->jnt_type[joint] == SAL_JNT_SLIDE ? 1 : fmax(sal_v3_norm(r), 0.02);
    return (9.81 * m->body_subtreemass[body] * reach + 9.81 * armature / reach) / gear;
}

void gde_find_strength(gde_draft *f)
{
    const sal_model *m = f->m;
    for (int i = 0; i < m->nu; i++) {
        const double limit = sal_actuator_limit(m, i), strength = fmin(limit, gravity_of(f, i));
        f->strength[i] = gde_rounded(isfinite(strength) ? fmin(fmax(strength, 1e-3), 1e6)
                                                        : fmax(f->weight / 5, 1e-3));
        f->limit[i] = isfinite(limit) ? gde_rounded(fmin(fmax(limit, 1e-3), 1e6)) : f->strength[i];
    }
}

/* ---- writing ---- */

/* Of a few sizes only: the nearest of 1, 2, 5 times a power of ten. */
static double coarse(double x)
{
    static const double steps[] = {1, 2, 5, 10};
    const double power = pow(10, floor(log10(x)));
    double best = power;
    for (int i = 0; i < 4; i++) {
        best = fabs(log(steps[i] * power / x)) < fabs(log(best / x)) ? steps[i] * power : best;
    }
    return best;
}

static int count_sizes(const double *x, int n)
{
    int sizes = 0;
    for (int i = 0; i < n; i++) {
        bool known = false;
        for (int k = 0; k < i; k++) {
            known = known || x[k] == x[i];
        }
        sizes += !known;
    }
    return sizes;
}

/* One term for each size of strength. */
static void write_groups(const gde_draft *f, double *x)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    int group = 0;
    for (int i = 0; i < m->nu; i++) {
        if (x[i] == 0) {
            continue;
        }
        const double size = x[i];
        sal_text_format(f->out, "    <term name=\"effort_%d\" sigma=\"%.3g\"", ++group, size);
        gde_words words = gde_words_begin(f->out, 40, "force");
        for (int k = i; k < m->nu; k++) {
            if (x[k] == size) {
                gde_word(&words, gde_name(m, SAL_OBJ_ACTUATOR, k, text));
                x[k] = 0;
            }
        }
        gde_words_end(&words);
        sal_text_add(f->out, "/>\n");
    }
}

void gde_write_forces(const gde_draft *f, double *x)
{
    const sal_model *m = f->m;
    const bool many = count_sizes(x, m->nu) > GROUPS_MAX;
    for (int i = 0; i < m->nu && many; i++) {
        x[i] = coarse(x[i]);
    }
    if (count_sizes(x, m->nu) == 1) {
        sal_text_format(f->out, "    <term name=\"effort\" force=\"all\" sigma=\"%.3g\"/>\n", x[0]);
    } else {
        write_groups(f, x);
    }
}

void gde_write_effort(const gde_draft *f)
{
    const sal_model *m = f->m;
    if (m->nu == 0) {
        sal_text_add(f->out, "    <term name=\"calm\" joint=\"all\" of=\"vel\" weight=\"0.01\"/>  "
                             "<!-- rad/s, m/s: the model has no actuators -->\n");
        return;
    }
    if (m->na > 0) {
        sal_text_add(f->out, "    <term name=\"effort\" ctrl=\"all\" weight=\"1\"/>  <!-- the "
                             "actuators have activations: their inputs count -->\n");
        return;
    }
    sal_text_add(f->out, "    <!-- effort: force (N) or torque (N m) over sigma, what the actuator "
                         "can give or gravity may ask\n         of it, whichever is less -->\n");
    gde_write_forces(f, f->strength);
}
