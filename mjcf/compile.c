/* compile.c: from a spec to a model. Every step reports what it finds wrong and goes on, so that a
 * user sees all faults at once. */
#include "mjcf/compile.h"

#include "physics/compiling.h"

#include <limits.h>

static const double largest = 1e15; /* what can be written and read again */

/* Numbers that overflowed on the way, and a total mass of zero where motion needs it, show here. */
static void check_finite(spec_work *w, const sal_model *m)
{
    double sum = m->meaninertia > largest ? (double)INFINITY : m->meaninertia;
    for (int b = 0; b < m->nbody; b++) {
        sum += m->body_mass[b] > largest ? (double)INFINITY : 0;
        sum += m->body_subtreemass[b] + m->body_invweight0[2 * b] + m->body_invweight0[2 * b + 1] +
               sal_v3_norm(m->body_inertia + 3 * b) + sal_v3_norm(m->body_ipos + 3 * b);
    }
    for (int i = 0; i < m->nv; i++) {
        sum += m->dof_invweight0[i] + m->dof_M0[i];
    }
    for (int i = 0; i < m->nu; i++) {
        sum += m->actuator_acc0[i] + m->actuator_length0[i];
    }
    for (int t = 0; t < m->ntendon; t++) {
        sum += m->tendon_length0[t] + m->tendon_invweight0[t] + m->tendon_lengthspring[2 * t];
    }
    if (!isfinite(sum)) {
        sal_diag_error(w->diag, (sal_place){0}, "look for very large or very small numbers",
                       "the model's inertia at its initial configuration is not finite");
    }
}

static double greatest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = isfinite(x[i]) ? fmax(most, fabs(x[i])) : most;
    }
    return most;
}

/* Densities times sizes, and poses of frames within frames, can become more than any number that a
 * file may say, even where nothing moves. */
static void check_sizes(spec_work *w, const sal_model *m)
{
    for (int b = 1; b < m->nbody; b++) {
        const spec_body *body = w->spec->body.item[b];
        const double inertia = greatest(m->body_inertia + 3 * b, 3);
        const double length =
            fmax(greatest(m->body_pos + 3 * b, 3), greatest(m->body_ipos + 3 * b, 3));
        if (inertia > largest) {
            spec_error(w, &body->head, NULL, "write smaller sizes or a smaller density",
                       "a moment of inertia of this body is %g; it must be at most 1e15", inertia);
        } else if (length > largest) {
            spec_error(w, &body->head, NULL, "write smaller positions",
                       "this body is at a distance of %g; it must be at most 1e15", length);
        }
    }
}

/* The same of what poses, time constants, damping ratios and sums make of other numbers; infinity
 * means something. */
static void check_derived(spec_work *w, const sal_model *m)
{
    const struct {
        const double *x;
        int n;
        const char *what;
    } derived[] = {{m->geom_pos, 3 * m->ngeom, "a position of a geom"},
                   {m->geom_size, 3 * m->ngeom, "a size of a geom"},
                   {m->site_pos, 3 * m->nsite, "a position of a site"},
                   {m->site_size, 3 * m->nsite, "a size of a site"},
                   {m->cam_pos, 3 * m->ncam, "a position of a camera"},
                   {m->jnt_pos, 3 * m->njnt, "a position of a joint"},
                   {m->jnt_stiffness, m->njnt, "the stiffness of a joint"},
                   {m->dof_damping, m->nv, "the damping of a joint"},
                   {m->dof_armature, m->nv, "the armature of a joint"},
                   {m->pair_adhesion, m->npair, "the adhesion of two geoms"},
                   {m->eq_data, 11 * m->neq, "a number of an equality constraint"},
                   {m->tendon_armature, m->ntendon, "the armature of a tendon"},
                   {m->tendon_damping, m->ntendon, "the damping of a tendon"},
                   {m->tendon_lengthspring, 2 * m->ntendon, "the length of a tendon"},
                   {m->actuator_gainprm, 10 * m->nu, "a gain of an actuator"},
                   {m->actuator_biasprm, 10 * m->nu, "a bias of an actuator"},
                   {m->actuator_dynprm, 10 * m->nu, "a parameter of an activation"}};
    for (size_t i = 0; i < sizeof derived / sizeof derived[0]; i++) {
        const double most = greatest(derived[i].x, derived[i].n);
        if (most > largest) {
            sal_diag_error(w->diag, (sal_place){0}, "look for very large or very small numbers",
                           "%s becomes %g; it must be at most 1e15", derived[i].what, most);
        }
    }
}

/* Margins and gaps of two geoms add up. */
static void check_margins(spec_work *w, const sal_model *m)
{
    for (int p = 0; p < m->npair; p++) {
        const double gap = m->pair_detect[p] - m->pair_include[p];
        if (fabs(m->pair_detect[p]) > largest || fabs(m->pair_include[p]) > largest ||
            fabs(gap) > largest) {
            sal_diag_error(w->diag, (sal_place){0}, "use smaller values of margin and gap",
                           "the margins or gaps of two geoms have a sum of more than 1e15");
            return;
        }
    }
}

/* Gravity compensation that does not count, because no body of the model has gravcomp > 0 */
static void warn_of_gravcomp(spec_work *w, const sal_model *m)
{
    for (int b = 1; b < m->nbody && m->ngravcomp == 0; b++) {
        const spec_body *body = w->spec->body.item[b];
        if (m->body_gravcomp[b] != 0) {
            const sal_xml_attr *attr = sal_xml_find_attr(body->head.xml, "gravcomp");
            sal_diag_warning(w->diag, attr == NULL ? body->head.xml->place : attr->value_place,
                             NULL,
                             "gravcomp of <body> is %g, which has no effect: as in MuJoCo, gravity "
                             "compensation needs a body with gravcomp above 0",
                             m->body_gravcomp[b]);
            return;
        }
    }
}

