/* random_problem.h: a random problem from a seed: a gait where the draft of `saltus new` is a
 * cycle, else a reach from a pose to another pose, a place or a speed. The same seed gives the same
 * problem. */
#ifndef SAL_TESTS_CAMPAIGN_RANDOM_PROBLEM_H
#define SAL_TESTS_CAMPAIGN_RANDOM_PROBLEM_H

#include "base/house.h"
#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A model, below the root of the project or the corpus, and the most time steps that its problems
 * have. */
typedef struct random_subject {
    const char *model;
    bool ours;
    int nstep;
} random_subject;

static const random_subject random_subjects[] = {
    {"models/pendulum.xml", true, 60},
    {"models/double_pendulum_motors.xml", true, 40},
    {"models/acrobot.xml", true, 50},
    {"models/cartpole.xml", true, 60},
    {"models/particle.xml", true, 40},
    {"models/payload_arm.xml", true, 30},
    {"models/finger.xml", true, 30},
    {"models/arm.xml", true, 30},
    {"models/box.xml", true, 20},
    {"models/spinner.xml", true, 25},
    {"models/raibert.xml", true, 20},
    {"models/hopper.xml", true, 20},
    {"models/walker.xml", true, 16},
    {"models/planar_human.xml", true, 14},
    {"models/quadruped.xml", true, 8},
    {"models/dmc_pendulum.xml", false, 50},
    {"models/dmc_acrobot.xml", false, 40},
    {"models/dmc_cartpole.xml", false, 40},
    {"models/dmc_reacher.xml", false, 30},
    {"models/dmc_point_mass.xml", false, 30},
    {"models/dmc_hopper.xml", false, 14},
    {"models/dmc_walker.xml", false, 14},
    {"models/gym_walker2d.xml", false, 14},
    {"models/gym_half_cheetah.xml", false, 12},
    {"models/gym_inverted_double_pendulum.xml", false, 40},
    {"models/brax_hopper.xml", false, 14},
    {"models/brax_double_pendulum.xml", false, 40},
    {"models/brax_swimmer.xml", false, 20},
    {"models/mpc_particle_222__particle.xml", false, 30},
};
enum { RANDOM_NSUBJECT = sizeof random_subjects / sizeof random_subjects[0] };

typedef struct random_problem {
    const sal_model *m;
    sal_rng rng;
    sal_xml_doc doc;
    sal_xml *root;
    sal_data *d;
    int nstep;
    /* keyframe that it starts from; -1: home */
    int key;
    double duration;
    const char *kind;
    /* how many times an attribute could not be set */
    int faults;
} random_problem;

/* ---- chances ---- */

static inline double random_between(random_problem *p, double lo, double hi)
{
    return sal_rng_uniform(&p->rng, lo, hi);
}

static inline bool random_chance(random_problem *p, int percent)
{
    return (int)(sal_rng_next(&p->rng) % 100) < percent;
}

static inline int random_below(random_problem *p, int n)
{
    return (int)(sal_rng_next(&p->rng) % (uint64_t)n);
}

/* A factor, evenly spread in its logarithm. */
static inline double random_factor(random_problem *p, double lo, double hi)
{
    return exp(random_between(p, log(lo), log(hi)));
}

/* ---- writing ---- */

static inline void random_set(random_problem *p, sal_xml *element, const char *name,
                              const char *value)
{
    p->faults += element == NULL || sal_xml_set(element, name, value, NULL) != SAL_OK;
}

static inline void random_number(random_problem *p, sal_xml *element, const char *name, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.6g", x);
    random_set(p, element, name, text);
}

static inline void random_numbers(random_problem *p, sal_xml *element, const char *name,
                                  const double *x, int n)
{
    sal_text text = {0};
    for (int i = 0; i < n; i++) {
        sal_text_format(&text, "%s%.9g", i == 0 ? "" : " ", x[i]);
    }
    random_set(p, element, name, text.data);
    sal_text_clear(&text);
}

/* The child of that kind, made if it is not there. */
static inline sal_xml *random_child(random_problem *p, const char *tag)
{
    sal_xml *child = sal_xml_child(p->root, tag);
    return child != NULL ? child : sal_xml_add(&p->doc, p->root, tag);
}

static inline sal_xml *random_named(random_problem *p, const char *in, const char *tag,
                                    const char *name)
{
    sal_xml *made = sal_xml_add(&p->doc, random_child(p, in), tag);
    random_set(p, made, "name", name);
    return made;
}

/* ---- what both kinds may have ---- */

