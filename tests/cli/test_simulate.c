/* saltus simulate as a user runs it: its tables and results, controls by name and over time, bad
 * tables, divergence, interruption. */
#include "tests/cli/command.h"

#include "problems/problems.h"

static const char pendulum[] =
    "<mujoco model='swing'>\n"
    "  <option timestep='0.01' integrator='RK4'/>\n"
    "  <worldbody><body>\n"
    "    <joint name='hinge' axis='0 1 0'/>\n"
    "    <geom size='.05' pos='0 0 -1' mass='1'/>\n"
    "  </body></worldbody>\n"
    "  <actuator><motor name='push' joint='hinge'/></actuator>\n"
    "  <sensor><jointpos joint='hinge'/><jointvel joint='hinge'/></sensor>\n"
    "  <keyframe><key name='up' time='2' qpos='3' ctrl='0.5'/></keyframe>\n"
    "</mujoco>\n";

/* Runs `simulate m.xml` with more words; "@NAME" stands for a file of the test's folder. */
static int simulate(const char *more)
{
    char line[2000];
    int n = snprintf(line, sizeof line, "simulate %s ", files_path("m.xml"));
    for (const char *c = more; *c != 0 && n < (int)sizeof line - 300; c++) {
        if (*c == '@') {
            n += snprintf(line + n, 300, "%s/", files_folder());
        } else {
            line[n++] = *c;
        }
    }
    line[n] = 0;
    return run(line);
}

static void write_model(const char *text)
{
    files_write("m.xml", text, strlen(text));
}

static void write_table(const char *text)
{
    files_write("u.csv", text, strlen(text));
}

/* Number in row r (1: the first behind the header), column c of a table */
static double cell(const char *table, int r, int c)
{
    for (; r > 0 && table != NULL; r--) {
        table = strchr(table, '\n');
        table = table == NULL ? NULL : table + 1;
    }
    for (; c > 0 && table != NULL; c--) {
        table = strchr(table, ',');
        table = table == NULL ? NULL : table + 1;
    }
    return table == NULL ? (double)NAN : strtod(table, NULL);
}

static int rows(const char *table)
{
    int n = 0;
    for (; *table != 0; table++) {
        n += *table == '\n';
    }
    return n - 1;
}

