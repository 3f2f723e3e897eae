/* polish.c: Gauss-Newton steps along the constraints.
 *
 * At a point that satisfies them, with H, g of the terms and the constraints' scaled residual c + C
 * d:
 *
 *     minimise  g'd + 1/2 d'(H + mu I) d   over   c + C d = 0 for equalities,  <= 0 for ranges
 *
 * by the method of multipliers, on the set of constraints that are active:
 *
 *     (H + k C'C + mu I) d = -(g + C'(l + k c)),    l += k (c + C d)
 *     a range is active next time if l > 0, or if the step would exceed it
 *
 * (Bertsekas, "Constrained optimization and Lagrange multiplier methods", 1982; Hintermueller, Ito,
 * Kunisch, "The primal-dual active set strategy as a semismooth Newton method", SIAM J. Optim. 13,
 * 2002). The point reached is brought back by chord steps with the same factor, (H + k C'C + mu I)
 * e = -k C'c, and judged there, so that a step costs one linearisation.
 *
 * The way back is not gone to its end: with the multipliers, what is left of the violation has a
 * price, l'c, by which meeting it would change the cost. Points are compared by cost + l'c, and one
 * is near enough to the constraints where the price is a small part of what the step promised, or
 * half of it where chord steps lead no nearer; the next step meets them along with the rest, and
 * the last one to the last digit. Where they cannot be met from such a point, or nothing is gained
 * any more, the steps go on from the last one that met them, strictly: each is brought back all the
 * way.
 *
 * Damping adds itself to the multipliers, C'l = -(g + (H + mu I) d), where the violation alone asks
 * for a d. So violations are priced by the multipliers of the first step of a turn, which has the
 * least damping.
 *
 * The search is at its end where a turn that begins with little damping leads nowhere. One that
 * begins with much promises little, whatever there is to gain.
 */
#include "optim/kernel.h"
#include "optim/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double STIFFNESS = 1e5;    /* k C'C, of the curvature of the terms */
static const double SHRINK = 0.1;       /* of the damping after a good step */
static const double FLOOR = 1e-9;       /* of the damping, of the curvature of the terms */
static const double CAP_DAMPING = 4;    /* where a step is far beyond the cap */
static const double GAIN_ACCEPT = 1e-3; /* least share of the predicted decrease */
static const double ZERO = 1e-9;        /* of the merit at the start: nothing is left to lower */
static const double BACK = 0.5;         /* a step back must lower the violation to this share */
static const double BACK_FREE = 0.1;    /* the same once it is within the tolerance */
/* Prices, of the decrease that a step promises: of a violation that is left as it is, and of one
 * that is left where chord steps lead no nearer, and of one that says at once that the step is too
 * long. */
static const double NEAR = 0.1, NEAR_AT_END = 0.5, FAR = 3;
/* In a long motion, where one place decides for all, and each step costs much: */
static const double LONG_RAISE = 50; /* more of the damping where a step is refused, */
enum { LONG_TRIALS = 3 };            /* and so many are tried */
enum { TRIALS = 12, SETS_MOST = 6, MULTIPLIER_STEPS = 3, BACK_MOST = 10, STALE_MOST = 10 };

typedef struct polish {
    double stiffness;
    double damping; /* of the factor; NAN: there is none */
    bool known;     /* C is C'C of the active constraints */
    bool near;      /* it ended near enough to the constraints */
    bool priced;    /* the turn's violations are */
    double begun;   /* damping of the first Gauss-Newton step of the turn */
    double promise; /* of it, of the cost; NAN: there was none */
} polish;

/* out = sqrt(weight) r on the constraints (ranges: of what is exceeded), 0 on the terms */
static void scaled_constraints(const sal_optim *o, double *out, const double *r)
{
    int row = 0;
    for (int b = 0; b <= o->nls->nblock; b++) {
        const sal_block *block = opt_assembly_block(o->assembly, b);
        for (int s = 0; s < block->nseg; s++) {
            const sal_segment *seg = &block->seg[s];
            const double factor = seg->constraint && seg->sum == 0 ? sqrt(fmax(seg->weight, 0)) : 0;
            for (int i = 0; i < seg->n; i++, row++) {
                const bool counts = !(seg->range && r[row] < 0);
                out[row] = counts ? factor * r[row] : 0;
            }
        }
    }
}

