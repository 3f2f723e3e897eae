#include "tests/memory.h"
#include "tests/problems/motions.h"

#include "problems/result/result.h"
#include "runs/runs.h"

#include <unistd.h>

static char path[] = P_tmpdir "/saltus-test-XXXXXX";

/* Forces of a table, by its text. Returns the diagnostics' first line (static). */
static const char *invert(const sal_model *m, const char *table, size_t n, bool full, sal_text *out,
                          sal_text *contacts, sal_status *status)
{
    static char first[600];
    const sal_inverse_options options = {full};
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_file_write(path, table, n, &err), err);
    *status = sal_inverse_csv(m, path, &options, out, contacts, &diag, &err);
    snprintf(first, sizeof first, "%s",
             diag.nerror > 0
                 ? diag.first + (strncmp(diag.first, path, strlen(path)) == 0 ? strlen(path) : 0)
                 : err.message);
    sal_diag_clear(&diag);
    return first;
}

/* The numbers of row `row` (0: the header is skipped) of a table of ours. */
static void numbers_of_row(const char *table, int row, double *x, int n)
{
    const char *s = table;
    for (int i = 0; i <= row; i++) {
        s = strchr(s, '\n') + 1;
    }
    for (int i = 0; i < n; i++) {
        const char *end = s;
        CHECK(sal_text_number(s, &end, x + i));
        s = end + 1;
    }
}

/* The first `keep` columns of a table. */
static void first_columns(sal_text *out, const char *table, int keep)
{
    int column = 0;
    for (const char *s = table; *s != 0; s++) {
        column = *s == '\n' ? 0 : column + (*s == ',');
        if (column < keep) {
            sal_text_addn(out, s, 1);
        }
    }
}

static void check_forces(const motion *a, const char *table, int first, int last)
{
    const int nv = a->m->nv;
    for (int t = 0; t <= a->n; t++) {
        double f[8] = {0};
        numbers_of_row(table, t, f, nv);
        for (int i = 0; i < nv; i++) {
            if (t < first || t > last) {
                CHECK(isnan(f[i]));
            } else {
                const double want = a->r->qfrc_inverse[t * nv + i];
                CHECK_NEAR(f[i], want, 1e-9 * (1 + fabs(want)) + 1e-9 * a->r->weight);
            }
        }
    }
}

static void exported_motions_give_their_forces_again(void)
{
    for (int which = 0; which < 3; which++) {
        motion a;
        sal_err err = {0};
        sal_status status;
        sal_text all = {0}, motion_only = {0}, forces = {0};
        if (which == 0) {
            motion_pendulum(&a);
        } else if (which == 1) {
            motion_hopper(&a, true);
        } else {
            motion_cycle(&a);
        }
        CHECK_OK(sal_result_csv(a.r, &all, &err), err);
        first_columns(&motion_only, all.data, 1 + a.m->nq);
        invert(a.m, motion_only.data, motion_only.length, false, &forces, NULL, &status);
        CHECK(status == SAL_OK);
        check_forces(&a, forces.data, 1, a.n - 1); /* the ends have no neighbour */
        sal_text_clear(&forces);
        invert(a.m, all.data, all.length, false, &forces, NULL, &status);
        CHECK(status == SAL_OK);
        check_forces(&a, forces.data, 0, a.n - 1); /* states: all but the last, whose qacc is nan */
        sal_text_clear(&forces);
        sal_text_clear(&motion_only);
        sal_text_clear(&all);
        motion_clear(&a);
    }
}