/* The same steps by the library. */
static void table_is_what_the_library_steps(void)
{
    sal_model *m;
    sal_data *d;
    sal_err err = {0};
    write_model(pendulum);
    CHECK(simulate("--time 0.5 --key up") == 0);
    SAYS(out, "time,qpos0,qvel0,ctrl0,sensordata0,sensordata1\n2,3,0,0.5,3,0\n");
    CHECK(rows(out) == 51);
    SAYS(errors, "50 steps of 0.01 s, from 2 to 2.5 s");
    CHECK_OK(sal_model_load(&m, files_path("m.xml"), NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_data_reset_key(m, d, 0);
    for (int k = 0; k < 50; k++) {
        CHECK_OK(sal_step(m, d, &err), err);
    }
    CHECK_NEAR(cell(out, 51, 0), 2.5, 0);
    CHECK_NEAR(cell(out, 51, 1), d->qpos[0], 0);
    CHECK_NEAR(cell(out, 51, 2), d->qvel[0], 0);
    CHECK_NEAR(cell(out, 51, 4), d->qpos[0], 0); /* sensors are of the row's own state */
    sal_data_free(d);
    sal_model_free(m);
}

static void controls_hold_or_interpolate(void)
{
    write_model(pendulum);
    write_table("time,push\n0,1\n0.02,3\n0.04,5\n");
    CHECK(simulate("--controls @u.csv") == 0);
    CHECK(rows(out) == 5);
    const double held[] = {1, 1, 3, 3, 5};
    for (int k = 0; k < 5; k++) {
        CHECK_NEAR(cell(out, 1 + k, 3), held[k], 0);
    }
    CHECK(simulate("--controls @u.csv --interpolate linear --time 0.06") == 0);
    CHECK(rows(out) == 7);
    const double sloped[] = {1, 2, 3, 4, 5, 5, 5};
    for (int k = 0; k < 7; k++) {
        CHECK_NEAR(cell(out, 1 + k, 3), sloped[k], 1e-12);
    }
    write_table("ctrl0\n7\n8\n9\n");
    CHECK(simulate("--controls @u.csv") == 0);
    CHECK(rows(out) == 4);
    CHECK_NEAR(cell(out, 1, 3), 7, 0);
    CHECK_NEAR(cell(out, 3, 3), 9, 0);
    CHECK(simulate("--controls @u.csv --interpolate=hold --key up --time 0.02") == 0);
    CHECK_NEAR(cell(out, 1, 3), 7, 0);
}

static void bad_table(const char *text, const char *message)
{
    write_table(text);
    CHECK(simulate("--controls @u.csv -o @r.csv") == 3);
    SAYS(errors, message);
    CHECK(out[0] == 0 && !exists("r.csv"));
}

static void bad_tables_are_refused(void)
{
    write_model(pendulum);
    bad_table("", "u.csv:1:1: error: the table is empty");
    bad_table("time\n0\n",
              "u.csv:1:1: error: no column of the table is the control of an actuator");
    bad_table("time,psh\n0,1\n", "u.csv:1:6: error: the model has no actuator 'psh'");
    bad_table("time,psh\n0,1\n", "did you mean 'push'?");
    bad_table("ctrl1\n0\n", "u.csv:1:1: error: the model has only 1 actuator");
    bad_table("ctrl0,push\n0,1\n",
              "u.csv:1:7: error: this column gives the same control as column 'ctrl0'");
    bad_table("time,time,push\n0,0,1\n", "u.csv:1:6: error: there are two columns 'time'");
    bad_table("time,push\n0,1\n0,2\n", "u.csv:3:1: error: times must increase");
    bad_table("time,push\n0,1\n1,x\n", "u.csv:3:3: error: 'x' is not a number (column 'push')");
    bad_table("time,push\n0,1\n1\n", "u.csv:3:1: error: this row has 1 cell");
    bad_table("time,push\n0,nan\n1,2\n",
              "u.csv:2:1: error: the value in column 'push' is not a finite number");
    bad_table("time,push\n", "error: the table has no rows");
    bad_table("time,push\n0,1\n", "the table of controls ends at its first time");
    CHECK(simulate("--controls @gone.csv") == 5);
    CHECK(simulate("--key 0 --time 0.1") == 0 && strncmp(strchr(out, '\n'), "\n2,3,", 5) == 0);
    CHECK(simulate("--key 1") == 3 && simulate("--key 0.5") == 3);
    CHECK(simulate("--key down") == 3);
    SAYS(errors, "the model has no keyframe 'down'; its keyframes: 'up'");
    CHECK(simulate("--time 0") == 2 && simulate("--time x") == 2 && simulate("--time nan") == 2);
    CHECK(simulate("--interpolate linear") == 2 &&
          simulate("--controls @u.csv --interpolate x") == 2);
    CHECK(simulate("-o @r.txt") == 2);
    CHECK(simulate("--time 0.1 -o @no/r.csv") == 5 && simulate("--time 0.1 -o @no/r.h5") == 5);
    CHECK(simulate("--time 1e8") == 3);
    SAYS(errors, "too many");
}

/* A result: report plays it, replay finds that the engine does the same again, export gives the
 * controls back. */
static void a_result_can_be_played(void)
{
    char line[1000];
    write_model(files_replace(
        files_replace(files_model, "timestep='0.01'", "timestep='0.01' integrator='implicitfast'"),
        "<touch name='toe' site='nose'/>", ""));
    write_table("time,left_hip,ctrl:right_hip\n0,0.2,-0.2\n0.3,-0.1,0.1\n0.5,0,0\n");
    CHECK(simulate("--controls @u.csv --key stand -o @r.h5 --json --fwdinv") == 0);
    CHECK(is_json(out) && json_number("steps") == 50 && json_number("exit_code") == 0);
    CHECK(json_number("unconverged") == 0);
    SAYS(out, "\"applied\"");
    snprintf(line, sizeof line, "replay %s --json", files_path("r.h5"));
    CHECK(run(line) == 0);
    CHECK(json_number("qpos") <= 1e-12);
    snprintf(line, sizeof line, "report %s -o %s", files_path("r.h5"), files_path("page.html"));
    CHECK(run(line) == 0 && exists("page.html"));
    static char page[3000000]; /* a simulation has no cost, no seed and no problem file */
    slurp("page.html", page, sizeof page);
    char *end = strstr(page, "</main>"); /* behind it is what the page plays */
    CHECK(end != NULL && strstr(end, "</html>") != NULL);
    if (end != NULL) {
        *end = 0;
    }
    CHECK(strstr(page, "<span>cost</span>") == NULL);
    CHECK(strstr(page, "SHA-256") == NULL && strstr(page, "seed") == NULL);
    CHECK(strstr(page, "of the weight, allowed") == NULL);
    snprintf(line, sizeof line, "export %s --to csv -o %s", files_path("r.h5"),
             files_path("u.csv"));
    CHECK(run(line) == 0);
    CHECK(simulate("--key stand --time 0.5 --controls @u.csv -o @again.csv") == 0);
    CHECK(simulate("--key stand --time 0.5 --controls @u.csv") == 0);
    static char exported[200000];
    slurp("u.csv", exported, sizeof exported);
    CHECK_NEAR(cell(out, 51, 4), cell(exported, 51, 4), 1e-12);
}

static void divergence_is_reported(void)
{
    write_model("<mujoco><option timestep='0.1'/><worldbody><body><joint name='loose' type='slide' "
                "stiffness='1e9'/>"
                "<geom size='.1'/></body></worldbody><keyframe><key qpos='0.1' "
                "name='out'/></keyframe></mujoco>");
    CHECK(simulate("--key out --time 10 -o @r.csv --json") == 1);
    SAYS(errors, "the simulation is unstable: q");
    SAYS(errors, "of joint 'loose' is");
    SAYS(out, "\"status\": \"diverged\"");
    CHECK(exists("r.csv"));
    static char table[200000];
    slurp("r.csv", table, sizeof table);
    CHECK(rows(table) == (int)json_number("steps") + 1);
    for (int r = 1; r <= rows(table); r++) {
        CHECK(fabs(cell(table, r, 1)) <= 1e10);
    }
    CHECK(simulate("--key out --time 10 -o @r.h5") == 1 && exists("r.h5"));
}

/* The shoulder's inertia with a free elbow is between .073 kg m^2, the arm straight, and .167, the
 * elbow bent: with an armature of -.12 it is positive in the pose of the file alone. */
static void a_mass_matrix_that_is_indefinite_is_named(void)
{
    write_model(
        "<mujoco><worldbody><body name='arm'><joint name='shoulder' axis='0 1 0' armature='-.12'/>"
        "<geom type='capsule' size='.02' fromto='0 0 0 .5 0 0' mass='.5'/><body pos='.5 0 0'>"
        "<joint name='elbow' axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 -.5' "
        "mass='.5'/></body></body></worldbody><keyframe><key name='straight' qpos='0 -1.57'/>"
        "</keyframe></mujoco>");
    CHECK(simulate("--time .002 -o @r.csv --json") == 0);
    CHECK(json_number("dof") == -1);
    CHECK(simulate("--time .002 --key straight -o @r.csv") == 0);
    SAYS(errors,
         "the mass matrix is not positive definite at dof 0 (joint 'shoulder', body 'arm'), "
         "first at 0 s");
    CHECK(simulate("--time .002 --key straight -o @r.csv --json") == 0);
    CHECK(json_number("dof") == 0);
}

static void an_interrupt_keeps_what_was_reached(void)
{
    char line[700];
    write_model(pendulum);
    snprintf(line, sizeof line, "simulate %s --time 100000 --key up -o %s --json",
             files_path("m.xml"), files_path("long.csv"));
    const pid_t pid = start(line);
    nanosleep(&(struct timespec){0, 300000000}, NULL);
    CHECK(kill(pid, SIGINT) == 0);
    CHECK(finish(pid) == 130);
    CHECK(is_json(out) && json_number("exit_code") == 130);
    SAYS(out, "\"status\": \"interrupted\"");
    SAYS(errors, "interrupted at time");
    CHECK(exists("long.csv"));
}

/* The limit on iterations is no secret. */
static void an_unconverged_solver_is_reported(void)
{
    write_model(files_replace(
        files_replace(files_model, "timestep='0.01'", "timestep='0.01' iterations='1'"),
        "<touch name='toe' site='nose'/>", ""));
    CHECK(simulate("--time 1 --key go --json") == 0);
    CHECK(json_number("unconverged") > 0);
    SAYS(errors, "warning: the constraint solver reached its limit of 1 iterations");
}

/* A top at 100 rad/s turns by 1 rad in a step of .01 s. */
static void a_far_turn_is_reported(void)
{
    write_model("<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body>"
                "<freejoint name='top'/><geom type='box' size='.1 .2 .3'/></body></worldbody>"
                "<keyframe><key name='go' qvel='0 0 0 1 0 100'/></keyframe></mujoco>");
    CHECK(simulate("--time .1 --key go --json -o @top.csv") == 0);
    SAYS(errors, "warning: joint 'top' turns by 1");
    SAYS(errors, "rad in step ");
    SAYS(errors, "use a smaller option/timestep in the model");
    CHECK(json_number("joint") == 0 && json_number("step") >= 1);
    CHECK(simulate("--time .1 --key go --set option/timestep=.001 --json -o @top.csv") == 0);
    CHECK(strstr(errors, "warning") == NULL);
    write_model("<mujoco><option timestep='0.01' gravity='0 0 0'/><worldbody><body name='disc'>"
                "<freejoint/><geom type='box' size='.1 .2 .3'/></body></worldbody>"
                "<keyframe><key name='go' qvel='0 0 0 1 0 100'/></keyframe></mujoco>");
    CHECK(simulate("--time .1 --key go -o @top.csv") == 0);
    SAYS(errors, "warning: joint 0 (unnamed, of body 'disc') turns by 1");
}

static void the_old_behaviour_can_be_asked_for(void)
{
    write_model(files_replace(pendulum, "integrator='RK4'", "integrator='Euler'"));
    CHECK(simulate("--time 0.1 --key up --compat 2.2.2") == 0);
    write_model(files_replace(pendulum, "integrator='RK4'", "integrator='implicitfast'"));
    CHECK(simulate("--time 0.1 --key up --set option/integrator=implicit") == 0);
}

/* act' = u: after three steps of .01 s under 1 the activation is .03; the table has it, and so has
 * the result, which a replay by ctrl therefore repeats. */
static void activations_are_states(void)
{
    char line[700];
    write_model("<mujoco><option timestep='0.01'/><worldbody><body><joint name='j' "
                "type='slide'/><geom size='.1'/></body>"
                "</worldbody><actuator><general name='slow' joint='j' "
                "dyntype='integrator'/></actuator></mujoco>");
    write_table("time,slow,act0\n0,1,9\n");
    CHECK(simulate("--controls @u.csv --time 0.03") == 0);
    SAYS(out, "time,qpos0,qvel0,act0,ctrl0\n0,0,0,0,1\n");
    CHECK_NEAR(cell(out, 4, 3), 0.03, 1e-15);
    CHECK(simulate("--controls @u.csv --time 0.03 -o @r.h5") == 0);
    snprintf(line, sizeof line, "replay %s", files_path("r.h5"));
    CHECK(run(line) == 0);
    SAYS(out, "0 in act");
    write_table("slow,act1\n1,9\n");
    CHECK(simulate("--controls @u.csv") == 3);
}

/* A ball that falls on the floor */
static void contact_models_are_kept(void)
{
    static const char ball[] = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                               "<body pos='0 0 .12'><freejoint/><geom size='.1' mass='2'/></body>"
                               "</worldbody></mujoco>";
    char line[600];
    write_model(ball);
    CHECK(simulate("--time 0.5 --contact-model logbarrier --kappa 1e-3 -o @b.h5") == 0);
    snprintf(line, sizeof line, "info %s", files_path("b.h5"));
    CHECK(run(line) == 0);
    SAYS(out, "contact_model  logbarrier\n");
    SAYS(out, "kappa          0.001 J\n");
    snprintf(line, sizeof line, "replay %s --forces --json", files_path("b.h5"));
    CHECK(run(line) == 0);
    CHECK(json_number("qpos") <= 1e-9);
    char other[600];
    snprintf(other, sizeof other, "replay %s --contact-model hard --json", files_path("b.h5"));
    CHECK(run(other) == 0);
    CHECK(json_number("qpos") > 1e-6);
    snprintf(other, sizeof other, "replay %s --contact-model soft", files_path("b.h5"));
    CHECK(run(other) == 2);
    SAYS(errors, "--contact-model soft cannot be given to a result of the contact model "
                 "logbarrier; add --model");
    CHECK(simulate("--time 0.5 --contact-model hard -o @b.h5") == 0);
    CHECK(run(line) == 0);
    CHECK(json_number("qpos") <= 1e-9);
    CHECK(simulate("--time 0.5 --contact-model logbarrier --vbarrier -o @b.h5") == 0);
    CHECK(run(line) == 0);
    CHECK(json_number("qpos") <= 1e-9);
    snprintf(other, sizeof other, "info %s", files_path("b.h5"));
    CHECK(run(other) == 0);
    SAYS(out, "vbarrier       10.39");
    CHECK(simulate("--time 0.1 --contact-model hard --vbarrier") == 2);
    SAYS(errors, "--vbarrier needs --contact-model logbarrier");
    CHECK(simulate("--time 0.1 --vbarrier") == 2);
    CHECK(simulate("--time 0.1 --contact-model convex -o @b.csv") == 0);
    CHECK(simulate("--time 0.5 --contact-model complementarity -o @b.h5") == 0);
    CHECK(run(line) == 0);
    CHECK(json_number("qpos") <= 1e-9);
    snprintf(line, sizeof line, "info %s", files_path("b.h5"));
    CHECK(run(line) == 0);
    SAYS(out, "contact_model  complementarity\nweight_equality 100\nweight_contact 0\n");
    CHECK(simulate("--time 0.1 --contact-model hardest") == 2);
    SAYS(errors, "--contact-model must be one of soft logbarrier convex hard complementarity "
                 "diagonal; it is 'hardest'");
    CHECK(simulate("--time 0.1 --solver newton") == 2);
    SAYS(errors, "--solver must be one of Newton PGS CG; it is 'newton'");
    CHECK(simulate("--time 0.1 --contact-model logbarrier --kappa 0") == 2);
    SAYS(errors, "--kappa must be a number greater than 0");
    write_model(pendulum); /* RK4 */
    CHECK(simulate("--time 0.1 --contact-model convex") == 3);
    SAYS(errors, "the contact model convex needs the integrator Euler; the model has another");
}

/* What a box does on the floor, by any solver; at the limit of iterations that is said. */
static void solvers_can_be_chosen(void)
{
    static const char box[] =
        "<mujoco><option solver='PGS' noslip_iterations='2' iterations='1000'/><worldbody>"
        "<geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/>"
        "<geom type='box' size='.1 .2 .1'/></body></worldbody></mujoco>";
    char line[700];
    write_model(box);
    CHECK(simulate("--time .1 -o @own.csv") == 0);
    CHECK(strstr(errors, "warning") == NULL);
    CHECK(simulate("--time .1 --solver CG -o @cg.csv") == 0);
    CHECK(simulate("--time .1 --set option/solver=Newton -o @newton.csv") == 0);
    CHECK(simulate("--time .1 --set option/iterations=1 --set option/tolerance=1e-12 "
                   "-o @short.csv") == 0);
    SAYS(errors, "warning: the constraint solver reached its limit of 1 iterations in ");
    SAYS(errors, "raise option/iterations in the model, or use --solver Newton");
    snprintf(line, sizeof line, "info %s", files_path("m.xml"));
    CHECK(run(line) == 0);
    SAYS(out, "solver         PGS\nnoslip_iterations 2\n");
}

/* A ball between a floor and a ceiling that are 1 cm too near: no force drives it out of both. */
static void forces_that_do_not_exist_are_reported(void)
{
    static const char squeezed[] =
        "<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='1 1 1'/>"
        "<geom type='box' size='1 1 .1' pos='0 0 .29'/><body pos='0 0 .095'>"
        "<joint type='slide' axis='0 0 1'/><geom size='.1' mass='2'/></body></worldbody></mujoco>";
    write_model(squeezed);
    CHECK(simulate("--contact-model complementarity --time .1") == 0);
    SAYS(errors, "the contact model complementarity found no exact forces in 10 of 10 steps, "
                 "first at 0 s: its conditions are met to ");
    CHECK(simulate("--contact-model convex --time .1") == 0);
    CHECK(strstr(errors, "exact forces") == NULL);
}

int main(void)
{
    RUN(table_is_what_the_library_steps);
    RUN(controls_hold_or_interpolate);
    RUN(bad_tables_are_refused);
    RUN(a_result_can_be_played);
    RUN(divergence_is_reported);
    RUN(a_mass_matrix_that_is_indefinite_is_named);
    RUN(an_interrupt_keeps_what_was_reached);
    RUN(an_unconverged_solver_is_reported);
    RUN(a_far_turn_is_reported);
    RUN(the_old_behaviour_can_be_asked_for);
    RUN(activations_are_states);
    RUN(contact_models_are_kept);
    RUN(solvers_can_be_chosen);
    RUN(forces_that_do_not_exist_are_reported);
    files_remove();
    return check_done();
}
