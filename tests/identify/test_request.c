/* Files of either kind are read as what they ask for, and refused where the other kind is
 * expected. */
#include "tests/check.h"

#include "identify/identify.h"

#include <string.h>
#include <unistd.h>

static void a_request_is_one_of_two(void)
{
    const char *const files[] = {"examples/acrobot_swingup.xml", "examples/identify_pendulum.xml"};
    for (int k = 0; k < 2; k++) {
        sal_request request;
        sal_diag diag = {0};
        sal_err err = {0};
        CHECK_OK(sal_request_read(&request, files[k], NULL, &diag, &err), err);
        CHECK((request.motion != NULL) == (k == 0) && (request.identification != NULL) == (k == 1));
        if (request.motion != NULL || request.identification != NULL) {
            CHECK_TEXT(sal_request_name(&request),
                       k == 0 ? "acrobot_swingup" : "identify_pendulum");
            CHECK(sal_request_model(&request)->nq == (k == 0 ? 2 : 1));
            CHECK(sal_request_nstart(&request) >= 1);
        }
        sal_request_clear(&request);
        CHECK(request.motion == NULL && request.identification == NULL);
        sal_diag_clear(&diag);
    }
}

static void the_other_kind_is_refused(void)
{
    sal_problem *p = NULL;
    sal_identification *i = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK(sal_problem_read(&p, "examples/identify_pendulum.xml", NULL, &diag, &err) ==
          SAL_BADINPUT);
    CHECK(p == NULL && diag.nerror == 1 &&
          strstr(diag.first, "asks for an identification") != NULL);
    sal_diag_clear(&diag);
    diag = (sal_diag){0};
    CHECK(sal_identification_read(&i, "examples/acrobot_swingup.xml", NULL, &diag, &err) ==
          SAL_BADINPUT);
    CHECK(i == NULL && diag.nerror == 1 && strstr(diag.first, "without <estimate>") != NULL);
    sal_diag_clear(&diag);
}

static void an_identification_is_summed_up(void)
{
    sal_identification *i = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_identification_read(&i, "examples/identify_pendulum.xml", NULL, &diag, &err), err);
    if (i != NULL) {
        const sal_identification_summary s = sal_identification_sum_up(i);
        CHECK(s.recordings.nrecording == 40 && s.recordings.nsample == 2400);
        CHECK(s.recordings.nchannel == 2 && s.nparameter == 2 && s.nlocal == 0 && s.nstage == 3);
    }
    sal_identification_free(i);
    sal_diag_clear(&diag);
}

int main(void)
{
    const char *root = getenv("SALTUS_ROOT");
    if (root != NULL && chdir(root) != 0) {
        return 1;
    }
    RUN(a_request_is_one_of_two);
    RUN(the_other_kind_is_refused);
    RUN(an_identification_is_summed_up);
    return check_done();
}