static inline void random_solver(random_problem *p)
{
    static const char *const choices[][2] = {{"contact", "model"},
                                             {"step", "dogleg"},
                                             {"factor", "cholmod"},
                                             {"derivatives", "fd"},
                                             {"differences", "centred"}};
    sal_xml *solver = random_child(p, "solver");
    for (int i = 0; i < 5; i++) {
        if (random_chance(p, 8)) {
            random_set(p, solver, choices[i][0], choices[i][1]);
        }
    }
    if (random_chance(p, 8)) {
        random_number(p, solver, "increments", 5 + random_below(p, 60));
    }
}

static inline void random_init(random_problem *p)
{
    sal_xml *init = random_child(p, "init");
    random_number(p, init, "noise", random_chance(p, 25) ? 0 : random_factor(p, 1e-3, 0.1));
    random_number(p, init, "seed", random_below(p, 1000000));
    random_number(p, init, "nstart", random_chance(p, 20) ? 2 : 1);
}

static inline void random_terms(random_problem *p)
{
    static const char *const norms[] = {"quadratic", "l2", "huber", "cauchy", "smoothabs"};
    if (random_chance(p, 25)) {
        sal_xml *term = random_named(p, "cost", "term", "calm");
        random_set(p, term, "joint", "all");
        random_set(p, term, "of", random_chance(p, 70) ? "vel" : "acc");
        random_number(p, term, "weight", random_factor(p, 1e-4, 0.1));
        random_set(p, term, "norm", norms[random_below(p, 5)]);
    }
    if (random_chance(p, 10) && p->m->nu > 0) {
        sal_xml *term = random_named(p, "cost", "term", "power");
        random_set(p, term, "power", "all");
        random_number(p, term, "weight", random_factor(p, 1e-5, 1e-2));
    }
    if (random_chance(p, 10)) {
        sal_xml *term = random_named(p, "cost", "term", "centre");
        random_set(p, term, "com", "all");
        random_set(p, term, "of", "vel");
        random_number(p, term, "weight", random_factor(p, 1e-3, 1));
    }
}

static inline void random_limits(random_problem *p)
{
    int limited = 0;
    for (int j = 0; j < p->m->njnt; j++) {
        limited += p->m->jnt_limited[j] != 0;
    }
    if (random_chance(p, 15) && limited > 0) {
        sal_xml *range = random_named(p, "constraints", "constraint", "limits");
        random_set(p, range, "joint", "all");
        random_set(p, range, "range", "model");
    }
    if (random_chance(p, 15) && p->m->nu > 0) {
        const double most = random_factor(p, 0.2, 20);
        sal_xml *range = random_named(p, "constraints", "constraint", "effort");
        random_set(p, range, "ctrl", "all");
        random_numbers(p, range, "range", (const double[]){-most, most}, 2);
    }
}

static inline void random_time(random_problem *p, double duration)
{
    sal_xml *time = random_child(p, "time");
    p->duration = duration;
    random_number(p, time, "nstep", p->nstep);
    random_number(p, time, "duration", duration);
    if (random_chance(p, 20)) {
        random_numbers(p, time, "range", (const double[]){0.6 * duration, 1.6 * duration}, 2);
    }
    if (p->nstep % 2 == 0 && p->nstep >= 10 && random_chance(p, 8)) {
        random_set(p, time, "refine", "2");
    }
}

/* ---- what of a draft is kept ---- */

/* Removes the children of a tag; with an attribute, only those that have it. */
static inline void random_remove(sal_xml *element, const char *tag, const char *attribute)
{
    sal_xml **at = &element->child;
    while (*at != NULL) {
        const bool goes = strcmp((*at)->tag, tag) == 0 &&
                          (attribute == NULL || sal_xml_get(*at, attribute) != NULL);
        if (goes) {
            *at = (*at)->next;
        } else {
            at = &(*at)->next;
        }
    }
}

/* Not what follows from the numbers that change: times of steps, what is required. */
static inline void random_simplify(random_problem *p)
{
    random_remove(p->root, "require", NULL);
    random_remove(sal_xml_child(p->root, "cost"), "term", "times");
    random_remove(p->root, "constraints", NULL);
    sal_xml_unset(sal_xml_child(p->root, "time"), "range");
}

/* ---- a gait: the draft, with other numbers ---- */

static inline void random_travel(random_problem *p)
{
    sal_xml *travel = sal_xml_descendant(p->root, "travel");
    const char *said = travel == NULL ? NULL : sal_xml_get(travel, "speed");
    const double speed = (said == NULL ? 1 : atof(said)) * random_between(p, 0, 1.6);
    if (travel == NULL || random_chance(p, 70)) {
        random_number(p, travel, "speed", speed);
        return;
    }
    sal_xml_unset(travel, "speed");
    if (random_chance(p, 50)) {
        random_number(p, travel, "value", speed * p->duration);
    } else {
        random_numbers(p, travel, "range", (const double[]){0, 2 * speed * p->duration + 0.01}, 2);
    }
}

