/* result_hdf5.c: a result as a file. One description of the layout (docs/result.md) serves writing
 * and reading: in `exchange` each line stores a member, or fills it from the file. */
#include "problems/result/gait.h"
#include "problems/result/part.h"
#include "problems/result/result_store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT_VERSION = 1 };
#define FILE_LIMIT ((size_t)1 << 31)

/* ---- the groups, both ways ---- */

static void exchange_flag(sig_h5 *f, const char *name, bool *flag, const char *yes, const char *no)
{
    char text[16];
    snprintf(text, sizeof text, "%s", *flag ? yes : no);
    sig_h5_attr_text(f, name, text, sizeof text);
    *flag = strcmp(text, yes) == 0;
    if (!sig_h5_failed(f) && !*flag && strcmp(text, no) != 0) {
        sig_h5_fail(f, SAL_BADINPUT, "an attribute has an unknown value");
    }
}

/* Only of what was judged: simulations, identifications and files of earlier versions have none. */
static void exchange_verdict(sig_h5 *f, sal_result *r)
{
    if (!sig_h5_writing(f)) {
        r->judged = sig_h5_has_attr(f, "as_asked");
        r->to_finish = sig_h5_has_attr(f, "finished");
    }
    if (r->judged) {
        bool physical = sig_h5_writing(f) && prb_result_is_physical(r);
        exchange_flag(f, "physical", &physical, "true", "false"); /* it follows from the rest */
        exchange_flag(f, "as_asked", &r->as_asked, "true", "false");
    }
    if (r->to_finish) {
        exchange_flag(f, "finished", &r->finished, "true", "false");
    }
}

static void exchange_head(sig_h5 *f, sal_result *r)
{
    char format[16] = "saltus";
    int version = FORMAT_VERSION;
    sig_h5_attr_text(f, "format", format, sizeof format);
    if (!sig_h5_failed(f) && strcmp(format, "saltus") != 0) {
        sig_h5_fail(f, SAL_BADINPUT, "it was not written by saltus");
    }
    sig_h5_attr_int(f, "format_version", &version);
    if (!sig_h5_failed(f) && version > FORMAT_VERSION) {
        char message[128];
        snprintf(message, sizeof message,
                 "its format is %d, but this saltus reads formats up to %d; use a newer saltus",
                 version, FORMAT_VERSION);
        sig_h5_fail(f, SAL_BADINPUT, message);
    }
    sig_h5_attr_text(f, "status", r->status, sizeof r->status);
    sig_h5_attr_int(f, "exit_code", &r->exit_code);
    exchange_verdict(f, r);
}

/* Absent where it is soft. */
static void exchange_contact_model(sig_h5 *f, sal_contact_option *o)
{
    char name[32] = "";
    if (!(sig_h5_writing(f) ? o->model != SAL_CONTACT_SOFT : sig_h5_has_attr(f, "contactmodel"))) {
        return;
    }
    if (sig_h5_writing(f)) {
        snprintf(name, sizeof name, "%s", sal_contact_model_name(o->model));
    }
    sig_h5_attr_text(f, "contactmodel", name, sizeof name);
    o->model = sal_contact_model_named(name);
    if (!sig_h5_failed(f) && o->model < 0) {
        sig_h5_fail(f, SAL_BADINPUT, "its contact model is unknown; use a newer saltus");
    }
    sig_h5_attr_real(f, "kappa", &o->kappa);
    sig_h5_attr_real(f, "regulariser_touching", &o->regulariser[0]);
    sig_h5_attr_real(f, "regulariser_far", &o->regulariser[1]);
    sig_h5_attr_real(f, "reach", &o->reach);
    const bool is_pushed = o->model == SAL_CONTACT_LOGBARRIER &&
                           (sig_h5_writing(f) ? o->firmest > 0 : sig_h5_has_attr(f, "firmest"));
    if (o->model == SAL_CONTACT_HARD || is_pushed) {
        sig_h5_attr_real(f, "firmest", &o->firmest);
    }
    if (!sal_contact_model_is_invertible(o->model)) {
        sig_h5_attr_real(f, "weight_equality", &o->weight[0]);
        sig_h5_attr_real(f, "weight_contact", &o->weight[1]);
    }
}

