/* convex.c: what nearest points are. The two planes across n through them bound the shapes, and
 * they lie on the shapes: then no other points are nearer, whatever found them. Where the shapes
 * overlap, no direction parts them sooner: directions are sought by climbing sep(n) from many
 * starts with shrinking steps. Support functions and surfaces are written here anew. */
#include "tests/physics/convex.h"

#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/collision/support.h"

typedef struct body {
    int type;
    double pos[3], mat[9], size[3];
    phy_hull hull; /* of a mesh */
} body;

enum { MESHES = 12 };

static sal_model *meshes[MESHES];

/* Boxes, prisms and points in a ball; parts of MuJoCo's format, read as any other. */
static void make_meshes(sal_rng *rng)
{
    for (int k = 0; k < MESHES; k++) {
        sal_text xml = {0};
        sal_err err = {0};
        const int corners = k < 2 ? 4 : 3 + k, n = k < 4 ? corners : 4 + k;
        sal_text_add(&xml, "<mujoco><asset><mesh name='m' vertex='");
        for (int i = 0; i < n && k < 4; i++) { /* a prism */
            const double turn = (i + 0.5) * 2 * acos(-1) / n, r = 0.1 + 0.02 * k;
            for (int side = -1; side <= 1; side += 2) {
                sal_text_format(&xml, "%.3f %.3f %.3f ", r * cos(turn), r * sin(turn), 0.08 * side);
            }
        }
        for (int i = 0; i < 3 * n && k >= 4; i++) {
            sal_text_format(&xml, "%.4f ", sal_rng_uniform(rng, -0.2, 0.2));
        }
        sal_text_add(&xml,
                     "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
        CHECK_OK(sal_model_parse(&meshes[k], "m", xml.data, xml.length, NULL, NULL, &err), err);
        sal_text_clear(&xml);
    }
}

static void free_meshes(void)
{
    for (int k = 0; k < MESHES; k++) {
        sal_model_free(meshes[k]);
    }
}

/* h(n) = max n.x over the body */
static double reach(const body *b, const double n[3])
{
    double l[3];
    sal_m3_multv(l, b->mat, n);
    const double *s = b->size, across = hypot(l[0], l[1]), at = sal_v3_dot(n, b->pos);
    switch (b->type) {
    case SAL_GEOM_SPHERE:
        return at + s[0];
    case SAL_GEOM_CAPSULE:
        return at + s[0] + s[1] * fabs(l[2]);
    case SAL_GEOM_CYLINDER:
        return at + s[0] * across + s[1] * fabs(l[2]);
    case SAL_GEOM_ELLIPSOID:
        return at + hypot(hypot(s[0] * l[0], s[1] * l[1]), s[2] * l[2]);
    case SAL_GEOM_MESH: {
        double most = -HUGE_VAL;
        for (int i = 0; i < b->hull.n; i++) {
            most = fmax(most, sal_v3_dot(l, b->hull.vert + 3 * i));
        }
        return at + most;
    }
    default:
        return at + s[0] * fabs(l[0]) + s[1] * fabs(l[1]) + s[2] * fabs(l[2]);
    }
}

static double sep(const body *a, const body *b, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    return -reach(b, back) - reach(a, n);
}

/* Above the highest of all planes through three corners that have no corner above them. */
static double above_planes(const phy_hull *h, const double x[3])
{
    double most = -HUGE_VAL, p[3], q[3], n[3];
    for (int i = 0; i < h->n * h->n * h->n; i++) {
        const double *a = h->vert + 3 * (i % h->n), *b = h->vert + 3 * (i / h->n % h->n),
                     *c = h->vert + 3 * (i / h->n / h->n);
        bool supports = true;
        sal_v3_sub(p, b, a);
        sal_v3_sub(q, c, a);
        sal_v3_cross(n, p, q);
        if (a == b || b == c || a == c || sal_v3_normalise(n) < 1e-9) {
            continue;
        }
        const double height = sal_v3_dot(n, a);
        for (int k = 0; k < h->n && supports; k++) {
            supports = sal_v3_dot(n, h->vert + 3 * k) <= height + 1e-12;
        }
        most = supports ? fmax(most, sal_v3_dot(n, x) - height) : most;
    }
    return most;
}

/* 0 on the surface, as a length (of the ellipsoid: nearly) */
static double outside(const body *b, const double point[3])
{
    double d[3], x[3], out = 0, deepest = -HUGE_VAL;
    const double *s = b->size;
    sal_v3_sub(d, point, b->pos);
    sal_m3_multv(x, b->mat, d);
    const double rho = hypot(x[0], x[1]);
    switch (b->type) {
    case SAL_GEOM_SPHERE:
        return sal_v3_norm(x) - s[0];
    case SAL_GEOM_CAPSULE:
        return hypot(rho, fmax(fabs(x[2]) - s[1], 0)) - s[0];
    case SAL_GEOM_CYLINDER:
        return fmax(rho - s[0], fabs(x[2]) - s[1]);
    case SAL_GEOM_ELLIPSOID:
        return (hypot(hypot(x[0] / s[0], x[1] / s[1]), x[2] / s[2]) - 1) *
               fmin(s[0], fmin(s[1], s[2]));
    case SAL_GEOM_MESH:
        return above_planes(&b->hull, x);
    default:
        for (int k = 0; k < 3; k++) {
            const double beyond = fabs(x[k]) - s[k];
            out += beyond > 0 ? beyond * beyond : 0;
            deepest = fmax(deepest, beyond);
        }
        return out > 0 ? sqrt(out) : deepest;
    }
}

/* Climbs sep from n along random tangents, the step halved where three dozen do not help. */
static double climb(const body *a, const body *b, double n[3], sal_rng *rng)
{
    double best = sep(a, b, n);
    int idle = 0;
    for (double step = 0.3; step > 1e-7;) {
        double trial[3];
        for (int k = 0; k < 3; k++) {
            trial[k] = n[k] + sal_rng_uniform(rng, -step, step);
        }
        sal_v3_normalise(trial);
        const double value = sep(a, b, trial);
        if (value > best) {
            best = value;
            sal_v3_copy(n, trial);
            idle = 0;
        } else if (++idle > 12) {
            step *= 0.5;
            idle = 0;
        }
    }
    return best;
}

static double climb_from_everywhere(const body *a, const body *b, sal_rng *rng)
{
    double best = -HUGE_VAL;
    for (int start = 0; start < 24; start++) {
        double n[3];
        for (int k = 0; k < 3; k++) {
            n[k] = sal_rng_uniform(rng, -1, 1);
        }
        sal_v3_normalise(n);
        best = fmax(best, climb(a, b, n, rng));
    }
    return best;
}

static void place(body *b, sal_rng *rng, bool aligned)
{
    double q[4];
    for (int k = 0; k < 4; k++) {
        q[k] = sal_rng_uniform(rng, -1, 1);
        q[k] = aligned ? (double)(q[k] > 0.4) : q[k];
    }
    sal_quat_normalise(q);
    sal_quat_matrix(b->mat, q);
    for (int k = 0; k < 3; k++) {
        b->pos[k] = sal_rng_uniform(rng, -0.3, 0.3);
        b->pos[k] = aligned ? 0.05 * round(b->pos[k] / 0.05) : b->pos[k];
        b->size[k] = sal_rng_uniform(rng, 0.05, 0.25);
    }
    if (b->type == SAL_GEOM_MESH) {
        const int last = aligned ? 4 : MESHES;
        const int k = (int)sal_rng_uniform(rng, 0, last - 1e-9);
        b->hull = phy_hull_of(meshes[k], 0);
        sal_v3_copy(b->size, meshes[k]->geom_size);
    }
}

static void shape_of(phy_shape *s, const body *b)
{
    static const double origin[3] = {0};
    phy_shape_set(s, (sal_geom_type)b->type, b->pos, b->mat, b->size, origin);
    s->hull = b->hull;
}

/* Moves b along the normal until the shapes touch, but for up to a tenth of a millimetre and down
 * to next to nothing. */
static void nearly_touch(const body *a, body *b, sal_rng *rng)
{
    phy_shape A, B;
    phy_nearest r;
    shape_of(&A, a);
    shape_of(&B, b);
    phy_nearest_points(&A, &B, 100, &r);
    const double rest = pow(10, sal_rng_uniform(rng, -15, -4));
    const double sign = sal_rng_uniform(rng, -1, 1) < 0 ? -1 : 1;
    sal_v3_addscaled(b->pos, b->pos, sign * rest - r.dist, r.n);
}

typedef struct tally {
    int apart, overlap, polished;
    double proof_apart, proof_overlap, sooner;
} tally;

static void judge(const body *a, const body *b, sal_rng *rng, tally *t)
{
    phy_shape A, B;
    phy_nearest r;
    shape_of(&A, a);
    shape_of(&B, b);
    CHECK(phy_nearest_points(&A, &B, 100, &r));
    double off = fabs(sep(a, b, r.n) - r.dist);
    off = fmax(off, fmax(fabs(outside(a, r.a)), fabs(outside(b, r.b))));
    off = fmax(off, fabs(sal_v3_norm(r.n) - 1));
    for (int k = 0; k < 3; k++) {
        off = fmax(off, fabs(r.b[k] - r.a[k] - r.dist * r.n[k]));
    }
    if (off > 1e-9)
        printf("types %d %d dist %.3g sep %.2g outa %.2g outb %.2g vec %.2g %.2g %.2g pol %d n "
               "%.4f %.4f %.4f hull %d %d\n",
               a->type, b->type, r.dist, sep(a, b, r.n) - r.dist, outside(a, r.a), outside(b, r.b),
               r.b[0] - r.a[0] - r.dist * r.n[0], r.b[1] - r.a[1] - r.dist * r.n[1],
               r.b[2] - r.a[2] - r.dist * r.n[2], r.polished, r.n[0], r.n[1], r.n[2], a->hull.n,
               b->hull.n);
    CHECK(off <= 1e-9);
    t->polished += r.polished;
    if (r.dist > 0) {
        t->apart++;
        t->proof_apart = fmax(t->proof_apart, off);
    } else {
        t->overlap++;
        t->proof_overlap = fmax(t->proof_overlap, off);
        const double sooner = climb_from_everywhere(a, b, rng) - r.dist;
        t->sooner = fmax(t->sooner, sooner);
        CHECK(sooner <= 1e-8);
    }
}

int convex_pairs(int n, unsigned seed)
{
    static const struct {
        const char *name;
        int type1, type2;
    } pairs[] = {
        {"sphere-ellipsoid", SAL_GEOM_SPHERE, SAL_GEOM_ELLIPSOID},
        {"sphere-cylinder", SAL_GEOM_SPHERE, SAL_GEOM_CYLINDER},
        {"capsule-ellipsoid", SAL_GEOM_CAPSULE, SAL_GEOM_ELLIPSOID},
        {"capsule-cylinder", SAL_GEOM_CAPSULE, SAL_GEOM_CYLINDER},
        {"capsule-box", SAL_GEOM_CAPSULE, SAL_GEOM_BOX},
        {"ellipsoid-ellipsoid", SAL_GEOM_ELLIPSOID, SAL_GEOM_ELLIPSOID},
        {"ellipsoid-cylinder", SAL_GEOM_ELLIPSOID, SAL_GEOM_CYLINDER},
        {"ellipsoid-box", SAL_GEOM_ELLIPSOID, SAL_GEOM_BOX},
        {"cylinder-cylinder", SAL_GEOM_CYLINDER, SAL_GEOM_CYLINDER},
        {"cylinder-box", SAL_GEOM_CYLINDER, SAL_GEOM_BOX},
        {"box-box", SAL_GEOM_BOX, SAL_GEOM_BOX},
        {"sphere-mesh", SAL_GEOM_SPHERE, SAL_GEOM_MESH},
        {"capsule-mesh", SAL_GEOM_CAPSULE, SAL_GEOM_MESH},
        {"ellipsoid-mesh", SAL_GEOM_ELLIPSOID, SAL_GEOM_MESH},
        {"cylinder-mesh", SAL_GEOM_CYLINDER, SAL_GEOM_MESH},
        {"box-mesh", SAL_GEOM_BOX, SAL_GEOM_MESH},
        {"mesh-mesh", SAL_GEOM_MESH, SAL_GEOM_MESH},
    };
    sal_rng rng = {seed};
    make_meshes(&rng);
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        tally t = {0};
        for (int i = 0; i < n / 10; i++) {
            body a = {.type = pairs[p].type1}, b = {.type = pairs[p].type2};
            place(&a, &rng, i % 5 == 0);
            place(&b, &rng, i % 5 == 0);
            if (i % 5 == 1) {
                nearly_touch(&a, &b, &rng);
            }
            judge(&a, &b, &rng, &t);
        }
        printf(
            "     %-19s %4d apart (off %.0e), %4d overlap (off %.0e, sooner %.0e), %d polished\n",
            pairs[p].name, t.apart, t.proof_apart, t.overlap, t.proof_overlap, t.sooner,
            t.polished);
    }
    free_meshes();
    return check_case_faults;
}