static void full_tables_add_up(void)
{
    motion a;
    sal_status status;
    sal_err err = {0};
    sal_text all = {0}, out = {0}, contacts = {0};
    motion_hopper(&a, false);
    const int nv = a.m->nv;
    CHECK_OK(sal_result_csv(a.r, &all, &err), err);
    invert(a.m, all.data, all.length, true, &out, &contacts, &status);
    CHECK(status == SAL_OK && strncmp(out.data, "qfrc_inverse0,", 14) == 0);
    CHECK(strstr(out.data, "qfrc_bias7\n") != NULL);
    double x[32];
    for (int t = 0; t < a.n; t++) {
        numbers_of_row(out.data, t, x, 4 * nv);
        for (int i = 0; i < nv; i++) {
            CHECK_NEAR(x[nv + i], a.r->qfrc_passive[t * nv + i], 1e-12);
            CHECK_NEAR(x[2 * nv + i], a.r->qfrc_constraint[t * nv + i], 1e-8 * a.r->weight);
        }
    }
    for (int k = 0; k < a.r->contact_offset[a.n]; k++) { /* row,geom1,geom2,dist,pos,frame,force */
        numbers_of_row(contacts.data, k, x, 22);
        CHECK_NEAR(x[3], a.r->contact_dist[k], 1e-15);
        CHECK_NEAR(x[16], a.r->contact_force[6 * k], 1e-8 * a.r->weight);
        CHECK(k >= a.r->contact_offset[(int)x[0]] && k < a.r->contact_offset[(int)x[0] + 1]);
    }
    sal_text_clear(&all);
    sal_text_clear(&out);
    sal_text_clear(&contacts);
    motion_clear(&a);
}

/* A pendulum at rest under gravity, at the angle of each row: f = m g l sin(q), analytically. */
static void named_columns_in_any_order(void)
{
    static const char table[] = "\xEF\xBB\xBFremark,\"qacc:swing\" , qvel:swing:0,qpos:swing\r\n"
                                "\"a \"\"quoted\"\", remark\",0,0,.5\r\n"
                                "\r\n  \t\r\n"
                                "x, \"0\" ,-0.0e0,-1.25e-1\r\n"
                                ",0,0,nan";
    sal_model *m = motion_model(pendulum_xml);
    sal_text out = {0};
    sal_status status;
    const char *said = invert(m, table, sizeof table - 1, false, &out, NULL, &status);
    CHECK_TEXT(said, "");
    CHECK(status == SAL_OK);
    double f = 0;
    numbers_of_row(out.data, 0, &f, 1);
    CHECK_NEAR(f, 9.81 * (0.5 * 0.5 + 1) * sin(0.5), 1e-12);
    numbers_of_row(out.data, 1, &f, 1);
    CHECK_NEAR(f, 9.81 * (0.5 * 0.5 + 1) * sin(-0.125), 1e-12);
    numbers_of_row(out.data, 2, &f, 1);
    CHECK(isnan(f));
    sal_text_clear(&out);
    sal_model_free(m);
}

static void faults_have_their_place(void)
{
    static const struct {
        const char *table, *says;
    } bad[] = {
        {"", ":1:1: error: the table is empty"},
        {"\n \r\n", ":1:1: error: the table is empty"},
        {"time,,qpos0\n", ":1:6: error: column 2 has no name"},
        {"time,\"qpos0\n1,2\n", ":1:7: error: the quotes of this name do not match"},
        {"qpos0\n0\n", ":1:1: error: the table has no column 'time' and no columns of qvel"},
        {"time,qpos0,qvel0\n0,0,0\n", "column 'qacc0' (or 'qacc:swing') is missing"},
        {"time,qpos7\n0,0\n", ":1:6: error: the model has only 1 numbers in qpos"},
        {"time,qpos:swign\n0,0\n", ":1:6: error: the model has no joint 'swign'"},
        {"time,qpos:swing:1\n0,0\n", ":1:6: error: joint 'swing' has only 1 number"},
        {"time,qpos0,qpos:swing\n0,0,0\n",
         ":1:12: error: this column gives the same number as column 'qpos0'"},
        {"time,time,qpos0\n0,0,0\n", ":1:6: error: there are two columns 'time'"},
        {"time,qpos0\n0,0\n1,0\n", "a motion needs at least 3 rows"},
        {"time,qpos0\n0,0\n\n.1,0\n.3,0\n", ":4:1: error: times are not evenly spaced"},
        {"time,qpos0\n0,0\n-1,0\n-2,0\n", "the last time must be greater than the first"},
        {"time,qpos0\n0,0\n0.1,zero\n.2,0\n", ":3:5: error: 'zero' is not a number"},
        {"time,qpos0\n0,0\n0.1,1.5x\n.2,0\n", ":3:5: error: '1.5x' is not a number"},
        {"time,qpos0\n0,0\n0.1,\n.2,0\n", ":3:5: error: the cell of column 'qpos0' is empty"},
        {"time,qpos0\n0,0\n0.1\n.2,0\n", ":3:1: error: this row has 1 cell, but"},
        {"time,qpos0\n0,0\n0.1,2,3\n.2,0\n", ":3:1: error: this row has 3 cells, but"},
        {"qpos0,qvel0,qacc0\n0,1e200,1e308\n1e305,0,1e308\n", "are not finite"},
    };
    sal_model *m = motion_model(pendulum_xml);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sal_text out = {0};
        sal_status status;
        const char *said =
            invert(m, bad[i].table, strlen(bad[i].table), false, &out, NULL, &status);
        CHECK(status == SAL_BADINPUT);
        if (strstr(said, bad[i].says) == NULL) {
            CHECK_TEXT(said, bad[i].says);
        }
        sal_text_clear(&out);
    }
    sal_model_free(m);
}

