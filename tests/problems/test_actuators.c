/* Actuators that cannot be part of a motion are refused, each by its name and with the reason;
 * those that follow from its forces, and those that need variables of their own, are told apart. */
#include "tests/problems/problem_files.h"

#include "problems/transcribe.h"

static const char model[] =
    "<mujoco><worldbody>\n"
    "<body name='b' gravcomp='%s'><joint name='j' range='-1 1' %s/><geom size='.1'/><site "
    "name='s'/>\n"
    "<body pos='.5 0 0'><joint name='k' type='ball'/><geom size='.1' pos='.1 0 0'/>\n"
    "<site name='p' pos='.2 0 0'/></body></body></worldbody>\n"
    "<tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>\n"
    "<actuator>%s</actuator></mujoco>\n";

static const char problem[] = "<problem name=\"any\">\n"
                              "  <model file=\"m.xml\"/>\n"
                              "  <time nstep=\"10\" duration=\"0.5\"/>\n"
                              "  <boundary type=\"open\"/>\n"
                              "  <cost><term name=\"effort\" ctrl=\"all\" weight=\"1\"/></cost>\n"
                              "</problem>\n";

static sal_status read_with(const char *gravcomp, const char *joint, const char *actuator,
                            sal_err *err)
{
    char text[2000];
    sal_problem *p = NULL;
    sal_diag diag = {0};
    snprintf(text, sizeof text, model, gravcomp, joint, actuator);
    files_write("m.xml", text, strlen(text));
    files_write("p.xml", problem, strlen(problem));
    const sal_status status = sal_problem_read(&p, files_path("p.xml"), NULL, &diag, err);
    sal_diag_clear(&diag);
    sal_problem_free(p);
    return status;
}

static void refused(const char *joint, const char *actuator, const char *message)
{
    sal_err err = {0};
    CHECK(read_with("0", joint, actuator, &err) == SAL_BADINPUT);
    if (strstr(err.message, message) == NULL) {
        printf("%s\n", err.message);
    }
    CHECK(strstr(err.message, message) != NULL);
}

static void what_cannot_be_part_of_a_motion_is_refused(void)
{
    refused("", "<adhesion name='x' body='b' ctrlrange='0 1'/>",
            "actuator 'x' acts through the contacts of a body");
    refused("", "<intvelocity name='x' joint='k' actrange='-1 1'/>",
            "actuator 'x' integrates the target of a rotational servo");
    refused("",
            "<dcmotor name='x' joint='j' motorconst='1' resistance='1' cogging='1 2' "
            "saturation='1'/>",
            "actuator 'x' has cogging beside a saturation");
    refused("", "<pid name='x' joint='j' kp='1' ki='1'/>",
            "actuator 'x' has a state that follows the motion");
    refused("", "<dcmotor name='x' joint='j' motorconst='1' resistance='1' inductance='1'/>",
            "actuator 'x' has a state that follows the motion");
    refused("",
            "<dcmotor name='x' joint='j' motorconst='1' resistance='1' input='ff' "
            "controller='0 0 0 0 0 1'/>",
            "or several inputs whose force is limited or shown by a sensor; this is not supported");
    refused("",
            "<dcmotor name='x' joint='j' motorconst='1' resistance='1' input='pos ff' "
            "controller='1' saturation='1'/>",
            "or several inputs whose force is limited or shown by a sensor; this is not supported");
    refused("", "<orientation name='x' joint='k'/>",
            "actuator 'x' turns a joint towards an orientation");
    refused("",
            "</actuator><option integrator='implicit'/><actuator><muscle name='x' joint='j' "
            "lengthrange='0 1'/>",
            "has no inverse with actuator 'x'");
}

/* The columns listed are those that are not zero, in their order. */
static void check_sparsity(const prb_sparsity *s, const double *A, int nrow, int ncol)
{
    int n = 0;
    for (int i = 0; i < nrow; i++) {
        CHECK(s->adr[i] == n);
        for (int c = 0; c < ncol; c++) {
            const bool zero = A[i * ncol + c] == 0;
            CHECK(zero || s->column[n] == c);
            n += !zero;
        }
    }
    CHECK(s->adr[nrow] == n);
}

/* Whether the actuators of such a model have variables */
static bool is_driven(const char *gravcomp, const char *joint, const char *actuator)
{
    char text[2000];
    sal_err err = {0};
    sal_model *m = NULL;
    prb_actuation_map *map = NULL;
    snprintf(text, sizeof text, model, gravcomp, joint, actuator);
    CHECK_OK(sal_model_parse(&m, "m.xml", text, strlen(text), NULL, NULL, &err), err);
    CHECK_OK(read_with(gravcomp, joint, actuator, &err), err);
    CHECK_OK(prb_actuation_map_new(&map, m, &err), err);
    check_sparsity(&map->force_dof, map->force, map->nu, map->nv);
    check_sparsity(&map->unactuated_dof, map->unactuated, map->nfree, map->nv);
    const bool driven = map->driven;
    prb_actuation_map_free(map);
    sal_model_free(m);
    return driven;
}

static void what_follows_from_forces_is_eliminated(void)
{
    CHECK(!is_driven("0", "actuatorgravcomp='true'", "<motor joint='j'/>"));
    CHECK(!is_driven("0", "actuatorfrcrange='-1 1'", "<motor joint='j'/>"));
    CHECK(!is_driven("0", "actuatorfrcrange='-1 1'", "<motor joint='k'/>"));
    CHECK(!is_driven("1", "", "<motor jointinparent='j'/><motor joint='k'/>"));
    CHECK(!is_driven("0", "", "<motor joint='j' armature='.1' damping='.2'/>"));
    CHECK(!is_driven("0", "", "<position tendon='t'/>"));
    CHECK(
        !is_driven("0", "", "<motor joint='k'/><motor joint='k' gear='0 1'/><motor tendon='t'/>"));
}

static void the_rest_has_variables(void)
{
    CHECK(is_driven("0", "", "<motor site='p'/>"));
    CHECK(is_driven("0", "", "<motor cranksite='p' slidersite='s' cranklength='1'/>"));
    CHECK(is_driven("0", "", "<muscle joint='j' lengthrange='0 1'/>"));
    CHECK(is_driven("0", "", "<cylinder joint='j'/>"));
    CHECK(is_driven("0", "", "<position joint='j' timeconst='.1'/>"));
    CHECK(is_driven("0", "", "<motor jointinparent='k'/>"));
    CHECK(is_driven("0", "", "<position joint='k'/>"));
    CHECK(is_driven("0", "", "<motor joint='j'/><motor joint='j'/>"));
    CHECK(is_driven("0", "", "<motor joint='j'/><motor tendon='t'/>"));
    CHECK(is_driven("0", "actuatorfrcrange='-1 1'", "<motor tendon='t'/>"));
    CHECK(is_driven("0", "actuatorfrcrange='1 2'", "<motor joint='k'/>"));
    CHECK(is_driven("1", "actuatorgravcomp='true'", "<motor joint='j'/>"));
    CHECK(is_driven("0", "", "<damper joint='j' kv='2' ctrlrange='0 1'/>"));
}

int main(void)
{
    RUN(what_cannot_be_part_of_a_motion_is_refused);
    RUN(what_follows_from_forces_is_eliminated);
    RUN(the_rest_has_variables);
    files_remove();
    return check_done();
}
