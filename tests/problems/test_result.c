#include "tests/folder.h"
#include "tests/memory.h"
#include "tests/problems/motions.h"

#include "pages/pages.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <hdf5.h>
#include <unistd.h>


/* ---- what a motion was driven by is found again ---- */

static void controls_of_a_damped_pendulum(void)
{
    motion a;
    motion_pendulum(&a);
    const sal_result *r = a.r;
    for (int t = 0; t < a.n; t++) {
        CHECK_NEAR(r->ctrl[t], a.ctrl[t], 1e-10);
        CHECK_NEAR(r->qfrc_actuator[t], 2 * a.ctrl[t], 1e-10);
        CHECK_NEAR(r->qfrc_inverse[t], 2 * a.ctrl[t], 1e-10);
        CHECK_NEAR(r->qfrc_passive[t], -0.3 * r->qvel[t], 1e-12);
        CHECK_NEAR(r->time[t], 0.02 * t, 1e-12);
        CHECK_NEAR(r->sensordata[t * 8 + 4], a.ctrl[t], 1e-10); /* force, before the gear */
        CHECK(r->sensordata[t * 8 + 5] == 0);                   /* nothing touches */
        CHECK_NEAR(r->sensordata[t * 8 + 6], 2 * a.ctrl[t], 1e-10);
        CHECK_NEAR(r->sensordata[t * 8 + 7], fmin(fmax(2 * a.ctrl[t], -0.1), 0.1), 1e-10);
    }
    CHECK(r->relative_to_weight < 1e-12 && r->force.dof == -1 && r->torque.dof == 0);
    CHECK_NEAR(r->weight, 9.81 * 1.5, 1e-12);
    CHECK(r->physical_tolerance == 1e-10);
    motion_clear(&a);
}

static void forces_no_actuator_gives(void)
{
    motion a;
    motion_hopper(&a, true);
    const sal_result *r = a.r;
    const double W = 9.81 * 4.2;
    CHECK_NEAR(r->weight, W, 1e-12);
    for (int t = 0; t < a.n; t++) {
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(r->qfrc_unactuated[8 * t + i], a.push[8 * t + i], 1e-7 * W);
        }
        CHECK_NEAR(r->qfrc_unactuated[8 * t + 6], 0, 1e-12 * W);
        CHECK_NEAR(r->qfrc_unactuated[8 * t + 7], 0, 1e-12 * W);
        CHECK_NEAR(r->ctrl[2 * t], a.ctrl[2 * t], 1e-7);
        CHECK_NEAR(r->ctrl[2 * t + 1], a.ctrl[2 * t + 1], 1e-7);
    }
    CHECK(r->force.dof == 1 && r->torque.dof == 4); /* the push: along y it grows */
    CHECK_NEAR(r->force.max, 2 + 0.1 * (a.n - 1), 1e-6);
    CHECK_NEAR(r->force.time, 0.005 * (a.n - 1), 1e-12);
    CHECK_NEAR(r->relative_to_weight, r->force.max / W, 1e-12);
    motion_clear(&a);
}

static void an_unpushed_body_is_physical(void)
{
    motion a;
    motion_hopper(&a, false);
    CHECK(a.r->relative_to_weight < 1e-8);
    motion_clear(&a);
}

/* Newton: contact forces, gravity and push are what the momentum changes by, step by step. */
static void contacts_carry_the_weight(void)
{
    motion a;
    motion_hopper(&a, true);
    const sal_result *r = a.r;
    int touching = 0;
    CHECK(r->contact_offset[0] == 0 && r->contact_offset[a.n + 1] == r->ncontact);
    for (int t = 0; t < a.n; t++) {
        double total[3] = {0};
        for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
            const double *f = r->contact_force + 6 * k, *frame = r->contact_frame + 9 * k;
            CHECK(r->contact_geom[2 * k] == 0 && r->contact_geom[2 * k + 1] > 1);
            CHECK_NEAR(frame[2], 1, 1e-12); /* up, from the floor */
            CHECK(f[0] >= 0 && hypot(f[1], f[2]) <= 0.8 * f[0] * (1 + 1e-9) + 1e-9);
            CHECK(r->contact_slip[k] >= 0);
            for (int i = 0; i < 3; i++) {
                sal_v3_addscaled(total, total, f[i], frame + 3 * i);
            }
            touching += f[0] > 0;
        }
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(total[i], r->qfrc_constraint[8 * t + i], 1e-9 * r->weight);
        }
    }
    CHECK(touching > 10);
    motion_clear(&a);
}

