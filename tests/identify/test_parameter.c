/* <parameter>: what is read, what is refused, and what model comes of it. Models are compared with
 * those of files that say the same numbers. */
#include "tests/check.h"
#include "tests/folder.h"
#include "tests/memory.h"
#include "tests/same_block.h"

#include "identify/identification.h"

#include <unistd.h>

static sal_err err;

static const char model[] =
    "<mujoco><option gravity='0 0 -9.81'/>\n"
    "<worldbody><geom name='floor' type='plane' size='1 1 .1' friction='.1 .001 .0001'/>\n"
    "<body name='cube' pos='0 0 1'><freejoint/>\n"
    "  <inertial pos='.01 0 0' mass='.4' diaginertia='.001 .0011 .0012' quat='.9 .1 .2 .3'/>\n"
    "  <geom name='cube' type='box' size='.05 .06 .07'/></body>\n"
    "<body name='arm' pos='1 0 1'><joint name='hip' axis='0 1 0' damping='.2'/>\n"
    "  <geom name='a' type='capsule' fromto='0 0 0 0 0 -.3' size='.02'/>\n"
    "  <geom name='b' type='sphere' size='.05' pos='0 0 -.3' mass='.2'/>\n"
    "  <replicate count='2' offset='0 .1 0'><geom name='c' size='.01' pos='.1 0 0'/></replicate>\n"
    "  <body name='ghost'/></body>\n"
    "<body name='rod' pos='2 0 1'>\n"
    "  <inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .0'/></body></worldbody>\n"
    "<actuator><position name='servo' joint='hip' kp='30'/></actuator></mujoco>\n";

static const char *model_text = model;

static const char *model_file(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/m.xml", folder);
    CHECK_OK(sal_file_write(path, model_text, strlen(model_text), &err), err);
    return path;
}

static sal_model *parse(const char *path, const char *value)
{
    const sal_setting setting = {path, value};
    const sal_load_options options = {.setting = &setting, .nsetting = path == NULL ? 0 : 1};
    sal_model *m = NULL;
    char model_path[128];
    snprintf(model_path, sizeof model_path, "%s/m.xml", folder);
    CHECK_OK(sal_model_parse(&m, model_path, model_text, strlen(model_text), &options, NULL, &err),
             err);
    return m;
}

/* A problem of which only the model and the parameters are read; its messages go to diag. NULL
 * where there are errors. */
static sal_identification *read_parameters(const char *elements, sal_diag *diag)
{
    static char names[2][8] = {"gyro", "lasi"};
    static prb_channel channel[2] = {{.name = names[0], .scale = 1},
                                     {.name = names[1], .scale = 1, .offset = .5}};
    static prb_dataset data = {.nchannel = 2, .channel = channel};
    sal_text text = {0};
    prb_reader r = {.diag = diag};
    sal_text_format(&text, "<problem><model file='m.xml'/><estimate/>\n%s\n</problem>", elements);
    CHECK_OK(sal_xml_parse(&r.doc, "p.xml", text.data, text.length, diag, &err), err);
    prb_grammar_check(r.doc.root, "problem", diag);
    r.p = sal_alloc(1, sizeof *r.p);
    r.p->model = parse(NULL, NULL);
    r.p->model_path = prb_reader_copy(&r, model_file());
    sal_identification *i = sal_alloc(1, sizeof *i);
    i->base = r.p;
    r.p->data = &data;
    idn_read_parameters(&r, i);
    r.p->data = NULL;
    CHECK(!r.nomem);
    sal_xml_free(&r.doc);
    sal_text_clear(&text);
    return i;
}

/* ---- what is refused ---- */

typedef struct fault {
    const char *element, *message, *help;
} fault;

#define P "<parameter name='x' "
static const fault faults[] = {
#include "tests/identify/bad_parameters.inc"
};

/* a: text with * for anything */
static bool is_in(const char *text, const char *pattern)
{
    const char *star = strchr(pattern, '*');
    if (star == NULL) {
        return strstr(text, pattern) != NULL;
    }
    char head[300];
    snprintf(head, sizeof head, "%.*s", (int)(star - pattern), pattern);
    const char *at = strstr(text, head);
    return at != NULL && strstr(at, star + 1) != NULL;
}

