/* plates.c: forces of the floor on each foot, found and measured, and what follows from them. */
#include "tests/people/plates.h"

#include "base/house.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FX, FY, FZ, PX, PY, MZ, NWRENCH }; /* z up; the point on the floor, the moment about it */

typedef struct series {
    const sal_result *r;
    const sig_signals *plates;
    double begin;
    int n;
    /* [n] of the time step; [2 feet][n x NWRENCH] found, measured */
    double *found[2], *measured[2];
    sal_data *d;
} series;

/* ---- what the motion says ---- */

static int foot_of(const sal_model *m, int geom)
{
    const char *name = sal_model_name(m, SAL_OBJ_GEOM, geom);
    return strncmp(name, "right_", 6) == 0 ? 0 : strncmp(name, "left_", 5) == 0 ? 1 : -1;
}

static void find_forces(series *s)
{
    const sal_result *r = s->r;
    for (int t = 0; t < s->n; t++) {
        double moment[2] = {0};
        for (int pass = 0; pass < 2; pass++) {
            for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
                const int *g = r->contact_geom + 2 * k;
                const bool second = r->model->geom_bodyid[g[1]] != 0;
                const int foot = foot_of(r->model, g[second]);
                const double *F = r->contact_frame + 9 * k, *f = r->contact_force + 6 * k,
                             *x = r->contact_pos + 3 * k;
                double *w = s->found[foot < 0 ? 0 : foot] + t * NWRENCH, world[3];
                for (int i = 0; i < 3; i++) {
                    world[i] =
                        (second ? 1 : -1) * (F[i] * f[0] + F[3 + i] * f[1] + F[6 + i] * f[2]);
                }
                if (foot < 0) {
                    continue;
                }
                if (pass == 0) {
                    sal_v3_add(w, w, world);
                    w[PX] += world[2] * x[0], w[PY] += world[2] * x[1];
                } else {
                    moment[foot] += (x[0] - w[PX]) * world[1] - (x[1] - w[PY]) * world[0];
                }
            }
            for (int foot = 0; foot < 2 && pass == 0; foot++) {
                double *w = s->found[foot] + t * NWRENCH;
                w[PX] = w[FZ] > 0 ? w[PX] / w[FZ] : 0;
                w[PY] = w[FZ] > 0 ? w[PY] / w[FZ] : 0;
            }
        }
        s->found[0][t * NWRENCH + MZ] = moment[0];
        s->found[1][t * NWRENCH + MZ] = moment[1];
    }
}

/* ---- what the plates say ---- */

static int column(const sig_signals *p, const char *prefix, const char *end)
{
    char name[128];
    snprintf(name, sizeof name, "%.100s%.20s", prefix, end);
    return sig_find(p, name);
}

/* The plate whose force begins at this column, in a row; false: it carries nothing. */
static bool read_plate(const sig_signals *p, int first, int row, double w[NWRENCH])
{
    char prefix[96], turn[128];
    const char *name = p->column[first].name;
    const size_t n = strlen(name) - 2;
    snprintf(prefix, sizeof prefix, "%.*s", (int)n, name);
    snprintf(turn, sizeof turn, "ground_torque_%.90s", prefix + strlen("ground_force_"));
    const double *x = p->value + (size_t)row * (size_t)p->ncol;
    const int point = column(p, prefix, "px");
    int moment = column(p, prefix, "my");
    moment = moment < 0 ? column(p, turn, "y") : moment;
    w[FX] = x[first], w[FY] = -x[first + 2], w[FZ] = x[first + 1];
    w[PX] = x[point], w[PY] = -x[point + 2];
    w[MZ] = moment < 0 ? 0 : x[moment];
    return w[FZ] > 10;
}

/* The foot that is nearest to a point of the floor at the pose in d. */
static int nearest(const series *s, const double w[NWRENCH])
{
    const sal_model *m = s->r->model;
    double far[2];
    for (int foot = 0; foot < 2; foot++) {
        const char *name = foot == 0 ? "right_toes" : "left_toes";
        const int b = sal_model_find(m, SAL_OBJ_BODY, name), a = m->body_parentid[b];
        far[foot] = hypot(w[PX] - .5 * (s->d->xpos[3 * a] + s->d->xpos[3 * b]),
                          w[PY] - .5 * (s->d->xpos[3 * a + 1] + s->d->xpos[3 * b + 1]));
    }
    return far[1] < far[0];
}

static void pose(const series *s, int t)
{
    const sal_model *m = s->r->model;
    memcpy(s->d->qpos, s->r->qpos + t * m->nq, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, s->d);
    sal_com(m, s->d);
}

