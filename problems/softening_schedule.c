/* softening_schedule.c: contact softened, then hardened.
 *
 * A motion is first sought in a world with soft, frictionally mild, smooth contact; then the world
 * is hardened step by step and the motion follows. One number s runs from 1 (soft) to 0 (final),
 * and every quantity X of the table follows
 *
 *     X(s) = X_final (X_soft / X_final)^s          impedances d as d/(1-d)
 *
 *     width      penetration over which impedance rises          .15  -> .005 m
 *     dmax       impedance at that depth                          .8  -> .98
 *     timeconst  of the contact's spring and damper
 *     .05 s, at least 2 h; 2.2 h_0 where the duration is free
 *     impratio   friction to normal impedance                      1  -> 10
 *     sigma      averaging of the force law, m/s^2
 *     .75/h  -> 5 % of k width,  k = 1/(dmax timeconst)^2
 *     dynamics   weight of the unactuated force / its unit
 *     30  -> 300; from 3 where nothing is driven: what was seen leads
 *     acceleration  regulariser w of mean (w a/10)^2              .3  -> .01
 *
 * MuJoCo lifts a time constant below 2 h to 2 h, where a contact is stable in discrete time. A free
 * duration varies h. If the contact followed it, then the search could lower the cost by changing
 * the physics. Therefore the time constant is fixed by the step h_0 of the duration that the file
 * gives, which a first guess does not change: 2 h_0 and a tenth, so that the search does not begin
 * at the kink. Only longer steps still lift it, since no contact could be stepped otherwise. Twice
 * the longest step that the range allows would hold for all durations, but a foot that lands at v
 * sinks by some v timeconst, and that is too deep.
 *
 * A force law that is averaged over sigma hides friction that is much harder than normal forces, so
 * the final sigma is smaller by 10/impratio where the model's own contact has more than 10.
 *
 * Limits of joints: impedance 0 .. .9 over .1 (rad or m), the same time constant.
 *
 * A softer contact sinks deeper. So that the standing height stays where it is while the floor
 * hardens, contact margins are shifted by x*(s) - x*(0), x* the depth at which one contact carries
 * its share of the weight at rest:
 *
 *     D k d(x) x = W/n,     D = d / ((1-d) A)          that is     k x d^2/(1-d) = W A / n
 *
 * Where nothing rests on the floor, W A / n is g: hands and fingers push as hard as the weight of
 * what they push from x* away (7 cm at first), so that the search feels what they could touch. All
 * contacts are shifted alike, but for two bodies of one mechanism: these push each other at most
 * from as far as they are apart in the pose, else the many near pairs of a humanoid (hip and thigh,
 * three toes) would push it out of its pose.
 *
 * A height field is raised by the shift, and its contacts push along the normals of its triangles,
 * the less so the smaller the shift is.
 */
#include "problems/softening_schedule.h"

#include "base/house.h"
#include "problems/floor.h"
#include "problems/touch.h"

#include <math.h>
#include <string.h>

static const double min_impedance = 1e-4; /* MuJoCo's bounds of impedances */
static const double max_impedance = 0.9999;
static const double contact_power = 2, contact_middle = 0.5;
static const double limit_dmax = 0.9, limit_width = 0.1;

/* ---- defaults ---- */

static void fill(double *value, double otherwise)
{
    if (isnan(*value)) {
        *value = otherwise;
    }
}

/* The least k width of the contacts at the end: of the table, or of the model's own. */
static double final_stiffness(const sal_problem *p, double timeconst)
{
    const prb_smoothing *table = &p->smoothing;
    const sal_model *m = p->model;
    const double of_table = table->width.final / pow(table->dmax.final * timeconst, 2);
    double least = (double)INFINITY;
    for (int i = 0; i < m->npair && !p->contact_table; i++) {
        const double *ref = m->pair_solref + 2 * i, *imp = m->pair_solimp + 5 * i;
        if (ref[0] > 0) {
            least = fmin(
                least, imp[2] / pow(imp[1] * fmax(ref[0], 2 * p->duration / p->nstep) * ref[1], 2));
        }
    }
    return isfinite(least) && least > 0 ? least : of_table;
}

static const double usual_timeconst = 0.05; /* s */
static const double posed_timeconst = 2.2;  /* posed time steps */
static const double usual_impratio = 10;
/* contact models other than soft, at the soft end: m; over the diagonal of J M^-1 J' */
static const double soft_height = 0.02, soft_regulariser = 3;
/* of hard, times the impulse of the weight; m/s */
static const double soft_firmest = 1, soft_slip = 1;

