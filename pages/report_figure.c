/* report_figure.c: the motion as a strip of figures, seen from the side: the direction of travel to
 * the right, z up, the right side of the body towards the reader; a mechanism that lies flat and
 * touches no floor is seen from above. A geom becomes the outline of its projection.
 */
#include "pages/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1080, MARGIN = 14, HULL_MAX = 32 };

typedef struct strip {
    const prb_gait *g;
    const sal_model *m;
    sal_data *d;
    sal_text *out;
    const page_strip_look *look;
    int *order; /* [ngeom] geoms drawn, farthest first */
    int norder, every, nframe;
    double ahead[3], up[3], away[3]; /* unit vectors to the right, up and into the page */
    bool above;                      /* seen from there */
    bool still;                      /* figures have parts that do not move */
    double from, step;               /* where the root is at first, and how far it gets in a step */
    double u0, u1, w0, w1;           /* extent of all figures about the root's mean path, m */
    double spacing, scale;           /* m from figure to figure; pixels per m */
    double shift;                    /* of the present figure: page u = u - shift */
} strip;

/* ---- from the world to the page ---- */

static double page_x(const strip *s, double u)
{
    return MARGIN + s->scale * (u - s->shift - s->u0);
}

static double page_y(const strip *s, double w)
{
    return MARGIN + s->scale * (s->w1 - w);
}

static void project(const strip *s, double p[2], const double world[3])
{
    p[0] = sal_v3_dot(s->ahead, world);
    p[1] = sal_v3_dot(s->up, world);
}

static double reach(const strip *s, int geom, const double dir[3])
{
    return page_geom_reach(s->m, s->d, geom, dir);
}

/* ---- outlines ---- */

static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int by_position(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : p[1] < q[1] ? -1 : p[1] > q[1];
}

/* Andrew's monotone chain: the hull of n points (sorted in place), written to hull [n + 1]; returns
 * how many. */
static int convex_hull(double hull[][2], double (*point)[2], int n)
{
    int k = 0;
    qsort(point, (size_t)n, sizeof point[0], by_position);
    for (int pass = 0; pass < 2; pass++) {
        const int base = k + 1;
        for (int j = 0; j < n; j++) {
            const double *p = point[pass == 0 ? j : n - 1 - j];
            while (k > base && turn(hull[k - 2], hull[k - 1], p) <= 0) {
                k--;
            }
            hull[k][0] = p[0], hull[k][1] = p[1];
            k++;
        }
        k--; /* the last begins the other chain */
    }
    return k;
}

static void draw_hull(const strip *s, double (*point)[2], int n, const char *style)
{
    double hull[2 * HULL_MAX + 2][2];
    const int k = convex_hull(hull, point, n);
    page_svg_put(s->out, "<path class=\"solid $\" d=\"", style);
    for (int i = 0; i < k; i++) {
        page_svg_put(s->out, "$% %", i == 0 ? "M" : "L", page_x(s, hull[i][0]),
                     page_y(s, hull[i][1]));
    }
    sal_text_add(s->out, "z\"/>");
}

/* The farthest corners of a mesh's hull, all round as seen here. */
static void draw_mesh(const strip *s, int geom, const char *style)
{
    const sal_model *m = s->m;
    const int mesh = m->geom_dataid[geom], n = m->mesh_hullnum[mesh];
    const double *vert = m->hull_vert + 3 * m->mesh_hulladr[mesh], *R = s->d->geom_xmat + 9 * geom;
    double point[HULL_MAX][2], world[3], look[3], l[3];
    for (int i = 0; i < HULL_MAX; i++) {
        const double angle = 2 * acos(-1.0) * i / HULL_MAX;
        int best = 0;
        sal_v3_scale(look, s->ahead, cos(angle));
        sal_v3_addscaled(look, look, sin(angle), s->up);
        sal_m3_multv(l, R, look);
        for (int k = 1; k < n; k++) {
            best = sal_v3_dot(l, vert + 3 * k) > sal_v3_dot(l, vert + 3 * best) ? k : best;
        }
        sal_m3_mulv(world, R, vert + 3 * best);
        sal_v3_add(world, world, s->d->geom_xpos + 3 * geom);
        project(s, point[i], world);
    }
    draw_hull(s, point, HULL_MAX, style);
}

