/* follow_table.c: a recording that <data> does not read as it stands becomes a table of its poses:
 * time, place and quaternion of the root, an angle or length of each joint that was recorded; SI
 * units, radians, z up. */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POSE = 7, DIGITS = 10 };
static const char *const parts[POSE] = {"_x", "_y", "_z", "_qw", "_qx", "_qy", "_qz"};

double gde_clip_cell(const gde_clip *c, int row, int column)
{
    return c->s.value[(size_t)row * (size_t)c->s.ncol + (size_t)column];
}

sal_status gde_make_room(gde_clip *c, sal_err *err)
{
    const size_t nq = (size_t)c->draft.m->nq;
    c->made = sal_alloc((size_t)c->s.nrow * nq + 1, sizeof *c->made);
    c->known = sal_alloc((size_t)c->draft.m->njnt + 1, sizeof *c->known);
    return c->made != NULL && c->known != NULL
               ? SAL_OK
               : sal_fail(err, SAL_NOMEM, "out of memory for %d poses", c->s.nrow);
}

sal_status gde_check_numbers(const gde_clip *c, int first, int n, sal_err *err)
{
    for (int row = 0; row < c->s.nrow; row++) {
        for (int column = first; column < first + n; column++) {
            if (isnan(gde_clip_cell(c, row, column))) {
                return sal_fail(err, SAL_BADINPUT,
                                "'%.200s': sample %d of %d has no number for %.100s; rotations of "
                                "joints must be complete",
                                c->s.source.path, row + 1, c->s.nrow, c->s.column[column].name);
            }
        }
    }
    return SAL_OK;
}

/* How many numbers of a joint are columns of the table: a ball's are the pose of its body, since
 * no term of a cost compares the positions of balls. */
static int size_of(const gde_clip *c, int joint)
{
    const int type = c->draft.m->jnt_type[joint];
    if (joint == c->root) {
        return POSE;
    }
    if (c->made != NULL) {
        return !c->known[joint] ? 0 : type == SAL_JNT_BALL ? POSE : type >= SAL_JNT_SLIDE;
    }
    return type >= SAL_JNT_SLIDE && gde_clip_column(c, &c->how, joint) >= 0;
}

/* ---- names ---- */

/* A name that needs no quotes in the table. */
static void plain_name(const gde_clip *c, int joint, char out[GDE_NAME])
{
    gde_name(c->draft.m, SAL_OBJ_JOINT, joint, out);
    if (out[0] == '#' || joint == c->root) {
        snprintf(out, GDE_NAME, joint == c->root ? "root" : "joint%d", joint);
    }
    for (char *at = out; *at != 0; at++) {
        *at = (char)(strchr(",\"'[]()", *at) != NULL ? '_' : *at);
    }
}

static sal_status name_columns(const gde_clip *c, sig_signals *t, sal_err *err)
{
    char name[GDE_NAME];
    int k = 1;
    sal_status status = sig_name(t, 0, "time", 4, "", (sal_place){0}, err);
    for (int j = 0; j < c->draft.m->njnt; j++) {
        const int n = size_of(c, j);
        plain_name(c, j, name);
        for (int i = 0; i < n && status == SAL_OK; i++) {
            status =
                sig_name(t, k++, name, strlen(name), n == 1 ? "" : parts[i], (sal_place){0}, err);
        }
    }
    return status;
}

/* ---- numbers ---- */

/* Whether the recording has no number there. */
static bool is_missing(const gde_clip *c, int row, int joint)
{
    double sum = 0;
    if (c->made != NULL) {
        return false;
    }
    if (joint != c->root) {
        return isnan(gde_clip_cell(c, row, gde_clip_column(c, &c->how, joint)));
    }
    const bool angles = c->angles.column[0] >= 0;
    for (int i = 0; i < POSE; i++) {
        const int turn = i < 3 ? -1 : angles ? c->angles.column[i % 3] : c->turn[i - 3];
        sum += gde_clip_cell(c, row, i < 3 ? c->place[i] : turn);
    }
    return isnan(sum);
}