/* The mean over a step of what the plates measured. */
static void measure_forces(series *s)
{
    const sig_signals *p = s->plates;
    for (int t = 0; t < s->n; t++) {
        const double at = s->begin + t * s->r->timestep;
        int rows = 0;
        pose(s, t);
        for (int i = 0; i < p->nrow; i++) {
            const double time = p->value[(size_t)i * (size_t)p->ncol + (size_t)p->time];
            if (time < at - 1e-6 || time > at + s->r->timestep + 1e-6) {
                continue;
            }
            rows++;
            for (int c = 0; c < p->ncol; c++) {
                double w[NWRENCH];
                const size_t n = strlen(p->column[c].name);
                const bool begins = n > 3 && strcmp(p->column[c].name + n - 3, "_vx") == 0;
                if (begins && read_plate(p, c, i, w)) {
                    double *to = s->measured[nearest(s, w)] + t * NWRENCH;
                    w[PX] *= w[FZ], w[PY] *= w[FZ];
                    for (int k = 0; k < NWRENCH; k++) {
                        to[k] += w[k];
                    }
                }
            }
        }
        for (int foot = 0; foot < 2; foot++) {
            double *to = s->measured[foot] + t * NWRENCH;
            for (int k = 0; k < 2 && to[FZ] > 0; k++) {
                to[PX + k] /= to[FZ];
            }
            for (int k = 0; k < 3 && rows > 0; k++) {
                to[k] /= rows;
            }
            to[MZ] /= rows > 0 ? rows : 1;
        }
    }
}

/* ---- comparison ---- */

static double correlation(const double *x, const double *y, int stride, int a, int b,
                          const double along[3])
{
    double sx = 0, sy = 0, xx = 0, yy = 0, xy = 0;
    for (int t = a; t < b; t++) {
        const double u = sal_v3_dot(x + t * stride, along), v = sal_v3_dot(y + t * stride, along);
        sx += u, sy += v, xx += u * u, yy += v * v, xy += u * v;
    }
    const int n = b - a;
    return (xy - sx * sy / n) / sqrt((xx - sx * sx / n) * (yy - sy * sy / n));
}

/* When the force crosses the threshold between steps t-1 and t; NaN: it does not. */
static double crossing(const double *w, int t, double threshold, bool rises)
{
    const double a = w[(t - 1) * NWRENCH + FZ], b = w[t * NWRENCH + FZ];
    const bool does = rises ? a < threshold && b >= threshold : a >= threshold && b < threshold;
    return does ? t - 1 + (threshold - a) / (b - a) : (double)NAN;
}

static void compare_contacts(const series *s, int foot, int a, int b, plates_foot *out)
{
    const double threshold = .05 * s->r->weight, h = s->r->timestep;
    for (int rises = 0; rises < 2; rises++) {
        for (int t = a + 1; t < b; t++) {
            const double at = crossing(s->measured[foot], t, threshold, rises == 1);
            double nearest_one = (double)INFINITY;
            for (int k = 1; k < s->n && isfinite(at); k++) {
                const double other = crossing(s->found[foot], k, threshold, rises == 1);
                nearest_one = isfinite(other) ? fmin(nearest_one, fabs(other - at)) : nearest_one;
            }
            if (isfinite(at)) {
                out->contact = fmax(out->contact, h * nearest_one);
                out->ncontact++;
            }
        }
    }
}

/* tau + J' (F found - F measured), of one dof */
static double measured_moment(const series *s, int t, int dof, int foot, double *J)
{
    const sal_model *m = s->r->model;
    const int body = sal_model_find(m, SAL_OBJ_BODY, foot == 0 ? "right_foot" : "left_foot");
    double tau = s->r->qfrc_actuator[t * m->nv + dof];
    pose(s, t);
    for (int k = 0; k < 2; k++) {
        const double *w = (k == 0 ? s->found : s->measured)[foot] + t * NWRENCH;
        const double at[3] = {w[PX], w[PY], 0};
        sal_jac(m, s->d, J, J + 3 * m->nv, at, body);
        for (int i = 0; i < 3; i++) {
            tau += (k == 0 ? 1 : -1) * w[i] * J[i * m->nv + dof];
        }
        tau += (k == 0 ? 1 : -1) * w[MZ] * J[5 * m->nv + dof];
    }
    return tau;
}

static void compare_moments(const series *s, int foot, int a, int b, plates_foot *out, double *J)
{
    static const char *const names[2][PLATES_NJOINT] = {
        {"right_hip_y", "right_knee", "right_ankle_y"},
        {"left_hip_y", "left_knee", "left_ankle_y"}};
    const sal_model *m = s->r->model;
    for (int j = 0; j < PLATES_NJOINT; j++) {
        const int dof = m->jnt_dofadr[sal_model_find(m, SAL_OBJ_JOINT, names[foot][j])];
        double most[2] = {0}, least[2] = {0};
        for (int t = a; t < b; t++) {
            const double x[2] = {s->r->qfrc_actuator[t * m->nv + dof],
                                 measured_moment(s, t, dof, foot, J)};
            for (int i = 0; i < 2; i++) {
                most[i] = fmax(most[i], x[i]);
                least[i] = fmin(least[i], x[i]);
            }
        }
        const bool up = most[1] > -least[1];
        out->moment[j] = up ? most[0] : least[0];
        out->measured[j] = up ? most[1] : least[1];
    }
}

