/* mechanism.c: the mechanisms of the tables, and a contact model for them. */
#include "bench/tables/tables.h"

#include "mjcf/mjcf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sal_model *load(const char *folder, const char *path)
{
    char full[1024];
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    snprintf(full, sizeof full, "%s/%s", folder == NULL ? "." : folder, path);
    if (sal_model_load(&m, full, NULL, NULL, &err) != SAL_OK) {
        print_remark(err.message);
    }
    return m;
}

sal_model *table_model(const char *path)
{
    return load(getenv("SALTUS_ROOT"), path);
}

sal_model *table_model_corpus(const char *path)
{
    return load(getenv("SALTUS_CORPUS"), path);
}

sal_model *table_model_text(const char *xml)
{
    sal_model *m = NULL;
    sal_err err = {SAL_OK, ""};
    if (sal_model_parse(&m, "table", xml, strlen(xml), NULL, NULL, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return m;
}

void table_contact(sal_model *m, int contact, double reach)
{
    sal_contact_option o;
    sal_err err;
    sal_contact_defaults(&o, m, contact);
    o.reach = reach > 0 ? reach : o.reach;
    table_check(sal_model_contact(m, &o, &err), "contact model");
}

sal_model *table_cube(double friction, const char *cone)
{
    char xml[1024];
    snprintf(xml, sizeof xml,
             "<mujoco><option timestep='.01' cone='%s' tolerance='1e-12' iterations='200'/>"
             "<default><geom friction='%g .005 .0001'/></default>"
             "<worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 .1'><freejoint/>"
             "<geom type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>",
             cone, friction);
    return table_model_text(xml);
}
