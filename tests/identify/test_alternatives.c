/* Recordings that are misread: which reading fits is said where the fit is poor, and nothing where
 * it is good. */
#include "tests/check.h"
#include "tests/identify/identify_trial.h"
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "signals/table.h"

#include <string.h>

enum { PENDULUM, ARM, BOX, RECORDINGS = 6 };

static const char *root(void)
{
    const char *path = getenv("SALTUS_ROOT");
    return path == NULL ? "." : path;
}

/* Changes the recordings of a trial, row by row. */
typedef void (*row_change)(double *row);

static void record(int which, row_change change)
{
    trial t = trials[which];
    sal_err err = {0};
    t.nrecording = RECORDINGS;
    CHECK_OK(trial_record(&t, root(), 7, files_folder(), &err), err);
    for (int k = 0; k < RECORDINGS && change != NULL; k++) {
        char name[40];
        sig_signals s;
        sal_diag diag = {0};
        sal_text text = {0};
        snprintf(name, sizeof name, "%s_%02d.csv", t.name, k);
        CHECK_OK(sig_read(&s, files_path(name), NULL, &diag, &err), err);
        for (int c = 0; c < s.ncol; c++) { /* names that do not say the order */
            const char *column = s.column[c].name;
            sal_text_format(&text, "%s%s%s", c == 0 ? "" : ",", column[0] == 'q' ? "r_" : "",
                            column);
        }
        for (int r = 0; r < s.nrow; r++) {
            double *row = s.value + (size_t)r * (size_t)s.ncol;
            change(row);
            for (int c = 0; c < s.ncol; c++) {
                sal_text_format(&text, "%s%.15g", c == 0 ? "\n" : ",", row[c]);
            }
        }
        sal_text_add(&text, "\n");
        files_write(name, text.data, text.length);
        sal_text_clear(&text);
        sig_clear(&s);
        sal_diag_clear(&diag);
    }
}

/* The first sentence about a problem, or the error that it ends with. */
static void first_words(const char *problem, char *words, size_t n)
{
    sal_identification *i = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("p.xml", problem, strlen(problem));
    snprintf(words, n, "nothing");
    if (sal_identification_read(&i, files_path("p.xml"), NULL, &diag, &err) != SAL_OK) {
        check_case_faults++;
        printf("%s\n", diag.text.data == NULL ? err.message : diag.text.data);
    } else if (sal_identification_solve(&r, i, 2, NULL, &err) != SAL_OK) {
        snprintf(words, n, "%s", err.message);
    } else if (sal_identification_of(r)->nsentence > 0) {
        snprintf(words, n, "%s", sal_identification_of(r)->sentence[0]);
    }
    printf("     %s\n", words);
    sal_identification_free(i);
    sal_result_free(r);
    sal_diag_clear(&diag);
}

static void of_box(char *words, size_t n)
{
    char text[2000];
    snprintf(text, sizeof text,
             "<problem name='box'><model file='%s/models/parcel.xml'/>"
             "<data file='box_*.csv' time='t' up='z'><channel name='pose' body='box' columns='x y "
             "z r_qw r_qx r_qy r_qz' sigma='.0002 .0005'/></data>"
             "<parameter name='size' path='geom[box]/size' as='scale' value='.95'/>"
             "<estimate sigma='.03'/></problem>",
             files_root());
    first_words(text, words, n);
}

/* x y z and a quaternion stand in columns 1 .. 7 */
static void as_it_is(double *row)
{
    (void)row;
}

static void turned_back(double *row)
{
    for (int i = 5; i < 8; i++) {
        row[i] = -row[i];
    }
}

static void w_last(double *row)
{
    const double w = row[4];
    memmove(row + 4, row + 5, 3 * sizeof *row);
    row[7] = w;
}

static void rotations(void)
{
    char words[1000];
    record(BOX, as_it_is);
    of_box(words, sizeof words);
    CHECK(strstr(words, "would fit better") == NULL);
    record(BOX, turned_back);
    of_box(words, sizeof words);
    CHECK(strstr(words, "would fit better if the quaternions of channel 'pose' were those of the "
                        "inverse rotations") != NULL);
    record(BOX, w_last);
    of_box(words, sizeof words);
    CHECK(strstr(words, "would fit better if the quaternions of channel 'pose' had w last") !=
          NULL);
}

static void of_arm(const char *first, const char *second, const char *sign, char *words, size_t n)
{
    char text[3000];
    snprintf(text, sizeof text,
             "<problem name='arm'><model file='%s/models/payload_arm.xml'/>"
             "<data file='arm_*.csv' time='t'>"
             "<channel name='yaw' joint='yaw' columns='yaw' sigma='.002'/>"
             "<channel name='left_angle' joint='shoulder' columns='%s' sigma='.002'/>"
             "<channel name='right_angle' joint='elbow' columns='%s' sigma='.002'/>"
             "<channel name='tau_yaw' ctrl='yaw' columns='u_yaw'/>"
             "<channel name='tau_shoulder' ctrl='shoulder' columns='u_shoulder'/>"
             "<channel name='tau_elbow' ctrl='elbow' columns='u_elbow' scale='%s'/></data>"
             "<parameter name='payload' path='body[payload]/mass' map='log' value='.9' "
             "range='.3 2'/>"
             "<estimate sigma='.01' unit='force' norm='quadratic'/></problem>",
             files_root(), first, second, sign);
    first_words(text, words, n);
}

static void signs_and_sides(void)
{
    char words[1000];
    record(ARM, NULL);
    of_arm("shoulder", "elbow", "1", words, sizeof words);
    CHECK(strstr(words, "would fit better") == NULL);
    of_arm("shoulder", "elbow", "-1", words, sizeof words);
    CHECK(strstr(words, "would fit better if channel 'tau_elbow' had the opposite sign") != NULL);
    of_arm("elbow", "shoulder", "1", words, sizeof words);
    CHECK(strstr(words, "would fit better if the channels of left and right were exchanged") !=
          NULL);
}

static void memory_runs_out(void)
{
    char text[2000];
    sal_identification *i = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    record(PENDULUM, NULL);
    snprintf(text, sizeof text,
             "<problem name='p'><model file='%s/models/pendulum.xml'/>"
             "<data file='pendulum_00.csv' time='t'>"
             "<channel name='angle' joint='hinge' columns='hinge' sigma='.005'/>"
             "<channel name='torque' ctrl='motor' columns='u_motor' scale='-1'/></data>"
             "<parameter name='mass' path='body[pendulum]/mass' map='log' range='.5 2'/>"
             "<estimate sigma='.05' unit='force' norm='quadratic'><stage maxiter='3'/></estimate>"
             "</problem>",
             files_root());
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_identification_read(&i, files_path("p.xml"), NULL, &diag, &err), err);
    int n = 0;
    for (bool all = i == NULL; !all && n < 100000; n += 5) {
        sal_result *r = NULL;
        memory_fails_at(n + 1);
        const sal_status status = sal_identification_solve(&r, i, 1, NULL, &err);
        all = memory_was_enough(n + 1);
        CHECK(status == SAL_OK || status == SAL_NOMEM);
        CHECK(!all || (r != NULL && strstr(sal_identification_of(r)->sentence[0],
                                           "channel 'torque' had the opposite sign") != NULL));
        sal_result_free(r);
    }
    printf("     %d allocations\n", n);
    CHECK(n > 100);
    sal_identification_free(i);
    sal_diag_clear(&diag);
}

int main(void)
{
    RUN(rotations);
    RUN(signs_and_sides);
    RUN(memory_runs_out);
    files_remove();
    return check_done();
}