/* Of sigma at the end: 5 % of k width, less where friction is harder than in the table. */
static double final_sigma(const sal_problem *p, double timeconst)
{
    const double impratio = p->contact_table || p->gentle ? 0 : p->model->opt.impratio;
    return 0.05 * final_stiffness(p, timeconst) *
           (impratio > usual_impratio ? usual_impratio / impratio : 1);
}

void prb_smoothing_defaults(sal_problem *p, double posed)
{
    prb_smoothing *table = &p->smoothing;
    const double h = p->duration / p->nstep;
    const bool free_duration = p->duration_range[1] > p->duration_range[0];
    const double contact = free_duration ? posed_timeconst * posed / p->nstep : usual_timeconst;
    fill(&table->width.soft, 0.15), fill(&table->width.final, 0.005);
    fill(&table->dmax.soft, 0.8), fill(&table->dmax.final, 0.98);
    fill(&table->timeconst.soft, contact), fill(&table->timeconst.final, contact);
    fill(&table->impratio.soft, 1), fill(&table->impratio.final, usual_impratio);
    const double timeconst = table->timeconst_tied ? 2 * h : fmax(table->timeconst.final, 2 * h);
    fill(&table->sigma.soft, 0.75 / h), fill(&table->sigma.final, final_sigma(p, timeconst));
    fill(&table->dynamics.soft, p->model->nu > 0 ? 30 : 3), fill(&table->dynamics.final, 300);
    fill(&table->acceleration.soft, 0.3), fill(&table->acceleration.final, 0.01);
}

/* ---- pace ---- */

static const double damping_steps = 20; /* of the motions for which the damping was chosen */
static const double plain_reach = 5;    /* no contact is missed on the way */
enum { PLAIN_INCREMENTS = 10 };

/* Whether the world itself is another while it is soft. */
static bool softens(const sal_problem *p)
{
    const sal_model *m = p->model;
    bool any = m->npair > 0;
    for (int j = 0; j < m->njnt && !p->contact_table; j++) {
        any = any || m->jnt_limited[j];
    }
    return any;
}

/* The cost is a mean over N steps, so that one step's share of its Hessian, beside which mu I
 * stands, is proportional to 1/N. */
void prb_smoothing_pace(const sal_problem *p, sal_optim_options *options)
{
    options->damping *= damping_steps / p->nstep;
    options->damping_floor *= damping_steps / p->nstep;
    if (!softens(p)) {
        options->increments =
            options->increments < PLAIN_INCREMENTS ? options->increments : PLAIN_INCREMENTS;
        options->reach = plain_reach;
    }
}

double prb_weight_of_tree(const sal_model *m, int root)
{
    double mass = 0;
    for (int b = 1; b < m->nbody; b++) {
        const bool counts = m->body_weldid[b] != 0 && (root == 0 || m->body_rootid[b] == root);
        mass += counts ? m->body_mass[b] : 0;
    }
    return mass * prb_gravity_earth;
}

double prb_weight(const sal_model *m)
{
    return prb_weight_of_tree(m, 0);
}

/* ---- interpolation ---- */

static double geometric(double soft, double final, double s)
{
    return s == 0 || soft == final ? final : final * pow(soft / final, s);
}

double prb_ramp_at(const prb_ramp *ramp, double s)
{
    return ramp->soft > 0 && ramp->final > 0 ? geometric(ramp->soft, ramp->final, s)
                                             : ramp->final + s * (ramp->soft - ramp->final);
}

static double clamp_impedance(double d)
{
    return fmin(fmax(d, min_impedance), max_impedance);
}

/* d with d/(1-d) geometric between the ends */
static double impedance_at(double soft, double final, double s)
{
    if (s == 0) {
        return final;
    }
    soft = clamp_impedance(soft), final = clamp_impedance(final);
    const double odds = geometric(soft / (1 - soft), final / (1 - final), s);
    return odds / (1 + odds);
}

/* One set of solref, solimp between a soft set and a final one. Stiffness given directly (negative
 * solref) is not ramped. */
typedef struct prb_set {
    double solref[2], solimp[5];
} prb_set;