/* Corners of a box (n = 8), or points on the rims of a cylinder (n = 32 or 16), in the axes of the
 * geom. */
static void draw_solid(const strip *s, int geom, const char *style)
{
    const double *size = s->m->geom_size + 3 * geom, *R = s->d->geom_xmat + 9 * geom;
    const bool box = s->m->geom_type[geom] != SAL_GEOM_CYLINDER; /* or the bounds of a mesh */
    const int n = box ? 8 : s->look->alone ? HULL_MAX / 2 : HULL_MAX;
    double point[HULL_MAX][2];
    for (int i = 0; i < n; i++) {
        const int side = i / 2;
        const double angle = 4 * acos(-1.0) * side / n, sign = i % 2 == 0 ? 1 : -1;
        const double local[3] = {box ? (i & 2 ? size[0] : -size[0]) : size[0] * cos(angle),
                                 box ? (i & 4 ? size[1] : -size[1]) : size[0] * sin(angle),
                                 sign * (box ? size[2] : size[1])};
        double world[3];
        sal_m3_mulv(world, R, local);
        sal_v3_add(world, world, s->d->geom_xpos + 3 * geom);
        project(s, point[i], world);
    }
    draw_hull(s, point, n, style);
}

/* The shadow of an ellipsoid: x'(BB')^-1 x = 1 with B the projection of its half axes. */
static void draw_ellipsoid(const strip *s, int geom, const char *style)
{
    const double *size = s->m->geom_size + 3 * geom, *R = s->d->geom_xmat + 9 * geom;
    double a[3], b[3], S[3] = {0}, centre[2];
    page_to_axes(a, R, s->ahead);
    page_to_axes(b, R, s->up);
    for (int i = 0; i < 3; i++) {
        S[0] += size[i] * size[i] * a[i] * a[i];
        S[1] += size[i] * size[i] * a[i] * b[i];
        S[2] += size[i] * size[i] * b[i] * b[i];
    }
    const double mean = 0.5 * (S[0] + S[2]), half = hypot(0.5 * (S[0] - S[2]), S[1]);
    project(s, centre, s->d->geom_xpos + 3 * geom);
    page_svg_put(
        s->out,
        "<ellipse class=\"solid $\" rx=\"%\" ry=\"%\" transform=\"translate(%,%) rotate(%)\"/>",
        style, s->scale * sqrt(mean + half), s->scale * sqrt(fmax(mean - half, 0)),
        page_x(s, centre[0]), page_y(s, centre[1]),
        -90 / acos(-1.0) * 2 * 0.5 * atan2(2 * S[1], S[0] - S[2]));
}

/* A sphere is a capsule of no length. */
static void draw_capsule(const strip *s, int geom, const char *style)
{
    const double *size = s->m->geom_size + 3 * geom, *R = s->d->geom_xmat + 9 * geom;
    const double half = s->m->geom_type[geom] == SAL_GEOM_CAPSULE ? size[1] : 0;
    double end[2][2];
    for (int i = 0; i < 2; i++) {
        const double along = i == 0 ? -half : half, axis[3] = {R[2], R[5], R[8]};
        double world[3];
        sal_v3_addscaled(world, s->d->geom_xpos + 3 * geom, along, axis);
        project(s, end[i], world);
    }
    if (fabs(end[1][0] - end[0][0]) + fabs(end[1][1] - end[0][1]) < 1e-6) {
        page_svg_put(s->out, "<circle class=\"solid $\" cx=\"%\" cy=\"%\" r=\"%\"/>", style,
                     page_x(s, end[0][0]), page_y(s, end[0][1]), s->scale * size[0]);
        return;
    }
    for (int pass = 0; pass < 2; pass++) { /* a rim keeps limbs of one colour apart */
        page_svg_put(s->out, "<path class=\"limb $\" stroke-width=\"%\" d=\"M% %L% %\"/>",
                     pass == 0 ? "rim" : style,
                     fmax(2 * s->scale * size[0], 2) + (pass == 0 ? 1.6 : 0), page_x(s, end[0][0]),
                     page_y(s, end[0][1]), page_x(s, end[1][0]), page_y(s, end[1][1]));
    }
}

