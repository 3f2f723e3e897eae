/* Tables of a sweep written by hand (sweep_view.h), against what a reader of it would write
 * down. */
#include "tests/check.h"
#include "tests/memory.h"
#include "tests/pages/sweep_view.h"

static test_view made;

static char *written(const sal_table_options *options, sal_table_format format, sal_diag *told)
{
    sal_table *t;
    sal_text out = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    view_make(&made);
    const sal_status status = sal_table_make(&t, &made.view, options, &diag, &err);
    CHECK(status == SAL_OK || (status == SAL_BADINPUT && t == NULL && diag.nerror > 0));
    if (status == SAL_OK) {
        sal_table_write(&out, t, format);
        sal_table_free(t);
    }
    if (told != NULL) {
        *told = diag;
    } else {
        CHECK(status == SAL_OK);
        sal_diag_clear(&diag);
    }
    return out.data;
}

static void is_csv(const sal_table_options *options, const char *expected)
{
    char *text = written(options, SAL_TABLE_CSV, NULL);
    CHECK_TEXT(text, expected);
    sal_free(text);
}

static void all_cells_by_default(void)
{
    is_csv(NULL, "speed,mass,repeat,status,cost,term[effort],reason\n"
                 ".5,30,0,converged,4,0.5,\n"
                 ".5,30,1,converged,3,0.375,\n"
                 ".5,40,0,converged,5,0.625,\n"
                 ".5,40,1,converged,6,0.75,\n"
                 "1,30,0,converged,2,0.25,\n"
                 "1,30,1,infeasible,1,0.125,infeasible\n"
                 "1,40,0,failed,,,more than 60 s\n"
                 "1,40,1,failed,,,\"signal 11, \"\"Segmentation fault\"\"\"\n"
                 "1.5,30,0,converged,7,0.875,\n"
                 "1.5,30,1,converged,7,0.875,\n"
                 "1.5,40,0,failed,,,no such joint\n"
                 "1.5,40,1,waiting,,,\n");
}

static void the_columns_of_the_file(void)
{
    char effort[] = "effort", figure[] = "term[effort]", v[] = "v", speed[] = "speed",
         status[] = "status";
    sal_table *t;
    sal_text out = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    view_make(&made);
    made.column[0] = (sal_table_column){effort, figure};
    made.column[1] = (sal_table_column){v, speed}; /* the figure, not the axis */
    made.column[2] = (sal_table_column){status, status};
    made.view.ncolumn = 3;
    const sal_table_options options = {.where = "point=0"};
    CHECK_OK(sal_table_make(&t, &made.view, &options, &diag, &err), err);
    sal_table_write(&out, t, SAL_TABLE_CSV);
    CHECK_TEXT(out.data, "speed,mass,repeat,status,effort,v\n.5,30,0,converged,0.5,0.5\n.5,30,1,"
                         "converged,0.375,0.501\n");
    sal_text_clear(&out);
    sal_table_free(t);
    const sal_table_options grouped = {.group = "speed", .where = "point=0"};
    CHECK_OK(sal_table_make(&t, &made.view, &grouped, &diag, &err), err);
    sal_table_write(&out, t, SAL_TABLE_CSV);
    CHECK_TEXT(out.data, "speed,cells,n,mean:effort,mean:v\n.5,2,2,0.4375,0.5005\n");
    sal_text_clear(&out);
    sal_table_free(t);
}

static void chosen_columns(void)
{
    is_csv(
        &(sal_table_options){
            .columns = "mass, C = cost,term[effort],slip,figure:speed,exit_code,tries,seconds",
            .where = "cell!='' point>=2 point<5"},
        "mass,C,term[effort],slip,figure:speed,exit_code,tries,seconds\n"
        "30,2,0.25,,1.004,0,1,1\n"
        "30,1,0.125,,1.005,4,1,1.25\n"
        "40,,,,,1,2,1.5\n"
        "40,,,,,1,2,1.75\n"
        "30,7,0.875,0.8,1.508,0,1,2\n"
        "30,7,0.875,0.9,1.509,0,1,2.25\n");
    char *text = written(&(sal_table_options){.columns = "cell,from,motion,version,kind,point",
                                              .where = "repeat=1 speed=1"},
                         SAL_TABLE_CSV, NULL);
    CHECK(strstr(text, "\n0000000000000000000000000000000000000000000000000000000000000005,,folder/"
                       "cells/00/") != NULL);
    CHECK(strstr(text, ".h5,0.5,unsolved,2\n") != NULL &&
          strstr(text, "7,,,0.5,crashed,3\n") != NULL);
    sal_free(text);
}

