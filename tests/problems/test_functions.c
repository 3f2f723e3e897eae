/* Terms and constraints of functions that a program gives: against quantities that the language has
 * itself, which are the same functions of the same numbers; and what is said of those that cannot
 * be. */
#include "tests/problems/linearise.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

#include <math.h>

/* An arm of two links, motors with gears of their own. */
static const char arm[] =
    "<mujoco><option timestep='.01'/><worldbody><body name='upper'>"
    "<joint name='shoulder' axis='0 1 0' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -.5' size='.04'/><body name='lower' pos='0 0 -.5'>"
    "<joint name='elbow' axis='0 1 0' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03'/><site name='hand' pos='0 0 -.4'/>"
    "</body></body></worldbody><actuator><motor name='shoulder' joint='shoulder' gear='3'/>"
    "<motor name='elbow' joint='elbow' gear='2'/></actuator></mujoco>";

#define ARM(terms, constraints, functions)                                                         \
    "<problem name='arm'><model file='arm.xml'/><time nstep='30' duration='.6'/>"                  \
    "<boundary type='open'><start qpos='0 0' qvel='0'/><end qvel='0'/></boundary>"                 \
    "<cost><term name='effort' ctrl='all' weight='.1'/>" terms "</cost>" constraints functions     \
    "<init noise='.3' seed='2'/></problem>"

#define TERM(attrs) "<term name='own' weight='2' " attrs "/>"
#define REACH(attrs)                                                                               \
    "<constraints><constraint name='reach' at='end' target='.5' tol='1e-6' " attrs                 \
    "/></constraints>"
#define POWER "<function name='power'><input force='all'/><input joint='all' of='vel'/></function>"
#define HAND                                                                                       \
    "<function name='hand'><input joint='shoulder'/><input joint='elbow' "                         \
    "component='0'/></function>"

/* ---- the functions ---- */

static const double gear[2] = {3, 2};

/* x = force of the two motors, velocity of the two joints; r_i = f_i gear_i v_i, as `power` */
static bool power(void *user, int step, const double *x, int nx, double *r, double *J)
{
    const bool differentiates = *(const bool *)user;
    (void)step;
    for (int i = 0; i < 2; i++) {
        r[i] = x[i] * gear[i] * x[2 + i];
        if (J != NULL && differentiates) {
            J[i * nx + i] = gear[i] * x[2 + i];
            J[i * nx + 2 + i] = gear[i] * x[i];
        }
    }
    return differentiates;
}

/* x of the hand, from the angles */
static bool hand(void *user, int step, const double *x, int nx, double *r, double *J)
{
    (void)user, (void)step, (void)nx, (void)J;
    r[0] = -.5 * sin(x[0]) - .4 * sin(x[0] + x[1]);
    return false;
}

/* Not defined for angles beyond .1 rad */
static bool walled(void *user, int step, const double *x, int nx, double *r, double *J)
{
    (void)user, (void)step, (void)nx, (void)J;
    r[0] = sqrt(.1 - x[0]);
    return false;
}

static bool counted(void *user, int step, const double *x, int nx, double *r, double *J)
{
    (void)J;
    int *calls = user;
    calls[step]++;
    r[0] = nx == 1 ? x[0] : (double)NAN;
    return false;
}

/* ---- reading and comparing ---- */

static sal_problem *read_arm(const char *text, const sal_function *function, int n)
{
    const sal_problem_options options = {.function = function, .nfunction = n};
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("arm.xml", arm, strlen(arm));
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), &options, &diag, &err), err);
    sal_diag_clear(&diag);
    return p;
}

typedef struct linear {
    prb_transcription *tr;
    double *r, *J;
    size_t nr, nJ;
} linear;

/* Residuals and Jacobian at the first guess, which is none of a motion at rest. */
static void linearise(linear *l, const sal_problem *p, int nthread)
{
    sal_err err = {0};
    CHECK_OK(prb_transcription_new(&l->tr, p, nthread, &err), err);
    l->nr = l->tr->r_adr[l->tr->nblock];
    l->nJ = l->tr->J_adr[l->tr->nblock];
    double *x = calloc((size_t)l->tr->layout.nx, sizeof *x);
    l->r = calloc(l->nr, sizeof *l->r);
    l->J = calloc(l->nJ, sizeof *l->J);
    CHECK_OK(prb_guess(l->tr, x, 2, &err), err);
    CHECK_OK(linearise_whole(l->tr, l->r, l->J, x, &err), err);
    free(x);
}