static prb_set set_at(const prb_set *soft, const prb_set *final, double s)
{
    prb_set set = *final;
    if (s == 0) {
        return set;
    }
    set.solimp[0] = impedance_at(soft->solimp[0], final->solimp[0], s);
    set.solimp[1] = impedance_at(soft->solimp[1], final->solimp[1], s);
    set.solimp[2] = geometric(soft->solimp[2], fmax(final->solimp[2], 1e-6), s);
    if (final->solref[0] > 0) {
        set.solref[0] = geometric(soft->solref[0], final->solref[0], s);
    }
    return set;
}

/* ---- margin compensation ---- */

/* d(x) of the impedance curve with middle and power as given in solimp, x >= 0 */
static double impedance_curve(const prb_set *set, double x)
{
    const double d0 = clamp_impedance(set->solimp[0]), dw = clamp_impedance(set->solimp[1]);
    const double mid = clamp_impedance(set->solimp[3]), power = fmax(1, set->solimp[4]);
    const double y = set->solimp[2] <= SAL_MINVAL ? 1 : fmin(1, x / set->solimp[2]);
    const double rise = power == 1 ? y
                        : y <= mid ? pow(y, power) / pow(mid, power - 1)
                                   : 1 - pow(1 - y, power) / pow(1 - mid, power - 1);
    return d0 + rise * (dw - d0);
}

/* The depth x with k x d^2/(1-d) = load, by bisection (the left side increases with x). */
static double rest_depth(const prb_set *set, double h, double load)
{
    const double dw = clamp_impedance(set->solimp[1]), tc = fmax(set->solref[0], 2 * h);
    const double k =
        set->solref[0] > 0 ? 1 / pow(dw * tc * set->solref[1], 2) : -set->solref[0] / (dw * dw);
    double lo = 0, hi = 1;
    for (int i = 0; i < 60; i++) {
        const double x = 0.5 * (lo + hi), d = impedance_curve(set, x);
        if (k * x * d * d / (1 - d) < load) {
            lo = x;
        } else {
            hi = x;
        }
    }
    return 0.5 * (lo + hi);
}

static bool has_floor(const sal_model *m, int pair)
{
    const int geom = m->pair_geom1[pair];
    return m->geom_type[geom] <= SAL_GEOM_HFIELD && m->body_weldid[m->geom_bodyid[geom]] == 0;
}

/* A distance of detection d moves a height field and what it touches together by 3/2 d
 * (collide_field.c): that which moves them by `shift`. */
static double field_detect(double shift)
{
    return shift / 1.5;
}

/* The share by which contacts with a height field push along the normals of its triangles
 * (collide_field.c): all where what rests is deep, none at the end. */
static double upright_at(double shift)
{
    const double deep = 0.015; /* m */
    return fmin(1, fmax(0, shift) / deep);
}

static bool is_field(const sal_model *m, int pair)
{
    return m->geom_type[m->pair_geom1[pair]] == SAL_GEOM_HFIELD;
}

/* A copy that sees the floor from `reach`, and nothing else. */
static void see_only_floor(const sal_model *m, sal_model *wide, double reach)
{
    for (int i = 0; i < m->npair; i++) {
        const double detect = is_field(m, i) ? field_detect(reach) : reach;
        wide->pair_detect[i] = has_floor(m, i) ? detect : -1e6;
    }
    sal_model_margins(wide);
}

/* W A / n over the contacts of d with the floor */
static double load_of(const sal_model *m, const sal_data *d)
{
    double sum = 0, weight = 0;
    for (int i = 0; i < d->ncon; i++) {
        const int root = m->body_rootid[m->geom_bodyid[d->contact[i].geom2]];
        bool known = false;
        sum += m->body_invweight0[2 * m->geom_bodyid[d->contact[i].geom1]] +
               m->body_invweight0[2 * m->geom_bodyid[d->contact[i].geom2]];
        for (int k = 0; k < i && !known; k++) {
            known = m->body_rootid[m->geom_bodyid[d->contact[k].geom2]] == root;
        }
        weight += known ? 0 : prb_weight_of_tree(m, root);
    }
    return d->ncon > 0 ? weight / d->ncon * (sum / d->ncon) : prb_gravity_earth;
}