static void draw_geom(const strip *s, int geom)
{
    const int side = prb_gait_side(s->m, SAL_OBJ_GEOM, geom);
    const char *style = s->m->body_weldid[s->m->geom_bodyid[geom]] == 0 ? "gs"
                        : side > 0                                      ? "gl"
                        : side < 0                                      ? "gr"
                                                                        : "gt";
    switch ((int)s->m->geom_type[geom]) {
    case SAL_GEOM_SPHERE:
    case SAL_GEOM_CAPSULE:
        draw_capsule(s, geom, style);
        break;
    case SAL_GEOM_CYLINDER:
    case SAL_GEOM_BOX:
        draw_solid(s, geom, style);
        break;
    case SAL_GEOM_ELLIPSOID:
        draw_ellipsoid(s, geom, style);
        break;
    case SAL_GEOM_MESH:
        (s->m->mesh_hullnum[s->m->geom_dataid[geom]] > 0 ? draw_mesh : draw_solid)(s, geom, style);
        break;
    default: /* planes are lines of their own; other shapes are not drawn */
        break;
    }
}

/* ---- forces ---- */

static void draw_arrow(const strip *s, const double foot[2], const double force[2])
{
    const double x = page_x(s, foot[0]), y = page_y(s, foot[1]);
    const double per_newton = 0.4 * s->scale * (s->w1 - s->w0) / s->g->r->weight;
    double dx = per_newton * force[0], dy = -per_newton * force[1], length = hypot(dx, dy);
    const double most = s->scale * (s->w1 - s->w0); /* of a motion that is not physical */
    if (!(length > 3)) {
        return;
    }
    if (length > most) {
        dx *= most / length, dy *= most / length, length = most;
    }
    const double ux = dx / length, uy = dy / length, head = fmin(7, 0.6 * length);
    page_svg_put(s->out, "<path class=\"grf\" d=\"M% %L% %\"/>", x, y, x + dx - head * ux,
                 y + dy - head * uy);
    page_svg_put(s->out, "<path class=\"grfhead\" d=\"M% %L% %L% %z\"/>", x + dx, y + dy,
                 x + dx - head * ux - 0.4 * head * uy, y + dy - head * uy + 0.4 * head * ux,
                 x + dx - head * ux + 0.4 * head * uy, y + dy - head * uy - 0.4 * head * ux);
}

/* Forces of what does not move on what does, at step t. The side view of the mirror image differs
 * by the travel only. */
static void draw_forces(const strip *s, int t)
{
    const sal_result *r = s->g->r;
    const bool image = t >= r->nstep && s->g->n > r->nstep;
    const int row = t == s->g->n && r->image != NULL ? 0 : image ? t - r->nstep : t;
    const double offset = sal_v3_dot(s->ahead, r->travel) * (t - row) / r->nstep;
    if (row >= r->nstep) {
        return;
    }
    for (int k = r->contact_offset[row]; k < r->contact_offset[row + 1]; k++) {
        const bool still1 = s->m->body_weldid[s->m->geom_bodyid[r->contact_geom[2 * k]]] == 0,
                   still2 = s->m->body_weldid[s->m->geom_bodyid[r->contact_geom[2 * k + 1]]] == 0;
        const double *f = r->contact_force + 6 * k, *frame = r->contact_frame + 9 * k;
        double world[3] = {0}, foot[2], force[2];
        if (still1 == still2) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            sal_v3_addscaled(world, world, still2 ? -f[i] : f[i], frame + 3 * i);
        }
        project(s, foot, r->contact_pos + 3 * k);
        project(s, force, world);
        foot[0] += offset;
        draw_arrow(s, foot, force);
    }
}

