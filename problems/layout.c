/* layout.c: where every configuration of a motion comes from, and how variables move it.
 *
 *     cycle   q_0 .. q_{N-1} are variables; q_{-1} is the configuration whose image is q_{N-1}, q_N
 *             the image of q_0
 *     open    q_0 .. q_N are variables, and the ghost q_{-1} = q_0 (-) h v_0; joints that are
 *             pinned there are not
 *
 * Where something counts at the last instant N of an open motion, a configuration q_{N+1} completes
 * its window.
 */
#include "base/house.h"
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

/* ---- configurations and variables ---- */

static void slots_of_cycle(prb_layout_of_motion *layout, int nstep)
{
    layout->nblock = nstep;
    for (int k = 0; k < nstep; k++) {
        layout->slot[k + 1] = (prb_slot){k, 0};
    }
    layout->slot[0] = (prb_slot){nstep - 1, -1};
    layout->slot[nstep + 1] = (prb_slot){0, 1};
}

typedef enum prb_role { FREE, PINNED, TIED } prb_role;

/* What joint j of configuration q_{k-1} of an open motion is: a variable, given, or carried along
 * by its neighbour, v between them given:
 *     q_{-1} = q_0 (-) h v_0        q_N = q_{N-1} (+) h v_N
 *     both ends of a pinned position: q_{N-1} = q_N (-) h v_N */
static prb_role role_of(const sal_problem *p, int k, int j)
{
    const int N = p->nstep;
    const prb_endpoint *e = k <= 1 ? &p->start : &p->end;
    if (k > N + 1) {
        return PINNED;
    }
    if ((k > 1 && k < N) || e->pos == NULL) {
        return FREE;
    }
    if (k == 1 || k == N) {
        return e->pos[j] && (k == 1 || e->vel[j]) ? PINNED : FREE;
    }
    if (k == 0) {
        return !e->vel[j] ? FREE : e->pos[j] ? PINNED : TIED;
    }
    return e->pos[j] ? PINNED : e->vel[j] ? TIED : FREE;
}

static void slots_of_open(prb_layout_of_motion *layout, const sal_problem *p)
{
    layout->nblock = 0;
    for (int k = 0; k < layout->nslot; k++) {
        bool any = false;
        for (int j = 0; j < p->model->njnt && !any; j++) {
            any = role_of(p, k, j) == FREE;
        }
        layout->slot[k] = (prb_slot){any ? layout->nblock++ : -1, 0};
    }
}

/* Where the root stands at the first instant is where the arc begins: else a small circle would
 * do. */
static bool begins_arc(const sal_problem *p, int dof)
{
    const sal_image *image = p->image;
    const int adr = image->turning < 0 ? -1 : p->model->jnt_dofadr[image->turning];
    return adr >= 0 && dof >= adr && dof < adr + 2;
}

/* Variables are numbered block by block; those of a block follow each other, then come the inputs
 * of its instant. */
static void number_variables(prb_transcription *tr)
{
    const sal_problem *p = tr->p;
    prb_layout_of_motion *layout = &tr->layout;
    const int nv = p->model->nv;
    layout->nvar = 0;
    for (int k = 0; k < layout->nslot; k++) {
        const prb_slot *slot = layout->slot + k;
        const bool any = slot->block >= 0 && slot->image == 0;
        if (any) {
            layout->first[slot->block] = layout->nvar;
        }
        for (int i = 0; i < nv && any; i++) {
            const bool open = p->boundary == PRB_OPEN;
            const bool own =
                open ? role_of(p, k, p->model->dof_jntid[i]) == FREE : k != 1 || !begins_arc(p, i);
            layout->variable[slot->block * nv + i] = own ? layout->nvar++ : -1;
        }
        if (any) {
            layout->end[slot->block] = layout->nvar;
        }
        prb_inputs_number(tr, k - 1);
    }
}