static void exchange_compat(sig_h5 *f, sal_mujoco *version)
{
    char name[16];
    snprintf(name, sizeof name, "%s", sal_mujoco_name(*version));
    sig_h5_attr_text(f, "compat", name, sizeof name);
    const int found = sal_mujoco_named(name);
    if (!sig_h5_failed(f) && found < 0) {
        sig_h5_fail(f, SAL_BADINPUT, "its version of MuJoCo is unknown; use a newer saltus");
    }
    *version = found < 0 ? SAL_MUJOCO_314 : (sal_mujoco)found;
}

static void exchange_provenance(sig_h5 *f, sal_result *r)
{
    sig_h5_group(f, "provenance");
    sig_h5_attr_text(f, "version", r->version, sizeof r->version);
    sig_h5_attr_text(f, "git", r->git, sizeof r->git);
    sig_h5_attr_long(f, "seed", &r->seed);
    sig_h5_attr_int(f, "start", &r->start);
    exchange_compat(f, &r->mujoco);
    exchange_flag(f, "contact", &r->contact_table, "table", "model");
    exchange_contact_model(f, &r->contact);
    sig_h5_attr_text(f, "sha256_problem", r->sha256_problem, sizeof r->sha256_problem);
    sig_h5_attr_text(f, "sha256_model", r->sha256_model, sizeof r->sha256_model);
    if (sig_h5_writing(f) ? r->sha256_data[0] != 0 : sig_h5_has_attr(f, "sha256_data")) {
        sig_h5_attr_text(f, "sha256_data", r->sha256_data, sizeof r->sha256_data);
    }
    sig_h5_text(f, "problem_name", &r->problem_name);
    sig_h5_text(f, "problem_xml", &r->problem_xml);
    sig_h5_text(f, "model_xml", &r->model_xml);
    if (sig_h5_writing(f) ? r->softer_xml != NULL : sig_h5_has(f, "softer_xml")) {
        sig_h5_text(f, "softer_xml", &r->softer_xml);
    }
}

static void exchange_floor(sig_h5 *f, prb_recorded_floor *floor)
{
    if (sig_h5_writing(f) ? isfinite(floor->height) : sig_h5_has_attr(f, "floor")) {
        sig_h5_attr_real(f, "floor", &floor->height);
    }
    if (sig_h5_writing(f) ? isfinite(floor->slope[0]) : sig_h5_has_attr(f, "floor_slope_x")) {
        sig_h5_attr_real(f, "floor_slope_x", &floor->slope[0]);
        sig_h5_attr_real(f, "floor_slope_y", &floor->slope[1]);
        sig_h5_attr_real(f, "floor_centre_x", &floor->centre[0]);
        sig_h5_attr_real(f, "floor_centre_y", &floor->centre[1]);
    }
}

static void exchange_start(sig_h5 *f, double *start)
{
    if (sig_h5_writing(f) ? fabs(*start) > 0 : sig_h5_has_attr(f, "recording_start")) {
        sig_h5_attr_real(f, "recording_start", start);
    }
}