static void compare_foot(const series *s, int foot, int a, int b, plates_foot *out)
{
    const double *x = s->found[foot], *y = s->measured[foot], up[3] = {0, 0, 1};
    const double weight = s->r->weight;
    double miss = 0, far = 0, turn = 0;
    int stance = 0, both = 0;
    *out = (plates_foot){.correlation = correlation(x, y, NWRENCH, a, b, up)};
    for (int t = a; t < b; t++) {
        const double *u = x + t * NWRENCH, *v = y + t * NWRENCH;
        if (v[FZ] > .02 * weight) {
            miss += (u[FZ] - v[FZ]) * (u[FZ] - v[FZ]);
            stance++;
        }
        if (v[FZ] > .1 * weight && u[FZ] > .1 * weight) {
            far += (u[PX] - v[PX]) * (u[PX] - v[PX]) + (u[PY] - v[PY]) * (u[PY] - v[PY]);
            turn += (u[MZ] - v[MZ]) * (u[MZ] - v[MZ]);
            both++;
        }
    }
    out->rms = sqrt(miss / stance) / weight;
    out->pressure = sqrt(far / both);
    out->free_moment = sqrt(turn / both);
    const double *q0 = s->r->qpos + a * s->r->model->nq, *q1 = s->r->qpos + b * s->r->model->nq;
    double along[3] = {q1[0] - q0[0], q1[1] - q0[1], 0};
    const double way = hypot(along[0], along[1]);
    along[0] /= way, along[1] /= way;
    out->fore_aft = way < .3 ? (double)NAN : correlation(x, y, NWRENCH, a, b, along);
    compare_contacts(s, foot, a, b, out);
}

bool plates_compare(plates_score *score, const sal_result *r, const sig_signals *plates,
                    double begin, double first, double last)
{
    series s = {.r = r, .plates = plates, .begin = begin, .n = r->nstep};
    const int a = (int)lround((first - begin) / r->timestep),
              end = (int)lround((last - begin) / r->timestep), b = end < s.n ? end : s.n;
    double *J = sal_alloc(6 * (size_t)r->model->nv, sizeof *J);
    sal_err err;
    bool good = J != NULL && sal_data_new(&s.d, r->model, &err) == SAL_OK;
    for (int foot = 0; foot < 2; foot++) {
        s.found[foot] = sal_alloc((size_t)s.n * NWRENCH, sizeof(double));
        s.measured[foot] = sal_alloc((size_t)s.n * NWRENCH, sizeof(double));
        good = good && s.found[foot] != NULL && s.measured[foot] != NULL;
    }
    if (good) {
        find_forces(&s);
        measure_forces(&s);
    }
    for (int foot = 0; foot < 2; foot++) {
        if (good) {
            compare_foot(&s, foot, a, b, &score->foot[foot]);
            compare_moments(&s, foot, a, b, &score->foot[foot], J);
        }
        sal_free(s.found[foot]);
        sal_free(s.measured[foot]);
    }
    sal_free(J);
    sal_data_free(s.d);
    return good;
}

double plates_markers(const sal_result *r, const sig_signals *markers, double begin, double first,
                      double last)
{
    const sal_model *m = r->model;
    const double metre =
        strcmp(markers->column[markers->marker_column[0]].unit, "mm") == 0 ? 1e-3 : 1;
    sal_data *d = NULL;
    sal_err err;
    double sum = 0;
    int n = 0;
    if (sal_data_new(&d, m, &err) != SAL_OK) {
        return INFINITY;
    }
    for (int i = 0; i < markers->nrow; i++) {
        const double *row = markers->value + (size_t)i * (size_t)markers->ncol;
        const double at = row[markers->time];
        const int t = (int)lround((at - begin) / r->timestep);
        if (at < first - 1e-6 || at > last + 1e-6 || t < 0 || t > r->nstep ||
            fabs(begin + t * r->timestep - at) > 1e-4) {
            continue;
        }
        memcpy(d->qpos, r->qpos + t * m->nq, (size_t)m->nq * sizeof(double));
        sal_kinematics(m, d);
        for (int k = 0; k < markers->nmarker; k++) {
            const int site = sal_model_find(m, SAL_OBJ_SITE, markers->marker[k]);
            const double *x = row + markers->marker_column[k];
            if (site >= 0 && isfinite(x[0])) {
                const double *y = d->site_xpos + 3 * site;
                sum += pow(y[0] - metre * x[0], 2) + pow(y[1] + metre * x[2], 2) +
                       pow(y[2] - metre * x[1], 2);
                n++;
            }
        }
    }
    sal_data_free(d);
    return sqrt(sum / n);
}