/* d q_{k-1}/d log h = h drift: of what moves when the time step does, since a velocity is given. */
static void find_drift(prb_transcription *tr)
{
    const sal_problem *p = tr->p;
    const sal_model *m = p->model;
    for (int s = 0; s < 3; s++) { /* q_{-1}, q_{N-1}, q_N */
        const prb_endpoint *e = s == 0 ? &p->start : &p->end;
        for (int i = 0; i < m->nv && e->pos != NULL; i++) {
            const int j = m->dof_jntid[i];
            const bool moves = e->vel[j] && (s == 0 || (e->pos[j] != 0) == (s == 1));
            tr->layout.drift[s * m->nv + i] = !moves ? 0 : s == 2 ? e->qvel[i] : -e->qvel[i];
        }
    }
}

const double *prb_layout_drift(const prb_transcription *tr, int slot)
{
    const int N = tr->p->nstep, nv = tr->model->nv;
    if (tr->p->boundary != PRB_OPEN || (slot != 0 && slot != N && slot != N + 1)) {
        return NULL;
    }
    return tr->layout.drift + (slot == 0 ? 0 : slot - N + 1) * nv;
}

/* ---- columns ---- */

/* The column of a block's dof where the block's columns begin at `start`; -1: it is no variable. */
static int column_of(const prb_layout_of_motion *layout, int start, int block, int nv, int dof)
{
    const int variable = layout->variable[block * nv + dof];
    return variable < 0 ? -1 : start + variable - layout->first[block];
}

/* Of every dof of the window's configuration w: which column moves it, and with which sign. start:
 * where the columns of each begin, or -1 */
static void place_slot(prb_transcription *tr, int t, int w, const int start[3])
{
    const prb_layout_of_motion *layout = &tr->layout;
    const sal_model *m = tr->model;
    const prb_slot *slot = layout->slot + t + w;
    const int nv = m->nv, beside = t + w == 0 ? 1 : w - 1;
    int *place = tr->place + t * (tr->window + PRB_NGLOBAL) + w * nv;
    double *sign = tr->sign + t * tr->window + w * nv;
    const bool image = slot->image != 0, open = tr->p->boundary == PRB_OPEN;
    for (int i = 0; i < nv; i++) {
        const bool tied = open && role_of(tr->p, t + w, m->dof_jntid[i]) == TIED;
        const int from = tied ? beside : w, block = layout->slot[t + from].block;
        const int dof = image ? tr->p->image->dof_index[i] : i;
        place[i] = start[from] < 0 ? -1 : column_of(layout, start[from], block, nv, dof);
        sign[i] = image ? tr->p->image->dof_sign[i] : 1;
    }
}

/* Whether the window's variables are the first columns, in order and without signs. */
static bool is_plain(const prb_transcription *tr, int t)
{
    const int *place = tr->place + t * (tr->window + PRB_NGLOBAL);
    bool plain = true;
    for (int w = 0; w < 3; w++) {
        plain = plain && tr->layout.slot[t + w].image == 0;
    }
    for (int i = 0; i < tr->window && plain; i++) {
        plain = place[i] == i;
    }
    return plain;
}

/* Columns of step t: the variables of its three configurations without repetition, its inputs, then
 * the globals and the offsets of markers. */
static void columns_of_step(prb_transcription *tr, int t)
{
    const prb_layout_of_motion *layout = &tr->layout;
    const int window = tr->window;
    int *columns = tr->columns + t * tr->ncol_most, *place = tr->place + t * (window + PRB_NGLOBAL),
        start[3], n = 0;
    for (int w = 0; w < 3; w++) {
        const int block = layout->slot[t + w].block;
        start[w] = -1;
        for (int u = 0; u < w; u++) {
            start[w] = block >= 0 && layout->slot[t + u].block == block ? start[u] : start[w];
        }
        if (block >= 0 && start[w] < 0) {
            start[w] = n;
            for (int v = layout->first[block]; v < layout->end[block]; v++) {
                columns[n++] = v;
            }
        }
    }
    for (int w = 0; w < 3; w++) {
        place_slot(tr, t, w, start);
    }
    n = prb_inputs_list(tr, t, n);
    for (int g = 0; g < PRB_NGLOBAL; g++) {
        place[window + g] = layout->global[g] < 0 ? -1 : n;
        columns[n] = layout->global[g];
        n += layout->global[g] >= 0;
    }
    for (int i = 0; i < 3 * tr->p->noffset; i++) {
        columns[n++] = layout->offset + i;
    }
    tr->plain[t] = is_plain(tr, t);
    const prb_class *c = tr->class + tr->class_of[t];
    tr->block[t] =
        (sal_block){.nres = c->nres, .ncol = n, .col = columns, .nseg = c->nseg, .seg = c->segment};
}