static void exchange_boundary(sig_h5 *f, sal_result *r)
{
    const sal_model *m = r->model;
    bool cycle = r->boundary == PRB_CYCLE;
    prb_columns xyz = {m, PRB_COL_XYZ, "travel", "m"};
    sig_h5_group(f, "boundary");
    exchange_flag(f, "type", &cycle, "cycle", "open");
    r->boundary = cycle ? PRB_CYCLE : PRB_OPEN;
    prb_store_double(f, &xyz, -1, 3, r->travel);
    exchange_floor(f, &r->floor);
    exchange_start(f, &r->recording_start);
    if (sig_h5_failed(f) || !cycle) {
        return;
    }
    if (!sig_h5_writing(f) && sal_image_new(&r->image, m, NULL) != SAL_OK) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory");
        return;
    }
    int mirrored = r->image->mirrored;
    sig_h5_attr_int(f, "mirrored", &mirrored);
    r->image->mirrored = mirrored != 0;
    const prb_columns qpos = {m, PRB_COL_QPOS, "qpos_index", "1"},
                      qsign = {m, PRB_COL_QPOS, "qpos_sign", "1"},
                      qtravel = {m, PRB_COL_QPOS, "qpos_travel", "1"},
                      dof = {m, PRB_COL_DOF, "dof_index", "1"},
                      dsign = {m, PRB_COL_DOF, "dof_sign", "1"},
                      dtravel = {m, PRB_COL_DOF, "dof_travel", "1"};
    prb_store_int(f, &qpos, -1, m->nq, r->image->qpos_index);
    prb_store_double(f, &qsign, -1, m->nq, r->image->qpos_sign);
    prb_store_double(f, &qtravel, -1, m->nq, r->image->travel);
    prb_store_int(f, &dof, -1, m->nv, r->image->dof_index);
    prb_store_double(f, &dsign, -1, m->nv, r->image->dof_sign);
    prb_store_double(f, &dtravel, -1, m->nv, r->image->travel_dof);
    if (sig_h5_writing(f) ? r->image->turning >= 0 : sig_h5_has_attr(f, "turning")) {
        sig_h5_attr_int(f, "turning", &r->image->turning);
        sig_h5_attr_real(f, "turn", &r->image->turn);
        sig_h5_attr_real(f, "arc", &r->image->arc);
        sig_h5_attr_real(f, "arc_x", &r->image->place[0]);
        sig_h5_attr_real(f, "arc_y", &r->image->place[1]);
    }
}

/* Of the group that is open; only where there is a recording. */
static void exchange_recorded(sig_h5 *f, sal_result *r)
{
    const prb_columns recorded = {r->model, PRB_COL_QPOS, "qpos_recorded", NULL};
    const size_t n = ((size_t)r->nstep + 1) * (size_t)r->model->nq;
    if (sig_h5_writing(f) ? r->qpos_recorded == NULL : !sig_h5_has(f, "qpos_recorded")) {
        return;
    }
    if (!sig_h5_writing(f)) {
        r->qpos_recorded = sal_alloc(n, sizeof *r->qpos_recorded);
    }
    if (r->qpos_recorded == NULL) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory");
        return;
    }
    prb_store_double(f, &recorded, r->nstep + 1, r->model->nq, r->qpos_recorded);
}