sal_status prb_smoothing_gaps(const sal_model *m, const double *pose, double *gap, sal_err *err)
{
    const double far = 1; /* m */
    sal_data *d = NULL;
    const sal_status status = sal_data_new(&d, m, err);
    if (status == SAL_OK) {
        memcpy(d->qpos, pose, (size_t)m->nq * sizeof(double));
        sal_kinematics(m, d);
    }
    for (int i = 0; i < m->npair && status == SAL_OK; i++) {
        const int a = m->pair_geom1[i], b = m->pair_geom2[i];
        gap[i] = prb_are_of_a_tree(m, m->pair_geom1[i], m->pair_geom2[i])
                     ? fmax(0, sal_geom_distance(m, d, a, b, far, NULL))
                     : (double)INFINITY;
    }
    sal_data_free(d);
    return status;
}

sal_status prb_smoothing_load(const sal_model *m, const double *pose, double *load, sal_err *err)
{
    const double near_floor = 0.01;
    sal_model *wide = NULL;
    sal_data *d = NULL;
    *load = 0;
    sal_status status = sal_model_copy(&wide, m, err);
    if (status == SAL_OK) {
        status = sal_data_new(&d, m, err);
    }
    if (status == SAL_OK) {
        see_only_floor(m, wide, near_floor);
        memcpy(d->qpos, pose, (size_t)m->nq * sizeof(double));
        sal_kinematics(wide, d);
        status = sal_collide(wide, d, err);
    }
    *load = status == SAL_OK ? load_of(m, d) : 0;
    sal_data_free(d);
    sal_model_free(wide);
    return status;
}

sal_status prb_floor_depth(double *depth, const sal_model *m, const double *pose, const bool *body,
                           double times, sal_err *err)
{
    double load;
    const sal_status status = prb_smoothing_load(m, pose, &load, err);
    *depth = 0;
    for (int i = 0; i < m->npair && status == SAL_OK; i++) {
        prb_set own;
        if (has_floor(m, i) && body[m->geom_bodyid[m->pair_geom2[i]]]) {
            memcpy(own.solref, m->pair_solref + 2 * i, sizeof own.solref);
            memcpy(own.solimp, m->pair_solimp + 5 * i, sizeof own.solimp);
            const double sinks = rest_depth(&own, m->opt.timestep, times * load);
            *depth = fmax(*depth, sinks - m->pair_include[i]);
        }
    }
    return status;
}

/* ---- the stage's model ---- */

static double timeconst_at(const prb_smoothing *table, double s, double h)
{
    return table->timeconst_tied ? 2 * h : fmax(prb_ramp_at(&table->timeconst, s), 2 * h);
}

/* The soft end of the table and, for contact="table", its final end. */
static prb_set table_set(const prb_smoothing *table, double s, double h)
{
    const double width = prb_ramp_at(&table->width, s),
                 dmax = impedance_at(table->dmax.soft, table->dmax.final, s);
    return (prb_set){{timeconst_at(table, s, h), 1},
                     {0, dmax, width, contact_middle, contact_power}};
}

static prb_set limit_set(const prb_smoothing *table, double h)
{
    return (prb_set){{timeconst_at(table, 0, h), 1},
                     {0, limit_dmax, limit_width, contact_middle, contact_power}};
}

/* The model's own contact or limit. Gentle, it begins without a jump. */
static prb_set own_set(const sal_problem *p, const double solref[2], const double solimp[5])
{
    prb_set own;
    memcpy(own.solref, solref, sizeof own.solref);
    memcpy(own.solimp, solimp, sizeof own.solimp);
    own.solimp[0] = p->gentle ? 0 : own.solimp[0];
    return own;
}

