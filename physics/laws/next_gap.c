/* next_gap.c: the gaps at the next instant (physics/next_gap.h). */
#include "physics/next_gap.h"

#include "physics/constraint_row.h"
#include "physics/contact_law.h"
#include "physics/scratch.h"

#include <stdint.h>

void phy_next_capacity(sal_model *m)
{
    const bool needs = phy_law_of(m)->needs & PHY_LAW_NEEDS_NEXT_GAP;
    m->nnext = needs ? m->nefcmax : 0;
    m->nnextJ = needs ? m->nJmax : 0;
}

/* ---- the other instant ---- */

/* X(name, rows, columns): what sal_kinematics and sal_com write */
#define NEXT_ARRAYS(X)                                                                             \
    X(qpos, nq, 1)                                                                                 \
    X(xpos, nbody, 3)                                                                              \
    X(xquat, nbody, 4)                                                                             \
    X(xmat, nbody, 9)                                                                              \
    X(xipos, nbody, 3)                                                                             \
    X(ximat, nbody, 9)                                                                             \
    X(xanchor, njnt, 3)                                                                            \
    X(xaxis, njnt, 3)                                                                              \
    X(geom_xpos, ngeom, 3)                                                                         \
    X(geom_xmat, ngeom, 9)                                                                         \
    X(site_xpos, nsite, 3)                                                                         \
    X(site_xmat, nsite, 9)                                                                         \
    X(subtree_com, nbody, 3)                                                                       \
    X(cdof, nv, 6)                                                                                 \
    X(cinert, nbody, 10)

bool phy_next_take(phy_next *next, const sal_model *m, const sal_data *d, sal_arena *arena)
{
    bool room = false;
    if (d != NULL) {
        next->at = *d;
    }
#define TAKE(name, rows, columns)                                                                  \
    next->at.name =                                                                                \
        sal_arena_take(arena, (size_t)m->rows * (size_t)(columns), sizeof *next->at.name);         \
    room = next->at.name != NULL;
    NEXT_ARRAYS(TAKE)
#undef TAKE
    next->at.arena = *arena;
    return room;
}

/* ---- the features of a contact ---- */

double phy_next_radius(const sal_model *m, int geom)
{
    const int type = m->geom_type[geom];
    return type == SAL_GEOM_SPHERE || type == SAL_GEOM_CAPSULE ? m->geom_size[3 * geom] : 0;
}

int phy_next_owner(const sal_model *m, const sal_contact *con)
{
    const bool round1 = phy_next_radius(m, con->geom1) > 0,
               round2 = phy_next_radius(m, con->geom2) > 0;
    const bool second_rests = m->body_weldid[m->geom_bodyid[con->geom2]] == 0;
    return round1 && round2 ? -1 : round1 || (!round2 && second_rests);
}

/* The direction u of a body at another instant */
static void turn(double r[3], const double u[3], const sal_data *now, const sal_data *at, int body)
{
    double local[3];
    sal_m3_multv(local, now->xmat + 9 * body, u);
    sal_m3_mulv(r, at->xmat + 9 * body, local);
}

/* The point p of a body there */
static void carry(double r[3], const double p[3], const sal_data *now, const sal_data *at, int body)
{
    double arm[3];
    sal_v3_sub(arm, p, now->xpos + 3 * body);
    turn(r, arm, now, at, body);
    sal_v3_add(r, r, at->xpos + 3 * body);
}

/* s, N, the feature c that N is not fixed to, and a_1, a_2, b */
static double gap_at(double N[3], double c[3], double feature[9], const sal_model *m,
                     const sal_data *now, const sal_data *at, const sal_contact *con)
{
    const double r[2] = {phy_next_radius(m, con->geom1), phy_next_radius(m, con->geom2)};
    const int body[2] = {m->geom_bodyid[con->geom1], m->geom_bodyid[con->geom2]};
    const int owner = phy_next_owner(m, con);
    double p[3], c1[3], c2[3], apart[3], s;
    sal_v3_addscaled(p, con->pos, -(0.5 * con->dist + r[0]), con->frame);
    carry(c1, p, now, at, body[0]);
    sal_v3_addscaled(p, con->pos, 0.5 * con->dist + r[1], con->frame);
    carry(c2, p, now, at, body[1]);
    sal_v3_sub(apart, c2, c1);
    sal_v3_copy(c, owner == 1 ? c1 : c2);
    if (owner < 0) {
        sal_v3_copy(N, apart);
        s = sal_v3_normalise(N);
        sal_v3_scale(feature + 6, N, 0);
    } else {
        turn(N, con->frame, now, at, body[owner]);
        s = sal_v3_dot(N, apart);
        turn(feature + 6, apart, at, now, body[owner]);
    }
    turn(feature, N, at, now, body[0]);
    turn(feature + 3, N, at, now, body[1]);
    return s - r[0] - r[1];
}