static inline void random_gait(random_problem *p)
{
    sal_xml *time = sal_xml_child(p->root, "time"), *cost = sal_xml_child(p->root, "cost");
    p->kind = "gait";
    random_time(p, atof(sal_xml_get(time, "duration")) * random_factor(p, 0.5, 1.8));
    random_travel(p);
    for (sal_xml *term = cost->child; term != NULL; term = term->next) {
        const char *weight = sal_xml_get(term, "weight"), *sigma = sal_xml_get(term, "sigma");
        const double factor = random_factor(p, 0.1, 10);
        if (sigma != NULL) { /* stands for a weight of 1/sigma^2 */
            random_number(p, term, "sigma", atof(sigma) / sqrt(factor));
        } else {
            random_number(p, term, "weight", (weight == NULL ? 1 : atof(weight)) * factor);
        }
    }
}

/* ---- a reach ---- */

/* A pose that the joints can take, as far from qpos as `far` says; only joints with actuators of
 * their own or all. */
static inline void random_pose(random_problem *p, double *qpos, double far)
{
    const sal_model *m = p->m;
    for (int j = 0; j < m->njnt; j++) {
        double *q = qpos + m->jnt_qposadr[j];
        const double *range = m->jnt_range + 2 * j;
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            q[0] += random_between(p, -0.3, 0.3) * far;
            q[1] += random_between(p, -0.3, 0.3) * far;
        } else if (m->jnt_type[j] != SAL_JNT_BALL) {
            const double scale = m->jnt_type[j] == SAL_JNT_SLIDE ? 0.3 : 1.2;
            q[0] += random_between(p, -scale, scale) * far;
            if (m->jnt_limited[j]) {
                const double margin = 0.02 * (range[1] - range[0]);
                q[0] = fmin(fmax(q[0], range[0] + margin), range[1] - margin);
            }
        }
    }
}

static inline void random_place(random_problem *p, const double *qpos)
{
    const sal_model *m = p->m;
    int body = -1;
    for (int tries = 0; tries < 20 && body < 0; tries++) {
        const int b = 1 + random_below(p, m->nbody - 1);
        body = m->body_weldid[b] != 0 && sal_model_name(m, SAL_OBJ_BODY, b)[0] != 0 ? b : -1;
    }
    if (body < 0) {
        return;
    }
    memcpy(p->d->qpos, qpos, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, p->d);
    double place[3];
    memcpy(place, p->d->xpos + 3 * body, sizeof place);
    for (int i = 0; i < 3 && random_chance(p, 8); i++) { /* farther than it can, now and then */
        place[i] += random_between(p, -2, 2);
    }
    sal_xml *goal = random_named(p, "constraints", "constraint", "goal");
    random_set(p, goal, "position", sal_model_name(m, SAL_OBJ_BODY, body));
    random_set(p, goal, "at", "end");
    random_numbers(p, goal, "target", place, 3);
    random_number(p, goal, "tol", random_factor(p, 1e-5, 1e-2));
}

static inline void random_end(random_problem *p, sal_xml *end, const double *from)
{
    const sal_model *m = p->m;
    double *qpos = sal_alloc((size_t)m->nq, sizeof(double));
    if (qpos == NULL) {
        p->faults++;
        return;
    }
    memcpy(qpos, from, (size_t)m->nq * sizeof(double));
    random_pose(p, qpos, random_factor(p, 0.1, 1));
    const int how = random_below(p, 4);
    if (how == 0) {
        random_numbers(p, end, "qpos", qpos, m->nq);
    } else if (how == 1) {
        random_place(p, qpos);
    } else if (how == 2) { /* some joints, softly or exactly */
        sal_xml *goal = random_chance(p, 50) ? random_named(p, "cost", "term", "goal")
                                             : random_named(p, "constraints", "constraint", "goal");
        const int j = random_below(p, m->njnt);
        const char *name = sal_model_name(m, SAL_OBJ_JOINT, j);
        const bool scalar = m->jnt_type[j] == SAL_JNT_HINGE || m->jnt_type[j] == SAL_JNT_SLIDE;
        random_set(p, goal, "joint", name[0] != 0 && scalar ? name : "all");
        random_set(p, goal, "at", "end");
        if (name[0] != 0 && scalar) {
            random_number(p, goal, "target", qpos[m->jnt_qposadr[j]]);
        } else {
            random_set(p, goal, "of", "vel");
        }
    }
    if (random_chance(p, 60)) {
        random_set(p, end, "qvel", "0");
    }
    sal_free(qpos);
}

