/* Height fields: elevations from numbers and files as MuJoCo 3.12 compiles them, sizes and masses,
 * files that cannot be used, and models written and read again. */
#include "tests/check.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

enum { MOST = 50 }; /* contacts with a field */

static sal_status load(sal_model **m, const char *hfield, sal_err *err)
{
    char xml[2000], name[1000];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(name, sizeof name, "%s/tests/mjcf/hfields/model.xml", root == NULL ? "." : root);
    snprintf(xml, sizeof xml,
             "<mujoco><asset><hfield %s/></asset><worldbody><geom type='hfield' hfield='h' "
             "pos='1 2 3' euler='90 0 0'/></worldbody></mujoco>",
             hfield);
    return sal_model_parse(m, name, xml, strlen(xml), NULL, NULL, err);
}

static bool has(const sal_model *m, int nrow, int ncol, const float *data)
{
    bool same = m->nhfield == 1 && m->hfield_nrow[0] == nrow && m->hfield_ncol[0] == ncol &&
                m->nhfielddata == nrow * ncol;
    for (int i = 0; same && i < nrow * ncol; i++) {
        same = m->hfield_data[i] == data[i];
    }
    return same;
}

/* What MuJoCo 3.12 says of the same: mjModel.hfield_data */
static void elevations_are_mujocos(void)
{
    static const struct {
        const char *hfield;
        int nrow, ncol;
        float data[12];
    } fields[] = {
        {"name='h' nrow='3' ncol='4' size='1 2 .5 .25' elevation='0 1 2 3 4 5 6 7 8 9 10 12'",
         3,
         4,
         {0.6666666865348816F, 0.75F, 0.8333333134651184F, 1, 0.3333333432674408F,
          0.4166666567325592F, 0.5F, 0.5833333134651184F, 0, 0.0833333358168602F,
          0.1666666716337204F, 0.25F}},
        {"name='h' nrow='3' ncol='4' size='1 2 .5 .25'", 3, 4, {0}},
        {"name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='3 3 3 3'", 2, 2, {0}},
        {"name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='-3 3 0 1'",
         2,
         2,
         {0.5F, 0.6666666865348816F, 0, 1}},
        {"name='h' file='hills.bin' nrow='5' ncol='5' size='1 1 1 1'",
         2,
         3,
         {0.1111111119389534F, 0.3333333432674408F, 0.2222222238779068F, 0.5555555820465088F, 1,
          0}},
        {"name='h' file='hills.bin' content_type='image/vnd.mujoco.hfield' size='1 1 1 1'",
         2,
         3,
         {0.1111111119389534F, 0.3333333432674408F, 0.2222222238779068F, 0.5555555820465088F, 1,
          0}},
        {"name='h' file='grey.png' size='1 1 1 1'",
         2,
         3,
         {0.15789473056793213F, 0.21052631735801697F, 1, 0, 0.05263157933950424F,
          0.10526315867900848F}},
        {"name='h' file='colours.png' size='1 1 1 1'",
         2,
         3,
         {1, 0, 0.501960813999176F, 0.03921568766236305F, 0.1568627506494522F, 0}},
        {"name='h' file='glass.png' size='1 1 1 1'",
         2,
         3,
         {1, 0, 0.501960813999176F, 0.03921568766236305F, 0.1568627506494522F, 0}},
        {"name='h' file='deep.png' size='1 1 1 1'",
         2,
         3,
         {0.6071428656578064F, 0.761904776096344F, 1, 0, 0.01587301678955555F,
          0.4523809552192688F}},
        {"name='h' file='palette.png' content_type='image/png' size='1 1 1 1'",
         2,
         3,
         {1, 0.7755101919174194F, 0, 0, 0.7755101919174194F, 1}},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        sal_model *m = NULL;
        sal_err err = {0};
        CHECK_OK(load(&m, fields[i].hfield, &err), err);
        CHECK(m != NULL && has(m, fields[i].nrow, fields[i].ncol, fields[i].data));
        sal_model_free(m);
    }
}

/* MuJoCo 3.12: geom_size, geom_rbound, body_mass, body_inertia */
static void it_weighs_as_a_box(void)
{
    static const char format[] =
        "<mujoco><asset><hfield name='h' nrow='3' ncol='4' size='1 2 .5 .25'/></asset><worldbody>"
        "<body><freejoint/><geom type='hfield' hfield='h' size='5 5 5'%s/></body></worldbody>"
        "</mujoco>";
    static const double inertia[2][3] = {{5416.666666666667, 1416.6666666666667, 6666.666666666667},
                                         {35791.666666666664, 11125, 44666.66666666667}};
    for (int shell = 0; shell < 2; shell++) {
        char xml[500];
        sal_model *m = NULL;
        sal_err err = {0};
        snprintf(xml, sizeof xml, format, shell ? " shellinertia='true'" : "");
        CHECK_OK(sal_model_parse(&m, "m", xml, strlen(xml), NULL, NULL, &err), err);
        CHECK(m->geom_size[0] == 1 && m->geom_size[1] == 2 && m->geom_size[2] == 0.25);
        CHECK_NEAR(m->geom_rbound[0], 2.29128784747792, 1e-14);
        CHECK_NEAR(m->body_mass[1], shell ? 22000 : 4000, 1e-9);
        double sum = 0, theirs = 0;
        for (int k = 0; k < 3; k++) {
            sum += m->body_inertia[3 + k];
            theirs += inertia[shell][k];
        }
        CHECK_NEAR(sum, theirs, 1e-8);
        sal_model_free(m);
    }
}

