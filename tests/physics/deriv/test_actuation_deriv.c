/* Derivatives of the forces of actuators by configuration, velocity and input, beside
 * differences. */
#include "tests/physics/deriv/element_bench.h"

#include "physics/actuator.h"

static void of_actuation(bench *b, double *r)
{
    sal_err err = {SAL_OK, ""};
    CHECK_OK(sal_position(b->m, b->d, &err), err);
    sal_velocity(b->m, b->d);
    sal_actuation(b->m, b->d);
    memcpy(r, b->d->qfrc_actuator, (size_t)b->m->nv * sizeof *r);
}

/* By w: qfrc_actuator is linear in it between the limits of forces. */
static double worst_by_input(bench *b, const double *Dw)
{
    const int nv = b->m->nv, nu = b->m->nu;
    double error = 0, scale = 1, r[4][NV];
    for (int i = 0; i < nu; i++) {
        const int adr = b->m->actuator_actadr[i];
        const bool motor = b->m->actuator_dyntype[i] == SAL_DYN_MOTOR;
        double *w = adr < 0 || motor ? b->d->ctrl + i : b->d->act + adr;
        const double before = *w, h = 1e-4;
        for (int p = 0; p < 4; p++) {
            *w = before + h * (p < 2 ? p - 2 : p - 1);
            of_actuation(b, r[p]);
        }
        *w = before;
        for (int k = 0; k < nv; k++) {
            const double D = (8 * (r[2][k] - r[1][k]) - (r[3][k] - r[0][k])) / (12 * h);
            scale = fmax(scale, fabs(D));
            error = fmax(error, fabs(D - Dw[k * nu + i]));
        }
    }
    return error / scale;
}

static void compare_actuation(bench *b, const char *what, int states)
{
    double error[3] = {0}, r[NV], Dw[NV * 20];
    CHECK(b->m->nu > 0 && b->m->nu <= 20);
    for (int seed = 0; seed < states; seed++) {
        random_state(b, seed);
        of_actuation(b, r);
        sal_actuation_deriv(b->m, b->d, b->D[0], b->D[1], Dw);
        for (int kind = 0; kind < 2; kind++) {
            error[kind] = fmax(error[kind], worst(b, of_actuation, kind));
        }
        error[2] = fmax(error[2], worst_by_input(b, Dw));
    }
    printf("%s: Dq %.1e Dv %.1e Dw %.1e, %d of %d columns with kinks\n", what, error[0], error[1],
           error[2], b->kinks, b->columns);
    for (int kind = 0; kind < 3; kind++) {
        CHECK(error[kind] <= 1e-8);
    }
    CHECK(b->kinks * 20 <= b->columns);
}

static void compare_actuators(const char *what, const char *rest, const char *joint)
{
    bench *b = bench_open("gravity='1 2 -9'", body_text("", joint[0] != '\0', joint), rest, false);
    compare_actuation(b, what, STATES);
    bench_close(b);
}

static void actuators_push(void)
{
    compare_actuators("actuators of joints",
                      "<actuator><general joint='h1' gainprm='3 2 .4' gaintype='affine'"
                      " biastype='affine' biasprm='.1 -4 -.3' gear='2'/>"
                      "<position joint='ball' kp='7' kv='.5' gear='1 .5 -2'/>"
                      "<general jointinparent='ball' gear='.3 1 .4' gainprm='2 3 .1'"
                      " gaintype='affine' biastype='affine' biasprm='0 -3 -.2'/>"
                      "<general jointinparent='root' gear='.3 1 .4 -1 .2 .7' gainprm='5'/>"
                      "<motor joint='root' gear='1 .2 .3 .4 .5 .6'/>"
                      "<general joint='h4' dyntype='filter' dynprm='.1' gainprm='2 -1 .2'"
                      " gaintype='affine' forcerange='-1 1' forcelimited='true'/></actuator>",
                      "");
    compare_actuators("muscles",
                      "<tendon><spatial name='a'><site site='w0'/><site site='s2'/></spatial>"
                      "</tendon><actuator><muscle joint='h1' range='.6 1.5' lengthrange='-.8 .9'/>"
                      "<muscle tendon='a' lengthrange='.1 1.5' force='50'/></actuator>",
                      "");
    compare_actuators("actuators of tendons",
                      "<tendon><spatial name='a'><site site='w0'/><site site='s2'/></spatial>"
                      "<fixed name='f'><joint joint='h1' coef='.7'/><joint joint='h4' coef='-.4'/>"
                      "</fixed></tendon><actuator><position tendon='a' kp='30' kv='3' gear='1.5'/>"
                      "<position tendon='f' kp='20' kv='2' gear='-2'/></actuator>",
                      "");
    compare_actuators("motors with cogging",
                      "<tendon><fixed name='f'><joint joint='h1' coef='.7'/><joint joint='h4' "
                      "coef='-.4'/></fixed></tendon><actuator><dcmotor joint='h1' motorconst='.3' "
                      "resistance='2' cogging='.4 3 .2' saturation='.2'/><dcmotor tendon='f' "
                      "motorconst='1' resistance='1' input='pos' controller='2 0 .3' "
                      "cogging='.6 4'/><dcmotor site='s2' refsite='s1' motorconst='1' "
                      "resistance='2' cogging='.5 3 1' gear='1 .4 -.3 .2 .5 -.6'/></actuator>",
                      "");
    compare_actuators("actuators of sites",
                      "<actuator><general site='s2' gear='1 .4 -.3 .2 .5 -.6' gainprm='4'/>"
                      "<general site='s1' refsite='s5' gear='1 .4 -.3 0 0 0' gainprm='4 1 .1'"
                      " gaintype='affine' biastype='affine' biasprm='0 -5 -.4'/>"
                      "<general site='s2' refsite='s1' gear='.2 .1 .6 .5 -.4 1' gainprm='4 1 .1'"
                      " gaintype='affine' biastype='affine' biasprm='0 -5 -.4'/>"
                      "<general cranksite='s4' slidersite='s2' cranklength='1.5' gear='2'"
                      " gainprm='4 1 .1' gaintype='affine' biastype='affine' biasprm='0 -5 -.4'/>"
                      "<general cranksite='s3' slidersite='w0' cranklength='.01' gainprm='3'/>"
                      "</actuator>",
                      "");
}

