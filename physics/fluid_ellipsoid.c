/* fluid_ellipsoid.c: the medium around an ellipsoid of semi-axes r that moves in it at (w; u), in
 * its own axes. With the coefficients blunt drag Cb, slender drag Cs, angular drag Ca, Kutta lift
 * Ck, Magnus lift Cm, and the medium's mass m_v and inertia i_v that move with it:
 *
 *     added mass   p = rho m_v u,  l = rho i_v w (by components):   F = p x w,   T = p x u + l x w
 *     Magnus       F = Cm rho V (w x u),                            V = 4/3 pi r_1 r_2 r_3
 *     Kutta        F = Ck rho c A ((n x u) x u),
 *     n_k = o_k^2 u_k the normal where the stream hits,  o_k = r_i r_j
 *                  c = b/(|u| a) its cosine with u,  A = pi sqrt(a/b) the area seen, a = sum o_k^4
 *                                                    u_k^2, b = sum o_k^2 u_k^2
 *     drag         F = -(3 pi beta D + rho |u| (A Cb + (A_max - A) Cs)) u,
 *     D = 2 (r_1 + r_2 + r_3) / 3
 *                  T = -(pi beta D^3 + rho |k o w|) w,              k_i = Ca I_i + Cs (I_max - I_i)
 *                  A_max = pi r_max r_mid,   I_i = 8/15 pi r_i max(r_j, r_k)^4,
 *                  I_max = 8/15 pi r_mid r_max^4
 *
 * (MuJoCo documentation, "Computation: fluid forces", ellipsoid model.) Blocks of the derivative
 * are TT, TF; FT, FF of (T; F) by (w; u).
 *
 * A and c do not depend on the speed. Until 3.12 the bottoms b and |u| a are no less than 1e-15,
 * which the small powers of r reach at centimetres per second; 3.14 has them as they are.
 */
#include "base/house.h"
#include "physics/fluid.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* block += s [a]x, so that block x += s a x x */
static void add_cross(double *block, double s, const double a[3])
{
    block[1] -= s * a[2], block[2] += s * a[1];
    block[6] += s * a[2], block[8] -= s * a[0];
    block[12] -= s * a[1], block[13] += s * a[0];
}

/* block += s a b' */
static void add_outer(double *block, double s, const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            block[6 * i + k] += s * a[i] * b[k];
        }
    }
}

/* block += s [a]x diag(b) */
static void add_cross_diagonal(double *block, double s, const double a[3], const double b[3])
{
    block[1] -= s * a[2] * b[1], block[2] += s * a[1] * b[2];
    block[6] += s * a[2] * b[0], block[8] -= s * a[0] * b[2];
    block[12] -= s * a[1] * b[0], block[13] += s * a[0] * b[1];
}

static void add_diagonal(double *block, const double a[3])
{
    block[0] += a[0], block[7] += a[1], block[14] += a[2];
}

static void added_mass(double rho, const double *fluid, const double v[6], double f[6],
                       double *slope)
{
    const double *w = v, *u = v + 3;
    double mass[3], inertia[3], p[3], l[3], x[3];
    sal_v3_scale(mass, fluid + 6, rho);
    sal_v3_scale(inertia, fluid + 9, rho);
    for (int k = 0; k < 3; k++) {
        p[k] = mass[k] * u[k];
        l[k] = inertia[k] * w[k];
    }
    sal_v3_cross(x, p, u);
    sal_v3_add(f, f, x);
    sal_v3_cross(x, l, w);
    sal_v3_add(f, f, x);
    sal_v3_cross(x, p, w);
    sal_v3_add(f + 3, f + 3, x);
    if (slope != NULL) { /* d(p x w) = p x dw - w x dp, and so on */
        add_cross(slope, 1, l);
        add_cross_diagonal(slope, -1, w, inertia);
        add_cross(slope + 3, 1, p);
        add_cross_diagonal(slope + 3, -1, u, mass);
        add_cross(slope + 18, 1, p);
        add_cross_diagonal(slope + 21, -1, w, mass);
    }
}

static void magnus(double s, const double v[6], double f[6], double *slope)
{
    double x[3];
    sal_v3_cross(x, v, v + 3);
    sal_v3_addscaled(f + 3, f + 3, s, x);
    if (slope != NULL) {
        add_cross(slope + 18, -s, v + 3);
        add_cross(slope + 21, s, v);
    }
}

/* What the stream sees, and its gradients by u. */
typedef struct stream {
    double speed, o2[3];
    double normal[3];      /* n */
    double a, b;           /* as above */
    double area, darea[3]; /* A */
    bool exact;            /* 3.14 */
} stream;

/* Whether the bottom of a fraction counts as it is */
static bool counts(const stream *s, double bottom)
{
    return (s->exact ? s->speed : bottom) > SAL_MINVAL;
}

