/* Every kind of output is a complete row of the table of output_table.c. */
#include "tests/check.h"

#include "invdyn/output.h"

enum { NKIND = SAL_OUT_INPUT + 1 }; /* the last one */

static void every_kind_has_a_size_and_a_value(void)
{
    for (int k = 0; k < NKIND; k++) {
        const sal_output output = {.kind = (sal_output_kind)k};
        const inv_output_kind *kind = inv_output_kind_of(&output);
        CHECK((kind->n > 0) != (kind->count != NULL));
        CHECK(kind->write != NULL);
    }
}

/* Exact derivatives come from the row, from drive.c with those by z, or are constant. */
static void every_kind_has_derivatives(void)
{
    for (int k = 0; k < NKIND; k++) {
        const sal_output output = {.kind = (sal_output_kind)k};
        const inv_output_kind *kind = inv_output_kind_of(&output);
        const bool driven = kind->by_input != NULL, constant = kind->constant;
        CHECK((kind->deriv != NULL) != (driven || constant));
        CHECK(!kind->by_qacc || kind->deriv != NULL);
        CHECK(!kind->by_qacc || kind->stage_of != NULL || kind->stage == SAL_STAGE_ACC);
        CHECK(kind->has_deriv == NULL || kind->deriv != NULL);
        CHECK(kind->variable == INV_NO_VARIABLE || (constant && kind->by_timestep != NULL));
    }
}

int main(void)
{
    RUN(every_kind_has_a_size_and_a_value);
    RUN(every_kind_has_derivatives);
    return check_done();
}