static void the_last_row_has_a_state_and_no_forces(void)
{
    motion a;
    motion_cycle(&a);
    const sal_result *r = a.r;
    const sal_model *m = a.m;
    double image[9];
    const int N = a.n;
    sal_image_apply(r->image, m, image, r->qpos, 0.4);
    for (int i = 0; i < m->nq; i++) {
        CHECK_NEAR(r->qpos[N * m->nq + i], image[i], 1e-15);
    }
    for (int i = 0; i < m->nv; i++) {
        const double v = r->image->dof_sign[i] * r->qvel[r->image->dof_index[i]];
        CHECK_NEAR(r->qvel[N * m->nv + i], v, 1e-12);
        CHECK(isnan(r->qacc[N * m->nv + i]) && isnan(r->qfrc_inverse[N * m->nv + i]));
        CHECK(isnan(r->qfrc_constraint[N * m->nv + i]) && !isnan(r->qfrc_inverse[i]));
    }
    CHECK(isnan(r->ctrl[N * m->nu]));
    CHECK_NEAR(r->travel[0], 0.4, 1e-15);
    CHECK(r->travel[1] == 0 && r->travel[2] == 0);
    CHECK_NEAR(r->xpos[3 * (N * m->nbody + 1)], 0.4, 1e-15);
    motion_clear(&a);
}

/* ---- files ---- */

/* Some of everything that a solve adds. */
static void decorate(sal_result *r)
{
    snprintf(r->status, sizeof r->status, "iteration limit");
    snprintf(r->sha256_data, sizeof r->sha256_data, "%064d", 7);
    r->exit_code = 1;
    r->start = 1;
    r->cost = 0.1;
    r->nterm = 2, r->nconstraint = 1, r->niteration = 3;
    r->term = sal_alloc(2, sizeof *r->term);
    r->constraint = sal_alloc(1, sizeof *r->constraint);
    r->iteration = sal_alloc(3, sizeof *r->iteration);
    memset(r->term, 'x',
           2 * sizeof *r->term); /* what stands behind a name must not reach the file */
    r->term[0] = (prb_term_report){"effort", 0.07, 0.7};
    snprintf(r->term[1].name, sizeof r->term[1].name, "<&\"\xC3\xB6>");
    r->term[1].value = 0.03, r->term[1].share = 0.3;
    r->term_over_time = sal_alloc(2 * (size_t)(r->nstep + 1), sizeof *r->term_over_time);
    for (int i = 0; i < 2 * (r->nstep + 1); i++) {
        r->term_over_time[i] = i % 2 == 0 ? (double)NAN : 1.0 / (i + 3);
    }
    r->constraint[0] = (prb_constraint_report){"reach", "tip z", "m", 1e-9, 2e-6, 0.04};
    for (int k = 0; k < 3; k++) {
        r->iteration[k] = (prb_iteration){k % 2, k, "path", 1 - 0.3 * k, 3.0 / (k + 1), 7, 0.1, 1};
    }
    r->optim = (sal_optim_result){SAL_STOP_MAXITER, 0.1, 3, 0, 1e-3, 0.02, 40, 200, 41, 5, 2};
}

#define SAME(field) CHECK(memcmp(&(a)->field, &(b)->field, sizeof(a)->field) == 0)
#define SAME_ARRAY(field, n)                                                                       \
    CHECK(memcmp((a)->field, (b)->field, (size_t)(n) * sizeof *(a)->field) == 0)

