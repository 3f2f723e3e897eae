/* Double pendulums of others, recorded, cut to windows of a second. Of half of them the models are
 * identified; the other half is predicted from the state at the begin of each window, which its
 * first samples tell. */
#include "tests/check.h"
#include "tests/folder.h"
#include "tests/problems/solve_file.h"

#include "base/house.h"
#include "problems/result/result.h"

#include <dirent.h>
#include <unistd.h>

enum { MAX_COLUMN = 32 };

typedef struct table {
    int nrow, ncol;
    char name[MAX_COLUMN][32];
    double *value; /* [nrow x ncol] */
} table;

static int column(const table *t, const char *name)
{
    for (int i = 0; i < t->ncol; i++) {
        if (strcmp(t->name[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_table(table *t, const char *path)
{
    char line[4096];
    *t = (table){0};
    FILE *f = fopen(path, "r");
    if (f == NULL || fgets(line, sizeof line, f) == NULL) {
        return false;
    }
    for (char *s = strtok(line, ", \r\n"); s != NULL && t->ncol < MAX_COLUMN;
         s = strtok(NULL, ", \r\n")) {
        snprintf(t->name[t->ncol++], sizeof t->name[0], "%s", s);
    }
    const size_t most = 50000;
    t->value = malloc(most * (size_t)t->ncol * sizeof(double));
    while (t->value != NULL && (size_t)t->nrow < most && fgets(line, sizeof line, f) != NULL) {
        char *s = line;
        for (int i = 0; i < t->ncol; i++, s += *s == ',') {
            t->value[t->nrow * t->ncol + i] = strtod(s, &s);
        }
        t->nrow++;
    }
    fclose(f);
    return t->value != NULL && t->nrow > 0;
}

static void remove_files(const char *begin)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        char name[64];
        snprintf(name, sizeof name, "%.60s", e->d_name);
        if (strncmp(name, begin, strlen(begin)) == 0) {
            unlink(in_folder(name));
        }
    }
    if (d != NULL) {
        closedir(d);
    }
}

static sal_result *solve(const char *name, const sal_setting *setting, int nsetting)
{
    char file[128];
    snprintf(file, sizeof file, "tests/identify/%s.xml", name);
    return solve_file(file, &(sal_problem_options){.setting = setting, .nsetting = nsetting});
}

/* Root mean square over time of the angles' errors in each window that was held out, ascending; how
 * many there are */
static int predicted(double *rms, int most, const sal_identification_result *e)
{
    int n = 0;
    for (int i = 0; i < e->nrecording && n < most; i++) {
        const sal_identification_recording *r = e->recording + i;
        if (r->held) {
            const double *x = r->channel_predicted;
            rms[n++] = sqrt((x[0] * x[0] + x[1] * x[1]) / 2);
        }
    }
    sal_sort(rms, n);
    return n;
}

/* NaN if there is none of that name */
static double value(const sal_identification_result *e, const char *name)
{
    double found = (double)NAN;
    for (int i = 0; i < e->nparameter; i++) {
        if (strcmp(e->parameter[i].name, name) == 0) {
            found = e->parameter[i].value;
        }
    }
    return found;
}

static void print_parameters(const sal_identification_result *e)
{
    for (int i = 0; i < e->nparameter; i++) {
        const sal_identification_parameter *p = e->parameter + i;
        printf("    %-18s %10.5g +- %.2g\n", p->name, p->value, p->se);
    }
}

/* ---- swinging freely ---- */

/* Windows of 501 samples; of the lower angle what it is to the upper one */
static bool cut_free_swing(void)
{
    char path[1024];
    table t;
    snprintf(path, sizeof path, "%s/data/multiarm_pendulum/double_free_swing.csv",
             getenv("SALTUS_CORPUS") == NULL ? "../shared" : getenv("SALTUS_CORPUS"));
    const bool there = read_table(&t, path);
    const int upper = column(&t, "theta1"), lower = column(&t, "theta2");
    for (int k = 0; there && 500 * k + 501 <= t.nrow; k++) {
        char name[32];
        snprintf(name, sizeof name, "swing_%02d.csv", k);
        FILE *f = fopen(in_folder(name), "w");
        fprintf(f, "t,theta1,theta21\n");
        for (int i = 500 * k; i <= 500 * k + 500; i++) {
            const double *x = t.value + i * t.ncol;
            fprintf(f, "%.3f,%.6f,%.6f\n", x[0], x[upper], x[lower] - x[upper]);
        }
        fclose(f);
    }
    free(t.value);
    return there;
}

static void free_swing_is_predicted(void)
{
    if (!cut_free_swing()) {
        SKIP("no corpus (data/multiarm_pendulum)");
    }
    const sal_setting setting = {"data/file", in_folder("swing_*.csv")};
    sal_result *r = solve("identify_free_swing", &setting, 1);
    double rms[128];
    if (r != NULL && sal_identification_of(r) != NULL) {
        const int n = predicted(rms, 128, sal_identification_of(r));
        printf("free swing: %s, %.1f s, %d windows predicted: median %.2f mrad, 90 %% %.2f mrad\n",
               r->status, r->seconds, n, 1e3 * rms[n / 2], 1e3 * rms[9 * n / 10]);
        print_parameters(sal_identification_of(r));
        CHECK_TEXT(r->status, "converged");
        CHECK(n >= 30);
        CHECK(rms[n / 2] <= 5e-3);
        /* the distance of the hinges as the frequencies of the swing tell, in a pendulum said to be
         * .1727 m */
        CHECK_NEAR(value(sal_identification_of(r), "length"), -.173, .001);
    }
    sal_result_free(r);
    remove_files("swing_");
}

/* ---- driven through gears ---- */

/* Windows of 501 samples of two recordings of one machine, without their first, late sample; how
 * many there are */
static int cut_driven_swing(void)
{
    static const char *const files[] = {"C1_143339", "C1_143601"};
    static const char *const columns[] = {"time", "pos_meas1", "pos_meas2", "tau_meas1",
                                          "tau_meas2"};
    int n = 0;
    for (int r = 0; r < 2; r++) {
        char path[1024];
        table t;
        snprintf(path, sizeof path, "%s/data/dfki_double_pendulum/%s.csv",
                 getenv("SALTUS_CORPUS") == NULL ? "../shared" : getenv("SALTUS_CORPUS"), files[r]);
        const bool there = read_table(&t, path);
        for (int begin = 1; there && begin + 501 <= t.nrow; begin += 500, n++) {
            char name[32];
            snprintf(name, sizeof name, "driven_%02d.csv", n);
            FILE *f = fopen(in_folder(name), "w");
            fprintf(f, "time,pos_meas1,pos_meas2,tau_meas1,tau_meas2\n");
            for (int i = begin; i < begin + 501; i++) {
                for (int c = 0; c < 5; c++) {
                    fprintf(f, "%.8g%s", t.value[i * t.ncol + column(&t, columns[c])],
                            c < 4 ? "," : "\n");
                }
            }
            fclose(f);
        }
        free(t.value);
    }
    return n;
}

/* What the forces tell of two links: moments of gravity, N m, of all and of the lower link; and its
 * inertia about the elbow with the motor's. The machine's builders give 2.15 (2.25), 1.55 (1.57)
 * and .0533 (.0531) in their second (first) model. Friction of the gears and torques that are not
 * what was measured keep the prediction from being better: their own model is off by 160 mrad. */
static void driven_swing_is_predicted(void)
{
    if (cut_driven_swing() == 0) {
        SKIP("no corpus (data/dfki_double_pendulum)");
    }
    const sal_setting setting = {"data/file", in_folder("driven_*.csv")};
    sal_result *r = solve("identify_driven_swing", &setting, 1);
    double rms[64];
    if (r != NULL && sal_identification_of(r) != NULL) {
        const sal_identification_result *e = sal_identification_of(r);
        const int n = predicted(rms, 64, e);
        const double upper = value(e, "upper_mass"), lower = value(e, "lower_mass");
        const double all = 9.81 * .2 * (upper + lower), own = 9.81 * .25 * lower;
        const double inertia =
            lower * .25 * .25 + value(e, "lower_inertia") + value(e, "elbow_armature");
        printf("driven swing: %s, %.1f s, %d windows predicted: median %.1f mrad, 90 %% %.1f "
               "mrad\n    moments %.3f and %.3f N m, inertia about the elbow %.4f kg m^2\n",
               r->status, r->seconds, n, 1e3 * rms[n / 2], 1e3 * rms[9 * n / 10], all, own,
               inertia);
        print_parameters(e);
        CHECK_NEAR(own, 1.55, .1);
        CHECK_NEAR(all, 2.15, .3);
        CHECK_NEAR(inertia, .0533, .006);
        CHECK(rms[n / 2] <= 35e-3);
    }
    sal_result_free(r);
    remove_files("driven_");
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(free_swing_is_predicted);
    RUN(driven_swing_is_predicted);
    rmdir(folder);
    return check_done();
}
