/* recordings.h: recordings of motions from formulas, for tests of what <data> makes of files. */
#ifndef SAL_TESTS_PROBLEMS_RECORDINGS_RECORDINGS_H
#define SAL_TESTS_PROBLEMS_RECORDINGS_RECORDINGS_H

#include "tests/check.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "identify/identification.h"
#include "problems/recordings/data.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static const char model[] =
    "<mujoco><compiler angle='radian'/><worldbody>"
    "<body name='cube' pos='0 0 1'><freejoint name='root'/><geom name='cube' type='box' size='.05 "
    ".05 .05'/><site name='chip'/></body>"
    "<body name='arm'><joint name='hip' type='hinge' axis='0 1 0'/><geom size='.05' mass='1'/>"
    "<site name='s0' pos='0 0 .1'/><site name='s1' pos='0 .1 .5'/><site name='s2' pos='.1 0 .9'/>"
    "<site name='s3' pos='.1 .1 1.2'/><site name='s4' pos='0 -.1 1.5'/><site name='s5' pos='-.1 0 "
    "1.7'/>"
    "<body name='hand' pos='.5 0 0'><joint name='knee' type='hinge' axis='0 1 0' limited='true' "
    "range='-2 2'/>"
    "<geom size='.05' mass='1'/><body name='tip'><joint name='slide' type='slide' axis='0 0 "
    "1'/><geom size='.05' mass='1'/>"
    "<body name='eye'><joint name='eye' type='ball'/><geom size='.05' "
    "mass='1'/></body></body></body></body>"
    "</worldbody><actuator><motor name='motor' joint='hip'/></actuator>"
    "<sensor><gyro name='gyro' site='chip'/><accelerometer name='feel' site='chip'/><framelinvel "
    "name='speed' objtype='xbody' "
    "objname='cube'/><framepos name='there' objtype='xbody' objname='cube'/></sensor></mujoco>";

/* ---- motions ---- */

enum { ROWS = 60, COLUMNS = 16 };

/* A toss: it flies, turning evenly about a slanted axis. */
static const double toss_v[3] = {.7, -.4, 1.1}, toss_g = 9.81, toss_spin = 3;

static inline void toss(double t, double x[3], double q[4])
{
    const double axis[3] = {.6, 0, .8};
    x[0] = .1 + toss_v[0] * t;
    x[1] = .2 + toss_v[1] * t;
    x[2] = .5 + toss_v[2] * t - toss_g * t * t / 2;
    sal_quat_axisangle(q, axis, .3 + toss_spin * t);
}

/* Columns t x y z qw qx qy qz hip dhip knee u; samples every 1/100 s. */
static const char header[] = "t,x,y,z,qw,qx,qy,qz,hip,dhip,knee,u\n";

static inline void tossed_row(int k, double row[12])
{
    const double t = .01 * k;
    row[0] = t;
    toss(t, row + 1, row + 4);
    row[8] = .8 * sin(5 * t);
    row[9] = 4 * cos(5 * t);
    row[10] = .4 * cos(7 * t);
    row[11] = 3 * sin(2 * t);
}

/* Changes a row before it is written; the number of its cells, 0: it is left out. */
typedef int (*row_edit)(int k, double row[12]);

static inline void write_motion(const char *name, int n, row_edit edit)
{
    sal_text text = {0};
    sal_text_add(&text, header);
    for (int k = 0; k < n; k++) {
        double row[12];
        tossed_row(k, row);
        const int cells = edit == NULL ? 12 : edit(k, row);
        for (int i = 0; i < cells; i++) {
            sal_text_real(&text, row[i], 0);
            sal_text_add(&text, i + 1 < cells ? "," : "\n");
        }
    }
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

static const char pose[] =
    "<channel name='pose' body='cube' columns='x y z qw qx qy qz' sigma='1e-4 1e-3'/>";
static const char hip[] = "<channel name='hip' joint='hip' columns='hip' sigma='1e-3'/>";
/* what else the model wants to know */
static const char motor[] = "<channel name='u' ctrl='motor' columns='u'/>";

/* What p.xml, which has <estimate>, says of model and recordings; NULL after a fault. */
static inline sal_status read_base(sal_problem **p, sal_diag *diag, sal_err *err)
{
    sal_identification *i = NULL;
    const sal_status status = sal_identification_read(&i, files_path("p.xml"), NULL, diag, err);
    *p = i == NULL ? NULL : i->base;
    if (i != NULL) {
        i->base = NULL;
    }
    sal_identification_free(i);
    return status;
}

/* A problem about these recordings; NULL after a message. */
static inline sal_problem *read_data(const char *data, sal_text *messages)
{
    char text[5000];
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err;
    snprintf(text, sizeof text,
             "<problem name='test'>\n<model file='m.xml'/>\n%s\n<estimate/>\n</problem>", data);
    files_write("m.xml", model, strlen(model));
    files_write("p.xml", text, strlen(text));
    const sal_status status = read_base(&p, &diag, &err);
    if (messages != NULL && diag.text.data != NULL) {
        sal_text_add(messages, diag.text.data);
    } else if (status != SAL_OK) {
        check_case_faults++;
        printf("%s\n", diag.text.data == NULL ? err.message : diag.text.data);
    }
    sal_diag_clear(&diag);
    return p;
}

static inline sal_problem *read_format(const char *attributes, const char *channels)
{
    char data[3000];
    snprintf(data, sizeof data, "<data %s>%s%s</data>", attributes, channels, motor);
    return read_data(data, NULL);
}

static inline const double *sample(const sal_problem *p, int recording, int k)
{
    return p->data->recording[recording].value + (size_t)k * (size_t)p->data->nvalue;
}

static inline void check_vector(const double *a, const double *b, int n, double tolerance)
{
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(a[i], b[i], tolerance);
    }
}

static inline int uneven(int k, double row[12])
{
    const double t = .01 * k + .003 * sin(11. * k);
    row[0] = t;
    toss(t, row + 1, row + 4);
    row[8] = .8 * sin(5 * t);
    return 12;
}

static inline int wrapped(int k, double row[12])
{
    const double angle = 12 * .01 * k;
    row[8] = angle - 2 * pi * floor(angle / (2 * pi) + .5);
    return 12;
}

#endif