/* H + k C'C + mu I over the active constraints, factorised, unless it is */
static sal_status factorise(sal_optim *o, polish *p, sal_err *err)
{
    if (!p->known) {
        opt_model_constrain(o, o->active);
        p->known = true;
    } else if (p->damping == o->state.damping.mu) {
        return SAL_OK;
    }
    const double mu = o->state.damping.mu, curvature = opt_model_curvature(o, 0, 1);
    p->stiffness = curvature > 0 ? STIFFNESS * (o->curvature + mu) / curvature : 0;
    const sal_status status = opt_model_factorise_mix(o, 1, p->stiffness, mu, err);
    p->damping = status == SAL_OK ? mu : (double)NAN;
    return status;
}

/* d for the gradient g and the multipliers l on the active set; leaves c + C d (every row) in w */
static sal_status multiplier_steps(sal_optim *o, const polish *p, const double *g, sal_err *err)
{
    memset(o->lambda, 0, (size_t)o->nrow * sizeof(double));
    for (int k = 0; k < MULTIPLIER_STEPS; k++) {
        for (int i = 0; i < o->nrow; i++) {
            o->w2[i] = o->lambda[i] + p->stiffness * o->s[i];
        }
        opt_assembly_gradient(o->assembly, o->d, o->A, o->w2, o->active);
        for (int j = 0; j < o->nls->nvar; j++) {
            o->d[j] += g[j];
        }
        const sal_status status = opt_model_solve(o, o->d, o->d, err);
        if (status != SAL_OK) {
            return status;
        }
        opt_assembly_product(o->assembly, o->w, o->A, o->d);
        for (int i = 0; i < o->nrow; i++) {
            o->w[i] += o->s[i];
            o->lambda[i] += o->active[i] ? p->stiffness * o->w[i] : 0;
        }
    }
    return SAL_OK;
}

/* The active set that the multipliers and the step ask for. Returns whether it differs. */
static bool choose_active(sal_optim *o)
{
    bool changed = false;
    for (int i = 0; i < o->nrow; i++) {
        if (o->kind[i] == OPT_ROW_RANGE) {
            const bool active = o->active[i] ? o->lambda[i] > 0 : o->w[i] > 0;
            changed = changed || active != o->active[i];
            o->active[i] = active;
        }
    }
    return changed;
}

/* Decrease of the terms that d promises: -(g'd + 1/2 |A d|^2) */
static double predict(sal_optim *o)
{
    double decrease = 0;
    for (int j = 0; j < o->nls->nvar; j++) {
        decrease -= o->g[j] * o->d[j];
    }
    opt_assembly_product(o->assembly, o->w, o->A, o->d);
    for (int i = 0; i < o->nrow; i++) {
        decrease -= o->use[i] ? 0.5 * o->w[i] * o->w[i] : 0;
    }
    return decrease;
}

static sal_status shorten(sal_optim *o, bool *usable)
{
    *usable = opt_trial_cap(o, o->d);
    if (!*usable) {
        o->state.damping.mu *= CAP_DAMPING;
        return SAL_OK;
    }
    o->last.length = opt_kernel_largest(o->d, o->nls->nvar);
    o->last.predicted = predict(o);
    return SAL_OK;
}

/* From Gauss-Newton's step to that of the matrix that has learnt from earlier steps. Of slope -m,
 * it promises (t - t^2/2) m if it is shortened to t. */
static sal_status bend(sal_optim *o, const polish *p, bool *usable, sal_err *err)
{
    double share[OPT_PAIRS];
    opt_secant_begin(o, share);
    const sal_status status = multiplier_steps(o, p, o->e, err);
    if (status != SAL_OK) {
        return status;
    }
    const double slope = opt_secant_end(o, share), length = opt_kernel_largest(o->d, o->nls->nvar);
    *usable = slope < 0 && opt_trial_cap(o, o->d);
    o->last.length = opt_kernel_largest(o->d, o->nls->nvar);
    const double t = o->last.length / length;
    o->last.predicted = -(t - 0.5 * t * t) * slope;
    return SAL_OK;
}

