/* compare.c: where two results, or two XML files, differ.
 *
 *     motion    at row t of the first: |q_2(s) (-) q_1(t)| per joint, s = t T_2 / T_1, q_2 between
 *               its rows q_k (+) (s - k) (q_{k+1} (-) q_k)
 */
#include "problems/result/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct prb_comparison {
    sal_difference *list;
    int n, capacity;
    bool failed; /* memory ran out */
};

/* ---- collecting ---- */

static void add(prb_comparison *c, const char *group, const char *name, const char *first,
                const char *second, double size, double time)
{
    sal_difference *more = sal_list_grow(c->list, c->n, &c->capacity, sizeof *more);
    if (more == NULL) {
        c->failed = true;
        return;
    }
    c->list = more;
    sal_difference *d = c->list + c->n++;
    *d = (sal_difference){.group = group, .size = size, .time = time};
    snprintf(d->name, sizeof d->name, "%.159s", name);
    snprintf(d->first, sizeof d->first, "%s", first);
    snprintf(d->second, sizeof d->second, "%s", second);
}

void prb_compare_texts(prb_comparison *c, const char *group, const char *name, const char *first,
                       const char *second)
{
    if (strcmp(first, second) != 0) {
        add(c, group, name, first, second, (double)NAN, (double)NAN);
    }
}

void prb_compare_numbers(prb_comparison *c, const char *group, const char *name, double first,
                         double second)
{
    char one[32], two[32];
    if (!(first == second) && !(isnan(first) && isnan(second))) {
        snprintf(one, sizeof one, "%.10g", first);
        snprintf(two, sizeof two, "%.10g", second);
        add(c, group, name, one, two, second - first, (double)NAN);
    }
}

static sal_status finish(prb_comparison *c, sal_difference **list, int *n, sal_err *err)
{
    *list = c->list;
    *n = c->n;
    if (c->failed) {
        sal_free(c->list);
        *list = NULL;
        *n = 0;
        return sal_fail(err, SAL_NOMEM, "out of memory for a comparison");
    }
    return SAL_OK;
}

/* ---- XML ---- */

/* The k-th child of that tag, or the one of that name; NULL: there is none. */
static const sal_xml *counterpart(const sal_xml *parent, const sal_xml *of, int k)
{
    const sal_xml_attr *name = sal_xml_find_attr(of, "name");
    int count = 0;
    for (const sal_xml *c = parent->child; c != NULL; c = c->next) {
        const sal_xml_attr *other = sal_xml_find_attr(c, "name");
        if (strcmp(c->tag, of->tag) != 0) {
            continue;
        }
        if (name != NULL ? other != NULL && strcmp(name->value, other->value) == 0
                         : other == NULL && count++ == k) {
            return c;
        }
    }
    return NULL;
}

/* "term[effort]", "travel", "exclude[#2]" */
static void call(char out[96], const sal_xml *element, int k)
{
    const sal_xml_attr *name = sal_xml_find_attr(element, "name");
    if (name != NULL) {
        snprintf(out, 96, "%.30s[%.60s]", element->tag, name->value);
    } else if (k > 0) {
        snprintf(out, 96, "%.30s[#%d]", element->tag, k);
    } else {
        snprintf(out, 96, "%.30s", element->tag);
    }
}

static void attributes(prb_comparison *c, const char *group, const char *who, const sal_xml *one,
                       const sal_xml *two)
{
    char path[200];
    for (int i = 0; i < one->nattr; i++) {
        const sal_xml_attr *a = one->attr + i, *b = sal_xml_find_attr(two, a->name);
        snprintf(path, sizeof path, "%s/%.90s", who, a->name);
        prb_compare_texts(c, group, path, a->value, b == NULL ? "" : b->value);
    }
    for (int i = 0; i < two->nattr; i++) {
        const sal_xml_attr *b = two->attr + i;
        if (sal_xml_find_attr(one, b->name) == NULL) {
            snprintf(path, sizeof path, "%s/%.90s", who, b->name);
            prb_compare_texts(c, group, path, "", b->value);
        }
    }
}

/* Its place among the children of its tag that have no name. */
static int place_of(const sal_xml *parent, const sal_xml *of)
{
    int k = 0;
    for (const sal_xml *c = parent->child; c != of; c = c->next) {
        k += strcmp(c->tag, of->tag) == 0 && sal_xml_find_attr(c, "name") == NULL;
    }
    return k;
}

/* As deep as the documents, which the reader limits. */
static void elements(prb_comparison *c, const char *group, const char *who, const sal_xml *one,
                     const sal_xml *two)
{
    char name[96];
    attributes(c, group, who, one, two);
    for (const sal_xml *a = one->child; a != NULL; a = a->next) {
        const int k = place_of(one, a);
        const sal_xml *b = counterpart(two, a, k);
        call(name, a, k);
        if (b != NULL) {
            elements(c, group, name, a, b);
        } else {
            prb_compare_texts(c, group, name, "present", "");
        }
    }
    for (const sal_xml *b = two->child; b != NULL; b = b->next) {
        const int k = place_of(two, b);
        if (counterpart(one, b, k) == NULL) {
            call(name, b, k);
            prb_compare_texts(c, group, name, "", "present");
        }
    }
}