static void faults_are_said(void)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sal_diag diag = {0};
        char element[600];
        snprintf(element, sizeof element, "%s", faults[i].element);
        sal_identification *p = read_parameters(element, &diag);
        const char *said = diag.text.data == NULL ? "" : diag.text.data;
        if (!is_in(said, faults[i].message) ||
            (faults[i].help != NULL && !is_in(said, faults[i].help))) {
            printf("%s\n  expected %s\n  said %s\n", element, faults[i].message, said);
            CHECK(0);
        }
        sal_identification_free(p);
        sal_diag_clear(&diag);
    }
}

/* ---- what comes of it ---- */

static sal_identification *read_well(const char *elements)
{
    sal_diag diag = {0};
    sal_identification *p = read_parameters(elements, &diag);
    if (diag.nerror > 0) {
        printf("%s\n", diag.text.data);
    }
    CHECK(diag.nerror == 0);
    sal_diag_clear(&diag);
    return p;
}

static bool same(const sal_model *a, const sal_model *b)
{
    return same_block(a, b) && memcmp(a->opt.gravity, b->opt.gravity, sizeof a->opt.gravity) == 0;
}

/* The model at these u; u NULL: at the start. */
static sal_model *apply(const sal_identification *p, const double *u, const double *local)
{
    double start[64], start_local[64];
    idn_parameters_work *work = NULL;
    sal_model *m = NULL;
    idn_parameters_start(p->parameters, start, start_local);
    CHECK_OK(idn_parameters_work_new(&work, p->parameters, &err), err);
    CHECK_OK(sal_model_copy(&m, p->base->model, &err), err);
    CHECK_OK(idn_parameters_apply(p->parameters, work, m, u == NULL ? start : u,
                                  local == NULL ? start_local : local, &err),
             err);
    idn_parameters_work_free(work);
    return m;
}

static void check_model(const char *elements, const char *path, const char *value)
{
    sal_identification *p = read_well(elements);
    sal_model *expected = parse(path, value), *m = apply(p, NULL, NULL);
    if (!same(m, expected)) {
        printf("%s\n", elements);
        CHECK(0);
    }
    sal_model_free(m);
    sal_model_free(expected);
    sal_identification_free(p);
}

static void models_are_those_of_files(void)
{
    check_model("", NULL, NULL);
    check_model(P "path='geom[cube]/size'/>", NULL, NULL);
    check_model(P "path='geom[cube]/size' value='.04'/>", "geom[cube]/size", ".04 .04 .04");
    check_model(P "path='geom[cube]/size' as='scale' value='.5' map='linear'/>", "geom[cube]/size",
                ".025 .03 .035");
    check_model(P "path='geom[cube]/size[1]' value='.04'/>", "geom[cube]/size", ".05 .04 .07");
    check_model(P "path='geom[cube]/friction' value='.3'/>", "geom[cube]/friction", ".3");
    check_model(P "path='geom[cube]/friction[2]' value='.3'/>", "geom[cube]/friction", "1 .005 .3");
    check_model(P "path='geom[b]/pos' as='offset' value='.25 0 .5'/>", "geom[b]/pos", ".25 0 .2");
    check_model(P "path='option/gravity' value='0 0 -9'/>", "option/gravity", "0 0 -9");
    check_model(P "path='position[servo]/kp' value='31'/>", "position[servo]/kp", "31");
    check_model(P "path='geom[c]/pos[1]' value='.2'/>", "geom[c]/pos", ".1 .2 0");
    check_model(P "path='joint[hip]/damping' value='.5' range='0 1' map='bounded'/>",
                "joint[hip]/damping", ".5");
    check_model(P "path='inertial[#0]/mass' value='.7'/>", "inertial[#0]/mass", ".7");
}