/* springdamper (time constant t, damping ratio r), with I the mean inertia of the joint:
 *     stiffness = I / (t r)^2,   damping = 2 I / t                                           */
static void set_springdampers(const mjcf_spec *spec, sal_model *m)
{
    for (int j = 0; j < m->njnt; j++) {
        const spec_joint *s = spec->joint.item[j];
        const double t = s->springdamper[0], ratio = s->springdamper[1];
        if (!(t > 0 && ratio > 0)) {
            continue;
        }
        const int first = m->jnt_dofadr[j], n = s->type == SAL_JNT_FREE   ? 6
                                                : s->type == SAL_JNT_BALL ? 3
                                                                          : 1;
        double weight = 0;
        for (int i = first; i < first + n; i++) {
            weight += m->dof_invweight0[i];
        }
        const double inertia = n / fmax(SAL_MINVAL, weight);
        m->jnt_stiffness[j] = inertia / fmax(SAL_MINVAL, t * t * ratio * ratio);
        for (int i = first; i < first + n; i++) {
            m->dof_damping[i] = 2 * inertia / fmax(SAL_MINVAL, t) + s->motor_damping[0];
        }
    }
}

static void check_dampratios(spec_work *w, const sal_model *m)
{
    for (int i = 0; i < m->nu; i++) {
        const spec_actuator *a = w->spec->actuator.item[i];
        if (isnan(m->actuator_biasprm[10 * i + 2]) && a->orientation.part == 0) {
            spec_error(w, &a->head, "dampratio", NULL,
                       "dampratio needs a positive kp, and kp is %g", a->gainprm[0]);
        }
    }
}

static void check_discrete(spec_work *w, const sal_model *m)
{
    const char *what = phy_step_metric_lacks(m);
    if (what != NULL) {
        sal_diag_error(w->diag, (sal_place){0},
                       "use --set option/integrator=implicitfast, or do without the other",
                       "integrator=\"discrete\" and %s are not supported together", what);
    }
}

static sal_status constants(spec_work *w, sal_model *m, sal_err *err)
{
    sal_err reason = {0};
    const sal_status status = phy_model_constants(m, &reason);
    if (status == SAL_SINGULAR) { /* a fault of the file, without a place of its own */
        sal_diag_error(w->diag, (sal_place){0},
                       "give the body mass or the joint armature, or remove one of two joints that "
                       "move the same way",
                       "%s", reason.message);
        return SAL_OK;
    }
    if (status != SAL_OK) {
        return sal_fail(err, status, "%s", reason.message);
    }
    const sal_status initial = spec_fill_initial(w->spec, m, err);
    if (initial != SAL_OK) {
        return initial;
    }
    check_finite(w, m);
    check_sizes(w, m);
    check_margins(w, m);
    warn_of_gravcomp(w, m);
    set_springdampers(w->spec, m);
    check_dampratios(w, m);
    check_derived(w, m);
    check_discrete(w, m);
    if (!isnan(w->spec->meaninertia)) {
        m->meaninertia = fmax(SAL_MINVAL, w->spec->meaninertia);
    }
    return w->diag->nerror > w->first_error ? SAL_OK : spec_find_lengthranges(w, m, err);
}

static sal_status make_model(spec_work *w, sal_model *m, sal_err *err)
{
    long npair = spec_pairs(w->spec, NULL);
    const bool listed = npair >= 0;
    if (!listed) {
        npair = spec_pair_kinds(w->spec, m, false);
    }
    if (w->spec->nomem) {
        return SAL_NOMEM;
    }
    if (npair < 0) {
        sal_diag_error(
            w->diag, (sal_place){0},
            "set contype and conaffinity so that fewer geoms can meet, or give more of them the "
            "same type, friction, margin, solref, ..",
            "the model has more than %d pairs of geoms that may touch, and too many kinds of geoms",
            SPEC_PAIRS_MAX);
        return SAL_OK;
    }
    spec_fill_sizes(w->spec, m, npair);
    const sal_status status = m->nnames == INT_MAX ? SAL_NOMEM : sal_model_allocate(m, err);
    if (status != SAL_OK) {
        return status;
    }
    spec_fill(w->spec, m);
    spec_fill_keys(w, m);
    if (listed) {
        spec_pairs(w->spec, m);
    } else {
        spec_pair_kinds(w->spec, m, true);
    }
    phy_sweep_index(m);
    sal_model_capacity(m);
    return constants(w, m, err);
}

sal_status spec_compile(sal_model **out, mjcf_spec *spec, sal_diag *diag, sal_err *err)
{
    spec_work w = {.spec = spec, .diag = diag, .first_error = diag->nerror};
    const int before = diag->nerror;
    sal_status status = SAL_OK;

    spec_compile_tree(&w);
    if (spec->meshed) {
        w.meshes = spec->mesh_names;
    } else {
        spec_compile_meshes(&w);
    }
    spec_compile_hfields(&w);
    spec_drop_absent(spec);
    spec_compile_poses(&w);
    spec_compile_inertias(&w);
    spec_align_free(&w);
    spec_fuse_static(&w);
    spec_scale_masses(&w);
    spec_check_free(&w);
    spec_compile_lists(&w);
    if (!spec->nomem) {
        spec_compile_objects(&w);
    }
    if (!spec->nomem && diag->nerror == before) {
        *out = sal_alloc(1, sizeof **out);
        status = *out == NULL ? SAL_NOMEM : make_model(&w, *out, err);
    }
    if (spec->nomem || *out == NULL) {
        status = spec->nomem || status != SAL_OK ? SAL_NOMEM : SAL_OK;
    }
    return status == SAL_NOMEM ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
}
