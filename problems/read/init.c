/* init.c: the first guess: a pose, or a motion made of keyframes, of a table or of a result.
 *
 * Its states stand at shares of the duration: 0 is the first instant, 1 the last (of a cycle: the
 * image of the first).
 */
#include "problems/language/reader.h"
#include "problems/recordings/parting.h"
#include "problems/recordings/read_states.h"
#include "problems/recordings/track.h"
#include "problems/result/result.h"

#include <math.h>
#include <string.h>

enum { GROUND_AUTO, GROUND_TRUE };

/* ---- a pose ---- */

static void copy_qpos(double *to, const double *from, int nq)
{
    memcpy(to, from, (size_t)nq * sizeof *to);
}

/* The pose of the first guess: qpos, else the keyframe, else the pinned start, else home. */
static void read_pose(prb_reader *r, const sal_xml *init)
{
    sal_problem *p = r->p;
    const sal_model *m = p->model;
    const sal_xml_attr *key = init == NULL ? NULL : sal_xml_find_attr(init, "key");
    if (init != NULL && prb_grammar_text("init", init, "qpos") != NULL) {
        p->init_qpos = prb_read_qpos(r, "init", init, "qpos");
    }
    if (key != NULL && sal_xml_find_attr(init, "qpos") != NULL) {
        sal_diag_error(r->diag, prb_reader_place(init, "qpos"), "remove one of the two",
                       "<init> cannot have both 'key' and 'qpos'");
    }
    prb_word word;
    const int id = prb_reader_whole(r, &word, init, "key")
                       ? prb_reader_find(r, SAL_OBJ_KEY, SAL_OBJ_NONE, &word, NULL)
                       : -1;
    if (p->init_qpos == NULL) {
        p->init_qpos = prb_reader_alloc(r, (size_t)m->nq, sizeof *p->init_qpos);
        if (p->init_qpos != NULL) {
            copy_qpos(p->init_qpos,
                      id >= 0                 ? m->key_qpos + (size_t)id * (size_t)m->nq
                      : p->start.qpos != NULL ? p->start.qpos
                                              : m->qpos0,
                      m->nq);
            sal_normalise_pos(m, p->init_qpos);
        }
    }
}

/* ---- keyframes at times ---- */

/* When each of n keyframes is passed, as shares of the duration. Without times: evenly; the last
 * one of an open motion at its end, that of a cycle as long before the image of the first as the
 * others are apart. */
static bool read_times(prb_reader *r, const sal_xml *init, double *share, int n)
{
    const sal_problem *p = r->p;
    const bool open = p->boundary == PRB_OPEN;
    const int given = prb_grammar_reals("init", init, "times", share, n);
    for (int i = 0; i < n; i++) {
        share[i] = given > 0 ? share[i] / p->duration : (double)i / fmax(open ? n - 1 : n, 1);
    }
    if (given == 0) {
        return true;
    }
    const sal_place place = prb_reader_place(init, "times");
    if (given != n) {
        sal_diag_error(r->diag, place, "give one time for each keyframe",
                       "there are %d times for %d keyframes", given, n);
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (i > 0 && !(share[i] > share[i - 1])) {
            sal_diag_error(r->diag, place, NULL, "times must increase: %g s comes after %g s",
                           share[i] * p->duration, share[i - 1] * p->duration);
            return false;
        }
        if (share[i] < 0 || share[i] > 1 + 1e-9) {
            sal_diag_error(r->diag, place, NULL, "the time %g s is outside the motion, 0 .. %g s",
                           share[i] * p->duration, p->duration);
            return false;
        }
    }
    return true;
}

/* In a cycle the last keyframe comes round before the first, and the first again after the last:
 * rows 0 and n + 1. */