static void check_same(const sal_result *a, const sal_result *b)
{
    const int T = a->nstep + 1, nv = a->model->nv, nq = a->model->nq, K = a->ncontact;
    CHECK_TEXT(b->status, a->status);
    CHECK_TEXT(b->version, a->version);
    CHECK_TEXT(b->git, a->git);
    CHECK_TEXT(b->problem_name, a->problem_name);
    CHECK_TEXT(b->problem_xml, a->problem_xml);
    CHECK_TEXT(b->model_xml, a->model_xml);
    CHECK_TEXT(b->sha256_problem, a->sha256_problem);
    CHECK_TEXT(b->sha256_model, a->sha256_model);
    CHECK_TEXT(b->sha256_data, a->sha256_data);
    SAME(exit_code), SAME(seed), SAME(start), SAME(mujoco), SAME(contact_table), SAME(boundary);
    SAME(travel), SAME(timestep), SAME(cost), SAME(relative_to_weight), SAME(weight);
    SAME(physical_tolerance), SAME(nstep), SAME(ncontact);
    SAME(optim.stop), SAME(optim.cost), SAME(optim.violation), SAME(optim.softness);
    SAME(optim.gradient), SAME(optim.promise), SAME(optim.linearisations), SAME(optim.evaluations);
    SAME(optim.factorisations), SAME(optim.projection_steps), SAME(optim.polish_steps);
    SAME(force.max), SAME(force.dof), SAME(force.time), SAME(torque.max), SAME(torque.dof);
    SAME_ARRAY(time, T), SAME_ARRAY(qpos, T * nq), SAME_ARRAY(qvel, T * nv);
    SAME_ARRAY(qacc, T * nv), SAME_ARRAY(qfrc_inverse, T * nv), SAME_ARRAY(qfrc_passive, T * nv);
    SAME_ARRAY(qfrc_actuator, T * nv), SAME_ARRAY(qfrc_constraint, T * nv);
    SAME_ARRAY(qfrc_unactuated, T * nv), SAME_ARRAY(ctrl, T * a->model->nu);
    SAME_ARRAY(sensordata, T * a->model->nsensordata), SAME_ARRAY(xpos, T * 3 * a->model->nbody);
    SAME_ARRAY(xquat, T * 4 * a->model->nbody), SAME_ARRAY(qpos_before, nq);
    SAME_ARRAY(contact_offset, T + 1), SAME_ARRAY(contact_geom, 2 * K);
    SAME_ARRAY(contact_pos, 3 * K), SAME_ARRAY(contact_frame, 9 * K), SAME_ARRAY(contact_dist, K);
    SAME_ARRAY(contact_force, 6 * K), SAME_ARRAY(contact_slip, K);
    CHECK(a->nterm == b->nterm && a->nconstraint == b->nconstraint);
    CHECK(a->niteration == b->niteration && (a->image == NULL) == (b->image == NULL));
    SAME_ARRAY(term_over_time, T * a->nterm);
    for (int k = 0; k < a->nterm && k < b->nterm; k++) {
        CHECK_TEXT(b->term[k].name, a->term[k].name);
        SAME(term[k].value), SAME(term[k].share);
    }
    for (int k = 0; k < a->nconstraint && k < b->nconstraint; k++) {
        CHECK_TEXT(b->constraint[k].name, a->constraint[k].name);
        CHECK_TEXT(b->constraint[k].what, a->constraint[k].what);
        CHECK_TEXT(b->constraint[k].unit, a->constraint[k].unit);
        SAME(constraint[k].violation), SAME(constraint[k].tolerance), SAME(constraint[k].time);
    }
    for (int k = 0; k < a->niteration && k < b->niteration; k++) {
        CHECK_TEXT(b->iteration[k].phase, a->iteration[k].phase);
        SAME(iteration[k].start), SAME(iteration[k].cost), SAME(iteration[k].damping);
    }
    if (a->image != NULL && b->image != NULL) {
        SAME_ARRAY(image->qpos_index, nq), SAME_ARRAY(image->qpos_sign, nq);
        SAME_ARRAY(image->dof_index, nv), SAME_ARRAY(image->dof_sign, nv);
        SAME_ARRAY(image->travel, nq), SAME_ARRAY(image->travel_dof, nv), SAME(image->mirrored);
    }
}