static void exchange_trajectory(sig_h5 *f, sal_result *r)
{
    const sal_model *m = r->model;
    const prb_columns before = {m, PRB_COL_QPOS, "qpos_before", NULL};
    sig_h5_group(f, "trajectory");
    sig_h5_attr_real(f, "timestep", &r->timestep);
#define PRB_EXCHANGE(name, ncol, kind, unit)                                                       \
    if ((ncol) > 0 || (kind) != PRB_COL_ACT) { /* a model without activations has no such array */ \
        prb_store_double(f, &(const prb_columns){m, kind, #name, unit}, r->nstep + 1, ncol,        \
                         r->name);                                                                 \
    }
    PRB_RESULT_ROWS(PRB_EXCHANGE)
#undef PRB_EXCHANGE
    prb_store_double(f, &before, -1, m->nq, r->qpos_before);
    exchange_recorded(f, r);
    if (r->softer != NULL) {
        prb_store_int(f, &(const prb_columns){m, PRB_COL_ONE, "soft", "1"}, r->nstep + 1, 1,
                      r->soft);
    }
}

static void exchange_contacts(sig_h5 *f, sal_result *r)
{
    const sal_model *m = r->model;
    const prb_columns offset = {m, PRB_COL_ONE, "offset", "1"};
    sig_h5_group(f, "contact");
    prb_store_int(f, &offset, r->nstep + 2, 1, r->contact_offset);
    if (!sig_h5_writing(f)) {
        const int K = (int)sig_h5_rows(f, "dist");
        if (prb_result_reserve(r, K, NULL) != SAL_OK) {
            sig_h5_fail(f, SAL_NOMEM, "out of memory");
            return;
        }
        r->ncontact = K;
    }
#define PRB_EXCHANGE(type, name, ncol, kind, unit)                                                 \
    prb_store_##type(f, &(const prb_columns){m, kind, #name, unit}, r->ncontact, ncol,             \
                     r->contact_##name);
    PRB_RESULT_CONTACTS(PRB_EXCHANGE)
#undef PRB_EXCHANGE
}

static void exchange_extreme(sig_h5 *f, const char *name, prb_extreme *extreme)
{
    char attribute[64];
    snprintf(attribute, sizeof attribute, "unactuated_%s", name);
    sig_h5_attr_real(f, attribute, &extreme->max);
    snprintf(attribute, sizeof attribute, "unactuated_%s_dof", name);
    sig_h5_attr_int(f, attribute, &extreme->dof);
    snprintf(attribute, sizeof attribute, "unactuated_%s_time", name);
    sig_h5_attr_real(f, attribute, &extreme->time);
}

/* Of a file that says it holds so many numbers */
static void check_unpacked(sig_h5 *f, double numbers)
{
    sal_err err;
    const double found = numbers * sizeof(double);
    const size_t most = sal_reading_most(FILE_LIMIT);
    if (found > (double)most) {
        sal_reading_refuse("it unpacks to", found, most, &err);
        sig_h5_fail(f, SAL_BADINPUT, err.message);
    }
}

static void name_term(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    const sal_result *r = ctx;
    snprintf(name, SIG_H5_NAME, "%s", r->term[i].name);
    snprintf(unit, SIG_H5_NAME, "1");
}

/* Of the group that is open; files of earlier versions have none. */
static void exchange_term_over_time(sig_h5 *f, sal_result *r)
{
    const size_t T = (size_t)r->nstep + 1, n = (size_t)r->nterm;
    const sig_h5_shape shape = {
        .name = "over_time", .rank = 2, .dims = {T, n}, .ncol = n, .column = name_term, .ctx = r};
    if (sig_h5_writing(f) ? r->term_over_time == NULL : !sig_h5_has(f, "over_time")) {
        return;
    }
    if (!sig_h5_writing(f)) {
        check_unpacked(f, (double)T * (double)n);
        r->term_over_time = sig_h5_failed(f) ? NULL : sal_alloc(T * n, sizeof *r->term_over_time);
    }
    if (r->term_over_time == NULL) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory");
        return;
    }
    sig_h5_reals(f, &shape, r->term_over_time);
}

static void exchange_cost(sig_h5 *f, sal_result *r)
{
    const size_t stride = sizeof(prb_term_report);
    sig_h5_group(f, "cost");
    sig_h5_attr_real(f, "total", &r->cost);
    if (!sig_h5_writing(f)) {
        r->term = prb_store_list_room(f, "name", &r->nterm, stride);
    }
    prb_term_report none = {0}, *first = r->nterm > 0 ? r->term : &none;
    prb_store_list_texts(f, "name", r->nterm, first->name, stride, sizeof first->name);
    prb_store_list_reals(f, "value", "1", r->nterm, &first->value, stride);
    prb_store_list_reals(f, "share", "1", r->nterm, &first->share, stride);
    exchange_term_over_time(f, r);
}

static void exchange_constraint(sig_h5 *f, sal_result *r)
{
    const size_t stride = sizeof(prb_constraint_report);
    sig_h5_group(f, "constraint");
    exchange_extreme(f, "force", &r->force);
    exchange_extreme(f, "torque", &r->torque);
    sig_h5_attr_real(f, "weight", &r->weight);
    sig_h5_attr_real(f, "relative_to_weight", &r->relative_to_weight);
    sig_h5_attr_real(f, "physical_tolerance", &r->physical_tolerance);
    if (!sig_h5_writing(f)) {
        r->constraint = prb_store_list_room(f, "name", &r->nconstraint, stride);
    }
    prb_constraint_report none = {0}, *first = r->nconstraint > 0 ? r->constraint : &none;
    prb_store_list_texts(f, "name", r->nconstraint, first->name, stride, sizeof first->name);
    if (sig_h5_writing(f) || sig_h5_has(f, "what")) {
        prb_store_list_texts(f, "what", r->nconstraint, first->what, stride, sizeof first->what);
        prb_store_list_texts(f, "unit", r->nconstraint, first->unit, stride, sizeof first->unit);
    }
    prb_store_list_reals(f, "violation", "1", r->nconstraint, &first->violation, stride);
    prb_store_list_reals(f, "tolerance", "1", r->nconstraint, &first->tolerance, stride);
    prb_store_list_reals(f, "time", "s", r->nconstraint, &first->time, stride);
}