static void orientations_turn(void)
{
    compare_actuators("orientations",
                      "<actuator><motor joint='h1'/><orientation joint='ball' kp='7' kv='.5'/>"
                      "<orientation joint='ball' kp='3' kv='.2' ctrlrange='-3 3'/>"
                      "<orientation joint='ball' kp='3' group='2'/></actuator>",
                      "");
    compare_actuators("orientations of limited torque",
                      "<actuator><orientation joint='ball' kp='7' kv='.5' forcerange='0 2'/>"
                      "<orientation joint='ball' kp='2' kv='.3' forcerange='0 3'/></actuator>",
                      "");
    compare_actuators("orientations of sites, and by quaternions",
                      "<actuator><orientation site='s2' refsite='s1' kp='4' kv='.4'/>"
                      "<orientation joint='ball' input='quat' kp='3' kv='.2'/><motor joint='h1'/>"
                      "<orientation site='s5' refsite='s4' input='quat' kp='5' kv='.3'/>"
                      "<orientation site='w0' refsite='s2' kp='2' kv='.5'/></actuator>",
                      "");
    compare_actuators("such orientations of limited torque",
                      "<actuator><orientation site='s2' refsite='s1' kp='4' kv='.4' "
                      "forcerange='0 2'/><orientation joint='ball' input='quat' kp='9' kv='.2' "
                      "forcerange='0 4'/></actuator>",
                      "");
}

static void controllers_and_motors_push(void)
{
    compare_actuators("controllers with states",
                      "<actuator><pid joint='h1' kp='2' kv='.3' ki='3' input='pos' gear='2'/>"
                      "<pid joint='h4' kp='2' kv='.3' slewmax='30'/>"
                      "<pid site='s2' gear='1 .4 -.3 .2 .5 -.6' kp='2' kv='.3' ki='2'"
                      " input='pos' forcerange='-2 2'/></actuator>",
                      "");
    compare_actuators("motors with states, of several inputs",
                      "<tendon><fixed name='f' actuatorfrclimited='true' "
                      "actuatorfrcrange='-1 1'><joint joint='h1' coef='.7'/><joint joint='h4' "
                      "coef='-.4'/></fixed></tendon><actuator><dcmotor joint='h1' motorconst='.3' "
                      "resistance='2' inductance='.02' input='pos vel' controller='2 0 .3'/>"
                      "<dcmotor joint='h2' motorconst='1' resistance='1' input='pos ff voltage' "
                      "controller='2 1 .3 30 2 1.5' inductance='.02' saturation='0 0 200'/>"
                      "<dcmotor joint='h4' motorconst='1' resistance='2' input='vel voltage' "
                      "controller='0 0 3 0 0 .5' thermal='2 3 0 .1 20 25'/>"
                      "<dcmotor tendon='f' motorconst='1' resistance='2' input='pos vel ff' "
                      "controller='5 0 3' saturation='2'/></actuator>",
                      "");
    compare_actuators("motors with states",
                      "<tendon><fixed name='f'><joint joint='h1' coef='.7'/><joint joint='h4' "
                      "coef='-.4'/></fixed></tendon><actuator><dcmotor joint='h1' motorconst='.3' "
                      "resistance='2' inductance='.02' thermal='2 3 0 .1 20 25'/>"
                      "<dcmotor tendon='f' motorconst='1' resistance='1' input='pos' "
                      "controller='2 1 .3 30 2 1.5' inductance='.02' saturation='0 0 200'/>"
                      "<dcmotor joint='h2' motorconst='1' resistance='2' "
                      "lugre='3 .4 .1 .2 .5' controller='0 0 0 0 0 .5'/>"
                      "<dcmotor site='s2' refsite='s1' motorconst='1' resistance='2' "
                      "cogging='.5 3 1' thermal='2 3 0 .1 20 25' gear='1 .4 -.3 .2 .5 -.6' "
                      "lugre='5 .1 .3 .2 .4'/></actuator>",
                      "");
}