static void check_round_trip(void (*make)(motion *))
{
    motion a;
    sal_result *back = NULL;
    sal_err err = {0};
    char *bytes[2] = {NULL, NULL};
    size_t n[2] = {0, 0};
    make(&a);
    decorate(a.r);
    CHECK_OK(sal_result_write(a.r, in_folder("a.h5"), &err), err);
    CHECK_OK(sal_result_read(&back, in_folder("a.h5"), &err), err);
    if (back != NULL) {
        check_same(a.r, back);
        sal_replay replay; /* the model rebuilt from its text moves the same */
        CHECK_OK(sal_result_replay(&replay, back, true, &err), err);
        CHECK(replay.onestep_qpos < 1e-11 && replay.onestep_qvel < 1e-9);
        sal_replay_clear(&replay);
        CHECK_OK(sal_result_write(back, in_folder("b.h5"), &err), err);
        CHECK_OK(sal_text_read_file(in_folder("a.h5"), 1 << 28, bytes, n, &err), err);
        CHECK_OK(sal_text_read_file(in_folder("b.h5"), 1 << 28, bytes + 1, n + 1, &err), err);
        CHECK(n[0] == n[1] && n[0] > 0 && memcmp(bytes[0], bytes[1], n[0]) == 0);
    }
    sal_free(bytes[0]);
    sal_free(bytes[1]);
    sal_result_free(back);
    motion_clear(&a);
}

static void make_hopper(motion *a)
{
    motion_hopper(a, true);
}

static void files_give_back_every_bit(void)
{
    check_round_trip(motion_pendulum);
    check_round_trip(make_hopper);
    check_round_trip(motion_cycle);
}

/* ---- structure, seen through libhdf5 alone ---- */

typedef struct visit {
    const char *page;
    int narray;
} visit;

static size_t attribute_length(hid_t object, const char *name)
{
    const hid_t attr = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t space = H5Aget_space(attr);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Aclose(attr);
    return (size_t)n;
}

/* Every array has names and units, one for each number of a row; docs/result.md mentions it. */
static herr_t check_object(hid_t file, const char *name, const H5O_info_t *info, void *ctx)
{
    visit *v = ctx;
    const char *last = strrchr(name, '/');
    if (info->type != H5O_TYPE_DATASET) {
        CHECK(strcmp(name, ".") == 0 || strstr(v->page, name) != NULL);
        return 0;
    }
    hsize_t dims[3] = {1, 1, 1};
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_dims(space, dims, NULL);
    const bool named = H5Aexists(set, "names") > 0 && H5Aexists(set, "units") > 0;
    CHECK(named);
    if (named) {
        const size_t names = attribute_length(set, "names");
        CHECK(names == attribute_length(set, "units"));
        CHECK(names == (rank == 3 ? dims[1] * dims[2] : rank == 2 ? dims[1] : names));
        CHECK(rank != 1 || names == 1 || names == dims[0]);
    }
    CHECK(info->ctime == 0 && info->mtime == 0);
    if (last == NULL || strstr(v->page, last + 1) == NULL) {
        printf("%s is not described\n", name);
        CHECK(false);
    }
    v->narray++;
    H5Sclose(space);
    H5Dclose(set);
    return 0;
}

static void the_file_is_as_described(void)
{
    static const char *const paths[] = {"provenance/problem_xml",
                                        "provenance/model_xml",
                                        "boundary/travel",
                                        "boundary/qpos_index",
                                        "boundary/qpos_sign",
                                        "boundary/dof_index",
                                        "boundary/dof_sign",
                                        "trajectory/time",
                                        "trajectory/qpos",
                                        "trajectory/qvel",
                                        "trajectory/qacc",
                                        "trajectory/qfrc_inverse",
                                        "trajectory/qfrc_actuator",
                                        "trajectory/qfrc_passive",
                                        "trajectory/qfrc_constraint",
                                        "trajectory/qfrc_unactuated",
                                        "trajectory/ctrl",
                                        "trajectory/sensordata",
                                        "trajectory/xpos",
                                        "trajectory/xquat",
                                        "contact/offset",
                                        "contact/geom",
                                        "contact/pos",
                                        "contact/frame",
                                        "contact/dist",
                                        "contact/force",
                                        "contact/slip",
                                        "cost/name",
                                        "constraint/name",
                                        "iteration/cost"};
    motion a;
    sal_err err = {0};
    size_t length;
    char *page = NULL, path[1024];
    snprintf(path, sizeof path, "%s/docs/result.md",
             getenv("SALTUS_ROOT") == NULL ? "." : getenv("SALTUS_ROOT"));
    CHECK_OK(sal_text_read_file(path, 1 << 20, &page, &length, &err), err);
    motion_cycle(&a);
    decorate(a.r);
    CHECK_OK(sal_result_write(a.r, in_folder("a.h5"), &err), err);
    const hid_t file = H5Fopen(in_folder("a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(file >= 0 && page != NULL);
    if (file >= 0 && page != NULL) {
        visit v = {page, 0};
        CHECK(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, check_object, &v) >= 0);
        CHECK(v.narray > 60);
        for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
            CHECK(H5Oexists_by_name(file, paths[i], H5P_DEFAULT) > 0);
        }
        CHECK(H5Aexists(file, "format") > 0 && H5Aexists(file, "format_version") > 0);
        CHECK(H5Aexists(file, "status") > 0 && H5Aexists(file, "exit_code") > 0);
        H5Fclose(file);
    }
    sal_free(page);
    motion_clear(&a);
}