sal_status prb_file_compare(sal_difference **list, int *n, const char *group, const sal_xml *first,
                            const sal_xml *second, sal_err *err)
{
    prb_comparison c = {0};
    prb_compare_texts(&c, group, "root", first->tag, second->tag);
    elements(&c, group, first->tag, first, second);
    return finish(&c, list, n, err);
}

static void xml_texts(prb_comparison *c, const char *group, const char *first, const char *second)
{
    sal_xml_doc one = {0}, two = {0};
    sal_diag diag = {0};
    if (strcmp(first, second) == 0) {
        return;
    }
    sal_status status = sal_xml_parse_mixed(&one, group, first, strlen(first), &diag, NULL);
    status = status == SAL_OK
                 ? sal_xml_parse_mixed(&two, group, second, strlen(second), &diag, NULL)
                 : status;
    if (status == SAL_OK) {
        elements(c, group, one.root->tag, one.root, two.root);
    }
    c->failed = c->failed || status == SAL_NOMEM;
    sal_xml_free(&one);
    sal_xml_free(&two);
    sal_diag_clear(&diag);
}

/* ---- results: what stands at their heads ---- */

static void heads(prb_comparison *c, const sal_result *a, const sal_result *b)
{
    prb_compare_texts(c, "status", "status", a->status, b->status);
    prb_compare_numbers(c, "status", "exit_code", a->exit_code, b->exit_code);
    prb_compare_numbers(c, "status", "as_asked", sal_result_as_asked(a), sal_result_as_asked(b));
    prb_compare_numbers(c, "status", "finished", sal_result_finished(a), sal_result_finished(b));
    prb_compare_texts(c, "provenance", "problem", a->problem_name, b->problem_name);
    prb_compare_texts(c, "provenance", "version", a->version, b->version);
    prb_compare_texts(c, "provenance", "git", a->git, b->git);
    prb_compare_numbers(c, "provenance", "seed", (double)a->seed, (double)b->seed);
    prb_compare_texts(c, "provenance", "compat", sal_mujoco_name(a->mujoco),
                      sal_mujoco_name(b->mujoco));
    prb_compare_texts(c, "provenance", "contact", a->contact_table ? "table" : "model",
                      b->contact_table ? "table" : "model");
    prb_compare_texts(c, "provenance", "contactmodel", sal_contact_model_name(a->contact.model),
                      sal_contact_model_name(b->contact.model));
    prb_compare_numbers(c, "provenance", "kappa", a->contact.kappa, b->contact.kappa);
    prb_compare_numbers(c, "provenance", "weight_equality", a->contact.weight[0],
                        b->contact.weight[0]);
    prb_compare_numbers(c, "provenance", "weight_contact", a->contact.weight[1],
                        b->contact.weight[1]);
    prb_compare_texts(c, "provenance", "sha256_problem", a->sha256_problem, b->sha256_problem);
    prb_compare_texts(c, "provenance", "sha256_model", a->sha256_model, b->sha256_model);
    prb_compare_texts(c, "provenance", "sha256_data", a->sha256_data, b->sha256_data);
    xml_texts(c, "problem", a->problem_xml, b->problem_xml);
    xml_texts(c, "model", a->model_xml, b->model_xml);
    prb_compare_texts(c, "provenance", "soft steps", a->soft == NULL ? "none" : "some",
                      b->soft == NULL ? "none" : "some");
    if (a->softer_xml != NULL && b->softer_xml != NULL) {
        xml_texts(c, "softer model", a->softer_xml, b->softer_xml);
    }
}

static void costs(prb_comparison *c, const sal_result *a, const sal_result *b)
{
    prb_compare_numbers(c, "cost", "total", a->cost, b->cost);
    for (int i = 0; i < a->nterm; i++) {
        int k = 0;
        while (k < b->nterm && strcmp(a->term[i].name, b->term[k].name) != 0) {
            k++;
        }
        prb_compare_numbers(c, "cost", a->term[i].name, a->term[i].value,
                            k < b->nterm ? b->term[k].value : (double)NAN);
    }
    for (int i = 0; i < a->nconstraint; i++) {
        int k = 0;
        while (k < b->nconstraint && strcmp(a->constraint[i].name, b->constraint[k].name) != 0) {
            k++;
        }
        prb_compare_numbers(c, "constraint", a->constraint[i].name, a->constraint[i].violation,
                            k < b->nconstraint ? b->constraint[k].violation : (double)NAN);
    }
    prb_compare_numbers(c, "constraint", "relative_to_weight", a->relative_to_weight,
                        b->relative_to_weight);
}

/* ---- results: motions ---- */

typedef struct prb_gap { /* the largest so far, and when */
    double size, time;
} prb_gap;

static void widen(prb_gap *gap, double size, double time)
{
    if (fabs(size) > gap->size) {
        *gap = (prb_gap){fabs(size), time};
    }
}