static void one_number_is_tied_to_several(void)
{
    sal_identification *p =
        read_well(P "path='geom[a]/friction geom[b]/friction' value='.3'/>"
                    "<parameter name='y' path='geom[a]/size[0] geom[b]/size' as='scale'/>");
    const double u[2] = {.4, log(2)};
    sal_model *m = apply(p, u, NULL);
    const int a = sal_model_find(m, SAL_OBJ_GEOM, "a"), b = sal_model_find(m, SAL_OBJ_GEOM, "b");
    CHECK(p->parameters->nshared == 2);
    CHECK_NEAR(m->geom_friction[3 * a], .4, 0);
    CHECK_NEAR(m->geom_friction[3 * b], .4, 0);
    CHECK_NEAR(m->geom_size[3 * a], .04, 1e-16);
    CHECK_NEAR(m->geom_size[3 * b], .1, 1e-16);
    sal_model_free(m);
    sal_identification_free(p);
}

/* From whatever it was made before, and whatever was done to it. */
static void a_model_has_no_memory(void)
{
    sal_identification *p =
        read_well(P "path='geom[cube]/size' value='.04' map='log'/>"
                    "<parameter name='y' path='joint[hip]/armature' each='recording' value='.1'/>");
    idn_parameters_work *work = NULL;
    sal_model *m = NULL, *first = apply(p, NULL, NULL);
    const double u[2] = {log(.05), log(.04)}, local = .2, start = .1;
    CHECK(p->parameters->nshared == 1 && p->parameters->nlocal == 1);
    CHECK_OK(idn_parameters_work_new(&work, p->parameters, &err), err);
    CHECK_OK(sal_model_copy(&m, p->base->model, &err), err);
    CHECK_OK(idn_parameters_apply(p->parameters, work, m, u, &local, &err), err);
    CHECK(!same(m, first));
    m->geom_size[0] = 3;
    m->opt.gravity[1] = 7;
    CHECK_OK(idn_parameters_apply(p->parameters, work, m, u + 1, &start, &err), err);
    CHECK_NEAR(m->geom_size[3], .04, 1e-16);
    m->geom_size[3] = first->geom_size[3];
    m->geom_size[4] = first->geom_size[4];
    m->geom_size[5] = first->geom_size[5];
    CHECK_NEAR(m->opt.gravity[1], 0, 0);
    idn_parameters_work_free(work);
    sal_model_free(first);
    sal_model_free(m);
    sal_identification_free(p);
}

/* v(u(v)) = v, dv/du by centred differences */
static void check_slope(const idn_parameters *ps, const double *u)
{
    enum { MOST = 16 };
    const double h = 1e-6;
    const int n = ps->nshared;
    double slope[MOST * MOST], moved[MOST], v[2][MOST];
    idn_parameters_slope(ps, slope, u);
    for (int k = 0; k < n; k++) {
        memcpy(moved, u, (size_t)n * sizeof *u);
        for (int s = 0; s < 2; s++) {
            moved[k] = u[k] + (s == 0 ? -h : h);
            idn_parameters_values(ps, v[s], moved);
        }
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(slope[i * n + k], (v[1][i] - v[0][i]) / (2 * h), 1e-9);
        }
    }
}

static void maps_and_their_slopes(void)
{
    sal_identification *p = read_well(
        P "path='geom[cube]/friction' value='.3 .01' map='log' sigma='.2'/>"
          "<parameter name='y' path='joint[hip]/damping' map='bounded' range='.1 .9' value='.25' "
          "sigma='.1'/>"
          "<parameter name='z' path='body[cube]/inertia'/>");
    const idn_parameters *ps = p->parameters;
    double u[16], v[16], lower[16], upper[16], mean[16], weight[16];
    idn_parameters_start(ps, u, NULL);
    idn_parameters_values(ps, v, u);
    CHECK(ps->nshared == 13);
    CHECK_NEAR(v[0], .3, 1e-15);
    CHECK_NEAR(v[1], .01, 1e-15);
    CHECK_NEAR(v[2], .25, 1e-15);
    CHECK_NEAR(v[3], .4, 1e-15);
    CHECK_NEAR(v[4], .01, 1e-15);
    CHECK_NEAR(v[7] + v[8] + v[9], .0033, 1e-15);
    check_slope(ps, u);
    idn_parameters_bounds(ps, false, lower, upper);
    idn_parameters_prior(ps, false, mean, weight);
    CHECK(isinf(lower[0]) && isinf(upper[2]) && isinf(lower[5]));
    CHECK_NEAR(mean[0], log(.3), 1e-15);
    CHECK_NEAR(weight[1], 25, 1e-12);
    CHECK_NEAR(weight[2], 100 * pow(.15 * .65 / .8, 2), 1e-12);
    CHECK_NEAR(weight[3], 0, 0);
    sal_identification_free(p);
}