static void all_faults_are_told_at_once(void)
{
    sal_model *m = motion_model(hopper_xml);
    const char table[] = "time,qpos0,qpos:root,qpos:nobody\n";
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text out = {0};
    CHECK_OK(sal_file_write(path, table, sizeof table - 1, &err), err);
    CHECK(sal_inverse_csv(m, path, NULL, &out, NULL, &diag, &err) == SAL_BADINPUT);
    CHECK(diag.nerror == 10); /* two bad names, eight of nine positions missing */
    CHECK(strstr(diag.text.data, "qpos:root:0 to :6") != NULL);
    CHECK(strstr(diag.text.data, "column 'qpos8' (or 'qpos:right_hip') is missing") != NULL);
    sal_diag_clear(&diag);
    sal_text_clear(&out);
    sal_model_free(m);
}

/* From row 3 to row 4 by .8 rad */
static void a_far_turn_has_its_place(void)
{
    const char table[] = "time,qpos0\n0,.1\n.02,.1\n.04,.1\n.06,.9\n.08,1\n.1,1\n";
    sal_model *m = motion_model(pendulum_xml);
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text out = {0};
    CHECK_OK(sal_file_write(path, table, sizeof table - 1, &err), err);
    CHECK_OK(sal_inverse_csv(m, path, &(sal_inverse_options){0}, &out, NULL, &diag, &err), err);
    CHECK(diag.nwarning == 1);
    CHECK(strstr(diag.text.data, ":5:1: warning: joint ") != NULL);
    CHECK(strstr(diag.text.data, "turns by 0.8 rad from the row before to this one") != NULL);
    sal_diag_clear(&diag);
    sal_text_clear(&out);
    sal_model_free(m);
}

static void rows_beside_a_gap_are_nan(void)
{
    const char table[] = "time,qpos0\n0,.1\n.02,.1\n.04,.1\n.06,nan\n.08,.1\n.1,.1\n.12,.1\n";
    const bool known[] = {false, true, false, false, false, true, false};
    sal_model *m = motion_model(pendulum_xml);
    sal_text out = {0};
    sal_status status;
    invert(m, table, sizeof table - 1, false, &out, NULL, &status);
    CHECK(status == SAL_OK);
    for (int row = 0; row < 7; row++) {
        double f;
        numbers_of_row(out.data, row, &f, 1);
        CHECK(isnan(f) == !known[row]);
    }
    sal_text_clear(&out);
    sal_model_free(m);
}