/* row_k = +-N'(u + w x (point - com)) for all dofs of both branches, + on geom2's body */
static void gap_row(double *row, const sal_model *m, const sal_data *at, const sal_contact *con,
                    const double N[3], const double point[3])
{
    phy_branch branch[2];
    phy_branches(m, con->geom1, con->geom2, branch);
    for (int side = 0; side < 2; side++) {
        double arm[3], about[3];
        sal_v3_sub(arm, point, at->subtree_com + 3 * m->body_rootid[branch[side].body]);
        sal_v3_cross(about, arm, N);
        for (int i = 0; i < branch[side].n; i++) {
            const double *s = at->cdof + 6 * branch[side].dof[i];
            *row++ = branch[side].sign * (sal_v3_dot(s, about) + sal_v3_dot(s + 3, N));
        }
    }
}

void phy_next_place(phy_next *next, const sal_model *m, sal_data *d, const double *v)
{
    sal_data *at = &next->at;
    sal_integrate_pos(m, at->qpos, d->qpos, v, m->opt.timestep);
    sal_kinematics(m, at);
    sal_com(m, at);
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *con = d->contact + i;
        const int row = con->efc_address;
        double N[3], c[3];
        if (row >= 0) {
            d->efc_next[row] = gap_at(N, c, d->next_feature + 9 * row, m, d, at, con);
            gap_row(d->next_J + d->efc_J_rowadr[row], m, at, con, N, c);
        }
    }
}

void phy_next_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    phy_next next;
    sal_arena_take(arena, (size_t)m->nv, sizeof(double));
    phy_next_take(&next, m, NULL, arena);
    phy_kinematics_scratch(m, arena);
    arena->used = mark;
}

bool phy_next_gaps(const sal_model *m, sal_data *d)
{
    const size_t mark = d->arena.used, room = d->efc_next == NULL ? SIZE_MAX : (size_t)m->nv;
    phy_next next;
    double *v = sal_arena_take(&d->arena, room, sizeof *v);
    const bool taken = phy_next_take(&next, m, d, &d->arena);
    if (taken) {
        for (int i = 0; i < m->nv; i++) {
            v[i] = d->qvel[i] + m->opt.timestep * d->qacc[i];
        }
        phy_next_place(&next, m, d, v);
    }
    d->arena.used = mark;
    return taken;
}

/* ---- how the gap varies ---- */

/* By dof `axis` of three that turn, g their part of the row at q', w = h v':
 *
 *     exp(e) exp(w) = exp(w) exp(R(w)'e)        ds/dq = g R(w)'
 *     exp(w + dw) = exp(w) exp(J dw)            ds/dv = h g J(w) */
static void turn_slopes(double slope[2], const sal_model *m, const sal_data *d, int first, int axis,
                        const double g[3])
{
    const double h = m->opt.timestep;
    double w[3], quat[4], R[9], J[9];
    for (int i = 0; i < 3; i++) {
        w[i] = h * (d->qvel[first + i] + h * d->qacc[first + i]);
    }
    sal_quat_exp(quat, w);
    sal_quat_matrix(R, quat);
    sal_quat_exp_deriv(J, w);
    slope[0] = slope[1] = 0;
    for (int i = 0; i < 3; i++) {
        slope[0] += g[i] * R[3 * axis + i];
        slope[1] += h * g[i] * J[3 * i + axis];
    }
}

void phy_next_slopes(const sal_model *m, const sal_data *d, int i, int k, double slope[3])
{
    const double h = m->opt.timestep;
    const int adr = d->efc_J_rowadr[d->contact[i].efc_address];
    const int dof = d->efc_J_colind[adr + k], j = m->dof_jntid[dof], at = dof - m->jnt_dofadr[j];
    const bool turns = m->jnt_type[j] == SAL_JNT_BALL || (m->jnt_type[j] == SAL_JNT_FREE && at > 2);
    const double *g = d->next_J + adr + k;
    slope[0] = *g;
    slope[1] = h * *g;
    if (turns) {
        const int axis = at % 3;
        turn_slopes(slope, m, d, dof - axis, axis, g - axis);
    }
    slope[2] = h * slope[1];
}