static void conditions(void)
{
    const sal_table_options some = {.columns = "speed,cost", .where = "mass=30 cost>3"};
    is_csv(&some, "speed,cost\n.5,4\n1.5,7\n1.5,7\n");
    is_csv(&(sal_table_options){.columns = "point,repeat", .where = "status=waiting"},
           "point,repeat\n5,1\n");
    is_csv(&(sal_table_options){.columns = "point,repeat", .where = "cost='' status!=waiting"},
           "point,repeat\n3,0\n3,1\n5,0\n");
    is_csv(&(sal_table_options){.columns = "point,repeat", .where = "figure:speed>1.5"},
           "point,repeat\n4,0\n4,1\n");
    is_csv(&(sal_table_options){.columns = "point", .where = "cost>100"}, "point\n");
}

static void the_best_of_repeats(void)
{
    /* cell 5 is cheaper than cell 4 but not physical; of equal ones the first; the last may still
     * become a solution */
    is_csv(&(sal_table_options){.best = true}, "speed,mass,repeat,status,cost,term[effort],reason\n"
                                               ".5,30,1,converged,3,0.375,\n"
                                               ".5,40,0,converged,5,0.625,\n"
                                               "1,30,0,converged,2,0.25,\n"
                                               "1,40,0,failed,,,more than 60 s\n"
                                               "1.5,30,0,converged,7,0.875,\n"
                                               "1.5,40,1,waiting,,,\n");
    /* without its physical repeat a point is a hole, whatever the other one cost */
    is_csv(
        &(sal_table_options){.best = true, .columns = "status,cost", .where = "point=2 repeat=1"},
        "status,cost\ninfeasible,\n");
}

static void an_order(void)
{
    is_csv(&(sal_table_options){.best = true, .columns = "point,cost", .sort = "-cost"},
           "point,cost\n4,7\n1,5\n0,3\n2,2\n3,\n5,\n");
    is_csv(&(sal_table_options){.best = true, .columns = "point,C=cost", .sort = "C"},
           "point,C\n2,2\n0,3\n1,5\n4,7\n3,\n5,\n");
    is_csv(&(sal_table_options){.best = true, .columns = "point", .sort = "-mass,speed"},
           "point\n1\n3\n5\n0\n2\n4\n");
    is_csv(&(sal_table_options){.columns = "point,repeat",
                                .sort = "status,-point",
                                .where = "point>=2"},
           "point,repeat\n4,0\n4,1\n2,0\n5,0\n3,0\n3,1\n2,1\n5,1\n");
}

static void groups(void)
{
    /* physical only: mass 30: 4 3 2 7 7, sum 23; mass 40: 5 6. std of the first: mean 4.6, squares
     * .36+2.56+6.76+5.76+5.76 = 21.2, /4 */
    is_csv(&(sal_table_options){.group = "mass"},
           "mass,cells,n,min:cost,mean:cost,max:cost,holes\n"
           "30,6,5,2,4.6,7,1 infeasible\n"
           "40,6,2,5,5.5,6,\"1 crashed, 1 invalid, 1 time limit, 1 waiting\"\n");
    is_csv(
        &(sal_table_options){
            .group = "mass",
            .columns = "mass,median:cost,std:cost,sum:cost,count:slip,n,v=max:figure:speed"},
        "mass,median:cost,std:cost,sum:cost,count:slip,n,v\n"
        "30,4,2.3021728866442674,23,2,5,1.509\n"
        "40,5.5,0.7071067811865476,11,0,2,0.503\n");
    is_csv(&(sal_table_options){.group = "speed,mass",
                                .columns = "speed,mass,n,lowest=min:cost,std:cost",
                                .sort = "-lowest"},
           "speed,mass,n,lowest,std:cost\n"
           "1.5,30,2,7,0\n.5,40,2,5,0.7071067811865476\n.5,30,2,3,0.7071067811865476\n1,30,1,2,\n1,"
           "40,0,,\n1.5,40,0,,\n");
    is_csv(
        &(sal_table_options){.group = "status", .columns = "status,cells", .sort = "-cells,status"},
        "status,cells\nconverged,7\nfailed,3\ninfeasible,1\nwaiting,1\n");
    is_csv(&(sal_table_options){.columns = "n,cells,mean:mass"},
           "n,cells,mean:mass\n7,12,32.857142857142854\n");
    is_csv(&(sal_table_options){.group = "mass", .best = true, .columns = "mass,cells,n,mean:cost"},
           "mass,cells,n,mean:cost\n30,3,3,4\n40,3,1,5\n");
}

