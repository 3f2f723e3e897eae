/* draft_reach.c: the end of an arm goes from the pose, at rest, to a place that it can reach, to
 * rest: where that is says draft_way.c. */
#include "base/house.h"
#include "guide/draft.h"
#include "problems/root.h"

#include <math.h>
#include <string.h>

/* s: from here on twice the number of steps */
static const double SLOW = 2;

/* How many actuated hinges carry the body. */
static int depth_of(const sal_model *m, int body)
{
    int depth = 0;
    for (int b = body; b > 0; b = m->body_parentid[b]) {
        for (int k = 0; k < m->body_jntnum[b]; k++) {
            const int j = m->body_jntadr[b] + k;
            depth += m->jnt_type[j] == SAL_JNT_HINGE && prb_is_actuated(m, j);
        }
    }
    return depth;
}

int gde_reaching_body(const gde_draft *f)
{
    int best = 0;
    for (int b = 1; b < f->m->nbody && f->root == 0; b++) {
        const int depth = depth_of(f->m, b);
        if (depth > 0 && depth >= depth_of(f->m, best)) {
            best = b;
        }
    }
    return best;
}

/* Whether a tendon runs through the site: it marks no end. */
static bool guides_tendon(const sal_model *m, int site)
{
    bool guides = false;
    for (int i = 0; i < m->nwrap; i++) {
        guides = guides || (m->wrap_type[i] == SAL_WRAP_SITE && m->wrap_objid[i] == site);
    }
    return guides;
}

/* The point that reaches: a site of the body, else the centre of its last geom, else its origin. */
static const char *reaching_point(const gde_draft *f, int body, double x[3], char text[GDE_NAME])
{
    const sal_model *m = f->m;
    for (int s = m->nsite - 1; s >= 0; s--) {
        const char *name = sal_model_name(m, SAL_OBJ_SITE, s);
        if (m->site_bodyid[s] == body && !guides_tendon(m, s) &&
            gde_name(m, SAL_OBJ_SITE, s, text)[0] != '#' &&
            sal_model_find(m, SAL_OBJ_GEOM, name) < 0) {
            sal_v3_copy(x, f->d->site_xpos + 3 * s);
            return text;
        }
    }
    for (int g = m->ngeom - 1; g >= 0; g--) {
        if (m->geom_bodyid[g] == body) {
            sal_v3_copy(x, f->d->geom_xpos + 3 * g);
            return gde_name(m, SAL_OBJ_GEOM, g, text);
        }
    }
    sal_v3_copy(x, f->d->xpos + 3 * body);
    return gde_name(m, SAL_OBJ_BODY, body, text);
}

static void write_start(const gde_draft *f)
{
    const sal_model *m = f->m;
    char text[GDE_NAME];
    sal_text_add(f->out, "    <start");
    if (f->key >= 0) {
        gde_attribute(f->out, "key", gde_key_name(m, f->key, text));
        sal_text_add(f->out, " fixed=\"qpos\"");
    } else {
        gde_write_pose(f, 10);
    }
    sal_text_add(f->out, "/>\n    <start qvel=\"0\"/>\n");
}

/* A place that the arm can reach, and how: sets the pose and what f->d has of it to the end of the
 * way. Returns the seconds it takes. */
static double find_goal(gde_draft *f, int body)
{
    gde_way way = {.by = sal_alloc((size_t)f->m->nv, sizeof *way.by)};
    gde_clear_pose(f);
    gde_settle_props(f);
    way.seconds = gde_seconds(f, 1);
    if (way.by != NULL) {
        gde_find_way(f, body, &way);
    } else {
        f->out->failed = true;
    }
    sal_free(way.by);
    return way.seconds;
}

void gde_write_reach(gde_draft *f)
{
    const int body = gde_reaching_body(f);
    const double seconds = find_goal(f, body);
    char text[GDE_NAME];
    double x[3];
    gde_write_seconds(f, seconds > SLOW ? 100 : 50, seconds, false);
    sal_text_add(f->out, "  <boundary type=\"open\">  <!-- from the pose, at rest, to rest -->\n");
    write_start(f);
    sal_text_add(f->out, "    <end");
    gde_write_rest(f);
    sal_text_add(f->out, "/>\n  </boundary>\n  <cost>\n");
    gde_write_effort(f);
    const char *point = reaching_point(f, body, x, text);
    sal_text_add(f->out, "  </cost>\n  <constraints>  <!-- m: a place that it can reach; change "
                         "target to yours -->\n    <constraint name=\"goal\"");
    gde_attribute(f->out, "position", point);
    sal_text_format(f->out, " at=\"end\" target=\"%.4g %.4g %.4g\" tol=\"0.001\"/>\n", x[0] + 0.0,
                    x[1] + 0.0, x[2] + 0.0);
    sal_text_add(f->out, "  </constraints>\n");
    gde_write_init(f, 4);
    gde_write_finish(f);
    gde_note(f, "nothing says what '%s' shall reach: the target is a place that it can reach",
             point);
}
