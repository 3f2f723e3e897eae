/* Force plates of a C3D file: from channels to force and moment in the axes of the file.
 *
 * FORCE_PLATFORM:CORNERS are those of the surface, in the plate's quadrants (+x +y), (-x +y),
 * (-x -y), (+x -y); the plate's z = x cross y points into the floor. What its channels are, by
 * type:
 *
 *     1  force; centre of pressure x, y on the surface, from its middle; free moment there
 *     2  force, and moment about a point below the surface, from which ORIGIN points to its middle
 *     3  of four posts at (+-a, +-b, below the surface): Fx of the two at +b and of those at -b, Fy
 *        of those at +a and at -a, then Fz of the posts at (+a +b), (-a +b), (-a -b), (+a -b)
 *     4  volts; CAL_MATRIX times them, by columns, is what type 2 measures
 *
 * (The C3D File Format User Guide.) What stands there is pushed up: of which sign that is, the
 * loads tell.
 */
#include "base/house.h"
#include "signals/c3d_analog.h"
#include "signals/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64, CORNERS = 12, MATRIX = 36 };

/* What the file says of all plates. */
typedef struct said {
    int nplate;
    /* of a plate in `channel` */
    int width;
    double type[MOST], corner[MOST * CORNERS], origin[MOST * 3], zero[2];
    double channel[MOST * SIG_C3D_PLATE_CHANNELS];
    double matrix[MOST * MATRIX];
    int nmatrix;
    /* that a unit of length is */
    double metre;
} said;

/* SI units that one of a length, force or moment is, or what counts where the file says nothing; 0:
 * it is a unit of something else. */
static double unit_of(const char *unit, char dimension, double unsaid)
{
    char of = 0;
    const double si = sig_unit(unit, &of);
    return unit[0] == 0 ? unsaid : of == dimension ? si : 0;
}

/* What is no whole number in a broken file is 0. */
static int whole(double x)
{
    return x > -32769 && x < 65536 ? (int)x : 0;
}

static void hear(const sig_c3d *c, said *s)
{
    static const char group[] = "FORCE_PLATFORM";
    double used = 0;
    char unit[16] = "";
    sig_c3d_text(c, "POINT", "UNITS", 0, unit, sizeof unit);
    s->metre = unit_of(unit, 'L', 0);
    sig_c3d_numbers(c, group, "USED", &used, 1);
    s->nplate = whole(used) < 0 ? 0 : whole(used) > MOST ? MOST : whole(used);
    s->width = sig_c3d_first_dimension(c, group, "CHANNEL");
    const int most = s->width > SIG_C3D_PLATE_CHANNELS ? 0 : s->nplate;
    const int n =
        s->width < 1 ? 0
                     : sig_c3d_numbers(c, group, "CHANNEL", s->channel, most * s->width) / s->width;
    s->nplate = n < s->nplate ? n : s->nplate;
    sig_c3d_numbers(c, group, "TYPE", s->type, s->nplate);
    sig_c3d_numbers(c, group, "CORNERS", s->corner, s->nplate * CORNERS);
    sig_c3d_numbers(c, group, "ORIGIN", s->origin, s->nplate * 3);
    sig_c3d_numbers(c, group, "ZERO", s->zero, 2);
    s->nmatrix = sig_c3d_numbers(c, group, "CAL_MATRIX", s->matrix, s->nplate * MATRIX) / MATRIX;
}

/* Middle and axes from the corners; false: they are none of a surface. */
static bool place(sig_c3d_plate *p, const double *corner, double metre)
{
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        const double a = corner[i], b = corner[3 + i], c = corner[6 + i], d = corner[9 + i];
        p->middle[i] = metre * (a + b + c + d) / 4;
        x[i] = a + d - b - c;
        y[i] = a + b - c - d;
    }
    if (!(sal_v3_norm(x) > 0 && sal_v3_norm(y) > 0)) {
        return false;
    }
    sal_v3_scale(p->axis, x, 1 / sal_v3_norm(x));
    sal_v3_scale(p->axis + 3, y, 1 / sal_v3_norm(y));
    sal_v3_cross(p->axis + 6, p->axis, p->axis + 3);
    return fabs(sal_v3_norm(p->axis + 6) - 1) < .01;
}

/* SI units that one of channel k is; 0: it is in units of something else. Volts become those by the
 * matrix. */