static inline void random_reach(random_problem *p)
{
    const sal_model *m = p->m;
    sal_xml *boundary = sal_xml_child(p->root, "boundary");
    sal_xml *start = sal_xml_child(boundary, "start"), *init = random_child(p, "init");
    p->kind = "reach";
    random_time(p, random_factor(p, 0.2, 3));
    const char *key = start == NULL ? NULL : sal_xml_get(start, "key");
    p->key = key == NULL ? -1 : sal_model_find(m, SAL_OBJ_KEY, key);
    random_remove(boundary, "start", NULL);
    random_remove(boundary, "end", NULL);
    start = sal_xml_add(&p->doc, boundary, "start");
    const double *from = p->key < 0 ? m->qpos0 : m->key_qpos + (size_t)p->key * (size_t)m->nq;
    if (p->key < 0) {
        random_numbers(p, start, "qpos", from, m->nq);
        random_numbers(p, init, "qpos", from, m->nq);
        sal_xml_unset(init, "key");
    } else {
        random_set(p, start, "key", key);
        random_set(p, start, "fixed", "qpos");
        random_set(p, init, "key", key);
        sal_xml_unset(init, "qpos");
    }
    if (random_chance(p, 80)) {
        random_set(p, start, "qvel", "0");
    }
    random_end(p, sal_xml_add(&p->doc, boundary, "end"), from);
}

/* ---- the problem ---- */

static inline sal_status random_vary(random_problem *p, const char *draft, sal_err *err)
{
    sal_diag diag = {0};
    sal_status status = sal_xml_parse(&p->doc, "draft", draft, strlen(draft), &diag, err);
    sal_diag_clear(&diag);
    if (status != SAL_OK) {
        return status;
    }
    p->root = p->doc.root;
    const char *type = sal_xml_get(sal_xml_child(p->root, "boundary"), "type");
    random_simplify(p);
    random_init(p);
    if (strcmp(type, "cycle") == 0 && !random_chance(p, 20)) {
        random_gait(p);
    } else if (strcmp(type, "cycle") == 0) {
        sal_xml *boundary = sal_xml_child(p->root, "boundary"), *start;
        const char *key = sal_xml_get(sal_xml_child(p->root, "init"), "key");
        random_set(p, boundary, "type", "open");
        sal_xml_unset(boundary, "mirror");
        random_remove(boundary, "travel", NULL);
        if (key != NULL && (start = sal_xml_add(&p->doc, boundary, "start")) != NULL) {
            random_set(p, start, "key", key);
        }
        random_reach(p);
    } else {
        random_reach(p);
    }
    random_terms(p);
    random_limits(p);
    random_solver(p);
    return SAL_OK;
}

/* How many subjects there are: without the corpus only those of ours, which stand first. */
static inline int random_subject_count(const char *corpus)
{
    char path[1200];
    int n = 0;
    while (n < RANDOM_NSUBJECT && random_subjects[n].ours) {
        n++;
    }
    snprintf(path, sizeof path, "%s/%s", corpus, random_subjects[n].model);
    return access(path, R_OK) == 0 ? RANDOM_NSUBJECT : n;
}

/* The problem of this seed as a file's text. root, corpus: where models are; the same seed gives
 * another problem where there is no corpus. */
static inline sal_status random_problem_write(sal_text *out, const char **kind, const char *root,
                                              const char *corpus, uint64_t seed, sal_err *err)
{
    random_problem p = {.rng = {seed}};
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_text draft = {0};
    char path[1200];
    for (int i = 0; i < 3; i++) { /* neighbouring seeds have nothing in common */
        sal_rng_next(&p.rng);
    }
    const random_subject *s = random_subjects + random_below(&p, random_subject_count(corpus));
    snprintf(path, sizeof path, "%s/%s", s->ours ? root : corpus, s->model);
    sal_status status = sal_model_load(&m, path, NULL, &diag, err);
    if (status == SAL_OK) {
        p.m = m;
        p.nstep = 4 + random_below(&p, s->nstep - 3);
        status = sal_data_new(&p.d, m, err);
    }
    status = status == SAL_OK ? sal_problem_draft(&draft, NULL, m, path, NULL, err) : status;
    status = status == SAL_OK ? random_vary(&p, draft.data, err) : status;
    if (status == SAL_OK) {
        sal_xml_write(p.root, out);
        *kind = p.kind;
        status =
            p.faults > 0 ? sal_fail(err, SAL_INTERNAL, "an attribute could not be set") : status;
    }
    sal_xml_free(&p.doc);
    sal_text_clear(&draft);
    sal_diag_clear(&diag);
    sal_data_free(p.d);
    sal_model_free(m);
    return status;
}

#endif