/* ---- the whole ---- */

static sal_status allocate(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    prb_layout_of_motion *layout = &tr->layout;
    layout->nslot = tr->nblock + 2;
    layout->nz = tr->map->driven ? p->model->nu : 0;
    tr->window = 3 * p->model->nv + 2 * layout->nz;
    tr->ncol_most = tr->window + PRB_NGLOBAL + 3 * p->noffset;
    const size_t nblock = (size_t)tr->nblock, nv = (size_t)p->model->nv, nz = (size_t)layout->nz,
                 window = (size_t)tr->window, noffset = 3 * (size_t)p->noffset;
    layout->slot = sal_alloc((size_t)layout->nslot, sizeof(prb_slot));
    layout->first = sal_alloc(nblock + 3, sizeof(int));
    layout->end = sal_alloc(nblock + 3, sizeof(int));
    layout->input = sal_alloc((nblock + 1) * nz, sizeof(int));
    layout->linear = sal_alloc((nblock + 2) * (nv + nz) + PRB_NGLOBAL + noffset, 1);
    layout->unit = sal_alloc(nz, sizeof(double));
    tr->z = sal_alloc((nblock + 1) * nz, sizeof(double));
    layout->variable = sal_alloc((nblock + 2) * nv, sizeof(int));
    layout->drift = sal_alloc(3 * nv, sizeof(double));
    layout->tangent = sal_alloc(nv, sizeof(double));
    layout->moved = sal_alloc((size_t)p->model->nq, sizeof(double));
    layout->along = sal_alloc(2 * nv, sizeof(double));
    layout->around = sal_alloc(2 * nv, sizeof(double));
    tr->block = sal_alloc(nblock, sizeof(sal_block));
    tr->columns = sal_alloc(nblock * (size_t)tr->ncol_most, sizeof(int));
    tr->offset = sal_alloc(noffset, sizeof(double));
    tr->place = sal_alloc(nblock * (window + PRB_NGLOBAL), sizeof(int));
    tr->sign = sal_alloc(nblock * window, sizeof(double));
    tr->plain = sal_alloc(nblock, 1);
    tr->J_adr = sal_alloc(nblock + 1, sizeof(size_t));
    tr->r_adr = sal_alloc(nblock + 1, sizeof(size_t));
    const bool room = layout->slot != NULL && layout->first != NULL && layout->end != NULL &&
                      layout->input != NULL && layout->linear != NULL && layout->unit != NULL &&
                      tr->z != NULL && layout->variable != NULL && layout->drift != NULL &&
                      layout->tangent != NULL && layout->moved != NULL && layout->along != NULL &&
                      layout->around != NULL && tr->J_adr != NULL && tr->r_adr != NULL &&
                      tr->block != NULL && tr->columns != NULL && tr->place != NULL &&
                      tr->sign != NULL && tr->plain != NULL && tr->offset != NULL;
    return room ? SAL_OK
                : sal_fail(err, SAL_NOMEM, "out of memory for a motion of %d steps", p->nstep);
}

