/* Conditions: what they mean, by hand, and what is said of those that mean nothing. */
#include "tests/check.h"
#include "tests/memory.h"

#include "base/house.h"
#include "signals/condition.h"

static const char *const names[] = {"speed", "mass", "status", "reason", "term[a=b c]", "cost"};
enum { NNAME = sizeof names / sizeof names[0] };

static sal_value look(void *user, int name)
{
    return ((const sal_value *)user)[name];
}

/* 1 or 0; -1: it could not be read, and `told` says why */
static int judge(const char *text, const sal_value *values, sal_diag *told)
{
    sig_condition *c;
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_status status =
        sig_condition_parse(&c, text, (sal_place){0}, names, NNAME, &diag, &err);
    int result = -1;
    if (status == SAL_OK) {
        sal_value copy[NNAME];
        memcpy(copy, values, sizeof copy);
        result = sig_condition_holds(c, look, copy);
        CHECK(diag.nerror == 0);
    } else {
        CHECK(status == SAL_BADINPUT && c == NULL && diag.nerror > 0 && err.message[0] != 0);
    }
    sig_condition_free(c);
    if (told != NULL) {
        *told = diag;
    } else {
        sal_diag_clear(&diag);
    }
    return result;
}

static void conditions_mean_what_they_say(void)
{
    static const struct {
        const char *text;
        int holds;
    } list[] = {
        {"speed=1.5", 1},
        {"speed==1.50", 1}, /* the same number */
        {"speed=15e-1", 1},
        {"speed!=1.5", 0},
        {"speed<1.5", 0},
        {"speed<=1.5", 1},
        {"speed>1.5", 0},
        {"speed>=1.5", 1},
        {"speed>1.4999999999999998", 1},
        {"speed<10", 1}, /* as text it would not be */
        {"mass<50", 1},
        {"mass<9", 0},
        {"speed>=1.5 mass<50 status=converged", 1},
        {"speed>=1.5 mass<50 status=stalled", 0},
        {"speed>=1.6 mass<50", 0},
        {" \tspeed >= 1.5\n mass < 50 ", 1},
        {"status!=stalled", 1},
        {"status>conv status<d", 1},
        {"status>5", 1},   /* text against a number: as text */
        {"speed<five", 1}, /* and the other way round */
        {"reason='time limit'", 1},
        {"reason=\"time limit\"", 1},
        {"reason='it isn\"t'", 0},
        {"reason!='time limit'", 0},
        {"term[a=b c]>2", 1},
        {"term[a=b c]<2 speed=1.5", 0},
        /* the cost is not there */
        {"cost=''", 1},
        {"cost!=''", 0},
        {"cost=1", 0},
        {"cost!=1", 1},
        {"cost<1", 0},
        {"cost>=1", 0},
        {"cost<=''", 0},
        {"speed=''", 0},
        {"speed!=''", 1},
        {"mass>-inf", 1},
    };
    const sal_value values[NNAME] = {sig_value_number(1.5),     sig_value_of("40"),
                                     sig_value_of("converged"), sig_value_of("time limit"),
                                     sig_value_number(2.5),     sig_value_number((double)NAN)};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const int holds = judge(list[i].text, values, NULL);
        CHECK(holds == list[i].holds);
        if (holds != list[i].holds) {
            printf("%s: %d\n", list[i].text, holds);
        }
    }
}

static void faults_are_told(void)
{
    static const struct {
        const char *text, *says;
    } list[] = {
        {"sped>1", "there is no 'sped' to compare"},
        {"sped>1", "did you mean 'speed'?"},
        {"zzz=1", "there is speed, mass, status, reason, term[a=b c], cost"},
        {"", "this one is empty"},
        {"   ", "this one is empty"},
        {"speed", "'speed': one of = != < <= > >= should follow the name"},
        {"speed mass<3", "'speed': one of"},
        {"speed!1", "should follow the name"},
        {">3", "NAME OP VALUE"},
        {"speed>", "there is no value to compare with"},
        {"speed> ", "there is no value to compare with"},
        {"1<speed<2", "there is no '1' to compare"},
        {"mass<3speed>4", "'mass<3speed>4': a second comparison in one word"},
        {"reason='time", "the quote is not closed"},
        {"reason='time'x", "a blank should follow the quote"},
        {"speed=<3", "a second comparison"},
        {"[", "one of = !="},
    };
    const sal_value nothing[NNAME] = {{0}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        sal_diag diag;
        CHECK(judge(list[i].text, nothing, &diag) == -1);
        CHECK(diag.text.data != NULL && strstr(diag.text.data, list[i].says) != NULL);
        if (diag.text.data == NULL || strstr(diag.text.data, list[i].says) == NULL) {
            printf("'%s': %s\n", list[i].text, diag.text.data);
        }
        sal_diag_clear(&diag);
    }
    sal_diag diag;
    CHECK(judge("sped>1 mas<3 speed", nothing, &diag) == -1);
    CHECK(diag.nerror == 3); /* all at once */
    sal_diag_clear(&diag);
}

static void a_fault_has_its_place(void)
{
    char path[] = "s.xml", data[] = "<skip where=\"mass>1 sped>2\"/>";
    const sal_source source = {.path = path, .data = data, .length = strlen(data)};
    const sal_place place = {&source, 13, strlen("mass>1 sped>2")};
    sig_condition *c;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK(sig_condition_parse(&c, "mass>1 sped>2", place, names, NNAME, &diag, &err) ==
          SAL_BADINPUT);
    CHECK(strncmp(diag.first, "s.xml:1:21: error: ", 19) == 0);
    sal_diag_clear(&diag);
    /* where &lt; stands in the file, the word's place is that of the whole */
    CHECK(sig_condition_parse(&c, "mass>1 sped", place, names, NNAME, &diag, &err) == SAL_BADINPUT);
    CHECK(strncmp(diag.first, "s.xml:1:14: error: ", 19) == 0);
    sal_diag_clear(&diag);
}

static void values_have_an_order(void)
{
    const sal_value sorted[] = {sig_value_of(NULL),  sig_value_of("-inf"), sig_value_of("-2"),
                                sig_value_number(3), sig_value_of("10"),   sig_value_of("a"),
                                sig_value_of("b")};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            const int order = sig_value_compare(sorted + i, sorted + j);
            CHECK((order > 0) == (i > j) && (order < 0) == (i < j));
        }
    }
    const sal_value empty = sig_value_of(""), nan = sig_value_of("nan");
    CHECK(sig_value_compare(&empty, sorted) == 0 && sig_value_compare(&nan, sorted + 4) > 0);
    CHECK(isnan(sig_value_of("1 2").number) && isnan(sig_value_of("1x").number));
}

static void memory_that_runs_out_is_told(void)
{
    sig_condition *c = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_status status = SAL_NOMEM;
    long k = 1;
    for (bool whole = false; !whole; k++) {
        sig_condition_free(c);
        memory_fails_at(k);
        status =
            sig_condition_parse(&c, "speed=1 mass=2", (sal_place){0}, names, NNAME, &diag, &err);
        whole = memory_was_enough(k);
        CHECK(whole || (status == SAL_NOMEM && c == NULL));
    }
    CHECK(status == SAL_OK && k > 3);
    sig_condition_free(c);
    sig_condition_free(NULL);
}

int main(void)
{
    RUN(conditions_mean_what_they_say);
    RUN(faults_are_told);
    RUN(a_fault_has_its_place);
    RUN(values_have_an_order);
    RUN(memory_that_runs_out_is_told);
    return check_done();
}
