/* cable.c: <composite type="cable">: a chain of bodies along a curve, one a segment, with
 * ball joints between them.
 *
 * Segment i goes from vertex i to vertex i+1; its x axis is the tangent t. Of the first one the y
 * axis, the normal n, lies in the plane of the first two segments; that of each further one is n
 * turned by the angle between the tangents about their common normal, so that nothing twists:
 *     b = t x t',   n = b x t          first one
 *     n := R(t_prev x t, angle) n      others
 * Where the first two segments are in line there is no such plane: then MuJoCo keeps n = 0, and
 * makes the quaternion from the matrix with the column t alone. */
#include "mjcf/attach/attach.h"
#include "mjcf/composite/composite.h"

#include <string.h>

static const double tiny = 1e-14;

typedef struct cable {
    mjcf_composite *c;
    /* [3 n] */
    double *vertex;
    int n;
    double normal[3], turned[4], length;
} cable;

/* ---- vertices ---- */

static double shape(const mjcf_composite *c, const char *word, size_t n, int i)
{
    const double *size = c->said.size, at = (double)i / (c->count[0] - 1);
    if (n == 1 && word[0] == 's') {
        return at * size[0];
    }
    if (n == 6 && strncmp(word, "cos(s)", n) == 0) {
        return size[1] * cos(M_PI * i * size[2] / (c->count[0] - 1));
    }
    if (n == 6 && strncmp(word, "sin(s)", n) == 0) {
        return size[1] * sin(M_PI * i * size[2] / (c->count[0] - 1));
    }
    return n == 1 && word[0] == '0' ? 0 : (double)NAN;
}

/* v + 2 w (u x v) + 2 u x (u x v) with q = (w, u), which need not be of unit length */
static void rotate(double r[3], const double q[4], const double v[3])
{
    double a[3], b[3];
    sal_v3_cross(a, q + 1, v);
    sal_v3_cross(b, q + 1, a);
    for (int d = 0; d < 3; d++) {
        r[d] = v[d] + 2 * (q[0] * a[d] + b[d]);
    }
}

static bool curve_vertices(cable *k)
{
    static const char space[] = " \t\r\n";
    mjcf_composite *c = k->c;
    const sal_xml_attr *attr = sal_xml_find_attr(c->xml, "curve");
    k->n = c->count[0];
    k->vertex = spec_take(c->r->spec, 3 * (size_t)k->n, sizeof *k->vertex);
    for (int i = 0; k->vertex != NULL && i < k->n; i++) {
        const char *word = c->said.curve == NULL ? "" : c->said.curve;
        double v[3] = {0, 0, 0};
        for (int d = 0; d < 3; d++) {
            word += strspn(word, space);
            const size_t n = strcspn(word, space);
            v[d] = n == 0 ? 0 : shape(c, word, n, i);
            word += n;
        }
        if (isnan(v[0] + v[1] + v[2]) || word[strspn(word, space)] != 0) {
            mjcf_error(c->r, attr->value_place, "for example curve=\"cos(s) sin(s) s\"",
                       "curve needs at most three words, each one of s, cos(s), sin(s), 0");
            return false;
        }
        rotate(k->vertex + 3 * i, c->said.quat, v);
    }
    return k->vertex != NULL;
}

static bool take_vertices(cable *k)
{
    enum { LONGEST = 300000 };
    mjcf_composite *c = k->c;
    const sal_xml_attr *attr = c->said.vertex;
    if (attr == NULL) {
        return curve_vertices(k);
    }
    const int n = mjcf_read_numbers(c->r->diag, attr, NULL, 0, LONGEST, 0);
    if (n < 0) {
        return false;
    }
    if (n % 3 != 0 || c->count[0] > 1) {
        mjcf_error(c->r, attr->value_place, NULL,
                   n % 3 != 0 ? "vertex needs three numbers for each point"
                              : "<composite> gives both vertex and count; keep one of them");
        return false;
    }
    k->n = n / 3;
    k->vertex = spec_take(c->r->spec, (size_t)n + 1, sizeof *k->vertex);
    return k->vertex != NULL && mjcf_read_numbers(c->r->diag, attr, k->vertex, n, n, 0) == n;
}

/* In MuJoCo they are single-precision. */
static bool read_vertices(cable *k)
{
    const bool good = take_vertices(k);
    for (int i = 0; good && i < 3 * k->n; i++) {
        k->vertex[i] = (double)(float)k->vertex[i];
    }
    return good;
}

/* ---- segments ---- */

/* From vertex i to the next, and its length. */
static double tangent(const cable *k, int i, double t[3])
{
    sal_v3_sub(t, k->vertex + 3 * (i + 1), k->vertex + 3 * i);
    const double length = sal_v3_norm(t);
    if (length > tiny) {
        sal_v3_scale(t, t, 1 / length);
    }
    return length;
}

static double to_unit(double v[3])
{
    const double norm = sal_v3_norm(v);
    if (norm > tiny) {
        sal_v3_scale(v, v, 1 / norm);
    }
    return norm;
}