sal_status prb_layout_motion(prb_transcription *tr, sal_err *err)
{
    const sal_problem *p = tr->p;
    prb_layout_of_motion *layout = &tr->layout;
    const bool cycle = p->boundary == PRB_CYCLE;
    const sal_status status = allocate(tr, err);
    if (status != SAL_OK) {
        return status;
    }
    if (cycle) {
        slots_of_cycle(layout, p->nstep);
    } else {
        slots_of_open(layout, p);
        find_drift(tr);
    }
    prb_inputs_units(tr);
    number_variables(tr);
    const bool slope = prb_floor_is_free(p, PRB_FLOOR_SLOPE);
    const bool free_of[PRB_NGLOBAL] = {
        [PRB_GLOBAL_DURATION] = p->duration_range[1] > p->duration_range[0],
        [PRB_GLOBAL_TRAVEL] = cycle && p->travel == PRB_TRAVEL_FREE,
        [PRB_GLOBAL_TURN] = cycle && p->image->turning >= 0 && p->turn_range[1] > p->turn_range[0],
        [PRB_GLOBAL_FLOOR] = prb_floor_is_free(p, PRB_FLOOR_HEIGHT),
        [PRB_GLOBAL_SLOPE] = slope,
        [PRB_GLOBAL_SLOPE + 1] = slope};
    for (int g = 0; g < PRB_NGLOBAL; g++) {
        layout->global[g] = free_of[g] ? layout->nvar++ : -1;
    }
    layout->offset = layout->nvar;
    layout->nvar += 3 * p->noffset;
    layout->inputs = layout->nblock * p->model->nq;
    layout->globals = layout->inputs + (p->nstep + 1) * layout->nz;
    layout->offsets = layout->globals + PRB_NGLOBAL; /* fixed ones have their place, too */
    layout->nx = layout->offsets + 3 * p->noffset;
    for (int t = 0; t < tr->nblock; t++) {
        columns_of_step(tr, t);
        const size_t nres = (size_t)tr->block[t].nres;
        tr->r_adr[t + 1] = tr->r_adr[t] + nres;
        tr->J_adr[t + 1] = tr->J_adr[t] + nres * (size_t)tr->block[t].ncol;
    }
    return SAL_OK;
}

/* A global that has to stay in a range [mid - half, mid + half] is the image of a variable u that
 * need not:
 *     value = mid + half tanh((u - mid)/half),     slope = d value/du = 1 - tanh^2
 * so that no step is cut at a bound, which would leave the configurations behind that moved with
 * it. */
double prb_bounded(const double range[2], double u, double *slope)
{
    const double mid = 0.5 * (range[0] + range[1]), half = 0.5 * (range[1] - range[0]);
    if (!isfinite(half)) {
        *slope = 1;
        return u;
    }
    const double t = tanh((u - mid) / half);
    *slope = 1 - t * t;
    return mid + half * t;
}

/* The u of a value; a value at a bound, whose u is infinite, is taken to lie a hundredth of the
 * range inside. */
double prb_bounded_inverse(const double range[2], double value)
{
    const double mid = 0.5 * (range[0] + range[1]), half = 0.5 * (range[1] - range[0]), most = 0.98;
    return !isfinite(half) ? value
                           : mid + half * atanh(fmin(fmax((value - mid) / half, -most), most));
}

/* Configurations move in their tangent spaces; the globals add. */
void prb_layout_retract(void *ctx, double *out, const double *x, const double *d)
{
    const prb_transcription *tr = ctx;
    const prb_layout_of_motion *layout = &tr->layout;
    const sal_problem *p = tr->p;
    const int nq = p->model->nq, nv = p->model->nv, globals = layout->globals;
    for (int b = 0; b < layout->nblock; b++) {
        const double *tangent = d + layout->first[b];
        if (layout->end[b] - layout->first[b] < nv) {
            for (int i = 0; i < nv; i++) {
                const int v = layout->variable[b * nv + i];
                layout->tangent[i] = v < 0 ? 0 : d[v];
            }
            tangent = layout->tangent;
        }
        sal_integrate_pos(p->model, out + b * nq, x + b * nq, tangent, 1);
    }
    prb_inputs_retract(tr, out + layout->inputs, x + layout->inputs, d);
    for (int g = 0; g < PRB_NGLOBAL; g++) {
        out[globals + g] = x[globals + g] + (layout->global[g] >= 0 ? d[layout->global[g]] : 0);
    }
    for (int i = 0; i < 3 * p->noffset; i++) {
        out[layout->offsets + i] = x[layout->offsets + i] + d[layout->offset + i];
    }
}

/* ---- from variables to configurations ---- */