static void close_round(sal_problem *p, prb_states *s, int n)
{
    const sal_model *m = p->model;
    const size_t nq = (size_t)m->nq;
    double *first = s->qpos + nq, *last = s->qpos + (size_t)n * nq, length = 0;
    const double span = s->time[n] - s->time[1];
    for (int i = 0; i < m->nq && span > 0; i++) {
        length += p->image->travel[i] * (last[i] - first[i]) / span;
    }
    s->time[0] = s->time[n] - 1;
    s->time[n + 1] = s->time[1] + 1;
    sal_image_apply_arc(p->image, m, s->qpos, last, -1, length, 0);
    sal_image_apply_arc(p->image, m, last + nq, first, 1, length, 0);
}

static void read_keys(prb_reader *r, const sal_xml *init)
{
    sal_problem *p = r->p;
    const sal_model *m = p->model;
    prb_word word = {.attr = sal_xml_find_attr(init, "keys")};
    const int n = prb_reader_count_words(word.attr);
    const bool cycle = p->boundary == PRB_CYCLE && p->image != NULL;
    const int skip = cycle ? 1 : 0, before = r->diag->nerror;
    sal_err why;
    p->init_states = prb_reader_alloc(r, 1, sizeof *p->init_states);
    if (p->init_states == NULL) {
        return;
    }
    prb_states *s = p->init_states;
    if (prb_states_new(s, m, n + 2 * skip, p->init_qpos, &why) != SAL_OK) {
        r->nomem = true;
        return;
    }
    for (int i = 0; i < n && prb_reader_word(r, &word); i++) {
        const int key = prb_reader_find(r, SAL_OBJ_KEY, SAL_OBJ_NONE, &word, NULL);
        double *row = s->qpos + (size_t)(i + skip) * (size_t)m->nq;
        if (key >= 0) {
            copy_qpos(row, m->key_qpos + (size_t)key * (size_t)m->nq, m->nq);
            sal_normalise_pos(m, row);
        }
    }
    if (read_times(r, init, s->time + skip, n) && cycle && r->diag->nerror == before) {
        close_round(p, s, n);
    }
}

/* ---- a motion from elsewhere ---- */

/* Rows of a table stretched over the motion. */
static void stretch(prb_states *s)
{
    const double first = s->time[0], length = s->time[s->nrow - 1] - first;
    for (int i = 0; i < s->nrow; i++) {
        s->time[i] = length > 0 ? (s->time[i] - first) / length : i;
    }
}

static void read_file(prb_reader *r, const sal_xml *init)
{
    sal_problem *p = r->p;
    p->init_states = prb_reader_alloc(r, 1, sizeof *p->init_states);
    if (p->init_states != NULL &&
        prb_reader_states(r, p->init_states, p->init_qpos, init, "file")) {
        stretch(p->init_states);
    }
}

/* The poses that fit a recording, and, from these, the guess. */
static sal_status make_recorded(sal_problem *p, const unsigned char *chosen, sal_err *why)
{
    const sal_status status = prb_track_poses(p->recorded, p, chosen, why);
    if (status != SAL_OK) {
        return status;
    }
    p->init_states = sal_alloc(1, sizeof *p->init_states);
    return p->init_states == NULL ? SAL_NOMEM
                                  : prb_part_poses(p->init_states, p->recorded, p->model, why);
}

static void read_recorded(prb_reader *r, const sal_xml *init)
{
    sal_problem *p = r->p;
    const int nchannel = p->data == NULL ? 0 : p->data->nchannel;
    unsigned char *chosen = prb_reader_alloc(r, (size_t)nchannel + 1, sizeof *chosen);
    sal_err why = {0};
    if (chosen != NULL && prb_track_channels(r, init, "data", chosen)) {
        p->recorded = prb_reader_alloc(r, 1, sizeof *p->recorded);
        const sal_status status = p->recorded == NULL ? SAL_NOMEM : make_recorded(p, chosen, &why);
        if (status != SAL_OK && status != SAL_NOMEM && r->diag->nerror == 0) {
            /* else it may be what could not be read */
            sal_diag_error(r->diag, prb_reader_place(init, "data"), NULL, "%s", why.message);
        }
        r->nomem = r->nomem || status == SAL_NOMEM;
    }
    sal_free(chosen);
}

/* A result of a half cycle serves a whole one by its mirror image, and the first half of a whole
 * one a half. */