/* Files of earlier versions have none. */
static void exchange_requirement(sig_h5 *f, sal_result *r)
{
    const size_t stride = sizeof(prb_requirement_report);
    if (!r->judged) {
        return;
    }
    sig_h5_group(f, "requirement");
    if (!sig_h5_writing(f)) {
        r->requirement = prb_store_list_room(f, "name", &r->nrequirement, stride);
    }
    prb_requirement_report none = {0}, *first = r->nrequirement > 0 ? r->requirement : &none;
    prb_store_list_texts(f, "name", r->nrequirement, first->name, stride, sizeof first->name);
    prb_store_list_texts(f, "what", r->nrequirement, first->what, stride, sizeof first->what);
    prb_store_list_texts(f, "unit", r->nrequirement, first->unit, stride, sizeof first->unit);
    prb_store_list_reals(f, "found", "1", r->nrequirement, &first->found, stride);
    prb_store_list_reals(f, "allowed", "1", r->nrequirement, &first->allowed, stride);
    prb_store_list_reals(f, "time", "s", r->nrequirement, &first->time, stride);
}

/* Files of earlier versions have none. */
static void exchange_diagnosis(sig_h5 *f, sal_result *r)
{
    const size_t stride = sizeof(sal_finding);
    if (!sig_h5_writing(f) && !sig_h5_has_group(f, "diagnosis")) {
        return;
    }
    sig_h5_group(f, "diagnosis");
    if (!sig_h5_writing(f)) {
        r->finding = prb_store_list_room(f, "kind", &r->nfinding, stride);
    }
    sal_finding none = {0}, *first = r->nfinding > 0 ? r->finding : &none;
    prb_store_list_texts(f, "kind", r->nfinding, first->kind, stride, sizeof first->kind);
    prb_store_list_ints(f, "level", r->nfinding, &first->level, stride);
    prb_store_list_texts(f, "what", r->nfinding, first->what, stride, sizeof first->what);
    prb_store_list_reals(f, "value", "1", r->nfinding, &first->value, stride);
    prb_store_list_reals(f, "time", "s", r->nfinding, &first->time, stride);
    prb_store_list_texts(f, "text", r->nfinding, first->text, stride, sizeof first->text);
}

static void exchange_iteration(sig_h5 *f, sal_result *r)
{
    const size_t stride = sizeof(prb_iteration);
    int stop = (int)r->optim.stop;
    sig_h5_group(f, "iteration");
    sig_h5_attr_int(f, "stop", &stop);
    r->optim.stop = (sal_stop)stop;
    sig_h5_attr_real(f, "final_cost", &r->optim.cost);
    sig_h5_attr_real(f, "final_violation", &r->optim.violation);
    sig_h5_attr_real(f, "final_gradient", &r->optim.gradient);
    if (sig_h5_writing(f) ? !isnan(r->optim.promise) : sig_h5_has_attr(f, "final_promise")) {
        sig_h5_attr_real(f, "final_promise", &r->optim.promise);
    } else {
        r->optim.promise = (double)NAN;
    }
    sig_h5_attr_int(f, "linearisations", &r->optim.linearisations);
    sig_h5_attr_int(f, "evaluations", &r->optim.evaluations);
    sig_h5_attr_int(f, "factorisations", &r->optim.factorisations);
    sig_h5_attr_int(f, "projection_steps", &r->optim.projection_steps);
    sig_h5_attr_int(f, "polish_steps", &r->optim.polish_steps);
    if (!sig_h5_writing(f)) {
        r->iteration = prb_store_list_room(f, "start", &r->niteration, stride);
    }
    prb_iteration none = {0}, *first = r->niteration > 0 ? r->iteration : &none;
    prb_store_list_ints(f, "start", r->niteration, &first->start, stride);
    prb_store_list_ints(f, "linearisation", r->niteration, &first->linearisation, stride);
    prb_store_list_texts(f, "phase", r->niteration, first->phase, stride, sizeof first->phase);
    prb_store_list_reals(f, "softness", "1", r->niteration, &first->softness, stride);
    prb_store_list_reals(f, "cost", "1", r->niteration, &first->cost, stride);
    prb_store_list_reals(f, "violation", "1", r->niteration, &first->violation, stride);
    prb_store_list_reals(f, "step", "1", r->niteration, &first->step, stride);
    prb_store_list_reals(f, "damping", "1", r->niteration, &first->damping, stride);
}

