/* draft_feet.c: the feet: bodies that can touch the floor, carry no other body that moves, and
 * are the lowest of these in the pose.
 *
 *     height of a body       the least distance of its geoms from the plane under them
 *     foot                   at most max(2 cm, 15 % of the root's height) over the lowest
 *     heel                   the body behind it, at most max(1 cm, 3 % of the root's height) over
 *                            it, its origin at most 10 % over that of the foot
 *     l, length of the legs  height of the highest joint between the root and a foot
 */
#include "base/house.h"
#include "guide/draft.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the body is welded to: bodies without joints are part of the one that carries them. */
static int solid(const sal_model *m, int geom)
{
    return m->body_weldid[m->geom_bodyid[geom]];
}

bool gde_body_carries(const sal_model *m, int body, int other)
{
    while (other > 0 && other != body) {
        other = m->body_parentid[other];
    }
    return other == body;
}

/* The least height of each body [nbody], and of which geom; DBL_MAX: it cannot touch the floor. */
static void heights_of(const gde_draft *f, double *height, int *geom)
{
    const sal_model *m = f->m;
    for (int b = 0; b < m->nbody; b++) {
        height[b] = DBL_MAX;
        geom[b] = -1;
    }
    for (int i = 0; i < f->d->ncon; i++) {
        const sal_contact *c = f->d->contact + i;
        const int b = solid(m, c->geom2);
        if (c->dist < height[b]) {
            height[b] = c->dist;
            geom[b] = c->geom2;
        }
    }
}

/* Whether no other body that moves hangs from it. */
static bool is_leaf(const sal_model *m, int body)
{
    for (int b = 1; b < m->nbody; b++) {
        if (m->body_weldid[b] != body && gde_body_carries(m, body, b)) {
            return false;
        }
    }
    return true;
}

static bool in_tree(const gde_draft *f, int body)
{
    return f->root > 0 && f->m->body_rootid[body] == f->m->body_rootid[f->root];
}

/* The lowest body of the tree of all, or only of leaves; 0: none. */
static int lowest_of(const gde_draft *f, const double *height, bool leaves)
{
    int lowest = 0;
    for (int b = 1; b < f->m->nbody; b++) {
        if (height[b] < DBL_MAX && in_tree(f, b) && (!leaves || is_leaf(f->m, b)) &&
            (lowest == 0 || height[b] < height[lowest])) {
            lowest = b;
        }
    }
    return lowest;
}

bool gde_stands_on_feet(const gde_draft *f)
{
    double *height = sal_alloc((size_t)f->m->nbody, sizeof *height);
    int *geom = sal_alloc((size_t)f->m->nbody, sizeof *geom);
    bool stands = false;
    if (height != NULL && geom != NULL) {
        heights_of(f, height, geom);
        const int lowest = lowest_of(f, height, false);
        stands = lowest > 0 && is_leaf(f->m, lowest);
    }
    sal_free(height);
    sal_free(geom);
    return stands;
}

int gde_first_joint(const gde_draft *f, int body)
{
    const sal_model *m = f->m;
    int joint = -1;
    for (int b = body; b > 0 && b != f->root; b = m->body_parentid[b]) {
        joint = m->body_jntnum[b] > 0 ? m->body_jntadr[b] : joint;
    }
    return joint;
}

double gde_point_height(const gde_draft *f, int geom, int sign)
{
    sal_point point = sal_point_geom(f->m, geom, sign);
    double x[3], normal[3];
    if (sal_point_settle(&point, f->m, f->d, NULL) != SAL_OK) {
        return DBL_MAX;
    }
    sal_m3_mulv(x, f->d->xmat + 9 * point.body, point.pos);
    sal_v3_add(x, x, f->d->xpos + 3 * point.body);
    sal_v3_sub(x, x, f->d->geom_xpos + 3 * point.plane);
    sal_m3_column(normal, f->d->geom_xmat + 9 * point.plane, 2);
    return sal_v3_dot(normal, x) - point.radius;
}

