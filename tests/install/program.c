/* A user's program: the versions of headers and library agree, and a pendulum at rest hangs
 * still. */
#include <math.h>
#include <saltus/base.h>
#include <saltus/mjcf.h>
#include <saltus/physics.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/>"
    "<geom type='sphere' size='.1' pos='0 0 -1' mass='2'/></body></worldbody></mujoco>";

int main(void)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err;
    sal_diag diag = {0};
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", SAL_VERSION_MAJOR, SAL_VERSION_MINOR,
             SAL_VERSION_PATCH);
    int failed = strcmp(version, sal_version()) != 0;
    if (sal_model_parse(&m, "pendulum", model, strlen(model), NULL, &diag, &err) != SAL_OK ||
        sal_data_new(&d, m, &err) != SAL_OK || sal_forward(m, d, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        failed = 1;
    } else {
        failed |= !(fabs(d->qacc[0]) < 1e-15);
    }
    sal_diag_clear(&diag);
    sal_data_free(d);
    sal_model_free(m);
    return failed;
}