static double factor_of(int type, int k, const char *unit, double metre)
{
    if (type == 4) {
        return 1;
    }
    if (type == 3 || k < 3) {
        return unit_of(unit, 'F', 1);
    }
    return unit_of(unit, type == 1 && k < 5 ? 'L' : 'T', metre);
}

/* The rows of forces are in N, those of moments in N times the file's unit of length; false: there
 * is no matrix. */
static bool take_matrix(sig_c3d_plate *p, const said *s, int i)
{
    double most = 0;
    for (int k = 0; k < MATRIX && i < s->nmatrix; k++) {
        const int row = k % 6, column = k / 6;
        const double x = s->matrix[i * MATRIX + k] * (row < 3 ? 1 : s->metre);
        p->matrix[6 * row + column] = x;
        most = fmax(most, fabs(x));
    }
    return most > 0 && isfinite(most);
}

/* What keeps the plate from being read, or NULL. */
static const char *take(sig_c3d_analog *a, sig_c3d_plate *p, const said *s, int i)
{
    p->number = i + 1;
    p->type = whole(s->type[i]);
    p->nchannel = p->type == 3 ? 8 : 6;
    if (p->type < 1 || p->type > 4) {
        return "only types 1 to 4 are read";
    }
    if (s->width < p->nchannel) {
        return "FORCE_PLATFORM:CHANNEL has too few channels for it";
    }
    if (!(s->metre > 0)) {
        return "the unit of length of the file is not m, cm, mm or in";
    }
    if (!place(p, s->corner + (size_t)i * CORNERS, s->metre)) {
        return "its corners are not those of a rectangle";
    }
    for (int k = 0; k < p->nchannel; k++) {
        p->channel[k] = whole(s->channel[i * s->width + k]) - 1;
        if (p->channel[k] < 0 || p->channel[k] >= a->nchannel) {
            return "it has channels that the file does not have";
        }
        p->factor[k] = factor_of(p->type, k, a->channel[p->channel[k]].unit, s->metre);
        if (!(p->factor[k] > 0)) {
            return "its channels are not in N and N m";
        }
    }
    if (p->type == 4 && !take_matrix(p, s, i)) {
        return "FORCE_PLATFORM:CAL_MATRIX, by which its volts become forces, is not there";
    }
    for (int k = 0; k < 3; k++) {
        p->origin[k] = s->metre * s->origin[3 * i + k];
    }
    /* z points down, and nothing measures above the surface: a positive number is a distance */
    p->origin[2] = -fabs(p->origin[2]);
    return NULL;
}

/* The mean over the frames in which the file says that nothing stands on the plates. */
static void find_baseline(const sig_c3d_analog *a, sig_c3d_plate *p, const double zero[2])
{
    const double first = (double)a->h->first, last = (double)a->h->last;
    const bool is = zero[0] >= fmax(1, first) && zero[1] >= zero[0] && zero[1] <= last;
    const int n = is ? (int)(zero[1] - zero[0]) + 1 : 0;
    for (int k = 0; k < p->nchannel; k++) {
        const bool place =
            p->type == 1 && (k == 3 || k == 4); /* where nothing presses is no place */
        p->baseline[k] = 0;
        for (int i = 0; i < n && !place; i++) {
            const long long frame = (long long)(zero[0] - first) + i;
            p->baseline[k] += sig_c3d_analog_value(a, p->channel[k], frame) / n;
        }
    }
}

/* ---- force and moment ---- */

/* Of four posts at (+-a, +-b): about the point between them */
static void add_posts(const double x[8], double a, double b, double f[3], double m[3])
{
    f[0] = x[0] + x[1];
    f[1] = x[2] + x[3];
    f[2] = x[4] + x[5] + x[6] + x[7];
    m[0] = b * (x[4] + x[5] - x[6] - x[7]);
    m[1] = a * (-x[4] + x[5] + x[6] - x[7]);
    m[2] = b * (-x[0] + x[1]) + a * (x[2] - x[3]);
}