/* The step d along the constraints with the present damping. */
static sal_status propose(sal_optim *o, polish *p, bool *usable, sal_err *err)
{
    *usable = false;
    for (int k = 0; k < SETS_MOST; k++) {
        sal_status status = factorise(o, p, err);
        if (status == SAL_SINGULAR) {
            opt_damping_reject(&o->state.damping, o->curvature);
            return SAL_OK;
        }
        if (status == SAL_OK) {
            status = multiplier_steps(o, p, o->g, err);
        }
        if (status != SAL_OK) {
            return status;
        }
        if (!choose_active(o)) {
            break;
        }
        p->known = false;
    }
    return o->state.npair > 0 ? bend(o, p, usable, err) : shorten(o, usable);
}

/* Ranges that r exceeds join the active set. Returns whether there were any. */
static bool add_exceeded(sal_optim *o, const double *r)
{
    bool added = false;
    for (int i = 0; i < o->nrow; i++) {
        if (o->kind[i] == OPT_ROW_RANGE && !o->active[i] && r[i] > 0) {
            o->active[i] = 1;
            added = true;
        }
    }
    return added;
}

/* l'c over the active constraints. *size: the sum of the sizes */
static double price(const sal_optim *o, const double *c, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < o->nrow; i++) {
        const double l = isnan(o->price[i]) ? o->lambda[i] : o->price[i];
        const double part = o->active[i] ? l * c[i] : 0;
        sum += part;
        *size += fabs(part);
    }
    return sum;
}

/* Sets the prices of the turn, if they are not. Constraints that become active later have those of
 * their own step. */
static void set_prices(sal_optim *o, polish *p)
{
    for (int i = 0; i < o->nrow && !p->priced; i++) {
        o->price[i] = o->active[i] ? o->lambda[i] : (double)NAN;
    }
    p->priced = true;
}

/* The price of the trial's violation (scaled constraints in w2), of what the step promised. NAN
 * where the violation has to be met whatever its price. */
static double share_of_price(const sal_optim *o)
{
    double size;
    if (o->state.strict || !(o->last.predicted > 0)) {
        return (double)NAN;
    }
    price(o, o->w2, &size);
    return size / o->last.predicted;
}

/* The trial := moved by e, if that lowers the violation to `share` of it; *moved says so. */
static sal_status move_trial(sal_optim *o, double share, bool *moved, sal_err *err)
{
    o->nls->retract(o->nls->ctx, o->other.x, o->trial.x, o->e);
    const sal_status status = opt_point_evaluate(o, &o->other, err);
    *moved = status == SAL_OK && o->other.violation <= share * o->trial.violation;
    if (*moved) {
        const opt_point was = o->trial;
        o->trial = o->other;
        o->other = was;
        opt_secant_back(o);
    }
    return status;
}

/* What enters linearly takes up as much of the violation as it can. */
static sal_status complete(sal_optim *o, sal_err *err)
{
    bool moved;
    scaled_constraints(o, o->w2, o->trial.r);
    return isfinite(o->trial.cost) && opt_complete_find(o, o->active, 0, 1)
               ? move_trial(o, 1, &moved, err)
               : SAL_OK;
}

/* Brings the trial back to the constraints by chord steps; as far as they go, or are needed. */
static sal_status step_back(sal_optim *o, polish *p, sal_err *err)
{
    p->near = false;
    for (int k = 0; k < BACK_MOST && isfinite(o->trial.cost) && o->trial.violation > 0; k++) {
        scaled_constraints(o, o->w2, o->trial.r);
        const double share = share_of_price(o);
        if (k == 0 && share > FAR) {
            return SAL_OK;
        }
        const bool added = o->trial.violation > 1 && add_exceeded(o, o->trial.r);
        p->near = !added && share <= NEAR;
        if (p->near) {
            return SAL_OK;
        }
        if (added) {
            p->known = false;
            const sal_status status = factorise(o, p, err);
            if (status != SAL_OK) {
                return status == SAL_SINGULAR ? SAL_OK : status;
            }
        }
        opt_assembly_gradient(o->assembly, o->e, o->A, o->w2, o->active);
        for (int j = 0; j < o->nls->nvar; j++) {
            o->e[j] *= p->stiffness;
        }
        sal_status status = opt_model_solve(o, o->e, o->e, err);
        if (status != SAL_OK) {
            return status;
        }
        bool moved;
        const double least = o->trial.violation > 1 ? BACK : BACK_FREE;
        status = move_trial(o, least, &moved, err);
        if (status != SAL_OK || !moved) {
            return status;
        }
    }
    return SAL_OK;
}

