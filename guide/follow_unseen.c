/* follow_unseen.c: what no marker of a person shows. A sum of the squares of the accelerations of
 * the whole body's centre of mass is a term of the cost; parts that nothing else holds would be
 * moved so that it becomes small, and the forces on the feet with it. So joints without markers
 * stay near home, but for those of the legs. A head stays upright, and so does the trunk of one who
 * walks; the trunk of one whose pelvis sinks, as in a squat, leans as the pelvis does.
 *
 * Chosen with the recordings of docs/people.md, of whose markers those of arms, or of arms and
 * trunk, were left out.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>

static const double REST = 0.05;  /* rad */
static const double SINKS = 0.15; /* of the height of the pelvis: it rises and sinks by more */

/* Bodies and sensors of `saltus person` */
static const struct {
    const char *body, *sensor, *sigma;
} uprights[GDE_UPRIGHTS] = {{"torso", "torso_up", "0.02"}, {"head", "head_up", "0.05"}};

/* m: by how much a marker rises and sinks. */
static double range_of_height(const gde_clip *c, int marker)
{
    double least = INFINITY, most = -INFINITY, x[3];
    for (int row = 0; row < c->s.nrow; row++) {
        if (gde_marker_place(c, marker, row, x)) {
            least = fmin(least, x[2]);
            most = fmax(most, x[2]);
        }
    }
    return fmax(0, most - least);
}

/* The pelvis rises and sinks farther than in walking and running. */
static bool sinks(const gde_clip *c)
{
    const gde_draft *f = &c->draft;
    double sum = 0;
    int n = 0;
    for (int i = 0; i < c->s.nmarker; i++) {
        const int site = gde_marker_site(c, i);
        if (site >= 0 && f->m->site_bodyid[site] == f->root) {
            sum += range_of_height(c, i);
            n++;
        }
    }
    return n > 0 && sum / n > SINKS * f->d->xpos[3 * f->root + 2];
}

/* A marker is on the body, or on what it carries. */
static bool is_seen(const gde_clip *c, int body)
{
    bool seen = false;
    for (int i = 0; i < c->s.nmarker; i++) {
        const int site = gde_marker_site(c, i);
        seen = seen ||
               (site >= 0 && gde_body_carries(c->draft.m, body, c->draft.m->site_bodyid[site]));
    }
    return seen;
}

static bool is_of_a_leg(const gde_draft *f, int body)
{
    bool leg = false;
    for (int i = 0; i < f->nfoot; i++) {
        leg = leg || gde_body_carries(f->m, body, f->foot[i].body);
    }
    return leg;
}

static int body_of(const gde_clip *c, int k)
{
    return sal_model_find(c->draft.m, SAL_OBJ_BODY, uprights[k].body);
}

static void find_uprights(gde_clip *c)
{
    for (int k = 0; k < GDE_UPRIGHTS; k++) {
        const int body = body_of(c, k);
        c->upright[k] = body >= 0 &&
                        sal_model_find(c->draft.m, SAL_OBJ_SENSOR, uprights[k].sensor) >= 0 &&
                        !is_seen(c, body) && (k != GDE_TRUNK || !sinks(c));
    }
}

/* Of a trunk that is kept upright what turns it about the vertical is left; how a head turns does
 * not matter. */
static bool is_to_rest(const gde_clip *c, int joint)
{
    const sal_model *m = c->draft.m;
    const int body = m->jnt_bodyid[joint];
    const bool turns = fabs(c->draft.d->xaxis[3 * joint + 2]) > M_SQRT1_2,
               trunk = c->upright[GDE_TRUNK] && body == body_of(c, GDE_TRUNK),
               head = c->upright[GDE_HEAD] && body == body_of(c, GDE_HEAD);
    return m->jnt_type[joint] >= SAL_JNT_SLIDE && !is_seen(c, body) &&
           !is_of_a_leg(&c->draft, body) && !head && (!trunk || turns);
}

sal_status gde_find_unseen(gde_clip *c, sal_err *err)
{
    c->rests = sal_alloc((size_t)c->draft.m->njnt + 1, sizeof *c->rests);
    if (c->rests == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the joints without markers");
    }
    find_uprights(c);
    for (int j = 0; j < c->draft.m->njnt; j++) {
        if (is_to_rest(c, j)) {
            c->rests[c->nrest++] = j;
        }
    }
    return SAL_OK;
}

/* What of a leg no marker shows, from the foot up; toes alone are not worth a word. */
static void note_leg(gde_clip *c, int end)
{
    const gde_draft *f = &c->draft;
    const sal_model *m = f->m;
    int b = gde_sole_of(f, end), top = b;
    char text[GDE_NAME];
    sal_text bodies = {0}, joints = {0};
    if (is_seen(c, b)) {
        return;
    }
    for (; b > 0 && b != f->root && !is_seen(c, b); top = b, b = m->body_parentid[b]) {
        sal_text_format(&bodies, "%s'%s'", bodies.length > 0 ? ", " : "",
                        gde_name(m, SAL_OBJ_BODY, b, text));
    }
    for (int j = 0; j < m->njnt; j++) {
        if (gde_body_carries(m, top, m->jnt_bodyid[j])) {
            sal_text_format(&joints, "%s'%s'", joints.length > 0 ? ", " : "",
                            gde_name(m, SAL_OBJ_JOINT, j, text));
        }
    }
    if (bodies.length > 0 && joints.length > 0) {
        gde_note(&c->draft,
                 "no marker is on %.200s: the joints %.400s are not measured. Do not trust the "
                 "forces and moments of this leg",
                 bodies.data, joints.data);
    }
    sal_text_clear(&bodies);
    sal_text_clear(&joints);
}

void gde_note_unseen(gde_clip *c)
{
    for (int i = 0; i < c->draft.nfoot; i++) {
        note_leg(c, c->draft.foot[i].body);
    }
    const int trunk = body_of(c, GDE_TRUNK);
    if (trunk >= 0 && !is_seen(c, trunk)) {
        gde_note(&c->draft,
                 "no marker shows the trunk: it %s. Forces and moments of motions in which it "
                 "bends by itself need markers on it",
                 c->upright[GDE_TRUNK] ? "is kept upright" : "leans as the pelvis does");
    }
    gde_note_unrecorded(c);
}

void gde_write_unseen(const gde_clip *c)
{
    for (int k = 0; k < GDE_UPRIGHTS; k++) {
        if (c->upright[k]) {
            sal_text_format(c->draft.out,
                            "    <term name=\"%s\" sensor=\"%s\" target=\"0 0 1\" sigma=\"%s\"/>\n",
                            uprights[k].body, uprights[k].sensor, uprights[k].sigma);
        }
    }
    gde_write_unrecorded(c, REST);
}