static void gaps(prb_comparison *c, const char *what, const sal_model *m, sal_object type, int n,
                 const prb_gap *gap)
{
    for (int i = 0; i < n; i++) {
        if (gap[i].size > 0) {
            char object[PRB_COLUMN_NAME], name[PRB_COLUMN_NAME + 16];
            prb_object_name(object, m, type, i);
            snprintf(name, sizeof name, "%s:%s", what, object);
            add(c, "motion", name, "", "", gap[i].size, gap[i].time);
        }
    }
}

/* Rows of b around row t of a: *k and *k + 1, the latter by `share`. */
static void locate(const sal_result *a, const sal_result *b, int t, int *k, double *share)
{
    const double s = (double)t * b->nstep / a->nstep;
    *k = s >= b->nstep ? b->nstep - 1 : (int)floor(s);
    *share = s - *k;
}

/* x + share (y - x), and x and y themselves at the ends */
static double between(double x, double y, double share)
{
    return share == 1 ? y : x + share * (y - x);
}

/* gap: of qpos and qvel by joints, ctrl by actuators */
static void compare_rows(const sal_result *a, const sal_result *b, double *q, double *d,
                         prb_gap *gap)
{
    const sal_model *m = a->model;
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, nu = (size_t)m->nu;
    for (int t = 0; t <= a->nstep; t++) {
        int k;
        double share;
        locate(a, b, t, &k, &share);
        const size_t row = (size_t)k;
        if (share == 0 || share == 1) { /* as they are: nothing is rounded */
            memcpy(q, b->qpos + (row + (share > 0)) * nq, nq * sizeof(double));
        } else {
            sal_differentiate_pos(m, d, 1, b->qpos + row * nq, b->qpos + (row + 1) * nq);
            sal_integrate_pos(m, q, b->qpos + row * nq, d, share);
        }
        if (memcmp(a->qpos + (size_t)t * nq, q, nq * sizeof(double)) == 0) {
            memset(d, 0, nv * sizeof(double)); /* differences of quaternions are rounded */
        } else {
            sal_differentiate_pos(m, d, 1, a->qpos + (size_t)t * nq, q);
        }
        for (int i = 0; i < m->nv; i++) {
            const double v0 = b->qvel[row * nv + (size_t)i],
                         v1 = b->qvel[(row + 1) * nv + (size_t)i];
            widen(gap + m->dof_jntid[i], d[i], a->time[t]);
            widen(gap + m->njnt + m->dof_jntid[i],
                  between(v0, v1, share) - a->qvel[(size_t)t * nv + (size_t)i], a->time[t]);
        }
        for (int i = 0; i < m->nu && t < a->nstep; i++) { /* held from row to row */
            widen(gap + 2 * m->njnt + i,
                  b->ctrl[row * nu + (size_t)i] - a->ctrl[(size_t)t * nu + (size_t)i], a->time[t]);
        }
    }
}

static bool same_joints(const sal_model *a, const sal_model *b)
{
    bool same = a->nq == b->nq && a->nv == b->nv && a->nu == b->nu && a->njnt == b->njnt;
    for (int j = 0; j < a->njnt && same; j++) {
        same = a->jnt_type[j] == b->jnt_type[j];
    }
    return same;
}

static void motions(prb_comparison *c, const sal_result *a, const sal_result *b)
{
    const sal_model *m = a->model;
    static const char *const axis[] = {"travel:x", "travel:y", "travel:z"};
    prb_compare_numbers(c, "motion", "nstep", a->nstep, b->nstep);
    prb_compare_numbers(c, "motion", "duration", a->nstep * a->timestep, b->nstep * b->timestep);
    for (int i = 0; i < 3; i++) {
        prb_compare_numbers(c, "motion", axis[i], a->travel[i], b->travel[i]);
    }
    if (!same_joints(m, b->model)) {
        add(c, "motion", "joints", "", "different joints: motions not compared", (double)NAN,
            (double)NAN);
        return;
    }
    const int ngap = 2 * m->njnt + m->nu;
    prb_gap *gap = sal_alloc((size_t)ngap + 1, sizeof *gap);
    double *q = sal_alloc((size_t)(m->nq + m->nv) + 1, sizeof *q);
    if (gap != NULL && q != NULL) {
        compare_rows(a, b, q, q + m->nq, gap);
        gaps(c, "qpos", m, SAL_OBJ_JOINT, m->njnt, gap);
        gaps(c, "qvel", m, SAL_OBJ_JOINT, m->njnt, gap + m->njnt);
        gaps(c, "ctrl", m, SAL_OBJ_ACTUATOR, m->nu, gap + 2 * m->njnt);
    }
    c->failed = c->failed || gap == NULL || q == NULL;
    sal_free(gap);
    sal_free(q);
}

sal_status sal_result_compare(sal_difference **list, int *n, const sal_result *first,
                              const sal_result *second, sal_err *err)
{
    const prb_part_kind *kind = first->part != NULL ? first->part_kind : second->part_kind;
    prb_comparison c = {0};
    heads(&c, first, second);
    costs(&c, first, second);
    if (kind != NULL) {
        kind->compare(&c, first->part, second->part);
    }
    motions(&c, first, second);
    return finish(&c, list, n, err);
}