/* All that needs the model and the number of steps. */
static void exchange_motion(sig_h5 *f, sal_result *r)
{
    exchange_boundary(f, r);
    prb_store_markers(f, r);
    prb_store_marker_fit(f, &r->marker_fit);
    exchange_trajectory(f, r);
    exchange_contacts(f, r);
    exchange_cost(f, r);
    exchange_constraint(f, r);
    exchange_requirement(f, r);
    exchange_diagnosis(f, r);
    exchange_iteration(f, r);
    sig_h5_group(f, "parameter"); /* of a motion it is empty */
    if (r->part_kind != NULL) {
        r->part_kind->store(f, r->model, &r->part);
    }
}

/* ---- for other programs: the model in figures. Ours rebuild it from model_xml. ---- */

static void write_names(sig_h5 *f, const sal_model *m, const char *array, sal_object type, int n)
{
    char *names = sal_alloc((size_t)n, PRB_COLUMN_NAME);
    for (int i = 0; i < n && names != NULL; i++) {
        prb_object_name(names + (size_t)i * PRB_COLUMN_NAME, m, type, i);
    }
    if (names == NULL) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory");
    } else {
        prb_store_list_texts(f, array, n, names, PRB_COLUMN_NAME, PRB_COLUMN_NAME);
    }
    sal_free(names);
}

static void write_colours(sig_h5 *f, const sal_model *m)
{
    const size_t n = 4 * (size_t)m->ngeom;
    double *rgba = sal_alloc(n, sizeof(double));
    if (rgba == NULL) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        rgba[i] = (double)m->geom_rgba[i];
    }
    prb_store_double(f, &(const prb_columns){m, PRB_COL_RGBA, "geom_rgba", "1"}, m->ngeom, 4, rgba);
    sal_free(rgba);
}

/* X(type, name, rows, columns, kind, unit) */
#define MODEL_LIST(X)                                                                              \
    X(int, body_parentid, nbody, 1, PRB_COL_ONE, "1")                                              \
    X(double, body_mass, nbody, 1, PRB_COL_ONE, "kg")                                              \
    X(int, jnt_type, njnt, 1, PRB_COL_ONE, "1")                                                    \
    X(int, jnt_bodyid, njnt, 1, PRB_COL_ONE, "1")                                                  \
    X(int, jnt_qposadr, njnt, 1, PRB_COL_ONE, "1")                                                 \
    X(int, jnt_dofadr, njnt, 1, PRB_COL_ONE, "1")                                                  \
    X(int, geom_type, ngeom, 1, PRB_COL_ONE, "1")                                                  \
    X(int, geom_bodyid, ngeom, 1, PRB_COL_ONE, "1")                                                \
    X(double, geom_size, ngeom, 3, PRB_COL_SIZE, "m")                                              \
    X(double, geom_pos, ngeom, 3, PRB_COL_XYZ, "m")                                                \
    X(double, geom_quat, ngeom, 4, PRB_COL_QUAT, "1")                                              \
    X(int, actuator_trnid, nu, 1, PRB_COL_ONE, "1")                                                \
    X(int, actuator_ctrllimited, nu, 1, PRB_COL_ONE, "1")                                          \
    X(double, actuator_ctrlrange, nu, 2, PRB_COL_RANGE, "1")                                       \
    X(int, sensor_adr, nsensor, 1, PRB_COL_ONE, "1")                                               \
    X(int, sensor_dim, nsensor, 1, PRB_COL_ONE, "1")