/* The orientation of segment i; carries the normal along. */
static void orient(cable *k, int i, const double t[3], double quat[4])
{
    double other[3], b[3], m[9];
    if (i == 0) {
        sal_v3_set(other, 0, 0, 0);
        if (k->n > 2) {
            tangent(k, 1, other);
        }
        sal_v3_cross(b, t, other);
        to_unit(b);
        sal_v3_cross(k->normal, b, t);
    } else {
        double turn[4], before[3];
        tangent(k, i - 1, other);
        sal_v3_cross(b, other, t);
        const double angle = atan2(to_unit(b), sal_v3_dot(other, t));
        sal_quat_axisangle(turn, b, angle);
        sal_v3_copy(before, k->normal);
        sal_quat_rotate(k->normal, turn, before);
    }
    to_unit(k->normal);
    sal_v3_cross(b, t, k->normal);
    to_unit(b);
    for (int d = 0; d < 3; d++) {
        m[3 * d] = t[d], m[3 * d + 1] = k->normal[d], m[3 * d + 2] = b[d];
    }
    sal_quat_from_matrix(quat, m);
    sal_quat_normalise(quat);
}

static const char *part_name(cable *k, const char *what, int i)
{
    if (i == 0) {
        return mjcf_composite_name(k->c, "%s_first", what);
    }
    return i == k->n - 2 ? mjcf_composite_name(k->c, "%s_last", what)
                         : mjcf_composite_name(k->c, "%s_%d", what, i);
}

static void add_geom(cable *k, spec_body *body, int i, double length)
{
    spec_geom *g = mjcf_composite_geom(k->c, body, mjcf_composite_name(k->c, "G%d", i));
    if (g == NULL) {
        return;
    }
    g->frame = NULL;
    if (g->type == SAL_GEOM_BOX) {
        g->pose.pos[0] = g->size[0] = length / 2;
    } else {
        memset(g->fromto, 0, sizeof g->fromto);
        g->fromto[3] = length;
    }
}

static void add_joint(cable *k, spec_body *body, int i)
{
    const char *initial = k->c->said.initial;
    const bool first = i == 0, is_free = initial != NULL && strcmp(initial, "free") == 0;
    if (first && initial != NULL && strcmp(initial, "none") == 0) {
        return;
    }
    const int type = first && is_free ? SAL_JNT_FREE : SAL_JNT_BALL;
    spec_joint *j = mjcf_composite_joint(k->c, body, SPEC_COMP_MAIN, type, part_name(k, "J", i));
    if (j != NULL && type == SAL_JNT_FREE) {
        memset(j->damping, 0, sizeof j->damping);
        j->armature = j->frictionloss = 0;
    }
}

static spec_body *add_segment(cable *k, spec_body *parent, int i)
{
    mjcf_composite *c = k->c;
    const bool first = i == 0, last = i == k->n - 2;
    double t[3], quat[4], back[4];
    spec_body *body = mjcf_composite_body(c, parent, part_name(k, "B", i));
    if (body == NULL) {
        return NULL;
    }
    const double length = tangent(k, i, t);
    orient(k, i, t, quat);
    if (first) {
        sal_v3_add(body->pose.pos, c->said.offset, k->vertex);
        sal_quat_copy(body->pose.quat, quat);
    } else {
        body->pose.pos[0] = k->length;
        sal_quat_conj(back, k->turned);
        sal_quat_mul(body->pose.quat, back, quat);
    }
    sal_quat_copy(k->turned, quat);
    k->length = length;
    add_geom(k, body, i, length);
    add_joint(k, body, i);
    if (!last) {
        mjcf_composite_exclude(c, body->head.name, part_name(k, "B", i + 1));
    }
    if (first || last) {
        spec_site *s = mjcf_composite_site(c, body, part_name(k, "S", last && !first ? i : 0));
        if (s != NULL) {
            s->pose.pos[0] = last ? length : 0;
        }
    }
    return body;
}

/* Copies have one text together. */
static void keep_text(mjcf_composite *c)
{
    spec_text text = {.head = {.xml = c->xml}};
    const char *prefix = c->said.prefix == NULL ? "" : c->said.prefix;
    text.head.name = mjcf_composite_joined(c, "composite_", prefix);
    text.data = mjcf_composite_joined(c, "rope_", prefix);
    for (int i = 0; i < c->r->spec->text.n && sal_xml_find_attr(c->xml, MJCF_SUFFIX); i++) {
        const spec_text *other = c->r->spec->text.item[i];
        if (other->head.name != NULL && strcmp(other->head.name, text.head.name) == 0) {
            return;
        }
    }
    spec_keep(c->r->spec, &c->r->spec->text, &text, sizeof text);
}

void mjcf_composite_cable(mjcf_composite *c)
{
    cable k = {.c = c};
    const int type = c->geom.type;
    if (type != SAL_GEOM_CYLINDER && type != SAL_GEOM_CAPSULE && type != SAL_GEOM_BOX) {
        mjcf_error(c->r, c->xml->place, "write <geom type=\"capsule\" size=\"RADIUS\"/> in it",
                   "the geoms of a cable are capsules, cylinders or boxes");
        return;
    }
    if (!read_vertices(&k)) {
        return;
    }
    if (c->dim > 1 || k.n < 4) {
        mjcf_error(c->r, c->xml->place, "write count=\"N 1 1\" with N of 4 or more",
                   "a cable needs one row of at least four points");
        return;
    }
    keep_text(c);
    spec_body *body = c->body;
    for (int i = 0; i < k.n - 1 && body != NULL; i++) {
        body = add_segment(&k, body, i);
    }
}
