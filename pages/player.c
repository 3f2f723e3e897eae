/* player.c: what the script of a page plays (viewer/): the scene as glTF, and the motion as JSON,
 * both as blocks of data that no browser runs, motion0 and scene0; where two motions are shown at
 * the same time, motion1 and scene1 are those of the second.
 *
 * Rows t = 0 .. nstep of the whole period; arrays are floats (offsets: integers) of 4 bytes, the
 * lowest byte first, in base 64:
 *
 *     positions, controls, loads    title, name, unit, side, range, values [rows, or nstep];
 *                                   recorded: of the recording that the motion follows
 *     costs                         what each row adds to a term of the cost: [rows], NaN where
 *                                   nothing counts: the half of a cycle that is an image
 *     centre                        of mass [rows x 3], m
 *     contacts                      of step t: offset[t] .. offset[t+1] - 1; place, m; force on
 *                                   what moves, N
 *     parent                        of each body
 *     recorded                      poses of all bodies in every so many rows: every, xpos [that
 *                                   many x nbody x 3], xquat [.. x 4]
 *     search                        starts: linearisation, cost, violation of each accepted
 *                                   iteration; phases: name, and the linearisation they begin at
 *     recordings                    of an identification: channels of some recordings, and what
 *                                   the fit leaves, as lines of values dt seconds apart
 */
#include "pages/player.h"

#include "exports/exports.h"

#include "base/house.h"
#include "problems/result/diagnose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the scene, and of a recording beside it; between the frames of the scene the player
 * interpolates. One pose is that of one body. */
enum { MOST_FRAMES = 3000, LEAST_FRAMES = 300, MOST_POSES = 100000 };

/* How many frames of all bodies are kept of so many steps. */
static int frames_of(const page_player *p)
{
    const int some = MOST_POSES / p->m->nbody, most = some < MOST_FRAMES ? some : MOST_FRAMES;
    const int kept = most > LEAST_FRAMES ? most : LEAST_FRAMES;
    return p->r->nstep < kept ? p->r->nstep : kept;
}

/* ---- arrays ---- */

static void put_bytes(page_player *p, const char *key, const void *bytes, size_t n)
{
    p->letters.length = 0;
    sal_text_base64(&p->letters, bytes, n);
    sal_json_string(&p->json, key, n == 0 ? "" : p->letters.data);
}

void page_player_numbers(page_player *p, const char *key, size_t n)
{
    put_bytes(p, key, p->number, n * sizeof *p->number);
}

void page_player_column(page_player *p, const double *data, int n, int stride, int i)
{
    for (int t = 0; t < n; t++) {
        p->number[t] = (float)data[(ptrdiff_t)t * stride + i];
    }
}

/* ---- values over time ---- */

typedef struct legend {
    const char *title, *name, *unit;
    int side;
    const double *range;
    /* of the recording that the motion follows, beside the one of that name before it */
    bool recorded;
} legend;

static void put_series(page_player *p, const legend *l, int n)
{
    sal_json_object(&p->json, NULL);
    sal_json_string(&p->json, "title", l->title);
    sal_json_string(&p->json, "name", l->name);
    sal_json_string(&p->json, "unit", l->unit);
    sal_json_string(&p->json, "side", l->side > 0 ? "left" : l->side < 0 ? "right" : "");
    if (l->recorded) {
        sal_json_bool(&p->json, "recorded", true);
    }
    if (l->range != NULL) {
        sal_json_numbers(&p->json, "range", l->range, 2);
    }
    page_player_numbers(p, "values", (size_t)n);
    sal_json_end(&p->json);
}

/* A cycle that is unrolled has one of its searched half alone. */
static bool has_recorded(const page_player *p)
{
    return p->g->r->qpos_recorded != NULL;
}

/* Behind the end of the recording there is nothing. */
static void put_recorded_series(page_player *p, const legend *l)
{
    legend of = *l;
    of.recorded = true;
    for (int t = p->g->r->nstep + 1; t <= p->r->nstep; t++) {
        p->number[t] = NAN;
    }
    put_series(p, &of, p->r->nstep + 1);
}

/* Of the rotation vectors (angle + 2 pi k) axis of q the one nearest to `to`. */
static void nearest_rotation(double w[3], const double q[4], const double to[3])
{
    sal_quat_log(w, q);
    const double angle = sal_v3_norm(w);
    if (angle > 0) {
        const double turns = round((sal_v3_dot(to, w) / angle - angle) / (2 * M_PI));
        sal_v3_scale(w, w, 1 + turns * 2 * M_PI / angle);
    }
}

/* A ball or free joint */
typedef struct vector {
    int adr;
    bool rotation;
} vector;

