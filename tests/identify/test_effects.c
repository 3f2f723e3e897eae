/* Parameters that have no effect, and those that have one, but not one by one. */
#include "tests/identify/driven.h"

static const char mass[] = "<parameter name='mass' path='body[link]/mass' map='log' value='1'/>",
                  gain[] = "<parameter name='gain' path='motor[m]/gear' map='log' value='1.2'/>",
                  damping[] =
                      "<parameter name='damping' path='joint[q]/damping' map='log' value='.03'/>",
                  linear[] = "<parameter name='damping' path='joint[q]/damping' value='.03'/>",
                  prior[] = "<parameter name='gain' path='motor[m]/gear' map='log' value='1' "
                            "prior='1' sigma='.01'/>";

static bool says(const sal_result *r, const char *words)
{
    const sal_identification_result *e = r == NULL ? NULL : sal_identification_of(r);
    for (int k = 0; e != NULL && k < e->nsentence; k++) {
        if (strstr(e->sentence[k], words) != NULL) {
            return true;
        }
    }
    return false;
}

static double value_of(const sal_result *r, const char *name)
{
    for (int k = 0; r != NULL && k < sal_identification_of(r)->nparameter; k++) {
        if (strcmp(sal_identification_of(r)->parameter[k].name, name) == 0) {
            return sal_identification_of(r)->parameter[k].value;
        }
    }
    return (double)NAN;
}

static sal_result *estimate(const char *override, const char *a, const char *b, const char *c)
{
    char text[1000];
    snprintf(text, sizeof text, "%s%s%s", a, b, c);
    return driven_identify(override, "", text);
}

/* Weight, torque and damping may all be half of what they are: nothing in the motion tells. That is
 * no parameter without effect, and no search that has come to an end. */
static void a_common_scale_is_said(void)
{
    static const char none[] = "<override path='joint[q]/damping' value='0'/>";
    const struct {
        const char *override, *parameter[3], *says;
    } cases[] = {
        {"",
         {mass, damping, gain},
         "mass, damping and gain cannot be distinguished: only their ratios are determined."},
        {"",
         {mass, linear, gain},
         "mass, damping and gain cannot be distinguished: only their ratios are determined."},
        {none,
         {mass, gain, ""},
         "mass and gain cannot be distinguished: only their ratio is determined."}};
    driven_make(0);
    for (int i = 0; i < 3; i++) {
        sal_result *r = estimate(cases[i].override, cases[i].parameter[0], cases[i].parameter[1],
                                 cases[i].parameter[2]);
        CHECK(r != NULL && strcmp(r->status, "stalled") == 0 && r->exit_code == 1);
        CHECK(says(r, cases[i].says));
        CHECK(!says(r, "no information"));
        sal_result_free(r);
    }
}

/* What is known of one of them tells all: the gain is 1, the mass .8 kg, the damping .05. */
static void what_is_known_of_one_tells_all(void)
{
    const char *const cases[][3] = {
        {mass, damping, ""}, {gain, damping, ""}, {mass, gain, ""}, {mass, damping, prior}};
    driven_make(0);
    for (int i = 0; i < 4; i++) {
        sal_result *r = estimate("", cases[i][0], cases[i][1], cases[i][2]);
        const double m = value_of(r, "mass"), g = value_of(r, "gain"), d = value_of(r, "damping");
        CHECK(r != NULL && r->exit_code == 0);
        CHECK(!says(r, "in proportion"));
        CHECK(isnan(m) || fabs(m / .8 - 1) < .03);
        CHECK(isnan(g) || fabs(g - 1) < .03);
        CHECK(isnan(d) || fabs(d / .05 - 1) < .03);
        sal_result_free(r);
    }
}

/* A mass that is found much lighter than it was thought is true here, and said. */
static void a_mass_that_falls_is_said(void)
{
    static const char heavy[] =
        "<parameter name='mass' path='body[link]/mass' map='log' value='5'/>";
    sal_result *r = estimate("", heavy, damping, "");
    CHECK_NEAR(value_of(r, "mass"), .8, .01);
    CHECK(says(r, "'mass' fell from 5 to 0.8"));
    CHECK(says(r, "is it so light?") && !says(r, "shorter steps") && !says(r, "norm="));
    sal_result_free(r);
    r = estimate("", mass, damping, "");
    CHECK_NEAR(value_of(r, "mass"), .8, .01);
    CHECK(!says(r, "fell from"));
    sal_result_free(r);
}

/* A poor fit (torques that are three times what acted), and a damping far from its start; where the
 * fit is good, that is nothing to wonder at. */
static void a_parameter_that_went_far_is_said(void)
{
    static const char known[] =
        "<parameter name='mass' path='body[link]/mass' map='log' value='.8' "
        "prior='.8' sigma='1e-4'/>",
                      weak[] = "<parameter name='damping' path='joint[q]/damping' map='log' "
                               "value='.001'/>";
    char text[1000];
    snprintf(text, sizeof text, "%s%s", known, weak);
    sal_result *r = driven_identify("", "scale='.33'", text);
    CHECK(value_of(r, "damping") > .01 && says(r, "'damping' went from 0.001 to "));
    CHECK(says(r, "and the fit is poor: do not trust it. Begin elsewhere, or give it a prior."));
    sal_result_free(r);
    r = driven_identify("", "", text);
    CHECK(value_of(r, "damping") > .04 && !says(r, "went from"));
    sal_result_free(r);
}

int main(void)
{
    RUN(a_common_scale_is_said);
    RUN(what_is_known_of_one_tells_all);
    RUN(a_mass_that_falls_is_said);
    RUN(a_parameter_that_went_far_is_said);
    return check_done();
}