static void clear(linear *l)
{
    prb_transcription_free(l->tr);
    free(l->r), free(l->J);
}

static double most_off(const double *a, const double *b, size_t n)
{
    double off = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        off = fmax(off, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return off / size;
}

/* The same residuals and derivatives as the quantity that the language has: where the function
 * gives them to rounding, else to those of central differences. */
static void it_is_what_the_language_has(void)
{
    static bool yes = true, no = false;
    const sal_function exact = {"power", 2, power, &yes}, plain = {"power", 2, power, &no};
    sal_problem *p[3] = {read_arm(ARM(TERM("power='all'"), "", ""), NULL, 0),
                         read_arm(ARM(TERM("function='power'"), "", POWER), &exact, 1),
                         read_arm(ARM(TERM("function='power'"), "", POWER), &plain, 1)};
    linear l[3];
    for (int k = 0; k < 3; k++) {
        linearise(&l[k], p[k], 1);
        CHECK(l[k].nr == l[0].nr && l[k].nJ == l[0].nJ);
        CHECK(most_off(l[k].r, l[0].r, l[0].nr) < 1e-14);
    }
    const double own = most_off(l[1].J, l[0].J, l[0].nJ),
                 differences = most_off(l[2].J, l[0].J, l[0].nJ);
    printf("     Jacobian: %.1e, by differences %.1e\n", own, differences);
    CHECK(own < 1e-14);
    CHECK(differences < 1e-9 && differences > 0); /* another path */
    for (int k = 0; k < 3; k++) {
        clear(&l[k]);
        sal_problem_free(p[k]);
    }
}

static void the_bits_do_not_depend_on_threads(void)
{
    bool no = false;
    const sal_function plain = {"power", 2, power, &no};
    sal_problem *p = read_arm(ARM(TERM("function='power'"), "", POWER), &plain, 1);
    linear one, four;
    linearise(&one, p, 1);
    linearise(&four, p, 4);
    CHECK(memcmp(one.J, four.J, one.nJ * sizeof *one.J) == 0);
    clear(&one);
    clear(&four);
    sal_problem_free(p);
}

/* A constraint on the last instant, where no force acts: the place of the hand, from the angles. */
static void constraints_hold(void)
{
    const sal_function function = {"hand", 1, hand, NULL};
    sal_err err = {0};
    sal_result *r[2] = {NULL, NULL};
    sal_problem *p[2] = {read_arm(ARM("", REACH("position='hand' component='x'"), ""), NULL, 0),
                         read_arm(ARM("", REACH("function='hand'"), HAND), &function, 1)};
    for (int k = 0; k < 2; k++) {
        CHECK_OK(sal_problem_solve(&r[k], p[k], 2, NULL, &err), err);
        CHECK(r[k] != NULL && sal_result_exit_code(r[k]) == 0);
    }
    if (r[0] != NULL && r[1] != NULL) {
        const double *q = r[1]->qpos + 30 * 2;
        CHECK_NEAR(-.5 * sin(q[0]) - .4 * sin(q[0] + q[1]), .5, 1e-6);
        CHECK_NEAR(sal_result_cost(r[1]), sal_result_cost(r[0]), 1e-4 * sal_result_cost(r[0]));
        for (int i = 0; i < 31 * 2; i++) {
            CHECK_NEAR(r[1]->qpos[i], r[0]->qpos[i], 1e-2);
        }
    }
    for (int k = 0; k < 2; k++) {
        sal_result_free(r[k]);
        sal_problem_free(p[k]);
    }
}

/* What is not finite is no motion to go to. */
static void what_is_not_finite_is_left_alone(void)
{
    const sal_function function = {"walled", 1, walled, NULL};
    sal_err err = {0};
    sal_result *r = NULL;
    sal_problem *p =
        read_arm(files_replace(ARM(TERM("function='walled'"), "",
                                   "<function name='walled'><input joint='shoulder'/></function>"),
                               "noise='.3'", "noise='.001'"),
                 &function, 1);
    CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    CHECK(r != NULL && isfinite(sal_result_cost(r)));
    for (int k = 0; r != NULL && k <= 30; k++) {
        CHECK(r->qpos[2 * k] <= .1);
    }
    sal_result_free(r);
    sal_problem_free(p);
}

/* It is called for its instants, with the numbers that count. */
static void it_is_called_at_its_instants(void)
{
    int calls[31] = {0};
    const sal_function function = {"counted", 1, counted, calls};
    sal_problem *p =
        read_arm(ARM(TERM("function='counted' window='.2 .4'"), "",
                     "<function name='counted'><input com='all' component='z'/></function>"),
                 &function, 1);
    linear l;
    linearise(&l, p, 1);
    for (int t = 0; t <= 30; t++) {
        CHECK(calls[t] == (t < 10 || t > 20 ? 0 : 3)); /* itself, and beside on both sides */
    }
    clear(&l);
    sal_problem_free(p);
}

/* ---- what cannot be ---- */

static void says(const char *text, const sal_function *function, int n, const char *words)
{
    const sal_problem_options options = {.function = function, .nfunction = n};
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("p.xml", text, strlen(text));
    (void)sal_problem_read(&p, files_path("p.xml"), &options, &diag, &err);
    const bool said = diag.text.data != NULL && strstr(diag.text.data, words) != NULL;
    CHECK(said);
    if (!said) {
        printf("  not '%s', but:\n%s", words, diag.text.data == NULL ? "" : diag.text.data);
    }
    sal_diag_clear(&diag);
    sal_problem_free(p);
}

static void faults_are_said(void)
{
    const sal_function function[] = {
        {"hand", 1, hand, NULL}, {"none", 0, hand, NULL}, {"nil", 1, NULL, NULL}};
    files_write("arm.xml", arm, strlen(arm));
    says(ARM(TERM("function='hand'"), "", HAND), NULL, 0,
         "error: there is no function 'hand' in the program that reads this file");
    says(ARM(TERM("function='hand'"), "", HAND), NULL, 0, "the command has none");
    says(ARM(TERM("function='hand'"), "", HAND), function + 1, 2, "the program gives none, nil");
    says(ARM(TERM("function='foot'"), "", HAND), function, 3,
         "error: there is no <function> 'foot'");
    says(ARM(TERM("function='hand'"), "", HAND HAND), function, 3,
         "error: two elements <function> have the name 'hand'");
    says(ARM("", "", HAND), function, 3, "warning: the function 'hand' has no effect");
    says(ARM(TERM("function='none'"), "", "<function name='none'><input joint='all'/></function>"),
         function, 3, "the program gives the function 'none' with 0 residuals; it needs at least");
    says(ARM(TERM("function='nil'"), "", "<function name='nil'><input joint='all'/></function>"),
         function, 3, "and no call");
    says(
        ARM(TERM("function='hand'"), "", "<function name='hand'><input joint='wrist'/></function>"),
        function, 3, "error: the model has no joint 'wrist'");
    says(ARM(TERM("function='hand'"), "", "<function name='hand'/>"), function, 3,
         "error: <function> needs the element <input>");
    says(ARM(TERM("function='hand'"), "",
             "<function name='hand'><input function='hand'/></function>"),
         function, 3, "error: unknown attribute 'function' in <input>");
    says(ARM(TERM("function='hand' component='1'"), "", HAND), function, 3,
         "error: component 1 does not exist");
    says(ARM("", REACH("function='hand'"), "<function name='hand'><input ctrl='all'/></function>"),
         function, 3, "at='end'");
}

int main(void)
{
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    RUN(it_is_what_the_language_has);
    RUN(the_bits_do_not_depend_on_threads);
    RUN(constraints_hold);
    RUN(what_is_not_finite_is_left_alone);
    RUN(it_is_called_at_its_instants);
    RUN(faults_are_said);
    files_remove();
    return check_done();
}