/* Its three numbers in a row; the rotation vector goes on from the one before. */
static void vector_of(double w[3], const vector *v, const double *qpos)
{
    if (v->rotation) {
        const double before[3] = {w[0], w[1], w[2]};
        nearest_rotation(w, qpos + v->adr, before);
    } else {
        memcpy(w, qpos + v->adr, 3 * sizeof *w);
    }
}

/* Number i of a motion, or, beside it, of its recording. */
static void take_vector(page_player *p, const vector *v, int i, bool recorded)
{
    const int nq = p->m->nq, rows = recorded ? p->g->r->nstep + 1 : p->r->nstep + 1;
    double w[3] = {0};
    for (int t = 0; t < rows; t++) {
        vector_of(w, v, p->r->qpos + (ptrdiff_t)t * nq);
        double of[3] = {w[0], w[1], w[2]};
        if (recorded) {
            vector_of(of, v, p->g->r->qpos_recorded + (ptrdiff_t)t * nq);
        }
        p->number[t] = (float)of[i];
    }
}

/* Three numbers of a free joint's place, or of a rotation vector */
static void put_vector(page_player *p, int joint, bool rotation)
{
    static const char *const axis[] = {"x", "y", "z"};
    const bool behind = rotation && p->m->jnt_type[joint] == SAL_JNT_FREE;
    const vector v = {p->m->jnt_qposadr[joint] + (behind ? 3 : 0), rotation};
    char name[PRB_COLUMN_NAME], title[PRB_COLUMN_NAME + 16];
    prb_object_name(name, p->m, SAL_OBJ_JOINT, joint);
    snprintf(title, sizeof title, "%s %s", name, rotation ? "rotation" : "position");
    for (int i = 0; i < 3; i++) {
        const legend l = {.title = title, .name = axis[i], .unit = rotation ? "rad" : "m"};
        take_vector(p, &v, i, false);
        put_series(p, &l, p->r->nstep + 1);
        if (has_recorded(p)) {
            take_vector(p, &v, i, true);
            put_recorded_series(p, &l);
        }
    }
}

static void put_positions(page_player *p)
{
    const sal_model *m = p->m;
    sal_json_array(&p->json, "positions");
    for (int j = 0; j < m->njnt; j++) {
        const int type = m->jnt_type[j];
        char name[PRB_COLUMN_NAME], stem[PRB_COLUMN_NAME];
        if (type == SAL_JNT_FREE) {
            put_vector(p, j, false);
        }
        if (type == SAL_JNT_FREE || type == SAL_JNT_BALL) {
            put_vector(p, j, true);
            continue;
        }
        prb_object_name(name, m, SAL_OBJ_JOINT, j);
        page_stem(stem, m, SAL_OBJ_JOINT, j);
        const legend l = {.title = stem,
                          .name = name,
                          .unit = type == SAL_JNT_SLIDE ? "m" : "rad",
                          .side = prb_gait_side(m, SAL_OBJ_JOINT, j),
                          .range = m->jnt_limited[j] ? m->jnt_range + 2 * j : NULL};
        page_player_column(p, p->r->qpos, p->r->nstep + 1, m->nq, m->jnt_qposadr[j]);
        put_series(p, &l, p->r->nstep + 1);
        if (has_recorded(p)) {
            page_player_column(p, p->g->r->qpos_recorded, p->g->r->nstep + 1, m->nq,
                               m->jnt_qposadr[j]);
            put_recorded_series(p, &l);
        }
    }
    sal_json_end(&p->json);
}

static void put_controls(page_player *p)
{
    const sal_model *m = p->m;
    sal_json_array(&p->json, "controls");
    for (int a = 0; a < m->nu; a++) {
        char name[PRB_COLUMN_NAME], stem[PRB_COLUMN_NAME];
        prb_object_name(name, m, SAL_OBJ_ACTUATOR, a);
        page_stem(stem, m, SAL_OBJ_ACTUATOR, a);
        page_player_column(p, p->r->ctrl, p->r->nstep, m->nu, a);
        put_series(
            p,
            &(legend){.title = stem,
                      .name = name,
                      .unit = "ctrl",
                      .side = prb_gait_side(m, SAL_OBJ_ACTUATOR, a),
                      .range = m->actuator_ctrllimited[a] ? m->actuator_ctrlrange + 2 * a : NULL},
            p->r->nstep);
    }
    sal_json_end(&p->json);
}

static void put_loads(page_player *p)
{
    sal_json_array(&p->json, "loads");
    for (int k = 0; k < p->g->ngroup; k++) {
        const prb_group *group = p->g->group + k;
        for (int t = 0; t < p->g->n; t++) {
            p->number[t] = (float)(group->normal[t] / p->r->weight);
        }
        put_series(p,
                   &(legend){.title = "normal force",
                             .name = group->name,
                             .unit = "body weights",
                             .side = prb_gait_side(p->m, SAL_OBJ_BODY, group->body)},
                   p->g->n);
    }
    sal_json_end(&p->json);
}

