// A user's C++17 program: every public header, and a ball that falls.
#include <cmath>
#include <cstring>
#include <memory>
#include <saltus/base.h>
#include <saltus/identify.h>
#include <saltus/invdyn.h>
#include <saltus/mjcf.h>
#include <saltus/optim.h>
#include <saltus/pages.h>
#include <saltus/physics.h>
#include <saltus/problems.h>
#include <saltus/signals.h>
#include <saltus/sweeps.h>

int main()
{
    const char *xml = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
    sal_model *model = nullptr;
    sal_data *data = nullptr;
    sal_err err;
    sal_diag diag{};
    const sal_status read = sal_model_parse(&model, "ball", xml, std::strlen(xml), nullptr, &diag, &err);
    sal_diag_clear(&diag);
    const std::unique_ptr<sal_model, decltype(&sal_model_free)> own_model(model, sal_model_free);
    if (read != SAL_OK || sal_data_new(&data, model, &err) != SAL_OK) {
        return 1;
    }
    const std::unique_ptr<sal_data, decltype(&sal_data_free)> own_data(data, sal_data_free);
    if (sal_forward(model, data, &err) != SAL_OK) {
        return 1;
    }
    return std::fabs(data->qacc[2] + 9.81) < 1e-12 ? 0 : 1;
}
