/* follow_turn.c: the joints of a body that make a rotation.
 *
 * The hinges of a body turn it one after the other, R(x) = R_1(x_1) .. R_n(x_n), each about its
 * own axis as the ones before have turned it. What is left of a rotation Q is e = log(R' Q), and
 *
 *     de = -J dx,   column i of J: (R_(i+1) .. R_n)' a_i          (for small e)
 *
 * so that Gauss-Newton steps J'J dx = J'e lead to the nearest rotation that the hinges can make;
 * three that are not in one plane make any. Several solutions may do: the one next to where it
 * was, or within the joints' ranges.
 */
#include "base/dense.h"
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <string.h>

enum { HINGES = 3, ROUNDS = 40, STARTS = 27 };
static const double SPACING = 2;     /* rad, of starts */
static const double DAMPING = 1e-10; /* where axes fall together */
static const double EXACT = 1e-7, STRAY = 1e-3;
static const double OUTSIDE = 10; /* rad away that a rad beyond the range counts as */

typedef struct hinges {
    const sal_model *m;
    int n, joint[HINGES];
} hinges;

/* R(x), and J [3 x n] */
static void turn_by(const hinges *h, const double *x, double R[4], double *J)
{
    double behind[4] = {1, 0, 0, 0}, part[4], next[4], back[4], arm[3];
    for (int i = h->n - 1; i >= 0; i--) {
        const double *axis = h->m->jnt_axis + 3 * h->joint[i];
        sal_quat_conj(back, behind);
        sal_quat_rotate(arm, back, axis);
        for (int k = 0; k < 3; k++) {
            J[h->n * k + i] = arm[k];
        }
        sal_quat_axisangle(part, axis, x[i]);
        sal_quat_mul(next, part, behind);
        sal_quat_copy(behind, next);
    }
    sal_quat_copy(R, behind);
}

/* From x on; what is left, rad */
static double descend(const hinges *h, const double turn[4], double *x)
{
    double R[4], back[4], rest[4], e[3], J[3 * HINGES], size = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double H[HINGES * HINGES] = {0}, g[HINGES] = {0}, step = 0;
        turn_by(h, x, R, J);
        sal_quat_conj(back, R);
        sal_quat_mul(rest, back, turn);
        sal_quat_log(e, rest);
        size = sal_v3_norm(e);
        for (int i = 0; i < h->n; i++) {
            H[h->n * i + i] = DAMPING;
            for (int k = 0; k < 3; k++) {
                g[i] += J[h->n * k + i] * e[k];
                for (int l = 0; l < h->n; l++) {
                    H[h->n * i + l] += J[h->n * k + i] * J[h->n * k + l];
                }
            }
        }
        if (size < 1e-13 || sal_dense_cholesky(H, h->n) < h->n) {
            break;
        }
        sal_dense_cholesky_solve(g, H, h->n);
        for (int i = 0; i < h->n; i++) {
            x[i] += fmin(1, fmax(-1, g[i]));
            step += fabs(g[i]);
        }
        if (step < 1e-12) {
            break;
        }
    }
    return size;
}

double gde_excess(const sal_model *m, int joint, double q)
{
    const double *range = m->jnt_range + 2 * joint;
    return m->jnt_limited[joint] ? fmax(0, fmax(range[0] - q, q - range[1])) : 0;
}

/* How far from `near` and from the ranges: less is likelier. */
static double strangeness(const hinges *h, const double *x, const double *near)
{
    double sum = 0;
    for (int i = 0; i < h->n; i++) {
        const int j = h->joint[i];
        const double q = x[i] + h->m->qpos0[h->m->jnt_qposadr[j]];
        sum += fabs(x[i] - near[i]) + OUTSIDE * gde_excess(h->m, j, q);
    }
    return sum;
}

/* x: whole turns away from near are none */
static void wrap(const hinges *h, double *x, const double *near)
{
    const double whole = 8 * atan(1);
    for (int i = 0; i < h->n; i++) {
        x[i] -= whole * round((x[i] - near[i]) / whole);
    }
}

/* From starts all over; x begins and ends as the likeliest of the best. */
static double search(const hinges *h, const double turn[4], double *x)
{
    double near[HINGES], best = INFINITY, strange = INFINITY, least = INFINITY;
    const int n = h->n == 1 ? 3 : h->n == 2 ? 9 : STARTS;
    memcpy(near, x, (size_t)h->n * sizeof *x);
    for (int start = 0; start < n; start++) {
        double y[HINGES];
        for (int i = 0, rest = start; i < h->n; i++, rest /= 3) {
            y[i] = near[i] + SPACING * ((rest + 1) % 3 - 1);
        }
        const double left = descend(h, turn, y);
        wrap(h, y, near);
        const double odd = strangeness(h, y, near);
        if (left < least - STRAY || (left < least + STRAY && odd < strange - EXACT)) {
            strange = odd;
            best = left;
            memcpy(x, y, (size_t)h->n * sizeof *x);
        }
        least = fmin(least, left);
    }
    return best;
}

/* false: not joints whose rotation is known from that of the body */
static bool find_hinges(const sal_model *m, int body, hinges *h)
{
    const int first = m->body_jntadr[body];
    for (int j = first; j < first + m->body_jntnum[body]; j++) {
        if (m->jnt_type[j] == SAL_JNT_HINGE && h->n < HINGES) {
            h->joint[h->n++] = j;
        } else if (m->jnt_type[j] != SAL_JNT_SLIDE) {
            return false;
        }
    }
    return true;
}

bool gde_can_turn(const sal_model *m, int body)
{
    const int first = m->body_jntadr[body];
    hinges h = {.m = m};
    const bool ball = m->body_jntnum[body] == 1 && m->jnt_type[first] == SAL_JNT_BALL;
    return m->body_jntnum[body] > 0 && (ball || find_hinges(m, body, &h));
}

double gde_turn_joints(const sal_model *m, int body, const double turn[4], bool anywhere, double *q)
{
    hinges h = {.m = m};
    double x[HINGES], moved[HINGES], w[3];
    const int first = m->body_jntadr[body];
    if (m->jnt_type[first] == SAL_JNT_BALL) {
        sal_quat_copy(q + m->jnt_qposadr[first], turn);
        return 0;
    }
    find_hinges(m, body, &h);
    if (h.n == 0) {
        sal_quat_log(w, turn);
        return sal_v3_norm(w);
    }
    for (int i = 0; i < h.n; i++) {
        x[i] = q[m->jnt_qposadr[h.joint[i]]] - m->qpos0[m->jnt_qposadr[h.joint[i]]];
    }
    memcpy(moved, x, sizeof x);
    double left = anywhere ? search(&h, turn, x) : descend(&h, turn, x);
    if (!anywhere && left > STRAY) {
        const double other = search(&h, turn, moved);
        if (other < left - STRAY) {
            left = other;
            memcpy(x, moved, sizeof x);
        }
    }
    for (int i = 0; i < h.n; i++) {
        q[m->jnt_qposadr[h.joint[i]]] = x[i] + m->qpos0[m->jnt_qposadr[h.joint[i]]];
    }
    return left;
}