/* Does anything count at the last instant? */
static bool costs_at_the_end(const sal_result *r)
{
    bool any = false;
    for (int k = 0; k < r->nterm; k++) {
        const double last = r->term_over_time[(ptrdiff_t)r->nstep * r->nterm + k];
        any = any || (isfinite(last) && last != 0);
    }
    return any;
}

/* Not of terms that are of a mean: no row adds to them by itself. */
static void put_costs(page_player *p)
{
    const sal_result *r = p->g->r;
    const bool known = r->term_over_time != NULL;
    const int rows = known && costs_at_the_end(r) ? r->nstep + 1 : r->nstep;
    sal_json_array(&p->json, "costs");
    for (int k = 0; k < r->nterm && known; k++) {
        if (isnan(r->term_over_time[k])) {
            continue;
        }
        page_player_column(p, r->term_over_time, rows, r->nterm, k);
        for (int t = rows; t <= p->r->nstep; t++) {
            p->number[t] = NAN;
        }
        put_series(p, &(legend){.title = "cost", .name = r->term[k].name, .unit = "cost"},
                   p->r->nstep + 1);
    }
    sal_json_end(&p->json);
}

/* ---- what is drawn beside the bodies ---- */

static void put_centre(page_player *p)
{
    const int nq = p->m->nq;
    for (int t = 0; t <= p->r->nstep; t++) {
        memcpy(p->d->qpos, p->r->qpos + (ptrdiff_t)t * nq, (size_t)nq * sizeof(double));
        sal_kinematics(p->m, p->d);
        sal_com(p->m, p->d);
        for (int i = 0; i < 3; i++) {
            p->number[3 * t + i] = (float)p->d->subtree_com[i];
        }
    }
    page_player_numbers(p, "centre", 3 * ((size_t)p->r->nstep + 1));
}

/* The force on geom2, in world axes; where that cannot move, the one on geom1. */
static void take_force(page_player *p, int k, float force[3])
{
    const sal_result *r = p->r;
    const double sign = prb_contact_body(p->m, r->contact_geom[2 * k + 1]) != 0 ? 1 : -1;
    double world[3];
    sal_m3_multv(world, r->contact_frame + 9 * (ptrdiff_t)k,
                 r->contact_force + 6 * (ptrdiff_t)k); /* the rows of the frame are its axes */
    for (int i = 0; i < 3; i++) {
        force[i] = (float)(sign * world[i]);
    }
}

static void put_contacts(page_player *p)
{
    const sal_result *r = p->r;
    const int n = r->contact_offset[r->nstep];
    sal_json_object(&p->json, "contacts");
    put_bytes(p, "offset", r->contact_offset, ((size_t)r->nstep + 1) * sizeof *r->contact_offset);
    page_player_column(p, r->contact_pos, 3 * n, 1, 0);
    page_player_numbers(p, "place", 3 * (size_t)n);
    for (int k = 0; k < n; k++) {
        take_force(p, k, p->number + 3 * (ptrdiff_t)k);
    }
    page_player_numbers(p, "force", 3 * (size_t)n);
    sal_json_end(&p->json);
}

/* Poses of the bodies in the recording that the motion began with */
static void put_recorded(page_player *p)
{
    const sal_model *m = p->m;
    const int nstep = p->g->r->nstep;
    if (!has_recorded(p)) {
        return;
    }
    const size_t places = 3 * (size_t)m->nbody, turns = 4 * (size_t)m->nbody;
    const int frames = frames_of(p), every = (p->r->nstep + frames - 1) / frames;
    const size_t rows = (size_t)(nstep / every) + 1;
    float *place = p->number, *turn = p->number + rows * places;
    for (int t = 0; t <= nstep; t += every, place += places, turn += turns) {
        memcpy(p->d->qpos, p->g->r->qpos_recorded + (ptrdiff_t)t * m->nq,
               (size_t)m->nq * sizeof(double));
        sal_kinematics(m, p->d);
        for (size_t i = 0; i < turns; i++) {
            turn[i] = (float)p->d->xquat[i];
            if (i < places) {
                place[i] = (float)p->d->xpos[i];
            }
        }
    }
    sal_json_object(&p->json, "recorded");
    sal_json_integer(&p->json, "every", every);
    put_bytes(p, "xpos", p->number, rows * places * sizeof *p->number);
    put_bytes(p, "xquat", p->number + rows * places, rows * turns * sizeof *p->number);
    sal_json_end(&p->json);
}

/* ---- the blocks ---- */

/* Text from a model means nothing to the browser: < and & stand only within strings of JSON. */
static void add_escaped(sal_text *out, const sal_text *json)
{
    const char *s = json->data, *end = s + json->length;
    while (s < end) {
        const size_t n = strcspn(s, "<&");
        sal_text_addn(out, s, n);
        s += n;
        if (s < end) {
            sal_text_add(out, *s++ == '<' ? "\\u003c" : "\\u0026");
        }
    }
}