/* ---- the strip ---- */

static void pose(const strip *s, int t)
{
    memcpy(s->d->qpos, s->g->qpos + t * s->m->nq, (size_t)s->m->nq * sizeof(double));
    sal_kinematics(s->m, s->d);
}

/* The u of the first body that moves. */
static double root_ahead(const strip *s, int t)
{
    pose(s, t);
    for (int b = 1; b < s->m->nbody; b++) {
        if (s->m->body_weldid[b] != 0) {
            return sal_v3_dot(s->ahead, s->d->xpos + 3 * b);
        }
    }
    return 0;
}

static bool is_drawn(const sal_model *m, int geom)
{
    const int type = m->geom_type[geom];
    return type != SAL_GEOM_PLANE && type != SAL_GEOM_HFIELD && m->geom_rgba[4 * geom + 3] > 0;
}

/* Where nothing travels, what stands still beside what moves, and is no larger, belongs to each
 * figure: a shoulder, a stand; no hall. */
static void widen_by_still(strip *s)
{
    const double u0 = s->u0, u1 = s->u1, w0 = s->w0, w1 = s->w1, size = fmax(u1 - u0, w1 - w0);
    s->still = false;
    for (int i = 0; i < s->norder && fabs(s->step) * s->g->n < 1e-3 * size; i++) {
        const int geom = s->order[i];
        const double du = reach(s, geom, s->ahead), dw = reach(s, geom, s->up);
        double p[2];
        project(s, p, s->d->geom_xpos + 3 * geom);
        p[0] -= s->from;
        if (s->m->body_weldid[s->m->geom_bodyid[geom]] == 0 && 2 * fmax(du, dw) <= size &&
            p[0] - du < u1 && p[0] + du > u0 && p[1] - dw < w1 && p[1] + dw > w0) {
            s->u0 = fmin(s->u0, p[0] - du), s->u1 = fmax(s->u1, p[0] + du);
            s->w0 = fmin(s->w0, p[1] - dw), s->w1 = fmax(s->w1, p[1] + dw);
            s->still = true;
        }
    }
}

static bool is_still(const strip *s, int geom)
{
    return s->m->body_weldid[s->m->geom_bodyid[geom]] == 0;
}

/* Extent of what moves, about the root's mean path. */
static void measure(strip *s)
{
    s->u0 = s->w0 = (double)INFINITY;
    s->u1 = s->w1 = -(double)INFINITY;
    for (int t = 0; t <= s->g->n; t++) {
        pose(s, t);
        for (int i = 0; i < s->norder; i++) {
            const int geom = s->order[i];
            if (is_still(s, geom)) {
                continue;
            }
            double p[2];
            project(s, p, s->d->geom_xpos + 3 * geom);
            const double u = p[0] - s->from - t * s->step, du = reach(s, geom, s->ahead),
                         dw = reach(s, geom, s->up);
            s->u0 = fmin(s->u0, u - du), s->u1 = fmax(s->u1, u + du);
            s->w0 = fmin(s->w0, p[1] - dw), s->w1 = fmax(s->w1, p[1] + dw);
        }
    }
    if (!(s->u1 > s->u0) || !isfinite(s->u1 - s->u0) || !isfinite(s->w1 - s->w0)) {
        s->u0 = s->w0 = -1, s->u1 = s->w1 = 1; /* nothing to see */
    }
    widen_by_still(s);
}

