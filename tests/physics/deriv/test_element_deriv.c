/* Derivatives of what elements add to the inverse, beside differences of the whole inverse with the
 * element less that without. Loads are brought to the dofs here by the rule that deriv.h states,
 * with columns that are summed up one by one. */
#include "tests/physics/deriv/element_bench.h"

static void gravity_is_compensated(void)
{
    bench *b = bench_open("gravity='1 2 -9'", body_text("", true, ""), "", false);
    CHECK(b->m->ngravcomp == 3);
    compare(b, "gravity compensation");
    bench_close(b);
}

static void compensation_of_actuators_is_not_passive(void)
{
    bench *b =
        bench_open("gravity='1 2 -9'", body_text("", true, "actuatorgravcomp='true'"), "", false);
    compare(b, "gravity compensation, partly the actuators'");
    bench_close(b);
}

static void medium_resists(void)
{
    bench *b = bench_open("density='900' viscosity='.3' wind='1 -2 .5'", body_text("", false, ""),
                          "", false);
    compare(b, "boxes in the medium");
    bench_close(b);
    b = bench_open("density='900' viscosity='.3' wind='1 -2 .5'",
                   body_text("fluidshape='ellipsoid'", false, ""), "", false);
    compare(b, "ellipsoids in the medium");
    bench_close(b);
}

/* 2.2.2 has none between sites. */
static const char *equality_text(const char *list, const char *sites, bool compat)
{
    static char text[2000];
    snprintf(text, sizeof text, "<equality>%s%s</equality>", list, compat ? "" : sites);
    return text;
}

static const char connects[] =
    "<connect body1='end' body2='arm' anchor='.1 .05 .02' solref='.05 .8' solimp='.5 .9 .8 .4 2'/>"
    "<connect body1='lower' anchor='.05 .02 .1' solref='.06 1' solimp='.3 .8 1.5 .5 3'/>"
    "<connect body1='upper' body2='pole' anchor='.2 0 0' solimp='.9 .95 .001 .5 2'/>";
static const char connected_sites[] =
    "<connect site1='s2' site2='w0' solref='-100 -5' solimp='.4 .9 2 .6 2'/>";
static const char welds[] =
    "<weld body1='end' body2='arm' solref='.05 .8' solimp='.5 .9 .8 .4 2'/>"
    "<weld body1='lower' anchor='.05 .02 .1' torquescale='.6' relpose='.3 .1 .2 1 .3 .2 .1'"
    " solimp='.3 .8 3 .5 3'/>"
    "<weld body1='base' body2='lower' torquescale='2' solimp='.3 .9 4 .5 2'/>";
static const char welded_sites[] =
    "<weld site1='s1' site2='s5' torquescale='1.4' solref='.07 1' solimp='.4 .9 3 .6 2'/>";

static void connected_points_pull(void)
{
    const char *const names_of[3] = {"connects", "connects as in 2.2.2", "connects, no gravity"};
    for (int kind = 0; kind < 3; kind++) {
        const bool compat = kind == 1;
        bench *b = bench_open("", body_text("", false, ""),
                              equality_text(connects, connected_sites, compat), compat);
        if (kind == 2) {
            b->m->opt.disable |= SAL_DSBL_GRAVITY;
            b->plain->opt.disable |= SAL_DSBL_GRAVITY;
        }
        compare(b, names_of[kind]);
        bench_close(b);
    }
}

static void welded_bodies_pull_and_turn(void)
{
    for (int compat = 0; compat < 2; compat++) {
        bench *b = bench_open("", body_text("", false, ""),
                              equality_text(welds, welded_sites, compat == 1), compat == 1);
        compare(b, compat == 1 ? "welds as in 2.2.2" : "welds");
        bench_close(b);
    }
}