static void read_result(prb_reader *r, const sal_xml *init)
{
    sal_problem *p = r->p;
    const bool cycle = p->boundary == PRB_CYCLE && p->image != NULL;
    sal_err why = {0};
    sal_result *result = prb_reader_result(r, init, "result");
    p->init_states = prb_reader_alloc(r, 1, sizeof *p->init_states);
    if (result == NULL || p->init_states == NULL) {
        sal_result_free(result);
        return;
    }
    const bool half = result->image != NULL && result->image->mirrored;
    const bool twice = cycle && half && !p->image->mirrored,
               first_half = cycle && result->image != NULL && !half && p->image->mirrored;
    prb_states *s = p->init_states;
    const sal_status status = prb_states_of_result(s, p->model, result, twice ? 2 : 1, true, &why);
    const double length =
        result->nstep * result->timestep * (twice ? 2 : 1) * (first_half ? 0.5 : 1);
    p->init_floor = result->floor;
    prb_begin_markers(p, result);
    sal_result_free(result);
    if (status == SAL_BADINPUT) {
        sal_diag_error(r->diag, prb_reader_place(init, "result"), NULL, "%s", why.message);
    }
    r->nomem = r->nomem || status == SAL_NOMEM;
    if (status != SAL_OK) {
        return;
    }
    for (int i = 0; i < s->nrow; i++) {
        s->time[i] /= length;
    }
    if (p->duration_range[1] > p->duration_range[0]) {
        p->duration = fmin(fmax(length, p->duration_range[0]), p->duration_range[1]);
    }
}

/* How far the guess turns itself, as near to the turn wanted as whole turns allow, and the arc of
 * that angle whose chord it covers:
 *     chord = length |sin(turn/2)/(turn/2)|
 * A free turn begins there. */
static void measure_arc(sal_problem *p, const double *last, const double *first, bool result)
{
    const double pi = acos(-1), *u = p->image->travel + p->model->jnt_qposadr[p->image->turning];
    double back[4], by[4];
    sal_quat_conj(back, first + 3);
    sal_quat_mul(by, last + 3, back);
    const double own = 2 * atan2(by[3], by[0]);
    p->init_turn = own + 2 * pi * round((p->image->turn - own) / (2 * pi));
    const double half = p->init_turn / 2, bend = fabs(half) < 1e-6 ? 1 : sin(half) / half;
    const double along[2] = {cos(half) * u[0] - sin(half) * u[1],
                             sin(half) * u[0] + cos(half) * u[1]};
    p->init_travel =
        fabs(bend) < 1e-3
            ? 0
            : (along[0] * (last[0] - first[0]) + along[1] * (last[1] - first[1])) / bend;
    if (result) {
        p->image->turn = fmin(fmax(p->init_turn, p->turn_range[0]), p->turn_range[1]);
    }
}

/* A free duration that a speed ties to the travel begins as long as that travel takes: the feet
 * stand where they stood, and the motion is played faster or slower. */
static void keep_travel(sal_problem *p)
{
    const double length = p->init_travel / p->travel_value;
    if (p->duration_range[1] > p->duration_range[0] && isfinite(length) && length > 0) {
        p->duration = fmin(fmax(length, p->duration_range[0]), p->duration_range[1]);
    }
}

/* How far the guess travels itself; a free travel begins there. */
static void measure_states(prb_reader *r, bool result)
{
    sal_problem *p = r->p;
    const sal_model *m = p->model;
    const size_t nq = (size_t)m->nq;
    double *q = prb_reader_alloc(r, 2 * nq + 4 * (size_t)m->nv, sizeof *q);
    if (q == NULL) {
        return;
    }
    prb_states_at(p->init_states, m, 0, q, NULL, q + 2 * nq);
    prb_states_at(p->init_states, m, 1, q + nq, NULL, q + 2 * nq);
    copy_qpos(p->init_qpos, q, m->nq);
    for (int i = 0; i < m->nq && p->image != NULL; i++) {
        p->init_travel += p->image->travel[i] * (q[m->nq + i] - q[i]);
    }
    if (p->image != NULL && p->image->turning >= 0) {
        measure_arc(p, q + m->nq + m->jnt_qposadr[p->image->turning],
                    q + m->jnt_qposadr[p->image->turning], result);
    }
    if (result && p->image != NULL && p->travel == PRB_TRAVEL_SPEED) {
        keep_travel(p);
    }
    if (result && p->travel == PRB_TRAVEL_FREE) {
        p->travel_value = fmin(fmax(p->init_travel, p->travel_range[0]), p->travel_range[1]);
    }
    sal_free(q);
}

