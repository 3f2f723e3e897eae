/* A man walks over two force plates, with markers on him. The motion of a model of him that follows
 * the markers and obeys physics is held against what the plates measured, and against the inverse
 * dynamics that came with the data, none of which it was shown. */
#include "tests/problems/solve_file.h"

#include "problems/result/result.h"
#include "signals/table.h"

enum { NMARKER = 41, NJOINT = 6 };
static const double begin = .4, first = .45, last = 1.8; /* s; measured moments: the last two */

static sal_result *walk;
static sig_signals markers, plates, moments;
static sal_data *data;

static bool read_signals(sig_signals *s, const char *name)
{
    sal_err err = {0};
    sal_diag diag = {0};
    const char *path = check_corpus(name);
    const bool good = path != NULL && sig_read(s, path, NULL, &diag, &err) == SAL_OK;
    sal_diag_clear(&diag);
    return good;
}

/* The result of a problem file about the markers; NULL where these are not there. */
static sal_result *solve(const char *name)
{
    char file[128];
    const char *path = check_corpus("data/gait/walk_3d_apache/markers_walk.trc");
    const sal_setting setting = {"data/file", path};
    snprintf(file, sizeof file, "tests/problems/recordings/%s", name);
    return path == NULL
               ? NULL
               : solve_file(file, &(sal_problem_options){.setting = &setting, .nsetting = 1});
}

/* Follows the markers; false where they are not there. */
static bool follow(void)
{
    sal_err err = {0};
    walk = solve("walk.xml");
    return walk != NULL && sal_data_new(&data, walk->model, &err) == SAL_OK &&
           read_signals(&markers, "data/gait/walk_3d_apache/markers_walk.trc") &&
           read_signals(&plates, "data/gait/walk_3d_apache/grf.csv") &&
           read_signals(&moments, "data/gait/walk_3d_apache/id_walk.sto");
}

/* The mean of a column from t to t + h */
static double mean(const sig_signals *s, int time, int column, double t, double h)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < s->nrow; i++) {
        const double at = s->value[i * s->ncol + time];
        if (at > t - 1e-9 && at < t + h - 1e-9) {
            sum += s->value[i * s->ncol + column];
            n++;
        }
    }
    return sum / n;
}

static void is_physical_and_near_the_markers(void)
{
    if (walk == NULL) {
        SKIP("the corpus is not there");
    }
    const sal_model *m = walk->model;
    double sum = 0;
    CHECK(walk->exit_code == 0);
    CHECK(walk->relative_to_weight <= 1e-6);
    CHECK(markers.nmarker == NMARKER);
    for (int t = 0; t <= walk->nstep; t++) {
        const double *row = markers.value + (t + 40) * markers.ncol; /* 100 Hz, from 0 on */
        memcpy(data->qpos, walk->qpos + t * m->nq, (size_t)m->nq * sizeof(double));
        sal_kinematics(m, data);
        for (int i = 0; i < NMARKER; i++) {
            const double *at =
                data->site_xpos + 3 * sal_model_find(m, SAL_OBJ_SITE, markers.marker[i]);
            const double *mm = row + markers.marker_column[i];
            sum += pow(at[0] - mm[0] / 1e3, 2) + pow(at[1] + mm[2] / 1e3, 2) +
                   pow(at[2] - mm[1] / 1e3, 2);
        }
    }
    const double rms = sqrt(sum / (NMARKER * (walk->nstep + 1)));
    printf("  markers %.1f mm rms, root force %.1e of the weight\n", 1e3 * rms,
           walk->relative_to_weight);
    CHECK(rms <= .025);
}

/* Upward force of the floor on a foot, from step t to the next */
static double pressed(int t, const char *side)
{
    const sal_model *m = walk->model;
    double sum = 0;
    for (int k = walk->contact_offset[t]; k < walk->contact_offset[t + 1]; k++) {
        const int *g = walk->contact_geom + 2 * k;
        const bool second = m->geom_bodyid[g[1]] != 0;
        const double *frame = walk->contact_frame + 9 * k, *force = walk->contact_force + 6 * k;
        const double up = frame[2] * force[0] + frame[5] * force[1] + frame[8] * force[2];
        const char *name = sal_model_name(m, SAL_OBJ_GEOM, g[second]);
        sum += strncmp(name, side, strlen(side)) == 0 ? (second ? up : -up) : 0;
    }
    return sum;
}

/* When a force rises above, or falls below, 5 % of the weight: that of the motion in out[0], that
 * of the plate in out[1] */
static void contact_times(const char *side, int column, bool rises, double out[2])
{
    const double h = walk->timestep, threshold = .05 * walk->weight;
    out[0] = out[1] = NAN;
    for (int t = 1; t < walk->nstep; t++) {
        const double at = begin + t * h,
                     a[2] = {pressed(t - 1, side), mean(&plates, 0, column, at - h, h)},
                     b[2] = {pressed(t, side), mean(&plates, 0, column, at, h)};
        for (int i = 0; i < 2 && at > first && at < last; i++) {
            const bool crosses = rises ? a[i] < threshold && b[i] >= threshold
                                       : a[i] >= threshold && b[i] < threshold;
            out[i] = crosses ? at + h * ((threshold - a[i]) / (b[i] - a[i]) - .5) : out[i];
        }
    }
}