/* The trial := now moved by d and brought back. *decrease: of cost + l'c */
static sal_status try_step(sal_optim *o, polish *p, double *decrease, sal_err *err)
{
    double size;
    opt_secant_leave(o);
    sal_status status = opt_trial_at(o, &o->trial, o->d, err);
    status = status == SAL_OK ? complete(o, err) : status;
    status = status == SAL_OK ? step_back(o, p, err) : status;
    scaled_constraints(o, o->w2, o->trial.r);
    p->near = p->near || share_of_price(o) <= NEAR_AT_END;
    *decrease = o->last.before - o->trial.cost - price(o, o->w2, &size);
    p->near = p->near || o->trial.violation <= 1;
    return status;
}

static void accept(sal_optim *o, double decrease, double gain)
{
    opt_trial_accept(o, &o->trial);
    opt_damping_accept(&o->state.damping, gain);
    o->last.taken = true;
    o->last.after = o->last.before - decrease;
    o->state.moved = true;
}

static void reject(sal_optim *o)
{
    if (o->state.npair > 0) {
        opt_secant_forget(o);
        return;
    }
    opt_damping_reject(&o->state.damping, o->curvature);
    o->state.damping.mu *= o->is_long ? LONG_RAISE : 1;
}

/* Damping that kinks of the path, or of steps before, left behind says nothing about the next ones:
 * with little of it, a small promise means that there is little to gain. */
static double little_damping(const sal_optim *o)
{
    const double damping = o->state.kept_damping.mu, floor = o->options.damping_floor;
    return floor > 0 ? fmin(damping, floor) : damping;
}

static void begin_with_little(sal_optim *o)
{
    opt_damping_start(&o->state.damping, little_damping(o), SHRINK, 0);
}

/* The same once more in this turn, if it did not begin so. */
static bool begin_again(sal_optim *o, polish *p)
{
    const bool again = p->begun > little_damping(o);
    if (again) {
        begin_with_little(o);
        p->priced = false;
        p->promise = (double)NAN;
        p->begun = o->state.damping.mu;
    }
    return again;
}

/* What the first Gauss-Newton step of the turn promises, and with which damping. */
static void note_promise(const sal_optim *o, polish *p)
{
    if (isnan(p->promise) && o->state.npair == 0) {
        p->promise = o->now.cost > 0 ? fmax(o->last.predicted, 0) / o->now.cost : 0;
        p->begun = o->state.damping.mu;
    }
}

/* One step from the linearised point, with as much damping as it needs. */
static sal_status take(sal_optim *o, polish *p, double least, sal_err *err)
{
    o->last = (opt_step){.before = o->now.cost, .after = o->now.cost};
    const int trials = o->is_long ? LONG_TRIALS : TRIALS;
    for (int k = 0; k < trials && !o->last.taken; k++) {
        bool usable;
        double size, decrease;
        sal_status status = propose(o, p, &usable, err);
        if (status != SAL_OK) {
            return status;
        }
        if (!usable) {
            opt_secant_forget(o);
            continue;
        }
        set_prices(o, p);
        scaled_constraints(o, o->w2, o->now.r);
        const double owed = price(o, o->w2, &size);
        o->last.before = o->last.after = o->now.cost + owed;
        o->last.predicted += owed;
        note_promise(o, p);
        const bool settled = !(o->last.predicted > least);
        if (settled && o->state.npair > 0) {
            opt_secant_forget(o);
            continue;
        }
        if (settled && o->now.violation <= 1) {
            if (!begin_again(o, p)) {
                return SAL_OK;
            }
            continue;
        }
        o->last.predicted = settled ? 0 : o->last.predicted; /* but constraints are to be met */
        status = try_step(o, p, &decrease, err);
        if (status != SAL_OK) {
            return status;
        }
        const double gain = settled ? 1 : decrease / o->last.predicted;
        if (p->near && gain > GAIN_ACCEPT && !(decrease < -least)) {
            accept(o, decrease, gain);
        } else {
            reject(o);
        }
    }
    return SAL_OK;
}