/* name: NULL, none */
static void add_motion_block(page_player *p, int number, const char *name, sal_text *out)
{
    const sal_result *r = p->r;
    sal_text text = {0};
    p->json = (sal_json){.out = &text};
    sal_json_object(&p->json, NULL);
    sal_json_integer(&p->json, "nstep", r->nstep);
    sal_json_number(&p->json, "timestep", r->timestep);
    sal_json_number(&p->json, "weight", r->weight);
    sal_json_array(&p->json, "parent");
    for (int b = 0; b < p->m->nbody; b++) {
        sal_json_integer(&p->json, NULL, p->m->body_parentid[b]);
    }
    sal_json_end(&p->json);
    sal_json_bool(&p->json, "cycle", p->g->r->image != NULL);
    put_positions(p);
    put_controls(p);
    put_loads(p);
    put_costs(p);
    put_centre(p);
    put_contacts(p);
    put_recorded(p);
    page_player_search(p);
    page_player_recordings(p);
    sal_json_end(&p->json);
    page_svg_put(out, "<script type=\"application/json\" id=\"motion%\"", (double)number);
    if (name != NULL) {
        sal_text_add(out, " data-name=\"");
        page_html_text(out, name);
        sal_text_add(out, "\"");
    }
    sal_text_add(out, ">");
    out->failed |= text.failed || p->letters.failed;
    if (!out->failed) {
        add_escaped(out, &text);
    }
    sal_text_add(out, "</script>\n");
    sal_text_clear(&text);
}

static sal_status add_scene_block(const page_player *p, int number, sal_text *out, sal_err *err)
{
    const double duration = p->r->nstep * p->r->timestep;
    const sal_export_options options = {.rate = frames_of(p) / duration};
    sal_export scene = {0};
    const sal_status status =
        sal_result_export(&scene, p->r, sal_export_find("gltf"), &options, err);
    if (status == SAL_OK) {
        page_svg_put(out, "<script type=\"application/octet-stream\" id=\"scene%\">",
                     (double)number);
        sal_text_base64(out, scene.file[0].text.data, scene.file[0].text.length);
        sal_text_add(out, "</script>\n");
    }
    sal_export_clear(&scene);
    return status;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t largest_array(const page_player *p)
{
    const sal_identification_result *e = sal_identification_of(p->g->r);
    const size_t rows = (size_t)p->r->nstep + 1, width = 7 * (size_t)p->m->nbody;
    size_t most = larger(rows * width, 3 * (size_t)p->r->contact_offset[p->r->nstep]);
    most = larger(most, (size_t)p->g->r->niteration);
    for (int i = 0; e != NULL && i < e->nrecording; i++) {
        most = larger(most, (size_t)e->recording[i].nsample);
        most = larger(most, (size_t)e->recording[i].nstep + 1);
    }
    return most;
}

static sal_status open_player(page_player *p, const prb_gait *g, sal_err *err)
{
    *p = (page_player){.g = g, .r = g->r, .m = g->r->model};
    sal_status status = sal_result_unroll(&p->own, g->r, 1, err);
    p->r = p->own != NULL ? p->own : g->r;
    status = status == SAL_OK ? sal_data_new(&p->d, p->m, err) : status;
    p->number = sal_alloc(largest_array(p), sizeof *p->number);
    if (status == SAL_OK && p->number == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a page");
    }
    return status;
}

void page_player_section(sal_text *out)
{
    sal_text_add(out, "<section id=\"player\" hidden=\"\"></section>\n");
}

void page_player_section_of_many(sal_text *out)
{
    sal_text_add(out, "<section id=\"player\" data-one=\"\" hidden=\"\"></section>\n");
}

sal_status page_player_motion(const prb_gait *g, int number, const char *name, sal_text *out,
                              sal_err *err)
{
    page_player p;
    sal_status status = open_player(&p, g, err);
    if (status == SAL_OK) {
        add_motion_block(&p, number, name, out);
        status = add_scene_block(&p, number, out, err);
    }
    sal_result_free(p.own);
    sal_data_free(p.d);
    sal_free(p.number);
    sal_text_clear(&p.letters);
    return status;
}

void page_player_end(sal_text *out)
{
    sal_text_add(out, "<script>");
    sal_text_add(out, page_player_script);
    sal_text_add(out, "</script>\n");
}

sal_status page_player_data(const prb_gait *const *g, int n, sal_text *out, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = 0; i < n && status == SAL_OK; i++) {
        status = page_player_motion(g[i], i, NULL, out, err);
    }
    if (status == SAL_OK) {
        page_player_end(out);
    }
    return status;
}
