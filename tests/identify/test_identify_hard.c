/* A box thrown on a floor by hard contacts, whose size and friction are known: what is found lies
 * within its standard errors, and recordings that are left out are predicted by the same contacts.
 */
#include "tests/folder.h"
#include "tests/identify/identify_data.h"
#include "tests/problems/solve_file.h"

#include "identify/identify.h"
#include "problems/result/result.h"

#include <math.h>
#include <string.h>

static const double reach = .05; /* of what makes the recordings, and of the fit */

static const trial *box(void)
{
    const trial *found = trials;
    for (int i = 0; i < ntrial; i++) {
        found = strcmp(trials[i].name, "box") == 0 ? trials + i : found;
    }
    return found;
}

static sal_result *identify(int contact, const char *holdout)
{
    char files[1024];
    sal_err err = {0};
    const char *root = getenv("SALTUS_ROOT");
    const sal_setting setting[] = {{"data/file", files},
                                   {"solver/contactmodel", sal_contact_model_name(contact)},
                                   {"solver/reach", ".05"},
                                   {"estimate/holdout", holdout}};
    snprintf(files, sizeof files, "%s/box_*.csv", folder);
    CHECK_OK(trial_record_with(box(), contact, reach, root == NULL ? "." : root, 7, folder, &err),
             err);
    return solve_file("examples/identify_box.xml",
                      &(sal_problem_options){.setting = setting, .nsetting = 4});
}

/* Each value is within four of its standard errors of the truth, which are below the share. */
static void check_values(const sal_identification_result *e, double share)
{
    for (int i = 0; i < e->nparameter; i++) {
        const sal_identification_parameter *p = e->parameter + i;
        printf("     %-10s %.6f  %+.2f se  se %.2g\n", p->name, p->value,
               (p->value - p->nominal) / p->se, p->se);
        CHECK_NEAR(p->value, p->nominal, 4 * p->se);
        CHECK(p->se <= share * fabs(p->nominal));
    }
}

/* A first state from ten samples, .2 mm off each, is known to 4 mm/s, which makes 2 mm in half a
 * second; impacts make that a few times as much. */
static void check_predictions(const sal_identification_result *e)
{
    int held = 0;
    for (int i = 0; i < e->nrecording; i++) {
        const sal_identification_recording *rec = e->recording + i;
        if (rec->held) {
            printf("     held out: %.4f m, %.4f rad\n", rec->rollout.position,
                   rec->rollout.rotation);
            CHECK(rec->rollout.position < .01);
            held++;
        }
    }
    CHECK(held >= 3);
}

static void hard_box_and_its_predictions(void)
{
    sal_result *r = identify(SAL_CONTACT_HARD, ".25");
    CHECK(r != NULL && sal_identification_of(r) != NULL);
    if (r != NULL && sal_identification_of(r) != NULL) {
        CHECK(r->contact.model == SAL_CONTACT_HARD);
        check_values(sal_identification_of(r), .01);
        check_predictions(sal_identification_of(r));
    }
    sal_result_free(r);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(hard_box_and_its_predictions);
    return check_done();
}