static void copy_joint(const sal_model *m, double *to, const double *from, int j)
{
    const int adr = m->jnt_qposadr[j], type = m->jnt_type[j];
    const size_t n = type == SAL_JNT_FREE ? 7 : type == SAL_JNT_BALL ? 4 : 1;
    memcpy(to + adr, from + adr, n * sizeof *to);
}

/* The joints of q_{k-1} that are given. */
static void place_pinned(const prb_transcription *tr, int k)
{
    const sal_model *m = tr->p->model;
    const prb_endpoint *e = k <= 1 ? &tr->p->start : &tr->p->end;
    for (int j = 0; j < m->njnt && e->pos != NULL; j++) {
        if (e->pos[j]) {
            copy_joint(m, tr->q + k * m->nq, e->qpos, j);
        }
    }
}

/* Those of q_{k-1} that follow from q_{beside-1} by a given velocity: q (+) (h drift) */
static void place_moved(const prb_transcription *tr, int k, int beside, double *moved)
{
    const sal_model *m = tr->p->model;
    const prb_endpoint *e = k <= 1 ? &tr->p->start : &tr->p->end;
    const bool wants_pinned = k == tr->p->nstep;
    if (e->pos == NULL) {
        return;
    }
    sal_integrate_pos(m, moved, tr->q + beside * m->nq, prb_layout_drift(tr, k), tr->timestep);
    for (int j = 0; j < m->njnt; j++) {
        if (e->vel[j] && (k == 0 || (e->pos[j] != 0) == wants_pinned)) {
            copy_joint(m, tr->q + k * m->nq, moved, j);
        }
    }
}

static void place_ends(const prb_transcription *tr)
{
    const int N = tr->p->nstep;
    double *moved = tr->layout.moved;
    place_pinned(tr, 1);
    place_pinned(tr, N + 1);
    place_moved(tr, 0, 1, moved);
    place_moved(tr, N, N + 1, moved); /* joints whose end is given; of the others q_N follows */
    place_moved(tr, N + 1, N, moved);
    if (tr->layout.nslot >
        N + 2) { /* q_{N+1}: nothing that counts at the last instant depends on it */
        const int nq = tr->p->model->nq;
        memcpy(tr->q + (N + 2) * nq, tr->q + (N + 1) * nq, (size_t)nq * sizeof(double));
    }
}

static void place_floor(prb_transcription *tr, const double *globals)
{
    const int *global = tr->layout.global;
    const bool slope = global[PRB_GLOBAL_SLOPE] >= 0;
    tr->floor.height = global[PRB_GLOBAL_FLOOR] >= 0 ? globals[PRB_GLOBAL_FLOOR] : 0;
    for (int i = 0; i < 2; i++) {
        tr->floor.slope[i] = slope ? globals[PRB_GLOBAL_SLOPE + i] : 0;
        tr->floor.centre[i] = tr->p->floor_centre[i];
    }
    if (slope) {
        prb_floor_level(&tr->level, tr->floor.slope);
    }
}

static void place_globals(prb_transcription *tr, const double *globals)
{
    const sal_problem *p = tr->p;
    const prb_layout_of_motion *layout = &tr->layout;
    const double range[2] = {log(p->duration_range[0]), log(p->duration_range[1])};
    const double duration =
        layout->global[PRB_GLOBAL_DURATION] >= 0
            ? exp(prb_bounded(range, globals[PRB_GLOBAL_DURATION], &tr->duration_slope))
            : p->duration;
    const double travel =
        layout->global[PRB_GLOBAL_TRAVEL] >= 0
            ? prb_bounded(p->travel_range, globals[PRB_GLOBAL_TRAVEL], &tr->travel_slope)
            : p->travel_value;
    tr->timestep = duration / p->nstep;
    tr->length = p->travel == PRB_TRAVEL_SPEED ? p->travel_value * duration : travel;
    tr->turn = layout->global[PRB_GLOBAL_TURN] >= 0
                   ? prb_bounded(p->turn_range, globals[PRB_GLOBAL_TURN], &tr->turn_slope)
               : p->image != NULL ? p->image->turn
                                  : 0;
    place_floor(tr, globals);
}