/* Any u is a body: its mass is positive, and its inertia obeys the triangle inequality. */
static void inertia_stays_physical(void)
{
    sal_identification *p = read_well(P "path='body[cube]/inertia'/>");
    double u[10];
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < 10; i++) {
            u[i] = sin(1 + 7 * k + 3 * i) * (i < 4 ? 2 : .5) - (i < 4 ? 2 : 0);
        }
        sal_model *m = apply(p, u, NULL);
        const double *inertia = m->body_inertia + 3;
        CHECK(m->body_mass[1] > 0 && inertia[2] > 0 && inertia[0] <= inertia[1] + inertia[2]);
        CHECK_NEAR(m->body_mass[1], exp(2 * u[0]), 1e-14);
        CHECK_NEAR(m->body_ipos[4], u[8], 1e-15);
        sal_model_free(m);
    }
    sal_identification_free(p);
}

/* The mass of a body takes its inertia along, wherever that comes from. */
static void mass_takes_inertia_along(void)
{
    sal_identification *p =
        read_well(P "path='body[cube]/mass' value='.8'/>"
                    "<parameter name='y' path='body[arm]/mass' as='scale' value='3'/>"
                    "<parameter name='z' path='body[cube]/com' as='offset'/>");
    sal_model *m = apply(p, NULL, NULL);
    for (int b = 1; b <= 2; b++) {
        const double ratio = m->body_mass[b] / p->base->model->body_mass[b];
        CHECK_NEAR(ratio, b == 1 ? 2 : 3, 1e-15);
        for (int k = 3 * b; k < 3 * b + 3; k++) {
            CHECK_NEAR(m->body_inertia[k] / p->base->model->body_inertia[k], ratio, 1e-14);
            CHECK_NEAR(m->body_ipos[k], p->base->model->body_ipos[k], 0);
        }
    }
    CHECK_NEAR(m->body_invweight0[2], p->base->model->body_invweight0[2] / 2, 1e-12);
    sal_model_free(m);
    sal_identification_free(p);
}

static void impossible_numbers_are_said(void)
{
    sal_identification *p = read_well(P "path='geom[cube]/size' value='.04'/>");
    idn_parameters_work *work = NULL;
    sal_model *m = NULL;
    const double u = -1;
    CHECK_OK(idn_parameters_work_new(&work, p->parameters, &err), err);
    CHECK_OK(sal_model_copy(&m, p->base->model, &err), err);
    CHECK(idn_parameters_apply(p->parameters, work, m, &u, NULL, &err) == SAL_DIVERGED);
    CHECK(strstr(err.message, "must be positive") != NULL);
    CHECK(same(m, p->base->model));
    idn_parameters_work_free(work);
    sal_model_free(m);
    sal_identification_free(p);
}

static void channels_measure_otherwise(void)
{
    prb_channel channel[2] = {{.scale = 1}, {.scale = 1, .offset = .5}};
    const prb_dataset data = {.nchannel = 2, .channel = channel};
    sal_identification *p =
        read_well(P "path='channel[lasi]/offset' as='offset' value='.1'/>"
                    "<parameter name='y' path='channel[gyro]/scale' each='recording'/>");
    double scale[2], offset[2], delay[2];
    const double u = .2, local = 1.5;
    idn_parameters_channels(p->parameters, &data, &u, &local, scale, offset, delay);
    CHECK_NEAR(offset[0], 0, 0);
    CHECK_NEAR(offset[1], .7, 1e-16);
    CHECK_NEAR(scale[0], 1.5, 0);
    CHECK_NEAR(scale[1], 1, 0);
    CHECK_NEAR(delay[1], 0, 0);
    sal_identification_free(p);
}