/* Things that move by themselves, each on its own joint to the world. */
static int count_trees(const sal_model *m)
{
    int n = 0;
    for (int b = 1; b < m->nbody; b++) {
        n += m->body_weldid[b] == b && m->body_weldid[m->body_parentid[b]] == 0;
    }
    return n;
}

/* The step of a figure. */
static int step_of(const strip *s, int frame)
{
    return frame * s->every < s->g->n ? frame * s->every : s->g->n;
}

/* The least distance from figure to figure at which no two neighbours are drawn over each other,
 * and a gap. Others are farther apart: figures are never closer than 0.62 of what they span. */
static double apart(const strip *s)
{
    const double gap = 0.04 * (s->u1 - s->u0);
    page_outline one, other;
    double most = 0;
    for (int frame = 0; frame < s->nframe; frame++) {
        const int t = step_of(s, frame);
        pose(s, t);
        page_outline_clear(&other, s->w0, s->w1);
        for (int i = 0; i < s->norder; i++) {
            if (!is_still(s, s->order[i])) {
                page_outline_add(&other, s->m, s->d, s->order[i], s->ahead, s->up,
                                 s->from + t * s->step);
            }
        }
        most = frame == 0 ? 0 : fmax(most, page_outlines_apart(&one, &other) + gap);
        one = other;
    }
    return most;
}

/* Room for the floor. */
static void lower_to_floor(strip *s)
{
    for (int g = 0; g < s->m->ngeom; g++) {
        const double z = s->d->geom_xpos[3 * g + 2];
        if (!s->above && s->m->geom_type[g] == SAL_GEOM_PLANE &&
            z > s->w0 - 0.5 * (s->w1 - s->w0)) {
            s->w0 = fmin(s->w0, z);
        }
    }
}

/* A figure every so many steps. */
static void choose_frames(strip *s, int every)
{
    s->every = every < s->g->n ? every : s->g->n;
    s->nframe = s->g->n / s->every + 1;
}

/* Figures as large and as far apart as the page allows, at least by `least` of what they span, and
 * by `gap`, m. */
static void lay_out(strip *s, double least, double gap)
{
    const double wide = s->u1 - s->u0,
                 room = (s->look->width > 0 ? s->look->width : WIDTH) - 2 * MARGIN;
    s->spacing = fmax(fmax(s->every * fabs(s->step), least * wide), gap);
    s->scale =
        fmin(room / ((s->nframe - 1) * s->spacing + wide), s->look->tallest / (s->w1 - s->w0));
    if (s->nframe > 1) { /* fill the page */
        s->spacing = fmax(s->spacing, fmin((room / s->scale - wide) / (s->nframe - 1), 1.2 * wide));
    }
}

/* So many steps from figure to figure, or up to a quarter more if the last step then has one. */
static int fewer(int n, int every)
{
    for (int k = every; k <= every + every / 4; k++) {
        if (n % k == 0) {
            return k;
        }
    }
    return every;
}

/* Several things side by side must not mix with the next figure's. Where figures are long, fewer
 * are drawn, about as large as more would be over each other. */
static void arrange(strip *s)
{
    const double least = count_trees(s->m) > 1 || s->still ? 1.08 : 0.62;
    lay_out(s, least, 0);
    const double gap = apart(s);
    if (gap > s->spacing) {
        choose_frames(s, fewer(s->g->n, (int)round(s->every * gap / s->spacing)));
        lay_out(s, least, apart(s));
    }
}

static int by_depth(const strip *s, int a, int b)
{
    const double da = sal_v3_dot(s->away, s->d->geom_xpos + 3 * a),
                 db = sal_v3_dot(s->away, s->d->geom_xpos + 3 * b);
    return da > db ? -1 : da < db;
}