/* Straight, over a cylinder, over a ball that moves, inside a ring, and with pulleys. */
static const char paths[] =
    "<spatial name='a' %s><site site='w0'/><site site='s2'/><site site='s5'/></spatial>"
    "<spatial name='b' %s><site site='s4'/><geom geom='roll'/><site site='s3'/></spatial>"
    "<spatial name='c' %s><site site='s5'/><geom geom='ball' sidesite='up'/><site site='s1'/>"
    "<pulley divisor='2'/><site site='s1'/><site site='s4'/><pulley divisor='3'/><site site='s0'/>"
    "<site site='s3'/></spatial>"
    "<spatial name='d' %s><site site='w0'/><geom geom='ring' sidesite='inner'/><site site='s2'/>"
    "</spatial><fixed name='f'><joint joint='h1' coef='.7'/><joint joint='h4' coef='-.4'/></fixed>";

static const char *tendon_text(const char *attributes, const char *equalities)
{
    static char text[4000];
    char list[2000];
    snprintf(list, sizeof list, paths, attributes, attributes, attributes, attributes);
    snprintf(text, sizeof text, "<tendon>%s</tendon><equality>%s</equality>", list, equalities);
    return text;
}

static void compare_tendons(const char *what, const char *attributes, const char *equalities)
{
    bench *b = bench_open("", body_text("", false, ""), tendon_text(attributes, equalities), false);
    compare(b, what);
    bench_close(b);
}

static void tendons_pull(void)
{
    compare_tendons("springs of tendons", "stiffness='40 5 2' springlength='.2'", "");
    compare_tendons("dampers of tendons", "damping='4 1 .5'", "");
    compare_tendons("friction of tendons", "frictionloss='8'", "");
    compare_tendons("limits of tendons",
                    "range='.1 .5' limited='true' solimplimit='.5 .9 1 .5 2' solreflimit='.1 1'",
                    "");
}

static void smoothed_law_of_tendons_is_followed(void)
{
    bench *b = bench_open("", body_text("", false, ""),
                          tendon_text("range='.1 .5' limited='true' frictionloss='3'"
                                      " solimplimit='.5 .9 1 .5 2' solreflimit='.1 1'",
                                      ""),
                          false);
    b->m->opt.sigma = 30;
    compare(b, "limits and friction of tendons with sigma");
    bench_close(b);
}

static void armature_turns_with_the_tendon(void)
{
    bench *b = bench_open("", body_text("", false, ""),
                          "<tendon><spatial armature='2'><site site='w0'/><site site='s2'/>"
                          "<pulley divisor='2'/><site site='s3'/><site site='s4'/>"
                          "<site site='s5'/></spatial></tendon>",
                          false);
    compare(b, "armature of tendons");
    bench_close(b);
}

static void lengths_of_tendons_are_tied(void)
{
    static const char law[] = "polycoef='.1 .8 -.4 .3 .2' solimp='.4 .9 2 .5 2' solref='.1 .9'";
    const char *const pairs[4] = {"tendon1='a'", "tendon1='b' tendon2='c'",
                                  "tendon1='d' tendon2='f'", "tendon1='f' tendon2='a'"};
    char text[1000] = "";
    for (int i = 0; i < 4; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "<tendon %s %s/>", pairs[i], law);
    }
    compare_tendons("equalities of tendons", "", text);
}

static void applied_wrench_stays_in_the_world(void)
{
    bench *b = bench_open("", body_text("", false, ""), "", false);
    for (int seed = 0; seed < STATES; seed++) {
        sal_rng rng = {(uint64_t)seed};
        random_state(b, seed);
        for (int i = 6; i < 6 * b->m->nbody; i++) {
            b->d->xfrc_applied[i] = sal_rng_uniform(&rng, -10, 10);
        }
        double r[NV];
        of_applied(b, r);
        sal_applied_force_deriv(b->m, b->d, b->D[0]);
        CHECK_NEAR(worst(b, of_applied, 0), 0, 1e-8);
    }
    CHECK(b->kinks == 0);
    bench_close(b);
}

int main(void)
{
    RUN(gravity_is_compensated);
    RUN(compensation_of_actuators_is_not_passive);
    RUN(medium_resists);
    RUN(connected_points_pull);
    RUN(welded_bodies_pull_and_turn);
    RUN(tendons_pull);
    RUN(smoothed_law_of_tendons_is_followed);
    RUN(armature_turns_with_the_tendon);
    RUN(lengths_of_tendons_are_tied);
    RUN(applied_wrench_stays_in_the_world);
    return check_done();
}