static void json(void)
{
    char *text =
        written(&(sal_table_options){.columns = "speed,status,cost,reason", .where = "speed=1"},
                SAL_TABLE_JSON, NULL);
    CHECK_TEXT(text,
               "[\n{\"speed\":1,\"status\":\"converged\",\"cost\":2,\"reason\":null}\n"
               ",{\"speed\":1,\"status\":\"infeasible\",\"cost\":1,\"reason\":\"infeasible\"}\n"
               ",{\"speed\":1,\"status\":\"failed\",\"cost\":null,\"reason\":\"more than 60 s\"}\n"
               ",{\"speed\":1,\"status\":\"failed\",\"cost\":null,\"reason\":\"signal 11, "
               "\\\"Segmentation fault\\\"\"}\n]\n");
    sal_free(text);
    text =
        written(&(sal_table_options){.columns = "speed", .where = "speed=9"}, SAL_TABLE_JSON, NULL);
    CHECK_TEXT(text, "[]\n");
    sal_free(text);
}

static void markdown(void)
{
    char *text =
        written(&(sal_table_options){.group = "mass", .columns = "mass,third|=std:cost,holes"},
                SAL_TABLE_MARKDOWN, NULL);
    CHECK_TEXT(text, "| mass |  third\\| | holes                                         |\n"
                     "| ---: | -------: | --------------------------------------------- |\n"
                     "|   30 |  2.30217 | 1 infeasible                                  |\n"
                     "|   40 | 0.707107 | 1 crashed, 1 invalid, 1 time limit, 1 waiting |\n");
    sal_free(text);
}

/* A + before the list: beside the usual ones, none of them twice. */
static void columns_beside_the_usual_ones(void)
{
    is_csv(&(sal_table_options){.columns = "+exit_code,repeat, C = cost", .where = "speed=1"},
           "speed,mass,repeat,status,cost,term[effort],reason,exit_code,C\n"
           "1,30,0,converged,2,0.25,,0,2\n"
           "1,30,1,infeasible,1,0.125,infeasible,4,1\n"
           "1,40,0,failed,,,more than 60 s,1,\n"
           "1,40,1,failed,,,\"signal 11, \"\"Segmentation fault\"\"\",1,\n");
    is_csv(&(sal_table_options){.columns = "+sum:cost", .group = "mass", .where = "speed<1"},
           "mass,cells,n,min:cost,mean:cost,max:cost,sum:cost\n"
           "30,2,2,3,3.5,4,7\n"
           "40,2,2,5,5.5,6,11\n");
}

