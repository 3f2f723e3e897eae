/* mirror_actuator.c: which actuator is whose mirror image. With p the image of a, s = 1 or -1, at
 * mirrored states and inputs z_p = s z_a:
 *
 *     moment_p (S q) = s S moment_a(q)         force_p(S q, S v, s z) = s force_a(q, v, z)
 *
 * so that qfrc_p = S qfrc_a. This is tried at a state away from all axes of symmetry; ranges and
 * activation dynamics must be mirrored, too.
 */
#include "base/house.h"
#include "invdyn/invdyn.h"
#include "invdyn/mirror_check.h"

#include <string.h>

/* One state and its image, and what the actuators make of it. */
typedef struct side {
    sal_data *d;
    double *moment; /* [nu x nv] */
} side;

static void evaluate(const sal_model *m, const side *s, const double *w)
{
    sal_data *d = s->d;
    inv_mirror_velocity(m, d);
    sal_actuator_moment(m, d);
    sal_actuation_driven(m, d, w);
    memset(s->moment, 0, (size_t)m->nu * (size_t)m->nv * sizeof(double));
    for (int i = 0; i < m->nu; i++) {
        for (int k = m->moment_rowadr[i]; k < m->moment_rowadr[i] + m->moment_rownnz[i]; k++) {
            s->moment[i * m->nv + m->moment_colind[k]] = d->actuator_moment[k];
        }
    }
}

/* moment of p on the other side = sign S moment of a */
static bool moments_mirror(const sal_image *image, const sal_model *m, const double *of_a,
                           const double *of_p, double sign)
{
    double scale = 0;
    for (int i = 0; i < m->nv; i++) {
        scale = fmax(scale, fabs(of_a[i]));
    }
    for (int i = 0; i < m->nv; i++) {
        if (!inv_mirror_near(of_p[i], sign * image->dof_sign[i] * of_a[image->dof_index[i]],
                             scale)) {
            return false;
        }
    }
    return true;
}

/* [lo, hi] of p is that of a, or with a negative sign [-hi, -lo] */
static bool ranges_mirror(const int *limited, const double *range, int a, int p, double sign)
{
    const double *x = range + 2 * a, *y = range + 2 * p;
    const double lo = sign > 0 ? x[0] : -x[1], hi = sign > 0 ? x[1] : -x[0];
    return limited[a] == limited[p] &&
           (!limited[a] || (inv_mirror_near(y[0], lo, 1) && inv_mirror_near(y[1], hi, 1)));
}

static bool kinds_mirror(const sal_model *m, int a, int p, double sign)
{
    bool same = m->actuator_dyntype[a] == m->actuator_dyntype[p] &&
                m->actuator_actearly[a] == m->actuator_actearly[p] &&
                (sign > 0 || m->actuator_dyntype[a] != SAL_DYN_MUSCLE);
    for (int k = 0; k < 10 && m->actuator_dyntype[a] != SAL_DYN_NONE; k++) {
        const double x = m->actuator_dynprm[10 * a + k], y = m->actuator_dynprm[10 * p + k];
        same = same && inv_mirror_near(x, y, fabs(x));
    }
    return same && ranges_mirror(m->actuator_ctrllimited, m->actuator_ctrlrange, a, p, sign) &&
           ranges_mirror(m->actuator_forcelimited, m->actuator_forcerange, a, p, sign) &&
           ranges_mirror(m->actuator_actlimited, m->actuator_actrange, a, p, sign);
}

/* The state's image, driven by inputs of the same or the opposite sign: force of p on the other
 * side = sign force of a. */
static bool is_image(const sal_image *image, const sal_model *m, const side s[3], int a, int p,
                     double sign)
{
    const double *force = s[0].d->actuator_force, *other = s[sign > 0 ? 1 : 2].d->actuator_force;
    return kinds_mirror(m, a, p, sign) &&
           moments_mirror(image, m, s[0].moment + a * m->nv, s[1].moment + p * m->nv, sign) &&
           inv_mirror_near(other[p], sign * force[a], fabs(force[a]));
}

/* p of a, and back: the first that fits and has no partner yet */
static bool find_partner(sal_image *image, const sal_model *m, const side s[3], int a)
{
    for (int p = a; p < m->nu; p++) {
        for (int sign = 1; sign >= -1 && image->actuator_sign[p] == 0; sign -= 2) {
            if (is_image(image, m, s, a, p, sign)) {
                image->actuator_index[a] = p, image->actuator_index[p] = a;
                image->actuator_sign[a] = image->actuator_sign[p] = sign;
                return true;
            }
        }
    }
    return false;
}

static void set_states(const sal_image *image, const sal_model *m, const side s[3], double *e)
{
    sal_rng rng = {45};
    const double *q = s[0].d->qpos, *v = s[0].d->qvel;
    for (int i = 0; i < m->nv; i++) {
        e[i] = sal_rng_uniform(&rng, -0.3, 0.3);
        s[0].d->qvel[i] = sal_rng_uniform(&rng, -0.5, 0.5);
    }
    sal_integrate_pos(m, s[0].d->qpos, m->qpos0, e, 1);
    for (int k = 1; k < 3; k++) {
        sal_image_apply(image, m, s[k].d->qpos, q, 0);
        for (int i = 0; i < m->nv; i++) {
            s[k].d->qvel[i] = image->dof_sign[i] * v[image->dof_index[i]];
        }
    }
}

sal_status sal_image_actuators(sal_image *image, const sal_model *m, sal_err *err)
{
    const size_t nu = (size_t)m->nu, nv = (size_t)m->nv;
    side s[3] = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
    double *scratch = sal_alloc(3 * nu * nv + nu + nv, sizeof(double));
    sal_status status = scratch == NULL ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
    for (int k = 0; k < 3 && status == SAL_OK; k++) {
        status = sal_data_new(&s[k].d, m, err);
        s[k].moment = scratch + (size_t)k * nu * nv;
    }
    if (status != SAL_OK || !image->mirrored) {
        goto done;
    }
    double *w = scratch + 3 * nu * nv;
    set_states(image, m, s, w + nu);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < m->nu; i++) {
            w[i] = k < 2 ? 0.4 : -0.4;
            image->actuator_sign[i] = 0;
        }
        evaluate(m, s + k, w);
    }
    for (int a = 0; a < m->nu && status == SAL_OK; a++) {
        if (image->actuator_sign[a] == 0 && !find_partner(image, m, s, a)) {
            char name[SAL_LABEL_MAX];
            status = sal_fail(err, SAL_BADINPUT,
                              "the model is not its own mirror image: %s has no mirrored "
                              "partner (of the same moment arms, gains, biases, ranges and time "
                              "constants)",
                              sal_model_label(m, SAL_OBJ_ACTUATOR, a, name));
        }
    }
done:
    for (int i = 0; i < m->nu && status != SAL_OK; i++) {
        image->actuator_index[i] = i, image->actuator_sign[i] = 1;
    }
    for (int k = 0; k < 3; k++) {
        sal_data_free(s[k].d);
    }
    sal_free(scratch);
    return status;
}
