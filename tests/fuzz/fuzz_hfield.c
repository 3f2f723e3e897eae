/* Any bytes as the file of a height field, a PNG image if they begin as one, or else of MuJoCo's
 * format: a ball falls on the field and a box stands on it, or there is an error. */
#include "tests/problems/problem_files.h"

#include "base/base.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static sal_model *field_model(const unsigned char *data, size_t n)
{
    static const char text[] =
        "<mujoco><asset><hfield name='h' file='%s' size='1 1 .2 .1'/></asset>"
        "<worldbody><geom type='hfield' hfield='h'/>"
        "<body pos='.1 .1 .25'><freejoint/><geom size='.1'/></body>"
        "<body pos='-.3 .2 .2'><freejoint/><geom type='box' size='.2 .1 .1'/></body>"
        "</worldbody></mujoco>";
    char xml[2000];
    const char *name = n > 0 && data[0] == 0x89 ? "field.png" : "field.bin";
    files_write(name, (const char *)data, n);
    const int length = snprintf(xml, sizeof xml, text, files_path(name));
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_status status =
        sal_model_parse(&m, "fuzz.xml", xml, (size_t)length, NULL, &diag, &err);
    if ((m == NULL) != (status != SAL_OK) || (m == NULL && err.message[0] == '\0')) {
        abort(); /* refused without a word */
    }
    sal_diag_clear(&diag);
    return m;
}

static void fall(const sal_model *m)
{
    sal_data *d = NULL;
    if (sal_data_new(&d, m, NULL) != SAL_OK) {
        abort();
    }
    sal_inverse(m, d, NULL);
    for (int k = 0; k < 2; k++) {
        if (sal_step(m, d, NULL) == SAL_OK && !isfinite(d->qpos[2] + d->qvel[2])) {
            abort();
        }
    }
    sal_data_free(d);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    sal_model *m = field_model(data, n);
    if (m != NULL) {
        fall(m);
    }
    sal_model_free(m);
    return 0;
}