static void check_foot(const char *side, const char *name)
{
    const int column = sig_find(&plates, name);
    const double h = walk->timestep;
    double sx = 0, sy = 0, xx = 0, yy = 0, xy = 0, miss = 0;
    int n = 0, stance = 0;
    for (int t = 0; t < walk->nstep; t++) {
        const double at = begin + t * h;
        if (at < first - 1e-9 || at + h > last + 1e-9) {
            continue;
        }
        const double x = pressed(t, side), y = mean(&plates, 0, column, at, h);
        n++, sx += x, sy += y, xx += x * x, yy += y * y, xy += x * y;
        if (y > .02 * walk->weight) {
            miss += (x - y) * (x - y);
            stance++;
        }
    }
    const double correlation = (xy - sx * sy / n) / sqrt((xx - sx * sx / n) * (yy - sy * sy / n));
    const double rms = sqrt(miss / stance) / walk->weight;
    printf("  %s foot: correlation %.3f, rms over stance %.1f %% of the weight\n", side,
           correlation, 100 * rms);
    CHECK(correlation >= .95);
    CHECK(rms <= .12);
    for (int rises = 0; rises < 2; rises++) {
        double at[2];
        contact_times(side, column, rises == 1, at);
        printf("    %s %.3f s, measured %.3f s\n", rises ? "touches" : "leaves", at[0], at[1]);
        CHECK_NEAR(at[0], at[1], .03);
    }
}

static void floor_pushes_as_the_plates_measured(void)
{
    if (walk == NULL) {
        SKIP("the corpus is not there");
    }
    check_foot("right", "right_fy");
    check_foot("left", "left_fy");
}

/* Largest moments, of whichever sign is the larger one in the measured ones */
static void moments_are_those_of_inverse_dynamics(void)
{
    static const char *const ours[NJOINT] = {"right_hip_y", "right_knee", "right_ankle_y",
                                             "left_hip_y",  "left_knee",  "left_ankle_y"};
    static const char *const theirs[NJOINT] = {"hip_flexion_r_moment", "knee_angle_r_moment",
                                               "ankle_angle_r_moment", "hip_flexion_l_moment",
                                               "knee_angle_l_moment",  "ankle_angle_l_moment"};
    if (walk == NULL) {
        SKIP("the corpus is not there");
    }
    const sal_model *m = walk->model;
    const double h = walk->timestep;
    for (int j = 0; j < NJOINT; j++) {
        const int dof = m->jnt_dofadr[sal_model_find(m, SAL_OBJ_JOINT, ours[j])];
        const int column = sig_find(&moments, theirs[j]);
        const double sign = strstr(ours[j], "knee") != NULL ? -1 : 1; /* flexed: ours is negative */
        double most[2] = {0}, least[2] = {0};
        for (int t = 0; t < walk->nstep; t++) {
            const double at = begin + t * h;
            if (at < first - 1e-9 || at + h > last - h) {
                continue;
            }
            const double both[2] = {sign * walk->qfrc_actuator[t * m->nv + dof],
                                    mean(&moments, moments.time, column, at, h)};
            for (int i = 0; i < 2; i++) {
                most[i] = fmax(most[i], both[i]);
                least[i] = fmin(least[i], both[i]);
            }
        }
        const double *peak = most[1] > -least[1] ? most : least,
                     *other = peak == most ? least : most;
        printf("  %-13s %6.1f N m, inverse dynamics %6.1f; the other way %6.1f, %6.1f\n", ours[j],
               peak[0], peak[1], other[0], other[1]);
        CHECK_NEAR(peak[0] / peak[1], 1, .25);
    }
}

/* Segments that begin an eighth too long come back to what another least squares fit of the same
 * markers had found, which the model's file says. */
static void lengths_are_found_from_markers(void)
{
    sal_result *r = solve("walk_scale.xml");
    if (r == NULL) {
        SKIP("the corpus is not there");
    }
    CHECK_TEXT(r->status, "converged");
    for (int k = 0; k < sal_identification_of(r)->nparameter; k++) {
        const sal_identification_parameter *p = sal_identification_of(r)->parameter + k;
        printf("  %-10s %.4f +- %.4f of the model's\n", p->name, p->value, p->se);
        CHECK_NEAR(p->initial, 1.12, 0);
        CHECK_NEAR(p->value, 1, .01);
    }
    CHECK(sal_identification_of(r)->recording[0].rms < 1); /* sigma is 1 cm */
    sal_result_free(r);
}

int main(void)
{
    const bool there = follow();
    if (!there) {
        sal_result_free(walk);
        walk = NULL;
    }
    RUN(is_physical_and_near_the_markers);
    RUN(floor_pushes_as_the_plates_measured);
    RUN(moments_are_those_of_inverse_dynamics);
    RUN(lengths_are_found_from_markers);
    sal_data_free(data);
    sal_result_free(walk);
    sig_clear(&markers);
    sig_clear(&plates);
    sig_clear(&moments);
    return check_done();
}