static void apply_pairs(const sal_problem *p, const prb_softness *at, sal_model *stage)
{
    const sal_model *m = p->model;
    const double h = stage->opt.timestep;
    const prb_set soft = table_set(&p->smoothing, 1, h), hard = table_set(&p->smoothing, 0, h);
    const prb_set now = table_set(&p->smoothing, at->s, h);
    const double table_shift = at->load > 0 && at->s > 0
                                   ? rest_depth(&now, h, at->load) - rest_depth(&hard, h, at->load)
                                   : 0;
    for (int i = 0; i < m->npair; i++) {
        prb_set final = hard, set = now;
        /* what sticks does so across its own gap */
        const bool sticks = m->pair_adhesion[i] > 0;
        double shift = table_shift, margin = 0,
               gap = sticks ? m->pair_detect[i] - m->pair_include[i] : 0;
        if (!p->contact_table) {
            final = own_set(p, m->pair_solref + 2 * i, m->pair_solimp + 5 * i);
            set = set_at(&soft, &final, at->s);
            shift = at->load > 0 && at->s > 0
                        ? rest_depth(&set, h, at->load) - rest_depth(&final, h, at->load)
                        : 0;
            margin = m->pair_include[i];
            gap = m->pair_detect[i] - m->pair_include[i];
        }
        memcpy(stage->pair_solref + 2 * i, set.solref, sizeof set.solref);
        memcpy(stage->pair_solimp + 5 * i, set.solimp, sizeof set.solimp);
        shift = at->gap == NULL ? shift : fmin(shift, at->gap[i]);
        stage->pair_include[i] = is_field(m, i) ? margin : margin + shift;
        stage->pair_detect[i] = margin + gap + (is_field(m, i) ? field_detect(shift) : shift);
        stage->pair_upright[i] = is_field(m, i) ? upright_at(shift) : 0;
    }
    sal_model_margins(stage);
}

static void apply_limits(const sal_problem *p, const prb_softness *at, sal_model *stage)
{
    const sal_model *m = p->model;
    const prb_set soft = limit_set(&p->smoothing, stage->opt.timestep);
    for (int j = 0; j < m->njnt; j++) {
        prb_set set = soft;
        if (!p->contact_table) {
            const prb_set final = own_set(p, m->jnt_solref + 2 * j, m->jnt_solimp + 5 * j);
            set = set_at(&soft, &final, at->s);
        }
        memcpy(stage->jnt_solref + 2 * j, set.solref, sizeof set.solref);
        memcpy(stage->jnt_solimp + 5 * j, set.solimp, sizeof set.solimp);
        stage->jnt_margin[j] = p->contact_table ? 0 : m->jnt_margin[j];
    }
}

/* Contact models other than soft are softened by the weight of their barrier, which holds two
 * resting contacts height apart, and by the regulariser. What rests is on the floor all the same:
 * `lift` makes up for the height. */
static void apply_contact_model(const sal_problem *p, const prb_softness *at, sal_model *stage)
{
    const double weight = prb_weight(p->model);
    sal_contact_option o;
    for (int i = 0; i < stage->npair; i++) {
        stage->pair_include[i] = stage->pair_detect[i] = 0;
    }
    for (int j = 0; j < stage->njnt; j++) {
        stage->jnt_margin[j] = 0;
    }
    sal_contact_defaults(&o, stage, p->contact_model);
    const double final = isnan(p->kappa) ? o.kappa : p->kappa;
    o.reach = isnan(p->reach) ? o.reach : p->reach;
    /* what the force of a barrier is kappa by the gap of: of hard it is the impulse */
    const double of_force = p->contact_model == SAL_CONTACT_HARD ? stage->opt.timestep : 1;
    o.kappa = geometric(fmax(0.5 * weight * of_force * soft_height, final), final, at->s);
    o.lift = 2 * (o.kappa - final) / (weight * of_force);
    o.kappa_slip = geometric(fmax(soft_slip * weight * of_force, final), final, at->s);
    o.firmest = geometric(fmin(soft_firmest * weight * of_force, o.firmest), o.firmest, at->s);
    o.regulariser[0] = geometric(soft_regulariser, o.regulariser[0], at->s);
    o.regulariser[1] = fmax(o.regulariser[0], o.regulariser[1]);
    sal_err ignored; /* the numbers are in range, and the integrator was looked at */
    sal_model_contact(stage, &o, &ignored);
}

void prb_smoothing_apply(const sal_problem *p, const prb_softness *at, sal_model *stage)
{
    const prb_smoothing *table = &p->smoothing;
    if (p->contact_model != SAL_CONTACT_SOFT) {
        apply_contact_model(p, at, stage);
        return;
    }
    stage->opt.sigma = at->smoothing > 0 ? at->smoothing * prb_ramp_at(&table->sigma, at->s) : 0;
    if (p->contact_table) {
        stage->opt.cone = SAL_CONE_ELLIPTIC;
        stage->opt.impratio = prb_ramp_at(&table->impratio, at->s);
    } else {
        const double own = p->model->opt.impratio,
                     final = p->gentle ? fmin(own, usual_impratio) : own;
        stage->opt.impratio = geometric(table->impratio.soft, final, at->s);
    }
    apply_pairs(p, at, stage);
    apply_limits(p, at, stage);
}