/* Force and moment about the middle of the surface, in the plate's axes */
static void measure(const sig_c3d_analog *a, const sig_c3d_plate *p, long long at,
                    sig_c3d_reading *reading, double f[3], double m[3])
{
    double x[SIG_C3D_PLATE_CHANNELS] = {0}, shift[3];
    for (int k = 0; k < p->nchannel; k++) {
        x[k] = p->factor[k] * (reading(a, p->channel[k], at) - p->baseline[k]);
    }
    double origin[3] = {p->origin[0], p->origin[1], p->origin[2]};
    if (p->type == 4) {
        double volts[6];
        memcpy(volts, x, sizeof volts);
        for (int k = 0; k < 6; k++) {
            x[k] = 0;
            for (int l = 0; l < 6; l++) {
                x[k] += p->matrix[6 * k + l] * volts[l];
            }
        }
    }
    if (p->type == 3) {
        add_posts(x, origin[0], origin[1], f, m);
        origin[0] = origin[1] = 0;
    } else {
        sal_v3_copy(f, x);
        sal_v3_copy(m, x + 3);
    }
    if (p->type == 1) { /* m = p x f + (0, 0, free moment) */
        const double place[3] = {x[3], x[4], 0};
        sal_v3_cross(m, place, f);
        m[2] += x[5];
        return;
    }
    sal_v3_cross(shift, origin, f);
    sal_v3_sub(m, m, shift);
}

void sig_c3d_plate_fill(const sig_c3d_analog *a, int plate, long long at, sig_c3d_reading *reading,
                        double *wrench)
{
    const sig_c3d_plate *p = a->plate + plate;
    double f[3], m[3];
    measure(a, p, at, reading, f, m);
    for (int i = 0; i < 3; i++) {
        wrench[i] = wrench[6 + i] = 0;
        wrench[3 + i] = p->middle[i];
        for (int k = 0; k < 3; k++) {
            wrench[i] += a->sign * p->axis[3 * k + i] * f[k];
            wrench[6 + i] += a->sign * p->axis[3 * k + i] * m[k];
        }
    }
}

/* What stands on plates is pushed out of the floor, against z: by the squares of all loads, for
 * plates drift. */
static void find_sign(sig_c3d_analog *a)
{
    double out = 0;
    for (int i = 0; i < a->nplate; i++) {
        for (long long frame = 0; frame < a->h->nframe; frame++) {
            double f[3], m[3];
            measure(a, a->plate + i, frame, sig_c3d_analog_value, f, m);
            out -= f[2] * fabs(f[2]);
        }
    }
    a->sign = out < 0 ? -1 : 1;
}

/* ---- all ---- */

sal_status sig_c3d_plates_open(sig_c3d_analog *a, sal_err *err)
{
    said s = {.nplate = 0};
    hear(a->c, &s);
    if (s.nplate == 0) {
        return SAL_OK;
    }
    a->plate = sal_alloc((size_t)s.nplate, sizeof *a->plate);
    if (a->plate == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d force plates", s.nplate);
    }
    for (int i = 0; i < s.nplate; i++) {
        sig_c3d_plate *p = a->plate + a->nplate;
        const char *fault = take(a, p, &s, i);
        if (fault != NULL) {
            sal_text_format(&a->c->s->remark, "force plate %d, of type %d, is not read: %s\n",
                            i + 1, whole(s.type[i]), fault);
            continue;
        }
        find_baseline(a, p, s.zero);
        for (int k = 0; k < p->nchannel; k++) {
            a->channel[p->channel[k]].taken = true;
        }
        a->nplate++;
    }
    find_sign(a);
    if (a->nplate > 0) {
        sal_text_format(&a->c->s->remark,
                        "%d force plates: the force on what stands there (N), the middle of the "
                        "plate (m), the moment about it (N m)%s\n",
                        a->nplate,
                        a->sign < 0 ? "; the file has the opposite, the force on the plate" : "");
    }
    return SAL_OK;
}

sal_status sig_c3d_plate_name(const sig_c3d_analog *a, int plate, int first, sal_err *err)
{
    static const char *const ending[SIG_C3D_WRENCH] = {"_fx", "_fy", "_fz", "_px", "_py",
                                                       "_pz", "_tx", "_ty", "_tz"};
    static const char *const unit[] = {"N", "m", "Nm"};
    sig_signals *s = a->c->s;
    char name[32];
    const int n = snprintf(name, sizeof name, "plate%d", a->plate[plate].number);
    const sal_place place = sig_list(s, "force plate %d", a->plate[plate].number);
    sal_status status = SAL_OK;
    for (int k = 0; k < SIG_C3D_WRENCH && status == SAL_OK; k++) {
        status = sig_name(s, first + k, name, (size_t)n, ending[k], place, err);
        snprintf(s->column[first + k].unit, sizeof s->column[first + k].unit, "%s", unit[k / 3]);
    }
    return status;
}