/* ---- files that are not results ---- */

static void write_version(int version)
{
    const hid_t file = H5Fopen(in_folder("a.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t attr = H5Aopen(file, "format_version", H5P_DEFAULT);
    CHECK(H5Awrite(attr, H5T_NATIVE_INT, &version) >= 0);
    H5Aclose(attr);
    H5Fclose(file);
}

static void what_another_program_added_does_no_harm(void)
{
    motion a;
    sal_result *back = NULL;
    sal_err err = {0};
    motion_pendulum(&a);
    CHECK_OK(sal_result_write(a.r, in_folder("a.h5"), &err), err);
    write_version(1);
    CHECK_OK(sal_result_read(&back, in_folder("a.h5"), &err), err);
    sal_result_free(back);
    write_version(2);
    CHECK(sal_result_read(&back, in_folder("a.h5"), &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "format is 2") != NULL && strstr(err.message, "newer") != NULL);
    motion_clear(&a);
}

static void check_refused(const char *bytes, size_t n)
{
    sal_result *back = NULL;
    sal_err err = {0};
    CHECK_OK(sal_file_write(in_folder("bad.h5"), bytes, n, &err), err);
    CHECK(sal_result_read(&back, in_folder("bad.h5"), &err) == SAL_BADINPUT);
    CHECK(back == NULL && strstr(err.message, "bad.h5") != NULL);
    sal_result_free(back);
}

static void damaged_files_are_refused(void)
{
    motion a;
    char *bytes = NULL;
    size_t n = 0;
    sal_err err = {0};
    sal_rng rng = {11};
    motion_pendulum(&a);
    CHECK_OK(sal_result_write(a.r, in_folder("a.h5"), &err), err);
    CHECK_OK(sal_text_read_file(in_folder("a.h5"), 1 << 28, &bytes, &n, &err), err);
    for (int round = 0; round < 200 && bytes != NULL; round++) {
        const size_t at = (size_t)(sal_rng_next(&rng) % (n - 90));
        const char old = bytes[at];
        bytes[at] = (char)(old ^ (char)(1 + sal_rng_next(&rng) % 255));
        check_refused(bytes, n);
        bytes[at] = old;
        check_refused(bytes, (size_t)(sal_rng_next(&rng) % (n - 90)));
    }
    check_refused("", 0);
    check_refused("<mujoco/>\n", 10);
    sal_free(bytes);
    motion_clear(&a);
}

static void paths_that_cannot_be_used(void)
{
    motion a;
    sal_result *back = NULL;
    sal_err err = {0};
    motion_pendulum(&a);
    CHECK(sal_result_read(&back, folder, &err) == SAL_BADPATH);
    CHECK(sal_result_read(&back, in_folder("none.h5"), &err) == SAL_BADPATH);
    CHECK(sal_result_write(a.r, in_folder("none/a.h5"), &err) == SAL_BADPATH);
    CHECK(sal_result_write(a.r, "/dev/full", &err) == SAL_BADPATH);
    motion_clear(&a);
}

static void runs_are_told_apart_outside(void)
{
    const char *const argv[] = {"saltus", "solve", "a \"b\".xml"};
    motion a;
    sal_text text = {0};
    sal_err err = {0};
    motion_pendulum(&a);
    a.r->seconds = 1.25;
    CHECK_OK(sal_result_run_json(a.r, 3, argv, 2, &text, &err), err);
    CHECK(strstr(text.data, "\"arguments\": [\"saltus\", \"solve\", \"a \\\"b\\\".xml\"]") != NULL);
    CHECK(strstr(text.data, "\"threads\": 2,") != NULL);
    CHECK(strstr(text.data, "\"seconds\": 1.25,") != NULL &&
          strstr(text.data, "\"host\":") != NULL);
    sal_text_clear(&text);
    motion_clear(&a);
}

/* ---- memory ---- */

typedef sal_status (*attempt)(motion *a, sal_err *err);

static sal_status try_evaluate(motion *a, sal_err *err)
{
    sal_result *r = NULL;
    const sal_status status = sal_result_evaluate(
        &r, &a->p, a->m, &(sal_motion){.nstep = a->p.nstep, .q = a->q}, 0.4, err);
    CHECK((status == SAL_OK) == (r != NULL));
    sal_result_free(r);
    return status;
}

static sal_status try_write(motion *a, sal_err *err)
{
    return sal_result_write(a->r, in_folder("memory.h5"), err);
}

static sal_status try_read(motion *a, sal_err *err)
{
    sal_result *r = NULL;
    (void)a;
    const sal_status status = sal_result_read(&r, in_folder("memory.h5"), err);
    CHECK((status == SAL_OK) == (r != NULL));
    sal_result_free(r);
    return status;
}

static sal_status try_report(motion *a, sal_err *err)
{
    sal_text text = {0};
    const sal_status status = sal_result_report(a->r, &(sal_report_options){0}, &text, err);
    sal_text_clear(&text);
    return status;
}

static sal_status try_csv(motion *a, sal_err *err)
{
    sal_text text = {0};
    const sal_status status = sal_result_csv(a->r, &text, err);
    sal_text_clear(&text);
    return status;
}

static sal_status try_replay(motion *a, sal_err *err)
{
    sal_replay replay;
    const sal_status status = sal_result_replay(&replay, a->r, true, err);
    sal_replay_clear(&replay);
    return status;
}

static void every_allocation_may_fail(void)
{
    const attempt attempts[] = {try_evaluate, try_write, try_read, try_report, try_replay, try_csv};
    motion a;
    motion_cycle(&a);
    decorate(a.r);
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        sal_status status = SAL_NOMEM;
        long k = 1;
        for (bool whole = false; !whole; k++) {
            sal_err err = {0};
            memory_fails_at(k);
            status = attempts[i](&a, &err);
            whole = memory_was_enough(k);
            CHECK(whole || status == SAL_NOMEM);
        }
        CHECK(status == SAL_OK && k > 2);
    }
    motion_clear(&a);
}

/* 1 + (.1 - 1) is not .1: what is equal is not interpolated. */
static void equal_motions_do_not_differ(void)
{
    motion a;
    sal_difference *list = NULL;
    sal_err err = {0};
    int n = -1;
    motion_pendulum(&a);
    double *last = a.r->qvel + (size_t)a.r->nstep * (size_t)a.m->nv;
    last[-1] = 1;
    last[0] = .1;
    CHECK_OK(sal_result_compare(&list, &n, a.r, a.r, &err), err);
    CHECK(n == 0);
    sal_free(list);
    motion_clear(&a);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        printf("cannot make a folder in /tmp\n");
        return 1;
    }
    RUN(controls_of_a_damped_pendulum);
    RUN(forces_no_actuator_gives);
    RUN(an_unpushed_body_is_physical);
    RUN(contacts_carry_the_weight);
    RUN(the_last_row_has_a_state_and_no_forces);
    RUN(files_give_back_every_bit);
    RUN(the_file_is_as_described);
    RUN(what_another_program_added_does_no_harm);
    RUN(damaged_files_are_refused);
    RUN(paths_that_cannot_be_used);
    RUN(runs_are_told_apart_outside);
    RUN(equal_motions_do_not_differ);
    RUN(every_allocation_may_fail);
    const char *const left[] = {"a.h5", "b.h5", "bad.h5", "memory.h5"};
    for (size_t i = 0; i < 4; i++) {
        unlink(in_folder(left[i]));
    }
    rmdir(folder);
    return check_done();
}