static double distance_of(const gde_draft *f, int geom)
{
    double least = DBL_MAX;
    for (int i = 0; i < f->d->ncon; i++) {
        const sal_contact *c = f->d->contact + i;
        least = c->geom2 == geom ? fmin(least, c->dist) : least;
    }
    return least;
}

void gde_place_feet(gde_draft *f)
{
    f->leg = 0;
    for (int i = 0; i < f->nfoot; i++) {
        gde_foot *foot = f->foot + i;
        const int joint = gde_first_joint(f, foot->body);
        const double *hip = joint < 0 ? f->d->xpos + 3 * f->root : f->d->xanchor + 3 * joint;
        sal_v3_copy(foot->centre, f->d->geom_xpos + 3 * foot->geom);
        foot->height = gde_point_height(f, foot->geom, 0);
        foot->sole = distance_of(f, foot->geom);
        f->leg = fmax(f->leg, hip[2] - foot->centre[2] + foot->height);
    }
    f->leg = fmin(fmax(f->leg, 0.02), 20);
}

/* The body that carries a foot, if it is low itself and no shank, which begins at the knee; 0: it
 * is not. over: how high the root is, m. */
static int heel_of(const gde_draft *f, const double *height, int foot, double over)
{
    const sal_model *m = f->m;
    const int body = m->body_weldid[m->body_parentid[foot]];
    const double ankle = f->d->xpos[3 * body + 2] - f->d->xpos[3 * foot + 2];
    const bool low = height[body] <= height[foot] + fmax(0.01, 0.03 * over) && ankle < 0.1 * over;
    return body > 0 && body != m->body_weldid[f->root] && low ? body : 0;
}

sal_status gde_find_feet(gde_draft *f, sal_err *err)
{
    const sal_model *m = f->m;
    double *height = sal_alloc((size_t)m->nbody, sizeof *height);
    int *geom = sal_alloc((size_t)m->nbody, sizeof *geom);
    f->foot = sal_alloc((size_t)m->nbody, sizeof *f->foot);
    f->nfoot = 0;
    const bool memory = height != NULL && geom != NULL && f->foot != NULL;
    if (memory) {
        heights_of(f, height, geom);
        const int lowest = lowest_of(f, height, true);
        const double over = lowest == 0 ? 0 : f->d->xpos[3 * f->root + 2] - height[lowest];
        for (int b = 1; b < m->nbody && lowest > 0; b++) {
            if (height[b] <= height[lowest] + fmax(0.02, 0.15 * over) && in_tree(f, b) &&
                b != m->body_weldid[f->root] && is_leaf(m, b)) {
                const int heel = heel_of(f, height, b, over);
                f->foot[f->nfoot++] = (gde_foot){.body = b, .geom = geom[b], .heel = heel};
            }
        }
        gde_place_feet(f);
    }
    sal_free(height);
    sal_free(geom);
    return memory ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory for the feet of a model");
}

void gde_list_leg_ends(const gde_draft *f, char *list, size_t room)
{
    const sal_model *m = f->m;
    double lowest = DBL_MAX, highest = -DBL_MAX;
    char text[GDE_NAME];
    list[0] = 0;
    for (int b = 1; b < m->nbody; b++) {
        if (in_tree(f, b) && m->body_weldid[b] == b) {
            lowest = fmin(lowest, f->d->xpos[3 * b + 2]);
            highest = fmax(highest, f->d->xpos[3 * b + 2]);
        }
    }
    for (int b = 1; b < m->nbody; b++) {
        const bool low = f->d->xpos[3 * b + 2] < lowest + 0.15 * (highest - lowest);
        if (in_tree(f, b) && m->body_weldid[b] == b && low && is_leaf(m, b)) {
            const size_t n = strlen(list);
            snprintf(list + n, room - n, "%s%s", n > 0 ? ", " : "",
                     gde_name(m, SAL_OBJ_BODY, b, text));
        }
    }
}