/* Farthest first; an insertion sort, since the order hardly changes from figure to figure. */
static void sort_by_depth(strip *s)
{
    for (int i = 1; i < s->norder; i++) {
        const int geom = s->order[i];
        int k = i;
        for (; k > 0 && by_depth(s, geom, s->order[k - 1]) < 0; k--) {
            s->order[k] = s->order[k - 1];
        }
        s->order[k] = geom;
    }
}

static void draw_floor(const strip *s, double width)
{
    for (int g = 0; g < s->m->ngeom && !s->above; g++) {
        const bool level = s->d->geom_xmat[9 * g + 8] > 0.999;
        const double z = s->d->geom_xpos[3 * g + 2];
        if (s->m->geom_type[g] == SAL_GEOM_PLANE && level && z >= s->w0 - 1e-9 && z <= s->w1) {
            const double y = page_y(s, z);
            page_svg_put(s->out,
                         "<rect class=\"ground\" x=\"0\" y=\"%\" width=\"%\" height=\"9\"/>"
                         "<path class=\"floor\" d=\"M0 %H%\"/>",
                         y, width, y, width);
        }
    }
}

static void draw_figure(strip *s, int frame)
{
    const int t = step_of(s, frame);
    pose(s, t);
    sort_by_depth(s);
    s->shift = s->from + t * s->step - frame * s->spacing;
    page_svg_put(s->out, "<g opacity=\"%\">",
                 s->g->n > s->g->r->nstep && t > s->g->r->nstep ? 0.8 : 1.0);
    for (int i = 0; i < s->norder; i++) {
        draw_geom(s, s->order[i]);
    }
    sal_text_add(s->out, "</g>");
    draw_forces(s, t);
    page_svg_put(s->out, "<text class=\"tx\" x=\"%\" y=\"%\">",
                 MARGIN + s->scale * (frame * s->spacing - s->u0), page_y(s, s->w0) + 28);
    sal_text_real(s->out, t * s->g->r->timestep, 3);
    sal_text_add(s->out, " s</text>\n");
}

static bool has_side(const strip *s, int side)
{
    for (int i = 0; i < s->norder; i++) {
        if (prb_gait_side(s->m, SAL_OBJ_GEOM, s->order[i]) == side) {
            return true;
        }
    }
    return false;
}

/* What the colours are, in a line of the drawing. */
static void draw_keys(const strip *s, double y)
{
    double x = MARGIN;
    for (int side = 1; side >= -1; side -= 2) {
        if (has_side(s, side)) {
            page_svg_put(s->out,
                         "<rect class=\"$\" x=\"%\" y=\"%\" width=\"12\" height=\"10\"/><text "
                         "x=\"%\" y=\"%\">$</text>",
                         side > 0 ? "gl" : "gr", x, y - 9, x + 17, y, side > 0 ? "left" : "right");
            x += 56;
        }
    }
    if (s->g->ngroup > 0 && !s->above) {
        page_svg_put(s->out,
                     "<path class=\"grf\" d=\"M% %h15\"/><path class=\"grfhead\" d=\"M% %l-7 "
                     "-2.8v5.6z\"/><text x=\"%\" y=\"%\">force of the floor</text>",
                     x, y - 4, x + 20, y - 4, x + 25, y);
    }
}

static void draw_caption(const strip *s)
{
    const double travelled = s->every * fabs(s->step);
    sal_text_add(s->out, "<figcaption>");
    for (int side = 1; side >= -1; side -= 2) {
        if (has_side(s, side)) {
            page_svg_put(s->out, "<span class=\"key $\"></span>$ ", side > 0 ? "left" : "right",
                         side > 0 ? "left" : "right");
        }
    }
    if (s->g->ngroup > 0 && !s->above) {
        sal_text_add(s->out, "<span class=\"key grf\"></span>force of the floor (one body weight: "
                             "0.4 of the height)");
    }
    page_svg_put(s->out, "<br/>Seen from $, every ", s->above ? "above" : "the side");
    sal_text_real(s->out, s->every * s->g->r->timestep, 3);
    sal_text_add(s->out, " s");
    if (s->spacing > 1.02 * travelled && travelled > 0.01 * (s->u1 - s->u0)) {
        sal_text_add(s->out, " or ");
        sal_text_real(s->out, travelled, 2);
        sal_text_add(s->out, " m of travel; drawn ");
        sal_text_real(s->out, s->spacing / travelled, s->spacing < 99 * travelled ? 2 : 3);
        sal_text_add(s->out, " times as far apart as they are");
    }
    if (s->g->n > s->g->r->nstep) {
        sal_text_add(s->out, ". The paler half is the mirror image of the first");
    }
    sal_text_add(s->out, ".</figcaption>");
}

