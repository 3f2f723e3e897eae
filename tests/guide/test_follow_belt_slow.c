/* The motion that follows a recording on a belt is that which follows the same over the ground:
 * physics does not know the difference. */
#include "tests/guide/belt_recordings.h"

#include "problems/result/result.h"
#include "runs/runs.h"

static sal_result *solve(const char *name, sal_diag *diag)
{
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_err err = {0};
    files_write(name, draft_text.data, draft_text.length);
    CHECK_OK(sal_problem_read(&p, files_path(name), NULL, diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    }
    sal_problem_free(p);
    return r;
}

/* N: what the floor carries in a time step. */
static double carried(const sal_result *r, int t)
{
    double sum = 0;
    for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
        sum += r->contact_force[6 * k];
    }
    return sum;
}

/* rms, over all steps, of what differs: angles, rad, but of the toes, which weigh nothing and have
 * no markers, and of the neck, since nothing shows where the head turns; the load that is carried,
 * by the weight, and the torques, by their own rms: means over a tenth of a second, since from step
 * to step a search that ends a little earlier leaves other forces. */
typedef struct difference {
    double angle, load, torque;
} difference;

static void add_angles(difference *d, const sal_result *a, const sal_result *b, int t)
{
    const sal_model *m = a->model;
    for (int j = 0; j < m->njnt; j++) {
        const int i = t * m->nq + m->jnt_qposadr[j];
        if (m->jnt_type[j] == SAL_JNT_HINGE &&
            strstr(sal_model_name(m, SAL_OBJ_JOINT, j), "toes") == NULL &&
            strstr(sal_model_name(m, SAL_OBJ_JOINT, j), "neck") == NULL) {
            d->angle += pow(a->qpos[i] - b->qpos[i], 2) / m->njnt / a->nstep;
        }
    }
}

static difference compare(const sal_result *a, const sal_result *b)
{
    const sal_model *m = a->model;
    const int window = (int)(.1 / a->timestep + .5), n = a->nstep - window + 1;
    difference d = {0};
    double own = 0;
    for (int t = 0; t < n; t++) {
        double load = 0;
        add_angles(&d, a, b, t);
        for (int k = t; k < t + window; k++) {
            load += (carried(a, k) - carried(b, k)) / window;
        }
        for (int i = 6; i < m->nv; i++) {
            double mean = 0;
            for (int k = t; k < t + window; k++) {
                mean +=
                    (a->qfrc_actuator[k * m->nv + i] - b->qfrc_actuator[k * m->nv + i]) / window;
            }
            d.torque += mean * mean;
            own += pow(a->qfrc_actuator[t * m->nv + i], 2);
        }
        d.load += load * load / n;
    }
    return (difference){sqrt(d.angle), sqrt(d.load) / a->weight, sqrt(d.torque / own)};
}

/* Below the table of recording and motion stands what no controls can do. */
static bool tells_of_a_belt(const sal_result *r)
{
    sal_recorded recorded;
    sal_err err = {0};
    bool known;
    CHECK_OK(sal_recorded_compare(&recorded, &known, r, &err), err);
    const bool tells =
        known && says(&recorded.impossible, "if it was recorded on a belt, set belt=");
    sal_recorded_clear(&recorded);
    return tells;
}

/* With the belt as it was found, as it is, and without, beside the motion over the ground: that
 * comes out as nearly as the belt was found; to the last digits of the search; and not at all. */
static void motions(const sal_model *m, const char *model, const char *ground, const char *belt,
                    const char *truth, const difference most[2])
{
    static const char *const name[] = {"ground.xml", "found.xml", "true.xml", "none.xml"};
    char path[2][1200]; /* those given do not last */
    snprintf(path[0], sizeof path[0], "%s", ground);
    snprintf(path[1], sizeof path[1], "%s", belt);
    sal_result *r[4] = {NULL};
    for (int k = 0; k < 4; k++) {
        sal_diag diag = {0};
        follow(m, model, path[k > 0]);
        const char *at = strstr(draft_text.data, " belt=\""),
                   *end = at == NULL ? "" : strchr(at + 7, '"');
        CHECK((at != NULL) == (k > 0));
        if (k > 1 && at != NULL) {
            char attribute[64];
            sal_text other = {0};
            snprintf(attribute, sizeof attribute, "%.*s\"", (int)(end - at), at);
            sal_text_add(&other, files_replace(draft_text.data, attribute, k == 2 ? truth : ""));
            sal_text_clear(&draft_text);
            draft_text = other;
        }
        r[k] = solve(name[k], &diag);
        /* of a robot's angles nothing is known before the search */
        CHECK(says(&diag.text, "was it recorded on a belt?") == (k == 3 && m != robot));
        sal_diag_clear(&diag);
        CHECK(r[k] == NULL || tells_of_a_belt(r[k]) == (k == 3));
        if (k > 0 && r[0] != NULL && r[k] != NULL) {
            const difference d = compare(r[0], r[k]);
            printf("     %s: angles %.2g rad, load %.2g of the weight, torques %.2g\n", name[k],
                   d.angle, d.load, d.torque);
            CHECK(k == 3 ? d.torque > .5
                         : d.angle < most[k - 1].angle && d.load < most[k - 1].load &&
                               d.torque < most[k - 1].torque);
        }
    }
    for (int k = 0; k < 4; k++) {
        sal_result_free(r[k]);
    }
}

static void a_person_walks(void)
{
    static const double v[2] = {1.2, .1};
    sig_signals s = {0};
    if (!models_are_there() || !read_signals(&s, corpus_path(A "walking1.trc"))) {
        SKIP("the corpus is not there");
    }
    write_markers("belt.trc", &s, v);
    sig_clear(&s);
    motions(person[0], "a.xml", corpus_path(A "walking1.trc"), files_path("belt.trc"),
            " belt=\"1.2 .1\"", (const difference[2]){{.005, .02, .15}, {1e-6, 1e-6, 1e-6}});
}

static void a_robot_walks(void)
{
    static const double rests[2] = {0};
    sig_signals s = {0};
    if (!models_are_there() || !read_signals(&s, corpus_path(straight[0].name))) {
        SKIP("the corpus is not there");
    }
    write_clip("ground.csv", &s, straight[0].first, 90, rests);
    write_clip("belt.csv", &s, straight[0].first, 90, straight[0].v);
    sig_clear(&s);
    motions(robot, corpus_path("robots/g1.xml"), files_path("ground.csv"), files_path("belt.csv"),
            " belt=\"-.64 .03\"", (const difference[2]){{.005, .1, .15}, {.002, .05, .1}});
}

int main(void)
{
    RUN(a_person_walks);
    RUN(a_robot_walks);
    belt_end();
    return check_done();
}