static void files_that_cannot_be_used(void)
{
    static const struct {
        const char *hfield, *says;
    } bad[] = {
        {"file='cut.png' size='1 1 1 1'", "it is no whole PNG image: the file ends too early"},
        {"file='hills.bin' content_type='image/png' size='1 1 1 1'", "Not a PNG file"},
        {"file='short.bin' size='1 1 1 1'", "2 x 3 elevations take 32 bytes, and it has 28"},
        {"file='grey.png' content_type='image/vnd.mujoco.hfield' size='1 1 1 1'", "a height field"},
        {"file='grey.png' content_type='text/foo' size='1 1 1 1'",
         "content_type must be image/png or image/vnd.mujoco.hfield"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sal_model *m = NULL;
        sal_err err = {0};
        CHECK(load(&m, bad[i].hfield, &err) == SAL_BADINPUT);
        CHECK(strstr(err.message, bad[i].says) != NULL);
        sal_model_free(m);
    }
}

/* The world's point above the middle of a cell's corner, of what was written and read again. */
static void written_and_read_again(bool elevate)
{
    sal_model *m = NULL, *again = NULL;
    sal_err err = {0};
    sal_text text = {0};
    const double raised[6] = {.25, .5, .75, .3, .4, .5};
    CHECK_OK(load(&m, "file='hills.bin' name='h' size='1 2 .5 .25'", &err), err);
    if (elevate) {
        CHECK_OK(sal_model_elevate(m, 0, raised, &err), err);
    }
    CHECK_OK(sal_model_write(m, &text, &err), err);
    CHECK_OK(sal_model_parse(&again, "again", text.data, text.length, NULL, NULL, &err), err);
    double up[2][3];
    const sal_model *models[2] = {m, again};
    for (int i = 0; i < 6; i++) {
        double point[2][3];
        for (int k = 0; k < 2; k++) {
            const double local[3] = {0, 0,
                                     models[k]->hfield_size[2] * (double)models[k]->hfield_data[i]};
            sal_quat_rotate(up[k], models[k]->geom_quat, local);
            sal_v3_add(point[k], models[k]->geom_pos, up[k]);
        }
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(point[0][k], point[1][k], elevate ? 1e-7 : 0);
        }
        CHECK(elevate || m->hfield_data[i] == again->hfield_data[i]);
    }
    sal_text_clear(&text);
    sal_model_free(again);
    sal_model_free(m);
}

static void it_is_written(void)
{
    written_and_read_again(false);
    written_and_read_again(true);
}

static void elevations_are_shares(void)
{
    sal_model *m = NULL;
    sal_err err = {0};
    const double good[6] = {0, .5, 1, .25, .125, 1}, bad[6] = {0, 0, 0, 0, 1.5, 0};
    CHECK_OK(load(&m, "file='hills.bin' name='h' size='1 2 .5 .25'", &err), err);
    CHECK_OK(sal_model_elevate(m, 0, good, &err), err);
    CHECK(m->hfield_data[3] == 0.25F);
    CHECK(sal_model_elevate(m, 0, bad, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "height field 'h': elevation 4 is 1.5") != NULL);
    CHECK(m->hfield_data[3] == 0.25F);
    sal_model_free(m);
}

/* Balls that are deeper in level ground of triangles than these are wide: MuJoCo pushes some of
 * them sideways; turned upright, all are pushed up, from where they were. */
static void softened_ground_pushes_up(void)
{
    static const char xml[] =
        "<mujoco><asset><hfield name='h' nrow='5' ncol='9' size='.4 .2 .1 1'/></asset><worldbody>"
        "<geom type='hfield' hfield='h'/><body pos='.04 .03 -.06'><freejoint/>"
        "<geom size='.05'/></body></worldbody></mujoco>";
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    sal_contact own[MOST];
    int sideways = 0;
    CHECK_OK(sal_model_parse(&m, "ground", xml, sizeof xml - 1, NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(sal_position(m, d, &err), err);
    const int ncon = d->ncon;
    CHECK(ncon > 1 && ncon <= MOST);
    memcpy(own, d->contact, (size_t)ncon * sizeof *own);
    m->pair_upright[0] = 1;
    CHECK_OK(sal_position(m, d, &err), err);
    CHECK(d->ncon == ncon);
    for (int i = 0; i < ncon; i++) {
        sideways += fabs(own[i].frame[2]) < 0.1;
        CHECK_NEAR(d->contact[i].dist, own[i].dist, 0);
        CHECK_NEAR(d->contact[i].frame[2], 1, 1e-15);
    }
    CHECK(sideways > 0);
    sal_data_free(d);
    sal_model_free(m);
}

int main(void)
{
    RUN(elevations_are_mujocos);
    RUN(it_weighs_as_a_box);
    RUN(files_that_cannot_be_used);
    RUN(it_is_written);
    RUN(elevations_are_shares);
    RUN(softened_ground_pushes_up);
    return check_done();
}
