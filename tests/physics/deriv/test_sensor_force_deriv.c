/* Exact derivatives of force and torque against four-point differences, at every site of models in
 * which connects, welds, spatial tendons and contacts join the bodies. */
#include "tests/check.h"
#include "tests/physics/deriv/four_points.h"

#include "mjcf/mjcf.h"

enum { STATES = 12 };

/* The model with both sensors at a site. */
static sal_model *watched(const char *path, const char *site)
{
    static const char end[] = "</mujoco>";
    char *text;
    size_t length;
    sal_text xml = {0};
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &length, &err), err);
    sal_text_addn(&xml, text, (size_t)(strstr(text, end) - text));
    sal_text_format(&xml, "<sensor><force site='%s'/><torque site='%s'/></sensor>%s", site, site,
                    end);
    CHECK_OK(sal_model_parse(&m, path, xml.data, xml.length, NULL, NULL, &err), err);
    sal_text_clear(&xml);
    sal_free(text);
    return m;
}

/* Six readings, then nothing */
static void readings(const sal_model *m, sal_data *d, const double *acc, double *out)
{
    sal_err err = {SAL_OK, ""};
    memmove(d->qacc, acc, (size_t)m->nv * sizeof *acc);
    memset(out, 0, (size_t)m->nv * sizeof *out);
    CHECK_OK(sal_inverse(m, d, &err), err);
    memcpy(out, d->sensordata, 6 * sizeof *out);
}

/* What pulls between two bodies that are both carried cancels, but for its rounding. */
static double largest_inside(const sal_data *d)
{
    double most = 0;
    for (int row = 0; row < d->nefc; row++) {
        most = fmax(most, fabs(d->efc_force[row]));
    }
    return most;
}

/* Returns false where there is no derivative. */
static bool compare(sal_model *m, four_points *f)
{
    const size_t square = (size_t)m->nv * (size_t)m->nv, third = 3 * (size_t)m->nv;
    double *D = sal_alloc(3 * square, sizeof *D);
    sal_err err = {SAL_OK, ""};
    sal_rng rng = {17};
    CHECK(m->nv >= 6);
    CHECK_OK(sal_data_new(&f->d, m, &err), err);
    for (int i = 6; i < 6 * m->nbody; i++) {
        f->d->xfrc_applied[i] = sal_rng_uniform(&rng, -2, 2);
    }
    bool known = sal_sensor_has_deriv(m, 0) && sal_sensor_has_deriv(m, 1);
    for (int k = 0; k < STATES && known; k++) {
        m->mujoco = (sal_mujoco)(k % SAL_NMUJOCO);
        m->opt.cone = k % 2;
        four_points_state(m, f->d, &rng);
        memset(D, 0, 3 * square * sizeof *D);
        CHECK_OK(sal_inverse(m, f->d, &err), err);
        f->summand = largest_inside(f->d);
        for (int s = 0; s < 2; s++) {
            double *from = D + (size_t)s * third;
            CHECK(sal_sensor_deriv(m, f->d, s, from, from + square, from + 2 * square));
        }
        for (int by = 0; by < 3; by++) {
            four_points_error(f, (four_by)by, D + (size_t)by * square);
        }
    }
    sal_data_free(f->d);
    sal_free(D);
    return known;
}

/* In the folder tests/physics; disable: flags */
static void each_site(const char *name, int disable, const char *const *sites)
{
    const char *root = getenv("SALTUS_ROOT");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/physics/%s", root == NULL ? "." : root, name);
    for (int k = 0; sites[k] != NULL; k++) {
        sal_model *m = watched(path, sites[k]);
        m->opt.disable |= disable;
        four_points f = {.m = m, .function = readings};
        const bool known = compare(m, &f);
        printf("     %-32s %-7s off by %.0e %.0e %.0e, %d kinks of %d columns\n", name, sites[k],
               f.worst[0], f.worst[1], f.worst[2], f.kinks, f.columns);
        CHECK(known);
        CHECK(f.worst[0] < 1e-9 && f.worst[1] < 1e-9 && f.worst[2] < 1e-9);
        CHECK(f.kinks <= f.columns / 10);
        sal_model_free(m);
    }
}

static void forces_agree_with_differences(void)
{
    each_site("deriv/twins/tendon_armature.xml", 0, (const char *const[]){"a0", "b0", "c0", NULL});
    each_site("deriv/twins/tendons.xml", SAL_DSBL_EQUALITY,
              (const char *const[]){"a0", "b0", "c0", "d0", NULL});
    each_site("deriv/twins/equalities.xml", 0, (const char *const[]){"s1", "s2", NULL});
    each_site("deriv/twins/sites.xml", 0, (const char *const[]){"s1", "s2", NULL});
    each_site("sensors.xml", 0,
              (const char *const[]){"eye", "palm", "pin", "clapper", "bolt", "goal", NULL});
}

/* One tendon's force follows the length of another one. */
static void nothing_is_claimed_where_tendons_are_tied(void)
{
    char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/tests/physics/deriv/twins/tendons.xml",
             root == NULL ? "." : root);
    sal_model *m = watched(path, "a0");
    CHECK(!sal_sensor_has_deriv(m, 0) && !sal_sensor_has_deriv(m, 1));
    sal_model_free(m);
}

int main(void)
{
    RUN(forces_agree_with_differences);
    RUN(nothing_is_claimed_where_tendons_are_tied);
    return check_done();
}