static void see(stream *s, const double r[3], const double u[3], sal_mujoco version)
{
    double da[3];
    s->exact = version == SAL_MUJOCO_314;
    s->speed = sal_v3_norm(u);
    s->a = s->b = 0;
    for (int k = 0; k < 3; k++) {
        const double o = r[(k + 1) % 3] * r[(k + 2) % 3];
        s->o2[k] = o * o;
        s->normal[k] = o * o * u[k];
        da[k] = 2 * o * o * s->normal[k];
        s->a += s->normal[k] * s->normal[k];
        s->b += s->normal[k] * u[k];
    }
    const bool flows = counts(s, s->b);
    s->area = pi * sqrt(s->a / (flows ? s->b : SAL_MINVAL));
    for (int k = 0; k < 3; k++) { /* dA/A = da/(2a) - db/(2b),  db = 2 n */
        s->darea[k] = s->a > 0 ? s->area * (da[k] / (2 * s->a)) : 0;
        s->darea[k] -= flows ? s->area * s->normal[k] / s->b : 0;
    }
}

static void kutta(double scale, const stream *s, const double u[3], double f[6], double *slope)
{
    const double length = s->speed * s->a;
    const bool flows = counts(s, length);
    const double bottom = flows ? length : SAL_MINVAL, cosine = s->b / bottom;
    double turn[3], lift[3], grad[3], block[36] = {0}, diagonal[3];
    sal_v3_cross(turn, s->normal, u);
    sal_v3_cross(lift, turn, u);
    sal_v3_addscaled(f + 3, f + 3, scale * cosine * s->area, lift);
    if (slope == NULL) {
        return;
    }
    for (int k = 0; k < 3; k++) { /* grad = d(c A)/du,  c = b / (|u| a) */
        const double da = 2 * s->o2[k] * s->normal[k];
        const double dlength = flows ? s->a * u[k] / s->speed + s->speed * da : 0;
        const double dcosine = (2 * s->normal[k] - cosine * dlength) / bottom;
        grad[k] = dcosine * s->area + cosine * s->darea[k];
        diagonal[k] = s->b - s->speed * s->speed * s->o2[k];
    }
    /* (n x u) x u = b u - |u|^2 n:  its derivative is  b 1 + 2 u n' - |u|^2 diag(o^2) - 2 n u' */
    add_diagonal(block, diagonal);
    add_outer(block, 2, u, s->normal);
    add_outer(block, -2, s->normal, u);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            slope[21 + 6 * i + k] +=
                scale * (cosine * s->area * block[6 * i + k] + lift[i] * grad[k]);
        }
    }
}

static void sort_axes(const double r[3], double *most, double *middle)
{
    const double least = fmin(r[0], fmin(r[1], r[2]));
    *most = fmax(r[0], fmax(r[1], r[2]));
    *middle = r[0] + r[1] + r[2] - *most - least;
}

static void drag(const sal_model *m, const double r[3], const double *fluid, const stream *s,
                 const double v[6], double f[6], double *slope)
{
    const double blunt = fluid[1], slender = fluid[2], angular = fluid[3];
    const double rho = m->opt.density, beta = m->opt.viscosity;
    const double D = (r[0] + r[1] + r[2]) * 2 / 3, *w = v, *u = v + 3;
    double most, middle, k[3], moment[3];
    sort_axes(r, &most, &middle);
    const double area_max = pi * most * middle;
    const double inertia_max = 8 * pi / 15 * middle * most * most * most * most;
    for (int i = 0; i < 3; i++) {
        const double across = fmax(r[(i + 1) % 3], r[(i + 2) % 3]);
        const double inertia = 8 * pi / 15 * r[i] * across * across * across * across;
        k[i] = angular * inertia + slender * (inertia_max - inertia);
        moment[i] = k[i] * w[i];
    }
    const double shape = s->area * blunt + slender * (area_max - s->area);
    const double resist = 3 * pi * beta * D + rho * s->speed * shape;
    const double size = sal_v3_norm(moment), brake = pi * beta * D * D * D + rho * size;
    sal_v3_addscaled(f, f, -brake, w);
    sal_v3_addscaled(f + 3, f + 3, -resist, u);
    if (slope == NULL) {
        return;
    }
    double dbrake[3], dresist[3];
    for (int i = 0; i < 3; i++) {
        dbrake[i] = size > 0 ? rho * k[i] * moment[i] / size : 0;
        dresist[i] = s->speed > 0 ? rho * shape * u[i] / s->speed : 0;
        dresist[i] += rho * s->speed * (blunt - slender) * s->darea[i];
    }
    add_diagonal(slope, (const double[3]){-brake, -brake, -brake});
    add_outer(slope, -1, w, dbrake);
    add_diagonal(slope + 21, (const double[3]){-resist, -resist, -resist});
    add_outer(slope + 21, -1, u, dresist);
}

void phy_fluid_ellipsoid(const sal_model *m, const double r[3], const double fluid[12],
                         const double v[6], double f[6], double *slope)
{
    const double rho = m->opt.density, volume = 4 * pi / 3 * r[0] * r[1] * r[2];
    stream s;
    memset(f, 0, 6 * sizeof *f);
    if (slope != NULL) {
        memset(slope, 0, 36 * sizeof *slope);
    }
    see(&s, r, v + 3, m->mujoco);
    added_mass(rho, fluid, v, f, slope);
    magnus(fluid[5] * rho * volume, v, f, slope);
    kutta(fluid[4] * rho, &s, v + 3, f, slope);
    drag(m, r, fluid, &s, v, f, slope);
    for (int i = 0; i < 6; i++) { /* fluid[0]: how far it is there at all */
        f[i] *= fluid[0];
    }
    for (int i = 0; i < 36 && slope != NULL; i++) {
        slope[i] *= fluid[0];
    }
}