static void write_model(sig_h5 *f, const sal_model *m)
{
    sig_h5_group(f, "model");
    write_names(f, m, "body_name", SAL_OBJ_BODY, m->nbody);
    write_names(f, m, "jnt_name", SAL_OBJ_JOINT, m->njnt);
    write_names(f, m, "geom_name", SAL_OBJ_GEOM, m->ngeom);
    write_names(f, m, "actuator_name", SAL_OBJ_ACTUATOR, m->nu);
    write_names(f, m, "sensor_name", SAL_OBJ_SENSOR, m->nsensor);
#define PRB_WRITE(type, name, rows, ncol, kind, unit)                                              \
    prb_store_##type(f, &(const prb_columns){m, kind, #name, unit}, m->rows, ncol, m->name);
    MODEL_LIST(PRB_WRITE)
#undef PRB_WRITE
    write_colours(f, m);
}

/* ---- writing and reading ---- */

sal_status prb_result_compose(const sal_result *result, char **bytes, size_t *n, char sha256[65],
                              sal_err *err)
{
    sal_result copy = *result; /* exchange may write to what it is given */
    sig_h5 *f;
    const sal_status status = sig_h5_create(&f, err);
    if (status != SAL_OK) {
        return status;
    }
    exchange_head(f, &copy);
    exchange_provenance(f, &copy);
    exchange_motion(f, &copy);
    write_model(f, copy.model);
    return sig_h5_close(f, bytes, n, sha256, err);
}

sal_status sal_result_write(const sal_result *result, const char *path, sal_err *err)
{
    char *bytes = NULL;
    size_t n = 0;
    sal_status status = prb_result_compose(result, &bytes, &n, NULL, err);
    status = status == SAL_OK ? sal_file_write(path, bytes, n, err) : status;
    sal_free(bytes);
    return status;
}

/* What so many steps unpack to: each has configurations, velocities, forces of several kinds,
 * controls. */
static void check_size(sig_h5 *f, const sal_model *m, size_t rows)
{
    if (!sig_h5_failed(f)) {
        const double step = m->nq + 8.0 * m->nv + 4.0 * m->nu + m->na + m->nsensordata + 8;
        check_unpacked(f, (double)rows * step);
    }
}

static sal_status parse(sal_model **m, const char *name, const char *xml, sal_mujoco mujoco,
                        sal_err *err)
{
    sal_diag diag = {0};
    const sal_load_options options = {.mujoco = mujoco};
    const sal_status status = sal_model_parse(m, name, xml, strlen(xml), &options, &diag, err);
    sal_diag_clear(&diag);
    return status;
}

/* The model of the soft steps, and room for which they are. */
static void make_softer(sig_h5 *f, sal_result *r)
{
    sal_err err = {0};
    const sal_model *m = r->model;
    const sal_status status = parse(&r->softer, "softer_xml", r->softer_xml, r->mujoco, &err);
    r->soft = sal_alloc((size_t)r->nstep + 1, sizeof *r->soft);
    if (status == SAL_NOMEM || r->soft == NULL) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory");
    } else if (status != SAL_OK) {
        sig_h5_fail(f, SAL_BADINPUT, err.message);
    } else if (r->softer->nq != m->nq || r->softer->nv != m->nv || r->softer->nu != m->nu ||
               r->softer->na != m->na || r->softer->nbody != m->nbody ||
               r->softer->ngeom != m->ngeom || r->softer->npair != m->npair ||
               r->softer->nsensordata != m->nsensordata) {
        sig_h5_fail(f, SAL_BADINPUT, "its two models are not of the same mechanism");
    }
}

/* The model from model_xml, and room for the steps that /trajectory/time tells: *r becomes a result
 * of these sizes. */