static void fill_row(const gde_clip *c, int row, double *out)
{
    const sal_model *m = c->draft.m;
    const double *q = c->qpos + (size_t)row * (size_t)m->nq;
    sal_data *d = c->draft.d;
    *out++ = sig_time(&c->s, c->rate, row);
    memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
    sal_kinematics(m, d);
    for (int j = 0; j < m->njnt; j++) {
        const int n = size_of(c, j), body = m->jnt_bodyid[j];
        const bool missing = n > 0 && is_missing(c, row, j);
        for (int i = 0; i < n; i++) {
            const double pose = i < 3 ? d->xpos[3 * body + i] : d->xquat[4 * body + i - 3];
            *out++ = missing ? (double)NAN : n == POSE ? pose : q[m->jnt_qposadr[j]];
        }
    }
}

static void write_table(sal_text *out, const sig_signals *t)
{
    for (int k = 0; k < t->ncol; k++) {
        sal_text_format(out, "%s%s", k > 0 ? "," : "", t->column[k].name);
    }
    sal_text_add(out, "\n");
    for (int row = 0; row < t->nrow; row++) {
        const double *x = t->value + (size_t)row * (size_t)t->ncol;
        for (int k = 0; k < t->ncol; k++) {
            sal_text_add(out, k > 0 ? "," : "");
            if (!isnan(x[k])) {
                sal_text_real(out, x[k] + 0.0, DIGITS); /* no -0 */
            }
        }
        sal_text_add(out, "\n");
    }
}

/* ---- in the place of the recording ---- */

/* The columns of the table are those of the clip. */
static void use_columns(gde_clip *c)
{
    const sal_model *m = c->draft.m;
    int k = 1;
    for (int j = 0; j < m->njnt; j++) {
        const int n = size_of(c, j);
        for (int i = 0; i < n && j == c->root; i++) {
            *(i < 3 ? c->place + i : c->turn + (i - 3)) = k + i;
        }
        c->column[j] = n > 0 && j != c->root ? k : -1;
        c->turns[j] = 0;
        k += n;
    }
    c->block = c->angles.column[0] = -1;
    c->how = (gde_reading){.up = 'z', .unit = 1};
    c->tabulated = true;
    sal_free(c->made);
    c->made = NULL;
}

static sal_status make_table(const gde_clip *c, sig_signals *t, sal_err *err)
{
    int n = 1;
    for (int j = 0; j < c->draft.m->njnt; j++) {
        n += size_of(c, j);
    }
    sal_status status = sig_columns(t, n, err);
    status = status == SAL_OK ? name_columns(c, t, err) : status;
    status = status == SAL_OK ? sig_rows(t, (size_t)c->s.nrow, err) : status;
    for (int row = 0; row < c->s.nrow && status == SAL_OK; row++) {
        fill_row(c, row, t->value + (size_t)row * (size_t)n);
    }
    return status;
}

sal_status gde_clip_tabulate(gde_clip *c, sal_err *err)
{
    const sal_follow_request *request = c->request;
    sig_signals t = {.format = "csv", .time = 0, .up = 'z'};
    if (c->angles.column[0] < 0 && c->made == NULL && !c->how.renamed) {
        return SAL_OK;
    }
    if (request->recording == NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "<data> does not read the poses of '%.200s' as they stand; they are "
                        "written as a table beside the problem: name its file by -o FILE",
                        c->s.source.path);
    }
    const sal_status status = make_table(c, &t, err);
    if (status != SAL_OK) {
        sig_clear(&t);
        return status;
    }
    write_table(request->recording, &t);
    use_columns(c);
    t.source.path = c->s.source.path;
    c->s.source.path = NULL;
    sig_clear(&c->s);
    c->s = t;
    gde_note(&c->draft, "<data> reads no such poses: they are written to '%s'",
             request->recording_name);
    return SAL_OK;
}