/* Looks along +y, or down on what is flatter than it is wide and has no floor to stand on. */
static void choose_view(strip *s)
{
    const double flat = 2;
    bool floor = false;
    s->away[0] = -s->ahead[1], s->away[1] = s->ahead[0];
    s->up[2] = 1;
    for (int i = 0; i < s->m->npair; i++) {
        floor = floor || s->m->geom_type[s->m->pair_geom1[i]] == SAL_GEOM_PLANE;
    }
    measure(s);
    const double tall = s->w1 - s->w0;
    sal_v3_copy(s->up, s->away);
    measure(s);
    s->above = !floor && s->w1 - s->w0 > flat * tall;
    if (s->above) {
        sal_v3_set(s->away, 0, 0, -1);
    } else {
        sal_v3_set(s->up, 0, 0, 1);
    }
}

static void draw(strip *s)
{
    s->from = root_ahead(s, 0);
    s->step = (root_ahead(s, s->g->n) - s->from) / s->g->n;
    choose_frames(s, (s->g->n + s->look->most - 2) / (s->look->most - 1));
    for (int g = 0; g < s->m->ngeom; g++) {
        if (is_drawn(s->m, g)) {
            s->order[s->norder++] = g;
        }
    }
    choose_view(s);
    measure(s);
    lower_to_floor(s);
    arrange(s);
    const double wide = (s->nframe - 1) * s->spacing + s->u1 - s->u0,
                 width = 2 * MARGIN + s->scale * wide,
                 foot = MARGIN + s->scale * (s->w1 - s->w0) + 40,
                 height = foot + (s->look->keys ? 18 : 0);
    page_svg_put(s->out,
                 "$<svg$ class=\"strip\" viewBox=\"0 0 % %\" width=\"%\" role=\"img\">"
                 "<title>the motion as a strip of figures</title>\n",
                 s->look->alone   ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 : s->look->plain ? ""
                                  : "<figure class=\"strip-figure\">",
                 s->look->alone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", width, height,
                 width);
    if (s->look->alone) {
        sal_text_add(s->out, "<style>");
        page_report_strip_style(s->out);
        sal_text_add(s->out, "</style>\n");
    }
    draw_floor(s, width);
    for (int frame = 0; frame < s->nframe; frame++) {
        draw_figure(s, frame);
    }
    if (s->look->keys) {
        draw_keys(s, foot + 10);
    }
    sal_text_add(s->out, "</svg>");
    if (!s->look->plain) {
        draw_caption(s);
        sal_text_add(s->out, "</figure>");
    }
    sal_text_add(s->out, "\n");
}

sal_status page_report_strip(const prb_gait *g, const page_strip_look *look, sal_text *out,
                             sal_err *err)
{
    strip s = {.g = g, .m = g->r->model, .out = out, .look = look};
    sal_status status = sal_data_new(&s.d, s.m, err);
    sal_v3_copy(s.ahead, g->ahead);
    s.order = sal_alloc((size_t)s.m->ngeom, sizeof(int));
    if (s.order != NULL && status == SAL_OK) {
        draw(&s);
    } else if (status == SAL_OK) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a strip of figures");
    }
    sal_free(s.order);
    sal_data_free(s.d);
    return status;
}