static void long_tables_and_lost_memory(void)
{
    sal_model *m = motion_model(pendulum_xml);
    sal_text table = {0}, out = {0};
    sal_status status = SAL_NOMEM;
    sal_text_add(&table, "time,qpos0\n");
    for (int i = 0; i < 100000; i++) {
        sal_text_format(&table, "%.3f,%.6f\n", 0.01 * i, sin(0.01 * i));
    }
    invert(m, table.data, table.length, false, &out, NULL, &status);
    CHECK(status == SAL_OK);
    int lines = 0;
    for (const char *s = out.data; *s != 0; s++) {
        lines += *s == '\n';
    }
    CHECK(lines == 100001);
    sal_text_clear(&out);
    status = SAL_NOMEM;
    for (long k = 1, whole = 0; !whole; k++) {
        sal_diag diag = {0};
        sal_err err = {0};
        sal_text contacts = {0};
        const sal_inverse_options options = {true};
        if (k == 1) {
            CHECK_OK(sal_file_write(path, "time,qpos0\n0,0\n1,0\n2,0\n", 23, &err), err);
        }
        memory_fails_at(k);
        status = sal_inverse_csv(m, path, &options, &out, &contacts, &diag, &err);
        whole = memory_was_enough(k);
        CHECK(whole || status == SAL_NOMEM);
        sal_diag_clear(&diag);
        sal_text_clear(&contacts);
        sal_text_clear(&out);
    }
    CHECK(status == SAL_OK);
    sal_text_clear(&table);
    sal_model_free(m);
}

/* A motion is undone step by step, which RK4 does not allow; states are not. */
static void integrators_that_cannot_be_undone_are_refused_once(void)
{
    static const char moves[] = "time,qpos0\n0,0\n.01,.1\n.02,.3\n.03,.4\n";
    static const char states[] = "qpos0,qvel0,qacc0\n0,0,1\n";
    motion a;
    sal_model *m = NULL;
    sal_text out = {0};
    sal_err err = {0};
    sal_status status;
    motion_pendulum(&a);
    CHECK_OK(sal_model_copy(&m, a.m, &err), err);
    m->opt.integrator = SAL_INT_RK4;
    const char *first = invert(m, moves, strlen(moves), false, &out, NULL, &status);
    CHECK(status == SAL_BADINPUT &&
          strstr(first, ":1:1: error: the model's integrator RK4") == first);
    sal_text_clear(&out);
    invert(m, states, strlen(states), false, &out, NULL, &status);
    CHECK(status == SAL_OK);
    sal_text_clear(&out);
    m->opt.integrator = SAL_INT_EULER;
    m->opt.noslip_iterations = 3;
    for (int i = 0; i < 2; i++) {
        const char *table = i == 0 ? moves : states;
        const sal_inverse_options options = {false};
        sal_diag diag = {0};
        CHECK_OK(sal_file_write(path, table, strlen(table), &err), err);
        CHECK_OK(sal_inverse_csv(m, path, &options, &out, NULL, &diag, &err), err);
        CHECK(diag.nwarning == 1 && diag.text.data != NULL &&
              strstr(diag.text.data, "noslip_iterations of the model are left out") != NULL);
        sal_diag_clear(&diag);
        sal_text_clear(&out);
    }
    m->opt.noslip_iterations = 0;
    m->opt.integrator = SAL_INT_IMPLICIT;
    invert(m, moves, strlen(moves), false, &out, NULL, &status);
    CHECK(status == SAL_OK);
    sal_text_clear(&out);
    sal_model_free(m);
    motion_clear(&a);
}

int main(void)
{
    const int fd = mkstemp(path);
    if (fd < 0) {
        printf("cannot make a file in /tmp\n");
        return 1;
    }
    close(fd);
    RUN(exported_motions_give_their_forces_again);
    RUN(full_tables_add_up);
    RUN(named_columns_in_any_order);
    RUN(faults_have_their_place);
    RUN(all_faults_are_told_at_once);
    RUN(a_far_turn_has_its_place);
    RUN(rows_beside_a_gap_are_nan);
    RUN(integrators_that_cannot_be_undone_are_refused_once);
    RUN(long_tables_and_lost_memory);
    unlink(path);
    return check_done();
}