/* From the last point that met the constraints, all the way back to them from now on. */
static sal_status be_strict(sal_optim *o, sal_err *err)
{
    opt_polish_settle(o);
    o->state.strict = true;
    o->state.stale = 0;
    opt_secant_forget(o);
    return opt_point_value(o, err);
}

/* The search is at its end: what is left of the gradient and to gain. A step with much damping says
 * nothing about that. */
static void note_end(sal_optim *o, const polish *p)
{
    opt_assembly_gradient(o->assembly, o->e, o->A, o->lambda, o->active);
    opt_kernel_add(o->e, 1, o->g, o->nls->nvar);
    o->state.count.gradient = opt_kernel_largest(o->e, o->nls->nvar);
    const bool known = p->begun <= little_damping(o) && !isnan(p->promise);
    o->state.count.promise = known ? fmin(p->promise, 1) : (double)NAN;
}

/* So many steps have lowered nothing, or no more than rounding does. */
static bool is_stale(sal_optim *o)
{
    const bool lower = o->last.after < o->state.lowest - o->options.tolerance * o->state.lowest;
    o->state.lowest = lower ? o->last.after : o->state.lowest;
    o->state.stale = lower ? 0 : o->state.stale + 1;
    return o->state.stale > STALE_MOST;
}

/* After a step, or none. *done: no step worth taking is left. */
static sal_status judge(sal_optim *o, polish *p, double least, bool *done, sal_err *err)
{
    const bool met = o->now.violation <= 1, weak = !(o->last.before - o->last.after > least);
    const bool stale = is_stale(o);
    if ((!met && !o->last.taken) || (!o->state.strict && stale)) {
        return be_strict(o, err);
    }
    const bool over = stale || (weak && o->state.npair == 0 && !begin_again(o, p));
    *done = met && (over || o->now.cost <= ZERO * o->state.first_merit);
    if (weak) {
        opt_secant_forget(o);
    }
    return SAL_OK;
}

void opt_polish_settle(sal_optim *o)
{
    if (o->state.phase == OPT_PHASE_POLISH && o->now.violation > 1) {
        memcpy(o->now.x, o->good, (size_t)o->nls->nx * sizeof(double));
        o->now.valued = false;
    }
}

sal_status opt_polish_begin(sal_optim *o)
{
    opt_phase_enter(o, OPT_PHASE_POLISH);
    o->state.reach = 1;
    o->state.strict = false;
    o->state.lowest = DBL_MAX;
    o->state.stale = 0;
    opt_secant_forget(o);
    for (int i = 0; i < o->nrow; i++) {
        o->active[i] =
            o->kind[i] == OPT_ROW_EQUALITY || (o->kind[i] == OPT_ROW_RANGE && o->now.r[i] >= 0);
    }
    begin_with_little(o);
    return SAL_OK;
}

sal_status opt_polish(sal_optim *o, sal_err *err)
{
    polish p = {.damping = (double)NAN, .promise = (double)NAN, .begun = o->state.damping.mu};
    const double least = o->options.tolerance * o->now.cost;
    bool done = false;
    o->state.damping.floor = FLOOR * o->curvature;
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_SOLUTION);
    opt_secant_learn(o);
    sal_status status = take(o, &p, least, err);
    status = status == SAL_OK ? judge(o, &p, least, &done, err) : status;
    sal_clock_turn(o->nls->clock, before);
    o->state.count.polish_steps++;
    opt_step_note(o);
    if (status == SAL_OK && done) {
        note_end(o, &p);
        opt_phase_end(o, SAL_STOP_CONVERGED);
    }
    return status;
}