void prb_transcription_place(prb_transcription *tr, const double *x)
{
    const sal_problem *p = tr->p;
    const prb_layout_of_motion *layout = &tr->layout;
    const int nq = p->model->nq;
    place_globals(tr, x + layout->globals);
    for (int i = 0; i < 3 * p->noffset; i++) {
        tr->offset[i] = x[layout->offsets + i];
    }
    prb_inputs_place(tr, x + layout->inputs);
    if (tr->model->opt.timestep != tr->timestep) {
        prb_transcription_contact(tr);
    }
    for (int k = 0; k < layout->nslot; k++) {
        const prb_slot *slot = layout->slot + k;
        double *q = tr->q + k * nq;
        const double *block = x + slot->block * nq;
        if (k == p->nstep + 2 || slot->block < 0) {
            continue;
        }
        if (slot->image == 0) {
            memcpy(q, block, (size_t)nq * sizeof(double));
        } else {
            const int side = slot->image, at = side < 0 ? 0 : p->model->nv;
            sal_image_apply_arc(p->image, p->model, q, block, side, tr->length, tr->turn);
            sal_image_deriv(p->image, p->model, layout->along + at, layout->around + at, block,
                            side, tr->length, tr->turn);
        }
    }
    if (p->boundary == PRB_OPEN) {
        place_ends(tr);
    }
}

/* ---- derivatives ---- */

/* A rotation carried along, q' = q exp(w): a turn d of q is one of exp(-w) d of q', so that (rows)
 * dy/dd = dy/dd' exp(w)'. */
static void chain_rotation(const prb_transcription *tr, double *Y, int w, int dof,
                           const double turn[3])
{
    const int nv = tr->model->nv, width = tr->window + 1;
    double quat[4], mat[9];
    sal_quat_exp(quat, turn);
    sal_quat_matrix(mat, quat);
    for (int r = 0; r < tr->ny; r++) {
        double *row = Y + (size_t)r * (size_t)width + w * nv + dof, now[3];
        sal_m3_mulv(now, mat, row);
        memcpy(row, now, sizeof now);
    }
}

static void chain_tied(const prb_transcription *tr, double *Y, int t, int w)
{
    const sal_model *m = tr->model;
    const double *drift = prb_layout_drift(tr, t + w);
    for (int j = 0; j < m->njnt; j++) {
        const int type = m->jnt_type[j], dof = m->jnt_dofadr[j] + (type == SAL_JNT_FREE ? 3 : 0);
        if (type <= SAL_JNT_BALL && role_of(tr->p, t + w, j) == TIED) {
            double turn[3];
            sal_v3_scale(turn, drift + dof, tr->timestep);
            chain_rotation(tr, Y, w, dof, turn);
        }
    }
}

/* Rows of step t by the configuration w of its window, which is an image. */
static void chain_image(const prb_transcription *tr, double *Y, int t, int w)
{
    const int nv = tr->model->nv, width = tr->window + 1;
    for (int r = 0; r < tr->ny; r++) {
        double *row = Y + (size_t)r * (size_t)width + w * nv;
        sal_image_chain(tr->p->image, tr->model, row, tr->layout.slot[t + w].image, tr->turn);
    }
}

void prb_layout_chain(const prb_transcription *tr, double *Y, int first, int n)
{
    const size_t each = (size_t)tr->ny * (size_t)(tr->window + 1);
    const int N = tr->p->nstep;
    const bool cycle = tr->p->boundary == PRB_CYCLE;
    for (int t = first; t < first + n; t++, Y += each) { /* Y: of step t */
        if (cycle && t == 0) {
            chain_image(tr, Y, 0, 0);
        }
        if (cycle && t == N - 1) {
            chain_image(tr, Y, N - 1, 2);
        }
        if (!cycle && t == 0) {
            chain_tied(tr, Y, 0, 0);
        }
        if (!cycle && t >= N - 1) { /* all that q_N is in */
            chain_tied(tr, Y, t, N + 1 - t);
        }
    }
}