/* ---- the user's file, identified ---- */

static const char user_file[] =
    "<!-- mine -->\n"
    "<mujoco>\n"
    "  <include file=\"part.xml\"/>\n"
    "  <worldbody>\n"
    "    <geom name=\"floor\" type='plane' size='1 1 .1'/> <!-- keep -->\n"
    "    <body name='cube'  pos='0 0 1'>\n"
    "      <freejoint/>\n"
    "      <inertial pos='0 0 0' mass='.4'   diaginertia='1e-3 1e-3 1e-3'/>\n"
    "      <geom  size='.05 .05 .05' name='cube' type='box'/>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "</mujoco>\n";
static const char user_part[] =
    "<mujoco>\n"
    "  <worldbody><body name='ball' pos='1 0 1'><freejoint/>\n"
    "    <geom name='ball' size='.1' density='500'/></body></worldbody>\n"
    "</mujoco>\n";
static const char user_identified[] =
    "<!-- mine -->\n"
    "<mujoco>\n"
    "  <!-- g[0] = 0.5 +- 0.1 (standard error) m/s^2 -->\n"
    "  <!-- g[1] = 0 (held) m/s^2 -->\n"
    "  <!-- g[2] = -9.5 (not determined by the data) m/s^2 -->\n"
    "  <option gravity=\"0.5 0 -9.5\"/>\n"
    "  \n"
    "  <worldbody><body name='ball' pos='1 0 1'><freejoint/>\n"
    "    <!-- rho = 2 +- 0.1 (standard error) times the value in the model file -->\n"
    "    <!-- own: each recording has its own value -->\n"
    "    <geom name='ball' size='.1' density='1000'/></body></worldbody>\n"
    "\n"
    "  <worldbody>\n"
    "    <geom name=\"floor\" type='plane' size='1 1 .1'/> <!-- keep -->\n"
    "    <!-- m = 0.8 +- 0.1 (standard error) kg -->\n"
    "    <body name='cube'  pos='0 0 1'>\n"
    "      <freejoint/>\n"
    "      <inertial pos='0 0 0' mass='0.8'   diaginertia='0.002 0.002 0.002'/>\n"
    "      <!-- size = 0.06 +- 0.1 (standard error) m -->\n"
    "      <!-- mu = 0.25 +- 0.1 (standard error) -->\n"
    "      <geom  size='0.06 0.06 0.06' name='cube' type='box' friction=\"0.25\"/>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "</mujoco>\n";

/* It is the model at the values found. */
static void check_reads_back(const sal_identification *p, const char *text)
{
    const double u[] = {.06, .25, .8, .5, 0, -9.5, log(2)};
    sal_model *m = apply(p, u, NULL), *read = NULL;
    char path[128];
    snprintf(path, sizeof path, "%s/m.xml", folder);
    CHECK_OK(sal_model_parse(&read, path, text, strlen(text), NULL, NULL, &err), err);
    CHECK(read != NULL && m->nbody == read->nbody);
    for (int b = 1; read != NULL && b < m->nbody; b++) {
        const int other = sal_model_find(read, SAL_OBJ_BODY, sal_model_name(m, SAL_OBJ_BODY, b));
        CHECK_NEAR(read->body_mass[other], m->body_mass[b], 1e-15);
        CHECK_NEAR(read->body_inertia[3 * other], m->body_inertia[3 * b], 1e-17);
    }
    sal_model_free(m);
    sal_model_free(read);
}