static void limits_hold_what_actuators_do_together(void)
{
    bench *b =
        bench_open("gravity='1 2 -9'", body_text("", true, "actuatorgravcomp='true'"),
                   "<tendon><spatial name='a' actuatorfrclimited='true' actuatorfrcrange='-2 "
                   "2'><site site='w0'/><site site='s2'/>"
                   "</spatial></tendon><actuator><position tendon='a' kp='3' kv='1' gear='1.5'/>"
                   "<general tendon='a' gainprm='4 2 .3' gaintype='affine' gear='-.4'/>"
                   "<motor tendon='a' gear='2'/><position joint='h2' kp='20' kv='1'/>"
                   "<motor joint='h2' gear='3'/></actuator>",
                   false);
    const int h2 = sal_model_find(b->m, SAL_OBJ_JOINT, "h2"), dof = b->m->jnt_dofadr[h2];
    int held[2] = {0, 0};
    b->m->jnt_actfrclimited[h2] = 1;
    b->m->jnt_actfrcrange[2 * h2] = -5;
    b->m->jnt_actfrcrange[2 * h2 + 1] = 6;
    for (int seed = 0; seed < 3 * STATES; seed++) {
        double r[NV];
        random_state(b, seed);
        of_actuation(b, r);
        const double *F = b->d->actuator_force, sum = F[0] + F[1] + F[2];
        held[0] += fabs(fabs(sum) - 2) < 1e-12;
        held[1] += r[dof] == -5 || r[dof] == 6;
    }
    printf("held: tendon %d, joint %d of %d\n", held[0], held[1], 3 * STATES);
    for (int i = 0; i < 2; i++) { /* sometimes */
        CHECK(held[i] > STATES / 4 && held[i] < 3 * STATES - STATES / 4);
    }
    compare_actuation(b, "limits of joints and tendons", 3 * STATES);
    bench_close(b);
}

/* The forces of a tendon's actuators are scaled back before each is held in its forcerange. */
static void ranges_hold_what_is_scaled_back(void)
{
    bench *b = bench_open(
        "gravity='1 2 -9'", body_text("", true, ""),
        "<tendon><spatial name='a' actuatorfrclimited='true' actuatorfrcrange='-2 "
        "2'><site site='w0'/><site site='s2'/></spatial></tendon><actuator>"
        "<position tendon='a' kp='3' kv='1' gear='1.5' forcerange='-.9 1'/>"
        "<general tendon='a' gainprm='4 2 .3' gaintype='affine' gear='-.4'/>"
        "<motor tendon='a' gear='2' forcelimited='true' forcerange='-.3 .4'/></actuator>",
        false);
    int both = 0, only_tendon = 0, only_range = 0;
    for (int seed = 0; seed < 3 * STATES; seed++) {
        double r[NV], sum;
        random_state(b, seed);
        of_actuation(b, r);
        const double *F = b->d->actuator_force;
        const bool range = F[0] == -.9 || F[0] == 1 || F[2] == -.3 || F[2] == .4;
        const bool over = phy_tendon_is_over(b->m, b->d, 0, &sum);
        both += range && over;
        only_tendon += over && !range;
        only_range += range && !over;
    }
    printf("held: by both %d, tendon %d, ranges %d of %d\n", both, only_tendon, only_range,
           3 * STATES);
    CHECK(both > 3 && only_tendon > 3 && only_range > 3);
    compare_actuation(b, "ranges of actuators and tendons", 3 * STATES);
    bench_close(b);
}

/* Shapes of which some touch, on the ground and each other. */
static void adhesion_follows_the_contacts(void)
{
    bench *b = bench_open(
        "",
        "<worldbody><geom name='floor' type='plane' size='5 5 1'/>"
        "<body name='a' pos='0 0 .1'><freejoint/><geom type='sphere' size='.3'/></body>"
        "<body name='b' pos='.3 .2 .3'><joint type='ball'/><joint type='slide' axis='1 .3 .2'/>"
        "<geom type='capsule' size='.2 .3'/><body pos='.2 0 .3'><joint axis='0 1 0'/>"
        "<geom type='sphere' size='.2' pos='.3 .1 0'/></body></body></worldbody>",
        "<actuator><adhesion body='a' gain='6' ctrlrange='0 2'/><adhesion body='b' gain='3'"
        " ctrlrange='0 2'/></actuator>",
        false);
    int touching = 0;
    for (int seed = 0; seed < STATES; seed++) {
        double r[NV];
        random_state(b, seed);
        of_actuation(b, r);
        touching += b->d->ncon;
    }
    CHECK(touching > STATES);
    compare_actuation(b, "adhesion", STATES);
    bench_close(b);
}

int main(void)
{
    RUN(actuators_push);
    RUN(orientations_turn);
    RUN(controllers_and_motors_push);
    RUN(limits_hold_what_actuators_do_together);
    RUN(ranges_hold_what_is_scaled_back);
    RUN(adhesion_follows_the_contacts);
    return check_done();
}