static void make_room(sig_h5 *f, sal_result **r)
{
    sal_result *head = *r, *full = NULL;
    sal_model *model = NULL;
    sal_err err = {0};
    sal_status status = parse(&model, "model_xml", head->model_xml, head->mujoco, &err);
    if (status == SAL_OK && head->contact.model != SAL_CONTACT_SOFT) {
        status = sal_model_contact(model, &head->contact, &err);
    }
    sig_h5_group(f, "trajectory");
    const size_t rows = status == SAL_OK ? sig_h5_rows(f, "time") : 0;
    if (status != SAL_OK) {
        sig_h5_fail(f, status == SAL_NOMEM ? status : SAL_BADINPUT, err.message);
    } else if (!sig_h5_failed(f) && rows < 2) {
        sig_h5_fail(f, SAL_BADINPUT, "it holds no motion");
    }
    check_size(f, model, rows);
    if (sig_h5_failed(f)) {
        sal_model_free(model);
        return;
    }
    status = prb_result_new(&full, model, (int)rows - 1, &err);
    if (status != SAL_OK) {
        sig_h5_fail(f, status, "out of memory");
        return;
    }
    prb_result_take_head(full, head);
    *r = full;
    if (full->softer_xml != NULL) {
        make_softer(f, full);
    }
}

static bool indices_are_within(const int *index, int n, int limit)
{
    for (int i = 0; i < n; i++) {
        if (index[i] < 0 || index[i] >= limit) {
            return false;
        }
    }
    return true;
}

/* What later readers rely on without looking. */
static void check_content(sig_h5 *f, const sal_result *r)
{
    const sal_model *m = r->model;
    const int T = r->nstep + 1;
    bool good = r->contact_offset[0] == 0 && r->contact_offset[T] == r->ncontact;
    for (int t = 0; t < T; t++) {
        good = good && r->contact_offset[t] <= r->contact_offset[t + 1];
    }
    good = good && indices_are_within(r->contact_geom, 2 * r->ncontact, m->ngeom);
    good = good && r->force.dof >= -1 && r->force.dof < m->nv && r->torque.dof >= -1 &&
           r->torque.dof < m->nv && r->timestep > 0 && r->timestep < 1e9;
    if (r->image != NULL) {
        good = good && indices_are_within(r->image->qpos_index, m->nq, m->nq) &&
               indices_are_within(r->image->dof_index, m->nv, m->nv);
        const int turning = r->image->turning;
        good = good && turning >= -1 && turning < m->njnt &&
               (turning < 0 || m->jnt_type[turning] == SAL_JNT_FREE);
    }
    for (int t = 0; r->soft != NULL && t < T; t++) {
        good = good && (r->soft[t] == 0 || r->soft[t] == 1);
    }
    if (!good) {
        sig_h5_fail(f, SAL_BADINPUT, "its datasets contradict each other");
    } else if (r->image != NULL && sal_image_actuators(r->image, m, NULL) == SAL_NOMEM) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory"); /* an actuator that has no image is its own */
    }
}

sal_status prb_result_read(sal_result **result, const char *path, const prb_part_kind *kind,
                           sal_err *err)
{
    char *bytes = NULL;
    size_t n = 0;
    sig_h5 *f = NULL;
    *result = NULL;
    sal_result *r = sal_alloc(1, sizeof *r);
    if (r == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a result");
    }
    sal_status status = sal_text_read_file(path, FILE_LIMIT, &bytes, &n, err);
    status = status == SAL_OK ? sig_h5_open(&f, path, bytes, n, err) : status;
    sal_free(bytes);
    if (status == SAL_OK) {
        exchange_head(f, r);
        exchange_provenance(f, r);
        if (!sig_h5_failed(f)) {
            make_room(f, &r);
        }
        if (!sig_h5_failed(f)) {
            r->part_kind = kind;
            exchange_motion(f, r);
        }
        if (!sig_h5_failed(f)) {
            check_content(f, r);
        }
        status = sig_h5_close(f, NULL, NULL, NULL, err);
    }
    if (status == SAL_OK) {
        *result = r;
    } else {
        sal_result_free(r);
    }
    return status;
}

sal_status sal_result_read(sal_result **result, const char *path, sal_err *err)
{
    return prb_result_read(result, path, NULL, err);
}