static void only_what_was_identified_changes(void)
{
    char main_path[128], part_path[128];
    const double value[] = {.06, .25, .8, .5, 0, -9.5, 2};
    sal_identification_parameter found[7];
    sal_identification_result e = {.nparameter = 7, .parameter = found};
    sal_text text = {0};
    snprintf(main_path, sizeof main_path, "%s/m.xml", folder);
    snprintf(part_path, sizeof part_path, "%s/part.xml", folder);
    CHECK_OK(sal_file_write(main_path, user_file, strlen(user_file), &err), err);
    CHECK_OK(sal_file_write(part_path, user_part, strlen(user_part), &err), err);
    model_text = user_file;
    sal_identification *p =
        read_well(P "path='geom[cube]/size' value='.05'/>"
                    "<parameter name='mu' path='geom[cube]/friction'/>"
                    "<parameter name='m' path='body[cube]/mass'/>"
                    "<parameter name='g' path='option/gravity'/>"
                    "<parameter name='rho' path='geom[ball]/density' as='scale'/>"
                    "<parameter name='own' path='geom[ball]/friction' each='recording'/>");
    for (int k = 0; k < 7 && p->parameters->nshared == 7; k++) {
        int number;
        const idn_parameter *q = idn_parameters_of(p->parameters, false, k, &number);
        found[k] = (sal_identification_parameter){.value = value[k], .se = .1};
        idn_parameter_number_name(q, number, found[k].name, sizeof found[k].name);
    }
    snprintf(found[0].name, sizeof found[0].name, "size");
    found[4].se = (double)NAN;
    found[5].se = (double)INFINITY;
    CHECK_OK(idn_identified_model(p, &e, &text, &err), err);
    CHECK_TEXT(text.data, user_identified);
    check_reads_back(p, text.data);
    sal_text_clear(&text);
    for (long n = 1, whole = 0; !whole; n += 1 + n / 16) {
        memory_fails_at(n);
        const bool went_well = idn_identified_model(p, &e, &text, &err) == SAL_OK;
        whole = memory_was_enough(n);
        CHECK(whole ? went_well : err.code == SAL_NOMEM);
        sal_text_clear(&text);
    }
    sal_identification_free(p);
    unlink(part_path);
    model_text = model;
}

/* Wherever memory runs out it is said, and nothing is lost. */
static void memory_runs_out(void)
{
    static const char text[] =
        "<problem><model file='m.xml'/><estimate/>" P
        "path='geom[cube]/size geom[b]/size' value='.04'/><parameter name='y' "
        "path='body[cube]/inertia'/>"
        "<parameter name='z' path='position[servo]/kp' as='scale'/></problem>";
    bool went_well = false;
    for (long n = 1; n < 5000 && !went_well; n += 1 + n / 16) {
        sal_diag diag = {0};
        prb_reader r = {.diag = &diag};
        CHECK_OK(sal_xml_parse(&r.doc, "p.xml", text, strlen(text), &diag, &err), err);
        r.p = sal_alloc(1, sizeof *r.p);
        r.p->model = parse(NULL, NULL);
        r.p->model_path = prb_reader_copy(&r, model_file());
        sal_identification *i = sal_alloc(1, sizeof *i);
        i->base = r.p;
        sal_alloc_fail_at(n);
        idn_read_parameters(&r, i);
        sal_alloc_fail_at(0);
        went_well = !r.nomem;
        if (!(r.nomem || (diag.nerror == 0 && i->parameters->nshared == 12))) {
            printf("allocation %ld: %s\n", n, diag.text.data == NULL ? "" : diag.text.data);
            CHECK(0);
        }
        sal_identification_free(i);
        sal_xml_free(&r.doc);
        sal_diag_clear(&diag);
    }
    CHECK(went_well);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(faults_are_said);
    RUN(models_are_those_of_files);
    RUN(one_number_is_tied_to_several);
    RUN(a_model_has_no_memory);
    RUN(maps_and_their_slopes);
    RUN(inertia_stays_physical);
    RUN(mass_takes_inertia_along);
    RUN(impossible_numbers_are_said);
    RUN(channels_measure_otherwise);
    RUN(only_what_was_identified_changes);
    RUN(memory_runs_out);
    unlink(model_file());
    rmdir(folder);
    return check_done();
}