static void faults_are_told(void)
{
    static const struct {
        sal_table_options options;
        const char *says;
    } list[] = {
        {{.columns = "sped"}, "--columns: there is no 'sped'\n      = help: did you mean 'speed'?"},
        {{.columns = "zzzzzz"}, "help: there is speed, mass, point, repeat, status, kind"},
        {{.columns = "speed,,mass"}, "--columns: a name is missing"},
        {{.columns = ""}, "--columns: a name is missing"},
        {{.columns = "+"}, "--columns: a name is missing"},
        {{.columns = "+kind,kind"}, "'kind' is there twice"},
        {{.columns = "+cost=repeat"}, "'cost' is there twice"},
        {{.columns = "=speed"}, "has no heading"},
        {{.columns = "speed,speed"}, "'speed' is there twice"},
        {{.columns = "min:cots"}, "there is no 'cots'"},
        {{.columns = "cost", .group = "mass"}, "the cells of a group may differ in 'cost'"},
        {{.columns = "mean:cost,cost"}, "the cells of a group may differ in 'cost'"},
        {{.columns = "cells"}, "there is no 'cells'"},
        {{.group = "mas"}, "--group: there is no 'mas'"},
        {{.sort = "-costs"}, "--sort: there is no 'costs'"},
        {{.where = "costs>1"}, "there is no 'costs' to compare"},
        {{.columns = "figure:mass"}, "there is no 'figure:mass'"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        sal_diag diag;
        CHECK(written(&list[i].options, SAL_TABLE_CSV, &diag) == NULL);
        CHECK(diag.text.data != NULL && strstr(diag.text.data, list[i].says) != NULL);
        if (diag.text.data == NULL || strstr(diag.text.data, list[i].says) == NULL) {
            printf("%zu: %s\n", i, diag.text.data);
        }
        sal_diag_clear(&diag);
    }
    sal_diag diag;
    CHECK(written(&(sal_table_options){.columns = "a,b", .where = "c=1", .sort = "d", .group = "e"},
                  SAL_TABLE_CSV, &diag) == NULL);
    CHECK(diag.nerror == 5); /* all at once */
    sal_diag_clear(&diag);
}

/* Before the first cell is done nobody knows which figures there will be. */
static void a_sweep_that_has_just_begun(void)
{
    sal_table *t;
    sal_text out = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    view_make(&made);
    memset(made.record, 0, sizeof made.record);
    memset(made.motion, 0, sizeof made.motion);
    const sal_table_options options = {.columns =
                                           "speed,status,reason,slip,term[x],kind,seconds,motion",
                                       .where = "point<1",
                                       .sort = "slip"};
    CHECK_OK(sal_table_make(&t, &made.view, &options, &diag, &err), err);
    CHECK(t->nwaiting == 2 && t->nhole == 0);
    sal_table_write(&out, t, SAL_TABLE_CSV);
    CHECK_TEXT(out.data, "speed,status,reason,slip,term[x],kind,seconds,motion\n.5,waiting,,,,,,\n."
                         "5,waiting,,,,,,\n");
    sal_text_clear(&out);
    sal_table_free(t);
    CHECK_OK(sal_table_make(&t, &made.view, NULL, &diag, &err), err);
    CHECK(t->nwaiting == 12 && t->nhole == 0 && t->nrow == 12 && t->ncol == 5);
    sal_table_free(t);
}

static void holes_are_counted_among_what_is_shown(void)
{
    static const struct {
        sal_table_options options;
        int hole, waiting;
    } list[] = {{{.best = false}, 4, 1},
                {{.best = true}, 1, 1},
                {{.group = "mass"}, 4, 1},
                {{.where = "kind=physical"}, 0, 0},
                {{.where = "point=3"}, 2, 0}};
    view_make(&made);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        sal_table *t;
        sal_diag diag = {0};
        sal_err err = {0};
        CHECK_OK(sal_table_make(&t, &made.view, &list[i].options, &diag, &err), err);
        CHECK(t->nhole == list[i].hole && t->nwaiting == list[i].waiting);
        sal_table_free(t);
    }
}

static void memory_that_runs_out_is_told(void)
{
    const sal_table_options options = {
        .group = "speed", .where = "mass>3", .sort = "-speed", .columns = "speed,mean:cost,holes"};
    sal_status status = SAL_NOMEM;
    view_make(&made);
    long k = 1;
    for (bool whole = false; !whole; k++) {
        sal_table *t;
        sal_diag diag = {0};
        sal_err err = {0};
        sal_text out = {0};
        memory_fails_at(k);
        status = sal_table_make(&t, &made.view, &options, &diag, &err);
        if (status == SAL_OK) {
            sal_table_write(&out, t, SAL_TABLE_MARKDOWN);
            status = out.failed ? SAL_NOMEM : SAL_OK;
        }
        whole = memory_was_enough(k);
        CHECK(whole || status == SAL_NOMEM);
        sal_table_free(t);
        sal_text_clear(&out);
        sal_diag_clear(&diag);
    }
    CHECK(status == SAL_OK && k > 30);
}

int main(void)
{
    RUN(all_cells_by_default);
    RUN(the_columns_of_the_file);
    RUN(chosen_columns);
    RUN(columns_beside_the_usual_ones);
    RUN(conditions);
    RUN(the_best_of_repeats);
    RUN(an_order);
    RUN(groups);
    RUN(json);
    RUN(markdown);
    RUN(faults_are_told);
    RUN(a_sweep_that_has_just_begun);
    RUN(holes_are_counted_among_what_is_shown);
    RUN(memory_that_runs_out_is_told);
    return check_done();
}