/* Which attribute of <init> gives a motion; NULL: it is a pose. */
static const char *motion_of(prb_reader *r, const sal_xml *init)
{
    static const char *const source[] = {"key", "qpos", "keys", "file", "result", "data"};
    const char *found = NULL;
    for (int i = 0; i < 6 && init != NULL; i++) {
        const sal_xml_attr *attr = sal_xml_find_attr(init, source[i]);
        const bool pose = found == source[0] || found == source[1]; /* a motion may stand beside */
        if (attr != NULL && i > 1 && found != NULL && !pose) {
            sal_diag_error(r->diag, attr->name_place, "remove one of the two",
                           "<init> cannot have both '%s' and '%s'", found, source[i]);
            return NULL;
        }
        found = attr != NULL ? source[i] : found;
    }
    if (init != NULL && sal_xml_find_attr(init, "times") != NULL &&
        sal_xml_find_attr(init, "keys") == NULL) {
        sal_diag_error(r->diag, sal_xml_find_attr(init, "times")->name_place, NULL,
                       "'times' needs 'keys'");
    }
    return found == NULL || found == source[0] || found == source[1] ? NULL : found;
}

static void read_states(prb_reader *r, const sal_xml *init, const char *motion)
{
    const int before = r->diag->nerror;
    if (strcmp(motion, "keys") == 0) {
        read_keys(r, init);
    } else if (strcmp(motion, "file") == 0) {
        read_file(r, init);
    } else if (strcmp(motion, "data") == 0) {
        read_recorded(r, init);
    } else {
        read_result(r, init);
    }
    if (r->diag->nerror == before && !r->nomem && r->p->init_states != NULL) {
        measure_states(r, strcmp(motion, "result") == 0);
    }
}

void prb_read_init(prb_reader *r)
{
    sal_problem *p = r->p;
    const sal_xml *init = prb_reader_element(r, "init");
    const int ground = prb_grammar_choice("init", init, "ground");
    const char *motion = r->again ? NULL : motion_of(r, init);
    const bool elsewhere = motion != NULL && strcmp(motion, "keys") != 0,
               shaken = init != NULL && sal_xml_find_attr(init, "noise") != NULL;
    p->init_noise = elsewhere && !shaken ? 0 : prb_grammar_real("init", init, "noise");
    p->nstart = (int)prb_grammar_whole("init", init, "nstart");
    p->nmore = elsewhere && sal_xml_find_attr(init, "more") == NULL
                   ? 0
                   : (int)prb_grammar_whole("init", init, "more");
    p->seed = (unsigned long)prb_grammar_whole("init", init, "seed");
    p->init_ground =
        ground == GROUND_TRUE || (ground == GROUND_AUTO && p->boundary == PRB_CYCLE && !elsewhere);
    if (p->init_noise == 0 && p->nstart > 1) {
        sal_diag_warning(r->diag, prb_reader_place(init, "nstart"),
                         "add noise=\"..\", or set nstart to 1",
                         "without noise the %d starts are equal", p->nstart);
    }
    if (p->model != NULL) {
        read_pose(r, init);
    }
    if (p->init_qpos != NULL && motion != NULL) {
        read_states(r, init, motion);
    }
    if (p->init_qpos != NULL && p->image != NULL && p->image->turning >= 0) {
        memcpy(p->image->place, p->init_qpos + p->model->jnt_qposadr[p->image->turning],
               sizeof p->image->place);
    }
}
